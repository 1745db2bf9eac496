-- SPDX-License-Identifier: MIT
-- What the core does for states: see src/lua/saved.c. It gives its functions once.
--
--   text(map)   the text by which states know a map: equal for maps of equal content
--   path(map, places, edges, straight, outdated, costs, agent, cost)   a path without cost and goal; nil: an item is
--               not of the map

local core = require "wend.core"

local text, path = core.states()

return { text = text, path = path }
