/* SPDX-License-Identifier: MIT */
/* Requests: the list of query options, and how a request is read.
 *
 * A function starts a request, puts its own arguments into it, and reads its options (lwend_read_options). Numbers and
 * flags go into fields of the request. Lua values go into slots of its frame: see query.h. To add an option, add:
 *
 *   1. a line in the list below: its name, the calls that take it, the function that reads it, and its field or slot
 *   2. its field in lwend_request, or its slot
 *   3. its use, and its documentation (doc/api) */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "lua/base/costs.h"

/* ---- Functions that read an option. The value at index is not nil ------------------------------------------- */

typedef struct option option;
typedef void (*read_fn)(lua_State *L, lwend_request *request, int index, const option *of);

struct option {
  const char *name;
  unsigned calls; /* LWEND_FOR_... */
  read_fn read;
  size_t where; /* the offset of a field, or a slot */
};

static void *field_at(lwend_request *request, const option *of) { return (char *)request + of->where; }

/* Puts a Lua value into a slot. */
static void keep(lua_State *L, lwend_request *request, int index, const option *of) {
  lwend_request_set(L, request, (int)of->where, index);
}

static void keep_table(lua_State *L, lwend_request *request, int index, const option *of) {
  lwend_check_table(L, index, of->name);
  keep(L, request, index, of);
}

static void keep_tags(lua_State *L, lwend_request *request, int index, const option *of) {
  lwend_check_tag_keys(L, index, of->name);
  keep(L, request, index, of);
}

static void keep_pass_only(lua_State *L, lwend_request *request, int index, const option *of) {
  lwend_check_tags(L, index, of->name);
  keep(L, request, index, of);
}

/* The size of the agent: on a grid in cells. */
static void check_option_size(lua_State *L, const lwend_request *request, int index) {
  const double size = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : 0;
  const bool cells = request->g != NULL && request->g->grid != NULL;
  char wanted[40];
  snprintf(wanted, sizeof wanted, cells ? "a whole number in 1 .. %d" : "a finite number > 0", WEND_SIZE_MAX);
  if (!(size > 0 && size < INFINITY) || (cells && !(size <= WEND_SIZE_MAX && floor(size) == size)))
    lwend_type_error(L, index, "size", wanted);
  if (size > 1) lwend_check_squares(L, request->g, "a size > 1");
}

static void keep_size(lua_State *L, lwend_request *request, int index, const option *of) {
  check_option_size(L, request, index);
  keep(L, request, index, of);
}

static void keep_influence(lua_State *L, lwend_request *request, int index, const option *of) {
  lwend_check_layers(L, request->g, index);
  keep(L, request, lua_gettop(L), of);
  lua_pop(L, 1);
}

static void keep_callable(lua_State *L, lwend_request *request, int index, const option *of) {
  lwend_check_callable(L, index, of->name);
  keep(L, request, index, of);
}

static void keep_clear(lua_State *L, lwend_request *request, int index, const option *of) {
  lwend_check_clear(L, index, of->name);
  keep(L, request, index, of);
}

static void keep_clearance(lua_State *L, lwend_request *request, int index, const option *of) {
  (void)of;
  lwend_set_clearance(L, request->frame + LWEND_CLEAR, index);
}

static void keep_map(lua_State *L, lwend_request *request, int index, const option *of) {
  request->g = lwend_check_anymap(L, index);
  keep(L, request, index, of);
}

/* Reads a number >= 0, possibly INFINITY, into a double. */
static void read_limit(lua_State *L, lwend_request *request, int index, const option *of) {
  *(double *)field_at(request, of) = lwend_check_number(L, index, of->name, 0, INFINITY);
}

/* Reads true or false into a bool. */
static void read_flag(lua_State *L, lwend_request *request, int index, const option *of) {
  *(bool *)field_at(request, of) = lwend_check_boolean(L, index, of->name);
}

/* A whole number >= 1. A number above `most` means the same as `most`: there are never more. */
static uint32_t check_count(lua_State *L, int index, const char *what, uint32_t most) {
  uint64_t count = 0;
  if (!lwend_towhole(L, index, &count) || count < 1) lwend_type_error(L, index, what, "a whole number >= 1");
  return count < most ? (uint32_t)count : most;
}

static void read_max_expanded(lua_State *L, lwend_request *request, int index, const option *of) {
  if (lua_type(L, index) == LUA_TNUMBER && lua_tonumber(L, index) == INFINITY) return;
  if (!lwend_towhole(L, index, field_at(request, of))) lwend_type_error(L, index, of->name, "a whole number >= 0");
}

