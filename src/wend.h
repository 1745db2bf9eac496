/* SPDX-License-Identifier: MIT */
/* wend: graphs, grids, costs, cheapest paths and fields. The whole public C interface; it knows nothing of Lua.
 *
 *     Maps, Graphs, Grids    what is searched
 *     Costs                  what steps cost an agent
 *     Searches, Fields       cheapest paths; costs from everywhere to some goals
 *
 * A first program needs no more. What follows is built on it: the nearest, lines, walls, routes, route tables, paths that
 * were found, checks, linking, files.
 *
 * Ids        64-bit, below 2^53, never 0. Nodes and edges: the slot plus one in the low 32 bits, the slot's generation
 *            above it. A graph from which nothing was removed has the ids 1, 2, 3, ... An id is never given out twice.
 *            Cells: numbered from 1, row by row.
 * Ownership  create/destroy; everything else is borrowed, and pointers into an object live until it is next changed.
 * Errors     functions that can fail return a wend_status; where they fail the object is as it was.
 *            Wrong ids and values are the caller's mistakes: documented as preconditions, asserted in debug builds.
 * Threads    a map may be searched from several threads at once, each with its own wend_search, while nobody edits it; of a
 *            graph, after wend_graph_sync() has been called once. A field may be read from several threads while nobody
 *            changes it (wend_field_path and wend_field_lowest use its map too); so may a route table. Different maps have
 *            nothing in common. `make tsan` checks it.
 * Floats     every sum is made in the order of travel without fused multiply-add: equal inputs, equal bits. */
#ifndef WEND_H
#define WEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. It is written here only: the Lua module, the rockspec and the archives read it here. */
#define WEND_VERSION "0.9.0"

/* The version of the library that is linked, as WEND_VERSION. They differ where a program was built with another header. */
const char *wend_version(void);

/* Status codes: name, code for programs, default text for people. */
#define WEND_STATUS_LIST(X)                                \
  X(OK, "ok", "done")                                      \
  X(RUNNING, "running", "the search has more to do")       \
  X(NO_PATH, "no_path", "the goal cannot be reached")      \
  X(BUDGET, "budget", "the budget of the search is spent") \
  X(STALE, "stale", "the map has changed since")           \
  X(IO, "io", "the file could not be read or written")     \
  X(FORMAT, "format", "the file is not what it should be") \
  X(NO_MEMORY, "no_memory", "not enough memory")           \
  X(ABORTED, "aborted", "a cost function gave a negative cost or none")

typedef enum wend_status {
#define WEND_STATUS_ENUM(name, code, text) WEND_##name,
  WEND_STATUS_LIST(WEND_STATUS_ENUM)
#undef WEND_STATUS_ENUM
} wend_status;

/* The code of a status, as in the list above. */
const char *wend_status_code(wend_status status);

typedef uint64_t wend_id;
#define WEND_NO_ID ((wend_id)0)
#define WEND_NONE UINT32_MAX
#define WEND_UNTAGGED 0u

/* Coordinates stay within this, so that the square of a distance is finite. */
#define WEND_COORDINATE_MAX 1e150
/* Tags of one map: what 16 bits of an arc can name, so that a search reads few of them. */
#define WEND_TAG_MAX 65535u

/* Where memory comes from. resize(ud, NULL, 0, n) allocates, resize(ud, p, n, 0) frees, anything else moves; NULL
 * means no memory, and the old block is as it was. Shrinking and freeing do not fail. */
typedef struct wend_alloc {
  void *(*resize)(void *ud, void *block, size_t old_bytes, size_t new_bytes);
  void *ud;
} wend_alloc;

/* malloc, realloc and free. */
wend_alloc wend_alloc_default(void);

/* ---- Maps -------------------------------------------------------------------------------------------------- */

/* What can be searched: a graph, or a grid. */
typedef struct wend_map wend_map;

/* A number that increases with every change that can affect a search; 0 at first. */
uint64_t wend_map_version(const wend_map *map);
/* The number of a tag. A new tag gets the next number, from 1 on, and keeps it. NO_MEMORY, also past WEND_TAG_MAX. */
wend_status wend_map_tag(wend_map *map, const char *name, size_t length, uint32_t *tag);
/* How many tags there are; their numbers are 1 .. count. */
uint32_t wend_map_tag_count(const wend_map *map);
/* A tag's name, borrowed, not ended by a zero; NULL for WEND_UNTAGGED. tag <= wend_map_tag_count. */
const char *wend_map_tag_name(const wend_map *map, uint32_t tag, size_t *length);

/* ---- Graphs ------------------------------------------------------------------------------------------------ */

typedef struct wend_graph wend_graph;

/* What an edge is made of. */
typedef struct wend_edge_spec {
  wend_id from, to;
  double weight; /* finite and >= 0, or WEND_MEASURED: the distance between the ends, which then need positions */
  uint32_t tag;  /* from wend_map_tag, or WEND_UNTAGGED */
  bool directed; /* false: both ways, one weight */
} wend_edge_spec;
#define WEND_MEASURED (-1.0)

typedef struct wend_edge {
  wend_id from, to;
  double weight;
  double length; /* the distance between the ends; NaN where one has no position */
  uint32_t tag;
  bool directed, closed, measured;
} wend_edge;

/* An empty graph of 2 or 3 dimensions; NULL: no memory. alloc is copied; NULL: the default. */
wend_graph *wend_graph_create(const wend_alloc *alloc, int dimensions);
/* Frees a graph; NULL is fine. */
void wend_graph_destroy(wend_graph *graph);

/* 2 or 3. */
int wend_graph_dimensions(const wend_graph *graph);
/* The graph as a map; borrowed. */
wend_map *wend_graph_map(wend_graph *graph);
/* How many there are now; unplaced: nodes without a position. */
uint32_t wend_graph_node_count(const wend_graph *graph);
uint32_t wend_graph_unplaced_count(const wend_graph *graph);
uint32_t wend_graph_edge_count(const wend_graph *graph);
/* Memory held, in bytes: for nodes, and for edges. */
void wend_graph_bytes(const wend_graph *graph, size_t *nodes, size_t *edges);

/* Adds a node: position (`dimensions` finite coordinates within WEND_COORDINATE_MAX; NULL: without one), name (NULL:
 * none; no other node has it) and radius (>= 0; INFINITY: no limit). NO_MEMORY. */
