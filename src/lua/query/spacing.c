/* SPDX-License-Identifier: MIT */
/* The options walls, too_close and too_far of graph:check: edges and nodes whose positions are wrong. They look at all nodes and
 * edges with positions, whether closed or not; edges with a tag that is closed for the agent are left out.
 *
 * These functions run protected, with the graph locked: scripts that `walls` calls cannot change it. */
#include <stdio.h>

#include "lua/lwend.h"

/* The number of near nodes that are asked for first. */
#define FIRST_NEAR 8u

/* Pushes a distance as text. */
static void push_distance(lua_State *L, double distance) {
  char text[40];
  snprintf(text, sizeof text, "%.14g", distance);
  lua_pushstring(L, text);
}

/* Sets the field `message` of the table below the `count` texts at the top, and pops these. */
static void set_message(lua_State *L, int count) {
  lua_concat(L, count);
  lua_setfield(L, -2, "message");
}

static void set_whole(lua_State *L, const char *key, uint64_t number) {
  lwend_pushwhole(L, number);
  lua_setfield(L, -2, key);
}

/* Pops a table and appends it to the list at index. */
static void append(lua_State *L, int list) { lua_rawseti(L, list, (int)lua_rawlen(L, list) + 1); }

/* Finds the next edge that can be examined: both ends have positions, and the agent can use its tag. False: there is none. */
static bool next_placed_edge(lua_State *L, const lwend_request *request, wend_id *id, wend_edge *edge) {
  wend_graph *graph = request->g->graph;
  while ((*id = wend_graph_next_edge(graph, *id)) != WEND_NO_ID) {
    if (wend_graph_edge(graph, *id, edge) != WEND_OK) lwend_no_memory(L);
    if (edge->length != edge->length) continue;
    if (request->search.costs.tags == NULL || request->search.costs.tags[edge->tag].plus < INFINITY) return true;
  }
  return false;
}

/* Pushes the entry of an edge, and then the beginning of its message: 5 texts. */
static void push_edge(lua_State *L, const lwend_map *g, wend_id id, const wend_edge *edge) {
  lua_createtable(L, 0, 5);
  set_whole(L, "edge", id);
  set_whole(L, "from", edge->from);
  set_whole(L, "to", edge->to);
  lua_pushliteral(L, "edge ");
  lwend_pushwhole(L, id);
  lua_pushliteral(L, " from ");
  (void)lwend_push_node_text(L, g, edge->from);
  lua_pushliteral(L, " to ");
  (void)lwend_push_node_text(L, g, edge->to);
  lua_concat(L, 6);
}

/* Pushes the list of edges that the option walls blocks: { edge, from, to, cause, message } each. */
static void push_walled(lua_State *L, const lwend_request *request) {
  const lwend_map *g = request->g;
  const int dimensions = wend_graph_dimensions(g->graph);
  wend_id id = WEND_NO_ID;
  wend_edge edge;
  int list;
  lua_newtable(L);
  list = lua_gettop(L);
  while (next_placed_edge(L, request, &id, &edge)) {
    double ends[2][3] = {{0, 0, 0}, {0, 0, 0}};
    for (int end = 0; end < 2; end++) {
      const double *position = wend_graph_position(g->graph, end == 0 ? edge.from : edge.to);
      for (int d = 0; d < dimensions; d++) ends[end][d] = position[d];
    }
    if (lwend_is_clear(L, g, LWEND_CLEAR, ends[0], ends[1], dimensions)) continue;
    push_edge(L, g, id, &edge);
    lua_pushliteral(L, " passes through a wall");
    set_message(L, 2);
    lua_pushliteral(L, "wall");
    lua_setfield(L, -2, "cause");
    append(L, list);
  }
}

/* The nodes nearest to a node, itself among them. *found: a userdata at stack index `slot` with room for *room. */
static uint32_t find_near(lua_State *L, wend_graph *graph, wend_id node, double within, uint32_t k, wend_near **found,
                          uint32_t *room, int slot) {
  double point[3] = {0, 0, 0};
  const double *position;
  uint32_t count;
  if (k > *room) {
    *found = lua_newuserdata(L, (size_t)k * sizeof **found);
    lua_replace(L, slot);
    *room = k;
  }
  position = wend_graph_position(graph, node);
  for (int d = 0; d < wend_graph_dimensions(graph); d++) point[d] = position[d];
  if (wend_graph_nearest(graph, point, within, k, *found, &count) != WEND_OK) lwend_no_memory(L);
  return count;
}

