/* SPDX-License-Identifier: MIT */
/* Fingerprints of maps: files of fields and route tables hold the fingerprint of their map. */
#ifndef WEND_CODEC_FINGERPRINT_H
#define WEND_CODEC_FINGERPRINT_H

#include "wend.h"

/* A number that depends on everything that the file of a map holds, except sections that may be skipped. Two
 * different maps share it once in many millions. It differs between versions of the format. NO_MEMORY. */
wend_status wend_map_fingerprint(wend_map *map, unsigned version, uint64_t *print);

#endif
