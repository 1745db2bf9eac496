/* SPDX-License-Identifier: MIT */
/* Plans of crowds: what walkers ask for, and the ways that they are given. */
#include <string.h>

#include "lua/base/costs.h"
#include "lua/base/trail.h"
#include "lua/move/crowd.h"

#define BUMPS_MOST 32u /* cells that a walker touches: more are told in later steps */

/* Puts the columns and rows of cells, from 1, into the list on top of the stack. Runs no script. */
static void fill_crowd_cells(lua_State *L, const lwend_crowd *c, const wend_id *cells, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    (void)lwend_push_id(L, c->of, cells[i]);
    lua_rawseti(L, -3, 2 * (int)i + 2);
    lua_rawseti(L, -2, 2 * (int)i + 1);
  }
}

/* Pushes a position of a crowd: on a grid the column and the row of its cell, or false twice if it is outside. nearest: those of
 * the nearest cell then. */
static void push_crowd_position(lua_State *L, const lwend_crowd *c, double x, double y, bool nearest) {
  const wend_grid *grid = c->of->grid;
  if (grid != NULL && nearest) {
    x = fmax(0, fmin(x, wend_grid_width(grid) - 0.5)), y = fmax(0, fmin(y, wend_grid_height(grid) - 0.5));
  }
  if (grid == NULL) {
    lua_pushnumber(L, x);
    lua_pushnumber(L, y);
  } else if (x >= 0 && y >= 0 && x < wend_grid_width(grid) && y < wend_grid_height(grid)) {
    (void)lwend_push_id(L, c->of, wend_grid_cell(grid, (uint32_t)x, (uint32_t)y));
  } else {
    lua_pushboolean(L, 0);
    lua_pushboolean(L, 0);
  }
}

/* ask(handle, id, partial) -> number, x, y, goal_x, goal_y, height, round, first, way: the plan that a walker wants, as
 * wend_crowd_plan; nothing: none. goal_x, goal_y: nil if it is open; partial: on the grid in any case. After the height: only if it
 * is to lead around a jam; way: a flat list of cells */
static int crowd_ask(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  wend_crowd_plan plan;
  wend_status status;
  lua_settop(L, 3);
  lua_newtable(L);
  c = lwend_check_crowd_handle(L, 1); /* a finalizer may have freed it; what follows runs no script */
  status = wend_crowd_ask(c->crowd, lwend_to_walker(L, 2), &plan);
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  if (status != WEND_OK) return 0;
  lwend_pushwhole(L, plan.number);
  push_crowd_position(L, c, plan.x, plan.y, false);
  if (plan.open) return 3;
  push_crowd_position(L, c, plan.goal_x, plan.goal_y, lua_toboolean(L, 3) != 0);
  lua_pushnumber(L, plan.height);
  if (!plan.around) return 6;
  lwend_pushwhole(L, plan.round);
  lwend_pushwhole(L, plan.first);
  lua_pushvalue(L, 4);
  fill_crowd_cells(L, c, plan.cells, plan.cell_count);
  return 9;
}

/* width(handle, id) -> the radius of a walker in cells, as plans on the grid know it; nothing: it gets wherever a point gets. All
 * up to half a cell count as that, where a point also gets round corners */
static int crowd_width(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  wend_walker_info info;
  if (c->of == NULL || c->of->grid == NULL || wend_crowd_get(c->crowd, lwend_to_walker(L, 2), &info) != WEND_OK) return 0;
  if (info.settings.radius < WEND_FIT_MIN) {
    const wend_diagonals rule = wend_grid_diagonals(c->of->grid);
    if (rule == WEND_BOTH_OPEN || rule == WEND_NEVER) return 0;
    info.settings.radius = 0.5;
  }
  lua_pushnumber(L, fmin(info.settings.radius, WEND_FIT_MAX));
  return 1;
}

