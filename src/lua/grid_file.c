/* SPDX-License-Identifier: MIT */
/* Grids as bytes: what the binding keeps of a grid, behind what the core encodes. */
#include <math.h>
#include <string.h>

#include "base/query.h"
#include "utf8.h"
#include "grid_object.h"

/* The file of a grid ends with bytes that belong to the binding. Numbers are stored with the lowest byte first:
 *   size of a cell, left, top   doubles
 *   count                       4 bytes
 *   glyphs                      weight (double), tag (2 bytes), first byte of the character
 *   other bytes                 for each glyph, bytes 2, 3 and 4 of its character, 0 for each byte that it lacks; left out
 *                               if all characters are single bytes
 *   height of a cell            double
 *   projection                  1 byte: 1 if isometric, otherwise 0
 *   side                        double, only of hexes
 * The last three are left out if cells are squares in rows and columns, or regular hexes: then the size of a cell is the option
 * cell. Otherwise the count has the bit FRAMED. */
#define EXTRA_BYTES 28u
#define FRAMED 0x80000000u
#define FRAME_BYTES 9u
#define SIDE_BYTES 8u
#define GLYPH_BYTES 11u
#define OTHER_BYTES 3u

static uint8_t *store_number(uint8_t *at, uint64_t number, int bytes) {
  for (int i = 0; i < bytes; i++) *at++ = (uint8_t)(number >> 8 * i);
  return at;
}

static uint8_t *store_double(uint8_t *at, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return store_number(at, bits, 8);
}

static uint64_t load_number(const uint8_t *at, int bytes) {
  uint64_t number = 0;
  for (int i = 0; i < bytes; i++) number |= (uint64_t)at[i] << 8 * i;
  return number;
}

