-- SPDX-License-Identifier: MIT
-- Paths that differ from seed to seed and never cost more than they may. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local moving = require "spec.support.moving_reference"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local HUGE = math.huge
local show, draw, with = reference.show, reference.draw, moving.with

local function sliced(map, slice, ...)
  local search = map:search(...)
  while search:step(type(slice) == "function" and slice() or slice) == "running" do end
  return search:result()
end

-- Asserts that a cost is at least the cheapest and at most 1 + v times that.
local function within(cheapest, v, cost)
  if not (cost >= cheapest * (1 - 1e-9) and cost <= cheapest * (1 + v) * (1 + 1e-9)) then
    error(("%.17g is not within %.17g .. %.17g (variation %g)"):format(cost, cheapest, cheapest * (1 + v), v), 2)
  end
end

-- A ladder of two ways of the same kind at every rung: 2^rungs paths that cost much the same.
local function ladder(rungs)
  local g = wend.graph()
  for i = 0, rungs do g:add_node(i * 10, 0) end
  for i = 1, rungs do
    local up, down = g:add_node(i * 10 - 5, 5), g:add_node(i * 10 - 5, -5)
    g:add_edges { i, up, up, i + 1, i, down, down, i + 1 }
  end
  return g, rungs + 1
end

local function edge_set(path)
  local set, list = {}, path:edges()
  for _, e in ipairs(list) do set[e] = true end
  return set, #list
end

-- The share of the edges of two paths that only one of them has.
local function difference(one, other)
  local a, count_a = edge_set(one)
  local b, count_b = edge_set(other)
  local both = 0
  for e in pairs(a) do
    if b[e] then both = both + 1 end
  end
  return 1 - 2 * both / (count_a + count_b)
end

