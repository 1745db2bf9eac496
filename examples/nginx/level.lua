-- SPDX-License-Identifier: MIT
-- Makes a level by calculation: the same number gives the same level on every machine.

local wend = require "wend"

local level = {}

-- Park and Miller's generator ("Random number generators: good ones are hard to find", 1988). Its products are below
-- 2^53, so every Lua calculates them exactly.
local function generator(seed)
  local state = seed % 2147483646 + 1
  return function(limit) -- a whole number from 0 to limit - 1
    state = state * 16807 % 2147483647
    return state % limit
  end
end

---A square of `side` x `side` crossings that are about 10 apart, joined by paths, roads and swamps. One node is an
---island without edges.
function level.make(number, side)
  local graph, random = wend.graph(), generator(number)
  for row = 1, side do
    for column = 1, side do
      graph:add_node(column * 10 + random(60) / 10, row * 10 + random(60) / 10)
    end
  end
  local function join(a, b, road)
    local draw = random(100)
    if road then
      graph:add_edge(a, b, { tag = "road" })
    elseif draw < 75 then
      graph:add_edge(a, b, { tag = draw < 25 and "swamp" or nil })
    end
  end
  for row = 1, side do
    for column = 1, side do
      local node = (row - 1) * side + column
      if column < side then join(node, node + 1, row % 8 == 1) end
      if row < side then join(node, node + side, column % 8 == 1) end
    end
  end
  graph:set_name(1, "gate"):set_name(side * side, "keep"):set_name(side, "old mill")
  graph:add_node(-50, -50, { name = "island" })
  return graph
end

return level
