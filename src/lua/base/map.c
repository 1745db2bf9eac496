/* SPDX-License-Identifier: MIT */
/* The common parts of graphs and grids: ids, names and tags; and the positions of the cells of a grid.
 *
 * The anchor of a map is a list: item 0 is the map itself, item -1 the base of an overlay, item n the name of tag n. So the name
 * of a tag is a Lua string that exists already, and pushing it allocates nothing. Tags are never removed, so the list only
 * grows. */
#include <math.h>
#include <string.h>

#include "lua/lwend.h"

/* Names are copied before they are pushed. Pushing may run finalizers, which may free the name. A name of at most this
 * many bytes is copied to the C stack, a longer one to a userdata. */
#define NAME_ROOM 256

typedef const char *(*get_text)(const void *owner, wend_id id, size_t *length);

/* Pushes a text from the core's memory, or nil if there is none. */
static void push_text(lua_State *L, get_text get, const void *owner, wend_id id) {
  char room[NAME_ROOM];
  size_t length, length_now;
  const char *text = get(owner, id, &length);
  if (text == NULL) {
    lua_pushnil(L);
  } else if (length <= sizeof room) {
    memcpy(room, text, length);
    lua_pushlstring(L, room, length);
  } else {
    char *copy = lua_newuserdata(L, length);
    text = get(owner, id, &length_now); /* a finalizer may have changed or removed it */
    if (text == NULL || length_now > length) length_now = 0;
    if (length_now > 0) memcpy(copy, text, length_now);
    lua_pushlstring(L, copy, length_now);
    lua_remove(L, -2);
  }
}

static const char *get_name(const void *owner, wend_id node, size_t *length) {
  const lwend_map *g = owner;
  return g->graph != NULL && wend_graph_has_node(g->graph, node) ? wend_graph_name(g->graph, node, length) : NULL;
}

static const char *get_tag(const void *owner, wend_id tag, size_t *length) {
  const lwend_map *g = owner;
  return g->map != NULL && tag <= wend_map_tag_count(g->map) ? wend_map_tag_name(g->map, (uint32_t)tag, length) : NULL;
}

void lwend_push_name(lua_State *L, const lwend_map *g, wend_id node) { push_text(L, get_name, g, node); }

const char *lwend_push_node_text(lua_State *L, const lwend_map *g, wend_id node) {
  int first = lua_gettop(L) + 1;
  lwend_push_name(L, g, node);
  lwend_pushwhole(L, node);
  if (!lua_isnil(L, first)) lua_pushfstring(L, "'%s' (%s)", lua_tostring(L, first), lua_tostring(L, first + 1));
  lua_replace(L, first);
  lua_settop(L, first);
  return lua_tostring(L, first);
}

const char *lwend_push_id_text(lua_State *L, const lwend_map *g, wend_id id) {
  int x;
  if (g->grid == NULL) return lwend_push_node_text(L, g, id);
  (void)lwend_push_id(L, g, id);
  x = lua_gettop(L) - 1;
  lua_pushfstring(L, "(%s,%s)", lua_tostring(L, x), lua_tostring(L, x + 1));
  lua_replace(L, x);
  lua_settop(L, x);
  return lua_tostring(L, x);
}

int lwend_push_id(lua_State *L, const lwend_map *g, wend_id id) {
  if (g->grid == NULL) {
    return lwend_whole(L, id);
  } else {
    const uint32_t cell = (uint32_t)(id - 1), width = wend_grid_width(g->grid);
    lwend_pushwhole(L, cell % width + 1);
    lwend_pushwhole(L, cell / width + 1);
    return 2;
  }
}

void lwend_set_id(lua_State *L, const lwend_map *g, wend_id id, const char *node, const char *x, const char *y) {
  if (lwend_push_id(L, g, id) == 1) {
    lua_setfield(L, -2, node);
  } else {
    lua_setfield(L, -3, y);
    lua_setfield(L, -2, x);
  }
}

