-- SPDX-License-Identifier: MIT
--- x:paths(trips[, opts]): many paths at once, for one profile.
--
-- Trips with the same goal, or with the same start, are a group. A field answers all trips of a group with one search
-- of the whole map. A path of its own searches only a part. So the first trips of the batch are single searches, which
-- tell the work of a trip on this map. A group gets a field as soon as the rest of its trips would be more work.
--
--   trips    a>t  b>t  c>t  d>u  e>u        goals: t, u. Starts: a, b, c, d, e. So the groups are those of the goals.
--   a>t      single: it expands 400 of 600 nodes
--   b>t c>t  two trips are 800, and a field is 600 x 1.5 = 900: b>t is single too, then c>t
--   d>u e>u  the same
--
-- The choice depends only on the map and the trips. The paths of a field cost the same, but of several equally cheap
-- ones they may be others.
--
-- q:paths of a queue does the same in slices. Its batch runs in a coroutine, which yields after each slice of a search
-- and after each path of a field. Each search, and each field, reads the map as it was when it began.
--
-- With the option `threads`, single searches that will follow run side by side, some hundred at a time, and their
-- results wait for their turn. Which ones follow is a guess: that a search will be as much work as those so far. So the
-- choice, and the list, are those of one thread; what was not needed is dropped.

local check = require "wend.check"
local core = require "wend.core"

local coroutine, floor, types = coroutine, math.floor, require "wend.once".types

--- The options, in the order of messages; those that a field takes; and those with which each trip is a search.
local OPTIONS = {
  "costs", "agent", "cost", "at_least", "size", "influence", "algorithm", "heuristic", "max_expanded", "max_cost",
  "partial", "variation", "seed", "corners", "stats", "closed_goal",
}
local QUEUED_OPTIONS, THREAD_OPTIONS = { "priority", "owner", "on_done" }, { "threads" }
for i, name in ipairs(OPTIONS) do
  table.insert(QUEUED_OPTIONS, i, name)
  table.insert(THREAD_OPTIONS, i, name)
end
QUEUED_OPTIONS.kinds, THREAD_OPTIONS.kinds = { stats = check.TABLE }, { stats = check.TABLE }
local FIELD_OPTIONS = { "costs", "agent", "cost", "at_least", "size", "influence", "closed_goal" }
local SINGLE_OPTIONS = { "algorithm", "heuristic", "max_expanded", "partial", "variation", "seed" }
local COUNTED = { "expanded", "pushed", "callbacks" }

-- The work of a field for each node or cell, and of a search for each one expanded, in units that are about as long for
-- both. A jump point takes as long as several cells, but then a path has more cells than were expanded.
local FIELD_NODE, FIELD_CELL = 1.5, 1
local STEP_CELL, PATH_NUMBER = 2, 2

-- After how many searches threads wait for each other, at first and at most. In between, the memory of searches grows,
-- and it becomes known what cannot be reached.
local WINDOW_FIRST, WINDOW_MAX = 16, 4096

-- The share of max_cost by which rounding may make the cost of a path of a field differ.
local ROUNDING = 1e-9

local graphs, grids, fields = types.graph, types.grid, types.field

-- Reading ----------------------------------------------------------------------------------------------------------

--- The id of the node that item i of the list names.
local function read_node(map, list, i)
  local item = rawget(list, i)
  local kind = type(item)
  if kind == "string" then
    return graphs.node(map, item) or check.fail("trips[%d]: there is no node named %s", i, check.describe(item))
  elseif kind ~= "number" or item < 0 or item >= 2 ^ 53 or item % 1 ~= 0 then
    check.fail("trips[%d] must be a node (its id or name), got %s", i, check.describe(item))
  elseif not graphs.has(map, item) then
    check.fail("trips[%d]: there is no node %.0f", i, item)
  end
  return item
end

--- A coordinate.
local function read_coordinate(list, i, most)
  local item = rawget(list, i)
  if not check.is_whole(item, 1, most) then
    check.fail("trips[%d] must be a whole number in 1 .. %d, got %s", i, most, check.describe(item))
  end
  return item
