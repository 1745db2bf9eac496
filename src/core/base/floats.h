/* SPDX-License-Identifier: MIT */
/* Floating point: the same bits on every machine. Every file of the core that computes with doubles includes this first (most
 * by way of bits.h) and says WEND_NO_FUSING before its first function; spec/floats.lua checks that.
 *
 * Three things would make other bits: registers of 80 bits (x87), fused multiply-add, and -ffast-math. */
#ifndef WEND_FLOATS_H
#define WEND_FLOATS_H

/* GCC for 32-bit x86 computes in x87 registers unless told otherwise. A rockspec cannot pass flags, so this tells it. The
 * macros of the compiler keep their first values: __SSE2_MATH__ tells what is in force. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__i386__) && !defined(__SSE2_MATH__) && !defined(WEND_KEEP_X87)
#pragma GCC target("sse2,fpmath=sse")
#if defined(__SSE2__)
#define WEND_SSE_BY_PRAGMA
#endif
#endif

#include <float.h>

#if !defined(FLT_EVAL_METHOD)
#error "wend needs a C11 compiler: float.h must define FLT_EVAL_METHOD"
#elif FLT_EVAL_METHOD != 0 && !defined(WEND_SSE_BY_PRAGMA)
#error "wend needs doubles of 64 bits everywhere: compile with -msse2 -mfpmath=sse (32-bit x86), so that FLT_EVAL_METHOD is 0"
#endif
#if defined(__FAST_MATH__)
#error "wend needs infinities, NaN and the order of sums: compile without -ffast-math and -Ofast"
#endif

/* a * b + c in two roundings, everywhere: a compiler that fuses them would make other bits. */
#if defined(__clang__) || defined(_MSC_VER)
#define WEND_NO_FUSING _Pragma("STDC FP_CONTRACT OFF")
#elif defined(__GNUC__)
#define WEND_NO_FUSING _Pragma("GCC optimize(\"fp-contract=off\")")
#else
#define WEND_NO_FUSING
#endif

/* Inline functions in headers. Clang fuses as it reads, so that they need the pragma too. GCC fuses after inlining, and what is
 * said in front of them would keep it from inlining well (searches took 5 % longer): there the ones that multiply and add
 * are WEND_INLINE, and take after the function they end up in. */
#if defined(__clang__) || defined(_MSC_VER)
WEND_NO_FUSING
#endif

#endif
