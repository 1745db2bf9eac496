/* SPDX-License-Identifier: MIT */
/* wend: graphs, grids, costs, cheapest paths and fields. This is the public C interface of
 * navigation; wend_move.h has movement: curves, followers and crowds. It knows nothing of Lua.
 *
 *     Maps, Graphs, Grids    what is searched
 *     Costs                  what steps cost an agent
 *     Searches, Fields       cheapest paths; costs from everywhere to some goals
 *
 * A first program needs only these sections. The others build on them: the nearest, lines, walls, routes, route tables, paths
 * that were found, checks, linking, overlays, files.
 *
 *     wend_graph *graph = wend_graph_create(NULL, 2);      a graph in the plane
 *     wend_graph_add_nodes, wend_graph_add_edges           two nodes and an edge, for example
 *     wend_search *search = wend_search_create(NULL);      reused for any number of searches
 *     wend_search_begin, wend_search_step                  OK: there is a path
 *     wend_search_path                                     its nodes, its edges and its cost
 *
 * examples/c has programs, and so has doc/embedding.md. These rules hold for all functions; comments say only what is special:
 *
 * Ids        64-bit numbers below 2^53, never 0. The id of a node, an edge or a wall is its slot (an index from 0) + 1 in the
 *            low 32 bits and the slot's generation above them. A slot is reused after a removal, with the next generation, so
 *            an id is never given out twice. A graph from which nothing was removed has the ids 1, 2, 3, ... Cells are numbered
 *            from 1, row by row. Ids that a function takes name something that exists; `has` functions take any number.
 * Loops      `next` functions give what comes after an id in the order of slots, or cells in reading order: the first one
 *            after WEND_NO_ID, and WEND_NO_ID after the last one. A loop over all takes O(slots) or O(cells).
 * Units      positions, distances and radii are in the caller's unit of length, on grids in cells. Coordinates are finite,
 *            within WEND_COORDINATE_MAX. A point has as many numbers as the map has dimensions. Costs have no unit.
 * Names      bytes with a length; never with a terminating zero. Those that a function takes are copied.
 * Ownership  the caller owns what a `create` function returns, empty (NULL: no memory), and frees it with `destroy`, which
 *            allows NULL. The allocator for it is copied; NULL: that of C. `bytes` tells the memory that an object holds.
 *            An object for results is created once and used for any maps. Everything else is borrowed: a pointer into an
 *            object is valid until the object is used for something else, or changed.
 * Status     functions that can fail return a wend_status. A comment that names no statuses means OK and NO_MEMORY; one that
 *            names some means OK and these, without the prefix WEND_. If a function fails, the object is as it was, unless the
 *            comment says otherwise, and results have no content. ABORTED: a callback returned an invalid number. Other
 *            invalid values are mistakes of the caller; debug builds assert many of them.
 * Callbacks  `ud` is passed to them. They may use other searches, but must not change the map. They may leave by longjmp;
 *            then call wend_search_reset for the search that was in use, if any.
 * Slices     `begin` and `step` do a task in slices: RUNNING: call again. At most max_expanded expansions a slice; UINT64_MAX: to
 *            the end. The result does not depend on how the task is sliced. After the end, `step` returns the same status.
 *            Until then the map and what the options point to are borrowed, and the search serves nothing else.
 * Threads    several threads may search one map at the same time, each with its own wend_search, while no thread edits the map.
 *            For a graph, one thread calls wend_graph_sync after the last edit: functions that take a graph or a map that is
 *            not const call it too. Several threads may read one field while none changes it (wend_field_path and
 *            wend_field_lowest read its map too); the same holds for a route table. Objects that share no map are independent.
 * Floats     sums are made in a fixed order, and the cost of a path in the order of travel, without fused multiply-add. Equal
 *            inputs give equal bits on every machine. */
#ifndef WEND_H
#define WEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks the functions that a shared library exports. Static linking, the default, needs no definition. To build a shared
 * library, define WEND_BUILD in its sources, and WEND_SHARED in the programs that use it. Only Windows needs the second. */
#ifndef WEND_API
#if defined(WEND_BUILD) && defined(_WIN32)
#define WEND_API __declspec(dllexport)
#elif defined(WEND_BUILD) && defined(__GNUC__)
#define WEND_API __attribute__((visibility("default")))
#elif defined(WEND_SHARED) && defined(_WIN32)
#define WEND_API __declspec(dllimport)
#else
#define WEND_API
#endif
#endif

/* The version of this header. It is written here only: the Lua module, the rockspec and the archives read it here. */
#define WEND_VERSION "0.10.0"
/* The version of the library that is linked. They differ where a program was built with another header. */
WEND_API const char *wend_version(void);

/* Status codes: name, code for programs, default text for people. */
#define WEND_STATUS_LIST(X)                                                             \
  X(OK, "ok", "done")                                                                   \
  X(RUNNING, "running", "call wend_search_step again")                                  \
  X(NO_PATH, "no_path", "the goal cannot be reached")                                   \
  X(BUDGET, "budget", "the limit of the search is reached")                             \
  X(STALE, "stale", "the map or the costs have changed")                                \
  X(IO, "io", "the file could not be read or written")                                  \
  X(FORMAT, "format", "damaged, incomplete, or another kind of file")                   \
  X(NO_MEMORY, "no_memory", "not enough memory")                                        \
  X(ABORTED, "aborted", "a cost function failed, or returned NaN or a negative number") \
  X(INVALID, "invalid", "a number is NaN or out of its range, or an id names nothing")

typedef enum wend_status {
#define WEND_STATUS_ENUM(name, code, text) WEND_##name,
  WEND_STATUS_LIST(WEND_STATUS_ENUM)
#undef WEND_STATUS_ENUM
} wend_status;
/* The code of a status, as in the list: "no_path", for example. "unknown" for any other number. */
WEND_API const char *wend_status_code(wend_status status);

/* The id of a node, an edge or a cell. */
typedef uint64_t wend_id;
#define WEND_NO_ID ((wend_id)0)
#define WEND_NONE UINT32_MAX      /* no index */
#define WEND_UNTAGGED 0u          /* the number of no tag: the edge, the cell or the portal has none */
#define WEND_COORDINATE_MAX 1e150 /* of an absolute value, so that the square of a distance is finite */
#define WEND_TAG_MAX 65535u       /* the number of tags that a map can have: 16 bits, so that a search reads little memory */

/* An allocator. resize gets the current and the new size of a block, in bytes:
 *
 *     resize(ud, NULL, 0, n)    allocates n bytes
 *     resize(ud, p, m, n)       changes the size of block p from m to n bytes; the block may move
 *     resize(ud, p, n, 0)       frees block p; returns NULL
 *
 * It returns the block. NULL for n > 0: no memory, and the old block is unchanged. Shrinking and freeing must not fail. Objects
 * copy the struct; `ud` must stay valid as long as the objects. */
typedef struct wend_alloc {
  void *(*resize)(void *ud, void *block, size_t old_bytes, size_t new_bytes);
  void *ud;
} wend_alloc;

/* ---- Maps -------------------------------------------------------------------------------------------------- */

/* A map is what can be searched: a graph or a grid. The functions of this section take both. */
typedef struct wend_map wend_map;
typedef struct wend_graph wend_graph;
typedef struct wend_grid wend_grid;

/* The version of a map: 0 for a new map. It rises with every change that can affect a search. */
WEND_API uint64_t wend_map_version(const wend_map *map);
/* Writes the number of a tag to *tag. A name that the map does not know becomes a new tag and gets the next number, from 1 on.
 * Numbers never change. NO_MEMORY: also if the map has WEND_TAG_MAX tags already. */
WEND_API wend_status wend_map_tag(wend_map *map, const char *name, size_t length, uint32_t *tag);
/* The number of tags: they are numbered 1 .. count. The name of one; NULL for WEND_UNTAGGED, and *length is not written. */
WEND_API uint32_t wend_map_tag_count(const wend_map *map);
WEND_API const char *wend_map_tag_name(const wend_map *map, uint32_t tag, size_t *length);
/* Whether an edge, a cell or a portal of the map has a tag that is marked. Closed ones count. marked: wend_map_tag_count + 1
 * items by tag, 1 or 0; item 0 is for those without a tag. Takes O(tags), and on grids O(tags + values of cells + portals). */
WEND_API bool wend_map_uses(const wend_map *map, const uint8_t *marked);
/* The graph or the grid that a map is; NULL: it is the other. */
WEND_API wend_graph *wend_map_graph(wend_map *map);
WEND_API wend_grid *wend_map_grid(wend_map *map);
/* Destroys the graph or the grid. */
WEND_API void wend_map_destroy(wend_map *map);

/* ---- Graphs ------------------------------------------------------------------------------------------------ */

/* Nodes joined by edges. A node may have a position; an edge has a weight and may have a tag. */

/* An edge that is to be added. */
typedef struct wend_edge_spec {
  wend_id from, to;
  double weight; /* finite and >= 0, or WEND_MEASURED: the distance between the ends, which then need positions */
  uint32_t tag;  /* from wend_map_tag, or WEND_UNTAGGED */
  bool directed; /* true: from `from` to `to` only; false: both ways, at the same weight */
  double width;  /* > 0: closed to agents of a greater wend_costs.size; INFINITY or 0: open to all sizes */
} wend_edge_spec;
#define WEND_MEASURED (-1.0)

/* An edge of a graph. */
typedef struct wend_edge {
  wend_id from, to;
  double weight;
  double length; /* the distance between the ends; NaN if an end has no position */
  uint32_t tag;
  bool directed, closed, measured; /* measured: the weight is the distance, and follows it when an end is moved */
  double width;                    /* > 0; INFINITY: it is not limited */
} wend_edge;

/* Creates an empty graph. dimensions: of positions, 2 or 3. */
WEND_API wend_graph *wend_graph_create(const wend_alloc *alloc, int dimensions);
WEND_API void wend_graph_destroy(wend_graph *graph);
WEND_API int wend_graph_dimensions(const wend_graph *graph);
/* The graph as a map. */
WEND_API wend_map *wend_graph_map(wend_graph *graph);
/* The number of nodes, of nodes without a position, and of edges. */
WEND_API uint32_t wend_graph_node_count(const wend_graph *graph);
WEND_API uint32_t wend_graph_unplaced_count(const wend_graph *graph);
WEND_API uint32_t wend_graph_edge_count(const wend_graph *graph);
/* The memory that a graph holds for nodes and for edges, with the indexes of wend_graph_nearest and _nearest_edges. */
WEND_API void wend_graph_bytes(const wend_graph *graph, size_t *nodes, size_t *edges);

/* Adds a node. position: NULL: it has none. name: NULL: none; no other node has it. radius: see wend_graph_set_radius. tag: see
 * wend_graph_set_node_tag. */
WEND_API wend_status wend_graph_add_node(wend_graph *graph, const double *position, const char *name, size_t length,
                                         double radius, uint32_t tag, wend_id *node);
/* Adds `count` nodes and writes one id to *first: that of the first node. The others follow: *first + 1 and so on.
 * points: the positions one after another; NULL: the nodes have none. tag: of all of them. They have no names, and their radius
 * has no limit. Takes amortized O(count), as adding edges does. examples/c/bulk.c builds a graph this way. */
WEND_API wend_status wend_graph_add_nodes(wend_graph *graph, uint32_t count, const double *points, uint32_t tag,
                                          wend_id *first);
/* Adds `count` edges and writes one id to *first, as above. */
WEND_API wend_status wend_graph_add_edges(wend_graph *graph, uint32_t count, const wend_edge_spec *specs, wend_id *first);
/* Remove a node with all its edges, and an edge. */
WEND_API wend_status wend_graph_remove_node(wend_graph *graph, wend_id node);
WEND_API wend_status wend_graph_remove_edge(wend_graph *graph, wend_id edge);
/* Whether a number is the id of a node, or of an edge. And loops over all. */
WEND_API bool wend_graph_has_node(const wend_graph *graph, wend_id node);
WEND_API bool wend_graph_has_edge(const wend_graph *graph, wend_id edge);
WEND_API wend_id wend_graph_next_node(const wend_graph *graph, wend_id node);
WEND_API wend_id wend_graph_next_edge(const wend_graph *graph, wend_id edge);
/* Counts the edges and nodes by tag: counts[t] is the number of those with tag t, counts[0] that of edges without a tag. counts:
 * room for wend_map_tag_count + 1 numbers. Takes O(edges + nodes). */
WEND_API wend_status wend_graph_count_tags(wend_graph *graph, uint64_t *counts);

/* The position of a node. NULL: it has none. */
WEND_API const double *wend_graph_position(const wend_graph *graph, wend_id node);
/* Moves a node, or gives a position to one that had none. Measured edges at it get their new length as weight. */
WEND_API wend_status wend_graph_move(wend_graph *graph, wend_id node, const double *position);
/* Closes a node or an edge for all agents, or opens it again. No step leads to a closed node or along a closed edge. A path may
 * start on a closed node. */
WEND_API wend_status wend_graph_close_node(wend_graph *graph, wend_id node, bool closed);
WEND_API bool wend_graph_is_closed(const wend_graph *graph, wend_id node);
WEND_API wend_status wend_graph_close_edge(wend_graph *graph, wend_id edge, bool closed);
/* The tag of a node, WEND_UNTAGGED by default. A step onto a node with a tag costs (the price of the edge) x times + plus of the
 * node's tag: see wend_tag_cost. */
WEND_API wend_status wend_graph_set_node_tag(wend_graph *graph, wend_id node, uint32_t tag);
WEND_API uint32_t wend_graph_node_tag(const wend_graph *graph, wend_id node);
/* Change the weight, the tag and the width of an edge, as in wend_edge_spec. */
WEND_API wend_status wend_graph_set_weight(wend_graph *graph, wend_id edge, double weight);
WEND_API wend_status wend_graph_set_tag(wend_graph *graph, wend_id edge, uint32_t tag);
WEND_API wend_status wend_graph_set_width(wend_graph *graph, wend_id edge, double width);
/* Reads an edge. */
WEND_API wend_status wend_graph_edge(wend_graph *graph, wend_id edge, wend_edge *result);
/* Writes to *edge the edge that leads from a to b. Of several it takes the one with the least weight, then the one with the
 * smallest id. Closed edges count. WEND_NO_ID: there is none. Takes O(edges that leave a). */
WEND_API wend_status wend_graph_edge_between(wend_graph *graph, wend_id a, wend_id b, wend_id *edge);
/* Writes the ids of the edges that leave a node, closed ones too, at most `capacity` of them. *count: how many there are, maybe
 * more. One-way edges come first, then two-way edges, both in the order in which they were added. NO_MEMORY: *count is 0. */
WEND_API wend_status wend_graph_edges(wend_graph *graph, wend_id node, wend_id *edges, uint32_t capacity, uint32_t *count);

/* Gives a node a name that no other node has. length 0: removes its name. */
WEND_API wend_status wend_graph_set_name(wend_graph *graph, wend_id node, const char *name, size_t length);
/* The node with a name; WEND_NO_ID: there is none. The name of a node; NULL: it has none, and *length is not written. */
WEND_API wend_id wend_graph_find(const wend_graph *graph, const char *name, size_t length);
WEND_API const char *wend_graph_name(const wend_graph *graph, wend_id node, size_t *length);
/* The radius of a node: how far from the node an agent may pass it, >= 0. 0: exactly at the node, as in a doorway. INFINITY: no
 * limit, the default. Searches ignore it; wend_graph_waypoints uses it. */
WEND_API wend_status wend_graph_set_radius(wend_graph *graph, wend_id node, double radius);
WEND_API double wend_graph_radius(const wend_graph *graph, wend_id node);
/* Inserts the edges that were added since the last sync into the arrays that searches read. If there are many, it packs the
 * whole graph. A program with one thread need not call it. */
WEND_API wend_status wend_graph_sync(wend_graph *graph);

/* ---- Grids ------------------------------------------------------------------------------------------------- */

