/* SPDX-License-Identifier: MIT */
/* wend.Surface: graphs over blocks. The anchor of a surface is a list of its graph, which scripts cannot edit. */
#include <math.h>
#include <string.h>

#include "lua/base/query.h"

typedef struct lwend_surface {
  wend_surface *surface; /* NULL: it was freed */
  lwend_map *g;
} lwend_surface;

/* The surface at 1, for methods: self. Raises if it or its graph is gone. */
static lwend_surface *check_surface(lua_State *L) {
  lwend_surface *s = lwend_check_self(L, 1, &lwend_state_of(L)->types.surface);
  if (s->surface == NULL) luaL_error(L, "the surface is gone");
  (void)lwend_check_alive(L, s->g);
  return s;
}

/* The same for methods that edit its graph. */
static lwend_surface *check_unlocked_surface(lua_State *L) {
  lwend_surface *s = check_surface(L);
  (void)lwend_check_unlocked(L, s->g);
  return s;
}

/* ---- Making ------------------------------------------------------------------------------------------------ */

/* The option at index: a whole number in least .. most; nil: or_else. */
static uint32_t check_blocks(lua_State *L, int index, const char *what, uint32_t least, uint32_t most, uint32_t or_else) {
  const double number = lua_isnil(L, index) ? or_else : lwend_check_number(L, index, what, least, most);
  if (floor(number) != number) lwend_type_error(L, index, what, "a whole number");
  return (uint32_t)number;
}

/* Gives the id its class, which is at the top: a kind, or { kind, tag, cost }. Pops it. May run scripts. */
static void set_class(lua_State *L, lwend_surface *s, int graph, uint32_t id) {
  static const char *const kinds[] = {"solid", "air", "water", "ladder", "door", NULL};
  static const char *const fields[] = {"kind", "tag", "cost", NULL};
  const int at = lua_gettop(L);
  char what[40];
  wend_block_kind kind;
  double cost = 1;
  uint32_t tag = WEND_UNTAGGED;
  snprintf(what, sizeof what, "classes[%lu]", (unsigned long)id);
  if (lua_istable(L, at)) {
    (void)lwend_options(L, at, fields);
    if (!lua_isnil(L, at + 3)) cost = lwend_check_number(L, at + 3, "cost", WEND_SURFACE_COST_MIN, WEND_SURFACE_COST_MAX);
  } else {
    lua_pushvalue(L, at);
    lua_pushnil(L);
  }
  kind = (wend_block_kind)lwend_check_choice(L, at + 1, what, kinds, "");
  if (lua_isnil(L, at + 2) && kind >= WEND_BLOCK_WATER) {
    lua_pushstring(L, kinds[kind]);
    lua_replace(L, at + 2);
  }
  tag = lwend_check_tag(L, at + 2, graph, "tag");
  if (wend_surface_set_class(s->surface, id, kind, tag, cost) != WEND_OK)
    luaL_error(L, "classes must have at most 255 different kinds, tags and costs");
  lua_settop(L, at - 1);
}

/* Raises if a key of the classes at index is no block id. */
static void check_ids(lua_State *L, int index) {
  lua_pushnil(L);
  while (lua_next(L, index) != 0) {
    uint64_t id = 0;
    lua_pop(L, 1);
    if (!lwend_towhole(L, -1, &id) || id > 65535)
      lwend_type_error(L, -1, "a block id of classes", "a whole number in 0 .. 65535");
  }
}

/* wend.surface { classes, height, step, drop, jump, swim, climb, diagonals, up, centred } -> surface */
int lwend_core_surface(lua_State *L) {
  static const char *const names[] = {"classes", "height",    "step", "drop",    "jump", "swim",
                                      "climb",   "diagonals", "up",   "centred", NULL};
  static const char *const policies[] = {"both_open", "one_open", "always", "never", NULL}, *const ups[] = {"y", "z", NULL};
  lwend_state *state = lwend_state_of(L);
  wend_surface_opts opts = {0};
  lwend_surface *s;
  lwend_map *g;
  int o, graph;
  lua_settop(L, 1);
  o = lwend_options(L, 1, names);
  if (!lua_istable(L, o)) lwend_type_error(L, o, "classes", "a table of kinds by block id");
  opts.height = check_blocks(L, o + 1, "height", 1, WEND_SURFACE_HEIGHT_MAX, 2);
  opts.step = check_blocks(L, o + 2, "step", 0, WEND_SURFACE_STEP_MAX, 1);
  opts.drop = check_blocks(L, o + 3, "drop", 0, WEND_SURFACE_DROP_MAX, 3);
  opts.jump = check_blocks(L, o + 4, "jump", 0, WEND_SURFACE_JUMP_MAX, 0);
  opts.swim = lwend_check_boolean(L, o + 5, "swim");
  opts.climb = lwend_check_boolean(L, o + 6, "climb");
  if (!lua_isnil(L, o + 7)) opts.diagonals = (wend_diagonals)lwend_check_choice(L, o + 7, "diagonals", policies, "");
  opts.z_up = !lua_isnil(L, o + 8) && lwend_check_choice(L, o + 8, "up", ups, "") == 1;
  opts.centred = lwend_check_boolean(L, o + 9, "centred");
  check_ids(L, o);
  g = lwend_push_map(L, sizeof *g, &state->types.graph, 0);
  graph = lua_gettop(L);
  g->graph = wend_graph_create(&state->alloc, 3);
  if (g->graph == NULL) return lwend_no_memory(L);
  g->map = wend_graph_map(g->graph);
  s = lwend_new(L, sizeof *s, &state->types.surface);
  lua_createtable(L, 1, 0);
  lua_pushvalue(L, graph);
  lua_rawseti(L, -2, 1);
  lwend_setanchor(L, -2);
  s->g = g;
  s->surface = wend_surface_create(&state->alloc, g->graph, &opts);
  if (s->surface == NULL) return lwend_no_memory(L);
  for (uint32_t id = 0; id <= 65535; id++) { /* by id, so that tags have the same numbers everywhere */
    if (LWEND_RAWGETI(L, o, (int)id) == LUA_TNIL) lua_pop(L, 1);
    else set_class(L, s, graph, id);
  }
  lwend_note_tags(L, graph, g);
  g->kept = true;
  lwend_gc_step(L, state);
  return 1;
}

