/* SPDX-License-Identifier: MIT */
/* Prepared maps: prepared.h has the contracts.
 *
 * Edits tell the tables which steps may be cheaper, and these raise the slack of the tables so that it allows for all steps. So a
 * search reads a few numbers, and any number of searches can use the tables at the same time. plane_edits.c does so for grids. Of
 * graphs, `note` looks at the arcs at the ends of an edge or a node that has changed, and `admit` at edges that wait, before they
 * are inserted.
 *
 * A new node has no arcs, so any row agrees. When its first edges come, its row is set from its neighbours: the costs of the steps
 * added to what they have. For example, a new node in the middle of a road of 10 units, whose ends have to = 50 and 40, gets 45
 * from the nearer end. A small part of a graph that a landmark had not reached gets its numbers so when an edge joins it to the
 * rest. */
#include "core/prepared/prepared.h"

#include <math.h>
#include <string.h>

#include "core/cost/bounds.h"
#include "core/prepared/plane_edits.h"

WEND_NO_FUSING

/* Rows of new nodes are set in this many passes over the new edges. A long chain of new nodes may need more, and then raises the
 * slack. */
#define ADMIT_PASSES 8
/* The same for a part of the map that is joined to the rest: passes over its nodes, and how many these may be, so that an edit
 * takes milliseconds. */
#define ISLAND_PASSES 64
#define ISLAND_MAX 4096u

/* ---- Steps ------------------------------------------------------------------------------------------------- */

bool wend_prepared_enters(const wend_grid *grid, const wend_prepared *prepared, uint32_t place) {
  const wend_region region = wend_grid_region(grid);
  const wend_cell cell = wend_region_get(&region, grid, place);
  return cell.weight < INFINITY && wend_prepared_price(prepared, cell.tag, cell.weight) < INFINITY;
}

static void allow_arc(const wend_graph *graph, wend_prepared *prepared, uint32_t from, uint32_t to, double price) {
  wend_prepared_allow(prepared, &graph->map.alloc, from, to, graph->slot_of[to], price);
}

/* Allows for the arcs that leave a place, or with `back` lead to it. */
static void allow_arcs(const wend_graph *graph, wend_prepared *prepared, uint32_t place, bool back) {
  const wend_span span = back ? graph->in[place] : graph->out[place];
  for (uint32_t i = span.first; i < span.end; i++) {
    const double price = wend_prepared_price(prepared, graph->arc_tag[i], fabs(graph->arc_weight[i]));
    allow_arc(graph, prepared, back ? graph->arc_to[i] : place, back ? place : graph->arc_to[i], price);
  }
}

void wend_prepared_verify(const wend_graph *graph, wend_prepared *prepared) {
  prepared->off = false;
  for (uint32_t place = 0; place < graph->place_count; place++)
    if (graph->slot_of[place] != WEND_NONE) allow_arcs(graph, prepared, place, false);
}

/* ---- Edits ------------------------------------------------------------------------------------------------- */

/* Lowers a number of a row, so that a step from a place that has `far` to one that has *near, or back, agrees. */
static bool lower_number(uint16_t *near, uint32_t far) {
  if (far >= *near) return false;
  *near = (uint16_t)far;
  return true;
}

/* Lowers the numbers of the row of a new node, so that a step of this price from it, or with `back` to it, agrees. */
static bool lower_row(const wend_prepared *prepared, uint32_t node, uint32_t other, double price, bool back) {
  uint16_t *row = wend_prepared_row(prepared, node);
  const uint16_t *known = wend_prepared_row(prepared, other);
  const uint32_t step = wend_prepared_units(prepared, price);
  const uint32_t first = back && !prepared->two_way ? prepared->count : 0;
  bool lowered = false;
  for (uint32_t i = first; i < first + prepared->landmarks; i++)
    if (lower_number(&row[i], known[i] + step)) lowered = true;
  return lowered;
}

/* wend_prepared.note */
static void note_place(wend_map *map, wend_prepared *prepared, uint32_t place) {
  if (prepared->off || place >= prepared->place_count) return;
  allow_arcs((const wend_graph *)map, prepared, place, false);
  allow_arcs((const wend_graph *)map, prepared, place, true);
}

/* Whether a node has no arcs, so that any row agrees. */
static bool is_alone(const wend_graph *graph, uint32_t place) { return graph->out[place].first == graph->in[place].end; }

