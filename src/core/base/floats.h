/* SPDX-License-Identifier: MIT */
/* Floating point: the same results, bit by bit, on every machine. Every file of the core that computes with doubles includes
 * this header first (most of them through bits.h) and has WEND_NO_FUSING before its first function; spec/floats.lua checks
 * both.
 *
 * Three things would change results: 80-bit registers (x87), fused multiply-add, and -ffast-math. */
#ifndef WEND_FLOATS_H
#define WEND_FLOATS_H

/* By default GCC for 32-bit x86 computes in x87 registers. A rockspec cannot pass flags, so this pragma selects SSE.
 * FLT_EVAL_METHOD keeps its value, so WEND_SSE_BY_PRAGMA notes the change. __SSE2_MATH__: the flags select SSE already. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__i386__) && !defined(__SSE2_MATH__) && !defined(WEND_KEEP_X87)
#pragma GCC target("sse2,fpmath=sse")
#if defined(__SSE2__)
#define WEND_SSE_BY_PRAGMA
#endif
#endif

#include <float.h>

/* TinyCC defines no FLT_EVAL_METHOD. It computes in 64 bits, except on 32-bit x86. */
#if defined(__TINYC__) && !defined(FLT_EVAL_METHOD) && !defined(__i386__)
#define WEND_EVAL_METHOD 0
#elif defined(FLT_EVAL_METHOD)
#define WEND_EVAL_METHOD FLT_EVAL_METHOD
#endif

#if !defined(WEND_EVAL_METHOD)
#error "wend needs a C11 compiler: float.h must define FLT_EVAL_METHOD"
#elif WEND_EVAL_METHOD != 0 && !defined(WEND_SSE_BY_PRAGMA)
#error "wend needs doubles of 64 bits everywhere: compile with -msse2 -mfpmath=sse (32-bit x86), so that FLT_EVAL_METHOD is 0"
#endif
#if defined(__FAST_MATH__)
#error "wend needs infinities, NaN and the order of sums: compile without -ffast-math and -Ofast"
#endif

/* Keeps a * b + c as two operations with two roundings. A fused multiply-add rounds only once. */
#if defined(__clang__)
#define WEND_NO_FUSING _Pragma("STDC FP_CONTRACT OFF")
#elif defined(_MSC_VER)
#define WEND_NO_FUSING __pragma(fp_contract(off))
#elif defined(__GNUC__)
#define WEND_NO_FUSING _Pragma("GCC optimize(\"fp-contract=off\")")
#else
#define WEND_NO_FUSING
#endif

/* Inline functions in headers. Clang fuses while it parses, so headers need the pragma too. GCC fuses after inlining, by the
 * setting of the outer function. With the pragma in front of inline functions GCC inlines less (searches took 5 % longer). So
 * for GCC the inline functions that multiply and add are WEND_INLINE, and need no pragma. */
#if defined(__clang__) || defined(_MSC_VER)
WEND_NO_FUSING
#endif

static inline double wend_least(double a, double b) { return a < b ? a : b; }
static inline double wend_most(double a, double b) { return a > b ? a : b; }

#endif
