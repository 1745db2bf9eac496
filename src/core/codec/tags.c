/* SPDX-License-Identifier: MIT */
/* Section TAGS: for each tag, in the order of the numbers 1, 2, 3, ..., a length of 4 bytes and the text. Example: the tags "road" and "mud" are 04 00 00 00 "road" 03 00 00 00 "mud". */
#include "core/codec/tags.h"

#include "core/map/map.h"

void wend_write_tags(wend_file_out *f, const wend_map *map) {
  const uint32_t count = map->own_tags;
  wend_file_begin_section(f, "TAGS", count > 0);
  for (uint32_t tag = 1; tag <= count; tag++) {
    size_t length = 0;
    const char *name = wend_map_tag_name(map, tag, &length);
    wend_write_uint(&f->w, length, 4);
    wend_write_bytes(&f->w, name, length);
  }
  wend_file_end_section(f);
}

wend_status wend_read_tags(wend_file_in *f, wend_map *map) {
  wend_reader *r = wend_file_section(f, "TAGS");
  for (uint32_t tag = 1; tag <= WEND_TAG_MAX && !r->failed && r->left > 0; tag++) {
    const uint32_t length = (uint32_t)wend_read_uint(r, 4);
    const uint8_t *name = wend_read_items(r, length, 1);
    uint32_t number;
    if (name == NULL || length == 0) return WEND_FORMAT;
    if (wend_map_tag(map, (const char *)name, length, &number) != WEND_OK) return WEND_NO_MEMORY;
    if (number != tag) return WEND_FORMAT; /* the file has the name twice */
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}
