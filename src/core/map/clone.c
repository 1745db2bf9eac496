/* SPDX-License-Identifier: MIT */
/* Copies of maps, and frozen versions: map.h describes them. Whatever has to know all parts of a map is here: copying, freezing,
 * counting the memory and freeing it. Most parts are arrays, which the kind of the map lists. */
#include <string.h>

#include "core/map/map.h"

WEND_NO_FUSING

/* ---- Parts -------------------------------------------------------------------------------------------------- */

static const wend_array derived_rows[] = {WEND_ARRAY(wend_derived, hidden, hidden_capacity, ARRAY_OF_MAP),
                                          WEND_ARRAY(wend_derived, hidden_edges, hidden_edges_capacity, ARRAY_OF_MAP),
                                          WEND_ARRAY(wend_derived, hidden_walls, hidden_walls_capacity, ARRAY_OF_MAP)};
static const wend_arrays derived_arrays = WEND_ARRAYS(derived_rows);

/* The disc of a grid. */
static wend_fit **fit_of(const wend_map *map) { return (wend_fit **)((uintptr_t)map + map->kind->fit_at); }

static void free_fit(wend_map *map) {
  wend_fit **fit = fit_of(map);
  if (map->kind->fit_at == 0 || *fit == NULL) return;
  WEND_FREE(&map->alloc, (*fit)->cells, (*fit)->cells_capacity);
  WEND_FREE(&map->alloc, (*fit)->closed.marks, (*fit)->closed.capacity);
  map->alloc.resize(map->alloc.ud, *fit, sizeof **fit, 0);
  *fit = NULL;
}

/* Gives a disc to a map, in the memory of its own, with all that is known of steps. False: no memory. */
static bool copy_fit(wend_map *map, const wend_map *from) {
  const wend_fit *known = from->kind->fit_at != 0 ? *fit_of(from) : NULL;
  wend_fit *fit;
  if (known == NULL) {
    free_fit(map);
    return true;
  }
  if (*fit_of(map) == NULL) *fit_of(map) = wend_new_part(&map->alloc, sizeof *fit);
  fit = *fit_of(map);
  if (fit == NULL || !WEND_RESIZE(&map->alloc, fit->cells, fit->cells_capacity, known->cells_capacity) ||
      !WEND_GROW(&map->alloc, fit->closed.marks, fit->closed.capacity, known->closed.count)) {
    return false;
  }
  memcpy(fit->cells, known->cells, known->cells_capacity * sizeof *fit->cells);
  for (uint32_t i = 0; i < known->closed.count; i++) fit->closed.marks[i] = known->closed.marks[i];
  fit->closed.count = known->closed.count;
  fit->radius = known->radius, fit->passes = known->passes, fit->version = known->version, fit->noted = known->noted;
  return true;
}

/* Frees a map, with all that it has. */
static void free_map(wend_map *map) {
  const wend_alloc alloc = map->alloc;
  map->kind->free(map);
  free_fit(map);
  wend_names_free(&map->tag_names, &alloc);
  wend_prepared_free(map->prepared, &alloc);
  if (map->derived != NULL) {
    wend_arrays_free(derived_arrays, ARRAY_ANY, &alloc, map->derived);
    alloc.resize(alloc.ud, map->derived, sizeof *map->derived, 0);
  }
  wend_arrays_free(*map->kind->arrays, ARRAY_ANY, &alloc, map);
  wend_delete(map, map->kind->bytes);
}

/* The arrays, the disc and the tables are those of another map. */
static void forget_shared(wend_map *map) {
  wend_arrays_forget(*map->kind->arrays, ARRAY_READ, map);
  if (map->kind->fit_at != 0) *fit_of(map) = NULL;
  map->prepared = NULL;
}

