/* SPDX-License-Identifier: MIT */
/* Prepared maps: what a search of an agent may use of their tables. base/potentials.h has the tables, and why they are right. */
#ifndef WEND_PREPARED_H
#define WEND_PREPARED_H

#include "core/base/potentials.h"
#include "core/map/step.h"

/* The share of the tables that an agent may use: every cost of the agent is at least this share of the cost that the tables are
 * for. 0: it may not use them. The share does not include the ratio of the tables. Takes O(tags). */
double wend_prepared_share(const wend_map *map, const wend_costs *costs);
/* The least ratio of the price of a step to what the tables have for it, over all steps of the map; at most 1. One pass over the
 * map. For tables from a file, which may be wrong: they must have a row for each place. The graph is synced. */
double wend_prepared_verify(const wend_map *map, const wend_prepared *prepared);
/* Gives a map tables, in place of those that it has. */
void wend_prepared_install(wend_map *map, wend_prepared *prepared);

#endif
