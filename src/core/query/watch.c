/* SPDX-License-Identifier: MIT */
/* Which paths an edit touches: sieves and watches. Both read the journal of the map (map.h), so their time depends on the edits
 * and not on the paths.
 *
 * The places of a path are those that wend_graph_path_valid and wend_grid_path_valid look at:
 *
 *   graph   the places of its nodes. A change of an edge is in the journal with the places of its ends
 *   grid    the places of the cells that its steps and legs enter, and of the cells beside its diagonals
 *
 * A sieve is a set of places in a few bits: two bits for each place (B. Bloom, "Space/time trade-offs in hash coding with
 * allowable errors", 1970). If an edit changes a place whose two bits are not both set, the path is as it was. Otherwise the
 * caller must look at the path.
 *
 * A watch holds many paths, and an index from places to paths: a hash table of postings. An example, two paths over a graph:
 *
 *   path 0: nodes 1 2 3            posting   0  1  2  3  4        An edge between 2 and 3 changes. The journal names the places
 *   path 1: nodes 2 4              place     1  2  3  2  4        2 and 3. The postings of 2 are 3 and 1, that of 3 is 2. So the
 *                                  path      0  0  0  1  1        edges beside node 2 of both paths are examined, and path 0 is
 *                                  item      0  1  2  0  1        affected.
 *
 * The postings of a bucket are a chain. A path that is removed leaves its postings behind: they have a stamp that no path has.
 * When more than half are such, they are cleared away. So a path is added and removed in the time that its own postings take,
 * on average. Packing a graph moves its places: then all postings are examined, and linked again by their new places. The same
 * happens, without the second part, if the journal has lost changes.
 *
 * A path is affected once for each call, if one of these has happened since the last call:
 *
 *   - a node, edge or cell of it was changed or removed, or a portal between two cells of it. After a removal it is not listed again
 *   - a wall was put across it, or the last wall across it was removed: what counts is the state at the calls */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/lines/line.h"
#include "core/query/watch.h"

WEND_NO_FUSING

/* ---- The places of a path ---------------------------------------------------------------------------------- */

/* Receives a place, and the index of the node or cell to whose step it belongs. False: no memory; the listing ends. */
typedef bool (*place_fn)(void *ud, uint32_t place, uint32_t item);

static uint32_t place_of_id(const wend_grid *grid, wend_id cell) {
  const uint32_t at = (uint32_t)(cell - 1), row = at / grid->width;
  return (row + 1) * grid->stride + (at - row * grid->width) + 1;
}

/* A path over cells whose places are listed. */
typedef struct place_list {
  const wend_grid *grid;
  uint32_t body; /* of the agent: wend_body_of_size */
  place_fn receive;
  void *ud;
  uint32_t item; /* of the current step */
} place_list;

static bool list_cell(void *ud, wend_id cell, bool beside) {
  const place_list *list = ud;
  (void)beside;
  return list->receive(list->ud, place_of_id(list->grid, cell), list->item);
}

static bool list_step_places(void *ud, wend_id from, wend_id to, int direction, uint32_t item) {
  place_list *list = ud;
  list->item = item;
  return wend_each_cell_of_step(list->grid, list->body, from, to, direction, list_cell, ud);
}

/* Lists the places of a path over cells, some of them more than once. False: receive was. */
static bool list_cells(const wend_grid *grid, const wend_id *cells, uint32_t count, const wend_path_age *age, place_fn receive,
                       void *ud) {
  place_list list = {grid, wend_body_of_size(age->size), receive, ud, 0};
  return wend_walk_path(grid, cells, count, age->legs, list_step_places, &list);
}

/* ---- Sieves ------------------------------------------------------------------------------------------------- */

/* The numbers of the two bits of a place in a sieve. The product spreads the place over 64 bits: D. Knuth, "The Art of Computer
 * Programming", volume 3, section 6.4. */
static inline void sieve_bits(uint32_t place, uint32_t words, uint32_t *first, uint32_t *second) {
  const uint64_t hash = (place + 1) * 0x9e3779b97f4a7c15u, mixed = hash ^ hash >> 32, bits = (uint64_t)words * 64;
  *first = (uint32_t)((hash >> 32) * bits >> 32);
  *second = (uint32_t)((mixed * 0x9e3779b97f4a7c15u >> 32) * bits >> 32);
}

