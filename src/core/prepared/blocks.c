/* SPDX-License-Identifier: MIT */
/* Makes the dead ends of a map (dead_ends.h) from its biconnected components, by the algorithm of J. Hopcroft and R. Tarjan
 * ("Algorithm 447: efficient algorithms for graph manipulation", 1973), with a stack of its own in place of recursion.
 *
 * A block is a biconnected component without the one place that it shares with its parent. The steps:
 *
 *   1  a depth-first visit of each component of the map numbers the places, and finds its blocks     visit_component
 *   2  the largest block of the component becomes the root of its tree; it is core                   root_at_largest
 *   3  the blocks are numbered again, parents before children. Short chains become one part          number_blocks
 *   4  the parts of all places                                                                       make_parts
 *
 * During step 1, part_of[place] is 0 before the visit; then the number of the visit; and at the end FINISHED + the block. A place
 * next to the visited one with a finished block was visited from here, so it tells nothing new.
 *
 * A corridor of a maze is a chain of blocks of one cell each. One part of up to CHAIN_MAX places in their place takes less memory,
 * and a search passes it in one step of the tree. */
#include <string.h>

#include "core/prepared/dead_ends.h"

WEND_NO_FUSING

#define FINISHED 0x80000000u
/* The most places of a chain. A search that ends in a chain may visit all of it. */
#define CHAIN_MAX 16u
/* Dead ends are kept if they hold at least one of so many places. With fewer, looking for them costs more than it saves. */
#define SHARE_MIN 20u
/* Larger grids do without: the visit takes some 25 bytes for each cell, and cannot be paused. */
#define GRID_PLACES_MAX 0x110000u

typedef struct cut_block {
  uint32_t attached; /* the place that it shares with its parent; WEND_NONE: a root */
  uint32_t size;     /* in places */
  uint32_t first;    /* the first child; 0: none. Before number_blocks: not set */
  uint32_t next;     /* the next child of the parent */
  uint32_t number;   /* of the part */
} cut_block;

/* A place that is being visited. */
typedef struct visit_frame {
  uint32_t place, cursor;
  uint32_t low; /* the least number of a place next to it, or next to a place that was visited from it */
} visit_frame;

typedef struct builder {
  const wend_map *map;
  const wend_alloc *alloc;
  wend_region region;
  wend_dead_ends *ends;
  cut_block *blocks; /* from 1 on; 0 is the core */
  visit_frame *frames;
  uint32_t *waiting; /* visited places that have no block yet */
  uint32_t blocks_capacity, frames_capacity, waiting_capacity;
  uint32_t block_count, depth, height, visited;
} builder;

/* Begins the visit of a place. False: no memory. */
static bool enter(builder *b, uint32_t place) {
  visit_frame *f;
  if (!WEND_GROW(b->alloc, b->frames, b->frames_capacity, (uint64_t)b->depth + 1) ||
      !WEND_GROW(b->alloc, b->waiting, b->waiting_capacity, (uint64_t)b->height + 1))
    return false;
  f = &b->frames[b->depth++];
  f->place = place, f->cursor = 0;
  f->low = b->ends->part_of[place] = ++b->visited;
  b->waiting[b->height++] = place;
  return true;
}

/* Ends the visit of the place on top. If nothing that was visited from it leads past the place below, all of that is a block.
 * False: no memory. */
static bool leave(builder *b) {
  const visit_frame done = b->frames[--b->depth];
  uint32_t *part_of = b->ends->part_of, place;
  visit_frame *below;
  cut_block *made;
  if (b->depth == 0) return true;
  below = &b->frames[b->depth - 1];
  if (done.low < part_of[below->place]) {
    if (done.low < below->low) below->low = done.low;
    return true;
  }
  if (!WEND_GROW(b->alloc, b->blocks, b->blocks_capacity, (uint64_t)b->block_count + 1)) return false;
  made = &b->blocks[b->block_count];
  memset(made, 0, sizeof *made);
  made->attached = below->place;
  do {
    place = b->waiting[--b->height];
    part_of[place] = FINISHED | b->block_count;
    made->size++;
  } while (place != done.place);
  b->block_count++;
  return true;
}

