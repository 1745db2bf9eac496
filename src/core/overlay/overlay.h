/* SPDX-License-Identifier: MIT */
/* Overlays: changes of a map that only some searches see. An overlay holds the changes, a shadow is a copy of the map to which
 * they are applied, and a search looks at the shadow as at any other map.
 *
 *   overlay.c   the changes: a sparse list with a hash table
 *   mirror.c    makes a map equal to another one, or one place of it
 *   shadow.c    shadows: a small pool, kept up to date
 *   valid.c     whether the changes at a path are those of an earlier version of the overlay
 *
 * A change belongs to a cell, a wall, a node or an edge. Its key tells which one. For example, cell 7 is closed, then the
 * overlay is asked (it settles), then the cell is reset:
 *
 *                       now       settled   stamp   version of the overlay
 *   close               closed    -         0       0
 *   the next question   closed    closed    1       1
 *   reset               -         closed    1       1
 *   the next question   -         -         2       2        the record stays for a while: see `drop_dead`
 *
 * So changes that are made and undone between two questions cost nothing. */
#ifndef WEND_OVERLAY_H
#define WEND_OVERLAY_H

#include "core/map/graph_store.h"
#include "core/map/grid.h"

/* What a change does. Closed and open exclude each other. Of a wall, closed means that it is there. */
#define PATCH_CLOSED 1u
#define PATCH_OPEN 2u
#define PATCH_VALUE 4u /* a cell gets a weight and a tag; an edge gets a weight */

typedef struct wend_patch {
  double weight; /* of an edge; negative: its length */
  uint32_t tag;
  uint32_t what; /* 0: no change */
} wend_patch;

typedef struct wend_patch_record {
  uint64_t key;
  wend_patch now, settled;
  uint64_t stamp; /* the version of the overlay that changed `settled` last */
  uint64_t grave; /* the last one that did more than to close the place, or to end that */
  bool waits;     /* it is in the list of waiting records */
} wend_patch_record;

struct wend_overlay {
  wend_alloc alloc;
  const wend_map *map;            /* only compared, never dereferenced */
  uint32_t width, height, stride; /* of a grid; 0: a graph */
  uint64_t serial;                /* of this overlay alone: see wend_map_new_serial */
  uint64_t version;
  bool walled;        /* it has, or had, changes of walls */
  uint64_t dropped;   /* the version at which records were dropped last */
  uint64_t forgotten; /* the greatest `grave` of all records that were dropped */
  wend_patch_record *records;
  uint32_t capacity, count;
  uint32_t dead;   /* records that are settled and change nothing */
  uint32_t *table; /* by key: open addressing, linear probing; an index of `records`, or WEND_NONE */
  uint32_t table_capacity;
  uint32_t *waiting; /* records whose `now` may differ from `settled`; as much room as `records` has */
  uint32_t waiting_capacity, waiting_count;
};

/* Keys: the kind in the upper bits. Ids are below 2^53. A wall has the key of the cell from which its direction is EAST or one of
 * those after it. */
typedef enum wend_patched { PATCHED_CELL, PATCHED_WALL, PATCHED_NODE, PATCHED_EDGE } wend_patched;
#define PATCHED_SHIFT 60
static inline uint64_t wend_key_of_cell(uint32_t place) { return place; }
static inline uint64_t wend_key_of_node(wend_id node) { return (uint64_t)PATCHED_NODE << PATCHED_SHIFT | node; }
static inline uint64_t wend_key_of_edge(wend_id edge) { return (uint64_t)PATCHED_EDGE << PATCHED_SHIFT | edge; }
static inline uint64_t wend_key_of_wall(uint32_t stride, uint32_t place, int direction) {
  if (direction < EAST) place = (uint32_t)(place + wend_offset(stride, direction)), direction = 7 - direction;
  return (uint64_t)PATCHED_WALL << PATCHED_SHIFT | (uint64_t)place << 3 | (uint32_t)direction;
}
static inline wend_patched wend_key_kind(uint64_t key) { return (wend_patched)(key >> PATCHED_SHIFT); }
static inline uint64_t wend_key_rest(uint64_t key) { return key & (((uint64_t)1 << PATCHED_SHIFT) - 1); }

/* The record of a key; NULL: there is none. */
const wend_patch_record *wend_overlay_find(const wend_overlay *overlay, uint64_t key);
/* The place of a cell, and the key of a cell or node that an overlay of this map can have. */
uint32_t wend_overlay_place(const wend_overlay *overlay, wend_id cell);
uint64_t wend_overlay_key(const wend_overlay *overlay, wend_id at);
/* Makes all changes count: gives those since the last call a new version. */
void wend_overlay_settle(wend_overlay *overlay);

#endif
