-- SPDX-License-Identifier: MIT
-- libFuzzer target: the reader of .wpt in the command.

local files = require "spec.fuzz.files"
local questions = require "spec.fuzz.questions"
local readers = require "wend.command.readers"

return function(bytes)
  files.serve { x = bytes }
  local read = files.read(readers.wpt, "x", 100000)
  if read then questions.ask("G", read) end
end
