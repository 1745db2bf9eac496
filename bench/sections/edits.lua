-- SPDX-License-Identifier: MIT
-- The time of edits in a small graph and in a large one. It should depend only on what the edit changes.

local common = require "common"
local wend = require "wend"

local sizes, times = { 2000, 128000 }, 1000

-- A graph of nodes in a row, each joined to the next.
local function row(count)
  local g, points, pairs = wend.graph(), {}, {}
  for n = 1, count do
    points[2 * n - 1], points[2 * n] = n, n % 7
    if n > 1 then pairs[2 * n - 3], pairs[2 * n - 2] = n - 1, n end
  end
  g:add_nodes(points)
  g:add_edges(pairs)
  g:path(1, 2)
  return g
end

-- The same graph with every second node removed, so no two consecutive slots are free.
local function full_of_holes(count)
  local g = row(count)
  for n = 2, count, 2 do g:remove_node(n) end
  g:path(1, 1)
  return g
end

local edits = {
  { "an edge added and removed", row, function(g, i) g:remove_edge(g:add_edge(i, i + 5)) end },
  { "a weight", row, function(g, i) g:set_weight(i, i) end },
  { "a tag", row, function(g, i) g:set_tag(i, "road") end },
  { "an edge closed and opened", row, function(g, i) g:close_edge(i):open_edge(i) end },
  { "a node closed and opened", row, function(g, i) g:close(i):open(i) end },
  { "a node moved", row, function(g, i) g:move(i, i, 1) end },
  { "a node and an edge added, a short path", row, function(g, i)
    g:add_edge(g:add_node(i, 0), i)
    g:path(i, i + 1)
  end },
  { "two nodes added in bulk and removed, holes", full_of_holes, function(g)
    local first, last = g:add_nodes { 0, 0, 1, 1 }
    g:remove_node(first):remove_node(last)
  end },
}

return {
  name = "edits",
  title = "ns an edit, between searches, in a row of nodes",
  run = function()
    local rows = {}
    for i, edit in ipairs(edits) do
      local name, make, change = edit[1], edit[2], edit[3]
      local contestants = {}
      local graphs = {}
      for k, size in ipairs(sizes) do
        graphs[k] = make(size)
        contestants[k] = { size, function()
          local g = graphs[k]
          for n = 1, times do change(g, n) end
        end }
      end
      local seconds = common.time_once(contestants)
      local small, large = seconds[sizes[1]], seconds[sizes[2]]
      rows[i] = { name, common.round(small / times * 1e9, 0), common.round(large / times * 1e9, 0),
        common.round(large / small) }
    end
    common.print_table({ "edit", sizes[1] .. " nodes", sizes[2] .. " nodes", "ratio" }, rows)
  end,
}
