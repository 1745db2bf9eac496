// SPDX-License-Identifier: MIT
// wend_bench_boost_rtree: finds what is in the way of a line with the packed R-tree of Boost.Geometry.
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/geometries/segment.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <vector>

extern "C" {
#include <lauxlib.h>
#include <lua.h>
}

namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

using point = bg::model::point<double, 2, bg::cs::cartesian>;
using segment = bg::model::segment<point>;
using segments = bgi::rtree<segment, bgi::linear<16>>; // packing makes the nodes; this rule is only for later insertions

constexpr const char *segments_type = "wend.bench.BoostSegments";

segments *check_segments(lua_State *L) { return *static_cast<segments **>(luaL_checkudata(L, 1, segments_type)); }

int segments_gc(lua_State *L) {
  auto held = static_cast<segments **>(luaL_checkudata(L, 1, segments_type));
  delete *held;
  *held = nullptr;
  return 0;
}

// segments(list): in 2 dimensions
int boost_segments(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  auto held = static_cast<segments **>(lua_newuserdatauv(L, sizeof(segments *), 0));
  *held = nullptr;
  luaL_setmetatable(L, segments_type);
  std::vector<segment> walls;
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, 1));
  for (lua_Integer i = 1; i < count; i += 4) {
    double at[4];
    for (lua_Integer k = 0; k < 4; k++) {
      lua_rawgeti(L, 1, i + k);
      at[k] = luaL_checknumber(L, -1);
      lua_pop(L, 1);
    }
    walls.emplace_back(point(at[0], at[1]), point(at[2], at[3]));
  }
  *held = new segments(walls);
  return 1;
}

// s:clear(x1, y1, x2, y2)
int segments_clear(lua_State *L) {
  segments *s = check_segments(L);
  const segment line(point(luaL_checknumber(L, 2), luaL_checknumber(L, 3)),
                     point(luaL_checknumber(L, 4), luaL_checknumber(L, 5)));
  lua_pushboolean(L, s->qbegin(bgi::intersects(line)) == s->qend());
  return 1;
}

} // namespace

extern "C" int luaopen_wend_bench_boost_rtree(lua_State *L) {
  static const luaL_Reg methods[] = {{"clear", segments_clear}, {nullptr, nullptr}};
  static const luaL_Reg functions[] = {{"segments", boost_segments}, {nullptr, nullptr}};
  luaL_newmetatable(L, segments_type);
  lua_pushcfunction(L, segments_gc);
  lua_setfield(L, -2, "__gc");
  luaL_newlib(L, methods);
  lua_setfield(L, -2, "__index");
  luaL_newlib(L, functions);
  return 1;
}
