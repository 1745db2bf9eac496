-- SPDX-License-Identifier: MIT
-- libFuzzer target: wend.read_gr. A line of % divides the .gr from the .co, if there is one.

local wend = require "wend"
local files = require "spec.fuzz.files"
local questions = require "spec.fuzz.questions"

return function(bytes)
  local first, last = bytes:find("\n%\n", 1, true)
  files.serve { ["x.gr"] = bytes:sub(1, (first or 0) - 1), ["x.co"] = first and bytes:sub(last + 1) }
  local graph = files.read(wend.read_gr, "x.gr", { max_bytes = 100000 })
  if graph and graph:node_count() < 1000 then questions.ask("G", graph) end
end