wend_status wend_graph_add_node(wend_graph *graph, const double *position, const char *name, size_t length, double radius,
                                wend_id *node);
/* Adds count nodes with consecutive ids, the first in *first. points: count positions of `dimensions` finite
 * coordinates each, within WEND_COORDINATE_MAX; NULL: nodes without a position. They have no name and no limit of radius.
 * NO_MEMORY. */
wend_status wend_graph_add_nodes(wend_graph *graph, uint32_t count, const double *points, wend_id *first);
/* Adds count edges with consecutive ids, the first in *first. NO_MEMORY. Amortised O(count). */
wend_status wend_graph_add_edges(wend_graph *graph, uint32_t count, const wend_edge_spec *specs, wend_id *first);
/* Removes a node and the edges at it. NO_MEMORY. */
wend_status wend_graph_remove_node(wend_graph *graph, wend_id node);
/* Removes an edge. NO_MEMORY. */
wend_status wend_graph_remove_edge(wend_graph *graph, wend_id edge);

/* Whether an id, any number, names something that is there. */
bool wend_graph_has_node(const wend_graph *graph, wend_id node);
bool wend_graph_has_edge(const wend_graph *graph, wend_id edge);
/* The node or edge that follows in the order of slots; WEND_NO_ID starts, and ends. */
wend_id wend_graph_next_node(const wend_graph *graph, wend_id node);

/* The position, `dimensions` numbers, or NULL where the node has none. Borrowed until the next change. */
const double *wend_graph_position(const wend_graph *graph, wend_id node);
/* Moves a node, and remeasures the measured edges at it. Gives a position to a node that had none. NO_MEMORY. */
wend_status wend_graph_move(wend_graph *graph, wend_id node, const double *position);

/* Closed for everybody, until opened again: what leads into a closed node cannot be taken. NO_MEMORY. */
wend_status wend_graph_close_node(wend_graph *graph, wend_id node, bool closed);
bool wend_graph_is_closed(const wend_graph *graph, wend_id node);
wend_status wend_graph_close_edge(wend_graph *graph, wend_id edge, bool closed);
/* weight as in wend_edge_spec. NO_MEMORY. */
wend_status wend_graph_set_weight(wend_graph *graph, wend_id edge, double weight);
wend_status wend_graph_set_tag(wend_graph *graph, wend_id edge, uint32_t tag);
/* What an edge is; measured: its weight is the distance, and stays so when a node is moved. NO_MEMORY. */
wend_status wend_graph_edge(wend_graph *graph, wend_id edge, wend_edge *result);
/* The edge from a to b with the least weight, of those the one with the smallest id; WEND_NO_ID: none. NO_MEMORY. */
wend_status wend_graph_edge_between(wend_graph *graph, wend_id a, wend_id b, wend_id *edge);
/* Ids of the edges that leave a node, closed ones too: in *edges at most capacity of them, in *count all. First the
 * one-way edges, then the two-way ones, each kind in the order they were made in. NO_MEMORY. */
wend_status wend_graph_edges(wend_graph *graph, wend_id node, wend_id *edges, uint32_t capacity, uint32_t *count);

/* Names of nodes: unique within the graph. length 0 takes the name away. NO_MEMORY.
 * Precondition: no other node has the name. */
wend_status wend_graph_set_name(wend_graph *graph, wend_id node, const char *name, size_t length);
wend_id wend_graph_find(const wend_graph *graph, const char *name, size_t length);
const char *wend_graph_name(const wend_graph *graph, wend_id node, size_t *length);
/* How far from a node whoever passes it may be, >= 0. 0: exactly at the node, as in a doorway. INFINITY: no limit, as it is at
 * first. NO_MEMORY. */
wend_status wend_graph_set_radius(wend_graph *graph, wend_id node, double radius);
double wend_graph_radius(const wend_graph *graph, wend_id node);

/* Puts edges that were added since into the arrays that are searched. Every function that needs it calls it. NO_MEMORY. */
wend_status wend_graph_sync(wend_graph *graph);

/* Whether a node or edge was changed, closed, opened or removed after the graph had that version. True as well
 * where 2^32 changes have come in between. */
bool wend_graph_node_touched(const wend_graph *graph, wend_id node, uint64_t version);
bool wend_graph_edge_touched(const wend_graph *graph, wend_id edge, uint64_t version);

/* ---- Grids ------------------------------------------------------------------------------------------------- */

/* Cells in rows. A step goes to one of eight neighbours, or through a portal. It costs its length (1, or the square root of
 * 2 on a diagonal) x the weight of the cell stepped onto, and what an agent makes of that cell's tag.
 * A cell's id is y x width + x + 1, with x and y from 0, row 0 on top. */
typedef struct wend_grid wend_grid;

/* When a diagonal may be taken. There are two ways round, over the one and over the other of the cells beside it; a way
 * is free when no wall crosses it and the cell is open for the agent. */
typedef enum wend_diagonals {
  WEND_BOTH_OPEN, /* both ways are free: no corner is cut */
  WEND_ONE_OPEN,  /* at least one is */
  WEND_ALWAYS,    /* no wall crosses the one or the other: cells do not matter */
  WEND_NEVER      /* there are no diagonals */
} wend_diagonals;

/* What a cell is. */
typedef struct wend_cell {
  double weight; /* >= 0; INFINITY: closed for everybody */
  uint32_t tag;  /* from wend_map_tag, or WEND_UNTAGGED */
} wend_cell;

/* So many cells a grid can have, margins included: (width + 1) x (height + 2) + 1. */
#define WEND_CELLS_MAX 0x7fffffff

/* A grid of open, untagged cells of weight 1; width and height >= 1, within WEND_CELLS_MAX. NULL: no memory. alloc is
 * copied; NULL: the default. */
wend_grid *wend_grid_create(const wend_alloc *alloc, uint32_t width, uint32_t height, wend_diagonals diagonals);
/* Frees a grid; NULL is fine. */
void wend_grid_destroy(wend_grid *grid);

