-- SPDX-License-Identifier: MIT
--- The command wend: its command line. parse() makes the parser of argparse from the list of commands.

local core = require "wend.core"
local output = require "wend.command.output"

local bench = require "wend.command.bench"
local check = require "wend.command.check"
local convert = require "wend.command.convert"
local info = require "wend.command.info"
local path = require "wend.command.path"
local routes = require "wend.command.routes"
local svg = require "wend.command.svg"

-- In the order of the help. Each: name, run(context) -> exit status, summary, about, examples, uses_costs, and
-- define(add), which adds its arguments.
local COMMANDS = { info, check, path, bench, svg, convert, routes }

local ABOUT = [[
Looks at the maps of games that find their way by wend: checks, measures, draws and converts them.]]

local EXAMPLES = [[
FILE is any map that wend reads, told by its first bytes or its name:
   .wend   what x:save(file) wrote           .map   a grid map of the Moving AI Lab
   .wpt    bot waypoints                     .lua   a level of Tiled, by its Lua export
   .gr     DIMACS arcs, with the .co         .gz    of .wpt, .gr, .map: packed by gzip

Examples:
   wend info level.wend                     what is in it
   wend check level.wend                    whether one can get everywhere, and back
   wend path level.wend gate keep           the cheapest path between two nodes
   wend path cave.map 2,13 56,16            ... and between two cells
   wend svg level.wend -o level.svg         a picture, for a browser
   wend convert level.lua level.wend        from Tiled to a file for the game
   wend check --help                        more about one command

Exit status: 0 fine, 1 findings or no path, 2 it could not be done.]]

local COSTS = [[
A file of costs is Lua that returns a table by tag, as wend.costs takes it, or what wend.costs makes of one:
   return { road = 0.5, lava = false, swamp = function(agent) return agent.boots and 1 or 2 end }
It and --agent are run as your own code: do not give files of people whom you do not trust.]]

--- Adds a flag that ends the parsing by an error: argparse has no other way. The text to print goes into asked.text.
--- argparse itself would print it and exit, which main must not.
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
  function add.flag(name, about)
    return parser:flag(name, about)
  end
  function add.file()
    add.argument("file", "The map.")
  end
  function add.layer()
    add.option("--layer", "Which layer of a Tiled map, by name or number, or graph; default: the first.", "NAME")
  end
  function add.view()
    add.option("--costs", "A Lua file: what the agent thinks of the tags.", "FILE")
    add.option("--agent", "Who it is for: a Lua expression, handed to the functions of the costs.", "LUA")
  end
  function add.quiet()
    add.flag("--quiet", "Do not tell how far it has come (which is told to terminals alone).")
  end
  one.define(add)
end

local function make_parser(argparse, asked)
  local parser = argparse("wend", ABOUT, EXAMPLES):require_command(false):command_target "command"
  add_help(parser, asked)
  add_ending_flag(parser, asked, "--version", "Say which version this is.", function()
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

local function command_of(name)
  for _, one in ipairs(COMMANDS) do
    if one.name == name then return one end
  end
end

--- Parses a command line. Returns the command and its arguments; or nil and a table with a text: `asked`, the help or
--- version that the user asked for, or `usage`, where no command is given.
---@param list string[]
---@return table|nil one
---@return table result
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
    output.fail("%s (wend%s --help says more)", result, command_of(list[1]) and " " .. list[1] or "")
  elseif not result.command then
    return nil, { usage = parser:get_help() }
  end
  return command_of(result.command), result
end

return arguments
