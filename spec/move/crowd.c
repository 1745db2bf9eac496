/* SPDX-License-Identifier: MIT */
/* Scenes of crowds, with what they must reach. make check-crowd builds it.
 *
 *   crowd                          the short check: small scenes, invalid input, frame rates, failing allocations
 *   crowd NAME [SEEDS [FIRST]]     one scene for SEEDS seeds (1), from seed FIRST (1): a line of figures for each
 *   crowd all [SEEDS [FIRST]]      all scenes of which the arrival counts
 *   crowd mixed [SEEDS [FIRST]]    random scenes of bodies of all sizes and speeds
 *   crowd bits                     only that the positions have the bits that they had when this was written
 *   crowd cost                     nanoseconds for a walker and a step
 *
 * It exits with 1 if anything misses its target. With VERBOSE in the environment it prints the walkers that are not at their
 * goals in the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wend_move.h"

#define CHECK(what) ((what) ? (void)0 : fail(__LINE__, #what))
#define STEP (1.0 / 30)
#define MAX 100000

static int failures;
static void fail(int line, const char *what) {
  if (failures++ < 20) fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, line, what);
}

/* The same numbers on every machine. */
static uint64_t random_state;
static double random_unit(void) {
  random_state += 0x9e3779b97f4a7c15u;
  uint64_t x = random_state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (double)((x ^ (x >> 31)) >> 11) * (1.0 / 9007199254740992.0);
}
static double jitter(void) { return (random_unit() * 2 - 1) * 0.05; }

/* ---- Scenes ------------------------------------------------------------------------------------------------ */

typedef struct walker {
  wend_id id;
  double x, y, goal_x, goal_y, radius;
  double arrived, left; /* when it was first near its goal; since when it is away again; -1: not */
} walker;

typedef struct scene {
  wend_crowd *crowd;
  walker *walkers;
  uint32_t count;
  double walls[64][4];
  int wall_count;
  double near; /* from the goal: arrived */
} scene;

static void add_wall(scene *s, double x1, double y1, double x2, double y2) {
  const double wall[4] = {x1, y1, x2, y2};
  memcpy(s->walls[s->wall_count++], wall, sizeof wall);
  CHECK(wend_crowd_set_walls(s->crowd, s->walls[0], (uint32_t)s->wall_count) == WEND_OK);
}

static walker *add_walker(scene *s, double x, double y, double goal_x, double goal_y) {
  walker *w = &s->walkers[s->count++];
  wend_walker_opts opts = wend_walker_opts_default();
  opts.x = x + jitter(), opts.y = y + jitter();
  w->x = opts.x, w->y = opts.y, w->goal_x = goal_x, w->goal_y = goal_y, w->radius = opts.radius;
  w->arrived = w->left = -1;
  CHECK(wend_crowd_add(s->crowd, &opts, &w->id) == WEND_OK);
  return w;
}

static void send(scene *s, const walker *w) {
  const double goal[2] = {w->goal_x, w->goal_y};
  CHECK(wend_crowd_go(s->crowd, w->id, goal, 1) == WEND_OK);
}

static void begin(scene *s, uint64_t seed) {
  memset(s, 0, sizeof *s);
  random_state = seed * 1000003;
  s->crowd = wend_crowd_create(NULL, NULL);
  s->walkers = calloc(MAX, sizeof *s->walkers);
  s->near = 0.5;
  if (s->crowd == NULL || s->walkers == NULL) abort();
}

static void end(scene *s) {
  wend_crowd_destroy(s->crowd);
  free(s->walkers);
}

static void make_head(scene *s, int n) {
  (void)n;
  send(s, add_walker(s, -10, 0, 10, 0));
  send(s, add_walker(s, 10, 0, -10, 0));
}

/* Two rows of ten on each side; the first ones go farthest. */
static void make_corridor(scene *s, int n) {
  add_wall(s, -45, -1.5, 45, -1.5);
  add_wall(s, -45, 1.5, 45, 1.5);
  for (int i = 0; i < n; i++) {
    const double y = i % 2 == 0 ? -0.7 : 0.7, x = -22 - i / 2 * 1.9, far = 40 + (9 - i / 2) * 1.9;
    send(s, add_walker(s, x, y, x + far, y));
    send(s, add_walker(s, -x, -y, -x - far, -y));
  }
}

