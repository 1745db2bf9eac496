/* SPDX-License-Identifier: MIT */
/* Fingerprints of maps: files of what belongs to a map hold the fingerprint of it. */
#ifndef WEND_CODEC_FINGERPRINT_H
#define WEND_CODEC_FINGERPRINT_H

#include "core/codec/file.h"

/* Computes the fingerprint of a map, into *print: a number that depends on everything in the file of the map except optional
 * sections. Two different maps of the same size have the same fingerprint with a probability of about 1 in 4 billion. It writes
 * the whole file to memory. NO_MEMORY. */
wend_status wend_map_fingerprint(wend_map *map, uint64_t *print);

/* Begins a file of what belongs to a map, and its first section, which begins with the fingerprint. NO_MEMORY: not if `bytes` is
 * NULL. */
wend_status wend_file_begin_of(wend_file_out *f, void *bytes, wend_file_kind kind, const char *id, wend_map *map);
/* Opens such a file. *r: its first section, behind the fingerprint. FORMAT, NO_MEMORY; STALE: it belongs to another map. */
wend_status wend_file_open_of(wend_file_in *f, const void *bytes, size_t size, wend_file_kind kind, const char *id,
                              wend_map *map, wend_reader **r);

#endif
