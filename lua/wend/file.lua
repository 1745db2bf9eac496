-- SPDX-License-Identifier: MIT
--- Saving and loading: the methods `save` of graphs, grids, fields and route tables, and wend.load. What the bytes
--- mean is up to the core (encode and decode); here they are read and written.

local core = require "wend.core"
local check = require "wend.check"
local disk = require "wend.disk"

local file = {}

local function check_name(name)
  if type(name) ~= "string" or name == "" or name:find("\0", 1, true) then
    check.fail("file must be a file's name, got %s", check.describe(name))
  end
end

local ENOENT = 2 -- the error number for "no such file", on every system

local function is_there(name)
  local handle = disk.open(name, "rb")
  if handle then
    handle:close()
  end
  return handle ~= nil
end

--- Makes room for the file NAME.part: what is there is removed, since to open a symbolic link would write to the file
--- that it leads to. os.remove takes the link itself. Where it fails nothing is opened.
--- Plain Lua cannot open a file only if it is new. Whoever may write to the folder can still put a link there between
--- the two steps, so nobody else should be able to write to it.
local function clear(part)
  if is_there(part .. "/.") then
    return nil, part .. " is a folder" -- os.remove would remove it if it is empty
  end
  local ok, message, number = disk.remove(part)
  if ok or number == ENOENT then
    return true
  end
  return nil, message
end

--- Writes bytes beside a file first, and puts them in its place when they are all there: who loads it meanwhile, or
--- after the power has failed, finds the old file or the new one.
local function write(name, bytes)
  local part = name .. ".part"
  local on_windows = package.config:sub(1, 1) == "\\"
  local ok, message = true, nil
  if on_windows and is_there(part) and not is_there(name) then
    ok, message = disk.rename(part, name) -- what an earlier save had to leave there is the only copy
  end
  if ok then
    ok, message = clear(part)
  end
  if not ok then
    return nil, message
  end
  local handle
  handle, message = disk.open(part, "wb")
  if not handle then
    return nil, message
  end
  ok, message = handle:write(bytes)
  local closed, closing = handle:close()
  if not (ok and closed) then
    disk.remove(part)
    return nil, message or closing
  end
  ok, message = disk.rename(part, name)
  if not ok and on_windows and disk.remove(name) then -- Windows does not rename to a name that is taken
    ok, message = disk.rename(part, name)
    if not ok then -- the old file is gone: this is the only copy
      return nil, ("%s; the old file is gone, the new one is %s"):format(message or "it cannot be renamed", part)
    end
  end
  if not ok then
    disk.remove(part)
  end
  return ok, message
end

--- x:save(file): saves a graph, grid, field or route table with all that it has; see doc/FORMAT.md. A link is
--- replaced by a file, and not followed.
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
  core.decode("", options) -- wrong options raise, whether there is a file or not
  local handle, message = disk.open(name, "rb")
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
