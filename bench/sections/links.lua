-- SPDX-License-Identifier: MIT
-- g:link on levels of growing size, and where many nodes are alike.

local common = require "common"
local wend = require "wend"

local function random(seed)
  local state = seed
  return function()
    state = state * 16807 % 2147483647
    return state / 2147483647
  end
end

local function anywhere()
  local rng = random(7)
  return function() return rng() * 1000, rng() * 1000 end
end

local function one_place()
  return function() return 5, 5 end
end

local function speck()
  local rng = random(7)
  return function(i) return i == 1 and -1e12 or rng(), rng() end
end

local function lattice()
  return function(i) return i % 500, i // 500 end
end

local cases = {
  { "anywhere", anywhere, 10000 }, { "anywhere", anywhere, 100000 }, { "anywhere", anywhere, 1000000, slow = true },
  { "a lattice", lattice, 250000, slow = true }, { "one place", one_place, 16000 },
  { "one place", one_place, 1000000, slow = true }, { "a speck, one far away", speck, 16000 },
}

return {
  name = "links",
  title = "g:link of the four nearest, of nodes that are",
  run = function()
    local rows = {}
    for _, case in ipairs(cases) do
      if not (common.quick and case.slow) then
        local name, points, count, made = case[1], {}, case[3], 0
        local point = case[2]()
        for i = 1, count do points[2 * i - 1], points[2 * i] = point(i) end
        local seconds = common.time_once({ { "link", function(g) made = g:link() end } }, function()
          local g = wend.graph()
          g:add_nodes(points)
          return g
        end)
        rows[#rows + 1] = { name, count, made, common.round(seconds.link * 1e3, 0),
          common.round(seconds.link / count * 1e9, 0) }
      end
    end
    common.print_table({ "nodes", "how many", "edges", "ms", "ns a node" }, rows)
  end,
}
