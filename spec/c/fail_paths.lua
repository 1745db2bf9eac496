-- SPDX-License-Identifier: MIT
-- Many paths at once, and searches through shortcuts, while memory runs out: a call that failed gives the right answer
-- when it is made again.
local wend = require "wend"

local function grown()
  local g = wend.graph()
  for i = 0, 35 do g:add_node(i % 6 * 7, math.floor(i / 6) * 7) end
  for i = 1, 36 do
    if i % 6 > 0 then g:add_edge(i, i + 1) end
    if i <= 30 then g:add_edge(i, i + 6) end
  end
  return g
end

local function show(list)
  local costs = {}
  for i, path in ipairs(list) do costs[i] = path and ("%.9g"):format(path.cost) or "none" end
  return table.concat(costs, " ")
end

local function insist(what, ask)
  if is_over() then return end
  local expected = ask()
  local ok, got = attempt(ask)
  if ok and got ~= expected then error(("%s: expected %s\ngot %s"):format(what, expected, got), 0) end
  local again = ask()
  if again ~= expected then error(("%s, again: expected %s\ngot %s"):format(what, expected, again), 0) end
end

local g, cells = grown(), wend.grid(6, 6)
for i = 1, 6 do cells:set(i, i, 3) end
local many, trips = {}, {}
for i = 1, 12 do
  many[2 * i - 1], many[2 * i] = i, 36 - i % 2
  for _, number in ipairs { i % 6 + 1, i % 5 + 1, 6, 5 } do trips[#trips + 1] = number end
end
insist("paths of a graph", function() return show(g:paths(many)) end)
insist("paths of a grid", function() return show(cells:paths(trips)) end)
local options = { threads = 2, variation = 0.1, seed = 1 } -- so that no fields are made
insist("paths of a graph by two threads", function() return show(g:paths(many, options)) end)
insist("paths of a grid by two threads", function() return show(cells:paths(trips, options)) end)

-- Edits that fail half-way leave the list of shortcuts in order.
local found = {}
insist("a graph with shortcuts", function()
  for i = 1, 70 do found[#found + 1] = g:add_edge(i % 30 + 1, 36, { weight = 0 }) end
  local all = show { g:path(1, 36) or false }
  for i = #found, 1, -1 do
    g:remove_edge(found[i])
    found[i] = nil
    if i == 10 then all = all .. show { g:path(1, 36) } end
  end
  return all .. show { g:path(1, 36) }
end)
insist("a grid with shortcuts", function()
  cells:link(1, 1, 5, 5, { weight = 0 })
  local path = show { cells:path(2, 1, 6, 5) }
  cells:unlink(1, 1, 5, 5)
  return path .. show { cells:path(2, 1, 6, 5) }
end)
