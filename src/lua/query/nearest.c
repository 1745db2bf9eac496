/* SPDX-License-Identifier: MIT */
/* graph:nearest, graph:nearest_edge, grid:nearest and map:random. The core finds the nearest nodes and edges that meet the
 * conditions (src/core/query/finder.c), and chooses cells and random places (src/core/query/nearest_cell.c).
 *
 * The options can_reach and reachable_from become fields first: `can_reach` a field toward the nodes, `reachable_from` a field
 * made with `outward`. But if labels tell what leads to the nodes (wend_search_can_reach), the core asks these, and no field is
 * made for can_reach. */
#include "lua/base/costs.h"
#include "lua/query/field.h"

/* What is looked for, and the options of the call. */
typedef enum sought_kind { NEAR_NODES, NEAR_EDGES, NEAR_CELLS, RANDOM_PLACE } sought_kind;
static const unsigned calls_of[] = {LWEND_FOR_NEAREST, LWEND_FOR_NEAREST_EDGE, LWEND_FOR_NEAREST_CELL, LWEND_FOR_RANDOM};

/* The subject of the request. */
typedef struct lookup {
  sought_kind kind;
  int dimensions;
  double point[3]; /* in the world */
  uint64_t seed;
  lwend_field *to, *from; /* of the options can_reach and reachable_from; NULL: not given */
  /* Labels in place of `to`. */
  const lwend_request *request;
  uint32_t goal_count; /* in the list of the searcher */
  bool tried;          /* the option names nodes or cells, and labels may know them */
  bool known;          /* they do */
  bool failed;         /* there was no memory for an answer */
} lookup;

/* ---- The options can_reach and reachable_from --------------------------------------------------------------- */

/* check_reach_option for a grid, unless the value is a field. */
static void check_reached_cells(lua_State *L, int index, const lwend_map *g, const char *what) {
  const int top = lua_gettop(L);
  lua_pushvalue(L, index);
  lwend_spread_cell(L, top + 1, g, NULL);
  if (lua_gettop(L) == top + 2) { /* a cell */
    const char *x_name, *y_name;
    x_name = lua_pushfstring(L, "%s.x", what);
    y_name = lua_pushfstring(L, "%s.y", what);
    (void)lwend_check_cell(L, top + 1, g, x_name, y_name);
    lua_createtable(L, 2, 0);
    for (int i = 1; i <= 2; i++) {
      lua_pushvalue(L, top + i);
      lua_rawseti(L, -2, i);
    }
    lua_replace(L, index);
  } else {
    uint32_t count;
    if (!lua_istable(L, index)) lwend_type_error(L, index, what, "a cell, a list of cells or a field");
    count = lwend_count_goals(L, g, index, what);
    for (uint32_t i = 1; i <= count; i++) (void)lwend_check_listed(L, index, g, what, i);
  }
  lua_settop(L, top);
}

/* Checks the option at index: on graphs a node, a list of nodes, or a field; on grids a cell, a list of cells, or a field; nil is
 * allowed. Replaces a cell by a list. May run scripts. */
static void check_reach_option(lua_State *L, int index, const lwend_map *g, bool outward, const char *what) {
  if (lua_isnil(L, index)) return;
  if (lwend_tofield(L, index) != NULL) {
    (void)lwend_check_field(L, index, g, outward ? LWEND_OUTWARD : LWEND_INWARD, what);
  } else if (g->grid != NULL) {
    check_reached_cells(L, index, g, what);
  } else if (lua_istable(L, index)) {
    const uint32_t count = lwend_count_goals(L, g, index, what);
    for (uint32_t i = 1; i <= count; i++) (void)lwend_check_listed(L, index, g, what, i);
  } else {
    (void)lwend_check_node(L, index, g, what);
  }
}

/* Replaces the nodes or cells in a slot of the frame by a field of them, with the costs in the frame. Does nothing for nil or a
 * field. The map is at 1. false: the field is stale; nil, a message and a code are pushed. Runs scripts. */
static bool make_reach_field(lua_State *L, const lwend_request *request, int slot, bool outward) {
  static const struct {
    const char *name;
    int slot;
  } passed[] = {{"costs", LWEND_COSTS},       {"agent", LWEND_AGENT}, {"cost", LWEND_COST},
                {"at_least", LWEND_AT_LEAST}, {"size", LWEND_SIZE},   {"influence", LWEND_INFLUENCE}};
  enum { PASSED = sizeof passed / sizeof *passed };
  const int frame = request->frame, index = frame + slot;
  if (lua_isnil(L, index) || lwend_tofield(L, index) != NULL) return true;
  lua_getfield(L, 1, "field");
  lua_pushvalue(L, 1);
  lua_pushvalue(L, index);
  lua_createtable(L, 0, PASSED + 2);
  for (int i = 0; i < PASSED; i++) {
    lua_pushvalue(L, frame + passed[i].slot);
    lua_setfield(L, -2, passed[i].name);
  }
  lwend_set_flag(L, "outward", outward);
  lwend_set_flag(L, "closed_goal", request->search.ends.closed);
  lua_call(L, 3, 3);
  if (lua_isnil(L, -3)) return false;
  lua_pop(L, 2);
  lua_replace(L, index);
  return true;
}

