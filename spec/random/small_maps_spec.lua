-- SPDX-License-Identifier: MIT
-- Every call about a grid on maps of a few cells, where agents do not fit, borders are near and most searches fail: it
-- answers or fails, and raises nothing. With sanitizers it reads no memory that is not the map's.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local with = grid_reference.with

local function random_map(rng)
  local width, height = rng(8), rng(8)
  local function at() return rng(width), rng(height) end
  local grid = wend.grid(width, height, { diagonals = rng:pick(grid_reference.POLICIES) })
  if rng:chance(0.25) then grid:map(function(x, y) return 1 + (x * 7919 + y) / 3 end) end
  for _ = 1, rng(6) do
    local x, y = at()
    grid:set(x, y, rng:pick { 0, 1, 2, 3, false }, rng:pick { "mud", "zone", false } or nil)
  end
  for _ = 1, rng:pick { 0, 0, 3 } do
    local x, y = at()
    if x < width then grid:wall(x, y, x + 1, y) end
    if y < height then grid:wall(x, y, x, y + 1) end
  end
  if rng:chance(0.3) then grid:link(rng(width), rng(height), rng(width), rng(height), { weight = 1 }) end
  if rng:chance(0.3) then grid:prepare() end
  if rng:chance(0.6) then return grid, at end
  local fog = rng:chance(0.5)
  local overlay = grid:overlay(fog and { unknown = rng:pick { 1, false } } or nil)
  if fog and rng:chance(0.7) then overlay:reveal(1, 1, at()) end
  return overlay, at
end

local function random_agent(rng, map, at)
  local agent = { size = rng:pick { 1, 2, 3, 4, 5, 8 } }
  if rng:chance(0.3) then agent.costs = wend.costs { mud = rng:pick { 1, 2, false }, zone = { ends_turn = true } } end
  if rng:chance(0.2) then agent.cost = function(_, cost) return cost end end
  if rng:chance(0.3) then
    local layer = wend.influence(map)
    local x, y = at()
    agent.influence = { layer:stamp(x, y, 2, 3), 2 }
  end
  return agent
end

local function random_range(rng)
  return rng:pick { {}, { within = rng(4) }, { beside = true }, { sight = true }, { closed_goal = true } }
end

-- All calls between two cells.
local function ask(rng, map, agent, at)
  local x1, y1 = at()
  local x2, y2 = at()
  local function point(x, y) return { x - rng(), y - rng() } end
  local path = map:path(x1, y1, x2, y2, with(agent, random_range(rng)))
  local last_step = rng:pick { "fits", "any" }
  map:path(x1, y1, x2, y2, with(agent, { per_turn = rng(4), last_step = last_step }))
  map:path(x1, y1, x2, y2, with(agent, { partial = true, variation = 0.2, seed = 1 }))
  map:path(x1, y1, x2, y2, with(agent, { max_cost = rng(9), heuristic = "zero", corners = true }))
  map:route(point(x1, y1), point(x2, y2), with(agent, random_range(rng)))
  map:route(point(x1, y1), point(x2, y2), with(agent, { straighten = false, partial = true }))
  map:why_not(x1, y1, x2, y2, agent)
  map:explain({ x1, y1, x2, y2 }, agent)
  map:can_reach(x1, y1, x2, y2, agent)
  map:clear(x1, y1, x2, y2, agent)
  map:check(agent)
  map:chokepoints(agent)
  map:nearest(x1 - rng(), y1 - rng(), agent)
  map:random(rng(99), agent)
  if path then
    path:points()
    path:explain(agent)
    assert(wend.decode(path:encode(), { map = map }))
  end
  local per_turn = not (agent.cost or agent.influence) and 3 or nil -- with these such a field has no paths
  local outward = { outward = true, per_turn = per_turn, last_step = per_turn and "any" }
  for _, options in ipairs { { window = rng(4) }, random_range(rng), outward } do
    local field = map:field(x2, y2, with(agent, options))
    local x, y = at()
    field:cost(x, y)
    field:next(x, y)
    field:path(x, y)
    field:goal(x, y)
    assert(wend.decode(field:encode(), { map = map, costs = agent.costs }))
    if not options.outward then map:random(rng(99), { can_reach = field }) end
  end
  local search = map:search(x1, y1, x2, y2, with(agent, random_range(rng)))
  for _ = 1, 3 do
    if search:step(rng(3)) ~= "running" then break end
    local x, y = at()
    map[rng:pick { "close", "open" }](map, x, y)
  end
end

local function crowd(rng, map, agent, at)
  local walkers, list = wend.crowd { map = map, costs = agent.costs, influence = agent.influence }, {}
  for i = 1, 4 do
    local x, y = at()
    list[i] = walkers:add { x = x - rng(), y = y - rng(), radius = 0.1 + rng() * 2 }
  end
  for _ = 1, 3 do
    local x, y = at()
    walkers:go(list, x - rng(), y - rng())
    for _ = 1, 8 do walkers:update(0.2) end
  end
  assert(wend.decode(walkers:encode(), { map = map, costs = agent.costs, influence = agent.influence }))
end

describe("a map of a few cells", function()
  it("answers every call for agents of any size", function()
    helper.rounds("small maps", 150, function(rng)
      local map, at = random_map(rng)
      for _ = 1, 3 do
        local agent = random_agent(rng, map, at)
        for _ = 1, 2 do ask(rng, map, agent, at) end
        if wend.crowd then crowd(rng, map, agent, at) end
      end
    end)
  end)
end)
