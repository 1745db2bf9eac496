/* SPDX-License-Identifier: MIT */
/* Bounds of costs before a search: bounds.h has the contracts.
 *
 * For a graph, each tag has a least ratio of weight to length, and the cost of the tag for the agent changes that ratio. For a
 * grid, each kind of cell (without a palette: each tag) is a sample: a weight, a cost of the tag, and a count of cells.
 *
 * An example of a graph: roads have a least ratio of 1, swamps of 1.5. An agent pays 1 x for roads, 2 x + 5 for swamps. The
 * least cost per length is the lesser of 1 x 1 and 1.5 x 2, so 1. The 5 do not count: a long edge pays them only once. If an
 * edge function asks about swamps and promises at_least 0.25, swamps have 1.5 x 2 x 0.25 = 0.75, which is the least. Without a
 * promise the result is 0.
 *
 * An example of a grid: 900 cells weigh 1, 100 cells weigh 20. `least` and `cheapest` are 1. For `typical` the 100 cells count
 * only 8 each: (900 x 1 + 100 x 8) / 1000 = 1.7. On grids a cost that is added counts for `least`, because no step is longer
 * than a diagonal one: if that is 1.41 long, each unit of length pays at least 1 / 1.41 of it. */
#include "core/cost/bounds.h"

WEND_NO_FUSING

/* ---- Shortcuts --------------------------------------------------------------------------------------------- */

/* Whether a shortcut comes after another one: by ratio, then by length. Sums over them are the same for every order of edges. */
static bool comes_after(const wend_shortcut *a, const wend_shortcut *b) {
  return a->ratio > b->ratio || (a->ratio == b->ratio && a->length > b->length);
}

/* Adds a shortcut to those found, which are in order. If they are too many, the one with the greatest ratio is no shortcut. */
static void add_shortcut(wend_shortcuts *found, wend_shortcut shortcut) {
  uint32_t to = found->count;
  for (; to > 0 && comes_after(&found->at[to - 1], &shortcut); to--) {
    if (to < found->capacity) found->at[to] = found->at[to - 1];
    else found->least = found->at[to - 1].ratio;
  }
  if (to < found->capacity) found->at[to] = shortcut;
  else if (shortcut.ratio < found->least) found->least = shortcut.ratio;
  if (found->count < found->capacity) found->count++;
}

/* Keeps the shortcuts that are worth it: removes each one whose ratio is high. Most are there in both directions: two
 * count as one edge. found->least: the bound of all steps that are not in the list. least: the bound of all steps. */
static void choose_shortcuts(wend_shortcuts *found, double least) {
  double best = WEND_SHORTCUTS_GAIN * least, bound = least;
  uint32_t kept = 0;
  for (uint32_t i = 0; i <= found->count; i++) {
    const double next = i < found->count && found->at[i].ratio < found->least ? found->at[i].ratio : found->least;
    const double worth = wend_shortcuts_worth(next, (i + 1) / 2);
    if ((i == 0 || next > found->at[i - 1].ratio) && worth > best) best = worth, kept = i, bound = next;
  }
  found->count = kept;
  found->least = bound;
}

/* ---- Graphs ------------------------------------------------------------------------------------------------ */

/* The least cost per length of the edges of a tag, for this agent. ratio: their least ratio of weight to length. 0: it is
 * unknown. INFINITY: there are no open ones. */
static double least_of_tag(const wend_costs *costs, uint32_t tag, double ratio) {
  const wend_tag_cost *cost;
  if (ratio == INFINITY || costs->tags == NULL) return ratio;
  cost = &costs->tags[tag];
  if (cost->asks && !(cost->at_least > 0)) return 0; /* the edge function may return any cost, even if the tag is closed */
  if (cost->plus == INFINITY) return INFINITY;
  ratio *= cost->times;
  if (cost->asks) ratio *= cost->at_least;
  return cost->times < WEND_LEAST_MIN || ratio < WEND_LEAST_MIN ? 0 : ratio;
}

