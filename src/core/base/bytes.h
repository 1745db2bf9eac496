/* SPDX-License-Identifier: MIT */
/* Numbers as bytes, little-endian. A double is stored as its 64 bits of IEEE 754.
 *
 * Writer: a file is written in two runs of the same code. The first run has at == NULL and only counts bytes. The caller
 * allocates that many bytes, and the second run writes them:
 *
 *   wend_writer w = {NULL, 0};    wend_write_uint(&w, 258, 4);    w.size is 4, nothing was written
 *   wend_writer w = {bytes, 0};   wend_write_uint(&w, 258, 4);    bytes are 02 01 00 00
 *
 * Reader: it never reads past the end. The first read that wants more bytes than are left sets `failed`. From then on every
 * read fails, numbers are 0, and the position does not change. So callers can read a whole header and test `failed` once. */
#ifndef WEND_BYTES_H
#define WEND_BYTES_H

#include <string.h>

#include "core/base/memory.h"

typedef struct wend_writer {
  uint8_t *at; /* where the next byte goes; NULL: bytes are only counted */
  size_t size; /* how many bytes were written, or counted */
} wend_writer;

typedef struct wend_reader {
  const uint8_t *at; /* the next byte; borrowed */
  size_t left;       /* bytes from `at` to the end */
  bool failed;       /* a read wanted more bytes than were left */
} wend_reader;

/* Writes, or counts, `size` bytes. bytes may be NULL where size is 0. */
static inline void wend_write_bytes(wend_writer *w, const void *bytes, size_t size) {
  if (w->at != NULL && size > 0) {
    memcpy(w->at, bytes, size);
    w->at += size;
  }
  w->size += size;
}

/* Stores a number in the four bytes from `at` on. */
static inline void wend_store_four(uint8_t *at, uint32_t number) {
  at[0] = (uint8_t)number;
  at[1] = (uint8_t)(number >> 8);
  at[2] = (uint8_t)(number >> 16);
  at[3] = (uint8_t)(number >> 24);
}

/* Writes, or counts, the lowest bytes of a number. bytes: 1, 2, 3, 4 or 8. */
static inline void wend_write_uint(wend_writer *w, uint64_t number, unsigned bytes) {
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

/* Writes, or counts, the 8 bytes of a double. NaN and -0 keep their bits. */
static inline void wend_write_double(wend_writer *w, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  wend_write_uint(w, bits, 8);
}

/* Takes the next `count` items of item_bytes > 0 bytes each, and returns the address of the first. NULL: the reader has failed
 * before, or has fewer bytes; it has failed now. The product of count and item_bytes cannot overflow. */
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

/* The number in four bytes. Written without a loop, so that compilers make it one load. */
static inline uint64_t wend_load_four(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* The number in 1 to 8 bytes. */
static inline uint64_t wend_load_uint(const uint8_t *at, unsigned bytes) {
  uint64_t number = 0;
  if (bytes == 8) return wend_load_four(at) | wend_load_four(at + 4) << 32;
  if (bytes == 4) return wend_load_four(at);
  if (bytes == 2) return (uint32_t)at[0] | (uint32_t)at[1] << 8;
  for (unsigned i = 0; i < bytes; i++) number |= (uint64_t)at[i] << 8 * i;
  return number;
}

/* The double in 8 bytes. It may be NaN or infinite: the caller checks. */
static inline double wend_load_double(const uint8_t *at) {
  const uint64_t bits = wend_load_uint(at, 8);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/* Takes a number of 1 to 8 bytes. 0: the number is 0, or the reader has failed. */
static inline uint64_t wend_read_uint(wend_reader *r, unsigned bytes) {
  const uint8_t *at = wend_read_items(r, 1, bytes);
  return at == NULL ? 0 : wend_load_uint(at, bytes);
}

/* Takes a double in least .. most. Another one, or NaN: the reader fails, and the number is 0. */
static inline double wend_read_number(wend_reader *r, double least, double most) {
  const uint8_t *at = wend_read_items(r, 1, 8);
  const double number = at == NULL ? 0 : wend_load_double(at);
  if (number >= least && number <= most) return number;
  r->failed = true;
  return 0;
}

#endif
