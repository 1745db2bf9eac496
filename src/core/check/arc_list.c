/* SPDX-License-Identifier: MIT */
/* The open steps of a map, for checks: see arc_list.h. */
#include "core/check/arc_list.h"

#include "core/base/memory.h"

WEND_NO_FUSING

void wend_arc_list_free(wend_arc_list *p) {
  WEND_FREE(&p->alloc, p->first, p->capacity);
  WEND_FREE(&p->alloc, p->there, p->capacity);
  WEND_FREE(&p->alloc, p->list, p->list_capacity);
  WEND_FREE(&p->alloc, p->stack, p->stack_capacity);
}

wend_id wend_listed_id(const wend_map *map, uint32_t place) {
  const wend_region region = map->is_grid ? wend_grid_region((const wend_grid *)map) : (wend_region){0};
  if (map->is_grid) return wend_region_cell(&region, (const wend_grid *)map, place);
  return wend_slots_id(&((const wend_graph *)map)->nodes, ((const wend_graph *)map)->slot_of[place]);
}

/* Makes room for `places` places and the end of the last one's arcs. False: no memory. */
static bool reserve_arcs(wend_arc_list *p, uint32_t places) {
  const wend_column columns[] = {WEND_COLUMN(p->first), WEND_COLUMN(p->there)};
  p->count = places;
  return wend_grow_columns(&p->alloc, columns, 2, &p->capacity, (uint64_t)places + 1);
}

/* Appends an arc to those of the current place. False: no memory. */
static bool add_arc(wend_arc_list *p, uint32_t to, uint32_t via, bool allowed) {
  const wend_open_arc one = {to, via, allowed};
  if (!WEND_GROW(&p->alloc, p->list, p->list_capacity, (uint64_t)p->list_count + 1)) return false;
  p->list[p->list_count++] = one;
  return true;
}

/* A value of `there`: the tag of the cell or node is closed, but the edge function may open it. */
#define UNSURE 3u

/* Keeps the unsure cells or nodes that an open step from a kept one leads to. Drops the others and their arcs. For example, a door
 * is closed by its tag, and the edge function opens it only from the south. If a cell south of it is open, the door is kept; if
 * the south is a wall, nothing can enter the door, and it is dropped as a closed cell would be. False: no memory. */
static bool drop_unsure(wend_arc_list *p) {
  uint32_t height = 0, kept = 0;
  if (!WEND_GROW(&p->alloc, p->stack, p->stack_capacity, p->count)) return false;
  for (uint32_t place = 0; place < p->count; place++)
    if (p->there[place] == 1) p->stack[height++] = place;
  while (height > 0) {
    const uint32_t place = p->stack[--height];
    for (uint32_t i = p->first[place]; i < p->first[place + 1]; i++) {
      const uint32_t to = p->list[i].to;
      if (p->there[to] != UNSURE) continue;
      p->there[to] = 1;
      p->stack[height++] = to;
    }
  }
  for (uint32_t place = 0; place < p->count; place++) {
    const uint32_t first = p->first[place], end = p->first[place + 1];
    p->first[place] = kept;
    if (p->there[place] == UNSURE) p->there[place] = 0;
    for (uint32_t i = first; p->there[place] != 0 && i < end; i++) p->list[kept++] = p->list[i];
  }
  p->first[p->count] = p->list_count = kept;
  return true;
}

/* Lists the arcs of a graph. */
static wend_status gather_graph(wend_arc_list *p, wend_graph *graph, const wend_costs *costs, const uint8_t *allowed) {
  const wend_status status = wend_graph_sync(graph);
  wend_stepper stepper = wend_graph_stepper(graph, costs);
  bool unsure = false;
  if (status != WEND_OK) return status;
  if (!reserve_arcs(p, graph->place_count)) return WEND_NO_MEMORY;
  for (uint32_t place = 0; place < p->count; place++) {
    const bool there = graph->slot_of[place] != WEND_NONE && wend_node_enters(&stepper, place);
    const uint32_t tag = wend_graph_tag_at(graph, place);
    const bool sure = there && (tag == WEND_UNTAGGED || costs->tags == NULL || costs->tags[tag].plus < INFINITY);
    p->first[place] = p->list_count;
    p->there[place] = !there ? 0 : sure ? 1 : UNSURE;
    unsure = unsure || (there && !sure);
    for (uint32_t i = graph->out[place].first; there && i < graph->out[place].end; i++) {
      if (graph->arc_to[i] == place || !(wend_arc_cost(&stepper, place, i, false) < INFINITY)) continue;
      if (!add_arc(p, graph->arc_to[i], i, allowed != NULL && allowed[graph->arc_tag[i]] != 0)) return WEND_NO_MEMORY;
    }
  }
  p->first[p->count] = p->list_count;
  if (stepper.invalid) return WEND_ABORTED;
  return !unsure || drop_unsure(p) ? WEND_OK : WEND_NO_MEMORY;
}

/* Lists the arcs of a grid. */
static wend_status gather_grid(wend_arc_list *p, const wend_grid *grid, const wend_costs *costs, const uint8_t *allowed) {
  wend_stepper stepper = wend_grid_stepper(grid, costs);
  bool unsure = false;
  if (!reserve_arcs(p, grid->place_count)) return WEND_NO_MEMORY;
  for (uint32_t place = 0; place < p->count; place++) {
    bool sure = false;
    const bool there = wend_region_has(&stepper.region, place) && wend_surely_enters(&stepper, place, &sure);
    uint32_t count = 0;
    const wend_portal *portals = there && grid->live_portals > 0 ? wend_grid_portals(grid, place, false, &count) : NULL;
    wend_memo memo;
    wend_memo_clear(&memo);
    p->first[place] = p->list_count;
    p->there[place] = !there ? 0 : sure ? 1 : UNSURE;
    unsure = unsure || (there && !sure);
    for (int d = 0; there && d < 8; d++) {
      const uint32_t to = (uint32_t)(place + wend_offset(stepper.region.stride, d));
      if (!wend_region_has(&stepper.region, to) || !wend_step_enters(&stepper, to)) continue;
      if (!(wend_step_cell(&stepper, place, d, 0, INFINITY, &memo) < INFINITY)) continue;
      if (!add_arc(p, to, WEND_NONE, allowed != NULL && allowed[wend_region_get(&stepper.region, grid, to).tag] != 0))
        return WEND_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
      const wend_portal *portal = &portals[i];
      if (portal->removed || portal->to == place || !wend_step_enters(&stepper, portal->to)) continue;
      if (!(wend_step_portal(&stepper, portal, place, portal->to, 0, INFINITY) < INFINITY)) continue;
      if (!add_arc(p, portal->to, (uint32_t)(portal - grid->out), allowed != NULL && allowed[portal->tag] != 0))
        return WEND_NO_MEMORY;
    }
    if (stepper.invalid) return WEND_ABORTED;
  }
  p->first[p->count] = p->list_count;
  return !unsure || drop_unsure(p) ? WEND_OK : WEND_NO_MEMORY;
}

wend_status wend_arc_list_gather(wend_arc_list *p, wend_map *map, const wend_costs *costs, const uint8_t *allowed) {
  p->list_count = 0;
  return map->is_grid ? gather_grid(p, (const wend_grid *)map, costs, allowed)
                      : gather_graph(p, (wend_graph *)map, costs, allowed);
}
