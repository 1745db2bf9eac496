-- SPDX-License-Identifier: MIT
-- Runs busted under a Lua for Windows: wine64 lua.exe spec/windows/run.lua [busted's arguments]
--
-- busted is written in Lua, but loads three C modules: lfs, system and term. They are not there for Windows.
-- spec/support/stand_ins.lua replaces the last two. This lfs needs no shell, because all spec files are named.

local function is_file(name)
  local handle = io.open(name, "rb")
  if handle then handle:close() end
  return handle ~= nil
end

package.preload.lfs = function()
  return {
    attributes = function(name, what)
      if not is_file(name) then return nil, name .. ": No such file or directory", 2 end
      return what and (what == "mode" and "file" or nil) or { mode = "file" }
    end,
    symlinkattributes = function() return nil end,
    currentdir = function() return "." end,
    chdir = function() return true end,
    dir = function(name) error("spec/windows/run.lua cannot list the folder " .. name .. ": name the spec files") end,
  }
end
require "spec.support.stand_ins"

-- The C library makes names in the root folder of the drive. WEND_FOLDER: a folder that is there.
local folder, names = assert(os.getenv "WEND_FOLDER", "WEND_FOLDER must name a folder"), 0
os.tmpname = function() -- luacheck: ignore 122
  names = names + 1
  return ("%s/%d"):format(folder, names)
end

-- Specs that cannot pass on Windows: the name, and why.
local LEFT_OUT = {
  { "the classes of a project of Tiled are found in the nearest folder above the file of the map",
    "it makes a folder by a command of Unix" },
  { "a file cannot be a folder", "it makes a folder by a command of Unix" },
  { "a file stays as it was when it fails to rename", "on Windows the old file is removed then" },
  { "a gzipped file may have a name that a shell would make something else of", "Windows forbids such names" },
  { "a gzipped file may have any name: none reaches a shell", "Windows forbids such names" },
}
for _, one in ipairs(LEFT_OUT) do
  table.insert(arg, "--filter-out=" .. one[1]:gsub("%p", "%%%0"))
  io.stderr:write(("skipped: %s: %s\n"):format(one[1], one[2]))
end

require "busted.runner" { standalone = false }
