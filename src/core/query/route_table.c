/* SPDX-License-Identifier: MIT */
/* Route tables: for every two nodes, which edge to take.
 *
 * Nodes are numbered as they lie along the curve (graph.h), so that targets near each other have numbers near each other,
 * and mostly the same edge leads to them: a row, one for each node, is a few runs of targets.
 *
 *      row of a node      targets 0 1 2 3 4 5 6 7 8 9    its moves: the edges that it uses, 0, 1, 2, ...
 *                         move    0 0 0 2 2 2 2 1 1 1
 *                         starts  1 0 0 1 0 0 0 1 0 0    a bit a target: a run starts here
 *                         runs    0     2       1        a move a run; counting bits finds it
 *
 * The table is made a target at a time, by a search back from it: the steps to one target then make a tree, whatever ties
 * and rounding there are, and no way through the table goes in circles. A. Botea, "Ultra-fast optimal pathfinding without
 * runtime search" (2011), has the idea of compressing first moves by runs. */
#include <assert.h>
#include <math.h>

#include "core/base/bits.h"
#include "core/codec/file.h"
#include "core/search/search.h"

WEND_NO_FUSING

/* Columns that are found before they are added to the rows: so that a row is gone to once for so many. */
#define BLOCK 64u
/* Moves that are none. */
#define NO_MOVE UINT32_MAX  /* there is no way */
#define ANY_MOVE (UINT32_MAX - 1) /* nobody will ask: from a node to itself */

/* A row while it is made. */
typedef struct wend_row {
  uint32_t *runs; /* the first target and the move, by turns */
  uint32_t count, capacity; /* of the numbers */
} wend_row;

struct wend_route_table {
  wend_alloc alloc;
  uint64_t version; /* of the graph */
  uint32_t count;   /* nodes */
  uint32_t slot_count;
  wend_id *nodes;     /* by number */
  uint32_t *number_of; /* by slot; WEND_NONE: it is not there */
  uint32_t nodes_capacity, number_capacity;

  /* The table. */
  uint32_t *first_move; /* by row, and one more */
  uint32_t first_move_capacity;
  uint64_t *starts; /* by row, then by 64 targets */
  uint32_t *before; /* likewise: how many runs start before, in all of the table */
  uint32_t starts_capacity, words; /* words: of a row */
  uint8_t *moves; /* by run: so many bytes each */
  unsigned move_bytes;
  uint32_t run_count, moves_capacity; /* in bytes */
  wend_id *edges; /* by move */
  uint32_t *nexts; /* numbers */
  double *costs;
  uint32_t edges_capacity, nexts_capacity, costs_capacity;

  /* While it is made. */
  wend_row *rows;
  uint32_t *block; /* the edges, as slots, that lead to the targets of a block: by row, then by column */
  uint32_t rows_made_capacity, block_capacity;
};

wend_route_table *wend_route_table_create(const wend_alloc *alloc) {
  wend_alloc from = alloc != NULL ? *alloc : wend_alloc_default();
  wend_route_table *t = from.resize(from.ud, NULL, 0, sizeof *t);
  if (t == NULL) return NULL;
  memset(t, 0, sizeof *t);
  t->alloc = from;
  return t;
}

static void free_making(wend_route_table *t) {
  for (uint32_t i = 0; i < t->rows_made_capacity; i++) WEND_FREE(&t->alloc, t->rows[i].runs, t->rows[i].capacity);
  WEND_FREE(&t->alloc, t->rows, t->rows_made_capacity);
  WEND_FREE(&t->alloc, t->block, t->block_capacity);
  t->rows = NULL, t->block = NULL;
  t->rows_made_capacity = t->block_capacity = 0;
}

