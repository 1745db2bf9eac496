-- SPDX-License-Identifier: MIT
-- The time of path:valid() if nothing has changed, if something elsewhere has changed once, and if something elsewhere
-- changes before every call.

local common = require "common"
local wend = require "wend"

local steps = 200

local function over_cells()
  local grid = wend.grid(steps + 99, steps + 99)
  return grid:path(1, 50, steps + 1, 60), function(i) grid:set(5, steps, i % 7 + 1) end
end

local function along_edges()
  local g = wend.graph()
  for i = 1, steps + 1 do g:add_node(i, 0) end
  for i = 1, steps do g:add_edge(i, i + 1) end
  local edge = g:add_edge(g:add_node(1, 5), g:add_node(2, 5))
  return g:path(1, steps + 1), function(i) g:set_weight(edge, i % 7 + 1) end
end

local function calls(path)
  return function(repeats)
    for _ = 1, repeats * 100 do path:valid() end
  end
end

return {
  name = "validity",
  title = "us a call of path:valid(), on a path of " .. steps .. " steps",
  run = function()
    local rows = {}
    for _, case in ipairs { { "cells", over_cells }, { "edges", along_edges } } do
      local unchanged = case[2]()
      local changed, edit = case[2]()
      local changing, edit_each = case[2]()
      edit(1)
      local seconds = common.race {
        { "unchanged", calls(unchanged) }, { "once", calls(changed) },
        { "each", function(repeats)
          for i = 1, repeats * 100 do
            edit_each(i)
            changing:valid()
          end
        end },
        { "edit", function(repeats)
          for i = 1, repeats * 100 do edit_each(i) end
        end },
      }
      rows[#rows + 1] = { case[1], common.round(seconds.unchanged * 1e4), common.round(seconds.once * 1e4),
        common.round((seconds.each - seconds.edit) * 1e4) }
    end
    common.print_table({ "path over", "no edit", "after one edit", "after an edit each" }, rows)
  end,
}
