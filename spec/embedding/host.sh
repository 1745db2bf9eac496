#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks dist/wend_lua.c for one Lua: make check-host LUA_VERSION=5.4. core.sh comes before it.
# VERSION, LUA_CFLAGS, LUA_LIBS: the Lua.
set -eu

out=build/amalgamation/$VERSION
mkdir -p "$out"
has() { command -v "$1" >/dev/null 2>&1; }
skipped() { echo "skipped: host with Lua $VERSION: $*"; }
warnings="-Wall -Wextra -Wpedantic -Werror"

printf '#include <lua.h>\n#include <lauxlib.h>\n' | cc -E $LUA_CFLAGS -x c - >/dev/null 2>&1 || { skipped "no headers here"; exit 0; }

# All Lua files, as find sees them and not as the Makefile lists them.
run() { "$1" spec/embedding/host.lua $(find lua -name '*.lua') | diff spec/embedding/host.txt -; }

for cc in ${COMPILERS:-gcc clang tcc}; do
  has "$cc" || { skipped "no $cc here"; continue; }
  core=build/amalgamation/wend-$cc.o
  echo "Lua $VERSION: $cc"
  level=-O1
  [ "$VERSION $cc" = "5.4 gcc" ] || level=-O0 # to save time: the specs run in that one
  $cc -std=c11 $warnings $level $LUA_CFLAGS -c -o "$out/wend_lua-$cc.o" dist/wend_lua.c
  # -rdynamic: modules in C that scripts load find Lua in the host.
  $cc -std=c11 $warnings -O1 $LUA_CFLAGS -rdynamic -o "$out/host-$cc" spec/embedding/host.c "$out/wend_lua-$cc.o" "$core" $LUA_LIBS -lm -ldl
  run "$out/host-$cc"
done

if has g++ && [ -e "$out/wend_lua-gcc.o" ]; then
  echo "Lua $VERSION: g++"
  g++ -std=c++11 $warnings -O1 $LUA_CFLAGS -o "$out/host-g++" spec/embedding/host.cpp "$out/wend_lua-gcc.o" \
    build/amalgamation/wend-gcc.o $LUA_LIBS -lm -ldl
  run "$out/host-g++"
else
  skipped "no g++ here"
fi

# A binary without any dynamic linking, where the static libraries are at hand.
if [ "$VERSION" = 5.4 ] && [ -e "$out/wend_lua-gcc.o" ]; then
  if gcc -static $LUA_CFLAGS -o "$out/host-static" spec/embedding/host.c "$out/wend_lua-gcc.o" build/amalgamation/wend-gcc.o \
    $LUA_LIBS -lm -ldl >"$out/static.log" 2>&1; then
    echo "Lua $VERSION: one static binary"
    run "$out/host-static"
  else
    skipped "no static libraries here"
  fi
fi
