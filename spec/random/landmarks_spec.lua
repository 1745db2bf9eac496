-- SPDX-License-Identifier: MIT
-- Landmarks: random maps that are prepared, then edited, against equal maps that are not prepared. Every search costs
-- the same on both; some are compared with the simplest solver. Most graphs have no positions, or weights that have
-- nothing to do with them, so that longer searches use the tables. A failure prints WEND_SEED and WEND_ROUND.
-- luacheck: std max+busted
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local TAGS = { "road", "swamp", "lava", "rope" }

local seen = {} -- how many searches there were; with landmarks; …
local function note(what) seen[what] = (seen[what] or 0) + 1 end

-- Maps ----------------------------------------------------------------------------------------------------------------

local function random_graph(rng)
  local g, count, wide = wend.graph(), rng(20, 250), rng(1, 5)
  local placed = rng:pick { "no", "no", "all", "clusters", "some" }
  for i = 1, count do
    if placed == "all" then g:add_node(i / wide + rng() / 3, i % wide + rng() / 3)
    elseif placed == "clusters" then g:add_node(math.floor(i / 20), 0)
    elseif placed == "some" and i % 7 > 0 then g:add_node(i / wide, i % wide)
    else g:add_node() end
  end
  local weights = rng:pick {
    { 1 }, { 1, 2, 5 }, { 0.5, 3, 40 }, { 0, 1, 2 }, { 1e-6, 1, 1e6 }, { 1e-300, 1, 1e300 }, { 0 }, { 7e-12 },
    { 3e40, 1e41 },
  }
  local one_way, tagged = rng:pick { 0, 0, 0.2, 1 }, rng:pick { 0, 0.4 }
  local function join(a, b)
    local edge = g:add_edge(a, b, { directed = rng:chance(one_way), weight = rng:pick(weights) * (1 + rng(3)),
      tag = rng:chance(tagged) and rng:pick(TAGS) or nil })
    if rng:chance(0.03) then g:close_edge(edge) end
  end
  for i = 1, count do
    for _, other in ipairs { i + 1, i + wide, i - wide, rng:chance(0.04) and rng(count) or nil } do
      if other >= 1 and other <= count and rng:chance(0.8) then join(i, other) end
    end
    if rng:chance(0.01) then g:close(i) end
  end
  return g
end

local function random_grid(rng)
  local width, height = rng(20, 110), rng(2, 16)
  local grid = wend.grid(width, height, { diagonals = rng:pick { "both_open", "one_open", "always", "never" },
    diagonal_length = rng:pick(grid_reference.LENGTHS) })
  local weights = rng:pick { { 1 }, { 1, 2, 5 }, { 0, 1, 3 }, { 0.25, 1, 9 }, { 1, 1e-7 }, { 1e250, 3e250 } }
  local closed, tagged = rng:pick { 0, 0.1, 0.3 }, rng:pick { 0, 0.3 }
  grid:map(function()
    if rng:chance(closed) then return false end
    return { weight = rng:pick(weights), tag = rng:chance(tagged) and rng:pick(TAGS) or nil }
  end)
  for x = 4, width - 3, rng(5, 15) do
    grid:fill(x, 1, x, math.max(1, height - 1), false)
    grid:fill(x + 2, math.min(2, height), x + 2, height, false)
  end
  for _ = 1, rng:pick { 0, 0, 3, 40 } do
    local x, y = rng(width - 1), rng(height)
    grid:wall(x, y, x + 1, y)
    if y < height then grid:wall(x, y, x, y + 1) grid:wall(x, y, x + 1, y + 1) end
  end
  for _ = 1, rng:pick { 0, 0, 2, 6 } do
    local x1, y1, x2, y2 = rng(width), rng(height), rng(width), rng(height)
    if x1 ~= x2 or y1 ~= y2 then
      grid:link(x1, y1, x2, y2, { weight = rng:pick { 0, 1, 10, 100 }, directed = rng:chance(0.5) })
    end
  end
  return grid
end

-- Edits, as functions that are called with each of the maps -----------------------------------------------------------

