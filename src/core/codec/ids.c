/* SPDX-License-Identifier: MIT */
/* The slots of ids in files. slots.h describes slots.
 *
 * An example: three things were added, and the one in slot 1 was removed. The section has the generations 0 1 0, as 12 bytes.
 * If nothing was ever removed, there is no section. */
#include "core/codec/ids.h"

/* Stands for the generation of a slot that can never be used again. */
#define USED_UP (WEND_GENERATION_MAX + 1)

void wend_write_generations(wend_file_out *f, const char *id, const wend_slots *slots) {
  wend_file_begin_section(f, id, slots->generation != NULL && slots->count > 0);
  for (uint32_t slot = 0; slots->generation != NULL && slot < slots->count; slot++)
    wend_write_uint(&f->w, wend_slots_is_used_up(slots, slot) ? USED_UP : slots->generation[slot], 4);
  wend_file_end_section(f);
}

uint32_t wend_ids_cursor(const wend_slots *slots) { return slots->cursor > slots->count ? 0 : slots->cursor; }

wend_status wend_read_ids(wend_file_in *f, const char *id, const wend_alloc *alloc, wend_slots *slots, uint32_t count,
                          uint32_t live, uint32_t cursor, size_t item_bytes) {
  wend_reader *r = wend_file_section(f, id);
  const bool present = r->left > 0;
  const uint8_t *at = present ? wend_read_items(r, count, 4) : NULL;
  if (r->failed || live > count || cursor > count) return WEND_FORMAT;
  if (present ? count == 0 : live != count || cursor != 0) return WEND_FORMAT;
  /* Slots are allocated, so each must have bytes in the file: its generation, or what is in it. */
  if (!present && count > f->rest.left / item_bytes) return WEND_FORMAT;
  for (uint32_t slot = 0; present && slot < count; slot++)
    if (wend_load_uint(at + 4 * (size_t)slot, 4) > USED_UP) return WEND_FORMAT;
  if (!wend_slots_restore(slots, alloc, count, at)) return WEND_NO_MEMORY;
  slots->cursor = cursor;
  return WEND_OK;
}

bool wend_ids_were_used(const wend_slots *slots) {
  for (uint32_t slot = 0; slots->generation != NULL && slot < slots->count; slot++)
    if (slots->value[slot] == WEND_NONE && slots->generation[slot] == 0) return false;
  return true;
}

void wend_write_rows(wend_file_out *f, const char *id, const wend_slots *slots, bool some, wend_write_row_fn write,
                     const void *ud) {
  const uint32_t count = some ? slots->count : 0;
  wend_file_out counted = *f;
  counted.w.at = NULL, counted.w.size = 0;
  for (uint32_t slot = 0; slot < count; slot++)
    if (slots->value[slot] != WEND_NONE) write(&counted, ud, slot);
  wend_file_begin_section(f, id, counted.w.size > 0);
  for (uint32_t slot = 0; slot < count; slot++)
    if (slots->value[slot] != WEND_NONE) write(f, ud, slot);
  wend_file_end_section(f);
}

wend_status wend_read_rows(wend_reader *r, const wend_slots *slots, unsigned key_bytes, wend_read_row_fn read, void *ud) {
  uint32_t least = 0;
  while (!r->failed && r->left > 0) {
    const wend_id key = wend_read_uint(r, key_bytes);
    const uint32_t slot = key_bytes == 8 ? wend_slots_find(slots, key) : (uint32_t)key;
    wend_status status;
    if (slot < least || slot >= slots->count || slots->value[slot] == WEND_NONE) return WEND_FORMAT;
    status = read(r, ud, slot);
    if (status != WEND_OK) return status;
    least = slot + 1;
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}
