/* SPDX-License-Identifier: MIT */
/* The data that graphs and grids share. It is the first member of both, so a pointer to a wend_map can point to either. */
#ifndef WEND_MAP_H
#define WEND_MAP_H

#include "core/base/bits.h"
#include "core/base/names.h"
#include "core/base/potentials.h"
#include "core/map/histogram.h"

/* The journal of a map, or of an influence layer: what the latest edits have changed.
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
 * moved or removed. A change of a layer is the index of a number. */
#define CHANGED_NODE 0x80000000u

/* A ring: change number i is in changes[i & (capacity - 1)]. Changes before `first` are lost, and so are changes that the ring has
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

/* Writes a change, or that everything may have changed. place_count: of what the journal is about, for its size if it is new. */
void wend_note_change(wend_journal *journal, const wend_alloc *alloc, uint32_t change, uint32_t place_count);
static inline void wend_note_all(wend_journal *journal) { journal->first = ++journal->end; }

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

/* Tags of cells that are closed for an agent. */
typedef struct wend_closed_tags {
  uint8_t *marks; /* by tag: 1: it is closed */
  uint32_t count, capacity;
} wend_closed_tags;

/* The disc whose steps the steps of a grid are, and what is known of them: see views/fit.c. */
typedef struct wend_fit {
  double radius;
  wend_closed_tags closed; /* for the disc */
  /* Whether the disc gets from a place to its neighbour in a direction. direction -1: whether it fits there. */
  bool (*passes)(const wend_grid *grid, uint32_t from, int direction);
  uint64_t version; /* of the grid that `cells` is of */
  uint64_t noted;   /* its cursor in the journal of the grid */
  uint16_t *cells;  /* by place: FIT_KNOWN and a bit for each direction that is denied; 0: not known yet */
  uint32_t cells_capacity;
} wend_fit;

/* Frozen versions of a map: see below. The first three are of a map, the rest of a version. */
typedef struct wend_versions {
  wend_map *newest;     /* those in use, the newest first; linked by `older` */
  wend_map *spare;      /* arrays of ended versions, to be used again; linked by `older` */
  uint32_t kept;        /* how many have arrays that the map does not share, in use or spare */
  wend_map *of, *older; /* of: NULL: the map is gone */
  uint32_t users;       /* 0: it is no version */
  bool lost;
} wend_versions;

/* What the arrays of a map are for, as bits. */
enum {
  ARRAY_READ = 1,    /* searches read it: a frozen version shares it */
  ARRAY_EDITED = 2,  /* only edits and questions need it; a copy of the map has it too */
  ARRAY_OF_MAP = 4,  /* of this map alone: neither */
  ARRAY_CELLS = 8,   /* of a grid: the cells and their statistics */
  ARRAY_PLACES = 16, /* of a graph: packing makes new ones */
  ARRAY_PORTALS = 32,
  ARRAY_EDGES = 64, /* of a graph: it counts as memory of edges */
  ARRAY_ANY = ARRAY_READ | ARRAY_EDITED | ARRAY_OF_MAP | ARRAY_EDGES
};

/* What graphs and grids do each in their way when a map is copied, frozen, counted or freed: that of parts that are no arrays. */
typedef struct wend_map_kind {
  const wend_arrays *arrays;
  size_t bytes, fit_at; /* of the struct; and where in it the pointer to a wend_fit is, 0: there is none */
  /* Before a copy: brings up to date what is computed later. NO_MEMORY. */
  wend_status (*settle)(wend_map *map);
  /* The bytes of a struct were copied: forgets the parts. */
  void (*strip)(wend_map *copy);
  /* Copies those that copies of maps have. False: no memory. */
  bool (*copy)(wend_map *to, const wend_map *from);
  /* Frees the parts. */
  void (*free)(wend_map *map);
  /* Adds their memory, in bytes: of a graph that of its edges, and the rest. */
  void (*count)(const wend_map *map, size_t *edges, size_t *rest);
} wend_map_kind;

struct wend_map {
  wend_alloc alloc; /* of the map and all its arrays */
  bool is_grid;
  const wend_map_kind *kind;
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
  bool shared;             /* its newest version and the map have the same arrays */
  wend_versions versions;
};

