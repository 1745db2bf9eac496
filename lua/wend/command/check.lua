-- SPDX-License-Identifier: MIT
--- wend check: finds places that cannot be entered or left.

local maps = require "wend.command.maps"
local output = require "wend.command.output"
local text = require "wend.command.text"

--- Whether all edges that leave a component have tags that may lead one way.
local function is_allowed(map, list, allow)
  if #allow == 0 or maps.is_grid(map) then
    return false
  end
  local allowed, inside = {}, {}
  for _, tag in ipairs(allow) do
    allowed[tag] = true
  end
  for _, node in ipairs(list) do
    inside[node] = true
  end
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
  local function field(outward)
    local options = maps.with(view, { outward = outward })
    return maps.is_grid(map) and map:field(largest[1], largest[2], options) or map:field(largest[1], options)
  end
  local outward, inward = field(true), field(false)
  local function is_reached(by, part)
    if maps.is_grid(map) then
      return by:cost(part[1], part[2]) ~= nil
    end
    return by:cost(part[1]) ~= nil
  end
  for i = 2, #found.components do
    local part = found.components[i]
    local names, amount = text.places(map, part)
    if amount > 1 and not is_reached(outward, part) then
      if not is_reached(inward, part) then
        tell("%d %s are connected only with each other: %s", amount,
          maps.is_grid(map) and "cells" or "nodes", names)
      elseif not is_allowed(map, part, allow) then
        tell("%d %s can be left but not entered: %s", amount, maps.is_grid(map) and "cells" or "nodes", names)
      end
    end
  end
end

local function run(context)
  local arguments = context.arguments
  local map, loaded = maps.read_map(context)
  local view = maps.read_view(context)
  local allow = arguments.allow
  local found = map:check(maps.with(view, { allow = allow }))
  local findings = 0
  local function tell(...)
    findings = findings + 1
    output.say(context, ...)
  end
  local step = maps.is_grid(map) and 2 or 1
  local noun = step == 2 and "cell" or "node"
  local function tell_each(list, sentence)
    for i = 1, #list, step do
      tell(sentence, noun, step == 2 and text.cell(list[i], list[i + 1]) or text.node(map, list[i]))
    end
  end
  tell_each(found.isolated, "%s %s is isolated: nothing leads in or out")
  tell_each(found.sinks, "%s %s can be entered but not left (a sink)")
  tell_each(found.sources, "%s %s can be left but not entered (a source)")
  for _, trap in ipairs(found.traps) do
    tell("%s (a trap)", text.printable(trap.message))
  end
  tell_parts(map, found, view, allow, tell)
  local places_in_all = 0
  for _, part in ipairs(found.components) do
    places_in_all = places_in_all + #part / step
  end
  local what = ("%s: %s"):format(text.printable(loaded.file), text.count(places_in_all, noun))
  if findings > 0 then
    output.say(context, "%s, %s", what, text.count(findings, "finding"))
  elseif found.connected then
    output.say(context, "%s, every place can be reached from every other", what)
  else
    output.say(context, "%s in %d components, no findings except allowed ones", what, #found.components)
  end
  return findings > 0 and output.FINDINGS or output.FINE
end

return {
  name = "check", run = run, uses_costs = true,
  summary = "Find places that cannot be entered or left.",
  about = "Finds defects of a level: places that are cut off, sinks (a way in, but no way out), sources (a way out, "
    .. "but no way in) and traps (several places that can be entered but not left). Each line is one finding.",
  examples = [[
Examples:
   wend check level.wend                           for everybody
   wend check level.wend --allow drop              edges with the tag drop may lead one way
   wend check level.wend --costs walker.lua --agent '{ boots = false }'

Exit status: 0 there are no findings, 1 there are findings, 2 an error.]],
  define = function(add)
    add.file()
    add.layer()
    add.view()
    add.option("--allow", "Edges with this tag may lead one way. Can be given several times.", "TAG"):count "*"
  end,
}
