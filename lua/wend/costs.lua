-- SPDX-License-Identifier: MIT
-- Cost profiles: what an agent thinks of the tags, and what mods make of it.
--
-- A profile is kept as it was said. Before a search it is compiled into plain lists, which the C core reads
-- (src/lua/costs.c); the lists stay until the profile, or one that it inherits from, is changed:
--
--   compiled[1]  by tag: a multiplier, or { multiplier, price, then for each function: name, fn, number, label }
--   compiled[2]  the same for tags that have none
--   compiled[3]  edge rules: { name, fn, at_least, set of tags or false, number, label, ... }
--
-- A search holds on to the lists that it began with: that is how it knows that the profile has changed.

local core = require "wend.core"
local check = require "wend.check"

local costs = {}
local metatable = core.costs_metatable
metatable.__index = costs
metatable.__name = "wend.Costs"

local rule_number = 0 -- of the last rule that was made: arrival decides between equal priorities

--- What has been compiled, here and in what inherits from here, is no longer true.
local function changed(self)
  rawset(self, "compiled", false)
  for heir in pairs(self.heirs) do
    changed(heir)
  end
end

local function is_callable(value)
  local meta = type(value) ~= "function" and getmetatable(value)
  return type(value) == "function" or type(meta) == "table" and meta.__call ~= nil
end

local function check_tag(tag, what)
  if type(tag) ~= "string" or tag == "" then
    check.fail("%s must be a string that is not empty, got %s", what, check.describe(tag))
  end
end

local function check_share(value, what)
  if type(value) ~= "number" or not (value >= 0) then
    check.fail("%s must be a number >= 0, got %s", what, check.describe(value))
  end
  return value
end

--- A tag's value as it is kept: a number, { times, plus } or a function. `what` it is, for messages.
local function check_value(value, what)
  if value == false then
    return math.huge
  elseif is_callable(value) then
    return value
  elseif type(value) == "table" then
    check.options(value, { "times", "plus" }, what)
    return {
      value.times == nil and 1 or check_share(value.times, what .. ": times"),
      value.plus == nil and 0 or check_share(value.plus, what .. ": plus"),
    }
  elseif type(value) ~= "number" or not (value >= 0) then
    check.fail("%s must be a number >= 0, false, { times =, plus = } or a function, got %s", what,
      check.describe(value))
  end
  return value
end

local function tag_text(tag)
  return ("the cost of tag '%s'"):format(tag)
end

--- The base value of a tag. `nil` forgets it: the tag then costs what the base profile or the default says.
--- @return wend.Costs self
function costs:set(tag, value)
  check.self(self, metatable, "a cost profile", "costs")
  check_tag(tag, "tag")
  self.values[tag] = value ~= nil and { given = value, kept = check_value(value, tag_text(tag)) } or nil
  changed(self)
  return self
end

--- The base value of a tag as it was set, here or in a profile that this one inherits from; nil where nobody set it.
function costs:get(tag)
  check.self(self, metatable, "a cost profile", "costs")
  check_tag(tag, "tag")
  local value = self.values[tag]
  if value then
    return value.given
  end
  return self.base and self.base:get(tag)
end

local function check_rule(name, fn, options, allowed)
  if type(name) ~= "string" or name == "" then
    check.fail("name must be a string that is not empty, got %s", check.describe(name))
  elseif not is_callable(fn) then
    check.fail("fn must be a function, got %s", check.describe(fn))
  end
  check.options(options, allowed)
  local priority = 0
  if options and options.priority ~= nil then
    priority = options.priority
  end
  if type(priority) ~= "number" or priority ~= priority then
    check.fail("priority must be a number, got %s", check.describe(priority))
  end
  return priority
end

--- Files a rule, in place of one of the same kind, name and tag, and in order of priority, then of arrival.
local function add_rule(self, rule)
  local rules, at = self.own, 1
  for i = #rules, 1, -1 do
    if rules[i].name == rule.name and rules[i].tag == rule.tag then
      table.remove(rules, i)
    end
  end
  rule_number = rule_number + 1
  rule.number = rule_number
  while rules[at] and rules[at].priority <= rule.priority do
    at = at + 1
  end
  table.insert(rules, at, rule)
  changed(self)
  return self
end

--- A named rule about a tag: `fn(agent, factor, tag)` returns the factor (and a price a passage), false or nil. It is
--- asked once a search.
--- @return wend.Costs self
function costs:rule(name, tag, fn, options)
  check.self(self, metatable, "a cost profile", "costs")
  check_tag(tag, "tag")
  local priority = check_rule(name, fn, options, { "priority" })
  return add_rule(self, { name = name, tag = tag, fn = fn, priority = priority })
end

--- A named rule about edges: `fn(agent, cost, tag, from, to, edge)` returns the cost, false or nil. It is asked for
--- each edge that could matter.
--- @return wend.Costs self
function costs:edge_rule(name, fn, options)
  check.self(self, metatable, "a cost profile", "costs")
  local priority = check_rule(name, fn, options, { "priority", "tags", "at_least" })
  local tags, at_least = options and options.tags, 0
  if options and options.at_least ~= nil then
    at_least = options.at_least
  end
  local set = false
  if tags ~= nil then
    if type(tags) ~= "table" then
      check.fail("tags must be a list of tags, got %s", check.describe(tags))
    end
    set = {}
    for i = 1, #tags do
      check_tag(tags[i], ("tags[%d]"):format(i))
      set[tags[i]] = true
    end
  end
  if type(at_least) ~= "number" or not (at_least >= 0 and at_least <= 1) then
    check.fail("at_least must be a number in 0 .. 1, got %s", check.describe(at_least))
  end
  return add_rule(self, { name = name, fn = fn, priority = priority, tags = set, at_least = at_least, on_edges = true })