double wend_graph_node_share(const wend_graph *graph, const wend_costs *costs) {
  double share = graph->tagged_count < graph->nodes.live ? 1 : INFINITY;
  if (!wend_has_node_costs(graph, costs)) return 1;
  for (uint32_t tag = 1; tag < graph->tagged_capacity && share > 0; tag++) {
    /* Rounding may be in another order than along a path. */
    const double least = graph->tagged[tag] > 0 ? least_of_tag(costs, tag, 1 - 1e-12) : INFINITY;
    if (least < share) share = least;
  }
  return share < INFINITY ? share : 1;
}

double wend_graph_least(const wend_graph *graph, const wend_costs *costs) {
  const double share = wend_graph_node_share(graph, costs);
  double least = INFINITY;
  if (graph->map.scales.count[0] > 0 || !(share > 0)) return 0; /* weights below 2^-63: see WEND_LEAST_MIN */
  for (uint32_t tag = 0; tag <= wend_map_tag_count(&graph->map); tag++) {
    const double ratio = least_of_tag(costs, tag, wend_histogram_least(&graph->map.ratios, tag));
    if (ratio < least) least = ratio;
  }
  return least < INFINITY ? least * share : 0;
}

/* The least cost of an edge in one direction. INFINITY: it is closed. */
static double edge_cost(const wend_stepper *stepper, uint32_t to, uint32_t arc) {
  const double weight = stepper->graph->arc_weight[arc];
  return wend_is_blocked(weight) ? INFINITY : wend_arc_price(stepper, arc, to, weight).least;
}

/* Adds the directions of an edge to the shortcuts found, if they are open and cost less for their length than others: the agent may
 * pay more for them. The edge has any length > 0. */
static void add_edge(wend_shortcuts *found, const wend_stepper *stepper, const wend_ends *e) {
  const double there = edge_cost(stepper, e->to, e->from_arc);
  const double back = e->directed ? INFINITY : edge_cost(stepper, e->from, e->to_arc);
  wend_shortcut shortcut = {e->from, e->to, there, 0, wend_graph_distance(stepper->graph, e->from, e->to), false};
  shortcut.ratio = (there < back ? there : back) / shortcut.length;
  if (!(shortcut.ratio < found->least)) return;
  if (there < INFINITY) add_shortcut(found, shortcut);
  shortcut.from = e->to, shortcut.to = e->from, shortcut.cost = back, shortcut.again = there < INFINITY;
  if (back < INFINITY) add_shortcut(found, shortcut);
}

void wend_graph_shortcuts(const wend_graph *graph, const wend_costs *costs, double least, wend_shortcuts *found) {
  const wend_histogram *ratios = &graph->map.ratios;
  const wend_stepper stepper = wend_graph_stepper(graph, costs);
  found->count = 0;
  found->capacity = 2 * WEND_SHORTCUTS_MAX;
  found->least = least;
  if (ratios->cut == 0 || graph->map.scales.count[0] > 0) return;
  found->least = INFINITY;
  for (uint32_t tag = 0; tag <= wend_map_tag_count(&graph->map); tag++) {
    const double ratio = least_of_tag(costs, tag, wend_histogram_rest(ratios, tag));
    if (ratio < found->least) found->least = ratio;
  }
  if (found->least < INFINITY) found->least *= wend_graph_node_share(graph, costs);
  if (found->least == INFINITY || !(found->least > least)) {
    found->least = least;
    return;
  }
  for (uint32_t i = 0; i < ratios->listed_count; i++) {
    const wend_ends e = wend_graph_ends(graph, ratios->listed[i].edge);
    add_edge(found, &stepper, &e);
  }
  choose_shortcuts(found, least);
}

/* The cost of an edge of a typical weight with a tag, before the edge function. */
static double typical_of_tag(const wend_costs *costs, uint32_t tag, double weight) {
  return wend_price_of(COSTS_TAGS, costs->tags, tag, weight).cost;
}

double wend_graph_typical(const wend_graph *graph, const wend_costs *costs) {
  const double weight = wend_scales_typical(&graph->map.scales);
  const uint32_t tags = costs->tags == NULL ? 0 : wend_map_tag_count(&graph->map) + 1;
  double least = INFINITY, sum = 0, count = 0;
  for (uint32_t tag = 0; tag < tags; tag++) {
    const double typical = typical_of_tag(costs, tag, weight);
    if (wend_histogram_count(&graph->map.ratios, tag) > 0 && typical > 0 && typical < least) least = typical;
  }
  for (uint32_t tag = 0; tag < tags; tag++) {
    const double typical = typical_of_tag(costs, tag, weight), edges = (double)wend_histogram_count(&graph->map.ratios, tag);
    if (typical == INFINITY || edges == 0) continue;
    sum += edges * (typical < 8 * least ? typical : 8 * least);
    count += edges;
  }
  return sum > 0 ? sum / count : weight;
}

