-- SPDX-License-Identifier: MIT
-- Crowds of walkers that keep apart: wend and plain ORCA in C, on the same positions and ways.

local common, graphs = require "common", require "graphs"
local orca = require "wend_bench_reference_orca"
local wend = require "wend"

local STEP, RADIUS, SPEED = 1 / 30, 0.5, 1.5
local SLICE = 64 -- steps that are timed together

-- ---- Both crowds from one scene ----------------------------------------------------------------------------

-- A scene is { walkers = { { x, y, points }, ... }, walls = { { x1, y1, x2, y2 }, ... }, group = { x, y } or nil }.

local function make_wend(scene)
  local walls = wend.walls()
  for _, wall in ipairs(scene.walls or {}) do walls:add_segment(table.unpack(wall)) end
  local crowd = wend.crowd { walls = scene.walls and walls }
  local list = {}
  for i, w in ipairs(scene.walkers) do
    list[i] = crowd:add { x = w[1], y = w[2], radius = RADIUS, speed = SPEED }
    if not scene.group then list[i]:go(w[3]) end
  end
  if scene.group then crowd:go(list, scene.group[1], scene.group[2]) end
  return {
    step = function(count) for _ = 1, count do crowd:update(STEP) end end,
    positions = function(into) return crowd:positions(into) end,
  }
end

