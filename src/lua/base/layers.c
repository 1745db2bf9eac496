/* SPDX-License-Identifier: MIT */
/* The option influence: { layer, factor, layer, factor, ... }. A request keeps it as a userdata that no script can change, and paths
 * have it in their field of that name. Its anchor is the list of the layers.
 *
 * A layer can go while a search in slices uses it: it was freed, or the Lua state is being closed. So each slice takes the layers
 * anew, and one that is gone adds nothing. */
#include "lua/base/query.h"

struct lwend_layers {
  uint32_t count;
  struct {
    lwend_influence *of;
    double factor;
  } at[1];
};

/* Whether a layer is of a map or of a base of it. */
static bool is_of(const lwend_influence *layer, const lwend_map *g) {
  while (g != NULL && g != layer->map) g = g->base;
  return g != NULL;
}

/* Checks item i of the list at index. g: NULL: the map is not known. */
static void check_layer_item(lua_State *L, int index, const lwend_map *g, int i, struct lwend_layers *made) {
  const int top = lua_gettop(L);
  lwend_influence *layer;
  lua_rawgeti(L, index, 2 * i - 1);
  lua_rawgeti(L, index, 2 * i);
  lua_pushfstring(L, "influence[%d]", 2 * i - 1);
  lua_pushfstring(L, "influence[%d]", 2 * i);
  layer = lwend_toobject(L, top + 1, &lwend_state_of(L)->types.influence);
  if (layer == NULL) lwend_type_error(L, top + 1, lua_tostring(L, top + 3), "an influence layer");
  else if (layer->layer == NULL) luaL_error(L, "%s: the layer is gone", lua_tostring(L, top + 3));
  else if (g != NULL && !is_of(layer, g)) luaL_error(L, "%s: the layer belongs to another map", lua_tostring(L, top + 3));
  made->at[i - 1].factor = lwend_check_number(L, top + 2, lua_tostring(L, top + 4), 0, WEND_INFLUENCE_MAX);
  made->at[i - 1].of = layer;
  lua_settop(L, top + 1);
}

void lwend_check_layers(lua_State *L, const lwend_map *g, int index) {
  const lwend_state *state = lwend_state_of(L);
  struct lwend_layers *made = lwend_toobject(L, index, &state->types.layers);
  uint32_t count;
  if (made != NULL) { /* of a path */
    for (uint32_t i = 0; i < made->count; i++)
      if (g != NULL && !is_of(made->at[i].of, g))
        luaL_error(L, "influence[%d]: the layer belongs to another map", (int)(2 * i + 1));
    lua_pushvalue(L, index);
    return;
  }
  count = lwend_check_list(L, index, "influence", 2, "values");
  made = lwend_new(L, sizeof *made + count * sizeof *made->at, &state->types.layers);
  lua_createtable(L, (int)count, 0);
  for (uint32_t i = 1; i <= count; i++) {
    check_layer_item(L, index, g, (int)i, made);
    lua_rawseti(L, -2, (int)i);
  }
  made->count = count;
  lwend_setanchor(L, -2);
}

/* layers == other: whether they are the same layers with the same factors, in this order */
static int layers_equal(lua_State *L) {
  const lwend_class *type = &lwend_state_of(L)->types.layers;
  const struct lwend_layers *a = lwend_toobject(L, 1, type), *b = lwend_toobject(L, 2, type);
  bool equal = a != NULL && b != NULL && a->count == b->count;
  for (uint32_t i = 0; equal && i < a->count; i++) equal = a->at[i].of == b->at[i].of && a->at[i].factor == b->at[i].factor;
  lua_pushboolean(L, equal);
  return 1;
}

void lwend_open_layers(lua_State *L, lwend_state *state) {
  lua_newtable(L);
  lwend_metatable(L, "wend.Layers", state, NULL, &state->types.layers);
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->types.layers.ref);
  lua_rawgetp(L, LUA_REGISTRYINDEX, state);
  lua_pushcclosure(L, layers_equal, 1);
  lua_setfield(L, -2, "__eq");
  lua_pop(L, 1);
}

void lwend_leave_layers(lwend_request *request) {
  struct lwend_layers *layers = request->layers;
  for (uint32_t i = 0; layers != NULL && i < layers->count; i++) layers->at[i].of->readers--;
  request->layers = NULL;
}

void lwend_take_layers(lua_State *L, lwend_request *request) {
  struct lwend_layers *layers = lwend_toobject(L, LWEND_INFLUENCE, &request->state->types.layers);
  lwend_searcher *searcher = request->searcher;
  lwend_leave_layers(request);
  if (layers == NULL || request->search.reach_only) return; /* layers close nothing */
  LWEND_GROW(L, request->state, searcher->influences, searcher->influences_capacity, layers->count);
  for (uint32_t i = 0; i < layers->count; i++) {
    searcher->influences[i].layer = layers->at[i].of->layer;
    searcher->influences[i].factor = layers->at[i].factor;
    layers->at[i].of->readers++;
  }
  request->layers = layers;
  request->search.costs.influences = searcher->influences;
  request->search.costs.influence_count = layers->count;
}
