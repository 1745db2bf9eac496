/* SPDX-License-Identifier: MIT */
/* Influence layers: their numbers. cost/step.h has the data, and what searches read. */
#include "core/influence/influence.h"

#include <math.h>

#include "core/base/bits.h"
#include "core/map/neighbours.h"

WEND_NO_FUSING

/* ---- Numbers ------------------------------------------------------------------------------------------------ */

wend_influence *wend_influence_create(const wend_alloc *alloc, const wend_map *map) {
  const wend_grid *grid = (const wend_grid *)map;
  wend_influence *layer = wend_new(alloc, sizeof *layer);
  if (layer == NULL) return NULL;
  layer->keepers = 1;
  layer->serial = wend_map_new_serial();
  if (map->is_grid) layer->width = grid->width, layer->height = grid->height, layer->stride = grid->stride;
  return layer;
}

static const wend_array layer_rows[] = {WEND_ARRAY(wend_influence, values, values_capacity, 1),
                                        WEND_ARRAY(wend_influence, generations, generations_capacity, 1),
                                        WEND_ARRAY(wend_influence, journal.changes, journal.capacity, 1)};
static const wend_arrays layer_arrays = WEND_ARRAYS(layer_rows);

void wend_influence_reset(wend_influence *layer) {
  wend_arrays_free(layer_arrays, 1, &layer->alloc, layer);
  layer->count = 0;
  wend_note_all(&layer->journal);
}

void wend_influence_keep(const wend_influence *layer) {
  if (layer != NULL) ((wend_influence *)(uintptr_t)layer)->keepers++;
}

void wend_influence_drop(const wend_influence *layer) {
  wend_influence *kept = (wend_influence *)(uintptr_t)layer;
  if (kept != NULL && --kept->keepers == 0) wend_delete(kept, sizeof *kept);
}

void wend_influence_destroy(wend_influence *layer) {
  if (layer == NULL) return;
  wend_influence_reset(layer);
  wend_influence_drop(layer);
}

size_t wend_influence_bytes(const wend_influence *layer) { return sizeof *layer + wend_arrays_bytes(layer_arrays, 1, layer); }

/* Makes room for the number at an index: of a grid for all. False: no memory. */
static bool make_influence_room(wend_influence *layer, uint32_t index) {
  const uint32_t wanted = layer->width > 0 ? wend_place_count(layer->width, layer->height) : index + 1;
  if (index < layer->count) return true;
  if (!WEND_GROW_CLEAR(&layer->alloc, layer->values, layer->values_capacity, wanted)) return false;
  if (layer->width == 0 && !WEND_GROW_CLEAR(&layer->alloc, layer->generations, layer->generations_capacity, wanted))
    return false;
  layer->count = wanted;
  return true;
}

static float bounded(double value) {
  return !(value > 0) ? 0 : (float)(value < WEND_INFLUENCE_MAX ? value : WEND_INFLUENCE_MAX);
}

/* Stores a number of a grid, or of a node that has one. */
static inline void store(wend_influence *layer, uint32_t index, float value) {
  if (layer->values[index] == value) return;
  layer->values[index] = value;
  wend_note_change(&layer->journal, &layer->alloc, index, layer->count);
}

wend_status wend_influence_set(wend_influence *layer, wend_id id, double value) {
  const uint32_t index = wend_influence_index(layer, id), generation = (uint32_t)(id >> 32);
  if (!make_influence_room(layer, index)) return WEND_NO_MEMORY;
  if (layer->width == 0 && layer->generations[index] != generation) layer->values[index] = 0; /* that of a removed node */
  if (layer->width == 0) layer->generations[index] = generation;
  store(layer, index, bounded(value));
  return WEND_OK;
}

wend_status wend_influence_add(wend_influence *layer, wend_id id, double value) {
  return wend_influence_set(layer, id, wend_influence_get(layer, id) + value);
}

/* Numbers that fade stay far from numbers that processors are slow with. */
#define FADED 1e-20f

/* A loop of this constant length becomes vector instructions. */
#define TOGETHER 16u

