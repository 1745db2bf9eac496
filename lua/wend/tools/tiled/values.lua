-- SPDX-License-Identifier: MIT
--- Parses tables of plain values: the Lua export of Tiled, and JSON.
--
-- The export is a Lua program, and a map may come from anybody. Even a program without globals can take all memory by
-- `s = s .. s` in a loop, and compiled loops of LuaJIT cannot be stopped. So the export is parsed and never run. It
-- must be one table of plain values; anything else is an error.

local check = require "wend.check"
local foreign = require "wend.tools.tiled.foreign"

local values = {}

local DEPTH_MAX = 100               -- nested tables: the parser calls itself for each

local ESCAPES = {
  a = "\a", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", v = "\v",
  ["\\"] = "\\", ['"'] = '"', ["'"] = "'", ["\n"] = "\n",
}
local JSON_ESCAPES = {
  b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ["\\"] = "\\", ['"'] = '"', ["/"] = "/",
}
local CONSTANTS = { ["true"] = true, ["false"] = false }

--- Parses the text of an export, or JSON. Returns its table.
-- @param place the file, for messages; or ""
local function parse(text, place, json)
  local at = 1

  local function fail(...) foreign.bad_at(place, text, at, ...) end

  --- The text at this position, for a message.
  local function here()
    if at > #text then return "the end" end
    local word = text:match("^[%w_.]+", at) or text:sub(at, at)
    return check.describe((word:gsub("[%c\128-\255]", "?")))
  end

  --- Parses a string in long brackets, [[ ]] or [=[ ]=]. nil: none begins here.
  local function long_bracket()
    local level, start = text:match("^%[(=*)%[()", at)
    if not level then return nil end
    local stop, after = text:find("]" .. level .. "]", start, true)
    if not stop then fail "a long string or comment without an end" end
    at = after + 1
    return (text:sub(start, stop - 1):gsub("^\r?\n", ""))
  end

  --- Skips blanks and comments.
  local function skip()
    at = text:find("%S", at) or #text + 1
    while not json and text:find("^%-%-", at) do
      at = at + 2
      if not long_bracket() then at = text:find("\n", at, true) or #text + 1 end
      at = text:find("%S", at) or #text + 1
    end
  end

  --- Skips a character, and blanks after it. false: there is another one here.
  local function take(character)
    if text:sub(at, at) ~= character then return false end
    at = at + 1
    skip()
    return true
  end

  --- Parses an escape, after its backslash.
  local function escape()
    local letter = text:sub(at, at)
    if ESCAPES[letter] then
      at = at + 1
      return ESCAPES[letter]
    elseif letter == "z" then
      at = text:find("%S", at + 1) or #text + 1
      return ""
    end
    local digits = text:match("^%d%d?%d?", at)
    local byte = tonumber(digits or text:match("^x(%x%x)", at) or "", digits and 10 or 16)
    if not byte or byte > 255 then fail("unknown escape \\%s", letter) end
    at = at + (digits and #digits or 3)
    return string.char(byte)
  end

  --- Parses an escape of JSON, after its backslash. Two escapes may be the halves of a code point (UTF-16).
  local function json_escape()
    local letter = text:sub(at, at)
    local high, low = text:match("^u(%x%x%x%x)\\?u?(%x?%x?%x?%x?)", at)
    if not high then
      if not JSON_ESCAPES[letter] then fail("unknown escape \\%s", letter) end
      at = at + 1
      return JSON_ESCAPES[letter]
    end
    local code, second = tonumber(high, 16), text:find("^u%x%x%x%x\\u", at) and tonumber(low, 16) or 0
    at = at + 5
    if code >= 0xd800 and code < 0xdc00 and second >= 0xdc00 and second < 0xe000 then
      code, at = 0x10000 + (code - 0xd800) * 1024 + second - 0xdc00, at + 6
    end
    return foreign.utf8(code)
  end

  --- Parses a string in quotes.
  local function quoted(quote)
    local pieces = {}
    at = at + 1
    while true do
      local stop = text:find(quote == '"' and '["\\\n]' or "['\\\n]", at)
      local character = stop and text:sub(stop, stop)
      if not stop or character == "\n" then fail "a string without an end" end
      pieces[#pieces + 1] = text:sub(at, stop - 1)
      at = stop + 1
      if character == quote then return table.concat(pieces) end
      pieces[#pieces + 1] = json and json_escape() or escape()
    end
  end

  local read_table, read_json

  --- Parses a value: a table, a string, a number, true, false or nil.
  local function value(depth)
    local character = text:sub(at, at)
    local result
    if json and (character == "{" or character == "[") then
      return read_json(depth)
    elseif character == "{" then
      return read_table(depth)
    elseif character == '"' or character == "'" and not json then
      result = quoted(character)
    elseif character == "[" then
      result = long_bracket()
    elseif character:find "[%d.-]" then
      local token = text:match("^%-?[%d.][%w.]*", at) or ""
      if token:find "[eEpP]$" then token = token .. text:match("^[+-]?%d*", at + #token) end
      result = tonumber(token)
      if result then at = at + #token end
    else
      local word = text:match("^%a+%f[^%w_]", at)
      result = CONSTANTS[word]
      if result ~= nil or word == (json and "null" or "nil") then
        at = at + #word
        skip()
        return result
      end
    end
    if result == nil then fail("expected a value, got %s%s", here(), json and "" or ": an export holds only values") end
    skip()
    return result
  end

  --- Skips numbers with commas after them, a fast way, and appends them to a list. The tiles of layers are such lists,
  --- and by far the largest part of a map.
  local function numbers(list, count)
    local _, stop, digits = text:find("^(%d+),%s*", at)
    while stop do
      count = count + 1
      list[count] = tonumber(digits)
      at = stop + 1
      _, stop, digits = text:find("^(%d+),%s*", at)
    end
    return count
  end

  --- Parses an object or a list of JSON.
  read_json = function(depth)
    if depth > DEPTH_MAX then fail("values nested more than %d deep", DEPTH_MAX) end
    local result, count, object = {}, 0, take "{"
    local close = object and "}" or "]"
    if not object then take "[" end
    if take(close) then return result end
    repeat
      if object then
        if text:sub(at, at) ~= '"' then fail("expected a name in quotes, got %s", here()) end
        local name = quoted '"'
        skip()
        if not take ":" then fail("expected ':', got %s", here()) end
        result[name] = value(depth + 1)
      else
        count = numbers(result, count) + 1
        result[count] = value(depth + 1)
      end
    until not take ","
    if not take(close) then fail("expected ',' or '%s', got %s", close, here()) end
    return result
  end

  read_table = function(depth)
    if depth > DEPTH_MAX then fail("tables nested more than %d deep", DEPTH_MAX) end
    local result, count = {}, 0
    take "{"
    while true do
      count = numbers(result, count)
      skip()
      if take "}" then return result end

      local start, name = at, text:match("^[%a_][%w_]*", at)
      if name then
        at = at + #name
        skip()
      end
      if name and text:find("^=%f[^=]", at) then
        take "="
        result[name] = value(depth + 1)
      elseif text:find("^%[[^%[=]", at) then
        take "["
        local key = value(depth + 1)
        if key == nil or key ~= key then fail("expected a key, got %s", tostring(key)) end
        if not take "]" then fail("expected ']', got %s", here()) end
        if not take "=" then fail("expected '=', got %s", here()) end
        result[key] = value(depth + 1)
      else
        at, count = start, count + 1
        result[count] = value(depth + 1)
      end
      if not (take "," or take ";") and text:sub(at, at) ~= "}" then fail("expected ',' or '}', got %s", here()) end
    end
  end

  if text:byte(1) == 27 then foreign.bad(place, "compiled Lua: a map is read from the text that Tiled exports") end
  if text:sub(1, 3) == "\239\187\191" then at = 4 end
  skip()
  if not json then
    if not text:find("^return%f[^%w_]", at) then
      fail("expected XML, JSON, or 'return' and a table, as Tiled writes maps, got %s", here())
    end
    at = at + 6
    skip()
    if text:sub(at, at) ~= "{" then fail("expected a table, got %s", here()) end
  end
  local result = json and read_json(1) or read_table(1)
  if not json then take ";" end
  if at <= #text then fail("expected the end, got %s", here()) end
  return result
end

--- Parses the text of a Lua export. `place`: its file for messages, or "".
function values.lua(text, place) return parse(text, place, false) end

--- Parses the text of an object or a list in JSON.
function values.json(text, place) return parse(text, place, true) end

return values
