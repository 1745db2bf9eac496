/* SPDX-License-Identifier: MIT */
/* The checksum of zlib, gzip and PNG. */
#ifndef WEND_CRC_H
#define WEND_CRC_H

#include "core/base/memory.h"

/* The CRC-32 of `size` bytes, with the polynomial 0xedb88320: W. Peterson, D. Brown, "Cyclic codes for error detection"
 * (1961). The checksum of the nine bytes "123456789" is 0xcbf43926. bytes may be NULL where size is 0. */
uint32_t wend_crc(const uint8_t *bytes, size_t size);

#endif
