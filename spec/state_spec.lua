-- SPDX-License-Identifier: MIT
-- path:state, f:state and wend.restore: saved games. spec/random/state_spec.lua compares random followers.

local helper = require "spec.helper"
local states = require "spec.state_reference"
local wend = require "wend"

local NAN, HUGE = 0 / 0, math.huge
local rng = helper.rng("states", 1)

local function square()
  local g = wend.graph()
  g:add_nodes { 0, 0, 30, 40, 60, 0, 100, 0 }
  g:set_name(1, "gate"):set_name(4, "keep")
  g:add_edges({ 1, 2, 2, 3 }, { tag = "road" })
  g:add_edge(3, 4, { tag = "swamp" })
  return g
end

local function yard()
  return wend.parse_grid({ "..~....", ".##.##.", "......." }, { ["~"] = "swamp" }, { cell = 16, origin = { -8, 3 } })
end

--- Walks both for a while; they stay equal.
local function walk_both(f, h)
  assert.same(states.look(f), states.look(h))
  for _ = 1, 60 do
    assert.same({ f:update(0.37) }, { h:update(0.37) })
    assert.same(states.look(f), states.look(h))
  end
  assert.same(f:state(), h:state())
end

describe("path:state", function()
  it("is a table of plain values", function()
    local g = square()
    local state = g:path("gate", { 3, "keep" }):state()
    assert.same({
      kind = "path", version = 1, map = state.map, nodes = { 1, 2, 3 }, edges = { 1, 2 }, cost = 100, goal = 1,
    }, state)
    assert.equal("string", type(state.map))
    local grid = yard()
    state = grid:path(1, 1, 3, 1, { partial = true }):state()
    assert.same({ kind = "path", version = 1, map = state.map, cells = { 1, 1, 2, 1, 3, 1 }, cost = 2 }, state)
  end)

  it("goes through any serialiser", function()
    local g = square()
    local costs = wend.costs { swamp = 3 }
    local path = g:path("gate", "keep", { costs = costs, agent = { boots = true } })
    for _ = 1, 20 do
      local again = assert(wend.restore(states.pass(path:state(), rng), { map = g, costs = costs, agent = path.agent }))
      assert.equal("path", wend.type(again))
      assert.equal(tostring(path), tostring(again))
      assert.same(path:points(), again:points())
      assert.same(path:edges(), again:edges())
      assert.same(path:explain(), again:explain())
      assert.equal(costs, again.costs)
      assert.equal(g, again.map)
      assert.is_true(again:valid())
      for i, node in again:each() do assert.equal(path[i], node) end
      assert.same(path:state(), again:state())
    end
  end)

  it("keeps straight legs, partial paths and the field stale", function()
    local grid = wend.grid(9, 5):fill(5, 1, 5, 5, false):set(5, 3, 1)
    local path = grid:straighten(grid:path(1, 1, 9, 1))
    local again = wend.restore(path:state(), { map = grid })
    assert.same(path:explain(), again:explain())
    assert.is_true(again:valid())
    assert.is_false((grid:close(4, 2) and again):valid())
    grid:open(4, 2):close(5, 3)
    path = grid:path(1, 1, 9, 1, { partial = true })
    path.stale = true
    again = wend.restore(path:state(), { map = grid })
    assert.is_true(again.partial)
    assert.is_true(again.stale)
  end)

  it("restores a path that notices later changes of the map and of the costs", function()
    local g, costs = square(), wend.costs { swamp = 3, lava = 2 }
    local path = g:path("gate", "keep", { costs = costs })
    local function restored() return wend.restore(path:state(), { map = g, costs = costs }) end
    local again = restored()
    costs:set("lava", 5)
    assert.is_true(again:valid())
    costs:set("swamp", 2)
    assert.is_false(again:valid())
    costs:set("swamp", 3)
    path = g:path("gate", "keep", { costs = costs })
    again = restored()
    g:add_node(5, 5)
    assert.is_true(again:valid())
    g:close(2)
    assert.is_false(again:valid())
  end)

  it("restores a path that was out of date as out of date", function()
    local g = square()
    local path = g:path("gate", "keep")
    g:remove_node(2)
    local state = states.pass(path:state(), rng)
    assert.is_true(state.outdated)
    local again = wend.restore(state, { map = g })
    assert.is_false(again:valid())
    assert.same(path:edges(), again:edges())
    assert.same(state, again:state())
    assert.equal(4, #wend.restore(state, { map = g }))
    again = g:path(3, 4, { into = again })
    assert.is_true(again:valid())
    state.outdated = nil
    assert.is_nil((wend.restore(state, { map = g })))
  end)

  it("keeps names that a script has put into the list, and keeps ids that no node has as out of date", function()
    local g = square()
    local path = g:path("gate", "keep")
    path[1] = "gate"
    local again = wend.restore(path:state(), { map = g })
    assert.equal("gate", again[1])
    assert.same(path:points(), again:points())
    path[2] = 99
    assert.is_true(path:state().outdated)
    assert.equal(99, wend.restore(path:state(), { map = g })[2])
  end)

  it("belongs to a map by its content: a loaded copy will do", function()
    local g = square()
    local state = g:path("gate", "keep"):state()
    local copy = wend.decode(g:encode())
    assert.equal(copy, wend.restore(state, { map = copy }).map)
    assert.equal(140, wend.restore(state, { map = g:copy() }).cost)
    g:close(2):open(2)
    assert.is_truthy(wend.restore(state, { map = g }))
  end)

  it("needs little time for many states of one map", function()
    local grid = wend.grid(400, 400)
    local path = grid:path(1, 1, 3, 3)
    path:state()
    local before = os.clock()
    for _ = 1, 300 do path:state() end
    local many = os.clock() - before
    before = os.clock()
    for _ = 1, 10 do grid:encode() end
    assert.is_true(many < 10 * (os.clock() - before), "300 states take as long as 100 encodings")
  end)
end)

describe("wend.restore with several maps", function()
  it("finds the map of a state in a level and in a list", function()
    local g, grid, other = square(), yard(), wend.grid(7, 3)
    local level = { graph = g, grid = other, grids = { grid, other }, walls = wend.walls(), names = {}, width = 7 }
    for _, map in ipairs { g, grid, other } do
      local path = map == g and g:path(1, 3) or map:path(1, 1, 3, 1)
      assert.equal(map, wend.restore(path:state(), { map = level }).map)
      assert.equal(map, wend.restore(path:state(), { map = { g, grid, other } }).map)
      local follower = wend.restore(wend.follow(path):state(), { map = level })
      assert.equal("follower", wend.type(follower))
    end
    helper.fails("a path: it belongs to another map, or this one has changed since", "stale", wend.restore,
      grid:path(1, 1, 3, 1):state(), { map = { graph = g, grid = other } })
  end)
end)

describe("f:state", function()
  it("restores a follower of plain points without a map", function()
    for _, curve in ipairs { "linear", "hermite", "catmull_rom" } do
      local f = wend.follow({ 0, 0, 10, 0, 10, 10, 3, 12 }, { speed = 1.5, curve = curve })
      f:update(2.5)
      walk_both(f, wend.restore(states.pass(f:state(), rng)))
    end
  end)

  it("keeps the leg, tags, nodes and edges of a path", function()
    local g = square()
    local f = wend.follow(g:path("gate", "keep"), { speed = 10, speeds = { swamp = 0.25 } })
    f:update(10.5)
    assert.equal(3, f.leg)
    local h = wend.restore(states.pass(f:state(), rng), { map = g })
    assert.same({ 3, "swamp", 3, 3 }, { h.leg, h.tag, h.node, h.edge })
    walk_both(f, h)
  end)

  it("keeps routes, links, loops and three dimensions", function()
    local grid = yard()
    grid:link(1, 1, 7, 3, { tag = "stairs", weight = 0.5 })
    local f = wend.follow(grid:path(1, 1, 5, 3), { speed = 20, stops = { "stairs" }, curve = "catmull_rom" })
    f:update(1)
    assert.equal("stairs", f.waiting)
    local h = wend.restore(states.pass(f:state(), rng), { map = grid })
    assert.equal("stairs", h.waiting)
    f:resume()
    h:resume()
    walk_both(f, h)
    local g = square()
    f = wend.follow(g:route({ 1, 5 }, { 90, 4 }, { enter = "edge" }), { speed = 9, curve = "hermite" })
    f:update(3)
    walk_both(f, wend.restore(f:state(), { map = g }))
    f = wend.follow({ 0, 0, 0, 5, 5, 5, 9, 0, 1 }, { dimensions = 3, loop = true, curve = "hermite", speed = 4 })
    f:update(31)
    walk_both(f, wend.restore(states.pass(f:state(), rng)))
  end)

  it("asks clear and calls on_point of the options from then on", function()
    local asked, told = 0, 0
    local function clear() asked = asked + 1 return true end
    local function tell() told = told + 1 end
    local f = wend.follow({ 0, 0, 10, 0, 10, 10, 20, 10 },
      { curve = "hermite", clear = function() return true end, on_point = function() end })
    f:update(1)
    local h = wend.restore(f:state(), { clear = clear, on_point = tell })
    h:update(100)
    assert.is_true(asked > 0)
    assert.equal(3, told)
  end)

  it("is that of the point while on_point runs", function()
    local taken
    local f = wend.follow({ 0, 0, 10, 0, 20, 0 }, { speed = 1, on_point = function(self, i)
      if i == 2 then taken = self:state() end
    end })
    f:update(15)
    local announced = {}
    local h = wend.restore(taken, { on_point = function(_, i) announced[#announced + 1] = i end })
    assert.equal(10, h.x)
    h:update(15)
    assert.same({ 3 }, announced)
  end)

  it("keeps a pause, a retarget and a speed that was set", function()
    local f = wend.follow({ 0, 0, 10, 0 }, { curve = "catmull_rom" })
    f:update(4)
    f:retarget { 20, 20, 0, 20 }
    f.speed = 2.5
    f:pause()
    local h = wend.restore(states.pass(f:state(), rng))
    assert.is_true(h.paused)
    h:resume()
    f:resume()
    walk_both(f, h)
  end)

  it("holds no infinity and no NaN, and -0 as a string", function()
    local zero = 0.0
    local f = wend.follow({ 5, zero, 3, -zero, -4, -zero }, { loop = true })
    f:update(0.5)
    local seen
    local function look(value)
      if type(value) == "table" then
        for _, item in pairs(value) do look(item) end
      elseif type(value) == "number" then
        assert.is_true(value - value == 0)
        assert.is_false(value == 0 and 1 / value < 0)
      end
      seen = seen or value == "-0"
    end
    look(f:state())
    assert.is_true(seen)
    local h = wend.restore(states.pass(f:state(), rng))
    assert.equal(1 / f.heading, 1 / h.heading)
  end)

  it("forgets ids that the graph has no more", function()
    local g = square()
    local f = wend.follow(g:path("gate", "keep"))
    g:remove_edge(3)
    local state = f:state()
    assert.same({ 1, 2, 0 }, state.edges)
    walk_both(f, assert(wend.restore(state, { map = g })))
  end)
end)

-- Damage -----------------------------------------------------------------------------------------------------------

--- Walks a follower that was made of a damaged state: it must not raise, and its position must be a number.
local function try_follower(f, map)
  for _, dt in ipairs { 0, 0.1, 1, 0.016, 40, 0 } do
    local x, y, z = f:update(dt)
    assert.is_true(x - x == 0 and y - y == 0 and (z == nil or z - z == 0), "no position")
    assert.is_true(f.heading - f.heading == 0, "no heading")
    local _ = { f.leg, f.edge, f.tag, f.node, f.waiting, f.paused, f.points, f:remaining(), tostring(f) }
    if f.waiting or f.paused then f:resume() end
  end
  f:line()
  assert.is_table(f:state())
  local state = f:state()
  local again = assert(wend.restore(state, { map = map, on_point = print, clear = function() return true end }))
  assert.same(state, again:state())
  f:retarget(f.z and { 1, 2, 3, 4, 5, 6 } or { 1, 2, 3, 4 }, { join = f.done or nil })
  f:update(1)
  f:update(1000)
end

local function try_path(path)
  path:valid()
  path:points()
  pcall(path.explain, path)
  for _ in path:each() do local _ = path.cost end
  tostring(path)
  if #path > 0 then wend.follow(path):update(1) end
end

local raising = setmetatable({}, {
  __index = function() error "read" end, __len = function() error "measured" end,
  __pairs = function() error "walked" end,
})
local cyclic = {}
cyclic[1], cyclic.kind = cyclic, cyclic

local function values(old)
  local list = {
    NAN, HUGE, -HUGE, -1, 0, 0.5, 1, 2, 3, 7, 1e6, 2 ^ 31, 2 ^ 53, 1e150, -1e150, 1e200, 1e300, "", "-0", "1", "nan",
    "road", "swamp", true, false, {}, { 1 }, { [2] = 1 }, { 1, nil, 3 }, { x = 1 }, cyclic, raising, print,
  }
  if type(old) == "number" then
    for _, more in ipairs { old + 1, old - 1, -old, old * 2, old / 2, old * (1 + 2 ^ -50), old * 1e9 } do
      list[#list + 1] = more
    end
  end
  return list
end

local function copy_of(value)
  if type(value) ~= "table" then return value end
  local copy = {}
  for key, item in pairs(value) do copy[key] = copy_of(item) end
  return copy
end

--- Calls fn(damaged) with each field of a state replaced, removed and added, at every depth.
local function damage(state, fn, share)
  local function visit(at)
    for key, old in pairs(copy_of(at)) do
      local list = values(old)
      list[#list + 1] = "nothing"
      for _, value in ipairs(list) do
        if rng:chance(type(key) == "number" and share or 0.5) then
          at[key] = value
          if value == "nothing" then at[key] = nil end
          fn(state, key, value)
        end
      end
      at[key] = old
      if type(old) == "table" then visit(old) end
    end
    for _, key in ipairs { "extra", 0, -1, 0.5, 1e9, true } do
      local old = at[key]
      at[key] = 1
      fn(state, key, 1)
      at[key] = old
    end
  end
  visit(state)
end

local function kinds()
  local g, grid = square(), yard()
  local list = {}
  local function add(object, map, dt)
    if dt then object:update(dt) end
    list[#list + 1] = { object:state(), map }
  end
  add(g:path("gate", { "keep", 2 }), g)
  add(grid:straighten(grid:path(1, 1, 7, 3)), grid)
  add(wend.follow(g:path("gate", "keep"), { speed = 8, speeds = { road = 2 }, stops = { "swamp" } }), g, 3)
  add(wend.follow(g:path("gate", "keep"), { speed = 8, curve = "catmull_rom", on_point = print }), g, 1)
  add(wend.follow(grid:path(1, 1, 7, 3), { speed = 8, curve = "hermite", speeds = { swamp = 0.5 } }), grid, 1)
  add(wend.follow({ 0, 0, 0, 4, 4, 4, 9, 0, 1 }, { dimensions = 3, loop = true, curve = "hermite" }), nil, 30)
  local function free() return true end
  add(wend.follow({ 0, 0, 4, 4, 9, 0, links = { false, true } }, { loop = true, clear = free }), nil, 30)
  local turned = wend.follow({ 0, 0, 10, 0, 20, 0 }, { curve = "hermite" })
  turned:update(7)
  turned:retarget({ 0, 5, 7, 5, 20, 5 }, { join = true })
  add(turned, nil, 1)
  add(wend.follow({ 3, 4 }, { curve = "hermite" }), nil, 1)
  return list
end

describe("wend.restore of a damaged state", function()
  it("fails with format or stale, or gives an object that works", function()
    local restored, refused = 0, 0
    for _, one in ipairs(kinds()) do
      local state, map = one[1], one[2]
      local options = { map = map, on_point = function() end, clear = function() return true end }
      damage(state, function(damaged, key, value)
        local known = damaged.map == nil or type(damaged.map) ~= "string" or map
        if not known then return end               -- a map must be given: it raises
        local object, message, code = wend.restore(damaged, options)
        if not object then
          refused = refused + 1
          assert.is_string(message)
          assert.is_true(code == "format" or code == "stale")
          return
        end
        restored = restored + 1
        local ok, problem = pcall(wend.type(object) == "path" and try_path or try_follower, object, map)
        assert.is_true(ok, ("%s = %s: %s"):format(tostring(key), tostring(value), tostring(problem)))
      end, 0.05)
    end
    assert.is_true(restored > 50 and refused > 1000, restored .. " restored, " .. refused .. " refused")
  end)

  it("reads no field through a metatable", function()
    local g = square()
    local state = g:path("gate", "keep"):state()
    local held = setmetatable({}, { __index = state })
    helper.fails("this is not a state that wend has made", "format", wend.restore, held, { map = g })
    local strict = setmetatable(copy_of(state), getmetatable(raising))
    assert.equal("path", wend.type(wend.restore(strict, { map = g })))
    strict.nodes = setmetatable(copy_of(state.nodes), getmetatable(raising))
    assert.equal("path", wend.type(wend.restore(strict, { map = g })))
    strict.nodes = setmetatable({}, { __index = state.nodes, __len = function() return 4 end })
    assert.equal(0, #assert(wend.restore(strict, { map = g })))
  end)

  it("names what is wrong", function()
    local g = square()
    local path, follower = g:path(1, 4):state(), wend.follow(g:path(1, 4)):state()
    local function says(message, state, key, value)
      local copy = copy_of(state)
      copy[key] = value
      helper.fails(message, "format", wend.restore, copy, { map = g })
    end
    local damaged = "a %s: damaged, or of a version that is not known: %s"
    says("this is not a state that wend has made", path, "kind", "field")
    says(damaged:format("path", "version"), path, "version", 2)
    says(damaged:format("path", "nodes"), path, "nodes", { 1, NAN })
    says(damaged:format("path", "nodes or edges"), path, "nodes", { 1, 9 })
    says(damaged:format("path", "nodes or edges"), path, "edges", { 1, 9 })
    says(damaged:format("path", "cost"), path, "cost", HUGE)
    says(damaged:format("path", "state"), path, "more", 1)
    says(damaged:format("follower", "slots"), follower, "slots", {})
    says(damaged:format("follower", "edges"), follower, "edges", { 1, 2, 9 })
    says(damaged:format("follower", "walked"), follower, "walked", -1)
    local grid = yard()
    local cells = grid:path(1, 1, 7, 1):state()
    cells.cells[1] = 8
    helper.fails(damaged:format("path", "cells"), "format", wend.restore, cells, { map = grid })
  end)
end)

describe("wend.restore", function()
  local g = square()
  local grid = yard()

  it("fails with stale for another map, and for one that has changed", function()
    local stale = "a %s: it belongs to another map, or this one has changed since"
    local path, follower = g:path(1, 4):state(), wend.follow(g:path(1, 4)):state()
    helper.fails(stale:format "path", "stale", wend.restore, path, { map = grid })
    helper.fails(stale:format "follower", "stale", wend.restore, follower, { map = wend.graph() })
    local changes = {
      function(map) map:close(2) end, function(map) map:set_name(2, "mill") end, function(map) map:set_radius(2, 3) end,
      function(map) map:set_tag(1, "mud") end, function(map) map:set_weight(1, 3) end,
      function(map) map:move(2, 1, 1) end,
      function(map) map:add_node(1, 1) end, function(map) map:remove_edge(3) end,
    }
    for _, change in ipairs(changes) do
      local other = square()
      assert.is_truthy(wend.restore(path, { map = other }))
      change(other)
      helper.fails(stale:format "path", "stale", wend.restore, path, { map = other })
    end
    path = grid:path(1, 1, 4, 1):state()
    for _, change in ipairs {
      function(map) map:set(7, 3, 2) end, function(map) map:wall(1, 1, 2, 1) end,
      function(map) map:link(1, 1, 5, 3) end,
      function(map) map:set(7, 3, 1, "swamp") end,
    } do
      local other = yard()
      assert.is_truthy(wend.restore(path, { map = other }))
      change(other)
      helper.fails(stale:format "path", "stale", wend.restore, path, { map = other })
    end
    local moved = wend.parse_grid({ "..~....", ".##.##.", "......." }, { ["~"] = "swamp" }, { cell = 16 })
    helper.fails(stale:format "path", "stale", wend.restore, path, { map = moved })
  end)

  it("raises for a map that was freed", function()
    local freed = square()
    local path = freed:path(1, 4)
    local follower, state = wend.follow(path), path:state()
    debug.getmetatable(freed).__gc(freed)
    helper.raises("the graph is gone", wend.restore, state, { map = freed })
    helper.raises("the graph is gone", path.state, path)
    helper.raises("the graph is gone", follower.state, follower)
  end)

  helper.all_raise(it, {
    "state must be a table that state() has made, got nil", function() wend.restore() end,
    "state must be a table that state() has made, got 'x'", function() wend.restore "x" end,
    "unknown option 'maps' (expected one of: map, costs, agent, cost, clear, on_point)",
    function() wend.restore({}, { maps = 1 }) end,
    "options must be a table, got 1", function() wend.restore({}, 1) end,
    "map must be given: the path belongs to one", function() wend.restore(g:path(1, 2):state()) end,
    "map must be given: the follower belongs to one",
    function() wend.restore(wend.follow(g:path(1, 2)):state(), {}) end,
    "map must be a graph, a grid, a level or a list of maps, got 1",
    function() wend.restore(g:path(1, 2):state(), { map = 1 }) end,
    "costs must be a profile made by wend.costs, got a table",
    function() wend.restore(g:path(1, 2):state(), { map = g, costs = {} }) end,
    "cost must be a function, got 1", function() wend.restore(g:path(1, 2):state(), { map = g, cost = 1 }) end,
    "on_point must be a function, got 1", function() wend.restore(wend.follow({ 1, 2 }):state(), { on_point = 1 }) end,
    "on_point must be given: the follower had one",
    function() wend.restore(wend.follow({ 1, 2 }, { on_point = print }):state()) end,
    "clear must be given: the follower had one",
    function() wend.restore(wend.follow({ 1, 2 }, { clear = wend.walls() }):state()) end,
    "clear must be a function, walls or a grid, got 1",
    function() wend.restore(wend.follow({ 1, 2 }, { clear = wend.walls() }):state(), { clear = 1 }) end,
    "self must be a follower (call it with a colon: follower:method()), got nil",
    function() wend.follow({ 1, 2 }).state() end,
    "speed must be a finite number >= 0, got nan",
    function() local f = wend.follow { 1, 2 } f.speed = NAN f:state() end,
    "x of the follower must be a finite number (up to 1e150), got 'x'",
    function() local f = wend.follow { 1, 2 } f.x = "x" f:state() end,
    "the list part of the follower was changed: it is internal",
    function() local f = wend.follow { 1, 2 } f[1] = NAN f:state() end,
    "the list part of the follower was changed: it is internal",
    function() local f = wend.follow { 1, 2 } f[18] = 1 f:state() end,
    "self must be a path (call it with a colon: path:method()), got nil", function() g:path(1, 2).state() end,
    "self must be a path, got a table that is empty or was never filled",
    function() local path = g:path(1, 2) path.trail = nil path:state() end,
    "cost of the path must be a finite number, got nan",
    function() local path = g:path(1, 2) path.cost = NAN path:state() end,
    "path[2] must be a node...", function() local path = g:path(1, 2) path[2] = {} path:state() end,
  })

  it("raises while the follower asks clear", function()
    local f, problem
    f = wend.follow({ 0, 0, 10, 0, 10, 10 }, { curve = "hermite", clear = function()
      local _
      if f then _, problem = pcall(f.state, f) end
      return true
    end })
    f:update(100)
    assert.is_truthy(tostring(problem):find("clear cannot use the follower that asks it", 1, true))
  end)
end)
