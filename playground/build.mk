# SPDX-License-Identifier: MIT
#
# The playground: a page on which people draw maps and type rules, with Lua 5.4 and wend in WebAssembly. dev.mk includes this.
#
#   make playground                        builds static files: build/playground
#   make playground LUA_SOURCE=folder      with these sources of Lua 5.4; otherwise lua-source.sh gets those of Debian
#   make check-playground                  uses the page in headless Chromium
#
# It needs Emscripten, Node.js 18 with npm, and packages of the npm registry, which package-lock.json names. Nothing is
# installed outside of build/.

PLAYGROUND = build/playground
PLAY_WORK  = build/playground.work
CHROMIUM  ?= chromium
# Debian's Emscripten finds its modules for Node.js there.
EMCC       = NODE_PATH=/usr/share/nodejs emcc
# wend for size: -O2 makes its code a half larger. Searches then take the same time, crowds 0.9 of it, functions per
# step 0.65. Lua for speed.
EMFLAGS    = -DNDEBUG -ffp-contract=off
# Without annotations, LÖVE, and the command, whose modules no page can use.
PLAY_LUA   = $(filter-out lua/wend/meta.lua lua/wend/love.lua lua/wend/tools/love/% lua/wend/tools/command/%,$(HELPERS))
PLAY_PAGE  = $(wildcard playground/*.html playground/*.css playground/*.js playground/*.mjs playground/*.svg) doc/recipes.md lua/wend/meta.lua

.PHONY: playground check-playground
playground: $(PLAYGROUND)/offline.js

# Lua's own files first: the wildcard below looks after them.
$(PLAY_WORK)/lua.built: playground/lua-source.sh playground/build.mk
	@mkdir -p $(PLAY_WORK)
	sh playground/lua-source.sh $(PLAY_WORK)/lua '$(LUA_SOURCE)'
	cd $(PLAY_WORK)/lua && for file in *.c; do case $$file in lua.c|luac.c|onelua.c|ltests.c) ;; *) echo $$file ;; esac; done | \
	  NODE_PATH=/usr/share/nodejs xargs -n 8 -P 2 emcc -std=gnu99 -O2 $(EMFLAGS) -c
	touch $@

$(PLAY_WORK)/wend_lua.c: tools/amalgamate.lua $(SOURCES) $(HELPERS) $(wildcard src/*.h src/*/*.h src/*/*/*.h src/core/*/*.inl)
	@mkdir -p $(PLAY_WORK)
	$(LUA) tools/amalgamate.lua --small $(PLAY_WORK) $(CORE) $(BINDING) $(PLAY_LUA)
$(PLAY_WORK)/wend.o: $(PLAY_WORK)/wend_lua.c
	$(EMCC) -std=c11 -Os $(EMFLAGS) -c -o $@ $(PLAY_WORK)/wend.c
$(PLAY_WORK)/wend_lua.o: $(PLAY_WORK)/wend_lua.c $(PLAY_WORK)/lua.built
	$(EMCC) -std=c11 -Os $(EMFLAGS) -I$(PLAY_WORK)/lua -c -o $@ $<
$(PLAY_WORK)/host.o: playground/host.c $(PLAY_WORK)/lua.built
	$(EMCC) -std=gnu11 -Os -Wall -Wextra $(EMFLAGS) -I$(PLAY_WORK)/lua -c -o $@ $<

# wend.js and wend.wasm, with the files that programs of the pages read.
$(PLAY_WORK)/wend.js: $(addprefix $(PLAY_WORK)/,wend.o wend_lua.o host.o) playground/lua/play.lua $(wildcard examples/tiled/*)
	$(EMCC) -Os -o $@ $(addprefix $(PLAY_WORK)/,wend.o wend_lua.o host.o) $(PLAY_WORK)/lua/*.o \
	  -sMODULARIZE -sEXPORT_NAME=makeWend -sENVIRONMENT=worker,node -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=512mb \
	  -sINITIAL_MEMORY=32mb -sEXPORTED_RUNTIME_METHODS=ccall -sEXPORTED_FUNCTIONS=_play,_malloc,_free -sINCOMING_MODULE_JS_API=wasmBinary,preRun,onText,onNumbers \
	  --embed-file playground/lua/play.lua@play.lua --embed-file examples/tiled@examples/tiled

# Packages of the npm registry, by the lock file. No script of theirs runs.
$(PLAY_WORK)/npm.built: playground/package.json playground/package-lock.json
	@mkdir -p $(PLAY_WORK)/npm
	cp playground/package.json playground/package-lock.json $(PLAY_WORK)/npm
	cd $(PLAY_WORK)/npm && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

$(PLAYGROUND)/offline.js: $(PLAY_WORK)/wend.js $(PLAY_WORK)/npm.built $(PLAY_PAGE)
	node playground/build.mjs $(PLAYGROUND) $(PLAY_WORK)
	@ls -l $(PLAYGROUND)

check-playground:
	@MAKE='$(MAKE)' LUA_SOURCE='$(LUA_SOURCE)' CHROMIUM='$(CHROMIUM)' sh playground/test/check.sh $(PLAYGROUND) $(PLAY_WORK)
