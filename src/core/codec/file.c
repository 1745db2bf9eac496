/* SPDX-License-Identifier: MIT */
/* What all files have in common: see file.h. */
#include "core/codec/file.h"

#include "core/map/grid.h"
#include "core/map/graph.h"

/* CRC-32 takes sixteen bytes at a time, by a table for each: M. Kounavis, F. Berry, "Novel table lookup-based algorithms for
 * high-performance CRC generation" (2008).
 *
 * The tables are constants, so that threads can share them without a first call that fills them. Each is linear: the entry
 * of a byte is the exclusive or of the entries of its bits. So eight numbers give a table of 256. Table 0 is the usual one
 * (polynomial 0xedb88320); entry i of table k is entry i of table k - 1 with a zero byte after it. */
#define ENTRIES_2(x, a) (x), (x) ^ (a)
#define ENTRIES_4(x, a, b) ENTRIES_2(x, a), ENTRIES_2((x) ^ (b), a)
#define ENTRIES_8(x, a, b, c) ENTRIES_4(x, a, b), ENTRIES_4((x) ^ (c), a, b)
#define ENTRIES_16(x, a, b, c, d) ENTRIES_8(x, a, b, c), ENTRIES_8((x) ^ (d), a, b, c)
#define ENTRIES_32(x, a, b, c, d, e) ENTRIES_16(x, a, b, c, d), ENTRIES_16((x) ^ (e), a, b, c, d)
#define ENTRIES_64(x, a, b, c, d, e, f) ENTRIES_32(x, a, b, c, d, e), ENTRIES_32((x) ^ (f), a, b, c, d, e)
#define ENTRIES_128(x, a, b, c, d, e, f, g) ENTRIES_64(x, a, b, c, d, e, f), ENTRIES_64((x) ^ (g), a, b, c, d, e, f)
#define TABLE(a, b, c, d, e, f, g, h) \
  { ENTRIES_128(0u, a, b, c, d, e, f, g), ENTRIES_128(h, a, b, c, d, e, f, g) }

/* clang-format off: a line for each table, from the entry of bit 0 to that of bit 7. */
static const uint32_t crc_tables[16][256] = {
    TABLE(0x77073096u, 0xee0e612cu, 0x076dc419u, 0x0edb8832u, 0x1db71064u, 0x3b6e20c8u, 0x76dc4190u, 0xedb88320u),
    TABLE(0x191b3141u, 0x32366282u, 0x646cc504u, 0xc8d98a08u, 0x4ac21251u, 0x958424a2u, 0xf0794f05u, 0x3b83984bu),
    TABLE(0x01c26a37u, 0x0384d46eu, 0x0709a8dcu, 0x0e1351b8u, 0x1c26a370u, 0x384d46e0u, 0x709a8dc0u, 0xe1351b80u),
    TABLE(0xb8bc6765u, 0xaa09c88bu, 0x8f629757u, 0xc5b428efu, 0x5019579fu, 0xa032af3eu, 0x9b14583du, 0xed59b63bu),
    TABLE(0x3d6029b0u, 0x7ac05360u, 0xf580a6c0u, 0x30704bc1u, 0x60e09782u, 0xc1c12f04u, 0x58f35849u, 0xb1e6b092u),
    TABLE(0xcb5cd3a5u, 0x4dc8a10bu, 0x9b914216u, 0xec53826du, 0x03d6029bu, 0x07ac0536u, 0x0f580a6cu, 0x1eb014d8u),
    TABLE(0xa6770bb4u, 0x979f1129u, 0xf44f2413u, 0x33ef4e67u, 0x67de9cceu, 0xcfbd399cu, 0x440b7579u, 0x8816eaf2u),
    TABLE(0xccaa009eu, 0x4225077du, 0x844a0efau, 0xd3e51bb5u, 0x7cbb312bu, 0xf9766256u, 0x299dc2edu, 0x533b85dau),
    TABLE(0x177b1443u, 0x2ef62886u, 0x5dec510cu, 0xbbd8a218u, 0xacc04271u, 0x82f182a3u, 0xde920307u, 0x6655004fu),
    TABLE(0xefc26b3eu, 0x04f5d03du, 0x09eba07au, 0x13d740f4u, 0x27ae81e8u, 0x4f5d03d0u, 0x9eba07a0u, 0xe6050901u),
    TABLE(0xc18edfc0u, 0x586cb9c1u, 0xb0d97382u, 0xbac3e145u, 0xaef6c4cbu, 0x869c8fd7u, 0xd64819efu, 0x77e1359fu),
    TABLE(0x9ba54c6fu, 0xec3b9e9fu, 0x03063b7fu, 0x060c76feu, 0x0c18edfcu, 0x1831dbf8u, 0x3063b7f0u, 0x60c76fe0u),
    TABLE(0xdd96d985u, 0x605cb54bu, 0xc0b96a96u, 0x5a03d36du, 0xb407a6dau, 0xb37e4bf5u, 0xbd8d91abu, 0xa06a2517u),
    TABLE(0x9d0fe176u, 0xe16ec4adu, 0x19ac8f1bu, 0x33591e36u, 0x66b23c6cu, 0xcd6478d8u, 0x41b9f7f1u, 0x8373efe2u),
    TABLE(0xb9fbdbe8u, 0xa886b191u, 0x8a7c6563u, 0xcf89cc87u, 0x44629f4fu, 0x88c53e9eu, 0xcafb7b7du, 0x4e87f0bbu),
    TABLE(0xae689191u, 0x87a02563u, 0xd4314c87u, 0x73139f4fu, 0xe6273e9eu, 0x173f7b7du, 0x2e7ef6fau, 0x5cfdedf4u),
};
/* clang-format on */
#undef ENTRIES_2
#undef ENTRIES_4
#undef ENTRIES_8
#undef ENTRIES_16
#undef ENTRIES_32
#undef ENTRIES_64
#undef ENTRIES_128
#undef TABLE

