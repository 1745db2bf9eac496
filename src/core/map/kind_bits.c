/* SPDX-License-Identifier: MIT */
/* Bits of cells: kind_bits.h describes them. */
#include "core/map/kind_bits.h"

#include <string.h>

WEND_NO_FUSING

wend_open_kinds wend_open_kinds_of(const wend_grid *grid, const uint8_t *closed) {
  uint16_t few[2][WEND_FEW_KINDS]; /* open ones, and closed ones */
  uint32_t counts[2] = {0, 0};
  wend_open_kinds open = {closed, {0}, WEND_NONE, 0};
  for (uint32_t k = 0;
       grid->kinds != NULL && k < grid->kind_count && (counts[0] <= WEND_FEW_KINDS || counts[1] <= WEND_FEW_KINDS); k++) {
    const unsigned side = closed[k] & 1u;
    if (grid->palette[k].count == 0) continue;
    if (counts[side] < WEND_FEW_KINDS) few[side][counts[side]] = (uint16_t)k;
    counts[side]++;
  }
  open.others = counts[1] < counts[0];
  if (counts[open.others] > WEND_FEW_KINDS) return open;
  open.few_count = counts[open.others];
  memcpy(open.few, few[open.others], open.few_count * sizeof *open.few);
  return open;
}

static uint64_t pack_bytes(const uint8_t *bytes) {
  uint64_t word = 0;
  for (int i = 0; i < 64; i += 8) {
    const uint8_t *b = bytes + i;
    const uint64_t eight = (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
                           (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
    word |= (eight * 0x0102040810204080u >> 56) << i; /* the product moves bit 8 j to bit 56 + j */
  }
  return word;
}

/* A function of its own: inside another one GCC does not vectorize the loop. */
WEND_NOINLINE uint64_t wend_cells_of_kind(const uint16_t *kinds, uint16_t kind) {
  uint8_t bytes[64] = {0};
  for (int i = 0; i < 64; i++) bytes[i] = (uint8_t)(bytes[i] | (kinds[i] == kind));
  return pack_bytes(bytes);
}

/* The bits of `count` cells, 1 to 64, the lowest bit for the first. */
static uint64_t open_bits(const wend_open_kinds *open, const uint16_t *kinds, uint32_t count) {
  uint64_t word = 0;
  if (count < 64 || open->few_count == WEND_NONE) {
    for (uint32_t i = 0; i < count; i++) word |= (uint64_t)(~open->closed[kinds[i]] & 1u) << i;
    return word;
  }
  for (uint32_t k = 0; k < open->few_count; k++) word |= wend_cells_of_kind(kinds, open->few[k]);
  return open->others ? ~word : word;
}

bool wend_row_repeats(const wend_grid *grid, uint32_t first) {
  const uint16_t *kinds = grid->kinds + first;
  return first >= grid->stride && memcmp(kinds, kinds - grid->stride, grid->stride * sizeof *kinds) == 0;
}

void wend_open_row(const wend_open_kinds *open, const wend_grid *grid, uint32_t first, uint64_t *words, uint32_t line_words) {
  if (wend_row_repeats(grid, first)) {
    memcpy(words, words - line_words, line_words * sizeof *words);
    return;
  }
  for (uint32_t x = 0; x < grid->stride; x += 64)
    words[x / 64] = open_bits(open, grid->kinds + first + x, grid->stride - x < 64 ? grid->stride - x : 64);
  words[0] &= ~(uint64_t)1;
}
