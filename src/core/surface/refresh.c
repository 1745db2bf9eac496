/* SPDX-License-Identifier: MIT */
/* The graph of a surface is compared with the blocks, near those that have changed, and gets the differences as edits:
 *
 *   1  places that have gone are removed, with their edges
 *   2  edges of the places that remain are removed if their step has gone or costs something else; tags are set
 *   3  new places become nodes
 *   4  steps that have no edge get one
 *
 * The graph itself says what is done already. So if memory runs out, the same work can begin again. */
#include "core/surface/data.h"

WEND_NO_FUSING

/* Where the places of changed blocks are, and the ends of steps that changed blocks matter to.
 *
 * A step is an edge both ways if the way back is the same. So a place is compared if its own steps may have changed, or those of a
 * neighbour. */
static surface_box places_near(const wend_surface *s, const surface_box *changed) {
  surface_box box = *changed;
  box.lo[2] -= (int32_t)s->opts.height - 1;
  box.hi[2] += 1;
  return box;
}
static surface_box steps_near(const wend_surface *s, const surface_box *changed) {
  surface_box box = *changed;
  const int32_t step = (int32_t)s->opts.step, drop = (int32_t)s->opts.drop, most = step > drop ? step : drop;
  for (int i = 0; i < 2; i++) box.lo[i] -= s->view.reach + 1, box.hi[i] += s->view.reach + 1;
  box.lo[2] -= (int32_t)s->opts.height + step + most + 1;
  box.hi[2] += 1 + drop + most + 1;
  return box;
}

/* Whether steps from a column of a chunk may have changed. Only jumps reach farther than 2 columns, and these are straight. */
static bool is_near(const wend_surface *s, const surface_chunk *chunk, int32_t a, int32_t b) {
  const int32_t at[] = {chunk->at[0] * CHUNK_SIDE + a, chunk->at[1] * CHUNK_SIDE + b};
  int32_t away[2];
  for (int i = 0; i < 2; i++) {
    away[i] = at[i] < s->rest.lo[i] ? s->rest.lo[i] - at[i] : at[i] > s->rest.hi[i] ? at[i] - s->rest.hi[i] : 0;
    if (away[i] > s->view.reach + 1) return false;
  }
  return (away[0] <= 2 && away[1] <= 2) || away[0] == 0 || away[1] == 0;
}

/* Whether the places of a chunk at a height are compared. */
static bool is_between(const surface_box *box, const surface_chunk *chunk, int32_t h) {
  const int32_t high = chunk->at[2] * CHUNK_SIDE + h;
  return high >= box->lo[2] && high <= box->hi[2];
}

/* ---- 2. Edges that go -------------------------------------------------------------------------------------- */

/* Whether an edge, as an arc at its beginning, is the step. */
static bool is_step(const wend_graph *graph, const surface_link *link, wend_block block, uint32_t arc) {
  const wend_arc found = wend_graph_get_arc(graph, arc);
  const bool measured = (found.kind & ARC_MEASURED) != 0;
  return link->node == wend_slots_id(&graph->nodes, graph->slot_of[found.to]) && link->both == (arc >= block.both) &&
         link->tag == found.kind >> ARC_TAG_SHIFT && measured == (link->weight < 0) &&
         (measured || link->weight == found.weight);
}

/* The block of arcs of a node. */
static wend_block arcs_of_node(const wend_graph *graph, wend_id node) {
  return wend_graph_block(graph, graph->nodes.value[wend_slots_find(&graph->nodes, node)]);
}

static wend_status remove_edges(wend_surface *s, wend_id node, const surface_link *links, uint32_t count) {
  wend_block block = arcs_of_node(s->graph, node);
  for (uint32_t arc = block.first; arc < block.in;) {
    uint32_t i = 0;
    wend_status status;
    while (i < count && !is_step(s->graph, &links[i], block, arc)) i++;
    arc++;
    if (i < count) continue;
    status = wend_graph_remove_edge(s->graph, wend_slots_id(&s->graph->edges, s->graph->arc_edge[arc - 1]));
    if (status != WEND_OK) return status;
    block = arcs_of_node(s->graph, node);
    arc = block.first;
  }
  return WEND_OK;
}

/* ---- 3. Nodes ---------------------------------------------------------------------------------------------- */

static uint32_t place_tag(const wend_surface *s, const surface_chunk *chunk, uint32_t i) {
  return s->classes[chunk->ground[i]].tag;
}

/* Gives the places of a chunk that have none a node. Those in a row that have the same tag are added together. */
static wend_status add_nodes(wend_surface *s, surface_chunk *chunk) {
  uint32_t at = 0, begin = 0, count = 0;
  const double aside = s->opts.centred ? 0 : 0.5, down = s->opts.centred ? 0.5 : 0;
  if (!WEND_GROW(&s->alloc, s->points, s->points_capacity, (uint64_t)chunk->count * 3)) return WEND_NO_MEMORY;
  for (uint32_t column = 0; column < CHUNK_COLUMNS; column++) {
    for (uint32_t bits = chunk->place[column]; bits != 0; bits &= bits - 1, at++) {
      double *point = s->points + (size_t)at * 3;
      point[s->axis[0]] = (double)chunk->at[0] * CHUNK_SIDE + (column & 15) + aside;
      point[s->axis[1]] = (double)chunk->at[1] * CHUNK_SIDE + (column >> 4) + aside;
      point[s->axis[2]] = (double)chunk->at[2] * CHUNK_SIDE + wend_lowest_bit(bits) - down;
    }
  }
  for (at = 0; at < chunk->count; at += count == 0 ? 1 : count) {
    wend_id first;
    wend_status status;
    begin = at, count = 0;
    while (begin + count < chunk->count && chunk->nodes[begin + count] == WEND_NO_ID &&
           place_tag(s, chunk, begin + count) == place_tag(s, chunk, begin))
      count++;
    if (count == 0) continue;
    status = wend_graph_add_nodes(s->graph, count, s->points + (size_t)begin * 3, place_tag(s, chunk, begin), &first);
    if (status != WEND_OK) return status;
    for (uint32_t i = 0; i < count; i++) chunk->nodes[begin + i] = first + i;
  }
  return WEND_OK;
}

