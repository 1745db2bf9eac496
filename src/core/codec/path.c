/* SPDX-License-Identifier: MIT */
/* Paths in files. A path belongs to a map, as a field does: fingerprints are compared.
 *
 *   PATH   fingerprint, goal, flags, cost; the size of the agent, if it has one
 *   NODS   ids of nodes, 8 bytes each; or cells, 4 bytes each
 *   EDGS   of graphs: ids of edges, 8 bytes each
 *   TURN   with costs in turns: the numbers of the nodes or cells where turns end, from 0, 4 bytes each
 *
 * The ids of a path that was out of date when it was saved may name nothing any more. They are only kept. */
#include <float.h>

#include "core/codec/fingerprint.h"
#include "core/map/map.h"

/* The numbers of section PATH behind the fingerprint. */
typedef struct path_head {
  wend_saved_path path;
  bool stale; /* earlier versions wrote it: found on a copy of the map. It is read, and means nothing */
  bool straight, corners;
} path_head;

#define FLAG(field) WEND_FLAG(path_head, field)
/* clang-format off */
static const wend_record_item path_items[] = {
    WEND_WHOLE(path_head, path.goal, 4),
    WEND_FLAGS(1), FLAG(path.partial), FLAG(stale), FLAG(straight), FLAG(path.outdated), FLAG(path.closed_goal),
    FLAG(corners), FLAG(path.has_turns),
    WEND_DOUBLE(path_head, path.cost, -DBL_MAX, DBL_MAX),
};
/* clang-format on */
#undef FLAG
#define PATH_ITEMS (sizeof path_items / sizeof *path_items)

#define ID_MAX (((uint64_t)1 << 53) - 1)

/* The bytes of a node or cell in a file. */
static unsigned node_bytes(const wend_map *map) { return map->is_grid ? 4 : 8; }

static void write_ids(wend_file_out *f, const char *section, const wend_id *ids, uint32_t count, unsigned bytes) {
  wend_file_begin_section(f, section, count > 0);
  for (uint32_t i = 0; i < count; i++) wend_write_uint(&f->w, ids[i], bytes);
  wend_file_end_section(f);
}

wend_status wend_path_encode(const wend_saved_path *path, wend_map *map, void *bytes, size_t *size) {
  const path_head head = {*path, false, path->legs == WEND_STRAIGHT, path->legs == WEND_CORNERS};
  wend_file_out f;
  const wend_status status = wend_file_begin_of(&f, bytes, WEND_FILE_PATH, "PATH", map);
  if (status != WEND_OK) return status;
  wend_write_record(&f.w, &head, path_items, PATH_ITEMS);
  if (path->size > 0) wend_write_double(&f.w, path->size);
  wend_file_end_section(&f);
  write_ids(&f, "NODS", path->nodes, path->node_count, node_bytes(map));
  write_ids(&f, "EDGS", path->edges, map->is_grid ? 0 : path->node_count - 1, 8);
  wend_file_begin_section(&f, "TURN", path->has_turns && path->turn_count > 0);
  for (uint32_t i = 0; path->has_turns && i < path->turn_count; i++) wend_write_uint(&f.w, path->turn_ends[i], 4);
  wend_file_end_section(&f);
  *size = wend_file_end(&f);
  return WEND_OK;
}

/* Whether an id may stand in a path: it is there, or the path is out of date. */
static bool is_node(const wend_map *map, wend_id id, bool outdated) {
  if (map->is_grid) {
    const wend_grid *grid = (const wend_grid *)map;
    return id != 0 && id <= (uint64_t)wend_grid_width(grid) * wend_grid_height(grid);
  }
  return outdated ? id <= ID_MAX : wend_graph_has_node((const wend_graph *)map, id);
}

static bool is_edge(const wend_map *map, wend_id id, bool outdated) {
  return outdated ? id <= ID_MAX : wend_graph_has_edge((const wend_graph *)map, id);
}

/* Reads a list of ids into `ids`; NULL: only checks them. edges: they are edges. */
static bool read_path_ids(wend_reader *r, const wend_map *map, wend_id *ids, uint32_t count, bool edges, bool outdated) {
  const unsigned bytes = edges ? 8 : node_bytes(map);
  if (wend_file_count(r, bytes) != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    const wend_id id = wend_read_uint(r, bytes);
    if (!(edges ? is_edge(map, id, outdated) : is_node(map, id, outdated))) return false;
    if (ids != NULL) ids[i] = id;
  }
  return wend_file_is_done(r);
}

/* Section TURN: numbers that rise, the last of them that of the end of the path; none if the path is one place. */
static bool read_turns(wend_file_in *f, wend_saved_path *path) {
  wend_reader *r = wend_file_section(f, "TURN");
  path->turn_count = wend_file_count(r, 4);
  if (r->failed || (path->turn_count == 0) != (path->node_count == 1)) return false;
  for (uint32_t i = 0, least = 0; i < path->turn_count; i++) {
    const uint32_t end = (uint32_t)wend_read_uint(r, 4);
    if (end < least || end >= path->node_count || (end + 1 == path->node_count) != (i + 1 == path->turn_count)) return false;
    if (path->turn_ends != NULL) path->turn_ends[i] = end;
    least = end + 1;
  }
  return wend_file_is_done(r);
}

wend_status wend_path_decode(wend_saved_path *path, wend_map *map, const void *bytes, size_t size) {
  wend_file_in f;
  wend_reader *r;
  path_head head = {*path, false, false, false};
  const wend_status status = wend_file_open_of(&f, bytes, size, WEND_FILE_PATH, "PATH", map, &r);
  if (status != WEND_OK) return status;
  wend_read_record(r, &head, path_items, PATH_ITEMS);
  *path = head.path;
  path->legs = head.corners ? WEND_CORNERS : head.straight ? WEND_STRAIGHT : WEND_STEPS;
  path->size = wend_file_is_done(r) ? 0 : wend_read_number(r, DBL_MIN, map->is_grid ? WEND_SIZE_MAX : DBL_MAX);
  if (!wend_file_is_done(r) || (head.corners && (head.straight || !map->is_grid))) return WEND_FORMAT;
  if (path->closed_goal && (path->partial || head.stale)) return WEND_FORMAT; /* no such path was written */
  r = wend_file_section(&f, "NODS");
  path->node_count = wend_file_count(r, node_bytes(map));
  if (path->node_count == 0) return WEND_FORMAT;
  if (!read_path_ids(r, map, path->nodes, path->node_count, false, path->outdated)) return WEND_FORMAT;
  if (!map->is_grid) {
    r = wend_file_section(&f, "EDGS");
    if (!read_path_ids(r, map, path->edges, path->node_count - 1, true, path->outdated)) return WEND_FORMAT;
  }
  path->turn_count = 0;
  if (path->has_turns && !read_turns(&f, path)) return WEND_FORMAT;
  return wend_file_is_read(&f) ? WEND_OK : WEND_FORMAT;
}
