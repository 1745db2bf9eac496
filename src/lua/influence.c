/* SPDX-License-Identifier: MIT */
/* wend.Influence: layers of numbers that make steps dearer. A layer keeps its map alive: its anchor is a list of it. What searches
 * do with a layer is in base/layers.c. */
#include "base/query.h"
#include "query/field.h"

/* The layer at index, for methods: self. Raises if it or its map is gone. */
static lwend_influence *check_influence(lua_State *L, int index) {
  lwend_influence *layer = lwend_check_self(L, index, &lwend_state_of(L)->types.influence);
  if (layer->layer == NULL) luaL_error(L, "the layer is gone");
  (void)lwend_check_alive(L, layer->map);
  return layer;
}

/* Pushes a layer of the map at index, without numbers. */
static lwend_influence *push_layer(lua_State *L, int index) {
  lwend_influence *layer = lwend_new(L, sizeof *layer, &lwend_state_of(L)->types.influence);
  lua_createtable(L, 1, 0);
  lua_pushvalue(L, index);
  lua_rawseti(L, -2, 1);
  lwend_setanchor(L, -2);
  layer->map = lwend_check_anymap(L, index);
  return layer;
}

/* wend.influence(map) -> layer */
int lwend_core_influence(lua_State *L) {
  lwend_influence *layer;
  (void)lwend_check_anymap(L, 1);
  layer = push_layer(L, 1);
  layer->layer = wend_influence_create(&lwend_state_of(L)->alloc, layer->map->map);
  return layer->layer != NULL ? 1 : lwend_no_memory(L);
}

/* layer:free() */
static int influence_free(lua_State *L) {
  lwend_influence *layer = lwend_check_self(L, 1, &lwend_state_of(L)->types.influence);
  if (layer->readers > 0) return luaL_error(L, "the layer is being read: functions of the search cannot free it");
  wend_influence_destroy(layer->layer);
  layer->layer = NULL;
  return 0;
}

/* The map of the layer at 1, which must be a grid. */
static lwend_map *check_grid_of(lua_State *L, const char *method) {
  lwend_map *g = check_influence(L, 1)->map;
  if (g->grid == NULL) luaL_error(L, "%s needs a grid, the layer is of a graph", method);
  return g;
}

/* Reads the node or cell at 2. Returns the stack index after it. May run scripts. */
static int read_place(lua_State *L, wend_id *at) {
  const lwend_map *g = check_influence(L, 1)->map;
  if (g->graph != NULL) return *at = lwend_check_node(L, 2, g, "node"), 3;
  lwend_spread_cell(L, 2, g, "x");
  *at = lwend_check_cell(L, 2, g, "x", "y");
  return 4;
}

/* A number of which the magnitude is at most that of a number in a layer. */
static double check_amount(lua_State *L, int index, const char *what, double least) {
  return lwend_check_number(L, index, what, least, WEND_INFLUENCE_MAX);
}

/* After a change: returns the layer. */
static int changed(lua_State *L, wend_status status) {
  lwend_check_memory(L, status);
  lwend_gc_step(L, lwend_state_of(L));
  return lwend_self(L);
}

/* layer:get(node), layer:get(x, y) -> number */
static int influence_get(lua_State *L) {
  wend_id at;
  (void)read_place(L, &at);
  return lwend_number(L, wend_influence_get(check_influence(L, 1)->layer, at));
}

/* layer:set(node, value), layer:set(x, y, value) -> layer */
static int influence_set(lua_State *L) {
  wend_id at;
  const double value = check_amount(L, read_place(L, &at), "value", 0);
  return changed(L, wend_influence_set(check_influence(L, 1)->layer, at, value));
}

/* layer:add(node, value), layer:add(x, y, value) -> layer */
static int influence_add(lua_State *L) {
  wend_id at;
  const double value = check_amount(L, read_place(L, &at), "value", -WEND_INFLUENCE_MAX);
  return changed(L, wend_influence_add(check_influence(L, 1)->layer, at, value));
}

/* layer:stamp(node, radius, value[, falloff]), layer:stamp(x, y, radius, value[, falloff]) -> layer */
static int influence_stamp(lua_State *L) {
  static const char *const falloffs[] = {"linear", "smooth", "flat", NULL};
  wend_id at;
  const int first = read_place(L, &at);
  const double radius = lwend_check_finite(L, first, "radius");
  const double value = check_amount(L, first + 1, "value", -WEND_INFLUENCE_MAX);
  const int falloff = lua_isnoneornil(L, first + 2) ? 0 : lwend_check_choice(L, first + 2, "falloff", falloffs, "");
  const lwend_influence *layer = check_influence(L, 1);
  if (!(radius > 0)) lwend_type_error(L, first, "radius", "a finite number > 0");
  return changed(L, wend_influence_stamp(layer->layer, layer->map->map, at, radius, value, (wend_falloff)falloff));
}