static void read_jitter(lua_State *L, lwend_request *request, int index, const option *of) {
  *(double *)field_at(request, of) = lwend_check_number(L, index, of->name, 0, WEND_COORDINATE_MAX);
  request->unseeded = "jitter needs a seed: the points depend on it";
}

/* Larger values make no difference: every path is within the limit. */
#define VARIATION_MAX 1e9

static void read_variation(lua_State *L, lwend_request *request, int index, const option *of) {
  const double variation = lwend_check_number(L, index, of->name, 0, 1e308);
  *(double *)field_at(request, of) = variation < VARIATION_MAX ? variation : VARIATION_MAX;
  if (request->unseeded == NULL) request->unseeded = "variation needs a seed: the path depends on it";
}

/* The seed is the bits of the double: these are the same in every Lua, for integers and floats. Adding 0.0 turns -0.0 into
 * 0.0. */
uint64_t lwend_check_seed(lua_State *L, int index, const char *what) {
  const double number = lwend_check_finite(L, index, what) + 0.0;
  uint64_t seed;
  memcpy(&seed, &number, sizeof seed);
  return seed;
}

static void read_seed(lua_State *L, lwend_request *request, int index, const option *of) {
  *(uint64_t *)field_at(request, of) = lwend_check_seed(L, index, of->name);
  request->seeded = true;
}

static void read_heuristic(lua_State *L, lwend_request *request, int index, const option *of) {
  static const char *const heuristics[] = {"auto", "zero", "euclidean", "manhattan", "chebyshev", "octile", NULL};
  if (lua_isfunction(L, index)) {
    request->search.heuristic = WEND_CUSTOM;
    keep(L, request, index, of);
  } else {
    request->search.heuristic = (wend_heuristic)lwend_check_choice(L, index, of->name, heuristics, ", or a function");
    if (request->search.heuristic > WEND_ZERO) {
      lua_pushfstring(L, "the heuristic '%s'", lua_tostring(L, index));
      lwend_check_squares(L, request->g, lua_tostring(L, -1));
      lua_pop(L, 1);
    }
  }
}

static void read_algorithm(lua_State *L, lwend_request *request, int index, const option *of) {
  static const char *const algorithms[] = {"astar", "dijkstra", NULL};
  *(bool *)field_at(request, of) = lwend_check_choice(L, index, of->name, algorithms, "") == 1;
}

static void read_enter(lua_State *L, lwend_request *request, int index, const option *of) {
  static const char *const ways[] = {"node", "edge", NULL};
  *(bool *)field_at(request, of) = lwend_check_choice(L, index, of->name, ways, "") == 1;
}

static void read_within(lua_State *L, lwend_request *request, int index, const option *of) {
  *(double *)field_at(request, of) = lwend_check_number(L, index, of->name, 0, 1e308);
}

/* Writes the position of a node, or of the centre of a cell. False: it has none. */
static bool place_point(const lwend_map *g, wend_map *map, wend_id at, double *point) {
  const double *position;
  if (g->grid != NULL) return lwend_body_point(g, at, 1, &point[0], &point[1]), true;
  position = wend_graph_position(wend_map_graph(map), at);
  if (position != NULL) memcpy(point, position, (size_t)wend_graph_dimensions(wend_map_graph(map)) * sizeof *point);
  return position != NULL;
}

/* wend_end_rule.sight: whether the walls of the option leave the line to the goal free. */
static bool sees_goal(void *ud, wend_map *map, wend_id from, wend_id goal) {
  lwend_request *request = ud;
  double a[3], b[3];
  return place_point(request->g, map, from, a) && place_point(request->g, map, goal, b) &&
         lwend_is_clear(request->L, request->g, LWEND_CLEAR, a, b, 2);
}

/* Keeps what tags mean for sight, in the slot of walls: slices of a search find it there. */
static void read_tags_of_sight(lua_State *L, lwend_request *request, int index) {
  static const char *const names[] = {"opaque", "transparent", NULL};
  const int top = lua_gettop(L);
  if (request->g->graph != NULL) luaL_error(L, "sight by tags is for grids: on a graph, give walls (wend.walls)");
  request->search.ends.sight = wend_sight_sees;
  request->search.ends.sight_ud = lwend_push_sight(L, request->g, lwend_options(L, index, names));
  lwend_request_set(L, request, LWEND_CLEAR, lua_gettop(L));
  lua_settop(L, top);
}