describe("variation", function()
  it("gives paths that differ from seed to seed", function()
    local g, last = ladder(12)
    local seen, count = {}, 0
    for seed = 1, 50 do
      local path = assert(g:path(1, last, { variation = 0.1, seed = seed }))
      local text = reference.text(path)
      if not seen[text] then count = count + 1 end
      seen[text] = true
      reference.near(12 * 2 * math.sqrt(50), path.cost) -- all ways cost the same: whatever is taken is the cheapest
    end
    assert.truthy(count > 15, count)
  end)

  it("gives the same path for the same seed", function()
    local g, last = ladder(12)
    for _, seed in ipairs { 1, 2, 0, -7, 0.5, 1e300, -1e-300, 2 ^ 53 } do
      local first = show(g:path(1, last, { variation = 0.3, seed = seed }))
      g:path(2, last, { variation = 0.2, seed = 99 })
      assert.equal(first, show(g:path(1, last, { variation = 0.3, seed = seed })))
      local again = ladder(12)
      assert.equal(first, show(again:path(1, last, { variation = 0.3, seed = seed })))
    end
  end)

  it("tells seeds apart that are near each other or far from whole", function()
    local g, last = ladder(16)
    local seen, count, seeds = {}, 0, { 0, 1, -1, 0.5, 0.25, 1.5, 1e9, 1e9 + 1, 2 ^ 32, 2 ^ 32 + 1, 2 ^ 52, 1e300,
      1e301, -1e300, 1e-300, 2e-300, math.pi, -math.pi }
    for _, seed in ipairs(seeds) do
      local text = reference.text(g:path(1, last, { variation = 0.3, seed = seed }))
      if not seen[text] then count = count + 1 end
      seen[text] = true
    end
    assert.truthy(count >= #seeds * 0.7, ("%d of %d"):format(count, #seeds))
  end)

  it("of 0 is the cheapest", function()
    helper.rounds("variation 0", 60, function(rng)
      local g, model = helper.random_graph(rng)
      local from, to = rng:pick(model.nodes), rng:pick(model.nodes)
      local plain, varied = g:path(from, to), g:path(from, to, { variation = 0, seed = rng(1000) })
      assert.equal(plain == nil, varied == nil)
      if plain then reference.near(plain.cost, varied.cost) end
    end)
  end)

  it("takes the long way only where that is near enough", function()
    local g = draw { "A B C D", "A-B 5", "B-D 5", "A-C 5.5", "C-D 5.5" }
    local taken = {}
    for seed = 1, 200 do
      assert.equal(10, g:path("A", "D", { variation = 0.09, seed = seed }).cost)
      local cost = g:path("A", "D", { variation = 0.5, seed = seed }).cost
      taken[cost] = (taken[cost] or 0) + 1
    end
    assert.truthy((taken[11] or 0) > 10, "never the other way")
    assert.truthy((taken[10] or 0) > 10, "always the other way")
  end)

  it("takes parallel edges, and shortcuts past nodes of the cheapest path", function()
    local function shares(g, other)
      local count = 0
      for seed = 1, 200 do
        local path = g:path("A", "C", { variation = 1, seed = seed })
        for _, e in ipairs(path:edges()) do
          if e == other then count = count + 1 end
        end
      end
      assert.truthy(count > 10 and count < 190, count)
    end
    shares(draw { "A B C", "A-B 5", "B-C 5", "A-B 6" }, 3)
    shares(draw { "A B C", "A-B 5", "B-C 5", "C>A 1", "A>B 6" }, 4)
    shares(draw { "A B C", "A-B 5", "B-C 5", "A-C 11" }, 3)
    shares(draw({ "A B C", "A-B 5", "B-C 5", "A-C 11" }, { A = { 0, 0 }, B = { 1, 0 }, C = { 2, 0 } }), 3)
  end)

  it("does not change the graph", function()
    local g, last = ladder(6)
    local held, field = g:path(1, last), g:field(1)
    local search = g:search(1, last)
    search:step(1)
    local before = show(held)
    for seed = 1, 20 do g:path(1, last, { variation = 0.5, seed = seed }) end
    assert.same({ true, true }, { held:valid(), field:valid() })
    assert.equal("found", search:step(1000))
    assert.equal(before, show(g:path(1, last)))
    assert.equal(true, g:path(1, last, { variation = 0.5, seed = 3 }):valid())
    local grid = wend.grid(9, 9)
    local path, cells = grid:path(1, 1, 9, 9), grid:field(1, 1)
    before = grid_reference.show(path)
    for seed = 1, 20 do grid:path(1, 1, 9, 9, { variation = 0.5, seed = seed }) end
    assert.same({ true, true }, { path:valid(), cells:valid() })
    assert.equal(before, grid_reference.show(grid:path(1, 1, 9, 9)))
  end)

  it("may be had in a table that is used again, with figures", function()
    local g, last = ladder(6)
    local into, stats = {}, {}
    for seed = 1, 5 do
      local path = assert(g:path(1, last, { variation = 0.5, seed = seed, into = into, stats = stats }))
      assert.equal(into, path)
      assert.equal(show(g:path(1, last, { variation = 0.5, seed = seed })), show(path))
      assert.truthy(stats.expanded > 0 and stats.pushed > 0 and stats.callbacks == 0 and stats.bound >= 0)
    end
  end)

  it("is the same in slices on open ground", function()
    local grid = wend.grid(200, 200)
    for y = 30, 170 do grid:set(100, y, false) end
    for seed = 1, 10 do
      local opts = { variation = 0.3, seed = seed }
      local path, other = grid:path(10, 100, 190, 105, opts), sliced(grid, 40, 10, 100, 190, 105, opts)
      assert.equal(table.concat(path, " "), table.concat(other, " "))
    end
  end)

  it("expands at least as much as the cheapest path without estimates needs", function()
    local g, last = ladder(12)
    local plain, varied, sliced_stats = {}, {}, {}
    g:path(1, last, { stats = plain, algorithm = "dijkstra" })
    for seed = 1, 20 do
      local opts = { stats = varied, algorithm = "dijkstra", variation = 0.5, seed = seed }
      local path = g:path(1, last, opts)
      assert.truthy(varied.expanded >= plain.expanded)
      opts.stats = sliced_stats
      local other, slices = g:search(1, last, opts), 0
      while other:step(1) == "running" do slices = slices + 1 end
      assert.equal(show(path), show(other:result()))
      assert.same(varied, sliced_stats)
      assert.truthy(slices >= varied.expanded - 2 and slices <= varied.expanded + 2)
    end
  end)

  it("takes each of two doors that cost the same, and none that costs too much more", function()
    for _, v in ipairs { 0.1, 0.3, 1 } do
      local equal, dearer, too_dear = 0, 0, 0
      local function taken(weight, seed)
        local grid = wend.grid(41, 31):fill(21, 1, 21, 31, false):open(21, 8):open(21, 24)
        grid:set(21, 24, weight)
        for _, x, y in grid:path(1, 16, 41, 16, { variation = v, seed = seed }):each() do
          if x == 21 then return y == 24 and 1 or 0 end
        end
      end
      local cost = wend.grid(41, 31):fill(21, 1, 21, 31, false):open(21, 8):path(1, 16, 41, 16).cost
      for seed = 1, 300 do
        equal = equal + taken(1, seed)
        dearer = dearer + taken(1 + cost * v / 6, seed)
        too_dear = too_dear + taken(1 + cost * v * 1.01, seed)
      end
      assert.truthy(equal >= 60 and equal <= 240, equal)
      assert.truthy(dearer > 0, "the dearer door is never taken")
      assert.equal(0, too_dear)
    end
  end)

  it("gives the cheapest where what it would give is beyond max_cost", function()
    local g = draw { "A B C D", "A-B 5", "B-D 5", "A-C 5.5", "C-D 5.5" }
    for seed = 1, 60 do
      assert.equal(10, g:path("A", "D", { variation = 0.5, seed = seed, max_cost = 10 }).cost)
      assert.equal(10, g:path("A", "D", { variation = 0.5, seed = seed, max_cost = 10.5 }).cost)
      assert.truthy(g:path("A", "D", { variation = 0.5, seed = seed, max_cost = 11 }).cost <= 11)
      assert.same({ "nil", "budget" }, { type((g:path("A", "D", { variation = 0.5, seed = seed, max_cost = 9.9 }))),
        (select(3, g:path("A", "D", { variation = 0.5, seed = seed, max_cost = 9.9 }))) })
    end
  end)

  it("goes from a node to itself, and fails where there is no path", function()
    local g = draw { "A B C", "A>B 1" }
    local opts = { variation = 0.5, seed = 1 }
    assert.same({ 0, 1 }, { g:path("A", "A", opts).cost, #g:path("A", "A", opts) })
    assert.same({ 1, 2 }, { g:path("A", "B", opts).cost, #g:path("A", "B", opts) })
    assert.equal("no_path", select(3, g:path("B", "A", opts)))
    assert.equal("no_path", select(3, g:path("A", "C", opts)))
  end)

  it("may be of any size", function()
    helper.rounds("variation large", 10, function(rng)
      local g, model = helper.random_graph(rng, { nodes = 30, edges = 120, closed_nodes = 0, closed_edges = 0 })
      local from = rng:pick(model.nodes)
      local distance = helper.solve(model, from)
      for _, to in ipairs(model.nodes) do
        for _, v in ipairs { 1, 10, 1e6, 1e9, 1e300 } do
          local path = g:path(from, to, { variation = v, seed = rng(1e6) })
          assert.equal(distance[to] == nil, path == nil)
          if path then
            reference.walk(g, path, from, to)
            assert.truthy(path.cost >= distance[to] * (1 - 1e-9))
            if v < 1e300 then within(distance[to], v, path.cost) end
          end
        end
      end
    end)
  end)
end)

-- How far a path may be from the cheapest, over random graphs, costs and all that g:path takes.
describe("the cost of a varied path", function()
  it("is within the bound on random graphs, under random costs, over thousands of seeds #slow", function()
    local seeds = 0
    helper.rounds("variation graphs", 260, function(rng)
      local g, model = helper.random_graph(rng, { nodes = rng(2, 40), dimensions = rng:pick { 0, 2, 3 } })
      local opts, cost = reference.random_costs(rng)
      local from = rng:pick(model.nodes)
      local distance = helper.solve(model, from, cost)
      for _ = 1, 14 do
        local to = rng:chance(0.8) and rng:pick(model.nodes) or { rng:pick(model.nodes), rng:pick(model.nodes) }
        local cheapest = helper.least(distance, to)
        local v = rng:pick { 0, 0.01, 0.1, 0.2, 0.5, 1, 3, rng() }
        local more = with(opts, { variation = v, seed = rng(1e6), algorithm = rng:pick { "astar", "dijkstra" } })
        if more.algorithm == "astar" then more.heuristic = rng:pick(grid_reference.HEURISTICS) end
        local path, _, code = g:path(from, to, more)
        if cheapest then
          assert.truthy(path, code)
          within(cheapest, v, path.cost)
          reference.walk(g, path, from, to)
          local first = show(path)
          assert.equal(first, show(g:path(from, to, more)))
          assert.equal(first, show(sliced(g, rng(1, 5), from, to, more)))
          assert.equal(first, show(sliced(g, function() return rng(1, 9) end, from, to, more)))
        else
          assert.same({ "nil", "no_path" }, { type(path), code })
        end
        seeds = seeds + 1
      end
    end)
    assert.truthy(not helper.all_rounds() or seeds > 3000)
  end)

  it("is within the bound for weights of every size #slow", function()
    local SIZES = {
      { 0, 1e-300, 1 }, { 1e-20, 1, 1e15 }, { 0, 1e-9, 1e9, 1 }, { 5e-324, 1e-310, 1e-300 }, { 1e290, 1e300, 1e-300 },
      { 0 }, { 1, 100, 1e4, 1e6 }, { 0.1, 0.2, 0.3, 0.6 }, { 1, 1 + 2 ^ -52, 2 }, { 1 },
    }
    helper.rounds("variation sizes", 200, function(rng)
      local g, model = helper.random_graph(rng, { nodes = rng(2, 30), edges = rng(20, 120),
        dimensions = rng:pick { 0, 2, 3 } })
      local sizes = rng:pick(SIZES)
      for _, edge in ipairs(model.edges) do
        edge.weight = rng:pick(sizes) * (rng:chance(0.5) and rng(1, 3) or 1)
        g:set_weight(edge.id, edge.weight)
      end
      local from = rng:pick(model.nodes)
      local distance = helper.solve(model, from)
      for _ = 1, 10 do
        local to, v = rng:pick(model.nodes), rng:pick { 0.1, 0.5, 2 }
        local path = g:path(from, to, { variation = v, seed = rng(1e6) })
        assert.equal(distance[to] == nil, path == nil)
        if path then
          -- below 1e-300 rounding is no longer relative to the size
          if path.cost > 1e-290 then within(distance[to], v, path.cost) end
          if distance[to] == 0 then assert.equal(0, path.cost) end
          reference.walk(g, path, from, to)
        end
      end
    end)
  end)

  it("is within the bound with a heuristic function and several goals", function()
    helper.rounds("variation goals", 40, function(rng)
      local g, model = helper.random_graph(rng, { nodes = rng(5, 40), edges = rng(20, 140), directed = 0,
        closed_nodes = 0 })
      local goals, left, share = {}, {}, {}
      for i = 1, rng:pick { 1, 3 } do
        goals[i] = rng:pick(model.nodes)
        left[goals[i]] = helper.solve(model, goals[i])
      end
      for _, n in ipairs(model.nodes) do share[n] = rng:pick { 0, 0.3, 1 } * (1 - 1e-12) end
      for _ = 1, 8 do
        local from, v, cheapest = rng:pick(model.nodes), rng:pick { 0.05, 0.3, 1 }, HUGE
        for _, goal in ipairs(goals) do cheapest = math.min(cheapest, left[goal][from] or HUGE) end
        local opts = { variation = v, seed = rng(1e6), heuristic = function(n, goal)
          return (left[goal] and left[goal][n] or 0) * share[n]
        end }
        local path = g:path(from, goals, opts)
        assert.equal(cheapest == HUGE, path == nil)
        if path then
          within(cheapest, v, path.cost)
          reference.walk(g, path, from, goals)
          assert.equal(show(path), show(sliced(g, 2, from, goals, opts)))
        end
      end
    end)
  end)

  it("is within the bound of what a partial path and a budget leave #slow", function()
    helper.rounds("variation partial", 120, function(rng)
      local g, model = helper.random_graph(rng, { nodes = rng(4, 40), edges = rng(4, 100), dimensions = rng(2, 3),
        coincident = 0 })
      local from = rng:pick(model.nodes)
      local distance = helper.solve(model, from)
      for _ = 1, 8 do
        local to, v = rng:pick(model.nodes), rng:pick { 0.1, 0.5 }
        local opts = { variation = v, seed = rng(1e6), partial = true }
        local path = assert(g:path(from, to, opts))
        if distance[to] then
          assert.equal(nil, path.partial)
          within(distance[to], v, path.cost)
        else
          local plain = assert(g:path(from, to, { partial = true }))
          assert.same({ true, plain[#plain] }, { path.partial, path[#path] })
          within(distance[plain[#plain]], v, path.cost)
        end
        reference.walk(g, path, from, path[#path])
        assert.equal(show(path), show(sliced(g, 3, from, to, opts)))

        local best = distance[to]
        if best and best > 0 then
          for _, share in ipairs { 1 + 1e-12, 1 + v / 2, 2 } do
            local limited = assert(g:path(from, to, { variation = v, seed = opts.seed, max_cost = best * share }))
            within(best, v, limited.cost)
            assert.truthy(limited.cost <= best * share)
          end
          local less, _, code = g:path(from, to, { variation = v, seed = opts.seed, max_cost = best * 0.999 })
          assert.same({ "nil", "budget" }, { type(less), code })
          local near = assert(g:path(from, to, with(opts, { max_cost = best * 0.999 })))
          assert.equal(true, near.partial)
          assert.truthy(near.cost <= best * 0.999)
          within(distance[near[#near]], v, near.cost)
        end
        for _, most in ipairs { 1, 3, 10 } do
          local some, _, code = g:path(from, to, { variation = v, seed = opts.seed, max_expanded = most })
          if some then
            within(best, v, some.cost)
          else
            assert.truthy(code == "budget" or code == "no_path" and not best)
          end
          local stats = {}
          some = assert(g:path(from, to, with(opts, { max_expanded = most, stats = stats })))
          assert.truthy(stats.expanded <= most)
          reference.walk(g, some, from, some[#some])
        end
      end
    end)
  end)
end)

describe("variation over grids", function()
  it("stays within the bound for every kind of grid #slow", function()
    local seeds, worst = 0, 0
    helper.rounds("variation grids", 240, function(rng, round)
      local open = round % 5 == 0 and { width = rng(10, 40), height = rng(10, 40), closed = 0.2, tagged = 0, walls = 0,
        links = 0, weights = { 1 } } or {} -- jump points would be used there
      local model = grid_reference.random(rng, with(open, { diagonals = grid_reference.POLICIES[round % 4 + 1] }))
      local opts, view = grid_reference.random_costs(rng)
      local arcs = model:arcs(view)
      for _ = 1, 8 do
        local x1, y1 = rng(model.width), rng(model.height)
        local from = model:cell(x1, y1)
        local value = grid_reference.spread(arcs, { [from] = 0 })
        local goals, places, cheapest = {}, {}, HUGE
        for i = 1, rng:pick { 1, 1, 1, 3 } do
          local x, y = rng(model.width), rng(model.height)
          goals[2 * i - 1], goals[2 * i], places[i] = x, y, model:cell(x, y)
          cheapest = math.min(cheapest, value[places[i]] or HUGE)
        end
        local v = rng:pick { 0, 0.05, 0.2, 0.7, 2 }
        local more = with(opts, { variation = v, seed = rng(1e6) })
        more.algorithm = rng:pick { "astar", "astar", "dijkstra" }
        if more.algorithm == "astar" then more.heuristic = rng:pick(grid_reference.HEURISTICS) end
        local path, _, code = model.grid:path(x1, y1, goals, more)
        if cheapest < HUGE then
          assert.truthy(path, code)
          within(cheapest, v, path.cost)
          grid_reference.walk(model, arcs, path, from, places)
          if cheapest > 0 then worst = math.max(worst, (path.cost / cheapest - 1) / math.max(v, 1e-300)) end
          local first = grid_reference.show(path)
          assert.equal(first, grid_reference.show(model.grid:path(x1, y1, goals, more)))
          assert.equal(first, grid_reference.show(sliced(model.grid, rng(1, 7), x1, y1, goals, more)))
        else
          assert.same({ "nil", "no_path" }, { type(path), code })
        end
        seeds = seeds + 1
      end
    end)
    assert.truthy(not helper.all_rounds() or seeds > 1500 and worst > 0.2, worst)
  end)
end)

describe("how varied paths are", function()
  -- The mean share of edges that two seeds do not have in common, over trips across a level.
  local function variety(g, count, v, label)
    local rng = helper.rng(label)
    local sum, pairs_count = 0, 0
    for _ = 1, 12 do
      local from, to, plain
      repeat
        from, to = rng(count), rng(count)
        plain = g:path(from, to)
      until plain and #plain > 15
      local before
      for seed = 1, 8 do
        local path = g:path(from, to, { variation = v, seed = seed })
        within(plain.cost, v, path.cost)
        if before then sum, pairs_count = sum + difference(before, path), pairs_count + 1 end
        before = path
      end
    end
    return sum / pairs_count
  end

  it("grows with variation, on a level of many ways", function()
    local g = reference.geometric(helper.rng "variety", 1500, { near = 5 })
    local little, some, much = variety(g, 1500, 0.02, "a"), variety(g, 1500, 0.2, "a"), variety(g, 1500, 1, "a")
    assert.truthy(some > 0.15, some)
    assert.truthy(much > 0.3, much)
    assert.truthy(little < some and some < much, ("%g %g %g"):format(little, some, much))
  end)

  it("is not a matter of the first edges only", function()
    local g, last = ladder(40)
    local up = {} -- by rung: how often the upper way
    for seed = 1, 200 do
      local path = g:path(1, last, { variation = 0.2, seed = seed })
      for i = 2, #path, 2 do
        local _, y = g:position(path[i])
        up[i / 2] = (up[i / 2] or 0) + (y > 0 and 1 or 0)
      end
    end
    -- the cheapest takes the same way at every rung; the others differ now here, now there
    for rung = 1, 40 do
      local other = math.min(up[rung], 200 - up[rung])
      assert.truthy(other >= 5, ("rung %d: %d"):format(rung, other))
    end
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local g, grid

local function fixture()
  g = draw({ "A B C D", "A-B", "B-C swamp", "C-D 1" }, { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 } }) -- D is nowhere
  grid = wend.grid(7, 3)
end

-- Each line: what is raised, and the call.
local function all(cases) helper.all_raise(it, cases) end

describe("variation", function()
  before_each(fixture)

  local function ask(opts) return g:path("A", "C", opts) end
  all {
    "variation needs a seed: the path depends on it", function() ask { variation = 0.2 } end,
    "variation needs a seed: the path depends on it", function() ask { variation = 0 } end,
    "variation needs a seed: the path depends on it", function() g:search("A", "C", { variation = 0.2 }) end,
    "variation needs a seed: the path depends on it", function() grid:path(1, 1, 7, 3, { variation = 0.2 }) end,
    "variation needs a seed: the path depends on it", function() g:field("A", { variation = 1 }) end,
    "per_turn and variation do not go together: leave one of the two options out",
    function() g:field("A", { variation = 1, seed = 1, per_turn = 5 }) end,
  }

  it("takes a seed without a variation", function()
    assert.equal(20, ask({ seed = 5 }).cost)
    assert.equal(nil, (select(2, pcall(ask, { seed = 5 }))).partial)
  end)
end)