/* ---- Grids ------------------------------------------------------------------------------------------------- */

/* The cells of one kind, or without a palette of one tag. */
typedef struct sample {
  double weight, typical; /* the least and the typical weight; for a kind both are its weight */
  wend_tag_cost cost;
  uint64_t count;
} sample;

/* How many samples a grid has: kinds, or without a palette tags and "no tag". */
static uint32_t sample_count(const wend_grid *grid) {
  return grid->kinds != NULL ? grid->kind_count : wend_map_tag_count(&grid->map) + 1;
}

/* The i-th sample. Without a palette all samples have the same typical weight, that of the whole grid. */
static sample take_sample(const wend_grid *grid, const wend_costs *costs, uint32_t i) {
  const wend_tag_cost as_it_is = {1, 0, 1, false, false, false};
  sample taken = {INFINITY, INFINITY, as_it_is, 0};
  uint32_t tag = i;
  if (grid->kinds != NULL) {
    if (i == KIND_OUTSIDE || grid->palette[i].count == 0) return taken;
    taken.weight = taken.typical = grid->palette[i].weight;
    taken.count = grid->palette[i].count;
    tag = grid->palette[i].tag;
  } else {
    taken.count = wend_histogram_count(&grid->map.ratios, i);
    taken.weight = wend_histogram_least(&grid->map.ratios, i);
    taken.typical = wend_scales_typical(&grid->map.scales);
  }
  if (costs->tags != NULL) taken.cost = costs->tags[tag];
  return taken;
}

/* Whether some cell of the sample is open. */
static bool is_open_sample(const sample *taken) {
  return taken->count > 0 && taken->weight < INFINITY && taken->cost.plus < INFINITY;
}

/* The cost of a straight step before the edge function. */
static double straight_of(const sample *taken) { return wend_price_of(COSTS_TAGS, &taken->cost, 0, taken->typical).cost; }

/* Lowers the bounds to those of a sample. A step of length s costs s x weight x times + plus, which is per length at least
 * weight x times + plus / longest, where `longest` is the length of a diagonal step: no step is longer than that. */
static void note_bounds(wend_cost_summary *summary, const sample *taken, double longest) {
  double least = taken->weight * taken->cost.times, straight = straight_of(taken);
  if (taken->cost.plus > 0) least = (least + taken->cost.plus / longest) * (1 - 1e-12);
  if (taken->cost.asks) least *= taken->cost.at_least;
  if (least < summary->least) summary->least = least;
  if (straight > 0 && straight < summary->cheapest) summary->cheapest = straight;
  if (summary->uniform == INFINITY) summary->uniform = straight;
  if (straight != summary->uniform || taken->cost.plus > 0 || taken->cost.asks) summary->uniform = 0;
}

wend_cost_summary wend_grid_summarize(const wend_grid *grid, const wend_costs *costs) {
  wend_cost_summary summary = {INFINITY, INFINITY, 0, INFINITY};
  const uint32_t samples = sample_count(grid);
  uint64_t sum = 0, all = 0;
  if (grid->kinds == NULL) summary.uniform = 0;
  for (uint32_t i = 0; i < samples; i++) {
    const sample taken = take_sample(grid, costs, i);
    /* Without at_least, the edge function may return any cost, even if the cell is closed. */
    if (taken.count > 0 && taken.cost.asks && !(taken.cost.at_least > 0)) summary.least = 0;
    if (is_open_sample(&taken)) note_bounds(&summary, &taken, grid->diagonal_length);
  }
  if (summary.uniform == INFINITY) summary.uniform = 0;
  if (summary.least == INFINITY) summary.least = 0;
  if (summary.least < WEND_LEAST_MIN) summary.least = summary.uniform = 0; /* jumps multiply the cost of a step, too */
  if (summary.cheapest == INFINITY) return summary;
  /* The sum uses integers, so it does not depend on the order of the kinds. */
  for (uint32_t i = 0; i < samples; i++) {
    const sample taken = take_sample(grid, costs, i);
    double ratio = straight_of(&taken) / summary.cheapest;
    if (!is_open_sample(&taken)) continue;
    sum += taken.count * (uint64_t)((ratio < 8 ? ratio : 8) * 1048576);
    all += taken.count;
  }
  summary.typical = summary.cheapest * ((double)sum / (double)all / 1048576);
  return summary;
}

