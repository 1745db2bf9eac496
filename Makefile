# SPDX-License-Identifier: MIT
#
# make                      builds the C module: build/5.4/wend/core.so
# make LUA_VERSION=jit      the same for another Lua: 5.4 (default), 5.3, 5.2, 5.1, jit
# make demo ARGS="..."      runs the demonstration
# make test                 runs the specs
# make help                 lists the other targets

LUA_VERSION ?= 5.4
BUILD       ?= build/$(LUA_VERSION)
OBJ         ?= build/obj/$(LUA_VERSION)
PREFIX      ?= /usr/local
PKG_CONFIG  ?= pkg-config
LUAROCKS    ?= luarocks
LOVE        ?= love
CFLAGS      ?= -O2 -g
CPPFLAGS    ?= -DNDEBUG

# Distributions differ in what they call the interpreter and its headers.
NAMES_5.4 = lua5.4 lua-5.4 lua54 lua
NAMES_5.3 = lua5.3 lua-5.3 lua53
NAMES_5.2 = lua5.2 lua-5.2 lua52
NAMES_5.1 = lua5.1 lua-5.1 lua51
NAMES_jit = luajit
names    := $(NAMES_$(LUA_VERSION))
ifeq ($(names),)
$(error LUA_VERSION must be one of 5.4 5.3 5.2 5.1 jit, got '$(LUA_VERSION)')
endif
version   = $(if $(filter jit,$(LUA_VERSION)),LuaJIT 2,Lua $(LUA_VERSION))
between   = $(if $(filter 5.4,$(LUA_VERSION)),'$(1) >= 5.4' '$(1) < 5.5','$(1)')
prefixes  = /usr/include /usr/local/include /opt/homebrew/include
subdirs   = $(names) $(if $(filter jit,$(LUA_VERSION)),luajit-2.1 luajit-2.0)
found_lua = $(firstword $(foreach n,$(names),$(shell $(n) -v 2>&1 | grep -q '$(version)' && echo $(n))))
found_pc  = $(firstword $(foreach n,$(names),$(shell $(PKG_CONFIG) --exists $(call between,$(n)) >/dev/null 2>&1 && echo $(n))))
found_h   = $(patsubst %/lua.h,%,$(firstword $(wildcard \
              $(foreach p,$(prefixes),$(foreach s,$(subdirs),$(p)/$(s)/lua.h) $(if $(filter 5.4,$(LUA_VERSION)),$(p)/lua.h)))))

LUA        ?= $(if $(found_lua),$(found_lua),$(firstword $(names)))
LUA_CFLAGS ?= $(if $(found_pc),$(shell $(PKG_CONFIG) --cflags $(found_pc)),$(addprefix -I,$(found_h)))
LUA_LIBS   ?= $(if $(found_pc),$(shell $(PKG_CONFIG) --libs $(found_pc)),-l$(firstword $(names)))
# Once, not at every use: each is a few shell calls.
LUA        := $(LUA)
LUA_CFLAGS := $(LUA_CFLAGS)
LUA_LIBS   := $(LUA_LIBS)

# CPPFLAGS= on the command line keeps the assertions.
# -ffp-contract=off: a fused multiply-add rounds differently, and equal inputs must give equal paths everywhere.
WARNINGS = -Wall -Wextra -Wpedantic
STRICT   = -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla
# SSE: 32-bit x86 otherwise computes in x87 registers of 80 bits, which round differently too (src/core/base/floats.h).
SSE     := $(if $(shell $(CC) $(CFLAGS) -dM -E -x c /dev/null 2>/dev/null | grep -w __i386__),-msse2 -mfpmath=sse)
FLAGS    = -std=c11 $(WARNINGS) -fPIC -fvisibility=hidden -ffp-contract=off $(SSE) -Isrc

ifeq ($(shell uname -s),Darwin)
MODULE_LDFLAGS = -bundle -undefined dynamic_lookup
else
MODULE_LDFLAGS = -shared
endif

CORE    := $(sort $(wildcard src/core/*/*.c))
BINDING := $(sort $(wildcard src/lua/*.c src/lua/*/*.c))
SOURCES := $(CORE) $(BINDING)
OBJECTS := $(SOURCES:%.c=$(OBJ)/%.o)
HELPERS := $(sort $(wildcard lua/wend/*.lua lua/wend/*/*.lua))
ROCKSPEC = wend-dev-1.rockspec
MODULE   = $(BUILD)/wend/core.so

# What a script needs in its environment to require this checkout's module.
ENV    = LUA_PATH='lua/?.lua;lua/?/init.lua;;' LUA_CPATH='$(BUILD)/?.so;;' WEND_BUILD='$(BUILD)'
BUSTED = spec/run.lua --ignore-lua
SPECS ?= spec

