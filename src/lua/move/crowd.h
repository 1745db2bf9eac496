/* SPDX-License-Identifier: MIT */
/* Crowds as the binding holds them. Scripts see crowds and walkers as objects that are made in Lua. Their fields hold
 * what the functions for crowds read, and scripts can reach it: so every value is read raw and checked.
 *
 *   _handle          of both: a userdata with the crowd of the core
 *   _id              of a walker
 *   _message, _code   of a walker: false, unless it is lost
 *
 * The anchor of a handle is { map, walkers, walls }: walkers[id] is the walker. A crowd calls nothing of the script, so its grid
 * needs no lock.
 *
 * The core counts in cells of the grid: there walkers are discs on the ground, whatever the frame of the grid. Points and vectors
 * are converted by the frame. So on an isometric grid a disc is an ellipse on the screen. Lengths and speeds have no one
 * direction. They are measured along the ground, where the side of a cell is as long as a cell of the frame is wide. Without a
 * grid the core counts in units of the world. */
#ifndef WEND_LUA_CROWD_H
#define WEND_LUA_CROWD_H

#include "lua/move/move.h"

typedef struct lwend_crowd {
  wend_crowd *crowd; /* NULL: it was freed */
  lwend_map *of;     /* NULL: it has no map */
  lwend_frame frame; /* of its grid; without one, that of the world */
  uint64_t walls;    /* the version of its walls that the core has */
} lwend_crowd;

/* The handle at index. Raises if it is something else, or if it or its map was freed. */
lwend_crowd *lwend_check_crowd_handle(lua_State *L, int index);
/* The id at index; WEND_NO_ID: the value is none. */
wend_id lwend_to_walker(lua_State *L, int index);
/* Reads the position whose x is at index. */
void lwend_check_crowd_place(lua_State *L, int index, const lwend_crowd *c, double *cells);
/* Pushes a field of the table at index, raw. */
void lwend_push_own(lua_State *L, int index, const char *name);
/* Pushes whether an order was carried out: there may be no such walker any more. */
int lwend_push_obeyed(lua_State *L, wend_status status);
/* Pushes the table of walkers of the handle at 1. */
void lwend_push_walkers(lua_State *L);
/* Pushes the item of the table of walkers at index. */
void lwend_push_walker(lua_State *L, int walkers, wend_id id);
/* Pushes a userdata with the points of the flat list at index, in units of the core. *count: of points. */
double *lwend_push_crowd_points(lua_State *L, int index, const lwend_crowd *c, uint32_t *count);
/* The same for a list of heights. */
double *lwend_push_heights(lua_State *L, int index, uint32_t *count);

#endif
