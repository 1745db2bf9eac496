/* SPDX-License-Identifier: MIT */
/* Edits between the slices of a search. */
#ifndef WEND_EDITS_H
#define WEND_EDITS_H

#include "core/search/search.h"

/* Notes the state of the map for wend_edits_survive, when the search begins. */
void wend_edits_begin(wend_search *s);
/* Called before a slice if the map has another version than the search. OK: the edits cannot change the result, and the search
 * is of the version of the map now. STALE: they may change it, or the search has not the option survive_edits. NO_MEMORY. */
wend_status wend_edits_survive(wend_search *s);

#endif
