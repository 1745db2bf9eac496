/* SPDX-License-Identifier: MIT */
/* Shortcuts: the few edges or portals that cost far less for their length than all others, such as teleporters. Without care
 * one of them lowers the least cost per length of the whole map, perhaps to 0, and with it every estimate. So a search takes
 * the bound of all *other* steps, and its estimate is the least over the ways through the shortcuts (heuristic.h).
 *
 * The counts of the ratios of a graph (histogram.h) tell which ratios are those of shortcuts: those below the cut. A pass over
 * all edges lists them, after edits that have moved the cut, or changed an edge below it.
 *
 * An example: 1,000 edges have ratios from 1 to 5, and three have 0, 0 and 0.2. Taking out two edges raises the bound from 0 to
 * 0.2, taking out three raises it to 1. Three is worth more, so the cut is 1: the edges with ratios below it are shortcuts. */
#ifndef WEND_SHORTCUTS_H
#define WEND_SHORTCUTS_H

#include "core/base/bits.h"
#include "core/base/memory.h"

/* At most this many edges of a graph are shortcuts. */
#define WEND_SHORTCUTS_MAX 128u
/* Estimates know at most this many ways through them, each in one direction. Each makes an estimate slower by a distance. */
#define WEND_WAYS_IN_MAX 64u
/* Shortcuts must raise the bound by this factor. Estimates that know shortcuts are slower than others. */
#define WEND_SHORTCUTS_GAIN 1.5

/* What a bound is worth to a search that takes out `count` edges for it. It falls by a third for 16, and no further: of many
 * shortcuts, most are short or far away, and make no estimate slower. */
WEND_INLINE double wend_shortcuts_worth(double bound, uint32_t count) {
  return bound / (1 + (count < 16 ? count : 16) * (1.0 / 32));
}

/* A shortcut in one direction, at the costs of an agent. */
typedef struct wend_shortcut {
  uint32_t from, to; /* places */
  double cost;       /* a lower bound of its cost */
  double ratio;      /* the same per length; of a two-way edge of a graph, the lesser of both directions */
  double length;     /* of an edge of a graph */
  bool again;        /* the other direction of a two-way edge is there, too */
} wend_shortcut;

typedef struct wend_shortcuts {
  wend_shortcut at[2 * WEND_SHORTCUTS_MAX];
  uint32_t capacity; /* the most that are kept */
  uint32_t count;    /* 0: no shortcuts are worth it, or all are closed */
  double least;      /* a lower bound of the cost per length of all other steps */
} wend_shortcuts;

#endif
