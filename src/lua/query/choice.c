/* SPDX-License-Identifier: MIT */
/* grid:nearest and map:random. The core chooses (src/core/query/choice.c). Only the functions of a profile run scripts: without
 * a profile nothing runs protected. */
#include "lua/lwend.h"

/* The subject of the request. */
typedef struct choice {
  bool nearest;    /* grid:nearest; otherwise map:random */
  double point[2]; /* in the world */
  uint64_t seed;
  struct lwend_field *to, *from; /* of the options can_reach and reachable_from; NULL: not given */
  lwend_leads leads;             /* in place of `to`: see nearest.c */
} choice;

/* Chooses, and pushes the id and for grid:nearest the distance; nil: there is none. Returns the number of values. */
static int push_choice(lua_State *L, const lwend_request *request, const lwend_map *g, choice *asked) {
  wend_choice_opts opts = wend_choice_opts_default();
  double point[2], distance = 0;
  wend_id id;
  int pushed;
  opts.tags = request->search.costs.tags;
  if (asked->to != NULL) opts.can_reach = lwend_field_of(asked->to);
  if (asked->from != NULL) opts.reachable_from = lwend_field_of(asked->from);
  if (asked->leads.known) {
    opts.leads = lwend_ask_leads;
    opts.leads_ud = &asked->leads;
  }
  if (asked->nearest) {
    lwend_point_in_cells(g, asked->point, point);
    opts.max_distance = request->max_distance;
    opts.cell = g->frame.wide, opts.high = g->frame.high, opts.isometric = g->frame.isometric;
    id = wend_grid_nearest(g->grid, point, &opts, &distance);
  } else {
    id = wend_map_random(g->map, asked->seed, &opts);
  }
  if (asked->leads.failed) return lwend_no_memory(L);
  if (id == WEND_NO_ID) return lua_pushnil(L), 1;
  pushed = lwend_push_id(L, g, id);
  if (!asked->nearest) return pushed;
  lua_pushnumber(L, distance);
  return pushed + 1;
}

/* From here to end_choosing, nobody can change the fields. */
static void begin_choosing(lwend_request *request) {
  const choice *asked = request->subject;
  if (asked->to != NULL) ++*lwend_field_readers(asked->to);
  if (asked->from != NULL) ++*lwend_field_readers(asked->from);
  request->reading = true;
}

static void end_choosing(lwend_request *request) {
  const choice *asked = request->subject;
  if (!request->reading) return;
  if (asked->to != NULL) --*lwend_field_readers(asked->to);
  if (asked->from != NULL) --*lwend_field_readers(asked->from);
  request->reading = false;
}

static int protected_choice(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  choice *asked = request->subject;
  int pushed;
  begin_choosing(request);
  if (!lwend_request_ready(L, request)) {
    end_choosing(request);
    return lwend_push_stale(L, request);
  }
  request->status = WEND_OK;
  if (asked->leads.tried && !lwend_know_leads(L, &asked->leads, request)) {
    end_choosing(request);
    return 0;
  }
  pushed = push_choice(L, request, request->g, asked);
  end_choosing(request);
  return pushed;
}

/* Reads the options at index, and chooses. call: the bit of the calling function. by_labels: tries labels for the option
 * can_reach. *unknown: they do not tell; nothing was done. */
static int choose_by(lua_State *L, lwend_map *g, choice *asked, int index, unsigned call, bool by_labels, bool *unknown) {
  lwend_state *state = lwend_state_of(L);
  lwend_request request;
  int to, from, results;
  *unknown = false;
  /* Read. */
  lua_settop(L, index);
  lwend_request_init(L, &request, state);
  lwend_read_options(L, &request, index, call);
  to = request.frame + LWEND_CAN_REACH, from = request.frame + LWEND_REACHABLE_FROM;
  lwend_check_reach_option(L, to, g, false, "can_reach");
  lwend_check_reach_option(L, from, g, true, "reachable_from");
  lwend_check_costs(L, &request);
  asked->leads.tried = asked->leads.known = asked->leads.failed = false;
  if (by_labels) (void)lwend_begin_leads(L, &asked->leads, &request, g, LWEND_CAN_REACH);
  if (!asked->leads.tried && !lwend_make_reach_field(L, request.frame, to, false)) return 3;
  if (!lwend_make_reach_field(L, request.frame, from, true)) return 3;
  /* Check again: reading options and making fields runs scripts. */
  lwend_check_alive(L, g);
  asked->to = lua_isnil(L, to) || asked->leads.tried ? NULL : lwend_check_reach(L, to, g, false, "can_reach");
  asked->from = lua_isnil(L, from) ? NULL : lwend_check_reach(L, from, g, true, "reachable_from");
  /* Act. */
  if (!asked->leads.tried) {
    if (lua_isnil(L, request.frame + LWEND_COSTS)) return push_choice(L, &request, g, asked);
    lwend_request_set_map(L, &request, g, 1);
  }
  request.subject = asked;
  results = lwend_call(L, &request, state->choice_ref, end_choosing);
  *unknown = asked->leads.tried && request.status == WEND_OK && !asked->leads.known;
  return results;
}

static int choose(lua_State *L, lwend_map *g, choice *asked, int index, unsigned call) {
  const int top = lua_gettop(L);
  bool unknown;
  int results = choose_by(L, g, asked, index, call, true, &unknown);
  if (!unknown) return results;
  lua_settop(L, top);
  return choose_by(L, lwend_check_alive(L, g), asked, index, call, false, &unknown);
}

/* grid:nearest(x, y[, opts]), grid:nearest(position[, opts]) -> x, y, distance, or nil; or nil, message, "stale" */
int lwend_grid_nearest(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  choice asked = {true, {0, 0}, 0, NULL, NULL, {NULL, 0, false, false, false}};
  return choose(L, g, &asked, lwend_check_point(L, 2, 2, asked.point), LWEND_FOR_NEAREST_CELL);
}

static int random_of(lua_State *L, lwend_map *g) {
  choice asked = {false, {0, 0}, 0, NULL, NULL, {NULL, 0, false, false, false}};
  asked.seed = lwend_check_seed(L, 2, "seed");
  return choose(L, g, &asked, 3, LWEND_FOR_RANDOM);
}

/* graph:random(seed[, opts]) -> node, or nil; or nil, message, "stale" */
int lwend_graph_random(lua_State *L) { return random_of(L, lwend_check_graph(L, 1)); }
/* grid:random(seed[, opts]) -> x, y, or nil; or nil, message, "stale" */
int lwend_grid_random(lua_State *L) { return random_of(L, lwend_check_grid(L, 1)); }

void lwend_open_choice(lua_State *L, lwend_state *state) { state->choice_ref = lwend_protected(L, state, protected_choice); }