static void read_sight(lua_State *L, lwend_request *request, int index, const option *of) {
  wend_end_rule *range = &request->search.ends;
  const bool walls = lwend_towalls(L, index) != NULL;
  if (lua_istable(L, index)) {
    read_tags_of_sight(L, request, index);
    return;
  }
  if (!walls && !lua_isboolean(L, index))
    lwend_type_error(L, index, of->name, "true, false, walls or a table { opaque =, transparent = }");
  if (!walls && !lua_toboolean(L, index)) return;
  if (!walls && request->g->graph != NULL) luaL_error(L, "sight = true is for grids: on a graph, give walls (wend.walls)");
  range->sight = walls ? sees_goal : wend_grid_sees;
  range->sight_ud = request;
  if (walls) lwend_request_set(L, request, LWEND_CLEAR, index);
}

/* Of routes over grids: walls are those of the option clear. */
static void read_cell_sight(lua_State *L, lwend_request *request, int index, const option *of) {
  if (lwend_check_boolean(L, index, of->name)) request->search.ends.sight = wend_grid_sees;
}

static void read_corners(lua_State *L, lwend_request *request, int index, const option *of) {
  read_flag(L, request, index, of);
  if (request->search.corners) lwend_check_squares(L, request->g, "the option 'corners'");
  if (request->search.corners && request->g->graph != NULL)
    luaL_error(L, "corners is an option of grids: a path over a graph lists all its nodes");
}

static void read_window(lua_State *L, lwend_request *request, int index, const option *of) {
  if (request->g->graph != NULL) luaL_error(L, "window is an option of grids: a graph has no columns and rows");
  *(uint32_t *)field_at(request, of) = check_count(L, index, of->name, WEND_CELLS_MAX);
}

/* Raises if the map is a grid: the option is about positions of nodes. */
static void check_graph_option(lua_State *L, const lwend_request *request, const option *of) {
  if (request->g->graph == NULL) luaL_error(L, "%s is an option of graphs: the cells of a grid have fixed positions", of->name);
}

static void read_spacing(lua_State *L, lwend_request *request, int index, const option *of) {
  const double distance = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : 0;
  check_graph_option(L, request, of);
  if (!(distance > 0 && distance < INFINITY)) lwend_type_error(L, index, of->name, "a finite number > 0");
  *(double *)field_at(request, of) = distance;
}

static void read_per_turn(lua_State *L, lwend_request *request, int index, const option *of) {
  const double points = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : 0;
  if (!(points > 0 && points < INFINITY)) lwend_type_error(L, index, of->name, "a finite number > 0");
  request->search.turns.per_turn = request->search.turns.rest = points;
}

/* per_turn was read before. What a script has subtracted the costs of paths from may be off by as much as searches allow. */
static void read_rest(lua_State *L, lwend_request *request, int index, const option *of) {
  wend_turns *turns = &request->search.turns;
  const double most = turns->per_turn, off = 1e-9 * most;
  const bool given = most > 0;
  const double rest = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : -1;
  if (given && rest >= -off && rest <= most + off) turns->rest = fmin(fmax(rest, 0), most);
  else turns->rest = lwend_check_number(L, index, of->name, 0, given ? most : INFINITY);
  if (!given) luaL_error(L, "rest is what is left of a turn: it needs the option per_turn");
}

/* per_turn was read before. */
static void read_last_step(lua_State *L, lwend_request *request, int index, const option *of) {
  static const char *const rules[] = {"fits", "any", NULL};
  request->search.turns.any_last = lwend_check_choice(L, index, of->name, rules, "") == 1;
  if (!(request->search.turns.per_turn > 0))
    luaL_error(L, "last_step is about the last step of a turn: it needs the option per_turn");
}

/* What each kind of obstacle counts. */
static void read_obstacle_costs(lua_State *L, lwend_request *request, int index, const option *of) {
  static const char *const names[] = {"closed", "solid", "wall", "tag", "one_way", "rule", NULL};
  wend_obstacle_costs *costs = &request->obstacles;
  uint8_t *const at[] = {&costs->closed, &costs->solid, &costs->wall, &costs->tag, &costs->one_way, &costs->rule};
  const int top = lua_gettop(L);
  int first;
  if (!lua_istable(L, index)) lwend_type_error(L, index, of->name, "a table");
  *costs = wend_obstacle_costs_default();
  first = lwend_options(L, index, names);
  for (int i = 0; names[i] != NULL; i++) {
    uint64_t number = 0;
    if (lua_isnil(L, first + i)) continue;
    if (!lwend_towhole(L, first + i, &number) || number < 1 || number > WEND_OBSTACLE_COST_MAX) {
      lua_pushfstring(L, "%s.%s", of->name, names[i]);
      lwend_type_error(L, first + i, lua_tostring(L, -1), "a whole number in 1 .. 100");
    }
    *at[i] = (uint8_t)number;
  }
  lua_settop(L, top);
}

