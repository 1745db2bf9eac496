/* SPDX-License-Identifier: MIT */
/* Labels of maps: reach.h describes them.
 *
 *   grids    A cell and the cells beside it that no wall separates from it are one component. With WEND_ALWAYS those at its corners
 *            are too. The other rules for diagonals add nothing: they allow a diagonal step only where two straight steps lead
 *            around the corner. Such steps work both ways, so one pass over the cells is enough (label_rows.c). Then steps that
 *            directed walls leave one way become passages between components. Then portals: two-way ones unite components, one-way
 *            ones become passages.
 *   graphs   Strong components (scc.h). One-way edges between them become passages.
 *
 * A start may be closed: it can be left, but not entered. Then the labels of the places that its steps lead to count. A closed
 * goal has no label.
 *
 * Edits of a grid. The journal tells where something has changed, not what. A batch of edits can be taken apart into
 *
 *   1  walls that were removed     united: all neighbours that are joined now
 *   2  walls that were added       nothing changes if the two cells stay connected among the nine cells around one of them
 *   3  cells that were closed      nothing changes if the open neighbours stay connected among the eight cells around it:
 *
 *        # . .     The cell c closes. Its open neighbours      # . .     Here the neighbour in the west is cut off from those
 *        # c .     in the north, east and south are            . c .     in the north and east, as far as these eight cells
 *        # . .     connected in the east.                      # # .     tell: the labels are not exact any more.
 *
 *   4  cells that were opened      they get the component of a neighbour, and unite it with those of the others
 *   5  portals                     new ones are added; after one closes, the labels are not exact any more
 *
 * Where directed walls leave a step one way, the labels are not exact after a change of walls, or after a cell there closes.
 *
 * Each part sees the walls as they are now, but only those cells as open that have a label: so 3 does not see the cells of 4. Only
 * if walls have changed at all since the labels were made are 1 and 2 needed.
 *
 * Edits of a graph. Nodes and edges that the journal names are read again, and their steps added. If a step may have closed, which
 * map->closings tells, the labels are not exact any more. */
#include "core/views/reach.h"

#include <string.h>

WEND_NO_FUSING

/* A cell is searched as fast as about this many are labelled, and so on. */
#define CELLS_PER_EXPANSION 64u
#define NODES_PER_EXPANSION 2u
/* Searches that together have cost this many times as much as labels do pay for them, whatever the last one has cost. */
#define WORTH 2u
/* A search is not interrupted before it has cost this much. */
#define PATIENCE_MIN 64u
/* How many components and passages edits may add: this many, and one for each 4 places. */
#define ADDED_MIN 64u
/* How many edges or portals one replay of a journal may read: this many, and all of them so often. */
#define REPLAYED_MIN 1024u
#define REPLAYS 2u

/* ---- Steps --------------------------------------------------------------------------------------------------- */

/* Whether a place can be entered. */
static bool is_cell_open(const wend_reach *r, const wend_grid *grid, const wend_region *region, uint32_t place) {
  const wend_cell cell = wend_region_get(region, grid, place);
  return cell.weight < INFINITY && !wend_tag_set_has(&r->closed, cell.tag);
}

/* Whether a step back from a neighbour is possible, if both are open; and steps both ways. */
static bool can_return(const wend_region *region, uint32_t place, int direction) {
  return wend_region_leads(region, (uint32_t)(place + wend_offset(region->stride, direction)), 7 - direction);
}
static bool is_joined(const wend_region *region, uint32_t place, int direction) {
  return wend_region_leads(region, place, direction) && (region->directed == NULL || can_return(region, place, direction));
}

/* Whether a portal can be taken, if its end is open. */
static bool is_portal_open(const wend_reach *r, const wend_portal *portal) {
  return !portal->removed && !wend_tag_set_has(&r->closed, portal->tag);
}

/* Whether an arc can be taken, if the node at its other end is open. */
static bool is_edge_open(const wend_reach *r, const wend_graph *graph, uint32_t arc) {
  return (graph->arc_flags[arc] & ARC_CLOSED) == 0 && !wend_tag_set_has(&r->closed, graph->arc_tag[arc]) &&
         !wend_arc_is_narrow(graph, arc, r->size);
}

/* ---- Making labels ------------------------------------------------------------------------------------------- */

/* The label of a place; WEND_NONE: it has none. */
static uint32_t label_of(const wend_reach *r, uint32_t place) {
  return r->labels != NULL ? r->labels[place] : wend_label_rows_get(&r->rows, place);
}

/* Adds a one-way passage between two places with labels. */
static bool link_places(wend_reach *r, const wend_alloc *alloc, uint32_t from, uint32_t to) {
  return wend_union_find_link(&r->unions, alloc, label_of(r, from), label_of(r, to));
}

/* Adds a portal whose ends have labels. */
static bool reach_portal(wend_reach *r, const wend_alloc *alloc, const wend_grid *grid, const wend_portal *portal) {
  const wend_portal *back = wend_grid_portal(grid, portal->to, portal->from);
  if (back == NULL || !is_portal_open(r, back)) return link_places(r, alloc, portal->from, portal->to);
  wend_union_find_unite(&r->unions, label_of(r, portal->from), label_of(r, portal->to));
  return true;
}

