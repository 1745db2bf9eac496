-- SPDX-License-Identifier: MIT
-- Making and checking levels: g:link with and without walls, compared with a k-d tree in C; g:check.

local common, graphs, places = require "common", require "graphs", require "places"

-- ---- g:link -----------------------------------------------------------------------------------

-- Random walls between nodes that are about 10 apart.
local function random_walls(count, input)
  math.randomseed(graphs.seed)
  local walls, side = require("wend").walls(), math.sqrt(100 * input.node_count)
  for _ = 1, count do
    local x, y, angle = side * math.random(), side * math.random(), 2 * math.pi * math.random()
    local long = 10 * (0.5 + math.random())
    walls:add_segment(x, y, x + long * math.cos(angle), y + long * math.sin(angle))
  end
  return walls
end

local function link(input, wall_count)
  local k, wend = 4, require "wend"
  local walls = wall_count > 0 and random_walls(wall_count, input) or nil
  local name = input.name .. (walls and (", %d walls"):format(wall_count) or "")
  local options = { limit = k, walls = walls }
  local function ready()
    local g = wend.graph { dimensions = input.dimensions }
    g:add_nodes(input.points)
    return g
  end
  local g = ready()
  g:link(options)
  local count = g:edge_count()
  local points = places.points(input)
  local seconds = common.time_once({
    { "link", function(fresh) fresh:link(options) end },
    { "tree", function()
      points:build(1)
      points:run(input.points, "tree", k + 1, 1)
    end },
  }, ready)
  return {
    name, count, common.round(seconds.link * 1e3, 0), common.round(seconds.link / input.node_count * 1e9, 0),
    common.round(seconds.tree / input.node_count * 1e9, 0), common.round(seconds.link / seconds.tree),
  }
end

-- ---- g:check ----------------------------------------------------------------------------------

local function check(input)
  local g, name, nodes, arcs = input:wend(), input.name, input.node_count, input:arc_count()
  local findings = g:check()
  input:release()
  local options = { into = g:field(1) }
  local seconds = common.race {
    { "check", function(repeats)
      for _ = 1, repeats do g:check() end
    end },
    { "field", function(repeats)
      for _ = 1, repeats do g:field(1, options) end
    end },
  }
  return {
    name, nodes, arcs, #findings.components, common.round(seconds.check * 1e3, 2),
    common.round(seconds.check / nodes * 1e9, 1), common.round(seconds.check / (nodes + arcs) * 1e9, 1),
    common.round(seconds.check / seconds.field),
  }
end

return {
  name = "levels",
  title = "Generated edges and checks (k-d tree in C: making it, and the nearest of each node)",
  run = function()
    local rows, n = {}, common.quick and 10000 or 100000
    for _, input in ipairs { graphs.cloud(n, 2), graphs.cloud(n, 2, true), graphs.cloud(n, 3) } do
      rows[#rows + 1] = link(input, 0)
      if input.dimensions == 2 then rows[#rows + 1] = link(input, n // 5) end
    end
    common.print_table({ "k = 4", "edges", "link ms", "ns a node", "k-d tree", "link / k-d tree" }, rows)
    print()

    rows = {}
    for _, name in ipairs(graphs.file_names()) do rows[#rows + 1] = check(graphs.from_file(name)) end
    for _, count in ipairs(common.quick and { 10000 } or { 10000, 100000, 1000000 }) do
      rows[#rows + 1] = check(graphs.geometric(count))
    end
    common.print_table({
      "check", "nodes", "arcs", "components", "ms", "ns a node", "ns a node and arc",
      "check / a field",
    }, rows)
  end,
}
