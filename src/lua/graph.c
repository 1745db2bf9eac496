/* SPDX-License-Identifier: MIT */
/* wend.Graph: making, changing and reading graphs. Each method reads and checks its arguments, calls one function of the core
 * (wend_graph_...) and pushes the result. A method that changes the graph returns it, at stack index 1. */
#include <string.h>

#include "lua/base/query.h"

static const char *const axis_names[] = {"x", "y", "z"};

/* Reads 2 or 3 coordinates from index on. */
static void check_position(lua_State *L, int index, const lwend_map *g, double *position) {
  int dimensions = wend_graph_dimensions(g->graph);
  for (int d = 0; d < dimensions; d++) position[d] = lwend_check_coordinate(L, index + d, axis_names[d]);
}

/* wend.graph([{ dimensions }]) -> graph */
int lwend_core_graph(lua_State *L) {
  static const char *const options[] = {"dimensions", NULL};
  lwend_state *state = lwend_state_of(L);
  int dimensions = 2, first = lwend_options(L, 1, options);
  lwend_map *g;
  if (!lua_isnil(L, first)) {
    uint64_t given = 0;
    if (!lwend_towhole(L, first, &given) || given < 2 || given > 3) lwend_type_error(L, first, "dimensions", "2 or 3");
    dimensions = (int)given;
  }
  g = lwend_push_map(L, sizeof *g, &state->types.graph, 0);
  g->graph = wend_graph_create(&state->alloc, dimensions);
  if (g->graph == NULL) return lwend_no_memory(L);
  g->map = wend_graph_map(g->graph);
  return 1;
}

static wend_status encode_whole_graph(void *graph, void *bytes, size_t *size) { return wend_graph_encode(graph, bytes, size); }
static wend_status encode_bare_graph(void *graph, void *bytes, size_t *size) {
  return wend_graph_encode_bare(graph, bytes, size);
}

/* graph:encode([opts]) -> string */
static int graph_encode(lua_State *L) {
  bool prepared;
  lwend_map *g;
  (void)lwend_check_graph(L, 1);
  prepared = lwend_check_encode_options(L);
  g = lwend_check_graph(L, 1);
  if (g->base != NULL) lwend_push_overlay_bytes(L, g);
  else (void)lwend_push_encoded(L, g, NULL, prepared ? encode_whole_graph : encode_bare_graph, g->graph);
  return 1;
}

wend_status lwend_push_decoded_graph(lua_State *L, const void *bytes, size_t size) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_push_map(L, sizeof *g, &state->types.graph, 0);
  const wend_status status = lwend_check_memory(L, wend_graph_decode(&state->alloc, bytes, size, &g->graph));
  if (status == WEND_OK) lwend_set_map(L, g, wend_graph_map(g->graph));
  return status;
}

/* The name at index: not empty, and not the name of another node than `node`. */
static const char *check_name(lua_State *L, int index, const lwend_map *g, wend_id node, size_t *length) {
  const char *name;
  wend_id owner;
  if (lua_type(L, index) != LUA_TSTRING || lua_rawlen(L, index) == 0)
    lwend_type_error(L, index, "name", "a string that is not empty");
  name = lua_tolstring(L, index, length);
  owner = wend_graph_find(g->graph, name, *length);
  if (owner != WEND_NO_ID && owner != node) {
    const char *given = lwend_describe(L, index);
    lwend_pushwhole(L, owner);
    luaL_error(L, "name: %s is the name of node %s already", given, lua_tostring(L, -1));
  }
  return name;
}

/* The radius at index: 0 .. 1e308. nil: INFINITY, no limit. */
static double check_radius(lua_State *L, int index) {
  return lua_isnoneornil(L, index) ? INFINITY : lwend_check_number(L, index, "radius", 0, 1e308);
}

/* Spreads the position at 2 of graph:add_node, except in a table that may hold options as well: one without a metatable and
 * without an argument after it, and no list. Returns whether 2 is then a table of options. May run scripts. */
