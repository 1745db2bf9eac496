/* SPDX-License-Identifier: MIT */
/* Checks of arguments and options. A message names the argument, then the expected value, then the actual value:
 * "weight must be a finite number >= 0, got -1". */
#include <stdio.h>
#include <string.h>

#include "lua/lwend.h"

/* Messages show only this many bytes of a string, so that they stay readable. */
#define QUOTED_MAX 40

/* And so many items of a list: two cells. */
#define SHOWN_MOST 4u

/* How many bytes of a longer string are shown: fewer where a character of UTF-8 would be cut, which has up to 4 bytes. */
static size_t quoted(const char *text) {
  size_t length = QUOTED_MAX;
  while (length > QUOTED_MAX - 4 && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
  return length > QUOTED_MAX - 4 ? length : QUOTED_MAX;
}

const char *lwend_describe(lua_State *L, int index) {
  size_t length, shown;
  const char *text;
  switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL: return lua_pushliteral(L, "nil"), lua_tostring(L, -1);
    case LUA_TBOOLEAN: return lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false"), lua_tostring(L, -1);
    case LUA_TNUMBER:
      if (lua_tonumber(L, index) != lua_tonumber(L, index)) {
        lua_pushliteral(L, "nan"); /* its sign depends on the machine */
      } else {
        lua_pushvalue(L, index);
      }
      return lua_tostring(L, -1);
    case LUA_TSTRING:
      text = lua_tolstring(L, index, &length);
      shown = length <= QUOTED_MAX ? length : quoted(text);
      lua_pushliteral(L, "'");
      lua_pushlstring(L, text, shown);
      lua_pushstring(L, shown < length ? "...'" : "'");
      lua_concat(L, 3);
      return lua_tostring(L, -1);
    default: break;
  }
  if (luaL_getmetafield(L, index, "__name")) {
    if (lua_type(L, -1) == LUA_TSTRING) {
      text = lua_pushfstring(L, "a %s", lua_tostring(L, -1));
      lua_remove(L, -2);
      return text;
    }
    lua_pop(L, 1);
  }
  return lua_pushfstring(L, "a %s", luaL_typename(L, index));
}

/* core.describe(value) -> this text, for the checks in Lua */
int lwend_core_describe(lua_State *L) {
  lua_settop(L, 1);
  (void)lwend_describe(L, 1);
  return 1;
}

/* lwend_towhole, inlined here: lists of cells are long. */
static inline bool to_whole(lua_State *L, int index, uint64_t *number) {
  lua_Number n;
#if LUA_VERSION_NUM >= 503
  if (lua_isinteger(L, index)) {
    const lua_Integer i = lua_tointeger(L, index);
    *number = (uint64_t)i;
    return i >= 0 && i <= (lua_Integer)1 << 53;
  }
#endif
  if (lua_type(L, index) != LUA_TNUMBER) return false;
  n = lua_tonumber(L, index);
  if (!(n >= 0 && n <= 9007199254740992.0 && floor(n) == n)) return false;
  *number = (uint64_t)n;
  return true;
}

bool lwend_towhole(lua_State *L, int index, uint64_t *number) { return to_whole(L, index, number); }

int lwend_type_error(lua_State *L, int index, const char *what, const char *wanted) {
  return luaL_error(L, "%s must be %s, got %s", what, wanted, lwend_describe(L, lua_absindex(L, index)));
}

int lwend_gone(lua_State *L, const char *what) {
  return luaL_error(L, "searches read the map as it was when they began; %s is gone", what);
}

lwend_map *lwend_tomap(lua_State *L, int index) {
  const lwend_state *state = lwend_state_of(L);
  lwend_map *map = lwend_toobject(L, index, &state->types.graph);
  return map != NULL ? map : lwend_toobject(L, index, &state->types.grid);
}

/* Repeats the check that the map exists: a script that ran since then may have freed it. */
static inline void check_alive(lua_State *L, const lwend_map *map) {
  for (; map != NULL; map = map->base) {
    if (map->map == NULL) luaL_error(L, "the %s is gone", map->noun);
  }
}

lwend_map *lwend_check_alive(lua_State *L, lwend_map *map) {
  check_alive(L, map);
  if (map->base == NULL) return map;
  (void)lwend_check_alive(L, map->base);
  if (map->searching == 0 && !map->mapping && wend_map_follow(map->map) != WEND_OK) lwend_no_memory(L);
  return map;
}

