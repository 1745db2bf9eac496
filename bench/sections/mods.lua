-- SPDX-License-Identifier: MIT
-- What mods cost: twenty mods, each with three rules about tags that call a function and change nothing. A profile of
-- numbers without mods expands the same nodes. "calls" are bare lua_calls of such functions, as many as one
-- search makes. The target: what the mods add to a search at most 1.25 of the calls.

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

-- Times all forms on one map.
local function measure(name, count, map, trips)
  local wend = require "wend"
  local plain, modded, timed, limited = wend.costs(factors), with_mods(), with_mods(), with_mods()
  timed.timing = true
  limited.max_instructions = 1e9
  local forms = {
    { "plain", { costs = plain, agent = agent } }, { "mods", { costs = modded, agent = agent } },
    { "timing", { costs = timed, agent = agent } }, { "limit", { costs = limited, agent = agent } },
  }
  local expected, contestants = common.costs(map, trips, forms[1][2]), {}
  for i, form in ipairs(forms) do
    common.agree(form[1], common.costs(map, trips, form[2]), expected)
    contestants[i] = { form[1], common.run(map, trips, form[2]) }
  end
  contestants[#contestants + 1] = { "calls", function(repeats)
    for _ = 1, repeats do reference.tag_floor(unchanged, agent, MODS * RULES * count) end
  end }
  local seconds = common.race(contestants)
  return {
    name, common.round(seconds.plain / count * 1e6, 1),
    common.round(seconds.mods / seconds.plain), common.round((seconds.mods - seconds.plain) / count * 1e6, 1),
    common.round(seconds.calls / count * 1e6, 1), common.round((seconds.mods - seconds.plain) / seconds.calls),
    common.round((seconds.timing - seconds.mods) / count / MODS / RULES * 1e9, 0),
    common.round((seconds.limit - seconds.plain) / (seconds.mods - seconds.plain)),
  }
end

local function on_graph(nodes, count)
  local input = graphs.geometric(nodes)
  local trips, g = input:mix(count), input:tagged(tags)
  input:release()
  return measure(input.name, count, g, trips)
end

-- What the first search after an edit takes more than the others: it compiles the profile.
local function compiling(name, costs)
  local g, options, calls = require("wend").graph(), { costs = costs }, 100
  g:add_nodes { 0, 0, 1, 0 }
  g:add_edge(1, 2, { tag = "road" })
  local function searches(edits)
    return function(repeats)
      for i = 1, repeats * calls do
        if edits then costs:set("lava", i % 7) end
        g:path(1, 2, options)
      end
    end
  end
  local seconds = common.race { { "as it is", searches(false) }, { "edited", searches(true) } }
  return { name, common.round((seconds.edited - seconds["as it is"]) / calls * 1e6, 1) }
end

local function many_values(count)
  local values = {}
  for i = 1, count do values["tag" .. i] = i end
  return require("wend").costs(values)
end

return {
  name = "mods",
  title = ("%d mods with %d rules about tags each (target: added / calls 1.25)"):format(MODS, RULES),
  run = function()
    local rows = {}
    for _, case in ipairs(common.quick and { { 1000, 30 } } or { { 1000, 60 }, { 10000, 30 } }) do
      rows[#rows + 1] = on_graph(case[1], case[2])
    end
    for _, side in ipairs(common.quick and { 32 } or { 32, 128 }) do
      rows[#rows + 1] = measure(("grid %d"):format(side), 60, grids.blocks(side, tags, 1, 60))
    end
    common.print_table({
      "map", "plain µs", "mods / plain", "added µs", "calls µs", "added / calls",
      "timing ns a call", "limit, added / added",
    }, rows)
    common.print_table({ "profile", "edit and compile µs" }, {
      compiling("2 values", many_values(2)), compiling("100 values", many_values(100)),
      compiling(MODS .. " mods", with_mods()),
    })
  end,
}
