/* SPDX-License-Identifier: MIT */
/* Fields in the making: what make.c and update.c share. */
#ifndef WEND_FIELD_TASK_H
#define WEND_FIELD_TASK_H

#include "core/field/field.h"
#include "core/pathfinder/flood.h"

/* The scratch memory of the search that fields use: the roots of a flood; the cells of a window; the state between slices; what a
 * repair has changed; wend_flooding.chosen. */
enum { FIELD_ROOTS, FIELD_WINDOW, FIELD_TASK, FIELD_MENDED, FIELD_CHOSEN };

/* A field that is being made or relaxed. */
typedef struct field_task {
  wend_field *field;
  wend_map *map;
  wend_map *ground;      /* the map that is flooded: the same, or the eroded grid of a body */
  wend_region region;    /* of a grid */
  const uint8_t *inside; /* with several windows, by place: 0 is outside of all */
  const wend_root *roots;
  uint32_t root_count;
  bool rooted;       /* the values of the field are those of the roots; if the flood fails, they are the same again */
  bool enters_roots; /* steps onto roots that are closed are roots as well */
  bool entered;      /* there are such roots */
  bool exact;        /* the values and ways will be those that flood.c describes */
  bool by_cells;     /* wend_flood_cells_run is at work; otherwise the kernel */
  bool flooded;      /* the kernel has ended */
  uint32_t kept;     /* so many places were copied after that */
  uint32_t settled;  /* and of so many the ways were found */
  bool started;      /* its values are cleared, and its roots entered */
  bool listing;      /* the roots are places in range, which are being listed */
  wend_range_walk walk;
  wend_search_opts opts;
  wend_flooding flooding;
  wend_status status; /* RUNNING until it ends */
} field_task;

/* Makes room for the result of a flood over a region of a grid, or over a graph. False: no memory. */
bool wend_field_room(wend_field *field, const wend_map *map, const wend_region *region);
/* Notes layers, for which wend_field_keep_costs has made room, as they are. */
void wend_field_note_layers(wend_field *field, const wend_costs *costs);
/* Copies the costs of tags, which sum_path needs. */
wend_status wend_field_keep_costs(wend_field *field, wend_map *map, const wend_costs *costs);
/* Chooses the map that is flooded, and the region of it. */
wend_status wend_field_ground(field_task *t, wend_search *s, const wend_costs *costs);
/* Whether edges, or cells, walls and portals, and layers alone decide the costs, so that only edits change them. */
bool wend_field_by_edits(const field_task *t);
/* Finds the portals that are ways of cells, once the ways are known: of each cell the first that gives it its value. */
wend_status wend_field_settle_portals(field_task *t);
/* Lends the flooding the stepper that decides what steps cost, unless cells alone do, and that of layers. */
void wend_field_lend(field_task *t, wend_stepper *stepper);
/* Lends it f->chosen, as the steps of the field have it. NO_MEMORY. */
wend_status wend_field_lend_portals(field_task *t, wend_search *s);
/* The same for the values of a graph. */
void wend_field_lend_nodes(field_task *t, wend_search *s);
/* Keeps what a new field is made with. Without goals there is no window. goals, values: those of the field itself when it is made again.
 * False: no memory. */
bool wend_field_keep_given(wend_field *field, const wend_id *goals, const double *values, uint32_t goal_count,
                           const wend_field_opts *opts);
/* Begins the flood. OK, NO_MEMORY: the values are as they were. */
wend_status wend_field_begin_flood(field_task *t, wend_search *s);
/* Runs the flood for at most *left expansions, and subtracts what it used. OK: the field is done. */
wend_status wend_field_run_flood(field_task *t, wend_search *s, uint64_t *left);

#endif
