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
 * A request (lwend_request) holds what a query asks for. Each option of a query is one line of the list in request.c.
 *
 * The files stand in this order: each uses only what is above it here. What all types stand on is in the folder base. Each
 * type that scripts see has one file, which ends with the table of its methods; a method may be a function of a file above
 * it, declared here.
 *
 *   compat.h       the differences between the versions of Lua
 *   base/state.c   memory, calls into Lua, the state that all functions share
 *   base/check.c   arguments: one place for their messages
 *   base/types.c   metatables, and what wend.type calls them
 *   base/map.c     ids, names and tags of graphs and grids, and where cells lie
 *   base/clear.c   the option `clear`, and walls as an option
 *   base/costs.c   wend.Costs: from a cost profile (lua/wend/costs.lua) to what the core understands, and back into its callbacks
 *   base/request.c the list of query options, and how a request is read
 *   base/call.c    runs a request inside a protected call; failures
 *   base/trail.c   makes paths; what a path knows of its map
 *   explain.c      path:explain
 *   path.c         wend.Path
 *   search.c       map:path, map:search; wend.Search
 *   field.c        map:field; wend.Field
 *   route_table.c  graph:routes; wend.Routes
 *   walls.c        wend.Walls
 *   line.c         grid:clear, grid:clear_points, grid:straighten
 *   nearest.c      graph:nearest, graph:nearest_edge
 *   route.c        graph:route
 *   link.c         graph:link
 *   components.c   graph:check, grid:check
 *   graph.c        wend.Graph
 *   grid.c         wend.Grid
 *   decode.c       wend.decode
 *   unpack.c       gzip data, for lua/wend/import/read.lua
 *   module.c       opening */
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

/* A search of the core, and the arrays and objects that queries at one depth use again and again. */
typedef struct lwend_searcher {
  wend_search *search;
  wend_finder *finder;
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
  const void *graph_mt, *grid_mt, *search_mt, *costs_mt, *trail_mt, *path_mt, *field_mt, *walls_mt, *route_table_mt, *linker_mt,
      *components_mt;
  int graph_ref, grid_ref, search_ref, trail_ref, path_ref, field_ref, walls_ref, linker_ref, components_ref, route_table_ref;
  int costs_ref, compile_ref; /* the function that compiles a profile */
  unsigned classes_taken;     /* a bit a type that is made in Lua */
  bool methods_taken;
  /* Functions that run protected. */
  int begin_ref, step_ref, whole_ref, answer_ref, explain_ref, field_make_ref, field_relax_ref, field_lowest_ref,
      field_path_ref, clear_ref, clear_points_ref, straighten_ref, map_ref, route_ref, passage_ref, check_ref,
      route_table_make_ref, route_table_path_ref, nearest_ref, link_ref, points_ref, getfield_ref, graph_encode_ref,
      grid_encode_ref, field_encode_ref, route_table_encode_ref;
  lwend_searcher searchers[LWEND_DEPTH_MAX];
  int depth; /* protected calls under way, inside each other */
} lwend_state;

#define lwend_state_of(L) ((lwend_state *)lua_touserdata(L, lua_upvalueindex(1)))

/* A graph or a grid. Its anchor is the list of its tags by number, with the map itself at 0. */
typedef struct lwend_map {
  wend_map *map;     /* NULL: it is gone */
  wend_graph *graph; /* one of the two */
  wend_grid *grid;
  const char *noun;       /* "graph" or "grid" */
  int searching;          /* locks: calls that run callbacks, and so must find it unchanged */
  bool mapping;           /* grid:map is at work */
  double cell, left, top; /* of a grid: the size of a cell, and where the first one begins */
} lwend_map;