static bool spread_position(lua_State *L, int dimensions) {
  if (lua_istable(L, 2) && lua_isnoneornil(L, 3)) {
    const int top = lua_gettop(L);
    const bool options = !lua_getmetatable(L, 2) && LWEND_RAWGETI(L, 2, 1) == LUA_TNIL;
    lua_settop(L, top);
    if (options) return true;
  }
  return !lwend_spread(L, 2, dimensions, "x") && lua_istable(L, 2);
}

/* graph:add_node([x, y[, z]][, opts]), graph:add_node(position[, opts]), graph:add_node { x, y, z, name, radius, tag } -> id */
static int graph_add_node(lua_State *L) {
  static const char *const options[] = {"name", "radius", "tag", NULL}, *const fields[] = {"name", "radius", "tag", "x",
                                                                                           "y",    "z",      NULL};
  lwend_map *g = lwend_check_own(L, lwend_check_graph(L, 1));
  const int dimensions = wend_graph_dimensions(g->graph);
  int first, at = 2;
  double position[3], radius;
  const char *name = NULL;
  size_t length = 0;
  uint32_t tag;
  wend_id node;
  bool placed;
  /* Read. */
  if (spread_position(L, dimensions)) {
    first = lwend_options(L, 2, fields);
    at = first + 3;
    placed = !lua_isnil(L, at) || !lua_isnil(L, at + 1) || !lua_isnil(L, at + 2);
  } else {
    placed = !lua_isnoneornil(L, 2);
    lua_settop(L, 2 + dimensions);
    first = lwend_options(L, 2 + dimensions, options);
  }
  /* Check. */
  lwend_check_alive(L, g); /* reading the position may have run a script */
  if (placed) check_position(L, at, g, position);
  if (!lua_isnil(L, first)) name = check_name(L, first, g, WEND_NO_ID, &length);
  radius = check_radius(L, first + 1);
  /* Act. */
  tag = lwend_check_tag(L, first + 2, 1, "tag"); /* it may add one */
  lwend_check_edited(L, wend_graph_add_node(g->graph, placed ? position : NULL, name, length, radius, tag, &node));
  return lwend_whole(L, node);
}

/* Pushes "what[i]", for messages. Returns it. */
static const char *item_text(lua_State *L, const char *what, size_t i) { return lua_pushfstring(L, "%s[%d]", what, (int)i); }

/* Item i, from 1, of the list at stack index `list`: a coordinate, or a weight 0 .. 1e308. Runs no script. */
static double check_item(lua_State *L, int list, const char *what, size_t i, bool coordinate) {
  double number = 0;
  bool good = LWEND_RAWGETI(L, list, (int)i) == LUA_TNUMBER;
  if (good) number = lua_tonumber(L, -1);
  if (coordinate ? !(good && number >= -WEND_COORDINATE_MAX && number <= WEND_COORDINATE_MAX)
                 : !(good && number >= 0 && number <= 1e308)) {
    item_text(L, what, i);
    if (coordinate) lwend_check_coordinate(L, -2, lua_tostring(L, -1));
    else lwend_check_number(L, -2, lua_tostring(L, -1), 0, 1e308);
  }
  lua_pop(L, 1);
  return number;
}

/* Pushes the first and the last of `count` consecutive ids. Returns 2. */
static int push_id_range(lua_State *L, wend_id first, uint32_t count) {
  lwend_pushwhole(L, first);
  lwend_pushwhole(L, first + count - 1);
  return 2;
}

/* graph:add_nodes(points[, { tag }]) -> first id, last id; nothing for an empty list */
static int graph_add_nodes(lua_State *L) {
  static const char *const options[] = {"tag", NULL};
  lwend_map *g = lwend_check_graph(L, 1);
  size_t dimensions = (size_t)wend_graph_dimensions(g->graph);
  uint32_t count, tag;
  double *points;
  int option;
  wend_id first;
  /* Read. */
  lua_settop(L, 3);
  count = lwend_check_list(L, 2, "points", dimensions, "numbers");
  option = lwend_options(L, 3, options);
  points = lua_newuserdata(L, (count + 1) * dimensions * sizeof *points);
  for (size_t i = 0; i < count * dimensions; i++) points[i] = check_item(L, 2, "points", i + 1, true);
  /* Check. */
  (void)lwend_check_own(L, lwend_check_alive(L, g));
  if (count == 0) return 0;
  /* Act. */
  tag = lwend_check_tag(L, option, 1, "tag");
  lwend_check_edited(L, wend_graph_add_nodes(g->graph, count, points, tag, &first));
  return push_id_range(L, first, count);
}

