#!/bin/sh
# SPDX-License-Identifier: MIT
# Plays the scene of spec/embedding/luanti with the mods of examples/luanti and the programs of doc/luanti.md in a server,
# in a world of its own: make check-luanti. JIT: the folder of the module for LuaJIT. LUA: an interpreter. LUANTI: the
# server; by default luantiserver, or minetestserver, which Debian puts into /usr/games.
set -eu

skipped() { echo "skipped: Luanti: $*"; exit 0; }
server=
for name in ${LUANTI:-luantiserver minetestserver /usr/games/minetestserver}; do
  [ -n "$server" ] || server=$(command -v "$name" || :)
done
[ -n "$server" ] || skipped "no luantiserver and no minetestserver here"

out=$(pwd)/build/luanti
world=$out/world
rm -rf "$out"
mkdir -p "$world/worldmods/wend" "$world/worldmods/patrol"
export HOME="$out"
"$server" --gameid list >"$out/games" 2>&1 || :
grep -q '^minetest\(_game\)*$' "$out/games" || skipped "no Minetest Game here"

$LUA spec/embedding/blocks.lua "$out" doc/luanti.md
cp -r lua/wend "$world/worldmods/wend/wend"
cp "$JIT/wend/core.so" "$world/worldmods/wend/wend"
cp "$out/wend_init.lua" "$world/worldmods/wend/init.lua"
echo 'name = wend' >"$world/worldmods/wend/mod.conf"
cp "$out/patrol_init.lua" "$world/worldmods/patrol/init.lua"
printf 'name = patrol\ndepends = wend\n' >"$world/worldmods/patrol/mod.conf"
cp -r examples/luanti/walkers examples/luanti/toll "$world/worldmods"
cp -r spec/embedding/luanti "$world/worldmods/scene"
{
  cat "$out/minetest.conf"
  printf 'mg_name = v7\nfixed_map_seed = 2\nmax_forceloaded_blocks = 1000\nnum_emerge_threads = 1\nbind_address = 127.0.0.1\n'
} >"$world/minetest.conf"
timeout 180 "$server" --config "$world/minetest.conf" --world "$world" --gameid minetest_game --port "$((20000 + $$ % 10000))" \
  >"$out/log" 2>&1 || :

report=$world/report.txt
[ -f "$report" ] || { tail -n 20 "$out/log" >&2; exit 1; }
cat "$report"
grep -q 'patrol: 2.828' "$out/log" || { echo "the program of the page failed" >&2; exit 1; }
[ "$(tail -n 1 "$report")" = "0 failed" ]
