-- SPDX-License-Identifier: MIT
local damage = require "spec.support.damage"
local helper = require "spec.support.helper"
local wend = require "wend"

local FORD = "examples/tiled/ford.lua" -- exported by Tiled 1.8.2 from the ford.tmx beside it

-- A map of 3 x 2 tiles of 10 pixels; layers and what else differs are given.
local function map_of(layers, others)
  local map = {
    version = "1.10", luaversion = "5.1", orientation = "orthogonal", width = 3, height = 2, tilewidth = 10,
    tileheight = 10, properties = {}, layers = layers,
    tilesets = {
      { name = "tiles", firstgid = 1, image = "tiles.png", tilecount = 9, tiles = {
        { id = 1, type = "road" },
        { id = 2, properties = { tag = "fen", weight = 3 } },
        { id = 3, properties = { closed = true } },
        { id = 4, class = "gate", properties = { closed = true } },
        { id = 5, properties = { weight = 0 } },
        { id = 6, type = "road", properties = { tag = "bridge" } },
        { id = 7, properties = { closed = false } },
      } },
    },
  }
  for key, value in pairs(others or {}) do map[key] = value end
  return map
end

local function tiles(name, data, properties, others)
  local layer = { type = "tilelayer", name = name, width = 3, height = 2, encoding = "lua", data = data,
    properties = properties or {} }
  for key, value in pairs(others or {}) do layer[key] = value end
  return layer
end

local function objects(name, list, class, properties)
  for i, object in ipairs(list) do object.id = object.id or i end
  return { type = "objectgroup", name = name, class = class, objects = list, properties = properties or {} }
end

local function point(name, x, y, class, properties)
  return { name = name, type = class or "", shape = "point", x = x, y = y, width = 0, height = 0, rotation = 0,
    properties = properties or {} }
end

local function box(shape, x, y, width, height, others)
  local object = { name = "", type = "", shape = shape, x = x, y = y, width = width, height = height, properties = {} }
  for key, value in pairs(others or {}) do object[key] = value end
  return object
end

local function line(shape, x, y, points, others)
  local object = box(shape, x, y, 0, 0, others)
  object[shape] = {}
  for i = 1, #points, 2 do object[shape][(i + 1) / 2] = { x = points[i], y = points[i + 1] } end
  return object
end

