-- SPDX-License-Identifier: MIT
-- A module that the wrong Lua loads says so. Every other Lua of this machine loads the module of the Lua that runs
-- this.
local helper = require "spec.support.helper"

local JIT = rawget(_G, "jit") and true or false
local BUILT = _VERSION:match "%d%.%d"
local MODULES = os.getenv "WEND_BUILD" or "build/" .. (JIT and "jit" or BUILT)

local LUAS = {
  { name = "Lua 5.1", version = "5.1", commands = { "lua5.1", "lua51", "lua-5.1" } },
  { name = "Lua 5.2", version = "5.2", commands = { "lua5.2", "lua52", "lua-5.2" } },
  { name = "Lua 5.3", version = "5.3", commands = { "lua5.3", "lua53", "lua-5.3" } },
  { name = "Lua 5.4", version = "5.4", commands = { "lua5.4", "lua54", "lua-5.4" } },
  { name = "Lua 5.5", version = "5.5", commands = { "lua5.5", "lua55", "lua-5.5" } },
  { name = "LuaJIT", version = "jit", commands = { "luajit" } },
}

---What a shell command prints, standard error too.
local function output(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

---The command of a Lua, nil where there is none here.
local function command_of(lua)
  local folder = os.getenv("LUA" .. lua.version:upper():gsub("%.", "")) -- its sources, built: LUA55, LUAJIT
  if folder and folder ~= "" then
    for _, file in ipairs { "/lua", "/luajit", "/src/lua", "/src/luajit", "/bin/lua", "/bin/luajit" } do
      if output(("%q -v"):format(folder .. file)):find(lua.name, 1, true) == 1 then return folder .. file end
    end
  end
  for _, command in ipairs(lua.commands) do
    local said = output(command .. " -v")
    if said:find(lua.name, 1, true) == 1 then return command end
  end
end

describe("require 'wend.core' in the wrong Lua", function()
  for _, lua in ipairs(LUAS) do
    local same_interface = (BUILT == "5.1") and (lua.version == "5.1" or lua.version == "jit")
    if lua.version ~= BUILT and not same_interface then
      it("says what to do: " .. lua.name, function()
        local command = command_of(lua)
        if not command then return pending("no " .. lua.name .. " here") end
        local script = helper.file(([[package.cpath = %q
          print(select(2, pcall(require, "wend.core")))]]):format(MODULES .. "/?.so"))
        finally(helper.clean)
        local said = output(command .. " " .. script)
        if said:find("ASan", 1, true) then return pending "only a sanitized Lua loads a sanitized module" end
        assert.equal(("wend.core was built for Lua %s, this is %s: build it with make LUA_VERSION=%s or install the "
          .. "rock for that Lua\n"):format(BUILT, lua.name, lua.version), said)
      end)
    end
  end
end)
