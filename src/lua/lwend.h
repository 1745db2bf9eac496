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
 * This header has what every file needs. Files of `base` lie below those of `query`, and these below the files of the types
 * that scripts see. base/query.h has queries. "Raises" in a comment means: raises a Lua error, and does not return. */
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

/* A search of the core, and the memory that queries at one depth of nesting reuse. */
typedef struct lwend_searcher {
  wend_search *search;
  wend_finder *finder;
  uint64_t tariff;     /* the next three tables hold this tariff, and the last answers about it: see costs.c. 0: they do not */
  wend_tag_cost *tags; /* by tag of the map; item 0: no tag */
  uint32_t tags_capacity;
  uint8_t *applies; /* whether an edge rule applies to a tag: by tag, then by rule; the last one is the option `cost` */
  uint32_t applies_capacity;
  struct lwend_rule *rules; /* about edges; the last one is the option `cost` */
  uint32_t rules_capacity;
  wend_id *goals;
  uint32_t goals_capacity;
  wend_waypoint *waypoints; /* of a route or of path:points, and the edges of its legs */
  uint32_t waypoints_capacity;
  wend_id *legs;
  uint32_t legs_capacity;
  wend_influence_use *influences; /* of the option influence */
  uint32_t influences_capacity;
  struct lwend_spent *spent; /* with costs.timing: the rules that have run, in the order of their first calls */
  uint32_t spent_capacity;
} lwend_searcher;

/* The neighbours of a block in the list of all blocks (memory.c). */
typedef struct lwend_links {
  struct lwend_links *before, *after;
} lwend_links;

/* A type of objects. Its metatable's address identifies an object, and the reference gives the metatable to a new one. */
typedef struct lwend_class {
  const void *identity; /* NULL: there are no objects any more */
  int ref;
  const char *self; /* such as "a graph", for messages */
} lwend_class;

/* The most options of all calls together. */
#define LWEND_OPTIONS_MAX 64

/* The options by the first letters of their names, so that few names are compared. 0: no more; otherwise 1 + the number. */
typedef struct lwend_option_chains {
  uint8_t first[32], next[LWEND_OPTIONS_MAX];
  const char *into, *costs; /* the strings of Lua, which are the same for all keys of these names */
} lwend_option_chains;

/* The state that all functions of one Lua state share. It is their first upvalue. */
typedef struct lwend_state {
  wend_alloc alloc;
  lua_Alloc host;
  void *host_ud;
  lwend_links blocks; /* of the core */
  bool closed;        /* the Lua state is being closed: no block is made any more */
  size_t debt;        /* bytes allocated since the collector was last told */
  size_t held;        /* bytes that the core holds now */
  size_t held_last;   /* bytes that it held after old objects were last collected */
  struct {
    lwend_class graph, grid, search, path, trail, batch, field, walls, route_table, watch, preparation, costs, mod, level_file,
        influence, layers, surface;
  } types;
  int run_ref;                       /* the function that runs jobs: see lwend_push_job */
  int level_ref;                     /* the metatable of levels, which are tables; LUA_NOREF: lua/wend is not loaded */
  int report_ref;                    /* the metatable of the reports of why_not, which are tables; LUA_NOREF: the same */
  int compile_ref;                   /* the function that compiles a profile */
  int failed_ref;                    /* the function that handles the failure of a rule by on_error */
  int path_key_refs[11];             /* the names of the fields LWEND_PATH_... of paths: see trail.h */
  lwend_option_chains options;       /* where the names of options begin: see request.c */
  const char *folder;                /* how the names of wend's Lua files begin in debug information; NULL: unknown */
  bool parts_taken;                  /* core.parts was called */
  uint64_t clock;                    /* the number of edits of all profiles, from 1 */
  uint64_t serials;                  /* of paths and tariffs: the last one */
  uint64_t refills;                  /* how often a path that a watch holds was found again, or emptied */
  wend_views *views;                 /* shared by all searches; NULL: not made yet */
  struct lwend_extension *extension; /* the library on top of this one; NULL: there is none */
  lwend_searcher searchers[LWEND_DEPTH_MAX];
  lwend_searcher spares[LWEND_SPARES]; /* of searches that were closed, for others */
  int spare_count;
  size_t spare_bytes; /* what they hold; what is more than they may hold is freed in parts */
  int depth;          /* the number of protected calls that are running now, nested */
} lwend_state;

