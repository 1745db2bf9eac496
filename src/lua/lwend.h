/* SPDX-License-Identifier: MIT */
/* The binding. It reads and checks arguments, calls the core and pushes results. It contains no algorithms: those are
 * in src/core.
 *
 * A script may misuse every function here and must not crash the host. Scripts run in more places than one expects: in
 * metamethods of values that are read, in callbacks, and in finalizers. Every allocation of Lua memory may run a
 * finalizer. A script can edit, search, free and refill every object that it can reach. Therefore four rules hold.
 *
 *   1. Read, check, act. A function first reads its arguments, which may run scripts. Then it checks them. Then it acts.
 *      Between a check and the last use of the checked value, nothing allocates Lua memory and nothing calls Lua. Where
 *      this is impossible, the check is repeated. lua_pushnumber, lua_pushvalue, lua_rawgeti, lua_next and
 *      lua_touserdata allocate nothing. Pushing a string, a table, a closure or a userdata allocates.
 *   2. Callbacks run inside lwend_call or lwend_protect. The map is locked meanwhile: editing it raises, and freeing it
 *      raises. lwend_ask compares the version of the map before and after each call. There is one exception: `on_error`
 *      may edit the map in the middle of a query. The query then starts again, finds another version, and is stale.
 *   3. An object that is being made or read while callbacks run is marked (`busy`, `readers`) and refuses changes.
 *   4. `__gc` leaves a closed object behind. All methods refuse it. Data in the core's memory is copied before anything
 *      is pushed (lwend_push_name, lwend_push_tag).
 *
 * For example, add_polygon reads a list: it allocates a userdata for the numbers, which may run a finalizer, which may
 * free the walls. So it checks the walls once more when all numbers are read, and only then adds the polygon.
 *
 * A request (lwend_request) holds everything that a query asks for. Each option of a query is one line in the list of
 * request.c.
 *
 * The files are listed in order: each uses only files above it. The folder base holds the common parts, the folder
 * query what searches or needs costs. Each type that scripts see has one file, which ends with the table of its methods. A method may be defined in a file above it; it is
 * then declared here.
 *
 * "Raises" in a comment means: raises a Lua error, and does not return. Such functions take a lua_State.
 *
 *   compat.h       the differences between the versions of Lua
 *   base/memory.c  the allocator of the core, and the debt to the collector
 *   base/state.c   calls into Lua, the state that all functions share
 *   base/check.c   checks of arguments, and their messages
 *   base/types.c   metatables, and wend.type
 *   base/utf8.c    characters of grids
 *   base/map.c     ids, names and tags of graphs and grids; positions of cells
 *   base/clear.c   the option `clear`, and walls as an option
 *   base/meter.c   what functions use: time (costs.timing) and instructions (costs.max_instructions)
 *   base/costs.c   wend.Costs: turns a cost profile (lua/wend/costs.lua) into costs of the core, and runs its callbacks
 *   base/request.c the list of query options, and how a request is read
 *   base/call.c    runs a request inside a protected call; failures
 *   base/snapshot.c copies of maps for searches
 *   base/trail.c   makes paths, and the trail: a path's link to its map
 *   query/explain.c     path:explain, map:explain
 *   query/resolve.c     costs:resolve
 *   query/search.c      map:path, map:search; wend.Search
 *   query/field.c       map:field; wend.Field
 *   query/route_table.c graph:routes; wend.Routes
 *   query/line.c        grid:clear, grid:clear_points, grid:straighten
 *   query/nearest.c     graph:nearest, graph:nearest_edge
 *   query/choice.c      grid:nearest, map:random
 *   query/route.c       graph:route, grid:route
 *   query/link.c        graph:link
 *   query/spacing.c     the options walls, too_close and too_far of graph:check
 *   query/components.c  graph:check, grid:check
 *   query/chokepoints.c graph:chokepoints, grid:chokepoints
 *   query/reach.c       map:can_reach
 *   query/why.c         map:why_not
 *   query/prepare.c     map:prepare, map:prepared, map:unprepare; wend.Preparation
 *   path.c         wend.Path
 *   watch.c        wend.Watch
 *   walls.c        wend.Walls
 *   graph.c        wend.Graph
 *   grid.c         wend.Grid
 *   text.c         grids as text: wend.parse_grid, grid:text
 *   level.c        levels as bytes, for lua/wend/level.lua
 *   decode.c       wend.decode
 *   track.c        tracks, for lua/wend/track.lua
 *   saved.c        states of paths, for lua/wend/state.lua
 *   crowd.c        crowds, for lua/wend/crowd
 *   unpack.c       gzip data, for lua/wend/import/foreign.lua
 *   files.c        file names in UTF-8 on Windows, for lua/wend/disk.lua
 *   module.c       opening */
#ifndef WEND_LUA_H
#define WEND_LUA_H

/* Positions of the world go into crowds and paths, which are the same on every machine. So a * b + c is two operations, as in the
 * core (core/base/floats.h). This stands before all functions: GCC inlines only functions with equal settings. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#include "compat.h"
#include "wend.h"

#if defined(_WIN32)
#define LWEND_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define LWEND_EXPORT __attribute__((visibility("default")))
#else
#define LWEND_EXPORT
#endif

/* The largest number of nested protected calls. Lua itself allows about 200 nested C calls. LuaJIT does not count
 * them: without this limit, a thread with a stack of 512 KB would overflow. */
#define LWEND_DEPTH_MAX 100

/* The largest number of searches whose memory is kept for others: as many as a queue runs at the same time. */
#define LWEND_SPARES 8

/* The time that one rule has used in a request. */
typedef struct lwend_spent {
  uint64_t number; /* of the rule: see costs.c */
  uint64_t calls, summed_calls;
  double seconds, summed_seconds; /* summed: what the sums of the profile contain already */
} lwend_spent;

/* A search of the core, and the memory that queries at one depth of nesting reuse. */
typedef struct lwend_searcher {
  wend_search *search;
  wend_finder *finder;
  wend_tag_cost *tags; /* by tag of the map; item 0: no tag */
  uint32_t tags_capacity;
  uint8_t *applies; /* whether an edge rule applies to a tag: by tag, then by rule; the last one is the option `cost` */
  uint32_t applies_capacity;
  wend_id *goals;
  uint32_t goals_capacity;
  wend_waypoint *waypoints; /* of a route or of path:points, and the edges of its legs */
  uint32_t waypoints_capacity;
  wend_id *legs;
  uint32_t legs_capacity;
  lwend_spent *spent; /* with costs.timing: the rules that have run, in the order of their first calls */
  uint32_t spent_capacity;
} lwend_searcher;

/* The neighbours of a block in the list of all blocks (memory.c). */
typedef struct lwend_links {
  struct lwend_links *before, *after;
} lwend_links;

