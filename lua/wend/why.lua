-- SPDX-License-Identifier: MIT
-- The reports of x:why_not(from, to) as sentences. The core makes the report and calls `finish` with it, which adds the
-- field `text`. So the text has the names that nodes had then.

local core = require "wend.core"
local check = require "wend.check"
local format = require "wend.format"

local SHOWN = 8 -- obstacles that the text describes

local metatable = require "wend.once".why

--- "of mod 'wolves'" behind a tag or a rule that a mod has added.
local function of_mod(cause)
  return cause.mod and (" of mod '%s'"):format(cause.mod) or ""
end

--- What the text says of one cause of an obstacle, after its name.
local VERBS = {
  closed = function() return "is closed" end,
  one_way = function() return "is one-way, in the other direction" end,
  wall = function() return "is blocked by a wall" end,
  width = function() return "is too narrow for this agent" end,
  tag = function(cause)
    if cause.rule then
      return ("is closed for this agent: %s%s closes tag '%s'"):format(cause.rule, of_mod(cause), cause.tag)
    end
    return ("is closed for this agent: tag '%s'%s costs false"):format(cause.tag, of_mod(cause))
  end,
  rule = function(cause)
    return ("is closed for this agent by %s%s"):format(cause.rule or "a function", of_mod(cause))
  end,
}

--- A function that turns a node, or { x =, y = } of a cell, into text.
local function namer(map)
  if core.type(map) == "grid" then
    return function(cell) return format.cell(cell.x, cell.y) end
  end
  return function(node)
    local ok, name = pcall(map.name, map, node) -- a finalizer may have freed the map or removed the node
    if name == check.NO_MEMORY then error(name, 0) end
    return format.node(node, ok and name)
  end
end

--- The beginning of a sentence about an obstacle: what it is.
local function subject(report, obstacle, name)
  local goal = report.to
  if obstacle.node then
    return obstacle.node == goal and "The goal" or ("Node %s"):format(name(obstacle.node))
  elseif obstacle.edge then
    return ("Edge %.0f from %s to %s"):format(obstacle.edge, name(obstacle.from), name(obstacle.to))
  elseif not obstacle.to_x then
    local is_goal = goal and goal.x == obstacle.x and goal.y == obstacle.y
    return is_goal and "The goal" or "Cell " .. format.cell(obstacle.x, obstacle.y)
  end
  return ("The %s from %s to %s"):format(obstacle.link and "link" or "step", format.cell(obstacle.x, obstacle.y),
    format.cell(obstacle.to_x, obstacle.to_y))
end

--- A sentence about an obstacle, with all its causes.
local function sentence(report, obstacle, name)
  if obstacle.cause == "no_edge" then
    return obstacle.from and ("Nothing joins their parts of the map. These come nearest at %s and %s."):format(
      name(obstacle.from), name(obstacle.to)) or "Nothing joins their parts of the map."
  end
  if obstacle.cause == "outside" then
    return "The agent is too large: it would reach out of the grid."
  end
  local parts = { subject(report, obstacle, name) .. " " .. VERBS[obstacle.cause](obstacle) }
  for _, cause in ipairs(obstacle.also or {}) do
    parts[#parts + 1] = "it " .. VERBS[cause.cause](cause)
  end
  return table.concat(parts, ", and ") .. "."
end

--- The sentences of a report.
local function text_of(report, map)
  local name = namer(map)
  local noun = core.type(map) == "grid" and "cell" or "node"
  local obstacles, list = report.obstacles, {}
  local goal = report.to and name(report.to) or "any of the goals"
  list[1] = ("No path from %s to %s%s."):format(name(report.from), goal, report.limit and " within the limits" or "")
  if report.limit == "max_cost" then
    list[2] = ("There is one that costs %s, more than max_cost."):format(format.number(report.cost))
  elseif report.limit then
    list[2] = "There is one, but max_expanded is used up before it is found."
  elseif #obstacles == 0 and not report.to then
    list[2] = "The list of goals is empty."
  elseif #obstacles == 0 then
    list[2] = "The way is open, but its cost is greater than any number."
  elseif #obstacles > 1 then
    list[2] = ("%d obstacles are in the way:"):format(#obstacles)
  end
  for i = 1, math.min(#obstacles, SHOWN) do
    list[#list + 1] = sentence(report, obstacles[i], name)
  end
  if #obstacles > SHOWN then
    list[#list + 1] = ("And %d more."):format(#obstacles - SHOWN)
  end
  if report.reached and (report.to or #obstacles > 0) then
    list[#list + 1] = ("The start reaches %s, and the goal can be reached from %s."):format(
      format.count(report.reached, noun), format.count(report.reaching, noun))
  end
  return table.concat(list, " ")
end

function metatable.finish(report, map)
  report.text = text_of(report, map)
end

function metatable.__tostring(report)
  local text = rawget(report, "text")
  return type(text) == "string" and text or "wend.Why"
end

return {}