/* The grid as a map; borrowed. */
wend_map *wend_grid_map(wend_grid *grid);
/* What it was made with. */
uint32_t wend_grid_width(const wend_grid *grid);
uint32_t wend_grid_height(const wend_grid *grid);
wend_diagonals wend_grid_diagonals(const wend_grid *grid);
/* Memory held, in bytes. */
size_t wend_grid_bytes(const wend_grid *grid);

/* The id of a cell; x < width, y < height. */
wend_id wend_grid_cell(const wend_grid *grid, uint32_t x, uint32_t y);
/* What a cell is now. */
wend_cell wend_grid_get(const wend_grid *grid, wend_id cell);
/* Gives a cell a value. NO_MEMORY. */
wend_status wend_grid_set(wend_grid *grid, wend_id cell, wend_cell value);
/* Gives all cells of a rectangle a value, corners included; x1 <= x2 < width, y1 <= y2 < height. NO_MEMORY. */
wend_status wend_grid_fill(wend_grid *grid, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2, wend_cell value);
/* Gives the cells of a row their values, `width` of them, to fill a new grid: it counts as a change of every cell,
 * whatever the values. NO_MEMORY, with the first cells of the row set. */
wend_status wend_grid_set_row(wend_grid *grid, uint32_t y, const wend_cell *values);
/* Gives a grid all cells of another of the same size, which gets the old ones: so many changes are made all at once, or
 * none. The numbers of tags in both are those of the first grid. Walls and portals stay. NO_MEMORY. */
wend_status wend_grid_exchange(wend_grid *grid, wend_grid *other);

/* Puts a wall between two neighbours (of eight), or takes it away; it works both ways. NO_MEMORY. */
wend_status wend_grid_wall(wend_grid *grid, wend_id a, wend_id b, bool closed);
/* Whether there is a wall between two neighbours. */
bool wend_grid_has_wall(const wend_grid *grid, wend_id a, wend_id b);
/* Whether any wall was put up or taken away after the grid had that version. */
bool wend_grid_walls_changed(const wend_grid *grid, uint64_t version);
/* The wall after the one between *a and *b (WEND_NO_ID: the first), in reading order of the first cell, then of the other.
 * False: there is none. */
bool wend_grid_next_wall(const wend_grid *grid, wend_id *a, wend_id *b);
/* Makes a portal: a step from one cell to any other. It costs weight (finite, >= 0) x times + plus of its own tag. It replaces
 * the portal that was there. The cell it leads to must be open, but costs nothing. directed: not back as well. Scripts call
 * it a link. NO_MEMORY. */
wend_status wend_grid_set_portal(wend_grid *grid, wend_id from, wend_id to, double weight, uint32_t tag, bool directed);
/* The portal from one cell to another. False, and nothing is filled in: there is none. */
bool wend_grid_find_portal(const wend_grid *grid, wend_id from, wend_id to, double *weight, uint32_t *tag);
/* The portal after the one from *from to *to (WEND_NO_ID: the first), in that order. False: there is none. */
bool wend_grid_next_portal(const wend_grid *grid, wend_id *from, wend_id *to);
/* The state of the portal from one cell to another, compared with an earlier version of the grid. NONE: there was no portal
 * then. CHANGED: it was removed, or got another weight or tag. */
typedef enum wend_portal_age { WEND_PORTAL_NONE, WEND_PORTAL_SAME, WEND_PORTAL_CHANGED } wend_portal_age;
wend_portal_age wend_grid_portal_age(const wend_grid *grid, wend_id from, wend_id to, uint64_t version);
/* Removes the portals between two cells, both ways; returns how many there were. Never fails. */
uint32_t wend_grid_remove_portals(wend_grid *grid, wend_id a, wend_id b);

/* Whether a cell was changed after the grid had that version. True as well where 2^32 changes have come in between. */
bool wend_grid_touched(const wend_grid *grid, wend_id cell, uint64_t version);
/* Which of the two ways round the corner of a diagonal (0, 2, 5, 7) no wall crosses: 1 over the cell beside, 2 over the
 * cell above or below, added up. */
int wend_grid_ways_round(const wend_grid *grid, wend_id from, int direction);
/* Whether walls and cells closed for everybody leave the step in a direction (0 .. 7, in reading order: 0 upper left, 7
 * lower right) free, as a part of a line: corners by the grid's rule; where that is WEND_NEVER, by WEND_BOTH_OPEN. */
bool wend_grid_is_free(const wend_grid *grid, wend_id from, int direction);

/* ---- Costs ------------------------------------------------------------------------------------------------- */

/* What an agent makes of a tag. A step costs weight x times + plus; over a grid its weight is its length x that of the cell.
 * Where asks is set, the edge function then answers what it costs: at least at_least x that cost. times, plus and at_least
 * are >= 0. A closed tag has plus = INFINITY and times 0.
 *   at_least > 0 is a promise: what the tag closes stays closed, and the function is not asked about it.
 *   at_least 0 is none: the function is asked about what the tag closes, with a cost of INFINITY, and may open it.
 * This holds for searches, fields, route tables, routes, components and lines. */
typedef struct wend_tag_cost {
  double times, plus;
  double at_least;
  bool asks;
} wend_tag_cost;

/* An edge, or a step over a grid (edge: WEND_NO_ID), as it is shown to an edge function: in the direction of travel. */
typedef struct wend_step {
  wend_id from, to, edge;
  double cost; /* weight x times + plus; INFINITY: closed by its tag, which made no promise */
  uint32_t tag;
} wend_step;

/* Returns the cost, >= at_least x step->cost; INFINITY: closed. A negative cost or NaN ends the search with ABORTED.
 * It may search other things, and leave by longjmp: call wend_search_reset then. It must not change the map. It is also
 * asked about the straight steps beside a diagonal of a grid: what it closes is closed for corners too. */
typedef double (*wend_cost_fn)(void *ud, const wend_step *step);

typedef struct wend_costs {
  const wend_tag_cost *tags; /* wend_map_tag_count + 1 of them, tags[0] for what is untagged; NULL: weights as they are,
                                and nothing is asked */
  wend_cost_fn edge;         /* NULL: nothing is asked */
  void *ud;
} wend_costs;

/* What an edge costs in its direction, or, with `back`, against it; INFINITY: it cannot be taken. Closed nodes do not
 * count. OK, NO_MEMORY, ABORTED. */
wend_status wend_graph_edge_cost(wend_graph *graph, const wend_costs *costs, wend_id edge, bool back, double *cost);

