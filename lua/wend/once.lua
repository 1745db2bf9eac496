-- SPDX-License-Identifier: MIT
-- What the core gives once, so that no script can take it later. It is taken here when wend is loaded. The modules that
-- use it are loaded later. If one cannot be loaded, for example because memory runs out, it can be loaded again.
--
--   types            the methods of graphs, grids, fields, route tables, walls and paths, by type
--   comparison, crowd, follower, level, queue, request, walker, why   the metatables of types that are made in Lua
--   crowds           functions of crowds: see src/lua/crowd.c
--   followers        of followers and curves: see src/lua/follow.c
--   pack, double     see src/lua/level.c
--   map_text(map)    the text by which states know a map: equal for maps of equal content
--   path(map, places, edges, options)   a path of cost 0, without a goal; nil: an item is not of the map
--   open, remove, rename   on Windows: see src/lua/files.c
--   find             the name of a file in a folder, where the system lists folders: see src/lua/files.c
--
-- init.lua adds `modules`, functions that load the modules that are loaded when they are first used.

return require("wend.core").parts()
