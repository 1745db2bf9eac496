-- SPDX-License-Identifier: MIT
-- Writes the named blocks of a page as files: lua spec/embedding/blocks.lua FOLDER [PAGE], by default doc/embedding.md.
-- A fence "```c host.c" names one; in the file's name, / becomes _. A fence "```txt host.txt" is an expected output.
local folder, name, lines, count = arg[1], nil, nil, 0
for line in io.lines(arg[2] or "doc/embedding.md") do
  if name and line == "```" then
    local file = assert(io.open(folder .. "/" .. name:gsub("/", "_"), "wb"))
    file:write(table.concat(lines, "\n"), "\n")
    file:close()
    name, count = nil, count + 1
  elseif name then
    lines[#lines + 1] = line
  else
    name, lines = line:match "^```%l+ (%S+)$", {}
  end
end
assert(not name and count > 0, "a named block is not closed, or there is none")