/* ---- Searches ---------------------------------------------------------------------------------------------- */

/* A search: its marks, its open list and its result. Made once, used for any number of searches, on any map. */
typedef struct wend_search wend_search;

typedef enum wend_heuristic {
  WEND_AUTO, /* euclidean, over grids octile (WEND_NEVER: manhattan), where it helps; zero where there is no bound. Costs
                below about 1e-250 a length, and graphs with a weight below 2^-64, have none: rounding would break it */
  WEND_ZERO, /* Dijkstra's algorithm */
  WEND_EUCLIDEAN,
  WEND_MANHATTAN,
  WEND_CHEBYSHEV,
  WEND_OCTILE,
  WEND_CUSTOM
} wend_heuristic;

/* An estimate of the cost from a node or cell to the goal, finite, >= 0 and never too high. NaN ends the search with
 * ABORTED. */
typedef double (*wend_heuristic_fn)(void *ud, wend_id node, wend_id goal);

/* Where searches keep what is open. */
typedef enum wend_queue {
  WEND_QUEUE_BUCKETS, /* the fast one, which turns into the other where buckets do not suit the costs */
  WEND_QUEUE_HEAP     /* settles in order of cost, then of edges, then of ids (the larger first) */
} wend_queue;

typedef struct wend_search_opts {
  wend_costs costs;
  wend_heuristic heuristic;
  wend_heuristic_fn heuristic_fn; /* for WEND_CUSTOM */
  void *heuristic_ud;
  uint64_t max_expanded; /* BUDGET past so many expansions */
  double max_cost;       /* BUDGET where the cheapest path costs more */
  bool partial;          /* remember the node nearest to a goal; goals need positions */
  const double *toward;  /* where that is to be near to; NULL: the goals */
  double variation;      /* finite, >= 0: any path that costs at most 1 + variation times the cheapest will do; */
  uint64_t seed;         /* which one it is depends on this number. 0: the cheapest */
  wend_queue queue;
} wend_search_opts;
/* Weights as they are, heuristic auto, no budget, no variation. */
wend_search_opts wend_search_opts_default(void);

typedef struct wend_stats {
  uint64_t expanded, pushed, callbacks;
  double bound; /* the least cost per length that the heuristic relied on; 0: it did without */
} wend_stats;

/* A search that has nothing to do yet; NULL: no memory. alloc is copied; NULL: the default. */
wend_search *wend_search_create(const wend_alloc *alloc);
/* Frees a search; NULL is fine. */
void wend_search_destroy(wend_search *search);
/* Bytes of search state a node of a graph. */
size_t wend_search_node_bytes(void);

/* Starts a search for the cheapest path from a node or cell to the cheapest of the goals (goal_count >= 1). A graph is
 * synced; opts is copied, the map and what opts points to are borrowed until the search is over. The start is not asked
 * whether it is open. OK, NO_MEMORY, ABORTED. */
wend_status wend_search_begin(wend_search *search, wend_map *map, wend_id from, const wend_id *goals, uint32_t goal_count,
                              const wend_search_opts *opts);
/* Where a search may begin or end, and what getting there or going on from there costs: finite, >= 0. */
typedef struct wend_end {
  wend_id at;
  double cost;
} wend_end;
/* The same from any of some starts to any of some goals (at least one of each): the path is the one that costs least with
 * what its two ends cost, and that is its cost. */
wend_status wend_search_begin_between(wend_search *search, wend_map *map, const wend_end *starts, uint32_t start_count,
                                      const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts);
/* Expands at most max_expanded nodes (UINT64_MAX: all it takes). OK: there is a path. RUNNING: call again.
 * NO_PATH, BUDGET: there is none, but see wend_search_partial. STALE: the map was changed. NO_MEMORY. ABORTED.
 * The result does not depend on how a search is sliced, nor on earlier ones. Of paths of equal cost, Dijkstra's
 * algorithm gives one with the fewest edges, and A* prefers fewer edges among what it has seen; beyond that a node
 * is reached from the neighbour with the smallest id, by the edge with the smallest id. Over grids sums that differ by
 * rounding count as equal, and of ways that cost the same the one found first is kept: which one that is depends on the
 * map, the costs and the ends alone (and, in a grid of more than 65,536 kinds of cells, on its edits). With `variation`
 * the path depends on the seed as well; its cost is the true one, and where that is more than max_cost, the path is the
 * cheapest after all. */
wend_status wend_search_step(wend_search *search, uint64_t max_expanded);
/* After NO_PATH or BUDGET of a search with `partial`: makes the path to the node that is nearest to a goal in a
 * straight line (then the cheapest, then the smallest id: over a grid the first in reading order) the result. OK,
 * NO_MEMORY. */
wend_status wend_search_partial(wend_search *search);
/* Forgets a search, also one that a cost function left by longjmp. This, wend_search_destroy and a new beginning never touch
 * the map that was searched before: it may have been destroyed. */
void wend_search_reset(wend_search *search);
/* Frees what a search keeps of a map between searches: what a grid is for the agents that asked last, a bit or two a cell. Only
 * to save memory before a map is destroyed. */
void wend_search_forget(wend_search *search, const wend_map *map);

/* The result: nodes or cells from the start on, and returned how many (0: there is none); the edges between them (of a
 * grid: not filled in, its steps have no ids); the cost. Borrowed until the search is used again. */
uint32_t wend_search_path(const wend_search *search, const wend_id **nodes, const wend_id **edges, double *cost);
/* What the search has done so far. */
wend_stats wend_search_stats(const wend_search *search);

/* What a search knows of a node, for those who watch it. visit: 1, 2, ... in the order in which nodes were first
 * expanded, 0: not yet; only kept by searches with WEND_QUEUE_HEAP. previous: WEND_NO_ID at the start. */
typedef struct wend_label {
  bool reached;
  double cost;
  uint64_t visit;
  wend_id previous;
} wend_label;
/* Of the search begun last, until the map is changed; node is one of its map. */
wend_label wend_search_label(const wend_search *search, wend_id node);

/* ---- Fields ------------------------------------------------------------------------------------------------ */

/* One search, every start: what it costs to get from anywhere to the goals, or with `outward` from them to anywhere.
 * Where functions below take a field and a map, it is the one that the field was made of; ids are ids of that map. */