static void keep_obstacles(lua_State *L, lwend_request *request, int index, const option *of) {
  check_graph_option(L, request, of);
  lwend_check_clear(L, index, of->name);
  keep(L, request, index, of);
}

static void read_count(lua_State *L, lwend_request *request, int index, const option *of) {
  *(uint32_t *)field_at(request, of) = check_count(L, index, of->name, WEND_NONE);
}

/* A number of landmarks. */
static void read_landmarks(lua_State *L, lwend_request *request, int index, const option *of) {
  uint64_t count = 0;
  char wanted[40];
  snprintf(wanted, sizeof wanted, "a whole number in 1 .. %u", (unsigned)WEND_LANDMARKS_MAX);
  if (!lwend_towhole(L, index, &count) || count < 1 || count > WEND_LANDMARKS_MAX) lwend_type_error(L, index, of->name, wanted);
  *(uint32_t *)field_at(request, of) = (uint32_t)count;
}

static void read_threads(lua_State *L, lwend_request *request, int index, const option *of) {
  *(uint32_t *)field_at(request, of) = lwend_check_threads(L, index);
}

/* An option of earlier versions. */
static void read_gone(lua_State *L, lwend_request *request, int index, const option *of) {
  (void)request, (void)index;
  lwend_gone(L, lua_pushfstring(L, "the option %s", of->name));
}

/* Options of a queue are checked here. The queue reads them itself. */

static void check_priority(lua_State *L, lwend_request *request, int index, const option *of) {
  (void)request;
  lwend_check_finite(L, index, of->name);
}

static void check_owner(lua_State *L, lwend_request *request, int index, const option *of) {
  (void)request;
  if (lua_type(L, index) == LUA_TNUMBER && isnan(lua_tonumber(L, index))) luaL_error(L, "%s must not be nan", of->name);
}

static void check_on_done(lua_State *L, lwend_request *request, int index, const option *of) {
  (void)request;
  lwend_check_callable(L, index, of->name);
}

static void check_share(lua_State *L, lwend_request *request, int index, const option *of) {
  (void)request;
  lwend_check_boolean(L, index, of->name);
}

static void read_listed(lua_State *L, lwend_request *request, int index, const option *of) {
  *(uint32_t *)field_at(request, of) = check_count(L, index, of->name, WEND_NONE / 2);
  request->listed = true;
}

/* ---- The list ----------------------------------------------------------------------------------------------- */

#define PATH LWEND_FOR_PATH
#define ROUTE LWEND_FOR_ROUTE
#define FIELD LWEND_FOR_FIELD
#define STRAIGHTEN LWEND_FOR_STRAIGHTEN
#define NEAREST_NODE LWEND_FOR_NEAREST
#define NEAREST (LWEND_FOR_NEAREST | LWEND_FOR_NEAREST_EDGE)
#define CHECK LWEND_FOR_CHECK
#define CHOKEPOINTS LWEND_FOR_CHOKEPOINTS
#define ROUTES LWEND_FOR_ROUTES
#define READY_PATH LWEND_FOR_READY_PATH
#define POINTS LWEND_FOR_POINTS
#define DECODE LWEND_FOR_DECODE
#define NEAREST_CELL LWEND_FOR_NEAREST_CELL
#define PREPARE LWEND_FOR_PREPARE
#define PREPARED LWEND_FOR_PREPARED
#define UNPREPARE LWEND_FOR_UNPREPARE
#define CHOICE (LWEND_FOR_NEAREST_CELL | LWEND_FOR_RANDOM)
#define GRID_ROUTE LWEND_FOR_GRID_ROUTE
#define QUEUE LWEND_FOR_QUEUE
#define ANY_ROUTE (ROUTE | GRID_ROUTE)
/* Where the goals may be closed. */
#define CLOSED_GOAL (PATH | ANY_ROUTE | FIELD | NEAREST | CHOICE | LWEND_FOR_LAST_STEP)
/* Where a place in range of a goal may be the end. */
#define TRIP (LWEND_FOR_TRIP | FIELD)
/* That use costs. */
#define ALL (PATH | ANY_ROUTE | FIELD | LWEND_FOR_COSTS | STRAIGHTEN | NEAREST | CHOICE | CHECK | CHOKEPOINTS | ROUTES | DECODE)

