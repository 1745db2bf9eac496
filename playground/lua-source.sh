#!/bin/sh
# SPDX-License-Identifier: MIT
# sh playground/lua-source.sh FOLDER [SOURCE]    Puts the C files of Lua 5.4 into FOLDER: those of the folder SOURCE, or else
# those of Debian's source package, which apt-get downloads. The lists of packages of this machine stay as they are.
set -eu
folder=$1 source=${2:-}
rm -rf "$folder"
mkdir -p "$folder"

if [ -z "$source" ]; then
  command -v apt-get >/dev/null || {
    echo "name the sources of Lua 5.4: make playground LUA_SOURCE=folder" >&2
    exit 1
  }
  . /etc/os-release
  apt=$(cd "$folder" && pwd)/apt
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  echo "deb-src http://deb.debian.org/debian ${VERSION_CODENAME:-stable} main" >"$apt/sources.list"
  set -- -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$apt/lists" \
    -o "Dir::Cache=$apt/cache" -o "APT::Sandbox::User=$(id -un)" -qq
  apt-get "$@" update
  (cd "$apt" && apt-get "$@" source --download-only lua5.4 && tar -xzf lua5.4_*.orig.tar.gz)
  for source in "$apt"/lua-5.4*; do :; done
fi
[ ! -e "$source/src/lua.h" ] || source=$source/src
cp "$source"/*.c "$source"/*.h "$folder"
rm -rf "$folder/apt"
