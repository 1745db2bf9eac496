-- SPDX-License-Identifier: MIT
-- The time that profiles by tag take, compared with the same costs multiplied into the weights. All expand the same
-- nodes.

local common, graphs = require "common", require "graphs"

local tags = { "road", "grass", "sand", "swamp" }
local factors = { road = 1, grass = 1.25, sand = 1.5, swamp = 2 }

-- Two graphs with the same edges. The first has tags, and a profile gives their costs. In the second the costs are
-- multiplied into the weights.
local function tagged_graphs(input)
  local tagged = input:tagged(tags)
  local multiplied = tagged:copy()
  for id in multiplied:edges() do
    local edge = multiplied:edge(id)
    multiplied:set_weight(id, edge.weight * factors[edge.tag])
  end
  return tagged, multiplied
end

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
    { "profile of functions", tagged, { costs = wend.costs(functions) } },
    { "profile with a rule", tagged, { costs = with_rule } },
    { "profile of numbers, tags of nodes", houses, { costs = numbers } },
    { "multiplied in, widths", streets, { size = 1 } },
  }
  local contestants, expected = {}, nil
  for _, form in ipairs(forms) do
    local name, g, options = table.unpack(form)
    local costs = common.costs(g, trips, options)
    expected = expected or costs
    common.agree(name, costs, expected)
    contestants[#contestants + 1] = { name, common.run(g, trips, options) }
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

return {
  name = "costs",
  title = "Costs by tag",
  run = function()
    for _, n in ipairs(common.quick and { 10000 } or { 10000, 100000 }) do
      profiles(graphs.geometric(n), n > 10000 and 20 or 50)
    end
  end,
}