#define IN(field) offsetof(lwend_request, field)

/* Messages list the options of a call in this order. max_expanded, clear, clearance and into are listed twice: for some
 * calls, messages name them at another place. */
static const option options[] = {
    {"map", DECODE, keep_map, LWEND_MAP},
    {"allow", CHECK, keep_tags, LWEND_ALLOW},
    {"min", CHOKEPOINTS, read_count, IN(least_cut)},
    {"limit", CHOKEPOINTS, read_count, IN(most_found)},
    {"max_distance", ROUTE | NEAREST | NEAREST_CELL, read_limit, IN(max_distance)},
    {"enter", ROUTE, read_enter, IN(by_edge)},
    {"limit", NEAREST_NODE, read_listed, IN(most_near)},
    {"open", NEAREST, read_flag, IN(open)},
    {"can_reach", NEAREST | CHOICE, keep, LWEND_CAN_REACH},
    {"reachable_from", NEAREST | CHOICE, keep, LWEND_REACHABLE_FROM},
    {"clear", ANY_ROUTE | NEAREST, keep_clear, LWEND_CLEAR},
    {"clearance", ANY_ROUTE | NEAREST, keep_clearance, 0},
    {"straighten", ANY_ROUTE, read_flag, IN(straighten)},
    {"jitter", ROUTE | POINTS, read_jitter, IN(jitter)},
    {"landmarks", PREPARE, read_landmarks, IN(landmarks)},
    {"costs", ALL | PREPARE | PREPARED | UNPREPARE, keep, LWEND_COSTS},
    {"agent", ALL | PREPARE | PREPARED | UNPREPARE, keep, LWEND_AGENT},
    {"cost", ALL | PREPARED, keep, LWEND_COST},
    {"at_least", ALL | PREPARED, keep, LWEND_AT_LEAST},
    {"size", ALL | PREPARED, keep_size, LWEND_SIZE},
    {"influence", ALL | PREPARED, keep_influence, LWEND_INFLUENCE},
    {"pass_only", TRIP | DECODE, keep_pass_only, LWEND_PASS_ONLY},
    {"per_turn", TRIP, read_per_turn, 0},
    {"rest", TRIP, read_rest, 0},
    {"last_step", TRIP, read_last_step, 0},
    {"algorithm", PATH | ANY_ROUTE, read_algorithm, IN(dijkstra)},
    {"heuristic", PATH | ANY_ROUTE, read_heuristic, LWEND_HEURISTIC},
    {"max_expanded", PATH | ANY_ROUTE, read_max_expanded, IN(search.max_expanded)},
    {"max_cost", PATH | ANY_ROUTE | FIELD, read_limit, IN(search.max_cost)},
    {"window", FIELD, read_window, IN(window)},
    {"partial", PATH | ANY_ROUTE, read_flag, IN(search.partial)},
    {"variation", PATH | ANY_ROUTE | FIELD, read_variation, IN(search.variation)},
    {"seed", PATH | ANY_ROUTE | FIELD | POINTS, read_seed, IN(search.seed)},
    {"corners", PATH | LWEND_FOR_FIELD_PATH, read_corners, IN(search.corners)},
    {"clear", POINTS, keep_clear, LWEND_CLEAR},
    {"clearance", POINTS, keep_clearance, 0},
    {"walls", CHECK, keep_obstacles, LWEND_CLEAR},
    {"too_close", CHECK, read_spacing, IN(too_close)},
    {"too_far", CHECK, read_spacing, IN(too_far)},
    {"restart", LWEND_FOR_SEARCH, read_gone, 0},
    {"labels", LWEND_FOR_SEARCH, read_flag, IN(labels)},
    {"visited", LWEND_FOR_VISITED, read_flag, IN(search.visited)},
    {"into", PATH | ANY_ROUTE | STRAIGHTEN | READY_PATH | NEAREST_NODE | POINTS, keep_table, LWEND_INTO},
    {"stats", PATH | ANY_ROUTE | FIELD, keep_table, LWEND_STATS},
    {"closed_goal", CLOSED_GOAL, read_flag, IN(search.ends.closed)},
    {"within", TRIP | GRID_ROUTE, read_within, IN(search.ends.within)},
    {"beside", TRIP | GRID_ROUTE, read_flag, IN(search.ends.beside)},
    {"sight", TRIP, read_sight, LWEND_CLEAR},
    {"sight", GRID_ROUTE, read_cell_sight, 0},
    {"obstacles", LWEND_FOR_WHY, read_obstacle_costs, 0},
    {"max_expanded", FIELD, read_max_expanded, IN(search.max_expanded)},
    {"outward", FIELD, read_flag, IN(outward)},
    {"values", FIELD, keep, LWEND_VALUES},
    {"into", FIELD, keep, LWEND_FIELD},
    {"on_progress", ROUTES | PREPARE, keep_callable, LWEND_PROGRESS},
    {"clear", DECODE, keep_clear, LWEND_CLEAR},
    {"clearance", DECODE, keep_clearance, 0},
    {"on_point", DECODE, keep_callable, LWEND_PROGRESS},
    {"sliced", PREPARE, read_flag, IN(sliced)},
    {"threads", PREPARE, read_threads, IN(threads)},
    {"priority", QUEUE, check_priority, 0},
    {"owner", QUEUE, check_owner, 0},
    {"on_done", QUEUE, check_on_done, 0},
    {"share", QUEUE, check_share, 0},
};
enum { OPTIONS = sizeof options / sizeof *options };
_Static_assert(OPTIONS <= LWEND_OPTIONS_MAX, "the chains hold all options");

