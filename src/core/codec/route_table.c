/* SPDX-License-Identifier: MIT */
/* Route tables in files: moves and runs in their order in memory. Nodes are not written: the graph with the same fingerprint
 * numbers them again.
 *
 *   ROUT   fingerprint, counts, bytes of a move
 *   FRST   for each node, and after the last one, the number of its first move
 *   MOVE   for each move: edge, cost
 *   BITS   for each node and target a bit: whether a run starts there
 *   RUNS   for each run: its move
 *
 * An example: nodes 0, 1, 2, 3 in a row, a distance of 1 apart, joined by the edges with the ids 1, 2, 3:
 *
 *   FRST   0  1  3  5  6                     node 1 has the moves 1 and 2 of MOVE, which it calls 0 and 1
 *   MOVE   1  1  2  2  3  3                  the edges, each with the cost 1
 *   BITS   0001  0101  1001  0001            target 0 is the lowest bit, on the right
 *   RUNS   0     0 1   0 1   0               node 1: move 0 to target 0, move 1 from target 2 on
 *
 * The run of node 1 from target 0 on also covers target 1, the node itself. Nobody reads that entry. */
#include "core/query/route_table.h"

#include <math.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/codec/fingerprint.h"

WEND_NO_FUSING

/* ---- Writing ----------------------------------------------------------------------------------------------- */

wend_status wend_route_table_encode(const wend_route_table *t, wend_graph *graph, void *bytes, size_t *size) {
  wend_status status;
  wend_file_out f;
  if (t->version != graph->map.version) return WEND_STALE;
  status = wend_file_begin_of(&f, bytes, WEND_FILE_ROUTE_TABLE, "ROUT", &graph->map);
  if (status != WEND_OK) return status;
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

/* ---- Reading ----------------------------------------------------------------------------------------------- */

/* Sections FRST and MOVE. The moves of each row must be edges that lead away from its node. FORMAT, NO_MEMORY. */
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
  if (r->failed || t->move_bytes != wend_route_table_move_bytes(widest)) return WEND_FORMAT;
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

/* Whether the moves of a row are numbered as the writer numbers them: in the order of their first use, all of them used, and
 * never the same move in two consecutive runs. first, end: the runs of the row. */
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

/* Sections BITS and RUNS. Each row starts with a run. FORMAT, NO_MEMORY. */
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
  wend_status status;
  t->count = 0;
  status = wend_file_open_of(&f, bytes, size, WEND_FILE_ROUTE_TABLE, "ROUT", &graph->map, &r);
  if (status != WEND_OK) return status;
  if (!wend_route_table_number_nodes(t, graph)) return WEND_NO_MEMORY;
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