/* Three rows on each side, and places so close that those who stand already must make way for each of the others. */
static void make_tight(scene *s, int n) {
  add_wall(s, -45, -1.5, 45, -1.5);
  add_wall(s, -45, 1.5, 45, 1.5);
  for (int i = 0; i < n; i++) {
    const double y = (i % 3 - 1) * 0.95, x = 20 + i / 3 * 1.4 + (i % 3 == 1 ? 0.7 : 0);
    send(s, add_walker(s, -x, y, x, y));
    send(s, add_walker(s, x, -y, -x, -y));
  }
}

/* far: the first ones go farthest, as a formation does; otherwise they stop first, and the others have to pass them. */
static void make_door_of(scene *s, int n, bool far, double width) {
  const int rows = n > 100 ? 14 : 7;
  const double depth = 6 + (n - 1) / rows * 1.2, spread = 1.6;
  add_wall(s, 0, -100, 0, -width / 2);
  add_wall(s, 0, width / 2, 0, 100);
  for (int i = 0; i < n; i++) {
    const double x = 3 + i / rows * 1.2, y = (i % rows - (rows - 1) * 0.5) * 1.2;
    const walker *w = add_walker(s, -x, y, spread * (far ? depth - x : x), spread * y);
    const double points[4] = {0, 0, w->goal_x, w->goal_y};
    CHECK(wend_crowd_go(s->crowd, w->id, points, 2) == WEND_OK);
  }
}

static void make_door(scene *s, int n) { make_door_of(s, n, true, 1.5); }
static void make_mirror(scene *s, int n) { make_door_of(s, n, false, 1.5); }
/* One at a time barely fits through the first door, and two side by side through the second. */
static void make_narrow(scene *s, int n) { make_door_of(s, n, true, 1.05); }
static void make_pair(scene *s, int n) { make_door_of(s, n, true, 2); }

static void make_oncoming_of(scene *s, int n, double width) {
  add_wall(s, 0, -100, 0, -width / 2);
  add_wall(s, 0, width / 2, 0, 100);
  for (int i = 0; i < 2 * n; i++) {
    const double side = i % 2 == 0 ? 1 : -1, x = side * (3 + i / 2 / 6 * 1.2), y = (i / 2 % 6 - 2.5) * 1.2;
    const walker *w = add_walker(s, -x, y, x, y);
    const double points[4] = {0, 0, x, y};
    wend_walker_info info;
    CHECK(wend_crowd_get(s->crowd, w->id, &info) == WEND_OK);
    info.settings.squeeze = INFINITY; /* walkers of one side wait longer than the default */
    CHECK(wend_crowd_set(s->crowd, w->id, &info.settings) == WEND_OK);
    CHECK(wend_crowd_go(s->crowd, w->id, points, 2) == WEND_OK);
  }
}

static void make_oncoming(scene *s, int n) { make_oncoming_of(s, n, 1.5); }
static void make_narrow_oncoming(scene *s, int n) { make_oncoming_of(s, n, 1.05); }

static void make_circle(scene *s, int n) {
  const double radius = n > 100 ? 72 : 30;
  for (int i = 0; i < n; i++) {
    const double angle = 6.283185307179586 * i / n, x = radius * cos(angle), y = radius * sin(angle);
    send(s, add_walker(s, x, y, -x, -y));
  }
}

static void make_spot(scene *s, int n) {
  const int side = (int)ceil(sqrt(n));
  const double goal[2] = {0, 0};
  wend_id *ids = malloc((size_t)n * sizeof *ids);
  s->near = 1.5 * 0.5 * sqrt(n / 0.9069);
  for (int i = 0; i < n; i++) {
    const walker *w = add_walker(s, -40 + (i / side - (side - 1) * 0.5) * 1.5, (i % side - (side - 1) * 0.5) * 1.5, 0, 0);
    ids[i] = w->id;
    if (n <= 100) send(s, w);
  }
  if (n > 100) CHECK(wend_crowd_go_group(s->crowd, ids, (uint32_t)n, goal, 1) == WEND_OK);
  free(ids);
}

static void make_open_of(scene *s, int n, double area) {
  const double side = sqrt(n * area);
  const int columns = (int)ceil(sqrt(n));
  int *order = malloc((size_t)n * sizeof *order);
  for (int i = 0; i < n; i++) order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    const int j = (int)(random_unit() * (i + 1)), kept = order[i];
    order[i] = order[j], order[j] = kept;
  }
  for (int i = 0; i < n; i++) {
    const double x = (order[i] % columns + 0.5) * side / columns, y = (order[i] / columns + 0.5) * side / columns;
    send(s, add_walker(s, x, y, x + (random_unit() - 0.5) * 200, y + (random_unit() - 0.5) * 200));
  }
  free(order);
}

