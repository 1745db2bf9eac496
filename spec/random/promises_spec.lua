-- SPDX-License-Identifier: MIT
-- Edge functions that promise `at_least` are asked along one path only, if that is enough. Paths cost what Dijkstra's
-- algorithm finds on the steps that the function really gives, in one piece, in slices and after edits between them.
-- And a search asks for few more steps than one with a limit, which asks for all that could improve something.
-- luacheck: std max+busted

local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local with = grid_reference.with

local HUGE = math.huge

-- A function that makes about this share of the steps dearer, or closes them: the same ones whenever it is asked. It
-- never returns less than `least` times the cost, and where `low` is set often just that.
local function dearer(rng, share, least, low)
  local a, b, c, d = rng(97), rng(89), rng(83), rng(79)
  local closes = rng:chance(0.3)
  local function key(...)
    local at = { ... }
    return ((at[1] or 0) * a + (at[2] or 0) * b + (at[3] or 0) * c + (at[4] or 0) * d) * 7919 % 10007 / 10007
  end
  return function(cost, _, ...)
    if cost == HUGE then return HUGE end
    local number = key(...)
    if number >= share then return low and cost * least or cost end
    if closes and number < share / 3 then return HUGE end
    return number < share / 2 and cost * 1.5 or cost + 1
  end
end

local function options_for(pure, least, tags)
  local function asked(_, cost, tag, ...)
    local answer = pure(cost, tag, ...)
    if answer == HUGE then return false end
    return answer
  end
  local costs = wend.costs({ mud = 3, road = 0.5 })
  costs:edge_rule("dearer", asked, { at_least = least, tags = tags })
  return { costs = costs }
end

local SHARES, LEASTS = { 0, 0.01, 0.03, 0.06, 0.1, 0.3, 1 }, { 1, 1, 1, 0.5 }

local promised, limited = 0, 0 -- calls in all rounds

-- Asks in one piece, with a limit and in slices. find(options) and search(options); expected: the cost, or nil.
local function compare(rng, expected, options, find, search, walk)
  local ways, stats = {}, {}
  ways["with a limit"] = { find(with(options, { max_expanded = 1e12, stats = stats })) }
  local most = stats.callbacks
  ways["in one piece"] = { find(with(options, { stats = stats })) }
  promised, limited = promised + stats.callbacks, limited + most
  -- If it begins again, it has asked for some steps and along one path before. Places of nearly equal cost are expanded
  -- in no order, and which of them come before the goal decides what is asked for.
  assert.truthy(stats.callbacks <= 2 * most + 100, ("%d calls, not %d"):format(stats.callbacks, most))
  for _, slice in ipairs { 1, rng(2, 60) } do
    local sliced = search(options)
    while sliced:step(slice) == "running" do end
    ways["in slices of " .. slice] = { sliced:result() }
  end
  ways["dijkstra"] = { find(with(options, { algorithm = "dijkstra" })) }
  for way, result in pairs(ways) do
    assert.equal(expected ~= nil, result[1] ~= nil, way)
    if expected then
      reference.near(expected, result[1].cost, way)
      walk(result[1])
    else
      assert.equal("no_path", result[3], way)
    end
  end
end

local TAGS = { false, "mud", "road" }

local function random_graph(rng)
  local g, count = wend.graph(), rng(60, 400)
  local side = math.ceil(math.sqrt(count))
  local placed, zeros, xs, ys = rng:chance(0.7), rng:chance(0.15), {}, {}
  for i = 0, count - 1 do
    xs[i + 1], ys[i + 1] = i % side + rng() / 2, math.floor(i / side) + rng() / 2
    if placed then g:add_node(xs[i + 1], ys[i + 1]) else g:add_node() end
  end
  local function join(from, to)
    local weight = 1 + rng()
    if placed then weight = weight * math.sqrt((xs[from] - xs[to]) ^ 2 + (ys[from] - ys[to]) ^ 2) end
    if zeros and rng:chance(0.1) then weight = 0 end
    g:add_edge(from, to, { weight = weight, tag = rng:pick(TAGS) or nil, directed = rng:chance(0.2) })
  end
  for i = 1, count do
    if i % side ~= 0 and i < count then join(i, i + 1) end
    if i + side <= count then join(i, i + side) end
    if rng:chance(0.3) then join(i, math.max(1, math.min(count, i + rng(-3, 3) + side * rng(-2, 2)))) end
  end
  for _ = 1, rng(0, 5) do g:close(rng(count)) end
  return g, count
