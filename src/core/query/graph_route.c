/* SPDX-License-Identifier: MIT */
/* Routes: from any position to any position over a graph.
 *
 *   from . . . entry -----> node === node === node -----> exit . . . to
 *                    (edge)                       (edge)
 *
 * A gate is where a route enters or leaves the graph: see gates.h.
 *
 *   1  find the nearest good gate at each end                            begin_by_graph
 *   2  search between the two                                            STAGE_JOIN
 *   3  if there is no path: flood from all entries, take the nearest     STAGE_FLOOD
 *      exit that is reached; flood back from it, take the nearest        STAGE_FLOOD_BACK
 *      entry that is reached; search between these two                   STAGE_JOIN_OTHER
 *   4  if there is still no path and the caller accepts a partial one:   STAGE_PARTIAL
 *      search from the nearest entry toward the end position
 *
 *   5  on request replace parts of the route by shortcuts                straighten
 *
 * Nearly always step 2 succeeds, so a route costs one search. A gate is tested (wend_gate_is_good) only when a step needs it,
 * because the test calls the edge function and the caller's `clear`.
 *
 * A route can be found in slices. Each stage begins one search (begin_stage), which runs in as many slices as it needs
 * (run_stage). end_stage then chooses the next stage. An example: the slices are of 100 expansions, and the nearest gates are
 * not joined. The first search ends after 230 expansions, in the third slice. The flood begins in the same slice and may expand
 * 70 nodes there. */
#include <math.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/query/gates.h"

WEND_NO_FUSING

/* ---- Between two gates ------------------------------------------------------------------------------------- */

/* The cost between two gates along one edge, with the distances outside. INFINITY: they lie on different edges, or the edge is
 * directed the other way. */
static double cost_along(const routing *r, const route_gate *on, const route_gate *off) {
  if (!r->opts.by_edge || on->near.id != off->near.id) return INFINITY;
  return on->near.distance + off->near.distance +
         (on->fraction <= off->fraction ? wend_part_of(off->fraction - on->fraction, on->forth)
                                        : wend_part_of(on->fraction - off->fraction, on->back));
}

/* Whether an exit is at a node, and not beyond it on an edge. */
static bool exits_at(const routing *r, const route_gate *off, wend_id node) {
  return !r->opts.by_edge || wend_same_point(r->graph, off->near.point, wend_graph_position(r->graph, node));
}

/* Begins the search for the route between two gates: the cheaper of a path over nodes and the way along one edge. */
static wend_status begin_join(routing *r, uint32_t entry, uint32_t exit) {
  const route_gate *on = &r->entries.at[entry], *off = &r->exits.at[exit];
  wend_search_opts opts = r->opts.search;
  r->entry = entry, r->exit = exit;
  r->on = on, r->off = off;
  r->route.partial = false;
  r->searching = on->count > 0 && off->count > 0;
  if (!r->searching) return WEND_OK;
  opts.ends.closed = opts.ends.closed && off->count == 1 && exits_at(r, off, off->ends[0].at);
  return wend_paths_begin(r->s, &r->graph->map, on->ends, on->count, off->ends, off->count, &opts);
}

/* After that search, which ended with a status. */
static wend_status end_join(routing *r, wend_status status) {
  const wend_id *nodes, *edges;
  wend_route *route = &r->route;
  const double along = cost_along(r, r->on, r->off);
  r->over_nodes = true;
  if (status == WEND_OK) (void)wend_search_path(r->s, &nodes, &edges, &route->cost);
  if ((status == WEND_OK && along <= route->cost) || ((status == WEND_NO_PATH || status == WEND_BUDGET) && along < INFINITY)) {
    r->over_nodes = false;
    route->cost = along;
    status = along <= r->opts.search.max_cost ? WEND_OK : WEND_BUDGET;
  }
  return status;
}

/* ---- No path between the nearest gates --------------------------------------------------------------------- */