/* Adds the steps between a cell with a label and its neighbours with one. False: no memory. */
static bool join_neighbours(wend_reach *r, const wend_alloc *alloc, const wend_grid *grid, const wend_region *region,
                            uint32_t place) {
  for (int d = 0; d < 8; d++) {
    const uint32_t to = (uint32_t)(place + wend_offset(grid->stride, d));
    if ((wend_grid_ways(grid) >> d & 1) == 0 || label_of(r, to) == WEND_NONE || label_of(r, to) == label_of(r, place)) continue;
    if (is_joined(region, place, d)) wend_union_find_unite(&r->unions, label_of(r, place), label_of(r, to));
    else if (wend_region_leads(region, place, d) && !link_places(r, alloc, place, to)) return false;
    else if (region->directed != NULL && can_return(region, place, d) && !link_places(r, alloc, to, place)) return false;
  }
  return true;
}

/* Subtracts the work on so many cells from what is left. */
static void spend(uint64_t *left, uint32_t cells) {
  const uint64_t work = cells / CELLS_PER_EXPANSION + 1;
  *left -= work < *left ? work : *left;
}

static bool is_cell_open_for(const void *r, const wend_grid *grid, const wend_region *region, uint32_t place) {
  return is_cell_open(r, grid, region, place);
}

/* Labels the rows from r->at on, some at a time. False: no memory. */
static bool number_cells(wend_reach *r, const wend_alloc *alloc, const wend_grid *grid, uint64_t *left) {
  const wend_label_rule rule = {grid, wend_grid_ways(grid), is_cell_open_for, is_joined, r};
  while (r->at <= grid->height && *left > 0) {
    const uint64_t rows = *left / (grid->width / CELLS_PER_EXPANSION + 1), more = grid->height - r->at;
    const uint32_t end = r->at + 1 + (uint32_t)(rows < more ? rows : more);
    if (!wend_label_rows_add(&r->rows, alloc, &rule, r->at, end, &r->unions)) return false;
    for (; r->at < end; r->at++) spend(left, grid->width);
  }
  return true;
}

/* Adds the steps that directed walls leave one way, and the portals. False: no memory. */
static bool join_cells(wend_reach *r, const wend_alloc *alloc, const wend_grid *grid) {
  const wend_region region = wend_grid_region(grid);
  for (uint32_t place = 0; grid->directed_count > 0 && place < grid->place_count; place++)
    if (label_of(r, place) != WEND_NONE && grid->directed[place] != 0 && !join_neighbours(r, alloc, grid, &region, place))
      return false;
  for (uint32_t i = 0; i < grid->portal_count; i++) {
    const wend_portal *portal = &grid->out[i];
    if (!is_portal_open(r, portal) || label_of(r, portal->from) == WEND_NONE || label_of(r, portal->to) == WEND_NONE) continue;
    if (!reach_portal(r, alloc, grid, portal)) return false;
  }
  return true;
}

/* The parts of making labels of a grid, and of a graph. r->at is where the current part goes on. */
enum { NO_PART, NUMBER_CELLS, FIND_SCCS, ADD_SETS, LINK_NODES };

/* Continues to make the labels of a grid. False: no memory. */
static bool label_cells(wend_reach *r, const wend_alloc *alloc, const wend_grid *grid, uint64_t *left) {
  if (!number_cells(r, alloc, grid, left)) return false;
  if (r->at <= grid->height) return true;
  wend_label_rows_end(&r->rows, alloc);
  r->part = NO_PART;
  return join_cells(r, alloc, grid);
}

/* Whether a node can be entered. */
static bool is_node_open(const wend_tag_set *closed, const wend_graph *graph, uint32_t place) {
  const uint32_t tag = wend_graph_tag_at(graph, place);
  return wend_place_is_open(graph, place) && (tag == WEND_UNTAGGED || !wend_tag_set_has(closed, tag));
}

/* A graph whose components are found. */
typedef struct labelling {
  const wend_graph *graph;
  const wend_tag_set *closed;
  double size;
} labelling;

static bool has_open_node(const void *of, uint32_t place) {
  return is_node_open(((const labelling *)of)->closed, ((const labelling *)of)->graph, place);
}

static uint32_t next_open_node(const void *of, uint32_t place, uint32_t *at) {
  const labelling *l = of;
  const wend_graph *graph = l->graph;
  const uint32_t first = graph->out[place].first, end = graph->out[place].end;
  while (*at < end - first) {
    const uint32_t arc = first + (*at)++;
    if (!wend_is_blocked(graph->arc_weight[arc]) && !wend_tag_set_has(l->closed, graph->arc_tag[arc]) &&
        !wend_arc_is_narrow(graph, arc, l->size) && is_node_open(l->closed, graph, graph->arc_to[arc]))
      return graph->arc_to[arc];
  }
  return WEND_NONE;
}

