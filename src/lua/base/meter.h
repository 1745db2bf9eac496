/* SPDX-License-Identifier: MIT */
/* What functions use: time (costs.timing) and instructions (costs.max_instructions). */
#ifndef WEND_LUA_BASE_METER_H
#define WEND_LUA_BASE_METER_H

#include "lua/base/query.h"

/* Seconds since some point of time. Never decreases. */
double lwend_clock(void);
/* Begins to count instructions, if the request has a limit. Called immediately before its protected call. */
void lwend_limit_begin(lua_State *L, lwend_request *request);
/* Ends it, immediately after the protected call. failed: the function will run again, with a new limit. */
void lwend_limit_end(lua_State *L, lwend_request *request, bool failed);
/* lwend_ask with the time and the limit of a request. number: of the rule; 0: no rule. */
void lwend_ask_metered(lua_State *L, lwend_request *request, uint64_t number, int arguments, int results);
/* Adds the times of the request to those of its rules. compiled: stack index of the compiled profile. */
void lwend_spent_sum(lua_State *L, lwend_request *request, int compiled);
/* Pushes the list of { mod, name, calls, seconds } of the request; nil without costs.timing. */
void lwend_spent_push(lua_State *L, const lwend_request *request);

#endif