typedef struct kind {
  const char *name;
  void (*make)(scene *s, int n);
  int n;
  double target, give_up;
} kind;

static const kind kinds[] = {
    {"head", make_head, 2, 20, 60},
    {"corridor", make_corridor, 20, 110, 300},
    {"door50", make_door, 50, 80, 300},
    {"door200", make_door, 200, 250, 500},
    {"circle100", make_circle, 100, 65, 200},
    {"circle250", make_circle, 250, 140, 300},
    {"spot60", make_spot, 60, 70, 200},
    {"spot300", make_spot, 300, 80, 200},
    {"spot1000", make_spot, 1000, 120, 250},
    {"mirror50", make_mirror, 50, 80, 300},
    {"mirror200", make_mirror, 200, 250, 500},
    {"narrow100", make_narrow, 100, 200, 500},
    {"pair200", make_pair, 200, 250, 500},
    {"oncoming60", make_oncoming, 30, 120, 300},
    {"oncoming40", make_narrow_oncoming, 20, 120, 300},
    {"tight", make_tight, 20, 0, 300},
};

/* ---- Measuring --------------------------------------------------------------------------------------------- */

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; /* of this process: the machine may be busy */ }

/* Reads the positions of all walkers. */
static void look(scene *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    wend_walker_info info;
    CHECK(wend_crowd_get(s->crowd, s->walkers[i].id, &info) == WEND_OK);
    s->walkers[i].x = info.exact_x, s->walkers[i].y = info.exact_y;
  }
}

static int by_x(const void *a, const void *b) {
  const double *p = a, *q = b;
  return p[0] < q[0] ? -1 : p[0] > q[0];
}

/* The deepest overlap, as a share of the sum of the radii. It shares no code with the core. */
static double deepest(const scene *s) {
  static double sorted[MAX][3];
  double worst = 0, widest = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    sorted[i][0] = s->walkers[i].x, sorted[i][1] = s->walkers[i].y, sorted[i][2] = s->walkers[i].radius;
    if (s->walkers[i].radius > widest) widest = s->walkers[i].radius;
  }
  qsort(sorted, s->count, sizeof *sorted, by_x);
  for (uint32_t i = 0; i < s->count; i++) {
    for (uint32_t j = i + 1; j < s->count && sorted[j][0] - sorted[i][0] < sorted[i][2] + widest; j++) {
      const double sum = sorted[i][2] + sorted[j][2];
      const double far = hypot(sorted[j][0] - sorted[i][0], sorted[j][1] - sorted[i][1]);
      if (1 - far / sum > worst) worst = 1 - far / sum;
    }
  }
  return worst;
}

/* How deep anybody is in a wall, as a share of the radius. */
static double deepest_wall(const scene *s) {
  double worst = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const walker *w = &s->walkers[i];
    for (int k = 0; k < s->wall_count; k++) {
      const double *a = s->walls[k], ex = a[2] - a[0], ey = a[3] - a[1];
      const double t = fmax(0, fmin(1, ((w->x - a[0]) * ex + (w->y - a[1]) * ey) / (ex * ex + ey * ey)));
      const double far = hypot(w->x - a[0] - t * ex, w->y - a[1] - t * ey);
      if (1 - far / w->radius > worst) worst = 1 - far / w->radius;
    }
  }
  return worst;
}

typedef struct figures {
  double last, away, back, overlap, wall, cost;
  uint32_t count, arrived, stuck;
  uint64_t hash;
} figures;

/* Runs a scene until all have arrived, and 25 seconds more. last: when the last one was at its goal for the first time;
 * back: how many seconds later all were at their goals, those who made way too; away: the longest time that one was away. */
