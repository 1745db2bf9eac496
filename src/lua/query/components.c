/* SPDX-License-Identifier: MIT */
/* graph:check and grid:check. The core finds the components (src/core/query/components.c); this file makes tables and
 * sentences of them. */
#include <stdio.h>
#include <string.h>

#include "lua/base/costs.h"

/* The message of a trap names this many members, so that it stays one line; one more if that is the last. */
#define NAMED 3

/* Pushes a list of nodes, or a flat list of x and y of cells. */
static void push_ids(lua_State *L, const lwend_map *g, const wend_id *ids, uint32_t count) {
  const int each = g->grid != NULL ? 2 : 1;
  int list;
  lua_createtable(L, (int)count * each, 0);
  list = lua_gettop(L);
  for (uint32_t i = 0; i < count; i++) {
    (void)lwend_push_id(L, g, ids[i]);
    for (int k = each; k > 0; k--) lua_rawseti(L, list, (int)i * each + k);
  }
}

/* Pushes the ways into a trap: a list of edges, or a flat list of x and y of both ends of each step. */
static void push_entries(lua_State *L, const lwend_map *g, const wend_entry *entries, uint32_t count) {
  int list, length = 0;
  lua_createtable(L, (int)count * (g->grid != NULL ? 4 : 1), 0);
  list = lua_gettop(L);
  for (uint32_t i = 0; i < count; i++) {
    int pushed = 1;
    if (g->grid != NULL) pushed = lwend_push_id(L, g, entries[i].from) + lwend_push_id(L, g, entries[i].to);
    else lwend_pushwhole(L, entries[i].edge);
    for (int k = pushed; k > 0; k--) lua_rawseti(L, list, length + k);
    length += pushed;
  }
}

/* Pushes the message of a trap. */
static void push_message(lua_State *L, const lwend_map *g, const wend_findings *found, const wend_trap *trap) {
  const uint32_t first = found->starts[trap->component], count = found->starts[trap->component + 1] - first;
  const wend_entry *entry = &found->entries[trap->first_entry];
  const int top = lua_gettop(L);
  const uint32_t named = count <= NAMED + 1 ? count : NAMED;
  lua_pushfstring(L, "%d %s%s can be entered but not left: ", (int)count, g->grid != NULL ? "cell" : "node",
                  count > 1 ? "s" : "");
  for (uint32_t i = 0; i < named; i++) {
    (void)lwend_push_id_text(L, g, found->nodes[first + i]);
    lua_pushstring(L, i + 1 < named ? ", " : "");
  }
  if (named < count) lua_pushfstring(L, " and %d more", (int)(count - named));
  lua_pushfstring(L, "; one gets in from ");
  (void)lwend_push_id_text(L, g, entry->from);
  lua_pushstring(L, " to ");
  (void)lwend_push_id_text(L, g, entry->to);
  if (entry->edge != WEND_NO_ID) {
    lwend_pushwhole(L, entry->edge);
    lua_pushfstring(L, " by edge %s", lua_tostring(L, -1));
    lua_remove(L, -2);
  }
  if (trap->entry_count > 1)
    lua_pushfstring(L, ", and by %d more way%s", (int)trap->entry_count - 1, trap->entry_count > 2 ? "s" : "");
  lua_concat(L, lua_gettop(L) - top);
}

/* Pushes the list of traps: { nodes, entries, message } each. */
static void push_traps(lua_State *L, const lwend_map *g, const wend_findings *found) {
  lua_createtable(L, (int)found->trap_count, 0);
  for (uint32_t i = 0; i < found->trap_count; i++) {
    const wend_trap *trap = &found->traps[i];
    const uint32_t first = found->starts[trap->component];
    lua_createtable(L, 0, 3);
    push_ids(L, g, found->nodes + first, found->starts[trap->component + 1] - first);
    lua_setfield(L, -2, "nodes");
    push_entries(L, g, found->entries + trap->first_entry, trap->entry_count);
    lua_setfield(L, -2, "entries");
    push_message(L, g, found, trap);
    lua_setfield(L, -2, "message");
    lua_rawseti(L, -2, (int)i + 1);
  }
}

/* Pushes the table that map:check returns. */
static void push_findings(lua_State *L, const lwend_map *g, const wend_findings *found) {
  lua_createtable(L, 0, 6);
  lwend_set_flag(L, "connected", found->component_count <= 1);
  lua_createtable(L, (int)found->component_count, 0);
  for (uint32_t k = 0; k < found->component_count; k++) {
    push_ids(L, g, found->nodes + found->starts[k], found->starts[k + 1] - found->starts[k]);
    lua_rawseti(L, -2, (int)k + 1);
  }
  lua_setfield(L, -2, "components");
  push_ids(L, g, found->isolated, found->isolated_count);
  lua_setfield(L, -2, "isolated");
  push_ids(L, g, found->sinks, found->sink_count);
  lua_setfield(L, -2, "sinks");
  push_ids(L, g, found->sources, found->source_count);
  lua_setfield(L, -2, "sources");
  push_traps(L, g, found);
  lua_setfield(L, -2, "traps");
}

/* ---- The options walls, too_close and too_far --------------------------------------------------------------- */

/* Edges and nodes of graphs whose positions are wrong. They look at all nodes and edges with positions, whether closed or not;
 * edges with a tag that is closed for the agent are left out. These functions run protected, with the graph locked: scripts that
 * `walls` calls cannot change it. */

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

