/* SPDX-License-Identifier: MIT */
/* The data of a search. Its parts, each built on those before it:
 *
 *   marks.h       marks: the cost and the parent of each place
 *   queue.h       the queue: buckets, or a heap
 *   heuristic.c   estimates of the cost to the goals
 *   kernel.c      the loop: pop, expand, relax
 *   search.c      the search as an object
 *
 * core/pathfinder prepares searches, runs them, and makes paths of their marks.
 *
 * Inside a search, nodes and cells are places: indexes of arrays. In a graph they are the places of graph_store.h, in a grid
 * those of the region that is searched (grid.h).
 *
 * The invariant: all memory that a search allocates belongs to the wend_search, also while it runs. So a callback may leave by
 * longjmp at any time, and wend_search_reset makes the object usable again. */
#ifndef WEND_SEARCH_H
#define WEND_SEARCH_H

#include "core/search/pocket.h"
#include "core/views/range.h"
#include "core/views/shared.h"
#include "core/cost/step.h"
#include "core/search/heuristic.h"
#include "core/search/marks.h"
#include "core/search/queue.h"
#include "core/turns/turns.h"

/* How the kernel expands a place. */
typedef enum wend_expansion {
  EXPAND_GRAPH, /* along the arcs of a graph */
  EXPAND_CELLS, /* to the neighbours of a cell; weights and tags alone decide the costs */
  EXPAND_GRID,  /* to the neighbours of a cell and through portals; step.h computes the costs */
  EXPAND_JUMPS  /* from jump point to jump point */
} wend_expansion;

/* Variation: the search multiplies the cost of each step by a factor that the seed draws for the block of the map that the step
 * enters: from 1 up to 1 + most. So no step costs less than its true cost, and all lower bounds stay valid; and the path that is
 * cheapest with these factors costs at most 1 + most times the cheapest one. The cost of the path is summed at the true costs.
 *
 * There are large blocks, and small ones inside them. The number of a block is floor((position + offset) x per_block). On graphs
 * where not all nodes have a position, each edge is a block. Where all cells of a grid cost the same there are only large blocks, and
 * few different factors: so jump points work inside them, as where weights differ. */
#define WEND_NOISES 2
#define WEND_NOISE_LEVELS 4u
#define WEND_KNOWN_FACTORS 512u
typedef struct wend_known_factor {
  uint64_t key; /* of a block of a grid, a node or an edge; 0: none */
  double factor;
  unsigned level; /* with `same`: its number */
} wend_known_factor;
typedef struct wend_noise {
  double most;                                       /* 0: there is no variation */
  uint64_t seed[WEND_NOISES];                        /* of large blocks, of small ones */
  double share[WEND_NOISES], per_block[WEND_NOISES]; /* of `most`; blocks in a length of 1 */
  double offset[3];
  bool same;                /* all cells cost the same */
  unsigned shift;           /* of grids: all cells of a block of 1 << shift have one factor */
  bool by_edges;            /* each edge is a block */
  wend_known_factor *known; /* the factors that were drawn last */
  uint32_t known_capacity;
} wend_noise;

/* The ends of a search that are other places than its goals: see ends.h. */
typedef struct wend_search_ends {
  bool wanted;           /* by the search begun last */
  bool tested;           /* they are not listed: places are tested when the search comes to them */
  bool around;           /* they are listed, and lie around the goals */
  wend_end *list;        /* what the search looks for, or has found by tests */
  wend_last_step *steps; /* by end */
  wend_entrance *entrances;
  wend_ranged near; /* the goals of the caller, and what is in range of them */
  uint32_t list_capacity, steps_capacity, entrances_capacity, count;
  uint32_t place, from; /* the place that was tested last, and where its test goes on; WEND_NONE: it is done */
  uint64_t work;        /* that tests may do in this slice, in expansions */
  wend_id found;        /* the goal that the path leads to */
  double point[3];      /* the position of the only goal, for `partial` */
} wend_search_ends;

/* What a search needs that trusts the promises of its edge function: see promises.c. */
typedef struct wend_promises {
  wend_end *starts; /* to begin again; a search with variation and max_cost keeps them too */
  uint32_t starts_capacity, start_count;
  const wend_tag_cost *given; /* the costs of the caller, while opts has `least` in their place; NULL: it has not */
  wend_tag_cost *least;       /* the least that is promised, by tag */
  wend_asked_step *asked;     /* along paths, sorted; the key is place x 8 + direction */
  wend_asked_step *recent;    /* of the stepper */
  wend_cell_cost *costs;  /* by kind, of a search that asks for the steps onto kinds with the sign bit: at least minus that */
  uint64_t probe_at;      /* after so many expansions it asks along the path to a place, to learn whether to go on */
  bool passed_corners;    /* this search began with stepper.passes_corners */
  bool regrets;           /* it has to begin again without */
  uint64_t regrets_until; /* the expansions up to which it does that as soon as the function closes a step */
  uint32_t least_capacity, asked_capacity, recent_capacity, costs_capacity, asked_count;
  uint32_t dearer, rounds; /* the asked steps that cost more than promised; the searches that were begun again */
} wend_promises;