/* Continues to make the labels of a synced graph. False: no memory. */
static bool label_nodes(wend_reach *r, const wend_alloc *alloc, const wend_graph *graph, uint64_t *left) {
  if (r->part == FIND_SCCS) {
    const labelling of = {graph, &r->closed, r->size};
    if (!wend_sccs_continue(&r->sccs, &of, r->place_count, has_open_node, next_open_node, r->labels, left)) return true;
    r->roots = r->sccs.count;
    wend_sccs_free(&r->sccs, alloc);
    r->part = ADD_SETS;
  }
  for (; r->part == ADD_SETS && *left > 0; spend(left, 4096)) {
    const uint32_t more = r->roots - r->unions.count < 4096 ? r->roots - r->unions.count : 4096;
    if (wend_union_find_add(&r->unions, alloc, more) == WEND_NONE) return false;
    if (r->unions.count == r->roots) r->part = LINK_NODES, r->at = 0;
  }
  for (; r->part == LINK_NODES; r->at++) { /* the one-way edges */
    const uint32_t place = r->at;
    if (place == graph->place_count) {
      r->part = NO_PART;
      break;
    }
    if (place % 64 == 0) {
      if (*left == 0) return true;
      spend(left, 64);
    }
    if (r->labels[place] == WEND_NONE) continue;
    for (uint32_t arc = graph->out[place].first; arc < graph->in[place].first; arc++) {
      const uint32_t to = graph->arc_to[arc];
      if (r->labels[to] == WEND_NONE || r->labels[to] == r->labels[place] || !is_edge_open(r, graph, arc)) continue;
      if (!link_places(r, alloc, place, to)) return false;
    }
  }
  return true;
}

enum { LABELS = 1, CLOSED_TAGS = 2 }; /* what an array is for */
static const wend_array reach_rows[] = {WEND_ARRAY(wend_reach, labels, labels_capacity, LABELS),
                                        WEND_ARRAY(wend_reach, closed.words, closed.capacity, CLOSED_TAGS)};
static const wend_arrays reach_arrays = WEND_ARRAYS(reach_rows);

/* Drops the labels, and frees their memory. */
static void drop_labels(wend_reach *r, const wend_alloc *alloc) {
  wend_arrays_free(reach_arrays, LABELS, alloc, r);
  wend_union_find_free(&r->unions, alloc);
  wend_sccs_free(&r->sccs, alloc);
  wend_label_rows_free(&r->rows, alloc);
  r->labelled = r->due = false;
  r->part = NO_PART;
  r->work = r->spare = 0;
}

static uint32_t places_of(const wend_map *map) {
  return map->is_grid ? ((const wend_grid *)map)->place_count : ((const wend_graph *)map)->place_count;
}

/* Notes that the labels are those of the map as it is now. */
static void set_date(wend_reach *r, const wend_map *map) {
  r->cursor = map->journal.end;
  r->version = map->version;
  r->closings = map->closings;
}

/* Begins to make the labels of a map. False: no memory. */
static bool begin_labels(wend_reach *r, const wend_alloc *alloc, const wend_map *map) {
  const wend_grid *grid = (const wend_grid *)map;
  r->place_count = places_of(map);
  r->work = r->spare = 0;
  r->labelled = r->due = false;
  wend_union_find_clear(&r->unions);
  set_date(r, map);
  if (!map->is_grid) {
    r->part = FIND_SCCS;
    return WEND_GROW(alloc, r->labels, r->labels_capacity, (uint64_t)r->place_count + 1) &&
           wend_sccs_begin(&r->sccs, alloc, r->place_count);
  }
  r->part = NUMBER_CELLS, r->at = 1;
  if (!wend_label_rows_begin(&r->rows, alloc, grid)) return false;
  for (uint32_t k = 0; grid->kinds != NULL && k < grid->kind_count; k++)
    r->rows.closed[k] = !(grid->palette[k].weight < INFINITY) || wend_tag_set_has(&r->closed, grid->palette[k].tag);
  return true;
}

/* Makes the labels of a map, or continues to make them. *left: the work that may be done. Without memory, or when the map has
 * changed meanwhile, there are none. False: they are not finished. */
static bool make_labels(wend_reach *r, const wend_alloc *alloc, const wend_map *map, uint64_t *left) {
  const uint32_t added = places_of(map) / 4 + ADDED_MIN;
  bool done = r->part != NO_PART ? r->version == map->version : begin_labels(r, alloc, map);
  if (done)
    done = map->is_grid ? label_cells(r, alloc, (const wend_grid *)map, left)
                        : label_nodes(r, alloc, (const wend_graph *)map, left);
  if (done && r->part != NO_PART) return false;
  if (!done || r->unions.count > WEND_NONE / 2 || r->unions.way_count > WEND_NONE / 2) {
    drop_labels(r, alloc);
    return true;
  }
  r->components_max = r->unions.count + added;
  r->ways_max = r->unions.way_count + added;
  r->labelled = r->exact = r->known = true;
  return true;
}

/* ---- Edits of grids ------------------------------------------------------------------------------------------ */

/* The cells around a cell, clockwise, and the direction from each to the next. */
static const int around[8] = {NORTH, NORTH_EAST, EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, WEST, NORTH_WEST};
static const int onward[8] = {EAST, SOUTH, SOUTH, WEST, WEST, NORTH, NORTH, EAST};
/* Of the four cells beside it: the direction to the next of these, for WEND_ALWAYS. */
static const int across[8] = {SOUTH_EAST, 0, SOUTH_WEST, 0, NORTH_WEST, 0, NORTH_EAST, 0};

/* Gives everything that has one number another one. */
static void merge_sets(uint8_t *sets, uint8_t from, uint8_t to) {
  for (int i = 0; i < 9; i++)
    if (sets[i] == from) sets[i] = to;
}

