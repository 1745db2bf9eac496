-- SPDX-License-Identifier: MIT
-- Updates of fields in slices while memory runs out: a slice that failed can be tried again.
local core = require "wend.core"
local wend = require "wend"

local function grid() return wend.grid(6, 5):wall(2, 2, 3, 2):set(4, 4, 2, "mud") end

local function graph()
  local g = wend.graph()
  for i = 1, 9 do g:add_node(i, 0) end
  for i = 1, 8 do g:add_edge(i, i + 1) end
  return g
end

-- What is mended, and what is made again.
for name, make in pairs { mended = function() return wend.grid(6, 5) end, again = grid, nodes = graph } do
  local function update(try)
    local map = make()
    local field = name == "nodes" and map:field(3) or map:field(2, 3)
    if name == "nodes" then map:close_edge(4) else map:close(5, 4) end
    return try(function()
      local search = core.start("update", field)
      while search:step(5) == "running" do end
      return search:result() and field:encode()
    end)
  end
  local expected = update(function(f) return f() end)
  local ok, tried = update(attempt)
  if ok and tried ~= expected then error("an update of the kind " .. name .. " has another result", 0) end
end
do -- until the end it answers as before
  local updated = grid()
  local of = updated:field(2, 3, { max_cost = 30 })
  local before = of:cost(6, 1)
  updated:fill(5, 1, 5, 4, false)
  local slices = core.start("update", of)
  for _ = 1, 6 do
    attempt(function() return (slices:step(3)) end)
    if of:cost(6, 1) ~= before then error("a slice has changed the field", 0) end
  end
  while slices:step(9) == "running" do end
  attempt(function() return (slices:result()) end)
  slices:result()
  if of:encode() ~= updated:field(2, 3, { max_cost = 30 }):encode() then error("the field is another one", 0) end
end
