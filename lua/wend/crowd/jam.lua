-- SPDX-License-Identifier: MIT
-- Ways around jams. The core reports walkers that have been slow for a third of their patience. On a grid, each of them
-- gets a plan in which the cells of slow walkers are dearer, in an overlay of the crowd:
--
--   1  Every ROUND steps there is a round, if walkers wait for one and all plans of the last round are done. The overlay
--      gets the slow walkers as they are now, by raw.jams. A walker that makes a tenth of its speed makes its cells ten
--      times as dear: so the cost of a way through a queue is the time that the queue takes. One that is held makes them
--      DEAREST times as dear
--   2  The first PLANS walkers ask for a path that costs at most WORTH of what their own way costs now, with the overlay
--   3  One that gets such a path takes it. The others go on as before, and are reported again after twice the time
--
-- So those at the end of a queue go to another door if it is worth it, and nobody leaves a queue that is the fastest way.
-- A walker gets at most DETOURS_MOST such ways to one aim. Then it waits, and in the end it is stuck.
--
-- The watch of the crowd gets a copy of the path that does not know the overlay: later jams do not make it invalid.

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
local WIDEST = 16           -- cells: a wider walker counts as one of this radius

local jam = {}

--- What a crowd knows of jams.
function jam.new()
  return {
    first = 1, last = 0,    -- the walkers that wait for a round: [first] to [last]
    asked = {}, open = 0,   -- those of the last round, and how many of their plans are not done
    overlay = false,
    numbers = {},           -- of raw.jams
  }
end

--- A walker waits for a round.
function jam.wait(walker)
  local list = walker[CROWD][JAM]
  list[list.last + 1], list.last = walker, list.last + 1
  walker[ASKS] = true
end

--- The core has reported that a walker is slow.
function jam.add(walker)
  if walker[CROWD][KIND] == "grid" and walker[PATH] and not walker[ASKS] then jam.wait(walker) end
end

--- Calls fn(x, y, part) for the cells under a square as large as a walker. part: of the cell that it covers
local function cells_under(map, x, y, r, fn)
  r = math.min(r, WIDEST)
  local left, right, top, bottom = x - r, x + r, y - r, y + r
  for cy = math.max(math.floor(top) + 1, 1), math.min(math.floor(bottom) + 1, map:height()) do
    local high = math.min(bottom, cy) - math.max(top, cy - 1)
    for cx = math.max(math.floor(left) + 1, 1), math.min(math.floor(right) + 1, map:width()) do
      local wide = math.min(right, cx) - math.max(left, cx - 1)
      if wide > 0 and high > 0 then fn(cx, cy, wide * high) end
    end
  end
end

--- Makes the cells of slow walkers dearer, in the overlay of a crowd.
local function mark(crowd)
  local state, map = crowd[JAM], crowd[MAP]
  local overlay, numbers = state.overlay or map:overlay(), state.numbers
  local width, sums, cells, seen = map:width(), {}, {}, {}
  local more
  local function add(cx, cy, part)
    local cell = (cy - 1) * width + cx
    local sum = sums[cell]
    if not sum then
      sum = 0
      cells[#cells + 1] = cell
    end
    sums[cell] = sum + part * more
  end
  state.overlay = overlay
  overlay:reset()
  for i = 1, raw.jams(crowd[HANDLE], numbers), 5 do
    local id = numbers[i]
    if not seen[id] then
      seen[id] = true
      more = 1 / math.max(numbers[i + 4], 1 / DEAREST) - 1
      cells_under(map, numbers[i + 1], numbers[i + 2], numbers[i + 3], add)
    end
  end
  for _, cell in ipairs(cells) do
    local dear, times = math.min(1 + sums[cell], DEAREST), 1
    while 1.5 * times < dear do times = 2 * times end     -- powers of 2: a grid keeps a list of different cells
    local x, y = (cell - 1) % width + 1, math.floor((cell - 1) / width) + 1
    local weight, tag = map:get(x, y)
    if times > 1 and weight then
      if tag ~= nil then overlay:set(x, y, weight * times, tag) else overlay:set(x, y, weight * times) end
    end
  end
end

--- The cells of a path from the one that is nearest to a cell; of equally near ones, the last.
local function rest_of(path, x, y)
  local nearest, least = 1, math.huge
  for i = 1, #path, 2 do
    local dx, dy = path[i] - x, path[i + 1] - y
    if dx * dx + dy * dy <= least then nearest, least = i, dx * dx + dy * dy end
  end
  local rest = {}
  for i = nearest, #path do rest[#rest + 1] = path[i] end
  return rest
end

--- What the way of a walker costs now. nil: it is not known.
local function cost_of_way(crowd, walker, x, y, except)
  local map, aim = crowd[MAP], walker[AIM]
  local ok, steps = core.call(map.explain, map, rest_of(walker[PATH], x, y),
    { overlay = crowd[JAM].overlay, except = except, costs = aim.costs, agent = aim.agent })
  local cost = ok and steps and steps.cost
  return cost and cost < math.huge and cost or nil
end

--- A walker gets the path of its plan, which leads around the jam.
local function take(walker, found)
  local aim, map = walker[AIM], walker[CROWD][MAP]
  local cells = {}
  for i = 1, #found do cells[i] = found[i] end
  local path = saved.path(map, cells, {}, false, false, aim.costs, aim.agent, nil)
  if not path then return end
  rawset(path, "cost", found.cost)
  if plan.obey(walker, plan.points_to(aim, path, "grid"), aim.goal_x and raw.lead or raw.go) then
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
  local left, top, unit = raw.places(walker[HANDLE])
  local except = { from_x, from_y }
  cells_under(map, (x - left) / unit, (y - top) / unit, walker.radius / unit, function(cx, cy)
    except[#except + 1], except[#except + 2] = cx, cy
  end)
  local cost = cost_of_way(crowd, walker, from_x, from_y, except)
  if not cost or walker[AIM] ~= aim or walker[PATH] ~= path then return end
  local function done(found, _, _, request)
    state.open = state.open - 1
    if walker[DETOUR] ~= request then return end
    walker[DETOUR] = false
    if found and walker[AIM] == aim and walker[PATH] == path and not walker[REQUEST] then take(walker, found) end
  end
  local request = crowd[QUEUE]:path(map, from_x, from_y, to_x, to_y, { overlay = state.overlay, except = except,
    labels = false, costs = aim.costs, agent = aim.agent, max_cost = WORTH * cost, done = done })
  if request then
    walker[DETOUR] = request
    state.asked[#state.asked + 1], state.open = walker, state.open + 1
  end
end

--- A round, if it is time for one.
function jam.work(crowd)
  local state = crowd[JAM]
  if state.first > state.last or crowd[STEPS] % ROUND ~= 0 or state.open > 0 then return end
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