/* Adds a root of a flood. */
static wend_status add_root(routing *r, wend_id node) {
  r->roots = wend_search_scratch(r->s, ROUTE_ROOTS, ((uint64_t)r->root_count + 1) * sizeof *r->roots);
  if (r->roots == NULL) return WEND_NO_MEMORY;
  r->roots[r->root_count].place = r->graph->nodes.value[wend_slots_find(&r->graph->nodes, node)];
  r->roots[r->root_count++].value = 0;
  return WEND_OK;
}

/* The steps onto a closed node, in scratch memory. *count: their number. NULL: there is no memory. */
static const wend_entrance *list_steps_onto(routing *r, wend_id node, uint32_t *count) {
  wend_stepper stepper = wend_graph_stepper(r->graph, &r->opts.search.costs);
  const uint32_t place = r->graph->nodes.value[wend_slots_find(&r->graph->nodes, node)];
  wend_entrance *list =
      wend_search_scratch(r->s, ROUTE_STEPS, ((uint64_t)wend_entrance_room(&stepper, place) + 1) * sizeof *list);
  stepper.callbacks = &r->stats.callbacks;
  *count = list != NULL ? wend_entrances(&stepper, place, list) : 0;
  r->invalid = r->invalid || stepper.invalid;
  return list;
}

static wend_id node_at(const routing *r, uint32_t place) { return wend_slots_id(&r->graph->nodes, r->graph->slot_of[place]); }

/* Whether the route may end at a closed node, an end of the exit: nothing floods through it. */
static bool is_entered(const routing *r, const route_gate *off, wend_id node) {
  return r->opts.search.ends.closed && wend_graph_is_closed(r->graph, node) && exits_at(r, off, node);
}

/* Begins the flood from the ends of gate number `only`, or of all good gates if it is WEND_NONE. back: against the direction of
 * travel. Without ends there is nothing to flood. */
static wend_status begin_flood_gates(routing *r, const route_gates *gates, uint32_t only, bool back) {
  wend_search_opts opts = wend_search_opts_default();
  opts.costs = r->opts.search.costs;
  opts.heuristic = WEND_ZERO;
  opts.max_expanded = r->opts.search.max_expanded;
  r->root_count = 0;
  for (uint32_t i = 0; i < gates->count; i++) {
    const route_gate *gate = &gates->at[i];
    if ((only != WEND_NONE && i != only) || gate->state != GATE_GOOD) continue;
    for (uint32_t k = 0; k < gate->count; k++) {
      uint32_t steps = 0;
      const wend_entrance *list = NULL;
      if (add_root(r, gate->ends[k].at) != WEND_OK) return WEND_NO_MEMORY;
      if (!back || !is_entered(r, gate, gate->ends[k].at)) continue;
      list = list_steps_onto(r, gate->ends[k].at, &steps);
      if (list == NULL) return WEND_NO_MEMORY;
      for (uint32_t j = 0; j < steps; j++)
        if (add_root(r, node_at(r, list[j].from)) != WEND_OK) return WEND_NO_MEMORY;
    }
  }
  if (r->invalid) return WEND_ABORTED;
  r->searching = r->root_count > 0;
  if (!r->searching) return WEND_OK;
  return wend_pathfinder_begin_flood(r->s, &r->graph->map, NULL, back, r->roots, r->root_count, &opts);
}

/* Whether the last flood reached a node; off: an exit. If the route may end at it, reaching the place before it is enough. */
static bool has_flooded(routing *r, wend_id node, const route_gate *off) {
  const wend_entrance *list;
  uint32_t count;
  if (wend_search_has(r->s, node)) return true;
  if (off == NULL || !is_entered(r, off, node)) return false;
  list = list_steps_onto(r, node, &count);
  for (uint32_t i = 0; i < count; i++)
    if (wend_search_has(r->s, node_at(r, list[i].from))) return true;
  return false;
}

/* Whether it reached an end of a gate. */
static bool is_flooded(routing *r, const route_gate *gate, bool off) {
  for (uint32_t k = 0; k < gate->count; k++)
    if (has_flooded(r, gate->ends[k].at, off ? gate : NULL)) return true;
  return false;
}

