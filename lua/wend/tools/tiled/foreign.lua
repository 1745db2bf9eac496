-- SPDX-License-Identifier: MIT
-- Files of other programs: they are read whole. Readers raise failures as tables, so that their parts need not return
-- them.

local disk = require "wend.disk"

local foreign = {}

---Raises a failure. `guarded` turns it into nil, message, code.
function foreign.fail(code, ...) error({ message = string.format(...), code = code }, 0) end

local fail = foreign.fail

---Raises a failure with the code "format". `place` is where the defect is, such as "layer 'ground'", or "".
function foreign.bad(place, message, ...)
  message = message:format(...)
  fail("format", "%s", place ~= "" and place .. ": " .. message or message)
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

---Reads a file. nil: there is no such file, and `optional` is set.
function foreign.contents(file, optional)
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
  return data
end

return foreign
