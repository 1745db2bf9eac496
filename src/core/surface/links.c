/* SPDX-License-Identifier: MIT */
/* The steps from a place. To each neighbouring column there are at most two: one at the same level, or else down; and one up.
 *
 *     level   there is a place at the same level
 *     down    otherwise, to the highest place below, at most `drop` lower; the walker moves, then falls
 *     up      to the lowest place above, at most `step` higher; the walker rises, then moves. Beside a place at the same level, only
 *             on to a floor: under water there is a way up already
 *
 * Two places of a column, one right above the other, are joined: one of them is in water or at a ladder. A jump passes columns
 * without a place that walking would use. It lands at the same level, or lower, but higher than all that it has passed. */
#include "core/surface/data.h"

WEND_NO_FUSING

#define NOWHERE 64u

bool wend_surface_look(wend_surface *s, surface_chunk *chunk, const surface_box *part) {
  surface_view *view = &s->view;
  const int32_t reach = view->reach;
  if (!WEND_GROW(&s->alloc, view->windows, view->capacity, (uint64_t)view->side * (uint64_t)view->side)) return false;
  for (int32_t i = 0; i < 27; i++)
    view->near[i] = wend_surface_chunk(s, chunk->at[0] + i / 9 - 1, chunk->at[1] + i / 3 % 3 - 1, chunk->at[2] + i % 3 - 1);
  for (int32_t a = part->lo[0] - reach; a <= part->hi[0] + reach; a++) {
    for (int32_t b = part->lo[1] - reach; b <= part->hi[1] + reach; b++) {
      surface_chunk *const *stack = &view->near[((a + 16) >> 4) * 9 + ((b + 16) >> 4) * 3];
      surface_window *window = &view->windows[(a + reach) * view->side + b + reach];
      const uint32_t column = wend_surface_column(a, b);
      window->open = window->place = 0;
      for (int i = 0; i < 3; i++) {
        if (stack[i] == NULL) continue;
        window->open |= (uint64_t)stack[i]->open[column] << (16 * i);
        window->place |= (uint64_t)stack[i]->place[column] << (16 * i);
      }
    }
  }
  return true;
}

/* Whether all of the bits from .. end - 1 are set. */
static bool is_clear(uint64_t open, uint32_t from, uint32_t end) {
  const uint64_t bits = (((uint64_t)1 << (end - from)) - 1) << from;
  return (open & bits) == bits;
}

/* The highest place below a bit, at most `most` below; the lowest one above. NOWHERE: there is none. */
static uint32_t place_below(uint64_t places, uint32_t bit, uint32_t most) {
  places &= (((uint64_t)1 << bit) - 1) & ~(uint64_t)0 << (bit - most);
  return places == 0 ? NOWHERE : wend_highest_bit(places);
}
static uint32_t place_above(uint64_t places, uint32_t bit, uint32_t most) {
  places = places >> bit >> 1 & (((uint64_t)1 << most) - 1);
  return places == 0 ? NOWHERE : bit + 1 + wend_lowest_bit(places);
}

static bool has_place(const surface_window *window, uint32_t bit) { return (window->place >> bit & 1) != 0; }

/* Where a walker at `bit` of one column comes to in the next one, level or down, and up. NOWHERE: it does not. */
static uint32_t ahead(const wend_surface *s, const surface_window *to, uint32_t bit) {
  uint32_t below;
  if (has_place(to, bit)) return bit;
  below = place_below(to->place, bit, s->opts.drop);
  return below != NOWHERE && is_clear(to->open, below, bit + s->opts.height) ? below : NOWHERE;
}
static uint32_t upward(const wend_surface *s, const surface_window *from, const surface_window *to, uint32_t bit) {
  const uint32_t above = place_above(to->place, bit, s->opts.step);
  if (above == NOWHERE || !is_clear(from->open, bit, above + s->opts.height)) return NOWHERE;
  return has_place(to, bit) && (to->open >> (above - 1) & 1) != 0 ? NOWHERE : above;
}

/* Whether a diagonal step has room beside it, at the height of the higher end. */
static bool passes_corner(const wend_surface *s, const surface_window *one, const surface_window *other, uint32_t bit) {
  const bool first = is_clear(one->open, bit, bit + s->opts.height), second = is_clear(other->open, bit, bit + s->opts.height);
  switch (s->opts.diagonals) {
    case WEND_BOTH_OPEN: return first && second;
    case WEND_ONE_OPEN: return first || second;
    case WEND_ALWAYS: return true;
    default: return false;
  }
}