/* Whether a good entry leads to an exit along one edge. */
static bool is_along_any(const routing *r, const route_gates *entries, const route_gate *off) {
  if (!r->opts.by_edge) return false;
  for (uint32_t i = 0; i < entries->count; i++)
    if (entries->at[i].state == GATE_GOOD && cost_along(r, &entries->at[i], off) < INFINITY) return true;
  return false;
}

/* Two gates with a path between them are the nearest exit that any entry reaches, and the nearest entry that reaches it. This
 * begins the flood from all entries. */
static wend_status begin_find_pair(routing *r) {
  route_gates *entries = &r->entries;
  wend_status status = wend_gates_find(r, entries, r->from, r->opts.max_distance, wend_gates_all(r));
  if (status == WEND_OK) status = wend_gates_find(r, &r->exits, r->to, r->opts.max_distance, wend_gates_all(r));
  if (status != WEND_OK) return status;
  for (uint32_t i = 0; i < entries->count; i++) (void)wend_gate_is_good(r, &entries->at[i], true);
  return r->invalid ? WEND_ABORTED : begin_flood_gates(r, entries, WEND_NONE, false);
}

/* After the flood: finds the exit. flooded: there was one. */
static wend_status find_exit(routing *r, bool flooded) {
  route_gates *exits = &r->exits;
  for (uint32_t i = 0; i < exits->count; i++) {
    route_gate *gate = &exits->at[i];
    bool good;
    /* A gate that is not reached need not be tested. */
    if (!r->opts.by_edge && !(flooded && has_flooded(r, gate->near.id, gate))) continue;
    good = wend_gate_is_good(r, gate, false) && ((flooded && is_flooded(r, gate, true)) || is_along_any(r, &r->entries, gate));
    if (r->invalid) return WEND_ABORTED;
    if (good) return r->exit = i, WEND_OK;
  }
  return WEND_NO_PATH;
}

/* After the flood back from the exit: finds the entry. */
static wend_status find_entrance(routing *r, bool flooded) {
  const route_gates *entries = &r->entries;
  for (uint32_t i = 0; i < entries->count; i++) {
    const route_gate *gate = &entries->at[i];
    if (gate->state == GATE_GOOD &&
        ((flooded && is_flooded(r, gate, false)) || cost_along(r, gate, &r->exits.at[r->exit]) < INFINITY))
      return r->entry = i, WEND_OK;
  }
  return WEND_NO_PATH;
}

/* Begins the search for the partial route from the nearest entry toward the end position. The goal of the search is the node
 * nearest to that position. */
static wend_status begin_partial(routing *r) {
  wend_search_opts opts = r->opts.search;
  const route_gate *gate = &r->entries.at[r->first_entry];
  wend_near near;
  wend_end goal = {WEND_NO_ID, 0};
  uint32_t count;
  wend_status status = wend_graph_nearest(r->graph, r->to, INFINITY, 1, &near, &count);
  if (status != WEND_OK) return status;
  if (count == 0 || gate->count == 0) return WEND_NO_PATH;
  goal.at = near.id;
  opts.toward = r->to;
  opts.partial = true;
  r->searching = true;
  return wend_paths_begin(r->s, &r->graph->map, gate->ends, gate->count, &goal, 1, &opts);
}

static wend_status end_partial(routing *r, wend_status status) {
  const wend_id *nodes, *edges;
  if (status == WEND_NO_PATH || status == WEND_BUDGET) status = wend_paths_partial(r->s);
  if (status != WEND_OK) return status;
  r->on = &r->entries.at[r->first_entry], r->off = NULL;
  (void)wend_search_path(r->s, &nodes, &edges, &r->route.cost);
  r->over_nodes = r->route.partial = true;
  return r->route.cost <= r->opts.search.max_cost ? WEND_OK : WEND_BUDGET;
}

/* ---- The points -------------------------------------------------------------------------------------------- */

/* A point of the route: `from`, where it enters the graph, a node with a position, where it leaves the graph, or `to`. Equal
 * points in a row are one. */
