# SPDX-License-Identifier: MIT
#
# For developers of wend; the Makefile includes this. Most targets are rows of .ci/run, and testing.md explains them.
#
#   show       love (a game), pictures, page-pictures, bench, bench-love, bench-nginx, instructions BASE=folder, passed
#   embed      amalgamation, defold, declarations (TypeScript), windows, playground, site
#   release    rock, dist, release LUAJIT_SOURCE=folder, freeze
#   specs      test-windows, asan, valgrind, hostile
#   fuzz       fuzz-api, fuzz-long, fuzz-files, fuzz-files-long
#   memory     failing-alloc, failing-alloc-5.5, tsan (threads)
#   crowds     check-crowd SCENE="...", scenes
#   sources    format, check-format, lint, layers, alone, strict, floats, msvc, check-exports, golden, rockspec, check-rockspec,
#              reference, check-reference
#   packages   check-amalgamation, check-embedding, check-defold, check-luanti, check-packages, check-declarations, check-dist, check-release,
#              check-love, check-shipping, check-nginx, check-playground, check-site

LUAROCKS ?= luarocks
LOVE     ?= love
ROCKSPEC  = wend-dev-1.rockspec
STRICT    = -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla

# The game of examples/love; and a minute of it, played by a script without a screen.
love:
	@$(MAKE) --no-print-directory LUA_VERSION=jit all
	$(LOVE) examples/love

check-love:
	@$(MAKE) --no-print-directory LUA_VERSION=jit all
	@mkdir -p build/love/pixels
	LIBGL_ALWAYS_SOFTWARE=1 SDL_AUDIODRIVER=dummy xvfb-run -a timeout 300 $(LOVE) examples/love --check build/love
	LIBGL_ALWAYS_SOFTWARE=1 SDL_AUDIODRIVER=dummy xvfb-run -a timeout 60 $(LOVE) spec/tools/love "$(CURDIR)" build/love/pixels

# What a picture by wend.love costs, in LÖVE with the graphics of this machine, or without a screen by software.
.PHONY: bench-love
bench-love:
	@$(MAKE) --no-print-directory LUA_VERSION=jit all
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then $(LOVE) bench/tools/love "$(CURDIR)"; \
	else LIBGL_ALWAYS_SOFTWARE=1 SDL_AUDIODRIVER=dummy xvfb-run -a timeout 300 $(LOVE) bench/tools/love "$(CURDIR)"; fi

# The game of doc/shipping.md in each layout of that page, started in LÖVE from a folder outside the checkout.
.PHONY: check-shipping
check-shipping: amalgamation
	@$(MAKE) --no-print-directory LUA_VERSION=jit all
	@LUA='$(LUA)' LUA_CFLAGS="$$(pkg-config --cflags luajit 2>/dev/null || echo -I/usr/include/luajit-2.1)" JIT=build/jit \
	  LOVE='$(LOVE)' sh spec/shipping/check.sh

# The server of examples/nginx: its answers are the module's own, also during a reload; and the program of doc/servers.md.
# NGINX_DEBS=folder: packages of Debian for it, where there is no network.
.PHONY: check-nginx bench-nginx
JIT_ENV = LUA_PATH='lua/?.lua;lua/?/init.lua;;' LUA_CPATH='build/jit/?.so;;'
check-nginx:
	@if command -v luajit >/dev/null; then \
	  $(MAKE) --no-print-directory LUA_VERSION=jit all && mkdir -p build/nginx && \
	  $(JIT_ENV) luajit spec/nginx/check.lua build/nginx/check; \
	else echo 'skipped: nginx: no program luajit here'; fi

# Requests per second by number of workers: make bench-nginx ARGS="SECONDS SIDE"
bench-nginx:
	@$(MAKE) --no-print-directory LUA_VERSION=jit all
	@sh bench/nginx.sh $(ARGS)

