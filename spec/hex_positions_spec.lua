-- SPDX-License-Identifier: MIT
-- Where hexes lie in the world: positions, cells at points, points of paths, the nearest hex, files.
local file_reference = require "spec.support.file_reference"
local frame = require "wend.frame"
local helper = require "spec.support.helper"
local wend = require "wend"

--- A grid of hexes with a random frame.
local function random_grid(rng, width, height)
  local flat, cell = rng:chance(0.5), rng:pick { 1, 32, { 32, 28 }, { 10, 40 }, { 40, 10 } }
  local opts = { shape = "hex", shift = rng:pick { "odd", "even" }, flat = flat, cell = cell, origin = { -7, 3 } }
  local share = rng:pick { false, 0, 0.3, 1 }
  if share then opts.side = share * (type(cell) == "table" and cell[flat and 1 or 2] or cell) end
  return wend.grid(width, height, opts)
end

local function distance(x, y, x2, y2) return ((x - x2) ^ 2 + (y - y2) ^ 2) ^ 0.5 end

--- The distance of the open hex whose centre is nearest to a point.
local function least_distance(grid, px, py)
  local least = math.huge
  for y = 1, grid:height() do
    for x = 1, grid:width() do
      local cx, cy = grid:position(x, y)
      if not grid:is_closed(x, y) then least = math.min(least, distance(px, py, cx, cy)) end
    end
  end
  return least
end