void wend_route_table_destroy(wend_route_table *t) {
  wend_alloc alloc;
  if (t == NULL) return;
  free_making(t);
  alloc = t->alloc;
  WEND_FREE(&alloc, t->nodes, t->nodes_capacity);
  WEND_FREE(&alloc, t->number_of, t->number_capacity);
  WEND_FREE(&alloc, t->first_move, t->first_move_capacity);
  WEND_FREE(&alloc, t->starts, t->starts_capacity);
  WEND_FREE(&alloc, t->before, t->starts_capacity);
  WEND_FREE(&alloc, t->moves, t->moves_capacity);
  WEND_FREE(&alloc, t->edges, t->edges_capacity);
  WEND_FREE(&alloc, t->nexts, t->nexts_capacity);
  WEND_FREE(&alloc, t->costs, t->costs_capacity);
  alloc.resize(alloc.ud, t, sizeof *t, 0);
}

size_t wend_route_table_bytes(const wend_route_table *t) {
  return sizeof *t + t->nodes_capacity * sizeof *t->nodes + t->number_capacity * sizeof *t->number_of +
         t->first_move_capacity * sizeof *t->first_move + t->moves_capacity +
         t->starts_capacity * (sizeof *t->starts + sizeof *t->before) +
         t->edges_capacity * sizeof *t->edges + t->nexts_capacity * sizeof *t->nexts + t->costs_capacity * sizeof *t->costs;
}

uint64_t wend_route_table_version(const wend_route_table *t) { return t->version; }

/* ---- Making ------------------------------------------------------------------------------------------------ */

static bool number_nodes(wend_route_table *t, const wend_graph *graph) {
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

static bool add_run(wend_route_table *t, uint32_t i, uint32_t target, uint32_t edge) {
  wend_row *r = &t->rows[i];
  if (r->count > 0 && (edge == ANY_MOVE || r->runs[r->count - 1] == edge)) return true;
  if (r->count > 0 && r->runs[r->count - 1] == ANY_MOVE) { /* the very first: it takes what comes */
    r->runs[r->count - 1] = edge;
    return true;
  }
  if (!WEND_GROW(&t->alloc, r->runs, r->capacity, (uint64_t)r->count + 2)) return false;
  r->runs[r->count++] = target;
  r->runs[r->count++] = edge;
  return true;
}

/* The edges that lead to a target, one for each node. */
static wend_status find_column(wend_route_table *t, wend_search *s, wend_graph *graph, const wend_search_opts *opts,
                               uint32_t target, uint32_t column) {
  wend_status status;
  if (!WEND_GROW(&s->alloc, s->roots, s->roots_capacity, 1)) return WEND_NO_MEMORY;
  s->root_count = 1;
  s->roots[0].place = graph->nodes.value[(uint32_t)t->nodes[target] - 1u];
  s->roots[0].value = 0;
  status = wend_search_flood(s, &graph->map, NULL, true, opts);
  if (status != WEND_OK) return status;
  for (uint32_t i = 0; i < t->count; i++) {
    const uint32_t place = graph->nodes.value[(uint32_t)t->nodes[i] - 1u];
    const wend_mark *mark = &s->marks.at[place];
    uint32_t *edge = &t->block[(size_t)i * BLOCK + column];
    if (i == target) *edge = ANY_MOVE;
    else if (!wend_marks_has(&s->marks, place) || mark->parent == WEND_NONE) *edge = NO_MOVE;
    else *edge = graph->arc_edge[s->arrivals[place].via];
  }
  return WEND_OK;
}

static wend_status make_rows(wend_route_table *t, wend_search *s, wend_graph *graph, const wend_costs *costs,
                             wend_progress_fn progress, void *ud) {
  wend_search_opts opts = wend_search_opts_default();
  opts.costs = *costs;
  opts.heuristic = WEND_ZERO;
  if (!WEND_RESIZE(&t->alloc, t->rows, t->rows_made_capacity, t->count)) return WEND_NO_MEMORY;
  if (t->count > 0) memset(t->rows, 0, t->count * sizeof *t->rows);
  if (!WEND_RESIZE(&t->alloc, t->block, t->block_capacity, (uint64_t)t->count * BLOCK)) return WEND_NO_MEMORY;
  for (uint32_t first = 0; first < t->count; first += BLOCK) {
    const uint32_t columns = t->count - first < BLOCK ? t->count - first : BLOCK;
    for (uint32_t c = 0; c < columns; c++) {
      wend_status status = find_column(t, s, graph, &opts, first + c, c);
      if (status != WEND_OK) return status;
    }
    for (uint32_t i = 0; i < t->count; i++)
      for (uint32_t c = 0; c < columns; c++)
        if (!add_run(t, i, first + c, t->block[(size_t)i * BLOCK + c])) return WEND_NO_MEMORY;
    if (progress != NULL) progress(ud, first + columns, t->count);
  }
  return WEND_OK;
}

/* The move of an edge in a row that begins at `first`, made where it is new; WEND_NONE: no memory. */
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

/* Numbers the edges of each row: its moves. */
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
    if (r->count / 2 >= WEND_NONE / 4 - t->run_count) return WEND_NO_MEMORY; /* more than moves can be numbered */
    t->run_count += r->count / 2;
  }
  t->first_move[t->count] = moves;
  return WEND_OK;
}

