/* SPDX-License-Identifier: MIT */
/* Grids in files. */
#ifndef WEND_CODEC_GRID_H
#define WEND_CODEC_GRID_H

#include "wend.h"

/* wend_grid_encode in a version of the format, FILE_VERSION or FILE_VERSION_OLD. extra: extra_size bytes of the caller, written
 * after the grid. bytes: NULL, or room for *size bytes, as a call with NULL gave it. NO_MEMORY. */
wend_status wend_grid_write(const wend_grid *grid, unsigned version, bool prepared, const void *extra, size_t extra_size,
                            void *bytes, size_t *size);

#endif