/* Gives the request the map, which is at 1, and the goals of the option can_reach, if labels may know them. Otherwise does
 * nothing. */
static void try_labels(lua_State *L, lookup *look, lwend_request *request, lwend_map *g) {
  const int to = request->frame + LWEND_CAN_REACH;
  look->tried = !lua_isnil(L, to) && lwend_tofield(L, to) == NULL && lua_isnil(L, request->frame + LWEND_COST);
  if (!look->tried) return;
  lwend_request_set_map(L, request, g, 1);
  if (lua_istable(L, to)) lwend_request_set(L, request, LWEND_GOALS, to);
  else request->to = lwend_check_node(L, to, g, "can_reach");
}

/* When the costs are known: whether labels know these goals. The searcher keeps the goals. */
static bool know_labels(lua_State *L, lookup *look, lwend_request *request) {
  look->request = request;
  look->goal_count = lwend_read_goals(L, request);
  look->known = wend_search_knows_reach(request->searcher->search, request->g->map, &request->search.costs);
  return look->known;
}

/* wend_leads_fn. ud: the lookup. Runs no script. */
static bool ask_labels(void *ud, wend_id from) {
  lookup *look = ud;
  const lwend_request *request = look->request;
  bool reached = false;
  if (wend_search_can_reach(request->searcher->search, request->g->map, from, request->searcher->goals, look->goal_count,
                            &request->search.costs, request->search.ends.closed, &reached) != WEND_OK)
    look->failed = true;
  return reached;
}

/* From here to end_reading, nobody can change the fields. */
static void begin_reading(lwend_request *request) {
  const lookup *look = request->subject;
  if (look->to != NULL) look->to->readers++;
  if (look->from != NULL) look->from->readers++;
  request->reading = true;
}

static void end_reading(lwend_request *request) {
  const lookup *look = request->subject;
  if (!request->reading) return;
  if (look->to != NULL) look->to->readers--;
  if (look->from != NULL) look->from->readers--;
  request->reading = false;
}

/* ---- Nodes and edges ---------------------------------------------------------------------------------------- */

/* Checks the option into at index: a table whose items 1 and 2 are nil or two tables. */
static void check_into(lua_State *L, const lwend_request *request, int index) {
  if (lua_isnil(L, index)) return;
  if (!request->listed) luaL_error(L, "into needs limit: without limit the results are numbers");
  for (int i = 1; i <= 2; i++) {
    lua_rawgeti(L, index, i);
    if (!lua_isnil(L, -1) && !lua_istable(L, -1)) lwend_type_error(L, -1, i == 1 ? "into[1]" : "into[2]", "a table");
  }
  if (!lua_isnil(L, -1) && lua_rawequal(L, -1, -2)) luaL_error(L, "into must hold two tables, got one table twice");
  lua_pop(L, 2);
}

/* Pushes node and distance, or edge, point and distance. Returns the number of values. */
static int push_near(lua_State *L, const lookup *look, const wend_near *near) {
  const int numbers = look->kind == NEAR_EDGES ? look->dimensions : 0;
  lwend_pushwhole(L, near->id);
  for (int d = 0; d < numbers; d++) lua_pushnumber(L, near->point[d]);
  lua_pushnumber(L, near->distance);
  return 2 + numbers;
}

/* Pushes list i of the option into, 1 or 2. Pushes a new list if there is none, which the option keeps. Returns its index. */
static int push_into_list(lua_State *L, int i, uint32_t count) {
  const bool fresh = lua_isnil(L, LWEND_INTO);
  if (!fresh) {
    lua_rawgeti(L, LWEND_INTO, i);
    if (lua_istable(L, -1)) return lua_gettop(L);
    lua_pop(L, 1);
  }
  lua_createtable(L, (int)count, 0);
  if (!fresh) {
    lua_pushvalue(L, -1);
    lua_rawseti(L, LWEND_INTO, i);
  }
  return lua_gettop(L);
}

