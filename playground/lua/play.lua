-- SPDX-License-Identifier: MIT
-- What the playground runs: the rules of the page, on the map of the page. Its argument is a Lua table as text:
--
--   rules           the script
--   rows, kinds     the map: a string for each row; kinds: by character { tag =, weight =, closed = }
--   walls, links    { x1, y1, x2, y2 }; { x1 =, y1 =, x2 =, y2 =, weight =, tag =, directed = }
--   start, goal     { x, y }
--   unit            the number of the unit whose field is wanted
--   search          true: the cells are wanted that the search of this unit looks at
--   crowd           true: a crowd is wanted, instead of paths and the field
--
-- If the script returns a profile, units go from the start to the goal, and the page gets their paths. Otherwise it is
-- a program of its own: the page gets what it prints, and its last map with the paths and walkers on it.
--
-- Answers are texts in JSON: see `give`. host.c has `answer` and `answer_field`.
local answer, answer_field = _G.answer, _G.answer_field
_G.answer, _G.answer_field = nil, nil

local WALKERS = 12                  -- of each unit
local FRAMES_PER_SECOND = 15        -- of what the page shows; a crowd takes two steps for each
local SECONDS_OF_CROWD = 30
local SECONDS_TO_CROSS = 8          -- how long the cheapest path takes at most
local CLOCK_FOR_CROWD = 0.7         -- seconds of computing
local OUTPUT_BYTES = 20000
local LARGEST_MAP = 512 * 512       -- of a program
local LARGEST_WITH_STEPS = 96 * 96  -- a map whose field is shown with arrows
local UNITS = 4

-- JSON ----------------------------------------------------------------------------------------------------------------

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\" }

