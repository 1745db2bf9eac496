/* SPDX-License-Identifier: MIT */
/* A fingerprint is computed from the file of the map, which is written to memory for this purpose:
 *
 *   | size, the lower 32 bits | checksum |
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
#include "core/codec/file.h"
#include "core/map/map.h"

/* Writes the file of a map; NULL: only counts its bytes. */
static wend_status write_map(wend_map *map, uint8_t *bytes, size_t *size) {
  if (map->is_grid) return wend_grid_encode_bare((const wend_grid *)map, NULL, 0, bytes, size);
  return wend_graph_encode_bare((wend_graph *)map, bytes, size);
}

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

wend_status wend_map_fingerprint(wend_map *map, uint64_t *print) {
  const wend_alloc *alloc = &map->alloc;
  uint8_t *bytes;
  size_t size, room;
  wend_status status = write_map(map, NULL, &size);
  if (status != WEND_OK) return status;
  room = size;
  bytes = alloc->resize(alloc->ud, NULL, 0, room);
  if (bytes == NULL) return WEND_NO_MEMORY;
  status = write_map(map, bytes, &size);
  /* The checksums overwrite the first bytes of the file, 4 bytes for each section. print_of has read these bytes before, since
   * each section is longer. */
  if (status == WEND_OK) *print = print_of(bytes, size, bytes);
  alloc->resize(alloc->ud, bytes, room, 0);
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
