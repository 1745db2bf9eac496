-- SPDX-License-Identifier: MIT
-- Random maps that are edited between questions. can_reach must tell what path finds on a copy of the map, which has no
-- labels; and path must find a path of the same cost. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local with = grid_reference.with

local near = reference.near
local unpack = table.unpack or unpack -- luacheck: ignore 113 143
local TAGS = { "door", "lava", "mud" }

-- How often an answer was known without a search, and how often it was not.
local seen = {}
local function count(what) seen[what] = (seen[what] or 0) + 1 end

-- Options with which the agent differs: profiles, functions, promises.
local function random_costs(rng)
  local kind = rng(8)
  if kind <= 3 then return {} end
  local door = rng:pick { false, 2 }
  if kind <= 5 then return { costs = wend.costs { door = door, lava = rng:pick { false, 3 }, mud = 0.5 } } end
  local closed = rng(3)
  local function closes(cost, a, b) return (a + 3 * b) % 4 == closed and math.huge or cost * 2 end
  if kind == 6 then
    return { costs = wend.costs { door = door }, at_least = 1, cost = function(_, cost, _, from, to)
      return closes(cost, type(from) == "table" and from.x or from, type(to) == "table" and to.y or to)
    end }
  end
  if kind == 7 then
    return { cost = function(_, cost, _, from, to)
      return closes(cost, type(from) == "table" and from.x or from, type(to) == "table" and to.y or to)
    end }
  end
  local costs = wend.costs { door = false, lava = false }
  costs:edge_rule("keys", function(_, cost, _, from)
    local at = type(from) == "table" and from.x or from
    return at % 2 == 0 and 1 or cost
  end, { tags = { "door" } })
  return { costs = costs }
end