typedef struct wend_field wend_field;

typedef struct wend_field_opts {
  wend_costs costs;
  uint64_t max_expanded; /* BUDGET past so many expansions */
  double max_cost;       /* what costs more is not reached */
  uint32_t window;       /* grids: at most so many columns and rows from a goal; 0: all of the map. Graphs: 0 */
  bool outward;
} wend_field_opts;
/* Weights as they are, everything is reached, toward the goals. */
wend_field_opts wend_field_opts_default(void);

/* A field of nothing; NULL: no memory. alloc is copied; NULL: the default. */
wend_field *wend_field_create(const wend_alloc *alloc);
/* Frees a field; NULL is fine. */
void wend_field_destroy(wend_field *field);
/* Makes a field of a map, in place of what it held: goal_count >= 1 goals, with start values (finite; NULL: all 0). The
 * search is used, and can be used for other things afterwards; nothing but the map is borrowed. OK, NO_MEMORY, BUDGET,
 * ABORTED: in all but the first the field is empty. Where a cost function leaves by longjmp, call wend_search_reset and
 * wend_field_reset. */
wend_status wend_field_make(wend_field *field, wend_search *search, wend_map *map, const wend_id *goals, const double *values,
                            uint32_t goal_count, const wend_field_opts *opts);
/* Empties a field: nothing is reached. Its memory is kept for the next. This, wend_field_destroy and making it of another map
 * never touch the map that it was made of: it may have been destroyed. */
void wend_field_reset(wend_field *field);

/* What the field says of a node or cell. False: it is not reached. A closed one next to one that is reached has a cost
 * too, since whoever starts there may leave it; with `outward` it has none. */
bool wend_field_cost(const wend_field *field, wend_id at, double *cost);
/* The step to take from there; WEND_NO_ID: it is a goal, or not reached. With `outward` the step before. Not after
 * arithmetic. */
wend_id wend_field_next(const wend_field *field, wend_id at);
/* The goal that it leads to; WEND_NO_ID: not reached. Not after arithmetic. Walks all the way there. */
wend_id wend_field_goal(const wend_field *field, wend_id at);
/* Makes the path from there to its goal, or with `outward` from the goal to there, the result of a search; its cost is
 * that of its steps, without the goal's start value. OK, NO_PATH, NO_MEMORY. Not after arithmetic. */
wend_status wend_field_path(const wend_field *field, wend_search *search, wend_map *map, wend_id at);
/* The next that is reached and can be stood on, in the order of slots or in reading order; WEND_NO_ID starts, and ends. Left
 * out: what was closed when the field was made, for everybody or by its tag, although it may have a cost. */
wend_id wend_field_each(const wend_field *field, wend_id after);
/* How many have a cost. Looks at all of them. */
uint32_t wend_field_count(const wend_field *field);
/* The version of the map when it was made or relaxed: where wend_map_version is another by now, it is stale, and can
 * still be read. */
uint64_t wend_field_version(const wend_field *field);
/* Memory held, in bytes. */
size_t wend_field_bytes(const wend_field *field);
/* Whether there was arithmetic since it was made or relaxed. */
bool wend_field_is_altered(const wend_field *field);
/* What it was made with. */
bool wend_field_is_outward(const wend_field *field);
uint32_t wend_field_window(const wend_field *field);

/* Adds k (finite) times another field of the same map; what one of the two does not reach is reached no more. */
void wend_field_add(wend_field *field, const wend_field *other, double k);
/* Multiplies all values by k, finite. */
void wend_field_scale(wend_field *field, double k);
/* Lowers every value to the least that a neighbour's value and the step to it come to: a search with all that is
 * reached as goals. OK, NO_MEMORY, ABORTED: in all but the first the values are as they were. Where a cost function
 * leaves by longjmp, call wend_search_reset. */
wend_status wend_field_relax(wend_field *field, wend_search *search, wend_map *map, const wend_costs *costs);
/* The lowest of the neighbours that are lower and can be entered, the first of them in reading order or by id;
 * WEND_NO_ID: there is none. A cost function may leave by longjmp. OK, NO_MEMORY, ABORTED. */
wend_status wend_field_lowest(const wend_field *field, wend_map *map, const wend_costs *costs, wend_id at, wend_id *next);

/* ---- The nearest -------------------------------------------------------------------------------------------- */

/* Whether one can walk straight from one position to another. It may search other things, and leave by longjmp: call
 * wend_search_reset then. It must not change the graph. */
typedef bool (*wend_clear_fn)(void *ud, const double *a, const double *b);

/* What is near a point. */
typedef struct wend_near {
  double distance;
  wend_id id;      /* of a node or an edge */
  double point[3]; /* where it is nearest: `dimensions` numbers */
} wend_near;
/* The nodes nearest to a point, at most k >= 1 and none farther than max_distance (>= 0, INFINITY: any): by distance,
 * then by id, into found, which has room for k; how many into *count. Closed ones are among them, those without a
 * position are not. The first call, and one after many changes, builds an index; it is kept up to date from then on, and
 * from several threads only what has been asked before may be asked. NO_MEMORY. */
wend_status wend_graph_nearest(wend_graph *graph, const double *point, double max_distance, uint32_t k, wend_near *found,
                               uint32_t *count);
/* The same of edges, as straight lines between their ends. */
wend_status wend_graph_nearest_edges(wend_graph *graph, const double *point, double max_distance, uint32_t k, wend_near *found,
                                     uint32_t *count);

/* Finds the nodes or edges nearest to a point that meet conditions. Made once, used for any number of graphs. */
typedef struct wend_finder wend_finder;

/* Tells whether an edge can be taken in its direction, and against it. Any status but OK ends the call and is its result.
 * It may leave by longjmp. It must not change the graph. */
typedef wend_status (*wend_passage_fn)(void *ud, wend_id edge, bool *forth, bool *back);

typedef struct wend_find_opts {
  double max_distance;              /* >= 0, INFINITY: any */
  uint32_t k;                       /* at most so many, >= 1 */
  const wend_field *can_reach;      /* made without `outward`; only what it reaches. NULL: no such condition */
  const wend_field *reachable_from; /* made with `outward`; only what it reaches. NULL: no such condition */
  wend_passage_fn passage;          /* for edges, where one of the fields is given; NULL: by weights as they are */
  void *passage_ud;
  wend_clear_fn clear; /* from the point to what was found; NULL: no such condition */
  void *clear_ud;
} wend_find_opts;
/* The nearest one, without conditions. */
wend_find_opts wend_find_opts_default(void);

