/* SPDX-License-Identifier: MIT */
#ifndef WEND_STUB_MATH_H
#define WEND_STUB_MATH_H
double __cdecl atan2(double y, double x);
double __cdecl cos(double x);
double __cdecl sin(double x);
double __cdecl ceil(double x);
double __cdecl fabs(double x);
float __cdecl fabsf(float x);
double __cdecl floor(double x);
double __cdecl fmax(double x, double y);
double __cdecl fmin(double x, double y);
double __cdecl fmod(double x, double y);
double __cdecl frexp(double x, int *exponent);
double __cdecl hypot(double x, double y);
double __cdecl ldexp(double x, int exponent);
double __cdecl nextafter(double x, double y);
double __cdecl sqrt(double x);
short __cdecl _dtest(double *x);
#define HUGE_VAL ((double)1e308 * 10)
#define INFINITY ((float)(1e308 * 10))
#define NAN ((float)(INFINITY * 0.0F))
#define isnan(x) ((x) != (x))
#define isinf(x) ((x) - (x) != (x) - (x) && (x) == (x))
#define isfinite(x) ((x) - (x) == (x) - (x))
#define signbit(x) (__builtin_signbit(x))
#endif