typedef struct route_point {
  wend_waypoint way;
  wend_id leg; /* the edge of the leg that leads here; WEND_NO_ID: there is none */
  /* The cost of the route up to the point, and from the point on; different if an edge joins equal points. To straighten it. */
  double before, after;
  uint32_t first, end; /* its nodes: indices in the path; first == end: none */
} route_point;

typedef struct route_points {
  route_point *at;
  uint32_t count;
  double cost; /* up to here */
} route_points;

/* Makes one of equal points in a row: the first point stays, with the smaller reach of both. False: they are not equal. */
static bool join_points(const routing *r, route_point *point, const route_point *next) {
  if (!wend_same_point(r->graph, point->way.point, next->way.point)) return false;
  point->way.reach = fmin(point->way.reach, next->way.reach);
  return true;
}

/* Adds a point, at `cost` from the one before. leg: the edge that leads here. first, end: its nodes. */
static void add_point(const routing *r, route_points *points, const wend_waypoint *way, wend_id leg, double cost,
                      uint32_t first, uint32_t end) {
  route_point *last = &points->at[points->count];
  points->cost += cost;
  last->way = *way, last->leg = leg;
  last->before = points->cost;
  last->first = first, last->end = end;
  if (points->count > 0 && join_points(r, last - 1, last)) {
    last--;
    if (last->first == last->end) last->first = first;
    if (last->first == first || end > first) last->end = end;
  } else {
    points->count++;
  }
  last->after = points->cost;
}

/* The same for a point that is no node. */
static void add_fixed(const routing *r, route_points *points, const double *position, wend_id leg, double cost, uint32_t node) {
  wend_waypoint way = {{0, 0, 0}, 0, INFINITY, WEND_NO_ID};
  memcpy(way.point, position, (size_t)r->graph->dimensions * sizeof *position);
  add_point(r, points, &way, leg, cost, node, node);
}

/* The cost from a gate to one of its ends, or back, without the distance outside. By node it is 0. */
static double cost_to_end(const route_gate *gate, wend_id node) {
  for (uint32_t k = 0; k < gate->count; k++)
    if (gate->ends[k].at == node) return gate->ends[k].cost - gate->near.distance;
  return 0;
}

/* The cost of the step from node number i of the path to the next. OK, ABORTED. */
static wend_status cost_of_step(const routing *r, wend_stepper *stepper, uint32_t i, double *cost) {
  const wend_id id = r->s->path_edges[i];
  wend_edge edge;
  if (wend_graph_edge(r->graph, id, &edge) != WEND_OK) return WEND_ABORTED; /* cannot happen */
  *cost = wend_edge_cost(stepper, wend_slots_find(&r->graph->edges, id), edge.from != r->s->path_nodes[i]);
  return stepper->invalid ? WEND_ABORTED : WEND_OK;
}

/* Fills in the points of the route; to straighten it, with the costs between them. A leg over nodes without a position has the
 * edge on which it begins. OK, ABORTED. */
static wend_status list_points(routing *r, route_points *points) {
  const uint32_t length = r->over_nodes ? r->s->path_length : 0;
  const wend_id *nodes = r->s->path_nodes, on = r->opts.by_edge ? r->on->near.id : WEND_NO_ID;
  wend_stepper stepper = wend_graph_stepper(r->graph, &r->opts.search.costs);
  wend_id leg = on;
  double cost = r->on->near.distance;
  stepper.callbacks = &r->stats.callbacks;
  add_fixed(r, points, r->from, WEND_NO_ID, 0, 0);
  if (r->opts.by_edge) {
    add_fixed(r, points, r->on->near.point, WEND_NO_ID, cost, 0);
    cost = length > 0 ? cost_to_end(r->on, nodes[0]) : 0;
  }
  for (uint32_t i = 0; i < length; i++) {
    wend_waypoint way = {{0, 0, 0}, 0, 0, nodes[i]};
    const bool placed = wend_graph_waypoints(r->graph, r->opts.jitter, &way, 1) == 1;
    if (placed) add_point(r, points, &way, leg, cost, i, i + 1);
    else points->cost += cost;
    if (i + 1 == length) break;
    if (placed) leg = r->s->path_edges[i];
    if (r->opts.straighten && cost_of_step(r, &stepper, i, &cost) != WEND_OK) return WEND_ABORTED;
  }
  if (r->off == NULL) return WEND_OK;
  if (r->opts.by_edge) {
    cost =
        r->over_nodes ? cost_to_end(r->off, nodes[length - 1]) : r->route.cost - r->on->near.distance - r->off->near.distance;
    add_fixed(r, points, r->off->near.point, r->off->near.id, cost, length);
  }
  add_fixed(r, points, r->to, WEND_NO_ID, r->off->near.distance, length);
  return WEND_OK;
}

