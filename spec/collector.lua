-- SPDX-License-Identifier: MIT
-- Sets how eager the collector is. Lua 5.5 has other names for that than the Luas before it.

---Sets the pause and the step multiplier of the incremental collector. Returns what they were.
---@param pause integer
---@param step integer
---@return integer pause
---@return integer step
return function(pause, step)
  if _VERSION >= "Lua 5.5" then
    return collectgarbage("param", "pause", pause), collectgarbage("param", "stepmul", step)
  end
  return collectgarbage("setpause", pause), collectgarbage("setstepmul", step)
end
