-- SPDX-License-Identifier: MIT
-- Random edits of random profiles: which results are out of date. A failure prints WEND_SEED and WEND_ROUND.
--
-- Two sides are compared. A result that counts as good must be as if it were made now. A result counts as out of date
-- exactly if it uses a tag whose signature has changed since: all that a profile says about a tag, as costs:get and
-- costs:rules tell it. Where rules hide inherited rules, it may also count as out of date too early.

local helper = require "spec.support.helper"
local wend = require "wend"

local USED = { "a", "b", "c", "d" }        -- tags of maps
local TAGS = { "a", "b", "c", "d", "e", "f" } -- tags of profiles

-- Profiles -----------------------------------------------------------------------------------------------------------

local function constant(number)
  return function() return number end
end

local function random_value(rng)
  local number = rng(0, 3)
  return rng:pick { number, number, number, 1, false, constant(number), { times = number, plus = rng(0, 2) } }
end

-- Three profiles: each inherits from the one before. chain.own[i]: by tag, whether profile i has a value of its own;
-- chain.default[i]: its default.
local function random_profiles(rng)
  local chain = { own = {}, default = {} }
  for i = 1, 3 do
    local values = {}
    chain.own[i] = {}
    for _, tag in ipairs(TAGS) do
      if rng:chance(0.4) then values[tag], chain.own[i][tag] = random_value(rng), true end
    end
    chain.default[i] = rng:chance(0.3) and rng(1, 2) or nil
    chain[i] = wend.costs(values, { base = chain[i - 1], default = chain.default[i] })
  end
  return chain
end

