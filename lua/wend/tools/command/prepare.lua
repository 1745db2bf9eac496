-- SPDX-License-Identifier: MIT
--- wend prepare: computes the tables of a map that make searches faster, and saves it with them.

local check = require "wend.check"
local format = require "wend.format"
local maps = require "wend.tools.command.maps"
local output = require "wend.tools.command.output"
local text = require "wend.tools.command.text"

--- A function for on_progress that writes to standard error: one line that changes in a terminal, a line for each tenth
--- elsewhere.
local function teller(context, name)
  local last = -1
  local line = output.is_terminal(context, "stderr") and "\r%s: %3d %%" or "%s: %d %%\n"
  local step = line:find "^\r" and 1 or 10
  return function(share)
    local percent = math.floor(share * 100 / step) * step
    if percent > last then
      last = percent
      context.stderr:write(line:format(name, percent), step == 1 and percent == 100 and "\n" or "")
    end
  end
end

--- The maps to prepare: of a whole level the grid and the graph.
local function maps_of(loaded)
  local list, graph = { maps.chosen(loaded) }, loaded.whole and loaded.whole.graph
  if graph and graph ~= list[1] then list[2] = graph end
  return list
end

local function run(context)
  local arguments = context.arguments
  if not arguments.output:lower():find "%.wend$" then
    output.fail("the name of the output must end in .wend, got '%s'", text.printable(arguments.output))
  end
  local whole, loaded = maps.read_whole(context)
  for _, map in ipairs(maps_of(loaded)) do
    local name = maps.is_grid(map) and "grid" or "graph"
    local report = output.must(map:prepare(maps.with(maps.read_view(context), {
      landmarks = arguments.landmarks, threads = 2, on_progress = teller(context, name),
    })))
    output.fact(context, name, "%s", report.reason or ("%s, %d bytes, %s seconds"):format(
      format.count(report.landmarks, "landmark"), report.bytes, format.decimals(report.seconds)))
  end
  output.must(whole:save(arguments.output))
  return output.FINE
end

return {
  name = "prepare", run = run, uses_costs = true,
  summary = "Make searches faster: compute tables, and save the map with them.",
  about = "Computes the tables of map:prepare, and writes the map with them. Searches find them after wend.load. Of a "
    .. "level it prepares the grid with all layers and the graph. Progress goes to standard error.",
  examples = [[
Examples:
   wend prepare level.wend fast.wend
   wend prepare level.wend fast.wend --costs walker.lua     for the costs of an agent]],
  define = function(add)
    add.file()
    add.argument("output", "The file to write. Its name ends in .wend.", "OUT")
    add.layer()
    add.view()
    add.number("--landmarks", "How many landmarks, 1 to 16. Default: 16 for graphs, 8 for grids.", "N", check.COUNT)
  end,
}
