/* SPDX-License-Identifier: MIT */
/* Unpacks gzip and zlib data (L. P. Deutsch, J.-L. Gailly, RFC 1950 "ZLIB", RFC 1951 "DEFLATE" and RFC 1952 "GZIP", 1996) bit
 * by bit, after the example of M. Adler's puff. It is simple rather than fast: parsing the result takes much longer.
 *
 *   gzip      members, one after another: header, blocks, checksum and size      unpack_all, take_header
 *   zlib      header, blocks, checksum                                           unpack_zlib
 *   block     stored bytes, or symbols of two Huffman codes                      unpack_blocks
 *   symbol    a byte, the end of the block, or a copy: length and distance       unpack_codes
 *
 * The data is unpacked twice. The first run only counts, with a window of the last 32 KB. So the memory for the result is
 * allocated after its size is known and allowed. The second run unpacks into that memory and compares checksums.
 *
 * Invariant: `done` bytes were written, done <= max, and byte i of the result is at out[i & mask]. The first failure sets
 * `status`, which later failures do not change. Bytes past the end of the data are read as zeros, and all loops end soon.
 *
 * Huffman codes (D. Huffman, 1952). A code is given by the length of the code of each symbol. Codes of equal length are
 * consecutive numbers, in the order of the symbols, and follow the shorter codes. Example: symbols A, B, C, D with lengths
 * 2, 1, 3, 3:
 *
 *   B 0      count[1] = 1     symbol = B A C D: the symbols in the order of their codes
 *   A 10     count[2] = 1
 *   C 110    count[3] = 2
 *   D 111
 *
 * take_symbol reads the bits 1 1 0. `first` is the first code of a length, `index` its place in `symbol`:
 *
 *   length 1   code 1     first 0   count 1   1 is not below 0 + 1: longer     index 1, first (0 + 1) x 2 = 2
 *   length 2   code 11    first 2   count 1   3 is not below 2 + 1: longer     index 2, first (2 + 1) x 2 = 6
 *   length 3   code 110   first 6   count 2   6 is below 6 + 2: found          symbol[2 + 6 - 6] = C
 *
 * Copies. "abcabcabc" packed with the fixed codes takes 7 bytes, 4b 4c 4a 4e 04 23 00. Bits are read from the lowest of each
 * byte upwards:
 *
 *   1  10                               the last block, fixed codes (type 1, its lower bit first)
 *   10010001 10010010 10010011          the bytes a, b, c: 97 .. 99 have the codes 145 .. 147, of 8 bits
 *   10010001                            the byte a again
 *   0000011  00010                      symbol 259 is a copy of length 5; distance symbol 2 is a distance of 3
 *   0000000                             symbol 256 ends the block
 *
 * The copy starts at byte 1 and writes from byte 4 on. From its fourth byte on it reads what it has written itself. */
#include <string.h>

#include "core/base/crc.h"

#define GZIP_WINDOW 32768u
#define LENGTH_MAX 15 /* the greatest length of a code, in bits */
#define LITERALS 288  /* the symbols of literals and lengths; the last two are never used */
#define LITERALS_USED 286
#define DISTANCES 30
#define END 256 /* the symbol that ends a block */

typedef struct unpacker {
  const uint8_t *in; /* the next byte of the data */
  size_t left;       /* bytes of the data from `in` on */
  uint32_t bits;     /* bits that were read and not used yet, the next one lowest */
  unsigned bit_count;
  uint8_t *out;             /* the result, or the window */
  size_t mask;              /* for indexes into out: all bits, or those of the window */
  uint64_t done, from, max; /* bytes written; bytes before this member; the most that may be written */
  wend_status status;
} unpacker;

typedef struct huffman {
  uint16_t count[LENGTH_MAX + 1]; /* by length: how many codes have it; [0]: symbols without a code */
  uint16_t symbol[LITERALS];      /* in the order of their codes */
} huffman;

/* Notes a failure, unless there was one before. Returns false. */
static bool fail(unpacker *u, wend_status status) {
  if (u->status == WEND_OK) u->status = status;
  return false;
}

/* The next byte of the data. Past the end, 0 and a failure. */
static unsigned take_byte(unpacker *u) {
  if (u->left == 0) {
    fail(u, WEND_FORMAT);
    return 0;
  }
  u->left--;
  return *u->in++;
}

