/* SPDX-License-Identifier: MIT */
/* Whether a search in slices survives edits of its map.
 *
 * A search survives if a search that begins now would have done the same so far: if everything that it has read is as it was.
 * Then its marks and its queue are those of such a search, and so is its result. It has read
 *
 *   - parts of the map around the nodes or cells that it has expanded     is_examined
 *   - numbers about the whole map, from which its estimates come          wend_pathfinder_holds
 *   - its kind of map: a palette, a plain grid, the places of a graph     is_same_map
 *
 * The journal of the map (map.h) lists the changes. In doubt a search does not survive.
 *
 *        # # # # # # # # #        x  expanded cells. c  cells that were read, because a step leads there
 *        # x x c . . # D .        D  a door that closes. None of its eight neighbours is expanded: the search goes on
 *        # x x c . . . . .        d  with a door here, the search would be stale
 *        # c d c . . # . .
 *        # # # # # # # # #
 *
 * The cases:
 *
 *   cells, walls, links    An expansion reads the cells, walls and links of the cell and its eight neighbours, corners too, and
 *                          the cells to which its links lead. So a change matters if its place, a neighbour of it, or a cell with
 *                          a link to it is expanded; or if its place is a goal: the search of a closed goal ends before it
 *                          begins. Steps of a disc (views/fit.h) read more cells around.
 *   jump points            The scans of an expansion read far more cells: base/lines_read.h has them, and the neighbours of each
 *                          mixed cell.
 *   ends of edges          An expansion reads the arcs of its node. An edge that is added or removed also moves other arcs at both
 *                          ends, which marks refer to. So a change matters if one of the ends is expanded.
 *   nodes                  Whether a node is closed, and where it is, is read where an arc leads to it: a change matters if the
 *                          node has a mark, or if a neighbour from which an arc leads to it is expanded.
 *   packing, new nodes     The places are other ones, or more: stale.
 *   a new tag              The costs that the caller gave have no item for it: stale.
 *   an edge function       If no cell asked for it, the search runs without it. If one does now: stale.
 *   walls, links           The first one on a grid makes it a map that needs another kind of expansion: stale. Without the last
 *                          one the present kind of expansion is still right.
 *   the palette            A grid that gives it up: stale.
 *   cheaper steps          The least cost per length of the map is the scale of the estimates. If it is less than it was: stale. If
 *                          it is greater, the estimates still hold.
 *   jump points            where all cells cost the same: stale if they do not, or not the same. Where they differ: stale if
 *                          such jump points would not be chosen now.
 *   the direct walk        A change where it has ended, or beside that: stale.
 *   closed goals           The places before a closed goal, or the costs of the steps onto it, are others: stale.
 *   variation              While the second search runs, nothing is known of what the first one has read: stale.
 *
 * One thing may differ from a search that begins now. The width of the buckets and the scale of the estimates are those of the
 * beginning. They depend on the average and on the least cost of a step of the whole map. If an edit far away has changed these,
 * the search still finds a cheapest path, but of several equally cheap ones perhaps another. */
#include "core/map/bounds.h"
#include "core/views/fit.h"
#include "core/pathfinder/pathfinder.h"
#include "core/search/ends.h"

WEND_NO_FUSING

/* Whether the search has expanded a place. */
static bool is_expanded(const wend_search *s, uint32_t place) { return wend_marks_expanded(&s->marks, place); }

/* Whether the map is still one that the search can go on with. */
static bool is_same_map(const wend_search *s) {
  wend_costs given = s->opts.costs;
  if (wend_lacks_tags(s->map, &given, s->tag_count)) return false;
  if (s->graph != NULL) return s->graph->place_count == s->place_count;
  if ((s->grid->kinds != NULL) != (s->region.kinds != NULL)) return false;
  if (s->expansion != EXPAND_GRID && !s->weighted && !wend_grid_is_plain(s->grid, &given)) return false;
  if (s->weighted && s->grid->kinds == NULL) return false;
  given.edge = s->edge_given;
  return s->opts.costs.edge != NULL || !wend_grid_asks(s->grid, &given);
}

