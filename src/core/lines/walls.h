/* SPDX-License-Identifier: MIT */
/* Walls, for the codec. wend.h has the public functions. */
#ifndef WEND_WALLS_H
#define WEND_WALLS_H

#include "core/base/slots.h"

/* The slots of the walls; they are in use or free. */
wend_slots *wend_walls_slots(wend_walls *walls);
const wend_slots *wend_walls_ids(const wend_walls *walls);
/* The allocator of the walls. */
const wend_alloc *wend_walls_alloc(const wend_walls *walls);
/* Stores a wall from a file in a free slot of restored slots; copies its numbers. FORMAT: there is no such slot, or it is in
 * use. NO_MEMORY. */
wend_status wend_walls_restore(wend_walls *walls, wend_wall wall, uint32_t slot);

#endif