/* 1. Visits the component of a place. False: no memory. */
static bool visit_component(builder *b, uint32_t root) {
  const uint32_t *part_of = b->ends->part_of;
  if (!enter(b, root)) return false;
  while (b->depth > 0) {
    visit_frame *top = &b->frames[b->depth - 1];
    const uint32_t to = wend_next_beside(b->map, &b->region, top->place, &top->cursor);
    if (to == WEND_NONE) {
      if (!leave(b)) return false;
    } else if (part_of[to] == 0) {
      if (!enter(b, to)) return false;
    } else if (part_of[to] < top->low) { /* finished ones are greater */
      top->low = part_of[to];
    }
  }
  b->height = 0; /* the root remains */
  return true;
}

/* 2. The tree of the blocks from `first` on hangs at the place `root`. Turns it around, so that it hangs at the largest block: the
 * blocks on the way between exchange parent and child.
 *
 *        before    root - B2 - c2 - B1 - c1 - L        L is attached at c1, which is in B1; B1 at c2, which is in B2; B2 at root
 *        after     L - c1 - B1 - c2 - B2 - root        B1 is attached at c1, which is in L; B2 at c2, which is in B1 */
static void root_at_largest(builder *b, uint32_t root, uint32_t first) {
  uint32_t *part_of = b->ends->part_of, largest = first, before, place;
  if (first == b->block_count) { /* no step leads from the root */
    part_of[root] = FINISHED;
    return;
  }
  for (uint32_t k = first + 1; k < b->block_count; k++)
    if (b->blocks[k].size > b->blocks[largest].size) largest = k;
  before = largest;
  place = b->blocks[largest].attached;
  b->blocks[largest].attached = WEND_NONE;
  while (place != root) {
    const uint32_t turned = part_of[place] & ~FINISHED, next = b->blocks[turned].attached;
    part_of[place] = FINISHED | before;
    b->blocks[turned].attached = place;
    before = turned;
    place = next;
  }
  part_of[root] = FINISHED | before;
}

static uint32_t parent_of(const builder *b, uint32_t k) { return b->ends->part_of[b->blocks[k].attached] & ~FINISHED; }

/* The number of the part of a block whose parent has its number. sizes: by part, in places. */
static uint32_t part_number(const builder *b, uint32_t k, uint32_t *sizes, uint32_t *count) {
  const cut_block *one = &b->blocks[k], *parent = &b->blocks[parent_of(b, k)];
  const bool only = parent->first == k && one->next == 0;
  if (parent->number > 0 && only && sizes[parent->number] + one->size <= CHAIN_MAX) {
    sizes[parent->number] += one->size;
    return parent->number;
  }
  sizes[*count] = one->size;
  return (*count)++;
}

/* 3. Numbers the blocks: a parent before its children, and what is behind each child before the next child. False: no memory. */
static bool number_blocks(builder *b) {
  uint32_t *sizes = NULL, capacity = 0, count = 1;
  if (!WEND_RESIZE(b->alloc, sizes, capacity, b->block_count)) return false;
  for (uint32_t k = 1; k < b->block_count; k++) b->blocks[k].first = b->blocks[k].next = 0;
  for (uint32_t k = b->block_count - 1; k >= 1; k--) {
    cut_block *one = &b->blocks[k], *parent;
    if (one->attached == WEND_NONE) continue;
    parent = &b->blocks[parent_of(b, k)];
    one->next = parent->first;
    parent->first = k;
  }
  for (uint32_t root = 1; root < b->block_count; root++) {
    uint32_t k = root;
    if (b->blocks[root].attached != WEND_NONE) continue;
    b->blocks[root].number = 0;
    for (;;) {
      if (b->blocks[k].first != 0) {
        k = b->blocks[k].first;
      } else {
        while (k != root && b->blocks[k].next == 0) k = parent_of(b, k);
        if (k == root) break;
        k = b->blocks[k].next;
      }
      b->blocks[k].number = part_number(b, k, sizes, &count);
    }
  }
  WEND_FREE(b->alloc, sizes, capacity);
  b->ends->part_count = count;
  return true;
}

/* 4. Sets the part of each place, and the parts. False: no memory. */
static bool make_parts(builder *b) {
  wend_dead_ends *ends = b->ends;
  if (!WEND_RESIZE(b->alloc, ends->parts, ends->parts_capacity, ends->part_count)) return false;
  ends->parts[0].attached = WEND_NONE;
  ends->parts[0].parent = 0;
  for (uint32_t k = b->block_count - 1; k >= 1; k--) {
    const cut_block *one = &b->blocks[k];
    const uint32_t parent = one->attached == WEND_NONE ? 0 : b->blocks[parent_of(b, k)].number;
    if (one->number == 0 || parent == one->number) continue; /* core; not the first block of a chain */
    ends->parts[one->number].attached = one->attached;
    ends->parts[one->number].parent = parent;
  }
  for (uint32_t place = 0; place < ends->place_count; place++) {
    const uint32_t k = ends->part_of[place] & ~FINISHED;
    if (ends->part_of[place] == 0) continue; /* absent */
    ends->part_of[place] = k == 0 ? 0 : b->blocks[k].number;
    ends->present++;
    if (ends->part_of[place] > 0) ends->left_out++;
  }
  return true;
}

