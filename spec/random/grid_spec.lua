-- SPDX-License-Identifier: MIT
-- Random grids against a plain model of the rules. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local show, with, near, spread = grid_reference.show, grid_reference.with, reference.near, grid_reference.spread

local HUGE = math.huge
local HEURISTICS, any = grid_reference.HEURISTICS, grid_reference.any

-- What of several places has the least value, and that value.
local function least(value, places)
  local best
  for _, place in ipairs(places) do
    if value[place] and not (best and best <= value[place]) then best = value[place] end
  end
  return best
end

-- Every way of asking for one path: calls check(path or nil, how) for each.
local function each_way(rng, grid, x1, y1, to, opts, check)
  local function ask(how, more, slice)
    local both = with(opts, more)
    local function call(find)
      if #to == 2 then return find(x1, y1, to[1], to[2], both) end
      return find(x1, y1, to, both)
    end
    check(call(function(...)
      if slice then return grid_reference.sliced(grid, slice, ...) end
      return (grid:path(...))
    end), how)
  end
  ask("default", {})
  for _, heuristic in ipairs(HEURISTICS) do ask(heuristic, { heuristic = heuristic }) end
  ask("dijkstra", { algorithm = "dijkstra" })
  ask("sliced", {}, 1)
  ask("sliced at random", {}, function() return rng(20) end)
  ask("sliced, octile", { heuristic = "octile" }, 3)
end

local function compare(rng, model, opts, view, trips)
  local arcs = model:arcs(view)
  local x1, y1, from = any(rng, model)
  local value = spread(arcs, { [from] = 0 })
  for _ = 1, trips or 3 do
    local to, goals = {}, {}
    for i = 1, rng:pick { 1, 1, 1, 2, 5 } do to[2 * i - 1], to[2 * i], goals[i] = any(rng, model) end
    local expected = least(value, goals)
    each_way(rng, model.grid, x1, y1, to, opts, function(path, how)
      if expected then
        assert.truthy(path, how)
        near(expected, path.cost, how)
        grid_reference.walk(model, arcs, path, from, goals)
      else
        assert.equal(nil, path, how)
      end
    end)
  end
end

