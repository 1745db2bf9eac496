/* SPDX-License-Identifier: MIT */
/* The tables of prepared maps in files: sections prep and plan, and those of more tables. */
#ifndef WEND_CODEC_PREPARED_H
#define WEND_CODEC_PREPARED_H

#include "core/codec/file.h"

/* Writes all tables of a map, a section for each. A graph must be synced. */
void wend_write_prepared(wend_file_out *f, const wend_map *map);
/* Reads the sections, if there are some, and gives the map the tables. They are not used until wend_trust_prepared. All places
 * of the map must be there, in the order of the file. file: where the file begins. FORMAT, NO_MEMORY. */
wend_status wend_read_prepared(wend_file_in *f, wend_map *map, const uint8_t *file);
/* Compares the tables that were read with all steps of a graph, or all links of a grid. The map is complete. They are used as far
 * as they are right. One pass over the map. */
void wend_trust_prepared(wend_map *map);

#endif