end

--- The trips of the list. Nodes are ids, cells are numbers from 1, row by row.
-- @return starts, goals: two lists
local function read_trips(batch, list)
  check.must(type(list) == "table", "trips", "a list", list)
  local map, starts, goals = batch.map, {}, {}
  local count, each = check.length(list), batch.is_grid and 4 or 2
  if count % each ~= 0 then
    check.fail("trips must hold %d %s per item, got %d %s", each, batch.is_grid and "numbers" or "nodes", count,
      batch.is_grid and "numbers" or "nodes")
  end
  for i = 1, count, each do
    local trip = (i - 1) / each + 1
    if batch.is_grid then
      local x1, y1 = read_coordinate(list, i, batch.width), read_coordinate(list, i + 1, batch.height)
      local x2, y2 = read_coordinate(list, i + 2, batch.width), read_coordinate(list, i + 3, batch.height)
      starts[trip] = (y1 - 1) * batch.width + x1
      goals[trip] = (y2 - 1) * batch.width + x2
    else
      starts[trip], goals[trip] = read_node(map, list, i), read_node(map, list, i + 1)
    end
  end
  return starts, goals
end

--- Copies the options of a list of names. A finalizer that changes the caller's table then changes nothing.
local function copy_options(names, options)
  local copy = {}
  for _, name in ipairs(names) do
    copy[name] = options[name]
  end
  return copy
end

-- Grouping ---------------------------------------------------------------------------------------------------------

