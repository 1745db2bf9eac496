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
 * than a diagonal one: each unit of length pays at least 1 / 1.41 of it. */
#include "core/map/bounds.h"

WEND_NO_FUSING

/* ---- Graphs ------------------------------------------------------------------------------------------------ */

double wend_graph_least(const wend_graph *graph, const wend_costs *costs) {
  double least = INFINITY;
  if (graph->map.scales.count[0] > 0) return 0; /* weights below 2^-63: see WEND_LEAST_MIN */
  for (uint32_t tag = 0; tag <= wend_map_tag_count(&graph->map); tag++) {
    double ratio = wend_ratios_least(&graph->map.ratios, tag);
    if (ratio == INFINITY) continue;
    if (costs->tags != NULL) {
      const wend_tag_cost *cost = &costs->tags[tag];
      if (cost->asks && !(cost->at_least > 0)) return 0; /* the edge function may return any cost, even if the tag is closed */
      if (cost->plus == INFINITY) continue;
      ratio *= cost->times;
      if (cost->asks) ratio *= cost->at_least;
      if (cost->times < WEND_LEAST_MIN || ratio < WEND_LEAST_MIN) return 0;
    }
    if (ratio < least) least = ratio;
  }
  return least < INFINITY ? least : 0;
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
    if (wend_ratios_count(&graph->map.ratios, tag) > 0 && typical > 0 && typical < least) least = typical;
  }
  for (uint32_t tag = 0; tag < tags; tag++) {
    const double typical = typical_of_tag(costs, tag, weight), edges = (double)wend_ratios_count(&graph->map.ratios, tag);
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
  const wend_tag_cost as_it_is = {1, 0, 1, false};
  sample taken = {INFINITY, INFINITY, as_it_is, 0};
  uint32_t tag = i;
  if (grid->kinds != NULL) {
    if (i == KIND_OUTSIDE || grid->palette[i].count == 0) return taken;
    taken.weight = taken.typical = grid->palette[i].weight;
    taken.count = grid->palette[i].count;
    tag = grid->palette[i].tag;
  } else {
    taken.count = wend_ratios_count(&grid->map.ratios, i);
    taken.weight = wend_ratios_least(&grid->map.ratios, i);
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
 * weight x times + plus / WEND_DIAGONAL, since no step is longer than that. */
static void note_bounds(wend_cost_summary *summary, const sample *taken) {
  double least = taken->weight * taken->cost.times, straight = straight_of(taken);
  if (taken->cost.plus > 0) least = (least + taken->cost.plus / WEND_DIAGONAL) * (1 - 1e-12);
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
    if (is_open_sample(&taken)) note_bounds(&summary, &taken);
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

bool wend_grid_asks(const wend_grid *grid, const wend_costs *costs) {
  if (costs->edge == NULL || costs->tags == NULL) return false;
  for (uint32_t i = 0; i < grid->portal_count; i++)
    if (!grid->out[i].removed && costs->tags[grid->out[i].tag].asks) return true;
  if (grid->kinds == NULL) {
    for (uint32_t tag = 0; tag <= wend_map_tag_count(&grid->map); tag++)
      if (costs->tags[tag].asks && wend_ratios_count(&grid->map.ratios, tag) > 0) return true;
    return false;
  }
  for (uint32_t k = KIND_FIRST; k < grid->kind_count; k++)
    if (grid->palette[k].count > 0 && costs->tags[grid->palette[k].tag].asks) return true;
  return false;
}