/* room(handle, id, x, y) -> the cell where a wide walker goes that is sent to this position; nothing: there is none */
static int crowd_room(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  double place[2];
  wend_id cell;
  wend_status status;
  lwend_check_crowd_place(L, 3, c, place);
  status = wend_crowd_room(c->crowd, lwend_to_walker(L, 2), place, &cell);
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  if (status != WEND_OK || cell == WEND_NO_ID) return 0;
  return lwend_push_id(L, c->of, cell);
}

/* fit(handle, id, grid, radius): the steps of a grid, which the crowd has made of its own, become those of the disc of a walker */
static int crowd_fit(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  lwend_map *g = lwend_tomap(L, 3);
  if (g == NULL || lwend_check_alive(L, g)->grid == NULL) return lwend_type_error(L, 3, "map", "a grid");
  if (wend_crowd_fit(c->crowd, lwend_to_walker(L, 2), g->grid, luaL_checknumber(L, 4)) == WEND_NO_MEMORY) {
    return lwend_no_memory(L);
  }
  return 0;
}

/* bumps(handle, id, map) -> a flat list of the cells of wend_crowd_bumps; nothing if there are none. map: a grid that lies on that
 * of the crowd */
static int crowd_bumps(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  lwend_map *known = lwend_tomap(L, 3);
  wend_id cells[BUMPS_MOST];
  uint32_t count;
  if (known == NULL || lwend_check_alive(L, known)->grid == NULL) return lwend_type_error(L, 3, "map", "a grid");
  count = wend_crowd_bumps(c->crowd, lwend_to_walker(L, 2), known->grid, cells, BUMPS_MOST);
  if (count == 0) return 0; /* most walkers in most steps: no garbage */
  lua_createtable(L, 2 * (int)count, 0);
  c = lwend_check_crowd_handle(L, 1); /* a finalizer may have freed it */
  fill_crowd_cells(L, c, cells, count);
  return 1;
}

/* area(handle, id, cells) -> boolean: where a walker arrives that follows a field: see crowd_goals; false: at the end of its way */
static int crowd_area(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  const wend_id *cells = lua_type(L, 3) == LUA_TUSERDATA ? lua_touserdata(L, 3) : NULL;
  const uint32_t count = cells == NULL ? 0 : (uint32_t)(lua_rawlen(L, 3) / sizeof *cells);
  return lwend_push_obeyed(L, wend_crowd_area(c->crowd, lwend_to_walker(L, 2), cells, count));
}

/* closed(handle, id) -> a number that walkers share for which the same tags are closed; 0: none is */
static int crowd_closed(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  lwend_pushwhole(L, wend_crowd_closed(c->crowd, lwend_to_walker(L, 2)));
  return 1;
}

/* Pushes whether a walker goes where the answer of a plan leads. number 0: it is a way that the walker was given. check: the way
 * must be open for the walker; nil: it is not. */
static int push_answered(lua_State *L, const lwend_crowd *c, const wend_crowd_plan *plan, const wend_crowd_way *way,
                         bool check) {
  wend_status status = WEND_OK;
  if (c->crowd == NULL) return luaL_error(L, "the crowd is gone"); /* a function of the script may have freed it */
  if (check) status = wend_crowd_may_take(c->crowd, plan->walker, way);
  if (status == WEND_NO_PATH) return lwend_nil(L);
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  return lwend_push_obeyed(L, plan->number == 0 ? wend_crowd_go_along(c->crowd, plan->walker, way)
                                                : wend_crowd_answer(c->crowd, plan, way));
}

/* The plan of an answer, whose walker and number are at 2 and 3. */
static wend_crowd_plan to_plan(lua_State *L) {
  wend_crowd_plan plan = {0};
  plan.walker = lwend_to_walker(L, 2);
  if (!lwend_towhole(L, 3, &plan.number)) plan.number = 0;
  return plan;
}

/* The subject of a request for the costs of a walker. */
typedef struct walker_way {
  const lwend_crowd *c;
  wend_crowd_plan plan;
  wend_crowd_way way; /* without cells and points: none */
  bool check;         /* the way must be open for the walker */
  bool paced;         /* the costs tell the speed of the walker */
  bool closes;        /* the costs tell which cells are closed for it */
} walker_way;

