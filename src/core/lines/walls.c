/* SPDX-License-Identifier: MIT */
/* Walls of the free plane (segments, circles, polygons), and whether a line is clear of all of them.
 *
 *   slots    the ids of walls
 *   walls    a stored_wall for each slot; its coordinates are in `numbers`
 *   pieces   the items of the R-tree: a segment or a side of a polygon, a circle, the area of a polygon
 *
 *        polygon of 3 sides           4 pieces: its sides 0, 1 and 2, and its area, whose box is around all of it.
 *             /\                      A line that touches the polygon touches a side, or lies inside the area; then its first
 *            /__\                     end lies inside too, and only that end is tested.
 *
 * The invariant: piece i is item i of the tree, unless its wall was removed. Numbers and pieces lie in the order in which the
 * walls were added. Adding and removing keep a tree that is ready up to date. The first question, and one after many changes,
 * builds it. Removed walls leave their numbers and pieces behind, until these are more than the ones in use. Then both
 * are packed, which gives pieces new numbers, so the tree is built again.
 *
 * An example: the line from a (0,0) to b (4,4), and the segment from p (0,4) to q (4,0).
 *
 *        p . b        orientation(a, b, p) =  16: p is left of the line        orientation(p, q, a) = -16: a is right of pq
 *        . x .        orientation(a, b, q) = -16: q is right of it             orientation(p, q, b) =  16: b is left of it
 *        a . q        Both pairs lie on different sides, so the two cross.
 *
 * With a radius, a line also hits a segment if an end of one is within the radius of the other. The line from (5,0) to (5,4) is
 * clear of a square with corners (0,0) and (4,4) at radius 0.5, and not clear at radius 1: what touches is not clear. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/space/rtree.h"
#include "core/lines/walls.h"

WEND_NO_FUSING

typedef struct stored_wall {
  wend_wall_kind kind;
  uint32_t first, count; /* of its numbers */
  uint32_t first_piece;
} stored_wall;

typedef struct piece {
  uint32_t wall; /* its slot; WEND_NONE: it was removed */
  uint32_t side; /* of a polygon; WEND_NONE: the area. Else 0 */
} piece;

struct wend_walls {
  wend_alloc alloc;
  wend_slots slots; /* their values are not used */
  stored_wall *walls;
  double *numbers;
  piece *pieces;
  uint32_t capacity, numbers_count, numbers_capacity, pieces_count, pieces_capacity;
  uint32_t live_pieces; /* those of walls that were not removed */
  uint64_t version;
  wend_rtree index;
};

wend_walls *wend_walls_create(const wend_alloc *alloc) { return wend_new(alloc, sizeof(wend_walls)); }

static const wend_array walls_rows[] = {
    WEND_ARRAY(wend_walls, walls, capacity, 1),
    WEND_ARRAY(wend_walls, numbers, numbers_capacity, 1),
    WEND_ARRAY(wend_walls, pieces, pieces_capacity, 1),
};
static const wend_arrays walls_arrays = WEND_ARRAYS(walls_rows);

void wend_walls_destroy(wend_walls *walls) {
  if (walls == NULL) return;
  wend_slots_free(&walls->slots, &walls->alloc);
  wend_arrays_free(walls_arrays, 1, &walls->alloc, walls);
  wend_rtree_free(&walls->index, &walls->alloc);
  wend_delete(walls, sizeof *walls);
}

uint32_t wend_walls_count(const wend_walls *walls) { return walls->slots.live; }

uint64_t wend_walls_version(const wend_walls *walls) { return walls->version; }

bool wend_walls_has(const wend_walls *walls, wend_id id) { return wend_slots_find(&walls->slots, id) != WEND_NONE; }

wend_id wend_walls_next(const wend_walls *walls, wend_id id) { return wend_slots_next(&walls->slots, id); }

/* The wall in a slot. */
static wend_wall get_wall(const wend_walls *walls, uint32_t slot) {
  const stored_wall *stored = &walls->walls[slot];
  wend_wall wall;
  wall.kind = stored->kind;
  wall.count = stored->count;
  wall.numbers = walls->numbers + stored->first;
  return wall;
}

wend_wall wend_walls_get(const wend_walls *walls, wend_id id) {
  assert(wend_walls_has(walls, id));
  return get_wall(walls, wend_slots_find(&walls->slots, id));
}

size_t wend_walls_bytes(const wend_walls *walls) {
  return sizeof *walls + wend_arrays_bytes(walls_arrays, 1, walls) + wend_slots_bytes(&walls->slots) +
         wend_rtree_bytes(&walls->index);
}

/* ---- Pieces ------------------------------------------------------------------------------------------------ */

