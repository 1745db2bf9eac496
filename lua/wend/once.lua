-- SPDX-License-Identifier: MIT
-- What the core gives once, so that no script can take it later. It is taken here when wend is loaded. The modules that
-- use it are loaded later. If one cannot be loaded, for example because memory runs out, it can be loaded again.
--
--   types            the methods of graphs, grids, fields, route tables, walls and paths, by type
--   comparison, level, queue, request, why   the metatables of types that are made in Lua
--   pack, double     see src/lua/level.c
--   map_text(map)    the text by which states know a map: equal for maps of equal content
--   path(map, places, edges, options)   a path of cost 0, without a goal; nil: an item is not of the map
--   ask_again(field) whether the functions of tags answer what they answered when the field was made; and whether
--                    functions of edges or layers decided costs too
--   open, remove, rename   on Windows: see src/lua/files.c
--
-- With movement:
--
--   crowd, follower, walker   such metatables
--   crowds           functions of crowds: see src/lua/move/crowd.c
--   followers        of followers and curves: see src/lua/move/follow.c

return require("wend.core").parts()
