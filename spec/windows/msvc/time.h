/* SPDX-License-Identifier: MIT */
#ifndef WEND_STUB_TIME_H
#define WEND_STUB_TIME_H
#include <stddef.h>
typedef long long time_t;
typedef long clock_t;
#endif
