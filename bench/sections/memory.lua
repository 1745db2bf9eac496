-- SPDX-License-Identifier: MIT
-- Bytes for each node and each directed edge, as g:bytes() gives them.

local common, graphs = require "common", require "graphs"

return {
  name = "memory",
  title = "Memory in bytes",
  run = function()
    local rows = {}
    for _, n in ipairs(common.quick and { 10000, 100000 } or { 10000, 100000, 1000000 }) do
      local input = graphs.geometric(n)
      local arc_count, g = input:arc_count(), input:wend()
      g:path(1, 2) -- packs the edges
      local nodes, edges = g:bytes()
      rows[#rows + 1] = { input.name, common.round(nodes / n, 1), common.round(edges / arc_count, 1) }
    end
    common.print_table({ "input", "node", "directed edge" }, rows)
  end,
}