/* Cells in rows. A step leads to one of the eight neighbours, or through a portal. The weight of a step to a neighbour is its
 * length (1, or that of a diagonal: the square root of 2) x the weight of the cell that it enters. That cell's tag then decides the
 * cost: see Costs.
 *
 *     x  0  1  2  3
 *   y 0  1  2  3  4      The ids of the cells of a grid 4 wide and 3 high. The id is y x width + x + 1, with x and y from 0
 *     1  5  6  7  8      and row 0 at the top: the cell at x 2, y 1 has the id 1 x 4 + 2 + 1 = 7. Points are x and y in cells:
 *     2  9 10 11 12      (0, 0) is the upper left corner of cell 1. A point on a border is of the cell right of it, or below.
 *
 *     0 1 2              The eight directions are numbered in reading order; the opposite of d is 7 - d.
 *     3   4              0, 2, 5 and 7 are the diagonals.
 *     5 6 7 */

/* The rule for diagonal steps. There are two ways round a corner, each by two straight steps:
 *
 *     a b      The diagonal from a to d has a way over b and a way over c. A way is free if no wall crosses its two steps and
 *     c d      the cell in its middle is open for the agent. Under every rule d must be open, and no wall between a and d. */
typedef enum wend_diagonals {
  WEND_BOTH_OPEN, /* both ways are free: no corner is cut */
  WEND_ONE_OPEN,  /* at least one way is free */
  WEND_ALWAYS,    /* walls leave at least one way free; b and c may be closed */
  WEND_NEVER      /* there are no diagonal steps. Lines pass corners as with WEND_BOTH_OPEN */
} wend_diagonals;

/* The shape of the cells. A hex has six neighbours. Each step is 1 long, and there are no corners to pass. Rows or columns of hexes
 * are shifted by half a hex, those with odd or those with even numbers. Their numbers count from 1 here:
 *
 *     / 1 1 1       WEND_EVEN_ROWS: a row has neighbours in the rows above and below: that in its own column, and another one. In a
 *       \ 2 2 2     shifted row this is one column farther; in the others, one column before. */
typedef enum wend_shape {
  WEND_SQUARES,
  WEND_ODD_ROWS,    /* hexes; these rows are shifted to the right */
  WEND_EVEN_ROWS,   /* likewise */
  WEND_ODD_COLUMNS, /* hexes with a flat top; these columns are shifted downwards */
  WEND_EVEN_COLUMNS /* likewise */
} wend_shape;

/* The value of a cell. A cell can be closed for all agents in two ways:
 *
 *   INFINITY, tag                     it has weight 1 when it is opened again
 *   weight, tag | WEND_CELL_CLOSED    it keeps the weight, and has it when it is opened again */
typedef struct wend_cell {
  double weight; /* >= 0; INFINITY: closed */
  uint32_t tag;  /* from wend_map_tag, or WEND_UNTAGGED */
} wend_cell;
#define WEND_CELL_CLOSED 0x80000000u
/* The largest (width + 1) x (height + 2) + 1 of a grid: its cells with a margin around them. */
#define WEND_CELLS_MAX 0x7fffffff

/* Creates a grid of open, untagged cells of weight 1. width, height: >= 1, within WEND_CELLS_MAX. Takes 2 bytes a cell; more
 * with walls, edits, and more than 65,535 different values of cells. */
WEND_API wend_grid *wend_grid_create(const wend_alloc *alloc, uint32_t width, uint32_t height, wend_diagonals diagonals);
/* The same of hexes: not WEND_SQUARES. Takes 1 byte a cell more. Not for hexes: sizes and discs of agents, routes, wend_line,
 * wend_grid_straighten, wend_grid_line_clear, crowds. Their results would be those of squares. */
WEND_API wend_grid *wend_grid_create_hexes(const wend_alloc *alloc, uint32_t width, uint32_t height, wend_shape shape);
WEND_API void wend_grid_destroy(wend_grid *grid);
/* The grid as a map. What it was created with. Of hexes: WEND_ALWAYS. */
WEND_API wend_map *wend_grid_map(wend_grid *grid);
WEND_API uint32_t wend_grid_width(const wend_grid *grid);
WEND_API uint32_t wend_grid_height(const wend_grid *grid);
WEND_API wend_diagonals wend_grid_diagonals(const wend_grid *grid);
WEND_API wend_shape wend_grid_shape(const wend_grid *grid);
/* Whether there is a step between two cells that lie side by side, in one or the other way, if all is open. */
WEND_API bool wend_grid_are_neighbours(const wend_grid *grid, wend_id a, wend_id b);
/* The length of a diagonal step: the square root of 2, unless it is set. Set it before anything else is done with a new grid.
 * length: 1 .. 2. */
WEND_API double wend_grid_diagonal_length(const wend_grid *grid);
WEND_API void wend_grid_set_diagonal_length(wend_grid *grid, double length);
WEND_API size_t wend_grid_bytes(const wend_grid *grid);
/* Counts cells and portals by tag, like wend_graph_count_tags. Closed cells count, a two-way portal twice. Takes O(kinds +
 * portals); O(tags + portals) if the grid has had more than 65,535 different values at once. */
WEND_API void wend_grid_count_tags(const wend_grid *grid, uint64_t *counts);

/* The id of a cell. x < width, y < height, both from 0. */
WEND_API wend_id wend_grid_cell(const wend_grid *grid, uint32_t x, uint32_t y);
/* The direction (0 .. 7) of the step from a cell to a neighbour; -1: the two are not neighbours. */
WEND_API int wend_grid_direction(const wend_grid *grid, wend_id from, wend_id to);
/* The value of a cell as searches see it: a closed cell has weight INFINITY, and no WEND_CELL_CLOSED in its tag. */
WEND_API wend_cell wend_grid_get(const wend_grid *grid, wend_id cell);
/* The same with the weight that a closed cell keeps, and WEND_CELL_CLOSED: wend_grid_set makes an equal cell of it. */
WEND_API wend_cell wend_grid_kept(const wend_grid *grid, wend_id cell);
/* Whether a cell is closed for all agents. */
WEND_API bool wend_grid_is_closed(const wend_grid *grid, wend_id cell);
/* Set the value of a cell, and of a rectangle of cells, corners included: x1 <= x2 < width, y1 <= y2 < height. */
WEND_API wend_status wend_grid_set(wend_grid *grid, wend_id cell, wend_cell value);
WEND_API wend_status wend_grid_fill(wend_grid *grid, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2, wend_cell value);
/* Closes, or with `closed` false opens, all cells of such a rectangle. They keep their weights and tags. Cells that are closed,
 * or open, already are not changed. */
WEND_API wend_status wend_grid_close(wend_grid *grid, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2, bool closed);
/* Sets the `width` values of a row, from left to right. It is meant for filling a new grid: it counts as a change of every cell
 * of the grid, whatever the values. NO_MEMORY: the first cells of the row may be set. */
WEND_API wend_status wend_grid_set_row(wend_grid *grid, uint32_t y, const wend_cell *values);
/* Exchanges the cells of two grids of the same size. So a caller can prepare many changes in `other` and make all of them at
 * once, or none. Tags are exchanged by number: the cells of both grids must use the tag numbers of `grid`. Walls, portals and
 * names of tags stay where they are. Cells whose value differs count as changed. Takes O(cells). */
WEND_API wend_status wend_grid_exchange(wend_grid *grid, wend_grid *other);

/* What cells with a number of the host become, as for wend_grid_set. */
typedef struct wend_numbered {
  uint32_t number;
  wend_cell value;
} wend_numbered;
/* Where the numbers are. The rectangle of cells counts from 0, corners included: x1 <= x2 < width, y1 <= y2 < height. */
typedef struct wend_assign_opts {
  uint32_t x1, y1, x2, y2;
  uint32_t bytes; /* of a number in the data, which has the byte order of the machine: 1, 2 or 4 */
  size_t stride;  /* how many bytes a row of the data begins after the one before */
  const wend_numbered *values;
  uint32_t count; /* of values, whose numbers ascend */
} wend_assign_opts;
/* Gives the cells of a rectangle the values of the numbers in `data`, row by row from the top. Only cells that differ change.
 * INVALID: a number has no value, and nothing has changed: *number, of the cell *cell. NO_MEMORY: nothing has changed; but with more
 * than 65,535 different values of cells, the first cells may be set. Takes O(cells of the rectangle). */
WEND_API wend_status wend_grid_assign(wend_grid *grid, const void *data, const wend_assign_opts *opts, wend_id *cell,
                                      uint32_t *number);
/* Adds a wall between two neighbours, or with `closed` false removes it, and directed ones. It blocks the step both ways. */
WEND_API wend_status wend_grid_wall(wend_grid *grid, wend_id a, wend_id b, bool closed);
/* Closes, or with `closed` false opens, only the step from one cell to its neighbour. What is then closed one way is a directed wall:
 * it blocks neither sight nor bodies that come from the other side. What is closed both ways is a wall. */
WEND_API wend_status wend_grid_wall_directed(wend_grid *grid, wend_id from, wend_id to, bool closed);
/* Whether there is a directed wall that closes the step from one cell to its neighbour. A wall is not directed. */
WEND_API bool wend_grid_is_wall_directed(const wend_grid *grid, wend_id from, wend_id to);
/* Replaces the wall *a, *b by the next one, or if *a is WEND_NO_ID by the first one. Each wall comes once, with the smaller id
 * in *a; a directed one with the step that it closes. The order is that of *a, then of *b. False: there is none. */
WEND_API bool wend_grid_next_wall(const wend_grid *grid, wend_id *a, wend_id *b);
/* Adds a portal: a step from one cell to any other, which scripts call a link. It costs weight (finite, >= 0) x times + plus of
 * its own tag. The cell that it leads to adds no cost, but must be open when a search takes the portal. directed false: adds
 * the portal back as well. A portal between the same cells is replaced. Takes O(portals). */
WEND_API wend_status wend_grid_set_portal(wend_grid *grid, wend_id from, wend_id to, double weight, uint32_t tag,
                                          bool directed);
/* Reads the portal from one cell to another. False: there is none, and nothing is written. Takes O(log portals). */
WEND_API bool wend_grid_find_portal(const wend_grid *grid, wend_id from, wend_id to, double *weight, uint32_t *tag);
/* Like wend_grid_next_wall, for portals in the order of *from, then of *to. A two-way portal comes twice. */
WEND_API bool wend_grid_next_portal(const wend_grid *grid, wend_id *from, wend_id *to);
/* Removes the portals between two cells, in both directions. Returns how many there were: 0, 1 or 2. It cannot fail. */
WEND_API uint32_t wend_grid_remove_portals(wend_grid *grid, wend_id a, wend_id b);

/* Makes the steps of a grid those of a disc, which has to fit through between closed cells, walls and the edge of the grid. A cell
 * is entered if the disc fits there with its centre in the middle, or else on a side or a corner; a step is taken if the disc
 * gets from one of these points to the next, straight or over a third one, and a point could take it. A portal needs room at
 * its end. Where the disc does not fit, it starts like a point. Searches, fields and single steps know the disc; lines and
 * routes do not. It is not part of files, but copies have it. Searches of such a grid do not jump, and it is used by one thread
 * at a time. radius: in cells, at least 0.5; one above WEND_FIT_MAX counts as that. Takes 2 bytes for each cell. It counts as a
 * change of every cell. NO_MEMORY, INVALID. */
WEND_API wend_status wend_grid_fit(wend_grid *grid, double radius);
/* A disc of radius 0.5 gets wherever a point gets, but round corners that the diagonals of the grid cut: for such a radius the grid
 * takes the rule WEND_BOTH_OPEN, takes no memory, and searches jump. A little more is a rounding error. */
#define WEND_FIT_MIN 0.500001
/* Looking at everything around larger discs would take too long. */
#define WEND_FIT_MAX 8.0

/* How the cells of a grid lie in the world. A point in units of cells is in the world at
 *   rows and columns   left + x * wide              top + y * high
 *   isometric          left + (x - y) * wide / 2    top + (x + y) * high / 2
 * So an isometric cell is a diamond, `wide` from corner to corner and `high` from corner to corner. Rows of hexes lie (high + side) /
 * 2 apart in the world, and columns with a flat top (wide + side) / 2. In units of cells both lie 1 apart, and the centre of a hex
 * is where that of a square would be, half a cell farther if it is shifted. */
typedef struct wend_frame {
  double wide, high; /* of a cell; > 0. Of a hex, from side to side, and from corner to corner */
  /* The first corner of cell 1: the upper left one, of a diamond the upper one. Of hexes: of a box around it, if it is not shifted. */
  double left, top;
  bool isometric;
  wend_shape shape; /* that of the grid */
  double side;      /* of a hex: the length of its upright sides, with a flat top of its level ones: 0 .. high, or wide */
} wend_frame;
/* Writes a vector of the world, 2 numbers, in units of cells; a point of the world. */
WEND_API void wend_frame_in_cells(const wend_frame *frame, const double *vector, double *cells);
WEND_API void wend_frame_point_in_cells(const wend_frame *frame, const double *point, double *cells);
/* Writes the column and the row, from 0, of the cell at a point in units of cells. They may lie outside the grid. */
WEND_API void wend_frame_cell(const wend_frame *frame, const double *cells, double *cell);
/* Writes the centre of a cell in the world. */
WEND_API void wend_frame_centre(const wend_frame *frame, double column, double row, double *point);

/* ---- Surfaces ---------------------------------------------------------------------------------------------- */

/* A surface makes a graph of the places where a walker can stand in a world of blocks, and keeps it up to date while blocks change.
 * Its nodes have the positions of the middle of the floors of blocks. doc/surface.md has the rules. The surface alone edits the
 * graph. While it is edited, nothing else may use the graph, as with every edit. */
typedef struct wend_surface wend_surface;

typedef enum wend_block_kind {
  WEND_BLOCK_SOLID,  /* a floor, and no way through */
  WEND_BLOCK_AIR,    /* room */
  WEND_BLOCK_WATER,  /* room that holds swimmers; closed without `swim` */
  WEND_BLOCK_LADDER, /* room that holds climbers; only room without `climb` */
  WEND_BLOCK_DOOR    /* room, whose tag a game can close */
} wend_block_kind;

typedef struct wend_surface_opts {
  uint32_t height, step, drop, jump; /* in blocks: 1 .. 8, 0 .. 8, 0 .. 16, 0 .. 8 */
  bool swim, climb;
  bool centred; /* block (x, y, z) has its middle at (x, y, z); false: its lowest corner */
  bool z_up;    /* false: y is up */
  wend_diagonals diagonals;
} wend_surface_opts;
#define WEND_SURFACE_HEIGHT_MAX 8
#define WEND_SURFACE_STEP_MAX 8
#define WEND_SURFACE_DROP_MAX 16
#define WEND_SURFACE_JUMP_MAX 8
#define WEND_SURFACE_FAR 100000000   /* blocks have coordinates in -FAR .. FAR */
#define WEND_SURFACE_HIGH 500000     /* the same upwards */
#define WEND_SURFACE_BLOCKS 67108864 /* the most blocks of one wend_surface_load */
#define WEND_SURFACE_BELOW 64        /* how far wend_surface_at looks */
#define WEND_SURFACE_COST_MIN 1e-6
#define WEND_SURFACE_COST_MAX 1e6

/* Makes a surface without blocks. graph: empty, in 3 dimensions; it outlives the surface or is destroyed before the next call of it,
 * except wend_surface_destroy. The graph gets the tags "jump" and "drop". NULL: no memory. */
WEND_API wend_surface *wend_surface_create(const wend_alloc *alloc, wend_graph *graph, const wend_surface_opts *opts);
WEND_API void wend_surface_destroy(wend_surface *surface);
/* Says what the blocks with an id are. tag: of the places on them. cost: steps on to them weigh their length times that. INVALID:
 * an id above 65535 or given before, a cost that is not in COST_MIN .. COST_MAX, or more than 255 different classes. */
WEND_API wend_status wend_surface_set_class(wend_surface *surface, uint32_t id, wend_block_kind kind, uint32_t tag,
                                            double cost);
