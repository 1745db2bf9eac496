/* SPDX-License-Identifier: MIT */
/* Prepared maps: prepared.h has the contracts.
 *
 * Edits tell the tables which steps may be cheaper, by the functions `note` and `admit`, and these raise the slack of the tables
 * so that it allows for all steps. So a search reads one number for each column, and any number of searches can use the tables at
 * the same time.
 *
 *   grids    after each change of a cell: the steps from and to the cell, and those past it. Where there are walls, all steps
 *            between the nine cells around it. After one of a portal: that one. A cell that is closed or dearer now makes no
 *            step cheaper
 *   graphs   after each change of an edge or a node: the arcs at its ends. Edges that wait, before they are inserted
 *
 * A new node has no arcs, and a cell that was closed no steps, so any row agrees. When its first edges come, or it is opened, its
 * row is set from its neighbours: the costs of the steps added to what they have. For example, a new node in the middle of a
 * road of 10 units, whose ends have to = 50 and 40, gets 45 from the nearer end. */
#include "core/prepared/prepared.h"

#include <math.h>
#include <string.h>

#include "core/prepared/dead_ends.h"

WEND_NO_FUSING

/* Rows of new nodes are set in this many passes over the new edges. A long chain of new nodes may need more, and then raises the
 * slack. */
#define ADMIT_PASSES 8

/* ---- Steps ------------------------------------------------------------------------------------------------- */

static bool enters(const wend_region *region, const wend_grid *grid, const wend_prepared *prepared, uint32_t place) {
  const wend_cell cell = wend_region_get(region, grid, place);
  return cell.weight < INFINITY && wend_prepared_price(prepared, cell.tag, cell.weight) < INFINITY;
}

bool wend_prepared_enters(const wend_grid *grid, const wend_prepared *prepared, uint32_t place) {
  const wend_region region = wend_grid_region(grid);
  return enters(&region, grid, prepared, place);
}

/* The price of a step or portal. The tables have no item for tags that were added later, so the stepper cannot be asked: it
 * tells only whether the step is there, at the weights, and the tag gives the price. */
static double price_of_cell(wend_stepper *weights, const wend_prepared *prepared, uint32_t from, int direction) {
  const uint32_t to = (uint32_t)(from + wend_offset(weights->region.stride, direction));
  const wend_cell cell = wend_region_get(&weights->region, weights->grid, to);
  const double weight = wend_step_cell(weights, from, direction, 0, INFINITY, NULL);
  return weight < INFINITY ? wend_prepared_price(prepared, cell.tag, weight) : INFINITY;
}

static double price_of_portal(wend_stepper *weights, const wend_prepared *prepared, const wend_portal *portal) {
  const double weight = wend_step_portal(weights, portal, portal->from, portal->to, 0, INFINITY);
  return weight < INFINITY ? wend_prepared_price(prepared, portal->tag, weight) : INFINITY;
}

/* Allows for the step from a cell in a direction. Walls and corners are asked about only if it matters whether there is a step. */
static void allow_step(wend_stepper *weights, wend_prepared *prepared, uint32_t from, int direction) {
  const wend_region *region = &weights->region;
  const uint32_t to = (uint32_t)(from + wend_offset(region->stride, direction));
  const wend_cell cell = wend_region_get(region, weights->grid, to);
  double price;
  if (!(cell.weight < INFINITY)) return; /* closed, or outside */
  price = wend_prepared_price(prepared, cell.tag, wend_step_length(weights->grid, direction) * cell.weight);
  if (wend_prepared_difference(prepared, from, to) <= wend_prepared_units(prepared, price)) return;
  price = price_of_cell(weights, prepared, from, direction);
  wend_prepared_allow(prepared, &weights->grid->map.alloc, from, to, to, price);
}

static void allow_portal(wend_stepper *weights, wend_prepared *prepared, const wend_portal *portal) {
  if (portal->removed || !enters(&weights->region, weights->grid, prepared, portal->from) ||
      !enters(&weights->region, weights->grid, prepared, portal->to))
    return;
  wend_prepared_allow(prepared, &weights->grid->map.alloc, portal->from, portal->to, portal->to,
                      price_of_portal(weights, prepared, portal));
}

