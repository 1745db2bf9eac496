/* SPDX-License-Identifier: MIT */
/* The reference A*, a template. It is included once for each queue and number of dimensions, with
 *   QUEUE         bucket or heap, the name of its operations and of the member of `graph`
 *   DIMENSIONS    2 or 3; 0: no estimate, so a goal that does not exist, NONE, gives the costs of all nodes
 * It defines `QUEUE_search_DIMENSIONS(graph, start, goal)`, which returns the cost of the path; INFINITY: there is none. The
 * ids of its nodes, 1-based, are then in `path` and `path_count` of the graph.
 *
 * A node may be expanded again when it is reached at a lower cost, so the result does not depend on
 * the order in which equal or nearly equal keys leave the queue. */

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define OP(name) JOIN(QUEUE, name)
#define NAME JOIN(JOIN(QUEUE, _search_), DIMENSIONS)

static double NAME(graph *g, uint32_t start, uint32_t goal) {
  const uint32_t *first = g->first;
  const uint32_t *targets = g->targets;
  const double *weights = g->weights;
#if DIMENSIONS > 0
  const double(*points)[DIMENSIONS] = (const double(*)[DIMENSIONS])g->points;
  const double scale = g->scale;
  const double goal_x = points[goal][0], goal_y = points[goal][1];
#endif
#if DIMENSIONS == 3
  const double goal_z = points[goal][2];
#define REST(node) (scale * length3(points[node][0] - goal_x, points[node][1] - goal_y, points[node][2] - goal_z))
#elif DIMENSIONS == 2
#define REST(node) (scale * length2(points[node][0] - goal_x, points[node][1] - goal_y))
#else
#define REST(node) 0.0
#endif
  label *labels = g->labels;
  const uint32_t open = next_stamp(g), closed = open + 1;
  double best = start == goal ? 0.0 : INFINITY;
  uint64_t expanded = 0;

  OP(_reset)(&g->QUEUE, REST(start));
  labels[start].g = 0.0;
  labels[start].parent = NONE;
  labels[start].stamp = open;
  if (start != goal) OP(_push)(&g->QUEUE, start, REST(start));

  for (;;) {
    uint32_t node = OP(_pop)(&g->QUEUE);
    if (node == NONE) break;
    if (labels[node].stamp != open) continue; /* a duplicate: the node was expanded before */
    labels[node].stamp = closed;
    expanded++;
    const double node_g = labels[node].g;
    for (uint32_t arc = first[node], end = first[node + 1]; arc < end; arc++) {
      const uint32_t to = targets[arc];
      label *l = &labels[to];
      const double to_g = node_g + weights[arc];
      /* One condition, not two: processors cannot predict whether the label is of this search. */
      const double known = (l->stamp | 1) == closed ? l->g : INFINITY;
      if (!(to_g < known)) continue;
      const double key = to_g + REST(to);
      if (!(key < best)) continue;
      l->g = to_g;
      l->parent = node;
      l->stamp = open;
      if (to == goal) { /* not pushed: the goal is never expanded */
        l->stamp = closed;
        best = to_g;
        OP(_narrow)(&g->QUEUE, best);
      } else {
        OP(_push)(&g->QUEUE, to, key);
      }
    }
  }
  g->expanded += expanded;

  uint32_t *end = g->path_buffer + g->node_count, *to = end;
  if (best < INFINITY)
    for (uint32_t node = goal; node != NONE; node = labels[node].parent) *--to = node + 1;
  g->path = to;
  g->path_count = (uint32_t)(end - to);
  return best;
}

#undef REST
#undef NAME
#undef OP
#undef JOIN
#undef JOIN_
#undef QUEUE
#undef DIMENSIONS