WEND_API bool wend_surface_has_class(const wend_surface *surface, uint32_t id);
/* Loads a box of blocks, or replaces it. corner: the block with the least coordinates. size: along x, y and z. ids: x fastest, then
 * y, then z. width: of an id, in bytes: 1, or 2 in the order of the machine. INVALID: the box is out of range, or *bad is the index
 * of the first id without a class (otherwise SIZE_MAX); nothing has changed. NO_MEMORY: blocks may have changed, and the graph is
 * not up to date; the next call that loads, changes or unloads goes on. */
WEND_API wend_status wend_surface_load(wend_surface *surface, const int32_t *corner, const uint32_t *size, const void *ids,
                                       int width, size_t *bad);
/* Changes a block. INVALID: it is not loaded, or the id has no class. NO_MEMORY: as wend_surface_load. */
WEND_API wend_status wend_surface_change(wend_surface *surface, const int32_t *block, uint32_t id);
/* Unloads the blocks of a box. INVALID: it is out of range. NO_MEMORY: as wend_surface_load. */
WEND_API wend_status wend_surface_unload(wend_surface *surface, const int32_t *corner, const uint32_t *size);
/* The place in the block with this position, or the highest one in the WEND_SURFACE_BELOW blocks below. WEND_NO_ID: there is
 * none. */
WEND_API wend_id wend_surface_at(const wend_surface *surface, const double *position);
/* The memory of a surface, without its graph, in bytes. */
WEND_API size_t wend_surface_bytes(const wend_surface *surface);

/* ---- Costs ------------------------------------------------------------------------------------------------- */

/* The cost of a tag for an agent. The price of a step is weight x times + plus. On a grid, the weight of a step to a neighbour
 * is its length x the weight of the cell.
 *
 *     a swamp, times 3, plus 0.5      an edge of weight 2: 2 x 3 + 0.5 = 6.5
 *                                     a diagonal step onto a cell of weight 2: 1.414 x 2 x 3 + 0.5 = 8.985
 *
 * Onto a node of a graph that has a tag too, the price is (weight x times + plus of the edge) x times + plus of the node. It is
 * closed if one of the two tags is. The edge function is asked if one of them asks, and the promises multiply.
 *
 * If `asks` is set, the edge function gets the price and returns the cost, which must be >= at_least x price. at_least > 0 is a
 * promise. It keeps the heuristic useful, and a search skips calls that cannot improve a path. A closed tag has plus INFINITY
 * and times 0. With a promise it stays closed, and the function is not called. Without one (at_least 0) the function is called
 * with a price of INFINITY, and may open the step. These rules hold for searches, fields, route tables, routes, components and
 * lines. */
typedef struct wend_tag_cost {
  double times, plus; /* >= 0; times is finite */
  double at_least;    /* >= 0 */
  bool asks;
  bool
      ends_turn; /* a step onto a node or cell of this tag, or along an edge or a portal of it, ends the turn: see wend_turns */
  bool pass_only; /* paths may cross nodes and cells of this tag, and start there, but not end there: see wend_turns */
} wend_tag_cost;

/* Costs counted in turns. A turn has `per_turn` points, and each step must fit into one: a step that does not fit into what is
 * left begins the next turn, and a step that costs more than a turn is closed. Costs of paths are then
 *
 *     whole turns + points used of the last one / per_turn
 *
 * and the path of the least such cost is the best. max_cost counts the same. Costs with tags that are pass_only are INVALID, but for
 * fields with `outward` and max_cost <= 1, the moves of one turn. */
typedef struct wend_turns {
  double per_turn; /* finite, > 0; 0: costs are not counted in turns */
  double rest;     /* the points left of the turn in which the path starts, 0 .. per_turn */
  /* A step that does not fit into what is left of a turn may be taken if anything is left, and ends the turn. So no step costs too
   * much. Estimates of the caller must not exceed what such steps count: up to the end of their turns. Only for paths and for
   * fields with `outward`. */
  bool any_last;
} wend_turns;

/* A step that an edge function decides about, in the direction of travel. */
typedef struct wend_step {
  wend_id from, to, edge; /* edge: on a grid WEND_NO_ID */
  double cost;            /* the price; INFINITY: the tag is closed, and made no promise */
  uint32_t tag;           /* of the edge, the cell that the step enters, or the portal */
  uint32_t node_tag;      /* of the node that the step enters; on a grid WEND_UNTAGGED */
} wend_step;

/* An edge function. Returns the cost of a step, >= at_least x step->cost; INFINITY: closed. A negative number or NaN is
 * invalid. On a grid it is also called for the straight steps beside a diagonal: a step that it closes is closed for corners
 * too. */
typedef double (*wend_cost_fn)(void *ud, const wend_step *step);

/* The costs of an agent, with an item for each tag of the map. If the map gets names of tags (wend_map_tag) while a search, a
 * route or a field in slices is under way without `freeze`, it is STALE; an edge function must name none. */
typedef struct wend_costs {
  const wend_tag_cost *tags; /* wend_map_tag_count + 1 of them, tags[0] for WEND_UNTAGGED; NULL: costs are the weights, and
                                the edge function is not called */
  wend_cost_fn edge;         /* NULL: there is none, and `asks` is ignored */
  void *ud;
  /* The size of the agent; 0: not given. On a grid a whole number in 1 .. WEND_SIZE_MAX: the agent covers size x size cells. For an
   * odd size the cell where it is lies in the middle of them, for an even size it is the upper left of the middle four. All of them
   * must be open, without a wall between two of them, and of their costs the greatest counts. On a graph a finite number > 0:
   * edges of a lesser width are closed. */
  double size;
  /* Influence layers of the map that add to the prices of steps: see wend_influence. */
  const struct wend_influence_use *influences;
  uint32_t influence_count;
} wend_costs;
#define WEND_SIZE_MAX 32

/* Writes the cost of an edge to *cost: in its direction, or with `back` against it. INFINITY: it cannot be taken, because it is
 * closed, directed the other way, or closed for the agent. Closed nodes are ignored. NO_MEMORY, ABORTED. */
WEND_API wend_status wend_graph_edge_cost(wend_graph *graph, const wend_costs *costs, wend_id edge, bool back, double *cost);

/* ---- Influence layers ---------------------------------------------------------------------------------------- */

/* A number for each node or cell of a map: danger, for example, or how crowded it is. A step of an agent that has the layer among
 * its costs costs more by factor x number x length. The number is that of the place that the step enters. The length is that of
 * a step of a grid, 1 or that of a diagonal, and of the part of a line in a cell; along an edge and through a portal it is 1.
 * It is added to the price, before the edge function gets it. Under a body the greatest number of a layer counts. It is added to
 * the price of each cell that the body covers, and so to that of the dearest one. Numbers are floats in 0 .. WEND_INFLUENCE_MAX:
 * what is less or more becomes the one or the other. So layers close nothing. Nodes that are added later have 0.
 *
 * Searches read the numbers when they need them, also those of a search in slices. If numbers change meanwhile, its path is one
 * of the map, but perhaps not the cheapest by any of them. Fields and tables keep what they were made with. A layer may be used
 * by several threads while none changes it, and no holder is added or removed (wend_move.h). A layer of a base is one of
 * its overlays too: they have the same nodes and cells. */
typedef struct wend_influence wend_influence;
typedef struct wend_influence_use {
  const wend_influence *layer; /* of the map that is searched, or of its base; NULL: it adds nothing */
  double factor;               /* 0 .. WEND_INFLUENCE_MAX */
} wend_influence_use;
#define WEND_INFLUENCE_MAX 1e30

/* A layer of 0. It borrows nothing of the map. */
WEND_API wend_influence *wend_influence_create(const wend_alloc *alloc, const wend_map *map);
/* Walkers of crowds that keep the layer read 0 from then on. */
WEND_API void wend_influence_destroy(wend_influence *layer);
WEND_API size_t wend_influence_bytes(const wend_influence *layer);
/* The number of a node or cell. Set it, and add to it, perhaps less than 0. value: finite. NO_MEMORY: the first number of a grid
 * takes 4 bytes for each cell, and of a graph 8 bytes for each node, and a 32nd more for a list of changes. */
WEND_API double wend_influence_get(const wend_influence *layer, wend_id id);
/* What the layers of an agent without a size add to a step of length 1 onto a node or cell. */
WEND_API double wend_influence_sum(const wend_costs *costs, wend_id id);
WEND_API wend_status wend_influence_set(wend_influence *layer, wend_id id, double value);
WEND_API wend_status wend_influence_add(wend_influence *layer, wend_id id, double value);
/* How a stamp falls off from its centre to its radius r, at a distance d. */
typedef enum wend_falloff {
  WEND_FALLOFF_LINEAR, /* 1 - d/r */
  WEND_FALLOFF_SMOOTH, /* (1 - (d/r)^2)^2 */
  WEND_FALLOFF_FLAT    /* 1 */
} wend_falloff;
/* Adds `value` to the number of a node or cell, and what the falloff leaves of it to all that are nearer to it than `radius`:
 * cells between their centres, nodes by position; a node without a position is alone. radius: > 0; in cells. NO_MEMORY. Takes
 * O(radius^2), on graphs O(nodes). */
WEND_API wend_status wend_influence_stamp(wend_influence *layer, const wend_map *map, wend_id at, double radius, double value,
                                          wend_falloff falloff);
/* Multiplies all numbers by a factor in 0 .. 1, where less than 1e-20 becomes 0; sets all to 0, and frees their memory;
 * replaces each by `most` minus it, at least 0. */
WEND_API void wend_influence_decay(wend_influence *layer, double factor);
WEND_API void wend_influence_reset(wend_influence *layer);
WEND_API wend_status wend_influence_invert(wend_influence *layer, const wend_map *map, double most);
/* Sets each number to the distance to the nearest cell that is closed for all, or outside of the grid: a straight step counts 1,
 * a diagonal one 1.414, with any rule for diagonals. Beside a wall the distance is 1. NO_MEMORY. */
WEND_API wend_status wend_influence_obstacle_distance(wend_influence *layer, const wend_grid *grid);

/* ---- Causes and single steps -------------------------------------------------------------------------------- */

/* Why a step cannot be taken: name, name for programs. If a step has several causes, the first of the list is its cause. */
#define WEND_CAUSE_LIST(X)                                                                    \
  X(OUTSIDE, "outside") /* the step leaves the grid */                                        \
  X(NO_EDGE, "no_edge") /* there is no such step: no edge, no portal, or diagonals are off */ \
  X(CLOSED, "closed")   /* the node, the edge or the cell is closed for all agents */         \
  X(TAG, "tag")         /* its tag is closed for this agent */                                \
  X(ONE_WAY, "one_way") /* the edge or the portal leads in the other direction only */        \
  X(WIDTH, "width")     /* the edge is too narrow for this agent */                           \
  X(WALL, "wall")       /* a wall, beside a diagonal too */                                   \
  X(CORNER, "corner")   /* a diagonal past a closed cell */                                   \
  X(RULE, "rule")       /* the edge function */

typedef enum wend_cause {
  WEND_CAUSE_NONE, /* nothing: the step can be taken */
#define WEND_CAUSE_ENUM(name, text) WEND_CAUSE_##name,
  WEND_CAUSE_LIST(WEND_CAUSE_ENUM)
#undef WEND_CAUSE_ENUM
} wend_cause;
/* The name of a cause, as in the list: "one_way", for example. NULL for any other number. */
WEND_API const char *wend_cause_name(wend_cause cause);
/* Why no step can enter a node or a cell: NONE, CLOSED or TAG. The edge function is not called: a tag that it may open counts
 * as open. Takes O(1); for a node whose tag is closed O(its edges), without edges that were added after the last query. */
WEND_API wend_cause wend_map_enter_cause(const wend_map *map, const wend_costs *costs, wend_id at);
/* Writes to *shut whether no step can leave a node or cell, or with `enter` whether no step from an open place can enter it. It
 * looks at the steps of this place only. False if there is an edge function, which is not called. Takes O(steps at the
 * place). */
WEND_API wend_status wend_map_is_shut(wend_map *map, const wend_costs *costs, wend_id at, bool enter, bool *shut);

/* The way from one node or cell to the next: an edge, a step or a portal. */
typedef struct wend_way {
  wend_id edge;     /* WEND_NO_ID: on a grid, or there is none */
  bool portal;      /* of a grid */
  double weight;    /* of the edge or portal, or length x weight of the cell, also of a closed one; NaN: there is no way */
  uint32_t tag;     /* of the edge, the portal or the cell */
  double cost;      /* INFINITY: it cannot be taken */
  wend_cause cause; /* then, why */
  wend_id from, to; /* of the step of a body: those of the cell that counts, the dearest or a closed one; else WEND_NO_ID */
  double added;     /* the part of the price that influence layers add */
} wend_way;
/* Finds the cheapest way from one node or cell to another by a single edge, step or portal. Of edges of equal cost it takes the
 * one with the smallest id, and a step before a portal. closed: `to` counts as open. If nothing can be taken, it describes
 * one way that cannot. NO_MEMORY, ABORTED. */
WEND_API wend_status wend_map_way(wend_map *map, const wend_costs *costs, wend_id from, wend_id to, bool closed, wend_way *way);
/* The same for the part of a straight line that lies in the next cell in a direction, which exists. length: of that part, in
 * cells. */
WEND_API wend_status wend_grid_stretch(const wend_grid *grid, const wend_costs *costs, wend_id from, int direction,
                                       double length, wend_way *way);

/* ---- Searches ---------------------------------------------------------------------------------------------- */

/* A search object: its memory and its result. It serves any number of searches, one after another, on any maps. A search that
 * has run before on a map of that size allocates little or nothing. */
typedef struct wend_search wend_search;

/* The distance by which a search estimates the cost to the goal. It is multiplied by the least cost per length, which the map
 * and the agent's costs give. So an estimate never exceeds the true cost, with any of these, and A* finds the cheapest path.
 * There are no estimates, as with WEND_ZERO, if the least cost per length is 0 or unknown: a node of the graph has no position,
 * or an edge function may lower a cost without a promise. The same holds, because of rounding, for a least cost per length
 * below 1e-250, and for graphs with a weight above 0 and below 2^-63. */
typedef enum wend_heuristic {
  WEND_AUTO,      /* graphs: euclidean; grids: octile, with WEND_NEVER manhattan; hexes: steps, whatever the metric */
  WEND_ZERO,      /* no estimates: Dijkstra's algorithm */
  WEND_EUCLIDEAN, /* the straight distance */
  WEND_MANHATTAN, /* |dx| + |dy| + |dz| */
  WEND_CHEBYSHEV, /* the largest of |dx|, |dy| and |dz| */
  WEND_OCTILE,    /* the length of a path of straight and diagonal steps */
  WEND_CUSTOM     /* the caller's function */
} wend_heuristic;
/* A heuristic of the caller: an estimate of the cost from a node or cell to a goal. It must be finite, >= 0 and not exceed the
 * true cost; otherwise the path may not be the cheapest. A negative number or NaN is invalid. With several goals it is called
 * for each. */
typedef double (*wend_heuristic_fn)(void *ud, wend_id node, wend_id goal);

/* Whether the line from a node or cell of a map to a goal is free. Called while a search or a field begins, and in its slices: it must
 * answer the same as long as the map is the same. */
typedef bool (*wend_sight_fn)(void *ud, wend_map *map, wend_id from, wend_id goal);

/* Where a path to a goal ends. closed: goals may be closed by wend_graph_close_node or WEND_CELL_CLOSED: the last step of a path may
 * enter its goal as if it were open, and no other step does. Costs of tags and the edge function count as always.
 *
 * With any of the others it ends at any node or cell that fits the goal, that is, meets all conditions that are given; then `closed`
 * has no meaning. The goal may be closed; the place that fits must be open for the agent, unless the path starts there. With several
 * goals, a place that fits one of them. If no place fits, there is no path. If few places lie within the distance of few goals, they
 * are tested when the search begins. Otherwise each place is tested when the search comes to it: it has no estimates of the caller, no
 * tables and no labels then, and wend_search_step counts the tests as work on tables. Not for routes over graphs. */
