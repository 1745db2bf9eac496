/* SPDX-License-Identifier: MIT */
/* What the files of surfaces share. `chunks` keeps the blocks, `places` finds where a walker can stand, `links` what steps lead
 * from there, `refresh` brings the graph up to date after an edit, and `surface` has the functions of wend.h.
 *
 * Inside, a block has coordinates a, b and h: two along the ground and the height. Blocks are kept in chunks of 16 x 16 x 16. What
 * is computed for a column of a chunk is a word with a bit for each of its 16 blocks. Bit h of `place` says that a walker can have
 * its feet in block h. The nodes of the places of a chunk are a list, by column and then by height:
 *
 *     column   place (bits 3 2 1 0)   before   nodes
 *     0        0 0 1 0                0        20          block 1 of column 0
 *     1        1 0 0 1                1        21 22       blocks 0 and 3 of column 1
 *     2        0 0 0 1                3        23          block 0 of column 2
 */
#ifndef WEND_SURFACE_DATA_H
#define WEND_SURFACE_DATA_H

#include "core/base/bits.h"
#include "core/base/keys.h"
#include "core/map/graph_store.h"

#define CHUNK_SIDE 16
#define CHUNK_COLUMNS 256
#define CHUNK_BLOCKS 4096
#define SURFACE_CLASSES_MAX 256
#define BLOCK_IDS 65536

/* What blocks of a class are for the walkers of a surface. */
#define BLOCK_OPEN 1u   /* there is room for a part of the body */
#define BLOCK_FLOOR 2u  /* feet can be in the block above */
#define BLOCK_HOLD 4u   /* feet can be in it without a floor */
#define BLOCK_COUNTS 8u /* its tag and cost count if feet are in it; otherwise those of the block below */

typedef struct surface_class {
  wend_block_kind kind;
  uint32_t tag;
  double cost;
} surface_class;

/* Blocks lo .. hi, both included. */
typedef struct surface_box {
  int32_t lo[3], hi[3];
} surface_box;

typedef struct surface_chunk {
  int32_t at[3];    /* a, b and h of its first block, divided by 16 */
  uint8_t *classes; /* of the blocks, by column and then by height; NULL: all are `fill` */
  uint8_t fill;
  uint32_t count; /* of places */
  uint16_t open[CHUNK_COLUMNS], place[CHUNK_COLUMNS], before[CHUNK_COLUMNS];
  wend_id *nodes;  /* WEND_NO_ID: not made yet */
  uint8_t *ground; /* the class whose tag and cost count */
  uint32_t capacity;
} surface_chunk;

/* A column, as steps see it: bits 0 .. 15 are the chunk below, 16 .. 31 the chunk itself, 32 .. 47 the one above. */
typedef struct surface_window {
  uint64_t open, place;
} surface_window;

/* A chunk and its neighbours, and windows of the columns that steps from it can touch. */
typedef struct surface_view {
  surface_chunk *near[27]; /* by a, b and h: itself is 13 */
  surface_window *windows;
  uint32_t capacity;
  int32_t reach, side; /* how many columns a step reaches; the windows in a row */
} surface_view;

/* A step that leads from a place to another one. */
typedef struct surface_link {
  int32_t to[3]; /* a and b as the difference, and the bit in the window */
  wend_id node;
  double weight; /* or WEND_MEASURED */
  uint32_t tag;
  bool both; /* the way back is the same */
} surface_link;
#define LINKS_MAX 64 /* 2 for each of 8 neighbours, 2 in the column, and 8 jumps in each of 4 directions are 50 */

struct wend_surface {
  wend_alloc alloc;
  wend_graph *graph;
  wend_surface_opts opts;
  int axis[3]; /* of the world, for a, b and h */
  uint32_t jump_tag, drop_tag;
  uint8_t class_of[BLOCK_IDS]; /* by block id; 0: unknown */
  uint8_t flags[SURFACE_CLASSES_MAX];
  surface_class classes[SURFACE_CLASSES_MAX]; /* item 0: blocks that are not loaded */
  uint32_t class_count;
  wend_keys keys;         /* of chunks */
  surface_chunk **chunks; /* by number of the key; NULL: it has no blocks any more */
  uint32_t chunks_capacity, vacant;
  bool unfinished;   /* the graph lacks what `rest` says: memory ran out */
  surface_box rest;  /* where blocks have changed */
  surface_view view; /* of the chunk that is looked at */
  wend_id *fresh;    /* nodes of a chunk that is made anew: CHUNK_BLOCKS items */
  uint8_t *fresh_ground;
  double *points; /* of nodes that are added */
  uint32_t points_capacity;
  wend_edge_spec *specs; /* edges that are added */
  uint32_t spec_count, specs_capacity;
};

