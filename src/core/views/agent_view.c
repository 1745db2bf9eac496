/* SPDX-License-Identifier: MIT */
/* Agent views, a small cache of up to WEND_AGENT_VIEWS_MAX of them. The key of a view is the serial and the version of the grid
 * and the agent's costs of tags. agent_view.h describes their data, with an example.
 *
 * Invariant: the bits of a view are those of the grid after the changes before view.cursor, at the costs of the view.
 *
 *   1  find the view of the grid and the costs, or replace the oldest    find_view, new_view
 *   2  compute the costs of kinds if the palette has changed             price_kinds
 *   3  update the bits: replay the journal, or clear them                update_bits
 *   4  compute the summary if the grid has changed                       wend_grid_summarize
 *   5  read the rows of cells that the bits do not include yet           wend_agent_view_fill */
#include "core/views/agent_view.h"

#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "core/map/kind_bits.h"

WEND_NO_FUSING

/* ---- Costs by kind ----------------------------------------------------------------------------------------- */

/* Computes the costs and the state of kind k. */
static void price_kind(const wend_grid *grid, wend_agent_view *view, uint32_t k) {
  const wend_kind *kind = &grid->palette[k];
  const wend_cost_kind by = view->tag_count > 0 ? COSTS_TAGS : COSTS_WEIGHTS;
  wend_cell_cost cost = {INFINITY, INFINITY};
  if (kind->weight >= 0 && kind->weight < INFINITY) { /* not the margin (NaN), not closed, not a kind to reuse (NaN) */
    cost.straight = wend_price_of(by, view->tags, kind->tag, kind->weight).cost;
    cost.diagonal = wend_price_of(by, view->tags, kind->tag, grid->diagonal_length * kind->weight).cost;
    if (view->tag_count > 0 && wend_price_of(COSTS_ASKED, view->tags, kind->tag, kind->weight).asked)
      cost.straight = cost.diagonal = NAN;
  }
  view->costs[k] = cost;
  view->states[k] = k == KIND_OUTSIDE ? CELL_OUTSIDE : cost.straight == INFINITY ? CELL_CLOSED : CELL_OPEN;
}

/* Whether two open kinds cost the same. */
static bool is_same_cost(const wend_agent_view *view, uint32_t a, uint32_t b) {
  return a == b || (view->costs[a].straight == view->costs[b].straight && view->costs[a].diagonal == view->costs[b].diagonal);
}

/* Gives a kind, if it is open, the class of its costs. */
static void classify_kind(wend_agent_view *view, uint32_t k) {
  uint32_t number = 0;
  view->classes[k] = 0;
  if (view->states[k] != CELL_OPEN || view->class_count > CLASSES_MAX) return;
  while (number < view->class_count && !is_same_cost(view, k, view->classed_kinds[number])) number++;
  if (number == view->class_count && view->class_count++ < CLASSES_MAX) view->classed_kinds[number] = (uint16_t)k;
  view->classes[k] = (uint8_t)number;
}

/* Computes the costs and states of all kinds if any kind was added or changed since the last time. False: no memory. */
static bool price_kinds(const wend_grid *grid, wend_agent_view *view, const wend_alloc *alloc) {
  if (grid->kinds == NULL || (view->palette_changes == grid->palette_changes && view->cost_count == grid->kind_count))
    return true;
  if (!WEND_GROW(alloc, view->costs, view->costs_capacity, grid->kind_count) ||
      !WEND_GROW(alloc, view->states, view->states_capacity, grid->kind_count) ||
      !WEND_GROW(alloc, view->classes, view->classes_capacity, grid->kind_count))
    return false;
  view->class_count = 0;
  for (uint32_t k = 0; k < grid->kind_count; k++) {
    price_kind(grid, view, k);
    classify_kind(view, k);
  }
  view->cost_count = grid->kind_count;
  view->palette_changes = grid->palette_changes;
  view->costs_serial = wend_map_new_serial();
  return true;
}

