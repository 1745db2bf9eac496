-- SPDX-License-Identifier: MIT
-- Twins: a random map, and a copy of it that stays without tables. Both are edited by the same random numbers, and
-- every search costs the same on both. Most graphs have no positions, or weights that have nothing to do with them, so
-- that longer searches use tables.
--
-- A pair of twins is { kind = "graph" or "grid", map = , twin = , note = }. note(what) counts what has happened. With
-- `frozen = true`, comparisons do not edit them.

local assert = require "luassert"     -- a required file does not see busted's own
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143
local twins = {}

local TAGS = { "road", "swamp", "lava", "rope" }

-- Maps ----------------------------------------------------------------------------------------------------------------

---A graph whose nodes have no positions, or have them anywhere.
function twins.random_graph(rng)
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
    local weight = (placed ~= "all" or rng:chance(0.7)) and rng:pick(weights) * (1 + rng(3)) or nil
    local edge = g:add_edge(a, b, { directed = rng:chance(one_way), weight = weight,
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

---A long and narrow grid with walls across, so that trips are long.
function twins.random_grid(rng)
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
  local nodes, edges = reference.nodes(g), reference.edge_ids(g)
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
  local what = rng(10)
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
  if what == 9 and rng:chance(0.3) then -- all cells,
    return function(m)
      m:map(function(a, b) return (a * 7 + b * 3 + x2) % 11 == 0 and { weight = weight, tag = tag } or nil end)
    end
  end
  return function(m) m:open(x, y, math.min(x + 1, width), math.min(y + 1, height)) end
end

---Edits both maps by the same random numbers.
function twins.edit(rng, pair)
  local change = (pair.kind == "grid" and grid_edit or graph_edit)(rng, pair.map)
  twins.change(pair, change)
end

---Edits both maps by the same function.
function twins.change(pair, change)
  change(pair.map)
  change(pair.twin)
end

-- Agents --------------------------------------------------------------------------------------------------------------

function twins.random_costs(rng)
  local values = {}
  for _, tag in ipairs(TAGS) do
    values[tag] = rng:pick {
      0.5, 1, 1, 2, false, { times = 1, plus = 2 }, { times = 0.7, plus = 1 }, { times = 0, plus = 3 },
    }
  end
  if rng:chance(0.3) then values.default = rng:pick { 1, 2, 0.9 } end
  return wend.costs(values)
end

function twins.random_options(rng, kind)
  local opts = {}
  if rng:chance(0.4) then opts.costs = twins.random_costs(rng) end
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

-- The arguments of path before the options. Some trips are from one end of the map to the other.
local function random_ends(rng, kind, map)
  if kind == "grid" then
    local width, height = map:width(), map:height()
    local x1, y1 = rng(width), rng(height)
    if rng:chance(0.3) then return rng(math.min(5, width)), y1, width - rng(0, math.min(5, width) - 1), rng(height) end
    local goals = {}
    for i = 1, rng:pick { 1, 1, 1, 2, 12 } do goals[2 * i - 1], goals[2 * i] = rng(width), rng(height) end
    if #goals == 2 then return x1, y1, goals[1], goals[2] end
    return x1, y1, goals
  end
  local nodes = reference.nodes(map)
  if rng:chance(0.3) then return nodes[rng(math.min(10, #nodes))], nodes[#nodes + 1 - rng(math.min(10, #nodes))] end
  local goals = {}
  for i = 1, rng:pick { 1, 1, 1, 2, 12 } do goals[i] = rng:pick(nodes) end
  return rng:pick(nodes), #goals > 1 and goals or goals[1]
end

-- Comparisons ---------------------------------------------------------------------------------------------------------

local function near(a, b) return a == b or math.abs(a - b) <= 1e-9 * math.abs(b) end

---Asserts that two results cost the same, or that both failed with the same code.
function twins.same(pair, one, code, other, other_code)
  if other_code ~= code or one and not near(one.cost, other.cost) then
    error(("%s %s, not %s %s"):format(one and ("%.17g"):format(one.cost), code, other and ("%.17g"):format(other.cost),
      other_code))
  end
  if not one then pair.note "none" end
end

-- path or search of a map. ends: the arguments before the options.
local function call(method, map, ends, opts)
  local arguments = { unpack(ends) }
  arguments[#arguments + 1] = opts
  return map[method](map, unpack(arguments))
end

-- Calls fn(node) for all nodes among the ends.
local function each_end(ends, fn)
  for _, list in ipairs(ends) do
    for _, node in ipairs(type(list) == "table" and list or { list }) do fn(node) end
  end
end

local function have_positions(g, goals)
  local placed = true
  each_end({ goals }, function(node) placed = placed and g:position(node) ~= nil end)
  return placed
end

local function same_paths(pair, ends, opts)
  local one, _, code = call("path", pair.map, ends, opts)
  local other, _, other_code = call("path", pair.twin, ends, opts)
  twins.same(pair, one, code, other, other_code)
end

local function compare_limits(rng, pair, ends, opts, cost)
  for _, share in ipairs { 0.9, 1 + 1e-6, 1.5 } do
    opts.max_cost = cost * share
    same_paths(pair, ends, opts)
  end
  opts.max_cost = nil
  opts.variation, opts.seed = 0.2, rng(1000)
  local varied = assert(call("path", pair.map, ends, opts))
  assert.is_true(varied.cost >= cost * (1 - 1e-9) and varied.cost <= cost * 1.2 * (1 + 1e-9))
  assert.equal(varied.cost, call("path", pair.map, ends, opts).cost)
  opts.variation, opts.seed = nil, nil
end

-- In slices, with edits in between.
local function compare_sliced(rng, pair, ends, opts)
  local expected, _, expected_code = call("path", pair.twin, ends, opts)
  local search = call("search", pair.map, ends, opts)
  local most = pair.frozen and 0 or rng:pick { 0, 1, 3 }
  local edits, removed = most, false
  while search:step(rng(1, 25)) == "running" do
    if edits > 0 and rng:chance(0.2) then
      edits = edits - 1
      twins.edit(rng, pair)
      if pair.kind == "graph" then each_end(ends, function(node) removed = removed or not pair.map:has(node) end) end
      if removed then break end
    end
  end
  if removed then return end
  local one, _, code = search:result()
  if code == "stale" and edits < most then return end -- a node of its path was removed
  twins.same(pair, one, code, expected, expected_code)
  pair.note "sliced"
end

---Compares searches of both maps. ends: the arguments of path before the options; default: random ones. The result
---tells of the first search: whether it used landmarks, how many nodes it has expanded, and how many that of the twin.
function twins.compare(rng, pair, opts, ends)
  local map, twin, stats = pair.map, pair.twin, {}
  ends = ends or { random_ends(rng, pair.kind, map) }
  opts.stats = stats
  local one, _, code = call("path", map, ends, opts)
  local first = { landmarks = stats.landmarks, expanded = stats.expanded }
  pair.note "searches"
  if first.landmarks then pair.note "landmarks" end
  local other, _, other_code = call("path", twin, ends, opts)
  first.plain = stats.expanded
  assert.falsy(stats.landmarks)
  twins.same(pair, one, code, other, other_code)
  if rng:chance(0.1) then
    opts.algorithm = "dijkstra"
    other, _, other_code = call("path", twin, ends, opts)
    opts.algorithm = nil
    twins.same(pair, one, code, other, other_code)
  end
  if not opts.costs and not opts.cost and rng:chance(0.1) then
    if one then assert.equal(true, one:valid()) end
    if pair.kind == "graph" then
      local least = helper.least(reference.distances(reference.arcs(twin), ends[1]), ends[2])
      assert.equal(least == nil, one == nil)
      if least then assert.is_true(near(one.cost, least)) end
      pair.note "solved"
    end
  end
  if one and rng:chance(0.2) then compare_limits(rng, pair, ends, opts, one.cost) end
  if rng:chance(0.1) and (pair.kind == "grid" or have_positions(map, ends[2])) and code == "no_path" then
    opts.partial = true
    local a, b = call("path", map, ends, opts), call("path", twin, ends, opts)
    if a and b then assert.is_true(near(a.cost, b.cost)) end
    opts.partial = nil
  end
  if rng:chance(0.25) then compare_sliced(rng, pair, ends, opts) end
  return first
end

return twins
