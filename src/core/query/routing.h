/* SPDX-License-Identifier: MIT */
/* A route that is looked for on a search, in slices. route.c runs it; graph_route.c and grid_route.c have what is special about
 * graphs and grids. */
#ifndef WEND_ROUTING_H
#define WEND_ROUTING_H

#include "core/pathfinder/flood.h"

/* The scratch memory of the search that routes use. Grids use the first four. */
enum {
  ROUTE_TASK,    /* the state */
  ROUTE_POINTS,  /* the points of the result */
  ROUTE_LEGS,    /* its legs */
  ROUTE_CORNERS, /* the points with their costs, before the route is straightened */
  ROUTE_ROOTS,
  ROUTE_ENTRIES,
  ROUTE_EXITS,
  ROUTE_NEAR,
  ROUTE_STEPS
};

/* A gate: an entry or an exit. The members from ends on are valid once is_good has tested the gate. */
typedef struct route_gate {
  wend_near near;     /* a node, or an edge */
  wend_end ends[2];   /* its ends, and the cost between each and the position outside */
  double fraction;    /* of the edge, between its first node and the gate */
  double forth, back; /* the cost of the whole edge in its direction, and against it */
  uint8_t count, state;
} route_gate;
enum { GATE_UNKNOWN, GATE_GOOD, GATE_BAD };

/* The nearest gates, by distance. More are looked up when needed. */
typedef struct route_gates {
  route_gate *at;
  uint32_t count;
  unsigned slot; /* of the scratch memory that has them */
} route_gates;

/* The search of a route over a graph that runs now. Between two slices it is under way. */
typedef enum route_stage {
  STAGE_NONE,       /* no search is needed */
  STAGE_JOIN,       /* step 2: between the nearest gates */
  STAGE_FLOOD,      /* step 3: from all entries */
  STAGE_FLOOD_BACK, /* from the exit */
  STAGE_JOIN_OTHER, /* between the gates that the floods found */
  STAGE_PARTIAL     /* step 4 */
} route_stage;

/* The state of a route. It lies in the scratch memory, so it is kept between slices. */
typedef struct routing {
  wend_search *s;
  wend_map *map;
  const struct routing_kind *kind;
  double from[3], to[3];
  wend_route_opts opts;
  wend_route route;   /* what is known of the result */
  bool searching;     /* a search runs on s; none may be needed */
  bool over;          /* a slice has returned the result */
  wend_status status; /* RUNNING until it is known */

  /* Over a graph: see graph_route.c. */
  wend_graph *graph;
  bool straight;                    /* the straight line from `from` to `to` is clear */
  double length;                    /* of that line */
  bool by_graph;                    /* a route over the graph can be needed */
  route_stage stage;                /* STAGE_NONE: the route over the graph is decided, with the status `graphed` */
  uint32_t entry, exit;             /* the numbers of the gates that the stage is about */
  uint32_t first_entry, first_exit; /* the nearest good gates */
  wend_status joined, graphed;      /* the results of STAGE_JOIN, and of all stages */
  route_gates entries, exits;
  const route_gate *on, *off; /* the gates of the route that was found; off is NULL if the route is partial */
  bool over_nodes;            /* it leads over nodes, those of the path of s; otherwise along a part of one edge, or straight */
  wend_root *roots;           /* of a flood */
  uint32_t root_count;
  bool invalid;     /* a cost is negative or NaN */
  wend_stats stats; /* of all searches that are over, together */

  /* Over a grid: see grid_route.c. */
  wend_grid *grid;
  wend_stepper stepper; /* of this slice */
  wend_id start, goal;  /* the cells under `from` and `to` */
  bool ranged;          /* any cell in range of the goal will do: the route ends at its centre */
  bool arrived;         /* and the cell of `from` is in range */
  struct corner *corners;
  uint32_t count;        /* of corners */
  double uniform, least; /* see wend_cost_summary; for straight legs */
} routing;

/* What differs between graphs and grids. */
typedef struct routing_kind {
  /* Begins, on a map that the search has opened. RUNNING; or a status that the first slice returns. */
  wend_status (*begin)(routing *r);
  /* Works as far as *left expansions allow, and subtracts them. RUNNING: it goes on. OK: r->route is complete. */
  wend_status (*run)(routing *r, uint64_t *left);
} routing_kind;
extern const routing_kind wend_graph_routing, wend_grid_routing;

/* Whether the straight line between two points is clear. Without a function it is. */
static inline bool wend_route_is_free(const routing *r, const double *a, const double *b) {
  return r->opts.clear == NULL || r->opts.clear(r->opts.clear_ud, a, b);
}

/* Continues the search that runs, for a path or a flood, and subtracts its work from *left. */
static inline wend_status wend_route_search(const routing *r, bool flood, uint64_t *left) {
  wend_search *s = r->s;
  const uint64_t expanded = s->stats.expanded, before = expanded + s->stats.tables;
  const uint64_t limit = *left > UINT64_MAX - expanded ? UINT64_MAX : expanded + *left;
  const wend_status status = flood ? wend_flood_run(s, limit) : wend_paths_step(s, *left);
  const uint64_t used = s->stats.expanded + s->stats.tables - before;
  *left -= used < *left ? used : *left;
  return status;
}

/* Makes room for a result of at most `count` points. False: there is no memory. */
static inline bool wend_route_reserve(routing *r, uint64_t count, wend_id **legs) {
  r->route.points = wend_search_scratch(r->s, ROUTE_POINTS, count * sizeof *r->route.points);
  r->route.legs = *legs = wend_search_scratch(r->s, ROUTE_LEGS, count * sizeof **legs);
  return r->route.points != NULL && *legs != NULL;
}

#endif