typedef struct wend_end_rule {
  bool closed;
  /* One step leads from there onto the goal, as if that were open. The goal itself does not fit. */
  bool beside;
  /* At a straight distance of at most this, >= 0: in cells, between centres; on graphs nodes without a position do not fit.
   * INFINITY: not given. */
  double within;
  wend_sight_fn sight; /* it sees the goal; NULL: not given. Of grids wend_grid_sees, for example */
  void *sight_ud;
} wend_end_rule;

typedef struct wend_search_opts {
  wend_costs costs;
  wend_heuristic heuristic;
  wend_heuristic_fn heuristic_fn; /* for WEND_CUSTOM */
  void *heuristic_ud;
  uint64_t max_expanded; /* the search ends with BUDGET after this many expansions */
  double max_cost;       /* paths that cost more do not count; the search ends with BUDGET if it dropped such a path */
  bool partial;          /* keep the reached node that is nearest to a goal, for wend_search_partial; goals need positions */
  const double *toward;  /* with `partial`: nearest to this point instead; NULL: to a goal */
  double variation;      /* finite, >= 0: the path may cost up to 1 + variation times the cheapest; 0: it is the cheapest */
  uint64_t seed; /* with `variation`: draws the factors, from 1 to 1 + variation, by which the costs of steps are multiplied */
  /* For searches in slices: read the map as it is at the beginning, whatever edits come. The search keeps that version until it
   * ends, is reset or begins again; after NO_PATH and BUDGET with `partial` until wend_search_partial. false: an edit makes it
   * STALE. Routes have the same option in theirs, fields in wend_field_opts. */
  bool freeze;
  bool compact;       /* for many searches in slices: less memory on small maps: wend_search_bytes */
  wend_end_rule ends; /* with places that fit, estimates of the caller are for these */
  bool corners;       /* the path over a grid has only its corners: see wend_search_keep_corners */
  bool no_labels;     /* does not ask what earlier searches have learned: the work depends on the map and the options alone */
  bool visited;       /* keep what the search looks at, for wend_search_visited: 16 bytes for each expansion */
  /* The question is only whether there is a path: OK or NO_PATH, without a path. See wend_search_can_reach. Without limits, `partial`
   * and `variation`. */
  bool reach_only;
  /* per_turn > 0: without `variation`, `corners` and `reach_only`. The cost of wend_search_path is still the sum of the steps, in
   * points; wend_search_turns has the turns. */
  wend_turns turns;
} wend_search_opts;
/* The default options: costs are the weights, heuristic WEND_AUTO, no limits, no variation, not frozen. */
WEND_API wend_search_opts wend_search_opts_default(void);

/* How a search takes steps. Of these the fastest runs that the map and the options allow. */
typedef enum wend_loop {
  WEND_LOOP_NONE,  /* there was nothing to search */
  WEND_LOOP_WALK,  /* straight towards the only goal, over cells that cost the least: nothing is expanded */
  WEND_LOOP_JUMPS, /* from jump point to jump point of a grid */
  WEND_LOOP_FLOOD, /* a field over cells: their weights and tags alone decide */
  WEND_LOOP_CELLS, /* from cell to cell: their weights and tags decide, layers and turns may add */
  WEND_LOOP_STEPS, /* from cell to cell: each step is computed, with walls, portals and the edge function. If a search trusts what
                      the function promises, it uses the loops above */
  WEND_LOOP_GRAPH /* along edges */
} wend_loop;

/* What a search has done. */
typedef struct wend_stats {
  /* Nodes or cells whose steps were examined, one perhaps several times; entries of the queue; calls of the edge function. */
  uint64_t expanded, pushed, callbacks;
  /* The least cost per length that the estimates used; 0: there were none, or they were the caller's. Up to 128 edges, or 64
   * portals, that cost far less for their length than all others do not count: the estimates know the ways through them. */
  double bound;
  double lowered;     /* by how much all estimates are lower, for such edges that are short */
  uint32_t shortcuts; /* ways through the others that the estimates know: each direction is one */
  /* The work on tables of the map, and on tests of range and sight, in expansions: see wend_search_slice_tables. */
  uint64_t tables;
  bool landmarks; /* the estimates came from the tables of a prepared map; then `bound` is that of the straight distance */
  bool known;     /* the result was known without a search: see wend_search_can_reach */
  wend_loop loop; /* the one that ran last */
} wend_stats;

/* Creates a search without a result. */
WEND_API wend_search *wend_search_create(const wend_alloc *alloc);
WEND_API void wend_search_destroy(wend_search *search);
/* The memory that a search holds now, without shared views: for the parts of the map that it and those before it have reached,
 * in pages of 64 places: 16 bytes for each cell, 20 with jump points where costs differ, or 24 for each node; where that is at
 * most 8 MB for the whole map (compact: 40 KB), for the whole map. */
WEND_API size_t wend_search_bytes(const wend_search *search);
/* Frees a part of the memory of a search that is new or was reset: so little that it takes no longer than a step. False: there
 * is not much left, and wend_search_destroy takes no longer. */
WEND_API bool wend_search_trim(wend_search *search);

/* Views of maps: labels (wend_search_can_reach); and of grids, what searches compute from a grid and the costs of an agent, if
 * these depend on weights and tags alone. For each profile and size of agents that cover several cells there is a grid of where
 * they fit, for up to 16 of them: about 2 bytes for each cell. A view takes 17 bytes for each different value of cells, and, if
 * all open cells cost the same, two bits for each cell. The first search for an agent reads all cells, and later searches only
 * the changes. Each search keeps its own views, unless it shares those of other searches. */
typedef struct wend_views wend_views;
WEND_API wend_views *wend_views_create(const wend_alloc *alloc);
/* Frees shared views when no search shares them any more: now, or with the last such search. */
WEND_API void wend_views_destroy(wend_views *views);
/* Lets a search that is new or was reset use shared views from now on; NULL: its own again. Searches that share views must be
 * used by one thread at a time. */
WEND_API void wend_search_share(wend_search *search, wend_views *views);
/* Free what a search, or shared views, keep of a map between searches: labels, and the views of a grid, of up to 32 agents that
 * used it lately. Only needed to save memory before a map is destroyed. */
WEND_API void wend_search_forget(wend_search *search, const wend_map *map);
WEND_API void wend_views_forget(wend_views *views, const wend_map *map);

/* Begins a search for the cheapest path from a node or cell to any of the goals. Without goals there is no path. The start may be
 * closed; a closed goal is not reached, unless it is the start, or opts->ends.closed is set. opts is copied. A* by P. Hart, N. Nilsson
 * and B. Raphael, 1968; Dijkstra's algorithm, 1959; on grids also jump point search by D. Harabor and A. Grastien, 2011,
 * and M. Carlson, D. Harabor and P. Stuckey, 2023. NO_MEMORY, ABORTED; INVALID: see wend_turns. */
WEND_API wend_status wend_search_begin(wend_search *search, wend_map *map, wend_id from, const wend_id *goals,
                                       uint32_t goal_count, const wend_search_opts *opts);
/* A node or cell where a path may begin or end, and the cost to get there, or to go on from there: finite, >= 0. */
typedef struct wend_end {
  wend_id at;
  double cost;
} wend_end;
/* The same from any of several starts to any of several goals. Without starts there is no path either. It finds the path
 * with the least sum of the cost at its start, the costs of its steps and the cost at its goal. The sum is the cost of the
 * path. */
WEND_API wend_status wend_search_begin_between(wend_search *search, wend_map *map, const wend_end *starts, uint32_t start_count,
                                               const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts);
/* Continues a search for at most max_expanded expansions.
 *
 *   OK          there is a path: wend_search_path
 *   NO_PATH     no path leads to a goal; see wend_search_partial
 *   BUDGET      a limit of the options was reached first; see wend_search_partial
 *   STALE       without `freeze`: the map was changed since the beginning
 *   RUNNING, NO_MEMORY, ABORTED
 *
 * The result does not depend on earlier searches. Which of several cheapest paths it is:
 *
 *   graphs      without estimates, one with the fewest edges; with estimates, fewer edges win among the paths that the search
 *               has compared. Then a node is reached from the neighbour with the smallest id, by the edge with the smallest id.
 *   grids       sums that differ only by rounding count as equal, and the path found first stays. It depends only on the map,
 *               the costs and the ends (on a grid with more than 65,535 different values of cells also on its edits).
 *   variation   it depends on the seed as well. Its cost is the true one, and at most max_cost: if that of the seed costs more, it is
 *               the cheapest. With `partial` and max_cost it is the cheapest, too. */
WEND_API wend_status wend_search_step(wend_search *search, uint64_t max_expanded);
/* Makes the path to the reached node that is nearest to a goal the result, by straight distance. Of several it takes the
 * cheapest, then the one with the smallest id. Precondition: the search has the option `partial` and ended with NO_PATH or
 * BUDGET. NO_PATH: it had no start or no goal. NO_MEMORY. ABORTED: the edge function is called again to sum the cost on a
 * graph. */
WEND_API wend_status wend_search_partial(wend_search *search);
/* Ends a search and drops its result. Required after a callback has left by longjmp. This function, wend_search_destroy and the
 * beginning of a search never access the map that was searched before, so that map may have been destroyed. */
WEND_API void wend_search_reset(wend_search *search);
/* The resulting path. Returns the number of its nodes or cells; 0: there is no path. *nodes: these, from the start on. *edges:
 * the edges between them, one less; on a grid without content. */
WEND_API uint32_t wend_search_path(const wend_search *search, const wend_id **nodes, const wend_id **edges, double *cost);
/* Where the turns of the resulting path end, with per_turn: the numbers, from 0, of its nodes or cells, in order, the last one too.
 * 0 as the first of them: the first step did not fit into what was left of the first turn. Returns how many turns end. */
WEND_API uint32_t wend_search_turns(const wend_search *search, const uint32_t **ends);
/* Keeps of the resulting path over a grid its first cell, the cells where it turns, the ends of portals, and its last cell; and the
 * last cell of a leg before one to which a portal leads from the first. The cost stays. */
WEND_API void wend_search_keep_corners(wend_search *search, const wend_grid *grid);
/* Which of the given goals the resulting path leads to: with a range one that its end fits. Precondition: the
 * search has ended with OK, and has a path. */
WEND_API wend_id wend_search_goal(const wend_search *search);
/* A node or cell that a search has expanded, and what it had cost by then: with variation in the world of the seed. */
typedef struct wend_visited_node {
  wend_id at;
  double cost;
} wend_visited_node;
/* What the search begun last has expanded, in that order: with the option `visited`, otherwise nothing. A node that became cheaper is
 * there again. Returns how many there are. *list: valid until the search runs on, is reset or begins again. */
WEND_API uint64_t wend_search_visited(const wend_search *search, const wend_visited_node **list);
/* What the search begun last has done so far. */
WEND_API wend_stats wend_search_stats(const wend_search *search);
/* The version of the map that the search begun last, or the field or route on it, reads or has read: see wend_map_version. */
WEND_API uint64_t wend_search_version(const wend_search *search);

/* Writes to *reached whether a path leads from a node or cell to any of the goals: whether wend_search_begin with the same
 * costs, and without limits, would find one. Afterwards the search has no result, only statistics. NO_MEMORY, ABORTED.
 *
 * A search keeps labels: the components of the map for an agent. With labels the answer is a look-up; without, this function
 * runs a search. A search for a path that has none does not begin then either, unless it is partial, has a limit or the
 * caller's heuristic: it expands nothing, and calls no edge function. Labels are made when searches without a result, or of
 * this function, have cost about as much as making them, and kept for eight maps and agents; labels that answer often are not
 * replaced by others at once. Each takes 4 bytes for each node or cell, and some for each component. Agents for which the same
 * tags are closed have the same labels. What opens is added; after something has closed the labels still prove that there is no
 * path, but this function may have to search where there is one, until labels are made again. With an edge function that is
 * asked, labels can only prove that there is no path.
 *
 * Takes O(changes of the map since the last call) with labels; one-way edges and portals between components may need a search
 * over the components. Strong components by R. Tarjan, 1972; components of grids by A. Rosenfeld and J. Pfaltz, 1966. */
WEND_API wend_status wend_search_can_reach(wend_search *search, wend_map *map, wend_id from, const wend_id *goals,
                                           uint32_t goal_count, const wend_costs *costs, bool closed, bool *reached);
/* Whether wend_search_can_reach would answer every question about this map and these costs from labels: there are some, they
 * are those of the map as it is now, and no edge function is asked. It makes none. While it is true, the other function takes
 * O(tags) for each goal. Takes O(tags), and the changes of the map since the labels were used. */
WEND_API bool wend_search_knows_reach(wend_search *search, wend_map *map, const wend_costs *costs);
/* Whether steps of a search, also of fields and routes on it, make what searches keep of a map in slices too, and follow long
 * paths back in slices: each step does not more work on these than on as many expansions, and what it does counts as expansions.
 * So no step takes long; but how much a step expands depends on the searches before. Default: false; then one step makes it at
 * once. */
WEND_API void wend_search_slice_tables(wend_search *search, bool slice);

/* ---- Prepared maps ----------------------------------------------------------------------------------------- */

/* A map can be prepared for searches: it then holds tables of the costs between every node or cell and a few landmarks, from
 * which searches get better estimates than from the straight distance. Searches with WEND_AUTO use them where they help. The
 * costs of paths stay the same, but for rounding; of several equally cheap paths a search may find another one than on a map
 * that is not prepared. The tables belong to the map: they are destroyed with it, and copies of the map have none.
 *
 * A map can have tables for the weights, and beside them for some profiles: each time it is prepared for other prices it gets more.
 * Tables are told apart by their prices, not by where they came from. A search uses the tables that fit its agent best: those for its
 * own prices if there are some. All others serve as far as their prices, times the least ratio, are below those of the agent.
 *
 * The tables stay after edits. Closing and dearer costs never matter. Where an edit makes a step cheaper than the tables allow,
 * estimates are lowered by what it saves, until the map is prepared again: by the sum for all edits, but for each node or cell
 * only the greatest saving of the steps that enter it counts. On grids they rise again when an edit is undone. Closed nodes and
 * edges of graphs count as open in the tables; closed cells of grids do not, so prepare a grid with its doors open.
 *
 * Landmarks: A. Goldberg and C. Harrelson, "Computing the shortest path: A* search meets graph theory", 2005; placed by the
 * rule `avoid` of A. Goldberg and R. Werneck, "Computing point-to-point shortest paths from external memory", 2005. */
typedef struct wend_prepare_opts {
  uint32_t
      landmarks; /* 1 .. WEND_LANDMARKS_MAX; 0: the default, 16 for graphs and 8 for grids, but no tables for a grid whose open
                         cells are alike (WEND_PREPARED_ALIKE) */
  wend_costs costs; /* the agent for whom the tables are made. tags NULL: the weights. The edge function is not called: its tags
                         count at their price */
  bool edits; /* the map may be edited between slices. A grid is then copied at the beginning: about 2 bytes for each cell */
} wend_prepare_opts;
/* The most landmarks that tables can have. */
#define WEND_LANDMARKS_MAX 16u
/* The most profiles that a map can have tables for, beside those for the weights. */
#define WEND_PROFILES_MAX 4u

/* A preparation: it makes the tables in slices, while the map is searched as before. */
typedef struct wend_preparation wend_preparation;
/* Begins to prepare a map, with the allocator of the map. opts: its costs of tags are copied; NULL: the defaults. */
WEND_API wend_preparation *wend_preparation_create(wend_map *map, const wend_prepare_opts *opts);
/* Continues for about `places` nodes or cells of its searches. All slices together take at most 50 searches of the whole map.
 * OK: the map has the new tables, in place of its old ones for the same prices. RUNNING. STALE, a grid was changed since the
 * beginning, without opts.edits, or wend_map_can_prepare is false now; NO_MEMORY: it keeps the tables that it had. Edits
 * between slices count for the new tables as if they came later. The last slice looks at all edges or cells once more. After
 * about as many edits as a graph has nodes or edges, its memory is reordered, and the preparation begins again. */