/* ---- Open cells as bits ------------------------------------------------------------------------------------ */

static void free_bits(wend_bits *bits, const wend_alloc *alloc) {
  WEND_FREE(alloc, bits->words, bits->capacity);
  memset(bits, 0, sizeof *bits);
}

/* Sets or clears a bit of a line. */
static void set_bit(wend_bits *bits, uint32_t line, uint32_t at, bool open) {
  uint64_t *word = &bits->words[(size_t)line * bits->line_words + at / 64], bit = (uint64_t)1 << at % 64;
  *word = open ? *word | bit : *word & ~bit;
}

/* Makes room for `lines` lines of `cells` cells, and the margin. False: no memory. */
static bool reserve_bits(wend_bits *bits, const wend_alloc *alloc, uint32_t lines, uint32_t cells) {
  bits->line_words = (cells + 2 + 63) / 64;
  return WEND_RESIZE(alloc, bits->words, bits->capacity, ((uint64_t)lines + 2) * bits->line_words);
}

/* Whether a diagonal step onto a kind costs more than a straight one, and less than two. Otherwise of two paths of equal cost
 * each could be left to the other. */
static bool is_fair(const wend_grid *grid, const wend_agent_view *view, uint32_t kind) {
  const wend_cell_cost *cost = &view->costs[kind];
  if (grid->diagonals == WEND_NEVER) return cost->straight > 0;
  return cost->diagonal > cost->straight * (1 + 1e-9) && cost->diagonal < cost->straight * 1.99;
}

/* Whether a live portal leaves one of the places from `first` up to `end`. */
static bool is_any_link(const wend_grid *grid, uint32_t first, uint32_t end) {
  uint32_t count;
  const wend_portal *link = wend_grid_portals(grid, first, false, &count);
  for (; link < grid->out + grid->portal_count && link->from < end; link++)
    if (!link->removed) return true;
  return false;
}

/* Whether a cell is open and mixed. */
static bool is_mixed_cell(const wend_grid *grid, const wend_agent_view *view, uint32_t place) {
  const uint16_t kind = grid->kinds[place];
  const bool walls = grid->wall_count > 0;
  const bool corners = grid->diagonals != WEND_BOTH_OPEN && grid->diagonals != WEND_NEVER;
  if (view->states[kind] != CELL_OPEN) return false;
  if (!is_fair(grid, view, kind)) return true;
  if ((walls && wend_grid_has_wall_at(grid, place)) || (grid->live_portals > 0 && is_any_link(grid, place, place + 1)))
    return true;
  for (int d = 0; d < 8; d++) {
    const uint32_t beside = (uint32_t)(place + wend_offset(grid->stride, d));
    const uint16_t other = grid->kinds[beside];
    if (view->states[other] != CELL_OPEN) {
      if (corners) return true;
      continue;
    }
    if (!is_same_cost(view, kind, other) || (walls && wend_grid_has_wall_at(grid, beside))) return true;
  }
  return false;
}

/* Sets or clears the bits of a cell that is mixed or not. */
static void set_mixed(const wend_grid *grid, wend_agent_view *view, uint32_t place) {
  const bool mixed = is_mixed_cell(grid, view, place);
  set_bit(&view->mixed_rows, place / grid->stride, place % grid->stride, mixed);
  set_bit(&view->mixed_columns, place % grid->stride, place / grid->stride, mixed);
}

/* Whether 64 cells are of one kind. */
static WEND_NOINLINE bool is_one_kind(const uint16_t *kinds) {
  uint16_t any = 0;
  for (int i = 0; i < 64; i++) any = (uint16_t)(any | (kinds[i] ^ kinds[0]));
  return any == 0;
}

