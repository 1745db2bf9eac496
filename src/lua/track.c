/* SPDX-License-Identifier: MIT */
/* The helpers of lua/wend/track.lua: tracks, the rows of their legs, and tags on the way. wend.curve and wend.follow walk along
 * tracks. lua/wend/track.lua describes tracks and rows.
 *
 * Scripts can reach the tables of a follower. So every value is read raw and checked, and a wrong one ends the call with
 * nothing. */
#include <limits.h>
#include <math.h>

#include "lwend.h"

/* ---- Tracks ------------------------------------------------------------------------------------------------- */

/* The stack slots of core_track. The first four are the arguments. */
enum {
  GIVEN = 1,
  DIMENSIONS,
  LOOP,
  INTO,
  FIELD_MAP,
  FIELD_EDGES,
  FIELD_NODES,
  FIELD_LINKS,
  FIELD_DIMENSIONS,
  TRAIL,
  TRACK,
  EDGES,
  NODES,
  JUMPS,
  LAST
};

/* Where the points of a track come from. */
typedef struct source {
  lua_State *L;
  const lwend_trail *trail; /* NULL: a list of coordinates */
  const lwend_map *g;       /* the map, if it is known */
  int dimensions;
  uint32_t count;
  uint32_t width, height; /* of the grid */
  bool portals;           /* the grid has portals */
} source;

static void push_track_field(lua_State *L, const char *name, int slot) {
  lua_pushstring(L, name);
  lua_rawget(L, GIVEN);
  lua_replace(L, slot);
}

/* Reads item i, from 1, of the list at index as a whole number. */
static bool listed_whole(lua_State *L, int index, uint32_t i, wend_id *id) {
  bool whole;
  lua_rawgeti(L, index, (int)i);
  whole = lwend_towhole(L, -1, id);
  lua_pop(L, 1);
  return whole;
}

/* lwend_towhole in one call. It also takes strings that are numbers. */
static inline bool to_axis(lua_State *L, int index, uint64_t *number) {
#if LUA_VERSION_NUM >= 503
  int whole;
  *number = (uint64_t)lua_tointegerx(L, index, &whole);
  return whole != 0;
#else
  return lwend_towhole(L, index, number) != 0;
#endif
}

/* Point i, from 0. *id: its node; cell: its column and row. false: the caller reads the points in Lua, which reports what is wrong. */
static bool read_point(const source *from, uint32_t i, double *point, wend_id *id, int64_t *cell) {
  lua_State *L = from->L;
  if (from->trail == NULL) {
    for (int d = 0; d < from->dimensions; d++) {
      bool number;
      lua_rawgeti(L, GIVEN, (int)i * from->dimensions + d + 1);
      number = lua_type(L, -1) == LUA_TNUMBER;
      point[d] = lua_tonumber(L, -1);
      lua_pop(L, 1);
      if (!number || !(point[d] >= -WEND_COORDINATE_MAX && point[d] <= WEND_COORDINATE_MAX)) return false;
    }
    return true;
  }
  if (from->g->grid != NULL) {
    uint64_t x = 0, y = 0;
    bool whole;
    lua_rawgeti(L, GIVEN, (int)(2 * i + 1));
    lua_rawgeti(L, GIVEN, (int)(2 * i + 2));
    whole = to_axis(L, -2, &x) && to_axis(L, -1, &y);
    lua_pop(L, 2);
    if (!whole || x - 1 >= from->width || y - 1 >= from->height) return false;
    lwend_to_world(&from->g->frame, (double)(x - 1) + 0.5, (double)(y - 1) + 0.5, point); /* as lwend_cell_point */
    cell[0] = (int64_t)x - 1, cell[1] = (int64_t)y - 1;
    return true;
  }
  if (!listed_whole(L, GIVEN, i + 1, id) || !wend_graph_has_node(from->g->graph, *id)) return false;
  {
    const double *position = wend_graph_position(from->g->graph, *id);
    if (position == NULL) return false;
    for (int d = 0; d < from->dimensions; d++) point[d] = position[d];
  }
  return true;
}

