-- SPDX-License-Identifier: MIT
-- Why a walker takes its way: its path and the shortest path are compared, and the difference is told in sentences.
local level = require "level"

local CAUSES = {
  closed = "closed for everybody", tag = "closed by tag '%s'", rule = "closed by a rule",
  one_way = "in the other direction only", no_edge = "without an edge",
}

local function count(number, noun)
  return ("%d %s%s"):format(number, noun, number == 1 and "" or "s")
end

--- The node nearest to a place, if possible without a wall between them.
local function node_at(x, y)
  return level.graph:nearest(x, y, { clear = level.free }) or level.graph:nearest(x, y)
end

--- One sentence for all obstacles of the same kind.
local function add_obstacles(lines, report)
  local counts, order = {}, {}
  for _, obstacle in ipairs(report.obstacles) do
    local noun = obstacle.node and "place" or obstacle.edge and "step" or "gap"
    local kind = noun .. "\n" .. CAUSES[obstacle.cause]:format(obstacle.tag)
    if not counts[kind] then order[#order + 1] = kind end
    counts[kind] = (counts[kind] or 0) + 1
  end
  for _, kind in ipairs(order) do
    local noun, cause = kind:match "(.*)\n(.*)"
    lines[#lines + 1] = ("In the way: %s %s."):format(count(counts[kind], noun), cause)
  end
end

--- Adds up the shares of all stretches of a comparison: { [name] = share }
local function sums_of(comparison, list, key)
  local sums = {}
  for _, stretch in ipairs(comparison) do
    for _, share in ipairs(stretch[list]) do
      local name = share[key] or ""
      local sum = sums[name] or { steps = 0, other_steps = 0, cost = 0, other_cost = 0, difference = 0 }
      for field in pairs(sum) do sum[field] = sum[field] + (share[field] or 0) end
      sums[name] = sum
    end
  end
  return sums
end

--- One sentence for each rule that makes the other path dearer, the largest difference first.
local function add_reasons(lines, comparison)
  local tags, rules, names = sums_of(comparison, "tags", "tag"), sums_of(comparison, "rules", "name"), {}
  for name, rule in pairs(rules) do
    if name ~= "weight" and rule.difference >= 0.5 then names[#names + 1] = name end
  end
  table.sort(names, function(a, b) return rules[a].difference > rules[b].difference end)
  for _, name in ipairs(names) do
    local tag, rule = name:match "^tag '(.*)'$", rules[name]
    local share = tags[tag]
    if not share then
      lines[#lines + 1] = ("There, %s adds %.0f."):format(name, rule.difference)
    elseif rule.other_cost == math.huge then
      lines[#lines + 1] = ("It has %s of %s, closed by %s."):format(count(share.other_steps, "step"), tag, name)
    elseif share.other_steps > share.steps then
      lines[#lines + 1] = ("It has %s of %s instead of %d: %.0f more, by %s."):format(
        count(share.other_steps, "step"), tag, share.steps, rule.difference, name)
    else
      lines[#lines + 1] = ("Its own way has %s of %s instead of %d: %.0f less, by %s."):format(
        count(share.steps, "step"), tag, share.other_steps, rule.difference, name)
    end
  end
end

--- Says why a walker takes its way to a place.
-- @param costs a profile; nil: the level's
-- @return { walker, lines, taken, other }: the sentences; the points of its path and of the shortest path, or nil
local function why(walker, x, y, costs)
  local options = { costs = costs or level.costs, agent = walker }
  local from, to = node_at(walker.x, walker.y), node_at(x, y)
  local lines = { walker.boots and "This walker has boots." or "This walker has no boots." }
  local note = { walker = walker, lines = lines }
  local taken = level.graph:path(from, to, options)
  if not taken then
    lines[2] = "There is no way for it."
    add_obstacles(lines, level.graph:why_not(from, to, options))
    return note
  end
  local shortest = level.graph:path(from, to)
  local comparison = taken:compare(shortest)
  note.taken = taken:points()
  local shorter = 0
  for _, stretch in ipairs(comparison) do shorter = shorter + stretch.weight - stretch.other_weight end
  if shorter < 1e-6 then
    lines[2] = ("It takes the shortest way: %s, cost %.0f."):format(count(#taken - 1, "step"), taken.cost)
    return note
  end
  note.other = shortest:points()
  lines[2] = ("Its way costs %.0f (%s)."):format(comparison.cost, count(#taken - 1, "step"))
  local price = comparison.other_cost < math.huge and ("would cost %.0f"):format(comparison.other_cost) or "closed"
  lines[3] = ("The shortest way, dashed, is %.0f shorter and %s (%s)."):format(shorter, price,
    count(#shortest - 1, "step"))
  add_reasons(lines, comparison)
  return note
end

return why
