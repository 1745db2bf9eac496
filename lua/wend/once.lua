-- SPDX-License-Identifier: MIT
-- What the core gives once, so that no script can take it later: metatables, methods and functions. It is taken here
-- when wend is loaded. The modules that use it are loaded later. If one cannot be loaded, for example because memory
-- runs out, it can be loaded again.

local core = require "wend.core"

local once = {
  crowds = core.crowds(),                -- functions of crowds: see src/lua/crowd.c
  followers = core.followers(),          -- of followers and curves: see src/lua/follow.c
  types = {},                            -- methods by type
}
once.pack, once.double = core.levels()   -- see src/lua/level.c
-- For states, see src/lua/saved.c:
--   map_text(map)   the text by which states know a map: equal for maps of equal content
--   path(map, places, edges, costs, agent)   a path of cost 0, without a goal; nil: an item is not of the map
once.map_text, once.path = core.states()
if core.files then once.open, once.remove, once.rename = core.files() end -- on Windows
local types = once.types
types.graph, types.grid, types.field, types.routes, types.walls, types.path = core.methods()
for _, name in ipairs { "comparison", "crowd", "follower", "level", "queue", "request", "walker", "why" } do
  once[name] = core.class(name)
end

return once
