-- SPDX-License-Identifier: MIT
-- The command wend: what it draws in a terminal, preparing, completion, and how it finds the module.
local command = require "wend.tools.command"
local helper = require "spec.support.helper"
local shared = require "spec.support.command"
local wend = require "wend"

local run, runs, fails, new_file, saved = shared.run, shared.runs, shared.fails, shared.new_file, shared.saved
local has_argparse = pcall(require, "argparse")
local is_windows = package.config:sub(1, 1) == "\\"

--- A spec that needs argparse.
local function with_parser(sentence, fn)
  it(sentence, has_argparse and fn or function() return pending "no argparse for this Lua (Debian: lua-argparse)" end)
end

--- A street from the gate in the upper left corner to the keep on the right.
local function street()
  local graph = wend.graph()
  graph:add_nodes { 0, 0, 0, 12, 78, 12 }
  graph:add_edges { 1, 2, 2, 3 }
  return graph:set_name(1, "gate"):set_name(3, "keep")
end

local function map_file() return helper.file("..#\n...\n", ".txt") end

after_each(helper.clean)

describe("wend view", function()
  with_parser("draws a grid as grid:text does, or a part of it", function()
    runs(0, "..#\n...\n", "", "view", map_file())
    runs(0, ".#\n..\n", "", "view", map_file(), "--area", "2", "1", "3", "2")
    fails("area[3] must be a whole number in 1 .. 3, got 4", "view", map_file(), "--area", "1", "1", "4", "2")
    fails("malformed argument 'x' (wend view --help says more)", "view", map_file(), "--area", "1", "1", "x", "2")
  end)

  with_parser("draws a graph: nodes, edges, and names where there is space", function()
    runs(0, "o gate\n.\n.\n.\n.\n.\no" .. ("."):rep(77) .. "o keep\n", "", "view", saved(street()))
    fails("--area is for grids", "view", saved(street()), "--area", "1", "1", "2", "2")
  end)

  with_parser("says which nodes it cannot draw", function()
    local graph = wend.graph()
    graph:add_node()
    fails("no node of the graph has a position: there is nothing to draw", "view", saved(graph))
    graph:add_node(5, 5)
    runs(0, "o\n", "wend: without a position, not drawn: 1 node\n", "view", saved(graph))
  end)

  with_parser("draws graphs of any extent", function()
    for _, far in ipairs { 1e-300, 1, 1e150 } do
      local graph = wend.graph()
      graph:add_nodes { -far, -far, far, far }
      graph:add_edges { 1, 2 }
      local status, stdout, stderr = run { "view", saved(graph) }
      assert.same({ 0, "" }, { status, stderr })
      local lines, widest = select(2, stdout:gsub("\n", "")), 0
      for line in stdout:gmatch "[^\n]+" do widest = math.max(widest, #line) end
      assert.is_true(lines == 40 and widest == 79, ("%d lines, %d columns"):format(lines, widest))
    end
  end)

  with_parser("writes a picture", function()
    local out, file = new_file ".svg", saved(street())
    runs(0, "", "", "view", file, "--svg", out)
    assert.equal(wend.svg(wend.load(file)), helper.read(out))
  end)
end)

describe("wend path --draw", function()
  with_parser("draws the map with the path", function()
    runs(0, "*.#\n.**\ncost 2.4142135623731, 2 steps\n", "", "path", map_file(), "1,1", "3,2", "--draw")
    runs(0, "* gate\n*\n*\n*\n*\n*\n*" .. ("."):rep(77) .. "o keep\ncost 12, 1 edge\n", "", "path", saved(street()),
      "gate", "2", "--draw")
  end)

  with_parser("has colours in a terminal, unless NO_COLOR is set", function()
    local getenv, values = os.getenv, {}
    os.getenv = function(name) return values[name] end -- luacheck: ignore 122
    local arguments = { "path", map_file(), "1,1", "3,2", "--draw" }
    local _, plain = run(arguments)
    local _, coloured = run(arguments, true)
    values.NO_COLOR = "1"
    local _, asked = run(arguments, true)
    values.NO_COLOR = ""
    local _, empty = run(arguments, true)
    values.TERM = "dumb"
    local _, dumb = run(arguments, true)
    os.getenv = getenv -- luacheck: ignore 122
    assert.equal("\27[0;1;31m*\27[0m.\27[0;90m#\27[0m\n.\27[0;1;31m**\27[0m\ncost 2.4142135623731, 2 steps\n", coloured)
    assert.same({ plain, coloured, plain }, { asked, empty, dumb })
  end)

  with_parser("gives each tag a colour, whatever its character is", function()
    local grid = wend.parse_grid("s\195\164.", { s = "swamp", ["\195\164"] = "Acker" })
    local getenv = os.getenv
    os.getenv = function() end -- luacheck: ignore 122
    local _, stdout = run({ "view", saved(grid) }, true)
    os.getenv = getenv -- luacheck: ignore 122
    assert.truthy(stdout:find "^\27%[0;3%dms\27%[0;3%dm[^\27]+\27%[0m%.\n$")
    assert.equal("s\195\164.\n", (stdout:gsub("\27%[[%d;]*m", "")))
  end)
end)

describe("wend prepare", function()
  with_parser("writes the map with its tables, and its progress on standard error", function()
    local out = new_file ".wend"
    local status, stdout, stderr = run { "prepare", saved(street()), out, "--landmarks", "2" }
    assert.equal(0, status)
    assert.truthy(stdout:find "^graph: +2 landmarks, %d+ bytes, [%d.]+ seconds\n$")
    assert.equal(2, wend.load(out):prepared().landmarks)
    assert.truthy(stderr:find "^graph: %d+ %%\n.*graph: 100 %%\n$")
    assert.is_true(select(2, stderr:gsub("\n", "")) <= 11)
  end)

  with_parser("rewrites one line in a terminal", function()
    local _, _, stderr = run({ "prepare", saved(street()), new_file ".wend" }, true)
    assert.truthy(stderr:find "^\rgraph: +%d+ %%\r.*\rgraph: 100 %%\n$")
  end)

  with_parser("prepares the grid and the graph of a level, for an agent", function()
    local costs, out = helper.file("return { swamp = 3 }", ".lua"), new_file ".wend"
    local grid = wend.parse_grid("..s.\n....", { s = "swamp" })
    local level = wend.level { grid = grid, graph = street() }
    local status, stdout = run { "prepare", saved(level), out, "--costs", costs }
    assert.equal(0, status)
    assert.truthy(stdout:find "^grid: +8 landmarks, .*\ngraph: +16 landmarks, ")
    local loaded, profile = wend.load(out), wend.costs { swamp = 3 }
    assert.is_true(loaded.grid:prepared({ costs = profile }).own)
    assert.is_true(loaded.graph:prepared({ costs = profile }).own)
  end)

  with_parser("says why a grid needs no tables, and what is wrong", function()
    local status, stdout = run { "prepare", helper.file("..\n..\n", ".txt"), new_file ".wend" }
    assert.equal(0, status)
    assert.truthy(stdout:find "^grid: +%l")
    fails("the name of the output must end in .wend, got 'x.txt'", "prepare", map_file(), "x.txt")
    fails("landmarks must be a whole number in 1 .. 16, got 99", "prepare", map_file(), "x.wend", "--landmarks", "99")
  end)
end)

describe("wend completion", function()
  with_parser("writes a script for each shell", function()
    for _, shell in ipairs { "bash", "zsh", "fish" } do
      local status, stdout, stderr = run { "completion", shell }
      assert.same({ 0, "" }, { status, stderr })
      for _, word in ipairs { "convert", "prepare", "landmarks", "draw" } do
        assert.truthy(stdout:find(word, 1, true), shell .. ": " .. word)
      end
    end
    fails("argument 'SHELL' must be one of 'bash', 'zsh', 'fish' (wend completion --help says more)",
      "completion", "tcsh")
  end)

  with_parser("completes commands and options in bash", function()
    local found = not is_windows and os.execute "command -v bash >/dev/null 2>&1"
    if found ~= true and found ~= 0 then return pending "no bash here" end
    local _, script = run { "completion", "bash" }
    local pipe = io.popen("bash " .. helper.file(script .. [[
      COMP_WORDS=(wend vi) COMP_CWORD=1; _wend; echo "${COMPREPLY[@]}"
      COMP_WORDS=(wend path a b c --d) COMP_CWORD=5; _wend; echo "${COMPREPLY[@]}"
    ]]))
    local printed = pipe:read "*a"
    pipe:close()
    assert.equal("view\n--draw\n", printed)
  end)
end)

describe("bin/wend", function()
  local version = rawget(_G, "jit") and "jit" or _VERSION:match "%d+%.%d+"
  local interface = version == "jit" and "5.1" or version
  local share, lib = "share/lua/" .. interface, "lib/lua/" .. interface

  --- Runs bin/wend as if it were another file. Returns what it put in front of the module paths.
  local function places_of(script)
    local main, exit, arguments, path, cpath = command.main, os.exit, arg, package.path, package.cpath
    command.main, os.exit = function() end, function() end -- luacheck: ignore 122
    _G.arg = { [0] = script }
    local ok, problem = pcall(assert(loadfile "bin/wend"))
    local new_path, new_cpath = package.path, package.cpath
    command.main, os.exit, _G.arg = main, exit, arguments -- luacheck: ignore 122
    package.path, package.cpath = path, cpath
    assert.is_true(ok, problem)
    return new_path:sub(1, #new_path - #path), new_cpath:sub(1, #new_cpath - #cpath)
  end

  for what, layout in pairs {
    ["a checkout"] = { "bin", "lua", "build/" .. version, "../" },
    ["an installation"] = { "bin", share, lib, "../" },
    ["a tree of LuaRocks"] = { "lib/luarocks/rocks-5.4/wend/dev-1/bin", share, lib, "../../../../../../" },
  } do
    it("finds the module in " .. what .. ", also through links", function()
      if is_windows then return pending "links of POSIX systems" end
      local root = os.tmpname()
      os.remove(root)
      local bin, scripts, library = root .. "/" .. layout[1], layout[2], layout[3]
      local function sh(line) assert.truthy(os.execute(line:gsub("ROOT", root))) end
      sh("mkdir -p " .. bin .. " ROOT/links ROOT/" .. scripts .. "/wend ROOT/" .. library .. "/wend")
      sh("cp bin/wend " .. bin .. " && ln -s " .. bin .. "/wend ROOT/links/first && ln -s first ROOT/links/wend")
      assert.same({ "", "" }, { places_of(root .. "/links/wend") }) -- no module yet
      sh("touch ROOT/" .. scripts .. "/wend/init.lua ROOT/" .. library .. "/wend/core.so")
      local prefix = bin .. "/" .. layout[4]
      local expected = {
        ("%s/?.lua;%s/?/init.lua;"):format(prefix .. scripts, prefix .. scripts), prefix .. library .. "/?.so;",
      }
      local found = { { places_of(bin .. "/wend") }, { places_of(root .. "/links/wend") } }
      sh "rm -r ROOT"
      assert.same({ expected, expected }, found)
    end)
  end
end)
