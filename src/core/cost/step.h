/* SPDX-License-Identifier: MIT */
/* The cost of a step: along an edge of a graph, onto a cell of a grid, or through a portal. Searches, fields, routes, route
 * tables, components and lines all use these functions, in the direction of travel and against it.
 *
 *     weight --1. price--> weight x times + plus --2. ask--> the result of the edge function
 *
 * 1. wend_price_of applies the agent's cost of the tag to the weight. It needs no ids and cannot fail. An edge and a portal
 *    have their own weight; the weight of a step onto a cell is the length of the step x the weight of the cell.
 *    On a graph, the tag of the node that the step enters is applied to this price in the same way, and an edge that is too
 *    narrow for the agent is closed: wend_arc_price. Influence layers add to the price in the same way, as if what the step
 *    enters had a tag with this `plus`: wend_price_plus.
 * 2. wend_step_ask calls the edge function, but only for some prices:
 *
 *      tag asks?   closed by its tag?   at_least   then
 *      no          -                    -          the cost is the price
 *      yes         no                   -          the function is called
 *      yes         yes                  > 0        closed: no result is below at_least x INFINITY
 *      yes         yes                  0          the function is called with INFINITY, and may open the step
 *
 * The price also has a lower bound of the result. A search does not call the function for a step that cannot improve anything.
 *
 * An example: an edge of weight 10, and a tag that costs the agent x 2 + 5 and asks with at_least 0.5. The price is 25, and the
 * result is at least 12.5. A search that has reached this edge at cost 100, and already knows a path of cost 110 to its end,
 * does not call the function: 112.5 is no improvement. If it knows only a path of cost 120, it calls the function with 25;
 * whatever that returns is the cost.
 *
 * An agent with a size on a grid, a body, covers several cells. The price of its step is the greatest of those of the cells that
 * it covers afterwards, and each of them may be asked for; its bound is the greatest of their bounds. To each of these prices a
 * layer adds the greatest number under the body. step.c has the rules.
 *
 * The cost of a closed step is INFINITY. If the edge function returns a negative number or NaN, the cost is INFINITY as well,
 * and the stepper sets `invalid`. */
#ifndef WEND_STEP_H
#define WEND_STEP_H

#include <string.h>

#include "core/map/graph_store.h"
#include "core/map/grid.h"

/* How the cost of a step is computed. The kernel is compiled for each kind. */
typedef enum wend_cost_kind {
  COSTS_WEIGHTS, /* the weights as they are */
  COSTS_TAGS,    /* weight x times + plus, by tag */
  COSTS_ASKED,   /* the same, and an edge function */
  COSTS_ALL      /* only in the kernel: whatever the costs are, wend_arc_price computes them; see wend_has_more_costs. Of cells:
                    layers and turns add to the prices */
} wend_cost_kind;

static inline wend_cost_kind wend_cost_kind_of(const wend_costs *costs) {
  return costs->tags == NULL ? COSTS_WEIGHTS : costs->edge == NULL ? COSTS_TAGS : COSTS_ASKED;
}

/* Whether a map has got names of tags since it had `tag_count` of them: costs made then have no items for them. An overlay that
 * names a new tag does not raise the version of its map, so the version does not tell. */
static inline bool wend_lacks_tags(const wend_map *map, const wend_costs *costs, uint32_t tag_count) {
  return costs->tags != NULL && wend_map_tag_count(map) != tag_count;
}

typedef struct wend_price {
  double cost;  /* the cost, unless the edge function is called */
  double least; /* a lower bound of the cost, also after the call */
  bool asked;   /* whether the edge function is called */
} wend_price;

