/* SPDX-License-Identifier: MIT */
/* libFuzzer harness for everything that reads files: `make fuzz-files` builds and runs it.
 *
 *   WEND_TARGET=NAME build/libfuzzer/target [FLAGS] CORPUS
 *
 * spec/fuzz/NAME.lua returns a function that is called with each input, in one Lua state for all of them. An error that it
 * raises is a finding. So are an input that takes too many Lua instructions, and one that takes too much memory for its
 * size: a file must not promise more than it holds.
 *
 * Of the target `decode`, inputs are made whole first: lengths, size and checksums, so that the code behind the checks is
 * reached. The fingerprint of a field or route table is replaced by that of one of the golden maps; its lowest byte says
 * which. The mutator changes the contents of a section, or the list of sections. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "../c/state.h"
#include "core/codec/file.h"
#include "core/map/map.h"

int luaopen_wend_core(lua_State *L);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Of one input: so many steps of 1,000 Lua instructions, and so many bytes. */
#define STEPS_MAX 100000
#define STEPS_A_BYTE 10
#define MEMORY_MAX ((size_t)192 << 20)
#define MEMORY_A_BYTE 2048
#define SECTIONS_MAX 32
#define INPUT_MAX (1 << 16)

static lua_State *state;
static bool is_decode;
static long steps, steps_max;
static size_t taken, taken_max;

/* ---- Limits ------------------------------------------------------------------------------------------------ */

static void finding(const char *what) {
  fprintf(stderr, "finding: %s\n", what);
  abort();
}

static void *resize(void *ud, void *block, size_t old_bytes, size_t new_bytes) {
  void *moved;
  (void)ud;
  if (block == NULL) old_bytes = 0;
  if (new_bytes == 0) {
    free(block);
    taken -= old_bytes;
    return NULL;
  }
  if (taken_max > 0 && taken - old_bytes + new_bytes > taken_max) finding("memory out of proportion to the input");
  moved = realloc(block, new_bytes);
  if (moved != NULL) taken = taken - old_bytes + new_bytes;
  return moved;
}

static void count(lua_State *L, lua_Debug *ar) {
  (void)L, (void)ar;
  if (++steps > steps_max) finding("too many instructions");
}

static int with_traceback(lua_State *L) {
  luaL_traceback(L, L, luaL_tolstring(L, 1, NULL), 1);
  return 1;
}

/* ---- Making files whole ------------------------------------------------------------------------------------ */

/* The maps that fields and route tables can be of, in the order of spec/fuzz/decode.lua. */
static const char *const map_names[] = {"graph", "graph_empty", "graph_solid", "graph_reused",
                                        "grid",  "grid_cells",  "grid_linked"};
#define MAPS (sizeof map_names / sizeof *map_names)
static uint64_t prints[MAPS];

static void make_prints(void) {
  for (size_t i = 0; i < MAPS; i++) {
    static uint8_t bytes[4096];
    char name[64];
    const void *extra;
    size_t size, extra_size;
    wend_graph *graph = NULL;
    wend_grid *grid = NULL;
    FILE *file;
    snprintf(name, sizeof name, "spec/golden/v2/%s.wend", map_names[i]);
    file = fopen(name, "rb");
    if (file == NULL) exit(2);
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (wend_graph_decode(NULL, bytes, size, &graph) != WEND_OK)
      (void)wend_grid_decode(NULL, bytes, size, &grid, &extra, &extra_size);
    (void)wend_map_digest(graph != NULL ? wend_graph_map(graph) : wend_grid_map(grid), &prints[i]);
    wend_graph_destroy(graph);
    if (grid != NULL) wend_grid_destroy(grid);
  }
}

static void store(uint8_t *at, uint64_t number, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) at[i] = (uint8_t)(number >> 8 * i);
}

/* Gives a file the lengths, checksums, size and fingerprint that it should have. */
static void make_whole(uint8_t *data, size_t size) {
  size_t at = FILE_HEADER;
  uint8_t *print = data + FILE_HEADER + SECTION_HEAD;
  if (size < FILE_HEADER + SECTION_BYTES) return;
  memcpy(data, "WEND", 4);
  store(data + 6, 0, 2);
  store(data + 8, size, 8);
  if (data[4] == WEND_FILE_FIELD || data[4] == WEND_FILE_ROUTE_TABLE || data[4] == WEND_FILE_CROWD ||
      data[4] == WEND_FILE_PATH || data[4] == WEND_FILE_FOLLOWER || data[4] == WEND_FILE_OVERLAY ||
      data[4] == WEND_FILE_INFLUENCE)
    store(print, prints[print[0] % MAPS], 8);
  data[5] = 2;
  while (size - at > SECTION_BYTES) {
    const size_t room = size - at - SECTION_BYTES;
    uint64_t length = wend_load_uint(data + at + 4, 8);
    if (length == 0 || length > room || (room - length > 0 && room - length <= SECTION_BYTES)) {
      length = room;
      store(data + at + 4, length, 8);
    }
    store(data + at + SECTION_HEAD + length, wend_crc(data + at, SECTION_HEAD + (size_t)length), 4);
    at += SECTION_BYTES + (size_t)length;
  }
}

