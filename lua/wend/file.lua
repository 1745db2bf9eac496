-- SPDX-License-Identifier: MIT
--- Saving and loading: the methods `save` of maps, walls, levels, fields, route tables, paths and so on, and wend.load.
--- The core turns objects into bytes and back (encode, decode). This file writes and reads the bytes.

local core = require "wend.core"
local check = require "wend.check"
local disk = require "wend.disk"
local lazy = require "wend.lazy"

local file = {}

--- Raises unless a value can be the name of a file.
local function check_name(name)
  check.must(type(name) == "string" and name ~= "" and not name:find("\0", 1, true), "file", "a file's name", name)
end

local ENOENT = 2 -- the error number for "no such file" on every system

--- Whether a file can be opened for reading.
local function is_there(name)
  local handle = disk.open(name, "rb")
  if handle then
    handle:close()
  end
  return handle ~= nil
end

--- Removes an existing NAME.part. If it were a symbolic link, opening it would write to the file that the link leads
--- to; os.remove removes the link itself. If this fails, the file is not opened. Plain Lua cannot open a file only if
--- it is new. So another program that can write to the folder could still put a link there between the two steps. Save
--- only to folders that nobody else can write to.
--- @return true; or nil and a message
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

--- Writes bytes to a file, in two steps: first to NAME.part, and when all bytes are there, renames that. A program that
--- loads the file meanwhile, or after a power failure, finds the old file or the new one.
--- @return true; or nil and a message
local function write(name, bytes)
  local part = name .. ".part"
  if not disk.can_open() then
    return disk.open(part, "wb") -- it fails: nothing is removed before
  end
  local package = rawget(_G, "package")
  local on_windows = package and package.config:sub(1, 1) == "\\"
  local ok, message = true, nil
  if on_windows and is_there(part) and not is_there(name) then
    ok, message = disk.rename(part, name) -- an earlier save had to leave its data there: it is the only copy
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
  if not ok and on_windows and disk.remove(name) then -- Windows does not rename to an existing name
    ok, message = disk.rename(part, name)
    if not ok then -- the old file is removed already: NAME.part is the only copy
      return nil, ("%s; the old file is gone, the new one is %s"):format(message or "it cannot be renamed", part)
    end
  end
  if not ok then
    disk.remove(part)
  end
  return ok, message
end

--- x:save(file[, opts]): saves an object completely. doc/FORMAT.md describes the file. A symbolic link is replaced by a
--- file, not followed.
-- @param encode the method `encode` of the object
-- @param name the name of the file; NAME.part is written first, and then renamed
-- @param options a table or nil, as for `encode`
-- @return true; or nil, a message and "io", or "stale" (a field or route table whose map has changed)
local function save(encode, self, name, options)
  local bytes, stale, why = encode(self, options)
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

--- Bytes with which wend.decode checks options: of a kind that alone takes some of them, or none.
local function probe_of(options)
  for _, probe in ipairs(lazy.probes) do
    for _, name in ipairs(probe.options) do
      if type(options) == "table" and rawget(options, name) ~= nil then return probe.bytes end
    end
  end
  return ""
end

--- wend.load(file[, opts]): loads an object that x:save has saved.
-- @param options a table or nil, as for wend.decode
-- @return the object; or nil, a message and "io" (the file cannot be read), "format" (it is damaged or of another kind)
-- or "stale" (it belongs to another map)
function file.load(name, options)
  check_name(name)
  core.decode(probe_of(options), options) -- wrong options raise, even if there is no file
  local handle, message = disk.open(name, "rb")
  local bytes
  if handle then
    bytes, message = handle:read "*a"
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

file.save = save

--- Makes the method `save` of a type.
-- @param encode its method `encode`
function file.saver(encode)
  return function(self, name, options) return save(encode, self, name, options) end
end

return file
