-- SPDX-License-Identifier: MIT
-- lua5.4 bench/bench.lua [--quick] [SECTION …]        from the root of the project
-- Without sections it runs all of them. README.md says what they measure.

package.path = "bench/?.lua;" .. package.path
package.cpath = "build/bench/?.so;" .. package.cpath

local common, graphs = require "common", require "graphs"

local order = {
  "path", "queues", "costs", "callbacks", "mods", "short", "first", "order", "garbage", "memory", "edits",
  "validity", "overlays", "copies", "influence", "bodies", "article", "prepared", "shortcuts",
  "grid", "jumps", "hexes", "range", "questions", "turns", "large", "fields", "tiles",
  "nearest", "walls", "routes", "variation", "followers", "crowds", "everyday", "requests",
  "files", "tables", "levels",
}

local folders = { followers = "move", crowds = "move" } -- the others are in sections

local function usage(message)
  io.stderr:write(message, "\nusage: lua5.4 bench/bench.lua [--quick] [SECTION …]\nsections: ",
    table.concat(order, ", "), "\n")
  os.exit(1)
end

local known, chosen = {}, {}
for _, name in ipairs(order) do known[name] = true end
for _, argument in ipairs(arg) do
  if argument == "--quick" then
    common.quick, common.rounds, common.round_seconds = true, 3, 0.02
  elseif known[argument] then
    chosen[#chosen + 1] = argument
  else
    usage("unknown argument '" .. argument .. "'")
  end
end

local function processor()
  local file = io.open "/proc/cpuinfo"
  local text = file and file:read "a" or ""
  if file then file:close() end
  return text:match "model name%s*:%s*([^\n]+)" or "unknown processor"
end

print(("%s, %s; seeds: maps %d, trips %d; CPU time, least of %d rounds"):format(
  processor(), _VERSION, graphs.seed, graphs.query_seed, common.rounds))
if #graphs.file_names() == 0 then
  print(("no data in '%s' (WEND_DATA): random maps only"):format(graphs.data))
end
for _, name in ipairs(#chosen > 0 and chosen or order) do
  local section = require((folders[name] or "sections") .. "." .. name)
  print(("\n%s: %s\n"):format(section.name, section.title))
  section.run()
  collectgarbage()
end
