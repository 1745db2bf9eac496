-- SPDX-License-Identifier: MIT
-- Crowds on random ground: alone, walkers pay for their ways no more than their plans do.
local helper = require "spec.support.helper"
local wend = require "wend"

--- What a straight way costs, by the prices of the cells under it.
local function ground_of(grid, prices, x1, y1, x2, y2)
  local length = math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
  local pieces, sum = math.ceil(length * 50), 0
  for i = 1, pieces do
    local at = (i - 0.5) / pieces
    local x, y = grid:cell_at(x1 + at * (x2 - x1), y1 + at * (y2 - y1))
    local weight, tag = grid:get(x, y)
    if weight then sum = sum + weight * (prices[tag] or 1) * length / pieces end
  end
  return sum
end

describe("a crowd on dear ground", function()
  it("walks at no more than the cost of the plan", function()
    helper.rounds("crowd ground", 6, function(rng)
      local width, height = rng(10, 24), rng(8, 16)
      local grid = wend.grid(width, height)
      local prices = { mud = rng:pick { 1.5, 3, 10 }, road = rng:pick { 0.5, 1 }, lava = 1e6 }
      local costs = wend.costs { mud = prices.mud, road = prices.road, lava = false }
      for _ = 1, rng(2, 12) do
        local x, y = rng(width), rng(height)
        grid:fill(x, y, math.min(width, x + rng(0, 5)), math.min(height, y + rng(0, 5)),
          rng:pick { "mud", "mud", "road", "lava", 2, false })
      end
      local crowd, list = wend.crowd { map = grid, costs = costs }, {}
      for i = 1, 12 do
        local x, y
        repeat x, y = rng(width), rng(height) until not grid:is_closed(x, y) -- nothing solid pushes it
        local w = crowd:add { x = x - 0.45 - 0.1 * rng(), y = y - 0.45 - 0.1 * rng(), avoids = {},
          radius = rng:pick { 0.1, 0.3, 0.45 }, speed = rng:pick { 1, 1.5, 3 }, data = i }
        w:go(rng(width) - 0.5, rng(height) - 0.5)
        list[i] = { w = w, spent = 0 }
      end
      for _ = 1, 30 * 90 do
        for _, one in ipairs(list) do one.x, one.y = one.w.x, one.w.y end
        crowd:update(1 / 30)
        for _, one in ipairs(list) do
          local w = one.w
          if one.plan then
            one.spent = one.spent + ground_of(grid, prices, one.x, one.y, w.x, w.y)
          elseif w._path then
            local points, x, y = w._path:points(), one.x, one.y
            one.plan = 0
            for k = 1, #points, 2 do
              one.plan = one.plan + ground_of(grid, prices, x, y, points[k], points[k + 1])
              x, y = points[k], points[k + 1]
            end
          end
        end
      end
      for _, one in ipairs(list) do
        if one.plan then
          -- It turns within a tenth of a second. Until then it may be on ground that the plan avoids.
          local most = 1.05 * one.plan + 0.1 * one.w.speed * math.max(prices.mud, 2)
          assert.is_true(one.spent <= most,
            ("walker %d paid %.2f for a plan of %.2f"):format(one.w.data, one.spent, one.plan))
          assert.equal("arrived", one.w.state)
        end
      end
    end)
  end)
end)