/* A struct with the numbers of a map. shared: and with the parts that versions share. NULL: no memory. */
static wend_map *new_struct(const wend_map *map, bool shared) {
  const wend_names none = {NULL, 0, NULL, 0, 0, 0};
  const wend_versions alone = {NULL, NULL, 0, NULL, NULL, 0, false};
  wend_map *made = map->alloc.resize(map->alloc.ud, NULL, 0, map->kind->bytes);
  if (made == NULL) return NULL;
  memcpy(made, map, map->kind->bytes);
  map->kind->strip(made);
  wend_arrays_forget(*map->kind->arrays, ARRAY_EDITED | ARRAY_OF_MAP, made);
  if (!shared) forget_shared(made);
  made->tag_names = none;
  made->journal.first = made->journal.end;
  made->derived = NULL;
  made->has_digest = made->shared = false;
  made->versions = alone;
  return made;
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

static void add_memory(const wend_map *map, size_t *edges, size_t *rest) {
  const bool is_version = map->versions.users > 0;
  const wend_fit *fit = map->kind->fit_at != 0 ? *fit_of(map) : NULL;
  *rest += map->kind->bytes;
  map->kind->count(map, edges, rest);
  if (is_version && map->shared) return; /* a version counts what it does not share */
  *edges += wend_arrays_bytes(*map->kind->arrays, ARRAY_EDGES, map) + wend_names_bytes(&map->tag_names);
  *rest += wend_arrays_bytes(*map->kind->arrays, ARRAY_ANY, map) - wend_arrays_bytes(*map->kind->arrays, ARRAY_EDGES, map);
  if (fit != NULL) *rest += sizeof *fit + fit->cells_capacity * sizeof *fit->cells + fit->closed.capacity;
  if (map->derived != NULL) *rest += sizeof *map->derived + wend_arrays_bytes(derived_arrays, ARRAY_ANY, map->derived);
  WEND_FOR_TABLES(map, one)
  if (!is_version || !wend_prepared_is_shared(one)) *rest += wend_prepared_bytes(one);
}

void wend_map_memory(const wend_map *map, size_t *edges, size_t *rest) {
  *edges = *rest = 0;
  add_memory(map, edges, rest);
  for (const wend_map *one = map->versions.newest; one != NULL; one = one->versions.older) add_memory(one, edges, rest);
  for (const wend_map *one = map->versions.spare; one != NULL; one = one->versions.older) add_memory(one, edges, rest);
}

/* ---- Copies ------------------------------------------------------------------------------------------------- */

wend_status wend_map_copy(wend_map *map, wend_map **copy) {
  wend_map *made;
  *copy = NULL;
  if (map->kind->settle(map) != WEND_OK) return WEND_NO_MEMORY;
  made = new_struct(map, false);
  if (made == NULL) return WEND_NO_MEMORY;
  made->serial = wend_map_new_serial();
  if (!wend_arrays_copy(*map->kind->arrays, ARRAY_READ | ARRAY_EDITED, &map->alloc, map, made) || !copy_fit(made, map) ||
      !wend_names_copy(&made->tag_names, &map->alloc, &map->tag_names, map->own_tags) || !map->kind->copy(made, map)) {
    free_map(made);
    return WEND_NO_MEMORY;
  }
  *copy = made;
  return WEND_OK;
}

void wend_map_take(wend_map *map, wend_map *copy) {
  const wend_map was = *map;
  const size_t size = map->kind->bytes;
  for (size_t i = 0; i < size; i++) { /* the bytes of the structs */
    const char byte = ((char *)map)[i];
    ((char *)map)[i] = ((char *)copy)[i], ((char *)copy)[i] = byte;
  }
  copy->journal = map->journal, copy->versions = map->versions, copy->derived = map->derived;
  map->journal = was.journal, map->versions = was.versions, map->derived = was.derived;
  map->serial = was.serial;
  map->version = was.version + 1, map->closings = was.closings + 1;
  map->labels = was.labels + 1, map->structure = was.structure + 1;
  map->has_digest = false;
  wend_map_note_all(map);
}

wend_graph *wend_map_graph(wend_map *map) { return map->is_grid ? NULL : (wend_graph *)map; }
wend_grid *wend_map_grid(wend_map *map) { return map->is_grid ? (wend_grid *)map : NULL; }

/* ---- Frozen versions ---------------------------------------------------------------------------------------- */

/* A map and a version do not share arrays any more. */
static void part(wend_map *map, wend_map *version) {
  map->shared = version->shared = false;
  version->journal.changes = NULL, version->journal.capacity = 0;
  version->journal.first = version->journal.end;
}

wend_map *wend_map_freeze(wend_map *map) {
  wend_map *version = map->versions.users > 0 ? map : map->shared ? map->versions.newest : NULL;
  if (version != NULL && version->tag_names.count == map->tag_names.count) {
    version->versions.users++;
    return version;
  }
  if (version != NULL && !wend_map_unshare(map)) return NULL; /* new names of tags, without an edit */
  if (map->kind->settle(map) != WEND_OK) return NULL;
  version = new_struct(map, true);
  if (version == NULL) return NULL;
  version->tag_names.count = map->tag_names.count;
  version->journal = map->journal;
  version->versions.of = map;
  version->versions.older = map->versions.newest;
  version->versions.users = 1;
  map->versions.newest = version;
  map->shared = version->shared = true;
  return version;
}

/* Takes a version, or a spare one, out of a list. */
static void take_out(wend_map **list, wend_map *version) {
  while (*list != version) list = &(*list)->versions.older;
  *list = version->versions.older;
  version->versions.older = NULL;
}

bool wend_map_unshare(wend_map *map) {
  const wend_arrays arrays = *map->kind->arrays;
  wend_map *own = map->versions.spare;
  if (own != NULL) {
    take_out(&map->versions.spare, own);
    map->versions.kept--;
  } else {
    own = new_struct(map, false);
    if (own == NULL) return false;
  }
  if (!wend_arrays_copy(arrays, ARRAY_READ, &map->alloc, map, own) || !copy_fit(own, map) ||
      !wend_prepared_copy(map->prepared, &map->alloc, &own->prepared)) {
    free_map(own);
    return false;
  }
  part(map, map->versions.newest);
  map->versions.kept++;
  forget_shared(map);
  wend_arrays_exchange(arrays, ARRAY_READ, map, own);
  if (map->kind->fit_at != 0) *fit_of(map) = *fit_of(own);
  map->prepared = own->prepared;
  forget_shared(own);
  free_map(own);
  return true;
}

void wend_map_must_edit(wend_map *map) {
  wend_map *version = map->versions.newest;
  if (wend_map_can_edit(map)) return;
  part(map, version);
  forget_shared(version);
  version->versions.lost = true;
}

/* A version without users, whose arrays the map may use again. False: it has enough of them, or these have none. */
static bool keep_arrays(wend_map *map, wend_map *version) {
  if (version->versions.lost) return false;
  if (map->versions.kept > VERSIONS_KEPT) {
    map->versions.kept--;
    return false;
  }
  wend_prepared_free(version->prepared, &version->alloc);
  version->prepared = NULL;
  version->kind->free(version);
  version->versions.older = map->versions.spare;
  map->versions.spare = version;
  return true;
}

void wend_map_thaw(wend_map *version) {
  wend_map *map;
  if (version == NULL || --version->versions.users > 0) return;
  map = version->versions.of;
  if (map != NULL) {
    take_out(&map->versions.newest, version);
    if (version->shared) {
      part(map, version);
      forget_shared(version);
    } else if (keep_arrays(map, version)) {
      return;
    }
  }
  free_map(version);
}

/* Leaves the versions to their users, and frees the spare arrays. */
static void leave_versions(wend_map *map) {
  wend_map *version = map->versions.newest, *older;
  if (map->shared) {
    part(map, version);
    forget_shared(map);
  }
  for (; version != NULL; version = older) {
    older = version->versions.older;
    version->versions.of = version->versions.older = NULL;
  }
  for (version = map->versions.spare; version != NULL; version = older) {
    older = version->versions.older;
    free_map(version);
  }
}

void wend_map_destroy(wend_map *map) {
  if (map == NULL) return;
  leave_versions(map);
  free_map(map);
}