static inline float faded(float value) { return value < FADED ? 0 : value; }

void wend_influence_decay(wend_influence *layer, double factor) {
  const float by = (float)factor;
  float *values = layer->values;
  uint32_t i = 0;
  for (; i + TOGETHER <= layer->count; i += TOGETHER, values += TOGETHER)
    for (uint32_t k = 0; k < TOGETHER; k++) values[k] = faded(values[k] * by);
  for (; i < layer->count; i++, values++) *values = faded(*values * by);
  wend_note_all(&layer->journal);
}

/* ---- Shapes ------------------------------------------------------------------------------------------------- */

/* What is left of a stamp at a distance, the square of which is a share of that of the radius. */
static inline double share_left(wend_falloff falloff, double share) {
  if (!(share < 1)) return 0;
  return falloff == WEND_FALLOFF_LINEAR ? 1 - wend_sqrt(share) : falloff == WEND_FALLOFF_SMOOTH ? (1 - share) * (1 - share) : 1;
}

/* Over hexes, distances are counted in steps. */
WEND_INLINE void stamp_cells(wend_influence *layer, wend_shape shape, wend_id at, double radius, double value,
                             wend_falloff falloff) {
  const int64_t x = (int64_t)((at - 1) % layer->width), y = (int64_t)((at - 1) / layer->width);
  const int64_t reach = radius < WEND_CELLS_MAX ? (int64_t)radius : WEND_CELLS_MAX;
  const int64_t left = x < reach ? -x : -reach, right = layer->width - 1 - x < reach ? layer->width - 1 - x : reach;
  const int64_t top = y < reach ? -y : -reach, bottom = layer->height - 1 - y < reach ? layer->height - 1 - y : reach;
  const double shrink = radius > 1e-100 ? 1 / (radius * radius) : 1e200;
  double centre[2] = {0, 0}, point[2];
  if (shape != WEND_SQUARES) wend_hex_point(shape, (uint32_t)x, (uint32_t)y, centre);
  for (int64_t dy = top; dy <= bottom; dy++) {
    const int64_t row = (y + dy + 1) * layer->stride + x + 1;
    for (int64_t dx = left; dx <= right; dx++) {
      double square = (double)(dx * dx + dy * dy);
      if (shape != WEND_SQUARES) {
        wend_hex_point(shape, (uint32_t)(x + dx), (uint32_t)(y + dy), point);
        square = wend_hex_steps(shape, point[0] - centre[0], point[1] - centre[1]);
        square *= square;
      }
      store(layer, (uint32_t)(row + dx),
            bounded((double)layer->values[row + dx] + value * share_left(falloff, square * shrink)));
    }
  }
}

static wend_status stamp_nodes(wend_influence *layer, const wend_graph *graph, wend_id at, double radius, double value,
                               wend_falloff falloff) {
  const double *centre = wend_graph_position(graph, at);
  wend_status status = wend_influence_add(layer, at, value);
  for (wend_id id = wend_graph_next_node(graph, WEND_NO_ID); id != WEND_NO_ID && status == WEND_OK && centre != NULL;
       id = wend_graph_next_node(graph, id)) {
    const double *point = wend_graph_position(graph, id);
    double share = 0;
    for (int d = 0; d < graph->dimensions && point != NULL; d++)
      share += (point[d] - centre[d]) / radius * ((point[d] - centre[d]) / radius);
    if (point != NULL && id != at && share < 1) status = wend_influence_add(layer, id, value * share_left(falloff, share));
  }
  return status;
}

wend_status wend_influence_stamp(wend_influence *layer, const wend_map *map, wend_id at, double radius, double value,
                                 wend_falloff falloff) {
  wend_shape shape;
  if (!map->is_grid) {
    const uint32_t slots = ((const wend_graph *)map)->nodes.count;
    if (!make_influence_room(layer, slots - 1)) return WEND_NO_MEMORY;
    return stamp_nodes(layer, (const wend_graph *)map, at, radius, value, falloff);
  }
  if (!make_influence_room(layer, 0)) return WEND_NO_MEMORY;
  shape = ((const wend_grid *)map)->shape;
  if (shape == WEND_SQUARES) stamp_cells(layer, WEND_SQUARES, at, radius, value, falloff);
  else stamp_cells(layer, shape, at, radius, value, falloff);
  return WEND_OK;
}