/* Mixed cells by bits. Classes are numbers of costs. A row has a plane of the cells that are not open, if corners matter, and two
 * for each bit of the numbers: of the cells whose class has it, and has it not. Each bit of a plane tells about a cell and the two
 * beside it. So two classes are among nine cells if both planes of some bit have the cell in one of three rows. */
static uint64_t *plane_line(const wend_agent_view *view, uint32_t y, uint32_t plane) {
  return view->classed.words + (size_t)(y % 3 * CLASS_PLANES + plane) * view->classed.line_words;
}

static uint32_t class_bits(const wend_agent_view *view) {
  return view->class_count > 1 && view->class_count <= CLASSES_MAX ? wend_highest_bit(view->class_count - 1) + 1 : 0;
}

/* What is filled with bits. */
typedef struct filling {
  const wend_grid *grid;
  wend_open_kinds open;
  bool unfair;       /* some kind is */
  bool plain;        /* no wall and no link makes cells mixed */
  uint32_t repeated; /* so many rows, the last ones classified, have the kinds of the row before them; WEND_NONE: none was */
} filling;

/* Writes the planes of a row, and its open cells. */
static void classify_row(filling *f, wend_agent_view *view, uint32_t y) {
  const wend_grid *grid = f->grid;
  const uint32_t bits = class_bits(view), words = view->rows.line_words;
  uint64_t *const open = view->rows.words + (size_t)y * words;
  f->repeated = f->repeated != WEND_NONE && wend_row_repeats(grid, y * grid->stride) ? f->repeated + 1 : 0;
  if (f->repeated > 0) {
    memcpy(open, open - words, words * sizeof *open);
    for (uint32_t plane = 0; plane <= bits * 2; plane++)
      memcpy(plane_line(view, y, plane), plane_line(view, y + 2, plane), words * sizeof *open); /* y + 2: the row before */
    return;
  }
  for (uint32_t plane = 0; plane <= bits * 2; plane++) memset(plane_line(view, y, plane), 0, words * sizeof(uint64_t));
  for (uint32_t x = 0; x < grid->stride && y >= 1 && y <= grid->height; x += 64) {
    const uint16_t *kinds = grid->kinds + (size_t)y * grid->stride + x;
    uint16_t last[64] = {KIND_OUTSIDE};
    uint64_t left = UINT64_MAX;
    if (grid->stride - x < 64) kinds = memcpy(last, kinds, (grid->stride - x) * sizeof *kinds);
    open[x / 64] = 0;
    while (left != 0) {
      const uint16_t kind = kinds[wend_lowest_bit(left)];
      const uint64_t found = left == UINT64_MAX && is_one_kind(kinds) ? left : wend_cells_of_kind(kinds, kind);
      left &= ~found;
      if (view->states[kind] != CELL_OPEN) continue;
      open[x / 64] |= found;
      for (uint32_t bit = 0; bit < bits; bit++)
        plane_line(view, y, 1 + bit * 2 + (view->classes[kind] >> bit & 1))[x / 64] |= found;
    }
  }
  for (uint32_t w = 0; w < words; w++) plane_line(view, y, 0)[w] = ~open[w];
  for (uint32_t plane = 0; plane <= bits * 2; plane++) {
    uint64_t *const line = plane_line(view, y, plane), before = 0;
    for (uint32_t w = 0; w < words; w++) {
      const uint64_t word = line[w];
      line[w] = word | word << 1 | before >> 63 | word >> 1 | (w + 1 < words ? line[w + 1] << 63 : 0);
      before = word;
    }
  }
}

/* Whether a plane of the row of a cell, or of one beside it, has the cell, for 64 cells. */
static uint64_t plane_word(const wend_agent_view *view, uint32_t plane, uint32_t w) {
  return plane_line(view, 0, plane)[w] | plane_line(view, 1, plane)[w] | plane_line(view, 2, plane)[w];
}

