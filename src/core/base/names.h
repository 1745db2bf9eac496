/* SPDX-License-Identifier: MIT */
/* Names: a map between texts and numbers, in both directions. Each text has one number, each number at most one text. Texts may
 * contain any bytes, also zeros. An example with three names:
 *
 *   names   by number     0 "gate"   1 (none)   2 "well"   3 "mill"
 *   table   by hash       cell 3: 0   cell 4: 2   cell 15: 3   the other 13 of 16 cells are empty
 *
 * "gate" and "well" both hash to cell 3. "well" came later, so it is in the next empty cell: linear probing. */
#ifndef WEND_NAMES_H
#define WEND_NAMES_H

#include "core/base/memory.h"

typedef struct wend_name {
  char *text; /* NULL: no text has this number */
  size_t length;
} wend_name;

/*   names   by number: the text
 *   table   from texts to numbers: a hash table with open addressing and linear probing; a cell is a number or WEND_NONE */
typedef struct wend_names {
  wend_name *names;
  uint32_t capacity;
  uint32_t *table;
  uint32_t table_capacity; /* a power of two, at least twice count; 0 at first */
  uint32_t count;
  size_t text_bytes;
} wend_names;

/* Frees all memory; there are no names afterwards. All calls for one object must use the same allocator. */
void wend_names_free(wend_names *names, const wend_alloc *alloc);
/* Gives an empty object the first `count` names of another one. False: no memory; it has some of them. */
bool wend_names_copy(wend_names *names, const wend_alloc *alloc, const wend_names *from, uint32_t count);
/* The memory held, in bytes, except the struct itself. */
size_t wend_names_bytes(const wend_names *names);
/* The number of a text of `length` bytes; WEND_NONE: it has none. */
uint32_t wend_names_find(const wend_names *names, const char *text, size_t length);
/* The text of a number, borrowed until its name changes. A zero byte follows it, which *length does not count. NULL: the number
 * has no text, and *length is not set. */
const char *wend_names_text(const wend_names *names, uint32_t number, size_t *length);
/* Copies a text and gives it to a number, in place of the number's old text. No number may have the text yet. False: no memory,
 * and no name has changed. */
bool wend_names_set(wend_names *names, const wend_alloc *alloc, uint32_t number, const char *text, size_t length);
/* Removes the text of a number, if it has one. */
void wend_names_remove(wend_names *names, const wend_alloc *alloc, uint32_t number);

#endif
