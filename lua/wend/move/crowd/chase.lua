-- SPDX-License-Identifier: MIT
-- Walkers that follow what moves. The order of such a walker has the fields
--
--   target     a walker, a follower, or any table with x and y
--   distance   at which the target is in reach. false: they touch
--   angle      from the heading of the target: the walker keeps to the place in this direction, at this distance
--   aside_x, aside_y   the place that it keeps to, seen from the target; nil: none
--   x, y       the goal that it was sent to last; in reach, where that was when it got there
--   reached, told   it is in reach; on_arrive was told
--   wait, tries   steps until it tries again to get to its place; how often it has tried
--   skip       steps until it looks again where its target is; nil: in the next one
--
-- After each step, chase.work looks where the targets are now: once for each target, and for walkers that are far away
-- only in each LOOK-th step. It sends a walker again when its target has gone on by a part of the distance to it. A
-- target without a position, or one beyond the range of a crowd, ends the chase: the walker is lost. The fields of a
-- target may be functions of the script, which may do anything, also to the walker.
--
-- Walkers around a target change places whenever that makes their ways shorter. So a walker that others keep from its
-- place gets one on its side, and they move up: the rings fill from the inside, whoever comes first. In a step, a
-- walker looks at no more than OTHERS of them, so the work grows with the number of walkers and not with its square.

local core = require "wend.core"
local check = require "wend.check"
local plan = require "wend.move.crowd.plan"

local native, huge = plan.native, math.huge

local BEHIND = 0.15         -- of the distance to the target: so far the goal may be from it
local AWAY = 0.5            -- in radii: one that is farther than in reach goes on
local GONE = 2              -- in radii: a target that is farther away than that has got away
local TOUCH = 1.1           -- of the sum of radii: those in a ring have room to get in
local PLACE = 0.3           -- in radii: so near to its place, a walker is there
local MOVED = 0.5           -- in radii: a goal that has moved less is the same
local AHEAD = 2             -- times the seconds to the target: so far ahead it looks
local AHEAD_MOST = 1.5      -- seconds: at most so far
local ASIDE = 8             -- in radii: so far beside the way of the target chasers go at most
local WAIT = 15             -- steps until one that is not in reach looks whether it could change places, or tries again
local LOOK = 4              -- steps between two looks of a walker that is far away
local FAR = 10              -- in radii: one that is farther than that from its goal is far away
local OTHERS = 64           -- so many walkers of its ring a walker looks at
local WORTH = 0.95          -- two change places if the sum of the squares of their ways gets less than this part
local LEAN = 0.2            -- in radii: the goal of one that is to touch its target lies so much nearer to it
local TRIES = 3             -- so often, while its place stays where it is
local FINE = 1048576        -- headings of followers differ in the last digit from machine to machine

local TOO_FAR = "the target is too far away"

local chase = {}

local is_number = check.FINITE.holds

local function square(x, y) return x * x + y * y end

--- The cosine and the sine of an angle, the same on all machines: math.cos and math.sin differ in the last digit. By
-- the first terms of their series, for an eighth of the angle, which is doubled three times. The error is below 1e-9.
local function turn(angle)
  angle = math.fmod(angle, 2 * math.pi)      -- a large one loses its digits below
  local part = (angle - 2 * math.pi * math.floor(angle / (2 * math.pi) + 0.5)) / 8
  local p = part * part
  local c = 1 - p / 2 * (1 - p / 12 * (1 - p / 30 * (1 - p / 56)))
  local s = part * (1 - p / 6 * (1 - p / 20 * (1 - p / 42 * (1 - p / 72))))
  for _ = 1, 3 do c, s = c * c - s * s, 2 * c * s end
  return c, s
end

local function fine(value) return math.floor(value * FINE + 0.5) / FINE end

--- A field that a target may have. Those of LuaJIT's structs raise where there is none.
local function optional(target, key)
  if type(target) ~= "cdata" then return target[key] end
  local ok, value = core.call(function() return target[key] end)
  return ok and value or nil
end

--- Reads x, y, radius and the direction of a target: of length 1. The fields may be functions of the script.
local function read(target, crowd)
  if core.type(target) == "walker" and target._crowd == crowd then
    local x, y, face_x, face_y = native.at(crowd._handle, target._id)        -- target.x is between two steps
    local length = x and math.sqrt(square(face_x, face_y)) or 0
    if not (length > 0) then return x, y, target.radius, 1, 0 end
    return x, y, target.radius, face_x / length, face_y / length
  end
  local c, s = 1, 0
  local x, y, radius, heading = target.x, target.y, optional(target, "radius"), optional(target, "heading")
  if is_number(heading) then c, s = turn(heading) end
  return x, y, radius, fine(c), fine(s)