/* The state that all functions of one Lua state share. It is their first upvalue. */
typedef struct lwend_state {
  wend_alloc alloc;
  lua_Alloc host;
  void *host_ud;
  lwend_links blocks; /* of the core */
  bool closed;        /* the Lua state is being closed: no block is made any more */
  size_t debt;        /* bytes allocated since the collector was last told */
  /* Metatables: their addresses identify objects; the references give them to new objects. */
  const void *graph_mt, *grid_mt, *search_mt, *costs_mt, *mod_mt, *trail_mt, *path_mt, *field_mt, *walls_mt, *route_table_mt,
      *linker_mt, *components_mt, *chokepoints_mt, *why_mt, *level_file_mt, *watch_mt, *preparation_mt, *crowd_mt;
  int graph_ref, grid_ref, search_ref, trail_ref, path_ref, field_ref, walls_ref, linker_ref, components_ref, chokepoints_ref,
      why_ref, route_table_ref, watch_ref, preparation_ref, crowd_ref;
  int level_ref;              /* the metatable of levels, which are tables; LUA_NOREF: lua/wend is not loaded */
  int crowd_decode_ref;       /* the function that reads crowds; LUA_NOREF: lua/wend is not loaded */
  int level_file_ref;         /* that of a level that is being read */
  int report_ref;             /* that of the reports of why_not, which are tables; LUA_NOREF: lua/wend is not loaded */
  int costs_ref, compile_ref; /* the function that compiles a profile */
  int mod_ref;                /* the metatable of mods */
  int failed_ref;             /* the function that counts the failure of a rule, and calls on_error */
  const char *folder;         /* how the names of wend's Lua files begin in debug information; NULL: unknown */
  int clock_ref;              /* the list that holds the number of edits of all profiles */
  unsigned classes_taken;     /* bit i: types[i] of types.c was given to its Lua file */
  bool methods_taken, tracks_taken, levels_taken, states_taken, crowds_taken;
  uint64_t serials; /* of paths: the last one */
  uint64_t refills; /* how often a path that a watch holds was found again, or emptied */
  bool files_taken; /* the functions for files on Windows were given to lua/wend/disk.lua */
  /* References of functions that run inside a protected call. */
  int run_ref, resolve_ref, begin_ref, lists_ref, step_ref, whole_ref, answer_ref, explain_ref, field_make_ref, field_relax_ref,
      field_lowest_ref, field_path_ref, clear_ref, clear_points_ref, straighten_ref, map_ref, route_ref, grid_route_ref,
      passage_ref, check_ref, find_why_ref, route_table_make_ref, route_table_path_ref, nearest_ref, choice_ref, way_ref,
      link_ref, points_ref, getfield_ref, graph_encode_ref, grid_encode_ref, field_encode_ref, route_table_encode_ref,
      explain_list_ref, find_chokepoints_ref, can_reach_ref, prepare_ref, prepared_ref;
  wend_views *views; /* shared by all searches; NULL: not made yet */
  lwend_searcher searchers[LWEND_DEPTH_MAX];
  lwend_searcher spares[LWEND_SPARES]; /* of searches that were closed, for others */
  int spare_count;
  size_t spare_bytes; /* what they hold */
  int depth;          /* the number of protected calls that are running now, nested */
} lwend_state;

#define lwend_state_of(L) ((lwend_state *)lua_touserdata(L, lua_upvalueindex(1)))

typedef struct lwend_snapshot lwend_snapshot;

/* How the cells of a grid lie in the world. A point in units of cells, (0, 0) being the first corner of cell (1,1), is in the
 * world at
 *   rows and columns   left + x * wide              top + y * high
 *   isometric          left + (x - y) * wide / 2    top + (x + y) * high / 2
 * So an isometric cell is a diamond, `wide` from corner to corner and `high` from corner to corner. Straight lines are straight
 * in both units. So lines and routes are computed in cells, and only their ends and corners are converted. */
typedef struct lwend_frame {
  double wide, high; /* of a cell; > 0 */
  double left, top;  /* the first corner of cell (1,1): the upper left one, of a diamond the upper one */
  bool isometric;
} lwend_frame;

/* A graph or a grid. Its anchor is the list of the names of its tags, by number. Item 0 is the map itself. */
typedef struct lwend_map {
  wend_map *map;            /* NULL: the map was freed */
  wend_graph *graph;        /* NULL: this is a grid */
  wend_grid *grid;          /* NULL: this is a graph */
  const char *noun;         /* "graph" or "grid", for messages */
  int searching;            /* the number of running calls that need the map unchanged; > 0: it is locked */
  bool mapping;             /* grid:map is running */
  uint64_t prepares;        /* how often its prepared tables were replaced: searches in progress use them */
  lwend_frame frame;        /* grids only */
  lwend_snapshot *snapshot; /* its latest copy that a search uses; NULL: there is none */
  struct lwend_map *base;   /* of an overlay: item -1 of its anchor; otherwise NULL */
  int height;               /* how many bases are below it */
} lwend_map;

/* ---- memory.c */
/* Lets the core allocate its memory with the host's allocator. */
void lwend_open_memory(lua_State *L, lwend_state *state);
/* Frees all memory of the core. Before the call: no object of the state is accepted any more. */
void lwend_close_memory(lwend_state *state);
/* Tells the collector how much the core has allocated since the last call. May run finalizers. */
void lwend_gc_step(lua_State *L, lwend_state *state);
/* Raises "not enough memory". */
int lwend_no_memory(lua_State *L);
/* Whether the error at index is that one. It is raised again unchanged: no line, and no name of a function, is put before it. */
bool lwend_is_no_memory(lua_State *L, int index);
/* Makes room for values on the stack. Raises "not enough memory"; "stack overflow" in a deep recursion. */
void lwend_check_stack(lua_State *L, int values);
/* Raises if an edit of a map ran out of memory. Otherwise tells the collector how much was allocated; this may run finalizers. */
void lwend_check_edited(lua_State *L, wend_status status);
/* Enlarges *array to at least `wanted` items. Raises if memory runs out; the array is then unchanged. */
void lwend_grow(lua_State *L, lwend_state *state, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes);
#define LWEND_GROW(L, state, array, capacity, wanted) lwend_grow(L, state, &(array), &(capacity), wanted, sizeof *(array))

/* ---- state.c */
/* Takes the references that it needs. */
void lwend_open_state(lua_State *L, lwend_state *state);
/* Pushes a new userdata with a metatable from the registry. Its bytes are 0, so it can be collected at any time. */
void *lwend_new(lua_State *L, size_t bytes, int metatable_ref);
/* Frees all that the searcher holds and sets it to 0. It can be used again. */
void lwend_searcher_free(lwend_searcher *searcher, const wend_alloc *alloc);
/* The memory that the searcher holds, in bytes. */
size_t lwend_searcher_bytes(const lwend_searcher *searcher);
/* Makes the search of the searcher if it has none. */
void lwend_searcher_ready(lua_State *L, lwend_state *state, lwend_searcher *searcher);
/* lua_pcall that counts nested calls. Every call of a script's function runs inside one. Returns 0, or the status of
 * the error, which is then at the top of the stack. */
int lwend_protect(lua_State *L, lwend_state *state, int arguments, int results);
/* Raises if one more nested call would exceed LWEND_DEPTH_MAX. */
void lwend_check_depth(lua_State *L, const lwend_state *state);
/* lwend_protect with the map locked and *readers incremented meanwhile. `readers` may be NULL. Raises the error of the
 * function again. */
void lwend_protect_locked(lua_State *L, lwend_state *state, lwend_map *map, int *readers, int arguments, int results);
/* lua_call of a function of the script, inside lwend_protect. Raises if the function has changed the map. */
void lwend_ask(lua_State *L, const lwend_map *map, int arguments, int results);
/* Pushes value.key. If the value has a metatable, this may run a script. */
void lwend_getfield(lua_State *L, int index, const char *key);
/* Adds functions to the table at the top of the stack. The shared state is their upvalue. */
void lwend_register(lua_State *L, lwend_state *state, const luaL_Reg *functions);
/* Returns the registry reference of a function that will be called protected. The shared state is its upvalue. */
int lwend_protected(lua_State *L, lwend_state *state, lua_CFunction function);
/* Calls the protected function that encodes the object at 1, with its map locked and *readers incremented. So a
 * finalizer cannot change the object between measuring and writing. `readers` may be NULL. Returns the number of
 * results on the stack. The function gets the object, and `prepared` as a boolean. */