/* The ends of a segment, or of a side of a polygon. The last side ends at the first corner. */
static void side_of(const wend_wall *wall, uint32_t side, const double **p, const double **q) {
  *p = wall->numbers + 2 * (size_t)side;
  *q = 2 * ((size_t)side + 1) < wall->count ? *p + 2 : wall->numbers;
}

/* Makes a box large enough for a point. */
static void extend_box(wend_box *box, double x, double y) {
  if (x < box->low[0]) box->low[0] = x;
  if (x > box->high[0]) box->high[0] = x;
  if (y < box->low[1]) box->low[1] = y;
  if (y > box->high[1]) box->high[1] = y;
}

/* The box around a piece. */
static wend_box box_of_piece(const wend_walls *walls, piece one) {
  const wend_wall wall = get_wall(walls, one.wall);
  const double *n = wall.numbers;
  wend_box box = {{n[0], n[1], 0}, {n[0], n[1], 0}};
  if (wall.kind == WEND_CIRCLE) {
    extend_box(&box, n[0] - n[2], n[1] - n[2]);
    extend_box(&box, n[0] + n[2], n[1] + n[2]);
  } else if (one.side == WEND_NONE) {
    for (uint32_t i = 2; i < wall.count; i += 2) extend_box(&box, n[i], n[i + 1]);
  } else {
    const double *p, *q;
    side_of(&wall, one.side, &p, &q);
    box.low[0] = box.high[0] = p[0];
    box.low[1] = box.high[1] = p[1];
    extend_box(&box, q[0], q[1]);
  }
  return box;
}

/* The number of pieces of a wall. */
static uint32_t pieces_of(wend_wall_kind kind, uint32_t count) { return kind == WEND_POLYGON ? count / 2 + 1 : 1; }

/* Makes room for a wall in a slot. False: no memory. */
static bool room_for_wall(wend_walls *walls, wend_wall wall, uint32_t slot) {
  const uint32_t pieces = pieces_of(wall.kind, wall.count);
  return WEND_GROW(&walls->alloc, walls->walls, walls->capacity, (uint64_t)slot + 1) &&
         WEND_GROW(&walls->alloc, walls->numbers, walls->numbers_capacity, (uint64_t)walls->numbers_count + wall.count) &&
         WEND_GROW(&walls->alloc, walls->pieces, walls->pieces_capacity, (uint64_t)walls->pieces_count + pieces);
}

/* Stores a wall in a slot that is in use. There is room for it. */
static void store_wall(wend_walls *walls, wend_wall wall, uint32_t slot) {
  const uint32_t pieces = pieces_of(wall.kind, wall.count);
  const stored_wall stored = {wall.kind, walls->numbers_count, wall.count, walls->pieces_count};
  memcpy(walls->numbers + walls->numbers_count, wall.numbers, wall.count * sizeof *wall.numbers);
  walls->numbers_count += wall.count;
  walls->walls[slot] = stored;
  for (uint32_t i = 0; i < pieces; i++) {
    piece one = {slot, wall.kind == WEND_POLYGON && i + 1 == pieces ? WEND_NONE : i};
    wend_box box = box_of_piece(walls, one);
    walls->pieces[walls->pieces_count] = one;
    wend_rtree_insert(&walls->index, &walls->alloc, walls->pieces_count++, &box);
  }
  walls->live_pieces += pieces;
  walls->version++;
}

wend_status wend_walls_add(wend_walls *walls, wend_wall wall, wend_id *id) {
  uint32_t slot;
  assert(wall.count >= (wall.kind == WEND_POLYGON ? 6u : wall.kind == WEND_CIRCLE ? 3u : 4u));
  if (!wend_slots_reserve(&walls->slots, &walls->alloc, 1) || !room_for_wall(walls, wall, walls->slots.reserved))
    return WEND_NO_MEMORY;
  slot = wend_slots_take(&walls->slots, 1, 0);
  store_wall(walls, wall, slot);
  if (id != NULL) *id = wend_slots_id(&walls->slots, slot);
  return WEND_OK;
}

wend_slots *wend_walls_slots(wend_walls *walls) { return &walls->slots; }

const wend_slots *wend_walls_ids(const wend_walls *walls) { return &walls->slots; }

const wend_alloc *wend_walls_alloc(const wend_walls *walls) { return &walls->alloc; }

wend_status wend_walls_restore(wend_walls *walls, wend_wall wall, uint32_t slot) {
  if (slot >= walls->slots.count || walls->slots.value[slot] != WEND_NONE) return WEND_FORMAT;
  if (!room_for_wall(walls, wall, slot)) return WEND_NO_MEMORY;
  if (!wend_slots_revive(&walls->slots, slot, 0)) return WEND_FORMAT;
  store_wall(walls, wall, slot);
  return WEND_OK;
}

