/* SPDX-License-Identifier: MIT */
/* One search, from its beginning to its result: runs the kernel in slices, and ends the search.
 *
 *   begin.c      prepares the search before the kernel runs
 *   walk.c       looks for a direct walk: begin.c tries it first, or else the first slice does
 *   promises.c   trusts the promises of an edge function, and checks them
 *   trace.c      extracts the path, by following parents from the goal, and its cost
 *
 * The invariant: while s->status is WEND_RUNNING, each goal that is looked for, and where paths may end, has a mark with
 * MARK_GOAL, and all places are those of version s->reading.version of the map. */
#include "core/pathfinder/pathfinder.h"

#include "core/pathfinder/promises.h"
#include "core/pathfinder/walk.h"

#include "core/search/kernel.h"

WEND_NO_FUSING

wend_status wend_pathfinder_begin(wend_search *s, wend_map *map, const wend_end *starts, uint32_t start_count,
                                  const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts) {
  wend_search_opts least;
  wend_status status = wend_promises_trust(s, map, opts, goals == s->ends.near.goals && s->ends.tested, &least);
  if (status == WEND_OK) status = wend_pathfinder_prepare(s, map, starts, start_count, goals, goal_count, &least);
  if (status != WEND_OK) return status;
  return wend_promises_begin(s, starts, start_count, least.costs.edge != opts->costs.edge ? &opts->costs : NULL);
}

wend_status wend_pathfinder_walk(wend_search *s) {
  const uint32_t from = wend_search_place(s, s->walk_from), to = s->goals.places[0];
  const wend_end start = {s->walk_from, wend_marks_of(&s->marks, from)->g};
  const wend_end goal = {wend_search_id(s, to), s->goals.costs[0]};
  wend_status status;
  s->walk_from = WEND_NO_ID;
  s->view = NULL;
  status = wend_find_walk(s, &start, &goal);
  if (status == WEND_OK) status = wend_promises_confirm(s, to);
  return status == WEND_RUNNING ? status : wend_pathfinder_end(s, status);
}

wend_status wend_pathfinder_resume(wend_search *s, uint64_t *left) {
  if (s->expansion != EXPAND_CELLS && s->expansion != EXPAND_JUMPS) return WEND_OK;
  s->view = wend_search_view(s, s->grid, &s->opts.costs, wend_search_bits(s), true);
  if (s->view == NULL) return WEND_NO_MEMORY;
  return s->expansion == EXPAND_CELLS || wend_search_fill_view(s, left) ? WEND_OK : WEND_RUNNING;
}

wend_status wend_pathfinder_trace(wend_search *s, uint64_t *left) {
  const uint64_t before = *left;
  const wend_status status = wend_pathfinder_follow_parents(s, left);
  s->stats.tables += before - *left;
  return status == WEND_RUNNING ? status : wend_pathfinder_end(s, status);
}

wend_status wend_pathfinder_run(wend_search *s, uint64_t limit) {
  static const wend_loop loops[] = {[EXPAND_GRAPH] = WEND_LOOP_GRAPH,
                                    [EXPAND_CELLS] = WEND_LOOP_CELLS,
                                    [EXPAND_GRID] = WEND_LOOP_STEPS,
                                    [EXPAND_JUMPS] = WEND_LOOP_JUMPS};
  wend_status status;
  if (wend_search_has_tables(s) && !wend_pathfinder_find_tables(s)) return wend_pathfinder_finish(s, WEND_STALE);
  status = wend_promises_start(s);
  if (status != WEND_RUNNING) return wend_pathfinder_finish(s, status);
  do {
    s->stats.loop = loops[s->expansion];
    status = wend_kernel_run(s, wend_promises_limit(s, limit));
    if (status == WEND_RUNNING) status = wend_promises_probe(s);
    if (s->buckets.failed) status = WEND_NO_MEMORY; /* a node was lost, so the result may be wrong */
    if (status == WEND_OK) status = wend_promises_check(s);
    if (status == WEND_OK && s->promises.given != NULL) return wend_pathfinder_end(s, status); /* it has its path */
    if (status == WEND_OK && s->slice_tables && !s->opts.reach_only && !(s->noise.most > 0))
      return wend_pathfinder_begin_trace(s, wend_pathfinder_best_goal(s)), WEND_RUNNING;
    if (status != WEND_RUNNING) return wend_pathfinder_finish(s, status);
    /* Below the limit, RUNNING means that the search has changed to the heap, or begun again. */
    if (s->goals.tested && s->ends.work == 0) return WEND_RUNNING;
  } while (s->stats.expanded < limit);
  return s->stats.expanded < s->opts.max_expanded ? WEND_RUNNING : wend_pathfinder_finish(s, WEND_BUDGET);
}