/* Lowers the row of a place by all its arcs. */
static bool lower_by_arcs(const wend_graph *graph, const wend_prepared *prepared, uint32_t place, bool back) {
  const wend_span span = back ? graph->in[place] : graph->out[place];
  bool lowered = false;
  for (uint32_t i = span.first; i < span.end; i++) {
    const double price = wend_prepared_price(prepared, graph->arc_tag[i], fabs(graph->arc_weight[i]));
    if (price < INFINITY && lower_row(prepared, place, graph->arc_to[i], price, back)) lowered = true;
  }
  return lowered;
}

/* The columns in which a place has no number, as bits: 0 .. 15 `to`, 16 .. 31 `from`; with two-way rows, both. */
static uint32_t missing_columns(const wend_prepared *prepared, uint32_t place) {
  const uint16_t *to = wend_prepared_row(prepared, place), *from = prepared->two_way ? to : to + prepared->count;
  uint32_t missing = 0;
  for (uint32_t i = 0; i < prepared->landmarks; i++) {
    if (to[i] == POTENTIAL_MAX) missing |= 1u << i;
    if (from[i] == POTENTIAL_MAX) missing |= 0x10000u << i;
  }
  return missing;
}

/* Lists a node, and those joined to it, also over others of them, that have no number in some of these columns. Returns how many
 * they are. 0: too many, or no memory. */
static uint32_t list_island(const wend_graph *graph, const wend_prepared *prepared, uint32_t start, uint32_t columns,
                            uint32_t **list, uint32_t *capacity) {
  const wend_alloc *alloc = &graph->map.alloc;
  uint64_t *seen = NULL;
  uint32_t words = 0, count = 1;
  if (!WEND_GROW(alloc, *list, *capacity, 1) || !WEND_RESIZE(alloc, seen, words, (uint64_t)graph->place_count / 64 + 1))
    return 0;
  memset(seen, 0, words * sizeof *seen);
  wend_bit_set(seen, start);
  (*list)[0] = start;
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t end = graph->in[(*list)[k]].end;
    for (uint32_t i = graph->out[(*list)[k]].first; i < end; i++) {
      const uint32_t to = graph->arc_to[i];
      if (wend_bit_get(seen, to) || (missing_columns(prepared, to) & columns) == 0) continue;
      if (count == ISLAND_MAX || !WEND_GROW(alloc, *list, *capacity, (uint64_t)count + 1)) {
        WEND_FREE(alloc, seen, words);
        return 0;
      }
      wend_bit_set(seen, to);
      (*list)[count++] = to;
    }
  }
  WEND_FREE(alloc, seen, words);
  return count;
}

/* Lowers the row of an end of a new edge by it. out, in: the edge leads from it, to it. */
static bool lower_by_edge(const wend_prepared *prepared, uint32_t node, uint32_t other, double price, bool out, bool in) {
  bool lowered = false;
  if (out) lowered = lower_row(prepared, node, other, price, false);
  if (in) lowered = lower_row(prepared, node, other, price, true) || lowered;
  return lowered;
}

/* An edge joins a node of a part that some landmarks had not reached: sets the numbers of this part. Searches in slices may have
 * read others, so they must not go on. */
static bool set_island(const wend_graph *graph, wend_prepared *prepared, uint32_t node, uint32_t other, double price, bool out,
                       bool in) {
  const uint32_t columns = missing_columns(prepared, node) & ~missing_columns(prepared, other) &
                           ((out || prepared->two_way ? 0xffffu : 0) | (in || prepared->two_way ? 0xffff0000u : 0));
  uint32_t *list = NULL, capacity = 0, count = 0;
  bool lowered = true;
  if (columns != 0) count = list_island(graph, prepared, node, columns, &list, &capacity);
  if (count > 0) {
    prepared->slack.raised++;
    (void)lower_by_edge(prepared, node, other, price, out, in);
  }
  for (int pass = 0; lowered && pass < ISLAND_PASSES; pass++) {
    lowered = false;
    for (uint32_t k = 0; k < count; k++) {
      lowered = lower_by_arcs(graph, prepared, list[k], false) || lowered;
      lowered = lower_by_arcs(graph, prepared, list[k], true) || lowered;
    }
  }
  for (uint32_t k = 0; k < count; k++) {
    allow_arcs(graph, prepared, list[k], false);
    allow_arcs(graph, prepared, list[k], true);
  }
  WEND_FREE(&graph->map.alloc, list, capacity);
  return count > 0;
}

/* Sets the row of an end of a new edge, if it has no arcs, or lacks numbers. */
static bool admit_end(const wend_graph *graph, wend_prepared *prepared, uint32_t node, uint32_t other, double price, bool out,
                      bool in) {
  if (is_alone(graph, node)) return lower_by_edge(prepared, node, other, price, out, in);
  return set_island(graph, prepared, node, other, price, out, in);
}

