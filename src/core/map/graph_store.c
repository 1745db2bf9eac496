/* SPDX-License-Identifier: MIT */
/* Blocks of arcs, inserting edges into them, and packing. graph_store.h describes the layout and its invariant.
 *
 * wend_graph_sync does one of three things:
 *
 *   1  nothing      no edge waits, and nothing asks for packing
 *   2  packing      many edges wait; or many places were added since the last packing; or much of the pool or many places are
 *                   unused
 *   3  insertion    of the waiting edges, one by one, at the end of their sections; then packing, if that has left much of the
 *                   pool unused
 *
 * An example. Nodes A at (9,0), B at (9,9) and C at (0,0) were added. They have the places 0, 1 and 2, and empty blocks without
 * room. The numbers 0 .. 19 are indexes into the pool of arcs; | separates the sections out, both, in; . is unused room.
 *
 * Adding edges  e0: A to B, one-way   e1: A and C, two-way   e2: C to A, one-way
 *   They wait. The next sync inserts them. A block without room moves to the end of the pool and gets room for 4 arcs:
 *
 *     place 0, A, at 0     e0 | e1 | e2  .              e0 and e2 have an arc at each end,
 *     place 1, B, at 4        |    | e0  .  .  .        in section `out` where they begin
 *     place 2, C, at 8     e2 | e1 |     .  .           and `in` where they end
 *
 * Adding edges  e3: A and C, two-way   e4: A to C, one-way
 *   e3 takes the last room of A. For e4, A moves to 12 and gets room for 8 arcs. The arcs 0 .. 3 are wasted until the next
 *   packing. 20 arcs of the pool are used.
 *
 *     place 0, A, at 12    e0 e4 | e1 e3 | e2  .  .  .
 *     place 2, C, at 8     e2    | e1 e3 | e4
 *
 * Removing e1
 *   The arcs behind it in both blocks move down by one. Slot 1 of the edges is vacant.
 *
 *     place 0, A, at 12    e0 e4 | e3 | e2  .  .  .  .
 *     place 2, C, at 8     e2    | e3 | e4  .
 *
 * Removing B
 *   Its edge e0 is removed first. Place 1 then belongs to no node, and its 4 arcs are wasted too: 8 of 20. Slot 0 of the edges
 *   and slot 1 of the nodes are vacant.
 *
 * Adding an edge  C to A, one-way
 *   It takes slot 0 of the edges, with generation 1, and waits. Call it f0.
 *
 * Packing
 *   It fills new arrays, in linear time. The graph changes in the last step only, which cannot fail. (A graph this small would
 *   not be packed: see PACK_MIN.)
 *
 *   1  order       The curve passes C, then A: C becomes place 0, A becomes place 1. The place of B is left out.
 *   2  sections    The arcs of each section are counted, old ones and waiting ones: C has 2 1 1, A has 1 1 2. The sums of the
 *                  counts tell where sections begin: C at 0, 2, 3 and A at 4, 5, 6.
 *   3  positions   They are copied in the new order.
 *   4  arcs        The old arcs are copied section by section, then those of waiting edges are added. This keeps the order in
 *                  which edges were added.
 *   5  exchange    The graph takes the new arrays. The old ones are freed.
 *
 *     place 0, C, at 0     e2 f0 | e3 | e4              8 arcs are used, none is wasted.
 *     place 1, A, at 4     e4    | e3 | e2 f0           No block has unused room. */
#include "core/map/graph_store.h"

#include <string.h>

#include "core/space/hilbert.h"

WEND_NO_FUSING

/* A block that grows doubles its room, and gets room for at least this many more arcs: most nodes have few edges. */
#define BLOCK_ROOM_MIN 4
/* A graph is packed only for at least this many waiting edges, new places, wasted arcs or removed nodes. For fewer, packing
 * costs more than it gains, however small the graph is. */
#define PACK_MIN 64

/* ---- Memory ------------------------------------------------------------------------------------------------ */

