-- SPDX-License-Identifier: MIT
local command = require "wend.tools.command"
local dump = require "wend.tools.command.dump"
local helper = require "spec.support.helper"
local shared = require "spec.support.command"
local wend = require "wend"

local has_argparse = pcall(require, "argparse")

--- A spec that needs argparse.
local function with_parser(sentence, fn)
  it(sentence, has_argparse and fn or function() return pending "no argparse for this Lua (Debian: lua-argparse)" end)
end

local run, runs, fails, new_file, saved = shared.run, shared.runs, shared.fails, shared.new_file, shared.saved

--- A graph of nodes at (3 i, 0, 0), with one-way edges: { { 2 }, { 1, 3 }, {} }.
local function waypoints(links)
  local graph, ends = wend.graph { dimensions = 3 }, {}
  for i, list in ipairs(links) do
    graph:add_node(3 * (i - 1), 0, 0)
    for _, to in ipairs(list) do ends[#ends + 1], ends[#ends + 2] = i, to end
  end
  if #ends > 0 then graph:add_edges(ends, { directed = true }) end
  return graph
end

local function graph_file(links) return saved(waypoints(links)) end

local MAP = "..@..\n.S...\n..@..\n"

local function parsed(text)
  return wend.parse_grid(text or MAP, { ["."] = "ground", S = "swamp", W = "water", ["@"] = false })
end

local function map_file(text) return saved(parsed(text)) end

after_each(helper.clean)

describe("wend, the command", function()
  it("says how to get argparse where it is missing, and exits with 2", function()
    local loaded, preloaded = package.loaded.argparse, package.preload.argparse
    local searchers = { package.path, package.cpath }
    package.loaded.argparse, package.preload.argparse = nil, nil
    package.path, package.cpath = "./nowhere/?.lua", "./nowhere/?.so"
    local ok, status, stdout, stderr = pcall(run, { "info", "x" })
    package.loaded.argparse, package.preload.argparse = loaded, preloaded
    package.path, package.cpath = searchers[1], searchers[2]
    assert.is_true(ok)
    assert.same({ 2, "" }, { status, stdout })
    assert.equal("wend: the command needs the Lua module argparse: `luarocks install argparse`, or Debian's package "
      .. "lua-argparse\n", stderr)
  end)

  it("says what else is wrong with argparse", function()
    local loaded, preloaded = package.loaded.argparse, package.preload.argparse
    package.loaded.argparse = nil
    package.preload.argparse = function() error("it is broken", 0) end
    local status, _, stderr = run { "info", "x" }
    package.loaded.argparse, package.preload.argparse = loaded, preloaded
    assert.equal(2, status)
    assert.truthy(stderr:find "^wend: .*it is broken")
    assert.is_nil(stderr:find "\n.")
  end)

  with_parser("teaches with --help, of itself and of each command", function()
    local status, stdout, stderr = run { "--help" }
    assert.same({ 0, "" }, { status, stderr })
    for _, name in ipairs { "info", "view", "check", "path", "why", "svg", "convert", "prepare" } do
      assert.truthy(stdout:find("\n   " .. name .. " +%u"), name)
      local child_status, about, problem = run { name, "--help" }
      assert.same({ 0, "" }, { child_status, problem })
      assert.truthy(about:find("^Usage: wend " .. name .. " "), name)
      assert.truthy(about:find("\n   wend " .. name .. " .*level.wend"), name)
      assert.is_nil(about:find(("[^\n]"):rep(101)), name)
    end
  end)

  with_parser("says its version", function()
    local jit = rawget(_G, "jit")
    runs(0, ("%s, %s\n"):format(wend._VERSION, jit and jit.version or _VERSION), "", "--version")
  end)

  with_parser("shows the help where nothing was asked, and exits with 2", function()
    local status, stdout, stderr = run {}
    assert.same({ 2, "" }, { status, stdout })
    assert.equal(select(2, run { "--help" }), stderr)
  end)

  with_parser("says in a sentence what is wrong with the arguments", function()
    fails("unknown command 'bogus' (wend --help says more)", "bogus")
    fails("unknown option '--bogus' (wend path --help says more)", "path", "--bogus")
    fails("unknown option '--cost': did you mean '--costs'? (wend path --help says more)", "path", "--cost", "x")
    fails("unknown command 'chek': did you mean 'check'? (wend --help says more)", "chek", "x")
    fails("missing argument 'FROM' (wend path --help says more)", "path", "x")
    fails("expected a whole number >= 1, got '0' (wend svg --help says more)", "svg", "x", "--width", "0")
    fails("expected a whole number >= 1, got '1.5' (wend svg --help says more)", "svg", "x", "--width", "1.5")
    fails("option '-o' must be used at most 1 time (wend svg --help says more)", "svg", "x", "-o", "a", "-o", "b")
  end)
end)

describe("bin/wend", function()
  it("hands on its arguments, and the exit status", function()
    local main, exit, arguments, got, status = command.main, os.exit, arg, nil, nil
    local path, cpath = package.path, package.cpath
    command.main = function(list)
      got = list
      return 7
    end
    os.exit = function(code) status = code end -- luacheck: ignore 122
    _G.arg = { [0] = "bin/wend", "info", "a b" }
    local ok, problem = pcall(assert(loadfile "bin/wend"))
    command.main, os.exit, _G.arg = main, exit, arguments -- luacheck: ignore 122
    package.path, package.cpath = path, cpath
    assert.is_true(ok, problem)
    assert.same({ [0] = "bin/wend", "info", "a b" }, got)
    assert.equal(7, status)
  end)
end)

describe("files of the wend command", function()
  with_parser("are told by what they begin with, then by their names", function()
    for _, suffix in ipairs { ".wend", ".txt", "" } do
      local file = saved(waypoints { { 2 }, { 1 } }, suffix)
      local status, stdout = run { "info", file }
      assert.equal(0, status)
      assert.equal(("file:         %s, %d bytes, wend's own"):format(file, #helper.read(file)), stdout:match "^[^\n]*")
    end
    assert.truthy(select(2, run { "info", helper.file("..\n", ".TXT") }):find("kind:         grid", 1, true))
  end)

  with_parser("that are not there, or are none, are said so", function()
    local file = new_file ".map"
    fails(("cannot read %s: No such file or directory"):format(file), "check", file)
    local status, _, stderr = run { "check", "." }
    assert.equal(2, status)
    assert.truthy(stderr:find "^wend: cannot ")
  end)

  with_parser("of no known kind are said so, and what would be known", function()
    local file = helper.file "hello"
    local status, stdout, stderr = run { "info", file }
    assert.same({ 2, "" }, { status, stdout })
    assert.truthy(stderr:find(("wend: cannot tell what %s is: "):format(file), 1, true))
    assert.truthy(stderr:find(".wend, .txt, or .tmx", 1, true))
  end)

  with_parser("written by wend convert as text are not for reading", function()
    local file = helper.file("wend text graph\n", ".wend")
    fails(("%s is text made by wend convert, which cannot be read: give the file that it was made from"):format(file),
      "info", file)
  end)

  with_parser("that are damaged are said so, wherever they are cut off, by every command", function()
    local whole = helper.read(graph_file { { 2 }, { 1 } })
    for length = 0, #whole - 1 do
      local file = helper.file(whole:sub(1, length), ".wend")
      local status, stdout, stderr = run { "info", file }
      assert.same({ 2, "" }, { status, stdout })
      assert.truthy(stderr:find "^wend: [^\n]*\n$")
    end
    local file = helper.file(whole:sub(1, 20), ".wend")
    for _, arguments in ipairs {
      { "check", file }, { "path", file, "1", "2" }, { "svg", file },
      { "convert", file, new_file ".txt" },
    } do
      local status, stdout, stderr = run(arguments)
      assert.same({ 2, "" }, { status, stdout })
      assert.truthy(stderr:find "^wend: [^\n]*: a graph: damaged[^\n]*\n$")
    end
  end)

  with_parser("have layers only where they are levels", function()
    local file = map_file()
    fails(("%s has no layers: --layer is for levels"):format(file), "info", file, "--layer", "ground")
  end)
end)

describe("wend info", function()
  with_parser("says what is in a graph", function()
    local graph = wend.graph()
    for _ = 1, 4 do graph:add_node() end
    graph:add_edges({ 1, 2, 2, 1, 2, 3, 3, 3 }, { weights = { 5, 5, 9, 1 }, directed = true })
    local file = saved(graph)
    local status, stdout, stderr = run { "info", file }
    assert.same({ 0, "" }, { status, stderr })
    assert.equal(([[
file:         %s, %d bytes, wend's own
kind:         graph
dimensions:   2
nodes:        4 (4 without a position)
edges:        4 (4 one way)
tags:         0
components:   3, the largest has 2 nodes
]]):format(file, #helper.read(file)), (stdout:gsub("memory: .*", "")))
    assert.truthy(stdout:find "\nmemory:       %d+ bytes\n$")
  end)

  with_parser("says how long the diagonal steps of a grid are, if they are not as usual", function()
    local file = helper.file(wend.grid(2, 2, { diagonal_length = 1.5 }):encode())
    local _, stdout = run { "info", file }
    assert.truthy(stdout:find("diagonals:    both_open, 1.5 long\n", 1, true))
  end)

  with_parser("says what is in a grid", function()
    local file = map_file()
    local _, stdout = run { "info", file }
    assert.equal(([[
file:         %s, %d bytes, wend's own
kind:         grid
size:         5 x 3
cells:        15 (13 open, 2 closed)
in the world: cells of 1, from 0,0
diagonals:    both_open
walls:        0
links:        0, each direction counted
tags:         2
  ground               12
  swamp                1
  (none)               2
components:   1
]]):format(file, #helper.read(file)), (stdout:gsub("memory: .*", "")))
  end)
end)

describe("wend check", function()
  with_parser("exits with 0 where each place can be reached from each", function()
    local file = graph_file { { 2 }, { 3 }, { 1 } }
    runs(0, file .. ": 3 nodes, every place can be reached from every other\n", "", "check", file)
    file = map_file()
    runs(0, file .. ": 13 cells, every place can be reached from every other\n", "", "check", file)
    file = graph_file {}
    runs(0, file .. ": 0 nodes, every place can be reached from every other\n", "", "check", file)
  end)

  with_parser("exits with 1 where something was found, and says each finding in a sentence", function()
    local file = graph_file { { 2 }, { 1, 3 }, {}, { 1 }, {} }
    runs(1, ([[
node 5 is isolated: nothing leads in or out
node 3 can be entered but not left (a sink)
node 4 can be left but not entered (a source)
%s: 5 nodes, 3 findings
]]):format(file), "", "check", file)
  end)

  with_parser("finds traps, and parts that lead out alone or nowhere", function()
    local file = graph_file { { 2 }, { 3 }, { 1, 4 }, { 5 }, { 4 } }
    runs(1, ([[
2 nodes can be entered but not left: 4, 5; one gets in from 3 to 4 by edge 4 (a trap)
%s: 5 nodes, 1 finding
]]):format(file), "", "check", file)
    file = graph_file { { 2 }, { 3 }, { 1 }, { 5, 1 }, { 4 } }
    runs(1, ("2 nodes can be left but not entered: 4, 5\n%s: 5 nodes, 1 finding\n"):format(file), "", "check", file)
    file = graph_file { { 2 }, { 3 }, { 1 }, { 5 }, { 4 } }
    runs(1, ([[
2 nodes are connected only with each other: 4, 5
%s: 5 nodes, 1 finding
]]):format(file), "", "check", file)
  end)

  with_parser("finds the same in grids, as an agent sees them", function()
    local file = map_file "..W..\n.@W..\n..W.@\n"
    runs(0, file .. ": 13 cells, every place can be reached from every other\n", "", "check", file)
    local walker = helper.file("return { water = false }", ".lua")
    runs(1, ([[
5 cells are connected only with each other: (4,1), (5,1), (4,2), (5,2), (4,3)
%s: 10 cells, 1 finding
]]):format(file), "", "check", file, "--costs", walker)
    local swimmer = helper.file("return { water = function(agent) return agent.fins and 1 or false end }", ".lua")
    assert.equal(1, (run { "check", file, "--costs", swimmer, "--agent", "{}" }))
    assert.equal(0, (run { "check", file, "--costs", swimmer, "--agent", "{ fins = true }" }))
  end)

  with_parser("lists chokepoints, which are no findings", function()
    local file = graph_file { { 2 }, { 1, 3 }, { 2, 4 }, { 3, 5 }, { 4 } }
    runs(0, ([[
note: without node 3, 2 nodes are cut off
%s: 5 nodes, every place can be reached from every other
]]):format(file), "", "check", file, "--chokepoints")
    local map = map_file ".....\n"
    runs(0, ([[
note: without cell (3,1), 2 cells are cut off
note: without cell (2,1), 1 cell is cut off
note: without cell (4,1), 1 cell is cut off
%s: 5 cells, every place can be reached from every other
]]):format(map), "", "check", map, "--chokepoints", "--min", "1")
    local long = map_file(("."):rep(40))
    local _, stdout = run { "check", long, "--chokepoints" }
    assert.truthy(stdout:find("note: and 16 more chokepoints\n", 1, true), stdout)
  end)
end)

describe("wend why", function()
  with_parser("says what is in the way, and exits with 1", function()
    runs(1, "No path from (1,1) to (5,1). Cell (3,1) is closed. The start reaches 2 cells, and the goal can be "
      .. "reached from 2 cells.\n", "", "why", map_file "..@..\n", "1,1", "5,1")
    runs(1, "No path from 1 to 3. Nothing joins their parts of the map. These come nearest at 2 and 3. The start "
      .. "reaches 2 nodes, and the goal can be reached from 1 node.\n", "", "why",
      graph_file { { 2 }, { 1 }, {} }, "1", "3")
  end)

  with_parser("takes costs and an agent", function()
    local level = helper.file("", ".wend")
    assert(wend.parse_grid({ ".~." }, { ["~"] = "lava" }):save(level))
    local costs = helper.file("return { lava = function(agent) return agent.wings and 1 or false end }", ".lua")
    runs(1, "No path from (1,1) to (3,1). Cell (2,1) is closed for this agent: tag 'lava' costs false. The start "
      .. "reaches 1 cell, and the goal can be reached from 1 cell.\n", "", "why", level, "1,1", "3,1", "--costs", costs,
        "--agent", "{}")
    runs(0, "there is a path\n", "", "why", level, "1,1", "3,1", "--costs", costs, "--agent", "{ wings = true }")
    runs(0, "there is a path\n", "", "why", level, "1,1", "3,1")
    fails("a cell must be given as x,y, got 'nowhere'", "why", level, "1,1", "nowhere")
  end)

  with_parser("exits with 0 where there is a path", function()
    runs(0, "there is a path\n", "", "why", map_file(), "1,1", "1,3")
  end)
end)

describe("wend path", function()
  with_parser("prints the places and the cost", function()
    local file = graph_file { { 2 }, { 3 }, { 1 } }
    runs(0, "1\n2\n3\ncost 6, 2 edges\n", "", "path", file, "1", "3")
    runs(0, "2\ncost 0, 0 edges\n", "", "path", file, "2", "2")
    runs(0, "1,1\n1,2\n2,2\n3,2\n4,2\n4,1\ncost 5, 5 steps\n", "",
      "path", map_file ".@@.\n....\n", "1,1", "4,1")
  end)

  with_parser("exits with 1 where there is none, and says so on standard output", function()
    runs(1, "no path from 1 to 3: no open edge leads to the goal\n", "", "path", graph_file { { 2 }, { 1 }, { 1 } },
      "1", "3")
    runs(1, "no path from (1,1) to (3,1): the goal is closed\n", "", "path", map_file(), "1,1", "3,1")
  end)

  with_parser("explains what each step cost, and why", function()
    local costs = helper.file("return { swamp = function() return 3 end }", ".lua")
    local status, stdout = run { "path", map_file(), "1,2", "3,2", "--costs", costs, "--explain" }
    assert.equal(0, status)
    assert.equal([[
from   to     tag     weight  cost  by
(1,2)  (2,2)  swamp   1       3     tag 'swamp': 3
(2,2)  (3,2)  ground  1       1
cost 4, 2 steps
]], stdout)
  end)

  with_parser("says which place is not there", function()
    local file, map = graph_file { { 2 }, { 1 } }, map_file()
    fails(("%s has no node 'gate', neither as a name nor as an id"):format(file), "path", file, "gate", "1")
    fails(("%s has no node '3', neither as a name nor as an id"):format(file), "path", file, "1", "3")
    fails("a cell must be given as x,y, got '3'", "path", map, "3", "1,1")
    fails("there is no cell 6,1 in a grid of 5 x 3", "path", map, "1,1", "6,1")
    fails("there is no cell 0,1 in a grid of 5 x 3", "path", map, "0,1", "1,1")
  end)
end)

describe("--costs and --agent", function()
  with_parser("take a table of costs, and a profile", function()
    local file = map_file()
    for _, text in ipairs {
      "return { swamp = 10 }", "return require('wend').costs { swamp = 10 }",
    } do
      local _, stdout = run { "path", file, "1,2", "2,2", "--costs", helper.file(text, ".lua") }
      assert.equal("1,2\n2,2\ncost 10, 1 step\n", stdout)
    end
  end)

  with_parser("say in a sentence what is wrong with them", function()
    local file = map_file()
    local function fails_with(pattern, ...)
      local status, stdout, stderr = run { "path", file, "1,2", "2,2", ... }
      assert.same({ 2, "" }, { status, stdout })
      assert.truthy(stderr:find "^wend: [^\n]+\n$", stderr)
      assert.truthy(stderr:find(pattern), stderr)
      assert.is_nil(stderr:find "traceback", stderr)
    end
    local function costs(text) return helper.file(text, ".lua") end
    fails_with("No such file", "--costs", new_file ".lua")
    fails_with(":1: .*near", "--costs", costs "return {")
    fails_with(":1: no boots", "--costs", costs "error 'no boots'")
    fails_with("must return a table of costs or a profile made by wend.costs, got a nil", "--costs", costs "")
    fails_with("the cost of tag 'swamp' must be a number >= 0", "--costs", costs "return { swamp = -1 }")
    fails_with("swamp.*:1: too deep", "--costs", costs "return { swamp = function() error 'too deep' end }")
    fails_with("^wend: %-%-agent must be a Lua expression, such as { boots = true }: %-%-agent:1: ", "--agent", "{")
    fails_with("^wend: %-%-agent:1: ", "--agent", "nothing.at.all")
  end)
end)

describe("wend check of tags", function()
  local function costs_file(text) return helper.file("return " .. text, ".lua") end

  with_parser("reports tags that the costs name and the map does not have, with the nearest spelling", function()
    local file = map_file()
    local costs = costs_file "{ swmap = false, zzz = 2, swamp = 3 }"
    runs(1, ("warning: the costs name the tag 'swmap', which nothing has; did you mean 'swamp'?\n"
      .. "warning: the costs name the tag 'zzz', which nothing has\n%s: 13 cells, 2 findings\n"):format(file), "",
      "check", file, "--costs", costs)
  end)

  with_parser("can allow them", function()
    local file = map_file()
    local costs = costs_file "{ swmap = false, zzz = 2 }"
    local fine = ("%s: 13 cells, every place can be reached from every other\n"):format(file)
    runs(0, fine, "", "check", file, "--costs", costs, "--allow-unknown", "swmap", "--allow-unknown", "zzz")
    runs(0, fine, "", "check", file, "--costs", costs, "--allow-unknown", "*")
  end)

  with_parser("looks at all maps of a level", function()
    local costs = costs_file "{ road = 0.5, water = false, pahs = 2 }"
    local status, stdout = run { "check", "examples/tiled/ford.lua", "--costs", costs }
    assert.equal(1, status)
    assert.is_nil(stdout:find("'road'", 1, true))
    assert.is_nil(stdout:find("'water'", 1, true))
    assert.truthy(stdout:find("the tag 'pahs'", 1, true))
  end)
end)

describe("the wend command and maps in text", function()
  with_parser("reads them with a legend", function()
    local file = helper.file("\n  ..#~\n  ...~\n", ".txt")
    local legend = helper.file 'return { ["~"] = { weight = 3, tag = "swamp" } }'
    runs(0, "1,1\n2,2\n3,2\n4,2\n4,1\ncost 8.4142135623731, 4 steps\n", "", "path", file, "1,1", "4,1",
      "--legend", legend)
    fails(file .. ": unknown character '~' in row 1, column 4 (legend: '#' '.'); --legend FILE gives characters a "
      .. "meaning", "info", file)
    local status, stdout = run { "info", helper.file("..#\n...\n", ".txt") }
    assert.same({ 0, "3 x 2" }, { status, stdout:match "map in text\nkind: +grid\nsize: +(.-)\n" })
  end)

  with_parser("says what is wrong with a map or a legend", function()
    local file, legend = helper.file(".~\n..", ".txt"), helper.file "return 5"
    fails(legend .. " must return a table of cells by character, got a number", "info", file, "--legend", legend)
    legend = helper.file "error 'no legend'"
    local status, _, stderr = run { "info", file, "--legend", legend }
    assert.same({ 2, "no legend\n" }, { status, stderr:match "no legend.*" })
    file = helper.file("..\n.", ".txt")
    fails(file .. ": row 2 is 1 wide, row 1 is 2 wide", "info", file)
    fails("examples/tiled/ford.tmx is no map in text: --legend is for .txt", "info", "examples/tiled/ford.tmx",
      "--legend", legend)
  end)
end)

describe("the wend command and Tiled", function()
  with_parser("reads every format of maps, by the name or by the first bytes", function()
    local _, expected = run { "path", "examples/tiled/ford.lua", "mill", "tower" }
    for _, file in ipairs { "examples/tiled/ford.tmx", "examples/tiled/ford.lua" } do
      runs(0, expected, "", "path", file, "mill", "tower")
    end
    local status, stdout = run { "info", "spec/tools/tiled/world.tmj" }
    assert.same({ 0, "Tiled map" }, { status, stdout:match "bytes, (.-)\n" })
    for head, wanted in pairs { ['<?xml version="1.0"?>'] = "an element", ['{ "type":"map", '] = "a name in quotes" } do
      local file = helper.file(head)
      fails(file .. ": line 1: expected " .. wanted .. ", got the end", "info", file)
    end
    local file = helper.file("<tileset/>", ".tsx")
    fails(file .. ": expected a map, got 'tileset'", "info", file)
  end)

  with_parser("prints what looks as if it blocks, and takes words that do", function()
    local file = helper.file('return { orientation = "orthogonal", width = 2, height = 1, tilewidth = 8, '
      .. 'tileheight = 8, tilesets = { { firstgid = 1 } }, layers = { { type = "tilelayer", name = "Solid", width = 2, '
      .. 'height = 1, data = { 0, 1 } } } }', ".lua")
    local status, stdout, stderr = run { "info", file }
    assert.same({ 0, "wend: hint: layer 'Solid' looks as if it tells what blocks, and was not used: add 'Solid' to "
      .. "closed\n" }, { status, stderr })
    assert.truthy(stdout:find("2 open", 1, true), stdout)
    status, stdout, stderr = run { "info", file, "--closed", "common", "--closed", "sol*" }
    assert.same({ 0, "" }, { status, stderr })
    assert.truthy(stdout:find("1 open, 1 closed", 1, true), stdout)
    status, stdout, stderr = run { "info", file, "--closed", "Wall" }
    assert.same({ 2, "wend: closed names 'Wall', but no layer, class or property of the map has this name\n" },
      { status, stderr })
    assert.equal("", stdout)
    status, stdout, stderr = run { "info", map_file(), "--closed", "Wall" }
    assert.same({ 2, "" }, { status, stdout })
    assert.truthy(stderr:find("is no map of Tiled: --closed is for these", 1, true))
  end)

  with_parser("prints the tiles as Tiled counts them", function()
    local status, stdout = run { "path", "examples/tiled/ford.lua", "3,3", "5,4" }
    assert.equal(0, status)
    assert.truthy(stdout:find("3,3 (Tiled 2,2)\n", 1, true))
    assert.truthy(stdout:find("5,4 (Tiled 4,3)\n", 1, true))
    local _, explained = run { "path", "examples/tiled/ford.lua", "3,3", "5,4", "--explain" }
    assert.truthy(explained:find("(3,3) (Tiled 2,2)", 1, true))
    assert.is_nil(select(2, run { "path", map_file(), "1,1", "2,2" }):find("Tiled", 1, true))
  end)

  with_parser("also where chunks begin left of the origin, and where layers are shifted", function()
    local file = helper.file([[return { orientation = "orthogonal", renderorder = "right-down", infinite = true,
      width = 4, height = 2, tilewidth = 16, tileheight = 16, properties = {}, tilesets = {}, layers = { {
        type = "tilelayer", name = "ground", x = 0, y = 0, width = 4, height = 2, offsetx = 40, offsety = 8,
        visible = true, opacity = 1, properties = {}, encoding = "lua", chunks = { {
          x = -3, y = -2, width = 4, height = 2, data = { 1, 1, 0, 1, 1, 1, 0, 1 } } } } } }]], ".lua")
    file = helper.file((helper.read(file):gsub("tilesets = {}", [[tilesets = { { name = "t", firstgid = 1,
      tilewidth = 16, tileheight = 16, columns = 1, tilecount = 1, tiles = {} } }]])), ".lua")
    local status, stdout = run { "path", file, "1,1", "2,2", "--layer", "ground" }
    assert.equal(0, status)
    assert.truthy(stdout:find("1,1 (Tiled -3,-2)\n2,2 (Tiled -2,-1)\n", 1, true), stdout)
  end)
end)

describe("wend svg", function()
  with_parser("draws what wend.svg draws, to standard output or to a file", function()
    local file, out = map_file(), new_file ".svg"
    local document = wend.svg(parsed())
    local status, stdout = run { "svg", file }
    assert.equal(0, status)
    assert.equal(document:gsub("\n$", ""), (stdout:gsub("\n$", "")))
    runs(0, "", "", "svg", file, "-o", out)
    assert.equal(document, helper.read(out))
  end)

  with_parser("draws paths, a title, and as an agent sees it", function()
    local file = map_file()
    local map = parsed()
    local costs = helper.file("return { swamp = 3 }", ".lua")
    local view = wend.costs { swamp = 3 }
    local status, stdout = run { "svg", file, "--path", "1,1", "5,1", "--path", "1,3", "1,1", "--title", "Two",
      "--width", "300", "--costs", costs }
    assert.equal(0, status)
    assert.equal((wend.svg(map, {
      path = { map:path(1, 1, 5, 1, { costs = view }), map:path(1, 3, 1, 1, { costs = view }) },
      title = "Two", width = 300, costs = view,
    }):gsub("\n$", "")), (stdout:gsub("\n$", "")))
  end)

  with_parser("exits with 1 where a path is none, and writes nothing", function()
    local out = new_file ".svg"
    runs(1, "", "wend: no path from (1,1) to (3,1): the goal is closed\n", "svg", map_file(), "--path", "1,1", "3,1",
      "-o", out)
    assert.is_nil(io.open(out))
  end)

  with_parser("says where it cannot write", function()
    local status, _, stderr = run { "svg", map_file(), "-o", new_file "" .. "/x.svg" }
    assert.equal(2, status)
    assert.truthy(stderr:find "^wend: cannot write ")
  end)
end)

describe("wend convert", function()
  with_parser("writes text and pictures", function()
    local file, text, picture = map_file(), new_file ".txt", new_file ".svg"
    local map = parsed()
    runs(0, "", "", "convert", file, text)
    assert.equal(dump(map), helper.read(text))
    runs(0, "", "", "convert", file, picture)
    assert.equal(wend.svg(map), helper.read(picture))
  end)

  it("writes graphs as text, a line for each node and edge", function()
    local graph = wend.graph()
    graph:add_node(0, 0, { name = "gate" })
    graph:add_node(60, -0.5, { name = 'a "keep"\n', radius = 0.1 })
    graph:add_node()
    graph:add_edge(1, 2, { tag = "road" })
    graph:add_edge(2, 3, { weight = 1 / 3, directed = true })
    graph:add_edge(3, 1, { weight = 0, tag = "rope" })
    graph:close(3):close_edge(2)
    assert.equal([[
wend text graph
dimensions 2
node 1 at 0 0 name "gate"
node 2 at 60 -0.5 name "a \034keep\034\010" radius 0.1
node 3 closed
edge 1 from 1 to 2 measured tag "road"
edge 2 from 2 to 3 weight 0.33333333333333331 directed closed
edge 3 from 3 to 1 weight 0 tag "rope"
]], dump(graph))
  end)

  it("writes grids as text, a line for each row, wall and direction of a link", function()
    local grid = wend.grid(4, 2, { diagonals = "never", diagonal_length = 1.5, cell = 32, origin = { -16, 0.5 } })
    grid:set(2, 1, "mud"):set(3, 1, { weight = 2, tag = "mud" }):set(4, 1, 0.5):set(2, 2, false)
    grid:set(3, 2, { weight = 3, tag = "door", closed = true })
    grid:wall(1, 2, 1, 1):wall(3, 1, 4, 1):link(1, 2, 4, 2, { weight = 2.5, tag = "stairs" })
    assert.equal([[
wend text grid
size 4 2
diagonals never
diagonal_length 1.5
projection orthogonal
cell 32 32
origin -16 0.5
row . "mud" 2"mud" 0.5
row . # #3"door" .
link 1 2 4 2 weight 2.5 tag "stairs"
link 4 2 1 2 weight 2.5 tag "stairs"
wall 1 1 1 2
wall 3 1 4 1
]], dump(grid))
  end)

  it("writes levels as text, with all their parts", function()
    local level = wend.level { grid = wend.grid(1, 1), names = { gate = { x = 1, y = 2 } },
      data = { { hp = 2.5, tags = {} }, "x" } }
    level.walls = wend.walls()
    level.walls:add_circle(5, 5, 1)
    level.walls:add_segment(0, 0, 1, 2)
    level.grids.ground = level.grid
    assert.equal([[
wend text level
size 1 1 1
name "gate" at 1 2
data[1]["hp"] 2.5
data[1]["tags"] {}
data[2] "x"
layer "ground"
size 1 1
diagonals both_open
projection orthogonal
cell 1 1
origin 0 0
row .
layer 1 is layer "ground"
grid is layer "ground"
walls
wall circle 5 5 1
wall segment 0 0 1 2
]], dump(level))
  end)

  it("writes the same text for the same content, and changes only the lines of what was edited", function()
    local function lines_of(text)
      local lines = {}
      for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
      return lines
    end
    helper.rounds("text of edited graphs", 10, function(rng)
      local graph, model = helper.random_graph(rng)
      local before = lines_of(dump(graph))
      assert.same(before, lines_of(dump(assert(wend.decode(graph:encode())))))
      local node, changed = rng:pick(model.nodes), 0
      graph:set_name(node, "a new name")
      local after = lines_of(dump(graph))
      assert.equal(#before, #after)
      for i, line in ipairs(after) do
        if line ~= before[i] then
          changed = changed + 1
          assert.truthy(line:find("node " .. node .. " ", 1, true))
        end
      end
      assert.equal(1, changed)
    end)
  end)

  with_parser("tells by the name what to write", function()
    local file = map_file()
    fails("the name of the output must end in .wend, .txt or .svg, got 'out.png'", "convert", file, "out.png")
    fails("the name of the output must end in .wend, .txt or .svg, got 'out'", "convert", file, "out")
  end)

  with_parser("writes files for games, which every command reads", function()
    local graph = wend.graph()
    graph:add_nodes { 0, 0, 3, 4, 6, 8 }
    graph:set_name(1, "gate"):set_name(3, "keep"):close(2)
    graph:add_edges({ 1, 2, 2, 3 }, { tag = "road" })
    graph:add_edge(1, 3, { tag = "drop", directed = true, weight = 50 })
    local file, again = new_file ".wend", new_file ".wend"
    assert(graph:save(file))
    runs(0, "", "", "convert", file, again)
    assert.equal(helper.read(file), helper.read(again))
    runs(0, "'gate' (1)\n'keep' (3)\ncost 50, 1 edge\n", "", "path", file, "gate", "keep")
    local _, stdout = run { "info", file }
    assert.truthy(stdout:find("nodes:        3 (2 named, 1 closed)\nedges:        3 (1 one way)\ntags:         2\n"
      .. "  drop                 1\n  road                 2\n", 1, true), stdout)
    runs(1, ("node 'keep' (3) can be entered but not left (a sink)\nnode 'gate' (1) can be left but not entered "
      .. "(a source)\n%s: 2 nodes, 2 findings\n"):format(file), "", "check", file)
    runs(0, file .. ": 2 nodes in 2 components, no findings except allowed ones\n", "",
      "check", file, "--allow", "road", "--allow", "drop")
    local whole = helper.read(file)
    for _, length in ipairs { 4, 5, 6, 20, #whole - 1 } do
      local status, _, stderr = run { "info", helper.file(whole:sub(1, length), ".wend") }
      assert.equal(2, status)
      assert.truthy(stderr:find "^wend: [^\n]+\n$")
    end
  end)
end)

describe("wend info", function()
  with_parser("says what belongs to a map, which other commands refuse", function()
    local grid, graph = wend.parse_grid "..#.", waypoints { { 2 }, { 3 }, { 1 } }
    for kind, object in pairs { field = grid:field(1, 1), overlay = grid:overlay():close(2, 1), ["route table"] =
      graph:routes() } do
      local file, a = saved(object), kind == "overlay" and "an" or "a"
      runs(0, ("file:         %s, %d bytes, wend's own\nkind:         %s\nIt belongs to a map.\n"):format(file,
        #helper.read(file), kind), "", "info", file)
      fails(("%s must hold a graph or a grid, got %s %s"):format(file, a, kind), "check", file)
    end
  end)
end)

describe("Tiled maps", function()
  local LEVEL = [[return {
    version = "1.10", luaversion = "5.1", orientation = "orthogonal", renderorder = "right-down",
    width = 3, height = 1, tilewidth = 16, tileheight = 16, properties = {},
    tilesets = { { name = "t", firstgid = 1, tilewidth = 16, tileheight = 16, tilecount = 2, columns = 2,
      properties = {},
      tiles = { { id = 0, properties = { tag = "grass" } }, { id = 1, properties = { closed = true } } } } },
    layers = {
      { type = "tilelayer", x = 0, y = 0, width = 3, height = 1, id = 1, name = "ground", visible = true, opacity = 1,
        offsetx = 0, offsety = 0, parallaxx = 1, parallaxy = 1, properties = {}, encoding = "lua", data = { 1, 1, 2 } },
      { type = "tilelayer", x = 0, y = 0, width = 3, height = 1, id = 2, name = "roof", visible = true, opacity = 1,
        offsetx = 0, offsety = 0, parallaxx = 1, parallaxy = 1, properties = {}, encoding = "lua", data = { 1, 1, 1 } },
    },
  }]]

  with_parser("are read by layer", function()
    local file = helper.file(LEVEL, ".lua")
    runs(1, "no path from (1,1) (Tiled 0,0) to (3,1) (Tiled 2,0): the goal is closed\n", "", "path", file, "1,1",
      "3,1", "--layer",
      "ground")
    local cells = "1,1 (Tiled 0,0)\n2,1 (Tiled 1,0)\n3,1 (Tiled 2,0)\ncost 2, 2 steps\n"
    runs(0, cells, "", "path", file, "1,1", "3,1")
    runs(0, cells, "", "path", file, "1,1", "3,1", "--layer", "roof")
    runs(0, cells, "", "path", file, "1,1", "3,1", "--layer", "2")
    local status, _, stderr = run { "info", file, "--layer", "cellar" }
    assert.equal(2, status)
    assert.truthy(stderr:find("has no layer 'cellar' (expected one of: ground, roof", 1, true))
  end)
end)

describe("a whole level", function()
  local FORD = "examples/tiled/ford.lua"

  --- A level whose first layer is cut in two by water, and whose second layer has a bridge; with a road, walls, names.
  local function bridged()
    local water = wend.parse_grid "..#..\n..#.."
    local both = water:copy():set(3, 1, "bridge")
    local graph = wend.graph()
    graph:add_nodes { 0.5, 0.5, 4.5, 0.5, 4.5, 1.5 }
    graph:set_name(1, "gate"):set_name(2, "keep")
    graph:add_edges { 1, 2 }
    local walls = wend.walls()
    walls:add_circle(1, 1, 0.25)
    return wend.level {
      grid = both, grids = { water, both:copy(), water = water }, graph = graph, walls = walls,
      names = { well = { x = 4.5, y = 1.5 }, rock = { x = 2.5, y = 1.5 }, moon = { x = -3, y = 1 } },
    }
  end

  with_parser("is checked with all its layers and its graph; each finding says where it is", function()
    local file = saved(bridged())
    runs(1, ("note: name 'moon' lies outside the grid\nnote: name 'rock' lies in a closed cell, (3,2)\n"
      .. "graph: node 3 is isolated: nothing leads in or out\n%s: 9 cells and 3 nodes, 1 finding\n"):format(file), "",
      "check", file)
    runs(1, ("4 cells are connected only with each other: (4,1), (5,1), (4,2), (5,2)\n%s: 8 cells, 1 finding\n")
      :format(file), "", "check", file, "--layer", "water")
    runs(1, ("node 3 is isolated: nothing leads in or out\n%s: 3 nodes, 1 finding\n"):format(file), "",
      "check", file, "--layer", "graph")
  end)

  with_parser("is checked for edges through walls, and for the distances of its nodes", function()
    local graph, walls = wend.graph(), wend.walls()
    graph:add_nodes { 0, 0, 10, 0, 11, 0 }
    graph:add_edges { 1, 2, 2, 3 }
    walls:add_segment(5, -1, 5, 1)
    local file = saved(wend.level { graph = graph, walls = walls })
    local through = "edge 1 from 1 to 2 passes through a wall\n"
    runs(1, ("%s%s: 3 nodes, 1 finding\n"):format(through, file), "", "check", file)
    runs(1, ("%snodes 2 and 3 are too close: 1\nedge 1 from 1 to 2 is too long: 10\n"
      .. "node 1 is too far from all others: the nearest is 2, at 10\n%s: 3 nodes, 4 findings\n"):format(through, file),
      "", "check", file, "--too-close", "2", "--too-far", "9.5")
    local grid = new_file ".wend"
    assert(wend.grid(2, 2):save(grid))
    fails(grid .. " has no graph: --too-close and --too-far are for the nodes of a graph", "check", grid,
      "--too-far", "3")
    local status, _, stderr = run { "check", file, "--too-far", "0" }
    assert.equal(2, status)
    assert.truthy(stderr:find("expected a finite number > 0, got '0'", 1, true), stderr)
  end)

  with_parser("is described with all its parts", function()
    local status, stdout, stderr = run { "info", saved(bridged()) }
    assert.same({ 0, "" }, { status, stderr })
    assert.truthy(stdout:find([[
kind:         level
size:         5 x 2 cells of 1
layers:       2: water, 2
walls:        1
names:        3: moon, rock, well

grid:         all layers
size:         5 x 2
]], 1, true), stdout)
    assert.truthy(stdout:find("\n\ngraph:\ndimensions:   2\nnodes:        3 (2 named)\n", 1, true), stdout)
  end)

  with_parser("has paths from place to place, on its grid or its graph", function()
    local file = saved(bridged())
    runs(0, "1,1\n2,1\n3,1\n4,1\n5,2\ncost 4.4142135623731, 4 steps\n", "", "path", file, "gate", "well")
    runs(0, "'gate' (1)\n'keep' (2)\ncost 4, 1 edge\n", "", "path", file, "gate", "keep", "--layer", "graph")
    fails("'moon' lies outside the grid", "path", file, "gate", "moon")
    fails("a cell must be given as x,y or by the name of a place (3: moon, rock, well), got 'tree'", "path", file,
      "gate", "tree")
  end)

  with_parser("is converted with all its parts", function()
    local level, out = bridged(), new_file ".wend"
    runs(0, "", "", "convert", saved(level), out)
    assert.equal(level:encode(), wend.load(out):encode())
    runs(0, "", "", "convert", saved(level), out, "--layer", "water")
    assert.equal(level.grids.water:encode(), wend.load(out):encode())
    local text = new_file ".txt"
    runs(0, "", "", "convert", saved(level), text)
    assert.equal(dump(level), helper.read(text))
  end)

  with_parser("is drawn with all its parts", function()
    local status, stdout, stderr = run { "svg", saved(bridged()), "--path", "gate", "well" }
    assert.same({ 0, "" }, { status, stderr })
    for _, text in ipairs { ">gate<", ">well<", ">wall<", ">closed<", ">path, cost 4.4142<" } do
      assert.truthy(stdout:find(text, 1, true), text)
    end
  end)

  with_parser("may lack parts", function()
    local file = saved(wend.level())
    fails(file .. " has neither a grid nor a graph", "check", file)
    fails(file .. " has neither a grid nor a graph", "path", file, "a", "b")
    runs(0, "", "", "convert", file, new_file ".svg")
    assert.truthy(select(2, run { "info", file })
      :find("kind:         level\nlayers:       0\nwalls:        0\n", 1, true))
    file = saved(bridged().walls)
    fails(file .. " must hold a graph or a grid, got walls", "check", file)
    assert.truthy(select(2, run { "info", file }):find("kind:         walls\nwalls:        1\nmemory: ", 1, true))
    runs(0, "", "", "convert", file, new_file ".txt")
  end)

  with_parser("from Tiled goes through every command, and is one file afterwards", function()
    local out = new_file ".wend"
    local level = assert(wend.read_tiled(FORD))
    runs(0, "", "", "convert", FORD, out)
    local back = assert(wend.load(out))
    assert.equal(level:encode(), back:encode())
    for _, file in ipairs { FORD, out } do
      local function fine(...)
        local status, stdout, stderr = run { ... }
        assert.same({ 0, "" }, { status, stderr })
        return stdout
      end
      assert.truthy(fine("info", file):find("layers:       2: ground, above\n", 1, true))
      fine("check", file)
      assert.equal(fine("path", FORD, "mill", "tower"), fine("path", file, "mill", "tower"))
      assert.truthy(fine("path", file, "mill", "tower", "--layer", "graph"):find("'crossroads' (2)", 1, true))
      assert.truthy(fine("path", file, "mill", "tower", "--explain"):find("road", 1, true))
      assert.equal(fine("svg", FORD, "--path", "mill", "tower"), fine("svg", file, "--path", "mill", "tower"))
      local text, picture = new_file ".txt", new_file ".svg"
      fine("convert", file, text)
      assert.equal(dump(level), helper.read(text))
      fine("convert", file, picture)
    end
  end)
end)
