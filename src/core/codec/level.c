/* SPDX-License-Identifier: MIT */
/* Levels in files: the files of several maps in one. The parts are whole files, so their own codecs read them, and their
 * fingerprints are those of single files.
 *
 *   LEVL   size in cells, size of a cell, which grid is the merged one
 *   GRDS   the files of the grids, each after its size
 *   LAYR   for each layer: its grid
 *   LNAM   names of grids
 *   GRAF   the file of the graph
 *   WLLS   the file of the walls
 *   PNAM   named positions
 *   extr   what the caller added
 *
 * An example: a level has the layers "ground" and "bridge", and a grid with both. GRDS has three files. LAYR is 0 1. LNAM has
 * "bridge" 1, "ground" 0. LEVL says that grid 2 is the merged one, as the number 3. */
#include <math.h>

#include "core/base/floats.h"
#include "core/base/memory.h"
#include "core/codec/file.h"

WEND_NO_FUSING

/* The numbers of section LEVL. */
#define WHOLE(field, bytes) WEND_WHOLE(wend_level, field, bytes)
static const wend_record_item level_items[] = {WHOLE(width, 4), WHOLE(height, 4), WEND_DOUBLE(wend_level, cell, 0, DBL_MAX),
                                               WHOLE(merged, 4)};
#undef WHOLE
#define LEVEL_ITEMS (sizeof level_items / sizeof *level_items)

/* ---- Writing ----------------------------------------------------------------------------------------------- */

/* A section with the file of a part. */
static void write_part(wend_file_out *f, const char *id, wend_bytes part) {
  wend_file_begin_section(f, id, part.size > 0);
  wend_write_bytes(&f->w, part.bytes, part.size);
  wend_file_end_section(f);
}

/* A name, after its length. */
static void write_label(wend_writer *w, const char *name, size_t length) {
  wend_write_uint(w, length, 4);
  wend_write_bytes(w, name, length);
}

wend_status wend_level_encode(const wend_level *level, void *bytes, size_t *size) {
  wend_level head = *level;
  wend_file_out f;
  head.merged++; /* WEND_NONE becomes 0 */
  wend_file_begin(&f, bytes, WEND_FILE_LEVEL);
  wend_file_begin_section(&f, "LEVL", true);
  wend_write_record(&f.w, &head, level_items, LEVEL_ITEMS);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "GRDS", level->grid_count > 0);
  for (uint32_t i = 0; i < level->grid_count; i++) {
    wend_write_uint(&f.w, level->grids[i].size, 8);
    wend_write_bytes(&f.w, level->grids[i].bytes, level->grids[i].size);
  }
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "LAYR", level->layer_count > 0);
  for (uint32_t i = 0; i < level->layer_count; i++) wend_write_uint(&f.w, level->layers[i], 4);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "LNAM", level->layer_name_count > 0);
  for (uint32_t i = 0; i < level->layer_name_count; i++) {
    const wend_layer_name *name = &level->layer_names[i];
    write_label(&f.w, name->name, name->length);
    wend_write_uint(&f.w, name->grid, 4);
  }
  wend_file_end_section(&f);
  write_part(&f, "GRAF", level->graph);
  write_part(&f, "WLLS", level->walls);
  wend_file_begin_section(&f, "PNAM", level->place_count > 0);
  for (uint32_t i = 0; i < level->place_count; i++) {
    const wend_named_place *place = &level->places[i];
    write_label(&f.w, place->name, place->length);
    wend_write_uint(&f.w, place->dimensions, 1);
    for (uint32_t d = 0; d < place->dimensions; d++) wend_write_double(&f.w, place->position[d]);
  }
  wend_file_end_section(&f);
  write_part(&f, "extr", level->extra);
  *size = wend_file_end(&f);
  return WEND_OK;
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

/* A level that was read: the arrays of `level` belong to it. */
typedef struct level_in {
  wend_alloc alloc;
  wend_level level;
  wend_bytes *grids;
  uint32_t *layers;
  wend_layer_name *names;
  wend_named_place *places;
  uint32_t grids_capacity, layers_capacity, names_capacity, places_capacity;
} level_in;

void wend_level_destroy(wend_level *level) {
  level_in *in;
  if (level == NULL) return;
  in = (level_in *)(void *)((char *)level - offsetof(level_in, level));
  WEND_FREE(&in->alloc, in->grids, in->grids_capacity);
  WEND_FREE(&in->alloc, in->layers, in->layers_capacity);
  WEND_FREE(&in->alloc, in->names, in->names_capacity);
  WEND_FREE(&in->alloc, in->places, in->places_capacity);
  wend_delete(in, sizeof *in);
}

/* Reads `size` bytes as a file of a kind. False: they are another kind of file. */
static bool read_part(wend_reader *r, uint64_t size, wend_file_kind kind, wend_bytes *part) {
  part->size = (size_t)size;
  part->bytes = wend_read_items(r, size, 1);
  return !r->failed && wend_file_kind_of(part->bytes, part->size) == kind && ((const uint8_t *)part->bytes)[5] == FILE_VERSION;
}

/* A section with the file of a part; none: the part has no bytes. */
static bool read_part_section(wend_file_in *f, const char *id, wend_file_kind kind, wend_bytes *part) {
  wend_reader *r = wend_file_section(f, id);
  return r->failed || r->left == 0 ? !r->failed : read_part(r, r->left, kind, part);
}

