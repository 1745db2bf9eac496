/* SPDX-License-Identifier: MIT */
/* Updates of fields in slices, for q:update. What is mended, in the first slice, is mended in the field itself. What is made again is
 * made in memory of the search, and search:result puts it in place of the old contents. So the field answers all the time. If
 * somebody else updates it meanwhile, the request begins again, as its contents may be older by then. */
#include "lua/base/costs.h"
#include "lua/query/field.h"
#include "lua/query/slices.h"

bool lwend_is_same_field(const lwend_request *request) {
  const lwend_field *f = ((const lwend_slices *)request->subject)->target;
  return f->made - f->updates == request->made;
}

/* Reads the arguments: the field at 1, whose slots become those of the request, and the options at 2. */
static void read_field_update(lua_State *L, lwend_request *request, unsigned more) {
  lwend_slices *work = request->subject;
  lwend_field *f = work->target = lwend_tofield(L, 1);
  lwend_read_options(L, request, 2, more & LWEND_FOR_QUEUE);
  lwend_pushanchor(L, 1);
  for (int slot = LWEND_MAP; slot <= LWEND_KEPT; slot++) {
    lua_rawgeti(L, -1, slot - LWEND_MAP + 1);
    lwend_request_put(L, request, slot);
  }
  lua_pop(L, 1);
  lwend_request_set(L, request, LWEND_FIELD, 1);
  lwend_check_costs(L, request);
  (void)lwend_check_updatable(L, f);
  request->made = f->made - f->updates;
}

static void begin_field_update(lua_State *L, lwend_request *request) {
  lwend_slices *work = request->subject;
  lwend_field *f = work->target;
  wend_search *search = request->searcher->search;
  const wend_costs *costs = &request->search.costs;
  (void)lwend_check_updatable(L, f);
  if (work->field == NULL) work->field = wend_field_create(&request->state->alloc);
  if (work->field == NULL) lwend_no_memory(L);
  request->status = lwend_check_memory(L, wend_field_mend(f->field, search, request->g->map, costs, &work->changed));
  work->rebuilt = false;
  if (request->status == WEND_INVALID) lwend_raise_unknown(L);
  work->again = request->status == WEND_RUNNING;
  if (!work->again) lwend_note_update(f, request);
  work->made = f->made;
  if (work->again) (void)lwend_check_memory(L, wend_field_begin_again(work->field, f->field, search, work->map, costs, true));
}

static uint64_t run_field_update(lua_State *L, lwend_request *request) {
  lwend_slices *work = request->subject;
  uint64_t used;
  if (!work->again) return request->status = WEND_OK, work->changed < request->slice ? work->changed : request->slice;
  request->status = lwend_check_memory(L, wend_field_step(work->field, request->searcher->search, request->slice, &used));
  if (request->status == WEND_OK && work->target->made != work->made) request->status = WEND_RUNNING, request->begun = false;
  return used;
}

static int answer_field_update(lua_State *L, lwend_request *request) {
  lwend_slices *work = request->subject;
  lwend_field *f = work->target;
  if (request->status != WEND_OK || (work->again && f->made != work->made))
    return lwend_push_failed(L, "the field was made anew meanwhile", WEND_STALE);
  if (work->again) {
    (void)lwend_check_updatable(L, f);
    wend_field_destroy(f->field);
    f->field = work->field;
    work->field = NULL;
    work->rebuilt = true, work->again = false;
    work->changed = wend_field_count(f->field);
    lwend_note_update(f, request);
  }
  lwend_pushwhole(L, work->changed);
  lua_pushboolean(L, work->rebuilt);
  return 2;
}

const lwend_sliced_kind lwend_update_kind = {
    false, false, NULL, read_field_update, begin_field_update, run_field_update, answer_field_update};