/* Raises if one of two nodes has no position: an edge between them has no length, so it needs a weight. */
static void check_measurable(lua_State *L, const lwend_map *g, wend_id from, wend_id to) {
  wend_id bare;
  if (wend_graph_unplaced_count(g->graph) == 0) return;
  bare = wend_graph_position(g->graph, from) == NULL ? from : wend_graph_position(g->graph, to) == NULL ? to : WEND_NO_ID;
  if (bare != WEND_NO_ID) luaL_error(L, "weight must be given: node %s has no position", lwend_push_node_text(L, g, bare));
}

/* The width at index: a finite number > 0. nil: INFINITY, not limited. */
static double check_width(lua_State *L, int index) {
  const double width = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : 0;
  if (lua_isnoneornil(L, index)) return INFINITY;
  if (!(width > 0 && width < INFINITY)) lwend_type_error(L, index, "width", "a finite number > 0");
  return width;
}

/* The weight at index: 0 .. 1e308. */
static double check_weight(lua_State *L, int index) { return lwend_check_number(L, index, "weight", 0, 1e308); }

/* graph:add_edge(from, to[, { weight, tag, directed, width }]) -> edge id */
static int graph_add_edge(lua_State *L) {
  static const char *const options[] = {"weight", "tag", "directed", "width", NULL};
  lwend_map *g = lwend_check_own(L, lwend_check_graph(L, 1));
  wend_edge_spec spec;
  wend_id edge;
  spec.from = lwend_check_node(L, 2, g, "from");
  spec.to = lwend_check_node(L, 3, g, "to");
  spec.weight = WEND_MEASURED;
  spec.tag = WEND_UNTAGGED;
  spec.directed = false;
  spec.width = INFINITY;
  if (!lua_isnoneornil(L, 4)) {
    int first = lwend_options(L, 4, options);
    if (!lua_isnil(L, first)) spec.weight = check_weight(L, first);
    spec.directed = lwend_check_boolean(L, first + 2, "directed");
    spec.width = check_width(L, first + 3);
    if (spec.weight < 0) check_measurable(L, g, spec.from, spec.to);
    spec.tag = lwend_check_tag(L, first + 1, 1, "tag"); /* the first part of acting: it may add a tag */
  } else {
    check_measurable(L, g, spec.from, spec.to);
  }
  lwend_check_edited(L, wend_graph_add_edges(g->graph, 1, &spec, &edge));
  return lwend_whole(L, edge);
}

/* graph:add_edges(pairs[, { weights, tag, directed, width }]) -> first id, last id; nothing for an empty list */
static int graph_add_edges(lua_State *L) {
  static const char *const options[] = {"weights", "tag", "directed", "width", NULL};
  lwend_map *g = lwend_check_graph(L, 1);
  uint32_t count, tag;
  int first;
  bool weighed, directed;
  double width;
  wend_edge_spec *specs;
  wend_id edge;
  /* Read. */
  lua_settop(L, 3);
  count = lwend_check_list(L, 2, "pairs", 2, "nodes");
  first = lwend_options(L, 3, options);
  specs = lua_newuserdata(L, ((size_t)count + 1) * sizeof *specs);
  /* Check. Reading plain lists runs no script. */
  (void)lwend_check_own(L, lwend_check_alive(L, g));
  weighed = !lua_isnil(L, first), directed = lwend_check_boolean(L, first + 2, "directed");
  width = check_width(L, first + 3);
  if (weighed && lwend_check_list(L, first, "weights", 1, "numbers") != count)
    luaL_error(L, "weights must hold a number for each of the %d edges, got %d", (int)count, (int)lua_rawlen(L, first));
  if (count == 0) return 0;
  for (uint32_t i = 0; i < count; i++) {
    specs[i].from = lwend_check_listed(L, 2, g, "pairs", 2 * (size_t)i + 1);
    specs[i].to = lwend_check_listed(L, 2, g, "pairs", 2 * (size_t)i + 2);
    specs[i].weight = weighed ? check_item(L, first, "weights", (size_t)i + 1, false) : WEND_MEASURED;
    if (!weighed) check_measurable(L, g, specs[i].from, specs[i].to);
    specs[i].directed = directed;
    specs[i].width = width;
  }
  /* Act. */
  tag = lwend_check_tag(L, first + 1, 1, "tag");
  for (uint32_t i = 0; i < count; i++) specs[i].tag = tag;
  lwend_check_edited(L, wend_graph_add_edges(g->graph, count, specs, &edge));
  return push_id_range(L, edge, count);
}

