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
local once = require "wend.once"

local huge = math.huge
local OPTIONS = { "costs", "agent", "cost", "at_least" }
local UNTAGGED = {} -- in place of a tag

local Comparison = once.comparison

--- Calls fn for each item of a list, without metamethods. A script may have put anything in place of the list.
local function each(list, fn)
  for i = 1, type(list) == "table" and check.length(list) or 0 do
    local item = rawget(list, i)
    if type(item) == "table" then
      fn(item)
    end
  end
end

-- Text -------------------------------------------------------------------------------------------------------------

--- A number of a sentence: 4 digits after the point, without zeros at the end.
local function amount(value)
  if type(value) ~= "number" then
    return check.describe(value)
  elseif value == huge or value == -huge or value ~= value then
    return "inf"
  end
  local text = ("%.4f"):format(value):gsub("%.?0+$", "")
  return text == "-0" and "0" or text
end

local function count_of(count, noun)
  return ("%s %s%s"):format(amount(count), noun, count == 1 and "" or "s")
end

--- One end of a stretch: "3,4", or the id of a node; nil: there is none.
local function end_text(x, y, node, name)
  if x then
    return ("%s,%s"):format(amount(x), amount(y))
  elseif node then
    return type(name) == "string" and ("'%s'"):format(name) or amount(node)
  end
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
  no_edge = "nothing joins them", outside = "it is outside",
}

--- A closed step as text: "the step from 3,4 to 4,4 cannot be taken: its tag is closed for this agent (tag 'lava')".
local function closed_text(who, step)
  local from = end_text(step.from_x, step.from_y, step.from)
  local to = end_text(step.to_x, step.to_y, step.to)
  local tag = type(step.tag) == "string" and (" (tag '%s')"):format(step.tag) or ""
  return ("%s cannot go from %s to %s: %s%s."):format(who, from or "?", to or "?", CAUSES[step.cause] or "it is closed",
    tag)
end

