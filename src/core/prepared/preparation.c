/* SPDX-License-Identifier: MIT */
/* Making the tables of a prepared map, in slices. plane_maker.c makes those of grids. Those of graphs take these searches, in this
 * order; each can be paused anywhere:
 *
 *   WIDE        from a place, in rough units, up to twice: to find a place that reaches much of the map
 *   ACROSS      from the farthest place, in rough units. The farthest from there is the first landmark, and its distance decides
 *               the unit of the tables: the longest trip should be nearly POTENTIAL_MAX units
 *   TREE        from a place chosen at random: the tree that places the next landmark (landmarks.h)
 *   FROM, TO    from the new landmark, and to it unless all steps are two-way: its columns of the tables
 *
 * TREE, FROM and TO are repeated for each landmark but the first, which needs no TREE. With 16 landmarks these are at most
 * 2 + 1 + 15 + 32 = 50 searches.
 *
 * The tables depend on the graph and not on the order of its places: random places are chosen by slot.
 *
 * Two threads search a graph side by side: FROM and TO, or where all steps are two-way FROM and the next TREE; and TREE and the one
 * after the next, since trees do not depend on tables. So the tables are the same.
 *
 * A graph may be edited between slices. Steps that are there all the time agree with the tables. At the end nodes that are new get
 * numbers from their neighbours, and the slack of the tables allows for all steps. If the places of the graph have moved, all
 * begins again: that takes as many edits as the graph has nodes or edges, about.
 *
 * A grid that may be edited is frozen at the beginning. Its tables are made of that version, and at the end all that differs from it
 * counts as an edit of a prepared grid. */
#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "core/cost/bounds.h"
#include "core/prepared/landmarks.h"
#include "core/prepared/plane_edits.h"
#include "core/prepared/plane_maker.h"

WEND_NO_FUSING

typedef enum prepare_stage { WIDE, ACROSS, TREE, FROM, TO, DONE } prepare_stage;
enum { OTHER_TO, OTHER_TREE };

#define WIDE_MAX 2u        /* searches of stage WIDE */
#define TYPICAL_UNITS 64   /* rough units of a typical step */
#define FAR_MAX 0x4000000u /* farther places are not reached in stage WIDE and ACROSS */
#define LONGEST 64000      /* units of the longest trip, about */
#define GRID_LANDMARKS 8u  /* by default: more of them gain little on grids */

struct wend_preparation {
  wend_alloc alloc;
  wend_map *map;
  uint64_t version;
  uint32_t packings; /* of the graph, at the beginning */
  bool edited;       /* since the beginning */
  wend_status status;
  wend_map *before;       /* of a grid that may be edited: its version at the beginning */
  wend_plane_maker maker; /* of a grid. The rest is for graphs */
  prepare_stage stage;
  uint32_t tried; /* searches of stage WIDE */
  double rough;   /* unit */
  wend_prepared *made;
  wend_bucket_flood counts;
  wend_bucket_flood other[2]; /* TO; and a tree that is made ahead. Without memory until two threads need them */
  wend_bucket_flood *beside;  /* of two searches side by side, the second; NULL: it runs alone */
  bool opened;                /* wend_preparation_open has begun searches */
  bool ahead;                 /* the tree of the next landmark is made */
  int64_t *size;
  uint32_t size_capacity;
  uint32_t landmarks[WEND_LANDMARKS_MAX], wanted, count;
  uint64_t seed;
  wend_prepared_info info; /* of the tables that it has made */
};

/* ---- The graph --------------------------------------------------------------------------------------------- */

static const wend_graph *graph_of(const wend_preparation *p) { return (const wend_graph *)p->map; }

/* A place at random: the first node from a random slot on. WEND_NONE: there is none. */
static uint32_t random_place(wend_preparation *p) {
  const uint32_t slots = graph_of(p)->nodes.count;
  uint32_t slot;
  if (slots == 0) return WEND_NONE;
  p->seed = wend_mix(p->seed + 1);
  slot = (uint32_t)(p->seed % slots);
  for (uint32_t i = 0; i < slots; i++, slot = slot + 1 < slots ? slot + 1 : 0) {
    const uint32_t place = graph_of(p)->nodes.value[slot];
    if (place < p->counts.place_count) return place; /* not removed, and not new */
  }
  return WEND_NONE;
}

/* Whether each step can be taken back at the same price. */
static bool is_two_way(const wend_graph *graph) {
  for (uint32_t place = 0; place < graph->place_count; place++) {
    const wend_block block = wend_graph_block(graph, place);
    if (block.both > block.first || block.end > block.in) return false;
  }
  return true;
}