#define lwend_state_of(L) ((lwend_state *)lua_touserdata(L, lua_upvalueindex(1)))

typedef struct lwend_request lwend_request; /* base/query.h */

/* How the cells of a grid lie in the world. Straight lines are straight in both units. So lines and routes are computed in cells,
 * and only their ends and corners are converted. */
typedef wend_frame lwend_frame;

/* A graph or a grid. Its anchor is the list of the names of its tags, by number. Item 0 is the map itself. */
typedef struct lwend_map {
  wend_map *map;          /* NULL: the map was freed */
  wend_graph *graph;      /* NULL: this is a grid */
  wend_grid *grid;        /* NULL: this is a graph */
  const char *noun;       /* "graph" or "grid", for messages */
  int searching;          /* the number of running calls that need the map unchanged; > 0: it is locked */
  bool mapping;           /* grid:map is running */
  bool kept;              /* a surface edits the graph; scripts do not */
  lwend_frame frame;      /* grids only */
  struct lwend_map *base; /* of an overlay: item -1 of its anchor; otherwise NULL */
  int height;             /* how many bases are below it */
} lwend_map;

/* ---- memory.c */
/* Lets the core allocate its memory with the host's allocator. */
void lwend_open_memory(lua_State *L, lwend_state *state);
/* Frees all memory of the core. Before the call: no object of the state is accepted any more. */
void lwend_close_memory(lwend_state *state);
/* Tells the collector how much the core has allocated since the last call, unless it is stopped. May run finalizers. */
void lwend_gc_step(lua_State *L, lwend_state *state);
/* Raises "not enough memory". */
int lwend_no_memory(lua_State *L);
/* The status, but NO_MEMORY raises that error. */
static inline wend_status lwend_check_memory(lua_State *L, wend_status status) {
  return status == WEND_NO_MEMORY ? (wend_status)lwend_no_memory(L) : status;
}
/* Whether the error at index is that one. It is raised again unchanged: no line, and no name of a function, is put before it. */
bool lwend_is_no_memory(lua_State *L, int index);
/* Makes room for values on the stack. Raises "not enough memory"; "stack overflow" in a deep recursion. */
void lwend_check_stack(lua_State *L, int values);
/* Raises if an edit of a map ran out of memory. Otherwise tells the collector how much was allocated; this may run finalizers. */
void lwend_check_edited(lua_State *L, wend_status status);
/* The same for a method that returns the object at 1. Returns 1. */
int lwend_edited(lua_State *L, wend_status status);
/* Enlarges *array to at least `wanted` items, if it has fewer. Raises if memory runs out; the array is then unchanged. */
void lwend_grow(lua_State *L, lwend_state *state, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes);
#define LWEND_GROW(L, state, array, capacity, wanted) \
  ((wanted) > (capacity) ? lwend_grow(L, state, &(array), &(capacity), wanted, sizeof *(array)) : (void)0)

