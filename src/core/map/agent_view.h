/* SPDX-License-Identifier: MIT */
/* Agent views: what a grid is for one agent. A view has the cost of a step onto each kind of cell and, where jump points are
 * looked for, a map of bits with the cells that are open.
 *
 * Views belong to whoever asks (a search), not to the grid: several threads can search one grid that nobody edits. They are
 * kept between searches. A view that finds its grid edited catches up by the grid's journal, so that neither a profile nor a
 * map of any size has to be gone through before a short search. */
#ifndef WEND_AGENT_VIEW_H
#define WEND_AGENT_VIEW_H

#include "core/map/bounds.h"

/* What a step onto a cell costs; INFINITY: it cannot be taken. */
typedef struct wend_cell_cost {
  double straight, diagonal;
} wend_cell_cost;

/* What a kind is for an agent. The lowest bit tells whether it is open, so that four of them make a number in 0 .. 15. */
#define CELL_OPEN 0u
#define CELL_CLOSED 0x01u
#define CELL_OUTSIDE 0x11u

/* Lines of bits, one a cell and set where it is open, with a margin of zeros: rows, or columns. */
typedef struct wend_bits {
  uint64_t *words;
  uint32_t line_words; /* of one line */
  uint32_t capacity;
} wend_bits;

typedef struct wend_agent_view {
  uint64_t serial;  /* of the grid; 0: this view is free */
  uint64_t version; /* of the grid that the summary is of */
  uint64_t used;    /* when it was last asked for */
  wend_tag_cost *tags; /* what the agent makes of tags; none: it takes the weights as they are */
  uint32_t tags_capacity, tag_count;
  wend_cell_cost *costs; /* by kind */
  uint8_t *states;       /* by kind: CELL_OPEN, ... */
  uint32_t costs_capacity, states_capacity, cost_count;
  uint64_t palette_changes; /* of the grid that the costs are of */
  wend_cost_summary summary;
  wend_bits rows, columns; /* both, or none */
  uint64_t journal_end;    /* the first change of the grid that the bits do not know */
} wend_agent_view;

/* More grids and agents than this take turns: the view that was not asked for longest is given up. */
#define WEND_AGENT_VIEWS_MAX 32u

typedef struct wend_agent_views {
  wend_agent_view *at;
  uint32_t capacity, count;
  uint64_t clock;
} wend_agent_views;

void wend_agent_views_free(wend_agent_views *views, const wend_alloc *alloc);
/* Gives up what is known of a grid. */
void wend_agent_views_forget(wend_agent_views *views, const wend_alloc *alloc, const wend_grid *grid);
/* What a grid with a palette is for these costs; no edge function is asked. bits: rows and columns as well. It is borrowed until
 * the next call. NULL: no memory. */
const wend_agent_view *wend_agent_view_of(wend_agent_views *views, const wend_alloc *alloc, const wend_grid *grid,
                                          const wend_costs *costs, bool bits);

#endif