# Pictures by wend.svg, drawn by another program: that what is written is what is meant can be looked at.
# Those of the recipes are compared with the ones in doc/pictures, which `make page-pictures` writes.
pictures: all
	@mkdir -p build/pictures
	$(ENV) $(LUA) tools/page_pictures.lua --check
	$(ENV) $(LUA) spec/tools/pictures.lua build/pictures
	for f in build/pictures/*.svg; do rsvg-convert -o $${f%.svg}.png $$f || exit 1; done

# The animation of README.md. It takes half a minute.
.PHONY: readme-animation
readme-animation: all
	$(ENV) $(LUA) tools/readme_animation.lua doc/pictures/scenes.gif

.PHONY: page-pictures
page-pictures: all
	@mkdir -p doc/pictures
	$(ENV) $(LUA) tools/page_pictures.lua

# Without specs of thousands of calls, and those that measure memory.
NOT_LONG = --exclude-tags=slow,memory,many

# A Lua whose own code is sanitized too: preloading the sanitizer into the stock one would also sanitize, and fail,
# every program that a spec starts.
SANITIZE = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
SANITIZED = BUILD=build/asan OBJ=build/obj/asan CPPFLAGS= CFLAGS='$(SANITIZE)'
asan:
	@$(MAKE) --no-print-directory $(SANITIZED) all build/asan/lua
	@$(MAKE) --no-print-directory $(SANITIZED) LUA=build/asan/lua NOT_SLOW='$(NOT_LONG)' test

build/asan/lua build/asan-jit/lua: spec/c/lua.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) $(LUA_CFLAGS) -o $@ $< -Wl,-E $(LUA_LIBS) -lm -ldl

# It is thirty times as slow: a twentieth of the random rounds, and only specs that reach much of the core. The sanitizers see
# more.
UNDER_VALGRIND = $(patsubst %,spec/%_spec.lua,callbacks choice copy costs field graph grid grid_path level nearest path routes \
  search slices walls frozen random/frozen random/field random/grid random/slices)
valgrind: all
	WEND_ROUNDS=0.05 $(ENV) valgrind -q --leak-check=full --errors-for-leak-kinds=definite,indirect --error-exitcode=1 \
	  $(LUA) $(BUSTED) $(NOT_LONG) $(ARGS) $(if $(filter spec,$(SPECS)),$(UNDER_VALGRIND),$(SPECS))

# Files that libFuzzer makes, for everything that reads files: a target for each spec/fuzz/NAME.lua with a corpus. It needs
# clang. WEND_SECONDS: how long each target runs; WEND_SEED: the same inputs again. An input that is a finding stays in
# build/libfuzzer. Leaks are not searched for: the collector frees later, and a search takes longer than an input.
FUZZED_LEVEL ?= -O1
FUZZED       = CC=clang BUILD=build/libfuzzer OBJ=build/obj/libfuzzer CPPFLAGS= \
               CFLAGS='$(FUZZED_LEVEL) -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-recover=all'
FUZZ_TARGETS = $(sort $(notdir $(wildcard spec/fuzz/corpus/*)))
WEND_SECONDS ?= 20
fuzz-files:
	@$(MAKE) --no-print-directory $(FUZZED) build/libfuzzer/target
	@for target in $(FUZZ_TARGETS); do \
	  mkdir -p build/libfuzzer/$$target; \
	  echo "$$target: $(WEND_SECONDS) seconds"; \
	  WEND_TARGET=$$target build/libfuzzer/target $(WEND_SEED:%=-seed=%) -max_total_time=$(WEND_SECONDS) -detect_leaks=0 -timeout=20 -rss_limit_mb=2048 -max_len=4096 \
	    -verbosity=0 -print_final_stats=1 -artifact_prefix=build/libfuzzer/$$target- \
	    build/libfuzzer/$$target spec/fuzz/corpus/$$target || exit 1; \
	done
fuzz-files-long:
	@$(MAKE) --no-print-directory fuzz-files WEND_SECONDS=600

build/libfuzzer/target: spec/fuzz/target.c $(OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) $(LUA_CFLAGS) -fsanitize=fuzzer -o $@ $< $(OBJECTS) $(LUA_LIBS) -lm $(THREADS)

# The golden files of the format, as this version writes them. `make freeze` keeps those of a release.
golden: all
	$(ENV) $(LUA) spec/golden.lua spec/golden/v2

# Random sequences of calls with hostile arguments and callbacks, on Lua 5.4 and on LuaJIT, with the sanitizers watching:
# WEND_SECONDS (default 60) on each. See spec/fuzz/run.lua for how to replay a failure. LuaJIT itself is not sanitized;
# the program that hosts it, its heap and the module are.
SANITIZED_jit = LUA_VERSION=jit BUILD=build/asan-jit OBJ=build/obj/asan-jit CORE_OBJ=build/obj/asan CPPFLAGS= CFLAGS='$(SANITIZE)'
.PHONY: fuzz-api fuzz-api-5.4 fuzz-api-jit fuzz-long
FUZZ_OPTIONS = ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=2000:detect_leaks=$(1) \
  UBSAN_OPTIONS=print_stacktrace=1
fuzz-api: fuzz-api-5.4 fuzz-api-jit
fuzz-api-5.4:
	@$(MAKE) --no-print-directory $(SANITIZED) all build/asan/lua
	$(subst $(BUILD),build/asan,$(ENV)) $(call FUZZ_OPTIONS,1) $(LUA) spec/fuzz/run.lua build/asan/lua
fuzz-api-jit:
	@$(MAKE) --no-print-directory $(SANITIZED_jit) all build/asan-jit/lua
	$(subst $(BUILD),build/asan-jit,$(ENV)) $(call FUZZ_OPTIONS,0) $(LUA) spec/fuzz/run.lua build/asan-jit/lua

# The specs while finalizers do hostile things at any allocation: ARGS=all for all of them, or files.
.PHONY: hostile
hostile:
	@$(MAKE) --no-print-directory $(SANITIZED) all build/asan/lua
	$(subst $(BUILD),build/asan,$(ENV)) $(call FUZZ_OPTIONS,0) build/asan/lua spec/hostile/run.lua $(ARGS)

# The API fuzzer, for an hour on each.
fuzz-long:
	WEND_SECONDS=$${WEND_SECONDS:-3600} $(MAKE) --no-print-directory fuzz-api

# Memory that runs out in every call of these specs, and in scripts of their own, with the sanitizers watching; and frozen versions of
# maps that are edited then.
# WEND_EVERY=k: at every k-th request.
FAILING_SPECS = $(patsubst %,spec/%_spec.lua,assign chokepoints clear closed_goal copy move/curve explain field file graph grid \
  grid_path jitter level line link mods nearest overlay path paths prepare queue queue_update route routes saved move/saved slices \
  tools/text tools/trace variation walls watch why)
FAILING       = $(if $(ARGS),$(ARGS),$(sort $(wildcard spec/c/fail_*.lua spec/move/fail_*.lua)) $(FAILING_SPECS))
failing-alloc:
	@$(MAKE) --no-print-directory $(SANITIZED) build/asan/fail build/asan/versions
	build/asan/versions
	$(call RUN_FAILING,build/asan)

# The same on Lua 5.5, whose library has to be in LUA55.
.PHONY: failing-alloc-5.5
failing-alloc-5.5:
	@$(MAKE) --no-print-directory LUA_VERSION=5.5 $(subst asan,asan-5.5,$(SANITIZED)) CORE_OBJ=build/obj/asan build/asan-5.5/fail
	$(call RUN_FAILING,build/asan-5.5)

# At the end: what failed.
define RUN_FAILING
	@rm -f $(1)/*.failed
	printf '%s\n' $(FAILING) | $(ENV) WEND_ROUNDS=0.02 WEND_SEED=1 xargs -n 1 -P 2 sh -c '\
	  log=$(1)/$$(basename "$$0"); if $(1)/fail "$$0" >"$$log.out" 2>&1; then cat "$$log.out"; \
	  else mv "$$log.out" "$$log.failed"; exit 1; fi' || { tail -n 20 $(1)/*.failed; exit 1; }
endef

build/asan/fail build/asan-5.5/fail: spec/c/fail.c spec/c/state.h $(OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -D_POSIX_C_SOURCE=200809L $(CFLAGS) $(LUA_CFLAGS) -o $@ $< $(OBJECTS) -Wl,-E $(LUA_LIBS) -lm -ldl $(THREADS)

# Several threads, one graph that nobody edits and maps of their own; every function of wend.h and wend_move.h has to be called.
# The same under AddressSanitizer: searches and fields that outlive their maps.
tsan: build/tsan/threads
	@$(MAKE) --no-print-directory $(SANITIZED) build/asan/threads
	@for name in $$(sed -n '/^typedef/!s/.*\(wend_[a-z0-9_]*\)(.*/\1/p' src/wend.h src/wend_move.h | sort -u); do \
	  grep -qw "$$name" spec/c/threads.c || { echo "spec/c/threads.c calls no $$name" >&2; missing=1; }; done; test -z "$$missing"
	TSAN_OPTIONS=halt_on_error=0:exitcode=66 build/tsan/threads
	build/asan/threads
