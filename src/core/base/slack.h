/* SPDX-License-Identifier: MIT */
/* Slack: by how much bounds may be too high, because steps became cheaper after the tables of a prepared map were made.
 *
 * For each column of the tables there is a bound of the cost of a path: the sum of what the column says about its steps. A step
 * that costs less than that makes the bound too high by the difference, its excess. A cheapest path enters a place once, so for
 * each place only the greatest excess of the steps into it counts. The slack of a column is the sum of these over all places:
 * a bound less the slack holds for all paths.
 *
 *        a --5--> b --5--> c       The column says 5 for each step, and 10 for a path from a to c. Now a -> b costs 4 and c -> b
 *                                  costs 3. The excess at b is 1, or 2 from the other side. So the slack is 2. If a -> b
 *                                  becomes dearer again, the slack stays: it never falls. If b -> c costs 1, c adds 4 to it.
 *
 * Excess and slack are in units of the tables, whole numbers rounded up. A place has a key that never changes: its slot in a
 * graph, its place in a grid. A slot that is used again keeps its excess, so the slack is at least what it must be. */
#ifndef WEND_SLACK_H
#define WEND_SLACK_H

#include "core/base/memory.h"

/* Columns, and the greatest slack: from there on the bounds of a column are worth nothing. */
#define SLACK_COLUMNS_MAX (2 * WEND_LANDMARKS_MAX)
#define SLACK_MAX 65535u

typedef struct wend_slack {
  uint32_t width;                   /* columns, at most SLACK_COLUMNS_MAX */
  uint32_t sums[SLACK_COLUMNS_MAX]; /* the slack by column, at most SLACK_MAX */
  uint64_t raised;                  /* how often a sum was raised: the sums are the same as long as this is */
  /* The places that steps enter too cheaply: the key of each, and its excess by column, at most `width` numbers. */
  uint32_t *keys;
  uint16_t *excess;
  uint32_t keys_capacity, excess_capacity, count;
  uint32_t *index;         /* a hash table with linear probing: 1 + the number of a place; 0: empty. At most half full */
  uint32_t index_capacity; /* a power of two, or 0 */
} wend_slack;

/* Frees the lists. The sums stay. */
void wend_slack_free(wend_slack *slack, const wend_alloc *alloc);
/* The memory of the lists, in bytes. */
size_t wend_slack_bytes(const wend_slack *slack);
/* Notes the excess by column of a step into a place. Without memory it counts as that of another place. */
void wend_slack_add(wend_slack *slack, const wend_alloc *alloc, uint32_t key, const uint16_t *excess);

#endif