/* Pushes the results: one result or nil; with the option k, lists of nodes and distances. Returns the number of values. */
static int push_results(lua_State *L, const lwend_request *request, const wend_near *found, uint32_t count) {
  int nodes, distances;
  if (!request->listed && count == 0) return lwend_nil(L);
  if (!request->listed) return push_near(L, request->subject, found);
  nodes = push_into_list(L, 1, count);
  distances = push_into_list(L, 2, count);
  for (uint32_t i = 0; i < count; i++) {
    lwend_pushwhole(L, found[i].id);
    lua_rawseti(L, nodes, (int)i + 1);
    lua_pushnumber(L, found[i].distance);
    lua_rawseti(L, distances, (int)i + 1);
  }
  lwend_cut_list(L, nodes, count);
  lwend_cut_list(L, distances, count);
  return 2;
}

/* Finds nodes or edges. Runs protected. Returns the number of values. */
static int find(lua_State *L, lwend_request *request, lookup *look) {
  lwend_searcher *searcher = request->searcher;
  wend_find_opts opts = wend_find_opts_default();
  lwend_clear clear = {L, request->g, LWEND_CLEAR, look->dimensions};
  const wend_near *found;
  uint32_t count;
  if (searcher->finder == NULL) searcher->finder = wend_finder_create(&request->state->alloc);
  if (searcher->finder == NULL) return lwend_no_memory(L);
  opts.edges = look->kind == NEAR_EDGES;
  opts.open = request->open;
  opts.max_distance = request->max_distance;
  opts.limit = request->most_near;
  if (look->to != NULL) opts.can_reach = look->to->field;
  if (look->from != NULL) opts.reachable_from = look->from->field;
  opts.leads = look->known ? ask_labels : NULL;
  opts.leads_ud = look;
  opts.costs = &request->search.costs;
  opts.clear = lua_isnil(L, LWEND_CLEAR) ? NULL : lwend_ask_clear;
  opts.clear_ud = &clear;
  request->status = wend_finder_find(searcher->finder, request->g->graph, look->point, &opts, &found, &count);
  if (request->status == WEND_NO_MEMORY || look->failed) lwend_no_memory(L);
  return push_results(L, request, found, count);
}

/* Finds one node or edge without conditions. Runs no script. */
static int find_one(lua_State *L, const lookup *look, const lwend_map *g, double max_distance) {
  wend_near near;
  uint32_t count;
  if ((look->kind == NEAR_EDGES ? wend_graph_nearest_edges : wend_graph_nearest)(g->graph, look->point, max_distance, 1, &near,
                                                                                 &count) != WEND_OK)
    return lwend_no_memory(L);
  lwend_gc_step(L, lwend_state_of(L));
  if (count == 0) return lwend_nil(L);
  return push_near(L, look, &near);
}

/* ---- Cells, and random places ------------------------------------------------------------------------------- */

/* Chooses, and pushes the id and for grid:nearest the distance; nil: there is none. Returns the number of values. */
static int push_choice(lua_State *L, const lwend_request *request, const lwend_map *g, lookup *look) {
  wend_choice_opts opts = wend_choice_opts_default();
  double point[2], distance = 0;
  wend_id id;
  int pushed;
  opts.tags = request->search.costs.tags, opts.size = request->search.costs.size;
  if (look->to != NULL) opts.can_reach = look->to->field;
  if (look->from != NULL) opts.reachable_from = look->from->field;
  if (look->known) {
    opts.leads = ask_labels;
    opts.leads_ud = look;
  }
  if (look->kind == NEAR_CELLS) {
    lwend_point_in_cells(g, look->point, point);
    for (int d = 0; d < 2; d++) point[d] -= lwend_body_shift(opts.size);
    opts.max_distance = request->max_distance;
    opts.frame = &g->frame;
    id = wend_grid_nearest(g->grid, point, &opts, &distance);
  } else {
    id = wend_map_random(g->map, look->seed, &opts);
  }
  if (look->failed) return lwend_no_memory(L);
  if (id == WEND_NO_ID) return lwend_nil(L);
  pushed = lwend_push_id(L, g, id);
  if (look->kind == RANDOM_PLACE) return pushed;
  lua_pushnumber(L, distance);
  return pushed + 1;
}

/* ---- The lookup --------------------------------------------------------------------------------------------- */

static bool chooses(const lookup *look) { return look->kind == NEAR_CELLS || look->kind == RANDOM_PLACE; }

/* Whether it depends on what edges or cells cost, and not only on fields. */
static bool needs_costs(const lwend_request *request, const lookup *look) {
  return request->open || look->tried || chooses(look) ||
         (look->kind == NEAR_EDGES && (look->to != NULL || look->from != NULL));
}