build/asan/versions: spec/c/versions.c $(CORE:%.c=$(CORE_OBJ)/%.o)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) -o $@ $^ -lm
build/asan/threads: spec/c/threads.c $(CORE:%.c=$(CORE_OBJ)/%.o)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -D_POSIX_C_SOURCE=200809L $(CFLAGS) -o $@ $^ -lm -lpthread
build/tsan/threads: spec/c/threads.c $(CORE) $(wildcard src/*.h src/*/*/*.h src/core/*/*.inl)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -D_POSIX_C_SOURCE=200809L -O1 -g -fsanitize=thread -o $@ spec/c/threads.c $(CORE) -lm -lpthread

# Scenes of crowds in C: without overlaps, in time, with the same bits at -O0 and -O2. make check-crowd SCENE="all 20" runs the
# scenes of the targets with 20 seeds, SCENE=cost the measurement. make scenes plays the small games of spec/move/scenes_spec.lua:
# a row of figures for each.
.PHONY: check-crowd scenes
scenes: all
	$(ENV) $(LUA) spec/move/scenes.lua
CROWD = spec/move/crowd.c $(CORE)
check-crowd: build/crowd/O2 $(if $(SCENE),,build/crowd/O0)
	build/crowd/O2 $(SCENE)
	$(if $(SCENE),,build/crowd/O0 bits)
