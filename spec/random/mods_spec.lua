-- SPDX-License-Identifier: MIT
-- Random edits of profiles with mods, beside a model in plain tables. A failure prints WEND_SEED and WEND_ROUND.
--
-- The model says what each tag costs and in which order the rules apply. A path may count as good only if all that was
-- said about its tag is still the same. In rounds without what may count too early (moved and reloaded mods, rules that
-- hide inherited rules), it counts as out of date only if something has changed.

local helper = require "spec.support.helper"
local wend = require "wend"

local TAGS = { "a", "b", "c", "d", "e" }
local MODS = { "bog", "frost", "wolves" }
local WEIGHT = 8

-- The model ----------------------------------------------------------------------------------------------------------

local serial = 0
local function next_serial()
  serial = serial + 1
  return serial
end

local function new_layer(mod, priority)
  return { mod = mod, priority = priority, number = next_serial(), values = {}, rules = {} }
end

-- A profile and its model: { costs, game, mods = { name = layer }, base = another model or nil }.
local function new_model(base)
  return { costs = wend.costs({}, { base = base and base.costs }), game = new_layer(false, 0), mods = {}, base = base }
end

local function mods_in_order(model)
  local list = {}
  for _, layer in pairs(model.mods) do
    local at = 1
    while list[at] and (list[at].priority < layer.priority
        or list[at].priority == layer.priority and list[at].number < layer.number) do
      at = at + 1
    end
    table.insert(list, at, layer)
  end
  return list
end

