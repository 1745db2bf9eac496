-- SPDX-License-Identifier: MIT
-- Trips of 8 random steps. Their time should not depend on the size of the graph. And trips over grids, to the next
-- cell and 8 cells far.

local common, graphs, grids = require "common", require "graphs", require "grids"

local TRIPS = 500

local function print_grids()
  local rows = {}
  for _, row in ipairs {
    { "the next cell", 1, 0 }, { "8 cells, all open", 8, 0 }, { "8 cells, a tenth closed", 8, 0.1 },
  } do
    local name, far, closed = row[1], row[2], row[3]
    local input = grids.speckled(128, closed)
    local trips, reference, wend = input:near(TRIPS, far), input:reference(), input:wend()
    common.agree(name, common.costs(wend, trips), reference:costs(trips))
    local seconds = common.race {
      { "reference", common.native_run(reference, trips) },
      { "wend", common.run(wend, trips) },
    }
    rows[#rows + 1] = {
      name,
      common.round(seconds.reference / TRIPS * 1e6),
      common.round(seconds.wend / TRIPS * 1e6),
      common.round(common.expanded(wend, trips) / TRIPS, 1),
    }
  end
  print()
  common.print_table({ "trips over grids", "reference µs", "wend µs", "expanded" }, rows)
end

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
    print_grids()
  end,
}
