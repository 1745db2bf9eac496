-- SPDX-License-Identifier: MIT
-- Routes and fields in slices, on random maps, against the whole calls. A failure prints WEND_SEED and WEND_ROUND.
--
-- The result must be the same, bit for bit, and what the slices use adds up to what the whole call expands.
-- frozen_spec.lua has edits between the slices.
local core = require "wend.core"
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local with = grid_reference.with

-- A list with false at holes, as text.
local function list_text(list, last)
  local out = {}
  for i = 1, last or #list do out[i] = type(list[i]) == "number" and ("%.17g"):format(list[i]) or tostring(list[i]) end
  return table.concat(out, " ")
end

-- All that a route, a field or a failure has, as text.
local function text(result, message, code)
  if not result then return message .. " / " .. code end
  if type(result) == "userdata" then return result:encode() end
  local out = { list_text(result), ("%.17g"):format(result.cost), tostring(result.partial),
    tostring(result.dimensions) }
  for _, key in ipairs { "nodes", "edges" } do out[#out + 1] = result[key] and list_text(result[key]) or "none" end
  out[#out + 1] = result.links and list_text(result.links, #result) or "none"
  return table.concat(out, "\n")
end

local seen = {} -- how many had more than one slice, a result, no result
local function note(what) seen[what] = (seen[what] or 0) + 1 end

-- Compares all ways of slicing with the whole call. arguments(opts) -> what follows the map.
local function same(rng, kind, map, arguments, opts)
  local stats = {}
  local whole = text(map[kind](map, arguments(with(opts, { stats = stats }))))
  for _, slice in ipairs { 1, 7, 0 } do
    local total, steps, count = 0, 0, {}
    local state, used
    local search = core.start(kind, map, arguments(with(opts, { stats = count })))
    repeat
      local n = slice > 0 and slice or rng(40)
      state, used = search:step(n)
      assert.truthy(used <= n, ("%d of %d %s"):format(used, n, state))
      assert.truthy(used == n or state ~= "running", ("%d of %d %s"):format(used, n, state))
      total, steps = total + used, steps + 1
    until state ~= "running"
    local result, message, code = search:result()
    assert.equal(result and "found" or "failed", state)
    assert.equal(whole, text(result, message, code))
    -- What the first search has learned may spare the second one its search.
    for _, key in ipairs { "expanded", "pushed", "callbacks", "bound" } do
      if not count.known then assert.equal(stats[key], count[key], key) end
    end
    -- A flood over cells whose costs do not suit it is given up; the statistics leave it out.
    if kind == "field" then assert.truthy(total >= count.expanded) else assert.equal(count.expanded, total) end
    if total == count.expanded then note(kind .. " added up") end
    if steps > 1 then note(kind .. " sliced") end
    note(kind .. (result and " found" or " failed"))
  end
end

-- Grids
-- ----------------------------------------------------------------------------------------------------------------

local VALUES = grid_reference.VALUES
local LISTS = { { 1, 1, 1, 1, false }, VALUES, VALUES, { 1, 1000000, 0.001, 70 }, { 1 } }

local function random_grid(rng) return grid_reference.random_grid(rng, LISTS, { 1, 1, 16 }) end

local profile = wend.costs { mud = 2.5, road = 0.75, lava = false, lift = { times = 1, plus = 1 } }
local function fee(_, cost, tag) if tag == "mud" then return cost + 1 end end
local ruled = wend.costs { lava = 9 }:edge_rule("fee", fee, { tags = { "mud" }, at_least = 1 })

local function grid_costs(rng)
  return rng:pick { {}, {}, { costs = profile }, { costs = profile, cost = fee, at_least = 1 }, { costs = ruled },
    { cost = function(_, cost, _, x, y) return cost + (x * 3 + y) % 4 / 4 end } }
end

local function grid_field(rng, width, height)
  local goals, values = {}, rng:chance(0.3) and {} or nil
  for i = 1, rng:pick { 1, 1, 2, 5 } do
    goals[2 * i - 1], goals[2 * i] = rng(width), rng(height)
    if values then values[i] = rng() * 8 end
  end
  local function arguments(opts) return goals, with(opts, { values = values }) end
  return arguments, with(grid_costs(rng), rng:pick { {}, {}, { outward = true }, { window = rng(1, 9) },
    { max_cost = rng(30) }, { max_expanded = rng(60) }, { outward = true, window = 3, max_cost = 9 } })
end

-- centers: between the centers of cells. Then all routes over cheapest paths have the same cost. Elsewhere the last
-- steps of two such routes may differ in length.
local function grid_route(rng, grid, width, height, centers)
  local size = grid:cell_size()
  local function along(count) return centers and (rng(count) - 0.5) * size or rng() * count * size end
  local from, to = { along(width), along(height) }, { along(width), along(height) }
  local function arguments(opts) return from, to, opts end
  return arguments, with(grid_costs(rng), rng:pick { {}, {}, { straighten = false }, { partial = true },
    { max_cost = rng(40) }, { max_expanded = rng(80) }, { variation = 0.3, seed = rng(99) }, { partial = true,
      max_expanded = rng(60) },
    { algorithm = "dijkstra" }, { heuristic = function() return 0 end },
    { clear = function(x1, _, x2) return math.floor(x1 * 7 + x2 * 3) % 4 ~= 0 end } })
end

describe("slices over random grids", function()
  it("make the same fields", function()
    helper.rounds("sliced grid fields", 150, function(rng)
      local grid, width, height = random_grid(rng)
      same(rng, "field", grid, grid_field(rng, width, height))
    end)
  end)

  it("make the same routes", function()
    helper.rounds("sliced grid routes", 250, function(rng)
      local grid, width, height = random_grid(rng)
      same(rng, "route", grid, grid_route(rng, grid, width, height))
    end)
  end)
end)

-- Graphs -------------------------------------------------------------------------------------------------------------

local function random_graph(rng)
  return helper.random_graph(rng, { dimensions = rng:pick { 2, 2, 3 }, nodes = rng(2, 40) })
end

local function graph_costs(rng)
  local function toll(_, cost, _, from) return cost + from % 3 end
  local costs = wend.costs { road = 0.5, swamp = 2, lava = false, toll = { times = 1, plus = 3 } }
  return rng:pick { {}, {}, { costs = costs }, { costs = costs, cost = toll, at_least = 1 }, { cost = toll } }
end

local function graph_field(rng, model)
  local goals = {}
  for i = 1, rng:pick { 1, 1, 3 } do goals[i] = rng:pick(model.nodes) end
  return function(opts) return goals, opts end,
    with(graph_costs(rng), rng:pick { {}, {}, { outward = true }, { max_cost = rng(90) }, { max_expanded = rng(30) } })
end

local function graph_route(rng, graph)
  local function point() return { rng() * 100, rng() * 100, graph:dimensions() == 3 and rng() * 100 or nil } end
  local from, to = point(), point()
  local function clear(x1, y1, x2) return math.floor(x1 + y1 * 3 + x2) % 5 ~= 0 end
  local opts = with(graph_costs(rng),
    rng:pick { {}, { enter = "edge" }, { enter = "edge" }, { max_distance = rng(60) } })
  return function(more) return from, to, more end, with(opts, rng:pick { {}, {}, { clear = clear },
    { clear = clear, straighten = true }, { clear = clear, jitter = 0.5, seed = rng(99) }, { partial = true },
    { partial = true, max_expanded = rng(30) }, { max_cost = rng(200) }, { variation = 0.3, seed = rng(99) },
    { algorithm = "dijkstra" }, { max_expanded = rng(30) } })
end

describe("slices over random graphs", function()
  it("make the same fields", function()
    helper.rounds("sliced graph fields", 150, function(rng)
      local graph, model = random_graph(rng)
      same(rng, "field", graph, graph_field(rng, model))
    end)
  end)

  it("make the same routes", function()
    helper.rounds("sliced graph routes", 400, function(rng)
      local graph = random_graph(rng)
      same(rng, "route", graph, graph_route(rng, graph))
    end)
  end)
end)

describe("slices", function()
  it("were many, and had all results", function()
    if not helper.all_rounds() then return end
    for _, what in ipairs { "field sliced", "field found", "field failed", "field added up", "route sliced",
      "route found", "route failed" } do
      assert.truthy((seen[what] or 0) > 5, what)
    end
  end)
end)