/* Allows for the portals that leave a cell, or with `back` lead to it. */
static void allow_portals(wend_stepper *weights, wend_prepared *prepared, uint32_t place, bool back) {
  uint32_t count;
  const wend_portal *portals = wend_grid_portals(weights->grid, place, back, &count);
  for (uint32_t i = 0; i < count; i++) allow_portal(weights, prepared, &portals[i]);
}

/* Allows for the steps and portals that leave a cell. */
static void allow_cell(wend_stepper *weights, wend_prepared *prepared, uint32_t from) {
  if (!enters(&weights->region, weights->grid, prepared, from)) return;
  for (int d = 0; d < 8; d++) allow_step(weights, prepared, from, d);
  if (weights->grid->live_portals > 0) allow_portals(weights, prepared, from, false);
}

static void allow_arc(const wend_graph *graph, wend_prepared *prepared, uint32_t from, uint32_t to, double price) {
  wend_prepared_allow(prepared, &graph->map.alloc, from, to, graph->slot_of[to], price);
}

/* Allows for the arcs that leave a place, or with `back` lead to it. */
static void allow_arcs(const wend_graph *graph, wend_prepared *prepared, uint32_t place, bool back) {
  const wend_span span = back ? graph->in[place] : graph->out[place];
  for (uint32_t i = span.first; i < span.end; i++) {
    const double price = wend_prepared_price(prepared, graph->arc_tag[i], fabs(graph->arc_weight[i]));
    allow_arc(graph, prepared, back ? graph->arc_to[i] : place, back ? place : graph->arc_to[i], price);
  }
}

static void allow_all(const wend_map *map, wend_prepared *prepared) {
  const wend_costs weights = {NULL, NULL, NULL};
  if (map->is_grid) {
    const wend_grid *grid = (const wend_grid *)map;
    wend_stepper stepper = wend_grid_stepper(grid, &weights);
    for (uint32_t place = 0; place < grid->place_count; place++) allow_cell(&stepper, prepared, place);
  } else {
    const wend_graph *graph = (const wend_graph *)map;
    for (uint32_t place = 0; place < graph->place_count; place++)
      if (graph->slot_of[place] != WEND_NONE) allow_arcs(graph, prepared, place, false);
  }
}

void wend_prepared_verify(const wend_map *map, wend_prepared *prepared) {
  prepared->off = false;
  allow_all(map, prepared);
}

/* ---- Edits ------------------------------------------------------------------------------------------------- */

/* Lowers a number of a row, so that a step from a place that has `far` to one that has *near, or back, agrees. */
static bool lower_number(uint16_t *near, uint32_t far) {
  if (far >= *near) return false;
  *near = (uint16_t)far;
  return true;
}

/* Lowers the numbers of the row of a new node, so that a step of this price from it, or with `back` to it, agrees. */
static bool lower_row(const wend_prepared *prepared, uint32_t node, uint32_t other, double price, bool back) {
  uint16_t *row = wend_prepared_row(prepared, node);
  const uint16_t *known = wend_prepared_row(prepared, other);
  const uint32_t step = wend_prepared_units(prepared, price);
  const uint32_t first = back && !prepared->two_way ? prepared->count : 0;
  bool lowered = false;
  for (uint32_t i = first; i < first + prepared->landmarks; i++)
    if (lower_number(&row[i], known[i] + step)) lowered = true;
  return lowered;
}

/* Whether a row says nothing: its place was closed or not there when the tables were made. */
static bool is_blank(const wend_prepared *prepared, uint32_t place) {
  const uint16_t *row = wend_prepared_row(prepared, place);
  for (uint32_t i = 0; i < prepared->stride; i++)
    if (i % prepared->count < prepared->landmarks && row[i] != POTENTIAL_MAX) return false;
  return true;
}

/* Sets the row of a cell that is open now, and was not before, from its neighbours. Then all its steps must be allowed for. */
static void set_blank_row(wend_stepper *weights, const wend_prepared *prepared, uint32_t place) {
  for (int d = 0; d < 8; d++) {
    const uint32_t other = (uint32_t)(place + wend_offset(weights->region.stride, d));
    double price;
    if (!wend_region_has(&weights->region, other) || !enters(&weights->region, weights->grid, prepared, other)) continue;
    price = price_of_cell(weights, prepared, place, d);
    if (price < INFINITY) (void)lower_row(prepared, place, other, price, false);
    price = price_of_cell(weights, prepared, other, 7 - d);
    if (price < INFINITY) (void)lower_row(prepared, place, other, price, true);
  }
}