/* The directions that a node of a weighted search needs, by the kinds of the cell and those around it: the same nine kinds come
 * again and again (expand_jumps.inl). A small table without chains: a pattern replaces the one that was in its place. */
typedef struct wend_pattern {
  uint64_t kinds;    /* nine numbers of 7 bits */
  uint64_t costs;    /* costs_serial of the view that it is for; 0: the item is empty */
  uint8_t needed[8]; /* by the direction of the last step to the node: a bit for each direction */
  uint8_t known;     /* a bit for each of these that was found */
} wend_pattern;
#define PATTERNS_BITS 12
#define PATTERNS_BITS_COMPACT 7 /* 4 KB */
#define PATTERN_KINDS_MAX 128u  /* more kinds do not fit into 7 bits */

/* Scratch memory for code that is built on searches. It belongs to the search, so nothing leaks when a callback leaves by
 * longjmp, and a warm search allocates nothing. */
#define WEND_SCRATCH_SEEN 9u /* the cells of a path: bends.c */
#define WEND_SCRATCH_COUNT 10
typedef struct wend_scratch {
  void *bytes;
  size_t size;
} wend_scratch;

/* What runs on a search in slices and is built on it: see query/. Its state lies in the scratch memory. */
typedef enum wend_task { TASK_NONE, TASK_FIELD, TASK_ROUTE } wend_task;

/* The map that a search, or what runs on it, reads. */
typedef struct wend_reading {
  wend_map *map;      /* as the caller gave it, or with `freeze` a version of it, which the search keeps; NULL: none */
  uint64_t version;   /* of that map at the beginning */
  uint32_t tag_count; /* the same: see wend_search_reads */
  bool frozen;
  wend_map *eroded; /* the version of the eroded grid of a body (views/body.h) that is kept; NULL: none */
  uint32_t body;    /* the number of the body; it is held until the next search begins. WEND_NONE: there is none */
  double size;      /* then that of the agent, as the caller gave it */
} wend_reading;

/* What a search asks the labels of the map: see paths.c. */
typedef struct wend_label_use {
  wend_id start;       /* the only start; WEND_NO_ID: there are several */
  uint64_t patience;   /* after so much work labels are made, see wend_reach_patience; UINT64_MAX: they are not */
  uint64_t next_check; /* after so many expansions that is tested */
  uint32_t pocket;     /* so many cells are looked at for a pocket before the first expansion */
  uint64_t made;       /* wend_reaches.made when the labels were asked last */
  bool denied;         /* no path leads to a goal, by wend_reach_ask: the search does not run */
} wend_label_use;

struct wend_search {
  wend_alloc alloc;

  /* The map and the options. */
  wend_reading reading;
  wend_map *map;          /* where it runs: on the map of the reading, or on the eroded grid of a body; NULL: nowhere */
  const wend_map *tables; /* has the tables of a prepared map: what is far for a point is far for a body */
  wend_graph *graph;
  const wend_grid *grid;     /* one of the two is NULL */
  wend_region region, whole; /* of a grid: the region that is searched; the whole grid */
  wend_search_opts opts;
  wend_stepper stepper;        /* for EXPAND_GRAPH and EXPAND_GRID */
  wend_views own, *views;      /* views: its own, or shared with other searches */
  uint32_t held_view;          /* the number of the agent view that this search holds; WEND_NONE: none */
  const wend_agent_view *view; /* for EXPAND_CELLS and EXPAND_JUMPS; borrowed for one slice */
  wend_cost_summary summary;   /* of a grid */
  wend_cost_fn edge_given;     /* the edge function of the caller; opts has none if no cell asks for it */

