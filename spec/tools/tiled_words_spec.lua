-- SPDX-License-Identifier: MIT
-- Maps of Tiled in the styles of other games: what blocks, by `closed` and `tile`; what the tiles are; classes of
-- projects.
local helper = require "spec.support.helper"
local wend = require "wend"

after_each(helper.clean)

-- The cells of a grid, row by row: "#" if closed.
local function drawn(grid)
  local rows = {}
  for y = 1, grid:height() do
    local row = {}
    for x = 1, grid:width() do row[x] = grid:is_closed(x, y) and "#" or "." end
    rows[y] = table.concat(row)
  end
  return table.concat(rows, " ")
end

local function tiles(name, data, others)
  local layer = { type = "tilelayer", name = name, width = 4, height = 2, encoding = "lua", data = data,
    properties = {} }
  for key, value in pairs(others or {}) do layer[key] = value end
  return layer
end

-- An object layer; of each object the numbers are x, y, width and height.
local function objects(name, list, others)
  local layer = { type = "objectgroup", name = name, objects = {}, properties = {} }
  for i, one in ipairs(list) do
    local object = { id = i, shape = "rectangle", x = one[1], y = one[2], width = one[3], height = one[4] }
    for key, value in pairs(one) do
      if type(key) == "string" then object[key] = value end
    end
    layer.objects[i] = object
  end
  for key, value in pairs(others or {}) do layer[key] = value end
  return layer
end

-- 4 x 2 tiles of 16 pixels. Tile 1 says nothing.
local function map_of(layers, others)
  local map = { orientation = "orthogonal", width = 4, height = 2, tilewidth = 16, tileheight = 16, layers = layers,
    tilesets = { { name = "town", firstgid = 1, tilewidth = 16, tileheight = 16, image = "t.png", tilecount = 9,
      tiles = {
      { id = 1, properties = { collides = true } }, { id = 2, properties = { collides = false } },
      { id = 3, type = "Water" }, { id = 4, type = "grass", properties = { weight = 3 } },
      { id = 5, objectGroup = { type = "objectgroup", objects = {
        { id = 1, shape = "rectangle", x = 0, y = 8, width = 16, height = 8, properties = {} } } } },
      { id = 6, properties = { closed = false, collides = true } },
      { id = 7, properties = { physics = { solid = "yes" } } },
    } } } }
  for key, value in pairs(others or {}) do map[key] = value end
  return map
end

local GROUND = { 1, 2, 3, 4, 5, 6, 7, 8 }
local ONES = { 1, 1, 1, 1, 1, 1, 1, 1 }

local function read(map, ...)
  local options = type((...)) == "table" and (...) or { closed = { ... } }
  return assert(wend.read_tiled(map, options))
end

