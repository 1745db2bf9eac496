-- SPDX-License-Identifier: MIT
-- Arguments and options of the helpers in Lua: the same messages as those of the C functions (src/lua/base/check.c).

local core = require "wend.core"

local check = {}

--- What messages call the types that wend.type knows: "a wend.TraceStep".
local function class_name(kind)
  return "wend." .. ("_" .. kind):gsub("_(%l)", string.upper)
end

--- How long a list is, as the core reads it: whatever metamethods say. Lua 5.1 has none for tables.
check.length = rawlen or function(list) return #list end -- luacheck: ignore 113

--- A value as messages show it.
function check.describe(value)
  local kind = type(value)
  if kind == "string" then
    return #value <= 40 and ("'%s'"):format(value) or ("'%s...'"):format(value:sub(1, 40))
  elseif kind == "number" then
    return value == value and tostring(value) or "nan"
  elseif kind == "nil" or kind == "boolean" then
    return tostring(value)
  end
  local class = core.type(value)
  if class then
    return "a " .. class_name(class)
  end
  local meta = getmetatable(value)
  local name = type(meta) == "table" and rawget(meta, "__name")
  return "a " .. (type(name) == "string" and name or kind)
end

--- Whether a value can be called.
function check.is_callable(value)
  local meta = type(value) ~= "function" and getmetatable(value)
  return type(value) == "function" or type(meta) == "table" and type(rawget(meta, "__call")) == "function"
end

--- The level of the first caller outside of the module, so that errors blame the script.
local function callers_level()
  local here = debug and debug.getinfo and debug.getinfo(1, "S").source
  local folder = here and here:match "^(.*)check%.lua$"
  if not folder then
    return 0
  end
  local level = 2
  while true do
    local info = debug.getinfo(level, "S")
    if not info then
      return 0
    elseif info.what ~= "C" and info.source:sub(1, #folder) ~= folder then
      return level - 1
    end
    level = level + 1
  end
end

--- Raises an error at the line of the script that called the module.
function check.fail(message, ...)
  if select("#", ...) > 0 then
    message = message:format(...)
  end
  error(message, callers_level())
end

--- Raises: a method was not called on the right thing.
function check.wrong_self(self, what, example)
  check.fail("self must be %s (call it with a colon: %s:method()), got %s", what, example, check.describe(self))
end

--- Raises where a method was not called on a thing of its type, as wend.type says it.
function check.self(self, kind, what, example)
  if core.type(self) ~= kind then
    check.wrong_self(self, what, example)
  end
end

--- Raises where options are no table or hold a key that is not in the list of names.
function check.options(options, names, what)
  if options == nil then
    return
  elseif type(options) ~= "table" then
    check.fail("%s must be a table, got %s", what or "options", check.describe(options))
  end
  for key in pairs(options) do
    local known = false
    for _, name in ipairs(names) do
      known = known or key == name
    end
    if not known then
      check.fail("unknown option %s (expected one of: %s)", check.describe(key), table.concat(names, ", "))
    end
  end
end

return check
