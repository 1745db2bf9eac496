#!/bin/sh
# SPDX-License-Identifier: MIT
# Uses what `make release` has made: sh spec/shipping/release.sh FOLDER VERSION. LOVE, WINE: the programs.
set -eu

folder=$1 version=$2 root=$(pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

(cd "$folder" && sha256sum -c --quiet SHA256SUMS)
test "$(wc -l <"$folder/SHA256SUMS")" = "$(find "$folder" -type f ! -name SHA256SUMS | wc -l)"
echo "ok: SHA256SUMS names every file"

tar -tf "$folder/wend-$version.tar.gz" | grep -v '/$' | sed 's,^[^/]*/,./,' | LC_ALL=C sort >"$out/packed"
sed -n 's/.*"fileName": "\([^"]*\)".*/\1/p' "$folder/wend-$version.spdx.json" | LC_ALL=C sort >"$out/listed"
diff "$out/packed" "$out/listed"
if command -v python3 >/dev/null; then python3 -m json.tool "$folder/wend-$version.spdx.json" >/dev/null; fi
echo "ok: the list of licences has every file of the archive"

skipped() {
  echo "skipped: the archive for LÖVE: $*"
  exit 0
}
love=${LOVE:-love}
for tool in "$love" xvfb-run zip unzip; do command -v "$tool" >/dev/null 2>&1 || skipped "no $tool here"; done

# The game of doc/shipping.md, which begins as README.txt of the archive says.
mkdir "$out/page" "$out/game" "$out/home"
lua5.4 spec/embedding/blocks.lua "$out/page" doc/shipping.md
unzip -q "$folder/wend-$version-love.zip" -d "$out/game"
cp "$out/page/conf.lua" "$out/page/level.txt" "$out/game"
grep -q 'require "native"' "$out/game/wend/README.txt"
{
  echo 'function love.errorhandler(message) print("error: " .. message) os.exit(1) end'
  echo 'require "native"'
  sed -n '/^local wend = /,$p' "$out/page/main.lua" # without the lines about package.cpath
  echo 'local draw_game = love.draw; function love.draw() draw_game() love.event.quit() end'
} >"$out/game/main.lua"
(cd "$out/game" && zip -qr ../fen.love .)
(cd / && env -u LUA_PATH -u LUA_CPATH HOME="$out/home" XDG_DATA_HOME="$out/home/data" LIBGL_ALWAYS_SOFTWARE=1 \
  SDL_AUDIODRIVER=dummy xvfb-run -a timeout -k 5 60 "$love" "$out/fen.love") 2>"$out/errors" |
  grep -v '^Could not open device' >"$out/printed" || :
if ! diff "$out/page/output.txt" "$out/printed"; then cat "$out/errors" >&2; exit 1; fi
echo "ok: a game with the archive for LÖVE starts on Linux"

wine=${WINE:-wine64}
command -v "$wine" >/dev/null 2>&1 || { echo "skipped: the archive for LÖVE on Windows: no wine64 here"; exit 0; }
[ -f build/windows/jit/luajit.exe ] || { echo "skipped: the archive for LÖVE on Windows: no luajit.exe here"; exit 0; }
mkdir "$out/game/c" "$out/game/c/wend"
cp "$out/game/native/Windows.dll" "$out/game/c/wend/core.dll"
cp build/windows/jit/luajit.exe build/windows/jit/lua51.dll "$out/game"
(cd "$out/game" && LC_ALL=C.UTF-8 WINEPREFIX="$root/build/windows/wine" WINEDEBUG=-all LUA_PATH='?.lua;?/init.lua' LUA_CPATH='c/?.dll' \
  timeout 120 "$wine" luajit.exe -e 'print(require "wend"._VERSION)') | tr -d '\r' >"$out/printed"
grep -qx "wend $version" "$out/printed" || { cat "$out/printed" >&2; exit 1; }
echo "ok: the DLL of the archive for LÖVE loads under wine"