int lwend_encode(lua_State *L, lwend_state *state, int function_ref, lwend_map *map, int *readers, bool prepared);

/* ---- check.c: each check raises an error that names the argument, the expected value and the actual value.
 *      `index` is a stack index; `what` is the argument's name in the message. */
/* Pushes a text for the value at index, for a message: a number, a quoted string, or the type. Returns the text. */
const char *lwend_describe(lua_State *L, int index);
/* Raises "WHAT must be WANTED, got ...". */
int lwend_type_error(lua_State *L, int index, const char *what, const char *wanted);
/* The userdata at index if it has this metatable; otherwise NULL. Inline: every method begins with it. */
static inline void *lwend_toobject(lua_State *L, int index, const void *metatable) {
  void *object = lua_touserdata(L, index);
  if (object == NULL || !lua_getmetatable(L, index)) return NULL;
  if (lua_topointer(L, -1) != metatable) object = NULL;
  lua_pop(L, 1);
  return object;
}
/* The graph or grid at index; otherwise NULL. */
lwend_map *lwend_tomap(lua_State *L, int index);
/* The map at 1, for __gc. Raises if a script calls __gc on something else, or while the map is in use. */
lwend_map *lwend_check_closing(lua_State *L, const void *metatable);
/* The graph at index. Raises if it is something else, or was freed. */
lwend_map *lwend_check_graph(lua_State *L, int index);
/* The grid at index. Raises if it is something else, or was freed. */
lwend_map *lwend_check_grid(lua_State *L, int index);
/* Raises if the map may not be changed now: it is being searched or mapped. Returns the map. */
lwend_map *lwend_check_editable(lua_State *L, lwend_map *map);
/* lwend_check_editable for calls that add, remove, move or name: raises also if the map is an overlay. */
lwend_map *lwend_check_own(lua_State *L, lwend_map *map);
/* Raises if the map was freed. Returns the map. An overlay follows its base now, as if it was edited here, unless it is locked. */
lwend_map *lwend_check_alive(lua_State *L, lwend_map *map);
/* The id of the cell whose x is at index and whose y is at index + 1, both from 1. x_name, y_name: for messages. */
wend_id lwend_check_cell(lua_State *L, int index, const lwend_map *g, const char *x_name, const char *y_name);
/* The id of cell i, from 1, in the flat list at stack index `list`. WEND_NO_ID: the list holds no cell there. */
wend_id lwend_listed_cell(lua_State *L, int list, const lwend_map *g, size_t i);
/* The same, but raises if the list holds no cell there. */
wend_id lwend_check_listed_cell(lua_State *L, int list, const lwend_map *g, const char *what, size_t i);
/* The number of items of a flat list; each item has `width` values, which messages call `items`. Raises if the value is
 * not a list, or its length is not a multiple of `width`. */
uint32_t lwend_check_list(lua_State *L, int index, const char *what, size_t width, const char *items);
/* Raises if the option at index is neither nil nor a table. */
void lwend_check_table(lua_State *L, int index, const char *what);
/* A finite number. */
double lwend_check_finite(lua_State *L, int index, const char *what);
/* A number in least .. most. */
double lwend_check_number(lua_State *L, int index, const char *what, double least, double most);
/* A number in -WEND_COORDINATE_MAX .. WEND_COORDINATE_MAX. */
double lwend_check_coordinate(lua_State *L, int index, const char *what);
/* lwend_spread for a value that is not a number. */
bool lwend_spread_fields(lua_State *L, int index, int dimensions);
/* Replaces the value at index by its fields x and y (3 dimensions: and z), if it has a field x. Leaves any other value. So
 * calls that take coordinates also take a position or a cell as one value: they spread it first, and then read numbers.
 * Returns whether it replaced the value. May run scripts: what was checked before must be checked again. Inline, because most
 * calls pass numbers. */
static inline bool lwend_spread(lua_State *L, int index, int dimensions) {
  return lua_type(L, index) != LUA_TNUMBER && lwend_spread_fields(L, index, dimensions);
}
/* Whether the value at index is a list: a table without a field x of its own and with an item 1. Runs no script. */
bool lwend_is_list(lua_State *L, int index);
/* A position as one value: { x, y[, z] }, or anything with fields x, y[, z]. Fills `dimensions` numbers of `point`. May
 * run scripts. */
void lwend_check_position(lua_State *L, int index, const char *what, int dimensions, double *point);
/* The same, or two or three numbers from index on. Returns the index after them. */
int lwend_check_point(lua_State *L, int index, int dimensions, double *point);
/* true or false; nil counts as false. */
bool lwend_check_boolean(lua_State *L, int index, const char *what);
/* Whether the value at index is a function, or has a metamethod __call. May run finalizers. */
bool lwend_is_callable(lua_State *L, int index);
/* Raises if the value at index is neither callable nor nil. */
void lwend_check_callable(lua_State *L, int index, const char *what);
/* The id of the node whose id or name is at index. Raises if there is no such node. */
wend_id lwend_check_node(lua_State *L, int index, const lwend_map *g, const char *what);
/* The id of the edge at index. Raises if there is no such edge. */
wend_id lwend_check_edge(lua_State *L, int index, const lwend_map *g, const char *what);
/* The number of the tag at index, in the map at map_index. Adds the tag to the map if it is new. nil: WEND_UNTAGGED.
 * This is part of acting, not of reading. It allocates no Lua memory. */
uint32_t lwend_check_tag(lua_State *L, int index, int map_index, const char *what);

/* Raises "unknown option ..." with a NULL-ended list of the valid names. key: its stack index. */
int lwend_unknown_option(lua_State *L, int key, const char *const *names);
/* Reads the options table at index (nil: no options) of a call that is not a query. Pushes the value of each name of a
 * NULL-ended list, nil if it is not given. An unknown key raises. Returns the stack index of the first value. */
int lwend_options(lua_State *L, int index, const char *const *names);
/* The position of the string at index in a NULL-ended list of names. or_else: the end of the message, such as ", or a
 * function". Raises if it is not in the list. */
int lwend_check_choice(lua_State *L, int index, const char *what, const char *const *names, const char *or_else);
/* Reads the options of map:encode at 2: whether the prepared tables are encoded too. */
bool lwend_check_encode_options(lua_State *L);

/* ---- types.c */
/* Pops a table of methods, makes a metatable for it and stores that in the registry. Returns the reference. *identity is
 * its address, by which lwend_toobject recognizes objects. The metatable is locked: getmetatable returns the name of the
 * type, or false for internal types. */
int lwend_metatable(lua_State *L, const char *name, lwend_state *state, lua_CFunction gc, const void **identity);
/* The same for a type that scripts see, with its methods. `gc` and `tostring` may be NULL. */
int lwend_type(lua_State *L, const char *name, lwend_state *state, const luaL_Reg *methods, lua_CFunction gc,
               lua_CFunction tostring, const void **identity);