/* Reads a number of up to 16 bits, the lowest bit first. Bits past the end are 0. */
static unsigned take_bits(unpacker *u, unsigned count) {
  unsigned value;
  while (u->bit_count < count) {
    u->bits |= (uint32_t)take_byte(u) << u->bit_count;
    u->bit_count += 8;
  }
  value = u->bits & ((1u << count) - 1u);
  u->bits >>= count;
  u->bit_count -= count;
  return value;
}

/* Appends a byte to the result. False, BUDGET: the result has `max` bytes already. */
static bool put_byte(unpacker *u, uint8_t byte) {
  if (u->done == u->max) return fail(u, WEND_BUDGET);
  u->out[(size_t)u->done & u->mask] = byte;
  u->done++;
  return true;
}

/* ---- Codes ------------------------------------------------------------------------------------------------- */

/* Makes a code. lengths: for each of `count` symbols the length of its code in bits, 0: it has none. Returns the number of
 * unused codes of the greatest length. 0: the code is complete. Negative: there are more codes than bits can tell apart. */
static int make_code(huffman *h, const uint8_t *lengths, int count) {
  uint16_t offset[LENGTH_MAX + 1];
  int left = 1;
  memset(h->count, 0, sizeof h->count);
  for (int i = 0; i < count; i++) h->count[lengths[i]]++;
  if (h->count[0] == count) return 0; /* no codes: complete */
  for (int length = 1; length <= LENGTH_MAX; length++) {
    left = left * 2 - h->count[length];
    if (left < 0) return left;
  }
  offset[1] = 0;
  for (int length = 1; length < LENGTH_MAX; length++) offset[length + 1] = (uint16_t)(offset[length] + h->count[length]);
  for (int i = 0; i < count; i++)
    if (lengths[i] != 0) h->symbol[offset[lengths[i]]++] = (uint16_t)i;
  return left;
}

/* Reads the next symbol, bit by bit: the example at the top. Negative: no symbol has this code, or the data has ended. */
static int take_symbol(unpacker *u, const huffman *h) {
  int code = 0, first = 0, index = 0;
  for (int length = 1; length <= LENGTH_MAX && u->status == WEND_OK; length++) {
    const int count = h->count[length];
    code |= (int)take_bits(u, 1);
    if (code - count < first) return u->status == WEND_OK ? h->symbol[index + (code - first)] : -1;
    index += count;
    first = (first + count) * 2;
    code *= 2;
  }
  return -1;
}

/* Reads the lengths of the codes of a block. They are packed by a code of their own, `code`: symbols 0 to 15 are lengths, 16
 * repeats the last length 3 to 6 times, 17 repeats 0 3 to 10 times, and 18 repeats 0 11 to 138 times. */
static bool take_lengths(unpacker *u, const huffman *code, uint8_t *lengths, int count) {
  int at = 0;
  while (at < count) {
    int symbol = take_symbol(u, code), times = 1;
    uint8_t length = (uint8_t)symbol;
    if (symbol < 0) return fail(u, WEND_FORMAT);
    if (symbol >= 16) {
      if (symbol == 16 && at == 0) return fail(u, WEND_FORMAT); /* nothing to repeat */
      length = symbol == 16 ? lengths[at - 1] : 0;
      times = symbol == 16 ? 3 + (int)take_bits(u, 2) : symbol == 17 ? 3 + (int)take_bits(u, 3) : 11 + (int)take_bits(u, 7);
    }
    if (at + times > count) return fail(u, WEND_FORMAT);
    while (times-- > 0) lengths[at++] = length;
  }
  return true;
}

