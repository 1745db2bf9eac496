-- SPDX-License-Identifier: MIT
--- The command wend: parses the command line, with the module argparse. Each command describes its own arguments.

local core = require "wend.core"
local output = require "wend.tools.command.output"

local check = require "wend.tools.command.check"
local completion = require "wend.tools.command.completion"
local convert = require "wend.tools.command.convert"
local info = require "wend.tools.command.info"
local path = require "wend.tools.command.path"
local prepare = require "wend.tools.command.prepare"
local svg = require "wend.tools.command.svg"
local view = require "wend.tools.command.view"
local why = require "wend.tools.command.why"

-- In the order of the help. A command is a table with the fields name, run = function (context) that returns the exit
-- status, summary, about, examples, uses_costs, and define = function (add) that adds its arguments.
local COMMANDS = { info, view, check, path, why, svg, convert, prepare, completion }

local ABOUT = [[
Inspects, checks, draws and converts the maps of games that use wend for pathfinding.]]

local EXAMPLES = [[
FILE is a map or a level. Its first bytes or its name tell the format:
   .wend   a file written by x:save           .tmx   a map of Tiled; also .tmj, and .lua: Lua export
   .txt    a grid drawn in text, with --legend

Examples:
   wend info level.wend                     what the file contains
   wend view level.wend                     a drawing of it in the terminal
   wend check level.wend                    places that are cut off, dead ends and traps
   wend path level.wend gate keep           the cheapest path between two nodes
   wend path cave.txt 2,13 56,16            the cheapest path between two cells
   wend why level.wend gate keep            what is in the way if there is no path
   wend svg level.wend -o level.svg         a picture for a browser
   wend convert level.tmx level.wend        from Tiled to a file for the game
   wend prepare level.wend fast.wend        tables that make searches faster
   wend check --help                        help for one command

Exit status: 0 success, 1 there are findings or there is no path, 2 an error.]]

local COSTS = [[
The file of --costs is a Lua program that returns a table of costs by tag, as for wend.costs, or a profile:
   return { road = 0.5, lava = false, swamp = function(agent) return agent.boots and 1 or 2 end }
This file and --agent run as your own code: never use files from people whom you do not trust.]]

--- Adds a flag that prints a text and ends. The text goes into asked.text, and an error ends the parsing: argparse
--- offers no other way. By itself it would print the text and exit, but main must return.
local function add_ending_flag(parser, asked, name, about, text)
  parser:flag(name, about):action(function()
    asked.text = text()
    error "asked"
  end)
end

local function add_help(parser, asked)
  parser:add_help(false):help_max_width(100)
  add_ending_flag(parser, asked, "-h --help", "Show this help.", function() return parser:get_help() end)
end

--- Adds the arguments of a command. `add` has a function for each kind of argument.
local function define(parser, one)
  local add = {}
  function add.argument(name, about, shown)
    shown = shown or name:upper()
    return parser:argument(shown, about):target(name):argname(shown)
  end
  function add.option(name, about, shown)
    local option = parser:option(name, about):overwrite(false)
    return shown and option:argname(shown) or option
  end
  --- An option whose value is a number.
  -- @param kind which numbers, such as check.COUNT
  function add.number(name, about, shown, kind)
    add.option(name, about, shown):convert(function(text)
      local value = tonumber(text)
      if kind.holds(value) then return value end
      return nil, ("expected %s, got '%s'"):format(kind.be, text)
    end)
  end
  function add.flag(name, about)
    return parser:flag(name, about)
  end
  function add.file()
    add.argument("file", "The file of the map.")
    add.option("--legend", "For a .txt: a Lua file that returns its cells by character, as for wend.parse_grid. "
      .. "It runs as your own code.", "FILE")
    add.option("--closed", "For a map of Tiled: the name of a layer, a class or a property that blocks, with * for any "
      .. "text; or common. Any number of times.", "WORD"):count "*"
  end
  function add.layer()
    add.option("--layer", "One layer of a level: its name, its number, or graph. Default: the whole level.", "NAME")
  end
  function add.view()
    add.option("--costs", "A Lua file with the costs of the tags for one agent. See below.", "FILE")
    add.option("--agent", "The agent: a Lua expression, passed to the functions of the costs.", "LUA")
  end
  one.define(add)
end

local function make_parser(argparse, asked)
  local parser = argparse("wend", ABOUT, EXAMPLES):require_command(false):command_target "command"
  add_help(parser, asked)
  add_ending_flag(parser, asked, "--version", "Show the versions of wend and Lua.", function()
    local jit = rawget(_G, "jit")
    return ("wend %s, %s"):format(core.version, jit and jit.version or _VERSION)
  end)
  for _, one in ipairs(COMMANDS) do
    local child = parser:command(one.name):summary(one.summary):description(one.about)
      :epilog(one.examples .. (one.uses_costs and "\n\n" .. COSTS or ""))
    add_help(child, asked)
    define(child, one)
  end
  return parser
end

local arguments = {}

--- The command with this name.
local function command_of(name)
  for _, one in ipairs(COMMANDS) do
    if one.name == name then return one end
  end
end

--- Parses a command line. Returns the command, its arguments and the parser; or nil and a table with a text: `asked`,
--- the help or version that the user asked for; or `usage`, if no command is given. Fails for invalid arguments.
function arguments.parse(list)
  local ok, argparse = pcall(require, "argparse")
  if not ok then
    if not tostring(argparse):find("'argparse' not found", 1, true) then
      error(argparse, 0)
    end
    output.fail("the command needs the Lua module argparse: "
      .. "`luarocks install argparse`, or Debian's package lua-argparse")
  end
  local asked = {}
  local parser = make_parser(argparse, asked)
  local valid, parsed, result = pcall(parser.pparse, parser, list)
  if asked.text then
    return nil, { asked = asked.text }
  elseif not valid then
    error(parsed, 0)
  elseif not parsed then
    result = result:gsub("\nDid", ": did")
    output.fail("%s (wend%s --help says more)", result, command_of(list[1]) and " " .. list[1] or "")
  elseif not result.command then
    return nil, { usage = parser:get_help() }
  end
  return command_of(result.command), result, parser
end

return arguments