/* Pops a table, gives it a cause, which may be NULL, and appends it to the list at index. */
static void append(lua_State *L, int list, const char *cause) {
  lua_pushstring(L, cause);
  lua_setfield(L, -2, "cause");
  lua_rawseti(L, list, (int)lua_rawlen(L, list) + 1);
}

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
  lwend_set_whole(L, "edge", id);
  lwend_set_whole(L, "from", edge->from);
  lwend_set_whole(L, "to", edge->to);
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
    append(L, list, "wall");
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
      lwend_set_whole(L, "a", a);
      lwend_set_whole(L, "b", b);
      lwend_set_number(L, "distance", distance);
      lua_pushliteral(L, "nodes ");
      (void)lwend_push_node_text(L, g, a);
      lua_pushliteral(L, " and ");
      (void)lwend_push_node_text(L, g, b);
      lua_pushliteral(L, " are too close: ");
      push_distance(L, distance);
      set_message(L, 6);
      append(L, list, NULL);
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
    lwend_set_number(L, "distance", edge.length);
    append(L, list, NULL);
  }
  for (wend_id a = wend_graph_next_node(g->graph, WEND_NO_ID); a != WEND_NO_ID; a = wend_graph_next_node(g->graph, a)) {
    wend_near near;
    if (wend_graph_position(g->graph, a) == NULL) continue;
    if (find_near(L, g->graph, a, request->too_far, 2, &found, &room, slot) == 2) continue;
    if (find_near(L, g->graph, a, INFINITY, 2, &found, &room, slot) < 2) continue; /* the only node with a position */
    near = found[found[0].id == a ? 1 : 0];
    lua_createtable(L, 0, 4);
    lwend_set_whole(L, "node", a);
    lwend_set_whole(L, "nearest", near.id);
    lwend_set_number(L, "distance", near.distance);
    lua_pushliteral(L, "node ");
    (void)lwend_push_node_text(L, g, a);
    lua_pushliteral(L, " is too far from all others: the nearest is ");
    (void)lwend_push_node_text(L, g, near.id);
    lua_pushliteral(L, ", at ");
    push_distance(L, near.distance);
    set_message(L, 6);
    append(L, list, NULL);
  }
  lua_settop(L, list);
}

/* Pushes the list of edges that are too narrow for the agent, and whose ends nothing else joins: { edge, from, to, cause, width,
 * message } each. */
static void push_narrow(lua_State *L, const lwend_request *request, const wend_components *components) {
  const wend_map *map = request->g->map;
  wend_id id = WEND_NO_ID;
  int list;
  lua_newtable(L);
  list = lua_gettop(L);
  while ((id = wend_graph_next_edge(request->g->graph, id)) != WEND_NO_ID) {
    wend_edge edge;
    if (wend_graph_edge(request->g->graph, id, &edge) != WEND_OK) lwend_no_memory(L);
    if (edge.closed || !(edge.width < request->search.costs.size) ||
        wend_components_joined(components, map, edge.from, edge.to))
      continue;
    push_edge(L, request->g, id, &edge);
    lua_pushliteral(L, " is too narrow: its width is ");
    push_distance(L, edge.width);
    set_message(L, 3);
    lwend_set_number(L, "width", edge.width);
    append(L, list, "width");
  }
}

/* Adds the fields narrow, walls, too_close and too_far to the table at the top, if the request asks for them. */
static void add_spacing(lua_State *L, const lwend_request *request) {
  lwend_check_stack(L, 2 * LUA_MINSTACK);
  if (request->g->graph != NULL && request->search.costs.size > 0) {
    push_narrow(L, request, request->subject);
    lua_setfield(L, -2, "narrow");
  }
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

/* ---- The call ----------------------------------------------------------------------------------------------- */

/* Reads the list of tags at index, with the map locked. Pushes an array that is 1 for each tag of the list, by number.
 * NULL: there is no list. */
static const uint8_t *push_allowed(lua_State *L, int index, const lwend_map *g) {
  const uint32_t tags = wend_map_tag_count(g->map);
  const int top = lua_gettop(L) + 1;
  uint8_t *allowed;
  if (lua_isnil(L, index)) return NULL;
  allowed = lua_newuserdata(L, (size_t)tags + 1);
  memset(allowed, 0, (size_t)tags + 1);
  for (int i = 1, count = (int)lua_rawlen(L, index); i <= count; i++) {
    size_t length, known;
    const char *name;
    if (LWEND_RAWGETI(L, index, i) != LUA_TSTRING) {
      lua_pushfstring(L, "allow[%d]", i);
      lwend_type_error(L, -2, lua_tostring(L, -1), "a tag");
    }
    name = lua_tolstring(L, -1, &length);
    for (uint32_t tag = 1; tag <= tags; tag++) {
      const char *text = wend_map_tag_name(g->map, tag, &known);
      if (known == length && memcmp(text, name, length) == 0) allowed[tag] = 1;
    }
    lua_settop(L, top);
  }
  return allowed;
}

static int protected_check(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  const uint8_t *allowed;
  wend_components *components;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  allowed = push_allowed(L, LWEND_ALLOW, request->g);
  request->subject = components = wend_components_create(&request->state->alloc);
  if (components == NULL || wend_components_find(components, request->g->map, &request->search.costs, allowed) != WEND_OK)
    return lwend_no_memory(L);
  push_findings(L, request->g, wend_components_get(components));
  add_spacing(L, request);
  return 1;
}

static void free_components(lwend_request *request) { wend_components_destroy(request->subject); }

/* map:check([opts]) -> findings; or nil, message, "stale" */
int lwend_map_check(lua_State *L) {
  static const lwend_query query = {LWEND_FOR_CHECK, false, protected_check, free_components};
  return lwend_ask_map(L, lwend_check_map(L), &query);
}