/* ---- state.c */
/* Where the core's memory comes from: the host's allocator. */
void lwend_open_memory(lua_State *L, lwend_state *state);
/* A userdata of so many bytes with a metatable out of the registry; zeroed, so that it can be collected at any time. */
void *lwend_new(lua_State *L, size_t bytes, int metatable_ref);
/* Tells the collector of what was allocated since. May run finalizers. */
void lwend_gc_step(lua_State *L, lwend_state *state);
int lwend_no_memory(lua_State *L);
/* Raises if an edit of a map ran out of memory; otherwise tells the collector what it allocated. */
void lwend_check_edited(lua_State *L, wend_status status);
void lwend_searcher_free(lwend_searcher *searcher, const wend_alloc *alloc);
/* Makes the search of the searcher, where it has none. */
void lwend_searcher_ready(lua_State *L, const lwend_state *state, lwend_searcher *searcher);
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
/* The reference of a function that is to be called protected, with the shared state as its upvalue. */
int lwend_protected(lua_State *L, lwend_state *state, lua_CFunction function);
/* Calls the protected function that encodes the object at 1, with its map locked and *readers, unless NULL, counted up; how
 * many results are on the stack. A finalizer cannot change it between measuring and writing. */
int lwend_encode(lua_State *L, lwend_state *state, int function_ref, lwend_map *map, int *readers);
/* Makes room for `wanted` items in *array; raises where there is no memory. */
void lwend_grow(lua_State *L, lwend_state *state, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes);
#define LWEND_GROW(L, state, array, capacity, wanted) lwend_grow(L, state, &(array), &(capacity), wanted, sizeof *(array))

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
/* The cell number i, from 1, of the flat list at `list`; WEND_NO_ID: there is none. */
wend_id lwend_listed_cell(lua_State *L, int list, const lwend_map *g, size_t i);
/* The same; raises where there is none. */
wend_id lwend_check_listed_cell(lua_State *L, int list, const lwend_map *g, const char *what, size_t i);
/* The length of a flat list; raises where it is none, or not full rows of `width`. */
uint32_t lwend_check_list(lua_State *L, int index, const char *what, size_t width, const char *items);
/* Raises where the option at index is neither nil nor a table. */
void lwend_check_table(lua_State *L, int index, const char *what);
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
wend_id lwend_check_edge(lua_State *L, int index, const lwend_map *g, const char *what);
/* A tag of the map at map_index, made where it is new; nil: untagged. Part of acting: it allocates nothing in Lua. */
uint32_t lwend_check_tag(lua_State *L, int index, int map_index, const char *what);

/* Raises, with the list of the names that are known. */
int lwend_unknown_option(lua_State *L, int key, const char *const *names);
/* Reads the options table at index (nil: none) of a call that is no query against a NULL-ended list of names; pushes the value of each, nil
 * where it is not given. An unknown key raises. Returns the stack index of the first. */
int lwend_options(lua_State *L, int index, const char *const *names);
/* The name at index, of a NULL-ended list: its place in it. or_else: what else is allowed, for the message. */
int lwend_check_choice(lua_State *L, int index, const char *what, const char *const *names, const char *or_else);

/* ---- types.c */
/* Pops a table of methods and leaves a metatable for them in the registry: its reference, and in *identity what to
 * know it by. It is locked: scripts see the name of the type, or false, instead. What wend.type calls it is in types.c. */
int lwend_metatable(lua_State *L, const char *name, lwend_state *state, lua_CFunction gc, const void **identity);
/* The same of a type that scripts see: with methods, and __tostring where it is not NULL. */
int lwend_type(lua_State *L, const char *name, lwend_state *state, const luaL_Reg *methods, lua_CFunction gc,
               lua_CFunction tostring, const void **identity);

/* ---- map.c: what graphs and grids have in common. An id is that of a node of a graph or of a cell of a grid */
/* "'gate' (1)", or "1". Pushes it. */
const char *lwend_push_node_text(lua_State *L, const lwend_map *g, wend_id node);
/* A node as messages call it, or "(3,4)". Pushes it. */
const char *lwend_push_id_text(lua_State *L, const lwend_map *g, wend_id id);
/* Pushes a node's id, or a cell's x and y: how many values. */
int lwend_push_id(lua_State *L, const lwend_map *g, wend_id id);
/* The node that is item i, from 1, of the list at `list`. */
wend_id lwend_check_listed_node(lua_State *L, int list, const lwend_map *g, const char *what, size_t i);
/* Pushes the name of a tag of the map at map_index, or nil; and of a node, or nil. */
void lwend_push_tag(lua_State *L, int map_index, uint32_t tag);
void lwend_push_name(lua_State *L, const lwend_map *g, wend_id node);
/* Makes the anchor of the map at index, which may be negative. */
void lwend_anchor_map(lua_State *L, int index);
/* Notes down tags of the map at index that its anchor does not hold yet. */
void lwend_note_tags(lua_State *L, int index, const lwend_map *g);
/* Where the middle of a cell lies in the world. */
void lwend_cell_point(const lwend_map *grid, wend_id cell, double *x, double *y);
/* A point in the world, in cells. */
void lwend_point_in_cells(const lwend_map *grid, const double *point, double *cells);