/* Reads the two codes of a block, which begin it. */
static bool take_codes(unpacker *u, huffman *literals, huffman *distances) {
  /* The order in which the format stores the lengths of the code of lengths: those that are often 0 come last. */
  static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  uint8_t lengths[LITERALS + 32];
  const int literal_count = (int)take_bits(u, 5) + 257, distance_count = (int)take_bits(u, 5) + 1;
  const int order_count = (int)take_bits(u, 4) + 4;
  int left;
  if (literal_count > LITERALS_USED || distance_count > DISTANCES) return fail(u, WEND_FORMAT);
  memset(lengths, 0, sizeof lengths);
  for (int i = 0; i < order_count; i++) lengths[order[i]] = (uint8_t)take_bits(u, 3);
  if (make_code(literals, lengths, 19) != 0) return fail(u, WEND_FORMAT); /* the code of lengths must be complete */
  if (!take_lengths(u, literals, lengths, literal_count + distance_count)) return false;
  if (lengths[END] == 0) return fail(u, WEND_FORMAT);
  /* A code of one symbol may be incomplete. */
  left = make_code(literals, lengths, literal_count);
  if (left != 0 && (left < 0 || literal_count - literals->count[0] != 1)) return fail(u, WEND_FORMAT);
  left = make_code(distances, lengths + literal_count, distance_count);
  if (left != 0 && (left < 0 || distance_count - distances->count[0] != 1)) return fail(u, WEND_FORMAT);
  return u->status == WEND_OK;
}

/* The two codes that the format defines for blocks of type 1. */
static void make_fixed_codes(huffman *literals, huffman *distances) {
  uint8_t lengths[LITERALS];
  for (int i = 0; i < LITERALS; i++) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  (void)make_code(literals, lengths, LITERALS);
  memset(lengths, 5, DISTANCES);
  (void)make_code(distances, lengths, DISTANCES);
}

/* ---- Blocks ------------------------------------------------------------------------------------------------ */

