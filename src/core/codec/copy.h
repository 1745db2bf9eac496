/* SPDX-License-Identifier: MIT */
/* Maps as bytes in memory. */
#ifndef WEND_CODEC_COPY_H
#define WEND_CODEC_COPY_H

#include "core/codec/tags.h"

/* Allocates the file of a map without optional sections, with the allocator of the map. ranks: the numbers of tags; NULL: those of
 * the map. NO_MEMORY: *bytes is not to be freed. */
wend_status wend_map_bytes(wend_map *map, const wend_tag_ranks *ranks, uint8_t **bytes, size_t *size);

#endif