/* Writes to sets[i], for the cells around a place and in sets[8] for itself, numbers that are equal for cells that are connected
 * among them; 0xff: no label. centre: steps through the place itself count. */
static void connect_ring(const wend_reach *r, const wend_grid *grid, const wend_region *region, uint32_t place, bool centre,
                         uint8_t *sets) {
  const bool always = grid->diagonals == WEND_ALWAYS;
  const unsigned ways = wend_grid_ways(grid);
  uint32_t ring[8];
  for (int i = 0; i < 8; i++) {
    ring[i] = (uint32_t)(place + wend_offset(grid->stride, around[i]));
    sets[i] = label_of(r, ring[i]) != WEND_NONE ? (uint8_t)i : 0xff;
  }
  sets[8] = 8;
  for (int i = 0; i < 8; i++) {
    const int next = (i + 1) % 8, after = (i + 2) % 8;
    if (sets[i] == 0xff) continue;
    if (sets[next] != 0xff && is_joined(region, ring[i], onward[i])) merge_sets(sets, sets[next], sets[i]);
    if (always && i % 2 == 0 && sets[after] != 0xff && is_joined(region, ring[i], across[i]))
      merge_sets(sets, sets[after], sets[i]);
    if (centre && (ways >> around[i] & 1) != 0 && is_joined(region, place, around[i])) merge_sets(sets, sets[i], sets[8]);
  }
}

/* Whether the neighbours of a cell that closes stay connected around it. */
static bool stays_connected(const wend_reach *r, const wend_grid *grid, const wend_region *region, uint32_t place) {
  const unsigned ways = wend_grid_ways(grid);
  uint8_t sets[9], set = 0xff;
  connect_ring(r, grid, region, place, false, sets);
  for (int i = 0; i < 8; i++) {
    if (sets[i] == 0xff || (ways >> around[i] & 1) == 0 || !is_joined(region, place, around[i])) continue;
    if (set != 0xff && set != sets[i]) return false;
    set = sets[i];
  }
  return true;
}

/* Parts 1 and 2 at a cell with a label. False: no memory. */
static bool replay_walls(wend_reach *r, const wend_alloc *alloc, const wend_grid *grid, const wend_region *region,
                         uint32_t place) {
  const unsigned ways = wend_grid_ways(grid);
  uint8_t sets[9];
  if (!join_neighbours(r, alloc, grid, region, place)) return false;
  r->exact = r->exact && grid->directed == NULL;
  if (!r->exact) return true;
  connect_ring(r, grid, region, place, true, sets);
  for (int i = 0; i < 8; i++)
    if ((ways >> around[i] & 1) != 0 && sets[i] != 0xff && sets[i] != sets[8]) r->exact = false;
  return true;
}

/* Whether a step between a place and a neighbour leads one way. */
static bool is_one_way_at(const wend_grid *grid, const wend_region *region, uint32_t place) {
  for (int d = 0; d < 8 && grid->directed != NULL; d++)
    if ((wend_grid_ways(grid) >> d & 1) != 0 && wend_region_has(region, (uint32_t)(place + wend_offset(grid->stride, d))) &&
        wend_region_leads(region, place, d) != can_return(region, place, d))
      return true;
  return false;
}

/* Part 3: the cell has a label, and is closed now. */
static void replay_closing(wend_reach *r, const wend_grid *grid, const wend_region *region, uint32_t place) {
  uint32_t out, in;
  if (r->exact && grid->portal_count > 0) {
    (void)wend_grid_portals(grid, place, false, &out);
    (void)wend_grid_portals(grid, place, true, &in);
    if (out + in > 0) r->exact = false;
  }
  if (r->exact && (is_one_way_at(grid, region, place) || !stays_connected(r, grid, region, place))) r->exact = false;
  (void)wend_label_rows_set(&r->rows, NULL, place, WEND_NONE);
}

/* Part 4: the cell has no label, and is open now. False: no memory. */
static bool replay_opening(wend_reach *r, const wend_alloc *alloc, const wend_grid *grid, const wend_region *region,
                           uint32_t place) {
  uint32_t label = WEND_NONE;
  for (int d = 0; d < 8 && label == WEND_NONE; d++)
    if ((wend_grid_ways(grid) >> d & 1) != 0 && is_joined(region, place, d))
      label = label_of(r, place + wend_offset(grid->stride, d));
  if (label == WEND_NONE) label = wend_union_find_add(&r->unions, alloc, 1);
  return label != WEND_NONE && wend_label_rows_set(&r->rows, alloc, place, label) &&
         join_neighbours(r, alloc, grid, region, place);
}

/* Part 5, for the portals that leave a place, or lead to it. *left: how many more portals may be read. False: no memory, or too
 * many portals. */
static bool replay_portals(wend_reach *r, const wend_alloc *alloc, const wend_grid *grid, uint32_t place, uint64_t *left) {
  for (int back = 0; back < 2; back++) {
    uint32_t count;
    const wend_portal *portals = wend_grid_portals(grid, place, back != 0, &count);
    if (count > *left) return false;
    *left -= count;
    for (uint32_t i = 0; i < count; i++) {
      if (!is_portal_open(r, &portals[i])) {
        if (portals[i].changed > r->version) r->exact = false;
      } else if (label_of(r, portals[i].from) != WEND_NONE && label_of(r, portals[i].to) != WEND_NONE) {
        if (!reach_portal(r, alloc, grid, &portals[i])) return false;
      }
    }
  }
  return true;
}

