-- SPDX-License-Identifier: MIT
-- Equal inputs give equal paths, bit for bit, under every Lua, compiler and level of optimisation.
local grid_reference = require "spec.support.grid_reference"
local moving = require "spec.support.moving_reference"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local bits, generator = moving.bits, moving.generator

-- A hash of texts: 31 bits, exact in doubles.
local function hash_of(list)
  local hash = 7
  for _, text in ipairs(list) do
    for i = 1, #text do hash = (hash * 131 + text:byte(i)) % 2147483647 end
  end
  return hash
end

local function level(random, dimensions)
  local g = wend.graph { dimensions = dimensions }
  local count = 600
  for _ = 1, count do
    if random() < 0.5 then -- on a lattice: ties
      g:add_node(10 * random(0, 9), 10 * random(0, 9), dimensions == 3 and 10 * random(0, 2) or nil)
    else
      g:add_node(random() * 100, random() * 100, dimensions == 3 and random() * 30 or nil)
    end
  end
  for n = 1, count do
    for _ = 1, 3 do
      local to = 1 + (n + random(-12, 12)) % count
      local kind = random(1, 10)
      g:add_edge(n, to, {
        weight = kind == 1 and random(0, 30) or kind == 2 and random() * 50 or nil,
        tag = kind <= 6 and "tag" .. random(1, 4) or nil, directed = random() < 0.3,
      })
    end
  end
  for _ = 1, 60 do
    local e = random(1, 3 * count)
    if g:has_edge(e) then g:remove_edge(e) end
  end
  for _ = 1, 10 do
    local n = random(1, count)
    if g:has(n) then g:remove_node(n) end
  end
  for _ = 1, 20 do g:add_edge(g:add_node(random() * 100, random() * 100, dimensions == 3 and 0 or nil), 1) end
  return g
end

