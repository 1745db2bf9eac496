-- Shows the main features in the terminal: make demo, or make demo ARGS=map.wpt
local wend = require "wend"
local here = arg[0]:match "^.*[/\\]" or ""
local fen, foreign = dofile(here .. "fen.lua"), dofile(here .. "foreign_maps.lua")

local function say(text, ...)
  print(select("#", ...) > 0 and text:format(...) or text)
end

local graph = fen.build(wend)

local function way(path)
  local names = {}
  for i, node in path:each() do
    names[i] = graph:name(node)
  end
  return table.concat(names, ", ")
end

-- The costs depend on the agent.
local costs = wend.costs {
  road = 0.8,
  toll = function(agent)
    if agent.in_a_hurry then
      return 1 -- runs past the keeper without paying
    end
    return 1, 12
  end,
  swamp = function(agent)
    return agent.wading_boots and 1 or agent.in_a_hurry and 1.5 or 2
  end,
}

say("A FEN: %s, from the gate (G, west) to the keep (K, east)", tostring(graph))
say "  = causeway: 0.8 of its length   ~ swamp: double   # bridge: 12 to pay   ^ crag: no way up   * the path"

local walkers = {
  { name = "a hero" },
  { name = "a hero with wading boots", wading_boots = true },
  { name = "a hero who flees", in_a_hurry = true },
}
for _, walker in ipairs(walkers) do
  local path = assert(graph:path("gate", "keep", { costs = costs, agent = walker }))
  say("\n%s: cost %.2f", walker.name, path.cost)
  say(fen.draw(path))
end

say "\nTHE WORK: nodes expanded and entries pushed; the bound is the least cost per length that A* could count on"
say("  %-26s %-14s %6s %9s %7s %6s", "who", "trip", "cost", "expanded", "pushed", "bound")
local function work(walker, from, to, algorithm)
  local stats = {}
  local path = graph:path(from, to, { costs = costs, agent = walker, algorithm = algorithm, stats = stats })
  say("  %-26s %-14s %6.2f %9d %7d %6.2f  %s", walker.name, from .. " to " .. to, path.cost, stats.expanded,
    stats.pushed, stats.bound, algorithm)
end
for _, walker in ipairs(walkers) do
  work(walker, "gate", "keep", "astar")
  work(walker, "gate", "keep", "dijkstra")
end
work(walkers[1], "keep", "gate", "astar")
say "  (back, the drop from the crag cannot be climbed: the hero takes the pass)"

say "\nWHY: path:explain() of the first hero: what each edge weighs, what it cost, and what made the difference"
for _, edge in ipairs(graph:path("gate", "keep", { costs = costs, agent = walkers[1] }):explain()) do
  local rules = {}
  for i, rule in ipairs(edge.rules) do
    rules[i] = ("%s: %.2f"):format(rule.name, rule.cost)
  end
  local line = ("  %-9s to %-9s %6.2f  %6.2f  %s"):format(graph:name(edge.from), graph:name(edge.to), edge.weight,
    edge.cost, table.concat(rules, ", "))
  say(line:match "^(.-)%s*$")
end

say "\nA MOD adds a rule: something lives in the swamp. It never makes an edge cheaper, and says so (at_least = 1)"
local function boots(what)
  local stats = {}
  local path = graph:path("gate", "keep", { costs = costs, agent = walkers[2], stats = stats })
  say("  %-9s cost %.2f, %d callbacks, bound %.2f: %s", what, path.cost, stats.callbacks, stats.bound, way(path))
  return path
end
boots "before:"
costs:edge_rule("swamp things", function(_, cost)
  return cost + 5
end, { tags = { "swamp" }, at_least = 1 })
boots "with it:"
costs:remove "swamp things"
local path = boots "unloaded:"

say "\nA DOOR closes on that path"
say("  before: path:valid() = %s", tostring(path:valid()))
graph:close "door"
say("  after:  path:valid() = %s", tostring(path:valid()))
boots "now:"
graph:open "door"

say "\nA TRACE, of ten vertices from 1 to 5: the last of its tables"
local ten = wend.graph()
for _ = 1, 10 do
  ten:add_node()
end
ten:add_edges({ 1, 2, 1, 8, 1, 9, 2, 3, 2, 9, 3, 4, 4, 5, 4, 10, 5, 6, 6, 7, 7, 8, 7, 10, 9, 10 },
  { weights = { 2, 3, 3, 3, 1, 4, 1, 1, 2, 1, 5, 1, 4 } })
local trace = wend.trace(ten, 1, 5)
say("  %s", (tostring(trace[#trace]):gsub("\n", "\n  ")))
say("  after %d tables: 1 to 5 costs %d by %s", #trace, trace.cost, table.concat(trace.path, "-"))

-- A map of bot waypoints, if there is one --------------------------------------------------------------------------

local TRIPS = 300

local function try(file)
  local map, message = foreign.waypoints(file)
  if not map then
    io.stderr:write(message, "\n")
    os.exit(1)
  end
  local state = 1
  local function random_node() -- the same trips on every machine
    state = state * 16807 % 2147483647
    return state % map:node_count() + 1
  end
  local ends = {}
  for i = 1, TRIPS do
    ends[i] = { random_node(), random_node() }
  end
  local into, stats = {}, {}
  for _, algorithm in ipairs { "astar", "dijkstra" } do
    local options = { algorithm = algorithm, into = into, stats = stats }
    map:path(ends[1][1], ends[1][2], options) -- the first search allocates memory: it is not measured
    local expanded, missing, cost = 0, 0, 0
    local start = os.clock()
    for _, trip in ipairs(ends) do
      if map:path(trip[1], trip[2], options) then
        cost = cost + into.cost
      else
        missing = missing + 1
      end
      expanded = expanded + stats.expanded
    end
    local seconds = os.clock() - start
    say("  %-15s %6d %6d %8s %8d %9.1f %9.1f %9.0f %12.0f", file:match "[^/\\]+$", map:node_count(), map:edge_count(),
      algorithm, missing, seconds / TRIPS * 1e6, expanded / TRIPS, seconds / math.max(expanded, 1) * 1e9, cost)
  end
end

local files = { arg[1] }
if not arg[1] then
  local folder = (os.getenv "WEND_DATA" or "../shared/data") .. "/waypoints/redeclipse/"
  local first = io.open(folder .. "disco.wpt")
  if not first then
    say "\nNo map of bot waypoints here: give one by  make demo ARGS=map.wpt"
    return
  end
  first:close()
  for i, name in ipairs { "disco", "oneiroi", "center", "vorticity" } do
    files[i] = folder .. name .. ".wpt"
  end
end

say("\nBOT WAYPOINTS: %d random trips a map", TRIPS)
say "  map              nodes  edges            no path   us/trip  expanded   ns/node  sum of costs"
for _, file in ipairs(files) do
  try(file)
end
