-- Wading boots halve the cost of swamps.
mod:rule("boots", "swamp", function(agent, factor)
  return agent.boots and factor / 2 or factor
end)
