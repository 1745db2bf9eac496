-- SPDX-License-Identifier: MIT
-- Surfaces: what steps lead from where, edits, and what the graph is good for. random/surface_spec.lua compares random
-- worlds with the plain rules.
local helper = require "spec.support.helper"
local wend = require "wend"

local KINDS = { [0] = "air", "solid", "water", "ladder", "door", { kind = "solid", tag = "mud", cost = 2 },
  { kind = "air", tag = "web", cost = 3 } }
local IDS = { ["."] = 0, ["#"] = 1, ["~"] = 2, H = 3, D = 4, m = 5, w = 6 }

-- The ids of a world that is drawn from the side, the highest row first; one block deep.
local function ids_of(text)
  local rows, ids = {}, {}
  for row in text:gmatch "%S+" do table.insert(rows, 1, row) end
  for _, row in ipairs(rows) do
    for letter in row:gmatch "." do ids[#ids + 1] = IDS[letter] end
  end
  return ids, #rows[1], #rows
end

local function new(opts)
  opts = opts or {}
  opts.classes = opts.classes or KINDS
  return wend.surface(opts)
end

local function world(text, opts)
  local surface = new(opts)
  local ids, w, h = ids_of(text)
  return surface:load(0, 0, 0, w, h, 1, ids)
end

-- The place whose feet are in a block.
local function place(surface, x, y, z)
  local node = surface:at(x + 0.5, y, (z or 0) + 0.5)
  local _, height = surface.graph:position(node or 1)
  return node and height == y and node or nil
end

-- The tag and the weight of the step from one block to another; nil: there is none.
local function step(surface, x, y, to_x, to_y, z, to_z)
  local a, b = place(surface, x, y, z), place(surface, to_x, to_y, to_z)
  local edge = a and b and surface.graph:edge_between(a, b)
  if not edge then return nil end
  edge = surface.graph:edge(edge)
  return edge.tag or "plain", edge.weight
end

describe("the steps of a surface", function()
  it("lead up as far as `step`, with room for the head", function()
    local hill = [[
      .....
      .....
      ....#
      ..###
      #####]]
    local surface = world(hill)
    assert.equal("plain", step(surface, 1, 1, 2, 2))
    assert.same({ "plain", 2 ^ 0.5 }, { step(surface, 2, 2, 1, 1) })
    local low = world [[
      .....
      .#...
      .....
      ..###
      #####]]
    assert.is_nil(step(low, 1, 1, 2, 2))
    assert.equal("plain", step(low, 2, 2, 1, 1) or "plain")
    assert.equal("plain", step(world(hill, { step = 2 }), 3, 2, 4, 3))
  end)

  it("lead down as far as `drop`", function()
    local cliff = [[
      ....
      ....
      #...
      #...
      #...
      ####]]
    assert.equal("drop", step(world(cliff), 0, 4, 1, 1))
    assert.is_nil(step(world(cliff), 1, 1, 0, 4))
    assert.is_nil(step(world(cliff, { drop = 2 }), 0, 4, 1, 1))
    assert.equal("plain", step(world(cliff, { step = 3 }), 1, 1, 0, 4) or "plain")
  end)

  it("need the height of the walker", function()
    local tunnel = [[
      .....
      ..#..
      .....
      #####]]
    assert.is_nil(place(world(tunnel), 2, 1))
    assert.truthy(place(world(tunnel, { height = 1 }), 2, 1))
  end)

  it("lead up and down ladders, and off at the top", function()
    local ladder = [[
      ......
      ......
      ...H##
      ...H##
      ...H##
      ######]]
    local surface = world(ladder, { climb = true })
    local path = surface.graph:path(place(surface, 0, 1), place(surface, 5, 4))
    assert.equal(3 + 2 + 2 ^ 0.5 + 1, path.cost)
    assert.equal("ladder", surface.graph:node_tag(place(surface, 3, 2)))
    assert.is_nil(place(world(ladder), 3, 2))
  end)

  it("lead through water for swimmers", function()
    local pond = [[
      .......
      .......
      ##~~~##
      ##~~~##
      #######]]
    local surface = world(pond, { swim = true })
    assert.equal("plain", step(surface, 1, 3, 2, 2))
    assert.equal("plain", step(surface, 4, 2, 5, 3))
    assert.equal("plain", step(surface, 3, 1, 3, 2))
    assert.equal("water", surface.graph:node_tag(place(surface, 3, 1)))
    assert.is_nil(world(pond).graph:path(1, 4))
    assert.is_nil(place(world(pond), 3, 3))
  end)

  it("cut no corners on diagonals", function()
    local function diagonal(block, policy)
      local surface = new { height = 1, diagonals = policy }
      surface:load(0, 0, 0, 2, 2, 2, { 1, 1, 0, block, 1, 1, 0, 0 })
      return step(surface, 0, 1, 1, 1, 0, 1) ~= nil
    end
    assert.is_true(diagonal(0))
    assert.is_false(diagonal(1))
    assert.is_true(diagonal(1, "one_open"))
    assert.is_true(diagonal(1, "always"))
    assert.is_false(diagonal(0, "never"))
  end)

  it("jump over gaps, also to lower places", function()
    local gap = [[
      ........
      ........
      ........
      ##..##..
      ##..##..
      ##..####]]
    local surface = world(gap, { jump = 2 })
    assert.same({ "jump", 3 }, { step(surface, 1, 3, 4, 3) })
    assert.same({ "jump", 3 }, { step(surface, 4, 3, 1, 3) })
    assert.is_nil(step(world(gap, { jump = 1 }), 1, 3, 4, 3))
    assert.is_nil(step(world(gap, { jump = 2, height = 3 }), 1, 3, 4, 3)) -- there is no room above the head
    local lower = world([[
      ......
      ......
      ......
      #.....
      #..###
      #..###]], { jump = 2 })
    assert.equal("jump", step(lower, 0, 3, 3, 2))
    assert.is_nil(step(lower, 3, 2, 0, 3))
  end)
end)

describe("tags and costs of a surface", function()
  it("are those of the feet, or of the ground", function()
    local surface = world [[
      ......
      ......
      ..w.D.
      ##m#m#]]
    local graph = surface.graph
    assert.same({ "plain", 3 }, { step(surface, 1, 1, 2, 1) }) -- the web counts, not the mud
    assert.same({ "plain", 1 }, { step(surface, 2, 1, 3, 1) })
    assert.equal("web", graph:node_tag(place(surface, 2, 1)))
    assert.equal("door", graph:node_tag(place(surface, 4, 1)))
    assert.is_nil(graph:path(place(surface, 0, 1), place(surface, 5, 1), { costs = wend.costs { door = false } }))
    surface:changed(2, 1, 0, 0)
    assert.same({ "plain", 2 }, { step(surface, 1, 1, 2, 1) })
    assert.equal("mud", graph:node_tag(place(surface, 2, 1)))
  end)
end)

describe("boxes of a surface", function()
  local ground = { 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0 }

  it("are joined, and parted again", function()
    local surface = new():load(0, 0, 0, 4, 3, 1, ground)
    local graph = surface.graph
    assert.is_nil(place(surface, 4, 1))
    surface:load(4, 0, 0, 4, 3, 1, ground)
    local path = graph:path(place(surface, 0, 1), place(surface, 7, 1))
    local near = graph:path(place(surface, 0, 1), place(surface, 3, 1))
    assert.equal(7, path.cost)
    surface:unload(4, 0, 0, 4, 3, 1)
    assert.is_false(path:valid())
    assert.is_true(near:valid())
    assert.equal(4, graph:node_count())
    surface:unload(-50, -50, -50, 100, 100, 100)
    assert.same({ 0, 0 }, { graph:node_count(), graph:edge_count() })
  end)

  it("are edited only where they differ", function()
    local surface = new():load(0, 0, 0, 4, 3, 1, ground)
    local field = surface.graph:field(1)
    local watch = wend.watch(surface.graph)
    local path = surface.graph:path(1, 2)
    watch:add(path)
    surface:load(0, 0, 0, 4, 3, 1, ("\1\1\1\1"):rep(1) .. ("\0"):rep(8))
    surface:load(0, 0, 0, 4, 3, 1, ("\1\0"):rep(4) .. ("\0"):rep(16))
    assert.is_true(field:valid() and path:valid())
    surface:load(0, 0, 0, 4, 3, 1, { 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0 })
    assert.is_true(path:valid())
    assert.is_false(field:valid())
    assert.equal(0, #watch:affected())
    surface:changed(0, 1, 0, 1)
    assert.equal(1, #watch:affected())
  end)

  it("are read from a pointer of LuaJIT", function()
    local has_ffi, ffi = pcall(require, "ffi")
    if not has_ffi then return pending "no ffi" end
    local ids, w, h = ids_of [[
      ...
      ...
      #m#]]
    local wanted = new():load(0, 0, 0, w, h, 1, ids).graph:encode()
    for size, type in pairs { "uint8_t[9]", "uint16_t[9]" } do
      local data = ffi.new(type, ids)
      local surface = new():load(0, 0, 0, w, h, 1, data, 9 * size)
      assert.equal(wanted, surface.graph:encode())
      assert.equal(wanted, surface:load(0, 0, 0, w, h, 1, ffi.cast("void *", data), 9 * size).graph:encode())
      helper.raises("ids must have one or two bytes for each of the 9 blocks, got 0 bytes", surface.load, surface,
        0, 0, 0, w, h, 1, data)
      helper.raises("ids must have one or two bytes for each of the 9 blocks, got 10 bytes", surface.load, surface,
        0, 0, 0, w, h, 1, data, 10)
    end
  end)

  it("lie in the world as `up` and `centred` say", function()
    local surface = new { up = "z", centred = true }
    surface:load(-3, 5, -20, 1, 1, 3, "\1\0\0")
    assert.same({ -3, 5, -19.5 }, { surface.graph:position(1) })
    assert.same({ 1 }, { surface:at(-3.4, 5.4, -19.5) })
    assert.same({ 1 }, { surface:at(-3, 5, 45) })
    assert.is_nil(surface:at(-3, 5, 46))
    assert.is_nil(surface:at(-3.6, 5, -19))
    assert.is_nil(surface:at { 1e150, 0, 0 })
    surface = new():load(-3, -20, 5, 1, 3, 1, "\1\0\0")
    assert.same({ -2.5, -19, 5.5 }, { surface.graph:position(1) })
  end)
end)

describe("the graph of a surface", function()
  local surface, graph

  before_each(function()
    surface = world [[
      ......
      ......
      ......
      ##m###]]
    graph = surface.graph
  end)

  it("cannot be edited by scripts", function()
    local message = "the graph belongs to a surface: change its blocks (surface:changed)"
    for _, call in ipairs { { "close", 1 }, { "open", 1 }, { "add_node", 0, 0, 0 }, { "remove_node", 1 },
      { "set_weight", 1, 2 }, { "set_node_tag", 1, "x" }, { "move", 1, 0, 0, 0 }, { "link" },
      { "add_nodes", { 1, 1, 1 } },
      { "set_name", 1, "x" }, { "remove_edge", 1 }, { "add_edges", { 1, 2 } } } do
      helper.raises(message, graph[call[1]], graph, call[2], call[3], call[4], call[5])
    end
    assert.is_nil(graph:overlay():close(3):path(1, 6))
    assert.equal(5, graph:copy():remove_node(1):node_count())
  end)

  it("is prepared, saved, and stays as it is when the surface is freed", function()
    graph:prepare()
    assert.equal(5 + 1, graph:path(1, 6).cost)
    surface:changed(2, 1, 0, 1)
    assert.equal(3 + 2 * 2 ^ 0.5, graph:path(1, 6).cost)
    graph:unprepare()
    local copy = wend.decode(graph:encode())
    assert.equal(graph:path(1, 6).cost, copy:close(1):path(1, 6).cost)
    surface:free()
    helper.raises("the surface is gone", surface.changed, surface, 0, 0, 0, 1)
    helper.raises("the surface is gone", tostring, surface)
    assert.equal(graph, surface.graph)
    helper.raises("the graph belongs to a surface: change its blocks (surface:changed)", graph.close, graph, 1)
    assert.equal(6, graph:node_count())
    surface:free()
  end)

  it("stays as it was for a search in slices, and cannot change in callbacks", function()
    local function finish(search)
      repeat local state = search:step(1) until state ~= "running"
      return search:result()
    end
    local one, other = graph:search(1, 6), graph:search(1, 4)
    one:step(2)
    other:step(2)
    surface:changed(2, 0, 0, 1)
    assert.equal(6, finish(one).cost)
    surface:unload(3, 0, 0, 9, 9, 9)
    helper.fails("the goal was removed since the search began", "stale", finish, other)
    local function try(method, ...)
      local arguments = { ... }
      graph:path(1, 3, { cost = function(_, cost)
        helper.raises("the graph is being searched: change it when the search is over", surface[method], surface,
          (table.unpack or unpack)(arguments)) -- luacheck: ignore 143
        return cost
      end })
    end
    try("changed", 0, 0, 0, 1)
    try("load", 0, 0, 0, 1, 1, 1, { 1 })
    try("unload", 0, 0, 0, 1, 1, 1)
  end)

  it("carries followers #move", function()
    local follower = wend.follow(graph:path(1, 6), { speed = 1 })
    for _ = 1, 200 do follower:update(0.05) end
    assert.same({ 5.5, 1, 0.5 }, { follower.x, follower.y, follower.z })
  end)
end)

describe("invalid input of surfaces", function()
  it("raises and changes nothing", function()
    local surface = world [[
      ...
      ...
      ###]]
    local before = surface.graph:encode()
    local function load(...) return surface.load, surface, 0, 0, 0, ... end
    helper.raises("ids must hold one id for each of the 4 blocks, got 3", load(2, 2, 1, { 1, 1, 1 }))
    helper.raises("ids must hold one id for each of the 4 blocks, got 5", load(2, 2, 1, { 1, 1, 1, 1, 1 }))
    helper.raises("ids must have one or two bytes for each of the 4 blocks, got 5 bytes", load(2, 2, 1, "abcde"))
    helper.raises("ids[2]: its block id has no class", load(2, 1, 1, { 1, 77 }))
    helper.raises("ids[2] must be a block id: a whole number in 0 .. 65535, got 1.5", load(2, 1, 1, { 1, 1.5 }))
    helper.raises("ids[1] must be a block id: a whole number in 0 .. 65535, got nan", load(1, 1, 1, { 0 / 0 }))
    helper.raises("ids[1] must be a block id: a whole number in 0 .. 65535, got '1'", load(1, 1, 1, { "1" }))
    helper.raises("ids must be a list, a string, a Data of LÖVE, or a pointer with its length in bytes, got nil",
      load(1, 1, 1))
    helper.raises("length must be a whole number of bytes, got -1", load(1, 1, 1, { 1 }, -1))
    helper.raises("w must be a number in 1 .. 200000001, got 0", load(0, 1, 1, {}))
    helper.raises("a box must have at most 67108864 blocks", load(1e4, 1e4, 1e4, ""))
    helper.raises("w must be a whole number, got 1.5", load(1.5, 1, 1, {}))
    helper.raises("y must be a number in -100000000 .. 100000000, got nan", surface.load, surface, 0, 0 / 0, 0,
      1, 1, 1, {})
    helper.raises("the blocks must be in -100000000 .. 100000000, and upwards in -500000 .. 500000",
      surface.load, surface, 0, 500001, 0, 1, 1, 1, { 1 })
    helper.raises("the blocks must be in -100000000 .. 100000000, and upwards in -500000 .. 500000",
      surface.unload, surface, 1e8, 0, 0, 2, 1, 1)
    helper.raises("block (3, 0, 0) is not loaded", surface.changed, surface, 3, 0, 0, 1)
    helper.raises("block (0, 900000, 0) is not loaded", surface.changed, surface, 0, 900000, 0, 1)
    helper.raises("block id 9 has no class", surface.changed, surface, 0, 0, 0, 9)
    helper.raises("id must be a number in 0 .. 65535, got -1", surface.changed, surface, 0, 0, 0, -1)
    helper.raises("x must be a finite number (up to 1e150), got nan", surface.at, surface, 0 / 0, 0, 0)
    assert.equal(before, surface.graph:encode())
    surface:load(1e8, 5e5, 1e8, 1, 1, 1, { 1 }):load(-1e8, -5e5, -1e8, 1, 1, 1, { 1 })
    surface:unload(-1e8, -5e5, -1e8, 2e8 + 1, 1e6 + 1, 2e8 + 1)
    assert.equal(0, surface.graph:node_count())
  end)

  it("raises for wrong options", function()
    helper.raises("classes must be a table of kinds by block id, got nil", wend.surface)
    helper.raises("height must be a number in 1 .. 8, got 9", wend.surface, { classes = {}, height = 9 })
    helper.raises("step must be a whole number, got 0.5", wend.surface, { classes = {}, step = 0.5 })
    helper.raises("a block id of classes must be a whole number in 0 .. 65535, got 'stone'", wend.surface,
      { classes = { stone = "solid" } })
    helper.raises("classes[1] must be one of: solid, air, water, ladder, door, got 'lava'", wend.surface,
      { classes = { "lava" } })
    helper.raises("cost must be a number in 1e-06 .. 1000000, got 0", wend.surface,
      { classes = { { kind = "solid", cost = 0 } } })
    helper.raises("unknown option 'name' (expected one of: kind, tag, cost)", wend.surface,
      { classes = { { kind = "solid", name = "x" } } })
    local many = {}
    for i = 1, 256 do many[i] = { kind = "solid", cost = i } end
    helper.raises("classes must have at most 255 different kinds, tags and costs", wend.surface, { classes = many })
    many[256] = nil
    assert.equal("surface", wend.type(wend.surface { classes = many }))
  end)

  it("reads classes without their metamethods, and once", function()
    local classes = setmetatable({ [0] = "air", "solid" }, { __index = error, __pairs = error, __len = error })
    local surface = wend.surface { classes = classes, height = 1 }
    classes[2] = "solid"
    helper.raises("ids[1]: its block id has no class", surface.load, surface, 0, 0, 0, 1, 1, 1, { 2 })
    classes[2] = setmetatable({}, { __index = function() classes[1] = nil end })
    helper.raises("classes[2] must be one of: solid, air, water, ladder, door, got nil", wend.surface,
      { classes = classes })
    assert.equal("solid", classes[1])
  end)

  it("reads ids before it looks whether the surface is there", function()
    local surface = new()
    surface:free()
    helper.raises("the surface is gone", surface.load, surface, 0, 0, 0, 1, 1, 1, { 1 })
    helper.raises("self must be a surface (call it with a colon: surface:method()), got 1", surface.load, 1)
  end)
end)
