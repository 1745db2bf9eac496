/* SPDX-License-Identifier: MIT */
/* Batches: paths and fields by several threads of the host.
 *
 * A worker has a search of its own, whose allocator is a reserve of memory (reserve.h). Results lie there too. Fields have
 * memory of their own: `begin` makes room in them, and until the end their allocator refuses everything. So no worker calls the
 * allocator of the host. A task that fails for lack of memory is done again at the end, with the caller's search.
 *
 *   begin   for each task: syncs a graph, asks the labels of the caller's search, makes room in a field
 *           for each worker: adds to its reserve
 *   work    takes the next task that nobody has taken, until there are no more
 *   end     does what was not done; tells the labels about paths that do not exist
 *
 * Searches of workers use no labels, so what they do does not depend on which worker has done what before. */
#include <math.h>
#include <string.h>

#include "core/batch/reserve.h"
#include "core/map/graph_store.h"
#include "core/field/field.h"
#include "core/search/search.h"

WEND_NO_FUSING

typedef struct batch_worker {
  wend_reserve reserve;
  wend_search *search; /* in the reserve */
  uint64_t taken;      /* without atomics: how many tasks it has taken */
} batch_worker;

typedef struct batch_item {
  wend_batch_task task;
  wend_batch_found found;
  bool done;
  uint32_t worker;  /* whose reserve has the nodes; WEND_NONE: they are the host's */
  uint64_t work;    /* of a path, for the labels */
  wend_alloc alloc; /* of the field */
} batch_item;

struct wend_batch {
  wend_alloc alloc;
  wend_search *search; /* NULL: no batch is in progress */
  batch_item *items;
  uint32_t items_capacity, count;
  batch_worker *workers[WEND_WORKERS_MAX];
  uint32_t worker_count; /* of this batch; others may be kept */
  wend_counter next;     /* the next task */
};

wend_batch *wend_batch_create(const wend_alloc *alloc) { return wend_new(alloc, sizeof(wend_batch)); }

/* Frees the nodes and edges of all results. */
static void drop_results(wend_batch *batch) {
  for (uint32_t i = 0; i < batch->count; i++) {
    const batch_item *item = &batch->items[i];
    const uint32_t count = item->found.node_count;
    wend_alloc alloc = batch->alloc;
    if (item->worker != WEND_NONE) alloc = wend_reserve_alloc(&batch->workers[item->worker]->reserve);
    WEND_FREE(&alloc, (wend_id *)item->found.nodes, count);
    WEND_FREE(&alloc, (wend_id *)item->found.edges, count);
  }
  batch->count = 0;
}

void wend_batch_destroy(wend_batch *batch) {
  wend_alloc alloc;
  if (batch == NULL) return;
  alloc = batch->alloc;
  drop_results(batch);
  WEND_FREE(&alloc, batch->items, batch->items_capacity);
  for (uint32_t i = 0; i < WEND_WORKERS_MAX; i++) {
    if (batch->workers[i] == NULL) continue;
    wend_reserve_free(&batch->workers[i]->reserve);
    alloc.resize(alloc.ud, batch->workers[i], sizeof *batch->workers[i], 0);
  }
  wend_delete(batch, sizeof *batch);
}

/* ---- Tasks -------------------------------------------------------------------------------------------------- */

/* Copies the result of a search. False: no memory. */
static bool keep_found(batch_item *item, const wend_search *s, const wend_alloc *alloc) {
  wend_batch_found *found = &item->found;
  const bool with_edges = !item->task.map->is_grid;
  const wend_id *nodes, *edges;
  const uint32_t count = wend_search_path(s, &nodes, &edges, &found->cost);
  const size_t bytes = count * sizeof *nodes;
  wend_id *copy, *copied_edges = NULL;
  if (count == 0) return true;
  copy = alloc->resize(alloc->ud, NULL, 0, bytes);
  if (copy != NULL && with_edges) copied_edges = alloc->resize(alloc->ud, NULL, 0, bytes);
  if (copy == NULL || (with_edges && copied_edges == NULL)) {
    WEND_FREE(alloc, copy, count);
    return false;
  }
  memcpy(copy, nodes, bytes);
  if (with_edges) memcpy(copied_edges, edges, (count - 1) * sizeof *edges);
  found->nodes = copy, found->edges = copied_edges, found->node_count = count;
  return true;
}