/* Moves the numbers and pieces that are in use to the front of their arrays. */
static void pack_walls(wend_walls *walls) {
  uint32_t numbers = 0, pieces = 0;
  for (uint32_t i = 0; i < walls->pieces_count; i++) {
    const uint32_t slot = walls->pieces[i].wall;
    if (slot == WEND_NONE) continue;
    if (walls->walls[slot].first_piece == i) { /* the first piece of a wall: its numbers move as well */
      stored_wall *stored = &walls->walls[slot];
      memmove(walls->numbers + numbers, walls->numbers + stored->first, stored->count * sizeof *walls->numbers);
      stored->first = numbers;
      stored->first_piece = pieces;
      numbers += stored->count;
    }
    walls->pieces[pieces++] = walls->pieces[i];
  }
  walls->numbers_count = numbers;
  walls->pieces_count = pieces;
  walls->index.ready = false;
}

wend_status wend_walls_remove(wend_walls *walls, wend_id id) {
  const uint32_t slot = wend_slots_find(&walls->slots, id);
  const stored_wall *stored;
  uint32_t pieces;
  assert(slot != WEND_NONE);
  if (!wend_slots_ready(&walls->slots, &walls->alloc)) return WEND_NO_MEMORY;
  stored = &walls->walls[slot];
  pieces = pieces_of(stored->kind, stored->count);
  for (uint32_t i = stored->first_piece; i < stored->first_piece + pieces; i++) {
    const wend_box box = box_of_piece(walls, walls->pieces[i]);
    wend_rtree_remove(&walls->index, i, &box);
  }
  for (uint32_t i = stored->first_piece; i < stored->first_piece + pieces; i++) walls->pieces[i].wall = WEND_NONE;
  wend_slots_remove(&walls->slots, slot);
  walls->live_pieces -= pieces;
  walls->version++;
  if (walls->pieces_count / 2 > walls->live_pieces) pack_walls(walls);
  return WEND_OK;
}

/* Builds the tree unless it is ready. */
static wend_status build(wend_walls *walls) {
  if (WEND_LIKELY(walls->index.ready)) return WEND_OK;
  if (!wend_rtree_begin(&walls->index, &walls->alloc, 2, walls->live_pieces)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < walls->pieces_count; i++) {
    wend_box box;
    if (walls->pieces[i].wall == WEND_NONE) continue;
    box = box_of_piece(walls, walls->pieces[i]);
    wend_rtree_collect(&walls->index, i, &box);
  }
  return wend_rtree_finish(&walls->index, &walls->alloc) ? WEND_OK : WEND_NO_MEMORY;
}

/* ---- Hits -------------------------------------------------------------------------------------------------- */

/* The orientation of a point: on which side of the line from a to b it is. > 0: left, < 0: right, 0: on it (with y upwards;
 * with y downwards left and right change places). It is rounded the same way for both sides that meet in a corner, so no line
 * passes between them. */
