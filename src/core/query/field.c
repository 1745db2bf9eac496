/* SPDX-License-Identifier: MIT */
/* Fields: a search from the goals that goes on until nothing is left (E. W. Dijkstra, 1959), and what it left behind.
 *
 *   values   what it costs; a number where something leads on (or a goal is), else infinite. Grids: by place of the
 *            grid, or of the window. Graphs: by slot, since places move with edits.
 *   ways     grids: the direction of the step to take, or NO_WAY, or PORTAL_WAY, and then `hops` has it
 *   closed   a bit for each value: whoever stands there may leave, but nobody can enter
 *   next     graphs: the slot to go to, with the edge that leads there; and the generation of each node
 *
 * After arithmetic the values lead nowhere: relaxing makes them a field again. */
#include <assert.h>
#include <string.h>

#include "core/map/neighbours.h"
#include "core/codec/file.h"
#include "core/search/flood.h"

WEND_NO_FUSING

/* What a link leads to, back to front. */
typedef struct portal_step {
  uint32_t place, parent;
} portal_step;

struct wend_field {
  wend_alloc alloc;
  wend_map *map;    /* to compare with; NULL: empty */
  uint64_t version; /* of the map */
  double *values;
  uint32_t values_capacity, count; /* count: of values */
  uint8_t *closed, *closed_next; /* the second is being filled: where that fails, the first stays as it is */
  uint32_t closed_capacity, closed_next_capacity;
  bool outward, altered;
  wend_tag_cost *tags; /* what the agent made of them when it was made; none where tag_count is 0 */
  uint32_t tags_capacity, tag_count;
  bool asked; /* an edge function had its say in what steps cost */

  /* Of graphs. */
  uint32_t *next, *generations;
  wend_id *edges;
  uint32_t next_capacity, generations_capacity, edges_capacity;

  /* Of grids. */
  uint8_t *ways;
  portal_step *portal_steps; /* by place */
  uint32_t ways_capacity, portal_steps_capacity, portal_step_count;
  uint32_t grid_width; /* 0: it is of a graph */
  wend_region region;      /* only its measures */
  uint32_t window;     /* 0: all of the grid */
  wend_id *goals;      /* that the window is around */
  uint32_t goals_capacity, goal_count;
};

wend_field_opts wend_field_opts_default(void) {
  wend_field_opts opts;
  memset(&opts, 0, sizeof opts);
  opts.max_expanded = UINT64_MAX;
  opts.max_cost = INFINITY;
  return opts;
}

wend_field *wend_field_create(const wend_alloc *alloc) {
  wend_alloc from = alloc != NULL ? *alloc : wend_alloc_default();
  wend_field *field = from.resize(from.ud, NULL, 0, sizeof *field);
  if (field == NULL) return NULL;
  memset(field, 0, sizeof *field);
  field->alloc = from;
  return field;
}

void wend_field_destroy(wend_field *field) {
  wend_alloc alloc;
  if (field == NULL) return;
  alloc = field->alloc;
  WEND_FREE(&alloc, field->values, field->values_capacity);
  WEND_FREE(&alloc, field->next, field->next_capacity);
  WEND_FREE(&alloc, field->ways, field->ways_capacity);
  WEND_FREE(&alloc, field->portal_steps, field->portal_steps_capacity);
  WEND_FREE(&alloc, field->edges, field->edges_capacity);
  WEND_FREE(&alloc, field->generations, field->generations_capacity);
  WEND_FREE(&alloc, field->tags, field->tags_capacity);
  WEND_FREE(&alloc, field->closed, field->closed_capacity);
  WEND_FREE(&alloc, field->closed_next, field->closed_next_capacity);
  WEND_FREE(&alloc, field->goals, field->goals_capacity);
  alloc.resize(alloc.ud, field, sizeof *field, 0);
}

void wend_field_reset(wend_field *field) {
  field->map = NULL;
  field->count = 0;
  field->altered = false;
}

uint64_t wend_field_version(const wend_field *field) { return field->version; }
bool wend_field_is_altered(const wend_field *field) { return field->altered; }

size_t wend_field_bytes(const wend_field *field) {
  return sizeof *field + field->values_capacity * sizeof *field->values + field->next_capacity * sizeof *field->next +
         field->ways_capacity * sizeof *field->ways + field->portal_steps_capacity * sizeof *field->portal_steps +
         field->edges_capacity * sizeof *field->edges + field->generations_capacity * sizeof *field->generations +
         field->tags_capacity * sizeof *field->tags + field->goals_capacity * sizeof *field->goals +
         field->closed_capacity + field->closed_next_capacity;
}

/* ---- Windows ----------------------------------------------------------------------------------------------- */

/* Cells of a grid, from left and top to right and bottom. */
typedef struct area {
  uint32_t left, top, right, bottom;
} area;

/* What is at most `window` columns and rows from a goal. */
static area around_goal(const wend_field *field, const wend_grid *grid, wend_id goal) {
  const uint32_t x = (uint32_t)((goal - 1) % grid->width), y = (uint32_t)((goal - 1) / grid->width), d = field->window;
  area b;
  b.left = x > d ? x - d : 0, b.top = y > d ? y - d : 0;
  b.right = grid->width - 1 - x > d ? x + d : grid->width - 1;
  b.bottom = grid->height - 1 - y > d ? y + d : grid->height - 1;
  return b;
}

/* The box around all windows. */
static wend_region windows_box(const wend_field *field, const wend_grid *grid) {
  wend_region region = wend_grid_region(grid);
  area all = around_goal(field, grid, field->goals[0]);
  for (uint32_t i = 1; i < field->goal_count; i++) {
    area b = around_goal(field, grid, field->goals[i]);
    if (b.left < all.left) all.left = b.left;
    if (b.top < all.top) all.top = b.top;
    if (b.right > all.right) all.right = b.right;
    if (b.bottom > all.bottom) all.bottom = b.bottom;
  }
  region.left = all.left, region.top = all.top;
  region.width = all.right - all.left + 1, region.height = all.bottom - all.top + 1;
  region.stride = region.width + 1;
  return region;
}