/* wend_prepared.admit */
static bool admit_edges(wend_graph *graph, wend_prepared *prepared) {
  bool lowered = true;
  if (!wend_prepared_grow(prepared, &graph->map.alloc, graph->place_count)) return false;
  if (prepared->off) return true;
  if (!wend_prepared_own(prepared, &graph->map.alloc)) return false;
  for (int pass = 0; lowered && pass < ADMIT_PASSES; pass++) {
    lowered = false;
    for (uint32_t i = 0; i < graph->pending_count; i++) {
      const wend_pending *edge = &graph->pending[i];
      const uint32_t from = graph->nodes.value[edge->from], to = graph->nodes.value[edge->to];
      const double price = wend_prepared_price(prepared, edge->kind >> ARC_TAG_SHIFT, edge->weight);
      if (!(price < INFINITY)) continue;
      lowered = admit_end(graph, prepared, from, to, price, true, !edge->directed) || lowered;
      lowered = admit_end(graph, prepared, to, from, price, !edge->directed, true) || lowered;
    }
  }
  for (uint32_t i = 0; i < graph->pending_count; i++) {
    const wend_pending *edge = &graph->pending[i];
    const uint32_t from = graph->nodes.value[edge->from], to = graph->nodes.value[edge->to];
    const double price = wend_prepared_price(prepared, edge->kind >> ARC_TAG_SHIFT, edge->weight);
    allow_arc(graph, prepared, from, to, price);
    if (!edge->directed) allow_arc(graph, prepared, to, from, price);
  }
  return true;
}

bool wend_prepared_adopt(const wend_graph *graph, wend_prepared *prepared, uint32_t first) {
  bool lowered = true;
  if (!wend_prepared_grow(prepared, &graph->map.alloc, graph->place_count)) return false;
  for (int pass = 0; lowered && pass < ADMIT_PASSES; pass++) {
    lowered = false;
    for (uint32_t place = first; place < graph->place_count; place++) {
      lowered = lower_by_arcs(graph, prepared, place, false) || lowered;
      lowered = lower_by_arcs(graph, prepared, place, true) || lowered;
    }
  }
  return true;
}

/* ---- Agents ------------------------------------------------------------------------------------------------ */

/* The costs of tags, of an agent, or what tables are for. Later tags cost their weight. */
typedef struct tag_costs {
  const wend_tag_cost *tags;
  uint32_t count;
} tag_costs;

static tag_costs costs_of_agent(const wend_map *map, const wend_costs *costs) {
  const tag_costs all = {costs->tags, costs->tags != NULL ? wend_map_tag_count(map) + 1 : 0};
  return all;
}

static tag_costs costs_of_tables(const wend_prepared *prepared) {
  const tag_costs all = {prepared->tags, prepared->tags != NULL ? prepared->tag_count : 0};
  return all;
}

static wend_tag_cost cost_of_tag(tag_costs all, uint32_t tag) {
  const wend_tag_cost as_it_is = {1, 0, 1, false, false, false};
  return tag < all.count ? all.tags[tag] : as_it_is;
}

/* Whether the tags up to a number cost the same. */
static bool are_equal_upto(uint32_t last, tag_costs one, tag_costs other) {
  for (uint32_t tag = 0; tag <= last; tag++) {
    const wend_tag_cost a = cost_of_tag(one, tag), b = cost_of_tag(other, tag);
    if (a.plus != b.plus || (a.times != b.times && a.plus < INFINITY)) return false;
  }
  return true;
}

/* Whether all tags of a map cost the same. */
static bool are_equal(const wend_map *map, tag_costs one, tag_costs other) {
  return are_equal_upto(wend_map_tag_count(map), one, other);
}

bool wend_prepared_alike(const wend_map *map, const wend_prepared *one, const wend_prepared *other) {
  return are_equal_upto(map->own_tags, costs_of_tables(one), costs_of_tables(other));
}

/* The share of one tag: weight x times + plus is at least this share of what it is in the tables. INFINITY: the tag is closed
 * for the agent, or free in the tables. */
static double share_of_tag(wend_tag_cost a, wend_tag_cost p, bool asked) {
  double share = INFINITY;
  if (asked && a.asks && !(a.at_least > 0)) return 0;
  if (a.plus == INFINITY) return INFINITY;
  if (p.plus == INFINITY) return 0;
  if (p.times > 0) share = a.times / p.times;
  if (p.plus > 0 && a.plus / p.plus < share) share = a.plus / p.plus;
  return asked && a.asks ? share * a.at_least : share;
}