lwend_map *lwend_check_anymap(lua_State *L, int index) {
  lwend_map *map = lwend_tomap(L, index);
  if (map == NULL) lwend_type_error(L, index, "map", "a graph or a grid");
  return lwend_check_alive(L, map);
}

void *lwend_check_self(lua_State *L, int index, const lwend_class *type) {
  void *object = lwend_toobject(L, index, type);
  if (object == NULL) {
    const char *space = strchr(type->self, ' '), *noun = space != NULL ? space + 1 : type->self;
    const char *given = lwend_describe(L, lua_absindex(L, index));
    luaL_error(L, "self must be %s (call it with a colon: %s:method()), got %s", type->self, noun, given);
  }
  return object;
}

lwend_map *lwend_check_graph(lua_State *L, int index) {
  return lwend_check_alive(L, lwend_check_self(L, index, &lwend_state_of(L)->types.graph));
}

lwend_map *lwend_check_grid(lua_State *L, int index) {
  return lwend_check_alive(L, lwend_check_self(L, index, &lwend_state_of(L)->types.grid));
}

lwend_map *lwend_check_map(lua_State *L) {
  return lwend_check_alive(L, lwend_check_self(L, 1, lua_touserdata(L, lua_upvalueindex(2))));
}

lwend_map *lwend_check_unlocked(lua_State *L, lwend_map *map) {
  if (map->searching > 0) luaL_error(L, "the %s is being searched: change it when the search is over", map->noun);
  if (map->mapping) luaL_error(L, "the grid is being mapped: its own function cannot change it");
  return map;
}

lwend_map *lwend_check_editable(lua_State *L, lwend_map *map) {
  if (map->kept) luaL_error(L, "the graph belongs to a surface: change its blocks (surface:changed)");
  return lwend_check_unlocked(L, map);
}

lwend_map *lwend_check_own(lua_State *L, lwend_map *map) {
  if (map->base != NULL) luaL_error(L, "self must be a %s of its own, got an overlay: change its base", map->noun);
  return lwend_check_editable(L, map);
}

void lwend_check_derived(lua_State *L, const lwend_map *map) {
  if (map->base == NULL) luaL_error(L, "self must be an overlay (map:overlay()), got a %s of its own", map->noun);
}

/* The coordinate of a cell at index: 1 .. most in Lua; from 0 as the result. */
static inline uint32_t check_axis(lua_State *L, int index, const char *what, uint32_t most) {
  uint64_t number = 0;
  char wanted[100];
  if (to_whole(L, index, &number) && number - 1 < most) return (uint32_t)number - 1;
  snprintf(wanted, sizeof wanted, "a whole number in 1 .. %lu%s", (unsigned long)most,
           lua_type(L, index) == LUA_TNUMBER && lua_tonumber(L, index) - floor(lua_tonumber(L, index)) > 0
               ? " (grid:cell_at finds the cell of a position)"
               : "");
  lwend_type_error(L, index, what, wanted);
  return 0;
}

wend_id lwend_check_cell(lua_State *L, int index, const lwend_map *g, const char *x_name, const char *y_name) {
  uint32_t x, y;
  check_alive(L, g);
  x = check_axis(L, index, x_name, wend_grid_width(g->grid));
  y = check_axis(L, index + 1, y_name, wend_grid_height(g->grid));
  return wend_grid_cell(g->grid, x, y);
}

/* lwend_listed_cell. Inline, because lists of cells are long. */
static inline wend_id listed_cell(lua_State *L, int list, const lwend_map *g, size_t i) {
  const int top = lua_gettop(L), first = (int)(2 * i - 1);
  uint64_t x = 0, y = 0;
  bool whole;
  lua_rawgeti(L, list, first);
  lua_rawgeti(L, list, first + 1);
  check_alive(L, g);
  whole = to_whole(L, top + 1, &x) && to_whole(L, top + 2, &y);
  lua_settop(L, top);
  if (!whole || x - 1 >= wend_grid_width(g->grid) || y - 1 >= wend_grid_height(g->grid)) return WEND_NO_ID;
  return wend_grid_cell(g->grid, (uint32_t)x - 1, (uint32_t)y - 1);
}

wend_id lwend_listed_cell(lua_State *L, int list, const lwend_map *g, size_t i) { return listed_cell(L, list, g, i); }

