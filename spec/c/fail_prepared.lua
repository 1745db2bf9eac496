-- SPDX-License-Identifier: MIT
-- Prepared maps that are edited while memory runs out, also while they are prepared in slices: whatever the tables
-- do without, paths cost what they cost on a map that is not prepared.
local core = require "wend.core"
local wend = require "wend"

-- A long road with crossings, and an island beside it that no edge joins.
local function roads()
  local g = core.graph()
  for _ = 1, 60 do g:add_node() end
  for i = 1, 40 do
    if i < 40 then g:add_edge(i, i + 1, { weight = 3 + i % 4 }) end
    if i % 5 == 0 then g:add_edge(i, i % 40 + 1, { weight = 30, directed = true }) end
  end
  for i = 41, 59 do g:add_edge(i, i + 1, { weight = 2 }) end
  return g
end

local EDITS = {
  function(g) g:set_weight(3, 1) end,
  function(g) g:add_edge(20, 45, { weight = 4 }) end,
  function(g) g:set_weight(7, 0.5):set_weight(9, 0.25) end,
  function(g) g:add_edge(g:add_node(), 30, { weight = 2 }) end,
  function(g) g:set_tag(12, "mud") end,
}

-- An edit, or a part of it, may come twice: it comes until the map has it.
local function edit(g, change)
  if not attempt(change, g) then change(g) end
end

local function check(what, g)
  local plain = g:copy()
  for _, ends in ipairs { { 1, 40 }, { 40, 1 }, { 2, 36 }, { 60, 5 } } do
    local ok, path = attempt(g.path, g, ends[1], ends[2])
    if not ok then path = g:path(ends[1], ends[2]) end
    local same = plain:path(ends[1], ends[2])
    local cost, expected = path and path.cost, same and same.cost
    if (cost == nil) ~= (expected == nil) or cost and math.abs(cost - expected) > 1e-9 * expected then
      error(("%s: %s, not %s"):format(what, tostring(cost), tostring(expected)), 0)
    end
  end
end

if not is_over() then
  local g = roads()
  g:prepare()
  for i, change in ipairs(EDITS) do
    edit(g, change)
    check("edit " .. i, g)
  end
end

if not is_over() then
  local g, done = roads(), 0
  local preparation = g:prepare { sliced = true, landmarks = 4 }
  repeat
    local ok, ready = attempt(preparation.step, preparation, 40)
    if not ok then break end -- it ran out of memory, and is lost
    done = done + 1
    if EDITS[done] then edit(g, EDITS[done]) end
    if done == 8 then
      for i = 1, 200 do g:add_edge(g:add_node(), i % 60 + 1, { weight = i % 9 + 1 }) end -- places move
    end
  until ready
  check("in slices", g)
end

if not is_over() then
  local grid, done = core.grid(24, 10), 0
  for x = 4, 20, 4 do grid:close(x, x % 8 == 0 and 1 or 2, x, x % 8 == 0 and 9 or 10) end
  grid:fill(1, 5, 24, 5, 3):wall(2, 2, 3, 2)
  local edits = {
    function(m) m:set(3, 5, 0.5) end,
    function(m) m:open(8, 2, 8, 6) end,
    function(m) m:wall(2, 2, 3, 2, false) end,
    function(m) m:link(2, 2, 18, 8, { weight = 2 }) end,
  }
  local ok, preparation = attempt(grid.prepare, grid, { sliced = true, landmarks = 4 })
  if not ok then preparation = grid:prepare { sliced = true, landmarks = 4 } end
  repeat
    local alive, ready = attempt(preparation.step, preparation, 40)
    if not alive then break end
    done = done + 1
    if edits[done] then edit(grid, edits[done]) end
  until ready
  for _, ends in ipairs { { 1, 1, 24, 10 }, { 24, 10, 1, 1 }, { 2, 3, 22, 4 } } do
    local function find(m) return m:path(ends[1], ends[2], ends[3], ends[4]) end
    local found, path = attempt(find, grid)
    if not found then path = find(grid) end
    local expected = find(grid:copy())
    if math.abs(path.cost - expected.cost) > 1e-9 * expected.cost then
      error(("grid in slices: %g, not %g"):format(path.cost, expected.cost), 0)
    end
  end
end

-- By two threads: the tables of one thread, or none.
if not is_over() then
  local grid = core.grid(60, 40)
  for y = 1, 40, 2 do grid:fill(1, y, 60, y, 1 + y % 7) end
  for x = 4, 56, 4 do grid:close(x, x % 8 == 0 and 1 or 2, x, x % 8 == 0 and 39 or 40) end
  local alone = grid:copy()
  alone:prepare { landmarks = 4 }
  local ok = attempt(grid.prepare, grid, { landmarks = 4, threads = 2 })
  if ok and grid:encode() ~= alone:encode() then error("two threads have made other tables", 0) end
  if not ok and grid:prepared() then error("there are tables, although memory ran out", 0) end
end

-- A map with tables for its weights and for two profiles, from a file.
if not is_over() then
  local grid = wend.grid(24, 10):fill(5, 3, 20, 6, "swamp"):fill(3, 8, 22, 9, "road")
  local bytes
  grid:prepare { landmarks = 2 }
  for i = 2, 3 do grid:prepare { landmarks = 2, costs = wend.costs { swamp = i, road = 1 / i } } end
  bytes = grid:encode()
  local ok, again = attempt(wend.decode, bytes)
  if not ok then again = wend.decode(bytes) end
  if again:encode() ~= bytes then error("a loaded map has other tables", 0) end
end