#define PLACES (ARRAY_READ | ARRAY_PLACES)
#define ARCS (PLACES | ARRAY_EDGES)
static const wend_array graph_rows[] = {
    WEND_ARRAY(wend_graph, slot_of, place_capacity, PLACES),
    WEND_ARRAY(wend_graph, out, place_capacity, PLACES),
    WEND_ARRAY(wend_graph, in, place_capacity, PLACES),
    WEND_ARRAY(wend_graph, room, place_capacity, PLACES), /* for edits, but it has the capacity of the others */
    WEND_ARRAY(wend_graph, flags, place_capacity, PLACES),
    WEND_ARRAY(wend_graph, node_tag, node_tag_capacity, PLACES),
    WEND_ARRAY(wend_graph, points, points_capacity, PLACES),
    WEND_ARRAY(wend_graph, arc_weight, arcs_capacity, ARCS),
    WEND_ARRAY(wend_graph, arc_to, arcs_capacity, ARCS),
    WEND_ARRAY(wend_graph, arc_edge, arcs_capacity, ARCS),
    WEND_ARRAY(wend_graph, arc_tag, arcs_capacity, ARCS),
    WEND_ARRAY(wend_graph, arc_flags, arcs_capacity, ARCS),
    WEND_ARRAY(wend_graph, pending, pending_capacity, ARRAY_OF_MAP | ARRAY_PLACES | ARRAY_EDGES),
    WEND_ARRAY(wend_graph, nodes.value, nodes.capacity, ARRAY_READ),
    WEND_ARRAY(wend_graph, nodes.generation, nodes.generation_capacity, ARRAY_READ),
    WEND_ARRAY(wend_graph, nodes.vacant, nodes.vacant_capacity, ARRAY_EDITED),
    WEND_ARRAY(wend_graph, edges.value, edges.capacity, ARRAY_READ | ARRAY_EDGES),
    WEND_ARRAY(wend_graph, edges.generation, edges.generation_capacity, ARRAY_READ | ARRAY_EDGES),
    WEND_ARRAY(wend_graph, edges.vacant, edges.vacant_capacity, ARRAY_EDITED | ARRAY_EDGES),
    WEND_ARRAY(wend_graph, node_touched, node_touched_capacity, ARRAY_OF_MAP),
    WEND_ARRAY(wend_graph, edge_touched, edge_touched_capacity, ARRAY_OF_MAP | ARRAY_EDGES),
    WEND_ARRAY(wend_graph, radius, radius_capacity, ARRAY_EDITED),
    WEND_ARRAY(wend_graph, tagged, tagged_capacity, ARRAY_READ),
    WEND_ARRAY(wend_graph, width, width_capacity, ARRAY_READ | ARRAY_EDGES),
    MAP_ARRAYS(wend_graph, ARRAY_EDGES)};
const wend_arrays wend_graph_arrays = WEND_ARRAYS(graph_rows);

bool wend_graph_grow_places(wend_graph *graph, uint64_t wanted) {
  const wend_column columns[] = {WEND_COLUMN(graph->slot_of), WEND_COLUMN(graph->out), WEND_COLUMN(graph->in),
                                 WEND_COLUMN(graph->room), WEND_COLUMN(graph->flags)};
  if (graph->node_tag != NULL && !wend_graph_grow_node_tags(graph, wanted, 0)) return false;
  return wend_grow_columns(&graph->map.alloc, columns, 5, &graph->place_capacity, wanted);
}

bool wend_graph_grow_points(wend_graph *graph, uint64_t places) {
  uint32_t old = graph->points_capacity;
  if (!WEND_GROW(&graph->map.alloc, graph->points, graph->points_capacity, places * (uint64_t)graph->dimensions)) return false;
  for (uint32_t i = old; i < graph->points_capacity; i++) graph->points[i] = NAN;
  return true;
}