/* The same for any place in the columns and rows around one. */
static bool is_any_expanded(const wend_search *s, uint32_t place, int64_t reach) {
  const int64_t stride = s->region.stride, count = wend_place_count(s->region.width, s->region.height);
  for (int64_t row = place - reach * stride; row <= place + reach * stride; row += stride)
    for (int64_t at = row - reach; at <= row + reach; at++)
      if (at >= 0 && at < count && is_expanded(s, (uint32_t)at)) return true;
  return false;
}

/* Whether the search may have read what a change of a grid has changed. */
static bool is_cell_examined(const wend_search *s, uint32_t place) {
  const uint32_t stride = s->region.stride;
  const wend_portal *links;
  uint32_t count;
  if (wend_marks_has(&s->marks, place)) return true;
  for (int i = 0; i < 2; i++) {
    if (place == s->walk_blocked[i]) return true;
    for (int d = 0; d < 8; d++)
      if (wend_offset(stride, d) + place == s->walk_blocked[i]) return true;
  }
  if (s->expansion == EXPAND_JUMPS) { /* a node has noted its own neighbours, too */
    if (wend_scans_near(&s->lines_read.rows, place / stride, place % stride) ||
        wend_scans_near(&s->lines_read.columns, place % stride, place / stride))
      return true;
  } else {
    if (is_any_expanded(s, place, s->grid->fit != NULL ? wend_fit_reach(s->grid->fit->radius) : 1)) return true;
  }
  links = wend_grid_portals(s->grid, place, true, &count);
  for (uint32_t i = 0; i < count; i++)
    if (wend_marks_has(&s->marks, links[i].from)) return true;
  return false;
}

/* The same for a graph. */
static bool is_node_examined(const wend_search *s, uint32_t change) {
  const uint32_t place = change & ~CHANGED_NODE;
  wend_span in;
  if ((change & CHANGED_NODE) == 0) return is_expanded(s, place);
  if (wend_marks_has(&s->marks, place)) return true;
  in = s->graph->in[place];
  for (uint32_t arc = in.first; arc < in.end; arc++)
    if (is_expanded(s, s->graph->arc_to[arc])) return true;
  return false;
}

/* Whether a change since the search has looked last is one of what it has read, or is not known any more. */
static bool is_examined(wend_search *s) {
  wend_changes changes;
  uint32_t change;
  if (!wend_read_changes(&s->map->journal, &s->cursor, &changes)) return true;
  while (wend_next_change(&changes, &change))
    if (s->graph != NULL ? is_node_examined(s, change) : is_cell_examined(s, change)) return true;
  return false;
}

wend_status wend_edits_survive(wend_search *s) {
  wend_status status;
  if (!s->opts.survive_edits || s->passing || wend_search_turns_on(s) || s->detour.under_way || s->stepper.body > 1)
    return WEND_STALE;
  if (s->graph != NULL) {
    status = wend_graph_sync(s->graph); /* adds the edges that wait, or packs the graph */
    if (status != WEND_OK) return status;
  }
  if (!is_same_map(s) || is_examined(s)) return WEND_STALE;
  if (s->grid != NULL) { /* the arrays of the grid may lie elsewhere now */
    s->whole = wend_grid_region(s->grid);
    s->region = s->stepper.region = s->whole;
  }
  status = wend_pathfinder_holds(s);
  if (status != WEND_OK) return status;
  if (s->goals.tested) return WEND_STALE;
  if (s->ends.wanted) {
    wend_costs given;
    wend_map *map = wend_search_given(s, &given);
    status = wend_ends_hold(s, map, &given);
    if (status != WEND_OK) return status;
  }
  s->version = s->map->version;
  return WEND_OK;
}
