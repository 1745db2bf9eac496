/* SPDX-License-Identifier: MIT */
/* Prepared maps: what a search of an agent may use of their tables, and how edits change them. base/potentials.h has the tables
 * of graphs, base/planes.h those of grids, and why they are right.
 *
 * A map has a list of tables: for the weights, and for profiles. No two are for the same prices, so prices tell them apart. A
 * search uses one of them. */
#ifndef WEND_PREPARED_H
#define WEND_PREPARED_H

#include "core/base/potentials.h"
#include "core/map/graph_store.h"
#include "core/cost/step.h"

/* The share of the tables that an agent may use: every cost of the agent is at least this share of the cost that the tables are
 * for. 0: it may not use them. The share does not include the slack of the tables. Takes O(tags), on a grid O(kinds). */
double wend_prepared_share(const wend_map *map, const wend_prepared *prepared, const wend_costs *costs);
/* The tables of a map that searches of an agent use: those for its own prices, if edits have left something of them. Otherwise
 * those that have most of its prices, in the mean over all steps, with the share of them that it may use. NULL: the map is not
 * prepared. Takes O(tags) for each, on a grid O(kinds). */
wend_prepared *wend_prepared_choose(const wend_map *map, const wend_costs *costs);
/* The tables with a stamp. NULL: they are gone. */
wend_prepared *wend_prepared_find(const wend_map *map, uint64_t stamp);
/* What is the same for all agents; the rest of *info is zero. */
void wend_prepared_describe(const wend_prepared *prepared, wend_prepared_info *info);
/* Raises the slack of tables so that it allows for all steps of a graph, and lets them be used. One pass over the graph. For tables
 * from a file, which may be wrong: they must have a row for each place. The graph is synced. */
void wend_prepared_verify(const wend_graph *graph, wend_prepared *prepared);
/* Sets the rows of places of a graph from `first` on, which the tables do not know, from their neighbours. False: no memory. */
bool wend_prepared_adopt(const wend_graph *graph, wend_prepared *prepared, uint32_t first);
/* Makes tables of a map without anything in them: those of a graph have rows, and all numbers are POTENTIAL_MAX; those of a grid
 * get planes later. The costs of tags are copied. NULL: no memory. */
wend_prepared *wend_prepared_new(const wend_map *map, uint32_t landmarks, bool two_way, double unit, const wend_costs *costs);
/* Whether a map can have them beside its others: as wend_map_can_prepare. */
bool wend_prepared_has_room(const wend_map *map, const wend_prepared *made);
/* Whether two tables are for the same prices of the tags that files of the map have. Only overlays have the others. */
bool wend_prepared_alike(const wend_map *map, const wend_prepared *one, const wend_prepared *other);
/* Gives them to a map, in place of its tables for the same prices. Precondition: there is room. */
void wend_prepared_install(wend_map *map, wend_prepared *prepared);
/* Whether a cell of a grid can be entered, at the costs that the tables are for. Steps out of other cells are not in the tables:
 * only a search that starts there takes them. */
bool wend_prepared_enters(const wend_grid *grid, const wend_prepared *prepared, uint32_t place);

#endif
