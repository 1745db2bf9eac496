-- SPDX-License-Identifier: MIT
-- What mods cost: twenty mods, each with three rules about tags that call a function and change nothing. A profile of
-- numbers without mods expands the same nodes. "resolved" is the profile with all mods after costs:resolve. "calls" are
-- bare lua_calls of such functions, as many as one search makes. The targets: resolved at most 1.0 of the profile of
-- numbers, apart from noise; what the mods add to a search at most 1.25 of the calls.

local common, graphs = require "common", require "graphs"
local grids = require "grids"
local reference = require "wend_bench_reference"

local MODS, RULES = 20, 3
local tags = { "road", "grass", "sand", "swamp" }
local factors = { road = 1, grass = 1.25, sand = 1.5, swamp = 2 }
local agent = { boots = true }

local function unchanged(_, factor) return factor end

local function with_mods()
  local costs = require("wend").costs(factors)
  for m = 1, MODS do
    local mine = costs:mod("mod" .. m)
    for r = 1, RULES do mine:rule("rule" .. r, tags[(m + r) % #tags + 1], unchanged) end
  end
  return costs
end

-- Times all forms on one map. `run_of` makes the function of a contestant from options; `costs_of` the costs of trips.
local function measure(name, count, run_of, costs_of)
  local wend = require "wend"
  local plain, modded, timed, limited = wend.costs(factors), with_mods(), with_mods(), with_mods()
  timed.timing = true
  limited.max_instructions = 1e9
  local resolved = modded:resolve(agent)
  local forms = {
    { "plain", { costs = plain, agent = agent } }, { "resolved", { costs = resolved } },
    { "mods", { costs = modded, agent = agent } }, { "timing", { costs = timed, agent = agent } },
    { "limit", { costs = limited, agent = agent } },
  }
  local expected, contestants = costs_of(forms[1][2]), {}
  for i, form in ipairs(forms) do
    common.agree(form[1], costs_of(form[2]), expected)
    contestants[i] = { form[1], run_of(form[2]) }
  end
  contestants[#contestants + 1] = { "calls", function(repeats)
    for _ = 1, repeats do reference.tag_floor(unchanged, agent, MODS * RULES * count) end
  end }
  local seconds = common.race(contestants)
  return {
    name, common.round(seconds.plain / count * 1e6, 1), common.round(seconds.resolved / seconds.plain),
    common.round(seconds.mods / seconds.plain), common.round((seconds.mods - seconds.plain) / count * 1e6, 1),
    common.round(seconds.calls / count * 1e6, 1), common.round((seconds.mods - seconds.plain) / seconds.calls),
    common.round((seconds.timing - seconds.mods) / count / MODS / RULES * 1e9, 0),
    common.round((seconds.limit - seconds.plain) / (seconds.mods - seconds.plain)),
  }
end

local function on_graph(nodes, count)
  local input = graphs.geometric(nodes)
  local trips, ends = input:mix(count), {}
  for _, tag in ipairs(tags) do ends[tag] = {} end
  math.randomseed(graphs.seed)
  for i = 1, #input.from do
    local list = ends[tags[math.random(#tags)]]
    list[#list + 1], list[#list + 2] = input.from[i], input.to[i]
  end
  local g = require("wend").graph()
  g:add_nodes(input.points)
  for _, tag in ipairs(tags) do g:add_edges(ends[tag], { tag = tag }) end
  input:release()
  return measure(input.name, count, function(options) return common.wend_trips(g, trips, options) end,
    function(options) return common.wend_costs(g, trips, options) end)
end

local function on_grid(side, count)
  math.randomseed(graphs.seed)
  local grid, trips = require("wend").grid(side, side), {}
  for y = 1, side, 4 do
    for x = 1, side, 4 do
      local value = math.random(5) > 1 and { tag = tags[math.random(#tags)] }
      grid:fill(x, y, math.min(side, x + 3), math.min(side, y + 3), value)
    end
  end
  while #trips < 4 * count do
    local x1, y1, x2, y2 = math.random(side), math.random(side), math.random(side), math.random(side)
    if grid:get(x1, y1) and grid:path(x1, y1, x2, y2) then table.move({ x1, y1, x2, y2 }, 1, 4, #trips + 1, trips) end
  end
  return measure(("grid %d"):format(side), count, function(options) return grids.run(grid, trips, options) end,
    function(options) return grids.costs(grid, trips, options) end)
end

return {
  name = "resolved",
  title = ("%d mods with %d rules about tags each (targets: resolved 1.0, added / calls 1.25)"):format(MODS, RULES),
  run = function()
    local rows = {}
    for _, case in ipairs(common.quick and { { 1000, 30 } } or { { 1000, 60 }, { 10000, 30 } }) do
      rows[#rows + 1] = on_graph(case[1], case[2])
    end
    for _, side in ipairs(common.quick and { 32 } or { 32, 128 }) do rows[#rows + 1] = on_grid(side, 60) end
    common.print_table({
      "map", "plain µs", "resolved / plain", "mods / plain", "added µs", "calls µs", "added / calls",
      "timing ns a call", "limit, added / added",
    }, rows)
  end,
}
