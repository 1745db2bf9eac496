/* SPDX-License-Identifier: MIT */
/* Influence layers in files:
 *
 *   INFL   digest of the map
 *   VALU   the bits of each number, 4 bytes: by cell, or by slot. It is not there if all are 0 */
#include <math.h>
#include <string.h>

#include "core/base/floats.h"
#include "core/codec/fingerprint.h"
#include "core/influence/influence.h"

WEND_NO_FUSING

/* How many numbers a file has: that of the cells, or of the slots. The node or cell of one; WEND_NO_ID: there is none. */
static uint32_t number_count(const wend_map *map) {
  const wend_grid *grid = (const wend_grid *)map;
  return map->is_grid ? grid->width * grid->height : ((const wend_graph *)map)->nodes.count;
}
static wend_id id_of_number(const wend_map *map, uint32_t i) {
  const wend_slots *nodes = &((const wend_graph *)map)->nodes;
  if (map->is_grid) return (wend_id)i + 1;
  return nodes->value[i] != WEND_NONE ? wend_slots_id(nodes, i) : WEND_NO_ID;
}

wend_status wend_influence_encode(const wend_influence *layer, wend_map *map, void *bytes, size_t *size) {
  const uint32_t count = number_count(map);
  bool any = false;
  wend_file_out f;
  const wend_status status = wend_file_begin_of(&f, bytes, WEND_FILE_INFLUENCE, "INFL", map);
  if (status != WEND_OK) return status;
  for (wend_id id = wend_map_next(map, WEND_NO_ID); id != WEND_NO_ID && !any; id = wend_map_next(map, id))
    any = wend_influence_get(layer, id) > 0;
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "VALU", any);
  for (uint32_t i = 0; i < count && any; i++) {
    const wend_id id = id_of_number(map, i);
    const float value = id != WEND_NO_ID ? (float)wend_influence_get(layer, id) : 0;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    wend_write_uint(&f.w, bits, 4);
  }
  wend_file_end_section(&f);
  *size = wend_file_end(&f);
  return WEND_OK;
}

/* Section VALU. FORMAT, NO_MEMORY. */
static wend_status read_layer_numbers(wend_file_in *f, wend_influence *layer, const wend_map *map) {
  wend_reader *r = wend_file_section(f, "VALU");
  const uint32_t count = wend_file_count(r, 4);
  bool any = false;
  wend_status status = WEND_OK;
  if (count > 0 && count != number_count(map)) return WEND_FORMAT;
  for (uint32_t i = 0; i < count && status == WEND_OK; i++) {
    const uint32_t bits = (uint32_t)wend_read_uint(r, 4);
    const wend_id id = id_of_number(map, i);
    float value;
    memcpy(&value, &bits, sizeof value);
    if (bits == 0) continue;
    any = true;
    if (id == WEND_NO_ID || !(value > 0 && value <= (float)WEND_INFLUENCE_MAX)) return WEND_FORMAT;
    status = wend_influence_set(layer, id, (double)value);
  }
  if (status != WEND_OK) return status;
  return wend_file_is_read(f) && any == (count > 0) ? WEND_OK : WEND_FORMAT;
}

wend_status wend_influence_decode(const wend_alloc *alloc, wend_map *map, const void *bytes, size_t size,
                                  wend_influence **layer) {
  wend_file_in f;
  wend_reader *r;
  wend_status status;
  *layer = NULL;
  status = wend_file_open_of(&f, bytes, size, WEND_FILE_INFLUENCE, "INFL", map, &r);
  if (status != WEND_OK) return status;
  *layer = wend_influence_create(alloc, map);
  if (*layer == NULL) return WEND_NO_MEMORY;
  status = read_layer_numbers(&f, *layer, map);
  if (status == WEND_OK) return WEND_OK;
  wend_influence_destroy(*layer);
  *layer = NULL;
  return status;
}
