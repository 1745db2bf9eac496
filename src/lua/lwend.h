/* SPDX-License-Identifier: MIT */
/* The binding: it reads and checks arguments, calls the core and pushes results; algorithms are in src/core.
 *
 * A script may misuse every function here, and must not crash the host. Scripts run at more places than it seems:
 * in metamethods of values that are read, in callbacks, and in finalizers, which any allocation of Lua may run. They
 * can edit, search, free and refill every object that they can reach. Hence four rules.
 *
 *   1. Read, check, act. A function first reads its arguments (this may run scripts), then checks them, then acts.
 *      Between a check and the last use of what it found, nothing allocates Lua memory and nothing calls Lua. Where
 *      that cannot be, the check is repeated. lua_pushnumber, lua_pushvalue, lua_rawgeti, lua_next and
 *      lua_touserdata allocate nothing; pushing a string, a table, a closure or a userdata does.
 *   2. Callbacks run inside lwend_call or lwend_protect. A map is locked while they run: edits raise, and so does
 *      freeing it. lwend_ask compares the version of the map after each call. The one place where a script may edit a
 *      map in the middle of a query is `on_error`: the query then starts anew, finds another version, and is stale.
 *   3. An object that is being worked out or read during a callback says so (`busy`, `readers`) and refuses to change.
 *   4. `__gc` leaves a closed object that all methods refuse. Pointers into the core's memory are copied before
 *      anything is pushed (lwend_push_name, lwend_push_tag).
 *
 *   module.c   opening
 *   state.c    memory, metatables, the state that all functions share
 *   check.c    arguments and options: one place for their messages
 *   graph.c    wend.Graph: nodes and edges
 *   grid.c     wend.Grid: cells, walls, links
 *   costs.c    from a cost profile (lua/wend/costs.lua) to what the core understands, and back into its callbacks
 *   path.c     wend.Path: what comes out of a search
 *   query.c    a search from Lua: map:path, wend.Search, path:explain
 *   field.c    wend.Field
 *   line.c     grid:clear, grid:clear_points, grid:straighten
 *   walls.c    wend.Walls
 *   clear.c    what the option `clear` may be
 *   nearest.c  graph:nearest, graph:nearest_edge
 *   route.c    graph:route
 *   link.c     graph:link
 *   components.c   graph:check, grid:check
 *   routes.c   wend.Routes
 *   file.c     encode and decode */
#ifndef WEND_LUA_H
#define WEND_LUA_H

#include "compat.h"
#include "wend.h"

#if defined(_WIN32)
#define LWEND_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define LWEND_EXPORT __attribute__((visibility("default")))
#else
#define LWEND_EXPORT
#endif

/* Calls into Lua inside each other: Lua itself allows about 200 C calls, and LuaJIT counts none, so that without a
 * limit a thread with a stack of 512 KB would overflow. */
#define LWEND_DEPTH_MAX 100

/* A search of the core with the arrays that go with it; used again and again. */
typedef struct lwend_searcher {
  wend_search *search;
  wend_tag_cost *tags; /* one a tag of the graph, and one for none */
  uint32_t tags_capacity;
  uint8_t *applies; /* by tag, then by edge rule */
  uint32_t applies_capacity;
  wend_id *goals;
  uint32_t goals_capacity;
} lwend_searcher;

/* What the functions of one Lua state share: their first upvalue. */
typedef struct lwend_state {
  wend_alloc alloc;
  lua_Alloc host;
  void *host_ud;
  size_t debt; /* bytes allocated that the collector has not heard of */
  /* Metatables, to know objects by, and in the registry, to give them. */
  const void *graph_mt, *grid_mt, *search_mt, *costs_mt, *trail_mt, *path_mt, *field_mt, *walls_mt, *routes_mt,
      *linker_mt, *components_mt;
  int graph_ref, grid_ref, search_ref, trail_ref, path_ref, field_ref, walls_ref, linker_ref, components_ref, routes_ref;
  int costs_ref, compile_ref; /* the function that compiles a profile */
  unsigned classes_taken;     /* a bit a type that is made in Lua */
  bool methods_taken;
  /* Functions that run protected, on a query. */
  int begin_ref, step_ref, whole_ref, answer_ref, explain_ref, field_make_ref, field_relax_ref,
      field_lowest_ref, field_path_ref, clear_ref, clear_points_ref, straighten_ref, map_ref, route_ref, passage_ref, check_ref, routes_make_ref,
      routes_path_ref, nearest_ref, link_ref, points_ref, getfield_ref, encode_ref;
  lwend_searcher searchers[LWEND_DEPTH_MAX];
  int depth; /* protected calls under way, inside each other */
} lwend_state;

