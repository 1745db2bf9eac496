-- A game that loads mods. Each file of mods/ runs in an environment of its own and changes what paths cost. One mod is
-- broken, one is slow, and one is greedy. The game continues, reports which mod it was, loads a changed file again, and
-- is as before when a mod is removed.
local wend = require "wend"
local HERE = arg[0]:match "^.*[/\\]" or ""

-- The game: two towns and three ways between them ---------------------------------------------------------------

local map = wend.graph()
local gate, fen, mine, keep = map:add_node(0, 0), map:add_node(25, 0), map:add_node(25, 20), map:add_node(50, 0)
map:add_edge(gate, keep, { weight = 90, tag = "road" })
map:add_edge(gate, fen, { weight = 25, tag = "swamp" })
map:add_edge(fen, keep, { weight = 25, tag = "swamp" })
map:add_edge(gate, mine, { weight = 32, tag = "tunnel" })
map:add_edge(mine, keep, { weight = 32, tag = "tunnel" })

local costs = wend.costs { swamp = 2, tunnel = false }
local hero = { boots = true, lantern = true }

-- What keeps the game safe ----------------------------------------------------------------------------------------

costs.max_errors = 2           -- a rule that has failed so often sleeps until its mod is loaded again
costs.max_instructions = 1e5   -- for the functions of one search
costs.on_error = function(rule, message, mod)
  print(("  mod '%s', rule '%s': %s"):format(mod, rule, message:match "([^:]+)$":gsub("^ ", "")))
end

-- Compiled code of LuaJIT looks at no limit, so the functions of mods are not compiled there.
local function compile(text, name, environment)
  local chunk, problem
  if setfenv then -- Lua 5.1 and LuaJIT; load would take compiled code too
    if text:sub(1, 1) == "\27" then return nil, name .. ": compiled code" end
    chunk, problem = loadstring(text, "@" .. name)
    if chunk then setfenv(chunk, environment) end
  else
    chunk, problem = load(text, "@" .. name, "t", environment)
  end
  if chunk and jit then jit.off(chunk, true) end
  return chunk, problem
end

-- What a mod can use. Tables are copies: a mod that changes them changes nothing of others.
local function environment(own)
  local function copy(list)
    local new = {}
    for key, value in pairs(list) do new[key] = value end
    return new
  end
  return { mod = own, costs = costs:readonly(), math = copy(math), table = copy(table), ipairs = ipairs, pairs = pairs,
    tostring = tostring, tonumber = tonumber, type = type, error = error }
end

-- Loading, reloading, removing --------------------------------------------------------------------------------------

local loaded = {} -- by name: the text of the file

local function read(file)
  local handle = io.open(HERE .. file)
  if not handle then return nil end
  local text = handle:read "*a"
  handle:close()
  return text
end

--- Loads a mod, or loads it again if its file has changed. If it raises, nothing changes.
local function load_mod(name, file)
  local text = read(file)
  if text == loaded[name] then return end
  local own = costs:mod(name)
  local ok, problem = pcall(own.reload, own, function()
    local chunk = assert(compile(text, file:match "[^/]+$", environment(own)))
    chunk()
  end)
  if ok then
    loaded[name] = text
  else
    print("  not loaded: " .. problem)
    if not loaded[name] then costs:remove_mod(name) end
  end
end

local function remove_mod(name)
  costs:remove_mod(name)
  loaded[name] = nil
end

-- Some days of the game ---------------------------------------------------------------------------------------------

local function travel()
  local path = assert(map:path(gate, keep, { costs = costs, agent = hero }))
  print(("  the hero takes the %s, cost %d"):format(map:edge(path:edges()[1]).tag, path.cost))
end

print "the game alone"
travel()

print "boots: no swamp is too deep"
load_mod("boots", "mods/boots.lua")
travel()

print "greedy: wants to change what the game has set"
load_mod("greedy", "mods/greedy.lua")
travel()

print "lantern: is broken, so it sleeps after two errors"
load_mod("lantern", "mods/lantern.lua")
travel()
travel()
travel()

print "lantern: its file has changed"
load_mod("lantern", "updates/lantern.lua")
travel()

print "weather: does not end"
load_mod("weather", "mods/weather.lua")
travel()

print "the mods:"
for _, mod in ipairs(costs:mods()) do
  print(("  %-7s  rules: %d, errors: %d"):format(mod.name, mod.rules, mod.errors))
end

print "without them"
for _, name in ipairs { "weather", "lantern", "boots" } do remove_mod(name) end
travel()

--[[ prints
the game alone
  the hero takes the road, cost 90
boots: no swamp is too deep
  the hero takes the swamp, cost 50
greedy: wants to change what the game has set
  not loaded: mod 'greedy': greedy.lua:2: a read-only view of a cost profile cannot be changed
  the hero takes the swamp, cost 50
lantern: is broken, so it sleeps after two errors
  mod 'lantern', rule 'lantern': wanted a number >= 0, false or nil, got 'bright'
  the hero takes the swamp, cost 50
  mod 'lantern', rule 'lantern': wanted a number >= 0, false or nil, got 'bright'
  the hero takes the swamp, cost 50
  the hero takes the swamp, cost 50
lantern: its file has changed
  the hero takes the tunnel, cost 32
weather: does not end
  mod 'weather', rule 'storm': more than 100000 instructions (max_instructions)
  the hero takes the tunnel, cost 32
the mods:
  boots    rules: 1, errors: 0
  lantern  rules: 1, errors: 0
  weather  rules: 1, errors: 1
without them
  the hero takes the road, cost 90
]]
