/* SPDX-License-Identifier: MIT */
/* The tags of a map in files: section TAGS. */
#ifndef WEND_CODEC_TAGS_H
#define WEND_CODEC_TAGS_H

#include "core/codec/file.h"

void wend_write_tags(wend_file_out *f, const wend_map *map);
/* The map has no tags yet. FORMAT, NO_MEMORY. */
wend_status wend_read_tags(wend_file_in *f, wend_map *map);

#endif
