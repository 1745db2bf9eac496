-- SPDX-License-Identifier: MIT
-- Random maps that are edited between the slices of searches. A failure prints WEND_SEED and WEND_ROUND.
--
-- A path that is not marked as stale is compared with that of a whole search on the map as it is at the end; a stale
-- one with that of a whole search on a copy, taken when the search began on its snapshot. Where edits change neither
-- the least nor the average cost of a step, the paths must be the same. Otherwise they must cost the same.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local near = reference.near

-- The path or the code, as text.
local function text(path, _, code)
  if not path then return code end
  local list = {}
  for i, v in ipairs(path) do list[i] = ("%.0f"):format(v) end
  return table.concat(list, " ")
end

-- How many searches survived all edits, began again, ended on a snapshot; and how many edits were survived.
local seen = {}

-- Runs a search of a map with edits. begin(map, sliced) starts the search or, with sliced false, makes the path. exact:
-- the paths must be the same, not only their costs.
local function compare(rng, map, begin, edit, chance, exact)
  local search, copy = begin(map, true), nil
  local state, restarts, edited
  repeat
    edited = rng:chance(chance)
    if edited then edit(map) end
    if edited and search:restarts() == 3 then copy = map:copy() end
    state = (rng:chance(0.5) and wend.core.run or search.step)(search, rng(6))
    if edited and restarts == search:restarts() then seen.edits = (seen.edits or 0) + 1 end
    restarts = search:restarts()
    if restarts < 4 then copy = nil end
  until state ~= "running"
  local path, message, code = search:result()
  if code == "stale" then
    assert.equal("failed", state)
    return
  end
  local on = map
  if restarts == 4 then
    on = copy
    assert.truthy(on)
    if path then assert.equal(true, path.stale) end
    seen.stale = (seen.stale or 0) + 1
  else
    if path then assert.equal(nil, path.stale) end
    if path then assert.equal(true, path:valid()) end
    local how = restarts == 0 and "survived" or "restarted"
    seen[how] = (seen[how] or 0) + 1
  end
  local expected, _, expected_code = begin(on, false)
  local how = ("%d restarts"):format(restarts)
  if exact then
    assert.equal(text(expected, nil, expected_code), text(path, message, code), how)
  else
    assert.equal(expected_code, code, how)
  end
  if expected then near(expected.cost, path.cost, how) end
end

-- Grids --------------------------------------------------------------------------------------------------------------

-- A grid of rooms with doors. values: what its floor may be; nil: 1 everywhere.
local function rooms(rng, values)
  local width, height = rng(8, 40), rng(6, 30)
  if rng:chance(0.3) then width, height = rng(40, 70), rng(4, 9) end
  if rng:chance(0.5) then width, height = height, width end
  local grid = wend.grid(width, height,
    { diagonals = rng:pick { "both_open", "both_open", "one_open", "always", "never" },
      diagonal_length = rng:pick(grid_reference.LENGTHS) })
  if values then grid:map(function() return rng:pick(values) end) end
  local size = rng(4, 9)
  if rng:chance(0.5) then
    for x = size, width, size do
      for y = 1, height do
        if y % size ~= 2 or rng:chance(0.2) then grid:close(x, y) end
      end
    end
    for y = size, height, size do
      for x = 1, width do
        if x % size ~= 3 or rng:chance(0.2) then grid:close(x, y) end
      end
    end
  else
    local share = rng:pick { 20, 8, 4, 3 }
    for _ = 1, width * height / share do grid:close(rng(width), rng(height)) end
  end
  return grid, width, height
end

local function grid_case(rng, values, opts, edits, exact)
  local grid, width, height = rooms(rng, values)
  local x1, y1, x2, y2 = rng(width), rng(height), rng(width), rng(height)
  if rng:chance(0.7) then x1, y1, x2, y2 = 1, 1, width, height end
  local goals = rng:chance(0.2) and { x2, y2, rng(width), rng(height) } or nil
  local function begin(map, sliced)
    local call = sliced and map.search or map.path
    if goals then return call(map, x1, y1, goals, opts) end
    return call(map, x1, y1, x2, y2, opts)
  end
  local function edit(map)
    for _ = 1, rng(2) do
      local x, y = rng(width), rng(height)
      if rng:chance(0.5) then x, y = width - rng(0, 3), height - rng(0, 3) end -- far from the usual start
      edits(map, x, y, width, height)
    end
  end
  -- Otherwise the share of plain cells, which edits change, decides between jump points and single cells.
  local same = exact and grid:diagonals() == "both_open" and not goals
  compare(rng, grid, begin, edit, rng:pick { 0.02, 0.1, 0.3, 1 }, same)
