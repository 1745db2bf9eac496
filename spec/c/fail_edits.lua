-- SPDX-License-Identifier: MIT
-- Searches in slices whose maps are edited while memory runs out: a step that failed can be tried again. The search
-- then begins anew; otherwise it reads the map as it was when it began.
local core = require "wend.core" -- not all of wend: it is loaded again for every request
local costs = require "wend.costs"

local function show(path, message)
  if not path then return message end
  return ("%.17g: "):format(path.cost) .. table.concat(path, " ")
end

-- A step. One that fails is tried again: the search must still be running. Returns its state, and whether it failed.
local function step(search, n)
  local ok, state = attempt(search.step, search, n)
  if ok then return state, false end
  if tostring(search) ~= "wend.Search (running)" then error("after a step that failed: " .. tostring(search), 0) end
  return search:step(n), true
end

local function result(search)
  local ok, path, message = attempt(search.result, search)
  if ok then return show(path, message) end
  return show(search:result())
end

local walker = costs.new { mud = { times = 2, plus = 0.25 } }
local gusty = costs.new({}, { base = walker })
gusty:edge_rule("gusts", function(_, cost, _, from) return from % 2 == 0 and cost * 2 or nil end, { at_least = 1 })

-- Maps, and for each: the ends of a path, an edit beside the start, and one far away.
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

    -- Two searches share a version. One whose step has failed reads the map as it was after one of the edits.
    if not is_over() then
      local world = make()
      local first = whole(world, opts)
      local known, frame = { [first] = true }, 0
      for _, search in ipairs { begin(world), begin(world) } do
        local failed = false
        repeat
          frame = frame + 1
          attempt(frame % 3 == 0 and world.near or world.far, frame)
          known[whole(world, opts)] = true
          local state, again = step(search, 3)
          failed = failed or again
        until state ~= "running"
        local found = result(search)
        if not (failed and known[found] or found == first) then
          error(("%s: expected %s, got %s"):format(name, first, found), 0)
        end
      end
    end
  end
end
