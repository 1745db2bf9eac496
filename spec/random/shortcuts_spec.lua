-- SPDX-License-Identifier: MIT
-- Random maps with a few edges or links that cost next to nothing for their length, edited in between. A failure prints
-- WEND_SEED and WEND_ROUND. Paths cost the same as those of searches without a heuristic.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local near = reference.near

-- A graph like a level: nodes at random, joined to their neighbours.
local function level(rng, count, dimensions)
  local g, side = wend.graph { dimensions = dimensions }, math.ceil(count ^ 0.5)
  local depth = dimensions == 3 and function() return rng() * 3 end or function() end
  for i = 0, side * side - 1 do g:add_node(i % side + rng() * 0.5, math.floor(i / side) + rng() * 0.5, depth()) end
  for i = 1, side * side do
    if i % side > 0 then g:add_edge(i, i + 1) end
    if i + side <= side * side then g:add_edge(i, i + side) end
  end
  return g, side * side
end

-- What an agent pays, and promises.
local function agents()
  return {
    {}, { costs = wend.costs { portal = { times = 2, plus = 0.5 } } }, { costs = wend.costs { portal = false } },
    { costs = wend.costs { ferry = 0.3, portal = { plus = 3 } } }, { cost = function() end, at_least = 0.7 },
    { cost = function(_, cost) return cost * 1.5 end, at_least = 1 },
    { heuristic = "chebyshev" }, { heuristic = "manhattan" },
    { cost = function(_, cost) return cost end },
    {
      costs = wend.costs({ portal = 1 }):edge_rule("tax", function(_, cost) return cost + 0.2 end,
        { tags = { "portal" } }),
    },
    {
      costs = wend.costs({ portal = 1 }):edge_rule("half", function(_, cost) return cost * 0.5 end,
        { tags = { "portal" }, at_least = 0.5 }),
    },
  }
end

-- Compares a search with one without a heuristic.
local function compare(opts, find)
  local stats, plain = {}, {}
  for k, v in pairs(opts) do plain[k] = v end
  plain.heuristic = "zero"
  opts.stats = stats
  local path, _, code = find(opts)
  local expected, _, expected_code = find(plain)
  opts.stats = nil
  assert.equal(expected_code, code)
  if not expected then return end
  near(expected.cost, path.cost)
  return stats
end

