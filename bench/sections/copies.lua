-- SPDX-License-Identifier: MIT
-- Copies and overlays of maps, and the first edits while a search holds the map as it was, compared with a copy of as
-- many bytes into fresh memory.

local common, graphs, grids = require "common", require "graphs", require "grids"
local reference = require "wend_bench_reference_bytes"

-- map: with all its bytes in use. begin(map): begins a search in slices. edit(map, i): changes it.
local function measure(name, map, begin, edit)
  local function edits(count)
    local worst = 0
    for i = 1, count do
      local search = begin(map)
      search:step(1)
      local started = os.clock()
      edit(map, i)
      worst = math.max(worst, os.clock() - started)
      search = nil -- luacheck: ignore
      collectgarbage()
    end
    return worst
  end
  local seconds = common.time_once {
    { "copy", function() return map:copy() end },
    { "overlay", function() return map:overlay() end },
  }
  local nodes, edges = map:copy():bytes()
  local bytes = nodes + (edges or 0)
  local row = { name, common.round(bytes / 1e6, 1) }
  local fresh = reference.copy(bytes, 5)
  row[#row + 1] = common.round(fresh * 1e3, 2)
  row[#row + 1] = common.round(seconds.copy / fresh)
  row[#row + 1] = common.round(seconds.overlay / fresh)
  row[#row + 1] = common.round(edits(1) / fresh)
  row[#row + 1] = common.round(edits(10) * 1e3, 2)
  return row
end

local function measure_grid(size)
  local grid = grids.sprinkled(size, false, 1)
  return measure(("%d x %d"):format(size, size), grid, function() return grid:search(1, 1, size, size) end,
    function(_, i) grid:set(size // 2, size // 2, i % 2 == 0 and 1) end)
end

return {
  name = "copies",
  title = "Copies, overlays and the first edits while a search runs, as multiples of copying as many bytes",
  run = function()
    local rows = {}
    for _, size in ipairs(common.quick and { 512, 1000 } or { 512, 1000, 2048, 4096 }) do
      rows[#rows + 1] = measure_grid(size)
    end
    local g = graphs.geometric(common.quick and 20000 or 100000):wend()
    rows[#rows + 1] = measure("graph", g, function() return g:search(1, 1000) end,
      function(_, i) g:set_weight(1, i) end)
    common.print_table({ "map", "MB", "memcpy ms", "copy", "overlay", "first edit", "later edits ms" }, rows)
  end,
}
