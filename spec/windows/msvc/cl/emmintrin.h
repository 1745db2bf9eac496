/* SPDX-License-Identifier: MIT */
#ifndef WEND_STUB_EMMINTRIN_H
#define WEND_STUB_EMMINTRIN_H
typedef union __m128d {
  double m128d_f64[2];
} __m128d;
double _mm_cvtsd_f64(__m128d a);
__m128d _mm_set_sd(double a);
__m128d _mm_setzero_pd(void);
__m128d _mm_sqrt_sd(__m128d a, __m128d b);
#endif
