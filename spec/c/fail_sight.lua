-- SPDX-License-Identifier: MIT
-- Other ways, sight, frontiers, buildings and points with room, while memory runs out: what failed can be asked again,
-- and says the same.
local wend = require "wend.all" -- loading is not what is to fail

local grid = wend.grid(30, 20):fill(12, 4, 13, 14, false):fill(20, 8, 21, 20, false):set(5, 5, 1, "smoke")
local fog = grid:overlay { unknown = 1 }:reveal(1, 1, 9, 9)
local layer, walls = wend.influence(grid), wend.walls()
walls:add_segment(0, 3, 30, 3)

local function show(value)
  if type(value) ~= "table" then return tostring(value) end
  local list = {}
  for i, item in ipairs(value) do list[i] = show(item) end
  return "{" .. table.concat(list, " ") .. "}"
end

local smoke = { opaque = { "smoke" }, transparent = { "window" } }
local questions = {
  function() return grid:alternatives(2, 10, 29, 10, { count = 3, seed = 4 }) end,
  function() return grid:sees(1, 5, 9, 5, smoke) end,
  function() return grid:visible(8, 8, 6, smoke) end,
  function() return fog:frontier() end,
  function() return layer:visible_from({ 2, 2, 9, 9 }, 5, smoke):get(4, 4) end,
  function() return grid:first_cut({ 12, 1, 13, 3 }, { 2, 2 }, { 29, 2 }) end,
  function() return grid:first_cut({ 12, 1, 12, 3 }, { 2, 2 }, { 29, 2 }, { size = 2 }) end,
  function() return grid:path(2, 10, 29, 10, { corners = true }):points { jitter = 3, seed = 1, clear = walls } end,
  function() return grid:path(2, 5, 9, 5, { sight = smoke, within = 6 }) end,
}

local answers = {}
for i, ask in ipairs(questions) do
  collectgarbage()
  local ok, answer = attempt(function() return show(ask()) end)
  answers[i] = show(ask())
  if ok and answer ~= answers[i] then error(("question %d: %s, then %s"):format(i, answer, answers[i]), 0) end
  if is_over() then return end
end
