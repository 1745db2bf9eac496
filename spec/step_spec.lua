-- SPDX-License-Identifier: MIT
-- The cost of one step: whoever asks for it, and whichever way the search goes, the answer is the same.
-- luacheck: std max+busted

local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local HUGE = math.huge
local with = grid_reference.with

-- An edge rule of each kind: with a promise, without one, one that closes, one that opens, one that says nothing.
local function edge_rule(rng, share)
  local kind, factor = rng(5), share + rng() * 2
  local odd = rng:chance(0.5) -- by direction: only the steps that lead to a larger id
  return function(_, cost, _, from, to)
    if odd and type(from) == "number" and type(to) == "number" and to < from then return nil end
    if kind == 1 then return nil end
    if kind == 2 and share == 0 then return false end
    if kind == 3 and cost == HUGE then return 7 end -- with a promise it is not asked
    return cost * factor
  end
end

-- Options of a query: tags by number and by function, rules, an inherited profile, a callback.
local function random_opts(rng)
  local costs = wend.costs {
    mud = rng:pick { 1, 2, 0.5, 0, false },
    road = function(agent) return agent.boots and 0.25 or rng and 1.5 end,
  }
  if rng:chance(0.3) then costs = wend.costs({ sand = 3 }, { base = costs }) end
  if rng:chance(0.4) then costs:rule("weather", "mud", function(_, factor) return factor * 1.5 end) end
  for k = 1, rng(0, 2) do
    local share = rng:pick { 0, 0, 0.5, 1 }
    local tags = rng:chance(0.4) and { "mud" } or nil
    costs:edge_rule("rule " .. k, edge_rule(rng, share), { at_least = share, tags = tags })
  end
  local opts = { costs = costs, agent = { boots = rng:chance(0.5) } }
  if rng:chance(0.3) then
    opts.at_least = rng:pick { 0, 0.5 }
    opts.cost = edge_rule(rng, opts.at_least)
  end
  return rng:chance(0.1) and {} or opts
end

-- What a caller says; nil: the step cannot be taken.
local function equal(expected, found, name)
  if expected == nil or found == nil then
    assert.equal(expected, found, name)
  else
    reference.near(expected, found, name)
  end
end

local function cost_of(path) return path and path.cost or nil end

local function explained(path, opts)
  local sum = 0
  for _, step in ipairs(path:explain(opts)) do sum = sum + step.cost end
  return sum
end

local function by_slices(map, from, to, opts)
  local search = map:search(from, to, opts)
  while search:step(1) == "running" do assert.truthy(search) end
  return cost_of((search:result()))
end

describe("the cost of an edge", function()
  local function ask(g, from, to, opts)
    local path = g:path(from, to, opts)
    local expected = cost_of(path)
    local x, y, x2, y2 = 0, 0, 10, 0
    if from == 2 then x, x2 = x2, x end
    equal(expected, cost_of((g:path(from, to, with(opts, { heuristic = "zero" })))), "Dijkstra")
    equal(expected, cost_of((g:path(from, { to, to }, opts))), "two goals")
    equal(expected, by_slices(g, from, to, opts), "slices")
    equal(expected, g:field(to, opts):cost(from), "field")
    equal(expected, g:field(from, with(opts, { outward = true })):cost(to), "field outward")
    equal(expected, g:routes(opts):cost(from, to), "route table")
    equal(expected, cost_of((g:routes(opts):path(from, to))), "path of a route table")
    local by_edge = with(opts, { enter = "edge", max_distance = 0 })
    equal(expected, cost_of((g:route({ x, y }, { x2, y2 }, by_edge))), "route by edge")
    equal(expected, expected and cost_of((g:field(to, opts):path(from))), "path of a field")
    assert.equal(expected ~= nil, (g:can_reach(from, to, opts)))
    local near_by = with(opts, { can_reach = to, max_distance = 2 })
    assert.equal(expected and from, (g:nearest(x, 1, near_by)))
    if not expected then return nil end
    equal(expected, explained(path, opts), "explain")
    equal(expected, cost_of((g:path(from, to, with(opts, { variation = 0.5, seed = 3 })))), "variation")
    return expected
  end

  it("is the same in every query", function()
    local open, closed = 0, 0
    helper.rounds("costs of edges", 400, function(rng)
      local g = wend.graph()
      g:add_nodes { 0, 0, 10, 0 }
      local edge = g:add_edge(1, 2, {
        tag = rng:pick { "mud", "road", "sand" }, weight = rng:pick { false, 0, 1, 12.5, 1e-3 } or nil,
        directed = rng:chance(0.4),
      })
      if rng:chance(0.1) then g:close_edge(edge) end
      local opts = random_opts(rng)
      local there, back = ask(g, 1, 2, opts), ask(g, 2, 1, opts)
      if there then open = open + 1 else closed = closed + 1 end
      assert.equal(there ~= nil and back ~= nil and 1 or 2, #g:check(opts).components)
    end)
    if helper.all_rounds() then assert.truthy(open > 100 and closed > 40) end
  end)
end)

describe("the cost of a step on a grid", function()
  local function ask(grid, x1, y1, x2, y2, opts)
    local path = grid:path(x1, y1, x2, y2, opts)
    local expected = cost_of(path)
    equal(expected, cost_of((grid:path(x1, y1, x2, y2, with(opts, { heuristic = "zero" })))), "Dijkstra")
    equal(expected, cost_of((grid:path(x1, y1, x2, y2, with(opts, { max_expanded = 1000 })))), "cell by cell")
    equal(expected, grid:field(x2, y2, opts):cost(x1, y1), "field")
    equal(expected, grid:field(x1, y1, with(opts, { outward = true })):cost(x2, y2), "field outward")
    equal(expected, grid:field(x2, y2, with(opts, { window = 2 })):cost(x1, y1), "field in a window")
    if not expected then return nil end
    equal(expected, explained(path, opts), "explain")
    equal(expected, cost_of((grid:path(x1, y1, x2, y2, with(opts, { variation = 0.5, seed = 3 })))), "variation")
    equal(expected, cost_of(grid:straighten(path, opts)), "straighten")
    return expected
  end

  it("is the same in every query", function()
    local open, closed = 0, 0
    helper.rounds("costs of steps", 400, function(rng)
      local diagonal = rng:chance(0.5)
      local grid = wend.grid(2, diagonal and 2 or 1, { diagonals = diagonal and "always" or "both_open" })
      if diagonal then grid:set(1, 2, false):set(2, 1, false) end
      local y = diagonal and 2 or 1
      local function value()
        if rng:chance(0.1) then return false end
        return { weight = rng:pick { 1, 2.5, 0, 1e-3 }, tag = rng:pick { "mud", "road", "sand" } }
      end
      grid:set(1, 1, value()):set(2, y, value())
      if not diagonal and rng:chance(0.2) then grid:wall(1, 1, 2, 1) end
      if rng:chance(0.3) then
        grid:link(1, 1, 2, y, { weight = rng:pick { 0, 0.5, 4 }, tag = rng:pick { "mud", "road", "sand" },
          directed = rng:chance(0.5) })
      end
      local opts = random_opts(rng)
      if ask(grid, 1, 1, 2, y, opts) then open = open + 1 else closed = closed + 1 end
      ask(grid, 2, y, 1, 1, opts)
    end)
    if helper.all_rounds() then assert.truthy(open > 100 and closed > 40) end
  end)
end)
