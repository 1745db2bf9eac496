-- SPDX-License-Identifier: MIT
-- The operations of movement whose instructions are counted: see instructions/operations.lua.

local walkers_in = require "move.walkers"
local wend = require "wend"

local operations = {}

-- The steps of a crowd, after the first ones. Where walkers are depends on each rule of movement: it is no answer to
-- compare.
local function add(input, count, area)
  local crowd, steps = wend.crowd(), 64
  for _, w in ipairs(walkers_in(count, area)) do
    crowd:add({ x = w[1], y = w[2], radius = 0.5, speed = 1.5 }):go(w[3], w[4])
  end
  operations[#operations + 1] = { "crowd:update, a walker", input, count * steps, function()
    for _ = 1, steps do crowd:update(1 / 30) end
    return #crowd
  end }
end
add("1,000 in the open", 1000, 16)
add("1,000, dense", 1000, 1.5)

return operations