/* What four bytes come to, of which `after` more follow in a turn. */
static inline uint32_t sum_of(uint64_t four, int after) {
  return crc_tables[after + 3][four & 255] ^ crc_tables[after + 2][four >> 8 & 255] ^
         crc_tables[after + 1][four >> 16 & 255] ^ crc_tables[after][four >> 24];
}

uint32_t wend_crc(const uint8_t *bytes, size_t size) {
  uint32_t crc = UINT32_MAX;
  for (; size >= 16; size -= 16, bytes += 16)
    crc = sum_of(wend_load_four(bytes) ^ crc, 12) ^ sum_of(wend_load_four(bytes + 4), 8) ^
          sum_of(wend_load_four(bytes + 8), 4) ^ sum_of(wend_load_four(bytes + 12), 0);
  for (; size > 0; size--, bytes++) crc = crc >> 8 ^ crc_tables[0][(crc ^ *bytes) & 255];
  return ~crc;
}

/* ---- Writing ----------------------------------------------------------------------------------------------- */

void wend_file_begin(wend_file_out *f, uint8_t *bytes, wend_file_kind kind, unsigned version) {
  f->w.at = f->bytes = bytes;
  f->w.size = f->section = 0;
  f->version = version;
  wend_write_bytes(&f->w, "WEND", 4);
  wend_write_uint(&f->w, (uint64_t)kind, 1);
  wend_write_uint(&f->w, version, 1);
  wend_write_uint(&f->w, 0, 2);
  wend_write_uint(&f->w, 0, 8);
}

/* A length that was left open. */
static void fill_in(uint8_t *at, uint64_t length) {
  wend_store_four(at, (uint32_t)length);
  wend_store_four(at + 4, (uint32_t)(length >> 32));
}

size_t wend_file_end(wend_file_out *f) {
  const size_t size = f->w.size + (f->version == FILE_VERSION_OLD ? FILE_TRAILER : 0);
  if (f->bytes == NULL) return size;
  fill_in(f->bytes + 8, size);
  if (f->version == FILE_VERSION_OLD) wend_write_uint(&f->w, wend_crc(f->bytes, size - FILE_TRAILER), 4);
  return size;
}

