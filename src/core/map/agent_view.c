/* SPDX-License-Identifier: MIT */
/* What a grid is for an agent: costs by kind, and bit maps of what is open. Kept between searches and through edits, so
 * that neither a profile nor a map of any size has to be gone through before a short search. */
#include <string.h>

#include "core/map/grid.h"

WEND_NO_FUSING

wend_step_cost wend_step_cost_of(wend_cell cell, const wend_tag_cost *tags) {
  wend_step_cost cost = {INFINITY, INFINITY};
  double times = 1, plus = 0;
  if (tags != NULL) times = tags[cell.tag].times, plus = tags[cell.tag].plus;
  if (!(cell.weight < INFINITY) || plus == INFINITY) return cost;
  cost.straight = cell.weight * times + plus;
  cost.diagonal = WEND_DIAGONAL * cell.weight * times + plus;
  return cost;
}

/* ---- Surveys ----------------------------------------------------------------------------------------------- */

/* Cells of one kind, or, where there is no palette, of one tag. */
typedef struct sample {
  double weight, typical; /* typical: the same, where it is of a kind */
  wend_tag_cost cost;
  uint64_t count;
} sample;

static uint32_t sample_count(const wend_grid *grid) {
  return grid->kinds != NULL ? grid->kind_count : wend_map_tag_count(&grid->map) + 1;
}

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
    taken.typical = grid->map.scales.typical;
  }
  if (costs->tags != NULL) taken.cost = costs->tags[tag];
  return taken;
}

static bool is_walked(const sample *taken) {
  return taken->count > 0 && taken->weight < INFINITY && taken->cost.plus < INFINITY;
}

static double straight_of(const sample *taken) { return taken->typical * taken->cost.times + taken->cost.plus; }

static void note_bounds(wend_cost_summary *summary, const sample *taken) {
  double least = taken->weight * taken->cost.times, straight = straight_of(taken);
  if (taken->cost.plus > 0) least = (least + taken->cost.plus / WEND_DIAGONAL) * (1 - 1e-12);
  if (taken->cost.asks) least *= taken->cost.at_least;
  if (least < summary->least) summary->least = least;
  if (straight > 0 && straight < summary->cheapest) summary->cheapest = straight;
  if (summary->uniform == INFINITY) summary->uniform = straight;
  if (straight != summary->uniform || taken->cost.plus > 0 || taken->cost.asks) summary->uniform = 0;
}

