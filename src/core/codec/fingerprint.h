/* SPDX-License-Identifier: MIT */
/* Fingerprints of maps: files of what belongs to a map hold the fingerprint of it. */
#ifndef WEND_CODEC_FINGERPRINT_H
#define WEND_CODEC_FINGERPRINT_H

#include "wend.h"

/* Computes the fingerprint of a map, into *print: a number that depends on everything in the file of the map except optional
 * sections. Two different maps of the same size have the same fingerprint with a probability of about 1 in 4 billion. It writes
 * the whole file to memory. NO_MEMORY. */
wend_status wend_map_fingerprint(wend_map *map, uint64_t *print);

#endif
