-- SPDX-License-Identifier: MIT
-- Runs the specs while finalizers, which may run at any allocation, do hostile things:
--   lua spec/hostile/run.lua            some of the specs, in both modes; this is `make hostile`
--   lua spec/hostile/run.lua all        all of them
--   lua spec/hostile/run.lua SPEC...    these files
-- Each file runs in a process of its own, twice:
--   benign    finalizers do what must not change a result: searches and edits of maps of their own, questions to the
--             specs' maps, searches of them, encoding them. The specs must pass.
--   hostile   finalizers edit the specs' maps, remove nodes, make fields and paths of theirs again, change profiles and
--             free objects. Specs may fail, but the process must end, and no message may come from inside of wend.
-- `make hostile` runs it with the sanitizers watching. WEND_SEED: another seed. WEND_FINALIZERS: how many wait for each
-- cycle of the collector; default 100.

package.path = "./?.lua;" .. package.path

local seed = tonumber(os.getenv "WEND_SEED") or 1
local waiting = tonumber(os.getenv "WEND_FINALIZERS") or 100

-- Those that are about maps, searches and callbacks, and end soon. Not search_spec: slices that begin again after each
-- edit take two minutes.
local SOME = { "callbacks", "check", "clear", "copy", "field", "graph", "grid", "grid_path", "hostile/guards", "link",
  "nearest", "path", "route", "routes", "tools/text", "tools/trace" }
-- Those that measure memory or time, start programs, read this checkout, or look at which line is blamed.
local NEVER = { ["tools/command"] = true, error = true, ["hostile/scripts"] = true, data = true, project = true }
-- Specs that measure what the collector does, and so fail while finalizers run; specs of thousands of calls.
local EXCLUDED_TAGS = "slow,memory,many"

local MODES = { "benign", "hostile" }

-- The parent -------------------------------------------------------------------------------------------------------

local function interpreter()
  local first = 0
  while arg[first - 1] do first = first - 1 end
  return arg[first]
end

