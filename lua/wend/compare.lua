-- SPDX-License-Identifier: MIT
--- path:compare: where two paths part and meet again, and what makes one of them dearer.
--
-- Both are lists of steps, as path:explain and map:explain return them. The stretches are found in one walk along both:
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
  closed = "it is closed", tag = "its tag is closed for this agent", rule = "a rule has closed it",
  wall = "there is a wall", corner = "the corner of a diagonal is closed", one_way = "it leads the other way only",
  no_edge = "nothing joins them", outside = "it is outside", width = "it is too narrow for this agent",
}

--- A closed step as text: "the other cannot go from 3,4 to 4,4: its tag is closed for this agent (tag 'lava')."
local function closed_text(who, step)
  return ("%s cannot go from %s to %s: %s%s."):format(who, end_text(step, "from"), end_text(step, "to"),
    CAUSES[step.cause] or "it is closed", step.tag and (" (tag '%s')"):format(step.tag) or "")
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

--- Checks a list of steps that a script has given: what map:explain returns.
local function check_steps(list, is_grid)
  for i = 1, check.length(list) do
    local step = rawget(list, i)
    local good = type(step) == "table" and type(step.cost) == "number" and step.cost >= 0
      and (step.tag == nil or type(step.tag) == "string")
      and (step.rules == nil or type(step.rules) == "table")
      and (step.weight == nil or type(step.weight) == "number")
    for _, key in ipairs(is_grid and { "from_x", "from_y", "to_x", "to_y" } or { "from", "to" }) do
      good = good and type(step[key]) == "number" and step[key] == step[key]
    end
    for k = 1, good and step.rules and check.length(step.rules) or 0 do
      local rule = rawget(step.rules, k)
      good = good and type(rule) == "table" and rule.name ~= nil and type(rule.cost) == "number" and rule.cost >= 0
    end
    if not good then
      check.fail("other[%d] must be a step as explain returns it, got %s", i, check.describe(step))
    end
  end
end

--- A key for a node, or for a cell x, y.
local function key_of(node, x, y)
  return node or ("%.0f %.0f"):format(x, y)
end

--- The places along a list of steps, as keys: one more than steps.
-- @param first the key of the place if there are no steps; nil: there is none
local function places_of(steps, first)
  local step = steps[1]
  local places = { step and key_of(step.from, step.from_x, step.from_y) or first }
  for i, one in ipairs(steps) do
    places[i + 1] = key_of(one.to, one.to_x, one.to_y)
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
  local finite, closed_by = step.weight or 0, nil
  if finite == huge then
    finite = 0
  end
  local weight = share_of(shares, "weight")
  weight[field] = weight[field] + finite
  for _, rule in ipairs(step.rules or {}) do
    local share = share_of(shares, rule.name, rule.mod)
    if rule.cost < huge then
      share[field] = share[field] + rule.cost - finite
      finite, closed_by = rule.cost, nil
    else
      closed_by = closed_by or share
    end
  end
  if closed_by and step.cost == huge then
    closed_by[field] = huge
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
  for i, key in ipairs(places) do
    at[key] = at[key] or { next = 1 }
    table.insert(at[key], i)
  end
  return at
end

--- The first place of this path after number i that the other path has after number k: both numbers; nil: none.
local function meeting(places, i, at, k)
  for next_i = i + 1, #places do
    local list = at[places[next_i]]
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

--- Copies one end of a step to one end of a stretch.
local function set_end(stretch, which, step, of_step, map)
  local node = step[of_step]
  stretch[which], stretch[which .. "_x"], stretch[which .. "_y"] = node, step[of_step .. "_x"], step[of_step .. "_y"]
  stretch[which .. "_name"] = node and map:has(node) and map:name(node) or nil
end

--- Finds the stretches.
local function compare(map, mine, others, places, other_places)
  local stretches, at = {}, occurrences_of(other_places)
  local i, k = 1, 1
  local function is_same(p, q) -- whether both take the same step from places p and q
    local a, b = mine[p], others[q]
    return a and b and places[p + 1] == other_places[q + 1] and a.edge == b.edge
  end
  --- Adds the stretch from places i and k to the next meeting, or to the ends.
  local function add(from_i, from_k, parted)
    local next_i, next_k = meeting(places, from_i, at, from_k)
    local last, other_last = (next_i or #mine + 1) - 1, (next_k or #others + 1) - 1
    local stretch = new_stretch(mine, i, last, others, k, other_last)
    if parted and i > 1 then
      set_end(stretch, "from", mine[i - 1], "to", map)
    elseif parted then
      set_end(stretch, "from", mine[1] or others[k], "from", map)
    end
    if next_i then
      set_end(stretch, "to", mine[last] or others[other_last], "to", map)
    end
    stretches[#stretches + 1] = stretch
    i, k = last + 1, other_last + 1
  end
  if places[1] ~= other_places[1] then -- they begin at different places
    add(0, 0, false)
  end
  while i <= #mine or k <= #others do
    if is_same(i, k) then
      i, k = i + 1, k + 1
    else
      add(i, k, true)
    end
  end
  return stretches
end

-- The method -------------------------------------------------------------------------------------------------------

local types = once.types

--- The key of the first item of a list of nodes or cells; nil: it is empty.
local function first_of(list, map, is_grid)
  local a, b = rawget(list, 1), rawget(list, 2)
  if type(a) == "table" then
    return nil -- a list of steps
  elseif is_grid then
    return a and b and key_of(nil, a, b)
  end
  return type(a) == "string" and map:node(a) or a
end

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
-- @param other a path of the same map, a list of nodes or cells, or what map:explain returns
-- @param options a table or nil: see wend.ExplainOptions in meta.lua
local function compare_paths(path, other, options)
  check.self(path, "path", "a path", "path")
  check.options(options, OPTIONS)
  local map = rawget(path, "map")
  local is_grid = core.type(map) == "grid"
  if type(other) ~= "table" then
    check.fail("other must be a path, or a list of %s or of steps, got %s", is_grid and "cells" or "nodes",
      check.describe(other))
  elseif core.type(other) == "path" and rawget(other, "map") ~= map then
    check.fail "other must be a path of the same map"
  end
  local asked = options_of(path, options)
  local mine, message, code = check.call(types.path.explain, path, asked)
  if not mine then
    return nil, message, code
  end
  local others = other
  if type(rawget(other, 1)) == "table" then
    check_steps(other, is_grid)
  else
    others, message, code = check.call((is_grid and types.grid or types.graph).explain, map, other, asked)
    if not others then
      return nil, message, code
    end
  end
  local result = compare(map, mine, others, places_of(mine, first_of(path, map, is_grid)),
    places_of(others, first_of(other, map, is_grid)))
  result.cost, result.other_cost = total(mine), total(others)
  return setmetatable(difference_of(result), Comparison)
end

return { paths = compare_paths }
