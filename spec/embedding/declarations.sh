#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks dist/wend.d.ts: make check-declarations
# TSTL: a folder with node_modules/typescript-to-lua and lua-types; without it npm installs them, where it can. With them
# a program is compiled to Lua and runs. TSC: otherwise, a TypeScript compiler, version 4.8 or later, that checks types
# alone. LUA, ENV as in the Makefile.
set -eu

out=build/declarations
rm -rf $out
mkdir -p $out
skipped() { echo "skipped: declarations: $*"; }

# Without a compiler: everything in the module wend is declared, and brackets match.
cat >$out/names.lua <<'END'
local text = io.open("dist/wend.d.ts"):read "*a"
local plain = text:gsub("/%*.-%*/", ""):gsub("//[^\n]*", "")
for name in pairs(require "wend") do
  if not (plain:find("export function " .. name .. "(", 1, true) or plain:find("export const " .. name .. ":", 1, true)
      or plain:find(" as " .. name .. " }", 1, true)) then
    error("dist/wend.d.ts does not declare wend." .. name)
  end
end
for open, close in pairs { ["{"] = "}", ["("] = ")", ["["] = "]" } do
  local _, opened = plain:gsub("%" .. open, "")
  local _, closed = plain:gsub("%" .. close, "")
  assert(opened == closed and opened > 10, "brackets do not match: " .. open)
end
END
echo "names and brackets"
eval "$ENV $LUA $out/names.lua"

# The compilers that package-lock.json names, where the registry of npm can be reached. No script of theirs runs.
npm_folder=build/declarations.npm
if [ -z "${TSTL-}" ] && command -v npm >/dev/null 2>&1; then
  mkdir -p $npm_folder
  if ! cmp -s spec/embedding/tstl/package-lock.json $npm_folder/built; then
    cp spec/embedding/tstl/package.json spec/embedding/tstl/package-lock.json $npm_folder
    (cd $npm_folder && timeout 120 npm ci --ignore-scripts --no-audit --no-fund --silent && cp package-lock.json built) || :
  fi
  if [ -e $npm_folder/built ]; then TSTL=$npm_folder; fi
fi

if [ -n "${TSTL-}" ]; then
  cp dist/wend.d.ts spec/embedding/tstl/patrol.ts spec/embedding/tstl/tsconfig.json $out
  ln -s "$(cd "$TSTL" && pwd)/node_modules" $out/node_modules
  echo "TypeScriptToLua: patrol.ts"
  node $out/node_modules/typescript-to-lua/dist/tstl.js -p $out
  (cd $out && eval "$ENV $LUA patrol.lua") | sed 's/\([0-9]\)\.0/\1/' | diff spec/embedding/tstl/patrol.txt -
  # It does check types.
  echo 'import * as wend from "wend"; wend.graph(1); wend.grid(3, 4).path(1, 1, 3, 4)[0]!.no_such_field;' >$out/wrong.ts
  if node $out/node_modules/typescript-to-lua/dist/tstl.js -p $out >$out/log; then
    echo "TypeScriptToLua accepts a program that is wrong" >&2
    exit 1
  fi
  grep -q 'no_such_field' $out/log
  exit
fi
skipped "no TypeScriptToLua here, by TSTL or npm: patrol.ts does not run"
# check FILE: its types, with declarations of our own in place of TypeScriptToLua's.
check() {
  printf '{ "compilerOptions": { "target": "ESNext", "lib": ["ESNext"], "strict": true, "noEmit": true, "types": [] }, "files": ["%s", "%s", "%s"] }' \
    "$(pwd)/spec/embedding/tstl/lua.d.ts" "$(pwd)/dist/wend.d.ts" "$(pwd)/$1" >$out/tsconfig.json
  $TSC -p $out/tsconfig.json
}
if command -v "$TSC" >/dev/null 2>&1; then
  echo "tsc: patrol.ts"
  check spec/embedding/tstl/patrol.ts
  # It does check types.
  echo 'import * as wend from "wend"; wend.graph(1); wend.grid(3, 4).path(1, 1, 3, 4)[0]!.no_such_field;' >$out/wrong.ts
  if check $out/wrong.ts >$out/log; then
    echo "tsc accepts a program that is wrong" >&2
    exit 1
  fi
  grep -q 'no_such_field' $out/log
else
  skipped "no tsc here: types are not checked"
fi
