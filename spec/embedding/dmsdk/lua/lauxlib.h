/* SPDX-License-Identifier: MIT */
/* Of Defold's SDK: LuaJIT's header. */
#include <luajit-2.1/lauxlib.h>