/* ---- Shortcuts --------------------------------------------------------------------------------------------- */

/* A shortcut must save more than rounding. So a route keeps the nodes of a straight road. */
#define SAVING (1 - 1e-9)
/* How many points beyond the end of a shortcut are tried, if those in between would save nothing. */
#define LOOK_AHEAD 32u

/* Whether a straight line from a point to a later one saves something. *length: of it. */
static bool saves(const routing *r, const route_point *from, const route_point *to, double *length) {
  *length = wend_distance(r->graph->dimensions, from->way.point, to->way.point);
  return *length < (to->before - from->after) * SAVING;
}

/* The point after point i: the next one, or the end of a shortcut. From the start, the line to the end comes first. A shortcut is
 * extended until it is not clear, although one to a later point may be clear again: a caller's `clear` may take long. */
static uint32_t next_point(const routing *r, const route_points *points, uint32_t i, double *cost) {
  const route_point *from = &points->at[i], *end = &points->at[points->count - 1];
  uint32_t best = i + 1;
  double length;
  if (i == 0 && points->count > 2 && saves(r, from, end, cost) && wend_route_is_free(r, from->way.point, end->way.point))
    return points->count - 1;
  *cost = points->at[best].before - from->after;
  for (uint32_t j = i + 2; j < points->count && j <= best + LOOK_AHEAD; j++) {
    if (!saves(r, from, &points->at[j], &length)) continue;
    if (!wend_route_is_free(r, from->way.point, points->at[j].way.point)) break;
    best = j;
    *cost = length;
  }
  return best;
}

/* Appends nodes of the path to its shortened copy at the same place. *length: of the copy. *last: the index in the path of the
 * last node that was copied. */
static void copy_nodes(wend_search *s, uint32_t first, uint32_t end, uint32_t *length, uint32_t *last) {
  for (uint32_t i = first; i < end; i++) {
    if (*length > 0) s->path_edges[*length - 1] = *last + 1 == i ? s->path_edges[i - 1] : WEND_NO_ID;
    s->path_nodes[(*length)++] = s->path_nodes[i];
    *last = i;
  }
}

/* Replaces parts of the route by shortcuts: straight lines that are clear and cost less. A shortcut leaves the graph, so it
 * costs its length. The points that are kept move to the front of the list. */
static void straighten(routing *r, route_points *points) {
  wend_search *s = r->s;
  const uint32_t count = points->count;
  route_point at = points->at[0];
  uint32_t length = 0, last = 0, kept = 1;
  double sum = 0;
  copy_nodes(s, at.first, at.end, &length, &last);
  for (uint32_t i = 0, next; i + 1 < count; i = next) {
    route_point to;
    double cost;
    next = next_point(r, points, i, &cost);
    to = points->at[next];
    sum += at.after - at.before + cost;
    if (next > i + 1) to.leg = WEND_NO_ID;
    else copy_nodes(s, at.end, to.first, &length, &last); /* nodes without a position lie between the two points */
    copy_nodes(s, to.first, to.end, &length, &last);
    if (!join_points(r, &points->at[kept - 1], &to)) points->at[kept++] = to;
    at = to;
  }
  if (kept == count) return;
  points->count = kept;
  s->path_length = length;
  sum += at.after - at.before;
  if (sum < r->route.cost) r->route.cost = sum;
}

