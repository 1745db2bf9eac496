-- SPDX-License-Identifier: MIT
-- Objects whose finalizers Lua does not call. It calls none when there is no memory for the call: here because no call
-- was as deep before. What the objects held is freed with the Lua state.
local core = require "wend.core"

local function lose(held)
  held.objects = nil
  collectgarbage()
end

local function call_deep(depth, held)
  if depth == 0 then return lose(held) end
  return (call_deep(depth - 1, held))
end

for depth = 100, 110 do
  local grid = core.grid(4, 4)
  attempt(call_deep, depth, { objects = { grid, grid:search(1, 1, 4, 4), core.graph(), core.graph() } })
  if is_over() then return end
end
