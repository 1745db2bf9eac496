-- SPDX-License-Identifier: MIT
-- Prepared maps against unprepared ones, in one run: expansions and time of random trips. Then short trips, costs that
-- are dearer than the prepared ones, edge functions, and unreachable goals. The last table, of large maps, takes
-- minutes and gigabytes: it is left out unless WEND_LARGE is set.

local common, graphs, grids = require "common", require "graphs", require "grids"
local wend = require "wend"

local GRAPHS = {
  { "center", "waypoints/redeclipse/center.wpt", "waypoints" },
  { "oneiroi", "waypoints/redeclipse/oneiroi.wpt", "waypoints" },
  { "vorticity", "waypoints/redeclipse/vorticity.wpt", "waypoints" },
  { "andorra", "graphs/andorra.gr.gz", "roads" },
  { "porto", "graphs/porto.gr.gz", "roads" },
}
local GRIDS = { "mazes/maze512-8-0", "rooms/32room_000", "bg512/AR0300SR", "street/Berlin_0_512", "dao/brc202d" }
local TERRAIN = { "bg512/AR0300SR", "wc3maps512/icecrown" }

-- A perfect maze: one way between any two cells. Corridors are one cell wide.
local function maze(side)
  local rng, grid, stack = common.generator(3), wend.grid(side, side, { diagonals = "never" }):fill(false), { { 2, 2 } }
  grid:set(2, 2, 1)
  while #stack > 0 do
    local at, ways = stack[#stack], {}
    for _, way in ipairs { { 2, 0 }, { -2, 0 }, { 0, 2 }, { 0, -2 } } do
      local x, y = at[1] + way[1], at[2] + way[2]
      local inside = x > 1 and y > 1 and x < side and y < side
      if inside and grid:is_closed(x, y) then ways[#ways + 1] = way end
    end
    if #ways == 0 then
      stack[#stack] = nil
    else
      local way = ways[rng(#ways)]
      grid:set(at[1] + way[1] // 2, at[2] + way[2] // 2, 1):set(at[1] + way[1], at[2] + way[2], 1)
      stack[#stack + 1] = { at[1] + way[1], at[2] + way[2] }
    end
  end
  return grid
end

-- A function that draws the ends of a trip. near: at most so many steps apart, or 30 cells.
local function drawn_on(map, rng, near)
  if wend.type(map) == "grid" then
    return function()
      local a, b = rng(map:width()), rng(map:height())
      if near then return a, b, a + rng(61) - 31, b + rng(61) - 31 end
      return a, b, rng(map:width()), rng(map:height())
    end
  end
  local nodes = {}
  for node in map:nodes() do nodes[#nodes + 1] = node end
  return function()
    local from, to = nodes[rng(#nodes)], nodes[rng(#nodes)]
    if not near then return from, to end
    to = from
    for _ = 1, rng(near) do -- a walk
      local list = {}
      for _, neighbour in map:edges(to) do list[#list + 1] = neighbour end
      if #list > 0 then to = list[rng(#list)] end
    end
    return from, to
  end
end

-- Random trips that have a path. most: steps of the path.
local function random_trips(map, count, most)
  local draw, trips = drawn_on(map, common.generator(graphs.query_seed + 77), most), {}
  local grid = wend.type(map) == "grid"
  local width = grid and 4 or 2
  for _ = 1, 2000 * count do
    if #trips == width * count then break end
    local a, b, c, d = draw()
    local there = not grid or map:has(c, d) and not map:is_closed(a, b) and not map:is_closed(c, d)
    local found = there and map:path(a, b, c, d)
    local steps = found and #found // (width / 2) - 1
    if steps and steps >= 1 and steps <= (most or math.huge) then
      table.move({ a, b, c, d }, 1, width, #trips + 1, trips)
    end
  end
  return trips
end

-- One row: expansions and time, unprepared and prepared.
local function compare(name, map, prepared, trips, extra)
  local before, costs = common.expanded(map, trips, extra)
  local after, same, used = common.expanded(prepared, trips, extra)
  local count = #costs
  common.agree(name, same, costs)
  local seconds = common.race {
    { "before", common.run(map, trips, extra) }, { "after", common.run(prepared, trips, extra) },
  }
  return {
    name, common.round(before / count, 0), common.round(after / count, 0), common.round(before / after),
    common.round(seconds.before / count * 1e6, 1), common.round(seconds.after / count * 1e6, 1),
    common.round(seconds.before / seconds.after), common.round(used / count),
  }
end

local HEADING = { "input", "expanded", "prepared", "fewer", "µs", "prepared", "faster", "used" }

-- With --quick: the first of a list.
local function some(list) return common.quick and { list[1] } or list end

-- All maps: { name, map, prepared copy, report }.
local function all_maps()
  local list = {}
  local function add(name, map)
    local prepared = map:copy()
    list[#list + 1] = { name = name, map = map, prepared = prepared, report = prepared:prepare() }
  end
  for _, file in ipairs(some(GRAPHS)) do
    local map = dofile("examples/foreign_maps.lua")[file[3]](graphs.data .. "/" .. file[2])
    if map then add(file[1], map) end
  end
  local side = common.quick and 127 or 511
  add(("maze %d, width 1"):format(side), maze(side))
  for _, name in ipairs(some(GRIDS)) do
    local input = grids.from_file(name)
    if input then add(input.name, input:wend()) end
  end
  for _, name in ipairs(some(TERRAIN)) do
    local input = grids.from_file(name)
    if input then add(input.name .. " terrain", input:terrain():wend()) end
  end
  local made = grids.made(common.quick and 128 or 512):terrain()
  add(made.name, made:wend())
  return list
end

-- The same map with costs of up to 3 times on 30 % of its steps: edges and cells get tags.
local function dearer(one)
  local rng, values = common.generator(5), {}
  local function change(map)
    for k = 1, 3 do values["dear" .. k] = 1 + 2 * k / 3 end
    if wend.type(map) == "grid" then
      for y = 1, map:height() do
        for x = 1, map:width() do
          if rng(10) <= 3 and not map:is_closed(x, y) then map:set(x, y, map:weight(x, y), "dear" .. rng(3)) end
        end
      end
      return map
    end
    for edge in map:edges() do
      if rng(10) <= 3 then map:set_tag(edge, "dear" .. rng(3)) end
    end
    return map
  end
  local map = change(one.map:copy())
  local prepared = map:copy()
  prepared:prepare()
  return map, prepared, wend.costs(values)
end

-- The shares of the time that prepared short trips take: the 95th percentile.
local function short_trips(one)
  local trips = random_trips(one.map, common.quick and 20 or 100, 30)
  local ratios = {}
  local width = wend.type(one.map) == "grid" and 4 or 2
  for i = 1, #trips, width do
    local single = table.move(trips, i, i + width - 1, 1, {})
    local best = { math.huge, math.huge }
    for _ = 1, 15 do
      for k, map in ipairs { one.map, one.prepared } do
        local go = common.run(map, single)
        local started = os.clock()
        go(60)
        best[k] = math.min(best[k], os.clock() - started)
      end
    end
    ratios[#ratios + 1] = best[2] / best[1]
  end
  table.sort(ratios)
  local function share(of) return common.round(ratios[math.ceil(#ratios * of)]) end
  return { one.name, #ratios, share(0.5), share(0.95), share(1) }
end

-- A goal that cannot be reached, against a call whose arguments are wrong.
local function unreachable(one, trips)
  local map = one.map:copy()
  local arguments
  if wend.type(map) == "grid" then
    local x, y = trips[3], trips[4]
    for dy = -1, 1 do
      for dx = -1, 1 do
        if (dx ~= 0 or dy ~= 0) and map:has(x + dx, y + dy) then map:close(x + dx, y + dy) end
      end
    end
    arguments = { trips[1], trips[2], x, y }
  else
    local goal = map:add_node(map:position(trips[1]))
    map:add_edge(goal, trips[1], { weight = 1, directed = true })
    map:add_edge(map:add_node(map:position(trips[1])), goal, { weight = 1 })
    arguments = { trips[1], goal }
  end
  local into = { into = {} }
  arguments[#arguments + 1] = into
  local wrong = table.move(arguments, 1, #arguments, 1, {})
  wrong[#wrong] = { max_cost = -1 }
  for _ = 1, 40 do assert(not map:path(table.unpack(arguments))) end -- after a few there are labels
  local row = { one.name }
  local function timed(edit)
    local seconds = common.race {
      { "none", function(repeats)
        for _ = 1, repeats do
          if edit then edit() end
          map:path(table.unpack(arguments))
        end
      end },
      { "wrong", function(repeats)
        for _ = 1, repeats do
          if edit then edit() end
          pcall(map.path, map, table.unpack(wrong))
        end
      end },
    }
    row[#row + 1] = common.round(seconds.none * 1e6)
    row[#row + 1] = common.round(seconds.wrong * 1e6)
    row[#row + 1] = common.round(seconds.none / seconds.wrong)
  end
  timed()
  if wend.type(map) == "graph" then
    local edge = map:edge_between(arguments[2], trips[1])
    local weight = map:edge(edge).weight
    timed(function() map:set_weight(edge, weight) end)
  else
    timed(function() map:set(3, 3, map:get(3, 3)) end)
  end
  return row
end

-- The memory of this process, in MB: now, and its peak since the last call.
local function memory()
  local status = io.open "/proc/self/status"
  if not status then return 0, 0 end
  local text = status:read "a"
  status:close()
  local clear = io.open("/proc/self/clear_refs", "w")
  if clear then
    clear:write "5\n"
    clear:close()
  end
  return tonumber(text:match "VmRSS:%s*(%d+)") / 1024, tonumber(text:match "VmHWM:%s*(%d+)") / 1024
end

local function large(name, make)
  local rows, file = {}, os.tmpname()
  collectgarbage()
  local function timed(what, action)
    memory()
    local started = os.clock()
    local result = action()
    local seconds = os.clock() - started
    local now, peak = memory()
    rows[#rows + 1] = { name .. ": " .. what, common.round(seconds), common.round(now, 0), common.round(peak, 0) }
    return result
  end
  local map = timed("make", make)
  local trips = random_trips(map, 20)
  timed("20 searches", function() return common.run(map, trips)(1) end)
  local report = timed("prepare", function() return map:prepare() end)
  timed("20 searches, prepared", function() return common.run(map, trips)(1) end)
  timed("save", function() return assert(map:save(file)) end)
  map = nil -- luacheck: ignore 311
  collectgarbage()
  map = timed("load", function() return assert(wend.load(file)) end)
  timed("20 searches, loaded", function() return common.run(map, trips)(1) end)
  os.remove(file)
  rows[#rows + 1] = { ("%s: %d MB of tables"):format(name, report.bytes // 1000000) }
  return rows
end

local function print_all(heading, rows)
  common.print_table(heading, rows)
  print()
end

return {
  name = "prepared",
  title = "Prepared maps against unprepared ones",
  run = function()
    local maps = all_maps()
    local count = common.quick and 30 or 100
    local trips, prepare, short, costs, calls, none = {}, {}, {}, {}, {}, {}
    for _, one in ipairs(maps) do
      local drawn = random_trips(one.map, count)
      trips[#trips + 1] = compare(one.name, one.map, one.prepared, drawn)
      local report = one.report
      prepare[#prepare + 1] = { one.name, common.round(report.seconds * 1e3, 1), report.bytes // 1000 }
      short[#short + 1] = short_trips(one)
      local map, prepared, profile = dearer(one)
      costs[#costs + 1] = compare(one.name, map, prepared, drawn, { costs = profile })
      local function same() end
      local few = common.first(one.map, drawn, 20)
      calls[#calls + 1] = compare(one.name, one.map, one.prepared, few, { cost = same, at_least = 1 })
      none[#none + 1] = unreachable(one, drawn)
    end
    print "Random trips\n"
    print_all(HEADING, trips)
    print "Preparation\n"
    print_all({ "input", "ms", "kB" }, prepare)
    print "Trips of at most 30 steps: time, prepared / unprepared\n"
    print_all({ "input", "trips", "median", "95 of 100", "most" }, short)
    print "Costs x 1 to 3 on 30 % of the steps, prepared for the weights\n"
    print_all(HEADING, costs)
    print "An edge function that promises at_least = 1\n"
    print_all(HEADING, calls)
    print "Unreachable goals against a call that fails its check; the same after an edit that keeps the map connected\n"
    print_all({ "input", "µs", "check µs", "ratio", "edit: µs", "check µs", "ratio" }, none)
    if not os.getenv "WEND_LARGE" then return print "Large maps: left out, WEND_LARGE is not set" end
    print "Large maps\n"
    local rows = large("1M nodes", function() return graphs.geometric(1000000):wend() end)
    table.move(large("4096 x 4096", function()
      local rng = common.generator(9)
      return wend.grid(4096, 4096):map(function(x, y)
        return (x // 9 * 7 + y // 11 * 5) % 17 == 0 and rng(3) == 1 and false or 1 + (x // 16 + y // 16) % 5
      end)
    end), 1, 7, #rows + 1, rows)
    print_all({ "step", "s", "MB", "peak MB" }, rows)
  end,
}