/* A walker needs as much time for a cell as its plan says: its factors are 1 / times. A cell that costs nothing, or is closed for
 * it, does not change its speed. Pushes what wend_crowd_speeds tells. */
static int push_paced(lua_State *L, const walker_way *order) {
  const uint32_t count = order->way.tag_count;
  double *factors = lua_newuserdata(L, (size_t)count * sizeof *factors + 1);
  for (uint32_t i = 0; i < count; i++) {
    const double factor = 1 / order->way.tags[i].times;
    factors[i] = factor > 0 && factor < INFINITY ? factor : 1;
  }
  if (order->c->crowd == NULL) return luaL_error(L, "the crowd is gone"); /* a function of the script may have freed it */
  return lwend_push_obeyed(L, wend_crowd_speeds(order->c->crowd, order->plan.walker, factors, count, true));
}

/* Pushes what the core tells of the costs of a walker: of its way, its speed, or its layers. */
static int protected_way(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  walker_way *order = request->subject;
  const wend_costs *costs = &request->search.costs;
  /* The numbers of tags do not change. So prices for an older version of the map are good enough. */
  const bool ready = lwend_request_ready(L, request);
  if (ready && costs->tags != NULL) {
    order->way.tags = costs->tags;
    order->way.tag_count = wend_map_tag_count(request->g->map) + 1;
  }
  if (ready && order->closes) {
    wend_status status;
    if (order->c->crowd == NULL) return luaL_error(L, "the crowd is gone"); /* a function of the script may have freed it */
    status = wend_crowd_close(order->c->crowd, order->plan.walker, order->way.tags, order->way.tag_count);
    if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  }
  order->way.influences = costs->influences, order->way.influence_count = costs->influence_count;
  if (order->paced) (void)push_paced(L, order);
  if (order->way.cells != NULL || order->way.on_grid) {
    return push_answered(L, order->c, &order->plan, &order->way, order->check);
  }
  if (order->paced) return 1;
  if (order->closes) return lwend_flag(L, true);
  if (order->c->crowd == NULL) return luaL_error(L, "the crowd is gone"); /* a finalizer may have freed it */
  return lwend_push_obeyed(
      L, wend_crowd_influence(order->c->crowd, order->plan.walker, costs->influences, costs->influence_count));
}

/* influence(handle, layers) -> what an order keeps of the option influence. Raises if it is invalid */
static int crowd_influence(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  lua_settop(L, 2);
  lwend_check_layers(L, c->of, 2);
  if (c->of == NULL) return luaL_error(L, "influence: the crowd has no map");
  return 1;
}

/* Runs protected_way with the costs of the options at an index. The crowd is at 1. */
static int run_way(lua_State *L, walker_way *order, int options) {
  lwend_request request;
  lwend_pushanchor(L, 1);
  lua_rawgeti(L, -1, 1); /* the map */
  lwend_request_start(L, &request, order->c->of, lua_gettop(L));
  lwend_read_options(L, &request, options, LWEND_FOR_COSTS);
  lwend_check_costs(L, &request);
  order->c = lwend_check_crowd_handle(L, 1); /* a finalizer may have freed it */
  request.subject = order;
  return lwend_call(L, &request, protected_way, NULL);
}

static bool is_word(lua_State *L, int index, const char *word) {
  return lua_type(L, index) == LUA_TSTRING && strcmp(lua_tostring(L, index), word) == 0;
}

/* costs(handle, id, options, what) -> boolean. The costs of the options tell the layers of the way of a walker; with the string
 * "speeds" how fast it is, with "closed" which cells are closed for it. Runs the functions of tags */
static int crowd_costs(lua_State *L) {
  walker_way order;
  lua_settop(L, 4);
  memset(&order, 0, sizeof order);
  order.c = lwend_check_crowd_handle(L, 1);
  if (order.c->of == NULL) return luaL_error(L, "costs: the crowd has no map");
  order.plan.walker = lwend_to_walker(L, 2), order.paced = is_word(L, 4, "speeds"), order.closes = is_word(L, 4, "closed");
  return run_way(L, &order, 3);
}