build/crowd/O0 build/crowd/O2: build/crowd/%: $(CROWD) $(wildcard src/*.h src/*/*/*.h)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -$* -g -o $@ $(CROWD) -lm

# The playground: make playground, make check-playground.
include playground/build.mk

# Windows: make windows, make test-windows, make msvc.
include src/windows.mk

# It looks for a C++ library: no other target needs to wait for that.
ifneq ($(filter bench instructions passed,$(MAKECMDGOALS)),)
-include bench/build.mk
endif

bench: all $(BENCH_MODULES)
	@LUA_PATH='lua/?.lua;lua/?/init.lua;;' LUA_CPATH='$(BUILD)/?.so;build/bench/?.so;;' \
	  $(LUA) bench/bench.lua $(ARGS)

# Executed instructions of each operation, here and in another checkout: make instructions BASE=folder
# It builds the other checkout too. It runs on Lua 5.4 only.
instructions: all $(addprefix build/bench/wend_bench_,reference.so reference_grid.so reference_nearest.so callgrind.so time.so)
	@test '$(LUA_VERSION)' = 5.4 || { echo 'make instructions needs LUA_VERSION=5.4' >&2; exit 1; }
	@mkdir -p build/instructions
	@$(if $(BASE),$(MAKE) --no-print-directory -C '$(BASE)' LUA_VERSION=5.4 all >/dev/null)
	@$(LUA) bench/instructions.lua $(if $(BASE),'$(abspath $(BASE))')

# How many functions of src, in how many files, one path with costs passes.
.PHONY: passed
passed: all build/bench/wend_bench_callgrind.so
	@LUA_PATH='lua/?.lua;lua/?/init.lua;;' LUA_CPATH='$(BUILD)/?.so;build/bench/?.so;;' $(LUA) bench/passed.lua

# lua/wend/meta.lua, made from doc/api, and the names that pages of doc/api repeat. The check fails if one is out of date.
.PHONY: reference check-reference
reference:
	$(LUA) tools/reference.lua
check-reference:
	$(LUA) tools/reference.lua --check

# The style of the Lua files, and that no statics clash in the single files.
lint: amalgamation
	$(CC) -std=c11 -Idist $(LUA_CFLAGS) -fsyntax-only dist/wend.c
	$(CC) -std=c11 -Idist $(LUA_CFLAGS) -fsyntax-only dist/wend_lua.c
	luacheck -q lua spec bin/wend $(wildcard examples) $(wildcard bench) tools playground

# The layout of C sources is .clang-format's. Versions of clang-format differ: version 14, Debian 12's, decides.
CLANG_FORMAT ?= $(shell command -v clang-format-14 || echo clang-format)
FORMATTED     = $(CORE) $(BINDING) $(wildcard src/*.h src/*/*.h src/*/*/*.h src/core/*/*.inl spec/c/*.[ch] spec/move/*.c spec/fuzz/*.[ch] bench/*.[ch] bench/*/*.[ch] bench/*.cpp)
FORMATTED    += $(wildcard tools/*.c tools/*/*.cpp spec/embedding/*.c spec/embedding/*.cpp spec/embedding/*/*.h playground/*.c examples/c/*.c)
format:
	$(CLANG_FORMAT) -i $(FORMATTED)
check-format:
	$(CLANG_FORMAT) --dry-run --Werror $(FORMATTED)

# Navigation without the libraries on top of it: a copy of the tree without movement and tools builds and passes its specs.
ALONE = build/alone
.PHONY: alone
alone:
	@rm -rf $(ALONE) && mkdir -p $(ALONE)
	@cp -R $(filter-out build dist,$(wildcard *)) .busted $(ALONE)
	@cd $(ALONE) && rm -rf src/move src/wend_move.h src/lua/move lua/wend/move lua/wend/tools lua/wend/love.lua spec/move spec/tools
	@$(MAKE) --no-print-directory -C $(ALONE) test

# References between files point one way: by includes, by symbols, and by the requires of the helpers.
layers: all
	$(LUA) spec/layers.lua . $(OBJ) $(CORE_OBJ)

# Fused multiply-add and x87 registers: equal inputs must give equal paths on every machine.
floats:
	$(LUA) spec/floats.lua $(CORE)

# Every warning an error, by two compilers, with assertions and without, into throw-away objects. Warnings of clang do not
# depend on what it generates.
strict:
	@for assertions in -DNDEBUG -UNDEBUG; do \
	  echo "gcc $$assertions"; \
	  $(MAKE) --no-print-directory CC=gcc BUILD=build/strict/gcc$$assertions OBJ=build/obj/strict/gcc$$assertions \
	    CPPFLAGS=$$assertions CFLAGS='-O2 $(STRICT)' all || exit 1; \
	  echo "clang $$assertions"; \
	  clang $(FLAGS) $(STRICT) $$assertions -DWEND_THREADS $(LUA_CFLAGS) -fsyntax-only $(SOURCES) || exit 1; \
	done

# Single files, which hosts compile into themselves: dist/wend.h, dist/wend_move.h, dist/wend.c (the core), dist/wend_lua.c (the binding, with
# the Lua files in it).
.PHONY: amalgamation check-amalgamation check-host
amalgamation:
	@mkdir -p dist
	@$(LUA) tools/amalgamate.lua dist $(CORE) $(BINDING) $(HELPERS)
	@echo 'dist/wend.h dist/wend_move.h dist/wend.c dist/wend_lua.c'

# gcc, clang and tcc compile them; programs in C and C++, and hosts of each Lua, use them; and some of the specs run in a host
# that holds the module.
check-amalgamation: amalgamation
	LUA_CFLAGS='$(LUA_CFLAGS)' sh spec/embedding/core.sh
	@for v in 5.4 jit 5.1 5.2 5.3 $(if $(LUA55),5.5); do \
	  test $$v = 5.4 || compilers=gcc; \
	  COMPILERS=$$compilers $(MAKE) --no-print-directory check-host LUA_VERSION=$$v || exit 1; done
	WEND_ROUNDS=0.1 LUA_PATH=';;' LUA_CPATH=';;' build/amalgamation/5.4/host-gcc $(BUSTED) --exclude-tags=slow,many \
	  $(EMBEDDED_SPECS:%=spec/%_spec.lua)
EMBEDDED_SPECS = determinism graph error tools/svg move/follow
check-host:
	@VERSION='$(LUA_VERSION)' LUA_CFLAGS='$(LUA_CFLAGS)' LUA_LIBS='$(LUA_LIBS)' sh spec/embedding/host.sh

.PHONY: check-packages
# Installs both ways into a throw-away folder, and builds and runs programs against it.
check-packages:
	VERSION='$(release)' LUA='$(LUA)' LUA_INCLUDE='$(patsubst -I%,%,$(firstword $(LUA_CFLAGS)))' LUA_ABI='$(abi)' \
	  sh spec/embedding/packages.sh

# Declarations for TypeScriptToLua: dist/wend.d.ts. TSTL=folder: one with node_modules/typescript-to-lua; without it npm
# installs one under build/, where the registry can be reached.
.PHONY: declarations check-declarations
TSC ?= tsc
declarations:
	@mkdir -p dist
	@$(LUA) tools/declarations.lua lua/wend/meta.lua > dist/wend.d.ts
	@echo 'dist/wend.d.ts'
check-declarations: declarations all
	TSC='$(TSC)' TSTL='$(TSTL)' LUA='$(LUA)' \
	  ENV="LUA_PATH='$(CURDIR)/lua/?.lua;$(CURDIR)/lua/?/init.lua;;' LUA_CPATH='$(CURDIR)/$(BUILD)/?.so;;'" sh spec/embedding/declarations.sh

# A library project for Defold: dist/defold. clang++ says what to change so that the single files are C++, against the headers
# of LuaJIT.
.PHONY: defold check-defold check-embedding
defold: amalgamation
	@rm -rf dist/defold
	@mkdir -p dist/defold/wend/src dist/defold/wend/include dist/defold/wend/api
	@for name in game.project README.md; do sed 's/@version@/$(release)/' tools/defold/$$name > dist/defold/$$name; done
	@cp LICENSE dist/defold
	@cp tools/defold/ext.manifest dist/defold/wend
	@cp tools/defold/extension.cpp dist/defold/wend/src
	@cp dist/wend.h dist/wend_move.h dist/defold/wend/include
	@for name in lua lauxlib; do sed "s/@name@/$$name/" tools/defold/header.h > dist/defold/wend/include/$$name.h; done
	@for name in wend wend_lua; do \
	  $(LUA) tools/defold/cast.lua dist/$$name.c dist/defold/wend/src/$$name.cpp -Idist/defold/wend/include $(DMSDK) || exit 1; done
	@$(LUA) tools/declarations.lua lua/wend/meta.lua script_api > dist/defold/wend/api/wend.script_api
	@echo 'dist/defold'
DMSDK = -Ispec/embedding $(JIT_CFLAGS)
JIT_CFLAGS = $(shell $(PKG_CONFIG) --cflags luajit 2>/dev/null || echo -I/usr/include/luajit-2.1)

# The commands of Defold's builder compile it, a host loads it, and the archive has the layout of a library.
check-defold:
	@if command -v clang++ >/dev/null && command -v luajit >/dev/null; then \
	  $(MAKE) --no-print-directory dist/wend-defold-$(release).zip && \
	  JIT_CFLAGS='$(JIT_CFLAGS)' LUA='$(LUA)' sh spec/embedding/defold.sh dist/wend-defold-$(release).zip; \
	else echo 'skipped: Defold: no clang++ or no luajit here'; fi

# Walkers of examples/luanti in a server, and the programs of doc/luanti.md.
.PHONY: check-luanti
check-luanti:
	@$(MAKE) --no-print-directory LUA_VERSION=jit all
	@LUA='$(LUA)' JIT=build/jit sh spec/embedding/luanti.sh

# The programs of doc/embedding.md.
check-embedding: check-amalgamation
	@$(MAKE) --no-print-directory LUA_VERSION=jit all
	LUA='$(LUA)' LUA_CFLAGS='$(LUA_CFLAGS)' LUA_LIBS='$(LUA_LIBS)' JIT=build/jit LOVE='$(LOVE)' sh spec/embedding/page.sh

# The rockspec lists the files that the wildcards here find; `make rockspec` rewrites its lists.
check-rockspec:
	$(LUA) spec/rockspec.lua $(ROCKSPEC) $(SOURCES) $(HELPERS)
rockspec:
	$(LUA) spec/rockspec.lua --write $(ROCKSPEC) $(SOURCES) $(HELPERS)

# Installs by the rockspec into a throw-away tree, without optimization to save time, and loads the module from there and
# from nowhere else.
rock:
	rm -rf build/rock
	$(LUAROCKS) --lua-version $(LUA_VERSION) make --deps-mode none --tree build/rock $(ROCKSPEC) CFLAGS='-O0 -fPIC'
	LUA_PATH='build/rock/share/lua/$(LUA_VERSION)/?.lua;build/rock/share/lua/$(LUA_VERSION)/?/init.lua' \
	LUA_CPATH='build/rock/lib/lua/$(LUA_VERSION)/?.so' $(LUA) -e 'require "wend"'

# The site: make site, make check-site.
include tools/site.mk

# A release: make dist, make release, make freeze.
include tools/release.mk

.PHONY: love check-love pictures asan valgrind fuzz-files fuzz-files-long golden failing-alloc tsan bench \
  instructions lint format check-format layers strict floats check-rockspec rockspec rock
