/* SPDX-License-Identifier: MIT */
/* Route tables: making and lookup. route_table.h describes their data, codec/route_table.c their files.
 *
 *   1  find columns    for each target a flood back from it: the edge that each node takes        make_rows, add_column
 *   2  add runs        they are appended to the rows, which are lists of runs                     add_run
 *   3  number moves    the edges of each row become the moves 0, 1, ...                           number_moves
 *   4  pack            the rows become bits and bytes                                             pack_rows
 *   5  weigh           for each move the node that it leads to, and its cost                      weigh_moves
 *
 * An example of 2, for the row of node 4 in route_table.h. Targets 0 to 2 have e7: the run (0, e7). Target 3 has e2: the run
 * (3, e2). Target 4 is the node itself, which any run may include. Targets 5 and 6 have e2 and continue the run. Target 7
 * begins (7, e7). After 3 the runs are (0, 0), (3, 1) and (7, 0). */
#include "core/query/route_table.h"

#include <assert.h>
#include <math.h>

#include "core/base/bits.h"
#include "core/pathfinder/flood.h"

WEND_NO_FUSING

/* The progress is told after so many columns. */
#define PROGRESS_COLUMNS 64u

wend_route_table *wend_route_table_create(const wend_alloc *alloc) { return wend_new(alloc, sizeof(wend_route_table)); }

/* Frees what is needed only while a table is made. */
static void free_making(wend_route_table *t) {
  for (uint32_t i = 0; i < t->rows_made_capacity; i++) WEND_FREE(&t->alloc, t->rows[i].runs, t->rows[i].capacity);
  WEND_FREE(&t->alloc, t->rows, t->rows_made_capacity);
  t->rows = NULL, t->rows_made_capacity = 0;
}

static const wend_array route_table_rows[] = {
    WEND_ARRAY(wend_route_table, nodes, nodes_capacity, 1),
    WEND_ARRAY(wend_route_table, number_of, number_capacity, 1),
    WEND_ARRAY(wend_route_table, first_move, first_move_capacity, 1),
    WEND_ARRAY(wend_route_table, starts, starts_capacity, 1),
    WEND_ARRAY(wend_route_table, before, starts_capacity, 1),
    WEND_ARRAY(wend_route_table, moves, moves_capacity, 1),
    WEND_ARRAY(wend_route_table, edges, edges_capacity, 1),
    WEND_ARRAY(wend_route_table, nexts, nexts_capacity, 1),
    WEND_ARRAY(wend_route_table, costs, costs_capacity, 1),
};
static const wend_arrays route_table_arrays = WEND_ARRAYS(route_table_rows);

void wend_route_table_destroy(wend_route_table *t) {
  if (t == NULL) return;
  free_making(t);
  wend_arrays_free(route_table_arrays, 1, &t->alloc, t);
  wend_delete(t, sizeof *t);
}

size_t wend_route_table_bytes(const wend_route_table *t) { return sizeof *t + wend_arrays_bytes(route_table_arrays, 1, t); }

uint64_t wend_route_table_version(const wend_route_table *t) { return t->version; }

/* ---- Making ------------------------------------------------------------------------------------------------ */

bool wend_route_table_number_nodes(wend_route_table *t, const wend_graph *graph) {
  t->count = graph->nodes.live;
  t->slot_count = graph->nodes.count;
  if (!WEND_RESIZE(&t->alloc, t->nodes, t->nodes_capacity, t->count) ||
      !WEND_RESIZE(&t->alloc, t->number_of, t->number_capacity, t->slot_count))
    return false;
  for (uint32_t slot = 0; slot < t->slot_count; slot++) t->number_of[slot] = WEND_NONE;
  for (uint32_t place = 0, i = 0; place < graph->place_count; place++) {
    const uint32_t slot = graph->slot_of[place];
    if (slot == WEND_NONE) continue;
    t->nodes[i] = wend_slots_id(&graph->nodes, slot);
    t->number_of[slot] = i++;
  }
  return true;
}

/* Appends the edge for a target to row i: continues its last run, or begins a new one. False: no memory. */
static bool add_run(wend_route_table *t, uint32_t i, uint32_t target, uint32_t edge) {
  wend_row *r = &t->rows[i];
  if (r->count > 0 && (edge == ANY_MOVE || r->runs[r->count - 1] == edge)) return true;
  if (r->count > 0 && r->runs[r->count - 1] == ANY_MOVE) { /* the node itself came first: its run takes the next edge */
    r->runs[r->count - 1] = edge;
    return true;
  }
  if (!WEND_GROW(&t->alloc, r->runs, r->capacity, (uint64_t)r->count + 2)) return false;
  r->runs[r->count++] = target;
  r->runs[r->count++] = edge;
  return true;
}