static void find_path(batch_item *item, wend_search *s, const wend_alloc *alloc, const wend_search_opts *opts) {
  const wend_batch_task *task = &item->task;
  wend_batch_found *found = &item->found;
  wend_status status = wend_search_begin(s, task->map, task->from, task->goals, task->goal_count, opts);
  if (status == WEND_OK) status = wend_search_step(s, UINT64_MAX);
  found->status = status;
  found->stats = wend_search_stats(s);
  item->work = wend_search_work(s);
  if (opts->partial && (status == WEND_NO_PATH || status == WEND_BUDGET)) {
    const wend_status partial = wend_search_partial(s);
    if (partial != WEND_OK) found->status = partial;
    else found->partial = true;
  }
  if ((status == WEND_OK || found->partial) && !keep_found(item, s, alloc)) found->status = WEND_NO_MEMORY;
}

/* Does a task. alloc: for the nodes and edges of the result. */
static void do_task(batch_item *item, wend_search *s, const wend_alloc *alloc, bool labels) {
  const wend_batch_task *task = &item->task;
  memset(&item->found, 0, sizeof item->found);
  if (task->path != NULL) {
    wend_search_opts opts = *task->path;
    opts.no_labels = opts.no_labels || !labels;
    find_path(item, s, alloc, &opts);
  } else {
    item->found.status = wend_field_make(task->field, s, task->map, task->goals, task->values, task->goal_count, task->opts);
    item->found.stats = wend_search_stats(s);
  }
  item->done = item->found.status != WEND_NO_MEMORY;
  if (!item->done) item->found.partial = false;
}

/* The next task for a worker. */
static uint64_t take_task(wend_batch *batch, uint32_t number) {
#ifdef WEND_HAS_ATOMICS
  (void)number;
  return wend_count_up(&batch->next);
#else
  return number + batch->worker_count * batch->workers[number]->taken++;
#endif
}

void wend_batch_work(wend_batch *batch, uint32_t number) {
  batch_worker *worker;
  wend_alloc alloc;
  uint64_t i;
  if (batch->search == NULL || number >= batch->worker_count) return;
  worker = batch->workers[number];
  alloc = wend_reserve_alloc(&worker->reserve);
  while ((i = take_task(batch, number)) < batch->count) {
    batch_item *item = &batch->items[i];
    if (item->done) continue;
    item->worker = number;
    do_task(item, worker->search, &alloc, false);
  }
  wend_search_reset(worker->search);
}

/* ---- Beginning and ending ------------------------------------------------------------------------------------- */

static void *refuse(void *ud, void *block, size_t old_bytes, size_t new_bytes) {
  (void)ud, (void)old_bytes;
  return new_bytes > 0 && new_bytes <= old_bytes ? block : NULL;
}

/* Whether a worker may do a task: it calls no function. */
static bool is_allowed(const wend_batch_task *task) {
  if (wend_range_calls(task->path != NULL ? &task->path->ends : &task->opts->ends)) return false;
  if (task->path != NULL) return task->path->costs.edge == NULL && task->path->heuristic != WEND_CUSTOM;
  return task->opts->costs.edge == NULL;
}

/* Makes a task ready for workers. NO_MEMORY. */
static wend_status open_task(batch_item *item, wend_search *search) {
  const wend_batch_task *task = &item->task;
  const wend_search_opts *opts = task->path;
  wend_status status = WEND_OK;
  if (!task->map->is_grid) status = wend_graph_sync((wend_graph *)task->map);
  if (status != WEND_OK) return status;
  if (opts == NULL) return wend_field_reserve(task->field, search, task->map, task->goals, task->goal_count, task->opts);
  if (!wend_search_denies(search, task->map, task->from, task->goals, task->goal_count, opts)) return WEND_OK;
  item->found.status = WEND_NO_PATH;
  item->found.stats.known = item->done = true;
  return WEND_OK;
}

/* Memory of the first batch of a worker is not more than this. */
#define FIRST_BYTES_MAX ((uint64_t)64 << 20)
#define LEAST_BYTES ((uint64_t)256 << 10)
#define SEARCH_BYTES 28u /* of a search of the whole map, for each place: its mark, its bit in a view, and room in the queue */
#define SEARCH_NODE_BYTES 12u /* more on a graph */
#define SEARCH_KIND_BYTES 32u