WEND_API wend_status wend_preparation_step(wend_preparation *preparation, uint64_t places);
/* The same work by two threads, with the same tables. wend_preparation_open returns how many searches can run at the same time,
 * 1 or 2: call wend_preparation_search for each of them, with 0 and 1, on any thread, and then wend_preparation_open again. They
 * allocate nothing, and meanwhile nobody edits the map. 0: nothing can, so go on with wend_preparation_step. For grids it takes
 * memory for a second search, 4 bytes for each cell; without that memory one search runs alone. */
WEND_API uint32_t wend_preparation_open(wend_preparation *preparation);
WEND_API void wend_preparation_search(wend_preparation *preparation, uint32_t search);
/* How much of it is done, about: 0 at the beginning, 1 at the end. */
WEND_API double wend_preparation_progress(const wend_preparation *preparation);
/* Frees a preparation, also one that has not ended; the map keeps the tables that it has. It never accesses the map. */
WEND_API void wend_preparation_destroy(wend_preparation *preparation);
/* Whether a map may get tables for the prices of an agent: it has some, they are the weights, or it has tables for fewer than
 * WEND_PROFILES_MAX other profiles. */
WEND_API bool wend_map_can_prepare(const wend_map *map, const wend_costs *costs);
/* Removes the tables of a map that are for the prices of an agent, if it has some; NULL: all of its tables. Searches of the map
 * that are in progress must be begun again. */
WEND_API void wend_map_unprepare(wend_map *map, const wend_costs *costs);

/* Why a search of an agent does not use the tables. */
typedef enum wend_unprepared {
  WEND_PREPARED_USED,  /* it uses them */
  WEND_PREPARED_COSTS, /* the agent pays nothing, or might, for something that cost more in the tables, or was closed there */
  WEND_PREPARED_EDITS, /* edits made steps so cheap, or the map is not the one that the tables were made for */
  WEND_PREPARED_ALIKE  /* of a preparation: it makes none, because all open cells of the grid are alike; see landmarks */
} wend_unprepared;

typedef struct wend_prepared_info {
  uint32_t landmarks;
  uint64_t bytes;         /* of the tables */
  double unit;            /* the cost for which the tables count 1; they round costs down */
  bool own;               /* they are for the prices of the agent */
  double share;           /* estimates for the agent are this share of those in the tables; 0: they are not used */
  double slack;           /* and they are lower by this cost since edits: the mean of all landmarks */
  wend_unprepared reason; /* then, why */
} wend_prepared_info;
/* Whether a map has tables; and how searches with the costs of an agent use the tables that they choose. Without tables, or if the
 * graph cannot be synced for lack of memory, the result is false and *info is all zero. Takes O(tags). */
WEND_API bool wend_map_prepared(wend_map *map, const wend_costs *costs, wend_prepared_info *info);
/* The same for the tables that a preparation has made, but nothing about an agent. All zero: it has not ended, or failed. Only
 * `reason` is set: it has made none. */
WEND_API void wend_preparation_info(const wend_preparation *preparation, wend_prepared_info *info);

/* ---- Fields ------------------------------------------------------------------------------------------------ */

/* A field holds, for each node or cell, the cost of the cheapest path to any of some goals and the first step of that path. One
 * search computes it for all starts. With `outward` it holds the cost from the goals, and the last step. A field and a map that
 * a function takes belong together. Functions that look up one node or cell take O(1), unless the comment says otherwise. */
typedef struct wend_field wend_field;

typedef struct wend_field_opts {
  wend_costs costs;
  uint64_t max_expanded; /* BUDGET after this many expansions */
  double max_cost;       /* nodes and cells at a higher cost are not reached */
  uint32_t window;       /* grids: only cells at most this many columns and rows from a goal; 0: the whole grid. Graphs: 0 */
  bool outward;          /* costs from the goals instead of costs to the goals */
  bool freeze;           /* in slices: reads the map as it is at the beginning, as in wend_search_opts */
  /* As in wend_search_opts: values and max_cost are then costs in the world of the seed, those of wend_field_path are true. Not
   * with per_turn. */
  double variation;
  uint64_t seed;
  /* Goals that may be closed have no values; `outward` needs it not. After arithmetic they are like other closed nodes and cells: no
   * step enters them. Otherwise costs to the places that fit the goals, closed ones too; each has the value of its goal. With
   * `window`, places in the windows of the goals. */
  wend_end_rule ends;
  /* per_turn > 0: the values are in turns, and `rest` counts for `outward` only; any_last is INVALID without `outward`. To the goals
   * they are those of the path with its turns counted from the goal: ceil(value) turns are the fewest. Without start values and
   * wend_field_relax. If an edge function decides costs, the field has no paths (wend_field_leads). */
  wend_turns turns;
} wend_field_opts;
/* The default options: costs are the weights, no limits, the whole map, costs to the goals. */
WEND_API wend_field_opts wend_field_opts_default(void);

/* Creates a field in which no node and no cell is reached. */
WEND_API wend_field *wend_field_create(const wend_alloc *alloc);
WEND_API void wend_field_destroy(wend_field *field);
/* Makes a field of a map and replaces what the field held. goals: nodes or cells; without any, the field is empty. values: a
 * start value for each, finite, may be negative; NULL: all 0. The cost of a node is the least sum of a path and the value of
 * its goal. The search lends its memory, and its result is dropped. Afterwards the field borrows nothing but the map. After
 * a longjmp, call wend_field_reset too. Dijkstra's algorithm, 1959, for the whole map or the windows. NO_MEMORY, BUDGET,
 * ABORTED: the field is empty. */
WEND_API wend_status wend_field_make(wend_field *field, wend_search *search, wend_map *map, const wend_id *goals,
                                     const double *values, uint32_t goal_count, const wend_field_opts *opts);
/* The same in slices. The field is empty until the last one. The first and the last slice also take O(size of the field).
 * *used: the expansions of this slice, also those of an attempt that was given up and that the statistics leave out; NULL: not
 * wanted. wend_field_step: RUNNING; and, with an empty field, STALE: without `freeze` the map was changed since the beginning, or
 * the field or the search was reset; BUDGET, ABORTED, NO_MEMORY. */
WEND_API wend_status wend_field_begin(wend_field *field, wend_search *search, wend_map *map, const wend_id *goals,
                                      const double *values, uint32_t goal_count, const wend_field_opts *opts);
WEND_API wend_status wend_field_step(wend_field *field, wend_search *search, uint64_t max_expanded, uint64_t *used);
/* Empties a field. It keeps its memory for wend_field_make. This function, wend_field_destroy and wend_field_make never access
 * the map that the field was made of before, so that map may have been destroyed. */
WEND_API void wend_field_reset(wend_field *field);

/* Brings a field up to date with its map: what edits have touched since it was made is mended, or all of it is made again with the
 * same goals and options, but for max_expanded. Either way it has the same bits as a new one. Goals that were removed are left out.
 * costs: as a rule those that it was made with; if tags cost something else, it is made again. *changed: how many values were found
 * again; *rebuilt: whether all were. INVALID: the field was read from a file, has `sight`, or arithmetic has changed it, also if it
 * was relaxed since. NO_MEMORY, ABORTED: the field is empty; it can be updated again. After a longjmp, call wend_field_reset too.
 * Takes time in proportion to *changed and the edits; otherwise that of wend_field_make, and up to 0.6 of it more. */
WEND_API wend_status wend_field_update(wend_field *field, wend_search *search, wend_map *map, const wend_costs *costs,
                                       uint32_t *changed, bool *rebuilt);
/* The same in slices, so that the field answers as before until the end. wend_field_mend returns RUNNING with an unchanged field if
 * all of it must be made again; otherwise as wend_field_update. wend_field_begin_again then begins in another field, `made`, what
 * wend_field_step goes on with: as in wend_field_begin, with `freeze`. Once that is done, `made` takes the place of the field.
 * NO_MEMORY, ABORTED: the field is unchanged. */
WEND_API wend_status wend_field_mend(wend_field *field, wend_search *search, wend_map *map, const wend_costs *costs,
                                     uint32_t *changed);
WEND_API wend_status wend_field_begin_again(wend_field *made, const wend_field *field, wend_search *search, wend_map *map,
                                            const wend_costs *costs, bool freeze);

/* Writes the value of a node or cell to *cost. False: it is not reached. A closed node or cell has a value too if a step leads
 * from it to a reached one, because a path may start there; with `outward` it has none. */
WEND_API bool wend_field_cost(const wend_field *field, wend_id at, double *cost);
/* The next node or cell on the path from `at` to its goal, and that goal; with `outward`, the one before `at` on the path from
 * its goal, and the goal where that begins. WEND_NO_ID: `at` is not reached, or, of the first, a goal. Precondition: no
 * arithmetic (wend_field_is_altered). The second takes O(steps of the path). */
WEND_API wend_id wend_field_next(const wend_field *field, wend_id at);
WEND_API wend_id wend_field_goal(const wend_field *field, wend_id at);
/* Makes the path from `at` to its goal, or with `outward` from the goal to `at`, the result of a search. Its cost is the sum of
 * its steps, without the start value of the goal. Precondition: no arithmetic, and wend_field_leads. NO_MEMORY. NO_PATH: `at` is not
 * reached. STALE: the field counts turns, and the map has changed. Takes O(steps of the path). */
WEND_API wend_status wend_field_path(const wend_field *field, wend_search *search, wend_map *map, wend_id at);
/* Loops over the reached nodes or cells, like `next`. Those that were closed when the field was made, for all agents or by
 * their tag, are left out, although they may have a value. */
WEND_API wend_id wend_field_each(const wend_field *field, wend_id after);
/* The number of nodes or cells that have a value. Takes O(size of the field). */
WEND_API uint32_t wend_field_count(const wend_field *field);
/* The version of the map when the field was made or relaxed. If wend_map_version differs, the field is stale. It can still be
 * read. */
WEND_API uint64_t wend_field_version(const wend_field *field);
WEND_API size_t wend_field_bytes(const wend_field *field);
/* Whether paths can be followed in it, unless arithmetic has changed it: see the turns of wend_field_opts. */
WEND_API bool wend_field_leads(const wend_field *field);
/* Whether each tag costs as much as when the field was made. It does not look at weights, the size and layers, and asks no edge
 * function. *asked: whether an edge function or layers may have decided costs of the field. */
WEND_API bool wend_field_has_costs(const wend_field *field, const wend_map *map, const wend_costs *costs, bool *asked);
/* Whether wend_field_add or wend_field_scale was called since it was made or relaxed; and options that it was made with. */
WEND_API bool wend_field_is_altered(const wend_field *field);
WEND_API bool wend_field_is_outward(const wend_field *field);
WEND_API uint32_t wend_field_window(const wend_field *field);
WEND_API wend_turns wend_field_turns(const wend_field *field);

/* Adds the values of another field of the same map, of its base or of another overlay, times a finite factor; afterwards only nodes
 * and cells that both fields reach are reached. Multiplies all values by a finite factor. Take O(size of the field). */
WEND_API void wend_field_add(wend_field *field, const wend_field *other, double factor);
WEND_API void wend_field_scale(wend_field *field, double factor);
/* Lowers values until no step can lower another one: until the value of each node or cell is at most the cost of each step from
 * it + the value where that step leads (with `outward`, of each step to it + the value where that step begins). It is a search
 * with all reached nodes or cells as goals, at their values; so it may reach more of them, and afterwards paths can be followed
 * again. Without arithmetic before, it does nothing. costs: as a rule the costs that the field was made with. NO_MEMORY,
 * ABORTED. */
WEND_API wend_status wend_field_relax(wend_field *field, wend_search *search, wend_map *map, const wend_costs *costs);
/* Writes to *next the neighbour of `at` with the lowest value, of all that are lower than `at` and that a step can enter. Of
 * equal ones it takes the smallest id. Portals count. WEND_NO_ID: there is none, or `at` is not reached. NO_MEMORY, ABORTED.
 * Takes O(steps from `at`). */
WEND_API wend_status wend_field_lowest(const wend_field *field, wend_map *map, const wend_costs *costs, wend_id at,
                                       wend_id *next);

/* Sets the numbers of a layer of the map to the costs of a field, and numbers that it does not reach to `unreached`. NO_MEMORY. */
WEND_API wend_status wend_influence_from_field(wend_influence *layer, const wend_map *map, const wend_field *field,
                                               double unreached);

/* ---- Batches ----------------------------------------------------------------------------------------------- */

/* A batch answers many tasks by several threads of the host: each makes a path or a field. The core starts no threads.
 *
 *     wend_batch_begin              checks the tasks, and reserves memory for each worker
 *     wend_batch_work(batch, i)     worker number i, 0 .. workers - 1, does tasks until there are no more: on any thread, and on
 *                                   several threads at the same time, but each worker on one. It calls no allocator
 *     wend_batch_end                after all calls of wend_batch_work have returned: does what is left, as one thread
 *     wend_batch_result             what a task has found
 *
 * The results are those of wend_search_step and wend_field_make, with the same bits, whatever worker has done what. A worker whose
 * memory is used up leaves its task to wend_batch_end, and has twice the memory in the next batch. Between begin and end the maps
 * must not change, and the maps, the search, the fields, and what the tasks point to are used by nothing else. */
typedef struct wend_batch wend_batch;

/* A path if `path` is not NULL: from `from` to any of the goals; or a field. Without an edge function, and without WEND_CUSTOM. */
typedef struct wend_batch_task {
  wend_map *map;
  wend_id from; /* of a path */
  const wend_id *goals;
  uint32_t goal_count;
  const wend_search_opts *path; /* NULL: a field */
  wend_field *field; /* that is made, for no other task; with its options, and the start values of the goals or NULL */
  const wend_field_opts *opts;
  const double *values;
} wend_batch_task;

/* What a task has found. The nodes and edges are borrowed until the next wend_batch_begin. */
typedef struct wend_batch_found {
  wend_status status;           /* of wend_search_step or wend_field_make */
  bool partial;                 /* the path is that of wend_search_partial; then the status is NO_PATH or BUDGET */
  uint32_t node_count;          /* 0: there is no path, or it was a field */
  const wend_id *nodes, *edges; /* as from wend_search_path */
  double cost;
  wend_stats stats; /* of paths that labels know not to exist: as with the option no_labels, or `known` */
} wend_batch_found;

/* The most workers that a batch can have. */
#define WEND_WORKERS_MAX 64u
/* Creates a batch without results. Destroys one; precondition: it is not in progress. */
WEND_API wend_batch *wend_batch_create(const wend_alloc *alloc);
WEND_API void wend_batch_destroy(wend_batch *batch);
/* Begins a batch, and drops the results of the one before. search: its labels are used, and it does what workers leave. The
 * memory for each worker is enough to search the whole of the largest map, but at most 64 MB at first; it is kept for later
 * batches. The tasks are copied. NO_MEMORY, INVALID: nothing has begun. INVALID: the number of workers is not in
 * 1 .. WEND_WORKERS_MAX; or a task has an edge function or WEND_CUSTOM; or a batch is in progress. */
WEND_API wend_status wend_batch_begin(wend_batch *batch, wend_search *search, uint32_t workers, const wend_batch_task *tasks,
                                      uint32_t count);
/* Does nothing if no batch is in progress, or there is no such worker. Without the atomics of C11, each worker has tasks of its
 * own; otherwise all tasks are done even if only one worker is called. */
WEND_API void wend_batch_work(wend_batch *batch, uint32_t worker);
/* Ends a batch. INVALID: none is in progress. NO_MEMORY: some tasks could not be done; their status is NO_MEMORY. */
WEND_API wend_status wend_batch_end(wend_batch *batch);
/* The result of a task of the batch that has ended, by its number from 0. */
WEND_API const wend_batch_found *wend_batch_result(const wend_batch *batch, uint32_t task);

/* ---- The nearest -------------------------------------------------------------------------------------------- */

