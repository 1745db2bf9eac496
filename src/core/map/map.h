/* SPDX-License-Identifier: MIT */
/* The data that graphs and grids share. It is the first member of both, so a pointer to a wend_map can point to either. */
#ifndef WEND_MAP_H
#define WEND_MAP_H

#include "core/base/bits.h"
#include "core/base/names.h"
#include "core/base/potentials.h"
#include "core/map/histogram.h"

/* The journal of a map: what the latest edits have changed.
 *
 * What is kept of a map (views, labels, searches in slices, overlays, watches) is brought up to date by the changes that it does
 * not know yet. It is a reader, with a cursor: the number of changes that it knows. A new reader begins at journal.end.
 *
 *   wend_changes changes;
 *   uint32_t change;
 *   if (!wend_read_changes(&map->journal, &view->cursor, &changes)) fill(view);    the journal does not go back so far
 *   else while (wend_next_change(&changes, &change)) replay(view, change);
 *
 * A change of a grid is a place: of a cell that has another value, a wall beside it, or a portal at it. A change of a graph is
 * the place of an end of an edge that was added, removed or changed; or, with CHANGED_NODE, of a node that was closed, opened,
 * moved or removed. */
#define CHANGED_NODE 0x80000000u

/* A ring: change number i is in changes[i & (capacity - 1)]. Changes before `first` are lost, and so are those that the ring has
 * overwritten. */
typedef struct wend_journal {
  uint32_t *changes;
  uint32_t capacity; /* a power of two; 0 before the first change */
  uint64_t first, end;
} wend_journal;

/* The changes from number `at` to `end`. A copy of it reads them once more. */
typedef struct wend_changes {
  const wend_journal *journal;
  uint64_t at, end;
} wend_changes;

/* Gives the changes since the cursor, and moves the cursor to the end. False: some of them are lost, so everything may have
 * changed. The map must not be edited while they are read. */
static inline bool wend_read_changes(const wend_journal *journal, uint64_t *cursor, wend_changes *changes) {
  changes->journal = journal;
  changes->at = *cursor;
  changes->end = *cursor = journal->end;
  return changes->at >= journal->first && changes->end - changes->at <= journal->capacity;
}

/* The next change. False: there is none. */
static inline bool wend_next_change(wend_changes *changes, uint32_t *change) {
  if (changes->at == changes->end) return false;
  *change = changes->journal->changes[changes->at++ & (changes->journal->capacity - 1)];
  return true;
}

/* A search uses a heuristic only if the least cost per length is at least this. Near 1e-308 numbers lose their precision: the
 * rounded product of a distance and a least cost per length may exceed the true cost, and A* would miss the cheapest path.
 * 1e-250 is far enough from there: even times 2^-64, about the least weight for which graphs have a heuristic, it is above
 * 1e-270. */
#define WEND_LEAST_MIN 1e-250

/* A histogram of weights by binary exponent: counter i is for weights from 2^(i - 64) up to, but below, 2^(i - 63). The first
 * and the last also count all weights that are less or greater. The width of the buckets of the queue comes from it. Example:
 * 1, 3, 3, 3.5 and 12 are counted in 64, 65, 65, 65 and 67. The median is the 2.5th of 5, and 1 is below scale 65, so the
 * median is taken to be half-way through its 3 weights: 2 x (1 + 1.5 / 3) = 3. */
#define WEND_SCALES 128

typedef struct wend_scales {
  uint64_t count[WEND_SCALES];
  uint64_t zeros; /* how many weights are 0 */
  double typical; /* the last result of wend_scales_settle */
  bool changed;   /* the weights have changed since */
} wend_scales;

/* What an overlay knows of its base (core/overlay). The bits tell which of its parts it has changed itself: these hide those of
 * the base. There is a bit for each, so hiding cannot fail, but for walls. While the overlay is brought up to date,
 * wend_map.derived is NULL: then its edits hide nothing. */