local function make_orca(scene)
  local crowd = orca.crowd(#scene.walkers)
  for _, wall in ipairs(scene.walls or {}) do crowd:wall(table.unpack(wall)) end
  for _, w in ipairs(scene.walkers) do crowd:add(w[1], w[2], RADIUS, SPEED, w[3]) end
  return {
    step = function(count) crowd:step(count) end,
    positions = function(into) return crowd:positions(into) end,
  }
end

-- ---- Cost ---------------------------------------------------------------------------------------------------

-- Walkers in a square with `area` for each, in random order. Each goes up to 100 to either side, and stays in the
-- square: so it stays as dense as it was.
local function open(count, area)
  math.randomseed(graphs.seed)
  local side, columns, order = math.sqrt(count * area), math.ceil(math.sqrt(count)), {}
  for i = 1, count do order[i] = i - 1 end
  for i = count, 2, -1 do
    local j = math.random(i)
    order[i], order[j] = order[j], order[i]
  end
  local function mirrored(at)
    at = math.abs(at) % (2 * side)
    return at <= side and at or 2 * side - at
  end
  local walkers = {}
  for i, at in ipairs(order) do
    local x, y = (at % columns + 0.5) * side / columns, (at // columns + 0.5) * side / columns
    walkers[i] = {
      x + 0.1 * math.random() - 0.05, y + 0.1 * math.random() - 0.05,
      { mirrored(x + 200 * math.random() - 100), mirrored(y + 200 * math.random() - 100) },
    }
  end
  return { walkers = walkers }
end

-- Nanoseconds for a walker and a step, the least of some slices. The first slice is not timed. Each scene is used for
-- the same number of steps, so that walkers have gone as far in small ones as in large ones.
local function cost(scene)
  local count, best = #scene.walkers, {}
  for _ = 1, count < 50000 and not common.quick and 3 or 1 do
    local crowds = { make_wend(scene), make_orca(scene) }
    for slice = 0, common.quick and 1 or 3 do
      for k, crowd in ipairs(crowds) do
        local started = os.clock()
        crowd.step(SLICE)
        if slice > 0 then best[k] = math.min(best[k] or math.huge, (os.clock() - started) / SLICE / count * 1e9) end
      end
    end
    collectgarbage()
  end
  return best[1], best[2]
end

local function costs()
  local rows, of_thousand, orca_of_thousand = {}, nil, nil
  for _, case in ipairs {
    { "open", 1000, 16 }, { "open", 10000, 16 }, { "open", 100000, 16 }, { "dense", 5000, 4 }, { "dense", 5000, 1.5 },
  } do
    if not (common.quick and case[2] > 10000) then
      local wend_ns, orca_ns = cost(open(case[2], case[3]))
      if case[2] == 1000 then of_thousand, orca_of_thousand = wend_ns, orca_ns end
      local alike = case[3] == 16
      rows[#rows + 1] = {
        case[1], case[2], case[3], common.round(wend_ns, 0), common.round(orca_ns, 0), common.round(orca_ns / wend_ns),
        alike and common.round(wend_ns / of_thousand) or "-", alike and common.round(orca_ns / orca_of_thousand) or "-",
      }
    end
  end
  common.print_table({
    "ns a walker and step", "walkers", "area of each", "wend", "ORCA", "ORCA / wend", "wend / 1,000", "ORCA / 1,000",
  }, rows)
end

-- ---- Scenes: those of spec/move/crowd.c, which README.md describes ---------------------------------------------

local function head(add)
  add(-10, 0, { 10, 0 })
  add(10, 0, { -10, 0 })
end

local function corridor(add)
  for i = 0, 19 do
    local y, x, far = i % 2 == 0 and -0.7 or 0.7, -22 - i // 2 * 1.9, 40 + (9 - i // 2) * 1.9
    add(x, y, { x + far, y })
    add(-x, -y, { -x - far, -y })
  end
  return { walls = { { -45, -1.5, 45, -1.5 }, { -45, 1.5, 45, 1.5 } } }
end

local function door_walls(width) return { { 0, -100, 0, -width / 2 }, { 0, width / 2, 0, 100 } } end

local function door(count, width)
  return function(add)
    local rows = count > 100 and 14 or 7
    local depth = 6 + (count - 1) // rows * 1.2
    for i = 0, count - 1 do
      local x, y = 3 + i // rows * 1.2, (i % rows - (rows - 1) * 0.5) * 1.2
      add(-x, y, { 0, 0, 1.6 * (depth - x), 1.6 * y })
    end
    return { walls = door_walls(width) }
  end
end

local function oncoming(count, width)
  return function(add)
    for i = 0, 2 * count - 1 do
      local side, k = i % 2 == 0 and 1 or -1, i // 2
      local x, y = side * (3 + k // 6 * 1.2), (k % 6 - 2.5) * 1.2
      add(-x, y, { 0, 0, x, y })
    end
    return { walls = door_walls(width) }
  end
end

local function circle(count, radius)
  return function(add)
    for i = 0, count - 1 do
      local angle = 2 * math.pi * i / count
      local x, y = radius * math.cos(angle), radius * math.sin(angle)
      add(x, y, { -x, -y })
    end
  end
end

local function spot(count)
  return function(add)
    local side = math.ceil(math.sqrt(count))
    for i = 0, count - 1 do
      add(-40 + (i // side - (side - 1) * 0.5) * 1.5, (i % side - (side - 1) * 0.5) * 1.5, { 0, 0 })
    end
    return { near = 1.5 * RADIUS * math.sqrt(count / 0.9069), group = count > 100 and { 0, 0 } or nil }
  end
end

local scenes = {
  { "two head on", head, 20 },
  { "corridor, 20 against 20", corridor, 110 },
  { "door, 50", door(50, 1.5), 80 },
  { "door, 200", door(200, 1.5), 250 },
  { "narrow door, 100", door(100, 1.05), 200 },
  { "door for two, 200", door(200, 2), 250 },
  { "door, 30 against 30", oncoming(30, 1.5), 120 },
  { "narrow door, 20 against 20", oncoming(20, 1.05), 120 },
  { "circle of 100", circle(100, 30), 65 },
  { "circle of 250", circle(250, 72), 140 },
  { "60 to one spot", spot(60), 70 },
  { "300 to one spot", spot(300), 80 },
  { "1,000 to one spot", spot(1000), 120 },
}

local function scene_of(make, seed)
  math.randomseed(seed)
  local walkers = {}
  local function add(x, y, points)
    walkers[#walkers + 1] = { x + 0.1 * math.random() - 0.05, y + 0.1 * math.random() - 0.05, points }
  end
  local scene = make(add) or {}
  scene.walkers, scene.near = walkers, scene.near or 0.5
  return scene
end

-- Runs a crowd until all have been near their goals, or for `most` seconds. Returns how many have, when the last one
-- did, and the deepest overlap.
local function run(crowd, scene, most)
  local waiting, last, deepest, positions = {}, 0, 0, {}
  for i, w in ipairs(scene.walkers) do waiting[i] = { 2 * i - 1, w[3][#w[3] - 1], w[3][#w[3]] } end
  local square = scene.near * scene.near
  for step = 1, math.floor(most / STEP) do
    crowd.step(1)
    crowd.positions(positions)
    deepest = math.max(deepest, orca.overlap(positions, RADIUS))
    for k = #waiting, 1, -1 do
      local w = waiting[k]
      local dx, dy = positions[w[1]] - w[2], positions[w[1] + 1] - w[3]
      if dx * dx + dy * dy <= square then
        waiting[k], last = waiting[#waiting], step * STEP
        waiting[#waiting] = nil
      end
    end
    if #waiting == 0 then break end
  end
  return #scene.walkers - #waiting, last, deepest
end

local function arrivals()
  local rows, seeds = {}, common.quick and 1 or 3
  for _, case in ipairs(scenes) do
    local name, make, target = table.unpack(case)
    local row = { name, target }
    if not (common.quick and target > 110) then
      for _, contestant in ipairs { make_wend, make_orca } do
        local least, last, deepest, count = math.huge, 0, 0, 0
        for seed = 1, seeds do
          local scene = scene_of(make, graphs.seed + seed)
          local arrived, when, overlap = run(contestant(scene), scene, 1.5 * target)
          count, least = #scene.walkers, math.min(least, arrived)
          last, deepest = math.max(last, when), math.max(deepest, overlap)
        end
        row[#row + 1] = least == count and common.round(last, 1) or ("%d of %d"):format(least, count)
        row[#row + 1] = common.round(100 * deepest, 1)
      end
      rows[#rows + 1] = row
    end
  end
  common.print_table({
    ("the worst of %d seeds"):format(seeds), "target s", "wend: last arrival s", "overlap %", "ORCA: last arrival s",
    "overlap %",
  }, rows)
end

-- ---- Ways around jams ---------------------------------------------------------------------------------------

-- Walkers on one side of a wall with doors of one cell, who go to the other side as a group. Returns when the last one
-- has arrived, or math.huge.
local function through(doors, count)
  local grid, list, arrived = wend.grid(40, 40):fill(20, 1, 20, 40, false), {}, 0
  for _, y in ipairs(doors) do grid:open(20, y) end
  local crowd = wend.crowd { map = grid }
  for i = 0, count - 1 do
    local x, y = 17.5 - i // 8 * 1.2 + 0.2 * math.random(), 8 + i % 8 * 1.2 + 0.2 * math.random()
    list[i + 1] = crowd:add { x = x, y = y, radius = 0.45 }
  end
  crowd:go(list, 32, 20)
  crowd.on_arrive = function() arrived = arrived + 1 end
  for step = 1, 300 * 30 do
    crowd:update(STEP)
    if arrived >= count then return step * STEP end
  end
  return math.huge
end

local function jams()
  local rows, seeds = {}, common.quick and 2 or 8
  for _, doors in ipairs { { 12 }, { 12, 24 }, { 12, 16, 24, 30 } } do
    local row = { table.concat(doors, ", ") }
    for _, count in ipairs { 60, 90 } do
      local sum, most = 0, 0
      for seed = 1, seeds do
        math.randomseed(graphs.seed + seed)
        local last = through(doors, count)
        sum, most = sum + last, math.max(most, last)
      end
      row[#row + 1], row[#row + 2] = common.round(sum / seeds, 0), common.round(most, 0)
    end
    rows[#rows + 1] = row
  end
  common.print_table({ "doors at", "60 walkers, mean s", "most s", "90 walkers, mean s", "most s" }, rows)
end

-- ---- Orders -------------------------------------------------------------------------------------------------

-- 1,000 walkers on a map of a game, with 100 orders in a second to random places: CPU time of a frame of 1/60 second.
-- Then crowd:go of 100 of them, 20 times; and w:go(field) of 400.
local function orders()
  local file = graphs.data .. "/movingai/wc3maps512/bloodvenomfalls.map"
  local grid = dofile("examples/foreign_maps.lua").grid(file)
  if not grid then return print(file .. ": not there") end
  math.randomseed(graphs.seed)
  local crowd, list, taken, times, longest = wend.crowd { map = grid }, {}, {}, {}, 0
  local from_x, from_y = grid:nearest(grid:width() / 2, grid:height() / 2)
  local function random_cell()
    while true do
      local x, y = math.random(grid:width()), math.random(grid:height())
      if not grid:is_closed(x, y) and grid:can_reach(x, y, from_x, from_y) then return x, y end
    end
  end
  while #list < 1000 do
    local x, y = random_cell()
    if not taken[y * grid:width() + x] then
      taken[y * grid:width() + x] = true
      list[#list + 1] = crowd:add { x = x - 0.5, y = y - 0.5, radius = 0.3 }
    end
  end
  for frame = 1, common.quick and 300 or 1800 do
    local started = os.clock()
    for _ = 1, frame % 3 == 0 and 1 or 2 do
      local x, y = random_cell()
      list[math.random(#list)]:go(x - 0.5, y - 0.5)
    end
    crowd:update(1 / 60)
    times[frame] = os.clock() - started
  end
  for _ = 1, 20 do
    local x, y = random_cell()
    local first = math.random(#list - 99)
    local part = table.move(list, first, first + 99, 1, {})
    local started = os.clock()
    crowd:go(part, x - 0.5, y - 0.5)
    longest = math.max(longest, os.clock() - started)
    for _ = 1, 10 do crowd:update(1 / 60) end
  end
  local field = grid:field(random_cell())
  local started = os.clock()
  for i = 1, 400 do list[i]:go(field) end
  local fields = os.clock() - started
  table.sort(times)
  local row = { times[#times // 2], times[math.ceil(#times * 0.99)], times[#times], longest, fields }
  for i, seconds in ipairs(row) do row[i] = common.round(1000 * seconds, 2) end
  common.print_table({ "ms: median frame", "99 %", "longest", "longest crowd:go of 100", "400 w:go(field)" }, { row })
end

return {
  name = "crowds",
  title = "Walkers of radius 0.5 and speed 1.5 that keep apart, in steps of 1/30 s (wend from Lua, ORCA in C)",
  run = function()
    costs()
    print()
    arrivals()
    print()
    jams()
    print()
    orders()
  end,
}
