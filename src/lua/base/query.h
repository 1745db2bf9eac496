/* SPDX-License-Identifier: MIT */
/* Queries: what a script asks of a map; with what their arguments need. A request (lwend_request) holds everything that a query
 * asks for, and how far it has come. A method of a query reads from top to bottom: it starts a request, reads its arguments and
 * options into it (request.c), and calls a function with it (call.c), which runs protected. For most methods of maps
 * lwend_ask_map does that: each describes its query in an lwend_query. Each option is one line in the list of request.c. */
#ifndef WEND_LUA_BASE_QUERY_H
#define WEND_LUA_BASE_QUERY_H

#include "lua/lwend.h"

/* ---- clear.c: the option clear, and walls as an option */
/* The walls at index; otherwise NULL. Raises if they were freed. */
wend_walls *lwend_towalls(lua_State *L, int index);
/* Raises if the value at index is not a valid option `clear`, or `walls` of graph:check. nil is valid. May run scripts. */
void lwend_check_clear(lua_State *L, int index, const char *what);
/* The option `clearance`, at index: turns the walls at stack index `clear` into walls from which lines keep this distance, as a value
 * that `clear` may be. Raises if these are no walls. */
void lwend_set_clearance(lua_State *L, int clear, int index);
/* Whether the option `clear` at index says that the line from a to b is free. Runs inside lwend_protect. Functions and
 * methods also receive z if dimensions is 3. Raises if the script changes the map. */
bool lwend_is_clear(lua_State *L, const lwend_map *map, int index, const double *a, const double *b, int dimensions);
/* How far a point is from the walls that the option is, or from where a line to them is not clear; INFINITY: it is something else.
 * Less than 0: even the point is not clear. */
double lwend_room(lua_State *L, int index, const double *point);
/* Whether a line between points of the world crosses neither closed cells nor walls of a grid. */
bool lwend_is_grid_clear(const lwend_map *grid, const double *a, const double *b);
/* lwend_is_clear as a callback of the core: lwend_ask_clear with a lwend_clear. */
typedef struct lwend_clear {
  lua_State *L;
  const lwend_map *map;
  int index; /* of the option, which is not nil */
  int dimensions;
} lwend_clear;
bool lwend_ask_clear(void *clear, const double *a, const double *b);

/* ---- position.c: positions and cells as one value */
/* Replaces the value at index by its fields x and y (3 dimensions: and z), if it has a field x. Leaves any other value. So
 * calls that take coordinates also take a position as one value: they spread it first, and then read numbers. Returns whether
 * it replaced the value. May run scripts: what was checked before must be checked again. what: the name of x in messages: a
 * list raises. NULL: lists are allowed. */
bool lwend_spread(lua_State *L, int index, int dimensions, const char *what);
/* The same for a cell of a grid. What moves becomes the cell in which it is, which may be outside of the grid. Other values are
 * cells on grids with cell 1 and origin 0,0, and raise on others: there they may well be positions. what: NULL: as above. */
bool lwend_spread_cell(lua_State *L, int index, const lwend_map *grid, const char *what);
/* A position as one value: { x, y[, z] }, or anything with fields x, y[, z]. Fills `dimensions` numbers of `point`. May
 * run scripts. */
void lwend_check_position(lua_State *L, int index, const char *what, int dimensions, double *point);
/* The same, or two or three numbers from index on. Returns the index after them. */
int lwend_check_point(lua_State *L, int index, int dimensions, double *point);

/* ---- Requests */

/* The Lua values of a request lie in one block of the stack, its frame. Each slot of the frame has one meaning. The
 * value of slot s lies at request->frame + s on the stack of the caller. A protected function receives copies of the
 * slots up to LWEND_LAST, at exactly the indices below. Values that are not given are nil.
 *
 *   caller:     ... | map | costs | agent | ... | field |     frame + LWEND_MAP is the first of them
 *   protected:  request | map | costs | agent | ... |         LWEND_REQUEST is 1, LWEND_MAP is 2 */