/* Replays changes. False: no memory, or more work than making labels: they may name a cell with many portals once for each of
 * them. */
static bool replay_cells(wend_reach *r, const wend_alloc *alloc, const wend_grid *grid, wend_changes changes) {
  uint64_t left = REPLAYED_MIN + (uint64_t)grid->portal_count * REPLAYS;
  const wend_region region = wend_grid_region(grid);
  uint32_t place;
  if (grid->walls_changed > r->version)
    for (wend_changes c = changes; wend_next_change(&c, &place);)
      if (label_of(r, place) != WEND_NONE && !replay_walls(r, alloc, grid, &region, place)) return false;
  for (wend_changes c = changes; wend_next_change(&c, &place);)
    if (label_of(r, place) != WEND_NONE && !is_cell_open(r, grid, &region, place)) replay_closing(r, grid, &region, place);
  for (wend_changes c = changes; wend_next_change(&c, &place);)
    if (label_of(r, place) == WEND_NONE && is_cell_open(r, grid, &region, place) &&
        !replay_opening(r, alloc, grid, &region, place))
      return false;
  if (grid->portal_count > 0)
    for (wend_changes c = changes; wend_next_change(&c, &place);)
      if (!replay_portals(r, alloc, grid, place, &left)) return false;
  return true;
}

/* ---- Edits of graphs ----------------------------------------------------------------------------------------- */

/* Gives a node the label that it should have: none if it is closed, and otherwise a component. False: no memory. */
static bool replay_node_label(wend_reach *r, const wend_alloc *alloc, const wend_graph *graph, uint32_t place) {
  const bool open = is_node_open(&r->closed, graph, place);
  if (open == (r->labels[place] != WEND_NONE)) return true;
  if (!open) r->exact = false;
  r->labels[place] = open ? wend_union_find_add(&r->unions, alloc, 1) : WEND_NONE;
  return !open || r->labels[place] != WEND_NONE;
}

/* Adds all steps at a place. *left: how many more edges may be read. False: no memory, or too many edges. */
static bool replay_edges(wend_reach *r, const wend_alloc *alloc, const wend_graph *graph, uint32_t place, uint64_t *left) {
  const wend_block block = wend_graph_block(graph, place);
  if (r->labels[place] == WEND_NONE) return true;
  if (block.end - block.first > *left) return false;
  *left -= block.end - block.first;
  for (uint32_t arc = block.first; arc < block.end; arc++) {
    const uint32_t to = graph->arc_to[arc];
    bool done = true;
    if (r->labels[to] == WEND_NONE || !is_edge_open(r, graph, arc)) continue;
    switch (wend_block_section(block, arc)) {
      case SECTION_OUT: done = link_places(r, alloc, place, to); break;
      case SECTION_IN: done = link_places(r, alloc, to, place); break;
      case SECTION_BOTH: wend_union_find_unite(&r->unions, r->labels[place], r->labels[to]); break;
    }
    if (!done) return false;
  }
  return true;
}

/* Replays changes, after new nodes have got labels. False: no memory, or more work than making labels: they may name a node with
 * many edges once for each of them. */
static bool replay_nodes(wend_reach *r, const wend_alloc *alloc, const wend_graph *graph, wend_changes changes) {
  uint32_t change;
  uint64_t left = REPLAYED_MIN + (uint64_t)graph->arcs_used * REPLAYS;
  if (!WEND_GROW(alloc, r->labels, r->labels_capacity, (uint64_t)graph->place_count + 1)) return false;
  for (; r->place_count < graph->place_count; r->place_count++) {
    r->labels[r->place_count] = WEND_NONE;
    if (!replay_node_label(r, alloc, graph, r->place_count)) return false;
  }
  if (graph->map.closings != r->closings) r->exact = false;
  for (wend_changes c = changes; wend_next_change(&c, &change);)
    if (!replay_node_label(r, alloc, graph, change & ~CHANGED_NODE)) return false;
  for (wend_changes c = changes; wend_next_change(&c, &change);)
    if (!replay_edges(r, alloc, graph, change & ~CHANGED_NODE, &left)) return false;
  return true;
}

/* ---- The cache ----------------------------------------------------------------------------------------------- */

/* Whether labels are made, or being made, of a later version of a map. They are of no use for this one. */
static bool is_later(const wend_reach *r, const wend_map *map) {
  return (r->labelled || r->part != NO_PART) && r->version > map->version;
}

/* Brings the labels up to date. The graph is synced. False: there are no labels. */
static bool follow_map(wend_reach *r, const wend_alloc *alloc, const wend_map *map) {
  wend_changes changes;
  bool done;
  if (!r->labelled || is_later(r, map)) return false;
  if (r->cursor == map->journal.end && r->place_count == places_of(map)) return true;
  done = wend_read_changes_of(map, &r->cursor, &changes) && r->place_count <= places_of(map) &&
         (map->is_grid ? replay_cells(r, alloc, (const wend_grid *)map, changes)
                       : replay_nodes(r, alloc, (const wend_graph *)map, changes)) &&
         r->unions.count <= r->components_max && r->unions.way_count <= r->ways_max;
  if (!done) {
    drop_labels(r, alloc);
    return false;
  }
  set_date(r, map);
  return true;
}

