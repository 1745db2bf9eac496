-- SPDX-License-Identifier: MIT
--- wend check: finds places that cannot be entered or left, and nodes and edges whose positions are wrong.

local check = require "wend.check"
local format = require "wend.format"
local maps = require "wend.tools.command.maps"
local output = require "wend.tools.command.output"
local sorted = require "wend.sorted"
local text = require "wend.tools.command.text"

local function set_of(list)
  local set = {}
  for _, item in ipairs(list) do
    set[item] = true
  end
  return set
end

--- Whether all edges that leave a component have tags that may lead one way.
local function is_allowed(map, list, allow)
  if #allow == 0 or maps.is_grid(map) then
    return false
  end
  local allowed, inside = set_of(allow), set_of(list)
  for _, node in ipairs(list) do
    for _, neighbour, _, tag in map:edges(node) do
      if not inside[neighbour] and not allowed[tag] then
        return false
      end
    end
  end
  return true
end

--- Reports components of two or more places that are cut off, or that can be left but not entered: map:check does not
--- list them.
local function tell_parts(map, found, view, allow, tell)
  local largest = found.components[1]
  if not found.components[2] or #found.components[2] < (maps.is_grid(map) and 4 or 2) then
    return
  end
  local is_grid = maps.is_grid(map)
  local noun = is_grid and "cells" or "nodes"
  local function field(outward)
    local options = maps.with(view, { outward = outward })
    return is_grid and map:field(largest[1], largest[2], options) or map:field(largest[1], options)
  end
  local outward, inward = field(true), field(false)
  local function is_reached(by, part)
    if is_grid then
      return by:cost(part[1], part[2]) ~= nil
    end
    return by:cost(part[1]) ~= nil
  end
  for i = 2, #found.components do
    local part = found.components[i]
    local names, amount = text.places(map, part)
    if amount > 1 and not is_reached(outward, part) then
      if not is_reached(inward, part) then
        tell("%d %s are connected only with each other: %s", amount, noun, names)
      elseif not is_allowed(map, part, allow) then
        tell("%d %s can be left but not entered: %s", amount, noun, names)
      end
    end
  end
end

--- Checks one map. Returns the number of its findings, the number of its places, and whether all are connected.
-- @param placing the options walls, too_close and too_far of a graph, or nil
-- @param tell function (...), as string.format, called for each finding
local function check_map(map, view, allow, placing, tell_finding)
  local found = output.must(map:check(maps.with(view, maps.with(placing or {}, { allow = allow }))))
  local findings = 0
  local function tell(...)
    findings = findings + 1
    tell_finding(...)
  end
  local step = maps.is_grid(map) and 2 or 1
  local noun = step == 2 and "cell" or "node"
  local function tell_each(list, sentence)
    for i = 1, #list, step do
      tell(sentence, noun, step == 2 and format.cell(list[i], list[i + 1]) or text.node(map, list[i]))
    end
  end
  tell_each(found.isolated, "%s %s is isolated: nothing leads in or out")
  tell_each(found.sinks, "%s %s can be entered but not left (a sink)")
  tell_each(found.sources, "%s %s can be left but not entered (a source)")
  for _, trap in ipairs(found.traps) do
    if #trap.nodes > step then -- otherwise it is a sink
      tell("%s (a trap)", text.printable(trap.message))
    end
  end
  tell_parts(map, found, view, allow, tell)
  for _, list in ipairs { "walls", "too_close", "too_far" } do
    for _, one in ipairs(found[list] or {}) do
      tell("%s", text.printable(one.message))
    end
  end
  local amount = 0
  for _, part in ipairs(found.components) do
    amount = amount + #part / step
  end
  return { findings = findings, places = format.count(amount, noun), components = #found.components,
    connected = found.connected }
end

--- Notes names of a level that lie outside its grid or in closed cells. These are no findings: a name may be that of a
--- house or of a label.
local function note_names(level, grid, note)
  for _, name in ipairs(sorted(pairs(level.names or {}))) do
    local x, y = grid:cell_at(level.names[name].x, level.names[name].y)
    if not x then
      note("note: name '%s' lies outside the grid", text.printable(name))
    elseif grid:is_closed(x, y) then
      note("note: name '%s' lies in a closed cell, %s%s", text.printable(name), format.cell(x, y),
        text.tile(level, x, y))
    end
  end
end

local CHOKEPOINTS_SHOWN = 20