/* A finder; NULL: no memory. alloc is copied; NULL: the default. */
wend_finder *wend_finder_create(const wend_alloc *alloc);
/* Frees a finder; NULL is fine. */
void wend_finder_destroy(wend_finder *finder);
/* What wend_graph_nearest and wend_graph_nearest_edges find, without those that fail a condition; they are tested nearest
 * first. An edge passes the test of a field where it can be travelled to a node (can_reach), or from a node (reachable_from),
 * that the field reaches. *found: borrowed until the next call. OK, NO_MEMORY, or what passage returned. */
wend_status wend_finder_nodes(wend_finder *finder, wend_graph *graph, const double *point, const wend_find_opts *opts,
                              const wend_near **found, uint32_t *count);
wend_status wend_finder_edges(wend_finder *finder, wend_graph *graph, const double *point, const wend_find_opts *opts,
                              const wend_near **found, uint32_t *count);

/* ---- Lines ------------------------------------------------------------------------------------------------- */

/* The straight line from the middle of one cell to the middle of another, cell by cell: a straight step where it
 * crosses an edge, a diagonal where it passes exactly through a corner. A step is as long as the line from the middle
 * of its stretch in one cell to the middle of its stretch in the next (where it ends: to the middle of the cell), so
 * that a line along a row, a column or a diagonal is made of the steps of the grid. */
typedef struct wend_line {
  uint32_t x, y; /* the cell that has been reached, from 0 */
  double length; /* of the step that led to it */
  int direction; /* of that step: 0 .. 7, in reading order */
  int64_t width, height, column, row;
  int step_x, step_y;
  double whole, middle;
} wend_line;
/* A line that is still at its first cell; from and to may be the same. */
wend_line wend_line_begin(const wend_grid *grid, wend_id from, wend_id to);
/* Goes on to the next cell; false: there is none. */
bool wend_line_next(wend_line *line);

/* What the step in a direction (0 .. 7, in reading order) costs, by the grid's own rules; INFINITY: it cannot be taken.
 * Links do not count. ABORTED: a cost was none. */
wend_status wend_grid_step(const wend_grid *grid, const wend_costs *costs, wend_id from, int direction, double *cost);
/* What a straight leg costs, each step its length x weight x times + plus of the cell that it leads to. INFINITY: a
 * step is closed (corners by the grid's rule; where that is WEND_NEVER, by WEND_BOTH_OPEN), or it comes to more than
 * `most`. The first cell is not asked. OK, ABORTED: a cost was none. */
wend_status wend_grid_leg(const wend_grid *grid, const wend_costs *costs, wend_id from, wend_id to, double most, double *cost);
/* Whether the straight line between two points can be walked, by the same rules. Points are x and y in cells: (0, 0) is
 * the upper left corner of the first cell, and what lies on a border belongs to the cell right of it, or below. False
 * also where one of them is outside of the grid. OK, ABORTED. */
wend_status wend_grid_line_clear(const wend_grid *grid, const wend_costs *costs, const double *a, const double *b, bool *clear);
/* Takes out the cells of a path that a straight leg can do without, for no more than they cost: cells is shortened in
 * place, from left to right. cost: the sum of the legs. A portal of the path stays, and counts as the cheaper
 * of itself and the straight leg between its ends. STALE: two of the cells are not joined by a step, a
 * portal or a leg that can be taken. ABORTED. */
wend_status wend_grid_straighten(const wend_grid *grid, const wend_costs *costs, wend_id *cells, uint32_t *count, double *cost);

/* ---- Walls ------------------------------------------------------------------------------------------------- */

/* Walls in the plane: segments, solid polygons, solid discs. They know nothing of maps. */
typedef struct wend_walls wend_walls;

typedef enum wend_wall_kind { WEND_SEGMENT, WEND_POLYGON, WEND_CIRCLE } wend_wall_kind;
/* One of them: x1, y1, x2, y2; the corners of a polygon; x, y and the radius. Borrowed until the next is added. */
typedef struct wend_wall {
  wend_wall_kind kind;
  uint32_t count; /* of numbers */
  const double *numbers;
} wend_wall;

/* Walls without any; NULL: no memory. alloc is copied; NULL: the default. */
wend_walls *wend_walls_create(const wend_alloc *alloc);
/* Frees them; NULL is fine. */
void wend_walls_destroy(wend_walls *walls);
/* Adds one: numbers within WEND_COORDINATE_MAX, a radius >= 0, at least three corners. Inside of a polygon is what an
 * odd number of its sides lies around. NO_MEMORY. */
wend_status wend_walls_add(wend_walls *walls, wend_wall wall);
/* How many there are, and number i of them, from 0. */
uint32_t wend_walls_count(const wend_walls *walls);
wend_wall wend_walls_get(const wend_walls *walls, uint32_t i);
/* Memory held, in bytes. */
size_t wend_walls_bytes(const wend_walls *walls);
/* Whether every point of the line from a to b is farther than radius (finite, >= 0) from every wall: what touches is not
 * clear. Builds an index when it is first asked. NO_MEMORY. */
wend_status wend_walls_clear(wend_walls *walls, const double *a, const double *b, double radius, bool *clear);

/* ---- Routes ------------------------------------------------------------------------------------------------ */

/* From any position to any position: on to a graph, along it, off it. Off the graph a unit of length costs 1. */

typedef struct wend_route_opts {
  wend_search_opts search; /* max_cost is about the whole route */
  double max_distance;     /* from there on to the graph, and off it; >= 0, INFINITY: any */
  bool by_edge;            /* on and off at the nearest point of an edge, not at a node */
  wend_clear_fn clear;     /* NULL: nothing is known; ways on and off are free, and the straight line is not taken */
  void *clear_ud;
} wend_route_opts;
/* By node, at any distance; see wend_search_opts_default. */
wend_route_opts wend_route_opts_default(void);