/* Whether a wall is at a cell of a word or beside it. */
static bool is_walled_word(const wend_grid *grid, uint32_t y, uint32_t w) {
  if (grid->wall_count == 0) return false;
  for (uint32_t x = w > 0 ? w * 64 - 1 : 0; x < grid->stride && x <= w * 64 + 64; x++)
    for (uint32_t row = y - 1; row <= y + 1; row++)
      if (wend_grid_has_wall_at(grid, row * grid->stride + x)) return true;
  return false;
}

/* Sets the bits of the mixed cells of a row, once it and those beside it have their planes. */
static void fill_mixed_row(const filling *f, wend_agent_view *view, uint32_t y) {
  const wend_grid *grid = f->grid;
  const uint32_t first = y * grid->stride, bits = class_bits(view);
  const bool corners = grid->diagonals != WEND_BOTH_OPEN && grid->diagonals != WEND_NEVER;
  const bool links = grid->live_portals > 0 && is_any_link(grid, first, first + grid->stride);
  if (f->plain && f->repeated >= 3) { /* it and those beside it are as the rows before them */
    uint64_t *const mixed = view->mixed_rows.words + (size_t)y * view->rows.line_words;
    memcpy(mixed, mixed - view->rows.line_words, view->rows.line_words * sizeof *mixed);
    return;
  }
  for (uint32_t w = 0; w * 64 < grid->stride; w++) {
    const size_t at = (size_t)y * view->rows.line_words + w;
    const uint64_t open = view->rows.words[at];
    uint64_t mixed = corners ? plane_word(view, 0, w) : 0, look = 0;
    for (uint32_t bit = 0; bit < bits; bit++) mixed |= plane_word(view, 1 + bit * 2, w) & plane_word(view, 2 + bit * 2, w);
    mixed &= open;
    if (links || view->class_count > CLASSES_MAX || is_walled_word(grid, y, w)) look = open & ~mixed;
    for (; look != 0; look &= look - 1)
      if (is_mixed_cell(grid, view, first + w * 64 + wend_lowest_bit(look))) mixed |= look & (~look + 1);
    for (look = f->unfair ? open & ~mixed : 0; look != 0; look &= look - 1)
      if (!is_fair(grid, view, grid->kinds[first + w * 64 + wend_lowest_bit(look)])) mixed |= look & (~look + 1);
    view->mixed_rows.words[at] = mixed;
  }
}

/* Exchanges the rows and columns of 64 x 64 bits: first of halves, then of quarters, and so on (H. Warren, "Hacker's Delight",
 * 2002, section 7-3). */
static void transpose(uint64_t *rows) {
  uint64_t low = 0xffffffffu;
  for (unsigned by = 32; by > 0; by /= 2, low ^= low << by)
    for (unsigned i = 0; i < 64; i = (i + by + 1) & ~by) {
      const uint64_t moved = (rows[i] >> by ^ rows[i + by]) & low;
      rows[i] ^= moved << by, rows[i + by] ^= moved;
    }
}

/* Writes the columns of 64 lines of rows, the last of which is `last`. */
static void fill_columns(const wend_bits *rows, wend_bits *columns, uint32_t last, uint32_t lines) {
  const uint32_t first = last / 64 * 64;
  for (uint32_t w = 0; w < rows->line_words; w++) {
    uint64_t square[64] = {0}, differ = 0;
    for (uint32_t i = first; i <= last; i++) {
      square[i - first] = rows->words[(size_t)i * rows->line_words + w];
      differ |= square[i - first] ^ square[0];
    }
    if (differ == 0 && last % 64 == 63) {
      for (uint64_t i = 0, row = square[0]; i < 64; i++) square[i] = 0 - (row >> i & 1);
    } else {
      transpose(square);
    }
    for (uint32_t i = 0; i < 64 && w * 64 + i < lines; i++)
      columns->words[(size_t)(w * 64 + i) * columns->line_words + last / 64] = square[i];
  }
}

