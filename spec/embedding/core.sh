#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks dist/wend.h, dist/wend_move.h and dist/wend.c: make check-amalgamation
# Compilers that are not here are reported as skipped.
set -eu

out=build/amalgamation
mkdir -p $out
has() { command -v "$1" >/dev/null 2>&1; }
skipped() { echo "skipped: single files: $*"; }
warnings="-Wall -Wextra -Wpedantic -Werror"

# Each C compiler compiles the core, and a program that uses it.
for cc in gcc clang tcc; do
  has $cc || { skipped "no $cc here"; continue; }
  echo "core: $cc"
  level=-O1
  [ $cc = gcc ] || level=-O0 # to save time
  $cc -std=c11 $warnings $level -c -o $out/wend-$cc.o dist/wend.c
  $cc -std=c11 $warnings -O1 -Idist -o $out/core-$cc spec/embedding/core.c $out/wend-$cc.o -lm
  $out/core-$cc | diff spec/embedding/core.txt -
  $cc -std=c11 $warnings -O1 -Idist -o $out/follow-$cc spec/embedding/follow.c $out/wend-$cc.o -lm
  $out/follow-$cc | diff spec/embedding/follow.txt -
done

# Each C++ compiler compiles a program that uses the core, which a C compiler compiled.
for pair in g++:gcc clang++:clang; do
  cxx=${pair%:*} cc=${pair#*:}
  has "$cxx" && has "$cc" || { skipped "no $cxx here"; continue; }
  echo "core: $cxx"
  $cxx -std=c++11 $warnings -O1 -Idist -o "$out/core-$cxx" spec/embedding/core.cpp "$out/wend-$cc.o" -lm
  "$out/core-$cxx" | diff spec/embedding/core.txt -
done

# For Windows: it only compiles here.
if has x86_64-w64-mingw32-gcc; then
  echo "core: x86_64-w64-mingw32-gcc compiles"
  x86_64-w64-mingw32-gcc -std=c11 $warnings -O0 -c -o $out/wend-mingw.o dist/wend.c
else
  skipped "no x86_64-w64-mingw32-gcc here"
fi

# A host may define other global names that begin with neither wend_ nor lwend_.
for cc in gcc clang; do
  has $cc && has nm || continue
  if nm -g --defined-only $out/wend-$cc.o | awk '{ print $3 }' | grep -v '^wend_'; then
    echo "wend.c defines these names, which do not begin with wend_" >&2
    exit 1
  fi
done

# No macro of the sources is left behind, except those of the public headers. The Lua headers define lua_rawlen in Lua 5.1 only.
if has gcc; then
  echo "macros end with the files"
  macros() { printf '#include "%s"\n' "$1" | gcc -std=c11 -dM -E -Idist ${LUA_CFLAGS-} -x c - | sed 's/^#define \([A-Za-z0-9_]*\).*/\1/' | sort -u; }
  find src -name '*.[ch]' ! -path src/wend.h ! -path src/wend_move.h -o -name '*.inl' | xargs sed -n 's/^ *# *define \([A-Za-z0-9_]*\).*/\1/p' | sort -u >$out/defined
  macros wend_move.h >$out/public
  for file in wend.c wend_lua.c; do
    [ $file = wend.c ] || echo '#include <lua.h>' | gcc -E ${LUA_CFLAGS-} -x c - >/dev/null 2>&1 || { skipped "no lua.h for $file"; continue; }
    macros $file | comm -12 - $out/defined | comm -23 - $out/public >$out/left
    if [ -s $out/left ]; then
      echo "dist/$file leaves macros behind:" >&2
      cat $out/left >&2
      exit 1
    fi
  done
  [ "$(wc -l <$out/defined)" -gt 100 ] || { echo "found too few macros to be true" >&2; exit 1; }
fi

# No pragma of the sources acts on what follows.
instructions() { # COMPILER FLAG...
  cc=$1
  shift
  "$cc" -std=gnu11 -O1 -ftree-slp-vectorize -mavx2 -mfma -I. -Idist "$@" -S -o - spec/embedding/probe.c |
    awk '/^_?probe_/ { on = 1 } on && /^\t[a-z]/ { print } /^\t\.cfi_endproc/ { on = 0 }'
}
if [ "$(uname -m)" = x86_64 ]; then
  for pair in gcc:fast clang:on; do # clang does not heed its pragma with -ffp-contract=fast
    cc=${pair%:*} contract=-ffp-contract=${pair#*:}
    has "$cc" || continue
    echo "pragmas end with the file: $cc"
    instructions "$cc" "$contract" >$out/alone
    instructions "$cc" "$contract" -DWEND_FILE='"dist/wend.c"' | diff $out/alone -
    instructions "$cc" "$contract" -DWEND_LEAK >$out/leaking
    if [ ! -s $out/alone ] || cmp -s $out/alone $out/leaking; then
      echo "the comparison finds no leak of $cc, not even one that is there" >&2
      exit 1
    fi
  done
else
  skipped "pragmas are checked on x86-64 only"
fi
