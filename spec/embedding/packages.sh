#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks what CMake and make install for C and C++ projects: make check-packages
# Each consumer is built against an installation in build/packages, and runs. VERSION: of wend. LUA, LUA_INCLUDE, LUA_ABI: a Lua.
set -eu

root=$(pwd)
out=$root/build/packages
has() { command -v "$1" >/dev/null 2>&1; }
skipped() { echo "skipped: packages: $*"; }
quiet() { "$@" >"$out/log" 2>&1 || { cat "$out/log" >&2; exit 1; }; }
rm -rf "$out"
mkdir -p "$out"
has g++ || { skipped "no g++ here"; exit 0; }

same() { "$1" | diff spec/embedding/core.txt -; }

# A consumer by find_package. $1: the installation.
by_cmake() {
  quiet cmake -S spec/embedding/consumer -B "$1-consumer" -DCMAKE_PREFIX_PATH="$1" -DWEND_WANTED="$VERSION"
  quiet cmake --build "$1-consumer"
  same "$1-consumer/core-c"
  same "$1-consumer/core-cpp"
}

# A consumer by pkg-config. $1: the folder of wend.pc; $2: where its programs go.
by_pkg_config() {
  PKG_CONFIG_PATH=$1
  export PKG_CONFIG_PATH
  test "$(pkg-config --modversion wend)" = "$VERSION"
  mkdir -p "$2"
  cc -std=c11 spec/embedding/core.c $(pkg-config --cflags --libs wend) -o "$2/core-c"
  g++ -std=c++11 spec/embedding/core.cpp $(pkg-config --cflags --libs wend) -o "$2/core-cpp"
  LD_LIBRARY_PATH=${1%/pkgconfig} same "$2/core-c"
  LD_LIBRARY_PATH=${1%/pkgconfig} same "$2/core-cpp"
}

if has cmake; then
  for kind in static shared; do
    lua=OFF shared=ON
    [ $kind = shared ] || { lua=ON shared=OFF; }
    if [ $lua = ON ] && [ ! -e "$LUA_INCLUDE/lua.h" ]; then
      lua=OFF
      skipped "no lua.h for the Lua module by CMake"
    fi
    echo "cmake: $kind library$([ $lua = OFF ] || echo ' and the Lua module')"
    quiet cmake -S . -B "$out/$kind-build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O0 -DBUILD_SHARED_LIBS=$shared \
      -DWEND_LUA_MODULE=$lua -DWEND_LUA_INCLUDE_DIR="$LUA_INCLUDE" -DCMAKE_INSTALL_LIBDIR=lib
    quiet cmake --build "$out/$kind-build" --parallel 2
    quiet cmake --install "$out/$kind-build" --prefix "$out/first"
    mv "$out/first" "$out/$kind" # an installed tree may be moved
    echo "cmake: find_package, $kind"
    by_cmake "$out/$kind"
    if has pkg-config; then
      echo "cmake: pkg-config, $kind"
      by_pkg_config "$out/$kind/lib/pkgconfig" "$out/$kind-programs"
    fi
    if [ $lua = ON ]; then
      (cd / && LUA_PATH="$out/$kind/share/lua/$LUA_ABI/?.lua;$out/$kind/share/lua/$LUA_ABI/?/init.lua" \
        LUA_CPATH="$out/$kind/lib/lua/$LUA_ABI/?.so" $LUA -e 'assert(#require("wend").grid(3, 3):path(1, 1, 3, 3) > 0)')
    fi
  done
  # find_package refuses another version.
  if cmake -S spec/embedding/consumer -B "$out/wrong" -DCMAKE_PREFIX_PATH="$out/static" -DWEND_WANTED=99.0 >/dev/null 2>&1; then
    echo "find_package(wend 99.0) found $VERSION" >&2
    exit 1
  fi
  echo "cmake: add_subdirectory"
  quiet cmake -S spec/embedding/consumer -B "$out/subdirectory" -DWEND_SOURCE="$root" -DCMAKE_C_FLAGS=-O0
  quiet cmake --build "$out/subdirectory" --parallel 2
  same "$out/subdirectory/core-c"
else
  skipped "no cmake here"
fi

if has pkg-config; then
  echo "make install: pkg-config"
  quiet make --no-print-directory install-core DESTDIR="$out/staged" PREFIX=/opt/wend
  by_pkg_config "$out/staged/opt/wend/lib/pkgconfig" "$out/staged/programs"
else
  skipped "no pkg-config here"
fi