/* ---- The whole route --------------------------------------------------------------------------------------- */

/* Adds the statistics of the last search to the sum. */
static void add_stats(routing *r) {
  const wend_stats stats = wend_search_stats(r->s);
  r->stats.expanded += stats.expanded, r->stats.pushed += stats.pushed, r->stats.callbacks += stats.callbacks;
  r->stats.tables += stats.tables;
  r->stats.bound = stats.bound, r->stats.loop = stats.loop;
}

/* Begins a stage: its search, if it needs one. Any status but OK is that of the route over the graph. */
static wend_status begin_stage(routing *r, route_stage stage) {
  wend_status status = WEND_OK;
  r->stage = stage;
  r->searching = false;
  if (wend_search_reads(r->s, &r->opts.search.costs) != WEND_OK)
    stage = STAGE_NONE, status = WEND_STALE; /* an edge function has named one */
  switch (stage) {
    case STAGE_JOIN: status = begin_join(r, r->first_entry, r->first_exit); break;
    case STAGE_FLOOD: status = begin_find_pair(r); break;
    case STAGE_FLOOD_BACK: status = begin_flood_gates(r, &r->exits, r->exit, true); break;
    case STAGE_JOIN_OTHER: status = begin_join(r, r->entry, r->exit); break;
    case STAGE_PARTIAL: status = begin_partial(r); break;
    case STAGE_NONE: break;
  }
  if (status == WEND_OK) return status;
  if (r->searching) add_stats(r);
  r->stage = STAGE_NONE;
  return status;
}

/* After the search of a stage, which ended with a status; NO_PATH: it needed none. Chooses the next stage. STAGE_NONE: there is
 * no other, and the status that this returns is that of the route over the graph. */
static wend_status end_stage(routing *r, wend_status status, route_stage *next) {
  *next = STAGE_NONE;
  switch (r->stage) {
    case STAGE_JOIN:
      r->joined = status = end_join(r, status);
      if (status == WEND_NO_PATH || status == WEND_BUDGET) *next = STAGE_FLOOD;
      return status;
    case STAGE_FLOOD:
      if (status != WEND_OK && status != WEND_NO_PATH) break;
      status = find_exit(r, status == WEND_OK);
      if (status == WEND_OK) return *next = STAGE_FLOOD_BACK, status;
      break;
    case STAGE_FLOOD_BACK:
      if (status != WEND_OK && status != WEND_NO_PATH) break;
      status = find_entrance(r, status == WEND_OK);
      if (status != WEND_OK) break;
      if (r->joined != WEND_BUDGET || r->entry != r->first_entry || r->exit != r->first_exit)
        return *next = STAGE_JOIN_OTHER, status;
      status = r->joined;
      break;
    case STAGE_JOIN_OTHER: status = end_join(r, status); break;
    case STAGE_PARTIAL: return end_partial(r, status);
    case STAGE_NONE: return status;
  }
  if (r->opts.search.partial && (status == WEND_NO_PATH || status == WEND_BUDGET)) *next = STAGE_PARTIAL;
  return status;
}

/* Step 1: finds the nearest gates, and begins the first stage. */
static wend_status begin_by_graph(routing *r) {
  wend_status status = wend_gates_first(r, true, &r->first_entry);
  if (status == WEND_OK) status = wend_gates_first(r, false, &r->first_exit);
  if (status != WEND_OK) return status;
  if (r->first_entry == WEND_NONE) return WEND_NO_PATH;
  if (r->first_exit != WEND_NONE) return begin_stage(r, STAGE_JOIN);
  return r->opts.search.partial ? begin_stage(r, STAGE_PARTIAL) : WEND_NO_PATH;
}

/* Runs the search of the stage for at most *left expansions, and subtracts what it used. RUNNING: they are used up. */
static wend_status run_stage(routing *r, uint64_t *left) {
  const bool flood = r->stage == STAGE_FLOOD || r->stage == STAGE_FLOOD_BACK;
  const wend_status status = r->searching ? wend_route_search(r, flood, left) : WEND_NO_PATH;
  if (r->searching && status != WEND_RUNNING) add_stats(r);
  return status;
}

