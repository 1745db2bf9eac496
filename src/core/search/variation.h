/* SPDX-License-Identifier: MIT */
/* Variation: paths other than the cheapest. variation.c explains it. */
#ifndef WEND_VARIATION_H
#define WEND_VARIATION_H

#include "core/search/search.h"

/* Continues a variation after its first or its second search has ended with a status. RUNNING: the second search, for the
 * detour, has begun. Other statuses are those of the whole search. */
wend_status wend_variation_continue(wend_search *s, wend_status status);

#endif
