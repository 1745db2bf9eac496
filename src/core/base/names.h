/* SPDX-License-Identifier: MIT */
/* Names: texts and the numbers they stand for, both ways. Texts may hold any bytes. */
#ifndef WEND_NAMES_H
#define WEND_NAMES_H

#include "core/base/memory.h"

typedef struct wend_name {
  char *text; /* NULL: no text has this number */
  size_t length;
} wend_name;

/*  names[number] -> text            table: open addressing, linear probing; a cell holds a number or WEND_NONE  */
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
/* The number of a text, WEND_NONE: it has none. */
uint32_t wend_names_find(const wend_names *names, const char *text, size_t length);
/* The text of a number, NULL: it has none. */
const char *wend_names_text(const wend_names *names, uint32_t number, size_t *length);
/* Gives a text that has no number the number, in place of what text the number had. False: no memory. */
bool wend_names_set(wend_names *names, const wend_alloc *alloc, uint32_t number, const char *text, size_t length);
/* Takes the text of a number away, if it has one. */
void wend_names_remove(wend_names *names, const wend_alloc *alloc, uint32_t number);

#endif