/* Reads a name after its length. It must come after the one before, by bytes. */
static bool read_label(wend_reader *r, const char **name, size_t *length) {
  const char *before = *name;
  const size_t before_length = *length;
  int order;
  *length = (size_t)wend_read_uint(r, 4);
  *name = (const char *)wend_read_items(r, *length, 1);
  if (r->failed || before == NULL) return !r->failed;
  order = memcmp(before, *name, before_length < *length ? before_length : *length);
  return order < 0 || (order == 0 && before_length < *length);
}

/* Section GRDS. FORMAT, NO_MEMORY. */
static wend_status read_grids(wend_file_in *f, level_in *in) {
  wend_reader *r = wend_file_section(f, "GRDS");
  while (!r->failed && r->left > 0) {
    const uint32_t i = in->level.grid_count;
    wend_bytes part;
    if (!read_part(r, wend_read_uint(r, 8), WEND_FILE_GRID, &part)) return WEND_FORMAT;
    if (!WEND_GROW(&in->alloc, in->grids, in->grids_capacity, (uint64_t)i + 1)) return WEND_NO_MEMORY;
    in->grids[i] = part;
    in->level.grid_count++;
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

/* Sections LAYR and LNAM. Grids are in the order in which they first appear among the layers; the merged grid is the last one
 * if it is no layer. FORMAT, NO_MEMORY. */
static wend_status read_layers(wend_file_in *f, level_in *in) {
  wend_level *level = &in->level;
  wend_reader *r = wend_file_section(f, "LAYR");
  const uint32_t count = wend_file_count(r, 4);
  const uint8_t *at = wend_read_items(r, count, 4);
  wend_layer_name made = {NULL, 0, 0};
  uint32_t known = 0;
  if (r->failed) return WEND_FORMAT;
  if (!WEND_RESIZE(&in->alloc, in->layers, in->layers_capacity, count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    in->layers[i] = (uint32_t)wend_load_uint(at + 4 * (size_t)i, 4);
    if (in->layers[i] > known) return WEND_FORMAT;
    if (in->layers[i] == known) known++;
  }
  level->layer_count = count;
  if (level->grid_count != known && !(level->grid_count == known + 1 && level->merged == known)) return WEND_FORMAT;
  if (level->merged != WEND_NONE && level->merged >= level->grid_count) return WEND_FORMAT;
  r = wend_file_section(f, "LNAM");
  while (!r->failed && r->left > 0) {
    if (!read_label(r, &made.name, &made.length)) return WEND_FORMAT;
    made.grid = (uint32_t)wend_read_uint(r, 4);
    if (r->failed || made.grid >= known) return WEND_FORMAT;
    if (!WEND_GROW(&in->alloc, in->names, in->names_capacity, (uint64_t)level->layer_name_count + 1)) return WEND_NO_MEMORY;
    in->names[level->layer_name_count++] = made;
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

/* Section PNAM. FORMAT, NO_MEMORY. */
static wend_status read_places(wend_file_in *f, level_in *in) {
  wend_reader *r = wend_file_section(f, "PNAM");
  wend_named_place made;
  memset(&made, 0, sizeof made);
  while (!r->failed && r->left > 0) {
    if (!read_label(r, &made.name, &made.length)) return WEND_FORMAT;
    made.dimensions = (uint32_t)wend_read_uint(r, 1);
    if (made.dimensions < 2 || made.dimensions > 3) return WEND_FORMAT;
    made.position[2] = 0;
    for (uint32_t d = 0; d < made.dimensions; d++)
      made.position[d] = wend_read_number(r, -WEND_COORDINATE_MAX, WEND_COORDINATE_MAX);
    if (r->failed) return WEND_FORMAT;
    if (!WEND_GROW(&in->alloc, in->places, in->places_capacity, (uint64_t)in->level.place_count + 1)) return WEND_NO_MEMORY;
    in->places[in->level.place_count++] = made;
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

/* Reads all sections after the header. FORMAT, NO_MEMORY. */
static wend_status read_level(wend_file_in *f, level_in *in) {
  wend_reader *r;
  wend_status status = read_grids(f, in);
  if (status == WEND_OK) status = read_layers(f, in);
  if (status == WEND_OK && !(read_part_section(f, "GRAF", WEND_FILE_GRAPH, &in->level.graph) &&
                             read_part_section(f, "WLLS", WEND_FILE_WALLS, &in->level.walls)))
    status = WEND_FORMAT;
  if (status == WEND_OK) status = read_places(f, in);
  if (status != WEND_OK) return status;
  r = wend_file_section(f, "extr");
  in->level.extra.size = r->left;
  in->level.extra.bytes = wend_read_items(r, r->left, 1);
  return wend_file_is_read(f) ? WEND_OK : WEND_FORMAT;
}

wend_status wend_level_decode(const wend_alloc *alloc, const void *bytes, size_t size, wend_level **level) {
  wend_file_in f;
  wend_reader *r;
  level_in *in;
  wend_level head;
  wend_status status;
  *level = NULL;
  if (!wend_file_open_in(&f, bytes, size, WEND_FILE_LEVEL)) return WEND_FORMAT;
  memset(&head, 0, sizeof head);
  r = wend_file_section(&f, "LEVL");
  wend_read_record(r, &head, level_items, LEVEL_ITEMS);
  head.merged--; /* 0 becomes WEND_NONE */
  if (r->failed || signbit(head.cell)) return WEND_FORMAT;
  in = wend_new(alloc, sizeof *in);
  if (in == NULL) return WEND_NO_MEMORY;
  in->level = head;
  status = read_level(&f, in);
  in->level.grids = in->grids;
  in->level.layers = in->layers;
  in->level.layer_names = in->names;
  in->level.places = in->places;
  if (status == WEND_OK) {
    *level = &in->level;
  } else {
    wend_level_destroy(&in->level);
  }
  return status;
}
