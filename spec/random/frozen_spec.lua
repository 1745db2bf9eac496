-- SPDX-License-Identifier: MIT
-- Random maps that are edited between the slices of a search, a field or a route. A failure prints WEND_SEED and
-- WEND_ROUND.
--
-- What runs in slices reads the map as it was when it began. So its result is that of the whole call on a copy of the
-- map, taken at the beginning. Between slices, other queries of the same agents ask the map as it is: they bring views,
-- labels and eroded grids forward, and must get the results of a copy of that map.
local core = require "wend.core"
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local near, with = reference.near, grid_reference.with
local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local seen = {} -- how many of each kind had an edit while they ran, a result, none

-- A list with false at holes, as text.
local function list_text(list, last)
  local out = {}
  for i = 1, last or #list do out[i] = type(list[i]) == "number" and ("%.17g"):format(list[i]) or tostring(list[i]) end
  return table.concat(out, " ")
end

-- All that a path, a route, a failure or an answer has, as text; of a field, what it knows of each place.
local function text(kind, places, result, _, code)
  if type(result) == "boolean" then return tostring(result) end
  if not result then return code end
  if kind == "field" then
    local out = {}
    for i, at in ipairs(places) do
      local cost = result:cost(unpack(at))
      out[i] = cost and ("%.17g %s"):format(cost, tostring(at[2] and result:next(unpack(at)))) or "none"
    end
    return table.concat(out, "\n")
  end
  local out = { list_text(result), ("%.17g"):format(result.cost), tostring(result.partial) }
  for _, key in ipairs { "nodes", "edges" } do out[#out + 1] = list_text(rawget(result, key) or {}) end
  return table.concat(out, "\n")
end

-- case: map, kind, places, arguments (a function of a map, returns what follows it), edit, and `about`: only the costs
-- must be the same, up to rounding.
local function compare(rng, case)
  local map, kind = case.map, case.kind
  local function whole(on) return on[kind](on, case.arguments(on)) end
  local copy = map:copy()
  local expected, message, expected_code = whole(copy)
  local search = core.start(kind, map, case.arguments(map))
  local chance, edited, state = rng:pick { 0.1, 0.4, 1 }, false, search:step(1) -- it begins with the first slice
  while state == "running" do
    if rng:chance(chance) then
      case.edit(map)
      edited = true
    end
    if rng:chance(0.3) then
      local now = map:copy()
      local a, _, a_code = case.now(map)
      local b, _, b_code = case.now(now)
      assert.equal(b_code, a_code)
      if type(b) == "table" then near(b.cost, a.cost) else assert.equal(b, a) end
    end
    state = (rng:chance(0.5) and core.run or search.step)(search, rng:pick { 1, 5, 30 })
  end
  local result, problem, code = search:result()
  if edited then seen[kind] = (seen[kind] or 0) + 1 end
  seen[code or "found"] = (seen[code or "found"] or 0) + 1
  if code == "stale" and case.removes then return end -- a node of the path was removed meanwhile
  assert.equal(expected_code, code)
  if case.about then
    if expected then near(expected.cost, result.cost) end
  else
    local places = {}
    for _, at in ipairs(case.places) do
      if not case.removes or map:has(at[1]) then places[#places + 1] = at end
    end
    assert.equal(text(kind, places, expected, message, expected_code), text(kind, places, result, problem, code))
  end
end

-- Grids --------------------------------------------------------------------------------------------------------------

local VALUES = grid_reference.VALUES
local LISTS = { { 1, 1, 1, 1, false }, VALUES, { 1, 1, 1, 2 }, { 1, 1000000, 0.001, 70 }, { 1 } }

local function random_grid(rng) return grid_reference.random_grid(rng, LISTS, { 1 }) end

-- base: not an overlay.
local function edit_grid(rng, width, height)
  return function(grid, base)
    local what, x, y = rng(8), rng(width), rng(height)
    if not base and (what == 5 or what == 6) then what = 1 end
    if what <= 3 then
      if grid:is_closed(x, y) then grid:open(x, y) else grid:close(x, y) end
    elseif what == 4 then
      grid:set(x, y, rng:pick(VALUES))
    elseif what == 5 and x < width then
      grid:wall(x, y, x + 1, y, rng:chance(0.5), { directed = rng:chance(0.4) })
    elseif what == 6 then
      local x2, y2 = rng(width), rng(height)
      if x ~= x2 or y ~= y2 then grid:link(x, y, x2, y2, { weight = rng(30) }) end
    elseif what == 7 then
      grid:fill(1, 1, x, y, rng:pick(VALUES))
    elseif rng:chance(0.1) then
      grid:set(x, y, "tag " .. rng(9))
    end
  end
end

local profile = wend.costs { mud = 2.5, road = 0.75, lava = false, lift = { times = 1, plus = 1 } }
local function fee(_, cost, tag) if tag == "mud" then return cost + 1 end end
local ruled = wend.costs { lava = 9 }:edge_rule("fee", fee, { tags = { "mud" }, at_least = 1 })

-- The layers of a map: each has the same numbers.
local function layers(map, width, height)
  local layer = wend.influence(map)
  for y = 1, height do
    for x = 1, width do layer:set(x, y, (x * 7 + y * 3) % 5 / 2) end
  end
  return { layer, 1.5 }
end

local function grid_case(rng, kind)
  local grid, width, height = random_grid(rng)
  local costs = rng:pick { {}, {}, { costs = profile }, { costs = profile, size = 2 }, { size = 3 }, { costs = ruled },
    { costs = profile, cost = fee, at_least = 1 }, { cost = function(_, cost, _, x, y) return cost + (x + y) % 3 end } }
  local influence = kind ~= "can_reach" and rng:chance(0.15)
  local overlay = rng:chance(0.2)
  local case = { map = overlay and grid:overlay() or grid, kind = kind, places = {} }
  for y = 1, height do
    for x = 1, width do case.places[#case.places + 1] = { x, y } end
  end
  if not overlay and kind ~= "route" and rng:chance(0.2) then -- the ends of routes of equally cheap paths differ
    grid:prepare(costs.costs and { costs = costs.costs } or nil)
    case.about = kind == "path"
  end
  local more = rng:pick(({
    path = { {}, {}, { partial = true }, { max_cost = rng(40) }, { max_expanded = rng(80) }, { closed_goal = true },
      { within = 2.5 }, { sight = true, within = 5 }, { beside = true }, { variation = 0.3, seed = rng(99) },
      { algorithm = "dijkstra" }, { corners = true }, { per_turn = 6 }, { heuristic = function() return 0 end } },
    route = { {}, {}, { partial = true }, { max_cost = rng(40) }, { straighten = false }, { closed_goal = true },
      { within = 2.5 } },
    field = { {}, {}, { outward = true }, { window = rng(1, 9) }, { max_cost = rng(30) }, { closed_goal = true } },
    can_reach = { {}, {}, { closed_goal = true } },
  })[kind])
  local opts = with(costs, case.about and {} or more) -- with tables of a prepared map limits cut off other parts
  local goals, x1, y1, x2, y2 = {}, rng(width), rng(height), rng(width), rng(height)
  for i = 1, rng(3) do goals[2 * i - 1], goals[2 * i] = rng(width), rng(height) end
  local many = rng:chance(0.3)
  local from, to = { rng() * width, rng() * height }, { rng() * width, rng() * height }
  local function options(map)
    return influence and with(opts, { influence = layers(map, width, height) }) or opts
  end
  function case.arguments(map)
    if kind == "field" then return goals, options(map) end
    if kind == "route" then return from, to, options(map) end
    if many then return x1, y1, goals, options(map) end
    return x1, y1, x2, y2, options(map)
  end
  local ax, ay, bx, by = rng(width), rng(height), rng(width), rng(height)
  local reaches = rng:chance(0.5)
  function case.now(map)
    if reaches then return map:can_reach(ax, ay, bx, by, costs) end
    return map:path(ax, ay, bx, by, costs)
  end
  local edit = edit_grid(rng, width, height)
  function case.edit(map)
    local base = not overlay or rng:chance(0.5)
    edit(base and grid or map, base)
  end
  return case
end

describe("on random grids that are edited between slices, the map as it was is read by", function()
  for kind, rounds in pairs { path = 500, route = 200, field = 200, can_reach = 100 } do
    it("a " .. kind, function()
      helper.rounds("frozen grids " .. kind, rounds, function(rng) compare(rng, grid_case(rng, kind)) end)
    end)
  end
end)

-- Graphs -------------------------------------------------------------------------------------------------------------

local function edit_graph(rng)
  return function(graph)
    local nodes, edges = reference.nodes(graph), reference.edge_ids(graph)
    if #nodes == 0 then return end
    local what, node, edge = rng(12), rng:pick(nodes), #edges > 0 and rng:pick(edges)
    if what <= 2 then
      if graph:is_closed(node) then graph:open(node) else graph:close(node) end
    elseif what == 3 and edge then
      graph:set_weight(edge, rng(1, 50))
    elseif what == 4 and edge then
      graph:remove_edge(edge)
    elseif what <= 6 then
      graph:add_edge(node, rng:pick(nodes), { weight = rng(1, 50), directed = rng:chance(0.3) })
    elseif what == 7 and edge then
      graph:set_tag(edge, rng:pick { "road", "swamp", "tag " .. rng(5) })
    elseif what == 8 then
      graph:set_node_tag(node, rng:pick { "road", "swamp" })
    elseif what == 9 and graph:position(node) then
      graph:move(node, rng() * 100, rng() * 100, graph:dimensions() == 3 and rng() * 100 or nil)
    elseif what == 10 and rng:chance(0.3) then
      graph:remove_node(node)
    elseif what == 11 then
      graph:add_node(rng() * 100, rng() * 100, graph:dimensions() == 3 and rng() * 100 or nil)
    elseif edge then
      if graph:edge(edge).closed then graph:open_edge(edge) else graph:close_edge(edge) end
    end
  end
end

local function graph_case(rng, kind)
  local graph, model = helper.random_graph(rng, { dimensions = rng:pick { 2, 2, 3 }, nodes = rng(2, 60) })
  local costs = wend.costs { road = 0.5, swamp = 2, lava = false, toll = { times = 1, plus = 3 } }
  local function toll(_, cost, _, from) return cost + from % 3 end
  local agent = rng:pick { {}, {}, { costs = costs }, { costs = costs, cost = toll, at_least = 1 }, { cost = toll } }
  local overlay = rng:chance(0.2)
  local case = { map = overlay and graph:overlay() or graph, kind = kind, places = {}, removes = true }
  for i, node in ipairs(model.nodes) do case.places[i] = { node } end
  if not overlay and rng:chance(0.2) then
    graph:prepare()
    case.about = kind == "path" or kind == "route"
  end
  local more = rng:pick(({
    path = { {}, {}, { partial = true }, { max_cost = rng(90) }, { max_expanded = rng(30) }, { closed_goal = true },
      { within = 20 }, { variation = 0.3, seed = rng(99) }, { algorithm = "dijkstra" }, { per_turn = 30 } },
    route = { {}, { enter = "edge" }, { enter = "edge", partial = true }, { max_distance = rng(60) },
      { partial = true } },
    field = { {}, {}, { outward = true }, { max_cost = rng(90) } },
    can_reach = { {} },
  })[kind])
  local opts = with(agent, case.about and {} or more)
  local function point() return { rng() * 100, rng() * 100, graph:dimensions() == 3 and rng() * 100 or nil } end
  local from, to, start, goals = point(), point(), rng:pick(model.nodes), {}
  for i = 1, rng(3) do goals[i] = rng:pick(model.nodes) end
  function case.arguments()
    if kind == "field" then return goals, opts end
    if kind == "route" then return from, to, opts end
    return start, goals, opts
  end
  local a, b = rng:pick(model.nodes), rng:pick(model.nodes)
  function case.now(map)
    if not (map:has(a) and map:has(b)) then return end
    return map:path(a, b, agent)
  end
  local edit = edit_graph(rng)
  function case.edit(map)
    if not overlay then return edit(map) end
    if rng:chance(0.5) then return edit(graph) end
    local node = rng:pick(reference.nodes(map))
    if map:is_closed(node) then map:open(node) else map:close(node) end
  end
  return case
end

describe("on random graphs that are edited between slices, the map as it was is read by", function()
  for kind, rounds in pairs { path = 400, route = 300, field = 150, can_reach = 100 } do
    it("a " .. kind, function()
      helper.rounds("frozen graphs " .. kind, rounds, function(rng) compare(rng, graph_case(rng, kind)) end)
    end)
  end
end)

describe("what runs in slices", function()
  it("was edited, and had all kinds of results", function()
    if not helper.all_rounds() then return end
    for _, what in ipairs { "path", "route", "field", "can_reach", "found", "no_path", "budget" } do
      assert.truthy((seen[what] or 0) > 20, what)
    end
  end)
end)
