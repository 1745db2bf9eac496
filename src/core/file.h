/* SPDX-License-Identifier: MIT */
/* Files: how things are written down, byte by byte, and read again with distrust. doc/FORMAT.md describes what is written.
 *
 *   writer   the same code counts the bytes (at NULL), and then writes them
 *   reader   once it has failed it gives zeros, and stays where it is: what reads looks at `failed` when it is done. It
 *            never takes more than there is, so that no count in a file is believed before its bytes are seen
 *
 * Numbers are little-endian; doubles are their IEEE 754 bits. */
#ifndef WEND_FILE_H
#define WEND_FILE_H

#include <string.h>

#include "core/memory.h"

#define FILE_VERSION 1u
#define FILE_HEADER 16u /* "WEND", kind, version, 2 zeros, 8 bytes of size */
#define FILE_TRAILER 4u /* the checksum of all before */

typedef struct wend_writer {
  uint8_t *at; /* NULL: it counts */
  size_t size;
} wend_writer;

typedef struct wend_reader {
  const uint8_t *at;
  size_t left;
  bool failed;
} wend_reader;

/* The checksum of CRC-32 as in zlib, gzip and PNG: W. Peterson, D. Brown, "Cyclic codes for error detection" (1961). */
uint32_t wend_crc(const uint8_t *bytes, size_t size);

/* Begins and ends a file. wend_file_end writes its size and checksum, and returns the size. */
void wend_file_begin(wend_writer *w, uint8_t *bytes, wend_file_kind kind);
size_t wend_file_end(wend_writer *w, uint8_t *bytes);
/* Checks header, size and checksum; false: it is no such file, or a damaged one. The reader is set after the header. */
bool wend_file_open(wend_reader *r, const uint8_t *bytes, size_t size, wend_file_kind kind);
/* Whether all was read, and well. */
static inline bool wend_file_is_done(const wend_reader *r) { return !r->failed && r->left == 0; }

static inline void wend_write_bytes(wend_writer *w, const void *bytes, size_t size) {
  if (w->at != NULL && size > 0) {
    memcpy(w->at, bytes, size);
    w->at += size;
  }
  w->size += size;
}

static inline void wend_store_four(uint8_t *at, uint32_t number) {
  at[0] = (uint8_t)number;
  at[1] = (uint8_t)(number >> 8);
  at[2] = (uint8_t)(number >> 16);
  at[3] = (uint8_t)(number >> 24);
}

static inline void wend_write_whole(wend_writer *w, uint64_t number, unsigned bytes) {
  w->size += bytes;
  if (w->at == NULL) return;
  if (bytes >= 4) {
    wend_store_four(w->at, (uint32_t)number);
    if (bytes == 8) wend_store_four(w->at + 4, (uint32_t)(number >> 32));
  } else {
    for (unsigned i = 0; i < bytes; i++) w->at[i] = (uint8_t)(number >> 8 * i);
  }
  w->at += bytes;
}

static inline void wend_write_number(wend_writer *w, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  wend_write_whole(w, bits, 8);
}

/* So many items of so many bytes; NULL: there are not that many. */
static inline const uint8_t *wend_read_items(wend_reader *r, uint64_t count, size_t item_bytes) {
  const uint8_t *at = r->at;
  if (r->failed || count > r->left / item_bytes) {
    r->failed = true;
    return NULL;
  }
  r->at += (size_t)count * item_bytes;
  r->left -= (size_t)count * item_bytes;
  return at;
}

/* Written out, since compilers make one load of that, but not of a loop. */
static inline uint64_t wend_load_four(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t wend_load_whole(const uint8_t *at, unsigned bytes) {
  uint64_t number = 0;
  if (bytes == 8) return wend_load_four(at) | wend_load_four(at + 4) << 32;
  if (bytes == 4) return wend_load_four(at);
  if (bytes == 2) return (uint32_t)at[0] | (uint32_t)at[1] << 8;
  for (unsigned i = 0; i < bytes; i++) number |= (uint64_t)at[i] << 8 * i;
  return number;
}

static inline double wend_load_number(const uint8_t *at) {
  const uint64_t bits = wend_load_whole(at, 8);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static inline uint64_t wend_read_whole(wend_reader *r, unsigned bytes) {
  const uint8_t *at = wend_read_items(r, 1, bytes);
  return at == NULL ? 0 : wend_load_whole(at, bytes);
}

static inline double wend_read_number(wend_reader *r) {
  const uint8_t *at = wend_read_items(r, 1, 8);
  return at == NULL ? 0 : wend_load_number(at);
}

/* What a map is, as a number: that of another is another one, but for one in many millions. NO_MEMORY. */
wend_status wend_map_fingerprint(wend_map *map, uint64_t *print);
/* The tags of a map. Reading: FORMAT, NO_MEMORY. */
void wend_write_tags(wend_writer *w, const wend_map *map);
wend_status wend_read_tags(wend_reader *r, wend_map *map);

#endif
