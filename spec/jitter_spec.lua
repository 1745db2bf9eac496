-- SPDX-License-Identifier: MIT
-- path:points with jitter: each point moved a little. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local moving = require "spec.support.moving_reference"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local HUGE = math.huge

-- The points of a flat list: a list of positions.
local function split(flat, dimensions)
  local list = {}
  for i = 1, #flat, dimensions do
    local at = {}
    for axis = 1, dimensions do at[axis] = flat[i + axis - 1] end
    list[#list + 1] = at
  end
  return list
end

local FREE = math.huge

-- Nodes far apart in a row, all joined, with these radii; FREE: none.
local function row(radii, dimensions)
  local g = wend.graph { dimensions = dimensions or 2 }
  for i, radius in ipairs(radii) do
    g:set_radius(g:add_node(i * 100, 50, dimensions == 3 and 7 or nil), radius < FREE and radius or nil)
    if i > 1 then g:add_edge(i - 1, i) end
  end
  return g, assert(g:path(1, #radii))
end

describe("path:points with jitter", function()
  it("moves each point within it, and within the radius of its node", function()
    helper.rounds("jitter within", 120, function(rng)
      local dimensions = rng(2, 3)
      local g, model = helper.random_graph(rng, { nodes = rng(2, 40), edges = rng(2, 120), dimensions = dimensions })
      local radius = {}
      for _, n in ipairs(model.nodes) do
        radius[n] = ({ 0, nil, rng() * 20, 1e9, 1e-9 })[rng(5)]
        g:set_radius(n, radius[n])
      end
      local path = g:path(rng:pick(model.nodes), rng:pick(model.nodes))
      for _ = 1, path and 5 or 0 do
        local jitter = rng:pick { 0, rng() * 10, 1e-6, 1e6 }
        local points = path:points { jitter = jitter, seed = rng(1e6) }
        assert.equal(#path * dimensions, #points)
        for i, at in ipairs(split(points, dimensions)) do
          local most = math.min(radius[path[i]] or jitter, jitter)
          local far = moving.distance(at, model.position[path[i]])
          assert.truthy(far <= most * (1 + 1e-9) + 1e-12, ("%g away, of %g"):format(far, most))
        end
      end
    end)
  end)

  it("does not move the point of a node with a radius of 0, such as a doorway", function()
    local g, path = row { 0, 5, 0 }
    g:set_radius(2, nil)
    for seed = 1, 20 do
      local points = path:points { jitter = 8, seed = seed }
      assert.same({ 100, 50, 300, 50 }, { points[1], points[2], points[5], points[6] })
      assert.truthy(points[3] ~= 200 or points[4] ~= 50)
    end
    local route = g:route({ 100, 40 }, { 300, 40 }, { jitter = 8, seed = 3 })
    assert.same({ 100, 40, 100, 50 }, { route[1], route[2], route[3], route[4] })
    assert.same({ 300, 50, 300, 40 }, { route[7], route[8], route[9], route[10] })
  end)

  it("of 0 gives the nodes, and so does none", function()
    local _, path = row { FREE, 5, 10 }
    assert.same(path:points(), path:points { jitter = 0, seed = 7 })
    assert.same({ 100, 50, 200, 50, 300, 50 }, path:points { jitter = 0, seed = 7 })
    assert.same(path:points(), path:points {})
  end)

  it("gives the same points for the same seed, and others for others", function()
    local g, path = row { FREE, 5, 10, 20 }
    local seen, count = {}, 0
    local seeds = { 0, 1, 2, -1, 0.5, 1e9, 1e9 + 1, 2 ^ 32 + 1, 1e300, -1e300, 1e-300 }
    for _, seed in ipairs(seeds) do
      local points = path:points { jitter = 4, seed = seed }
      assert.same(points, path:points { jitter = 4, seed = seed })
      assert.same(points, assert(g:path(1, 4)):points { seed = seed, jitter = 4 })
      local _, again = row { FREE, 5, 10, 20 }
      assert.same(points, again:points { jitter = 4, seed = seed })
      local text = table.concat(points, " ")
      if not seen[text] then count = count + 1 end
      seen[text] = true
    end
    assert.equal(#seeds, count)
  end)

  it("moves every node its own way", function()
    local _, path = row { FREE, FREE, FREE, FREE, FREE, FREE, FREE, FREE, FREE, FREE }
    local seen = {}
    for i, at in ipairs(split(path:points { jitter = 10, seed = 3 }, 2)) do
      local key = ("%.9f %.9f"):format(at[1] - i * 100, at[2] - 50)
      assert.falsy(seen[key], key)
      seen[key] = true
    end
  end)

  it("moves a node the same way in whatever path it is", function()
    local g, path = row { FREE, 5, 10, 20, FREE }
    local by_node = {}
    for i, at in ipairs(split(path:points { jitter = 7, seed = 5 }, 2)) do by_node[path[i]] = at end
    for _, other in ipairs { g:path(3, 5), g:path(5, 1), g:path(2, 2), g:path(4, 3) } do
      for i, at in ipairs(split(other:points { jitter = 7, seed = 5 }, 2)) do
        assert.same(by_node[other[i]], at)
      end
    end
    g:add_edge(1, 5, { weight = 900 }) -- nor does it matter what else there is
    assert.same(by_node[3], split(path:points { jitter = 7, seed = 5 }, 2)[3])
  end)

  it("goes evenly over the disc", function()
    for _, dimensions in ipairs { 2, 3 } do
      local g = row({ FREE }, dimensions)
      local path, sums, inner, left, count = g:path(1, 1), { 0, 0, 0 }, 0, 0, 4000
      local half = 0.5 ^ (1 / dimensions) -- of the radius: half of the disc or ball lies within
      for seed = 1, count do
        local at = path:points { jitter = 10, seed = seed }
        local offset = { at[1] - 100, at[2] - 50, dimensions == 3 and at[3] - 7 or 0 }
        for axis = 1, 3 do sums[axis] = sums[axis] + offset[axis] end
        if moving.distance(offset, { 0, 0, 0 }) < 10 * half then inner = inner + 1 end
        if offset[1] < 0 then left = left + 1 end
      end
      for axis = 1, 3 do assert.truthy(math.abs(sums[axis] / count) < 0.5, sums[axis] / count) end
      assert.truthy(math.abs(inner / count - 0.5) < 0.05, inner)
      assert.truthy(math.abs(left / count - 0.5) < 0.05, left)
    end
  end)

  it("goes evenly over the disc from node to node too", function()
    local g = wend.graph()
    for i = 1, 4000 do
      g:add_node(i * 100, 0)
      if i > 1 then g:add_edge(i - 1, i) end
    end
    local points = assert(g:path(1, 4000)):points { jitter = 10, seed = 1 }
    local x, y, inner, before, product = 0, 0, 0, 0, 0
    for i = 1, 4000 do
      local dx, dy = points[2 * i - 1] - i * 100, points[2 * i]
      x, y = x + dx, y + dy
      if dx * dx + dy * dy < 50 then inner = inner + 1 end
      product, before = product + before * dx, dx
    end
    assert.truthy(math.abs(x / 4000) < 0.5 and math.abs(y / 4000) < 0.5)
    assert.truthy(math.abs(inner / 4000 - 0.5) < 0.05, inner)
    assert.truthy(math.abs(product / 4000) < 2.5, product) -- of 25: neighbours have nothing to do with each other
  end)

  it("takes a huge jitter, and coordinates of every size", function()
    local g = wend.graph()
    g:add_nodes { 1e150, 1e150, -1e150, 0 }
    g:add_edge(1, 2, { weight = 1 })
    for _, jitter in ipairs { 1e150, 1e149, 1e-300, 5e-324 } do
      for _, value in ipairs(g:path(1, 2):points { jitter = jitter, seed = 4 }) do
        assert.truthy(value == value and math.abs(value) < HUGE, value)
      end
    end
  end)

  it("does not change the path or the graph", function()
    local g, path = row { FREE, 5, 10 }
    local field = g:field(1)
    path:points { jitter = 7, seed = 5, clear = function() return true end }
    assert.same({ true, true }, { path:valid(), field:valid() })
    assert.same({ 1, 2, 3 }, { path[1], path[2], path[3] })
    assert.same({ 100, 50, 200, 50, 300, 50 }, path:points())
  end)

  it("goes by the positions of now", function()
    local g, path = row { FREE, 5, 10 }
    local before = path:points { jitter = 1, seed = 5 }
    g:move(2, 1000, 1000)
    local after = path:points { jitter = 1, seed = 5 }
    assert.same({ before[1], before[2], before[5], before[6] }, { after[1], after[2], after[5], after[6] })
    reference.near(before[3] - 200, after[3] - 1000)
    reference.near(before[4] - 50, after[4] - 1000)
  end)
end)

describe("path:points with jitter over grids", function()
  it("stays in each cell", function()
    helper.rounds("jitter cells", 60, function(rng)
      local grid = wend.grid(rng(1, 20), rng(1, 20), { cell = rng:pick { 1, 32, 0.1 },
        origin = { rng(-100, 100), rng() * 1e3 } })
      local path = assert(grid:path(1, 1, grid:width(), grid:height()))
      for _, jitter in ipairs { 0.01, 0.3, 10, 1e9 } do
        local points, plain = path:points { jitter = jitter, seed = rng(1e6) }, path:points()
        assert.equal(#plain, #points)
        for i = 1, #points, 2 do
          assert.same({ path[i], path[i + 1] }, { grid:cell_at(points[i], points[i + 1]) })
          assert.truthy(moving.distance({ points[i], points[i + 1] }, { plain[i], plain[i + 1] })
            <= jitter * (1 + 1e-9) + 1e-9)
        end
      end
    end)
  end)

  it("moves a cell the same way in whatever path it is", function()
    local grid, by_cell = wend.grid(12, 12), {}
    local function note(path)
      local points = path:points { jitter = 0.4, seed = 9 }
      for i, x, y in path:each() do
        local key, text = x .. " " .. y, points[2 * i - 1] .. " " .. points[2 * i]
        assert.equal(by_cell[key] or text, text)
        by_cell[key] = text
      end
    end
    note(grid:path(1, 1, 12, 12))
    note(grid:path(3, 3, 12, 12))
    note(grid:path(12, 12, 1, 1))
    note(grid:path(6, 1, 6, 12))
    note(grid:straighten(grid:path(1, 1, 12, 9)))
  end)

  it("goes for fields too", function()
    local grid = wend.grid(9, 9)
    local points = assert(grid:field(9, 9):path(1, 1)):points { jitter = 0.4, seed = 2 }
    assert.same(grid:path(1, 1, 9, 9):points { jitter = 0.4, seed = 2 }, points)
  end)

  it("keeps legs free over the grid itself", function()
    helper.rounds("jitter grid clear", 60, function(rng)
      local model = grid_reference.random(rng, { width = rng(3, 20), height = rng(3, 20), links = 0, tagged = 0,
        closed = rng:pick { 0.1, 0.3 } })
      local grid = model.grid
      local path = grid:path(rng(model.width), rng(model.height), rng(model.width), rng(model.height))
      if path then
        local plain = path:points()
        local points = path:points { jitter = 0.5, seed = rng(1e6), clear = grid }
        for i = 3, #points, 2 do
          if grid:clear_points(plain[i - 2], plain[i - 1], plain[i], plain[i + 1]) then
            assert.equal(true, grid:clear_points(points[i - 2], points[i - 1], points[i], points[i + 1]))
          end
        end
      end
    end)
  end)
end)

-- How many rows around a body are the same ground, by looking at all cells and walls.
local function room_at(model, x, y, size, most)
  local before = math.floor((size - 1) / 2)
  local function fits(room)
    local x1, y1 = x - before - room, y - before - room
    local x2, y2 = x1 + size - 1 + 2 * room, y1 + size - 1 + 2 * room
    if not (model:inside(x1, y1) and model:inside(x2, y2)) then return false end
    for cy = y1, y2 do
      for cx = x1, x2 do
        local a, b = model:cell(cx, cy), model:cell(x, y)
        if model.weight[a] ~= model.weight[b] or model.tag[a] ~= model.tag[b] then return false end
        for wy = cy - 1, cy + 1 do
          for wx = cx - 1, cx + 1 do
            local inside = wx >= x1 and wx <= x2 and wy >= y1 and wy <= y2
            if inside and model:has_wall(cx, cy, wx, wy) then return false end
          end
        end
      end
    end
    return true
  end
  local room = 0
  while room < most and fits(room) and fits(room + 1) do room = room + 1 end
  return room
end

describe("path:points with jitter and clear over grids", function()
  local function open() return true end

  it("moves points out of their cells, within the same ground, and keeps legs free", function()
    local far, all = 0, 0
    helper.rounds("jitter room", 80, function(rng)
      local model = grid_reference.random(rng, { width = rng(3, 30), height = rng(3, 30), links = 0,
        closed = rng:pick { 0.02, 0.1 }, tagged = rng:pick { 0, 0.1 }, walls = rng:pick { 0, 0.05 },
        weights = rng:pick { { 1 }, { 1, 2 } } })
      local grid, size = model.grid, rng(1, 3)
      local path = grid:path(rng(model.width), rng(model.height), rng(model.width), rng(model.height), { size = size })
      if not path then return end
      local plain = path:points()
      local jitter = rng:pick { 0.3, 2, 40 }
      local points = path:points { jitter = jitter, seed = rng(1e6), clear = rng:pick { open, grid, wend.walls() } }
      for i = 1, #points, 2 do
        local away = moving.distance({ points[i], points[i + 1] }, { plain[i], plain[i + 1] })
        local room = room_at(model, path[i], path[i + 1], size, 32)
        assert.truthy(away <= math.min(jitter, room + 0.5), ("%g away, of %d cells"):format(away, room))
        if away > 0.71 then far = far + 1 end
        all = all + 1
        if i > 1 and grid:clear_points(plain[i - 2], plain[i - 1], plain[i], plain[i + 1]) then
          assert.equal(true, grid:clear_points(points[i - 2], points[i - 1], points[i], points[i + 1]))
        end
      end
    end)
    assert.truthy(not helper.all_rounds() or far > all / 50, ("%d of %d"):format(far, all))
  end)

  it("moves them far where there is room, and little where there is none", function()
    for _, cell in ipairs { 1, 32, { 64, 32 } } do
      local grid = wend.grid(41, 21, { cell = cell }):fill(1, 1, 20, 9, false):fill(1, 11, 20, 21, false)
      local path = grid:path(5, 10, 35, 11, { corners = true })
      local plain = path:points()
      local across = type(cell) == "table" and 32 or cell
      local narrow, wide = 0, 0
      for seed = 1, 300 do
        local points = path:points { jitter = 7 * across, seed = seed, clear = grid }
        narrow = math.max(narrow, moving.distance({ points[1], points[2] }, { plain[1], plain[2] }))
        local n = #points
        wide = math.max(wide, moving.distance({ points[n - 1], points[n] }, { plain[n - 1], plain[n] }))
      end
      assert.truthy(narrow > 0.45 * across and narrow < 0.5 * across, narrow / across)
      assert.truthy(wide > 6 * across and wide < 6.5 * across, wide / across) -- 6 columns are beside it
    end
  end)

  it("moves a point by at most 32 cells, and none of a closed goal", function()
    local grid = wend.grid(201, 201):close(150, 101)
    local path = grid:path(101, 101, 150, 101, { closed_goal = true, corners = true })
    local farthest, plain = 0, path:points()
    for seed = 1, 100 do
      local points = path:points { jitter = 1e9, seed = seed, clear = wend.walls() }
      assert.same(plain, points) -- the leg leads into a closed cell
      points = grid:path(101, 101, 180, 101, { corners = true }):points { jitter = 1e9, seed = seed, clear = grid }
      farthest = math.max(farthest, moving.distance({ points[1], points[2] }, { plain[1], plain[2] }))
    end
    assert.truthy(farthest > 25 and farthest <= 33, farthest)
  end)

  it("goes by walls that are no cells, too", function()
    local grid, walls = wend.grid(41, 21), wend.walls()
    walls:add_segment(0, 13, 50, 13)
    local path = grid:path(15, 11, 28, 11, { corners = true })
    local plain = path:points()
    for seed = 1, 50 do
      local points = path:points { jitter = 9, seed = seed, clear = walls }
      for i = 1, #points, 2 do
        assert.truthy(moving.distance({ points[i], points[i + 1] }, { plain[i], plain[i + 1] }) <= 13 - plain[2])
      end
    end
  end)
end)

describe("path:points with jitter and clear", function()
  -- A path over nodes at random, with walls between, and how many of its points were moved.
  local function check(rng, g, path, clear, free, dimensions)
    local plain = split(path:points(), dimensions)
    local jitter = rng:pick { 1, 8, 40 }
    local points = split(path:points { jitter = jitter, seed = rng(1e6), clear = clear }, dimensions)
    local moved = 0
    for i, at in ipairs(points) do
      assert.truthy(moving.distance(at, plain[i]) <= jitter * (1 + 1e-9))
      if moving.distance(at, plain[i]) > 0 then moved = moved + 1 end
      if i > 1 and free(plain[i - 1], plain[i]) then
        assert.truthy(free(points[i - 1], at), ("leg %d of %d is no longer free"):format(i - 1, #points - 1))
      end
    end
    assert.truthy(g)
    return moved, #points
  end

  it("leaves every leg free that was free, by a function #slow", function()
    local moved, all = 0, 0
    helper.rounds("jitter clear", 200, function(rng)
      local dimensions = rng(2, 3)
      local g, model = helper.random_graph(rng, { nodes = rng(3, 40), edges = rng(5, 120), dimensions = dimensions,
        closed_nodes = 0, closed_edges = 0 })
      local _, list = moving.random_walls(rng, { count = rng(0, 12), kinds = { "segment" } })
      local function free(a, b) return not moving.blocked(list, a[1], a[2], b[1], b[2]) end
      local function clear(...)
        local n = { ... }
        assert.equal(2 * dimensions, #n)
        return free({ n[1], n[2] }, { n[dimensions + 1], n[dimensions + 2] })
      end
      for _ = 1, 4 do
        local path = g:path(rng:pick(model.nodes), rng:pick(model.nodes))
        if path then
          local some, count = check(rng, g, path, clear, free, dimensions)
          moved, all = moved + some, all + count
        end
      end
    end)
    assert.truthy(not helper.all_rounds() or moved > all / 3, ("%d of %d"):format(moved, all))
  end)

  it("moves all where nothing is in the way, as without clear", function()
    local _, path = row { FREE, 5, 10, 20 }
    assert.same(path:points { jitter = 7, seed = 5 },
      path:points { jitter = 7, seed = 5, clear = function() return true end })
    assert.same(path:points { jitter = 7, seed = 5 }, path:points { jitter = 7, seed = 5, clear = wend.walls() })
  end)

  it("keeps to the nodes where no move is free", function()
    local _, path = row { FREE, 5, 10, 20 }
    local asked = 0
    local points = path:points { jitter = 7, seed = 5, clear = function(_, y1, _, y2)
      asked = asked + 1
      return y1 == 50 and y2 == 50
    end }
    assert.same(path:points(), points)
    assert.truthy(asked > 0)
  end)

  it("comes nearer by halves until it is free", function()
    local _, path = row { FREE, FREE, FREE }
    local function corridor(_, y1, _, y2) return math.abs(y1 - 50) < 2 and math.abs(y2 - 50) < 2 end
    for seed = 1, 50 do
      local free = path:points { jitter = 16, seed = seed }
      local kept = path:points { jitter = 16, seed = seed, clear = corridor }
      for i = 1, 3 do
        assert.truthy(math.abs(kept[2 * i] - 50) < 2)
        local dx, dy = free[2 * i - 1] - i * 100, free[2 * i] - 50
        local now = kept[2 * i - 1] - i * 100
        -- the same way, and a share of 1, 1/2, 1/4, ... or none of it
        local share = dx ~= 0 and now / dx or 0
        local halves = share == 0 and 0 or math.floor(math.log(share) / math.log(0.5) + 0.5)
        assert.truthy(share == 0 or math.abs(share - 0.5 ^ halves) < 1e-9, share)
        reference.near(dy * share, kept[2 * i] - 50)
      end
    end
  end)

  it("moves points no farther than walls are, less the clearance", function()
    local _, path = row { FREE, 1, FREE, 0 }
    local walls = wend.walls()
    walls:add_segment(0, 52, 150, 52)
    walls:add_segment(0, 40, 1000, 40)
    local farthest = { 0, 0, 0, 0 }
    for seed = 1, 200 do
      for i, at in ipairs(split(path:points { jitter = 16, seed = seed, clear = walls, clearance = 0.5 }, 2)) do
        farthest[i] = math.max(farthest[i], moving.distance(at, { i * 100, 50 }))
      end
    end
    for i, most in ipairs { 1.5, 1, 9.5, 0 } do
      assert.truthy(farthest[i] <= most * (1 + 1e-9) and farthest[i] >= most * 0.9, farthest[i])
    end
    walls:add_circle(100, 50, 1)
    assert.same({ 100, 50 }, { path:points({ jitter = 16, seed = 1, clear = walls })[1], 50 })
  end)

  it("says what a leg is that was not free at first", function()
    -- where the way from node to node is not free itself, nothing is promised, and nothing goes wrong
    local _, path = row { FREE, FREE, FREE }
    local points = path:points { jitter = 7, seed = 5, clear = function() return false end }
    assert.equal(6, #points)
    for i = 1, 3 do
      assert.truthy(moving.distance({ points[2 * i - 1], points[2 * i] }, { i * 100, 50 }) <= 7)
    end
  end)

  it("works for a path of one node", function()
    local g = row { FREE, FREE }
    local points = g:path(2, 2):points { jitter = 7, seed = 5, clear = wend.walls() }
    assert.equal(2, #points)
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local draw = reference.draw

local g, grid, path

local function fixture()
  g = draw({ "A B C D", "A-B", "B-C swamp", "C-D 1" }, { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 } }) -- D is nowhere
  grid = wend.grid(7, 3)
  path = assert(g:path("A", "C"))
end

-- Each line: what is raised, and the call.
local function all(cases) helper.all_raise(it, cases) end

describe("path:points", function()
  before_each(fixture)

  all {
    "unknown option 'jiter' (expected one of: jitter, seed, clear, clearance, into)",
    function() path:points { jiter = 1 } end,
    "jitter needs a seed: the points depend on it", function() path:points { jitter = 1 } end,
    "jitter needs a seed: the points depend on it", function() path:points { jitter = 0 } end,
    "node 4 has no position...", function() g:set_name("D", nil):path("A", 4):points { jitter = 1, seed = 1 } end,
    "path[2]: there is no node 2", function() g:remove_node(2) path:points { jitter = 1, seed = 1 } end,
    "jitter needs a seed: the points depend on it", function() grid:path(1, 1, 2, 2):points { jitter = 1 } end,
  }

  it("survives a path that clear takes apart", function()
    for _, wreck in ipairs {
      function() path[2] = nil end,
      function() path[2] = 99 end,
      function() path[3] = "moat" end,
      function() for i = 1, 50 do path[i] = 1 end end,
      function() for i = #path, 1, -1 do path[i] = nil end end,
      function() path.map = grid end,
      function() path.map, path.trail = nil, nil end,
      function() g:path("A", "A", { into = path }) end,
      function() g:path("A", "C", { into = path, max_cost = 0 }) end,
      function() grid:path(1, 1, 7, 3, { into = path }) end,
    } do
      path = assert(g:path("A", "C"))
      pcall(path.points, path, { jitter = 1, seed = 1, clear = function()
        wreck()
        collectgarbage()
        return true
      end })
    end
    assert.equal(20, g:path("A", "C").cost)
  end)
end)
