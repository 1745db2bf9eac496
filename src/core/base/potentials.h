/* SPDX-License-Identifier: MIT */
/* Potentials: for each place a row of 16-bit numbers, from which lower bounds of the costs between places follow. The tables of
 * landmarks are such rows. They need no landmarks to be right: see below.
 *
 * A row has `count` numbers `to`, then, unless the steps of the map are two-way at equal costs, `count` numbers `from`. A number
 * stands for a cost: itself x unit. A step from u to v that costs c agrees with the rows if for each column
 *
 *     (to[u] - to[v]) x unit <= c     and     (from[v] - from[u]) x unit <= c
 *
 * and with two-way rows, which have one kind of number, (d[u] - d[v]) x unit <= c and (d[v] - d[u]) x unit <= c. If all steps
 * agree, the cost of any path from v to a goal is at least (to[v] - to[goal]) x unit and (from[goal] - from[v]) x unit, because
 * the differences along the path add up to these. Distances to and from a landmark, in units and rounded down step by step,
 * are one way to get rows that agree. Capped distances agree as well: a cap never makes a difference greater.
 *
 * An example: the unit is 1, a landmark L, and the steps a -> L of cost 7.5, a -> b of cost 3.2, b -> L of cost 5. Rounded down
 * these are 7, 3 and 5. So to[a] = 7 and to[b] = 5, and the cost from a to b is at least 2. If b -> L now costs 4, the step does
 * not agree any more: the estimate for b is 1 too high. `slack` keeps by how much all bounds must be lowered (wend_slack). */
#ifndef WEND_POTENTIALS_H
#define WEND_POTENTIALS_H

#include "core/base/bits.h"
#include "core/base/keys.h"
#include "core/base/memory.h"
#include "core/base/planes.h"

/* The greatest number in a row. It also stands for places from or to which no path leads. */
#define POTENTIAL_MAX 65535
/* The greatest unit. Searches use no tables with greater ones; and a number x the unit must not overflow. */
#define POTENTIAL_UNIT_MAX 1e200

#if defined(__SSE2__) || defined(_M_X64)
/* The greater of each two unsigned numbers. SSE2 has it for signed ones only. */
static inline __m128i wend_max_of_8(__m128i a, __m128i b) { return _mm_add_epi16(a, _mm_subs_epu16(b, a)); }
/* The greatest of eight unsigned numbers. */
static inline uint32_t wend_max_in_8(__m128i all) {
  all = wend_max_of_8(all, _mm_srli_si128(all, 8));
  all = wend_max_of_8(all, _mm_srli_si128(all, 4));
  all = wend_max_of_8(all, _mm_srli_si128(all, 2));
  return (uint32_t)_mm_extract_epi16(all, 0) & 65535u;
}
#endif

/* Slack: by how much bounds may be too high, because steps became cheaper after the tables of a prepared map were made.
 *
 * For each column of the tables there is a bound of the cost of a path: the sum of what the column says about its steps. A step
 * that costs less than that makes the bound too high by the difference, its excess. A cheapest path enters a place once, so for
 * each place only the greatest excess of the steps into it counts. The slack of a column is the sum of these over all places:
 * a bound less the slack holds for all paths.
 *
 *        a --5--> b --5--> c       The column says 5 for each step, and 10 for a path from a to c. Now a -> b costs 4 and d -> b
 *                 ^                costs 3. The excess at b is 1, or 2 from d. So the slack is 2, and the bounds from a and d to
 *        d --5----+                c are 8. It never falls, also if d -> b becomes dearer again. If b -> c costs 1, c adds 4.
 *
 * Excess and slack are in units of the tables, whole numbers rounded up. A place has a key that never changes: its slot in a
 * graph, its place in a grid. A slot that is used again keeps its excess, so the slack is at least what it must be. */

/* Columns, and the greatest slack: from there on the bounds of a column are worth nothing. */
#define SLACK_COLUMNS_MAX (2 * WEND_LANDMARKS_MAX)
#define SLACK_MAX 65535u

typedef struct wend_slack {
  uint32_t width;                   /* columns, at most SLACK_COLUMNS_MAX */
  uint32_t sums[SLACK_COLUMNS_MAX]; /* the slack by column, at most SLACK_MAX */
  uint64_t raised;                  /* how often a sum was raised: the sums are the same as long as this is */
  wend_keys places;                 /* places that steps enter too cheaply */
  uint16_t *excess;                 /* of each by column: `width` numbers */
  uint32_t excess_capacity;
} wend_slack;

/* Tables of a prepared map, for the prices of one agent. They belong to the map, which frees them. Graphs have rows, grids have
 * planes (planes.h). */
