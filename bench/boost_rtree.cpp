// SPDX-License-Identifier: MIT
// wend_bench_boost_rtree: finds what is near and what is in the way with the packed R-tree of Boost.Geometry.
#include "peer_points.hpp"

#include <boost/geometry.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/geometries/segment.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <utility>

namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

using rules = bgi::linear<16>; // packing makes the nodes; this rule is only for later insertions

template <int dimensions> class tree {
  using point = bg::model::point<double, dimensions, bg::cs::cartesian>;
  using entry = std::pair<point, uint32_t>;
  bgi::rtree<entry, rules> made;

  static point point_at(const double *at) {
    point p;
    bg::set<0>(p, at[0]);
    bg::set<1>(p, at[1]);
    if constexpr (dimensions == 3) bg::set<2>(p, at[2]);
    return p;
  }

  static std::vector<entry> entries(const std::vector<double> &at) {
    std::vector<entry> list;
    list.reserve(at.size() / dimensions);
    for (size_t i = 0; i < at.size(); i += dimensions)
      list.emplace_back(point_at(&at[i]), static_cast<uint32_t>(i / dimensions));
    return list;
  }

public:
  static constexpr const char *type_name = "wend.bench.BoostPoints";

  explicit tree(const std::vector<double> &at) : made(entries(at)) {}
  size_t nearest(const double *from, size_t k, uint32_t *ids, double *squares) const {
    const point place = point_at(from);
    size_t count = 0;
    for (auto i = made.qbegin(bgi::nearest(place, static_cast<unsigned>(k))); i != made.qend(); ++i, ++count) {
      ids[count] = i->second;
      squares[count] = bg::comparable_distance(place, i->first);
    }
    return count;
  }
};

// ---- Segments ---------------------------------------------------------------------------------
using point = bg::model::point<double, 2, bg::cs::cartesian>;
using segment = bg::model::segment<point>;
using wall = std::pair<segment, uint32_t>;

constexpr const char *segments_type = "wend.bench.BoostSegments";

struct segments {
  bgi::rtree<wall, rules> made;
};

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
  std::vector<double> at = peer::get_numbers(L, 1);
  std::vector<wall> walls;
  for (size_t i = 0; i < at.size(); i += 4) {
    walls.emplace_back(segment(point(at[i], at[i + 1]), point(at[i + 2], at[i + 3])), static_cast<uint32_t>(i / 4));
  }
  *held = new segments{bgi::rtree<wall, rules>(walls)};
  return 1;
}

// s:nearest(x, y) -> id, distance
int segments_nearest(lua_State *L) {
  segments *s = check_segments(L);
  const point place(luaL_checknumber(L, 2), luaL_checknumber(L, 3));
  auto found = s->made.qbegin(bgi::nearest(place, 1u));
  if (found == s->made.qend()) return 0;
  lua_pushinteger(L, static_cast<lua_Integer>(found->second) + 1);
  lua_pushnumber(L, bg::distance(place, found->first));
  return 2;
}

// s:clear(x1, y1, x2, y2)
int segments_clear(lua_State *L) {
  segments *s = check_segments(L);
  const segment line(point(luaL_checknumber(L, 2), luaL_checknumber(L, 3)),
                     point(luaL_checknumber(L, 4), luaL_checknumber(L, 5)));
  lua_pushboolean(L, s->made.qbegin(bgi::intersects(line)) == s->made.qend());
  return 1;
}

} // namespace

extern "C" int luaopen_wend_bench_boost_rtree(lua_State *L) {
  static const luaL_Reg methods[] = {{"nearest", segments_nearest}, {"clear", segments_clear}, {nullptr, nullptr}};
  luaL_newmetatable(L, segments_type);
  lua_pushcfunction(L, segments_gc);
  lua_setfield(L, -2, "__gc");
  lua_newtable(L);
  luaL_setfuncs(L, methods, 0);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
  peer::points<tree>::open(L);
  lua_pushcfunction(L, boost_segments);
  lua_setfield(L, -2, "segments");
  return 1;
}