/* Unpacks the symbols of a block up to its end. A copy must not begin before its member. */
static bool unpack_codes(unpacker *u, const huffman *literals, const huffman *distances) {
  static const uint16_t length_base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                           31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const uint8_t length_bits[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                          2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  static const uint16_t distance_base[30] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                             33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                             1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  static const uint8_t distance_bits[30] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                            6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
  for (;;) {
    int symbol = take_symbol(u, literals);
    unsigned length, distance;
    if (symbol < 0) return fail(u, WEND_FORMAT);
    if (symbol == END) return true;
    if (symbol < END) {
      if (!put_byte(u, (uint8_t)symbol)) return false;
      continue;
    }
    symbol -= END + 1;
    if (symbol >= 29) return fail(u, WEND_FORMAT);
    length = length_base[symbol] + take_bits(u, length_bits[symbol]);
    symbol = take_symbol(u, distances);
    if (symbol < 0) return fail(u, WEND_FORMAT);
    distance = distance_base[symbol] + take_bits(u, distance_bits[symbol]);
    if (u->status != WEND_OK || distance > u->done - u->from) return fail(u, WEND_FORMAT);
    while (length-- > 0)
      if (!put_byte(u, u->out[(size_t)(u->done - distance) & u->mask])) return false;
  }
}

/* Copies a stored block: its length in 2 bytes, the inverse of the length, then the bytes. */
static bool unpack_stored(unpacker *u) {
  unsigned length, inverse;
  u->bits = 0, u->bit_count = 0; /* it begins at a byte */
  length = take_bits(u, 16);
  inverse = take_bits(u, 16);
  if (u->status != WEND_OK || length != (~inverse & 0xffffu)) return fail(u, WEND_FORMAT);
  while (length-- > 0) {
    const uint8_t byte = (uint8_t)take_byte(u);
    if (u->status != WEND_OK || !put_byte(u, byte)) return false;
  }
  return true;
}

/* Unpacks the blocks of a member. */
static bool unpack_blocks(unpacker *u) {
  huffman literals, distances;
  bool last, fine = true;
  u->bits = 0, u->bit_count = 0;
  do {
    last = take_bits(u, 1) != 0;
    switch (take_bits(u, 2)) {
      case 0: fine = unpack_stored(u); break;
      case 1:
        make_fixed_codes(&literals, &distances);
        fine = unpack_codes(u, &literals, &distances);
        break;
      case 2: fine = take_codes(u, &literals, &distances) && unpack_codes(u, &literals, &distances); break;
      default: fine = fail(u, WEND_FORMAT);
    }
  } while (fine && u->status == WEND_OK && !last);
  return u->status == WEND_OK;
}

/* ---- Members ----------------------------------------------------------------------------------------------- */

/* Flags of a header. */
#define HAS_SUM 2u
#define HAS_FIELDS 4u
#define HAS_NAME 8u
#define HAS_COMMENT 16u

/* Skips a text that ends in a zero byte. */
static void skip_text(unpacker *u) {
  while (u->status == WEND_OK && take_byte(u) != 0) continue;
}

/* Reads the header of a member: 10 bytes, then what its flags announce. */
static bool take_header(unpacker *u) {
  unsigned flags;
  if (take_byte(u) != 0x1f || take_byte(u) != 0x8b || take_byte(u) != 8) return fail(u, WEND_FORMAT);
  flags = take_byte(u);
  if (flags >= 32) return fail(u, WEND_FORMAT);
  for (int i = 0; i < 6; i++) (void)take_byte(u);
  if ((flags & HAS_FIELDS) != 0) {
    unsigned length = take_byte(u);
    length |= take_byte(u) << 8;
    while (u->status == WEND_OK && length-- > 0) (void)take_byte(u);
  }
  if ((flags & HAS_NAME) != 0) skip_text(u);
  if ((flags & HAS_COMMENT) != 0) skip_text(u);
  if ((flags & HAS_SUM) != 0) take_byte(u), take_byte(u);
  return u->status == WEND_OK;
}

/* A number of four bytes. The last block may have used a part of a byte: the rest of that byte is skipped. */
static uint32_t take_four(unpacker *u) {
  uint32_t number = 0;
  for (unsigned i = 0; i < 4; i++) number |= (uint32_t)take_byte(u) << 8 * i;
  return number;
}

/* The checksum of zlib, Adler-32. The sums stay below 2^32 for a run of 5552 bytes. */
static uint32_t adler(const uint8_t *bytes, size_t count) {
  uint32_t a = 1, b = 0;
  while (count > 0) {
    size_t run = count < 5552 ? count : 5552;
    count -= run;
    while (run-- > 0) a += *bytes++, b += a;
    a %= 65521;
    b %= 65521;
  }
  return b << 16 | a;
}

/* Unpacks zlib data: a header of two bytes, blocks, and a checksum, its highest byte first. */
static void unpack_zlib(unpacker *u, bool sums) {
  const unsigned method = take_byte(u), flags = take_byte(u);
  uint32_t sum = 0;
  const bool dictionary = (flags & 32u) != 0;
  if ((method & 15u) != 8 || method >> 4 > 7 || (method * 256 + flags) % 31 != 0 || dictionary) fail(u, WEND_FORMAT);
  if (u->status != WEND_OK || !unpack_blocks(u)) return;
  for (int i = 0; i < 4; i++) sum = sum << 8 | take_byte(u);
  if (u->left > 0 || (sums && u->status == WEND_OK && sum != adler(u->out, (size_t)u->done))) fail(u, WEND_FORMAT);
}

/* Unpacks all members. Zeros may follow each of them. sums: `out` has room for the whole result, and checksums are compared. */
static void unpack_all(unpacker *u, bool sums) {
  if (u->left > 0 && *u->in != 0x1f) { /* the first byte of gzip data */
    unpack_zlib(u, sums);
    return;
  }
  do {
    uint32_t sum, size;
    u->from = u->done;
    if (!take_header(u) || !unpack_blocks(u)) return;
    sum = take_four(u);
    size = take_four(u);
    if (u->status != WEND_OK) return;
    if (size != (uint32_t)(u->done - u->from) || (sums && sum != wend_crc(u->out + u->from, (size_t)(u->done - u->from)))) {
      fail(u, WEND_FORMAT);
      return;
    }
    while (u->left > 0 && *u->in == 0) u->in++, u->left--;
  } while (u->left > 0);
}

wend_status wend_gunzip_size(const void *packed, size_t packed_size, uint64_t max_bytes, uint64_t *size) {
  uint8_t window[GZIP_WINDOW];
  unpacker u = {packed, packed_size, 0, 0, window, GZIP_WINDOW - 1, 0, 0, max_bytes, WEND_OK};
  unpack_all(&u, false);
  *size = u.done;
  return u.status;
}

wend_status wend_gunzip(const void *packed, size_t packed_size, void *bytes, size_t size) {
  unpacker u = {packed, packed_size, 0, 0, bytes, SIZE_MAX, 0, 0, size, WEND_OK};
  unpack_all(&u, true);
  return u.status == WEND_OK && u.done == size ? WEND_OK : WEND_FORMAT;
}