/* Whether a step in a direction from the cell dx columns and dy rows beside another leads to one of the nine cells around it. */
static bool is_near(int dx, int dy, int direction) {
  const int64_t to = wend_offset(16, direction), row = to > 8 ? 1 : to < -8 ? -1 : 0;
  const int64_t x = dx + to - 16 * row, y = dy + row;
  return x >= -1 && x <= 1 && y >= -1 && y <= 1;
}

/* Allows for the steps from and to a cell that is open. Where corners matter, also the diagonal steps past it, between two of the
 * cells above, below and beside it. */
static void allow_around(wend_stepper *weights, wend_prepared *prepared, uint32_t place) {
  static const int past[4][3] = {/* a neighbour, and the directions from it to two others */
                                 {NORTH, SOUTH_WEST, SOUTH_EAST},
                                 {WEST, NORTH_EAST, SOUTH_EAST},
                                 {EAST, NORTH_WEST, SOUTH_WEST},
                                 {SOUTH, NORTH_WEST, NORTH_EAST}};
  const wend_grid *grid = weights->grid;
  const bool corners = grid->diagonals == WEND_BOTH_OPEN || grid->diagonals == WEND_ONE_OPEN;
  for (int d = 0; d < 8; d++) {
    const uint32_t other = (uint32_t)(place + wend_offset(grid->stride, d));
    if (!wend_region_has(&weights->region, other) || !enters(&weights->region, grid, prepared, other)) continue;
    allow_step(weights, prepared, place, d);
    allow_step(weights, prepared, other, 7 - d);
  }
  for (int i = 0; corners && i < 4; i++) {
    const uint32_t from = (uint32_t)(place + wend_offset(grid->stride, past[i][0]));
    if (!wend_region_has(&weights->region, from) || !enters(&weights->region, grid, prepared, from)) continue;
    allow_step(weights, prepared, from, past[i][1]);
    allow_step(weights, prepared, from, past[i][2]);
  }
}

static void note_cell(const wend_grid *grid, wend_prepared *prepared, uint32_t place) {
  const wend_costs weights = {NULL, NULL, NULL};
  wend_stepper stepper = wend_grid_stepper(grid, &weights);
  /* A cell that is closed now opens no step. Walls that were removed beside it may. */
  const bool open = enters(&stepper.region, grid, prepared, place);
  if (grid->walls == NULL && !open) return;
  if (open && is_blank(prepared, place)) set_blank_row(&stepper, prepared, place);
  if (grid->walls == NULL) allow_around(&stepper, prepared, place);
  for (int dy = -1; grid->walls != NULL && dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      const uint32_t from = (uint32_t)(place + (int64_t)dy * grid->stride + dx);
      if (!enters(&stepper.region, grid, prepared, from)) continue;
      for (int d = 0; d < 8; d++)
        if (is_near(dx, dy, d)) allow_step(&stepper, prepared, from, d);
    }
  if (grid->live_portals == 0) return;
  allow_portals(&stepper, prepared, place, false);
  allow_portals(&stepper, prepared, place, true);
}

/* wend_prepared.note */
static void note_place(wend_map *map, uint32_t place) {
  wend_prepared *prepared = map->prepared;
  if (prepared->off) return;
  if (map->is_grid && place != WEND_NONE) {
    note_cell((const wend_grid *)map, prepared, place);
  } else if (map->is_grid) {
    allow_all(map, prepared);
  } else if (place < prepared->place_count) {
    allow_arcs((const wend_graph *)map, prepared, place, false);
    allow_arcs((const wend_graph *)map, prepared, place, true);
  }
}

/* wend_prepared.note_portal */
static void note_new_portal(wend_map *map, uint32_t from, uint32_t to) {
  const wend_grid *grid = (const wend_grid *)map;
  const wend_costs weights = {NULL, NULL, NULL};
  wend_stepper stepper = wend_grid_stepper(grid, &weights);
  if (!map->prepared->off) allow_portal(&stepper, map->prepared, wend_grid_portal(grid, from, to));
}

/* Whether a node has no arcs, so that any row agrees. */
static bool is_alone(const wend_graph *graph, uint32_t place) { return graph->out[place].first == graph->in[place].end; }