-- An edit of the shortcuts of a graph, or of any edge.
local function edit_graph(rng, g, count, shortcuts)
  local kind, at = rng(9), rng(math.max(1, #shortcuts))
  local some = shortcuts[at] or rng(g:edge_count())
  if kind <= 3 or #shortcuts == 0 then
    shortcuts[#shortcuts + 1] = g:add_edge(rng(count), rng(count), {
      weight = rng:pick { 0, 0, rng(), rng() * 5 }, directed = rng:chance(0.5),
      tag = rng:pick { "portal", "portal", "ferry", false } or nil,
    })
  elseif kind == 4 then
    g:remove_edge(some)
    table.remove(shortcuts, at)
  elseif kind == 5 then
    g:set_weight(some, rng:pick { 0, 0.1, rng() * 20 })
  elseif kind == 6 then
    g:set_tag(some, rng:pick { "portal", "ferry", false } or nil)
  elseif kind == 7 then
    g:close_edge(some, rng:chance(0.5))
  elseif kind == 8 then
    local n = rng(count)
    local x, y, z = g:position(n)
    g:move(n, x + rng() - 0.5, y + rng() - 0.5, z)
  else
    g:set_weight(rng:pick(shortcuts))
  end
end

describe("graphs with shortcuts", function()
  it("have paths that cost the same as without a heuristic, for every profile and promise #slow", function()
    helper.rounds("shortcuts", 120, function(rng)
      local g, count = level(rng, rng:pick { 30, 200, 600 }, rng:pick { 2, 3 })
      local shortcuts, all = {}, agents()
      for _ = 1, rng:pick { 0, 2, 6, 40, 80 } do g:set_weight(rng(g:edge_count()), rng:pick { 0, 0.1 }) end
      for _ = 1, rng:pick { 0, 3, 17, 40 } do edit_graph(rng, g, count, shortcuts) end
      for _ = 1, 12 do
        for _ = 1, rng(0, 3) do edit_graph(rng, g, count, shortcuts) end
        local goal = rng:chance(0.8) and rng(count) or { rng(count), rng(count), rng(count) }
        if rng:chance(0.1) then
          goal = {}
          for i = 1, 9 do goal[i] = rng(count) end
        end
        local from, map = rng(count), g
        if rng:chance(0.3) then
          map = g:overlay()
          for _ = 1, 2 do
            local edge = shortcuts[1] and rng:pick(shortcuts) or 1
            if rng:chance(0.5) then map:set_weight(edge, rng() * 3) else map:close_edge(edge) end
          end
        end
        for _, opts in ipairs { all[1], rng:pick(all) } do
          compare(opts, function(with) return map:path(from, goal, with) end)
        end
      end
    end)
  end)

  it("give the same whatever the order in which they were made #slow", function()
    helper.rounds("order", 30, function(rng)
      local g, count = level(rng, rng:pick { 30, 200 }, 2)
      local shortcuts = {}
      for _ = 1, rng(10, 120) do
        edit_graph(rng, g, count, shortcuts)
        if rng:chance(0.3) then g:path(rng(count), rng(count)) end -- syncs
      end
      local many = {}
      for i = 1, rng:pick { 0, 70 } do many[i] = g:add_edge(rng(count), rng(count), { weight = 0 }) end
      if rng:chance(0.5) then g:path(1, 2) end
      for _, edge in ipairs(many) do g:remove_edge(edge) end
      local copy = g:copy()
      for _ = 1, 10 do
        local from, to = rng(count), rng(count)
        local stats = assert(compare({}, function(opts) return g:path(from, to, opts) end))
        local same = assert(compare({}, function(opts) return copy:path(from, to, opts) end))
        -- The edited map may know fewer shortcuts, until enough of them were removed; its bounds of bins may be lower.
        assert.truthy(stats.bound <= same.bound * 1.6, ("%g %g"):format(stats.bound, same.bound))
      end
    end)
  end)

  it("expand far fewer nodes than without a heuristic", function()
    local function expanded(zeros)
      local rng = helper.rng("square", 1)
      local g, count = level(rng, 3600, 2)
      local sum = 0
      for _ = 1, zeros do g:add_edge(rng(count), rng(count), { weight = 0 }) end
      for _ = 1, 40 do
        local stats = {}
        g:path(rng(count), rng(count), { stats = stats })
        sum = sum + stats.expanded
      end
      return sum
    end
    local without = expanded(0)
    for _, zeros in ipairs { 1, 3, 16, 17, 30 } do
      local sum = expanded(zeros)
      assert.truthy(sum < 2 * without, ("%d: %d of %d"):format(zeros, sum, without))
    end
  end)

  it("lower estimates by what short ones save", function()
    local rng = helper.rng("short", 1)
    local g, count = level(rng, 3600, 2)
    local stats, plain = {}, {}
    for i = 1, 40 do
      local x, y = g:position(i * 80)
      g:add_edge(i * 80, g:add_node(x + 0.1, y), { weight = 0 })
    end
    local path = g:path(1810, 1850, { stats = stats })
    near(4, math.floor(stats.lowered * 1000 + 0.5) / 1000)
    assert.is_nil(stats.shortcuts)
    near(1, math.floor(stats.bound + 0.5))
    near(g:path(1810, 1850, { heuristic = "zero", stats = plain }).cost, path.cost)
    assert.truthy(2 * stats.expanded < plain.expanded)
    g:add_edge(1, count, { weight = 0 }) -- a long one
    near(0, g:path(1, count, { stats = stats }).cost)
    assert.truthy(stats.shortcuts > 0)
  end)

  it("keep a bound when most of many shortcuts are removed", function()
    local g, count = level(helper.rng("removed", 1), 400, 2)
    local function bound()
      local stats = {}
      g:path(1, count, { stats = stats })
      return stats.bound
    end
    local edges = {}
    for i = 1, 100 do edges[i] = g:add_edge(i, count - i, { weight = 0 }) end
    assert.equal(0, bound())
    for i = 1, 84 do g:remove_edge(edges[i]) end
    near(1, bound())
    for i = 85, 100 do g:set_weight(edges[i], 1000) end
    near(1, bound())
  end)

  it("do not matter to agents for which they are closed, or dear", function()
    local g, count = level(helper.rng("closed", 1), 400, 2)
    for i = 1, 150 do g:add_edge(i, count - i, { weight = 0, tag = "portal" }) end
    local stats = {}
    g:path(1, count, { stats = stats })
    assert.equal(0, stats.bound)
    g:path(1, count, { stats = stats, costs = wend.costs { portal = false } })
    near(1, stats.bound)
  end)
end)

describe("grids with shortcuts", function()
  local function edit_grid(rng, g, width, height, links)
    local at = rng(math.max(1, #links))
    local link = links[at]
    if not link or rng:chance(0.6) then
      link = { rng(width), rng(height), rng(width), rng(height) }
      if link[1] == link[3] and link[2] == link[4] then return end
      g:link(link[1], link[2], link[3], link[4], {
        weight = rng:pick { 0, 0, rng(), rng() * 9 }, directed = rng:chance(0.5),
        tag = rng:pick { "portal", "ferry", false } or nil,
      })
      links[#links + 1] = link
    elseif rng:chance(0.5) then
      g:unlink(link[1], link[2], link[3], link[4])
      table.remove(links, at)
    else
      g:set(rng(width), rng(height), { weight = rng:pick { 1, 2, 5, 0.2 }, tag = rng:chance(0.1) and "ferry" or nil })
    end
  end

  it("have paths that cost the same as without a heuristic, for every profile and promise #slow", function()
    helper.rounds("links", 120, function(rng)
      local width, height = rng(3, 40), rng(3, 40)
      local g = wend.grid(width, height, { diagonals = rng:pick { "never", "both_open", "one_open", "always" },
        diagonal_length = rng:pick(grid_reference.LENGTHS) })
      local links, all = {}, agents()
      for _ = 1, width * height * rng:pick { 0, 0.3 } do g:close(rng(width), rng(height)) end
      for _ = 1, rng:pick { 1, 4, 20, 60 } do edit_grid(rng, g, width, height, links) end
      for _ = 1, 12 do
        for _ = 1, rng(0, 3) do edit_grid(rng, g, width, height, links) end
        local ax, ay, bx, by = rng(width), rng(height), rng(width), rng(height)
        for _, opts in ipairs { all[1], rng:pick(all) } do
          compare(opts, function(with) return g:path(ax, ay, bx, by, with) end)
          if rng:chance(0.2) then
            local goals = { bx, by, ax, by, bx, ay }
            compare(opts, function(with) return g:path(ax, ay, goals, with) end)
          end
        end
        if rng:chance(0.5) then
          local expected, search = g:path(ax, ay, bx, by, { heuristic = "zero" }), g:search(ax, ay, bx, by)
          while search:step(rng(9)) == "running" do
            if rng:chance(0.2) then edit_grid(rng, g, width, height, links) end
          end
          local path = search:result()
          assert.equal(expected == nil, path == nil)
          if path then near(expected.cost, path.cost) end
        end
      end
    end)
  end)

  it("expand fewer cells than without a heuristic", function()
    local rng = helper.rng("hall", 1)
    local g = wend.grid(80, 80)
    for _ = 1, 1200 do g:close(rng(80), rng(80)) end
    for _, link in ipairs { { 3, 3, 70, 9 }, { 50, 50, 20, 60 }, { 9, 70, 33, 2 } } do
      for _, i in ipairs { 1, 3 } do g:open(link[i], link[i + 1]) end
      g:link(link[1], link[2], link[3], link[4], { weight = 0 })
    end
    local sum, plain = 0, 0
    for _ = 1, 40 do
      local stats, zero = {}, {}
      local ax, ay, bx, by = rng(80), rng(80), rng(80), rng(80)
      if g:path(ax, ay, bx, by, { stats = stats }) then
        g:path(ax, ay, bx, by, { stats = zero, heuristic = "zero" })
        sum, plain = sum + stats.expanded, plain + zero.expanded
      end
    end
    assert.truthy(1.3 * sum < plain)
  end)
end)