void lwend_push_tag(lua_State *L, int map_index, uint32_t tag) {
  if (tag == WEND_UNTAGGED) {
    lua_pushnil(L);
    return;
  }
  lwend_pushanchor(L, map_index);
  if (LWEND_RAWGETI(L, -1, (int)tag) == LUA_TNIL) {
    lua_pop(L, 1);
    lwend_note_tags(L, map_index, lua_touserdata(L, map_index));
    lua_rawgeti(L, -1, (int)tag);
  }
  lua_remove(L, -2);
}

/* An overlay follows its bases by recursion: so there is a limit. */
#define HEIGHT_MAX 100

lwend_map *lwend_push_map(lua_State *L, size_t bytes, const lwend_class *type, int of) {
  lwend_map *base = of != 0 ? lua_touserdata(L, of) : NULL;
  lwend_map *map = lwend_new(L, bytes, type);
  map->noun = type == &lwend_state_of(L)->types.graph ? "graph" : "grid";
  lua_newtable(L);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, 0); /* a reference to the anchor keeps the map alive */
  if (base != NULL) {
    if (base->height == HEIGHT_MAX) luaL_error(L, "at most %d overlays can lie on each other", HEIGHT_MAX);
    map->height = base->height + 1;
    lua_pushvalue(L, of);
    lua_rawseti(L, -2, -1);
    map->base = base;
  }
  lwend_setanchor(L, -2);
  return map;
}

void lwend_set_map(lua_State *L, lwend_map *g, wend_map *map) {
  g->map = map;
  g->graph = wend_map_graph(map);
  g->grid = wend_map_grid(map);
  lwend_note_tags(L, -1, g);
}

/* Pushes a new map without contents, with the type, the frame and the glyphs of the map at index. overlay: as an overlay of it. */
static lwend_map *push_like(lua_State *L, int index, bool overlay) {
  const lwend_state *state = lwend_state_of(L);
  lwend_map *g = lua_touserdata(L, index);
  const size_t bytes = lua_rawlen(L, index);
  lwend_map *made = lwend_push_map(L, bytes, g->grid != NULL ? &state->types.grid : &state->types.graph, overlay ? index : 0);
  (void)lwend_check_alive(L, g); /* a finalizer may have freed it */
  made->frame = g->frame;
  memcpy(made + 1, g + 1, bytes - sizeof *made); /* the glyphs of a grid */
  return made;
}

/* Gives a map, which is at the top of the stack, what was made for it. Returns 1. */
static int push_made(lua_State *L, lwend_map *made, wend_map *map, wend_status status) {
  if (status != WEND_OK) return lwend_no_memory(L);
  lwend_set_map(L, made, map);
  lwend_gc_step(L, lwend_state_of(L));
  return 1;
}

/* map:copy() -> map */
int lwend_map_copy(lua_State *L) {
  lwend_map *g = lwend_check_map(L), *made = push_like(L, 1, false);
  wend_map *map = NULL;
  const wend_status status = wend_map_copy(g->map, &map);
  return push_made(L, made, map, status);
}

/* Reads the option unknown at index: the weight of unknown cells. Leaves their tag, or nil, at the top. */
static double check_unknown(lua_State *L, int index) {
  static const char *const fields[] = {"weight", "tag", NULL};
  const bool split = lua_istable(L, index);
  const int at = split ? lwend_options(L, index, fields) : index;
  double weight = 1;
  if (lua_type(L, at) == LUA_TNUMBER) weight = lua_tonumber(L, at);
  else if (lua_isboolean(L, at) && !lua_toboolean(L, at)) weight = INFINITY;
  else if (!split || !lua_isnil(L, at)) weight = -1;
  if (!(weight >= 0) && split) lwend_type_error(L, at, "unknown.weight", "a number >= 0 or false");
  if (!(weight >= 0)) lwend_type_error(L, at, "unknown", "a number >= 0, false or a table { weight =, tag = }");
  if (!split) lua_pushnil(L);
  return weight;
}

