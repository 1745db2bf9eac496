/* SPDX-License-Identifier: MIT */
/* The memory of a search for strong components. scc.h has the algorithm. */
#include "core/views/scc.h"

#include <string.h>

WEND_NO_FUSING

static bool size_sccs(wend_sccs *c, const wend_alloc *alloc, uint32_t place_count) {
  const wend_column columns[] = {WEND_COLUMN(c->order), WEND_COLUMN(c->low), WEND_COLUMN(c->next), WEND_COLUMN(c->calls),
                                 WEND_COLUMN(c->stack)};
  return wend_resize_columns(alloc, columns, 5, &c->capacity, place_count);
}

bool wend_sccs_begin(wend_sccs *c, const wend_alloc *alloc, uint32_t place_count) {
  c->call_count = c->stack_count = c->visited = c->cleared = c->root = c->count = 0;
  return place_count <= c->capacity || size_sccs(c, alloc, place_count);
}

void wend_sccs_free(wend_sccs *c, const wend_alloc *alloc) {
  (void)size_sccs(c, alloc, 0);
  memset(c, 0, sizeof *c);
}
