-- SPDX-License-Identifier: MIT
-- Walkers that follow what moves. The core does the work of a step: see src/move/crowd/chase.c. It knows where walkers
-- of the crowd are. Other targets have numbers there, and this file tells it before each step where they are: once for
-- each target. The fields of a target may be functions of the script, which may do anything, also to the walker.
--
-- The order of a walker that chases has the fields
--
--   target     a walker, a follower, or any table with x and y
--   distance   at which the target is in reach. nil: they touch
--   angle      from the heading of the target: the walker keeps to the place in this direction, at this distance
--   ring       true: the walker has a place around the target
--   x, y       the goal for which it planned last
--
-- crowd._targets[number] is a target, or false: the number is free; n: how many numbers there are.
-- crowd._targets[target] is its number.

local core = require "wend.core"
local check = require "wend.check"
local plan = require "wend.move.crowd.plan"
local search = require "wend.move.crowd.search"

local native = plan.native

local chase = {}

local is_number = check.FINITE.holds

--- A field that a target may have. Those of LuaJIT's structs raise where there is none.
local function optional(target, key)
  if type(target) ~= "cdata" then return target[key] end
  local ok, value = core.call(function() return target[key] end)
  return ok and value or nil
end

--- Where a target is: x, y, radius, heading. nil: it is nowhere.
local function find(target)
  local ok, found = core.call(function()
    return { target.x, target.y, optional(target, "radius"), optional(target, "heading") }
  end)
  if not ok or not (is_number(found[1]) and is_number(found[2])) then return nil end
  local radius, heading = found[3], found[4]
  return found[1], found[2], is_number(radius) and radius >= 0 and radius or 0, is_number(heading) and heading or 0
end

--- The id of a target that is a walker of the crowd; or nil, and its number. Runs no script.
-- @param ... where it is: see find
local function known_as(crowd, target, ...)
  if core.type(target) == "walker" and target._crowd == crowd then return target._id end
  local targets = crowd._targets
  local number = targets[target] or 0
  while targets[number] and not rawequal(targets[number], target) do number = number + 1 end
  check.call(native.target, crowd._handle, number, ...)
  targets.n = math.max(targets.n, number + 1)
  targets[number], targets[target] = target, number
  return nil, number
end

--- Tells the core where the targets are, before a step. Those that nobody chases are forgotten.
function chase.look(crowd)
  local targets, handle = crowd._targets, crowd._handle
  for number = 0, targets.n - 1 do
    local target = targets[number]
    if target and native.target(handle, number, find(target)) == 0 then
      targets[number], targets[target] = false, nil
    end
  end
  while targets.n > 0 and not targets[targets.n - 1] do targets.n = targets.n - 1 end
end

--- A walker has arrived: it needs no plan.
function chase.end_plan(walker)
  plan.finish(walker)
  local order = walker._order
  if order and order.target then order.failed, walker._message, walker._code = nil, false, false end
end

--- The core has ended a chase: the walker is lost.
function chase.give_up(walker, kind)
  plan.order(walker)                           -- any order is a new one
  if kind == plan.GONE then
    plan.lose(walker, "the target is gone", "gone")
  else
    plan.lose(walker, "the target is too far away", "no_path")
  end
end

--- Lets a walker chase a target from the next step on.
-- @param ... where it is: see find
function chase.begin(walker, order, ...)
  local crowd, last, target = walker._crowd, walker._order, order.target
  if last and rawequal(last.target, target) and last.distance == order.distance and last.angle == order.angle
    and not last.ring then
    return                                                -- it does so already
  end
  order.partial = order.angle and true or nil
  local id, number = known_as(crowd, target, ...)
  check.call(native.chase, walker._handle, walker._id, id, number, order.distance, order.angle)
  plan.order(walker, order)
  if crowd._map then search.ask_soon(walker) end
end

--- Checks a target. Returns where it is: see find.
function chase.check(target)
  local kind = type(target)
  check.must(kind == "table" or kind == "userdata" or kind == "cdata", "target",
    "a walker, a follower or a table with x and y", target)
  local x, y, radius, heading = find(target)
  if not x then
    check.fail(core.type(target) == "walker" and "the target was removed"
      or "target must have a position: its x and y must be finite numbers")
  end
  return x, y, radius, heading
end

--- Gives each walker of a list a place around a target.
-- @param ... where it is: see find
function chase.surround(crowd, walkers, target, distance, ...)
  local id, number = known_as(crowd, target, ...)
  if not check.call(native.surround, crowd._handle, walkers, id, number, distance) then return end
  for _, walker in ipairs(walkers) do
    plan.order(walker, { target = target, distance = distance, ring = true, partial = true })
    if crowd._map then search.ask_soon(walker) end
  end
end

--- Lets a walker of a loaded crowd go on chasing. In files of earlier versions the core does not know how: it begins.
-- @param id the id of the target, or nil: it is one of the script
function chase.resume(walker, target, id)
  local order, handle, own, number = walker._order, walker._handle, walker._id, nil
  order.target = target
  if id then
    if native.retarget(handle, own) then return end
  else
    id, number = known_as(walker._crowd, target, find(target))
    if number and native.retarget(handle, own, number) then return end
  end
  if not check.call(native.chase, handle, own, id, number, order.distance, order.angle) then
    chase.give_up(walker, plan.GONE)
  end
end

return chase