/* Finds the edges that lead to a target, one for each node, and appends them to the rows. */
static wend_status add_column(wend_route_table *t, wend_search *s, wend_graph *graph, const wend_search_opts *opts,
                              uint32_t target) {
  const wend_root root = {0, graph->nodes.value[(uint32_t)t->nodes[target] - 1u]};
  const wend_status status = wend_flood(s, &graph->map, NULL, true, &root, 1, opts);
  if (status != WEND_OK) return status;
  for (uint32_t i = 0; i < t->count; i++) {
    const uint32_t place = graph->nodes.value[(uint32_t)t->nodes[i] - 1u];
    const wend_mark *mark = wend_marks_of(&s->marks, place);
    uint32_t edge = NO_MOVE;
    if (i == target) edge = ANY_MOVE;
    else if (wend_mark_is_set(&s->marks, mark) && mark->parent != WEND_NONE)
      edge = graph->arc_edge[wend_marks_arrival(&s->marks, place)->via];
    if (!add_run(t, i, target, edge)) return WEND_NO_MEMORY;
  }
  return WEND_OK;
}

/* Makes the rows, of edges by slot. */
static wend_status make_rows(wend_route_table *t, wend_search *s, wend_graph *graph, const wend_costs *costs,
                             wend_progress_fn progress, void *ud) {
  wend_search_opts opts = wend_search_opts_default();
  opts.costs = *costs;
  opts.heuristic = WEND_ZERO;
  if (!WEND_RESIZE(&t->alloc, t->rows, t->rows_made_capacity, t->count)) return WEND_NO_MEMORY;
  if (t->count > 0) memset(t->rows, 0, t->count * sizeof *t->rows);
  for (uint32_t target = 0; target < t->count; target++) {
    const wend_status status = add_column(t, s, graph, &opts, target);
    if (status != WEND_OK) return status;
    if (progress != NULL && ((target + 1) % PROGRESS_COLUMNS == 0 || target + 1 == t->count))
      progress(ud, target + 1, t->count);
  }
  return WEND_OK;
}

/* The move of an edge in the row whose moves begin at `first`. A new edge becomes the next move. *count: the number of moves of
 * the table. WEND_NONE: no memory. Linear in the moves of the row: the edges at one node. */
static uint32_t move_of(wend_route_table *t, uint32_t first, uint32_t *count, wend_id edge) {
  uint32_t k = first;
  while (k < *count && t->edges[k] != edge) k++;
  if (k < *count) return k - first;
  if (!WEND_GROW(&t->alloc, t->edges, t->edges_capacity, (uint64_t)k + 1) ||
      !WEND_GROW(&t->alloc, t->nexts, t->nexts_capacity, (uint64_t)k + 1) ||
      !WEND_GROW(&t->alloc, t->costs, t->costs_capacity, (uint64_t)k + 1))
    return WEND_NONE;
  t->edges[k] = edge;
  *count = k + 1;
  return k - first;
}

/* Numbers the edges of each row: they become its moves. *widest: the greatest number of moves of a row. */
static wend_status number_moves(wend_route_table *t, const wend_graph *graph, uint32_t *widest) {
  uint32_t moves = 0;
  *widest = 0;
  if (!WEND_RESIZE(&t->alloc, t->first_move, t->first_move_capacity, t->count + 1u)) return WEND_NO_MEMORY;
  t->run_count = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    wend_row *r = &t->rows[i];
    t->first_move[i] = moves;
    for (uint32_t k = 0; k < r->count; k += 2) {
      const uint32_t edge = r->runs[k + 1];
      r->runs[k + 1] = NO_MOVE;
      if (edge == NO_MOVE || edge == ANY_MOVE) continue;
      r->runs[k + 1] = move_of(t, t->first_move[i], &moves, wend_slots_id(&graph->edges, edge));
      if (r->runs[k + 1] == WEND_NONE) return WEND_NO_MEMORY;
    }
    if (moves - t->first_move[i] > *widest) *widest = moves - t->first_move[i];
    if (r->count / 2 >= WEND_NONE / 4 - t->run_count) return WEND_NO_MEMORY; /* too many runs for their numbers */
    t->run_count += r->count / 2;
  }
  t->first_move[t->count] = moves;
  return WEND_OK;
}

/* Packs the rows into starts, before and moves. NO_MOVE becomes the greatest number with the bytes of a move. */
static wend_status pack_rows(wend_route_table *t, uint32_t widest) {
  const wend_column columns[] = {WEND_COLUMN(t->starts), WEND_COLUMN(t->before)};
  uint32_t run = 0;
  t->words = (t->count + 63) / 64;
  t->move_bytes = wend_route_table_move_bytes(widest);
  if (!wend_resize_columns(&t->alloc, columns, 2, &t->starts_capacity, (uint64_t)t->words * t->count) ||
      !WEND_RESIZE(&t->alloc, t->moves, t->moves_capacity, (uint64_t)t->run_count * t->move_bytes))
    return WEND_NO_MEMORY;
  if (t->starts_capacity > 0) memset(t->starts, 0, t->starts_capacity * sizeof *t->starts);
  for (uint32_t i = 0; i < t->count; i++) {
    const wend_row *r = &t->rows[i];
    uint64_t *starts = t->starts + (size_t)i * t->words;
    for (uint32_t k = 0, word = 0; word < t->words; word++) {
      t->before[(size_t)i * t->words + word] = run;
      for (; k < r->count && r->runs[k] / 64 == word; k += 2, run++) {
        starts[word] |= (uint64_t)1 << r->runs[k] % 64;
        for (unsigned b = 0; b < t->move_bytes; b++)
          t->moves[(size_t)run * t->move_bytes + b] = (uint8_t)(r->runs[k + 1] >> 8 * b);
      }
    }
  }
  return WEND_OK;
}