-- Places near a point that lead to the goals: asked of labels, if there are some, and of a field of a map without any.
local function compare_nearest(rng, map, fresh, ends, opts)
  local is_grid = fresh.width ~= nil
  local goals = is_grid and ends[4] and { ends[3], ends[4] } or ends[is_grid and 3 or 2]
  local field = assert(fresh:field(goals, opts))
  local x, y, seed = rng(60) - 5 + rng(), rng(60) - 5 + rng(), rng(999)
  local function same(method, ...)
    local list, others = { ... }, { ... }
    list[#list + 1], others[#others + 1] = with(opts, { can_reach = goals }), with(opts, { can_reach = field })
    assert.same({ fresh[method](fresh, unpack(others)) }, { map[method](map, unpack(list)) })
  end
  same("nearest", x, y)
  same("random", seed)
  if not is_grid then same("nearest_edge", x, y) end
end

-- Asks one question of a map in several ways. fresh: a map of the same content without labels.
local function compare(rng, map, fresh, ends, opts)
  local stats = {}
  local function call(on, method, more)
    local list = { unpack(ends) }
    list[#list + 1] = with(opts, more or {})
    return on[method](on, unpack(list))
  end
  local expected, _, code = call(fresh, "path", { max_expanded = 1e9 }) -- with a limit, no labels are asked
  local reach = call(map, "can_reach")
  assert.equal(expected ~= nil, reach)
  local path, message, got = call(map, "path", { stats = stats })
  assert.equal(code, got, message)
  if path then
    near(expected.cost, path.cost)
    assert.equal(nil, stats.known)
  elseif stats.known then
    assert.equal(0, stats.expanded)
    count "known"
  else
    count "searched"
  end
  if rng:chance(0.3) then
    local search = call(map, "search")
    local state
    repeat
      state = (rng:chance(0.7) and wend.core.run or search.step)(search, rng(9))
    until state ~= "running"
    local sliced, _, sliced_code = search:result()
    assert.equal(code, sliced_code)
    if sliced then near(expected.cost, sliced.cost) end
  end
  if rng:chance(0.4) then compare_nearest(rng, map, fresh, ends, opts) end
  if rng:chance(0.1) then
    local partial = call(map, "path", { partial = true })
    assert.truthy(partial)
    assert.equal(expected == nil, partial.partial == true)
  end
end

-- Grids --------------------------------------------------------------------------------------------------------------

local function random_grid(rng)
  local width, height = rng(2, 30), rng(2, 24)
  local grid = wend.grid(width, height, { diagonals = rng:pick { "both_open", "one_open", "always", "never" },
    diagonal_length = rng:pick(grid_reference.LENGTHS) })
  local world = { grid = grid, width = width, height = height }
  world.walls = rng:pick { 0, 0, 0.3, 0.7 }
  world.links = rng:pick { 0, 3, 9 }
  local share = rng:pick { 0.2, 0.35, 0.5, 0.65 }
  if world.walls > 0.5 then share = 0.1 end
  for y = 1, height do
    for x = 1, width do
      if rng:chance(share) then grid:close(x, y)
      elseif rng:chance(0.15) then grid:set(x, y, { weight = rng(1, 3), tag = rng:pick(TAGS) }) end
    end
  end
  for y = 1, height do
    for x = 1, width do
      if rng:chance(world.walls - 0.3) and x < width then
        grid:wall(x, y, x + 1, y, true, { directed = rng:chance(0.3) })
      end
      if rng:chance(world.walls - 0.3) and y < height then grid:wall(x, y, x, y + 1) end
    end
  end
  return world
end

local function random_wall(rng, world, grid)
  local x, y = rng(world.width), rng(world.height)
  local dx, dy = rng(-1, 1), rng(-1, 1)
  if rng:chance(0.7) then dx = dy == 0 and dx or 0 end
  if (dx ~= 0 or dy ~= 0) and grid:has(x + dx, y + dy) then
    grid:wall(x, y, x + dx, y + dy, rng:chance(0.6), { directed = rng:chance(0.4) })
  end
end

local function random_link(rng, world, grid)
  local x, y, to_x, to_y = rng(world.width), rng(world.height), rng(world.width), rng(world.height)
  if x == to_x and y == to_y then return end
  if rng:chance(0.3) then
    local links = {}
    for a, b, c, d in grid:links() do links[#links + 1] = { a, b, c, d } end
    if #links > 0 then
      local link = rng:pick(links)
      grid:unlink(link[1], link[2], link[3], link[4])
    end
    return
  end
  if rng:chance(0.3) then grid:link(to_x, to_y, x, y, { directed = true, weight = 1, tag = rng:pick(TAGS) }) end
  grid:link(x, y, to_x, to_y, { weight = rng(9), directed = rng:chance(0.6), tag = rng:chance(0.3) and "door" or nil })
end

local function edit_grid(rng, world, grid)
  local x, y = rng(world.width), rng(world.height)
  local kind = rng(12)
  if world.walls > 0 and rng:chance(world.walls) then return random_wall(rng, world, grid) end
  if world.links > 0 and rng:chance(0.3) then return random_link(rng, world, grid) end
  if kind <= 4 then grid:close(x, y)
  elseif kind <= 8 then grid:open(x, y)
  elseif kind == 9 then grid:set(x, y, { weight = rng(1, 3), tag = rng:pick(TAGS) })
  elseif kind == 10 then grid:set(x, y, rng(1, 4))
  elseif kind == 11 then
    grid:fill(x, y, math.min(world.width, x + 1), math.min(world.height, y + 2), rng:chance(0.5) and 1)
  elseif rng:chance(0.1) then
    grid:map(function() if rng:chance(0.1) then return rng:chance(0.5) and 1 end end)
  end
end

local function grid_ends(rng, world)
  local ends = { rng(world.width), rng(world.height) }
  if rng:chance(0.8) then
    ends[3], ends[4] = rng(world.width), rng(world.height)
  else
    ends[3] = {}
    for i = 1, 2 * rng(3), 2 do ends[3][i], ends[3][i + 1] = rng(world.width), rng(world.height) end
  end
  return ends
end

describe("what can be reached on a random grid", function()
  it("is what a path leads to, between edits", function()
    helper.rounds("reach on grids", 60, function(rng)
      local world = random_grid(rng)
      local profiles = { {}, random_costs(rng), random_costs(rng) }
      for _ = 1, world.walls * 40 do random_wall(rng, world, world.grid) end
      for _ = 1, world.links do random_link(rng, world, world.grid) end
      local most = rng:pick { 1, 1, 3, 12 }
      for _ = 1, 40 do
        for _ = 1, rng(0, most) do edit_grid(rng, world, world.grid) end
        local fresh = world.grid:copy()
        for _ = 1, rng(3) do compare(rng, world.grid, fresh, grid_ends(rng, world), rng:pick(profiles)) end
      end
    end)
  end)

  it("is the same with an overlay", function()
    helper.rounds("reach with overlays on grids", 20, function(rng)
      local world = random_grid(rng)
      local overlay = world.grid:overlay()
      local opts = random_costs(rng)
      for _ = 1, 30 do
        if rng:chance(0.5) then edit_grid(rng, world, world.grid) end
        overlay[rng:pick { "close", "close", "open" }](overlay, rng(world.width), rng(world.height))
        compare(rng, overlay, overlay:copy(), grid_ends(rng, world), opts)
      end
    end)
  end)
end)

-- Graphs -------------------------------------------------------------------------------------------------------------

local function random_edge(rng, g, nodes, one_way)
  return g:add_edge(rng:pick(nodes), rng:pick(nodes), { weight = rng(9), directed = rng:chance(one_way),
    tag = rng:chance(0.2) and rng:pick(TAGS) or nil })
end

local function edit_graph(rng, g, one_way)
  local nodes, edges = reference.nodes(g), reference.edge_ids(g)
  local kind = rng(12)
  if kind == 1 and #nodes > 4 then g:remove_node(rng:pick(nodes))
  elseif kind == 2 then g:add_edge(rng:pick(nodes), g:add_node(rng(99), rng(99)), { weight = 1 })
  elseif kind <= 4 then g:close(rng:pick(nodes))
  elseif kind <= 6 then g:open(rng:pick(nodes))
  elseif kind == 7 or #edges == 0 then random_edge(rng, g, nodes, one_way)
  elseif kind == 8 then g:remove_edge(rng:pick(edges))
  elseif kind == 9 then g:close_edge(rng:pick(edges))
  elseif kind == 10 then g:open_edge(rng:pick(edges))
  elseif kind == 11 then g:set_weight(rng:pick(edges), rng(9))
  else g:set_tag(rng:pick(edges), rng:pick { "door", "lava", nil }) end
end

local function graph_ends(rng, g)
  local nodes = reference.nodes(g)
  local ends = { rng:pick(nodes), rng:pick(nodes) }
  if rng:chance(0.2) then ends[2] = { rng:pick(nodes), rng:pick(nodes) } end
  return ends
end

describe("what can be reached on a random graph", function()
  local function random_graph(rng)
    local g = wend.graph()
    local nodes = {}
    for i = 1, rng:pick { rng(4, 30), rng(100, 300) } do nodes[i] = g:add_node(rng(99), rng(99)) end
    local one_way = rng:pick { 0, 0, 0.3, 0.8, 1 }
    for _ = 1, #nodes * rng:pick { 0.5, 0.9, 1.2, 1.6 } do random_edge(rng, g, nodes, one_way) end
    return g, one_way
  end

  it("is what a path leads to, between edits", function()
    helper.rounds("reach on graphs", 45, function(rng)
      local g, one_way = random_graph(rng)
      local profiles = { {}, random_costs(rng), random_costs(rng) }
      local most = rng:pick { 1, 1, 3, 20 }
      for _ = 1, 40 do
        for _ = 1, rng(0, most) do edit_graph(rng, g, one_way) end
        local fresh = g:copy()
        for _ = 1, rng(3) do compare(rng, g, fresh, graph_ends(rng, g), rng:pick(profiles)) end
      end
    end)
  end)

  it("is the same with an overlay", function()
    helper.rounds("reach with overlays on graphs", 20, function(rng)
      local g, one_way = random_graph(rng)
      local overlay = g:overlay()
      local opts = random_costs(rng)
      for _ = 1, 30 do
        local nodes, edges = reference.nodes(g), reference.edge_ids(g)
        if rng:chance(0.3) then
          g:add_edge(rng:pick(nodes), rng:pick(nodes), { weight = 1, directed = rng:chance(one_way) })
        end
        overlay[rng:chance(0.6) and "close" or "open"](overlay, rng:pick(nodes))
        if #edges > 0 then overlay[rng:chance(0.6) and "close_edge" or "open_edge"](overlay, rng:pick(edges)) end
        compare(rng, overlay, overlay:copy(), graph_ends(rng, g), opts)
      end
    end)
  end)

  it("is known without a search more often than not", function()
    if helper.all_rounds() then assert.truthy((seen.known or 0) > (seen.searched or 0)) end
    if os.getenv "WEND_SPEC_SEEN" then print(seen.known, seen.searched) end
  end)
end)
