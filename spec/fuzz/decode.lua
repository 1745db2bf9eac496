-- SPDX-License-Identifier: MIT
-- libFuzzer target: wend.decode. What it takes gives the same bytes again, and answers all questions.

local wend = require "wend"
local helper = require "spec.support.helper"
local golden = require "spec.golden"
local questions = require "spec.fuzz.questions"

-- The maps of target.c, in the same order.
local maps = {}
for i, name in ipairs { "graph", "graph_empty", "graph_solid", "graph_reused", "grid", "grid_cells", "grid_linked" } do
  maps[i] = assert(wend.decode(helper.read(golden.file(2, name))))
end

return function(bytes)
  local kind = bytes:sub(5, 5)
  if kind == "C" then return questions.crowd(bytes, maps) end
  local of_map = kind == "F" or kind == "T" or kind == "H" or kind == "A" or kind == "O" or kind == "I"
  for i = 1, of_map and #maps or 1 do
    if kind == "O" then maps[i] = maps[i]:copy() end -- without the tags of other overlays
    local options = { map = maps[i], clear = questions.clear, on_point = questions.tell }
    local object, message, code = wend.decode(bytes, options)
    if object then
      questions.same_again(bytes, object, maps[i])
      questions.ask(kind, object, maps[i])
      return
    end
    assert(type(message) == "string" and (code == "format" or of_map and code == "stale"), code)
    if code == "format" then return end
  end
end
