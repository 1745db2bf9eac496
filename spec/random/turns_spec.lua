-- SPDX-License-Identifier: MIT
-- Costs counted in turns on random maps, against a solver that plays turn by turn: which places an agent reaches within
-- each turn, and where it may then begin the next one. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local HUGE, with, near = math.huge, grid_reference.with, reference.near
local TAGS = { "mud", "zone", "ally", "road" }

local any -- whether the last step of a turn need not fit; random_turns sets it

-- The plain solver ---------------------------------------------------------------------------------------------------

-- One turn: the points used at each place that is reached, and the places where a step ends the turn. used: where it
-- begins.
local function play_turn(arcs, used, per_turn, passed)
  local ended, changed = {}, true
  while changed do
    changed = false
    for from, list in pairs(arcs) do
      for _, arc in ipairs(used[from] and list or {}) do
        local sum = used[from] + arc.cost
        if sum > per_turn * (1 + 1e-9) and any and used[from] < per_turn * (1 - 1e-9) and not passed[arc.to] then
          ended[arc.to] = true
        elseif sum > per_turn * (1 + 1e-9) or arc.ends and passed[arc.to] then -- luacheck: ignore 542
          -- it does not fit, or the turn would end where it may not
        elseif arc.ends and sum > 0 then
          ended[arc.to] = true
        elseif sum < (used[arc.to] or HUGE) - 1e-9 then
          used[arc.to], changed = sum, true
        end
      end
    end
  end
  return ended
end

-- The least cost in turns of each place where a path may end; of the start always.
local function solve(arcs, start, rest, per_turn, passed)
  local value, stops, used, turn, changed = {}, { [start] = true }, { [start] = per_turn - rest }, 0, true
  while changed or turn < 2 do
    changed = false
    local ended = play_turn(arcs, used, per_turn, passed)
    local function stop(place, cost)
      if passed[place] and place ~= start then return end
      if cost < (value[place] or HUGE) - 1e-9 then value[place], changed = cost, true end
      stops[place] = true
    end
    for place, sum in pairs(used) do stop(place, turn + sum / per_turn) end
    for place in pairs(ended) do stop(place, turn + 1) end
    used, turn = {}, turn + 1
    for place in pairs(stops) do used[place] = 0 end
  end
  return value
end

