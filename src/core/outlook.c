/* SPDX-License-Identifier: MIT */
/* What a grid is for an agent: costs by kind, and bit maps of what is open. Kept between searches and through edits, so
 * that neither a profile nor a map of any size has to be gone through before a short search. */
#include <string.h>

#include "core/grid.h"

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

static void note_bounds(wend_survey *survey, const sample *taken) {
  double least = taken->weight * taken->cost.times, straight = straight_of(taken);
  if (taken->cost.plus > 0) least = (least + taken->cost.plus / WEND_DIAGONAL) * (1 - 1e-12);
  if (taken->cost.asks) least *= taken->cost.share;
  if (least < survey->least) survey->least = least;
  if (straight > 0 && straight < survey->cheapest) survey->cheapest = straight;
  if (survey->uniform == INFINITY) survey->uniform = straight;
  if (straight != survey->uniform || taken->cost.plus > 0 || taken->cost.asks) survey->uniform = 0;
}

wend_survey wend_grid_survey(wend_grid *grid, const wend_costs *costs) {
  wend_survey survey = {INFINITY, INFINITY, 0, INFINITY};
  const uint32_t samples = sample_count(grid);
  uint64_t sum = 0, all = 0;
  if (grid->kinds == NULL) {
    wend_ratios_settle(&grid->map.ratios);
    wend_scales_settle(&grid->map.scales);
    survey.uniform = 0;
  }
  for (uint32_t i = 0; i < samples; i++) {
    const sample taken = take_sample(grid, costs, i);
    /* What is asked about without a promise may be made to cost anything, closed or not. */
    if (taken.count > 0 && taken.cost.asks && !(taken.cost.share > 0)) survey.least = 0;
    if (is_walked(&taken)) note_bounds(&survey, &taken);
  }
  if (survey.uniform == INFINITY) survey.uniform = 0;
  if (survey.least == INFINITY) survey.least = 0;
  if (survey.least < WEND_LEAST_MIN) survey.least = survey.uniform = 0; /* jumps multiply what steps cost, too */
  if (survey.cheapest == INFINITY) return survey;
  /* Whole numbers: a sum that does not depend on the order in which the kinds were made. */
  for (uint32_t i = 0; i < samples; i++) {
    const sample taken = take_sample(grid, costs, i);
    double share = straight_of(&taken) / survey.cheapest;
    if (!is_walked(&taken)) continue;
    sum += taken.count * (uint64_t)((share < 8 ? share : 8) * 1048576);
    all += taken.count;
  }
  survey.typical = survey.cheapest * ((double)sum / (double)all / 1048576);
  return survey;
}

