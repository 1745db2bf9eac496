/* SPDX-License-Identifier: MIT */
#ifndef WEND_STUB_INTRIN_H
#define WEND_STUB_INTRIN_H
unsigned char _BitScanForward64(unsigned long *index, unsigned __int64 word);
unsigned char _BitScanReverse64(unsigned long *index, unsigned __int64 word);
#endif
