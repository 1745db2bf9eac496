-- SPDX-License-Identifier: MIT
-- libFuzzer target: unpacking gzip data. Its checksum is rarely right, but is compared after all else.

local core = require "wend.core"

return function(bytes)
  local data, size, code = core.unpack(bytes, 100000)
  if data then
    assert(#data <= 100000 and core.unpack(bytes, #data) == data, "not the same again")
    assert(#data == 0 or select(3, core.unpack(bytes, #data - 1)) == "budget", "more than was allowed")
  else
    assert(size <= 100000 and (code == "format" or code == "budget"), "no code")
  end
end
