-- SPDX-License-Identifier: MIT
-- Every misuse of grids and fields and its exact message.
local grid_reference = require "spec.grid_reference"
local helper = require "spec.helper"
local wend = require "wend"

local raises, show = helper.raises, grid_reference.show
local NAN, HUGE = 0 / 0, math.huge

local grid, g, path, search, field, nodes

before_each(function()
  grid = wend.grid(7, 3)
  g = wend.graph()
  g:add_nodes { 0, 0, 3, 4, 6, 8 }
  g:add_edges { 1, 2, 2, 3 }
  g:set_name(1, "gate")
  path = assert(grid:path(1, 1, 7, 3))
  search = grid:search(1, 1, 7, 3)
  field = grid:field(1, 1)
  nodes = g:field(1)
end)

-- Each line: what is raised, and the call.
local function all(cases)
  for i = 1, #cases, 2 do
    it(("raises: %s (%d)"):format(cases[i], i), function() raises(cases[i], cases[i + 1]) end)
  end
end

local FINITE = "must be a finite number >= 0"
local STRING = "must be a string that is not empty"
local SEVEN, THREE = "must be a whole number in 1 .. 7", "must be a whole number in 1 .. 3"
local VALUE = "must be a number >= 0, false, a tag or { weight =, tag = }"
local SIZE = "must be a whole number in 1 .. 2147483647"
local GRID_OPTIONS = "(expected one of: diagonals, cell, origin)"
local PATH_OPTIONS = helper.PATH_OPTIONS
local FIELD_OPTIONS = "(expected one of: costs, agent, cost, at_least, max_cost, window, stats, max_expanded, outward, "
  .. "values, into)"

describe("wend.grid", function()
  all {
    "width " .. SIZE .. ", got nil", function() wend.grid() end,
    "height " .. SIZE .. ", got nil", function() wend.grid(7) end,
    "width " .. SIZE .. ", got 0", function() wend.grid(0, 3) end,
    "height " .. SIZE .. ", got -1", function() wend.grid(7, -1) end,
    "width " .. SIZE .. ", got 2.5", function() wend.grid(2.5, 3) end,
    "height " .. SIZE .. ", got nan", function() wend.grid(7, NAN) end,
    "width " .. SIZE .. ", got inf", function() wend.grid(HUGE, 3) end,
    "width " .. SIZE .. ", got '7'", function() wend.grid("7", 3) end,
    "width " .. SIZE .. ", got a table", function() wend.grid { 7, 3 } end,
    "options must be a table, got 5", function() wend.grid(7, 3, 5) end,
    "unknown option 'diagonal' " .. GRID_OPTIONS, function() wend.grid(7, 3, { diagonal = "never" }) end,
    "unknown option 1 " .. GRID_OPTIONS, function() wend.grid(7, 3, { "never" }) end,
    "diagonals must be one of: both_open, one_open, always, never, got 'some'",
      function() wend.grid(7, 3, { diagonals = "some" }) end,
    "diagonals must be one of: both_open, one_open, always, never, got true",
      function() wend.grid(7, 3, { diagonals = true }) end,
    "cell must be a finite number > 0, got 0", function() wend.grid(7, 3, { cell = 0 }) end,
    "cell must be a finite number > 0, got -1", function() wend.grid(7, 3, { cell = -1 }) end,
    "cell must be a finite number > 0, got nan", function() wend.grid(7, 3, { cell = NAN }) end,
    "cell must be a finite number > 0, got inf", function() wend.grid(7, 3, { cell = HUGE }) end,
    "cell must be a finite number > 0, got '32'", function() wend.grid(7, 3, { cell = "32" }) end,
    "origin must be a position ({ x, y }), got 7", function() wend.grid(7, 3, { origin = 7 }) end,
    "origin: x must be a finite number (up to 1e150), got nil", function() wend.grid(7, 3, { origin = {} }) end,
    "origin: y must be a finite number (up to 1e150), got nan",
      function() wend.grid(7, 3, { origin = { 1, NAN } }) end,
    "origin: y must be a finite number (up to 1e150), got 'a'",
      function() wend.grid(7, 3, { origin = { x = 1, y = "a" } }) end,
  }
end)

