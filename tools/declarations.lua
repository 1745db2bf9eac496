-- SPDX-License-Identifier: MIT
-- Writes declarations from the annotations of meta.lua, which `make reference` writes: for TypeScriptToLua, or for the
-- editor of Defold.
--
--   lua tools/declarations.lua lua/wend/meta.lua > dist/wend.d.ts
--   lua tools/declarations.lua lua/wend/meta.lua script_api > wend.script_api

package.path = (arg[0]:match "^.*/" or "./") .. "?.lua;" .. package.path

local name = arg[1]
if not name then
  io.stderr:write "usage: lua tools/declarations.lua META [script_api]\n"
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
io.write(require("declarations." .. (arg[2] or "typescript"))(model))
