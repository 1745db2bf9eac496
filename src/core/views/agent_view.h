/* SPDX-License-Identifier: MIT */
/* Agent views: a grid as one agent sees it. A view has the cost of a step onto each kind of cell. Without a palette, searches
 * compute it from the weight and the tag of the cell (wend_own_price). For jump point search it has bitmaps: of the open cells
 * and, where costs differ, of the mixed cells. Each is there twice, by rows and by columns, so that a jump in any straight
 * direction reads 64 cells at a time.
 *
 * A view belongs to a search, or to the searches of one thread that share their views, not to the grid. So several threads can
 * search one grid that nobody edits. Views are kept for later. If the grid was edited since, the journal of the grid tells
 * which cells have changed. So a short search need not read the whole grid first, however large it is.
 *
 * An example: a grid of 100 x 100 cells, so 10,303 places in rows of 101. Its journal has room for 512 changes.
 *
 *   the view reads all cells          journal.end 10    view.cursor 10
 *   a door at place 507 closes        journal[10] = 507, journal.end 11
 *   the next search                   replays change 10 only: view.cursor 11. 507 = 5 x 101 + 2, so it clears bit 2 of
 *                                     line 5 in `rows`, and bit 5 of line 2 in `columns`
 *   a search in slices holds the      the next search that reads a later version gets a copy of it, and that replays the changes
 *   view
 *   600 more changes                  journal.end 611: the ring has overwritten changes 11 .. 98
 *   the next search                   611 - 11 > 512: reads all cells again */
#ifndef WEND_AGENT_VIEW_H
#define WEND_AGENT_VIEW_H

#include "core/cost/bounds.h"

/* The cost of a step onto a cell; INFINITY: closed; NaN: an edge function decides. */
typedef struct wend_cell_cost {
  double straight, diagonal;
} wend_cell_cost;

/* What a step onto a cell costs by its own weight and tag, on a grid without a palette. A table of as many prices as there are cells
 * would take more memory than the cells, and each agent would need one. */
typedef struct wend_own_prices {
  const double *weights; /* by place of a region, as stored: see wend_region */
  const uint16_t *tags;
  const wend_tag_cost *costs; /* by tag; NULL: the costs are the weights */
  double diagonal;            /* the length of a diagonal step */
} wend_own_prices;

WEND_INLINE wend_cell_cost wend_own_price(const wend_own_prices *own, uint32_t place) {
  const double weight = own->weights[place];
  wend_cell_cost cost = {weight, own->diagonal * weight};
  if (!(weight >= 0) || signbit(weight)) { /* outside (NaN), or closed */
    cost.straight = cost.diagonal = INFINITY;
  } else if (own->costs != NULL) {
    const wend_tag_cost *tag = &own->costs[own->tags[place]];
    cost.straight = wend_price_of(COSTS_TAGS, tag, 0, cost.straight).cost;
    cost.diagonal = wend_price_of(COSTS_TAGS, tag, 0, cost.diagonal).cost;
  }
  return cost;
}

/* The state of a kind for an agent. The lowest bit is 0 for open. So the lowest bits of four neighbours make an index 0 .. 15
 * of wend_around (neighbours.h). */
#define CELL_OPEN 0u
#define CELL_CLOSED 0x01u
#define CELL_OUTSIDE 0x11u

/* Lines of bits, which are rows or columns of cells. A bit is set if its cell is open. Line and bit 0, and those past the last
 * cell, are a margin of zeros: the cell x, y (from 0) is bit x + 1 of row y + 1, and bit y + 1 of column x + 1. */
typedef struct wend_bits {
  uint64_t *words;     /* the lowest bit of a word comes first */
  uint32_t line_words; /* words of one line */
  uint32_t capacity;
} wend_bits;

/* The bits that a view has. */
typedef enum wend_view_bits {
  BITS_NONE,
  BITS_OPEN, /* the open cells */
  BITS_MIXED /* and those of them that are mixed */
} wend_view_bits;

/* So many costs are told apart by bits, and CLASS_PLANES lines of bits per row do it. */
enum { CLASSES_MAX = 64, CLASS_PLANES = 1 + 6 * 2 };

/* A cell is mixed if the rules of jump point search for equal cells do not hold around it:
 *
 *   - its own 3x3 has open cells that cost the agent different prices; or a wall;
 *     or a link leaves it
 *   - or it has a closed cell, and a diagonal step may cut its corner: WEND_ONE_OPEN, WEND_ALWAYS
 *   - or a step onto it costs nothing, or what a function says
 *   - or it has diagonals, and a diagonal step costs as much as a straight one, as where a tag costs `plus` and the weight is 0,
 *     or as much as two
 *
 * All other open cells are plain. In this example the cells have the weights 1 and 3, and M is mixed:
 *
 *        1 1 1 1 1 1        . . M M . .
 *        1 1 1 3 3 3        . . M M M M
 *        1 1 1 3 3 3        . . M M . .                */
