-- SPDX-License-Identifier: MIT
-- Objects whose finalizers Lua does not call. It calls none when there is no memory for the call: here because no deeper call
-- was made before. What the objects held is freed with the Lua state.
local core = require "wend.core"

local function call_deep(depth, fn)
  if depth == 0 then return fn() end
  return (call_deep(depth - 1, fn))
end

local function lose()
  core.grid(4, 4):search(1, 1, 4, 4):step(3)
  core.graph():add_node(1, 2)
  collectgarbage()
end

for depth = 100, 110 do
  attempt(call_deep, depth, lose)
  if is_over() then return end
end