static figures run(const kind *k, uint64_t seed) {
  scene s;
  figures f = {0};
  double spent = 0, until = k->give_up;
  uint64_t steps = 0;
  begin(&s, seed);
  k->make(&s, k->n);
  for (double now = STEP; now < until; now += STEP) {
    const double start = seconds();
    uint32_t events;
    const wend_crowd_event *event;
    CHECK(wend_crowd_update(s.crowd, STEP, 8, NULL) == WEND_OK);
    spent += seconds() - start, steps++;
    event = wend_crowd_events(s.crowd, &events);
    for (uint32_t i = 0; i < events; i++) f.stuck += event[i].kind == WEND_CROWD_STUCK;
    look(&s);
    f.overlap = fmax(f.overlap, deepest(&s)), f.wall = fmax(f.wall, deepest_wall(&s));
    for (uint32_t i = 0; i < s.count; i++) {
      walker *w = &s.walkers[i];
      if (hypot(w->x - w->goal_x, w->y - w->goal_y) > s.near) {
        f.back = now + STEP;
        if (w->arrived >= 0 && w->left < 0) w->left = now;
        if (w->left >= 0) f.away = fmax(f.away, now - w->left);
        continue;
      }
      w->left = -1;
      if (w->arrived >= 0) continue;
      w->arrived = f.last = now;
      if (++f.arrived == s.count) until = now + 25;
    }
  }
  f.count = s.count;
  f.back = fmax(0, f.back - f.last);
  f.cost = spent / (double)steps / s.count * 1e9;
  f.hash = wend_crowd_hash(s.crowd);
  if (getenv("VERBOSE") != NULL) {
    for (uint32_t i = 0; i < s.count; i++) {
      wend_walker_info info;
      (void)wend_crowd_get(s.crowd, s.walkers[i].id, &info);
      if (s.walkers[i].arrived < 0 || s.walkers[i].left >= 0) {
        printf("  %u at %.2f %.2f v %.2f %.2f goal %.2f %.2f state %d stalled %.1f held by %.0f\n", i, info.exact_x,
               info.exact_y, info.vx, info.vy, s.walkers[i].goal_x, s.walkers[i].goal_y, (int)info.state, info.stalled,
               (double)info.blocked_by);
      }
    }
  }
  end(&s);
  return f;
}

static void report(const kind *k, uint64_t seed) {
  const figures f = run(k, seed);
  const bool late = k->target > 0 && (f.arrived < f.count || f.last > k->target || f.back > 20),
             deep = f.overlap > 0.01 || f.wall > 1e-5;
  printf("%-10s seed %2u: %4u of %4u arrive, last %6.1f s (%3.0f), all back %4.1f s later (away %4.1f s), overlap %.2f %%, "
         "wall %.4f %%, stuck %u, %4.0f ns%s%s\n",
         k->name, (unsigned)seed, f.arrived, f.count, f.last, k->target, f.back, f.away, f.overlap * 100, f.wall * 100, f.stuck,
         f.cost, late ? "  MISSED" : "", deep ? "  DEEP" : "");
  fflush(stdout);
  if (late || deep) failures++;
}

/* The time of a step for n walkers with `area` each. */
static double cost_of(int n, double area) {
  scene s;
  double best = INFINITY;
  begin(&s, 1);
  make_open_of(&s, n, area);
  for (int round = 0; round < 6; round++) {
    const int steps = n >= 50000 ? 10 : 300000 / n;
    const double start = seconds();
    for (int i = 0; i < steps; i++) CHECK(wend_crowd_update(s.crowd, STEP, 8, NULL) == WEND_OK);
    if (round > 0) best = fmin(best, (seconds() - start) / steps / n * 1e9);
  }
  end(&s);
  return best;
}

static void report_cost(void) {
  const double small = cost_of(1000, 16), open = cost_of(10000, 16), large = cost_of(100000, 16);
  printf("open, 16 square units each: 1,000: %.0f ns; 10,000: %.0f ns; 100,000: %.0f ns (%.2fx)\n", small, open, large,
         large / small);
  printf("open, 8 each: 10,000: %.0f ns\n", cost_of(10000, 8));
  printf("dense: 5,000 with 4 each: %.0f ns; with 1.5 each: %.0f ns\n", cost_of(5000, 4), cost_of(5000, 1.5));
}

/* ---- The short check --------------------------------------------------------------------------------------- */

static const kind *kind_of(const char *name) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
  }
  abort();
}

/* The hash of a scene after 20 seconds in updates of dt. */
static uint64_t hash_of(const char *name, double dt) {
  scene s;
  uint64_t hash;
  begin(&s, 1);
  kind_of(name)->make(&s, kind_of(name)->n);
  for (int i = 0; i < (int)(20 / dt + 0.5); i++) CHECK(wend_crowd_update(s.crowd, dt, 8, NULL) == WEND_OK);
  hash = wend_crowd_hash(s.crowd);
  end(&s);
  return hash;
}

