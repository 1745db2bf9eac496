#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the named programs of doc/embedding.md: make check-embedding. core.sh and host.sh of Lua 5.4 come before it.
# LUA_CFLAGS, LUA_LIBS: Lua 5.4. LUA: an interpreter. JIT: the folder of the module for LuaJIT, with wend/core.so.
set -eu

out=$(pwd)/build/embedding
rm -rf "$out"
mkdir -p "$out"
skipped() { echo "skipped: doc/embedding.md: $*"; }
has() { command -v "$1" >/dev/null 2>&1; }
$LUA spec/embedding/blocks.lua "$out"

# A game folder as the page describes it: $1/wend with the Lua files and core.so.
folder() {
  mkdir -p "$1"
  cp -r lua/wend "$1"
  cp "$JIT/wend/core.so" "$1/wend"
}

echo "host.c"
cc -std=c11 -Wall -Wextra -Werror $LUA_CFLAGS -Idist -o "$out/host" "$out/host.c" build/amalgamation/5.4/wend_lua-gcc.o \
  build/amalgamation/wend-gcc.o $LUA_LIBS -lm
"$out/host" | diff "$out/host.txt" -

echo "patrol.ts is part of the checked program"
head -n "$(($(wc -l <"$out/patrol.ts") + 2))" spec/embedding/tstl/patrol.ts | tail -n +3 | diff "$out/patrol.ts" -

if has "${LOVE:-love}" && has python3; then
  printf 'function love.conf(t) for name in pairs(t.modules) do t.modules[name] = name == "event" or name == "system" or name == "timer" end end\n' >"$out/conf.lua"
  { cat "$out/love_main.lua"; printf 'print(wend.grid(3, 3):path(1, 1, 3, 3) ~= nil, love.filesystem.isFused())\nlove.event.quit()\n'; } >"$out/main.lua"
  run_love() { (cd / && SDL_VIDEODRIVER=dummy timeout 60 "$@") | tail -n 1; }
  folder "$out/love"
  cp "$out/conf.lua" "$out/main.lua" "$out/love"
  echo "LÖVE: a folder"
  test "$(run_love "${LOVE:-love}" "$out/love")" = "true	false"
  echo "LÖVE: a thread that plans"
  mkdir -p "$out/planner"
  cp -r "$out/love/wend" "$out/planner"
  sed 's/name == "event"/name == "thread" or &/' "$out/conf.lua" >"$out/planner/conf.lua"
  cp "$out/love_planner.lua" "$out/planner/planner.lua"
  { printf 'local out = print\nfunction print(...) out(...) love.event.quit() end\n'; cat "$out/love_main.lua" "$out/love_plans.lua"; } \
    >"$out/planner/main.lua"
  test "$(run_love "${LOVE:-love}" "$out/planner")" = "1	65"
  mkdir -p "$out/archive/wend"
  mv "$out/love/wend/core.so" "$out/archive/wend"
  (cd "$out/love" && python3 -m zipfile -c ../archive/game.love conf.lua main.lua wend)
  echo "LÖVE: an archive with wend/core.so beside it"
  test "$(run_love "${LOVE:-love}" "$out/archive/game.love")" = "true	false"
  echo "LÖVE: fused, with wend/core.so beside it"
  cat "$(readlink -f "$(command -v "${LOVE:-love}")")" "$out/archive/game.love" >"$out/archive/game"
  chmod +x "$out/archive/game"
  test "$(run_love "$out/archive/game")" = "true	true"
else
  skipped "no LÖVE, or no python3 to pack an archive"
fi

if has "${NVIM:-nvim}"; then
  echo "Neovim"
  folder "$out/nvim/lua"
  HOME=$out "${NVIM:-nvim}" --clean --headless --cmd "set rtp+=$out/nvim" -c "luafile $out/nvim.lua" -c q 2>&1 | grep -q '2.828'
else
  skipped "no Neovim here"
fi
