// SPDX-License-Identifier: MIT
// The common part of the modules that find the nearest points with another library. They have the same calls as the points of
// reference_nearest.c. A module defines a class `tree` for 2 and for 3 dimensions, with a `type_name`, and
//   tree(points)                     the flat list that it is built from, which outlives it
//   nearest(from, k, ids, squares)   returns how many; indexes and squared distances of the nearest
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

extern "C" {
#include <lauxlib.h>
#include <lua.h>
}

namespace peer {

constexpr size_t most = 64; // the largest k

inline std::vector<double> get_numbers(lua_State *L, int list) {
  size_t count = lua_rawlen(L, list);
  std::vector<double> numbers(count);
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, list, static_cast<lua_Integer>(i) + 1);
    numbers[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return numbers;
}

template <template <int> class tree> class points {
  static constexpr const char *type_name = tree<2>::type_name;

  int dimensions = 2;
  std::vector<double> at;
  std::unique_ptr<tree<2>> flat;
  std::unique_ptr<tree<3>> solid;

  void build() {
    if (dimensions == 3)
      solid = std::make_unique<tree<3>>(at);
    else
      flat = std::make_unique<tree<2>>(at);
  }

  size_t nearest(const double *from, size_t k, uint32_t *ids, double *squares) const {
    return dimensions == 3 ? solid->nearest(from, k, ids, squares) : flat->nearest(from, k, ids, squares);
  }

  static points *check(lua_State *L) { return *static_cast<points **>(luaL_checkudata(L, 1, type_name)); }

  static size_t check_k(lua_State *L, int arg) {
    lua_Integer k = luaL_optinteger(L, arg, 1);
    luaL_argcheck(L, k >= 1 && k <= static_cast<lua_Integer>(most), arg, "out of range");
    return static_cast<size_t>(k);
  }

  static int gc(lua_State *L) {
    auto held = static_cast<points **>(luaL_checkudata(L, 1, type_name));
    delete *held;
    *held = nullptr;
    return 0;
  }

  static int make(lua_State *L) {
    lua_Integer dimensions = luaL_checkinteger(L, 1);
    luaL_argcheck(L, dimensions == 2 || dimensions == 3, 1, "must be 2 or 3");
    luaL_checktype(L, 2, LUA_TTABLE);
    auto held = static_cast<points **>(lua_newuserdatauv(L, sizeof(points *), 0));
    *held = nullptr;
    luaL_setmetatable(L, type_name);
    *held = new points;
    (*held)->dimensions = static_cast<int>(dimensions);
    (*held)->at = get_numbers(L, 2);
    (*held)->build();
    return 1;
  }

  static int build_again(lua_State *L) {
    points *p = check(L);
    for (lua_Integer i = luaL_optinteger(L, 2, 1); i > 0; i--) p->build();
    return 0;
  }

  static int one(lua_State *L) {
    points *p = check(L);
    double from[3] = {luaL_checknumber(L, 2), luaL_checknumber(L, 3), 0};
    if (p->dimensions == 3) from[2] = luaL_checknumber(L, 4);
    uint32_t id = 0;
    double square = 0;
    p->nearest(from, 1, &id, &square);
    lua_pushinteger(L, static_cast<lua_Integer>(id) + 1);
    lua_pushnumber(L, std::sqrt(square));
    return 2;
  }

  // Calls take(ids, squares, count) for each place of the flat list at 2.
  template <class function> static void each(lua_State *L, size_t k, lua_Integer repeats, function take) {
    points *p = check(L);
    std::vector<double> from = get_numbers(L, 2);
    uint32_t ids[most];
    double squares[most];
    for (lua_Integer i = 0; i < repeats; i++)
      for (size_t at = 0; at < from.size(); at += static_cast<size_t>(p->dimensions))
        take(ids, squares, p->nearest(&from[at], k, ids, squares));
  }

  static int run(lua_State *L) {
    size_t k = check_k(L, 4);
    lua_Integer sum = 0;
    each(L, k, luaL_optinteger(L, 5, 1), [&](const uint32_t *ids, const double *, size_t count) {
      for (size_t n = 0; n < count; n++) sum += ids[n] + 1;
    });
    lua_pushinteger(L, sum);
    return 1;
  }

  static int answers(lua_State *L) {
    size_t k = check_k(L, 4);
    lua_newtable(L);
    lua_newtable(L);
    lua_Integer at = 0;
    each(L, k, 1, [&](const uint32_t *ids, const double *squares, size_t count) {
      for (size_t n = 0; n < count; n++) {
        lua_pushinteger(L, static_cast<lua_Integer>(ids[n]) + 1);
        lua_rawseti(L, -3, ++at);
        lua_pushnumber(L, std::sqrt(squares[n]));
        lua_rawseti(L, -2, at);
      }
    });
    return 2;
  }

public:
  static int open(lua_State *L) {
    static const luaL_Reg methods[] = {
        {"build", build_again}, {"nearest", one}, {"run", run}, {"answers", answers}, {nullptr, nullptr},
    };
    static const luaL_Reg functions[] = {{"points", make}, {nullptr, nullptr}};
    lua_newtable(L);
    luaL_newmetatable(L, type_name);
    lua_pushcfunction(L, gc);
    lua_setfield(L, -2, "__gc");
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_setfuncs(L, functions, 0);
    return 1;
  }
};

} // namespace peer