/* ---- 4. Edges that come ------------------------------------------------------------------------------------ */

static wend_status flush_edges(wend_surface *s) {
  wend_id first;
  const uint32_t count = s->spec_count;
  s->spec_count = 0;
  return count == 0 ? WEND_OK : wend_graph_add_edges(s->graph, count, s->specs, &first);
}

/* Adds the steps from a place that have no edge. One that leads both ways is added at one end, if both are looked at. */
static wend_status add_edges(wend_surface *s, const surface_chunk *chunk, const int32_t *at, wend_id node,
                             const surface_link *links, uint32_t count, const surface_box *box) {
  const wend_block block = arcs_of_node(s->graph, node);
  if (!WEND_GROW(&s->alloc, s->specs, s->specs_capacity, (uint64_t)s->spec_count + LINKS_MAX)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    const surface_link *link = &links[i];
    const int32_t rise = link->to[2] - 16 - at[2];
    const bool ahead = link->to[0] != 0 ? link->to[0] > 0 : link->to[1] != 0 ? link->to[1] > 0 : rise > 0;
    uint32_t arc = block.first;
    if (link->node == WEND_NO_ID) continue;
    if (link->both && !ahead && is_between(box, chunk, at[2] + rise) &&
        is_near(s, chunk, at[0] + link->to[0], at[1] + link->to[1]))
      continue;
    while (arc < block.in && !is_step(s->graph, link, block, arc)) arc++;
    if (arc < block.in) continue;
    s->specs[s->spec_count++] = (wend_edge_spec){node, link->node, link->weight, link->tag, !link->both, INFINITY};
  }
  return s->spec_count < 1024 ? WEND_OK : flush_edges(s);
}

/* ---- All --------------------------------------------------------------------------------------------------- */

/* Compares the places of a chunk in a box with the graph: step 4, or step 2. */
static wend_status compare(wend_surface *s, surface_chunk *chunk, const surface_box *box, bool adding) {
  const surface_box part = wend_surface_part(chunk, box);
  const uint32_t high = (1u << (part.hi[2] + 1)) - (1u << part.lo[2]);
  wend_status status = WEND_OK;
  bool seen = false;
  for (int32_t b = part.lo[1]; b <= part.hi[1]; b++) {
    for (int32_t a = part.lo[0]; a <= part.hi[0]; a++) {
      const uint32_t column = wend_surface_column(a, b);
      if (!is_near(s, chunk, a, b)) continue;
      for (uint32_t bits = chunk->place[column] & high; bits != 0 && status == WEND_OK; bits &= bits - 1) {
        const int32_t h = (int32_t)wend_lowest_bit(bits), at[] = {a, b, h};
        const uint32_t index = wend_surface_index(chunk, column, (uint32_t)h);
        const wend_id node = chunk->nodes[index];
        surface_link links[LINKS_MAX];
        uint32_t count;
        if (node == WEND_NO_ID) continue;
        if (!seen && !wend_surface_look(s, chunk, &part)) return WEND_NO_MEMORY;
        seen = true;
        count = wend_surface_links(s, a, b, h, links);
        if (adding) {
          status = add_edges(s, chunk, at, node, links, count, box);
        } else {
          const uint32_t tag = place_tag(s, chunk, index);
          if (wend_graph_node_tag(s->graph, node) != tag) status = wend_graph_set_node_tag(s->graph, node, tag);
          if (status == WEND_OK) status = remove_edges(s, node, links, count);
        }
      }
    }
  }
  return status;
}

wend_status wend_surface_refresh(wend_surface *s, const surface_box *changed) {
  const surface_box *rest = &s->rest;
  surface_box places, steps;
  surface_chunk *chunk;
  wend_status status = WEND_OK;
  if (changed == NULL && !s->unfinished) return WEND_OK;
  for (int i = 0; i < 3 && changed != NULL; i++) {
    if (!s->unfinished || changed->lo[i] < rest->lo[i]) s->rest.lo[i] = changed->lo[i];
    if (!s->unfinished || changed->hi[i] > rest->hi[i]) s->rest.hi[i] = changed->hi[i];
  }
  s->unfinished = true;
  s->spec_count = 0;
  places = places_near(s, rest), steps = steps_near(s, rest);
  status = wend_graph_sync(s->graph);
  for (int phase = 0; phase < 5 && status == WEND_OK; phase++) {
    surface_walk walk = wend_surface_begin_walk(s, phase == 0 ? rest : phase == 1 ? &places : &steps);
    while (status == WEND_OK && (chunk = wend_surface_next_chunk(s, &walk)) != NULL) {
      switch (phase) {
        case 0: wend_surface_find_room(s, chunk, rest); break;
        case 1: status = wend_surface_find_places(s, chunk, &places); break;
        case 2: status = chunk->count == 0 ? WEND_OK : compare(s, chunk, &steps, false); break;
        case 3: status = chunk->count == 0 ? WEND_OK : add_nodes(s, chunk); break;
        default: status = chunk->count == 0 ? WEND_OK : compare(s, chunk, &steps, true); break;
      }
    }
    if (phase == 4 && status == WEND_OK) status = flush_edges(s);
  }
  if (status != WEND_OK) return status;
  s->unfinished = false;
  wend_surface_drop_empty(s, rest);
  return WEND_OK;
}