/* How many tags the costs tell apart. */
static uint32_t tags_of(const wend_map *map, const wend_costs *costs) {
  return costs->tags == NULL ? 0 : wend_map_tag_count(map) + 1;
}

/* Whether the edge function may open the price of some tag. */
static bool may_open(const wend_costs *costs, uint32_t tags) {
  for (uint32_t tag = 0; tag < tags && costs->edge != NULL; tag++)
    if (costs->tags[tag].asks && !(costs->tags[tag].at_least > 0)) return true;
  return false;
}

/* How many tags labels may count as closed. A step onto a node with a tag has two. If the function is asked because of one, it may
 * open the other: then all count as open. */
static uint32_t closable_tags(const wend_map *map, const wend_costs *costs) {
  const uint32_t tags = tags_of(map, costs);
  return map->is_grid || !wend_has_node_costs((const wend_graph *)map, costs) || !may_open(costs, tags) ? tags : 0;
}

/* The size of the agent, if it decides which steps there are. */
static double size_that_counts(const wend_map *map, const wend_costs *costs) {
  return !map->is_grid && ((const wend_graph *)map)->width != NULL ? costs->size : 0;
}

/* Whether labels are of a map and an agent. tags: that can be closed. */
static bool is_for(const wend_reach *r, const wend_map *map, const wend_costs *costs, uint32_t tags) {
  const wend_cost_kind kind = wend_cost_kind_of(costs);
  if (r->serial != map->serial || r->size != size_that_counts(map, costs)) return false;
  for (uint32_t tag = 0; tag < tags; tag++)
    if (wend_tag_is_open(kind, costs->tags, tag) == wend_tag_set_has(&r->closed, tag)) return false;
  for (uint32_t word = (tags + 63) / 64; word < r->closed.count; word++)
    if (r->closed.words[word] != 0) return false;
  return tags % 64 == 0 || tags / 64 >= r->closed.count || r->closed.words[tags / 64] >> tags % 64 == 0;
}

static wend_reach *find_reach(wend_reaches *reaches, const wend_map *map, const wend_costs *costs) {
  const uint32_t tags = closable_tags(map, costs);
  for (uint32_t i = 0; i < reaches->capacity; i++)
    if (is_for(&reaches->at[i], map, costs, tags)) return &reaches->at[i];
  return NULL;
}

static void release_reach(wend_reach *r, const wend_alloc *alloc) {
  drop_labels(r, alloc);
  wend_arrays_free(reach_arrays, CLOSED_TAGS, alloc, r);
  memset(r, 0, sizeof *r);
}

/* Notes that labels, or what is known for making them, were used. */
static void use_reach(wend_reaches *reaches, wend_reach *r) {
  r->used = ++reaches->clock;
  if (r->credit < WEND_REACH_CREDIT_MAX) r->credit++;
}

/* New ones for a map and an agent, without labels. NULL: no memory, or no room. */
static wend_reach *new_reach(wend_reaches *reaches, const wend_alloc *alloc, const wend_map *map, const wend_costs *costs) {
  const uint32_t tags = closable_tags(map, costs);
  const wend_cost_kind kind = wend_cost_kind_of(costs);
  wend_reach *r;
  if (reaches->at == NULL) {
    if (!WEND_RESIZE(alloc, reaches->at, reaches->capacity, WEND_REACHES_MAX)) return NULL;
    memset(reaches->at, 0, WEND_REACHES_MAX * sizeof *reaches->at);
  }
  r = &reaches->at[0];
  for (uint32_t i = 1; i < reaches->capacity; i++)
    if (reaches->at[i].used < r->used) r = &reaches->at[i];
  if (r->credit > 0) {
    r->credit--;
    r->used = ++reaches->clock; /* the next agent asks the next one */
    return NULL;
  }
  release_reach(r, alloc);
  if (!WEND_RESIZE(alloc, r->closed.words, r->closed.capacity, (tags + 63) / 64)) return NULL;
  r->closed.count = (tags + 63) / 64;
  for (uint32_t word = 0; word < r->closed.count; word++) r->closed.words[word] = 0;
  for (uint32_t tag = 0; tag < tags; tag++)
    if (!wend_tag_is_open(kind, costs->tags, tag)) r->closed.words[tag / 64] |= (uint64_t)1 << tag % 64;
  r->serial = map->serial;
  r->size = size_that_counts(map, costs);
  return r;
}

void wend_reaches_free(wend_reaches *reaches, const wend_alloc *alloc) {
  for (uint32_t i = 0; i < reaches->capacity; i++) release_reach(&reaches->at[i], alloc);
  WEND_FREE(alloc, reaches->at, reaches->capacity);
  memset(reaches, 0, sizeof *reaches);
}

void wend_reaches_forget(wend_reaches *reaches, const wend_alloc *alloc, const wend_map *map) {
  for (uint32_t i = 0; i < reaches->capacity; i++)
    if (reaches->at[i].serial == map->serial) release_reach(&reaches->at[i], alloc);
}

