-- What is kept of a profile for a map, against a profile made anew for each path: with edits of the profile and of the
-- map, several maps and agents, and paths inside of functions.

local helper = require "spec.support.helper"
local wend = require "wend"

local TAGS = { "road", "mud", "snow", "ice", "reed" }

local function times_agent(agent, factor) return factor * agent.factor end
local function closes(agent) return agent.factor < 2 and nil end
local function dearer(agent, cost) return cost + agent.factor end

local function random_value(rng)
  return rng:pick { 0.5, 2, 3, false, { times = 2, plus = 1 }, { plus = 4 }, times_agent, closes }
end

describe("what is kept of a profile for a map", function()
  it("is what a new profile says", function()
    helper.rounds("kept costs", 60, function(rng)
      local maps, values, rules, counts = { wend.graph(), wend.graph() }, {}, {}, { 1, 1 }
      local costs = wend.costs()
      local function fresh()
        local made = wend.costs(values)
        for name, tags in pairs(rules) do made:edge_rule(name, dearer, { tags = tags, at_least = 1 }) end
        return made
      end
      for _, map in ipairs(maps) do map:add_node {} end
      for _ = 1, 40 do
        local at = rng(1, 2)
        local map, tag, action = maps[at], rng:pick(TAGS), rng(1, 6)
        if action == 1 then
          map:add_node {}
          counts[at] = counts[at] + 1
          for _ = 1, 2 do
            map:add_edge(rng(1, counts[at] - 1), counts[at], { weight = rng(1, 5), tag = rng:pick(TAGS) })
          end
        elseif action == 2 then
          values[tag] = random_value(rng)
          costs:set(tag, values[tag])
        elseif action == 3 then
          local name = rng:pick { "a", "b" }
          rules[name] = not rules[name] and { tag, rng:pick(TAGS) } or nil
          costs:remove(name)
          if rules[name] then costs:edge_rule(name, dearer, { tags = rules[name], at_least = 1 }) end
        else
          local from, to, options = rng(1, counts[at]), rng(1, counts[at]), { agent = { factor = rng(1, 3) } }
          if rng:chance(0.2) then options.cost = function(_, cost) return cost * 2 end end
          if rng:chance(0.2) then
            options.cost = function(agent, cost)
              maps[3 - at]:path(1, counts[3 - at], { costs = costs, agent = { factor = agent.factor + 1 } })
              return cost
            end
          end
          options.costs = costs
          if rng:chance(0.3) then -- between two paths with the same tables, one with others
            map:path(from, to, options)
            map:path(from, to, { costs = costs, agent = { factor = 3 }, cost = function() return 1 end })
          end
          local path = map:path(from, to, options)
          options.costs = fresh()
          local expected = map:path(from, to, options)
          assert.equal(expected and expected.cost, path and path.cost)
        end
      end
    end)
  end)
end)