/* surface:free(): its graph stays as it is */
static int surface_free(lua_State *L) {
  lwend_surface *s = lwend_check_self(L, 1, &lwend_state_of(L)->types.surface);
  wend_surface_destroy(s->surface);
  s->surface = NULL;
  return 0;
}

/* So many items of a list are on the stack at the same time. */
#define LIST_PART 64

/* ---- Blocks ------------------------------------------------------------------------------------------------ */

/* The whole number at index, in least .. most. */
static double check_whole(lua_State *L, int index, const char *what, double least, double most) {
  const double number = lwend_check_number(L, index, what, least, most);
  if (floor(number) != number) lwend_type_error(L, index, what, "a whole number");
  return number;
}

/* Reads the block at 2, x, y and z. */
static void check_block(lua_State *L, int32_t *block) {
  static const char *const axes[] = {"x", "y", "z"};
  for (int i = 0; i < 3; i++) block[i] = (int32_t)check_whole(L, 2 + i, axes[i], -WEND_SURFACE_FAR, WEND_SURFACE_FAR);
}

/* Reads the box at 2: x, y, z and its sizes. Returns the number of its blocks. */
static double check_box(lua_State *L, int32_t *corner, uint32_t *size) {
  static const char *const sizes[] = {"w", "h", "d"};
  double blocks = 1;
  check_block(L, corner);
  for (int i = 0; i < 3; i++) blocks *= size[i] = (uint32_t)check_whole(L, 5 + i, sizes[i], 1, 2.0 * WEND_SURFACE_FAR + 1);
  return blocks;
}

/* Raises because the core has found a box or a block out of range. */
static int raise_range(lua_State *L) {
  return luaL_error(L, "the blocks must be in -%d .. %d, and upwards in -%d .. %d", WEND_SURFACE_FAR, WEND_SURFACE_FAR,
                    WEND_SURFACE_HIGH, WEND_SURFACE_HIGH);
}

/* Reads a block id, item i of the list at 8, which is pushed. False: it is something else. Inlined: lists are long. */
static inline bool read_block_id(lua_State *L, uint32_t i, uint16_t *id) {
  const bool number = LWEND_RAWGETI(L, 8, (int)i + 1) == LUA_TNUMBER;
#if LUA_VERSION_NUM >= 503
  int whole;
  const lua_Integer value = lua_tointegerx(L, -1, &whole);
  *id = (uint16_t)value;
  return number && whole && *id == value;
#else
  const double value = lua_tonumber(L, -1);
  if (!(number && value >= 0 && value <= 65535)) return false;
  *id = (uint16_t)value;
  return *id == value;
#endif
}

/* Reads the ids of `blocks` blocks from the list at 8 into a new userdata, which is left on the stack. */
static const void *read_block_ids(lua_State *L, uint32_t blocks) {
  uint16_t *ids;
  int top;
  if (lua_rawlen(L, 8) != blocks)
    luaL_error(L, "ids must hold one id for each of the %d blocks, got %d", (int)blocks, (int)lua_rawlen(L, 8));
  ids = lua_newuserdata(L, (size_t)blocks * sizeof *ids);
  top = lua_gettop(L);
  luaL_checkstack(L, LIST_PART, NULL);
  for (uint32_t i = 0; i < blocks; i++) {
    if (!read_block_id(L, i, &ids[i])) {
      char what[40];
      snprintf(what, sizeof what, "ids[%lu]", (unsigned long)i + 1);
      lwend_type_error(L, -1, what, "a block id: a whole number in 0 .. 65535");
    }
    if (i % LIST_PART == LIST_PART - 1) lua_settop(L, top);
  }
  lua_settop(L, top);
  return ids;
}

