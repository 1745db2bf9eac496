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
typedef union __m128i {
  short m128i_i16[8];
} __m128i;
__m128i _mm_setzero_si128(void);
__m128i _mm_loadu_si128(const __m128i *p);
__m128i _mm_add_epi16(__m128i a, __m128i b);
__m128i _mm_subs_epu16(__m128i a, __m128i b);
__m128i _mm_srli_si128(__m128i a, int bytes);
int _mm_extract_epi16(__m128i a, int i);
#endif