/* Tables against the costs of an agent. */
typedef struct table_fit {
  tag_costs agent, tables;
  bool asked;     /* the agent has a function of edges */
  double share;   /* the least of any tag */
  double covered; /* the sum over all steps of what the tables, times `share`, have of their price for the agent */
  double closed;  /* steps that are closed in both: the tables have all of these */
} table_fit;

/* Adds steps of a tag, with a weight; `covered` without `share`. */
static void add_to_fit(table_fit *fit, uint32_t tag, double weight, double count) {
  const wend_tag_cost a = cost_of_tag(fit->agent, tag), p = cost_of_tag(fit->tables, tag);
  const double share = share_of_tag(a, p, fit->asked), price = weight * a.times + a.plus;
  if (!(share >= fit->share)) fit->share = share;
  if (price > 0 && price < INFINITY) fit->covered += count * ((weight * p.times + p.plus) / price);
  if (a.plus == INFINITY && p.plus == INFINITY) fit->closed += count;
}

/* Takes O(tags), on a grid O(kinds). */
static table_fit fit_tables(const wend_map *map, const wend_prepared *prepared, const wend_costs *costs) {
  const wend_grid *grid = map->is_grid ? (const wend_grid *)map : NULL;
  const double typical = wend_scales_typical(&map->scales);
  table_fit fit = {costs_of_agent(map, costs), costs_of_tables(prepared), false, INFINITY, 0, 0};
  fit.asked = costs->tags != NULL && costs->edge != NULL;
  if (grid != NULL && grid->kinds != NULL) {
    for (uint32_t k = KIND_FIRST; k < grid->kind_count; k++) {
      const wend_kind *kind = &grid->palette[k];
      if (kind->count > 0 && kind->weight < INFINITY) add_to_fit(&fit, kind->tag, kind->weight, kind->count);
    }
  } else {
    for (uint32_t tag = 0; tag <= wend_map_tag_count(map); tag++) {
      const uint64_t count = wend_histogram_count(&map->ratios, tag);
      if (count > 0) add_to_fit(&fit, tag, typical, (double)count);
    }
  }
  for (uint32_t i = 0; grid != NULL && i < grid->portal_count; i++)
    if (!grid->out[i].removed) add_to_fit(&fit, grid->out[i].tag, grid->out[i].weight, 1);
  if (!(fit.share >= 0)) fit.share = 0; /* NaN */
  if (!(fit.share < INFINITY)) fit.share = 1;
  if (grid == NULL) fit.share *= wend_graph_node_share((const wend_graph *)map, costs); /* tables know only edges */
  fit.covered = fit.share > 0 ? fit.share * fit.covered + fit.closed : 0;
  return fit;
}

double wend_prepared_share(const wend_map *map, const wend_prepared *prepared, const wend_costs *costs) {
  return costs->tags == NULL && prepared->tags == NULL ? 1 : fit_tables(map, prepared, costs).share;
}

/* The tables of a map that are for these costs. NULL: there are none. */
static wend_prepared *tables_for(const wend_map *map, tag_costs costs) {
  WEND_FOR_TABLES(map, one)
  if (are_equal(map, costs_of_tables(one), costs)) return one;
  return NULL;
}

/* The mean slack of the columns that are still worth something, in units. */
static double mean_slack(const wend_prepared *prepared) {
  double sum = 0, count = 0;
  if (prepared->planes != NULL) return (double)wend_planes_slack(prepared->planes) - 1;
  for (uint32_t i = 0; i < 2 * prepared->count; i++) {
    const uint32_t slack = prepared->slack.sums[i];
    if (i % prepared->count < prepared->landmarks && slack <= SLACK_MAX / 2) sum += slack, count++;
  }
  return count > 0 ? sum / count : prepared->landmarks > 0 ? SLACK_MAX : 0;
}

static bool is_off(const wend_prepared *prepared) {
  return prepared->off || (prepared->planes != NULL && prepared->planes->usable == 0);
}

wend_prepared *wend_prepared_choose(const wend_map *map, const wend_costs *costs) {
  wend_prepared *best;
  double most = 0;
  if (map->prepared == NULL || map->prepared->next == NULL) return map->prepared;
  best = tables_for(map, costs_of_agent(map, costs));
  if (best != NULL && !is_off(best)) return best;
  if (best == NULL) best = map->prepared;
  WEND_FOR_TABLES(map, one) {
    const double covered = is_off(one) ? 0 : fit_tables(map, one, costs).covered;
    if (covered > most) best = one, most = covered;
  }
  return best;
}

wend_prepared *wend_prepared_find(const wend_map *map, uint64_t stamp) {
  WEND_FOR_TABLES(map, one)
  if (one->stamp == stamp) return one;
  return NULL;
}