end

--- Where a target is: x, y, radius, and its direction. nil: it is nowhere.
function chase.find(target, crowd)
  local ok, found = core.call(function() return { read(target, crowd) } end)
  if not ok or not (is_number(found[1]) and is_number(found[2])) then return nil end
  local radius = found[3]
  return found[1], found[2], is_number(radius) and radius >= 0 and radius or 0, found[4], found[5]
end

--- What is known of a target in this step.
-- @param seen by target, what was found in this step; nil: it is looked for
-- @return a table: x, y, radius, face_x, face_y, and vx, vy if it is a walker of the crowd; false: it is nowhere
local function see(target, crowd, seen)
  local found = seen and seen[target]
  if found ~= nil then return found end
  local x, y, radius, face_x, face_y = chase.find(target, crowd)
  found = x and { x = x, y = y, radius = radius, face_x = face_x, face_y = face_y } or false
  if found and core.type(target) == "walker" and target._crowd == crowd then
    found.vx, found.vy = target.vx, target.vy
  end
  if seen then seen[target] = found end
  return found
end

--- Ends a chase: the walker is lost.
local function give_up(walker, message, code)
  plan.order(walker)                           -- any order is a new one
  plan.lose(walker, message, code)
end

--- Sends a walker to a place, if that is another order than its last one.
-- @param in_any_case true: also if it is the same order, or if it has arrived
local function send(walker, order, x, y, in_any_case)
  local crowd, handle, id = walker._crowd, walker._handle, walker._id
  if not native.reaches(handle, x, y) then return give_up(walker, TOO_FAR, "no_path") end
  order.x, order.y = x, y
  order.version = order.failed and true      -- one that has failed is tried again now
  if in_any_case then check.call(native.stop, handle, id) end
  if not crowd._map then
    check.call(native.go, handle, id, { x, y })
  elseif not check.call(native.again, handle, id, x, y) then
    plan.finish(walker)
    check.call(native.send, handle, id, x, y)
    plan.ask(walker)
  end
end

--- Where a chaser at at_x, at_y goes that is far from its target. If this is a walker of the crowd: where it will be
-- when the chaser could be there, and beside that place as far as the chaser is beside the way of the target. So
-- chasers cut corners, and run side by side. Otherwise, or if something is between: where the target is.
local function lead(walker, target, x, y, at_x, at_y)
  local crowd, vx, vy = walker._crowd, target.vx, target.vy
  if not vx or vx == 0 and vy == 0 then return x, y end
  local away_x, away_y = at_x - x, at_y - y
  local time = AHEAD * math.sqrt(square(away_x, away_y)) / math.max(walker.speed, 1e-3)
  time = math.min(time, AHEAD_MOST)
  local to_x, to_y = x + time * vx, y + time * vy
  local speed = math.sqrt(square(vx, vy))
  if speed > 0 then
    local aside = (away_y * vx - away_x * vy) / speed
    local most = ASIDE * walker.radius
    aside = math.max(-most, math.min(most, aside)) / speed
    to_x, to_y = to_x - aside * vy, to_y + aside * vx
  end
  if crowd._kind == "grid" and crowd._map:clear_points(x, y, to_x, to_y) then return to_x, to_y end
  return x, y
end

--- Lets a walker rest that is in reach: at its place, if it has one.
-- @param touching the sum of the radii: there it leans against the target. false: it does not
local function rest(walker, order, x, y, at_x, at_y, touching)
  local goal = { at_x, at_y }
  if order.aside_x then goal = { x, y } end
  if order.aside_x and touching then
    local part = (touching - LEAN * walker.radius) / math.sqrt(square(order.aside_x, order.aside_y))
    local goal_x, goal_y = x - (1 - part) * order.aside_x, y - (1 - part) * order.aside_y
    if native.reaches(walker._handle, goal_x, goal_y) then goal = { goal_x, goal_y } end
  end
  order.reached, order.x, order.y = true, x, y
  check.call(native.go, walker._handle, walker._id, goal)
  plan.finish(walker)
  order.failed, walker._message, walker._code = nil, false, false
end

--- Tells once that a walker has arrived.
local function tell(walker, order)
  if order.told then return end
  order.told = true
  plan.note(walker._crowd, walker, plan.ARRIVED)
end

