-- SPDX-License-Identifier: MIT
-- Loading itself. The Lua files are compiled before: that is Lua's own work.
for _, name in ipairs { "init", "check", "costs", "costs/compile", "costs/kinds", "costs/layers", "costs/mods", "lazy",
  "once", "sorted", "spelling", "move/init", "tools/init" } do
  local module = ("wend." .. name:gsub("/", ".")):gsub("%.init$", "")
  package.preload[module] = assert(loadfile("lua/wend/" .. name .. ".lua"))
end

-- Fills the registry, so that the first thing that the core puts there needs memory.
collectgarbage()
collectgarbage "stop"
local registry, key = debug.getregistry(), 0
local function fill()
  local before, count = collectgarbage "count", 0
  repeat
    count, key = count + 1, key - 1
    registry[key] = true
  until collectgarbage "count" > before
  return count
end
fill()
for _ = 2, 2 * fill() do
  key = key - 1
  registry[key] = true
end
collectgarbage "restart"

-- What was half loaded is not in the way of the next load.
if not attempt(require, "wend") then
  for name in next, package.loaded do
    if name:find "^wend" then package.loaded[name] = nil end
  end
end
local wend = require "wend"
assert(wend.grid(3, 3):path(1, 1, 3, 3, { costs = wend.costs() }))
assert(wend.crowd():add { x = 0, y = 0 })
