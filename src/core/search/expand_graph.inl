/* SPDX-License-Identifier: MIT */
/* Graphs: along the arcs that leave a node, or going back that lead to it. A part of search.c. */

/* What the edge function makes of an arc between a node and the one at its other end. Negative or NaN: it gave up. */
static WEND_NOINLINE double ask(wend_search *s, uint32_t here, uint32_t arc, double cost) {
  const wend_graph *graph = s->graph;
  wend_id near = id_of(s, here), far = id_of(s, graph->arc_to[arc]);
  wend_step step;
  step.from = s->back ? far : near;
  step.to = s->back ? near : far;
  step.edge = edge_id_of(s, arc);
  step.cost = cost;
  step.tag = graph->arc_tag[arc];
  s->stats.callbacks++;
  return s->opts.costs.edge(s->opts.costs.ud, &step);
}

/* Walks the arcs of a node. False: a cost or an estimate was none. */
WEND_INLINE bool expand_graph(wend_search *s, hot_state *hot, uint32_t from, wend_span span, const wend_cost_kind costs,
                              const wend_heuristic_kind heuristic, const bool back, const bool heap, const bool varied) {
  const double *weights = s->graph->arc_weight;
  const uint32_t *nodes = s->graph->arc_to;
  const uint16_t *tag_of = s->graph->arc_tag;
  const wend_tag_cost *tags = s->opts.costs.tags;
  const double g = hot->marks[from].g;
  wend_arrival by = {0, s->arrivals[from].edge_count + 1};
  for (uint32_t i = span.first; i < span.end; i++) {
    double cost = weights[i];
    if (WEND_UNLIKELY(wend_is_blocked(cost))) {
      /* A closed node at the other end can be left. */
      if (!back || (s->graph->arc_flags[i] & ARC_CLOSED) != 0) continue;
      cost = -cost;
    }
    if (costs != COSTS_WEIGHTS) {
      const wend_tag_cost *tag = &tags[tag_of[i]];
      cost = cost * tag->times + tag->plus;
      if (costs == COSTS_ASKED && tag->asks && wend_is_asked(&s->opts.costs, tag, cost)) {
        const wend_mark *to = &hot->marks[nodes[i]];
        const double least = wend_least_cost(&s->opts.costs, tag, cost);
        /* An edge that could not improve anything is not asked about. */
        if (to->stamp - hot->epoch <= MARK_FLAGS && g + least > to->g) continue;
        cost = ask(s, from, i, cost);
        if (!(cost >= 0)) return false;
      }
    }
    if (varied) cost *= cost_factor(hot, s->graph->arc_edge[i], varied);
    by.via = i;
    if (!relax(s, hot, from, g, nodes[i], cost, by, EXPAND_GRAPH, heuristic, heap)) return false;
  }
  return true;
}

/* What an arc costs on the way between two nodes. Negative or NaN: the edge function gave up. */
static double cost_of_step(wend_search *s, wend_id from, wend_id to, uint32_t arc) {
  const wend_costs *costs = &s->opts.costs;
  wend_step step = {from, to, edge_id_of(s, arc), 0, s->graph->arc_tag[arc]};
  const double weight = fabs(s->graph->arc_weight[arc]);
  if (costs->tags != NULL && costs->edge != NULL && costs->tags[step.tag].asks) s->stats.callbacks++;
  return wend_cost_of(costs, &step, weight);
}
