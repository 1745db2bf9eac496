/* SPDX-License-Identifier: MIT */
/* The factors of variation: see wend_noise. A part of kernel.c. */

/* Draws the factor of the blocks where a place lies, or where each edge is a block, of an edge. */
static WEND_NOINLINE void draw_factor(const wend_search *s, uint32_t place, wend_id edge, wend_known_factor *known) {
  const wend_noise *noise = &s->noise;
  const int dimensions = noise->by_edges ? 0 : s->grid != NULL ? 2 : s->graph->dimensions;
  double p[3], share = 0, unit;
  if (!noise->by_edges) (void)wend_point_of(&s->estimator, place, p);
  for (int i = 0; i < WEND_NOISES; i++) {
    uint64_t drawn = noise->seed[i] ^ (noise->by_edges ? edge : 0);
    for (int d = 0; d < dimensions; d++)
      drawn = wend_mix(drawn) ^ wend_bits_of(floor((p[d] + noise->offset[d]) * noise->per_block[i]));
    unit = wend_random_unit(wend_mix(drawn));
    known->level = (unsigned)(unit * WEND_NOISE_LEVELS);
    if (noise->same) unit = known->level / (WEND_NOISE_LEVELS - 1.0);
    share += noise->share[i] * unit;
    if (noise->same) break;
  }
  known->factor = 1 + noise->most * share;
}

/* The factor of the steps onto a place; arc: of a graph. There is variation. */
WEND_INLINE const wend_known_factor *known_factor(const wend_search *s, uint32_t place, uint32_t arc) {
  const wend_noise *noise = &s->noise;
  uint64_t key, index;
  if (s->grid != NULL) {
    const uint32_t x = (wend_region_x(&s->region, place) + (uint32_t)noise->offset[0]) >> noise->shift,
                   y = (wend_region_y(&s->region, place) + (uint32_t)noise->offset[1]) >> noise->shift;
    key = (uint64_t)y << 32 | x | UINT64_C(1) << 63;
    index = x + (uint64_t)y * 23;
  } else {
    index = key = noise->by_edges ? wend_search_edge(s, arc) : (uint64_t)place + 1;
  }
  index %= WEND_KNOWN_FACTORS;
  if (noise->known[index].key != key) {
    draw_factor(s, place, key, &noise->known[index]);
    noise->known[index].key = key;
  }
  return &noise->known[index];
}

/* The same; without variation it is 1. */
WEND_INLINE double factor_onto(const wend_search *s, uint32_t place, uint32_t arc) {
  return WEND_LIKELY(!(s->noise.most > 0)) ? 1 : known_factor(s, place, arc)->factor;
}
