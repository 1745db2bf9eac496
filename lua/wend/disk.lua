-- SPDX-License-Identifier: MIT
--- Opens, removes and renames files for the other modules. A file name is UTF-8 on every system.
--
-- On Windows io.open takes a name in the ANSI code page, which has no room for most scripts. There the core's own
-- functions are used. Elsewhere, and where a host has replaced io.open, os.remove or os.rename, those are used.

local once = require "wend.once"

local disk = {}

local stock_open, stock_remove, stock_rename = io and io.open, os and os.remove, os and os.rename
local wide_open, wide_remove, wide_rename = once.open, once.remove, once.rename

--- io.open(name, mode): mode is "rb" or "wb". The handle has read(count or "*a"), write(bytes), seek("set" or "end")
--- and close().
function disk.open(name, mode)
  if wide_open and io.open == stock_open then
    return wide_open(name, mode)
  end
  return io.open(name, mode)
end

--- os.remove(name). A symbolic link is removed itself, not the file that it leads to.
function disk.remove(name)
  if wide_remove and os.remove == stock_remove then
    return wide_remove(name)
  end
  return os.remove(name)
end

--- os.rename(from, to). On Windows os.rename fails where `to` exists; the core's function replaces it in one step.
function disk.rename(from, to)
  if wide_rename and os.rename == stock_rename then
    return wide_rename(from, to)
  end
  return os.rename(from, to)
end

return disk
