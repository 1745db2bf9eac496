# SPDX-License-Identifier: MIT
#
# A release; dev.mk includes this. doc/testing.md#releases says what to do in which order. The version is in src/wend.h.
#
#   make dist                             dist/: the source archive, the rockspec, the rock with the sources
#   make release LUAJIT_SOURCE=folder     dist/release/: these, the modules for LÖVE and Defold, declarations, licences, SHA256SUMS
#   make freeze                           keeps the golden files of this version
#   make check-dist, make check-release   install and use what the first two make

TAR     ?= tar
archive  = wend-$(release).tar.gz
for_love = wend-$(release)-love.zip
.PHONY: dist release freeze check-dist check-release

# Equal files make equal archives, whoever packs them and when. The files are those that git tracks, as they lie here; without
# git, all that lie here except what builds leave behind. Needs GNU tar (TAR=gtar) and Lua 5.3 or later.
# DIST_URL=https://...: where the archive will be; without it the rockspec expects the archive beside itself.
dist:
	@mkdir -p dist
	@if [ -e .git ] && command -v git >/dev/null; then git ls-files; else \
	  find . -type f ! -path './build/*' ! -path './dist/*' ! -path './.git/*' ! -path './.git' \
	    ! -name '*.o' ! -name '*.so' ! -name '*.rock' ! -name 'luacov.*.out' | sed 's,^\./,,'; fi | LC_ALL=C sort | \
	  while read -r file; do test -f "$$file" && echo "$$file"; done >dist/files
	@$(TAR) -cf dist/wend.tar --format=ustar --no-recursion --mtime=@315532800 --owner=0 --group=0 --numeric-owner \
	    --mode=u=rwX,go=rX --transform='s,^,wend-$(release)/,' --verbatim-files-from -T dist/files
	@gzip -9n <dist/wend.tar >dist/$(archive)
	@rm -f dist/wend.tar
	@$(LUA) spec/dist.lua rockspec $(ROCKSPEC) dist/$(archive) $(if $(DIST_URL),$(DIST_URL)/)$(archive) >dist/wend-$(release)-1.rockspec
	@$(LUA) spec/dist.lua rock dist/wend-$(release)-1.rockspec dist/$(archive) >dist/wend-$(release)-1.src.rock
	@ls dist/$(archive) dist/wend-$(release)-1.rockspec dist/wend-$(release)-1.src.rock

# For LÖVE 11, to unpack into the folder of a game: the Lua files, and the C part for Linux and Windows. The DLL is that of
# `make windows-jit`: built here if LUAJIT_SOURCE says so, or taken as it lies there.
LOVE_DLL   = build/windows/jit/wend/core.dll
LOVE_FILES = $(filter-out lua/wend/meta.lua lua/wend/tools/command/%,$(HELPERS))
dist/$(for_love): all-of-love
	@test "$$(uname -m)" = x86_64 || { echo 'the archive for LÖVE is for x86-64' >&2; exit 1; }
	@test -f $(LOVE_DLL) || { echo 'no $(LOVE_DLL): name the sources of LuaJIT: LUAJIT_SOURCE=folder' >&2; exit 1; }
	@rm -rf build/for-love $@
	@mkdir -p build/for-love/native dist
	@for file in $(LOVE_FILES:lua/%=%); do mkdir -p build/for-love/$$(dirname $$file) && cp lua/$$file build/for-love/$$file || exit 1; done
	@cp LICENSE build/for-love/wend/LICENSE
	@strip -o build/for-love/native/Linux.so build/jit/wend/core.so
	@cp $(LOVE_DLL) build/for-love/native/Windows.dll
	@$(LUA) spec/embedding/blocks.lua build/for-love doc/shipping.md
	@cd build/for-love && rm -f conf.lua main.lua level.txt output.txt
	@sed 's/@version@/$(release)/' tools/for-love.txt >build/for-love/wend/README.txt
	@cd build/for-love && find . -exec touch -h -d '1980-01-01 00:00:00' {} + && chmod -R u=rwX,go=rX . && \
	  find . -type f | LC_ALL=C sort | TZ=UTC zip -qX9 ../../$@ -@
.PHONY: all-of-love
all-of-love:
	@$(MAKE) --no-print-directory LUA_VERSION=jit all
	@$(if $(LUAJIT_SOURCE),$(MAKE) --no-print-directory windows-jit LUAJIT_SOURCE='$(LUAJIT_SOURCE)')

# For Defold: a library project, to name as a dependency.
for_defold = wend-defold-$(release).zip
dist/$(for_defold): defold
	@rm -f $@
	@cd dist/defold && find . -exec touch -h -d '1980-01-01 00:00:00' {} + && chmod -R u=rwX,go=rX . && \
	  find . -type f | LC_ALL=C sort | TZ=UTC zip -qX9 ../$(for_defold) -@

# All that is uploaded. SHA256SUMS names each other file.
RELEASED = $(archive) wend-$(release)-1.rockspec wend-$(release)-1.src.rock $(for_love) $(for_defold) wend-$(release).spdx.json wend.d.ts
release: dist dist/$(for_love) dist/$(for_defold) declarations
	@$(LUA) tools/licences.lua '$(release)' <dist/files >dist/wend-$(release).spdx.json
	@rm -rf dist/release
	@mkdir -p dist/release
	@cp $(RELEASED:%=dist/%) dist/release
	@cd dist/release && { sha256sum $(RELEASED) 2>/dev/null || shasum -a 256 $(RELEASED); } >SHA256SUMS
	@ls -l dist/release

# Installs the rock into an empty tree for Lua 5.1 and 5.4, and uses it from another folder with nothing else on the path.
check-dist: dist
	@LUAROCKS='$(LUAROCKS)' sh spec/dist.sh dist/wend-$(release)-1.src.rock 5.1 5.4

# The sums are right, the list of licences has every file, and a game in LÖVE starts with what its archive holds. Where MinGW-w64
# or the sources of LuaJIT are missing, it is skipped.
check-release:
	@if [ -f $(LOVE_DLL) ] || [ -n '$(LUAJIT_SOURCE)' ]; then \
	  $(MAKE) --no-print-directory release && LOVE='$(LOVE)' WINE='$(WINE)' sh spec/shipping/release.sh dist/release '$(release)'; \
	else echo 'skipped: the release: no $(LOVE_DLL), and LUAJIT_SOURCE names no folder'; fi

# Files of this version go on loading: spec/project/release_spec.lua reads them from now on.
freeze: golden
	@test ! -e spec/golden/$(release) || { echo 'spec/golden/$(release) is there, and never changes' >&2; exit 1; }
	@git diff --quiet HEAD -- spec/golden || { echo 'commit the changes of spec/golden first' >&2; exit 1; }
	cp -R spec/golden/v2 spec/golden/$(release)
