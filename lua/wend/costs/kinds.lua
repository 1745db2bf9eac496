-- SPDX-License-Identifier: MIT
-- Values and rules as scripts give them: checks their arguments, and makes what layers.lua keeps.

local check = require "wend.check"
local layers = require "wend.costs.layers"

local kinds = {}

local is_callable = check.is_callable

--- Raises unless the value is a string that is not empty.
function kinds.check_tag(tag, what)
  if type(tag) ~= "string" or tag == "" then
    check.fail("%s must be a string that is not empty, got %s", what, check.describe(tag))
  end
end

--- The name of a value in messages.
-- @param tag nil: it is the option default
local function value_text(tag)
  return tag and ("the cost of tag '%s'"):format(tag) or "default"
end

--- Checks a multiplier or a price, and returns it.
local function check_share(tag, key, value)
  if type(value) ~= "number" or not (value >= 0) then
    check.fail("%s: %s must be a number >= 0, got %s", value_text(tag), key, check.describe(value))
  end
  return value
end

--- Checks the value of a tag.
-- @param tag the tag; nil for the option default
-- @param value a number, false, { times, plus } or a function, as scripts give it
-- @return { tag =, given = the value, times =, plus = }; of a function also fn, number, its name for on_error, and its
-- label for messages
function kinds.value(tag, value)
  local kept = { tag = tag, given = value, times = 1, plus = 0 }
  if value == false then
    kept.times = math.huge
  elseif is_callable(value) then
    kept.fn, kept[1] = value, value      -- C reads [1], which is faster
    kept.number = layers.next_number() -- tells a search which function has failed
    kept.name = tag and ("tag '%s'"):format(tag) or "default"
    kept.label = kept.name
  elseif type(value) == "table" then
    check.options(value, { "times", "plus" }, value_text(tag))
    local times, plus = value.times, value.plus
    kept.times = times == nil and 1 or check_share(tag, "times", times)
    kept.plus = plus == nil and 0 or check_share(tag, "plus", plus)
  elseif type(value) == "number" and value >= 0 then
    kept.times = value
  else
    check.fail("%s must be a number >= 0, false, { times =, plus = } or a function, got %s", value_text(tag),
      check.describe(value))
  end
  return kept
end

--- Checks the option priority, and returns it.
function kinds.priority(options)
  local priority = options and options.priority
  if priority == nil then
    priority = 0
  end
  if type(priority) ~= "number" or priority ~= priority then
    check.fail("priority must be a number, got %s", check.describe(priority))
  end
  return priority
end

--- Checks the arguments that all rules have. Returns the rule.
local function new_rule(name, fn, options, allowed)
  if type(name) ~= "string" or name == "" then
    check.fail("name must be a string that is not empty, got %s", check.describe(name))
  elseif not is_callable(fn) then
    check.fail("fn must be a function, got %s", check.describe(fn))
  end
  check.options(options, allowed)
  return {
    name = name, label = ("rule '%s'"):format(name), fn = fn, priority = kinds.priority(options),
    number = layers.next_number(), fn,
  }
end

--- A rule about a tag.
function kinds.rule(name, tag, fn, options)
  kinds.check_tag(tag, "tag")
  local rule = new_rule(name, fn, options, { "priority" })
  rule.tag = tag
  return rule
end

--- A rule about edges.
function kinds.edge_rule(name, fn, options)
  local rule = new_rule(name, fn, options, { "priority", "tags", "at_least" })
  local tags, at_least = options and options.tags, options and options.at_least
  local set
  if tags ~= nil then
    if type(tags) ~= "table" then
      check.fail("tags must be a list of tags, got %s", check.describe(tags))
    end
    set = {}
    for i = 1, check.length(tags) do
      local tag = tags[i]
      kinds.check_tag(tag, ("tags[%d]"):format(i))
      set[tag] = true
    end
  end
  if at_least == nil then
    at_least = 0
  end
  if type(at_least) ~= "number" or not (at_least >= 0 and at_least <= 1) then
    check.fail("at_least must be a number in 0 .. 1, got %s", check.describe(at_least))
  end
  rule.tags, rule.at_least, rule.on_edges = set, at_least, true
  return rule
end

return kinds