enum {
  LWEND_REQUEST = 1, /* the request, a light userdata; not in frames */
  LWEND_MAP,         /* the graph or grid */
  LWEND_COSTS,       /* the options costs, agent, cost, at_least, size */
  LWEND_AGENT,
  LWEND_COST,
  LWEND_AT_LEAST,
  LWEND_SIZE,       /* the option size, a number */
  LWEND_INFLUENCE,  /* the option influence: see layers.c */
  LWEND_PASS_ONLY,  /* the option pass_only, a list of tags */
  LWEND_COMPILED,   /* the compiled cost profile: see costs.c */
  LWEND_FAILED,     /* the set of its rules that on_error was told of, by rule: they are left out. nil: none */
  LWEND_GOALS,      /* a list of goals; nil: request->to is the goal */
  LWEND_HEURISTIC,  /* a function */
  LWEND_INTO,       /* the table that becomes the result */
  LWEND_STATS,      /* the table that receives the statistics */
  LWEND_VALUES,     /* the list of start values of the goals */
  LWEND_CLEAR,      /* the option clear; or the walls of the option sight */
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
  LWEND_FOR_PREPARED = 1 << 18,
  LWEND_FOR_QUEUE = 1 << 19,      /* requests of a queue, together with LWEND_FOR_SEARCH */
  LWEND_FOR_LAST_STEP = 1 << 20,  /* map:can_reach, map:explain: the goal may be closed */
  LWEND_FOR_WHY = 1 << 21,        /* map:why_not, together with LWEND_FOR_PATH */
  LWEND_FOR_FIELD_PATH = 1 << 22, /* field:path, together with LWEND_FOR_READY_PATH */
  LWEND_FOR_UNPREPARE = 1 << 23,
  LWEND_FOR_TRIP = 1 << 24,    /* map:path, map:search: the path may end in range of its goal, and may be counted in turns */
  LWEND_FOR_VISITED = 1 << 25, /* map:search, together with LWEND_FOR_SEARCH: not requests of a queue */
  LWEND_FOR_REACH = LWEND_FOR_COSTS | LWEND_FOR_LAST_STEP /* map:can_reach */
};

/* How old the costs of a result are. Times are counted in edits of any profile: see
 * lua/wend/costs/compile.lua. Results keep this
 * instead of the costs. `changed` is for results that use the whole map: those stay out of date. */
typedef struct lwend_costs_age {
  uint64_t made;   /* when the profile was compiled that the result was made with; 0: there is no profile */
  uint64_t seen;   /* when the costs of the result were last found unchanged, >= made */
  uint64_t number; /* of the profile */
  bool changed;
} lwend_costs_age;

/* The function of the script that is running now. After an error, it tells whose fault it was. */
typedef enum lwend_callee { CALLEE_NONE, CALLEE_TAG, CALLEE_STEP, CALLEE_HEURISTIC } lwend_callee;

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

/* A rule about edges of a request. */
typedef struct lwend_rule {
  uint64_t number;
  double at_least;
} lwend_rule;

/* The time that one rule has used in a request. */
typedef struct lwend_spent {
  uint64_t number; /* of the rule */
  uint64_t calls, summed_calls;
  double seconds, summed_seconds; /* summed: what the sums of the profile contain already */
} lwend_spent;

struct lwend_request {
  lwend_job job; /* what runs protected: set by lwend_call */

  /* Who runs it, and on what. */
  lua_State *L; /* the thread that runs it */
  lwend_state *state;
  lwend_searcher *searcher;
  lwend_map *g;     /* its map; NULL: it has no map yet */
  uint64_t version; /* of its map when the arguments were checked; of a search in slices: that which it reads */
  int frame;        /* slot s of its Lua values lies at frame + s */
  int last;         /* the last slot that is used, at least LWEND_FAILED */
  uint32_t slots;   /* bit s: slot s may have a value; otherwise it is nil */
  int options;      /* the stack index of the table of options, while the arguments are read; 0: none is given */

