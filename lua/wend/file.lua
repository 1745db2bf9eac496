-- SPDX-License-Identifier: MIT
--- Saving and loading: the methods `save` of graphs and grids, and wend.load. What the bytes mean is up to the core
--- (encode and decode); here they are read and written.

local core = require "wend.core"
local check = require "wend.check"

local file = {}

local function check_name(name)
  if type(name) ~= "string" or name == "" then
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

--- x:save(file): saves a graph or grid with all that it has; see doc/FORMAT.md.
-- @param name the file's name; it is written beside that first (with `.part` at its end), and then renamed
-- @return true; or nil, a message, "io"
-- Raises where the name is no string.
local function save(self, name)
  local bytes = self:encode()
  check_name(name)
  local ok, message = write(name, bytes)
  if not ok then
    return nil, ("%s could not be saved: %s"):format(name, message), "io"
  end
  return true
end

--- wend.load(file): what x:save has saved.
-- @return a graph or grid; or nil, a message and "io" (it cannot be read) or "format" (it is not what it should be)
-- Raises where the name is no string.
function file.load(name)
  check_name(name)
  local handle, message = io.open(name, "rb")
  local bytes
  if handle then
    bytes, message = handle:read "*a"
    handle:close()
  end
  if not bytes then
    return nil, ("%s cannot be read: %s"):format(name, message or "it is no file"), "io"
  end
  local object, reason, code = core.decode(bytes)
  if not object then
    return nil, ("%s: %s"):format(name, reason), code
  end
  return object
end

for _, object in ipairs { core.graph(), core.grid(1, 1) } do
  getmetatable(object).__index.save = save
end

return file
