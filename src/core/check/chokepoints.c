/* SPDX-License-Identifier: MIT */
/* Chokepoints: nodes, edges and cells whose loss cuts a map into pieces. In linear time, without recursion: J. Hopcroft and R.
 * Tarjan, "Algorithm 447: efficient algorithms for graph manipulation" (1973); R. Tarjan, "Depth-first search and linear graph
 * algorithms" (1972).
 *
 *   1  gather    lists the open steps (arc_list.c); only this part calls the edge function
 *   2  mirror    adds the other direction of each step that can be taken in one direction only
 *   3  walk      a depth-first search, which counts what hangs below each place
 *   4  choose    computes what each place and edge cuts off, and sorts
 *
 * Places are joined if a step leads from one to the other in either direction. A part is all places that are joined to each
 * other, directly or through others. The search walks through each part once. Each place gets a number in the order of visits,
 * and `low`, the least number that it or a place below it is joined to, except by the step that led to it. An example:
 *
 *       1 --- 2 --- 3        visit 1 2 3 4 5      number  1 2 3 4 5
 *                  / \       4 -> 3's number 3    low     1 2 3 3 3      (low of 4 and 5 is 3: 5 is joined to 3)
 *                 5---4
 *
 *   place   if the low of a place below it is not less than its own number, all that hangs below that place is a piece that only
 *           this place joins to the rest: for 2 that is {3 4 5}, for 3 it is {4 5}. The rest is the piece above: for 3 {1 2}.
 *           What it cuts off is everything but the largest piece: 1 for 2, and 2 for 3. The place where the walk began has no
 *           piece above it; it is a chokepoint if there are two pieces or more.
 *   edge    if the low of the place below it is greater than the number of the place above: 1-2 and 2-3.
 *
 * The invariant of the walk: path[0 .. depth - 1] leads from the root to the place that is being visited, and
 * visited[number - 1] is the place with that number, so the places below a place follow it there. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/check/arc_list.h"

WEND_NO_FUSING

/* What the walk knows about a place. */
typedef struct wend_visit {
  uint32_t number; /* in the order of visits, from 1; 0: not visited yet */
  uint32_t low;
  uint32_t size;      /* how many places hang below it, itself included */
  uint32_t cut, most; /* of the pieces below it that only it joins to the rest: all their places; those of the largest */
} wend_visit;

/* An edge or a portal that is the only way to what hangs below it. */
typedef struct wend_bridge {
  uint32_t via, above, below; /* via: as in wend_open_arc; the places at its ends */
} wend_bridge;

struct wend_chokepoints {
  wend_alloc alloc;
  wend_arc_list open;
  /* The arcs that mirror() has added, in the same form. */
  uint32_t *back_first;
  wend_open_arc *back;
  uint32_t back_first_capacity, back_capacity;
  /* By place; path and visited: in the order of the walk. */
  wend_visit *visits;
  uint32_t *next, *came, *path, *visited; /* came: the `via` of the arc that led to the place */
  uint32_t capacity;
  uint8_t *ways; /* by edge slot: in how many directions it can be taken */
  uint32_t ways_capacity;
  wend_bridge *bridges;
  uint32_t bridges_capacity, bridge_count;
  wend_chokepoint *found;
  uint32_t found_capacity, found_count;
};

wend_chokepoints *wend_chokepoints_create(const wend_alloc *alloc) {
  wend_chokepoints *c = wend_new(alloc, sizeof *c);
  if (c != NULL) c->open.alloc = c->alloc;
  return c;
}