local function lists_of(g)
  local nodes, edges = {}, {}
  for n in g:nodes() do nodes[#nodes + 1] = n end
  for e in g:edges() do edges[#edges + 1] = e end
  return nodes, edges
end

-- A weight that is not much less than another, or that is.
local function other_weight(rng, weight)
  return math.min(weight * rng:pick { 0, 0.5, 0.9, 0.999, 1, 1.5, 3, 100 } + rng:pick { 0, 0, 0, 1e-12, 1 }, 1e300)
end

-- An island that landmarks do not reach, and two bridges to it, one after the other.
local function island_edit(rng, node, other, weight)
  local length, again, directed = rng(2, 30), rng(8), rng:pick { false, false, true }
  return function(m)
    local list = {}
    for i = 1, length do
      list[i] = m:add_node()
      if i > 1 then m:add_edge(list[i], list[i - 1], { weight = weight, directed = directed and i % 5 == 0 }) end
      if i > again then m:add_edge(list[i - again], list[i], { weight = weight * 2 }) end
    end
    m:path(node, list[1])
    m:add_edge(node, list[1], { weight = weight, directed = directed })
    m:path(node, list[length])
    m:add_edge(list[length], other, { weight = 3 * weight })
  end
end

local function graph_edit(rng, g)
  local nodes, edges = lists_of(g)
  local node, other, edge = rng:pick(nodes), rng:pick(nodes), #edges > 0 and rng:pick(edges)
  local weight = edge and other_weight(rng, g:edge(edge).weight) or 1
  local directed, tag = rng:chance(0.3), rng:pick(TAGS)
  local what = rng(19)
  if what == 1 then return function(m) m:close(node) end end
  if what == 2 then return function(m) m:open(node) end end
  if what == 3 then
    return function(m) m:add_edge(node, other, { weight = weight, directed = directed, tag = tag }) end
  end
  if what == 4 and #nodes > 15 then return function(m) m:remove_node(node) end end
  if what == 5 then
    local to = { rng(60), rng(6) }
    return function(m) m:move(node, to[1] / 2, to[2]) end
  end
  if what == 6 then -- a chain of new nodes
    local length = rng(1, 12)
    return function(m)
      local before = node
      for _ = 1, length do
        local new = m:add_node()
        m:add_edge(before, new, { weight = weight, directed = directed })
        before = new
      end
      m:add_edge(before, other, { weight = weight, directed = directed })
    end
  end
  if what == 7 then -- so many edges that the graph is packed
    local count = rng(20, 150)
    return function(m)
      for i = 1, count do m:add_edge(nodes[i % #nodes + 1], nodes[i * 7 % #nodes + 1], { weight = weight * i + i }) end
    end
  end
  if what == 8 then -- a lone node, searched before it is joined
    return function(m)
      local new = m:add_node()
      m:path(node, new)
      m:add_edge(new, node, { weight = weight, directed = directed })
      m:path(new, other)
      m:add_edge(new, other, { weight = weight })
    end
  end
  if what == 19 then return island_edit(rng, node, other, weight) end
  if not edge then return function() end end
  if what == 9 then return function(m) m:close_edge(edge) end end
  if what == 10 then return function(m) m:open_edge(edge) end end
  if what == 11 then return function(m) m:remove_edge(edge) end end
  if what == 12 then return function(m) m:set_tag(edge, tag) end end
  if what == 13 then -- several edges side by side, some of them twice
    local factors = { rng:pick { 0.5, 0.9, 1 }, rng:pick { 0.3, 0.8, 2 }, rng:pick { 0.4, 0.95 } }
    return function(m)
      for _, at in ipairs { g:edge(edge).from, g:edge(edge).to } do
        local list = {}
        for e in m:edges(at) do list[#list + 1] = e end
        for i, e in ipairs(list) do
          m:set_weight(e, math.min(m:edge(e).weight * factors[i % 3 + 1], 1e300))
        end
      end
    end
  end
  return function(m) m:set_weight(edge, weight) end
end

local function grid_edit(rng, grid)
  local width, height = grid:width(), grid:height()
  local x, y, x2, y2 = rng(width), rng(height), rng(width), rng(height)
  local weight, tag, flag = other_weight(rng, grid:get(x, y) or 1), rng:pick(TAGS), rng:chance(0.5)
  local what = rng(9)
  if what == 1 then return function(m) m:close(x, y) end end
  if what == 2 then return function(m) m:open(x, y) end end
  if what == 3 then return function(m) m:set(x, y, { weight = weight, tag = flag and tag or nil }) end end
  if what == 4 then
    local right, value = math.min(x + rng(3), width), rng:chance(0.3) and { weight = weight, tag = tag } or weight
    return function(m) m:fill(x, y, right, y, value) end
  end
  if what == 5 then return function(m) m:set(x, y, false) end end
  if what == 6 and (x ~= x2 or y ~= y2) then
    return function(m) m:link(x, y, x2, y2, { weight = weight, directed = flag, tag = tag }) end
  end
  if what == 7 and x < width then return function(m) m:wall(x, y, x + 1, y, flag) end end
  if what == 8 and (x ~= x2 or y ~= y2) then return function(m) m:unlink(x, y, x2, y2) end end
  return function(m) m:open(x, y, math.min(x + 1, width), math.min(y + 1, height)) end
end

-- Edits both maps by the same random numbers.
local function edit(rng, kind, map, twin)
  local change = (kind == "grid" and grid_edit or graph_edit)(rng, map)
  change(map)
  change(twin)
end

-- Agents --------------------------------------------------------------------------------------------------------------

local function random_costs(rng)
  local values = {}
  for _, tag in ipairs(TAGS) do
    values[tag] = rng:pick {
      0.5, 1, 1, 2, false, { times = 1, plus = 2 }, { times = 0.7, plus = 1 }, { times = 0, plus = 3 },
    }
  end
  if rng:chance(0.3) then values.default = rng:pick { 1, 2, 0.9 } end
  return wend.costs(values)
end

local function random_options(rng, kind)
  local opts = {}
  if rng:chance(0.4) then opts.costs = random_costs(rng) end
  if rng:chance(0.25) then
    local shift, promise = rng(5), rng:pick { 1, 0.5, 0 }
    function opts.cost(_, cost, _, a, b)
      local number = (a * 3 + (kind == "grid" and b or a) + shift) % 4
      if number == 0 then return cost * 1.5 end
      if number == 1 then return cost < math.huge and cost * promise or 2 end
      if number == 2 and shift == 1 then return false end
    end
    opts.at_least = promise
  end
  return opts
end

-- The ends of a random trip: the arguments of path, and how many of them are the start.
local function random_ends(rng, kind, map)
  if kind == "grid" then
    local width, height = map:width(), map:height()
    local x1, y1 = rng(width), rng(height)
    local goals = {}
    for i = 1, rng:pick { 1, 1, 1, 2, 12 } do goals[2 * i - 1], goals[2 * i] = rng(width), rng(height) end
    if #goals == 2 then return x1, y1, goals[1], goals[2] end
    return x1, y1, goals
  end
  local nodes = lists_of(map)
  local goals = {}
  for i = 1, rng:pick { 1, 1, 1, 2, 12 } do goals[i] = rng:pick(nodes) end
  return rng:pick(nodes), #goals > 1 and goals or goals[1]
end

-- Comparisons ---------------------------------------------------------------------------------------------------------

local function near(a, b) return a == b or math.abs(a - b) <= 1e-9 * math.abs(b) end

local function same(one, code, other, other_code)
  if other_code ~= code or one and not near(one.cost, other.cost) then
    error(("%s %s, not %s %s"):format(one and ("%.17g"):format(one.cost), code, other and ("%.17g"):format(other.cost),
      other_code))
  end
  if not one then note "none" end
end

-- The least cost from a node to any goal, or nil: the simplest solver.
local function solve(g, from, goals)
  local cost, done = { [from] = 0 }, {}
  while true do
    local best
    for node, c in pairs(cost) do if not done[node] and (not best or c < cost[best]) then best = node end end
    if not best then break end
    done[best] = true
    for _, other, weight, _, _, closed in g:edges(best) do
      if not closed and not g:is_closed(other) and (not cost[other] or cost[best] + weight < cost[other]) then
        cost[other] = cost[best] + weight
      end
    end
  end
  local least
  for _, goal in ipairs(type(goals) == "table" and goals or { goals }) do
    if cost[goal] and (not least or cost[goal] < least) then least = cost[goal] end
  end
  return least
end

-- path with options; the ends are those of random_ends.
local function call(method, map, opts, ...)
  local arguments = { ... }
  arguments[#arguments + 1] = opts
  return map[method](map, (table.unpack or unpack)(arguments)) -- luacheck: ignore 113 143
end

local function have_positions(g, goals)
  for _, goal in ipairs(type(goals) == "table" and goals or { goals }) do
    if not g:position(goal) then return false end
  end
  return true
end

local function compare(rng, kind, map, twin, opts)
  local ends = { random_ends(rng, kind, map) }
  local function path(m, o) return call("path", m, o, (table.unpack or unpack)(ends)) end -- luacheck: ignore 113 143
  opts.stats = {}
  local one, _, code = path(map, opts)
  note "searches"
  local used = opts.stats.landmarks
  if used then note "landmarks" end
  local other, _, other_code = path(twin, opts)
  assert.falsy(opts.stats.landmarks)
  same(one, code, other, other_code)
  if kind == "graph" and not opts.costs and not opts.cost and rng:chance(0.1) then
    local least = solve(twin, ends[1], ends[2])
    assert.equal(least == nil, one == nil)
    if least then assert.is_true(near(one.cost, least)) end
    note "solved"
  end
  if one and rng:chance(0.2) then -- limits
    for _, share in ipairs { 0.9, 1 + 1e-6, 1.5 } do
      opts.max_cost = one.cost * share
      local a, _, a_code = path(map, opts)
      local b, _, b_code = path(twin, opts)
      same(a, a_code, b, b_code)
    end
    opts.max_cost = nil
    opts.variation, opts.seed = 0.2, rng(1000)
    local varied = assert(path(map, opts))
    assert.is_true(varied.cost >= one.cost * (1 - 1e-9) and varied.cost <= one.cost * 1.2 * (1 + 1e-9))
    assert.equal(varied.cost, path(map, opts).cost)
    opts.variation, opts.seed = nil, nil
  end
  if rng:chance(0.1) and (kind == "grid" or have_positions(map, ends[2])) and code == "no_path" then
    opts.partial = true
    local a, b = path(map, opts), path(twin, opts)
    if a and b then assert.is_true(near(a.cost, b.cost)) end
    opts.partial = nil
  end
  if rng:chance(0.25) then -- in slices, with edits in between
    opts.restart = true
    local search = call("search", map, opts, (table.unpack or unpack)(ends)) -- luacheck: ignore 113 143
    local edits, removed = rng:pick { 0, 1, 3 }, false
    while search:step(rng(1, 25)) == "running" do
      if edits > 0 and rng:chance(0.2) then
        edits = edits - 1
        edit(rng, kind, map, twin)
        if kind == "graph" then
          for _, list in ipairs(ends) do
            for _, node in ipairs(type(list) == "table" and list or { list }) do
              removed = removed or not map:has(node)
            end
          end
        end
        if removed then break end
      end
    end
    opts.restart = nil
    if not removed then
      one, _, code = search:result()
      other, _, other_code = path(twin, opts)
      same(one, code, other, other_code)
      note "sliced"
    end
  end
end

local function compare_routes(rng, kind, map, twin)
  if kind == "grid" then
    local x1, y1 = map:position(rng(map:width()), rng(map:height()))
    local x2, y2 = map:position(rng(map:width()), rng(map:height()))
    local opts = { straighten = false }
    local _, _, code = map:route({ x1 + 0.1, y1 }, { x2, y2 - 0.2 }, opts)
    local _, _, other_code = twin:route({ x1 + 0.1, y1 }, { x2, y2 - 0.2 }, opts)
    return assert.equal(other_code, code) -- the cost of the first and the last leg depends on which cheapest path it is
  end
  local from, to = { rng(50), rng(5) }, { rng(50), rng(5) }
  local opts = { enter = "edge" }
  local one, _, code = map:route(from, to, opts)
  local other, _, other_code = twin:route(from, to, opts)
  same(one, code, other, other_code)
end

-- Prepares a map at once, or in slices with edits between them.
local function prepare(rng, kind, map, twin, asked)
  if rng:chance(0.5) then return assert(map:prepare(asked)) end
  asked.sliced = true
  local preparation, edits = map:prepare(asked), rng(0, 30)
  while not preparation:report() do
    assert(preparation:step(rng(1, 200)) ~= nil)
    if edits > 0 and rng:chance(0.2) then
      edits = edits - 1
      edit(rng, kind, map, twin)
      note "edited while preparing"
    end
    if rng:chance(0.1) then compare(rng, kind, map, twin, {}) end
  end
  asked.sliced = nil
end

local function play(rng, kind)
  local map = (kind == "grid" and random_grid or random_graph)(rng)
  local twin = map:copy()
  local asked = { landmarks = rng:pick { 16, 16, 16, 8, 1 } }
  if rng:chance(0.3) then asked.costs = random_costs(rng) end
  prepare(rng, kind, map, twin, asked)
  local worst = rng:pick { 0, 0, 1, 4 }
  for _ = 1, 12 do
    for _ = 1, 5 do
      local opts = random_options(rng, kind)
      if asked.costs and rng:chance(0.5) then opts.costs = asked.costs end
      compare(rng, kind, map, twin, opts)
    end
    if rng:chance(0.2) then compare_routes(rng, kind, map, twin) end
    for _ = 1, rng(0, worst) do edit(rng, kind, map, twin) end
    if rng:chance(0.1) then prepare(rng, kind, map, twin, asked) end
  end
end

-- Planes of grids -----------------------------------------------------------------------------------------------------

-- Rooms, whose walls have doors: long ways, of which the planes know nearly the cost. So a slack that is too small
-- shows.
local function rooms(rng)
  local side, size = rng(50, 90), rng(8, 14)
  local grid = wend.grid(side, side, { diagonals = rng:pick { "both_open", "one_open", "always", "never" },
    diagonal_length = rng:pick(grid_reference.LENGTHS) })
  local weights = rng:pick { { 1 }, { 1, 2, 5 }, { 2, 3 }, { 0.3, 1, 7 }, { 1, 40 } }
  local patch, tagged = rng:pick { 1, 4, 9 }, rng:pick { 0, 0.2 }
  local cells = {}
  grid:map(function(x, y)
    local at = math.floor(x / patch) * 100 + math.floor(y / patch)
    cells[at] = cells[at] or { weight = rng:pick(weights), tag = rng:chance(tagged) and rng:pick(TAGS) or nil }
    return cells[at]
  end)
  for i = size, side - 1, size do
    grid:close(i, 1, i, side):close(1, i, side, i)
  end
  for i = size, side - 1, size do
    for k = 0, side - 1, size do
      if rng:chance(0.6) then grid:open(i, math.min(k + rng(size - 1), side)) end
      if rng:chance(0.6) then grid:open(math.min(k + rng(size - 1), side), i) end
    end
  end
  for _ = 1, rng:pick { 0, 0, 20 } do
    local x, y = rng(side - 1), rng(side)
    grid:wall(x, y, x + 1, y)
  end
  for _ = 1, rng:pick { 0, 0, 3 } do
    grid:link(rng(side), rng(2, side), rng(side), 1, { weight = rng:pick { 1, 9, 50 }, directed = rng:chance(0.5) })
  end
  return grid, side
end

-- An edit that saves something, near the place of the last one or elsewhere; or that undoes it.
local function saving(rng, grid, side, at)
  if rng:chance(0.5) then at.x, at.y = rng(side - 1), rng(side - 1) end
  local x, y = math.min(side - 1, at.x + rng(0, 2)), math.min(side - 1, at.y + rng(0, 2))
  local what = rng(9)
  local weight = (grid:get(x, y) or 1) * rng:pick { 0.5, 0.9, 0, 1.5, 3 }
  local plus, row = rng:pick(TAGS), rng(side)
  if what <= 3 then return function(m) m:open(x, y) end end
  if what == 4 then return function(m) m:close(x, y) end end
  if what == 5 then return function(m) m:wall(x, y, x + rng:pick { 0, 1 }, y + 1, false) end end
  if what == 6 then return function(m) m:set(x, y, { weight = weight, tag = plus }) end end
  if what == 7 and x ~= at.x then return function(m) m:link(x, y, at.x, row, { weight = weight }) end end
  return function(m) m:set(x, y, weight) end
end

-- The same for some cells side by side; or a wall of a fence is removed.
local function saving_some(rng, side, fence)
  local x, y = rng(side - 3), rng(side - 3)
  local x2, y2, weight = x + rng(0, 3), y + rng(0, 3), rng:pick { 0.5, 1, 4, false }
  local what, shift = rng(9), rng(50)
  if fence and rng:chance(0.3) then return function(m) m:wall(fence, y, fence + 1, y, false) end end
  if what == 1 then
    local value = { weight = weight or 9 }
    return function(m) m:map(function(a, b) return (a * 7 + b * 3 + shift) % 11 == 0 and value or nil end) end
  end
  if what <= 4 then return function(m) m:open(x, y, x2, y2) end end
  return function(m) m:fill(x, y, x2, y2, weight) end
end

-- Prepares in slices, with edits between them.
local function prepare_rooms(rng, map, twin, side, at, asked)
  local busy = rng:pick { 0.02, 0.1, 0.5 }
  asked.sliced = true
  local preparation = map:prepare(asked)
  while not preparation:step(rng(20, 2000)) do
    while rng:chance(busy) do
      local change = rng:chance(0.3) and saving_some(rng, side, at.fence) or saving(rng, map, side, at)
      change(map)
      change(twin)
      note "edited while preparing planes"
    end
    if rng:chance(0.02) then compare(rng, "grid", map, twin, {}) end
  end
end

local function play_rooms(rng, sliced)
  local map, side = rooms(rng)
  local at = { x = 1, y = 1, fence = sliced and rng:chance(0.4) and math.floor(side / 2) or nil }
  for y = 1, at.fence and side - rng(9) or 0 do map:wall(at.fence, y, at.fence + 1, y) end
  local twin = map:copy()
  local asked = { landmarks = rng:pick { 8, 8, 3, 16 }, costs = rng:chance(0.2) and random_costs(rng) or nil }
  if sliced then prepare_rooms(rng, map, twin, side, at, asked) else map:prepare(asked) end
  for _ = 1, 12 do
    if sliced then
      local x, y, x2, y2 = rng(side), rng(side), rng(side), rng(side)
      local one, _, code = map:path(x, y, x2, y2)
      local other, _, other_code = twin:path(x, y, x2, y2, { algorithm = "dijkstra" })
      same(one, code, other, other_code)
    end
    for _ = 1, 8 do
      local opts = rng:chance(0.2) and random_options(rng, "grid") or {}
      compare(rng, "grid", map, twin, opts)
      if opts.stats.landmarks then note "planes" end
    end
    for _ = 1, rng:pick { 0, 0, 0, 1, 3 } do
      local change = saving(rng, map, side, at)
      change(map)
      change(twin)
    end
    if rng:chance(0.1) then map = assert(wend.decode(map:encode())) end
  end
end

describe("landmarks", function()
  for _, kind in ipairs { "graph", "grid" } do
    it("change no cost of a path, after any edits: " .. kind, function()
      helper.rounds("landmarks " .. kind, 60, function(rng) play(rng, kind) end)
    end)
  end

  it("of planes change no cost of a path through rooms, after edits that save something", function()
    helper.rounds("planes", 20, play_rooms)
  end)

  it("of planes change no cost of a path through rooms that were edited while they were prepared", function()
    helper.rounds("planes in slices", 20, function(rng) play_rooms(rng, true) end)
  end)

  it("were used by many of these searches", function()
    if not helper.all_rounds() then return pending "all rounds are needed" end
    assert.is_true(seen.landmarks > seen.searches / 40, ("%d of %d"):format(seen.landmarks or 0, seen.searches))
    for _, what in ipairs { "none", "sliced", "solved", "edited while preparing" } do
      assert.is_true(seen[what] > 10, what)
    end
    for _, what in ipairs { "planes", "edited while preparing planes" } do
      assert.is_true((seen[what] or 0) > 0, what)
    end
  end)
end)
