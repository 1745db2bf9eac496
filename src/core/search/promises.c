/* SPDX-License-Identifier: MIT */
/* Promises: an edge function with `at_least` is asked along candidates only.
 *
 * The kernel runs with what is known: answers, and elsewhere the least that the function promises. So its costs are lower
 * bounds, and when it reaches a goal it has a candidate, not yet a result (C. Dellin, S. Srinivasa, "A unifying formalism for
 * shortest path problems with expensive edge evaluations via lazy best-first search over paths with edge selectors", 2016):
 *
 *   1  follow the candidate back from its goal                              PROMISES_TRACE
 *   2  ask for its steps, from the start on. Each costs what was assumed:
 *      the candidate is the result                                          PROMISES_ASK, PROMISES_KEPT
 *   3  a step is dearer: raise the costs of all places whose path takes it. They
 *      are the place behind it and its descendants in the tree of parents   PROMISES_RAISE
 *   4  open the places again from which a step may lead to one of them
 *      more cheaply now, and go on with the search                          PROMISES_REOPEN, PROMISES_SEARCH
 *
 *        s - a = b - c - g       The step from a to b is dearer than assumed. So b, c, d and g get dearer, and keep their
 *         \      |   |  /        parents. If b is cheaper from e now, e is opened again, and the kernel does the rest. All other
 *          e --- d   f-          costs stay as they are.
 *
 * The invariant: each place has the cost of a path at what is known and assumed, and no step from an expanded place that is not
 * open makes another place cheaper. So the costs are those that a search from the beginning would find. The steps up to a dearer
 * one are asked, so the place before it has its true cost: a search that asks for every step would ask for this one too, unless
 * another path costs the same.
 *
 * While promises are trusted, nothing is lost that the next candidate may need: a goal lowers the bound of the candidate, not the
 * bound on f, and the kernel puts nodes at or above it aside. It uses buckets only: an entry that is out of date may make them
 * pop a node too early, which does no harm.
 *
 * Trusting pays only if few steps are dearer. So the search begins as if there were no promise, and the first steps that it
 * asks for decide whether it goes on like this. If a search that trusts finds too many dearer steps on its candidates, it gives
 * up: then no place has a cost any more, the starts are opened again, and the kernel asks for the steps that it relaxes, except
 * for those that are known. */
#include <math.h>

#include "core/search/kernel.h"
#include "core/search/pathfinder.h"

WEND_NO_FUSING

/* The search gives up if it has repaired this many times the places that it expanded before the first candidate, and some more;
 * or if too many steps are dearer (WEND_DEARER_MOST), after so many of them. */
#define REPAIRS_MAX 4u
#define REPAIRED_MIN 512u
#define DEARER_MIN 4u

/* ---- Beginning --------------------------------------------------------------------------------------------- */

/* Whether the edge function makes a promise for each tag that it is asked for. */
static bool is_promised(const wend_search *s) {
  const wend_tag_cost *tags = s->opts.costs.tags;
  const uint32_t count = wend_map_tag_count(s->map) + 1;
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!tags[i].asks) continue;
    if (!(tags[i].at_least > 0)) return false;
    any = true;
  }
  return any;
}

wend_status wend_promises_begin(wend_search *s, const wend_end *starts, uint32_t count) {
  wend_promises *p = &s->promises;
  const wend_search_opts *opts = &s->opts;
  if (s->stepper.kind != COSTS_ASKED || s->use_heap || s->detour.wanted || opts->partial || opts->max_expanded < UINT64_MAX ||
      opts->max_cost < INFINITY || s->status != WEND_RUNNING || s->stepper.body > 1 || wend_search_turns_on(s) ||
      !is_promised(s))
    return WEND_OK;
  wend_answers_clear(&p->answers);
  if (!wend_answers_reserve(&p->answers, &s->alloc, WEND_SAMPLE) ||
      !WEND_GROW(&s->alloc, p->starts, p->starts_capacity, count)) {
    wend_search_reset(s);
    return WEND_NO_MEMORY;
  }
  for (uint32_t k = 0; k < count; k++) {
    p->starts[k].place = wend_search_place(s, starts[k].at);
    p->starts[k].cost = starts[k].cost;
  }
  p->start_count = count;
  p->bound = INFINITY;
  p->list_count = p->path_length = 0;
  p->asked = p->dearer = p->searched = 0;
  s->stepper.answers = &p->answers;
  s->stepper.asking = ASKING_SAMPLES;
  return WEND_OK;
}

/* ---- Asking ------------------------------------------------------------------------------------------------ */

