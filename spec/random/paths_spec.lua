-- SPDX-License-Identifier: MIT
-- Random batches of trips over random maps, compared with paths one by one. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local near, unpack = reference.near, table.unpack or unpack -- luacheck: ignore 143

-- Options of batches; those with functions see the direction of a step.
local function random_options(rng)
  local function turned(cost, _, from, to)
    if from and to and (from + 2 * to) % 5 == 0 then return cost * 3 end
    if from and to and (from + to) % 17 == 0 then return false end
  end
  local opts = rng:pick {
    {}, {}, { costs = wend.costs { road = 0.5, swamp = { times = 2, plus = 1 }, lava = false } }, { max_cost = 60 },
    { cost = function(_, cost, tag, from, to) return turned(cost, tag, from, to) end },
    { cost = function(_, cost, tag, from, to) return turned(cost, tag, from, to) end, at_least = 1 },
    { max_expanded = 20 }, { algorithm = "dijkstra" }, { heuristic = "zero" }, { variation = 0.1, seed = 3 },
    { closed_goal = true },
  }
  return opts
end

-- Several threads find the same list, to the last bit.
local function compare_threads(map, list, opts)
  local function find(threads)
    local stats = {}
    opts.threads, opts.stats = threads, stats
    local results, message, code = map:paths(list, opts)
    opts.threads, opts.stats = nil, nil
    return results, stats.fields, message, code
  end
  local expected, fields = find(1)
  for _, threads in ipairs { 2, 3, 8, 1000 } do
    local results, made = find(threads)
    assert.equal(fields, made)
    assert.equal(#expected, #results)
    for i, path in ipairs(results) do
      local other = expected[i]
      assert.equal(type(other), type(path))
      if path then
        assert.equal(other.cost, path.cost)
        assert.equal(other.partial, path.partial)
        assert.equal(table.concat(other, " "), table.concat(path, " "))
        assert.equal(true, path:valid())
        if map.node_count then assert.same(other:edges(), path:edges()) end
      end
    end
  end
end

-- Compares the results of a batch with single paths. find(i, opts): the path of trip i.
local function compare(results, count, opts, find)
  assert.equal(count, #results)
  for i = 1, count do
    local path, expected = results[i], find(i, opts) or false
    assert.equal(expected and true, path and true)
    if path then
      near(expected.cost, path.cost)
      assert.same({ expected[1], expected[#expected] }, { path[1], path[#path] })
      assert.equal(true, path:valid())
    end
  end
end

describe("many paths of a random graph", function()
  it("cost the same as one by one #slow", function()
    helper.rounds("graph", 150, function(rng)
      local g, model = helper.random_graph(rng, { nodes = rng(2, 60), edges = rng(1, 200) })
      local ends, starts = {}, {}
      for i = 1, rng(1, 4) do ends[i] = rng:pick(model.nodes) end
      for i = 1, rng(1, 40) do starts[i] = rng:pick(model.nodes) end
      local list, turn = {}, rng:chance(0.5)
      for _ = 1, rng(0, 80) do
        local a, b = rng:pick(starts), rng:pick(ends)
        list[#list + 1] = turn and b or a
        list[#list + 1] = turn and a or b
      end
      local opts = random_options(rng)
      if rng:chance(0.3) then g = g:overlay():close(rng:pick(model.nodes)) end
      compare(assert(g:paths(list, opts)), #list / 2, opts, function(i, same)
        return g:path(list[2 * i - 1], list[2 * i], same)
      end)
      compare_threads(g, list, opts)
    end)
  end)
end)

describe("many paths of a random grid", function()
  it("cost the same as one by one #slow", function()
    helper.rounds("grid", 100, function(rng)
      local width, height = rng(2, 14), rng(2, 14)
      local g = wend.grid(width, height, { diagonals = rng:pick { "never", "both_open", "one_open", "always" },
        diagonal_length = rng:pick(grid_reference.LENGTHS) })
      local plain = rng:chance(0.3)
      for y = 1, height do
        for x = 1, width do
          if rng:chance(0.2) then g:close(x, y) end
          if not plain and rng:chance(0.5) then
            g:set(x, y, { weight = rng(1, 5), tag = rng:pick { "road", "swamp", "lava", false } or nil })
          end
        end
      end
      for _ = 1, rng:pick { 0, 0, 4 } do
        local x1, y1, x2, y2 = rng(width), rng(height), rng(width), rng(height)
        if x1 ~= x2 or y1 ~= y2 then g:link(x1, y1, x2, y2, { weight = rng(0, 9), directed = rng:chance(0.5) }) end
      end
      local list, turn, ends = {}, rng:chance(0.5), {}
      for i = 1, rng(1, 3) do ends[i] = { rng(width), rng(height) } end
      for _ = 1, rng(0, 60) do
        local a, b = { rng(width), rng(height) }, rng:pick(ends)
        if turn then a, b = b, a end
        for _, number in ipairs { a[1], a[2], b[1], b[2] } do list[#list + 1] = number end
      end
      local opts = rng:chance(0.9) and random_options(rng) or { partial = true, max_expanded = 30 }
      if opts.cost then opts.cost = function(_, cost) return cost + 1 end end
      compare(assert(g:paths(list, opts)), #list / 4, opts, function(i, same)
        return g:path(list[4 * i - 3], list[4 * i - 2], list[4 * i - 1], list[4 * i], same)
      end)
      compare_threads(g, list, opts)
    end)
  end)
end)

--- A random map of either kind, and functions that draw a trip, and edit the map.
local function random_map(rng)
  if rng:chance(0.5) then
    local graph, model = helper.random_graph(rng, { nodes = rng(2, 60), edges = rng(1, 200) })
    return graph, function(ends) return { rng:pick(model.nodes), ends or rng:pick(model.nodes) } end, function()
      if #model.edges > 0 and rng:chance(0.5) then graph:set_weight(rng:pick(model.edges).id, rng(200)) end
      graph[rng:pick { "close", "open" }](graph, rng:pick(model.nodes))
    end
  end
  local width, height = rng(2, 20), rng(2, 20)
  local grid = wend.grid(width, height, { diagonals = rng:pick { "never", "both_open", "always" },
    diagonal_length = rng:pick(grid_reference.LENGTHS) })
  local function edit()
    grid:set(rng(width), rng(height), rng:pick { false, 1, 1, { weight = rng(5), tag = rng:pick { "road", "lava" } } })
  end
  for _ = 1, rng(width * height) do edit() end
  return grid, function(ends)
    local x, y = rng(width), rng(height)
    if ends then return { x, y, ends, ends } end
    return { x, y, rng(width), rng(height) }
  end, edit
end

describe("many paths in a queue", function()
  it("are those of map:paths; after edits, those of the map as it was when each was found", function()
    helper.rounds("sliced", 60, function(rng)
      local map, trip, edit = random_map(rng)
      local list, goal = {}, rng:chance(0.6) and 1 or nil
      for _ = 1, rng(0, 40) do
        for _, item in ipairs(trip(goal)) do list[#list + 1] = item end
      end
      local opts, queued = random_options(rng), {}
      if opts.cost then opts.cost = function(_, cost) return cost + 1 end end
      for name, value in pairs(opts) do queued[name] = value end
      local stats, direct = {}, {}
      queued.stats, opts.stats = stats, direct
      local q, states, edits = wend.queue(), { wend.decode(map:encode()) }, rng:chance(0.5)
      -- Another map, so that no labels are known. q:run makes labels at another time.
      local whole, slice, by_clock = assert(states[1]:paths(list, opts)), rng(1, 200), rng:chance(0.5)
      local request = assert(q:paths(map, list, queued))
      while q:pending() > 0 do
        if by_clock and rng:chance(0.5) then q:run(0) else q:step(slice) end
        if edits and rng:chance(0.2) then
          edit()
          states[#states + 1] = wend.decode(map:encode())
        end
      end
      assert.equal("done", request.state)
      assert.equal(#whole, #request.result)
      if #states == 1 then
        for i, path in ipairs(request.result) do
          assert.equal(whole[i] and true, path and true)
          if path then near(whole[i].cost, path.cost) end
          assert.equal(true, not path or path:valid())
        end
        -- A goal without a path lets a search make labels: in slices earlier or later, so others expand less or more.
        local all_found = true
        for _, path in ipairs(whole) do all_found = all_found and path and true end
        if not by_clock and all_found then assert.same(direct, stats) end
        return
      end
      opts.stats = nil
      if opts.max_expanded then return end -- what a search has expanded before an edit counts
      local each = #whole > 0 and #list / #whole
      for i, path in ipairs(request.result) do
        local found = false
        for _, state in ipairs(states) do
          local arguments = { state }
          for k = 1, each do arguments[1 + k] = list[(i - 1) * each + k] end
          arguments[each + 2] = opts
          local other = map.path(unpack(arguments, 1, each + 2)) or false
          found = found or other == path or other and path and math.abs(other.cost - path.cost) <= 1e-9 * other.cost
        end
        assert.equal(true, found, i)
      end
    end)
  end)
end)

describe("paths that are found again into one table", function()
  it("are those of a new table, whatever the table held before", function()
    helper.rounds("again", 100, function(rng)
      local map, trip, edit = random_map(rng)
      local into, kept = {}, rng:chance(0.5)
      local again, profile = { into = into }, wend.costs { road = 0.5, swamp = 3, mud = 2 }
      for _ = 1, 60 do
        local ends, opts, same = trip(), rng:pick { {}, {}, { costs = profile }, random_options(rng) }, {}
        if opts.cost then opts.cost = function(_, cost) return cost + 1 end end
        for name, value in pairs(opts) do same[name] = value end
        same.into = into
        if next(opts) == nil and kept then same = again end
        local count = #ends
        if rng:chance(0.05) then ends[rng(count)] = rng:pick { 0, 1e9, 1.5, "x", false } end
        local function ask(options)
          ends[count + 1] = options
          return pcall(map.path, map, unpack(ends, 1, count + 1))
        end
        local ok, expected, message, code = ask(opts)
        local other_ok, found, other_message, other_code = ask(same)
        assert.same({ ok, message, code }, { other_ok, other_message, other_code })
        if not ok then
          assert.equal(expected, found)
        elseif expected then
          assert.equal(into, found)
          assert.equal(expected.cost, found.cost)
          assert.equal(table.concat(expected, " "), table.concat(found, " "))
          assert.equal(true, found:valid())
          for _, field in ipairs { "map", "costs", "callback", "partial", "goal", "size" } do
            assert.equal(expected[field], found[field])
          end
          if map.node_count then assert.same(expected:edges(), found:edges()) end
        else
          assert.equal(nil, (next(into)))
        end
        if rng:chance(0.1) then into.map, into.trail = nil, rng:chance(0.5) and into.trail or nil end
        if rng:chance(0.2) then edit() end
        if rng:chance(0.1) then profile:set("road", rng:pick { 0.5, 1, 4, false, function() return 2 end }) end
      end
    end)
  end)
end)
