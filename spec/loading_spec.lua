-- SPDX-License-Identifier: MIT
-- Loading: what require "wend" loads, and modules that are loaded when they are first used.
local helper = require "spec.support.helper"
local wend = require "wend"

--- What a script prints in a new Lua.
local function run(script)
  local name = os.tmpname()
  local file = assert(io.open(name, "wb"))
  file:write(script)
  file:close()
  local status, text = helper.shell(("%s %s"):format(helper.interpreter(), name))
  os.remove(name)
  assert.equal(0, status, text)
  return text
end

-- What hosts do to their globals before they load wend.
local GUARDS = {
  none = "",
  ["a guard of its own"] = [[
    local error, type = error, type
    local function guard(_, name) error("variable '" .. name .. "' is not declared", 2) end
    for _, library in pairs { _G, math, string, table } do
      setmetatable(library, { __index = guard, __newindex = guard })
    end]],
  ["pl.strict of Penlight"] = "require 'pl.strict'",
}

-- Loads all of wend but its annotations, and uses what needs globals that not every host has. LÖVE is a stand-in.
-- FILES: the names of the modules.
local EVERYTHING = [[
  love = { graphics = {} }
  GUARD
  for _, name in ipairs { "io", "os", "debug" } do
    if WITHOUT then rawset(_G, name, nil) end
  end
  local wend = require "wend"
  for name in ("FILES"):gmatch "%S+" do require(name) end
  local costs = wend.costs { mud = function() return 2 end }
  costs.timing, costs.max_instructions, costs.on_error = true, 1e6, print
  costs:edge_rule("bad", function() error("no luck", 0) end)
  local g = wend.grid(9, 9):fill(2, 2, 8, 8, 2, "mud")
  print(("%.10g"):format(g:path(1, 1, 9, 9, { costs = costs, agent = {} }).cost))
  local queue = wend.queue()
  queue:path(g, 1, 1, 9, 9)
  print(queue:step(1e9) > 0, (tostring(select(2, pcall(queue.run, queue, 1))):gsub("^.-%d: ", "")))
  local crowd = wend.crowd { map = g }
  crowd:add { x = 1, y = 1 }:go(8, 8)
  crowd:update(1)
  print(crowd, #wend.svg(g) > 0, #g:text() > 0, #g:paths { 1, 1, 9, 9, 9, 9, 1, 1 })
  print((select(2, pcall(wend.crowd, 5)):gsub("^.-%d: ", "")))
  print(g:save "no/such/folder/map")
  print(wend.load "no such file")
  print(select("#", wend.read_tiled "no such file.tmx"), (select(3, wend.read_tiled "no such file.tmx")))]]

describe("require 'wend'", function()
  for guard, code in pairs(GUARDS) do
    for _, without in ipairs { false, true } do
      local name = guard .. (without and ", without io, os and debug" or "")
      it("loads everything where the guard of the globals is " .. name .. " #move", function()
        if code:find "pl%." and run "print((pcall(require, 'pl.strict')))" ~= "true\n" then
          return pending "no Penlight here"
        end
        local files = select(2, helper.shell "find lua/wend -name '*.lua' ! -name meta.lua"):gsub("%.lua", "")
          :gsub("/init", ""):gsub("lua/", ""):gsub("/", ".")
        local values = { GUARD = code, FILES = files:gsub("\n", " "), WITHOUT = tostring(without) }
        local text = run((EVERYTHING:gsub("%u%u+", values)))
        local open = without and ": there is no io.open" or ": No such file or directory"
        local ran = without and "clock must be given: there is no os.clock" or "0"
        assert.equal(table.concat({ "bad\tno luck", "15.41421356", "true\t" .. ran,
          "wend.Crowd (1 walker)\ttrue\ttrue\t2", "options must be a table, got 5",
          "nil\tno/such/folder/map could not be saved: no/such/folder/map.part" .. open .. "\tio",
          "nil\tno such file cannot be read: no such file" .. open .. "\tio", "3\tio", "" }, "\n"), text)
      end)
    end
  end

  it("loads what is rarely used when it is first used", function()
    local text = run [[
      collectgarbage() collectgarbage()
      local before = collectgarbage "count"
      local wend = require "wend"
      collectgarbage() collectgarbage()
      print(collectgarbage "count" - before < 250)
      for _, name in ipairs { "crowd", "queue", "svg", "import.tiled", "level", "follow", "file", "why" } do
        assert(not package.loaded["wend." .. name], name)
      end
      local g = wend.grid(3, 3)
      wend.queue():path(g, 1, 1, 3, 3)
      print(package.loaded["wend.queue"] ~= nil, package.loaded["wend.tools.svg"])
      print(g:fill(2, 1, 2, 3, false):why_not(1, 1, 3, 3))]]
    assert.equal("true\ntrue\tnil\n", text:match "^.-\n.-\n")
    assert.truthy(text:find("Cell (2,", 1, true), text)
  end)

  it("takes all types from the core at once: no script can forge an object later", function()
    helper.raises("the parts are taken: load wend.core anew as well", wend.core.parts)
    local text = run [[
      local wend = require "wend"
      print(pcall(wend.core.parts))]]
    assert.is_nil(text:find("true", 1, true), text)
  end)

  it("makes crowds, followers and levels of files before they are used otherwise #move", function()
    local name = os.tmpname()
    local objects = {
      crowd = wend.crowd(), follower = wend.follow { 0, 0, 9, 0 }, level = wend.level { data = 5 },
    }
    for kind, object in pairs(objects) do
      assert(object:save(name))
      local text = run(([[
        local wend = require "wend"
        local object = wend.load(%q)
        local same = object:encode() == wend.load(%q):encode()
        print(wend.type(object), same, (tostring(object):gsub(":.*", "")))]]):format(name, name))
      assert.equal(("%s\ttrue\t%s\n"):format(kind, (tostring(object):gsub(":.*", ""))), text)
    end
    os.remove(name)
  end)

  it("finds later what wend.all has loaded, without require and files #move", function()
    local text = run [[
      local wend = require "wend.all"
      require, package.path, package.cpath = nil, "", ""
      print(wend.crowd(), wend.lerp(1, 2, 0.5))
      print(wend.grid(3, 3):fill(2, 1, 2, 3, false):why_not(1, 1, 3, 3) ~= nil, #wend.svg(wend.grid(2, 2)) > 0)
      print(pcall(wend.read_tiled, "none.lua"))]]
    assert.equal(3, select(2, text:gsub("\n", "")), text)
    assert.is_nil(text:find("module", 1, true), text)
  end)

  it("tries again after a module could not be loaded #move", function()
    local text = run [[
      local wend = require "wend"
      package.preload["wend.move.crowd.plan"] = function() error "no memory" end
      print((pcall(wend.crowd)))
      package.preload["wend.move.crowd.plan"] = nil
      print(wend.crowd())]]
    assert.equal("false\nwend.Crowd (0 walkers)\n", text)
  end)
end)