/* ---- state.c: calls into Lua */
void lwend_open_state(lua_State *L, lwend_state *state);
/* The end of many methods: push a result, and return the number of results, 1. */
static inline int lwend_whole(lua_State *L, uint64_t number) { return lwend_pushwhole(L, number), 1; }
static inline int lwend_number(lua_State *L, double number) { return lua_pushnumber(L, number), 1; }
static inline int lwend_flag(lua_State *L, bool flag) { return lua_pushboolean(L, flag), 1; }
static inline int lwend_nil(lua_State *L) { return lua_pushnil(L), 1; }
/* The result is the object at 1. */
static inline int lwend_self(lua_State *L) { return lua_settop(L, 1), 1; }
/* Pushes a new userdata of a type. Its bytes are 0, so it can be collected at any time. */
void *lwend_new(lua_State *L, size_t bytes, const lwend_class *type);
/* Frees all that the searcher holds and sets it to 0. It can be used again. */
void lwend_searcher_free(lwend_searcher *searcher, const wend_alloc *alloc);
/* The memory that the searcher holds, in bytes. */
size_t lwend_searcher_bytes(const lwend_searcher *searcher);
/* Makes the search of a searcher that has none. */
void lwend_searcher_ready(lua_State *L, lwend_state *state, lwend_searcher *searcher);
/* Raises if one more nested call would exceed LWEND_DEPTH_MAX. */
static inline void lwend_check_depth(lua_State *L, const lwend_state *state) {
  if (state->depth >= LWEND_DEPTH_MAX - 1) luaL_error(L, "too many searches inside each other's callbacks");
}
/* lua_pcall that counts nested calls. Every call of a script's function runs inside one. Returns 0, or the status of
 * the error, which is then at the top of the stack. */
int lwend_protect(lua_State *L, lwend_state *state, int arguments, int results);
/* The work of a protected call: the first member of a struct with its arguments. `run` finds a pointer to the struct at 1. */
typedef struct lwend_job {
  lua_CFunction run;
} lwend_job;
/* Pushes the function and the first argument of a protected call of the job. Allocates nothing. */
static inline void lwend_push_job(lua_State *L, const lwend_state *state, lwend_job *job) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->run_ref);
  lua_pushlightuserdata(L, job);
}
/* lua_call of a function of the script, inside lwend_protect. Raises if the function has changed the map. */
void lwend_ask(lua_State *L, const lwend_map *map, int arguments, int results);
/* Pushes value.key. If the value has a metatable, this may run a script. */
void lwend_getfield(lua_State *L, int index, const char *key);
/* Pushes a field of the table at index, which is not relative to the top, without metamethods. */
void lwend_getraw(lua_State *L, int index, const char *key);
/* Pops a value and stores it in such a field. */
void lwend_setraw(lua_State *L, int index, const char *key);
/* Sets such a field to true, or to nil. */
void lwend_setraw_flag(lua_State *L, int index, const char *key, bool flag);
/* Set a field of the table at the top of the stack. */
void lwend_set_whole(lua_State *L, const char *key, uint64_t number);
void lwend_set_number(lua_State *L, const char *key, double number);
void lwend_set_flag(lua_State *L, const char *key, bool flag);
/* Pushes the list in a field of the table at index. If there is none, it is a new one with room for `count` items, which the
 * field gets. Returns its stack index. */
int lwend_push_list(lua_State *L, int index, const char *key, uint32_t count);
/* Sets the items of the list at index after the first `count` to nil. Allocates nothing. */
void lwend_cut_list(lua_State *L, int list, uint32_t count);
/* Adds functions to the table at the top of the stack. The shared state is their upvalue. */
void lwend_register(lua_State *L, lwend_state *state, const luaL_Reg *functions);
/* Writes an object to bytes, or measures it if bytes is NULL, as wend_graph_encode. */
typedef wend_status lwend_encoder(void *object, void *bytes, size_t *size);
/* Pushes an object as a string, with its map locked and *readers incremented: so a finalizer cannot change it between measuring
 * and writing. `readers` may be NULL. Returns what the encoder returns, and pushes nothing unless that is WEND_OK. */
wend_status lwend_push_encoded(lua_State *L, lwend_map *map, int *readers, lwend_encoder *encode, void *object);
/* The same for an object that no map has to be locked for. The encoder raises if the object is gone. Returns 1. */
typedef wend_status lwend_byte_encoder(lua_State *L, void *object, void *bytes, size_t *size);
int lwend_push_bytes(lua_State *L, lwend_byte_encoder *encode, void *object);

/* ---- types.c */
/* Pops a table of methods and makes the metatable of a type for it. The metatable is locked: getmetatable returns the name of
 * the type, or false for internal types. */
