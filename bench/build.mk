# SPDX-License-Identifier: MIT
# The native modules of the benches; for the Makefile at the top, which builds $(BENCH_MODULES).

BENCH_DIR        ?= build/bench
BENCH_CFLAGS     ?= -O3 -fno-math-errno -Wall -Wextra -Wshadow
BENCH_LUA_CFLAGS ?= $(or $(LUA_CFLAGS),-I/usr/include/lua5.4)
BENCH_LDFLAGS    ?= -fPIC $(or $(MODULE_LDFLAGS),-shared)
BENCH_MODULES    := $(BENCH_DIR)/wend_bench_reference.so $(BENCH_DIR)/wend_bench_reference_grid.so \
                    $(BENCH_DIR)/wend_bench_reference_nearest.so $(BENCH_DIR)/wend_bench_reference_bytes.so \
                    $(BENCH_DIR)/wend_bench_reference_orca.so

# wend is compared with Boost, nanoflann, zlib and libtcod. Their modules are built if the compiler finds the headers.
bench_hash  := \#
bench_probe  = $(bench_hash)if !__has_include(<$(1)>)\n$(bench_hash)error\n$(bench_hash)endif\n
bench_finds  = $(shell printf '$(call bench_probe,$(2))' | $(1) -fsyntax-only - 2>/dev/null && echo yes)
ifeq ($(call bench_finds,$(CXX) -x c++,boost/graph/astar_search.hpp),yes)
BENCH_MODULES    += $(BENCH_DIR)/wend_bench_boost.so
endif
ifeq ($(call bench_finds,$(CXX) -x c++,boost/geometry/index/rtree.hpp),yes)
BENCH_MODULES    += $(BENCH_DIR)/wend_bench_boost_rtree.so
endif
ifeq ($(call bench_finds,$(CXX) -x c++,nanoflann.hpp),yes)
BENCH_MODULES    += $(BENCH_DIR)/wend_bench_nanoflann.so
endif
ifeq ($(call bench_finds,$(CC) -x c,zlib.h),yes)
BENCH_ZLIB       := -DBENCH_ZLIB
endif
ifeq ($(call bench_finds,$(CC) -x c,libtcod/path.h),yes)
BENCH_MODULES    += $(BENCH_DIR)/wend_bench_libtcod.so
endif

$(BENCH_DIR)/wend_bench_reference.so: bench/reference.c bench/geometric.c \
		bench/geometric.h bench/reference_queues.h bench/reference_search.h
	@mkdir -p $(@D)
	$(CC) -std=c11 $(BENCH_CFLAGS) $(BENCH_LUA_CFLAGS) $(BENCH_LDFLAGS) -o $@ bench/reference.c bench/geometric.c -lm

$(BENCH_DIR)/wend_bench_reference_grid.so: bench/reference_grid.c bench/reference_queues.h
	@mkdir -p $(@D)
	$(CC) -std=c11 $(BENCH_CFLAGS) $(BENCH_LUA_CFLAGS) $(BENCH_LDFLAGS) -o $@ $< -lm

$(BENCH_DIR)/wend_bench_reference_nearest.so: bench/reference_nearest.c
	@mkdir -p $(@D)
	$(CC) -std=c11 $(BENCH_CFLAGS) $(BENCH_LUA_CFLAGS) $(BENCH_LDFLAGS) -o $@ $< -lm

$(BENCH_DIR)/wend_bench_reference_bytes.so: bench/reference_bytes.c
	@mkdir -p $(@D)
	$(CC) -std=c11 $(BENCH_CFLAGS) $(BENCH_ZLIB) $(BENCH_LUA_CFLAGS) $(BENCH_LDFLAGS) -o $@ $< $(if $(BENCH_ZLIB),-lz)

$(BENCH_DIR)/wend_bench_reference_orca.so: bench/reference_orca.c
	@mkdir -p $(@D)
	$(CC) -std=c11 $(BENCH_CFLAGS) $(BENCH_LUA_CFLAGS) $(BENCH_LDFLAGS) -o $@ $< -lm

$(BENCH_DIR)/wend_bench_boost.so: bench/boost.cpp
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(BENCH_CFLAGS) -DNDEBUG $(BENCH_LUA_CFLAGS) $(BENCH_LDFLAGS) -o $@ $<

$(BENCH_DIR)/wend_bench_boost_rtree.so: bench/boost_rtree.cpp bench/peer_points.hpp
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(BENCH_CFLAGS) -DNDEBUG -DBOOST_ALLOW_DEPRECATED_HEADERS $(BENCH_LUA_CFLAGS) $(BENCH_LDFLAGS) -o $@ $<

$(BENCH_DIR)/wend_bench_nanoflann.so: bench/nanoflann.cpp bench/peer_points.hpp
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(BENCH_CFLAGS) -DNDEBUG $(BENCH_LUA_CFLAGS) $(BENCH_LDFLAGS) -o $@ $<

$(BENCH_DIR)/wend_bench_libtcod.so: bench/libtcod.c
	@mkdir -p $(@D)
	$(CC) -std=c11 $(BENCH_CFLAGS) $(BENCH_LUA_CFLAGS) $(BENCH_LDFLAGS) -o $@ $< -ltcod -lm

# For bench/instructions.lua; callgrind.c needs the headers of valgrind.
$(BENCH_DIR)/wend_bench_callgrind.so $(BENCH_DIR)/wend_bench_time.so: $(BENCH_DIR)/wend_bench_%.so: bench/instructions/%.c
	@mkdir -p $(@D)
	$(CC) -std=c11 $(BENCH_CFLAGS) $(BENCH_LUA_CFLAGS) $(BENCH_LDFLAGS) -o $@ $<