bool wend_graph_grow_node_tags(wend_graph *graph, uint64_t places, uint32_t tag) {
  const wend_alloc *alloc = &graph->map.alloc;
  return WEND_GROW_CLEAR(alloc, graph->node_tag, graph->node_tag_capacity, places) &&
         WEND_GROW_CLEAR(alloc, graph->tagged, graph->tagged_capacity, (uint64_t)tag + 1);
}

void wend_graph_put_node_tag(wend_graph *graph, uint32_t place, uint32_t tag) {
  const uint32_t old = wend_graph_tag_at(graph, place);
  if (old != WEND_UNTAGGED) graph->tagged[old]--, graph->tagged_count--;
  if (tag != WEND_UNTAGGED) graph->tagged[tag]++, graph->tagged_count++;
  if (graph->node_tag != NULL) graph->node_tag[place] = (uint16_t)tag;
}

bool wend_graph_grow_pool(wend_graph *graph, uint64_t wanted) {
  const wend_column columns[] = {WEND_COLUMN(graph->arc_weight), WEND_COLUMN(graph->arc_to), WEND_COLUMN(graph->arc_tag),
                                 WEND_COLUMN(graph->arc_flags), WEND_COLUMN(graph->arc_edge)};
  return wend_grow_columns(&graph->map.alloc, columns, 5, &graph->arcs_capacity, wanted);
}

/* ---- Blocks ------------------------------------------------------------------------------------------------ */

void wend_graph_flip_arc(wend_graph *graph, uint32_t at, uint32_t flags) {
  wend_arc arc = wend_graph_get_arc(graph, at);
  arc.kind ^= flags;
  wend_graph_set_arc(graph, at, arc);
}

/* Moves `count` arcs from one index of the pool to another. The two ranges may overlap. */
static void move_arcs(wend_graph *graph, uint32_t to, uint32_t from, uint32_t count) {
  memmove(graph->arc_weight + to, graph->arc_weight + from, count * sizeof *graph->arc_weight);
  memmove(graph->arc_to + to, graph->arc_to + from, count * sizeof *graph->arc_to);
  memmove(graph->arc_tag + to, graph->arc_tag + from, count * sizeof *graph->arc_tag);
  memmove(graph->arc_flags + to, graph->arc_flags + from, count * sizeof *graph->arc_flags);
  memmove(graph->arc_edge + to, graph->arc_edge + from, count * sizeof *graph->arc_edge);
}

/* Makes room for one more arc in the block of a place. A full block moves to the end of the pool. False: no memory. */
static bool make_room(wend_graph *graph, uint32_t place) {
  wend_block block = wend_graph_block(graph, place);
  uint32_t count = block.end - block.first;
  uint32_t room = count < BLOCK_ROOM_MIN ? count + BLOCK_ROOM_MIN : count * 2, to = graph->arcs_used;
  if (count < graph->room[place]) return true;
  if (!wend_graph_grow_pool(graph, (uint64_t)to + room)) return false;
  move_arcs(graph, to, block.first, count);
  block.both += to - block.first;
  block.in += to - block.first;
  block.first = to;
  block.end = to + count;
  wend_graph_set_block(graph, place, block);
  graph->arcs_used += room;
  graph->arcs_wasted += graph->room[place];
  graph->room[place] = room;
  return true;
}

/* Inserts an arc at the end of its section. The block has room. */
static void insert_arc(wend_graph *graph, uint32_t place, wend_section where, wend_arc arc) {
  wend_block block = wend_graph_block(graph, place);
  uint32_t at = where == SECTION_OUT ? block.both : where == SECTION_BOTH ? block.in : block.end;
  move_arcs(graph, at + 1, at, block.end - at);
  wend_graph_set_arc(graph, at, arc);
  block.end++;
  if (where != SECTION_IN) block.in++;
  if (where == SECTION_OUT) block.both++;
  wend_graph_set_block(graph, place, block);
}

