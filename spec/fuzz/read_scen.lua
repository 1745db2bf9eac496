-- SPDX-License-Identifier: MIT
-- libFuzzer target: wend.read_scen.

local wend = require "wend"
local files = require "spec.fuzz.files"

return function(bytes)
  files.serve { x = bytes }
  local read = files.read(wend.read_scen, "x", { max_bytes = 100000 })
  for _, problem in ipairs(read or {}) do
    assert(problem[1] <= problem.width and problem[2] <= problem.height, "a problem outside of its map")
  end
end
