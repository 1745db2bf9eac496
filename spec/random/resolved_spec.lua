-- SPDX-License-Identifier: MIT
-- costs:resolve on random profiles and maps: the same paths as with the profile, before and after edits; and paths that
-- are out of date only where a tag of theirs has changed.
-- luacheck: std max+busted

local helper = require "spec.helper"
local reference = require "spec.reference"
local wend = require "wend"

local TAGS = { "road", "swamp", "toll", "lava", "rope" }

-- What functions and rules return depends on the agent alone: agent[tag] and agent.more.
local function reader(agent, factor, tag)
  local value = agent[tag]
  if value == nil then return nil end
  if value == false then return false end
  return factor * value, agent.more
end

local function random_value(rng)
  return rng:pick {
    false, 0.5, 1, 2, { times = 2, plus = 3 }, { plus = 1 }, reader, reader, reader,
  }
end

local function random_profile(rng, base)
  local values = {}
  for _, tag in ipairs(TAGS) do
    if rng:chance(0.5) then values[tag] = random_value(rng) end
  end
  local default = rng:chance(0.4) and random_value(rng) or nil
  local costs = wend.costs(values, { base = base, default = default })
  for i = 1, rng(0, 3) do
    costs:rule("rule" .. i, rng:pick(TAGS), reader, { priority = rng(-1, 1) })
  end
  if rng:chance(0.4) then
    local mine = costs:mod("mod" .. rng(2))
    mine:set(rng:pick(TAGS), random_value(rng)):rule("rule1", rng:pick(TAGS), reader)
  end
  if rng:chance(0.3) then
    costs:edge_rule("edges", function(agent, cost, _, from)
      return from % 3 == 0 and cost * (agent.slow or 1) or nil
    end, { at_least = 1, tags = rng:chance(0.5) and { rng:pick(TAGS) } or nil })
  end
  return costs
end

local function change_agent(rng, agent)
  for _, tag in ipairs(TAGS) do
    if rng:chance(0.4) then agent[tag] = rng:pick { false, 0.5, 1, 2, 3 } end
    if rng:chance(0.1) then agent[tag] = nil end
  end
  if rng:chance(0.2) then agent.more = rng:pick { 0, 1, 4 } end
end

local function edit(rng, costs)
  local tag = rng:pick(TAGS)
  local what = rng(5)
  if what == 1 then
    costs:set(tag, random_value(rng))
  elseif what == 2 then
    costs:set(tag, nil)
  elseif what == 3 then
    costs:rule("rule" .. rng(3), tag, reader)
  elseif what == 4 then
    costs:remove("rule" .. rng(3))
  else
    costs:mod("mod" .. rng(2)):set(tag, random_value(rng))
  end
end

-- What each tag costs now, and what has no tag: as texts.
local function snapshot(resolved)
  local costs = {}
  for _, tag in ipairs(TAGS) do
    local value = resolved:get(tag)
    if type(value) == "table" then
      costs[tag] = ("%g+%g"):format(value.times, value.plus)
    else
      costs[tag] = value and ("%g"):format(value) or "closed"
    end
  end
  return costs
end

local function compare(rng, g, nodes, profile, resolved, agent)
  for _ = 1, 3 do
    local from, to = rng:pick(nodes), rng:pick(nodes)
    local expected = reference.show(g:path(from, to, { costs = profile, agent = agent }))
    assert.equal(expected, reference.show(g:path(from, to, { costs = resolved })))
  end
end

describe("resolved costs", function()
  it("give the paths of the profile, for this agent, on random graphs", function()
    helper.rounds("resolved", 150, function(rng)
      local g, model = helper.random_graph(rng, { nodes = rng(2, 25), tags = TAGS, tagged = 0.8 })
      local base = rng:chance(0.5) and random_profile(rng) or nil
      local profile = random_profile(rng, base)
      local agent = {}
      change_agent(rng, agent)
      local resolved = profile:resolve(agent)
      compare(rng, g, model.nodes, profile, resolved, agent)
      for _ = 1, 4 do
        -- The resolved costs keep what they were.
        local before, held = snapshot(resolved), {}
        for i = 1, 3 do held[i] = g:path(rng:pick(model.nodes), rng:pick(model.nodes), { costs = resolved }) or nil end
        if rng:chance(0.5) then change_agent(rng, agent) end
        local edits = rng(0, 2)
        for _ = 1, edits do edit(rng, rng:chance(0.3) and base or profile) end
        assert.same(before, snapshot(resolved))
        for i = 1, 3 do
          if held[i] then assert.equal(true, held[i]:valid()) end
        end
        -- And change with refresh; edge rules were not edited.
        resolved:refresh()
        assert.equal(false, resolved:stale())
        compare(rng, g, model.nodes, profile, resolved, agent)
        local after = snapshot(resolved)
        for i = 1, 3 do
          local path, changed = held[i], false
          for _, id in ipairs(path and path:edges() or {}) do
            local tag = g:edge(id).tag
            changed = changed or tag ~= nil and before[tag] ~= after[tag]
          end
          if path and not changed then assert.equal(true, path:valid()) end
          if path and changed then assert.equal(false, path:valid()) end
        end
      end
    end)
  end)

  it("give the paths of the profile on random grids, by jump points too", function()
    helper.rounds("resolved grids", 40, function(rng)
      local side = rng(5, 40)
      local grid, agent = wend.grid(side, side), {}
      for _ = 1, side * side / 3 do
        grid:set(rng(side), rng(side), rng:chance(0.5) and false or { tag = rng:pick(TAGS) })
      end
      local profile = random_profile(rng)
      profile:remove "edges"
      change_agent(rng, agent)
      local resolved = profile:resolve(agent)
      for _ = 1, 4 do
        for _ = 1, 4 do
          local x1, y1, x2, y2 = rng(side), rng(side), rng(side), rng(side)
          local stats, other = {}, {}
          local expected = grid:path(x1, y1, x2, y2, { costs = profile, agent = agent, stats = stats })
          local got = grid:path(x1, y1, x2, y2, { costs = resolved, stats = other })
          assert.equal(expected and expected.cost, got and got.cost)
          if expected then assert.same(stats, other) end -- without a path, the second search knows it from the first
        end
        change_agent(rng, agent)
        resolved:refresh()
      end
    end)
  end)
end)