/* The cost of the step of a graph by which the path reaches a place. */
static double cost_of_arc(wend_search *s, uint32_t from, uint32_t to) {
  const wend_graph *graph = s->graph;
  const uint32_t arc = wend_marks_arrival(&s->marks, to)->via;
  const wend_price price = wend_arc_price(&s->stepper, arc, to, fabs(graph->arc_weight[arc]));
  if (!price.asked) return price.cost;
  if (s->stepper.asking == ASKING_NEVER) return wend_step_trusted(&s->stepper, from, arc, price.least);
  return wend_arc_ask(&s->stepper, from, to, arc, price);
}

/* The same on a grid: by a step to a neighbour, or through a portal, whichever costs less without a call. */
static double cost_of_cells(wend_search *s, uint32_t from, uint32_t to) {
  wend_stepper *stepper = &s->stepper;
  const wend_asking asking = stepper->asking;
  const wend_portal *portal = s->grid->live_portals > 0 ? wend_grid_live_portal(s->grid, from, to) : NULL;
  double cost = INFINITY;
  int direction = 0;
  while (direction < 8 && wend_stepper_next(stepper, from, direction) != to) direction++;
  stepper->asking = ASKING_NEVER;
  if (direction < 8) cost = wend_step_cell(stepper, from, direction, 0, INFINITY, NULL);
  if (portal != NULL && wend_step_portal(stepper, portal, from, to, 0, INFINITY) >= cost) portal = NULL;
  stepper->asking = asking;
  if (portal != NULL) return wend_step_portal(stepper, portal, from, to, 0, INFINITY);
  return direction < 8 ? wend_step_cell(stepper, from, direction, 0, INFINITY, NULL) : INFINITY;
}

static double step_cost(wend_search *s, uint32_t from, uint32_t to, wend_asking asking) {
  s->stepper.asking = asking;
  return s->graph != NULL ? cost_of_arc(s, from, to) : cost_of_cells(s, from, to);
}

/* Raises the cost of a place, whose descendants follow later. INFINITY: no path to it is known. */
static wend_status raise(wend_search *s, uint32_t place, double g) {
  wend_promises *p = &s->promises;
  wend_mark *mark = wend_marks_of(&s->marks, place);
  if (!WEND_GROW(&s->alloc, p->list, p->list_capacity, (uint64_t)p->list_count + 1)) return WEND_NO_MEMORY;
  p->list[p->list_count++] = place;
  mark->g = g;
  if (g < INFINITY) return WEND_OK;
  mark->parent = WEND_NONE;
  mark->stamp &= ~MARK_OPEN;
  return WEND_OK;
}

/* Opens a place again: puts it into the list. */
static wend_status reopen(wend_search *s, uint32_t place) {
  wend_promises *p = &s->promises;
  if (!WEND_GROW(&s->alloc, p->list, p->list_capacity, (uint64_t)p->list_count + 1)) return WEND_NO_MEMORY;
  p->list[p->list_count++] = place;
  wend_marks_of(&s->marks, place)->stamp |= MARK_OPEN;
  return WEND_OK;
}

/* Begins to raise costs: from a place on; or of all, because the search gives up. */
static wend_status begin_repair(wend_search *s, uint32_t place, double g) {
  wend_promises *p = &s->promises;
  wend_status status = WEND_OK;
  p->first = p->at = p->list_count;
  p->dearer++;
  p->stage = PROMISES_RAISE;
  if (place != WEND_NONE && p->repaired <= p->searched * REPAIRS_MAX + REPAIRED_MIN &&
      !(p->dearer >= DEARER_MIN && p->dearer * WEND_DEARER_MOST > p->asked))
    return raise(s, place, g);
  s->stepper.asking = ASKING_ALWAYS;
  for (uint32_t k = 0; k < p->start_count && status == WEND_OK; k++)
    if (wend_marks_of(&s->marks, p->starts[k].place)->g < INFINITY) status = raise(s, p->starts[k].place, INFINITY);
  return status;
}

/* Asks for the step between two places of the candidate. If the place behind it costs more than assumed, the repair begins. A
 * step beside a diagonal one may have been asked for before, so the costs of the places count, not the answer. */
static wend_status ask(wend_search *s, uint32_t from, uint32_t to) {
  wend_promises *p = &s->promises;
  const uint32_t known = p->answers.steps.count;
  double g;
  if (!wend_answers_reserve(&p->answers, &s->alloc, 3)) return WEND_NO_MEMORY; /* a diagonal step and those beside it */
  g = wend_marks_of(&s->marks, from)->g + step_cost(s, from, to, ASKING_REMEMBERS);
  s->stepper.asking = ASKING_NEVER;
  if (s->stepper.invalid) return WEND_ABORTED;
  p->asked += p->answers.steps.count - known;
  if (g > wend_marks_of(&s->marks, to)->g) return begin_repair(s, to, g);
  if (!(g < wend_marks_of(&s->marks, to)->g) || p->answers.steps.count == known) return WEND_OK;
  p->at = p->last = p->list_count; /* by rounding the function broke its promise in the last bits: expand the place again */
  p->stage = PROMISES_REOPEN;
  return reopen(s, from);
}

