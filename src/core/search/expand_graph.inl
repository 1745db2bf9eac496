/* SPDX-License-Identifier: MIT */
/* Expands a node of a graph: relaxes the arcs that leave it, or in a backward search the arcs that lead to it. A part of
 * kernel.c. */

/* mark: of the node. span: the arcs (graph_store.h). False: a cost or an estimate is invalid (negative or NaN). */
WEND_INLINE bool expand_graph(wend_search *s, hot_state *hot, uint32_t from, const wend_mark *mark, wend_span span,
                              const wend_cost_kind costs, const wend_heuristic_kind heuristic, const bool back, const bool heap,
                              const bool perturbed, const bool paged) {
  const wend_graph *graph = s->graph;
  const double *weights = hot->weights;
  const uint32_t *nodes = hot->targets;
  const uint16_t *tag_of = graph->arc_tag;
  const wend_tag_cost *tags = s->opts.costs.tags;
  const double g = mark->g;
  wend_arrival by = {0, arrival_of(s, hot, from, paged)->edge_count + 1};
  for (uint32_t i = span.first; i < span.end; i++) {
    double weight, cost;
    wend_price price;
    if (!wend_arc_is_open(graph, weights, i, back, &weight)) continue;
    price = costs == COSTS_ALL ? wend_arc_tag_price(&s->stepper, i, back ? from : nodes[i], weight)
                               : wend_price_of(costs, tags, costs == COSTS_WEIGHTS ? 0 : tag_of[i], weight);
    if (costs == COSTS_ALL) { /* widths are read only where an arc can make `to` cheaper */
      const wend_mark *to = mark_of(hot, nodes[i], paged);
      if ((to->stamp - hot->epoch <= MARK_FLAGS && g + price.least > to->g) || wend_arc_is_narrow(graph, i, s->opts.costs.size))
        continue;
    }
    cost = price.cost;
    if (price.asked && s->stepper.kind == COSTS_ASKED) { /* variants for COSTS_ASKED run searches with COSTS_TAGS too */
      const wend_mark *to = mark_of(hot, nodes[i], paged);
      /* An arc that cannot make `to` cheaper needs no call of the edge function. */
      if (to->stamp - hot->epoch <= MARK_FLAGS && g + price.least > to->g) continue;
      if (s->stepper.asking == ASKING_NEVER) cost = price.least;
      else cost = wend_arc_ask(&s->stepper, back ? nodes[i] : from, back ? from : nodes[i], i, price);
      if (s->stepper.invalid) return false;
    }
    if (perturbed) cost *= factor_onto(s, back ? from : nodes[i], i);
    by.via = i;
    if (!relax(s, hot, from, g, nodes[i], g + cost, by, EXPAND_GRAPH, heuristic, heap, paged)) return false;
  }
  return true;
}
