-- SPDX-License-Identifier: MIT
-- libFuzzer target: wend.read_tiled.

local wend = require "wend"
local files = require "spec.fuzz.files"
local questions = require "spec.fuzz.questions"

return function(bytes)
  files.serve { x = bytes }
  local map = files.read(wend.read_tiled, "x")
  if not map then return end
  for _, grid in pairs(map.grids) do questions.ask("R", grid) end
  if map.graph then questions.ask("G", map.graph) end
end
