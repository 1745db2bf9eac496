-- SPDX-License-Identifier: MIT
-- The options within, beside and sight on random maps: every place is tested by the rules word for word, and a plain
-- solver finds the cheapest way to one that fits. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local near, with, spread = reference.near, grid_reference.with, grid_reference.spread
local HUGE = math.huge

-- Conditions, at least one of them, as options.
local function random_range(rng, sight)
  local range = {}
  if rng:chance(0.5) then range.within = rng:pick { 0, 1, 1.5, 2, math.sqrt(5), 3, 4.2, 6, 100 } end
  if rng:chance(0.3) then range.beside = true end
  if rng:chance(0.4) or next(range) == nil then range.sight = sight or nil end
  if next(range) == nil then range.within = 2 end
  return range
end

-- Which places fit goal k of a list: fits[place] is true for those of any goal, and fits[place .. " " .. k].
local function all_that_fit(count, goals, is_fit)
  local fits = {}
  for k, goal in ipairs(goals) do
    for place = 1, count do
      if is_fit(place, goal) then fits[place], fits[place .. " " .. k] = true, true end
    end
  end
  return fits
end

-- The least cost from a place to one that fits: a closed place is entered by no step.
local function solve(arcs, from, fits)
  local known, best = spread(arcs, { [from] = 0 }), HUGE
  for place, cost in pairs(known) do
    if fits[place] then best = math.min(best, cost) end
  end
  return best < HUGE and best or nil
end

-- Grids --------------------------------------------------------------------------------------------------------------

-- Whether a straight line leads from a cell to another past closed cells and walls; both ends may be closed. Directed
-- walls do not block sight.
local function sees(model, from, goal)
  local x1, y1 = model:at(from)
  local x2, y2 = model:at(goal)
  local kept, shut = model.weight[goal], model.shut
  model.weight[goal], model.shut = 1, {}
  local clear = model:leg(nil, x1, y1, x2, y2) < HUGE
  model.weight[goal], model.shut = kept, shut
  return clear
end

-- Whether a step or a link leads from a cell onto the goal if that is open. A body beside a diagonal covers the goal
-- as it is.
local function is_beside(model, view, from, goal)
  if from == goal then return false end
  local x1, y1 = model:at(from)
  local x2, y2 = model:at(goal)
  local kept, found, rule = model.weight[goal], false, model.diagonals
  local is_near = math.abs(x1 - x2) <= 1 and math.abs(y1 - y2) <= 1
  if is_near and view and view.size and x1 ~= x2 and y1 ~= y2 then
    local one, other = model:step(view, x1, y1, x2, y1) < HUGE, model:step(view, x1, y1, x1, y2) < HUGE
    model.weight[goal] = model.kept[goal] -- a function is asked about the second steps round the corner, too
    one = one and model:step(view, x2, y1, x2, y2) < HUGE
    other = other and model:step(view, x1, y2, x2, y2) < HUGE
    model.weight[goal] = kept
    if rule == "both_open" then is_near = one and other end
    if rule == "one_open" then is_near = one or other end
    if rule ~= "never" then rule = "always" end
  end
  model.weight[goal] = model.kept[goal]
  if is_near then found = model:step(view, x1, y1, x2, y2, rule) < HUGE end
  if not found and model.links[from][goal] then
    local arcs = model:arcs(view)[from]
    for i = 1, #arcs, 2 do found = found or arcs[i] == goal end
  end
  model.weight[goal] = kept
  return found
end

local function fits_of_grid(model, grid, view, walls, goals, range)
  return all_that_fit(model.width * model.height, goals, function(place, goal)
    local x1, y1 = model:at(place)
    local x2, y2 = model:at(goal)
    if range.within and math.sqrt((x1 - x2) ^ 2 + (y1 - y2) ^ 2) > range.within then return false end
    if range.beside and not is_beside(model, view, place, goal) then return false end
    if range.sight == true then return sees(model, place, goal) end
    if type(range.sight) == "table" then return grid:sees(x1, y1, x2, y2, range.sight) end
    return not range.sight or walls:clear(x1 - 0.5, y1 - 0.5, x2 - 0.5, y2 - 0.5)
  end)
end

local function random_walls(rng, width, height)
  local walls = wend.walls()
  for _ = 1, rng(0, 6) do
    walls:add_segment(rng() * width, rng() * height, rng() * width, rng() * height)
  end
  return walls
end