  /* What is asked for. Options fill in some of it. */
  wend_id from, to;    /* to: WEND_NO_ID if there is a list of goals */
  uint32_t goal_count; /* the length of that list, when the search began; 0: it was empty, or there is none */
  /* The start may lie on this edge (lwend_extension): this part of it lies ahead, up to `from`. WEND_NO_ID: it is at a node. */
  wend_id along, behind;
  double left;
  double late[2];          /* how much more it costs to begin at `from`, and at `behind`: one is 0 */
  double start[3], end[3]; /* of routes: points instead of from and to */
  wend_search_opts search;
  wend_obstacle_costs obstacles; /* of map:why_not; all 0: not given */
  bool dijkstra;                 /* the option algorithm: sets search.heuristic to WEND_ZERO */
  bool seeded;                   /* search.seed was given */
  const char *unseeded;          /* not NULL: an option was given that needs a seed; the message if there is none */
  lwend_costs_age age;           /* of the compiled profile */
  double at_least;               /* the promise of the option cost, 0 to 1 */
  double max_distance, jitter;
  double too_close, too_far; /* of graph:check; 0: not given */
  uint32_t most_near, window;
  uint32_t least_cut, most_found; /* the options min and limit of map:chokepoints */
  uint32_t landmarks, threads;    /* the options of map:prepare */
  bool sliced;
  bool listed; /* the option limit of graph:nearest, most_near, was given */
  bool open;   /* of graph:nearest and graph:nearest_edge */
  bool by_edge, outward;
  bool ranged;                     /* search.ends is given */
  bool straighten;                 /* a route */
  bool labels;                     /* the search asks what earlier searches have learned */
  uint64_t slice;                  /* how many nodes to expand in this step */
  uint64_t used;                   /* how many it has expanded */
  void *subject;                   /* the object that the request makes, changes or reads */
  uint32_t made;                   /* of a field: how often it was made, when the request began */
  const struct lwend_query *query; /* see lwend_ask_map */

  /* How far it has come. */
  wend_status status;
  bool begun, running, partial_path;
  struct lwend_layers *layers; /* that it reads now; NULL: none */
  bool reading;                /* the subject is marked as read or busy because of this request */
  wend_legs legs;              /* of the path over a grid */
  bool turned;                 /* the path that is pushed was counted in turns, which end at these numbers */
  const uint32_t *turn_ends;
  uint32_t turn_count;
  wend_cell goal_value; /* of the closed goal of a path in slices, in the version that it has read: wend_goal_value */
  bool valued;          /* it is known */
  bool lost;            /* an edit has removed a node of the path that was found */

  /* What its functions use. */
  bool metered;         /* its functions are called by lwend_ask_metered */
  bool timed;           /* costs.timing */
  bool spending;        /* a rule is running, since the time `since`: that at spent_at in searcher->spent */
  uint32_t spent_count; /* of the rules in searcher->spent */
  uint32_t spent_at;
  double since;
  lwend_limit limit;

  lwend_callee callee;
  uint32_t callee_tag; /* CALLEE_TAG: the tag */
  int callee_at;       /* CALLEE_TAG: the item of its entry. CALLEE_STEP: the edge rule; the last one is the option `cost` */

  int record;                   /* stack index of the list in which rules note their costs, for path:explain; 0: none */
  int rule_count;               /* of edge rules, when costs were resolved */
  int tag_names, tags_on_stack; /* stack index of the list of tag names; how many of them also lie above it on the stack */
  int rules, functions;         /* stack indices: the list of edge rules, and the first of their functions */
};