typedef struct sifting {
  uint64_t *bits; /* or NULL */
  uint32_t words, places;
} sifting;

static bool sift_place(void *ud, uint32_t place, uint32_t item) {
  sifting *into = ud;
  uint32_t first, second;
  (void)item;
  into->places++;
  if (into->bits == NULL) return true;
  sieve_bits(place, into->words, &first, &second);
  into->bits[first / 64] |= (uint64_t)1 << first % 64;
  into->bits[second / 64] |= (uint64_t)1 << second % 64;
  return true;
}

uint32_t wend_sieve_add(wend_sieve *sieve, uint64_t *bits, const wend_map *map, const wend_id *ids, uint32_t count,
                        const wend_path_age *age) {
  const wend_graph *graph = (const wend_graph *)map;
  const wend_grid *grid = (const wend_grid *)map;
  sifting into = {bits, sieve->words, 0};
  if (map->is_grid) {
    (void)list_cells(grid, ids, count, age, sift_place, &into);
    if (bits != NULL && !sieve->blocked) sieve->blocked = wend_is_path_blocked(grid, ids, count, age, true);
  } else {
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t slot = wend_slots_find(&graph->nodes, ids[i]);
      if (slot != WEND_NONE) (void)sift_place(&into, graph->nodes.value[slot], i);
    }
  }
  return into.places;
}

void wend_sieve_renew(wend_sieve *sieve, const wend_map *map) { sieve->edits = map->journal.end; }

bool wend_sieve_misses(const wend_sieve *sieve, const uint64_t *bits, const wend_map *map, const wend_path_age *age,
                       uint32_t most) {
  uint64_t since = sieve->edits;
  wend_changes changes;
  uint32_t change, first, second;
  if (sieve->blocked && wend_grid_walls_changed((const wend_grid *)map, age->seen)) return false;
  if (!wend_read_changes(&map->journal, &since, &changes) || changes.end - changes.at > most) return false;
  while (wend_next_change(&changes, &change)) {
    sieve_bits(change & (map->is_grid ? UINT32_MAX : ~CHANGED_NODE), sieve->words, &first, &second);
    if ((bits[first / 64] >> first % 64 & bits[second / 64] >> second % 64 & 1) != 0) return false;
  }
  return true;
}

/* ---- Watches ------------------------------------------------------------------------------------------------ */

typedef struct posting {
  uint64_t stamp; /* of the path when it was indexed; if the path has another one, the posting was left behind */
  uint32_t number, place;
  uint32_t item; /* the index of a node; of a cell at the end of its step */
  uint32_t next; /* of the chain; WEND_NONE: it ends */
} posting;

/* A path that is held. */
typedef struct watched {
  wend_id *ids; /* its nodes or cells, then its edges */
  uint32_t ids_capacity, count, edge_count;
  uint32_t posted;    /* how many postings it has */
  uint32_t next_free; /* of a number that is free: the next one */
  uint64_t stamp;     /* of its postings; 0: it has none */
  uint64_t order;     /* of adding */
  uint64_t since;     /* the version when it was added */
  uint64_t looked;    /* the call that has looked for walls last */
  wend_path_age age;  /* `seen` is not used */
  bool used;
  bool gone;    /* something of it was removed: it has no postings */
  bool marked;  /* it is in `found` */
  bool blocked; /* a wall that was put up later is across it */
  bool around;  /* it was found across a wall or a closed cell, and no wall has changed since */
} watched;

/* A path that is affected. */
typedef struct affected {
  uint64_t order;
  uint32_t number;
} affected;

struct wend_watch {
  wend_alloc alloc;
  const wend_map *map;
  const wend_graph *graph; /* one of the two is NULL */
  const wend_grid *grid;
  uint64_t version, cursor; /* of the map at the last call, and in its journal */
  uint64_t orders, stamps, calls;
  watched *paths; /* by number */
  uint32_t paths_capacity, path_count, live, free_number, around_count;
  posting *postings;
  uint32_t postings_capacity, posting_count, left_count; /* left_count: of postings left behind */
  uint32_t *heads;                                       /* the first posting of each chain */
  uint32_t heads_capacity;
  affected *found; /* since the last call */
  uint32_t found_capacity, found_count;
  uint32_t *numbers; /* for the caller: of what the last call found */
  uint32_t numbers_capacity;
};