/* The memory for a worker: for a search of the whole map, and for its share of the results. */
static size_t bytes_for(const wend_map *map, uint32_t results) {
  const wend_grid *grid = (const wend_grid *)map;
  const uint64_t places = map->is_grid ? grid->place_count : ((const wend_graph *)map)->place_count;
  uint64_t bytes = LEAST_BYTES + places * SEARCH_BYTES + (uint64_t)(sqrt((double)places) * results) * sizeof(wend_id);
  bytes += map->is_grid ? (uint64_t)grid->kind_count * SEARCH_KIND_BYTES : places * SEARCH_NODE_BYTES;
  return (size_t)(bytes < FIRST_BYTES_MAX ? bytes : FIRST_BYTES_MAX);
}

/* Makes the worker, and gives it `bytes` of memory; twice as much as it has, if that was not enough. False: no memory. */
static bool open_worker(wend_batch *batch, uint32_t number, size_t bytes) {
  batch_worker *worker = batch->workers[number];
  wend_reserve *reserve;
  if (worker == NULL) {
    worker = batch->workers[number] = wend_new_part(&batch->alloc, sizeof *worker);
    if (worker == NULL) return false;
    worker->reserve.alloc = batch->alloc;
  }
  reserve = &worker->reserve;
  worker->taken = 0;
  if (reserve->failed && bytes < reserve->bytes * 2) bytes = reserve->bytes * 2;
  if (bytes > reserve->bytes && !wend_reserve_add(reserve, bytes - reserve->bytes)) return false;
  if (worker->search == NULL) {
    const wend_alloc alloc = wend_reserve_alloc(reserve);
    worker->search = wend_search_create(&alloc);
  }
  return worker->search != NULL;
}

wend_status wend_batch_begin(wend_batch *batch, wend_search *search, uint32_t workers, const wend_batch_task *tasks,
                             uint32_t count) {
  wend_status status = WEND_OK;
  size_t bytes = (size_t)LEAST_BYTES, more = 0;
  if (batch->search != NULL || workers < 1 || workers > WEND_WORKERS_MAX) return WEND_INVALID;
  for (uint32_t i = 0; i < count; i++)
    if (!is_allowed(&tasks[i])) return WEND_INVALID;
  drop_results(batch);
  wend_search_reset(search);
  if (!WEND_GROW(&batch->alloc, batch->items, batch->items_capacity, count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < count && status == WEND_OK; i++) {
    batch_item *item = &batch->items[i];
    memset(item, 0, sizeof *item);
    item->task = tasks[i];
    item->worker = WEND_NONE;
    status = open_task(item, search);
    if (status == WEND_OK && (i == 0 || tasks[i].map != tasks[i - 1].map)) more = bytes_for(tasks[i].map, count / workers);
    if (more > bytes) bytes = more;
  }
  for (uint32_t i = 0; i < workers && status == WEND_OK; i++)
    if (!open_worker(batch, i, bytes)) status = WEND_NO_MEMORY;
  if (status != WEND_OK) return status;
  for (uint32_t i = 0; i < count; i++) {
    batch_item *item = &batch->items[i];
    if (tasks[i].path != NULL) continue;
    item->alloc = tasks[i].field->alloc;
    tasks[i].field->alloc.resize = refuse;
  }
  batch->search = search;
  batch->worker_count = workers, batch->count = count;
  batch->next = 0;
  return WEND_OK;
}

wend_status wend_batch_end(wend_batch *batch) {
  wend_search *search = batch->search;
  wend_status status = WEND_OK;
  if (search == NULL) return WEND_INVALID;
  for (uint32_t i = 0; i < batch->count; i++) {
    batch_item *item = &batch->items[i];
    const wend_batch_task *task = &item->task;
    if (task->path == NULL) task->field->alloc = item->alloc;
    if (!item->done) {
      item->worker = WEND_NONE;
      do_task(item, search, &batch->alloc, true);
      if (!item->done) status = WEND_NO_MEMORY;
    } else if (item->found.status == WEND_NO_PATH && item->worker != WEND_NONE) {
      wend_search_learn(search, task->map, task->path, item->work);
    }
  }
  wend_search_reset(search);
  batch->search = NULL;
  return status;
}

const wend_batch_found *wend_batch_result(const wend_batch *batch, uint32_t task) { return &batch->items[task].found; }
