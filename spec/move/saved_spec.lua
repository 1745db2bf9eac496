-- SPDX-License-Identifier: MIT
-- Followers as bytes, and damaged files of followers and paths. random/saved_spec.lua compares random followers;
-- spec/saved_spec.lua has paths.

local followers = require "spec.move.support.follower_reference"
local file_reference = require "spec.support.file_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local NAN = 0 / 0
local rng = helper.rng("saved", 1)

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

--- Encodes and decodes an object. The new one gives the same bytes.
local function again(object, options)
  local bytes = object:encode()
  local made = assert(wend.decode(bytes, options))
  assert.equal(bytes, made:encode())
  return made
end

--- Walks both for a while; they stay equal.
local function walk_both(f, h)
  assert.same(followers.look(f), followers.look(h))
  for _ = 1, 60 do
    assert.same({ f:update(0.37) }, { h:update(0.37) })
    assert.same(followers.look(f), followers.look(h))
  end
  assert.equal(f:encode(), h:encode())
end
describe("f:encode", function()
  it("keeps a follower of plain points, without a map", function()
    for _, curve in ipairs { "linear", "hermite", "catmull_rom" } do
      local f = wend.follow({ 0, 0, 10, 0, 10, 10, 3, 12 }, { speed = 1.5, curve = curve })
      f:update(2.5)
      walk_both(f, again(f))
    end
  end)

  it("keeps the leg, tags, nodes and edges of a path", function()
    local g = square()
    local f = wend.follow(g:path("gate", "keep"), { speed = 10, speeds = { swamp = 0.25 } })
    f:update(10.5)
    assert.equal(3, f.leg)
    local h = again(f, { map = g })
    assert.same({ 3, "swamp", 3, 3 }, { h.leg, h.tag, h.node, h.edge })
    walk_both(f, h)
  end)

  it("keeps routes, links, loops and three dimensions", function()
    local grid = yard()
    grid:link(1, 1, 7, 3, { tag = "stairs", weight = 0.5 })
    local f = wend.follow(grid:path(1, 1, 5, 3), { speed = 20, stops = { "stairs" }, curve = "catmull_rom" })
    f:update(1)
    assert.equal("stairs", f.waiting)
    local h = again(f, { map = grid })
    assert.equal("stairs", h.waiting)
    f:resume()
    h:resume()
    walk_both(f, h)
    local g = square()
    f = wend.follow(g:route({ 1, 5 }, { 90, 4 }, { enter = "edge" }), { speed = 9, curve = "hermite" })
    f:update(3)
    walk_both(f, again(f, { map = g }))
    f = wend.follow({ 0, 0, 0, 5, 5, 5, 9, 0, 1 }, { dimensions = 3, loop = true, curve = "hermite", speed = 4 })
    f:update(31)
    walk_both(f, again(f))
  end)

  it("asks clear and calls on_point of the options from then on", function()
    local asked, told = 0, 0
    local function clear() asked = asked + 1 return true end
    local function tell() told = told + 1 end
    local f = wend.follow({ 0, 0, 10, 0, 10, 10, 20, 10 },
      { curve = "hermite", clear = function() return true end, on_point = function() end })
    f:update(1)
    local h = wend.decode(f:encode(), { clear = clear, on_point = tell })
    h:update(100)
    assert.is_true(asked > 0)
    assert.equal(3, told)
  end)

  it("is at the point while on_point runs", function()
    local taken
    local f = wend.follow({ 0, 0, 10, 0, 20, 0 }, { speed = 1, on_point = function(self, i)
      if i == 2 then taken = self:encode() end
    end })
    f:update(15)
    local announced = {}
    local h = wend.decode(taken, { on_point = function(_, i) announced[#announced + 1] = i end })
    assert.equal(10, h.x)
    h:update(15)
    assert.same({ 3 }, announced)
  end)

  it("keeps a pause, a new way and a speed that was set", function()
    local f = wend.follow({ 0, 0, 10, 0 }, { curve = "catmull_rom" })
    f:update(4)
    f:go { 20, 20, 0, 20 }
    f.speed = 2.5
    f:pause()
    local h = again(f)
    assert.is_true(h.paused)
    h:resume()
    f:resume()
    walk_both(f, h)
  end)

  it("keeps -0", function()
    local zero = 0.0
    local f = wend.follow({ 5, zero, 3, -zero, -4, -zero }, { loop = true })
    f:update(0.5)
    assert.equal(1 / f.heading, 1 / again(f).heading)
  end)

  it("forgets ids that the graph has no more", function()
    local g = square()
    local f = wend.follow(g:path("gate", "keep"))
    g:remove_edge(3)
    local h = again(f, { map = g })
    f:update(115)
    h:update(115)
    assert.is_nil(h.edge)
    assert.same({ f.x, f.y, f.leg }, { h.x, h.y, h.leg })
  end)
end)

-- Damage -----------------------------------------------------------------------------------------------------------

--- Walks a follower that was made of damaged bytes: it must not raise, and its position must be a number.
local function try_follower(f)
  for _, dt in ipairs { 0, 0.1, 1, 0.016, 40, 0 } do
    local x, y, z = f:update(dt)
    assert.is_true(x - x == 0 and y - y == 0 and (z == nil or z - z == 0), "no position")
    assert.is_true(f.heading - f.heading == 0, "no heading")
    local _ = { f.leg, f.edge, f.tag, f.node, f.waiting, f.paused, f.points, f:remaining(), tostring(f) }
    if f.waiting or f.paused then f:resume() end
  end
  f:line()
  f:encode()
  local ok, problem = pcall(f.go, f, f.z and { 1, 2, 3, 4, 5, 6 } or { 1, 2, 3, 4 }, { join = f.done or nil })
  assert.is_true(ok or problem:find("spacing must be at least", 1, true) ~= nil, problem)
  f:update(1)
  f:update(1000)
end

local function try_path(path)
  path:valid()
  path:encode()
  pcall(path.points, path)
  pcall(path.explain, path)
  for _ in path:each() do local _ = path.cost end
  tostring(path)
  pcall(function() wend.follow(path):update(1) end)
end

local function kinds()
  local g, grid = square(), yard()
  local list = {}
  local function add(object, map, dt)
    if dt then object:update(dt) end
    list[#list + 1] = { object:encode(), map }
  end
  add(g:path("gate", { "keep", 2 }), g)
  add(grid:straighten(grid:path(1, 1, 7, 3)), grid)
  add(wend.follow(g:path("gate", "keep"), { speed = 8, speeds = { road = 2 }, stops = { "swamp" } }), g, 3)
  add(wend.follow(g:path("gate", "keep"), { speed = 8, curve = "catmull_rom", on_point = print }), g, 1)
  add(wend.follow(grid:path(1, 1, 7, 3), { speed = 8, curve = "hermite", speeds = { swamp = 0.5 } }), grid, 1)
  add(wend.follow({ 0, 0, 0, 4, 4, 4, 9, 0, 1 }, { dimensions = 3, loop = true, curve = "hermite" }), nil, 30)
  local function free() return true end
  add(wend.follow({ 0, 0, 4, 4, 9, 0, links = { false, true } }, { loop = true, clear = free }), nil, 30)
  for _, curve in ipairs { "linear", "hermite" } do
    local cave = wend.grid(7, 1):close(3, 1, 4, 1):link(2, 1, 5, 1, { weight = 4 })
    add(wend.follow(cave:path(1, 1, 7, 1), { links = curve == "linear" and "cost" or "walk", curve = curve }), cave, 2)
  end
  local turned = wend.follow({ 0, 0, 10, 0, 20, 0 }, { curve = "hermite" })
  turned:update(7)
  turned:go({ 0, 5, 7, 5, 20, 5 }, { join = true })
  add(turned, nil, 1)
  add(wend.follow({ 3, 4 }, { curve = "hermite" }), nil, 1)
  return list
end

-- Doubles that a number may become: 0, 1, -1, 1e-9, 1e200, infinity, NaN.
local DOUBLES = {
  ("\0"):rep(8), "\0\0\0\0\0\0\240\63", "\0\0\0\0\0\0\240\191", "\149\214\38\232\11\46\17\62",
  "\23\110\5\181\181\184\147\105", "\0\0\0\0\0\0\240\127", "\0\0\0\0\0\0\248\127",
}

--- The bytes of a file with changed contents and right checksums.
local function forge(bytes)
  for _ = 1, rng(1, 2) do
    local at = rng(29, #bytes - 4)
    if rng:chance(0.5) then
      bytes = file_reference.patch(bytes, at, string.char(rng(0, 255)))
    else
      bytes = file_reference.patch(bytes, math.min(at, #bytes - 8), rng:pick(DOUBLES))
    end
  end
  return file_reference.mend(bytes)
end

--- The bytes of a path without the flag of earlier versions that it was found on a copy of the map.
local function without_flag(bytes)
  local at = bytes:find("PATH", 1, true)
  at = at and at + 24
  if not at or at > #bytes or bytes:byte(at) % 4 < 2 then return bytes end
  return file_reference.mend(file_reference.patch(bytes, at, string.char(bytes:byte(at) - 2)))
end

describe("wend.decode of damaged paths and followers", function()
  it("fails with format where a byte was changed", function()
    for _, one in ipairs(kinds()) do
      local bytes = one[1]
      for at = 1, #bytes do
        local options = { map = one[2], on_point = print, clear = function() return true end }
        local changed = bytes:sub(1, at - 1) .. string.char((bytes:byte(at) + rng(255)) % 256) .. bytes:sub(at + 1)
        if changed:byte(5) == 67 then options = nil end      -- now it claims to be a crowd, which takes other options
        local object, message, code = wend.decode(changed, options)
        assert.is_nil(object, message)
        assert.equal("format", code)
      end
    end
  end)

  it("fails with format or stale where checksums are forged, or gives an object that works #many", function()
    local made, refused = 0, 0
    for _, one in ipairs(kinds()) do
      local options = { map = one[2], on_point = function() end, clear = function() return true end }
      for _ = 1, 500 do
        local forged = forge(one[1])
        local read, object, message, code = pcall(wend.decode, forged, options)
        if not read then
          assert.truthy(object:find("map must be given", 1, true))
        elseif object then
          made = made + 1
          assert.equal(wend.type(object) == "path" and without_flag(forged) or forged, object:encode())
          local ok, problem = pcall(wend.type(object) == "path" and try_path or try_follower, object)
          assert.is_true(ok, tostring(problem))
        else
          refused = refused + 1
          assert.is_string(message)
          assert.is_true(code == "format" or code == "stale")
        end
      end
    end
    assert.is_true(made > 15 and refused > 300, made .. " made, " .. refused .. " refused")
  end)
end)

describe("wend.decode of paths and followers", function()
  local g = square()
  local grid = yard()

  it("fails with stale for another map, and for one that has changed", function()
    local stale = "a %s: it belongs to another map, or this one has changed since"
    local path, follower = g:path(1, 4):encode(), wend.follow(g:path(1, 4)):encode()
    helper.fails(stale:format "path", "stale", wend.decode, path, { map = grid })
    helper.fails(stale:format "follower", "stale", wend.decode, follower, { map = wend.graph() })
    local changes = {
      function(map) map:close(2) end, function(map) map:set_name(2, "mill") end, function(map) map:set_radius(2, 3) end,
      function(map) map:set_tag(1, "mud") end, function(map) map:set_weight(1, 3) end,
      function(map) map:move(2, 1, 1) end,
      function(map) map:add_node(1, 1) end, function(map) map:remove_edge(3) end,
    }
    for _, change in ipairs(changes) do
      local other = square()
      assert.is_truthy(wend.decode(path, { map = other }))
      change(other)
      helper.fails(stale:format "path", "stale", wend.decode, path, { map = other })
    end
    path, follower = grid:path(1, 1, 4, 1):encode(), wend.follow(grid:path(1, 1, 4, 1)):encode()
    for _, change in ipairs {
      function(map) map:set(7, 3, 2) end, function(map) map:wall(1, 1, 2, 1) end,
      function(map) map:link(1, 1, 5, 3) end,
      function(map) map:set(7, 3, 1, "swamp") end,
    } do
      local other = yard()
      assert.is_truthy(wend.decode(path, { map = other }))
      change(other)
      helper.fails(stale:format "path", "stale", wend.decode, path, { map = other })
    end
    local moved = wend.parse_grid({ "..~....", ".##.##.", "......." }, { ["~"] = "swamp" }, { cell = 16 })
    helper.fails(stale:format "follower", "stale", wend.decode, follower, { map = moved })
    assert.is_truthy(wend.decode(path, { map = moved }))      -- cells are the same wherever the grid lies
  end)

  it("raises for a map that was freed", function()
    local freed = square()
    local path = freed:path(1, 4)
    local follower, bytes = wend.follow(path), path:encode()
    debug.getmetatable(freed).__gc(freed)
    helper.raises("the graph is gone", wend.decode, bytes, { map = freed })
    helper.raises("the graph is gone", path.encode, path)
    helper.raises("the graph is gone", follower.encode, follower)
  end)

  helper.all_raise(it, {
    "map must be given: a path belongs to one", function() wend.decode(g:path(1, 2):encode()) end,
    "map must be given: a follower belongs to one",
    function() wend.decode(wend.follow(g:path(1, 2)):encode(), {}) end,
    "on_point must be given: the follower had one",
    function() wend.decode(wend.follow({ 1, 2 }, { on_point = print }):encode()) end,
    "clear must be given: the follower had one",
    function() wend.decode(wend.follow({ 1, 2 }, { clear = wend.walls() }):encode()) end,
    "speed must be a finite number >= 0, got nan",
    function() local f = wend.follow { 1, 2 } f.speed = NAN f:encode() end,
    "x of the follower must be a finite number (up to 1e150), got 'x'",
    function() local f = wend.follow { 1, 2 } f.x = "x" f:encode() end,
    "self must be a path, got a table that is empty or was never filled",
    function() local path = g:path(1, 2) path.trail = nil path:encode() end,
    "cost of the path must be a finite number, got nan",
    function() local path = g:path(1, 2) path.cost = NAN path:encode() end,
    "the path was changed: its list has not the nodes that were found",
    function() local path = g:path(1, 3) path[3] = nil path:encode() end,
    "path[2] must be a node...", function() local path = g:path(1, 2) path[2] = {} path:encode() end,
  })

  it("raises while the follower asks clear", function()
    local f, problem
    f = wend.follow({ 0, 0, 10, 0, 10, 10 }, { curve = "hermite", clear = function()
      local _
      if f then _, problem = pcall(f.encode, f) end
      return true
    end })
    f:update(100)
    assert.is_truthy(tostring(problem):find("clear cannot use the follower that asks it", 1, true))
  end)
end)
