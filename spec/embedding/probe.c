/* SPDX-License-Identifier: MIT */
/* Loops that GCC and clang compile in another way when the pragmas of wend.c are still in force: fused multiply-add, and
 * vectors of stores. check.sh compares the instructions of this file alone with those of this file behind wend.c.
 * WEND_FILE: the file in front; WEND_LEAK: a pragma that leaks, to show that the comparison finds it. */
#ifdef WEND_FILE
#include WEND_FILE
#endif
#ifdef WEND_LEAK
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
#endif

double probe_multiply_add(double a, double b, double c);
void probe_stores(double *to, const double *a, const double *b);

double probe_multiply_add(double a, double b, double c) { return a * b + c; }
void probe_stores(double *to, const double *a, const double *b) {
  const double x = a[0] + b[0], y = a[1] + b[1];
  to[0] = x;
  to[1] = y;
}
