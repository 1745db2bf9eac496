-- SPDX-License-Identifier: MIT
-- The game of examples/castle.lua on Lua 5.4 and on LuaJIT: 300 units, 20 chases, doors, curves, a queue of requests.

local common = require "common"

return {
  name = "everyday",
  title = "A frame of a game: 300 units, 20 chases, doors, curves, a queue (examples/castle.lua)",
  run = function()
    local frames, rounds = common.quick and 120 or 600, common.quick and 2 or 5
    local heading, all = { ("%d frames, without the first"):format(frames) }, {}
    for i, lua in ipairs(common.on_both("everyday.lua", frames, rounds)) do heading[i + 1], all[i] = lua[1], lua[2] end
    if #all == 0 then return end

    local rows = {}
    local function row(name, value)
      local cells = { name }
      for i, results in ipairs(all) do cells[i + 1] = value(results) end
      rows[#rows + 1] = cells
    end
    local function milliseconds(key) return function(results) return common.round(results[key] * 1e3, 3) end end
    local function number(key) return function(results) return common.round(results[key], 0) end end
    row("median, ms a frame", milliseconds "median")
    row("99th percentile, ms", milliseconds "p99")
    row("the longest, ms", milliseconds "most")
    row("the longest wait for an answer, frames", number "longest_wait")
    row("requests", number "asked")
    row("expansions", number "expansions")
    row("grid:route, µs each", function(results) return common.round(results.route * 1e6, 1) end)
    row("grid:path of the same cells, µs each", function(results) return common.round(results.path * 1e6, 1) end)
    row("grid:route / grid:path", function(results) return common.round(results.route / results.path) end)
    common.print_table(heading, rows)
  end,
}