static inline void set_slot(lua_State *L, uint32_t slot, int dimensions, double at, const double *point) {
  const int first = (int)(slot - 1) * (dimensions + 1) + 1;
  lua_pushnumber(L, at);
  lua_rawseti(L, TRACK, first);
  lua_pushnumber(L, point[0]);
  lua_rawseti(L, TRACK, first + 1);
  lua_pushnumber(L, point[1]);
  lua_rawseti(L, TRACK, first + 2);
  if (dimensions == 2) return;
  lua_pushnumber(L, point[2]);
  lua_rawseti(L, TRACK, first + 3);
}

/* Sets item i of the list at index to an id, or to false. */
static void set_id(lua_State *L, int index, uint32_t i, wend_id id) {
  if (id == WEND_NO_ID) lua_pushboolean(L, 0);
  else lwend_pushwhole(L, id);
  lua_rawseti(L, index, (int)i);
}

/* Whether leg i, from 1, of a list of points is a link. */
static bool is_listed_link(lua_State *L, uint32_t i) {
  bool link;
  if (!lua_istable(L, FIELD_LINKS)) return false;
  lua_rawgeti(L, FIELD_LINKS, (int)i);
  link = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  return link;
}

/* Takes the nodes of a route whose position is the point. *next: the number of nodes that were taken. The last of them. */
static wend_id take_node(const source *from, const double *point, uint32_t *next) {
  wend_id taken = WEND_NO_ID, node;
  for (;;) {
    const double *position;
    int same = 0;
    if (!listed_whole(from->L, FIELD_NODES, *next + 1, &node) || !wend_graph_has_node(from->g->graph, node)) return taken;
    position = wend_graph_position(from->g->graph, node);
    while (position != NULL && same < from->dimensions && position[same] == point[same]) same++;
    if (same < from->dimensions) return taken;
    taken = node;
    ++*next;
  }
}

/* Whether the way between two cells of a path is a link. a, b: their columns and rows, from 0. */
static inline bool is_jump(const source *from, const int64_t *a, const int64_t *b) {
  const int64_t dx = b[0] - a[0], dy = b[1] - a[1];
  const bool neighbours = dx * dx <= 1 && dy * dy <= 1;
  if (!from->portals) return !neighbours && !from->trail->age.straight;
  return wend_grid_is_jump(from->g->grid, wend_grid_cell(from->g->grid, (uint32_t)a[0], (uint32_t)a[1]),
                           wend_grid_cell(from->g->grid, (uint32_t)b[0], (uint32_t)b[1]), from->trail->age.straight);
}

/* Fills the tables at TRACK, EDGES, NODES, JUMPS. Allocates nothing that may run a script. false: a point cannot be read. */
static bool fill(const source *from, bool loop, double *length, uint32_t *moving, bool *jumps) {
  lua_State *L = from->L;
  const uint32_t count = from->count + (loop && from->count > 1 ? 1 : 0);
  const bool graph = from->g != NULL && from->g->graph != NULL;
  double point[3] = {0, 0, 0}, before[3] = {0, 0, 0};
  double step[3] = {0, 0, 0}, distance = 0; /* the last leg, because many are equal */
  wend_id id = WEND_NO_ID;
  int64_t cell[2] = {0, 0}, cell_before[2] = {0, 0};
  uint32_t nodes = 0;
  *length = 0, *moving = 0, *jumps = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!read_point(from, i < from->count ? i : 0, point, &id, cell)) return false;
    if (i > 0) {
      const bool given = i < from->count;
      bool jump = given && is_listed_link(L, i);
      double leg;
      if (given && from->trail != NULL && from->g->grid != NULL) jump = is_jump(from, cell_before, cell);
      if (jump) {
        lua_pushboolean(L, 1);
        lua_rawseti(L, JUMPS, (int)i);
        *jumps = true;
      }
      if (!(point[0] - before[0] == step[0] && point[1] - before[1] == step[1] && point[2] - before[2] == step[2])) {
        for (int d = 0; d < 3; d++) step[d] = point[d] - before[d];
        distance = wend_curve_distance(before, point);
      }
      leg = jump ? 0 : distance;
      *length += leg;
      if (leg > 0) ++*moving;
      if (!lua_isnil(L, EDGES)) {
        wend_id edge = WEND_NO_ID;
        if (!given) edge = WEND_NO_ID;
        else if (from->trail != NULL) edge = i <= from->trail->count ? from->trail->edges[i - 1] : WEND_NO_ID;
        else if (!listed_whole(L, FIELD_EDGES, i, &edge)) edge = WEND_NO_ID;
        set_id(L, EDGES, i, edge);
      }
    }
    if (!lua_isnil(L, NODES))
      set_id(L, NODES, i + 1,
             i >= from->count      ? WEND_NO_ID
             : from->trail != NULL ? id
             : graph               ? take_node(from, point, &nodes)
                                   : WEND_NO_ID);
    set_slot(L, i + 2, from->dimensions, *length, point);
    for (int d = 0; d < 3; d++) before[d] = point[d];
    cell_before[0] = cell[0], cell_before[1] = cell[1];
  }
  return true;
}

