/* SPDX-License-Identifier: MIT */
/* Fields as other queries use them. */
#ifndef WEND_LUA_QUERY_FIELD_H
#define WEND_LUA_QUERY_FIELD_H

#include "lua/base/query.h"

/* A field: see field.c. */
typedef struct lwend_field {
  wend_field *field;
  lwend_map *map; /* NULL: it was never made */
  wend_field_opts opts;
  lwend_costs_age age;
  wend_id to;       /* its goal; WEND_NO_ID: there are several */
  uint32_t made;    /* how often it was made */
  uint32_t updates; /* how often of these by updates, with the same goals and options */
  bool ranged;      /* its goals are the places that fit the given ones */
  bool changed;     /* by arithmetic: its values, also when relaxed, lead to no goals */
  bool busy;        /* it is being made or relaxed */
  int readers;      /* the number of calls that read it while scripts may run */
} lwend_field;

/* The field at index; otherwise NULL. */
lwend_field *lwend_tofield(lua_State *L, int index);
/* The field at index. Raises if it is not a field of this map with values, or not made with, or without, `outward`. */
typedef enum lwend_direction { LWEND_ANY_FIELD, LWEND_OUTWARD, LWEND_INWARD } lwend_direction;
lwend_field *lwend_check_field(lua_State *L, int index, const lwend_map *g, lwend_direction direction, const char *what);
/* Raises if the field cannot be updated now. Returns it. */
lwend_field *lwend_check_updatable(lua_State *L, lwend_field *f);
/* Raises for a field that does not know how it was made. */
int lwend_raise_unknown(lua_State *L);
/* The field is up to date with what a request has read. */
void lwend_note_update(lwend_field *f, const lwend_request *request);
/* Pushes the field or route table of the request's map that was read from bytes, with the request's costs. WEND_OK; or WEND_FORMAT,
 * or WEND_STALE: it belongs to another map. On failure, values that are of no use may remain on the stack. */
wend_status lwend_push_decoded_field(lua_State *L, lwend_request *request, const void *bytes, size_t size);
wend_status lwend_push_decoded_route_table(lua_State *L, lwend_request *request, const void *bytes, size_t size);

#endif