static int unknown_option(lua_State *L, int key, unsigned call) {
  const char *names[OPTIONS + 1];
  int count = 0;
  for (int i = 0; i < OPTIONS; i++)
    if ((options[i].calls & call) && options[i].read != read_gone) names[count++] = options[i].name;
  names[count] = NULL;
  return lwend_unknown_option(L, key, names);
}

/* Checks options that depend on each other. */
static void check_together(lua_State *L, lwend_request *request) {
  wend_search_opts *search = &request->search;
  if (request->dijkstra) {
    if (search->heuristic != WEND_AUTO && search->heuristic != WEND_ZERO)
      luaL_error(L, "algorithm 'dijkstra' has no heuristic: leave one of the two options out");
    search->heuristic = WEND_ZERO;
  }
  request->ranged = search->ends.within < INFINITY || search->ends.beside || search->ends.sight != NULL;
  if (request->ranged) search->ends.closed = false; /* whatever is closed at the goal, the path does not enter it */
  if (search->turns.per_turn > 0 && (search->variation > 0 || search->corners))
    luaL_error(L, "per_turn and %s do not go together: leave one of the two options out",
               search->corners ? "corners" : "variation");
  if (search->turns.per_turn > 0 && !lua_isnil(L, request->frame + LWEND_PASS_ONLY) &&
      !(request->outward && search->max_cost <= 1))
    luaL_error(L, "per_turn and pass_only go together in fields with outward and max_cost <= 1 only, the moves of one turn: "
                  "leave one of the two options out");
  if (request->unseeded != NULL && !request->seeded) luaL_error(L, "%s", request->unseeded);
}

void lwend_open_options(lua_State *L, lwend_state *state) {
  lwend_option_chains *chains = &state->options;
  lua_pushliteral(L, "costs");
  chains->costs = lua_tostring(L, -1);
  (void)luaL_ref(L, LUA_REGISTRYINDEX); /* never collected */
  lua_pushliteral(L, "into");
  chains->into = lua_tostring(L, -1);
  (void)luaL_ref(L, LUA_REGISTRYINDEX);
  for (int i = OPTIONS - 1; i >= 0; i--) {
    uint8_t *first = &chains->first[options[i].name[0] % sizeof chains->first];
    chains->next[i] = *first, *first = (uint8_t)(i + 1);
  }
}

/* The index of the option of that name; OPTIONS: the call has no such option. */
static int find_option(const lwend_option_chains *chains, const char *key, unsigned call) {
  for (int i = chains->first[(unsigned char)key[0] % sizeof chains->first]; i > 0; i = chains->next[i - 1])
    if ((options[i - 1].calls & call) && strcmp(options[i - 1].name, key) == 0) return i - 1;
  return OPTIONS;
}

