-- SPDX-License-Identifier: MIT
-- libFuzzer target: wend.read_map.

local wend = require "wend"
local files = require "spec.fuzz.files"
local questions = require "spec.fuzz.questions"

return function(bytes)
  files.serve { x = bytes }
  local read = files.read(wend.read_map, "x", { max_bytes = 100000 })
  if read then questions.ask("R", read) end
end