static double load_double(const uint8_t *at) {
  const uint64_t bits = load_number(at, 8);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/* Whether a character has more than one byte. */
static bool has_long_glyphs(const lwend_grid *object) {
  for (int i = 0; i < object->glyph_count; i++)
    if (object->glyphs[i].text > 0xff) return true;
  return false;
}

/* How many bytes follow if a grid has cells of such a shape that one number is not enough. */
static size_t frame_bytes(const lwend_frame *frame) { return FRAME_BYTES + (frame->shape != WEND_SQUARES ? SIDE_BYTES : 0); }

static void store_extra(uint8_t *at, const lwend_grid *object) {
  const lwend_frame *frame = &object->base.frame;
  const double cell = lwend_cell_of(frame);
  at = store_double(at, cell > 0 ? cell : frame->wide);
  at = store_double(at, frame->left);
  at = store_double(at, frame->top);
  at = store_number(at, (uint64_t)object->glyph_count | (cell > 0 ? 0 : FRAMED), 4);
  for (int i = 0; i < object->glyph_count; i++) {
    at = store_double(at, object->glyphs[i].cell.weight);
    at = store_number(at, object->glyphs[i].cell.tag, 2);
    at = store_number(at, object->glyphs[i].text & 0xff, 1);
  }
  for (int i = 0; i < object->glyph_count && has_long_glyphs(object); i++)
    at = store_number(at, object->glyphs[i].text >> 8, OTHER_BYTES);
  if (cell > 0) return;
  at = store_double(at, frame->high);
  *at++ = frame->isometric;
  if (frame->shape != WEND_SQUARES) (void)store_double(at, frame->side);
}

/* A grid with these bytes. */
typedef struct encoded_grid {
  const wend_grid *grid;
  uint8_t *extra;
  size_t extra_size;
  bool prepared;
} encoded_grid;

static wend_status encode_grid(void *object, void *bytes, size_t *size) {
  const encoded_grid *e = object;
  return (e->prepared ? wend_grid_encode : wend_grid_encode_bare)(e->grid, e->extra, e->extra_size, bytes, size);
}

/* grid:encode([opts]) -> string */
int lwend_grid_encode(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  const lwend_grid *object = lwend_to_grid(g);
  const size_t each = GLYPH_BYTES + (has_long_glyphs(object) ? OTHER_BYTES : 0);
  encoded_grid encoded;
  encoded.prepared = lwend_check_encode_options(L);
  if (g->base != NULL) {
    lwend_push_overlay_bytes(L, lwend_check_alive(L, g));
    return 1;
  }
  encoded.extra_size =
      EXTRA_BYTES + (size_t)object->glyph_count * each + (lwend_cell_of(&g->frame) > 0 ? 0 : frame_bytes(&g->frame));
  encoded.extra = lua_newuserdata(L, encoded.extra_size);
  encoded.grid = lwend_check_alive(L, g)->grid;
  store_extra(encoded.extra, object);
  (void)lwend_push_encoded(L, g, NULL, encode_grid, &encoded);
  return 1;
}

/* Whether a value from a file is a size of a cell. */
static bool is_cell_size(double size) { return size > 0 && size <= LWEND_CELL_MAX; }

/* Reads these bytes into a grid object. wide: whether there are other bytes. framed: whether a height and a projection follow.
 * false: a value is out of range. */
static bool load_extra(const uint8_t *at, lwend_grid *object, uint32_t glyphs, bool wide, bool framed) {
  const uint32_t tags = wend_map_tag_count(object->base.map);
  const uint8_t *others = at + EXTRA_BYTES + (size_t)glyphs * GLYPH_BYTES;
  const uint8_t *last = others + (wide ? (size_t)glyphs * OTHER_BYTES : 0);
  lwend_frame *frame = &object->base.frame;
  char bytes[4];
  if (!is_cell_size(load_double(at))) return false;
  lwend_set_cell(frame, load_double(at));
  frame->left = load_double(at + 8), frame->top = load_double(at + 16);
  if (framed) {
    const bool hexes = frame->shape != WEND_SQUARES;
    frame->wide = load_double(at), frame->high = load_double(last);
    frame->isometric = last[8] == 1;
    if (hexes) frame->side = load_double(last + FRAME_BYTES);
    if (last[8] > (hexes ? 0 : 1) || lwend_cell_of(frame) > 0) return false;
    if (!(frame->side >= 0 && frame->side <= (frame->shape >= WEND_ODD_COLUMNS ? frame->wide : frame->high))) return false;
  }
  at += EXTRA_BYTES;
  for (uint32_t i = 0; i < glyphs; i++, at += GLYPH_BYTES) {
    lwend_glyph *made = &object->glyphs[i];
    made->cell.weight = load_double(at);
    made->cell.tag = (uint32_t)load_number(at + 8, 2);
    made->text = at[10] | (wide ? (uint32_t)load_number(others + (size_t)i * OTHER_BYTES, OTHER_BYTES) << 8 : 0);
    if (!(made->cell.weight >= 0) || made->cell.tag > tags) return false;
    (void)lwend_utf8_put(bytes, made->text);
    if (lwend_utf8_get(bytes, lwend_utf8_size(made->text)) != made->text) return false;
  }
  object->glyph_count = (int)glyphs;
  if (wide && !has_long_glyphs(object)) return false;
  return is_cell_size(frame->high) && fabs(frame->left) <= WEND_COORDINATE_MAX && fabs(frame->top) <= WEND_COORDINATE_MAX;
}

wend_status lwend_push_decoded_grid(lua_State *L, const void *bytes, size_t size) {
  lwend_state *state = lwend_state_of(L);
  const int top = lua_gettop(L);
  lwend_grid *object;
  const void *extra;
  size_t extra_size;
  uint64_t glyphs = 0;
  bool wide = false, framed = false;
  lwend_map *first = lwend_new(L, sizeof *first, &state->types.grid); /* holds the grid until the number of glyphs is known */
  wend_status status;
  first->noun = "grid";
  status = lwend_check_memory(L, wend_grid_decode(&state->alloc, bytes, size, &first->grid, &extra, &extra_size));
  if (status == WEND_OK) {
    first->map = wend_grid_map(first->grid);
    if (extra_size >= EXTRA_BYTES) glyphs = load_number((const uint8_t *)extra + EXTRA_BYTES - 4, 4);
    first->frame.shape = wend_grid_shape(first->grid);
    framed = glyphs >= FRAMED && extra_size >= EXTRA_BYTES + frame_bytes(&first->frame);
    if (framed) glyphs -= FRAMED, extra_size -= frame_bytes(&first->frame);
    wide = glyphs > 0 && extra_size == EXTRA_BYTES + glyphs * (GLYPH_BYTES + OTHER_BYTES);
    if (extra_size < EXTRA_BYTES || glyphs > LWEND_GLYPHS_MAX || (!wide && extra_size != EXTRA_BYTES + glyphs * GLYPH_BYTES))
      status = WEND_FORMAT;
  }
  if (status != WEND_OK) return status;
  object = lwend_push_grid_object(L, (int)glyphs);
  object->base.grid = first->grid;
  object->base.map = first->map;
  object->base.frame.shape = first->frame.shape;
  first->grid = NULL;
  first->map = NULL;
  if (!load_extra(extra, object, (uint32_t)glyphs, wide, framed)) return WEND_FORMAT;
  lwend_note_tags(L, -1, &object->base);
  lua_replace(L, top + 1);
  return WEND_OK;
}