/* All steps. False: no memory. */
static bool build_parts(builder *b) {
  wend_dead_ends *ends = b->ends;
  const uint32_t places =
      b->map->is_grid ? ((const wend_grid *)b->map)->place_count : ((const wend_graph *)b->map)->place_count;
  if (!wend_dead_ends_grow(ends, b->alloc, places) || !WEND_GROW(b->alloc, b->blocks, b->blocks_capacity, 1)) return false;
  memset(b->blocks, 0, sizeof *b->blocks);
  b->block_count = 1;
  for (uint32_t place = 0; place < places; place++) {
    const uint32_t first = b->block_count;
    if (ends->part_of[place] != 0 || !wend_is_present(b->map, &b->region, place)) continue;
    if (!visit_component(b, place)) return false;
    root_at_largest(b, place, first);
  }
  return number_blocks(b) && make_parts(b);
}

/* The cells of a column of three that are present, from the north: 1, 2, 4. */
static unsigned present_column(const wend_map *map, const wend_region *region, uint32_t place) {
  return (unsigned)wend_is_present(map, region, place - region->stride) | (unsigned)wend_is_present(map, region, place) << 1 |
         (unsigned)wend_is_present(map, region, place + region->stride) << 2;
}

/* Whether a grid may have dead ends. Without walls and links it has none if around each cell the cells that are present follow one
 * another: then straight steps lead from each of them to each other one, past the cell. */
static bool may_have_ends(const wend_grid *grid) {
  const wend_region region = wend_whole_map(&grid->map);
  if (grid->wall_count > 0 || grid->live_portals > 0) return true;
  for (uint32_t y = 1; y <= grid->height; y++) {
    uint32_t place = y * grid->stride + 1;
    unsigned west = 0, own = present_column(&grid->map, &region, place);
    for (uint32_t x = 0; x < grid->width; x++, place++) {
      const unsigned east = x + 1 < grid->width ? present_column(&grid->map, &region, place + 1) : 0;
      const unsigned around =
          (own & 1) | (east & 7) << 1 | (own & 4) << 2 | (west & 4) << 3 | (west & 2) << 5 | (west & 1) << 7;
      if ((own & 2) != 0 && wend_count_bits(around & ~(around << 1 | around >> 7)) > 1) return true;
      west = own, own = east;
    }
  }
  return false;
}

/* Whether dead ends are looked for. */
static bool is_worth_a_visit(const wend_map *map) {
  const wend_grid *grid = (const wend_grid *)map;
  if (!map->is_grid) return ((const wend_graph *)map)->place_count < FINISHED - 1;
  return grid->place_count <= GRID_PLACES_MAX && may_have_ends(grid);
}

bool wend_dead_ends_make(const wend_map *map, wend_dead_ends **made) {
  builder b;
  bool done;
  *made = NULL;
  memset(&b, 0, sizeof b);
  if (!is_worth_a_visit(map)) return true;
  b.map = map;
  b.alloc = &map->alloc;
  b.region = wend_whole_map(map);
  b.ends = wend_new_part(&map->alloc, sizeof *b.ends);
  if (b.ends == NULL) return false;
  b.ends->stamp = wend_map_new_serial();
  b.ends->noted = map->journal.end;
  done = build_parts(&b);
  WEND_FREE(b.alloc, b.blocks, b.blocks_capacity);
  WEND_FREE(b.alloc, b.frames, b.frames_capacity);
  WEND_FREE(b.alloc, b.waiting, b.waiting_capacity);
  if (!done || (uint64_t)b.ends->left_out * SHARE_MIN < b.ends->present || b.ends->left_out == 0)
    wend_dead_ends_free(b.ends, b.alloc);
  else *made = b.ends;
  return done;
}

bool wend_dead_ends_renew(wend_map *map) {
  wend_dead_ends *made;
  if (!wend_dead_ends_make(map, &made)) return false;
  wend_dead_ends_free(map->ends, &map->alloc);
  map->ends = made;
  return true;
}
