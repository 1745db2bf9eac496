/* SPDX-License-Identifier: MIT */
/* The list of low edges, and the choice of shortcuts. shortcuts.h has the contracts. */
#include "core/map/shortcuts.h"

#include "core/base/bits.h"

WEND_NO_FUSING

/* Removes item i. The order of the list has no meaning. */
static void drop_low(wend_lows *lows, uint32_t i) { lows->at[i] = lows->at[--lows->count]; }

/* Removes the items with the greatest ratio, and lowers the horizon to it. */
static void lower_horizon(wend_lows *lows) {
  double greatest = 0;
  for (uint32_t i = 0; i < lows->count; i++)
    if (lows->at[i].ratio > greatest) greatest = lows->at[i].ratio;
  lows->horizon = greatest;
  for (uint32_t i = lows->count; i-- > 0;)
    if (lows->at[i].ratio >= greatest) drop_low(lows, i);
}

void wend_lows_add(wend_lows *lows, uint32_t edge, double ratio) {
  const wend_low low = {edge, ratio};
  if (!(ratio < lows->horizon)) return;
  if (lows->count == WEND_LOWS_MAX) {
    lower_horizon(lows);
    if (!(ratio < lows->horizon)) return;
  }
  lows->at[lows->count++] = low;
}

void wend_lows_remove(wend_lows *lows, uint32_t edge, double ratio) {
  if (!(ratio < lows->horizon)) return;
  for (uint32_t i = 0; i < lows->count; i++) {
    if (lows->at[i].edge != edge || lows->at[i].ratio != ratio) continue;
    drop_low(lows, i);
    return;
  }
}

/* Sorts shortcuts by their ratio. There are few. */
static void sort_shortcuts(wend_shortcuts *found) {
  for (uint32_t i = 1; i < found->count; i++) {
    const wend_shortcut moved = found->at[i];
    uint32_t to = i;
    for (; to > 0 && found->at[to - 1].ratio > moved.ratio; to--) found->at[to] = found->at[to - 1];
    found->at[to] = moved;
  }
}

void wend_shortcuts_choose(wend_shortcuts *found, double least, uint32_t each) {
  double best = WEND_SHORTCUTS_GAIN * least, bound = least;
  uint32_t kept = 0;
  sort_shortcuts(found);
  for (uint32_t i = 0; i <= found->count; i++) {
    const double next = i < found->count && found->at[i].ratio < found->least ? found->at[i].ratio : found->least;
    const double worth = wend_shortcuts_worth(next, (i + each - 1) / each);
    if ((i == 0 || next > found->at[i - 1].ratio) && worth > best) best = worth, kept = i, bound = next;
  }
  found->count = kept;
  found->least = bound;
}
