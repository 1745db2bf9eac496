-- SPDX-License-Identifier: MIT
--- path:compare: where two paths part and meet again, and what makes one of them dearer.
--
-- Both are explained, and are then lists of steps. The stretches are found in one walk along both:
--
--   this    a b c d e f      stretch from b to e: this one over c and d,
--   other   a b x y e f      the other one over x and y
--
-- From where they part, they meet at the first place of this path that comes later in the other one. The cost of a
-- step is its weight and what each rule adds to it, so the differences of all rules and of the weights add up to the
-- difference of the costs.

local core = require "wend.core"
local check = require "wend.check"
local format = require "wend.format"
local once = require "wend.once"

local huge = math.huge
local OPTIONS = { "costs", "agent", "cost", "at_least", "size", "influence" }

local Comparison = once.comparison

-- Text -------------------------------------------------------------------------------------------------------------

--- A number of a sentence.
local function amount(value)
  return value - value == 0 and format.decimals(value, 4) or "inf"
end

--- One end of a stretch or a step: "3,4", or the name or id of a node; nil: there is none.
-- @param which "from" or "to"
local function end_text(item, which)
  local x, node, name = item[which .. "_x"], item[which], item[which .. "_name"]
  if x then
    return ("%s,%s"):format(amount(x), amount(item[which .. "_y"]))
  end
  return node and (name and ("'%s'"):format(name) or amount(node))
end

--- How much dearer the other path is: "24 more", "2 less".
local function more(difference)
  return difference < 0 and amount(-difference) .. " less" or amount(difference) .. " more"
end

local function rule_text(rule)
  local name = rule.name == "weight" and "weights and lengths" or tostring(rule.name)
  return type(rule.mod) == "string" and ("%s of mod '%s'"):format(name, rule.mod) or name
end

local CAUSES = {
  closed = "it is closed", tag = "a tag is closed for this agent", rule = "a rule has closed it",
  wall = "there is a wall", corner = "the corner of a diagonal is closed", one_way = "it leads the other way only",
  no_edge = "nothing joins them", outside = "it is outside", width = "it is too narrow for this agent",
}

--- The rule that closes a step, as the step lists it: the first one that no later one has opened again. nil: none.
local function closer_of(step)
  local closer
  for _, rule in ipairs(step.rules or {}) do
    closer = rule.cost == huge and (closer or rule) or nil
  end
  return step.cost == huge and closer or nil
end

--- A closed step as text: "The other cannot go from 3,4 to 4,4: tag 'lava' closes it for this agent."
local function closed_text(who, step)
  local closer = closer_of(step)
  local why = closer and rule_text(closer) .. " closes it for this agent" or CAUSES[step.cause] or "it is closed"
  local x, y = step.covered_x, step.covered_y
  if x and (x ~= step.to_x or y ~= step.to_y) then why = ("%s, at %s,%s"):format(why, amount(x), amount(y)) end
  return ("%s cannot go from %s to %s: %s."):format(who, end_text(step, "from"), end_text(step, "to"), why)
end

