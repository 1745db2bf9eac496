-- SPDX-License-Identifier: MIT
-- Agents with a size on grids, against a plain model: walls, weights, tags, links, functions, edits between searches.
-- A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"

local HUGE = math.huge
local any, near = grid_reference.any, reference.near

-- A grid with room for bodies, more or less.
local function room(rng)
  local closed = rng:pick { 0, 0.03, 0.1, 0.3 }
  return grid_reference.random(rng, { width = rng(1, rng:pick { 24, 36 }), height = rng(1, 20), closed = closed,
    walls = rng:pick { 0, 0, 0.02, 0.1 } })
end

local function edit(rng, model)
  local x, y = any(rng, model)
  local what = rng(6)
  if what == 1 then
    model:close(x, y)
  elseif what == 2 then
    model:open(x, y, math.min(model.width, x + rng(0, 5)), math.min(model.height, y + rng(0, 5)))
  elseif what == 3 then
    grid_reference.random_wall(rng, model)
  elseif what == 4 then
    grid_reference.random_link(rng, model)
  else
    model:set(x, y, grid_reference.random_value(rng, model.value_opts))
  end
end

-- Costs, of the agent and of the model.
local function random_agent(rng)
  local options, view = grid_reference.random_costs(rng, { plain = rng:chance(0.7) })
  options.size = rng:pick { 2, 2, 3, 3, 4, 5, rng(1, 9) }
  view.size = options.size
  return options, view
end

local function check_path(model, arcs, options, from, goals)
  local values = grid_reference.spread(arcs, { [from] = 0 })
  local least = HUGE
  for _, goal in ipairs(goals) do least = math.min(least, values[goal] or HUGE) end
  local x1, y1 = model:at(from)
  local list = {}
  for _, goal in ipairs(goals) do
    list[#list + 1], list[#list + 2] = model:at(goal)
  end
  local path, _, code = model.grid:path(x1, y1, list, options)
  if least == HUGE then
    assert.equal("no_path", code)
  else
    assert.truthy(path, code)
    near(least, path.cost)
  end
  if path then grid_reference.walk(model, arcs, path, from, goals, true) end
  return path, least
end

describe("bodies: grid:path", function()
  it("finds what the plain model finds, between edits", function()
    helper.rounds("bodies", 30, function(rng)
      local model = room(rng)
      local options, view = random_agent(rng)
      if rng:chance(0.3) then
        model.grid:prepare { landmarks = rng(1, 4), costs = rng:chance(0.5) and options.costs or nil }
      end
      for _ = 1, 4 do
        local arcs = model:arcs(view)
        for _ = 1, 3 do
          local _, _, from = any(rng, model)
          local goals = {}
          for i = 1, rng:pick { 1, 1, 1, 3 } do goals[i] = select(3, any(rng, model)) end
          local _, least = check_path(model, arcs, options, from, goals)
          local x1, y1 = model:at(from)
          local list = {}
          for _, goal in ipairs(goals) do list[#list + 1], list[#list + 2] = model:at(goal) end
          assert.equal(least < HUGE, model.grid:can_reach(x1, y1, list, { costs = options.costs, agent = options.agent,
            cost = options.cost, at_least = options.at_least, size = options.size }))
        end
        for _ = 1, rng:pick { 0, 1, 1, 5, 40 } do edit(rng, model) end
      end
    end)
  end)
end)

-- A wall beside a random cell, a diagonal one more often than not; or one taken away.
local function diagonal_wall(rng, model)
  local x1, y1 = any(rng, model)
  local x2, y2 = x1 + rng:pick { -1, 1 }, y1 + rng:pick { -1, 1 }
  if rng:chance(0.3) then x2, y2 = x1 + rng:pick { 0, 1 }, y1 end
  if x1 == x2 then y2 = y1 + 1 end
  if model:inside(x2, y2) then model:wall(x1, y1, x2, y2, rng:chance(0.8)) end
end

describe("bodies: walls", function()
  it("stop diagonal steps, whatever the rule of the grid and whoever asks", function()
    helper.rounds("bodies and walls", 30, function(rng)
      local model = grid_reference.random(rng, { width = rng(3, 10), height = rng(3, 10),
        closed = rng:pick { 0, 0, 0.04 }, walls = 0, links = rng:pick { 0, 0, 1 },
        diagonals = rng:pick { "one_open", "always", "always", "both_open" } })
      local options, view = random_agent(rng)
      options.size = rng:pick { 2, 2, 2, 3, 3, 4 }
      view.size = options.size
      for _ = 1, 4 do
        for _ = 1, rng(0, 5) do diagonal_wall(rng, model) end
        if rng:chance(0.3) then edit(rng, model) end
        local arcs = model:arcs(view)
        check_path(model, arcs, options, select(3, any(rng, model)), { (select(3, any(rng, model))) })
        grid_reference.check_field(rng, model, view, options)
        local x, y, from = any(rng, model)
        for _, dx in ipairs { -1, 1 } do
          for _, dy in ipairs { -1, 1 } do -- the line between two neighbours is the step
            local x2, y2 = x + dx, y + dy
            if model:inside(x2, y2) then
              assert.equal(model:leg(view, x, y, x2, y2) < HUGE, (model.grid:clear(x, y, x2, y2, options)))
              local step, least = model.grid:explain({ x, y, x2, y2 }, options), HUGE
              for i = 1, #arcs[from], 2 do
                if arcs[from][i] == model:cell(x2, y2) then least = math.min(least, arcs[from][i + 1]) end
              end
              if least < HUGE then near(least, step.cost) else assert.equal(HUGE, step.cost) end
            end
          end
        end
      end
    end)
  end)
end)

describe("bodies: grid:field", function()
  it("has what the plain model has", function()
    helper.rounds("bodies and fields", 25, function(rng)
      local model = room(rng)
      local options, view = random_agent(rng)
      for _ = 1, 3 do
        grid_reference.check_field(rng, model, view, options)
        for _ = 1, rng:pick { 0, 1, 5 } do edit(rng, model) end
      end
    end)
  end)
end)