/* Equal positions on every machine, and for every rate of frames. The hashes are those of the version that was pinned. */
static void check_bits(void) {
  static const struct {
    const char *name;
    uint64_t hash;
  } pinned[] = {{"corridor", 0x6c6a57d86fd51e11u},
                {"door50", 0xdd5da851e46684eeu},
                {"oncoming40", 0x98ce5a0999281860u},
                {"spot60", 0x29515f1430570513u},
                {"spot300", 0x5a884bf0cd8fc036u}};
  for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++) {
    const uint64_t hash = hash_of(pinned[i].name, STEP);
    if (hash != pinned[i].hash) {
      fprintf(stderr, "%s: the hash is 0x%016llx\n", pinned[i].name, (unsigned long long)hash);
      failures++;
    }
  }
}

static void check_rates(void) {
  const uint64_t hash = hash_of("door50", STEP);
  wend_crowd_result result;
  scene s;
  CHECK(hash_of("door50", 1.0 / 60) == hash);
  CHECK(hash_of("door50", 0.1) == hash);
  CHECK(hash_of("door50", 1.0 / 144) == hash);
  begin(&s, 1);
  make_head(&s, 2);
  CHECK(wend_crowd_update(s.crowd, 1e300, 8, &result) == WEND_OK && result.steps == 8 && result.dropped > 1e299);
  CHECK(wend_crowd_update(s.crowd, 1, 8, &result) == WEND_OK && result.steps == 8 && fabs(result.dropped - 22 * STEP) < 1e-9);
  CHECK(wend_crowd_update(s.crowd, 0, 8, &result) == WEND_OK && result.steps == 0);
  CHECK(wend_crowd_update(s.crowd, STEP, 8, &result) == WEND_OK && result.steps == 1 && result.dropped == 0);
  end(&s);
}

static void check_invalid(void) {
  static const double bad[] = {NAN, INFINITY, -INFINITY, 1e10, -1e300};
  wend_crowd *crowd = wend_crowd_create(NULL, NULL);
  wend_walker_opts opts = wend_walker_opts_default();
  wend_walker_info info;
  wend_id id = 0, gone = 0, ids[2];
  uint64_t hash;
  const double point[4] = {1, 2, 3, 4};
  double points[4] = {1, 2, 3, 4};
  CHECK(wend_crowd_add(crowd, &opts, &id) == WEND_OK && wend_crowd_add(crowd, &opts, &gone) == WEND_OK);
  CHECK(wend_crowd_remove(crowd, gone) == WEND_OK && wend_crowd_remove(crowd, gone) == WEND_INVALID);
  hash = wend_crowd_hash(crowd);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    opts = wend_walker_opts_default(), opts.x = bad[i];
    CHECK(wend_crowd_add(crowd, &opts, NULL) == WEND_INVALID);
    opts = wend_walker_opts_default(), opts.y = bad[i];
    CHECK(wend_crowd_add(crowd, &opts, NULL) == WEND_INVALID);
    opts = wend_walker_opts_default(), opts.radius = bad[i];
    CHECK(wend_crowd_add(crowd, &opts, NULL) == WEND_INVALID);
    opts = wend_walker_opts_default(), opts.speed = bad[i];
    CHECK(wend_crowd_add(crowd, &opts, NULL) == WEND_INVALID);
    points[3] = bad[i];
    CHECK(wend_crowd_set_walls(crowd, points, 1) == WEND_INVALID);
    CHECK(wend_crowd_chase(crowd, gone, NULL) == WEND_INVALID);
    CHECK(wend_crowd_rush(crowd, gone, true) == WEND_INVALID);
    CHECK(wend_crowd_place(crowd, id, bad[i], 0) == WEND_INVALID);
    CHECK(wend_crowd_push(crowd, id, 0, bad[i]) == WEND_INVALID);
    CHECK(wend_crowd_go(crowd, id, points, 2) == WEND_INVALID);
    CHECK(wend_crowd_go_group(crowd, &id, 1, points, 2) == WEND_INVALID);
    if (bad[i] > 0 && bad[i] < INFINITY) continue;
    CHECK(wend_crowd_update(crowd, bad[i], 8, NULL) == WEND_INVALID);
  }
  opts = wend_walker_opts_default(), opts.radius = 0;
  CHECK(wend_crowd_add(crowd, &opts, NULL) == WEND_INVALID);
  opts = wend_walker_opts_default(), opts.acceleration = 0;
  CHECK(wend_crowd_add(crowd, &opts, NULL) == WEND_INVALID);
  opts = wend_walker_opts_default(), opts.acceleration = NAN;
  CHECK(wend_crowd_add(crowd, &opts, NULL) == WEND_INVALID);
  opts = wend_walker_opts_default(), opts.patience = 0;
  CHECK(wend_crowd_add(crowd, &opts, NULL) == WEND_INVALID);
  opts = wend_walker_opts_default(), opts.squeeze = 0;
  CHECK(wend_crowd_add(crowd, &opts, NULL) == WEND_INVALID);
  opts = wend_walker_opts_default(), opts.squeeze = NAN;
  CHECK(wend_crowd_add(crowd, &opts, NULL) == WEND_INVALID);
  CHECK(wend_crowd_go(crowd, id, point, 0) == WEND_INVALID);
  ids[0] = id, ids[1] = gone;
  CHECK(wend_crowd_go_group(crowd, ids, 2, point, 2) == WEND_INVALID);
  CHECK(wend_crowd_go(crowd, gone, point, 2) == WEND_INVALID && wend_crowd_stop(crowd, gone) == WEND_INVALID);
  CHECK(wend_crowd_pause(crowd, gone, true) == WEND_INVALID && wend_crowd_push(crowd, 0, 1, 1) == WEND_INVALID);
  CHECK(wend_crowd_place(crowd, gone, 1, 1) == WEND_INVALID && wend_crowd_get(crowd, gone, &info) == WEND_INVALID);
  CHECK(!wend_crowd_has(crowd, gone) && wend_crowd_has(crowd, id) && wend_crowd_count(crowd) == 1);
  CHECK(wend_crowd_hash(crowd) == hash);
  wend_crowd_destroy(crowd);
  wend_crowd_destroy(NULL);
}