/* The length of a portal: that of the shortest path between its ends over open cells. */
static double portal_length(const wend_grid *grid, const wend_portal *portal) {
  const wend_region region = wend_grid_region(grid);
  double x = (double)wend_region_x(&region, portal->from) - wend_region_x(&region, portal->to);
  double y = (double)wend_region_y(&region, portal->from) - wend_region_y(&region, portal->to);
  const double minor = grid->diagonals == WEND_NEVER ? 1 : grid->diagonal_length - 1;
  if (grid->shape != WEND_SQUARES) return wend_hex_distance(&region, grid->shape, portal->from, portal->to);
  x = fabs(x), y = fabs(y);
  return x > y ? x + minor * y : y + minor * x;
}

double wend_grid_shortcuts(const wend_grid *grid, const wend_costs *costs, double least, wend_shortcuts *found) {
  const wend_cost_kind kind = wend_cost_kind_of(costs);
  double all;
  found->count = 0;
  found->capacity = WEND_WAYS_IN_MAX;
  found->least = least;
  for (uint32_t i = 0; i < grid->portal_count; i++) {
    const wend_portal *portal = &grid->out[i];
    double length, cost;
    if (portal->removed) continue;
    length = portal_length(grid, portal);
    cost = wend_price_of(kind, costs->tags, portal->tag, portal->weight).least;
    if (cost < found->least * length)
      add_shortcut(found, (wend_shortcut){portal->from, portal->to, cost, cost / length * (1 - 1e-12), 0, false});
  }
  all = found->count > 0 ? found->at[0].ratio : least;
  choose_shortcuts(found, all);
  return all;
}

bool wend_grid_asks(const wend_grid *grid, const wend_costs *costs) {
  if (costs->edge == NULL || costs->tags == NULL) return false;
  for (uint32_t i = 0; i < grid->portal_count; i++)
    if (!grid->out[i].removed && costs->tags[grid->out[i].tag].asks) return true;
  if (grid->kinds == NULL) {
    for (uint32_t tag = 0; tag <= wend_map_tag_count(&grid->map); tag++)
      if (costs->tags[tag].asks && wend_histogram_count(&grid->map.ratios, tag) > 0) return true;
    return false;
  }
  for (uint32_t k = KIND_FIRST; k < grid->kind_count; k++)
    if (grid->palette[k].count > 0 && costs->tags[grid->palette[k].tag].asks) return true;
  return false;
}

double wend_grid_asked_share(const wend_grid *grid, const wend_costs *costs) {
  uint64_t asked = 0, all = 0;
  for (uint32_t k = KIND_FIRST; k < grid->kind_count; k++) {
    const sample taken = take_sample(grid, costs, k);
    if (!is_open_sample(&taken)) continue;
    all += taken.count;
    if (taken.cost.asks) asked += taken.count;
  }
  return all > 0 ? (double)asked / (double)all : 0;
}

bool wend_grid_is_alike(const wend_grid *grid) {
  const wend_costs weights = {NULL, NULL, NULL, 0, NULL, 0};
  uint32_t open = 0;
  if (grid->kinds == NULL || !wend_grid_is_plain(grid, &weights) || grid->diagonals != WEND_BOTH_OPEN ||
      grid->diagonal_length > WEND_JUMP_DIAGONAL_MAX)
    return false;
  for (uint32_t k = KIND_FIRST; k < grid->kind_count; k++)
    if (grid->palette[k].count > 0 && grid->palette[k].weight < INFINITY) open++;
  return open == 1 && wend_grid_summarize(grid, &weights).uniform > 0;
}
