/* SPDX-License-Identifier: MIT */
/* Characters of grids: see utf8.c. */
#ifndef WEND_LUA_UTF8_H
#define WEND_LUA_UTF8_H

#include "lua/lwend.h"

/* The number of bytes of a character. */
size_t lwend_utf8_size(uint32_t character);
/* Writes the bytes of a character. Returns the end. */
char *lwend_utf8_put(char *at, uint32_t character);
/* Reads the character at the start of a text of `left` bytes, at least 1. Takes one byte if it is not valid UTF-8. */
uint32_t lwend_utf8_get(const char *text, size_t left);
/* Whether a character of a tag can stand for its cells: not a space, a control character, a combining accent, or one without
 * width. */
bool lwend_utf8_visible(uint32_t character);

#endif
