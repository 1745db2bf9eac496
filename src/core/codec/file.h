/* SPDX-License-Identifier: MIT */
/* Files as containers of sections. doc/FORMAT.md describes the format byte by byte. The other files of this folder write and
 * read the contents of sections. file.c has an example.
 *
 *   offset 0          4      5         6       8        16
 *   header | "WEND" | kind | version | 0 0   | size   |           size: of the whole file, 8 bytes
 *
 *   section | identifier | length  | contents | checksum |        a section without contents is left out
 *             4 bytes      8 bytes              4 bytes, of all before it in the section
 *
 * Readers distrust the file: they compare each count with the bytes that are left before they allocate memory. */
#ifndef WEND_FILE_H
#define WEND_FILE_H

#include <stddef.h>

#include "core/base/bytes.h"

#define FILE_VERSION 2u
/* Sizes in bytes. */
#define FILE_HEADER 16u
#define SECTION_HEAD 12u  /* identifier and length */
#define SECTION_BYTES 16u /* all of a section except its contents */

/* A file that is being written. */
typedef struct wend_file_out {
  wend_writer w;
  uint8_t *bytes;                     /* where the file begins; NULL: bytes are only counted */
  size_t section;                     /* where the current section begins; 0: there is none */
  const struct wend_tag_ranks *ranks; /* tags are numbered by these; NULL: as in the map */
} wend_file_out;

/* Begins a file. bytes: NULL, to count only; or room for as many bytes as wend_file_end returned after a run with NULL. */
void wend_file_begin(wend_file_out *f, uint8_t *bytes, wend_file_kind kind);
/* Ends a file: writes its size into the header. Returns the size in bytes. */
size_t wend_file_end(wend_file_out *f);
/* Begins a section. id: four characters. present: whether contents follow; if not, the section is left out. */
void wend_file_begin_section(wend_file_out *f, const char *id, bool present);
/* Ends a section, if one was begun: writes its length and its checksum. */
void wend_file_end_section(wend_file_out *f);

/* A file that is being read. */
typedef struct wend_file_in {
  wend_reader rest;    /* what follows the current section */
  wend_reader section; /* what is left of the current section */
} wend_file_in;

/* Opens a file of a kind: checks the header, the size and all checksums, and that the sections fill the file. `bytes` are
 * borrowed while the file is read. False: it is another kind of file or version, or damaged. */
bool wend_file_open_in(wend_file_in *f, const uint8_t *bytes, size_t size, wend_file_kind kind);
/* A reader of the next section, borrowed until the next call; unknown optional sections are skipped. It has no bytes if the
 * next section has another identifier: the section is not there. It has failed if the section before was not read to its end. */
wend_reader *wend_file_section(wend_file_in *f, const char *id);
/* Whether all sections were read to their ends without failure. */
bool wend_file_is_read(wend_file_in *f);
/* The number of items, of item_bytes each, that fit into the rest of a section. If they are too many, r fails and the result is
 * 0. */
uint32_t wend_file_count(wend_reader *r, size_t item_bytes);

/* Whether all bytes were read without failure. */
static inline bool wend_file_is_done(const wend_reader *r) { return !r->failed && r->left == 0; }

/* Whether a reader that does not know a section may skip it: its identifier begins with a small letter. id: 4 bytes. */
static inline bool wend_file_is_optional(const uint8_t *id) { return id[0] >= 'a' && id[0] <= 'z'; }

/* ---- Rows: one table describes a row of numbers, for the writer and for the reader ---------------------------- */

/* A number of a struct. */
typedef struct wend_record_item {
  size_t at;          /* its offset */
  unsigned size;      /* its bytes in memory; 0: it is a word of flags, or a flag */
  unsigned bytes;     /* those in the file; 0: it is a double, or a flag */
  double least, most; /* of a double */
} wend_record_item;

/* A whole number, and a double. A word of flags, of up to 4 bytes; its flags follow, from the lowest bit on: bools. */
#define WEND_WHOLE(type, field, bytes) \
  { offsetof(type, field), sizeof((type *)0)->field, bytes, 0, 0 }
#define WEND_DOUBLE(type, field, least, most) \
  { offsetof(type, field), sizeof(double), 0, least, most }
#define WEND_FLAGS(bytes) \
  { 0, 0, bytes, 0, 0 }
#define WEND_FLAG(type, field) \
  { offsetof(type, field), 0, 0, 0, 0 }

void wend_write_record(wend_writer *w, const void *record, const wend_record_item *items, size_t count);
/* Reads into a struct, whose other fields stay. A number that is out of range, or does not fit: the reader fails. */
void wend_read_record(wend_reader *r, void *record, const wend_record_item *items, size_t count);
/* The bytes of a row in a file. */
size_t wend_record_bytes(const wend_record_item *items, size_t count);

#endif
