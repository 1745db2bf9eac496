-- SPDX-License-Identifier: MIT
-- Levels: made of parts, saved as one file, and read again.

local file_reference = require "spec.support.file_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local raises = helper.raises

after_each(helper.clean)

local function some_walls()
  local walls = wend.walls()
  walls:add_polygon { 0, 0, 4, 0, 4, 4 }
  walls:add_segment(1, 2, 3, 4.5)
  walls:add_circle(-3, 2, 0.25)
  walls:remove(2)
  return walls
end

--- A level with everything.
local function full()
  local ground, roof = file_reference.small_grid(), wend.grid(4, 3, { cell = 16 })
  return wend.level {
    width = 4, height = 3, cell = 16, grid = wend.grid(4, 3):close(2, 2),
    grids = { ground, roof, ground = ground, roof = roof, ["the roof"] = roof },
    graph = file_reference.small_graph(), walls = some_walls(),
    names = { mill = { x = 3, y = -4.5 }, ["\0\255"] = { x = 0, y = 0.1, z = 7 } },
    data = { quest = "ford", done = false, lives = 3, at = { 1.5, -2, { deep = { true } } }, none = {} },
  }
end

--- Asserts that a level is the same when it is read; returns what was read.
local function back(level)
  local bytes = level:encode()
  assert.equal(bytes, level:encode())
  local copy = assert(wend.decode(bytes))
  assert.equal("level", wend.type(copy))
  assert.is_true(copy:encode() == bytes, "what was read gives other bytes")
  return copy
end

local function refused(bytes, what)
  local ok, object, message, code = pcall(wend.decode, bytes)
  if not (ok and object == nil and type(message) == "string" and code == "format") then
    error(("%s: %s, %s, %s"):format(what, tostring(ok), tostring(object), tostring(code)), 2)
  end
end

local function whole(number, size) return file_reference.whole(number, size or 4) end

