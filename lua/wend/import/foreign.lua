-- SPDX-License-Identifier: MIT
-- Files of other programs: they are read whole, and unpacked if they are packed by gzip. Readers raise failures as
-- tables, so that their parts need not return them.

local core = require "wend.core"
local disk = require "wend.disk"

local DIGITS_MAX = 15               -- digits of a number in a text file: with more, a double is not exact

local foreign = { MAX_BYTES = 64 * 1024 * 1024 } -- of an unpacked file: a packed megabyte can hold a gigabyte

---Raises a failure. `guarded` turns it into nil, message, code.
function foreign.fail(code, ...) error({ message = string.format(...), code = code }, 0) end

local fail = foreign.fail

---Raises a failure with the code "format".
function foreign.damaged(...) fail("format", ...) end

---Raises a failure with the code "format". `place` is where the defect is, such as "layer 'ground'", or "".
function foreign.bad(place, message, ...)
  message = message:format(...)
  foreign.damaged("%s", place ~= "" and place .. ": " .. message or message)
end

---Raises such a failure for a position in a text. `place` is the file, or "".
function foreign.bad_at(place, text, at, message, ...)
  local line = 1 + select(2, text:sub(1, at - 1):gsub("\n", ""))
  foreign.bad(("%sline %d"):format(place ~= "" and place .. ", " or "", line), message, ...)
end

---The UTF-8 of a code point. What is none, such as half of a pair, becomes U+FFFD.
function foreign.utf8(code)
  if code > 0x10ffff or code >= 0xd800 and code < 0xe000 then code = 0xfffd end
  if code < 0x80 then return string.char(code) end
  local bytes, first = "", 0x40
  while code >= first do
    bytes = string.char(0x80 + code % 64) .. bytes
    code, first = math.floor(code / 64), first == 0x40 and 0x20 or first / 2
  end
  return string.char(256 - 2 * first + code) .. bytes
end

---Calls a reader. A failure that it raises as a table becomes nil, message, code.
function foreign.guarded(reader, ...)
  local ok, result = pcall(reader, ...)
  if ok then return result end
  if type(result) == "table" and result.code then return nil, result.message, result.code end
  error(result, 0)
end

---Unpacks a gzip stream.
local function gunzip(file, packed, max_bytes)
  local data, size, code = core.unpack(packed, max_bytes)
  if data then return data end
  if code == "budget" then
    foreign.damaged("%s: expected up to %.0f bytes when unpacked, got more (max_bytes allows more)", file, max_bytes)
  end
  foreign.damaged("%s: damaged gzip stream, %.0f bytes could be unpacked", file, size)
end

---Reads a file, and unpacks it if it is packed. nil: there is no such file, and `optional` is set.
---@param max_bytes number|nil the largest size of an unpacked file; nil: it is not unpacked
function foreign.contents(file, max_bytes, optional)
  if file:find("\0", 1, true) then fail("io", "cannot read a file with a zero byte in its name") end
  local handle, message, number = disk.open(file, "rb")
  if not handle then
    if optional and number == 2 then return nil end   -- ENOENT: it is missing; other errors are failures
    fail("io", "cannot read %s", message)
  end
  local data
  data, message = handle:read "*a"
  handle:close()
  if not data then fail("io", "cannot read %s: %s", file, message or "unknown error") end
  if max_bytes and data:sub(1, 2) == "\31\139" then return gunzip(file, data, max_bytes) end
  return data
end

---Converts digits to a number. nil: they are nil, or too long for a double.
function foreign.integer(digits)
  return digits and #digits <= DIGITS_MAX and tonumber(digits) or nil
end

return foreign
