#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the playground and checks it: make check-playground. The arguments are the folders of the page and of what it is made
# from. CHROMIUM: the browser. LUA_SOURCE: a folder, or nothing.
set -eu
page=$1 work=$2

skipped() {
  echo "skipped: the playground: $*"
  exit 0
}
for tool in emcc node npm "$CHROMIUM"; do command -v "$tool" >/dev/null 2>&1 || skipped "no $tool here"; done
[ "$(node -p 'parseInt(process.versions.node)')" -ge 18 ] || skipped "Node.js is older than 18"
[ -e "$work/npm.built" ] || npm ping >/dev/null 2>&1 || skipped "the npm registry cannot be reached"

$MAKE --no-print-directory playground LUA_SOURCE="$LUA_SOURCE"
node playground/test/engine.mjs "$work"
timeout 180 node playground/test/page.mjs "$page" "$work" "$(command -v "$CHROMIUM")"
