-- SPDX-License-Identifier: MIT
-- What init.lua and the libraries on top of navigation share: modules that are loaded when they are first used.
--
--   modules    functions that load them, by name; all.lua calls each
--   later      makes a function that calls a function of such a module
--   wait       makes a metatable that such a module fills
--   probes     for wend.load: { options, bytes }, bytes that claim to be what alone takes these options

local lazy = { modules = {}, probes = {} }

local package = rawget(_G, "package")
local loaded = package and package.loaded or {}

--- Loads such a module. If that fails, it can be tried again: Lua 5.1 leaves a mark in place of each module that was
--- not loaded; modules of wend are tables and functions.
local function load(getter)
  local ok, result = pcall(getter)
  if ok then return result end
  for name, value in pairs(loaded) do
    local whole = type(value) == "table" or type(value) == "function"
    if not whole and type(name) == "string" and name:find "^wend%." then loaded[name] = nil end
  end
  error(result, 0)
end

--- A function that calls a function of such a module.
function lazy.later(getter, name)
  local fn
  return function(...)
    fn = fn or load(getter)[name]
    return fn(...)
  end
end

--- Lets the core make objects of a type before its module is loaded: the first use of a metamethod loads it.
function lazy.wait(metatable, getter, names)
  for _, name in ipairs(names) do
    metatable[name] = function(self, key)
      load(getter)                          -- it sets the metamethod
      local now = metatable[name]
      if type(now) == "table" then return now[key] end
      return now(self, key)
    end
  end
end

return lazy