describe("hexes in the world", function()
  it("have regular shape and neighbours at the distance `cell`, unless it is said", function()
    local grid = wend.grid(3, 3, { shape = "hex", cell = 10, origin = { 100, 0 } })
    local x, y = grid:position(2, 2)
    for _, beside in ipairs { { 1, 2 }, { 3, 2 }, { 2, 1 }, { 3, 1 }, { 2, 3 }, { 3, 3 } } do
      if grid:path(2, 2, beside[1], beside[2]).cost == 1 then
        assert.near(10, distance(x, y, grid:position(beside[1], beside[2])), 1e-9)
      end
    end
    assert.equal(115, x) -- an even row is not shifted
    assert.same({ 32, 28, 14 }, { wend.grid(3, 3, { shape = "hex", cell = { 32, 28 } }):cell_size() })
    assert.same({ 32, 28, 16 }, { wend.grid(3, 3, { shape = "hex", flat = true, cell = { 32, 28 } }):cell_size() })
  end)

  it("lie as in Tiled", function()
    local grid = wend.grid(4, 4, { shape = "hex", cell = { 14, 12 }, side = 6 }) -- rows are 9 apart
    assert.same({ 14, 6 }, { grid:position(1, 1) })
    assert.same({ 7, 15 }, { grid:position(1, 2) })
    assert.same({ 2, 3 }, { grid:cell_at(28, 24) })
    grid = wend.grid(4, 4, { shape = "hex", shift = "even", flat = true, cell = { 12, 14 }, side = 6 })
    assert.same({ 6, 7 }, { grid:position(1, 1) })
    assert.same({ 15, 14 }, { grid:position(2, 1) })
  end)

  it("are found by each point inside", function()
    helper.rounds("frames of hexes", 40, function(rng)
      local grid = random_grid(rng, 9, 8)
      local corners = frame.corners(grid)
      for y = 1, 8 do
        for x = 1, 9 do
          local px, py = grid:position(x, y)
          assert.same({ x, y }, { grid:cell_at(px, py) })
          for i = 1, 12, 2 do
            local j = (i + 1) % 12 + 1
            local dx, dy = (corners[i] + corners[j]) / 2, (corners[i + 1] + corners[j + 1]) / 2
            assert.same({ x, y }, { grid:cell_at(px + corners[i] * 0.999, py + corners[i + 1] * 0.999) })
            assert.same({ x, y }, { grid:cell_at(px + dx * 0.999, py + dy * 0.999) })
            local x2, y2 = grid:cell_at(px + dx * 1.001, py + dy * 1.001)
            if x2 then assert.equal(1, grid:path(x, y, x2, y2).cost) end
          end
        end
      end
      for _, far in ipairs { 1e150, -1e150 } do
        assert.is_nil(grid:cell_at(far, 0))
        assert.is_nil(grid:cell_at(0, far))
      end
    end)
  end)

  it("are the nearest to a point", function()
    helper.rounds("nearest hexes", 60, function(rng)
      local grid = random_grid(rng, 9, 8)
      for _ = 1, 20 do
        local px, py = rng(-90, 420) * 1.01, rng(-90, 420) * 1.01
        local x, y = grid:cell_at(px, py)
        if rng:chance(0.1) then grid:close(rng(4), rng(4), rng(4, 9), rng(4, 8)) end
        local x2, y2, far = grid:nearest(px, py)
        if x and not grid:is_closed(x, y) then
          assert.same({ x, y }, { x2, y2 })
        elseif not far then -- all are closed
          assert.equal(math.huge, least_distance(grid, px, py))
        else
          assert.near(least_distance(grid, px, py), far, 1e-9 * (1 + far))
          assert.is_nil(grid:nearest(px, py, { max_distance = far * 0.99 }))
        end
      end
    end)
  end)

  it("are the points of a path, from their centres, and move inside the hex", function()
    helper.rounds("points of hexes", 20, function(rng)
      local grid = random_grid(rng, 9, 8)
      local path = grid:path(1, 1, 8, 7)
      local points, moved = path:points(), path:points { jitter = 1000, seed = rng(9) }
      for i = 1, #path, 2 do
        assert.same({ points[i], points[i + 1] }, { grid:position(path[i], path[i + 1]) })
        assert.same({ path[i], path[i + 1] }, { grid:cell_at(moved[i], moved[i + 1]) })
      end
    end)
  end)

  it("are kept by copies, overlays and files", function()
    helper.rounds("files of hexes", 40, function(rng)
      local grid = random_grid(rng, 3, 4)
      local bytes = grid:encode()
      for _, other in ipairs { grid:copy(), grid:overlay(), wend.decode(bytes) } do
        assert.same({ grid:position(3, 3) }, { other:position(3, 3) })
        assert.same({ grid:cell_size() }, { other:cell_size() })
      end
      assert.equal(bytes, wend.decode(bytes):encode())
    end)
  end)

  it("are refused from files with a side that the writer does not write", function()
    local bytes = wend.grid(2, 2, { shape = "hex", cell = { 4, 2 }, side = 2 }):encode()
    local function with(side)
      return file_reference.change(bytes, "extr", function(extra) return extra:sub(1, -9) .. side end)
    end
    assert.equal(1, select(3, assert(wend.decode(with "\0\0\0\0\0\0\240\63")):cell_size()))
    for _, side in ipairs { "\0\0\0\0\0\0\8\64", "\0\0\0\0\0\0\240\191", "\0\0\0\0\0\0\248\127", "\0\0\0\0" } do
      local grid, _, code = wend.decode(with(side))
      assert.same({ nil, "format" }, { grid, code })
    end
  end)

  helper.all_raise(it, {
    "side must be a number in 0 .. 28, got 29",
    function() wend.grid(2, 2, { shape = "hex", cell = { 32, 28 }, side = 29 }) end,
    "side must be a number in 0 .. 32, got 'x'",
    function() wend.grid(2, 2, { shape = "hex", flat = true, cell = { 32, 28 }, side = "x" }) end,
    "the option 'side' is for hexes: give shape = \"hex\"",
    function() wend.grid(2, 2, { side = 1 }) end,
    "cell must be a finite number > 0, got 1e+100",
    function() wend.grid(2, 2, { shape = "hex", cell = 1e100 }) end,
    "cell: y must be a finite number > 0, got nil",
    function() wend.grid(2, 2, { shape = "hex", cell = { 1 } }) end,
    "the option 'clear' is not for hexes",
    function() wend.grid(2, 2, { shape = "hex" }):path(1, 1, 2, 2):points { jitter = 1, seed = 1, clear = print } end,
  })
end)
