-- SPDX-License-Identifier: MIT
-- What a search has looked at, for pictures: wend.svg and wend.love draw it as they draw the costs of fields.

local core = require "wend.core"
local check = require "wend.check"

--- Reads what a search with the option `visited` has looked at so far.
-- @param kind of the map: "grid" or "graph"
-- @return a table with the methods `cost` and `each` of a field
local function read(search, kind)
  check.must(core.type(search) == "search", "search", "made by map:search", search)
  local of_grid, list, costs = kind == "grid", {}, {}
  for a, b, c, order in search:each() do
    if (order ~= nil) ~= of_grid then check.fail "search must be one of this map" end
    list[#list + 1] = of_grid and { a, b, c } or { a, b }
    local row = of_grid and b or 0
    costs[row] = costs[row] or {}
    costs[row][a] = of_grid and c or b
  end
  return {
    cost = function(_, a, b) return costs[b or 0] and costs[b or 0][a] end,
    each = function()
      local i = 0
      return function()
        i = i + 1
        local one = list[i]
        if one then return one[1], one[2], one[3] end
      end
    end,
  }
end

return read
