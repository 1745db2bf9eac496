#!/bin/sh
# SPDX-License-Identifier: MIT
# Ships the game of doc/shipping.md in each of its layouts, and starts it in LÖVE: make check-shipping. The games lie in
# an empty folder outside the checkout, and know no path to it. JIT: the folder of the module for LuaJIT. LOVE, LUA.
set -eu

skipped() {
  echo "skipped: shipped games: $*"
  exit 0
}
love=${LOVE:-love}
for tool in "$love" xvfb-run zip; do command -v "$tool" >/dev/null 2>&1 || skipped "no $tool here"; done

root=$(pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir "$out/page" "$out/home" "$out/game"
$LUA spec/embedding/blocks.lua "$out/page" doc/shipping.md
cp "$out/page/conf.lua" "$out/page/main.lua" "$out/page/level.txt" "$out/game"
cp -r lua/wend "$out/game/wend"
# The game writes errors to the terminal, and ends after its first picture.
cat >"$out/begin.lua" <<'END'
function love.errorhandler(message)
  print("error: " .. message)
  io.stdout:flush()
  os.exit(1)
end
END
cat >"$out/end.lua" <<'END'

local draw_game = love.draw
function love.draw()
  draw_game()
  assert(love.graphics.getStats().drawcalls > 0, "nothing was drawn")
  love.event.quit()
end
END
cat "$out/begin.lua" "$out/page/main.lua" "$out/end.lua" >"$out/game/main.lua"

# launch PROGRAM ...: starts a game from another folder, with a home of its own. What it prints goes to $out/printed.
launch() {
  (cd / && env -u LUA_PATH -u LUA_CPATH HOME="$out/home" XDG_DATA_HOME="$out/home/data" LIBGL_ALWAYS_SOFTWARE=1 \
    SDL_AUDIODRIVER=dummy xvfb-run -a timeout -k 5 60 "$@") >"$out/all" 2>"$out/errors" || :
  # LÖVE itself prints this line where there is no sound device.
  grep -v '^Could not open device' "$out/all" >"$out/printed" || :
}

# start NAME PROGRAM ...: starts a game, and compares what it prints.
start() {
  name=$1
  shift
  launch "$@"
  if ! diff "$out/page/output.txt" "$out/printed" || grep -q "$root" "$out/printed" "$out/errors"; then
    cat "$out/errors" >&2
    echo "failed: shipped game: $name" >&2
    exit 1
  fi
  echo "ok: $name"
}

# The page says how large core.so is, within a tenth, and which C library it needs. Both depend on the system that it names.
if [ "$(uname -m)" = x86_64 ] && grep -q '^PRETTY_NAME="Debian GNU/Linux 12 ' /etc/os-release 2>/dev/null; then
  strip -o "$out/stripped.so" "$JIT/wend/core.so"
  sed -n 's/.* \([0-9.]*\) MB instead of \([0-9.]*\) MB$/\1 \2/p' doc/shipping.md |
    awk -v stripped="$(wc -c <"$out/stripped.so")" -v whole="$(wc -c <"$JIT/wend/core.so")" '
      function near(figure, bytes) { return figure * 1e6 > 0.9 * bytes && figure * 1e6 < 1.1 * bytes }
      { right = near($1, stripped) && near($2, whole) }
      END { if (!right) print "failed: sizes of core.so in doc/shipping.md: measured " stripped " and " whole; exit !right }
    ' >&2
  library=$(objdump -T "$JIT/wend/core.so" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
  if ! grep -q "${library#GLIBC_} when built on Debian 12" doc/shipping.md; then
    echo "failed: doc/shipping.md does not say that core.so needs $library" >&2
    exit 1
  fi
  echo "ok: the figures of the page"
fi

pack() { (cd "$1" && zip -qr "$2" .); }

mkdir -p "$out/beside/wend"
pack "$out/game" "$out/beside/fen.love"
# Without its C part the game must not start. Otherwise it found another one, and the rest would prove nothing.
launch "$love" "$out/beside/fen.love"
if ! grep -q "error: .*module 'wend.core' not found" "$out/printed"; then
  cat "$out/printed" "$out/errors" >&2
  echo "failed: shipped game: it does not ask for wend.core" >&2
  exit 1
fi
cp "$JIT/wend/core.so" "$out/beside/wend"
start "an archive, with wend/core.so beside it" "$love" "$out/beside/fen.love"

mkdir -p "$out/fused/wend"
cat "$(readlink -f "$(command -v "$love")")" "$out/beside/fen.love" >"$out/fused/fen"
chmod +x "$out/fused/fen"
cp "$JIT/wend/core.so" "$out/fused/wend"
start "fused, with wend/core.so beside it" "$out/fused/fen"

cp -r "$out/game" "$out/native"
mkdir "$out/native/native" "$out/one"
cp "$JIT/wend/core.so" "$out/native/native/Linux.so"
{
  cat "$out/begin.lua" "$out/page/native.lua"
  sed -n '/^local wend = /,$p' "$out/page/main.lua" # without the lines about package.cpath
  cat "$out/end.lua"
} >"$out/native/main.lua"
pack "$out/native" "$out/one/fen.love"
start "one archive for all systems" "$love" "$out/one/fen.love"
start "one archive for all systems, again" "$love" "$out/one/fen.love"
copy=$(find "$out/home" -name core.so)
echo changed >"$copy"
start "one archive for all systems, with an old copy" "$love" "$out/one/fen.love"
rm -r "$out/home"
mkdir "$out/home"

mkdir "$out/single" "$out/small"
cp "$out/game"/*.lua "$out/game/level.txt" "$out/small"
pack "$out/small" "$out/single/fen.love"
cc=${CC:-cc}
$cc -std=c11 -O1 -DNDEBUG -fPIC -shared -Idist $LUA_CFLAGS dist/wend.c dist/wend_lua.c -o "$out/single/wend.so" -lm
start "one file beside the archive" "$love" "$out/single/fen.love"