/* A test of the caller: whether an agent can walk straight from a to b. */
typedef bool (*wend_clear_fn)(void *ud, const double *a, const double *b);

/* A node or an edge near a point. */
typedef struct wend_near {
  double distance; /* straight, >= 0 */
  wend_id id;      /* of the node or edge */
  double point[3]; /* the nearest point of it */
} wend_near;
/* Find the nodes, or the edges as straight lines between their ends, that are nearest to a point. At most k >= 1 of them, none
 * farther than max_distance (>= 0; INFINITY: no limit), go into `found`, which has room for k, in the order of distance, then
 * of id. *count: their number. Closed ones are found, those without positions are not.
 *
 * The first call for nodes, and the first one for edges, builds an index, an R-tree (A. Guttman, "R-trees: a dynamic index
 * structure for spatial searching", 1984). Edits then keep it up to date; a call after many edits builds it again. Threads: if
 * several threads call a function, one of them must have called it once after the last edit. */
WEND_API wend_status wend_graph_nearest(wend_graph *graph, const double *point, double max_distance, uint32_t k,
                                        wend_near *found, uint32_t *count);
WEND_API wend_status wend_graph_nearest_edges(wend_graph *graph, const double *point, double max_distance, uint32_t k,
                                              wend_near *found, uint32_t *count);

/* A test of the caller: whether a path leads from a node or a cell to the goals that the caller has in mind. */
typedef bool (*wend_leads_fn)(void *ud, wend_id from);

/* Conditions for what is found. NULL: no such condition. */
typedef struct wend_find_opts {
  bool edges;                       /* finds edges, not nodes */
  bool open;                        /* only what is open for the agent with these costs: see wend_finder_find */
  double max_distance;              /* >= 0; INFINITY: no limit */
  uint32_t limit;                   /* the greatest number of results, >= 1 */
  const wend_field *can_reach;      /* made without `outward`: results can reach its goals */
  const wend_field *reachable_from; /* made with `outward`: results can be reached from its goals */
  wend_leads_fn leads;              /* in place of can_reach: the same by a function */
  void *leads_ud;
  const wend_costs
      *costs;          /* of the agent, for `open`, and for edges, if one of these is given: those that can be taken; NULL: what
                              is not closed */
  wend_clear_fn clear; /* the straight line from the point to the result is clear */
  void *clear_ud;
} wend_find_opts;
/* The default options: the nearest node, without conditions. */
WEND_API wend_find_opts wend_find_opts_default(void);

/* A finder finds the nodes or edges nearest to a point that meet conditions. */
typedef struct wend_finder wend_finder;
WEND_API wend_finder *wend_finder_create(const wend_alloc *alloc);
WEND_API void wend_finder_destroy(wend_finder *finder);
/* Finds what wend_graph_nearest or wend_graph_nearest_edges finds, without the nodes or edges that fail a condition. Candidates
 * are tested nearest first, and only until enough have passed. An edge meets `can_reach` if it can be travelled to a node that
 * the field reaches, and `reachable_from` if it can be travelled from such a node. A node is open if wend_map_enter_cause has no
 * cause, and if it has no edges or one that is wide enough. An edge is open if it can be travelled in some direction, to a node that
 * is not closed. NO_MEMORY, ABORTED. */
WEND_API wend_status wend_finder_find(wend_finder *finder, wend_graph *graph, const double *point, const wend_find_opts *opts,
                                      const wend_near **found, uint32_t *count);

/* Conditions for a cell or a node. NULL: no such condition. */
typedef struct wend_choice_opts {
  const wend_tag_cost *tags;        /* an agent's costs, as in wend_costs: cells whose tag is closed for it (plus INFINITY) are
                                       left out; its edge function is not called. Not for graphs */
  double size;                      /* of the agent, as in wend_costs: on a grid it must have room there */
  const wend_field *can_reach;      /* made without `outward`: it can reach its goals */
  const wend_field *reachable_from; /* made with `outward`: it can be reached from its goals */
  wend_leads_fn leads;              /* in place of can_reach: the same by a function */
  void *leads_ud;
  /* Of wend_grid_nearest: */
  double max_distance;     /* >= 0; INFINITY: no limit */
  const wend_frame *frame; /* NULL: cells are squares of size 1 */
} wend_choice_opts;
/* The default options: no conditions. */
WEND_API wend_choice_opts wend_choice_opts_default(void);
/* The open cell that meets the conditions and contains the point; if there is none, the one whose centre is nearest to the
 * point, of equally near ones the first in reading order. The point may lie outside the grid. *distance: of the centre. A cell
 * that was closed when a field was made does not meet its condition. WEND_NO_ID: there is none, and nothing is written. Takes
 * O(cells that are nearer). */
WEND_API wend_id wend_grid_nearest(const wend_grid *grid, const double *point, const wend_choice_opts *opts, double *distance);
/* A random cell or node that is open and meets the conditions; all of them are equally likely. It depends only on the map, the
 * seed and the conditions. WEND_NO_ID: there is none. Takes O(1) where many meet them, at most O(cells or nodes). */
WEND_API wend_id wend_map_random(const wend_map *map, uint64_t seed, const wend_choice_opts *opts);

/* ---- Lines ------------------------------------------------------------------------------------------------- */

/* The straight line from the centre of one cell to the centre of another, cell by cell. A step is straight if the line crosses
 * the edge between two cells, and diagonal if it passes exactly through a corner.
 *
 *     a x . . .        from a to b: the cells x, then b; 6 straight steps
 *     . x x x .
 *     . . . x b
 *
 * The part of the line inside a cell is its stretch. The length of a step is the distance along the line from the middle of the
 * stretch in the cell before to the middle of the stretch in the cell that it enters. The first and the last cell count from
 * their centre. So the lengths add up to the length of the line, and along a row, a column or a diagonal the steps have the
 * lengths of the grid's own steps. */
typedef struct wend_line {
  uint32_t x, y; /* the current cell, from 0 */
  double length; /* of the step that led to it */
  int direction; /* of that step: 0 .. 7 */
  /* Private to wend_line_next. */
  int64_t width, height, column, row;
  int step_x, step_y;
  double whole, middle, diagonal, column_ends, row_ends;
} wend_line;
/* Begins a line: the current cell is `from`, which may be the last one. The line borrows nothing. */
WEND_API wend_line wend_line_begin(const wend_grid *grid, wend_id from, wend_id to);
/* Moves to the next cell. False: the line is at its last cell, and nothing changes. */
WEND_API bool wend_line_next(wend_line *line);
/* Whether closed cells and walls leave the line from one cell to another free; tags do not count. The two cells themselves may be
 * closed. A wend_sight_fn; ud is not used. */
WEND_API bool wend_grid_sees(void *ud, wend_map *grid, wend_id from, wend_id to);
/* What tags mean for sight. */
#define WEND_OPAQUE 1u      /* cells block it, also open ones */
#define WEND_TRANSPARENT 2u /* closed cells do not block it, unless they are opaque too */
typedef struct wend_sight {
  const uint8_t *tags; /* by tag: these flags */
  uint32_t tag_count;  /* tags from here on have none */
} wend_sight;
/* The same as wend_grid_sees with tags that count. A wend_sight_fn; sight: a wend_sight. It sees both ways: whoever sees is seen. The
 * two cells themselves block nothing. */
WEND_API bool wend_sight_sees(void *sight, wend_map *grid, wend_id from, wend_id to);
/* The next cell, row by row, that sees a cell and is at most `radius` (>= 0) cells away from it, between centres; over hexes, steps. The
 * cell itself is one. WEND_NO_ID: the first one, and none. A loop over all takes O(cells within the radius x radius). */
WEND_API wend_id wend_sight_next(const wend_sight *sight, const wend_grid *grid, wend_id from, double radius, wend_id after);

/* Writes the cost of a leg, the straight line from one cell to another. Each step of the line costs its length x the weight of
 * the cell that it enters, priced by that cell's tag. INFINITY: a step is closed, or the sum exceeds `most`. The first cell may
 * be closed. Over hexes each step of the line counts as 1 long. ABORTED. Takes O(cells of the line). */
WEND_API wend_status wend_grid_leg(const wend_grid *grid, const wend_costs *costs, wend_id from, wend_id to, double most,
                                   double *cost);
/* Writes whether the straight line between two points can be walked, by the same rules. A line that comes within 1e-9 of a corner
 * passes through it. False outside the grid. ABORTED. */
WEND_API wend_status wend_grid_line_clear(const wend_grid *grid, const wend_costs *costs, const double *a, const double *b,
                                          bool *clear);
/* Shortens a path of cells: replaces stretches of it by straight legs that cost no more. It goes greedily from the first cell,
 * and extends each leg while it is free and costs at most what the path costs between its ends. Then it looks from each corner at
 * the next 64 that are left, also behind cells that it cannot reach. cells: *count >= 1 cells,
 * shortened in place; the first and the last stay. *cost: the sum of the legs. Where the path takes a portal, the cheaper of
 * the portal and a leg counts. costs: those by which the path was found. goal: it counts as open; WEND_NO_ID: none. STALE: two
 * cells in a row are not joined by a step, a portal or a leg that can be taken. ABORTED. After both, the array has no use. */
WEND_API wend_status wend_grid_straighten(const wend_grid *grid, const wend_costs *costs, wend_id goal, wend_id *cells,
                                          uint32_t *count, double *cost);

/* ---- Walls ------------------------------------------------------------------------------------------------- */

/* Walls in the plane: segments, solid polygons and solid discs. They are independent of maps. */
typedef struct wend_walls wend_walls;

typedef enum wend_wall_kind { WEND_SEGMENT, WEND_POLYGON, WEND_CIRCLE } wend_wall_kind;
/* A wall, by its numbers. The inside of a polygon follows the even-odd rule: a point is inside if a ray from it crosses an odd
 * number of sides.
 *   WEND_SEGMENT   x1, y1, x2, y2
 *   WEND_POLYGON   x1, y1, x2, y2, x3, y3, ...: three corners or more; the last is joined with the first
 *   WEND_CIRCLE    x, y, radius >= 0 */
typedef struct wend_wall {
  wend_wall_kind kind;
  uint32_t count; /* of numbers */
  const double *numbers;
} wend_wall;

/* A set without walls. */
WEND_API wend_walls *wend_walls_create(const wend_alloc *alloc);
WEND_API void wend_walls_destroy(wend_walls *walls);
/* Adds a wall, copies its numbers and writes its id to *id, unless `id` is NULL; removes one. */
WEND_API wend_status wend_walls_add(wend_walls *walls, wend_wall wall, wend_id *id);
WEND_API wend_status wend_walls_remove(wend_walls *walls, wend_id id);
WEND_API bool wend_walls_has(const wend_walls *walls, wend_id id);
WEND_API uint32_t wend_walls_count(const wend_walls *walls);
/* A number that is another one after each wall that was added or removed. */
WEND_API uint64_t wend_walls_version(const wend_walls *walls);
WEND_API wend_id wend_walls_next(const wend_walls *walls, wend_id id);
/* A wall, with borrowed numbers. */
WEND_API wend_wall wend_walls_get(const wend_walls *walls, wend_id id);
WEND_API size_t wend_walls_bytes(const wend_walls *walls);
/* Writes to *clear whether a disc can move from a to b without touching a wall: whether all points of the segment are farther
 * than `radius` (finite, >= 0) from all walls. a and b may be equal. NO_MEMORY: *clear is false. The first call, and a call
 * after many walls were added or removed, builds an index, an R-tree. */
WEND_API wend_status wend_walls_clear(wend_walls *walls, const double *a, const double *b, double radius, bool *clear);
/* Writes the distance of the segment from a to b from the nearest wall to *distance. 0: it touches one. INFINITY: there are no
 * walls. NO_MEMORY: as before. */
WEND_API wend_status wend_walls_distance(wend_walls *walls, const double *a, const double *b, double *distance);

/* ---- Routes ------------------------------------------------------------------------------------------------ */

/* A route leads from any position to any position. Over a graph: on to the graph, along it, and off it. Off the graph, cost is
 * length. Over a grid: along the cheapest path from the cell under the one position to the cell under the other. */
typedef struct wend_route_opts {
  wend_search_opts search; /* max_cost limits the whole route; on a grid see wend_route_begin */
  /* NULL: all lines are clear. Graphs: the ways on to and off the graph must be clear. The straight line is tried only with
   * `clear`. Grids: it gets points in cells. A leg that replaces others must be clear. The first and the last step lead over the
   * centres of their cells if only that is clear. The search does not call it. */
  wend_clear_fn clear;
  void *clear_ud;
  /* Replaces parts of the route by straight lines that are clear. Graphs: by shortcuts that cost less. A shortcut costs its
   * length, like every way off the graph. Precondition: there is `clear`. Grids: by straight legs that can be walked and cost
   * no more. */
  bool straighten;
  bool by_edge; /* graphs: enters and leaves the graph at the nearest points of edges; false: at nodes */
  /* >= 0. Graphs: moves the points of nodes by wend_jitter_points, with search.seed, by at most this and the radius of the node. */
  double jitter;
  double max_distance; /* graphs: from a position to where the route enters or leaves the graph; >= 0; INFINITY: no limit */
} wend_route_opts;
/* The default options: at nodes, at any distance, neither straightened nor moved; for the search wend_search_opts_default. */
WEND_API wend_route_opts wend_route_opts_default(void);

/* A point of a path that may be moved. */
typedef struct wend_waypoint {
  double point[3];
  double reach; /* the greatest distance of a move, >= 0 */
  double limit; /* the greatest distance along each axis, >= 0; INFINITY: only `reach` counts */
  wend_id id;   /* the move depends on it, and on the seed */
} wend_waypoint;

typedef struct wend_route {
  double cost;           /* on a grid the sum of its legs */
  bool partial;          /* the end was not reached, and nothing in search.ends of it: the last point is a node or a cell */
  uint32_t count;        /* of points, >= 1 */
  wend_waypoint *points; /* the caller may change them */
  /* count - 1 of them. On a graph the edge of the leg, on a grid the cell from which it is a portal; otherwise WEND_NO_ID. */
  const wend_id *legs;
} wend_route;

/* Begins to look for a route; it may call the callbacks. A position has the coordinates of the graph, or x and y in cells.
 *
 * Over a graph a route nearly always costs one search; up to four more if no path joins the nearest ways on and off.
 *
 *   off        the route leaves the graph at the node or edge nearest to `to`. If nothing can reach that one, it takes the next
 *              nearest that can be reached
 *   on         it enters the graph at the node or edge nearest to `from` from which the way off can be reached
 *   both       are within max_distance, not closed, and clear
 *   by_edge    an edge can be entered and left only in the directions in which it can be travelled. A part of an edge costs its
 *              share of the cost of the whole edge
 *   nodes      a closed node can be the way on only if `from` is exactly at the node
 *   straight   with `clear`, the straight line from `from` to `to` is taken if it is clear and costs no more
 *   partial    with search.partial, if there is no other route: it enters the graph at the nearest way on, and ends at the
 *              reached node that is nearest to `to`
 *
 * Over a grid the first point is `from`, the last one `to`; the points between are centres of cells. There may be two more near
 * the first and the last point, on the diagonal of a cell, where the straight line would cross a cell that is closed or dear.
 * The centres of the first and the last cell are left out, except at a portal, and with `clear`. The start may lie in a closed
 * cell. A partial route, and one with search.ends, ends at the centre of its last cell; it has one point if the start is in
 * range.
 *
 * A leg costs as much as by wend_grid_leg, with true ends. A way inside one cell costs nothing. So a route without straight
 * legs from centre to centre costs as much as the path, and one with straight legs never more than one without. The search
 * begins at the cells around the first one, with the costs of the ways to their centres; search.max_cost limits the path from
 * there on, these ways included. */
WEND_API wend_status wend_route_begin(wend_search *search, wend_map *map, const double *from, const double *to,
                                      const wend_route_opts *opts);