/* ---- map.c: common parts of graphs and grids. An id is the id of a node of a graph, or of a cell of a grid. */
/* Pushes "'gate' (1)", or "1" if the node has no name. Returns the text. */
const char *lwend_push_node_text(lua_State *L, const lwend_map *g, wend_id node);
/* The same for a node; for a cell "(3,4)". */
const char *lwend_push_id_text(lua_State *L, const lwend_map *g, wend_id id);
/* Pushes the id of a node, or x and y of a cell, from 1. Returns the number of values. */
int lwend_push_id(lua_State *L, const lwend_map *g, wend_id id);
/* The id of the node that is item i, from 1, of the list at stack index `list`: an id or a name. Raises if there is no
 * such node. */
wend_id lwend_check_listed_node(lua_State *L, int list, const lwend_map *g, const char *what, size_t i);
/* Pushes the name of a tag of the map at map_index; nil for WEND_UNTAGGED. */
void lwend_push_tag(lua_State *L, int map_index, uint32_t tag);
/* Pushes the name of a node; nil if it has none. */
void lwend_push_name(lua_State *L, const lwend_map *g, wend_id node);
/* Makes the map at index, which has an anchor, an overlay of the one at 1, and keeps that alive. Raises if too many overlays lie
 * on each other. May run finalizers. */
void lwend_anchor_base(lua_State *L, int index, lwend_map *overlay, lwend_map *base);
/* The methods of overlays: raise if the map is none. */
void lwend_check_derived(lua_State *L, const lwend_map *map);
/* Makes the anchor of the map at index. The index may be negative. */
void lwend_anchor_map(lua_State *L, int index);
/* Adds the tags of the map at index to its anchor that are not there yet. */
void lwend_note_tags(lua_State *L, int index, const lwend_map *g);
/* The method `tags` of the map at 1, which is g: pushes a table with the number of edges, or of cells and links, of each tag
 * that any has, and the number of those without a tag. Returns 2. */
int lwend_push_tags(lua_State *L, lwend_map *g);
/* The centre of a cell in the world. */
void lwend_cell_point(const lwend_map *grid, wend_id cell, double *x, double *y);
/* Converts a point in units of cells to the world. Inline: it runs for each point of a path. */
static inline void lwend_to_world(const lwend_frame *f, double x, double y, double *point) {
  if (f->isometric) {
    point[0] = f->left + (x - y) * (f->wide / 2);
    point[1] = f->top + (x + y) * (f->high / 2);
  } else {
    point[0] = f->left + x * f->wide;
    point[1] = f->top + y * f->high;
  }
}
/* Whether the cells are something else than squares in rows and columns. */
static inline bool lwend_is_framed(const lwend_frame *f) { return f->isometric || f->high != f->wide; }
/* Converts a vector in units of cells to the world. */
void lwend_vector_to_world(const lwend_frame *frame, double x, double y, double *vector);
/* Converts a vector of the world to units of cells. */
void lwend_vector_in_cells(const lwend_frame *frame, double dx, double dy, double *cells);
/* Converts a point of the world to units of cells. */
void lwend_point_in_cells(const lwend_map *grid, const double *point, double *cells);
/* The radius of a circle around the centre of a cell that fits into the cell. Of a diamond, a little less than the largest. */
double lwend_cell_radius(const lwend_frame *frame);

/* ---- clear.c */
/* The walls at index; otherwise NULL. Raises if they were freed. */
wend_walls *lwend_towalls(lua_State *L, int index);
/* Raises if the value at index is not a valid option `clear`. nil is valid. May run scripts. */
void lwend_check_clear(lua_State *L, int index);
/* The same for an option of another name, such as "walls". */
void lwend_check_obstacles(lua_State *L, int index, const char *what);
/* Whether the option `clear` at index says that the line from a to b is free. Runs inside lwend_protect. Functions and
 * methods also receive z if dimensions is 3. Raises if the script changes the map. */
bool lwend_is_clear(lua_State *L, const lwend_map *map, int index, const double *a, const double *b, int dimensions);
/* The same as a callback of the core: lwend_ask_clear with a lwend_clear. */
typedef struct lwend_clear {
  lua_State *L;
  const lwend_map *map;
  int index; /* of the option, which is not nil */
  int dimensions;
} lwend_clear;
bool lwend_ask_clear(void *clear, const double *a, const double *b);

/* ---- Requests: what a script asks of a map */

/* The Lua values of a request lie in one block of the stack, its frame. Each slot of the frame has one meaning. The
 * value of slot s lies at request->frame + s on the stack of the caller. A protected function receives copies of the
 * slots up to LWEND_LAST, at exactly the indices below. Values that are not given are nil.
 *
 *   caller:     ... | map | costs | agent | ... | field |     frame + LWEND_MAP is the first of them
 *   protected:  request | map | costs | agent | ... |         LWEND_REQUEST is 1, LWEND_MAP is 2 */
enum {
  LWEND_REQUEST = 1, /* the request, a light userdata; not in frames */
  LWEND_MAP,         /* the graph or grid */
  LWEND_COSTS,       /* the options costs, agent, cost, at_least */
  LWEND_AGENT,
  LWEND_COST,
  LWEND_AT_LEAST,
  LWEND_COMPILED,   /* the compiled cost profile: see costs.c */
  LWEND_GOALS,      /* a list of goals; nil: request->to is the goal */
  LWEND_HEURISTIC,  /* a function */
  LWEND_INTO,       /* the table that becomes the result */
  LWEND_STATS,      /* the table that receives the statistics */
  LWEND_VALUES,     /* the list of start values of the goals */
  LWEND_CLEAR,      /* the option clear */
  LWEND_GIVEN_PATH, /* the path that is straightened or explained */
  LWEND_ALLOW,      /* a list of tags */
  LWEND_PROGRESS,   /* a function */
  LWEND_LAST = LWEND_PROGRESS,
  LWEND_CAN_REACH, /* nodes or a field */
  LWEND_REACHABLE_FROM,
  LWEND_FIELD, /* the field to reuse: the option into of map:field */
  LWEND_FRAME_END
};

/* The calls that take options of the list in request.c, one bit each. */
enum {
  LWEND_FOR_PATH = 1 << 0, /* map:path, map:search */
  LWEND_FOR_ROUTE = 1 << 1,
  LWEND_FOR_FIELD = 1 << 2,
  LWEND_FOR_COSTS = 1 << 3, /* path:explain, map:explain, grid:clear, grid:clear_points */
  LWEND_FOR_STRAIGHTEN = 1 << 4,
  LWEND_FOR_NEAREST = 1 << 5,
  LWEND_FOR_NEAREST_EDGE = 1 << 6,
  LWEND_FOR_CHECK = 1 << 7,
  LWEND_FOR_ROUTES = 1 << 8,
  LWEND_FOR_READY_PATH = 1 << 9, /* routes:path, field:path: no search is needed */
  LWEND_FOR_POINTS = 1 << 10,
  LWEND_FOR_DECODE = 1 << 11,
  LWEND_FOR_NEAREST_CELL = 1 << 12, /* grid:nearest */
  LWEND_FOR_RANDOM = 1 << 13,
  LWEND_FOR_GRID_ROUTE = 1 << 14,
  LWEND_FOR_SEARCH = 1 << 15, /* map:search, together with LWEND_FOR_PATH */
  LWEND_FOR_CHOKEPOINTS = 1 << 16,
  LWEND_FOR_PREPARE = 1 << 17,
  LWEND_FOR_PREPARED = 1 << 18
};

/* How old the costs of a result are. Times are counted in edits of any profile: see lua/wend/costs.lua. Results keep this
 * instead of the costs. `changed` is for results that use the whole map: those stay out of date. */
