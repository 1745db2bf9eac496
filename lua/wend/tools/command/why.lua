-- SPDX-License-Identifier: MIT
--- wend why: says why there is no path between two places.

local maps = require "wend.tools.command.maps"
local output = require "wend.tools.command.output"
local text = require "wend.tools.command.text"

local function run(context)
  local arguments = context.arguments
  local map, loaded = maps.read_map(context)
  local report, message = maps.ask(map, "why_not", loaded, arguments.from, arguments.to, maps.read_view(context))
  if report then
    output.say(context, "%s", text.with_tiles(maps.is_grid(map) and loaded.level, text.printable(tostring(report))))
    return output.FINDINGS
  elseif message then
    output.fail("%s", message)
  end
  output.say(context, "there is a path")
  return output.FINE
end

return {
  name = "why", run = run, uses_costs = true,
  summary = "Say why there is no path between two places.",
  about = "Says what is in the way where there is no path: a smallest set of closed nodes, edges and cells, "
    .. "one-way edges, walls, tags and rules. Without it there would be a path. FROM and TO are those of wend path.",
  examples = [[
Examples:
   wend why level.wend gate keep
   wend why level.wend gate keep --costs walker.lua --agent '{ boots = true }'
   wend why cave.txt 2,13 56,16
   wend why level.tmx mill tower --layer graph     along the graph of a level

Exit status: 0 there is a path, 1 there is none, 2 an error.]],
  define = function(add)
    add.file()
    add.argument("from", "The start.")
    add.argument("to", "The goal.")
    add.layer()
    add.view()
  end,
}