/* surface:load(x, y, z, w, h, d, ids[, length]) -> surface */
static int surface_load(lua_State *L) {
  lwend_surface *s;
  lwend_host_data from = {NULL, 0, true};
  int32_t corner[3];
  uint32_t size[3];
  uint64_t length = 0;
  size_t bad;
  double blocks;
  wend_status status;
  /* Read. */
  (void)check_surface(L);
  lua_settop(L, 9);
  blocks = check_box(L, corner, size);
  if (!lua_isnil(L, 9) && !lwend_towhole(L, 9, &length)) lwend_type_error(L, 9, "length", "a whole number of bytes");
  if (blocks > WEND_SURFACE_BLOCKS) luaL_error(L, "a box must have at most %d blocks", WEND_SURFACE_BLOCKS);
  if (lua_istable(L, 8)) {
    from.at = read_block_ids(L, (uint32_t)blocks);
    from.size = (uint64_t)blocks * 2;
  } else {
    from = lwend_find_host_data(L, 8, "ids", "a list, a string, a Data of LÖVE, or a pointer with its length in bytes");
    if (!from.exact) from.size = length;
    if (from.size != blocks && from.size != 2 * blocks)
      luaL_error(L, "ids must have one or two bytes for each of the %d blocks, got %s bytes", (int)blocks,
                 (lwend_pushwhole(L, from.size), lua_tostring(L, -1)));
  }
  /* Check: a finalizer may have run. */
  s = check_unlocked_surface(L);
  /* Act. */
  status = wend_surface_load(s->surface, corner, size, from.at, from.size == blocks ? 1 : 2, &bad);
  if (status == WEND_INVALID && bad != SIZE_MAX) return luaL_error(L, "ids[%d]: its block id has no class", (int)bad + 1);
  if (status == WEND_INVALID) return raise_range(L);
  return lwend_edited(L, status);
}

/* surface:changed(x, y, z, id) -> surface */
static int surface_changed(lua_State *L) {
  lwend_surface *s = check_unlocked_surface(L);
  int32_t block[3];
  uint32_t id;
  wend_status status;
  check_block(L, block);
  id = (uint32_t)check_whole(L, 5, "id", 0, 65535);
  if (!wend_surface_has_class(s->surface, id)) return luaL_error(L, "block id %d has no class", (int)id);
  status = wend_surface_change(s->surface, block, id);
  if (status == WEND_INVALID)
    return luaL_error(L, "block (%d, %d, %d) is not loaded", (int)block[0], (int)block[1], (int)block[2]);
  return lwend_edited(L, status);
}

/* surface:unload(x, y, z, w, h, d) -> surface */
static int surface_unload(lua_State *L) {
  lwend_surface *s = check_unlocked_surface(L);
  int32_t corner[3];
  uint32_t size[3];
  wend_status status;
  (void)check_box(L, corner, size);
  status = wend_surface_unload(s->surface, corner, size);
  return status == WEND_INVALID ? raise_range(L) : lwend_edited(L, status);
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

/* surface:at(x, y, z), surface:at(position) -> node, or nil. It is the only result: it may be the last argument of graph:path */
static int surface_at(lua_State *L) {
  double position[3];
  wend_id node;
  (void)check_surface(L);
  (void)lwend_check_point(L, 2, 3, position);
  node = wend_surface_at(check_surface(L)->surface, position);
  return node == WEND_NO_ID ? lwend_nil(L) : lwend_whole(L, node);
}

/* surface:bytes() -> the memory of the surface without its graph, in bytes */
static int surface_bytes(lua_State *L) { return lwend_whole(L, wend_surface_bytes(check_surface(L)->surface)); }

/* tostring(surface) -> "wend.Surface (120 places)" */
static int surface_tostring(lua_State *L) {
  lua_pushfstring(L, "wend.Surface (%d places)", (int)wend_graph_node_count(check_surface(L)->g->graph));
  return 1;
}

/* The metamethod __index. Upvalues: 1 the state, 2 the methods. */
static int surface_index(lua_State *L) {
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (strcmp(key, "graph") == 0 && lwend_toobject(L, 1, &lwend_state_of(L)->types.surface) != NULL) {
    lwend_pushanchor(L, 1);
    lua_rawgeti(L, -1, 1);
    return 1;
  }
  lua_settop(L, 2);
  lua_rawget(L, lua_upvalueindex(2));
  return 1;
}

void lwend_open_surface(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {
      {"at", surface_at},     {"bytes", surface_bytes}, {"changed", surface_changed},
      {"free", surface_free}, {"load", surface_load},   {"unload", surface_unload},
      {NULL, NULL},
  };
  lwend_type(L, "wend.Surface", "a surface", state, methods, surface_free, surface_tostring, &state->types.surface);
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->types.surface.ref);
  lua_rawgetp(L, LUA_REGISTRYINDEX, state);
  lua_getfield(L, -2, "__index");
  lua_pushcclosure(L, surface_index, 2);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}