typedef struct lwend_costs_age {
  uint64_t made;   /* when the profile was compiled that the result was made with; 0: there is no profile */
  uint64_t seen;   /* when the costs of the result were last found unchanged, >= made */
  uint64_t number; /* of the profile */
  bool changed;
} lwend_costs_age;

/* The function of the script that is running now. After an error, it tells whose fault it was. */
typedef enum lwend_callee { CALLEE_NONE, CALLEE_TAG, CALLEE_EDGE, CALLEE_COST, CALLEE_HEURISTIC } lwend_callee;

/* A limit of the instructions of the script's functions (costs.max_instructions). Limits of nested requests form a chain. */
typedef struct lwend_limit {
  struct lwend_limit *outer; /* of the request in whose functions this one runs */
  lua_State *L;              /* the thread that has the hook */
  uint64_t most, used;       /* most 0: there is no limit */
  bool exceeded;
  const char *folder; /* how the names of wend's Lua files begin in debug information; NULL: unknown */
  lua_Hook hook;      /* the hook that was there before: of the host, or that of the outer limit */
  int mask, count;
  int left; /* of `count`, until the host's hook is called */
} lwend_limit;

/* The largest number of rules that one request leaves out because of on_error. One more failure raises. The list lies
 * in the request itself, which lies on the C stack: so it must be short. */
#define LWEND_FAILED_MAX 64

typedef struct lwend_request {
  /* Who runs it, and on what. */
  lua_State *L; /* the thread that runs it */
  lwend_state *state;
  lwend_searcher *searcher;
  lwend_map *g;      /* its map; NULL: it has no map yet, or none at all: costs:resolve */
  uint64_t version;  /* of its map when the arguments were checked */
  uint64_t prepares; /* of its map when the search began */
  int locks;         /* the number of locks of the map that its caller holds for it */
  int frame;         /* slot s of its Lua values lies at frame + s */
  int last;          /* the last slot that is used, at least LWEND_COMPILED */

  /* What is asked for. Options fill in some of it. */
  wend_id from, to;        /* to: WEND_NO_ID if there is a list of goals */
  uint32_t goal_count;     /* the length of that list, when the search began; 0: there is none */
  double start[3], end[3]; /* of routes: points instead of from and to */
  wend_search_opts search;
  bool dijkstra;        /* the option algorithm: sets search.heuristic to WEND_ZERO */
  bool seeded;          /* search.seed was given */
  const char *unseeded; /* not NULL: an option was given that needs a seed; the message if there is none */
  lwend_costs_age age;  /* of the compiled profile */
  double at_least;      /* the promise of the option cost, 0 to 1 */
  double max_distance, jitter;
  double too_close, too_far; /* of graph:check; 0: not given */
  uint32_t k, window;
  uint32_t least_cut, most_found; /* the options min and limit of map:chokepoints */
  uint32_t landmarks;             /* the options of map:prepare */
  bool sliced;
  bool listed; /* k was given */
  bool by_edge, outward;
  bool straighten;  /* a route */
  bool restart;     /* the search survives edits of the map, or begins again */
  bool labels;      /* the search asks what earlier searches have learned */
  uint64_t slice;   /* how many nodes to expand in this step */
  uint64_t used;    /* how many it has expanded */
  wend_stats spent; /* what a search had done before it began again */
  void *subject;    /* the object that the request makes, changes or reads */

  /* How far it has come. */
  wend_status status;
  bool begun, running, partial_path;
  bool reading;  /* the subject is marked as read or busy because of this request */
  bool straight; /* the path is straightened */
  bool copied;   /* the search runs on a copy of the map: its path is marked as stale */

  /* What its functions use. */
  bool metered;         /* its functions are called by lwend_ask_metered */
  bool timed;           /* costs.timing */
  bool resolved;        /* the option costs is a resolved profile */
  bool spending;        /* a rule is running, since the time `since`: that at spent_at in searcher->spent */
  uint32_t spent_count; /* of the rules in searcher->spent */
  uint32_t spent_at;
  double since;
  lwend_limit limit;

  lwend_callee callee;
  uint32_t callee_tag; /* CALLEE_TAG: the tag */
  int callee_at;       /* CALLEE_TAG, CALLEE_EDGE: where the rule begins in the compiled list */
  int failed_count;

  int rule_count;               /* of edge rules, when costs were resolved */
  int tag_names, tags_on_stack; /* stack index of the list of tag names; how many of them also lie above it on the stack */
  int rules, functions;         /* stack indices: the list of edge rules, and the first of their functions */

  uint64_t failed[LWEND_FAILED_MAX]; /* the numbers of the rules that failed. The last member: it is not set to 0 */
} lwend_request;

/* ---- meter.c */
/* Seconds since some point of time. Never decreases. */
double lwend_clock(void);
/* Begins to count instructions, if the request has a limit. Called immediately before its protected call. */
void lwend_limit_begin(lua_State *L, lwend_request *request);
/* Ends it, immediately after the protected call. failed: the function will run again, with a new limit. */
void lwend_limit_end(lua_State *L, lwend_request *request, bool failed);
/* lwend_ask with the time and the limit of a request. number: of the rule; 0: no rule. The request may have no map. */
void lwend_ask_metered(lua_State *L, lwend_request *request, uint64_t number, int arguments, int results);
/* Adds the times of the request to the sums of its rules. sums: stack index of the table of sums by number of the rule. */
void lwend_spent_sum(lua_State *L, lwend_request *request, int sums);
/* Pushes the list of { mod, name, calls, seconds } of the request. */
void lwend_spent_push(lua_State *L, const lwend_request *request, int sums);

/* ---- costs.c */
/* Checks the option costs at index and pushes the compiled profile. nil: pushes nil. May run finalizers. */
void lwend_costs_push_compiled(lua_State *L, const lwend_state *state, int index);
/* Reads from the compiled profile in the frame how the functions of the request are called. If the profile is resolved, fills
 * in its agent; raises if another agent is given. */
void lwend_costs_read_settings(lua_State *L, lwend_request *request);
/* Whether the value at index is a resolved profile. */
bool lwend_costs_is_resolved(lua_State *L, const lwend_state *state, int index);
/* Adds the times of the request to the sums of its rules. compiled: stack index of the compiled profile. */
void lwend_costs_sum_spent(lua_State *L, lwend_request *request, int compiled);
/* Sets the field `rules` of the table at LWEND_STATS, if there is one. */
void lwend_costs_set_rule_stats(lua_State *L, const lwend_request *request);
/* The age of a result that is made with the compiled profile at index, which may be nil. */
lwend_costs_age lwend_costs_compiled_age(lua_State *L, int compiled);
/* Whether the costs of a result can have changed: some profile was edited since age->seen. Allocates nothing. */
bool lwend_costs_may_have_changed(lua_State *L, const lwend_state *state, const lwend_costs_age *age);
/* By tag of a map, 1 if its costs have changed since the result was made; item 0: no tag. Borrowed until the next call.
 * NULL: no tag has changed, and age->seen is now. costs: stack index of the profile of the result; for any other value all
 * tags count as changed. tags: stack index of the list of the names of tags. count: of tags of the map. Allocates no Lua
 * memory. */
const uint8_t *lwend_costs_changed_tags(lua_State *L, lwend_state *state, lwend_costs_age *age, int costs, int tags,
                                        uint32_t count);