end

--- Takes away all rules of a name, here and not in what this profile inherits from.
--- @return wend.Costs self
function costs:remove(name)
  check.self(self, metatable, "a cost profile", "costs")
  check_tag(name, "name")
  for i = #self.own, 1, -1 do
    if self.own[i].name == name then
      table.remove(self.own, i)
    end
  end
  changed(self)
  return self
end

--- All rules that apply, inherited ones too, tag rules first, in order. A rule hides an inherited one of its name and
--- tag.
local function all_rules(self)
  local list, hidden = {}, {}
  local profile = self
  while profile do
    for _, rule in ipairs(profile.own) do
      local key = rule.name .. "\0" .. (rule.tag or "\0")
      if hidden[key] == nil or hidden[key] == profile then
        hidden[key] = profile
        list[#list + 1] = rule
      end
    end
    profile = profile.base
  end
  table.sort(list, function(a, b)
    if (a.on_edges or false) ~= (b.on_edges or false) then
      return not a.on_edges
    elseif a.priority ~= b.priority then
      return a.priority < b.priority
    end
    return a.number < b.number
  end)
  return list
end

--- The rules in the order in which they apply: a list of { name, tag, tags, priority, at_least, fn }.
function costs:rules()
  check.self(self, metatable, "a cost profile", "costs")
  local list = {}
  for i, rule in ipairs(all_rules(self)) do
    local tags
    if rule.tags then
      tags = {}
      for tag in pairs(rule.tags) do
        tags[#tags + 1] = tag
      end
      table.sort(tags)
    end
    list[i] = {
      name = rule.name,
      tag = rule.tag,
      tags = tags,
      priority = rule.priority,
      at_least = rule.at_least,
      fn = rule.fn,
    }
  end
  return list
end

--- The entry of a value over what was inherited: a function is handed that, a number stands in its place.
local function entry_over(inherited, value, name, number)
  if is_callable(value) then
    local entry = { 1, 0 }
    if type(inherited) == "table" then
      for i, item in ipairs(inherited) do
        entry[i] = item
      end
    elseif inherited then
      entry[1] = inherited
    end
    local last = #entry
    entry[last + 1], entry[last + 2], entry[last + 3], entry[last + 4] = name, value, number, name
    return entry
  elseif type(value) == "table" then
    return { value[1], value[2] }
  end
  return value
end

--- The base values of a profile over those that it inherits.
local function base_entries(self)
  local entries, default = {}, 1
  if self.base then
    entries, default = base_entries(self.base)
  end
  if self.default ~= nil then
    default = entry_over(nil, self.default.kept, "default", self.default.number)
  end
  for tag, value in pairs(self.values) do
    if is_callable(value.kept) and not value.number then
      rule_number = rule_number + 1
      value.number = rule_number -- by which a search knows it, should it fail
    end
    entries[tag] = entry_over(entries[tag], value.kept, ("tag '%s'"):format(tag), value.number)
  end
  return entries, default
end

--- Makes the lists that the core reads. Called before a search, when there are none.
--- @private
function costs:compile()
  local entries, default = base_entries(self)
  local edge_rules = {}
  for _, rule in ipairs(all_rules(self)) do
    local label = ("rule '%s'"):format(rule.name)
    if rule.on_edges then
      for _, item in ipairs { rule.name, rule.fn, rule.at_least, rule.tags, rule.number, label } do
        edge_rules[#edge_rules + 1] = item
      end
    else
      local entry = entries[rule.tag] or default
      entry = entry_over(entry, rule.fn, rule.name, rule.number)
      entry[#entry] = label
      entries[rule.tag] = entry
    end
  end
  rawset(self, "compiled", { entries, default, edge_rules })
  return self.compiled
end

function metatable.__newindex(self, key, value)
  if key ~= "on_error" then
    error(("a cost profile has no field %s: use costs:set(tag, value)"):format(check.describe(key)), 2)
  elseif value ~= nil and not is_callable(value) then
    error(("on_error must be a function or nil, got %s"):format(check.describe(value)), 2)
  end
  rawset(self, key, value)
end

function metatable.__tostring(self)
  local tags = 0
  for _ in pairs(self.values) do
    tags = tags + 1
  end
  return ("wend.Costs (%d tags, %d rules)"):format(tags, #self.own)
end

--- A cost profile: `values` by tag; options `default` (what tags that nobody set cost) and `base` (a profile to inherit
--- from).
--- @param values table<string, wend.TagCost>?
--- @param options wend.CostsOptions?
--- @return wend.Costs
local function new(values, options)
  if values ~= nil and type(values) ~= "table" then
    check.fail("rules must be a table, got %s", check.describe(values))
  elseif getmetatable(values) == metatable then
    check.fail("rules must be a plain table, got a cost profile: to inherit from it, give it as the option 'base'")
  end
  check.options(options, { "default", "base" })
  local base = options and options.base
  if base ~= nil and getmetatable(base) ~= metatable then
    check.fail("base must be a cost profile, got %s", check.describe(base))
  end
  local self = setmetatable({
    values = {},
    own = {}, -- rules, by priority, then arrival
    heirs = setmetatable({}, { __mode = "k" }), -- profiles that inherit from this one
    compiled = false,
  }, metatable)
  rawset(self, "base", base)
  if options and options.default ~= nil then
    rule_number = rule_number + 1
    rawset(self, "default", { kept = check_value(options.default, "default"), number = rule_number })
  end
  for tag, value in pairs(values or {}) do
    check_tag(tag, "each key of rules")
    self.values[tag] = { given = value, kept = check_value(value, tag_text(tag)) }
  end
  if base then
    base.heirs[self] = true
  end
  return self
end

return { new = new, metatable = metatable }