/* The price of a typical step. */
static double typical_price(const wend_graph *graph, const wend_prepared *prices) {
  const wend_costs costs = {prices->tags, NULL, NULL, 0, NULL, 0};
  const double typical = wend_graph_typical(graph, &costs);
  return typical > 1e-200 && typical < 1e200 ? typical : 1;
}

/* ---- Stages ------------------------------------------------------------------------------------------------ */

/* The share of the slots that the last search has reached must be this, or another place is tried. */
static bool reaches_much(const wend_preparation *p) { return p->counts.order_count >= graph_of(p)->nodes.count / 4; }

/* Begins the searches for the next landmark. */
static void begin_landmark(wend_preparation *p, uint32_t place) {
  p->landmarks[p->count] = place;
  p->stage = FROM;
  wend_bucket_flood_begin(&p->counts, place, false, POTENTIAL_MAX);
}

/* Begins the searches for the landmark that a finished tree places. */
static void place_landmark(wend_preparation *p, wend_bucket_flood *tree) {
  begin_landmark(p, wend_landmarks_avoid(tree, p->made, p->landmarks, p->count, p->size));
}

/* Begins the next landmark, or ends. */
static void begin_tree(wend_preparation *p) {
  const bool ahead = p->ahead;
  uint32_t root;
  p->ahead = false;
  if (ahead) {
    place_landmark(p, &p->other[OTHER_TREE]);
    return;
  }
  root = random_place(p);
  if (p->count == p->wanted || root == WEND_NONE) {
    p->stage = DONE;
    return;
  }
  p->stage = TREE;
  wend_bucket_flood_begin(&p->counts, root, false, POTENTIAL_MAX);
}

/* Copies the costs of a finished search to a column of the tables. */
static void store_column(wend_preparation *p, const wend_bucket_flood *c, uint32_t column) {
  for (uint32_t i = 0; i < c->order_count; i++)
    wend_prepared_row(p->made, c->order[i])[column] = (uint16_t)c->count[c->order[i]];
}

/* Ends a search of a stage, and begins the next one. */
static void end_prepare_stage(wend_preparation *p) {
  wend_bucket_flood *c = &p->counts;
  const uint32_t farthest = c->order_count > 0 ? c->order[c->order_count - 1] : 0;
  switch (p->stage) {
    case WIDE:
      if (!reaches_much(p) && ++p->tried < WIDE_MAX) {
        const uint32_t root = random_place(p);
        if (root == WEND_NONE) p->stage = DONE;
        else wend_bucket_flood_begin(c, root, false, FAR_MAX);
        return;
      }
      p->stage = ACROSS;
      wend_bucket_flood_begin(c, farthest, false, FAR_MAX);
      return;
    case ACROSS: {
      const double longest = c->count[farthest] * p->rough;
      double unit = longest / LONGEST;
      if (!(unit > p->rough * 1e-6)) unit = p->rough / 1000;
      p->made->unit = unit;
      if (p->made->unit > POTENTIAL_UNIT_MAX) p->made->unit = POTENTIAL_UNIT_MAX;
      wend_bucket_flood_set_unit(c, p->made->unit);
      begin_landmark(p, farthest);
      return;
    }
    case TREE: place_landmark(p, c); return;
    case FROM:
      store_column(p, c, p->made->two_way ? p->count : p->made->count + p->count);
      if (!p->made->two_way) {
        p->stage = TO;
        wend_bucket_flood_begin(c, p->landmarks[p->count], true, POTENTIAL_MAX);
        return;
      }
      p->count++;
      begin_tree(p);
      return;
    case TO:
      store_column(p, c, p->count);
      p->count++;
      begin_tree(p);
      return;
    case DONE: return;
  }
}

/* ---- Interface --------------------------------------------------------------------------------------------- */

static void free_parts(wend_preparation *p) {
  wend_plane_maker_free(&p->maker);
  wend_bucket_flood_free(&p->counts);
  for (int i = 0; i < 2; i++) wend_bucket_flood_free(&p->other[i]);
  WEND_FREE(&p->alloc, p->size, p->size_capacity);
  wend_prepared_free(p->made, &p->alloc);
  wend_map_thaw(p->before);
  p->size = NULL, p->size_capacity = 0, p->made = NULL, p->before = NULL;
}

