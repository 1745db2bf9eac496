-- SPDX-License-Identifier: MIT
-- Makes a level and its route table, and saves both: luajit build.lua FOLDER [NUMBER [SIDE]]
-- NUMBER chooses the level (default 1). SIDE: the level has SIDE x SIDE nodes (default 32). FOLDER must exist.

local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/?.lua;" .. package.path

local folder, number, side = arg[1], tonumber(arg[2] or 1), tonumber(arg[3] or 32)
if not (folder and number and side) then
  io.stderr:write "usage: build.lua FOLDER [NUMBER [SIDE]]\n"
  os.exit(2)
end

local graph = require("level").make(number, side)
local routes = assert(graph:routes { costs = require "costs" })
assert(graph:save(folder .. "/level.wend"))
assert(routes:save(folder .. "/routes.wend"))
print(("level %d: %d nodes, %d edges"):format(number, graph:node_count(), graph:edge_count()))