/* ---- clear.c */
/* The walls at index; NULL: it is something else. */
wend_walls *lwend_towalls(lua_State *L, int index);
/* Raises where the option at index, which may be nil, cannot be asked whether a line is free. May run scripts. */
void lwend_check_clear(lua_State *L, int index);
/* Asks it, on behalf of a map, inside lwend_protect. Where there are three dimensions, functions and methods are handed
 * z too. */
bool lwend_is_clear(lua_State *L, const lwend_map *map, int index, const double *a, const double *b, int dimensions);
/* The same as a callback of the core. */
typedef struct lwend_clear {
  lua_State *L;
  const lwend_map *map;
  int index; /* of the option, which is not nil */
  int dimensions;
} lwend_clear;
bool lwend_ask_clear(void *clear, const double *a, const double *b);

/* ---- Requests: what a script asks of a map */

/* The Lua values of a request lie in one block of the stack, its frame; each slot has one meaning. A protected function
 * gets copies of those up to LWEND_LAST, at these very indices; the frame of its caller has them at request->frame + slot.
 * What is not given is nil. */
enum {
  LWEND_REQUEST = 1, /* the request, a light userdata; not in frames */
  LWEND_MAP,         /* the graph or grid */
  LWEND_COSTS,       /* the options of these names */
  LWEND_AGENT,
  LWEND_COST,
  LWEND_AT_LEAST,
  LWEND_COMPILED,   /* the cost profile, compiled: see costs.c */
  LWEND_GOALS,      /* a list of goals; nil: request->to */
  LWEND_HEURISTIC,  /* a function */
  LWEND_INTO,       /* the table that becomes the result */
  LWEND_STATS,      /* the table that gets the statistics */
  LWEND_VALUES,     /* the goals' start values */
  LWEND_CLEAR,      /* what says whether a line is free */
  LWEND_GIVEN_PATH, /* the path that is straightened or explained */
  LWEND_ALLOW,      /* a list of tags */
  LWEND_PROGRESS,   /* a function */
  LWEND_LAST = LWEND_PROGRESS,
  LWEND_CAN_REACH, /* nodes or a field */
  LWEND_REACHABLE_FROM,
  LWEND_FIELD, /* the field that is made anew */
  LWEND_FRAME_END
};

/* The calls that take options of the list in request.c: a bit each. */
enum {
  LWEND_FOR_PATH = 1 << 0, /* map:path, map:search */
  LWEND_FOR_ROUTE = 1 << 1,
  LWEND_FOR_FIELD = 1 << 2,
  LWEND_FOR_COSTS = 1 << 3, /* path:explain, grid:clear, grid:clear_points */
  LWEND_FOR_STRAIGHTEN = 1 << 4,
  LWEND_FOR_NEAREST = 1 << 5,
  LWEND_FOR_NEAREST_EDGE = 1 << 6,
  LWEND_FOR_CHECK = 1 << 7,
  LWEND_FOR_ROUTES = 1 << 8,
  LWEND_FOR_ROUTES_PATH = 1 << 9,
  LWEND_FOR_POINTS = 1 << 10,
  LWEND_FOR_DECODE = 1 << 11
};

/* A function of the script that is being called, so that a failure can be told after the stack is gone. */
typedef enum lwend_callee { CALLEE_NONE, CALLEE_TAG, CALLEE_EDGE, CALLEE_COST, CALLEE_HEURISTIC } lwend_callee;

/* So many rules may fail in one request with on_error; one more raises. */
#define LWEND_FAILED_MAX 64

