/* SPDX-License-Identifier: MIT */
/* A fingerprint is computed from the file of the map, which is written to memory for this purpose:
 *
 *   | size, the lower 32 bits | checksum |
 *
 * Only tags that something has count, and they are numbered by their names (tags.h). So an edit that is undone leaves the
 * fingerprint as it was, also when it named a new tag, and the order in which tags were named does not matter.
 *
 * The size is that of the header and all required sections. The checksum is that of the checksums of these sections.
 *
 * An example, a graph of 4 nodes in a row: header 16, GRPH 44, NODE 100, EDGE 85, ARCS 88 bytes, in all 333 = 0x14d. The
 * checksum of the four checksums, 16 bytes, is 0x9293369b. The fingerprint is 0x14d9293369b.
 *
 * The checksum of the whole file would be useless: the CRC of a section of some length with its own CRC behind it
 * does not depend on the contents of the section. */
#include "core/codec/fingerprint.h"

#include "core/base/crc.h"
#include "core/codec/tags.h"
#include "core/map/graph_store.h"
#include "core/map/grid.h"

/* The fingerprint of the map whose file is in `bytes`. sums: room for 4 bytes for each section. */
static uint64_t print_of(const uint8_t *bytes, size_t size, uint8_t *sums) {
  const uint8_t *at = bytes + FILE_HEADER;
  size_t sum_bytes = 0;
  uint64_t all = FILE_HEADER;
  while (at < bytes + size) {
    const size_t section = (size_t)wend_load_uint(at + 4, 8) + SECTION_BYTES;
    if (!wend_file_is_optional(at)) {
      memcpy(sums + sum_bytes, at + section - 4, 4);
      sum_bytes += 4;
      all += section;
    }
    at += section;
  }
  return wend_crc(sums, sum_bytes) | all << 32;
}

/* The same for both kinds of maps. */
static wend_status encode_ranked(wend_map *map, const wend_tag_ranks *ranks, void *bytes, size_t *size) {
  if (map->is_grid) return wend_grid_encode_ranked((const wend_grid *)map, ranks, bytes, size);
  return wend_graph_encode_ranked((wend_graph *)map, ranks, bytes, size);
}

/* Allocates the file of a map without optional sections, with the allocator of the map. NO_MEMORY: *bytes is not to be freed. */
static wend_status write_file(wend_map *map, const wend_tag_ranks *ranks, uint8_t **bytes, size_t *size) {
  const wend_alloc *alloc = &map->alloc;
  wend_status status = encode_ranked(map, ranks, NULL, size);
  const size_t room = *size;
  *bytes = NULL;
  if (status != WEND_OK) return status;
  *bytes = alloc->resize(alloc->ud, NULL, 0, room);
  if (*bytes == NULL) return WEND_NO_MEMORY;
  status = encode_ranked(map, ranks, *bytes, size);
  if (status != WEND_OK) alloc->resize(alloc->ud, *bytes, room, 0);
  return status;
}

static wend_status fingerprint_of(wend_map *map, const wend_tag_ranks *ranks, uint64_t *print) {
  const wend_alloc *alloc = &map->alloc;
  uint8_t *bytes;
  size_t size;
  const wend_status status = write_file(map, ranks, &bytes, &size);
  if (status != WEND_OK) return status;
  /* The checksums overwrite the first bytes of the file, 4 bytes for each section. print_of has read these bytes before, since
   * each section is longer. */
  *print = print_of(bytes, size, bytes);
  alloc->resize(alloc->ud, bytes, size, 0);
  return WEND_OK;
}

wend_status wend_map_fingerprint(wend_map *map, uint64_t *print) {
  wend_tag_ranks ranks;
  wend_status status = wend_rank_tags(map, &ranks);
  if (status != WEND_OK) return status;
  status = fingerprint_of(map, &ranks, print);
  wend_tag_ranks_free(&ranks, &map->alloc);
  return status;
}

wend_status wend_map_digest(wend_map *map, uint64_t *digest) {
  if (!map->has_digest || map->digest_version != map->version || map->digest_labels != map->labels) {
    const wend_status status = wend_map_fingerprint(map, &map->digest);
    map->has_digest = status == WEND_OK;
    if (status != WEND_OK) return status;
    map->digest_version = map->version;
    map->digest_labels = map->labels;
  }
  *digest = map->digest;
  return WEND_OK;
}

wend_status wend_file_begin_of(wend_file_out *f, void *bytes, wend_file_kind kind, const char *id, wend_map *map) {
  uint64_t print = 0; /* the size of the file does not depend on it */
  const wend_status status = bytes == NULL ? WEND_OK : wend_map_digest(map, &print);
  if (status != WEND_OK) return status;
  wend_file_begin(f, bytes, kind);
  wend_file_begin_section(f, id, true);
  wend_write_uint(&f->w, print, 8);
  return WEND_OK;
}

wend_status wend_file_open_of(wend_file_in *f, const void *bytes, size_t size, wend_file_kind kind, const char *id,
                              wend_map *map, wend_reader **r) {
  uint64_t print, wanted;
  wend_status status;
  if (!wend_file_open_in(f, bytes, size, kind)) return WEND_FORMAT;
  *r = wend_file_section(f, id);
  wanted = wend_read_uint(*r, 8);
  if ((*r)->failed) return WEND_FORMAT;
  status = wend_map_digest(map, &print);
  return status != WEND_OK ? status : print == wanted ? WEND_OK : WEND_STALE;
}