--- The trips by their ends of one kind.
-- @return groups: a list of lists of numbers of trips, in the order of their first trips
local function group(ends)
  local groups, by_end = {}, {}
  for trip, key in ipairs(ends) do
    local list = by_end[key]
    if not list then
      list = {}
      by_end[key] = list
      groups[#groups + 1] = list
    end
    list[#list + 1] = trip
  end
  return groups
end

-- Searching --------------------------------------------------------------------------------------------------------

--- Runs a search of a batch in slices, and yields the expansions of each.
local function in_slices(batch, kind, ...)
  local search = check.call(core.start, kind, batch.map, ...)
  local result, message, code
  batch.search = search
  repeat
    local state, used = check.call(batch.work or search.step, search, batch.slice)
    if state ~= "running" then
      result, message, code = check.call(search.result, search)
      core.close(search)
    end
    coroutine.yield(used)
  until state ~= "running"
  return result, message, code
end

--- Calls map:path or map:field.
local function find(batch, kind, ...)
  if batch.thread then
    return in_slices(batch, kind, ...)
  end
  return check.call((batch.is_grid and grids or graphs)[kind], batch.map, ...)
end

--- The numbers of a cell; or a node.
local function place_of(batch, a)
  if batch.is_grid then
    return (a - 1) % batch.width + 1, floor((a - 1) / batch.width) + 1
  end
  return a
end

--- Whether an edit has removed one of the nodes of a batch in slices. The batch then fails.
local function is_removed(batch, ...)
  for _, node in ipairs(batch.thread and not batch.is_grid and { ... } or {}) do
    if not graphs.has(batch.map, node) then
      batch.message, batch.code = "a node of the trips was removed since the search began", "stale"
      return true
    end
  end
  return false
end

local function add_stats(batch)
  for _, name in ipairs(COUNTED) do
    batch.total[name] = batch.total[name] + (batch.stats[name] or 0)
  end
end

--- One search for one trip. The batch fails if the search is stale.
-- @return the path or nil, code
local function single(batch, trip)
  local a, b = batch.starts[trip], batch.goals[trip]
  if is_removed(batch, a, b) then
    return nil
  end
  local found = batch.ahead and batch.ahead[trip]
  local path, message, code
  if found then
    local list, stats = batch.found_list, batch.stats
    stats.expanded, stats.pushed, stats.callbacks = list[found + 1], list[found + 2], 0
    path, code = list[found] or nil, not list[found] and list[found + 3] or nil
  elseif batch.is_grid then
    local x, y = place_of(batch, a)
    local goal_x, goal_y = place_of(batch, b)
    path, message, code = find(batch, "path", x, y, goal_x, goal_y, batch.path_options)
  else
    path, message, code = find(batch, "path", a, b, batch.path_options)
  end
  add_stats(batch)
  if code == "stale" then
    batch.message, batch.code = message, code
  end
  return path, code
end

--- The work of the single search that was the last one.
local function work_of(batch, path)
  local expanded = batch.stats.expanded or 0
  if not batch.is_grid then
    return expanded
  end
  return STEP_CELL * expanded + PATH_NUMBER * (path and #path or 0)
end

--- Answers trips list[first], list[first + 1], … of a group with a field, unless the batch fails.
local function by_field(batch, list, first, roots, ends, results)
  local root, options, max_cost = roots[list[first]], batch.field_options, batch.path_options.max_cost
  if is_removed(batch, root) then
    return
  end
  local root_x, root_y = place_of(batch, root)
  options.into = batch.field
  local field, message, code = find(batch, "field", root_x, root_y or options, options)
  add_stats(batch)
  if not field then
    batch.message, batch.code = message, code
    return
  end
  batch.field = field
  batch.total.fields = batch.total.fields + 1
  for i = first, #list do
    local trip = list[i]
    if is_removed(batch, ends[trip]) then
      return
    end
    local x, y = place_of(batch, ends[trip])
    local path, why, status = check.call(fields.path, field, x, y or batch.ready_options, batch.ready_options)
    if status == "stale" then
      batch.message, batch.code = why, status
      return
    elseif path and max_cost and path.cost > max_cost * (1 - ROUNDING) then
      path = single(batch, trip) -- rounding decides
      if batch.code then
        return
      end
    elseif batch.thread then
      coroutine.yield(1)
    end
    results[trip] = path or false
  end
end

--- Whether the trips of a group that are left get a field.
local function wants_field(batch, left)
  return batch.shares and left > 1 and batch.trips > 0 and left * batch.work_done > batch.trips * batch.field_work
end

--- Finds the paths of trips that will probably follow as single searches: of trip i of group k, and others after it.
local function look_ahead(batch, groups, k, i)
  local trips, ids, most = {}, {}, batch.window
  while k <= #groups and #trips < most do
    local left = #groups[k] - i + 1
    if batch.shares and left > 1 and batch.trips == 0 then break end -- nothing is known yet
    if left < 1 or wants_field(batch, left) then
      k, i = k + 1, 1
    else
      trips[#trips + 1] = groups[k][i]
      i = i + 1
    end
  end
  if #trips < 2 then return end
  for n, trip in ipairs(trips) do
    ids[2 * n - 1], ids[2 * n] = batch.starts[trip], batch.goals[trip]
  end
  local list
  list, batch.message, batch.code = check.call(core.find_paths, batch.threads, batch.map, batch.path_options, ids)
  if batch.code then return end
  if not list then
    batch.threads = nil -- functions are asked: one thread does it
    return
  end
  batch.ahead, batch.found_list, batch.window = {}, list, math.min(2 * most, WINDOW_MAX)
  for n, trip in ipairs(trips) do batch.ahead[trip] = 4 * n - 3 end
end

--- Answers all trips of group k, unless the batch fails.
local function answer(batch, groups, k, roots, ends, results)
  local i, list = 1, groups[k]
  while i <= #list and not batch.code do
    local trip, left = list[i], #list - i + 1
    if wants_field(batch, left) then
      return by_field(batch, list, i, roots, ends, results)
    end
    if batch.threads and not (batch.ahead and batch.ahead[trip]) then look_ahead(batch, groups, k, i) end
    local path, code = single(batch, trip)
    results[trip], i = path or false, i + 1
    if code ~= "no_path" or batch.path_options.max_cost then -- otherwise the next may be known without a search
      batch.work_done, batch.trips = batch.work_done + work_of(batch, path), batch.trips + 1
    end
  end
end

--- Answers all trips of a batch.
-- @return the list; or nil, message, code
local function run(batch)
  local results, roots, ends = {}, batch.goals, batch.starts
  local groups = group(roots)
  if batch.shares and not batch.path_options.closed_goal then -- a field of starts enters no closed goal
    local others = group(ends)
    if #others < #groups then
      groups, roots, ends = others, batch.starts, batch.goals
      batch.field_options.outward = true
    end
  end
  for trip = 1, #batch.starts do
    results[trip] = false -- in order, so that the list has no hash part
  end
  for k = 1, #groups do answer(batch, groups, k, roots, ends, results) end
  if batch.threads then check.call(core.find_paths, batch.threads) end
  if batch.given_stats then
    for name, count in pairs(batch.total) do
      batch.given_stats[name] = count
    end
  end
  if batch.code then
    return nil, batch.message, batch.code
  end
  return results
end

--- Reads the arguments of map:paths, or of q:paths if `queued`. Raises if one is invalid.
local function read(is_grid, map, list, options, queued)
  local batch = { map = map, is_grid = is_grid, work_done = 0, trips = 0, shares = true, stats = {} }
  if is_grid then
    batch.width, batch.height = check.call(grids.width, map), check.call(grids.height, map)
  end
  batch.field_work = is_grid and FIELD_CELL * batch.width * batch.height
    or FIELD_NODE * check.call(graphs.node_count, map)
  batch.starts, batch.goals = read_trips(batch, list)
  check.options(options, queued and QUEUED_OPTIONS or THREAD_OPTIONS)
  options = options or {}
  if queued or #batch.starts == 0 then
    check.call(core.check_options, map, copy_options(queued and QUEUED_OPTIONS or OPTIONS, options))
  end -- otherwise no search that runs now would check them
  batch.threads, batch.window = check.call(core.batch, options.threads), WINDOW_FIRST
  for _, name in ipairs(SINGLE_OPTIONS) do
    batch.shares = batch.shares and options[name] == nil
  end
  batch.total, batch.given_stats = { expanded = 0, pushed = 0, callbacks = 0, fields = 0 }, options.stats
  batch.path_options = copy_options(OPTIONS, options)
  batch.path_options.stats = batch.stats
  batch.field_options = copy_options(FIELD_OPTIONS, options)
  batch.field_options.stats = batch.stats
  batch.ready_options = options.corners and { corners = true } or nil
  batch.field_options.max_cost = type(options.max_cost) == "number" and options.max_cost * (1 + ROUNDING) or nil
  return batch
end

--- The function of a map's method `paths`.
-- @param is_grid whether the map is a grid
local function method(is_grid)
  local kind = is_grid and "grid" or "graph"
  return function(map, list, options)
    check.self(map, kind, "a " .. kind, kind)
    return run(read(is_grid, map, list, options))
  end
end

-- In slices --------------------------------------------------------------------------------------------------------

--- A batch in slices has the methods of a search, for wend.queue.
local methods = {}

--- Begins a batch in slices, with the arguments of q:paths. Raises if one is invalid.
local function start(map, list, options)
  local batch = read(core.type(map) == "grid", map, list, options, true)
  batch.thread = coroutine.create(function() batch.found, batch.message, batch.code = run(batch) end)
  return setmetatable(batch, { __index = methods })
end

--- Works for at most n expansions, or reads a path.
-- @param work core.run; nil: search.step
-- @return "running" or "over", and the number of expansions
function methods:step(n, work)
  self.slice, self.work = n, work
  local ok, used = coroutine.resume(self.thread)
  if not ok then
    error(used, 0)
  elseif coroutine.status(self.thread) == "dead" then
    return "over", 0
  end
  return "running", used
end

function methods:result() return self.found, self.message, self.code end
function methods:close() if self.search then core.close(self.search) end end

return { of_graph = method(false), of_grid = method(true), start = start }