end

local function toggle(grid, x, y)
  if grid:is_closed(x, y) then grid:open(x, y) else grid:close(x, y) end
end

-- Any edit of a grid.
local function anything(rng, values)
  return function(grid, x, y, width, height)
    local what = rng(10)
    local x2, y2 = math.min(width, x + rng(0, 1)), math.min(height, y + rng(0, 1))
    if what <= 3 then
      toggle(grid, x, y)
    elseif what <= 5 then
      grid:set(x, y, rng:pick(values))
    elseif what == 6 then
      grid:fill(x, y, x2, y2, rng:pick(values))
    elseif what == 7 and (x ~= x2 or y ~= y2) then
      grid:wall(x, y, x2, y2, rng:chance(0.6))
    elseif what == 8 then
      local to_x, to_y = rng(width), rng(height)
      if to_x ~= x or to_y ~= y then grid:link(x, y, to_x, to_y, { weight = rng(30) }) end
    elseif what == 9 then
      local links = {}
      for a, b, c, d in grid:links() do links[#links + 1] = { a, b, c, d } end
      if #links > 0 then
        local link = rng:pick(links)
        grid:unlink(link[1], link[2], link[3], link[4])
      end
    elseif rng:chance(0.2) then
      grid:map(function(weight) return rng:chance(0.05) and 2 or weight end)
    end
  end
end

describe("searches in slices of edited grids", function()
  local profile = wend.costs { mud = 2.5, road = 0.75, lava = false }

  it("by jump points: find the path of a search that begins after the last edit", function()
    helper.rounds("edits jumps", 150, function(rng)
      grid_case(rng, nil, {}, toggle, true)
    end)
  end)

  it("of equal cells with edge functions, or from cell to cell: the same", function()
    helper.rounds("edits cells", 150, function(rng)
      local function fee(_, cost, _, x, y) return cost + (x * 3 + y) % 4 / 4 end
      grid_case(rng, nil, rng:pick { { max_cost = 1e6 }, { algorithm = "dijkstra" },
        { cost = fee, at_least = 1 }, { cost = fee }, { partial = true }, { costs = wend.costs { x = 2 } },
        { heuristic = function() return 0 end } }, toggle, true)
    end)
  end)

  it("with weights, tags, walls and links: find a path of the same cost", function()
    helper.rounds("edits terrain", 300, function(rng)
      local values = { 1, 1, 2, 3, "mud", "road", { weight = 2, tag = "mud" }, "lava", false, 0.5 }
      local function fee(_, cost, tag) if tag == "mud" then return cost + 1 end end
      local opts = rng:pick { {}, { costs = profile }, { costs = profile, cost = fee, at_least = 1 },
        { algorithm = "dijkstra" }, { costs = wend.costs():edge_rule("fee", fee, { tags = { "mud" }, at_least = 1 }) } }
      local floor = rng:chance(0.8) and { 1, 1, 1, 2, "mud" } or nil
      grid_case(rng, floor, opts, anything(rng, values), false)
    end)
  end)
end)

-- Graphs -------------------------------------------------------------------------------------------------------------

-- A lattice with some edges left out.
local function lattice(rng, measured)
  local g, side = wend.graph(), rng(3, 14)
  for i = 0, side * side - 1 do g:add_node(i % side + rng() * 0.3, math.floor(i / side) + rng() * 0.3) end
  for i = 1, side * side do
    local function join(to)
      if rng:chance(0.1) then return end
      g:add_edge(i, to, { weight = not measured and rng(1, 4) or nil, tag = rng:pick { "road", "mud", nil },
        directed = rng:chance(0.1) })
    end
    if i % side ~= 0 then join(i + 1) end
    if i + side <= side * side then join(i + side) end
  end
  return g, side
end

local function some_edge(rng, g)
  local edges = reference.edge_ids(g)
  return #edges > 0 and rng:pick(edges) or nil
end

local function some_node(rng, g, side)
  local nodes = reference.nodes(g)
  if rng:chance(0.7) then return nodes[#nodes - rng(0, math.min(#nodes - 1, side))] end
  return rng:pick(nodes)
end

-- Opens or closes a door. A graph has some, so that they open and close again.
local function door(rng, side)
  local nodes, edges
  return function(g)
    if not nodes then
      nodes, edges = {}, {}
      for i = 1, rng(4) do nodes[i], edges[i] = some_node(rng, g, side), some_edge(rng, g) end
    end
    local node, edge = rng:pick(nodes), rng:pick(edges)
    if rng:chance(0.5) and g:has(node) then
      if g:is_closed(node) then g:open(node) else g:close(node) end
    elseif edge and g:has_edge(edge) then
      if g:edge(edge).closed then g:open_edge(edge) else g:close_edge(edge) end
    end
  end
end

local function any_edit(rng, side)
  local doors = door(rng, side)
  return function(g)
    local what, node, edge = rng(12), some_node(rng, g, side), some_edge(rng, g)
    if what <= 3 then
      doors(g)
    elseif what <= 5 and edge then
      g:set_weight(edge, rng:pick { 1, 2, 3, 5, 0.5 })
    elseif what == 6 and edge then
      g:set_tag(edge, rng:pick { "road", "mud", "new tag" })
    elseif what == 7 then
      local x, y = g:position(node)
      g:move(node, x + rng() * 0.2 - 0.1, y)
    elseif what <= 9 then
      g:add_edge(node, some_node(rng, g, side), { weight = rng(1, 5), directed = rng:chance(0.3) })
    elseif what == 10 and edge then
      g:remove_edge(edge)
    elseif what == 11 and rng:chance(0.5) then
      g:remove_node(node)
    elseif rng:chance(0.2) then
      g:add_node(side, side)
    end
  end
end

local function graph_case(rng, measured, opts, edits, exact)
  local g, side = lattice(rng, measured)
  local edit = edits(rng, side)
  local from, to = 1, side * side
  if rng:chance(0.4) then from, to = rng(side * side), rng(side * side) end
  local goals = rng:chance(0.2) and { to, rng(side * side) } or to
  local function begin(map, sliced)
    return (sliced and map.search or map.path)(map, from, goals, opts)
  end
  if exact then
    for _ = 1, rng(0, 3) do edit(g) end
  end
  compare(rng, g, begin, edit, rng:pick { 0.02, 0.1, 0.3, 1 }, exact)
end

describe("searches in slices of edited graphs", function()
  local profile = wend.costs { mud = 2, road = 0.5 }
  local function fee(_, cost, _, from) return cost + from % 3 end
  local function options(rng)
    return rng:pick { {}, { algorithm = "dijkstra" }, { costs = profile }, { cost = fee, at_least = 1 }, { cost = fee },
      { max_cost = 40 }, { heuristic = "octile" }, { costs = profile, cost = fee, at_least = 1 }, { partial = true } }
  end

  it("find the path of a search that begins after the last edit, if doors open and close", function()
    helper.rounds("edits doors", 200, function(rng)
      graph_case(rng, rng:chance(0.5), options(rng), door, true)
    end)
  end)

  it("find a path of the same cost after any edits", function()
    helper.rounds("edits graph", 300, function(rng)
      graph_case(rng, rng:chance(0.5), options(rng), any_edit, false)
    end)
  end)
end)

describe("searches in slices of edited maps", function()
  it("survived some edits, began again after others, and ended on snapshots", function()
    if not helper.all_rounds() then return end
    if os.getenv "WEND_SPEC_SEEN" then print(seen.edits, seen.survived, seen.restarted, seen.stale) end
    if not helper.all_rounds() then return end
    for _, how in ipairs { "edits", "survived", "restarted", "stale" } do assert.truthy((seen[how] or 0) > 50, how) end
  end)
end)
