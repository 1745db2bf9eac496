/* SPDX-License-Identifier: MIT */
#ifndef WEND_VARIATION_H
#define WEND_VARIATION_H

#include "core/search/search.h"

/* When a search for a path that is to differ has ended with a status: begins to look for the detour (RUNNING), or ends. */
wend_status wend_variation_go_on(wend_search *s, wend_status status);

#endif
