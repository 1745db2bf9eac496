-- SPDX-License-Identifier: MIT
-- why_not, compared with one search of the whole map: a field. At most three of them are allowed.

local common = require "common"
local wend = require "wend"

-- A grid with closed lines, so that there is no path from the upper left to the lower right corner.
local function grid_with(side, lines)
  local grid = wend.grid(side, side)
  for _, line in ipairs(lines) do grid:close(line[1], line[2], line[3], line[4]) end
  return grid
end

-- A lattice of nodes and two-way edges of different weights.
local function lattice(side)
  local points, pairs_of = {}, {}
  math.randomseed(7)
  for y = 1, side do
    for x = 1, side do
      points[#points + 1], points[#points + 2] = x + math.random() / 2, y + math.random() / 2
      local node = (y - 1) * side + x
      if x < side then pairs_of[#pairs_of + 1], pairs_of[#pairs_of + 2] = node, node + 1 end
      if y < side then pairs_of[#pairs_of + 1], pairs_of[#pairs_of + 2] = node, node + side end
    end
  end
  local g = wend.graph()
  g:add_nodes(points)
  g:add_edges(pairs_of)
  return g
end

return {
  name = "why",
  title = "why_not, what is in the way where there is no path, compared with one search of the whole map",
  run = function()
    local side = common.quick and 300 or 1000
    local last, middle = side, math.floor(side / 2)
    local box = { { 5, 1, 5, 5 }, { 1, 5, 5, 5 }, { last - 5, last - 5, last - 5, last },
      { last - 5, last - 5, last, last - 5 } }
    local cases = {}
    local function on_grid(name, grid, options)
      local opened = wend.grid(side, side)
      local field = opened:field(1, 1, options)
      local again = { into = field }
      for key, value in next, options or {} do again[key] = value end
      cases[#cases + 1] = { name, function() opened:field(1, 1, again) end,
        function(opts) return grid:why_not(1, 1, last, last, opts) end, options }
    end
    on_grid("grid, goal closed", grid_with(side, { { last, last } }))
    on_grid("grid, a line in the middle", grid_with(side, { { middle, 1, middle, last } }))
    on_grid("grid, start and goal in boxes", grid_with(side, box))
    on_grid("the same with a function", grid_with(side, box), { cost = function(_, cost) return cost end,
      at_least = 1 })
    local nodes = common.quick and 100 or 300
    local function on_graph(name, closed)
      local g, opened = lattice(nodes), lattice(nodes)
      for _, node in ipairs(closed) do g:close(node) end
      local again = { into = opened:field(1) }
      cases[#cases + 1] = { name, function() opened:field(1, again) end,
        function(opts) return g:why_not(1, nodes * nodes, opts) end }
    end
    on_graph("graph, goal closed", { nodes * nodes })
    local line = {}
    for y = 0, nodes - 1 do line[#line + 1] = y * nodes + math.floor(nodes / 2) end
    on_graph("graph, a line in the middle", line)
    on_graph("graph, start and goal enclosed", { 2, nodes + 1, nodes * nodes - 1, nodes * (nodes - 1) })

    local rows = {}
    for _, case in ipairs(cases) do
      local name, field, why, options = case[1], case[2], case[3], case[4]
      local stats = {}
      local opts = { stats = stats }
      for key, value in next, options or {} do opts[key] = value end
      local report = assert(why(opts), name)
      local seconds = common.race {
        { "field", function(repeats) for _ = 1, repeats do field() end end },
        { "why", function(repeats) for _ = 1, repeats do why(options) end end },
      }
      rows[#rows + 1] = { name, #report.obstacles, stats.searches, stats.expanded, common.round(seconds.field * 1e3),
        common.round(seconds.why * 1e3), common.round(seconds.why / seconds.field) }
    end
    common.print_table({ "", "obstacles", "searches", "expanded", "a field ms", "why_not ms", "why_not / field" }, rows)
  end,
}
