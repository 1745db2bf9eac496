-- SPDX-License-Identifier: MIT
-- wend.watch: which of many paths edits have touched. spec/random/watch_spec.lua compares it with asking each path.

local collector = require "spec.support.collector"
local helper = require "spec.support.helper"
local wend = require "wend"

local raises = helper.raises

-- A row of nodes 1 - 2 - ... - count, with the edges 1, 2, ...
local function row(count)
  local g = wend.graph()
  for i = 1, count do g:add_node(10 * i, 0) end
  for i = 1, count - 1 do g:add_edge(i, i + 1) end
  return g
end

-- The names of the paths that are affected, in order.
local function affected(watch, names)
  local list = {}
  for i, path in ipairs(watch:affected()) do list[i] = names[path] end
  return table.concat(list, " ")
end

describe("watch:affected", function()
  it("lists the paths of a graph that edits since the last call have touched", function()
    local g = row(6)
    local west, east, all = g:path(1, 3), g:path(4, 6), g:path(6, 1)
    local names = { [west] = "west", [east] = "east", [all] = "all" }
    local watch = wend.watch(g):add(all):add(west):add(east)
    assert.equal("", affected(watch, names))
    g:set_weight(1, 50)
    assert.equal("all west", affected(watch, names))
    assert.equal("", affected(watch, names))
    g:close(5)
    assert.equal("all east", affected(watch, names))
    g:set_tag(3, "mud") -- between the two
    assert.equal("all", affected(watch, names))
    g:move(4, 40, 5)
    assert.equal("all east", affected(watch, names))
    g:close_edge(1)
    g:close_edge(5)
    assert.equal("all west east", affected(watch, names))
    g:add_edge(1, 3)
    g:set_name(2, "mill")
    g:set_radius(2, 1)
    g:add_node(5, 5)
    assert.equal("", affected(watch, names))
  end)

  it("goes on after a graph was packed, and after more edits than a map keeps", function()
    local g = row(50)
    local near, far = g:path(1, 20), g:path(30, 50)
    local watch = wend.watch(g):add(near):add(far)
    for i = 1, 300 do g:add_node(i, 50) end
    for i = 51, 340 do g:add_edge(i, i + 1) end
    assert.equal(20, #g:path(20, 1))
    assert.same({}, watch:affected())
    g:set_weight(35, 2)
    assert.same({ far }, watch:affected())
    for i = 1, 5000 do g:set_weight(200, i) end
    assert.same({}, watch:affected())
    for i = 1, 5000 do g:set_weight(200, i) end
    g:close(3)
    for i = 1, 5000 do g:set_weight(200, i) end
    assert.same({ near }, watch:affected())
  end)

  it("notices that a graph was packed by a search", function()
    local g = row(50)
    local path = g:path(1, 20)
    local watch = wend.watch(g):add(path)
    for i = 1, 300 do g:add_node(i, 50) end
    for i = 51, 340 do g:add_edge(i, i + 1) end
    assert.same({}, watch:affected())
    g:path(60, 70) -- packs
    assert.same({}, watch:affected())
    for i = 1, 19 do
      g:set_weight(i, 2)
      assert.same({ path }, watch:affected())
    end
  end)

  it("counts walls and links as path:valid does", function()
    local grid = wend.grid(9, 3)
    local low, high = grid:path(1, 3, 9, 3), grid:path(1, 1, 9, 1)
    local names = { [low] = "low", [high] = "high" }
    local watch = wend.watch(grid):add(low):add(high)
    grid:wall(4, 1, 5, 1)
    assert.equal("high", affected(watch, names))
    assert.equal(false, high:valid())
    grid:wall(6, 1, 7, 1)
    assert.equal("", affected(watch, names))
    grid:wall(6, 1, 7, 1, false):wall(4, 1, 5, 1, false) -- valid again
    assert.equal("high", affected(watch, names))
    assert.equal(true, high:valid())
    grid:wall(4, 1, 5, 1):wall(4, 1, 5, 1, false)
    assert.equal("", affected(watch, names))
    grid:wall(2, 2, 3, 2)
    assert.equal("", affected(watch, names))
    grid:link(1, 1, 9, 1, { weight = 1 }) -- no path of before uses it
    assert.equal("", affected(watch, names))
    local leap = grid:path(1, 1, 9, 1)
    names[leap] = "leap"
    watch:add(leap)
    assert.equal(4, #leap)
    grid:link(1, 1, 9, 1, { weight = 2 })
    assert.equal("leap", affected(watch, names))
    grid:unlink(1, 1, 9, 1)
    assert.equal("leap", affected(watch, names))
    assert.equal("", affected(watch, names))
    grid:link(3, 3, 2, 3, { directed = true })
    assert.equal("", affected(watch, names))
    grid:link(2, 3, 3, 3, { weight = 0.5, directed = true })
    assert.equal("low", affected(watch, names))
    assert.equal(false, low:valid())
  end)

  it("counts links between successive cells of a leg between corners, as path:valid does", function()
    local grid = wend.grid(12, 4)
    local path = grid:path(1, 1, 12, 4, { corners = true })
    assert.equal("1 1 4 4 12 4", table.concat(path, " "))
    local watch = wend.watch(grid):add(path)
    grid:link(6, 4, 6, 3):link(7, 4, 9, 4)
    assert.same({}, watch:affected())
    assert.is_true(path:valid())
    grid:link(6, 4, 7, 4, { weight = 3, directed = true })
    assert.same({ path }, watch:affected())
    assert.is_false(path:valid())
    grid:unlink(6, 4, 7, 4)
    assert.same({ path }, watch:affected())
  end)

  it("lists the paths that use a tag whose costs have changed", function()
    local g = wend.graph()
    for i = 1, 4 do g:add_node(10 * i, 0) end
    g:add_edge(1, 2, { tag = "road" })
    g:add_edge(2, 3, { tag = "mud" })
    g:add_edge(3, 4, { tag = "road" })
    local base = wend.costs { road = 1 }
    local costs, other = wend.costs({ mud = 2 }, { base = base }), wend.costs { road = 2, mud = 3 }
    local road, mud = g:path(1, 2, { costs = costs }), g:path(2, 3, { costs = costs })
    local bare, theirs = g:path(1, 4), g:path(1, 4, { costs = other })
    local names = { [road] = "road", [mud] = "mud", [bare] = "bare", [theirs] = "theirs" }
    local watch = wend.watch(g):add(road):add(mud):add(bare):add(theirs)
    assert.equal("", affected(watch, names))
    costs:set("mud", 3)
    assert.equal("mud", affected(watch, names))
    assert.equal("", affected(watch, names))
    costs:set("sand", 3):set("mud", 3)
    assert.equal("", affected(watch, names))
    base:set("road", 4)
    assert.equal("road", affected(watch, names))
    other:edge_rule("frost", function() end)
    assert.equal("theirs", affected(watch, names))
    costs:edge_rule("frost", function() end)
    g:set_weight(3, 1)
    assert.equal("road mud bare theirs", affected(watch, names))
    local late = g:path(1, 2, { costs = costs })
    names[late] = "late"
    watch:add(late)
    assert.equal("", affected(watch, names))
    costs:remove "frost"
    assert.equal("road mud late", affected(watch, names))
  end)

  it("lists a path that was out of date when it was added", function()
    local g, costs = row(4), wend.costs()
    local path, priced, whole = g:path(1, 3), g:path(1, 2, { costs = costs }), g:path(1, 4)
    g:close_edge(2)
    costs:edge_rule("frost", function() end)
    local watch = wend.watch(g):add(path):add(priced)
    g:remove_node(4)
    watch:add(whole)
    assert.same({ path, priced, whole }, watch:affected())
    assert.same({}, watch:affected())
    g:open_edge(2)
    assert.same({ path }, watch:affected())
    local grid = wend.grid(5, 1)
    local walled = grid:path(1, 1, 5, 1)
    grid:wall(1, 1, 2, 1)
    watch = wend.watch(grid):add(walled)
    assert.same({ walled }, watch:affected())
    grid:wall(1, 1, 2, 1, false)
    assert.same({ walled }, watch:affected())
    assert.equal(true, walled:valid())
  end)

  it("lists a loaded path that was out of date", function()
    local g = row(3)
    local path = g:path(1, 3)
    g:close(2)
    local loaded = wend.decode(path:encode(), { map = g })
    local watch = wend.watch(g):add(loaded)
    assert.same({ loaded }, watch:affected())
    g:open(2)
    assert.same({}, watch:affected())
  end)

  it("follows a path that is found again in the same table", function()
    local g = row(9)
    local path, other = g:path(1, 3), g:path(1, 2)
    local watch = wend.watch(g):add(path):add(other)
    g:path(7, 9, { into = path })
    g:set_weight(1, 3)
    assert.same({ other }, watch:affected())
    g:set_weight(8, 3)
    assert.same({ path }, watch:affected())
    g:path(1, 9, { into = path }) -- longer
    g:set_weight(1, 4)
    assert.same({ path, other }, watch:affected())
    assert.equal(2, watch:count())
  end)

  it("leaves out a path that was emptied, until it is found again", function()
    local g = row(9)
    local path, other = g:path(1, 3), g:path(2, 3)
    local watch = wend.watch(g):add(path):add(other)
    g:close(9)
    assert.is_nil((g:path(1, 9, { into = path })))
    g:set_weight(1, 3)
    assert.same({}, watch:affected())
    g:set_weight(2, 3)
    assert.same({ other }, watch:affected())
    g:path(1, 2, { into = path })
    assert.same({}, watch:affected())
    g:set_weight(1, 4)
    assert.same({ path }, watch:affected())
    local elsewhere = row(3)
    elsewhere:path(1, 2, { into = path })
    g:set_weight(1, 5)
    assert.same({}, watch:affected())
  end)

  it("fills a table that is given", function()
    local g = row(4)
    local path = g:path(1, 4)
    local watch, list = wend.watch(g):add(path), { 1, 2, 3, n = 5 }
    assert.equal(list, watch:affected { into = list })
    assert.same({ n = 5 }, list)
    g:close(2)
    watch:affected { into = list }
    assert.same({ path, n = 5 }, list)
  end)

  it("makes no garbage with a table that is given", function()
    local g = row(30)
    local watch, asked = wend.watch(g), { into = {} }
    for i = 1, 20 do watch:add(g:path(i, i + 10)) end
    assert.equal(0, helper.garbage(30, 100, function(times)
      for i = 1, times do
        g:set_weight(15, i)
        watch:affected(asked)
      end
    end))
    assert.equal(10, #asked.into)
  end)

  it("can be called while a search runs", function()
    local g = row(4)
    local path = g:path(1, 4)
    local watch = wend.watch(g):add(path)
    g:close(2)
    g:open(2)
    local list, added
    g:path(1, 4, { cost = function(_, cost)
      list = list or watch:affected()
      if not added then watch:add(g:path(1, 2)) end
      added = true
      return cost
    end })
    assert.same({ path }, list)
    assert.equal(2, watch:count())
  end)

  it("is of one map: of a base, or of an overlay, which it follows", function()
    local g = row(6)
    local units = g:overlay()
    local with, without = units:path(1, 3), g:path(1, 3)
    local names = { [with] = "with", [without] = "without" }
    local watch, other = wend.watch(units):add(with), wend.watch(g):add(without)
    raises("path must be a path over the graph of this watch, got one of another map", other.add, other, with)
    units:close_edge(5) -- elsewhere
    assert.equal("", affected(watch, names))
    units:close(2)
    assert.equal("with", affected(watch, names))
    assert.equal("", affected(watch, names))
    g:close_edge(2)
    assert.equal("with", affected(watch, names))
    assert.equal("without", affected(other, names))
    assert.equal("", affected(watch, names))
  end)

  it("lists a path whose overlay alone has a tag that costs more now", function()
    local units, costs = wend.grid(5, 1):overlay():set(3, 1, 1, "mud"), wend.costs { mud = 2 }
    local path = units:path(1, 1, 5, 1, { costs = costs })
    local watch = wend.watch(units):add(path)
    assert.same({}, watch:affected())
    costs:set("mud", 3)
    assert.same({ path }, watch:affected())
    assert.equal(false, path:valid())
  end)
end)

describe("watch:add and watch:remove", function()
  it("hold a path until it is removed", function()
    local g = row(4)
    local watch = wend.watch(g)
    local paths = {}
    for i = 1, 10 do
      paths[i] = g:path(1, 4)
      assert.equal(watch, watch:add(paths[i]))
    end
    assert.equal(10, watch:count())
    g:close(3)
    for i = 1, 10, 2 do assert.equal(watch, watch:remove(paths[i])) end
    assert.equal(5, watch:count())
    assert.same({ paths[2], paths[4], paths[6], paths[8], paths[10] }, watch:affected())
    g:open(3)
    for i = 9, 1, -2 do watch:add(paths[i]) end -- out of date; behind the others
    assert.same({ paths[2], paths[4], paths[6], paths[8], paths[10], paths[9], paths[7], paths[5], paths[3], paths[1] },
      watch:affected())
  end)

  it("keep a path alive; a watch that is collected frees its paths", function()
    local g = row(4)
    local seen = setmetatable({}, { __mode = "k" })
    local watch = wend.watch(g)
    local function fill()
      for _ = 1, 5 do
        local path = g:path(1, 4)
        seen[path] = true
        watch:add(path)
      end
    end
    fill()
    collectgarbage()
    collectgarbage()
    assert.equal(5, watch:count())
    assert.truthy(next(seen))
    g:close(2)
    assert.equal(5, #watch:affected())
    watch = nil -- luacheck: ignore 311
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(seen))
  end)

  it("keep the map alive", function()
    local watch = wend.watch(row(4))
    collectgarbage()
    collectgarbage()
    assert.equal(0, #watch:affected())
  end)

  it("free their memory", function()
    local g = row(400)
    local watch = wend.watch(g)
    local empty = watch:bytes()
    for _ = 1, 50 do watch:add(g:path(1, 400)) end
    local full = watch:bytes()
    assert.is_true(full > empty + 50 * 400 * 16 and full < empty + 50 * 400 * 64)
    for _ = 1, 300 do
      local path = g:path(1, 400)
      watch:add(path):remove(path)
    end
    assert.is_true(watch:bytes() < 2 * full)
  end)
end)

describe("wend.watch", function()
  it("has a type and a text", function()
    local g = row(2)
    local watch = wend.core.path_watch(g)
    assert.equal("watch", wend.type(watch))
    assert.equal("wend.Watch (0 paths)", tostring(watch))
    assert.equal("wend.Watch (1 path)", tostring(watch:add(g:path(1, 2))))
  end)

  it("watches the grid of a level", function()
    local level = wend.level { grid = wend.grid(5, 5) }
    local path = level.grid:path(1, 1, 5, 5)
    local watch = wend.watch(level.grid):add(path)
    level.grid:close(3, 3)
    assert.same({ path }, watch:affected())
  end)
end)

-- Many paths and many edits of a path that is asked each time: path:valid asks a sieve.
describe("path:valid after edits elsewhere", function()
  it("stays right when it no longer looks through the path", function()
    for _, size in ipairs { 5, 40, 300 } do
      local grid = wend.grid(size, size)
      local path = grid:path(1, 1, size, math.max(1, size - 3))
      local straight = grid:straighten(path)
      for i = 1, 30 do
        grid:set(1, size, i + 1)
        assert.equal(true, path:valid())
        assert.equal(true, straight:valid())
      end
      local held = {}
      for i = 1, #path do held[i] = path[i] end
      for i = 3, #held, 2 do
        local late = grid:path(1, 1, size, math.max(1, size - 3))
        for k = 1, 3 do
          grid:set(1, size, k + 40)
          assert.equal(true, late:valid())
        end
        local x, y = late[#late - 1], late[#late]
        grid:set(x, y, i + 2)
        assert.equal(false, late:valid())
        if i > 21 then break end
      end
    end
  end)

  it("sees edits of a path that was found again in the same table", function()
    local g = row(60)
    local path = g:path(1, 30)
    local function edit_elsewhere(edge)
      for i = 1, 5 do
        g:set_weight(edge, i)
        assert.equal(true, path:valid())
      end
    end
    edit_elsewhere(50)
    g:path(40, 60, { into = path })
    edit_elsewhere(20)
    g:set_weight(50, 9)
    assert.equal(false, path:valid())
    g:path(1, 60, { into = path })
    for i = 1, 59, 7 do
      for k = 1, 4 do
        g:set_radius(i, k)
        g:add_edge(g:add_node(0, 9), i)
        assert.equal(true, path:valid())
      end
      g:set_weight(i, i + 7)
      assert.equal(false, path:valid())
      g:path(1, 60, { into = path })
    end
  end)

  it("sees edits after a graph was packed", function()
    local g = row(60)
    local path = g:path(1, 30)
    for i = 1, 5 do
      g:set_weight(50, i)
      assert.equal(true, path:valid())
    end
    for i = 1, 500 do g:add_node(i, 9) end
    for i = 61, 550 do g:add_edge(i, i + 1) end
    g:path(1, 60)
    for i = 1, 5 do
      g:set_weight(50, i)
      assert.equal(true, path:valid())
    end
    g:close(30)
    assert.equal(false, path:valid())
  end)
end)

describe("Errors of watches:", function()
  local g = row(4)
  local path, watch = g:path(1, 3), wend.watch(g)
  watch:add(path)

  local function add(thing) return function() watch:add(thing) end end
  local function affected_with(options) return function() watch:affected(options) end end
  helper.all_raise(it, {
    "map must be a graph or a grid, got a wend.Level", function() wend.watch(wend.level { graph = g }) end,
    "path must be a path, got nil", add(),
    "path must be a path, got a table that is empty or was never filled", add {},
    "path must be a path, got a table that is empty or was never filled", add(g:route({ 10, 0 }, { 30, 0 })),
    "path must be a path over the graph of this watch, got one of another map", add(row(3):path(1, 2)),
    "path must be a path over the graph of this watch, got one of another map", add(wend.grid(3, 3):path(1, 1, 2, 2)),
    "path is held by this watch already", add(path),
    "path must be a path, got nil", function() watch:remove() end,
    "path is not held by this watch", function() watch:remove(g:path(1, 2)) end,
    "unknown option 'onto' (expected one of: into)", affected_with { onto = {} },
  })

  it("a path that was emptied or changed by hand", function()
    local map = row(4)
    local one, emptied = wend.watch(map), map:path(1, 3)
    map:close(4)
    map:path(1, 4, { into = emptied })
    raises("path must be a path, got a table that is empty or was never filled", one.add, one, emptied)
    local other = map:path(1, 3)
    other.map = row(2)
    raises("path must be a path, got a table that is empty or was never filled", one.add, one, other)
    local grid = wend.grid(5, 5)
    local cells = grid:path(1, 1, 5, 5)
    cells[3] = 99
    local two = wend.watch(grid)
    raises("path[3] must be a whole number in 1 .. 5, got 99", two.add, two, cells)
    assert.equal(0, two:count())
    local nodes = map:path(1, 3)
    nodes[2] = "no node"
    assert.same({ nodes }, one:add(nodes):affected()) -- as path:valid says after the next edit
    map:set_weight(3, 5)
    assert.equal(false, nodes:valid())
    assert.same({}, one:affected())
  end)

  it("a watch or a map that was freed", function()
    local map = row(3)
    local one = wend.watch(map)
    local free = debug.getmetatable(map).__gc
    free(map)
    raises("the graph is gone", one.affected, one)
    raises("the graph is gone", wend.watch, map)
    debug.getmetatable(one).__gc(one)
    debug.getmetatable(one).__gc(one)
    raises("the watch is gone", one.affected, one)
    raises("the watch is gone", tostring, one)
  end)

  it("finalizers that edit, add and remove in the middle of a call", function()
    local pause, step = collector.tune(100, 1000)
    for round = 1, 20 do
      local map = row(12)
      local one, held, done = wend.watch(map), {}, false
      for i = 1, 8 do
        held[i] = map:path(i, i + 4)
        one:add(held[i])
      end
      local function plant()
        collector.finalized(function()
          if done then return end
          pcall(map.set_weight, map, 5, round)
          if pcall(one.remove, one, held[3]) then pcall(one.add, one, held[3]) end
          pcall(one.affected, one)
          plant()
        end)
      end
      plant()
      for i = 1, 100 do
        map:set_weight(i % 11 + 1, i)
        for _, item in ipairs(one:affected()) do assert.equal("path", wend.type(item)) end
        if i <= 20 then one:add(map:path(1, i % 12 + 1)) end
      end
      done = true
      assert.equal(28, one:count())
    end
    collector.tune(pause, step)
    collectgarbage()
  end)
end)
