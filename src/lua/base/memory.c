/* SPDX-License-Identifier: MIT */
/* The memory of the core comes from the allocator of the Lua state.
 *
 * The collector of Lua sees only small userdata, not the memory that the core holds for them. So the bytes are counted in
 * state->debt, and lwend_gc_step makes the collector work accordingly.
 *
 * All blocks are in a list. Lua loses an object without calling its finalizer when there is no memory for the call. What such
 * an object held is freed when the Lua state is closed (lwend_close_memory). */
#include <stdlib.h>
#include <string.h>

#include "lua/lwend.h"

/* The number of bytes that may be allocated before the collector is told. A step of the collector for every small graph
 * would cost more than it saves. */
#define DEBT_MAX ((size_t)256 << 10)

/* A generational collector reaches old objects when the memory of Lua itself has doubled. wend makes it reach them when the
 * memory of the core has doubled, and has grown by at least this and by as much as Lua itself takes: that is the work. */
#define GROWTH_MIN ((size_t)8 << 20)

/* Before each block of the core: its neighbours in the list of all blocks of a state, and its size. The list has no end:
 * state->blocks is before the first block and after the last. */
typedef struct lwend_block {
  lwend_links links;
  size_t bytes;
} lwend_block;

/* The room that it takes. The alignment of what follows is that of the host's allocator, up to 16 bytes. */
#define BLOCK_HEAD ((sizeof(lwend_block) + 15) / 16 * 16)

/* The allocator of the core: the host's, with a list of the blocks and a count of the bytes that it hands out. */
static void *listing_resize(void *ud, void *block, size_t old_bytes, size_t new_bytes) {
  lwend_state *state = ud;
  lwend_block *listed = block != NULL ? (lwend_block *)(void *)((char *)block - BLOCK_HEAD) : NULL;
  const size_t held = listed != NULL ? BLOCK_HEAD + old_bytes : 0;
  if (new_bytes == 0) {
    if (listed == NULL) return NULL;
    state->held -= old_bytes;
    listed->links.before->after = listed->links.after;
    listed->links.after->before = listed->links.before;
    return state->host(state->host_ud, listed, held, 0);
  }
  if (new_bytes > SIZE_MAX - BLOCK_HEAD || (new_bytes > old_bytes && state->closed)) return NULL;
  listed = state->host(state->host_ud, listed, held, BLOCK_HEAD + new_bytes);
  if (listed == NULL) return NULL;
  if (block == NULL) listed->links.before = &state->blocks, listed->links.after = state->blocks.after;
  listed->links.before->after = listed->links.after->before = &listed->links;
  listed->bytes = new_bytes;
  if (new_bytes > old_bytes) state->debt += new_bytes - old_bytes;
  state->held += new_bytes - (block != NULL ? old_bytes : 0);
  return (char *)listed + BLOCK_HEAD;
}

/* An allocator that uses malloc, with the arguments of a lua_Alloc. */
static void *malloc_resize(void *ud, void *block, size_t old_bytes, size_t new_bytes) {
  (void)ud;
  (void)old_bytes;
  if (new_bytes > 0) return realloc(block, new_bytes);
  free(block);
  return NULL;
}

void lwend_gc_step(lua_State *L, lwend_state *state) {
  size_t debt = state->debt;
  if (debt < DEBT_MAX) return;
#ifdef LUA_GCISRUNNING                        /* not in Lua 5.1 */
  if (!lua_gc(L, LUA_GCISRUNNING, 0)) return; /* the script has stopped it: in LuaJIT a step would start it again */
#endif
  state->debt = 0;
#if LUA_VERSION_NUM >= 505
  lua_gc(L, LUA_GCSTEP, debt); /* a size_t of bytes */
#else
  lua_gc(L, LUA_GCSTEP, (int)(debt >> 10 < 1 << 20 ? debt >> 10 : 1 << 20)); /* an int of kilobytes */
#endif
#if LUA_VERSION_NUM >= 504
  if (state->held < state->held_last) state->held_last = state->held;
  const size_t growth = state->held - state->held_last;
  if (growth < GROWTH_MIN || growth < state->held_last || growth >> 10 < (size_t)lua_gc(L, LUA_GCCOUNT, 0)) return;
  if (lua_gc(L, LUA_GCINC, 0, 0, 0) == LUA_GCGEN) lua_gc(L, LUA_GCGEN, 0, 0); /* the change collects all that is dead */
  state->held_last = state->held;
#endif
}

/* The message of Lua itself, without a line. */
static const char no_memory[] = "not enough memory";

int lwend_no_memory(lua_State *L) {
  lua_pushstring(L, no_memory);
  return lua_error(L);
}

bool lwend_is_no_memory(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TSTRING && strcmp(lua_tostring(L, index), no_memory) == 0;
}

/* A recursion that fills a stack is deeper than this: frames are that small, and stacks that large. */
#define DEEP 200

void lwend_check_stack(lua_State *L, int values) {
  lua_Debug deepest;
  if (lua_checkstack(L, values)) return;
  if (lua_getstack(L, DEEP, &deepest)) luaL_error(L, "stack overflow");
  lwend_no_memory(L);
}

void lwend_check_edited(lua_State *L, wend_status status) {
  if (status != WEND_OK) lwend_no_memory(L);
  lwend_gc_step(L, lwend_state_of(L));
}

int lwend_edited(lua_State *L, wend_status status) {
  lwend_check_edited(L, status);
  return lwend_self(L);
}

/* The capacity grows by half, so that appending takes amortised constant time. */
void lwend_grow(lua_State *L, lwend_state *state, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes) {
  uint64_t room = *capacity + (uint64_t)*capacity / 2 + 8;
  void *old, *moved;
  if (room >= WEND_NONE) room = WEND_NONE - 1;
  if (room < wanted) room = wanted;
  if (room >= WEND_NONE || room > SIZE_MAX / item_bytes) lwend_no_memory(L);
  memcpy(&old, array, sizeof old); /* *array is a pointer of another type */
  moved = state->alloc.resize(state->alloc.ud, old, *capacity * item_bytes, (size_t)room * item_bytes);
  if (moved == NULL) lwend_no_memory(L);
  memcpy(array, &moved, sizeof moved);
  *capacity = (uint32_t)room;
}

/* ---- Opening and closing ----------------------------------------------------------------------------------- */

void lwend_open_memory(lua_State *L, lwend_state *state) {
  state->host = lua_getallocf(L, &state->host_ud);
  lwend_pushglobal(L, "jit");
  if (!lua_isnil(L, -1)) state->host = malloc_resize; /* LuaJIT's own heap may be limited to 2 GiB */
  lua_pop(L, 1);
  state->blocks.before = state->blocks.after = &state->blocks;
  state->alloc.resize = listing_resize;
  state->alloc.ud = state;
}

void lwend_close_memory(lwend_state *state) {
  state->closed = true;
  while (state->blocks.after != &state->blocks) {
    lwend_block *lost = (lwend_block *)(void *)state->blocks.after;
    listing_resize(state, (char *)lost + BLOCK_HEAD, lost->bytes, 0);
  }
}
