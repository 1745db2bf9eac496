-- SPDX-License-Identifier: MIT
-- graph:link against the simplest method: for each node, all others sorted. A failure prints WEND_SEED and WEND_ROUND.
local collector = require "spec.support.collector"
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local moving = require "spec.support.moving_reference"
local wend = require "wend"

local HUGE, NAN = math.huge, 0 / 0
local raises = helper.raises

-- A position in text, in which every Lua writes numbers alike.
local function place(at)
  local numbers = {}
  for axis = 1, #at do numbers[axis] = ("%.17g"):format(at[axis]) end
  return table.concat(numbers, ",")
end

local function before(a, b)
  if a.distance ~= b.distance then return a.distance < b.distance end
  for axis = 1, #a.at do
    if a.at[axis] ~= b.at[axis] then return a.at[axis] < b.at[axis] end
  end
  return a.id < b.id
end

-- Whether a node comes before another: by where they are.
local function comes_first(a, at, b, other)
  return before({ distance = 0, at = at, id = a }, { distance = 0, at = other, id = b })
end

---The pairs { from, to } that are to be joined, by id. points: by id, false: without a position. opts: k, max_distance,
---directed, free (a function of two positions), joined (a function of two ids)
local function expected_pairs(points, opts)
  local known, pairs_found = {}, {}
  for id, at in pairs(points) do
    local near = {}
    for other, place_of in pairs(at and points or {}) do
      if other ~= id and place_of then
        local distance = moving.distance(at, place_of)
        if distance <= (opts.max_distance or HUGE) then
          near[#near + 1] = { id = other, at = place_of, distance = distance }
        end
      end
    end
    table.sort(near, before)
    for i = 1, math.min(opts.limit or 4, #near) do
      local from, to = id, near[i].id
      if not opts.directed and comes_first(to, points[to], from, points[from]) then from, to = to, from end
      local key = from .. " " .. to
      local taken = opts.joined and (opts.joined(from, to) or not opts.directed and opts.joined(to, from))
      if not known[key] and not taken then
        known[key] = true
        if not opts.free or opts.free(points[from], points[to]) then pairs_found[#pairs_found + 1] = { from, to } end
      end
    end
  end
  table.sort(pairs_found, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end)
  return pairs_found
end

-- The pairs of the edges after the first `old`.
local function made_pairs(g, old)
  local list = {}
  for id = old + 1, g:edge_count() do
    local edge = g:edge(id)
    list[#list + 1] = { edge.from, edge.to }
  end
  return list
end

local function text(points, list, directed)
  local lines, seen = {}, {}
  for _, pair in ipairs(list) do
    local a, b = place(points[pair[1]]), place(points[pair[2]])
    if not directed and a > b then a, b = b, a end
    local line = a .. " to " .. b
    if not seen[line] then lines[#lines + 1] = line end
    seen[line] = true
  end
  table.sort(lines)
  return table.concat(lines, "\n")
end

-- A graph of points; false: a node without a position.
local function graph_of(points, dimensions)
  local g = wend.graph { dimensions = dimensions }
  for _, at in ipairs(points) do
    if at then g:add_node(at[1], at[2], at[3]) else g:add_node() end
  end
  return g
end

local function random_points(rng, dimensions, count)
  local kind, list = rng:pick { "anywhere", "lattice", "line", "heap", "spots", "whole" }, {}
  for i = 1, count do
    local at = {}
    for axis = 1, dimensions do
      if kind == "anywhere" then at[axis] = rng() * 100
      elseif kind == "lattice" then at[axis] = rng(0, 4)
      elseif kind == "line" then at[axis] = axis == 1 and i or 3
      elseif kind == "heap" then at[axis] = 7
      elseif kind == "spots" then at[axis] = rng(0, 1) * 10
      else at[axis] = rng(-30, 30) end
    end
    list[i] = at
  end
  return list
end

-- The same list in another order.
local function shuffled(rng, list)
  local copy = {}
  for i, value in ipairs(list) do copy[i] = value end
  for i = #copy, 2, -1 do
    local k = rng(i)
    copy[i], copy[k] = copy[k], copy[i]
  end
  return copy
end

-- A lattice of points one apart: width x height, row by row.
local function lattice(width, height)
  local list = {}
  for y = 1, height do
    for x = 1, width do list[#list + 1] = { x, y } end
  end
  return list
end

describe("graph:link", function()
  it("joins each node to its nearest and says how many edges that made", function()
    local g = graph_of { { 0, 0 }, { 1, 0 }, { 3, 0 }, { 7, 0 } }
    assert.equal(3, g:link { limit = 1 }) -- 1-2, 3-2, 4-3
    assert.same({ { 1, 2 }, { 2, 3 }, { 3, 4 } }, made_pairs(g, 0))
    local edge = g:edge(3)
    assert.same({ 4, false, false }, { edge.weight, edge.directed, edge.closed })
    assert.equal(nil, edge.tag)
    assert.equal(7, g:path(1, 4).cost)
    assert.equal(7, g:path(4, 1).cost)
  end)

  it("joins to the four nearest unless told otherwise", function()
    local points = {}
    for i = 1, 7 do points[i] = { 2 ^ i, 0 } end
    for _, opts in ipairs { false, {}, { limit = 4 } } do
      local g = graph_of(points)
      assert.equal(#expected_pairs(points, {}), g:link(opts or nil))
      assert.same(expected_pairs(points, {}), made_pairs(g, 0))
    end
  end)

  it("makes one-way edges where they are to be directed", function()
    local g = graph_of { { 0, 0 }, { 1, 0 }, { 3, 0 } }
    assert.equal(3, g:link { limit = 1, directed = true })
    assert.same({ { 1, 2 }, { 2, 1 }, { 3, 2 } }, made_pairs(g, 0))
    for id = 1, 3 do assert.equal(true, g:edge(id).directed) end
    assert.equal(nil, (g:path(1, 3)))
    assert.equal(3, g:path(3, 1).cost)
  end)

  it("does nothing without nodes to join", function()
    for _, g in ipairs { wend.graph(), graph_of { { 1, 2 } }, graph_of { false, false, { 1, 2 } },
      wend.graph { dimensions = 3 } } do
      assert.equal(0, g:link())
      assert.equal(0, g:link { limit = 3, directed = true, tag = "road", max_distance = 5, walls = wend.walls() })
      assert.equal(0, g:edge_count())
    end
  end)

  it("joins to all others where k is as large", function()
    for _, k in ipairs { 3, 4, 1000, 1e6, 1e9, 2 ^ 52 } do
      local g = graph_of { { 0, 0 }, { 1, 0 }, { 0, 5 }, { 9, 9 } }
      assert.equal(6, g:link { limit = k })
    end
  end)

  it("goes no farther than max_distance, which counts as near", function()
    local points = { { 0, 0 }, { 3, 4 }, { 20, 0 } }
    assert.equal(1, graph_of(points):link { max_distance = 5 })
    assert.equal(0, graph_of(points):link { max_distance = 4.999 })
    assert.equal(3, graph_of(points):link { max_distance = HUGE })
    assert.equal(0, graph_of(points):link { max_distance = 0 })
    assert.equal(1, graph_of { { 2, 2 }, { 2, 2 }, { 2, 3 } }:link { max_distance = 0 })
  end)

  it("takes those with the smaller x, then y, then z of those equally far", function()
    local around = { { 0, 1 }, { 1, 0 }, { 0, -1 }, { -1, 0 } }
    local wanted = { { -1, 0 }, { 0, -1 }, { 0, 1 }, { 1, 0 } }
    for turn = 1, 4 do
      local points = { { 0, 0 } }
      for i = 1, 4 do points[i + 1] = around[(i + turn) % 4 + 1] end
      for k = 1, 4 do
        local g = graph_of(points)
        g:link { limit = k, directed = true }
        local got = {}
        for _, to in g:edges(1) do got[#got + 1] = points[to] end
        table.sort(got, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end)
        assert.same({ (unpack or table.unpack)(wanted, 1, k) }, got)
      end
    end
    local g = graph_of({ { 0, 0, 0 }, { 0, 0, 1 }, { 0, 0, -1 } }, 3)
    g:link { limit = 1, directed = true }
    assert.same({ { 1, 3 }, { 2, 1 }, { 3, 1 } }, made_pairs(g, 0))
  end)

  it("takes the same of many that are equally far, in whatever order they came", function()
    -- 70 on one spot, and one on another: more than fit into what is looked at first
    local points = { { 0, 0 } }
    for i = 1, 70 do points[i + 1] = { 1, 0 } end
    points[72] = { -1, 0 }
    local backward = {}
    for i = 1, 72 do backward[i] = points[73 - i] end
    local texts = {}
    for i, list in ipairs { points, backward } do
      local g = graph_of(list)
      g:link { limit = 1, directed = true }
      texts[i] = text(list, made_pairs(g, 0), true)
    end
    assert.equal("-1,0 to 0,0\n0,0 to -1,0\n1,0 to 1,0", texts[1])
    assert.equal(texts[1], texts[2])

    -- on a circle: 128 points in whole numbers whose squares have the same sum
    local circle = { { 0, 0 } }
    for x = -1088, 1088 do
      local y = math.floor(math.sqrt(1185665 - x * x) + 0.5)
      if x * x + y * y == 1185665 then
        circle[#circle + 1] = { x, y }
        circle[#circle + 1] = { x, -y }
      end
    end
    assert.equal(129, #circle)
    local rng = helper.rng "circle"
    for _ = 1, 3 do
      local list = shuffled(rng, circle)
      local g = graph_of(list)
      g:link { limit = 3, directed = true }
      assert.equal(text(list, expected_pairs(list, { limit = 3, directed = true }), true),
        text(list, made_pairs(g, 0), true))
    end
  end)

  it("leaves nodes without a position alone, and takes them in once they have one", function()
    local g = graph_of { { 0, 0 }, false, { 5, 0 } }
    assert.equal(1, g:link())
    assert.same({ { 1, 3 } }, made_pairs(g, 0))
    g:move(2, 2, 0)
    assert.equal(2, g:link())
    assert.same({ { 1, 2 }, { 2, 3 } }, made_pairs(g, 1))
    assert.equal(0, g:link())
  end)

  it("joins closed nodes too", function()
    local g = graph_of { { 0, 0 }, { 1, 0 } }
    g:close(2)
    assert.equal(1, g:link())
    assert.equal(nil, (g:path(1, 2)))
    g:open(2)
    assert.equal(1, g:path(1, 2).cost)
  end)

  it("leaves out pairs that an edge joins already", function()
    local points = { { 0, 0 }, { 1, 0 }, { 2, 0 } }
    local g = graph_of(points)
    g:add_edge(2, 1, { weight = 50, directed = true })
    assert.equal(1, g:link { limit = 1 })
    assert.same({ { 2, 3 } }, made_pairs(g, 1))
    assert.equal(1, g:link { limit = 2 }) -- 1-3
    assert.equal(0, g:link { limit = 2 })
    assert.equal(3, g:edge_count())

    g = graph_of(points)
    g:add_edge(2, 1, { directed = true })
    assert.equal(2, g:link { limit = 1, directed = true }) -- not 2 to 1
    assert.same({ { 1, 2 }, { 3, 2 } }, made_pairs(g, 1))
    assert.equal(0, g:link { limit = 1, directed = true })

    g = graph_of(points)
    g:add_edge(3, 2)
    g:add_edge(1, 1)
    assert.equal(2, g:link { limit = 1, directed = true }) -- 1 to 2, 2 to 1
    assert.same({ { 1, 2 }, { 2, 1 } }, made_pairs(g, 2))
  end)

  it("takes a closed edge for an edge, and a removed one for none", function()
    local g = graph_of { { 0, 0 }, { 1, 0 } }
    local edge = g:add_edge(1, 2)
    g:close_edge(edge)
    assert.equal(0, g:link())
    g:remove_edge(edge)
    assert.equal(1, g:link())
  end)

  it("gives its edges the tag", function()
    local g = graph_of { { 0, 0 }, { 1, 0 }, { 2, 0 } }
    g:add_edge(1, 2, { tag = "road" })
    assert.equal(1, g:link { limit = 1, tag = "path" })
    assert.same({ "road", "path" }, { g:edge(1).tag, g:edge(2).tag })
    assert.equal(8, g:path(1, 3, { costs = wend.costs { path = 7 } }).cost)
    g:move(3, 4, 0)
    assert.equal(4, g:path(1, 3).cost) -- they are measured
  end)

  it("joins nothing through walls, and nothing farther instead", function()
    local points = { { 0, 0 }, { 2, 0 }, { 0, 9 }, { 2, 9 } }
    local walls = wend.walls()
    walls:add_segment(1, -5, 1, 5)
    local g = graph_of(points)
    assert.equal(1, g:link { limit = 1, walls = walls })
    assert.same({ { 3, 4 } }, made_pairs(g, 0))
    g = graph_of(points)
    assert.equal(3, g:link { limit = 2, walls = walls })
    assert.same({ { 1, 3 }, { 2, 4 }, { 3, 4 } }, made_pairs(g, 0))
    g = graph_of(points)
    assert.equal(3, g:link { limit = 2, clear = walls })
    g = graph_of({ { 0, 0, 0 }, { 2, 0, 0 }, { 0, 9, 70 }, { 2, 9, 70 } }, 3)
    assert.equal(1, g:link { limit = 1, walls = walls }) -- from above
    assert.same({ { 3, 4 } }, made_pairs(g, 0))
  end)

  it("asks whatever can say whether a line is clear", function()
    local points = { { 0.5, 0.5 }, { 2.5, 0.5 }, { 0.5, 3.5 }, { 2.5, 3.5 } }
    local grid = wend.parse_grid { ".#.", ".#.", "...", "..." }
    local object = { clear = function(_, x1, y1, x2, y2) return grid:clear_points(x1, y1, x2, y2) end }
    for _, clear in ipairs { grid, object, function(...) return grid:clear_points(...) end } do
      local g = graph_of(points)
      assert.equal(3, g:link { limit = 2, clear = clear })
      assert.same({ { 1, 3 }, { 2, 4 }, { 3, 4 } }, made_pairs(g, 0))
    end
  end)

  it("needs both walls and clear to be free", function()
    local points = { { 0, 0 }, { 2, 0 }, { 0, 9 }, { 2, 9 } }
    local g, asked, walls = graph_of(points), {}, wend.walls()
    walls:add_segment(1, -5, 1, 5)
    assert.equal(1, g:link {
      limit = 2, walls = walls,
      clear = function(x1, y1, x2, y2)
        asked[#asked + 1] = place { math.abs(x1 - x2), math.abs(y1 - y2) }
        return x1 == x2 and x1 == 0
      end,
    })
    assert.same({ { 1, 3 } }, made_pairs(g, 0))
    table.sort(asked)
    assert.same({ "0,9", "0,9", "2,0" }, asked) -- not what walls have refused
  end)

  it("asks from the end with the smaller x, then y, whatever the ids", function()
    for _, points in ipairs { { { 5, 5 }, { 0, 9 }, { 5, 0 } }, { { 5, 0 }, { 5, 5 }, { 0, 9 } } } do
      local asked = {}
      graph_of(points):link { clear = function(x1, y1, x2, y2)
        asked[#asked + 1] = place { x1, y1 } .. " to " .. place { x2, y2 }
      end }
      table.sort(asked)
      assert.same({ "0,9 to 5,0", "0,9 to 5,5", "5,0 to 5,5" }, asked)
    end
  end)

  it("asks about each pair once, from end to end, and about none that is joined", function()
    for _, directed in ipairs { false, true } do
      local points = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 10 }, { 3, 3, 3 } }
      local g, asked = graph_of(points, 3), {}
      g:add_edge(1, 2)
      local made = g:link { directed = directed, clear = function(x1, y1, z1, x2, y2, z2, ...)
        assert.equal(0, select("#", ...))
        local a, b = place { x1, y1, z1 }, place { x2, y2, z2 }
        if not directed and a > b then a, b = b, a end
        asked[#asked + 1] = a .. " to " .. b
        return true
      end }
      assert.equal(directed and 10 or 5, made)
      table.sort(asked)
      assert.equal(text(points, made_pairs(g, 1), directed), table.concat(asked, "\n"))
    end
  end)

  it("takes nil and false for blocked and all else for free", function()
    for _, answer in ipairs { true, 1, 0, "", "no", {}, print, NAN } do
      assert.equal(1, graph_of { { 0, 0 }, { 1, 0 } }:link { clear = function() return answer end })
    end
    local g = graph_of { { 0, 0 }, { 1, 0 } }
    assert.equal(0, g:link { clear = function() return false end })
    assert.equal(0, g:link { clear = function() return nil end })
    assert.equal(0, g:link { clear = function() end })
    assert.equal(0, g:edge_count())
  end)

  it("joins the neighbours of a lattice", function()
    local points = lattice(7, 5)
    local g = graph_of(points)
    assert.equal(7 * 4 + 6 * 5, g:link { limit = 8, max_distance = 1 })
    g = graph_of(points)
    assert.equal(7 * 4 + 6 * 5 + 2 * 6 * 4, g:link { limit = 8, max_distance = 1.5 })
    g = graph_of(points)
    local pairs_wanted = expected_pairs(points, { limit = 3 })
    assert.equal(#pairs_wanted, g:link { limit = 3 })
    assert.same(pairs_wanted, made_pairs(g, 0))
  end)

  it("leaves paths and fields valid where it makes nothing, and stale where it makes something", function()
    local g = graph_of { { 0, 0 }, { 1, 0 }, { 5, 0 } }
    g:add_edge(1, 2)
    local path, field = g:path(1, 2), g:field(1)
    g:link { max_distance = 1 }
    g:link { clear = function() return false end }
    assert.same({ true, true }, { path:valid(), field:valid() })
    g:link()
    assert.equal(false, field:valid())
  end)

  it("joins the same nodes as sorting all others", function()
    helper.rounds("link", 150, function(rng)
      local dimensions, count = rng(2, 3), rng:pick { 0, 1, 2, rng(3, 12), rng(12, 45) }
      local points = random_points(rng, dimensions, count)
      local unplaced = rng:chance(0.2) and 0.2 or 0
      for i = 1, count do
        if rng:chance(unplaced) then points[i] = false end
      end
      local g, joined = graph_of(points, dimensions), {}
      for _ = 1, count > 0 and rng:pick { 0, 0, 5, 40 } or 0 do
        local from, to, one_way = rng(count), rng(count), rng:chance(0.5)
        g:add_edge(from, to, { weight = 1, directed = one_way })
        joined[from .. " " .. to] = true
        if not one_way then joined[to .. " " .. from] = true end
      end
      local opts = { limit = rng:pick { 1, 2, 3, 4, 6, 60 }, directed = rng:chance(0.4) }
      if rng:chance(0.4) and count > 1 then
        local a, b = rng:pick(points), rng:pick(points)
        if a and b then opts.max_distance = moving.distance(a, b) end
      end
      local walls, list
      if rng:chance(0.3) then walls, list = moving.random_walls(rng, { count = 3, size = 20, whole = true }) end
      local turn = rng:chance(0.3) and rng(2, 4)
      local function free(...) return math.floor(moving.distance(...) * 7) % turn ~= 0 end
      local wanted = expected_pairs(points, {
        limit = opts.limit, max_distance = opts.max_distance, directed = opts.directed,
        joined = function(a, b) return joined[a .. " " .. b] end,
        free = function(a, b)
          return (not turn or free(a, b)) and (not list or walls:clear(a[1], a[2], b[1], b[2]))
        end,
      })
      opts.walls = walls
      if turn then
        opts.clear = function(...)
          local numbers = { ... }
          local a, b = {}, {}
          for axis = 1, dimensions do a[axis], b[axis] = numbers[axis], numbers[axis + dimensions] end
          return free(a, b)
        end
      end
      local old = g:edge_count()
      local made = g:link(opts)
      assert.equal(g:edge_count() - old, made)
      local got = made_pairs(g, old)
      assert.same(wanted, got)
      for id = old + 1, old + made do
        local edge = g:edge(id)
        assert.equal(opts.directed, edge.directed)
        local length = moving.distance(points[edge.from], points[edge.to])
        assert.truthy(moving.close(length, edge.weight) or math.abs(length - edge.weight) < 1e-160)
      end
    end)
  end)

  it("joins the same nodes as sorting all others where many nodes share few positions, also after removals", function()
    helper.rounds("link heaps", 40, function(rng)
      local dimensions, points = rng(2, 3), {}
      local spots = random_points(rng, dimensions, rng(6))
      local g = wend.graph { dimensions = dimensions }
      for _ = 1, rng(20, 90) do
        local at = rng:pick(spots)
        local id = g:add_node(at[1], at[2], at[3])
        points[id] = at
        if rng:chance(0.3) then -- its slot is used again, and the order of ids is no longer that of slots
          g:remove_node(id)
          points[id] = nil
        end
      end
      local opts = { limit = rng:pick { 1, 2, 4, 7, 40 }, directed = rng:chance(0.4) }
      if rng:chance(0.3) then opts.max_distance = rng:pick { 0, 1, 10, 12 } end
      local wanted = expected_pairs(points, opts)
      local function pairs_made(old)
        local list = {}
        for n in g:nodes() do
          for id, to in g:edges(n) do
            local edge = g:edge(id)
            if id > old and edge.from == n then list[#list + 1] = { n, to } end
          end
        end
        table.sort(list, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end)
        return list
      end
      assert.equal(#wanted, g:link(opts))
      assert.same(wanted, pairs_made(0))
      assert.equal(0, g:link(opts))
    end)
  end)

  it("takes about as long for nodes that are all alike as for others", function()
    local function seconds(point)
      local points, g = {}, wend.graph()
      for i = 1, 8000 do points[2 * i - 1], points[2 * i] = point(i) end
      g:add_nodes(points)
      local started = os.clock()
      g:link()
      g:link() -- now some nodes have thousands of edges
      return os.clock() - started
    end
    local rng = helper.rng "link alike"
    local most = 20 * seconds(function() return rng() * 100, rng() * 100 end) + 0.1
    for what, point in pairs {
      ["one position"] = function() return 5, 5 end,
      ["a speck, and one node far away"] = function(i) return i == 1 and -1e12 or rng(), rng() end,
      ["distances that are all rounded to 0"] = function(i) return i * 1e-200, i % 7 * 1e-210 end,
      ["a line of positions, many nodes in one of them"] = function(i) return math.max(0, i - 7000), 0 end,
    } do
      local took = seconds(point)
      assert.truthy(took < most, ("%s: %g s"):format(what, took))
    end
  end)

  it("links 100,000 nodes #slow", function()
    local rng = helper.rng "link large"
    local count, flat = 100000, {}
    for i = 1, 2 * count do flat[i] = rng() * 1000 end
    local g = wend.graph()
    g:add_nodes(flat)
    assert.equal(4 * count, g:link { directed = true })
    for _ = 1, 20 do
      local id, near = rng(count), {}
      local x, y = flat[2 * id - 1], flat[2 * id]
      for i = 1, count do
        local dx, dy = flat[2 * i - 1] - x, flat[2 * i] - y
        if i ~= id and dx * dx + dy * dy < 900 then near[#near + 1] = { i, dx * dx + dy * dy } end
      end
      table.sort(near, function(a, b) return a[2] < b[2] end)
      local wanted, got = {}, {}
      for i = 1, 4 do wanted[i] = near[i][1] end
      for _, to in g:edges(id) do got[#got + 1] = to end
      table.sort(wanted)
      table.sort(got)
      assert.same(wanted, got)
    end
    local pairs_found = 0 -- each once
    for id = 1, count do
      for _, to in g:edges(id) do
        local back = false
        for _, other in g:edges(to) do back = back or other == id end
        pairs_found = pairs_found + (back and 0.5 or 1)
      end
    end
    local both = wend.graph()
    both:add_nodes(flat)
    assert.equal(pairs_found, both:link())
    assert.equal(0, both:link())
  end)

  it("links 100,000 nodes of a lattice, and a heap of nodes on one spot #slow", function()
    local flat = {}
    for y = 1, 250 do
      for x = 1, 400 do flat[#flat + 1], flat[#flat + 2] = x, y end
    end
    local g = wend.graph()
    g:add_nodes(flat)
    assert.equal(400 * 249 + 399 * 250, g:link { max_distance = 1 })
    local heap = {}
    for i = 1, 4000 do heap[i] = 3 end
    g = wend.graph()
    g:add_nodes(heap)
    assert.equal(2000, g:link { limit = 1, directed = true })
  end)
end)

describe("the options of graph:link", function()
  local g
  before_each(function() g = graph_of { { 0, 0 }, { 1, 0 }, { 5, 5 } } end)
  after_each(function() assert.equal(0, g:edge_count()) end)

  it("must be known", function()
    raises("unknown option 'Limit' (expected one of: limit, max_distance, walls, clear, tag, directed, widths)",
      g.link, g, { Limit = 4 })
  end)
end)

describe("a function that graph:link asks", function()
  local g
  before_each(function() g = graph_of(lattice(4, 4)) end)

  local function asked(f)
    return pcall(g.link, g, { clear = f })
  end

  it("may raise, and nothing was made", function()
    local path, count = g:path(1, 1), 0
    local ok, message = asked(function()
      count = count + 1
      if count == 9 then error("out of order", 0) end
      return true
    end)
    assert.same({ false, "out of order" }, { ok, message })
    local thing = {}
    ok, message = asked(function() error(thing) end)
    assert.equal(false, ok)
    assert.equal(thing, message)
    ok, message = pcall(g.link, g, { clear = { clear = function() error("object", 0) end } })
    assert.same({ false, "object" }, { ok, message })
    assert.same({ 0, true }, { g:edge_count(), path:valid() })
    assert.equal(true, (asked(function() return true end)))
  end)

  it("may not change the graph", function()
    local edits = {
      function() g:add_node(9, 9) end,
      function() g:remove_node(16) end,
      function() g:remove_node(1) end,
      function() g:move(2, 7, 7) end,
      function() g:add_edge(1, 16) end,
      function() g:close(3) end,
      function() g:link { limit = 1 } end,
      function()
        for id = 1, 16 do g:remove_node(id) end
      end,
    }
    for i, edit in ipairs(edits) do
      for at = 1, 21, 10 do
        g = graph_of(lattice(4, 4))
        local count = 0
        raises("the graph is being searched: change it when the search is over", g.link, g, { clear = function()
          count = count + 1
          if count == at then edit() end
          return true
        end })
        assert.same({ 16, 0 }, { g:node_count(), g:edge_count() }, i)
        assert.equal(at, count)
      end
    end
  end)

  it("may ask the graph, search it, check it, and link another", function()
    local wanted = graph_of(lattice(4, 4)):link()
    local ok, made = asked(function(x1, y1, x2, y2)
      local other = graph_of { { x1, y1 }, { x2, y2 } }
      return g:nearest(x1, y1) and g:path(1, 1) and #g:check().components == 16 and other:link() == 1
    end)
    assert.same({ true, wanted }, { ok, made })
  end)

  it("may be one of a grid that is being edited", function()
    local grid = wend.grid(9, 9)
    assert.equal(24, g:link { max_distance = 1, clear = grid })
    grid:fill(false)
    g = graph_of(lattice(4, 4))
    assert.equal(0, g:link { max_distance = 1, clear = grid })
    assert.equal(4, #grid_reference.POLICIES)
  end)
end)

describe("graph:link with widths", function()
  -- The distance of a point from a segment, and of two segments that do not cross.
  local function point_to(px, py, ax, ay, bx, by)
    local dx, dy = bx - ax, by - ay
    local t = math.max(0, math.min(1, ((px - ax) * dx + (py - ay) * dy) / math.max(dx * dx + dy * dy, 1e-300)))
    return math.sqrt((ax + t * dx - px) ^ 2 + (ay + t * dy - py) ^ 2)
  end
  local function between(a, b, c, d)
    return math.min(point_to(a[1], a[2], c[1], c[2], d[1], d[2]), point_to(b[1], b[2], c[1], c[2], d[1], d[2]),
      point_to(c[1], c[2], a[1], a[2], b[1], b[2]), point_to(d[1], d[2], a[1], a[2], b[1], b[2]))
  end

  it("gives each edge twice its distance from the nearest wall", function()
    helper.rounds("widths of links", 30, function(rng)
      local g, walls, parts = wend.graph(), wend.walls(), {}
      for _ = 1, rng(2, 20) do g:add_node(rng() * 50, rng() * 50) end
      for _ = 1, rng(6) do
        local x, y = rng() * 50, rng() * 50
        local kind = rng(3)
        if kind == 1 then
          local a, b = { x, y }, { x + rng() * 9, y + rng() * 9 }
          walls:add_segment(a[1], a[2], b[1], b[2])
          parts[#parts + 1] = { a, b, 0 }
        elseif kind == 2 then
          local r = rng() * 4
          walls:add_circle(x, y, r)
          parts[#parts + 1] = { { x, y }, { x, y }, r }
        else
          local corners = { { x, y }, { x + rng(5), y }, { x, y + rng(5) } }
          walls:add_polygon { corners[1][1], y, corners[2][1], y, x, corners[3][2] }
          for i = 1, 3 do parts[#parts + 1] = { corners[i], corners[i % 3 + 1], 0 } end
        end
      end
      g:link { widths = true, walls = walls, limit = 3 }
      for id in g:edges() do
        local edge, least = g:edge(id), math.huge
        local a, b = { g:position(edge.from) }, { g:position(edge.to) }
        for _, part in ipairs(parts) do least = math.min(least, between(a, b, part[1], part[2]) - part[3]) end
        assert.near(2 * least, edge.width, 1e-9)
      end
    end)
  end)

  it("gives none without walls, and needs the option walls", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 0 }
    helper.raises("widths are measured to walls: give the option 'walls'", g.link, g, { widths = true })
    assert.equal(1, g:link { widths = true, walls = wend.walls() })
    assert.is_nil(g:edge(1).width)
  end)
end)

describe("a finalizer that runs while graph:link works", function()
  it("may remove the nodes", function()
    local g, on, done
    local function act()
      if not on or done then return end
      for id in g:nodes() do g:remove_node(id) end -- raises while the graph is locked
      done = true
    end
    local function litter()
      collector.finalized(function()
        act()
        if on then litter() end
      end)
    end
    local flat = {}
    for i = 1, 4000 do flat[i] = (i * 7919) % 1009 + i / 5000 end
    local pause, speed = collector.tune(0, 100000)
    for round = 1, 4 do -- it is not said when they run
      g, on, done = wend.graph(), false, false
      g:add_nodes(flat)
      on = true
      for _ = 1, 10 do litter() end
      local ok, message = pcall(g.link, g, { limit = 8, tag = "t" .. round })
      on = false
      -- while the graph is locked the finalizer raises, and some Luas pass that on
      if not ok then assert.truthy(message:find("is being searched", 1, true), message) end
      assert.equal(done and 0 or 2000, g:node_count())
      if done then assert.equal(0, g:edge_count()) end
    end
    collector.tune(pause, speed)
  end)
end)