/* layer:decay(factor) -> layer */
static int influence_decay(lua_State *L) {
  const lwend_influence *layer = check_influence(L, 1);
  wend_influence_decay(layer->layer, lwend_check_number(L, 2, "factor", 0, 1));
  return lwend_self(L);
}

/* layer:reset() -> layer */
static int influence_reset(lua_State *L) {
  wend_influence_reset(check_influence(L, 1)->layer);
  return lwend_self(L);
}

/* layer:invert(most) -> layer */
static int influence_invert(lua_State *L) {
  const lwend_influence *layer = check_influence(L, 1);
  const double most = check_amount(L, 2, "most", 0);
  return changed(L, wend_influence_invert(layer->layer, layer->map->map, most));
}

/* layer:obstacle_distance() -> layer */
static int influence_obstacle_distance(lua_State *L) {
  const lwend_map *g = check_grid_of(L, "obstacle_distance");
  return changed(L, wend_influence_obstacle_distance(check_influence(L, 1)->layer, g->grid));
}

/* layer:visible_from(cells, radius[, { opaque, transparent }]) -> layer */
static int influence_visible_from(lua_State *L) {
  static const char *const names[] = {"opaque", "transparent", NULL};
  lwend_map *g = check_grid_of(L, "visible_from");
  const wend_sight *sight;
  wend_influence *layer;
  uint32_t count;
  double radius;
  /* Read. */
  lua_settop(L, 4);
  count = lwend_check_list(L, 2, "cells", 2, "numbers");
  for (uint32_t i = 0; i < count; i++) (void)lwend_check_listed(L, 2, g, "cells", (size_t)i + 1);
  radius = lwend_check_number(L, 3, "radius", 0, INFINITY);
  sight = lwend_push_sight(L, g, lwend_options(L, 4, names));
  /* Check again. From here on nothing allocates Lua memory. */
  g = check_grid_of(L, "visible_from");
  layer = check_influence(L, 1)->layer;
  /* Act. */
  wend_influence_reset(layer);
  for (uint32_t i = 0; i < count; i++) {
    const wend_id from = lwend_listed_cell(L, 2, g, (size_t)i + 1);
    if (from == WEND_NO_ID) return luaL_error(L, "cells was changed by a finalizer");
    for (wend_id cell = WEND_NO_ID; (cell = wend_sight_next(sight, g->grid, from, radius, cell)) != WEND_NO_ID;)
      lwend_check_memory(L, wend_influence_add(layer, cell, 1));
  }
  return changed(L, WEND_OK);
}

/* layer:from_field(field[, unreached]) -> layer */
static int influence_from_field(lua_State *L) {
  const lwend_influence *layer = check_influence(L, 1);
  const double unreached = lua_isnoneornil(L, 3) ? 0 : check_amount(L, 3, "unreached", 0);
  const lwend_field *f = lwend_check_field(L, 2, layer->map, LWEND_ANY_FIELD, "field");
  return changed(L, wend_influence_from_field(layer->layer, layer->map->map, f->field, unreached));
}

/* layer:bytes() -> the memory that the layer holds, in bytes */
static int influence_bytes(lua_State *L) { return lwend_whole(L, wend_influence_bytes(check_influence(L, 1)->layer)); }

static wend_status encode_layer(lua_State *L, void *unused, void *bytes, size_t *size) {
  const lwend_influence *layer = check_influence(L, 1);
  (void)unused;
  return lwend_check_memory(L, wend_influence_encode(layer->layer, layer->map->map, bytes, size));
}

/* layer:encode() -> string */
static int influence_encode(lua_State *L) {
  (void)check_influence(L, 1);
  lua_settop(L, 1);
  return lwend_push_bytes(L, encode_layer, NULL);
}

wend_status lwend_push_decoded_influence(lua_State *L, int map, const void *bytes, size_t size) {
  lwend_influence *layer = push_layer(L, map);
  return lwend_check_memory(L, wend_influence_decode(&lwend_state_of(L)->alloc, layer->map->map, bytes, size, &layer->layer));
}

/* tostring(layer) -> "wend.Influence" */
static int influence_tostring(lua_State *L) {
  (void)check_influence(L, 1);
  lua_pushliteral(L, "wend.Influence");
  return 1;
}

void lwend_open_influence(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {
      {"add", influence_add},
      {"bytes", influence_bytes},
      {"decay", influence_decay},
      {"encode", influence_encode},
      {"free", influence_free},
      {"from_field", influence_from_field},
      {"get", influence_get},
      {"invert", influence_invert},
      {"obstacle_distance", influence_obstacle_distance},
      {"reset", influence_reset},
      {"set", influence_set},
      {"stamp", influence_stamp},
      {"visible_from", influence_visible_from},
      {NULL, NULL},
  };
  lwend_type(L, "wend.Influence", "an influence layer", state, methods, influence_free, influence_tostring,
             &state->types.influence);
  lwend_open_layers(L, state);
}