size_t wend_reaches_bytes(const wend_reaches *reaches) {
  size_t bytes = reaches->capacity * sizeof *reaches->at;
  for (uint32_t i = 0; i < reaches->capacity; i++) {
    const wend_reach *r = &reaches->at[i];
    bytes += wend_arrays_bytes(reach_arrays, LABELS | CLOSED_TAGS, r) + wend_union_find_bytes(&r->unions) +
             r->sccs.capacity * 5 * sizeof *r->sccs.order + wend_label_rows_bytes(&r->rows);
  }
  return bytes;
}

/* ---- Asking -------------------------------------------------------------------------------------------------- */

/* The place of a node or cell. */
static uint32_t place_asked(const wend_map *map, wend_id id) {
  if (map->is_grid) {
    const wend_grid *grid = (const wend_grid *)map;
    const wend_region region = wend_grid_region(grid);
    return wend_region_find(&region, grid, id);
  } else {
    const wend_graph *graph = (const wend_graph *)map;
    return graph->nodes.value[wend_slots_find(&graph->nodes, id)];
  }
}

/* Whether a component leads to any of the goals. *unsure: set if this is not known. */
static bool leads(wend_reach *r, const wend_alloc *alloc, uint32_t component, const wend_map *map, const wend_end *goals,
                  uint32_t count, bool sure, bool *unsure) {
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t label = label_of(r, place_asked(map, goals[i].at));
    uint64_t all = UINT64_MAX;
    int known;
    if (label == WEND_NONE) continue;
    known = wend_union_find_leads(&r->unions, alloc, component, label, sure ? &all : &r->spare);
    if (known > 0) return true;
    if (known < 0) *unsure = true;
  }
  return false;
}

/* What a start that is closed leads to: all its steps. */
static bool leads_out(wend_reach *r, const wend_alloc *alloc, uint32_t place, const wend_map *map, const wend_end *goals,
                      uint32_t count, bool sure, bool *unsure) {
  if (map->is_grid) {
    const wend_grid *grid = (const wend_grid *)map;
    const wend_region region = wend_grid_region(grid);
    uint32_t portal_count;
    const wend_portal *portals = wend_grid_portals(grid, place, false, &portal_count);
    for (int d = 0; d < 8; d++) {
      const uint32_t there = label_of(r, place + wend_offset(grid->stride, d));
      if ((wend_grid_ways(grid) >> d & 1) == 0 || there == WEND_NONE || !wend_region_leads(&region, place, d)) continue;
      if (leads(r, alloc, there, map, goals, count, sure, unsure)) return true;
    }
    for (uint32_t i = 0; i < portal_count; i++) {
      const uint32_t there = label_of(r, portals[i].to);
      if (there == WEND_NONE || !is_portal_open(r, &portals[i])) continue;
      if (leads(r, alloc, there, map, goals, count, sure, unsure)) return true;
    }
  } else {
    const wend_graph *graph = (const wend_graph *)map;
    for (uint32_t arc = graph->out[place].first; arc < graph->out[place].end; arc++) {
      const uint32_t there = label_of(r, graph->arc_to[arc]);
      if (there == WEND_NONE || !is_edge_open(r, graph, arc)) continue;
      if (leads(r, alloc, there, map, goals, count, sure, unsure)) return true;
    }
  }
  return false;
}

/* No weight of a map may be more than this, and no factor and no addition of an agent more than the other, if sums of 2^32 costs
 * shall not overflow. The first is the least weight of the last scale: see map.h. */
#define WEIGHT_MAX 9223372036854775808.0
#define FACTOR_MAX 1e100

/* Whether no weight of a map is large. */
static bool is_calm(wend_reach *r, const wend_map *map) {
  const wend_grid *grid = (const wend_grid *)map;
  if (r->calm_version == map->version && map->version > 0) return r->calm;
  r->calm_version = map->version;
  r->calm = map->scales.count[WEND_SCALES - 1] == 0;
  for (uint32_t k = KIND_FIRST; map->is_grid && grid->kinds != NULL && k < grid->kind_count && r->calm; k++)
    r->calm = grid->palette[k].count == 0 || grid->palette[k].weight == INFINITY || grid->palette[k].weight < WEIGHT_MAX;
  for (uint32_t i = 0; map->is_grid && i < grid->portal_count && r->calm; i++)
    r->calm = grid->out[i].removed || grid->out[i].weight < WEIGHT_MAX;
  return r->calm;
}

/* Whether the steps of the labels are exactly the steps that the agent can take. */
static bool is_certain(wend_reach *r, const wend_map *map, const wend_costs *costs) {
  const uint32_t tags = tags_of(map, costs);
  if (!r->exact || !is_calm(r, map)) return false;
  if (map->is_grid && (wend_body_size(costs) > 1 || ((const wend_grid *)map)->fit != NULL)) return false;
  for (uint32_t tag = 0; tag < tags; tag++) {
    const wend_tag_cost *cost = &costs->tags[tag];
    if (costs->edge != NULL && cost->asks) return false;
    if (cost->plus < INFINITY && !(cost->times <= FACTOR_MAX && cost->plus <= FACTOR_MAX)) return false;
  }
  return true;
}

/* Whether a body may take a step from a start that its own cell alone could not: where it does not fit, it may leave a wall behind
 * that is between cells it covers. */
