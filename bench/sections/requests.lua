-- SPDX-License-Identifier: MIT
-- Requests of wend.queue against direct calls, on Lua 5.4 and on LuaJIT.

local common = require "common"

return {
  name = "requests",
  title = "1,000 short paths through wend.queue",
  run = function()
    local rows = {}
    for _, lua in ipairs(common.on_both("requests.lua", 1000, common.quick and 5 or 50)) do
      local name, results = lua[1], lua[2]
      local function time(key) return common.round(results[key] * 1e6) end
      rows[#rows + 1] = { name, time "direct", time "search", time "step", time "run", time "cancelled",
        common.round((results.step - results.direct) * 1e6), common.round(results.garbage, 0) }
    end
    if #rows == 0 then return end
    common.print_table({ "µs each", "grid:path", "grid:search", "q:step", "q:run", "cancelled", "q:step - grid:path",
      "garbage, bytes more" }, rows)
  end,
}