/* Part 1, the price. tags: by tag; NULL for COSTS_WEIGHTS. weight: finite and >= 0. */
WEND_INLINE wend_price wend_price_of(const wend_cost_kind kind, const wend_tag_cost *tags, uint32_t tag, double weight) {
  wend_price price = {weight, weight, false};
  if (kind == COSTS_WEIGHTS) return price;
  price.cost = price.least = weight * tags[tag].times + tags[tag].plus;
  if (kind == COSTS_TAGS || !tags[tag].asks) return price;
  price.asked = !(price.cost == INFINITY && tags[tag].at_least > 0);
  if (price.asked) price.least = tags[tag].at_least > 0 ? price.cost * tags[tag].at_least : 0;
  return price;
}

/* The price of a step onto a node: its tag is applied to the price of the edge, which has a tag too. */
WEND_INLINE wend_price wend_price_onto(const wend_cost_kind kind, const wend_tag_cost *edge, const wend_tag_cost *node,
                                       wend_price price) {
  double at_least = 1;
  if (price.cost < INFINITY) price.cost = price.cost * node->times + node->plus; /* not INFINITY x 0 */
  price.least = price.cost;
  if (kind != COSTS_ASKED || !(edge->asks || node->asks)) return price;
  if (edge->asks) at_least *= edge->at_least;
  if (node->asks) at_least *= node->at_least;
  price.asked = !(price.cost == INFINITY && at_least > 0);
  if (price.asked) price.least = at_least > 0 ? price.cost * at_least : 0;
  return price;
}

/* The same price, to which layers add; node: the cost of the tag of the node that the step enters, NULL: it has none. */
WEND_INLINE wend_price wend_price_plus(const wend_cost_kind kind, const wend_tag_cost *edge, const wend_tag_cost *node,
                                       wend_price price, double added) {
  const wend_tag_cost none = {1, 0, 1, false, false, false};
  wend_tag_cost onto = node != NULL ? *node : none;
  onto.plus += added;
  return wend_price_onto(kind, edge != NULL ? edge : &none, &onto, price);
}

/* Whether two agents pay the same for a tag, if no edge function is called. */
static inline bool wend_same_price(const wend_tag_cost *a, const wend_tag_cost *b) {
  return a->times == b->times && a->plus == b->plus;
}

/* The same if one may be called: whether the tag of an agent, whose `asks` is false without a function, is as that of the costs. */
static inline bool wend_same_asking(const wend_tag_cost *known, const wend_costs *costs, uint32_t tag) {
  const wend_tag_cost *cost = &costs->tags[tag];
  return wend_same_price(known, cost) && known->asks == (costs->edge != NULL && cost->asks) &&
         (!known->asks || (known->at_least > 0) == (cost->at_least > 0));
}

/* What happens if a step needs an answer of the edge function. */
typedef enum wend_asking {
  ASKING_ALWAYS,  /* the function is called */
  ASKING_SAMPLES, /* the same for the first WEND_SAMPLE steps. They decide between ASKING_ALWAYS and ASKING_NEVER */
  ASKING_NEVER    /* the step costs the least that the function promises */
} wend_asking;

/* A function that makes more than one in WEND_DEARER_MOST steps dearer than it promises is always asked: trusting it would cost
 * more than it saves. The sample must tell this from one in a hundred. */
#define WEND_SAMPLE 32u
#define WEND_DEARER_MOST 12u

/* Influence layers: numbers >= 0 by place of a grid, or by slot of a graph. So no step costs less with them, and all lower bounds
 * stay valid; and they close nothing.
 *
 * A layer without memory is 0 everywhere: it gets memory when the first number is set. Of a graph it has the generations of the
 * slots too: a node that was added later may have the slot of one that was removed, and its number is 0.
 *
 * The walkers of a crowd keep a layer until they get another way. If it is destroyed before, it has no numbers from then on. */
struct wend_influence {
  wend_alloc alloc;
  uint64_t serial;                /* of this layer alone, among those of maps */
  wend_journal journal;           /* of the numbers that have changed, by index */
  uint32_t keepers;               /* how many keep it: its maker, and walkers */
  uint32_t width, height, stride; /* of the grid; 0: it is of a graph */
  uint32_t count;                 /* of the numbers that are set; the others are 0 */
  float *values;                  /* by place of the whole grid, or by slot */
  uint32_t *generations;          /* by slot */
  uint32_t values_capacity, generations_capacity;
};

