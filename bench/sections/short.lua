-- SPDX-License-Identifier: MIT
-- Trips of 8 random steps. Their time should not depend on the size of the graph.

local common, graphs = require "common", require "graphs"

local TRIPS = 500

return {
  name = "short",
  title = "Short trips, 8 random steps",
  run = function()
    local rows, first = {}, nil
    for _, n in ipairs { 1000, 10000, 100000, 1000000 } do
      if not (common.quick and n > 100000) then
        local input = graphs.geometric(n)
        local trips, reference, wend = input:short(TRIPS), input:reference(), input:wend()
        input:release()
        common.agree(input.name, common.costs(wend, trips), reference:costs(trips))
        local seconds = common.race {
          { "reference", common.native_run(reference, trips) },
          { "wend", common.run(wend, trips) },
        }
        first = first or seconds.wend
        local _, settled = reference:run(trips)
        rows[#rows + 1] = {
          input.name,
          common.round(settled / TRIPS, 1),
          common.round(seconds.reference / TRIPS * 1e6),
          common.round(seconds.wend / TRIPS * 1e6),
          common.round((seconds.wend - seconds.reference) / TRIPS * 1e6),
          common.round(seconds.wend / first),
        }
      end
    end
    common.print_table(
      { "input", "nodes a trip", "reference µs", "wend µs", "difference µs", "wend / wend on rgg1k" },
      rows
    )
  end,
}
