-- SPDX-License-Identifier: MIT
-- Grids whose cells are not squares in rows and columns: rectangles, and diamonds of isometric maps.
local helper = require "spec.support.helper"
local wend = require "wend"

local pack = table.pack or function(...) return { n = select("#", ...), ... } end
local HUGE = math.huge
local ISO = { projection = "isometric", cell = { 64, 32 }, origin = { 96, 0 } }

-- The options of a random grid: an isometric one, or one of rectangles.
local function random_frame(rng)
  return {
    projection = rng:pick { "isometric", "isometric", "orthogonal" },
    cell = { rng:pick { 64, 32, 1, 0.7, 5 }, rng:pick { 32, 64, 1, 0.3, 9 } },
    origin = { rng(-50, 50) / rng(1, 7), rng(-50, 50) / rng(1, 7) },
    diagonals = rng:pick { "both_open", "one_open", "always", "never" },
  }
end

-- A random grid, and a grid of unit squares with the same cells.
local function random_pair(rng, size)
  local opts = random_frame(rng)
  local width, height, closed = rng(1, size), rng(1, size), rng() * 0.5
  local grid, plain = wend.grid(width, height, opts), wend.grid(width, height, { diagonals = opts.diagonals })
  for y = 1, height do
    for x = 1, width do
      local value = not rng:chance(closed) and rng:pick { 1, 1, 1, 2.5 }
      grid:set(x, y, value)
      plain:set(x, y, value)
    end
  end
  return grid, plain, opts
end

-- The formula of doc/api/grid.md, by which everything here is compared: a point in units of cells in the world.
local function to_world(opts, x, y)
  local wide, high = opts.cell[1], opts.cell[2]
  if opts.projection == "isometric" then
    return opts.origin[1] + (x - y) * wide / 2, opts.origin[2] + (x + y) * high / 2
  end
  return opts.origin[1] + x * wide, opts.origin[2] + y * high
end