static bool may_cross(const wend_map *map, const wend_costs *costs, uint32_t place) {
  const wend_grid *grid = (const wend_grid *)map;
  wend_stepper stepper;
  bool sure;
  if (!map->is_grid || wend_body_size(costs) == 1 || grid->wall_count == 0) return false;
  stepper = wend_grid_stepper(grid, costs);
  return !wend_body_enters(&stepper, place, &sure);
}

wend_reach_answer wend_reach_ask(wend_reaches *reaches, const wend_alloc *alloc, wend_map *map, const wend_costs *costs,
                                 const wend_end *starts, uint32_t start_count, const wend_end *goals, uint32_t goal_count,
                                 bool sure) {
  wend_reach *r = find_reach(reaches, map, costs);
  bool unsure = false, found = false;
  if (r == NULL || !r->labelled) return REACH_UNKNOWN;
  if (!map->is_grid && wend_graph_sync((wend_graph *)map) != WEND_OK) return REACH_UNKNOWN;
  if (!follow_map(r, alloc, map)) return REACH_UNKNOWN;
  use_reach(reaches, r);
  for (uint32_t i = 0; i < start_count && !found; i++) {
    const uint32_t place = place_asked(map, starts[i].at);
    for (uint32_t k = 0; k < goal_count; k++)
      if (goals[k].at == starts[i].at) return sure ? REACH_YES : REACH_UNKNOWN;
    if (may_cross(map, costs, place)) return REACH_UNKNOWN;
    found = label_of(r, place) != WEND_NONE ? leads(r, alloc, label_of(r, place), map, goals, goal_count, sure, &unsure)
                                            : leads_out(r, alloc, place, map, goals, goal_count, sure, &unsure);
  }
  if (!found) return unsure ? REACH_UNKNOWN : REACH_NO;
  return sure && is_certain(r, map, costs) ? REACH_YES : REACH_UNKNOWN;
}

bool wend_reach_knows(wend_reaches *reaches, const wend_alloc *alloc, wend_map *map, const wend_costs *costs) {
  wend_reach *r = find_reach(reaches, map, costs);
  if (r == NULL || !r->labelled) return false;
  if (!map->is_grid && wend_graph_sync((wend_graph *)map) != WEND_OK) return false;
  return follow_map(r, alloc, map) && is_certain(r, map, costs);
}

/* What it costs to make labels, in expansions. */
static uint64_t cost_of_labels(const wend_map *map) {
  return places_of(map) / (map->is_grid ? CELLS_PER_EXPANSION : NODES_PER_EXPANSION);
}

uint64_t wend_reach_patience(wend_reaches *reaches, const wend_map *map, const wend_costs *costs, bool fresh) {
  const wend_reach *r = find_reach(reaches, map, costs);
  const bool wanted = r != NULL && r->labelled ? !r->exact : fresh;
  const uint64_t cost = cost_of_labels(map);
  if (r != NULL && is_later(r, map)) return UINT64_MAX;
  if (r != NULL && !r->labelled && (r->due || r->part != NO_PART)) return 0;
  return wanted || (map->is_grid && (r == NULL || !r->known)) ? cost + PATIENCE_MIN : UINT64_MAX;
}

bool wend_reach_is_open(const wend_grid *grid, const wend_costs *costs) {
  const wend_cost_kind kind = wend_cost_kind_of(costs);
  if (grid->kinds == NULL || grid->wall_count != wend_lacking_count(grid)) return false;
  for (uint32_t k = KIND_FIRST; k < grid->kind_count; k++) {
    const wend_kind *at = &grid->palette[k];
    if (at->count > 0 && !(at->weight < INFINITY && (costs->tags == NULL || wend_tag_is_open(kind, costs->tags, at->tag))))
      return false;
  }
  return true;
}

bool wend_reach_is_exact(wend_reaches *reaches, const wend_alloc *alloc, const wend_map *map, const wend_costs *costs) {
  wend_reach *r = find_reach(reaches, map, costs);
  return r != NULL && follow_map(r, alloc, map) && r->exact;
}

bool wend_reach_relabel(wend_reaches *reaches, const wend_alloc *alloc, const wend_map *map, const wend_costs *costs,
                        uint64_t *left) {
  wend_reach *r = find_reach(reaches, map, costs);
  if (r == NULL) r = new_reach(reaches, alloc, map, costs);
  if (r == NULL || is_later(r, map)) return true;
  use_reach(reaches, r);
  if (follow_map(r, alloc, map) && r->exact) return true; /* another search has made them meanwhile */
  if (!make_labels(r, alloc, map, left)) return false;
  reaches->made++;
  return true;
}

void wend_reach_learn(wend_reaches *reaches, const wend_alloc *alloc, const wend_map *map, const wend_costs *costs,
                      uint64_t work, uint64_t left) {
  const uint64_t cost = cost_of_labels(map);
  uint64_t all = UINT64_MAX;
  wend_reach *r;
  r = find_reach(reaches, map, costs);
  if (r == NULL) r = new_reach(reaches, alloc, map, costs);
  if (r == NULL || is_later(r, map)) return;
  use_reach(reaches, r);
  if (r->part != NO_PART) return; /* others make them */
  if (follow_map(r, alloc, map) && r->exact) {
    r->spare += work;
    return;
  }
  r->work += work;
  if (work < cost && r->work / WORTH < cost) return;
  if (left < cost) r->due = true;
  else if (make_labels(r, alloc, map, &all)) reaches->made++;
}
