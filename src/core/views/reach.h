/* SPDX-License-Identifier: MIT */
/* What can be reached, without a search: labels of a map as one agent sees it.
 *
 * Each open place has a label, the number of its component. Two open places with one component reach each other; union_find.h tells
 * which components lead to others. So an unreachable goal takes two look-ups.
 *
 * Labels depend on which tags are closed for the agent, not on the amounts that it pays. A tag that the edge function may open
 * counts as open: then there are at least as many steps as in truth, and "no path" is right all the same.
 *
 * Edits are replayed from the journal of the map (map.h) when labels are asked again. What opens is added at once. What closes is
 * different: labels then have more steps than the map, so that "no path" stays right and "there is a path" is uncertain. They
 * are exact again when they are made anew. On a grid most closed cells change nothing, because their neighbours stay connected
 * around them: reach.c has the test.
 *
 * Labels are of one version of a map. A search of an older, frozen version does not ask them.
 *
 * Labels are made only when they pay: wend_reach_learn is told what searches have cost that labels could have spared. */
#ifndef WEND_REACH_H
#define WEND_REACH_H

#include "core/map/grid.h"
#include "core/cost/step.h"
#include "core/views/label_rows.h"
#include "core/views/scc.h"
#include "core/views/union_find.h"

typedef struct wend_reach {
  uint64_t serial; /* of the map; 0: unused */
  uint64_t used;   /* the clock when it was used last */
  uint32_t credit; /* for each use; what wants its room lowers it first */
  wend_tag_set closed;
  double size;    /* of the agent, if widths of edges count; otherwise 0 */
  uint64_t work;  /* what searches have cost that labels could have spared, in expansions */
  uint64_t spare; /* the same since the labels were made: for searches over components */
  bool labelled;
  bool known; /* there were labels once */
  bool due;   /* searches have paid for labels, and the next one makes them, in slices if it runs in slices */
  /* Labels that are being made: see make_labels. */
  int part;
  uint32_t at, roots;
  wend_sccs sccs; /* of a graph */
  bool exact;     /* the labels have no step that the map has not */
  /* The labels are those of the map at this point of its history. */
  uint64_t cursor, version, closings;
  uint32_t place_count;
  uint32_t *labels; /* of a graph, by place: the component; WEND_NONE: closed, or no node */
  uint32_t labels_capacity;
  wend_label_rows rows; /* of a grid: the same */
  wend_union_find unions;
  uint32_t components_max, ways_max; /* with more of them, after many edits, the labels are dropped */
  bool calm;                         /* no sum of costs can overflow */
  uint64_t calm_version;             /* the version of the map when `calm` was computed; 0: never */
} wend_reach;

/* The number of agents and maps for which labels are kept. Then new ones replace the ones that were unused for the longest time. But
 * each use is a credit, and only what has none is replaced: a new agent lowers it by one and gets no labels. So nine agents in
 * turn do not make labels again and again: eight keep theirs, and the ninth searches. */
#define WEND_REACHES_MAX 8u
#define WEND_REACH_CREDIT_MAX 2u

typedef struct wend_reaches {
  wend_reach *at; /* NULL, or WEND_REACHES_MAX of them */
  uint32_t capacity;
  uint64_t clock;
  uint64_t made; /* how often labels of any map and agent were finished */
} wend_reaches;

typedef enum wend_reach_answer { REACH_UNKNOWN, REACH_NO, REACH_YES } wend_reach_answer;

/* Whether a path leads from any of the starts to any of the goals. REACH_YES only if a path costs less than INFINITY, and only with
 * `sure`; without it, REACH_UNKNOWN is returned instead. Ids must be of the map. It syncs a graph. It makes no labels. O(starts x
 * goals + tags), and the changes since the last call. */
wend_reach_answer wend_reach_ask(wend_reaches *reaches, const wend_alloc *alloc, wend_map *map, const wend_costs *costs,
                                 const wend_end *starts, uint32_t start_count, const wend_end *goals, uint32_t goal_count,
                                 bool sure);
/* Whether wend_reach_ask with `sure` answers every question without a doubt. It syncs a graph. It makes no labels. */
bool wend_reach_knows(wend_reaches *reaches, const wend_alloc *alloc, wend_map *map, const wend_costs *costs);
/* Tells what a search has cost whose result the labels did not know, in expansions. Makes labels when the searches have cost more
 * than that; if this would exceed the work that is left, the next search makes them. The map is as it was at the end of the search.
 * Without memory there are no labels. */
void wend_reach_learn(wend_reaches *reaches, const wend_alloc *alloc, const wend_map *map, const wend_costs *costs,
                      uint64_t work, uint64_t left);
/* After how much work of a search, in expansions, it pays to make labels, although the search is not over: of a grid that never had
 * any for this agent, or if they are not exact any more. UINT64_MAX: never. fresh: also if there are none. After wend_reach_ask. */
uint64_t wend_reach_patience(wend_reaches *reaches, const wend_map *map, const wend_costs *costs, bool fresh);
/* Whether labels of a grid would be all alike: no cell with a palette is closed for the agent, and there is no wall. The time is linear
 * in the number of kinds. */
bool wend_reach_is_open(const wend_grid *grid, const wend_costs *costs);
/* Whether there are labels, and they are exact. The graph is synced. */
bool wend_reach_is_exact(wend_reaches *reaches, const wend_alloc *alloc, const wend_map *map, const wend_costs *costs);
/* Makes the labels, or continues to make them, unless they are exact by now. *left: the work that may be done, in expansions;
 * subtracts what was done. False: they are not finished. */
bool wend_reach_relabel(wend_reaches *reaches, const wend_alloc *alloc, const wend_map *map, const wend_costs *costs,
                        uint64_t *left);
/* Frees all memory. All calls for one object must use the same allocator. */
void wend_reaches_free(wend_reaches *reaches, const wend_alloc *alloc);
/* Frees the labels of a map. */
void wend_reaches_forget(wend_reaches *reaches, const wend_alloc *alloc, const wend_map *map);
/* The memory of all labels, in bytes. */
size_t wend_reaches_bytes(const wend_reaches *reaches);

#endif
