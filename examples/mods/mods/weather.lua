-- Storms cost time. It is slow: the loop does not end.
mod:edge_rule("storm", function(_, cost)
  local wind = 0
  while wind < 10 do wind = wind - 1 end
  return cost + wind
end)