/* Bytes of a move where a row has at most so many: the greatest number stands for NO_MOVE. */
static unsigned bytes_of_moves(uint32_t widest) { return widest < 0xff ? 1 : widest < 0xffff ? 2 : 4; }

/* Packs the rows: NO_MOVE becomes the greatest number that a move has bytes for. */
static wend_status pack_rows(wend_route_table *t, uint32_t widest) {
  const wend_column columns[] = {WEND_COLUMN(t->starts), WEND_COLUMN(t->before)};
  uint32_t run = 0;
  t->words = (t->count + 63) / 64;
  t->move_bytes = bytes_of_moves(widest);
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

/* Where moves lead, and what they cost. */
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
  if (status == WEND_OK && !number_nodes(t, graph)) status = WEND_NO_MEMORY;
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

static uint32_t number_of(const wend_route_table *t, wend_id node) {
  const uint32_t slot = (uint32_t)node - 1u;
  return slot < t->slot_count ? t->number_of[slot] : WEND_NONE;
}

/* The move from one node toward another, by numbers; WEND_NONE: there is none. */
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
    if (move == WEND_NONE || ++steps > t->count) return false; /* a file may lead in circles */
    *cost += t->costs[move];
    a = t->nexts[move];
  }
  return b != WEND_NONE;
}

static bool reserve_path(wend_search *s, uint32_t length) {
  return WEND_GROW(&s->alloc, s->path_nodes, s->path_nodes_capacity, length) &&
         WEND_GROW(&s->alloc, s->path_edges, s->path_edges_capacity, length);
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
      if (!reserve_path(s, room)) return WEND_NO_MEMORY;
    }
    s->path_nodes[length] = t->nodes[a];
    if (a == b) break;
    move = find_move(t, a, b);
    if (move == WEND_NONE || length >= t->count) return WEND_NO_PATH; /* a file may lead in circles */
    s->path_edges[length++] = t->edges[move];
    cost += t->costs[move];
    a = t->nexts[move];
  }
  s->path_length = length + 1;
  s->path_cost = cost;
  return WEND_OK;
}

/* ---- Files ------------------------------------------------------------------------------------------------- */

