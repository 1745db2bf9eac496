-- SPDX-License-Identifier: MIT
-- map:chokepoints, beside map:check, which walks over the same open steps.

local common, graphs, grids = require "common", require "graphs", require "grids"

local maps = { "dao/lak303d", "bg512/AR0300SR", "street/NewYork_0_1024" }
local top = { limit = 100 }

local function measure(name, map, places)
  local seconds = common.race {
    { "check", function(repeats)
      for _ = 1, repeats do map:check() end
    end },
    { "all", function(repeats)
      for _ = 1, repeats do map:chokepoints() end
    end },
    { "top", function(repeats)
      for _ = 1, repeats do map:chokepoints(top) end
    end },
  }
  return {
    name, places, #map:chokepoints(), common.round(seconds.check * 1e3, 2), common.round(seconds.all * 1e3, 2),
    common.round(seconds.top * 1e3, 2), common.round(seconds.all / seconds.check),
    common.round(seconds.top / seconds.check),
  }
end

return {
  name = "chokepoints",
  title = "Chokepoints, and g:check (top: the list has at most 100 entries)",
  run = function()
    local rows = {}
    for _, name in ipairs(graphs.file_names()) do
      local input = graphs.from_file(name)
      rows[#rows + 1] = measure(name, input:wend(), input.node_count)
    end
    for _, count in ipairs(common.quick and { 10000 } or { 10000, 100000 }) do
      local input = graphs.geometric(count)
      rows[#rows + 1] = measure(input.name, input:wend(), count)
    end
    for _, input in ipairs(grids.all(common.quick and {} or maps, 512)) do
      rows[#rows + 1] = measure(input.name, input:wend(), input.width * input.height)
    end
    common.print_table({ "map", "nodes or cells", "chokepoints", "check ms", "all ms", "top ms", "all / check",
      "top / check" }, rows)
  end,
}