/* The index of a node or cell. */
static inline uint32_t wend_influence_index(const wend_influence *layer, wend_id id) {
  if (layer->width == 0) return (uint32_t)id - 1u;
  return (uint32_t)((id - 1) / layer->width + 1) * layer->stride + (uint32_t)((id - 1) % layer->width) + 1u;
}

/* wend_influence_sum for a place of the whole grid, of one layer and of all, also under an agent that covers body x body cells: of
 * each layer its greatest number there counts. And of a synced graph. */
WEND_INLINE double wend_influence_onto(const wend_influence_use *use, uint32_t place) {
  const wend_influence *layer = use->layer;
  return layer != NULL && place < layer->count ? use->factor * (double)layer->values[place] : 0;
}
WEND_INLINE double wend_influence_onto_cell(const wend_costs *costs, uint32_t place) {
  double sum = 0;
  for (uint32_t i = 0; i < costs->influence_count; i++) sum += wend_influence_onto(&costs->influences[i], place);
  return sum;
}
double wend_influence_under_body(const wend_costs *costs, uint32_t stride, uint32_t body, uint32_t place);
WEND_INLINE double wend_influence_under(const wend_costs *costs, uint32_t stride, uint32_t body, uint32_t place) {
  return WEND_LIKELY(body <= 1) ? wend_influence_onto_cell(costs, place)
                                : wend_influence_under_body(costs, stride, body, place);
}
static inline double wend_influence_onto_node(const wend_costs *costs, const wend_graph *graph, uint32_t place) {
  return costs->influence_count > 0 ? wend_influence_sum(costs, wend_slots_id(&graph->nodes, graph->slot_of[place])) : 0;
}

/* A step about which the edge function was asked. */
typedef struct wend_asked_step {
  uint64_t key;
  double cost;
} wend_asked_step;

/* The steps over a grid that were asked about last: a small table without chains. */
#define WEND_RECENT_BITS 12

/* Computes the costs of steps on one map for one agent. */
typedef struct wend_stepper {
  const wend_costs *costs;
  wend_cost_kind kind;     /* of the costs */
  const wend_graph *graph; /* one of the two is NULL; a graph is synced */
  const wend_grid *grid;
  wend_region region;  /* of the grid; places are those of the region */
  uint32_t opened;     /* a place that counts as open for steps onto it, a closed goal; WEND_NONE: none */
  uint64_t *callbacks; /* counts the calls of the edge function; NULL: not counted */
  bool invalid;        /* the edge function has returned a negative number or NaN */
  wend_asking asking;
  uint32_t sampled, dearer;
  uint32_t body; /* on a grid: steps are those of body x body cells; 0, 1: those of a cell */
  const wend_grid
      *base; /* of an eroded grid, if there is a function: the grid itself, where steps about which it is asked are taken */
  uint32_t covers; /* layers count under so many cells in a row: the same, or what a cell of an eroded grid stands for */
  wend_asked_step
      *recent;         /* by a hash of from << 32 | to, which is the key; NULL: the function is asked again for the same step */
  bool passes_corners; /* cells beside a diagonal count as open where only the function could close them: it is not asked */
} wend_stepper;