static void set_track_field(lua_State *L, const char *name, int slot) {
  lua_pushstring(L, name);
  lua_pushvalue(L, slot);
  lua_rawset(L, TRACK);
}

static void set_track_number(lua_State *L, const char *name, double value, bool whole) {
  lua_pushstring(L, name);
  if (whole) lwend_pushwhole(L, (uint64_t)value);
  else lua_pushnumber(L, value);
  lua_rawset(L, TRACK);
}

/* The table in the field `name` of the track to reuse, or a new one; at slot. */
static void push_track_list(lua_State *L, const char *name, int slot, uint32_t count) {
  if (lua_istable(L, INTO)) {
    lua_pushstring(L, name);
    lua_rawget(L, INTO);
    lua_replace(L, slot);
  }
  if (lua_istable(L, slot)) return;
  lua_createtable(L, (int)count, 0);
  lua_replace(L, slot);
}

/* Sets the field jump_pool of the track at index to the table at JUMPS, or to nil. */
static void set_jump_pool(lua_State *L, int index, bool keep) {
  lua_pushliteral(L, "jump_pool");
  if (keep) lua_pushvalue(L, JUMPS);
  else lua_pushnil(L);
  lua_rawset(L, index);
}

/* The jump_pool of the track to reuse is empty, unless that track has jumps: then it gives it up. */
static void drop_full_pool(lua_State *L) {
  bool full;
  if (!lua_istable(L, INTO)) return;
  lua_pushliteral(L, "jumps");
  lua_rawget(L, INTO);
  full = !lua_isnil(L, -1);
  lua_pop(L, 1);
  if (full) set_jump_pool(L, INTO, false);
}

/* track(points, dimensions, loop, into) -> track; nothing: Lua reads the points. dimensions: 2, 3 or nil. into: a track to
 * fill, or nil. A finalizer may change the points while this allocates: so it allocates first, and then reads. */
