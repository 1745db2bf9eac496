/* SPDX-License-Identifier: MIT */
/* Agent views: a grid as one agent sees it. A view has the cost of a step onto each kind of cell and, for jump point search, a
 * bitmap of the open cells.
 *
 * A view belongs to a search, not to the grid. So several threads can search one grid that nobody edits. The search keeps its
 * views. When the grid was edited, the journal of the grid tells which cells have changed. So a short search need not read the
 * whole grid first, on a map of any size. */
#ifndef WEND_AGENT_VIEW_H
#define WEND_AGENT_VIEW_H

#include "core/map/bounds.h"

/* The cost of a step onto a cell; INFINITY: closed. */
typedef struct wend_cell_cost {
  double straight, diagonal;
} wend_cell_cost;

/* The state of a kind for an agent. The lowest bit is 0 for open, so that the bits of four neighbours make an index 0 .. 15. */
#define CELL_OPEN 0u
#define CELL_CLOSED 0x01u
#define CELL_OUTSIDE 0x11u

/* Rows, or columns, of bits: one for each cell, set if the cell is open, with a margin of zeros. */
typedef struct wend_bits {
  uint64_t *words;
  uint32_t line_words; /* words of one line */
  uint32_t capacity;
} wend_bits;

typedef struct wend_agent_view {
  uint64_t serial;                   /* of the grid; 0: the view is unused */
  uint64_t version;                  /* of the grid when the summary was computed */
  uint64_t used;                     /* the clock when the view was used last */
  wend_tag_cost *tags;               /* the cost of each tag for the agent */
  uint32_t tags_capacity, tag_count; /* tag_count 0: the costs are the weights */
  wend_cell_cost *costs;             /* by kind */
  uint8_t *states;                   /* by kind: CELL_OPEN, ... */
  uint32_t costs_capacity, states_capacity, cost_count;
  uint64_t palette_changes; /* of the grid when the costs were computed */
  wend_cost_summary summary;
  wend_bits rows, columns; /* the same cells twice; empty until a search needs them */
  uint64_t journal_end;    /* the first change in the journal that the bits do not include */
} wend_agent_view;

/* The number of views that a search keeps. A new view then replaces the one that was not used for longest. */
#define WEND_AGENT_VIEWS_MAX 32u

typedef struct wend_agent_views {
  wend_agent_view *at;
  uint32_t capacity, count;
  uint64_t clock;
} wend_agent_views;

void wend_agent_views_free(wend_agent_views *views, const wend_alloc *alloc);
/* Removes the views of a grid. */
void wend_agent_views_forget(wend_agent_views *views, const wend_alloc *alloc, const wend_grid *grid);
/* The view of a grid with a palette at these costs, up to date. Edge functions are ignored. bits: with rows and columns. It is
 * valid until the next call. NULL: no memory. */
const wend_agent_view *wend_agent_view_of(wend_agent_views *views, const wend_alloc *alloc, const wend_grid *grid,
                                          const wend_costs *costs, bool bits);

#endif
