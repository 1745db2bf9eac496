rockspec_format = "3.0"
package = "wend"
version = "dev-1"

-- For a checkout: `luarocks make` builds what lies beside this file, and fetches nothing.
source = {
  url = "git+file://.",
}

description = {
  summary = "Path finding for games: graphs, costs decided by scripts, and agents that move along",
  detailed = [[
    A C core finds the cheapest path through graphs with weighted and directed edges; what an edge costs an agent is
    decided by tables and functions in Lua, which mods can add to and remove.
  ]],
  license = "MIT",
  labels = { "pathfinding", "navigation", "game", "graph", "ai" },
}

dependencies = {
  "lua >= 5.1, < 5.6",
}

test_dependencies = {
  "busted >= 2.0",
}

test = {
  type = "busted",
}

-- The builtin backend passes no flags: src/core/base/floats.h makes GCC round as it must, also on 32-bit x86. clang needs
-- CFLAGS="-msse2 -mfpmath=sse" there, and says so.
-- `make check-rockspec` compares these lists with the files that are there.
build = {
  type = "builtin",
  modules = {
    ["wend.core"] = {
      sources = {
        "src/core/base/crc.c",
        "src/core/base/gunzip.c",
        "src/core/base/hilbert.c",
        "src/core/base/memory.c",
        "src/core/base/names.c",
        "src/core/base/rtree.c",
        "src/core/base/slots.c",
        "src/core/codec/copy.c",
        "src/core/codec/field.c",
        "src/core/codec/file.c",
        "src/core/codec/fingerprint.c",
        "src/core/codec/graph.c",
        "src/core/codec/grid.c",
        "src/core/codec/route_table.c",
        "src/core/codec/tags.c",
        "src/core/map/agent_view.c",
        "src/core/map/bounds.c",
        "src/core/map/graph.c",
        "src/core/map/graph_store.c",
        "src/core/map/grid.c",
        "src/core/map/map.c",
        "src/core/map/nearest.c",
        "src/core/map/ratios.c",
        "src/core/map/step.c",
        "src/core/query/choice.c",
        "src/core/query/components.c",
        "src/core/query/curve.c",
        "src/core/query/field.c",
        "src/core/query/finder.c",
        "src/core/query/grid_route.c",
        "src/core/query/line.c",
        "src/core/query/linker.c",
        "src/core/query/path.c",
        "src/core/query/route.c",
        "src/core/query/route_table.c",
        "src/core/query/walls.c",
        "src/core/query/window.c",
        "src/core/search/flood.c",
        "src/core/search/heuristic.c",
        "src/core/search/kernel.c",
        "src/core/search/marks.c",
        "src/core/search/pathfinder.c",
        "src/core/search/paths.c",
        "src/core/search/search.c",
        "src/core/search/variation.c",
        "src/lua/base/call.c",
        "src/lua/base/check.c",
        "src/lua/base/clear.c",
        "src/lua/base/costs.c",
        "src/lua/base/map.c",
        "src/lua/base/request.c",
        "src/lua/base/state.c",
        "src/lua/base/trail.c",
        "src/lua/base/types.c",
        "src/lua/base/utf8.c",
        "src/lua/decode.c",
        "src/lua/files.c",
        "src/lua/graph.c",
        "src/lua/grid.c",
        "src/lua/module.c",
        "src/lua/path.c",
        "src/lua/query/choice.c",
        "src/lua/query/components.c",
        "src/lua/query/explain.c",
        "src/lua/query/field.c",
        "src/lua/query/line.c",
        "src/lua/query/link.c",
        "src/lua/query/nearest.c",
        "src/lua/query/route.c",
        "src/lua/query/route_table.c",
        "src/lua/query/search.c",
        "src/lua/text.c",
        "src/lua/track.c",
        "src/lua/unpack.c",
        "src/lua/walls.c",
      },
      incdirs = { "src" },
      defines = { "NDEBUG" },
    },
    ["wend.check"] = "lua/wend/check.lua",
    ["wend.clear"] = "lua/wend/clear.lua",
    ["wend.command.arguments"] = "lua/wend/command/arguments.lua",
    ["wend.command.bench"] = "lua/wend/command/bench.lua",
    ["wend.command.check"] = "lua/wend/command/check.lua",
    ["wend.command.convert"] = "lua/wend/command/convert.lua",
    ["wend.command.info"] = "lua/wend/command/info.lua",
    ["wend.command"] = "lua/wend/command/init.lua",
    ["wend.command.maps"] = "lua/wend/command/maps.lua",
    ["wend.command.numbers"] = "lua/wend/command/numbers.lua",
    ["wend.command.output"] = "lua/wend/command/output.lua",
    ["wend.command.path"] = "lua/wend/command/path.lua",
    ["wend.command.routes"] = "lua/wend/command/routes.lua",
    ["wend.command.svg"] = "lua/wend/command/svg.lua",
    ["wend.command.text"] = "lua/wend/command/text.lua",
    ["wend.costs"] = "lua/wend/costs.lua",
    ["wend.curve"] = "lua/wend/curve.lua",
    ["wend.disk"] = "lua/wend/disk.lua",
    ["wend.export"] = "lua/wend/export.lua",
    ["wend.file"] = "lua/wend/file.lua",
    ["wend.follow.events"] = "lua/wend/follow/events.lua",
    ["wend.follow"] = "lua/wend/follow/init.lua",
    ["wend.follow.join"] = "lua/wend/follow/join.lua",
    ["wend.follow.legs"] = "lua/wend/follow/legs.lua",
    ["wend.follow.rows"] = "lua/wend/follow/rows.lua",
    ["wend.follow.state"] = "lua/wend/follow/state.lua",
    ["wend.import.read"] = "lua/wend/import/read.lua",
    ["wend.import.tiled"] = "lua/wend/import/tiled.lua",
    wend = "lua/wend/init.lua",
    ["wend.meta"] = "lua/wend/meta.lua",
    ["wend.svg.colours"] = "lua/wend/svg/colours.lua",
    ["wend.svg.graph"] = "lua/wend/svg/graph.lua",
    ["wend.svg.grid"] = "lua/wend/svg/grid.lua",
    ["wend.svg"] = "lua/wend/svg/init.lua",
    ["wend.svg.labels"] = "lua/wend/svg/labels.lua",
    ["wend.svg.page"] = "lua/wend/svg/page.lua",
    ["wend.svg.text"] = "lua/wend/svg/text.lua",
    ["wend.text"] = "lua/wend/text.lua",
    ["wend.trace"] = "lua/wend/trace.lua",
    ["wend.track"] = "lua/wend/track.lua",
  },
  platforms = {
    unix = { modules = { ["wend.core"] = { libraries = { "m" } } } },
  },
  install = { bin = { wend = "bin/wend" } },
}
