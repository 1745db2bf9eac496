/* SPDX-License-Identifier: MIT */
/* Pseudorandom numbers that depend only on what is mixed: a seed and a key. They are the same on every machine. */
#ifndef WEND_RANDOM_H
#define WEND_RANDOM_H

#include "core/base/floats.h"

#include <stdint.h>
#include <string.h>

/* G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators" (2014); the constants are D.
 * Stafford's. */
static inline uint64_t wend_mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* The bits of a double; those of -0 are those of 0. */
static inline uint64_t wend_bits_of(double number) {
  uint64_t bits;
  number += 0.0;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* At least 0, below 1. */
static inline double wend_random_unit(uint64_t mixed) { return (double)(mixed >> 11) * (1.0 / 9007199254740992.0); }

#endif
