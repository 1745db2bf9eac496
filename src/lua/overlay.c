/* SPDX-License-Identifier: MIT */
/* wend.Overlay: changes of a map that only queries with the option `overlay` see. The core has the algorithms (src/core/overlay),
 * base/look.c the option. The methods read their arguments as those of the map do.
 *
 * The anchor of an overlay is that of its map. So the map lives as long as its overlays. An overlay cannot be changed while its
 * map is searched: it is locked with the map. */
#include "grid.h"
#include "lwend.h"

static int overlay_gc(lua_State *L) {
  lwend_overlay *o = lwend_to_overlay(L, lwend_state_of(L), 1);
  if (o == NULL) return lwend_type_error(L, 1, "self", "an overlay");
  /* Also while its map is searched: searches look at a shadow, and garbage is not found a second time. */
  wend_overlay_destroy(o->overlay);
  o->overlay = NULL;
  return 0;
}

/* ---- Checks ------------------------------------------------------------------------------------------------- */

/* Raises if the overlay or its map was freed. Returns it. */
static lwend_overlay *check_present(lua_State *L, lwend_overlay *o) {
  if (o->overlay == NULL) luaL_error(L, "the overlay is gone");
  lwend_check_alive(L, o->of);
  return o;
}

/* The overlay at 1. */
static lwend_overlay *check_self(lua_State *L) {
  lwend_overlay *o = lwend_to_overlay(L, lwend_state_of(L), 1);
  if (o == NULL) lwend_type_error(L, 1, "self", "an overlay (call it with a colon: overlay:method())");
  return check_present(L, o);
}

/* The overlay at 1, of a grid or of a graph. Raises if it is one of the other kind. */
static lwend_overlay *check_kind(lua_State *L, bool grid) {
  lwend_overlay *o = check_self(L);
  if ((o->of->grid != NULL) != grid)
    luaL_error(L, "self must be an overlay of a %s, got one of a %s", grid ? "grid" : "graph", o->of->noun);
  return o;
}

/* Raises if the overlay may not be changed now. It was checked before its arguments were read, which may have run scripts. */
static wend_overlay *check_changeable_overlay(lua_State *L, lwend_overlay *o) {
  lwend_check_editable(L, check_present(L, o)->of);
  return o->overlay;
}

/* Ends an edit. Leaves the overlay on the stack, which the method returns. */
static int end_edit(lua_State *L, wend_status status) {
  lwend_check_edited(L, status);
  lua_settop(L, 1);
  return 1;
}

/* ---- Changing ----------------------------------------------------------------------------------------------- */

static int close_places(lua_State *L, bool closed) {
  lwend_overlay *o = check_self(L);
  if (o->of->grid != NULL) {
    const lwend_rectangle r = lwend_check_rectangle(L, o->of);
    return end_edit(L, wend_overlay_close(check_changeable_overlay(L, o), r.x1, r.y1, r.x2, r.y2, closed));
  } else {
    const wend_id node = lwend_check_node(L, 2, o->of, "node");
    return end_edit(L, wend_overlay_close_node(check_changeable_overlay(L, o), node, closed));
  }
}

/* overlay:close(node), overlay:close(x, y[, x2, y2]), overlay:close(a[, b]) -> overlay */
static int overlay_close(lua_State *L) { return close_places(L, true); }
/* overlay:open(node), overlay:open(x, y[, x2, y2]), overlay:open(a[, b]) -> overlay */
static int overlay_open(lua_State *L) { return close_places(L, false); }

static int close_one_edge(lua_State *L, bool closed) {
  lwend_overlay *o = check_kind(L, false);
  const wend_id edge = lwend_check_edge(L, 2, o->of, "edge");
  return end_edit(L, wend_overlay_close_edge(check_changeable_overlay(L, o), edge, closed));
}

/* overlay:close_edge(edge) -> overlay */
static int overlay_close_edge(lua_State *L) { return close_one_edge(L, true); }
/* overlay:open_edge(edge) -> overlay */
static int overlay_open_edge(lua_State *L) { return close_one_edge(L, false); }

/* overlay:set_weight(edge, weight or nil) -> overlay; nil: the length */
static int overlay_set_weight(lua_State *L) {
  lwend_overlay *o = check_kind(L, false);
  const wend_id id = lwend_check_edge(L, 2, o->of, "edge");
  const bool measured = lua_isnoneornil(L, 3);
  const double weight = measured ? WEND_MEASURED : lwend_check_number(L, 3, "weight", 0, 1e308);
  if (measured) {
    wend_edge edge;
    lwend_check_edited(L, wend_graph_edge(o->of->graph, id, &edge));
    if (!(edge.length >= 0)) {
      const wend_id bare = wend_graph_position(o->of->graph, edge.from) == NULL ? edge.from : edge.to;
      luaL_error(L, "weight must be given: node %s has no position", lwend_push_node_text(L, o->of, bare));
    }
  }
  return end_edit(L, wend_overlay_set_weight(check_changeable_overlay(L, o), id, weight));
}