/* Continues. *used: the expansions of this slice; NULL: not wanted. The statistics are complete after the end. Straight legs
 * are looked for in the last slice: on a grid that takes O(cells of the lines that it tests), for a path of n cells about n if
 * nothing is in the way.
 *
 * OK: the route was written to *route. Its points and legs are borrowed until the search is used again. Equal points in a row
 * become one. A node without a position is no point; a leg over such nodes has the edge on which it begins. The nodes of a
 * route over a graph are the result of the search, none if it is straight or along a part of one edge.
 *
 * STALE: without search.freeze the map was changed since the beginning; the edge function closes a step of a grid that it has
 * opened for the search; or the search was reset. NO_PATH: also if a position lies outside the grid. RUNNING, BUDGET,
 * NO_MEMORY, ABORTED. */
WEND_API wend_status wend_route_step(wend_search *search, uint64_t max_expanded, uint64_t *used, wend_route *route);

/* ---- Route tables ------------------------------------------------------------------------------------------ */

/* A route table holds the cheapest paths between all pairs of nodes of a graph, computed beforehand. Lookups need no search.
 * Their ids are those of nodes of that graph. A. Botea, "Ultra-fast optimal pathfinding without runtime search", 2011. */
typedef struct wend_route_table wend_route_table;
WEND_API wend_route_table *wend_route_table_create(const wend_alloc *alloc);
WEND_API void wend_route_table_destroy(wend_route_table *routes);
/* A callback that gets the progress: `done` of `all` nodes. */
typedef void (*wend_progress_fn)(void *ud, uint32_t done, uint32_t all);
/* Computes all paths of a graph at an agent's costs, and replaces what the table held. It runs one search over the whole graph
 * for each node. The search lends its memory; afterwards the table borrows nothing. progress: called after every 64 nodes and
 * at the end; NULL: not called. After a longjmp, make the table again or destroy it before any lookup. NO_MEMORY, ABORTED: the
 * table is empty. */
WEND_API wend_status wend_route_table_make(wend_route_table *routes, wend_search *search, wend_graph *graph,
                                           const wend_costs *costs, wend_progress_fn progress, void *ud);
/* The version of the graph when the table was made. If wend_map_version differs, the table is stale. It can still be read. */
WEND_API uint64_t wend_route_table_version(const wend_route_table *routes);
WEND_API size_t wend_route_table_bytes(const wend_route_table *routes);
/* Writes the first step of the path from one node to another: the next node and the edge. False: the two nodes are the same, or
 * there is no path. Takes O(1). */
WEND_API bool wend_route_table_next(const wend_route_table *routes, wend_id from, wend_id to, wend_id *next, wend_id *edge);
/* Writes the cost of the path; false: there is none. Makes the path the result of a search: NO_PATH, NO_MEMORY. Take O(steps of
 * the path). */
WEND_API bool wend_route_table_cost(const wend_route_table *routes, wend_id from, wend_id to, double *cost);
WEND_API wend_status wend_route_table_path(const wend_route_table *routes, wend_search *search, wend_id from, wend_id to);

/* ---- Paths that were found ---------------------------------------------------------------------------------- */

/* What joins two successive cells of a path over a grid. */
typedef enum wend_legs {
  WEND_STEPS,    /* a step, or a portal */
  WEND_STRAIGHT, /* a straight leg in any direction, or a portal that costs less: wend_grid_straighten */
  WEND_CORNERS   /* a portal, if one leads from one to the other; otherwise steps in one direction: wend_search_keep_corners */
} wend_legs;

/* The version of a map with which a path is compared. Its first node or cell may have been closed or opened since: a path may
 * begin there all the same. */
typedef struct wend_path_age {
  uint64_t seen;   /* when the path was last valid: later changes count */
  wend_legs legs;  /* of a path over a grid */
  wend_id goal;    /* the goal where it ends, which may have been closed or opened as well (wend_end_rule);
                      WEND_NO_ID: none */
  wend_cell value; /* of that goal when the path was found: wend_goal_value */
  double size;     /* of the agent, as in wend_costs: on a grid all cells that it covers count as those of the path do */
} wend_path_age;

/* What the age of a path keeps of a goal: of a cell wend_grid_kept; of a node its tag, and as weight a number that follows from its
 * position. So it is the same if the goal was only closed or opened. seen: the version at which the path was found; if the goal was
 * changed later, the weight is NaN, which is the same as no weight. The node may have been removed. */
WEND_API wend_cell wend_goal_value(const wend_map *map, wend_id goal, uint64_t seen);
/* Whether a path over a graph is as it was: no node and no edge of it was changed, closed, opened or removed since age->seen,
 * but for what wend_path_age says of its ends. Names, radii and other edges at its nodes do not count. For an agent whose costs
 * have not changed, such a path still has the same cost, but there may be a cheaper one by now. Ids may be any numbers. False
 * if the map has changed 2^32 times or more since. Takes O(nodes + edges of the path). */
WEND_API bool wend_graph_path_valid(const wend_graph *graph, const wend_id *nodes, uint32_t node_count, const wend_id *edges,
                                    uint32_t edge_count, const wend_path_age *age);
/* Whether a path over a grid is as it was: its cells, the cells beside its diagonals, the portals between its cells and the
 * walls across it have not changed since. A new portal between two cells of it is a change: the path would take it. A path can
 * be tested in pieces that overlap by one cell. Takes O(cells of the path and its legs). */
WEND_API bool wend_grid_path_valid(const wend_grid *grid, const wend_id *cells, uint32_t count, const wend_path_age *age);
/* Whether the cost of a path that is valid depends on a tag that is marked: as wend_map_uses, but for the edges of a path over
 * a graph; and for the cells that a path over a grid enters, the cells beside its diagonals and its portals. Edges that do not
 * exist are left out. So a path is as cheap as it was if it is valid and depends on no tag that the agent now prices otherwise.
 * The time is that of the functions above; for edges, plus the edges at their ends. */
WEND_API bool wend_graph_path_uses(const wend_graph *graph, const wend_id *edges, uint32_t count, const uint8_t *marked);
WEND_API bool wend_grid_path_uses(const wend_grid *grid, const wend_id *cells, uint32_t count, const wend_path_age *age,
                                  const uint8_t *marked);
/* Whether the way from one cell of a path to the next is a portal. Between cells that are not neighbours it is, unless the path
 * is straightened and the leg is free. Between neighbours, and along a free leg, it is if the portal weighs less than the cells
 * of the way. A walker jumps over portals. size: of the agent, as in wend_costs. Takes O(cells of the leg). */
WEND_API bool wend_grid_is_jump(const wend_grid *grid, wend_id from, wend_id to, wend_legs legs, double size);

/* A watch holds paths over one map, and tells which of them edits have touched. It borrows the map, which must exist during all
 * calls but wend_watch_destroy. Functions of a watch must not run while another thread edits the map. */
typedef struct wend_watch wend_watch;
WEND_API wend_watch *wend_watch_create(const wend_alloc *alloc, const wend_map *map);
WEND_API void wend_watch_destroy(wend_watch *watch);
/* Adds a path: its nodes and edges, or its cells without edges, all of which are copied. Nodes and edges may be any numbers.
 * *number: the path's number in the watch; numbers of removed paths are used again. A path that has changed since age->seen is
 * affected at the next call. Takes O(places of the path). */
WEND_API wend_status wend_watch_add(wend_watch *watch, const wend_id *ids, uint32_t count, const wend_id *edges,
                                    uint32_t edge_count, const wend_path_age *age, uint32_t *number);
/* Replaces the path that a number holds, as if it was removed and added; its place in the order of paths stays. */
WEND_API wend_status wend_watch_set(wend_watch *watch, uint32_t number, const wend_id *ids, uint32_t count,
                                    const wend_id *edges, uint32_t edge_count, const wend_path_age *age);
/* Removes a path. Takes amortized O(places of the path). */
WEND_API void wend_watch_remove(wend_watch *watch, uint32_t number);
/* Makes the next call name a path as affected. */
WEND_API void wend_watch_mark(wend_watch *watch, uint32_t number);
/* The numbers of the paths that are affected, in the order in which the paths were added; borrowed until the next call. A path
 * is affected if, since the last call, wend_watch_mark was called for it; a node, edge or cell of it was touched, or a portal
 * that it may use (wend_graph_path_valid, wend_grid_path_valid); or a wall has come across it, or the last such wall has gone.
 * A path of which something was removed is affected once. Takes O(changes of the map + paths through them); or O(all paths) if
 * the map has noted more changes than it keeps, or was packed. */
WEND_API void wend_watch_affected(wend_watch *watch, const uint32_t **numbers, uint32_t *count);
/* What wend_graph_path_uses or wend_grid_path_uses says of a path. */
WEND_API bool wend_watch_uses(const wend_watch *watch, uint32_t number, const uint8_t *marked);
WEND_API uint32_t wend_watch_count(const wend_watch *watch);
WEND_API size_t wend_watch_bytes(const wend_watch *watch);

/* Writes a random point of the unit disc, or in 3 dimensions of the unit ball, to `offset`. All points are equally likely. The
 * point depends only on the seed and the id. */
WEND_API void wend_jitter(uint64_t seed, wend_id id, int dimensions, double *offset);
/* How many rows of cells around a body of `size` (wend_costs) at a cell are open and of the weight and tag of the cell, without a
 * wall between them: at most `most`. 0 also where the body itself does not fit. Takes O(cells looked at). */
WEND_API uint32_t wend_grid_room(const wend_grid *grid, wend_id cell, double size, uint32_t most);
/* Moves points by wend_jitter, each within its reach. clear: a leg between two points that was clear stays clear, and the ends
 * of a leg that was not clear are not moved; NULL: all legs are clear. A point that cannot be moved is tried at half and at a
 * quarter of the distance, then it stays. If `clear` leaves by longjmp, some points have been moved. */
WEND_API void wend_jitter_points(wend_waypoint *waypoints, uint32_t count, int dimensions, uint64_t seed, wend_clear_fn clear,
                                 void *ud);
/* Fills in waypoints[0 .. count - 1] from the nodes that their ids name: the position, and as reach the smaller of `jitter`, >=
 * 0, and the node's radius. It stops at a node without a position. Returns the number of waypoints that it has filled in. */
WEND_API uint32_t wend_graph_waypoints(const wend_graph *graph, double jitter, wend_waypoint *waypoints, uint32_t count);

/* ---- Checks ------------------------------------------------------------------------------------------------- */

/* The strongly connected components of a map. In a component every node can reach every other one. R. Tarjan, "Depth-first
 * search and linear graph algorithms", 1972. */
typedef struct wend_components wend_components;

/* A step into a component: an edge, or on a grid a step to a neighbour or a portal (edge: WEND_NO_ID). */
typedef struct wend_entry {
  wend_id from, to, edge;
} wend_entry;
/* A component that can be entered but not left. */
typedef struct wend_trap {
  uint32_t component;
  uint32_t first_entry, entry_count; /* its entries: entries[first_entry] and those after it */
} wend_trap;
/* Component k has the nodes nodes[starts[k]] .. nodes[starts[k + 1] - 1]. The largest component is number 0; of equal ones, the
 * one whose first node comes first. Nodes are in the order of slots, cells in reading order. */
typedef struct wend_findings {
  uint32_t node_count, component_count, isolated_count, sink_count, source_count, trap_count;
  const wend_id *nodes, *isolated, *sinks, *sources;
  const uint32_t *starts;
  const wend_trap *traps;
  const wend_entry *entries;
} wend_findings;

/* Without findings. */
WEND_API wend_components *wend_components_create(const wend_alloc *alloc);
WEND_API void wend_components_destroy(wend_components *components);
/* Finds the components and the defects of a map at an agent's costs. Closed nodes and cells are left out, and so are steps from
 * a node to itself.
 *
 *   isolated   a node with no steps in and no steps out
 *   sink       a node with steps in and none out
 *   source     a node with steps out and none in
 *   trap       a component with steps in from other components and none out: so each sink is one. Not number 0, unless all
 *              components have one node
 *
 * allowed: by tag, 1 if steps with this tag may be one-way; NULL: none. A sink or trap that only such steps enter is not
 * reported, nor is a source that only such steps leave. NO_MEMORY, ABORTED: the findings are incomplete. Takes O(nodes +
 * edges), on a grid O(cells). */
WEND_API wend_status wend_components_find(wend_components *components, wend_map *map, const wend_costs *costs,
                                          const uint8_t *allowed);
WEND_API const wend_findings *wend_components_get(const wend_components *components);
/* Whether two nodes or cells of that map are in one component. The map has not changed since. */
WEND_API bool wend_components_joined(const wend_components *components, const wend_map *map, wend_id a, wend_id b);

/* Chokepoints are nodes, edges, cells and portals whose loss cuts a map into pieces. */
typedef struct wend_chokepoints wend_chokepoints;
typedef struct wend_chokepoint {
  wend_id node;     /* a node or a cell; WEND_NO_ID: an edge or a portal */
  wend_id edge;     /* an edge of a graph; otherwise WEND_NO_ID */
  wend_id from, to; /* the ends of the edge or the portal */
  uint32_t cuts;    /* how many nodes or cells it cuts off: all that it joins, except the largest piece; without itself */
} wend_chokepoint;
WEND_API wend_chokepoints *wend_chokepoints_create(const wend_alloc *alloc);
WEND_API void wend_chokepoints_destroy(wend_chokepoints *chokepoints);
/* Finds the chokepoints of a map at an agent's costs. Two places count as joined if a step leads from one to the other in
 * either direction. Closed nodes and cells are left out. All portals between two cells count as one; steps between cells are
 * not listed. least: chokepoints that cut off less are left out. most: no more than this many are listed. NO_MEMORY, ABORTED.
 * Takes O(nodes + edges), on a grid O(cells), and sorting. */
WEND_API wend_status wend_chokepoints_find(wend_chokepoints *chokepoints, wend_map *map, const wend_costs *costs,
                                           uint32_t least, uint32_t most);
/* The chokepoints in *found: the largest cut comes first, then nodes before edges, then smaller ids. Returns their
 * number; 0 if the call that looked for them failed. */
WEND_API uint32_t wend_chokepoints_get(const wend_chokepoints *chokepoints, const wend_chokepoint **found);

/* ---- Why there is no path ------------------------------------------------------------------------------------ */

/* Something in the way of a path. */
typedef struct wend_obstacle {
  wend_cause cause; /* the first one */
  unsigned causes;  /* all of them: the sum of 1 << cause */
  wend_id from, to; /* the step, in the direction of travel. A wall: the two cells. NO_EDGE: the nodes where the two parts come
                        nearest; WEND_NO_ID if they have no positions */
  wend_id edge;     /* of a graph; WEND_NO_ID: the obstacle is no edge */
  uint32_t tag;     /* of the edge, the cell or the portal */
  double weight;    /* of the step; 0 if the obstacle is a node, a wall or NO_EDGE */
  bool place;       /* the obstacle is the node or cell `to`, and no other step can enter it either */
  bool portal;      /* the step is a portal */
} wend_obstacle;

/* What each kind of obstacle counts, 1 .. WEND_OBSTACLE_COST_MAX: of two ways, the one whose obstacles count less in all is
 * found. An obstacle with several causes counts as the greatest of them. */
typedef struct wend_obstacle_costs {
  uint8_t closed; /* a closed node, edge or portal, an edge that is too narrow, and a closed cell that has a tag */
  uint8_t solid;  /* a closed cell without a tag */
  uint8_t wall;   /* between two cells */
  uint8_t tag, one_way, rule;
} wend_obstacle_costs;
#define WEND_OBSTACLE_COST_MAX 100
/* 2 for what players can rarely change, solid and wall; 1 for all others. */
WEND_API wend_obstacle_costs wend_obstacle_costs_default(void);

/* What wend_why_find has found. */
typedef struct wend_reasons {
  bool has_path;     /* there is a path within the limits, and the rest has no content */
  wend_status limit; /* BUDGET: only a limit of the options is in the way, and there are no obstacles; otherwise NO_PATH */
  wend_id goal;      /* the goal of the path once the obstacles are open */
  double cost;       /* of that path: see wend_why_find; INFINITY: more than a double holds, or there is no such path */
  uint32_t reached;  /* how many nodes or cells can be reached from `from`, with itself */
  uint32_t reaching; /* how many open nodes or cells can reach a goal, with the goals themselves */
  uint32_t obstacle_count;
  const wend_obstacle *obstacles; /* in the order of travel */
  uint32_t searches;              /* how many searches it took: at most three */
  wend_stats stats;               /* of all of them together */
} wend_reasons;

