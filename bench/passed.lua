-- SPDX-License-Identifier: MIT
-- Counts the functions of src, and their files, that one path with costs passes: make passed
-- Functions that the compiler has put into others do not count. With --call it makes the path, under callgrind.

local here = arg[0]:match "^(.*)/[^/]*$" or "."

if arg[1] == "--call" then
  local wend = require "wend"
  local callgrind = require "wend_bench_callgrind"
  local g = wend.graph()
  for i = 1, 4 do
    g:add_node { name = "n" .. i }
    if i > 1 then g:add_edge(i - 1, i, { weight = 2, tag = i % 2 == 0 and "road" or "swamp" }) end
  end
  local options = { costs = wend.costs { road = 0.5, swamp = 3 } }
  assert(g:path(1, 4, options))
  callgrind.start()
  g:path(1, 4, options)
  callgrind.stop "path"
  return
end

local FILE = "build/passed.out"
assert(os.execute(([[
  rm -f %s* && valgrind -q --tool=callgrind --instr-atstart=no --callgrind-out-file=%s \
    '%s' '%s/passed.lua' --call]]):format(FILE, FILE, arg[-1], here)))
local names, seen, files, functions, file = {}, {}, {}, 0, nil
for line in io.lines(FILE .. ".1") do -- a name stands only where its number first occurs
  local key, number, name = line:match "^(c?f[lnie])=(%(%d+%)) ?(.*)$"
  local id = key and (key:sub(-1) == "n" and "function" or "file") .. number
  if key and name ~= "" then names[id] = name end
  if key == "fl" then
    file = names[id]:match "src/(.*)$"
  elseif key == "fn" and file and not seen[names[id]] then
    seen[names[id]], functions = true, functions + 1
    files[file] = files[file] or {}
    table.insert(files[file], names[id])
  end
end
local list = {}
for path, passed in pairs(files) do
  table.sort(passed)
  list[#list + 1] = path .. ": " .. table.concat(passed, ", ")
end
table.sort(list)
print(table.concat(list, "\n"))
print(("%d functions in %d files"):format(functions, #list))