/* Writes the bits of a row of cells, and of columns after each 64 rows. */
static void fill_row(filling *f, wend_agent_view *view, uint32_t y) {
  const wend_grid *grid = f->grid;
  const bool end = y == grid->height || y % 64 == 63;
  if (view->mixed_columns.words == NULL) {
    const uint32_t words = view->rows.line_words;
    wend_open_row(&f->open, grid, y * grid->stride, view->rows.words + (size_t)y * words, words);
  } else {
    classify_row(f, view, y + 1);
    fill_mixed_row(f, view, y);
    if (end) fill_columns(&view->mixed_rows, &view->mixed_columns, y, grid->width + 2);
  }
  if (end) fill_columns(&view->rows, &view->columns, y, grid->width + 2);
}

/* Sets the bits of the cells that have changed. Whether a cell is mixed depends on its neighbours, too. */
static void replay_changes(const wend_grid *grid, wend_agent_view *view, wend_changes changes) {
  uint32_t place;
  while (wend_next_change(&changes, &place)) {
    const bool open = view->states[grid->kinds[place]] == CELL_OPEN;
    set_bit(&view->rows, place / grid->stride, place % grid->stride, open);
    set_bit(&view->columns, place % grid->stride, place / grid->stride, open);
    if (view->mixed_columns.words == NULL) continue;
    set_mixed(grid, view, place);
    for (int d = 0; d < 8; d++) {
      const uint32_t beside = (uint32_t)(place + wend_offset(grid->stride, d));
      if (grid->kinds[beside] != KIND_OUTSIDE) set_mixed(grid, view, beside);
    }
  }
}

static void free_planes(wend_agent_view *view, const wend_alloc *alloc) {
  free_bits(&view->rows, alloc);
  free_bits(&view->columns, alloc);
  free_bits(&view->mixed_rows, alloc);
  free_bits(&view->mixed_columns, alloc);
  free_bits(&view->classed, alloc);
}

/* Makes room for a plane by rows and by columns, unless it has some. False: no memory. */
static bool reserve_plane(const wend_grid *grid, const wend_alloc *alloc, wend_bits *rows, wend_bits *columns) {
  return columns->words != NULL ||
         (reserve_bits(rows, alloc, grid->height, grid->width) && reserve_bits(columns, alloc, grid->width, grid->height));
}

static void clear_bits(wend_bits *bits) {
  if (bits->words != NULL) memset(bits->words, 0, bits->capacity * sizeof *bits->words);
}

/* Brings the bits up to date. False: no memory. */
static bool update_bits(const wend_grid *grid, wend_agent_view *view, const wend_alloc *alloc, wend_view_bits planes) {
  const bool fresh = view->columns.words == NULL || (planes == BITS_MIXED && view->mixed_columns.words == NULL);
  wend_changes changes;
  if (fresh && (!reserve_plane(grid, alloc, &view->rows, &view->columns) ||
                (planes == BITS_MIXED && !(reserve_bits(&view->classed, alloc, CLASS_PLANES * 3 - 2, grid->width) &&
                                           reserve_plane(grid, alloc, &view->mixed_rows, &view->mixed_columns))))) {
    free_planes(view, alloc);
    return false;
  }
  if (wend_read_changes_of(&grid->map, &view->cursor, &changes) && !fresh) {
    replay_changes(grid, view, changes);
    return true;
  }
  clear_bits(&view->rows);
  clear_bits(&view->columns);
  clear_bits(&view->mixed_rows);
  clear_bits(&view->mixed_columns);
  view->filled = 0;
  return true;
}

/* ---- Views ------------------------------------------------------------------------------------------------- */

/* Makes a view unused. It keeps the arrays that its successor can reuse. */
static void release(wend_agent_view *view, const wend_alloc *alloc) {
  free_planes(view, alloc);
  view->serial = view->version = view->used = 0;
  view->surveyed = false;
  view->cost_count = 0;
}