/* Notes that a result with changed tags uses none of them. */
void lwend_costs_note_seen(lua_State *L, const lwend_state *state, lwend_costs_age *age);
/* Whether the costs of a tag that the map uses have changed since the result at stack index `object` was made. Its anchor
 * is the list of the slots of its request; its map exists. Allocates no Lua memory. */
bool lwend_costs_are_stale(lua_State *L, lwend_state *state, int object, lwend_costs_age *age);
/* Pushes the on_error of the profile at index, or of the nearest profile that it inherits from; nil: there is none. */
void lwend_costs_push_on_error(lua_State *L, int index);
/* The anchor of the value in the slot of the map is a list of names of tags: pushes the list of their costs without functions.
 * Returns 1. Runs protected. */
int lwend_costs_resolve_names(lua_State *L, lwend_request *request);
/* Runs the functions by tag, and fills in search.costs. Runs protected. */
void lwend_costs_resolve(lua_State *L, lwend_request *request);
/* Pushes the values that calls of edge rules need. They stay on the stack while the search runs. */
void lwend_costs_push(lua_State *L, lwend_request *request);
/* Pushes the description of a step, as path:explain returns it, and sets step->cost. weight: of the edge or step. */
void lwend_costs_explain(lua_State *L, lwend_request *request, wend_step *step, double weight);
/* Pushes a list of what closes a step, in the order in which it is asked: { name, cost } each, as path:explain lists rules. Each
 * item closes the step even if all others let it through. by_tag, by_rule: whether the tag and whether edge rules close it.
 * step->cost: the price if the tag is open. weight: of the step. */
void lwend_costs_push_closers(lua_State *L, lwend_request *request, const wend_step *step, double weight, bool by_tag,
                              bool by_rule);
/* After an error: pushes the name of the callee for messages; the name of its rule, or nil if on_error does not handle it;
 * and the name of the rule's mod, or nil. Returns the rule's number; 0: it is not a rule. map, compiled: stack indices in
 * the caller's frame. */
uint64_t lwend_costs_callee(lua_State *L, const lwend_request *request, int map, int compiled);

/* ---- utf8.c. A character: see there */
/* The number of bytes of a character. */
size_t lwend_utf8_size(uint32_t character);
/* Writes the bytes of a character. Returns the end. */
char *lwend_utf8_put(char *at, uint32_t character);
/* Reads the character at the start of a text of `left` bytes, at least 1. Takes one byte if it is not valid UTF-8. */
uint32_t lwend_utf8_get(const char *text, size_t left);
/* Whether a character of a tag can stand for its cells: not a space, a control character, a combining accent, or one without
 * width. */
bool lwend_utf8_visible(uint32_t character);

/* ---- request.c */
/* Starts a request without a map. Pushes an empty frame. */
void lwend_request_init(lua_State *L, lwend_request *request, lwend_state *state);
/* Gives it the map at index, and a searcher that no outer request uses. Raises if the map was freed. */
void lwend_request_set_map(lua_State *L, lwend_request *request, lwend_map *g, int index);
/* lwend_request_init and lwend_request_set_map. */
void lwend_request_start(lua_State *L, lwend_request *request, lwend_state *state, lwend_map *g, int index);
/* Starts a request again: its slots LWEND_MAP .. last come from the list that is the anchor of the object at index. */
void lwend_request_resume(lua_State *L, lwend_request *request, lwend_state *state, lwend_map *g, int index, int last);
/* Puts the value at index, which may be nil, into a slot. */
void lwend_request_set(lua_State *L, lwend_request *request, int slot, int index);
/* Reads the options table at index (nil: no options). call: a bit LWEND_FOR_... An unknown key raises. */
void lwend_read_options(lua_State *L, lwend_request *request, int index, unsigned call);
/* Checks the options cost and at_least in the frame, and compiles the profile. Called after lwend_read_options. */
void lwend_check_costs(lua_State *L, lwend_request *request);
/* Takes costs, agent and cost from the path at index if they are not given as options. */
void lwend_request_inherit(lua_State *L, lwend_request *request, int path);
/* A seed at index: a finite number, as its bits. */
uint64_t lwend_check_seed(lua_State *L, int index, const char *what);
/* Stores the slots LWEND_MAP .. last in the list at the top of the stack. Allocates nothing if the list has room. */
void lwend_save_slots(lua_State *L, const lwend_request *request, int last);
/* Pushes a frame with the slots LWEND_MAP .. last from the list that is the anchor of the object at index. Returns the
 * value for request->frame. */
int lwend_push_frame(lua_State *L, int index, int last);
/* Checks the list of goals at index, puts it into its slot and sets request->to to WEND_NO_ID. Returns their number. */
uint32_t lwend_check_goals(lua_State *L, lwend_request *request, int index, const char *what);
/* Raises if a goal has no position: request->to, or one in the list at index. */
void lwend_check_positions(lua_State *L, const lwend_request *request, int index);
/* Copies the goals to the searcher's list: those of LWEND_GOALS, or request->to. Returns their number. Runs protected. */
uint32_t lwend_read_goals(lua_State *L, lwend_request *request);

/* ---- call.c */
/* Calls a protected function with a request. Returns the number of results on the stack. If the function raises, `undo`
 * is called. Then the call starts again if on_error handles the error; otherwise the error is raised again. */
int lwend_call(lua_State *L, lwend_request *request, int function_ref, void (*undo)(lwend_request *));
/* The request of a protected function. */
lwend_request *lwend_to_request(lua_State *L);
/* Every protected function of a query begins with this. It resolves the costs. false: the map has changed since the
 * arguments were checked (on_error has edited it), and the request is stale. */
bool lwend_request_ready(lua_State *L, lwend_request *request);
/* Fills the table at LWEND_STATS, if there is one. */
void lwend_set_stats(lua_State *L, const wend_stats *stats);
/* The same, with what the search had done before it began again. */
void lwend_set_all_stats(lua_State *L, const lwend_request *request, const wend_stats *stats);
/* For lwend_call: resets the search. */
void lwend_forget_search(lwend_request *request);
/* For lwend_call: there is nothing to undo. */
void lwend_undo_nothing(lwend_request *request);
/* Pushes nil, a message and the code of request->status. Returns 3, like the two functions below. */
int lwend_push_failure(lua_State *L, const lwend_request *request);
/* Sets the status to WEND_STALE and does the same. */
int lwend_push_stale(lua_State *L, lwend_request *request);
/* Pushes nil, this message and the code of the status. */
int lwend_push_failed(lua_State *L, const char *message, wend_status status);

/* ---- snapshot.c */
/* A copy of a map as it was at a version. */
struct lwend_snapshot {
  wend_graph *graph;
  wend_grid *grid; /* one of the two is NULL */
  wend_map *map;
  uint64_t version; /* of the map that was copied */
  uint32_t users;   /* the searches that use it */
  lwend_map *of;    /* the map that it is the latest copy of; NULL: there is a later one */
};
/* The copy of a map as it is now, for one more user. NULL: no memory. Allocates no Lua memory. */
lwend_snapshot *lwend_snapshot_take(const lwend_state *state, lwend_map *g);
/* Frees the snapshot if this was its last user. NULL is allowed. */
void lwend_snapshot_release(const lwend_state *state, lwend_snapshot *snapshot);

/* ---- trail.c */
/* The part of a path that scripts cannot reach: its map, how old it is, and its edges. The list of nodes, which scripts
 * can change, may not match it. Nodes and edges may have been removed since. Behind the edges is room for a sieve (wend.h), if
 * path:valid has looked through the path more than once. */