bool wend_grid_asks(const wend_grid *grid, const wend_costs *costs) {
  if (costs->edge == NULL || costs->tags == NULL) return false;
  for (uint32_t i = 0; i < grid->link_count; i++)
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

/* Forgets what an outlook is of, but for its arrays. */
static void forget(wend_outlook *outlook, const wend_alloc *alloc) {
  outlook->used = 0;
  outlook->cost_count = 0;
  free_bits(&outlook->rows, alloc);
  free_bits(&outlook->columns, alloc);
}

void wend_outlooks_free(wend_grid *grid) {
  const wend_alloc *alloc = &grid->map.alloc;
  for (int i = 0; i < WEND_OUTLOOKS; i++) {
    wend_outlook *outlook = &grid->outlooks[i];
    forget(outlook, alloc);
    WEND_FREE(alloc, outlook->tags, outlook->tags_capacity);
    WEND_FREE(alloc, outlook->costs, outlook->costs_capacity);
    WEND_FREE(alloc, outlook->states, outlook->states_capacity);
    memset(outlook, 0, sizeof *outlook);
  }
}

size_t wend_outlooks_bytes(const wend_grid *grid) {
  size_t bytes = 0;
  for (int i = 0; i < WEND_OUTLOOKS; i++) {
    const wend_outlook *outlook = &grid->outlooks[i];
    bytes += outlook->tags_capacity * sizeof *outlook->tags + outlook->costs_capacity * sizeof *outlook->costs +
             outlook->states_capacity * sizeof *outlook->states +
             ((size_t)outlook->rows.capacity + outlook->columns.capacity) * sizeof(uint64_t);
  }
  return bytes;
}

static bool is_of(const wend_outlook *outlook, const wend_tag_cost *tags, uint32_t count) {
  if (outlook->used == 0 || outlook->tag_count != count) return false;
  for (uint32_t tag = 0; tag < count; tag++)
    if (outlook->tags[tag].times != tags[tag].times || outlook->tags[tag].plus != tags[tag].plus) return false;
  return true;
}

static void know_kind(const wend_grid *grid, wend_outlook *outlook, uint32_t k) {
  wend_cell cell = {grid->palette[k].weight, grid->palette[k].tag};
  if (!(cell.weight >= 0)) cell.weight = INFINITY, cell.tag = WEND_UNTAGGED; /* outside, or not given out */
  outlook->costs[k] = wend_step_cost_of(cell, outlook->tag_count > 0 ? outlook->tags : NULL);
  outlook->states[k] = k == KIND_OUTSIDE ? CELL_OUTSIDE : outlook->costs[k].straight < INFINITY ? CELL_OPEN : CELL_CLOSED;
}

/* Works out what the kinds cost that it does not know yet. */
static bool know_kinds(wend_grid *grid, wend_outlook *outlook) {
  if (!WEND_GROW(&grid->map.alloc, outlook->costs, outlook->costs_capacity, grid->kind_count) ||
      !WEND_GROW(&grid->map.alloc, outlook->states, outlook->states_capacity, grid->kind_count))
    return false;
  while (outlook->cost_count < grid->kind_count) know_kind(grid, outlook, outlook->cost_count++);
  return true;
}

wend_outlook *wend_grid_outlook(wend_grid *grid, const wend_costs *costs) {
  uint32_t count = costs->tags == NULL ? 0 : wend_map_tag_count(&grid->map) + 1;
  wend_outlook *outlook = NULL, *oldest = grid->outlooks;
  for (int i = 0; i < WEND_OUTLOOKS && outlook == NULL; i++) {
    wend_outlook *each = &grid->outlooks[i];
    if (is_of(each, costs->tags, count)) outlook = each;
    if (each->used < oldest->used) oldest = each;
  }
  if (outlook == NULL) {
    outlook = oldest;
    forget(outlook, &grid->map.alloc);
    if (count > 0 && !WEND_GROW(&grid->map.alloc, outlook->tags, outlook->tags_capacity, count)) return NULL;
    if (count > 0) memcpy(outlook->tags, costs->tags, count * sizeof *outlook->tags);
    outlook->tag_count = count;
  }
  if (outlook->cost_count < grid->kind_count && !know_kinds(grid, outlook)) {
    forget(outlook, &grid->map.alloc);
    return NULL;
  }
  if (outlook->used == 0 || outlook->version != grid->map.version) {
    outlook->survey = wend_grid_survey(grid, costs);
    outlook->version = grid->map.version;
  }
  outlook->used = ++grid->outlook_clock;
  return outlook;
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

bool wend_outlook_map(wend_grid *grid, wend_outlook *outlook) {
  if (outlook->columns.words != NULL) return true;
  if (!make_bits(&outlook->rows, &grid->map.alloc, grid->height, grid->width) ||
      !make_bits(&outlook->columns, &grid->map.alloc, grid->width, grid->height)) {
    free_bits(&outlook->rows, &grid->map.alloc);
    free_bits(&outlook->columns, &grid->map.alloc);
    return false;
  }
  for (uint32_t y = 1; y <= grid->height; y++) {
    const uint16_t *kinds = grid->kinds + (size_t)y * grid->stride;
    for (uint32_t x = 1; x <= grid->width; x++) {
      if (outlook->states[kinds[x]] != CELL_OPEN) continue;
      set_bit(&outlook->rows, y, x, true);
      set_bit(&outlook->columns, x, y, true);
    }
  }
  return true;
}

void wend_outlooks_note(wend_grid *grid, uint32_t place, uint32_t kind) {
  for (int i = 0; i < WEND_OUTLOOKS; i++) {
    wend_outlook *outlook = &grid->outlooks[i];
    bool open;
    if (outlook->columns.words == NULL) continue;
    if (outlook->cost_count <= kind && !know_kinds(grid, outlook)) {
      forget(outlook, &grid->map.alloc);
      continue;
    }
    open = outlook->states[kind] == CELL_OPEN;
    set_bit(&outlook->rows, place / grid->stride, place % grid->stride, open);
    set_bit(&outlook->columns, place % grid->stride, place / grid->stride, open);
  }
}

void wend_outlooks_recost(wend_grid *grid, uint32_t kind) {
  for (int i = 0; i < WEND_OUTLOOKS; i++) {
    wend_outlook *outlook = &grid->outlooks[i];
    if (outlook->used == 0) continue;
    if (outlook->tag_count > 0 && grid->palette[kind].tag >= outlook->tag_count)
      forget(outlook, &grid->map.alloc); /* made before there was such a tag */
    else if (kind < outlook->cost_count)
      know_kind(grid, outlook, kind);
  }
}
