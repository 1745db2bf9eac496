-- SPDX-License-Identifier: MIT
-- wend.type, and metatables that no script can reach.
local helper = require "spec.helper"
local wend = require "wend"

local raises = helper.raises

local g = wend.graph()
g:add_nodes { 0, 0, 1, 0 }
g:add_edge(1, 2)
local grid = wend.grid(3, 3)
local queue = wend.queue()

local OBJECTS = {
  { "graph", g }, { "grid", grid }, { "search", g:search(1, 2) }, { "search", grid:search(1, 1, 2, 2) },
  { "path", g:path(1, 2) }, { "path", grid:path(1, 1, 3, 3) }, { "field", g:field(1) }, { "field", grid:field(1, 1) },
  { "walls", wend.walls() }, { "routes", g:routes() }, { "costs", wend.costs() },
  { "costs", wend.costs():readonly() }, { "mod", wend.costs():mod "bog" },
  { "graph", g:overlay() }, { "grid", grid:overlay() }, { "preparation", g:prepare { sliced = true } },
  { "follower", wend.follow { 0, 0 } },
  { "level", wend.level() },
  { "why", grid:why_not(1, 1, 2, 2, { max_cost = 0 }) }, { "queue", queue }, { "request", queue:path(g, 1, 2) },
}

local OTHERS = { 7, "graph", true, print, {}, io.stdout, coroutine.create(function() end), wend,
  g:route({ 0, 0 }, { 1, 0 }), wend.curve { 0, 0, 1, 1 } }

describe("wend.type", function()
  it("says what an object is", function()
    for _, pair in ipairs(OBJECTS) do assert.equal(pair[1], wend.type(pair[2])) end
  end)

  it("is nil for anything else", function()
    for _, value in ipairs(OTHERS) do assert.is_nil(wend.type(value)) end
    assert.is_nil(wend.type(nil))
  end)

  it("wants a value", function()
    local ok, message = pcall(wend.type)
    assert.is_false(ok)
    assert.truthy(message:find "value expected")
  end)

  it("goes by identity, not by names or fields", function()
    for _, fake in ipairs {
      { __name = "wend.Graph" }, { __type = "graph", __metatable = "graph" }, { __index = g },
    } do
      local object = setmetatable({}, fake)
      assert.is_nil(wend.type(object))
      raises("self must be a graph (call it with a colon: graph:method()), got "
        .. (fake.__name and "a wend.Graph" or "a table"), g.node_count, object)
    end
  end)

  it("takes no type from a script", function()
    for _, name in ipairs { "follower", "level", "queue", "request", "why" } do
      raises(("class '%s' is taken: load wend.core anew as well"):format(name), wend.core.class, name)
    end
    for _, name in ipairs { "graph", "path", "costs", "mod", "watch", "overlay", "preparation" } do
      raises(("name must be the name of a class, got '%s'"):format(name), wend.core.class, name)
    end
    raises("name must be the name of a class, got nil", wend.core.class)
    raises("the methods are taken: load wend.core anew as well", wend.core.methods)
    raises("the functions of levels are taken: load wend.core anew as well", wend.core.levels)
    raises("the functions of states are taken: load wend.core anew as well", wend.core.states)
    raises("the class of costs is taken: load wend.core anew as well", wend.core.costs_class, print, print, {}, {}, {})
    assert.is_false((pcall(wend.core.costs_class)))
  end)
end)

describe("a metatable", function()
  it("is locked: scripts get the name of the type instead", function()
    for _, pair in ipairs(OBJECTS) do
      assert.equal(pair[1], getmetatable(pair[2]))
      assert.is_false((pcall(setmetatable, pair[2], {})))
    end
  end)

  it("of what is internal is locked too", function()
    local hidden = 0
    for key, value in pairs(debug.getregistry()) do -- the state of the module, by its address
      if type(key) == "userdata" and type(value) == "userdata" and getmetatable(value) == false then
        hidden = hidden + 1
      end
    end
    assert.truthy(hidden >= 1)
    for _, path in ipairs { OBJECTS[5][2], OBJECTS[6][2] } do
      for _, value in pairs(path) do
        if type(value) == "userdata" and not wend.type(value) then assert.is_false(getmetatable(value)) end
      end
    end
  end)

  it("does not hand out finalizers", function()
    for _, pair in ipairs(OBJECTS) do
      assert.is_false((pcall(function() getmetatable(pair[2]).__gc(io.stdout) end)))
    end
    assert.equal("file", io.type(io.stdout))
  end)
end)