/* map:overlay([{ unknown }]) -> map that follows this one, or with unknown one that has what is revealed */
int lwend_map_overlay(lua_State *L) {
  static const char *const options[] = {"unknown", NULL};
  lwend_map *g = lwend_check_map(L), *made;
  wend_map *map = NULL;
  wend_grid *fog = NULL;
  wend_status status;
  double weight = INFINITY;
  int o, tag = 0;
  lua_settop(L, 2);
  o = lwend_options(L, 2, options);
  if (!lua_isnil(L, o)) {
    if (g->grid == NULL) luaL_error(L, "unknown is an option of grids: a graph has no cells to reveal");
    weight = check_unknown(L, o);
    tag = lua_gettop(L);
  }
  made = push_like(L, 1, true);
  if (lua_isnil(L, o)) {
    status = wend_map_overlay(g->map, &map);
  } else {
    const uint32_t number = lwend_check_tag(L, tag, 1, "unknown.tag");
    status = wend_grid_overlay_fog(g->grid, weight, number, &fog), map = status == WEND_OK ? wend_grid_map(fog) : NULL;
  }
  return push_made(L, made, map, status);
}

/* The map below all overlays. */
static const lwend_map *ground_of(const lwend_map *map) {
  while (map->base != NULL) map = map->base;
  return map;
}

bool lwend_are_related(const lwend_map *a, const lwend_map *b) {
  return a != NULL && b != NULL && ground_of(a) == ground_of(b);
}

/* core.related(map, other) -> boolean */
int lwend_core_related(lua_State *L) {
  lua_settop(L, 2);
  return lwend_flag(L, lwend_are_related(lwend_tomap(L, 1), lwend_tomap(L, 2)));
}

static wend_status encode_overlay(void *map, void *bytes, size_t *size) { return wend_overlay_encode(map, bytes, size); }

void lwend_push_overlay_bytes(lua_State *L, lwend_map *overlay) {
  (void)lwend_push_encoded(L, overlay, &overlay->base->searching, encode_overlay, overlay->map); /* both are locked */
}

wend_status lwend_push_decoded_overlay(lua_State *L, int base, const void *bytes, size_t size) {
  const lwend_map *g = lua_touserdata(L, base);
  lwend_map *made = push_like(L, base, true);
  wend_map *map;
  const wend_status status = lwend_check_memory(L, wend_overlay_decode(g->map, bytes, size, &map));
  if (status == WEND_OK) lwend_set_map(L, made, map);
  return status;
}

int lwend_map_gc(lua_State *L) {
  const lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_unlocked(L, lwend_check_self(L, 1, lua_touserdata(L, lua_upvalueindex(2))));
  if (g->map != NULL && state->views != NULL) wend_views_forget(state->views, g->map);
  wend_map_destroy(g->map);
  g->graph = NULL;
  g->grid = NULL;
  g->map = NULL;
  return 0;
}

void lwend_note_tags(lua_State *L, int index, const lwend_map *g) {
  uint32_t tag;
  lwend_pushanchor(L, index);
  tag = (uint32_t)lua_rawlen(L, -1) + 1;
  for (; g->map != NULL && tag <= wend_map_tag_count(g->map); tag++) {
    push_text(L, get_tag, g, tag);
    lua_rawseti(L, -2, (int)tag);
  }
  lua_pop(L, 1);
}