#define lwend_state_of(L) ((lwend_state *)lua_touserdata(L, lua_upvalueindex(1)))

/* A graph or a grid. Its anchor is the list of its tags by number, with the map itself at 0. */
typedef struct lwend_map {
  wend_map *map;     /* NULL: it is gone */
  wend_graph *graph; /* one of the two */
  wend_grid *grid;
  const char *noun; /* "graph" or "grid" */
  int searching;    /* locks: calls that run callbacks, and so must find it unchanged */
  bool mapping;     /* grid:map is at work */
} lwend_map;

/* ---- state.c */
/* Where the core's memory comes from: the host's allocator. */
void lwend_open_memory(lua_State *L, lwend_state *state);
/* A userdata of so many bytes with a metatable out of the registry; zeroed, so that it can be collected at any time. */
void *lwend_new(lua_State *L, size_t bytes, int metatable_ref);
/* Pops a table of methods and leaves a metatable for them in the registry: its reference, and in *identity what to
 * know it by. It is locked: scripts see the name of the type, or false, instead. What wend.type calls it is in state.c. */
int lwend_metatable(lua_State *L, const char *name, lwend_state *state, lua_CFunction gc, const void **identity);
/* Adds core.type, core.class and core.methods to the table at the top. */
void lwend_open_types(lua_State *L, lwend_state *state);
/* Tells the collector of what was allocated since. May run finalizers. */
void lwend_gc_step(lua_State *L, lwend_state *state);
int lwend_no_memory(lua_State *L);
/* lua_pcall, counted towards the limit of calls inside each other. Every call of a script's function runs inside one. */
int lwend_protect(lua_State *L, lwend_state *state, int arguments, int results);
/* Raises where one more would be too many. */
void lwend_check_depth(lua_State *L, const lwend_state *state);
/* lwend_protect with the map locked, and with *readers, unless NULL, counted up. An error of the function goes on. */
void lwend_protect_locked(lua_State *L, lwend_state *state, lwend_map *map, int *readers, int arguments, int results);
/* lua_call, inside lwend_protect, of a function of the script that must leave the map as it is. */
void lwend_ask(lua_State *L, const lwend_map *map, int arguments, int results);
/* Pushes value.key; where the value has a metatable, this may run a script. */
void lwend_getfield(lua_State *L, int index, const char *key);
/* Registers functions, with the shared state as their upvalue, in the table at the top. */
void lwend_register(lua_State *L, lwend_state *state, const luaL_Reg *functions);

