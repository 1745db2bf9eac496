#!/bin/sh
# SPDX-License-Identifier: MIT
# sh bench/nginx.sh [SECONDS [SIDE [ROUNDS]]]    requests per second of examples/nginx, by number of workers; memory
#
# SECONDS: how long each measurement runs (default 2). SIDE: the level has SIDE x SIDE nodes and one more (default 32).
# Each measurement is made ROUNDS times (default 5), in turns. The largest rate and the least CPU time count. Other programs
# on the machine disturb the rates most.
# wrk makes the requests with 16 connections, on the same machine. If it is not installed, the package of Debian is
# downloaded and unpacked to build/nginx/wrk.
# CPU: the CPU time of the workers for each request. PSS: proportional set size, where a page that n processes share counts
# 1/n for each. Private: pages of one process only.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-2}
side=${2:-32}
rounds=${3:-5}
nodes=$((side * side))

wrk=$(command -v wrk || :)
if [ -z "$wrk" ]; then
  wrk=build/nginx/wrk/usr/bin/wrk
  if [ ! -x $wrk ]; then
    mkdir -p build/nginx/wrk
    (cd build/nginx/wrk && apt-get -q download wrk >/dev/null 2>&1 && dpkg -x wrk_*.deb .) ||
      { echo "skipped: no program wrk here, and its package cannot be downloaded"; exit 0; }
  fi
fi

folder=build/nginx/bench-$side
stop() {
  [ ! -e "$folder/nginx.pid" ] || kill -QUIT "$(cat "$folder/nginx.pid")"
  while [ -e "$folder/nginx.pid" ]; do sleep 0.1; done
}
trap stop EXIT
stop

ticks() { for pid in $workers; do cut -d ' ' -f 14,15 "/proc/$pid/stat"; done | awk '{ n += $1 + $2 } END { print n }'; }

# launch WORKERS [master]: starts the server and sets port, master and workers.
launch() {
  if ! LOAD_IN=${2:-worker} SIDE=$side sh examples/nginx/server.sh "$folder" 0 "$1" >"$folder.log"; then
    sed 's/^missing: /skipped: /' "$folder.log"
    exit 0
  fi
  sleep 0.5
  port=$(cat "$folder/port")
  master=$(cat "$folder/nginx.pid")
  workers=$(cat "/proc/$master/task/$master/children")
}

# ask KIND [SECONDS]: a line with kind, requests, requests per second, median, 99 %, answers other than 2xx.
ask() {
  $wrk -t 1 -c 16 -d "${2:-$seconds}s" --latency -s bench/nginx_requests.lua "http://127.0.0.1:$port" -- "$1" $nodes |
    awk -v kind="$1" '/requests in/ { total = $1 } /Requests\/sec/ { rate = $2 } /^ *50%/ { half = $2 } /^ *99%/ { most = $2 }
      /Non-2xx/ { bad = $NF } END { print kind, total, rate, half, most, bad + 0 }'
}

echo "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, also for wrk; $((nodes + 1)) nodes"
launch 1 # it says so if something is missing, and makes the level
stop
for _ in $(seq "$rounds"); do
  for count in 1 2; do
    launch $count
    for kind in health route path; do
      before=$(ticks)
      line=$(ask $kind)
      echo "$count $line $(($(ticks) - before)) $(cut -d ' ' -f 1 /proc/loadavg)"
    done
    stop
  done
done >"$folder.lines"
sort -s -k 2,2 -k 1,1 "$folder.lines" | awk -v hz="$(getconf CLK_TCK)" '
  function show() {
    if (key) printf "/%-6s %d workers  %6.0f requests/s  CPU %4.0f us  median %s, 99 %% %s  %.1f %% without a path\n",
      kind, n, rate, cpu, half, most, 100 * bad
  }
  $1 " " $2 != key { show(); key = $1 " " $2; n = $1; kind = $2; rate = 0; cpu = 1e9 }
  $4 > rate { rate = $4; half = $5; most = $6; bad = $7 / $3 }
  $8 / hz / $3 * 1e6 < cpu { cpu = $8 / hz / $3 * 1e6 }
  $9 > load { load = $9 }
  END { show(); print "largest load average: " load }'

for load_in in worker master; do
  launch 2 $load_in
  ask route 1 >/dev/null
  ask path 1 >/dev/null
  echo "memory, the level is loaded in the $load_in:"
  for process in $master $workers; do
    role=worker
    [ "$process" != "$master" ] || role=master
    awk -v role=$role '/^Rss/ { rss = $2 } /^Pss:/ { pss = $2 } /^Private_/ { own += $2 }
      END { printf "  %s  PSS %5.1f MB  private %5.1f MB\n", role, pss / 1000, own / 1000 }' "/proc/$process/smaps_rollup"
  done
  curl -s "http://127.0.0.1:$port/health"
  stop
done