/* speeds(handle, id, factors or nil) -> boolean. factors: a table of factors by tag; nil: the ground does not matter */
static int crowd_speeds(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  double *factors;
  uint32_t count;
  lua_settop(L, 3);
  if (c->of == NULL) return luaL_error(L, "speeds: the crowd has no map");
  count = lua_istable(L, 3) ? wend_map_tag_count(c->of->map) + 1 : 0;
  factors = lua_newuserdata(L, (size_t)count * sizeof *factors + 1);
  c = lwend_check_crowd_handle(L, 1);
  for (uint32_t i = 0; i < count; i++) {
    size_t length;
    const char *name = i == 0 ? NULL : wend_map_tag_name(c->of->map, i, &length);
    factors[i] = 1;
    if (name == NULL) continue;
    lua_pushlstring(L, name, length);
    lua_rawget(L, 3);
    if (lua_type(L, -1) == LUA_TNUMBER) factors[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return lwend_push_obeyed(
      L, wend_crowd_speeds(lwend_check_crowd_handle(L, 1)->crowd, lwend_to_walker(L, 2), factors, count, false));
}

/* tags(handle) -> the number of tags of the map */
static int crowd_tags(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  lwend_pushwhole(L, c->of != NULL ? wend_map_tag_count(c->of->map) : 0);
  return 1;
}

/* Pushes a userdata with the cells of the path at index. */
static const wend_id *push_path_cells(lua_State *L, int index, const lwend_map *g, uint32_t *count) {
  const uint32_t length = (uint32_t)(lua_rawlen(L, index) / 2);
  wend_id *cells = lua_newuserdata(L, (size_t)length * sizeof *cells + 1);
  for (uint32_t i = 0; i < length; i++) cells[i] = lwend_listed_cell(L, index, g, (size_t)i + 1);
  *count = length;
  return cells;
}

/* Reads the cells of a path, of which each is a step or a link from the one before; or the points and links of another path. */
static void read_path_way(lua_State *L, int index, const lwend_trail *trail, wend_crowd_way *way) {
  const lwend_map *g = lwend_trail_map(L, trail);
  const wend_path_age age = trail->age;
  uint32_t count, links = 0, *link;
  const wend_id *cells = push_path_cells(L, index, g, &count);
  const double shift = 0.5 + lwend_body_shift(age.size);
  double *points;
  if (age.legs == WEND_STEPS && !(age.size > 1)) {
    way->cells = cells, way->cell_count = count, way->legs = age.legs;
    return;
  }
  points = lua_newuserdata(L, 2 * (size_t)count * sizeof *points + 1);
  link = lua_newuserdata(L, (size_t)count * sizeof *link + 1);
  g = lwend_check_alive(L, lwend_path_map(L, index)); /* a finalizer may have freed it */
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t cell = (uint32_t)(cells[i] - 1), width = wend_grid_width(g->grid);
    points[2 * (size_t)i] = cell % width + shift, points[2 * (size_t)i + 1] = cell / width + shift;
    if (i > 0 && wend_grid_is_jump(g->grid, cells[i - 1], cells[i], age.legs, age.size)) link[links++] = i - 1;
  }
  way->points = points, way->count = count, way->links = link, way->link_count = links, way->on_grid = true;
}

/* Reads the points and the links of a route. */
static void read_route_way(lua_State *L, int index, const lwend_crowd *c, wend_crowd_way *way) {
  uint32_t *link;
  way->points = lwend_push_crowd_points(L, index, c, &way->count);
  link = lua_newuserdata(L, (size_t)way->count * sizeof *link + 1);
  lwend_getraw(L, index, "links");
  for (uint32_t i = 1; lua_istable(L, -1) && i < way->count; i++) {
    lua_rawgeti(L, -1, (int)i);
    if (lua_toboolean(L, -1)) link[way->link_count++] = i - 1;
    lua_pop(L, 1);
  }
  way->links = link, way->on_grid = true;
}

/* go_along(handle, id, given, options, paced) -> whether the walker goes along a path or a route of the grid of the crowd, or of an
 * overlay of it; nil: the way is not open for it. The costs of the options count, and tell which cells are closed for it */
static int crowd_go_along(lua_State *L) {
  walker_way order;
  lua_settop(L, 5);
  memset(&order, 0, sizeof order);
  order.c = lwend_check_crowd_handle(L, 1);
  if (order.c->of == NULL || order.c->of->grid == NULL) return luaL_error(L, "the map of the crowd must be a grid");
  order.plan.walker = lwend_to_walker(L, 2), order.paced = lua_toboolean(L, 5) != 0, order.closes = order.check = true;
  luaL_checktype(L, 3, LUA_TTABLE);
  if (lwend_find_trail(L, 3) != NULL) read_path_way(L, 3, lwend_push_trail(L, 3), &order.way);
  else read_route_way(L, 3, order.c, &order.way);
  return run_way(L, &order, 4);
}

/* answer(handle, id, number, path or nil, paced, partial, own) -> whether the walker goes that way. path: one of the grid of the
 * crowd; the walker takes its links, and keeps to its ground. paced: it is as fast as the costs of the path say. partial: it
 * ends before the goal. own: the path has the costs of the walker: they tell which cells are closed for it. Otherwise the path is
 * one of a field; nil: it is not open for the walker. Runs the functions of tags of the costs of the path */
static int crowd_answer(lua_State *L) {
  walker_way order;
  lwend_request request;
  const lwend_trail *trail;
  lwend_map *g;
  /* Read. */
  lua_settop(L, 7);
  lua_pushnil(L); /* at 8: no options */
  memset(&order, 0, sizeof order);
  order.paced = lua_toboolean(L, 5) != 0, order.way.partial = lua_toboolean(L, 6) != 0, order.closes = lua_toboolean(L, 7) != 0;
  order.check = !order.closes;
  order.c = lwend_check_crowd_handle(L, 1);
  order.plan = to_plan(L);
  if (order.plan.number == 0) return lwend_flag(L, false);
  if (lua_isnil(L, 4)) return push_answered(L, order.c, &order.plan, NULL, false);
  trail = lwend_push_trail(L, 4); /* at 9 */
  g = lwend_trail_map(L, trail);
  if (g->grid == NULL || order.c->of != g) return luaL_error(L, "path must be one of the grid of the crowd");
  order.way.cells = push_path_cells(L, 4, g, &order.way.cell_count);
  order.way.legs = trail->age.legs;
  lwend_push_trail_map(L, 9);
  lwend_request_start(L, &request, g, lua_gettop(L));
  lwend_read_options(L, &request, 8, LWEND_FOR_COSTS);
  lwend_request_inherit(L, &request, 4);
  lua_pushnil(L); /* the functions of edges do not count */
  lua_replace(L, request.frame + LWEND_COST);
  lwend_check_costs(L, &request);
  /* Check again: a finalizer may have freed it. */
  order.c = lwend_check_crowd_handle(L, 1);
  /* Act. */
  if (lua_isnil(L, request.frame + LWEND_COSTS) && lua_isnil(L, request.frame + LWEND_INFLUENCE)) {
    if (order.paced) (void)push_paced(L, &order);
    return push_answered(L, order.c, &order.plan, &order.way, order.check);
  }
  request.subject = &order;
  return lwend_call(L, &request, protected_way, NULL);
}

/* answer_points(handle, id, number, points, partial, heights or nil) -> whether the walker goes that way. points: a flat list;
 * heights: a list */
static int crowd_answer_points(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  const wend_crowd_plan plan = to_plan(L);
  wend_crowd_way way = {0};
  uint32_t heights;
  lua_settop(L, 6);
  way.partial = lua_toboolean(L, 5) != 0;
  way.points = lwend_push_crowd_points(L, 4, c, &way.count);
  if (!lua_isnil(L, 6)) way.heights = lwend_push_heights(L, 6, &heights);
  if (way.heights != NULL && heights != way.count) return luaL_error(L, "heights: one for each point");
  if (plan.number == 0) return lwend_flag(L, false);
  return push_answered(L, lwend_check_crowd_handle(L, 1), &plan, &way, false); /* a finalizer may have freed it */
}

/* defer(handle, id, number) -> boolean */
static int crowd_defer(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  const wend_crowd_plan plan = to_plan(L);
  return lwend_push_obeyed(L, wend_crowd_defer(c->crowd, &plan));
}

/* replan(handle, id or nil): plans that are looked for, of one walker or of all, are wanted again */
static int crowd_replan(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  wend_crowd_replan(c->crowd, lua_isnoneornil(L, 2) ? WEND_NO_ID : lwend_to_walker(L, 2));
  return 0;
}

/* note_edits(handle): finds out which routes over cells edits have touched */
static int crowd_note_edits(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  if (wend_crowd_note_edits(c->crowd) != WEND_OK) return lwend_no_memory(L);
  return 0;
}

/* note_costs(handle, id, costs, since) -> whether the costs of a tag of the map have changed. Then finds out whether the route of
 * the walker over cells has such a tag */
static int crowd_note_costs(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  const lwend_crowd *c;
  lwend_costs_age age = {0};
  const uint8_t *changed;
  lua_settop(L, 4);
  (void)lwend_check_crowd_handle(L, 1);
  lwend_costs_push_compiled(L, state, 3);
  lua_getfield(L, 5, "number");
  age.number = (uint64_t)lua_tonumber(L, 6), age.made = (uint64_t)lua_tonumber(L, 4);
  lwend_pushanchor(L, 1);
  lua_rawgeti(L, 7, 1); /* the map */
  lwend_pushanchor(L, 8);
  c = lwend_check_crowd_handle(L, 1); /* a finalizer may have freed it */
  if (c->of == NULL) return luaL_error(L, "costs: the crowd has no map");
  changed = lwend_costs_changed_tags(L, state, &age, 3, 9, wend_map_tag_count(c->of->map));
  if (changed != NULL) (void)wend_crowd_note_costs(c->crowd, lwend_to_walker(L, 2), changed);
  lua_pushboolean(L, changed != NULL);
  return 1;
}

/* jams(handle) -> a flat list of x, y and times: the cells of wend_crowd_jams */
static int crowd_jams(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  const wend_crowd_jam *jams;
  uint32_t count;
  lua_settop(L, 1);
  lua_newtable(L);
  c = lwend_check_crowd_handle(L, 1); /* a finalizer may have freed it */
  if (wend_crowd_jams(c->crowd, &jams, &count) != WEND_OK) return lwend_no_memory(L);
  for (uint32_t i = 0; i < count; i++) { /* lua_rawseti runs no script */
    (void)lwend_push_id(L, c->of, jams[i].cell);
    lua_rawseti(L, 2, 3 * (int)i + 2);
    lua_rawseti(L, 2, 3 * (int)i + 1);
    lua_pushnumber(L, jams[i].times);
    lua_rawseti(L, 2, 3 * (int)i + 3);
  }
  return 1;
}

void lwend_add_crowd_plans(lua_State *L, lwend_state *state) {
  /* A line for each function. */
  /* clang-format off */
  static const luaL_Reg functions[] = {
      {"answer", crowd_answer},
      {"answer_points", crowd_answer_points},
      {"width", crowd_width},
      {"room", crowd_room},
      {"fit", crowd_fit},
      {"area", crowd_area},
      {"ask", crowd_ask},
      {"bumps", crowd_bumps},
      {"closed", crowd_closed},
      {"costs", crowd_costs},
      {"defer", crowd_defer},
      {"go_along", crowd_go_along},
      {"influence", crowd_influence},
      {"jams", crowd_jams},
      {"note_costs", crowd_note_costs},
      {"note_edits", crowd_note_edits},
      {"replan", crowd_replan},
      {"speeds", crowd_speeds},
      {"tags", crowd_tags},
      {NULL, NULL},
  };
  /* clang-format on */
  lua_getfield(L, -1, "crowds");
  lwend_register(L, state, functions);
  lua_pop(L, 1);
}
