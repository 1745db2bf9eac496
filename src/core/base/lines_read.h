/* SPDX-License-Identifier: MIT */
/* Which cells a jump point search has read. Its scans go over cells that get no marks, so a search that must survive edits
 * remembers how far they went: for each band of rows the least and the greatest column, and for each band of columns the least
 * and the greatest row. A band is one line on maps of up to SCAN_BANDS lines, and more on larger ones.
 *
 * An example: a scan along row 5 from column 9 to column 2, and one along row 5 from 20 to 24. Row 5 then has 2 .. 24: more than
 * was read, never less. */
#ifndef WEND_LINES_READ_H
#define WEND_LINES_READ_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SCAN_BANDS 128u

typedef struct wend_scans {
  uint32_t shift;                             /* line number >> shift is the number of the band */
  uint32_t low[SCAN_BANDS], high[SCAN_BANDS]; /* low > high: nothing was read */
} wend_scans;

/* The cells that were read, along rows and along columns. Numbers count the margin, as in the bits of agent views. */
typedef struct wend_lines_read {
  wend_scans rows, columns;
} wend_lines_read;

static inline void wend_scans_begin(wend_scans *scans, uint32_t lines) {
  scans->shift = 0;
  while (lines >> scans->shift >= SCAN_BANDS) scans->shift++;
  memset(scans->low, 0xff, sizeof scans->low);
  memset(scans->high, 0, sizeof scans->high);
}

/* Notes that the cells a .. b of a line were read, or b .. a. */
static inline void wend_scans_note(wend_scans *scans, uint32_t line, uint32_t a, uint32_t b) {
  const uint32_t band = line >> scans->shift, low = a < b ? a : b, high = a < b ? b : a;
  if (low < scans->low[band]) scans->low[band] = low;
  if (high > scans->high[band]) scans->high[band] = high;
}

/* Whether cell `at` of a line, or a neighbour of it, may have been read: a scan looks at the lines beside its own as well. */
static inline bool wend_scans_near(const wend_scans *scans, uint32_t line, uint32_t at) {
  for (uint32_t band = (line - 1) >> scans->shift; band <= (line + 1) >> scans->shift; band++)
    if (band < SCAN_BANDS && at + 1 >= scans->low[band] && at <= scans->high[band] + 1) return true;
  return false;
}

#endif
