-- SPDX-License-Identifier: MIT
-- g:paths and grid:paths: many paths at once. spec/random/paths_spec.lua compares them with paths one by one.
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local unpack = table.unpack or unpack -- luacheck: ignore 143

-- A row of nodes 1 - 2 - … - 6, where 6 is closed and 7 stands alone.
local function row()
  local g = wend.graph()
  for i = 1, 7 do g:add_node(i, 0, { name = "n" .. i }) end
  for i = 1, 5 do g:add_edge(i, i + 1, { tag = i == 3 and "toll" or nil }) end
  return g:close(6)
end

local function costs_of(list)
  local costs = {}
  for i, path in ipairs(list) do costs[i] = path and path.cost end
  return costs
end

describe("many paths of a graph", function()
  it("are paths or false, in the order of the trips", function()
    local g = row()
    local list = g:paths { 1, 5, "n2", "n4", 1, 7, 3, 3, 1, 6, 6, 4, 5, 1 }
    assert.same({ 4, 2, false, 0, false, 2, 4 }, costs_of(list))
    assert.same({ 1, 2, 3, 4, 5 }, { list[1][1], list[1][2], list[1][3], list[1][4], list[1][5] })
    assert.equal("path", wend.type(list[2]))
    assert.same({}, g:paths {})
  end)

  it("take the options of path", function()
    local g = row()
    local toll = wend.costs { toll = { plus = 10 } }
    assert.same({ 14, 1 }, costs_of(g:paths({ 1, 5, 1, 2 }, { costs = toll })))
    assert.same({ 4, 1 }, costs_of(g:paths({ 1, 5, 1, 2 }, { costs = toll, cost = function() return 1 end })))
    assert.same({ false, 1 }, costs_of(g:paths({ 1, 5, 1, 2 }, { max_cost = 2 })))
    assert.same({ false, 1 }, costs_of(g:paths({ 1, 5, 1, 2 }, { max_expanded = 2 })))
    local overlay = g:overlay():close(3)
    assert.same({ false, 1 }, costs_of(overlay:paths { 1, 5, 1, 2 }))
    local partial = g:paths({ 1, 7 }, { partial = true })
    assert.equal(true, partial[1].partial)
  end)

  it("are valid, and tell why they cost what they cost", function()
    local g = row()
    local list = {}
    for i = 1, 5 do list[2 * i - 1], list[2 * i] = i, 5 end
    local agent, toll = {}, wend.costs { toll = function() return 2 end }
    for _, path in ipairs(g:paths(list, { costs = toll, agent = agent })) do
      assert.equal(true, path:valid())
      assert.equal(toll, path.costs)
      reference.walk(g, path, path[1], 5)
    end
  end)

  it("share work between trips with the same goal, or the same start", function()
    local g = reference.geometric(helper.rng("level", 1), 500)
    for _, turned in ipairs { false, true } do
      local list, stats, one, sum = {}, {}, {}, 0
      for i = 1, 300 do
        local a, b = i, 500 - i % 3
        list[2 * i - 1], list[2 * i] = turned and b or a, turned and a or b
        g:path(list[2 * i - 1], list[2 * i], { stats = one })
        sum = sum + one.expanded
      end
      g:paths(list, { stats = stats })
      if sum > 300 * 50 then -- otherwise the goals happen to be in a small part of the map
        assert.truthy(stats.fields >= 1 and stats.fields <= 3)
        assert.truthy(stats.expanded * 2 < sum)
      end
    end
    local stats = {}
    g:paths({ 1, 2, 3, 4 }, { stats = stats })
    assert.equal(0, stats.fields)
    g:paths({ 1, 500, 2, 500, 3, 500, 4, 500, 5, 500, 6, 500, 7, 500 }, { stats = stats, variation = 0.1, seed = 1 })
    assert.equal(0, stats.fields)
  end)

  it("check options also where there are no trips", function()
    local g = row()
    assert.equal(nil, (wend.core.check_options(g)))
    assert.equal("map must be a graph or a grid, got nil", select(2, pcall(wend.core.check_options)))
    assert.same({}, g:paths({}, { max_cost = 3, stats = {} }))
  end)

  local function go(...)
    local list, count = { ... }, select("#", ...)
    return function() return row():paths(unpack(list, 1, count)) end
  end
  local OPTIONS = helper.WAY_OPTIONS:gsub("into, ", ""):gsub("%)$", ", threads)")
  helper.all_raise(it, {
    "trips[2]: there is no node 9", go { 1, 9 },
    "trips[1]: there is no node named 'x'", go { "x", 9 },
    "trips[4] must be a node (its id or name), got a table", go { 1, 2, 3, {} },
    "trips[2] must be a node (its id or name), got nan", go { 1, 0 / 0 },
    "trips must hold 2 nodes per item, got 3 nodes", go { 1, 2, 3 },
    "unknown option 'into' " .. OPTIONS, go({ 1, 2 }, { into = {} }),
  })
  local SEED = "variation needs a seed: the path depends on it"
  helper.all_raise(it, { SEED, go({ 1, 2 }, { variation = 0.5 }), SEED, go({}, { variation = 0.5 }) })

  it("take several threads, and find the same", function()
    local g = reference.geometric(helper.rng("threads", 1), 400)
    local list, expected, stats = {}, nil, {}
    for i = 1, 150 do list[2 * i - 1], list[2 * i] = i, 401 - i end
    for _, threads in ipairs { 1, 2, 3, 64, 2 ^ 40 } do
      local paths = g:paths(list, { threads = threads, variation = 0.1, seed = threads < 3 and 1 or 2, stats = stats })
      assert.truthy(stats.expanded > 150)
      expected = threads ~= 3 and expected or paths
      for i, path in ipairs(paths) do
        assert.equal(expected[i] and expected[i].cost, path and path.cost)
        assert.same(expected[i] and { unpack(expected[i]) }, path and { unpack(path) })
      end
      expected = paths
    end
  end)

  it("ask functions by one thread, whatever is wanted", function()
    local g, calls = row(), 0
    local function toll(_, cost) calls = calls + 1 return cost + 1 end
    assert.same({ 8, 6 }, costs_of(g:paths({ 1, 5, 1, 4 }, { threads = 2, cost = toll })))
    assert.truthy(calls > 0)
    assert.same({ 4, 3 }, costs_of(g:paths({ 1, 5, 1, 4 }, { threads = 2, heuristic = function() return 0 end })))
    local price, made = 10, 0
    local costs = wend.costs { toll = function() made = made + 1 return price end }
    assert.same({ 13, 12, 2 }, costs_of(g:paths({ 1, 5, 1, 4, 1, 3 }, { threads = 2, costs = costs })))
    assert.truthy(made > 0)
  end)

  it("raise from functions, and go on afterwards", function()
    local g = row()
    local costs = wend.costs { toll = function() error "no toll today" end }
    local ok, message = pcall(g.paths, g, { 1, 5, 1, 4 }, { threads = 2, costs = costs })
    assert.equal(false, ok)
    assert.truthy(message:find("no toll today", 1, true))
    assert.same({ 4, 3 }, costs_of(g:paths({ 1, 5, 1, 4 }, { threads = 2 })))
    g:close(2) -- it is not locked any more
    assert.same({ false, 0 }, costs_of(g:paths({ 1, 5, 1, 1 }, { threads = 2 })))
  end)

  it("raises: wrong numbers of threads", function()
    for _, wrong in ipairs { 0, -1, 1.5, "two", 0 / 0, {} } do
      local ok, message = pcall(function() return row():paths({ 1, 2 }, { threads = wrong }) end)
      assert.equal(false, ok)
      assert.truthy(message:find("threads must be a whole number >= 1, got", 1, true))
    end
    local q = wend.queue()
    assert.error_matches(function() q:paths(row(), { 1, 2 }, { threads = 2 }) end, "unknown option 'threads'")
  end)

  it("have memory of their own, which outlives errors and cannot be misused", function()
    local core, g = wend.core, row()
    assert.equal(nil, core.batch())
    assert.equal(nil, (core.batch(1)))
    local batch = core.batch(2)
    if not batch then return end -- the module was built without threads
    assert.equal(nil, wend.type(batch))
    local found = core.find_paths(batch, g, nil, { 1, 5, 1, 7 })
    assert.equal(4, found[1].cost)
    assert.same({ "ok", false, "no_path" }, { found[4], found[5], found[8] })
    assert.equal(false, core.find_paths(batch, g, { cost = function() return 1 end }, { 1, 2 }))
    for _, wrong in ipairs { { 1, 9 }, { 0, 1 }, { 1, "x" }, { 1, {} }, { 1.5, 1 } } do
      assert.error_matches(function() core.find_paths(batch, g, nil, wrong) end, "ids must be of the graph")
    end
    assert.error_matches(function() core.find_paths(batch, g, nil, 3) end, "ids must be a table")
    assert.error_matches(function() core.find_paths(g, g, nil, {}) end, "batch must be a batch")
    assert.same({}, core.find_paths(batch, g, nil, {}))
    local costs = wend.costs { toll = function() return core.find_paths(batch, g, nil, { 1, 2 })[1].cost end }
    assert.equal(4, core.find_paths(batch, g, { costs = costs }, { 1, 5 })[1].cost)
    core.find_paths(batch)
    assert.error_matches(function() core.find_paths(batch, g, nil, { 1, 5 }) end, "the batch is gone")
    core.find_paths(batch)
  end)

  it("raise what a function raises", function()
    local g, own = row(), {}
    local list = {}
    for i = 1, 40 do list[2 * i - 1], list[2 * i] = i % 5 + 1, 5 end
    local calls = 0
    local ok, raised = pcall(g.paths, g, list, { cost = function()
      calls = calls + 1
      if calls == 7 then error(own) end
    end })
    assert.equal(false, ok)
    assert.equal(own, raised)
    assert.same({ 4 }, costs_of(g:paths { 1, 5 }))
  end)
end)