/* ---- Mutating ---------------------------------------------------------------------------------------------- */

typedef struct part {
  uint8_t id[4];
  size_t from, size;
} part;

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  static uint8_t before[INPUT_MAX], changed[INPUT_MAX];
  part parts[SECTIONS_MAX + 1];
  size_t part_count = 0, at = FILE_HEADER, left = max_size;
  unsigned which, what = seed / 64 % 24;
  if (!is_decode || max_size > INPUT_MAX || size < FILE_HEADER + SECTION_BYTES || what == 0)
    return LLVMFuzzerMutate(data, size, max_size);
  memcpy(before, data, size);
  make_whole(before, size);
  while (size - at > SECTION_BYTES && part_count < SECTIONS_MAX) {
    part *p = &parts[part_count++];
    memcpy(p->id, before + at, 4);
    p->from = at + SECTION_HEAD;
    p->size = (size_t)wend_load_uint(before + at + 4, 8);
    at += SECTION_BYTES + p->size;
  }
  if (part_count == 0) return LLVMFuzzerMutate(data, size, max_size);
  which = seed % 64 % (unsigned)part_count;
  if (what == 1 && part_count > 1) {
    memmove(parts + which, parts + which + 1, (--part_count - which) * sizeof *parts);
  } else if (what == 2) {
    parts[part_count] = parts[which];
    parts[part_count++].id[0] ^= seed & 4096 ? 0x20 : 0;
  } else if (what == 3) {
    const part moved = parts[which];
    parts[which] = parts[part_count - 1];
    parts[part_count - 1] = moved;
  } else if (what == 4) {
    (void)LLVMFuzzerMutate(parts[which].id, 4, 4);
  } else {
    const size_t room = max_size > size ? max_size - size : 0;
    memcpy(changed, before + parts[which].from, parts[which].size);
    parts[which].size = LLVMFuzzerMutate(changed, parts[which].size, parts[which].size + room);
    parts[which].from = SIZE_MAX;
  }
  memcpy(data, before, FILE_HEADER);
  at = FILE_HEADER;
  left = max_size - FILE_HEADER;
  for (size_t i = 0; i < part_count; i++) {
    const part *p = &parts[i];
    if (p->size == 0 || p->size > left || left - p->size < SECTION_BYTES) continue;
    memcpy(data + at, p->id, 4);
    store(data + at + 4, p->size, 8);
    memcpy(data + at + SECTION_HEAD, p->from == SIZE_MAX ? changed : before + p->from, p->size);
    at += SECTION_BYTES + p->size;
    left -= SECTION_BYTES + p->size;
  }
  make_whole(data, at);
  return at;
}

/* ---- Running ----------------------------------------------------------------------------------------------- */

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  const char *target = getenv("WEND_TARGET");
  char script[128];
  (void)argc, (void)argv;
  if (target == NULL || strlen(target) > 64) {
    fprintf(stderr, "WEND_TARGET must be the name of a target\n");
    exit(2);
  }
  is_decode = strcmp(target, "decode") == 0;
  if (is_decode) make_prints();
  state = new_state(resize, NULL);
  luaL_openlibs(state);
  luaL_getsubtable(state, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(state, luaopen_wend_core);
  lua_setfield(state, -2, "wend.core");
  lua_settop(state, 0);
  lua_pushcfunction(state, with_traceback);
  snprintf(script, sizeof script, "spec/fuzz/%s.lua", target);
  if (luaL_dostring(state, "package.path = 'lua/?.lua;lua/?/init.lua;./?.lua;' .. package.path") != 0 ||
      luaL_loadfile(state, script) != 0 || lua_pcall(state, 0, 1, 1) != 0) {
    fprintf(stderr, "%s\n", lua_tostring(state, -1));
    exit(2);
  }
  lua_sethook(state, count, LUA_MASKCOUNT, 1000);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t whole[INPUT_MAX];
  if (size > INPUT_MAX) return 0;
  if (is_decode) {
    if (size > 0) memcpy(whole, data, size);
    make_whole(whole, size);
    data = whole;
  }
  steps = 0, steps_max = STEPS_MAX + STEPS_A_BYTE * (long)size;
  taken_max = taken + MEMORY_MAX + MEMORY_A_BYTE * size;
  lua_settop(state, 2); /* the error handler, and the function of the target */
  lua_pushvalue(state, 2);
  lua_pushlstring(state, size > 0 ? (const char *)data : "", size);
  if (lua_pcall(state, 1, 0, 1) != 0) finding(lua_tostring(state, -1));
  lua_settop(state, 2);
  return 0;
}