static bool make_window(wend_window *cells, const wend_alloc *alloc, const wend_grid *grid, wend_region *region, bool several) {
  const uint32_t count = wend_place_count(region->width, region->height);
  if (several) {
    if (!WEND_GROW(alloc, cells->inside, cells->inside_capacity, count)) return false;
    memset(cells->inside, 0, count);
    region->inside = cells->inside;
  }
  if (grid->walls != NULL) {
    if (!WEND_GROW(alloc, cells->walls, cells->walls_capacity, count)) return false;
    memset(cells->walls, 0, count);
    region->walls = cells->walls;
  }
  if (grid->kinds != NULL) {
    if (!WEND_GROW(alloc, cells->kinds, cells->kinds_capacity, count)) return false;
    memset(cells->kinds, 0, count * sizeof *cells->kinds); /* KIND_OUTSIDE */
    region->kinds = cells->kinds;
    return true;
  }
  if (!WEND_GROW(alloc, cells->weights, cells->weights_capacity, count) ||
      !WEND_GROW(alloc, cells->tags, cells->tags_capacity, count))
    return false;
  for (uint32_t i = 0; i < count; i++) cells->weights[i] = NAN;
  memset(cells->tags, 0, count * sizeof *cells->tags);
  region->weights = cells->weights, region->tags = cells->tags;
  return true;
}

/* Copies the cells in the box around the windows into arrays of the search. Of several windows, `inside` then tells what
 * is in one of them; the rest only counts for corners. */
static wend_status open_window(const wend_field *field, wend_search *s, const wend_grid *grid, wend_region *region) {
  wend_window *cells = &s->window;
  *region = wend_grid_region(grid);
  if (field->window == 0) return WEND_OK;
  *region = windows_box(field, grid);
  if (!make_window(cells, &s->alloc, grid, region, field->goal_count > 1)) return WEND_NO_MEMORY;
  for (uint32_t y = 0; y < region->height; y++) {
    const size_t from = (size_t)(region->top + y + 1) * grid->stride + region->left + 1, to = wend_region_place(region, 0, y);
    if (grid->walls != NULL) memcpy(cells->walls + to, grid->walls + from, region->width);
    if (grid->kinds != NULL) {
      memcpy(cells->kinds + to, grid->kinds + from, region->width * sizeof *grid->kinds);
    } else {
      memcpy(cells->weights + to, grid->weights + from, region->width * sizeof *grid->weights);
      memcpy(cells->tags + to, grid->tags + from, region->width * sizeof *grid->tags);
    }
  }
  for (uint32_t i = 0; region->inside != NULL && i < field->goal_count; i++) {
    const area b = around_goal(field, grid, field->goals[i]);
    for (uint32_t y = b.top; y <= b.bottom; y++)
      memset(cells->inside + wend_region_place(region, b.left - region->left, y - region->top), 1, b.right - b.left + 1);
  }
  return WEND_OK;
}

/* ---- Making ------------------------------------------------------------------------------------------------ */

/* Room for bits of so many values, all 0. They count once end_closed is called. */
static bool begin_closed(wend_field *field, uint32_t count) {
  if (!WEND_GROW(&field->alloc, field->closed_next, field->closed_next_capacity, (uint64_t)count / 8 + 1)) return false;
  memset(field->closed_next, 0, (size_t)count / 8 + 1);
  return true;
}

static void set_closed(wend_field *field, uint32_t i) { field->closed_next[i / 8] |= (uint8_t)(1u << i % 8); }

static void end_closed(wend_field *field) {
  uint8_t *bits = field->closed;
  uint32_t capacity = field->closed_capacity;
  field->closed = field->closed_next, field->closed_capacity = field->closed_next_capacity;
  field->closed_next = bits, field->closed_next_capacity = capacity;
}

static bool is_closed(const wend_field *field, uint32_t i) { return (field->closed[i / 8] >> i % 8 & 1) != 0; }

