#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks the library for Defold: make check-defold. $1: the archive. JIT_CFLAGS: of LuaJIT. LUA: an interpreter.
# It compiles as Defold's builder does for Linux (share/extender/build_input.yml of Defold's sources): clang++ for all
# sources, without exceptions. Headers in spec/embedding/dmsdk stand in for the SDK.
set -eu

out=$(pwd)/build/defold
rm -rf "$out"
mkdir -p "$out/library"
command -v unzip >/dev/null || { echo "skipped: Defold: no unzip here"; exit 0; }
unzip -q "$1" -d "$out/library"

echo "defold: the layout of a library"
(cd "$out/library" && find . -type f | LC_ALL=C sort) >"$out/files"
diff - "$out/files" <<END
./LICENSE
./README.md
./game.project
./wend/api/wend.script_api
./wend/ext.manifest
./wend/include/lauxlib.h
./wend/include/lua.h
./wend/include/wend.h
./wend/include/wend_move.h
./wend/src/extension.cpp
./wend/src/wend.cpp
./wend/src/wend_lua.cpp
END
grep -qx 'include_dirs = wend' "$out/library/game.project"
grep -qx 'name: "wend"' "$out/library/wend/ext.manifest"
if grep -rq '@version@\|@name@' "$out/library"; then echo "a name was not replaced" >&2; exit 1; fi
words=$(wc -w <"$out/library/README.md")
[ "$words" -le 250 ] || { echo "README.md has $words words" >&2; exit 1; }
sed -n '/^```lua$/,/^```$/p' "$out/library/README.md" | grep -v '^```' >"$out/example.lua"
[ -s "$out/example.lua" ]

echo "defold: the compiler of its builder"
for name in wend wend_lua; do
  clang++ -DDM_PLATFORM_LINUX -D__STDC_LIMIT_MACROS -DDDF_EXPOSE_DESCRIPTORS -DDLIB_LOG_DOMAIN='"WEND"' -g -O2 -m64 -Wall \
    -Werror=format -Wno-c99-designator -fno-exceptions -fPIC -fvisibility=hidden -I"$out/library/wend/include" -Ispec/embedding \
    "$out/library/wend/src/$name.cpp" -c -o "$out/$name.o" 2>"$out/$name.log" || { cat "$out/$name.log" >&2; exit 1; }
done
# shellcheck disable=SC2046,SC2086
clang++ -Wall -Wextra -Werror -fno-exceptions -Ispec/embedding $JIT_CFLAGS -o "$out/host" spec/embedding/defold.cpp \
  "$out/wend_lua.o" "$out/wend.o" $(${PKG_CONFIG:-pkg-config} --libs luajit 2>/dev/null || echo -lluajit-5.1) -lm -ldl
"$out/host" "$out/example.lua" | grep -qx "graph, and the walker is at 300 100"

echo "defold: the description of the module"
if command -v python3 >/dev/null && python3 -c 'import yaml' 2>/dev/null; then
  python3 - "$out/library/wend/api/wend.script_api" <<'END'
import sys, yaml
(module,) = yaml.safe_load(open(sys.argv[1], encoding="utf-8"))
names = {one["name"] for one in module["members"]}
assert module["name"] == "wend" and {"graph", "grid", "parse_grid", "crowd"} <= names, names
allowed = {"table", "string", "boolean", "number", "function"}
for member in module["members"]:
    for one in member.get("parameters", []) + member.get("returns", []):
        kinds = one["type"] if isinstance(one["type"], list) else [one["type"]]
        assert kinds and set(kinds) <= allowed, (member["name"], one)
END
else
  echo "skipped: Defold: no python3-yaml for the description"
fi
