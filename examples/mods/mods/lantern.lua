-- Opens tunnels to those with a lantern. It is broken: a factor is a number.
mod:rule("lantern", "tunnel", function(agent, factor)
  return agent.lantern and "bright" or factor
end)
