-- SPDX-License-Identifier: MIT
-- Requests of wend.queue against direct calls, on Lua 5.4 and on LuaJIT.

local common = require "common"

-- Each Lua runs ../requests.lua in a process of its own.
local function measure(command, build, count, rounds)
  local module = io.open(build .. "/wend/core.so")
  if not module then return nil, build .. "/wend/core.so is missing: make LUA_VERSION=" .. build:match "[^/]+$" end
  module:close()
  local pipe = io.popen(("LUA_PATH='lua/?.lua;lua/?/init.lua;;' LUA_CPATH='%s/?.so;;' '%s' bench/requests.lua %d %d")
    :format(build, command, count, rounds))
  local results = {}
  for line in pipe:lines() do
    local name, value = line:match "^(%S+) (%S+)$"
    if name then results[name] = tonumber(value) end
  end
  if not pipe:close() then return nil, command .. " failed: see above" end
  return results
end

return {
  name = "requests",
  title = "1,000 short paths through wend.queue",
  run = function()
    local rows = {}
    for _, lua in ipairs {
      { "Lua 5.4", arg[-1] or "lua5.4", "build/5.4" }, { "LuaJIT", os.getenv "LUAJIT" or "luajit", "build/jit" },
    } do
      local results, problem = measure(lua[2], lua[3], 1000, common.quick and 5 or 50)
      if results then
        local function time(name) return common.round(results[name] * 1e6) end
        rows[#rows + 1] = { lua[1], time "direct", time "search", time "step", time "run", time "cancelled",
          common.round((results.step - results.direct) * 1e6), common.round(results.garbage, 0) }
      else
        print(("skipped: %s: %s"):format(lua[1], problem))
      end
    end
    if #rows == 0 then return end
    common.print_table({ "µs each", "grid:path", "grid:search", "q:step", "q:run", "cancelled", "q:step - grid:path",
      "garbage, bytes more" }, rows)
  end,
}