void wend_chokepoints_destroy(wend_chokepoints *c) {
  if (c == NULL) return;
  wend_arc_list_free(&c->open);
  WEND_FREE(&c->alloc, c->back_first, c->back_first_capacity);
  WEND_FREE(&c->alloc, c->back, c->back_capacity);
  WEND_FREE(&c->alloc, c->visits, c->capacity);
  WEND_FREE(&c->alloc, c->next, c->capacity);
  WEND_FREE(&c->alloc, c->came, c->capacity);
  WEND_FREE(&c->alloc, c->path, c->capacity);
  WEND_FREE(&c->alloc, c->visited, c->capacity);
  WEND_FREE(&c->alloc, c->ways, c->ways_capacity);
  WEND_FREE(&c->alloc, c->bridges, c->bridges_capacity);
  WEND_FREE(&c->alloc, c->found, c->found_capacity);
  wend_delete(c, sizeof *c);
}

uint32_t wend_chokepoints_get(const wend_chokepoints *c, const wend_chokepoint **found) {
  *found = c->found;
  return c->found_count;
}

/* ---- 2: mirror --------------------------------------------------------------------------------------------- */

/* Whether the step of an arc can also be taken in the other direction. Then both places list it already. A portal counts as
 * one-way: it does no harm to list it twice. */
static bool is_mutual(const wend_chokepoints *c, const wend_map *map, uint32_t place, const wend_open_arc *p) {
  if (!map->is_grid) return c->ways[((const wend_graph *)map)->arc_edge[p->via]] > 1;
  if (p->via != WEND_NONE) return false;
  for (uint32_t i = c->open.first[p->to]; i < c->open.first[p->to + 1] && c->open.list[i].via == WEND_NONE; i++)
    if (c->open.list[i].to == place) return true;
  return false;
}

/* Counts in how many directions each edge can be taken. False: no memory. */
static bool count_ways(wend_chokepoints *c, const wend_graph *graph) {
  const uint32_t edges = graph->edges.count;
  if (!WEND_GROW(&c->alloc, c->ways, c->ways_capacity, (uint64_t)edges + 1)) return false;
  memset(c->ways, 0, edges);
  for (uint32_t i = 0; i < c->open.list_count; i++) c->ways[graph->arc_edge[c->open.list[i].via]]++;
  return true;
}

/* Lists the other directions of one-way steps, by the place where they end. */
static wend_status mirror(wend_chokepoints *c, const wend_map *map) {
  const uint32_t count = c->open.count;
  uint32_t *first;
  if (!map->is_grid && !count_ways(c, (const wend_graph *)map)) return WEND_NO_MEMORY;
  if (!WEND_GROW(&c->alloc, c->back_first, c->back_first_capacity, (uint64_t)count + 2)) return WEND_NO_MEMORY;
  first = c->back_first;
  memset(first, 0, ((size_t)count + 2) * sizeof *first);
  for (uint32_t place = 0; place < count; place++) /* first[place + 2]: how many there are */
    for (uint32_t i = c->open.first[place]; i < c->open.first[place + 1]; i++)
      if (!is_mutual(c, map, place, &c->open.list[i])) first[c->open.list[i].to + 2]++;
  for (uint32_t place = 0; place <= count; place++) first[place + 1] += first[place]; /* first[place + 1]: where they begin */
  if (!WEND_GROW(&c->alloc, c->back, c->back_capacity, first[count + 1])) return WEND_NO_MEMORY;
  for (uint32_t place = 0; first[count + 1] > 0 && place < count; place++) /* first[place + 1]: where the next one goes */
    for (uint32_t i = c->open.first[place]; i < c->open.first[place + 1]; i++) {
      const wend_open_arc *p = &c->open.list[i];
      const wend_open_arc back = {place, p->via, false};
      if (!is_mutual(c, map, place, p)) c->back[first[p->to + 1]++] = back;
    }
  return WEND_OK;
}

/* ---- 3: walk ----------------------------------------------------------------------------------------------- */

/* The number of arcs of a place, and arc i of them. */
static uint32_t listed_arcs(const wend_chokepoints *c, uint32_t place) {
  return c->open.first[place + 1] - c->open.first[place] + c->back_first[place + 1] - c->back_first[place];
}
static wend_open_arc listed_arc(const wend_chokepoints *c, uint32_t place, uint32_t i) {
  const uint32_t own = c->open.first[place + 1] - c->open.first[place];
  return i < own ? c->open.list[c->open.first[place] + i] : c->back[c->back_first[place] + i - own];
}

