/* SPDX-License-Identifier: MIT */
/* Costs: from a weight and a tag to what an edge or a step costs an agent. The one place that decides whether the edge
 * function is asked:
 *
 *   tag asks?   closed by its tag?   at_least then
 *   no          -                    -        weight x times + plus
 *   yes         no                   -        it is asked
 *   yes         yes                  > 0      closed: an answer of at least at_least x INFINITY could not open it
 *   yes         yes                  0        it is asked, with INFINITY, and may open it */
#ifndef WEND_COSTS_H
#define WEND_COSTS_H

#include "core/base/bits.h"
#include "core/base/memory.h"

/* Whether the edge function is asked about what costs so much by its tag. */
static inline bool wend_is_asked(const wend_costs *costs, const wend_tag_cost *tag, double cost) {
  return tag->asks && costs->edge != NULL && !(cost == INFINITY && tag->at_least > 0);
}

/* The least that it can come to: what is cheaper already need not be asked about. */
static inline double wend_least_cost(const wend_costs *costs, const wend_tag_cost *tag, double cost) {
  return !wend_is_asked(costs, tag, cost) ? cost : tag->at_least > 0 ? cost * tag->at_least : 0;
}

/* What an edge of so much weight costs; all of step but its cost is filled in. INFINITY: it cannot be taken. Negative or NaN:
 * the edge function gave up. */
WEND_INLINE double wend_cost_of(const wend_costs *costs, wend_step *step, double weight) {
  const wend_tag_cost *tag;
  if (costs->tags == NULL) return weight;
  tag = &costs->tags[step->tag];
  step->cost = weight * tag->times + tag->plus;
  return wend_is_asked(costs, tag, step->cost) ? costs->edge(costs->ud, step) : step->cost;
}

#endif
