/* SPDX-License-Identifier: MIT */
/* Promises: an edge function with `at_least` is asked along one path only, if that is enough.
 *
 *   1  The search begins as if there were no promise. The first steps that it asks for (WEND_SAMPLE) tell whether the function
 *      makes many of them dearer than it promises. Then the search goes on like this.
 *   2  Otherwise it asks no more: a step costs the least that is promised. So its costs are lower bounds, and when it ends it has
 *      a candidate, not yet a result.
 *   3  The function is asked along the candidate. If that costs what was assumed, no path costs less: it is the result.
 *   4  If not, the search begins again, and asks for every step that could make a place cheaper.
 *
 * Where the function changes nothing on the way, this takes about a hundred calls instead of thousands. Otherwise the first
 * search was in vain; without calls it is the cheaper one of the two. */
#include "core/pathfinder/promises.h"

#include <string.h>

#include "core/pathfinder/begin.h"
#include "core/pathfinder/trace.h"

WEND_NO_FUSING

/* Whether the edge function makes a promise for each tag that it is asked for. */
static bool is_promised(const wend_search *s) {
  const wend_tag_cost *tags = s->opts.costs.tags;
  const uint32_t count = wend_map_tag_count(s->map) + 1;
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!tags[i].asks) continue;
    if (!(tags[i].at_least > 0)) return false;
    any = true;
  }
  return any;
}

/* For a search that may begin again. */
static wend_status keep_starts(wend_search *s, const wend_end *starts, uint32_t count) {
  wend_promises *p = &s->promises;
  if (!WEND_GROW(&s->alloc, p->starts, p->starts_capacity, count)) {
    wend_search_clear(s);
    return WEND_NO_MEMORY;
  }
  memcpy(p->starts, starts, count * sizeof *starts);
  p->start_count = count;
  return WEND_OK;
}

wend_status wend_promises_begin(wend_search *s, const wend_end *starts, uint32_t count) {
  const wend_search_opts *opts = &s->opts;
  if (s->noise.most > 0 && opts->max_cost < INFINITY) return keep_starts(s, starts, count);
  if (s->stepper.kind != COSTS_ASKED || s->noise.most > 0 || opts->partial || opts->max_expanded < UINT64_MAX ||
      opts->max_cost < INFINITY || s->stepper.body > 1 || s->stepper.base != NULL || wend_search_turns_on(s) || !is_promised(s))
    return WEND_OK;
  s->stepper.asking = ASKING_SAMPLES;
  return keep_starts(s, starts, count);
}

/* The candidate may cost this share more than assumed, by rounding: its steps are added in another order. */
#define PROMISE_ROUNDING 1e-12

wend_status wend_promises_check(wend_search *s) {
  wend_status status;
  uint32_t goal;
  double cost, before;
  if (s->stepper.asking != ASKING_NEVER) return WEND_OK;
  s->stepper.asking = ASKING_ALWAYS;
  goal = wend_pathfinder_best_goal(s);
  status = wend_pathfinder_take_path(s, goal);
  if (status != WEND_OK) return status;
  cost = wend_pathfinder_sum(s);
  if (!(cost >= 0)) return WEND_ABORTED;
  before = wend_marks_of(&s->marks, wend_search_place(s, s->path_nodes[0]))->g;
  if (before + cost <= wend_marks_of(&s->marks, goal)->g * (1 + PROMISE_ROUNDING)) return WEND_OK;
  status = wend_pathfinder_begin_again(s);
  return status == WEND_OK ? WEND_RUNNING : status;
}