local function spec_files(given)
  local files = {}
  if given[1] and given[1] ~= "all" then return given end
  if not given[1] then
    for i, name in ipairs(SOME) do files[i] = "spec/" .. name .. "_spec.lua" end
    return files
  end
  local pipe = assert(io.popen "find spec -name '*_spec.lua' | sort")
  for file in pipe:lines() do
    local name = file:match "^spec/(.*)_spec%.lua$"
    if not NEVER[name] and not NEVER[name:match "^[^/]+"] then files[#files + 1] = file end
  end
  pipe:close()
  return files
end

-- Runs one file in one mode; returns what is wrong, or nil, and busted's closing line.
local function run(mode, file)
  local command = "timeout -k 5 300 '%s' spec/hostile/run.lua --%s '%s' 2>&1; echo status $?"
  local pipe = assert(io.popen(("WEND_ROUNDS=${WEND_ROUNDS:-0.02} " .. command):format(interpreter(), mode, file)))
  local out = pipe:read "*a"
  pipe:close()
  local status = tonumber(out:match "status (%d+)\n$")
  local summary = out:match "[^\n]*success[^\n]*failure[^\n]*" or "no summary"
  summary = summary:gsub(" : .*", "") .. ", " .. (out:match "%d+ finalizers ran" or "?")
  local inside = out:match "[^\n]*lua/wend/[%w_/]+%.lua:%d+: attempt to [^\n]*"
  if out:find("Sanitizer", 1, true) or out:find("runtime error", 1, true) or out:find("Assertion", 1, true) then
    return "died: " .. out:sub(-6000), summary
  end
  if status == 124 then return "did not end", summary end
  if status > 128 or summary:find "no summary" then
    return ("died, status %d: %s"):format(status, out:sub(-3000)), summary
  end
  if inside then return "an internal error: " .. inside, summary end
  if mode == "benign" and status ~= 0 then return "specs fail: " .. out:sub(-6000), summary end
  return nil, summary
end

local function parent(given)
  local failed = 0
  for _, file in ipairs(spec_files(given)) do
    for _, mode in ipairs(MODES) do
      local start = os.time()
      local wrong, summary = run(mode, file)
      print(("%-7s %s %s (%d s): %s"):format(wrong and "FAILED" or "ok", mode, file, os.time() - start, summary))
      if wrong then
        print(wrong)
        failed = failed + 1
      end
    end
  end
  print(("%d runs failed (WEND_SEED=%d)"):format(failed, seed))
  os.exit(failed == 0)
end

-- The child --------------------------------------------------------------------------------------------------------

local state = seed % 2147483646 + 1
local function rnd(n)
  state = state * 16807 % 2147483647
  return 1 + state % n
end

-- What the specs have made, by kind; held weakly, or nothing would ever be freed.
local known = {}
local function note(kind, object)
  if type(object) ~= "userdata" and type(object) ~= "table" then return end
  local list = known[kind]
  if not list then
    list = setmetatable({}, { __mode = "v" })
    known[kind] = list
  end
  list[rnd(40)] = object
end
local function any(kind) return known[kind] and known[kind][rnd(40)] end

-- Wraps the functions of a table, so that what they return becomes known.
local function watch(functions, kinds)
  for name, kind in pairs(kinds) do
    local original = functions[name]
    if original then
      local function noted(...)
        note(kind, (...))
        return ...
      end
      functions[name] = function(...) return noted(original(...)) end
    end
  end
end

local TAGS = { "road", "swamp", "lava", "toll", "mud", "rope" }

local function benign(wend)
  local g, grid = wend.graph(), wend.grid(6, 6)
  for i = 1, 12 do g:add_node(i, i % 4) end
  for i = 1, 20 do g:add_edge(rnd(12), 1 + i % 12, { tag = TAGS[rnd(6)] }) end
  local field, into = g:field(1), {}
  local costs = wend.costs { road = 0.5, swamp = function() return 2 end }
  costs:edge_rule("half", function(_, cost) return cost end)
  -- Of the specs' maps: questions only.
  local function ask(map)
    pcall(map.encode, map)
    pcall(tostring, map)
    pcall(map.bytes, map)
  end
  local actions = {
    function() g:path(rnd(12), rnd(12), { costs = costs, into = into }) end,
    function() g:field(rnd(12), { into = field, costs = costs }) end,
    function() grid:path(1, 1, rnd(6), rnd(6), { costs = costs }) end,
    function() grid:set(rnd(6), rnd(6), TAGS[rnd(6)]):link(1, 1, rnd(6), rnd(6)) end,
    function() g:set_tag(rnd(20), TAGS[rnd(6)]):move(rnd(12), rnd(9), rnd(9)) end,
    function() g:remove_node(g:add_node(1, 1)) end,
    function() g:nearest(rnd(9), rnd(9), { limit = 3, can_reach = field }) end,
    function() wend.decode(g:encode()) end,
    function() wend.graph():add_nodes { 1, 2, 3, 4 } end,
    function() g:route({ 1, 1 }, { 9, 3 }, { enter = "edge", clear = function() return true end }) end,
    function() collectgarbage "step" end,
    function()
      local map = any "graph"
      if not map or map:node_count() > 200 then return end
      ask(map)
      pcall(map.path, map, 1, map:node_count())
      pcall(map.field, map, 1, { into = field })
      pcall(map.nearest, map, 1, 1)
    end,
    function()
      local map = any "grid"
      if not map or map:width() * map:height() > 400 then return end
      ask(map)
      pcall(map.path, map, 1, 1, map:width(), map:height())
      pcall(map.check, map)
    end,
  }
  return function() actions[rnd(#actions)]() end
end

local function hostile(wend)
  local own = wend.graph()
  own:add_nodes { 1, 1, 2, 2 }
  local function graph_edit(g)
    local node = rnd(20)
    local what = rnd(9)
    if what == 1 then g:remove_node(node) end
    if what == 2 then g:remove_edge(node) end
    if what == 3 then for i = 1, 40 do g:add_node(i, i, g:dimensions() == 3 and 1 or nil) end end
    if what == 4 then g:add_edge(node, rnd(20), { weight = 1, tag = TAGS[rnd(6)] }) end
    if what == 5 then g:set_tag(node, "new" .. rnd(99)) end
    if what == 6 then g:move(node, 1, 2, g:dimensions() == 3 and 1 or nil) end
    if what == 7 then g:close(node) end
    if what == 8 then g:set_weight(node, 3) end
    if what == 9 then for i = 1, 50 do pcall(g.remove_node, g, i) end end
  end
  local function grid_edit(grid)
    local x, y = rnd(grid:width()), rnd(grid:height())
    local what = rnd(5)
    if what == 1 then grid:set(x, y, false) end
    if what == 2 then grid:set(x, y, "new" .. rnd(99)) end
    if what == 3 then grid:fill(rnd(4)) end
    if what == 4 then grid:link(x, y, rnd(grid:width()), rnd(grid:height())) end
    if what == 5 then grid:map(function(cx) return cx % 2 == 0 and { weight = cx, tag = "many" .. cx } or nil end) end
  end
  local frees = 0
  local actions = {
    function() graph_edit(any "graph") end, function() graph_edit(any "graph") end,
    function() grid_edit(any "grid") end, function() grid_edit(any "grid") end,
    function() own:field(1, { into = any "field" }) end,
    function() any("graph"):field(1, { into = any "field" }) end,
    function() any("grid"):field(1, 1, { into = any "field" }) end,
    function() own:path(1, 1, { into = any "path" }) end,
    function() any("grid"):path(1, 1, 2, 1, { into = any "path" }) end,
    function() any("search"):step(1) end,
    function()
      local path = any "path"
      path.trail, path.map = nil, any "graph"
    end,
    function()
      local path = any "path"
      for i = #path, 3, -1 do path[i] = nil end
    end,
    function()
      local costs = any "costs"
      costs:set(TAGS[rnd(6)], rnd(3)):rule("hostile", TAGS[rnd(6)], function() graph_edit(any "graph") end)
    end,
    function() any("walls"):add_circle(rnd(20), rnd(20), 1) end,
    function() any("field"):scale(-1) end,
    function()
      frees = frees + 1
      if frees % 20 ~= 0 then return end -- few, or nothing would be left to edit
      local object = any(({ "graph", "grid", "field", "search", "walls", "routes" })[rnd(6)])
      debug.getmetatable(object).__gc(object)
    end,
    function() collectgarbage "step" end,
    function() any("graph"):encode() end,
  }
  return function() actions[rnd(#actions)]() end
end

local function child(mode, file)
  local collector = require "spec.support.collector"
  local wend = require "wend"
  local act = mode == "benign" and benign(wend) or hostile(wend)
  local made = { graph = "graph", grid = "grid", parse_grid = "grid", walls = "walls", costs = "costs" }
  local g, grid = wend.graph(), wend.grid(2, 2)
  g:add_nodes { 1, 1, 2, 2 }
  watch(wend, made)
  if mode == "hostile" then
    watch(debug.getmetatable(g).__index, { field = "field", path = "path", search = "search", routes = "routes" })
    watch(debug.getmetatable(grid).__index, { field = "field", path = "path", search = "search" })
  end

  local inside, owed, count, over = false, 0, 0, false
  local finalizer
  local function arm() collector.finalized(finalizer) end
  function finalizer()
    if over then return end
    owed = owed + 1
    if inside then return end -- a collection inside another, in LuaJIT
    inside = true
    count = count + 1
    pcall(act)
    for _ = 1, owed do arm() end
    owed, inside = 0, false
  end
  -- Many finalizers in one cycle, and small steps: they run spread over many allocations.
  if rawget(_G, "jit") then jit.off() end
  for _ = 1, waiting do arm() end
  if _VERSION == "Lua 5.4" then
    collectgarbage("incremental", 100, 200, 9)
  else
    collector.tune(100, 200)
  end
  local function finish()
    if not over then io.stderr:write(("%d finalizers ran\n"):format(count)) end
    over = true
  end
  local exit = os.exit
  os.exit = function(...) -- luacheck: ignore
    finish()
    return exit(...)
  end
  arg = { -- luacheck: ignore
    [0] = "spec/run.lua", [-1] = interpreter(), "--ignore-lua", "--exclude-tags=" .. EXCLUDED_TAGS,
    "-o", "plainTerminal", file,
  }
  require "spec.support.stand_ins"
  require "busted.runner" { standalone = false }
  finish() -- busted leaves by os.exit only where a spec fails
end

local mode = (arg[1] or ""):match "^%-%-(.*)"
if mode then child(mode, arg[2]) else parent(arg) end
