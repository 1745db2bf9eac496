-- SPDX-License-Identifier: MIT
-- More kinds of cells than a palette holds, while memory runs out: a grid goes over to a weight and a tag for every
-- cell, or is as it was. Only some of the many cells are looked at, since all of this is made anew for every request.
local wend = require "wend"

local WIDTH, HEIGHT = 256, 260
local FULL = 255 -- so many rows of cells that all differ, and a palette is full but for a few kinds

local function weight_of(x, y) return 1 + (y * WIDTH + x) / 65536 end

local grid = wend.grid(WIDTH, HEIGHT):map(function(x, y) return y <= FULL and weight_of(x, y) or nil end)
grid:wall(3, 3, 4, 3):link(1, 1, WIDTH, HEIGHT, { weight = 900, tag = "stairs" })

-- What the cells are that some edit has changed, and some others; and ways over them.
local function look()
  local list = {}
  for _, at in ipairs { { 1, 1 }, { WIDTH, FULL }, { 7, 7 }, { 100, 257 }, { 101, 257 }, { 5, 258 }, { 9, 258 },
    { 3, 259 }, { 200, 100 } } do
    local weight, tag = grid:get(at[1], at[2])
    list[#list + 1] = ("%s %.17g %s %s"):format(weight and "open" or "closed", grid:weight(at[1], at[2]), tostring(tag),
      tostring(grid:clear(3, 3, at[1], at[2])))
  end
  local path = grid:path(2, 2, 9, 6)
  local field = grid:field(96, 254, { window = 4 })
  list[#list + 1] = ("%.17g %.17g"):format(path.cost, field:cost(100, 258))
  return table.concat(list, "\n")
end

local function insist(what, f, changes)
  local before = look()
  collectgarbage() -- Lua drops a finalizer for which it has no memory
  if not attempt(f) then
    local after = look()
    if before ~= after then error(("%s failed, and yet: %s\nis now: %s"):format(what, before, after), 0) end
    f()
  end
  if (look() ~= before) ~= changes then error(what .. " did nothing, or too much", 0) end
end

for x = 1, 253 do grid:set(x, 256, weight_of(x, 256)) end
insist("the last kind", function() grid:set(100, 257, weight_of(254, 256)) end, true)
insist("one more kind", function() grid:set(100, 257, 70000) end, true)
insist("a kind with a tag", function() grid:set(101, 257, { weight = 80000, tag = "moor" }) end, true)
insist("a fill", function() grid:fill(4, 258, 9, 258, { weight = 1 / 1024, tag = "road" }) end, true)
insist("the same again", function() grid:fill(4, 258, 9, 258, { weight = 1 / 1024, tag = "road" }) end, false)
insist("a cell closed", function() grid:set(3, 259, false) end, true)
insist("a rectangle closed", function() grid:close(3, 99, 200, 101):close(3, 259, 9, 259) end, true)
insist("a rectangle opened", function() grid:open(3, 98, 200, 101) end, true)
insist("the same again", function() grid:open(3, 98, 200, 101) end, false)
insist("a cell closed that keeps its weight", function() grid:close(200, 100) end, true)

-- Nothing is left of the palette: searches, lines and fields over cells with values of their own.
local walker = wend.costs { moor = false, road = { times = 3, plus = 0.5 } }
local function ask(what, f)
  collectgarbage()
  local ok, tried = attempt(f)
  local result = f()
  if ok and tried ~= result then error(("%s: %s, then %s"):format(what, tostring(tried), tostring(result)), 0) end
end
local function show(path, message)
  return path and ("%.17g: "):format(path.cost) .. table.concat(path, " ") or message
end
ask("a path", function() return show(grid:path(95, 255, 104, 259, { costs = walker })) end)
ask("a path in slices", function()
  local search, state = grid:search(95, 255, 104, 259, { costs = walker }), "running"
  while state == "running" do state = search:step(9) end
  return show(search:result())
end)
ask("several windows", function()
  local field = grid:field({ 99, 257, 104, 254, 5, 258 }, { window = 3, costs = walker })
  return show(field:path(102, 258)) .. " / " .. show(field:scale(-1.2):relax():path(102, 258))
end)
ask("an update", function()
  local field = grid:field(104, 259, { costs = walker })
  local weight = grid:get(100, 255)
  grid:close(100, 255)
  field:update()
  grid:set(100, 255, weight or false)
  field:update()
  return show(field:path(95, 255))
end)
ask("clear", function() return tostring(grid:clear(90, 250, 110, 259, { costs = walker })) end)
