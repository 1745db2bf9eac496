-- SPDX-License-Identifier: MIT
--- Saving and loading: the methods `save` of graphs, grids, fields and route tables, and wend.load. What the bytes
--- mean is up to the core (encode and decode); here they are read and written.

local core = require "wend.core"
local check = require "wend.check"

local file = {}

local function check_name(name)
  if type(name) ~= "string" or name == "" or name:find("\0", 1, true) then
    check.fail("file must be a file's name, got %s", check.describe(name))
  end
end

--- Writes bytes beside a file first, and puts them in its place when they are all there: who loads it meanwhile, or
--- after the power has failed, finds the old file or the new one.
local function write(name, bytes)
  local part = name .. ".part"
  local handle, message = io.open(part, "wb")
  if not handle then
    return nil, message
  end
  local ok
  ok, message = handle:write(bytes)
  local closed, closing = handle:close()
  if not (ok and closed) then
    os.remove(part)
    return nil, message or closing
  end
  ok, message = os.rename(part, name)
  if not ok and package.config:sub(1, 1) == "\\" then -- Windows renames over nothing
    os.remove(name)
    ok, message = os.rename(part, name)
  end
  if not ok then
    os.remove(part)
  end
  return ok, message
end

--- x:save(file): saves a graph, grid, field or route table with all that it has; see doc/FORMAT.md.
-- @param name the file's name; it is written beside that first (with `.part` at its end), and then renamed
-- @return true; or nil, a message and "io", or "stale" (of a field or table whose map has changed)
-- Raises where the name is no string.
local function save(encode, self, name)
  local bytes, stale, why = encode(self)
  check_name(name)
  if not bytes then
    return nil, stale, why
  end
  local ok, message = write(name, bytes)
  if not ok then
    return nil, ("%s could not be saved: %s"):format(name, message), "io"
  end
  return true
end

--- wend.load(file[, opts]): what x:save has saved.
-- @param options a table or nil, as of wend.decode: `map`, the graph or grid that a field or a route table is of, and
-- `costs`, `agent`, `cost`, `at_least`, which it was made with
-- @return a graph, grid, field or route table; or nil, a message and "io" (it cannot be read), "format" (it is not what
-- it should be) or "stale" (it is of another map)
-- Raises where the name is no string, and as wend.decode does.
function file.load(name, options)
  check_name(name)
  local handle, message = io.open(name, "rb")
  local bytes
  if handle then
    local size = handle:read(0) and handle:seek "end" -- where it is known, all is read in one piece
    if size and size > 0 and handle:seek "set" then
      bytes, message = handle:read(size)
    else
      bytes, message = handle:read "*a"
    end
    handle:close()
  end
  if not bytes then
    return nil, ("%s cannot be read: %s"):format(name, message or "it is no file"), "io"
  end
  local object, reason, code = core.decode(bytes, options)
  if not object then
    return nil, ("%s: %s"):format(name, reason), code
  end
  return object
end

for _, methods in ipairs { core.methods() } do
  local encode = methods.encode
  function methods.save(self, name) return save(encode, self, name) end
end

return file
