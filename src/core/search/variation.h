/* SPDX-License-Identifier: MIT */
#ifndef WEND_VARIATION_H
#define WEND_VARIATION_H

#include "core/search/search.h"

/* Continues a variation after a search of it has ended with a status. RUNNING: the search for the detour has begun. */
wend_status wend_variation_continue(wend_search *s, wend_status status);

#endif