/* graph:remove_node(node) -> graph */
static int graph_remove_node(lua_State *L) {
  lwend_map *g = lwend_check_own(L, lwend_check_graph(L, 1));
  return lwend_edited(L, wend_graph_remove_node(g->graph, lwend_check_node(L, 2, g, "node")));
}

/* graph:remove_edge(edge) -> graph */
static int graph_remove_edge(lua_State *L) {
  lwend_map *g = lwend_check_own(L, lwend_check_graph(L, 1));
  return lwend_edited(L, wend_graph_remove_edge(g->graph, lwend_check_edge(L, 2, g, "edge")));
}

/* graph:has(node) -> boolean */
static int graph_has(lua_State *L) {
  lwend_map *g = lwend_check_graph(L, 1);
  wend_id node;
  size_t length;
  const char *name;
  if (lua_type(L, 2) == LUA_TSTRING) {
    name = lua_tolstring(L, 2, &length);
    return lwend_flag(L, wend_graph_find(g->graph, name, length) != WEND_NO_ID);
  }
  if (lua_type(L, 2) != LUA_TNUMBER) lwend_type_error(L, 2, "node", "a node (its id or name)");
  return lwend_flag(L, lwend_towhole(L, 2, &node) && wend_graph_has_node(g->graph, node));
}

/* graph:has_edge(edge) -> boolean */
static int graph_has_edge(lua_State *L) {
  lwend_map *g = lwend_check_graph(L, 1);
  wend_id edge;
  if (lua_type(L, 2) != LUA_TNUMBER) lwend_type_error(L, 2, "edge", "an edge (its id)");
  return lwend_flag(L, lwend_towhole(L, 2, &edge) && wend_graph_has_edge(g->graph, edge));
}

/* Closes or opens the node at 2. */
static int close_node(lua_State *L, bool closed) {
  lwend_map *g = lwend_check_editable(L, lwend_check_graph(L, 1));
  return lwend_edited(L, wend_graph_close_node(g->graph, lwend_check_node(L, 2, g, "node"), closed));
}

/* graph:reset() -> overlay; graph:reset(node): only that of the node */
static int graph_reset(lua_State *L) {
  lwend_map *g = lwend_check_editable(L, lwend_check_graph(L, 1));
  lwend_check_derived(L, g);
  if (lua_gettop(L) == 1) wend_overlay_reset(g->map);
  else wend_overlay_reset_node(g->graph, lwend_check_node(L, 2, g, "node"));
  return lwend_self(L);
}

/* graph:reset_edge(edge) -> overlay */
static int graph_reset_edge(lua_State *L) {
  lwend_map *g = lwend_check_editable(L, lwend_check_graph(L, 1));
  lwend_check_derived(L, g);
  wend_overlay_reset_edge(g->graph, lwend_check_edge(L, 2, g, "edge"));
  return lwend_self(L);
}

/* Closes or opens the edge at 2. */
static int close_edge(lua_State *L, bool closed) {
  lwend_map *g = lwend_check_editable(L, lwend_check_graph(L, 1));
  return lwend_edited(L, wend_graph_close_edge(g->graph, lwend_check_edge(L, 2, g, "edge"), closed));
}

