/* SPDX-License-Identifier: MIT */
/* Prepared maps: prepared.h has the contracts. */
#include "core/prepared/prepared.h"

#include <string.h>

WEND_NO_FUSING

double wend_prepared_share(const wend_map *map, const wend_costs *costs) {
  (void)map, (void)costs;
  return 0;
}

double wend_prepared_verify(const wend_map *map, const wend_prepared *prepared) {
  (void)map, (void)prepared;
  return 0;
}

void wend_prepared_install(wend_map *map, wend_prepared *prepared) {
  wend_prepared_free(map->prepared, &map->alloc);
  map->prepared = prepared;
}

void wend_map_unprepare(wend_map *map) { wend_prepared_install(map, NULL); }

bool wend_map_prepared(wend_map *map, const wend_costs *costs, wend_prepared_info *info) {
  (void)costs;
  memset(info, 0, sizeof *info);
  return map->prepared != NULL;
}
