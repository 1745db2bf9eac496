/* SPDX-License-Identifier: MIT */
/* Random points, sorted along a Hilbert curve, and the nearest of each, found with a grid of cells:
 *
 *   +---+---+---+     members[cells[c]] .. members[cells[c + 1] - 1] are the nodes in cell c.
 *   | 1 | 1 | 1 |     The search around a point goes ring by ring. A point outside ring r is at least r
 *   +---+---+---+     cells away, so the search ends when the k-th nearest so far is nearer than that.
 *   | 1 | 0 | 1 |
 *   +---+---+---+
 */
#include "geometric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  CURVE_ORDER = 16,  /* the curve passes through 2^16 by 2^16 places */
  POINTS_A_CELL = 2, /* on average; with fewer, more cells are empty */
  AREA_A_POINT = 100
};

uint64_t random_next(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static double random_fraction(uint64_t *state) { return (double)(random_next(state) >> 11) * 0x1p-53; }

static uint64_t curve_position(uint32_t x, uint32_t y) {
  uint64_t position = 0;
  for (uint32_t side = 1u << (CURVE_ORDER - 1); side > 0; side /= 2) {
    uint32_t right = (x & side) != 0, up = (y & side) != 0;
    position += (uint64_t)side * side * ((3 * right) ^ up);
    if (!up) { /* turn the quarter, so that the curve continues where the last quarter ended */
      if (right) {
        x = (1u << CURVE_ORDER) - 1 - x;
        y = (1u << CURVE_ORDER) - 1 - y;
      }
      uint32_t swap = x;
      x = y;
      y = swap;
    }
  }
  return position;
}

typedef struct {
  uint64_t position;
  double x, y;
} curve_point;

static int by_position(const void *a, const void *b) {
  uint64_t p = ((const curve_point *)a)->position, q = ((const curve_point *)b)->position;
  return (p > q) - (p < q);
}

static int by_value(const void *a, const void *b) {
  uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
  return (p > q) - (p < q);
}

/* Fills in points and ids. */
static bool scatter(geometric *made, uint32_t n, double side, uint64_t seed, bool shuffled) {
  uint64_t random = seed;
  curve_point *sorted = malloc(n * sizeof *sorted);
  if (!sorted) return false;
  const double places = (double)(1u << CURVE_ORDER) / side;
  for (uint32_t i = 0; i < n; i++) {
    curve_point *p = &sorted[i];
    p->x = random_fraction(&random) * side;
    p->y = random_fraction(&random) * side;
    p->position = curve_position((uint32_t)(p->x * places), (uint32_t)(p->y * places));
  }
  qsort(sorted, n, sizeof *sorted, by_position);
  for (uint32_t i = 0; i < n; i++) made->ids[i] = i;
  for (uint32_t i = n - 1; shuffled && i > 0; i--) {
    uint32_t other = (uint32_t)(random_next(&random) % (i + 1)), id = made->ids[i];
    made->ids[i] = made->ids[other];
    made->ids[other] = id;
  }
  for (uint32_t i = 0; i < n; i++) {
    made->points[2 * made->ids[i]] = sorted[i].x;
    made->points[2 * made->ids[i] + 1] = sorted[i].y;
  }
  free(sorted);
  return true;
}

typedef struct {
  const double *points;
  uint32_t *cells, *members;
  int across; /* cells a side */
  double cell_side;
} cell_grid;

static int cell_of(const cell_grid *grid, double along) {
  int cell = (int)(along / grid->cell_side);
  return cell < grid->across ? cell : grid->across - 1;
}

/* The k nearest of node `i`, into `nearest`. */
static void find_nearest(const cell_grid *grid, uint32_t i, uint32_t k, uint32_t *nearest) {
  const double x = grid->points[2 * i], y = grid->points[2 * i + 1];
  const int column = cell_of(grid, x), row = cell_of(grid, y);
  double squares[GEOMETRIC_NEIGHBOURS_MOST];
  uint32_t found = 0;
  for (int ring = 0; ring < grid->across; ring++) {
    double past = (ring - 1) * grid->cell_side; /* all nearer points were measured */
    if (found == k && ring > 0 && squares[k - 1] <= past * past) break;
    for (int r = row - ring; r <= row + ring; r++) {
      if (r < 0 || r >= grid->across) continue;
      int step = (r == row - ring || r == row + ring || ring == 0) ? 1 : 2 * ring;
      for (int c = column - ring; c <= column + ring; c += step) {
        if (c < 0 || c >= grid->across) continue;
        const uint32_t cell = (uint32_t)r * (uint32_t)grid->across + (uint32_t)c;
        for (uint32_t m = grid->cells[cell]; m < grid->cells[cell + 1]; m++) {
          const uint32_t j = grid->members[m];
          if (j == i) continue;
          const double dx = grid->points[2 * j] - x, dy = grid->points[2 * j + 1] - y;
          const double square = dx * dx + dy * dy;
          if (found == k && square >= squares[k - 1]) continue;
          uint32_t at = found < k ? found++ : k - 1;
          for (; at > 0 && squares[at - 1] > square; at--) {
            squares[at] = squares[at - 1];
            nearest[at] = nearest[at - 1];
          }
          squares[at] = square;
          nearest[at] = j;
        }
      }
    }
  }
}

/* Sorts the nodes into cells: counts the nodes of each cell, then moves cells[c + 1] from the beginning to the end of cell
 * c. */
static void fill_cells(cell_grid *grid, uint32_t n) {
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < n; i++) {
      uint32_t cell = (uint32_t)cell_of(grid, grid->points[2 * i + 1]) * (uint32_t)grid->across +
                      (uint32_t)cell_of(grid, grid->points[2 * i]);
      if (pass == 0) grid->cells[cell + 2]++;
      else grid->members[grid->cells[cell + 1]++] = i;
    }
    uint32_t count = (uint32_t)grid->across * (uint32_t)grid->across;
    for (uint32_t c = 0; pass == 0 && c < count; c++) grid->cells[c + 2] += grid->cells[c + 1];
  }
}