local function same_points(expected, got, near)
  assert.equal(#expected, #got)
  for i = 1, #expected do
    if not (math.abs(expected[i] - got[i]) <= near) then assert.same(expected, got) end
  end
end

-- The cells of a path as a plain list.
local function cells_of(path)
  local list = {}
  for i = 1, #path do list[i] = path[i] end
  return list
end

after_each(helper.clean)

describe("an isometric grid", function()
  it("has diamonds, of which the first has its upper corner at the origin", function()
    local grid = wend.grid(3, 2, ISO)
    assert.same({ 96, 16 }, { grid:position(1, 1) })
    assert.same({ 128, 32 }, { grid:position(2, 1) })
    assert.same({ 64, 32 }, { grid:position(1, 2) })
    assert.same({ 128, 64 }, { grid:position(3, 2) })
    assert.same({ "isometric", 64, 32 }, { grid:projection(), grid:cell_size() })
    assert.same({ 96, 0 }, { grid:origin() })
  end)

  it("finds the diamond at a point", function()
    local grid = wend.grid(3, 2, ISO)
    assert.same({ 1, 1 }, { grid:cell_at(96, 0) })
    assert.same({ 1, 1 }, { grid:cell_at(70, 16) })
    assert.same({ 2, 1 }, { grid:cell_at(112, 30) })
    assert.same({ 1, 2 }, { grid:cell_at(80, 30) })
    assert.same({ 1, 2 }, { grid:cell_at { x = 64, y = 32 } })
    for _, at in ipairs { { 96, -1 }, { 40, 2 }, { 160, 8 }, { 128, 81 }, { 1e150, 1e150 }, { -1e150, 1e150 } } do
      assert.same({ n = 1 }, pack(grid:cell_at(at[1], at[2])))
    end
  end)

  it("takes one number as the size: diamonds as high as wide", function()
    local grid = wend.grid(2, 2, { projection = "isometric", cell = 10 })
    assert.same({ 10, 10 }, { grid:cell_size() })
    assert.same({ 0, 15, 5, 10 }, { grid:position(2, 2), select(2, grid:position(2, 2)), grid:position(2, 1) })
  end)

  it("costs what its cells cost: a diagonal step is the root of 2, whichever way it points", function()
    local grid = wend.grid(3, 3, ISO)
    assert.equal(2 * math.sqrt(2), grid:path(1, 1, 3, 3).cost)
    assert.equal(2 * math.sqrt(2), grid:path(1, 3, 3, 1).cost)
    assert.equal(2, grid:route({ 96, 16 }, { 160, 48 }).cost)
  end)

  it("tests lines between points of the world", function()
    local grid, plain = wend.grid(3, 3, ISO):set(2, 2, false), wend.grid(3, 3):set(2, 2, false)
    assert.is_false((grid:clear_points(96, 16, 96, 80)))
    assert.is_true((grid:clear_points(96, 16, 160, 48)))
    assert.same(cells_of(plain:straighten(plain:path(1, 1, 3, 3))),
      cells_of(grid:straighten(grid:path(1, 1, 3, 3))))
  end)

  it("is the option clear of others in the world", function()
    local grid = wend.grid(3, 3, ISO):set(2, 2, false)
    local g = wend.graph()
    g:add_nodes { 96, 16, 96, 80, 160, 48 }
    assert.equal(2, g:link { limit = 2, clear = grid })
  end)

  it("has walkers whose cells are those on the screen #move", function()
    local grid = wend.parse_grid({ "..~~", "..~~" }, { ["~"] = "swamp" }, ISO)
    local seen = {}
    local f = wend.follow(grid:route({ 96, 16 }, { 192, 64 }), { speed = 1 })
    for _ = 1, 200 do
      f:update(1)
      local x, y = grid:cell_at(f.x, f.y)
      if x then seen[x .. "," .. y] = true end
    end
    assert.same({ ["1,1"] = true, ["2,1"] = true, ["3,1"] = true, ["4,1"] = true }, seen)
  end)

  it("slows a walker down in the diamonds of a tag, at exactly their borders #move", function()
    local grid = wend.parse_grid({ "..~~.." }, { ["~"] = { weight = 4, tag = "swamp" } }, ISO)
    local x1, y1 = grid:position(1, 1)
    local x2, y2 = grid:position(6, 1)
    local step = math.sqrt(32 * 32 + 16 * 16)
    local f = wend.follow(grid:route({ x1, y1 }, { x2, y2 }), { speed = step, speeds = { swamp = 0.5 } })
    local time = 0
    while not f.done and time < 60 do
      f:update(1 / 64)
      time = time + 1 / 64
    end
    assert.near(7, time, 1 / 32) -- 3 cells at full speed, 2 at half
  end)

  it("is saved and copied with its projection", function()
    local grid = wend.grid(3, 2, ISO):set(2, 1, "mud")
    for _, other in ipairs { grid:copy(), wend.decode(grid:encode()) } do
      assert.same({ "isometric", 64, 32 }, { other:projection(), other:cell_size() })
      assert.same({ 96, 0 }, { other:origin() })
      assert.equal("mud", select(2, other:get(2, 1)))
    end
  end)

  it("may be parsed with a legend of long characters, saved and read", function()
    local grid = wend.parse_grid("é.~", { ["é"] = "ice", ["~"] = "swamp" }, ISO)
    local copy = assert(wend.decode(grid:encode()))
    assert.equal(grid:text(), copy:text())
    assert.equal("isometric", copy:projection())
  end)

  it("is drawn as text by its cells #tools", function()
    local grid = wend.grid(3, 2, ISO)
    local x, y = grid:position(3, 2)
    local drawn = grid:text { points = { 96, 16, 160, 48 }, marks = { ["@"] = { x, y } } }
    assert.equal("***\n..@", (drawn:gsub("%s+$", "")))
  end)

  it("is drawn as a picture of diamonds #tools", function()
    local document = wend.svg(wend.grid(3, 2, ISO):set(2, 1, false), { width = 216 }) -- 160 pixels of room for 160
    assert.truthy(document:find('<path transform="matrix(32 16 -32 16 92 28)" d="M0 0h3v2h-3z"', 1, true), document)
    assert.truthy(document:find('<g transform="matrix(32 16 -32 16 92 28)">', 1, true))
    document = wend.svg(wend.grid(2, 2, { cell = { 40, 20 } }), { width = 136 })
    assert.truthy(document:find('transform="matrix(40 0 0 20 28 28)"', 1, true), document)
  end)

  it("is drawn with paths and arrows along the steps on the screen #tools", function()
    local grid = wend.grid(3, 1, { projection = "isometric", cell = { 64, 32 } })
    local path = grid:path(1, 1, 3, 1)
    local document = wend.svg(grid, { path = path, field = grid:field(3, 1) })
    local line = wend.svg(grid, { points = path:points(), field = grid:field(3, 1) })
    local function shapes(text)
      local list = {}
      for d in text:gmatch ' d="(M[^"]*)"' do list[#list + 1] = d end
      return table.concat(list, "\n")
    end
    assert.equal(shapes(document), shapes(line))
  end)

  it("does not change the files and numbers of other grids", function()
    local plain, square = wend.grid(3, 2, { cell = 16, origin = { 1, 2 } }), { cell = { 16, 16 }, origin = { 1, 2 } }
    square.projection = "orthogonal"
    assert.equal(plain:encode(), wend.grid(3, 2, square):encode())
    assert.same({ "orthogonal", 16, 16 }, { plain:projection(), plain:cell_size() })
  end)
end)

describe("a file of an isometric grid", function()
  local bytes = wend.grid(3, 2, ISO):encode()

  it("that is cut anywhere is refused", function()
    for size = 0, #bytes - 1 do
      local grid, _, code = wend.decode(bytes:sub(1, size))
      assert.same({ nil, "format" }, { grid, code })
    end
  end)

  it("is refused with a height or a projection that is none", function()
    local reference = require "spec.support.file_reference"
    local at = bytes:find("\0\0\0\0\0\0\64\64\1", 1, true) -- the height, 32, and the projection
    assert.truthy(at)
    assert.is_nil(bytes:find("\0\0\0\0\0\0\64\64\1", at + 1, true))
    local function with(text) return reference.mend(bytes:sub(1, at - 1) .. text .. bytes:sub(at + #text)) end
    assert.equal("isometric", assert(wend.decode(with "\0\0\0\0\0\0\64\64\1")):projection())
    assert.equal("orthogonal", assert(wend.decode(with "\0\0\0\0\0\0\64\64\0")):projection())
    for _, text in ipairs {
      "\0\0\0\0\0\0\64\64\2",     -- an unknown projection
      "\0\0\0\0\0\0\0\0\1",       -- 0
      "\0\0\0\0\0\0\240\255\1",   -- -inf
      "\0\0\0\0\0\0\248\127\1",   -- NaN
      "\0\0\0\0\0\0\80\64\0",     -- 64 x 64 in rows and columns, which is written in another way
    } do
      local grid, _, code = wend.decode(with(text))
      assert.same({ nil, "format" }, { grid, code })
    end
  end)
end)

describe("on random grids of rectangles and diamonds", function()
  it("position and cell_at follow the formula, and are inverse", function()
    helper.rounds("projection", 100, function(rng)
      local opts = random_frame(rng)
      local grid = wend.grid(rng(1, 40), rng(1, 40), opts)
      local near = 1e-9
      for _ = 1, 30 do
        local x, y = rng(1, grid:width()), rng(1, grid:height())
        local px, py = grid:position(x, y)
        same_points({ to_world(opts, x - 0.5, y - 0.5) }, { px, py }, near)
        assert.same({ x, y }, { grid:cell_at(px, py) })
        local dx, dy = rng() * 0.998 - 0.499, rng() * 0.998 - 0.499 -- any point inside
        assert.same({ x, y }, { grid:cell_at(to_world(opts, x - 0.5 + dx, y - 0.5 + dy)) })
        same_points({ px, py }, grid:path(x, y, x, y):points(), 0)
      end
      local ox, oy = to_world(opts, -rng() - 0.001, rng() * grid:height())
      assert.is_nil((grid:cell_at(ox, oy)))
      ox, oy = to_world(opts, rng() * grid:width(), grid:height() + rng() + 0.001)
      assert.is_nil((grid:cell_at(ox, oy)))
    end)
  end)

  it("points of paths that jitter stay in their cells", function()
    helper.rounds("projection: jitter", 60, function(rng)
      local grid = random_pair(rng, 16)
      local path = grid:path(rng(1, grid:width()), rng(1, grid:height()), rng(1, grid:width()), rng(1, grid:height()))
      if not path then return end
      local points = path:points { jitter = rng() * 100, seed = rng(1, 99) }
      for i = 1, #path, 2 do
        assert.same({ path[i], path[i + 1] }, { grid:cell_at(points[i], points[i + 1]) })
      end
    end)
  end)

  it("the nearest cell is the one at the point, or the one that a look at every cell finds", function()
    helper.rounds("projection: nearest", 100, function(rng)
      local grid, _, opts = random_pair(rng, 24)
      local wide = math.max(opts.cell[1], opts.cell[2])
      for _ = 1, 12 do
        local px, py = to_world(opts, (rng() * 3 - 1) * grid:width(), (rng() * 3 - 1) * grid:height())
        if rng:chance(0.3) then px, py = to_world(opts, rng(0, 2 * grid:width()) / 2, rng(0, 2 * grid:height()) / 2) end
        if rng:chance(0.1) then px, py = rng(-1000, 1000) * wide, rng(-1000, 1000) * wide end
        local most = rng:chance(0.4) and rng() * grid:width() * wide or HUGE
        local best, ways = HUGE, {}
        for y = 1, grid:height() do
          for x = 1, grid:width() do
            local cx, cy = grid:position(x, y)
            local distance = math.sqrt((cx - px) ^ 2 + (cy - py) ^ 2)
            if grid:get(x, y) and distance <= most then
              best = math.min(best, distance)
              ways[x .. "," .. y] = distance
            end
          end
        end
        local x, y, distance = grid:nearest(px, py, { max_distance = most < HUGE and most or nil })
        local own_x, own_y = grid:cell_at(px, py)
        local own = own_x and ways[own_x .. "," .. own_y]
        if best == HUGE then
          assert.is_nil(x)
        elseif own then
          assert.same({ own_x, own_y }, { x, y })
          assert.near(own, distance, 1e-9 * (1 + own))
        else
          assert.near(best, distance, 1e-9 * (1 + best))
          assert.near(best, ways[x .. "," .. y], 1e-9 * (1 + best))
        end
      end
    end)
  end)

  it("routes and lines are those of squares with the same cells, in another place", function()
    local routes = 0
    helper.rounds("projection: routes", 200, function(rng)
      local grid, plain, opts = random_pair(rng, 20)
      for _ = 1, 4 do
        local a = { rng() * grid:width(), rng() * grid:height() }
        local b = { rng() * grid:width(), rng() * grid:height() }
        if rng:chance(0.5) then a = { plain:position(rng(1, grid:width()), rng(1, grid:height())) } end
        local from, to = { to_world(opts, a[1], a[2]) }, { to_world(opts, b[1], b[2]) }
        local expected, route = plain:route(a, b), grid:route(from, to)
        assert.equal(expected ~= nil, route ~= nil)
        if route then
          routes = routes + 1
          assert.near(expected.cost, route.cost, 1e-6 * (1 + expected.cost))
          assert.same(from, { route[1], route[2] })
          assert.same(to, { route[#route - 1], route[#route] })
        end
        assert.equal((plain:clear_points(a[1], a[2], b[1], b[2])),
          (grid:clear_points(from[1], from[2], to[1], to[2])))
      end
      local x1, y1, x2, y2 = rng(1, grid:width()), rng(1, grid:height()), rng(1, grid:width()), rng(1, grid:height())
      local path, other = grid:path(x1, y1, x2, y2), plain:path(x1, y1, x2, y2)
      assert.equal(path ~= nil, other ~= nil)
      if path then
        assert.equal(other.cost, path.cost)
        local expected = other:points()
        for i = 1, #expected, 2 do expected[i], expected[i + 1] = to_world(opts, expected[i], expected[i + 1]) end
        same_points(expected, path:points(), 1e-9)
        local straight, plain_straight = grid:straighten(path), plain:straighten(other)
        assert.same(cells_of(plain_straight), cells_of(straight))
      end
    end)
    if helper.all_rounds() then assert.truthy(routes > 100) end
  end)
end)
