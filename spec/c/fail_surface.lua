-- SPDX-License-Identifier: MIT
-- Surfaces while memory runs out: a call that failed can be made again, and the graph is then what it would have been.
local reference = require "spec.support.surface_reference"
local wend = require "wend.all" -- loading is not what is to fail

local opts = { height = 2, jump = 1, swim = true, climb = true,
  classes = { [0] = "air", "solid", "water", "ladder", { kind = "solid", tag = "mud", cost = 2 } } }

-- Ids of a box of hills: each box has other ones.
local function hills(seed, w, h, d)
  local ids = {}
  for z = 1, d do
    for y = 1, h do
      for x = 1, w do ids[#ids + 1] = y <= (x * seed + z * 3) % 3 + 1 and (x + z) % 5 % 2 * 3 + 1 or 0 end
    end
  end
  return ids
end

local surface
local works = {
  function() surface = wend.surface(opts) end,
  function() surface:load(0, 0, 0, 7, 6, 5, hills(1, 7, 6, 5)) end,
  function() surface:load(7, 0, 0, 12, 6, 3, hills(2, 12, 6, 3)) end,
  function() surface:changed(3, 2, 2, 1):changed(8, 3, 1, 3) end,
  function() surface:load(5, 0, 0, 4, 6, 3, hills(5, 4, 6, 3)) end,
  function() surface:unload(2, 0, 1, 3, 6, 2) end,
  function() surface:at(3.5, 4, 1.5) end,
  function() return surface.graph:encode() end,
}

local function facts() return reference.facts_of(surface.graph, "y", 0.5, 0) end

local wanted = {}
for i, work in ipairs(works) do
  work()
  wanted[i] = facts()
end
for i, work in ipairs(works) do
  collectgarbage()
  if not attempt(work) then work() end
  local difference = reference.difference(wanted[i], facts())
  if difference then error(("work %d: %s"):format(i, difference), 0) end
  if is_over() then return end
end