local function json(value)
  local kind = type(value)
  if kind == "string" then
    return '"' .. value:gsub('[%c"\\]', function(c) return escapes[c] or ("\\u%04x"):format(c:byte()) end) .. '"'
  elseif kind == "number" then
    if value ~= value or value == math.huge or value == -math.huge then return "null" end
    return math.type(value) == "integer" and tostring(value) or ("%.6g"):format(value)
  elseif kind ~= "table" then
    return tostring(value)
  end
  local parts = {}
  if #value > 0 or next(value) == nil then
    for i, item in ipairs(value) do parts[i] = json(item) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for key, item in pairs(value) do parts[#parts + 1] = json(key) .. ":" .. json(item) end
  return "{" .. table.concat(parts, ",") .. "}"
end

local function give(kind, fields)
  fields.kind = kind
  answer(json(fields))
end

-- Errors --------------------------------------------------------------------------------------------------------------

-- A message and the line of the script that it is about, or else the innermost line of the script that ran.
local function located(message)
  message = type(message) == "string" and message or tostring(message)
  local line = message:match "rules:(%d+):" or (debug.traceback("", 2)):match "rules:(%d+):"
  message = message:gsub("^play%.lua:%d+: ", ""):gsub("^rules:%d+: ", "")
  message = message:gsub("^.*(stopped: it took too long).*$", "%1")
  return { message = message, line = line and math.tointeger(tonumber(line)) }
end

-- Also called by host.c, for errors outside of the script.
function fail(problem)
  give("error", type(problem) == "table" and problem.message and problem or located(problem))
end

-- What a script prints ------------------------------------------------------------------------------------------------

local printed, printed_bytes = {}, 0

local function write(text)
  if printed_bytes > OUTPUT_BYTES then return end
  printed_bytes = printed_bytes + #text
  printed[#printed + 1] = printed_bytes > OUTPUT_BYTES and "\n… the rest is left out\n" or text
end

function print(...)
  local list = table.pack(...)
  for i = 1, list.n do list[i] = tostring(list[i]) end
  write(table.concat(list, "\t") .. "\n")
end

function io.write(...)
  for _, item in ipairs { ... } do write(tostring(item)) end
  return io.stdout
end

-- A page has no programs to start, and nothing to leave.
os.exit, os.execute, io.popen, io.read, io.lines = nil, nil, nil, nil, nil

-- What a program does -------------------------------------------------------------------------------------------------

local wend = require "wend"
local frame_of = require("wend.frame").of
local seen = { grids = {}, paths = {}, crowds = {}, fields = {}, layers = {}, frontiers = {} }

local function remember(list, item)
  list[#list + 1] = item
  if #list > 200 then table.remove(list, 1) end
  return item
end

-- Lets the functions of the module note the maps, paths and crowds that they make. sample: any grid.
local function watch(sample)
  for _, name in ipairs { "grid", "parse_grid" } do
    local make = wend[name]
    wend[name] = function(...)
      local grid, message, code = make(...)
      if grid then remember(seen.grids, grid) end
      return grid, message, code
    end
  end
  local read_tiled = wend.read_tiled
  wend.read_tiled = function(...)
    local level, message, code = read_tiled(...)
    if level and level.grid then remember(seen.grids, level.grid) end
    return level, message, code
  end
  local grids = debug.getmetatable(sample).__index
  local path = grids.path
  grids.path = function(...)
    local found, message, code = path(...)
    if found then remember(seen.paths, found) end
    return found, message, code
  end
  local field, frontier, influence = grids.field, grids.frontier, wend.influence
  grids.field = function(self, ...)
    local made, message, code = field(self, ...)
    if made then remember(seen.fields, { map = self, item = made }) end
    return made, message, code
  end
  grids.frontier = function(self, opts)
    local list = frontier(self, opts)
    remember(seen.frontiers, { map = self, item = list })
    return list
  end
  wend.influence = function(map)
    return remember(seen.layers, { map = map, item = influence(map) }).item
  end
  local new_crowd, patched = wend.crowd, false
  wend.crowd = function(opts)
    local crowd = new_crowd(opts)
    remember(seen.crowds, { crowd = crowd, map = opts and opts.map, frames = {}, time = 0 })
    if not patched then
      patched = true
      local metatable = debug.getmetatable(crowd)
      local index = metatable.__index
      local update = index(crowd, "update")
      local function update_and_note(self, dt)
        local steps, dropped = update(self, dt)
        for _, track in ipairs(seen.crowds) do
          if track.crowd == self then
            track.time = track.time + dt
            if track.time * FRAMES_PER_SECOND >= #track.frames and #track.frames < 60 * FRAMES_PER_SECOND then
              track.frames[#track.frames + 1] = self:positions()
            end
          end
        end
        return steps, dropped
      end
      metatable.__index = function(self, key)
        if key == "update" then return update_and_note end
        return index(self, key)
      end
    end
    return crowd
  end
end

-- How hexes lie: a row is `high` times as high as a column is wide. corners: of a hex from its middle, in columns. nil:
-- the cells are squares.
local function hexes(grid)
  if grid:shape() ~= "hex" then return nil end
  local frame = frame_of(grid)
  local high = frame.high / frame.wide
  for i = 2, 12, 2 do frame.corners[i] = frame.corners[i] * high end
  return { flat = frame.flat, odd = frame.odd, high = high, corners = frame.corners }
end

-- A map of a program, in the form in which the page holds its own.
local function drawn(grid)
  local width, height = grid:width(), grid:height()
  if width * height > LARGEST_MAP then return nil end
  local kinds, rows, char_of = {}, {}, {}
  for y = 1, height do
    local row = {}
    for x = 1, width do
      local _, tag = grid:get(x, y)
      local closed, weight = grid:is_closed(x, y), grid:weight(x, y)
      local key = ("%s %s %g"):format(tag or "", closed, weight)
      local char = char_of[key]
      if not char then
        char = string.char(97 + math.min(#kinds, 25))
        char_of[key] = char
        if #kinds < 26 then kinds[#kinds + 1] = { char = char, tag = tag, weight = weight, closed = closed } end
      end
      row[x] = char
    end
    rows[y] = table.concat(row)
  end
  local map = { rows = rows, kinds = kinds, walls = {}, links = {}, hex = hexes(grid) }
  for x1, y1, x2, y2 in grid:walls() do map.walls[#map.walls + 1] = { x1, y1, x2, y2 } end
  for x1, y1, x2, y2, weight, tag in grid:links() do
    map.links[#map.links + 1] = { x1 = x1, y1 = y1, x2 = x2, y2 = y2, weight = weight, tag = tag, directed = true }
  end
  return map
end

local function cells(path)
  local list = {}
  for _, x, y in path:each() do list[#list + 1], list[#list + 2] = x, y end
  return list
end

-- Positions of walkers in cells: a point of column x and row y is within [x - 1, x] and [y - 1, y].
local function in_cells(frames, grid)
  if not grid then return frames end
  local width, height = grid:cell_size()
  local origin_x, origin_y = grid:origin()
  for _, frame in ipairs(frames) do
    for i = 1, #frame, 2 do
      frame[i], frame[i + 1] = (frame[i] - origin_x) / width, (frame[i + 1] - origin_y) / height
    end
  end
  return frames
end

-- The last item of a list that belongs to a map; nil: there is none.
local function last_of(list, map)
  for i = #list, 1, -1 do
    if list[i].map == map then return list[i].item end
  end
end

-- A field of a map: the cost of each cell, and on small maps the steps. steps: for each cell a digit, which is
-- dx + 1 + 3 * (dy + 1) of its next step; 4: it has none, or it crosses a link.
local function tell_field(field, map)
  local width, height = map:width(), map:height()
  answer_field(field, width, height)
  if width * height > LARGEST_WITH_STEPS then return end
  local steps = {}
  for y = 1, height do
    for x = 1, width do
      local to_x, to_y = field:next(x, y)
      local dx, dy = (to_x or x) - x, (to_y or y) - y
      local near = math.abs(dx) <= 1 and math.abs(dy) <= 1
      steps[#steps + 1] = near and dx + 1 + 3 * (dy + 1) or 4
    end
  end
  give("steps", { digits = table.concat(steps) })
end

-- The numbers of an influence layer, row by row.
local function numbers_of(layer, map)
  local list = {}
  for y = 1, map:height() do
    for x = 1, map:width() do list[#list + 1] = layer:get(x, y) end
  end
  return list
end

-- The page of a program: its last map that something has happened on.
local function tell_program()
  local track, path = seen.crowds[#seen.crowds], seen.paths[#seen.paths]
  local grid = track and track.map or path and path.map or seen.grids[#seen.grids]
  if not grid or wend.type(grid) ~= "grid" or grid:projection() ~= "orthogonal" then return give("program", {}) end
  local paths = {}
  for _, found in ipairs(seen.paths) do
    if found.map == grid and #found > 0 and #paths < 20 then
      paths[#paths + 1] = { cells = cells(found), cost = found.cost }
    end
  end
  local frames = track and track.map == grid and in_cells(track.frames, grid) or {}
  local map = drawn(grid)
  give("program", { map = map, paths = paths, frames = frames })
  if not map then return end
  -- Fields and layers may be freed, or out of date: then they are not shown.
  local field, layer = last_of(seen.fields, grid), last_of(seen.layers, grid)
  if field then pcall(tell_field, field, grid) end
  local ok, numbers = pcall(numbers_of, layer, grid)
  give("marks", { influence = ok and numbers or {}, frontier = last_of(seen.frontiers, grid) or {} })
end

-- The map of the page -------------------------------------------------------------------------------------------------

local function make_map(input)
  local map = wend.parse_grid(input.rows, input.kinds)
  for _, w in ipairs(input.walls) do map:wall(w[1], w[2], w[3], w[4]) end
  for _, l in ipairs(input.links) do
    map:link(l.x1, l.y1, l.x2, l.y2, { weight = l.weight, tag = l.tag, directed = l.directed or nil })
  end
  return map
end

-- The units of the script, or a walker without and one with boots.
local function units_of(list)
  local units = type(list) == "table" and #list > 0 and list
    or { { name = "no boots" }, { name = "boots", boots = true } }
  local result = {}
  for i = 1, math.min(#units, UNITS) do
    if type(units[i]) ~= "table" then error("unit " .. i .. " must be a table, got " .. type(units[i]), 0) end
    result[i] = units[i]
  end
  return result
end

-- What a path costs: each step, and sums by tag.
local function explained(path)
  local steps, costs, tags, order = path:explain(), {}, {}, {}
  for i, step in ipairs(steps) do
    costs[i] = step.cost
    local tag = step.tag or ""
    if not tags[tag] then
      tags[tag] = { tag = tag, steps = 0, cost = 0, rules = {} }
      order[#order + 1] = tags[tag]
    end
    local sum = tags[tag]
    sum.steps, sum.cost = sum.steps + 1, sum.cost + step.cost
    for _, rule in ipairs(step.rules) do
      if not sum.rules[rule.name] then
        sum.rules[rule.name] = true
        sum.rules[#sum.rules + 1] = rule.name
      end
    end
  end
  for _, sum in ipairs(order) do
    local names = {}
    for i, name in ipairs(sum.rules) do names[i] = name end
    sum.rules = names
  end
  table.sort(order, function(a, b) return a.cost > b.cost end)
  return costs, order
end

local function tell_unit(map, input, costs, unit)
  local options = { costs = costs, agent = unit }
  local start, goal = input.start, input.goal
  local told = { name = tostring(unit.name or "unit") }
  local path, message = map:path(start[1], start[2], goal[1], goal[2], options)
  if path then
    told.cells, told.cost = cells(path), path.cost
    told.steps, told.tags = explained(path)
  else
    told.message, told.obstacles = message, {}
    local why = map:why_not(start[1], start[2], goal[1], goal[2], options)
    if why then
      told.why = tostring(why)
      for i, o in ipairs(why.obstacles) do
        told.obstacles[i] = { x = o.x, y = o.y, from_x = o.from_x, from_y = o.from_y, to_x = o.to_x, to_y = o.to_y,
          cause = o.cause, tag = o.tag }
      end
    end
  end
  return told, path
end

-- Cells near the start for the walkers of a unit.
local function places(map, input, options)
  local list = {}
  local opts = { costs = options.costs, agent = options.agent, outward = true, window = 8 }
  for x, y, cost in map:field(input.start[1], input.start[2], opts):each() do list[#list + 1] = { x, y, cost } end
  table.sort(list, function(a, b)
    if a[3] ~= b[3] then return a[3] < b[3] end
    if a[2] ~= b[2] then return a[2] < b[2] end
    return a[1] < b[1]
  end)
  return list
end

local function tell_crowd(map, input, costs, units, longest)
  local crowd = wend.crowd { map = map, costs = costs, speeds = "costs", seed = 1, budget = 1000000 }
  local kinds, groups = {}, {}
  local speed = math.max(2.5, math.min(120, longest / SECONDS_TO_CROSS))
  for n, unit in ipairs(units) do
    local near, group = places(map, input, { costs = costs, agent = unit }), {}
    for i = 1, math.min(WALKERS, math.ceil(#near / #units)) do
      local place = near[(i - 1) * #units + n] or near[i]
      local x, y = map:position(place[1], place[2])
      group[i] = crowd:add { x = x, y = y, radius = 0.32, speed = speed, agent = unit }
      kinds[#kinds + 1] = n
    end
    groups[n] = group
  end
  local x, y = map:position(input.goal[1], input.goal[2])
  for _, group in ipairs(groups) do
    if #group > 0 then crowd:go(group, x, y) end
  end
  local frames, began = { crowd:positions() }, os.clock()
  for frame = 2, SECONDS_OF_CROWD * FRAMES_PER_SECOND do
    crowd:update(1 / FRAMES_PER_SECOND)
    frames[frame] = crowd:positions()
    local busy = false
    for w in crowd:each() do busy = busy or w.state == "moving" end
    if not busy or os.clock() - began > CLOCK_FOR_CROWD then break end
  end
  give("crowd", { units = kinds, frames = frames })
end

local function tell_search(map, input, costs, agent)
  local x1, y1, x2, y2 = input.start[1], input.start[2], input.goal[1], input.goal[2]
  local search = map:search(x1, y1, x2, y2, { costs = costs, agent = agent, visited = true })
  while search:step(100000) == "running" do end
  local visited = {}
  for x, y in search:each() do
    visited[#visited + 1] = x
    visited[#visited + 1] = y
  end
  give("search", { cells = visited })
end

local function tell_map(map, input, costs, units)
  local told, longest = {}, 0
  for i, unit in ipairs(units) do
    local path
    told[i], path = tell_unit(map, input, costs, unit)
    longest = math.max(longest, path and path.cost or 0)
  end
  if input.crowd then return tell_crowd(map, input, costs, units, longest) end
  give("paths", { units = told })
  local agent = units[math.min(input.unit, #units)]
  local field = map:field(input.goal[1], input.goal[2], { costs = costs, agent = agent })
  if field then tell_field(field, map) end
  if input.search then tell_search(map, input, costs, agent) end
end

-- The run -------------------------------------------------------------------------------------------------------------

local function run(text)
  local input = load(text, "=input", "t", {})()
  local map = make_map(input)
  local chunk, problem = load(input.rules, "=rules", "t", _G)
  if not chunk then return fail(problem) end
  watch(map)
  _G.map, _G.wend = map, wend
  local function all()
    local costs, units = chunk()
    if costs == nil then return tell_program() end
    if type(costs) == "table" and wend.type(costs) ~= "costs" then costs = wend.costs(costs) end
    if wend.type(costs) ~= "costs" then error("rules must return wend.costs { … }, got " .. type(costs), 0) end
    tell_map(map, input, costs, units_of(units))
  end
  local ok, result = xpcall(all, located)
  give("output", { text = table.concat(printed) })
  if not ok then fail(result) end
  give("done", {})
end

run(...)