/* ---- Repairing --------------------------------------------------------------------------------------------- */

/* The places one step from a place, perhaps with some to which no step leads. back: those one step before it. */
typedef struct nearby_steps {
  const wend_portal *portals;
  uint32_t place, first, count; /* first: the arc */
  bool back;
} nearby_steps;

static nearby_steps steps_around(const wend_search *s, uint32_t place, bool back) {
  nearby_steps a = {NULL, place, 0, 0, back};
  if (s->graph != NULL) {
    const wend_span span = back ? s->graph->in[place] : s->graph->out[place];
    a.first = span.first, a.count = span.end - span.first;
    return a;
  }
  a.portals = wend_grid_portals(s->grid, place, back, &a.count);
  a.count += 8;
  return a;
}

/* Number i of them; WEND_NONE: it is not in the search. */
static uint32_t place_around(const wend_search *s, const nearby_steps *a, uint32_t i) {
  const uint32_t place = s->graph != NULL ? s->graph->arc_to[a->first + i]
                         : i < 8          ? (uint32_t)(a->place + wend_offset(s->region.stride, (int)i))
                         : a->back        ? a->portals[i - 8].from
                                          : a->portals[i - 8].to;
  return wend_marks_has(&s->marks, place) ? place : WEND_NONE;
}

/* Raises the costs of the children of a place. */
static wend_status raise_children(wend_search *s, uint32_t place) {
  const double g = wend_marks_of(&s->marks, place)->g;
  const nearby_steps a = steps_around(s, place, false);
  wend_status status = WEND_OK;
  if ((wend_marks_of(&s->marks, place)->stamp & MARK_EXPANDED) == 0) return WEND_OK; /* it has none */
  for (uint32_t i = 0; i < a.count && status == WEND_OK; i++) {
    const uint32_t child = place_around(s, &a, i);
    const wend_mark *mark;
    double raised;
    if (child == WEND_NONE || (mark = wend_marks_of(&s->marks, child))->parent != place) continue;
    raised = g < INFINITY ? g + step_cost(s, place, child, ASKING_NEVER) : INFINITY;
    if (raised > mark->g) status = raise(s, child, raised); /* else its parent is open, and got cheaper since */
  }
  return status;
}

/* The least that a step onto a place around it may cost. */
static double least_cost_from(const wend_search *s, const nearby_steps *a, uint32_t i) {
  wend_cell cell;
  if (s->graph != NULL)
    return wend_arc_price(&s->stepper, a->first + i, a->place, fabs(s->graph->arc_weight[a->first + i])).least;
  if (i >= 8) return 0;
  cell = wend_region_get(&s->region, s->grid, a->place);
  return wend_cell_price(&s->stepper, a->place, cell.tag, cell.weight, wend_step_length(s->grid, (int)i)).least;
}

/* Opens the places from which a step may make one cheaper that was raised. On a graph it may also settle a tie. */
static wend_status reopen_around(wend_search *s, uint32_t place) {
  const double g = wend_marks_of(&s->marks, place)->g;
  const uint32_t parent = wend_marks_of(&s->marks, place)->parent;
  const nearby_steps a = steps_around(s, place, true);
  wend_status status = WEND_OK;
  for (uint32_t i = 0; i < a.count && status == WEND_OK; i++) {
    const uint32_t before = place_around(s, &a, i);
    const wend_mark *mark;
    double least;
    if (before == WEND_NONE) continue;
    mark = wend_marks_of(&s->marks, before);
    if (!(mark->g < g) || (mark->stamp & (MARK_EXPANDED | MARK_OPEN)) != MARK_EXPANDED) continue;
    least = mark->g + least_cost_from(s, &a, i);
    if (least < g || (s->graph != NULL && least == g && before != parent)) status = reopen(s, before);
  }
  return status;
}

/* Opens starts that are dearer than they were: another start lay before them. And goals that the kernel has
 * taken from the queue. */
static wend_status reopen_ends(wend_search *s) {
  const wend_promises *p = &s->promises;
  wend_status status = WEND_OK;
  for (uint32_t k = 0; k < p->start_count && status == WEND_OK; k++) {
    wend_mark *mark = wend_marks_of(&s->marks, p->starts[k].place);
    if (!(p->starts[k].cost < mark->g)) continue;
    mark->g = p->starts[k].cost;
    mark->parent = WEND_NONE;
    if (s->graph != NULL) {
      wend_marks_arrival(&s->marks, p->starts[k].place)->via = WEND_NONE;
      wend_marks_arrival(&s->marks, p->starts[k].place)->edge_count = 0;
    }
    status = reopen(s, p->starts[k].place);
  }
  for (uint32_t k = 0; k < s->goals.count && status == WEND_OK; k++) {
    const wend_mark *mark = wend_marks_of(&s->marks, s->goals.places[k]);
    if (mark->g < INFINITY && (mark->stamp & MARK_OPEN) == 0) status = reopen(s, s->goals.places[k]);
  }
  return status;
}