  /* The state of the kernel. */
  wend_expansion expansion;
  bool back; /* a backward search: steps are taken against the direction of travel */
  wend_marks marks;
  wend_buckets buckets;
  wend_heap heap;
  bool use_heap;
  double width; /* of a bucket */
  wend_estimator estimator;
  wend_goals goals;
  wend_search_ends ends;
  wend_noise noise;
  wend_promises promises;
  bool passing;             /* some tag is pass_only */
  wend_turn_rule turn_rule; /* with per_turn */
  double slack;             /* see WEND_SLACK */
  bool settles;             /* a flood whose ways depend on the values alone: on a grid they are found when it has ended */
  double jump_cost;         /* of a straight step, for EXPAND_JUMPS; not if weighted */
  bool weighted;            /* EXPAND_JUMPS over cells that cost different prices */
  wend_pattern *patterns;   /* of weighted searches; NULL: there are none */
  uint32_t patterns_capacity;
  unsigned pattern_bits;       /* there are 2 to the power of this */
  bool fewest_edges;           /* of paths of equal cost, the search finds one with the fewest edges */
  bool watched;                /* `max_cost` or `partial` is set: relax compares g with g_ceiling and notes the nearest place */
  double g_ceiling, f_ceiling; /* the bounds: places with this g or f, or more, are dropped */
  bool near;                   /* f is bounded from the beginning, so jump points scan no farther */

  bool slice_tables; /* see wend_search_slice_tables */

  /* Progress. */
  wend_status status;
  wend_stats stats;
  wend_label_use labels;
  wend_pocket pocket;
  wend_id walk_from; /* the start, if a walk may find the path in the first slice; WEND_NO_ID: it may not, or has tried */
  bool walked;       /* a walk has found the path before the first slice */
  bool walk_tried;   /* it was looked for before anything else */
  unsigned replaced; /* then: of a walk forward, see walk.c */
  bool found;        /* a goal was expanded */
  bool pruned;       /* a place was dropped because of a bound */
  uint32_t held;     /* the node that was popped last when the search paused; WEND_NONE: none */
  uint64_t repeated, steps; /* expansions of nodes that were expanded before; buckets that next_open moved past */
  uint64_t diagonal_steps;  /* of jumps: each scans a row and a column */
  uint32_t traced;          /* the path is followed back from trace_end, and has come to here; WEND_NONE: it is not */
  uint32_t trace_end;
  uint32_t nearest, nearest_parent; /* for `partial`: the place, and the one before it on the path, perhaps by a jump */
  double nearest_distance, nearest_cost;

  /* The result. */
  wend_id *path_nodes, *path_edges;
  uint32_t path_nodes_capacity, path_edges_capacity, path_length;
  double path_cost;
  bool summed;         /* the cost is summed again along the finished path */
  uint32_t *turn_ends; /* with per_turn: the numbers, from 0, of the nodes of the path where its turns end */
  uint32_t turn_ends_capacity, turn_count;

  wend_visited_node *visits; /* with opts.visited: what was expanded */
  uint32_t visits_capacity, visit_count;

  wend_task task; /* wend_search_reset, and so the beginning of each search, drops it */
  wend_scratch scratch[WEND_SCRATCH_COUNT];
};

/* The id of the node or cell at a place, and the place of an id. On a grid: WEND_NONE if the cell lies outside the region. */
static inline wend_id wend_search_id(const wend_search *s, uint32_t place) {
  if (s->grid != NULL) return wend_region_cell(&s->region, s->grid, place);
  return wend_slots_id(&s->graph->nodes, s->graph->slot_of[place]);
}

uint32_t wend_search_place(const wend_search *s, wend_id id);

/* Whether the search counts its costs in turns. */
static inline bool wend_search_turns_on(const wend_search *s) { return s->opts.turns.per_turn > 0; }

/* Whether a place is a goal where paths may end. */
static inline bool wend_search_ends_path(const wend_search *s, uint32_t place) {
  return (wend_marks_of(&s->marks, place)->stamp & MARK_GOAL) != 0;
}
/* How far from its goals the search may end, at a place where it tests whether it is an end; otherwise 0. */
static inline double wend_search_distance(const wend_search *s) { return s->goals.tested ? s->ends.near.rule.within : 0; }
/* Whether the search uses tables of a prepared map. */
static inline bool wend_search_has_tables(const wend_search *s) {
  return s->estimator.kind == HEURISTIC_LANDMARKS || s->estimator.kind == HEURISTIC_PLANES;
}
/* The bits of the agent view that the search needs. */
static inline wend_view_bits wend_search_bits(const wend_search *s) {
  return s->expansion != EXPAND_JUMPS ? BITS_NONE : s->weighted ? BITS_MIXED : BITS_OPEN;
}

/* The id of the edge of an arc. */
static inline wend_id wend_search_edge(const wend_search *s, uint32_t arc) {
  return wend_slots_id(&s->graph->edges, s->graph->arc_edge[arc]);
}

