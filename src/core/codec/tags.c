/* SPDX-License-Identifier: MIT */
/* Section TAGS: for each tag, in the order of the numbers 1, 2, 3, ..., a length of 4 bytes and the text. Example: the tags
 * "road" and "mud" are 04 00 00 00 "road" 03 00 00 00 "mud". */
#include "core/codec/tags.h"

#include <stdlib.h>
#include <string.h>

#include "core/map/map.h"

/* By name, for qsort: by bytes, a shorter one first. */
static int by_name(const void *a, const void *b) {
  const wend_tag_entry *one = a, *other = b;
  const size_t length = one->length < other->length ? one->length : other->length;
  const int order = memcmp(one->name, other->name, length);
  return order != 0 ? order : (one->length > other->length) - (one->length < other->length);
}

wend_status wend_rank_tags(wend_map *map, wend_tag_ranks *ranks) {
  const wend_alloc *alloc = &map->alloc;
  const size_t tags = wend_map_tag_count(map);
  wend_status status = WEND_OK;
  uint64_t *counts;
  memset(ranks, 0, sizeof *ranks);
  ranks->bytes = (tags + 1) * (sizeof *counts + sizeof *ranks->entries + sizeof *ranks->rank);
  counts = ranks->block = alloc->resize(alloc->ud, NULL, 0, ranks->bytes);
  if (counts == NULL) return WEND_NO_MEMORY;
  ranks->entries = (wend_tag_entry *)(void *)(counts + tags + 1);
  ranks->rank = (uint16_t *)(void *)(ranks->entries + tags + 1);
  memset(ranks->rank, 0, (tags + 1) * sizeof *ranks->rank);
  if (map->is_grid) wend_grid_count_tags((const wend_grid *)map, counts);
  else status = wend_graph_count_tags((wend_graph *)map, counts);
  if (status != WEND_OK) {
    wend_tag_ranks_free(ranks, alloc);
    return status;
  }
  for (uint32_t tag = 1; tag <= tags; tag++) {
    wend_tag_entry *entry = &ranks->entries[ranks->count];
    if (counts[tag] == 0) continue;
    entry->name = wend_map_tag_name(map, tag, &entry->length);
    entry->tag = tag;
    ranks->count++;
  }
  if (ranks->count > 1) qsort(ranks->entries, ranks->count, sizeof *ranks->entries, by_name);
  for (uint32_t i = 0; i < ranks->count; i++) ranks->rank[ranks->entries[i].tag] = (uint16_t)(i + 1);
  return WEND_OK;
}

void wend_tag_ranks_free(wend_tag_ranks *ranks, const wend_alloc *alloc) {
  if (ranks->block != NULL) alloc->resize(alloc->ud, ranks->block, ranks->bytes, 0);
  ranks->block = NULL;
}

uint32_t wend_tag_number(const wend_file_out *f, uint32_t tag) { return f->ranks != NULL ? f->ranks->rank[tag] : tag; }

void wend_write_tags(wend_file_out *f, const wend_map *map) {
  wend_write_some_tags(f, map, f->ranks != NULL ? f->ranks->count : map->own_tags);
}

void wend_write_some_tags(wend_file_out *f, const wend_map *map, uint32_t count) {
  wend_file_begin_section(f, "TAGS", count > 0);
  for (uint32_t i = 0; i < count; i++) {
    size_t length = 0;
    const char *name = wend_map_tag_name(map, f->ranks != NULL ? f->ranks->entries[i].tag : i + 1, &length);
    wend_write_uint(&f->w, length, 4);
    wend_write_bytes(&f->w, name, length);
  }
  wend_file_end_section(f);
}

wend_status wend_read_tags(wend_file_in *f, wend_map *map) {
  wend_tag_numbers tags = {0, 0, NULL};
  wend_status status = wend_read_tag_numbers(wend_file_section(f, "TAGS"), &map->alloc, map, true, &tags);
  for (uint32_t tag = 1; tag <= tags.count && status == WEND_OK; tag++)
    if (tags.of[tag] != tag) status = WEND_FORMAT; /* the file has the name twice */
  WEND_FREE(&map->alloc, tags.of, tags.capacity);
  return status;
}

wend_status wend_read_tag_numbers(wend_reader *r, const wend_alloc *alloc, wend_map *map, bool add, wend_tag_numbers *tags) {
  /* A tag takes at least 5 bytes. */
  if (!WEND_RESIZE(alloc, tags->of, tags->capacity, r->left / 5 + 2)) return WEND_NO_MEMORY;
  tags->of[0] = WEND_UNTAGGED;
  while (r->left > 0 && tags->count < WEND_TAG_MAX) {
    const uint32_t length = (uint32_t)wend_read_uint(r, 4);
    const uint8_t *name = wend_read_items(r, length, 1);
    uint32_t *number = &tags->of[++tags->count];
    if (name == NULL || length == 0) return WEND_FORMAT;
    if (!add) {
      const uint32_t known = wend_names_find(&map->tag_names, (const char *)name, length);
      *number = known == WEND_NONE ? WEND_NONE : known + 1;
    } else if (wend_map_tag(map, (const char *)name, length, number) != WEND_OK) {
      return WEND_NO_MEMORY;
    }
  }
  return r->failed || r->left > 0 ? WEND_FORMAT : WEND_OK;
}
