-- SPDX-License-Identifier: MIT
--- wend routes: a table of all routes of a graph.

local maps = require "wend.command.maps"
local output = require "wend.command.output"
local text = require "wend.command.text"

local function run(context)
  local arguments = context.arguments
  local map = maps.read_map(context)
  if maps.is_grid(map) then
    output.fail("%s is a grid, and route tables are of graphs", arguments.file)
  elseif type(map.routes) ~= "function" then
    output.fail "this build of wend has no route tables"
  end
  local tell = output.progress(context, "routes")
  local made = output.must(map:routes(maps.with(maps.read_view(context), { progress = tell })))
  context.finish()
  output.save(made, arguments.output)
  local nodes = map:node_count()
  local bytes = made:bytes()
  output.say(context, "%s, %d bytes, %.3g a pair", text.count(nodes, "node"), bytes, bytes / math.max(nodes * nodes, 1))
  return output.FINE
end

return {
  name = "routes", run = run, uses_costs = true,
  summary = "Work out all routes of a graph.",
  about = "Works out a table of the cheapest routes between all nodes of a graph, from which a game reads "
    .. "them without a search.",
  examples = [[
Examples:
   wend routes level.wend -o level.routes.wend
   wend routes level.wend -o walker.routes.wend --costs walker.lua]],
  define = function(add)
    add.file()
    add.layer()
    add.view()
    add.option("-o --output", "Where to write it.", "OUT"):count "1"
    add.quiet()
  end,
}