typedef struct wend_prepared {
  struct wend_prepared *next; /* the other tables of the map: it has a list of them */
  wend_planes *planes;        /* of a grid; NULL: there are no landmarks */
  uint16_t *rows;             /* of a graph, by place; `stride` numbers each. NULL: there are no landmarks */
  uint32_t *users;            /* of the rows, which copies of a map share: see memory.h */
  uint32_t capacity;          /* in rows */
  uint32_t place_count;       /* of the rows that are set */
  uint32_t landmarks;         /* columns of each kind that are in use */
  uint32_t count;             /* columns of each kind: landmarks rounded up to 8 or 16; those not in use are 0 in all rows */
  uint32_t stride;            /* numbers in a row: count, or 2 x count */
  bool two_way;               /* one kind of number */
  double unit;                /* > 0, at most POTENTIAL_UNIT_MAX */
  wend_slack slack;           /* two columns for each of the rows: first `to`, then, also of two-way rows, `from` */
  bool off;                   /* the potentials are not used: they are not verified yet, or no column is worth anything */
  uint64_t stamp;             /* unique in the process: of these rows */
  wend_tag_cost *tags;        /* the costs that the rows are for; later tags cost their weight; NULL: the weights */
  uint32_t tags_capacity, tag_count;
  /* Called by the edits of the map: see prepared/prepared.c. They lie in a later layer. */
  void (*note)(wend_map *map, struct wend_prepared *prepared, uint32_t place); /* a node or an edge; a wall of a grid is gone */
  void (*note_value)(wend_map *map, struct wend_prepared *prepared, uint32_t place,
                     wend_cell old);                                   /* a cell, and what it was */
  void (*note_portals)(wend_map *map, struct wend_prepared *prepared); /* a link */
  bool (*admit)(wend_graph *graph, struct wend_prepared *prepared);
} wend_prepared;

/* The most tables of a map: those for the weights, and those for profiles. */
#define PREPARED_MAX (1 + WEND_PROFILES_MAX)
/* All tables of a map. */
#define WEND_FOR_TABLES(map, one) for (wend_prepared *one = (map)->prepared; one != NULL; one = one->next)

/* Frees tables, and those after them in the list. NULL is allowed. */
void wend_prepared_free(wend_prepared *prepared, const wend_alloc *alloc);
/* Copies tables, and those after them in the list; the copies share the rows or the planes. False: no memory; *copy is NULL. */
bool wend_prepared_copy(wend_prepared *prepared, const wend_alloc *alloc, wend_prepared **copy);
/* Gives tables rows of their own, before these are written. False: no memory. */
bool wend_prepared_own(wend_prepared *prepared, const wend_alloc *alloc);
/* Their memory, in bytes. */
size_t wend_prepared_bytes(const wend_prepared *prepared);
/* Makes rows for this many places; the new ones are POTENTIAL_MAX in the columns in use. False: no memory. */
bool wend_prepared_grow(wend_prepared *prepared, const wend_alloc *alloc, uint64_t places);
/* A copy of the rows in another order. order: by new place, the old place. NULL: no memory. Precondition: there are rows. */
uint16_t *wend_prepared_reorder(const wend_prepared *prepared, const wend_alloc *alloc, const uint32_t *order, uint32_t count);
/* Frees such a copy, of `count` rows. */
void wend_prepared_drop(const wend_prepared *prepared, const wend_alloc *alloc, uint16_t *rows, uint32_t count);
/* Frees the rows, and takes such a copy instead. */
void wend_prepared_take(wend_prepared *prepared, const wend_alloc *alloc, uint16_t *rows, uint32_t count);
/* The price of a step with a tag, for the costs that the rows are for. INFINITY: it is closed in them. */
static inline double wend_prepared_price(const wend_prepared *prepared, uint32_t tag, double weight) {
  if (prepared->tags == NULL || tag >= prepared->tag_count) return weight;
  return weight * prepared->tags[tag].times + prepared->tags[tag].plus;
}
/* The greatest difference that the rows have for a step from one place to another, in units; at least 0. */
uint32_t wend_prepared_difference(const wend_prepared *prepared, uint32_t from, uint32_t to);
/* Raises the slack so that a step of this price is allowed for. key: of the place that it enters, see wend_slack. */
void wend_prepared_allow(wend_prepared *prepared, const wend_alloc *alloc, uint32_t from, uint32_t to, uint32_t key,
                         double price);
/* A price in units, rounded down, at most POTENTIAL_MAX. */
uint32_t wend_prepared_units(const wend_prepared *prepared, double price);

/* Whether copies of a map share the rows or planes. */
static inline bool wend_prepared_is_shared(const wend_prepared *prepared) {
  const uint32_t *users = prepared->planes != NULL ? prepared->planes->users : prepared->users;
  return users != NULL && *users > 1;
}
/* Whether there are landmarks. Then edits must tell what they change. */
static inline bool wend_prepared_listens(const wend_prepared *prepared) {
  return prepared->rows != NULL || prepared->planes != NULL;
}
/* After an edit, tells the tables of a map that steps at a place may be cheaper. */
#define wend_prepared_note(map, place)                                 \
  do {                                                                 \
    WEND_FOR_TABLES(map, one_)                                         \
    if (wend_prepared_listens(one_)) one_->note((map), one_, (place)); \
  } while (0)

static inline uint16_t *wend_prepared_row(const wend_prepared *prepared, uint32_t place) {
  return prepared->rows + (size_t)place * prepared->stride;
}

#endif
