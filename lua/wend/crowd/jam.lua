-- SPDX-License-Identifier: MIT
-- Ways around jams. The core reports walkers that have been slow for a third of their patience. On a grid, each of them
-- gets a plan in which the cells of slow walkers are dearer, by an overlay of the crowd:
--
--   1  Every ROUND steps there is a round, if walkers wait for one and the plans of the last one are done. The overlay
--      gets the slow walkers as they are now, by raw.jams. Where they make a tenth of their speed, cells become ten
--      times as dear: so the cost of a way through a queue is the time that the queue takes. A walker that is held
--      makes its cells DEAREST times as dear
--   2  The first PLANS walkers ask for a path that costs at most WORTH of what their own way costs with the overlay
--   3  Who gets such a path takes it. The others go on as before, and are reported again after twice the time
--
-- So those at the end of a queue go to another door if it is worth it, and nobody leaves a queue that is the fastest
-- way. A walker gets at most DETOURS_MOST such ways to one aim. Then it waits, and in the end it is stuck.
--
-- The watch of the crowd gets a copy of the path, over the map: later jams do not make it invalid.

local core = require "wend.core"
local check = require "wend.check"
local places = require "wend.crowd.places"
local plan = require "wend.crowd.plan"
local saved = require "wend.state.saved"

local raw = places.raw
local HANDLE, ID, CROWD, AIM, REQUEST, PATH, TRIES = places.HANDLE, places.ID, places.CROWD, places.AIM,
  places.REQUEST, places.PATH, places.TRIES
local MAP, KIND, QUEUE, STEPS, JAM, ASKS, DETOUR = places.MAP, places.KIND, places.QUEUE, places.STEPS, places.JAM,
  places.ASKS, places.DETOUR

local ROUND = 30            -- steps from one round to the next
local PLANS = 8             -- in a round
local WORTH = 0.75          -- a way around costs at most this part of the way through the jam
local DETOURS_MOST = 8      -- for one aim: walkers that block two doors in turn do not send it to and fro for ever
local DEAREST = 256         -- times as dear as without walkers
local AFTER = 4             -- cells: a way that comes back so soon after the jam does not avoid it
local NEAR = 2              -- cells: all ways of a walker begin with those around it
local BLOCKED = 0.3         -- a cell of which more is under somebody who is held cannot be passed
local PIECES = 4            -- of the way from one cell to the next
local WIDEST = 16           -- cells: a wider walker counts as one of this radius

local jam = {}

--- What a crowd knows of jams.
function jam.new()
  return {
    first = 1, last = 0,    -- the walkers that wait for a round: [first] to [last]
    asked = {},             -- those of the last round
    overlay = false,
    numbers = {},           -- of raw.jams
  }
end

--- A walker waits for a round.
function jam.wait(walker)
  local list = walker[CROWD][JAM]
  local last = list.last + 1
  list[last] = walker                           -- there may be no memory for it: then it does not wait
  list.last, walker[ASKS] = last, true
end

--- The core has reported that a walker is slow.
function jam.add(walker)
  if walker[CROWD][KIND] == "grid" and walker[PATH] and not walker[ASKS] then jam.wait(walker) end
end