/* ---- request.c */
/* Starts a request with the map at index, or without a map: g NULL. Pushes an empty frame. */
void lwend_request_start(lua_State *L, lwend_request *request, lwend_map *g, int index);
/* Gives it the map at index, and a searcher that no outer request uses. Raises if the map was freed. */
void lwend_request_set_map(lua_State *L, lwend_request *request, lwend_map *g, int index);
/* Starts a request again: its slots LWEND_MAP .. last come from the list that is the anchor of the object at index. */
void lwend_request_resume(lua_State *L, lwend_request *request, lwend_map *g, int index, int last);
/* Pushes what the options opaque and transparent, at index and the next one, say of the tags of a grid; nil: nothing. Returns it. */
wend_sight *lwend_push_sight(lua_State *L, lwend_map *g, int index);
/* Puts the value at index, which may be nil, into a slot. */
void lwend_request_set(lua_State *L, lwend_request *request, int slot, int index);
/* Pops a value and puts it into a slot. */
static inline void lwend_request_put(lua_State *L, lwend_request *request, int slot) {
  lua_replace(L, request->frame + slot);
  request->slots |= 1u << slot;
  if (slot > request->last && slot <= LWEND_LAST) request->last = slot;
}
/* Whether a slot has a value: in the frame of the caller, and in a protected function. */
static inline bool lwend_given(lua_State *L, const lwend_request *request, int slot) {
  return (request->slots >> slot & 1) != 0 && !lua_isnil(L, request->frame + slot);
}
static inline bool lwend_has(lua_State *L, const lwend_request *request, int slot) {
  return (request->slots >> slot & 1) != 0 && !lua_isnil(L, slot);
}
/* Reads the options table at index (nil: no options). call: a bit LWEND_FOR_... An unknown key raises. */
void lwend_read_options(lua_State *L, lwend_request *request, int index, unsigned call);
/* Takes costs, agent and cost from the path at index if they are not given as options. */
void lwend_request_inherit(lua_State *L, lwend_request *request, int path);
/* A seed at index: a finite number, as its bits. */
uint64_t lwend_check_seed(lua_State *L, int index, const char *what);
/* Stores the slots LWEND_MAP .. last in the list at the top of the stack. Allocates nothing if the list has room. */
void lwend_save_slots(lua_State *L, const lwend_request *request, int last);
/* What a result keeps of its request, to start one again: the slots up to this one. */
#define LWEND_KEPT LWEND_PASS_ONLY
/* Makes the list of these slots the anchor of the object at index. */
void lwend_keep_slots(lua_State *L, const lwend_request *request, int object);
/* Pushes a frame with the slots LWEND_MAP .. last from the list that is the anchor of the object at index. Returns the
 * value for request->frame. */
int lwend_push_frame(lua_State *L, int index, int last);
/* The number of goals in the list at index, a positive index; it may be empty. Raises for { gate = true }, which looks like an empty
 * one. */
uint32_t lwend_count_goals(lua_State *L, const lwend_map *g, int index, const char *what);
/* Checks the list of goals at index, puts it into its slot and sets request->to to WEND_NO_ID. Returns their number. */
uint32_t lwend_check_goals(lua_State *L, lwend_request *request, int index, const char *what);
/* Copies the goals to the searcher's list: those of LWEND_GOALS, or request->to. Returns their number. Runs protected. */
uint32_t lwend_read_goals(lua_State *L, lwend_request *request);
/* The number of goals that were read. */
static inline uint32_t lwend_goal_count(const lwend_request *request) {
  return request->to == WEND_NO_ID ? request->goal_count : 1;
}
/* The arguments of a path: (map, from, to, opts), (map, x1, y1, x2, y2, opts) or (map, x1, y1, goals, opts). A cell of a grid may
 * also be one value with fields x and y. */
enum { LWEND_PATH_ARGUMENTS = 6 };
/* Makes the cells among the arguments of a path numbers, except a list of goals. May run scripts. */
void lwend_spread_ends(lua_State *L, const lwend_map *g);
/* Reads these arguments, LWEND_PATH_ARGUMENTS values, into a request that was started. calls: whose options it takes,
 * LWEND_FOR_... */
void lwend_read_ends(lua_State *L, lwend_request *request, unsigned calls);

/* ---- layers.c: the option influence */
/* A layer. Its anchor is a list of its map. */
typedef struct lwend_influence {
  wend_influence *layer; /* NULL: it was freed */
  lwend_map *map;
  int readers; /* the number of calls that read it while scripts may run */
} lwend_influence;
/* Checks the option influence at index, and pushes what a request keeps of it. g: its map; NULL: it is not known. */
void lwend_check_layers(lua_State *L, const lwend_map *g, int index);
/* Makes the type of checked layers. Two of them are equal if they name the same layers and factors. */
void lwend_open_layers(lua_State *L, lwend_state *state);
/* Puts the layers of a request into its costs, as they are now. Until lwend_leave_layers, which lwend_call calls, nobody can free
 * them. */
void lwend_take_layers(lua_State *L, lwend_request *request);
void lwend_leave_layers(lwend_request *request);