wend_watch *wend_watch_create(const wend_alloc *alloc, const wend_map *map) {
  wend_watch *w = wend_new(alloc, sizeof *w);
  if (w == NULL) return NULL;
  w->map = map;
  w->graph = map->is_grid ? NULL : (const wend_graph *)map;
  w->grid = map->is_grid ? (const wend_grid *)map : NULL;
  w->version = map->version;
  w->cursor = map->journal.end;
  w->free_number = WEND_NONE;
  return w;
}

static const wend_array watch_rows[] = {
    WEND_ARRAY(wend_watch, paths, paths_capacity, 1),     WEND_ARRAY(wend_watch, postings, postings_capacity, 1),
    WEND_ARRAY(wend_watch, heads, heads_capacity, 1),     WEND_ARRAY(wend_watch, found, found_capacity, 1),
    WEND_ARRAY(wend_watch, numbers, numbers_capacity, 1),
};
static const wend_arrays watch_arrays = WEND_ARRAYS(watch_rows);

void wend_watch_destroy(wend_watch *w) {
  if (w == NULL) return;
  for (uint32_t i = 0; i < w->path_count; i++) WEND_FREE(&w->alloc, w->paths[i].ids, w->paths[i].ids_capacity);
  wend_arrays_free(watch_arrays, 1, &w->alloc, w);
  wend_delete(w, sizeof *w);
}

uint32_t wend_watch_count(const wend_watch *w) { return w->live; }

size_t wend_watch_bytes(const wend_watch *w) {
  size_t bytes = sizeof *w + wend_arrays_bytes(watch_arrays, 1, w);
  for (uint32_t i = 0; i < w->path_count; i++) bytes += w->paths[i].ids_capacity * sizeof(wend_id);
  return bytes;
}

/* ---- The index ---------------------------------------------------------------------------------------------- */

static uint32_t *head_of(const wend_watch *w, uint32_t place) {
  const uint64_t hash = (place + 1) * 0x9e3779b97f4a7c15u;
  return &w->heads[(uint32_t)(hash >> 32) & (w->heads_capacity - 1)];
}

static bool is_live(const wend_watch *w, const posting *one) { return w->paths[one->number].stamp == one->stamp; }

/* Adds the postings from number `first` on to their chains. */
static void link_postings(wend_watch *w, uint32_t first) {
  for (uint32_t i = first; i < w->posting_count; i++) {
    uint32_t *head = head_of(w, w->postings[i].place);
    w->postings[i].next = *head;
    *head = i;
  }
}

/* Links all postings again. Drops postings that were left behind. */
static void link_again(wend_watch *w) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->heads_capacity; i++) w->heads[i] = WEND_NONE;
  for (uint32_t i = 0; i < w->posting_count; i++)
    if (is_live(w, &w->postings[i])) w->postings[kept++] = w->postings[i];
  w->posting_count = kept;
  w->left_count = 0;
  if (w->heads_capacity > 0) link_postings(w, 0);
}

/* Clears away postings that were left behind, if they are more than half. */
static void clear_left(wend_watch *w) {
  if (w->left_count > w->posting_count / 2) link_again(w);
}

/* Makes room for half as many chains as there are postings, with those of a path over `more` nodes or cells. False: no memory. */
static bool grow_heads(wend_watch *w, uint32_t more) {
  uint32_t wanted = w->heads_capacity < 64 ? 64 : w->heads_capacity;
  while (wanted < 1u << 31 && wanted < ((uint64_t)w->posting_count + more) / 2) wanted *= 2;
  if (wanted == w->heads_capacity) return true;
  if (!WEND_RESIZE(&w->alloc, w->heads, w->heads_capacity, wanted)) return false;
  link_again(w);
  return true;
}

/* The path whose places are being added. */
typedef struct indexing {
  wend_watch *w;
  uint64_t stamp;
  uint32_t number;
} indexing;

