/* SPDX-License-Identifier: MIT */
/* The argument `points` of curves and followers: see course.c. */
#ifndef WEND_LUA_COURSE_H
#define WEND_LUA_COURSE_H

#include "lua/base/query.h"

/* Reads the points at index: a flat list of numbers, a path or a route. wanted: the number of dimensions; 0: as the points tell,
 * otherwise 2. The course lies in memory of the searcher: it is right until Lua memory is allocated. Pushes its map, or nil, and
 * returns it. Raises if it is something else, or empty, and if a number is not finite and within 1e150. May run scripts. */
lwend_map *lwend_read_course(lua_State *L, int index, int wanted, wend_course *course);

/* ---- follow.c, for wend.decode: as in lwend.h, with the options map, clear and on_point of a request */
wend_status lwend_push_decoded_follower(lua_State *L, const lwend_request *request, const void *bytes, size_t size);

#endif
