/* SPDX-License-Identifier: MIT */
/* Ends: what a search looks for instead of its goals, if these may be closed, or if it ends in range of them (views/range.h). Nothing
 * but this file knows where ends come from.
 *
 *   listed   when the search begins: the entrances of closed goals, and the places around goals, if these are few
 *   tested   when the search comes to a place: then its goals are only what estimates aim at
 *
 * A list lets the search use labels, tables and jump points as for any other goals. It takes as many tests as there are places near
 * the goals, so they are not listed where these are many: far distances, no distance, many goals. The tests of one place may take as
 * long as a slice, if there are many goals. So a search pauses between them, too. */
#ifndef WEND_ENDS_H
#define WEND_ENDS_H

#include "core/search/search.h"

/* Whether a search looks for other ends than its goals. */
bool wend_search_has_ends(const wend_search_opts *opts);
/* Makes the ends of a search. With a list, these are search->ends.list, perhaps none. Otherwise search->ends.tested is set, and the
 * search begins with the goals as they are. *callbacks: counts the calls of the edge function. OK, NO_MEMORY, ABORTED. */
wend_status wend_ends_begin(wend_search *search, wend_map *map, const wend_end *starts, uint32_t start_count,
                            const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts, uint64_t *callbacks);
/* Tests a place that the search expands next, and marks it if it is an end. False: search->ends.work is used up, and the test goes
 * on with the next call. */
bool wend_ends_test(wend_search *search, uint32_t place);
/* Notes the goal that the path leads to, and adds the step onto a closed goal to the resulting path, whose cost includes it
 * already. NO_MEMORY. */
wend_status wend_ends_finish(wend_search *search);
/* Whether a node or cell is an end. */
bool wend_search_may_end_at(wend_search *search, wend_id at);

#endif