local function random_tags(rng)
  local tags = {}
  for _, tag in ipairs(TAGS) do
    if rng:chance(0.25) then tags[#tags + 1] = tag end
  end
  return tags
end

-- One edit. exact: a rule never has the name of a rule of another profile, so that none is hidden.
local function edit(rng, chain, exact)
  local i = rng(3)
  local name = (exact and i * 3 or 3) + rng(2)
  local costs, tag = chain[i], rng:pick(TAGS)
  local kind = rng(9)
  if kind <= 4 then
    costs:set(tag, random_value(rng))
    chain.own[i][tag] = true
  elseif kind == 5 then
    costs:set(tag, nil)
    chain.own[i][tag] = nil
  elseif kind == 6 then
    costs:rule("rule " .. name, tag, constant(rng(0, 2)))
  elseif kind == 7 then
    local factor = rng(1, 2)
    costs:edge_rule("rule " .. name, function(_, cost) return cost * factor end,
      { tags = rng:chance(0.9) and random_tags(rng) or nil, at_least = rng:pick { 0, 1 } })
  else
    costs:remove("rule " .. name)
  end
end

local function text(value, ids)
  if type(value) == "function" then
    ids[value] = ids[value] or tostring(value)
    ids[#ids + 1] = value -- keeps its address its own
    return ids[value]
  elseif type(value) == "table" then
    return ("%g+%g"):format(value.times or 1, value.plus or 0)
  end
  return value and ("%g+0"):format(value) or value == false and "inf+0" or "nil"
end

-- What chain[i] says about a tag; nil: about what has no tag.
local function signature(chain, i, tag, ids)
  local parts, default, plain = {}, nil, nil
  for at = i, 1, -1 do
    local value
    if tag and chain.own[at][tag] then value = chain[at]:get(tag) end
    default = default or chain.default[at]
    if type(value) == "function" then
      parts[#parts + 1] = text(value, ids)
    elseif value ~= nil then
      plain = value
      break
    end
  end
  if plain == nil then plain = #parts == 0 and default or 1 end -- functions of values receive 1
  parts[#parts + 1] = text(plain, ids)
  for _, rule in ipairs(chain[i]:rules()) do
    local applies = rule.tag == tag and tag ~= nil
    if not rule.tag then
      applies = rule.tags == nil
      for _, name in ipairs(rule.tags or {}) do applies = applies or name == tag end
    end
    if applies then parts[#parts + 1] = text(rule.fn, ids) end
  end
  return table.concat(parts, ";")
end

local point = wend.graph()
point:add_node(0, 0)

-- A record of all changes: changed(i, tag, since) tells whether the signature has changed after that moment.
local function record(chain)
  local now, last, ids, times = 0, {}, {}, {}
  local self = {}
  function self.look()
    now = now + 1
    for i = 1, 3 do
      for n = 0, #TAGS do
        local key, said = i .. "/" .. n, signature(chain, i, TAGS[n], ids)
        if last[key] and last[key] ~= said then times[key] = now end
        last[key] = said
      end
      point:path(1, 1, { costs = chain[i] }) -- compiles it: a change that is undone before is none
    end
    return now
  end
  function self.changed(i, tags, since)
    for n = 0, #TAGS do
      if tags[TAGS[n] or ""] and (times[i .. "/" .. n] or 0) > since then return true end
    end
    return false
  end
  return self
end

-- Maps ---------------------------------------------------------------------------------------------------------------

local function random_graph(rng)
  local g = wend.graph()
  local count = rng(4, 25)
  for _ = 1, count do g:add_node(rng(0, 20), rng(0, 20)) end
  for _ = 1, count * 2 do
    g:add_edge(rng(count), rng(count), { weight = rng(1, 5), tag = rng:chance(0.8) and rng:pick(USED) or nil })
  end
  return { map = g, count = count }
end

local function random_grid(rng)
  local grid = wend.grid(rng(2, 8), rng(2, 8))
  local world = { map = grid, width = grid:width(), height = grid:height() }
  for y = 1, world.height do
    for x = 1, world.width do
      if rng:chance(0.6) then grid:set(x, y, rng:pick(USED)) end
    end
  end
  for _ = 1, rng(0, 3) do
    local x1, y1, x2, y2 = rng(world.width), rng(world.height), rng(world.width), rng(world.height)
    if x1 ~= x2 or y1 ~= y2 then grid:link(x1, y1, x2, y2, { tag = rng:pick(USED), weight = rng(0, 3) }) end
  end
  return world
end

-- Arguments for a place.
local function place(rng, world)
  if world.count then return { rng(world.count) } end
  return { rng(world.width), rng(world.height) }
end

local unpack = table.unpack or unpack

local function find(world, from, to, opts)
  if world.count then return world.map:path(from[1], to[1], opts) end
  return world.map:path(from[1], from[2], to[1], to[2], opts)
end

-- The tags of all that the map has, or of all that a path goes by. "": no tag.
local function tags_of_map(world)
  local tags = {}
  if world.count then
    for node in world.map:nodes() do
      for _, _, _, tag in world.map:edges(node) do tags[tag or ""] = true end
    end
    return tags
  end
  for y = 1, world.height do
    for x = 1, world.width do tags[select(2, world.map:get(x, y)) or ""] = true end
  end
  for _, _, _, _, _, tag in world.map:links() do tags[tag or ""] = true end
  return tags
end

local function tags_of_path(world, path)
  local tags = {}
  for _, step in ipairs(path:explain()) do tags[step.tag or ""] = true end
  if not world.count then -- cells beside diagonals, and links between neighbours, count as well
    local function note(x, y) tags[select(2, world.map:get(x, y)) or ""] = true end
    for i = 3, #path, 2 do
      local x1, y1, x2, y2 = path[i - 2], path[i - 1], path[i], path[i + 1]
      note(x2, y2)
      if math.abs(x1 - x2) == 1 and math.abs(y1 - y2) == 1 then
        note(x1, y2)
        note(x2, y1)
      end
      for a, b, c, d, _, tag in world.map:links() do
        if a == x1 and b == y1 and c == x2 and d == y2 then tags[tag or ""] = true end
      end
    end
  end
  return tags
end

local function near(a, b) return a == b or math.abs(a - b) <= 1e-9 * math.max(1, math.abs(a)) end

local function sum(path)
  local cost = 0
  for _, step in ipairs(path:explain()) do cost = cost + step.cost end
  return cost
end

local function each_place(world, fn)
  if world.count then
    for node = 1, world.count do fn(node) end
  else
    for y = 1, world.height do
      for x = 1, world.width do fn(x, y) end
    end
  end
end

local function same_fields(world, a, b)
  local same = true
  each_place(world, function(...)
    local x, y = a:cost(...), b:cost(...)
    same = same and (x == y or x and y and near(x, y))
  end)
  return same
end

-- The comparison -----------------------------------------------------------------------------------------------------

local function compare(rng, world)
  local chain, exact = random_profiles(rng), rng:chance(0.6)
  local history = record(chain)
  local results, searches = {}, {}
  local tags = tags_of_map(world)
  local now = history.look()

  local function make()
    local i = rng(3)
    local opts = { costs = chain[i] }
    local from, to = place(rng, world), place(rng, world)
    local kind = rng(5)
    local result = { i = i, since = now, from = from, to = to, kind = kind }
    if kind <= 2 then
      result.path = find(world, from, to, opts)
      if result.path and kind == 2 and not world.count and #result.path > 2 then
        result.path = world.map:straighten(result.path, opts) or result.path
      elseif result.path then
        result.tags = tags_of_path(world, result.path)
      end
    elseif kind == 3 then
      to[#to + 1] = opts
      result.field = world.map:field(unpack(to))
      to[#to] = nil
      result.path = result.field:path(unpack(from))
      result.tags = result.path and tags_of_path(world, result.path)
    elseif kind == 4 and world.count then
      result.routes = world.map:routes { costs = chain[i] }
      result.path = result.routes:path(from[1], to[1])
      result.tags = result.path and tags_of_path(world, result.path)
    else
      local search
      if world.count then search = world.map:search(from[1], to[1], opts)
      else search = world.map:search(from[1], from[2], to[1], to[2], opts) end
      local direct = find(world, from, to, { costs = chain[i] })
      searches[#searches + 1] = { search = search, i = i, since = now, from = from, to = to, kind = kind,
        cost = direct and direct.cost or -1 }
      return
    end
    results[#results + 1] = result
  end

  -- What is expected, and what wend says.
  local function is(changed, said)
    if exact or changed then assert.equal(changed, said) end
  end

  local function check(result)
    local changed = history.changed(result.i, tags, result.since)
    if result.path then
      local valid = result.path:valid()
      if valid then assert.truthy(near(result.path.cost, sum(result.path)), "a valid path has another cost") end
      if not valid and exact then assert.truthy(changed, "a path is not valid without a change") end
      if result.tags then is(history.changed(result.i, result.tags, result.since), not valid) end
    end
    if result.field then
      is(changed, not result.field:valid())
      if result.field:valid() then
        result.to[#result.to + 1] = { costs = chain[result.i] }
        assert.truthy(same_fields(world, result.field, (world.map:field(unpack(result.to)))))
        result.to[#result.to] = nil
      end
    end
    if result.routes then
      is(changed, not result.routes:valid())
      if result.routes:valid() then
        local path = find(world, result.from, result.to, { costs = chain[result.i] })
        assert.truthy(near(path and path.cost or -1, result.routes:cost(result.from[1], result.to[1]) or -1))
      end
    end
  end

  for _ = 1, 25 do
    if rng:chance(0.4) then make() end
    if rng:chance(0.7) then
      edit(rng, chain, exact)
      now = history.look()
    end
    for n = #searches, 1, -1 do
      local job = searches[n]
      local state = job.search:step(rng(3))
      if state ~= "running" then
        job.path = job.search:result()
        assert.truthy(near(job.path and job.path.cost or -1, job.cost))
        results[#results + 1] = job
        table.remove(searches, n)
      end
    end
    for _, result in ipairs(results) do
      if rng:chance(0.6) then check(result) end
    end
  end
  for _, result in ipairs(results) do check(result) end
end

describe("random edits of profiles", function()
  it("leave paths, fields, searches and route tables of a graph as good as they say", function()
    helper.rounds("validity on graphs", 60, function(rng) compare(rng, random_graph(rng)) end)
  end)

  it("leave paths, fields and searches of a grid as good as they say", function()
    helper.rounds("validity on grids", 60, function(rng) compare(rng, random_grid(rng)) end)
  end)
end)