--- The sentences about one stretch.
local function stretch_text(stretch)
  local from, to = end_text(stretch, "from"), end_text(stretch, "to")
  local parts = {}
  if from then
    parts[1] = ("They part at %s and %s."):format(from, to and "meet at " .. to or "do not meet again")
  else
    parts[1] = to and ("They begin at different places and meet at %s."):format(to) or "They have no place in common."
  end
  parts[2] = ("This one costs %s there (%s), the other %s (%s)."):format(amount(stretch.cost),
    format.count(stretch.steps, "step"), amount(stretch.other_cost), format.count(stretch.other_steps, "step"))
  if stretch.closed then
    parts[#parts + 1] = closed_text("This one", stretch.closed)
  end
  if stretch.other_closed then
    parts[#parts + 1] = closed_text("The other", stretch.other_closed)
  end
  if stretch.closed or stretch.other_closed then
    return table.concat(parts, " ")
  end
  for _, share in ipairs(stretch.tags) do
    if share.difference ~= 0 then
      parts[#parts + 1] = ("%s %s, instead of %s, cost %s."):format(format.count(share.other_steps, "step"),
        share.tag and ("of tag '%s'"):format(share.tag) or "without a tag", amount(share.steps), more(share.difference))
    end
  end
  local by = {}
  for _, rule in ipairs(stretch.rules) do
    if rule.difference ~= 0 then
      by[#by + 1] = ("%s: %s"):format(rule_text(rule), more(rule.difference))
    end
  end
  if #by > 0 then
    parts[#parts + 1] = ("By %s."):format(table.concat(by, "; "))
  end
  return table.concat(parts, " ")
end

function Comparison.__tostring(self)
  local lines = {}
  for i, stretch in ipairs(self) do
    lines[i] = stretch_text(stretch)
  end
  if #lines == 0 then
    lines[1] = ("Both take the same steps. They cost %s."):format(amount(self.cost))
  elseif #lines > 1 then
    lines[#lines + 1] = ("In all, this one costs %s, the other %s."):format(amount(self.cost), amount(self.other_cost))
  end
  return table.concat(lines, "\n")
end

-- Steps ------------------------------------------------------------------------------------------------------------

--- A node, or a cell x, y. Equal places have equal keys.
local function new_place(node, x, y)
  return { key = node or ("%.0f %.0f"):format(x, y), node = node, x = x, y = y }
end

--- The places along a list of steps: one more than steps.
-- @param list the nodes or cells, of which there may be only one or none
local function places_of(steps, list, map)
  local step, a, b = steps[1], rawget(list, 1), rawget(list, 2)
  if step then
    a = new_place(step.from, step.from_x, step.from_y)
  elseif core.type(map) == "grid" then
    a = a and new_place(nil, a, b)
  else
    a = a and new_place(type(a) == "string" and map:node(a) or a)
  end
  local places = { a }
  for i, one in ipairs(steps) do
    places[i + 1] = new_place(one.to, one.to_x, one.to_y)
  end
  return places
end

-- Stretches --------------------------------------------------------------------------------------------------------

--- The entry of a list that has this key; `new`, which is added, if there is none.
local function entry(list, key, new)
  if not list[key] then
    list[key], list[#list + 1] = new, new
  end
  return list[key]
end

--- The share of a rule in a stretch.
local function share_of(shares, name, mod)
  return entry(shares, tostring(mod) .. "\0" .. tostring(name), { name = name, mod = mod, cost = 0, other_cost = 0 })
end

--- Adds up what the rules of a step make of its weight.
-- @param field "cost" or "other_cost"
local function add_rules(shares, field, step)
  local finite, closer = step.weight or 0, closer_of(step)
  if finite == huge then
    finite = 0
  end
  local weight = share_of(shares, "weight")
  weight[field] = weight[field] + finite
  for _, rule in ipairs(step.rules or {}) do
    local share = share_of(shares, rule.name, rule.mod)
    if rule.cost < huge then
      share[field] = share[field] + rule.cost - finite
      finite = rule.cost
    elseif rule == closer then
      share[field] = huge
    end
  end
end

--- The difference of two costs; 0 if neither can be paid.
local function difference_of(share)
  local sum = math.abs(share.cost) + math.abs(share.other_cost)
  share.difference = share.cost == share.other_cost and 0 or share.other_cost - share.cost
  if sum < huge and math.abs(share.difference) <= 1e-12 * sum then
    share.difference = 0 -- it is only rounding
  end
  return share
end

--- Sorts shares: the largest difference first, then by name.
local function sort_shares(shares, key)
  local list = {}
  for i, share in ipairs(shares) do
    list[i] = difference_of(share)
  end
  table.sort(list, function(a, b)
    local p, q = math.abs(a.difference), math.abs(b.difference)
    if p ~= q then
      return p > q
    end
    local m, n = tostring(a[key] or ""), tostring(b[key] or "")
    return m ~= n and m < n or m == n and tostring(a.mod or "") < tostring(b.mod or "")
  end)
  return list
end

--- One stretch: steps first .. last of this path, and those of the other one.
local function new_stretch(mine, first, last, others, other_first, other_last)
  local stretch = { first = first, last = last, other_first = other_first, other_last = other_last, cost = 0,
    other_cost = 0, weight = 0, other_weight = 0, steps = last - first + 1, other_steps = other_last - other_first + 1 }
  local rules, tags = {}, {}
  local function add(steps, from, to, prefix)
    for i = from, to do
      local step = steps[i]
      local share = entry(tags, step.tag or false,
        { tag = step.tag, steps = 0, other_steps = 0, cost = 0, other_cost = 0 })
      share[prefix .. "steps"] = share[prefix .. "steps"] + 1
      share[prefix .. "cost"] = share[prefix .. "cost"] + step.cost
      stretch[prefix .. "cost"] = stretch[prefix .. "cost"] + step.cost
      stretch[prefix .. "weight"] = stretch[prefix .. "weight"] + (step.weight or 0)
      if step.cost == huge then
        stretch[prefix .. "closed"] = stretch[prefix .. "closed"] or step
      end
      add_rules(rules, prefix .. "cost", step)
    end
  end
  add(mine, first, last, "")
  add(others, other_first, other_last, "other_")
  stretch.tags, stretch.rules = sort_shares(tags, "tag"), sort_shares(rules, "name")
  return difference_of(stretch)
end

--- For each place of a path, the numbers of its occurrences, in order.
local function occurrences_of(places)
  local at = {}
  for i, place in ipairs(places) do
    local list = at[place.key] or { next = 1 }
    at[place.key], list[#list + 1] = list, i
  end
  return at
end

--- The first place of this path after number i that the other path has after number k: both numbers; nil: none.
local function meeting(places, i, at, k)
  for next_i = i + 1, #places do
    local list = at[places[next_i].key]
    if list then
      while list[list.next] and list[list.next] <= k do
        list.next = list.next + 1
      end
      if list[list.next] then
        return next_i, list[list.next]
      end
    end
  end
end

--- Notes the name of the node at one end of a stretch or of a step, if there is one.
local function set_name(item, which, map)
  local node = item and item[which]
  if node then item[which .. "_name"] = map:has(node) and map:name(node) or nil end
end

--- Notes a place as one end of a stretch. nil: there is none.
local function set_end(stretch, which, place, map)
  if place then
    stretch[which], stretch[which .. "_x"], stretch[which .. "_y"] = place.node, place.x, place.y
    set_name(stretch, which, map)
  end
  set_name(stretch.closed, which, map)
  set_name(stretch.other_closed, which, map)
end

--- Finds the stretches.
local function compare(map, mine, others, places, other_places)
  local stretches, at = {}, occurrences_of(other_places)
  local i, k = 1, 1
  local function is_same_place(p, q)
    local a, b = places[p], other_places[q]
    return a and b and a.key == b.key
  end
  local function is_same_step() -- whether both take the same step from places i and k
    return is_same_place(i + 1, k + 1) and mine[i].edge == others[k].edge
  end
  --- Adds the stretch from places i and k to the next meeting, or to the ends.
  local function add(parted)
    local next_i, next_k = meeting(places, parted and i or 0, at, parted and k or 0)
    local last, other_last = (next_i or #mine + 1) - 1, (next_k or #others + 1) - 1
    local stretch = new_stretch(mine, i, last, others, k, other_last)
    set_end(stretch, "from", parted and places[i], map)
    set_end(stretch, "to", places[next_i], map)
    stretches[#stretches + 1] = stretch
    i, k = last + 1, other_last + 1
  end
  if not is_same_place(1, 1) then -- they begin at different places
    add(false)
  end
  while i <= #mine or k <= #others do
    if is_same_step() then
      i, k = i + 1, k + 1
    else
      add(true)
    end
  end
  return stretches
end

-- The method -------------------------------------------------------------------------------------------------------

local types = once.types

--- The options for the explanation of both: those that were given, otherwise those of this path.
local function options_of(path, options)
  local asked = { costs = rawget(path, "costs"), agent = rawget(path, "agent"), cost = rawget(path, "callback"),
    size = rawget(path, "size"), influence = rawget(path, "influence") }
  for _, name in ipairs(OPTIONS) do
    if options and options[name] ~= nil then
      asked[name] = options[name]
    end
  end
  return asked
end

--- Puts the edges that a path over a graph takes into its explanation as a list of nodes, which has the cheapest ones.
local function take_edges(steps, path, map, asked)
  local own = check.call(once.path, map, path, check.call(types.path.edges, path), asked)
  for i, step in ipairs(own and check.call(types.path.explain, own) or {}) do
    if steps[i].edge ~= step.edge then steps[i] = step end
  end
end

--- The cost of a list of steps.
local function total(steps)
  local sum = 0
  for _, step in ipairs(steps) do
    sum = sum + step.cost
  end
  return sum
end

--- path:compare(other[, opts]) -> comparison; or nil, message, "stale"
-- @param path the path
-- @param other a path of the same map, of its base or of another overlay; or a list of nodes or cells
-- @param options a table or nil: see wend.ExplainOptions in meta.lua
local function compare_paths(path, other, options)
  check.self(path, "path", "a path", "path")
  check.options(options, OPTIONS)
  local map = rawget(path, "map")
  local is_grid = core.type(map) == "grid"
  if type(other) ~= "table" then
    check.fail("other must be a path or a list of %s, got %s", is_grid and "cells" or "nodes", check.describe(other))
  elseif core.type(other) == "path" and not core.related(rawget(other, "map"), map) then
    check.fail "other must be a path of the same map, its base or another overlay"
  end
  local asked = options_of(path, options)
  local mine, message, code = check.call(types.path.explain, path, asked)
  if not mine then
    return nil, message, code
  end
  local others
  others, message, code = check.call((is_grid and types.grid or types.graph).explain, map, other, asked)
  if not others then
    return nil, message, code
  end
  if core.type(other) == "path" and not is_grid then
    take_edges(others, other, map, asked)
  end
  local result = compare(map, mine, others, places_of(mine, path, map), places_of(others, other, map))
  result.cost, result.other_cost = total(mine), total(others)
  return setmetatable(difference_of(result), Comparison)
end

return { paths = compare_paths }