/* Finds the node to which each move leads, and its cost. */
static wend_status weigh_moves(wend_route_table *t, wend_graph *graph, const wend_costs *costs) {
  for (uint32_t i = 0; i < t->count; i++)
    for (uint32_t k = t->first_move[i]; k < t->first_move[i + 1]; k++) {
      wend_edge edge;
      wend_status status = wend_graph_edge(graph, t->edges[k], &edge);
      const bool back = edge.from != t->nodes[i];
      if (status != WEND_OK) return status;
      t->nexts[k] = t->number_of[(uint32_t)(back ? edge.from : edge.to) - 1u];
      status = wend_graph_edge_cost(graph, costs, t->edges[k], back, &t->costs[k]);
      if (status != WEND_OK) return status;
    }
  return WEND_OK;
}

wend_status wend_route_table_make(wend_route_table *t, wend_search *s, wend_graph *graph, const wend_costs *costs,
                                  wend_progress_fn progress, void *ud) {
  wend_status status = wend_graph_sync(graph);
  uint32_t widest;
  free_making(t);
  if (status == WEND_OK && !wend_route_table_number_nodes(t, graph)) status = WEND_NO_MEMORY;
  if (status == WEND_OK) status = make_rows(t, s, graph, costs, progress, ud);
  if (status == WEND_OK) status = number_moves(t, graph, &widest);
  if (status == WEND_OK) status = pack_rows(t, widest);
  if (status == WEND_OK) status = weigh_moves(t, graph, costs);
  free_making(t);
  t->version = graph->map.version;
  if (status != WEND_OK) t->count = t->slot_count = t->run_count = 0;
  return status;
}

/* ---- Asking ------------------------------------------------------------------------------------------------ */

/* The number of a node; WEND_NONE: it has none. */
static uint32_t number_of(const wend_route_table *t, wend_id node) {
  const uint32_t slot = (uint32_t)node - 1u;
  return slot < t->slot_count ? t->number_of[slot] : WEND_NONE;
}

/* The index in the arrays by move of the move from one node toward another, by numbers; WEND_NONE: there is none. The shift
 * drops the bits of the targets after `to`. */
static uint32_t find_move(const wend_route_table *t, uint32_t from, uint32_t to) {
  const size_t word = (size_t)from * t->words + to / 64;
  const uint32_t run = t->before[word] + wend_count_bits(t->starts[word] << (63 - to % 64)) - 1u;
  const uint8_t *at = t->moves + (size_t)run * t->move_bytes;
  const uint32_t move = t->move_bytes == 1 ? at[0] : (uint32_t)wend_load_uint(at, t->move_bytes);
  return move < t->first_move[from + 1] - t->first_move[from] ? t->first_move[from] + move : WEND_NONE;
}

bool wend_route_table_next(const wend_route_table *t, wend_id from, wend_id to, wend_id *next, wend_id *edge) {
  const uint32_t a = number_of(t, from), b = number_of(t, to);
  uint32_t move;
  if (a == WEND_NONE || b == WEND_NONE || a == b) return false;
  move = find_move(t, a, b);
  if (move == WEND_NONE) return false;
  *next = t->nodes[t->nexts[move]];
  *edge = t->edges[move];
  return true;
}

bool wend_route_table_cost(const wend_route_table *t, wend_id from, wend_id to, double *cost) {
  const uint32_t b = number_of(t, to);
  uint32_t steps = 0;
  *cost = 0;
  for (uint32_t a = number_of(t, from); a != b;) {
    const uint32_t move = a == WEND_NONE || b == WEND_NONE ? WEND_NONE : find_move(t, a, b);
    if (move == WEND_NONE || ++steps > t->count) return false; /* a table from a file may go in circles */
    *cost += t->costs[move];
    a = t->nexts[move];
  }
  return b != WEND_NONE;
}

wend_status wend_route_table_path(const wend_route_table *t, wend_search *s, wend_id from, wend_id to) {
  const uint32_t b = number_of(t, to);
  uint32_t a = number_of(t, from), length = 0, room = 0;
  double cost = 0;
  wend_search_reset(s);
  if (a == WEND_NONE || b == WEND_NONE) return WEND_NO_PATH;
  for (;;) {
    uint32_t move;
    if (length == room) { /* room for twice as many each time */
      room = room == 0 ? 64 : room * 2;
      if (!wend_search_reserve_path(s, room)) return WEND_NO_MEMORY;
    }
    s->path_nodes[length] = t->nodes[a];
    if (a == b) break;
    move = find_move(t, a, b);
    if (move == WEND_NONE || length >= t->count) return WEND_NO_PATH; /* a table from a file may go in circles */
    s->path_edges[length++] = t->edges[move];
    cost += t->costs[move];
    a = t->nexts[move];
  }
  s->path_length = length + 1;
  s->path_cost = cost;
  return WEND_OK;
}
