#!/bin/sh
# SPDX-License-Identifier: MIT
# sh spec/dist.sh ROCK VERSION...    Installs a .src.rock into an empty tree for each version of Lua, without the network.
# Then runs, from another folder and with nothing else on the path: the README's first program, and the command `wend`.
set -eu

rock=$1
shift
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
luarocks=${LUAROCKS:-luarocks}
command -v "$luarocks" >/dev/null || { echo "skipped: the rock: no $luarocks here"; exit 0; }

# The first Lua block of the README, and the text block after it.
awk -v want=lua '/^```/ { if (inside) exit; inside = $0 == "```" want; next } inside' README.md >"$work/first.lua"
awk '/^```lua$/ { seen = 1 } /^```/ { if (inside) exit; inside = seen && $0 == "```text"; next } inside' README.md \
  >"$work/first.txt"
if ! [ -s "$work/first.lua" ] || ! [ -s "$work/first.txt" ]; then
  echo "the README has no first program" >&2
  exit 1
fi

tried=0
for version; do
  lua=
  for name in "lua$version" "lua-$version" "lua$(echo "$version" | tr -d .)"; do
    if command -v "$name" >/dev/null; then lua=$(command -v "$name"); break; fi
  done
  if [ -z "$lua" ]; then echo "skipped: the rock for Lua $version: no lua$version here"; continue; fi
  tree=$work/$version
  mkdir -p "$tree" "$work/home" "$work/away" "$work/no-server"
  # Of LuaRocks' servers none is asked: everything is in the rock. Without optimization, to save time.
  if ! HOME=$work/home "$luarocks" --lua-version "$version" --only-server "$work/no-server" install --tree "$tree" "$rock" \
    CFLAGS='-O0 -fPIC' >"$work/log" 2>&1; then
    cat "$work/log" >&2
    exit 1
  fi

  # run COMMAND...    with nothing on the path except the tree
  run() {
    (cd "$work/away" && env -i PATH="$PATH" HOME="$work/home" \
      LUA_PATH="$tree/share/lua/$version/?.lua;$tree/share/lua/$version/?/init.lua" \
      LUA_CPATH="$tree/lib/lua/$version/?.so" "$@")
  }
  # Lua before 5.3 prints 100.0 as 100.
  case $version in
    5.1 | 5.2) sed 's/\([0-9]\)\.0$/\1/' "$work/first.txt" >"$work/expected" ;;
    *) cp "$work/first.txt" "$work/expected" ;;
  esac
  run "$lua" "$work/first.lua" >"$work/printed"
  diff -u "$work/expected" "$work/printed"
  echo "Lua $version: the first program prints what the README says"

  release=$(basename "$rock" | sed 's/^wend-\(.*\)-1\.src\.rock$/\1/')
  found=$(run "$lua" -e 'print(require "wend"._VERSION)')
  test "$found" = "wend $release" || { echo "Lua $version: $found is installed, not wend $release" >&2; exit 1; }

  argparse=$("$lua" -e 'for path in package.path:gmatch "[^;]+" do
    local name = path:gsub("%?", "argparse")
    if io.open(name) then print(name) break end end')
  if [ -z "$argparse" ]; then
    echo "skipped: the command of the rock: no argparse for Lua $version (Debian: lua-argparse)"
  else
    cp "$argparse" "$tree/share/lua/$version/argparse.lua"
    run "$lua" -e "require 'wend'.parse_grid('..#\n...'):save 'level.wend'"
    # The command finds the tree by itself, also through a link.
    mkdir -p "$work/links"
    ln -sf "$tree/bin/wend" "$work/links/wend"
    (cd "$work/away" && env -i PATH="$work/links:$PATH" HOME="$work/home" wend --version) >"$work/printed"
    grep -q "^wend $release, Lua $version" "$work/printed" || { cat "$work/printed" >&2; exit 1; }
    run "$tree/bin/wend" path level.wend 1,1 3,2 >"$work/printed"
    grep -q . "$work/printed"
    echo "Lua $version: $(run "$tree/bin/wend" --version)"
  fi
  tried=$((tried + 1))
done
cd "$root"
if [ $tried = 0 ]; then echo "skipped: the rock: no Lua to install it for"; fi