void wend_file_begin_section(wend_file_out *f, const char *id, bool present) {
  f->section = 0;
  if (f->version == FILE_VERSION_OLD || !present) return;
  f->section = f->w.size;
  wend_write_bytes(&f->w, id, 4);
  wend_write_uint(&f->w, 0, 8);
}

void wend_file_end_section(wend_file_out *f) {
  const size_t size = f->w.size - f->section;
  if (f->section == 0) return;
  if (f->bytes != NULL) fill_in(f->bytes + f->section + 4, size - SECTION_HEAD);
  wend_write_uint(&f->w, f->bytes == NULL ? 0 : wend_crc(f->bytes + f->section, size), 4);
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

wend_file_kind wend_file_kind_of(const void *bytes, size_t size) {
  const uint8_t *at = bytes;
  if (size < FILE_HEADER + FILE_TRAILER || memcmp(at, "WEND", 4) != 0) return WEND_FILE_NONE;
  switch (at[4]) {
    case WEND_FILE_GRAPH: return WEND_FILE_GRAPH;
    case WEND_FILE_GRID: return WEND_FILE_GRID;
    case WEND_FILE_FIELD: return WEND_FILE_FIELD;
    case WEND_FILE_ROUTE_TABLE: return WEND_FILE_ROUTE_TABLE;
    default: return WEND_FILE_NONE;
  }
}

/* Whether a reader that does not know the section may skip it: its identifier begins with a small letter. */
static bool is_optional(const uint8_t *id) { return id[0] >= 'a' && id[0] <= 'z'; }

/* "extr" is the only optional section that this reader knows. */
static bool is_skipped(const uint8_t *id) { return is_optional(id) && memcmp(id, "extr", 4) != 0; }

/* Whether the sections fill the bytes, and their checksums are right. */
static bool are_sections(const uint8_t *at, size_t left) {
  while (left > 0) {
    uint64_t length;
    if (left <= SECTION_BYTES) return false;
    length = wend_load_uint(at + 4, 8);
    if (length == 0 || length > left - SECTION_BYTES) return false;
    if (wend_load_four(at + SECTION_HEAD + (size_t)length) != wend_crc(at, SECTION_HEAD + (size_t)length)) return false;
    at += SECTION_BYTES + (size_t)length;
    left -= SECTION_BYTES + (size_t)length;
  }
  return true;
}

/* The section that every file of a kind begins with. So a damaged kind is seen, which no checksum covers. */
static const char *first_of(wend_file_kind kind) {
  switch (kind) {
    case WEND_FILE_GRAPH: return "GRPH";
    case WEND_FILE_GRID: return "GRID";
    case WEND_FILE_FIELD: return "FELD";
    default: return "ROUT";
  }
}

bool wend_file_open_in(wend_file_in *f, const uint8_t *bytes, size_t size, wend_file_kind kind) {
  const wend_reader nothing = {bytes, 0, true};
  f->rest = nothing;
  f->section = nothing;
  if (kind == WEND_FILE_NONE || wend_file_kind_of(bytes, size) != kind) return false;
  f->version = bytes[5];
  if (bytes[6] != 0 || bytes[7] != 0 || wend_load_uint(bytes + 8, 8) != size) return false;
  f->rest.at = bytes + FILE_HEADER;
  f->rest.left = size - FILE_HEADER;
  if (f->version == FILE_VERSION_OLD) {
    f->rest.left -= FILE_TRAILER;
    if (wend_load_four(bytes + size - FILE_TRAILER) != wend_crc(bytes, size - FILE_TRAILER)) return false;
  } else if (f->version != FILE_VERSION || memcmp(f->rest.at, first_of(kind), 4) != 0 ||
             !are_sections(f->rest.at, f->rest.left)) {
    return false;
  }
  f->rest.failed = f->section.failed = false;
  return true;
}

bool wend_file_open(wend_reader *r, const uint8_t *bytes, size_t size, wend_file_kind kind) {
  wend_file_in f;
  const bool whole = wend_file_open_in(&f, bytes, size, kind);
  *r = f.rest;
  return whole;
}

bool wend_file_is_whole(const void *bytes, size_t size) {
  wend_reader r;
  return wend_file_open(&r, bytes, size, wend_file_kind_of(bytes, size));
}

/* Goes on to the section after the present one; it has been checked that it is whole. */
static void skip_unknown(wend_file_in *f) {
  f->rest.failed = f->rest.failed || !wend_file_is_done(&f->section);
  while (!f->rest.failed && f->rest.left > 0 && is_skipped(f->rest.at))
    (void)wend_read_items(&f->rest, wend_load_uint(f->rest.at + 4, 8) + SECTION_BYTES, 1);
}

wend_reader *wend_file_section(wend_file_in *f, const char *id) {
  size_t length;
  if (f->version == FILE_VERSION_OLD) return &f->rest;
  skip_unknown(f);
  f->section.left = 0;
  f->section.failed = f->rest.failed;
  if (f->rest.failed || f->rest.left == 0 || memcmp(f->rest.at, id, 4) != 0) return &f->section;
  length = (size_t)wend_load_uint(f->rest.at + 4, 8);
  f->section.at = f->rest.at + SECTION_HEAD;
  f->section.left = length;
  (void)wend_read_items(&f->rest, length + SECTION_BYTES, 1);
  return &f->section;
}

bool wend_file_is_read(wend_file_in *f) {
  if (f->version != FILE_VERSION_OLD) skip_unknown(f);
  return wend_file_is_done(&f->rest);
}

uint32_t wend_file_count(wend_file_in *f, wend_reader *r, size_t item_bytes) {
  const uint64_t count = f->version == FILE_VERSION_OLD ? wend_read_uint(r, 4) : r->left / item_bytes;
  if (!r->failed && count <= r->left / item_bytes && count < WEND_NONE) return (uint32_t)count;
  r->failed = true;
  return 0;
}

/* ---- Parts ------------------------------------------------------------------------------------------------- */

void wend_write_tags(wend_file_out *f, const wend_map *map) {
  const uint32_t count = wend_map_tag_count(map);
  wend_file_begin_section(f, "TAGS", count > 0);
  if (f->version == FILE_VERSION_OLD) wend_write_uint(&f->w, count, 4);
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
  const bool old = f->version == FILE_VERSION_OLD;
  const uint32_t count = old ? (uint32_t)wend_read_uint(r, 4) : WEND_TAG_MAX;
  if (count > WEND_TAG_MAX) return WEND_FORMAT;
  for (uint32_t tag = 1; tag <= count && !r->failed && (old || r->left > 0); tag++) {
    const uint32_t length = (uint32_t)wend_read_uint(r, 4);
    const uint8_t *name = wend_read_items(r, length, 1);
    uint32_t number;
    if (name == NULL || length == 0) return WEND_FORMAT;
    if (wend_map_tag(map, (const char *)name, length, &number) != WEND_OK) return WEND_NO_MEMORY;
    if (number != tag) return WEND_FORMAT; /* it is there twice */
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

/* ---- Fingerprints ------------------------------------------------------------------------------------------ */

static wend_status write_map(wend_map *map, unsigned version, uint8_t *bytes, size_t *size) {
  if (map->is_grid) return wend_grid_write((const wend_grid *)map, version, NULL, 0, bytes, size);
  return wend_graph_write((wend_graph *)map, version, bytes, size);
}

/* Of version 1: the checksum at the end of the file. Of version 2: the checksum of the checksums of all sections that may
 * not be skipped. A checksum of a section with its checksum would be the same for all sections. */
static uint64_t print_of(const uint8_t *bytes, size_t size, unsigned version, uint8_t *sums) {
  const uint8_t *at = bytes + FILE_HEADER;
  size_t sum_bytes = 0;
  uint64_t all = FILE_HEADER;
  if (version == FILE_VERSION_OLD) return wend_load_four(bytes + size - FILE_TRAILER) | (uint64_t)size << 32;
  while (at < bytes + size) {
    const size_t section = (size_t)wend_load_uint(at + 4, 8) + SECTION_BYTES;
    if (!is_optional(at)) {
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
  /* The checksums are gathered over the first bytes, which have been looked at by then: a section has more than 4. */
  if (status == WEND_OK) *print = print_of(bytes, size, version, bytes);
  alloc->resize(alloc->ud, bytes, room, 0);
  return status;
}
