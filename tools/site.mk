# SPDX-License-Identifier: MIT
#
# The site: all pages with search, and the playground where it is built. dev.mk includes this.
#
#   make site          static files: build/site. It needs mkdocs and mkdocs-material, as Debian 12 has them, and
#                      rsvg-convert. SITE_URL=https://... adds the picture that social networks show
#   make check-site    also checks links, and searches in headless Chromium

MKDOCS ?= mkdocs
SITE_PAGES = $(filter-out .github/%,$(wildcard *.md doc/*.md doc/api/*.md bench/*.md spec/README.md \
               spec/*/README.md src/README.md))

# A recipe opens in the playground, so make that first: make playground site.
.PHONY: site check-site
site:
	@rm -rf build/site build/site.work
	@mkdir -p build/site.work/docs
	@$(LUA) tools/site.lua build/site.work $(if $(wildcard $(PLAYGROUND)/offline.js),--playground $(PLAYGROUND)) \
	  $(if $(SITE_URL),--url $(SITE_URL)) $(SITE_PAGES)
	@$(MKDOCS) build --strict --quiet --config-file build/site.work/mkdocs.yml --site-dir ../site
	@echo 'build/site'

check-site:
	@if command -v $(MKDOCS) >/dev/null && command -v rsvg-convert >/dev/null; then \
	  $(MAKE) --no-print-directory site && $(LUA) spec/site.lua build/site && \
	  if [ -d $(PLAY_WORK)/npm/node_modules ] && command -v '$(CHROMIUM)' >/dev/null; then \
	    timeout 240 node playground/test/site.mjs build/site $(PLAY_WORK) "$$(command -v '$(CHROMIUM)')"; \
	  else echo 'skipped: the search of the site: no Chromium, or no packages of make playground'; fi; \
	else echo 'skipped: the site: no $(MKDOCS) or no rsvg-convert here'; fi