void lwend_read_options(lua_State *L, lwend_request *request, int index, unsigned call) {
  const int before = lua_gettop(L);
  uint64_t given = 0; /* bit i: options[i] is given */
  int at[OPTIONS];    /* the stack index of its value */
  int count = 0;
  if (lua_isnoneornil(L, index)) return;
  if (!lua_istable(L, index)) lwend_type_error(L, index, "options", "a table");
  request->options = index;
  /* 1. Collect the values. Nothing here allocates, so no script runs before all values are on the stack. */
  lwend_check_stack(L, OPTIONS + LUA_MINSTACK);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    int i;
    if (lua_type(L, -2) != LUA_TSTRING) unknown_option(L, -2, call);
    i = find_option(&request->state->options, lua_tostring(L, -2), call);
    if (i == OPTIONS) unknown_option(L, -2, call);
    given |= (uint64_t)1 << i;
    at[i] = before + ++count;
    lua_insert(L, -2); /* the value stays below the key */
  }
  /* 2. Read them, in the order of the list: errors do not depend on the order in the script's table. */
  for (int i = 0; given != 0; i++, given >>= 1) {
    for (; (given & 0xff) == 0; given >>= 8) i += 8; /* most are not given */
    if (given & 1) options[i].read(L, request, at[i], &options[i]);
  }
  lua_settop(L, before);
  check_together(L, request);
}

/* ---- Frames ------------------------------------------------------------------------------------------------- */

void lwend_request_set_map(lua_State *L, lwend_request *request, lwend_map *g, int index) {
  request->g = g;
  request->version = wend_map_version(lwend_check_alive(L, g)->map);
  request->searcher = &request->state->searchers[request->state->depth];
  if (request->searcher->search == NULL) lwend_searcher_ready(L, request->state, request->searcher);
  lwend_request_set(L, request, LWEND_MAP, index);
}

void lwend_request_start(lua_State *L, lwend_request *request, lwend_map *g, int index) {
  memset(request, 0, sizeof *request);
  request->state = lwend_state_of(L);
  request->search = wend_search_opts_default();
  request->max_distance = INFINITY;
  request->most_near = request->least_cut = 1;
  request->most_found = WEND_NONE;
  request->slice = UINT64_MAX;
  request->last = LWEND_FAILED;
  lwend_check_stack(L, LWEND_FRAME_END + LUA_MINSTACK);
  request->frame = lua_gettop(L) + 1 - LWEND_MAP;
  lua_settop(L, request->frame + LWEND_FRAME_END - 1);
  if (g != NULL) lwend_request_set_map(L, request, g, index);
}

void lwend_request_resume(lua_State *L, lwend_request *request, lwend_map *g, int index, int last) {
  lwend_request_start(L, request, NULL, 0);
  request->frame = lwend_push_frame(L, index, last);
  request->slots = (2u << last) - 1;
  lwend_request_set_map(L, request, g, request->frame + LWEND_MAP);
}

void lwend_request_set(lua_State *L, lwend_request *request, int slot, int index) {
  lua_pushvalue(L, index);
  lwend_request_put(L, request, slot);
}

void lwend_save_slots(lua_State *L, const lwend_request *request, int last) {
  for (int slot = LWEND_MAP; slot <= last; slot++) {
    lua_pushvalue(L, request->frame + slot);
    lua_rawseti(L, -2, slot - LWEND_MAP + 1);
  }
}

void lwend_keep_slots(lua_State *L, const lwend_request *request, int object) {
  lua_createtable(L, LWEND_KEPT - LWEND_MAP + 1, 0);
  lwend_save_slots(L, request, LWEND_KEPT);
  lwend_setanchor(L, object);
}

int lwend_push_frame(lua_State *L, int index, int last) {
  const int frame = lua_gettop(L) + 1 - LWEND_MAP;
  lwend_check_stack(L, LWEND_FRAME_END + LUA_MINSTACK);
  lwend_pushanchor(L, index); /* it lies in the slot of the map until the other slots are filled */
  for (int slot = LWEND_MAP + 1; slot <= last; slot++) lua_rawgeti(L, frame + LWEND_MAP, slot - LWEND_MAP + 1);
  lua_rawgeti(L, frame + LWEND_MAP, 1);
  lua_replace(L, frame + LWEND_MAP);
  lua_settop(L, frame + LWEND_FRAME_END - 1);
  return frame;
}

/* Fills a slot that is nil with a field of the path at stack index `path`. */
static void inherit(lua_State *L, lwend_request *request, int slot, int path, const char *field) {
  if (lwend_given(L, request, slot)) return;
  lwend_getraw(L, path, field);
  lwend_request_put(L, request, slot);
}

