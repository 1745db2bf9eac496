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

describe("require 'wend'", function()
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
