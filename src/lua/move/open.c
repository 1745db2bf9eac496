/* SPDX-License-Identifier: MIT */
/* Opening movement: its state, its types and its decoders. */
#include "lua/move/move.h"

#include <string.h>

static const lwend_decoder decoders[] = {
    {WEND_FILE_CROWD, "a crowd", NULL, lwend_decode_crowd},
    {WEND_FILE_FOLLOWER, "a follower", lwend_push_decoded_follower, NULL},
    {WEND_FILE_NONE, NULL, NULL, NULL},
};

static void close_move(lwend_state *state) {
  lwend_move *move = lwend_move_in(state);
  wend_polyline_destroy(move->polyline);
  move->polyline = NULL;
  memset(&move->crowd, 0, sizeof move->crowd);
  memset(&move->follower, 0, sizeof move->follower);
}

void lwend_open_move(lua_State *L, lwend_state *state) {
  lwend_move *move = lwend_newuserdata(L, sizeof *move);
  memset(move, 0, sizeof *move);
  move->extension.decoders = decoders;
  move->extension.read_start = lwend_read_follower;
  move->extension.close = close_move;
  move->crowd_decode_ref = move->follower_make_ref = LUA_NOREF;
  lua_rawsetp(L, LUA_REGISTRYINDEX, move); /* the registry keeps it alive */
  state->extension = &move->extension;
  lwend_open_crowd(L, state);
  lwend_open_follow(L, state);
}

void lwend_add_move(lua_State *L, lwend_state *state) {
  lwend_add_class(L, "wend.Follower", true);
  lwend_add_class(L, "wend.Crowd", false);
  lwend_add_class(L, "wend.Walker", true);
  lwend_add_crowds(L, state);
  lwend_add_crowd_plans(L, state);
  lwend_add_crowd_readers(L, state);
  lwend_add_followers(L, state);
}
