-- SPDX-License-Identifier: MIT
-- What functions of a profile cost, compared with an ordinary search: A* on the same map and trips, without a profile.
-- A function that "changes few" doubles the cost of swamps, one of the four tags. One that "changes all" multiplies
-- each cost by 1.5.

local common, graphs = require "common", require "graphs"
local grids = require "grids"

local tags = { "road", "grass", "sand", "swamp" }
local agent = { boots = false }

local function unchanged(_, cost) return cost end
local function swamps(who, cost, tag)
  if tag == "swamp" and not who.boots then return cost * 2 end
end
local function all(_, cost) return cost * 1.5 end

-- Every way to ask Lua for costs: { name, how to make its profile }.
local function profiles()
  local wend = require "wend"
  local function rule(fn, opts)
    return wend.costs():edge_rule("rule", fn, opts)
  end
  local few = { "swamp" }
  return {
    { "tag function", wend.costs { swamp = function(who) return who.boots and 1 or 2 end } },
    { "promise, changes nothing", rule(unchanged, { at_least = 1 }) },
    { "promise, changes few", rule(swamps, { at_least = 1 }) },
    { "the same, with tags", rule(swamps, { at_least = 1, tags = few }) },
    { "promise, changes all", rule(all, { at_least = 1 }) },
    { "no promise, changes nothing", rule(unchanged) },
    { "no promise, changes few", rule(swamps) },
    { "the same, with tags", rule(swamps, { tags = few }) },
  }
end

-- Times all profiles on one map.
local function measure(name, map, trips)
  local contestants, doubled = { { "ordinary", common.run(map, trips) } }, nil
  for i, profile in ipairs(profiles()) do
    local options = { costs = profile[2], agent = agent }
    if i == 1 then doubled = common.costs(map, trips, options) end -- all profiles that double swamps must agree
    if profile[1]:find "few" or profile[1]:find "tags" then
      common.agree(profile[1], common.costs(map, trips, options), doubled)
    end
    contestants[#contestants + 1] = { i, common.run(map, trips, options) }
  end
  local seconds, row = common.race(contestants), { name }
  for i = 1, #contestants - 1 do row[i + 1] = common.round(seconds[i] / seconds.ordinary, 1) end
  return row
end

-- Random points, each joined to its 6 nearest. Each edge has one of four tags at random.
local function on_graph(count, trip_count)
  local input = graphs.geometric(count)
  local trips, g = input:mix(trip_count), input:tagged(tags)
  input:release()
  return measure(input.name, g, trips)
end

local function on_grid(side, heaviest, trip_count)
  return measure(("grid %d, %s"):format(side, heaviest > 1 and "terrain" or "all alike"),
    grids.blocks(side, tags, heaviest, trip_count))
end

return {
  name = "callbacks",
  title = "Functions of profiles: time / time of an ordinary search (A*, no profile)",
  run = function()
    local rows = {}
    for _, case in ipairs(common.quick and { { 1000, 30 } } or { { 1000, 60 }, { 10000, 30 }, { 100000, 15 } }) do
      rows[#rows + 1] = on_graph(case[1], case[2])
    end
    for _, side in ipairs(common.quick and { 32 } or { 32, 64, 256, 512 }) do
      rows[#rows + 1] = on_grid(side, 5, side > 100 and 15 or 60)
    end
    for _, side in ipairs(common.quick and { 32 } or { 64, 256 }) do
      rows[#rows + 1] = on_grid(side, 1, side > 100 and 15 or 60)
    end
    local heading = { "map" }
    for i, profile in ipairs(profiles()) do heading[i + 1] = profile[1] end
    common.print_table(heading, rows)
  end,
}