--- Changes the places of a walker and of the other one around its target with which that saves most.
-- @param x, y where the target is
-- @param ring a list of the walkers around the target
-- @return true: it has another place now
local function change_places(walker, order, x, y, at_x, at_y, ring)
  local crowd, best, most = walker._crowd, nil, 0
  local count = math.min(#ring, OTHERS)
  local first = count < #ring and (walker._id + crowd._steps * OTHERS) % #ring or 0
  for i = 1, count do
    local other = ring[(first + i - 1) % #ring + 1]
    local its = other._order
    if its and its ~= order and its.aside_x and not its.angle and rawequal(its.target, order.target) then
      local to_x, to_y = native.at(crowd._handle, other._id)
      to_x, to_y = to_x - x, to_y - y
      local now = square(at_x - x - order.aside_x, at_y - y - order.aside_y)
        + square(to_x - its.aside_x, to_y - its.aside_y)
      local saved = WORTH * now - square(at_x - x - its.aside_x, at_y - y - its.aside_y)
        - square(to_x - order.aside_x, to_y - order.aside_y)
      if saved > most then best, most = other, saved end
    end
  end
  if not best then return false end
  local its = best._order
  order.aside_x, order.aside_y, its.aside_x, its.aside_y = its.aside_x, its.aside_y, order.aside_x, order.aside_y
  for i = 1, 2 do
    local moved, its_order = i == 1 and walker or best, i == 1 and order or its
    local _, _, _, _, arrived = native.at(crowd._handle, moved._id)
    its_order.reached, its_order.tries, its_order.wait = nil, nil, WAIT
    send(moved, its_order, x + its_order.aside_x, y + its_order.aside_y, arrived)
  end
  return true
end

--- One step of a walker that chases.
-- @param seen see `see`; nil: the order is new
-- @param ring a list of the walkers around its target; nil: it keeps its place
local function follow(walker, order, seen, ring)
  local crowd = walker._crowd
  local target = see(order.target, crowd, seen)
  local at_x, at_y, _, _, arrived = native.at(walker._handle, walker._id)
  if walker._order ~= order or not at_x then return end
  if not target then return give_up(walker, "the target is gone", "gone") end
  local x, y, radius = target.x, target.y, target.radius
  if order.failed and plan.waits(walker, order) then return end
  local own = walker.radius
  local reach, touching = order.distance, false
  if not reach then
    reach = (own + radius) * TOUCH
    touching = not order.aside_x or square(order.aside_x, order.aside_y) < (reach + own) ^ 2
    touching = touching and own + radius
  end
  if order.angle then
    local c, s = turn(order.angle)
    local face_x, face_y = target.face_x, target.face_y
    order.aside_x, order.aside_y = reach * (face_x * c - face_y * s), reach * (face_x * s + face_y * c)
  end
  if order.aside_x then
    x, y, reach = x + order.aside_x, y + order.aside_y, PLACE * own
  end
  if not native.reaches(walker._handle, x, y) then return give_up(walker, TOO_FAR, "no_path") end
  local far = math.sqrt(square(x - at_x, y - at_y))
  -- While the target stays, one in reach stays too: others push it a little.
  local stays = order.reached and not order.aside_x and order.x
    and math.sqrt(square(x - order.x, y - order.y)) <= MOVED * own
  if far <= reach or stays or order.reached and far <= reach + AWAY * own then
    if not order.reached then rest(walker, order, x, y, at_x, at_y, touching) end
    if walker.state == "arrived" then tell(walker, order) end
    return
  end
  if not order.aside_x then
    x, y = lead(walker, target, x, y, at_x, at_y)
  end
  -- Others were in the way, also while it waits for a plan. A new order has no x yet.
  local short = arrived and not order.reached and order.x
  local moved = order.x and math.sqrt(square(x - order.x, y - order.y)) or huge
  if moved > MOVED * own then
    order.tries = nil
    if far > reach + GONE * own then order.told = nil end               -- the target gets away
  end
  order.wait = math.max((order.wait or 0) - 1, 0)
  if order.wait == 0 and ring and not order.angle then
    order.wait = WAIT
    if change_places(walker, order, target.x, target.y, at_x, at_y, ring) then return end
    if short then order.wait = 0 end
  end
  if short and (order.tries or 0) >= TRIES then return tell(walker, order) end      -- it stays beside them
  if short and order.wait > 0 then return end
  if short then order.wait, order.tries = WAIT, (order.tries or 0) + 1 end
  if order.reached or order.failed or short or moved > math.max(MOVED * own, BEHIND * far) then
    order.reached = nil
    send(walker, order, x, y, short)
  end
  if far > FAR * own then order.skip = LOOK - 1 end
end

--- Lists the walkers that chase, and those around each target, in the order of the crowd. The lists are kept until
--- another walker chases, or one of them no longer does.
local function list_chasers(crowd)
  local list, rings = {}, {}
  crowd._chasers = { list = list, rings = rings }
  for walker in crowd:each() do
    local order = walker._order
    local target = order and order.target
    if target then list[#list + 1] = walker end
    if target and order.aside_x and not order.angle then
      local ring = rings[target] or {}
      rings[target] = ring
      ring[#ring + 1] = walker
    end
  end
end

--- Lets all walkers that chase follow their targets, after a step.
function chase.work(crowd)
  if not crowd._chasers then list_chasers(crowd) end
  local list, rings, seen = crowd._chasers.list, crowd._chasers.rings, {}
  local changed = false
  for i = 1, #list do
    local walker = list[i]
    local order = walker._order
    local skip = order and order.skip
    if not (order and order.target) then
      changed = true
    elseif skip and skip > 0 and see(order.target, crowd, seen) then
      order.skip = skip - 1
    else
      plan.guard(walker, follow, order, seen, order.aside_x and rings[order.target])
    end
  end
  if changed then crowd._chasers = false end
  crowd._chasing = #list > 0
end

--- Lets a walker chase a target from the next step on.
function chase.begin(walker, order)
  local crowd, last = walker._crowd, walker._order
  if last and rawequal(last.target, order.target) and last.distance == order.distance and last.angle == order.angle
    and (order.angle or last.aside_x == order.aside_x and last.aside_y == order.aside_y) then
    return                                                -- it does so already
  end
  order.partial = order.aside_x and true or order.angle and true or nil
  plan.order(walker, order)
  crowd._chasing, crowd._chasers = true, false
  follow(walker, order)
end

--- Checks a target. Returns its x, y and radius.
function chase.check(target, crowd)
  local kind = type(target)
  check.must(kind == "table" or kind == "userdata" or kind == "cdata", "target",
    "a walker, a follower or a table with x and y", target)
  local x, y, radius = chase.find(target, crowd)
  if not x then
    check.fail "target must have a position: its x and y must be finite numbers"
  end
  return x, y, radius
end

-- Surrounding ------------------------------------------------------------------------------------------------------

--- Places around a target: in rings, as many in each as fit.
-- @return a flat list of x and y, seen from the target
local function rings(count, radius, reach)
  local places, n, ring = {}, 0, reach
  while n < count do
    local ratio, room = math.min(radius / math.max(ring, radius), 1), 1
    while room < count - n and select(2, turn(math.pi / (room + 1))) >= ratio - 1e-6 do room = room + 1 end
    for i = 1, room do
      local c, s = turn(2 * math.pi * i / room)
      places[2 * n + 2 * i - 1], places[2 * n + 2 * i] = ring * c, ring * s
    end
    n = n + room
    ring = ring + 2 * radius * TOUCH
  end
  return places
end

--- Whether these walkers, and no others, surround a target already.
local function surround_it(walkers, target, distance)
  local count, all = 0, {}
  for _, member in ipairs(walkers) do all[member] = true end
  for member in walkers[1]._crowd:each() do
    local order = member._order
    if order and order.aside_x and not order.angle and rawequal(order.target, target) then
      if not all[member] or order.distance ~= distance then return false end
      count = count + 1
    end
  end
  return count == #walkers
end

--- Gives each walker the nearest place that is still free. Those who are near get inner rings.
-- @param x, y, radius of the target
function chase.surround(walkers, target, distance, x, y, radius)
  if #walkers == 0 or surround_it(walkers, target, distance) then return end
  local list, largest = {}, 0
  for i, member in ipairs(walkers) do
    local at_x, at_y = native.at(member._handle, member._id)
    list[i] = { member = member, x = at_x - x, y = at_y - y, i = i }
    list[i].far = square(list[i].x, list[i].y)
    largest = math.max(largest, member.radius)
  end
  table.sort(list, function(a, b) return a.far < b.far or a.far == b.far and a.i < b.i end)
  local places, first = rings(#list, largest, distance or (largest + radius) * TOUCH), 1
  local taken = {}
  while first <= #list do
    -- The places of one ring are equally far from the target.
    local last, ring = first, square(places[2 * first - 1], places[2 * first])
    while last < #list and math.abs(square(places[2 * last + 1], places[2 * last + 2]) - ring) < 1e-3 * (1 + ring) do
      last = last + 1
    end
    for k = last, first, -1 do              -- the nearest walkers get what is left: they go on to the far side
      local item, best, least = list[k], nil, huge
      for p = first, last do
        local far = square(places[2 * p - 1] - item.x, places[2 * p] - item.y)
        if not taken[p] and (not best or far < least) then best, least = p, far end
      end
      taken[best] = true
      chase.begin(item.member, { target = target, distance = distance, aside_x = places[2 * best - 1],
        aside_y = places[2 * best], wait = item.i % WAIT })
    end
    first = last + 1
  end
end

return chase