/* A stepper for a synced graph, or for a whole grid. It borrows the map and the costs. */
wend_stepper wend_graph_stepper(const wend_graph *graph, const wend_costs *costs);
wend_stepper wend_grid_stepper(const wend_grid *grid, const wend_costs *costs);
/* The same for any map. It syncs a graph. NO_MEMORY. */
wend_status wend_map_stepper(wend_map *map, const wend_costs *costs, wend_stepper *stepper);
/* The place of a node or a cell, and the id of a place. */
static inline uint32_t wend_stepper_place(const wend_stepper *stepper, wend_id id) {
  if (stepper->grid != NULL) return wend_region_find(&stepper->region, stepper->grid, id);
  return stepper->graph->nodes.value[wend_slots_find(&stepper->graph->nodes, id)];
}
static inline wend_id wend_stepper_id(const wend_stepper *stepper, uint32_t place) {
  if (stepper->grid != NULL) return wend_region_cell(&stepper->region, stepper->grid, place);
  return wend_slots_id(&stepper->graph->nodes, stepper->graph->slot_of[place]);
}
/* The neighbour of a place in a direction, on a grid; and the price of a step. */
static inline uint32_t wend_stepper_next(const wend_stepper *stepper, uint32_t from, int direction) {
  return (uint32_t)(from + wend_offset(stepper->region.stride, direction));
}
/* The direction of the step from a place to another; 8: it is no neighbour. */
static inline int wend_stepper_direction(const wend_stepper *stepper, uint32_t from, uint32_t to) {
  int direction = 0;
  while (direction < 8 && wend_stepper_next(stepper, from, direction) != to) direction++;
  return direction;
}
WEND_INLINE wend_price wend_stepper_price(const wend_stepper *stepper, uint32_t tag, double weight) {
  return wend_price_of(stepper->kind, stepper->costs->tags, tag, weight);
}

/* Part 1 of a portal that leads to a place of the region. */
wend_price wend_portal_price(const wend_stepper *stepper, const wend_portal *portal, uint32_t to);
/* What layers add to a step of length 1 onto a place of the region, or of the graph, or through a portal that leads there. */
double wend_step_added(const wend_stepper *stepper, uint32_t place);

/* Part 2: calls the edge function and returns the cost; INFINITY: closed. from, to: in the direction of travel. edge:
 * WEND_NO_ID on a grid. node_tag: of the node that the step enters. cost: the price. */
double wend_step_ask(wend_stepper *stepper, wend_id from, wend_id to, wend_id edge, uint32_t tag, uint32_t node_tag,
                     double cost);

/* The body of an agent on a grid: see wend_body_of_size. */
static inline uint32_t wend_body_size(const wend_costs *costs) { return wend_body_of_size(costs->size); }

/* Whether steps with a tag can be open: the tag is open, or the edge function may open it. */
WEND_INLINE bool wend_tag_is_open(const wend_cost_kind kind, const wend_tag_cost *tags, uint32_t tag) {
  return kind == COSTS_WEIGHTS || tags[tag].plus < INFINITY ||
         (kind == COSTS_ASKED && tags[tag].asks && !(tags[tag].at_least > 0));
}

/* ---- Graphs ------------------------------------------------------------------------------------------------ */

/* Whether an arc is open. *weight: its weight. weights: the column of the pool. back: the arc is in a section of travel in, so
 * the step starts at the other end. */
WEND_INLINE bool wend_arc_is_open(const wend_graph *graph, const double *weights, uint32_t arc, const bool back,
                                  double *weight) {
  int64_t bits;
  memcpy(&bits, weights + arc, sizeof bits);
  *weight = weights[arc];
  if (WEND_LIKELY(bits >= 0)) return true; /* !wend_is_blocked(*weight) in fewer instructions */
  /* In a backward search the node at the other end is where the step starts. It may be closed: a closed node can be left. */
  if (!back || (graph->arc_flags[arc] & ARC_CLOSED) != 0) return false;
  *weight = -*weight;
  return true;
}

/* Whether a place is closed by wend_graph_close_node. */
static inline bool wend_is_node_closed(const wend_graph *graph, uint32_t place) {
  return (graph->flags[place] & PLACE_CLOSED) != 0;
}

/* Whether tags of nodes count for an agent; and whether they, widths of edges or layers do. */
static inline bool wend_has_node_costs(const wend_graph *graph, const wend_costs *costs) {
  return graph->tagged_count > 0 && costs->tags != NULL;
}
static inline bool wend_has_more_costs(const wend_graph *graph, const wend_costs *costs) {
  return wend_has_node_costs(graph, costs) || (graph->width != NULL && costs->size > 0) || costs->influence_count > 0;
}

