/* SPDX-License-Identifier: MIT */
/* Compiler features beyond C11, each with a fallback: bit scans, hints to the optimizer, the square root. */
#ifndef WEND_BITS_H
#define WEND_BITS_H

#include "core/base/floats.h"

#include <math.h>
#include <stdint.h>
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#endif
#if defined(_MSC_VER)
#include <intrin.h>
#endif

/* The index of the lowest bit set. word is not 0. */
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

/* The index of the highest bit set. word is not 0. */
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

/* The number of bits set. */
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

/* Hints to the optimizer. They do not change results. */
#if defined(__GNUC__)
#define WEND_INLINE static inline __attribute__((always_inline))
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

/* The square root of a number that is not negative. It is correctly rounded everywhere. SSE avoids the test for errno in sqrt.
 * */
static inline double wend_sqrt(double x) {
#if defined(__SSE2__) || defined(_M_X64)
  return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(x)));
#else
  return sqrt(x);
#endif
}

#endif