/* Looks up in the map which of the values are of what is closed: for fields that come out of a file. */
static wend_status find_closed(wend_field *field, wend_map *map) {
  const wend_costs costs = {field->tag_count > 0 ? field->tags : NULL, NULL, NULL};
  const wend_graph *graph = (const wend_graph *)map;
  wend_walker w;
  if (!begin_closed(field, field->count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < field->count && !map->is_grid; i++)
    if (graph->nodes.value[i] != WEND_NONE && (graph->flags[graph->nodes.value[i]] & PLACE_CLOSED) != 0) set_closed(field, i);
  if (!map->is_grid) return end_closed(field), WEND_OK;
  memset(&w, 0, sizeof w);
  w.grid = (wend_grid *)map;
  w.region = wend_grid_region(w.grid);
  w.costs = &costs;
  for (uint32_t y = 0; y < field->region.height; y++)
    for (uint32_t x = 0; x < field->region.width; x++) {
      const uint32_t place = wend_region_place(&w.region, x + field->region.left, y + field->region.top);
      const wend_cell cell = wend_region_get(&w.region, w.grid, place);
      const bool asked = field->asked && field->tag_count > 0 && field->tags[cell.tag].asks && !(field->tags[cell.tag].at_least > 0);
      if (!(cell.weight < INFINITY) || (!asked && !wend_walker_enters(&w, place)))
        set_closed(field, wend_region_place(&field->region, x, y));
    }
  end_closed(field);
  return WEND_OK;
}

/* From marks by place to values by slot. */
static wend_status keep_graph(wend_field *field, const wend_search *s) {
  const wend_graph *graph = s->graph;
  uint32_t slots = graph->nodes.count;
  if (!WEND_GROW(&field->alloc, field->values, field->values_capacity, slots) ||
      !WEND_GROW(&field->alloc, field->next, field->next_capacity, slots) ||
      !WEND_GROW(&field->alloc, field->edges, field->edges_capacity, slots) ||
      !WEND_GROW(&field->alloc, field->generations, field->generations_capacity, slots))
    return WEND_NO_MEMORY;
  if (!begin_closed(field, slots)) return WEND_NO_MEMORY;
  for (uint32_t slot = 0; slot < slots; slot++) field->values[slot] = INFINITY;
  for (uint32_t place = 0; place < graph->place_count; place++) {
    const wend_mark *mark = &s->marks.at[place];
    uint32_t slot = graph->slot_of[place];
    if (slot == WEND_NONE || !wend_marks_has(&s->marks, place)) continue;
    field->values[slot] = mark->g;
    if ((graph->flags[place] & PLACE_CLOSED) != 0) set_closed(field, slot);
    field->next[slot] = WEND_NONE;
    field->edges[slot] = WEND_NO_ID;
    field->generations[slot] = (uint32_t)(wend_slots_id(&graph->nodes, slot) >> 32);
    if (mark->parent == WEND_NONE) continue;
    field->next[slot] = graph->slot_of[mark->parent];
    field->edges[slot] = wend_slots_id(&graph->edges, graph->arc_edge[s->arrivals[place].via]);
  }
  field->count = slots;
  end_closed(field);
  return WEND_OK;
}

/* From marks by place to values and ways. */
static wend_status keep_grid(wend_field *field, const wend_search *s, const wend_region *region) {
  uint32_t count = wend_place_count(region->width, region->height);
  field->portal_step_count = 0;
  for (uint32_t place = 0; place < count; place++) {
    const wend_mark *mark = &s->marks.at[place];
    int way = 0;
    field->values[place] = INFINITY;
    if (!wend_marks_has(&s->marks, place)) continue;
    field->values[place] = mark->g;
    if (!wend_walker_enters(&s->walker, place)) set_closed(field, place);
    field->ways[place] = NO_WAY;
    if (mark->parent == WEND_NONE) continue;
    while (way < 8 && (uint32_t)(place + wend_offset(region->stride, way)) != mark->parent) way++;
    field->ways[place] = (uint8_t)(way < 8 ? (unsigned)way : PORTAL_WAY);
    if (way < 8) continue;
    if (!WEND_GROW(&field->alloc, field->portal_steps, field->portal_steps_capacity, (uint64_t)field->portal_step_count + 1)) return WEND_NO_MEMORY;
    field->portal_steps[field->portal_step_count].place = place;
    field->portal_steps[field->portal_step_count++].parent = mark->parent;
  }
  return WEND_OK;
}

static void restore(wend_field *field, const wend_search *s) {
  for (uint32_t i = 0; i < field->count; i++) field->values[i] = INFINITY;
  for (uint32_t i = 0; i < s->root_count; i++) field->values[s->roots[i].place] = s->roots[i].value;
}

/* rooted: the values are there already. Where it fails they are as they were. */
static wend_status flood_grid(wend_field *field, wend_search *s, wend_grid *grid, const wend_region *region, bool rooted,
                              const wend_search_opts *opts) {
  uint32_t count = wend_place_count(region->width, region->height);
  wend_status status;
  if (!WEND_GROW(&field->alloc, field->values, field->values_capacity, count) ||
      !WEND_GROW(&field->alloc, field->ways, field->ways_capacity, count) || !begin_closed(field, count))
    return WEND_NO_MEMORY;
  if (wend_grid_is_plain(grid, &opts->costs)) {
    const wend_agent_view *agent = wend_grid_agent_view(grid, &opts->costs);
    if (agent == NULL) return WEND_NO_MEMORY;
    field->portal_step_count = 0;
    status = wend_flood(s, grid, region, agent, !field->outward, rooted, opts, field->values, field->ways,
                        field->closed_next);
    if (status == WEND_OK) end_closed(field);
    if (status != WEND_OK && rooted) restore(field, s);
    if (status != WEND_RUNNING) return status;
    memset(field->closed_next, 0, (size_t)count / 8 + 1);
  }
  status = wend_search_flood(s, &grid->map, region, !field->outward, opts);
  if (status == WEND_OK) status = keep_grid(field, s, region);
  if (status == WEND_OK) end_closed(field);
  if (status == WEND_NO_MEMORY && rooted) restore(field, s);
  return status;
}

/* Keeps what tags cost, so that paths can be summed. */
static wend_status keep_costs(wend_field *field, wend_map *map, const wend_costs *costs) {
  uint32_t count = costs->tags == NULL ? 0 : wend_map_tag_count(map) + 1;
  if (!WEND_GROW(&field->alloc, field->tags, field->tags_capacity, count)) return WEND_NO_MEMORY;
  if (count > 0) memcpy(field->tags, costs->tags, count * sizeof *field->tags);
  field->tag_count = count;
  field->asked = costs->edge != NULL;
  return WEND_OK;
}

/* From s->roots. */
static wend_status flood(wend_field *field, wend_search *s, wend_map *map, const wend_region *region, bool rooted,
                         wend_search_opts *opts) {
  wend_status status;
  if (map->is_grid && !wend_grid_asks((wend_grid *)map, &opts->costs)) opts->costs.edge = NULL;
  status = keep_costs(field, map, &opts->costs);
  if (status != WEND_OK) return status;
  if (!map->is_grid) {
    field->grid_width = 0;
    status = wend_search_flood(s, map, NULL, !field->outward, opts);
    if (status == WEND_OK) status = keep_graph(field, s);
  } else {
    status = flood_grid(field, s, (wend_grid *)map, region, rooted, opts);
    field->region = *region;
    field->grid_width = ((wend_grid *)map)->width;
    field->count = wend_place_count(region->width, region->height);
  }
  if (status != WEND_OK) return status;
  field->map = map;
  field->version = map->version;
  field->altered = false;
  return WEND_OK;
}

wend_status wend_field_make(wend_field *field, wend_search *s, wend_map *map, const wend_id *goals, const double *values,
                            uint32_t goal_count, const wend_field_opts *opts) {
  wend_search_opts search = wend_search_opts_default();
  wend_status status = WEND_OK;
  wend_region region;
  memset(&region, 0, sizeof region);
  wend_search_reset(s);
  wend_field_reset(field);
  field->outward = opts->outward;
  field->window = opts->window;
  field->goal_count = opts->window > 0 ? goal_count : 0;
  if (!WEND_GROW(&s->alloc, s->roots, s->roots_capacity, goal_count) ||
      !WEND_GROW(&field->alloc, field->goals, field->goals_capacity, field->goal_count))
    return WEND_NO_MEMORY;
  if (field->goal_count > 0) memcpy(field->goals, goals, goal_count * sizeof *goals);
  if (map->is_grid)
    status = open_window(field, s, (wend_grid *)map, &region);
  else
    status = wend_graph_sync((wend_graph *)map); /* before places are asked for */
  if (status != WEND_OK) return status;
  s->root_count = goal_count;
  for (uint32_t i = 0; i < goal_count; i++) {
    wend_graph *graph = (wend_graph *)map;
    s->roots[i].value = values != NULL ? values[i] : 0;
    s->roots[i].place = map->is_grid ? wend_region_find(&region, (wend_grid *)map, goals[i])
                                     : graph->nodes.value[wend_slots_find(&graph->nodes, goals[i])];
  }
  search.costs = opts->costs;
  search.heuristic = WEND_ZERO;
  search.max_expanded = opts->max_expanded;
  search.max_cost = opts->max_cost;
  status = flood(field, s, map, &region, false, &search);
  if (status != WEND_OK) wend_field_reset(field);
  return status;
}

/* ---- Looking up -------------------------------------------------------------------------------------------- */

static bool is_reached(const wend_field *field, uint32_t i) {
  return field->values[i] > -INFINITY && field->values[i] < INFINITY;
}

/* Where something leads on to, WEND_NONE: it is a goal. */
static uint32_t parent_of(const wend_field *field, uint32_t i) {
  uint32_t low = 0, high = field->portal_step_count;
  unsigned way;
  if (field->grid_width == 0) return field->next[i];
  way = field->ways[i];
  if (way < 8) return (uint32_t)(i + wend_offset(field->region.stride, (int)way));
  if (way == NO_WAY) return WEND_NONE;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (field->portal_steps[middle].place <= i)
      low = middle;
    else
      high = middle;
  }
  return field->portal_steps[low].parent;
}

