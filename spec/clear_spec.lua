-- SPDX-License-Identifier: MIT
-- The option clear: what its functions may do, in every call that has it.
local collector = require "spec.support.collector"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local draw = reference.draw
local NAN = 0 / 0

local g, walls, path

local function fixture()
  g = draw({ "A B C D", "A-B", "B-C swamp", "C-D 1" }, { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 } }) -- D is nowhere
  walls = wend.walls()
  walls:add_segment(5, -5, 5, 5)
  path = assert(g:path("A", "C"))
end

-- The calls that a function `clear` may be in: by name, the call, the positions being the same all the time; and
-- whether the graph may be changed meanwhile.
local WAYS = {
  ["graph:nearest"] = function(fn) return g:nearest(1, 1, { clear = fn }) end,
  ["graph:nearest with limit"] = function(fn) return g:nearest(1, 1, { clear = fn, limit = 3, can_reach = "A" }) end,
  ["graph:nearest_edge"] = function(fn) return g:nearest_edge(1, 1, { clear = fn }) end,
  ["graph:route"] = function(fn) return g:route({ 1, 1 }, { 19, 1 }, { clear = fn }) end,
  ["graph:route by edges"] = function(fn) return g:route({ 1, 1 }, { 19, 1 }, { clear = fn, enter = "edge" }) end,
  ["path:points"] = function(fn) return path:points { jitter = 1, seed = 1, clear = fn } end,
}

for name, go in pairs(WAYS) do
  describe("a function clear in " .. name, function()
    before_each(fixture)

    it("may raise: the error is passed on", function()
      local ok, message = pcall(go, function() error("no mana", 0) end)
      assert.equal(false, ok)
      assert.truthy(tostring(message):find "no mana$", message)
      local value = setmetatable({}, { __tostring = function() return "mine" end })
      ok, message = pcall(go, function() error(value) end)
      assert.same({ false, true }, { ok, message == value })
      g:add_edge("A", "C", { weight = 50 }) -- and all is as before
      assert.truthy(go(function() return true end))
    end)

    it("may raise in a method, too", function()
      local ok, message = pcall(go, { clear = function() error("no mana", 0) end })
      assert.equal(false, ok)
      assert.truthy(tostring(message):find "no mana$", message)
      ok = pcall(go, setmetatable({}, { __index = function() error("strict", 0) end }))
      assert.equal(false, ok)
    end)

    it("may answer anything: every value but nil and false means free", function()
      local free, blocked = go(function() return true end), go(function() return false end)
      for _, answer in ipairs { 1, 0, "", "no", {}, print, NAN } do
        assert.same(free, (go(function() return answer end)))
      end
      assert.same(blocked, (go(function() end)))
      assert.same(blocked, (go(function() return nil end)))
    end)

    it("may not yield", function() helper.cannot_yield(go, function() coroutine.yield(1) end) end)

    it("may ask and search the same graph itself", function()
      local plain = go(function() return true end)
      local depth = 0
      assert.same(plain, (go(function()
        if depth < 3 then
          depth = depth + 1
          assert.same({ 1, 0 }, { g:nearest(0, 0) })
          assert.same({ 1, 0 }, { g:nearest(0, 0, { can_reach = "C", clear = function() return true end }) })
          assert.equal(1, (g:nearest_edge(3, 3)))
          assert.equal(20, g:path("A", "C").cost)
          assert.truthy(g:route({ 1, 1 }, { 19, 1 }, { enter = "edge" }))
          assert.same(plain, (go(function() return true end)))
          g:field "B"
          path:points { jitter = 1, seed = 1 }
          depth = depth - 1
        end
        return true
      end)))
    end)

    it("may call itself to a depth, and raises beyond it", function()
      local depth = 0
      local function dive()
        depth = depth + 1
        if depth < 15 then go(dive) end
        return true
      end
      assert.truthy(go(dive))
      local function forever() return go(forever) end
      local ok, message = pcall(forever)
      assert.equal(false, ok)
      assert.equal("string", type(message))
      assert.equal(20, g:path("A", "C").cost)
      g:close "B"
    end)

    it("may collect garbage, and drop the object that it belongs to", function()
      local plain = go(function() return true end)
      assert.same(plain, (go(function() collectgarbage() return true end)))
      local mine = { clear = function(self)
        self.clear = nil
        collectgarbage()
        return true
      end }
      pcall(go, mine)
    end)

    it("sees the graph as it was, whatever it does to it, or is refused", function()
      for what, edit in pairs {
        add_node = function() g:add_node(1, 1) end,
        add_nodes = function()
          local list = {}
          for i = 1, 200 do list[i] = i % 7 end
          g:add_nodes(list)
        end,
        add_edge = function() g:add_edge("A", "C", { weight = 1 }) end,
        remove_node = function() if g:has "B" then g:remove_node "B" end end,
        remove_all = function()
          for n in g:nodes() do g:remove_node(n) end
        end,
        remove_edge = function() if g:has_edge(1) then g:remove_edge(1) end end,
        close = function() g:close "A" end,
        move = function() g:move("C", 1, 1) end,
        move_back = function() g:move("C", 500, 500) end,
      } do
        g = draw({ "A B C D", "A-B", "B-C swamp", "C-D 1" }, { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 } })
        path = assert(g:path("A", "C"))
        local refused, asked = 0, 0
        local ok, message = pcall(go, function()
          asked = asked + 1
          local done, problem = pcall(edit)
          if not done then
            refused = refused + 1
            assert.truthy(problem:find("the graph is being searched: change it when the search is over", 1, true)
              or problem:find("no node", 1, true), problem)
          end
          return asked > 2
        end)
        -- it may not find any more what it looked for, but it may not break
        assert.truthy(ok or type(message) == "string", what)
        if name:find "route" then assert.equal(asked, refused, what) end
        local id = g:add_node(1000, 1000) -- the graph is well, and open to changes
        assert.same({ id, 0 }, { g:nearest(1000, 1000) })
        g:add_edge(id, id, { weight = 1 })
        assert.equal(0, select(4, g:nearest_edge(1000, 1000)))
      end
    end)

    it("may change another graph, and walls", function()
      local other = wend.graph()
      assert.truthy(go(function()
        other:add_node(1, 1)
        other:nearest(0, 0)
        walls:add_segment(100, 100, 200, 200)
        return walls:clear(0, 0, 1, 1)
      end))
    end)
  end)