void lwend_metatable(lua_State *L, const char *name, lwend_state *state, lua_CFunction gc, lwend_class *type);
/* The same for a type that scripts see, with its methods. `gc` and `tostring` may be NULL. self: as in lwend_class. */
void lwend_type(lua_State *L, const char *name, const char *self, lwend_state *state, const luaL_Reg *methods, lua_CFunction gc,
                lua_CFunction tostring, lwend_class *type);
/* The userdata at index if it is of this type; otherwise NULL. Inline: every method begins with it. */
static inline void *lwend_toobject(lua_State *L, int index, const lwend_class *type) {
  void *object = lua_touserdata(L, index);
  if (object == NULL || !lua_getmetatable(L, index)) return NULL;
  if (lua_topointer(L, -1) != type->identity) object = NULL;
  lua_pop(L, 1);
  return object;
}

/* Makes the metatable of a type of Lua objects, and sets the field of the table at the top that has the name of the type. moves:
 * its objects have fields x and y that are a position in the world, also where a cell is meant. */
void lwend_add_class(lua_State *L, const char *name, bool moves);
/* Whether the value is an object of such a type that moves. Pushes nothing. */
bool lwend_moves(lua_State *L, int index);

/* ---- check.c: each check raises an error that names the argument, the expected value and the actual value.
 *      `index` is a stack index; `what` is the argument's name in the message. */
/* Pushes a text for the value at index, for a message: a number, a quoted string, or the type. Returns the text. */
const char *lwend_describe(lua_State *L, int index);
/* Reads the whole number 0 .. 2^53 at index, an integer or a float. False: the value is something else. */
bool lwend_towhole(lua_State *L, int index, uint64_t *number);
/* Numbers of a host, in memory. */
typedef struct lwend_host_data {
  const void *at;
  uint64_t size; /* in bytes */
  bool exact;    /* it tells its own size */
} lwend_host_data;
/* Finds the numbers in the value at index: a string, a Data of LÖVE, light userdata or a cdata of LuaJIT. May run scripts; what it
 * has found stays on the stack. Raises for other values. what, wanted: for the message. */
lwend_host_data lwend_find_host_data(lua_State *L, int index, const char *what, const char *wanted);
/* Raises "WHAT must be WANTED, got ...". */
int lwend_type_error(lua_State *L, int index, const char *what, const char *wanted);
/* Raises because a script uses what earlier versions had for searches whose map is edited. */
int lwend_gone(lua_State *L, const char *what);

/* Maps. The userdata at index, for methods: self. Raises if it is not of this type. */
void *lwend_check_self(lua_State *L, int index, const lwend_class *type);
lwend_map *lwend_tomap(lua_State *L, int index);        /* the graph or grid at index; otherwise NULL */
lwend_map *lwend_check_anymap(lua_State *L, int index); /* the same, the argument `map`; raises if it is none, or was freed */
/* The map at 1, for methods of graphs and grids: self. Raises if it is not of the type whose method it is, or was freed. */
lwend_map *lwend_check_map(lua_State *L);
lwend_map *lwend_check_graph(lua_State *L, int index); /* raises if it is something else, or was freed */
lwend_map *lwend_check_grid(lua_State *L, int index);
/* Raises if the map was freed. Returns the map. An overlay follows its base now, as if it was edited here, unless it is locked. */
lwend_map *lwend_check_alive(lua_State *L, lwend_map *map);
/* Raises if the map may not be changed now: it is being searched or mapped. Returns the map. */
lwend_map *lwend_check_unlocked(lua_State *L, lwend_map *map);
/* The same for edits by scripts: raises also if a surface keeps the graph. */
lwend_map *lwend_check_editable(lua_State *L, lwend_map *map);
/* lwend_check_editable for calls that add, remove, move or name: raises also if the map is an overlay. */
lwend_map *lwend_check_own(lua_State *L, lwend_map *map);
void lwend_check_derived(lua_State *L, const lwend_map *map); /* raises if it is no overlay */

/* Nodes, edges, cells and tags. */
wend_id lwend_check_node(lua_State *L, int index, const lwend_map *g,
                         const char *what); /* the node whose id or name is there */