typedef struct lwend_request {
  /* Who runs it, and on what. */
  lua_State *L; /* the thread that runs it */
  lwend_state *state;
  lwend_searcher *searcher;
  lwend_map *g;     /* NULL: it is about no map */
  uint64_t version; /* of the map when the arguments were checked */
  int locks;        /* how many locks of the map its caller holds for it */
  int frame;        /* slot s of its Lua values lies at frame + s */
  int last;         /* the last slot that was given, at least LWEND_COMPILED */

  /* What is asked for. Options fill in some of it. */
  wend_id from, to;        /* to: WEND_NO_ID where there is a list of goals */
  double start[3], end[3]; /* points, in place of the two */
  wend_search_opts search;
  bool dijkstra;        /* search.heuristic is to be WEND_ZERO */
  bool seeded;          /* search.seed was given */
  const char *unseeded; /* the message where it was not, although another option needs it */
  double at_least;      /* the promise of the callback for this one call */
  double max_distance, jitter;
  uint32_t k, window;
  bool listed; /* k was given */
  bool by_edge, outward;
  uint64_t slice; /* how many nodes to expand */
  void *subject;  /* the object that it makes, changes or reads */

  /* How far it has come. */
  wend_status status;
  bool begun, running, partial_path;
  bool reading;  /* the subject counts it as a reader, or is busy with it */
  bool straight; /* the path is a straightened one */

  lwend_callee callee;
  uint32_t callee_tag; /* whose rules they are */
  int callee_at;       /* where the rule begins in the list of rules */
  int failed_count;

  int rule_count;               /* of edge rules, when costs were worked out */
  int tag_names, tags_on_stack; /* the list of them, and how many of them lie above it on the stack */
  int rules, functions;         /* the list of edge rules, their functions on the stack */

  uint64_t failed[LWEND_FAILED_MAX]; /* the rules that failed: the last member, which is not zeroed */
} lwend_request;

/* ---- costs.c */
bool lwend_is_costs(lua_State *L, const lwend_state *state, int index);
/* Checks the option costs at index, which may be nil, and pushes it compiled; nil: there is none. */
void lwend_costs_push_compiled(lua_State *L, const lwend_state *state, int index);
/* Whether the profile at `costs`, or nil, still compiles to what is at `compiled`. Allocates nothing. */
bool lwend_costs_are_current(lua_State *L, int costs, int compiled);
/* Pushes the on_error of the profile at index, or of one it inherits from; nil: there is none. */
void lwend_costs_push_on_error(lua_State *L, int index);
/* Asks the profile what it makes of each tag, and fills in search.costs. */
void lwend_costs_resolve(lua_State *L, lwend_request *request);
/* Pushes what lwend_costs_ask needs; stays there while the search runs. */
void lwend_costs_push(lua_State *L, lwend_request *request);
double lwend_costs_ask(void *request, const wend_step *step);
/* Pushes what becomes of a step's weight (with step->cost still to be worked out), as path:explain gives it. */
void lwend_costs_explain(lua_State *L, lwend_request *request, wend_step *step, double weight);
/* After a failure: pushes the callee as messages call it, and the name of its rule where on_error may leave it out;
 * returns the rule's number, 0: it is none. The stack is the caller's, with the compiled profile at index. */
uint64_t lwend_costs_callee(lua_State *L, const lwend_request *request, int map, int compiled);

/* ---- request.c */
/* Starts a request that is about no map yet, with an empty frame at the top of the stack. */
void lwend_request_init(lua_State *L, lwend_request *request, lwend_state *state);
/* Makes it about the map at index, with a searcher that no request around it uses. Raises where the map is gone. */
void lwend_request_set_map(lua_State *L, lwend_request *request, lwend_map *g, int index);
/* Both. */
void lwend_request_start(lua_State *L, lwend_request *request, lwend_state *state, lwend_map *g, int index);
/* Starts a request about a map with the slots LWEND_MAP .. last of the list that is the anchor of the object at index. */
void lwend_request_resume(lua_State *L, lwend_request *request, lwend_state *state, lwend_map *g, int index, int last);
/* Puts the value at index, which may be nil, into a slot. */
void lwend_request_set(lua_State *L, lwend_request *request, int slot, int index);
/* Reads the options table at index (nil: none) of a call. An unknown key raises. */
void lwend_read_options(lua_State *L, lwend_request *request, int index, unsigned call);
/* Checks the callback and its promise, and compiles the profile, of the frame. Follows lwend_read_options. */
void lwend_check_costs(lua_State *L, lwend_request *request);
/* Uses what a path says of how it was found for options that are not given: the path at index. */
void lwend_request_inherit(lua_State *L, lwend_request *request, int path);
/* Puts the slots LWEND_MAP .. last into the list at the top of the stack. Allocates nothing where it has room. */
void lwend_save_slots(lua_State *L, const lwend_request *request, int last);
/* Pushes a frame with the slots LWEND_MAP .. last from the list that is the anchor of the object at index: its place, which
 * becomes request->frame when the request runs. */
