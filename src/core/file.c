/* SPDX-License-Identifier: MIT */
/* What all files have in common: see file.h. */
#include "core/file.h"

#include "core/grid.h"
#include "core/graph.h"

/* Sixteen bytes at a time: M. Kounavis, F. Berry, "Novel table lookup-based algorithms for high-performance CRC generation"
 * (2008). The tables are made when first needed; whoever else makes them meanwhile makes the same. */
static uint32_t crc_tables[16][256];

static void make_tables(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
    crc_tables[0][i] = crc;
  }
  for (uint32_t i = 0; i < 256; i++)
    for (int k = 1; k < 16; k++) crc_tables[k][i] = crc_tables[k - 1][i] >> 8 ^ crc_tables[0][crc_tables[k - 1][i] & 255];
}

/* What four bytes come to, of which `after` more follow in a turn. */
static inline uint32_t sum_of(uint64_t four, int after) {
  return crc_tables[after + 3][four & 255] ^ crc_tables[after + 2][four >> 8 & 255] ^
         crc_tables[after + 1][four >> 16 & 255] ^ crc_tables[after][four >> 24];
}

uint32_t wend_crc(const uint8_t *bytes, size_t size) {
  uint32_t crc = UINT32_MAX;
  if (crc_tables[15][255] == 0) make_tables();
  for (; size >= 16; size -= 16, bytes += 16)
    crc = sum_of(wend_load_four(bytes) ^ crc, 12) ^ sum_of(wend_load_four(bytes + 4), 8) ^
          sum_of(wend_load_four(bytes + 8), 4) ^ sum_of(wend_load_four(bytes + 12), 0);
  for (; size > 0; size--, bytes++) crc = crc >> 8 ^ crc_tables[0][(crc ^ *bytes) & 255];
  return ~crc;
}

void wend_file_begin(wend_writer *w, uint8_t *bytes, wend_file_kind kind) {
  w->at = bytes;
  w->size = 0;
  wend_write_bytes(w, "WEND", 4);
  wend_write_whole(w, (uint64_t)kind, 1);
  wend_write_whole(w, FILE_VERSION, 1);
  wend_write_whole(w, 0, 2);
  wend_write_whole(w, 0, 8);
}

size_t wend_file_end(wend_writer *w, uint8_t *bytes) {
  const size_t size = w->size + FILE_TRAILER;
  if (bytes != NULL) {
    for (unsigned i = 0; i < 8; i++) bytes[8 + i] = (uint8_t)((uint64_t)size >> 8 * i);
    wend_write_whole(w, wend_crc(bytes, w->size), 4);
  }
  return size;
}

wend_file_kind wend_file_kind_of(const void *bytes, size_t size) {
  const uint8_t *at = bytes;
  if (size < FILE_HEADER + FILE_TRAILER || memcmp(at, "WEND", 4) != 0) return WEND_FILE_NONE;
  switch (at[4]) {
    case WEND_FILE_GRAPH: return WEND_FILE_GRAPH;
    case WEND_FILE_GRID: return WEND_FILE_GRID;
    case WEND_FILE_FIELD: return WEND_FILE_FIELD;
    case WEND_FILE_ROUTES: return WEND_FILE_ROUTES;
    default: return WEND_FILE_NONE;
  }
}

bool wend_file_open(wend_reader *r, const uint8_t *bytes, size_t size, wend_file_kind kind) {
  r->at = bytes;
  r->left = 0;
  r->failed = true;
  if (kind == WEND_FILE_NONE || wend_file_kind_of(bytes, size) != kind) return false;
  if (bytes[5] != FILE_VERSION || bytes[6] != 0 || bytes[7] != 0 || wend_load_whole(bytes + 8, 8) != size) return false;
  if (wend_load_whole(bytes + size - FILE_TRAILER, 4) != wend_crc(bytes, size - FILE_TRAILER)) return false;
  r->at = bytes + FILE_HEADER;
  r->left = size - FILE_HEADER - FILE_TRAILER;
  r->failed = false;
  return true;
}

void wend_write_tags(wend_writer *w, const wend_map *map) {
  const uint32_t count = wend_map_tag_count(map);
  wend_write_whole(w, count, 4);
  for (uint32_t tag = 1; tag <= count; tag++) {
    size_t length = 0;
    const char *name = wend_map_tag_name(map, tag, &length);
    wend_write_whole(w, length, 4);
    wend_write_bytes(w, name, length);
  }
}

wend_status wend_read_tags(wend_reader *r, wend_map *map) {
  const uint32_t count = (uint32_t)wend_read_whole(r, 4);
  if (count > WEND_TAG_MAX) return WEND_FORMAT;
  for (uint32_t tag = 1; tag <= count && !r->failed; tag++) {
    const uint32_t length = (uint32_t)wend_read_whole(r, 4);
    const uint8_t *name = wend_read_items(r, length, 1);
    uint32_t number;
    if (name == NULL || length == 0) return WEND_FORMAT;
    if (wend_map_tag(map, (const char *)name, length, &number) != WEND_OK) return WEND_NO_MEMORY;
    if (number != tag) return WEND_FORMAT; /* it is there twice */
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

static wend_status encode_map(wend_map *map, uint8_t *bytes, size_t *size) {
  if (map->is_grid) return wend_grid_encode((const wend_grid *)map, NULL, 0, bytes, size);
  return wend_graph_encode((wend_graph *)map, bytes, size);
}

wend_status wend_map_fingerprint(wend_map *map, uint64_t *print) {
  const wend_alloc *alloc = &map->alloc;
  uint8_t *bytes;
  size_t size;
  wend_status status = encode_map(map, NULL, &size);
  if (status != WEND_OK) return status;
  bytes = alloc->resize(alloc->ud, NULL, 0, size);
  if (bytes == NULL) return WEND_NO_MEMORY;
  status = encode_map(map, bytes, &size);
  *print = wend_crc(bytes, size - FILE_TRAILER) | (uint64_t)size << 32; /* with its checksum every file has the same one */
  alloc->resize(alloc->ud, bytes, size, 0);
  return status;
}
