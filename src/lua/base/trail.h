/* SPDX-License-Identifier: MIT */
/* Paths and their trails: see trail.c. */
#ifndef WEND_LUA_BASE_TRAIL_H
#define WEND_LUA_BASE_TRAIL_H

#include "core/query/watch.h"
#include "lua/base/query.h"

/* The part of a path that scripts cannot reach: its map, how old it is, and its edges. The list of nodes, which scripts
 * can change, may not match it. Nodes and edges may have been removed since. Behind the edges is room for the bits of a sieve
 * (core/query/watch.h), if path:valid has looked through the path more than once. */
typedef struct lwend_trail {
  lwend_map *map;
  wend_path_age age;
  lwend_costs_age costs;
  wend_sieve sieve;
  uint64_t serial;          /* of the path: no other path has it; 0: of one that was made of lists */
  bool outdated;            /* the path was out of date when it was encoded */
  bool looked;              /* path:valid has looked through the path */
  bool turned;              /* the path was counted in turns. The numbers where they end follow the edges */
  uint32_t turn_count;      /* of them */
  bool watched;             /* a watch holds the path, or has held it */
  uint32_t fields;          /* bit LWEND_PATH_...: the path was given this field, of those that not every path has */
  uint32_t count, capacity; /* of edges; a grid has none. The capacity is also for turns */
  wend_id edges[1];
} lwend_trail;
/* The bits of the sieve of a trail. */
static inline uint64_t *lwend_sieve_bits(lwend_trail *trail) { return trail->edges + trail->capacity; }
/* Fields of a path whose names the state keeps: finding a string takes longer, and may allocate Lua memory. */
enum {
  LWEND_PATH_TRAIL,
  LWEND_PATH_MAP,
  LWEND_PATH_COSTS,
  LWEND_PATH_AGENT,
  LWEND_PATH_CALLBACK,
  LWEND_PATH_SIZE,
  LWEND_PATH_INFLUENCE,
  LWEND_PATH_COST,
  LWEND_PATH_TURNS_USED,
  LWEND_PATH_PARTIAL,
  LWEND_PATH_GOAL,
  LWEND_PATH_FIELDS
};
/* Pushes such a field of the table at index, without metamethods. Allocates nothing. */
void lwend_push_path_field(lua_State *L, int index, int field);
/* The trail of the table at index, which keeps it; NULL: it is not a path, or was never filled. Allocates nothing. */
lwend_trail *lwend_find_trail(lua_State *L, int index);
/* Pushes the trail of the path at index. Raises if the value is not a path. */
lwend_trail *lwend_push_trail(lua_State *L, int index);
/* Raises if the value at index is not a table. */
void lwend_check_path(lua_State *L, int index);
/* The field `map` of the table at index, if it is a graph or a grid; otherwise NULL. Allocates nothing. */
lwend_map *lwend_path_map(lua_State *L, int index);
/* The map of a trail. Raises if it was freed. Pushes nothing. */
lwend_map *lwend_trail_map(lua_State *L, const lwend_trail *trail);
/* Pushes the map of the trail at index. */
void lwend_push_trail_map(lua_State *L, int index);
/* Pushes a copy of the trail's edges, which no callback can change. Returns it; *count is their number. */
const wend_id *lwend_push_trail_edges(lua_State *L, const lwend_trail *trail, uint32_t *count);
/* Makes a request stale that has found a path with a node that was removed after request->version. */
void lwend_check_nodes(lwend_request *request);
/* Pushes the path that the search of the request has found: the table at LWEND_INTO, or a new one. */
void lwend_push_path(lua_State *L, lwend_request *request);
/* The same for given nodes or cells: `count` of them, and on graphs count - 1 edges. */
void lwend_push_path_of(lua_State *L, const lwend_request *request, const wend_id *nodes, const wend_id *edges, uint32_t count,
                        double cost);
/* The trail of the path at index if a path over this map can take its place without a new object: see lwend_refill_path. NULL:
 * otherwise. Allocates nothing. */
lwend_trail *lwend_find_refill(lua_State *L, const lwend_state *state, const lwend_map *g, int index);
/* Puts what the search of a request has found there. The request has no frame: its map is at 1, and the only option besides `into` is
 * the one at stack index `costs`; 0: none. Makes no object. False: the trail has no room. */
bool lwend_refill_path(lua_State *L, const lwend_request *request, int path, int costs, lwend_trail *trail);
/* Empties the path or the route at index. Does nothing if the value is not a table. */
void lwend_empty_result(lua_State *L, int index);
/* If the table at index is a path, empties it and makes it a plain table, for a route. */
void lwend_leave_path(lua_State *L, int index);
/* Fills the list at index with the coordinates of waypoints. */
void lwend_set_points(lua_State *L, int index, const wend_waypoint *waypoints, uint32_t count, int dimensions);

/* ---- path.c, for wend.decode: as in lwend.h, with the map and the costs of a request */
wend_status lwend_push_decoded_path(lua_State *L, lwend_request *request, const void *bytes, size_t size);

#endif