/* Prepares the first search of a graph. False: no memory. */
static bool begin_graph(wend_preparation *p, const wend_costs *costs) {
  const wend_graph *graph = graph_of(p);
  uint32_t root;
  p->packings = graph->packings;
  p->edited = false;
  p->stage = WIDE;
  p->tried = p->count = 0;
  p->opened = p->ahead = false;
  p->seed = 0;
  p->made = wend_prepared_new(p->map, p->wanted, is_two_way(graph), 1, costs);
  if (p->made == NULL || !wend_bucket_flood_init(&p->counts, graph, p->made, &p->alloc) ||
      !WEND_RESIZE(&p->alloc, p->size, p->size_capacity, p->counts.capacity))
    return false;
  p->rough = typical_price(graph, p->made) / TYPICAL_UNITS;
  p->made->unit = p->rough;
  wend_bucket_flood_set_unit(&p->counts, p->rough);
  root = random_place(p);
  if (root == WEND_NONE) p->stage = DONE;
  else wend_bucket_flood_begin(&p->counts, root, false, FAR_MAX);
  return true;
}

/* Prepares to make the planes of a grid; edits: which may be edited. False: no memory. */
static bool begin_maker(wend_preparation *p, const wend_costs *costs, bool edits) {
  const wend_grid *grid = (const wend_grid *)p->map;
  p->made = wend_prepared_new(p->map, p->wanted, true, 1, costs);
  if (p->made == NULL) return false;
  if (!edits) return wend_plane_maker_begin(&p->maker, grid, p->made);
  p->before = wend_map_freeze(p->map);
  return p->before != NULL && wend_plane_maker_begin(&p->maker, (const wend_grid *)p->before, p->made);
}

static bool begin_preparation(wend_preparation *p, const wend_prepare_opts *opts) {
  const wend_costs weights = {NULL, NULL, NULL, 0, NULL, 0};
  const wend_costs *costs = opts != NULL ? &opts->costs : &weights;
  if (!p->map->is_grid && wend_graph_sync((wend_graph *)p->map) != WEND_OK) return false;
  p->version = p->map->version;
  p->wanted = opts != NULL && opts->landmarks > 0 ? opts->landmarks : p->map->is_grid ? GRID_LANDMARKS : WEND_LANDMARKS_MAX;
  return p->map->is_grid ? begin_maker(p, costs, opts != NULL && opts->edits) : begin_graph(p, costs);
}

wend_preparation *wend_preparation_create(wend_map *map, const wend_prepare_opts *opts) {
  wend_preparation *p = wend_new(&map->alloc, sizeof *p);
  if (p == NULL) return NULL;
  p->map = map;
  p->status = WEND_RUNNING;
  if (map->is_grid && (opts == NULL || opts->landmarks == 0) && wend_grid_is_alike((const wend_grid *)map)) {
    p->info.reason = WEND_PREPARED_ALIKE;
    p->status = WEND_OK;
    return p;
  }
  if (begin_preparation(p, opts)) return p;
  wend_preparation_destroy(p);
  return NULL;
}

/* Begins again, with the same options. False: no memory. */
static bool begin_again(wend_preparation *p) {
  const wend_tag_cost as_it_is = {1, 0, 1, false, false, false};
  wend_prepare_opts opts = {p->wanted, {NULL, NULL, NULL, 0, NULL, 0}, true};
  const uint32_t count = wend_map_tag_count(p->map) + 1, known = p->made->tag_count;
  wend_tag_cost *tags = NULL;
  uint32_t capacity = 0;
  bool done;
  if (p->made->tags != NULL && !WEND_RESIZE(&p->alloc, tags, capacity, count)) return false;
  for (uint32_t tag = 0; tag < capacity; tag++) tags[tag] = tag < known ? p->made->tags[tag] : as_it_is;
  opts.costs.tags = tags;
  free_parts(p);
  done = begin_preparation(p, &opts);
  WEND_FREE(&p->alloc, tags, capacity);
  return done;
}

/* Looks at the edits since the last slice. STALE, NO_MEMORY: they end the preparation. */
static wend_status follow_edits(wend_preparation *p) {
  const wend_graph *graph = (const wend_graph *)p->map;
  if (p->before != NULL) return wend_map_is_lost(p->before) ? WEND_NO_MEMORY : WEND_OK;
  if (p->map->version == p->version) return WEND_OK;
  if (p->map->is_grid) return WEND_STALE;
  if (wend_graph_sync((wend_graph *)p->map) != WEND_OK) return WEND_NO_MEMORY;
  p->version = p->map->version;
  p->edited = true;
  return graph->packings == p->packings || begin_again(p) ? WEND_OK : WEND_NO_MEMORY;
}

