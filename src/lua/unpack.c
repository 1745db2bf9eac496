/* SPDX-License-Identifier: MIT */
/* core.unpack: the contents of gzip or zlib data, for lua/wend/tools/tiled. */
#include "lwend.h"

/* core.unpack(string, max_bytes) -> string; or nil, number of bytes that could be unpacked, "format" or "budget" */
int lwend_core_unpack(lua_State *L) {
  size_t packed_size;
  uint64_t size;
  void *bytes;
  const char *packed;
  double most;
  wend_status status;
  /* 1. Read and check the arguments. Strings never change, so finalizers that run below cannot do harm. */
  luaL_checktype(L, 1, LUA_TSTRING);
  luaL_checktype(L, 2, LUA_TNUMBER);
  packed = lua_tolstring(L, 1, &packed_size);
  most = lua_tonumber(L, 2);
  if (!(most >= 0)) luaL_argerror(L, 2, "max_bytes must be a number >= 0");
  if (most > 1e15) most = 1e15;
  /* 2. Unpack once to count the bytes, without storing them. */
  status = wend_gunzip_size(packed, packed_size, (uint64_t)most, &size);
  if (status == WEND_OK && size >= SIZE_MAX) lwend_no_memory(L);
  /* 3. Unpack into memory of exactly that size. */
  if (status == WEND_OK) {
    bytes = lua_newuserdata(L, size > 0 ? (size_t)size : 1);
    status = wend_gunzip(packed, packed_size, bytes, (size_t)size);
    if (status == WEND_OK) {
      lua_pushlstring(L, bytes, (size_t)size);
      return 1;
    }
  }
  lua_pushnil(L);
  lua_pushnumber(L, (lua_Number)size);
  lua_pushstring(L, wend_status_code(status));
  return 3;
}
