-- SPDX-License-Identifier: MIT
--- wend path: finds the cheapest path between two places.

local format = require "wend.format"
local maps = require "wend.tools.command.maps"
local output = require "wend.tools.command.output"
local picture = require "wend.tools.command.picture"
local text = require "wend.tools.command.text"

--- The rules of an edge, and the cost after each of them, as text.
local function rules_text(rules)
  local texts = {}
  for i, rule in ipairs(rules or {}) do
    texts[i] = ("%s: %s"):format(text.printable(rule.name), rule.cost and format.number(rule.cost, 6) or "closed")
  end
  return table.concat(texts, "; ")
end

local function run(context)
  local arguments = context.arguments
  local map, loaded = maps.read_map(context)
  local is_grid = maps.is_grid(map)
  local found, message = maps.ask(map, "path", loaded, arguments.from, arguments.to, maps.read_view(context))
  if not found then
    output.say(context, "%s", text.with_tiles(is_grid and loaded.level, text.printable(message)))
    return output.FINDINGS
  end
  local steps = 0
  local function cell(x, y)
    return format.cell(x, y) .. text.tile(loaded.level, x, y)
  end
  if arguments.explain then
    local rows = { { "from", "to", "tag", "weight", "cost", "by" } }
    for i, edge in ipairs(found:explain()) do
      rows[i + 1] = {
        is_grid and cell(edge.from_x, edge.from_y) or text.node(map, edge.from),
        is_grid and cell(edge.to_x, edge.to_y) or text.node(map, edge.to),
        edge.tag and text.printable(edge.tag) or "-", format.number(edge.weight, 6), format.number(edge.cost, 6),
        rules_text(edge.rules),
      }
      steps = i
    end
    for _, line in ipairs(format.columns(rows, "  ")) do
      output.say(context, "%s", line)
    end
  elseif arguments.draw then
    picture.show(context, map, found)
    for i in found:each() do steps = i - 1 end
  else
    for i, a, b in found:each() do
      output.say(context, "%s", b and ("%d,%d%s"):format(a, b, text.tile(loaded.level, a, b)) or text.node(map, a))
      steps = i - 1
    end
  end
  output.say(context, "cost %s, %s", format.number(found.cost),
    format.count(steps, is_grid and "step" or "edge"))
  return output.FINE
end

return {
  name = "path", run = run, uses_costs = true,
  summary = "Find the cheapest path between two places.",
  about = "Finds the cheapest path. On graphs, FROM and TO are names or ids of nodes. On grids, they are cells x,y, or "
    .. "names of places in a level. "
    .. "A level is searched on its grid with all layers.",
  examples = [[
Examples:
   wend path level.wend gate keep
   wend path level.wend gate keep --draw           a drawing of the map with the path
   wend path level.wend gate keep --costs walker.lua --agent '{ boots = true }' --explain
   wend path cave.txt 2,13 56,16
   wend path level.tmx mill tower                  places of a level from Tiled
   wend path level.tmx mill tower --layer graph    along its graph
   wend path level.wend -- -a -b                   for names that begin with a dash

Exit status: 0 there is a path, 1 there is none, 2 an error.]],
  define = function(add)
    add.file()
    add.argument("from", "The start.")
    add.argument("to", "The goal.")
    add.layer()
    add.view()
    add.flag("--draw", "Draw the map with the path as text, in colour in a terminal, instead of a list.")
    add.flag("--explain", "Show the cost of each edge or step, and the rules that changed it.")
  end,
}
