-- SPDX-License-Identifier: MIT
-- Fields made, made again, added, scaled and relaxed while memory runs out. One that could not be made again is empty,
-- one that could not be relaxed is as it was; and what failed works when it is called again.
local wend = require "wend"

local WIDTH, HEIGHT = 10, 6

-- Maps to make fields of: plain cells; cells with all that there can be; a graph. Made anew for each attempt, since a
-- map keeps what a search has built.

local function plain()
  local grid = wend.grid(WIDTH, HEIGHT):fill(5, 1, 5, 4, false):fill(7, 3, 8, 5, { weight = 2.5, tag = "mud" })
  return grid:set(3, 4, "lava")
end

local function full()
  local grid = plain():wall(2, 2, 3, 2):wall(7, 5, 7, 6)
  for i = 1, 9 do grid:link(i, 1, WIDTH, i % HEIGHT + 1, { weight = i / 2, tag = "stairs", directed = i % 2 == 0 }) end
  return grid
end

local function graph()
  local g = wend.graph()
  for i = 1, 30 do g:add_node(i % 6 * 10, i * 3) end
  for i = 1, 25 do g:add_edge(i, i + 5, { tag = i % 3 == 0 and "mud" or nil, directed = i % 7 == 0 }) end
  for i = 1, 29, 2 do g:add_edge(i, i + 1) end
  g:remove_node(17)
  return g
end

-- What fields are of that are to be made again of one of the above: larger ones.
local function old_grid()
  return wend.grid(30, 20):fill(1, 5, 20, 5, 2):link(29, 19, 2, 2)
end
local function old_graph()
  local g = wend.graph()
  for i = 1, 60 do g:add_node(i, 0) end
  for i = 1, 59 do g:add_edge(i, i + 1) end
  return g
end
local function old_field(map)
  return map.nodes and map:field(50) or map:field(28, 18, { window = 3 })
end

local walker = wend.costs { mud = { times = 2, plus = 0.25 }, lava = false, stairs = function() return 1.5 end }
local gusty = wend.costs({}, { base = walker })
gusty:edge_rule("gusts", function(_, cost, _, from) return from % 2 == 0 and cost * 2 or nil end, { at_least = 1 })

local function show(path, message)
  if not path then return message end
  return ("%.17g: "):format(path.cost) .. table.concat(path, " ")
end