describe("random grids", function()
  it("have paths that cost the same as the plain model's, for every algorithm, heuristic and agent", function()
    helper.rounds("grid costs", 120, function(rng)
      local opts, view = grid_reference.random_costs(rng)
      compare(rng, grid_reference.random(rng), opts, view)
    end)
  end)

  it("of cells that cost the same have short paths that cost the same as the plain model's", function()
    helper.rounds("short paths", 60, function(rng)
      local model = grid_reference.random(rng, { width = rng(2, 24), height = rng(2, 24), diagonals = "both_open",
        closed = rng:pick { 0.05, 0.1, 0.2, 0.3 }, tagged = 0, weights = { rng:pick { 1, 0.3 } }, walls = 0, links = 0,
        palette = true })
      local arcs = model:arcs()
      for _ = 1, 6 do
        local x, y, from = any(rng, model)
        local value = spread(arcs, { [from] = 0 })
        for _ = 1, 12 do
          local x2, y2, to = any(rng, model)
          local path = model.grid:path(x, y, x2, y2)
          near(value[to] or HUGE, path and path.cost or HUGE)
          if path then grid_reference.walk(model, arcs, path, from, { to }) end
        end
      end
    end)
  end)

  it("have paths that come to no cell twice, where steps cost nothing too", function()
    local found = 0
    helper.rounds("no cell twice", 100, function(rng)
      local model = grid_reference.random(rng, { width = rng(3, 24), height = rng(3, 24), weights = { 0, 0, 0, 1, 5 },
        closed = rng:pick { 0, 0.1, 0.2 }, walls = rng:pick { 0, 0.05 }, links = rng:pick { 0, 3 } })
      for _ = 1, 10 do
        local width, height = model.width, model.height
        local x1, y1, x2, y2 = rng(width), rng(height), rng(width), rng(height)
        local path, seen = model.grid:path(x1, y1, x2, y2, rng:pick { {}, { algorithm = "dijkstra" } }), {}
        for i, x, y in (path or wend.grid(1, 1):path(1, 1, 1, 1)):each() do
          local cell = y * width + x
          assert.is_nil(seen[cell], ("cell %d of %s is (%d,%d), which came before"):format(i, tostring(path), x, y))
          seen[cell] = true
          found = found + 1
        end
      end
    end)
    assert.truthy(not helper.all_rounds() or found > 1000)
  end)

  it("have cells as they were set, after any edits", function()
    helper.rounds("grid edits", 40, function(rng)
      local model = grid_reference.random(rng)
      for _ = 1, 60 do
        local what, x1, y1, x2, y2 = rng(14), rng(model.width), rng(model.height), rng(model.width), rng(model.height)
        local value = grid_reference.random_value(rng, model.value_opts)
        if what <= 6 then
          model:set(x1, y1, value)
        elseif what <= 9 then
          model:fill(x1, y1, x2, y2, value)
        elseif what == 11 then
          model:close(x1, y1)
        elseif what == 12 then
          model:close(x1, y1, x2, y2)
        elseif what == 13 then
          model:open(x1, y1)
        elseif what == 14 then
          model:open(x1, y1, x2, y2)
        else
          model:map(function()
            if rng:chance(0.3) then return grid_reference.random_value(rng, model.value_opts) end
          end)
        end
      end
      grid_reference.cells(model, function(x, y, cell)
        local weight, tag = model.grid:get(x, y)
        assert.same({ model.weight[cell], model.tag[cell], model.kept[cell], not model.weight[cell] },
          { weight, tag, model.grid:weight(x, y), model.grid:is_closed(x, y) })
      end)
    end)
  end)

  it("see every edit at once, and paths know what has touched them", function()
    helper.rounds("grid history", 40, function(rng)
      local model = grid_reference.random(rng)
      local opts, view = grid_reference.random_costs(rng)
      for _ = 1, 6 do
        local x1, y1, from = any(rng, model)
        local x2, y2, goal = any(rng, model)
        local path = model.grid:path(x1, y1, x2, y2, opts)
        assert.truthy(not path or path:valid())
        for _ = 1, rng(3) do
          local what, x, y = rng(8), any(rng, model)
          if what <= 2 then
            model:set(x, y, grid_reference.random_value(rng, model.value_opts))
          elseif what == 6 then
            model:close(x, y, rng:chance(0.3) and rng(x, model.width) or x, y)
          elseif what == 7 then
            model:open(x, y, rng:chance(0.3) and rng(x, model.width) or x, y)
          elseif what == 3 then
            grid_reference.random_wall(rng, model)
          elseif what == 4 then
            grid_reference.random_link(rng, model)
          elseif what == 8 and path and #path > 2 then -- between two successive cells
            local i = 2 * rng(#path / 2 - 1)
            local link = { weight = rng:pick { 0, 0.5, 9 }, directed = rng:chance(0.5) }
            model:link(path[i - 1], path[i], path[i + 1], path[i + 2], link)
          else
            model:unlink(x, y, x1, y1)
          end
        end
        if path and path:valid() then
          local arcs, total = model:arcs(view), 0
          assert.same({ from, goal }, { model:cell(path[1], path[2]), model:cell(path[#path - 1], path[#path]) })
          for i = 3, #path, 2 do
            local step = HUGE
            local list, to = arcs[model:cell(path[i - 2], path[i - 1])], model:cell(path[i], path[i + 1])
            for k = 1, #list, 2 do
              if list[k] == to then step = math.min(step, list[k + 1]) end
            end
            total = total + step
          end
          near(total, path.cost)
        end
        compare(rng, model, opts, view, 1)
      end
    end)
  end)

  -- The same cells, walls and links again, set in another order and over other values, with searches in between.
  local function again(rng, model)
    local other, todo = wend.grid(model.width, model.height, { diagonals = model.diagonals,
      diagonal_length = model.diagonal_length }), {}
    if rng:chance(0.5) then other:fill(rng(5)) end
    grid_reference.cells(model, function(x, y, cell)
      local value = { weight = model.kept[cell], tag = model.tag[cell], closed = not model.weight[cell] }
      table.insert(todo, rng(#todo + 1), function() other:set(x, y, value) end)
      if rng:chance(0.2) then table.insert(todo, 1, function() other:set(x, y, rng() * 9) end) end
      grid_reference.cells(model, function(x2, y2, to)
        local link = model.links[cell][to]
        if link then
          local opts = { weight = link.weight, tag = link.tag, directed = true }
          table.insert(todo, rng(#todo + 1), function() other:link(x, y, x2, y2, opts) end)
        end
        if to ~= cell and model:has_wall(x, y, x2, y2) then -- a wall is two directed ones
          table.insert(todo, rng(#todo + 1), function() other:wall(x, y, x2, y2, true, { directed = true }) end)
        end
      end)
    end)
    for i, edit in ipairs(todo) do
      edit()
      if i % 50 == 0 then other:path(1, 1, model.width, model.height) end
    end
    return other
  end

  local function bits(number) return number and ("%.17g"):format(number) or "-" end

  it("give the same to the last bit, in whatever order they were made and whatever was searched before", function()
    helper.rounds("grid again", 60, function(rng)
      local model = grid_reference.random(rng, rng:chance(0.5) and { palette = true, weights = { 1 }, tagged = 0 }
        or { palette = true })
      local opts = grid_reference.random_costs(rng)
      local other = again(rng, model)
      for _ = 1, 5 do
        local x1, y1 = any(rng, model)
        local x2, y2 = any(rng, model)
        for _, more in ipairs { {}, { algorithm = "dijkstra" }, { heuristic = "octile" }, { partial = true } } do
          local both = with(opts, more)
          local expected = show(model.grid:path(x1, y1, x2, y2, both))
          assert.equal(expected, show(other:path(x1, y1, x2, y2, both)))
          assert.equal(expected, show(model.grid:path(x1, y1, x2, y2, both)))
        end
        local both = with(opts, { outward = rng:chance(0.5), window = rng:chance(0.3) and rng(4) or nil })
        local field, same = model.grid:field(x1, y1, both), other:field(x1, y1, both)
        grid_reference.cells(model, function(x, y)
          assert.equal(bits(field:cost(x, y)), bits(same:cost(x, y)))
          assert.same({ field:next(x, y) }, { same:next(x, y) })
          assert.equal(show(field:path(x, y)), show(same:path(x, y)))
        end)
      end
    end)
  end)

  it("are not mixed up between agents, with edits in between", function()
    helper.rounds("grid agents", 30, function(rng)
      local model = grid_reference.random(rng, { walls = 0, links = 0, diagonals = "both_open",
        weights = rng:pick { { 1 }, { 1, 2 } }, width = rng(2, 12) })
      local agents = {}
      for i = 1, 6 do
        local opts, view = grid_reference.random_costs(rng, { plain = true })
        agents[i] = { opts = opts, view = view }
      end
      for turn = 1, 12 do
        for _ = 1, rng(0, 3) do
          local x, y = any(rng, model)
          local value = grid_reference.random_value(rng, model.value_opts)
          if rng:chance(0.1) then value = { weight = 1, tag = "tag " .. turn } end -- that nobody has seen
          if rng:chance(0.1) then model:fill(x, y, rng(model.width), rng(model.height), value) end
          model:set(x, y, value)
          model[rng:pick { "close", "open" }](model, rng(model.width), rng(model.height))
        end
        local agent = rng:pick(agents)
        local view = { tag = agent.view.tag and function(tag)
          if tag:find "^tag " then return 1, 0 end
          return agent.view.tag(tag)
        end }
        local value_of = model:arcs(view)
        local x1, y1, from = any(rng, model)
        local x2, y2, goal = any(rng, model)
        local value = spread(value_of, { [from] = 0 })
        for _, more in ipairs { {}, { heuristic = "octile" }, { algorithm = "dijkstra" } } do
          local path = model.grid:path(x1, y1, x2, y2, with(agent.opts, more))
          assert.equal(value[goal] == nil, path == nil)
          if path then near(value[goal], path.cost) end
        end
        local field = model.grid:field(x1, y1, with(agent.opts, { outward = true }))
        grid_reference.cells(model, function(x, y, cell)
          assert.equal(value[cell] == nil, field:cost(x, y) == nil)
          if value[cell] then near(value[cell], field:cost(x, y)) end
        end)
      end
    end)
  end)

  it("of more weights than a palette holds are searched like others #slow", function()
    local rng = helper.rng "palette"
    local model = grid_reference.model(260, 260, "one_open")
    model:map(function(x, y)
      if rng:chance(0.2) then return false end
      return { weight = 1 + x / 512 + y / 1024 + rng(), tag = rng:chance(0.3) and rng:pick { "swamp", "road" } or nil }
    end)
    local opts = { costs = wend.costs { swamp = 2.5, road = { times = 0.25, plus = 0.5 } } }
    local function compare_with(more, view)
      local arcs = model:arcs(view)
      local x1, y1, from = any(rng, model)
      local value = reference.distances(arcs, from)
      local field = model.grid:field(x1, y1, with(more, { outward = true }))
      grid_reference.cells(model, function(x, y, cell)
        assert.equal(value[cell] == nil, field:cost(x, y) == nil)
        if value[cell] then near(value[cell], field:cost(x, y)) end
      end)
      for _ = 1, 5 do
        local x2, y2, goal = any(rng, model)
        for _, how in ipairs { {}, { algorithm = "dijkstra" } } do
          local path = model.grid:path(x1, y1, x2, y2, with(more, how))
          assert.equal(value[goal] == nil, path == nil)
          if path then near(value[goal], path.cost) end
        end
      end
      local near_by = model.grid:field(x1, y1, with(more, { window = 6, outward = true }))
      for x, y, cost in near_by:each() do
        assert.truthy(math.abs(x - x1) <= 6 and math.abs(y - y1) <= 6)
        assert.truthy(cost >= value[model:cell(x, y)] * (1 - 1e-9))
      end
    end
    compare_with({}, nil)
    compare_with(opts, { tag = function(tag)
      if tag == "swamp" then return 2.5, 0 end
      return 0.25, 0.5
    end })
    grid_reference.random_wall(rng, model)
    model:fill(50, 50, 200, 60, 1)
    compare_with({}, nil)
    model:close(20, 20, 240, 21)
    model:close(130, 10, 131, 250)
    model:open(100, 20, 100, 21)
    model:open(130, 200, 131, 200)
    for _ = 1, 2000 do model[rng:pick { "close", "open" }](model, rng(260), rng(260)) end
    grid_reference.cells(model, function(x, y, cell)
      local weight, tag = model.grid:get(x, y)
      if weight ~= model.weight[cell] or tag ~= model.tag[cell] or model.grid:weight(x, y) ~= model.kept[cell] then
        assert.same({ x, y, model.weight[cell], model.tag[cell], model.kept[cell] },
          { x, y, weight, tag, model.grid:weight(x, y) })
      end
    end)
    compare_with({}, nil)
    assert.equal(model.grid:encode(), wend.decode(model.grid:encode()):encode())
    model:open(1, 1, 260, 260)
    compare_with(opts, { tag = function(tag)
      if tag == "swamp" then return 2.5, 0 end
      return 0.25, 0.5
    end })
  end)

  it("have partial paths to the cell reached that is nearest to a goal", function()
    helper.rounds("grid partial", 80, function(rng)
      local model = grid_reference.random(rng, { closed = rng:pick { 0.2, 0.45 } })
      local opts, view = grid_reference.random_costs(rng)
      local arcs = model:arcs(view)
      local x1, y1, from = any(rng, model)
      local value = spread(arcs, { [from] = 0 })
      local to, goals = {}, {}
      for i = 1, rng:pick { 1, 1, 3 } do to[2 * i - 1], to[2 * i], goals[i] = any(rng, model) end
      local limit = rng:chance(0.5) and rng(0, 12) + rng() or HUGE
      local function away(cell)
        local x, y = model:at(cell)
        local nearest = HUGE
        for i = 1, #to, 2 do nearest = math.min(nearest, (x - to[i]) ^ 2 + (y - to[i + 1]) ^ 2) end
        return nearest
      end
      local expected, best = least(value, goals), nil
      if expected and expected > limit then expected = nil end
      grid_reference.cells(model, function(_, _, cell)
        if value[cell] and value[cell] <= limit then
          if not best or away(cell) < away(best) or away(cell) == away(best) and value[cell] < value[best] - 1e-9 then
            best = cell
          end
        end
      end)
      for _, more in ipairs { {}, { algorithm = "dijkstra" }, { heuristic = "octile" } } do
        local path = assert(model.grid:path(x1, y1, to, with(opts, with(more, { partial = true, max_cost = limit }))))
        if expected then
          assert.equal(nil, path.partial)
          near(expected, path.cost)
        else
          assert.equal(true, path.partial)
          local last = model:cell(path[#path - 1], path[#path])
          assert.equal(away(best), away(last))
          near(value[best], path.cost)
          grid_reference.walk(model, arcs, path, from, { last })
        end
      end
    end)
  end)
end)

describe("weights of every size on a grid", function()
  local SIZES = {
    { 0, 1e-300, 1 }, { 1e-20, 1, 1e15 }, { 0, 1e-9, 1e9, 1 }, { 5e-324, 1e-310, 1e-300 }, { 1e290, 1e300, 1e-300, 0 },
    { 1, 1 + 2 ^ -52, 2 }, { 0 }, { 1, 100, 1e4, 1e6 }, { 1e-200, 3e-200, 1e200 }, { 0.1, 0.2, 0.3, 0.6 }, { 1e-12, 1 },
  }

  -- Nearly, by any measure: also where both are next to nothing, down to what a double can tell apart.
  local function as_good(expected, cost)
    if not (expected and cost and math.abs(cost - expected) <= 1e-9 * expected + 1e-320) then
      assert.equal(expected, cost)
    end
  end

  it("and functions that make any cost of them, lose no path: it costs what the plain model says", function()
    helper.rounds("grid sizes", 80, function(rng)
      local model = grid_reference.random(rng, { weights = rng:pick(SIZES), tagged = 0, width = rng(1, 9) })
      local opts, view = {}, {}
      if rng:chance(0.4) then
        local factor, a, b = rng:pick { 1e-14, 1e-200, 1e5 }, rng(5), rng(5)
        function view.edge(cost, _, x1, y1, x2, y2) return cost * factor * (1 + (x1 * a + y1 + x2 * b + y2) % 4) end
        function opts.cost(_, ...) return view.edge(...) end
      end
      local arcs = model:arcs(view)
      local x1, y1, from = any(rng, model)
      local value = spread(arcs, { [from] = 0 })
      local outward = model.grid:field(x1, y1, with(opts, { outward = true }))
      grid_reference.cells(model, function(x, y, cell)
        as_good(value[cell], outward:cost(x, y))
      end)
      for _ = 1, 4 do
        local x2, y2, goal = any(rng, model)
        for _, more in ipairs { {}, { algorithm = "dijkstra" }, { heuristic = "chebyshev" } } do
          local path = model.grid:path(x1, y1, x2, y2, with(opts, more))
          as_good(value[goal], path and path.cost)
        end
        as_good(value[goal], model.grid:field(x2, y2, opts):cost(x1, y1))
      end
    end)
  end)
end)

describe("grids where all open cells cost the same", function()
  -- Sizes around what a machine word holds.
  local SIZES = { 1, 2, 3, 7, 31, 62, 63, 64, 65, 66, 127, 128, 129, 191, 192 }

  local function uniform(rng, width, height)
    local density, opts, value = rng:pick { 0, 0.05, 0.2, 0.35, 0.45, 0.6 }, {}, rng:pick { 1, 1, 1, 3, 0.1 }
    local grid = wend.grid(width, height, { diagonal_length = rng:pick(grid_reference.LENGTHS) })
    local tag, other = rng:chance(0.3) and "swamp", rng:chance(0.3) and "lava"
    if tag or other then opts.costs = wend.costs { swamp = rng:pick { 0.5, 1, 7 }, lava = false } end
    local cell = { weight = value, tag = tag or nil }
    grid:fill(cell)
    for _ = 1, width * height * density do
      grid:set(rng(width), rng(height), other and rng:chance(0.3) and { weight = 5, tag = other } or false)
    end
    if rng:chance(0.5) then -- rooms and corridors
      for _ = 1, rng(0, 12) do
        local x1, y1, x2, y2 = rng(width), rng(height), rng(width), rng(height)
        if rng:chance(0.5) then x2 = x1 end
        if rng:chance(0.7) then y2 = x1 == x2 and y2 or y1 end
        grid:fill(x1, y1, x2, y2, rng:chance(0.5) and cell)
      end
    end
    return grid, opts, cell
  end

  local function trips(rng, grid, opts, count)
    local width, height, found = grid:width(), grid:height(), 0
    for _ = 1, count do
      local x1, y1, x2, y2 = rng(width), rng(height), rng(width), rng(height)
      local path = grid:path(x1, y1, x2, y2, opts)
      local plain = grid:path(x1, y1, x2, y2, with(opts, { algorithm = "dijkstra" }))
      assert.equal(plain == nil, path == nil)
      if path then
        near(plain.cost, path.cost)
        local octile = grid:path(x1, y1, x2, y2, with(opts, { heuristic = "octile" }))
        near(plain.cost, octile.cost)
        local sum, steps = 0, path:explain()
        assert.same({ x1, y1, x2, y2 }, { path[1], path[2], path[#path - 1], path[#path] })
        assert.equal(#path / 2 - 1, #steps)
        for i, step in ipairs(steps) do
          local from_x, from_y, to_x, to_y = path[2 * i - 1], path[2 * i], path[2 * i + 1], path[2 * i + 2]
          assert.same({ from_x, from_y, to_x, to_y }, { step.from_x, step.from_y, step.to_x, step.to_y })
          sum = sum + step.cost
          -- a step to a neighbour is clear by the same rules as it is taken
          assert.equal(1, math.max(math.abs(from_x - to_x), math.abs(from_y - to_y)))
          assert.equal(true, grid:clear(from_x, from_y, to_x, to_y, opts))
        end
        assert.equal(path.cost, sum)
        assert.equal(show(path), show(grid_reference.sliced(grid, 2, x1, y1, x2, y2, opts)))
        found = found + 1
      end
    end
    return found
  end

  local function rounds(label, count, sizes, each)
    local found = 0
    helper.rounds(label, count, function(rng)
      local grid, opts, cell = uniform(rng, rng:pick(sizes), rng:pick(sizes))
      found = found + trips(rng, grid, opts, each)
      -- and again after edits
      for _ = 1, 3 do
        for _ = 1, rng(5) do
          local x, y = rng(grid:width()), rng(grid:height())
          local value = rng:chance(0.5) and cell
          if rng:chance(0.7) then
            grid:set(x, y, value)
          else
            grid:fill(x, y, math.min(grid:width(), x + rng(0, 70)), math.min(grid:height(), y + rng(0, 70)), value)
          end
        end
        found = found + trips(rng, grid, opts, 2)
      end
    end)
    assert.truthy(not helper.all_rounds() or found > 0)
  end

  it("have paths that cost the same as by Dijkstra's algorithm, between edits too", function()
    rounds("uniform", 60, SIZES, 4)
  end)

  it("have paths that cost the same as by Dijkstra's algorithm, in small mazes", function()
    rounds("uniform small", 200, { 1, 2, 3, 4, 5, 6, 8, 11 }, 6)
  end)

  it("have paths that cost the same as the plain model's", function()
    helper.rounds("uniform model", 60, function(rng)
      local model = grid_reference.random(rng, { width = rng:pick { 1, 9, 20 }, height = rng:pick { 2, 9, 20 },
        weights = { rng:pick { 1, 0.3 } }, tagged = 0, walls = 0, links = 0, diagonals = "both_open" })
      compare(rng, model, {}, nil, 6)
    end)
  end)
end)
