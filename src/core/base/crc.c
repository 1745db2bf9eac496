/* SPDX-License-Identifier: MIT */
/* CRC-32, sixteen bytes at a time, with one table of 256 entries for each of the sixteen: M. Kounavis, F. Berry, "Novel table
 * lookup-based algorithms for high-performance CRC generation" (2008).
 *
 * The simple algorithm takes one byte at a time: crc = crc >> 8 ^ table[(crc ^ byte) & 255]. Each step needs the result of the
 * step before. A CRC is linear, so the contributions of sixteen bytes can be looked up independently and combined by exclusive
 * or. A byte with k more bytes behind it in its group of sixteen uses table k:
 *
 *   bytes of a group   b0  b1  b2  ...  b14  b15      the CRC so far is combined with b0 .. b3 first
 *   table              15  14  13  ...    1    0
 *
 * Table 0 is the table of the simple algorithm. Entry i of table k is entry i of table k - 1 with a zero byte after it.
 *
 * The tables are constants, so threads share them and no first call fills them. A table is linear as well: the entry of a byte
 * is the exclusive or of the entries of its bits. So eight numbers, the entries of 1, 2, 4, ..., 128, define all 256. Example:
 * entry 3 of table 0 is entry 1 ^ entry 2 = 0x77073096 ^ 0xee0e612c = 0x990951ba. */
#include "core/base/crc.h"

#include "core/base/bytes.h"

/* ENTRIES_n: n entries, the first of which is x; the other arguments are the entries of the lowest bits. */
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

/* The contribution of four bytes of a group with `after` more bytes behind them. four: the bytes, the first one lowest. */
static inline uint32_t sum_of(uint64_t four, int after) {
  return crc_tables[after + 3][four & 255] ^ crc_tables[after + 2][four >> 8 & 255] ^ crc_tables[after + 1][four >> 16 & 255] ^
         crc_tables[after][four >> 24];
}

uint32_t wend_crc(const uint8_t *bytes, size_t size) {
  uint32_t crc = UINT32_MAX;
  for (; size >= 16; size -= 16, bytes += 16)
    crc = sum_of(wend_load_four(bytes) ^ crc, 12) ^ sum_of(wend_load_four(bytes + 4), 8) ^
          sum_of(wend_load_four(bytes + 8), 4) ^ sum_of(wend_load_four(bytes + 12), 0);
  for (; size > 0; size--, bytes++) crc = crc >> 8 ^ crc_tables[0][(crc ^ *bytes) & 255];
  return ~crc;
}
