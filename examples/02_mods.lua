-- Several mods change the costs of one world. No mod knows the others.
local wend = require "wend"

local g = wend.graph()
g:add_node(0, 0, { name = "gate" })
g:add_node(50, 0, { name = "keep" })
for _, tag in ipairs { "road", "swamp", "tunnel" } do
  g:add_edge("gate", "keep", { tag = tag, weight = tag == "road" and 90 or 50 })
end

-- The game: what walking costs.
local costs = wend.costs { swamp = 2, tunnel = false }

local function show(what, agent)
  local path, message, code = g:path("gate", "keep", { costs = costs, agent = agent })
  if not path then
    print(("%-28s %s (%s)"):format(what, message, code))
    return
  end
  local edge = path:explain()[1]
  local why = {}
  for i, rule in ipairs(edge.rules) do
    why[i] = (", %s makes it %g"):format(rule.name, rule.cost)
  end
  print(("%-28s by the %-7s %3g%s"):format(what, edge.tag .. ",", path.cost, table.concat(why)))
end

show "the game alone"

-- A mod about boots: a rule about a tag. It runs once per search and returns a factor.
costs:rule("boots", "swamp", function(agent, factor)
  return agent.wading_boots and factor / 2 or nil -- nil: no change
end)
show("a hero with boots", { wading_boots = true })

-- A mod about leeches: a rule about edges. It runs for each edge that the search examines. The promise at_least = 1 (it
-- never lowers a cost) keeps the heuristic useful.
costs:edge_rule("leeches", function(_, cost)
  return cost + 50
end, { tags = { "swamp" }, at_least = 1 })
show("boots and leeches", { wading_boots = true })

-- A mod that opens a tag that the game has closed. Its priority is higher, so it runs later.
costs:rule("lantern", "tunnel", function(agent)
  return agent.lantern and 1 or nil
end, { priority = 10 })
show("a lantern", { lantern = true })

-- A new version of the mod: a second rule with the same name and tag replaces the first.
costs:rule("lantern", "tunnel", function(agent)
  return agent.lantern and 1.5 or nil
end, { priority = 10 })
show("the lantern, version 2", { lantern = true })

print "the rules, in order:"
for i, rule in ipairs(costs:rules()) do
  print(("  %d  %-8s about %s"):format(i, rule.name, rule.tag or table.concat(rule.tags, ", ")))
end

-- If a rule fails, on_error is called with its name, and the search begins again without it.
costs.on_error = function(name)
  print(("  (the mod '%s' has failed: removed)"):format(name))
  costs:remove(name)
end
costs:edge_rule("broken", function(agent)
  return agent.pocket.gold
end)
show "a broken mod"

-- A mod is removed.
costs:remove "leeches"
show("without leeches", { wading_boots = true })

--[[ prints
the game alone               by the road,    90
a hero with boots            by the swamp,   50, tag 'swamp' makes it 100, rule 'boots' makes it 50
boots and leeches            by the road,    90
a lantern                    by the tunnel,  50, tag 'tunnel' makes it inf, rule 'lantern' makes it 50
the lantern, version 2       by the tunnel,  75, tag 'tunnel' makes it inf, rule 'lantern' makes it 75
the rules, in order:
  1  boots    about swamp
  2  lantern  about tunnel
  3  leeches  about swamp
  (the mod 'broken' has failed: removed)
a broken mod                 by the road,    90
without leeches              by the swamp,   50, tag 'swamp' makes it 100, rule 'boots' makes it 50
]]
