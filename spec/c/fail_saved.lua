-- SPDX-License-Identifier: MIT
-- Paths and followers are saved and loaded while memory runs out: a call that failed has changed nothing, and gives the
-- right bytes or object when it is called again.
local wend = require "wend"

-- All of a value in text, sorted by key.
local function show(value)
  if type(value) == "number" then return ("%.17g"):format(value) end
  if type(value) ~= "table" then return tostring(value) end
  local list = {}
  for key, inner in pairs(value) do list[#list + 1] = tostring(key) .. " = " .. show(inner) end
  table.sort(list)
  return "{ " .. table.concat(list, ", ") .. " }"
end

-- The fields of a path or a follower that scripts see.
local function look(object, message, code)
  if not object then return message .. ", " .. code end
  local list = { show(object.x), show(object.y), show(object.heading), show(object.done), show(object.cost) }
  for i = 1, object.cost and #object or 0 do list[#list + 1] = show(object[i]) end
  return table.concat(list, " ")
end

-- Calls f(...) while memory may run out, then again if it has; returns the results of a call that did not fail.
local function try(f, ...)
  local function keep(ok, ...)
    if ok then return { ... } end
  end
  local results = keep(attempt(f, ...))
  if results then return results end
  return { f(...) }
end

local function compare(what, expected, got)
  if got ~= expected then error(("%s: expected %s\ngot %s"):format(what, expected, got), 0) end
end

-- make() makes an object, and the options of wend.decode for it. moves: calls of f(object) that go on.
local function insist(what, make, ...)
  if is_over() then return end
  local object, opts = make()
  local twin = make()
  local bytes = try(object.encode, object)[1]
  local expected = twin:encode()
  compare("the bytes of " .. what, expected, bytes)
  compare("the bytes of " .. what .. " after others", expected, object:encode())
  local loaded = try(wend.decode, bytes, opts)
  compare(what, look(twin), look(loaded[1], loaded[2], loaded[3]))
  compare("the bytes of " .. what .. ", which was loaded", expected, loaded[1]:encode())
  for i = 1, select("#", ...) do
    local move = select(i, ...)
    move(loaded[1])
    move(twin)
    compare(what .. ", later", look(twin), look(loaded[1]))
  end
end

local function roads()
  local g = wend.graph()
  for i = 1, 9 do g:add_node(i * 10, i % 3 * 4) end
  g:add_node(100, 0, { name = "inn" })
  for i = 1, 9 do g:add_edge(i, i + 1, { tag = i % 4 == 0 and "gate" or nil }) end
  return g
end

local function cells()
  return wend.grid(9, 7):fill(5, 1, 5, 5, false):link(5, 7, 8, 2, { tag = "gate" })
end

local walker = wend.costs { gate = 2 }
local function clear(x1, y1, x2, y2) return (x1 + y1 + x2 + y2) % 7 < 5 end
local function on_point() end

local function walk(f)
  for _ = 1, 4 do f:update(0.7) end
end
local function resume(f)
  if f.waiting then f:resume() end
  walk(f)
end

insist("a path over a graph", function()
  local g = roads()
  return g:path(1, "inn", { costs = walker }), { map = g, costs = walker }
end)
insist("a path that is out of date", function()
  local g = roads()
  local path = g:path(1, 10)
  g:close_edge(3)
  return path, { map = g }
end)
insist("a path over a grid", function()
  local grid = cells()
  return grid:path(1, 1, 9, 1, { costs = walker }), { map = grid }
end)
insist("a follower of points", function()
  local f = wend.follow({ 0, 0, 10, 0, 10, 5, -3, 8 }, { speed = 3, loop = true })
  walk(f)
  return f
end, walk, walk)
insist("a follower of a path", function()
  local g = roads()
  local f = wend.follow(g:path(1, 10), { speed = 8, stops = { "gate" }, speeds = { gate = 0.5 }, on_point = on_point })
  for _ = 1, 9 do f:update(0.9) end
  return f, { map = g, on_point = on_point }
end, walk, resume)
insist("a follower on a curve", function()
  local grid = cells()
  local f = wend.follow(grid:path(1, 1, 9, 1), { speed = 2, curve = "catmull_rom", clear = clear, spacing = 0.5 })
  walk(f)
  return f, { map = grid, clear = clear }
end, walk, walk)

-- What is damaged, or of another map, changes nothing either.
for _, case in ipairs {
  { "damaged", function(bytes) return bytes:sub(1, -2) end, "format" },
  { "of another map", function(bytes, g) g:set_weight(1, 77) return bytes end, "stale" },
} do
  if not is_over() then
    local g = roads()
    local bytes = case[2](g:path(1, 10):encode(), g)
    local results = try(wend.decode, bytes, { map = g })
    compare("a path that is " .. case[1], "nil, " .. case[3], tostring(results[1]) .. ", " .. tostring(results[3]))
  end
end
