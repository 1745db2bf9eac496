-- SPDX-License-Identifier: MIT
-- What can be reached, asked while memory runs out: what failed can be asked again, and labels that could not be made
-- or followed are of no use, but never wrong.
local wend = require "wend"

local gate = wend.costs { gate = false }

-- Maps of two parts, and edits that join and part them. Made anew for each attempt.
local function cells(diagonals)
  local grid = wend.grid(23, 12, { diagonals = diagonals }):fill(12, 1, 12, 12, false):set(12, 5, "gate")
  grid:wall(3, 3, 3, 4):link(1, 1, 5, 9, { directed = true }):link(2, 12, 9, 1)
  local edits = {
    function() grid:open(12, 9) end, function() grid:close(12, 9) end,
    function() grid:close(7, 3):close(8, 3):open(7, 3) end,
    function() grid:link(1, 1, 23, 12, { directed = true }) end, function() grid:unlink(1, 1, 23, 12) end,
    function() grid:link(1, 1, 23, 12) end, function() grid:unlink(1, 1, 23, 12) end,
    function() grid:wall(20, 1, 20, 2):wall(3, 3, 3, 4, false) end,
    function() grid:wall(11, 9, 12, 9, true, { directed = true }) end,
    function() grid:wall(11, 9, 12, 9, false, { directed = true }) end,
    function() grid:fill(12, 1, 12, 12, false):close(20, 5):close(20, 6) end,
    function() grid:map(function(x) return x ~= 15 and 1 or false end) end,
  }
  return grid, edits, { { 1, 1, 22, 12 }, { 22, 12, 1, 1 } }
end

local function nodes(directed)
  local g = wend.graph()
  for i = 1, 150 do g:add_node(i * 7 % 41, i) end
  for i = 1, 149 do
    if i ~= 75 then g:add_edge(i, i + 1, { directed = directed, tag = i == 30 and "gate" or nil }) end
  end
  if directed then g:add_edge(70, 20) end
  local joined
  local edits = {
    function() joined = g:add_edge(75, 76, { directed = true }) end, function() g:close_edge(joined) end,
    function() g:open_edge(joined) end, function() g:close(40) end, function() g:open(40) end,
    function() g:remove_edge(joined) end, function() g:add_edge(150, g:add_node(3, 3)) end,
    function() g:remove_node(90) end,
    function() for i = 1, 60 do g:add_edge(i, i + 1) end end,
  }
  return g, edits, { { 1, 140 }, { 60, 10 } }
end

local function ask(map, ends, opts)
  local list = { ends[1], ends[2], ends[3], ends[4] }
  list[#list + 1] = opts
  return map.can_reach(map, (table.unpack or unpack)(list)) -- luacheck: ignore 143
end

-- The nearest place from which the goal can be reached: by labels, if they know it.
local function near(map, ends, opts)
  local goal = ends[4] and { ends[3], ends[4] } or ends[2]
  return (map:nearest(12.2, 4.7, { can_reach = goal, costs = opts and opts.costs }))
end

local function check(what, map, ends, opts)
  local expected = ask(map:copy(), ends, opts)
  local ok, got = attempt(ask, map, ends, opts)
  if not ok then got = expected end
  for i = 1, 4 do
    if got ~= expected then
      error(("%s, answer %d: expected %s, got %s"):format(what, i, tostring(expected), tostring(got)), 0)
    end
    got = ask(map, ends, opts)
  end
  expected = near(map:copy(), ends, opts)
  ok, got = attempt(near, map, ends, opts)
  if ok and got ~= expected then
    error(("%s, nearest: expected %s, got %s"):format(what, tostring(expected), tostring(got)), 0)
  end
end

local worlds = {
  function() return cells "always" end,
  function() return nodes(false) end, function() return nodes(true) end,
}
for number, make in ipairs(worlds) do
  local map, edits, questions = make()
  local function ask_all(when)
    for i, ends in ipairs(questions) do
      if is_over() then return end
      check(("map %d, question %d, %s"):format(number, i, when), map, ends, i == 2 and { costs = gate } or nil)
    end
  end
  ask_all "at first"
  for i, edit in ipairs(edits) do
    if is_over() then break end
    edit()
    ask_all("after edit " .. i)
  end
end
