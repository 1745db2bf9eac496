/* SPDX-License-Identifier: MIT */
/* Edge functions that promise how little a step costs at least: promises.c. */
#ifndef WEND_PROMISES_H
#define WEND_PROMISES_H

#include "core/search/search.h"

/* Before the beginning: what a search begins with, which has the least costs that are promised if it can trust them, and no edge
 * function then. tested: the search tests its ends. NO_MEMORY. */
wend_status wend_promises_trust(wend_search *s, const wend_map *map, const wend_search_opts *opts, bool tested,
                                wend_search_opts *least);
/* After it: lets a search trust what its edge function promises, if it can: see promises.c. given: the costs of the caller, if the
 * search has the least ones. NO_MEMORY. */
wend_status wend_promises_begin(wend_search *s, const wend_end *starts, uint32_t count, const wend_costs *given);
/* Before the kernel runs first: a search asks at once for all that could improve something, if that is little. RUNNING: the search goes
 * on. NO_MEMORY, ABORTED, STALE. */
wend_status wend_promises_start(wend_search *s);
/* When the kernel pauses so that the search asks whether to go on trusting; and after a pause: it asks, if that is due. RUNNING: it goes
 * on, or has begun again. NO_MEMORY, ABORTED, STALE. */
uint64_t wend_promises_limit(const wend_search *s, uint64_t limit);
wend_status wend_promises_probe(wend_search *s);
/* After a path to a goal was found with the least costs: asks along it. Results as below; the path has its cost. */
wend_status wend_promises_confirm(wend_search *s, uint32_t goal);
/* After the kernel has found a goal: asks along the path to it, if the search trusts. OK: its path is the result. RUNNING: it is not,
 * and the search has begun again. ABORTED, NO_MEMORY. */
wend_status wend_promises_check(wend_search *s);

#endif
