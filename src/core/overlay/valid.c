/* SPDX-License-Identifier: MIT */
/* Whether the changes of an overlay at a path are those of an earlier version. The path was found with that version.
 *
 * A change counts if it closes its place now and did not at that version; and if it was `grave`: if it opened the place, or gave
 * it another weight or tag, before or after. A place that the overlay had closed, and closes no more, does not count: the path
 * cannot lead over it, unless it was excepted. So a unit that walks along its path and marks the cell where it stands leaves no
 * trace behind. An example, with a path found at version 4:
 *
 *   a cell of the path is closed at version 5          not valid
 *   ... and free again at version 6                    valid
 *   its weight is set at version 5, reset at 6         not valid: grave is 6
 *
 * The start does not count: nobody enters it. */
#include "core/overlay/overlay.h"

WEND_NO_FUSING

/* The changes that are asked about. */
typedef struct patch_query {
  const wend_overlay *overlay;
  const wend_id *except;
  uint32_t except_count;
  uint64_t seen;
} patch_query;

static bool is_patched_since(const patch_query *q, uint64_t key) {
  const wend_patch_record *record = wend_overlay_find(q->overlay, key);
  if (record == NULL) return false;
  return record->grave > q->seen || (record->stamp > q->seen && (record->settled.what & PATCH_CLOSED) != 0);
}

/* The same for a node or a cell, unless it is excepted. */
static bool is_entry_patched(const patch_query *q, wend_id at) {
  for (uint32_t i = 0; i < q->except_count; i++)
    if (q->except[i] == at) return false;
  return is_patched_since(q, wend_overlay_key(q->overlay, at));
}

bool wend_overlay_nodes_valid(const wend_overlay *overlay, const wend_id *nodes, uint32_t node_count, const wend_id *edges,
                              uint32_t edge_count, const wend_id *except, uint32_t except_count, uint64_t seen) {
  const patch_query q = {overlay, except, except_count, seen};
  if (overlay->forgotten > seen) return false;
  if (overlay->version == seen) return true;
  for (uint32_t i = 0; i < node_count; i++)
    if (is_entry_patched(&q, nodes[i])) return false;
  for (uint32_t i = 0; i < edge_count; i++)
    if (is_patched_since(&q, wend_key_of_edge(edges[i]))) return false;
  return true;
}

/* The same for the walls at a step. */
static bool are_walls_patched(const patch_query *q, uint32_t place, int direction) {
  const uint32_t stride = q->overlay->stride;
  if (!q->overlay->walled) return false;
  if (is_patched_since(q, wend_key_of_wall(stride, place, direction))) return true;
  if (IS_DIAGONAL(direction)) {
    const int beside = wend_beside(direction), above = wend_above(direction);
    const uint32_t over = (uint32_t)(place + wend_offset(stride, beside)),
                   under = (uint32_t)(place + wend_offset(stride, above));
    return is_patched_since(q, wend_key_of_wall(stride, place, beside)) ||
           is_patched_since(q, wend_key_of_wall(stride, over, above)) ||
           is_patched_since(q, wend_key_of_wall(stride, place, above)) ||
           is_patched_since(q, wend_key_of_wall(stride, under, beside));
  }
  return false;
}

/* The same for a step: the cell that it enters, the cells beside a diagonal, and walls. */
static bool is_step_patched(const patch_query *q, wend_id from, wend_id to, int direction) {
  const int64_t width = q->overlay->width, down = direction > WEST + 1 ? width : -width;
  if (is_entry_patched(q, to)) return true;
  if (IS_DIAGONAL(direction) &&
      (is_entry_patched(q, (wend_id)((int64_t)from + down)) || is_entry_patched(q, (wend_id)((int64_t)to - down))))
    return true;
  return are_walls_patched(q, wend_overlay_place(q->overlay, from), direction);
}

/* The same for a straight leg. */
static bool is_leg_patched(const patch_query *q, const wend_grid *grid, wend_id from, wend_id to) {
  wend_line line = wend_line_begin(grid, from, to);
  for (wend_id cell = from; wend_line_next(&line);) {
    const wend_id next = wend_grid_cell(grid, line.x, line.y);
    if (is_step_patched(q, cell, next, line.direction)) return true;
    cell = next;
  }
  return false;
}

bool wend_overlay_cells_valid(const wend_overlay *overlay, const wend_grid *grid, const wend_id *cells, uint32_t count,
                              bool straight, const wend_id *except, uint32_t except_count, uint64_t seen) {
  const patch_query q = {overlay, except, except_count, seen};
  if (overlay->forgotten > seen) return false;
  if (overlay->version == seen) return true;
  for (uint32_t i = 1; i < count; i++) {
    const int direction = wend_grid_direction(grid, cells[i - 1], cells[i]);
    if (direction >= 0 ? is_step_patched(&q, cells[i - 1], cells[i], direction)
        : straight     ? is_leg_patched(&q, grid, cells[i - 1], cells[i])
                       : is_entry_patched(&q, cells[i]))
      return false;
  }
  return true;
}
