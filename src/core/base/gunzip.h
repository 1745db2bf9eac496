/* SPDX-License-Identifier: MIT */
/* Unpacks gzip files (RFC 1952) that were packed by deflate (RFC 1951), so that no other program is started for them. */
#ifndef WEND_UNPACK_H
#define WEND_UNPACK_H

#include "core/base/memory.h"

/* The size of what gzip data holds, at most max_bytes. FORMAT: it is no gzip data, or damaged; *size: how much could be
 * unpacked. BUDGET: it holds more than max_bytes. Takes no memory beside the stack, about 40 KB of it. */
wend_status wend_gunzip_size(const void *packed, size_t packed_size, uint64_t max_bytes, uint64_t *size);
/* Unpacks data into `bytes`, which have room for `size` of them, as wend_gunzip_size gave it. FORMAT: a checksum is wrong. */
wend_status wend_gunzip(const void *packed, size_t packed_size, void *bytes, size_t size);

#endif
