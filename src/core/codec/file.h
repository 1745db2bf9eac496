/* SPDX-License-Identifier: MIT */
/* Files: writes numbers and bytes, and reads them with distrust. doc/FORMAT.md describes the files.
 *
 *   header    "WEND", kind, version, 2 zeros, 8 bytes of size
 *   sections  identifier (4 bytes), length (8 bytes), contents, checksum of all three (4 bytes); none is empty
 *
 * A writer counts the bytes first (at NULL), and the same code then writes them. A reader that has failed gives zeros and
 * stays where it is, so callers look at `failed` once, when they are done. It never takes more than there is: a count is
 * compared with the bytes that follow before any memory is taken.
 *
 * Version 1 had no sections: the contents of all of them followed each other, with counts before the lists, and one checksum
 * stood at the end. Writers and readers of the parts serve both versions. Version 1 is still written for one purpose: the
 * fingerprint of a map that fields and route tables of version 1 hold.
 *
 * Numbers are little-endian; doubles are their IEEE 754 bits. */
#ifndef WEND_FILE_H
#define WEND_FILE_H

#include "core/base/bytes.h"

#define FILE_VERSION 2u     /* the one that is written */
#define FILE_VERSION_OLD 1u /* the one that is read as well */
#define FILE_HEADER 16u
#define FILE_TRAILER 4u     /* of version 1: the checksum of all before */
#define SECTION_HEAD 12u    /* identifier and length */
#define SECTION_BYTES 16u   /* the same with the checksum after the contents */

/* A file that is being written. */
typedef struct wend_file_out {
  wend_writer w;
  uint8_t *bytes;   /* NULL: it counts */
  unsigned version;
  size_t section;   /* where the present one begins; 0: there is none */
} wend_file_out;

/* Begins and ends a file. wend_file_end writes its size, of version 1 also its checksum, and returns the size. */
void wend_file_begin(wend_file_out *f, uint8_t *bytes, wend_file_kind kind, unsigned version);
size_t wend_file_end(wend_file_out *f);
/* Begins and ends a section. present: whether anything is written in between; a section without contents is left out.
 * Version 1: they do nothing. */
void wend_file_begin_section(wend_file_out *f, const char *id, bool present);
void wend_file_end_section(wend_file_out *f);

/* A file that is being read. */
typedef struct wend_file_in {
  wend_reader rest;    /* what follows the present section; of version 1: all that is left */
  wend_reader section;
  unsigned version;
} wend_file_in;

/* Checks header, size and checksums, and of version 2 where sections begin and end. False: it is no such file, or damaged. */
bool wend_file_open_in(wend_file_in *f, const uint8_t *bytes, size_t size, wend_file_kind kind);
/* The same, where nothing is to be read. */
bool wend_file_open(wend_reader *r, const uint8_t *bytes, size_t size, wend_file_kind kind);
/* The contents of the next section if it has this identifier; else nothing, as of an empty one. Unknown sections that may be
 * skipped are. The section before must have been read to its end. Version 1: all that is left of the file. */
wend_reader *wend_file_section(wend_file_in *f, const char *id);
/* Whether all sections were read to their ends. */
bool wend_file_is_read(wend_file_in *f);
/* The number of items of so many bytes in a list: in version 1 it stands before the list, in version 2 the section says it.
 * They are checked to be there. */
uint32_t wend_file_count(wend_file_in *f, wend_reader *r, size_t item_bytes);

/* A number that tells a map from others: two different maps share it once in many millions. Each version of the format
 * has its own. NO_MEMORY. */
wend_status wend_map_fingerprint(wend_map *map, unsigned version, uint64_t *print);
/* The tags of a map. Reading: FORMAT, NO_MEMORY. */
void wend_write_tags(wend_file_out *f, const wend_map *map);
wend_status wend_read_tags(wend_file_in *f, wend_map *map);
/* wend_graph_encode and wend_grid_encode in a version of the format. */
wend_status wend_graph_write(wend_graph *graph, unsigned version, void *bytes, size_t *size);
wend_status wend_grid_write(const wend_grid *grid, unsigned version, const void *extra, size_t extra_size, void *bytes,
                            size_t *size);

#endif