local function random_goals(rng, model)
  local goals, list = {}, {}
  for _ = 1, rng:pick { 1, 1, 1, 2, 5 } do
    local x, y, cell = grid_reference.any(rng, model)
    goals[#goals + 1] = cell
    list[#list + 1], list[#list + 2] = x, y
  end
  return goals, list
end

-- A list of goals, or of numbers for them, so often that its ends are not listed when a search begins: each place is
-- tested when the search comes to it.
local function repeated(list, times)
  local all = {}
  for i = 1, times * #list do all[i] = list[(i - 1) % #list + 1] end
  return all
end

-- The end of a path fits the goal that path.goal names, or the only one. count: of the goals, with those that are
-- repeated.
local function check_end(path, place, fits, goals, count)
  assert.is_true(fits[place], "the end fits")
  assert.equal(count > 1, path.goal ~= nil)
  assert.is_true(fits[place .. " " .. ((path.goal or 1) - 1) % #goals + 1], "it fits its goal")
end

-- Routes end at the centre of a cell that fits. Without straight legs, one from a centre costs as much as the path.
local function compare_routes(rng, model, grid, from, to, fits, expected, options)
  -- From the lower right of a cell to the agent's centre.
  local shift = options.size and options.size % 2 == 0 and 0 or 0.5
  local x, y = from[1] - shift, from[2] - shift
  local goal = { to[1] - shift, to[2] - shift }
  local function route(at_x, at_y, straighten)
    local found, message, code = grid:route({ at_x, at_y }, goal, with(options, { straighten = straighten }))
    assert.equal(expected == nil, found == nil)
    if found then
      assert.same({ at_x, at_y }, { found[1], found[2] })
      local end_x, end_y = found[#found - 1] + shift, found[#found] + shift
      if #found == 2 then end_x, end_y = from[1], from[2] end
      assert.is_true(fits[model:cell(end_x, end_y)], "the end of a route")
      return found.cost
    end
    assert.equal("no_path", code)
    assert.truthy(message:find("to a place in range of (", 1, true), message)
  end
  local cost = route(x, y, false)
  if cost then near(expected, cost, "route") end
  local straight = route(x, y, true)
  if cost then assert.is_true(straight <= cost + 1e-9, "straight legs") end
  local elsewhere = route(x + (rng() - 0.5) * 0.98, y + (rng() - 0.5) * 0.98, rng:chance(0.5))
  if fits[model:cell(from[1], from[2])] then assert.equal(0, elsewhere) end
end

local function compare_grid(rng, model, grid)
  local options, view = grid_reference.random_costs(rng)
  if rng:chance(0.25) then
    options.size = rng(2, 3)
    view = with(view, { size = options.size })
  end
  local walls = random_walls(rng, model.width, model.height)
  local tags = { "no tag of the grid" }
  for cell = 1, model.width * model.height do tags[#tags + 1] = model.tag[cell] end
  local range = random_range(rng, rng:pick { true, walls,
    { opaque = { rng:pick(tags) }, transparent = { rng:pick(tags) } } })
  local goals, list = random_goals(rng, model)
  local x, y, start = grid_reference.any(rng, model)
  local fits, arcs = fits_of_grid(model, grid, view, walls, goals, range), model:arcs(view)
  local expected = solve(arcs, start, fits)
  options = with(options, range)
  local times = rng:chance(0.3) and 80 or 1
  list = repeated(list, times)
  local function ends(more)
    if #list == 2 then return x, y, list[1], list[2], more end
    return x, y, list, more
  end
  local heuristic = rng:pick(grid_reference.HEURISTICS)
  local path, message, code = grid:path(ends(with(options, rng:pick { {}, {}, { heuristic = heuristic } })))
  if expected then
    near(expected, assert(path).cost)
    check_end(path, model:cell(path[#path - 1], path[#path]), fits, goals, #list / 2)
    assert.equal(true, path:valid())
    near(expected, grid_reference.sliced(grid, rng(1, 9), ends(options)).cost, "slices")
    local varied = grid:path(ends(with(options, { variation = 0.3, seed = rng(99) })))
    assert.is_true(varied.cost >= expected - 1e-9 and varied.cost <= expected * 1.3 + 1e-9, "variation")
    if expected > 0 then
      assert.equal("budget", select(3, grid:path(ends(with(options, { max_cost = expected * 0.99 - 1e-9 })))))
    end
  else
    assert.equal("no_path", code)
    assert.truthy(message:find("in range of", 1, true), message)
    assert.equal("no_path", select(3, grid_reference.sliced(grid, rng(1, 9), ends(options))))
  end
  if #list == 2 and (range.sight == nil or range.sight == true) then
    compare_routes(rng, model, grid, { x, y }, list, fits, expected, options)
  end
  local partial = grid:path(ends(with(options, { partial = true })))
  assert.equal(not expected or nil, partial.partial)
  local values, start_values = rng:chance(0.3) and {} or nil, {}
  for k in ipairs(goals) do
    local value = values and rng(0, 9) or 0
    if values then values[k] = value end
    for place = 1, model.width * model.height do
      if fits[place .. " " .. k] then start_values[place] = math.min(start_values[place] or HUGE, value) end
    end
  end
  local field = grid:field(list, with(options, { values = values and repeated(values, times) }))
  local known = spread(grid_reference.reversed(arcs), start_values)
  grid_reference.cells(model, function(fx, fy, cell)
    local cost = field:cost(fx, fy)
    assert.equal(known[cell] == nil, cost == nil)
    if cost then near(known[cell], cost, "field") end
  end)
  local found = field:path(x, y)
  if found then assert.is_true(fits[model:cell(found[#found - 1], found[#found])], "the end of field:path") end
end

-- Graphs -------------------------------------------------------------------------------------------------------------

local function compare_graph(rng, g)
  local nodes, index, steps = {}, {}, {}
  local tags = { road = rng:pick { 1, 0.5 }, swamp = rng:pick { 3, false } }
  for node in g:nodes() do nodes[#nodes + 1] = node end
  for i, node in ipairs(nodes) do index[node], steps[i] = i, {} end
  local leads = {} -- leads[from .. " " .. to]: an edge, whether the nodes are closed or not
  local function add(from, to, edge)
    local times = edge.tag and tags[edge.tag]
    if times == nil then times = 1 end
    if edge.closed or not times or from == to then return end
    leads[index[from] .. " " .. index[to]] = true
    if g:is_closed(to) then return end
    local list = steps[index[from]]
    list[#list + 1], list[#list + 2] = index[to], edge.weight * times
  end
  for id in g:edges() do
    local edge = g:edge(id)
    add(edge.from, edge.to, edge)
    if not edge.directed then add(edge.to, edge.from, edge) end
  end
  local walls = random_walls(rng, 100, 100)
  local range, goals, places = random_range(rng, walls), {}, {}
  if range.within then range.within = range.within * 10 end
  for _ = 1, rng:pick { 1, 1, 1, 2, 12 } do
    goals[#goals + 1] = rng:pick(nodes)
    places[#places + 1] = index[goals[#goals]]
  end
  local fits = all_that_fit(#nodes, places, function(place, goal)
    local a, b = { g:position(nodes[place]) }, { g:position(nodes[goal]) }
    if range.within or range.sight then
      if not (a[1] and b[1]) then return false end
      local sum = 0
      for d = 1, #a do sum = sum + (a[d] - b[d]) ^ 2 end
      if math.sqrt(sum) > (range.within or HUGE) then return false end
      if range.sight and not walls:clear(a[1], a[2], b[1], b[2]) then return false end
    end
    return not range.beside or leads[place .. " " .. goal] == true
  end)
  local options = with({ costs = wend.costs(tags) }, range)
  local list = repeated(goals, rng:chance(0.1) and math.ceil(70000 / (#goals * #nodes)) or 1)
  local from, to = rng:pick(nodes), #list == 1 and list[1] or list
  local expected = solve(steps, index[from], fits)
  local path, _, code = g:path(from, to, options)
  if expected then
    near(expected, assert(path).cost)
    assert.equal(#path - 1, #path:edges())
    assert.equal(true, path:valid())
    check_end(path, index[path[#path]], fits, goals, #list)
    near(expected, grid_reference.sliced(g, rng(1, 9), from, to, options).cost, "slices")
  else
    assert.equal("no_path", code)
  end
  local start_values = {}
  for place = 1, #nodes do start_values[place] = fits[place] and 0 or nil end
  local field, known = g:field(list, options), spread(grid_reference.reversed(steps), start_values)
  for i, node in ipairs(nodes) do
    assert.equal(known[i] == nil, field:cost(node) == nil)
    if known[i] then near(known[i], field:cost(node), "field") end
  end
end

describe("goals in range", function()
  it("of grids: the path leads to the nearest place that fits", function()
    helper.rounds("goals in range of grids", 40, function(rng)
      local model, grid = grid_reference.random_ground(rng)
      for _ = 1, 3 do
        compare_grid(rng, model, grid)
        grid_reference.open_any(rng, model, grid)
      end
    end)
  end)

  it("of large grids: also with jump points and tables", function()
    helper.rounds("goals in range of large grids", 4, function(rng)
      local model = grid_reference.random(rng, { width = rng(30, 60), height = rng(30, 50),
        closed = rng:pick { 0.01, 0.1 }, tagged = 0, walls = 0, links = rng:pick { 0, 0, 2 },
        weights = rng:pick { { 1 }, { 1, 1, 1, 1, 1, 1, 1, 4 } } })
      local grid = model.grid
      if rng:chance(0.5) then grid:prepare() end
      local arcs = model:arcs()
      for _ = 1, 3 do
        local goals, list = random_goals(rng, model)
        local x, y, start = grid_reference.any(rng, model)
        local range = random_range(rng, rng:chance(0.2))
        local fits = fits_of_grid(model, grid, nil, nil, goals, range)
        local expected = solve(arcs, start, fits)
        local path = grid:path(x, y, list, range)
        assert.equal(expected == nil, path == nil)
        if path then near(expected, path.cost) end
        if #goals == 1 then compare_routes(rng, model, grid, { x, y }, list, fits, expected, range) end
      end
    end)
  end)

  it("of graphs: the same", function()
    helper.rounds("goals in range of graphs", 40, function(rng)
      local g = helper.random_graph(rng, { dimensions = rng:pick { 2, 2, 3, 0 }, nodes = rng(2, 40) })
      local map = rng:chance(0.5) and g:overlay() or g
      for _ = 1, 3 do
        for node in g:nodes() do
          if rng:chance(0.2) then map[rng:pick { "close", "open" }](map, node) end
        end
        if map == g and rng:chance(0.2) then map:prepare() end
        compare_graph(rng, map)
      end
    end)
  end)
end)
