-- SPDX-License-Identifier: MIT
--- Opens, removes and renames files for the other modules. A file name is UTF-8 on every system.
--
-- On Windows io.open takes a name in the ANSI code page, which has no room for most scripts. There the core's own
-- functions are used. Elsewhere, and where a host has replaced io.open, os.remove or os.rename, those are used.

local once = require "wend.once"

--- A function of Lua; on Windows the core's, unless a host has replaced that of Lua. Where the host has none, it fails.
-- @param library "io" or "os"
local function choose(library, name, wide)
  local owner = rawget(_G, library)
  local stock = owner and owner[name]
  return function(file, ...)
    local fn = owner and owner[name]
    if not fn then return nil, ("%s: there is no %s.%s"):format(file, library, name) end
    return (wide and fn == stock and wide or fn)(file, ...)
  end
end

local io = rawget(_G, "io")
local stock_open = io and io.open

return {
  --- Whether the host can open files.
  can_open = function() return (io and io.open) ~= nil end,
  --- io.open(name, mode): mode is "rb" or "wb". The handle has read("*a"), write(bytes) and close().
  open = choose("io", "open", once.open),
  --- os.remove(name). A symbolic link is removed itself, not the file that it leads to.
  remove = choose("os", "remove", once.remove),
  --- os.rename(from, to). On Windows os.rename fails where `to` exists; the core's function replaces it in one step.
  rename = choose("os", "rename", once.rename),
  --- find(folder, suffix): the name of the file in a folder whose name ends so, of several the first by bytes. nil:
  --- there is none; or the system does not list folders; or a host has replaced io.open.
  find = function(folder, suffix)
    return once.find and stock_open and io.open == stock_open and once.find(folder, suffix) or nil
  end,
}