-- The cost in turns of the steps of a path alone, and the sum of their costs if there is one way to take each.
local function value_along(path, places, arcs, rest, per_turn, passed)
  local line, passed_there, sum = {}, {}, 0
  for i = 1, #places do
    line[i], passed_there[i] = {}, passed[places[i]]
    for _, arc in ipairs(arcs[places[i]]) do
      if arc.to == places[i + 1] then table.insert(line[i], { to = i + 1, cost = arc.cost, ends = arc.ends }) end
    end
    if i < #places then
      assert(#line[i] > 0, "no step")
      sum = sum and #line[i] == 1 and sum + line[i][1].cost
    end
  end
  if sum then near(sum, path.cost, "points") end
  return solve(line, 1, rest, per_turn, passed_there)[#places], line
end

-- Checks that the turns of a path end where it says.
local function check_turns(path, line, rest, per_turn, passed, places)
  local ends, before = path:turns(), 1
  assert.equal(#places > 1 and #places or nil, ends[#ends])
  assert.equal(path.turns_used, #ends - (ends[1] == 1 and #places > 1 and 1 or 0))
  for turn, last in ipairs(ends) do
    local used = turn == 1 and per_turn - rest or 0
    local over = false
    for i = before, last - 1 do
      local least, ending = HUGE, false
      for _, arc in ipairs(line[i]) do
        if arc.cost < least then least, ending = arc.cost, arc.ends end
      end
      assert.is_true(not over or least <= 1e-9 * per_turn, "a step after the end of a turn")
      used = used + least
      over = over or ending and #line[i] == 1 and used > 1e-9 * per_turn or any and used >= per_turn * (1 - 1e-9)
    end
    assert.is_true(any or used <= per_turn * (1 + 1e-6), "a turn is too long")
    assert.is_false(passed[places[last]] and last < #places and last > 1 or false)
    before = last
  end
end

-- What all maps have in common ----------------------------------------------------------------------------------------

local function random_turns(rng)
  local per_turn = rng:pick { 1, 2, 3, 4, 5, 7.5 }
  local options = { per_turn = per_turn }
  any = rng:chance(0.4)
  if any or rng:chance(0.3) then options.last_step = any and "any" or "fits" end
  if rng:chance(0.5) then options.rest = rng:pick { 0, 1, per_turn / 2, per_turn } end
  local values = { mud = rng:pick { 1, 2, { plus = 1 } }, zone = { ends_turn = rng:chance(0.7) },
    road = { times = 0.5 } }
  options.costs = wend.costs(values)
  local view = { pass_only = { "ally", "nowhere", rng:chance(0.3) and "road" or nil } }
  function view.tag(tag)
    local value = values[tag]
    if type(value) == "table" then return value.times or 1, value.plus or 0 end
    return value or 1, 0
  end
  if rng:chance(0.3) then
    function options.cost(_, cost, tag) return tag == "mud" and cost * 2 or cost end
    function view.edge(cost, tag) return tag == "mud" and cost * 2 or cost end
    options.at_least = rng:pick { 1, 0.5 }
  end
  view.ends = values.zone.ends_turn
  return options, view
end

local function is_passed(view, tag)
  for _, name in ipairs(view.pass_only) do
    if name == tag then return true end
  end
  return false
end

local function without(options, ...)
  local copy = with(options, {})
  for _, key in ipairs { ... } do copy[key] = nil end
  return copy
end

-- The least value of a goal, or of a place in range of one.
local function least_of(map, options, rest, per_turn, passed)
  local value, best = solve(map.arcs, map.start, rest, per_turn, passed), HUGE
  for _, goal in ipairs(options.within and map.within(options.within) or map.goals) do
    local arcs = map.onto and map.onto(goal)
    local own = arcs and solve(arcs, map.start, rest, per_turn, passed) or value
    if not passed[goal] then best = math.min(best, own[goal] or HUGE) end
  end
  return best
end

-- map: an object with ask(options), each(field), places(path), arcs, passed, goals, start.
local function compare(rng, map, options, closed)
  local per_turn, rest = options.per_turn, options.rest or options.per_turn
  local best = least_of(map, options, rest, per_turn, {})
  local path, _, code = map.ask(with(options, rng:pick { {}, {}, { algorithm = "dijkstra" }, { sliced = rng(9) } }))
  if best == HUGE then return assert.equal("no_path", code) end
  assert(path, code)
  local places = map.places(path)
  local arcs = map.onto and map.onto(places[#places]) or map.arcs
  local along, line = value_along(path, places, arcs, rest, per_turn, {})
  if not closed then near(best, along, "turns of the path") end
  near(math.ceil(best - 1e-6), math.ceil(along - 1e-6), "whole turns")
  check_turns(path, line, rest, per_turn, {}, places)
  if closed then return end
  if #places > 1 then assert.equal(math.max(1, math.ceil(along - 1e-6)), #path:turns()) end
  local most = best * rng:pick { 0.5, 0.99, 1, 1.01, 3 }
  if most ~= best and best > 0 then
    assert.equal(most > best, map.ask(with(options, { max_cost = most })) ~= nil, "max_cost")
  end
  assert(map.ask(with(options, { max_cost = best })), "max_cost of just the cost")
  assert(map.ask(with(options, { max_cost = most, partial = true })))
end

-- Places that can only be passed, without turns: one turn that does not end.
local function compare_passing(rng, map, options)
  local endless, arcs = 1e6, map.arcs
  map.arcs = {}
  for from, list in pairs(arcs) do
    map.arcs[from] = {}
    for i, arc in ipairs(list) do map.arcs[from][i] = { to = arc.to, cost = arc.cost } end
  end
  local best = least_of(map, options, endless, endless, map.passed) * endless
  map.arcs = arcs
  local asked = with(without(options, "per_turn", "rest", "last_step"), { pass_only = map.pass_only })
  local path, _, code = map.ask(with(asked, { sliced = rng:pick { nil, 3 } }))
  if best == HUGE then return assert.equal("no_path", code) end
  near(best, path.cost, "pass_only")
  local partial = map.places(map.ask(with(asked, { max_cost = best / 2, partial = true })))
  assert.is_false(map.passed[partial[#partial]] and #partial > 1 or false, "a partial path ends where it may only pass")
end

-- most: with places that can only be passed.
local function compare_outward(rng, map, options, most)
  local per_turn, rest, passed = options.per_turn, options.rest or options.per_turn, most and map.passed or {}
  local value, seen = solve(map.arcs, map.start, rest, per_turn, passed), {}
  local passing = most and { pass_only = map.pass_only, max_cost = most }
  local field = map.field(map.start, with(with(options, passing), { outward = true }))
  for place, cost in pairs(value) do
    if most and cost > most + 1e-9 then value[place] = nil end
  end
  for place = 1, #map.arcs do
    local cost = map.cost(field, place)
    if not (most and math.abs((value[place] or 0) - most) <= 1e-9) then
      assert.equal(value[place] == nil, cost == nil, "reached")
    end
    if cost then near(value[place], cost, "outward") end
    if cost and not options.cost and rng:chance(0.2) then
      local path = map.path_of(field, place)
      local along, line = value_along(path, map.places(path), map.arcs, rest, per_turn, passed)
      near(cost, along, "the path of an outward field")
      check_turns(path, line, rest, per_turn, passed, map.places(path))
    end
  end
  for place in map.each(field) do seen[place] = true end
  for place in pairs(seen) do assert.is_false(passed[place] or false, "each: a place that can only be passed") end
  if most then return end
  for place in pairs(value) do assert.is_true(seen[place] or map.shut[place] or false, "each") end
end

local function compare_backward(rng, map, options)
  local per_turn, goal = options.per_turn, map.goals[1]
  if any then return end -- there are no such fields
  local field = map.field(goal, with(options, { outward = false }))
  for place = 1, #map.arcs do
    if rng:chance(0.3) then
      local cost = map.cost(field, place)
      local value = place == goal and 0 or solve(map.arcs, place, per_turn, per_turn, {})[goal]
      assert.equal(not value, cost == nil, "reached backward")
      if cost then
        assert.equal(math.ceil(value - 1e-6), math.ceil(cost - 1e-6), "turns to a goal")
        if not options.cost then
          local path = map.path_of(field, place)
          local along, line = value_along(path, map.places(path), map.arcs, per_turn, per_turn, {})
          near(math.ceil(cost - 1e-6), math.ceil(along - 1e-6), "the path of a field")
          check_turns(path, line, per_turn, per_turn, {}, map.places(path))
        end
      end
    end
  end
end

local function ask(map, sliced, ...)
  if not sliced then return map:path(...) end
  local search = map:search(...)
  repeat until search:step(sliced) ~= "running"
  return search:result()
end

-- Grids --------------------------------------------------------------------------------------------------------------

local function random_grid(rng, whole)
  local policy = whole and "never" or rng:pick(grid_reference.POLICIES)
  local model = grid_reference.model(rng(2, 7), rng(2, 7), policy, rng:pick { 1.5, math.sqrt(2) })
  local w, h = model.width, model.height
  for y = 1, h do
    for x = 1, w do
      if rng:chance(0.5) then
        model:set(x, y, { weight = whole and rng(1, 3) or rng:pick { 0.5, 1, rng() * 3, 2 },
          tag = rng:chance(0.6) and rng:pick(TAGS) or nil, closed = rng:chance(0.2) })
      end
    end
  end
  for _ = 1, rng:pick { 0, 0, 3 } do
    local x, y = rng(w), rng(h)
    if x < w then model:wall(x, y, x + 1, y) end
  end
  for _ = 1, rng:pick { 0, 0, 3 } do
    local a, b = rng(w * h), rng(w * h)
    if a ~= b then
      local x1, y1 = model:at(a)
      local x2, y2 = model:at(b)
      model:link(x1, y1, x2, y2, { weight = rng(1, 4), tag = rng:chance(0.5) and rng:pick(TAGS) or nil,
        directed = rng:chance(0.3) })
    end
  end
  return model
end

-- The steps of a model, of which links are others.
local function arcs_of(model, view)
  local arcs, links = {}, model.links
  for from = 1, model.width * model.height do
    local list, x, y = {}, model:at(from)
    local function add(to, cost, tag)
      if cost < HUGE then
        local ends = view.ends and (tag == "zone" or model.tag[to] == "zone") or false
        list[#list + 1] = { to = to, cost = cost, ends = ends }
      end
    end
    for dy = -1, 1 do
      for dx = -1, 1 do
        if (dx ~= 0 or dy ~= 0) and model:inside(x + dx, y + dy) then
          add(model:cell(x + dx, y + dy), model:step(view, x, y, x + dx, y + dy))
        end
      end
    end
    for to, link in pairs(links[from]) do
      local times, plus = 1, 0
      if link.tag then times, plus = view.tag(link.tag) end
      local cost = link.weight * times + plus
      if view.edge then cost = view.edge(cost, link.tag) end
      if model.weight[to] then add(to, cost, link.tag) end
    end
    arcs[from] = list
  end
  return arcs
end

local function grid_map(rng, model, view, closed)
  local grid, cells = model.grid, model.width * model.height
  local map = { arcs = arcs_of(model, view), pass_only = view.pass_only, passed = {}, shut = {}, start = rng(cells),
    goals = { rng(cells) } }
  while rng:chance(0.3) do table.insert(map.goals, (rng(cells))) end
  for cell = 1, cells do
    map.passed[cell] = is_passed(view, model.tag[cell])
    map.shut[cell] = not model.weight[cell]
  end
  local x, y = model:at(map.start)
  function map.ask(asked)
    local list, sliced = {}, asked.sliced
    for _, goal in ipairs(map.goals) do
      list[#list + 1], list[#list + 2] = model:at(goal)
    end
    return ask(grid, sliced, x, y, list, without(asked, "sliced"))
  end
  -- The cells in range of a goal.
  function map.within(range)
    local list = {}
    for cell = 1, cells do
      local x1, y1 = model:at(cell)
      for _, goal in ipairs(map.goals) do
        local x2, y2 = model:at(goal)
        if (x1 - x2) ^ 2 + (y1 - y2) ^ 2 <= range ^ 2 then list[#list + 1] = cell end
      end
    end
    return list
  end
  function map.places(path)
    local places = {}
    for i = 1, #path, 2 do places[#places + 1] = model:cell(path[i], path[i + 1]) end
    return places
  end
  function map.field(place, asked)
    local px, py = model:at(place)
    return grid:field(px, py, not asked.outward and without(asked, "rest") or asked)
  end
  function map.cost(field, place) return field:cost(model:at(place)) end
  function map.path_of(field, place)
    local px, py = model:at(place)
    return assert(field:path(px, py))
  end
  function map.each(field)
    local next_cell, state, first = field:each()
    return function()
      local px, py = next_cell(state, first)
      first = px
      return px and model:cell(px, py)
    end
  end
  map.onto = closed and function(goal)
    if model.weight[goal] then return nil end
    model.weight[goal] = model.kept[goal]
    local arcs, onto = arcs_of(model, view), {}
    model.weight[goal] = false
    for from, list in pairs(map.arcs) do
      onto[from] = { (table.unpack or unpack)(list) } -- luacheck: ignore 113 143
      for _, arc in ipairs(arcs[from]) do
        if arc.to == goal then table.insert(onto[from], arc) end
      end
    end
    return onto
  end
  return map
end

-- Graphs -------------------------------------------------------------------------------------------------------------

local function graph_map(rng, view)
  local graph, count, arcs, tags = wend.graph(), rng(2, 25), {}, {}
  local map = { arcs = arcs, pass_only = view.pass_only, passed = {}, shut = {}, goals = {} }
  for i = 1, count do
    tags[i] = rng:chance(0.5) and rng:pick(TAGS) or nil
    graph:add_node(rng(0, 9), rng(0, 9), { tag = tags[i] })
    arcs[i], map.passed[i] = {}, is_passed(view, tags[i])
  end
  for _ = 1, count do
    if rng:chance(0.1) then
      local node = rng(count)
      graph:close(node)
      map.shut[node] = true
    end
  end
  for _ = 1, count * 2 do
    local a, b, weight = rng(count), rng(count), rng:pick { 0, 1, 2, 3, rng() * 4 }
    local tag = rng:chance(0.4) and rng:pick(TAGS)
    local directed = rng:chance(0.3)
    if a ~= b then
      graph:add_edge(a, b, { weight = weight, tag = tag or nil, directed = directed })
      local function add(from, to)
        local cost = weight
        for _, name in ipairs { tag or false, tags[to] or false } do
          if name then
            local times, plus = view.tag(name)
            cost = cost * times + plus
          end
        end
        if view.edge and (tag == "mud") then cost = cost * 2 end
        if map.shut[to] then return end
        local ends = view.ends and (tag == "zone" or tags[to] == "zone") or false
        table.insert(arcs[from], { to = to, cost = cost, ends = ends })
      end
      add(a, b)
      if not directed then add(b, a) end
    end
  end
  map.start = rng(count)
  repeat table.insert(map.goals, (rng(count))) until rng:chance(0.7)
  function map.ask(asked) return ask(graph, asked.sliced, map.start, map.goals, without(asked, "sliced")) end
  function map.places(path) return path end
  function map.field(place, asked) return graph:field(place, not asked.outward and without(asked, "rest") or asked) end
  function map.cost(field, place) return field:cost(place) end
  function map.path_of(field, place) return assert(field:path(place)) end
  function map.each(field) return field:each() end
  return map
end

describe("turns, on random maps:", function()
  it("paths and fields of grids are those of a game that is played turn by turn", function()
    helper.rounds("turns grids", 60, function(rng)
      local options, view = random_turns(rng)
      local closed = rng:chance(0.3)
      local map = grid_map(rng, random_grid(rng, rng:chance(0.4)), view, closed)
      compare(rng, map, closed and with(options, { closed_goal = true }) or options, closed)
      if not closed then
        compare(rng, map, with(options, { within = rng(0, 3) }))
        compare_passing(rng, map, with(options, { within = rng:pick { nil, 2 } }))
      end
      compare_outward(rng, map, options)
      compare_outward(rng, map, options, rng:pick { 0.5, 1 })
      compare_backward(rng, map, options)
    end)
  end)

  -- A wall anywhere lets a search compute each step on its own.
  it("searches of plain grids find what those of grids with a wall find", function()
    helper.rounds("turns plain", 40, function(rng)
      local options = random_turns(rng)
      local w, h = rng(5, 40), rng(5, 40)
      local kinds = rng:pick { { 1 }, { 1, 2, 3 }, { 0, 1, 1, 1 }, { 0.5, 1, 1.7 } }
      local plain = wend.grid(w, h, { diagonals = rng:pick(grid_reference.POLICIES) })
      plain:map(function()
        if rng:chance(0.15) then return false end
        return rng:chance(0.3) and rng:pick(TAGS) or rng:pick(kinds)
      end)
      plain:set(w, h, false):set(w - 1, h, false)
      local walled = plain:copy():wall(w - 1, h, w, h)
      local danger, same = wend.influence(plain):stamp(3, 3, 4, 1), wend.influence(walled):stamp(3, 3, 4, 1)
      if rng:chance(0.3) then options.within = rng(0, 4) elseif rng:chance(0.3) then options.closed_goal = true end
      if rng:chance(0.3) then options.max_cost = rng() * 8 end
      if rng:chance(0.3) then plain:prepare() end
      local layered = rng:chance(0.4)
      local sliced = rng:chance(0.4) and rng(1, 9)
      for _ = 1, 10 do
        local x1, y1, x2, y2 = rng(w), rng(h - 1), rng(w), rng(h - 1)
        local function arrival(map, layer)
          local asked = with(options, { influence = layered and { layer, 1 } or nil })
          local path = ask(map, sliced, x1, y1, x2, y2, asked)
          return path and #path:turns()
        end
        assert.equal(arrival(walled, same), arrival(plain, danger))
      end
    end)
  end)

  it("paths and fields of graphs are, too", function()
    helper.rounds("turns graphs", 60, function(rng)
      local options, view = random_turns(rng)
      local map = graph_map(rng, view)
      compare(rng, map, options)
      compare_passing(rng, map, options)
      compare_outward(rng, map, options)
      compare_outward(rng, map, options, rng:pick { 0.5, 1 })
      compare_backward(rng, map, options)
    end)
  end)
end)