/* ---- check.c: each raises an error that names the argument, what it wanted and what it got */
/* The value at index, for a message: a number, a quoted string, or the type. Pushes it. */
const char *lwend_describe(lua_State *L, int index);
int lwend_type_error(lua_State *L, int index, const char *what, const char *wanted);
/* The userdata with that metatable at index; NULL: it is something else. Inline: every method begins with it. */
static inline void *lwend_toobject(lua_State *L, int index, const void *metatable) {
  void *object = lua_touserdata(L, index);
  if (object == NULL || !lua_getmetatable(L, index)) return NULL;
  if (lua_topointer(L, -1) != metatable) object = NULL;
  lua_pop(L, 1);
  return object;
}
lwend_map *lwend_tomap(lua_State *L, int index); /* a graph or a grid; NULL: it is neither */
/* The map of a finalizer; raises where a script calls it on something else, or while the map is in use. */
lwend_map *lwend_check_closing(lua_State *L, const void *metatable);
lwend_map *lwend_check_graph(lua_State *L, int index);
lwend_map *lwend_check_grid(lua_State *L, int index);
/* Raises where a map may not be changed now. */
lwend_map *lwend_check_editable(lua_State *L, lwend_map *map);
/* Raises where it is gone. */
lwend_map *lwend_check_alive(lua_State *L, lwend_map *map);
/* The cell at index (its x) and the next; x_name, y_name: of the two. */
wend_id lwend_check_cell(lua_State *L, int index, const lwend_map *g, const char *x_name, const char *y_name);
/* The cell number i, from 1, of the flat list at `list`. */
wend_id lwend_check_listed_cell(lua_State *L, int list, const lwend_map *g, const char *what, size_t i);
/* The length of a flat list; raises where it is none, or not full rows of `width`. */
uint32_t lwend_check_list(lua_State *L, int index, const char *what, size_t width, const char *items);
double lwend_check_finite(lua_State *L, int index, const char *what);
double lwend_check_number(lua_State *L, int index, const char *what, double least, double most);
double lwend_check_coordinate(lua_State *L, int index, const char *what);
/* A position as one value: { x, y[, z] }, or anything with fields x, y[, z]. */
void lwend_check_position(lua_State *L, int index, const char *what, int dimensions, double *point);
/* The same, or two or three numbers from index on. Returns the index after it. */
int lwend_check_point(lua_State *L, int index, int dimensions, double *point);
bool lwend_check_boolean(lua_State *L, int index, const char *what);
/* Whether the value at index is a function, or has one to be called by. May run finalizers. */
bool lwend_is_callable(lua_State *L, int index);
/* Raises where it is neither that nor nil. */
void lwend_check_callable(lua_State *L, int index, const char *what);
/* A node by id or name. */
wend_id lwend_check_node(lua_State *L, int index, const lwend_map *g, const char *what);
/* The same of item i, from 1, of the list at `list`. */
wend_id lwend_check_listed_node(lua_State *L, int list, const lwend_map *g, const char *what, size_t i);
wend_id lwend_check_edge(lua_State *L, int index, const lwend_map *g, const char *what);
/* A tag of the map at map_index, made where it is new; nil: untagged. Part of acting: it allocates nothing in Lua. */
uint32_t lwend_check_tag(lua_State *L, int index, int map_index, const char *what);

/* Reads the options table at index (nil: none) against a NULL-ended list of names; pushes the value of each, nil
 * where it is not given. An unknown key raises. Returns the stack index of the first. */
int lwend_options(lua_State *L, int index, const char *const *names);
/* The name at index, of a NULL-ended list: its place in it. or_else: what else is allowed, for the message. */
int lwend_check_choice(lua_State *L, int index, const char *what, const char *const *names, const char *or_else);

/* ---- graph.c, grid.c */
void lwend_open_graph(lua_State *L, lwend_state *state);
/* "'gate' (1)", or "1". Pushes it. */
const char *lwend_push_node_text(lua_State *L, const lwend_map *g, wend_id node);
void lwend_open_grid(lua_State *L, lwend_state *state);
/* A node as messages call it, or "(3,4)". Pushes it. */
const char *lwend_push_place_text(lua_State *L, const lwend_map *map, wend_id place);
/* Pushes a node's id, or a cell's x and y: how many values. */
int lwend_push_place(lua_State *L, const lwend_map *map, wend_id place);
/* Pushes the name of a tag of the map at map_index, or nil; and of a node, or nil. */
void lwend_push_tag(lua_State *L, int map_index, uint32_t tag);
void lwend_push_name(lua_State *L, const lwend_map *g, wend_id node);
/* Where the middle of a cell of the grid userdata lies. */
void lwend_cell_point(const lwend_map *grid, wend_id cell, double *x, double *y);
/* How wide a cell is in the world. */
double lwend_cell_size(const lwend_map *grid);
/* A point in the world, in cells. */
void lwend_point_in_cells(const lwend_map *grid, const double *point, double *cells);

/* Pushes an object as bytes, a string, above what it needs meanwhile. The map is locked. */
void lwend_push_encoded_graph(lua_State *L, const lwend_map *g);
void lwend_push_encoded_grid(lua_State *L, const lwend_map *g);
/* Pushes what was read from bytes. OK, FORMAT: nothing is pushed. */
wend_status lwend_push_decoded_graph(lua_State *L, const void *bytes, size_t size);
wend_status lwend_push_decoded_grid(lua_State *L, const void *bytes, size_t size);
/* The same of what belongs to a map: the value at o, with the options costs, agent, cost, at_least after it (relax, and
 * whether a table is stale, go by them). Also STALE. Encoded is what lies at 1. */