static int protected_lookup(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  lookup *look = request->subject;
  int results = 0;
  request->L = L;
  begin_reading(request);
  if (needs_costs(request, look) && !lwend_request_ready(L, request)) {
    results = lwend_push_stale(L, request);
  } else {
    request->status = WEND_OK;
    if (!look->tried || know_labels(L, look, request))
      results = chooses(look) ? push_choice(L, request, request->g, look) : find(L, request, look);
  }
  end_reading(request);
  return results;
}

/* Reads the options at index, and looks. The map is at 1. by_labels: tries labels for the option can_reach. If they do not tell, it
 * begins again without them. */
static int look_up(lua_State *L, lwend_map *g, lookup *look, int index, bool by_labels) {
  const int top = lua_gettop(L);
  lwend_request request;
  int to, from, results;
  bool conditions;
  look->tried = look->known = look->failed = false;
  look->to = look->from = NULL;
  /* Read. */
  lua_settop(L, index);
  lwend_request_start(L, &request, NULL, 0);
  request.g = g; /* options of graphs and of grids differ */
  lwend_read_options(L, &request, index, calls_of[look->kind]);
  request.search.costs.size = lua_tonumber(L, request.frame + LWEND_SIZE);
  to = request.frame + LWEND_CAN_REACH, from = request.frame + LWEND_REACHABLE_FROM;
  check_into(L, &request, request.frame + LWEND_INTO);
  check_reach_option(L, to, g, false, "can_reach");
  check_reach_option(L, from, g, true, "reachable_from");
  lwend_check_costs(L, &request);
  if (by_labels) try_labels(L, look, &request, g);
  if (!look->tried && !make_reach_field(L, &request, LWEND_CAN_REACH, false)) return 3;
  if (!make_reach_field(L, &request, LWEND_REACHABLE_FROM, true)) return 3;
  /* Check again: reading options and making fields runs scripts. */
  lwend_check_alive(L, g);
  if (!lua_isnil(L, to) && !look->tried) look->to = lwend_check_field(L, to, g, LWEND_INWARD, "can_reach");
  if (!lua_isnil(L, from)) look->from = lwend_check_field(L, from, g, LWEND_OUTWARD, "reachable_from");
  /* Act. Without functions of the script nothing runs protected. */
  conditions =
      request.open || look->to != NULL || look->from != NULL || look->tried || !lua_isnil(L, request.frame + LWEND_CLEAR);
  if (chooses(look) && !look->tried && lua_isnil(L, request.frame + LWEND_COSTS)) return push_choice(L, &request, g, look);
  if (!chooses(look) && !request.listed && !conditions) return find_one(L, look, g, request.max_distance);
  if (!look->tried) lwend_request_set_map(L, &request, g, 1);
  request.subject = look;
  results = lwend_call(L, &request, protected_lookup, end_reading);
  lwend_gc_step(L, request.state);
  if (!look->tried || request.status != WEND_OK || look->known) return results;
  lua_settop(L, top);
  return look_up(L, lwend_check_alive(L, g), look, index, false);
}

/* Looks at the point at 2, with the options after it. */
static int look_near(lua_State *L, lwend_map *g, sought_kind kind) {
  lookup look;
  int at;
  look.kind = kind;
  look.dimensions = g->graph != NULL ? wend_graph_dimensions(g->graph) : 2;
  at = lwend_check_point(L, 2, look.dimensions, look.point);
  if (kind != NEAR_CELLS && lua_isnoneornil(L, at)) return find_one(L, &look, lwend_check_alive(L, g), INFINITY);
  return look_up(L, g, &look, at, true);
}

/* graph:nearest(x, y[, z][, opts]), graph:nearest(position[, opts]) -> node, distance, or nil; with k: list of nodes, list
 * of distances; or nil, message, "stale" */
int lwend_graph_nearest(lua_State *L) { return look_near(L, lwend_check_graph(L, 1), NEAR_NODES); }
/* graph:nearest_edge(x, y[, z][, opts]), graph:nearest_edge(position[, opts]) -> edge, x, y[, z], distance, or nil; or nil,
 * message, "stale" */
int lwend_graph_nearest_edge(lua_State *L) { return look_near(L, lwend_check_graph(L, 1), NEAR_EDGES); }
/* grid:nearest(x, y[, opts]), grid:nearest(position[, opts]) -> x, y, distance, or nil; or nil, message, "stale" */
int lwend_grid_nearest(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  return look_near(L, g, NEAR_CELLS);
}

/* graph:random(seed[, opts]) -> node, or nil; grid:random(seed[, opts]) -> x, y, or nil; or nil, message, "stale" */
int lwend_map_random(lua_State *L) {
  lwend_map *g = lwend_check_map(L);
  lookup look;
  look.kind = RANDOM_PLACE;
  look.seed = lwend_check_seed(L, 2, "seed");
  return look_up(L, g, &look, 3, true);
}
