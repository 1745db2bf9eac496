/* SPDX-License-Identifier: MIT */
/* What tags of a grid mean for sight: the options opaque and transparent. */
#include <string.h>

#include "lua/base/query.h"

/* Gives the tags of a list a flag. Names that the map does not know are left out. */
static void mark_tags(lua_State *L, const lwend_map *g, int list, uint8_t *tags, uint32_t tag_count, unsigned flag) {
  for (int i = 1, count = lua_isnil(L, list) ? 0 : (int)lua_rawlen(L, list); i <= count; i++) {
    size_t length = 0, other_length;
    const char *name;
    lua_rawgeti(L, list, i);
    name = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &length) : NULL; /* a finalizer may have changed the list */
    for (uint32_t tag = 1; name != NULL && tag < tag_count && tag <= wend_map_tag_count(g->map); tag++) {
      const char *other = wend_map_tag_name(g->map, tag, &other_length);
      if (length == other_length && memcmp(name, other, length) == 0) tags[tag] |= (uint8_t)flag;
    }
    lua_pop(L, 1);
  }
}

wend_sight *lwend_push_sight(lua_State *L, lwend_map *g, int index) {
  const uint32_t tag_count = wend_map_tag_count(g->map) + 1;
  wend_sight *sight;
  uint8_t *tags;
  if (!lua_isnil(L, index)) lwend_check_tags(L, index, "opaque");
  if (!lua_isnil(L, index + 1)) lwend_check_tags(L, index + 1, "transparent");
  sight = lua_newuserdata(L, sizeof *sight + tag_count);
  tags = (uint8_t *)(sight + 1);
  memset(tags, 0, tag_count);
  (void)lwend_check_alive(L, g); /* a finalizer may have freed it */
  mark_tags(L, g, index, tags, tag_count, WEND_OPAQUE);
  mark_tags(L, g, index + 1, tags, tag_count, WEND_TRANSPARENT);
  sight->tags = tags, sight->tag_count = tag_count;
  return sight;
}