static bool add_posting(void *ud, uint32_t place, uint32_t item) {
  const indexing *of = ud;
  wend_watch *w = of->w;
  const posting one = {of->stamp, of->number, place, item, WEND_NONE};
  if (!WEND_GROW(&w->alloc, w->postings, w->postings_capacity, (uint64_t)w->posting_count + 1)) return false;
  w->postings[w->posting_count++] = one;
  return true;
}

/* Lists the postings of a path, without linking them. A path over a node that does not exist becomes `gone` and has none. False:
 * no memory. */
static bool post(wend_watch *w, watched *path, uint32_t number) {
  const uint32_t first = w->posting_count;
  indexing of = {w, ++w->stamps, number};
  bool done = true;
  if (w->grid != NULL) {
    done = list_cells(w->grid, path->ids, path->count, &path->age, add_posting, &of);
  } else {
    for (uint32_t i = 0; i < path->count && done && !path->gone; i++) {
      const uint32_t slot = wend_slots_find(&w->graph->nodes, path->ids[i]);
      if (slot == WEND_NONE) path->gone = true;
      else done = add_posting(&of, w->graph->nodes.value[slot], i);
    }
  }
  if (!done || path->gone) w->posting_count = first;
  path->posted = w->posting_count - first;
  path->stamp = of.stamp;
  return done;
}

/* Takes a path out of the index: leaves its postings behind. */
static void unpost(wend_watch *w, watched *path) {
  w->left_count += path->posted;
  path->posted = 0;
  path->stamp = 0;
}

/* Finds the places of all postings again, because packing has moved them. */
static void move_postings(wend_watch *w) {
  for (uint32_t i = 0; i < w->posting_count; i++) {
    posting *one = &w->postings[i];
    if (!is_live(w, one)) continue;
    one->place = w->graph->nodes.value[wend_slots_find(&w->graph->nodes, w->paths[one->number].ids[one->item])];
  }
  link_again(w);
}

/* ---- Looking at a path -------------------------------------------------------------------------------------- */

/* Whether a wall is across a path that is held. */
static bool is_walled(const wend_watch *w, const watched *path) {
  return wend_is_path_blocked(w->grid, path->ids, path->count, &path->age, false);
}

static void mark(wend_watch *w, uint32_t number) {
  const affected one = {w->paths[number].order, number};
  if (w->paths[number].marked) return;
  w->paths[number].marked = true;
  w->found[w->found_count++] = one; /* wend_watch_add has made room */
}

/* The version from which on changes of a path count. */
static uint64_t since_of(const wend_watch *w, const watched *path) {
  return path->since > w->version ? path->since : w->version;
}

/* Finds out whether walls have come or gone. */
static void look_at_walls(wend_watch *w, uint32_t number) {
  watched *path = &w->paths[number];
  bool blocked;
  if (path->around || path->looked == w->calls || !wend_grid_walls_changed(w->grid, path->since)) return;
  path->looked = w->calls;
  blocked = is_walled(w, path);
  if (blocked == path->blocked) return;
  path->blocked = blocked;
  mark(w, number);
}

/* Whether one of the steps to and from node or cell number i of a path has changed after a version. */
static bool is_changed_around(const wend_watch *w, const watched *path, uint32_t i, uint64_t since) {
  const uint32_t first = i > 0 ? i - 1 : 0, end = i + 2 < path->count ? i + 2 : path->count;
  const uint32_t edges_end = i + 1 < path->edge_count ? i + 1 : path->edge_count;
  wend_path_age age = path->age;
  age.seen = since;
  if (w->grid != NULL) return wend_is_path_changed(w->grid, path->ids + first, end - first, &age);
  return !wend_graph_path_valid(w->graph, path->ids + first, end - first, path->ids + path->count + first,
                                edges_end > first ? edges_end - first : 0, &age);
}

/* Whether a node or an edge of a path over a graph was removed. */
static bool is_gone(const wend_watch *w, const watched *path) {
  for (uint32_t i = 0; i < path->count; i++)
    if (!wend_graph_has_node(w->graph, path->ids[i])) return true;
  for (uint32_t i = 0; i < path->edge_count; i++)
    if (!wend_graph_has_edge(w->graph, path->ids[path->count + i])) return true;
  return false;
}