typedef enum wend_route_kind {
  WEND_ROUTE_NODES,   /* by nodes */
  WEND_ROUTE_EDGE,    /* along one edge */
  WEND_ROUTE_STRAIGHT /* past the graph */
} wend_route_kind;

typedef struct wend_route {
  double cost;
  wend_route_kind kind;
  bool partial;         /* it ends at its last node */
  double on[3], off[3]; /* where it gets on to the graph, and off it; not of a straight one */
} wend_route;

/* Finds a route. The way off is at the node (or edge) nearest to the end, the way on at the one nearest to the beginning
 * from which that one can be reached; both no farther than max_distance, free, and not closed; where nothing can reach
 * the one nearest to the end, it is the next nearest that something can reach. With `clear` the straight line is taken
 * where it is free and costs no more. An edge is got on to and off in its direction only, for its share of what the whole
 * costs. By node, a closed one can be left by whoever stands right on it. The nodes are the result of the search. OK,
 * NO_PATH, BUDGET, NO_MEMORY, ABORTED. */
wend_status wend_route_find(wend_search *search, wend_graph *graph, const double *from, const double *to,
                            const wend_route_opts *opts, wend_route *route);

/* ---- Route tables ------------------------------------------------------------------------------------------ */

/* The cheapest path between any two nodes of a graph, worked out beforehand: looked up without a search. */
typedef struct wend_route_table wend_route_table;

/* Told how far the work is: rows done, of all. It may leave by longjmp: call wend_search_reset then. */
typedef void (*wend_progress_fn)(void *ud, uint32_t done, uint32_t all);

/* A table of nothing; NULL: no memory. alloc is copied; NULL: the default. */
wend_route_table *wend_route_table_create(const wend_alloc *alloc);
/* Frees a table; NULL is fine. */
void wend_route_table_destroy(wend_route_table *routes);
/* Works out all paths as an agent sees the graph, in place of what the table held: a search for each node. Nothing but the
 * search's arrays is used, and nothing is borrowed. progress: NULL, or told now and then. OK, NO_MEMORY, ABORTED: in all
 * but the first the table is empty. */
wend_status wend_route_table_make(wend_route_table *routes, wend_search *search, wend_graph *graph, const wend_costs *costs,
                                  wend_progress_fn progress, void *ud);
/* The version of the graph then: where it has another now, the table is stale. */
uint64_t wend_route_table_version(const wend_route_table *routes);
/* Memory held, in bytes. */
size_t wend_route_table_bytes(const wend_route_table *routes);
/* The node to go to on the way from one node to another, and the edge that leads there. False: they are the same, or there
 * is no way. Nodes are those of the graph that it was made of. */
bool wend_route_table_next(const wend_route_table *routes, wend_id from, wend_id to, wend_id *next, wend_id *edge);
/* What the way costs; false: there is none. */
bool wend_route_table_cost(const wend_route_table *routes, wend_id from, wend_id to, double *cost);
/* Makes the path the result of a search: see wend_search_path. OK, NO_PATH, NO_MEMORY. */
wend_status wend_route_table_path(const wend_route_table *routes, wend_search *search, wend_id from, wend_id to);

/* ---- Paths that were found ---------------------------------------------------------------------------------- */

/* Whether nothing has touched a path over a graph since the graph had that version: no node and no edge of it was changed,
 * closed, opened or removed (wend_graph_node_touched, wend_graph_edge_touched). Ids may be any numbers. */
bool wend_graph_path_valid(const wend_graph *graph, const wend_id *nodes, uint32_t node_count, const wend_id *edges,
                           uint32_t edge_count, uint64_t seen);

/* Which versions a path over a grid is compared with. */
typedef struct wend_path_age {
  uint64_t made; /* of the grid when the path was found: it tells which portals the path may use */
  uint64_t seen; /* of the grid when the path was last valid, >= made: later changes of cells and walls count */
  bool straight; /* the cells are joined by straight legs, as wend_grid_straighten leaves them */
} wend_path_age;
/* Whether nothing has touched a path over a grid since: the cells that it enters, those beside its diagonals, its portals,
 * and the walls across it are as they were. cells: of the grid. Pieces of a path may be asked about one by one; they overlap
 * by one cell. */
bool wend_grid_path_valid(const wend_grid *grid, const wend_id *cells, uint32_t count, const wend_path_age *age);
/* The direction (0 .. 7, in reading order) of the step from a cell to a neighbour; -1: they are no neighbours. */
int wend_grid_direction(const wend_grid *grid, wend_id from, wend_id to);

/* A point of the unit disc, or ball: all are as likely, and which one it is depends on a seed and an id alone. */
void wend_jitter(uint64_t seed, wend_id id, int dimensions, double *offset);

/* A point of a path that may be moved. */
typedef struct wend_waypoint {
  double point[3]; /* `dimensions` numbers */
  double reach;    /* how far it may be moved, >= 0 */
  double limit;    /* how far along each axis, >= 0; INFINITY: as far as reach allows */
  wend_id id;      /* what its move depends on, besides the seed */
} wend_waypoint;
/* Moves points by wend_jitter, each within its reach. clear: legs that are free stay free, and the ends of a leg that is not
 * free are not moved; NULL: nothing is asked. clear may leave by longjmp: some points are moved then. */
void wend_jitter_points(wend_waypoint *waypoints, uint32_t count, int dimensions, uint64_t seed, wend_clear_fn clear, void *ud);
/* Fills in waypoints at the nodes that their ids name: each may be moved as far as jitter (>= 0) and its node's radius allow.
 * Returns how many; fewer than count: the node of the next one has no position. */
uint32_t wend_graph_waypoints(const wend_graph *graph, double jitter, wend_waypoint *waypoints, uint32_t count);
/* The points of a route from one position to another, as wend_route_find gave it (by_edge as in its options), by the nodes of
 * its path: how many. Equal points in a row become one. Only points of nodes may be moved. waypoints: room for node_count
 * + 4. */
uint32_t wend_route_waypoints(const wend_graph *graph, const wend_route *route, const double *from, const double *to,
                              const wend_id *nodes, uint32_t node_count, bool by_edge, double jitter, wend_waypoint *waypoints);

/* ---- Checks ------------------------------------------------------------------------------------------------- */

/* What of a map can be reached from where. Made once, used for any number of maps. */
typedef struct wend_components wend_components;