/* Gives the map its tables. STALE: it has got too many others since; NO_MEMORY. */
static wend_status install_tables(wend_preparation *p) {
  wend_prepared *made = p->made;
  wend_plane_maker_free(&p->maker);
  if (!wend_prepared_has_room(p->map, made)) return WEND_STALE;
  if (p->before != NULL && wend_map_is_present(p->before)) { /* nothing was edited: the map need not part from it */
    wend_map_thaw(p->before);
    p->before = NULL;
  }
  if (!wend_map_can_edit(p->map)) return WEND_NO_MEMORY;
  if (p->edited && !wend_prepared_adopt((const wend_graph *)p->map, made, p->counts.place_count)) return WEND_NO_MEMORY;
  if (p->edited) wend_prepared_verify(graph_of(p), made);
  wend_prepared_install(p->map, made);
  if (p->before != NULL) wend_planes_note_since(p->map, made, (const wend_grid *)p->before);
  else if (made->planes != NULL) wend_planes_note_links_of(p->map, made);
  wend_prepared_describe(made, &p->info);
  p->made = NULL;
  return WEND_OK;
}

/* Continues the searches of a graph. OK: all are done. */
static wend_status run_searches(wend_preparation *p, uint64_t places) {
  while (p->stage != DONE && places > 0)
    if (wend_bucket_flood_run(&p->counts, &places)) end_prepare_stage(p);
  return p->stage == DONE ? WEND_OK : WEND_RUNNING;
}

wend_status wend_preparation_step(wend_preparation *p, uint64_t places) {
  wend_status status;
  if (p->status != WEND_RUNNING) return p->status;
  p->opened = false;
  status = follow_edits(p);
  if (status == WEND_OK) status = p->map->is_grid ? wend_plane_maker_run(&p->maker, &places) : run_searches(p, places);
  if (status == WEND_RUNNING) return status;
  if (status == WEND_OK) status = install_tables(p);
  free_parts(p);
  return p->status = status;
}

/* ---- Two threads -------------------------------------------------------------------------------------------- */

/* Ends searches that have run side by side. */
static void end_searches(wend_preparation *p) {
  const bool both_ways = p->beside == &p->other[OTHER_TO];
  if (!p->opened) return;
  p->opened = false;
  if (p->beside == &p->other[OTHER_TREE]) p->ahead = true;
  if (both_ways) {
    store_column(p, &p->counts, p->made->count + p->count);
    store_column(p, p->beside, p->count++);
    begin_tree(p);
  } else {
    end_prepare_stage(p);
  }
}

/* Begins the search that can run beside that of the stage, if there is one and memory for it. */
static void begin_beside(wend_preparation *p) {
  const bool both_ways = p->stage == FROM && !p->made->two_way;
  wend_bucket_flood *other = &p->other[both_ways ? OTHER_TO : OTHER_TREE];
  uint32_t root = p->landmarks[p->count];
  p->beside = NULL;
  if (p->stage != FROM && (p->stage != TREE || p->made->two_way)) return;
  if (!both_ways && p->count + 1 == p->wanted) return; /* no more trees are needed */
  if (other->capacity == 0 && !wend_bucket_flood_init(other, graph_of(p), p->made, &p->alloc)) return;
  wend_bucket_flood_set_unit(other, p->made->unit);
  if (!both_ways) root = random_place(p);
  wend_bucket_flood_begin(other, root, both_ways, POTENTIAL_MAX);
  p->beside = other;
}

uint32_t wend_preparation_open(wend_preparation *p) {
  if (p->status != WEND_RUNNING || (p->map->version != p->version && p->before == NULL) ||
      (p->before != NULL && wend_map_is_lost(p->before)))
    return 0;
  if (p->map->is_grid) return wend_plane_maker_open(&p->maker);
  end_searches(p);
  if (p->stage == DONE) return 0;
  begin_beside(p);
  p->opened = true;
  return p->beside != NULL ? 2 : 1;
}

void wend_preparation_search(wend_preparation *p, uint32_t number) {
  uint64_t all = UINT64_MAX;
  if (p->maker.grid != NULL) wend_plane_maker_work(&p->maker, number);
  else (void)wend_bucket_flood_run(number == 0 ? &p->counts : p->beside, &all);
}

void wend_preparation_info(const wend_preparation *p, wend_prepared_info *info) { *info = p->info; }

double wend_preparation_progress(const wend_preparation *p) {
  const double each = p->made != NULL && p->made->two_way ? 2 : 3, all = 3 + each * p->wanted;
  double done = p->stage == WIDE ? p->tried : p->stage == ACROSS ? 2 : 3 + each * p->count;
  if (p->status == WEND_OK || p->stage == DONE) return 1;
  if (p->status != WEND_RUNNING) return 0;
  if (p->maker.grid != NULL) return wend_plane_maker_progress(&p->maker);
  done += p->stage == FROM ? 1 : p->stage == TO ? 2 : 0;
  if (p->counts.place_count > 0) done += (double)p->counts.order_count / p->counts.place_count;
  return done / all < 1 ? done / all : 1;
}

void wend_preparation_destroy(wend_preparation *p) {
  if (p == NULL) return;
  free_parts(p);
  wend_delete(p, sizeof *p);
}