wend_status wend_route_table_encode(const wend_route_table *t, wend_graph *graph, void *bytes, size_t *size) {
  uint64_t print;
  wend_status status;
  wend_file_out f;
  if (t->version != graph->map.version) return WEND_STALE;
  status = wend_map_fingerprint(&graph->map, FILE_VERSION, &print);
  if (status != WEND_OK) return status;
  wend_file_begin(&f, bytes, WEND_FILE_ROUTE_TABLE, FILE_VERSION);
  wend_file_begin_section(&f, "ROUT", true);
  wend_write_uint(&f.w, print, 8);
  wend_write_uint(&f.w, t->count, 4);
  wend_write_uint(&f.w, t->run_count, 4);
  wend_write_uint(&f.w, t->move_bytes, 4);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "FRST", t->count > 0);
  for (uint32_t i = 0; i <= t->count && t->count > 0; i++) wend_write_uint(&f.w, t->first_move[i], 4);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "MOVE", t->count > 0 && t->first_move[t->count] > 0);
  for (uint32_t k = 0; t->count > 0 && k < t->first_move[t->count]; k++) {
    wend_write_uint(&f.w, t->edges[k], 8);
    wend_write_double(&f.w, t->costs[k]);
  }
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "BITS", t->count > 0);
  for (size_t i = 0; i < (size_t)t->words * t->count; i++) wend_write_uint(&f.w, t->starts[i], 8);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "RUNS", t->run_count > 0);
  wend_write_bytes(&f.w, t->moves, (size_t)t->run_count * t->move_bytes);
  wend_file_end_section(&f);
  *size = wend_file_end(&f);
  return WEND_OK;
}

/* The moves of each row: edges that lead away from its node. */
static wend_status read_moves(wend_file_in *f, wend_route_table *t, wend_graph *graph) {
  wend_reader *r = wend_file_section(f, "FRST");
  const uint8_t *firsts = wend_read_items(r, (uint64_t)t->count + 1, 4), *at;
  uint32_t moves = 0, widest = 0;
  if (r->failed) return WEND_FORMAT;
  if (!WEND_RESIZE(&t->alloc, t->first_move, t->first_move_capacity, t->count + 1u)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i <= t->count; i++, firsts += 4) {
    t->first_move[i] = (uint32_t)wend_load_uint(firsts, 4);
    if (i == 0 ? t->first_move[i] != 0 : t->first_move[i] < moves) return WEND_FORMAT;
    if (t->first_move[i] - moves > widest) widest = t->first_move[i] - moves;
    moves = t->first_move[i];
  }
  r = wend_file_section(f, "MOVE");
  at = wend_read_items(r, moves, 16);
  if (r->failed || t->move_bytes != bytes_of_moves(widest)) return WEND_FORMAT;
  if (!WEND_GROW(&t->alloc, t->edges, t->edges_capacity, moves) || !WEND_GROW(&t->alloc, t->nexts, t->nexts_capacity, moves) ||
      !WEND_GROW(&t->alloc, t->costs, t->costs_capacity, moves))
    return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < t->count; i++)
    for (uint32_t k = t->first_move[i]; k < t->first_move[i + 1]; k++, at += 16) {
      wend_edge edge;
      t->edges[k] = wend_load_uint(at, 8);
      t->costs[k] = wend_load_double(at + 8);
      if (!wend_graph_has_edge(graph, t->edges[k]) || !(t->costs[k] >= 0 && t->costs[k] < INFINITY)) return WEND_FORMAT;
      if (wend_graph_edge(graph, t->edges[k], &edge) != WEND_OK) return WEND_NO_MEMORY;
      if (edge.from != t->nodes[i] && (edge.directed || edge.to != t->nodes[i])) return WEND_FORMAT;
      t->nexts[k] = t->number_of[(uint32_t)(edge.from == t->nodes[i] ? edge.to : edge.from) - 1u];
    }
  return WEND_OK;
}

/* Whether the runs of a row use its moves as they would be numbered: by first use, all of them, and never the same for two
 * runs that follow each other. */
static bool are_numbered(const wend_route_table *t, uint32_t row, uint32_t first, uint32_t end) {
  const uint32_t count = t->first_move[row + 1] - t->first_move[row];
  const uint32_t none = t->move_bytes == 4 ? NO_MOVE : (1u << 8 * t->move_bytes) - 1u;
  uint32_t known = 0, before = WEND_NONE - 1u;
  for (uint32_t run = first; run < end; run++) {
    const uint8_t *at = t->moves + (size_t)run * t->move_bytes;
    const uint32_t move = t->move_bytes == 1 ? at[0] : (uint32_t)wend_load_uint(at, t->move_bytes);
    if (move == before || (move != none && move > known)) return false;
    known += move == known && move != none;
    before = move;
  }
  return known == count;
}