describe("wend.read_tiled, closed", function()
  it("closes the tiles of a layer that it names, in any spelling", function()
    local map = map_of { tiles("Ground", ONES), tiles("Collision", { 0, 2, 0, 1, 1, 0, 0, 0 }) }
    assert.equal(".... ....", drawn(read(map).grid))
    for _, name in ipairs { "Collision", "COLLISION", "coll*", "*", "*lisio*", "common" } do
      local expected = name == "*" and "#### ####" or ".#.# #..."
      assert.equal(expected, drawn(read(map, name).grid), name)
    end
    assert.equal(".#.# #...", drawn(read(map, "Collision").grids.Collision))
    assert.equal(".... ....", drawn(read(map, "Collision").grids.Ground))
  end)

  it("closes tiles by a class or a property; one that is false does not block", function()
    local map = map_of { tiles("Ground", GROUND) }
    assert.equal(".#.. ....", drawn(read(map, "collides").grid))
    assert.equal("...# ....", drawn(read(map, "water").grid))
    assert.equal(".... ...#", drawn(read(map, "solid").grid))
    assert.equal(".#.. .#.#", drawn(read(map, "common").grid))
    assert.equal(".#.# ....", drawn(read(map, "collides", "Water").grid))
  end)

  it("takes 0 and empty texts for false too", function()
    for value, blocks in pairs { [0] = false, [""] = false, ["0"] = false, ["false"] = false, ["False"] = false,
      [1] = true, yes = true, [0.5] = true } do
      local map = map_of { tiles("Ground", ONES) }
      map.tilesets[1].tiles = { { id = 0, properties = { wet = value } } }
      assert.equal(blocks, read(map, "wet").grid:is_closed(1, 1), tostring(value))
    end
  end)

  it("keeps a cell closed whatever lies above, but for a tile that says that it is open", function()
    local map = map_of { tiles("Collision", { 1, 1, 0, 0, 0, 0, 0, 0 }), tiles("Deck", { 5, 7, 1, 1, 1, 1, 1, 1 }) }
    local level = read(map, "Collision")
    assert.equal("#... ....", drawn(level.grid))
    assert.same({ false, "grass" }, { level.grid:get(1, 1) })
    assert.equal(3, level.grid:weight(1, 1))
  end)

  it("closes the cells of tiles with shapes for common, and where the class of a shape is named", function()
    local map = map_of { tiles("Ground", { 1, 6, 1, 1, 1, 1, 1, 1 }) }
    assert.equal(".#.. ....", drawn(read(map, "common").grid))
    local shape = map.tilesets[1].tiles[5].objectGroup.objects[1]
    shape.type = "Hard"
    assert.equal(".#.. ....", drawn(read(map, "hard").grid))
    shape.shape = "point"
    assert.equal(".... ....", drawn(read(map, "common").grid))
  end)

  it("makes directed walls of polylines with the property directed: from their left to their right", function()
    local function read_ledge(points, shape)
      local ledge = { 0, 16, 0, 0, shape = shape or "polyline", type = "wall", properties = { directed = true } }
      ledge[ledge.shape] = points
      return wend.read_tiled(map_of { tiles("Ground", ONES), objects("Ledges", { ledge }) })
    end
    local level = assert(read_ledge { { x = 0, y = 0 }, { x = 64, y = 0 } })
    local grid = level.grid
    assert.equal(".... ....", drawn(grid))
    assert.is_nil(level.walls)
    assert.same({ true, false }, { grid:can_reach(1, 1, 4, 2), grid:can_reach(4, 2, 1, 1) })
    grid = read_ledge({ { x = 64, y = 0 }, { x = 0, y = 0 } }).grid
    assert.same({ false, true }, { grid:can_reach(1, 1, 4, 2), grid:can_reach(4, 2, 1, 1) })
    local _, message = read_ledge({ { x = 0, y = 0 }, { x = 9, y = 0 }, { x = 9, y = 9 } }, "polygon")
    assert.truthy(message:find("a directed wall must be a polyline", 1, true))
  end)

  it("closes cells under the objects of a layer, and makes them walls", function()
    local level = read(map_of { tiles("Ground", ONES), objects("Collisions", {
      { 16, 0, 16, 16 }, { 48, 10, 16, 20 }, { 3, 3, 0, 0, shape = "point" } }) }, "Collisions")
    assert.equal(".#.. ...#", drawn(level.grid))
    assert.equal(2, level.walls:count())
    for _ in level.grid:walls() do error "a wall" end
  end)

  it("puts walls between cells that a thin object divides", function()
    local level = read(map_of { tiles("Ground", ONES), objects("Collisions", {
      { 32, 0, 0, 0, shape = "polyline", polyline = { { x = 0, y = 0 }, { x = 0, y = 16 } } } }) }, "common")
    assert.equal(".... ....", drawn(level.grid))
    assert.equal(3, level.grid:path(2, 1, 3, 1).cost)
    assert.equal("segment", (level.walls:each()()))
  end)

  it("takes single objects by class and property, in any layer", function()
    local level = read(map_of { tiles("Ground", ONES), objects("things", {
      { 0, 0, 16, 16, type = "Boulder" }, { 16, 0, 16, 16, properties = { collidable = true } },
      { 32, 0, 16, 16, properties = { collidable = false } },
      { 0, 16, 16, 16, type = "boulder", properties = { closed = false } },
      { 16, 16, 16, 16, shape = "ellipse", type = "boulder" },
      { 40, 24, 0, 0, shape = "polygon", type = "boulder",
        polygon = { { x = -8, y = -8 }, { x = 8, y = -8 }, { x = 0, y = 8 } } },
    }) }, "boulder", "common")
    assert.equal("##.. .##.", drawn(level.grid))
    assert.equal(4, level.walls:count())
  end)

  it("blocks with the shapes of a tile that is an object, turned as the tile is", function()
    local function cells(gid) return drawn(read(map_of { tiles("Ground", ONES), objects("trees", {
      { 0, 32, 64, 32, gid = gid } }) }, "common").grid) end
    assert.equal(".... ####", cells(6))
    assert.equal("#### ....", cells(6 + 2 ^ 30))          -- upside down
    assert.equal("..## ..##", cells(6 + 2 ^ 29))          -- turned around its diagonal
    assert.equal("##.. ##..", cells(6 + 2 ^ 29 + 2 ^ 31)) -- and mirrored
  end)

  it("counts for all that is in a group of layers", function()
    local level = read(map_of { tiles("Ground", ONES), { type = "group", name = "Collision", layers = {
      tiles("a", { 0, 1, 0, 0, 0, 0, 0, 0 }), { type = "group", name = "inner", layers = {
        objects("b", { { 0, 16, 16, 16 } }) } } } } }, "collision")
    assert.equal(".#.. #...", drawn(level.grid))
  end)

  it("takes layers by class and property", function()
    local data = { 0, 1, 0, 0, 0, 0, 0, 0 }
    assert.equal(".#.. ....", drawn(read(map_of { tiles("Ground", ONES), tiles("x", data, { class = "Hard" }) },
      "hard").grid))
    assert.equal(".#.. ....", drawn(read(map_of { tiles("Ground", ONES),
      tiles("x", data, { properties = { blocking = true } }) }, "common").grid))
  end)

  it("leaves nodes alone and closes edges", function()
    local level = read(map_of { objects("Blocked", { { 0, 0, 0, 0, shape = "point", type = "node" },
      { 50, 0, 0, 0, shape = "point", type = "node" },
      { 0, 0, 0, 0, shape = "polyline", type = "edge", polyline = { { x = 0, y = 0 }, { x = 50, y = 0 } } } }) },
      "blocked")
    assert.is_nil(level.walls)
    assert.is_true(level.graph:edge(1).closed)
    assert.is_false(level.graph:is_closed(1))
  end)

  it("works on infinite, shifted, isometric and staggered maps", function()
    local level = read(map_of { tiles("Ground", nil, { chunks = { { x = -2, y = 0, width = 2, height = 2,
      data = { 1, 2147483650, 1, 1 } } } }), objects("Collisions", { { -32, 16, 16, 16 } }) }, "common")
    assert.equal(".# #.", drawn(level.grid))
    level = read(map_of { tiles("Ground", ONES), tiles("Collision", { 1, 0, 0, 0, 0, 0, 0, 0 }, { offsetx = 16,
      offsety = 16 }) }, "collision")
    assert.equal(".... .#..", drawn(level.grid))
    assert.equal("#... ....", drawn(level.grids.Collision))
    assert.same({ 0, 0, nil }, { wend.tile_at(level, 2, 2).id, wend.tile_at(level, 1, 1, "Collision").id,
      wend.tile_at(level, 2, 2, "Collision") })
    level = read(map_of({ tiles("Ground", ONES), objects("Collisions", { { 8, 8, 8, 8 } }) },
      { orientation = "isometric", tilewidth = 16, tileheight = 8 }), "common")
    assert.equal(".... .#..", drawn(level.grid))
    level = read(map_of({ tiles("Ground", { 1, 1, 1, 1, 1, 2, 1, 1 }) },
      { orientation = "staggered", staggeraxis = "y", staggerindex = "odd" }), "collides")
    local x, y = wend.cell_of_tile(level, 1, 1)
    assert.is_true(level.grid:is_closed(x, y))
    assert.equal(1, wend.tile_at(level, x, y).id)
    assert.is_nil((wend.tile_at(level, 1, 1)))
  end)

  it("is the same from XML and JSON, with tilesets and templates in files of their own", function()
    local set = helper.file([[<tileset name="town" tilewidth="16" tileheight="16" tilecount="4" columns="4"
      objectalignment="topleft"><image source="t.png" width="64" height="16"/>
      <tile id="1"><properties><property name="physics" type="class" propertytype="Body"><properties>
        <property name="solid" type="bool" value="true"/></properties></property></properties></tile>
      <tile id="2"><objectgroup><object id="1" x="0" y="8"><polygon points="0,0 16,0 16,8 0,8"/></object>
        </objectgroup></tile></tileset>]], ".tsx")
    local own = set:match "[^/]*$"
    local template = helper.file(([[<template><tileset firstgid="5" source="%s"/>
      <object type="rock" gid="7" width="32" height="32"/></template>]]):format(own), ".tx"):match "[^/]*$"
    local xml = helper.file(([[<map orientation="orthogonal" width="4" height="2" tilewidth="16" tileheight="16">
      <tileset firstgid="1" source="%s"/>
      <layer name="Ground" width="4" height="2"><data encoding="csv">1,2,3,1,1,1,1,1</data></layer>
      <objectgroup name="o"><object id="1" template="%s" x="32" y="0"/></objectgroup></map>]]):format(own, template),
      ".tmx")
    local json = helper.file(([[{"orientation":"orthogonal", "width":4, "height":2, "tilewidth":16, "tileheight":16,
      "tilesets":[{"firstgid":1, "name":"town", "image":"t.png", "tilewidth":16, "tileheight":16,
        "objectalignment":"topleft", "tiles":[{"id":1, "properties":[{"name":"physics", "type":"class",
        "propertytype":"Body", "value":{"solid":true}}]}, {"id":2, "objectgroup":{"objects":[{"id":1, "x":0, "y":8,
        "width":0, "height":0, "polygon":[{"x":0,"y":0},{"x":16,"y":0},{"x":16,"y":8},{"x":0,"y":8}]}]}}]}],
      "layers":[{"type":"tilelayer", "name":"Ground", "width":4, "height":2, "data":[1,2,3,1,1,1,1,1]},
        {"type":"objectgroup", "name":"o", "objects":[{"id":1, "template":"%s", "x":32, "y":0}]}]}]]):format(template),
      ".tmj")
    for _, file in ipairs { xml, json } do
      assert.equal(".##. ..##", drawn(read(file, "common").grid), file)
      assert.equal(".#.. ....", drawn(read(file, "solid").grid), file)
      assert.equal("..## ..##", drawn(read(file, { closed = { "rock" } }).grid), file)
      assert.same({ 0, 8, 16, 8, 16, 16, 0, 16 }, wend.tile_at(read(file), 3, 1).shapes[1].points)
      assert.same({ physics = { solid = true } }, wend.tile_at(read(file), 2, 1).properties)
    end
  end)

  it("hints at words that look like these, and at nothing else", function()
    local map = map_of { tiles("Collision", ONES), tiles("Ground", GROUND), objects("walls", {}),
      objects("mine", { { 0, 0, 1, 1, type = "wall" } }), objects("by class", {}, { class = "walls" }) }
    map.tilesets[1].tiles[8] = { id = 8, properties = { walkable = false } }
    local like = " looks as if it tells what blocks, and was not used"
    assert.same({
      "layer 'Collision'" .. like .. ": add 'Collision' to closed",
      "layer 'walls'" .. like .. ": add 'walls' to closed",
      "property 'collides'" .. like .. " (tileset 'town', tile 1): add 'collides' to closed",
      "property 'solid'" .. like .. " (tileset 'town', tile 7): add 'solid' to closed",
      "property 'walkable'" .. like .. " (tileset 'town', tile 8): read it in a function tile",
      "the shape of a tile" .. like .. " (tileset 'town', tile 5): add 'common' to closed",
    }, read(map).hints)
    assert.equal("property 'walkable'", read(map, "common").hints[1]:match "^property '%w+'")
    assert.equal(2, #read(map, { tile = function() end }).hints)   -- the function has seen the tiles
    assert.same({}, read(map_of({ tiles("Ground", ONES) }, { tilesets = { { firstgid = 1 } } }), {}).hints)
    assert.same({}, wend.read_tiled("examples/tiled/ford.tmx").hints)
    assert.same({}, wend.read_tiled("examples/tiled/quay.tmx").hints)
    assert.is_nil(wend.decode(read(map):encode()).hints)
  end)

  it("takes cells of many objects that overlap once, and agrees with each object alone", function()
    helper.rounds("blocking objects", 20, function(rng)
      local width, height, list = rng(1, 8), rng(1, 8), {}
      for i = 1, rng(1, 12) do
        local shape = rng(1, 2) == 1 and "rectangle" or "ellipse"
        list[i] = { rng(-8, 100), rng(-8, 100), rng(1, 60), rng(1, 60), shape = shape, rotation = rng(0, 3) * 30 }
      end
      local data = {}
      for i = 1, width * height do data[i] = 1 end
      local function level(some)
        return read(map_of({ tiles("Ground", data, { width = width, height = height }),
          objects("Collisions", some) }, { width = width, height = height }), "common")
      end
      local all = level(list)
      local expected = wend.grid(width, height)
      for _, one in ipairs(list) do
        local grid = level { one }.grid
        for y = 1, height do
          for x = 1, width do
            if grid:is_closed(x, y) then expected:close(x, y) end
          end
        end
      end
      assert.equal(drawn(expected), drawn(all.grid))
      local walled = {}
      for x1, y1, x2, y2 in all.grid:walls() do walled[table.concat({ x1, y1, x2, y2 }, " ")] = true end
      for y = 1, height do
        for x = 1, width - 1 do
          local open = not all.grid:is_closed(x, y) and not all.grid:is_closed(x + 1, y)
          local free = all.walls:clear(x * 16 - 8, y * 16 - 8, x * 16 + 8, y * 16 - 8)
          local key, other = { x, y, x + 1, y }, { x + 1, y, x, y }
          local wall = walled[table.concat(key, " ")] or walled[table.concat(other, " ")] or false
          if open then assert.equal(free, not wall) end
        end
      end
    end)
  end)

  describe("Errors", function()
    local map = map_of { tiles("Collision", ONES) }

    it("raises for names that nothing has, but not for common", function()
      helper.raises("closed names 'Collison', but no layer, class or property of the map has this name; did you mean "
        .. "'Collision'?", wend.read_tiled, map, { closed = { "Collision", "Collison" } })
      helper.raises("closed names 'lava*', but no layer, class or property of the map has this name",
        wend.read_tiled, map, { closed = { "common", "lava*" } })
      assert.equal("table", type(wend.read_tiled(map_of {}, { closed = { "common" } })))
    end)

    local function with(options) return function() wend.read_tiled(map, options) end end
    helper.all_raise(it, {
      "closed must be a list of names, got 'Collision'", with { closed = "Collision" },
      "closed must be a list of names, got the key 'Collision'", with { closed = { Collision = true } },
      "closed[2] must be a name, got 5", with { closed = { "a", 5 } },
      "closed[1] must be a name, got ''", with { closed = { "" } },
      "tile must be a function, got 5", with { tile = 5 },
      "project must be the name of a file, a table or false, got 5", with { project = 5 },
    })
  end)
end)

describe("wend.read_tiled, tile", function()
  it("is asked about each tile of each layer, and answers a value of a cell", function()
    local asked = {}
    local level = read(map_of { tiles("Ground", { 1, 5, 0, 2147483652, 0, 0, 0, 0 }), tiles("Ground",
      { 0, 0, 0, 0, 1, 1, 0, 0 }) }, { tile = function(tile, layer, x, y)
      asked[#asked + 1] = ("%d %s %s %d,%d"):format(tile.id, tile.class or "-", layer, x, y)
      return ({ [0] = 7, [3] = { tag = "bridge", weight = 2 }, [4] = false })[tile.id]
    end })
    assert.same({ "0 - Ground 1,1", "4 grass Ground 2,1", "3 Water Ground 4,1", "0 - 2 1,2", "0 - 2 2,2" }, asked)
    assert.equal(".#.. ....", drawn(level.grid))
    assert.same({ 7, 2, "bridge" }, { level.grid:get(1, 1), level.grid:get(4, 1) })
    assert.equal(7, level.grids[2]:weight(1, 2))
  end)

  it("goes before words, and may open what a word closes below", function()
    local level = read(map_of { tiles("Collision", { 1, 1, 1, 0, 0, 0, 0, 0 }), tiles("Deck", { 4, 4, 0, 0, 0, 0, 0,
      0 }) }, { closed = { "common" }, tile = function(_, layer, x)
      if layer == "Collision" then return x == 3 and 5 or nil end
      return { tag = "deck", closed = x == 1 and true or false }
    end })
    assert.equal("#... ....", drawn(level.grid))
  end)

  it("gets the same table as tile_at", function()
    local seen
    local level = read(map_of { tiles("Ground", { 8, 0, 0, 0, 0, 0, 0, 0 }) },
      { tile = function(tile) seen = tile end })
    assert.equal(seen, wend.tile_at(level, 1, 1))
    assert.same({ id = 7, tileset = "town", properties = { physics = { solid = "yes" } }, shapes = {} }, seen)
  end)

  describe("Errors", function()
    local map = map_of { tiles("Ground", { 0, 1, 0, 0, 0, 0, 0, 0 }), tiles("", ONES) }

    local function refused(fn)
      local _, message = pcall(wend.read_tiled, map, { tile = fn })
      return (message:gsub("^[^ ]*: ", "", 1))
    end

    it("names the cell and the layer where it raises or returns rubbish", function()
      helper.raises("tile raised an error for cell (2,1) of layer 'Ground': no luck", wend.read_tiled, map,
        { tile = function() error("no luck", 0) end })
      helper.raises("tile raised an error for cell (1,1) of layer 2: a table", wend.read_tiled, map,
        { tile = function(_, layer) if layer == 2 then error { code = "x" } end end })
      assert.equal("tile returned a wrong value for cell (2,1) of layer 'Ground': value must be a number >= 0, false, "
        .. "a tag or { weight =, tag = }, got -1", refused(function() return -1 end))
      assert.truthy(refused(function() return { wait = 5 } end):find "for cell %(2,1%) of layer 'Ground': ")
    end)

    it("may not yield", function()
      assert.truthy(refused(function() coroutine.yield() end):find "attempt to yield")
    end)
  end)
end)

describe("wend.tile_at", function()
  local level
  before_each(function()
    level = read(map_of { tiles("Ground", { 1, 5, 0, 2684354564, 1, 1, 1, 1 }),
      tiles("Roof", { 0, 2, 0, 0, 0, 0, 0, 0 }) })
  end)

  it("gives the uppermost tile of a cell, or that of a layer", function()
    assert.equal(1, wend.tile_at(level, 2, 1).id)
    assert.equal(4, wend.tile_at(level, 2, 1, "Ground").id)
    assert.equal(4, wend.tile_at(level, { x = 2, y = 1 }, 1).id)
    assert.same({ id = 3, class = "Water", tileset = "town", properties = {}, shapes = {} }, wend.tile_at(level, 4, 1))
    assert.is_nil(wend.tile_at(level, 3, 1))
    assert.is_nil(wend.tile_at(level, 1, 1, "Roof"))
    for _, cell in ipairs { { 0, 1 }, { 5, 1 }, { 1, 0 }, { 1, 3 }, { 2 ^ 53, -2 ^ 53 } } do
      assert.is_nil(wend.tile_at(level, cell[1], cell[2]))
    end
    assert.same({ "Ground", "Roof" }, level.data.tiled.layers)
  end)

  it("raises for other levels, layers and cells", function()
    helper.raises("level must be a level that wend.read_tiled has made, not a loaded one, got a wend.Level",
      wend.tile_at, wend.decode(level:encode()), 1, 1)
    helper.raises("level must be a level that wend.read_tiled has made, not a loaded one, got nil", wend.tile_at)
    helper.raises("x must be a whole number, got 1.5", wend.tile_at, level, 1.5, 1)
    helper.raises("y must be a whole number, got nil", wend.tile_at, level, 1)
    helper.raises("layer must be a key of level.grids, got 'Cellar'", wend.tile_at, level, 1, 1, "Cellar")
  end)
end)

describe("the classes of a project of Tiled", function()
  local PROJECT = { propertyTypes = {
    { name = "kind", type = "enum", storageType = "string", values = { "a", "b" } },
    { name = "Body", type = "class", members = { { name = "solid", type = "bool", value = true },
      { name = "mass", type = "float", value = 2 } } },
    { name = "swamp", type = "class", useAs = { "tile" }, members = { { name = "weight", type = "float", value = 3 },
      { name = "closed", type = "bool", value = false } } },
    { name = "rock", type = "class", members = { { name = "closed", type = "bool", value = true },
      { name = "body", type = "class", propertyType = "Body", value = { mass = 9 } } } },
    { name = "gate", type = "class", members = { { name = "node", type = "bool", value = true },
      { name = "radius", type = "float", value = 4 } } },
  } }

  local function map()
    local made = map_of { tiles("Ground", { 1, 2, 3, 1, 1, 1, 1, 1 }), objects("o", {
      { 0, 0, 0, 0, shape = "point", name = "a", type = "gate" },
      { 9, 9, 0, 0, shape = "point", name = "b", type = "gate", properties = { radius = 1 } } }) }
    made.tilesets[1].tiles = { { id = 0, type = "swamp" },
      { id = 1, type = "rock", properties = { body = { mass = 7 } } },
      { id = 2, type = "rock", properties = { closed = false } } }
    return made
  end

  it("give their defaults to tiles and objects, and own values win", function()
    local level = read(map(), { project = PROJECT })
    assert.same({ 3, "swamp" }, { level.grid:get(1, 1) })
    assert.equal(".#.. ....", drawn(level.grid))
    assert.same({ 4, 1 }, { level.graph:radius "a", level.graph:radius "b" })
    assert.same({ closed = true, body = { solid = true, mass = 7 } }, wend.tile_at(level, 2, 1).properties)
    assert.same({ closed = false, body = { solid = true, mass = 9 } }, wend.tile_at(level, 3, 1).properties)
    assert.equal(".... ....", drawn(read(map()).grid))
  end)

  local XML = [[<map orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16">
    <tileset firstgid="1" name="t" tilecount="3"><image source="t.png"/><tile id="0" type="%s"/><tile id="1">
    <properties><property name="b" type="class" propertytype="Body"/></properties></tile></tileset>
    <layer name="g" width="2" height="1"><data encoding="csv">1,2</data></layer></map>]]
  local JSON = [[{"propertyTypes":[{"name":"rock","type":"class","members":[{"name":"closed","type":"bool",
    "value":true}]},{"name":"Body","type":"class","members":[{"name":"solid","type":"bool","value":true}]}]}]]

  it("are found in the nearest folder above the file of the map", function()
    local file = helper.file(XML:format "rock", ".tmx")
    local folder, name = file:match "^(.*/)([^/]*)$"
    local inner = folder .. "wend" .. name:gsub("%W", "") .. "/"
    assert(os.execute(("mkdir -p '%sdeep'"):format(inner)))
    local function put(at, text)
      local handle = assert(io.open(at, "w"))
      handle:write(text)
      handle:close()
    end
    put(inner .. "deep/m.tmx", XML:format "rock")
    put(inner .. "z.tiled-project", "{}")
    put(inner .. "my game.tiled-project", JSON)
    local level, none = read(inner .. "deep/m.tmx"), read(inner .. "deep/m.tmx", { project = false })
    local given = read(file, { project = inner .. "my game.tiled-project" })
    put(inner .. "deep/nearer.tiled-project", "{")
    local _, message, code = wend.read_tiled(inner .. "deep/m.tmx")
    os.execute(("rm -r '%s'"):format(inner))
    assert.equal("#.", drawn(level.grid))
    assert.same({ b = { solid = true } }, wend.tile_at(level, 2, 1).properties)
    assert.equal("..", drawn(none.grid))
    assert.equal("#.", drawn(given.grid))
    assert.equal("format", code)
    assert.truthy(message:find("nearer.tiled-project", 1, true), message)
  end)

  it("are not looked for where a host has replaced io.open", function()
    local open, asked = io.open, {}
    io.open = function(name) -- luacheck: ignore 122
      asked[#asked + 1] = name
      return { read = function() return XML:format "rock" end, close = function() return true end }
    end
    local ok, level = pcall(wend.read_tiled, "spec/m.tmx")
    io.open = open -- luacheck: ignore 122
    assert.is_true(ok)
    assert.equal("..", drawn(level.grid))
    assert.same({ "spec/m.tmx" }, asked)
  end)

  it("fail with the place of a defect", function()
    helper.fails("cannot read no.tiled-project: No such file or directory", "io", wend.read_tiled, map(),
      { project = "no.tiled-project" })
    helper.fails("project: propertyTypes must be a table, got 5", "format", wend.read_tiled, map(),
      { project = { propertyTypes = 5 } })
    local deep = { name = "rock", type = "class", members = { { name = "a", type = "class", propertyType = "rock" } } }
    helper.fails("project: classes nested more than 100 deep", "format", wend.read_tiled, map(),
      { project = { propertyTypes = { deep } } })
    helper.fails("tileset 'town', tile 0: properties: weight must be a finite number >= 0, got 'x'", "format",
      wend.read_tiled, map(), { project = { propertyTypes = { { name = "swamp", type = "class", members = {
        { name = "weight", value = "x" }, { name = 5 }, 7 } }, 5, { type = "class" } } } })
  end)
end)
