/* SPDX-License-Identifier: MIT */
/* Fields as other queries use them. */
#ifndef WEND_LUA_QUERY_FIELD_H
#define WEND_LUA_QUERY_FIELD_H

#include "lua/base/query.h"

typedef struct lwend_field lwend_field;
/* Whether the value at index is a field. */
bool lwend_is_field(lua_State *L, int index);
/* The field at index. Raises if it is not a field of this map, or not made with this `outward`. */
lwend_field *lwend_check_reach(lua_State *L, int index, const lwend_map *g, bool outward, const char *what);
/* The core's part of the field at index. Raises if it is not a field of this map with values. */
const wend_field *lwend_check_field_of(lua_State *L, int index, const lwend_map *g, const char *what);
/* The core's part of a field. */
const wend_field *lwend_field_of(const lwend_field *field);
/* The number of calls that read a field while scripts may run. While it is above 0, the field cannot be changed. */
int *lwend_field_readers(lwend_field *field);
/* Pushes the field or route table of the request's map that was read from bytes, with the request's costs. WEND_OK; or WEND_FORMAT,
 * or WEND_STALE: it belongs to another map. On failure, values that are of no use may remain on the stack. */
wend_status lwend_push_decoded_field(lua_State *L, lwend_request *request, const void *bytes, size_t size);
wend_status lwend_push_decoded_route_table(lua_State *L, lwend_request *request, const void *bytes, size_t size);

#endif
