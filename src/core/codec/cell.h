/* SPDX-License-Identifier: MIT */
/* The value of a cell or a portal in files: a weight of 8 bytes and a tag of 2. The weight of a closed cell that keeps weight 1 is
 * infinity. A closed cell that keeps another weight has that weight with the sign bit set. */
#ifndef WEND_CODEC_CELL_H
#define WEND_CODEC_CELL_H

#include <math.h>

#include "core/base/bytes.h"

#define CELL_BYTES 10u

/* Writes a value. Of a closed cell it has the weight that it keeps, and WEND_CELL_CLOSED in its tag. */
static inline void wend_write_cell(wend_writer *w, wend_cell value) {
  if ((value.tag & WEND_CELL_CLOSED) != 0) value.weight = value.weight == 1 ? INFINITY : -value.weight;
  wend_write_double(w, value.weight);
  wend_write_uint(w, value.tag & ~WEND_CELL_CLOSED, 2);
}

/* Reads the value in CELL_BYTES bytes, in the same form. tags: how many there are. False: the writer would not write it. */
static inline bool wend_load_cell(const uint8_t *at, uint32_t tags, wend_cell *value) {
  const double weight = wend_load_double(at);
  const bool keeps = signbit(weight), closed = keeps || weight == INFINITY;
  const uint32_t tag = (uint32_t)wend_load_uint(at + 8, 2);
  value->weight = keeps ? -weight : closed ? 1 : weight;
  value->tag = closed ? tag | WEND_CELL_CLOSED : tag;
  return value->weight >= 0 && value->weight < INFINITY && !(keeps && value->weight == 1) && tag <= tags;
}

#endif
