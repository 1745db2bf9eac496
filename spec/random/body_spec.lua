-- SPDX-License-Identifier: MIT
-- Agents with a size on grids, against a plain model: walls, weights, tags, links, functions, edits between searches
-- and in the middle of them. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local HUGE = math.huge
local any, near, with = grid_reference.any, reference.near, grid_reference.with

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
    helper.rounds("bodies", 50, function(rng)
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

  it("finds it in slices, while the map changes", function()
    helper.rounds("bodies in slices", 40, function(rng)
      local model = room(rng)
      local options, view = random_agent(rng)
      for _ = 1, 3 do
        local x1, y1, from = any(rng, model)
        local x2, y2, goal = any(rng, model)
        local least = grid_reference.spread(model:arcs(view), { [from] = 0 })[goal]
        local search = model.grid:search(x1, y1, x2, y2, with(options, { partial = rng:chance(0.2),
          variation = rng:chance(0.2) and 0 or nil, seed = 1 }))
        local edits = rng:pick { 0, 0, 2, 6 }
        while search:step(rng:pick { 1, 5, 30 }) == "running" do
          if edits > 0 and rng:chance(0.5) then
            edit(rng, model)
            edits = edits - 1
          end
        end
        local path, _, code = search:result()
        if not (path and path.partial) then
          if least then near(least, path.cost) else assert.equal("no_path", code) end
        end
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
    helper.rounds("bodies and walls", 60, function(rng)
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
    helper.rounds("bodies and fields", 50, function(rng)
      local model = room(rng)
      local options, view = random_agent(rng)
      for _ = 1, 3 do
        grid_reference.check_field(rng, model, view, options)
        for _ = 1, rng:pick { 0, 1, 5 } do edit(rng, model) end
      end
    end)
  end)
end)

-- What a path costs by the arcs; math.huge: it cannot be walked.
local function cost_now(model, arcs, path)
  local total, before = 0, nil
  for _, x, y in path:each() do
    local cell, least = model:cell(x, y), HUGE
    if before then
      for i = 1, #arcs[before], 2 do
        if arcs[before][i] == cell then least = math.min(least, arcs[before][i + 1]) end
      end
      total = total + least
    end
    before = cell
  end
  return total
end

describe("bodies: path:valid", function()
  it("is false for whatever changes the path, as watches are", function()
    helper.rounds("bodies and validity", 40, function(rng)
      local model = room(rng)
      local options, view = random_agent(rng)
      local arcs, watch, costs = model:arcs(view), wend.watch(model.grid), {}
      for _ = 1, 12 do
        local x1, y1 = any(rng, model)
        local x2, y2 = any(rng, model)
        local path = model.grid:path(x1, y1, x2, y2, options)
        if path then
          if rng:chance(0.3) then path = assert(wend.decode(path:encode(), with({ map = model.grid }, options))) end
          costs[path] = cost_now(model, arcs, path)
          watch:add(path)
        end
      end
      for _ = 1, 6 do
        edit(rng, model)
        arcs = model:arcs(view)
        local affected = {}
        for _, path in ipairs(watch:affected()) do affected[path] = true end
        for path, cost in pairs(costs) do
          local now, valid = cost_now(model, arcs, path), path:valid()
          if valid then near(cost, now) end
          if now ~= cost then assert.falsy(valid, "a path that has changed counts as valid") end
          if not valid then
            assert.truthy(affected[path], "a watch has missed a change")
            costs[path] = nil
          end
        end
      end
    end)
  end)
end)

describe("bodies: grid:why_not", function()
  it("names obstacles, and without them there is a path", function()
    helper.rounds("bodies and obstacles", 60, function(rng)
      local model = room(rng)
      local size = rng(2, 4)
      local x1, y1 = any(rng, model)
      local x2, y2 = any(rng, model)
      local report = model.grid:why_not(x1, y1, x2, y2, { size = size })
      if not report then
        assert.truthy(model.grid:path(x1, y1, x2, y2, { size = size }))
        return
      end
      assert.is_nil((model.grid:path(x1, y1, x2, y2, { size = size })))
      if report.obstacles[1].cause == "outside" then return end
      for _, obstacle in ipairs(report.obstacles) do
        if obstacle.cause == "wall" then
          model:wall(obstacle.x, obstacle.y, obstacle.to_x, obstacle.to_y, false)
        elseif obstacle.cause == "one_way" then
          return
        else
          assert.equal("closed", obstacle.cause)
          model:open(obstacle.x, obstacle.y)
        end
      end
      local path = assert(model.grid:path(x1, y1, x2, y2, { size = size }))
      assert.truthy(path.cost <= report.cost + 1e-9)
    end)
  end)
end)