-- All that a field can tell. leads: whether there was no arithmetic.
local function dump(field, leads)
  local lines = { tostring(field), tostring(field:stale()) }
  for a, b, c in field:each() do -- x, y, cost, or node, cost
    local line = { a, c and b or "", ("%.17g"):format(c or b) }
    local function add(...)
      for i = 1, select("#", ...) do line[#line + 1] = tostring((select(i, ...))) end
    end
    if c then add(field:next(a, b)) else add(field:next(a)) end
    if leads and c then add("goal", field:goal(a, b)) end
    if leads and not c then add("goal", field:goal(a)) end
    if leads and #lines % 5 == 0 then add(show(field:path(a, c and b or nil))) end
    lines[#lines + 1] = table.concat(line, " ")
  end
  return table.concat(lines, "\n")
end

-- The first line in which two dumps differ.
local function difference(expected, got)
  local rest = got:gmatch "[^\n]+"
  for line in expected:gmatch "[^\n]+" do
    local other = rest()
    if line ~= other then return ("expected '%s', got '%s'"):format(line, tostring(other)) end
  end
  local other = rest()
  return other and ("expected no more, got '%s'"):format(other)
end

local function same(what, expected, field, leads)
  local wrong = difference(expected, dump(field, leads))
  if wrong then error(("%s: %s"):format(what, wrong), 0) end
end

local function is_empty(field)
  return field:each()() == nil
end

-- A field as find(map, into) makes it: made while memory may run out, then made again out of one of another map.
local function insist(what, make_map, find, make_old)
  if is_over() then return end
  local map = make_map()
  local ok, field = attempt(find, map)
  if not ok then
    field = find(map)
    same(what, dump(find(make_map()), true), field, true)
  end

  local old = make_old()
  local used = old_field(old)
  ok = attempt(function() -- in a thread of its own, whose small stack has to grow as well
    local thread = coroutine.create(function() find(map, used) end)
    local fine, message = coroutine.resume(thread)
    if not fine then error(message, 0) end
  end)
  if ok then return end
  if not is_empty(used) then same(what .. ", into another, failed", dump(old_field(old), true), used, true) end
  find(map, used)
  same(what .. ", into another after a failure", dump(field, true), used, true)
end

local function with(opts, into)
  local all = { into = into }
  for key, value in pairs(opts) do all[key] = value end
  return all
end

local function cell(opts)
  return function(map, into) return assert(map:field(10, 2, with(opts, into))) end
end
local function cells(opts)
  return function(map, into) return assert(map:field({ 10, 2, 2, 6, 5, 5 }, with(opts, into))) end
end
local function node(opts)
  return function(map, into) return assert(map:field({ 4, 28 }, with(opts, into))) end
end

-- 1. Making ---------------------------------------------------------------------------------------------------------

insist("plain cells", plain, cell {}, old_grid)
insist("plain cells, outward", plain, cells { outward = true, costs = walker }, old_grid)
insist("plain cells, values", plain, cells { values = { 3, -2, 0.5 }, stats = {} }, old_graph)
insist("a window", plain, cell { window = 3 }, old_grid)
insist("windows", plain, cells { window = 2, max_cost = 3.5 }, old_grid)
insist("walls and links", full, cell {}, old_graph)
insist("walls and links, an agent", full, cells { costs = walker, agent = {} }, old_grid)
insist("walls and links, windows", full, cells { window = 2, costs = walker }, old_grid)
insist("a rule", full, cells { costs = gusty, outward = true }, old_graph)
insist("a callback", plain, cell { cost = function(_, cost, tag) return #(tostring(tag) .. cost) + cost end }, old_grid)
insist("nodes", graph, node {}, old_grid)
insist("nodes, outward", graph, node { values = { 1, 0 }, costs = gusty, outward = true }, old_graph)

-- Not done within the budget, which is no error: it is empty too.
do
  local map = plain()
  local used = map:field(1, 1)
  local function spent() return map:field(10, 2, { max_expanded = 5, into = used }) end
  attempt(spent)
  local field, _, code = spent()
  if field or code ~= "budget" or not is_empty(used) then error("a field of five cells was made", 0) end
end

-- 2. Arithmetic and relaxing ----------------------------------------------------------------------------------------

local tiny = wend.grid(2, 1)

-- Calls f inside of n searches, with what no search but the ones at that depth have used.
local function deep(n, f)
  local result
  if n == 0 then return f() end
  tiny:path(1, 1, 2, 1, { cost = function(_, cost)
    result = result or deep(n - 1, f)
    return cost
  end })
  return result
end

local depth = 0

-- What find makes is scaled by k, if given, and relaxed.
local function relax(what, make_map, find, k)
  if is_over() then return end
  local map = make_map()
  local field, twin, near = find(map), find(map), find(map)
  depth = depth + 1
  if k then
    attempt(function() field:add(near, 0.5):scale(k) end) -- what needs no memory
    twin:add(near, 0.5):scale(k)
    same(what .. ": arithmetic", dump(twin), field)
  end
  deep(depth, function() return true end) -- makes all searches but the last
  local done
  if attempt(deep, depth, function()
    done = field:relax() -- what is around it may still fail
    return true
  end) then return end
  if not done then
    same(what .. " failed, and yet changed the field", dump(twin, not k), field, not k)
    if not field:relax() then error(what .. ": stale", 0) end
  end
  same(what, dump(twin:relax(), true), field, true)
end

relax("relaxing what has not changed", plain, cells {})
relax("relaxing plain cells", plain, cells {}, -1.2)
relax("relaxing plain cells, outward", plain, cells { outward = true, costs = walker }, -1.2)
relax("relaxing windows", plain, cells { window = 2 }, -1.2)
relax("relaxing walls and links as they are", full, cells { costs = walker })
relax("relaxing walls and links", full, cells { costs = walker }, -1.2)
relax("relaxing what a rule has made", full, cell { costs = gusty, window = 4 }, -1.5)
relax("relaxing nodes as they are", graph, node {})
relax("relaxing nodes", graph, node { costs = walker }, -1.2)
relax("relaxing nodes that a rule has led to", graph, node { costs = gusty, outward = true }, -1.5)

-- 3. Asking ---------------------------------------------------------------------------------------------------------

if not is_over() then
  local map = full()
  local field = map:field(10, 2, { costs = gusty })
  local function ask(what, f)
    local ok, tried = attempt(f)
    local result = f()
    if ok and tried ~= result then error(("%s: %s, then %s"):format(what, tostring(tried), tostring(result)), 0) end
  end
  ask("a path", function() return show(field:path(1, 6)) end)
  ask("no path", function() return show(field:path(3, 4)) end)
  ask("each", function() return dump(field, false) end)
  field:scale(-1)
  ask("a way down", function() return table.concat({ field:next(7, 2) }, " ") end)
  ask("tostring", function() return tostring(field) end)
  map:set(1, 1, 2)
  ask("stale", function() return (select(3, field:relax())) end)
end