/* Bodies of all sizes and speeds, some held, pushed, with priorities, placed and removed, among walls. */
static void check_mixed(uint64_t seed) {
  scene s;
  wend_walker_info info;
  begin(&s, seed);
  for (int i = 0; i < 12; i++) {
    const double x = random_unit() * 60 - 30, y = random_unit() * 60 - 30;
    add_wall(&s, x, y, x + random_unit() * 16 - 8, y + random_unit() * 16 - 8);
  }
  for (int tries = 0; tries < 600; tries++) {
    walker *w = &s.walkers[s.count++];
    wend_walker_opts opts = wend_walker_opts_default();
    opts.x = w->x = random_unit() * 80 - 40, opts.y = w->y = random_unit() * 80 - 40;
    opts.radius = w->radius = tries % 40 == 0 ? 3 : tries % 3 == 0 ? 0.1 + random_unit() * 0.2 : 0.3 + random_unit() * 0.7;
    opts.speed = tries % 17 == 0 ? 40 : 0.5 + random_unit() * 3;
    opts.priority = tries % 5;
    opts.squeeze = INFINITY; /* no pair may overlap */
    if (deepest(&s) > 0 || deepest_wall(&s) > 0) {
      s.count--;
      continue;
    }
    w->goal_x = random_unit() * 80 - 40, w->goal_y = random_unit() * 80 - 40;
    CHECK(wend_crowd_add(s.crowd, &opts, &w->id) == WEND_OK);
    if (tries % 13 != 0) send(&s, w);
    if (tries % 23 == 0) CHECK(wend_crowd_pause(s.crowd, w->id, true) == WEND_OK);
  }
  for (int step = 0; step < 600; step++) {
    double overlap, wall;
    if (step % 20 == 0) {
      const uint32_t at = (uint32_t)(random_unit() * s.count);
      CHECK(wend_crowd_push(s.crowd, s.walkers[at].id, random_unit() * 20 - 10, random_unit() * 20 - 10) == WEND_OK);
    }
    if (step % 50 == 0) {
      const uint32_t at = (uint32_t)(random_unit() * s.count);
      CHECK(wend_crowd_remove(s.crowd, s.walkers[at].id) == WEND_OK);
      s.walkers[at] = s.walkers[--s.count];
    }
    CHECK(wend_crowd_update(s.crowd, STEP, 8, NULL) == WEND_OK);
    look(&s);
    overlap = deepest(&s), wall = deepest_wall(&s);
    if (overlap > 0.01 || wall > 1e-5) {
      fprintf(stderr, "mixed, seed %u: overlap %.3f %%, wall %.4f %% in step %d\n", (unsigned)seed, overlap * 100, wall * 100,
              step);
      failures++;
      break;
    }
  }
  CHECK(wend_crowd_get(s.crowd, s.walkers[0].id, &info) == WEND_OK);
  end(&s);
}

