# SPDX-License-Identifier: MIT
#
# make                      builds the C module: build/5.4/wend/core.so
# make LUA_VERSION=jit      the same for another Lua: 5.4 (default), 5.5, 5.3, 5.2, 5.1, jit
# make demo ARGS="..."      runs the demonstration
# make test                 runs the specs without the slow ones; test-all: all; test-jit, test-5.1 ...: on another Lua
# make wend ARGS="..."      runs the command
# make install PREFIX=...   installs the Lua module, the command and the C library; install-core: the C library alone
# make clean                removes build/ and dist/
# make help                 lists these, and what developers of wend need

LUA_VERSION ?= 5.4
BUILD       ?= build/$(LUA_VERSION)
OBJ         ?= build/obj/$(LUA_VERSION)
# The core does not know Lua. So the objects of all versions are in one folder, unless OBJ says otherwise.
CORE_OBJ    ?= $(if $(filter build/obj/$(LUA_VERSION),$(OBJ)),build/obj/core,$(OBJ))
PREFIX      ?= /usr/local
PKG_CONFIG  ?= pkg-config
CFLAGS      ?= -O2 -g
CPPFLAGS    ?= -DNDEBUG

# Distributions differ in what they call the interpreter and its headers.
NAMES_5.5 = lua5.5 lua-5.5 lua55 lua
NAMES_5.4 = lua5.4 lua-5.4 lua54 lua
NAMES_5.3 = lua5.3 lua-5.3 lua53
NAMES_5.2 = lua5.2 lua-5.2 lua52
NAMES_5.1 = lua5.1 lua-5.1 lua51
NAMES_jit = luajit
names    := $(NAMES_$(LUA_VERSION))
ifeq ($(names),)
$(error LUA_VERSION must be one of 5.5 5.4 5.3 5.2 5.1 jit, got '$(LUA_VERSION)')
endif
version   = $(if $(filter jit,$(LUA_VERSION)),LuaJIT 2,Lua $(LUA_VERSION))
# The newest two may be called just "lua": there the version decides.
plain     = $(filter 5.5 5.4,$(LUA_VERSION))
minor     = $(LUA_VERSION:5.%=%)
between   = $(if $(plain),'$(1) >= 5.$(minor)' '$(1) < 5.$(shell expr $(minor) + 1)','$(1)')
prefixes  = /usr/include /usr/local/include /opt/homebrew/include
subdirs   = $(names) $(if $(filter jit,$(LUA_VERSION)),luajit-2.1 luajit-2.0)
found_lua = $(firstword $(foreach n,$(names),$(shell $(n) -v 2>&1 | grep -q '$(version)' && echo $(n))))
found_pc  = $(firstword $(foreach n,$(names),$(shell $(PKG_CONFIG) --exists $(call between,$(n)) >/dev/null 2>&1 && echo $(n))))
headers   = $(wildcard $(foreach p,$(prefixes),$(foreach s,$(subdirs),$(p)/$(s)/lua.h) $(if $(plain),$(p)/lua.h)))
# Of a header that may be any Lua's, the number of its version: VERSION_MINOR "4", or VERSION_MINOR_N 5 since 5.5.
found_h   = $(patsubst %/lua.h,%,$(firstword $(if $(plain),$(if $(headers),$(shell \
              grep -lE 'LUA_VERSION_MINOR(_N)?[[:space:]]+"?$(minor)"?' $(headers))),$(headers))))

# A Lua that is in a folder instead: LUA55=folder, and likewise LUA54, LUA53, LUA52, LUA51 and LUAJIT. The folder is a built
# source tree, with lua.h, lauxlib.h, lualib.h, luaconf.h and the interpreter in it or in its src/; or what `make install`
# made, with include/ and bin/. The library (liblua.a, libluajit.a) is needed only by programs that host a Lua: asan, fuzz,
# failing-alloc and what is like them.
named  = $(if $(filter jit,$(LUA_VERSION)),LUAJIT,LUA5$(minor))
folder = $(abspath $($(named)))
ifneq ($($(named)),)
in_folder  = $(firstword $(wildcard $(foreach f,$(1),$(folder)/$(f) $(folder)/src/$(f) $(folder)/$(2)/$(f))))
folder_lua := $(call in_folder,$(if $(filter jit,$(LUA_VERSION)),luajit,lua $(names)),bin)
folder_h   := $(call in_folder,lua.h,include)
folder_lib := $(call in_folder,$(if $(filter jit,$(LUA_VERSION)),libluajit.a libluajit-5.1.a,liblua.a),lib)
ifeq ($(and $(folder_lua),$(folder_h)),)
$(error $(named) must be a folder with the headers and the interpreter of $(version), built; found $(if $(folder_h),no interpreter,no lua.h) in '$($(named))')
endif
LUA        ?= $(folder_lua)
LUA_CFLAGS ?= -I$(patsubst %/lua.h,%,$(folder_h))
LUA_LIBS   ?= $(if $(folder_lib),$(folder_lib),-llua-is-missing-in-$(named)) -lm -ldl
endif

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
# SSE: 32-bit x86 otherwise computes in x87 registers of 80 bits, which round differently too (src/core/base/floats.h).
SSE     := $(if $(shell $(CC) $(CFLAGS) -dM -E -x c /dev/null 2>/dev/null | grep -w __i386__),-msse2 -mfpmath=sse)
# For the option `threads` of the Lua module: make THREADS= builds it without threads. The core starts none.
THREADS ?= -pthread
FLAGS    = -std=c11 $(WARNINGS) -fPIC -fvisibility=hidden -ffp-contract=off $(SSE) -Isrc $(if $(wildcard src/lua/move),,-DWEND_NO_MOVE)