-- From the first base profile on: the layers, each with its key for the order of rules.
local function all_layers(model)
  local list = model.base and all_layers(model.base) or {}
  local depth = model.base and list[#list].depth + 1 or 1
  list[#list + 1] = { layer = model.game, key = { 0, 0, 0, 0 }, depth = depth }
  for _, layer in ipairs(mods_in_order(model)) do
    list[#list + 1] = { layer = layer, key = { 1, depth, layer.priority, layer.number }, depth = depth }
  end
  return list
end

local function is_before(a, b)
  for i = 1, #a do
    if a[i] ~= b[i] then return a[i] < b[i] end
  end
  return false
end

local function rules_in_order(all)
  local list = {}
  for _, one in ipairs(all) do
    for _, rule in ipairs(one.layer.rules) do
      local hidden = false
      for _, other in ipairs(all) do
        for _, later in ipairs(other.layer.rules) do
          hidden = hidden or other.depth > one.depth and other.layer.mod == one.layer.mod and later.name == rule.name
            and later.tag == rule.tag and later.on_edges == rule.on_edges
        end
      end
      if not hidden then
        local key = { rule.on_edges and 1 or 0, rule.priority }
        for _, part in ipairs(one.key) do key[#key + 1] = part end
        key[#key + 1] = rule.number
        local at = 1
        while list[at] and is_before(list[at].key, key) do at = at + 1 end
        table.insert(list, at, { key = key, rule = rule, mod = one.layer.mod })
      end
    end
  end
  return list
end

local function applies(rule, tag)
  if rule.tag then return rule.tag == tag end
  if not rule.tags then return true end
  for _, one in ipairs(rule.tags) do
    if one == tag then return true end
  end
  return false
end

-- The cost of an edge of this tag, and a text of all that was said about the tag.
local function price_of(tag, all, ordered)
  local times, plus, said = 1, 0, ""
  for _, one in ipairs(all) do
    local value = one.layer.values[tag]
    if value and value.fn then
      local factor, price = value.fn(nil, times)
      times, plus = factor, price or plus
      said = said .. "f" .. value.id .. " "
    elseif value then
      times, plus = value.times, value.plus
      said = (times ~= 1 or plus ~= 0) and times .. "+" .. plus .. " " or "" -- 1 is no change where there was no value
    end
  end
  for _, one in ipairs(ordered) do
    if applies(one.rule, tag) then
      said = said .. "r" .. one.rule.id .. " "
      if not one.rule.on_edges then
        local factor, price = one.rule.fn(nil, times)
        times, plus = factor, price or plus
      end
    end
  end
  local cost = (times == math.huge or plus == math.huge) and math.huge or WEIGHT * times + plus
  for _, one in ipairs(ordered) do
    if one.rule.on_edges and applies(one.rule, tag) then cost = one.rule.fn(nil, cost) end
  end
  return cost < math.huge and cost or false, said
end

-- Edits --------------------------------------------------------------------------------------------------------------

local function random_function(rng)
  local times, plus, price = rng(1, 2), rng(0, 2), rng:pick { false, false, rng(0, 3) }
  return function(_, factor)
    return factor * times + plus, price or nil
  end
end

-- What scripts give, and what the model keeps.
local function random_value(rng)
  local kind = rng(5)
  if kind == 1 then return nil, nil end
  if kind == 2 then return false, { times = math.huge, plus = 0 } end
  if kind == 3 then
    local fn = random_function(rng)
    return fn, { fn = fn, id = next_serial() }
  end
  if kind == 4 then
    local times, plus = rng(0, 2), rng(0, 2)
    return { times = times, plus = plus }, { times = times, plus = plus }
  end
  local times = rng(0, 3)
  return times, { times = times, plus = 0 }
end

local function random_tags(rng)
  local tags = {}
  for _, tag in ipairs(TAGS) do
    if rng:chance(0.3) then tags[#tags + 1] = tag end
  end
  return tags
end

local function remove_rules(layer, name)
  for i = #layer.rules, 1, -1 do
    if layer.rules[i].name == name then table.remove(layer.rules, i) end
  end
end

-- Edits a layer of a model, and by the same calls its target: a profile or a mod.
local function edit_layer(rng, target, layer, names)
  local kind, tag, name = rng(7), rng:pick(TAGS), rng:pick(names)
  if kind <= 3 then
    local given, kept = random_value(rng)
    target:set(tag, given)
    layer.values[tag] = kept
  elseif kind <= 6 then
    local fn, priority = random_function(rng), rng:pick { 0, 0, 0, -1, 2 }
    local tags = rng:chance(0.8) and random_tags(rng) or nil
    local rule = { name = name, fn = fn, priority = priority, number = next_serial() }
    rule.id = rule.number
    if kind <= 5 then
      rule.tag = tag
      target:rule(name, tag, fn, { priority = priority })
    else
      local function edge(_, cost) return (fn(nil, cost)) end
      rule.on_edges, rule.tags, rule.fn = true, tags, edge
      target:edge_rule(name, edge, { priority = priority, tags = tags })
    end
    for i = #layer.rules, 1, -1 do
      local old = layer.rules[i]
      if old.name == name and old.tag == rule.tag then table.remove(layer.rules, i) end
    end
    table.insert(layer.rules, rule)
  else
    target:remove(name)
    remove_rules(layer, name)
  end
end

-- Says everything about a layer again, in a reload.
local function repeat_layer(mine, layer)
  for tag, value in pairs(layer.values) do mine:set(tag, value.fn or { times = value.times, plus = value.plus }) end
  for _, rule in ipairs(layer.rules) do
    if rule.on_edges then
      mine:edge_rule(rule.name, rule.fn, { priority = rule.priority, tags = rule.tags })
    else
      mine:rule(rule.name, rule.tag, rule.fn, { priority = rule.priority })
    end
    rule.number = next_serial()
  end
end

local function edit(rng, models, exact)
  local at = rng(#models)
  local model = models[at]
  local names = exact and { "rule " .. at, "more " .. at } or { "rule", "more" }
  if rng:chance(0.35) then return edit_layer(rng, model.costs, model.game, names) end
  local name, kind = rng:pick(MODS), rng(10)
  local layer = model.mods[name]
  if kind == 1 then
    model.costs:remove_mod(name)
    model.mods[name] = nil
    return
  end
  if not layer then
    layer = new_layer(name, rng(0, 2))
    model.mods[name] = layer
    model.costs:mod(name, { priority = layer.priority })
  end
  local mine = model.costs:mod(name)
  if kind == 2 then
    mine:reset()
    layer.values, layer.rules = {}, {}
  elseif kind == 3 then                 -- a reload that repeats everything
    mine:reload(function() repeat_layer(mine, layer) end)
  elseif kind == 4 then                 -- a reload that raises
    local copy = new_layer(name, 0)
    local ok = pcall(mine.reload, mine, function()
      for _ = 1, rng(3) do edit_layer(rng, mine, copy, names) end
      error "changed its mind"
    end)
    assert.equal(false, ok)
  elseif kind == 5 and not exact then   -- a reload that says something else
    layer.values, layer.rules = {}, {}
    mine:reload(function()
      for _ = 1, rng(4) do edit_layer(rng, mine, layer, names) end
    end)
  elseif kind == 6 and not exact then
    layer.priority = rng(0, 2)
    model.costs:mod(name, { priority = layer.priority })
  else
    edit_layer(rng, mine, layer, names)
  end
end

-- The rounds ---------------------------------------------------------------------------------------------------------

-- An edge of each tag, from node 1.
local function fan()
  local g = wend.graph()
  g:add_node(0, 0)
  for i, tag in ipairs(TAGS) do
    g:add_node(i, 0)
    g:add_edge(1, i + 1, { tag = tag, weight = WEIGHT })
  end
  return g
end

local function same_rules(model, ordered)
  local wanted, got = {}, {}
  local function text(name, mod, tag) return name .. " of " .. (mod or "the game") .. " for " .. (tag or "edges") end
  for i, one in ipairs(ordered) do wanted[i] = text(one.rule.name, one.mod, one.rule.tag) end
  for i, rule in ipairs(model.costs:rules()) do got[i] = text(rule.name, rule.mod, rule.tag) end
  assert.equal(table.concat(wanted, "\n"), table.concat(got, "\n"))
end

local function round_of(rng, exact)
  local g, models, held = fan(), {}, {}
  for i = 1, rng(3) do models[i] = new_model(models[i - 1]) end
  for _ = 1, 40 do
    edit(rng, models, exact)
    for m, model in ipairs(models) do
      local all = all_layers(model)
      local ordered = rules_in_order(all)
      same_rules(model, ordered)
      for i, tag in ipairs(TAGS) do
        local key = m .. tag
        local old = held[key]
        local cost, said = price_of(tag, all, ordered)
        if old then
          old.changed = old.changed or said ~= old.said
          local valid = old.path:valid()
          if valid and old.changed or exact and not valid and not old.changed then
            error(("profile %d, tag %s: valid %s, said '%s', now '%s'"):format(m, tag, tostring(valid), old.said, said))
          end
        end
        if not old or old.changed or rng:chance(0.1) then
          local path = g:path(1, i + 1, { costs = rng:chance(0.5) and model.costs or model.costs:readonly() })
          local found = path and path.cost or false
          if cost ~= found then assert.equal(cost, found) end
          held[key] = path and { path = path, said = said } or nil
        elseif cost ~= old.path.cost then
          assert.equal(cost, old.path.cost)
        end
      end
    end
  end
end

describe("random edits of mods", function()
  it("cost what the model says, in its order, and make paths out of date", function()
    helper.rounds("mods", 40, function(rng) round_of(rng, false) end)
  end)

  it("make no other path out of date", function()
    helper.rounds("exact mods", 40, function(rng) round_of(rng, true) end)
  end)
end)
