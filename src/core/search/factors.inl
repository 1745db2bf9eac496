/* SPDX-License-Identifier: MIT */
/* The factors of variation: see wend_noise. A part of kernel.c. */

/* On grids, large blocks are from 8 to 64 cells wide, and small ones 4. */
#define LARGE_LEAST 8.0
#define LARGE_MOST 64.0
#define SMALL_CELLS 4.0
/* What small blocks have of the variation. */
#define SMALL_SHARE 0.25

/* The power of two nearest to a length, by their ratio. */
static double round_to_power(double length) {
  int exponent;
  const double part = frexp(length, &exponent); /* from 0.5 up to 1 */
  return ldexp(part < 0.70710678118654752 ? 0.5 : 1, exponent);
}

/* Where all cells cost the same there are only large blocks: small ones would make paths turn for nothing. */
void wend_set_noise(wend_noise *noise, uint64_t seed, double large, const wend_region *region) {
  uint64_t drawn = seed;
  if (region != NULL && !(large > LARGE_LEAST)) large = LARGE_LEAST;
  if (region != NULL && large > LARGE_MOST) large = LARGE_MOST;
  noise->by_edges = !(large > 1e-100 && large < 1e100);
  noise->share[1] = noise->same ? 0 : SMALL_SHARE, noise->share[0] = 1 - noise->share[1];
  for (int i = 0; i < WEND_NOISES; i++) noise->seed[i] = drawn = wend_mix(drawn);
  if (noise->by_edges) return;
  large = round_to_power(large);
  noise->per_block[0] = 1 / large, noise->per_block[1] = 1 / (region != NULL ? SMALL_CELLS : large / SMALL_CELLS);
  noise->shift = 2;
  while (noise->same && (double)(1u << noise->shift) < large) noise->shift++;
  for (int d = 0; d < 3; d++) {
    noise->offset[d] = large * wend_random_unit(drawn = wend_mix(drawn));
    if (region != NULL) noise->offset[d] = floor(noise->offset[d]);
  }
  if (region != NULL) noise->offset[0] += region->left, noise->offset[1] += region->top;
}

/* Draws a factor: see wend_draw_factor. dimensions: 0 if each edge is a block. */
WEND_INLINE void draw(const wend_noise *noise, int dimensions, const double *p, wend_id edge, wend_known_factor *known) {
  double share = 0, unit;
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

double wend_draw_factor(const wend_noise *noise, int dimensions, const double *p, wend_id edge) {
  wend_known_factor known;
  draw(noise, noise->by_edges ? 0 : dimensions, p, edge, &known);
  return known.factor;
}

/* Draws the factor of a place or an edge, and remembers it. */
static WEND_NOINLINE void draw_factor(const wend_search *s, uint32_t place, wend_id key, wend_known_factor *known) {
  double p[3];
  const int dimensions = s->noise.by_edges ? 0 : wend_point_of(&s->estimator, place, p);
  draw(&s->noise, dimensions, p, key, known);
  known->key = key;
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
  if (noise->known[index].key != key) draw_factor(s, place, key, &noise->known[index]);
  return &noise->known[index];
}

/* The same; without variation it is 1. */
WEND_INLINE double factor_onto(const wend_search *s, uint32_t place, uint32_t arc) {
  return WEND_LIKELY(!(s->noise.most > 0)) ? 1 : known_factor(s, place, arc)->factor;
}
