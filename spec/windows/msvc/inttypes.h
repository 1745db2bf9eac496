/* SPDX-License-Identifier: MIT */
#ifndef WEND_STUB_INTTYPES_H
#define WEND_STUB_INTTYPES_H
#include <stdint.h>
#define PRIx64 "llx"
#endif
