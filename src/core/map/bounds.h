/* SPDX-License-Identifier: MIT */
/* What is known of costs before a search: a bound that makes the heuristic admissible, and the cost of a typical step, by which
 * the queue is laid out. Both come from counts that maps keep through every edit (ratios.h, the palette of grid.h), so that
 * no edge and no cell is looked at. */
#ifndef WEND_BOUNDS_H
#define WEND_BOUNDS_H

#include "core/map/step.h"

/* The least cost per length of any edge; 0: nothing is known. The graph is synced. */
double wend_graph_least(const wend_graph *graph, const wend_costs *costs);
/* The cost of a typical edge for this agent. A tag that is far dearer than another counts as eight times as dear. */
double wend_graph_typical(const wend_graph *graph, const wend_costs *costs);

/* What the cells of a grid cost an agent. */
typedef struct wend_cost_summary {
  double least;    /* a bound: no step costs less per length; 0: there is none */
  double cheapest; /* a straight step, where it costs anything */
  double typical;  /* the average straight step, at most eight times the cheapest */
  double uniform;  /* what every straight step costs, and diagonals their length times that; 0: they differ */
} wend_cost_summary;
/* Portals do not count. Takes as long as there are kinds of cells; without a palette, tags. */
wend_cost_summary wend_grid_summarize(const wend_grid *grid, const wend_costs *costs);
/* Whether the edge function has anything to be asked about: a cell or portal with such a tag. */
bool wend_grid_asks(const wend_grid *grid, const wend_costs *costs);

/* Whether weights and tags alone tell what steps cost: no edge function, no walls, no portals, and a palette. */
static inline bool wend_grid_is_plain(const wend_grid *grid, const wend_costs *costs) {
  return grid->kinds != NULL && costs->edge == NULL && grid->wall_count == 0 && grid->live_portals == 0;
}

#endif
