/* SPDX-License-Identifier: MIT */
/* Levels as bytes. A level is a table; lua/wend/level.lua makes and checks it, and passes its parts as lists to `pack`. Decoding
 * makes the table here, because wend.decode is here.
 *
 * The data of the script is a value in the core's `extra`. The first byte is its type:
 *
 *   0 false, 1 true   nothing follows
 *   2 number          8 bytes
 *   3 string          length of 4 bytes, bytes
 *   4 list            count of 4 bytes, at least 1; values
 *   5 table           count of 4 bytes; for each key: length, bytes, value. Keys are sorted by their bytes */
#include <math.h>
#include <string.h>

#include "lua/lwend.h"

/* The deepest nesting of data. lua/wend/level.lua has the same number. */
#define DATA_DEPTH_MAX 100

/* ---- Writing ----------------------------------------------------------------------------------------------- */

/* The whole number at item i of the list at index. The lists come from level.lua, which has checked them. */
static uint32_t listed_number(lua_State *L, int list, uint32_t i) {
  uint64_t number = 0;
  lua_rawgeti(L, list, (int)i);
  if (!lwend_towhole(L, -1, &number) || number > UINT32_MAX) luaL_error(L, "no whole number in a list of a level");
  lua_pop(L, 1);
  return (uint32_t)number;
}

/* The string at item i of a list, which keeps it alive. */
static const char *listed_string(lua_State *L, int list, uint32_t i, size_t *length) {
  const char *text;
  lua_rawgeti(L, list, (int)i);
  if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "no string in a list of a level");
  text = lua_tolstring(L, -1, length);
  lua_pop(L, 1);
  return text;
}

/* The string at index as a part; nil: no part. */
static wend_bytes given_part(lua_State *L, int index) {
  wend_bytes part = {NULL, 0};
  if (lua_type(L, index) == LUA_TSTRING) part.bytes = lua_tolstring(L, index, &part.size);
  return part;
}

/* A userdata for `count` items; it stays on the stack. */
static void *new_array(lua_State *L, uint32_t count, size_t item_bytes) {
  return lua_newuserdata(L, count == 0 ? 1 : count * item_bytes);
}

static wend_status encode_level(lua_State *L, void *level, void *bytes, size_t *size) {
  (void)L;
  return wend_level_encode(level, bytes, size);
}

/* pack(width, height, cell, merged, grids, layers, layer names, graph, walls, places, data) -> string. Numbers are 0 if they
 * are not given; grids: strings; layers: indices from 0; layer names: name, index, ...; places: name, x, y, z or false, ... */
static int pack_level(lua_State *L) {
  enum { WIDTH = 1, HEIGHT, CELL, MERGED, GRIDS, LAYERS, LAYER_NAMES, GRAPH, WALLS, PLACES, DATA, LAST = DATA };
  wend_level level;
  wend_bytes *grids;
  uint32_t *layers, merged = 0;
  wend_layer_name *names;
  wend_named_place *places;
  uint64_t number = 0;
  lua_settop(L, LAST);
  luaL_checktype(L, GRIDS, LUA_TTABLE);
  luaL_checktype(L, LAYERS, LUA_TTABLE);
  luaL_checktype(L, LAYER_NAMES, LUA_TTABLE);
  luaL_checktype(L, PLACES, LUA_TTABLE);
  memset(&level, 0, sizeof level);
  if (lwend_towhole(L, WIDTH, &number)) level.width = (uint32_t)number;
  if (lwend_towhole(L, HEIGHT, &number)) level.height = (uint32_t)number;
  if (lwend_towhole(L, MERGED, &number)) merged = (uint32_t)number;
  level.cell = lua_tonumber(L, CELL);
  level.merged = merged - 1; /* 0: none, which is UINT32_MAX */
  level.grid_count = (uint32_t)lua_rawlen(L, GRIDS);
  level.layer_count = (uint32_t)lua_rawlen(L, LAYERS);
  level.layer_name_count = (uint32_t)lua_rawlen(L, LAYER_NAMES) / 2;
  level.place_count = (uint32_t)lua_rawlen(L, PLACES) / 4;
  level.graph = given_part(L, GRAPH);
  level.walls = given_part(L, WALLS);
  level.extra = given_part(L, DATA);
  grids = new_array(L, level.grid_count, sizeof *grids);
  for (uint32_t i = 0; i < level.grid_count; i++) grids[i].bytes = listed_string(L, GRIDS, i + 1, &grids[i].size);
  layers = new_array(L, level.layer_count, sizeof *layers);
  for (uint32_t i = 0; i < level.layer_count; i++) layers[i] = listed_number(L, LAYERS, i + 1);
  names = new_array(L, level.layer_name_count, sizeof *names);
  for (uint32_t i = 0; i < level.layer_name_count; i++) {
    names[i].name = listed_string(L, LAYER_NAMES, 2 * i + 1, &names[i].length);
    names[i].grid = listed_number(L, LAYER_NAMES, 2 * i + 2);
  }
  places = new_array(L, level.place_count, sizeof *places);
  for (uint32_t i = 0; i < level.place_count; i++) {
    places[i].name = listed_string(L, PLACES, 4 * i + 1, &places[i].length);
    places[i].dimensions = 2;
    for (int d = 0; d < 3; d++) {
      lua_rawgeti(L, PLACES, (int)(4 * i) + 2 + d);
      places[i].position[d] = lua_tonumber(L, -1);
      if (d == 2 && lua_type(L, -1) == LUA_TNUMBER) places[i].dimensions = 3;
      lua_pop(L, 1);
    }
  }
  level.grids = grids, level.layers = layers, level.layer_names = names, level.places = places;
  return lwend_push_bytes(L, encode_level, &level);
}