wend_id lwend_check_edge(lua_State *L, int index, const lwend_map *g, const char *what);
/* The id of the cell whose x is at index and whose y is at index + 1, both from 1. x_name, y_name: for messages. */
wend_id lwend_check_cell(lua_State *L, int index, const lwend_map *g, const char *x_name, const char *y_name);
/* Item i, from 1, of the list at stack index `list`: a node by id or name; a cell in a flat list. */
wend_id lwend_check_listed(lua_State *L, int list, const lwend_map *g, const char *what, size_t i);
/* The same without an error: WEND_NO_ID, there is no node or cell. Allocates nothing. Raises if a grid was freed. */
wend_id lwend_listed(lua_State *L, int list, const lwend_map *g, size_t i);
wend_id lwend_listed_cell(lua_State *L, int list, const lwend_map *g, size_t i);
/* The number of the tag at index, in the map at map_index. Adds the tag to the map if it is new. nil: WEND_UNTAGGED.
 * This is part of acting, not of reading. It allocates no Lua memory. */
uint32_t lwend_check_tag(lua_State *L, int index, int map_index, const char *what);
/* Raises if the value at a positive index is not a list of tags; the first one does not look at its items. name: of the option. */
void lwend_check_tag_keys(lua_State *L, int index, const char *name);
void lwend_check_tags(lua_State *L, int index, const char *name);

/* Values. Each returns the value. */
double lwend_check_finite(lua_State *L, int index, const char *what);
double lwend_check_number(lua_State *L, int index, const char *what, double least, double most); /* in least .. most */
double lwend_check_coordinate(lua_State *L, int index, const char *what); /* in -WEND_COORDINATE_MAX .. WEND_COORDINATE_MAX */
bool lwend_check_boolean(lua_State *L, int index, const char *what);      /* nil counts as false */
void lwend_check_table(lua_State *L, int index, const char *what);        /* nil is allowed */
void lwend_check_into(lua_State *L, int index);                       /* the same for a list to fill: nil becomes a new one */
void lwend_check_callable(lua_State *L, int index, const char *what); /* nil is allowed */
bool lwend_is_callable(lua_State *L, int index); /* a function, or a value with __call. May run finalizers */
/* The number of items of a flat list; each item has `width` values, which messages call `items`. Raises if the value is
 * not a list, or its length is not a multiple of `width`. */
uint32_t lwend_check_list(lua_State *L, int index, const char *what, size_t width, const char *items);

/* Options. Raises "unknown option ..." with a NULL-ended list of the valid names. key: its stack index. */
int lwend_unknown_option(lua_State *L, int key, const char *const *names);
/* Reads the options table at index (nil: no options) of a call that is not a query. Pushes the value of each name of a
 * NULL-ended list, nil if it is not given. An unknown key raises. Returns the stack index of the first value. */
int lwend_options(lua_State *L, int index, const char *const *names);
/* The position of the string at index in a NULL-ended list of names. or_else: the end of the message, such as ", or a
 * function". Raises if it is not in the list. */
int lwend_check_choice(lua_State *L, int index, const char *what, const char *const *names, const char *or_else);
bool lwend_check_encode_options(lua_State *L); /* those of map:encode at 2: whether prepared tables are encoded too */

/* ---- map.c: common parts of graphs and grids. An id is the id of a node of a graph, or of a cell of a grid. */
/* Pushes "'gate' (1)", or "1" if the node has no name. Returns the text. */
const char *lwend_push_node_text(lua_State *L, const lwend_map *g, wend_id node);
/* The same for a node; for a cell "(3,4)". */
const char *lwend_push_id_text(lua_State *L, const lwend_map *g, wend_id id);
/* Pushes the id of a node, or x and y of a cell, from 1. Returns the number of values. */
int lwend_push_id(lua_State *L, const lwend_map *g, wend_id id);
/* Sets fields of the table at the top of the stack: one to the id of a node, or two to x and y of a cell. */
void lwend_set_id(lua_State *L, const lwend_map *g, wend_id id, const char *node, const char *x, const char *y);
/* Pushes the name of a tag of the map at map_index; nil for WEND_UNTAGGED. */
void lwend_push_tag(lua_State *L, int map_index, uint32_t tag);
/* Pushes the name of a node; nil if it has none. */
void lwend_push_name(lua_State *L, const lwend_map *g, wend_id node);
/* Pushes a new map without contents, of this type: graphs or grids. of: 0; or the index of the map of which it becomes an overlay,
 * and which it keeps alive. Raises if too many overlays lie on each other. */