/* A change of the map at the place of a posting. walls: walls have changed since the last call. */
static void look_at_posting(wend_watch *w, const posting *at, bool walls) {
  watched *path = &w->paths[at->number];
  const bool known = path->marked && w->grid != NULL; /* of a graph, something may have been removed since */
  if (!known && is_changed_around(w, path, at->item, since_of(w, path))) {
    mark(w, at->number);
    path->gone = w->graph != NULL && is_gone(w, path);
  }
  if (walls) look_at_walls(w, at->number);
  if (path->gone) unpost(w, path);
}

static void look_at_change(wend_watch *w, uint32_t change, bool walls) {
  const uint32_t place = w->grid != NULL ? change : change & ~CHANGED_NODE;
  for (uint32_t i = *head_of(w, place); i != WEND_NONE; i = w->postings[i].next)
    if (w->postings[i].place == place && is_live(w, &w->postings[i])) look_at_posting(w, &w->postings[i], walls);
}

/* Any place may have changed. */
static void look_at_all(wend_watch *w, bool walls) {
  for (uint32_t number = 0; number < w->path_count && w->grid != NULL; number++) {
    watched *path = &w->paths[number];
    if (path->used && w->grid->all_touched > since_of(w, path)) mark(w, number);
  }
  for (uint32_t i = 0; i < w->posting_count; i++)
    if (is_live(w, &w->postings[i])) look_at_posting(w, &w->postings[i], walls);
  if (w->graph != NULL) move_postings(w);
}

/* The paths that were found across a wall or a closed cell: a change of walls anywhere makes them invalid, unless it was the one
 * that removed the wall. */
static void look_around(wend_watch *w) {
  for (uint32_t number = 0; number < w->path_count && w->around_count > 0; number++) {
    watched *path = &w->paths[number];
    if (!path->used || !path->around || !wend_grid_walls_changed(w->grid, path->since)) continue;
    path->around = false;
    path->blocked = is_walled(w, path);
    w->around_count--;
    if (wend_is_path_blocked(w->grid, path->ids, path->count, &path->age, true)) mark(w, number);
  }
}

/* ---- Calls --------------------------------------------------------------------------------------------------- */

/* Finds out how the path stands when it is added. */
static void judge_path(wend_watch *w, uint32_t number, const wend_path_age *age) {
  watched *path = &w->paths[number];
  bool valid;
  if (w->grid != NULL) {
    const bool changed = wend_grid_walls_changed(w->grid, age->seen);
    valid = wend_grid_path_valid(w->grid, path->ids, path->count, age);
    path->blocked = changed && is_walled(w, path);
    path->around = !changed && wend_is_path_blocked(w->grid, path->ids, path->count, &path->age, true);
    w->around_count += path->around;
  } else {
    path->gone = is_gone(w, path);
    valid =
        !path->gone && wend_graph_path_valid(w->graph, path->ids, path->count, path->ids + path->count, path->edge_count, age);
  }
  if (!valid) mark(w, number);
  if (path->gone) unpost(w, path);
}

/* Takes a path out of the list of affected ones. */
static void unmark(wend_watch *w, watched *path, uint32_t number) {
  uint32_t i = 0;
  if (!path->marked) return;
  path->marked = false;
  while (w->found[i].number != number) i++;
  w->found[i] = w->found[--w->found_count];
}

/* Takes what a number holds out of the index, and frees it. */
static void drop(wend_watch *w, watched *path) {
  unpost(w, path);
  w->around_count -= path->around;
  WEND_FREE(&w->alloc, path->ids, path->ids_capacity);
}

