/* SPDX-License-Identifier: MIT */
/* Graphs in files. */
#ifndef WEND_CODEC_GRAPH_H
#define WEND_CODEC_GRAPH_H

#include "wend.h"

/* wend_graph_encode in a version of the format, FILE_VERSION or FILE_VERSION_OLD. prepared: with its
 * prepared tables, if it has any. bytes: NULL, or room for *size bytes, as a
 * call with NULL gave it. NO_MEMORY. */
wend_status wend_graph_write(wend_graph *graph, unsigned version, bool prepared, void *bytes, size_t *size);

#endif
