# SPDX-License-Identifier: MIT
# The native modules of the benches; for the Makefile at the top, which builds $(BENCH_MODULES).

BENCH_DIR        ?= build/bench
BENCH_CFLAGS     ?= -O3 -fno-math-errno -Wall -Wextra -Wshadow
BENCH_LUA_CFLAGS ?= $(or $(LUA_CFLAGS),-I/usr/include/lua5.4)
BENCH_LDFLAGS    ?= -fPIC $(or $(MODULE_LDFLAGS),-shared)
BENCH_MODULES    := $(BENCH_DIR)/wend_bench_reference.so

# Boost is a peer to compare with: its module is built where the compiler finds the header.
bench_hash  := \#
bench_probe := $(bench_hash)if !__has_include(<boost/graph/astar_search.hpp>)\n$(bench_hash)error\n$(bench_hash)endif\n
ifeq ($(shell printf '$(bench_probe)' | $(CXX) -x c++ -fsyntax-only - 2>/dev/null && echo yes),yes)
BENCH_MODULES    += $(BENCH_DIR)/wend_bench_boost.so
endif

$(BENCH_DIR)/wend_bench_reference.so: bench/reference.c bench/geometric.c \
		bench/geometric.h bench/reference_queues.h bench/reference_search.h
	@mkdir -p $(@D)
	$(CC) -std=c11 $(BENCH_CFLAGS) $(BENCH_LUA_CFLAGS) $(BENCH_LDFLAGS) -o $@ bench/reference.c bench/geometric.c -lm

$(BENCH_DIR)/wend_bench_boost.so: bench/boost.cpp
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(BENCH_CFLAGS) -DNDEBUG $(BENCH_LUA_CFLAGS) $(BENCH_LDFLAGS) -o $@ $<
