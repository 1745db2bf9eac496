/* SPDX-License-Identifier: MIT */
/* The tags of a map in files: section TAGS. */
#ifndef WEND_CODEC_TAGS_H
#define WEND_CODEC_TAGS_H

#include "core/codec/file.h"

/* A name of a tag. */
typedef struct wend_tag_entry {
  const char *name;
  size_t length;
  uint32_t tag;
} wend_tag_entry;

/* The tags that something of a map has, numbered 1, 2, ... in the order of their names. So maps with equal contents have equal
 * numbers, whatever the order in which their tags were named. */
typedef struct wend_tag_ranks {
  wend_tag_entry *entries; /* by number - 1 */
  uint32_t count;
  uint16_t *rank; /* by tag; 0: nothing has it */
  void *block;
  size_t bytes;
} wend_tag_ranks;

/* Numbers the tags of a map. OK, NO_MEMORY. Takes O(size of the map). */
wend_status wend_rank_tags(wend_map *map, wend_tag_ranks *ranks);
void wend_tag_ranks_free(wend_tag_ranks *ranks, const wend_alloc *alloc);

/* Writes the tags of a map; without tags, no section. */
void wend_write_tags(wend_file_out *f, const wend_map *map);
/* The same, only the first ones. */
void wend_write_some_tags(wend_file_out *f, const wend_map *map, uint32_t count);
/* The number of a tag in a file. */
uint32_t wend_tag_number(const wend_file_out *f, uint32_t tag);
/* wend_graph_encode_bare and wend_grid_encode_bare with these numbers: equal for maps with equal contents. */
wend_status wend_graph_encode_ranked(wend_graph *graph, const wend_tag_ranks *ranks, void *bytes, size_t *size);
wend_status wend_grid_encode_ranked(const wend_grid *grid, const wend_tag_ranks *ranks, void *bytes, size_t *size);
/* Reads the tags into a map that has none. FORMAT: a name is empty or there twice, or the section is damaged. NO_MEMORY. */
wend_status wend_read_tags(wend_file_in *f, wend_map *map);

/* The numbers of the tags of a file, in a map with other numbers. */
typedef struct wend_tag_numbers {
  uint32_t count, capacity, *of; /* of: by number in the file, 0 .. count */
} wend_tag_numbers;

/* Reads section TAGS. tags: zeros at first; the caller frees `of`. Names that the map does not know: with `add` it gets them;
 * otherwise their number is WEND_NONE. FORMAT, NO_MEMORY. */
wend_status wend_read_tag_numbers(wend_reader *r, const wend_alloc *alloc, wend_map *map, bool add, wend_tag_numbers *tags);

/* Section LINK of grids: the portals; and reads them into a grid that has none. numbers: of its tags; NULL: those of the grid. FORMAT,
 * NO_MEMORY. */
void wend_write_portals(wend_file_out *f, const wend_grid *grid);
wend_status wend_read_portals(wend_file_in *f, wend_grid *grid, const wend_tag_numbers *numbers);

#endif
