/* SPDX-License-Identifier: MIT */
/* Preloaded under callgrind: a time() that always returns the same. Lua seeds its hashes with the time, and other seeds give
 * other collisions: up to 2 % more or fewer instructions in calls that make small tables. */
#include <time.h>

time_t time(time_t *result) {
  if (result != NULL) *result = 1;
  return 1;
}
