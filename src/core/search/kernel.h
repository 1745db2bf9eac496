/* SPDX-License-Identifier: MIT */
#ifndef WEND_KERNEL_H
#define WEND_KERNEL_H

#include "core/search/search.h"

/* Runs a search that has been laid out until it has expanded so many nodes in all. RUNNING: the limit is reached, or the queue
 * has changed its kind: call again. OK: the goals are settled. NO_PATH: nothing is left. ABORTED: a cost or an estimate was
 * none. NO_MEMORY. */
wend_status wend_kernel_run(wend_search *s, uint64_t limit);
/* Opens a place where the search starts, at a cost g and with the estimate f in all, unless a cheaper start is known. There is
 * room in the heap. */
void wend_kernel_open(wend_search *s, uint32_t place, double g, double f);
/* What it costs to go on from a goal. */
double wend_kernel_cost_beyond(const wend_search *s, uint32_t place);
/* For `partial`: remembers the reached place that is nearest to a goal. */
void wend_kernel_note_nearest(wend_search *s, uint32_t place);

#endif
