-- SPDX-License-Identifier: MIT
-- The costs of the level. The route table must be loaded with the costs that it was made with, so both the program that
-- makes it and the server take them from here.

local wend = require "wend"

return wend.costs {
  road = 0.8,
  swamp = function(agent) return agent.boots and 1 or 3 end,
}