typedef struct wend_agent_view {
  uint64_t serial;                     /* of the grid; 0: the view is unused */
  uint64_t version;                    /* of the grid: the costs and the summary are of this version */
  uint64_t used;                       /* the clock of the views when this one was used last; 0: never */
  uint32_t holders;                    /* started searches that will need it again; it keeps its version for them */
  wend_tag_cost *tags;                 /* the cost of each tag for the agent */
  uint32_t tags_capacity, tag_count;   /* tag_count 0: the costs are the weights */
  wend_cell_cost *costs;               /* by kind */
  uint8_t *states;                     /* by kind: CELL_OPEN, ... */
  uint8_t *classes;                    /* by kind: open ones with equal costs have equal numbers */
  uint16_t classed_kinds[CLASSES_MAX]; /* by class: the first kind */
  uint32_t costs_capacity, states_capacity, classes_capacity, cost_count;
  uint32_t class_count;     /* more than CLASSES_MAX: not all kinds have one */
  uint64_t palette_changes; /* of the grid when the costs were computed */
  uint64_t costs_serial;    /* a new number whenever they are computed, unique in the process */
  wend_cost_summary summary;
  wend_bits rows, columns;             /* the same cells twice; empty until a search needs them */
  wend_bits mixed_rows, mixed_columns; /* the mixed ones of them; empty until a search needs them */
  wend_bits classed;                   /* three rows of planes: agent_view.c has them */
  bool surveyed;                       /* plain_share is of the grid before the changes from sample_cursor on */
  uint64_t sample_cursor;              /* in the journal */
  double plain_share;                  /* see wend_agent_view_plain_share */
  uint32_t filled;                     /* the rows of the grid whose cells the bits include */
  uint64_t cursor;                     /* in the journal: the first change that the bits do not include */
} wend_agent_view;

/* The number of views that are kept. Then a new view replaces the one that was not used for the longest time. Those that started
 * searches hold are not replaced, so there can be more. */
#define WEND_AGENT_VIEWS_MAX 32u

typedef struct wend_agent_views {
  wend_agent_view *at;
  uint32_t capacity, count;
  uint64_t clock; /* counts the uses of views */
} wend_agent_views;

/* Frees all memory; there are no views afterwards. All calls for one object must use the same allocator. */
void wend_agent_views_free(wend_agent_views *views, const wend_alloc *alloc);
/* Removes the views of a grid, whose bitmaps are freed. */
void wend_agent_views_forget(wend_agent_views *views, const wend_alloc *alloc, const wend_grid *grid);
/* Returns the view of a grid at these costs, brought up to date. Without a palette it has a summary, but neither costs by kind nor
 * bits. planes: the bits that it must have, which wend_agent_view_fill fills. The view is borrowed until the next call. NULL: no
 * memory. */
const wend_agent_view *wend_agent_view_of(wend_agent_views *views, const wend_alloc *alloc, const wend_grid *grid,
                                          const wend_costs *costs, wend_view_bits planes);
/* What steps onto the cells of a region cost without a palette. The edge function is not called. Borrowed like the view. */
static inline wend_own_prices wend_agent_view_own(const wend_agent_view *view, const wend_grid *grid,
                                                  const wend_region *region) {
  const wend_own_prices own = {region->weights, region->tags, view->tag_count > 0 ? view->tags : NULL, grid->diagonal_length};
  return own;
}
/* What a step onto a place of a region costs, whether there is a palette or not. */
static inline wend_cell_cost wend_agent_view_cost(const wend_agent_view *view, const wend_grid *grid, const wend_region *region,
                                                  uint32_t place) {
  wend_own_prices own;
  if (WEND_LIKELY(region->kinds != NULL)) return view->costs[region->kinds[place]];
  own = wend_agent_view_own(view, grid, region);
  return wend_own_price(&own, place);
}
/* Which share of the open cells is plain, and no corner of a wall, as far as a sample tells. The sample depends on the size of the
 * grid alone. */
double wend_agent_view_plain_share(wend_agent_views *views, const wend_agent_view *view, const wend_grid *grid);
/* Whether a view has bits of all cells, or had them before the last changes. */
static inline bool wend_agent_view_is_filled(const wend_agent_view *view, const wend_grid *grid) {
  return view->columns.words != NULL && view->filled == grid->height;
}
/* Fills the bits of a view that wend_agent_view_of has returned. *left: the work that may be done, in cells; subtracts what was
 * done. False: not all are filled. */
bool wend_agent_view_fill(wend_agent_views *views, const wend_agent_view *view, const wend_grid *grid, uint64_t *left);
/* Holds a view, so that it is not replaced. Returns its number, for wend_agent_view_drop. */
uint32_t wend_agent_view_hold(wend_agent_views *views, const wend_agent_view *view);
/* Ends a hold. */
void wend_agent_view_drop(wend_agent_views *views, const wend_alloc *alloc, uint32_t number);
/* The memory of all views, in bytes. */
size_t wend_agent_views_bytes(const wend_agent_views *views);

#endif
