/* SPDX-License-Identifier: MIT */
/* Names: a map between texts and numbers, in both directions. Texts may contain any bytes. */
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

void wend_names_free(wend_names *names, const wend_alloc *alloc);
size_t wend_names_bytes(const wend_names *names);
/* The number of a text; WEND_NONE: it has none. */
uint32_t wend_names_find(const wend_names *names, const char *text, size_t length);
/* The text of a number, which ends in a zero byte; NULL: it has none. */
const char *wend_names_text(const wend_names *names, uint32_t number, size_t *length);
/* Sets the text of a number. The text must have no number yet. False: no memory, and nothing has changed. */
bool wend_names_set(wend_names *names, const wend_alloc *alloc, uint32_t number, const char *text, size_t length);
/* Removes the text of a number, if it has one. */
void wend_names_remove(wend_names *names, const wend_alloc *alloc, uint32_t number);

#endif