/* Puts the open places of the list into the queue. */
static wend_status fill_queue(wend_search *s) {
  wend_promises *p = &s->promises;
  wend_buckets *b = &s->buckets;
  const uint32_t before = b->far_count;
  double least = INFINITY;
  for (uint32_t i = 0; i < p->list_count; i++) {
    const wend_mark *mark = wend_marks_of(&s->marks, p->list[i]);
    double f;
    if ((mark->stamp & MARK_OPEN) == 0) continue;
    f = mark->g + wend_estimate(&s->estimator, p->list[i]);
    if (f != f) return WEND_ABORTED;
    if (f < least) least = f;
    wend_buckets_put_far(b, &s->alloc, f, p->list[i]);
    s->stats.pushed++;
  }
  if (b->failed) return WEND_NO_MEMORY;
  if (!(least < INFINITY)) return WEND_OK;
  if (wend_buckets_move_back(b, least, &s->steps)) {
    const uint32_t all = b->far_count;
    b->far_count = before; /* the pushes never write past the item that is read */
    for (uint32_t i = before; i < all; i++) wend_buckets_push(b, &b->ring, &s->alloc, b->far[i].f, b->far[i].node);
  } else {
    wend_kernel_empty_ring(s);
    wend_buckets_refill(b, &s->alloc, 1);
  }
  return b->failed ? WEND_NO_MEMORY : WEND_OK;
}

/* Lets the kernel go on. */
static wend_status end_repair(wend_search *s) {
  wend_promises *p = &s->promises;
  wend_status status = reopen_ends(s);
  if (status == WEND_OK) status = fill_queue(s);
  p->repaired += p->list_count;
  p->list_count = 0;
  p->bound = INFINITY;
  s->found = false;
  s->held = WEND_NONE;
  p->stage = PROMISES_SEARCH;
  return status;
}

/* ---- The stages -------------------------------------------------------------------------------------------- */

/* Follows the candidate one step back. */
static wend_status trace_back(wend_search *s) {
  wend_promises *p = &s->promises;
  const uint32_t place =
      p->path_length == 0 ? wend_pathfinder_best_goal(s) : wend_marks_of(&s->marks, p->path[p->path_length - 1])->parent;
  if (place == WEND_NONE) {
    if (p->searched == 0) p->searched = s->stats.expanded;
    p->at = p->path_length - 1;
    p->path_length = 0;
    p->stage = PROMISES_ASK;
    return WEND_OK;
  }
  if (!WEND_GROW(&s->alloc, p->path, p->path_capacity, (uint64_t)p->path_length + 1)) return WEND_NO_MEMORY;
  p->path[p->path_length++] = place;
  return WEND_OK;
}

/* Asks for one step of the candidate. */
static wend_status ask_next(wend_search *s) {
  wend_promises *p = &s->promises;
  if (p->at == 0) return p->stage = PROMISES_KEPT, WEND_OK;
  p->at--;
  return ask(s, p->path[p->at + 1], p->path[p->at]);
}

wend_status wend_promises_continue(wend_search *s, uint64_t *left) {
  wend_promises *p = &s->promises;
  const uint64_t before = *left;
  wend_status status = WEND_OK;
  while (status == WEND_OK && p->stage != PROMISES_SEARCH && p->stage != PROMISES_KEPT) {
    if (*left == 0) {
      status = WEND_RUNNING;
      break;
    }
    --*left;
    switch (p->stage) {
      case PROMISES_TRACE: status = trace_back(s); break;
      case PROMISES_ASK: status = ask_next(s); break;
      case PROMISES_GIVE_UP: status = begin_repair(s, WEND_NONE, INFINITY); break;
      case PROMISES_RAISE:
        if (p->at < p->list_count) {
          status = raise_children(s, p->list[p->at++]);
        } else {
          p->last = p->list_count;
          p->at = s->stepper.asking == ASKING_NEVER ? p->first : p->last; /* if it gives up, none is left to open */
          p->stage = PROMISES_REOPEN;
        }
        break;
      case PROMISES_REOPEN: status = p->at < p->last ? reopen_around(s, p->list[p->at++]) : end_repair(s); break;
      case PROMISES_SEARCH:
      case PROMISES_KEPT: break;
    }
  }
  if (s->slice_tables) s->stats.tables += before - *left;
  return status;
}