/* Plans that are asked for, put off and answered, in the order and the states in which that is allowed. */
static void check_plans(void) {
  wend_crowd_opts opts = {NULL, 0, true, 0};
  wend_walker_opts one = wend_walker_opts_default();
  wend_grid *grid = wend_grid_create(NULL, 24, 12, WEND_BOTH_OPEN);
  wend_walker_info info;
  wend_crowd_plan plan;
  wend_id ids[4];
  wend_crowd *crowd;
  const double goals[3][2] = {{23, 1}, {1.5, 11.5}, {23.5, 11.5}}, far[2] = {2e9, 0};
  opts.grid = grid;
  crowd = wend_crowd_create(NULL, &opts);
  for (int i = 0; i < 4; i++) {
    one.x = i == 3 ? 11.5 : 1, one.y = i == 3 ? 0.5 : 1 + i, one.radius = 0.4;
    CHECK(wend_crowd_add(crowd, &one, &ids[i]) == WEND_OK);
  }
  CHECK(wend_crowd_pause(crowd, ids[3], true) == WEND_OK && wend_crowd_send(crowd, ids[0], far) == WEND_INVALID);
  CHECK(wend_crowd_wants(crowd, WEND_NO_ID) == WEND_NO_ID && wend_crowd_ask(crowd, ids[0], &plan) == WEND_INVALID);
  for (int i = 0; i < 3; i++) CHECK(wend_crowd_send(crowd, ids[i], goals[i]) == WEND_OK);
  CHECK(wend_crowd_repeat(crowd, ids[0], goals[0]) == WEND_OK && wend_crowd_repeat(crowd, ids[0], far) == WEND_INVALID);
  CHECK(wend_crowd_repeat(crowd, ids[3], goals[0]) == WEND_INVALID && wend_crowd_repeat(crowd, 0, far) == WEND_INVALID);
  CHECK(wend_crowd_repeat_group(crowd, ids, 3, goals[0]) == WEND_INVALID);
  {
    const double legs[] = {0.5, 0.5, 3.5, 2.5, 5.5, 2.5};
    const uint32_t links[] = {1, 0};
    wend_crowd_way along = {.points = legs, .links = links, .count = 3, .link_count = 1, .on_grid = true};
    CHECK(wend_crowd_may_take(crowd, ids[3], &along) == WEND_NO_PATH); /* there is no such portal */
    along.link_count = 0;
    CHECK(wend_crowd_may_take(crowd, ids[3], &along) == WEND_OK && wend_crowd_go_along(crowd, ids[3], &along) == WEND_OK);
    CHECK(wend_crowd_get(crowd, ids[3], &info) == WEND_OK && info.goal_x == 5.5 && info.goal_y == 2.5);
    CHECK(wend_crowd_go_along(crowd, 0, &along) == WEND_INVALID && wend_crowd_may_take(crowd, 0, &along) == WEND_INVALID);
    along.link_count = 2; /* not ascending */
    CHECK(wend_crowd_go_along(crowd, ids[3], &along) == WEND_INVALID);
    along.link_count = 1, along.count = 2; /* a link from the last point */
    CHECK(wend_crowd_go_along(crowd, ids[3], &along) == WEND_INVALID);
    along.link_count = 0, along.on_grid = false;
    CHECK(wend_crowd_go_along(crowd, ids[3], &along) == WEND_INVALID);
    CHECK(wend_crowd_stop(crowd, ids[3]) == WEND_OK);
  }
  CHECK(wend_crowd_wants(crowd, ids[0]) == ids[1] && wend_crowd_ask(crowd, ids[1], &plan) == WEND_OK);
  CHECK(wend_crowd_ask(crowd, ids[1], &plan) == WEND_INVALID && wend_crowd_defer(crowd, &plan) == WEND_OK);
  CHECK(wend_crowd_defer(crowd, &plan) == WEND_STALE);
  CHECK(wend_crowd_ask(crowd, ids[2], &plan) == WEND_OK && wend_crowd_answer(crowd, &plan, NULL) == WEND_OK);
  CHECK(wend_crowd_answer(crowd, &plan, NULL) == WEND_STALE); /* only once */
  CHECK(wend_crowd_get(crowd, ids[2], &info) == WEND_OK && info.state == WEND_WALKER_WAITING);
  wend_crowd_destroy(crowd);
  wend_grid_destroy(grid);
}