wend_id lwend_listed(lua_State *L, int list, const lwend_map *g, size_t i) {
  wend_id node = WEND_NO_ID;
  if (g->grid != NULL) return listed_cell(L, list, g, i);
  if (g->graph == NULL) return WEND_NO_ID;
  lua_rawgeti(L, list, (int)i);
  if (lua_type(L, -1) == LUA_TSTRING) {
    size_t length;
    const char *name = lua_tolstring(L, -1, &length);
    node = wend_graph_find(g->graph, name, length);
  } else if (!lwend_towhole(L, -1, &node) || !wend_graph_has_node(g->graph, node)) {
    node = WEND_NO_ID;
  }
  lua_pop(L, 1);
  return node;
}

/* Pushes the first items of a list as text, such as { { 7, 3 }, 5, ... }. depth: of tables in it that are shown. */
static const char *push_list(lua_State *L, int index, int depth) {
  const size_t length = lua_rawlen(L, index), shown = length < SHOWN_MOST ? length : SHOWN_MOST;
  lwend_check_stack(L, LUA_MINSTACK);
  lua_pushliteral(L, "{ ");
  for (size_t i = 1; i <= shown; i++) {
    lua_rawgeti(L, index, (int)i);
    if (depth > 0 && lua_istable(L, -1) && lua_rawlen(L, -1) > 0) (void)push_list(L, lua_gettop(L), depth - 1);
    else (void)lwend_describe(L, lua_gettop(L));
    lua_remove(L, -2);
    lua_pushstring(L, i < length ? ", " : " ");
    lua_concat(L, 3);
  }
  lua_pushstring(L, shown < length ? "... }" : "}");
  lua_concat(L, 2);
  return lua_tostring(L, -1);
}

/* Raises if the first item of a list of nodes or cells, at stack index `item`, is a table. */
static void check_is_flat(lua_State *L, int list, const lwend_map *g, const char *what, int item) {
  if (lua_istable(L, item))
    luaL_error(L, "%s must be a flat list, such as %s, got %s", what,
               g->grid == NULL ? "{ 1, 2 } for two nodes" : "{ 2, 3, 5, 4 } for two cells", push_list(L, list, 1));
}

wend_id lwend_check_listed(lua_State *L, int list, const lwend_map *g, const char *what, size_t i) {
  const int top = lua_gettop(L), first = (int)(2 * i - 1);
  wend_id id = lwend_listed(L, list, g, i);
  if (id != WEND_NO_ID) return id;
  if (g->grid == NULL) {
    lua_rawgeti(L, list, (int)i);
    if (i == 1) check_is_flat(L, list, g, what, top + 1);
    id = lwend_check_node(L, top + 1, g, lua_pushfstring(L, "%s[%d]", what, (int)i));
  } else {
    const char *x_name, *y_name;
    lua_rawgeti(L, list, first);
    lua_rawgeti(L, list, first + 1);
    if (i == 1) check_is_flat(L, list, g, what, top + 1);
    x_name = lua_pushfstring(L, "%s[%d]", what, first);
    y_name = lua_pushfstring(L, "%s[%d]", what, first + 1);
    id = lwend_check_cell(L, top + 1, g, x_name, y_name);
  }
  lua_settop(L, top);
  return id;
}

uint32_t lwend_check_list(lua_State *L, int index, const char *what, size_t width, const char *items) {
  size_t length;
  if (!lua_istable(L, index)) lwend_type_error(L, index, what, "a list");
  length = lua_rawlen(L, index);
  if (length % width != 0 || length / width >= WEND_NONE / 2)
    luaL_error(L, "%s must hold %d %s per item%s, got %d %s: %s", what, (int)width, items,
               width == 2 && items[0] == 'n' ? ", such as { 1, 2, 3, 4 } for two" : "", (int)length, items,
               push_list(L, index, 1));
  return (uint32_t)(length / width);
}

void lwend_check_table(lua_State *L, int index, const char *what) {
  if (!lua_isnil(L, index) && !lua_istable(L, index)) lwend_type_error(L, index, what, "a table");
}

void lwend_check_into(lua_State *L, int index) {
  lwend_check_table(L, index, "into");
  if (!lua_isnil(L, index)) return;
  lua_newtable(L);
  lua_replace(L, index);
}

void lwend_check_tag_keys(lua_State *L, int index, const char *name) {
  if (!lua_istable(L, index)) lwend_type_error(L, index, name, "a list of tags");
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) /* { swamp = true } would be an empty list */
    if (lua_type(L, -2) != LUA_TNUMBER)
      luaL_error(L, "%s must be a list of tags, got the key %s", name, lwend_describe(L, lua_gettop(L) - 1));
}

