/* SPDX-License-Identifier: MIT */
/* Edge functions that promise how little a step costs at least: promises.c. */
#ifndef WEND_PROMISES_H
#define WEND_PROMISES_H

#include "core/search/search.h"

/* Lets a search trust what its edge function promises, if it can: see promises.c. NO_MEMORY. */
wend_status wend_promises_begin(wend_search *s, const wend_end *starts, uint32_t count);
/* After the kernel has found a goal: asks along the path to it, if the search trusts. OK: its path is the result. RUNNING: it is not,
 * and the search has begun again. ABORTED, NO_MEMORY. */
wend_status wend_promises_check(wend_search *s);

#endif