/* Whether two arcs between the same two places are the same edge. All portals between two cells are one. */
static bool is_same_edge(const wend_map *map, uint32_t via, uint32_t other) {
  const wend_graph *graph = (const wend_graph *)map;
  if (map->is_grid) return (via == WEND_NONE) == (other == WEND_NONE);
  return graph->arc_edge[via] == graph->arc_edge[other];
}

/* Begins the visit of a place. */
static void begin_visit(wend_chokepoints *c, uint32_t place, uint32_t via, uint32_t number) {
  const wend_visit visit = {number, number, 1, 0, 0};
  c->visits[place] = visit;
  c->next[place] = 0;
  c->came[place] = via;
  c->visited[number - 1] = place;
}

/* Ends the visit of a place: the place above takes over what it has found. False: no memory. */
static bool end_visit(wend_chokepoints *c, const wend_map *map, uint32_t place, uint32_t above) {
  const wend_visit *visit = &c->visits[place];
  wend_visit *up = &c->visits[above];
  if (visit->low < up->low) up->low = visit->low;
  up->size += visit->size;
  if (visit->low < up->number) return true; /* something below is joined to something above */
  up->cut += visit->size;
  if (visit->size > up->most) up->most = visit->size;
  if (visit->low == up->number || (map->is_grid && c->came[place] == WEND_NONE)) return true; /* no edge that could be lost */
  if (!WEND_GROW(&c->alloc, c->bridges, c->bridges_capacity, (uint64_t)c->bridge_count + 1)) return false;
  c->bridges[c->bridge_count].via = c->came[place];
  c->bridges[c->bridge_count].above = above;
  c->bridges[c->bridge_count++].below = place;
  return true;
}

/* Walks through the part of the map that a place belongs to. *visits: how many places were visited before; then with this part.
 * False: no memory. */
static bool walk_part(wend_chokepoints *c, const wend_map *map, uint32_t root, uint32_t *visits) {
  uint32_t depth = 0;
  c->path[depth++] = root;
  begin_visit(c, root, WEND_NONE, ++*visits);
  while (depth > 0) {
    const uint32_t place = c->path[depth - 1], above = depth > 1 ? c->path[depth - 2] : WEND_NONE;
    const uint32_t end = listed_arcs(c, place);
    uint32_t down = WEND_NONE;
    while (c->next[place] < end && down == WEND_NONE) {
      const wend_open_arc p = listed_arc(c, place, c->next[place]++);
      if (c->visits[p.to].number == 0) {
        down = p.to;
        begin_visit(c, down, p.via, ++*visits);
      } else if (p.to == above && is_same_edge(map, p.via, c->came[place])) {
        continue; /* the step that led here */
      } else if (c->visits[p.to].number < c->visits[place].low) {
        c->visits[place].low = c->visits[p.to].number;
      }
    }
    if (down != WEND_NONE) {
      c->path[depth++] = down;
      continue;
    }
    depth--;
    if (above != WEND_NONE && !end_visit(c, map, place, above)) return false;
  }
  return true;
}

/* ---- 4: choose --------------------------------------------------------------------------------------------- */

/* Appends a chokepoint. False: no memory. */
static bool list_chokepoint(wend_chokepoints *c, wend_chokepoint one) {
  if (!WEND_GROW(&c->alloc, c->found, c->found_capacity, (uint64_t)c->found_count + 1)) return false;
  c->found[c->found_count++] = one;
  return true;
}

/* Lists the chokepoints of a part: its places are visited[from .. to - 1], its bridges those from number `bridge` on. least: those
 * that cut off less are left out. False: no memory. */