/* graph:close(node) -> graph */
static int graph_close(lua_State *L) { return close_node(L, true); }
/* graph:open(node) -> graph */
static int graph_open(lua_State *L) { return close_node(L, false); }
/* graph:close_edge(edge) -> graph */
static int graph_close_edge(lua_State *L) { return close_edge(L, true); }
/* graph:open_edge(edge) -> graph */
static int graph_open_edge(lua_State *L) { return close_edge(L, false); }

/* graph:is_closed(node) -> boolean */
static int graph_is_closed(lua_State *L) {
  lwend_map *g = lwend_check_graph(L, 1);
  return lwend_flag(L, wend_graph_is_closed(g->graph, lwend_check_node(L, 2, g, "node")));
}

/* graph:is_measured(edge) -> boolean: whether the weight is the length, and follows it when a node moves */
static int graph_is_measured(lua_State *L) {
  lwend_map *g = lwend_check_graph(L, 1);
  wend_edge edge;
  lwend_check_edited(L, wend_graph_edge(g->graph, lwend_check_edge(L, 2, g, "edge"), &edge));
  return lwend_flag(L, edge.measured);
}

/* graph:edge_between(a, b) -> edge id, or nil: the lightest edge from a to b, then the one with the smallest id */
static int graph_edge_between(lua_State *L) {
  lwend_map *g = lwend_check_graph(L, 1);
  wend_id a = lwend_check_node(L, 2, g, "a"), b = lwend_check_node(L, 3, g, "b"), edge;
  lwend_check_edited(L, wend_graph_edge_between(g->graph, a, b, &edge));
  return edge == WEND_NO_ID ? lwend_nil(L) : lwend_whole(L, edge);
}

/* graph:node(name) -> id, or nil: no node has this name */
static int graph_node(lua_State *L) {
  lwend_map *g = lwend_check_graph(L, 1);
  size_t length;
  const char *name;
  wend_id node;
  if (lua_type(L, 2) != LUA_TSTRING) lwend_type_error(L, 2, "name", "a string");
  name = lua_tolstring(L, 2, &length);
  node = wend_graph_find(g->graph, name, length);
  return node == WEND_NO_ID ? lwend_nil(L) : lwend_whole(L, node);
}

/* graph:name(node) -> name, or nil: it has none */
static int graph_name(lua_State *L) {
  lwend_map *g = lwend_check_graph(L, 1);
  lwend_push_name(L, g, lwend_check_node(L, 2, g, "node"));
  return 1;
}

/* graph:set_name(node, name or nil) -> graph; nil removes the name */
static int graph_set_name(lua_State *L) {
  lwend_map *g = lwend_check_own(L, lwend_check_graph(L, 1));
  wend_id node = lwend_check_node(L, 2, g, "node");
  size_t length = 0;
  const char *name = lua_isnoneornil(L, 3) ? NULL : check_name(L, 3, g, node, &length);
  size_t old_length;
  const char *old = wend_graph_name(g->graph, node, &old_length);
  const bool same = old != NULL && name != NULL && old_length == length && memcmp(old, name, length) == 0;
  return lwend_edited(L, same ? WEND_OK : wend_graph_set_name(g->graph, node, name, length));
}

/* graph:set_radius(node, radius or nil) -> graph; nil: no limit */
static int graph_set_radius(lua_State *L) {
  lwend_map *g = lwend_check_own(L, lwend_check_graph(L, 1));
  wend_id node = lwend_check_node(L, 2, g, "node");
  return lwend_edited(L, wend_graph_set_radius(g->graph, node, check_radius(L, 3)));
}

/* graph:radius(node) -> number, or nil: no limit */
static int graph_radius(lua_State *L) {
  lwend_map *g = lwend_check_graph(L, 1);
  const double radius = wend_graph_radius(g->graph, lwend_check_node(L, 2, g, "node"));
  return radius < INFINITY ? lwend_number(L, radius) : lwend_nil(L);
}

