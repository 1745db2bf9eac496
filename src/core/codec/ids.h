/* SPDX-License-Identifier: MIT */
/* The slots of ids in files: their generations, and the cursor. Graphs and walls use it. */
#ifndef WEND_CODEC_IDS_H
#define WEND_CODEC_IDS_H

#include "core/base/slots.h"
#include "core/codec/file.h"

/* Writes the generations of slots, in a section `id`, if there are any. */
void wend_write_generations(wend_file_out *f, const char *id, const wend_slots *slots);
/* The slot where the next search for free slots begins. A cursor past the last slot means the first one. */
uint32_t wend_ids_cursor(const wend_slots *slots);
/* Reads the generations of `count` slots from section `id`; `live` of them are in use. Without that section, all slots are in use
 * and their generations are 0. item_bytes: the least size of what is in a slot, in the sections that follow. FORMAT, NO_MEMORY. */
wend_status wend_read_ids(wend_file_in *f, const char *id, const wend_alloc *alloc, wend_slots *slots, uint32_t count,
                          uint32_t live, uint32_t cursor, size_t item_bytes);
/* Whether every free slot was in use once: then its removal has raised its generation. */
bool wend_ids_were_used(const wend_slots *slots);

/* Rows of things that have something special, in the order of their slots. A row begins with the slot, 4 bytes; or with the id, 8
 * bytes. */

/* Writes the row of a thing, with what it begins with; nothing: it has no row. */
typedef void (*wend_write_row_fn)(wend_file_out *f, const void *ud, uint32_t slot);
/* Writes a section of rows, if there are any. some: whether any thing may have one. */
void wend_write_rows(wend_file_out *f, const char *id, const wend_slots *slots, bool some, wend_write_row_fn write,
                     const void *ud);
/* Reads what follows the slot or the id, and gives it to the thing. OK, FORMAT, NO_MEMORY. */
typedef wend_status (*wend_read_row_fn)(wend_reader *r, void *ud, uint32_t slot);
/* Reads a section of rows. key_bytes: 4 or 8, as above. FORMAT: a row is damaged, or of no thing, or out of order; NO_MEMORY. */
wend_status wend_read_rows(wend_reader *r, const wend_slots *slots, unsigned key_bytes, wend_read_row_fn read, void *ud);

#endif
