-- SPDX-License-Identifier: MIT
-- Answers to "why?" while memory runs out: a call that failed gives the right answer when it is made again.
local wend = require "wend"

local costs = wend.costs { mud = 3, gate = function(agent) return agent.key and 1 or false end }
costs:mod("wolves"):edge_rule("night", function(_, cost, edge) return edge ~= 9 and cost or false end, { at_least = 1 })
local thief = { costs = costs, agent = {} }

local g = wend.graph()
for i = 1, 9 do g:add_node(i * 10, i % 3 * 4) end
g:add_node(100, 0, { name = "inn" })
g:close(5)
for i = 1, 9 do g:add_edge(i, i + 1, { tag = i == 3 and "gate" or i % 4 == 1 and "mud" or nil, directed = i == 6 }) end
g:add_edge(8, 6)

local cells = wend.grid(9, 5):fill(4, 1, 4, 5, false):fill(6, 1, 6, 4, 2, "mud"):set(6, 5, 1, "gate"):close(8, 5)
cells:wall(7, 2, 8, 2):link(1, 1, 3, 5, { tag = "gate", directed = true })

-- All of a value in text, sorted by key.
local function show(value)
  if type(value) == "number" then return ("%.17g"):format(value) end
  if type(value) ~= "table" then return tostring(value) end
  local list = {}
  for key, inner in pairs(value) do list[#list + 1] = tostring(key) .. " = " .. show(inner) end
  table.sort(list)
  return "{ " .. table.concat(list, ", ") .. " }"
end

local function insist(what, ask)
  if is_over() then return end
  local expected = ask()
  local ok, got = attempt(ask)
  if ok and got ~= expected then error(("%s: expected %s\ngot %s"):format(what, expected, got), 0) end
  local again = ask()
  if again ~= expected then error(("%s, again: expected %s\ngot %s"):format(what, expected, again), 0) end
end

insist("obstacles of a graph", function()
  local report = g:why_not(1, "inn", thief)
  return show(report) .. tostring(report)
end)
insist("obstacles of a grid", function()
  local report = cells:why_not(1, 1, 9, 1, thief)
  return show(report) .. tostring(report)
end)
insist("several goals", function() return tostring(cells:why_not(1, 1, { 9, 1, 9, 5 }, thief)) end)
insist("a path that there is", function() return tostring(g:why_not(1, 3, thief)) end)
insist("the message of a failed path", function() return (select(2, g:path(3, 4, thief))) end)
insist("a message that names a closed goal", function() return (select(2, cells:path(1, 1, 8, 5, thief))) end)
insist("chokepoints of a graph", function() return show(g:chokepoints()) end)
insist("chokepoints of a grid", function() return show(cells:chokepoints(thief)) end)
insist("an explanation of nodes", function() return show(g:explain({ 1, 2, 3, 4 }, thief)) end)
insist("an explanation of cells", function() return show(cells:explain({ 1, 1, 2, 1, 3, 1, 4, 1 }, thief)) end)
local long, short = g:path(1, 3), g:path(3, 1)
insist("a comparison", function() return tostring(long:compare { 1, 2 }) .. tostring(long:compare(short)) end)
insist("a trace", function()
  local trace = wend.trace(g, 1, 3, thief)
  return #trace .. tostring(trace) .. tostring(trace[#trace])
end)
insist("a check", function()
  local rocks = wend.walls()
  rocks:add_circle(15, 5, 3)
  return show(g:check { walls = rocks, too_close = 11, too_far = 5, costs = costs, agent = thief.agent })
end)
