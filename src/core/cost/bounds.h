/* SPDX-License-Identifier: MIT */
/* Bounds of costs, known before a search: the least cost per length, which makes the heuristic admissible, and the cost of a
 * typical step, which sets the width of the queue's buckets. Both come from statistics that every edit updates (histogram.h,
 * map.h, the palette of grid.h), so no edge and no cell is read. */
#ifndef WEND_BOUNDS_H
#define WEND_BOUNDS_H

#include "core/cost/step.h"

/* A lower bound of the cost per length of any edge, for this agent. 0: there is none, and the search has no heuristic. The
 * graph is synced. The time is linear in the number of tags. */
double wend_graph_least(const wend_graph *graph, const wend_costs *costs);
/* What the tags of nodes make of the price of any edge, at least: price x this. 0: an edge function may return any cost. 1: no node
 * has a tag, or none makes an edge cheaper. Takes O(tags). */
double wend_graph_node_share(const wend_graph *graph, const wend_costs *costs);
/* The shortcuts of a graph for this agent. least: wend_graph_least. The graph is synced, and every node has a position. */
void wend_graph_shortcuts(const wend_graph *graph, const wend_costs *costs, double least, wend_shortcuts *found);
/* About the average cost of an edge for this agent. Each tag counts at most eight times the cost of the cheapest tag, so that a
 * few dear tags do not make the buckets too wide. */
double wend_graph_typical(const wend_graph *graph, const wend_costs *costs);

/* The costs of the cells of a grid for an agent. */
typedef struct wend_cost_summary {
  double least;    /* no step costs less per length; 0: unknown */
  double cheapest; /* the least cost of a straight step, steps of cost 0 apart; INFINITY: there is none */
  double typical;  /* the average cost of a straight step, where each counts at most eight times the cheapest */
  double uniform;  /* the cost of every straight step, if all are equal and diagonals cost their length times it; else 0 */
} wend_cost_summary;
/* The summary of the cells of a grid. Portals are ignored. The time is linear in the number of kinds, or without a palette in
 * the number of tags. */
wend_cost_summary wend_grid_summarize(const wend_grid *grid, const wend_costs *costs);
/* The shortcuts of a grid for this agent. least: of the cells, by wend_grid_summarize. Returns the least cost per length of
 * all steps. For example, a portal between cells 10 apart that costs 2 lowers it to 0.2. The time is linear in the number of
 * portals, and in the number of shortcuts. */
double wend_grid_shortcuts(const wend_grid *grid, const wend_costs *costs, double least, wend_shortcuts *found);
/* Whether a search may call the edge function: some cell or portal has a tag with `asks`. */
bool wend_grid_asks(const wend_grid *grid, const wend_costs *costs);
/* The share of the cells of a grid with a palette about which the edge function is asked. The time is linear in the kinds. */
double wend_grid_asked_share(const wend_grid *grid, const wend_costs *costs);

/* Whether weights and tags, and layers, alone decide the costs of steps: no edge function, no walls, no portals, no disc. Of
 * hexes: loops that read the cells themselves also look at `bars` (wend_region_bars). */
static inline bool wend_grid_is_plain(const wend_grid *grid, const wend_costs *costs) {
  return costs->edge == NULL && grid->wall_count == wend_lacking_count(grid) && grid->live_portals == 0 && grid->fit == NULL;
}

/* The longest diagonal steps that jump points take where all cells cost the same. Of two straight steps and the diagonal between
 * them, they take the diagonal; it must be cheaper. If both cost the same, paths may leave a cell to each other in a circle. Just
 * below 2, rounding makes them cost the same. Of two diagonals and two straight steps to the same cell they take the straight
 * ones; these may cost the same. */
#define WEND_JUMP_DIAGONAL_MAX 1.99

/* Whether all open cells are alike, whoever searches, and paths to one goal need no tables: jump points find them sooner. */
bool wend_grid_is_alike(const wend_grid *grid);

#endif