/* Finds out why there is no path. */
typedef struct wend_why wend_why;
WEND_API wend_why *wend_why_create(const wend_alloc *alloc);
WEND_API void wend_why_destroy(wend_why *why);
/* Finds a smallest set of obstacles between a node or cell and the goals: once all of them are opened, there is a path. Of
 * equal sets it takes the one on the cheapest path. An obstacle is
 *
 *   a closed node, or a cell that is closed for all agents or by its tag: one, from whatever side
 *   an edge or a portal that is closed, has a closed tag, leads the other way, or is closed by the edge function: one
 *   a step of a grid that the edge function closes, to a cell that is open otherwise
 *   a wall between two cells
 *   NO_EDGE: the map has no connection at all, not even through obstacles. It is then the only obstacle
 *
 * The path takes diagonal steps only where their corners are open already; elsewhere it goes round the corner. If the edge
 * function closes a step round the corner, but not the diagonal, opening the corner could need an obstacle less. With
 * WEND_ALWAYS walls beside a diagonal are obstacles as well. An opened edge or cell costs its price, or its weight if its tag
 * was closed, without the edge function. Cells that are closed keep a weight, which counts.
 *
 * obstacles: what they count; NULL: the default. opts: costs count, and limits for the question whether there is a path; the
 * other options are ignored. The search lends its memory, and its result is dropped. Without goals there are no obstacles. It
 * takes at most three searches of the whole map: one with the limits, if there are any; one back from the goals, one from `from`.
 * NO_MEMORY, ABORTED, STALE, the edge function contradicts itself: the reasons have no content. */
WEND_API wend_status wend_why_find(wend_why *why, wend_search *search, wend_map *map, wend_id from, const wend_id *goals,
                                   uint32_t goal_count, const wend_search_opts *opts, const wend_obstacle_costs *obstacles);
WEND_API const wend_reasons *wend_why_get(const wend_why *why);

/* ---- Linking ------------------------------------------------------------------------------------------------ */

/* A linker finds pairs of near nodes that edges could join. */
typedef struct wend_linker wend_linker;
typedef struct wend_pair {
  wend_id from, to;
} wend_pair;
WEND_API wend_linker *wend_linker_create(const wend_alloc *alloc);
WEND_API void wend_linker_destroy(wend_linker *linker);
/* Pairs each node with the k >= 1 nearest other nodes, none farther than max_distance (>= 0; INFINITY: no limit). Of nodes at
 * the same distance it takes those with the smaller x, then y, then z, then id. Nodes without a position are left out, and so
 * are pairs that an edge joins already. directed true: pairs lead from the node to the others. directed false: each pair occurs
 * once, from the end that comes first by x, y, z and id. It adds no edges. Takes about n x k x log n for n nodes, also if many
 * nodes share a position. */
WEND_API wend_status wend_linker_find(wend_linker *linker, wend_graph *graph, uint32_t k, double max_distance, bool directed);
/* The pairs in *pairs, in the order of `from`, then of `to`. Returns their number. */
WEND_API uint32_t wend_linker_pairs(const wend_linker *linker, const wend_pair **pairs);

/* ---- Overlays ---------------------------------------------------------------------------------------------- */

/* An overlay is a graph or a grid that follows another one, its base: units that stand on cells, a bridge that might fall. All
 * functions of maps take it. It is a copy with the same ids and numbers of tags. Its edits do not change the base. A cell, a
 * wall, a node or an edge that is set, closed or opened in the overlay hides that of the base until it is reset. All other
 * edits of the base show through after wend_map_follow.
 *
 *     wend_map_overlay(wend_grid_map(grid), &map);                   OK
 *     units = wend_map_grid(map);
 *     wend_grid_close(units, x, y, x, y, true);
 *     wend_grid_close(grid, ...);                                    an edit of the base
 *     wend_map_follow(map);                                          before each use of the overlay
 *     wend_search_begin(search, map, ...);
 *
 * The caller does not add, remove, move or name nodes, edges or portals of an overlay, nor set radii. A base may be an overlay.
 * While its base does not exist any more, an overlay can be searched and destroyed, and nothing else. Threads: an overlay is a
 * map of its own. wend_map_follow and new names of tags also use its base. */
WEND_API wend_status wend_map_overlay(wend_map *base, wend_map **overlay);
/* Brings an overlay up to date with its base. If that is an overlay too, follow it first. Does nothing for another map. It is
 * an edit of the overlay if the base has changed. NO_MEMORY: some edits of the base may be missing; the next call makes up for
 * that. */
WEND_API wend_status wend_map_follow(wend_map *map);
/* End all changes; those of a node, of an edge, of the cells of a rectangle and of the walls around each of them. If there is
 * no memory for the values of the base, the next wend_map_follow sets them. */
WEND_API void wend_overlay_reset(wend_map *overlay);
WEND_API void wend_overlay_reset_node(wend_graph *overlay, wend_id node);
WEND_API void wend_overlay_reset_edge(wend_graph *overlay, wend_id edge);
WEND_API void wend_overlay_reset_cells(wend_grid *overlay, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2);

/* An overlay of a grid of which no cell is known at first: what a player has seen of it. Unknown cells have this weight (>=
 * 0; INFINITY: they are closed) and this tag of the base, and no walls and links. It does not follow its base: it has what
 * was revealed, as it was then. Its own edits make cells known. A reset makes cells unknown again, with the links that leave
 * them and the walls between unknown cells. NO_MEMORY: *overlay is NULL. Takes O(cells). */
WEND_API wend_status wend_grid_overlay_fog(wend_grid *base, double weight, uint32_t tag, wend_grid **overlay);
/* Whether a map is such an overlay. The next three functions take only these. */
WEND_API bool wend_overlay_is_fog(const wend_map *map);
/* Gives the cells of a rectangle, the walls around each of them, and the links that leave them, the values of the base, also where the
 * overlay was edited itself. Call wend_map_follow first: for the base, and for the overlay. It is an edit only where values differ.
 * NO_MEMORY: nothing has changed. Takes O(cells of the rectangle + rows x log(links)). */
WEND_API wend_status wend_overlay_reveal(wend_grid *overlay, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2);
/* Whether a cell was revealed, or set by an edit of the overlay. */
WEND_API bool wend_overlay_knows(const wend_grid *overlay, wend_id cell);
/* The next known open cell that shares a side with an unknown one, and has no wall there, or has a portal to one. WEND_NO_ID: the
 * first one, and none. A loop over all takes O(known cells + cells / 64). */
WEND_API wend_id wend_overlay_frontier(const wend_grid *overlay, wend_id after);

/* ---- Files ------------------------------------------------------------------------------------------------- */

/* Objects as bytes, the same on every machine: see doc/FORMAT.md. An object that was decoded gives the same bytes when it is
 * encoded, except for unknown sections, which decoders skip.
 *
 * Encoders  write *size, the number of bytes. With `bytes` NULL they write nothing else. So call them twice: once for the size,
 *           then with room for that many bytes. extra: extra_size bytes of the caller that are stored with the object, at most
 *           UINT32_MAX - 1; 0: none.
 * Decoders  trust nothing. They make a new object, which the caller owns; unless OK, it is NULL. *extra points into `bytes`.
 *           FORMAT: the bytes are damaged or of another kind. NO_MEMORY. Those that need the map of an object take it, or
 *           one with the same content, ids included. STALE: it is another one. */
typedef enum wend_file_kind {
  WEND_FILE_NONE = 0,
  WEND_FILE_GRAPH = 'G',
  WEND_FILE_GRID = 'R',
  WEND_FILE_FIELD = 'F',
  WEND_FILE_ROUTE_TABLE = 'T',
  WEND_FILE_WALLS = 'W',
  WEND_FILE_LEVEL = 'L',
  WEND_FILE_PATH = 'H',
  WEND_FILE_FOLLOWER = 'A',
  WEND_FILE_CROWD = 'C',
  WEND_FILE_OVERLAY = 'O',
  WEND_FILE_INFLUENCE = 'I'
} wend_file_kind;
/* The kind that bytes claim to be, by their first bytes; WEND_FILE_NONE: not a file of wend. */
WEND_API wend_file_kind wend_file_kind_of(const void *bytes, size_t size);
/* Whether bytes are a file of a known kind and version with the right size and checksums. */
WEND_API bool wend_file_is_whole(const void *bytes, size_t size);

/* Encode a map with its tables, if it is prepared; `bare`: without them. Decode it. */
WEND_API wend_status wend_graph_encode(wend_graph *graph, void *bytes, size_t *size);
WEND_API wend_status wend_graph_encode_bare(wend_graph *graph, void *bytes, size_t *size);
WEND_API wend_status wend_graph_decode(const wend_alloc *alloc, const void *bytes, size_t size, wend_graph **graph);
WEND_API wend_status wend_grid_encode(const wend_grid *grid, const void *extra, size_t extra_size, void *bytes, size_t *size);
WEND_API wend_status wend_grid_encode_bare(const wend_grid *grid, const void *extra, size_t extra_size, void *bytes,
                                           size_t *size);
WEND_API wend_status wend_grid_decode(const wend_alloc *alloc, const void *bytes, size_t size, wend_grid **grid,
                                      const void **extra, size_t *extra_size);
/* Copies a map, with the same allocator. The copy has what a file of the map has: ids, generations and numbers of tags are the same,
 * and searches decide ties in the same way. It has no prepared tables, and is no overlay. NO_MEMORY: *copy is NULL. */
WEND_API wend_status wend_map_copy(wend_map *map, wend_map **copy);
/* The frozen version of a map as it is now, with one user more; of a version: itself. It shares the memory of the map until the
 * next edit. Only searches, fields and routes take it as a map; they keep it as if `freeze` was set. An overlay has followed its
 * base. For threads it counts as an edit of the map. NULL: no memory. */
WEND_API wend_map *wend_map_freeze(wend_map *map);
/* One user less. The last one ends the version. The map may be gone. NULL is allowed. */
WEND_API void wend_map_thaw(wend_map *version);
/* Writes a number that depends on everything in the file of a map, ids and names included: two maps of equal content have the
 * same number. Two different maps of the same size have the same number with a probability of about 1 in 4 billion. Calls that
 * follow without an edit between take O(1). For threads it counts as an edit of the map. */
WEND_API wend_status wend_map_digest(wend_map *map, uint64_t *digest);

/* Encode the changes of an overlay: what it hides of its base, as it is after wend_map_follow; it asks for wend_map_digest of the base.
 * Decode them over that base. If that fails, the base is as it was: it has none of the names of tags in the file. */
WEND_API wend_status wend_overlay_encode(wend_map *overlay, void *bytes, size_t *size);
WEND_API wend_status wend_overlay_decode(wend_map *base, const void *bytes, size_t size, wend_map **overlay);
/* Walls, with ids and generations. */
WEND_API wend_status wend_walls_encode(const wend_walls *walls, void *bytes, size_t *size);
WEND_API wend_status wend_walls_decode(const wend_alloc *alloc, const void *bytes, size_t size, wend_walls **walls);
/* Fields and route tables replace what an object held; if that fails, it is empty. Their encoders return STALE if the map has
 * changed since they were made. */
WEND_API wend_status wend_field_encode(const wend_field *field, wend_map *map, void *bytes, size_t *size);
WEND_API wend_status wend_field_decode(wend_field *field, wend_map *map, const void *bytes, size_t size);
WEND_API wend_status wend_route_table_encode(const wend_route_table *routes, wend_graph *graph, void *bytes, size_t *size);
WEND_API wend_status wend_route_table_decode(wend_route_table *routes, wend_graph *graph, const void *bytes, size_t size);

/* Influence layers. The map is that of the layer. */
WEND_API wend_status wend_influence_encode(const wend_influence *layer, wend_map *map, void *bytes, size_t *size);
WEND_API wend_status wend_influence_decode(const wend_alloc *alloc, wend_map *map, const void *bytes, size_t size,
                                           wend_influence **layer);

/* A level in one file: the encoded maps and walls, and named positions. The decoders of maps and walls read the parts. */
typedef struct wend_bytes {
  const void *bytes;
  size_t size; /* 0: none */
} wend_bytes;
typedef struct wend_layer_name {
  const char *name;
  size_t length;
  uint32_t grid; /* an index of a grid */
} wend_layer_name;
typedef struct wend_named_place {
  const char *name;
  size_t length;
  uint32_t dimensions; /* 2 or 3 */
  double position[3];
} wend_named_place;
typedef struct wend_level {
  uint32_t width, height; /* in cells; 0: not given */
  double cell;            /* the size of a cell, finite; 0: not given */
  /* Encoded grids, in the order in which they first appear among the layers. Every grid is a layer or the merged one. */
  const wend_bytes *grids;
  uint32_t grid_count;
  uint32_t merged;        /* the index of the grid that holds all layers; the last one if it is no layer; WEND_NONE: none */
  const uint32_t *layers; /* the index of the grid of each layer, from the lowest layer */
  uint32_t layer_count;
  const wend_layer_name *layer_names; /* names of grids that are layers, sorted by bytes, each once */
  uint32_t layer_name_count;
  wend_bytes graph, walls;        /* encoded */
  const wend_named_place *places; /* sorted by the bytes of their names, each name once */
  uint32_t place_count;
  wend_bytes extra; /* of the caller */
} wend_level;
/* Lengths are below 2^32. Parts and names of a decoded level point into `bytes`; the parts are not decoded. */
WEND_API wend_status wend_level_encode(const wend_level *level, void *bytes, size_t *size);
WEND_API wend_status wend_level_decode(const wend_alloc *alloc, const void *bytes, size_t size, wend_level **level);
/* Frees a level that wend_level_decode has made. */
WEND_API void wend_level_destroy(wend_level *level);

/* A path that was found, for a file. */
typedef struct wend_saved_path {
  wend_id *nodes, *edges; /* node_count nodes or cells, at least 1; on graphs one edge less */
  uint32_t node_count;
  uint32_t goal;          /* a number of the caller: which of several goals it leads to */
  double cost;            /* finite */
  double size;            /* of the agent, as in wend_costs; 0: none */
  wend_legs legs;         /* of the caller, like the next two */
  bool partial, outdated; /* outdated: the map may not have these nodes and edges any more */
  bool closed_goal;       /* the last place may be closed: see wend_end_rule */
  bool has_turns;         /* its cost was counted in turns */
  uint32_t *turn_ends;    /* then: as in wend_search_turns, turn_count of them, at most node_count */
  uint32_t turn_count;
} wend_saved_path;
/* The decoder fills in path->nodes, path->edges and path->turn_ends, which have room for path->node_count ids and numbers;
 * NULL: they are only checked and counted. So call it twice: once for the count. Nodes, edges and cells are of the map, unless
 * path->outdated. Unless OK, *path is of no use. */
WEND_API wend_status wend_path_encode(const wend_saved_path *path, wend_map *map, void *bytes, size_t *size);
WEND_API wend_status wend_path_decode(wend_saved_path *path, wend_map *map, const void *bytes, size_t size);
/* Writes the unpacked size of gzip or zlib data (RFC 1952, RFC 1950) to *size, for readers of other files. FORMAT: the data is
 * damaged or neither; *size is how much could be unpacked. BUDGET: it holds more than max_bytes. Takes as long as unpacking,
 * about 40 KB of the stack, and no other memory. */
WEND_API wend_status wend_gunzip_size(const void *packed, size_t packed_size, uint64_t max_bytes, uint64_t *size);
/* Unpacks it into `bytes`. size: as wend_gunzip_size gave it. FORMAT: the data is damaged, or its size is another. */
WEND_API wend_status wend_gunzip(const void *packed, size_t packed_size, void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