typedef struct wend_derived {
  wend_map *base;
  uint64_t version, labels, structure, noted; /* of the base: how far the overlay follows it */
  bool torn;                                  /* memory ran out in the middle: everything must be compared */
  uint64_t *hidden;                           /* cells, by place; or nodes, by slot */
  uint64_t *hidden_edges;                     /* by slot */
  uint8_t *hidden_walls;                      /* by place: a bit for each direction, as wend_grid.walls; NULL: none */
  uint32_t hidden_capacity, hidden_edges_capacity, hidden_walls_capacity;
  /* Of a grid with unknown cells: it follows nothing. Cells are hidden once they are known, all others have this value, and walls
   * and portals are those of known cells. */
  bool fog;
  wend_cell unknown;
} wend_derived;

struct wend_map {
  wend_alloc alloc; /* of the map and all its arrays */
  bool is_grid;
  uint64_t serial;       /* of this map alone: see wend_map_new_serial */
  uint64_t version;      /* rises with every change that may change the result of a search */
  uint64_t closings;     /* of a graph: rises with every change that may close a step that was open */
  uint64_t labels;       /* rises with every other change of what a file holds: names, radii, names of tags */
  wend_names tag_names;  /* by tag - 1 */
  uint64_t structure;    /* of a graph: rises when nodes or edges are added or removed */
  uint32_t own_tags;     /* files have the tags up to this one; those after it only overlays have */
  wend_histogram ratios; /* of the edges of a graph, or of the cells of a grid without a palette */
  wend_scales scales;    /* of the same weights */
  bool has_digest;       /* `digest` is that of the version and the labels beside it */
  uint64_t digest, digest_version, digest_labels;
  wend_journal journal;
  wend_prepared *prepared; /* a list, see prepared/prepared.h; NULL: the map is not prepared */
  wend_derived *derived;   /* NULL: it is no overlay */
};

/* The memory that an overlay holds for following, in bytes; 0 for another map. */
size_t wend_derived_bytes(const wend_map *map);
/* The memory of all tables of a map, in bytes. */
size_t wend_map_prepared_bytes(const wend_map *map);
/* Adds to an overlay the names of tags that its base has and it has not. NO_MEMORY. */
wend_status wend_map_copy_tags(wend_map *map, const wend_map *base);
/* Forgets the names of tags after the first `count`, also in the bases of an overlay. Nothing may have these tags, or have read
 * their names. */
void wend_map_forget_tags(wend_map *map, uint32_t count);

/* Frees the names of tags and the statistics. */
void wend_map_free(wend_map *map);
/* The counter for a weight, which is finite and >= 0. The caller adds to it or subtracts from it. */
uint64_t *wend_scale_of(wend_scales *scales, double weight);
/* About the median of the weights that are not 0. 0: there are none. */
double wend_scales_typical(const wend_scales *scales);
/* Precondition: changed. Stores the median, so that wend_scales_typical need not compute it again. */
void wend_scales_settle(wend_scales *scales);
/* A new serial number, unique among the maps of the process; never 0. */
uint64_t wend_map_new_serial(void);

/* Whether a part of a map (a node, an edge or a cell) may have changed after a version.
 *   touched         for each part, the lower 32 bits of the version that changed it last; parts past `capacity` never changed
 *   at              the part
 *   version, now    the version asked about, and that of the map
 * Never false for a part that has changed. It can be true for one that has not: if the map has changed 2^32 times or more since
 * `version`, and, by chance, if the part changed 2^32 versions before. Example: version 5, now 9. A part touched by version 7
 * gives 7 - 5 - 1 = 1 < 4: changed. One touched by version 5 gives -1, unsigned 2^32 - 1: not changed. */
static inline bool wend_touched_since(const uint32_t *touched, uint32_t capacity, uint32_t at, uint64_t version, uint64_t now) {
  if (now - version > UINT32_MAX) return true;
  return at < capacity && (uint32_t)(touched[at] - (uint32_t)version - 1u) < (uint32_t)(now - version);
}
/* Writes a change into the journal of a map. place_count: of the map, for the size of a new journal. */
void wend_map_note_only(wend_map *map, uint32_t change, uint32_t place_count);
/* Notes that everything may have changed. */
void wend_map_note_all(wend_map *map);

#endif