typedef struct lwend_trail {
  lwend_map *map;
  wend_path_age age;
  lwend_costs_age costs;
  uint64_t serial;          /* of the path: no other path that was found has it; 0: of a path that was restored */
  uint64_t edits;           /* of the map, when the path was last valid; if there is a sieve */
  bool outdated;            /* the path was out of date when its state was saved */
  bool looked;              /* path:valid has looked through the path */
  bool sifted;              /* the sieve holds the places of the path */
  bool blocked;             /* then: a wall or a closed cell is across the path: see wend_grid_path_blocked */
  bool watched;             /* a watch holds the path, or has held it */
  uint32_t words;           /* of the sieve */
  uint32_t count, capacity; /* of edges; a grid has none */
  wend_id edges[1];
} lwend_trail;
/* The sieve of a trail. */
static inline uint64_t *lwend_sieve(lwend_trail *trail) { return trail->edges + trail->capacity; }
void lwend_open_trail(lua_State *L, lwend_state *state);
/* Pushes the trail of the path at index. Raises if the value is not a path. */
lwend_trail *lwend_push_trail(lua_State *L, int index);
/* Raises if the value at index is not a table. */
void lwend_check_path(lua_State *L, int index);
/* The field `map` of the table at index, if it is a graph or a grid; otherwise NULL. */
lwend_map *lwend_path_map(lua_State *L, int index);
/* The map of a trail. Raises if it was freed. Pushes nothing. */
lwend_map *lwend_trail_map(lua_State *L, const lwend_trail *trail);
/* Pushes the map of the trail at index. */
void lwend_push_trail_map(lua_State *L, int index);
/* Pushes a copy of the trail's edges, which no callback can change. Returns it; *count is their number. */
const wend_id *lwend_push_trail_edges(lua_State *L, const lwend_trail *trail, uint32_t *count);
/* The id of cell i, from 0, of the path at index. Raises if the list holds no cell there. */
wend_id lwend_path_cell(lua_State *L, int index, const lwend_map *g, int i);
/* Pushes the path that the search of the request has found: the table at LWEND_INTO, or a new one. */
void lwend_push_path(lua_State *L, const lwend_request *request);
/* The same for given nodes or cells: `count` of them, and on graphs count - 1 edges. */
void lwend_push_path_of(lua_State *L, const lwend_request *request, const wend_id *nodes, const wend_id *edges, uint32_t count,
                        double cost);
/* Empties the path at index. Does nothing if the value is not a table. */
void lwend_empty_path(lua_State *L, int index);
/* Pops a value and stores it in a field of the table at index, without metamethods. */
void lwend_setraw(lua_State *L, int index, const char *key);
/* Pushes the state of the path at 1: a table of plain values. valid: what path:valid says. Defined in saved.c. */
int lwend_push_path_state(lua_State *L, bool valid);
/* Fills the table at index with the coordinates of waypoints. old: its length before; surplus items become nil. */
void lwend_set_points(lua_State *L, int index, const wend_waypoint *waypoints, uint32_t count, int dimensions, int old);

/* ---- Searches in slices. search.c runs them; route.c and field.c have what a route or a field does otherwise than a path */
/* What a route or a field keeps between slices: the subject of its request. */
typedef struct lwend_slices {
  uint64_t used; /* the expansions since it has begun */
  /* Routes. */
  lwend_clear clear;
  wend_route route;
  wend_grid_route grid_route;
  double from[2], to[2];            /* the ends in cells */
  uint32_t node_count, point_count; /* of the waypoints of the searcher */
  /* Fields. */
  wend_field *field; /* NULL: there is none yet, or search:result has handed it out */
  double *values;    /* of the goals; NULL: all 0 */
  uint32_t values_capacity;
  bool valued; /* the values were copied */
} lwend_slices;
/* call.c: notes the expansions of a slice. If the search is over, fills the table at LWEND_STATS. */
void lwend_count_used(lua_State *L, lwend_request *request, uint64_t used);
/* Makes the cells among the arguments of a path numbers, and a list of goals if there is one. Leaves six values on the stack. */
void lwend_spread_ends(lua_State *L, const lwend_map *g);
/* Reads these arguments into a request that was started. calls: those whose options it takes, LWEND_FOR_... */
void lwend_read_ends(lua_State *L, lwend_request *request, unsigned calls);
/* Both, then calls a protected function with the request. Returns the number of its results. */
int lwend_call_between(lua_State *L, lwend_map *g, unsigned calls, int function_ref);
/* Read the arguments from index 2 on. more: 0, or LWEND_FOR_SEARCH. */
void lwend_read_route(lua_State *L, lwend_request *request, unsigned more);
void lwend_read_grid_route(lua_State *L, lwend_request *request, unsigned more);
void lwend_read_field(lua_State *L, lwend_request *request, unsigned more);
/* Copies the start values of the `count` goals of a field, once: the script may change its list later. Runs protected. */
void lwend_copy_values(lua_State *L, lwend_request *request, uint32_t count);
/* These run protected, with the costs pushed. Begin to search; at most `budget` expansions. */
void lwend_begin_route(lua_State *L, lwend_request *request, uint64_t budget);
void lwend_begin_grid_route(lua_State *L, lwend_request *request, uint64_t budget);
void lwend_begin_field(lua_State *L, lwend_request *request, uint64_t budget);
/* Expand at most request->slice nodes, and set request->status. */
void lwend_run_route(lua_State *L, lwend_request *request);
void lwend_run_grid_route(lua_State *L, lwend_request *request);
void lwend_run_field(lua_State *L, lwend_request *request);
/* Push the route, or nil, a message and a code. Return the number of values. */
int lwend_answer_route(lua_State *L, lwend_request *request);
int lwend_answer_grid_route(lua_State *L, lwend_request *request);
/* The same for a field, outside of the protected call. self: the stack index of the search, whose anchor has the option into,
 * and then the field. The frame is the request's. */
int lwend_answer_field(lua_State *L, lwend_request *request, int self);
/* Frees what the slices have allocated. */
void lwend_slices_free(lwend_slices *work, const wend_alloc *alloc);
/* How many bytes these are. */
size_t lwend_slices_bytes(const lwend_slices *work);
/* The place in the anchor of a search for the option into of a field, and then for the field. */
#define LWEND_FIELD_AT (LWEND_FIELD - LWEND_MAP + 1)

/* ---- Types: each function makes the metatable of a type, and registers the protected functions of its file */
void lwend_open_costs(lua_State *L, lwend_state *state);
void lwend_open_path(lua_State *L, lwend_state *state);
void lwend_open_search(lua_State *L, lwend_state *state);
void lwend_open_field(lua_State *L, lwend_state *state);
void lwend_open_route_table(lua_State *L, lwend_state *state);
void lwend_open_walls(lua_State *L, lwend_state *state);
void lwend_open_watch(lua_State *L, lwend_state *state);
void lwend_open_graph(lua_State *L, lwend_state *state);
void lwend_open_grid(lua_State *L, lwend_state *state);
/* These only register protected functions, or make types that scripts do not see. */
void lwend_open_explain(lua_State *L, lwend_state *state);
void lwend_open_resolve(lua_State *L, lwend_state *state); /* before core.costs_class is called */
void lwend_open_line(lua_State *L, lwend_state *state);
void lwend_open_nearest(lua_State *L, lwend_state *state);
void lwend_open_choice(lua_State *L, lwend_state *state);
void lwend_open_route(lua_State *L, lwend_state *state);
void lwend_open_link(lua_State *L, lwend_state *state);
void lwend_open_components(lua_State *L, lwend_state *state);
void lwend_open_chokepoints(lua_State *L, lwend_state *state);
void lwend_open_reach(lua_State *L, lwend_state *state);
void lwend_open_why(lua_State *L, lwend_state *state);
void lwend_open_prepare(lua_State *L, lwend_state *state);
void lwend_open_level(lua_State *L, lwend_state *state);
void lwend_open_crowd(lua_State *L, lwend_state *state);
/* files.c: on Windows adds core.files to the table at the top. */
void lwend_open_files(lua_State *L, lwend_state *state);

