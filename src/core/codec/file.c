/* SPDX-License-Identifier: MIT */
/* Headers, sections and checksums of files. file.h describes them.
 *
 * An example: a grid of 2 x 1 cells, the first open with weight 1, the second closed. 100 bytes:
 *
 *   at 0    57 45 4e 44  52  02  00 00  64 00 00 00 00 00 00 00       "WEND", kind 'R', version 2, 0, size 100
 *   at 16   47 52 49 44  0c 00 00 00 00 00 00 00                      "GRID", length 12
 *           02 00 00 00  01 00 00 00  00  00  00 00                   width 2, height 1, diagonals 0, flags 0, 0
 *           d0 c0 b1 2c                                               checksum of the 24 bytes from 16 on
 *   at 44   4b 49 4e 44  14 00 00 00 00 00 00 00                      "KIND", length 20: two kinds of 10 bytes
 *           00 00 00 00 00 00 f0 3f  00 00                            weight 1, no tag
 *           00 00 00 00 00 00 f0 7f  00 00                            weight infinity, no tag
 *           d4 c2 d8 35                                               checksum
 *   at 80   43 45 4c 4c  04 00 00 00 00 00 00 00                      "CELL", length 4: two cells of 2 bytes
 *           00 00  01 00                                              kinds 0 and 1
 *           19 88 17 44                                               checksum
 *
 * Lengths are not known when a section begins. So zeros are written first, and wend_file_end_section writes the length over
 * them; wend_file_end does the same with the size of the file. */
#include "core/codec/file.h"

#include "core/base/bits.h"
#include "core/base/crc.h"

WEND_NO_FUSING

/* ---- Writing ----------------------------------------------------------------------------------------------- */

void wend_file_begin(wend_file_out *f, uint8_t *bytes, wend_file_kind kind) {
  f->w.at = f->bytes = bytes;
  f->ranks = NULL;
  f->w.size = f->section = 0;
  wend_write_bytes(&f->w, "WEND", 4);
  wend_write_uint(&f->w, (uint64_t)kind, 1);
  wend_write_uint(&f->w, FILE_VERSION, 1);
  wend_write_uint(&f->w, 0, 2);
  wend_write_uint(&f->w, 0, 8);
}

/* Writes a length of 8 bytes over the zeros that were written in its place. */
static void write_length(uint8_t *at, uint64_t length) {
  wend_store_four(at, (uint32_t)length);
  wend_store_four(at + 4, (uint32_t)(length >> 32));
}

size_t wend_file_end(wend_file_out *f) {
  if (f->bytes != NULL) write_length(f->bytes + 8, f->w.size);
  return f->w.size;
}

void wend_file_begin_section(wend_file_out *f, const char *id, bool present) {
  f->section = 0;
  if (!present) return;
  f->section = f->w.size;
  wend_write_bytes(&f->w, id, 4);
  wend_write_uint(&f->w, 0, 8);
}