/* graph:set_node_tag(node, tag or nil) -> graph; nil removes the tag */
static int graph_set_node_tag(lua_State *L) {
  lwend_map *g = lwend_check_editable(L, lwend_check_graph(L, 1));
  wend_id node = lwend_check_node(L, 2, g, "node");
  return lwend_edited(L, wend_graph_set_node_tag(g->graph, node, lwend_check_tag(L, 3, 1, "tag")));
}

/* graph:node_tag(node) -> tag, or nil: it has none */
static int graph_node_tag(lua_State *L) {
  lwend_map *g = lwend_check_graph(L, 1);
  lwend_push_tag(L, 1, wend_graph_node_tag(g->graph, lwend_check_node(L, 2, g, "node")));
  return 1;
}

/* graph:position(node) -> x, y[, z], or nil: it has no position */
static int graph_position(lua_State *L) {
  lwend_map *g = lwend_check_graph(L, 1);
  const double *position = wend_graph_position(g->graph, lwend_check_node(L, 2, g, "node"));
  int dimensions = wend_graph_dimensions(g->graph);
  if (position == NULL) return lwend_nil(L);
  for (int d = 0; d < dimensions; d++) lua_pushnumber(L, position[d]);
  return dimensions;
}

/* graph:move(node, x, y[, z]), graph:move(node, position) -> graph */
static int graph_move(lua_State *L) {
  lwend_map *g = lwend_check_own(L, lwend_check_graph(L, 1));
  wend_id node;
  double position[3];
  lwend_spread(L, 3, wend_graph_dimensions(g->graph), "x");
  node = lwend_check_node(L, 2, g, "node");
  check_position(L, 3, g, position);
  return lwend_edited(L, wend_graph_move(g->graph, node, position));
}

/* graph:edge(edge) -> { from, to, weight, length, tag, directed, closed, width } */
static int graph_edge(lua_State *L) {
  lwend_map *g = lwend_check_graph(L, 1);
  wend_edge edge;
  lwend_check_edited(L, wend_graph_edge(g->graph, lwend_check_edge(L, 2, g, "edge"), &edge));
  lua_createtable(L, 0, 8);
  lwend_set_whole(L, "from", edge.from);
  lwend_set_whole(L, "to", edge.to);
  lwend_set_number(L, "weight", edge.weight);
  if (edge.length == edge.length) lwend_set_number(L, "length", edge.length);
  if (edge.width < INFINITY) lwend_set_number(L, "width", edge.width);
  lwend_push_tag(L, 1, edge.tag), lua_setfield(L, -2, "tag");
  lwend_set_flag(L, "directed", edge.directed);
  lwend_set_flag(L, "closed", edge.closed);
  return 1;
}

/* graph:set_weight(edge, weight or nil) -> graph; nil: the weight is the length again */
static int graph_set_weight(lua_State *L) {
  lwend_map *g = lwend_check_editable(L, lwend_check_graph(L, 1));
  wend_id id = lwend_check_edge(L, 2, g, "edge");
  double weight = WEND_MEASURED;
  wend_edge edge;
  if (lua_isnoneornil(L, 3)) {
    /* Not lwend_check_edited: that may run finalizers, which may remove the edge. */
    if (wend_graph_edge(g->graph, id, &edge) != WEND_OK) return lwend_no_memory(L);
    check_measurable(L, g, edge.from, edge.to);
  } else {
    weight = check_weight(L, 3);
  }
  return lwend_edited(L, wend_graph_set_weight(g->graph, id, weight));
}

/* graph:set_tag(edge, tag or nil) -> graph; nil removes the tag */
static int graph_set_tag(lua_State *L) {
  lwend_map *g = lwend_check_editable(L, lwend_check_graph(L, 1));
  wend_id edge = lwend_check_edge(L, 2, g, "edge");
  return lwend_edited(L, wend_graph_set_tag(g->graph, edge, lwend_check_tag(L, 3, 1, "tag")));
}