/* Whether the edge of an arc is too narrow for an agent of a size. */
WEND_INLINE bool wend_arc_is_narrow(const wend_graph *graph, uint32_t arc, double size) {
  return graph->width != NULL && graph->width[graph->arc_edge[arc]] < size;
}

/* Part 1 for an arc onto a place, in the direction of travel; by its tags, and by all. */
WEND_INLINE wend_price wend_arc_tag_price(const wend_stepper *stepper, uint32_t arc, uint32_t to, double weight) {
  const uint16_t *node_tag = stepper->graph->node_tag;
  const uint32_t tag = stepper->graph->arc_tag[arc];
  const wend_tag_cost *tags = stepper->costs->tags;
  const wend_price price = wend_stepper_price(stepper, tag, weight);
  const bool tagged = stepper->kind != COSTS_WEIGHTS && node_tag != NULL && node_tag[to] != WEND_UNTAGGED;
  if (WEND_UNLIKELY(stepper->costs->influence_count > 0))
    return wend_price_plus(stepper->kind, tags != NULL ? &tags[tag] : NULL, tagged ? &tags[node_tag[to]] : NULL, price,
                           wend_influence_onto_node(stepper->costs, stepper->graph, to));
  return tagged ? wend_price_onto(stepper->kind, &tags[tag], &tags[node_tag[to]], price) : price;
}
WEND_INLINE wend_price wend_arc_price(const wend_stepper *stepper, uint32_t arc, uint32_t to, double weight) {
  const wend_price closed = {INFINITY, INFINITY, false};
  return wend_arc_is_narrow(stepper->graph, arc, stepper->costs->size) ? closed : wend_arc_tag_price(stepper, arc, to, weight);
}

/* Whether the edge function may open a step onto a node whose tag is closed: because of that tag, or of the tag of an edge. */
bool wend_node_may_open(const wend_stepper *stepper, uint32_t place);
/* Whether a step onto a node can be open: it is not closed, and its tag is open or the edge function may open it. */
static inline bool wend_node_enters(const wend_stepper *stepper, uint32_t place) {
  const uint32_t tag = wend_graph_tag_at(stepper->graph, place);
  if (wend_is_node_closed(stepper->graph, place)) return false;
  return tag == WEND_UNTAGGED || stepper->kind == COSTS_WEIGHTS || stepper->costs->tags[tag].plus < INFINITY ||
         wend_node_may_open(stepper, place);
}

/* Part 2 for an arc. from, to: places, in the direction of travel. */
double wend_arc_ask(wend_stepper *stepper, uint32_t from, uint32_t to, uint32_t arc, const wend_price price);

/* The cost of an arc that leaves a place, or with `back` of one that leads to it; INFINITY: closed. */
static inline double wend_arc_cost(wend_stepper *stepper, uint32_t place, uint32_t arc, bool back) {
  const wend_graph *graph = stepper->graph;
  const uint32_t from = back ? graph->arc_to[arc] : place, to = back ? place : graph->arc_to[arc];
  wend_price price;
  double weight;
  if (!wend_arc_is_open(graph, graph->arc_weight, arc, back, &weight)) return INFINITY;
  price = wend_arc_price(stepper, arc, to, weight);
  return price.asked ? wend_arc_ask(stepper, from, to, arc, price) : price.cost;
}
/* The cost of an edge, by slot, in its direction or, with `back`, against it. INFINITY: the edge is closed. It ignores whether
 * nodes are closed, and with `back` whether the edge is one-way. */
double wend_edge_cost(wend_stepper *stepper, uint32_t edge, bool back);

/* ---- Grids ------------------------------------------------------------------------------------------------- */