lwend_map *lwend_push_map(lua_State *L, size_t bytes, const lwend_class *type, int of);
/* Gives the map that was pushed last its contents. */
void lwend_set_map(lua_State *L, lwend_map *g, wend_map *map);
/* Adds the tags of the map at index to its anchor that are not there yet. */
void lwend_note_tags(lua_State *L, int index, const lwend_map *g);
/* Whether two maps are the same, or overlays of the same map, of whatever height: they have the same ids. NULL: false. */
bool lwend_are_related(const lwend_map *a, const lwend_map *b);
/* Pushes the bytes of an overlay's changes. */
void lwend_push_overlay_bytes(lua_State *L, lwend_map *overlay);
/* Pushes the overlay of the map at index that the bytes describe. Statuses of wend_overlay_decode, but NO_MEMORY raises. */
wend_status lwend_push_decoded_overlay(lua_State *L, int base, const void *bytes, size_t size);
/* Puts a cell at the end of the flat list at stack index `list`. *length: how many numbers it has. */
void lwend_add_cell(lua_State *L, int list, int *length, const lwend_map *grid, wend_id cell);
/* __gc of graphs and grids. */
int lwend_map_gc(lua_State *L);
/* How far the centre of an agent with a size lies to the right of the centre of its cell, and below, in cells. */
static inline double lwend_body_shift(double size) { return size > 0 && (uint32_t)size % 2 == 0 ? 0.5 : 0; }
/* The centre of such an agent in the world, if its cell is `cell`. size 1: the centre of the cell. */
void lwend_body_point(const lwend_map *grid, wend_id cell, double size, double *x, double *y);
/* Converts a point in units of cells to the world. Not of hexes. Inline: it runs for each point of a path. */
static inline void lwend_to_world(const lwend_frame *f, double x, double y, double *point) {
  if (f->isometric) {
    point[0] = f->left + (x - y) * (f->wide / 2);
    point[1] = f->top + (x + y) * (f->high / 2);
  } else {
    point[0] = f->left + x * f->wide;
    point[1] = f->top + y * f->high;
  }
}
/* Raises if the cells of a grid are hexes. what: what is not for them. NULL, a graph: nothing happens. */
void lwend_check_squares(lua_State *L, const lwend_map *g, const char *what);
/* Gives cells one size, the option cell: that of a square; hexes become regular ones, whose centres lie so far apart. */
void lwend_set_cell(lwend_frame *frame, double size);
/* The number that makes such cells, if they are squares in rows and columns or regular hexes: the option cell. 0: they are not. */
double lwend_cell_of(const lwend_frame *frame);
/* Whether cells lie where those of a grid without options do. */
static inline bool lwend_is_plain_frame(const lwend_frame *f) { return f->left == 0 && f->top == 0 && lwend_cell_of(f) == 1; }
/* Converts a vector in units of cells to the world. */
void lwend_vector_to_world(const lwend_frame *frame, double x, double y, double *vector);
/* Converts a vector of the world to units of cells. */
void lwend_vector_in_cells(const lwend_frame *frame, double dx, double dy, double *cells);
/* Converts a point of the world to units of cells. */
void lwend_point_in_cells(const lwend_map *grid, const double *point, double *cells);
/* The cell at a point in units of cells; WEND_NO_ID: the point is outside the grid. */
wend_id lwend_cell_under(const lwend_map *grid, const double *cells);

