/* SPDX-License-Identifier: MIT */
/* A path over a grid, and a field that serves every start. */
#include <math.h> /* INFINITY */
#include <stdio.h>
#include <stdlib.h>

#include "wend.h"

static void must(wend_status status) {
  if (status == WEND_OK) return;
  fprintf(stderr, "%s\n", wend_status_code(status));
  exit(EXIT_FAILURE);
}

static void print_cell(const wend_grid *grid, wend_id cell) {
  unsigned number = (unsigned)(cell - 1), width = wend_grid_width(grid);
  printf("(%u,%u) ", number % width, number / width);
}

int main(void) {
  const wend_cell wall = {INFINITY, WEND_UNTAGGED};
  wend_cell mud = {1.5, WEND_UNTAGGED};
  wend_tag_cost tags[2] = {{1, 0, 1, false, false, false},
                           {4, 0, 1, false, false, false}}; /* mud costs four times its weight */
  wend_search_opts opts = wend_search_opts_default();
  wend_field_opts around = wend_field_opts_default();
  wend_grid *grid = wend_grid_create(NULL, 7, 3, WEND_BOTH_OPEN);
  wend_search *search = wend_search_create(NULL);
  wend_field *field = wend_field_create(NULL);
  const wend_id *cells, *none;
  wend_id from, goals[2], at;
  uint32_t count;
  double cost;
  /* What a host has: a byte for each cell, row by row. */
  static const unsigned char bytes[3 * 7] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0};
  wend_numbered values[3] = {{0, {1, WEND_UNTAGGED}}, {1, {INFINITY, WEND_UNTAGGED}}, {2, {1.5, WEND_UNTAGGED}}};
  const wend_assign_opts all = {0, 0, 6, 2, 1, 7, values, 3}; /* 1 byte a cell, 7 bytes a row */
  uint32_t number;
  if (grid == NULL || search == NULL || field == NULL) return EXIT_FAILURE;

  must(wend_map_tag(wend_grid_map(grid), "mud", 3, &mud.tag));
  must(wend_grid_fill(grid, 3, 0, 3, 1, wall)); /* columns 3 .. 3, rows 0 .. 1 */
  must(wend_grid_set(grid, wend_grid_cell(grid, 3, 2), mud));
  values[2].value = mud;
  must(wend_grid_assign(grid, bytes, &all, &at, &number)); /* the same from bytes: no cell differs, so nothing changes */
  from = wend_grid_cell(grid, 1, 0);
  goals[0] = wend_grid_cell(grid, 5, 0);
  goals[1] = wend_grid_cell(grid, 0, 2);

  opts.costs.tags = tags;
  must(wend_search_begin(search, wend_grid_map(grid), from, goals, 1, &opts));
  must(wend_search_step(search, UINT64_MAX));
  count = wend_search_path(search, &cells, &none, &cost); /* steps have no ids: only cells are filled in */
  for (uint32_t i = 0; i < count; i++) print_cell(grid, cells[i]);
  printf("%.2f\n", cost);

  around.costs.tags = tags;
  must(wend_field_make(field, search, wend_grid_map(grid), goals, NULL, 2, &around));
  for (at = from; at != WEND_NO_ID; at = wend_field_next(field, at)) print_cell(grid, at);
  if (wend_field_cost(field, from, &cost)) printf("%.2f\n", cost);
  printf("%u cells reached\n", (unsigned)wend_field_count(field));

  wend_field_destroy(field);
  wend_search_destroy(search);
  wend_grid_destroy(grid);
  return EXIT_SUCCESS;
}

/* prints
(1,0) (2,1) (2,2) (3,2) (4,2) (5,1) (5,0) 11.83
(1,0) (1,1) (0,2) 2.41
21 cells reached
*/
