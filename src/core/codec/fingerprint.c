/* SPDX-License-Identifier: MIT */
/* A fingerprint is made from the file of the map, which is written to memory for this purpose:
 *
 *   version 1   low half: the checksum at the end of the file
 *   version 2   low half: the checksum of the checksums of all sections that may not be skipped
 *   both        high half: the size of what was summed up
 *
 * The checksum of the whole file would not do for version 2: the CRC of a section with its CRC behind it is the same
 * for all sections. */
#include "core/codec/fingerprint.h"

#include "core/base/crc.h"
#include "core/codec/file.h"
#include "core/codec/graph.h"
#include "core/codec/grid.h"
#include "core/map/map.h"

static wend_status write_map(wend_map *map, unsigned version, uint8_t *bytes, size_t *size) {
  if (map->is_grid) return wend_grid_write((const wend_grid *)map, version, NULL, 0, bytes, size);
  return wend_graph_write((wend_graph *)map, version, bytes, size);
}

static uint64_t print_of(const uint8_t *bytes, size_t size, unsigned version, uint8_t *sums) {
  const uint8_t *at = bytes + FILE_HEADER;
  size_t sum_bytes = 0;
  uint64_t all = FILE_HEADER;
  if (version == FILE_VERSION_OLD) return wend_load_four(bytes + size - FILE_TRAILER) | (uint64_t)size << 32;
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

wend_status wend_map_fingerprint(wend_map *map, unsigned version, uint64_t *print) {
  const wend_alloc *alloc = &map->alloc;
  uint8_t *bytes;
  size_t size, room;
  wend_status status = write_map(map, version, NULL, &size);
  if (status != WEND_OK) return status;
  room = size;
  bytes = alloc->resize(alloc->ud, NULL, 0, room);
  if (bytes == NULL) return WEND_NO_MEMORY;
  status = write_map(map, version, bytes, &size);
  /* The checksums are collected in the first bytes of the file. Those have been read by then: a section has more
   * than 4. */
  if (status == WEND_OK) *print = print_of(bytes, size, version, bytes);
  alloc->resize(alloc->ud, bytes, room, 0);
  return status;
}