describe("many paths of a grid", function()
  it("are paths or false, in the order of the trips", function()
    local g = wend.parse_grid [[
      ...#..
      ...#..
      .....#
    ]]
    g:close(6, 1)
    local list = g:paths { 1, 1, 3, 1, 1, 1, 5, 1, 4, 1, 1, 1, 1, 1, 6, 1, 2, 2, 2, 2 }
    for i, trip in ipairs { { 1, 1, 3, 1 }, { 1, 1, 5, 1 }, { 4, 1, 1, 1 }, { 1, 1, 6, 1 }, { 2, 2, 2, 2 } } do
      local path = g:path(trip[1], trip[2], trip[3], trip[4])
      assert.equal(path and path.cost or false, list[i] and list[i].cost)
    end
  end)

  it("share work", function()
    local g, list, stats = wend.grid(30, 30), {}, {}
    for y = 1, 30 do
      for x = 1, 30 do g:set(x, y, 1 + (x * y) % 4) end
    end
    for i = 1, 60 do
      for _, number in ipairs { i % 30 + 1, i % 7 + 1, 25, 28 } do list[#list + 1] = number end
    end
    local paths = g:paths(list, { stats = stats })
    assert.equal(1, stats.fields)
    for i, path in ipairs(paths) do
      reference.near(g:path(list[4 * i - 3], list[4 * i - 2], 25, 28).cost, path.cost)
      assert.equal(true, path:valid())
    end
  end)

  local function go(trips)
    return function() return wend.grid(4, 3):paths(trips) end
  end
  helper.all_raise(it, {
    "trips[4] must be a whole number in 1 .. 3, got 4", go { 1, 1, 4, 4 },
    "trips[1] must be a whole number in 1 .. 4, got 'x'", go { "x", 1, 4, 3 },
    "trips[3] must be a whole number in 1 .. 4, got 1.5", go { 1, 1, 1.5, 3 },
    "trips must hold 4 numbers per item, got 6 numbers", go { 1, 1, 2, 2, 3, 3 },
  })
end)