wend_status lwend_push_encoded_field(lua_State *L);
wend_status lwend_push_encoded_routes(lua_State *L);
wend_status lwend_push_decoded_field(lua_State *L, const void *bytes, size_t size, int o);
wend_status lwend_push_decoded_routes(lua_State *L, const void *bytes, size_t size, int o);
/* Makes the anchor of the map at index, which may be negative. */
void lwend_anchor_map(lua_State *L, int index);
/* Notes down tags of the map at index that its anchor does not hold yet. */
void lwend_note_tags(lua_State *L, int index, const lwend_map *g);
void lwend_open_file(lua_State *L, lwend_state *state);
void lwend_open_unpack(lua_State *L, lwend_state *state);

/* ---- A query: a search as a script asks for it */

/* Where its values lie on the stack of the protected functions that work on it. */
enum {
  LWEND_QUERY = 1,
  LWEND_MAP,
  LWEND_TO, /* a list of goals, nil: query.to */
  LWEND_COSTS,
  LWEND_AGENT,
  LWEND_COST,
  LWEND_HEURISTIC,
  LWEND_INTO,
  LWEND_STATS,
  LWEND_COMPILED, /* the profile, compiled: see lua/wend/costs.lua */
  LWEND_VALUES = LWEND_COMPILED - LWEND_QUERY
};

/* A function of the script that is being called, so that a failure can be told after the stack is gone. */
typedef enum lwend_callee { CALLEE_NONE, CALLEE_TAG, CALLEE_EDGE, CALLEE_COST, CALLEE_HEURISTIC } lwend_callee;

/* So many rules may fail in one query with on_error; one more raises. */
#define LWEND_FAILED_MAX 64

typedef struct lwend_query {
  lua_State *L; /* the thread that runs it */
  lwend_state *state;
  lwend_searcher *searcher;
  lwend_map *g;
  int locks;        /* how many locks of the map its caller holds for it */
  uint64_t version; /* of the map when the arguments were checked */
  wend_search_opts opts;
  wend_status status;
  wend_id from, to; /* to: WEND_NO_ID where there is a list of goals */
  bool begun, running, partial_path;
  bool reading; /* the subject counts it as a reader, or is busy with it */
  bool straight; /* the path is a straightened one */
  double at_least; /* of the callback for this one call */
  uint64_t slice;  /* how many nodes to expand */
  void *subject;   /* what else it is about: a field */

  lwend_callee callee;
  uint32_t callee_tag; /* whose rules they are */
  int callee_at;       /* where the rule begins in the list of rules */
  uint64_t failed[LWEND_FAILED_MAX];
  int failed_count;

  int rule_count;               /* of edge rules, when costs were worked out */
  int tag_names, tags_on_stack; /* the list of them, and how many of them lie above it on the stack */
  int rules, functions;         /* the list of edge rules, their functions on the stack */
} lwend_query;

/* ---- costs.c */
/* Adds core.costs_class to the table at the top. */
void lwend_open_costs(lua_State *L, lwend_state *state);
bool lwend_is_costs(lua_State *L, const lwend_state *state, int index);
/* Checks the option costs at index, which may be nil, and pushes it compiled; nil: there is none. */
void lwend_costs_push_compiled(lua_State *L, const lwend_state *state, int index);
/* Whether the profile at `costs`, or nil, still compiles to what is at `compiled`. Allocates nothing. */
bool lwend_costs_are_current(lua_State *L, int costs, int compiled);
/* Pushes the on_error of the profile at index, or of one it inherits from; nil: there is none. */
void lwend_costs_push_on_error(lua_State *L, int index);
/* Asks the profile what it makes of each tag, and fills in opts.costs. */
void lwend_costs_resolve(lua_State *L, lwend_query *query);
/* Pushes what lwend_costs_ask needs; stays there while the search runs. */
void lwend_costs_push(lua_State *L, lwend_query *query);
double lwend_costs_ask(void *query, const wend_step *step);
/* Pushes what becomes of a step's weight (with step->cost still to be worked out), as path:explain gives it. */
void lwend_costs_explain(lua_State *L, lwend_query *query, wend_step *step, double weight);
/* After a failure: pushes the callee as messages call it, and the name of its rule where on_error may leave it out;
 * returns the rule's number, 0: it is none. The stack is the caller's, with the compiled profile at index. */