/* The class of the ground at a place; its node. */
static const surface_class *link_ground(const wend_surface *s, int32_t a, int32_t b, uint32_t bit, wend_id *node) {
  const surface_chunk *chunk = s->view.near[((a + 16) >> 4) * 9 + ((b + 16) >> 4) * 3 + (int32_t)(bit >> 4)];
  const uint32_t index = wend_surface_index(chunk, wend_surface_column(a, b), bit & 15);
  *node = chunk->nodes[index];
  return &s->classes[chunk->ground[index]];
}

/* The list that steps are added to, and where they begin. */
typedef struct links_maker {
  const wend_surface *s;
  int32_t a, b;
  uint32_t bit;
  double cost; /* of the ground where they begin */
  surface_link *links;
  uint32_t count;
} links_maker;

static void add(links_maker *m, int32_t da, int32_t db, uint32_t bit, uint32_t tag, bool back) {
  surface_link *link = &m->links[m->count++];
  const double cost = link_ground(m->s, m->a + da, m->b + db, bit, &link->node)->cost, dh = (double)bit - (double)m->bit;
  link->to[0] = da, link->to[1] = db, link->to[2] = (int32_t)bit;
  link->weight = cost == 1 ? WEND_MEASURED : wend_sqrt((double)(da * da + db * db) + dh * dh) * cost;
  link->tag = tag;
  link->both = back && cost == m->cost;
}

/* Jumps in one direction. */
static void add_jumps(links_maker *m, const surface_window *from, int32_t da, int32_t db) {
  const wend_surface *s = m->s;
  const uint32_t head = m->bit + s->opts.height + 1, most = s->opts.step > s->opts.drop ? s->opts.step : s->opts.drop;
  const int32_t step = da * s->view.side + db;
  uint32_t best = NOWHERE; /* the highest place that was passed */
  if (!is_clear(from->open, m->bit, head)) return;
  for (int32_t i = 1; i <= (int32_t)s->opts.jump + 1; i++) {
    const surface_window *to = from + i * step;
    uint32_t at;
    if (!is_clear(to->open, m->bit, head)) return;
    at = has_place(to, m->bit) ? m->bit : place_below(to->place, m->bit, most);
    if (at == NOWHERE || !is_clear(to->open, at, m->bit)) continue;
    if (i > 1 && m->bit - at <= s->opts.drop && (best == NOWHERE || at > best))
      add(m, da * i, db * i, at, s->jump_tag, at == m->bit);
    if (m->bit - at <= s->opts.step) return;
    if (best == NOWHERE || at > best) best = at;
  }
}

uint32_t wend_surface_links(const wend_surface *s, int32_t a, int32_t b, int32_t h, surface_link *links) {
  const surface_view *view = &s->view;
  const surface_window *from = &view->windows[(a + view->reach) * view->side + b + view->reach];
  const uint32_t bit = (uint32_t)h + 16;
  links_maker m = {s, a, b, bit, 1, links, 0};
  wend_id node;
  m.cost = link_ground(s, a, b, bit, &node)->cost;
  for (int32_t da = -1; da <= 1; da++) {
    for (int32_t db = -1; db <= 1; db++) {
      const surface_window *to = from + da * view->side + db, *one = from + da * view->side, *other = from + db;
      uint32_t end;
      if (to->place == 0 || (da == 0 && db == 0)) continue;
      end = ahead(s, to, bit);
      if (end != NOWHERE && (da == 0 || db == 0 || passes_corner(s, one, other, bit)))
        add(&m, da, db, end, bit - end > s->opts.step ? s->drop_tag : WEND_UNTAGGED,
            end == bit || (bit - end <= s->opts.step && upward(s, to, from, end) == bit));
      end = upward(s, from, to, bit);
      if (end != NOWHERE && (da == 0 || db == 0 || passes_corner(s, one, other, end)))
        add(&m, da, db, end, WEND_UNTAGGED, end - bit <= s->opts.drop && ahead(s, from, end) == bit);
    }
  }
  if (has_place(from, bit + 1)) add(&m, 0, 0, bit + 1, WEND_UNTAGGED, true);
  if (has_place(from, bit - 1)) add(&m, 0, 0, bit - 1, WEND_UNTAGGED, true);
  for (int32_t i = -1; i <= 1 && s->opts.jump > 0; i += 2) {
    add_jumps(&m, from, i, 0);
    add_jumps(&m, from, 0, i);
  }
  return m.count;
}
