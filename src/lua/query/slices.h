/* SPDX-License-Identifier: MIT */
/* Routes and fields in slices. search.c runs them; route.c and field.c have what they do otherwise than a path. */
#ifndef WEND_LUA_QUERY_SLICES_H
#define WEND_LUA_QUERY_SLICES_H

#include "lua/base/query.h"

/* What a route or a field keeps between slices: the subject of its request. */
typedef struct lwend_slices {
  uint64_t used; /* the expansions since it has begun */
  /* Routes. */
  lwend_clear clear;
  wend_route route;
  wend_grid_route grid_route;
  double from[2], to[2];            /* the ends in cells */
  uint32_t node_count, point_count; /* of the waypoints of the searcher */
  /* Fields. */
  wend_field *field; /* NULL: there is none yet, or search:result has handed it out */
  double *values;    /* of the goals; NULL: all 0 */
  uint32_t values_capacity;
  bool valued; /* the values were copied */
} lwend_slices;

/* What a route or a field does otherwise than a path. */
typedef struct lwend_sliced_kind {
  /* Reads the arguments from index 2 on. more: 0, or LWEND_FOR_SEARCH. */
  void (*read)(lua_State *L, lwend_request *request, unsigned more);
  /* These run protected, with the costs pushed. Begins to search; at most `budget` expansions. */
  void (*begin)(lua_State *L, lwend_request *request, uint64_t budget);
  /* Expands at most request->slice nodes, and sets request->status. Returns the number of expansions. */
  uint64_t (*run)(lua_State *L, lwend_request *request);
  /* Pushes the route, or nil, a message and a code. Returns the number of values. NULL: lwend_answer_field. */
  int (*answer)(lua_State *L, lwend_request *request);
} lwend_sliced_kind;
extern const lwend_sliced_kind lwend_route_kind, lwend_grid_route_kind, lwend_field_kind;

/* Makes a cell that is the goal of a field, at 2, two numbers. May run scripts. */
void lwend_spread_goal(lua_State *L, const lwend_map *g);
/* Copies the start values of the `count` goals of a field, once: the script may change its list later. Runs protected. */
void lwend_copy_values(lua_State *L, lwend_request *request, uint32_t count);
/* Pushes the field, outside of a protected call. self: the stack index of the search, whose anchor has the option into, and
 * then the field. The frame is the request's. */
int lwend_answer_field(lua_State *L, lwend_request *request, int self);
/* Frees what the slices have allocated. */
void lwend_slices_free(lwend_slices *work, const wend_alloc *alloc);
/* How many bytes these are. */
size_t lwend_slices_bytes(const lwend_slices *work);
/* The place in the anchor of a search for the option into of a field, and then for the field. */
#define LWEND_FIELD_AT (LWEND_FIELD - LWEND_MAP + 1)

#endif
