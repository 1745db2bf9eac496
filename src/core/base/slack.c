/* SPDX-License-Identifier: MIT */
/* Slack of prepared tables: slack.h has the contracts. */
#include "core/base/slack.h"

#include <string.h>

#include "core/base/random.h"

#define INDEX_MIN 16u

void wend_slack_free(wend_slack *slack, const wend_alloc *alloc) {
  WEND_FREE(alloc, slack->keys, slack->keys_capacity);
  WEND_FREE(alloc, slack->excess, slack->excess_capacity);
  WEND_FREE(alloc, slack->index, slack->index_capacity);
  slack->keys = slack->index = NULL, slack->excess = NULL;
  slack->keys_capacity = slack->excess_capacity = slack->index_capacity = slack->count = 0;
}

size_t wend_slack_bytes(const wend_slack *slack) {
  return slack->keys_capacity * sizeof *slack->keys + slack->excess_capacity * sizeof *slack->excess +
         slack->index_capacity * sizeof *slack->index;
}

/* Where a key is in the index, or the empty item where it belongs. */
static uint32_t find_key(const wend_slack *slack, uint32_t key) {
  const uint32_t mask = slack->index_capacity - 1;
  uint32_t at = (uint32_t)wend_mix(key) & mask;
  while (slack->index[at] != 0 && slack->keys[slack->index[at] - 1] != key) at = (at + 1) & mask;
  return at;
}

/* Makes room for one more place. False: no memory. */
static bool reserve_place(wend_slack *slack, const wend_alloc *alloc) {
  const uint64_t count = (uint64_t)slack->count + 1;
  if (!WEND_GROW(alloc, slack->keys, slack->keys_capacity, count) ||
      !WEND_GROW(alloc, slack->excess, slack->excess_capacity, count * slack->width))
    return false;
  if (2 * count <= slack->index_capacity) return true;
  if (!WEND_RESIZE(alloc, slack->index, slack->index_capacity,
                   slack->index_capacity > 0 ? (uint64_t)slack->index_capacity * 2 : INDEX_MIN))
    return false;
  memset(slack->index, 0, slack->index_capacity * sizeof *slack->index);
  for (uint32_t i = 0; i < slack->count; i++) slack->index[find_key(slack, slack->keys[i])] = i + 1;
  return true;
}

/* The excess of a place so far. NULL: no memory. */
static uint16_t *excess_of(wend_slack *slack, const wend_alloc *alloc, uint32_t key) {
  uint32_t at;
  uint16_t *excess;
  if (slack->count > 0) {
    at = find_key(slack, key);
    if (slack->index[at] != 0) return slack->excess + (size_t)(slack->index[at] - 1) * slack->width;
  }
  if (!reserve_place(slack, alloc)) return NULL;
  slack->keys[slack->count] = key;
  slack->index[find_key(slack, key)] = slack->count + 1;
  excess = slack->excess + (size_t)slack->count++ * slack->width;
  memset(excess, 0, slack->width * sizeof *excess);
  return excess;
}

void wend_slack_add(wend_slack *slack, const wend_alloc *alloc, uint32_t key, const uint16_t *excess) {
  uint16_t *known = excess_of(slack, alloc, key);
  bool raised = false;
  for (uint32_t i = 0; i < slack->width; i++) {
    const uint32_t before = known != NULL ? known[i] : 0;
    if (excess[i] <= before) continue;
    slack->sums[i] += excess[i] - before;
    if (slack->sums[i] > SLACK_MAX) slack->sums[i] = SLACK_MAX;
    if (known != NULL) known[i] = excess[i];
    raised = true;
  }
  if (raised) slack->raised++;
}
