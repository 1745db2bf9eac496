#!/bin/sh
# SPDX-License-Identifier: MIT
# sh examples/nginx/server.sh FOLDER [PORT [WORKERS]]    makes FOLDER and starts nginx there
#
# PORT: default 8080; 0: a free port, written to FOLDER/port. WORKERS: default auto, one for each core.
# FOLDER then contains nginx.conf, service.lua and costs.lua; share/ and lib/, the module for LuaJIT; level, a link to the
# folder of the level (level-1 is made if there is none); modules/, how to load nginx's Lua module.
# Reload: kill -HUP "$(cat FOLDER/nginx.pid)". Stop: kill -QUIT "$(cat FOLDER/nginx.pid)".
#
# It needs nginx and luajit, and nginx's Lua module. If the module is not installed, the packages of Debian are
# downloaded and unpacked to build/nginx/packages, and not installed: in Debian 12 they replace LuaJIT's library.
# NGINX_DEBS: a folder that already has them. SIDE: the size of the level. LOAD_IN=master: the master process loads the
# level, and the workers share its memory. Status 3: a program or package is missing; the output says which.
set -eu

[ $# -ge 1 ] || { sed -n '3,7s/^# //p' "$0" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
port=${2:-8080}
workers=${3:-auto}
cd "$(dirname "$0")/../.."
here=examples/nginx
PATH=$PATH:/usr/sbin

missing() { echo "missing: $*"; exit 3; }

for program in nginx luajit; do
  command -v $program >/dev/null || missing "no program $program here (sh setup all)"
done

if [ -e "$folder/nginx.pid" ] && kill -0 "$(cat "$folder/nginx.pid")" 2>/dev/null; then
  echo "a server runs in $folder already" >&2
  exit 1
fi

# 1. nginx's Lua module: installed, or unpacked.
packages="libnginx-mod-http-lua libnginx-mod-http-ndk libluajit2-5.1-2 lua-resty-core lua-resty-lrucache libpcre3"
root=
if [ ! -e /usr/lib/nginx/modules/ngx_http_lua_module.so ]; then
  root=$PWD/build/nginx/packages
  if [ ! -e "$root/complete" ]; then
    debs=${NGINX_DEBS:-build/nginx/debs}
    command -v dpkg >/dev/null || missing "nginx's Lua module is not installed, and there is no dpkg to unpack it"
    mkdir -p "$debs" "$root"
    for package in $packages; do
      ls "$debs/$package"_*.deb >/dev/null 2>&1 || (cd "$debs" && apt-get -q download "$package" >/dev/null 2>&1) ||
        missing "package $package cannot be downloaded (is there a network? apt-get update)"
      for deb in "$debs/$package"_*.deb; do dpkg -x "$deb" "$root"; done
    done
    : >"$root/complete"
  fi
  LD_LIBRARY_PATH=
  for library in libluajit-5.1.so.2 libpcre.so.3; do
    LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$(dirname "$(find "$root" -name $library | head -n 1)")
  done
  LD_LIBRARY_PATH=${LD_LIBRARY_PATH#:}
  LUA_PATH="$root/usr/share/lua/5.1/?.lua;;"
  export LD_LIBRARY_PATH LUA_PATH
fi

# 2. The folder.
mkdir -p "$folder/modules" "$folder/temp"
env -u LD_LIBRARY_PATH make -s LUA_VERSION=jit install DESTDIR="$folder" PREFIX= >/dev/null
cp $here/service.lua $here/costs.lua "$folder"
for module in ndk_http_module ngx_http_lua_module; do
  echo "load_module $root/usr/lib/nginx/modules/$module.so;"
done >"$folder/modules/lua.conf"
if [ ! -e "$folder/level" ]; then
  mkdir -p "$folder/level-1"
  env -u LD_LIBRARY_PATH LUA_PATH='lua/?.lua;lua/?/init.lua;;' LUA_CPATH='build/jit/?.so;;' \
    luajit $here/build.lua "$folder/level-1" 1 "${SIDE:-32}"
  ln -s level-1 "$folder/level"
fi

# 3. Start. Without PORT, try ports until one is free. Started as root, nginx would run its workers as another user, who
# may not be allowed to read the checkout.
user=
[ "$(id -u)" != 0 ] || user="user root;"
chosen=$port
shared=
[ "${LOAD_IN:-worker}" = worker ] || shared='/init_by_lua_block/d; s/init_worker_by_lua_block/init_by_lua_block/'
for try in 1 2 3 4 5 6 7 8 9 10; do
  [ "$port" != 0 ] || chosen=$((20000 + ($$ + try * 997) % 12000))
  sed "s/8080/$chosen/; s/worker_processes auto/worker_processes $workers/; $shared" $here/nginx.conf >"$folder/nginx.conf"
  if nginx -p "$folder/" -c nginx.conf -e error.log -g "$user" >"$folder/start.log" 2>&1; then
    echo "$chosen" >"$folder/port"
    echo "nginx answers at http://127.0.0.1:$chosen/"
    exit 0
  fi
  if [ "$port" != 0 ] || ! grep -q "Address already in use" "$folder/start.log"; then break; fi
done
cat "$folder/start.log" >&2
exit 1