int lwend_push_frame(lua_State *L, int index, int last);
/* Checks the list of goals at index, which messages call `what`, and that request->to stands for none: how many. */
uint32_t lwend_check_goals(lua_State *L, lwend_request *request, int index, const char *what);
/* Raises where a goal (request->to, or in the list at index) has no position. */
void lwend_check_positions(lua_State *L, const lwend_request *request, int index);
/* The goals, at LWEND_GOALS or request->to, into the searcher's list: how many. Runs protected. */
uint32_t lwend_read_goals(lua_State *L, lwend_request *request);

/* ---- call.c */
/* Calls a protected function on a request; returns how many results are on the stack. Where it raises, `undo` is called
 * first, and the error goes on, or, where on_error takes it, all begins again. */
int lwend_call(lua_State *L, lwend_request *request, int function_ref, void (*undo)(lwend_request *));
/* The request of a protected function. */
lwend_request *lwend_to_request(lua_State *L);
/* What every protected function does first: it works out costs. False: on_error has edited the map, and the request is
 * stale. */
bool lwend_request_ready(lua_State *L, lwend_request *request);
/* Fills in the table at LWEND_STATS. */
void lwend_set_stats(lua_State *L, const wend_stats *stats);
/* What is undone where a search fails; and where nothing is to be undone. */
void lwend_forget_search(lwend_request *request);
void lwend_undo_nothing(lwend_request *request);
/* Pushes nil, a message and a code. */
int lwend_push_failure(lua_State *L, const lwend_request *request);
/* The same of a request that is stale. */
int lwend_push_stale(lua_State *L, lwend_request *request);
/* Pushes nil, a message and the code of a status. */
int lwend_push_failed(lua_State *L, const char *message, wend_status status);

/* ---- trail.c */
/* What a path leads along. A script cannot reach it; what it holds may belong to another path than the list of nodes
 * that it was found with, and nodes and edges may have been removed since. */
typedef struct lwend_trail {
  lwend_map *map;
  wend_path_age age;
  uint32_t count, capacity;
  wend_id edges[1];
} lwend_trail;
void lwend_open_trail(lua_State *L, lwend_state *state);
/* Pushes the trail of the path at index; raises where the argument is no path. */
lwend_trail *lwend_push_trail(lua_State *L, int index);
/* Raises where the value at index is no table. */
void lwend_check_path(lua_State *L, int index);
/* The map that the value at index, if it is a path, says it is of; NULL: none. */
lwend_map *lwend_path_map(lua_State *L, int index);
/* The map of a trail; raises where that is gone. Pushes nothing: lwend_push_trail_map does. */
lwend_map *lwend_trail_map(lua_State *L, const lwend_trail *trail);
/* Pushes the map of the trail at index. */
void lwend_push_trail_map(lua_State *L, int index);
/* Pushes a copy of its edges that no callback can change, and returns it. */
const wend_id *lwend_push_trail_edges(lua_State *L, const lwend_trail *trail, uint32_t *count);
/* The cell number i, from 0, of the path at index; raises where it holds none. */
wend_id lwend_path_cell(lua_State *L, int index, const lwend_map *g, int i);
/* Makes the table at LWEND_INTO, or a new one, the path that was found. Pushes it. */
void lwend_push_path(lua_State *L, const lwend_request *request);
/* The same of so many nodes or cells. */
void lwend_push_path_of(lua_State *L, const lwend_request *request, const wend_id *nodes, const wend_id *edges, uint32_t count,
                        double cost);