--- Adds `more` for the cells under a square as large as a walker, by the part of each cell that it covers.
local function cover(map, sums, x, y, r, more)
  local width, height = map:width(), map:height()
  local left, right, top, bottom = x - r, x + r, y - r, y + r
  for cy = math.max(math.floor(top) + 1, 1), math.min(math.floor(bottom) + 1, height) do
    local high = math.min(bottom, cy) - math.max(top, cy - 1)
    for cx = math.max(math.floor(left) + 1, 1), math.min(math.floor(right) + 1, width) do
      local wide = math.min(right, cx) - math.max(left, cx - 1)
      local cell = (cy - 1) * width + cx
      if wide > 0 and high > 0 then
        if not sums[cell] then sums[cell], sums.list[#sums.list + 1] = 0, cell end
        sums[cell] = sums[cell] + wide * high * more
      end
    end
  end
end

--- Spreads what moving walkers add to their cells evenly over the 3 x 3 open cells around each. Without that, ways seem
-- to lead through the gaps between them.
local function spread(map, from, sums)
  local width = map:width()
  for _, cell in ipairs(from.list) do
    local x, y = (cell - 1) % width + 1, math.floor((cell - 1) / width) + 1
    local open = {}
    for cy = y - 1, y + 1 do
      for cx = x - 1, x + 1 do
        if map:has(cx, cy) and not map:is_closed(cx, cy) then open[#open + 1] = (cy - 1) * width + cx end
      end
    end
    for _, other in ipairs(open) do
      if not sums[other] then sums[other], sums.list[#sums.list + 1] = 0, other end
      sums[other] = sums[other] + from[cell] / #open
    end
  end
end

--- Makes the cells of slow walkers dearer, in the overlay of a crowd.
local function mark(crowd)
  local state, map = crowd[JAM], crowd[MAP]
  local overlay, numbers = state.overlay or map:overlay(), state.numbers
  local width, sums, moving, held, seen = map:width(), { list = {} }, { list = {} }, { list = {} }, {}
  state.overlay, state.sums, state.held = overlay, sums, held
  overlay:reset()
  for i = 1, raw.jams(crowd[HANDLE], numbers), 5 do
    local id, pace = numbers[i], numbers[i + 4]
    if not seen[id] then
      seen[id] = true
      if pace == 0 then cover(map, held, numbers[i + 1], numbers[i + 2], math.min(numbers[i + 3], WIDEST), 1) end
      cover(map, pace > 0 and moving or sums, numbers[i + 1], numbers[i + 2], math.min(numbers[i + 3], WIDEST),
        1 / math.max(pace, 1 / DEAREST) - 1)
    end
  end
  spread(map, moving, sums)
  for _, cell in ipairs(sums.list) do
    local dear, times = math.min(1 + sums[cell], DEAREST), 1
    while 1.5 * times < dear do times = 2 * times end     -- powers of 2: a grid keeps a list of different cells
    local x, y = (cell - 1) % width + 1, math.floor((cell - 1) / width) + 1
    local weight, tag = map:get(x, y)
    if times > 1 and weight then
      if tag ~= nil then overlay:set(x, y, weight * times, tag) else overlay:set(x, y, weight * times) end
    end
  end
end

--- The cells from a cell to the nearest one of a path, by steps to neighbours; and from there to the end of the path.
-- Of equally near cells it is the last.
-- @return a flat list, and how many of its items come before the path
local function way_on(path, x, y)
  local nearest, least = 1, math.huge
  for i = 1, #path, 2 do
    local dx, dy = path[i] - x, path[i + 1] - y
    if dx * dx + dy * dy <= least then nearest, least = i, dx * dx + dy * dy end
  end
  local way = {}
  while x ~= path[nearest] or y ~= path[nearest + 1] do
    way[#way + 1], way[#way + 2] = x, y
    local dx, dy = path[nearest] - x, path[nearest + 1] - y
    x, y = x + (dx > 0 and 1 or dx < 0 and -1 or 0), y + (dy > 0 and 1 or dy < 0 and -1 or 0)
  end
  local before = #way
  for i = nearest, #path do way[#way + 1] = path[i] end
  return way, before
end

--- The cells of a way where its jam is: those that are not near its start, as far as the last dear one, and AFTER cells
-- more. nil: somebody is held there.
local function jam_on(state, way, width)
  local last, cells = 0, {}
  for i = 1, #way, 2 do
    local cell = (way[i + 1] - 1) * width + way[i]
    if (state.held[cell] or 0) > 0 then return nil end
    if (state.sums[cell] or 0) > 1 then last = i end
  end
  for i = 1, math.min(#way, last + 2 * AFTER), 2 do
    if math.max(math.abs(way[i] - way[1]), math.abs(way[i + 1] - way[2])) > NEAR then
      cells[(way[i + 1] - 1) * width + way[i]] = true
    end
  end
  return cells
end

--- What the way of a walker costs now, if it goes back to it; and where its jam is, as jam_on returns it.
-- @return nil: it is not known
local function cost_of_way(crowd, walker, x, y)
  local map, aim = crowd[JAM].overlay, walker[AIM]
  local options = { costs = aim.costs, agent = aim.agent }
  local way, before = way_on(walker[PATH], x, y)
  local ok, steps = core.call(map.explain, map, way, options)
  local cost = ok and steps and steps.cost
  if before > 0 and not (cost and cost < math.huge) then         -- something is between it and its path
    local rest = {}
    for i = before + 1, #way do rest[#rest + 1] = way[i] end
    ok, steps = core.call(map.explain, map, rest, options)
    cost = ok and steps and steps.cost
  end
  if not cost or cost <= 0 or cost == math.huge then return nil end
  return cost, jam_on(crowd[JAM], way, map:width())
end

--- Whether a path takes a link: two of its cells do not touch.
local function has_link(path)
  for i = 3, #path, 2 do
    if math.max(math.abs(path[i] - path[i - 2]), math.abs(path[i + 1] - path[i - 1])) > 1 then return true end
  end
  return false
end

--- More points of the same way. The core goes on to the next point when it sees it, but at most by one in 8 steps. So a
-- walker that gets on follows them closely, also around one that is held in the middle of a room.
local function closely(points)
  local dense = {}
  for i = 1, #points - 2, 2 do
    local x, y = points[i], points[i + 1]
    local dx, dy = (points[i + 2] - x) / PIECES, (points[i + 3] - y) / PIECES
    for k = 0, PIECES - 1 do dense[#dense + 1], dense[#dense + 2] = x + k * dx, y + k * dy end
  end
  dense[#dense + 1], dense[#dense + 2] = points[#points - 1], points[#points]
  return dense
end

--- A walker gets the path of its plan, which leads around the jam.
-- @param jammed where the jam is: a path that leads there is not taken, because it only jumps the queue; or nil
-- @param held how much of each cell is under somebody who is held: a path that leads there would not help
local function take(walker, found, jammed, held)
  local aim, map = walker[AIM], walker[CROWD][MAP]
  local cells, width = {}, map:width()
  for i = 1, #found do cells[i] = found[i] end
  for i = 1, #cells, 2 do
    local cell = (cells[i + 1] - 1) * width + cells[i]
    if jammed and jammed[cell] or (held[cell] or 0) > BLOCKED then return end
  end
  local path = saved.path(map, cells, {}, false, false, aim.costs, aim.agent, nil)
  if not path then return end
  rawset(path, "cost", found.cost)
  local points, lead = plan.points_to(aim, path, "grid"), aim.goal_x ~= nil
  local dense = not jammed and not has_link(path)
  if plan.obey(walker, dense and closely(points) or points, not dense and path or nil, lead) then
    plan.keep(walker, path)
    walker[TRIES] = 0
    aim.detours = (aim.detours or 0) + 1
  end
end

--- Asks for a way around, if there may be one that is worth it.
local function ask(walker)
  local crowd, aim, path = walker[CROWD], walker[AIM], walker[PATH]
  local state, map = crowd[JAM], crowd[MAP]
  if not path or walker[REQUEST] or not aim or aim.field or aim.given or (aim.detours or 0) >= DETOURS_MOST then
    return
  end
  local x, y = raw.at(walker[HANDLE], walker[ID])
  if not x or walker.held or walker.state ~= "moving" and walker.state ~= "stuck" then return end
  local from_x, from_y = map:cell_at(x, y)
  local to_x, to_y = map:cell_at(aim.goal_x or aim.x, aim.goal_y or aim.y)
  if not from_x or not to_x or from_x == to_x and from_y == to_y then return end
  local cost, jammed = cost_of_way(crowd, walker, from_x, from_y)
  if not cost or walker[AIM] ~= aim or walker[PATH] ~= path then return end
  local held = state.held
  local function done(found, _, _, request)
    if walker[DETOUR] ~= request then return end
    walker[DETOUR] = false
    if found and walker[AIM] == aim and walker[PATH] == path and not walker[REQUEST] then
      take(walker, found, jammed, held)
    end
  end
  state.asked[#state.asked + 1] = walker
  local request = crowd[QUEUE]:path(state.overlay, from_x, from_y, to_x, to_y, { labels = false,
    costs = aim.costs, agent = aim.agent, max_cost = WORTH * cost, done = done })
  if request then walker[DETOUR] = request end
end

--- Whether the plans of the last round are done. The request tells: there may have been no memory to call its `done`.
local function is_over(state)
  for _, walker in ipairs(state.asked) do
    local request = walker[DETOUR]
    if request and (request.state == "waiting" or request.state == "running") then return false end
  end
  return true
end

--- A round, if it is time for one.
function jam.work(crowd)
  local state = crowd[JAM]
  if state.first > state.last or crowd[STEPS] % ROUND ~= 0 or not is_over(state) then return end
  check.call(mark, crowd)
  state.asked = {}
  for i = state.first, math.min(state.last, state.first + PLANS - 1) do
    local walker = state[i]
    state[i], state.first, walker[ASKS] = nil, i + 1, false
    ask(walker)
  end
end

--- The ids of those that wait for a way around, in order. Those whose plan is under way ask again, and come first.
function jam.waiting(crowd)
  local state, ids = crowd[JAM], {}
  local function put(walker)
    if raw.has(walker[HANDLE], walker[ID]) then ids[#ids + 1] = walker[ID] end
  end
  for _, walker in ipairs(state.asked) do
    if walker[DETOUR] and not walker[ASKS] then put(walker) end
  end
  for i = state.first, state.last do put(state[i]) end
  return ids
end

return jam
