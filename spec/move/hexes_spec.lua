-- SPDX-License-Identifier: MIT
-- Followers over hexes: they know the hex in which they are, and how fast they are there.
local helper = require "spec.support.helper"
local wend = require "wend"

--- A board with mud in it, and a path over it.
local function board(rng)
  local flat = rng:chance(0.5)
  local grid = wend.grid(9, 8, { shape = "hex", flat = flat, shift = rng:pick { "odd", "even" },
    cell = rng:pick { 1, { 20, 30 } }, side = rng:pick { false, 0.4 } or nil })
  for _ = 1, 30 do grid:set(rng(9), rng(8), "mud") end
  return grid, grid:path(rng(9), rng(8), rng(9), rng(8))
end

describe("a follower over hexes #move", function()
  it("is slow in hexes with a tag, as long as a line of small pieces says", function()
    helper.rounds("followers over hexes", 40, function(rng)
      local grid, path = board(rng)
      local points, length, time = path:points(), 0, 0
      for i = 3, #points, 2 do
        local dx, dy = points[i] - points[i - 2], points[i + 1] - points[i - 1]
        local leg = (dx * dx + dy * dy) ^ 0.5
        for k = 1, 2000 do
          local share = (k - 0.5) / 2000
          local x, y = grid:cell_at(points[i - 2] + dx * share, points[i - 1] + dy * share)
          time = time + leg / 2000 / (select(2, grid:get(x, y)) == "mud" and 0.25 or 1)
        end
        length = length + leg
      end
      local f, used = wend.follow(path, { speed = 1, speeds = { mud = 0.25 } }), 0
      while not f.done do
        f:update(length / 500)
        used = used + length / 500
      end
      assert.near(time, used, length / 400 + 1e-9)
    end)
  end)

  it("is a cell where one is meant, and goes on after it was saved", function()
    helper.rounds("saved followers over hexes", 40, function(rng)
      local grid, path = board(rng)
      local f = wend.follow(path, { speed = 3, speeds = { mud = 0.5 } })
      f:update(rng(9) / 3)
      local x, y = grid:cell_at(f.x, f.y)
      assert.same({ grid:get(x, y) }, { grid:get(f) })
      local h = assert(wend.decode(f:encode(), { map = grid }))
      for _ = 1, 9 do
        f:update(0.7)
        h:update(0.7)
        assert.same({ f.x, f.y, f.tag }, { h.x, h.y, h.tag })
      end
      assert.equal(f:encode(), h:encode())
      local wide, high, side = grid:cell_size()
      local _, shift, flat = grid:shape()
      local changed = wend.grid(9, 8,
        { shape = "hex", shift = shift, flat = flat, cell = { wide, high }, side = side / 2 })
      for cy = 1, 8 do
        for cx = 1, 9 do changed:set(cx, cy, grid:get(cx, cy)) end
      end
      local _, _, code = wend.decode(f:encode(), { map = changed })
      assert.equal("stale", code)
    end)
  end)
end)