local function trips(random, g)
  local nodes = reference.nodes(g)
  local costs = wend.costs { tag1 = 0.3, tag2 = { times = 1.7, plus = 0.9 }, tag3 = function() return 0.77, 0.1 end }
  costs:edge_rule("slope", function(_, cost, _, from, to) return from < to and cost * 1.1 or nil end, { at_least = 1 })
  local kinds = {
    {}, { algorithm = "dijkstra" }, { costs = costs }, { heuristic = "manhattan" }, { heuristic = "octile" },
    { cost = function(_, cost) return cost / 3 end }, { max_cost = 30, partial = true }, { max_cost = 90 },
  }
  local list = {}
  for i = 1, 400 do
    local opts = kinds[i % #kinds + 1]
    local from, to = nodes[random(1, #nodes)], nodes[random(1, #nodes)]
    local path, _, code = g:path(from, to, opts)
    local edges = path and path:edges() or {}
    for k, e in ipairs(edges) do edges[k] = ("%.0f"):format(e) end
    local ids = {}
    for k, n in ipairs(path or {}) do ids[k] = ("%.0f"):format(n) end
    list[i] = path and bits(path.cost) .. ":" .. table.concat(ids, "-") .. ":" .. table.concat(edges, "-") or code
  end
  return list
end

describe("four hundred searches of every kind", function()
  it("give the same in 2D as in earlier versions", function()
    local random = generator(20240229)
    assert.equal(1108600639, hash_of(trips(random, level(random, 2))))
  end)

  it("give the same in 3D as in earlier versions", function()
    local random = generator(19590611)
    assert.equal(1991318774, hash_of(trips(random, level(random, 3))))
  end)

  it("give the same again, in one run", function()
    local one, other = generator(7), generator(7)
    local list = trips(one, level(one, 2))
    collectgarbage()
    assert.same(list, trips(other, level(other, 2)))
  end)

  it("find paths of some length, all in all", function()
    local random, found = generator(20240229), 0
    local g = level(random, 2)
    for _ = 1, 100 do
      local nodes = reference.nodes(g)
      local path = g:path(nodes[random(1, #nodes)], nodes[random(1, #nodes)])
      found = found + (path and #path or 0)
    end
    assert.truthy(found > 500)
  end)
end)

-- Grids and fields -------------------------------------------------------------------------------------------------

-- A map as a list of calls, { method, ... }. Those on cells come first, one for each cell, in any order; then walls and
-- links. kind: what weights there are.
local function plan(random, kind, diagonals)
  local made = { width = random(20, 40), height = random(15, 30), diagonals = diagonals, cells = {}, others = {} }
  for y = 1, made.height do
    for x = 1, made.width do
      local draw, value = random(1, 20), 1
      if kind == "tenths" then value = random(1, 3) * 0.1 end -- sums that are equal but for the last bit
      if kind == "any" then value = random() * 4 end
      if draw <= 4 then
        value = false
      elseif draw <= 8 and kind ~= "one" then
        value = { weight = value, tag = "tag" .. random(1, 4) }
      elseif draw <= 8 then
        value = "tag" .. random(1, 4)
      end
      table.insert(made.cells, { "set", x, y, value })
    end
  end
  return made
end

local function add_walls(random, made)
  for _ = 1, 60 do
    local x, y = random(1, made.width - 1), random(1, made.height - 1)
    local way = random(1, 3)
    table.insert(made.others, { "wall", x, y, x + (way ~= 2 and 1 or 0), y + (way ~= 1 and 1 or 0) })
  end
  for _ = 1, 12 do
    local x1, y1, x2, y2 = random(1, made.width), random(1, made.height), random(1, made.width), random(1, made.height)
    table.insert(made.others, { "link", x1, y1, x2, y2,
      { weight = random(0, 80) * 0.25, tag = "tag" .. random(1, 4), directed = random() < 0.5 } })
  end
  return made
end

local unpack = table.unpack or unpack -- luacheck: ignore 143

local function build(made, reversed)
  local grid = wend.grid(made.width, made.height, { diagonals = made.diagonals })
  local function call(edit) grid[edit[1]](grid, unpack(edit, 2)) end
  if reversed then
    for _, edit in ipairs(made.others) do -- what is taken away again, or becomes another
      local x1, y1, x2, y2 = unpack(edit, 2, 5)
      call(edit)
      if edit[1] == "link" then grid:unlink(x1, y1, x2, y2) else grid:wall(x1, y1, x2, y2, false) end
    end
    grid:fill("tag4"):fill(0.3):fill("tag2"):fill(0.1):fill(7)
    for i = #made.cells, 1, -1 do call(made.cells[i]) end
  else
    for _, edit in ipairs(made.cells) do call(edit) end
  end
  for _, edit in ipairs(made.others) do call(edit) end
  return grid
end

local POLICIES = { "both_open", "one_open", "always", "never" }

-- Maps of every kind: jump points, plain cells, walls and links.
local function plans(random)
  local list = {}
  for i, policy in ipairs(POLICIES) do
    list[3 * i - 2] = plan(random, "one", policy)
    list[3 * i - 1] = plan(random, "tenths", policy)
    list[3 * i] = add_walls(random, plan(random, "any", policy))
  end
  return list
end

local function profile()
  return wend.costs { tag1 = 0.3, tag2 = { times = 1.7, plus = 0.9 }, tag3 = false,
    tag4 = function() return 0.77, 0.1 end }
end

local function show(path, _, code)
  return path and bits(path.cost) .. ":" .. table.concat(path, "-") or code
end

-- So many paths over a grid. sliced: a few cells at a time; busy: with other searches in between.
local function walks(random, grid, sliced, busy)
  local costs, windy, even = profile(), profile(), wend.costs { tag1 = 1, tag2 = 1, tag3 = false, tag4 = 1 }
  windy:edge_rule("wind", function(_, cost, _, x1, _, x2) return x1 < x2 and cost * 1.1 or nil end, { at_least = 1 })
  local kinds = {
    {}, { algorithm = "dijkstra" }, { costs = costs }, { costs = windy }, { costs = even }, { heuristic = "octile" },
    { cost = function(_, cost) return cost / 3 end }, { max_cost = 9, partial = true }, { max_expanded = 90 },
  }
  local list = {}
  for i = 1, 4 * #kinds do
    local opts = kinds[i % #kinds + 1]
    local function cell() return random(1, grid:width()), random(1, grid:height()) end
    local x1, y1 = cell()
    local goals = {}
    for g = 1, i % 5 == 0 and 3 or 1 do goals[2 * g - 1], goals[2 * g] = cell() end
    if busy then busy(i) end
    if sliced then
      local search, state = grid:search(x1, y1, goals, opts), "running"
      while state == "running" do
        state = search:step(i % 7 + 1)
        if busy then busy(i) end
      end
      list[i] = show(search:result())
    elseif goals[3] then
      list[i] = show(grid:path(x1, y1, goals, opts))
    else
      list[i] = show(grid:path(x1, y1, goals[1], goals[2], opts))
      local path = i % 4 == 0 and not opts.max_expanded and grid:path(x1, y1, goals[1], goals[2], opts)
      if path then
        list[i] = list[i] .. " straight " .. show(grid:straighten(path, { costs = opts.costs, cost = opts.cost }))
      end
    end
  end
  return list
end

-- All that a field says of a grid's cells.
local function dump(grid, field, leads)
  local list = { ("%s"):format(tostring(field)) }
  for cell = 0, grid:width() * grid:height() - 1 do -- not field:each, which leaves out what is closed
    local x, y = cell % grid:width() + 1, math.floor(cell / grid:width()) + 1
    local cost = field:cost(x, y)
    if cost then
      local to_x, to_y = field:next(x, y)
      list[#list + 1] = ("%d,%d:%s%s>%s,%s"):format(x, y, cost < 0 and "-" or "", bits(math.abs(cost)), tostring(to_x),
        tostring(to_y))
    end
  end
  for y = 1, leads and grid:height() or 0, 5 do list[#list + 1] = show(field:path(y % grid:width() + 1, y)) end
  return table.concat(list, " ")
end

-- Fields of every kind over a grid.
local function fields(random, grid, busy)
  local windy = profile()
  windy:edge_rule("wind", function(_, cost, _, x1, _, x2) return x1 < x2 and cost * 1.1 or nil end, { at_least = 1 })
  local kinds = {
    {}, { outward = true }, { costs = profile() }, { costs = windy, outward = true }, { window = 6 },
    { window = 4, costs = profile() }, { max_cost = 5.5 }, { cost = function(_, cost) return cost + 0.1 end },
  }
  local list = {}
  for _, opts in ipairs(kinds) do
    local goals = {}
    for g = 1, random(1, 3) do goals[2 * g - 1], goals[2 * g] = random(1, grid:width()), random(1, grid:height()) end
    if busy then busy(#list) end
    local field = grid:field(goals, opts)
    list[#list + 1] = dump(grid, field, true)
    list[#list + 1] = dump(grid, field:scale(-1.2), false)
    if busy then busy(#list) end
    list[#list + 1] = dump(grid, field:relax(), true)
  end
  return list
end

-- Both over all maps, one line each.
local function everything(seed, reversed, sliced, busy)
  local random, list = generator(seed), {}
  for _, made in ipairs(plans(random)) do
    local grid = build(made, reversed)
    local paths = walks(random, grid, sliced, busy)
    list[#list + 1] = table.concat(paths, "\n") .. "\n" .. table.concat(fields(random, grid, busy), "\n")
  end
  return list
end

describe("four hundred paths and three hundred fields over twelve grids", function()
  local function same(expected, got)
    for i, text in ipairs(expected) do
      local rest = got[i]:gmatch "[^\n]+"
      for line in text:gmatch "[^\n]+" do
        local other = rest()
        -- Not assert.equal: such a message takes ages.
        if line ~= other then error(("grid %d: %s\nis now: %s"):format(i, line:sub(1, 300), other:sub(1, 300)), 0) end
      end
    end
  end
  local expected
  local function first()
    expected = expected or everything(20240229)
    return expected
  end

  it("give the same as in earlier versions", function()
    assert.equal(559064352, hash_of(first()))
  end)

  it("give the same in slices of any size", function()
    for i, made in ipairs(plans(generator(7))) do
      local grid = build(made)
      local whole, sliced = walks(generator(i), grid), walks(generator(i), grid, true)
      for k, text in ipairs(whole) do assert.equal((text:gsub(" straight .*", "")), sliced[k]) end
    end
  end)

  it("give the same whatever kinds of cells there were first", function()
    local random = generator(1)
    for _ = 1, 75 do
      -- As many cells of each weight: their sum, and so their average, depends on the order in the last bit.
      local width, height, weights, values = 3 * random(2, 8), random(6, 24), { 0.1, 0.2, 0.3 }, {}
      for i = 1, width * height do
        local k = random(1, i)
        values[i] = values[k]
        values[k] = weights[i % 3 + 1]
      end
      local grids = {}
      for g, order in ipairs { { 1, 2, 3 }, { 3, 2, 1 }, { 2, 3, 1 } } do
        grids[g] = wend.grid(width, height, { diagonals = "never" })
        for _, i in ipairs(order) do grids[g]:fill(weights[i]) end
        for y = 1, height do
          for x = 1, width do grids[g]:set(x, y, values[(y - 1) * width + x]) end
        end
      end
      local fields_of = {}
      for g, grid in ipairs(grids) do fields_of[g] = dump(grid, grid:field(1, 1), true) end
      assert.is_true(fields_of[1] == fields_of[2] and fields_of[1] == fields_of[3])
    end
  end)

  it("give the same in grids built in another order, after other searches, and with others around #many", function()
    local crowd, random = {}, generator(99)
    for i, made in ipairs(plans(random)) do crowd[i] = build(made) end
    local agents = {}
    for i = 1, 9 do agents[i] = wend.costs { tag1 = i / 4, tag2 = i % 3 > 0 and i or false } end
    same(first(), everything(20240229, true, false, function(i)
      local grid, costs = crowd[i % #crowd + 1], agents[i % #agents + 1]
      grid:path(1, 1, grid:width(), grid:height(), { costs = costs })
      if i % 3 == 0 then grid:field(random(1, grid:width()), 3, { costs = costs, window = 5 }) end
      if i % 5 == 0 then collectgarbage() end
    end))
  end)

  it("are paths of some length, all in all", function()
    local cells, found = 0, 0
    for _, text in ipairs(first()) do
      for line in text:gmatch "[^\n]+" do
        if line:find "^%d+ e%-?%d+:%d" then
          found = found + 1
          cells = cells + select(2, line:gsub("%-", ""))
        end
      end
    end
    assert.truthy(found > 200 and cells > 4000, found .. " paths, " .. cells)
  end)
end)

-- Moving -----------------------------------------------------------------------------------------------------------

local function signed(number) return (number < 0 and "-" or "") .. bits(math.abs(number)) end

local function ids_of(list)
  local texts = {}
  for i, id in ipairs(list) do texts[i] = ("%.0f"):format(id) end
  return table.concat(texts, "-")
end

local function numbers_of(list)
  local texts = {}
  for i, number in ipairs(list) do texts[i] = signed(number) end
  return table.concat(texts, ",")
end

-- A place on a lattice twice as fine as that of the levels, where many nodes are equally far, or any place.
local function place(random, dimensions)
  if random() < 0.7 then return 5 * random(0, 19), 5 * random(0, 19), dimensions == 3 and 5 * random(0, 5) or nil end
  return random() * 100, random() * 100, dimensions == 3 and random() * 30 or nil
end

-- What is near, in three hundred places.
local function neighbours(random, g, dimensions)
  local list = {}
  for i = 1, 300 do
    local at, reach = { place(random, dimensions) }, i % 4 == 0 and 10 or i % 5 == 0 and random() * 15 or math.huge
    local nodes, distances = g:nearest(at, { limit = i % 11 + 1, max_distance = reach })
    local found = { g:nearest_edge(at, { max_distance = reach }) }
    local edge = table.remove(found, 1)
    list[i] = ("%s:%s %s:%s"):format(ids_of(nodes), numbers_of(distances), edge and ("%.0f"):format(edge) or "none",
      numbers_of(found))
  end
  return list
end

-- The same nodes and edges at the same places, after much else has been there.
local function shuffle(random, g, dimensions)
  local nodes, at = reference.nodes(g), {}
  g:nearest({ 1, 1, 1 })
  g:nearest_edge({ 1, 1, 1 })
  for i, n in ipairs(nodes) do at[i] = { g:position(n) } end
  for _ = 1, 2 do
    for _, n in ipairs(nodes) do g:move(n, random() * 500, random() * 500, dimensions == 3 and random() * 9 or nil) end
    local added = {}
    for i = 1, 90 do
      added[i] = g:add_node(place(random, dimensions))
      g:add_edge(added[i], nodes[random(1, #nodes)])
    end
    g:nearest_edge({ 1, 1, 1 })
    for i = 90, 1, -1 do g:remove_node(added[i]) end
  end
  for i = #nodes, 1, -1 do g:move(nodes[i], unpack(at[i], 1, dimensions)) end
end

-- So many varied paths over a graph or grid, and where they go. sliced: a few nodes at a time.
local function varied_paths(random, map, sliced)
  local costs, nodes = profile(), map.nodes and reference.nodes(map)
  local windy = profile()
  windy:edge_rule("wind", function(_, cost, _, x1, y1) return x1 < y1 and cost * 1.1 or nil end, { at_least = 1 })
  local kinds = {
    {}, { costs = costs }, { algorithm = "dijkstra" }, { costs = windy }, { heuristic = "chebyshev" },
    { max_cost = 70 }, { cost = function(_, cost) return cost / 3 end }, { partial = true },
  }
  local list = {}
  for i = 1, 10 * #kinds do
    local opts, ends = { variation = (i % 6) ^ 2 / 16, seed = i % 3 - 0.5 * i }
    for key, value in pairs(kinds[i % #kinds + 1]) do opts[key] = value end
    if nodes then
      ends = { nodes[random(1, #nodes)], nodes[random(1, #nodes)] }
    else
      ends = { random(1, map:width()), random(1, map:height()), random(1, map:width()), random(1, map:height()) }
    end
    ends[#ends + 1] = opts
    local path, message, code
    if sliced then
      local search, state = map:search(unpack(ends)), "running"
      while state == "running" do state = search:step(i % 7 + 1) end
      path, message, code = search:result()
    else
      path, message, code = map:path(unpack(ends))
    end
    list[i] = path and ("%s %s at %s"):format(bits(path.cost), ids_of(path),
      numbers_of(path:points { jitter = i % 4, seed = i / 7 })) or message and code
  end
  return list
end

local function routes(random, g, dimensions)
  local walls, sea = wend.walls(), profile()
  for _ = 1, 12 do
    local x, y = random(0, 99), random(0, 99)
    walls:add_segment(x, y, x + random(-9, 9), y + random(-9, 9))
    walls:add_circle(y, x, random() * 3)
    walls:add_polygon { x, y + 50, x + 4, y + 51, x + 5, y + 56 }
  end
  local list = {}
  for i = 1, 150 do
    local from, to = { place(random, dimensions) }, { place(random, dimensions) }
    local route, _, code = g:route(from, to, {
      enter = i % 2 == 0 and "edge" or nil, clear = i % 3 > 0 and walls or nil, costs = i % 4 == 0 and sea or nil,
      jitter = i % 5, variation = i % 7 / 10, seed = i, max_distance = i % 6 == 0 and 12 or nil,
    })
    list[i] = route and ("%s %s by %s"):format(bits(route.cost), numbers_of(route), ids_of(route.nodes)) or code
  end
  return list
end

describe("nearest nodes, varied paths, jitter and routes", function()
  local known = { [2] = { 315880283, 384114870, 1376929267 }, [3] = { 442437451, 1513806332, 2085848473 } }
  for dimensions, sums in pairs(known) do
    it(("are in %dD the same as in earlier versions"):format(dimensions), function()
      local random = generator(20261121)
      local g = level(random, dimensions)
      assert.same(sums, {
        hash_of(neighbours(random, g, dimensions)), hash_of(varied_paths(random, g)),
        hash_of(routes(random, g, dimensions)),
      })
    end)

    it(("are in %dD the same after many edits, and in slices"):format(dimensions), function()
      local g, other = level(generator(6), dimensions), level(generator(6), dimensions)
      shuffle(generator(3), other, dimensions)
      assert.same(neighbours(generator(8), g, dimensions), neighbours(generator(8), other, dimensions))
      assert.same(varied_paths(generator(9), g), varied_paths(generator(9), other, true))
      assert.same(routes(generator(9), g, dimensions), routes(generator(9), other, dimensions))
    end)
  end

  it("are over grids the same as in earlier versions, and in slices", function()
    local texts = {}
    for i, made in ipairs(plans(generator(20261121))) do
      local list = varied_paths(generator(i), build(made))
      assert.same(list, varied_paths(generator(i), build(made, true), true))
      texts[i] = table.concat(list, "\n")
    end
    assert.equal(903212710, hash_of(texts))
  end)
end)

describe("four hundred searches of every kind over grids", function()
  local function grid_level(random, uniform)
    local grid = wend.grid(random(30, 70), random(30, 70), { diagonals = grid_reference.POLICIES[uniform and 1
      or random(1, 4)] })
    local width, height = grid:width(), grid:height()
    for _ = 1, random(3, 12) do
      local x, y = random(1, width - 3), random(1, height - 3)
      grid:fill(x, y, random(x, math.min(width, x + 25)), y + random(0, 1), false)
    end
    if uniform then return grid end
    for _ = 1, width * height / 3 do
      grid:set(random(1, width), random(1, height), { weight = random(1, 9) / 4, tag = "tag" .. random(1, 4) })
    end
    for _ = 1, random(0, 40) do
      local x, y = random(1, width - 1), random(1, height - 1)
      grid:wall(x, y, x + random(0, 1), y + 1)
    end
    for _ = 1, random(0, 3) do
      grid:link(random(1, width), random(1, height), random(1, width), random(1, height),
        { weight = random(1, 40), tag = "tag" .. random(1, 4), directed = random() < 0.5 })
    end
    return grid
  end

  -- All cells with a cost, walls too.
  local function each_cost(field, width, height, fn)
    for y = 1, height do
      for x = 1, width do
        local cost = field:cost(x, y)
        if cost then fn(x, y, cost) end
      end
    end
  end

  local function grid_trips(random)
    local costs = wend.costs { tag1 = 0.3, tag2 = { times = 1.7, plus = 0.9 }, tag3 = function() return 0.77, 0.1 end }
    local hills = wend.costs({}, { base = costs }):edge_rule("slope", function(_, cost, _, x1, y1, x2, y2)
      return x1 + y1 < x2 + y2 and cost * 1.1 or nil
    end, { at_least = 1 })
    local kinds = {
      {}, { algorithm = "dijkstra" }, { costs = costs }, { heuristic = "octile" }, { costs = hills },
      { cost = function(_, cost) return cost / 3 end }, { max_cost = 30, partial = true }, { max_cost = 90 },
    }
    local hash = 7
    local function note(text)
      for i = 1, #text do hash = (hash * 131 + text:byte(i)) % 2147483647 end
    end
    for round = 1, 20 do
      local grid = grid_level(random, round % 4 == 0)
      local width, height = grid:width(), grid:height()
      for i = 1, 20 do
        local opts = kinds[i % #kinds + 1]
        local path, _, code = grid:path(random(1, width), random(1, height), random(1, width), random(1, height), opts)
        note(path and bits(path.cost) .. grid_reference.text(path) or code)
        if path and not path.partial then
          local straight = grid:straighten(path, { costs = opts.costs, cost = opts.cost })
          note(bits(straight.cost) .. grid_reference.text(straight))
        end
      end
      local field = grid:field(random(1, width), random(1, height), { costs = round % 2 == 0 and costs or hills,
        outward = round % 3 == 0, window = round % 5 == 0 and 12 or nil })
      each_cost(field, width, height, function(x, y, cost)
        local next_x, next_y = field:next(x, y)
        note(("%d,%d %s %d,%d"):format(x, y, bits(cost), next_x or 0, next_y or 0))
      end)
      field:scale(-1.2):relax()
      each_cost(field, width, height, function(x, y, cost) note(("%d,%d %s"):format(x, y, bits(cost))) end)
    end
    return hash
  end

  it("give the same as in earlier versions", function()
    assert.equal(627558863, grid_trips(generator(19980827)))
  end)
end)

-- ---- Crowds ----------------------------------------------------------------------------------

-- A hall with pillars and two doors. Walkers of several sizes, speeds and ranks go to single places, along points, by
-- a field and as groups; a door closes and opens, some are held, pushed, placed and removed.
describe("three thousand short paths over cells that cost the same", function()
  local list = {}
  local random = generator(20261130)
  for i = 1, 30 do
    local length = i % 3 == 0 and 1 + random(0, 9) / 10 or nil
    local grid = wend.grid(20 + random(0, 20), 20 + random(0, 20), { diagonal_length = length })
    local share = random(3, 35) / 100
    grid:map(function() return random() >= share and (i % 4 == 0 and 1.1 or 1) end)
    local function cell() return random(1, grid:width()), random(1, grid:height()) end
    for _ = 1, 100 do
      local x, y = cell()
      local x2, y2 = cell()
      x2 = math.max(1, math.min(grid:width(), x + x2 % 21 - 10))
      y2 = math.max(1, math.min(grid:height(), y + y2 % 21 - 10))
      local path, _, code = grid:path(x, y, x2, y2)
      list[#list + 1] = path and bits(path.cost) .. ":" .. table.concat(path, " ") or code
    end
  end

  it("give the same as in earlier versions", function()
    assert.equal(1341679134, hash_of(list))
  end)
end)

describe("crowds #move", function()
  -- The hash after each five seconds, in updates of dt. One of dt = 1/30 takes one step.
  local function walk(random, dt)
    local hall = wend.grid(48, 24):fill(24, 1, 24, 24, false):open(24, 6, 24, 7):open(24, 17, 24, 18)
    for _ = 1, 12 do hall:close(random(6, 20), random(2, 23)):close(random(28, 44), random(2, 23)) end
    hall:fill(30, 10, 36, 14, "mud")
    local crowd = wend.crowd { map = hall, costs = wend.costs { mud = 3 } }
    local list, lost = {}, 0
    function crowd.on_lost() lost = lost + 1 end
    while #list < 90 do
      local x, y = random(2, 47), random(2, 23)
      if hall:get(x, y) then
        list[#list + 1] = crowd:add {
          x = x + (random() - 0.5) * 0.3, y = y + (random() - 0.5) * 0.3, radius = 0.2 + 0.25 * random(),
          speed = 1 + random(), priority = random(0, 1), group = random(1, 4) == 1 and "others" or nil,
        }
      end
    end
    local field = hall:field(45, 3)
    local east, west = {}, {}
    for i, w in ipairs(list) do
      if i <= 25 then east[i] = w
      elseif i <= 40 then west[#west + 1] = w
      elseif i <= 60 then w:go(random(2, 47), random(2, 23))
      elseif i <= 70 then w:go(field)
      elseif i <= 80 then w:go { w.x, w.y, 23.5 + random(), 6.5, random(3, 20), random(3, 20) } end
    end
    crowd:go(east, 42, 19):go(west, 5, 5)
    local hashes = {}
    for part = 1, 6 do
      if part == 2 then hall:close(24, 6, 24, 7) end
      if part == 4 then hall:open(24, 6, 24, 7) end
      if part == 3 then list[85]:pause():place(24, 17.5) end
      if part == 5 then list[85]:resume():go(3, 12) end
      if part % 2 == 0 then
        for i = 61, 66 do list[i]:push(random() * 6 - 3, random() * 6 - 3) end
        list[90 - part]:remove()
      end
      for _ = 1, math.floor(5 / dt + 0.5) do crowd:update(dt) end
      hashes[part] = crowd:hash()
    end
    hashes[#hashes + 1] = ("%d %d"):format(crowd:count(), lost)
    return table.concat(hashes, " ")
  end

  it("give the same as in earlier versions", function()
    assert.equal(
      "23676280a72febd0 4732e80c340e4229 e662c8b00237380b a2d4dd8223a8f9fe 5433af3ab174b2ed 627f47a2cbd9b954 87 0",
      walk(generator(20111219), 1 / 30))
  end)

  it("give the same at every frame rate", function()
    local once = walk(generator(20111219), 1 / 30)
    assert.equal(once, walk(generator(20111219), 1 / 90))
    assert.equal(once, walk(generator(20111219), 0.1))
  end)
end)
