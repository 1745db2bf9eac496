/* SPDX-License-Identifier: MIT */
/* Where a walker can stand. Its feet are in a block that is open, as are the blocks above it up to the height of the walker. They
 * are on a floor, or in a block that holds them. */
#include <string.h>

#include "core/surface/data.h"

WEND_NO_FUSING

/* The blocks of a column that have a flag. */
static uint32_t column_bits(const wend_surface *s, const surface_chunk *chunk, uint32_t column, unsigned flag) {
  const uint8_t *classes = chunk->classes + (size_t)column * CHUNK_SIDE;
  uint32_t bits = 0;
  if (chunk->classes == NULL) return (s->flags[chunk->fill] & flag) != 0 ? 0xffff : 0;
  for (uint32_t h = 0; h < CHUNK_SIDE; h++) bits |= (uint32_t)((s->flags[classes[h]] & flag) != 0) << h;
  return bits;
}

void wend_surface_find_room(wend_surface *s, surface_chunk *chunk, const surface_box *box) {
  const surface_box part = wend_surface_part(chunk, box);
  for (int32_t b = part.lo[1]; b <= part.hi[1]; b++) {
    for (int32_t a = part.lo[0]; a <= part.hi[0]; a++) {
      const uint32_t column = wend_surface_column(a, b);
      chunk->open[column] = (uint16_t)column_bits(s, chunk, column, BLOCK_OPEN);
    }
  }
}

/* The places of a column. below, above: the chunks there, or NULL. */
static uint32_t places_of_column(const wend_surface *s, const surface_chunk *chunk, const surface_chunk *below,
                                 const surface_chunk *above, uint32_t column) {
  const uint32_t room = chunk->open[column] | (above != NULL ? (uint32_t)above->open[column] << 16 : 0);
  uint32_t places = column_bits(s, chunk, column, BLOCK_FLOOR) << 1 | column_bits(s, chunk, column, BLOCK_HOLD);
  if (below != NULL && (s->flags[wend_surface_class_at(below, column, 15)] & BLOCK_FLOOR) != 0) places |= 1;
  for (uint32_t i = 0; i < s->opts.height; i++) places &= room >> i;
  return places & 0xffff;
}

/* The class whose tag and cost count at a place. */
static uint8_t place_ground(const wend_surface *s, const surface_chunk *chunk, const surface_chunk *below, uint32_t column,
                            uint32_t h) {
  const uint8_t feet = wend_surface_class_at(chunk, column, h);
  if ((s->flags[feet] & BLOCK_COUNTS) != 0) return feet;
  if (h > 0) return wend_surface_class_at(chunk, column, h - 1);
  return below != NULL ? wend_surface_class_at(below, column, 15) : 0;
}

wend_status wend_surface_find_places(wend_surface *s, surface_chunk *chunk, const surface_box *box) {
  const surface_chunk *below = wend_surface_chunk(s, chunk->at[0], chunk->at[1], chunk->at[2] - 1);
  const surface_chunk *above = wend_surface_chunk(s, chunk->at[0], chunk->at[1], chunk->at[2] + 1);
  const surface_box part = wend_surface_part(chunk, box);
  const wend_column lists[] = {WEND_COLUMN(chunk->nodes), WEND_COLUMN(chunk->ground)};
  uint16_t places[CHUNK_COLUMNS];
  uint32_t count = 0, at = 0;
  memcpy(places, chunk->place, sizeof places);
  for (int32_t b = part.lo[1]; b <= part.hi[1]; b++) {
    for (int32_t a = part.lo[0]; a <= part.hi[0]; a++) {
      const uint32_t column = wend_surface_column(a, b);
      places[column] = (uint16_t)places_of_column(s, chunk, below, above, column);
    }
  }
  for (uint32_t column = 0; column < CHUNK_COLUMNS; column++) {
    count += wend_count_bits(places[column]);
    for (uint32_t gone = chunk->place[column] & ~(uint32_t)places[column]; gone != 0; gone &= gone - 1) {
      wend_id *node = &chunk->nodes[wend_surface_index(chunk, column, wend_lowest_bit(gone))];
      const wend_status status = *node == WEND_NO_ID ? WEND_OK : wend_graph_remove_node(s->graph, *node);
      if (status != WEND_OK) return status;
      *node = WEND_NO_ID;
    }
  }
  if (!wend_grow_columns(&s->alloc, lists, 2, &chunk->capacity, count)) return WEND_NO_MEMORY;
  for (uint32_t column = 0; column < CHUNK_COLUMNS && count > 0; column++) {
    for (uint32_t bits = places[column]; bits != 0; bits &= bits - 1) {
      const uint32_t h = wend_lowest_bit(bits);
      const bool old = (chunk->place[column] >> h & 1) != 0;
      s->fresh[at] = old ? chunk->nodes[wend_surface_index(chunk, column, h)] : WEND_NO_ID;
      s->fresh_ground[at++] = place_ground(s, chunk, below, column, h);
    }
  }
  if (count > 0) {
    memcpy(chunk->nodes, s->fresh, count * sizeof *s->fresh);
    memcpy(chunk->ground, s->fresh_ground, count);
  }
  for (uint32_t column = 0, before = 0; column < CHUNK_COLUMNS; column++) {
    chunk->place[column] = places[column];
    chunk->before[column] = (uint16_t)before;
    before += wend_count_bits(places[column]);
  }
  chunk->count = count;
  return WEND_OK;
}
