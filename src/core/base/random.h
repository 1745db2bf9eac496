/* SPDX-License-Identifier: MIT */
/* Pseudorandom numbers without state: each is computed from a seed and a key, for example the id of an edge. So they do not
 * depend on the order in which they are computed, and are the same on every machine. */
#ifndef WEND_RANDOM_H
#define WEND_RANDOM_H

#include "core/base/floats.h"

#include <stdint.h>
#include <string.h>

/* Mixes 64 bits: each bit of the argument affects all bits of the result. Different arguments have different results.
 * G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators" (2014); the multipliers are D. Stafford's
 * "Mix13" (2011). */
static inline uint64_t wend_mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* The bits of a double, to be mixed. -0 has the bits of 0, because the two are equal. */
static inline uint64_t wend_bits_of(double number) {
  uint64_t bits;
  number += 0.0;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* A number from 0 up to, but below, 1: the highest 53 bits of a mixed number, divided by 2^53. */
static inline double wend_random_unit(uint64_t mixed) { return (double)(mixed >> 11) * (1.0 / 9007199254740992.0); }

#endif
