-- SPDX-License-Identifier: MIT
-- The time of adding edges to a graph that has its nodes, including the first path.

local common, graphs = require "common", require "graphs"

return {
  name = "build",
  title = "Building, ns an edge (two-way, weight = distance)",
  run = function()
    local wend = require "wend"
    local rows = {}
    for _, shuffled in ipairs { false, true } do
      local input = graphs.geometric(100000, shuffled)
      local from, to, ends, points = input.from, input.to, input:edge_ends(), input.points
      local count = #from
      local function nodes()
        local g = wend.graph()
        g:add_nodes(points)
        return g
      end
      local function one_by_one(g)
        for i = 1, count do g:add_edge(from[i], to[i]) end
        return g
      end
      local function bulk(g)
        g:add_edges(ends)
        return g
      end
      local seconds = common.time_once({
        { "one by one", one_by_one },
        { "one by one, path", function(g) one_by_one(g):path(1, 2) end },
        { "bulk", bulk },
        { "bulk, path", function(g) bulk(g):path(1, 2) end },
      }, nodes)
      seconds.nodes = common.time_once({ { "nodes", nodes } }).nodes
      local row = { input.name, count, common.round(seconds.nodes / input.node_count * 1e9, 0) }
      for _, name in ipairs { "one by one", "one by one, path", "bulk", "bulk, path" } do
        row[#row + 1] = common.round(seconds[name] / count * 1e9, 0)
      end
      rows[#rows + 1] = row
    end
    common.print_table({
      "input", "edges", "ns a node, bulk", "one by one", "+ first path", "bulk", "+ first path",
    }, rows)
  end,
}
