-- SPDX-License-Identifier: MIT
-- Random fields against a plain model of the rules. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"

local with, near, spread = grid_reference.with, reference.near, grid_reference.spread
local any = grid_reference.any

local HUGE = math.huge

describe("random fields", function()
  -- Goals with values, or without.
  local function goals(rng, model, whole)
    local list, values, start = {}, rng:chance(0.4) and {} or nil, {}
    for i = 1, rng:pick { 1, 1, 2, 6 } do
      local x, y, cell = any(rng, model)
      list[2 * i - 1], list[2 * i] = x, y
      local value = values and (whole and rng(0, 8) or rng() * 8) or 0
      if values then values[i] = value end
      start[cell] = math.min(start[cell] or HUGE, value)
    end
    return list, values, start
  end

  -- At most so many columns and rows from one of the goals.
  local function within(model, start, window)
    if not window then return nil end
    return function(cell)
      local x, y = model:at(cell)
      for goal in pairs(start) do
        local goal_x, goal_y = model:at(goal)
        if math.max(math.abs(x - goal_x), math.abs(y - goal_y)) <= window then return true end
      end
      return false
    end
  end

  -- The field's values against the plain ones.
  local function same(model, value, field, view)
    grid_reference.cells(model, function(x, y, cell)
      local cost = field:cost(x, y)
      if value[cell] and cost then
        near(value[cell], cost, ("cell %d,%d"):format(x, y))
      else
        assert.equal(value[cell], cost, ("cell %d,%d"):format(x, y))
      end
    end)
    local listed, last = {}, 0
    for x, y, cost in field:each() do
      listed[model:cell(x, y)] = true
      assert.truthy(model:cell(x, y) > last)
      last = model:cell(x, y)
      assert.equal(field:cost(x, y), cost)
    end
    grid_reference.cells(model, function(x, y, cell)
      local tag = model.tag[cell]
      local by_tag = tag and view.tag and view.tag(tag) == HUGE
      if by_tag and view.edge then return end -- a function without a promise may have opened it
      assert.equal(field:cost(x, y) and model.weight[cell] and not by_tag or nil, listed[cell])
    end)
  end

  -- Walking it down from every cell. What functions about steps have said is not asked again for the cost of a path,
  -- which then is the field's value, summed the other way round: `rounded`.
  local function walk(model, arcs, start, value, field, outward, rounded)
    grid_reference.cells(model, function(x, y, cell)
      if not value[cell] then
        assert.equal(nil, (field:next(x, y)))
        assert.equal(nil, (field:goal(x, y)))
        assert.equal("no_path", select(3, field:path(x, y)))
        return
      end
      local path = assert(field:path(x, y))
      local goal_x, goal_y = field:goal(x, y)
      local goal = model:cell(goal_x, goal_y)
      assert.truthy(start[goal], "goal is none")
      near(field:cost(x, y), path.cost + start[goal])
      grid_reference.walk(model, arcs, path, outward and goal or cell, { outward and cell or goal }, rounded)
      local next_x, next_y = field:next(x, y)
      if #path == 2 then
        assert.equal(nil, next_x)
      elseif outward then
        assert.same({ path[#path - 3], path[#path - 2] }, { next_x, next_y })
      else
        assert.same({ path[3], path[4] }, { next_x, next_y })
      end
    end)
  end

  local function compare_fields(label, count)
    helper.rounds(label, count, function(rng)
      local model = grid_reference.random(rng)
      local opts, view = grid_reference.random_costs(rng)
      local list, values, start = goals(rng, model)
      local window, limit = rng:chance(0.4) and rng(5) or nil, rng:chance(0.3) and rng() * 15 or nil
      local arcs, near_by = model:arcs(view), within(model, start, window)
      for _, outward in ipairs { false, true } do
        local value = spread(outward and arcs or grid_reference.reversed(arcs), start, near_by)
        for cell, cost in pairs(value) do
          if limit and cost > limit then value[cell] = nil end
        end
        local field = model.grid:field(list, with(opts, { values = values, window = window, max_cost = limit,
          outward = outward, into = rng:chance(0.5) and model.grid:field(1, 1, { outward = not outward }) or nil }))
        same(model, value, field, view)
        walk(model, arcs, start, value, field, outward, view.edge ~= nil)
        assert.equal(true, field:valid())
      end
    end)
  end

  it("have the values and paths of the plain model", function() compare_fields("fields", 80) end)

  it("have the values and paths of the plain model, in many more rounds #slow", function()
    compare_fields("fields many", 800)
  end)

  -- Most values are beyond the ring of the queue.
  it("have the values of the plain model where weights are of very different sizes", function()
    helper.rounds("uneven fields", 10, function(rng)
      local weights = {}
      for i = 1, 200, 2 do weights[i], weights[i + 1] = 1, 1e7 * rng() end
      local model = grid_reference.random(rng, { width = rng(20, 30), height = rng(20, 30), weights = weights,
        closed = 0, tagged = 0, walls = 0, links = 0 })
      local list, values, start = goals(rng, model)
      local value = spread(grid_reference.reversed(model:arcs {}), start)
      same(model, value, model.grid:field(list, { values = values }), {})
    end)
  end)

  it("are added, scaled and relaxed as the plain model says", function()
    helper.rounds("fields relaxed", 100, function(rng)
      local model = grid_reference.random(rng)
      local opts, view = grid_reference.random_costs(rng)
      local arcs = model:arcs(view)
      local list, values, start = goals(rng, model)
      local window, outward = rng:chance(0.3) and rng(5) or nil, rng:chance(0.4)
      local near_by = within(model, start, window)
      local leading = outward and arcs or grid_reference.reversed(arcs)
      local field = model.grid:field(list, with(opts, { values = values, window = window, outward = outward }))
      local value = spread(leading, start, near_by)
      for _ = 1, rng(3) do
        if rng:chance(0.5) then
          local k = rng:pick { -1.2, -1, 0, 0.5, 3 }
          field:scale(k)
          for cell, cost in pairs(value) do value[cell] = cost * k end
        else
          local other_list, other_values, other_start = goals(rng, model)
          local k = rng:pick { 1, -1, 0.5, -2 }
          local other = model.grid:field(other_list, with(opts, { values = other_values }))
          field:add(other, k)
          local added = spread(grid_reference.reversed(arcs), other_start)
          for cell, cost in pairs(value) do value[cell] = added[cell] and cost + k * added[cell] end
        end
        same(model, value, field, view)
      end

      -- before relax, next is the lowest lower neighbour that can be entered
      if not outward then
        grid_reference.cells(model, function(x, y, cell)
          local lowest
          for i = 1, #arcs[cell], 2 do
            local cost = value[arcs[cell][i]]
            if cost and value[cell] and cost < value[cell] then lowest = math.min(lowest or cost, cost) end
          end
          local next_x, next_y = field:next(x, y)
          local got = next_x and value[model:cell(next_x, next_y)]
          if not (lowest and got) then
            -- what is lower by less than is lost in rounding is neither
            assert.truthy(lowest == got or math.abs((lowest or got) - value[cell]) < 1e-9)
          else
            near(lowest, got)
          end
        end)
      end

      field:relax()
      local relaxed = spread(leading, value, near_by)
      same(model, relaxed, field, view)
      grid_reference.cells(model, function(x, y, cell)
        if not relaxed[cell] then
          assert.equal(nil, (field:next(x, y)))
          return
        end
        local path = assert(field:path(x, y))
        local end_x, end_y = field:goal(x, y)
        local goal = model:cell(end_x, end_y)
        near(relaxed[cell], path.cost + field:cost(end_x, end_y))
        local from, to = outward and goal or cell, outward and cell or goal
        grid_reference.walk(model, arcs, path, from, { to }, view.edge ~= nil)
      end)
    end)
  end)

  it("of graphs with several goals, values and arithmetic agree with a plain solver", function()
    helper.rounds("graph fields relaxed", 60, function(rng)
      local g, model = helper.random_graph(rng)
      local arcs = {}
      for i, n in ipairs(model.nodes) do
        assert.equal(i, n)
        arcs[n] = {}
      end
      for _, edge in ipairs(model.edges) do
        local function lead(from, to)
          if not edge.closed and not model.closed[to] then
            table.insert(arcs[from], to)
            table.insert(arcs[from], edge.weight)
          end
        end
        lead(edge.from, edge.to)
        if not edge.directed then lead(edge.to, edge.from) end
      end
      local list, values, start = {}, {}, {}
      for i = 1, rng(4) do
        list[i], values[i] = rng:pick(model.nodes), rng() * 30
        start[list[i]] = math.min(start[list[i]] or HUGE, values[i])
      end
      local outward = rng:chance(0.5)
      local leading = outward and arcs or grid_reference.reversed(arcs)
      local field, value = g:field(list, { values = values, outward = outward }), spread(leading, start)
      local function check()
        for _, n in ipairs(model.nodes) do
          local cost = field:cost(n)
          assert.equal(value[n] == nil, cost == nil)
          if cost then near(value[n], cost) end
        end
      end
      check()
      local k = rng:pick { -1.2, -0.5, 2 }
      field:scale(k)
      for n, cost in pairs(value) do value[n] = cost * k end
      check()
      field:relax()
      value = spread(leading, value)
      check()
      for n, cost in pairs(value) do
        local path = assert(field:path(n))
        local goal = field:goal(n)
        near(cost, path.cost + field:cost(goal))
        if outward then reference.walk(g, path, goal, n) else reference.walk(g, path, n, goal) end
      end
    end)
  end)
end)