void wend_agent_views_free(wend_agent_views *views, const wend_alloc *alloc) {
  for (uint32_t i = 0; i < views->count; i++) {
    wend_agent_view *view = &views->at[i];
    release(view, alloc);
    WEND_FREE(alloc, view->tags, view->tags_capacity);
    WEND_FREE(alloc, view->costs, view->costs_capacity);
    WEND_FREE(alloc, view->states, view->states_capacity);
    WEND_FREE(alloc, view->classes, view->classes_capacity);
  }
  WEND_FREE(alloc, views->at, views->capacity);
  memset(views, 0, sizeof *views);
}

void wend_agent_views_forget(wend_agent_views *views, const wend_alloc *alloc, const wend_grid *grid) {
  for (uint32_t i = 0; i < views->count; i++)
    if (views->at[i].serial == grid->map.serial) release(&views->at[i], alloc);
}

/* Whether a view is of a grid and of these costs. */
static bool is_of(const wend_agent_view *view, const wend_grid *grid, const wend_costs *costs, uint32_t count) {
  if (view->serial != grid->map.serial || view->tag_count != count) return false;
  for (uint32_t tag = 0; tag < count; tag++)
    if (!wend_same_asking(&view->tags[tag], costs, tag)) return false;
  return true;
}

/* An unused view: one that was released, else a new one, else, if there are WEND_AGENT_VIEWS_MAX, the one not used for the
 * longest time. NULL: no memory. */
static wend_agent_view *unused_view(wend_agent_views *views, const wend_alloc *alloc) {
  wend_agent_view *oldest = NULL;
  for (uint32_t i = 0; i < views->count; i++)
    if (views->at[i].holders == 0 && (oldest == NULL || views->at[i].used < oldest->used)) oldest = &views->at[i];
  if (oldest == NULL || (oldest->used > 0 && views->count < WEND_AGENT_VIEWS_MAX)) {
    if (!WEND_GROW(alloc, views->at, views->capacity, (uint64_t)views->count + 1)) return NULL;
    oldest = &views->at[views->count++];
    memset(oldest, 0, sizeof *oldest);
  }
  release(oldest, alloc);
  return oldest;
}

/* An unused view, with the key that these arguments are. NULL: no memory. */
static wend_agent_view *new_view(wend_agent_views *views, const wend_alloc *alloc, const wend_grid *grid,
                                 const wend_costs *costs, uint32_t count) {
  wend_agent_view *view = unused_view(views, alloc);
  if (view == NULL || (count > 0 && !WEND_GROW(alloc, view->tags, view->tags_capacity, count))) return NULL;
  if (count > 0) memcpy(view->tags, costs->tags, count * sizeof *view->tags);
  for (uint32_t tag = 0; tag < count && costs->edge == NULL; tag++) view->tags[tag].asks = false;
  view->tag_count = count;
  view->serial = grid->map.serial;
  return view;
}

/* The view of a grid and of these costs that is at the version of the grid; otherwise the latest of those before, which can follow
 * it, but rather one that nobody holds. NULL: there is none. */
static wend_agent_view *find_view(const wend_agent_views *views, const wend_grid *grid, const wend_costs *costs,
                                  uint32_t count) {
  wend_agent_view *best = NULL;
  for (uint32_t i = 0; i < views->count; i++) {
    wend_agent_view *view = &views->at[i];
    if (view->version > grid->map.version || !is_of(view, grid, costs, count)) continue;
    if (view->version == grid->map.version) return view;
    if (best == NULL || (view->holders == 0) > (best->holders == 0) ||
        ((view->holders == 0) == (best->holders == 0) && view->version > best->version))
      best = view;
  }
  return best;
}

static bool copy_plane(wend_bits *to, const wend_bits *from, const wend_alloc *alloc) {
  if (from->words == NULL) return true;
  if (!WEND_RESIZE(alloc, to->words, to->capacity, from->capacity)) return false;
  to->line_words = from->line_words;
  memcpy(to->words, from->words, from->capacity * sizeof *to->words);
  return true;
}