/* ---- costs.c */
/* Checks the options cost and at_least in the frame, and compiles the profile. Called after lwend_read_options. */
void lwend_check_costs(lua_State *L, lwend_request *request);

/* ---- call.c */
/* Runs a function protected, with the map locked and the request at LWEND_REQUEST. Returns the number of results on the stack. If
 * the function raises, `undo` is called, unless it is NULL. Then the call starts again if on_error handles the error; otherwise
 * the error is raised again. */
int lwend_call(lua_State *L, lwend_request *request, lua_CFunction run, void (*undo)(lwend_request *));
/* A method of maps that asks one query: (map, opts), or (map, from, to, opts) with ends as map:path has them. */
typedef struct lwend_query {
  unsigned options;                      /* the calls whose options it takes, LWEND_FOR_... */
  bool ends;                             /* whether it has ends */
  lua_CFunction run;                     /* what runs protected */
  void (*free_subject)(lwend_request *); /* runs whatever happens. NULL: there is none */
} lwend_query;
/* Such a method: reads the arguments, runs the query and tells the collector. After an error, the search is forgotten. */
int lwend_ask_map(lua_State *L, lwend_map *g, const lwend_query *query);
/* The request of a protected function. */
static inline lwend_request *lwend_to_request(lua_State *L) { return lua_touserdata(L, LWEND_REQUEST); }
/* Every protected function of a query begins with this. It resolves the costs, and pushes what calls of rules need. false: the map
 * has changed since the arguments were checked (on_error has edited it), and the request is stale. */
bool lwend_request_ready(lua_State *L, lwend_request *request);
/* Fills the table at LWEND_STATS, if there is one: with what the query and its search have done, and the times of rules. stats:
 * NULL: of the search. */
void lwend_set_stats(lua_State *L, const lwend_request *request, const wend_stats *stats);
/* For lwend_call: resets the search. */
void lwend_forget_search(lwend_request *request);
/* Pushes why there is no path, as the end of a message, such as ": the goal is closed"; "" if it is not known. It looks at
 * request->from and request->to. May leave more values below. */
void lwend_push_cause(lua_State *L, const lwend_request *request);
/* Pushes nil, a message and the code of request->status. Returns 3, like the two functions below. */
int lwend_push_failure(lua_State *L, const lwend_request *request);
/* Sets the status to WEND_STALE and does the same. */
int lwend_push_stale(lua_State *L, lwend_request *request);
/* Pushes nil, this message and the code of the status. */
int lwend_push_failed(lua_State *L, const char *message, wend_status status);

/* ---- threads.c: threads that work for a call */
/* How many threads the option `threads` at index wants; nil: 1. Raises if it is no such number. 1 if there are no threads. */
uint32_t lwend_check_threads(lua_State *L, int index);
/* Calls work(ud, i) for each i < count: the first on this thread, the others on others where these can be started. Returns when
 * all have returned. They must not use Lua. */
typedef void lwend_work(void *ud, uint32_t number);
void lwend_run_threads(lwend_work *work, void *ud, uint32_t count);

/* ---- Extensions: the library of movement is one. module.c names it; nothing else here does */
/* How wend.decode reads a kind of file that this library does not know. */
typedef struct lwend_decoder {
  wend_file_kind kind;
  const char *what; /* such as "a follower" */
  /* Pushes the object that was read from bytes, with the options of a request: as the functions above. NULL: see `whole`. */
  wend_status (*push)(lua_State *L, const lwend_request *request, const void *bytes, size_t size);
  lua_CFunction whole; /* takes the arguments of wend.decode and reads the options itself; returns the results */
} lwend_decoder;
/* The state of an extension begins with this. */
typedef struct lwend_extension {
  const lwend_decoder *decoders; /* ended by an item without `what` */
  /* Reads the value at index as the start of a search over a graph: request->from, along, behind and left. False: it is none that
   * the extension knows. Raises if it is one that cannot be a start. */
  bool (*read_start)(lua_State *L, lwend_request *request, int index);
  void (*close)(lwend_state *state); /* before the memory of the core is freed: its objects are not accepted any more */
} lwend_extension;

#endif
