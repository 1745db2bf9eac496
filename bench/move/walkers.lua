-- SPDX-License-Identifier: MIT
-- Walkers that are measured.

local graphs = require "graphs"

-- Makes a list of { x, y, goal's x, goal's y }: walkers in a square with `area` for each, in random order. Each goes up
-- to 100 to either side, and stays in the square: so it stays as dense as it was.
return function(count, area)
  math.randomseed(graphs.seed)
  local side, columns, order = math.sqrt(count * area), math.ceil(math.sqrt(count)), {}
  for i = 1, count do order[i] = i - 1 end
  for i = count, 2, -1 do
    local j = math.random(i)
    order[i], order[j] = order[j], order[i]
  end
  local function mirrored(at)
    at = math.abs(at) % (2 * side)
    return at <= side and at or 2 * side - at
  end
  local walkers = {}
  for i, at in ipairs(order) do
    local x, y = (at % columns + 0.5) * side / columns, (at // columns + 0.5) * side / columns
    walkers[i] = {
      x + 0.1 * math.random() - 0.05, y + 0.1 * math.random() - 0.05,
      mirrored(x + 200 * math.random() - 100), mirrored(y + 200 * math.random() - 100),
    }
  end
  return walkers
end