void lwend_check_tags(lua_State *L, int index, const char *name) {
  lwend_check_tag_keys(L, index, name);
  for (int i = 1, count = (int)lua_rawlen(L, index); i <= count; i++) {
    lua_rawgeti(L, index, i);
    lua_pushfstring(L, "%s[%d]", name, i);
    if (lua_type(L, -2) != LUA_TSTRING) lwend_type_error(L, lua_gettop(L) - 1, lua_tostring(L, -1), "a tag");
    lua_pop(L, 2);
  }
}

double lwend_check_finite(lua_State *L, int index, const char *what) {
  double number = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
  if (number - number != 0) lwend_type_error(L, index, what, "a finite number");
  return number;
}

double lwend_check_number(lua_State *L, int index, const char *what, double least, double most) {
  double number = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
  char wanted[80];
  if (number >= least && number <= most) return number;
  if (least == 0 && most == INFINITY) return lwend_type_error(L, index, what, "a number >= 0");
  if (least == 0 && most > 1e300) return lwend_type_error(L, index, what, "a finite number >= 0");
  snprintf(wanted, sizeof wanted, "a number in %.14g .. %.14g", least, most);
  return lwend_type_error(L, index, what, wanted);
}

double lwend_check_coordinate(lua_State *L, int index, const char *what) {
  const double number = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
  if (number >= -WEND_COORDINATE_MAX && number <= WEND_COORDINATE_MAX) return number;
  return lwend_type_error(L, index, what, "a finite number (up to 1e150)");
}

bool lwend_is_callable(lua_State *L, int index) {
  bool callable;
  if (lua_isfunction(L, index)) return true;
  if (!luaL_getmetafield(L, index, "__call")) return false;
  callable = lua_isfunction(L, -1);
  lua_pop(L, 1);
  return callable;
}

void lwend_check_callable(lua_State *L, int index, const char *what) {
  if (!lua_isnil(L, index) && !lwend_is_callable(L, index)) lwend_type_error(L, index, what, "a function");
}

bool lwend_check_boolean(lua_State *L, int index, const char *what) {
  if (!lua_isnil(L, index) && !lua_isboolean(L, index)) lwend_type_error(L, index, what, "true or false");
  return lua_toboolean(L, index) != 0;
}

wend_id lwend_check_node(lua_State *L, int index, const lwend_map *g, const char *what) {
  wend_id node = WEND_NO_ID;
  check_alive(L, g);
  if (lua_type(L, index) == LUA_TSTRING) {
    size_t length;
    const char *name = lua_tolstring(L, index, &length);
    node = wend_graph_find(g->graph, name, length);
    if (node == WEND_NO_ID) luaL_error(L, "%s: there is no node named %s", what, lwend_describe(L, index));
    return node;
  }
  if (!to_whole(L, index, &node)) lwend_type_error(L, index, what, "a node (its id or name)");
  if (!wend_graph_has_node(g->graph, node)) luaL_error(L, "%s: there is no node %s", what, lwend_describe(L, index));
  return node;
}

wend_id lwend_check_edge(lua_State *L, int index, const lwend_map *g, const char *what) {
  wend_id edge = WEND_NO_ID;
  check_alive(L, g);
  if (!to_whole(L, index, &edge)) lwend_type_error(L, index, what, "an edge (its id)");
  if (!wend_graph_has_edge(g->graph, edge)) luaL_error(L, "%s: there is no edge %s", what, lwend_describe(L, index));
  return edge;
}

uint32_t lwend_check_tag(lua_State *L, int index, int map_index, const char *what) {
  const lwend_map *g = lua_touserdata(L, map_index);
  size_t length;
  const char *name;
  uint32_t tag;
  if (lua_isnoneornil(L, index)) return WEND_UNTAGGED;
  if (lua_type(L, index) != LUA_TSTRING || lua_rawlen(L, index) == 0)
    lwend_type_error(L, index, what, "a string that is not empty");
  name = lua_tolstring(L, index, &length);
  check_alive(L, g);
  if (wend_map_tag(g->map, name, length, &tag) != WEND_OK) {
    if (wend_map_tag_count(g->map) == WEND_TAG_MAX) luaL_error(L, "%s: a %s has at most 65535 tags", what, g->noun);
    lwend_no_memory(L);
  }
  return tag;
}