/* ---- Methods that are not in the file of their type */
int lwend_path_explain(lua_State *L); /* explain.c */
int lwend_graph_explain(lua_State *L);
int lwend_grid_explain(lua_State *L);
int lwend_graph_path(lua_State *L); /* search.c */
int lwend_grid_path(lua_State *L);
int lwend_graph_can_reach(lua_State *L); /* reach.c */
int lwend_grid_can_reach(lua_State *L);
int lwend_graph_search(lua_State *L); /* search.c */
int lwend_grid_search(lua_State *L);
int lwend_graph_field(lua_State *L); /* field.c */
int lwend_grid_field(lua_State *L);
int lwend_graph_routes(lua_State *L); /* route_table.c */
int lwend_grid_clear(lua_State *L);   /* line.c */
int lwend_grid_clear_points(lua_State *L);
int lwend_grid_straighten(lua_State *L);
int lwend_graph_nearest(lua_State *L); /* nearest.c */
int lwend_graph_nearest_edge(lua_State *L);
int lwend_grid_nearest(lua_State *L); /* choice.c */
int lwend_graph_random(lua_State *L);
int lwend_grid_random(lua_State *L);
int lwend_graph_route(lua_State *L); /* route.c */
int lwend_grid_route(lua_State *L);
int lwend_graph_link(lua_State *L);  /* link.c */
int lwend_graph_check(lua_State *L); /* components.c */
int lwend_grid_check(lua_State *L);
int lwend_graph_chokepoints(lua_State *L); /* chokepoints.c */
int lwend_grid_chokepoints(lua_State *L);
int lwend_graph_why_not(lua_State *L); /* why.c */
int lwend_grid_why_not(lua_State *L);
int lwend_graph_prepare(lua_State *L); /* prepare.c */
int lwend_grid_prepare(lua_State *L);
int lwend_graph_prepared(lua_State *L);
int lwend_grid_prepared(lua_State *L);
int lwend_graph_unprepare(lua_State *L);
int lwend_grid_unprepare(lua_State *L);

/* ---- Functions of the module */
int lwend_core_type(lua_State *L); /* types.c */
int lwend_core_class(lua_State *L);
int lwend_core_methods(lua_State *L);
int lwend_core_costs_class(lua_State *L);   /* costs.c */
int lwend_core_close(lua_State *L);         /* search.c */
int lwend_core_start(lua_State *L);         /* search.c */
int lwend_core_check_options(lua_State *L); /* search.c */
int lwend_core_walls(lua_State *L);         /* walls.c */
int lwend_core_path_watch(lua_State *L);    /* watch.c */
int lwend_core_graph(lua_State *L);         /* graph.c */
int lwend_core_grid(lua_State *L);          /* grid.c */
int lwend_core_parse_grid(lua_State *L);    /* text.c */
int lwend_core_draw(lua_State *L);
int lwend_core_levels(lua_State *L); /* level.c */
int lwend_core_decode(lua_State *L); /* decode.c */
int lwend_core_tracks(lua_State *L); /* track.c */
int lwend_core_states(lua_State *L); /* saved.c */
int lwend_core_crowds(lua_State *L); /* crowd.c */
/* Reads a crowd: the arguments and results of wend.decode. */
int lwend_decode_crowd(lua_State *L);
int lwend_core_unpack(lua_State *L); /* unpack.c */

/* ---- nearest.c */
/* Checks an option can_reach or reachable_from at index: on graphs a node, a list of nodes, or a field; on grids a cell, a list
 * of cells, or a field; nil is allowed. Replaces a cell by a list. May run scripts. */
void lwend_check_reach_option(lua_State *L, int index, const lwend_map *g, bool outward, const char *what);
/* Replaces the nodes or cells at index by a field of them, with the costs in the frame. Does nothing for nil or a field. The map
 * is at 1. false: the field is stale; nil, a message and a code are pushed. Runs scripts. */
bool lwend_make_reach_field(lua_State *L, int frame, int index, bool outward);
/* The option can_reach, answered by labels. */
typedef struct lwend_leads {
  const lwend_request *request;
  uint32_t count; /* goals in the list of the searcher */
  bool tried;     /* the option names nodes or cells, and labels may know them */
  bool known;     /* they do */
  bool failed;    /* there was no memory for an answer */
} lwend_leads;
/* Before the call: gives the request the map, which is at 1, and the goals of the option in a slot of its frame. Returns
 * leads->tried. */
bool lwend_begin_leads(lua_State *L, lwend_leads *leads, lwend_request *request, lwend_map *g, int slot);
/* Inside, when the costs are known: returns leads->known. The searcher keeps the goals. */
bool lwend_know_leads(lua_State *L, lwend_leads *leads, lwend_request *request);
/* wend_leads_fn. ud: the struct. Runs no script. */
bool lwend_ask_leads(void *ud, wend_id from);

/* ---- spacing.c */
/* Adds the fields walls, too_close and too_far to the table at the top, if the request asks for them. Runs protected. */
void lwend_add_spacing(lua_State *L, const lwend_request *request);

/* ---- field.c */
/* Whether the value at index is a field. */
bool lwend_is_field(lua_State *L, int index);
/* The field at index. Raises if it is not a field of this map, or not made with this `outward`. */
struct lwend_field *lwend_check_reach(lua_State *L, int index, const lwend_map *g, bool outward, const char *what);
/* The core's part of a field. */
const wend_field *lwend_field_of(const struct lwend_field *field);
/* The number of calls that read a field while scripts may run. While it is above 0, the field cannot be changed. */
int *lwend_field_readers(struct lwend_field *field);

/* ---- Decoding */
/* Push the object that was read from bytes. WEND_OK, or WEND_FORMAT: nothing is pushed. */
wend_status lwend_push_decoded_graph(lua_State *L, const void *bytes, size_t size);
wend_status lwend_push_decoded_grid(lua_State *L, const void *bytes, size_t size);
wend_status lwend_push_decoded_walls(lua_State *L, const void *bytes, size_t size);
/* Pushes the value that bytes hold, as lua/wend/level.lua packs the data of a script. false: they are damaged; anything may be
 * left on the stack. */
bool lwend_push_data(lua_State *L, const void *bytes, size_t size);
wend_status lwend_push_decoded_level(lua_State *L, const void *bytes, size_t size);
/* The same for a field or a route table of the request's map, with the request's costs. Also WEND_STALE: it belongs to
 * another map. On failure, values that are of no use may remain on the stack. */
wend_status lwend_push_decoded_field(lua_State *L, lwend_request *request, const void *bytes, size_t size);
wend_status lwend_push_decoded_route_table(lua_State *L, lwend_request *request, const void *bytes, size_t size);

#endif
