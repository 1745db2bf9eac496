/* SPDX-License-Identifier: MIT */
/* Compiler features beyond C11, each with a fallback in C11: bit scans, hints to the optimizer, the square root; and counters of
 * threads, which compilers need not have. */
#ifndef WEND_BITS_H
#define WEND_BITS_H

#include "core/base/floats.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#endif
#if defined(_MSC_VER)
#include <intrin.h>
#endif
/* TinyCC has atomics from version 0.9.28 on. Earlier versions do not define __STDC_NO_ATOMICS__. */
#if !defined(__STDC_NO_ATOMICS__) && !(defined(__TINYC__) && __TINYC__ < 928)
#define WEND_HAS_ATOMICS
#include <stdatomic.h>
#endif

/* A counter that several threads raise; without the atomics of C11, only one thread at a time may. */
#ifdef WEND_HAS_ATOMICS
typedef atomic_uint_least64_t wend_counter;
#else
typedef uint64_t wend_counter;
#endif

/* Adds 1. Returns the number before. */
static inline uint64_t wend_count_up(wend_counter *counter) {
#ifdef WEND_HAS_ATOMICS
  return atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
#else
  return (*counter)++;
#endif
}

/* The index of the lowest bit that is set, 0 .. 63. word must not be 0. Example: 0x28 (bits 3 and 5) gives 3. */
static inline unsigned wend_lowest_bit(uint64_t word) {
#if defined(__GNUC__)
  return (unsigned)__builtin_ctzll(word);
#elif defined(_MSC_VER) && defined(_M_X64)
  unsigned long at;
  _BitScanForward64(&at, word);
  return (unsigned)at;
#else
  unsigned at = 0;
  for (; (word & 0xff) == 0; word >>= 8) at += 8;
  for (; (word & 1) == 0; word >>= 1) at++;
  return at;
#endif
}

/* The index of the highest bit that is set, 0 .. 63. word must not be 0. Example: 0x28 gives 5. */
static inline unsigned wend_highest_bit(uint64_t word) {
#if defined(__GNUC__)
  return 63u - (unsigned)__builtin_clzll(word);
#elif defined(_MSC_VER) && defined(_M_X64)
  unsigned long at;
  _BitScanReverse64(&at, word);
  return (unsigned)at;
#else
  unsigned at = 0;
  for (; word > 0xff; word >>= 8) at += 8;
  for (; word > 1; word >>= 1) at++;
  return at;
#endif
}

/* The number of bits that are set, 0 .. 64. The fallback adds the bits in pairs, then in groups of 4 and 8; the product puts
 * the sum of the eight bytes into the highest byte (H. Warren, "Hacker's Delight", 2002, section 5-1). */
static inline unsigned wend_count_bits(uint64_t word) {
#if defined(__GNUC__)
  return (unsigned)__builtin_popcountll(word);
#else
  word -= word >> 1 & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (unsigned)(word * 0x0101010101010101u >> 56);
#endif
}

/* A bit of a list of words. */
static inline bool wend_bit_get(const uint64_t *words, uint32_t at) { return (words[at / 64] >> at % 64 & 1) != 0; }
static inline void wend_bit_set(uint64_t *words, uint32_t at) { words[at / 64] |= (uint64_t)1 << at % 64; }
static inline void wend_bit_clear(uint64_t *words, uint32_t at) { words[at / 64] &= ~((uint64_t)1 << at % 64); }

/* Hints to the optimizer. They do not change results.
 *
 *   WEND_INLINE      inlines a function wherever it is called: searches are compiled once for each kind of map and costs. Not
 *                    without optimization, nor with sanitizers of GCC: these copies would take minutes to compile
 *   WEND_NOINLINE    keeps a rare case out of the code of a hot loop
 *   WEND_LIKELY      a condition that is nearly always true; WEND_UNLIKELY: one that is nearly always false
 *   WEND_PREFETCH    loads the cache line at an address; the address need not be valid */
#if defined(__GNUC__)
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WEND_INLINE static inline __attribute__((always_inline))
#else
#define WEND_INLINE static inline
#endif
#define WEND_NOINLINE __attribute__((noinline))
#define WEND_LIKELY(x) __builtin_expect(!!(x), 1)
#define WEND_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define WEND_PREFETCH(p) __builtin_prefetch(p)
#elif defined(_MSC_VER)
#define WEND_INLINE static __forceinline
#define WEND_NOINLINE __declspec(noinline)
#define WEND_LIKELY(x) (x)
#define WEND_UNLIKELY(x) (x)
#define WEND_PREFETCH(p) ((void)(p))
#else
#define WEND_INLINE static inline
#define WEND_NOINLINE
#define WEND_LIKELY(x) (x)
#define WEND_UNLIKELY(x) (x)
#define WEND_PREFETCH(p) ((void)(p))
#endif

/* The square root of x >= 0, correctly rounded on every machine (IEEE 754). The SSE instruction avoids the test for errno that
 * sqrt makes. */
static inline double wend_sqrt(double x) {
#if defined(__SSE2__) || defined(_M_X64)
  return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(x)));
#else
  return sqrt(x);
#endif
}

#endif
