# SPDX-License-Identifier: MIT
#
# The module for Windows, cross-built by MinGW-w64, and its specs under wine. dev.mk includes this.
#
#   make windows LUA_SOURCE=folder LUAJIT_SOURCE=folder         builds for one of the two, or for both
#   make test-windows LUA_SOURCE=folder LUAJIT_SOURCE=folder    and runs the specs of spec/windows/run.lua
#
# The folders hold the unpacked sources of Lua 5.4 and of LuaJIT 2.1. They are not changed. The results:
#   build/windows/5.4/    wend/core.dll for Lua 5.4; lua54.dll and lua.exe
#   build/windows/jit/    wend/core.dll for LuaJIT and LÖVE; lua51.dll and luajit.exe
# The module imports functions of KERNEL32, of the C library of Windows and of Lua's DLL. It exports luaopen_wend_core.

MINGW ?= x86_64-w64-mingw32-
WINE  ?= $(firstword $(shell command -v wine64 wine) $(wildcard /usr/lib/wine/wine64) wine64)

WINDOWS_VERSIONS = $(if $(LUA_SOURCE),5.4) $(if $(LUAJIT_SOURCE),jit)
WINDOWS_DLL_5.4  = lua54.dll
WINDOWS_DLL_jit  = lua51.dll
WINDOWS_EXE_5.4  = lua.exe
WINDOWS_EXE_jit  = luajit.exe
# Releases of Lua have their sources in src; the repository of Lua does not.
LUA_FOLDER       = $(if $(wildcard $(LUA_SOURCE)/src/lua.h),$(LUA_SOURCE)/src,$(LUA_SOURCE))

.PHONY: windows windows-5.4 windows-jit test-windows test-windows-5.4 test-windows-jit windows-sources
windows: windows-sources $(WINDOWS_VERSIONS:%=windows-%)
test-windows: windows-sources $(WINDOWS_VERSIONS:%=test-windows-%)
windows-sources:
	@test -n '$(strip $(WINDOWS_VERSIONS))' || \
	  { echo 'name the sources of Lua 5.4, of LuaJIT 2.1, or of both: LUA_SOURCE=folder LUAJIT_SOURCE=folder' >&2; exit 1; }

# The build of the module is this Makefile's, with another compiler. Then its imports and exports are checked.
windows-5.4 windows-jit: windows-%: build/windows/%/lua.built
	@$(MAKE) --no-print-directory LUA_VERSION=$* CC=$(MINGW)gcc BUILD=build/windows/$* OBJ=build/obj/windows-$* CORE_OBJ=build/obj/windows SSE= \
	  LUA_CFLAGS=-Ibuild/windows/$*/include LUA_LIBS= WINDOWS_DLL=build/windows/$*/$(WINDOWS_DLL_$*) build/windows/$*/wend/core.dll
	@$(MINGW)objdump -p build/windows/$*/wend/core.dll >build/windows/$*/core.txt
	@imports=$$(sed -n 's/.*DLL Name: //p' build/windows/$*/core.txt | \
	  grep -viE '^(kernel32|msvcrt|ucrtbase|api-ms-win-crt-[a-z0-9-]+|$(basename $(WINDOWS_DLL_$*)))[.]dll$$'); \
	  test -z "$$imports" || { echo "core.dll needs other libraries:" $$imports >&2; exit 1; }
	@exports=$$(sed -n '/^\[Ordinal\/Name Pointer\] Table/,/^$$/s/^[[:space:]]*\[[[:space:]0-9]*\] //p' build/windows/$*/core.txt); \
	  test "$$exports" = luaopen_wend_core || { echo "core.dll does not export luaopen_wend_core alone:" $$exports >&2; exit 1; }

# The rule for the module itself, in the make that is started above.
ifdef WINDOWS_DLL
$(BUILD)/wend/core.dll: $(OBJECTS) $(WINDOWS_DLL)
	@mkdir -p $(@D)
	$(CC) -shared -s -static-libgcc $(CFLAGS) $(LDFLAGS) -o $@ $(OBJECTS) $(WINDOWS_DLL)
endif

build/windows/5.4/lua.built:
	@mkdir -p build/windows/5.4/include
	cp $(addprefix $(LUA_FOLDER)/,lua.h luaconf.h lauxlib.h lualib.h) build/windows/5.4/include
	$(MINGW)gcc -std=gnu99 -O2 -DLUA_BUILD_AS_DLL -shared -s -static-libgcc -o build/windows/5.4/lua54.dll \
	  $(filter-out $(addprefix $(LUA_FOLDER)/,lua.c luac.c onelua.c ltests.c),$(wildcard $(LUA_FOLDER)/*.c))
	$(MINGW)gcc -std=gnu99 -O2 -DLUA_BUILD_AS_DLL -static-libgcc -o build/windows/5.4/lua.exe $(LUA_FOLDER)/lua.c \
	  build/windows/5.4/lua54.dll
	touch $@

# LuaJIT is built in a copy of its folder. Its makefile must not see this one's variables.
build/windows/jit/lua.built:
	@mkdir -p build/windows/jit/include
	rm -rf build/windows/jit/source && cp -R '$(LUAJIT_SOURCE)' build/windows/jit/source
	env -u MAKEFLAGS -u MAKEOVERRIDES $(MAKE) -C build/windows/jit/source/src clean
	env -u MAKEFLAGS -u MAKEOVERRIDES $(MAKE) -C build/windows/jit/source/src HOST_CC=gcc CROSS=$(MINGW) TARGET_SYS=Windows
	cp $(addprefix build/windows/jit/source/src/,lua.h luaconf.h lauxlib.h lualib.h luajit.h) build/windows/jit/include
	cp build/windows/jit/source/src/lua51.dll build/windows/jit/source/src/luajit.exe build/windows/jit
	touch $@

# busted is written in Lua and is taken from where the Lua of this machine finds it; wine reads its names of folders.
# Left out: specs that run programs of Unix, that check the sources and pages, or that read real maps.
UNDER_WINE   = $(filter-out spec/data/% spec/project/% spec/hostile/scripts_spec.lua spec/loading_spec.lua,$(sort $(wildcard \
                 spec/*_spec.lua spec/*/*_spec.lua spec/*/*/*_spec.lua)))
