-- SPDX-License-Identifier: MIT
-- What all sections share: measuring time, comparing answers, printing tables.

local common = {
  quick = false,
  rounds = 7, -- in each race; the least time of each contestant counts
  round_seconds = 0.1, -- the least time of one turn of one contestant
}

-- Runs contestants, each { name, function(repeats) }, in turns, so that other programs on the machine slow down all of
-- them. Returns the seconds of CPU time of one repeat, the least of all rounds, by name.
function common.race(contestants)
  local best, repeats = {}, {}
  for _, contestant in ipairs(contestants) do
    local name, run = contestant[1], contestant[2]
    local started = os.clock()
    run(1) -- also warms up caches
    local once = os.clock() - started
    repeats[name] = math.max(1, math.ceil(common.round_seconds / math.max(once, 1e-6)))
    best[name] = math.huge
  end
  for _ = 1, common.rounds do
    for _, contestant in ipairs(contestants) do
      local name, run = contestant[1], contestant[2]
      collectgarbage()
      local started = os.clock()
      run(repeats[name])
      best[name] = math.min(best[name], (os.clock() - started) / repeats[name])
    end
  end
  return best
end

-- The seconds of CPU time of one run of each { name, function() }. For runs that take too long to repeat within a
-- round, or that change their input. `prepare` is not timed; the function gets its result.
function common.time_once(contestants, prepare)
  local best = {}
  for _ = 1, common.quick and 2 or 4 do
    for _, contestant in ipairs(contestants) do
      local name, run = contestant[1], contestant[2]
      local prepared = prepare and prepare()
      collectgarbage()
      local started = os.clock()
      run(prepared)
      best[name] = math.min(best[name] or math.huge, os.clock() - started)
    end
  end
  return best
end

-- Raises unless two lists of costs agree, each cost to 1e-9 of its size.
function common.agree(what, costs, expected)
  for i = 1, #expected do
    local a, b = costs[i], expected[i]
    if not (a == b or math.abs(a - b) <= 1e-9 * math.abs(b)) then
      error(("%s: trip %d costs %s, the reference says %s"):format(what, i, a, b), 0)
    end
  end
end

-- Trips are flat lists: of two nodes each on graphs, of the x and y of two cells on grids.
local function width_of(map) return require("wend").type(map) == "graph" and 2 or 4 end

-- The costs of all trips, by wend; math.huge where there is no path. Calls `searched` after each.
function common.costs(map, trips, options, searched)
  local costs, width = {}, width_of(map)
  for i = 1, #trips, width do
    local list = table.move(trips, i, i + width - 1, 1, {})
    list[width + 1] = options
    local path, message, code = map:path(table.unpack(list))
    if not path and code ~= "no_path" then error(message, 0) end
    costs[#costs + 1] = path and path.cost or math.huge
    if searched then searched() end
  end
  return costs
end

-- The function of a contestant: wend searches all trips, each path into the same table.
function common.run(map, trips, extra)
  local options = { into = {} }
  for key, value in next, extra or {} do options[key] = value end
  if width_of(map) == 2 then
    return function(repeats)
      for _ = 1, repeats do
        for i = 1, #trips, 2 do map:path(trips[i], trips[i + 1], options) end
      end
    end
  end
  return function(repeats)
    for _ = 1, repeats do
      for i = 1, #trips, 4 do map:path(trips[i], trips[i + 1], trips[i + 2], trips[i + 3], options) end
    end
  end
end

-- The same for a graph of the reference or of Boost.
function common.native_run(g, trips, queue)
  return function(repeats) g:run(trips, queue, repeats) end
end

-- How many nodes, cells or jump points the searches of all trips expand; the costs; how many searches used landmarks.
function common.expanded(map, trips, extra)
  local sum, used, stats = 0, 0, {}
  local options = { stats = stats }
  for key, value in next, extra or {} do options[key] = value end
  local costs = common.costs(map, trips, options, function()
    sum, used = sum + stats.expanded, used + (stats.landmarks and 1 or 0)
  end)
  return sum, costs, used
end

-- The first `count` of a list of trips.
function common.first(map, trips, count)
  return table.move(trips, 1, math.min(#trips, width_of(map) * count), 1, {})
end

-- The garbage that `run` makes, in bytes, while the collector is stopped. `run` is called twice: the first call makes
-- Lua allocate what it keeps for calls.
function common.garbage(run)
  collectgarbage()
  collectgarbage "stop"
  run()
  local before = collectgarbage "count"
  run()
  local after = collectgarbage "count"
  collectgarbage "restart"
  return (after - before) * 1024
end

-- A generator of whole numbers, equal on every machine: rng(n) in 1 .. n.
function common.generator(seed)
  local state = seed
  return function(n)
    state = state * 16807 % 2147483647
    return state % n + 1
  end
end

function common.round(number, digits)
  return number and ("%." .. (digits or 2) .. "f"):format(number) or "-"
end

-- Prints rows under a heading. The first column is aligned to the left, the others to the right.
function common.print_table(heading, rows)
  local widths = {}
  for _, row in ipairs({ heading, table.unpack(rows) }) do
    for i, cell in ipairs(row) do
      widths[i] = math.max(widths[i] or 0, utf8.len(tostring(cell)))
    end
  end
  local function line(row)
    local cells = {}
    for i, cell in ipairs(row) do
      cell = tostring(cell)
      local blanks = (" "):rep(widths[i] - utf8.len(cell))
      cells[i] = i == 1 and cell .. blanks or blanks .. cell
    end
    print((table.concat(cells, "  "):gsub("%s+$", "")))
  end
  line(heading)
  local total = 2 * (#widths - 1)
  for _, width in ipairs(widths) do total = total + width end
  print(("-"):rep(total))
  for _, row in ipairs(rows) do line(row) end
end

-- Runs `bench/script count rounds` on Lua 5.4 and on LuaJIT, each in a process of its own. The script prints lines of a
-- name and a number. Returns a list of { name of the Lua, numbers by name }; says what was skipped.
function common.on_both(script, count, rounds)
  local all = {}
  for _, lua in ipairs {
    { "Lua 5.4", arg[-1] or "lua5.4", "build/5.4" }, { "LuaJIT", os.getenv "LUAJIT" or "luajit", "build/jit" },
  } do
    local name, command, build = lua[1], lua[2], lua[3]
    local module = io.open(build .. "/wend/core.so")
    if module then
      module:close()
      local pipe = io.popen(("LUA_PATH='lua/?.lua;lua/?/init.lua;;' LUA_CPATH='%s/?.so;;' '%s' bench/%s %d %d")
        :format(build, command, script, count, rounds))
      local results = {}
      for line in pipe:lines() do
        local key, value = line:match "^(%S+) (%S+)$"
        if key then results[key] = tonumber(value) end
      end
      if pipe:close() then
        all[#all + 1] = { name, results }
      else
        print(("skipped: %s: %s failed: see above"):format(name, command))
      end
    else
      print(("skipped: %s: %s/wend/core.so is missing: make LUA_VERSION=%s"):format(name, build, build:match "[^/]+$"))
    end
  end
  return all
end

return common
