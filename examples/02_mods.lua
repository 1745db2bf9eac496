-- Several mods change what the same world costs, without knowing of each other.
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

-- A mod about boots: a tag rule is asked once a search and returns a factor.
costs:rule("boots", "swamp", function(agent, factor)
  return agent.wading_boots and factor / 2 or nil -- nil: as it was
end)
show("boots, for who has them", { wading_boots = true })

-- A mod about leeches: an edge rule is asked for each edge. Promising a lower bound keeps the heuristic useful.
costs:edge_rule("leeches", function(_, cost)
  return cost + 50
end, { tags = { "swamp" }, at_least = 1 })
show("leeches as well", { wading_boots = true })

-- A mod that opens what the game had closed: later in the order, because of its priority.
costs:rule("lantern", "tunnel", function(agent)
  return agent.lantern and 1 or nil
end, { priority = 10 })
show("a lantern", { lantern = true })

-- A second rule of the same name and tag replaces the first: a new version of the mod.
costs:rule("lantern", "tunnel", function(agent)
  return agent.lantern and 1.5 or nil
end, { priority = 10 })
show("the lantern, version 2", { lantern = true })

print "the rules, in order:"
for i, rule in ipairs(costs:rules()) do
  print(("  %d  %-8s about %s"):format(i, rule.name, rule.tag or table.concat(rule.tags, ", ")))
end

-- A mod that fails is named, and left out of that search.
costs.on_error = function(name)
  print(("  (the mod '%s' has failed: unloaded)"):format(name))
  costs:remove(name)
end
costs:edge_rule("broken", function(agent)
  return agent.pocket.gold
end)
show "a broken mod"

-- A mod unloads.
costs:remove "leeches"
show("without leeches", { wading_boots = true })

--[[ prints
the game alone               by the road,    90
boots, for who has them      by the swamp,   50, tag 'swamp' makes it 100, rule 'boots' makes it 50
leeches as well              by the road,    90
a lantern                    by the tunnel,  50, tag 'tunnel' makes it inf, rule 'lantern' makes it 50
the lantern, version 2       by the tunnel,  75, tag 'tunnel' makes it inf, rule 'lantern' makes it 75
the rules, in order:
  1  boots    about swamp
  2  lantern  about tunnel
  3  leeches  about swamp
  (the mod 'broken' has failed: unloaded)
a broken mod                 by the road,    90
without leeches              by the swamp,   50, tag 'swamp' makes it 100, rule 'boots' makes it 50
]]