describe("wend.level", function()
  it("holds what it is made of", function()
    local grid, walls = wend.grid(5, 4, { cell = 8 }), wend.walls()
    local level = wend.level { grid = grid, walls = walls, names = { tree = { x = 1, y = 2 } }, data = { 1 } }
    assert.equal(grid, level.grid)
    assert.equal(grid, level.grids[1])
    assert.equal(walls, level.walls)
    assert.same({ tree = { x = 1, y = 2 } }, level.names)
    assert.same({ 5, 4, 8 }, { level.width, level.height, level.cell })
    assert.is_nil(level.graph)
    assert.equal("level", wend.type(level))
    assert.equal("level", getmetatable(level))
  end)

  it("takes the grid of the only layer", function()
    local grid = wend.grid(2, 2)
    assert.equal(grid, wend.level({ grids = { grid } }).grid)
    assert.is_nil(wend.level({ grids = { grid, wend.grid(2, 2) } }).grid)
  end)

  it("may be empty", function()
    for _, level in ipairs { wend.level(), wend.level {} } do
      assert.same({ {}, {} }, { level.grids, level.names })
      assert.equal("wend.Level (0 names)", tostring(level))
      assert.same({ {}, {} }, { back(level).grids, back(level).names })
    end
  end)

  it("is one line as a string", function()
    assert.equal("wend.Level (4 x 3 cells, 2 layers, 4 nodes, 2 walls, 2 names)", tostring(full()))
    assert.equal("wend.Level (1 x 1 cells, 1 layer, 0 names)", tostring(wend.level { grid = wend.grid(1, 1) }))
  end)

  it("is what wend.read_tiled returns #tools", function()
    local level = assert(wend.read_tiled "examples/tiled/ford.lua")
    assert.equal("level", wend.type(level))
    local copy = back(level)
    assert.same({ level.width, level.height, level.cell, #level.grids },
      { copy.width, copy.height, copy.cell, #copy.grids })
    assert.same(level.names, copy.names)
    assert.equal(level.grids.above:encode(), copy.grids.above:encode())
    assert.equal(level.graph:path("mill", "tower").cost, copy.graph:path("mill", "tower").cost)
    assert.equal(level.walls:count(), copy.walls:count())
  end)

  it("can be changed: what is in it when it is saved counts", function()
    local level = full()
    level.graph, level.names.mill, level.data = nil, nil, "other"
    local copy = back(level)
    assert.is_nil(copy.graph)
    assert.is_nil(copy.names.mill)
    assert.equal("other", copy.data)
  end)
end)

describe("level:save", function()
  it("writes one file, and wend.load reads it", function()
    local level, file = full(), helper.file ""
    assert.is_true(level:save(file))
    local copy = assert(wend.load(file))
    assert.equal(level:encode(), copy:encode())
    assert.equal("wend.Level (4 x 3 cells, 2 layers, 4 nodes, 2 walls, 2 names)", tostring(copy))
    assert.is_true(copy:save(file))
  end)

  it("keeps which grids are the same", function()
    local copy = back(full())
    assert.equal(copy.grids[1], copy.grids.ground)
    assert.equal(copy.grids[2], copy.grids.roof)
    assert.equal(copy.grids.roof, copy.grids["the roof"])
    assert.is_true(copy.grid ~= copy.grids[1] and copy.grid ~= copy.grids[2])
    local grid, other = wend.grid(2, 2), wend.grid(2, 2)
    copy = back(wend.level { grid = other, grids = { grid, other, grid, last = grid } })
    assert.equal(copy.grid, copy.grids[2])
    assert.equal(copy.grids[1], copy.grids[3])
    assert.equal(copy.grids[1], copy.grids.last)
    assert.is_true(copy.grids[1] ~= copy.grids[2])
  end)

  it("keeps the ids of walls, and never gives out a removed one", function()
    local level = full()
    local copy = back(level)
    assert.same({ true, false, true }, { copy.walls:has(1), copy.walls:has(2), copy.walls:has(3) })
    local id = level.walls:add_segment(0, 0, 1, 1)
    assert.equal(id, copy.walls:add_segment(0, 0, 1, 1))
    assert.is_true(id > 3)
  end)

  it("keeps fields and route tables valid: they belong to the maps that are read", function()
    local level = full()
    local copy = back(level)
    local field = level.grids.ground:field(1, 1):encode()
    assert.equal(level.grids.ground:field(1, 1):cost(4, 3), wend.decode(field, { map = copy.grids.ground }):cost(4, 3))
    local routes = level.graph:routes():encode()
    assert.equal(level.graph:routes():cost(1, 2), wend.decode(routes, { map = copy.graph }):cost(1, 2))
    helper.fails("a field: it belongs to another map, or this one has changed since", "stale", wend.decode, field,
      { map = copy.grids.roof })
  end)

  it("keeps names with any bytes, and positions to the last bit", function()
    local all = {}
    for i = 0, 255 do all[i + 1] = string.char(i) end
    local level = wend.level { names = {
      [""] = { x = 0.1, y = -1e150 }, [table.concat(all)] = { x = 1 / 3, y = 2 ^ -1074, z = -0.5 },
      a = { x = 0, y = 0 }, ab = { x = 1, y = 1 }, b = { x = 2, y = 2 },
    } }
    assert.same(level.names, back(level).names)
  end)

  it("keeps only x, y and z of a position, which may be any object", function()
    local ogre = setmetatable({ hp = 7 }, { __index = { x = 3, y = 4 } })
    assert.same({ ogre = { x = 3, y = 4 } }, back(wend.level { names = { ogre = ogre } }).names)
  end)

  it("keeps plain data", function()
    local values = { true, false, 0, -7, 0.1, 2 ^ 53, -2 ^ 60, 1e300, 2 ^ -1074, "", "\0\255", {}, { 1, "two", { 3 } },
      { a = { b = { c = {} } }, [""] = 1 } }
    for _, value in ipairs(values) do
      assert.same(value, back(wend.level { data = value }).data)
      assert.same({ value }, back(wend.level { data = { value } }).data)
    end
    assert.is_nil(back(wend.level()).data)
    local zero = back(wend.level { data = -1 / math.huge }).data -- Lua 5.1 may take -0.0 for 0
    assert.equal(-math.huge, 1 / zero)
    local deep = 1
    for _ = 1, 100 do deep = { deep } end
    assert.same(deep, back(wend.level { data = deep }).data)
  end)

  it("gives whole numbers in data back as integers", function()
    local data = back(wend.level { data = { 3.0, 3, 3.5 } }).data
    if math.type then
      assert.same({ "integer", "integer", "float" }, { math.type(data[1]), math.type(data[2]), math.type(data[3]) })
    end
  end)

  it("is the same whatever the level holds", function()
    helper.rounds("levels", 60, function(rng)
      local level = { names = {}, grids = {} }
      for i = 1, rng(0, 3) do level.grids[i] = file_reference.random_grid(rng) end
      for _ = 1, #level.grids > 0 and rng(0, 4) or 0 do
        level.grids[rng:pick { "a", "b", "\0", "a\255" }] = level.grids[rng(#level.grids)]
      end
      if rng:chance(0.5) then
        level.grid = #level.grids > 0 and rng:chance(0.5) and level.grids[rng(#level.grids)]
          or (file_reference.random_grid(rng))
      end
      if rng:chance(0.7) then level.graph = file_reference.random_graph(rng) end
      if rng:chance(0.7) then
        level.walls = wend.walls()
        for _ = 1, rng(0, 20) do
          local what = rng(4)
          if what == 1 then
            level.walls:add_segment(rng() * 9, rng(9), rng(9), rng(9))
          elseif what == 2 then
            level.walls:add_circle(rng(9), rng(9), rng())
          elseif what == 3 then
            local points = {}
            for i = 1, 2 * rng(3, 6) do points[i] = rng(-9, 9) end
            level.walls:add_polygon(points)
          else
            local ids = {}
            for _, _, id in level.walls:each() do ids[#ids + 1] = id end
            if #ids > 0 then level.walls:remove(rng:pick(ids)) end
          end
        end
      end
      for i = 1, rng(0, 5) do
        level.names["name " .. rng(9)] = { x = rng(), y = i, z = rng:chance(0.3) and 1 or nil }
      end
      local made = wend.level(level)
      local copy = back(made)
      assert.same(made.names, copy.names)
      local ok, dump = pcall(require, "wend.tools.command.dump")
      if ok then assert.equal(dump(made), dump(copy)) end
      for name, grid in pairs(made.grids) do assert.equal(grid:encode(), copy.grids[name]:encode()) end
      if made.walls then
        for _ = 1, 20 do
          local x1, y1, x2, y2, r = rng(-1, 10), rng(-1, 10), rng(-1, 10), rng(-1, 10), rng(0, 2) / 4
          assert.equal(made.walls:clear(x1, y1, x2, y2, r), copy.walls:clear(x1, y1, x2, y2, r))
        end
        for _ = 1, 3 do assert.equal(made.walls:add_circle(0, 0, 1), copy.walls:add_circle(0, 0, 1)) end
        assert.equal(made.walls:encode(), copy.walls:encode())
      end
    end)
  end)
end)

describe("walls:save", function()
  it("writes walls with their ids", function()
    local walls, file = some_walls(), helper.file ""
    assert.is_true(walls:save(file))
    local copy = assert(wend.load(file))
    assert.equal("walls", wend.type(copy))
    assert.equal(walls:encode(), copy:encode())
    assert.equal("WENDW\2", walls:encode():sub(1, 6))
    local function list(of)
      local all = {}
      for kind, numbers, id in of:each() do all[#all + 1] = { kind, numbers, id } end
      return all
    end
    assert.same(list(walls), list(copy))
    assert.equal(false, copy:clear(0, 0, 9, 0))
    assert.equal(true, copy:clear(1, 5, 3, 5))
  end)

  it("does not depend on what was removed in between, apart from ids", function()
    local one, other = wend.walls(), wend.walls()
    one:add_circle(1, 1, 1)
    other:add_circle(1, 1, 1)
    for _ = 1, 40 do one:remove(one:add_segment(0, 0, 1, 1)) end
    assert.equal(false, one:clear(0, 0, 1, 1))
    local copy = wend.decode(one:encode())
    assert.equal(one:add_circle(2, 2, 2), copy:add_circle(2, 2, 2))
    one:remove(one:add_circle(3, 3, 3))
    other:add_circle(2, 2, 2)
    assert.equal(#other:encode() + 16 + 3 * 4, #one:encode()) -- three generations
  end)

  it("keeps an empty set", function()
    assert.equal(0, wend.decode(wend.walls():encode()):count())
    local walls = some_walls()
    walls:remove(1):remove(3)
    local copy = wend.decode(walls:encode())
    assert.equal(walls:encode(), copy:encode())
    assert.equal(walls:add_circle(0, 0, 1), copy:add_circle(0, 0, 1))
  end)
end)

describe("damaged files", function()
  local small = wend.level { grid = wend.grid(1, 1), walls = some_walls(), data = { "x" },
    names = { a = { x = 1, y = 2 } } }

  it("of levels and walls are refused: cut off, with any byte changed, or longer", function()
    for _, bytes in ipairs { small:encode(), some_walls():encode() } do
      for size = 0, #bytes - 1 do refused(bytes:sub(1, size), "cut after " .. size) end
      refused(bytes .. "\0", "a byte more")
      refused(bytes .. bytes, "twice")
      for at = 1, #bytes do
        for _, flip in ipairs { 1, 128, 255 } do
          local byte = bytes:byte(at)
          local other = flip == 255 and 255 - byte or math.floor(byte / flip) % 2 == 1 and byte - flip or byte + flip
          refused(file_reference.patch(bytes, at, string.char(other)), "byte " .. at)
        end
      end
    end
  end)

  --- Cases: section, change of its contents.
  local function all_refused(bytes, cases)
    for i = 1, #cases, 3 do
      local changed = file_reference.change(bytes, cases[i], cases[i + 1])
      assert.is_true(changed ~= bytes, cases[i + 2])
      refused(changed, cases[i + 2])
    end
  end
  local function patch(at, new) return function(all) return file_reference.patch(all, at, new) end end
  local function drop() return nil end

  it("of walls with right checksums are refused if their contents are impossible", function()
    local bytes = some_walls():encode()
    assert.equal(bytes, file_reference.change(bytes, "ITEM", function(all) return all end))
    all_refused(bytes, {
      "WALS", patch(1, whole(4)), "more slots than generations",
      "WALS", patch(1, whole(2 ^ 32 - 1)), "many slots",
      "WALS", patch(5, whole(3)), "more walls than items",
      "WALS", patch(5, whole(1)), "fewer walls than items",
      "WALS", patch(9, whole(4)), "a cursor behind the slots",
      "WALS", function(all) return all .. "\0" end, "a longer header",
      "WALS", drop, "no header",
      "WGEN", patch(5, whole(0)), "a free slot that was never in use",
      "WGEN", patch(5, whole(2 ^ 21 + 1)), "an unknown generation",
      "WGEN", patch(1, whole(2 ^ 21)), "a wall in a retired slot",
      "WGEN", drop, "no generations",
      "ITEM", patch(1, whole(2)), "slots in the wrong order",
      "ITEM", patch(1, whole(9)), "an unknown slot",
      "ITEM", patch(5, "\3"), "an unknown kind",
      "ITEM", patch(5, "\0"), "a segment of three points",
      "ITEM", patch(6, whole(4)), "a polygon of two points",
      "ITEM", patch(6, whole(2 ^ 32 - 1)), "many numbers",
      "ITEM", patch(10, "\0\0\0\0\0\0\248\127"), "a number that is none",
      "ITEM", patch(10, "\0\0\0\0\0\0\240\127"), "an infinite number",
      "ITEM", function(all) return all:sub(1, -2) .. "\191" end, "a negative radius",
      "ITEM", function(all) return all .. "\0" end, "a byte more",
      "ITEM", drop, "no items",
    })
  end)

  it("of levels with right checksums are refused if their contents are impossible", function()
    local grid = wend.grid(1, 1)
    local size = #grid:encode()
    local level = wend.level { grid = wend.grid(1, 1), grids = { grid, a = grid, b = grid }, graph = wend.graph(),
      walls = wend.walls(), names = { a = { x = 1, y = 2 }, b = { x = 1, y = 2 } }, data = { k = { 1 }, l = "x" } }
    all_refused(level:encode(), {
      "LEVL", patch(9, "\0\0\0\0\0\0\248\127"), "a size that is no number",
      "LEVL", patch(9, "\0\0\0\0\0\0\240\191"), "a negative size",
      "LEVL", patch(9, "\0\0\0\0\0\0\0\128"), "a size of -0",
      "LEVL", patch(17, whole(3)), "an unknown merged grid",
      "LEVL", patch(17, whole(1)), "a grid that is neither a layer nor merged",
      "LEVL", drop, "no header",
      "GRDS", patch(1, whole(size + 1, 8)), "a size that is wrong",
      "GRDS", patch(1, whole(2 ^ 52, 8)), "a large size",
      "GRDS", patch(13, "G"), "a graph in place of a grid",
      "GRDS", patch(14, "\1"), "a grid of another version",
      "GRDS", patch(40, "\7"), "a damaged grid",
      "GRDS", function(all) return all .. "\0" end, "a byte more",
      "GRDS", drop, "no grids",
      "LAYR", patch(1, whole(1)), "grids in another order",
      "LAYR", function(all) return all .. whole(2) end, "an unknown grid",
      "LAYR", function(all) return all .. "\0" end, "a part of a number",
      "LNAM", patch(5, "b"), "a name twice",
      "LNAM", patch(5, "c"), "names in the wrong order",
      "LNAM", patch(6, whole(1)), "a name of the merged grid",
      "LNAM", patch(1, whole(2 ^ 32 - 1)), "a long name",
      "GRAF", patch(5, "R"), "a grid in place of the graph",
      "GRAF", patch(20, "\7"), "a damaged graph",
      "WLLS", patch(5, "G"), "a graph in place of walls",
      "WLLS", patch(20, "\7"), "damaged walls",
      "PNAM", patch(5, "b"), "a name twice",
      "PNAM", patch(6, "\1"), "one dimension",
      "PNAM", patch(6, "\4"), "four dimensions",
      "PNAM", patch(7, "\0\0\0\0\0\0\248\127"), "a position that is no number",
      "PNAM", function(all) return all .. "\0" end, "a byte more",
      "extr", patch(1, "\6"), "an unknown type",
      "extr", patch(2, whole(3)), "more keys",
      "extr", patch(2, whole(1)), "fewer keys",
      "extr", patch(2, whole(2 ^ 32 - 1)), "many keys",
      "extr", patch(10, "m"), "keys in the wrong order",
      "extr", patch(10, "l"), "a key twice",
      "extr", patch(12, whole(0)), "an empty list",
      "extr", patch(24, "\127"), "a number that is not finite",
      "extr", function(all) return all .. "\0" end, "a byte more",
    })
    local deep = ("\4" .. whole(1)):rep(101) .. "\1"
    all_refused(level:encode(), { "extr", function() return deep end, "nested too deep" })
  end)

  it("are skipped in part if a later version has added a section", function()
    local bytes = small:encode()
    local sections = file_reference.sections(bytes)
    table.insert(sections, 2, { "newx", "data" })
    assert.equal(bytes, wend.decode(file_reference.pack(bytes:sub(1, 8), sections)):encode())
    sections[2][1] = "NEWX"
    refused(file_reference.pack(bytes:sub(1, 8), sections), "a required section that is not known")
  end)
end)

describe("a level and scripts", function()
  it("that free or change parts while it is saved cannot do harm", function()
    local level = full()
    level.names.trap = setmetatable({}, { __index = function(_, key)
      level.names, level.graph, level.grids[1] = {}, nil, nil
      level.grid = "none"
      return key ~= "z" and 1 or nil
    end })
    assert.equal("level", wend.type(wend.decode(level:encode())))
    raises("grid must be a grid, got 'none'", level.encode, level)
  end)

  it("that raise while it is saved pass on their error", function()
    local level = full()
    level.names.trap = setmetatable({}, { __index = function() error("no position", 0) end })
    raises("no position", level.encode, level)
  end)

  it("raise if a part was freed", function()
    local freed = wend.grid(2, 2)
    local level = wend.level { grid = freed }
    debug.getmetatable(freed).__gc(freed)
    raises("the grid is gone", level.encode, level)
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

describe("wend.level", function()
  local grid = wend.grid(2, 2)
  helper.all_raise(it, {
    "fields must be a table, got 5", function() wend.level(5) end,
    "fields must be a table, got a wend.Grid", function() wend.level(grid) end,
    "unknown field 'gird' (expected one of: width, height, cell, grid, grids, graph, walls, names, data; keep your own "
      .. "values in data)", function() wend.level { gird = grid } end,
    "unknown field 1 (expected...", function() wend.level { grid } end,
    "grid must be a grid, got a wend.Walls", function() wend.level { grid = wend.walls() } end,
    "graph must be a graph, got a wend.Grid", function() wend.level { graph = grid } end,
    "walls must be made by wend.walls, got a table", function() wend.level { walls = {} } end,
    "grids must be a table, got a wend.Grid", function() wend.level { grids = grid } end,
    "grids[2] must be a grid, got 'x'", function() wend.level { grids = { grid, "x" } } end,
    "grids.roof must be one of the grids of the list, got a wend.Grid",
    function() wend.level { grids = { roof = grid } } end,
    "grids must have names and the numbers of layers as keys, got true",
    function() wend.level { grids = { grid, [true] = grid } } end,
    "width must be a whole number >= 1, got 0", function() wend.level { width = 0 } end,
    "height must be a whole number >= 1, got 1.5", function() wend.level { height = 1.5 } end,
    "width must be a whole number >= 1, got 4294967296", function() wend.level { width = 4294967296 } end,
    "cell must be a finite number > 0, got nan", function() wend.level { cell = 0 / 0 } end,
    "cell must be a finite number > 0, got '8'", function() wend.level { cell = "8" } end,
    "names must be a table, got 'mill'", function() wend.level { names = "mill" } end,
    "names must have strings as keys, got 1", function() wend.level { names = { { x = 1, y = 2 } } } end,
    "names.mill must be a position { x =, y = }, got 7", function() wend.level { names = { mill = 7 } } end,
    "names.mill.y must be a finite number (up to 1e150), got nil",
    function() wend.level { names = { mill = { x = 1 } } } end,
    "names['the mill'].x must be a finite number (up to 1e150), got nan",
    function() wend.level { names = { ["the mill"] = { x = 0 / 0, y = 1 } } } end,
    "names.mill.z must be a finite number (up to 1e150), got '3'",
    function() wend.level { names = { mill = { x = 1, y = 1, z = "3" } } } end,
    "data must be a string, a number, a boolean or a plain table, got a function",
    function() wend.level { data = print } end,
    "data.hero must be a string, a number, a boolean or a plain table, got a wend.Grid",
    function() wend.level { data = { hero = grid } } end,
    "data[2].x must be a finite number that a double holds, got inf",
    function() wend.level { data = { 1, { x = math.huge } } } end,
    "data must be a list without holes: item 2 is nil", function() wend.level { data = { [1] = 1, [3] = 1 } } end,
    "data must have strings or whole numbers as keys, got both", function() wend.level { data = { 1, a = 1 } } end,
    "data must have strings or whole numbers from 1 on as keys, got true",
    function() wend.level { data = { [true] = 1 } } end,
    "data must have strings or whole numbers from 1 on as keys, got 0",
    function() wend.level { data = { [0] = 1 } } end,
    "data.b must not be a table that is in the data twice",
    function()
      local shared = {}
      wend.level { data = { a = shared, b = shared } }
    end,
  })

  it("refuses data that contains itself, or is nested too deep", function()
    local data = {}
    data[1] = { data }
    raises("data[1][1] must not be a table that is in the data twice", wend.level, { data = data })
    data = 1
    for _ = 1, 101 do data = { data } end
    local ok, message = pcall(wend.level, { data = data })
    assert.is_false(ok)
    assert.truthy(message:find("is nested more than 100 deep", 1, true))
  end)
end)

describe("level:encode", function()
  helper.all_raise(it, {
    "unknown field 'extra' (expected...", function()
      local level = wend.level()
      level.extra = 1
      level:encode()
    end,
    "file must be a file's name, got 7", function() wend.level():save(7) end,
  })

  it("is not for fields of another map: the level is refused where a map is wanted", function()
    raises("map must be a graph or a grid, got a wend.Level", wend.decode, wend.grid(1, 1):field(1, 1):encode(),
      { map = wend.level() })
  end)
end)
