-- SPDX-License-Identifier: MIT
-- What host.c runs: host SCRIPT FILE... FILE: the Lua files under lua/, all of which the host must hold.
-- Its output is host.txt.
package.path, package.cpath = "", ""
local searchers = package.searchers or package.loaders -- luacheck: ignore 143
while #searchers > 1 do table.remove(searchers) end -- only package.preload is left

local wend = require "wend"
assert(package.loaded.wend == wend and require "wend.core" == wend.core)

-- Every Lua file is there, under the name that require knows from lua/, and nothing else is.
local expected = { ["wend.core"] = true }
for i = 1, #arg do
  local name = arg[i]:gsub("^lua/", ""):gsub("%.lua$", ""):gsub("/init$", ""):gsub("/", ".")
  expected[name] = true
end
for name in pairs(expected) do
  if not package.preload[name] then print("missing: " .. name) end
end
for name in pairs(package.preload) do
  if name:find "^wend" and not expected[name] then print("too much: " .. name) end
end
-- Every file loads; wend.tools.command needs argparse, a module of others, and wend.love needs LÖVE.
local names = {}
for name in pairs(expected) do
  if not name:find "^wend%.tools%.command" and not name:find "love" then names[#names + 1] = name end
end
table.sort(names)
for _, name in ipairs(names) do require(name) end
print(require "wend.tools.svg" == package.loaded["wend.tools.svg"], #arg > 20)

local graph = wend.graph()
graph:add_nodes { 0, 0, 30, 40, 60, 0 }
graph:add_edge(1, 2)
graph:add_edge(2, 3)
graph:add_edge(1, 3, { tag = "swamp" })
local path = assert(graph:path(1, 3, { costs = wend.costs { swamp = 2 } }))
print(table.concat(path, " "), ("%g"):format(path.cost))
print((select(3, graph:path(1, 3, { max_cost = 10 }))))
print((#graph:encode()))
print(wend.svg(graph):find "<svg" ~= nil)

-- An error blames the script, and a traceback names the files that the host holds.
local message, traceback
xpcall(function() wend.svg(5) end, function(raised) message, traceback = raised, debug.traceback() end)
print((message:gsub("^.*host%.lua:%d+", "host.lua:N")))
print(traceback:match "wend/tools/svg/init%.lua:%d+" ~= nil)