WINDOWS_FILES = build/windows/$(LUA_VERSION)/files
# LC_ALL: wine takes the encoding of names on the disk from it.
WINDOWS_ENV  = LC_ALL=C.UTF-8 WINEPREFIX='$(CURDIR)/build/windows/wine' WINEDEBUG=-all WEND_FOLDER=$(WINDOWS_FILES) \
               WEND_BUILD=build/windows/$(LUA_VERSION) LUA_CPATH='build/windows/$(LUA_VERSION)/?.dll' \
               LUA_PATH="./?.lua;lua/?.lua;lua/?/init.lua;$$($(LUA) -e 'print(package.path)')"
# Folders whose names together are longer than 260 characters, for spec/windows/names_spec.lua.
LONG_FOLDER  = $(WINDOWS_FILES)/$(subst 0,0123456789012345678901234567890123456789,0/0/0/0/0/0/0)
test-windows-5.4 test-windows-jit: test-windows-%: windows-%
	@$(MAKE) --no-print-directory LUA_VERSION=$* run-under-wine

.PHONY: run-under-wine
run-under-wine:
	rm -rf $(WINDOWS_FILES)
	mkdir -p $(LONG_FOLDER) $(WINDOWS_FILES)/kept
	$(WINDOWS_ENV) $(WINE) build/windows/$(LUA_VERSION)/$(WINDOWS_EXE_$(LUA_VERSION)) spec/windows/run.lua --ignore-lua \
	  --exclude-tags=slow,many $(ARGS) $(if $(filter spec,$(SPECS)),$(UNDER_WINE),$(SPECS))
	@$(if $(filter spec,$(SPECS)),test -s,true) '$(WINDOWS_FILES)/kept/Größe 地图.wend' || \
	  { echo "the file that the specs left has not the name that it should have:" $(WINDOWS_FILES)/kept/* >&2; exit 1; }

# Whether Microsoft's compiler could read the sources. Neither it nor its headers are here. clang compiles them for its target,
# with the headers of spec/windows/msvc: first as clang, into objects; then without what clang says of itself and without
# GNU's attributes, C11's atomics and SSE, so that the preprocessor takes the branches that cl takes. MSVC_LUA: a folder with
# the headers of a Lua.
MSVC_CC    = clang --target=x86_64-pc-windows-msvc -std=c11 -nostdlibinc -Wall -Wextra -Wpedantic -Wvla -Wno-language-extension-token \
             -Wno-unknown-pragmas -Wno-pragma-pack -Werror -Isrc -DWEND_THREADS
MSVC_AS_CL = -isystem spec/windows/msvc/cl -isystem spec/windows/msvc -U__clang__ -U__SSE2__ -D__STDC_NO_ATOMICS__ \
             '-D__attribute__(x)=no_attributes_here' -D__builtin_expect=no_builtins_here
MSVC_LUA  ?= $(patsubst -I%,%,$(firstword $(LUA_CFLAGS)))
.PHONY: msvc
msvc:
	@mkdir -p build/msvc/include
	@cp $(addprefix $(MSVC_LUA)/,lua.h luaconf.h lauxlib.h) build/msvc/include
	@for file in $(SOURCES); do \
	  $(MSVC_CC) -DNDEBUG -isystem spec/windows/msvc -isystem build/msvc/include -c -o build/msvc/object $$file && \
	  $(MSVC_CC) -fsyntax-only -isystem build/msvc/include $(MSVC_AS_CL) $$file || exit 1; \
	done

# Every function of the public headers is exported by a shared library of the core, and nothing else is: here, and for Windows where
# MinGW-w64 is there. A function without WEND_API is found.
.PHONY: check-exports
check-exports: $(SOURCES) src/wend.h src/wend_move.h
	@mkdir -p build/exports
	@sed -n '/^ *\/\?\*/d; /^typedef/!s/.*\(wend_[a-z0-9_]*\)(.*/\1/p' src/wend.h src/wend_move.h | LC_ALL=C sort -u >build/exports/header
	$(CC) $(FLAGS) -O0 -DWEND_BUILD -shared -o build/exports/libwend.so $(CORE) -lm
	nm -D --defined-only build/exports/libwend.so | sed -n 's/.* T //p' | LC_ALL=C sort >build/exports/library
	diff build/exports/header build/exports/library
	@if command -v $(MINGW)gcc >/dev/null; then \
	  $(MINGW)gcc $(FLAGS) -O0 -DWEND_BUILD -shared -static-libgcc -o build/exports/wend.dll -Wl,--out-implib,build/exports/libwend.dll.a $(CORE) && \
	  $(MINGW)nm build/exports/libwend.dll.a | sed -n 's/.* T //p' | LC_ALL=C sort -u >build/exports/library && \
	  diff build/exports/header build/exports/library; \
	else echo 'skipped: the DLL of the core: no $(MINGW)gcc here'; fi
