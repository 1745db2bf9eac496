/* SPDX-License-Identifier: MIT */
/* The yardstick of files: reading all bytes of a file and computing their CRC-32, eight bytes at a time (wend takes sixteen).
 * From Lua:
 *
 *   read(file, repeats) -> sum       of all bytes but the last four
 *   sum(string) -> sum               the same of a string
 *   copy(size, repeats) -> seconds   copying so many bytes into fresh memory, the least of all repeats */
#define _GNU_SOURCE /* mmap with MAP_ANONYMOUS */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "lauxlib.h"
#include "lua.h"

#define TRAILER 4u

static uint32_t tables[8][256];

static void make_tables(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
    tables[0][i] = crc;
  }
  for (uint32_t i = 0; i < 256; i++)
    for (int k = 1; k < 8; k++) tables[k][i] = tables[k - 1][i] >> 8 ^ tables[0][tables[k - 1][i] & 255];
}

static uint32_t sum(const uint8_t *at, size_t size) {
  uint32_t crc = UINT32_MAX;
  for (; size >= 8; size -= 8, at += 8) {
    const uint32_t low = crc ^ ((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
    crc = tables[7][low & 255] ^ tables[6][low >> 8 & 255] ^ tables[5][low >> 16 & 255] ^ tables[4][low >> 24] ^
          tables[3][at[4]] ^ tables[2][at[5]] ^ tables[1][at[6]] ^ tables[0][at[7]];
  }
  for (; size > 0; size--, at++) crc = crc >> 8 ^ tables[0][(crc ^ *at) & 255];
  return ~crc;
}

static int bytes_sum(lua_State *L) {
  size_t size;
  const char *bytes = luaL_checklstring(L, 1, &size);
  luaL_argcheck(L, size >= TRAILER, 1, "too short");
  lua_pushinteger(L, sum((const uint8_t *)bytes, size - TRAILER));
  return 1;
}

/* Asks for the size first, then reads the file in one go, into memory that is allocated and freed each time. */
static int bytes_read(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  const lua_Integer repeats = luaL_optinteger(L, 2, 1);
  volatile uint32_t result = 0;
  long size = 0;
  for (lua_Integer i = 0; i < repeats; i++) {
    FILE *file = fopen(name, "rb");
    uint8_t *bytes;
    if (file == NULL) return luaL_error(L, "cannot open %s", name);
    if (fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < (long)TRAILER || fseek(file, 0, SEEK_SET) != 0 ||
        (bytes = malloc((size_t)size)) == NULL) {
      fclose(file);
      return luaL_error(L, "cannot read %s", name);
    }
    if (fread(bytes, 1, (size_t)size, file) != (size_t)size) {
      free(bytes);
      fclose(file);
      return luaL_error(L, "cannot read %s", name);
    }
    fclose(file);
    result = sum(bytes, (size_t)size - TRAILER);
    free(bytes);
  }
  lua_pushinteger(L, result);
  return 1;
}

static int bytes_copy(lua_State *L) {
  const size_t size = (size_t)luaL_checkinteger(L, 1);
  const lua_Integer repeats = luaL_optinteger(L, 2, 1);
  char *from = lua_newuserdata(L, size);
  double best = 1e9;
  memset(from, 1, size);
  for (lua_Integer i = 0; i < repeats; i++) {
    const clock_t started = clock();
    char *to = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    double seconds;
    if (to == MAP_FAILED) return luaL_error(L, "no memory");
    memcpy(to, from, size);
    seconds = (double)(clock() - started) / CLOCKS_PER_SEC;
    if (seconds < best) best = seconds;
    munmap(to, size);
  }
  lua_pushnumber(L, best);
  return 1;
}

int luaopen_wend_bench_reference_bytes(lua_State *L) {
  static const luaL_Reg functions[] = {{"copy", bytes_copy}, {"read", bytes_read}, {"sum", bytes_sum}, {NULL, NULL}};
  make_tables();
  luaL_newlib(L, functions);
  return 1;
}