/* What layers add to a step of this length onto a place of the region. */
WEND_INLINE double wend_layers_onto(const wend_stepper *stepper, uint32_t place, double length) {
  return WEND_LIKELY(stepper->costs->influence_count == 0) ? 0 : length * wend_step_added(stepper, place);
}
/* Part 1 of a step of this length onto a cell. weight: of the cell. added: by layers. */
WEND_INLINE wend_price wend_cell_price(const wend_stepper *stepper, uint32_t tag, double weight, double length, double added) {
  const wend_price price = wend_stepper_price(stepper, tag, length * weight);
  const wend_tag_cost *tags = stepper->costs->tags;
  if (WEND_LIKELY(stepper->costs->influence_count == 0)) return price;
  return wend_price_plus(stepper->kind, tags != NULL ? &tags[tag] : NULL, NULL, price, added);
}

/* The costs of the straight steps from one place, by direction; NaN: not computed yet. With it, the edge function is called
 * only once for a step that is also beside a diagonal. */
typedef struct wend_memo {
  double cost[8];
} wend_memo;
static inline void wend_memo_clear(wend_memo *memo) {
  for (int d = 0; d < 8; d++) memo->cost[d] = NAN;
}

/* The cost of the step from a place in a direction, with walls and corners; INFINITY: there is no such step. from_g: the cost
 * of the path to `from`. known_g: the cost of the best known path to the other cell. If from_g + the lower bound exceeds
 * known_g, the edge function is not called and the cost is INFINITY. memo: of `from`, or NULL. */
double wend_step_cell(wend_stepper *stepper, uint32_t from, int direction, double from_g, double known_g, wend_memo *memo);
/* The cost of the part of a line that is inside the next cell in a direction. length: of that part, in cells. diagonals: the
 * rule for corners. */
double wend_step_stretch(wend_stepper *stepper, uint32_t from, int direction, double length, wend_diagonals diagonals);
/* The cost of a portal between two places of the region; INFINITY: it is removed or closed. from_g, known_g: as above. */
double wend_step_portal(wend_stepper *stepper, const wend_portal *portal, uint32_t from, uint32_t to, double from_g,
                        double known_g);
/* The walls that may stop a diagonal step of a body of 2 x 2 cells or more, but for those inside of it before the step and after it:
 * step.c shows where. Returns a bit for each of `walls` that is there: two across the step, then three on each way round the corner,
 * over the cells beside and over those above or below. from: a place of the whole grid, as those of the walls. */
typedef struct wend_body_wall {
  uint32_t place;
  int direction;
} wend_body_wall;
#define WEND_WALLS_ACROSS 0x03u
#define WEND_WALLS_BESIDE 0x1cu
#define WEND_WALLS_ABOVE 0xe0u
unsigned wend_body_walls(const wend_grid *grid, uint32_t body, uint32_t from, int direction, wend_body_wall *walls);
/* The directions in which directed walls close the steps of a body from a place of the whole grid, as bits: those in which they close
 * the step of one of its cells. And the ways that they leave round the corner of a diagonal step, as in wend_region_walled. */
unsigned wend_body_shut(const wend_grid *grid, uint32_t body, uint32_t place);
int wend_body_ways(const wend_grid *grid, uint32_t body, uint32_t from, int direction);
/* The same as wend_region_walled for any step of a body, but for walls inside of it. */
bool wend_body_walled(const wend_grid *grid, uint32_t body, uint32_t from, int direction, int *ways);
/* Which steps of the ways round corners are tested: the first ones, both, or both as if the tag of the cell that the diagonal enters
 * was open. */
typedef enum wend_corners { CORNERS_FIRST, CORNERS_BOTH, CORNERS_UNTAGGED } wend_corners;
/* Whether the corners of a diagonal step allow it. ways: see wend_region_walled. memo: of `from`, or NULL. */
bool wend_step_corners(wend_stepper *stepper, uint32_t from, int direction, int ways, wend_diagonals diagonals, wend_memo *memo,
                       wend_corners corners);
