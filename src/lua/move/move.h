/* SPDX-License-Identifier: MIT */
/* What the binding of movement shares: its state. It is an extension of the binding of navigation (lua/lwend.h). */
#ifndef WEND_LUA_MOVE_H
#define WEND_LUA_MOVE_H

#include "lua/base/query.h"
#include "wend_move.h"

typedef struct lwend_move {
  lwend_extension extension; /* first: lwend_move_of */
  lwend_class crowd, follower;
  int crowd_decode_ref;    /* the function that reads crowds; LUA_NOREF: lua/wend/move is not loaded */
  int follower_make_ref;   /* the function that makes the table of a follower; LUA_NOREF: the same */
  wend_polyline *polyline; /* that no call uses now; NULL: not made yet */
} lwend_move;

/* The state of movement, from the first upvalue of a function; and from the state of navigation. */
#define lwend_move_in(state) ((lwend_move *)(state)->extension)
#define lwend_move_of(L) lwend_move_in(lwend_state_of(L))

/* Make the metatables of the types of a file. */
lwend_opener lwend_open_crowd, lwend_open_follow;
/* Add functions to the table at the top, which scripts do not reach: `crowds`, first lwend_add_crowds, and `followers`. */
lwend_opener lwend_add_crowds, lwend_add_crowd_plans, lwend_add_crowd_readers, lwend_add_followers;
/* For wend.decode: see lwend_decoder. */
lwend_function lwend_decode_crowd;
wend_status lwend_push_decoded_follower(lua_State *L, const lwend_request *request, const void *bytes, size_t size);

/* The start of a search that is a follower: the node ahead, and where it is between two nodes. See lwend_extension. */
bool lwend_read_follower(lua_State *L, lwend_request *request, int index);

/* ---- open.c, for module.c: opening the extension, and what it adds to core.parts */
lwend_opener lwend_open_move, lwend_add_move;

#endif
