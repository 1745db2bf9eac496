/* SPDX-License-Identifier: MIT */
/* Paths, routes and fields in slices. search.c runs them; route.c and field.c have what is special about routes and fields. */
#ifndef WEND_LUA_QUERY_SLICES_H
#define WEND_LUA_QUERY_SLICES_H

#include "lua/base/query.h"

struct lwend_field;

/* What a path, a route or a field keeps between slices: the subject of its request. */
typedef struct lwend_slices {
  wend_map *map; /* which it searches: that of the request, or the version of it that a search in slices reads */
  /* Routes. */
  lwend_clear clear;
  wend_route route;
  double from[3], to[3]; /* the ends, on a grid in cells */
  /* Fields. */
  struct lwend_field *target; /* of map:field: the field whose contents are made; NULL: search:result makes a field of them */
  wend_field *field;          /* NULL: there is none yet, or search:result has handed it out */
  double *values;             /* of the goals; NULL: all 0 */
  uint32_t values_capacity;
  bool valued; /* the values were copied */
  /* Updates of fields: `target` is the field. */
  bool again;       /* it is being made again, as `field` */
  bool rebuilt;     /* all of it was made again */
  uint32_t made;    /* how often it was made when that began */
  uint32_t changed; /* how many of its values were found again */
} lwend_slices;

/* What is searched for. */
typedef struct lwend_sliced_kind {
  bool has_goals; /* nodes or cells, of which the searcher has a list before it begins */
  bool is_path;   /* one search: it fills in its statistics after each slice */
  /* Makes the cells among the arguments numbers, before the request is started. NULL: there are none. */
  void (*spread)(lua_State *L, const lwend_map *g);
  /* Reads the arguments from index 2 on. more: 0, or LWEND_FOR_SEARCH. */
  void (*read)(lua_State *L, lwend_request *request, unsigned more);
  /* These run protected, with the costs pushed. Begins to search. */
  void (*begin)(lua_State *L, lwend_request *request);
  /* Expands at most request->slice nodes, and sets request->status. Returns the number of expansions. */
  uint64_t (*run)(lua_State *L, lwend_request *request);
  /* Pushes the path or route, or nil, a message and a code. Returns the number of values. Of a field only what map:field returns if
   * it is stale: see lwend_answer_field. */
  int (*answer)(lua_State *L, lwend_request *request);
} lwend_sliced_kind;
extern const lwend_sliced_kind lwend_route_kind, lwend_field_kind, lwend_update_kind;

/* Searches in one slice, and answers. work: becomes the subject of the request. Runs protected. */
static inline int lwend_search_at_once(lua_State *L, lwend_request *request, const lwend_sliced_kind *kind,
                                       lwend_slices *work) {
  request->subject = work;
  if (!lwend_request_ready(L, request)) return kind->answer(L, request);
  if (kind->has_goals) (void)lwend_read_goals(L, request);
  work->map = request->g->map;
  kind->begin(L, request);
  (void)kind->run(L, request);
  lwend_set_stats(L, request, NULL);
  return kind->answer(L, request);
}
/* Copies the start values of the `count` goals of a field, once: the script may change its list later. Runs protected. */
void lwend_copy_values(lua_State *L, lwend_request *request, uint32_t count);
/* Pushes the field, outside of a protected call. self: the stack index of the search, whose anchor has the option into, and
 * then the field. The frame is the request's. */
int lwend_answer_field(lua_State *L, lwend_request *request, int self);
/* The map of the field at index, an argument. */
lwend_map *lwend_check_field_map(lua_State *L, int index);
/* Whether the field that a request updates still has the goals and options that it had when the request was made. */
bool lwend_is_same_field(const lwend_request *request);
/* Frees what the slices have allocated. */
void lwend_slices_free(lwend_slices *work, const wend_alloc *alloc);
/* How many bytes these are. */
size_t lwend_slices_bytes(const lwend_slices *work);
/* The place in the anchor of a search for the option into of a field, and then for the field. */
#define LWEND_FIELD_AT (LWEND_FIELD - LWEND_MAP + 1)

#endif