/* The cost from one cell to another by one step or one portal, whichever is cheaper; INFINITY: there is none. */
double wend_step_between(wend_stepper *stepper, wend_id from, wend_id to);
/* The walls of a covered cell that lie inside of a body, and not at a cell before it in reading order: bits of directions. */
static inline unsigned wend_inner_walls(uint32_t body, uint32_t column, uint32_t row) {
  const unsigned right = column + 1 < body, below = row + 1 < body;
  return right << EAST | below << SOUTH | (right & below) << SOUTH_EAST | (below & (column > 0)) << SOUTH_WEST;
}
/* The place of the whole grid from which a cell of a body comes to one of its places, `covered`; where that is outside, that of the
 * body itself. */
uint32_t wend_body_behind(const wend_stepper *stepper, uint32_t from, int direction, uint32_t covered);
/* Whether a step onto a place can be open: its weight is finite, and its tag is open or the edge function may open it; of a body,
 * all its cells. Walls and corners are ignored, but for the walls inside of a body. *sure: if so, whether it is without a function. */
bool wend_body_enters(const wend_stepper *stepper, uint32_t place, bool *sure);
/* Of an eroded grid: whether the function is asked about a body at a place. Only the base has all the cells that it covers. */
static inline bool wend_is_left_to_base(const wend_stepper *stepper, uint32_t place) {
  return stepper->base != NULL && stepper->costs->tags[wend_region_get(&stepper->region, stepper->grid, place).tag].asks;
}
static inline bool wend_surely_enters(const wend_stepper *stepper, uint32_t place, bool *sure) {
  const wend_cell cell = wend_region_get(&stepper->region, stepper->grid, place);
  if (WEND_UNLIKELY(stepper->body > 1 || wend_is_left_to_base(stepper, place))) return wend_body_enters(stepper, place, sure);
  *sure = stepper->kind == COSTS_WEIGHTS || stepper->costs->tags[cell.tag].plus < INFINITY;
  return cell.weight < INFINITY && wend_tag_is_open(stepper->kind, stepper->costs->tags, cell.tag);
}
static inline bool wend_step_enters(const wend_stepper *stepper, uint32_t place) {
  bool sure;
  return wend_surely_enters(stepper, place, &sure);
}

/* ---- Entrances ----------------------------------------------------------------------------------------------- */

/* Entrances: the steps onto goals that may be closed (wend_end_rule). No step enters a closed place. So a
 * search looks for the places one step before it instead, each with the cost of that step, and adds the step to the path that
 * it finds:
 *
 *     . a . .        g is closed. The search looks for a, with the cost of the step from a onto g, or for b. A wall is between
 *     # g | .        g and the cell on its right, so that is no end. A path through g is never found: nothing enters it.
 *     # b . .
 *
 * So labels, landmarks and jump points need not know of closed goals. */

/* A step onto a closed place, as if it were open. */
typedef struct wend_entrance {
  uint32_t from; /* the place before */
  uint32_t arc;  /* on a graph: in the section of travel in of the closed place */
  int direction; /* on a grid, of the step; -1: a portal */
  double cost;   /* less than INFINITY */
} wend_entrance;

/* Whether a place is closed for all agents. */
bool wend_is_place_closed(const wend_stepper *stepper, uint32_t place);
/* At most this many steps lead onto a place. */
uint32_t wend_entrance_room(const wend_stepper *stepper, uint32_t place);
/* Writes the steps onto a closed place to `list`, and returns their number. It asks the edge function. Steps from places that are
 * closed themselves count: a path may start there. */
uint32_t wend_entrances(wend_stepper *stepper, uint32_t place, wend_entrance *list);

/* What is beyond an end of a search: a step onto a goal, or the goal itself. */
typedef struct wend_last_step {
  wend_id goal;  /* the same as the end: there is no step */
  wend_id edge;  /* of a graph */
  wend_id given; /* the goal that it is for: that one, or one that the end fits (views/range.h) */
} wend_last_step;

#endif