void wend_graph_remove_arc(wend_graph *graph, uint32_t place, uint32_t arc) {
  wend_block block = wend_graph_block(graph, place);
  wend_section where = wend_block_section(block, arc);
  move_arcs(graph, arc, arc + 1, block.end - arc - 1);
  block.end--;
  if (where != SECTION_IN) block.in--;
  if (where == SECTION_OUT) block.both--;
  wend_graph_set_block(graph, place, block);
}

uint32_t wend_graph_arc(const wend_graph *graph, uint32_t edge, uint32_t *from) {
  *from = graph->nodes.value[graph->edges.value[edge]];
  return wend_graph_find_arc(graph, *from, edge, false);
}

/* ---- Insertion --------------------------------------------------------------------------------------------- */

/* The arc of a waiting edge that leads to a place. */
static wend_arc arc_to(const wend_graph *graph, const wend_pending *edge, uint32_t place) {
  wend_arc arc;
  arc.weight = edge->weight;
  arc.to = place;
  arc.kind = edge->kind | ((graph->flags[place] & PLACE_CLOSED) != 0 ? ARC_BARRED : 0);
  arc.edge = edge->edge;
  return arc;
}

/* An arc of a waiting edge: its place and section, and the place at the other end. */
typedef struct edge_end {
  uint32_t place, other;
  wend_section where;
} edge_end;

/* Writes the arcs of a waiting edge: one at each end; only one if the edge is two-way and leads from a node to itself. Returns how
 * many they are. */
static int waiting_ends(const wend_graph *graph, const wend_pending *edge, edge_end *ends) {
  const uint32_t from = graph->nodes.value[edge->from], to = graph->nodes.value[edge->to];
  ends[0] = (edge_end){from, to, edge->directed ? SECTION_OUT : SECTION_BOTH};
  ends[1] = (edge_end){to, from, edge->directed ? SECTION_IN : SECTION_BOTH};
  return edge->directed || from != to ? 2 : 1;
}

/* Inserts the waiting edges. NO_MEMORY: some were inserted, the others still wait. */
static wend_status insert_one_by_one(wend_graph *graph) {
  uint32_t done = 0;
  for (; done < graph->pending_count; done++) {
    const wend_pending *edge = &graph->pending[done];
    edge_end ends[2];
    const int count = waiting_ends(graph, edge, ends);
    int i = 0;
    for (; i < count && make_room(graph, ends[i].place); i++)
      insert_arc(graph, ends[i].place, ends[i].where, arc_to(graph, edge, ends[i].other));
    if (i == count) continue;
    if (i == 1) /* an edge has both arcs or none */
      wend_graph_remove_arc(graph, ends[0].place, wend_graph_find_arc(graph, ends[0].place, edge->edge, false));
    break;
  }
  graph->pending_count -= done;
  memmove(graph->pending, graph->pending + done, graph->pending_count * sizeof *graph->pending);
  return graph->pending_count == 0 ? WEND_OK : WEND_NO_MEMORY;
}

/* ---- Packing ----------------------------------------------------------------------------------------------- */

/* The data of one packing. Only the places, the positions and the pool of `made` are used. */
typedef struct packing {
  wend_graph made;
  uint32_t *order;    /* by new place: the old place */
  uint32_t *place_at; /* by old place: the new place */
  uint32_t order_capacity, place_at_capacity;
  wend_block *fill; /* by new place. Step 2: how many arcs each section gets (first, both, in); step 4: where the next goes */
  uint32_t fill_capacity;
  uint16_t *rows[PREPARED_MAX]; /* of a prepared graph, by number of the tables */
} packing;

/* The number in p->fill of a section of an old place. */
static uint32_t *fill_of(packing *p, uint32_t place, wend_section where) {
  wend_block *fill = &p->fill[p->place_at[place]];
  return where == SECTION_OUT ? &fill->first : where == SECTION_BOTH ? &fill->both : &fill->in;
}