--- The sentences about one stretch.
local function stretch_text(stretch)
  local from = end_text(stretch.from_x, stretch.from_y, stretch.from, stretch.from_name)
  local to = end_text(stretch.to_x, stretch.to_y, stretch.to, stretch.to_name)
  local parts = {}
  if from and to then
    parts[1] = ("They part at %s and meet at %s."):format(from, to)
  elseif from then
    parts[1] = ("They part at %s and do not meet again."):format(from)
  elseif to then
    parts[1] = ("They begin at different places and meet at %s."):format(to)
  else
    parts[1] = "They have no place in common."
  end
  parts[2] = ("This one costs %s there (%s), the other %s (%s)."):format(amount(stretch.cost),
    count_of(stretch.steps, "step"), amount(stretch.other_cost), count_of(stretch.other_steps, "step"))
  if stretch.closed then
    parts[#parts + 1] = closed_text("This one", stretch.closed)
  end
  if stretch.other_closed then
    parts[#parts + 1] = closed_text("The other", stretch.other_closed)
  end
  if not (stretch.closed or stretch.other_closed) then
    each(stretch.tags, function(share)
      if share.difference ~= 0 then
        local what = share.tag and ("of tag '%s'"):format(share.tag) or "without a tag"
        parts[#parts + 1] = ("%s %s, instead of %s, cost %s."):format(count_of(share.other_steps, "step"), what,
          amount(share.steps), more(share.difference))
      end
    end)
    local by = {}
    each(stretch.rules, function(rule)
      if rule.difference ~= 0 then
        by[#by + 1] = ("%s: %s"):format(rule_text(rule), more(rule.difference))
      end
    end)
    if #by > 0 then
      parts[#parts + 1] = ("By %s."):format(table.concat(by, "; "))
    end
  end
  return table.concat(parts, " ")
end

function Comparison.__tostring(self)
  local lines = {}
  each(self, function(stretch) lines[#lines + 1] = stretch_text(stretch) end)
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

--- The places along a list of steps, as keys: one more than steps.
-- @param first the key of the place if there are no steps; nil: there is none
local function places_of(steps, key_of, first)
  local places = { steps[1] and key_of(steps[1], "from") or first }
  for i, step in ipairs(steps) do
    places[i + 1] = key_of(step, "to")
  end
  return places
end

--- A function (step, "from" or "to") that gives a place of a step a key, and one that reads it back: x, y or node.
local function keys_of(is_grid)
  if not is_grid then
    return function(step, which) return step[which] end, function(key) return nil, nil, key end
  end
  return function(step, which) return ("%.0f %.0f"):format(step[which .. "_x"], step[which .. "_y"]) end,
    function(key)
      local x, y = key:match "^(%S+) (%S+)$"
      return tonumber(x), tonumber(y)
    end
end

-- Stretches --------------------------------------------------------------------------------------------------------

--- Adds up what the rules of a step make of its weight.
-- @param shares by name and mod: { name, mod, cost, other_cost }; and a list of them
-- @param field "cost" or "other_cost"
local function add_rules(shares, field, step)
  local function share_of(name, mod)
    local key = tostring(mod) .. "\0" .. tostring(name)
    local share = shares[key]
    if not share then
      share = { name = name, mod = mod, cost = 0, other_cost = 0 }
      shares[key], shares[#shares + 1] = share, share
    end
    return share
  end
  local finite, is_closed, closed_by = step.weight or 0, false, nil
  if finite == huge then
    finite = 0
  end
  local weight = share_of "weight"
  weight[field] = weight[field] + finite
  for _, rule in ipairs(step.rules or {}) do
    local share = share_of(rule.name, rule.mod)
    if rule.cost < huge then
      share[field] = share[field] + rule.cost - finite
      finite, is_closed, closed_by = rule.cost, false, nil
    elseif not is_closed then
      is_closed, closed_by = true, share
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
      local tag = step.tag == nil and UNTAGGED or step.tag
      local share = tags[tag]
      if not share then
        share = { tag = step.tag, steps = 0, other_steps = 0, cost = 0, other_cost = 0 }
        tags[tag] = share
        tags[#tags + 1] = share
      end
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

--- Finds the stretches.
local function compare(mine, others, places, other_places)
  local stretches, at = {}, occurrences_of(other_places)
  local i, k = 1, 1
  local function is_same(p, q) -- whether both take the same step from places p and q
    local a, b = mine[p], others[q]
    return a and b and places[p + 1] == other_places[q + 1] and a.edge == b.edge
  end
  local function add(next_i, next_k, from, to)
    local stretch = new_stretch(mine, i, next_i - 1, others, k, next_k - 1)
    stretch.from_key, stretch.to_key = from, to
    stretches[#stretches + 1] = stretch
    i, k = next_i, next_k
  end
  if places[1] ~= other_places[1] then -- they begin at different places
    local next_i, next_k = meeting(places, 0, at, 0)
    if next_i then
      add(next_i, next_k, nil, places[next_i])
    else
      add(#mine + 1, #others + 1)
    end
  end
  while i <= #mine or k <= #others do
    if is_same(i, k) then
      i, k = i + 1, k + 1
    else
      local from = places[i]
      local next_i, next_k = meeting(places, i, at, k)
      if next_i then
        add(next_i, next_k, from, places[next_i])
      else
        add(#mine + 1, #others + 1, from)
      end
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
    return a and b and ("%.0f %.0f"):format(a, b)
  end
  return type(a) == "string" and map:node(a) or a
end

--- The options for the explanation of both: those that were given, otherwise those of this path.
local function options_of(path, options)
  local asked = { costs = rawget(path, "costs"), agent = rawget(path, "agent"), cost = rawget(path, "callback") }
  for _, name in ipairs(OPTIONS) do
    if options and options[name] ~= nil then
      asked[name] = options[name]
    end
  end
  return asked
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
  local key_of, place_of = keys_of(is_grid)
  local places = places_of(mine, key_of, first_of(path, map, is_grid))
  local other_places = places_of(others, key_of, first_of(other, map, is_grid))
  local result = compare(mine, others, places, other_places)
  result.cost, result.other_cost = 0, 0
  for _, step in ipairs(mine) do
    result.cost = result.cost + step.cost
  end
  for _, step in ipairs(others) do
    result.other_cost = result.other_cost + step.cost
  end
  for _, stretch in ipairs(result) do
    for _, which in ipairs { "from", "to" } do
      local key = stretch[which .. "_key"]
      stretch[which .. "_key"] = nil
      if key ~= nil then
        stretch[which .. "_x"], stretch[which .. "_y"], stretch[which] = place_of(key)
        local node = stretch[which]
        stretch[which .. "_name"] = node and map:has(node) and map:name(node) or nil
      end
    end
  end
  return setmetatable(difference_of(result), Comparison)
end

return { paths = compare_paths }