wend_status wend_watch_set(wend_watch *w, uint32_t number, const wend_id *ids, uint32_t count, const wend_id *edges,
                           uint32_t edge_count, const wend_path_age *age) {
  watched *path = &w->paths[number], one;
  uint32_t first;
  assert(number < w->path_count && path->used);
  clear_left(w);
  if (!grow_heads(w, count)) return WEND_NO_MEMORY;
  first = w->posting_count;
  memset(&one, 0, sizeof one);
  if (!WEND_RESIZE(&w->alloc, one.ids, one.ids_capacity, (uint64_t)count + edge_count)) return WEND_NO_MEMORY;
  if (count > 0) memcpy(one.ids, ids, count * sizeof *ids);
  if (edge_count > 0) memcpy(one.ids + count, edges, edge_count * sizeof *ids);
  one.count = count, one.edge_count = edge_count;
  one.age = *age;
  one.since = w->map->version;
  one.order = path->order;
  one.used = true;
  if (!post(w, &one, number)) {
    WEND_FREE(&w->alloc, one.ids, one.ids_capacity);
    return WEND_NO_MEMORY;
  }
  unmark(w, path, number);
  drop(w, path);
  *path = one;
  link_postings(w, first);
  judge_path(w, number, age);
  return WEND_OK;
}

wend_status wend_watch_add(wend_watch *w, const wend_id *ids, uint32_t count, const wend_id *edges, uint32_t edge_count,
                           const wend_path_age *age, uint32_t *number) {
  const bool fresh = w->free_number == WEND_NONE;
  wend_status status;
  watched *path;
  *number = fresh ? w->path_count : w->free_number;
  if (fresh && !WEND_GROW(&w->alloc, w->paths, w->paths_capacity, (uint64_t)w->path_count + 1)) return WEND_NO_MEMORY;
  if (!WEND_GROW(&w->alloc, w->found, w->found_capacity, (uint64_t)w->path_count + 1) ||
      !WEND_GROW(&w->alloc, w->numbers, w->numbers_capacity, (uint64_t)w->path_count + 1))
    return WEND_NO_MEMORY;
  path = &w->paths[*number];
  if (fresh) w->path_count++;
  else w->free_number = path->next_free;
  memset(path, 0, sizeof *path);
  path->order = w->orders++;
  path->used = true;
  status = wend_watch_set(w, *number, ids, count, edges, edge_count, age);
  w->live++;
  if (status != WEND_OK) wend_watch_remove(w, *number);
  return status;
}

void wend_watch_remove(wend_watch *w, uint32_t number) {
  watched *path = &w->paths[number];
  assert(number < w->path_count && path->used);
  unmark(w, path, number);
  drop(w, path);
  memset(path, 0, sizeof *path);
  path->next_free = w->free_number;
  w->free_number = number;
  w->live--;
}

void wend_watch_mark(wend_watch *w, uint32_t number) {
  assert(number < w->path_count && w->paths[number].used);
  mark(w, number);
}

bool wend_watch_uses(const wend_watch *w, uint32_t number, const uint8_t *marked) {
  const watched *path = &w->paths[number];
  if (w->graph != NULL) return wend_graph_path_uses(w->graph, path->ids + path->count, path->edge_count, marked);
  return wend_grid_path_uses(w->grid, path->ids, path->count, &path->age, marked);
}

/* By the order in which the paths were added. */
static int compare_affected(const void *p, const void *q) {
  const affected *a = p, *b = q;
  return a->order < b->order ? -1 : a->order > b->order;
}

void wend_watch_affected(wend_watch *w, const uint32_t **numbers, uint32_t *count) {
  const bool walls = w->grid != NULL && wend_grid_walls_changed(w->grid, w->version);
  wend_changes changes;
  const bool known = wend_read_changes(&w->map->journal, &w->cursor, &changes);
  uint32_t change;
  w->calls++;
  clear_left(w);
  if (w->live > 0 && (w->map->version != w->version || changes.at < changes.end)) { /* packing is no version */
    if (walls) look_around(w);
    if (!known || (w->grid != NULL && w->grid->all_touched > w->version)) look_at_all(w, walls);
    else if (w->heads_capacity > 0)
      while (wend_next_change(&changes, &change)) look_at_change(w, change, walls);
  }
  w->version = w->map->version;
  if (w->found_count > 0) qsort(w->found, w->found_count, sizeof *w->found, compare_affected);
  for (uint32_t i = 0; i < w->found_count; i++) {
    w->numbers[i] = w->found[i].number;
    w->paths[w->numbers[i]].marked = false;
  }
  *numbers = w->numbers;
  *count = w->found_count;
  w->found_count = 0;
}