void wend_file_end_section(wend_file_out *f) {
  const size_t size = f->w.size - f->section;
  if (f->section == 0) return;
  if (f->bytes != NULL) write_length(f->bytes + f->section + 4, size - SECTION_HEAD);
  wend_write_uint(&f->w, f->bytes == NULL ? 0 : wend_crc(f->bytes + f->section, size), 4);
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

/* The kinds, and the identifier of the first section of every file of a kind. No checksum covers the byte of the kind, so a
 * wrong identifier shows that this byte is damaged. */
static const struct file_kind {
  wend_file_kind kind;
  char first[5];
} file_kinds[] = {
    {WEND_FILE_GRAPH, "GRPH"}, {WEND_FILE_GRID, "GRID"},    {WEND_FILE_FIELD, "FELD"},     {WEND_FILE_ROUTE_TABLE, "ROUT"},
    {WEND_FILE_WALLS, "WALS"}, {WEND_FILE_LEVEL, "LEVL"},   {WEND_FILE_PATH, "PATH"},      {WEND_FILE_FOLLOWER, "FOLW"},
    {WEND_FILE_CROWD, "CROW"}, {WEND_FILE_OVERLAY, "OVLY"}, {WEND_FILE_INFLUENCE, "INFL"},
};

/* The kind that bytes claim to be; NULL: none. */
static const struct file_kind *find_file_kind(const uint8_t *bytes, size_t size) {
  if (size < FILE_HEADER + 4 || memcmp(bytes, "WEND", 4) != 0) return NULL; /* no room for an identifier */
  for (size_t i = 0; i < sizeof file_kinds / sizeof *file_kinds; i++)
    if (file_kinds[i].kind == (wend_file_kind)bytes[4]) return &file_kinds[i];
  return NULL;
}

wend_file_kind wend_file_kind_of(const void *bytes, size_t size) {
  const struct file_kind *found = find_file_kind(bytes, size);
  return found != NULL ? found->kind : WEND_FILE_NONE;
}

/* Whether a section is optional and unknown. */
static bool is_skipped(const uint8_t *id) {
  static const char known[][5] = {"extr", "prep", "pre2", "pre3", "pre4", "pre5", "plan", "pla2", "pla3", "pla4", "pla5"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (memcmp(id, known[i], 4) == 0) return false;
  return wend_file_is_optional(id);
}

/* Whether sections fill `left` bytes exactly, and all their checksums are right. No section is empty. */
static bool are_sections(const uint8_t *at, size_t left) {
  while (left > 0) {
    uint64_t length;
    if (left <= SECTION_BYTES) return false;
    length = wend_load_uint(at + 4, 8);
    if (length == 0 || length > left - SECTION_BYTES) return false;
    if (wend_load_four(at + SECTION_HEAD + (size_t)length) != wend_crc(at, SECTION_HEAD + (size_t)length)) return false;
    at += SECTION_BYTES + (size_t)length;
    left -= SECTION_BYTES + (size_t)length;
  }
  return true;
}

bool wend_file_open_in(wend_file_in *f, const uint8_t *bytes, size_t size, wend_file_kind kind) {
  const wend_reader nothing = {bytes, 0, true};
  const struct file_kind *found = find_file_kind(bytes, size);
  f->rest = nothing;
  f->section = nothing;
  if (found == NULL || found->kind != kind) return false;
  if (bytes[5] != FILE_VERSION || bytes[6] != 0 || bytes[7] != 0 || wend_load_uint(bytes + 8, 8) != size) return false;
  f->rest.at = bytes + FILE_HEADER;
  f->rest.left = size - FILE_HEADER;
  if (memcmp(f->rest.at, found->first, 4) != 0 || !are_sections(f->rest.at, f->rest.left)) return false;
  f->rest.failed = f->section.failed = false;
  return true;
}

bool wend_file_is_whole(const void *bytes, size_t size) {
  wend_file_in f;
  return wend_file_open_in(&f, bytes, size, wend_file_kind_of(bytes, size));
}

/* Skips unknown optional sections. Fails if the current section was not read to its end. wend_file_open_in has checked the
 * lengths of all sections. */
static void skip_unknown(wend_file_in *f) {
  f->rest.failed = f->rest.failed || !wend_file_is_done(&f->section);
  while (!f->rest.failed && f->rest.left > 0 && is_skipped(f->rest.at))
    (void)wend_read_items(&f->rest, wend_load_uint(f->rest.at + 4, 8) + SECTION_BYTES, 1);
}

wend_reader *wend_file_section(wend_file_in *f, const char *id) {
  size_t length;
  skip_unknown(f);
  f->section.left = 0;
  f->section.failed = f->rest.failed;
  if (f->rest.failed || f->rest.left == 0 || memcmp(f->rest.at, id, 4) != 0) return &f->section;
  length = (size_t)wend_load_uint(f->rest.at + 4, 8);
  f->section.at = f->rest.at + SECTION_HEAD;
  f->section.left = length;
  (void)wend_read_items(&f->rest, length + SECTION_BYTES, 1);
  return &f->section;
}

bool wend_file_is_read(wend_file_in *f) {
  skip_unknown(f);
  return wend_file_is_done(&f->rest);
}

uint32_t wend_file_count(wend_reader *r, size_t item_bytes) {
  const size_t count = r->left / item_bytes;
  if (!r->failed && count < WEND_NONE) return (uint32_t)count;
  r->failed = true;
  return 0;
}

/* ---- Rows -------------------------------------------------------------------------------------------------- */

/* Whole numbers in memory have 1, 2, 4 or 8 bytes. */
static uint64_t load_whole(const char *at, unsigned size) {
  uint32_t four;
  uint16_t two;
  uint64_t eight;
  switch (size) {
    case 1: return *(const uint8_t *)at;
    case 2: return memcpy(&two, at, sizeof two), two;
    case 4: return memcpy(&four, at, sizeof four), four;
    default: return memcpy(&eight, at, sizeof eight), eight;
  }
}

static void store_whole(char *at, unsigned size, uint64_t number) {
  const uint32_t four = (uint32_t)number;
  const uint16_t two = (uint16_t)number;
  switch (size) {
    case 1: *(uint8_t *)at = (uint8_t)number; break;
    case 2: memcpy(at, &two, sizeof two); break;
    case 4: memcpy(at, &four, sizeof four); break;
    default: memcpy(at, &number, sizeof number); break;
  }
}

/* How many flags begin the items. */
static unsigned count_flags(const wend_record_item *items, size_t count) {
  unsigned flags = 0;
  while (flags < count && items[flags].size == 0 && items[flags].bytes == 0) flags++;
  return flags;
}

void wend_write_record(wend_writer *w, const void *record, const wend_record_item *items, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const char *at = (const char *)record + items[i].at;
    if (items[i].size == 0) {
      const wend_record_item *flag = items + i + 1;
      const unsigned flags = count_flags(flag, count - i - 1);
      uint32_t bits = 0;
      for (unsigned k = 0; k < flags; k++) bits |= (uint32_t) * (const bool *)((const char *)record + flag[k].at) << k;
      wend_write_uint(w, bits, items[i].bytes);
      i += flags;
    } else { /* a double is the 8 bytes of its bits */
      wend_write_uint(w, load_whole(at, items[i].size), items[i].bytes > 0 ? items[i].bytes : 8);
    }
  }
}

void wend_read_record(wend_reader *r, void *record, const wend_record_item *items, size_t count) {
  for (size_t i = 0; i < count; i++) {
    char *at = (char *)record + items[i].at;
    if (items[i].size == 0) {
      const wend_record_item *flag = items + i + 1;
      const unsigned flags = count_flags(flag, count - i - 1);
      const uint64_t bits = wend_read_uint(r, items[i].bytes);
      if (bits >> flags != 0) r->failed = true;
      for (unsigned k = 0; k < flags; k++) *(bool *)((char *)record + flag[k].at) = (bits >> k & 1) != 0;
      i += flags;
    } else if (items[i].bytes > 0) {
      const uint64_t number = wend_read_uint(r, items[i].bytes);
      if (items[i].size < 8 && number >> 8 * items[i].size != 0) r->failed = true;
      store_whole(at, items[i].size, number);
    } else {
      const double number = wend_read_number(r, items[i].least, items[i].most);
      memcpy(at, &number, sizeof number);
    }
  }
}

size_t wend_record_bytes(const wend_record_item *items, size_t count) {
  size_t bytes = 0;
  for (size_t i = 0; i < count; i++)
    bytes += items[i].bytes > 0 ? items[i].bytes : items[i].size; /* a double has 8 in memory */
  return bytes;
}
