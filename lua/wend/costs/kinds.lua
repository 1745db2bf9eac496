-- SPDX-License-Identifier: MIT
-- Values and rules as scripts give them: checks their arguments, and makes what layers.lua keeps.

local check = require "wend.check"
local layers = require "wend.costs.layers"

local kinds = {}

local is_callable, must = check.is_callable, check.must

--- Raises unless the value is a string that is not empty.
function kinds.check_tag(tag, what)
  must(type(tag) == "string" and tag ~= "", what, "a string that is not empty", tag)
end

--- The name of a value in messages.
-- @param tag nil: it is the option default
local function value_text(tag)
  return tag and ("the cost of tag '%s'"):format(tag) or "default"
end

--- A multiplier or a price of a value; nil: `default`.
local function share_of(tag, value, key, default)
  local share = value[key]
  if share == nil then
    return default
  end
  must(type(share) == "number" and share >= 0, ("%s: %s"):format(value_text(tag), key), "a number >= 0", share)
  return share
end

--- Checks the value of a tag.
-- @param tag the tag; nil for the option default
-- @param value a number, false, { times, plus, ends_turn } or a function, as scripts give it
-- @return { tag =, given = the value, times =, plus =, ends_turn = }; of a function also fn, number, its name for
-- on_error, and its label for messages
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
    check.options(value, { "times", "plus", "ends_turn" }, value_text(tag))
    kept.times, kept.plus = share_of(tag, value, "times", 1), share_of(tag, value, "plus", 0)
    local ends = value.ends_turn
    must(ends == nil or type(ends) == "boolean", ("%s: ends_turn"):format(value_text(tag)), "true or false", ends)
    kept.ends_turn = ends or nil
  else
    must(type(value) == "number" and value >= 0, value_text(tag),
      "a number >= 0, false, { times =, plus = } or a function", value)
    kept.times = value
  end
  return kept
end

--- Checks the option priority, and returns it.
function kinds.priority(options)
  local priority = options and options.priority
  if priority == nil then
    priority = 0
  end
  must(type(priority) == "number" and priority == priority, "priority", "a number", priority)
  return priority
end

--- Checks the arguments that all rules have. Returns the rule.
local function new_rule(name, fn, options, allowed)
  kinds.check_tag(name, "name")
  must(is_callable(fn), "fn", "a function", fn)
  check.options(options, allowed)
  return {
    name = name, label = ("rule '%s'"):format(name), fn = fn, priority = kinds.priority(options),
    number = layers.next_number(), fn,
  }
end

--- A rule about a tag.
local function tag_rule(name, tag, fn, options)
  kinds.check_tag(tag, "tag")
  local rule = new_rule(name, fn, options, { "priority" })
  rule.tag = tag
  return rule
end

--- A rule about edges.
local function edge_rule(name, fn, options)
  local rule = new_rule(name, fn, options, { "priority", "tags", "at_least" })
  local tags, at_least = options and options.tags, options and options.at_least
  if tags ~= nil then
    check.list(tags, "tags", "a list of tags")
    rule.tags = {}
    for i = 1, check.length(tags) do
      local tag = tags[i]
      kinds.check_tag(tag, ("tags[%d]"):format(i))
      rule.tags[tag] = true
    end
  end
  if at_least == nil then
    at_least = 0
  end
  must(check.is_within(at_least, 0, 1), "at_least", "a number in 0 .. 1", at_least)
  rule.at_least, rule.on_edges = at_least, true
  return rule
end

--- Adds the methods that profiles and mods have in common: those that edit a layer.
-- @param layer_of function (self): the layer; raises if there is none that may be edited
function kinds.add_edits(methods, layer_of)
  function methods:set(tag, value)
    local layer = layer_of(self)
    kinds.check_tag(tag, "tag")
    layers.set(layer, tag, value ~= nil and kinds.value(tag, value) or nil)
    return self
  end

  function methods:rule(name, tag, fn, options)
    layers.add_rule(layer_of(self), tag_rule(name, tag, fn, options))
    return self
  end

  function methods:edge_rule(name, fn, options)
    layers.add_rule(layer_of(self), edge_rule(name, fn, options))
    return self
  end

  function methods:remove(name)
    local layer = layer_of(self)
    kinds.check_tag(name, "name")
    layers.remove_rules(layer, name)
    return self
  end
end

return kinds
