-- SPDX-License-Identifier: MIT
-- Searches in slices whose maps are edited while memory runs out: a step that failed can be tried again. Then the
-- search survives the edit, begins again, or ends on a snapshot, and the path is what it would have been.
local core = require "wend.core" -- not all of wend: it is loaded again for every request
local costs = require "wend.costs"

local function show(path, message)
  if not path then return message end
  return ("%.17g %s: "):format(path.cost, tostring(path.stale)) .. table.concat(path, " ")
end

-- A step. One that fails is tried again: the search must still be running.
local function step(search, n)
  local ok, state = attempt(search.step, search, n)
  if ok then return state end
  if tostring(search) ~= "wend.Search (running)" then error("after a step that failed: " .. tostring(search), 0) end
  return (search:step(n))
end

local function result(search)
  local ok, path, message = attempt(search.result, search)
  if ok then return show(path, message) end
  return show(search:result())
end

local function compare(what, expected, got)
  if got ~= expected then error(("%s: expected %s, got %s"):format(what, tostring(expected), tostring(got)), 0) end
end

local walker = costs.new { mud = { times = 2, plus = 0.25 } }
local gusty = costs.new({}, { base = walker })
gusty:edge_rule("gusts", function(_, cost, _, from) return from % 2 == 0 and cost * 2 or nil end, { at_least = 1 })

-- Maps, and for each: the ends of a path, an edit beside the start, which disturbs the search, and one far away.
local function plain()
  local grid = core.grid(40, 9):fill(20, 1, 20, 7, false):fill(36, 1, 36, 9, false)
  return { map = grid, ends = { 2, 2, 30, 2 }, near = function(i) grid:set(2, 3, i % 2 == 0 and 1) end,
    far = function(i) grid:set(39, 9, i % 2 == 0 and 1) end }
end

local function rich()
  local grid = core.grid(30, 8):fill(10, 1, 10, 6, false):fill(14, 3, 18, 7, { weight = 2.5, tag = "mud" })
  grid:wall(2, 2, 3, 2):link(4, 1, 24, 8, { weight = 30, tag = "mud" })
  return { map = grid, ends = { 2, 2, 24, 2 }, near = function(i) grid:set(1, 1, i % 2 == 0 and 1) end,
    far = function(i) grid:set(30, 1, i % 2 == 0 and 1) end }
end

local function roads()
  local g = core.graph()
  for i = 1, 40 do g:add_node(i * 10, i % 3, { tag = i % 7 == 0 and "mud" or nil }) end
  for i = 1, 39 do g:add_edge(i, i + 1, { tag = i % 4 == 0 and "mud" or nil }) end
  g:add_edge(1, 30, { weight = 600 })
  return { map = g, ends = { 1, 36 }, near = function(i)
      g:set_weight(1, 11 + i):set_node_tag(2, i % 2 == 0 and "mud" or nil):set_width(2, i % 2 == 0 and 3 or nil)
    end,
    far = function(i) g:set_weight(39, 11 + i) end }
end

local function arguments(world, opts)
  local list = {}
  for i, value in ipairs(world.ends) do list[i] = value end
  list[#list + 1] = opts
  return (table.unpack or unpack)(list) -- luacheck: ignore 143
end

local function whole(world, opts) return show(world.map:path(arguments(world, opts))) end

for _, make in ipairs { plain, rich, roads } do
  for name, opts in pairs { default = {}, profile = { costs = walker }, rules = { costs = gusty } } do
    local function begin(world) return world.map:search(arguments(world, opts)) end

    -- Edits far away. A step that failed begins the search anew.
    if not is_over() then
      local world = make()
      local search = begin(world)
      local frame = 0
      repeat
        frame = frame + 1
        world.far(frame)
      until step(search, 3) ~= "running"
      compare("edits far away, " .. name, whole(world, opts), result(search))
    end

    -- Edits beside the start. Two searches share the snapshot. After it the map is another one.
    if not is_over() then
      local world = make()
      local one, other = begin(world), begin(world)
      step(one, 1)
      step(other, 1)
      for i = 1, 4 do
        world.near(i)
        step(one, 1)
        step(other, 1)
        compare("restarts, " .. name, i, one:restarts())
      end
      local expected = whole(world, opts):gsub("nil:", "true:")
      for i = 5, 7 do world.near(i) end
      repeat until step(one, 7) ~= "running"
      repeat until step(other, 7) ~= "running"
      compare("a snapshot, " .. name, expected, result(one))
      compare("a snapshot that is shared, " .. name, expected, result(other))
    end
  end
end