/* Where the value of a node or cell is, WEND_NONE: it is not reached. */
static uint32_t find(const wend_field *field, wend_id at) {
  uint32_t i;
  if (field->count == 0) return WEND_NONE;
  if (field->grid_width > 0) {
    uint32_t x = (uint32_t)((at - 1) % field->grid_width) - field->region.left;
    uint32_t y = (uint32_t)((at - 1) / field->grid_width) - field->region.top;
    if (x >= field->region.width || y >= field->region.height) return WEND_NONE;
    i = wend_region_place(&field->region, x, y);
  } else {
    i = (uint32_t)at - 1;
    if (i >= field->count) return WEND_NONE;
  }
  if (!is_reached(field, i)) return WEND_NONE;
  if (field->grid_width == 0 && field->generations[i] != (uint32_t)(at >> 32)) return WEND_NONE;
  return i;
}

static wend_id id_at(const wend_field *field, uint32_t i) {
  if (field->grid_width > 0)
    return (wend_id)(wend_region_y(&field->region, i) + field->region.top) * field->grid_width + wend_region_x(&field->region, i) +
           field->region.left + 1;
  return ((wend_id)field->generations[i] << 32) + i + 1;
}

bool wend_field_cost(const wend_field *field, wend_id at, double *cost) {
  uint32_t i = find(field, at);
  if (i == WEND_NONE) return false;
  *cost = field->values[i];
  return true;
}

wend_id wend_field_next(const wend_field *field, wend_id at) {
  uint32_t i = find(field, at);
  assert(!field->altered);
  if (i != WEND_NONE) i = parent_of(field, i);
  return i == WEND_NONE ? WEND_NO_ID : id_at(field, i);
}

wend_id wend_field_goal(const wend_field *field, wend_id at) {
  uint32_t i = find(field, at);
  assert(!field->altered);
  if (i == WEND_NONE) return WEND_NO_ID;
  for (uint32_t p = i; p != WEND_NONE; p = parent_of(field, p)) i = p;
  return id_at(field, i);
}

/* What a step of a path costs; INFINITY: it cannot be told. */
static double step_cost(const wend_field *field, wend_map *map, const wend_search *s, uint32_t i, wend_walker *w) {
  wend_edge edge;
  double cost;
  if (map->is_grid) return wend_walker_hop(w, s->path_nodes[i], s->path_nodes[i + 1]);
  if (wend_graph_edge((wend_graph *)map, s->path_edges[i], &edge) != WEND_OK) return INFINITY;
  cost = edge.weight;
  if (field->tag_count > 0) cost = cost * field->tags[edge.tag].times + field->tags[edge.tag].plus;
  return cost;
}

/* The cost of a path, summed in the order of travel; the field's own is summed the other way round, and may differ in
 * the last bits. Where the map has changed, or an edge function was asked, the field's own must do. */
