# SPDX-License-Identifier: MIT
# The native modules of the benches; for the Makefile at the top, which builds $(BENCH_MODULES).

BENCH_DIR        ?= build/bench
BENCH_CFLAGS     ?= -O3 -fno-math-errno -Wall -Wextra -Wshadow
BENCH_LUA_CFLAGS ?= $(or $(LUA_CFLAGS),-I/usr/include/lua5.4)
BENCH_LDFLAGS    ?= -fPIC $(or $(MODULE_LDFLAGS),-shared)
BENCH_MODULES    := $(BENCH_DIR)/wend_bench_reference.so $(BENCH_DIR)/wend_bench_reference_grid.so \
                    $(BENCH_DIR)/wend_bench_reference_nearest.so $(BENCH_DIR)/wend_bench_reference_bytes.so \
                    $(BENCH_DIR)/wend_bench_reference_orca.so

# wend is compared with Boost and libtcod. Their modules are built if the compiler finds the headers.
bench_hash  := \#
bench_probe  = $(bench_hash)if !__has_include(<$(1)>)\n$(bench_hash)error\n$(bench_hash)endif\n
bench_finds  = $(shell printf '$(call bench_probe,$(2))' | $(1) -fsyntax-only - 2>/dev/null && echo yes)
ifeq ($(call bench_finds,$(CXX) -x c++,boost/graph/astar_search.hpp),yes)
BENCH_MODULES    += $(BENCH_DIR)/wend_bench_boost.so
endif
ifeq ($(call bench_finds,$(CXX) -x c++,boost/geometry/index/rtree.hpp),yes)
BENCH_MODULES    += $(BENCH_DIR)/wend_bench_boost_rtree.so
endif
ifeq ($(call bench_finds,$(CC) -x c,libtcod/path.h),yes)
BENCH_MODULES    += $(BENCH_DIR)/wend_bench_libtcod.so
endif

$(BENCH_DIR)/wend_bench_reference.so: bench/reference_queues.h bench/reference_search.h
$(BENCH_DIR)/wend_bench_reference_grid.so: bench/reference_queues.h
$(BENCH_DIR)/wend_bench_libtcod.so: BENCH_LIBRARIES = -ltcod

BENCH_LINK = @mkdir -p $(@D) && $(1) $(BENCH_CFLAGS) $(BENCH_LUA_CFLAGS) $(BENCH_LDFLAGS) -o $@ $< $(BENCH_LIBRARIES) -lm
$(BENCH_DIR)/wend_bench_%.so: bench/%.c
	$(call BENCH_LINK,$(CC) -std=c11)
$(BENCH_DIR)/wend_bench_%.so: bench/%.cpp
	$(call BENCH_LINK,$(CXX) -std=c++17 -DNDEBUG -DBOOST_ALLOW_DEPRECATED_HEADERS)
# For bench/instructions.lua; callgrind.c needs the headers of valgrind.
$(BENCH_DIR)/wend_bench_%.so: bench/instructions/%.c
	$(call BENCH_LINK,$(CC) -std=c11)
