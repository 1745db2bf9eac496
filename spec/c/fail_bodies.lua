-- SPDX-License-Identifier: MIT
-- Agents with a size while memory runs out: what failed can be asked again, and an eroded grid that could not be made,
-- or not follow its map to the end, never gives a wrong answer.
local wend = require "wend"

local walker = wend.costs { mud = { times = 2, plus = 0.25 } }

local function cells(diagonals)
  local grid = wend.grid(23, 12, { diagonals = diagonals }):fill(12, 1, 12, 12, false):fill(4, 2, 6, 6, "mud")
  grid:open(12, 4, 12, 6):wall(3, 9, 3, 10):link(2, 2, 20, 9, { directed = true })
  local edits = {
    function() grid:open(12, 9, 12, 11) end, function() grid:close(12, 10) end,
    function() grid:set(8, 5, { weight = 7, tag = "mud" }):set(9, 5, 0.5) end,
    function() grid:link(2, 11, 22, 2) end, function() grid:unlink(2, 11, 22, 2) end,
    function() grid:wall(5, 9, 6, 9, true, { directed = true }) end,
    function() grid:wall(15, 5, 16, 5) end, function() grid:fill(13, 1, 20, 3, "sand") end,
    function() grid:map(function(x, y) return (x * y) % 11 == 0 and x ~= 2 and 3 or nil end) end,
  }
  return grid, edits
end

local function show(path, message)
  return path and ("%.12g"):format(path.cost) or message
end

local function path(grid, size) return show(grid:path(2, 3, 21, 8, { size = size, costs = walker })) end
local function back(grid, size) return show(grid:path(21, 8, 2, 3, { size = size })) end
local function field(grid, size)
  local made = grid:field(21, 8, { size = size, costs = walker })
  return ("%.12g"):format(made:cost(2, 3) or -1)
end
local function why(grid, size)
  local report = grid:why_not(2, 3, 21, 8, { size = size, costs = walker })
  return report and report.text or "nothing"
end
local function route(grid, size) return show(grid:route({ 2.5, 3 }, { 20, 8.5 }, { size = size, costs = walker })) end

for number, ask in ipairs { path, back, field, why, route } do
  local grid, edits = cells(number % 2 == 0 and "one_open" or "both_open")
  local function check(when, size)
    local expected = ask(grid:copy(), size)
    local ok, got = attempt(ask, grid, size)
    if not ok then got = ask(grid, size) end
    if got ~= expected then
      error(("call %d, size %d, %s: expected %s, got %s"):format(number, size, when, expected, got), 0)
    end
  end
  check("at first", 2)
  for i, edit in ipairs(edits) do
    if is_over() then break end
    edit()
    check("after edit " .. i, 2 + i % 2)
  end
end