static double sum_path(const wend_field *field, wend_map *map, const wend_search *s, double own) {
  const wend_costs costs = {field->tag_count > 0 ? field->tags : NULL, NULL, NULL};
  wend_walker w;
  double sum = 0;
  memset(&w, 0, sizeof w);
  if (field->asked || field->version != map->version) return own;
  if (map->is_grid) {
    w.grid = (wend_grid *)map;
    w.region = wend_grid_region(w.grid);
    w.costs = &costs;
  }
  for (uint32_t i = 0; i + 1 < s->path_length; i++) sum += step_cost(field, map, s, i, &w);
  /* Between two windows a link may have been taken where the map has a cheaper step. */
  return fabs(sum - own) <= 1e-9 * (sum + fabs(field->values[find(field, s->path_nodes[field->outward ? s->path_length - 1 : 0])]))
             ? sum
             : own;
}

wend_status wend_field_path(const wend_field *field, wend_search *s, wend_map *map, wend_id at) {
  uint32_t i = find(field, at), length = 1;
  bool graph = field->grid_width == 0;
  double own;
  assert(!field->altered);
  wend_search_reset(s);
  if (i == WEND_NONE) return WEND_NO_PATH;
  for (uint32_t p = parent_of(field, i); p != WEND_NONE; p = parent_of(field, p)) length++;
  if (!WEND_GROW(&s->alloc, s->path_nodes, s->path_nodes_capacity, length) ||
      !WEND_GROW(&s->alloc, s->path_edges, s->path_edges_capacity, length))
    return WEND_NO_MEMORY;
  s->path_length = length;
  own = field->values[i];
  for (uint32_t k = 0; k < length; k++) {
    uint32_t to = field->outward ? length - 1 - k : k, parent = parent_of(field, i);
    s->path_nodes[to] = id_at(field, i);
    if (parent == WEND_NONE) break;
    if (graph) s->path_edges[field->outward ? to - 1 : to] = field->edges[i];
    i = parent;
  }
  s->path_cost = sum_path(field, map, s, own - field->values[i]);
  return WEND_OK;
}

wend_id wend_field_each(const wend_field *field, wend_id after) {
  uint32_t i = 0;
  if (after != WEND_NO_ID) {
    i = field->grid_width == 0 ? (uint32_t)after
                               : wend_region_place(&field->region, (uint32_t)((after - 1) % field->grid_width) - field->region.left,
                                                 (uint32_t)((after - 1) / field->grid_width) - field->region.top) + 1;
  }
  while (i < field->count && (!is_reached(field, i) || is_closed(field, i))) i++;
  return i < field->count ? id_at(field, i) : WEND_NO_ID;
}

uint32_t wend_field_count(const wend_field *field) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < field->count; i++) count += is_reached(field, i);
  return count;
}

/* ---- Arithmetic -------------------------------------------------------------------------------------------- */

void wend_field_add(wend_field *field, const wend_field *other, double k) {
  for (uint32_t i = 0; i < field->count; i++) {
    double value;
    if (!is_reached(field, i)) continue;
    if (wend_field_cost(other, id_at(field, i), &value))
      field->values[i] += value * k;
    else
      field->values[i] = INFINITY;
  }
  field->altered = true;
}

void wend_field_scale(wend_field *field, double k) {
  for (uint32_t i = 0; i < field->count; i++)
    if (is_reached(field, i)) field->values[i] *= k;
  field->altered = true;
}

/* All that is reached, with its values, as the roots of a search. */
static bool make_roots(const wend_field *field, wend_search *s, const wend_graph *graph) {
  uint32_t count = 0;
  if (!WEND_GROW(&s->alloc, s->roots, s->roots_capacity, wend_field_count(field))) return false;
  for (uint32_t i = 0; i < field->count; i++) {
    uint32_t place = i;
    if (!is_reached(field, i)) continue;
    if (graph != NULL) {
      uint32_t slot = wend_slots_find(&graph->nodes, id_at(field, i)); /* it may have been removed since */
      if (slot == WEND_NONE) continue;
      place = graph->nodes.value[slot];
    }
    s->roots[count].place = place;
    s->roots[count++].value = field->values[i];
  }
  s->root_count = count;
  return true;
}

wend_status wend_field_relax(wend_field *field, wend_search *s, wend_map *map, const wend_costs *costs) {
  wend_search_opts opts = wend_search_opts_default();
  wend_graph *graph = map->is_grid ? NULL : (wend_graph *)map;
  wend_status status;
  wend_region region;
  memset(&region, 0, sizeof region);
  wend_search_reset(s);
  s->root_count = 0;
  if (field->map == NULL || !field->altered) return WEND_OK; /* there is nothing to lower */
  status = graph != NULL ? wend_graph_sync(graph) : open_window(field, s, (wend_grid *)map, &region);
  if (status == WEND_OK && !make_roots(field, s, graph)) status = WEND_NO_MEMORY;
  if (status != WEND_OK) {
    s->root_count = 0;
    return status;
  }
  opts.costs = *costs;
  opts.heuristic = WEND_ZERO;
  return flood(field, s, map, &region, true, &opts);
}