/* double(number) -> its 8 bytes */
static int pack_double(lua_State *L) {
  const double number = luaL_checknumber(L, 1);
  uint64_t bits;
  char bytes[8];
  memcpy(&bits, &number, sizeof bits);
  for (int i = 0; i < 8; i++) bytes[i] = (char)(bits >> 8 * i & 0xff);
  lua_pushlstring(L, bytes, sizeof bytes);
  return 1;
}

void lwend_add_levels(lua_State *L, lwend_state *state) {
  static const luaL_Reg functions[] = {{"pack", pack_level}, {"double", pack_double}, {NULL, NULL}};
  lwend_register(L, state, functions);
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

/* Bytes of data that are being read. */
typedef struct data_in {
  const uint8_t *at;
  size_t left;
} data_in;

/* Takes `size` bytes. NULL: there are fewer. */
static const uint8_t *take_data(data_in *in, size_t size) {
  const uint8_t *at = in->at;
  if (size > in->left) return NULL;
  in->at += size;
  in->left -= size;
  return at;
}

/* Takes a number of 4 bytes. false: there are fewer. */
static bool take_count(data_in *in, uint32_t *count) {
  const uint8_t *at = take_data(in, 4);
  if (at == NULL) return false;
  *count = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  return true;
}

/* Pushes a number of 8 bytes; a whole number below 2^53 as an integer. false: it is not finite; nothing is pushed. */
static bool push_number(lua_State *L, data_in *in) {
  const uint8_t *at = take_data(in, 8);
  uint64_t bits = 0;
  double number;
  if (at == NULL) return false;
  for (int i = 0; i < 8; i++) bits |= (uint64_t)at[i] << 8 * i;
  memcpy(&number, &bits, sizeof number);
  if (!(fabs(number) < INFINITY)) return false;
#if LUA_VERSION_NUM >= 503
  if (fabs(number) < 9007199254740992.0 && floor(number) == number && !(number == 0 && signbit(number))) {
    lua_pushinteger(L, (lua_Integer)number);
    return true;
  }
#endif
  lua_pushnumber(L, number);
  return true;
}

static bool push_string(lua_State *L, data_in *in) {
  uint32_t length;
  const uint8_t *at;
  if (!take_count(in, &length)) return false;
  at = take_data(in, length);
  if (at == NULL) return false;
  lua_pushlstring(L, (const char *)at, length);
  return true;
}

/* Whether the string `a` comes before `b` by bytes. */
static bool is_before(const char *a, size_t a_length, const char *b, size_t b_length) {
  const int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
  return order < 0 || (order == 0 && a_length < b_length);
}

/* Pushes a value. false: it is damaged; anything may be left on the stack. Tables grow as their items come, so a count alone
 * allocates nothing. */
static bool push_data(lua_State *L, data_in *in, int depth) {
  const uint8_t *type = take_data(in, 1);
  uint32_t count;
  const char *before = NULL;
  size_t before_length = 0;
  if (type == NULL) return false;
  lwend_check_stack(L, 4);
  if (*type <= 1) return lua_pushboolean(L, *type), true;
  if (*type == 2) return push_number(L, in);
  if (*type == 3) return push_string(L, in);
  if (*type > 5 || depth >= DATA_DEPTH_MAX || !take_count(in, &count) || (*type == 4 && count == 0)) return false;
  lua_newtable(L);
  for (uint32_t i = 0; i < count; i++) {
    if (*type == 4) {
      if (!push_data(L, in, depth + 1)) return false;
      lua_rawseti(L, -2, (int)i + 1);
    } else {
      const char *key;
      size_t length;
      if (!push_string(L, in)) return false;
      key = lua_tolstring(L, -1, &length);
      if (before != NULL && !is_before(before, before_length, key, length)) return false;
      before = (const char *)in->at - length; /* in the file: the string may be collected */
      before_length = length;
      if (!push_data(L, in, depth + 1)) return false;
      lua_rawset(L, -3);
    }
  }
  return true;
}

bool lwend_push_data(lua_State *L, const void *bytes, size_t size) {
  data_in data = {bytes, size};
  return push_data(L, &data, 0) && data.left == 0;
}

/* A level that is being read: a userdata with a pointer to it, so that it is freed if an error is raised. */
static int level_gc(lua_State *L) {
  wend_level **level = lwend_toobject(L, 1, &lwend_state_of(L)->types.level_file);
  if (level == NULL) return lwend_type_error(L, 1, "self", "a level");
  wend_level_destroy(*level);
  *level = NULL;
  return 0;
}

/* Pushes the table of positions by name. */
static void push_places(lua_State *L, const wend_level *level) {
  static const char *const axes[] = {"x", "y", "z"};
  lua_newtable(L);
  for (uint32_t i = 0; i < level->place_count; i++) {
    const wend_named_place *place = &level->places[i];
    lua_pushlstring(L, place->name, place->length);
    lua_createtable(L, 0, (int)place->dimensions);
    for (uint32_t d = 0; d < place->dimensions; d++) lwend_set_number(L, axes[d], place->position[d]);
    lua_rawset(L, -3);
  }
}

/* Pushes all grids as a list. */
static wend_status push_grids(lua_State *L, const wend_level *level) {
  lua_newtable(L);
  for (uint32_t i = 0; i < level->grid_count; i++) {
    const wend_status status = lwend_push_decoded_grid(L, level->grids[i].bytes, level->grids[i].size);
    if (status != WEND_OK) return status;
    lua_rawseti(L, -2, (int)i + 1);
  }
  return WEND_OK;
}

/* Pushes the table of layers, by number and by name. grids: the stack index of the list of grids. */
static void push_layers(lua_State *L, const wend_level *level, int grids) {
  lua_newtable(L);
  for (uint32_t i = 0; i < level->layer_count; i++) {
    lua_rawgeti(L, grids, (int)level->layers[i] + 1);
    lua_rawseti(L, -2, (int)i + 1);
  }
  for (uint32_t i = 0; i < level->layer_name_count; i++) {
    lua_pushlstring(L, level->layer_names[i].name, level->layer_names[i].length);
    lua_rawgeti(L, grids, (int)level->layer_names[i].grid + 1);
    lua_rawset(L, -3);
  }
}

/* Fills the table at the top of the stack. */
static wend_status fill_level(lua_State *L, const wend_level *level) {
  const int table = lua_gettop(L);
  wend_status status;
  if (level->width > 0) lwend_set_whole(L, "width", level->width);
  if (level->height > 0) lwend_set_whole(L, "height", level->height);
  if (level->cell > 0) lwend_set_number(L, "cell", level->cell);
  push_places(L, level);
  lua_setfield(L, table, "names");
  status = push_grids(L, level);
  if (status != WEND_OK) return status;
  push_layers(L, level, table + 1);
  lua_setfield(L, table, "grids");
  if (level->merged != UINT32_MAX) {
    lua_rawgeti(L, table + 1, (int)level->merged + 1);
    lua_setfield(L, table, "grid");
  }
  lua_settop(L, table);
  if (level->graph.size > 0) {
    status = lwend_push_decoded_graph(L, level->graph.bytes, level->graph.size);
    if (status != WEND_OK) return status;
    lua_setfield(L, table, "graph");
  }
  if (level->walls.size > 0) {
    status = lwend_push_decoded_walls(L, level->walls.bytes, level->walls.size);
    if (status != WEND_OK) return status;
    lua_setfield(L, table, "walls");
  }
  if (level->extra.size > 0) {
    if (!lwend_push_data(L, level->extra.bytes, level->extra.size)) return WEND_FORMAT;
    lua_setfield(L, table, "data");
  }
  return WEND_OK;
}

wend_status lwend_push_decoded_level(lua_State *L, const void *bytes, size_t size) {
  lwend_state *state = lwend_state_of(L);
  const int top = lua_gettop(L);
  wend_level **level = lwend_new(L, sizeof *level, &state->types.level_file);
  wend_status status = lwend_check_memory(L, wend_level_decode(&state->alloc, bytes, size, level));
  if (status == WEND_OK) {
    lua_createtable(L, 0, 9);
    status = fill_level(L, *level);
    wend_level_destroy(*level); /* at once, without waiting for the collector */
    *level = NULL;
  }
  if (status != WEND_OK) return status;
  lua_settop(L, top + 2);
  if (state->level_ref != LUA_NOREF) { /* without lua/wend, a level is a plain table */
    lua_rawgeti(L, LUA_REGISTRYINDEX, state->level_ref);
    lua_setmetatable(L, -2);
  }
  lua_replace(L, top + 1);
  return WEND_OK;
}

void lwend_open_level(lua_State *L, lwend_state *state) {
  lua_newtable(L);
  lwend_metatable(L, "wend.LevelFile", state, level_gc, &state->types.level_file);
}