/* graph:set_width(edge, width or nil) -> graph; nil: it is not limited */
static int graph_set_width(lua_State *L) {
  lwend_map *g = lwend_check_editable(L, lwend_check_graph(L, 1));
  wend_id edge = lwend_check_edge(L, 2, g, "edge");
  return lwend_edited(L, wend_graph_set_width(g->graph, edge, check_width(L, 3)));
}

/* The edges that graph:edges iterates over: a copy of the list when it was called. The list is read twice: first to count
 * the edges, and again after the userdata was made, which may run finalizers that edit the graph. */
typedef struct edge_list {
  wend_id node;
  uint32_t count, at;
  wend_id edges[1];
} edge_list;

/* The iterator of graph:edges. Upvalues: 1 the state, 2 the graph, 3 the edge_list. Edges that were removed since are
 * skipped. */
static int next_edge(lua_State *L) {
  lwend_map *g = lua_touserdata(L, lua_upvalueindex(2));
  edge_list *list = lua_touserdata(L, lua_upvalueindex(3));
  while (list->at < list->count && g->graph != NULL) {
    wend_id id = list->edges[list->at++];
    wend_edge edge;
    if (!wend_graph_has_edge(g->graph, id)) continue;
    lwend_check_edited(L, wend_graph_edge(g->graph, id, &edge));
    lwend_pushwhole(L, id);
    lwend_pushwhole(L, edge.from == list->node ? edge.to : edge.from);
    lua_pushnumber(L, edge.weight);
    lwend_push_tag(L, lua_upvalueindex(2), edge.tag);
    lua_pushboolean(L, edge.directed);
    lua_pushboolean(L, edge.closed);
    return 6;
  }
  return 0;
}

/* The iterator of graph:edges without a node. (graph, edge id or nil) -> next id, from, to, weight, tag, directed, closed; or
 * nil */
static int next_of_all_edges(lua_State *L) {
  lwend_map *g = lwend_check_graph(L, 1);
  wend_id id = WEND_NO_ID;
  wend_edge edge;
  if (!lua_isnoneornil(L, 2) && !lwend_towhole(L, 2, &id)) lwend_type_error(L, 2, "edge", "an edge (its id)");
  id = wend_graph_next_edge(g->graph, id);
  if (id == WEND_NO_ID) return lwend_nil(L);
  if (wend_graph_edge(g->graph, id, &edge) != WEND_OK) return lwend_no_memory(L);
  lwend_pushwhole(L, id);
  lwend_pushwhole(L, edge.from);
  lwend_pushwhole(L, edge.to);
  lua_pushnumber(L, edge.weight);
  lwend_push_tag(L, 1, edge.tag);
  lua_pushboolean(L, edge.directed);
  lua_pushboolean(L, edge.closed);
  return 7;
}

/* graph:edges(node) -> iterator: edge, neighbour, weight, tag, directed, closed
 * graph:edges() -> iterator: edge, from, to, weight, tag, directed, closed */
