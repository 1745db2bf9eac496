/* SPDX-License-Identifier: MIT */
/* graph:check and grid:check. The core finds the components (src/core/query/components.c); this file makes tables and
 * sentences of them. */
#include <string.h>

#include "lua/lwend.h"

/* The message of a trap names this many members, so that it stays one line; one more if that is the last. */
#define NAMED 3

static int components_gc(lua_State *L) {
  wend_components **components = lwend_toobject(L, 1, lwend_state_of(L)->components_mt);
  if (components == NULL) return lwend_type_error(L, 1, "self", "components");
  wend_components_destroy(*components);
  *components = NULL;
  return 0;
}

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
  lua_pushfstring(L, "%d %s can be entered but not left: ", (int)count, g->grid != NULL ? "cells" : "nodes");
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
  lua_pushboolean(L, found->component_count <= 1);
  lua_setfield(L, -2, "connected");
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
  wend_components *components = request->subject;
  const uint8_t *allowed;
  wend_status status;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  allowed = push_allowed(L, LWEND_ALLOW, request->g);
  lwend_costs_push(L, request);
  status = wend_components_find(components, request->g->map, &request->search.costs, allowed);
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  push_findings(L, request->g, wend_components_get(components));
  lwend_add_spacing(L, request);
  return 1;
}

static int check_map(lua_State *L, lwend_map *g) {
  lwend_state *state = lwend_state_of(L);
  wend_components **components;
  lwend_request request;
  int results;
  lua_settop(L, 2);
  lwend_request_start(L, &request, state, g, 1);
  lwend_read_options(L, &request, 2, LWEND_FOR_CHECK);
  components = lwend_new(L, sizeof *components, state->components_ref);
  *components = wend_components_create(&state->alloc);
  if (*components == NULL) return lwend_no_memory(L);
  request.subject = *components;
  lwend_check_costs(L, &request);
  results = lwend_call(L, &request, state->check_ref, lwend_forget_search);
  wend_components_destroy(*components); /* at once, without waiting for the collector */
  *components = NULL;
  lwend_gc_step(L, state);
  return results;
}

/* graph:check([opts]) -> findings; or nil, message, "stale" */
int lwend_graph_check(lua_State *L) { return check_map(L, lwend_check_graph(L, 1)); }
/* grid:check([opts]) -> findings; or nil, message, "stale" */
int lwend_grid_check(lua_State *L) { return check_map(L, lwend_check_grid(L, 1)); }

void lwend_open_components(lua_State *L, lwend_state *state) {
  lua_newtable(L);
  state->components_ref = lwend_metatable(L, "wend.Components", state, components_gc, &state->components_mt);
  state->check_ref = lwend_protected(L, state, protected_check);
}