uint64_t lwend_costs_callee(lua_State *L, const lwend_query *query, int map, int compiled);

/* ---- query.c */
void lwend_open_query(lua_State *L, lwend_state *state);
void lwend_searcher_free(lwend_searcher *searcher, const wend_alloc *alloc);
/* Starts a query on a map, with a searcher that no query around it uses. */
void lwend_query_start(lua_State *L, lwend_query *query, lwend_state *state, lwend_map *g);
/* Checks the profile and the callback of a query at `costs` and `cost`, pushes its values and returns where they lie.
 * Indices of 0 stand for nil. */
int lwend_query_values(lua_State *L, lwend_query *query, int map, int to, int costs, int agent, int cost, int at_least,
                       int heuristic, int into, int stats);
void lwend_check_budget(lua_State *L, lwend_query *query, int max_expanded, int max_cost);
/* A seed: any finite number. */
uint64_t lwend_check_seed(lua_State *L, int index);
/* The options that all searches have, and their names in that order. Checks them from o on; `into` and `stats` too. */
#define LWEND_SEARCH_OPTIONS                                                                                      \
  "costs", "agent", "cost", "at_least", "algorithm", "heuristic", "max_expanded", "max_cost", "partial", "variation", \
      "seed", "into", "stats"
#define LWEND_SEARCH_SEED 10 /* where among them it is */
void lwend_check_search_options(lua_State *L, lwend_query *query, int o);
/* lwend_query_values of them. */
int lwend_search_values(lua_State *L, lwend_query *query, int to, int o);
/* Pushes a list of a query's values, to be kept for later; or puts them into the one at the top, without allocating. */
void lwend_push_values(lua_State *L, int values);
void lwend_set_values(lua_State *L, int values);
/* What every query does first, protected: it works out costs. False: on_error has edited the map, and the query is
 * stale. */
bool lwend_query_ready(lua_State *L, lwend_query *query);
/* What is undone where a search fails. */
void lwend_forget_search(lwend_query *query);
void lwend_check_table(lua_State *L, int index, const char *what);
/* Calls a protected function on a query whose values lie at `values`; returns how many results are on the stack. Where it
 * raises, `undo` is called first, and the error goes on, or, where on_error takes it, all begins again. */
int lwend_call(lua_State *L, lwend_query *query, int function_ref, int values, void (*undo)(lwend_query *));
lwend_query *lwend_to_query(lua_State *L);
/* Checks the list of goals at index, which messages call `what`, and that query->to stands for none: how many. */
uint32_t lwend_check_goals(lua_State *L, lwend_query *query, int index, const char *what);
/* The goals, at LWEND_TO or query->to, into the searcher's list: how many. */
uint32_t lwend_read_goals(lua_State *L, lwend_query *query);
/* Pushes the option at index, or, where that is nil, the field of the path that says how it was found. */
void lwend_push_or_field(lua_State *L, int index, int path, const char *field);
/* The cell number i, from 0, of the path at index; raises where it holds none. */
wend_id lwend_path_cell(lua_State *L, int index, const lwend_map *g, int i);
void lwend_set_stats(lua_State *L, const wend_stats *stats);
int lwend_protected(lua_State *L, lwend_state *state, lua_CFunction function);
/* Adds methods to those of a metatable in the registry. */
void lwend_add_methods(lua_State *L, lwend_state *state, int metatable_ref, const luaL_Reg *methods);
/* Pushes nil, a message and a code. */
int lwend_push_failure(lua_State *L, const lwend_query *query);
/* The same of a query that is stale. */
int lwend_push_stale(lua_State *L, lwend_query *query);