static double orientation(const double *a, const double *b, const double *p) {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

/* Whether the range between a and b and the range between c and d have a point in common. */
static bool overlap(double a, double b, double c, double d) {
  return (a < b ? a : b) <= (c < d ? d : c) && (c < d ? c : d) <= (a < b ? b : a);
}

/* Whether the segments a-b and p-q have a point in common. If all four points are on one line, the ranges decide. */
static bool cross(const double *a, const double *b, const double *p, const double *q) {
  const double sp = orientation(a, b, p), sq = orientation(a, b, q), sa = orientation(p, q, a), sb = orientation(p, q, b);
  if ((sp > 0 && sq > 0) || (sp < 0 && sq < 0) || (sa > 0 && sb > 0) || (sa < 0 && sb < 0)) return false;
  return overlap(a[0], b[0], p[0], q[0]) && overlap(a[1], b[1], p[1], q[1]);
}

/* The distance of a point from the segment from a to b. It is as exact as the products of coordinates: it is rounded only if
 * they are, and by the square root and the division. */
static double distance_to(const double *p, const double *a, const double *b) {
  const double dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
  const double along = (p[0] - a[0]) * dx + (p[1] - a[1]) * dy;
  const double *end = along <= 0 ? a : b;
  if (along > 0 && along < length) return fabs(orientation(a, b, p)) / wend_sqrt(length);
  return wend_sqrt((end[0] - p[0]) * (end[0] - p[0]) + (end[1] - p[1]) * (end[1] - p[1]));
}

/* The data for `hits`. */
typedef struct line_query {
  const wend_walls *walls;
  const double *a, *b;
  double radius;
  double *least; /* for measure_piece: the distance of the nearest piece so far */
} line_query;

/* The data for `count_side`, which counts the sides of a polygon that a ray to the right crosses. */
typedef struct ray_query {
  const wend_walls *walls;
  uint32_t wall;
  const double *from;
  bool *odd; /* whether an odd number was counted */
} ray_query;

/* Counts a side if the ray crosses it. It always returns false, so that the tree shows it all sides near the ray. */
static bool count_side(const void *ud, uint32_t item) {
  const ray_query *ray = ud;
  const piece one = ray->walls->pieces[item];
  const double *p, *q, y = ray->from[1];
  wend_wall wall;
  if (one.wall != ray->wall || one.side == WEND_NONE) return false;
  wall = get_wall(ray->walls, one.wall);
  side_of(&wall, one.side, &p, &q);
  if ((p[1] > y) != (q[1] > y)) { /* the side crosses the height of the point: is it to the right? */
    const double s = orientation(p, q, ray->from);
    if (q[1] > p[1] ? s > 0 : s < 0) *ray->odd = !*ray->odd;
  }
  return false;
}

/* Whether a point that is on no side of a polygon is inside, by the even-odd rule. For example, from (1,1) in a square with
 * corners (0,0) and (4,4), a ray to the right crosses one side, from (4,0) to (4,4): an odd number, so the point is inside. */
static bool is_within(const wend_walls *walls, uint32_t wall, const double *point) {
  bool odd = false;
  const wend_box box = box_of_piece(walls, (piece){wall, WEND_NONE});
  const double end[2] = {box.high[0], point[1]};
  ray_query ray = {walls, wall, point, &odd};
  if (!(point[0] >= box.low[0] && point[0] <= box.high[0] && point[1] >= box.low[1] && point[1] <= box.high[1])) return false;
  (void)wend_rtree_line(&walls->index, point, end, 0, count_side, &ray);
  return odd;
}

/* Whether the line touches a piece. */
static bool hits(const void *ud, uint32_t item) {
  const line_query *line = ud;
  const piece one = line->walls->pieces[item];
  const wend_wall wall = get_wall(line->walls, one.wall);
  const double *p, *q, *a = line->a, *b = line->b, radius = line->radius;
  if (wall.kind == WEND_CIRCLE) return distance_to(wall.numbers, a, b) <= wall.numbers[2] + radius;
  /* A line that crosses no side has both ends inside, or none. */
  if (one.side == WEND_NONE) return is_within(line->walls, one.wall, a);
  side_of(&wall, one.side, &p, &q);
  if (cross(a, b, p, q)) return true;
  return radius > 0 && (distance_to(p, a, b) <= radius || distance_to(q, a, b) <= radius || distance_to(a, p, q) <= radius ||
                        distance_to(b, p, q) <= radius);
}

/* Lowers the least distance to that of a piece. It always returns false, so that the tree shows it all pieces near the line. */
static bool measure_piece(const void *ud, uint32_t item) {
  const line_query *line = ud;
  const piece one = line->walls->pieces[item];
  const wend_wall wall = get_wall(line->walls, one.wall);
  const double *p, *q, *a = line->a, *b = line->b;
  double least = INFINITY;
  if (wall.kind == WEND_CIRCLE) {
    least = distance_to(wall.numbers, a, b) - wall.numbers[2];
  } else if (one.side == WEND_NONE) {
    if (is_within(line->walls, one.wall, a)) least = 0;
  } else {
    side_of(&wall, one.side, &p, &q);
    least = cross(a, b, p, q)
                ? 0
                : fmin(fmin(distance_to(p, a, b), distance_to(q, a, b)), fmin(distance_to(a, p, q), distance_to(b, p, q)));
  }
  if (least < *line->least) *line->least = least > 0 ? least : 0;
  return false;
}

wend_status wend_walls_distance(wend_walls *walls, const double *a, const double *b, double *distance) {
  double radius = (fabs(b[0] - a[0]) + fabs(b[1] - a[1])) / 2, least = INFINITY;
  const wend_status status = build(walls);
  if (status != WEND_OK) return status;
  if (!(radius > 0)) radius = 1;
  for (; walls->live_pieces > 0 && radius < INFINITY; radius *= 4) {
    const line_query line = {walls, a, b, radius, &least};
    (void)wend_rtree_line(&walls->index, a, b, radius, measure_piece, &line);
    if (least <= radius) break; /* no nearer piece was left out */
  }
  *distance = least;
  return WEND_OK;
}

wend_status wend_walls_clear(wend_walls *walls, const double *a, const double *b, double radius, bool *clear) {
  const line_query line = {walls, a, b, radius, NULL};
  wend_status status = build(walls);
  *clear = false;
  if (status == WEND_OK) *clear = !wend_rtree_line(&walls->index, a, b, radius, hits, &line);
  return status;
}