void lwend_request_inherit(lua_State *L, lwend_request *request, int path) {
  inherit(L, request, LWEND_COSTS, path, "costs");
  inherit(L, request, LWEND_AGENT, path, "agent");
  inherit(L, request, LWEND_COST, path, "callback");
  inherit(L, request, LWEND_SIZE, path, "size");
  if (lwend_given(L, request, LWEND_SIZE)) check_option_size(L, request, request->frame + LWEND_SIZE);
  inherit(L, request, LWEND_INFLUENCE, path, "influence");
  if (!lwend_given(L, request, LWEND_INFLUENCE)) return;
  lwend_check_layers(L, request->g, request->frame + LWEND_INFLUENCE);
  lwend_request_put(L, request, LWEND_INFLUENCE);
}

/* ---- Goals -------------------------------------------------------------------------------------------------- */

uint32_t lwend_count_goals(lua_State *L, const lwend_map *g, int index, const char *what) {
  const bool cells = g->grid != NULL;
  const uint32_t count = lwend_check_list(L, index, what, cells ? 2 : 1, "numbers");
  if (count > 0) return count;
  lua_pushnil(L);
  if (lua_next(L, index) != 0)
    luaL_error(L, "%s must be a list of %s, got the key %s", what, cells ? "cells" : "nodes",
               lwend_describe(L, lua_gettop(L) - 1));
  return 0;
}

uint32_t lwend_check_goals(lua_State *L, lwend_request *request, int index, const char *what) {
  const uint32_t count = lwend_count_goals(L, request->g, index, what);
  request->to = WEND_NO_ID;
  for (uint32_t i = 1; i <= count; i++) (void)lwend_check_listed(L, index, request->g, what, i);
  lwend_request_set(L, request, LWEND_GOALS, index);
  return count;
}

uint32_t lwend_read_goals(lua_State *L, lwend_request *request) {
  lwend_searcher *searcher = request->searcher;
  const bool listed = request->to == WEND_NO_ID;
  const uint32_t count = listed ? lwend_count_goals(L, request->g, LWEND_GOALS, "goals") : 1;
  LWEND_GROW(L, request->state, searcher->goals, searcher->goals_capacity, count);
  request->goal_count = listed ? count : 0;
  if (!listed) searcher->goals[0] = request->to;
  for (uint32_t i = 0; listed && i < count; i++)
    searcher->goals[i] = lwend_check_listed(L, LWEND_GOALS, request->g, "goals", (size_t)i + 1);
  return count;
}

/* ---- The ends of a path ------------------------------------------------------------------------------------- */

void lwend_spread_ends(lua_State *L, const lwend_map *g) {
  if (g->grid == NULL) return;
  lwend_spread_cell(L, 2, g, "x1");
  if (lwend_spread_cell(L, 4, g, NULL) && lua_istable(L, 4)) /* its x is a table: no list of goals */
    (void)lwend_check_cell(L, 4, g, "x2", "y2");
}

/* Raises if a goal has no position: request->to, or one in the list at index. */
static void check_positions(lua_State *L, const lwend_request *request, int index) {
  const bool listed = request->to == WEND_NO_ID;
  const uint32_t count = listed ? lwend_count_goals(L, request->g, index, "to") : 1;
  for (uint32_t i = 1; i <= count && request->g->graph != NULL; i++) {
    const wend_id goal = listed ? lwend_check_listed(L, index, request->g, "to", i) : request->to;
    if (wend_graph_position(request->g->graph, goal) == NULL)
      luaL_error(L, "partial needs to know how far the goal is: node %s has no position",
                 lwend_push_node_text(L, request->g, goal));
  }
}

/* Reads a start that an extension knows. False: it is none. */
static bool read_start(lua_State *L, lwend_request *request, int index) {
  const lwend_extension *extension = request->state->extension;
  return extension != NULL && lua_type(L, index) != LUA_TNUMBER && extension->read_start(L, request, index);
}

void lwend_read_ends(lua_State *L, lwend_request *request, unsigned calls) {
  const lwend_map *g = request->g;
  const int to = g->graph != NULL ? 3 : 4;
  int at = to + 1;
  if (g->graph == NULL) request->from = lwend_check_cell(L, 2, g, "x1", "y1");
  else if (!read_start(L, request, 2)) request->from = lwend_check_node(L, 2, g, "from");
  if (lua_istable(L, to)) {
    lwend_check_goals(L, request, to, g->graph != NULL ? "to" : "goals");
  } else if (g->graph != NULL) {
    request->to = lwend_check_node(L, to, g, "to");
  } else {
    request->to = lwend_check_cell(L, to, g, "x2", "y2");
    at = to + 2;
  }
  lwend_read_options(L, request, at, calls);
  if (request->search.partial) check_positions(L, request, to);
}
