-- SPDX-License-Identifier: MIT
-- Paths over grids of widths around those of words of bits, with areas of one kind wider than a word: they cost
-- what a field tells, which reads no bits. Also after edits. A failure prints WEND_SEED and WEND_ROUND.
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local WIDTHS = { 1, 2, 61, 62, 63, 64, 65, 66, 126, 127, 128, 129, 130, 191, 192, 193, 200 }

local function random_grid(rng)
  local width, height = rng:pick(WIDTHS), rng(140)
  local grid = wend.grid(width, height, { diagonals = rng:pick { "never", "both_open", "one_open", "always" } })
  for _ = 1, rng(0, 7) do
    local x, y, value = rng(width), rng(height), rng:pick { false, 0, 1, 2, 3, { weight = 1, tag = "mud" } }
    grid:fill(x, y, math.min(width, x + rng(40)), math.min(height, y + rng(40)), value)
  end
  for _ = 1, rng:pick { 0, 2, 60 } do grid:close(rng(width), rng(height)) end
  for _ = 1, rng:pick { 0, 0, 5 } do
    local x, y = rng(width), rng(height)
    if x < width then grid:wall(x, y, x + 1, y) end
    if y < height then grid:wall(x, y, x, y + 1) end
  end
  for i = 1, rng:pick { 0, 0, 12 } do grid:set(rng(width), rng(height), i) end -- many kinds
  return grid, width, height
end

describe("paths over wide grids", function()
  it("cost what fields tell", function()
    helper.rounds("wide", 60, function(rng)
      local grid, width, height = random_grid(rng)
      local opts = { costs = wend.costs { mud = rng:pick { 1, 3, false } } }
      for _ = 1, 6 do
        local x, y, to_x, to_y = rng(width), rng(height), rng(width), rng(height)
        local path = grid:path(x, y, to_x, to_y, opts)
        local cost = grid:field(to_x, to_y, opts):cost(x, y)
        if path or cost then reference.near(cost, path and path.cost) end
        grid:set(rng(width), rng(height), rng:pick { false, 1, 2 })
      end
    end)
  end)
end)