end

local FACTORS = { mud = 3, road = 0.5 }

-- The arcs of a graph as the agent sees them.
local function graph_arcs(g, pure, tags)
  local arcs = {}
  for node in g:nodes() do
    local list = {}
    for edge, to, weight, tag in g:edges(node) do
      local cost = weight * (FACTORS[tag] or 1)
      if not tags or tag == tags[1] then cost = pure(cost, tag, node, to, edge) end
      if cost < HUGE and not g:is_closed(to) then
        list[#list + 1] = to
        list[#list + 1] = cost
      end
    end
    arcs[node] = list
  end
  return arcs
end

describe("promises of edge functions", function()
  it("keep paths over graphs the cheapest, with fewer calls", function()
    helper.rounds("promises, graphs", 100, function(rng)
      local g, count = random_graph(rng)
      local least = rng:pick(LEASTS)
      local pure, tags = dearer(rng, rng:pick(SHARES), least, rng:chance(0.5)), rng:chance(0.3) and { "mud" } or nil
      local arcs, options = graph_arcs(g, pure, tags), options_for(pure, least, tags)
      for _ = 1, 2 do
        local from, goals = rng(count), {}
        for i = 1, rng:pick { 1, 1, 2, 4 } do goals[i] = rng(count) end
        compare(rng, helper.least(reference.distances(arcs, from), goals), options,
          function(opts) return g:path(from, goals, opts) end,
          function(opts) return g:search(from, goals, opts) end,
          function(path) reference.walk(g, path, from, goals) end)
      end
    end)
  end)

  it("keep paths over grids the cheapest, with fewer calls", function()
    helper.rounds("promises, grids", 100, function(rng)
      local none = rng:chance(0.6) and 0 or nil -- without walls and links, searches have the costs that are promised
      local model = grid_reference.random(rng, { width = rng(8, 40), height = rng(8, 30), walls = none, links = none })
      if rng:chance(0.2) then model.grid:prepare() end
      local least = rng:pick(LEASTS)
      local pure, tags = dearer(rng, rng:pick(SHARES), least, rng:chance(0.5)), rng:chance(0.2) and { "mud" } or nil
      if rng:chance(0.3) then -- few cells, which are asked about at once
        tags = { "rare" }
        for _ = 1, rng(9) do model:set(rng(model.width), rng(model.height), { tag = "rare", weight = rng(5) }) end
      end
      local view = {
        tag = function(tag) return FACTORS[tag] or 1, 0 end,
        edge = function(cost, tag, ...) return (not tags or tag == tags[1]) and pure(cost, tag, ...) or cost end,
      }
      local arcs, options = model:arcs(view), options_for(pure, least, tags)
      for _ = 1, 2 do
        local x, y, from = grid_reference.any(rng, model)
        local ends, goals = {}, {}
        for i = 1, rng:pick { 1, 1, 3 } do ends[2 * i - 1], ends[2 * i], goals[i] = grid_reference.any(rng, model) end
        compare(rng, helper.least(reference.distances(arcs, from), goals), options,
          function(opts) return model.grid:path(x, y, ends, opts) end,
          function(opts) return model.grid:search(x, y, ends, opts) end,
          function(path) grid_reference.walk(model, arcs, path, from, goals) end)
      end
    end)
  end)

  it("save calls", function()
    if helper.all_rounds() then assert.truthy(promised < limited) end
  end)

  it("are asked along one path of two thousand steps where no step is dearer", function()
    local rng = helper.rng("promises, share", 1)
    local g, points = reference.geometric(rng, 10000, { near = 6 })
    local options = options_for(dearer(rng, 0, 1), 1)
    for _ = 1, 10 do
      local ends, stats = { points[rng(10000)][3], points[rng(10000)][3] }, {}
      local path = g:path(ends[1], ends[2], with(options, { stats = stats }))
      local calls = stats.callbacks
      local limited_path = g:path(ends[1], ends[2], with(options, { stats = stats, max_expanded = 1e12 }))
      assert.equal(limited_path and limited_path.cost, path and path.cost)
      local most = path and #path + 32 or stats.callbacks
      assert.truthy(calls <= most, ("%d calls, not %d"):format(calls, most))
    end
  end)
end)

describe("promises on grids without walls and links", function()
  -- Two rooms, and a door at the bottom; terrain where `weights` is set.
  local function rooms(weights)
    local map = wend.grid(40, 40)
    if weights then map:map(function(x, y) return 1 + (x * 7 + y * 3) % weights end) end
    return map:fill(20, 1, 20, 38, false)
  end

  local function find(map, x2, fn, opts)
    local stats = {}
    local path = map:path(3, 3, x2, 9, with({ cost = fn, at_least = 1, stats = stats }, opts or {}))
    return path, stats.loop, stats.callbacks
  end

  local function same(_, cost) return cost end

  it("let searches run like those without a function, and are asked along the path", function()
    for _, case in ipairs { { "walk", 12 }, { "jumps", 36 }, { "cells", 36, 5 } } do
      local map = rooms(case[3])
      local path, loop, calls = find(map, case[2], same)
      assert.equal(case[1], loop)
      assert.equal(map:path(3, 3, case[2], 9).cost, path.cost)
      assert.truthy(calls >= #path / 2 - 1 and calls <= 5 * #path, calls)
      local few = find(map, case[2], same, { corners = true })
      assert.equal(path.cost, few.cost)
      assert.truthy(#few < #path)
    end
  end)

  it("are trusted again with what is known where few steps cost more, and not where many do", function()
    local function zone(_, cost, _, x, y) return x == 20 and y == 39 and cost * 1.01 or cost end
    for _, weights in ipairs { 1, 5 } do
      local map = rooms(weights)
      local path, loop = find(map, 36, zone)
      assert.equal("cells", loop)
      assert.near(find(map, 36, zone, { max_expanded = 1e9 }).cost, path.cost, 1e-9)
      assert.equal("cells", select(2, find(map, 36, function(_, cost) return cost * 2 end)))
      assert.is_nil((find(map, 36, function(_, cost, _, _, _, x) return x == 20 and math.huge or cost end)))
    end
  end)

  it("are asked at once where they are about few cells, and no search is in vain", function()
    local floor, plain = math.floor, {}
    local map = wend.grid(200, 200):map(function(x, y) return 1 + (floor(x / 4) * 7 + floor(y / 4) * 3) % 5 end)
    for i = 1, 600 do
      local x, y = i * 37 % 200 + 1, i * 71 % 200 + 1
      map:set(x, y, { weight = map:get(x, y), tag = "gate" })
    end
    local expected = map:path(3, 3, 190, 190, { costs = wend.costs { gate = 2 }, stats = plain })
    local stats = {}
    local gates = wend.costs():edge_rule("gates", function(_, cost) return cost * 2 end,
      { at_least = 1, tags = { "gate" } })
    local path = map:path(3, 3, 190, 190, { costs = gates, stats = stats })
    assert.near(expected.cost, path.cost, 1e-9)
    assert.equal("cells", stats.loop)
    assert.truthy(stats.expanded < 1.3 * plain.expanded, stats.expanded)
    assert.truthy(stats.callbacks > 0)
  end)

  it("find a path also if the function always answers more than before", function()
    local calls = 0
    local function rising(_, cost)
      calls = calls + 1
      return cost * (1 + calls / 100)
    end
    for _, weights in ipairs { 1, 5 } do
      local path, loop = find(rooms(weights), 36, rising)
      assert.equal("cells", loop)
      assert.truthy(path)
    end
  end)

  it("stand functions that search, name tags, raise, yield and edit", function()
    local map, calls = rooms(5), 0
    local expected = map:path(3, 3, 36, 9).cost
    local function nested(_, cost)
      calls = calls + 1
      if calls % 10 == 1 then
        assert.equal(expected, (find(map, 36, same)).cost)
        map:path(36, 9, 3, 3, { costs = wend.costs { mud = calls } })
        map:overlay():set(1, 1, "tag " .. calls)
      end
      return calls == 25 and cost + 0.001 or cost
    end
    local stats = {}
    local path = map:path(3, 3, 36, 9, { cost = nested, at_least = 1, stats = stats })
    assert.truthy(path == nil or math.abs(path.cost - expected) <= 0.001)
    for _, fn in ipairs {
      function() error "no" end,
      function() coroutine.yield() end,
      function() map:close(1, 1) end,
      function(_, cost) return cost / 2 end,
    } do
      assert.is_false(pcall(find, map, 36, fn))
      assert.equal(expected, (find(map, 36, same)).cost)
    end
  end)
end)