/* The steps that lead to a cell from those that were visited before it: row by row, of columns of hexes column by column. */
typedef struct steps_before {
  int64_t offset[4];
  float length[4];
} steps_before;

/* By shape as in wend_lacks, and by pass: the second visits all cells in the opposite order. Hexes have three such steps: one is there
 * twice. */
static steps_before find_steps(const wend_grid *grid, unsigned lacks, int pass) {
  const unsigned first = grid->shape >= WEND_ODD_COLUMNS ? 0x2b : 0x0f;
  steps_before steps;
  int count = 0;
  for (int d = 0; d < 8; d++) {
    if (((pass == 0 ? first : ~first) & ~lacks & 1u << d) == 0) continue;
    for (int i = count; i < 4; i++) {
      steps.offset[i] = wend_offset(grid->stride, d);
      steps.length[i] = IS_DIAGONAL(d) && grid->shape == WEND_SQUARES ? 1.41421356f : 1;
    }
    count++;
  }
  return steps;
}

/* Two passes over the grid, the first from the upper left, the second back: each cell gets its distance from those before it
 * (A. Rosenfeld, J. Pfaltz, "Sequential operations in digital picture processing", 1966). All cells on a shortest way to the
 * nearest obstacle are open, so walls need no more than the start. */
wend_status wend_influence_obstacle_distance(wend_influence *layer, const wend_grid *grid) {
  const bool columns = grid->shape >= WEND_ODD_COLUMNS;
  const uint32_t lines = columns ? layer->width : layer->height, in_line = columns ? layer->height : layer->width;
  if (!make_influence_room(layer, 0)) return WEND_NO_MEMORY;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t k = 0; k < lines; k++) {
      const uint32_t line = pass == 0 ? k : lines - 1 - k;
      const unsigned lacks = wend_lacks[grid->shape][line & 1];
      const steps_before steps = find_steps(grid, lacks, pass);
      for (uint32_t i = 0; i < in_line; i++) {
        const uint32_t at = pass == 0 ? i : in_line - 1 - i, x = columns ? line : at, y = columns ? at : line;
        const uint32_t place = (y + 1) * layer->stride + x + 1;
        float *value = &layer->values[place];
        if (pass == 0) {
          const unsigned walls = grid->walls != NULL ? grid->walls[place] & ~lacks : 0;
          *value = wend_grid_is_solid(grid, x, y)                                          ? 0
                   : (walls & (grid->shape == WEND_SQUARES ? STRAIGHT_STEPS : 0xffu)) != 0 ? 1
                   : walls != 0                                                            ? 1.41421356f
                                                                                           : (float)WEND_INFLUENCE_MAX;
        }
        for (int d = 0; d < 4; d++) {
          const float further = value[steps.offset[d]] + steps.length[d];
          if (further < *value) *value = further;
        }
      }
    }
  }
  wend_note_all(&layer->journal);
  return WEND_OK;
}

wend_status wend_influence_invert(wend_influence *layer, const wend_map *map, double most) {
  wend_status status = WEND_OK;
  for (wend_id id = wend_map_next(map, WEND_NO_ID); id != WEND_NO_ID && status == WEND_OK; id = wend_map_next(map, id))
    status = wend_influence_set(layer, id, most - wend_influence_get(layer, id));
  return status;
}

wend_status wend_influence_from_field(wend_influence *layer, const wend_map *map, const wend_field *field, double unreached) {
  wend_status status = WEND_OK;
  for (wend_id id = wend_map_next(map, WEND_NO_ID); id != WEND_NO_ID && status == WEND_OK; id = wend_map_next(map, id)) {
    double cost;
    status = wend_influence_set(layer, id, wend_field_cost(field, id, &cost) ? cost : unreached);
  }
  return status;
}
