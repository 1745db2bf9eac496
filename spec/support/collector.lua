-- SPDX-License-Identifier: MIT
-- The collector, for all Luas.

local collector = {}

-- rawget: scripts may forbid unknown globals.
local newproxy = rawget(_G, "newproxy")

---Sets the pause and the step multiplier of the incremental collector. Returns what they were. Lua 5.5 has other names
---for them than the Luas before it.
---@param pause integer
---@param step integer
---@return integer pause
---@return integer step
function collector.tune(pause, step)
  if _VERSION >= "Lua 5.5" then
    return collectgarbage("param", "pause", pause), collectgarbage("param", "stepmul", step)
  end
  return collectgarbage("setpause", pause), collectgarbage("setstepmul", step)
end

---A value that has fn as its finalizer. Tables have none in Lua 5.1 and LuaJIT: it is a userdata there.
function collector.finalized(fn)
  if newproxy then
    local proxy = newproxy(true)
    debug.getmetatable(proxy).__gc = fn
    return proxy
  end
  return setmetatable({}, { __gc = fn })
end

return collector
