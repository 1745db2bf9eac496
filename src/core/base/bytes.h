/* SPDX-License-Identifier: MIT */
/* Numbers as bytes: little-endian; a double is its IEEE 754 bits.
 *
 * A writer without memory only counts; the same code then runs again and writes. A reader never takes more than is
 * left. Once it has failed it returns zeros and stays where it is: callers test `failed` once, at the end. */
#ifndef WEND_BYTES_H
#define WEND_BYTES_H

#include <string.h>

#include "core/base/memory.h"

typedef struct wend_writer {
  uint8_t *at; /* where the next byte goes; NULL: bytes are only counted */
  size_t size; /* how many bytes were written, or counted */
} wend_writer;

typedef struct wend_reader {
  const uint8_t *at;
  size_t left; /* bytes */
  bool failed;
} wend_reader;

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

/* bytes: 1 .. 8. */
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

static inline void wend_write_double(wend_writer *w, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  wend_write_uint(w, bits, 8);
}

/* The next `count` items of item_bytes each; NULL: the reader has failed, or has fewer bytes. */
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

/* Without a loop: compilers then make it one load. */
static inline uint64_t wend_load_four(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t wend_load_uint(const uint8_t *at, unsigned bytes) {
  uint64_t number = 0;
  if (bytes == 8) return wend_load_four(at) | wend_load_four(at + 4) << 32;
  if (bytes == 4) return wend_load_four(at);
  if (bytes == 2) return (uint32_t)at[0] | (uint32_t)at[1] << 8;
  for (unsigned i = 0; i < bytes; i++) number |= (uint64_t)at[i] << 8 * i;
  return number;
}

static inline double wend_load_double(const uint8_t *at) {
  const uint64_t bits = wend_load_uint(at, 8);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static inline uint64_t wend_read_uint(wend_reader *r, unsigned bytes) {
  const uint8_t *at = wend_read_items(r, 1, bytes);
  return at == NULL ? 0 : wend_load_uint(at, bytes);
}

#endif