/* An allocator of which request number `fail_at` fails. */
static struct {
  uint64_t requests, fail_at;
  size_t bytes;
} heap;
static void *counted_resize(void *ud, void *block, size_t old_bytes, size_t new_bytes) {
  void *moved;
  (void)ud;
  if (new_bytes > old_bytes && ++heap.requests == heap.fail_at) return NULL;
  heap.bytes += new_bytes - old_bytes;
  if (new_bytes == 0) {
    free(block);
    return NULL;
  }
  moved = realloc(block, new_bytes);
  if (moved == NULL) abort();
  return moved;
}

/* Does something until it succeeds; it may fail once, for lack of memory. */
#define AGAIN(what)                              \
  do {                                           \
    wend_status status = what;                   \
    if (status == WEND_NO_MEMORY) status = what; \
    CHECK(status == WEND_OK);                    \
  } while (0)

static uint64_t run_with_heap(uint64_t fail_at) {
  const wend_alloc alloc = {counted_resize, NULL};
  wend_graph *graph = wend_graph_create(NULL, 2);
  const double points[4] = {0, 0, 6, 0}, walls[8] = {0, -9, 0, -1, 0, 1, 0, 9};
  wend_influence *layer = wend_influence_create(NULL, wend_graph_map(graph));
  const wend_influence_use use = {layer, 1};
  wend_crowd *crowd;
  wend_id ids[60];
  uint64_t hash, warm = 0;
  heap.requests = heap.bytes = 0, heap.fail_at = fail_at;
  crowd = wend_crowd_create(&alloc, NULL);
  if (crowd == NULL) crowd = wend_crowd_create(&alloc, NULL);
  random_state = 5;
  AGAIN(wend_crowd_set_walls(crowd, walls, 2));
  for (int i = 0; i < 60; i++) {
    wend_walker_opts opts = wend_walker_opts_default();
    opts.x = -4 - i / 8 * 1.2 + jitter(), opts.y = i % 8 * 1.2 - 4 + jitter();
    AGAIN(wend_crowd_add(crowd, &opts, &ids[i]));
    if (i >= 40) AGAIN(wend_crowd_go(crowd, ids[i], points, 2));
    AGAIN(wend_crowd_influence(crowd, ids[i], &use, 1));
  }
  AGAIN(wend_crowd_go_group(crowd, ids, 40, points, 2));
  for (int i = 0; i < 60; i++) {
    if (i == 50) warm = heap.requests;
    if (i == 10) AGAIN(wend_crowd_remove(crowd, ids[3]));
    if (wend_crowd_update(crowd, STEP, 8, NULL) != WEND_OK) CHECK(wend_crowd_update(crowd, 0, 8, NULL) == WEND_OK);
  }
  CHECK(heap.requests - warm <= 1); /* warm: at most the pairs grow once */
  hash = wend_crowd_hash(crowd);
  CHECK(wend_crowd_bytes(crowd) == heap.bytes);
  wend_influence_destroy(layer);
  wend_graph_destroy(graph);
  wend_crowd_destroy(crowd);
  CHECK(heap.bytes == 0);
  return hash;
}

static void check_memory(void) {
  const uint64_t hash = run_with_heap(0), requests = heap.requests;
  for (uint64_t i = 1; i <= requests; i++) CHECK(run_with_heap(i) == hash);
  printf("memory: %u requests, each failed once\n", (unsigned)requests);
}

static void check_all(void) {
  static const char *const names[] = {"head",       "corridor",  "door50", "narrow100",
                                      "oncoming40", "circle100", "spot60", "spot300"};
  check_invalid();
  check_bits();
  check_rates();
  check_memory();
  check_plans();
  for (uint64_t seed = 1; seed <= 3; seed++) check_mixed(seed);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) report(kind_of(names[i]), 1);
}

int main(int count, char **arguments) {
  const char *name = count > 1 ? arguments[1] : "";
  const int seeds = count > 2 ? atoi(arguments[2]) : 1, first = count > 3 ? atoi(arguments[3]) : 1;
  if (*name == 0) check_all();
  if (strcmp(name, "bits") == 0) check_bits();
  if (strcmp(name, "mixed") == 0) {
    for (int seed = first; seed < first + seeds; seed++) check_mixed((uint64_t)seed);
  }
  if (strcmp(name, "cost") == 0) {
    report_cost();
    return failures > 0;
  }
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(name, kinds[i].name) != 0 && !(strcmp(name, "all") == 0 && kinds[i].target > 0)) continue;
    for (int seed = first; seed < first + seeds; seed++) report(&kinds[i], (uint64_t)seed);
  }
  return failures > 0;
}