/* ---- field.c, line.c */
void lwend_open_field(lua_State *L, lwend_state *state);
bool lwend_is_field(lua_State *L, int index);
/* A field of the graph, toward its goals or from them. */
struct lwend_field *lwend_check_reach(lua_State *L, int index, const lwend_map *g, bool outward, const char *what);
/* Whether it reaches a node; NULL: there is no such condition. */
bool lwend_reaches(const struct lwend_field *field, wend_id node);
/* How many read a field, or a route table, while scripts may run: it cannot be changed meanwhile. */
int *lwend_field_readers(struct lwend_field *field);
/* The same of the one at index, and its map; raises where it cannot be used. */
lwend_map *lwend_check_field_readers(lua_State *L, int index, int **readers);
lwend_map *lwend_check_routes_readers(lua_State *L, int index, int **readers);
void lwend_open_line(lua_State *L, lwend_state *state);

/* ---- walls.c, clear.c, nearest.c, route.c */
void lwend_open_walls(lua_State *L, lwend_state *state);
/* The walls at index; NULL: it is something else. */
wend_walls *lwend_towalls(lua_State *L, int index);
/* Raises where the option at index, which may be nil, cannot be asked whether a line is free. May run scripts. */
void lwend_check_clear(lua_State *L, int index);
/* Asks it, on behalf of a map, inside lwend_protect. Where there are three dimensions, functions and methods are handed
 * z too. */
bool lwend_is_clear(lua_State *L, const lwend_map *map, int index, const double *a, const double *b, int dimensions);
void lwend_open_nearest(lua_State *L, lwend_state *state);
void lwend_open_route(lua_State *L, lwend_state *state);
void lwend_open_link(lua_State *L, lwend_state *state);
void lwend_open_components(lua_State *L, lwend_state *state);
void lwend_open_routes(lua_State *L, lwend_state *state);

/* ---- path.c */
void lwend_open_path(lua_State *L, lwend_state *state);
/* Points that may be moved, each within its own reach. */
typedef struct lwend_spot {
  double point[3], reach;
  wend_id id;  /* that its move depends on */
  double wide; /* at most so far along each axis */
} lwend_spot;
/* Moves them, by a seed; where the value at `clear` is not nil, such that legs that are free stay free. */
void lwend_move_spots(lua_State *L, const lwend_map *map, lwend_spot *spots, uint32_t count, int dimensions, uint64_t seed,
                      int clear);
/* How far a node may be moved. */
double lwend_node_reach(const wend_graph *graph, wend_id node, double jitter);
/* Makes the table at index a list of their coordinates, which had `old` of them. */
void lwend_set_spots(lua_State *L, int index, const lwend_spot *spots, uint32_t count, int dimensions, int old);
/* Makes the table at LWEND_INTO, or a new one, the path that was found. Pushes it. */
void lwend_push_path(lua_State *L, const lwend_query *query);
/* The same of so many places. */
void lwend_push_path_of(lua_State *L, const lwend_query *query, const wend_id *nodes, const wend_id *edges, uint32_t count,
                        double cost);
/* Empties the table at index, where it is one. */
void lwend_empty_path(lua_State *L, int index);
/* Pops a value and makes it a field of the table at index, without metamethods. */
void lwend_setraw(lua_State *L, int index, const char *key);
bool lwend_are_neighbours(const wend_grid *grid, wend_id a, wend_id b);
/* What a path leads along. A script cannot reach it; what it holds may belong to another path than the list of nodes
 * that it was found with, and nodes and edges may have been removed since. */
typedef struct lwend_trail lwend_trail;
/* Pushes the trail of the path at index; raises where the argument is no path. */
lwend_trail *lwend_push_trail(lua_State *L, int index);
/* The map that the value at index, if it is a path, says it is of; NULL: none. */
lwend_map *lwend_path_map(lua_State *L, int index);
/* Its map; raises where that is gone. Pushes nothing: lwend_push_trail_map does. */
lwend_map *lwend_trail_map(lua_State *L, const lwend_trail *trail);
/* Pushes the map of the trail at index. */
void lwend_push_trail_map(lua_State *L, int index);
/* Whether it was straightened. */
bool lwend_is_straight(const lwend_trail *trail);
/* Pushes a copy of its edges that no callback can change, and returns it. */
const wend_id *lwend_push_trail_edges(lua_State *L, const lwend_trail *trail, uint32_t *count);

#endif