/* Pushes the list of pairs of nodes that are too close: { a, b, distance, message } each. */
static void push_close(lua_State *L, const lwend_request *request) {
  const lwend_map *g = request->g;
  const int list = lua_gettop(L) + 1, slot = list + 1;
  wend_near *found = NULL;
  uint32_t room = 0;
  lua_newtable(L);
  lua_pushnil(L);
  for (wend_id a = wend_graph_next_node(g->graph, WEND_NO_ID); a != WEND_NO_ID; a = wend_graph_next_node(g->graph, a)) {
    uint32_t k = FIRST_NEAR, count;
    if (wend_graph_position(g->graph, a) == NULL) continue;
    while ((count = find_near(L, g->graph, a, request->too_close, k, &found, &room, slot)) == k && k < WEND_NONE / 4) k *= 2;
    for (uint32_t i = 0; i < count; i++) {
      const wend_id b = found[i].id;
      const double distance = found[i].distance;
      if (b <= a || !(distance < request->too_close)) continue;
      lua_createtable(L, 0, 4);
      set_whole(L, "a", a);
      set_whole(L, "b", b);
      lua_pushnumber(L, distance);
      lua_setfield(L, -2, "distance");
      lua_pushliteral(L, "nodes ");
      (void)lwend_push_node_text(L, g, a);
      lua_pushliteral(L, " and ");
      (void)lwend_push_node_text(L, g, b);
      lua_pushliteral(L, " are too close: ");
      push_distance(L, distance);
      set_message(L, 6);
      append(L, list);
    }
  }
  lua_settop(L, list);
}

/* Pushes the list of edges that are too long, { edge, from, to, distance, message } each, and of nodes whose nearest node is too
 * far, { node, nearest, distance, message } each. */
static void push_far(lua_State *L, const lwend_request *request) {
  const lwend_map *g = request->g;
  const int list = lua_gettop(L) + 1, slot = list + 1;
  wend_id id = WEND_NO_ID;
  wend_near *found = NULL;
  uint32_t room = 0;
  wend_edge edge;
  lua_newtable(L);
  lua_pushnil(L);
  while (next_placed_edge(L, request, &id, &edge)) {
    if (!(edge.length > request->too_far)) continue;
    push_edge(L, g, id, &edge);
    lua_pushliteral(L, " is too long: ");
    push_distance(L, edge.length);
    set_message(L, 3);
    lua_pushnumber(L, edge.length);
    lua_setfield(L, -2, "distance");
    append(L, list);
  }
  for (wend_id a = wend_graph_next_node(g->graph, WEND_NO_ID); a != WEND_NO_ID; a = wend_graph_next_node(g->graph, a)) {
    wend_near near;
    if (wend_graph_position(g->graph, a) == NULL) continue;
    if (find_near(L, g->graph, a, request->too_far, 2, &found, &room, slot) == 2) continue;
    if (find_near(L, g->graph, a, INFINITY, 2, &found, &room, slot) < 2) continue; /* the only node with a position */
    near = found[found[0].id == a ? 1 : 0];
    lua_createtable(L, 0, 4);
    set_whole(L, "node", a);
    set_whole(L, "nearest", near.id);
    lua_pushnumber(L, near.distance);
    lua_setfield(L, -2, "distance");
    lua_pushliteral(L, "node ");
    (void)lwend_push_node_text(L, g, a);
    lua_pushliteral(L, " is too far from all others: the nearest is ");
    (void)lwend_push_node_text(L, g, near.id);
    lua_pushliteral(L, ", at ");
    push_distance(L, near.distance);
    set_message(L, 6);
    append(L, list);
  }
  lua_settop(L, list);
}

void lwend_add_spacing(lua_State *L, const lwend_request *request) {
  lwend_check_stack(L, 2 * LUA_MINSTACK);
  if (!lua_isnil(L, LWEND_CLEAR)) {
    push_walled(L, request);
    lua_setfield(L, -2, "walls");
  }
  if (request->too_close > 0) {
    push_close(L, request);
    lua_setfield(L, -2, "too_close");
  }
  if (request->too_far > 0) {
    push_far(L, request);
    lua_setfield(L, -2, "too_far");
  }
}