/* wend_prepared.admit */
static bool admit_edges(wend_graph *graph) {
  wend_prepared *prepared = graph->map.prepared;
  bool lowered = true;
  if (!wend_prepared_grow(prepared, &graph->map.alloc, graph->place_count)) return false;
  if (prepared->off) return true;
  for (int pass = 0; lowered && pass < ADMIT_PASSES; pass++) {
    lowered = false;
    for (uint32_t i = 0; i < graph->pending_count; i++) {
      const wend_pending *edge = &graph->pending[i];
      const uint32_t from = graph->nodes.value[edge->from], to = graph->nodes.value[edge->to];
      const double price = wend_prepared_price(prepared, edge->kind >> ARC_TAG_SHIFT, edge->weight);
      if (!(price < INFINITY)) continue;
      if (is_alone(graph, from)) {
        lowered = lower_row(prepared, from, to, price, false) || lowered;
        if (!edge->directed) lowered = lower_row(prepared, from, to, price, true) || lowered;
      }
      if (is_alone(graph, to)) {
        lowered = lower_row(prepared, to, from, price, true) || lowered;
        if (!edge->directed) lowered = lower_row(prepared, to, from, price, false) || lowered;
      }
    }
  }
  for (uint32_t i = 0; i < graph->pending_count; i++) {
    const wend_pending *edge = &graph->pending[i];
    const uint32_t from = graph->nodes.value[edge->from], to = graph->nodes.value[edge->to];
    const double price = wend_prepared_price(prepared, edge->kind >> ARC_TAG_SHIFT, edge->weight);
    allow_arc(graph, prepared, from, to, price);
    if (!edge->directed) allow_arc(graph, prepared, to, from, price);
  }
  return true;
}

/* Lowers the row of a place by all its arcs. */
static bool lower_by_arcs(const wend_graph *graph, const wend_prepared *prepared, uint32_t place, bool back) {
  const wend_span span = back ? graph->in[place] : graph->out[place];
  bool lowered = false;
  for (uint32_t i = span.first; i < span.end; i++) {
    const double price = wend_prepared_price(prepared, graph->arc_tag[i], fabs(graph->arc_weight[i]));
    if (price < INFINITY && lower_row(prepared, place, graph->arc_to[i], price, back)) lowered = true;
  }
  return lowered;
}

bool wend_prepared_adopt(const wend_graph *graph, wend_prepared *prepared, uint32_t first) {
  bool lowered = true;
  if (!wend_prepared_grow(prepared, &graph->map.alloc, graph->place_count)) return false;
  for (int pass = 0; lowered && pass < ADMIT_PASSES; pass++) {
    lowered = false;
    for (uint32_t place = first; place < graph->place_count; place++) {
      lowered = lower_by_arcs(graph, prepared, place, false) || lowered;
      lowered = lower_by_arcs(graph, prepared, place, true) || lowered;
    }
  }
  return true;
}

/* ---- Agents ------------------------------------------------------------------------------------------------ */

/* The cost of a tag in the costs that the tables are for, and for an agent. */
static wend_tag_cost prepared_cost(const wend_prepared *prepared, uint32_t tag) {
  const wend_tag_cost as_it_is = {1, 0, 1, false};
  return prepared->tags != NULL && tag < prepared->tag_count ? prepared->tags[tag] : as_it_is;
}

/* The share of one tag: weight x times + plus is at least this share of what it is in the tables. INFINITY: the tag is closed
 * for the agent, or free in the tables. */
static double share_of_tag(wend_tag_cost a, wend_tag_cost p, bool asked) {
  double share = INFINITY;
  if (asked && a.asks && !(a.at_least > 0)) return 0;
  if (a.plus == INFINITY) return INFINITY;
  if (p.plus == INFINITY) return 0;
  if (p.times > 0) share = a.times / p.times;
  if (p.plus > 0 && a.plus / p.plus < share) share = a.plus / p.plus;
  return asked && a.asks ? share * a.at_least : share;
}

