// SPDX-License-Identifier: MIT
// wend_bench_nanoflann: finds the nearest points with the k-d tree of nanoflann, which is built once from all points.
#include "peer_points.hpp"

#include <nanoflann.hpp>

namespace {

template <int dimensions> class tree {
  struct view {
    const std::vector<double> &at;
    size_t kdtree_get_point_count() const { return at.size() / dimensions; }
    double kdtree_get_pt(size_t i, size_t axis) const { return at[i * dimensions + axis]; }
    template <class box> bool kdtree_get_bbox(box &) const { return false; }
  };
  using index = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, view>, view, dimensions, uint32_t>;

  view points;
  index made;

public:
  static constexpr const char *type_name = "wend.bench.Nanoflann";

  explicit tree(const std::vector<double> &at) : points{at}, made(dimensions, points) {}
  size_t nearest(const double *from, size_t k, uint32_t *ids, double *squares) const {
    return made.knnSearch(from, k, ids, squares);
  }
};

} // namespace

extern "C" int luaopen_wend_bench_nanoflann(lua_State *L) { return peer::points<tree>::open(L); }
