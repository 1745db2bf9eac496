/* SPDX-License-Identifier: MIT */
/* Characters of grids. A character is one code point in UTF-8. A byte that is not part of one counts as a character too, so
 * texts in other encodings can be read. In memory, a character is its bytes, the first one lowest: "A" is 0x41, "\u{e9}" is
 * 0xa9c3. */
#include "lua/utf8.h"

/* The number of bytes of a character. */
size_t lwend_utf8_size(uint32_t character) {
  return character < 0x100 ? 1 : character < 0x10000 ? 2 : character < 0x1000000 ? 3 : 4;
}

/* Writes the bytes of a character. Returns the end. */
char *lwend_utf8_put(char *at, uint32_t character) {
  for (size_t i = 0; i < lwend_utf8_size(character); i++) at[i] = (char)(character >> 8 * i & 0xff);
  return at + lwend_utf8_size(character);
}

/* The code point of a character; 0: it is a byte above 127. */
static uint32_t code_of(uint32_t character) {
  const uint32_t second = character >> 8 & 0x3f, third = character >> 16 & 0x3f, fourth = character >> 24 & 0x3f;
  switch (lwend_utf8_size(character)) {
    case 1: return character < 0x80 ? character : 0;
    case 2: return (character & 0x1f) << 6 | second;
    case 3: return (character & 0xf) << 12 | second << 6 | third;
    default: return (character & 0x7) << 18 | second << 12 | third << 6 | fourth;
  }
}

/* Reads the character at the start of a text of `left` bytes, at least 1. Takes one byte if it is not valid UTF-8 (RFC 3629). */
uint32_t lwend_utf8_get(const char *text, size_t left) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const uint8_t *at = (const uint8_t *)text;
  const size_t size = at[0] < 0xc2 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf5 ? 4 : 1;
  uint32_t character = at[0], code;
  if (size == 1 || size > left) return at[0];
  for (size_t i = 1; i < size; i++) {
    if ((at[i] & 0xc0) != 0x80) return at[0];
    character |= (uint32_t)at[i] << 8 * i;
  }
  code = code_of(character);
  return code < least[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? at[0] : character;
}

/* Whether a character of a tag can stand for its cells: not a space, a control character, a combining accent, or one without
 * width. */
bool lwend_utf8_visible(uint32_t character) {
  const uint32_t code = code_of(character);
  return code > ' ' && (code < 0x7f || code > 0xa0) && (code < 0x300 || code > 0x36f) && (code < 0x2000 || code > 0x200f) &&
         (code < 0x2028 || code > 0x202f) && code != 0x3000 && code != 0xfeff;
}
