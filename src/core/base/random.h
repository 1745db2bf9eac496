/* SPDX-License-Identifier: MIT */
/* Numbers that look random and depend on a seed and a key alone, the same on every machine. */
#ifndef WEND_NOISE_H
#define WEND_NOISE_H

#include "core/base/floats.h"

#include <stdint.h>
#include <string.h>

/* G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators" (2014); the constants are D. Stafford's. */
static inline uint64_t wend_mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* The bits of a number; of 0 and -0 the same. */
static inline uint64_t wend_bits_of(double number) {
  uint64_t bits;
  number += 0.0;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* 0 .. 1, 1 left out. */
static inline double wend_random_unit(uint64_t mixed) { return (double)(mixed >> 11) * (1.0 / 9007199254740992.0); }

#endif
