/* SPDX-License-Identifier: MIT */
/* The tags of a map in files: section TAGS. */
#ifndef WEND_CODEC_TAGS_H
#define WEND_CODEC_TAGS_H

#include "core/codec/file.h"

/* Writes the tags of a map; without tags, no section. */
void wend_write_tags(wend_file_out *f, const wend_map *map);
/* Reads the tags into a map that has none. FORMAT: a name is empty or there twice, or the section is damaged. NO_MEMORY. */
wend_status wend_read_tags(wend_file_in *f, wend_map *map);

#endif
