-- SPDX-License-Identifier: MIT
-- Random grids against a plain model of the rules. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.grid_reference"
local helper = require "spec.helper"
local reference = require "spec.reference"
local wend = require "wend"

local show, with, near, spread = grid_reference.show, grid_reference.with, reference.near, grid_reference.spread

local HUGE = math.huge
local HEURISTICS = grid_reference.HEURISTICS

-- A random cell, by column, row and number.
local function any(rng, model)
  local x, y = rng(model.width), rng(model.height)
  return x, y, model:cell(x, y)
end

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
  it("have paths that cost what the plain model says, whatever they are searched by", function()
    helper.rounds("grid plain", 60, function(rng)
      compare(rng, grid_reference.random(rng), {})
    end)
  end)

  it("have paths that cost what the plain model says under random costs", function()
    helper.rounds("grid costs", 80, function(rng)
      local opts, view = grid_reference.random_costs(rng)
      compare(rng, grid_reference.random(rng), opts, view)
    end)
  end)

  it("have paths that cost what the plain model says, many more of them #slow", function()
    helper.rounds("grid many", 500, function(rng)
      local opts, view = grid_reference.random_costs(rng)
      compare(rng, grid_reference.random(rng), opts, view)
    end)
  end)

  it("have cells as they were set, after any edits", function()
    helper.rounds("grid edits", 40, function(rng)
      local model = grid_reference.random(rng)
      for _ = 1, 60 do
        local what, x1, y1, x2, y2 = rng(10), rng(model.width), rng(model.height), rng(model.width), rng(model.height)
        local value = grid_reference.random_value(rng, model.value_opts)
        if what <= 6 then
          model:set(x1, y1, value)
        elseif what <= 9 then
          model:fill(x1, y1, x2, y2, value)
        else
          model:map(function()
            if rng:chance(0.3) then return grid_reference.random_value(rng, model.value_opts) end
          end)
        end
      end
      grid_reference.cells(model, function(x, y, cell)
        local weight, tag = model.grid:get(x, y)
        assert.same({ model.weight[cell], model.tag[cell] }, { weight, tag })
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
          local what, x, y = rng(5), any(rng, model)
          if what <= 2 then
            model:set(x, y, grid_reference.random_value(rng, model.value_opts))
          elseif what == 3 then
            grid_reference.random_wall(rng, model)
          elseif what == 4 then
            grid_reference.random_link(rng, model)
          else
            model:unlink(x, y, x1, y1)
          end
        end
        if path and path:valid() then -- a link may have made a step of it cheaper, but all of them are still there
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
          assert.truthy(total <= path.cost * (1 + 1e-12))
        end
        compare(rng, model, opts, view, 1)
      end
    end)
  end)

  -- The same cells, walls and links again, set in another order and over other values, with searches in between.
  local function again(rng, model)
    local other, todo = wend.grid(model.width, model.height, { diagonals = model.diagonals }), {}
    if rng:chance(0.5) then other:fill(rng(5)) end
    grid_reference.cells(model, function(x, y, cell)
      local value = { weight = model.weight[cell], tag = model.tag[cell] }
      table.insert(todo, rng(#todo + 1), function() other:set(x, y, value) end)
      if rng:chance(0.2) then table.insert(todo, 1, function() other:set(x, y, rng() * 9) end) end
      grid_reference.cells(model, function(x2, y2, to)
        local link = model.links[cell][to]
        if link then
          local opts = { weight = link.weight, tag = link.tag, directed = true }
          table.insert(todo, rng(#todo + 1), function() other:link(x, y, x2, y2, opts) end)
        end
        if to < cell and model:has_wall(x, y, x2, y2) then
          table.insert(todo, rng(#todo + 1), function() other:wall(x, y, x2, y2) end)
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
      local model = grid_reference.random(rng, rng:chance(0.5) and { weights = { 1 }, tagged = 0 } or nil)
      local opts = grid_reference.random_costs(rng)
      local other = again(rng, model)
      for _ = 1, 8 do
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

  it("are searched alike in slices of any size", function()
    helper.rounds("grid sliced", 60, function(rng)
      local model = grid_reference.random(rng)
      local opts = grid_reference.random_costs(rng)
      local x1, y1 = any(rng, model)
      local x2, y2 = any(rng, model)
      for _, more in ipairs { {}, { algorithm = "dijkstra" }, { heuristic = "octile" }, { max_expanded = rng(40) },
        { max_cost = rng(20) }, { partial = true, max_cost = rng(8) } } do
        local stats = {}
        local whole = show(model.grid:path(x1, y1, x2, y2, with(opts, with(more, { stats = stats }))))
        local parts = {}
        local both = with(opts, with(more, { stats = parts }))
        assert.equal(whole, show(grid_reference.sliced(model.grid, rng(9), x1, y1, x2, y2, both)))
        assert.same(stats, parts)
      end
    end)
  end)

  it("are searched alike in slices while others, with other costs, are searching between", function()
    helper.rounds("grid between", 40, function(rng)
      local model = grid_reference.random(rng, { walls = rng:pick { 0, 0.1 }, links = 0, width = rng(5, 20) })
      local x1, y1 = any(rng, model)
      local x2, y2 = any(rng, model)
      local searches, expected = {}, {}
      for i = 1, 8 do
        local opts = grid_reference.random_costs(rng, { plain = true })
        opts.algorithm = i % 3 == 0 and "dijkstra" or nil
        expected[i] = show(model.grid:path(x1, y1, x2, y2, opts))
        searches[i] = model.grid:search(x1, y1, x2, y2, opts)
      end
      local running
      repeat
        running = false
        for _, search in ipairs(searches) do running = search:step(rng(4)) == "running" or running end
      until not running
      for i, search in ipairs(searches) do assert.equal(expected[i], show(search:path())) end
    end)
  end)

  it("are to each agent what they are to it, whoever asked before, and with edits between", function()
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
    local grid = wend.grid(width, height)
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

  it("have paths that cost what Dijkstra's algorithm says, between edits too", function()
    rounds("uniform", 60, SIZES, 4)
  end)

  it("have paths that cost what Dijkstra's algorithm says, in small mazes", function()
    rounds("uniform small", 200, { 1, 2, 3, 4, 5, 6, 8, 11 }, 6)
  end)

  it("have paths that cost what Dijkstra's algorithm says, many more of them #slow", function()
    rounds("uniform many", 600, SIZES, 8)
    rounds("uniform many small", 4000, { 1, 2, 3, 4, 5, 6, 8, 11 }, 8)
  end)

  it("have paths that cost what the plain model says", function()
    helper.rounds("uniform model", 60, function(rng)
      local model = grid_reference.random(rng, { width = rng:pick { 1, 9, 20 }, height = rng:pick { 2, 9, 20 },
        weights = { rng:pick { 1, 0.3 } }, tagged = 0, walls = 0, links = 0, diagonals = "both_open" })
      compare(rng, model, {}, nil, 6)
    end)
  end)
end)

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
        assert.equal(false, field:stale())
      end
    end)
  end

  it("have the values and paths that the plain model says", function() compare_fields("fields", 80) end)

  it("have the values and paths that the plain model says, many more of them #slow", function()
    compare_fields("fields many", 800)
  end)

  it("agree with the path from every cell, and to every cell", function()
    helper.rounds("fields and paths", 30, function(rng)
      local model = grid_reference.random(rng, { width = rng(1, 9), height = rng(1, 9) })
      local opts = grid_reference.random_costs(rng)
      local goal_x, goal_y = any(rng, model)
      local inward = model.grid:field(goal_x, goal_y, opts)
      local outward = model.grid:field(goal_x, goal_y, with(opts, { outward = true }))
      grid_reference.cells(model, function(x, y)
        for _, case in ipairs { { inward, x, y, goal_x, goal_y }, { outward, goal_x, goal_y, x, y } } do
          local path = model.grid:path(case[2], case[3], case[4], case[5], opts)
          local cost = case[1]:cost(x, y)
          assert.equal(path == nil, cost == nil)
          if path then near(path.cost, cost) end
        end
      end)
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

  it("of graphs agree with every path", function()
    helper.rounds("graph fields", 60, function(rng)
      local g, model = helper.random_graph(rng)
      local opts = {}
      if rng:chance(0.5) then
        opts.costs = wend.costs { road = 0.3, toll = { times = 1.5, plus = 2 }, lava = false }
      end
      if rng:chance(0.3) then
        function opts.cost(_, cost, tag, from, to)
          if tag == "rope" and from > to then return false end
          return cost * (1 + (from * 3 + to) % 4)
        end
      end
      local goal = rng:pick(model.nodes)
      local inward, outward = g:field(goal, opts), g:field(goal, with(opts, { outward = true }))
      for _, n in ipairs(model.nodes) do
        for _, case in ipairs { { inward, n, goal }, { outward, goal, n } } do
          local field, from, to = case[1], case[2], case[3]
          local path, cost = g:path(from, to, opts), field:cost(n)
          assert.equal(path == nil, cost == nil)
          if path then
            near(path.cost, cost)
            local own = assert(field:path(n))
            near(cost, own.cost)
            if opts.cost then -- it is not asked again: the cost is the field's, summed the other way round
              local sum = 0
              for _, edge in ipairs(own:explain()) do sum = sum + edge.cost end
              near(sum, own.cost)
              own.cost = sum
            end
            reference.walk(g, own, from, to)
            assert.equal(goal, field:goal(n))
            assert.equal(#own > 1 and own[field == inward and 2 or #own - 1] or nil, field:next(n))
          end
        end
      end
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

describe("straight lines on random grids", function()
  it("are clear where every step of the line is free, and as clear the other way round", function()
    helper.rounds("grid clear", 60, function(rng)
      local model = grid_reference.random(rng, { closed = rng:pick { 0, 0.05, 0.15 }, walls = rng:pick { 0, 0.05 } })
      local opts, view = grid_reference.random_costs(rng)
      local arcs_open = view.edge == nil
      local shown = opts.costs and { costs = opts.costs, agent = opts.agent, cost = opts.cost,
        at_least = opts.at_least } or opts
      for _ = 1, 25 do
        local x1, y1, from = any(rng, model)
        local x2, y2 = any(rng, model)
        local clear = model.grid:clear(x1, y1, x2, y2, shown)
        assert.equal(model:leg(view, x1, y1, x2, y2) < HUGE, clear, ("%d,%d to %d,%d"):format(x1, y1, x2, y2))
        local times = model.tag[from] and view.tag and view.tag(model.tag[from]) or 1
        if arcs_open and clear and model.weight[from] and times < HUGE then
          assert.equal(true, model.grid:clear(x2, y2, x1, y1, shown))
        end
      end
    end)
  end)

  it("make paths straighter: never dearer, every leg clear, corners of the path", function()
    local shorter = 0
    helper.rounds("grid straighten", 120, function(rng)
      local model = grid_reference.random(rng, { width = rng(1, 25), height = rng(1, 25),
        closed = rng:pick { 0, 0.05, 0.2 }, walls = rng:pick { 0, 0.05 }, links = rng:pick { 0, 0, 2 } })
      local opts, view = grid_reference.random_costs(rng)
      for _ = 1, 4 do
        local x1, y1 = any(rng, model)
        local x2, y2 = any(rng, model)
        local path = model.grid:path(x1, y1, x2, y2, opts)
        if path then
          local straight = model.grid:straighten(path, opts)
          assert.truthy(straight.cost <= path.cost * (1 + 1e-12))
          if #straight < #path then shorter = shorter + 1 end
          -- its cells are cells of the path, in order, from its first to its last
          assert.same({ x1, y1, x2, y2 }, { straight[1], straight[2], straight[#straight - 1], straight[#straight] })
          local at = 1
          for i = 3, #straight, 2 do
            repeat
              at = at + 2
              assert.truthy(at <= #path, "a corner that the path does not have")
            until path[at] == straight[i] and path[at + 1] == straight[i + 1]
          end
          -- and it costs what its legs cost
          local total = 0
          for i = 3, #straight, 2 do
            local a, b, c, d = straight[i - 2], straight[i - 1], straight[i], straight[i + 1]
            local leg = model:leg(view, a, b, c, d)
            local arcs = model.links[model:cell(a, b)][model:cell(c, d)] and model:arcs(view)[model:cell(a, b)] or {}
            for k = 1, #arcs, 2 do
              if arcs[k] == model:cell(c, d) then leg = math.min(leg, arcs[k + 1]) end
            end
            assert.truthy(leg < HUGE, "a leg that is not clear")
            total = total + leg
          end
          near(total, straight.cost)
        end
      end
    end)
    assert.truthy(not helper.all_rounds() or shorter > 50)
  end)
end)

describe("four hundred searches of every kind over grids", function()
  -- A generator that never changes: not that of the other specs, whose seed does.
  local function generator(state)
    return function(a, b)
      state = state * 16807 % 2147483647
      local value = (state - 1) / 2147483646
      if not a then return value end
      return a + math.floor(value * (b - a + 1))
    end
  end

  -- The bits of a double in text, as every platform writes them.
  local function bits(number)
    local sign, exponent = number < 0 and "-" or "", 0
    number = math.abs(number)
    while number >= 2 ^ 53 do number, exponent = number / 2, exponent + 1 end
    while number > 0 and number < 2 ^ 52 do number, exponent = number * 2, exponent - 1 end
    return ("%s%.0f e%d"):format(sign, number, exponent)
  end

  local function level(random, uniform)
    local grid = wend.grid(random(30, 70), random(30, 70), { diagonals = grid_reference.POLICIES[uniform and 1
      or random(1, 4)] })
    local width, height = grid:width(), grid:height()
    for _ = 1, random(3, 12) do
      local x, y = random(1, width - 3), random(1, height - 3)
      grid:fill(x, y, random(x, math.min(width, x + 25)), y + random(0, 1), false)
    end
    if uniform then return grid end
    for _ = 1, width * height / 3 do
      grid:set(random(1, width), random(1, height), { weight = random(1, 9) / 4, tag = "tag" .. random(1, 4) })
    end
    for _ = 1, random(0, 40) do
      local x, y = random(1, width - 1), random(1, height - 1)
      grid:wall(x, y, x + random(0, 1), y + 1)
    end
    for _ = 1, random(0, 3) do
      grid:link(random(1, width), random(1, height), random(1, width), random(1, height),
        { weight = random(1, 40), tag = "tag" .. random(1, 4), directed = random() < 0.5 })
    end
    return grid
  end

  -- All cells with a cost, walls too.
  local function each_cost(field, width, height, fn)
    for y = 1, height do
      for x = 1, width do
        local cost = field:cost(x, y)
        if cost then fn(x, y, cost) end
      end
    end
  end

  local function trips(random)
    local costs = wend.costs { tag1 = 0.3, tag2 = { times = 1.7, plus = 0.9 }, tag3 = function() return 0.77, 0.1 end }
    local hills = wend.costs({}, { base = costs }):edge_rule("slope", function(_, cost, _, x1, y1, x2, y2)
      return x1 + y1 < x2 + y2 and cost * 1.1 or nil
    end, { at_least = 1 })
    local kinds = {
      {}, { algorithm = "dijkstra" }, { costs = costs }, { heuristic = "octile" }, { costs = hills },
      { cost = function(_, cost) return cost / 3 end }, { max_cost = 30, partial = true }, { max_cost = 90 },
    }
    local hash = 7
    local function note(text)
      for i = 1, #text do hash = (hash * 131 + text:byte(i)) % 2147483647 end
    end
    for round = 1, 20 do
      local grid = level(random, round % 4 == 0)
      local width, height = grid:width(), grid:height()
      for i = 1, 20 do
        local opts = kinds[i % #kinds + 1]
        local path, _, code = grid:path(random(1, width), random(1, height), random(1, width), random(1, height), opts)
        note(path and bits(path.cost) .. grid_reference.text(path) or code)
        if path and not path.partial then
          local straight = grid:straighten(path, { costs = opts.costs, cost = opts.cost })
          note(bits(straight.cost) .. grid_reference.text(straight))
        end
      end
      local field = grid:field(random(1, width), random(1, height), { costs = round % 2 == 0 and costs or hills,
        outward = round % 3 == 0, window = round % 5 == 0 and 12 or nil })
      each_cost(field, width, height, function(x, y, cost)
        local next_x, next_y = field:next(x, y)
        note(("%d,%d %s %d,%d"):format(x, y, bits(cost), next_x or 0, next_y or 0))
      end)
      field:scale(-1.2):relax()
      each_cost(field, width, height, function(x, y, cost) note(("%d,%d %s"):format(x, y, bits(cost))) end)
    end
    return hash
  end

  it("give what they have always given", function()
    assert.equal(1334376214, trips(generator(19980827)))
  end)
end)