/* 1. The order of the places along the curve, without those of removed nodes. Without positions, the order stays. */
static bool pack_order(wend_graph *graph, packing *p) {
  const wend_alloc *alloc = &graph->map.alloc;
  uint32_t all = graph->place_count, *scratch = NULL, scratch_capacity = 0;
  if (!WEND_RESIZE(alloc, p->order, p->order_capacity, all) || !WEND_RESIZE(alloc, p->place_at, p->place_at_capacity, all))
    return false;
  if (graph->points != NULL) {
    if (!WEND_RESIZE(alloc, scratch, scratch_capacity, (uint64_t)all * 3)) return false;
    wend_hilbert_order(graph->points, graph->dimensions, all, p->order, scratch);
    WEND_FREE(alloc, scratch, scratch_capacity);
  } else {
    for (uint32_t i = 0; i < all; i++) p->order[i] = i;
  }
  for (uint32_t i = 0; i < all; i++) {
    uint32_t old = p->order[i];
    if (graph->slot_of[old] == WEND_NONE) continue;
    p->place_at[old] = p->made.place_count;
    p->order[p->made.place_count++] = old;
  }
  return true;
}

/* 2. Where the sections of each block begin, and memory for all arcs. False: no memory, or 2^32 - 1 arcs or more. */
static bool pack_sections(wend_graph *graph, packing *p) {
  wend_graph *made = &p->made;
  uint64_t sum = 0;
  if (!wend_graph_grow_places(made, made->place_count) ||
      !WEND_RESIZE(&graph->map.alloc, p->fill, p->fill_capacity, made->place_count))
    return false;
  for (uint32_t i = 0; i < made->place_count; i++) {
    wend_block old = wend_graph_block(graph, p->order[i]);
    wend_block counts = {old.both - old.first, old.in - old.both, old.end - old.in, 0};
    p->fill[i] = counts;
    made->slot_of[i] = graph->slot_of[p->order[i]];
    made->flags[i] = graph->flags[p->order[i]];
  }
  for (uint32_t i = 0; i < graph->pending_count; i++) {
    edge_end ends[2];
    const int count = waiting_ends(graph, &graph->pending[i], ends);
    for (int k = 0; k < count; k++) ++*fill_of(p, ends[k].place, ends[k].where);
  }
  for (uint32_t i = 0; i < made->place_count; i++) {
    wend_block counts = p->fill[i], block;
    uint64_t count = (uint64_t)counts.first + counts.both + counts.in;
    if (sum + count >= WEND_NONE) return false;
    block.first = (uint32_t)sum;
    block.both = block.first + counts.first;
    block.in = block.both + counts.both;
    block.end = block.in + counts.in;
    wend_graph_set_block(made, i, block);
    p->fill[i] = block;
    made->room[i] = (uint32_t)count;
    sum += count;
  }
  made->arcs_used = (uint32_t)sum;
  return wend_graph_grow_pool(made, sum);
}

/* 3. The positions, and the tags of nodes. */
static bool pack_points(wend_graph *graph, packing *p) {
  size_t dimensions = (size_t)graph->dimensions;
  uint64_t numbers = (uint64_t)p->made.place_count * dimensions;
  if (graph->node_tag != NULL) {
    if (!WEND_RESIZE(&graph->map.alloc, p->made.node_tag, p->made.node_tag_capacity, p->made.place_count)) return false;
    for (uint32_t i = 0; i < p->made.place_count; i++) p->made.node_tag[i] = graph->node_tag[p->order[i]];
  }
  if (graph->points == NULL) return true;
  if (!WEND_RESIZE(&graph->map.alloc, p->made.points, p->made.points_capacity, numbers)) return false;
  for (uint32_t i = 0; i < p->made.place_count; i++)
    memcpy(p->made.points + i * dimensions, graph->points + p->order[i] * dimensions, dimensions * sizeof(double));
  return true;
}