/* Steps 2 to 4: runs stage after stage. RUNNING: *left expansions are used up. Otherwise the status of the route over the
 * graph. */
static wend_status run_stages(routing *r, uint64_t *left) {
  while (r->stage != STAGE_NONE) {
    route_stage next;
    wend_status status = run_stage(r, left);
    if (status == WEND_RUNNING) return status;
    status = end_stage(r, status, &next);
    if (next != STAGE_NONE) status = begin_stage(r, next);
    else r->stage = STAGE_NONE;
    r->graphed = status;
  }
  return r->graphed;
}

static wend_status begin_graph_route(routing *r) {
  wend_graph *graph = r->graph = (wend_graph *)r->map;
  r->entries.slot = ROUTE_ENTRIES, r->exits.slot = ROUTE_EXITS;
  r->length = wend_distance(graph->dimensions, r->from, r->to);
  r->straight = wend_same_point(graph, r->from, r->to) || (r->opts.clear != NULL && wend_route_is_free(r, r->from, r->to));
  r->by_graph =
      !r->straight || (r->length > 0 && !(graph->unplaced == 0 && wend_graph_least(graph, &r->opts.search.costs) >= 1));
  if (r->by_graph) r->graphed = begin_by_graph(r);
  return r->graphed == WEND_NO_MEMORY ? WEND_NO_MEMORY : WEND_RUNNING;
}

/* Whether the straight route is the cheapest. status: of the route over the graph. */
static bool is_straight(const routing *r, wend_status status) {
  if (!r->by_graph) return true;
  if (!r->straight || (status == WEND_OK && !r->route.partial && r->route.cost < r->length)) return false;
  return status == WEND_OK || status == WEND_NO_PATH || status == WEND_BUDGET;
}

/* Makes the straight route the result. */
static wend_status go_straight(routing *r, route_points *points) {
  points->count = 0;
  add_fixed(r, points, r->from, WEND_NO_ID, 0, 0);
  add_fixed(r, points, r->to, WEND_NO_ID, r->length, 0);
  r->over_nodes = r->route.partial = false;
  r->route.cost = r->length;
  return r->length <= r->opts.search.max_cost ? WEND_OK : WEND_BUDGET;
}

/* Writes the points, and moves them by the option `jitter`. OK, NO_MEMORY. */
static wend_status write_route_points(routing *r, const route_points *points) {
  wend_route *route = &r->route;
  wend_id *legs;
  if (!wend_route_reserve(r, points->count, &legs)) return WEND_NO_MEMORY;
  route->count = points->count;
  for (uint32_t i = 0; i < route->count; i++) {
    route->points[i] = points->at[i].way;
    if (i > 0) legs[i - 1] = points->at[i].leg;
  }
  if (r->opts.jitter > 0)
    wend_jitter_points(route->points, route->count, r->graph->dimensions, r->opts.search.seed, r->opts.clear, r->opts.clear_ud);
  if (!r->over_nodes) r->s->path_length = 0;
  return WEND_OK;
}

static wend_status run_graph_route(routing *r, uint64_t *left) {
  route_points points = {NULL, 0, 0};
  wend_status status = r->by_graph ? run_stages(r, left) : WEND_OK;
  if (status == WEND_RUNNING) return status;
  points.at = wend_search_scratch(r->s, ROUTE_CORNERS, ((uint64_t)r->s->path_length + 4) * sizeof *points.at);
  if (points.at == NULL) return WEND_NO_MEMORY;
  if (r->by_graph && status == WEND_OK) {
    status = list_points(r, &points);
    if (status == WEND_OK && r->opts.straighten) straighten(r, &points);
  }
  if (r->by_graph) r->s->stats = r->stats;
  if (is_straight(r, status)) status = go_straight(r, &points);
  return status == WEND_OK ? write_route_points(r, &points) : status;
}

const routing_kind wend_graph_routing = {begin_graph_route, run_graph_route};
