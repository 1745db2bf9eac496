-- Opens tunnels to those with a lantern. (Version 2)
mod:rule("lantern", "tunnel", function(agent, factor)
  return agent.lantern and 0.5 or factor
end)