wend_status wend_field_lowest(const wend_field *field, wend_map *map, const wend_costs *costs, wend_id at, wend_id *next) {
  uint32_t here = find(field, at);
  double lowest, value;
  *next = WEND_NO_ID;
  if (here == WEND_NONE) return WEND_OK;
  lowest = field->values[here];
  if (map->is_grid) {
    wend_grid *grid = (wend_grid *)map;
    wend_walker w = {grid, wend_grid_region(grid), costs, 0, false};
    uint32_t place = wend_region_find(&w.region, grid, at), count;
    const wend_portal *portals = wend_grid_portals(grid, place, false, &count);
    for (uint32_t k = 0; k < 8 + count; k++) {
      uint32_t to = k < 8 ? (uint32_t)(place + wend_offset(grid->stride, (int)k)) : portals[k - 8].to;
      wend_cell cell = wend_region_get(&w.region, grid, to);
      wend_id id;
      if (!(cell.weight < INFINITY)) continue; /* closed, or outside */
      id = wend_region_cell(&w.region, grid, to);
      if (!wend_field_cost(field, id, &value) || !(value < lowest || (value == lowest && *next != WEND_NO_ID && id < *next)))
        continue;
      if ((k < 8 ? wend_walker_step(&w, place, (int)k, 0, INFINITY, NULL)
                 : wend_walker_portal(&w, &portals[k - 8], place, to, 0, INFINITY)) < INFINITY)
        lowest = value, *next = id;
      if (w.gave_up) return WEND_ABORTED;
    }
    return WEND_OK;
  }
  {
    wend_graph *graph = (wend_graph *)map;
    wend_status status = wend_graph_sync(graph);
    uint32_t slot = wend_slots_find(&graph->nodes, at);
    wend_span out;
    if (status != WEND_OK || slot == WEND_NONE) return status;
    out = graph->out[graph->nodes.value[slot]];
    for (uint32_t i = out.first; i < out.end; i++) {
      wend_step step;
      double cost = graph->arc_weight[i];
      if (wend_is_blocked(cost)) continue;
      step.from = at;
      step.to = wend_slots_id(&graph->nodes, graph->slot_of[graph->arc_to[i]]);
      if (!wend_field_cost(field, step.to, &value) ||
          !(value < lowest || (value == lowest && *next != WEND_NO_ID && step.to < *next)))
        continue;
      step.edge = wend_slots_id(&graph->edges, graph->arc_edge[i]);
      step.tag = graph->arc_tag[i];
      cost = wend_cost_of(costs, &step, cost);
      if (!(cost >= 0)) return WEND_ABORTED;
      if (cost < INFINITY) lowest = value, *next = step.to;
    }
  }
  return WEND_OK;
}

/* ---- Files ------------------------------------------------------------------------------------------------- */

#define IS_OUTWARD 1u
#define IS_ALTERED 2u
#define IS_ASKED 4u
#define COST_BYTES 25u

/* Where something leads on to; after arithmetic, and where it is not reached, nowhere. */
static uint32_t filed_parent(const wend_field *field, uint32_t i) {
  return field->altered || !is_reached(field, i) ? WEND_NONE : parent_of(field, i);
}

static void write_costs(wend_file_out *f, const wend_field *field) {
  wend_file_begin_section(f, "COST", field->tag_count > 0);
  for (uint32_t i = 0; i < field->tag_count; i++) {
    wend_write_double(&f->w, field->tags[i].times);
    wend_write_double(&f->w, field->tags[i].plus);
    wend_write_double(&f->w, field->tags[i].at_least);
    wend_write_uint(&f->w, field->asked && field->tags[i].asks, 1);
  }
  wend_file_end_section(f);
}

static void write_graph_ways(wend_file_out *f, const wend_field *field) {
  wend_file_begin_section(f, "NEXT", field->count > 0);
  for (uint32_t i = 0; i < field->count; i++) {
    const uint32_t parent = filed_parent(field, i);
    wend_write_uint(&f->w, parent, 4);
    wend_write_uint(&f->w, parent == WEND_NONE ? WEND_NO_ID : field->edges[i], 8);
  }
  wend_file_end_section(f);
}

static void write_grid_ways(wend_file_out *f, const wend_field *field) {
  wend_writer *w = &f->w;
  uint32_t portal_steps = 0;
  wend_file_begin_section(f, "WNDW", true);
  wend_write_uint(w, field->region.left, 4);
  wend_write_uint(w, field->region.top, 4);
  wend_write_uint(w, field->region.width, 4);
  wend_write_uint(w, field->region.height, 4);
  wend_write_uint(w, field->window, 4);
  for (uint32_t i = 0; i < field->goal_count; i++) wend_write_uint(w, field->goals[i], 8);
  wend_file_end_section(f);
  wend_file_begin_section(f, "STEP", true);
  for (uint32_t i = 0; i < field->count; i++) {
    const bool leads = filed_parent(field, i) != WEND_NONE;
    portal_steps += leads && field->ways[i] == PORTAL_WAY;
    wend_write_uint(w, leads ? field->ways[i] : NO_WAY, 1);
  }
  wend_file_end_section(f);
  wend_file_begin_section(f, "HOPS", portal_steps > 0);
  for (uint32_t i = 0; i < field->count && portal_steps > 0; i++) {
    const uint32_t parent = filed_parent(field, i);
    if (parent == WEND_NONE || field->ways[i] != PORTAL_WAY) continue;
    wend_write_uint(w, i, 4);
    wend_write_uint(w, parent, 4);
  }
  wend_file_end_section(f);
}

wend_status wend_field_encode(const wend_field *field, wend_map *map, void *bytes, size_t *size) {
  uint64_t print;
  wend_status status;
  wend_file_out f;
  if (field->map != map || field->version != map->version) return WEND_STALE;
  status = wend_map_fingerprint(map, FILE_VERSION, &print);
  if (status != WEND_OK) return status;
  wend_file_begin(&f, bytes, WEND_FILE_FIELD, FILE_VERSION);
  wend_file_begin_section(&f, "FELD", true);
  wend_write_uint(&f.w, print, 8);
  wend_write_uint(&f.w, (field->outward ? IS_OUTWARD : 0) | (field->altered ? IS_ALTERED : 0) | (field->asked ? IS_ASKED : 0), 4);
  wend_file_end_section(&f);
  write_costs(&f, field);
  wend_file_begin_section(&f, "DIST", field->count > 0);
  for (uint32_t i = 0; i < field->count; i++) wend_write_double(&f.w, is_reached(field, i) ? field->values[i] : INFINITY);
  wend_file_end_section(&f);
  if (field->grid_width > 0) write_grid_ways(&f, field);
  else write_graph_ways(&f, field);
  *size = wend_file_end(&f);
  return WEND_OK;
}

