-- SPDX-License-Identifier: MIT
-- How long q:run(0.002) takes beyond its limit, and the memory of a first search, on large maps.

local common = require "common"

local function lines_of(side, case)
  local command = ("LUA_PATH='lua/?.lua;lua/?/init.lua;;' LUA_CPATH='build/5.4/?.so;;' '%s' bench/limits.lua %d %s")
    :format(arg[-1] or "lua5.4", side, case and ("'%s'"):format(case) or "")
  local pipe, lines = assert(io.popen(command)), {}
  for line in pipe:lines() do lines[#lines + 1] = line end
  pipe:close()
  return lines
end

return {
  name = "limits",
  title = "Parts of q:run(0.002) on large maps: ms beyond the limit",
  run = function()
    for _, side in ipairs(common.quick and { 512 } or { 1024, 4096 }) do
      local rows = {}
      for _, case in ipairs(lines_of(side)) do
        local values = {}
        for _, line in ipairs(lines_of(side, case)) do
          local key, value = line:match "^(%S+) (%S+)$"
          values[key] = tonumber(value)
        end
        local function ms(key) return common.round(values[key] * 1e3) end
        rows[#rows + 1] = { ("%s, %d x %d"):format(case, side, side), common.round(values.parts, 0), ms "p99",
          ms "p999", ms "most", common.round(values.seconds), common.round(values.memory / 1e6, 1) }
      end
      common.print_table({ "requests", "parts", "p99", "p99.9", "worst", "seconds in all", "memory, MB" }, rows)
    end
  end,
}