double wend_prepared_share(const wend_map *map, const wend_costs *costs) {
  const wend_prepared *prepared = map->prepared;
  const wend_grid *grid = map->is_grid ? (const wend_grid *)map : NULL;
  const wend_tag_cost as_it_is = {1, 0, 1, false};
  double share = INFINITY;
  if (costs->tags == NULL && prepared->tags == NULL) return 1;
#define LOWER(tag)                                                                                                        \
  do {                                                                                                                    \
    const wend_tag_cost mine_ = costs->tags == NULL ? as_it_is : costs->tags[tag];                                        \
    const double of_tag_ = share_of_tag(mine_, prepared_cost(prepared, tag), costs->tags != NULL && costs->edge != NULL); \
    if (!(of_tag_ >= share)) share = of_tag_;                                                                             \
  } while (0)
  if (grid != NULL && grid->kinds != NULL) {
    for (uint32_t k = KIND_FIRST; k < grid->kind_count; k++)
      if (grid->palette[k].count > 0 && grid->palette[k].weight < INFINITY) LOWER(grid->palette[k].tag);
  } else {
    for (uint32_t tag = 0; tag <= wend_map_tag_count(map); tag++)
      if (wend_histogram_count(&map->ratios, tag) > 0) LOWER(tag);
  }
  for (uint32_t i = 0; grid != NULL && i < grid->portal_count; i++)
    if (!grid->out[i].removed) LOWER(grid->out[i].tag);
#undef LOWER
  if (!(share >= 0)) return 0; /* NaN */
  return share < INFINITY ? share : 1;
}

/* The mean slack of the columns, in units. */
static double mean_slack(const wend_prepared *prepared) {
  double sum = 0;
  for (uint32_t i = 0; i < prepared->landmarks; i++) sum += prepared->slack.sums[i] + prepared->slack.sums[prepared->count + i];
  return prepared->landmarks > 0 ? sum / (2.0 * prepared->landmarks) : 0;
}

bool wend_map_prepared(wend_map *map, const wend_costs *costs, wend_prepared_info *info) {
  const wend_prepared *prepared = map->prepared;
  memset(info, 0, sizeof *info);
  if (!map->is_grid && wend_graph_sync((wend_graph *)map) != WEND_OK) return false;
  if (prepared == NULL) return false;
  info->landmarks = prepared->landmarks;
  info->bytes = wend_prepared_bytes(prepared);
  if (prepared->ends != NULL) {
    info->bytes += wend_dead_ends_bytes(prepared->ends);
    info->dead_ends = prepared->ends->left_out;
  }
  info->unit = prepared->unit;
  info->share = wend_prepared_share(map, costs);
  info->slack = info->share * prepared->unit * mean_slack(prepared);
  info->reason = !(info->share > 0) ? WEND_PREPARED_COSTS : prepared->off ? WEND_PREPARED_EDITS : WEND_PREPARED_USED;
  return true;
}

/* ---- Lifetime ---------------------------------------------------------------------------------------------- */

wend_prepared *wend_prepared_new(const wend_map *map, uint32_t landmarks, bool two_way, double unit, const wend_costs *costs) {
  const uint32_t places = map->is_grid ? ((const wend_grid *)map)->place_count : ((const wend_graph *)map)->place_count;
  const uint32_t tags = costs->tags != NULL ? wend_map_tag_count(map) + 1 : 0;
  const wend_alloc *alloc = &map->alloc;
  wend_prepared *made = wend_new_part(alloc, sizeof *made);
  if (made == NULL) return NULL;
  made->landmarks = landmarks;
  made->count = landmarks <= 8 ? 8 : 16;
  made->stride = two_way ? made->count : 2 * made->count;
  made->two_way = two_way;
  made->unit = unit;
  made->slack.width = 2 * made->count;
  if (!wend_resize(alloc, &made->rows, &made->capacity, places > 0 ? places : 1, made->stride * sizeof *made->rows) ||
      !wend_prepared_grow(made, alloc, places) || (tags > 0 && !WEND_RESIZE(alloc, made->tags, made->tags_capacity, tags))) {
    wend_prepared_free(made, alloc);
    return NULL;
  }
  if (tags > 0) memcpy(made->tags, costs->tags, tags * sizeof *made->tags);
  made->tag_count = tags;
  return made;
}

void wend_prepared_install(wend_map *map, wend_prepared *prepared) {
  wend_prepared_free(map->prepared, &map->alloc);
  map->prepared = prepared;
  if (prepared == NULL) return;
  prepared->note = note_place;
  prepared->note_portal = note_new_portal;
  prepared->admit = admit_edges;
  prepared->stamp = wend_map_new_serial();
}

void wend_map_unprepare(wend_map *map) { wend_prepared_install(map, NULL); }
