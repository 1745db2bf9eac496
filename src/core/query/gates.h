/* SPDX-License-Identifier: MIT */
/* Gates, and the state of a search for a route. A gate is where a route enters or leaves the graph: a node, or the nearest point of
 * an edge. Its ends are the nodes from which the search continues, or at which it arrives, with the cost between them and the
 * position outside.
 *
 * An example by edge. An edge of weight 10 joins A (0,0) and B (10,0). P is at (3,4), Q at (8,-1).
 *
 *              P
 *              .
 *        A ----+-----------+---- B
 *                          .
 *                          Q
 *
 *     the gate of P    at (3,0): distance 4, fraction 0.3. As an entry it has the ends A, at 4 + 0.3 x 10 = 7, and B, at
 *                      4 + 0.7 x 10 = 11. So a route from P over B costs 11 + the cost of the rest from B
 *     the gate of Q    at (8,0): distance 1, fraction 0.8
 *     from P to Q      along the edge: 4 + (0.8 - 0.3) x 10 + 1 = 10
 *
 * If the edge is directed from A to B, the entry of P has only the end B, at 11: nothing leads back to A. As an exit, the gate
 * of P has only the end A, at 7. The route from P to Q still costs 10. A route from Q to P leaves the edge at B, and must
 * return to A by other edges. */
#ifndef WEND_GATES_H
#define WEND_GATES_H

#include "core/pathfinder/flood.h"

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

/* The scratch memory of the search that routes use. */
enum { ROUTE_ROOTS, ROUTE_ENTRIES, ROUTE_EXITS, ROUTE_NEAR, ROUTE_POINTS, ROUTE_TASK, ROUTE_STEPS };

/* The search that runs now. Between two slices it is under way. */
typedef enum route_stage {
  STAGE_NONE,       /* no search is needed */
  STAGE_JOIN,       /* step 2: between the nearest gates */
  STAGE_FLOOD,      /* step 3: from all entries */
  STAGE_FLOOD_BACK, /* from the exit */
  STAGE_JOIN_OTHER, /* between the gates that the floods found */
  STAGE_PARTIAL     /* step 4 */
} route_stage;

/* The state of a search for a route. It lies in the scratch memory, so it is kept between slices. */
typedef struct routing {
  wend_search *s;
  wend_graph *graph;
  double from[3], to[3];
  wend_route_opts opts;
  bool straight;                    /* the straight line from `from` to `to` is clear */
  double length;                    /* of that line */
  bool by_graph;                    /* a route over the graph can be needed */
  route_stage stage;                /* STAGE_NONE: the route over the graph is decided, with the status `graphed` */
  bool searching;                   /* the stage has begun a search; it may need none */
  uint32_t entry, exit;             /* the numbers of the gates that the stage is about */
  uint32_t first_entry, first_exit; /* the nearest good gates */
  wend_status joined, graphed;      /* the results of STAGE_JOIN, and of all stages */
  route_gates entries, exits;
  const route_gate *on, *off; /* the gates of the route that was found; off is NULL if the route is partial */
  wend_root *roots;           /* of a flood */
  uint32_t root_count;
  bool invalid;       /* a cost is negative or NaN */
  wend_stats stats;   /* of all searches that are over, together */
  wend_route route;   /* what is known of the result */
  bool over;          /* a slice has returned the result */
  wend_status status; /* RUNNING until it is known */
} routing;

WEND_INLINE bool wend_same_point(const wend_graph *graph, const double *a, const double *b) {
  for (int d = 0; d < graph->dimensions; d++)
    if (a[d] != b[d]) return false;
  return true;
}

/* A fraction of a cost; 0 for no part of an edge, even if the edge is closed. */
WEND_INLINE double wend_part_of(double fraction, double cost) { return fraction > 0 ? fraction * cost : 0; }

/* Whether the straight line between two positions is clear. Without a function it is. */
bool wend_route_is_free(const routing *r, const double *a, const double *b);
/* Whether a route can use a gate: it has an open end or edge, and nothing lies between it and the position outside. */
bool wend_gate_is_good(routing *r, route_gate *gate, bool entering);
/* Looks up the k nearest gates. Those that are known already keep their state. */
wend_status wend_gates_find(routing *r, route_gates *gates, const double *point, double most, uint32_t k);
/* The number of all gates, at least 1. */
uint32_t wend_gates_all(const routing *r);
/* Finds the nearest good gate: looks up 4 gates, then 16, and so on. *first: its index; WEND_NONE: there is none. OK,
 * NO_MEMORY, ABORTED. */
wend_status wend_gates_first(routing *r, bool entering, uint32_t *first);

#endif