/* Empties the table at index, where it is one. */
void lwend_empty_path(lua_State *L, int index);
/* Pops a value and makes it a field of the table at index, without metamethods. */
void lwend_setraw(lua_State *L, int index, const char *key);
/* Makes the table at index a list of coordinates, which had `old` of them. */
void lwend_set_points(lua_State *L, int index, const wend_waypoint *waypoints, uint32_t count, int dimensions, int old);

/* ---- Types: each of these files makes a metatable, and the functions that it runs protected */
void lwend_open_costs(lua_State *L, lwend_state *state);
void lwend_open_path(lua_State *L, lwend_state *state);
void lwend_open_search(lua_State *L, lwend_state *state);
void lwend_open_field(lua_State *L, lwend_state *state);
void lwend_open_route_table(lua_State *L, lwend_state *state);
void lwend_open_walls(lua_State *L, lwend_state *state);
void lwend_open_graph(lua_State *L, lwend_state *state);
void lwend_open_grid(lua_State *L, lwend_state *state);
/* These make the functions only, or types that scripts do not see. */
void lwend_open_explain(lua_State *L, lwend_state *state);
void lwend_open_line(lua_State *L, lwend_state *state);
void lwend_open_nearest(lua_State *L, lwend_state *state);
void lwend_open_route(lua_State *L, lwend_state *state);
void lwend_open_link(lua_State *L, lwend_state *state);
void lwend_open_components(lua_State *L, lwend_state *state);

/* ---- Methods that are not in the file of their type */
int lwend_path_explain(lua_State *L); /* explain.c */
int lwend_graph_path(lua_State *L);   /* search.c */
int lwend_grid_path(lua_State *L);
int lwend_graph_search(lua_State *L);
int lwend_grid_search(lua_State *L);
int lwend_graph_field(lua_State *L); /* field.c */
int lwend_grid_field(lua_State *L);
int lwend_graph_routes(lua_State *L); /* route_table.c */
int lwend_grid_clear(lua_State *L);   /* line.c */
int lwend_grid_clear_points(lua_State *L);
int lwend_grid_straighten(lua_State *L);
int lwend_graph_nearest(lua_State *L); /* nearest.c */
int lwend_graph_nearest_edge(lua_State *L);
int lwend_graph_route(lua_State *L); /* route.c */
int lwend_graph_link(lua_State *L);  /* link.c */
int lwend_graph_check(lua_State *L); /* components.c */
int lwend_grid_check(lua_State *L);

/* ---- Functions of the module */
int lwend_core_type(lua_State *L); /* types.c */
int lwend_core_class(lua_State *L);
int lwend_core_methods(lua_State *L);
int lwend_core_costs_class(lua_State *L); /* costs.c */
int lwend_core_watch(lua_State *L);       /* search.c */
int lwend_core_label(lua_State *L);
int lwend_core_walls(lua_State *L); /* walls.c */
int lwend_core_graph(lua_State *L); /* graph.c */
int lwend_core_grid(lua_State *L);  /* grid.c */
int lwend_core_parse_grid(lua_State *L);
int lwend_core_decode(lua_State *L); /* decode.c */
int lwend_core_unpack(lua_State *L); /* unpack.c */

/* ---- field.c */
bool lwend_is_field(lua_State *L, int index);
/* A field of the graph, toward its goals or from them. */
struct lwend_field *lwend_check_reach(lua_State *L, int index, const lwend_map *g, bool outward, const char *what);
/* The core's part of a field. */
const wend_field *lwend_field_of(const struct lwend_field *field);
/* How many read a field while scripts may run: it cannot be changed meanwhile. */
int *lwend_field_readers(struct lwend_field *field);

/* ---- Decoding. Pushes what was read from bytes. OK, FORMAT: nothing is pushed. */
wend_status lwend_push_decoded_graph(lua_State *L, const void *bytes, size_t size);
wend_status lwend_push_decoded_grid(lua_State *L, const void *bytes, size_t size);
/* The same of what belongs to the map of a request; its costs are those that relax, and whether a table is stale, go by.
 * Also STALE. */
wend_status lwend_push_decoded_field(lua_State *L, lwend_request *request, const void *bytes, size_t size);
wend_status lwend_push_decoded_route_table(lua_State *L, lwend_request *request, const void *bytes, size_t size);

#endif
