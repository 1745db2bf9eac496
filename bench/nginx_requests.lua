-- SPDX-License-Identifier: MIT
-- For wrk: requests of one kind with random nodes. Arguments: the kind (health, route, path), the number of nodes.
-- luacheck: globals wrk init request

local kind, nodes

function init(args)
  kind, nodes = args[1], tonumber(args[2])
  math.randomseed(1)
end

function request()
  if kind == "health" then return wrk.format("GET", "/health") end
  return wrk.format("GET", ("/%s?from=%d&to=%d"):format(kind, math.random(nodes), math.random(nodes)))
end