ifeq ($(shell uname -s),Darwin)
MODULE_LDFLAGS = -bundle -undefined dynamic_lookup
else
MODULE_LDFLAGS = -shared
endif

# Movement is a library on top of navigation: a tree without its folders builds navigation alone.
MOVE    := $(sort $(wildcard src/move/*/*.c))
CORE    := $(sort $(wildcard src/core/*/*.c)) $(MOVE)
BINDING := $(sort $(wildcard src/lua/*.c src/lua/*/*.c))
SOURCES := $(CORE) $(BINDING)
OBJECTS := $(CORE:%.c=$(CORE_OBJ)/%.o) $(BINDING:%.c=$(OBJ)/%.o)
HELPERS := $(sort $(wildcard lua/wend/*.lua lua/wend/*/*.lua lua/wend/*/*/*.lua))
MODULE   = $(BUILD)/wend/core.so
# src/wend.h has the version.
release := $(shell sed -n 's/^\#define WEND_VERSION "\(.*\)"/\1/p' src/wend.h)

# What a script needs in its environment to require this checkout's module.
ENV    = LUA_PATH='lua/?.lua;lua/?/init.lua;;' LUA_CPATH='$(BUILD)/?.so;;' WEND_BUILD='$(BUILD)'
BUSTED = spec/run.lua --ignore-lua
SPECS ?= spec

all: $(MODULE)

$(MODULE): $(OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(MODULE_LDFLAGS) $(CFLAGS) $(LDFLAGS) $(THREADS) -o $@ $(OBJECTS) -lm

$(CORE_OBJ)/src/core/%.o: src/core/%.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(CORE_OBJ)/src/move/%.o: src/move/%.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(OBJ)/src/lua/%.o: src/lua/%.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CPPFLAGS) $(CFLAGS) $(LUA_CFLAGS) $(if $(THREADS),-DWEND_THREADS $(THREADS)) -MMD -MP -c -o $@ $<

-include $(OBJECTS:.o=.d)

# The command, from this checkout: make wend ARGS="info FILE"
wend: all
	@$(ENV) $(LUA) bin/wend $(ARGS)

demo: all
	@$(ENV) $(LUA) examples/demo.lua $(ARGS)

# The specs, a process for each file: as many at a time as WEND_JOBS says, or as there are processors. test-all runs those
# that are tagged #slow too.
NOT_SLOW = --exclude-tags=slow
test: all
	@$(ENV) $(LUA) spec/all.lua $(NOT_SLOW) $(ARGS) $(SPECS)

test-all:
	@$(MAKE) --no-print-directory test NOT_SLOW=

# The same specs under the other Luas.
test-5.1 test-5.2 test-5.3 test-5.4 test-5.5 test-jit:
	@$(MAKE) --no-print-directory test LUA_VERSION=$(@:test-%=%)

install: all
	for d in $(sort $(dir $(HELPERS:lua/%=%))); do \
	  install -d $(DESTDIR)$(PREFIX)/share/lua/$(abi)/$$d && \
	  install -m 644 lua/$$d*.lua $(DESTDIR)$(PREFIX)/share/lua/$(abi)/$$d || exit 1; done
	install -d $(DESTDIR)$(PREFIX)/lib/lua/$(abi)/wend
	install -m 755 $(MODULE) $(DESTDIR)$(PREFIX)/lib/lua/$(abi)/wend
	install -d $(DESTDIR)$(PREFIX)/bin
	sed '1s|lua$$|$(LUA)|' bin/wend > $(DESTDIR)$(PREFIX)/bin/wend
	chmod 755 $(DESTDIR)$(PREFIX)/bin/wend
abi = $(if $(filter jit,$(LUA_VERSION)),5.1,$(LUA_VERSION))

# The core for C and C++ projects: a static library, wend.h, and wend.pc for pkg-config. CMakeLists.txt is for projects that
# use CMake.
$(BUILD)/libwend.a: $(CORE:%.c=$(CORE_OBJ)/%.o)
	@mkdir -p $(@D)
	rm -f $@
	$(AR) rcs $@ $^
install: install-core
install-core: $(BUILD)/libwend.a
	install -d $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 644 src/wend.h src/wend_move.h $(DESTDIR)$(PREFIX)/include
	install -m 644 $(BUILD)/libwend.a $(DESTDIR)$(PREFIX)/lib
	sed -e 's|@prefix@|$${pcfiledir}/../..|' -e 's|@libdir@|$${prefix}/lib|' -e 's|@includedir@|$${prefix}/include|' \
	  -e 's|@version@|$(release)|' wend.pc.in > $(DESTDIR)$(PREFIX)/lib/pkgconfig/wend.pc
	chmod 644 $(DESTDIR)$(PREFIX)/lib/pkgconfig/wend.pc

clean:
	rm -rf build dist src/*.o src/*/*.o src/*/*/*.o

help:
	@sed -n '3,10s/^# //p' Makefile
	@echo
	@sed -n 's/^#   //p' dev.mk

.PHONY: all wend demo test test-all test-5.1 test-5.2 test-5.3 test-5.4 test-5.5 test-jit install install-core clean help

include dev.mk
