-- SPDX-License-Identifier: MIT
-- What the fuzzers of the readers share: files in memory, so that nothing touches the disk.

local files = {}

--- Has io.open find these files and no others. A name that is not in the table is one of no file.
---@param contents table<string, string>
function files.serve(contents)
  io.open = function(name) -- luacheck: ignore 122
    local data = contents[name]
    if not data then return nil, name .. ": No such file or directory", 2 end
    return { read = function() return data end, close = function() return true end }
  end
end

--- Calls a reader; raises where it answers neither what it should nor nil, a message and a code.
function files.read(reader, ...)
  local result, message, code = reader(...)
  if result == nil then
    assert(type(message) == "string" and (code == "io" or code == "format"), "no message, or no code")
  end
  return result
end

return files