wend_cost_summary wend_grid_summarize(wend_grid *grid, const wend_costs *costs) {
  wend_cost_summary summary = {INFINITY, INFINITY, 0, INFINITY};
  const uint32_t samples = sample_count(grid);
  uint64_t sum = 0, all = 0;
  if (grid->kinds == NULL) {
    wend_ratios_settle(&grid->map.ratios);
    wend_scales_settle(&grid->map.scales);
    summary.uniform = 0;
  }
  for (uint32_t i = 0; i < samples; i++) {
    const sample taken = take_sample(grid, costs, i);
    /* What is asked about without a promise may be made to cost anything, closed or not. */
    if (taken.count > 0 && taken.cost.asks && !(taken.cost.at_least > 0)) summary.least = 0;
    if (is_walked(&taken)) note_bounds(&summary, &taken);
  }
  if (summary.uniform == INFINITY) summary.uniform = 0;
  if (summary.least == INFINITY) summary.least = 0;
  if (summary.least < WEND_LEAST_MIN) summary.least = summary.uniform = 0; /* jumps multiply what steps cost, too */
  if (summary.cheapest == INFINITY) return summary;
  /* Whole numbers: a sum that does not depend on the order in which the kinds were made. */
  for (uint32_t i = 0; i < samples; i++) {
    const sample taken = take_sample(grid, costs, i);
    double ratio = straight_of(&taken) / summary.cheapest;
    if (!is_walked(&taken)) continue;
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

/* ---- Outlooks ---------------------------------------------------------------------------------------------- */

static void free_bits(wend_bits *bits, const wend_alloc *alloc) {
  WEND_FREE(alloc, bits->words, bits->capacity);
  memset(bits, 0, sizeof *bits);
}

/* Forgets what an agent is of, but for its arrays. */
static void forget(wend_agent_view *agent, const wend_alloc *alloc) {
  agent->used = 0;
  agent->cost_count = 0;
  free_bits(&agent->rows, alloc);
  free_bits(&agent->columns, alloc);
}

void wend_agent_views_free(wend_grid *grid) {
  const wend_alloc *alloc = &grid->map.alloc;
  for (int i = 0; i < WEND_AGENT_VIEWS; i++) {
    wend_agent_view *agent = &grid->agent_views[i];
    forget(agent, alloc);
    WEND_FREE(alloc, agent->tags, agent->tags_capacity);
    WEND_FREE(alloc, agent->costs, agent->costs_capacity);
    WEND_FREE(alloc, agent->states, agent->states_capacity);
    memset(agent, 0, sizeof *agent);
  }
}

size_t wend_agent_views_bytes(const wend_grid *grid) {
  size_t bytes = 0;
  for (int i = 0; i < WEND_AGENT_VIEWS; i++) {
    const wend_agent_view *agent = &grid->agent_views[i];
    bytes += agent->tags_capacity * sizeof *agent->tags + agent->costs_capacity * sizeof *agent->costs +
             agent->states_capacity * sizeof *agent->states +
             ((size_t)agent->rows.capacity + agent->columns.capacity) * sizeof(uint64_t);
  }
  return bytes;
}

static bool is_of(const wend_agent_view *agent, const wend_tag_cost *tags, uint32_t count) {
  if (agent->used == 0 || agent->tag_count != count) return false;
  for (uint32_t tag = 0; tag < count; tag++)
    if (agent->tags[tag].times != tags[tag].times || agent->tags[tag].plus != tags[tag].plus) return false;
  return true;
}

static void know_kind(const wend_grid *grid, wend_agent_view *agent, uint32_t k) {
  wend_cell cell = {grid->palette[k].weight, grid->palette[k].tag};
  if (!(cell.weight >= 0)) cell.weight = INFINITY, cell.tag = WEND_UNTAGGED; /* outside, or not given out */
  agent->costs[k] = wend_step_cost_of(cell, agent->tag_count > 0 ? agent->tags : NULL);
  agent->states[k] = k == KIND_OUTSIDE ? CELL_OUTSIDE : agent->costs[k].straight < INFINITY ? CELL_OPEN : CELL_CLOSED;
}

/* Works out what the kinds cost that it does not know yet. */
static bool know_kinds(wend_grid *grid, wend_agent_view *agent) {
  if (!WEND_GROW(&grid->map.alloc, agent->costs, agent->costs_capacity, grid->kind_count) ||
      !WEND_GROW(&grid->map.alloc, agent->states, agent->states_capacity, grid->kind_count))
    return false;
  while (agent->cost_count < grid->kind_count) know_kind(grid, agent, agent->cost_count++);
  return true;
}

wend_agent_view *wend_grid_agent_view(wend_grid *grid, const wend_costs *costs) {
  uint32_t count = costs->tags == NULL ? 0 : wend_map_tag_count(&grid->map) + 1;
  wend_agent_view *agent = NULL, *oldest = grid->agent_views;
  for (int i = 0; i < WEND_AGENT_VIEWS && agent == NULL; i++) {
    wend_agent_view *each = &grid->agent_views[i];
    if (is_of(each, costs->tags, count)) agent = each;
    if (each->used < oldest->used) oldest = each;
  }
  if (agent == NULL) {
    agent = oldest;
    forget(agent, &grid->map.alloc);
    if (count > 0 && !WEND_GROW(&grid->map.alloc, agent->tags, agent->tags_capacity, count)) return NULL;
    if (count > 0) memcpy(agent->tags, costs->tags, count * sizeof *agent->tags);
    agent->tag_count = count;
  }
  if (agent->cost_count < grid->kind_count && !know_kinds(grid, agent)) {
    forget(agent, &grid->map.alloc);
    return NULL;
  }
  if (agent->used == 0 || agent->version != grid->map.version) {
    agent->summary = wend_grid_summarize(grid, costs);
    agent->version = grid->map.version;
  }
  agent->used = ++grid->outlook_clock;
  return agent;
}

static void set_bit(wend_bits *bits, uint32_t line, uint32_t at, bool open) {
  uint64_t *word = &bits->words[(size_t)line * bits->line_words + at / 64], bit = (uint64_t)1 << at % 64;
  *word = open ? *word | bit : *word & ~bit;
}

static bool make_bits(wend_bits *bits, const wend_alloc *alloc, uint32_t lines, uint32_t cells) {
  bits->line_words = (cells + 2 + 63) / 64;
  if (!WEND_RESIZE(alloc, bits->words, bits->capacity, ((uint64_t)lines + 2) * bits->line_words)) return false;
  memset(bits->words, 0, bits->capacity * sizeof *bits->words);
  return true;
}

bool wend_agent_view_map(wend_grid *grid, wend_agent_view *agent) {
  if (agent->columns.words != NULL) return true;
  if (!make_bits(&agent->rows, &grid->map.alloc, grid->height, grid->width) ||
      !make_bits(&agent->columns, &grid->map.alloc, grid->width, grid->height)) {
    free_bits(&agent->rows, &grid->map.alloc);
    free_bits(&agent->columns, &grid->map.alloc);
    return false;
  }
  for (uint32_t y = 1; y <= grid->height; y++) {
    const uint16_t *kinds = grid->kinds + (size_t)y * grid->stride;
    for (uint32_t x = 1; x <= grid->width; x++) {
      if (agent->states[kinds[x]] != CELL_OPEN) continue;
      set_bit(&agent->rows, y, x, true);
      set_bit(&agent->columns, x, y, true);
    }
  }
  return true;
}

void wend_agent_views_note(wend_grid *grid, uint32_t place, uint32_t kind) {
  for (int i = 0; i < WEND_AGENT_VIEWS; i++) {
    wend_agent_view *agent = &grid->agent_views[i];
    bool open;
    if (agent->columns.words == NULL) continue;
    if (agent->cost_count <= kind && !know_kinds(grid, agent)) {
      forget(agent, &grid->map.alloc);
      continue;
    }
    open = agent->states[kind] == CELL_OPEN;
    set_bit(&agent->rows, place / grid->stride, place % grid->stride, open);
    set_bit(&agent->columns, place % grid->stride, place / grid->stride, open);
  }
}

void wend_agent_views_recost(wend_grid *grid, uint32_t kind) {
  for (int i = 0; i < WEND_AGENT_VIEWS; i++) {
    wend_agent_view *agent = &grid->agent_views[i];
    if (agent->used == 0) continue;
    if (agent->tag_count > 0 && grid->palette[kind].tag >= agent->tag_count)
      forget(agent, &grid->map.alloc); /* made before there was such a tag */
    else if (kind < agent->cost_count)
      know_kind(grid, agent, kind);
  }
}