/* Makes the pairs from the k nearest of each node: each pair once, the lower index first, sorted. */
static bool pair_up(geometric *made, uint32_t n, uint32_t k, const uint32_t *nearest) {
  uint32_t *first = calloc((size_t)n + 2, sizeof *first);
  uint32_t *higher = malloc((size_t)n * k * sizeof *higher);
  bool done = first && higher;
  if (done) {
    for (int pass = 0; pass < 2; pass++) {
      for (size_t e = 0; e < (size_t)n * k; e++) {
        uint32_t a = (uint32_t)(e / k), b = nearest[e];
        uint32_t low = a < b ? a : b;
        if (pass == 0) first[low + 2]++;
        else higher[first[low + 1]++] = a < b ? b : a;
      }
      for (uint32_t i = 0; pass == 0 && i < n; i++) first[i + 2] += first[i + 1];
    }
    made->pair_count = 0;
    for (uint32_t i = 0; i < n; i++) {
      qsort(higher + first[i], first[i + 1] - first[i], sizeof *higher, by_value);
      for (uint32_t m = first[i]; m < first[i + 1]; m++) {
        if (m > first[i] && higher[m] == higher[m - 1]) continue;
        made->pairs[2 * made->pair_count] = i;
        made->pairs[2 * made->pair_count + 1] = higher[m];
        made->pair_count++;
      }
    }
  }
  free(first);
  free(higher);
  return done;
}

bool geometric_make(geometric *made, uint32_t n, uint32_t k, uint64_t seed, bool shuffled) {
  const double side = sqrt((double)n * AREA_A_POINT);
  cell_grid grid = {.across = (int)sqrt((double)n / POINTS_A_CELL) + 1};
  grid.cell_side = side / grid.across;
  const size_t cell_count = (size_t)grid.across * (size_t)grid.across;
  made->points = malloc((size_t)n * 2 * sizeof *made->points);
  made->ids = malloc((size_t)n * sizeof *made->ids);
  made->pairs = malloc((size_t)n * k * 2 * sizeof *made->pairs);
  grid.points = made->points;
  grid.cells = calloc(cell_count + 2, sizeof *grid.cells);
  grid.members = malloc((size_t)n * sizeof *grid.members);
  uint32_t *nearest = malloc((size_t)n * k * sizeof *nearest);
  bool done = made->points && made->ids && made->pairs && grid.cells && grid.members && nearest &&
              scatter(made, n, side, seed, shuffled);
  if (done) {
    fill_cells(&grid, n);
    for (uint32_t i = 0; i < n; i++) find_nearest(&grid, i, k, nearest + (size_t)i * k);
    done = pair_up(made, n, k, nearest);
  }
  free(grid.cells);
  free(grid.members);
  free(nearest);
  if (!done) geometric_free(made);
  return done;
}

void geometric_free(geometric *made) {
  free(made->points);
  free(made->ids);
  free(made->pairs);
  memset(made, 0, sizeof *made);
}