/* Pushes "one of: a, b, c" and an end. Returns it. */
static const char *push_names(lua_State *L, const char *const *names, const char *end) {
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  luaL_addstring(&buffer, "one of: ");
  for (int i = 0; names[i] != NULL; i++) {
    if (i > 0) luaL_addstring(&buffer, ", ");
    luaL_addstring(&buffer, names[i]);
  }
  luaL_addstring(&buffer, end);
  luaL_pushresult(&buffer);
  return lua_tostring(L, -1);
}

int lwend_unknown_option(lua_State *L, int index, const char *const *names) {
  const char *key = lwend_describe(L, index);
  return luaL_error(L, "unknown option %s (expected %s)", key, push_names(L, names, ""));
}

int lwend_options(lua_State *L, int index, const char *const *names) {
  int first = lua_gettop(L) + 1, count = 0;
  if (!lua_isnoneornil(L, index) && !lua_istable(L, index)) lwend_type_error(L, index, "options", "a table");
  while (names[count] != NULL) count++;
  lwend_check_stack(L, count + LUA_MINSTACK);
  lua_settop(L, first - 1 + count);
  if (!lua_istable(L, index)) return first;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    size_t length;
    const char *key;
    int i = 0;
    if (lua_type(L, -2) != LUA_TSTRING) lwend_unknown_option(L, -2, names);
    key = lua_tolstring(L, -2, &length);
    while (names[i] != NULL && strcmp(names[i], key) != 0) i++;
    if (names[i] == NULL) lwend_unknown_option(L, -2, names);
    lua_replace(L, first + i);
  }
  return first;
}

bool lwend_check_encode_options(lua_State *L) {
  static const char *const options[] = {"prepared", NULL};
  const int at = lwend_options(L, 2, options);
  return lua_isnil(L, at) || lwend_check_boolean(L, at, "prepared");
}

int lwend_check_choice(lua_State *L, int index, const char *what, const char *const *names, const char *or_else) {
  if (lua_type(L, index) == LUA_TSTRING)
    for (int i = 0; names[i] != NULL; i++)
      if (strcmp(names[i], lua_tostring(L, index)) == 0) return i;
  return lwend_type_error(L, index, what, push_names(L, names, or_else));
}

/* ---- Numbers of a host -------------------------------------------------------------------------------------- */

#define TYPE_CDATA 10 /* of LuaJIT */

/* Calls a method without arguments of the value at index. Pushes the result; nil: there is no such method. */
static void call_method(lua_State *L, int index, const char *name) {
  lua_getfield(L, index, name);
  if (lua_isnil(L, -1)) return;
  lua_pushvalue(L, index);
  lua_call(L, 1, 1);
}

/* The address in the value at the top: light userdata, or a cdata of LuaJIT. NULL: it is none. */
static const void *address_at_top(lua_State *L) {
  const int top = lua_gettop(L);
  if (lua_islightuserdata(L, top)) return lua_touserdata(L, top);
  if (lua_type(L, top) != TYPE_CDATA) return NULL;
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  lua_getfield(L, -1, "ffi"); /* whoever has a cdata has loaded it */
  lua_getfield(L, -1, "cast");
  lua_pushliteral(L, "const void *");
  lua_pushvalue(L, top);
  lua_call(L, 2, 1);
  return *(const void *const *)lua_topointer(L, -1);
}

lwend_host_data lwend_find_host_data(lua_State *L, int index, const char *what, const char *wanted) {
  lwend_host_data from = {NULL, UINT64_MAX, false};
  size_t size;
  if (lua_type(L, index) == LUA_TSTRING) {
    from.at = lua_tolstring(L, index, &size);
    from.size = size, from.exact = true;
    return from;
  }
  if (lua_isuserdata(L, index) && !lua_islightuserdata(L, index) && luaL_getmetafield(L, index, "__index") != 0) {
    call_method(L, index, "getSize");
    if (!lwend_towhole(L, -1, &from.size)) lwend_type_error(L, index, what, wanted);
    from.exact = true;
    call_method(L, index, "getFFIPointer"); /* nil without FFI */
    if (lua_isnil(L, -1)) call_method(L, index, "getPointer");
  } else {
    lua_pushvalue(L, index);
  }
  from.at = address_at_top(L);
  if (from.at == NULL) lwend_type_error(L, index, what, wanted);
  return from;
}
