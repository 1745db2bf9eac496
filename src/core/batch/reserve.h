/* SPDX-License-Identifier: MIT */
/* A reserve of memory: an allocator that hands out parts of blocks which it got before. A thread that may not call the allocator
 * of its host uses one. When the reserve is used up, a request fails, and `failed` is set.
 *
 * A part has one of the sizes 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, ... bytes: four for each power of two. So at most a
 * fifth of it is lost. What is freed goes into a list of parts of its size, and is handed out again. */
#ifndef WEND_RESERVE_H
#define WEND_RESERVE_H

#include "core/base/memory.h"

#define RESERVE_SIZES 256

typedef struct wend_reserve {
  wend_alloc alloc;           /* of the blocks: only wend_reserve_add and wend_reserve_free use it */
  void *blocks;               /* the block that was added last; each begins with the address and the size of the one before */
  char *at;                   /* in that block: what was never handed out */
  size_t left;                /* how much that is */
  size_t bytes;               /* of all blocks */
  bool failed;                /* a request has failed since wend_reserve_add */
  void *spare[RESERVE_SIZES]; /* by size: the part that was freed last, which begins with the address of the one before */
} wend_reserve;

/* Adds a block of so many bytes. False: no memory. */
bool wend_reserve_add(wend_reserve *reserve, size_t bytes);
/* Frees all blocks, with what is in them. */
void wend_reserve_free(wend_reserve *reserve);
/* The reserve as an allocator. */
wend_alloc wend_reserve_alloc(wend_reserve *reserve);

#endif