static int track(lua_State *L) {
  const lwend_state *state = lwend_state_of(L);
  source from = {L, NULL, NULL, 0, 0, 0, 0, false};
  uint64_t dimensions = 0;
  size_t length;
  uint32_t room, moving;
  double total;
  bool jumps, listed;
  lua_settop(L, INTO);
  lwend_check_stack(L, LAST + LUA_MINSTACK);
  lua_settop(L, LAST);
  if (!lua_istable(L, GIVEN)) return 0;
  push_track_field(L, "points", FIELD_MAP);
  if (!lua_isnil(L, FIELD_MAP)) return 0;
  push_track_field(L, "map", FIELD_MAP);
  push_track_field(L, "edges", FIELD_EDGES);
  push_track_field(L, "nodes", FIELD_NODES);
  push_track_field(L, "links", FIELD_LINKS);
  push_track_field(L, "dimensions", FIELD_DIMENSIONS);
  push_track_field(L, "trail", TRAIL);
  listed = !lua_getmetatable(L, GIVEN);
  if (!listed && lua_topointer(L, -1) != state->path_mt) return 0;
  lua_settop(L, LAST);
  /* How many dimensions? */
  from.g = lwend_tomap(L, FIELD_MAP);
  if (!listed) {
    from.trail = lwend_toobject(L, TRAIL, state->trail_mt);
    if (from.trail == NULL || from.trail->map == NULL || from.trail->map != from.g || from.g->map == NULL) return 0;
    if (!lua_isnil(L, FIELD_DIMENSIONS)) return 0;
    dimensions = from.g->graph != NULL ? (uint64_t)wend_graph_dimensions(from.g->graph) : 2;
  } else if (!lua_isnil(L, FIELD_DIMENSIONS)) {
    if (!lwend_towhole(L, FIELD_DIMENSIONS, &dimensions)) return 0;
  } else if (lua_isnil(L, DIMENSIONS)) {
    dimensions = 2;
  }
  if (!lua_isnil(L, DIMENSIONS)) {
    uint64_t wanted;
    if (!lwend_towhole(L, DIMENSIONS, &wanted) || (dimensions != 0 && wanted != dimensions)) return 0;
    dimensions = wanted;
  }
  if (dimensions != 2 && dimensions != 3) return 0;
  from.dimensions = (int)dimensions;
  /* Allocate. */
  length = lua_rawlen(L, GIVEN);
  if (length >= INT_MAX / 8) return 0;
  room = (uint32_t)length + 3;
  if (lua_istable(L, INTO)) {
    lua_pushvalue(L, INTO);
  } else {
    const uint32_t points = (uint32_t)length / (listed || from.g->grid != NULL ? (listed ? (uint32_t)dimensions : 2) : 1);
    lua_createtable(L, (int)(points + 2) * (from.dimensions + 1), 16);
  }
  lua_replace(L, TRACK);
  if (listed ? lua_istable(L, FIELD_EDGES) : from.g->graph != NULL) push_track_list(L, "edge_pool", EDGES, room);
  if (listed ? lua_istable(L, FIELD_NODES) : from.g->graph != NULL) push_track_list(L, "node_pool", NODES, room);
  drop_full_pool(L);
  if (lua_istable(L, FIELD_LINKS) || (!listed && from.g->grid != NULL)) push_track_list(L, "jump_pool", JUMPS, 0);
  set_track_number(L, "dimensions", from.dimensions,
                   true); /* the keys exist from here on, so that setting them allocates nothing */
  /* Check again, and read. */
  length = lua_rawlen(L, GIVEN);
  if (from.g != NULL && from.g->map == NULL) {
    if (!listed) return 0;
    from.g = NULL;
  }
  if (from.trail != NULL && from.trail->map != from.g) return 0;
  if (listed && length % dimensions != 0) return 0;
  from.count = (uint32_t)length / (listed ? (uint32_t)dimensions : from.g->grid != NULL ? 2 : 1);
  if (from.count == 0 || from.count >= INT_MAX / 8) return 0;
  if (from.trail != NULL && from.g->grid != NULL) {
    wend_id a = WEND_NO_ID, b = WEND_NO_ID;
    from.width = wend_grid_width(from.g->grid), from.height = wend_grid_height(from.g->grid);
    from.portals = wend_grid_next_portal(from.g->grid, &a, &b);
  }
  if (!fill(&from, lua_toboolean(L, LOOP) != 0, &total, &moving, &jumps)) {
    set_jump_pool(L, TRACK, false); /* it may hold jumps already */
    return 0;
  }
  if (!lua_isnil(L, JUMPS)) set_jump_pool(L, TRACK, true);
  if (!jumps) {
    lua_pushnil(L);
    lua_replace(L, JUMPS);
  }
  set_track_number(L, "count", from.count + (lua_toboolean(L, LOOP) && from.count > 1 ? 1 : 0), true);
  set_track_number(L, "moving", moving, true);
  set_track_number(L, "length", total, false);
  if (!lua_isnil(L, EDGES)) set_track_field(L, "edge_pool", EDGES);
  if (!lua_isnil(L, NODES)) set_track_field(L, "node_pool", NODES);
  set_track_field(L, "edges", EDGES);
  set_track_field(L, "nodes", NODES);
  set_track_field(L, "jumps", JUMPS);
  if (from.g == NULL) {
    lua_pushnil(L);
    lua_replace(L, FIELD_MAP);
  }
  set_track_field(L, "map", FIELD_MAP);
  lua_pushvalue(L, TRACK);
  return 1;
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

/* The arguments of core_row. */
enum {
  ROW = 1,
  HEADINGS,
  ROW_TRACK,
  FIRST,
  SLOT,
  LAST_SLOT,
  ROW_DIMENSIONS,
  KIND,
  SPACING,
  AT,
  HEADING,
  ROW_LOOP,
  ROW_JUMPS,
  LEAD_X,
  LEAD_Y,
  LEAD_Z,
  LEAD_REACH,
  ROW_END
};

/* The legs of a track, by slot: the leg at a slot leads to the next slot. */
typedef struct legs {
  lua_State *L;
  int dimensions;
  int64_t first, last; /* the first and the last slot: the last is an end */
  bool loop;           /* the legs from slot 2 on are a loop */
} legs;

static bool read_slot(const legs *t, int64_t slot, double *point) {
  bool valid = true;
  point[2] = 0;
  for (int d = 0; d < t->dimensions; d++) {
    lua_rawgeti(t->L, ROW_TRACK, (int)((slot - 1) * (t->dimensions + 1)) + 2 + d);
    valid = valid && lua_type(t->L, -1) == LUA_TNUMBER;
    point[d] = lua_tonumber(t->L, -1);
    lua_pop(t->L, 1);
  }
  return valid;
}

typedef enum leg_sort { LEG_NONE, LEG_MOVES, LEG_ENDS } leg_sort; /* of length 0; a leg; the curve ends there */

/* The leg at a slot, as a vector. */
static leg_sort read_leg(const legs *t, int64_t slot, double *vector) {
  double from[3], to[3];
  if (!lua_isnil(t->L, ROW_JUMPS)) {
    bool jump;
    lua_rawgeti(t->L, ROW_JUMPS, (int)(slot - 1));
    jump = lua_toboolean(t->L, -1) != 0;
    lua_pop(t->L, 1);
    if (jump) return LEG_ENDS;
  }
  if (!read_slot(t, slot, from) || !read_slot(t, slot + 1, to)) return LEG_ENDS;
  for (int d = 0; d < 3; d++) vector[d] = to[d] - from[d];
  return wend_curve_distance(from, to) > 0 ? LEG_MOVES : LEG_NONE;
}

/* The nearest leg of length > 0 before or after the leg at a slot. */
static leg_sort find_leg(const legs *t, int64_t slot, int step, double *vector) {
  const bool loop = t->loop && (step > 0 || slot >= 2);
  const int64_t least = t->loop && slot >= 2 ? 2 : t->first;
  leg_sort sort = LEG_NONE;
  int64_t at = slot;
  for (int64_t tried = t->first; tried <= t->last && sort == LEG_NONE; tried++) {
    at += step;
    if (at < least || at >= t->last) {
      if (!loop) return LEG_NONE;
      at = step > 0 ? 2 : t->last - 1;
    }
    sort = read_leg(t, at, vector);
  }
  return sort;
}

/* The tangents of the leg at a slot. */
static void find_tangents(const legs *t, int64_t slot, wend_curve_kind kind, const double *leg, double *leave, double *arrive) {
  double before[3], after[3];
  const leg_sort sort = find_leg(t, slot, -1, before);
  for (int d = 0; d < 3; d++) leave[d] = arrive[d] = leg[d];
  if (sort == LEG_MOVES) {
    wend_curve_tangent(kind, before, leg, leg, leave);
  } else if (sort == LEG_NONE && lua_type(t->L, LEAD_X) == LUA_TNUMBER && !(t->loop && slot >= 2)) {
    const double origin[3] = {0, 0, 0}, reach = lua_tonumber(t->L, LEAD_REACH), length = wend_curve_distance(origin, leg);
    const double scale = length < reach ? length : reach;
    for (int d = 0; d < 3; d++) leave[d] = lua_tonumber(t->L, LEAD_X + d) * scale;
  }
  if (find_leg(t, slot, 1, after) != LEG_MOVES) return;
  if (t->loop && slot < 2) { /* from outside into the loop: in the direction in which the last leg comes back */
    if (find_leg(t, 2, -1, before) == LEG_MOVES) wend_curve_tangent(kind, before, after, leg, arrive);
  } else {
    wend_curve_tangent(kind, leg, after, leg, arrive);
  }
}

/* The state of a row that is written. */
typedef struct row {
  lua_State *L;
  int dimensions, written; /* the number of points written */
  double at, heading, before[3];
} row;

static void put_point(row *r, const double *point, const double *direction) {
  const int first = r->written * (r->dimensions + 1) + 1;
  if (r->written > 0) r->at += wend_curve_distance(r->before, point);
  if (direction[0] != 0 || direction[1] != 0) r->heading = atan2(direction[1], direction[0]);
  lua_pushnumber(r->L, r->at);
  lua_rawseti(r->L, ROW, first);
  for (int d = 0; d < r->dimensions; d++) {
    lua_pushnumber(r->L, point[d]);
    lua_rawseti(r->L, ROW, first + 1 + d);
  }
  for (int d = 0; d < 3; d++) r->before[d] = point[d];
  lua_pushnumber(r->L, r->heading);
  lua_rawseti(r->L, HEADINGS, ++r->written);
}

/* row(row, headings, track, first, slot, last, dimensions, kind, spacing, at, heading, loop, jumps, dx, dy, dz, reach)
 *   -> number of chords
 * Fills row and headings with the leg at a slot, which begins at the distance `at`. kind: 0 (straight), 1 (catmull_rom), 2
 * (hermite). heading: before the leg. dx, dy, dz, reach: the direction in which the track begins, or nil. Nothing: a value is
 * invalid. */
static int make_row(lua_State *L) {
  legs t = {L, 2, 0, 0, false};
  row r = {L, 2, 0, 0, 0, {0, 0, 0}};
  uint64_t first, slot, last, dimensions, kind;
  double from[3], to[3], leg[3], leave[3], arrive[3];
  double spacing;
  lua_settop(L, ROW_END - 1);
  if (!lua_istable(L, ROW) || !lua_istable(L, HEADINGS) || !lua_istable(L, ROW_TRACK)) return 0;
  if (!lwend_towhole(L, FIRST, &first) || !lwend_towhole(L, SLOT, &slot) || !lwend_towhole(L, LAST_SLOT, &last)) return 0;
  if (!lwend_towhole(L, ROW_DIMENSIONS, &dimensions) || !lwend_towhole(L, KIND, &kind)) return 0;
  if (first < 1 || slot < first || slot >= last || last >= INT_MAX / 8 || dimensions < 2 || dimensions > 3 || kind > 2)
    return 0;
  if (!lua_isnil(L, ROW_JUMPS) && !lua_istable(L, ROW_JUMPS)) return 0;
  spacing = lua_tonumber(L, SPACING);
  t.dimensions = r.dimensions = (int)dimensions;
  t.first = (int64_t)first, t.last = (int64_t)last;
  t.loop = lua_toboolean(L, ROW_LOOP) != 0;
  r.at = lua_tonumber(L, AT), r.heading = lua_tonumber(L, HEADING);
  if (!read_slot(&t, (int64_t)slot, from) || !read_slot(&t, (int64_t)slot + 1, to)) return 0;
  for (int d = 0; d < 3; d++) leg[d] = to[d] - from[d];
  if (kind == 0 || read_leg(&t, (int64_t)slot, leg) != LEG_MOVES) {
    put_point(&r, from, leg);
    put_point(&r, to, leg);
  } else {
    double point[3], slope[3];
    wend_curve curve;
    find_tangents(&t, (int64_t)slot, kind == 1 ? WEND_CATMULL_ROM : WEND_HERMITE, leg, leave, arrive);
    curve = wend_curve_begin(from, leave, to, arrive, spacing);
    while (wend_curve_next(&curve, point, slope)) put_point(&r, point, slope[0] != 0 || slope[1] != 0 ? slope : leg);
  }
  lwend_pushwhole(L, (uint64_t)r.written - 1);
  return 1;
}

/* ---- Tags on the way ---------------------------------------------------------------------------------------- */

/* The cell at a point of the world. WEND_NO_ID: the point is outside. */
static wend_id cell_at(const lwend_map *g, double x, double y) {
  const double point[2] = {x, y};
  double cells[2];
  lwend_point_in_cells(g, point, cells);
  if (!(cells[0] >= 0 && cells[1] >= 0 && cells[0] < wend_grid_width(g->grid) && cells[1] < wend_grid_height(g->grid)))
    return WEND_NO_ID;
  return wend_grid_cell(g->grid, (uint32_t)cells[0], (uint32_t)cells[1]);
}

static int push_cell_tag(lua_State *L, const lwend_map *g, double x, double y) {
  const wend_id cell = cell_at(g, x, y);
  if (cell == WEND_NO_ID) return 0;
  lwend_push_tag(L, 1, wend_grid_get(g->grid, cell).tag);
  return 1;
}

/* tag(graph, edge), tag(grid, x, y), tag(grid, x1, y1, x2, y2): the tag of an edge, of the cell at a point, or of the link
 * between the cells at two points. Nothing: there is no tag, or no such thing any more. Never raises. */
static int tag_of(lua_State *L) {
  const lwend_map *g;
  lua_settop(L, 5);
  g = lwend_tomap(L, 1);
  if (g == NULL || g->map == NULL) return 0;
  if (g->graph != NULL) {
    wend_id id;
    wend_edge edge;
    if (!lwend_towhole(L, 2, &id) || !wend_graph_has_edge(g->graph, id)) return 0;
    if (wend_graph_edge(g->graph, id, &edge) != WEND_OK) return 0;
    lwend_push_tag(L, 1, edge.tag);
    return 1;
  }
  if (!lua_isnil(L, 4)) {
    const wend_id from = cell_at(g, lua_tonumber(L, 2), lua_tonumber(L, 3));
    const wend_id to = cell_at(g, lua_tonumber(L, 4), lua_tonumber(L, 5));
    double weight;
    uint32_t tag;
    if (from == WEND_NO_ID || to == WEND_NO_ID || !wend_grid_find_portal(g->grid, from, to, &weight, &tag)) return 0;
    lwend_push_tag(L, 1, tag);
    return 1;
  }
  return push_cell_tag(L, g, lua_tonumber(L, 2), lua_tonumber(L, 3));
}

/* A border nearer than this, in cells, counts as passed: a walker on it is in the cell that it enters. */
#define BORDER 1e-9

/* The distance from `at`, in cells along an axis, to the next border in the direction of `unit` per unit of way. */
static double to_border(double at, double unit) {
  double border;
  if (unit == 0) return INFINITY;
  border = unit > 0 ? floor(at + BORDER) + 1 : ceil(at - BORDER) - 1;
  return (border - at) / unit;
}

/* piece(grid, x, y, dx, dy, most) -> way, tag: how far one who is at a point and walks in a direction stays in the cell, at
 * most `most`; and the tag of that cell. dx, dy: per unit of way. Nothing: the map is not a grid any more. */
static int piece(lua_State *L) {
  const lwend_map *g;
  double point[2], cells[2], step[2], dx, dy, most, x, y, way;
  lua_settop(L, 6);
  g = lwend_tomap(L, 1);
  if (g == NULL || g->grid == NULL) return 0;
  point[0] = lua_tonumber(L, 2), point[1] = lua_tonumber(L, 3);
  dx = lua_tonumber(L, 4), dy = lua_tonumber(L, 5), most = lua_tonumber(L, 6);
  lwend_point_in_cells(g, point, cells);
  lwend_vector_in_cells(&g->frame, dx, dy, step);
  x = to_border(cells[0], step[0]), y = to_border(cells[1], step[1]);
  way = x < y ? x : y;
  if (!(way < most)) way = most;
  lua_pushnumber(L, way);
  return 1 + push_cell_tag(L, g, point[0] + dx * way / 2, point[1] + dy * way / 2);
}

/* core.tracks() -> track, row, tag, piece. Works once. */
int lwend_core_tracks(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  static const lua_CFunction functions[] = {track, make_row, tag_of, piece};
  enum { COUNT = sizeof functions / sizeof *functions };
  if (state->tracks_taken) luaL_error(L, "the functions of tracks are taken: load wend.core anew as well");
  state->tracks_taken = true;
  lwend_check_stack(L, COUNT + LUA_MINSTACK);
  for (int i = 0; i < COUNT; i++) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, state);
    lua_pushcclosure(L, functions[i], 1);
  }
  return COUNT;
}
