-- SPDX-License-Identifier: MIT
-- Routes and fields in slices while memory runs out: a slice that failed can be tried again, and the result is what it
-- was. The option into of a field stays as it was until the result is there.
local core = require "wend.core"
local wend = require "wend"

local function insist(what, f)
  local expected = f()
  local ok, tried = attempt(f)
  local result = f()
  if result ~= expected or ok and tried ~= expected then
    error(("%s: expected %s, got %s and %s"):format(what, expected, tostring(tried), tostring(result)), 0)
  end
end

local function show(result, message)
  if not result then return message end
  if type(result) == "userdata" then return result:encode() end
  return ("%.17g: "):format(result.cost) .. table.concat(result, " ")
end

local function grid()
  local made = wend.grid(12, 8):fill(5, 1, 5, 6, false):fill(7, 3, 8, 5, { weight = 2.5, tag = "mud" })
  return made:wall(2, 2, 3, 2):link(1, 1, 12, 8, { weight = 9, tag = "stairs" })
end

-- Two roads that nothing joins, so a route needs floods.
local function graph()
  local g = wend.graph()
  for i = 1, 24 do g:add_node(i % 6 * 10, i * 3) end
  for i = 1, 23 do
    if i ~= 12 then g:add_edge(i, i + 1, { tag = i % 3 == 0 and "mud" or nil }) end
  end
  return g
end

local walker = wend.costs { mud = { times = 2, plus = 0.25 }, stairs = function() return 1.5 end }
local gusty = wend.costs({}, { base = walker })
gusty:edge_rule("gusts", function(_, cost, _, from) return from % 2 == 0 and cost * 2 or nil end, { at_least = 1 })

-- Runs it in slices, and begins a slice again that failed.
local function finish(search)
  local state
  repeat state = search:step(5) until state ~= "running"
  return show(search:result())
end

insist("a search that keeps what it visits", function()
  local search = grid():search(1, 1, 12, 1, { visited = true, costs = walker, labels = false })
  local shown, count = finish(search), 0
  for _, _, _, order in search:each() do count = order end
  return shown .. " after " .. count
end)

for name, opts in pairs { plain = {}, profile = { costs = walker }, rules = { costs = gusty } } do
  local function with(more)
    for key, value in pairs(opts) do more[key] = value end
    return more
  end
  insist("a field over cells, " .. name, function() return finish(core.start("field", grid(), 1, 1, with {})) end)
  insist("a window, " .. name, function()
    return finish(core.start("field", grid(), { 1, 1, 9, 7 }, with { window = 3, values = { 1, 2 } }))
  end)
  insist("a field over nodes, " .. name, function() return finish(core.start("field", graph(), { 3, 20 }, with {})) end)
  insist("a route over a grid, " .. name, function()
    return finish(core.start("route", grid(), { 1.2, 7.3 }, { 11.4, 2.2 }, with {}))
  end)
  insist("a route over a graph, " .. name, function()
    return finish(core.start("route", graph(), { 5, 1 }, { 40, 70 }, with { enter = "edge" }))
  end)
  insist("a partial one, " .. name, function()
    return finish(core.start("route", graph(), { 5, 1 }, { 40, 70 }, with { max_distance = 12, partial = true }))
  end)
end

-- One search whose steps fail, and go on.
for _, begin in ipairs {
  function() return core.start("field", grid(), 1, 1, { costs = gusty }) end,
  function() return core.start("field", grid(), 1, 1) end,
  function() return core.start("route", grid(), { 1.2, 7.3 }, { 11.4, 2.2 }, { costs = gusty }) end,
  function() return core.start("route", graph(), { 5, 1 }, { 40, 70 }, { costs = gusty, enter = "edge" }) end,
} do
  local expected, search = finish(begin()), begin()
  for _ = 1, 6 do attempt(function() return (search:step(3)) end) end
  while search:step(9) == "running" do end
  attempt(function() return show(search:result()) end)
  if show(search:result()) ~= expected then error("the result of a search whose steps have failed differs", 0) end
end

-- Into a field.
local map = grid()
local field = map:field(12, 8)
local old = field:encode()
local search = core.start("field", map, 1, 1, { into = field })
while search:step(9) == "running" do end
for _ = 1, 3 do
  local ok = attempt(function() return search:result() == field end)
  if not ok and field:encode() ~= old then error("the field was changed by a call that failed", 0) end
end
if search:result() ~= field or field:encode() ~= map:field(1, 1):encode() then error("into has another field", 0) end

-- While the map changes.
insist("a field of the map as it was", function()
  local g = graph()
  local sliced = core.start("field", g, { 1 })
  local frame = 0
  local state
  repeat
    frame = frame + 1
    if frame % 2 == 0 then g:open_edge(20) else g:close_edge(20) end
    state = sliced:step(3)
  until state ~= "running"
  return show(sliced:result())
end)
