-- SPDX-License-Identifier: MIT
-- Random orders that say where a plan may end, compared with paths that have the same options; and walkers on random
-- fields with several goals. A failure prints WEND_SEED and WEND_ROUND.
local helper = require "spec.support.helper"
local wend = require "wend"

local STEP, SIZE = 1 / 30, 20

local wait = helper.wait

--- Equal maps with closed cells, mud, roads, swamps and walls between cells: with cells of width 1, and as wide as the
--- unit of a world.
local function make_maps(rng, unit)
  local maps = { wend.grid(SIZE, SIZE), wend.grid(SIZE, SIZE, { cell = unit }) }
  local function both(method, ...)
    for _, map in ipairs(maps) do map[method](map, ...) end
  end
  for _ = 1, SIZE * SIZE / 5 do both("close", rng(SIZE), rng(SIZE)) end
  for _ = 1, SIZE * SIZE / 8 do
    local x, y = rng(SIZE), rng(SIZE)
    if maps[1]:get(x, y) then both("set", x, y, 1, ({ "mud", "road", "swamp" })[rng(3)]) end
  end
  for _ = 1, rng(30) do
    local x, y = rng(SIZE - 1), rng(SIZE)
    both("wall", x, y, x + 1, y)
  end
  return maps[1], maps[2]
end

--- A cell that is open for all: a walker on closed ground leaves it before it plans.
local function open_cell(map, rng)
  while true do
    local x, y = rng(SIZE), rng(SIZE)
    local weight, tag = map:get(x, y)
    if weight and tag ~= "swamp" then return x, y end
  end
end

--- An order, and the cells and the options of the search that it stands for.
local function make_order(rng, unit)
  local order, cells, options = { goals = {} }, {}, {}
  for i = 1, rng(3) do
    local x, y = rng(SIZE), rng(SIZE)
    order.goals[i] = { x = (x - 0.3) * unit, y = (y - 0.6) * unit }
    cells[2 * i - 1], cells[2 * i] = x, y
  end
  if rng(2) == 1 then options.within = rng(6) - 1 end
  if rng(4) == 1 then options.beside = true end
  if rng(2) == 1 then options.sight = true end
  if rng(3) == 1 then options.pass_only = { "road" } end
  if rng(4) == 1 then options.partial = true end
  for name, value in pairs(options) do order[name] = value end
  order.within = options.within and options.within * unit
  if rng(4) == 1 then order.stop = false end
  return order, cells, options
end

