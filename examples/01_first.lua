local wend = require "wend"
local g = wend.graph()
g:add_node(0, 0, { name = "gate" })
g:add_node(30, 40, { name = "mill" })
g:add_node(60, 0, { name = "keep" })
g:add_edges({ 1, 2, 2, 3 }, { tag = "road" })
g:add_edge("gate", "keep", { tag = "swamp" })
local path = assert(g:path("gate", "keep", { costs = wend.costs { swamp = 2 } }))
for i, node in path:each() do print(i, g:name(node)) end
print("cost", path.cost)

--[[ prints
1	gate
2	mill
3	keep
cost	100.0
]]
