-- SPDX-License-Identifier: MIT
-- Random crowds, for specs and the fuzzer of files.
local wend = require "wend"

local crowd_reference = {}

--- A map, of no kind, a grid or a graph, and a function that makes an equal one.
function crowd_reference.random_map(rng)
  local kind = rng(4)
  if kind == 1 then
    return nil
  elseif kind == 2 then
    local graph = wend.graph()
    for _ = 1, 12 do graph:add_node(rng() * 20, rng() * 20) end
    for _ = 1, 30 do graph:add_edge(rng(12), rng(12)) end
    return graph
  end
  local width, height = rng(8, 24), rng(6, 16)
  local grid = wend.grid(width, height, { cell = rng:pick { 1, 1, 16 }, origin = rng:pick { { 0, 0 }, { -50, 7 } } })
  for _ = 1, rng(0, math.floor(width * height / 12)) do grid:set(rng(width), rng(height), false) end
  for _ = 1, rng(0, 4) do
    local x, y = rng(width - 1), rng(height)
    grid:wall(x, y, x + 1, y)
  end
  return grid
end

--- Draws an order: a function that carries it out for a crowd, its map and its walkers. plain: without fields; still:
--- without edits of the map.
function crowd_reference.random_order(rng, map, n, plain, still)
  local grid = wend.type(map) == "grid" and map
  local cell, left, top, width, height = 1, 0, 0, 20, 20
  if grid then
    cell = grid:cell_size()
    left, top = grid:origin()
    width, height = grid:width(), grid:height()
  end
  local function point() return left + rng() * width * cell, top + rng() * height * cell end
  local x, y = point()
  local x2, y2 = point()
  local what, index, last = rng(16), rng(math.max(n, 1)), rng(math.max(n, 1))
  local vx, vy, held = rng(-9, 9) * cell, rng(-9, 9) * cell, rng:chance(0.5)
  local radius, speed = rng(1, 6) * 0.1 * cell, rng(1, 9) * 0.5 * cell
  local group, avoids, priority = rng:pick { "a", "b", "count" }, rng:chance(0.3) and { "a" } or nil, rng(0, 2)
  local cx, cy, closed = rng(width), rng(height), rng:chance(0.5)
  return function(crowd, its_map, walkers)
    local w = walkers[index]
    if what <= 3 or not w then
      walkers[#walkers + 1] = crowd:add { x = x, y = y, radius = radius, speed = speed, group = group, avoids = avoids,
        priority = priority, patience = 3, acceleration = group == "b" and 2 * cell or nil, data = #walkers + 1 }
      return
    end
    local list = {}
    for i = math.min(index, last), math.max(index, last) do
      if walkers[i].state ~= "removed" then list[#list + 1] = walkers[i] end
    end
    if what == 4 and grid and not still then
      its_map:set(cx, cy, not closed and 1)
    elseif what == 5 then
      crowd:go(list, x, y)
    elseif w.state == "removed" then
      crowd:go(list, x2, y2)
    elseif what == 6 then w:push(vx, vy)
    elseif what == 7 then w[held and "pause" or "resume"](w)
    elseif what == 8 then w:stop()
    elseif what == 9 then w:remove()
    elseif what == 10 then w:place(x2, y2)
    elseif what == 11 then w:go { x, y, x2, y2 }
    elseif what == 12 and grid and not plain and not its_map:is_closed(cx, cy) then
      w:go(its_map:field(cx, cy))
    elseif what == 13 and walkers[last].state ~= "removed" and last ~= index then
      w:chase(walkers[last])
    elseif what == 14 and walkers[last].state ~= "removed" and last ~= index then
      crowd:surround({ w }, walkers[last])
    else
      w:go(x, y)
    end
  end
end

--- Lets a random number of orders and updates happen to each of some crowds. Each is { crowd, map, walkers }.
-- after(i) is called after each update.
function crowd_reference.play(rng, all, count, after, plain, still)
  for i = 1, count do
    if rng:chance(0.3) then
      local order = crowd_reference.random_order(rng, all[1][2], #all[1][3], plain, still)
      for _, one in ipairs(all) do order(one[1], one[2], one[3]) end
    end
    local dt = rng:pick { 1 / 30, 1 / 60, 0.1 }
    for _, one in ipairs(all) do one[1]:update(dt) end
    if after then after(i) end
  end
end

return crowd_reference