all: $(MODULE)

$(MODULE): $(OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(MODULE_LDFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(OBJECTS) -lm

$(OBJ)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CPPFLAGS) $(CFLAGS) $(LUA_CFLAGS) -MMD -MP -c -o $@ $<

-include $(OBJECTS:.o=.d)

# The command, from this checkout: make wend ARGS="info FILE"
wend: all
	@$(ENV) $(LUA) bin/wend $(ARGS)

demo: all
	@$(ENV) $(LUA) examples/demo.lua $(ARGS)

# The game of examples/love; and a minute of it, played by a script without a screen.
love:
	@$(MAKE) --no-print-directory LUA_VERSION=jit all
	$(LOVE) examples/love

check-love:
	@$(MAKE) --no-print-directory LUA_VERSION=jit all
	@mkdir -p build/love
	LIBGL_ALWAYS_SOFTWARE=1 SDL_AUDIODRIVER=dummy xvfb-run -a timeout 300 $(LOVE) examples/love --check build/love

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
pictures: all
	@mkdir -p build/pictures
	$(ENV) $(LUA) spec/pictures.lua build/pictures
	for f in build/pictures/*.svg; do rsvg-convert -o $${f%.svg}.png $$f || exit 1; done

test: all
	$(ENV) $(LUA) $(BUSTED) $(ARGS) $(SPECS)

# The same specs under the other Luas.
test-5.1 test-5.2 test-5.3 test-5.4 test-jit:
	@$(MAKE) --no-print-directory test LUA_VERSION=$(@:test-%=%)

# A Lua whose own code is sanitized too: preloading the sanitizer into the stock one would also sanitize, and fail,
# every program that a spec starts.
SANITIZE = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
SANITIZED = BUILD=build/asan OBJ=build/obj/asan CPPFLAGS= CFLAGS='$(SANITIZE)'
asan:
	@$(MAKE) --no-print-directory $(SANITIZED) all build/asan/lua
	@$(MAKE) --no-print-directory $(SANITIZED) LUA=build/asan/lua test ARGS='--exclude-tags=slow $(ARGS)'

build/asan/lua build/asan-jit/lua: spec/c/lua.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) $(LUA_CFLAGS) -o $@ $< -Wl,-E $(LUA_LIBS) -lm -ldl

# It is thirty times as slow: a twentieth of the random rounds, and without the specs that are about Lua code, or that do the
# same over larger maps. The sanitizers see all of them.
LEFT_OUT = hostile determinism data grid_data read docs file svg tiled command export curve follow check link moving_errors robust variation layers
UNDER_VALGRIND = $(filter-out $(LEFT_OUT:%=spec/%_spec.lua),$(sort $(wildcard spec/*_spec.lua)))
valgrind: all
	WEND_ROUNDS=0.05 $(ENV) valgrind -q --leak-check=full --errors-for-leak-kinds=definite,indirect --error-exitcode=1 \
	  $(LUA) $(BUSTED) --exclude-tags=slow $(ARGS) $(if $(filter spec,$(SPECS)),$(UNDER_VALGRIND),$(SPECS))

# Files damaged at random, with the sanitizers watching.
fuzz:
	@$(MAKE) --no-print-directory $(SANITIZED) all build/asan/lua
	$(subst $(BUILD),build/asan,$(ENV)) build/asan/lua spec/fuzz.lua

# Files that libFuzzer makes, for everything that reads files: a target for each spec/fuzz/NAME.lua with a corpus. It needs
# clang. WEND_SECONDS: how long each target runs. An input that is a finding stays in build/libfuzzer. Leaks are not searched for:
# the collector frees later, and a search takes longer than an input.
FUZZED       = CC=clang BUILD=build/libfuzzer OBJ=build/obj/libfuzzer CPPFLAGS= \
               CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all'
FUZZ_TARGETS = $(sort $(notdir $(wildcard spec/fuzz/corpus/*)))
WEND_SECONDS ?= 20
fuzz-files:
	@$(MAKE) --no-print-directory $(FUZZED) build/libfuzzer/target
	@for target in $(FUZZ_TARGETS); do \
	  mkdir -p build/libfuzzer/$$target; \
	  echo "$$target: $(WEND_SECONDS) seconds"; \
	  WEND_TARGET=$$target build/libfuzzer/target -max_total_time=$(WEND_SECONDS) -detect_leaks=0 -timeout=20 -rss_limit_mb=2048 -max_len=4096 \
	    -verbosity=0 -print_final_stats=1 -artifact_prefix=build/libfuzzer/$$target- \
	    build/libfuzzer/$$target spec/fuzz/corpus/$$target || exit 1; \
	done
fuzz-files-long:
	@$(MAKE) --no-print-directory fuzz-files WEND_SECONDS=600

build/libfuzzer/target: spec/fuzz/target.c $(OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) $(LUA_CFLAGS) -fsanitize=fuzzer -o $@ $< $(OBJECTS) $(LUA_LIBS) -lm

# The golden files of the present version; those of earlier versions stay as they are.
golden: all
	$(ENV) $(LUA) spec/golden.lua spec/golden/v2

# Random sequences of calls with hostile arguments and callbacks, on Lua 5.4 and on LuaJIT, with the sanitizers watching:
# WEND_SECONDS (default 60) on each. See spec/fuzz/run.lua for how to replay a failure. LuaJIT itself is not sanitized;
# the program that hosts it, its heap and the module are.
SANITIZED_jit = LUA_VERSION=jit BUILD=build/asan-jit OBJ=build/obj/asan-jit CPPFLAGS= CFLAGS='$(SANITIZE)'
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
	$(subst $(BUILD),build/asan,$(ENV)) $(call FUZZ_OPTIONS,0) build/asan/lua spec/hostile.lua $(ARGS)

# The API fuzzer, for an hour on each.
fuzz-long:
	WEND_SECONDS=$${WEND_SECONDS:-3600} $(MAKE) --no-print-directory fuzz-api

# Memory that runs out at every request in turn, with the sanitizers watching.
failing-alloc:
	@$(MAKE) --no-print-directory $(SANITIZED) build/asan/fail
	printf '%s\n' $(if $(ARGS),$(ARGS),$(sort $(wildcard spec/c/fail_*.lua))) | $(ENV) xargs -n 1 -P 2 build/asan/fail

build/asan/fail: spec/c/fail.c $(OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -D_POSIX_C_SOURCE=200809L $(CFLAGS) $(LUA_CFLAGS) -o $@ $< $(OBJECTS) -Wl,-E $(LUA_LIBS) -lm -ldl

# Several threads, one graph that nobody edits and maps of their own; every function of wend.h has to be called.
# The same under AddressSanitizer: searches and fields that outlive their maps.
tsan: build/tsan/threads build/asan/threads
	@for name in $$(sed -n '/^typedef/!s/.*\(wend_[a-z0-9_]*\)(.*/\1/p' src/wend.h | sort -u); do \
	  grep -qw "$$name" spec/c/threads.c || { echo "spec/c/threads.c calls no $$name" >&2; missing=1; }; done; test -z "$$missing"
	TSAN_OPTIONS=halt_on_error=0:exitcode=66 build/tsan/threads
	build/asan/threads
build/asan/threads: spec/c/threads.c $(CORE) $(wildcard src/*.h src/core/*/*.h src/core/*/*.inl)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -D_POSIX_C_SOURCE=200809L $(SANITIZE) -o $@ spec/c/threads.c $(CORE) -lm -lpthread
build/tsan/threads: spec/c/threads.c $(CORE) $(wildcard src/*.h src/core/*/*.h src/core/*/*.inl)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -D_POSIX_C_SOURCE=200809L -O1 -g -fsanitize=thread -o $@ spec/c/threads.c $(CORE) -lm -lpthread

# It looks for a C++ library: no other target needs to wait for that.
ifneq ($(filter bench instructions,$(MAKECMDGOALS)),)
-include bench/build.mk
endif

bench: all $(BENCH_MODULES)
	@LUA_PATH='lua/?.lua;lua/?/init.lua;;' LUA_CPATH='$(BUILD)/?.so;build/bench/?.so;;' \
	  $(LUA) bench/bench.lua $(ARGS)

# Executed instructions of each operation, here and in another checkout: make instructions BASE=folder
# It builds the other checkout too. It runs on Lua 5.4 only.
instructions: all $(addprefix build/bench/wend_bench_,reference.so reference_grid.so callgrind.so time.so)
	@test '$(LUA_VERSION)' = 5.4 || { echo 'make instructions needs LUA_VERSION=5.4' >&2; exit 1; }
	@mkdir -p build/instructions
	@$(if $(BASE),$(MAKE) --no-print-directory -C '$(BASE)' LUA_VERSION=5.4 all >/dev/null)
	@$(LUA) bench/instructions.lua $(if $(BASE),'$(abspath $(BASE))')

lint:
	luacheck -q lua spec bin/wend $(wildcard examples) $(wildcard bench)

# The layout of C sources is .clang-format's. Versions of clang-format differ: version 14, Debian 12's, decides.
CLANG_FORMAT ?= $(shell command -v clang-format-14 || echo clang-format)
FORMATTED     = $(CORE) $(BINDING) $(wildcard src/*.h src/*/*.h src/*/*/*.h src/core/*/*.inl spec/c/*.[ch] spec/fuzz/*.[ch] bench/*.[ch] bench/*/*.[ch] bench/*.cpp)
format:
	$(CLANG_FORMAT) -i $(FORMATTED)
check-format:
	$(CLANG_FORMAT) --dry-run --Werror $(FORMATTED)

# References between files point one way: by includes, by symbols, and by the requires of the helpers.
layers: all
	$(LUA) spec/layers.lua . $(OBJ)

# Fused multiply-add and x87 registers: equal inputs must give equal paths on every machine.
floats:
	$(LUA) spec/floats.lua $(CORE)

# Every warning an error, by two compilers, with assertions and without, into throw-away objects.
strict:
	@for cc in gcc clang; do for assertions in -DNDEBUG -UNDEBUG; do \
	  command -v $$cc >/dev/null || { echo "no $$cc here" >&2; exit 1; }; \
	  echo "$$cc $$assertions"; \
	  $(MAKE) --no-print-directory CC=$$cc BUILD=build/strict/$$cc$$assertions OBJ=build/obj/strict/$$cc$$assertions \
	    CPPFLAGS=$$assertions CFLAGS='-O2 $(STRICT)' all || exit 1; \
	done; done

# The core as one translation unit: proves that no statics clash, and is how an embedder may compile it.
single: build/single/wend.o
build/single/wend.c: $(CORE)
	@mkdir -p $(@D)
	for f in $(CORE); do echo "#include \"../../$$f\""; done > $@
build/single/wend.o: build/single/wend.c $(wildcard src/*.h src/core/*/*.h src/core/*/*.inl)
	$(CC) $(FLAGS) -O2 $(STRICT) -c -o $@ $<

# The rockspec lists the files that the wildcards here find; `make rockspec` rewrites its lists.
check-rockspec:
	$(LUA) spec/rockspec.lua $(ROCKSPEC) $(SOURCES) $(HELPERS)
rockspec:
	$(LUA) spec/rockspec.lua --write $(ROCKSPEC) $(SOURCES) $(HELPERS)

# Installs by the rockspec into a throw-away tree, and loads the module from there and from nowhere else.
rock:
	rm -rf build/rock
	$(LUAROCKS) --lua-version $(LUA_VERSION) make --deps-mode none --tree build/rock $(ROCKSPEC)
	LUA_PATH='build/rock/share/lua/$(LUA_VERSION)/?.lua;build/rock/share/lua/$(LUA_VERSION)/?/init.lua' \
	LUA_CPATH='build/rock/lib/lua/$(LUA_VERSION)/?.so' $(LUA) -e 'require "wend"'

install: all
	for d in $(sort $(dir $(HELPERS:lua/%=%))); do \
	  install -d $(DESTDIR)$(PREFIX)/share/lua/$(abi)/$$d && \
	  install -m 644 lua/$$d*.lua $(DESTDIR)$(PREFIX)/share/lua/$(abi)/$$d || exit 1; done
	install -d $(DESTDIR)$(PREFIX)/lib/lua/$(abi)/wend
	install -m 755 $(MODULE) $(DESTDIR)$(PREFIX)/lib/lua/$(abi)/wend
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 bin/wend $(DESTDIR)$(PREFIX)/bin
abi = $(if $(filter jit,$(LUA_VERSION)),5.1,$(LUA_VERSION))

clean:
	rm -rf build src/*.o src/core/*/*.o src/lua/*.o src/lua/*/*.o

help:
	@sed -n '3,7s/^# //p' Makefile
	@echo 'also: love, the game of examples/love'
	@echo '      test-5.1 test-5.2 test-5.3 test-jit asan valgrind fuzz fuzz-files fuzz-files-long failing-alloc tsan strict single floats lint layers'
	@echo '      fuzz-api fuzz-long hostile'
	@echo '      bench, instructions BASE=folder: instructions a call, here and in another checkout'
	@echo '      check-love pictures format check-format rock rockspec check-rockspec install clean'

.PHONY: all wend demo love check-love pictures test test-5.1 test-5.2 test-5.3 test-5.4 test-jit asan valgrind fuzz fuzz-files fuzz-files-long golden failing-alloc tsan bench instructions lint format check-format layers strict single floats \
  check-rockspec rockspec rock install clean help