/* The rows of both kinds of maps. type: wend_grid, wend_graph; bits: of the statistics */
#define MAP_ARRAYS(type, bits)                                                          \
  WEND_ARRAY(type, map.ratios.table, map.ratios.capacity, ARRAY_READ | (bits)),         \
      WEND_ARRAY(type, map.ratios.tags, map.ratios.tags_capacity, ARRAY_READ | (bits)), \
      WEND_ARRAY(type, map.journal.changes, map.journal.capacity, ARRAY_OF_MAP)

/* Adds to an overlay the names of tags that its base has and it has not. NO_MEMORY. */
wend_status wend_map_copy_tags(wend_map *map, const wend_map *base);
/* Forgets the names of tags after the first `count`, also in the bases of an overlay. Nothing may have these tags, or have read
 * their names. */
void wend_map_forget_tags(wend_map *map, uint32_t count);

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
static inline void wend_map_note_only(wend_map *map, uint32_t change, uint32_t place_count) {
  wend_note_change(&map->journal, &map->alloc, change, place_count);
}
/* Notes that everything may have changed. */
static inline void wend_map_note_all(wend_map *map) { wend_note_all(&map->journal); }

/* ---- Copies and frozen versions: clone.c ---------------------------------------------------------------------
 *
 * A frozen version is a map as it was: a struct of its own, which shares the arrays of the map until the map is edited. Searches in
 * slices read it, with pointers into its arrays. Before an edit the map gets copies of the arrays, and the version keeps the old
 * ones: so a search never notices an edit.
 *
 *     freeze                map ----.                  One more freeze before the edit gives the same version, with two users.
 *                                    arrays            While one is in use, nothing is copied but before the first edit.
 *                           version -'
 *     edit                  map ------ copies          The next freeze gives another version.
 *                           version -- arrays
 *     the last user thaws   map ------ copies          The next edit that must copy uses their memory again.
 *                           spare ---- arrays
 *
 * A version has what searches read: cells and their kinds, walls, portals; nodes, edges, positions, tags, widths; the statistics; the
 * prepared tables, whose big arrays are copied only if an edit changes them; and the number of tags. It has the serial number and the
 * version of the map. Its journal ends where that of the map did, and can be read back until the map is edited. It has no names, no
 * radii of nodes and no stamps of edits, and it is no overlay. Its indexes of nearest things are its own. */

/* A map keeps the memory of so many versions that have ended, together with those in use. */
#define VERSIONS_KEPT 2u

/* Whether it is a version. */
static inline bool wend_map_is_version(const wend_map *map) { return map->versions.users > 0; }
/* Whether a version is as the map is now. */
static inline bool wend_map_is_present(const wend_map *version) { return version->shared; }
/* Whether a version has lost its arrays, because there was no memory for copies and the edit could not fail. Nothing of them may be
 * read any more: its searches end with NO_MEMORY. */
static inline bool wend_map_is_lost(const wend_map *version) { return version->versions.lost; }

/* Before anything that a version shares is written: gives the map arrays of its own. False: no memory, and nothing has changed. */
bool wend_map_unshare(wend_map *map);
static inline bool wend_map_can_edit(wend_map *map) { return !map->shared || wend_map_unshare(map); }
/* The same for an edit that cannot fail. Without memory the version is lost. */
void wend_map_must_edit(wend_map *map);

/* A map becomes what a copy of another one is, and gives that what it was. It keeps its identity: its serial number, its journal and
 * what it is an overlay of; its versions go on. It is not shared. */
void wend_map_take(wend_map *map, wend_map *copy);

/* Gives the changes since the cursor up to what a map, or a version of it, is, and moves the cursor there: wend_read_changes. The
 * changes before a version can be read as long as the journal of its map has them. */
static inline bool wend_read_changes_of(const wend_map *map, uint64_t *cursor, wend_changes *changes) {
  const wend_journal *journal = map->versions.of != NULL ? &map->versions.of->journal : &map->journal;
  changes->journal = journal;
  changes->at = *cursor;
  changes->end = *cursor = map->journal.end;
  return changes->at >= journal->first && journal->end - changes->at <= journal->capacity;
}

/* The memory of a map and of its versions, in bytes: of a graph that of its edges, and the rest. */
void wend_map_memory(const wend_map *map, size_t *edges, size_t *rest);

#endif