--- Notes the chokepoints of a map: these are no findings.
-- @param least leaves out those that cut off fewer places
-- @param note function (...), as string.format
local function note_chokepoints(map, view, least, note)
  local found = output.must(map:chokepoints(maps.with(view, { min = least })))
  local noun = maps.is_grid(map) and "cell" or "node"
  for i, one in ipairs(found) do
    local what
    if i > CHOKEPOINTS_SHOWN then
      note("note: and %d more chokepoints", #found - CHOKEPOINTS_SHOWN)
      break
    elseif one.to_x then
      what = ("the link from %s to %s"):format(format.cell(one.x, one.y), format.cell(one.to_x, one.to_y))
    elseif one.x then
      what = "cell " .. format.cell(one.x, one.y)
    elseif one.node then
      what = "node " .. text.node(map, one.node)
    else
      what = ("edge %.0f from %s to %s"):format(one.edge, text.node(map, one.from), text.node(map, one.to))
    end
    note("note: without %s, %s %s cut off", what, format.count(one.cuts, noun), one.cuts == 1 and "is" or "are")
  end
end

--- Reports the tags that the costs name and the map does not have. Returns the number of findings.
-- @param allowed the tags of the option --allow-unknown; '*' means all
local function tell_unknown(context, loaded, profile, allowed)
  local findings, is_allowed_tag = 0, set_of(allowed)
  for _, one in ipairs(profile and profile:unknown(loaded.whole or loaded.object) or {}) do
    if not is_allowed_tag[one.tag] and not is_allowed_tag["*"] then
      findings = findings + 1
      output.say(context, "warning: the costs name the tag '%s', which nothing has%s", text.printable(one.tag),
        one.nearest and ("; did you mean '%s'?"):format(text.printable(one.nearest)) or "")
    end
  end
  return findings
end

--- The maps that are checked: { title, map } each. A title tells of which map a finding is.
local function parts_of(loaded)
  local level = loaded.whole
  if not (level and level.graph and level.graph ~= loaded.object) then
    return { { "", maps.chosen(loaded) } }
  end
  return { { "grid: ", maps.chosen(loaded) }, { "graph: ", level.graph } }
end

--- The options about positions, for the graph of the file. Fails if there is none and they were asked for.
local function placing_of(context, loaded, parts)
  local arguments, any = context.arguments, false
  for _, part in ipairs(parts) do
    any = any or not maps.is_grid(part[2])
  end
  if not any and (arguments.too_close or arguments.too_far) then
    output.fail("%s has no graph: --too-close and --too-far are for the nodes of a graph", loaded.file)
  end
  return { too_close = arguments.too_close, too_far = arguments.too_far, walls = loaded.level and loaded.level.walls }
end

local function run(context)
  local arguments = context.arguments
  local _, loaded = maps.read_whole(context)
  local view = maps.read_view(context)
  local connected, places, components = true, {}, {}
  local findings = tell_unknown(context, loaded, view.costs, arguments.allow_unknown)
  local parts = parts_of(loaded)
  local placing = placing_of(context, loaded, parts)
  for _, part in ipairs(parts) do
    local title, map = part[1], part[2]
    local is_grid = maps.is_grid(map)
    local function tell(sentence, ...)
      output.say(context, "%s%s", title, text.with_tiles(is_grid and loaded.level, sentence:format(...)))
    end
    local result = check_map(map, view, arguments.allow, not is_grid and placing or nil, tell)
    findings, connected = findings + result.findings, connected and result.connected
    places[#places + 1], components[#components + 1] = result.places, ("%d"):format(result.components)
    if arguments.chokepoints then
      note_chokepoints(map, view, arguments.min or 2, tell)
    end
    if loaded.whole and is_grid then
      note_names(loaded.whole, map, function(...) output.say(context, ...) end)
    end
  end
  local what = ("%s: %s"):format(text.printable(loaded.file), table.concat(places, " and "))
  if findings > 0 then
    output.say(context, "%s, %s", what, format.count(findings, "finding"))
  elseif connected then
    output.say(context, "%s, every place can be reached from every other", what)
  else
    output.say(context, "%s in %s components, no findings except allowed ones", what, table.concat(components, " and "))
  end
  return findings > 0 and output.FINDINGS or output.FINE
end

return {
  name = "check", run = run, uses_costs = true,
  summary = "Find places that cannot be entered or left.",
  about = "Finds defects of a level: places that are cut off, sinks (a way in, but no way out), sources (a way out, "
    .. "but no way in) and traps (several places that can be entered but not left). Each line is one finding. Of a "
    .. "level, it examines the grid with all layers and the graph. With --costs, each tag that the costs name and the "
    .. "map does not have is a finding too. So is each edge of a level's graph that passes through a wall of the "
    .. "level. --too-close and --too-far examine the positions of nodes. Lines that begin with \"note:\" name places "
    .. "outside the grid or in closed cells; they are no findings. With --chokepoints, more such lines name the nodes, "
    .. "edges, cells and links that alone join pieces of the map, those that cut off most first.",
  examples = [[
Examples:
   wend check level.wend                           for everybody
   wend check level.wend --allow drop              edges with the tag drop may lead one way
   wend check level.wend --too-close 1 --too-far 40   how far apart the nodes of the graph are
   wend check level.wend --costs walker.lua --agent '{ boots = false }'
   wend check level.wend --chokepoints --min 20    what cuts off 20 places or more

Exit status: 0 there are no findings, 1 there are findings, 2 an error.]],
  define = function(add)
    add.file()
    add.layer()
    add.view()
    add.option("--allow", "Edges with this tag may lead one way. Can be given several times.", "TAG"):count "*"
    add.option("--allow-unknown", "The costs may name this tag although the map does not have it; '*': any tag. "
      .. "Can be given several times.", "TAG"):count "*"
    add.number("--too-close", "Report nodes of the graph that are nearer to each other than this.", "DISTANCE",
      check.LENGTH)
    add.number("--too-far", "Report edges that are longer than this, and nodes without another node within it.",
      "DISTANCE", check.LENGTH)
    add.flag("--chokepoints", "Also list the nodes, edges, cells and links that alone join pieces of the map.")
    add.number("--min", "With --chokepoints: only those that cut off this many places or more. Default: 2.", "N",
      check.COUNT)
  end,
}