/* Copies the bits of a view, and what is known of its sample. Without memory they are made anew. */
static void copy_bits(wend_agent_view *to, const wend_agent_view *from, const wend_alloc *alloc) {
  to->surveyed = from->surveyed, to->sample_cursor = from->sample_cursor, to->plain_share = from->plain_share;
  to->filled = from->filled, to->cursor = from->cursor;
  if (!(copy_plane(&to->rows, &from->rows, alloc) && copy_plane(&to->columns, &from->columns, alloc) &&
        copy_plane(&to->classed, &from->classed, alloc) && copy_plane(&to->mixed_rows, &from->mixed_rows, alloc) &&
        copy_plane(&to->mixed_columns, &from->mixed_columns, alloc)))
    free_planes(to, alloc);
}

/* A copy of a view that is held, and whose holders read an older version of the grid. NULL: no memory. */
static wend_agent_view *copy_view(wend_agent_views *views, const wend_alloc *alloc, const wend_grid *grid,
                                  const wend_costs *costs, const wend_agent_view *held) {
  const uint32_t number = (uint32_t)(held - views->at);
  wend_agent_view *view = new_view(views, alloc, grid, costs, held->tag_count);
  if (view != NULL) copy_bits(view, &views->at[number], alloc);
  return view;
}

const wend_agent_view *wend_agent_view_of(wend_agent_views *views, const wend_alloc *alloc, const wend_grid *grid,
                                          const wend_costs *costs, wend_view_bits planes) {
  const uint32_t count = costs->tags == NULL ? 0 : wend_map_tag_count(&grid->map) + 1;
  wend_agent_view *view = find_view(views, grid, costs, count);
  if (view == NULL) view = new_view(views, alloc, grid, costs, count);
  else if (view->holders > 0 && view->version != grid->map.version) view = copy_view(views, alloc, grid, costs, view);
  if (view == NULL) return NULL;
  if (!price_kinds(grid, view, alloc) || (planes != BITS_NONE && !update_bits(grid, view, alloc, planes))) {
    release(view, alloc);
    return NULL;
  }
  if (view->used == 0 || view->version != grid->map.version) {
    view->summary = wend_grid_summarize(grid, costs);
    view->version = grid->map.version;
  }
  view->used = ++views->clock;
  return view;
}

/* Whether a closed cell touches an open one by a corner alone, so that paths turn there. */
static bool is_corner(const wend_grid *grid, const wend_agent_view *view, uint32_t place) {
  const uint16_t *kind = grid->kinds + place;
  const ptrdiff_t stride = (ptrdiff_t)grid->stride;
  for (int sx = -1; sx <= 1; sx += 2)
    for (int sy = -1; sy <= 1; sy += 2)
      if (view->states[kind[sx + sy * stride]] != CELL_OPEN && view->states[kind[sx]] == CELL_OPEN &&
          view->states[kind[sy * stride]] == CELL_OPEN)
        return true;
  return false;
}

/* The sample: so many cells, in rows at equal distances. After more changes than this it is taken again. */
#define SAMPLE_CELLS 256u
#define SAMPLE_CHANGES_MAX 32u

static uint32_t sample_place(const wend_grid *grid, uint32_t i) {
  const uint32_t y = (uint32_t)(((uint64_t)i * 2 + 1) * grid->height / (2 * SAMPLE_CELLS));
  return (y + 1) * grid->stride + (uint32_t)(wend_mix(i) % grid->width) + 1;
}