--- Weight and tag of all cells, row by row: "1", "road", "3 fen", "#", "# gate".
local function cells(grid)
  local list = {}
  for y = 1, grid:height() do
    for x = 1, grid:width() do
      local weight, tag = grid:get(x, y)
      weight = weight and ("%g"):format(weight) or "#"
      list[#list + 1] = not tag and weight or weight == "1" and tag or weight .. " " .. tag
    end
  end
  return table.concat(list, ", ")
end

local ORIENTATION = "orientation must be 'orthogonal', 'isometric', 'staggered' or 'hexagonal', got "

local function ones(count)
  local list = {}
  for i = 1, count do list[i] = 1 end
  return list
end

local function walls_of(map)
  local list = {}
  for kind, numbers in map.walls:each() do
    for i, value in ipairs(numbers) do numbers[i] = ("%.14g"):format(value) end
    list[#list + 1] = kind .. " " .. table.concat(numbers, " ")
  end
  return list
end

local function edges_of(map)
  local list = {}
  for e = 1, map.graph:edge_count() do
    local edge = map.graph:edge(e)
    list[e] = ("%d %s %d: %g %s%s"):format(edge.from, edge.directed and ">" or "-", edge.to, edge.weight,
      edge.tag or "", edge.closed and " closed" or "")
  end
  return list
end

local function load_text(text)
  return assert((loadstring or load)(text))()
end

--- Asserts that a map of this kind is refused, and where it says why.
local function refuses(expected, map)
  helper.fails(expected, "format", wend.read_tiled, map)
end

after_each(helper.clean)

describe("wend.read_tiled", function()
  describe("of a level exported by Tiled", function()
    local map
    before_each(function() map = assert(wend.read_tiled(FORD)) end)

    it("has the size of the map, and a grid for each layer of tiles and for all", function()
      assert.same({ 24, 11, 16 }, { map.width, map.height, map.cell })
      assert.equal(2, #map.grids)
      assert.equal(map.grids[1], map.grids.ground)
      assert.equal(map.grids[2], map.grids.above)
      for _, grid in ipairs { map.grid, map.grids.ground, map.grids.above } do
        assert.same({ 24, 11 }, { grid:width(), grid:height() })
      end
    end)

    it("takes tags, weights and what is closed from the tiles", function()
      assert.same({ 1, "road" }, { map.grids.ground:get(5, 3) })
      assert.same({ false, "water" }, { map.grids.ground:get(11, 3) })
      assert.same({ 2, "fen" }, { map.grids.ground:get(8, 5) })
      assert.same({ false }, { map.grids.ground:get(5, 1) })
      assert.same({ 1 }, { map.grids.ground:get(1, 1) })
    end)

    it("lays the upper layer over the ground, where it says something", function()
      assert.same({ 1, "road" }, { map.grid:get(11, 3) })                    -- the bridge
      assert.same({ false, "water" }, { map.grid:get(11, 2) })
      assert.same({ 2, "fen" }, { map.grid:get(10, 8) })                     -- flowers
    end)

    it("has its crossings on the upper layer: the ground alone is cut in two", function()
      assert.is_true(map.grid:check().connected)
      assert.is_false(map.grids.ground:check().connected)
      assert.is_nil((map.grids.ground:path(2, 7, 23, 11)))
    end)

    it("measures in pixels", function()
      assert.same({ 2, 7 }, { map.grid:cell_at(map.names.mill.x, map.names.mill.y) })
      local points = map.grid:path(1, 1, 2, 1):points()
      assert.same({ 8, 8, 24, 8 }, points)
    end)

    it("makes objects of class node, or with that property, nodes of a graph", function()
      local names = {}
      for node in map.graph:nodes() do names[node] = map.graph:name(node) end
      assert.same({ "mill", "crossroads", "bridge", "ford", "tower" }, names)
      assert.same({ 192, 40 }, { map.graph:position "bridge" })
      local radii = { n = 3, map.graph:radius "mill", map.graph:radius "ford", map.graph:radius "tower" }
      assert.same({ n = 3, 6, 8, nil }, radii)
    end)

    it("makes the lines of a layer of edges edges, as long as they are drawn", function()
      assert.equal(5, map.graph:edge_count())
      assert.same({ from = 1, to = 2, weight = 48, length = 48, tag = "road", directed = false, closed = false },
        map.graph:edge(1))
      assert.equal(184, map.graph:edge(2).weight)
      assert.equal("ford", map.graph:edge(5).tag)
    end)

    it("makes the objects of a layer of walls walls", function()
      assert.equal(6, map.walls:count())
      assert.same({ "polygon 272 148 320 148 320 156 272 156", "circle 32 144 16",
        "polygon 280 0 320 0 320 8 288 12" }, { walls_of(map)[1], walls_of(map)[2], walls_of(map)[3] })
      assert.same({ "segment 128 76 144 92", "segment 144 92 176 92" }, { walls_of(map)[5], walls_of(map)[6] })
    end)

    it("knows where everything is that has a name", function()
      assert.same({ x = 200, y = 120 }, map.names.heron)
      assert.same({ x = 192, y = 40 }, map.names.bridge)
      local count = 0
      for _ in pairs(map.names) do count = count + 1 end
      assert.equal(7, count)
    end)

    it("is the same from the table that the file returns", function()
      local other = assert(wend.read_tiled(load_text(helper.read(FORD))))
      assert.equal(map.grid:text(), other.grid:text())
      assert.same(edges_of(map), edges_of(other))
      assert.same(walls_of(map), walls_of(other))
      assert.same(map.names, other.names)
    end)
  end)

  describe("of layers of tiles", function()
    it("takes a property before a class, and the class for a tag", function()
      local map = assert(wend.read_tiled(map_of { tiles("ground", { 1, 2, 3, 4, 5, 6 }) }))
      assert.equal("1, road, 3 fen, #, # gate, 0", cells(map.grids.ground))
      map = assert(wend.read_tiled(map_of { tiles("ground", { 7, 8, 9, 0, 0, 0 }) }))
      assert.equal("bridge, 1, 1, 1, 1, 1", cells(map.grid))
    end)

    it("takes what a tile does not say from its layer", function()
      local map = assert(wend.read_tiled(map_of { tiles("ground", { 1, 2, 3, 6, 0, 1 }, { tag = "grass",
        weight = 2 }) }))
      assert.equal("2 grass, 2 road, 3 fen, 0 grass, 1, 2 grass", cells(map.grid))
      map = assert(wend.read_tiled(map_of { tiles("houses", { 1, 8, 0, 2, 1, 1 }, { closed = true }) }))
      assert.equal("#, 1, 1, # road, #, #", cells(map.grid))
    end)

    it("takes cells without a tile for open, or closed where the layer says so", function()
      local map = assert(wend.read_tiled(map_of { tiles("ground", { 0, 1, 2, 0, 0, 0 }, { empty = "closed" }) }))
      assert.equal("#, 1, road, #, #, #", cells(map.grids.ground))
      assert.equal("#, 1, road, #, #, #", cells(map.grid))
      map = assert(wend.read_tiled(map_of { tiles("ground", { 0, 1, 2, 0, 0, 0 }, { empty = "open" }) }))
      assert.equal("1, 1, road, 1, 1, 1", cells(map.grid))
    end)

    it("keeps the weight and the tag of a closed tile, for the day when its cell is opened", function()
      local map = assert(wend.read_tiled(map_of {
        tiles("ground", { 5, 4, 1, 1, 1, 1 }, { weight = 3 }), tiles("above", { 0, 0, 5, 4, 2, 0 }) }))
      assert.equal("# gate, #, # gate, #, road, 3", cells(map.grid))
      map.grid:open(1, 1, 3, 2)
      assert.equal("3 gate, 3, gate, 1, road, 3", cells(map.grid))
    end)

    it("lays one over the other, as far as the upper says something", function()
      local map = assert(wend.read_tiled(map_of {
        tiles("ground", { 2, 2, 2, 4, 4, 1 }, { empty = "closed" }),
        tiles("above", { 0, 1, 3, 8, 0, 4 }, { empty = "closed" }),
      }))
      assert.equal("road, road, road, #, #, 1", cells(map.grids.ground))
      assert.equal("#, 1, 3 fen, 1, #, #", cells(map.grids.above))
      assert.equal("road, road, 3 fen, 1, #, #", cells(map.grid))
    end)

    it("does not mind how a tile is turned", function()
      local map = assert(wend.read_tiled(map_of {
        tiles("ground", { 2147483650, 1073741826, 536870914, 268435458, 4026531842, 3221225474 }) }))
      assert.equal("road, road, road, road, road, road", cells(map.grid))
    end)

    it("takes a tile beyond the end of its tileset for a tile without properties", function()
      local map = assert(wend.read_tiled(map_of { tiles("ground", { 4, 10, 2, 2147483658, 0, 99 }, { weight = 2 }) }))
      assert.equal("#, 2, 2 road, 2, 1, 2", cells(map.grid))
      assert.same({ id = 9, tileset = "tiles", properties = {}, shapes = {} }, wend.tile_at(map, 2, 1))
    end)

    it("reads base64", function()
      local data = "AQAAAAIAAAADAAAABAAAAAUAAAAGAACA"
      local layer = tiles("ground", data, {}, { encoding = "base64" })
      assert.equal("1, road, 3 fen, #, # gate, 0", cells(assert(wend.read_tiled(map_of { layer })).grid))
      layer.data = " AQAAAAIAAAAD\nAAAABAAAAAUAAAAGAACA=="
      refuses("layer 'ground': data must be 24 bytes, got 23", map_of { tiles("ground", data:sub(1, -2) .. "=", {},
        { encoding = "base64" }) })
      assert.equal("1, road, 3 fen, #, # gate, 0", cells(assert(wend.read_tiled(map_of { layer })).grid))
    end)

    it("finds the tile among several tilesets, in any order", function()
      local map = map_of { tiles("ground", { 2, 12, 30, 1, 10, 11 }) }
      map.tilesets[2] = { name = "pictures", firstgid = 20, columns = 0, tilecount = 2,
        tiles = { { id = 10, image = "a.png", type = "tower" } } }
      map.tilesets[3] = { name = "more", firstgid = 10, image = "x.png", tilecount = 3, tiles = { { id = 2,
        type = "mud" } } }
      assert.equal("road, mud, tower, 1, 1, 1", cells(assert(wend.read_tiled(map)).grid))
    end)

    it("reads infinite maps: all grids have the cells that the chunks cover together", function()
      local map = map_of({
        tiles("ground", nil, {}, { chunks = {
          { x = -2, y = -1, width = 2, height = 1, data = { 2, 3 } }, { x = 0, y = 0, width = 1, height = 1,
            data = { 4 } },
        } }),
        tiles("above", nil, {}, { chunks = { { x = 1, y = 0, width = 1, height = 2, data = { 2, 0 } } } }),
        tiles("nothing", nil, {}, { chunks = {} }),
      })
      map = assert(wend.read_tiled(map))
      assert.same({ 4, 3 }, { map.width, map.height })
      assert.equal("road, 3 fen, #, #, #, #, #, #, #, #, #, #", cells(map.grids.ground))
      assert.equal("#, #, #, #, #, #, #, road, #, #, #, 1", cells(map.grids.above))
      assert.equal("#, #, #, #, #, #, #, #, #, #, #, #", cells(map.grids.nothing))
      assert.equal("road, 3 fen, #, #, #, #, #, road, #, #, #, 1", cells(map.grid))
      assert.same({ 1, 1 }, { map.grid:cell_at(-15, -5) })
      assert.same({ 3, 2 }, { map.grids.nothing:cell_at(0, 0) })
    end)

    it("gives an infinite map without a chunk its size", function()
      local map = assert(wend.read_tiled(map_of { tiles("ground", nil, {}, { chunks = {} }) }))
      assert.same({ 3, 2, "#, #, #, #, #, #" }, { map.width, map.height, cells(map.grid) })
    end)

    it("closes the gaps between the chunks of an infinite map, unless the layer says that they are open", function()
      local function read(ground, above)
        return cells(assert(wend.read_tiled(map_of {
          tiles("ground", nil, ground, { chunks = {
            { x = 0, y = 0, width = 2, height = 1, data = { 1, 0 } },
            { x = 3, y = 0, width = 1, height = 1, data = { 2 } },
          } }),
          tiles("above", nil, above, { chunks = { { x = 4, y = 0, width = 2, height = 1, data = { 0, 2 } } } }),
        })).grid)
      end
      assert.equal("1, 1, #, road, 1, road", read {})            -- cell 5 is in a chunk of the layer above
      assert.equal("1, 1, 1, road, 1, road", read { empty = "open" })
      assert.equal("1, #, #, road, #, road", read { empty = "closed" })
      assert.equal("1, 1, #, road, 1, road", read({}, { empty = "open" }))   -- the lowest layer says it
    end)

    it("puts a layer where it is shifted to, and its groups", function()
      local map = assert(wend.read_tiled(map_of {
        tiles("ground", { 1, 1, 1, 1, 1, 1 }),
        { type = "group", name = "up", offsetx = 6, layers = {
          tiles("above", { 2, 0, 0, 0, 0, 3 }, {}, { offsetx = 8, offsety = -10 }) } },
      }))
      assert.same({ 1, 1 }, { map.grids.above:cell_at(14, -10) })
      assert.equal("1, 1, 1, 1, 1, 1", cells(assert(wend.read_tiled(map_of { tiles("ground", { 1, 1, 1, 1, 1,
        1 }) })).grid))
      assert.equal("road, 1, 1, 1, 1, 3 fen", cells(map.grids.above))
      assert.equal("1, 1, 1, 1, 1, 1", cells(map.grid))
      assert.same({ 1, 1 }, { map.grid:cell_at(0, 0) })
    end)

    it("lists layers of the same name in order, and names the first", function()
      local map = assert(wend.read_tiled(map_of { tiles("a", { 1, 1, 1, 1, 1, 1 }), tiles("a", { 2, 2, 2, 2, 2, 2 }),
        tiles("", { 3, 3, 3, 3, 3, 3 }), { type = "imagelayer", name = "sky", image = "sky.png" } }))
      assert.equal(3, #map.grids)
      assert.equal(map.grids[1], map.grids.a)
      assert.is_nil(map.grids[""])
      assert.is_nil(map.grids.sky)
    end)

    it("hands the options of grids on", function()
      local map = map_of { tiles("ground", { 1, 1, 1, 1, 1, 1 }) }
      assert.equal(3, #assert(wend.read_tiled(map)).grid:path(1, 1, 3, 2) / 2)
      assert.equal(4, #assert(wend.read_tiled(map, { diagonals = "never" })).grid:path(1, 1, 3, 2) / 2)
      assert.equal(2, assert(wend.read_tiled(map, { diagonal_length = 1 })).grid:path(1, 1, 3, 2).cost)
    end)

    it("makes neither grids, graph nor walls where there is nothing for them", function()
      local map = assert(wend.read_tiled(map_of {}))
      assert.same({ width = 3, height = 2, cell = 10, grids = {}, names = {}, hints = {}, data = { tiled = {
        orientation = "orthogonal", column = 0, row = 0, columns = 3, rows = 2 } } }, map)
    end)
  end)

  describe("of objects", function()
    it("names where they are: the middle of a box, the position of a line", function()
      local map = assert(wend.read_tiled(map_of { objects("places", {
        point("spawn", 5, 6), box("rectangle", 10, 20, 4, 8, { name = "door" }),
        box("ellipse", 10, 20, 4, 8, { name = "pond", rotation = 90 }), line("polyline", 1, 2, { 0, 0, 9, 9 },
          { name = "way" }),
        box("text", 0, 0, 8, 4, { name = "sign", text = "beware" }), point("spawn", 7, 8),
        box("capsule", 0, 0, 2, 2, { name = "new" }), box(nil, 1, 1, 0, 0, { name = "none" }),
      }) }))
      assert.same({ spawn = { x = 5, y = 6 }, door = { x = 12, y = 24 }, pond = { x = 6, y = 22 }, way = { x = 1,
        y = 2 },
        sign = { x = 4, y = 2 }, new = { x = 1, y = 1 }, none = { x = 1, y = 1 } }, map.names)
      assert.same({ "nil", "nil" }, { type(map.graph), type(map.walls) })
    end)

    it("knows that the position of a tile is below it, or where its tileset says", function()
      local map = map_of { objects("things", {
        box("rectangle", 10, 20, 4, 8, { name = "tree", gid = 2 }),
        box("rectangle", 10, 20, 4, 8, { name = "turned", gid = 2147483650, rotation = 90 }),
        box("rectangle", 10, 20, 4, 8, { name = "star", gid = 20 }),
      }) }
      map.tilesets[2] = { name = "stars", firstgid = 20, objectalignment = "center", tiles = {} }
      assert.same({ tree = { x = 12, y = 16 }, turned = { x = 14, y = 22 }, star = { x = 10, y = 20 } },
        assert(wend.read_tiled(map)).names)
    end)

    it("takes them for nodes by class, by property or by layer", function()
      local map = assert(wend.read_tiled(map_of {
        objects("mixed", { point("a", 1, 1, "node"), point("b", 2, 2, "", { node = true }), point("c", 3, 3) }),
        objects("nodes", { point("d", 4, 4), point("", 5, 5, "inn"), box("text", 6, 6, 1, 1), line("polyline", 0, 0,
          { 0, 0, 1, 1 }) }, "nodes"),
        objects("by property", { point("e", 7, 7), { shape = "point", x = 8, y = 8, class = "node" } }, nil,
          { class = "nodes" }),
      }))
      local names = {}
      for node in map.graph:nodes() do names[#names + 1] = map.graph:name(node) or "-" end
      assert.equal("a b d - e -", table.concat(names, " "))
      assert.same({ 2, 2 }, { map.graph:position "b" })
    end)

    it("gives a name to the first of the nodes that have it", function()
      local map = assert(wend.read_tiled(map_of { objects("nodes", {
        point("a", 0, 0), point("a", 50, 0), point("b", 90, 0) }, "nodes") }))
      assert.same({ "a", nil, "b" }, { map.graph:name(1), map.graph:name(2), map.graph:name(3) })
      assert.same({ 0, 0 }, { map.graph:position "a" })
    end)

    it("lets an object that is a tile inherit the class and the properties of the tile; own ones win", function()
      local map = map_of { objects("things", {
        box("rectangle", 0, 10, 10, 10, { gid = 21 }), box("rectangle", 20, 10, 10, 10, { gid = 2147483669 }),
        box("rectangle", 40, 10, 10, 10, { gid = 21, type = "decoration" }),
        box("rectangle", 60, 10, 10, 10, { name = "shrine", gid = 22 }),
        box("rectangle", 80, 10, 10, 10, { name = "camp", gid = 22, properties = { radius = 9 } }),
        box("rectangle", 99, 10, 10, 10, { name = "ruin", gid = 22, properties = { node = false } }),
        box("rectangle", 99, 10, 10, 10, { name = "beyond", gid = 99 }),
      }) }
      map.tilesets[2] = { name = "things", firstgid = 20, image = "x.png", tilecount = 3, tiles = {
        { id = 1, type = "wall" }, { id = 2, properties = { node = true, radius = 5 } } } }
      map = assert(wend.read_tiled(map))
      assert.same({ "polygon 0 0 10 0 10 10 0 10", "polygon 20 0 30 0 30 10 20 10" }, walls_of(map))
      assert.same({ 2, 5, 9 }, { map.graph:node_count(), map.graph:radius "shrine", map.graph:radius "camp" })
      assert.same({ x = 104, y = 5 }, map.names.beyond)
    end)

    it("gives nodes their radius", function()
      local map = assert(wend.read_tiled(map_of { objects("nodes", {
        point("a", 0, 0, nil, { radius = 2.5 }), box("ellipse", 0, 0, 8, 4, { name = "b" }), box("rectangle", 0, 0, 8,
          4,
          { name = "c" }), box("ellipse", 0, 0, 8, 4, { name = "d", properties = { radius = 9 } }) }, "nodes") }))
      local radii = {}
      for node in map.graph:nodes() do radii[node] = map.graph:radius(node) end
      assert.same({ 2.5, 2, nil, 9 }, radii)
    end)

    it("joins the nodes nearest to the ends of an edge, wherever the layers are", function()
      local map = assert(wend.read_tiled(map_of {
        objects("roads", {
          line("polyline", 1, 1, { 0, 0, 98, 0 }, { type = "edge" }),
          line("polyline", 101, 1, { 0, 0, 0, 99 }, { type = "edge", properties = { tag = "lane", weight = 7,
            directed = true } }),
          line("polyline", 0, 0, { 0, 0, 50, 50, 100, 100 }, { properties = { edge = true, closed = true } }),
          line("polyline", 0, 0, { 0, 0, 50, 50, 100, 100 }, { name = "no edge" }),
        }),
        objects("nodes", { point("a", 0, 0), point("b", 100, 0), point("c", 100, 100) }, "nodes"),
      }))
      assert.same({ "1 - 2: 100 ", "2 > 3: 7 lane", "1 - 3: 141.421  closed" }, edges_of(map))
      map.graph:move("b", 50, 0)
      assert.equal(50, map.graph:edge(1).weight)
    end)

    it("gives a bent edge the length that is drawn", function()
      local map = assert(wend.read_tiled(map_of {
        objects("nodes", { point("a", 0, 0), point("b", 60, 0) }, "nodes"),
        objects("edges", { line("polyline", 0, 1, { 0, -1, 30, 39, 61, 0 }) }, "edges"),
      }))
      assert.same({ "1 - 2: 100 " }, edges_of(map))
    end)

    it("takes what an edge does not say from its layer, and its class for a tag", function()
      local map = assert(wend.read_tiled(map_of {
        objects("nodes", { point("a", 0, 0), point("b", 60, 0) }, "nodes"),
        objects("edges", { line("polyline", 0, 0, { 0, 0, 60, 0 }), line("polyline", 0, 0, { 0, 0, 60, 0 },
          { type = "rope", properties = { directed = false, weight = 1 } }) }, "edges",
          { tag = "road", weight = 5, directed = true }),
      }))
      assert.same({ "1 > 2: 5 road", "1 - 2: 1 rope" }, edges_of(map))
    end)

    it("makes walls of boxes, polygons, lines and ellipses", function()
      local map = assert(wend.read_tiled(map_of {
        objects("mixed", { box("rectangle", 1, 2, 4, 2, { type = "wall" }), box("rectangle", 9, 9, 1, 1),
          box("rectangle", 0, 0, 5, 5, { properties = { wall = true } }) }),
        objects("walls", { line("polygon", 10, 10, { 0, 0, 5, 0, 0, 5 }), line("polyline", 0, 0, { 1, 1, 2, 2, 3, 1 }),
          box("ellipse", 0, 0, 6, 6), box("rectangle", 1, 1, 0, 5), box("rectangle", 1, 1, 0, 0), box("ellipse", 1, 1,
            4, 0),
          point("", 3, 3), box("text", 0, 0, 9, 9) }, "walls"),
      }))
      assert.same({ "polygon 1 2 5 2 5 4 1 4", "polygon 0 0 5 0 5 5 0 5", "polygon 10 10 15 10 10 15",
        "segment 1 1 2 2",
        "segment 2 2 3 1", "circle 3 3 3", "segment 1 1 1 6", "segment 1 1 1 1", "segment 1 1 5 1" }, walls_of(map))
    end)

    it("turns them around their position, clockwise", function()
      local map = assert(wend.read_tiled(map_of { objects("walls", {
        box("rectangle", 10, 10, 4, 2, { rotation = 90 }), box("rectangle", 10, 10, 4, 2, { rotation = -180 }),
        box("ellipse", 0, 0, 2, 2, { rotation = 450 }), line("polyline", 0, 0, { 0, 0, 10, 0 }, { rotation = 45 }),
      }, "walls") }))
      assert.same({ "polygon 10 10 10 14 8 14 8 10", "polygon 10 10 6 10 6 8 10 8", "circle -1 1 1",
        "segment 0 0 7.0710754394531 7.0710754394531" }, walls_of(map))
    end)

    it("covers an ellipse that is not round, and hardly more", function()
      for _, rotation in ipairs { 0, 30 } do
        local walls = assert(wend.read_tiled(map_of { objects("walls", {
          box("ellipse", 50, 50, 60, 20, { rotation = rotation }) }, "walls") })).walls
        local cos, sin = math.cos(math.rad(rotation)), math.sin(math.rad(rotation))
        for step = 1, 360 do
          local x, y = 30 * math.cos(math.rad(step)), 10 * math.sin(math.rad(step))
          for share, clear in pairs { [0.999] = false, [1.02] = true } do
            local dx, dy = 30 + x * share, 10 + y * share
            dx, dy = 50 + dx * cos - dy * sin, 50 + dx * sin + dy * cos
            assert.equal(clear, walls:clear(dx, dy, dx, dy), ("%d degrees, %g"):format(step, share))
          end
        end
      end
    end)

    it("adds the shift of layers and groups", function()
      local layer = objects("walls", { box("rectangle", 0, 0, 1, 1) }, "walls")
      layer.offsetx, layer.offsety = 5, 7
      local map = assert(wend.read_tiled(map_of {
        { type = "group", name = "all", offsetx = 100, offsety = 200, layers = { layer } } }))
      assert.same({ "polygon 105 207 106 207 106 208 105 208" }, walls_of(map))
    end)
  end)

  it("raises when it is given neither a file's name nor a table", function()
    helper.raises("map must be a file's name or a table, got nil", function() wend.read_tiled() end)
    helper.raises("map must be a file's name or a table, got 7", function() wend.read_tiled(7) end)
    helper.raises("options must be a table, got 'x'", function() wend.read_tiled({}, "x") end)
    helper.raises("unknown option 'cell' (expected one of: diagonals, diagonal_length, closed, tile, project)",
      function() wend.read_tiled({}, { cell = 1 }) end)
    local ok, message = pcall(wend.read_tiled, "no such file", { diagonals = "some" })
    assert.is_false(ok)
    assert.truthy(message:find("diagonals must be", 1, true), message)
  end)

  it("blames the caller's line", function()
    local _, message = pcall(function() wend.read_tiled(7) end)
    assert.truthy(message:find("tiled_spec.lua:", 1, true), message)
  end)

  it("answers 'io' for a file that cannot be read", function()
    helper.fails("cannot read no.lua: No such file or directory", "io", wend.read_tiled, "no.lua")
    helper.fails("cannot read a file with a zero byte in its name", "io", wend.read_tiled, FORD .. "\0x")
    local result, _, code = wend.read_tiled "."
    assert.same({ "nil", "io" }, { type(result), code })
  end)
end)

describe("a Tiled map that is not as it should be", function()
  local function layer(change)
    local one = tiles("ground", { 1, 2, 3, 4, 5, 6 })
    change(one)
    return map_of { one }
  end
  local function object(one) return map_of { objects("things", { point("a", 0, 0, "node"), one }) } end

  for what, case in pairs {
    ["octagonal"] = { ORIENTATION .. "'octagonal'", map_of({}, { orientation = "octagonal" }) },
    ["hexagonal without a side"] = { "hexsidelength must be a whole number in 0 .. 10, got nil",
      map_of({}, { orientation = "hexagonal", staggeraxis = "y", staggerindex = "odd" }) },
    ["hexagonal with too long a side"] = { "hexsidelength must be a whole number in 0 .. 10, got 17",
      map_of({}, { orientation = "hexagonal", staggeraxis = "x", staggerindex = "odd", hexsidelength = 17 }) },
    ["no map"] = { ORIENTATION .. "nil", {} },
    ["staggered without an axis"] = { "staggeraxis must be 'x' or 'y', got nil",
      map_of({}, { orientation = "staggered", staggerindex = "odd" }) },
    ["staggered without an index"] = { "staggerindex must be 'odd' or 'even', got 5",
      map_of({}, { orientation = "staggered", staggeraxis = "x", staggerindex = 5 }) },
    ["staggered tiles of one pixel"] = { "tilewidth must be a whole number in 2 .. 2147483647, got 1",
      map_of({}, { orientation = "staggered", tilewidth = 1 }) },
    ["a staggered map that is too long"] = { "a staggered map of 1 x 10000 tiles is too long: 5001 x 5000 cells",
      map_of({ tiles("ground", ones(10000), {}, { width = 1, height = 10000 }) }, { orientation = "staggered",
        staggeraxis = "y", staggerindex = "odd", width = 1, height = 10000 }) },
    ["no width"] = { "width must be a whole number in 1 .. 2147483647, got 0", map_of({}, { width = 0 }) },
    ["no layers"] = { "layers must be a table, got 'x'", map_of "x" },
    ["a layer that is none"] = { "layers[1] must be a table, got 5", map_of { 5 } },
    ["an unknown kind of layer"] = {
      "layer 'x': type must be 'tilelayer', 'objectgroup', 'imagelayer' or 'group', got 'y'",
      map_of { { type = "y", name = "x" } } },
    ["a nameless layer in a group"] = {
      "layers[1], layers[2]: type must be 'tilelayer', 'objectgroup', 'imagelayer' or "
      .. "'group', got nil", map_of { { type = "group", layers = { { type = "imagelayer" }, {} } } } },
    ["a tileset in a file of its own"] = {
      "tileset 'tiles': it is in a file of its own, 'tiles.tsx': read the map from its file, or export it with "
      .. "embedded tilesets (in Tiled: Edit > Preferences > Export options > Embed tilesets)",
      map_of({}, { tilesets = { { name = "tiles", firstgid = 1, filename = "tiles.tsx" } } }) },
    ["two tilesets with the same tiles"] = { "two tilesets have the same firstgid, 1",
      map_of({}, { tilesets = { { firstgid = 1, tiles = {} }, { firstgid = 1, tiles = {} } } }) },
    ["a weight below 0"] = { "tileset 'tiles', tile 4: properties: weight must be a finite number >= 0, got -1",
      map_of({}, { tilesets = { { name = "tiles", firstgid = 1, tiles = { { id = 4,
        properties = { weight = -1 } } } } } }) },
    ["a tag that is no string"] = { "tileset 'tiles', tile 4: properties: tag must be a string, got 7",
      map_of({}, { tilesets = { { name = "tiles", firstgid = 1, tiles = { { id = 4,
        properties = { tag = 7 } } } } } }) },
    ["closed by a string"] = { "layer 'ground': properties: closed must be true or false, got 'yes'",
      layer(function(it) it.properties.closed = "yes" end) },
    ["another kind of empty"] = { "layer 'ground': properties: empty must be 'open' or 'closed', got 'lava'",
      layer(function(it) it.properties.empty = "lava" end) },
    ["tiles compressed by what is not read"] = {
      "layer 'ground': its tiles are compressed by 'zstd', expected zlib or gzip: in Tiled, set Map > Map Properties > "
      .. "Tile Layer Format, and save or export again", layer(function(it) it.encoding, it.compression = "base64",
        "zstd" end) },
    ["a damaged stream"] = { "layer 'ground': data must be a zlib stream: it is damaged after 0 bytes",
      layer(function(it) it.encoding, it.compression, it.data = "base64", "zlib", "AAAA" end) },
    ["an unknown encoding"] = { "layer 'ground': encoding must be 'csv', 'base64' or 'lua', got 'xml'",
      layer(function(it) it.encoding = "xml" end) },
    ["too few tiles"] = { "layer 'ground': data must be 6 tiles, got 5", layer(function(it) it.data[6] = nil end) },
    ["a tile that is no number"] = {
      "layer 'ground', cell (2,1): gid must be a whole number in 0 .. 4294967295, got 'x'",
      layer(function(it) it.data[2] = "x" end) },
    ["a tile before the first tileset"] = { "layer 'ground', cell (1,1): no tileset has a tile for gid 1",
      map_of({ tiles("ground", { 1, 5, 5, 5, 5, 5 }) }, { tilesets = { { firstgid = 5, tiles = {} } } }) },
    ["a layer of another size"] = { "layer 'ground': width must be 3, the width of the map, got 4",
      layer(function(it) it.width = 4 end) },
    ["what is not base64"] = { "layer 'ground': data must be base64, got a '-' in it",
      layer(function(it) it.encoding, it.data = "base64", "AAAA-" end) },
    ["what is base64 only in part"] = { "layer 'ground': data must be base64, got a '=' in it",
      layer(function(it) it.encoding, it.data = "base64", ("="):rep(1000000) .. "A" end) },
    ["less base64 than there are cells"] = { "layer 'ground': data must be 24 bytes, got 3",
      layer(function(it) it.encoding, it.data = "base64", "AAAA" end) },
    ["a size that there is no room for"] = { "layer 'ground': data must be 4611686014132420608 tiles, got 6",
      map_of({ tiles("ground", { 1, 2, 3, 4, 5, 6 }, {}, { width = 2147483647.0, height = 2147483647.0 }) },
        { width = 2147483647.0, height = 2147483647.0 }) },
    ["chunks too far apart"] = { "the chunks of the map lie too far apart: 2000000001 x 1 cells", layer(function(it)
      it.chunks = { { x = -1e9, y = 0, width = 1, height = 1, data = { 1 } }, { x = 1e9, y = 0, width = 1, height = 1,
        data = { 1 } } }
    end) },
    ["a damaged chunk"] = { "layer 'ground', chunks[1]: width must be a whole number in 1 .. 65536, got 1.5",
      layer(function(it) it.chunks = { { x = 0, y = 0, width = 1.5, height = 1, data = { 1 } } } end) },
    ["no position"] = { "layer 'things', object 2: x must be a finite number, got nil", object { shape = "point" } },
    ["a rotation that is none"] = { "layer 'things', object 2: rotation must be a finite number, got 'x'",
      object(box("rectangle", 0, 0, 1, 1, { rotation = "x" })) },
    ["a size below 0"] = { "layer 'things', object 2: width must be a finite number >= 0, got -1",
      object(box("rectangle", 0, 0, -1, 1)) },
    ["a radius below 0"] = { "layer 'things', object 2: properties: radius must be a finite number >= 0, got -2",
      object(point("b", 5, 5, "node", { radius = -2 })) },
    ["a node that is a line"] = { "layer 'things', object 2: a polyline cannot be a node",
      object(line("polyline", 0, 0, { 0, 0, 1, 1 }, { type = "node" })) },
    ["a wall that is a point"] = { "layer 'things', object 2: a point cannot be a wall", object(point("", 0, 0,
      "wall")) },
    ["an edge that is a box"] = { "layer 'things', object 2: a rectangle cannot be an edge",
      object(box("rectangle", 0, 0, 1, 1, { properties = { edge = true } })) },
    ["an edge from a node to itself"] = { "layer 'things', object 2: both its ends are nearest to the same node, 'a'",
      object(line("polyline", 0, 0, { 0, 0, 1, 1 }, { type = "edge" })) },
    ["an edge without nodes"] = { "layer 'things', object 1: there are no nodes for this edge",
      map_of { objects("things", { line("polyline", 0, 0, { 0, 0, 1, 1 }, { type = "edge" }) }) } },
    ["a polygon of two points"] = { "layer 'things', object 2: a polygon must have at least 3 points, got 2",
      object(line("polygon", 0, 0, { 0, 0, 1, 1 })) },
    ["a tile that is a polygon without points"] = { "layer 'things', object 2: polygon must be a table, got nil",
      object(box("polygon", 0, 0, 1, 1, { gid = 2, type = "wall" })) },
    ["a point that is none"] = { "layer 'things', object 2, polyline[2]: y must be a finite number, got nil",
      object(line("polyline", 0, 0, { 0, 0, 1 })) },
  } do
    it("answers 'format' and where: " .. what, function() refuses(case[1], case[2]) end)
  end

  it("is named by its file, if it is in one", function()
    local file = helper.file "return { orientation = 'octagonal' }"
    refuses(file .. ": " .. ORIENTATION .. "'octagonal'", file)
  end)

  it("may hold itself #many", function()
    local group = { type = "group", name = "g" }
    group.layers = { group, group }
    refuses("groups nested more than 100 deep", map_of { group })
    local deep = { type = "group", name = "g", layers = {} }
    for _ = 1, 30 do deep = { type = "group", name = "g", layers = { deep, deep } } end
    refuses("a map has at most 65536 layers", map_of { deep })
  end)

  it("may have too many tags #many", function()
    local list = {}
    for i = 1, 65536 do list[i] = { id = i, type = "tag " .. i } end
    local result, message, code = wend.read_tiled(map_of({}, { tilesets = { { name = "t", firstgid = 1,
      tiles = list } } }))
    assert.same({ "nil", "tileset 't', tile 65536: a map has at most 65535 tags", "format" }, { type(result), message,
      code })
  end)

  -- Each field of the real export in turn: what it becomes is refused or does not matter, and nothing raises.
  it("never raises, whatever field is what it should not be #many", function()
    local map = load_text(helper.read(FORD))
    local others = { false, "x", -1, 0.5, 1e9, 1e300, 2 ^ 53, math.huge, 0 / 0, {}, { {} } }
    local refused, tried = 0, 0
    local function try()
      local ok, result, message, code = pcall(wend.read_tiled, map)
      tried = tried + 1
      if not ok then error(result, 0) end
      if not result then
        assert.same({ "string", "format" }, { type(message), code })
        refused = refused + 1
      end
    end
    local function mutate(owner, path)
      local keys = {}
      for key in pairs(owner) do
        if type(key) ~= "number" or key <= 4 then keys[#keys + 1] = key end -- of the tiles a few will do
      end
      for _, key in ipairs(keys) do
        local value = owner[key]
        owner[key] = nil
        local where = path .. "." .. tostring(key)
        local ok, problem = pcall(try)
        assert(ok, ("%s = nil: %s"):format(where, tostring(problem)))
        for _, other in ipairs(others) do
          owner[key] = other
          ok, problem = pcall(try)
          assert(ok, ("%s = %s: %s"):format(where, tostring(other), tostring(problem)))
        end
        owner[key] = value
        if type(value) == "table" then mutate(value, where) end
      end
    end
    mutate(map, "map")
    assert.is_true(tried > 3000 and refused > tried / 3, refused .. " of " .. tried)
    assert(wend.read_tiled(map))
  end)
end)

describe("the Lua export of a Tiled map", function()
  local TEXT = 'return{version="1.5",orientation="orthogonal",width=2,height=1,tilewidth=8,tileheight=8,properties={},'
    .. 'tilesets={{name="t",firstgid=1,image="t.png",tilecount=3,'
    .. 'tiles={{id=1,properties={["tag"]="a b",["weight"]=1.5}}}}},'
    .. 'layers={{type="tilelayer",name="g",width=2,height=1,properties={},encoding="lua",data={1, 2}},'
    .. '{type="objectgroup",name="o",objects={{id=1,name="n",type="node",shape="point",x=1e-07,y=-2.5,rotation=0,'
    .. 'visible=true}}}}}'

  local function read(text) return wend.read_tiled(helper.file(text)) end

  ---A map whose point has a name that is written like this.
  local function named(text)
    local source = TEXT:gsub('name="n"', function() return "name=" .. text end)
    local map = assert(read(source))
    local expected = load_text("return { name=" .. text .. " }").name
    assert.same({ x = 1e-07, y = -2.5 }, map.names[expected], text)
  end

  it("is read as Lua reads it", function()
    local ours = assert(read(TEXT))
    assert.equal("1, 1.5 a b", cells(ours.grid))
    assert.same({ n = { x = 1e-07, y = -2.5 } }, ours.names)
    named [['single "quotes"']]
    named [["\a\b\f\n\r\t\v\\\"\'"]]
    named [["\065\10\2550"]]
    named '"a\\\nb"'
    named "[[long]]"
    named "[==[\nlong]]\n]=]]==]"
    named '"\195\188"'
    named '"a", --[[ a comment ]] q -- another\n = --[==[ and ]] one ]==] nil'
  end)

  it("may be written with the escapes of Lua 5.2", function()
    if load_text "return '\\x41'" ~= "A" then return pending "Lua 5.1 has fewer escapes" end
    named [["\x41\z
      b"]]
  end)

  it("may be written in other ways that Lua knows", function()
    for from, to in pairs {
      ["return{"] = "\239\187\191-- exported\nreturn\n{ ;; ",
      ["width=2"] = "['width'] = 0x2",
      ["height=1"] = "[\"height\"]=.1e1",
      [",data={1, 2}"] = ";data={1;\n2;}",
      ["y=%-2%.5"] = "y=-2.5E+0,nothing=nil",
    } do
      local text, count = TEXT:gsub(from, (to:gsub("%%", "%%%%")), 1)
      assert.equal(1, count)
      if from == "return{" then
        text = text:gsub(";; ", "")
        assert.equal("1, 1.5 a b", cells(assert(read(text .. ";\n-- the end")).grid))
      else
        assert.equal("1, 1.5 a b", cells(assert(read(text)).grid), to)
      end
    end
  end)

  for what, case in pairs {
    ["nothing"] = { "", "line 1: expected XML, JSON, or 'return' and a table, as Tiled writes maps, got the end" },
    ["another kind of file"] = { "#!/bin/sh\n",
      "line 1: expected XML, JSON, or 'return' and a table, as Tiled writes maps, got '#'" },
    ["a program"] = { "\nlocal map = {}\nreturn map",
      "line 2: expected XML, JSON, or 'return' and a table, as Tiled writes maps, got 'local'" },
    ["no table"] = { "return 5", "line 1: expected a table, got '5'" },
    ["a call"] = { "return {\n width = os.execute 'touch /tmp/harm' }",
      "line 2: expected a value, got 'os.execute': an export holds only values" },
    ["a method of strings"] = { "return { name = ('x'):rep(1e9) }",
      "line 1: expected a value, got '(': an export holds only values" },
    ["a function"] = { "return { x = (function() while true do end end)() }",
      "line 1: expected a value, got '(': an export holds only values" },
    ["a loop after the table"] = { "return {}\nwhile true do end", "line 2: expected the end, got 'while'" },
    ["arithmetic"] = { "return { x = 1 + 1 }", "line 1: expected ',' or '}', got '+'" },
    ["strings put together"] = { "return { x = 'a' .. 'b' }", "line 1: expected ',' or '}', got '..'" },
    ["a number that is none"] = {
      "return { x = 1e }", "line 1: expected a value, got '1e': an export holds only values" },
    ["a string without an end"] = { "return {\n\n x = 'a\n' }", "line 3: a string without an end" },
    ["a comment without an end"] = { "return { --[[ ", "line 1: a long string or comment without an end" },
    ["an escape that is none"] = { "return { '\\q' }", "line 1: unknown escape \\q" },
    ["a table without an end"] = {
      "return {\n  {", "line 2: expected a value, got the end: an export holds only values" },
    ["no key"] = { "return { [nil] = 1 }", "line 1: expected a key, got nil" },
    ["compiled Lua"] = { "\27Lua", "compiled Lua: a map is read from the text that Tiled exports" },
    ["tables in tables"] = { "return " .. ("{"):rep(100000), "line 1: tables nested more than 100 deep" },
  } do
    it("gives 'format' and the line for " .. what, function()
      local file = helper.file(case[1])
      refuses(file .. ": " .. case[2], file)
    end)
  end

  it("gives 'format' for a program that was compiled", function()
    local file = helper.file(string.dump(load_text "return function() return {} end"))
    refuses(file .. ": compiled Lua: a map is read from the text that Tiled exports", file)
  end)

  it("gives 'format' when it is cut off at any byte #many", function() damage.cut(TEXT, read) end)

  it("never raises, whatever byte is damaged", function()
    damage.bytes("read_tiled", 1000, TEXT, read, { "{", "}", "[", "]]", "--[[", "\"", "9", "-", "" })
  end)
end)
