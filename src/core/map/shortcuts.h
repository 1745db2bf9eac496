/* SPDX-License-Identifier: MIT */
/* Shortcuts: the few edges or portals that cost far less for their length than all others, such as teleporters. Without care
 * one of them lowers the least cost per length of the whole map, perhaps to 0, and with it every estimate. So a search takes
 * the bound of all *other* steps, and its estimate is the least over the ways through the shortcuts (heuristic.h).
 *
 * The ratios of a graph (histogram.h) keep a list of the edges with the lowest ratios. The invariant: it has every edge whose
 * ratio is below `horizon`, and no other. A list that overflows lowers the horizon. Only a pass over all edges can raise it.
 * The pass is made when the counts of the ratios tell that it would find shortcuts, which takes dozens of edits of low edges
 * after an overflow. Which edges are shortcuts depends on the counts alone, and so not on when a pass was made.
 *
 * An example: 1,000 edges have ratios from 1 to 5, and three have 0, 0 and 0.2. Taking out two edges raises the bound from 0 to
 * 0.2, taking out three raises it to 1. Three is worth more, so the cut is 1: the edges with ratios below it are shortcuts. */
#ifndef WEND_SHORTCUTS_H
#define WEND_SHORTCUTS_H

#include "core/base/bits.h"
#include "core/base/memory.h"

/* At most this many edges are shortcuts, or this many pairs of portals. Each makes an estimate slower by a distance. */
#define WEND_SHORTCUTS_MAX 16u
/* Shortcuts must raise the bound by this factor. Estimates that know shortcuts are slower than those that do not. */
#define WEND_SHORTCUTS_GAIN 1.5

/* How many edges the list holds, and at most how many a pass puts there: a list that is half full does not overflow soon. */
#define WEND_LOWS_MAX 64u
#define WEND_LOWS_FILLED 32u

typedef struct wend_low {
  uint32_t edge; /* the slot */
  double ratio;
} wend_low;

/* All 0: the list of nothing, with the horizon 0. */
typedef struct wend_lows {
  wend_low at[WEND_LOWS_MAX];
  uint32_t count;
  double horizon;
} wend_lows;

/* Adds an edge to the list, if its ratio is below the horizon, and removes one that was added with the same arguments. */
void wend_lows_add(wend_lows *lows, uint32_t edge, double ratio);
void wend_lows_remove(wend_lows *lows, uint32_t edge, double ratio);

/* What a bound is worth to a search that takes out `count` edges for it. It falls by a third for all 16. */
WEND_INLINE double wend_shortcuts_worth(double bound, uint32_t count) { return bound / (1 + count * (1.0 / 32)); }

/* A shortcut in one direction, at the costs of an agent. */
typedef struct wend_shortcut {
  uint32_t from, to; /* places */
  double cost;       /* a lower bound of its cost */
  double ratio;      /* the same per length */
} wend_shortcut;

typedef struct wend_shortcuts {
  wend_shortcut at[2 * WEND_SHORTCUTS_MAX];
  uint32_t count; /* 0: no shortcuts are worth it, or all are closed */
  double least;   /* a lower bound of the cost per length of all other steps */
} wend_shortcuts;

/* Keeps the shortcuts that are worth it, of those found: sorts them, and removes those whose ratio is high. each: how many
 * are one edge, on the average: 2 if most are there in both directions. found->least: the bound of all steps that are not in
 * the list. least: the bound of all steps. */
void wend_shortcuts_choose(wend_shortcuts *found, double least, uint32_t each);

#endif
