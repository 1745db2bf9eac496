-- SPDX-License-Identifier: MIT
-- libFuzzer target: the reader of .gr in the command. A line of % divides the .gr from the .co, if there is one.

local files = require "spec.fuzz.files"
local questions = require "spec.fuzz.questions"
local readers = require "wend.command.readers"

return function(bytes)
  local first, last = bytes:find("\n%\n", 1, true)
  files.serve { ["x.gr"] = bytes:sub(1, (first or 0) - 1), ["x.co"] = first and bytes:sub(last + 1) }
  local graph = files.read(readers.gr, "x.gr", 100000)
  if graph and graph:node_count() < 1000 then questions.ask("G", graph) end
end
