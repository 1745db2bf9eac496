-- SPDX-License-Identifier: MIT
-- Wide walkers on random grids with walls. The reference knows what is solid as boxes, and finds distances by trying
-- smaller and smaller parts of a leg. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local once = require "wend.once"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local SPOTS = { { 0.5, 0.5 }, { 0.5, 0 }, { 0, 0.5 }, { 1, 0.5 }, { 0.5, 1 }, { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 } }
local RADII = { 0.55, 0.6, 0.7, 0.7072, 0.75, 0.9, 1, 1.2, 1.4, 1.5, 1.6, 2.1 }

-- What is solid for a model: a list of boxes { left, top, right, bottom }, with the edge of the grid.
local function boxes_of(model)
  local boxes = {}
  for y = 0, model.height + 1 do
    for x = 0, model.width + 1 do
      local inside = model:inside(x, y)
      if not inside or not model.weight[model:cell(x, y)] then boxes[#boxes + 1] = { x - 1, y - 1, x, y } end
      if inside and x < model.width and model:has_wall(x, y, x + 1, y) then
        boxes[#boxes + 1] = { x, y - 1, x, y }
      end
      if inside and y < model.height and model:has_wall(x, y, x, y + 1) then
        boxes[#boxes + 1] = { x - 1, y, x, y }
      end
    end
  end
  return boxes
end

local function distance(box, x, y)
  local dx, dy = math.max(box[1] - x, x - box[3], 0), math.max(box[2] - y, y - box[4], 0)
  return math.sqrt(dx * dx + dy * dy)
end

-- The least distance from a leg to a box: on a straight leg it falls, then rises.
local function leg_distance(box, a, b)
  local low, high = 0, 1
  local function at(t) return distance(box, a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])) end
  for _ = 1, 40 do
    local one, other = low + (high - low) / 3, high - (high - low) / 3
    if at(one) <= at(other) then high = other else low = one end
  end
  return math.min(at(low), at(0), at(1))
end

local function is_leg_free(boxes, a, b, r)
  local length = math.sqrt((b[1] - a[1]) ^ 2 + (b[2] - a[2]) ^ 2)
  for _, box in ipairs(boxes) do
    local least = distance(box, a[1], a[2])
    if least < r + length and (least < r * (1 - 1e-6) or leg_distance(box, a, b) < r * (1 - 1e-6)) then return false end
  end
  return true
end

-- Where a disc stands in each cell. false: nowhere.
local function spots_of(model, boxes, r)
  local spots = {}
  for cell = 1, model.width * model.height do
    local x, y = model:at(cell)
    local best, most, near = false, r * (1 - 1e-6), {}
    for _, box in ipairs(boxes) do
      if math.abs(box[1] - x) < r + 3 and math.abs(box[2] - y) < r + 3 then near[#near + 1] = box end
    end
    for i, spot in ipairs(model.weight[cell] and SPOTS or {}) do
      local px, py, least = x - 1 + spot[1], y - 1 + spot[2], math.huge
      for _, box in ipairs(near) do least = math.min(least, distance(box, px, py)) end
      if least > most or i == 1 and least >= most then
        best, most = { px, py }, least
        if i == 1 then break end
      elseif not best and least == most then
        best = { px, py }
      end
    end
    spots[cell] = best
  end
  return spots
end

-- The steps of a model that a disc can take, of those that a point can.
local function arcs_of(model, view, r)
  local boxes, arcs = boxes_of(model), {}
  local spots = spots_of(model, boxes, r)
  local function passes(from, to)
    local a, b = spots[from], spots[to]
    local x1, y1 = model:at(from)
    local x2, y2 = model:at(to)
    local far = math.max(math.abs(x2 - x1), math.abs(y2 - y1)) > 1 or model.links[from][to] ~= nil
    if not b then return not a and not far end
    if not a or far or is_leg_free(boxes, a, b, r) then return true end
    for i = 1, 18 do
      local x, y = model:at(i <= 9 and from or to)
      local spot = SPOTS[(i - 1) % 9 + 1]
      local over = { x - 1 + spot[1], y - 1 + spot[2] }
      if is_leg_free(boxes, a, over, r) and is_leg_free(boxes, over, b, r) then return true end
    end
    return false
  end
  for from, list in ipairs(model:arcs(view)) do
    arcs[from] = {}
    for i = 1, #list, 2 do
      if passes(from, list[i]) then
        table.insert(arcs[from], list[i])
        table.insert(arcs[from], list[i + 1])
      end
    end
  end
  return arcs, spots
end

local function edit(rng, model)
  local x, y = rng(model.width), rng(model.height)
  local kind = rng(6)
  if kind <= 2 then model:close(x, y)
  elseif kind == 3 then model:fill(x, y, math.min(model.width, x + rng(0, 3)), y, 1)
  elseif kind == 4 then model:set(x, y, rng:pick { "lava", 2, 1 })
  else
    local dx = rng(0, 1)
    if model:inside(x + dx, y + 1 - dx) then model:wall(x, y, x + dx, y + 1 - dx, rng:chance(0.7)) end
  end
end

local function random_model(rng, width, height, policy)
  local model = grid_reference.model(width, height, policy)
  for _ = 1, rng(0, width * height / 12) do edit(rng, model) end
  return model
end

local function same(expected, cost, what)
  if expected and cost then return reference.near(expected, cost, what) end
  assert.equal(expected, cost, what)
end

describe("a grid for discs", function()
  it("has the steps that a disc can take", function()
    local costs = wend.costs { lava = false }
    local prices = { tag = function(tag) return tag == "lava" and math.huge or 1, 0 end }
    helper.rounds("fit", 5, function(rng)
      local model = random_model(rng, rng(2, 14), rng(2, 14), rng:pick(grid_reference.POLICIES))
      local r = rng:pick(RADII)
      local view = model.grid:overlay()
      once.crowds.fit(wend.crowd()._handle, nil, view, r)
      for _ = 1, 4 do
        local arcs = arcs_of(model, prices, r)
        local from = rng(#arcs)
        local x, y = model:at(from)
        local value = grid_reference.spread(arcs, { [from] = 0 })
        local back = grid_reference.spread(grid_reference.reversed(arcs), { [from] = 0 })
        local outward, field = view:field(x, y, { costs = costs, outward = true }), view:field(x, y, { costs = costs })
        local to = rng(#arcs)
        local to_x, to_y = model:at(to)
        local path = view:path(x, y, to_x, to_y, { costs = costs })
        if model.weight[from] and model.tag[from] ~= "lava" then
          for cell = 1, #arcs do
            local what = ("from %d,%d to %d,%d of radius %s"):format(x, y, (cell - 1) % model.width + 1,
              math.floor((cell - 1) / model.width) + 1, r)
            same(value[cell], outward:cost(model:at(cell)), what)
            same(back[cell], field:cost(model:at(cell)), "back " .. what)
          end
        end
        same(value[to], path and path.cost or nil, "path")
        assert.equal(value[to] ~= nil, view:can_reach(x, y, to_x, to_y, { costs = costs }))
        for _ = 1, rng(0, 3) do edit(rng, model) end
      end
    end)
  end)
end)

describe("a wide walker", function()
  it("arrives if its disc gets there, and is lost if not", function()
    helper.rounds("wide walkers", 2, function(rng)
      local model = random_model(rng, rng(6, 18), rng(6, 18))
      local crowd, list = wend.crowd { map = model.grid }, {}
      for _ = 1, 6 do
        local r = rng:pick(RADII)
        local arcs, spots = arcs_of(model, nil, r)
        local fitting = {}
        for cell = 1, #arcs do if spots[cell] then fitting[#fitting + 1] = cell end end
        if #fitting > 0 then
          local from, to = rng:pick(fitting), rng:pick(fitting)
          local a, b = spots[from], spots[to]
          -- A point between cells belongs to the one to its right and below.
          local start = model:cell(math.floor(a[1]) + 1, math.floor(a[2]) + 1)
          local goal = model:cell(math.floor(b[1]) + 1, math.floor(b[2]) + 1)
          if spots[start] and spots[goal] then
            local w = crowd:add { x = a[1], y = a[2], radius = r, avoids = {} }
            w:go(b[1], b[2])
            list[#list + 1] = { w = w, reached = grid_reference.spread(arcs, { [start] = 0 })[goal] ~= nil,
              text = ("radius %s from %s,%s to %s,%s"):format(r, a[1], a[2], b[1], b[2]) }
          end
        end
      end
      for _ = 1, 120 do
        local moving = false
        for _ = 1, 30 do crowd:update(1 / 30) end
        for _, one in ipairs(list) do moving = moving or one.w.state == "moving" or one.w.state == "stuck" end
        if not moving then break end
      end
      for _, one in ipairs(list) do
        assert.equal(one.reached and "arrived" or "lost", one.w.state, one.text)
        if not one.reached then assert.is_truthy(one.w:why_not(), one.text) end
      end
    end)
  end)
end)

describe("random trips of walkers no wider than a cell", function()
  it("end anywhere in an open cell, beside walls too: as near as the walker fits", function()
    helper.rounds("crowd goals", 40, function(rng)
      local grid, open = wend.grid(10, 10, { diagonals = rng:pick(grid_reference.POLICIES) }), {}
      local corners = wend.grid(10, 10)         -- no step cuts one
      for y = 1, 10 do
        for x = 1, 10 do
          if rng:chance(0.25) then
            grid:close(x, y)
            corners:close(x, y)
          else
            open[#open + 1] = { x, y }
          end
        end
      end
      local from, to = rng:pick(open), rng:pick(open)
      if not corners:can_reach(from[1], from[2], to[1], to[2]) then return end
      local radius, how = rng:pick { 0.2, 0.35, 0.45, 0.5 }, rng:pick { "once", "anew", "group" }
      local x, y = to[1] - 1 + rng(), to[2] - 1 + rng()
      local crowd = wend.crowd { map = grid }
      local w = crowd:add { x = from[1] - 0.5, y = from[2] - 0.5, radius = radius, speed = 3 }
      if how == "group" then crowd:go({ w }, x, y) else w:go(x, y) end
      for _ = 1, 60 * 30 do
        if w.state == "arrived" then break end
        if how == "anew" then w:go(x, y) end
        crowd:update(1 / 30)
      end
      local text = ("%s, radius %g, from %g,%g to %g,%g"):format(how, radius, from[1], from[2], x, y)
      assert.equal("arrived", w.state, text)
      assert.is_true(math.abs(w.x - x) < 0.75 + radius and math.abs(w.y - y) < 0.75 + radius, text)
    end)
  end)
end)