static bool list_part(wend_chokepoints *c, const wend_map *map, uint32_t from, uint32_t to, uint32_t bridge, uint32_t least) {
  const wend_graph *graph = (const wend_graph *)map;
  const uint32_t count = to - from;
  for (uint32_t i = from; i < to; i++) {
    const wend_visit *visit = &c->visits[c->visited[i]];
    const uint32_t above = count - 1 - visit->cut, most = above > visit->most ? above : visit->most;
    wend_chokepoint one = {WEND_NO_ID, WEND_NO_ID, WEND_NO_ID, WEND_NO_ID, count - 1 - most};
    if (one.cuts == 0 || one.cuts < least) continue;
    one.node = wend_listed_id(map, c->visited[i]);
    if (!list_chokepoint(c, one)) return false;
  }
  for (uint32_t i = bridge; i < c->bridge_count; i++) {
    const wend_bridge *b = &c->bridges[i];
    const uint32_t below = c->visits[b->below].size, above = count - below;
    wend_chokepoint one = {WEND_NO_ID, WEND_NO_ID, WEND_NO_ID, WEND_NO_ID, below < above ? below : above};
    if (one.cuts < least) continue;
    if (map->is_grid) { /* the portal as it was found: from the cell where it begins */
      const wend_portal *portal = &((const wend_grid *)map)->out[b->via];
      one.from = wend_listed_id(map, portal->from), one.to = wend_listed_id(map, portal->to);
    } else {
      const wend_ends ends = wend_graph_ends(graph, graph->arc_edge[b->via]);
      one.edge = wend_slots_id(&graph->edges, graph->arc_edge[b->via]);
      one.from = wend_listed_id(map, ends.from), one.to = wend_listed_id(map, ends.to);
    }
    if (!list_chokepoint(c, one)) return false;
  }
  return true;
}

static int order_ids(wend_id a, wend_id b) { return a < b ? -1 : a > b; }

/* The order of the list: what cuts off most comes first; then places before edges; then by ids. */
static int compare_chokepoints(const void *p, const void *q) {
  const wend_chokepoint *a = p, *b = q;
  if (a->cuts != b->cuts) return a->cuts > b->cuts ? -1 : 1;
  if ((a->node == WEND_NO_ID) != (b->node == WEND_NO_ID)) return a->node != WEND_NO_ID ? -1 : 1;
  if (a->node != b->node) return order_ids(a->node, b->node);
  if (a->edge != b->edge) return order_ids(a->edge, b->edge);
  return a->from != b->from ? order_ids(a->from, b->from) : order_ids(a->to, b->to);
}

wend_status wend_chokepoints_find(wend_chokepoints *c, wend_map *map, const wend_costs *costs, uint32_t least, uint32_t most) {
  wend_status status;
  uint32_t visits = 0;
  c->found_count = c->bridge_count = 0;
  status = wend_arc_list_gather(&c->open, map, costs, NULL);
  if (status == WEND_OK) status = mirror(c, map);
  if (status == WEND_OK) {
    const wend_column columns[] = {WEND_COLUMN(c->visits), WEND_COLUMN(c->next), WEND_COLUMN(c->came), WEND_COLUMN(c->path),
                                   WEND_COLUMN(c->visited)};
    if (!wend_grow_columns(&c->alloc, columns, 5, &c->capacity, (uint64_t)c->open.count + 1)) status = WEND_NO_MEMORY;
  }
  if (status != WEND_OK) return status;
  memset(c->visits, 0, c->open.count * sizeof *c->visits);
  for (uint32_t i = 0, listed = wend_listed_count(&c->open, map); i < listed; i++) {
    const uint32_t root = wend_listed_place(map, i), before = visits, bridge = c->bridge_count;
    if (root == WEND_NONE || c->open.there[root] == 0 || c->visits[root].number != 0) continue;
    if (!walk_part(c, map, root, &visits) || !list_part(c, map, before, visits, bridge, least)) {
      c->found_count = 0;
      return WEND_NO_MEMORY;
    }
  }
  if (c->found_count > 1) qsort(c->found, c->found_count, sizeof *c->found, compare_chokepoints);
  if (c->found_count > most) c->found_count = most;
  return WEND_OK;
}