--- Checks where a walker is at the end. Returns whether it has arrived.
local function check_end(map, world, w)
  local x, y, cells, options = w.data[1], w.data[2], w.data[3], w.data[4]
  local path, message = map:path(x, y, cells, options)
  local about = ("%s %s"):format(w.state, tostring(w.message))
  if not path then
    assert.same({ "lost", "no_path" }, { w.state, w.code }, about)
    if #cells > 2 then assert.equal(message, w.message) end
    return false
  end
  local end_x, end_y = world:cell_at(w.x, w.y)
  assert.equal("arrived", w.state, about)
  if path.partial then
    assert.same({ path[#path - 1], path[#path] }, { end_x, end_y }, about)
    return true
  end
  local there = map:path(x, y, end_x, end_y, { costs = options.costs })
  assert.is_true(math.abs(there.cost - path.cost) < 1e-9, about)
  local rest = end_x == x and end_y == y or map:path(end_x, end_y, cells, options)
  assert.is_true(rest == true or rest.cost == 0 and #rest == 2, about)
  return true
end

describe("random orders with ends", function()
  it("end where the path with the same options may end, at the same cost", function()
    local arrived = 0
    helper.rounds("ends", 40, function(rng)
      local unit = rng(2) == 1 and 1 or 16
      local map, world = make_maps(rng, unit)
      local costs = wend.costs { mud = 3, swamp = rng(2) == 1 and 2 }
      local crowd = wend.crowd { map = world, costs = costs }
      for _ = 1, 8 do
        local x, y = open_cell(map, rng)
        local order, cells, options = make_order(rng, unit)
        options.costs = costs
        local w = crowd:add { x = (x - 0.5) * unit, y = (y - 0.5) * unit, radius = 0.2 * unit, avoids = {} }
        w.data = { x, y, cells, options }
        if rng(2) == 1 then w:go(order) else crowd:go({ w }, order) end
      end
      wait(crowd, 60)
      for w in crowd:each() do arrived = arrived + (check_end(map, world, w) and 1 or 0) end
    end)
    assert.is_true(arrived > 0)
  end)

  it("go on after loading, also while they wait for their plans", function()
    helper.rounds("saved ends", 8, function(rng)
      local costs = wend.costs { mud = 3 }
      local map = make_maps(rng, 1)
      local crowd = wend.crowd { map = map, costs = costs, budget = 8 + rng(60) }
      for _ = 1, 8 do
        local x, y = open_cell(map, rng)
        crowd:add({ x = x - 0.5, y = y - 0.5, radius = 0.2 }):go((make_order(rng, 1)))
      end
      for _ = 1, rng(60) do crowd:update(STEP) end
      if rng(2) == 1 then
        for w in crowd:each() do w:go((make_order(rng, 1))) end
      end
      local bytes = crowd:encode()
      local copy = assert(wend.decode(bytes, { map = map, costs = costs }))
      assert.equal(bytes, copy:encode())
      for i = 1, 300 do
        crowd:update(STEP)
        copy:update(STEP)
        assert.equal(crowd:hash(), copy:hash(), "step " .. i)
      end
      map:fill(1, 10, 20, 10, false)
      wait(crowd, 5)
      wait(copy, 5)
      assert.equal(crowd:hash(), copy:hash())
    end)
  end)
end)

--- Some goals for a field: cells of a rectangle, or anywhere.
local function make_goals(map, rng)
  local goals = {}
  local left, top, wide, high = rng(SIZE - 6), rng(SIZE - 6), rng(6), rng(6)
  local anywhere = rng(3) == 1
  for y = top, top + high do
    for x = left, left + wide do
      local at_x, at_y = x, y
      if anywhere then at_x, at_y = rng(SIZE), rng(SIZE) end
      if map:get(at_x, at_y) then goals[#goals + 1], goals[#goals + 2] = at_x, at_y end
    end
  end
  return goals
end

--- Where the walkers of a crowd are.
local function places(crowd)
  local list = {}
  for w in crowd:each() do list[#list + 1] = ("%s %.17g %.17g"):format(w.state, w.x, w.y) end
  return list
end

describe("random fields with several goals", function()
  it("are areas: walkers arrive on them, or beside others", function()
    local on_goals, beside = 0, 0
    helper.rounds("areas", 20, function(rng)
      local unit = rng(2) == 1 and 1 or 16
      local _, map = make_maps(rng, unit)
      local costs = wend.costs { mud = 3, swamp = rng(2) == 1 and 2 }
      local crowd, goals, is_goal = wend.crowd { map = map, costs = costs }, make_goals(map, rng), {}
      local field = map:field(goals, { costs = costs })
      for i = 1, #goals, 2 do is_goal[goals[i] .. " " .. goals[i + 1]] = true end
      for _ = 1, 12 do
        local x, y = open_cell(map, rng)
        local radius = (0.1 + rng(3) / 10) * unit
        crowd:add { x = (x - 0.5) * unit, y = (y - 0.5) * unit, radius = radius, data = x .. " " .. y }
      end
      for w in crowd:each() do w:go(field) end
      wait(crowd, rng(10))
      local loaded = assert(wend.decode(crowd:encode(), { map = map, costs = costs }))
      wait(crowd, 60)
      wait(loaded, 60)
      assert.same(places(crowd), places(loaded))
      for w in crowd:each() do
        local x, y = w.data:match "(%d+) (%d+)"
        local reached = field:cost(tonumber(x), tonumber(y))
        local cell_x, cell_y = map:cell_at(w.x, w.y)
        assert.is_truthy(map:get(cell_x, cell_y))
        if not reached then
          assert.equal("lost", w.state)
        elseif is_goal[cell_x .. " " .. cell_y] and w.state == "arrived" then
          on_goals = on_goals + 1
        else
          assert.is_true(w.state == "arrived" or w.state == "stuck" or w.state == "moving", w.state)
          beside = beside + 1
        end
      end
    end)
    assert.is_true(on_goals > 2 * beside, ("%d on goals, %d beside"):format(on_goals, beside))
  end)
end)