static int graph_edges(lua_State *L) {
  lwend_map *g = lwend_check_graph(L, 1);
  wend_id node;
  uint32_t room;
  edge_list *list;
  if (lua_gettop(L) == 1) { /* edges(nil) is not edges(): a variable of the script may be unset */
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushcclosure(L, next_of_all_edges, 1);
    lua_pushvalue(L, 1);
    return 2;
  }
  node = lwend_check_node(L, 2, g, "node");
  lua_settop(L, 2);
  if (wend_graph_edges(g->graph, node, NULL, 0, &room) != WEND_OK) return lwend_no_memory(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  list = lua_newuserdata(L, sizeof *list + room * sizeof *list->edges);
  list->node = lwend_check_node(L, 2, g, "node");
  list->at = 0;
  if (wend_graph_edges(g->graph, list->node, list->edges, room, &list->count) != WEND_OK) return lwend_no_memory(L);
  if (list->count > room) list->count = room;
  lua_pushcclosure(L, next_edge, 3);
  lwend_gc_step(L, lwend_state_of(L));
  return 1;
}

/* The iterator of graph:nodes. (graph, id or nil) -> next id, or nil */
static int next_node(lua_State *L) {
  lwend_map *g = lwend_check_graph(L, 1);
  wend_id node = WEND_NO_ID;
  if (!lua_isnoneornil(L, 2) && !lwend_towhole(L, 2, &node)) lwend_type_error(L, 2, "node", "a node's id");
  node = wend_graph_next_node(g->graph, node);
  return node == WEND_NO_ID ? lwend_nil(L) : lwend_whole(L, node);
}

/* graph:nodes() -> iterator: node */
static int graph_nodes(lua_State *L) {
  lwend_check_graph(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushcclosure(L, next_node, 1);
  lua_pushvalue(L, 1);
  return 2;
}

/* graph:node_count() -> number of nodes */
static int graph_node_count(lua_State *L) { return lwend_whole(L, wend_graph_node_count(lwend_check_graph(L, 1)->graph)); }

/* graph:edge_count() -> number of edges */
static int graph_edge_count(lua_State *L) { return lwend_whole(L, wend_graph_edge_count(lwend_check_graph(L, 1)->graph)); }

/* graph:dimensions() -> 2 or 3 */
static int graph_dimensions(lua_State *L) {
  return lwend_whole(L, (uint64_t)wend_graph_dimensions(lwend_check_graph(L, 1)->graph));
}

/* graph:bytes() -> number of bytes used for nodes, number of bytes used for edges */
static int graph_bytes(lua_State *L) {
  size_t nodes, edges;
  wend_graph_bytes(lwend_check_graph(L, 1)->graph, &nodes, &edges);
  lwend_pushwhole(L, nodes);
  lwend_pushwhole(L, edges);
  return 2;
}

/* tostring(graph) -> "wend.Graph (3 nodes, 3 edges)" */
static int graph_tostring(lua_State *L) {
  const lwend_map *g = lwend_check_graph(L, 1);
  const wend_graph *graph = g->graph;
  lua_pushfstring(L, "wend.Graph (%d nodes, %d edges%s)", (int)wend_graph_node_count(graph), (int)wend_graph_edge_count(graph),
                  g->base != NULL ? ", overlay" : "");
  return 1;
}

void lwend_open_graph(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {
      LWEND_MAP_METHODS,
      {"add_edge", graph_add_edge},
      {"add_edges", graph_add_edges},
      {"add_node", graph_add_node},
      {"add_nodes", graph_add_nodes},
      {"bytes", graph_bytes},
      {"close", graph_close},
      {"close_edge", graph_close_edge},
      {"dimensions", graph_dimensions},
      {"edge", graph_edge},
      {"edge_between", graph_edge_between},
      {"edge_count", graph_edge_count},
      {"edges", graph_edges},
      {"encode", graph_encode},
      {"has", graph_has},
      {"has_edge", graph_has_edge},
      {"is_closed", graph_is_closed},
      {"is_measured", graph_is_measured},
      {"link", lwend_graph_link},
      {"move", graph_move},
      {"name", graph_name},
      {"nearest", lwend_graph_nearest},
      {"nearest_edge", lwend_graph_nearest_edge},
      {"node", graph_node},
      {"node_count", graph_node_count},
      {"node_tag", graph_node_tag},
      {"nodes", graph_nodes},
      {"open", graph_open},
      {"open_edge", graph_open_edge},
      {"position", graph_position},
      {"radius", graph_radius},
      {"remove_edge", graph_remove_edge},
      {"remove_node", graph_remove_node},
      {"reset", graph_reset},
      {"reset_edge", graph_reset_edge},
      {"routes", lwend_graph_routes},
      {"set_name", graph_set_name},
      {"set_node_tag", graph_set_node_tag},
      {"set_radius", graph_set_radius},
      {"set_tag", graph_set_tag},
      {"set_weight", graph_set_weight},
      {"set_width", graph_set_width},
      {NULL, NULL},
  };
  lwend_type(L, "wend.Graph", "a graph", state, methods, lwend_map_gc, graph_tostring, &state->types.graph);
}
