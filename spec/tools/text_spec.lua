-- SPDX-License-Identifier: MIT
-- Maps as text: tostring, grid:text, and characters that are not ASCII.

local wend = require "wend"
local helper = require "spec.support.helper"
local file_reference = require "spec.support.file_reference"

local raises = helper.raises
local NAN, HUGE = 0 / 0, math.huge

local LEGEND = { ["~"] = { weight = 2, tag = "swamp" } }

local function lake()
  return wend.parse_grid([[
    ..#....
    ..#.~~.
    ....~~.
  ]], LEGEND, { cell = 10, origin = { -20, 100 } })
end

local function drawn(text) return (text:gsub("\n%s+$", ""):gsub("\n%s+", "\n"):gsub("^%s+", "")) end

describe("tostring", function()
  it("of a grid is one line", function()
    assert.equal("wend.Grid (7 x 3)", tostring(lake()))
    assert.equal("wend.Grid (4096 x 2)", tostring(wend.grid(4096, 2)))
  end)

  it("of a path of a grid shows length, cost and ends", function()
    assert.equal("wend.Path (6 cells, cost 6.8284271247462, from (2,1) to (5,2))", tostring(lake():path(2, 1, 5, 2)))
    assert.equal("wend.Path (1 cell, cost 0, from (1,1) to (1,1))", tostring(lake():path(1, 1, 1, 1)))
  end)

  it("of a path of a graph shows names", function()
    local g = wend.graph()
    g:add_node(0, 0, { name = "gate" })
    g:add_nodes { 3, 4, 6, 8 }
    g:add_edges { 1, 2, 2, 3 }
    assert.equal("wend.Path (3 nodes, cost 10, from 'gate' (1) to 3)", tostring(g:path(1, 3)))
    assert.equal("wend.Path (2 nodes, cost 5, from 3 to 2)", tostring(g:path(3, 2)))
    g:set_name(1, "château")
    assert.equal("wend.Path (2 nodes, cost 5, from 2 to 'château' (1))", tostring(g:path(2, 1)))
  end)

  it("of a path says that it is partial", function()
    local path = wend.grid(9, 1):path(1, 1, 9, 1, { max_cost = 3, partial = true })
    assert.equal("wend.Path (4 cells, cost 3, from (1,1) to (4,1), partial)", tostring(path))
  end)

  it("of a path raises nothing, whatever scripts do to it", function()
    local grid = lake()
    local function path() return assert(grid:path(2, 1, 5, 2)) end
    local function shown(change)
      local changed = path()
      change(changed)
      return tostring(changed)
    end
    assert.equal("wend.Path (empty)", shown(function(p) for i = #p, 1, -1 do p[i] = nil end end))
    assert.equal("wend.Path (6 cells, from (2,1) to (5,2))", shown(function(p) p.cost = nil end))
    assert.equal("wend.Path (6 cells, cost nan, from (2,1) to (5,2))", shown(function(p) p.cost = NAN end))
    assert.equal("wend.Path (6 cells, cost 6.8284271247462, from ('a',1) to (5,a table))",
      shown(function(p) p[1], p[#p] = "a", {} end))
    assert.equal("wend.Path (12 items, cost 6.8284271247462, from 2 to 2)", shown(function(p) p.map = nil end))
    assert.equal("wend.Path (12 items, cost 6.8284271247462, from 2 to 2)", shown(function(p) p.map = "grid" end))
    assert.truthy(shown(function(p) p.map = wend.graph() end):find "^wend.Path %(12 nodes, cost %S+ from 2 to 2%)$")
    local g = wend.graph()
    g:add_node(0, 0, { name = "gate" })
    local alone = g:path(1, 1)
    g:remove_node(1)
    assert.equal("wend.Path (1 node, cost 0, from 1 to 1)", tostring(alone))
    alone[1] = "gate"
    assert.equal("wend.Path (1 node, cost 0, from 'gate' to 'gate')", tostring(alone))
    alone[1] = false
    assert.equal("wend.Path (1 node, cost 0, from false to false)", tostring(alone))
  end)

  it("of a path is there after its map was freed", function()
    local function free(map) debug.getmetatable(map).__gc(map) end
    local grid, g = lake(), wend.graph()
    g:add_node(0, 0, { name = "gate" })
    local one, other = grid:path(1, 1, 2, 1), g:path(1, 1)
    free(grid)
    free(g)
    assert.equal("wend.Path (2 cells, cost 1, from (1,1) to (2,1))", tostring(one))
    assert.equal("wend.Path (1 node, cost 0, from 1 to 1)", tostring(other))
  end)

  it("of a path does not change it", function()
    local path = lake():path(1, 1, 2, 1)
    path[1] = "1"
    tostring(path)
    assert.same({ "1", 1, 2, 1 }, { path[1], path[2], path[3], path[4] })
    assert.equal("number", type(path[3]))
  end)

  it("of a search says how far it is", function()
    local grid = wend.parse_grid "....#."
    local search = grid:search(1, 1, 4, 1)
    assert.equal("wend.Search (running)", tostring(search))
    search:step(100)
    assert.equal("wend.Search (found)", tostring(search))
    search = grid:search(1, 1, 6, 1)
    search:step(100)
    assert.equal("wend.Search (failed)", tostring(search))
  end)

  it("of a search works inside its own callbacks", function()
    local search, shown
    search = wend.grid(3, 1):search(1, 1, 3, 1, { cost = function(_, cost)
      shown = tostring(search)
      return cost
    end })
    search:step(100)
    assert.equal("wend.Search (running)", shown)
  end)

  it("of a route table shows its size", function()
    local g = wend.graph()
    g:add_node()
    local routes = g:routes()
    assert.equal(("wend.Routes (%d bytes)"):format(routes:bytes()), tostring(routes))
  end)
end)

describe("grid:text", function()
  it("draws the cells", function()
    assert.equal("..#....\n..#.~~.\n....~~.", lake():text())
    assert.equal(lake():text(), lake():text {})
  end)

  it("is read back by wend.parse_grid", function()
    local text = lake():text()
    assert.equal(text, wend.parse_grid(text, LEGEND):text())
  end)

  it("draws a path, or several", function()
    local grid = lake()
    assert.equal(drawn [[
      .*#....
      .*#.~*.
      .****~.
    ]], grid:text { path = grid:path(2, 1, 6, 2) })
    assert.equal(drawn [[
      **#....
      ..#.~~.
      ....~**
    ]], grid:text { path = { grid:path(1, 1, 2, 1), grid:path(6, 3, 7, 3) } })
    assert.equal(grid:text(), grid:text { path = {} })
  end)

  it("draws all cells that an agent with a size covers", function()
    local grid = wend.grid(7, 5)
    assert.equal(drawn [[
      .......
      .**....
      .***...
      ..***..
      ...**..
    ]], grid:text { path = grid:path(2, 2, 4, 4, { size = 2 }) })
    assert.equal(drawn [[
      ...***.
      ...***.
      ...***.
      ***....
      ***....
    ]], grid:text { path = { grid:path(5, 2, 5, 2, { size = 3 }), grid:path(2, 5, 2, 5, { size = 3 }) } })
  end)

  it("draws routes and points, one cell for each column or row", function()
    local grid = lake()
    assert.equal(drawn [[
      ..#....
      *******
      ....~~.
    ]], grid:text { points = { -20, 115, 49, 115 } })
    assert.equal(drawn [[
      *.#....
      .*#.~~.
      ..**~~.
    ]], grid:text { route = { -15, 105, 5, 125, 15, 125 } })
    assert.equal(drawn [[
      *.#...*
      *.#.~~*
      *...~~*
    ]], grid:text { points = { { -15, 105, -15, 125 }, { 45, 100, 45, 129 } } })
    assert.equal("*..\n", wend.grid(3, 2):text { points = { 0.5, 0.5 } }:sub(1, 4))
    assert.equal(grid:text(), grid:text { points = {} })
  end)

  it("draws the part of a line that is inside", function()
    local grid = wend.grid(5, 3)
    for _, line in ipairs { { -1e150, 1.5, 1e150, 1.5 }, { 1e150, 1.5, -1e150, 1.5 }, { -7, 1.5, 4.5, 1.5 } } do
      assert.equal(".....\n*****\n.....", grid:text { points = line })
    end
    assert.equal("*....\n.*...\n..*..", grid:text { points = { -1e6, -1e6, 1e6, 1e6 } })
    assert.equal(grid:text(), grid:text { points = { -1, -1, 9, -1, 9, 9 } })
    assert.equal(grid:text(), grid:text { points = { 1e150, 0, 1e150, 9 } })
  end)

  it("draws points of a grid with tiny cells", function()
    local grid = wend.grid(3, 3, { cell = 1e-300 })
    assert.equal(grid:text(), grid:text { points = { 1, 1, 1e150, -1e150 }, marks = { a = { 1e150, 0 } } })
  end)

  it("draws lines through the cells that they cross", function()
    helper.rounds("lines as text", 100, function(rng)
      local width, height = rng(1, 12), rng(1, 12)
      local function coordinate(size) return (rng() * 3 - 1) * size end
      local x1, y1, x2, y2 = coordinate(width), coordinate(height), coordinate(width), coordinate(height)
      local near, crossed, count = {}, {}, 1000
      for i = 0, count do -- the cells near points of the line; the columns, or rows, that it crosses
        local x, y = x1 + (x2 - x1) * i / count, y1 + (y2 - y1) * i / count
        for d = -0.05, 0.05, 0.1 do
          for e = -0.05, 0.05, 0.1 do near[math.floor(x + d) * 1000 + math.floor(y + e)] = true end
        end
        local column = math.abs(x2 - x1) >= math.abs(y2 - y1)
        if x >= 0 and y >= 0 and x < width and y < height then
          local line = math.floor(column and x or y)
          crossed[line] = true
        end
      end
      local across = math.abs(x2 - x1) >= math.abs(y2 - y1)
      local y, found = 0, {}
      for row in wend.grid(width, height):text { points = { x1, y1, x2, y2 } }:gmatch "[^\n]+" do
        for x = 0, width - 1 do
          if row:sub(x + 1, x + 1) == "*" then
            assert.truthy(near[x * 1000 + y], ("(%d,%d) is not on the line"):format(x, y))
            found[across and x or y] = true
          end
        end
        y = y + 1
      end
      for line in pairs(crossed) do -- lines that the line crosses completely, as it is in both beside it
        if crossed[line - 1] and crossed[line + 1] then assert.truthy(found[line], "nothing in line " .. line) end
      end
    end)
  end)

  it("draws marks at positions in the world", function()
    local hero = { x = -15, y = 105 }
    assert.equal(drawn [[
      @.#....
      ..#.e~.
      .e..~~G
    ]], lake():text { marks = { ["@"] = hero, e = { { 25, 115 }, { x = -5, y = 125 } }, G = { 49, 129 } } })
    assert.equal(lake():text(), lake():text { marks = { e = {} } })
    assert.equal(lake():text(), lake():text { marks = { e = { { -21, 100 }, { 50, 100 }, { 0, 99 }, { 0, 1e150 } } } })
  end)

  it("draws marks over paths, and marks in the order of their characters", function()
    local grid = wend.grid(4, 1)
    assert.equal("@**b", grid:text {
      path = grid:path(1, 1, 4, 1), marks = { a = { 3.5, 0.5 }, b = { 3.5, 0.5 }, ["@"] = { 0.5, 0.5 } },
    })
  end)

  it("draws anything with fields x and y", function()
    local follower = wend.follow({ 1.5, 0.5, 3.5, 0.5 }, { speed = 1 })
    local seen = setmetatable({}, { __index = function(_, key) return key == "x" and 2.5 or 0.5 end })
    assert.equal(".fs.", wend.grid(4, 1):text { marks = { f = follower, s = seen } })
    assert.equal(".f..", wend.grid(4, 1):text { marks = { f = { follower } } })
  end)

  it("draws a part of the grid", function()
    local grid = lake()
    assert.equal("#.~\n..~", grid:text { area = { 3, 2, 5, 3 } })
    assert.equal("#.~\n..~", grid:text { area = { 5, 3, 3, 2 } })
    assert.equal("#.*\n..~", grid:text { area = { 3, 2, 5, 3 }, path = grid:path(5, 1, 5, 2) })
    assert.equal("@", grid:text { area = { 7, 3, 7, 3 }, marks = { ["@"] = { 49, 129 }, b = { 39, 129 } } })
  end)
end)

describe("a character", function()
  it("may be any code point in a legend", function()
    local legend = { ["é"] = "élan", ["≈"] = { weight = 3 }, ["🌲"] = { weight = 2, tag = "forêt" } }
    local text = ".é≈🌲\n🌲#≈é"
    local grid = wend.parse_grid(text, legend)
    assert.same({ 4, 2 }, { grid:width(), grid:height() })
    assert.same({ 1, "élan" }, { grid:get(2, 1) })
    assert.same({ 2, "forêt" }, { grid:get(1, 2) })
    assert.equal(text, grid:text())
    assert.equal(text, wend.parse_grid({ ".é≈🌲", "🌲#≈é" }, legend):text())
    assert.equal(".é≈🌲", grid:text { area = { 1, 1, 4, 1 } })
  end)

  it("is kept in files", function()
    local grid = wend.parse_grid("é~#🌲.", { ["é"] = "élan", ["~"] = "swamp", ["🌲"] = { weight = 2 } })
    local bytes = grid:encode()
    local copy = assert(wend.decode(bytes))
    assert.equal("é~#🌲.", copy:text())
    assert.equal(bytes, copy:encode())
    assert.equal("é~#🌲.", grid:copy():text())
  end)

  it("in a file must be one that can be written", function()
    local bytes = wend.parse_grid("é~#🌲.", { ["é"] = "élan", ["~"] = "swamp", ["🌲"] = { weight = 2 } }):encode()
    local function with(change)
      return wend.decode(file_reference.change(bytes, "extr", function(extra)
        assert.equal(28 + 3 * 14, #extra)
        return change(extra)
      end))
    end
    assert.truthy((with(function(extra) return extra end)))
    for what, change in pairs {
      ["none has several bytes"] = function(extra) return extra:sub(1, 28 + 33) .. ("\0"):rep(9) end,
      ["too short"] = function(extra) return extra:sub(1, -2) end,
      ["too long"] = function(extra) return extra .. "\0" end,
      ["no UTF-8"] = function(extra) return extra:sub(1, 28 + 33 + 3) .. "x\0\0" .. extra:sub(28 + 33 + 7) end,
      ["a zero inside"] = function(extra) return extra:sub(1, -4) .. "\0\140\178" end,
      ["cut off"] = function(extra) return extra:sub(1, -2) .. "\0" end,
    } do
      local grid, _, code = with(change)
      assert.same({ nil, "format" }, { grid, code }, what)
    end
  end)

  it("that is no UTF-8 counts as one byte each", function()
    for _, text in ipairs { "\200\201", "\195", "\195.", "\192\128", "\237\160\128", "\244\144\128\128",
      "\240\128\128\128", "\226\130", "\128", "\255\254" } do
      local legend = {}
      for i = 1, #text do legend[text:sub(i, i)] = i + 1 end
      local grid = wend.parse_grid({ text }, legend)
      assert.equal(#text, grid:width())
      assert.equal(text, grid:text())
    end
    assert.equal(2, wend.parse_grid({ "\195\169\195\169" }, { ["\195\169"] = 2 }):width())
  end)

  it("stands for tags of any alphabet", function()
    local grid = wend.grid(6, 1):set(2, 1, "болото"):set(3, 1, "бор"):set(4, 1, "\255é")
    grid:set(5, 1, "\204\129x"):set(6, 1, "é")
    assert.equal(".боéx?", grid:text())
  end)

  it("may be a mark", function()
    assert.equal(".★.", wend.grid(3, 1):text { marks = { ["★"] = { 1.5, 0.5 } } })
    assert.equal(".\200.", wend.grid(3, 1):text { marks = { ["\200"] = { 1.5, 0.5 } } })
  end)

  it("takes its tag number in the same order in every Lua", function()
    local legend = { b = "2", a = "1", ["é"] = "4", ["z"] = "3", ["🌲"] = "5" }
    assert.truthy(wend.parse_grid(".", legend):encode():find("\1\0\0\0" .. "1\1\0\0\0" .. "2\1\0\0\0" .. "3\1\0\0\0"
      .. "4\1\0\0\0" .. "5", 1, true))
  end)

  it("makes the bytes that it always made if it is ASCII", function()
    local bytes = wend.parse_grid("a.", { a = "swamp" }):encode()
    local extra = bytes:match "extr(.*)$"
    assert.equal(8 + 28 + 11 + 4, #extra)
    assert.equal(8 + 28 + 14 + 4, #wend.parse_grid("é.", { ["é"] = "swamp" }):encode():match "extr(.*)$")
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

describe("grid:text", function()
  local grid
  before_each(function() grid = lake() end)

  local PLACE = "a position ({ x, y }, or something with fields x and y)"
  local LINES = " must be a flat list of coordinates, or a list of such lists, got "
  local function text(options) return function() grid:text(options) end end
  helper.all_raise(it, {
    "options must be a table, got 7", text(7),
    "unknown option 'paths' (expected one of: path, route, points, marks, area)", text { paths = {} },
    "path must be a path, or a list of paths, got 7", text { path = 7 },
    "path must be a path, or a list of paths, got 1", text { path = { 1, 1 } },
    "path must be one of this grid", function() grid:text { path = lake():path(1, 1, 1, 1) } end,
    "route" .. LINES .. "'x'", text { route = "x" },
    "points" .. LINES .. "7", text { points = 7 },
    "points" .. LINES .. "1", text { points = { {}, 1 } },
    "points must hold 2 numbers per item, got 3 numbers", text { points = { 1, 2, 3 } },
    "points[2] must be a finite number (up to 1e150), got 'a'", text { points = { 1, "a" } },
    "route[1] must be a finite number (up to 1e150), got nan", text { route = { NAN, 1 } },
    "route[4] must be a finite number (up to 1e150), got inf", text { route = { 1, 1, 1, HUGE } },
    "marks must be a table of positions by character, got 7", text { marks = 7 },
    "each key of marks must be a string of one character, got 1", text { marks = { { 1, 1 } } },
    "each key of marks must be a string of one character, got 'ab'", text { marks = { ab = { 1, 1 } } },
    "each key of marks must be a string of one character, got 'éé'", text { marks = { ["éé"] = { 1, 1 } } },
    "each key of marks must be a string of one character, got ''", text { marks = { [""] = { 1, 1 } } },
    "marks['a'] must be " .. PLACE .. ", or a list of positions, got 7", text { marks = { a = 7 } },
    "marks['a'][2] must be " .. PLACE .. ", got 7", text { marks = { a = { { 1, 1 }, 7 } } },
    "marks['a'].x must be a finite number (up to 1e150), got nan", text { marks = { a = { x = NAN, y = 1 } } },
    "marks['a'].y must be a finite number (up to 1e150), got nil", text { marks = { a = { x = 1 } } },
    "marks['a'][2].y must be a finite number (up to 1e150), got 'b'",
      text { marks = { a = { { 1, 1 }, { x = 1, y = "b" } } } },
    "marks['a'][2] must be a finite number (up to 1e150), got nil", text { marks = { a = { 1 } } },
    "area must be a list { x1, y1, x2, y2 }, got 7", text { area = 7 },
    "area[1] must be a whole number in 1 .. 7, got nil", text { area = {} },
    "area[1] must be a whole number in 1 .. 7, got 0", text { area = { 0, 1, 2, 2 } },
    "area[2] must be a whole number in 1 .. 3, got 4", text { area = { 1, 4, 2, 2 } },
    "area[3] must be a whole number in 1 .. 7, got 1.5", text { area = { 1, 1, 1.5, 2 } },
    "area[4] must be a whole number in 1 .. 3, got nan", text { area = { 1, 1, 1, NAN } },
  })

  it("passes on what a position raises", function()
    raises("no mana", text { marks = { a = setmetatable({}, { __index = function() error("no mana", 0) end }) } })
  end)

  it("bears a position that frees the grid", function()
    local gone = setmetatable({}, { __index = function()
      debug.getmetatable(grid).__gc(grid)
      return 1
    end })
    local ok, message = pcall(grid.text, grid, { marks = { a = gone } })
    assert.equal(false, ok)
    assert.truthy(message:find "the grid is gone$")
  end)
end)

describe("core.draw", function()
  it("refuses what is no grid, no cell or no list, and leaves out marks that are none", function()
    local draw, grid = wend.core.draw, lake()
    raises("self must be a grid (call it with a colon: grid:method()), got a table", draw, {}, 1, 1, 1, 1, {})
    raises("area[1] must be a whole number in 1 .. 7, got 0", draw, grid, 0, 1, 1, 1, {})
    raises("area[4] must be a whole number in 1 .. 3, got 4", draw, grid, 1, 1, 1, 4, {})
    raises("marks must be a list, got nil", draw, grid, 1, 1, 7, 3)
    assert.equal("..#", draw(grid, 1, 1, 3, 1, { 1, 1, "", 2, 1, 7, 0, 0, "a", NAN, 1, "a", 9, 1, "a", 1 }))
  end)
end)

describe("wend.parse_grid", function()
  it("counts columns in characters in its messages", function()
    raises("unknown character 'à' in row 2, column 2 (legend: '#' '.' 'é')", wend.parse_grid, { "éé.", "éà." },
      { ["é"] = 2 })
    raises("row 2 is 3 wide, row 1 is 2 wide", wend.parse_grid, { "éé", "ééé" }, { ["é"] = 2 })
    raises("each key of legend must be a string of one character, got 'éa'", wend.parse_grid, "...", { ["éa"] = 1 })
    raises("legend['é'] must be a number >= 0, false, a tag or { weight =, tag = }, got true", wend.parse_grid, "...",
      { ["é"] = true })
    raises("legend['.'] must be a number >= 0, false, a tag or { weight =, tag = }, got true", wend.parse_grid, "...",
      { ["\200"] = true })
  end)

  it("takes 256 characters in a legend, and no more", function()
    local legend, count = {}, 0
    for a = 128, 191 do
      for b = 195, 198 do
        legend[string.char(b, a)] = 2
        count = count + 1
      end
    end
    assert.equal(256, count)
    assert.equal("À", wend.parse_grid("À", legend):text())
    legend["x"] = 1
    raises("a legend has at most 256 characters", wend.parse_grid, "...", legend)
  end)
end)

describe("grid:text of hexes", function()
  it("draws the same cells for a path and for its points", function()
    helper.rounds("text of hexes", 60, function(rng)
      local wide, high = rng(1, 9), rng(1, 9)
      local grid = wend.grid(wide, high, { shape = "hex", flat = rng:chance(0.5), shift = rng:pick { "odd", "even" },
        cell = { rng(1, 40), rng(1, 40) }, origin = { rng(-9, 9), rng(-9, 9) } })
      grid:map(function() return rng:pick { 1, 1, 1, 3, false } end)
      local path = grid:path(rng(1, wide), rng(1, high), rng(1, wide), rng(1, high))
      if path then assert.equal(grid:text { path = path }, grid:text { points = path:points() }) end
    end)
  end)

  it("leaves out what lies outside", function()
    local grid = wend.grid(2, 2, { shape = "hex", cell = 10 })
    assert.equal("..\n..", grid:text { marks = { X = { { -1e150, 1e150 }, { 1, 1 }, { 26, 1 } } } })
    assert.equal("X.\n..", grid:text { marks = { X = { 10, 0.5 } } })
    assert.equal("..\n..", grid:text { points = { -40, -40, 1e150, -50 } })
  end)
end)

describe("a message", function()
  it("cuts long strings between two characters", function()
    local g = wend.graph()
    raises("from: there is no node named '" .. ("x"):rep(38) .. "é...'", g.path, g, ("x"):rep(38) .. "éy", 1)
    raises("from: there is no node named '" .. ("x"):rep(39) .. "...'", g.path, g, ("x"):rep(39) .. "éy", 1)
    raises("from: there is no node named '" .. ("x"):rep(40) .. "...'", g.path, g, ("x"):rep(40) .. "éy", 1)
    raises("from: there is no node named '" .. ("x"):rep(37) .. "...'", g.path, g, ("x"):rep(37) .. "🌲yyy", 1)
    raises("from: there is no node named '" .. ("\128"):rep(40) .. "...'", g.path, g, ("\128"):rep(60), 1)
  end)

  it("of the helpers in Lua does the same", function()
    local check = require "wend.check"
    assert.equal("'" .. ("x"):rep(39) .. "...'", check.describe(("x"):rep(39) .. "éy"))
    assert.equal("'" .. ("x"):rep(38) .. "é...'", check.describe(("x"):rep(38) .. "éyy"))
    assert.equal("'" .. ("x"):rep(37) .. "...'", check.describe(("x"):rep(37) .. "🌲yyy"))
    assert.equal("'" .. ("\128"):rep(40) .. "...'", check.describe(("\128"):rep(60)))
    assert.equal("'" .. ("x"):rep(40) .. "'", check.describe(("x"):rep(40)))
  end)
end)