/* map:tags() -> table: the number of edges, or of cells and links, by tag; the number of those without a tag */
int lwend_map_tags(lua_State *L) {
  lwend_map *g = lwend_check_map(L);
  uint32_t room, used = 0;
  uint64_t *counts;
  do { /* making the userdata may run finalizers, which may add tags */
    room = wend_map_tag_count(lwend_check_alive(L, g)->map);
    lua_settop(L, 1);
    counts = lua_newuserdata(L, ((size_t)room + 1) * sizeof *counts);
  } while (g->map == NULL || wend_map_tag_count(g->map) > room);
  if (g->grid != NULL) wend_grid_count_tags(g->grid, counts);
  else if (wend_graph_count_tags(g->graph, counts) != WEND_OK) return lwend_no_memory(L);
  for (uint32_t tag = 1; tag <= room; tag++) used += counts[tag] > 0;
  lua_createtable(L, 0, (int)used);
  for (uint32_t tag = 1; tag <= room; tag++) {
    if (counts[tag] == 0) continue;
    lwend_push_tag(L, 1, tag);
    if (lua_isnil(L, -1)) return luaL_error(L, "the %s is gone", g->noun);
    lwend_pushwhole(L, counts[tag]);
    lua_rawset(L, -3);
  }
  lwend_pushwhole(L, counts[0]);
  return 2;
}

void lwend_add_cell(lua_State *L, int list, int *length, const lwend_map *g, wend_id cell) {
  const uint32_t number = (uint32_t)(cell - 1), width = wend_grid_width(g->grid);
  lua_pushinteger(L, (lua_Integer)(number % width + 1));
  lua_rawseti(L, list, ++*length);
  lua_pushinteger(L, (lua_Integer)(number / width + 1));
  lua_rawseti(L, list, ++*length);
}

void lwend_check_squares(lua_State *L, const lwend_map *g, const char *what) {
  if (g != NULL && g->grid != NULL && wend_grid_shape(g->grid) != WEND_SQUARES) luaL_error(L, "%s is not for hexes", what);
}

void lwend_body_point(const lwend_map *g, wend_id cell, double size, double *x, double *y) {
  const uint32_t number = (uint32_t)(cell - 1), width = wend_grid_width(g->grid);
  const double centre = 0.5 + lwend_body_shift(size);
  double point[2];
  if (g->frame.shape != WEND_SQUARES) wend_frame_centre(&g->frame, number % width, number / width, point);
  else lwend_to_world(&g->frame, number % width + centre, number / width + centre, point);
  *x = point[0], *y = point[1];
}

void lwend_set_cell(lwend_frame *frame, double size) {
  const double along = 1.1547005383792517 * size; /* 2 / sqrt(3): from corner to corner of a regular hex */
  frame->wide = frame->shape >= WEND_ODD_COLUMNS ? along : size;
  frame->high = frame->shape == WEND_ODD_ROWS || frame->shape == WEND_EVEN_ROWS ? along : size;
  frame->side = frame->shape == WEND_SQUARES ? 0 : along / 2;
}

double lwend_cell_of(const lwend_frame *f) {
  const double size = f->shape >= WEND_ODD_COLUMNS ? f->high : f->wide;
  lwend_frame plain = *f;
  lwend_set_cell(&plain, size);
  return !f->isometric && plain.wide == f->wide && plain.high == f->high && plain.side == f->side ? size : 0;
}

void lwend_vector_to_world(const lwend_frame *f, double x, double y, double *vector) {
  if (f->isometric) {
    vector[0] = (x - y) * (f->wide / 2), vector[1] = (x + y) * (f->high / 2);
  } else {
    vector[0] = x * f->wide, vector[1] = y * f->high;
  }
}

void lwend_vector_in_cells(const lwend_frame *f, double dx, double dy, double *cells) {
  const double vector[2] = {dx, dy};
  wend_frame_in_cells(f, vector, cells);
}

void lwend_point_in_cells(const lwend_map *g, const double *point, double *cells) {
  wend_frame_point_in_cells(&g->frame, point, cells);
}

wend_id lwend_cell_under(const lwend_map *g, const double *cells) {
  double at[2];
  wend_frame_cell(&g->frame, cells, at);
  if (!(at[0] >= 0 && at[1] >= 0 && at[0] < wend_grid_width(g->grid) && at[1] < wend_grid_height(g->grid))) return WEND_NO_ID;
  return wend_grid_cell(g->grid, (uint32_t)at[0], (uint32_t)at[1]);
}
