-- SPDX-License-Identifier: MIT
-- Writes declarations for other languages from the annotations of meta.lua, which `make reference` writes:
--
--   lua tools/declarations.lua typescript lua/wend/meta.lua > dist/wend.d.ts
--   lua tools/declarations.lua teal lua/wend/meta.lua > dist/wend.d.tl

package.path = (arg[0]:match "^.*/" or "./") .. "?.lua;" .. package.path

local writers = { typescript = "declarations.typescript", teal = "declarations.teal" }
local writer, name = writers[arg[1]], arg[2]
if not (writer and name) then
  io.stderr:write "usage: lua tools/declarations.lua typescript|teal META\n"
  os.exit(2)
end
local file = assert(io.open(name, "rb"))
local source = file:read "*a"
file:close()
local ok, model = pcall(require "declarations.annotations", source)
if not ok then
  io.stderr:write(name, ":", tostring(model), "\n")
  os.exit(1)
end
io.write(require(writer)(model))