/* ---- Functions that files further up define. A type of function, so that a line declares several */
typedef int lwend_function(lua_State *L);
typedef void lwend_opener(lua_State *L, lwend_state *state);
/* Each makes the metatables of the types of its file, and what else its file keeps in the state. */
lwend_opener lwend_open_options, lwend_open_batch, lwend_open_costs, lwend_open_trail, lwend_open_path, lwend_open_search,
    lwend_open_field;
lwend_opener lwend_open_walls, lwend_open_watch, lwend_open_prepare, lwend_open_level, lwend_open_graph;
lwend_opener lwend_open_grid, lwend_open_influence, lwend_open_route_table, lwend_open_surface;
/* Methods that are not in the file of their type. */
lwend_function lwend_path_explain, lwend_graph_link, lwend_graph_nearest, lwend_graph_nearest_edge, lwend_graph_routes;
lwend_function lwend_grid_clear, lwend_grid_clear_points, lwend_grid_nearest, lwend_grid_sees, lwend_grid_straighten;
lwend_function lwend_grid_visible;
/* Methods of both graphs and grids. */
lwend_function lwend_map_can_reach, lwend_map_check, lwend_map_chokepoints, lwend_map_copy, lwend_map_explain, lwend_map_field;
lwend_function lwend_map_overlay, lwend_map_path, lwend_map_prepare, lwend_map_prepared, lwend_map_random, lwend_map_route;
lwend_function lwend_map_search, lwend_map_tags, lwend_map_unprepare, lwend_map_why_not;
/* Their items in the list of methods. */
/* clang-format off */
#define LWEND_MAP_METHODS \
  {"can_reach", lwend_map_can_reach}, {"check", lwend_map_check}, {"chokepoints", lwend_map_chokepoints}, \
  {"copy", lwend_map_copy}, {"explain", lwend_map_explain}, {"field", lwend_map_field}, \
  {"overlay", lwend_map_overlay}, {"path", lwend_map_path}, {"prepare", lwend_map_prepare}, \
  {"prepared", lwend_map_prepared}, {"random", lwend_map_random}, {"route", lwend_map_route}, \
  {"search", lwend_map_search}, {"tags", lwend_map_tags}, {"unprepare", lwend_map_unprepare}, \
  {"why_not", lwend_map_why_not}
/* clang-format on */
/* Functions of the module. */
lwend_function lwend_core_batch, lwend_core_check_options, lwend_core_find_paths, lwend_core_close, lwend_core_costs_class;
lwend_function lwend_core_again, lwend_core_follow, lwend_core_reads;
lwend_function lwend_core_run, lwend_core_decode, lwend_core_describe, lwend_core_draw, lwend_core_graph, lwend_core_grid;
lwend_function lwend_core_influence, lwend_core_parse_grid, lwend_core_path_watch, lwend_core_related, lwend_core_start;
lwend_function lwend_core_surface, lwend_core_type, lwend_core_unpack, lwend_core_walls;
/* Add what scripts must not reach to the table at the top: see core_parts in module.c. The function is one of these. */
lwend_function lwend_ask_again;
lwend_opener lwend_add_types, lwend_add_levels, lwend_add_states, lwend_add_files;

/* ---- Decoding: wend.decode (decode.c) calls these */
/* Push the object that was read from bytes. WEND_OK; or WEND_FORMAT: anything may be left on the stack. NO_MEMORY raises. */
wend_status lwend_push_decoded_graph(lua_State *L, const void *bytes, size_t size);
wend_status lwend_push_decoded_grid(lua_State *L, const void *bytes, size_t size);
wend_status lwend_push_decoded_walls(lua_State *L, const void *bytes, size_t size);
wend_status lwend_push_decoded_level(lua_State *L, const void *bytes, size_t size);
/* The same for a layer of the map at stack index `map`; also WEND_STALE. */
wend_status lwend_push_decoded_influence(lua_State *L, int map, const void *bytes, size_t size);
/* Pushes the value that bytes hold, as lua/wend/level.lua packs the data of a script. false: they are damaged; anything may be
 * left on the stack. */
bool lwend_push_data(lua_State *L, const void *bytes, size_t size);

#endif