/* The rows of a prepared graph. */
static bool pack_potentials(wend_graph *graph, packing *p) {
  uint16_t **rows = p->rows;
  WEND_FOR_TABLES(&graph->map, one) {
    if (one->rows != NULL) *rows = wend_prepared_reorder(one, &graph->map.alloc, p->order, p->made.place_count);
    if (one->rows != NULL && *rows == NULL) return false;
    rows++;
  }
  return true;
}

/* Gives them to the tables; without `done` frees them. */
static void end_potentials(wend_graph *graph, packing *p, bool done) {
  const uint32_t count = p->made.place_count;
  uint16_t **rows = p->rows;
  WEND_FOR_TABLES(&graph->map, one) {
    if (*rows != NULL) {
      if (done) wend_prepared_take(one, &graph->map.alloc, *rows, count);
      else wend_prepared_drop(one, &graph->map.alloc, *rows, count);
    }
    rows++;
  }
}

/* Copies a section of an old block, the arcs from .. end - 1, to the new pool. Returns where the copy ends. */
static uint32_t pack_section(const wend_graph *graph, packing *p, uint32_t from, uint32_t end, uint32_t to) {
  for (; from < end; from++, to++) {
    wend_arc arc = wend_graph_get_arc(graph, from);
    arc.to = p->place_at[arc.to];
    wend_graph_set_arc(&p->made, to, arc);
  }
  return to;
}

/* 4. The arcs of the old blocks, then those of the waiting edges. Cannot fail. */
static void pack_arcs(wend_graph *graph, packing *p) {
  for (uint32_t i = 0; i < p->made.place_count; i++) {
    wend_block old = wend_graph_block(graph, p->order[i]), *fill = &p->fill[i];
    fill->first = pack_section(graph, p, old.first, old.both, fill->first);
    fill->both = pack_section(graph, p, old.both, old.in, fill->both);
    fill->in = pack_section(graph, p, old.in, old.end, fill->in);
  }
  for (uint32_t i = 0; i < graph->pending_count; i++) {
    const wend_pending *edge = &graph->pending[i];
    edge_end ends[2];
    const int count = waiting_ends(graph, edge, ends);
    for (int k = 0; k < count; k++) {
      wend_arc arc = arc_to(graph, edge, ends[k].other);
      arc.to = p->place_at[ends[k].other];
      wend_graph_set_arc(&p->made, (*fill_of(p, ends[k].place, ends[k].where))++, arc);
    }
  }
}

/* 5. The graph and `made` exchange their arrays. Cannot fail. */
static void pack_exchange(wend_graph *graph, packing *p) {
  const wend_graph *made = &p->made;
  wend_arrays_exchange(wend_graph_arrays, ARRAY_PLACES, graph, &p->made);
  graph->place_count = graph->ordered_count = made->place_count;
  graph->arcs_used = made->arcs_used;
  graph->arcs_wasted = graph->pending_count = 0;
  graph->packings++;
  wend_map_note_all(&graph->map); /* places have moved */
  for (uint32_t i = 0; i < graph->place_count; i++) graph->nodes.value[graph->slot_of[i]] = i;
  wend_slots_trim(&graph->nodes, &graph->map.alloc);
  wend_slots_trim(&graph->edges, &graph->map.alloc);
}

/* Packs the graph. NO_MEMORY: the graph is as it was. */
static wend_status pack(wend_graph *graph) {
  packing p;
  bool done;
  memset(&p, 0, sizeof p);
  p.made.map.alloc = graph->map.alloc;
  done = pack_order(graph, &p) && pack_sections(graph, &p) && pack_points(graph, &p) && pack_potentials(graph, &p);
  if (done) {
    pack_arcs(graph, &p);
    pack_exchange(graph, &p);
  }
  end_potentials(graph, &p, done);
  wend_arrays_free(wend_graph_arrays, ARRAY_PLACES, &graph->map.alloc,
                   &p.made); /* of the old arrays; after a failure, of the new ones */
  WEND_FREE(&graph->map.alloc, p.fill, p.fill_capacity);
  WEND_FREE(&graph->map.alloc, p.order, p.order_capacity);
  WEND_FREE(&graph->map.alloc, p.place_at, p.place_at_capacity);
  return done ? WEND_OK : WEND_NO_MEMORY;
}

