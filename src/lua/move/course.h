/* SPDX-License-Identifier: MIT */
/* The argument `points` of curves and followers: see course.c. */
#ifndef WEND_LUA_COURSE_H
#define WEND_LUA_COURSE_H

#include "lua/base/query.h"
#include "wend_move.h"

/* Reads the points at index: a flat list of numbers, a path or a route. wanted: the number of dimensions; 0: as the points tell,
 * otherwise 2. The course lies in memory of the searcher: it is right until Lua memory is allocated. Pushes its map, or nil, and
 * returns it. Raises if it is something else, or empty, and if a number is not finite and within 1e150. May run scripts. */
lwend_map *lwend_read_course(lua_State *L, int index, int wanted, wend_course *course);

/* Pushes the costs of tags for the path at index, by its `costs`, and returns them; NULL: it is no path over a grid, or has no
 * costs. Runs the functions of tags. */
const wend_tag_cost *lwend_push_path_tags(lua_State *L, int index, uint32_t *count);

#endif
