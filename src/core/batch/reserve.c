/* SPDX-License-Identifier: MIT */
/* Reserves of memory. Invariant: each part lies in a block, at a multiple of 16 bytes from its beginning, and has the size that
 * its number of the list of sizes stands for. */
#include "core/batch/reserve.h"

#include <string.h>

#include "core/base/bits.h"

#define BLOCK_HEAD 64u /* before the parts of a block: reserve_block */
#define LEAST_PART 64u

typedef struct reserve_block {
  void *before;
  size_t bytes;
} reserve_block;

/* The number of the size of a part for so many bytes. *size: that size. For example 70 bytes: 69 is 4 x 16 + 5, so the size is
 * (4 + 1) x 16. */
static unsigned size_number(size_t bytes, size_t *size) {
  const size_t last = (bytes > LEAST_PART ? bytes : LEAST_PART) - 1;
  const unsigned shift = wend_highest_bit(last) - 2;
  *size = ((last >> shift) + 1) << shift;
  return shift * 4 + (unsigned)(last >> shift) - 4;
}

static void *take_part(wend_reserve *reserve, size_t bytes) {
  size_t size;
  const unsigned number = size_number(bytes, &size);
  void *part = reserve->spare[number];
  if (part != NULL) return memcpy(&reserve->spare[number], part, sizeof part), part;
  if (size > reserve->left) return reserve->failed = true, NULL;
  part = reserve->at;
  reserve->at += size, reserve->left -= size;
  return part;
}

static void *resize_part(void *ud, void *part, size_t old_bytes, size_t new_bytes) {
  wend_reserve *reserve = ud;
  size_t old_size = 0, new_size = 0;
  const unsigned old_number = size_number(old_bytes, &old_size);
  void *moved = NULL;
  if (new_bytes > SIZE_MAX / 2) return reserve->failed = true, NULL;
  if (part == NULL) return new_bytes == 0 ? NULL : take_part(reserve, new_bytes);
  if (new_bytes > 0) {
    if (size_number(new_bytes, &new_size) == old_number) return part;
    moved = take_part(reserve, new_bytes);
    if (moved == NULL) return new_bytes < old_bytes ? part : NULL; /* a part that shrinks may stay */
    memcpy(moved, part, old_bytes < new_bytes ? old_bytes : new_bytes);
  }
  memcpy(part, &reserve->spare[old_number], sizeof part);
  reserve->spare[old_number] = part;
  return moved;
}

wend_alloc wend_reserve_alloc(wend_reserve *reserve) { return (wend_alloc){resize_part, reserve}; }

bool wend_reserve_add(wend_reserve *reserve, size_t bytes) {
  reserve_block head = {reserve->blocks, BLOCK_HEAD + bytes};
  void *block = bytes > SIZE_MAX / 2 ? NULL : reserve->alloc.resize(reserve->alloc.ud, NULL, 0, head.bytes);
  if (block == NULL) return false;
  memcpy(block, &head, sizeof head);
  reserve->blocks = block;
  reserve->at = (char *)block + BLOCK_HEAD;
  reserve->left = bytes;
  reserve->bytes += bytes;
  reserve->failed = false;
  return true;
}

void wend_reserve_free(wend_reserve *reserve) {
  while (reserve->blocks != NULL) {
    reserve_block head;
    memcpy(&head, reserve->blocks, sizeof head);
    reserve->alloc.resize(reserve->alloc.ud, reserve->blocks, head.bytes, 0);
    reserve->blocks = head.before;
  }
}