void wend_prepared_describe(const wend_prepared *prepared, wend_prepared_info *info) {
  memset(info, 0, sizeof *info);
  info->landmarks = prepared->landmarks;
  info->bytes = wend_prepared_bytes(prepared);
  info->unit = prepared->unit;
}

bool wend_map_prepared(wend_map *map, const wend_costs *costs, wend_prepared_info *info) {
  const wend_prepared *prepared;
  memset(info, 0, sizeof *info);
  if (!map->is_grid && wend_graph_sync((wend_graph *)map) != WEND_OK) return false;
  prepared = wend_prepared_choose(map, costs);
  if (prepared == NULL) return false;
  wend_prepared_describe(prepared, info);
  info->own = are_equal(map, costs_of_tables(prepared), costs_of_agent(map, costs));
  info->share = wend_prepared_share(map, prepared, costs);
  info->slack = info->share * prepared->unit * mean_slack(prepared);
  info->reason = !(info->share > 0) ? WEND_PREPARED_COSTS : is_off(prepared) ? WEND_PREPARED_EDITS : WEND_PREPARED_USED;
  return true;
}

/* ---- Lifetime ---------------------------------------------------------------------------------------------- */

wend_prepared *wend_prepared_new(const wend_map *map, uint32_t landmarks, bool two_way, double unit, const wend_costs *costs) {
  const uint32_t places = map->is_grid ? 0 : ((const wend_graph *)map)->place_count;
  const uint32_t tags = costs->tags != NULL ? wend_map_tag_count(map) + 1 : 0;
  const wend_alloc *alloc = &map->alloc;
  wend_prepared *made = wend_new_part(alloc, sizeof *made);
  if (made == NULL) return NULL;
  made->landmarks = landmarks;
  made->count = landmarks <= 8 ? 8 : 16;
  made->stride = two_way ? made->count : 2 * made->count;
  made->two_way = two_way;
  made->unit = unit;
  made->slack.width = 2 * made->count;
  if ((!map->is_grid &&
       !wend_resize(alloc, &made->rows, &made->capacity, places > 0 ? places : 1, made->stride * sizeof *made->rows)) ||
      !wend_prepared_grow(made, alloc, places) || (tags > 0 && !WEND_RESIZE(alloc, made->tags, made->tags_capacity, tags))) {
    wend_prepared_free(made, alloc);
    return NULL;
  }
  if (tags > 0) memcpy(made->tags, costs->tags, tags * sizeof *made->tags);
  made->tag_count = tags;
  return made;
}

/* Takes tables out of the list of a map, and frees them. */
static void remove_tables(wend_map *map, wend_prepared *prepared) {
  wend_prepared **at = &map->prepared;
  while (*at != prepared) at = &(*at)->next;
  *at = prepared->next;
  prepared->next = NULL;
  wend_prepared_free(prepared, &map->alloc);
}

/* Whether a map may get tables for these costs. */
static bool has_room(const wend_map *map, tag_costs costs) {
  const tag_costs weights = {NULL, 0};
  uint32_t count = 0;
  if (are_equal(map, costs, weights) || tables_for(map, costs) != NULL) return true;
  WEND_FOR_TABLES(map, one) count += !are_equal(map, costs_of_tables(one), weights);
  return count < WEND_PROFILES_MAX;
}

bool wend_map_can_prepare(const wend_map *map, const wend_costs *costs) { return has_room(map, costs_of_agent(map, costs)); }
bool wend_prepared_has_room(const wend_map *map, const wend_prepared *made) { return has_room(map, costs_of_tables(made)); }

void wend_prepared_install(wend_map *map, wend_prepared *prepared) {
  wend_prepared *old = tables_for(map, costs_of_tables(prepared)), **end = &map->prepared;
  if (old != NULL) remove_tables(map, old);
  while (*end != NULL) end = &(*end)->next;
  *end = prepared;
  prepared->note = map->is_grid ? wend_planes_note_opened : note_place;
  prepared->note_value = wend_planes_note_value;
  prepared->note_portals = wend_planes_note_links_of;
  prepared->admit = admit_edges;
  prepared->stamp = wend_map_new_serial();
}

void wend_map_unprepare(wend_map *map, const wend_costs *costs) {
  wend_prepared *own;
  wend_map_must_edit(map);
  own = costs != NULL ? tables_for(map, costs_of_agent(map, costs)) : NULL;
  if (costs == NULL) {
    wend_prepared_free(map->prepared, &map->alloc);
    map->prepared = NULL;
  } else if (own != NULL) {
    remove_tables(map, own);
  }
}