/* Whether a cell of the sample lies at a place or beside it. */
static bool is_near_sample(const wend_grid *grid, uint32_t place) {
  const uint32_t row = place / grid->stride, first = row < 2 ? 0 : row - 2; /* the row before, without the margin */
  for (uint32_t i = (uint32_t)((uint64_t)first * SAMPLE_CELLS / grid->height); i < SAMPLE_CELLS; i++) {
    const uint32_t at = sample_place(grid, i);
    if (at / grid->stride > row + 1) break;
    if (at % grid->stride + 1 - place % grid->stride <= 2) return true;
  }
  return false;
}

/* Whether the sample is as it was when it was taken. */
static bool is_sample_known(const wend_grid *grid, wend_agent_view *view) {
  wend_changes changes;
  uint32_t place;
  if (!wend_read_changes_of(&grid->map, &view->sample_cursor, &changes) || !view->surveyed) return false;
  if (changes.end - changes.at > SAMPLE_CHANGES_MAX) return false;
  while (wend_next_change(&changes, &place))
    if (is_near_sample(grid, place)) return false;
  return true;
}

double wend_agent_view_plain_share(wend_agent_views *views, const wend_agent_view *view, const wend_grid *grid) {
  wend_agent_view *mine = &views->at[view - views->at];
  uint32_t open = 0, plain = 0;
  if (is_sample_known(grid, mine)) return mine->plain_share;
  for (uint32_t i = 0; i < SAMPLE_CELLS; i++) {
    const uint32_t place = sample_place(grid, i);
    if (mine->states[grid->kinds[place]] != CELL_OPEN) continue;
    open++;
    plain += !is_mixed_cell(grid, mine, place) && !is_corner(grid, mine, place);
  }
  mine->plain_share = open > 0 ? (double)plain / open : 1;
  mine->surveyed = true;
  return mine->plain_share;
}

bool wend_agent_view_fill(wend_agent_views *views, const wend_agent_view *view, const wend_grid *grid, uint64_t *left) {
  wend_agent_view *mine = &views->at[view - views->at];
  filling f = {grid, {0}, false, grid->wall_count == 0 && grid->live_portals == 0, WEND_NONE};
  if (mine->filled == grid->height) return true;
  f.open = wend_open_kinds_of(grid, mine->states);
  for (uint32_t k = 0; k < grid->kind_count && !f.unfair; k++)
    f.unfair = grid->palette[k].count > 0 && mine->states[k] == CELL_OPEN && !is_fair(grid, mine, k);
  for (uint32_t y = mine->filled; y <= mine->filled + 1 && mine->mixed_columns.words != NULL; y++) classify_row(&f, mine, y);
  for (; mine->filled != grid->height && *left > 0; *left -= grid->width < *left ? grid->width : *left)
    fill_row(&f, mine, ++mine->filled);
  return mine->filled == grid->height;
}

uint32_t wend_agent_view_hold(wend_agent_views *views, const wend_agent_view *view) {
  const uint32_t number = (uint32_t)(view - views->at);
  views->at[number].holders++;
  return number;
}

void wend_agent_view_drop(wend_agent_views *views, const wend_alloc *alloc, uint32_t number) {
  wend_agent_view *view = &views->at[number];
  uint32_t used = 0;
  if (--view->holders > 0) return;
  for (uint32_t i = 0; i < views->count; i++) used += views->at[i].serial != 0;
  if (used > WEND_AGENT_VIEWS_MAX) release(view, alloc);
}

size_t wend_agent_views_bytes(const wend_agent_views *views) {
  size_t bytes = views->capacity * sizeof *views->at;
  for (uint32_t i = 0; i < views->count; i++) {
    const wend_agent_view *view = &views->at[i];
    bytes += view->tags_capacity * sizeof *view->tags + view->costs_capacity * sizeof *view->costs +
             view->states_capacity * sizeof *view->states + view->classes_capacity * sizeof *view->classes +
             ((size_t)view->rows.capacity + view->columns.capacity + view->mixed_rows.capacity + view->mixed_columns.capacity +
              view->classed.capacity) *
                 sizeof *view->rows.words;
  }
  return bytes;
}