static wend_status read_costs(wend_file_in *f, wend_field *field, const wend_map *map) {
  wend_reader *r = wend_file_section(f, "COST");
  const uint32_t count = wend_file_count(f, r, COST_BYTES);
  const uint8_t *at = wend_read_items(r, count, COST_BYTES);
  if (r->failed || (count != 0 && count != wend_map_tag_count(map) + 1)) return WEND_FORMAT;
  if (!WEND_GROW(&field->alloc, field->tags, field->tags_capacity, count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++, at += COST_BYTES) {
    const wend_tag_cost cost = {wend_load_double(at), wend_load_double(at + 8), wend_load_double(at + 16), at[24] != 0};
    if (!(cost.times >= 0 && cost.plus >= 0 && cost.at_least >= 0) || at[24] > (field->asked ? 1 : 0)) return WEND_FORMAT;
    field->tags[i] = cost;
  }
  field->tag_count = count;
  return WEND_OK;
}

static wend_status read_values(wend_file_in *f, wend_field *field) {
  wend_reader *r = wend_file_section(f, "DIST");
  const uint32_t count = wend_file_count(f, r, 8);
  const uint8_t *at = wend_read_items(r, count, 8);
  if (r->failed) return WEND_FORMAT;
  if (!WEND_GROW(&field->alloc, field->values, field->values_capacity, count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++, at += 8) {
    field->values[i] = wend_load_double(at);
    if (!(field->values[i] > -INFINITY)) return WEND_FORMAT;
  }
  field->count = count;
  return WEND_OK;
}

/* Steps of a field of a graph: each is an edge that is there. */
static wend_status read_graph_ways(wend_file_in *f, wend_field *field, wend_graph *graph) {
  wend_reader *r = wend_file_section(f, "NEXT");
  const uint8_t *at = wend_read_items(r, field->count, 12);
  const wend_alloc *alloc = &field->alloc;
  if (r->failed || field->count != graph->nodes.count) return WEND_FORMAT;
  if (!WEND_GROW(alloc, field->next, field->next_capacity, field->count) ||
      !WEND_GROW(alloc, field->edges, field->edges_capacity, field->count) ||
      !WEND_GROW(alloc, field->generations, field->generations_capacity, field->count))
    return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < field->count; i++, at += 12) {
    const uint32_t next = (uint32_t)wend_load_uint(at, 4);
    const wend_id edge = wend_load_uint(at + 4, 8);
    const bool there = graph->nodes.value[i] != WEND_NONE;
    wend_edge known;
    field->next[i] = next;
    field->edges[i] = edge;
    field->generations[i] = (uint32_t)(wend_slots_id(&graph->nodes, i) >> 32);
    if (is_reached(field, i) && !there) return WEND_FORMAT;
    if (next == WEND_NONE ? edge != WEND_NO_ID
                          : field->altered || next >= field->count || !is_reached(field, i) || !is_reached(field, next) ||
                                !wend_graph_has_edge(graph, edge))
      return WEND_FORMAT;
    if (next == WEND_NONE) continue;
    if (wend_graph_edge(graph, edge, &known) != WEND_OK) return WEND_NO_MEMORY;
    { /* the ends in the direction of travel, which a one-way edge has only one of */
      const uint32_t from = field->outward ? next : i, to = field->outward ? i : next;
      const bool along = (uint32_t)known.from - 1u == from && (uint32_t)known.to - 1u == to;
      const bool back = (uint32_t)known.to - 1u == from && (uint32_t)known.from - 1u == to;
      if (!along && (known.directed || !back)) return WEND_FORMAT;
    }
  }
  return WEND_OK;
}

/* Whether the map has the link that a step takes. */
static bool has_portal(const wend_field *field, const wend_grid *grid, portal_step one) {
  const wend_region whole = wend_grid_region(grid);
  const uint32_t here = wend_region_find(&whole, grid, wend_region_cell(&field->region, grid, one.place));
  const uint32_t there = wend_region_find(&whole, grid, wend_region_cell(&field->region, grid, one.parent));
  const uint32_t from = field->outward ? there : here, to = field->outward ? here : there;
  uint32_t count, low = 0;
  const wend_portal *portals = wend_grid_portals(grid, from, false, &count);
  for (uint32_t high = count; low < high;) { /* they are sorted by `to` */
    const uint32_t middle = low + (high - low) / 2;
    if (portals[middle].to < to) low = middle + 1;
    else high = middle;
  }
  return low < count && portals[low].to == to && !portals[low].removed;
}

static wend_status read_grid_ways(wend_file_in *f, wend_field *field, const wend_grid *grid) {
  const uint64_t cells = (uint64_t)grid->width * grid->height;
  wend_reader *r = wend_file_section(f, "WNDW");
  wend_region *region = &field->region;
  const uint8_t *at;
  uint32_t portal_steps = 0;
  *region = wend_grid_region(grid);
  region->left = (uint32_t)wend_read_uint(r, 4), region->top = (uint32_t)wend_read_uint(r, 4);
  region->width = (uint32_t)wend_read_uint(r, 4), region->height = (uint32_t)wend_read_uint(r, 4);
  field->window = (uint32_t)wend_read_uint(r, 4);
  field->goal_count = wend_file_count(f, r, 8);
  at = wend_read_items(r, field->goal_count, 8);
  if (r->failed || region->width == 0 || region->height == 0 || region->width > grid->width || region->height > grid->height ||
      region->left > grid->width - region->width || region->top > grid->height - region->height ||
      (field->window == 0) != (field->goal_count == 0) ||
      field->count != (region->stride = region->width + 1, wend_place_count(region->width, region->height)))
    return WEND_FORMAT;
  if (!WEND_GROW(&field->alloc, field->goals, field->goals_capacity, field->goal_count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < field->goal_count; i++, at += 8) {
    field->goals[i] = wend_load_uint(at, 8);
    if (field->goals[i] < 1 || field->goals[i] > cells) return WEND_FORMAT;
  }
  { /* what a window is, its goals say */
    const wend_region wanted = field->window > 0 ? windows_box(field, grid) : wend_grid_region(grid);
    if (wanted.left != region->left || wanted.top != region->top || wanted.width != region->width || wanted.height != region->height)
      return WEND_FORMAT;
  }
  r = wend_file_section(f, "STEP");
  at = wend_read_items(r, field->count, 1);
  if (r->failed) return WEND_FORMAT;
  if (!WEND_GROW(&field->alloc, field->ways, field->ways_capacity, field->count)) return WEND_NO_MEMORY;
  memcpy(field->ways, at, field->count);
  for (uint32_t i = 0; i < field->count; i++) {
    const uint32_t x = i % region->stride, y = i / region->stride;
    if (field->ways[i] > PORTAL_WAY || (field->ways[i] != NO_WAY && (field->altered || !is_reached(field, i)))) return WEND_FORMAT;
    if (is_reached(field, i) && (x == 0 || y == 0 || y > region->height)) return WEND_FORMAT;
    if (field->ways[i] < 8 && !is_reached(field, (uint32_t)(i + wend_offset(region->stride, field->ways[i])))) return WEND_FORMAT;
    portal_steps += field->ways[i] == PORTAL_WAY;
  }
  r = wend_file_section(f, "HOPS");
  field->portal_step_count = wend_file_count(f, r, 8);
  at = wend_read_items(r, field->portal_step_count, 8);
  if (r->failed || field->portal_step_count != portal_steps) return WEND_FORMAT;
  if (!WEND_GROW(&field->alloc, field->portal_steps, field->portal_steps_capacity, portal_steps)) return WEND_NO_MEMORY;
  for (uint32_t k = 0, least = 0; k < portal_steps; k++, at += 8) {
    const portal_step one = {(uint32_t)wend_load_uint(at, 4), (uint32_t)wend_load_uint(at + 4, 4)};
    if (one.place < least || one.place >= field->count || field->ways[one.place] != PORTAL_WAY || one.parent >= field->count ||
        !is_reached(field, one.parent) || !has_portal(field, grid, one))
      return WEND_FORMAT;
    field->portal_steps[k] = one;
    least = one.place + 1;
  }
  return WEND_OK;
}

/* Whether all ways end. */
static wend_status check_ways(const wend_field *field) {
  const wend_alloc *alloc = &field->alloc;
  uint32_t *seen = NULL, capacity = 0;
  wend_status status = WEND_OK;
  if (!WEND_RESIZE(alloc, seen, capacity, field->count)) return WEND_NO_MEMORY;
  if (field->count > 0) memset(seen, 0, field->count * sizeof *seen);
  for (uint32_t i = 0; i < field->count && status == WEND_OK; i++)
    for (uint32_t p = i; p != WEND_NONE && seen[p] == 0; p = filed_parent(field, p)) {
      const uint32_t next = filed_parent(field, p);
      seen[p] = i + 1;
      if (next != WEND_NONE && seen[next] == i + 1) { /* of this very walk */
        status = WEND_FORMAT;
        break;
      }
    }
  WEND_FREE(alloc, seen, capacity);
  return status;
}

wend_status wend_field_decode(wend_field *field, wend_map *map, const void *bytes, size_t size) {
  wend_file_in f;
  wend_reader *r;
  uint64_t print;
  uint32_t flags;
  wend_status status;
  wend_field_reset(field);
  if (!wend_file_open_in(&f, bytes, size, WEND_FILE_FIELD)) return WEND_FORMAT;
  status = wend_map_fingerprint(map, f.version, &print);
  if (status != WEND_OK) return status;
  r = wend_file_section(&f, "FELD");
  if (wend_read_uint(r, 8) != print) return r->failed ? WEND_FORMAT : WEND_STALE;
  flags = (uint32_t)wend_read_uint(r, 4);
  if (flags > (IS_OUTWARD | IS_ALTERED | IS_ASKED)) return WEND_FORMAT;
  field->outward = (flags & IS_OUTWARD) != 0;
  field->altered = (flags & IS_ALTERED) != 0;
  field->asked = (flags & IS_ASKED) != 0;
  field->window = field->goal_count = field->portal_step_count = 0;
  field->grid_width = map->is_grid ? ((const wend_grid *)map)->width : 0;
  status = read_costs(&f, field, map);
  if (status == WEND_OK) status = read_values(&f, field);
  if (status == WEND_OK)
    status = map->is_grid ? read_grid_ways(&f, field, (const wend_grid *)map) : read_graph_ways(&f, field, (wend_graph *)map);
  if (status == WEND_OK && !wend_file_is_read(&f)) status = WEND_FORMAT;
  if (status == WEND_OK) status = check_ways(field);
  if (status == WEND_OK) status = find_closed(field, map);
  if (status != WEND_OK) {
    wend_field_reset(field);
    return status;
  }
  field->map = map;
  field->version = map->version;
  return WEND_OK;
}

bool wend_field_is_outward(const wend_field *field) { return field->outward; }
uint32_t wend_field_window(const wend_field *field) { return field->window; }