/* A search with the least costs that are promised has those of its caller again. */
void wend_search_end_trust(wend_search *s);
/* The cost of a step about which the edge function was asked; NaN: it was not. */
double wend_search_asked(const wend_search *s, uint32_t from, int direction);
/* Makes room for a resulting path of `length` nodes. False: no memory. */
bool wend_search_reserve_path(wend_search *s, uint64_t length);
/* Scratch memory number `slot`, of at least `size` bytes. It keeps its content. NULL: no memory. Functions that use one search
 * at the same time use different slots. */
void *wend_search_scratch(wend_search *s, unsigned slot, uint64_t size);
/* The agent view of a grid at these costs: see wend_agent_view_of. hold: the search will need it again, until it ends. */
const wend_agent_view *wend_search_view(wend_search *s, const wend_grid *grid, const wend_costs *costs, wend_view_bits planes,
                                        bool hold);
/* The share of plain cells among the open ones of s->view, about. */
double wend_search_plain_share(wend_search *s);
/* Fills the bits of s->view, as far as *left allows, from which it subtracts the work. False: they are not complete. */
bool wend_search_fill_view(wend_search *s, uint64_t *left);
/* Finds s->view again after a function of the script has run: it may have searched, too, with views that are shared. */
void wend_search_find_view(wend_search *s);
/* Ends the hold of a view. s->view is valid until the next call of wend_search_view. */
void wend_search_drop_view(wend_search *s);
/* The map on which to search for an agent: the map itself, or the eroded grid of the agent's body, which makes its size part of the
 * map; then costs->size becomes 0. *number: of the body, for wend_search_hold_body. NO_MEMORY. */
wend_status wend_search_ground(wend_search *s, wend_map **map, wend_costs *costs, uint32_t *number);
/* The eroded grid of the body that is held. */
wend_map *wend_search_eroded(wend_search *s);
/* Holds a body, or with WEND_NONE none, for the search that begins; ends the hold of the search before. *ground: what
 * wend_search_ground has found; if the search reads a frozen version, it becomes one too. size: of the agent. NO_MEMORY. */
wend_status wend_search_hold_body(wend_search *s, uint32_t number, double size, wend_map **ground);
/* The map and the costs of the search begun last, as its caller gave them. */
wend_map *wend_search_given(wend_search *s, wend_costs *costs);
/* A search, or what runs on it, begins to read a map: with `freeze` *map becomes the version of it as it is now. That is kept, also
 * by stages that begin on it, until wend_search_thaw or until something begins on another map; so is a version that the caller
 * gives. NO_MEMORY. */
wend_status wend_search_open(wend_search *s, wend_map **map, bool freeze);
/* The end of that. Nothing of the map is read any more. */
void wend_search_thaw(wend_search *s);
/* Whether the map can be read on. STALE: it was edited since the beginning, or has got names of tags (wend_lacks_tags); never of a
 * frozen version. NO_MEMORY: the version is lost. */
static inline wend_status wend_search_reads(const wend_search *s, const wend_costs *costs) {
  const wend_reading *r = &s->reading;
  if (r->frozen && (wend_map_is_lost(r->map) || (r->eroded != NULL && wend_map_is_lost(r->eroded)))) return WEND_NO_MEMORY;
  return r->map->version != r->version || wend_lacks_tags(r->map, costs, r->tag_count) ? WEND_STALE : WEND_OK;
}
/* Drops what a search has done, but not the map that it reads. */
void wend_search_clear(wend_search *s);
/* With per_turn: notes where the turns of the resulting path end, and makes its cost the sum of its points. STALE, NO_MEMORY,
 * ABORTED. */
wend_status wend_search_count_turns(wend_search *s, wend_stepper *stepper, const wend_turns *turns);
/* Whether the search begun last has reached a node. */
bool wend_search_has(const wend_search *s, wend_id node);

/* For searches without labels, of other threads: whether the labels of a search tell that no path leads from a place to any of
 * the goals, as they are asked when a search begins; what a search has cost; and learning from one that had no path. */
bool wend_search_denies(wend_search *search, wend_map *map, wend_id from, const wend_id *goals, uint32_t goal_count,
                        const wend_search_opts *opts);
uint64_t wend_search_work(const wend_search *search);
void wend_search_learn(wend_search *search, wend_map *map, const wend_search_opts *opts, uint64_t work);

/* On a grid many paths of the same cost lead to most cells, and their sums differ in the last bits. A path counts as cheaper
 * only by more than this share of the cheapest step. Otherwise a cell, and all cells after it, would be expanded again for each
 * such difference. Every step costs at least the cheapest, so no result is off by more than this share. */
#define WEND_SLACK 1e-10

#endif
