/* SPDX-License-Identifier: MIT */
/* Routes over graphs and grids, in slices. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/query/routing.h"

WEND_NO_FUSING

wend_route_opts wend_route_opts_default(void) {
  wend_route_opts opts;
  memset(&opts, 0, sizeof opts);
  opts.search = wend_search_opts_default();
  opts.max_distance = INFINITY;
  return opts;
}

wend_status wend_route_begin(wend_search *s, wend_map *map, const double *from, const double *to, const wend_route_opts *opts) {
  const routing_kind *kind = map->is_grid ? &wend_grid_routing : &wend_graph_routing;
  const size_t size = (map->is_grid ? 2 : (size_t)((const wend_graph *)map)->dimensions) * sizeof *from;
  routing *r = wend_search_scratch(s, ROUTE_TASK, sizeof *r);
  wend_status status;
  assert(opts->max_distance >= 0);
  assert(map->is_grid || opts->clear != NULL || !opts->straighten);
  wend_search_clear(s);
  memset(&s->stats, 0, sizeof s->stats);
  status = r != NULL ? wend_search_open(s, &map, opts->search.freeze) : WEND_NO_MEMORY;
  if (status != WEND_OK) return status;
  memset(r, 0, sizeof *r);
  r->s = s, r->map = map, r->kind = kind;
  memcpy(r->from, from, size);
  memcpy(r->to, to, size);
  r->opts = *opts;
  r->status = kind->begin(r);
  s->task = TASK_ROUTE;
  if (r->status != WEND_NO_MEMORY) return WEND_OK;
  wend_search_thaw(s);
  return WEND_NO_MEMORY;
}

wend_status wend_route_step(wend_search *s, uint64_t max_expanded, uint64_t *used, wend_route *route) {
  routing *r = s->task == TASK_ROUTE ? wend_search_scratch(s, ROUTE_TASK, 0) : NULL;
  uint64_t left = max_expanded;
  wend_status status;
  if (used != NULL) *used = 0;
  if (r == NULL || r->over) return r == NULL ? WEND_STALE : r->status;
  status = wend_search_reads(s, &r->opts.search.costs);
  if (status != WEND_OK) wend_search_clear(s);
  else status = r->status == WEND_RUNNING ? r->kind->run(r, &left) : r->status;
  s->task = TASK_ROUTE; /* what has run on the search drops the task */
  r->status = status;
  if (used != NULL) *used = max_expanded - left;
  if (status == WEND_RUNNING) return status;
  if (status == WEND_OK) *route = r->route;
  r->over = true;
  wend_search_thaw(s);
  return status;
}