/* ---- Sync -------------------------------------------------------------------------------------------------- */

/* Whether the places or the pool ask for packing. The thresholds are shares of what is kept, so the work of packing is amortized
 * over the edits before it:
 *   new places      64 or more, and more than a quarter of the places that the last packing put in order
 *   wasted arcs     64 or more, and more than `kept`: the arcs and the unused room of all blocks
 *   dead places     64 or more, and more than there are nodes */
static bool is_worn(const wend_graph *graph) {
  uint32_t kept = graph->arcs_used - graph->arcs_wasted;
  uint32_t added = graph->place_count - graph->ordered_count;
  uint32_t dead = graph->place_count - graph->nodes.live;
  return (added >= PACK_MIN && added > graph->ordered_count / 4) ||
         (graph->arcs_wasted >= PACK_MIN && graph->arcs_wasted > kept) || (dead >= PACK_MIN && dead > graph->nodes.live);
}

/* Whether so many edges wait that packing is cheaper than inserting them: 64 or more, and more than an eighth of `kept`. */
static bool has_many_waiting(const wend_graph *graph) {
  return graph->pending_count >= PACK_MIN && graph->pending_count > (graph->arcs_used - graph->arcs_wasted) / 8;
}

/* Tells the tables of a prepared graph its new nodes and the waiting edges, which they do not know yet. False: no memory. */
static bool admit_all(wend_graph *graph) {
  WEND_FOR_TABLES(&graph->map, one) {
    const bool knows_all = graph->pending_count == 0 && one->place_count >= graph->place_count;
    if (one->rows != NULL && !knows_all && !one->admit(graph, one)) return false;
  }
  return true;
}

/* Lists the shortcuts: see shortcuts.h. No edge waits. Cannot fail. */
static void list_shortcuts(wend_graph *graph) {
  wend_histogram *ratios = &graph->map.ratios;
  ratios->unlisted = false;
  ratios->listed_count = 0;
  for (uint32_t place = 0; ratios->cut > 0 && place < graph->place_count; place++) {
    const wend_block block = wend_graph_block(graph, place);
    if (graph->slot_of[place] == WEND_NONE) continue;
    for (uint32_t i = block.first; i < block.in; i++) {
      if (i >= block.both && place > graph->arc_to[i]) continue; /* a two-way edge has an arc at each end */
      wend_histogram_list(ratios, fabs(graph->arc_weight[i]), wend_graph_distance(graph, place, graph->arc_to[i]),
                          graph->arc_edge[i]);
    }
  }
}

/* After a sync that succeeds, another one without an edit between them changes nothing. Searches depend on this: a callback may
 * start another search of the same graph, which syncs, while the marks of the outer search refer to places and arcs. Programs
 * with several threads depend on it too: one thread syncs, then all search. A graph that insertion has worn out is packed at once:
 * inserting wastes the old blocks, and few wasted arcs may become 64. */
wend_status wend_graph_sync(wend_graph *graph) {
  wend_status status = WEND_OK;
  bool worn = is_worn(graph);
  /* No write without a change: several threads may call this for a map that nobody edits. */
  if (graph->map.ratios.unsettled) wend_histogram_settle(&graph->map.ratios);
  if (graph->map.scales.changed) wend_scales_settle(&graph->map.scales);
  if (!admit_all(graph)) return WEND_NO_MEMORY;
  if (!worn && graph->pending_count > 0) {
    if (has_many_waiting(graph)) {
      worn = true;
    } else {
      status = insert_one_by_one(graph);
      worn = is_worn(graph);
    }
  }
  if (status == WEND_OK && worn) status = pack(graph);
  if (status == WEND_OK && WEND_UNLIKELY(graph->map.ratios.unlisted)) list_shortcuts(graph);
  return status;
}