static wend_status read_runs(wend_file_in *f, wend_route_table *t) {
  const wend_column columns[] = {WEND_COLUMN(t->starts), WEND_COLUMN(t->before)};
  const uint64_t words = (uint64_t)t->words * t->count;
  wend_reader *r = wend_file_section(f, "BITS");
  const uint8_t *starts = wend_read_items(r, words, 8), *moves;
  uint64_t runs = 0;
  if (r->failed) return WEND_FORMAT;
  r = wend_file_section(f, "RUNS");
  moves = wend_read_items(r, t->run_count, t->move_bytes);
  if (r->failed) return WEND_FORMAT;
  if (!wend_resize_columns(&t->alloc, columns, 2, &t->starts_capacity, words) ||
      !WEND_RESIZE(&t->alloc, t->moves, t->moves_capacity, (uint64_t)t->run_count * t->move_bytes))
    return WEND_NO_MEMORY;
  if (t->run_count > 0) memcpy(t->moves, moves, (size_t)t->run_count * t->move_bytes);
  for (uint32_t i = 0; i < t->count; i++) {
    const uint32_t first = (uint32_t)runs;
    for (uint32_t word = 0; word < t->words; word++, starts += 8) {
      const uint32_t left = t->count - word * 64;
      const size_t at = (size_t)i * t->words + word;
      t->starts[at] = wend_load_uint(starts, 8);
      t->before[at] = (uint32_t)runs;
      runs += wend_count_bits(t->starts[at]);
      if (runs > t->run_count || (word == 0 && (t->starts[at] & 1) == 0) || (left < 64 && t->starts[at] >> left != 0))
        return WEND_FORMAT;
    }
    if (!are_numbered(t, i, first, (uint32_t)runs)) return WEND_FORMAT;
  }
  return runs == t->run_count ? WEND_OK : WEND_FORMAT;
}

wend_status wend_route_table_decode(wend_route_table *t, wend_graph *graph, const void *bytes, size_t size) {
  wend_file_in f;
  wend_reader *r;
  uint64_t print;
  wend_status status;
  t->count = 0;
  if (!wend_file_open_in(&f, bytes, size, WEND_FILE_ROUTE_TABLE)) return WEND_FORMAT;
  status = wend_map_fingerprint(&graph->map, f.version, &print);
  if (status != WEND_OK) return status;
  r = wend_file_section(&f, "ROUT");
  if (wend_read_uint(r, 8) != print) return r->failed ? WEND_FORMAT : WEND_STALE;
  if (!number_nodes(t, graph)) return WEND_NO_MEMORY;
  if (wend_read_uint(r, 4) != t->count) status = WEND_FORMAT;
  t->run_count = (uint32_t)wend_read_uint(r, 4);
  t->move_bytes = (unsigned)wend_read_uint(r, 4);
  t->words = (t->count + 63) / 64;
  if (r->failed || (t->move_bytes != 1 && t->move_bytes != 2 && t->move_bytes != 4)) status = WEND_FORMAT;
  if (t->count == 0 && (t->run_count > 0 || t->move_bytes != 1)) status = WEND_FORMAT;
  if (status == WEND_OK && t->count > 0) status = read_moves(&f, t, graph);
  if (status == WEND_OK && t->count > 0) status = read_runs(&f, t);
  if (status == WEND_OK && !wend_file_is_read(&f)) status = WEND_FORMAT;
  t->version = graph->map.version;
  if (status != WEND_OK) t->count = t->slot_count = t->run_count = 0;
  return status;
}