/* ---- chunks.c */
/* The chunk with these coordinates, divided by 16. NULL: there is none. */
surface_chunk *wend_surface_chunk(const wend_surface *s, int32_t a, int32_t b, int32_t h);
/* The same, made if there is none. NULL: no memory. */
surface_chunk *wend_surface_make_chunk(wend_surface *s, const int32_t *at);
void wend_surface_free_chunk(const wend_surface *s, surface_chunk *chunk);
/* Gives a chunk an array of its blocks. False: no memory. Frees the array again if all blocks are equal. */
bool wend_surface_spread(const wend_surface *s, surface_chunk *chunk);
void wend_surface_collapse(const wend_surface *s, surface_chunk *chunk);
/* Walks over the chunks that a box touches. */
typedef struct surface_walk {
  surface_box box; /* in chunks */
  int32_t at[3];
  uint32_t next;
  bool listed; /* the box is larger than the list of all chunks */
} surface_walk;
surface_walk wend_surface_begin_walk(const wend_surface *s, const surface_box *box);
surface_chunk *wend_surface_next_chunk(const wend_surface *s, surface_walk *walk); /* NULL: there are no more */
/* Goes on to the next coordinates, whether there is a chunk or not. False: there are no more. */
bool wend_surface_advance(surface_walk *walk);
/* The part of a box in a chunk, by its own coordinates 0 .. 15. */
surface_box wend_surface_part(const surface_chunk *chunk, const surface_box *box);
/* Frees the chunks in a box that have neither blocks nor places. */
void wend_surface_drop_empty(wend_surface *s, const surface_box *box);

/* The chunk that a block is in: rounded down. */
static inline int32_t wend_surface_chunk_of(int32_t block) {
  return (block >= 0 ? block : block - CHUNK_SIDE + 1) / CHUNK_SIDE;
}
static inline uint32_t wend_surface_column(int32_t a, int32_t b) { return (uint32_t)(b & 15) << 4 | (uint32_t)(a & 15); }
/* The class of a block. */
static inline uint8_t wend_surface_class_at(const surface_chunk *chunk, uint32_t column, uint32_t h) {
  return chunk->classes == NULL ? chunk->fill : chunk->classes[column * CHUNK_SIDE + h];
}
/* The index of a place in the list of nodes. */
static inline uint32_t wend_surface_index(const surface_chunk *chunk, uint32_t column, uint32_t h) {
  return chunk->before[column] + wend_count_bits(chunk->place[column] & ((1u << h) - 1));
}

/* ---- places.c */
/* Finds the places of the columns of a chunk in a box: nodes of places that have gone are removed, new ones have WEND_NO_ID.
 * NO_MEMORY: some are removed; the call can be repeated. */
wend_status wend_surface_find_places(wend_surface *s, surface_chunk *chunk, const surface_box *box);
/* Computes where the columns of a chunk in a box are open. */
void wend_surface_find_room(wend_surface *s, surface_chunk *chunk, const surface_box *box);

/* ---- links.c */
/* Looks at a chunk: for steps from its columns in `part`, which has its own coordinates. False: no memory. */
bool wend_surface_look(wend_surface *s, surface_chunk *chunk, const surface_box *part);
/* Writes the steps from a place of that chunk. Returns how many they are. */
uint32_t wend_surface_links(const wend_surface *s, int32_t a, int32_t b, int32_t h, surface_link *links);

/* ---- refresh.c */
/* Makes the graph as the blocks are now. changed: where blocks have changed since the last call; NULL: nowhere. NO_MEMORY: the
 * next call does the rest. */
wend_status wend_surface_refresh(wend_surface *s, const surface_box *changed);

#endif