describe("a method that is not called on its own kind", function()
  local function others()
    return { { nil, "nil" }, { 7, "7" }, { {}, "a table" }, { g, "a wend.Graph" }, { search, "a wend.Search" } }
  end

  it("raises: grids", function()
    local count = 0
    for _, method in pairs(helper.methods(grid)) do
      count = count + 1
      local list = others()
      list[#list + 1] = { field, "a wend.Field" }
      for _, other in pairs(list) do
        raises("self must be a grid (call it with a colon: grid:method()), got " .. other[2], method, other[1], 1, 1)
      end
      raises("self must be a grid (call it with a colon: grid:method()), got nil", method)
    end
    assert.truthy(count >= 16)
  end)

  it("raises: fields", function()
    local count = 0
    for _, method in pairs(helper.methods(field)) do
      count = count + 1
      local list = others()
      list[#list + 1] = { grid, "a wend.Grid" }
      for _, other in pairs(list) do
        raises("self must be a field (call it with a colon: field:method()), got " .. other[2], method, other[1], 1, 1)
      end
    end
    assert.truthy(count >= 9)
  end)

  it("raises: a graph's method on a grid", function()
    raises("self must be a graph (call it with a colon: graph:method()), got a wend.Grid", g.path, grid, 1, 2)
    raises("self must be a graph (call it with a colon: graph:method()), got a wend.Field", g.close, field, 1)
  end)
end)

describe("what takes one cell", function()
  for _, name in ipairs { "get", "set" } do
    it("raises: grid:" .. name, function()
      local method = grid[name]
      raises("x " .. SEVEN .. ", got nil", method, grid)
      raises("y " .. THREE .. ", got nil", method, grid, 1)
      raises("x " .. SEVEN .. ", got 8", method, grid, 8, 1, 1)
      raises("x " .. SEVEN .. ", got 0", method, grid, 0, 1, 1)
      raises("x " .. SEVEN .. ", got -1", method, grid, -1, 1, 1)
      raises("y " .. THREE .. ", got 4", method, grid, 1, 4, 1)
      raises("y " .. THREE .. ", got 0", method, grid, 1, 0, 1)
      raises("x " .. SEVEN .. ", got 1.5", method, grid, 1.5, 1, 1)
      raises("y " .. THREE .. ", got 2.5", method, grid, 1, 2.5, 1)
      raises("x " .. SEVEN .. ", got nan", method, grid, NAN, 1, 1)
      raises("x " .. SEVEN .. ", got inf", method, grid, HUGE, 1, 1)
      raises("y " .. THREE .. ", got -inf", method, grid, 1, -HUGE, 1)
      raises("x " .. SEVEN .. ", got '1'", method, grid, "1", 1, 1)
      raises("x " .. SEVEN .. ", got a table", method, grid, { 1, 1 }, 1)
      raises("x " .. SEVEN .. ", got 4294967297", method, grid, 4294967297, 1, 1)
    end)
  end
end)

describe("what takes two cells", function()
  for _, name in ipairs { "wall", "link", "unlink", "path", "search", "clear" } do
    it("raises: grid:" .. name, function()
      local method = grid[name]
      raises("x1 " .. SEVEN .. ", got nil", method, grid)
      raises("y1 " .. THREE .. ", got nil", method, grid, 1)
      raises("x1 " .. SEVEN .. ", got 8", method, grid, 8, 1, 1, 1)
      raises("y1 " .. THREE .. ", got 0", method, grid, 1, 0, 1, 1)
      raises("x2 " .. SEVEN .. ", got 2.5", method, grid, 1, 1, 2.5, 1)
      raises("y2 " .. THREE .. ", got 4", method, grid, 1, 1, 1, 4)
      raises("y2 " .. THREE .. ", got nil", method, grid, 1, 1, 1)
      raises("x1 " .. SEVEN .. ", got nan", method, grid, NAN, 1, 1, 1)
      raises("y2 " .. THREE .. ", got '1'", method, grid, 1, 1, 1, "1")
    end)
  end

  it("raises: grid:fill", function()
    raises("x1 " .. SEVEN .. ", got 8", grid.fill, grid, 8, 1, 1, 1, 1)
    raises("y1 " .. THREE .. ", got 0", grid.fill, grid, 1, 0, 1, 1, 1)
    raises("x2 " .. SEVEN .. ", got 2.5", grid.fill, grid, 1, 1, 2.5, 1, 1)
    raises("y2 " .. THREE .. ", got 4", grid.fill, grid, 1, 1, 1, 4, 1)
    raises("y2 " .. THREE .. ", got nil", grid.fill, grid, 1, 1, 1)
  end)
end)

describe("what takes a cell's value", function()
  local function with(value, message)
    for what, call in pairs {
      set = function() grid:set(1, 1, value) end,
      fill = function() grid:fill(value) end,
      rectangle = function() grid:fill(1, 1, 2, 2, value) end,
    } do
      it(("raises: %s (%s)"):format(message, what), function()
        raises("value" .. message, call)
        assert.equal(".......\n.......\n.......", tostring(grid))
      end)
    end
    if value ~= nil then
      it(("raises: %s (map)"):format(message), function()
        raises("the value of cell (2,1)" .. message, grid.map, grid, function(x)
          if x == 1 then return false end
          return value
        end)
        assert.equal(".......\n.......\n.......", tostring(grid))
      end)
      it(("raises: %s (legend)"):format(message), function()
        raises("legend['~']" .. message, wend.parse_grid, { "~" }, { ["~"] = value })
      end)
    end
  end

  with(nil, " " .. VALUE .. ", got nil")
  with(-1, " " .. VALUE .. ", got -1")
  with(-HUGE, " " .. VALUE .. ", got -inf")
  with(NAN, " " .. VALUE .. ", got nan")
  with(true, " " .. VALUE .. ", got true")
  with("", " " .. STRING .. ", got ''")
  with(print, " " .. VALUE .. ", got a function")
  with(io.stdout, _VERSION >= "Lua 5.3" and " " .. VALUE .. ", got a FILE*" or " " .. VALUE .. ", got a userdata")
  with({ weight = -1 }, ": weight must be a number >= 0 or false, got -1")
  with({ weight = NAN }, ": weight must be a number >= 0 or false, got nan")
  with({ weight = "2" }, ": weight must be a number >= 0 or false, got '2'")
  with({ weight = true }, ": weight must be a number >= 0 or false, got true")
  with({ tag = 7 }, ": tag " .. STRING .. ", got 7")
  with({ tag = "" }, ": tag " .. STRING .. ", got ''")
  with({ tag = false }, ": tag " .. STRING .. ", got false")
end)

describe("unknown fields of a value", function()
  all {
    "unknown option 'wieght' (expected one of: weight, tag)", function() grid:set(1, 1, { wieght = 2 }) end,
    "unknown option 1 (expected one of: weight, tag)", function() grid:fill { 2, "swamp" } end,
  }
end)

describe("grid:map", function()
  all {
    "fn must be a function, got nil", function() grid:map() end,
    "fn must be a function, got a table", function() grid:map {} end,
    "fn must be a function, got 3", function() grid:map(3) end,
  }

  it("raises what its function raises", function()
    local mine = {}
    raises("no mana", grid.map, grid, function() error("no mana", 0) end)
    local _, problem = pcall(grid.map, grid, function() error(mine) end)
    assert.equal(mine, problem)
  end)

  it("does not let its function edit the grid", function()
    local refused = 0
    grid:map(function()
      for _, edit in ipairs {
        function() grid:set(1, 1, 5) end, function() grid:fill(5) end, function() grid:wall(1, 1, 2, 1) end,
        function() grid:link(1, 1, 3, 3) end, function() grid:unlink(1, 1, 3, 3) end,
        function() grid:map(function() end) end,
      } do
        raises("the grid is being mapped: its own function cannot change it", edit)
        refused = refused + 1
      end
    end)
    assert.equal(126, refused)
    assert.equal(".......\n.......\n.......", tostring(grid))
    grid:set(1, 1, 5)
  end)

  it("lets the grid be edited again after its function has raised", function()
    pcall(grid.map, grid, function() error "no" end)
    assert.equal(5, grid:set(1, 1, 5):get(1, 1))
  end)
end)

describe("grid:wall", function()
  all {
    "a wall must be between two neighbouring cells, got (1,1) and (3,1)", function() grid:wall(1, 1, 3, 1) end,
    "a wall must be between two neighbouring cells, got (1,1) and (1,1)", function() grid:wall(1, 1, 1, 1) end,
    "a wall must be between two neighbouring cells, got (1,1) and (2,3)", function() grid:wall(1, 1, 2, 3) end,
    "closed must be true or false, got 1", function() grid:wall(1, 1, 2, 1, 1) end,
    "closed must be true or false, got 'no'", function() grid:wall(1, 1, 2, 1, "no") end,
  }
end)

describe("grid:link", function()
  all {
    "options must be a table, got 7", function() grid:link(1, 1, 3, 1, 7) end,
    "unknown option 'cost' (expected one of: weight, tag, directed)",
      function() grid:link(1, 1, 3, 1, { cost = 7 }) end,
    "weight " .. FINITE .. ", got -1", function() grid:link(1, 1, 3, 1, { weight = -1 }) end,
    "weight " .. FINITE .. ", got nan", function() grid:link(1, 1, 3, 1, { weight = NAN }) end,
    "weight " .. FINITE .. ", got inf", function() grid:link(1, 1, 3, 1, { weight = HUGE }) end,
    "weight " .. FINITE .. ", got '7'", function() grid:link(1, 1, 3, 1, { weight = "7" }) end,
    "weight " .. FINITE .. ", got false", function() grid:link(1, 1, 3, 1, { weight = false }) end,
    "tag " .. STRING .. ", got 7", function() grid:link(1, 1, 3, 1, { tag = 7 }) end,
    "tag " .. STRING .. ", got ''", function() grid:link(1, 1, 3, 1, { tag = "" }) end,
    "directed must be true or false, got 1", function() grid:link(1, 1, 3, 1, { directed = 1 }) end,
  }
end)

describe("wend.parse_grid", function()
  local function parse(...)
    local count, list = select("#", ...), { ... }
    return function() return wend.parse_grid((unpack or table.unpack)(list, 1, count)) end
  end
  all {
    "text must be a string or a list of rows, got nil", parse(),
    "text must be a string or a list of rows, got 7", parse(7),
    "text must be a string or a list of rows, got a function", parse(print),
    "text must hold at least one row", parse "",
    "text must hold at least one row", parse "\n  \n\n",
    "text must hold at least one row", parse {},
    "row 1 is empty", parse { "" },
    "text[2] must be a string (a row), got 7", parse { "...", 7 },
    "row 3 is 6 wide, row 1 is 7 wide", parse "\n.......\n.......\n......\n",
    "row 2 is 4 wide, row 1 is 3 wide", parse { "...", "....", "..." },
    "row 2 is 0 wide, row 1 is 3 wide", parse { "...", "", "..." },
    "unknown character '?' in row 2, column 5 (legend: '#' '.')", parse { ".......", "....?..", "......." },
    "unknown character '?' in row 2, column 5 (legend: '#' '.' '~')",
      parse({ ".......", "....?..", "......." }, { ["~"] = "swamp" }),
    "unknown character ' ' in row 1, column 2 (legend: '#' '.')", parse { ". ." },
    "unknown character '\200' in row 1, column 2 (legend: '#' '.')", parse { ".\200." },
    "legend must be a table, got 'swamp'", parse("...", "swamp"),
    "each key of legend must be a string of one character, got 1", parse("...", { "swamp" }),
    "each key of legend must be a string of one character, got 'ab'", parse("...", { ab = 1 }),
    "each key of legend must be a string of one character, got ''", parse("...", { [""] = 1 }),
    "options must be a table, got 7", parse("...", {}, 7),
    "unknown option 'diagonal' " .. GRID_OPTIONS, parse("...", {}, { diagonal = "never" }),
    "diagonals must be one of: both_open, one_open, always, never, got 'some'",
      parse("...", {}, { diagonals = "some" }),
  }
end)

describe("grid:cell_at", function()
  all {
    "px must be a finite number, got nil", function() grid:cell_at() end,
    "py must be a finite number, got 'a'", function() grid:cell_at(1, "a") end,
    "px must be a finite number, got nan", function() grid:cell_at(NAN, 1) end,
    "py must be a finite number, got inf", function() grid:cell_at(1, HUGE) end,
  }
end)

for _, name in ipairs { "path", "search" } do
  describe("grid:" .. name, function()
    local function go(opts)
      return function() return grid[name](grid, 1, 1, 7, 3, type(opts) == "function" and opts() or opts) end
    end
    local function to(goals, opts)
      return function() return grid[name](grid, 1, 1, goals, opts) end
    end
    all {
      "goals must be a cell or a list of cells, got an empty list", to {},
      "goals must hold 2 numbers per item, got 3 numbers", to { 1, 1, 2 },
      "goals[3] " .. SEVEN .. ", got 8", to { 7, 3, 8, 1 },
      "goals[2] " .. THREE .. ", got 2.5", to { 7, 2.5 },
      "goals[1] " .. SEVEN .. ", got a table", to { { 7, 3 }, { 1, 1 } },
      "goals[4] " .. THREE .. ", got nan", to { 7, 3, 1, NAN },
      "options must be a table, got 5", go(5),
      "options must be a table, got 'dijkstra'", go "dijkstra",
      "options must be a table, got 'dijkstra'", to({ 7, 3 }, "dijkstra"),
      "unknown option 'algoritm' " .. PATH_OPTIONS, go { algoritm = "dijkstra" },
      "unknown option 'window' " .. PATH_OPTIONS, go { window = 3 },
      "unknown option 1 " .. PATH_OPTIONS, to({ 7, 3 }, { "dijkstra" }),
      "costs must be a profile made by wend.costs, got a table", go { costs = { road = 1 } },
      "costs must be a profile made by wend.costs, got a wend.Grid", go(function() return { costs = grid } end),
      "cost must be a function, got 3", go { cost = 3 },
      "at_least is the promise of the option 'cost', which is not given", go { at_least = 1 },
      "at_least must be a number in 0 .. 1, got nan", go { cost = print, at_least = NAN },
      "algorithm must be one of: astar, dijkstra, got 'jps'", go { algorithm = "jps" },
      "heuristic must be one of: auto, zero, euclidean, manhattan, chebyshev, octile, or a function, got 'taxi'",
        go { heuristic = "taxi" },
      "algorithm 'dijkstra' has no heuristic: leave one of the two options out",
        go { algorithm = "dijkstra", heuristic = "octile" },
      "max_expanded must be a whole number >= 0, got -1", go { max_expanded = -1 },
      "max_cost must be a number >= 0, got nan", go { max_cost = NAN },
      "partial must be true or false, got 1", go { partial = 1 },
      "into must be a table, got true", go { into = true },
      "stats must be a table, got 'all'", go { stats = "all" },
    }
  end)
end

describe("methods of paths over grids", function()
  all {
    "self must be a path of a graph: the steps of a grid have no ids", function() path:edges() end,
    "options must be a table, got 3", function() path:points(3) end,
    "options must be a table, got 3", function() path:explain(3) end,
    "unknown option 'cots' (expected one of: costs, agent, cost, at_least)", function() path:explain { cots = 1 } end,
  }

  it("raise on a path that was emptied", function()
    local into = grid:path(1, 1, 7, 3, { into = {} })
    grid:fill(4, 1, 4, 3, false)
    grid:path(1, 1, 7, 3, { into = into })
    for _, name in ipairs { "edges", "explain", "points", "valid" } do
      raises("self must be a path, got a table that is empty or was never filled", path[name], into)
    end
  end)

  it("raise where its cells were tampered with", function()
    path[3] = 9
    for _, name in ipairs { "explain", "points" } do
      raises("path[3] " .. SEVEN .. ", got 9", path[name], path)
    end
    for i = 1, #path do path[i] = nil end
    raises("path[1] " .. SEVEN .. ", got nil", path.explain, path)
  end)

  it("raise where a link of the path is gone", function()
    grid:fill(4, 1, 4, 3, false):link(3, 1, 5, 1)
    local over = grid:path(1, 1, 7, 1)
    grid:unlink(3, 1, 5, 1)
    raises("a link of the path was removed", over.explain, over)
  end)
end)

describe("grid:clear", function()
  all {
    "options must be a table, got 7", function() grid:clear(1, 1, 7, 3, 7) end,
    "unknown option 'radius' (expected one of: costs, agent, cost, at_least)",
      function() grid:clear(1, 1, 7, 3, { radius = 1 }) end,
    "costs must be a profile made by wend.costs, got a table", function() grid:clear(1, 1, 7, 3, { costs = {} }) end,
    "cost must be a function, got 3", function() grid:clear(1, 1, 7, 3, { cost = 3 }) end,
    "at_least is the promise of the option 'cost', which is not given",
      function() grid:clear(1, 1, 7, 3, { at_least = 1 }) end,
  }
end)

describe("grid:straighten", function()
  all {
    "path must be a path of this grid, got nil", function() grid:straighten() end,
    "path must be a path of this grid, got a table", function() grid:straighten {} end,
    "path must be a path of this grid, got a table", function() grid:straighten { 1, 1, 7, 3 } end,
    "path must be a path of this grid, got 7", function() grid:straighten(7) end,
    "path must be a path of this grid, got a wend.Path",
      function() grid:straighten(wend.grid(7, 3):path(1, 1, 7, 3)) end,
    "path must be a path of this grid, got a wend.Path", function() grid:straighten(g:path(1, 2)) end,
    "path must be a path of this grid, got one without cells", function() grid:straighten { map = grid } end,
    "path[3] " .. SEVEN .. ", got 9", function() grid:straighten { map = grid, 1, 1, 9, 1 } end,
    "path[2] " .. THREE .. ", got 'a'", function() grid:straighten { map = grid, 1, "a" } end,
    "options must be a table, got 7", function() grid:straighten(path, 7) end,
    "unknown option 'stats' (expected one of: costs, agent, cost, at_least, into)",
      function() grid:straighten(path, { stats = {} }) end,
    "into must be a table, got 7", function() grid:straighten(path, { into = 7 }) end,
  }
end)

describe("grid:field", function()
  local function go(opts)
    return function() return grid:field(1, 1, type(opts) == "function" and opts() or opts) end
  end
  local function goals(list, opts)
    return function() return grid:field(list, opts) end
  end
  all {
    "x " .. SEVEN .. ", got nil", function() grid:field() end,
    "y " .. THREE .. ", got nil", function() grid:field(1) end,
    "x " .. SEVEN .. ", got 8", function() grid:field(8, 1) end,
    "y " .. THREE .. ", got 1.5", function() grid:field(1, 1.5) end,
    "x " .. SEVEN .. ", got nan", function() grid:field(NAN, 1) end,
    "goals must be a cell or a list of cells, got an empty list", goals {},
    "goals must hold 2 numbers per item, got 3 numbers", goals { 1, 1, 2 },
    "goals[3] " .. SEVEN .. ", got 8", goals { 1, 1, 8, 1 },
    "goals[1] " .. SEVEN .. ", got a table", goals { { 1, 1 }, { 2, 2 } },
    "options must be a table, got 7", go(7),
    "options must be a table, got 7", goals({ 1, 1 }, 7),
    "unknown option 'windw' " .. FIELD_OPTIONS, go { windw = 3 },
    "unknown option 'algorithm' " .. FIELD_OPTIONS, go { algorithm = "dijkstra" },
    "window must be a whole number >= 1, got 0", go { window = 0 },
    "window must be a whole number >= 1, got -2", go { window = -2 },
    "window must be a whole number >= 1, got 1.5", go { window = 1.5 },
    "window must be a whole number >= 1, got nan", go { window = NAN },
    "window must be a whole number >= 1, got '3'", go { window = "3" },
    "outward must be true or false, got 1", go { outward = 1 },
    "values must be a list, got 3", go { values = 3 },
    "values must hold a number for each of the 2 goals, got 1", goals({ 1, 1, 2, 2 }, { values = { 1 } }),
    "values must hold a number for each of the 1 goals, got 2", go { values = { 1, 2 } },
    "values[2] must be a finite number, got nan", goals({ 1, 1, 2, 2 }, { values = { 1, NAN } }),
    "values[1] must be a finite number, got '1'", go { values = { "1" } },
    "values[1] must be a finite number, got inf", go { values = { HUGE } },
    "max_cost must be a number >= 0, got -1", go { max_cost = -1 },
    "max_expanded must be a whole number >= 0, got -1", go { max_expanded = -1 },
    "into must be a field, got a table", go { into = {} },
    "into must be a field, got a wend.Grid", go(function() return { into = grid } end),
    "stats must be a table, got 'all'", go { stats = "all" },
    "costs must be a profile made by wend.costs, got a table", go { costs = {} },
    "cost must be a function, got 3", go { cost = 3 },
    "at_least is the promise of the option 'cost', which is not given", go { at_least = 1 },
  }
end)

describe("graph:field", function()
  local NODE = "must be a node (its id or name)"
  all {
    "goals " .. NODE .. ", got nil", function() g:field() end,
    "goals: there is no node 9", function() g:field(9) end,
    "goals: there is no node named 'moat'", function() g:field "moat" end,
    "goals must be a node or a list of nodes, got an empty list", function() g:field {} end,
    "goals[2]: there is no node 9", function() g:field { 1, 9 } end,
    "goals[1] " .. NODE .. ", got a table", function() g:field { { 1 } } end,
    "window is an option of grids: a graph has no columns and rows", function() g:field(1, { window = 3 }) end,
    "unknown option 'windw' " .. FIELD_OPTIONS, function() g:field(1, { windw = 3 }) end,
    "values must hold a number for each of the 2 goals, got 1", function() g:field({ 1, 2 }, { values = { 1 } }) end,
    "into must be a field, got a table", function() g:field(1, { into = {} }) end,
  }
end)

describe("methods of fields", function()
  it("raise where a cell is none", function()
    for _, name in ipairs { "cost", "next", "path", "goal" } do
      local method = field[name]
      raises("x " .. SEVEN .. ", got nil", method, field)
      raises("y " .. THREE .. ", got nil", method, field, 1)
      raises("x " .. SEVEN .. ", got 1.5", method, field, 1.5, 1)
      raises("y " .. THREE .. ", got nan", method, field, 1, NAN)
      raises("x " .. SEVEN .. ", got '1'", method, field, "1", 1)
      raises("x " .. SEVEN .. ", got a table", method, field, { 1, 1 })
    end
    raises("x " .. SEVEN .. ", got 8", field.path, field, 8, 1)
  end)

  it("raise where a node is none", function()
    for _, name in ipairs { "cost", "next", "path", "goal" } do
      local method = nodes[name]
      raises("node must be a node (its id or name), got nil", method, nodes)
      raises("node must be a node (its id or name), got 1.5", method, nodes, 1.5)
      raises("node: there is no node 9", method, nodes, 9)
      raises("node: there is no node named 'moat'", method, nodes, "moat")
    end
  end)

  all {
    "other must be a field, got nil", function() field:add() end,
    "other must be a field, got a wend.Grid", function() field:add(grid) end,
    "other must be a field of the same grid", function() field:add(wend.grid(7, 3):field(1, 1)) end,
    "other must be a field of the same grid", function() field:add(nodes) end,
    "k must be a finite number, got nan", function() field:add(field, NAN) end,
    "k must be a finite number, got inf", function() field:add(field, HUGE) end,
    "k must be a finite number, got '1'", function() field:add(field, "1") end,
    "k must be a finite number, got nil", function() field:scale() end,
    "k must be a finite number, got nan", function() field:scale(NAN) end,
    "k must be a finite number, got -inf", function() field:scale(-HUGE) end,
  }

  it("path and goal raise after arithmetic, until relax", function()
    for _, calculate in ipairs {
      function() field:scale(-1) end, function() field:add(grid:field(7, 3)) end,
    } do
      calculate()
      raises("the field was changed by arithmetic: call relax first", field.path, field, 3, 1)
      raises("the field was changed by arithmetic: call relax first", field.goal, field, 3, 1)
      field:relax()
      assert(field:path(3, 1))
      assert.equal("number", type(field:goal(3, 1)))
    end
    nodes:scale(2)
    raises("the field was changed by arithmetic: call relax first", nodes.path, nodes, 2)
    raises("the field was changed by arithmetic: call relax first", nodes.goal, nodes, "gate")
  end)
end)

describe("a field of a map that has changed", function()
  it("can be read, scaled and added", function()
    grid:set(2, 1, 5)
    assert.equal(true, field:stale())
    assert.equal(2, field:cost(3, 1))
    field:scale(2)
    assert.equal(4, field:cost(3, 1))
    field:add(field)
    assert.equal(8, field:cost(3, 1))
  end)

  it("is not relaxed: that would mix two maps", function()
    field:scale(-2)
    grid:set(2, 1, 5)
    helper.fails("the grid has changed since the field was made", "stale", field.relax, field)
    assert.same({ -4, true }, { field:cost(3, 1), field:stale() })
    raises("the field was changed by arithmetic: call relax first", field.path, field, 3, 1)
    g:close(3)
    helper.fails("the graph has changed since the field was made", "stale", nodes.relax, nodes)
  end)

  it("still tells the way, as it was", function()
    grid:set(2, 1, false)
    local over = assert(field:path(3, 1))
    assert.same({ "3,1 2,1 1,1", 2, false }, { grid_reference.text(over), over.cost, over:valid() })
  end)

  it("answers next after arithmetic by the map as it is now", function()
    assert.same({ 3, 1 }, { wend.grid(3, 1):field(1, 1):scale(-1):next(2, 1) })
    local row = wend.grid(3, 1)
    local flee = row:field(1, 1):scale(-1)
    row:set(3, 1, false)
    assert.equal(nil, (flee:next(2, 1)))
  end)

  it("knows nothing of nodes that are new, and nodes that are gone raise", function()
    local n = g:add_node(9, 9)
    assert.equal(nil, nodes:cost(n))
    assert.equal(nil, (nodes:next(n)))
    g:remove_node(2)
    raises("node: there is no node 2", nodes.cost, nodes, 2)
  end)
end)

-- Functions of the script -------------------------------------------------------------------------------------------

local function level() return wend.parse_grid({ "..~.", ".#~.", "...." }, { ["~"] = "swamp" }) end

-- Every way in which a script's function comes into a search over a grid: how messages call it, and a call with it that
-- gives something to compare.
local WAYS = {
  ["a tag's function"] = { "tag 'swamp'", function(map, fn)
    return show(map:path(1, 1, 4, 3, { costs = wend.costs { swamp = fn } }))
  end },
  ["a tag rule"] = { "rule 'mod'", function(map, fn)
    return show(map:path(1, 1, 4, 3, { costs = wend.costs():rule("mod", "swamp", fn) }))
  end },
  ["an edge rule"] = { "rule 'mod'", function(map, fn)
    return show(map:path(1, 1, 4, 3, { costs = wend.costs():edge_rule("mod", fn) }))
  end },
  ["the option cost"] = { "option 'cost'", function(map, fn)
    return show(map:path(1, 1, 4, 3, { cost = fn }))
  end },
  ["the option heuristic"] = { "option 'heuristic'", function(map, fn)
    return show(map:path(1, 1, 4, 3, { heuristic = function(...)
      local answer = fn(...)
      if answer == nil then return 0 end
      return answer
    end }))
  end },
  ["a function of a search in slices"] = { "option 'cost'", function(map, fn)
    return show(grid_reference.sliced(map, 1, 1, 1, 4, 3, { cost = fn }))
  end },
  ["a function of a field"] = { "option 'cost'", function(map, fn)
    return map:field(1, 1, { cost = fn }):cost(4, 3)
  end },
  ["a tag's function of a field"] = { "tag 'swamp'", function(map, fn)
    return map:field(1, 1, { costs = wend.costs { swamp = fn } }):cost(4, 3)
  end },
  ["a function of field:relax"] = { "option 'cost'", function(map, fn)
    local asked = false
    local far = map:field(1, 1, { cost = function(...) if asked then return fn(...) end end })
    asked = true
    return far:scale(-1):relax():cost(1, 1)
  end },
  ["a function of path:explain"] = { "option 'cost'", function(map, fn)
    return #map:path(1, 1, 4, 3):explain { cost = fn }
  end },
  ["a function of grid:clear"] = { "option 'cost'", function(map, fn)
    return map:clear(1, 1, 4, 1, { cost = fn })
  end },
  ["a function of grid:straighten"] = { "option 'cost'", function(map, fn)
    return show(map:straighten(map:path(1, 1, 4, 3), { cost = fn }))
  end },
}

for what, way in pairs(WAYS) do
  local called, go = way[1], way[2]

  describe(what, function()
    it("that raises is named, and the grid is as it was", function()
      local map = level()
      local before, expected = tostring(map), show(map:path(1, 1, 4, 3))
      raises(called .. ": no mana", go, map, function() error("no mana", 0) end)
      assert.equal(expected, show(map:path(1, 1, 4, 3)))
      assert.equal(before, tostring(map))
      map:set(1, 1, 5) -- and may be edited
    end)

    it("may raise what is no string: that goes through as it is", function()
      local value = setmetatable({}, { __tostring = function() return "mine" end })
      local ok, problem = pcall(go, level(), function() error(value) end)
      assert.equal(false, ok)
      assert.equal(value, problem)
    end)

    it("may not answer nonsense", function()
      local wanted = called == "option 'heuristic'" and "wanted a number >= 0" or "wanted a number >= 0, false or nil"
      for answer, text in pairs {
        [-1] = "-1", [-HUGE] = "-inf", ["7"] = "'7'", [true] = "true", [print] = "a function",
      } do
        raises(("%s: %s, got %s"):format(called, wanted, text), go, level(), function() return answer end)
      end
      raises(("%s: %s, got nan"):format(called, wanted), go, level(), function() return NAN end)
    end)

    it("may not yield", function()
      local message
      local thread = coroutine.create(function()
        local ok
        ok, message = pcall(go, level(), function() coroutine.yield(1) end)
        assert(not ok, "it did not raise")
      end)
      assert(coroutine.resume(thread))
      assert.equal("dead", coroutine.status(thread))
      assert.truthy(message:find(called .. ": ", 1, true), message)
      assert.truthy(message:find("yield", 1, true), message)
    end)

    it("may search the same grid, by path, field and clear", function()
      local map = level()
      local expected, there = go(map, function() end), show(map:path(4, 1, 1, 3))
      local away = map:field(4, 1):cost(1, 3)
      assert.equal(expected, go(map, function()
        assert.equal(there, show(map:path(4, 1, 1, 3)))
        assert.equal(away, map:field(4, 1, { cost = function(_, cost)
          assert.equal(there, show(map:path(4, 1, 1, 3)))
          return cost
        end }):cost(1, 3))
        assert.equal(true, map:clear(1, 1, 4, 1))
      end))
    end)

    it("may not edit the grid that is searched", function()
      local map = level():link(1, 1, 1, 3, { weight = 90 })
      local before, expected = tostring(map), go(map, function() end)
      for name, edit in pairs {
        set = function() map:set(2, 1, false) end,
        fill = function() map:fill(7) end,
        rectangle = function() map:fill(1, 1, 2, 1, 7) end,
        map = function() map:map(function() return 7 end) end,
        wall = function() map:wall(1, 1, 2, 1) end,
        link = function() map:link(1, 1, 4, 3) end,
        unlink = function() map:unlink(1, 1, 1, 3) end,
      } do
        local refused = 0
        assert.equal(expected, go(map, function()
          raises("the grid is being searched: change it when the search is over", edit)
          refused = refused + 1
        end), name)
        assert.truthy(refused > 0, name)
        assert.equal(before, tostring(map), name)
      end
      map:fill(1, 1, 2, 1, 7) -- and may be edited again
    end)

    it("leaves the grid open to edits after it raised", function()
      local map = level()
      pcall(go, map, function() error "no" end)
      pcall(go, map, function() map:set(2, 1, false) end)
      assert.equal(false, map:set(2, 1, false):get(2, 1))
    end)

    it("may edit another grid, and read this one", function()
      local map, other = level(), level()
      local expected = go(map, function() end)
      assert.equal(expected, go(map, function()
        other:set(2, 1, false)
        assert.equal(4, map:width())
        assert.equal("swamp", select(2, map:get(3, 1)))
        assert.equal("string", type(tostring(map)))
      end))
      assert.equal(false, other:get(2, 1))
    end)

    it("may collect garbage", function()
      local map = level()
      local expected = go(map, function() end)
      assert.equal(expected, go(map, function() collectgarbage() end))
    end)
  end)
end

describe("a broken promise on a grid", function()
  it("raises, and names the function: in a path, a field, its arithmetic, a line", function()
    local map, honest = wend.grid(3, 1):fill(10), true
    local opts = { at_least = 0.5, cost = function(_, cost) return honest and cost or 4 end }
    local over, far = map:path(1, 1, 3, 1, opts), map:field(1, 1, opts)
    local message = ("option 'cost': returned %s, below its promise of at_least 0.5 times %s"):format(4 / 1, 10 / 1)
    far:scale(-2)
    honest = false
    raises(message, map.path, map, 1, 1, 3, 1, opts)
    raises(message, map.field, map, 1, 1, opts)
    raises(message, far.relax, far)
    raises(message, far.next, far, 1, 1)
    raises(message, over.explain, over, opts)
    raises(message, map.clear, map, 1, 1, 3, 1, opts)
    raises(message, map.straighten, map, over, opts)
    assert.equal(-40, far:cost(3, 1))
  end)
end)

describe("a field that is being filled", function()
  it("cannot be used by its own functions", function()
    local map = level()
    local filled = map:field(1, 1)
    local messages = {}
    map:field(4, 3, { into = filled, cost = function()
      for _, use in ipairs {
        function() filled:cost(1, 1) end, function() filled:next(2, 1) end, function() filled:relax() end,
        function() filled:scale(2) end, function() filled:add(filled) end,
        function() map:field(1, 1, { into = filled }) end, function() filled:each() end,
      } do
        local ok, message = pcall(use)
        assert.equal(false, ok)
        messages[message:gsub("^.-%.lua:%d+: ", ""):gsub("^into: ", "")] = true
      end
    end })
    assert.same({ ["the field is being worked out: its own callbacks cannot use it"] = true }, messages)
    assert.equal(0, filled:cost(4, 3))
  end)

  it("is empty where a function raised", function()
    local map = level()
    local filled = map:field(1, 1)
    pcall(map.field, map, 4, 3, { into = filled, cost = function() error "no" end })
    assert.equal("wend.Field (0 reached)", tostring(filled))
    assert.equal(nil, filled:cost(1, 1))
    map:field(4, 3, { into = filled })
    assert.equal(0, filled:cost(4, 3))
  end)
end)

describe("an error", function()
  for what, fn in pairs {
    ["wend.grid"] = function() wend.grid(7, 3, { diagonal = 1 }) end,
    ["wend.parse_grid"] = function() local _, _ = wend.parse_grid "?", 1 end,
    ["a grid's method"] = function() grid:set(8, 1, 1) end,
    ["grid:map"] = function() grid:map(function() return -1 end) end,
    ["grid:path"] = function() local _, _ = grid:path(1, 1, 8, 1), 1 end,
    ["grid:field"] = function() local _, _ = grid:field(8, 1), 1 end,
    ["grid:straighten"] = function() local _, _ = grid:straighten(7), 1 end,
    ["a field's method"] = function() field:scale "a" end,
  } do
    it("blames the caller's line: " .. what, function()
      local _, message = pcall(fn)
      assert.truthy(message:match "^%S*grid_errors_spec%.lua:%d+: ", message)
    end)
  end

  it("leaves grid, field, into and stats as they were", function()
    local into, stats = { 7, colour = "red" }, { a = 1 }
    assert.error(function() grid:path(1, 1, 8, 1, { into = into, stats = stats }) end)
    assert.error(function() grid:path(1, 1, 7, 1, { into = into, stats = stats, max_cost = -1 }) end)
    assert.error(function() grid:field(1, 1, { into = field, stats = stats, window = 0 }) end)
    assert.error(function() field:add(nodes) end)
    assert.error(function() grid:fill(1, 1, 7, 4, false) end)
    assert.same({ { 7, colour = "red" }, { a = 1 }, 6 }, { into, stats, field:cost(7, 1) })
    assert.equal(".......\n.......\n.......", tostring(grid))
  end)
end)