/* A way into a component: an edge, or of a grid a step or portal (edge: WEND_NO_ID). */
typedef struct wend_entry {
  wend_id from, to, edge;
} wend_entry;

/* A component that can be entered but not left. */
typedef struct wend_trap {
  uint32_t component;
  uint32_t first_entry, entry_count; /* among the entries */
} wend_trap;

/* Component k has the nodes starts[k] .. starts[k + 1] - 1. The largest come first, of those as large the one whose first
 * node is listed first; nodes are listed in the order of slots, cells in reading order. */
typedef struct wend_findings {
  uint32_t node_count, component_count, isolated_count, sink_count, source_count, trap_count;
  const wend_id *nodes, *isolated, *sinks, *sources;
  const uint32_t *starts;
  const wend_trap *traps;
  const wend_entry *entries;
} wend_findings;

/* One that has looked at nothing yet; NULL: no memory. alloc is copied; NULL: the default. */
wend_components *wend_components_create(const wend_alloc *alloc);
/* Frees it; NULL is fine. */
void wend_components_destroy(wend_components *components);
/* Looks at a map as an agent sees it: closed nodes and cells are not there. Ways lead from one node to another, those back
 * to the same one do not count. Isolated: no way in or out; sinks: ways in, none out; sources: ways out, none in. Traps:
 * components of two nodes or more, not the largest, with ways in from others and none out. allowed: by tag, 1 where it may
 * lead one way (NULL: none): what has no other ways in (a source: out) is not told of. Takes as long as the map is large.
 * OK, NO_MEMORY, ABORTED. A cost function may leave by longjmp. */
wend_status wend_components_find(wend_components *components, wend_map *map, const wend_costs *costs, const uint8_t *allowed);
/* What was found; borrowed until the next call. */
const wend_findings *wend_components_get(const wend_components *components);

/* ---- Linking ------------------------------------------------------------------------------------------------ */

/* Which nodes of a graph are to be joined by edges: a list, made once and used for any number of graphs. */
typedef struct wend_linker wend_linker;
typedef struct wend_pair {
  wend_id from, to;
} wend_pair;
/* A linker without pairs; NULL: no memory. alloc is copied; NULL: the default. */
wend_linker *wend_linker_create(const wend_alloc *alloc);
/* Frees a linker; NULL is fine. */
void wend_linker_destroy(wend_linker *linker);
/* Pairs each node with the k >= 1 nearest others, none farther than max_distance (>= 0, INFINITY: any). Of those equally far
 * it takes the ones with the smaller x, then y, then z, then id. directed: pairs lead from the node to the others; else every
 * pair is there once, and begins at the end that comes first by x, y, z. Pairs that an edge joins already are left out, and
 * nodes without a position. Takes about n x k x log n, also where many nodes are in one place or equally far. NO_MEMORY. */
wend_status wend_linker_find(wend_linker *linker, wend_graph *graph, uint32_t k, double max_distance, bool directed);
/* The pairs, by id, borrowed until the next call; returned how many. */
uint32_t wend_linker_pairs(const wend_linker *linker, const wend_pair **pairs);

/* ---- Files ------------------------------------------------------------------------------------------------- */

/* Things as bytes, the same on every machine: doc/FORMAT.md. Version 2 of the format is written, version 1 is read as well.
 * What is read is distrusted: whatever the bytes are, the result is what was once written, or FORMAT. What was read from
 * version 2 gives the same bytes again, without the unknown sections that a reader skips. */
typedef enum wend_file_kind {
  WEND_FILE_NONE = 0,
  WEND_FILE_GRAPH = 'G',
  WEND_FILE_GRID = 'R',
  WEND_FILE_FIELD = 'F',
  WEND_FILE_ROUTE_TABLE = 'T'
} wend_file_kind;
/* What bytes say that they are; NONE: nothing of ours. */
wend_file_kind wend_file_kind_of(const void *bytes, size_t size);
/* Whether they are a file of a known kind and version, and its size and checksums are right. */
bool wend_file_is_whole(const void *bytes, size_t size);

/* Writes a graph into bytes that have room for it; NULL: nothing is written. *size: how many they are. NO_MEMORY. */
wend_status wend_graph_encode(wend_graph *graph, void *bytes, size_t *size);
/* Reads a graph: a new one in *graph. alloc is copied; NULL: the default. OK, FORMAT, NO_MEMORY: NULL in *graph. */
wend_status wend_graph_decode(const wend_alloc *alloc, const void *bytes, size_t size, wend_graph **graph);
/* The same of a grid. extra: bytes of the caller's own, at most UINT32_MAX - 1 of them, that are kept with the grid (0: none).
 * Decoded, they are borrowed from `bytes`. */
wend_status wend_grid_encode(const wend_grid *grid, const void *extra, size_t extra_size, void *bytes, size_t *size);
wend_status wend_grid_decode(const wend_alloc *alloc, const void *bytes, size_t size, wend_grid **grid, const void **extra,
                             size_t *extra_size);

/* Fields and route tables belong to a map: it has to be the same, bytes and all, when they are read. They are read into one
 * that is there already, in place of what it held; where that fails it is empty. OK, NO_MEMORY, STALE: the map has changed
 * since, or it is another; FORMAT. */
wend_status wend_field_encode(const wend_field *field, wend_map *map, void *bytes, size_t *size);
wend_status wend_field_decode(wend_field *field, wend_map *map, const void *bytes, size_t size);
wend_status wend_route_table_encode(const wend_route_table *routes, wend_graph *graph, void *bytes, size_t *size);
wend_status wend_route_table_decode(wend_route_table *routes, wend_graph *graph, const void *bytes, size_t size);

/* gzip data (RFC 1952), for readers of other files. Its size when it is unpacked, at most max_bytes. FORMAT: it is no gzip
 * data, or damaged; *size: how much could be unpacked. BUDGET: it holds more than max_bytes. Takes about 40 KB of the stack,
 * and no other memory. */
wend_status wend_gunzip_size(const void *packed, size_t packed_size, uint64_t max_bytes, uint64_t *size);
/* Unpacks it into `bytes`, which have room for `size` of them, as wend_gunzip_size gave it. FORMAT: a checksum is wrong. */
wend_status wend_gunzip(const void *packed, size_t packed_size, void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
