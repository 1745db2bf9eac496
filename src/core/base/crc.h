/* SPDX-License-Identifier: MIT */
/* The checksum of zlib, gzip and PNG. */
#ifndef WEND_CRC_H
#define WEND_CRC_H

#include "core/base/memory.h"

/* CRC-32 with the polynomial 0xedb88320: W. Peterson, D. Brown, "Cyclic codes for error detection" (1961). */
uint32_t wend_crc(const uint8_t *bytes, size_t size);

#endif
