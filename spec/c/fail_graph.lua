-- SPDX-License-Identifier: MIT
-- Building and editing a graph while memory runs out: a call does all of it or nothing, and works when called again.
local core = require "wend.core"

local function snapshot(g)
  local lines = { g:node_count() .. " nodes, " .. g:edge_count() .. " edges" }
  for n in g:nodes() do
    local x, y = g:position(n)
    lines[#lines + 1] = table.concat({ n, tostring(g:name(n)), tostring(x), tostring(y),
      tostring(g:is_closed(n)) }, " ")
    for edge, neighbour, weight, tag in g:edges(n) do
      local e = g:edge(edge)
      lines[#lines + 1] = table.concat({ " ", edge, neighbour, ("%.17g"):format(weight), tostring(tag),
        tostring(e.directed), tostring(e.closed) }, " ")
    end
  end
  local path, message = g:path("first", "last")
  lines[#lines + 1] = path and table.concat(path, "-") .. (" %.17g"):format(path.cost) or message
  return table.concat(lines, "\n")
end

local function start()
  local g = core.graph()
  g:add_node(0, 0, { name = "first" })
  g:add_node(30, 40, { name = "last", radius = 2 })
  g:add_edge("first", "last", { tag = "road" })
  return g
end

-- More points than the first blocks hold, so that everything has to grow.
local points, ends, weights = {}, {}, {}
for i = 1, 60 do
  points[#points + 1] = i * 3
  points[#points + 1] = i % 7
  ends[#ends + 1] = i
  ends[#ends + 1] = i + 1
  weights[i] = i % 5
end

local edits = {
  { "add_node", function(g) g:add_node(3, 4) end },
  { "add_node with a name", function(g) g:add_node(5, 12, { name = ("a name too long to be interned "):rep(2) }) end },
  { "add_nodes", function(g) g:add_nodes(points) end },
  { "add_edge", function(g) g:add_edge(1, 3) end },
  { "add_edge with a tag", function(g) g:add_edge(3, "last", { tag = "swamp", directed = true, weight = 1 }) end },
  { "add_edges", function(g) g:add_edges(ends) end },
  { "add_edges with weights", function(g) g:add_edges(ends, { weights = weights, directed = true }) end },
  { "set_name", function(g) g:set_name(7, "seventh") end },
  { "set_radius", function(g) g:set_radius(7, 3) end },
  { "set_tag", function(g) g:set_tag(2, "toll") end },
  { "set_weight", function(g) g:set_weight(2, 4) end },
  { "move", function(g) g:move(3, 1, 1) end },
  { "close", function(g) g:close(5) end },
  { "close_edge", function(g) g:close_edge(4) end },
  { "remove_edge", function(g) g:remove_edge(1) end },
  { "remove_node", function(g) g:remove_node(3) end },
  { "add_node again", function(g) g:add_node(9, 9, { name = "ninth" }) end },
  { "open", function(g) g:open(5) end },
}

-- The first line in which two snapshots differ.
local function difference(expected, got)
  local rest = got:gmatch "[^\n]+"
  for line in expected:gmatch "[^\n]+" do
    local other = rest()
    if line ~= other then return ("expected '%s', got '%s'"):format(line, tostring(other)) end
  end
  local other = rest()
  return other and ("expected no more, got '%s'"):format(other)
end

local g
if not attempt(function() g = start() end) then g = start() end
local twin = start()

for _, edit in ipairs(edits) do
  local what, change = edit[1], edit[2]
  local before = snapshot(g)
  if not attempt(change, g) then
    local changed = difference(before, snapshot(g))
    if changed then error(("%s failed, and yet changed the graph: %s"):format(what, changed), 0) end
    change(g)
  end
  change(twin)
  local wrong = difference(snapshot(twin), snapshot(g))
  if wrong then error(("%s made another graph than without failures: %s"):format(what, wrong), 0) end
end
