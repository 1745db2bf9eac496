-- SPDX-License-Identifier: MIT
-- The time that costs by agent take: profiles by tag, and callbacks by edge. In each comparison both sides run the same
-- search on the same costs and expand the same nodes. doc/performance.md compares with an ordinary search.

local common, graphs = require "common", require "graphs"
local reference = require "wend_bench_reference"

local tags = { "road", "grass", "sand", "swamp" }
local factors = { road = 1, grass = 1.25, sand = 1.5, swamp = 2 }

-- Two graphs with the same edges. The first has tags, and a profile gives their costs. In the second the costs are
-- multiplied into the weights.
local function tagged_graphs(input)
  math.randomseed(graphs.seed)
  local wend = require "wend"
  local tagged, multiplied = wend.graph(), wend.graph()
  tagged:add_nodes(input.points)
  multiplied:add_nodes(input.points)
  local ends, weights = {}, {}
  for _, tag in ipairs(tags) do ends[tag], weights[tag] = {}, {} end
  for i = 1, #input.from do
    local tag = tags[math.random(#tags)]
    local list = ends[tag]
    list[#list + 1], list[#list + 2] = input.from[i], input.to[i]
    table.insert(weights[tag], input:length(i) * factors[tag])
  end
  for _, tag in ipairs(tags) do
    tagged:add_edges(ends[tag], { tag = tag })
    multiplied:add_edges(ends[tag], { tag = tag, weights = weights[tag] })
  end
  return tagged, multiplied
end

-- Callbacks that change no cost, by what they do.
local bodies = {
  { "returns its cost", function(_, cost) return cost end },
  { "tests tag and boots", function(agent, cost, tag)
    if tag == "swamp" and not agent.wading_boots then return cost * 2 end
  end },
  { "looks up two tables", function(agent, cost, tag) return cost * agent.world.factor[tag] end },
}
local agent = {
  wading_boots = true,
  world = { factor = { road = 1, grass = 1, sand = 1, swamp = 1 } },
}

local function profiles(input, count)
  local wend = require "wend"
  local trips = input:mix(count)
  local tagged, multiplied = tagged_graphs(input)
  local numbers = wend.costs(factors)
  local functions, with_rule = {}, wend.costs(factors)
  for tag, factor in next, factors do functions[tag] = function() return factor end end
  with_rule:rule("mud", "swamp", function(_, factor) return factor end)
  input:release()
  -- Every node has a tag that changes no price, and every edge a width that is enough.
  local houses, streets = tagged:copy(), multiplied:copy()
  for node in houses:nodes() do houses:set_node_tag(node, "house") end
  for edge in streets:edges() do streets:set_width(edge, 2) end

  local forms = {
    { "multiplied in", multiplied, {} },
    { "profile of numbers", tagged, { costs = numbers } },
    { "profile of functions", tagged, { costs = wend.costs(functions), agent = agent } },
    { "profile with a rule", tagged, { costs = with_rule, agent = agent } },
    { "profile of numbers, tags of nodes", houses, { costs = numbers } },
    { "multiplied in, widths", streets, { size = 1 } },
  }
  local contestants, expected = {}, nil
  for _, form in ipairs(forms) do
    local name, g, options = table.unpack(form)
    local costs = common.wend_costs(g, trips, options)
    expected = expected or costs
    common.agree(name, costs, expected)
    contestants[#contestants + 1] = { name, common.wend_trips(g, trips, options) }
  end
  local seconds, rows = common.race(contestants), {}
  for _, form in ipairs(forms) do
    local name = form[1]
    rows[#rows + 1] = {
      name, common.round(seconds[name] / count * 1e6, 1),
      common.round(seconds[name] / seconds[forms[1][1]]),
    }
  end
  common.print_table({ "costs by tag, on " .. input.name, "µs", "/ multiplied in" }, rows)
end

-- `static`: the options of a search without callbacks that expands the same nodes. Without a promise that is a search
-- without a heuristic.
local function callbacks(input, count, at_least, static)
  local trips = input:mix(count)
  local g = tagged_graphs(input)
  input:release()
  local floor_calls = 100000
  local contestants = { { "static", common.wend_trips(g, trips, static) } }
  local expected = common.wend_costs(g, trips, static)
  local options_of = {}
  for _, body in ipairs(bodies) do
    local name, callback = table.unpack(body)
    local options = { agent = agent, cost = callback, at_least = at_least }
    options_of[name] = options
    common.agree(name, common.wend_costs(g, trips, options), expected)
    contestants[#contestants + 1] = { name, common.wend_trips(g, trips, options) }
    contestants[#contestants + 1] = { name .. ", floor", function(repeats)
      for _ = 1, repeats do reference.callback_floor(callback, agent, floor_calls) end
    end }
  end
  local seconds, rows = common.race(contestants), {}
  for _, body in ipairs(bodies) do
    local name = body[1]
    local stats = common.wend_stats(g, trips, options_of[name])
    local floor = seconds[name .. ", floor"] / floor_calls
    local added = (seconds[name] - seconds.static) / stats.callbacks
    rows[#rows + 1] = {
      name,
      common.round(seconds[name] / count * 1e6, 1),
      common.round(seconds[name] / seconds.static),
      common.round(stats.callbacks / count, 0),
      common.round(stats.callbacks / stats.expanded),
      common.round(added * 1e9, 1),
      common.round(floor * 1e9, 1),
      common.round(added / floor),
    }
  end
  local promise = at_least and "at_least = " .. at_least or "no promise"
  common.print_table({
    ("callback, %s, on %s"):format(promise, input.name),
    "µs", "/ static", "calls a trip", "calls a node", "ns a call", "floor ns", "/ floor",
  }, rows)
end

return {
  name = "costs",
  title = "Costs by agent (static: the same search with no callback)",
  run = function()
    for _, n in ipairs(common.quick and { 10000 } or { 10000, 100000 }) do
      local count = n > 10000 and 20 or 50
      profiles(graphs.geometric(n), count)
      print()
      callbacks(graphs.geometric(n), count, nil, { heuristic = "zero" })
      print()
      callbacks(graphs.geometric(n), count, 1, nil)
      print()
    end
  end,
}
