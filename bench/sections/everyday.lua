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
    for _, phase in ipairs {
      { "plan", "planning, 12,000 expansions" }, { "ask", "requests" }, { "steer", "go" },
      { "walk", "walking, with curves" },
      { "doors", "doors" }, { "check", "validity and choosing prey" },
    } do
      row("share: " .. phase[2], function(results)
        local total = 0
        for key, value in next, results do
          if key:find "^phase_" then total = total + value end
        end
        local own = results["phase_" .. phase[1]]
        return ("%.0f %% (%.3f ms)"):format(100 * own / total, own * 1e3)
      end)
    end
    row("the longest wait for an answer, frames", number "longest_wait")
    row("planning for 2 ms: median, ms", milliseconds "timed_median")
    row("... 99th percentile", milliseconds "timed_p99")
    row("... most", milliseconds "timed_most")
    row("... the longest wait, frames", number "timed_wait")
    row("... requests that wait at the end", number "timed_left")
    row("grid:route, µs each", function(results) return common.round(results.route * 1e6, 1) end)
    row("grid:path of the same cells, µs each", function(results) return common.round(results.path * 1e6, 1) end)
    row("grid:route / grid:path", function(results) return common.round(results.route / results.path) end)
    row("U-turns that no path has", number "needless")
    row("... planned from the middle of the cell, without join", number "naive")
    row("turns above 150 degrees that paths have", function(results)
      return common.round(results.turns - results.needless, 0)
    end)
    row("garbage of walking, bytes a frame: median", number "garbage_median")
    row("... mean", number "garbage_mean")
    row("... most", number "garbage_most")
    common.print_table(heading, rows)
    print(("\nIn %d frames doors moved %d times, and %d requests took %d expansions in all. %d paths were no longer "
      .. "valid, %d units arrived, and %d were caught."):format(frames, all[1].toggled, all[1].asked, all[1].expansions,
      all[1].replanned, all[1].arrived, all[1].caught))
  end,
}