end

describe("a finalizer that adds walls", function()
  before_each(fixture)

  it("does no harm to walls:each, walls:clear and graph:nearest", function()
    local many = wend.walls()
    for i = 1, 50 do many:add_polygon { i, 0, i + 1, 0, i, 1 } end
    local added = 0
    local function add()
      local points = {}
      for i = 1, 200 do points[i] = 500 + i * i % 97 end
      many:add_polygon(points)
      added = added + 1
    end
    local at = 0
    for kind, numbers in many:each() do
      at = at + 1
      if at <= 50 then assert.same({ "polygon", { at, 0, at + 1, 0, at, 1 } }, { kind, numbers }) end
      if at == 60 then break end
      collector.finalized(add)
      collectgarbage "step"
    end
    for i = 1, 30 do
      collector.finalized(add)
      assert.equal(false, many:clear(i, -1, i, 5))
      collectgarbage "step"
      assert.same({ 1, 1 }, { g:nearest(0, -1, { clear = many }) })
      assert.same({ {}, {} }, { g:nearest(3.1, 0.1, { clear = many, limit = 3 }) })
    end
    collectgarbage()
    collectgarbage()
    assert.truthy(added > 0)
  end)
end)

describe("the option clearance", function()
  local rocks = wend.walls()
  for i = 0, 9 do rocks:add_circle(i * 7 % 50, i * 11 % 40, 1) end
  rocks:add_segment(10, 0, 14, 25)
  rocks:add_polygon { 30, 10, 38, 10, 38, 30 }
  local yard, net = wend.grid(50, 40), wend.graph()
  for i = 0, 99 do net:add_node(i * 17 % 50 + i / 100, i * 23 % 40) end
  net:link { walls = rocks, limit = 3 }

  -- What a function that calls rocks:clear says.
  local function asked(radius)
    return function(x1, y1, x2, y2) return rocks:clear(x1, y1, x2, y2, radius) end
  end

  local calls = {
    ["g:nearest"] = function(x, y, opts) return { net:nearest(x, y, opts) } end,
    ["g:nearest_edge"] = function(x, y, opts) return { net:nearest_edge(x, y, opts) } end,
    ["g:route"] = function(x, y, opts) return { net:route({ x, y }, { 48 - x, 38 - y }, opts) } end,
    ["grid:route"] = function(x, y, opts)
      opts.straighten = true
      return { yard:route({ x, y }, { 48 - x, 38 - y }, opts) }
    end,
    ["wend.curve"] = function(x, y, opts)
      local line = wend.curve({ x, y, 20, 20, 48 - x, y, 48 - x, 38 - y }, opts)
      return { line, line.straight }
    end,
    ["wend.follow"] = function(x, y, opts)
      opts.curve, opts.speed = "hermite", 3
      local follower, places = wend.follow({ x, y, 20, 20, 48 - x, y }, opts), {}
      for _ = 1, 12 do places[#places + 1] = { follower:update(0.7) } end
      return places
    end,
  }
  for name, call in pairs(calls) do
    local of = name:find "^wend" and " #move" or ""
    it("keeps " .. name .. " away from walls as a function does" .. of, function()
      local differs = false
      helper.rounds("clearance " .. name, 80, function(rng)
        local x, y, radius = rng() * 48, rng() * 38, rng:pick { 0, 0.5, 2, 5 }
        local with_function = call(x, y, { clear = asked(radius) })
        assert.same(with_function, call(x, y, { clear = rocks, clearance = radius }))
        differs = differs or not pcall(assert.same, with_function, call(x, y, { clear = rocks }))
      end)
      assert.is_true(differs or not helper.all_rounds(), "it never matters")
    end)
  end

  -- Walls also limit how far a point moves, so a function gives other points.
  it("keeps path:points away from walls", function()
    local differs = false
    helper.rounds("clearance path:points", 80, function(rng)
      local x, y, radius = rng() * 48, rng() * 38, rng:pick { 0, 0.5, 2, 5 }
      local way = net:path((net:nearest(x, y)), (net:nearest(48 - x, 38 - y)))
      if not way then return end
      local nodes, is_free = way:points(), asked(radius)
      local points = way:points { jitter = 4, seed = x, clear = rocks, clearance = radius }
      for i = 1, #nodes - 3, 2 do
        local was_free = is_free(nodes[i], nodes[i + 1], nodes[i + 2], nodes[i + 3])
        if was_free then assert.is_true(is_free(points[i], points[i + 1], points[i + 2], points[i + 3])) end
      end
      differs = differs or not pcall(assert.same, points, way:points { jitter = 4, seed = x, clear = rocks })
    end)
    assert.is_true(differs or not helper.all_rounds(), "it never matters")
  end)

  it("is for followers that are loaded too, and in three dimensions #move", function()
    local follower = wend.follow({ 0, 5, 0, 9, 0, 30 }, { clear = rocks, clearance = 2 })
    local loaded = wend.decode(follower:encode(), { clear = rocks, clearance = 2 })
    assert.same({ follower:update(2) }, { loaded:update(2) })
    local line = wend.curve({ 5, 5, 0, 9, 12, 1, 9, 20, 3 }, { dimensions = 3, clear = rocks, clearance = 3 })
    assert.truthy(line.straight)
  end)

  it("needs walls #move", function()
    local message = "clearance is a distance from walls: give the option clear = walls"
    for _, opts in ipairs { { clearance = 1 }, { clear = print, clearance = 1 }, { clear = yard, clearance = 1 } } do
      helper.raises(message, net.route, net, { 1, 1 }, { 2, 2 }, opts)
      helper.raises(message, wend.curve, { 1, 1, 2, 2 }, opts)
    end
    for _, value in ipairs { -1, 0 / 0, math.huge, "1" } do
      assert.is_false((pcall(net.nearest, net, 1, 1, { clear = rocks, clearance = value })))
      assert.is_false((pcall(wend.follow, { 1, 1, 2, 2 }, { clear = rocks, clearance = value })))
    end
  end)
end)
