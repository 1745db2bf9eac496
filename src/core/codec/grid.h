/* SPDX-License-Identifier: MIT */
/* Grids in files. */
#ifndef WEND_CODEC_GRID_H
#define WEND_CODEC_GRID_H

#include "wend.h"

/* wend_grid_encode in a version of the format. */
wend_status wend_grid_write(const wend_grid *grid, unsigned version, const void *extra, size_t extra_size, void *bytes,
                            size_t *size);

#endif