/* Sets the cells of a rectangle to the value at index `value`, and the arguments after it. */
static int set_cells(lua_State *L, lwend_overlay *o, lwend_rectangle r, int value) {
  wend_cell cell;
  if (lua_gettop(L) < value) lua_settop(L, value);
  (void)check_changeable_overlay(L, o);
  cell = lwend_check_last_value(L, value, lua_gettop(L), -1);
  return end_edit(L, wend_overlay_fill(check_changeable_overlay(L, o), r.x1, r.y1, r.x2, r.y2, cell));
}

/* overlay:set(x, y, value), overlay:set(x, y, weight or false, tag); overlay:set(cell, ...) -> overlay */
static int overlay_set(lua_State *L) {
  lwend_overlay *o = check_kind(L, true);
  lwend_rectangle r;
  wend_id cell;
  lwend_spread(L, 2, 2);
  cell = lwend_check_cell(L, 2, o->of, "x", "y") - 1;
  r.x1 = r.x2 = (uint32_t)cell % wend_grid_width(o->of->grid);
  r.y1 = r.y2 = (uint32_t)cell / wend_grid_width(o->of->grid);
  return set_cells(L, o, r, 4);
}

/* overlay:fill(x1, y1, x2, y2, value), overlay:fill(a, b, value), overlay:fill(value); value: as for overlay:set -> overlay */
static int overlay_fill(lua_State *L) {
  lwend_overlay *o = check_kind(L, true);
  lwend_rectangle r;
  const int value = lwend_check_filled(L, o->of, &r);
  return set_cells(L, o, r, value);
}

/* overlay:wall(x1, y1, x2, y2[, closed]) -> overlay */
static int overlay_wall(lua_State *L) {
  lwend_overlay *o = check_kind(L, true);
  wend_id ends[2];
  const bool closed = lwend_check_wall(L, o->of, ends);
  return end_edit(L, wend_overlay_wall(check_changeable_overlay(L, o), ends[0], ends[1], closed));
}

/* overlay:reset() -> overlay; overlay:reset(node), overlay:reset(x, y[, x2, y2]), overlay:reset(a[, b]): only there */
static int overlay_reset(lua_State *L) {
  lwend_overlay *o = check_self(L);
  if (lua_gettop(L) == 1) {
    wend_overlay_reset(check_changeable_overlay(L, o));
  } else if (o->of->grid != NULL) {
    const lwend_rectangle r = lwend_check_rectangle(L, o->of);
    wend_overlay_reset_cells(check_changeable_overlay(L, o), r.x1, r.y1, r.x2, r.y2);
  } else {
    const wend_id node = lwend_check_node(L, 2, o->of, "node");
    wend_overlay_reset_node(check_changeable_overlay(L, o), node);
  }
  lua_settop(L, 1);
  return 1;
}

/* overlay:reset_edge(edge) -> overlay */
static int overlay_reset_edge(lua_State *L) {
  lwend_overlay *o = check_kind(L, false);
  const wend_id edge = lwend_check_edge(L, 2, o->of, "edge");
  wend_overlay_reset_edge(check_changeable_overlay(L, o), edge);
  lua_settop(L, 1);
  return 1;
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

/* overlay:is_closed(node), overlay:is_closed(x, y), overlay:is_closed(cell) -> boolean */
static int overlay_is_closed(lua_State *L) {
  lwend_overlay *o = check_self(L);
  wend_id at;
  if (o->of->grid != NULL) lwend_spread(L, 2, 2);
  at = o->of->grid != NULL ? lwend_check_cell(L, 2, o->of, "x", "y") : lwend_check_node(L, 2, o->of, "node");
  lua_pushboolean(L, wend_overlay_is_closed(check_present(L, o)->overlay, o->of->map, at));
  return 1;
}

/* overlay:bytes() -> number of bytes that the overlay uses, without copies of the map */
static int overlay_bytes(lua_State *L) {
  lwend_pushwhole(L, wend_overlay_bytes(check_self(L)->overlay));
  return 1;
}

/* tostring(overlay) -> "wend.Overlay (3 changes)" */
static int overlay_tostring(lua_State *L) {
  const uint32_t count = wend_overlay_count(check_self(L)->overlay);
  lua_pushfstring(L, "wend.Overlay (%d change%s)", (int)count, count == 1 ? "" : "s");
  return 1;
}

void lwend_open_overlay(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {
      {"bytes", overlay_bytes},
      {"close", overlay_close},
      {"close_edge", overlay_close_edge},
      {"fill", overlay_fill},
      {"is_closed", overlay_is_closed},
      {"open", overlay_open},
      {"open_edge", overlay_open_edge},
      {"reset", overlay_reset},
      {"reset_edge", overlay_reset_edge},
      {"set", overlay_set},
      {"set_weight", overlay_set_weight},
      {"wall", overlay_wall},
      {NULL, NULL},
  };
  state->overlay_ref = lwend_type(L, "wend.Overlay", state, methods, overlay_gc, overlay_tostring, &state->overlay_mt);
}
