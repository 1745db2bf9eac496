/* SPDX-License-Identifier: MIT */
/* Unpacks gzip files (RFC 1952) with deflate data (RFC 1951), without another program or library. */
#ifndef WEND_GUNZIP_H
#define WEND_GUNZIP_H

#include "core/base/memory.h"

/* The unpacked size of gzip data. FORMAT: the data is damaged or not gzip; *size is the size of the part that could be
 * unpacked. BUDGET: the size exceeds max_bytes. Allocates nothing; uses about 40 KB of stack. */
wend_status wend_gunzip_size(const void *packed, size_t packed_size, uint64_t max_bytes, uint64_t *size);
/* Unpacks data into `bytes`. size: the result of wend_gunzip_size. FORMAT: a checksum is wrong. */
wend_status wend_gunzip(const void *packed, size_t packed_size, void *bytes, size_t size);

#endif
