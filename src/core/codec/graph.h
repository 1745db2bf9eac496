/* SPDX-License-Identifier: MIT */
/* Graphs in files. */
#ifndef WEND_CODEC_GRAPH_H
#define WEND_CODEC_GRAPH_H

#include "wend.h"

/* wend_graph_encode in a version of the format. */
wend_status wend_graph_write(wend_graph *graph, unsigned version, void *bytes, size_t *size);

#endif
