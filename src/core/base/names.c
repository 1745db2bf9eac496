/* SPDX-License-Identifier: MIT */
/* Names. names.h describes their tables.
 *
 * Invariants: the table has a cell for each number with a text. No cell between the hash cell of a text and the cell that it is
 * in is empty, so a search may stop at the first empty cell. At least half of all cells are empty, so a search stops soon. */
#include "core/base/names.h"

#include <string.h>

/* FNV-1a, by G. Fowler, L. Noll and K.-P. Vo (1991): http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint32_t hash(const char *text, size_t length) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
  return h ^ (h >> 15);
}

static const wend_array names_rows[] = {WEND_ARRAY(wend_names, names, capacity, 1),
                                        WEND_ARRAY(wend_names, table, table_capacity, 1)};
static const wend_arrays names_arrays = WEND_ARRAYS(names_rows);

void wend_names_free(wend_names *names, const wend_alloc *alloc) {
  for (uint32_t i = 0; i < names->capacity; i++)
    if (names->names[i].text != NULL) wend_free(alloc, names->names[i].text, names->names[i].length + 1, 1);
  wend_arrays_free(names_arrays, 1, alloc, names);
  memset(names, 0, sizeof *names);
}

size_t wend_names_bytes(const wend_names *names) { return wend_arrays_bytes(names_arrays, 1, names) + names->text_bytes; }

/* The cell of a text, or the empty cell where it would be inserted. The table is never full. */
static uint32_t cell_of(const wend_names *names, const char *text, size_t length) {
  uint32_t mask = names->table_capacity - 1, cell = hash(text, length) & mask;
  while (names->table[cell] != WEND_NONE) {
    const wend_name *name = &names->names[names->table[cell]];
    if (name->length == length && memcmp(name->text, text, length) == 0) break;
    cell = (cell + 1) & mask;
  }
  return cell;
}

uint32_t wend_names_find(const wend_names *names, const char *text, size_t length) {
  return names->table_capacity == 0 ? WEND_NONE : names->table[cell_of(names, text, length)];
}

/* Makes room for one more text: a table that would be more than half full is doubled, and all numbers are put into the new one.
 * False: no memory, and nothing has changed. */
static bool grow_table(wend_names *names, const wend_alloc *alloc) {
  uint32_t capacity = names->table_capacity == 0 ? 16 : names->table_capacity * 2, none = 0;
  uint32_t *table = NULL;
  if (names->table_capacity >= (names->count + 1) * 2) return true;
  if (!WEND_RESIZE(alloc, table, none, capacity)) return false;
  WEND_FREE(alloc, names->table, names->table_capacity);
  names->table = table;
  names->table_capacity = capacity;
  memset(table, 0xff, capacity * sizeof *table);
  for (uint32_t i = 0; i < names->capacity; i++)
    if (names->names[i].text != NULL) table[cell_of(names, names->names[i].text, names->names[i].length)] = i;
  return true;
}

bool wend_names_set(wend_names *names, const wend_alloc *alloc, uint32_t number, const char *text, size_t length) {
  uint32_t none = 0;
  char *copy = NULL;
  if (!grow_table(names, alloc)) return false;
  if (!WEND_GROW_CLEAR(alloc, names->names, names->capacity, (uint64_t)number + 1)) return false;
  if (!wend_resize(alloc, &copy, &none, (uint64_t)length + 1, 1)) return false;
  memcpy(copy, text, length);
  copy[length] = '\0';
  wend_names_remove(names, alloc, number);
  names->table[cell_of(names, text, length)] = number;
  names->names[number].text = copy;
  names->names[number].length = length;
  names->count++;
  names->text_bytes += length + 1;
  return true;
}

bool wend_names_copy(wend_names *names, const wend_alloc *alloc, const wend_names *from, uint32_t count) {
  for (uint32_t i = 0; i < from->capacity && i < count; i++) {
    const wend_name *name = &from->names[i];
    if (name->text != NULL && !wend_names_set(names, alloc, i, name->text, name->length)) return false;
  }
  return true;
}

void wend_names_remove(wend_names *names, const wend_alloc *alloc, uint32_t number) {
  wend_name *name;
  uint32_t mask = names->table_capacity - 1, hole, cell;
  if (number >= names->capacity || names->names[number].text == NULL) return;
  name = &names->names[number];
  hole = cell_of(names, name->text, name->length);
  /* The cell becomes a hole, and a search would stop there. So later cells of the row move into it, unless the hole is before
   * their hash cell: D. Knuth, "The Art of Computer Programming", volume 3, section 6.4, algorithm R. */
  for (cell = (hole + 1) & mask; names->table[cell] != WEND_NONE; cell = (cell + 1) & mask) {
    const wend_name *other = &names->names[names->table[cell]];
    uint32_t home = hash(other->text, other->length) & mask;
    if (((cell - home) & mask) >= ((cell - hole) & mask)) {
      names->table[hole] = names->table[cell];
      hole = cell;
    }
  }
  names->table[hole] = WEND_NONE;
  names->count--;
  names->text_bytes -= name->length + 1;
  wend_free(alloc, name->text, name->length + 1, 1);
  name->text = NULL;
  name->length = 0;
}

const char *wend_names_text(const wend_names *names, uint32_t number, size_t *length) {
  if (number >= names->capacity || names->names[number].text == NULL) return NULL;
  *length = names->names[number].length;
  return names->names[number].text;
}
