-- SPDX-License-Identifier: MIT
-- Orders of walkers, what their plans depend on, and which of them are due. search.lua looks for these plans.
--
-- The order of a walker has x and y if it leads to a place, or along a path or a route of the map of the crowd: then
-- the first plan is known. It has { field = } if it follows one, { ends = } if the search chooses where it ends, and
-- none of these for points of the script. It has the options partial, closed_goal, variation and seed, and rush for
-- `stop = false`. If it has failed, it is kept with the version of the map and of all profiles, and the step in which
-- it may be tried again: then it fails silently. The version is true while it is tried again, and false if that is due.
-- `short` is such a version, or false, if its plan ends short of the goal: see plan.look_again.
--
-- `ends` has goals, a flat list of positions, and the options of searches about the end of a path: within, in units of
-- the world, beside, sight and pass_only. Each walker searches for such a plan by itself, and arrives where it ends.

local parts = require "wend.once"
local check = require "wend.check"

local native = parts.crowds

local RETRY = 30            -- steps after which a lost walker plans again

-- native: the functions of the core for crowds. The rest are kinds of events: those of the core, and one more.
local plan = { native = native, ARRIVED = 0, STUCK = 1, CROSSES = 4, GONE = 5, TOO_FAR = 6, LOST = 7 }
plan.STALE_FIELD = {}       -- in place of a field that was out of date when its crowd was saved

--- Notes an event, which is told after the update.
function plan.note(crowd, walker, kind)
  local events, n = crowd._events, crowd._count
  events[n + 1], events[n + 2] = walker, kind
  crowd._count = n + 2
end

--- A walker needs no plan.
local function cancel(walker)
  local request = walker._request
  walker._request = false
  if request then request:cancel() end
end

--- A walker needs no way around a jam.
function plan.cancel_around(walker)
  local request = rawget(walker, "_around")
  if not request then return end
  walker._around = nil
  request:cancel()
end

--- The core has got another place for a walker. A search for an earlier one goes on.
local function redirect(walker)
  plan.cancel_around(walker)
  walker._path, walker._number = false, false
end

--- A walker needs neither its path nor a plan.
function plan.finish(walker)
  redirect(walker)
  cancel(walker)
end

--- Tells the core whether a walker keeps its speed until it arrives.
-- @param last, order its order before and now; false or nil: none
function plan.note_rush(walker, last, order)
  local rushes = order and order.rush or nil
  if (last and last.rush or nil) ~= rushes then native.rush(walker._handle, walker._id, rushes) end
end

--- Notes whether a walker goes along points of the script, of which nothing else is known.
function plan.note_points(walker)
  local order = walker._order
  walker._own_points = order and not (order.x or order.field or order.target or order.ends) or false
end

--- Notes the order of a walker, which the core has got. order: nil: it stands
function plan.order(walker, order)
  local target = order and order.target
  if order and (order.x or order.ends or target) and not order.failed then redirect(walker) else plan.finish(walker) end
  if not target then native.chase(walker._handle, walker._id) end
  plan.note_rush(walker, walker._order, order)
  walker._order = order or false
  plan.note_seen(walker, false)
  plan.note_points(walker)
  if not (order and order.failed) then walker._message, walker._code = false, false end
end

--- Whether two values are equal, or tables of equal values.
local function are_equal(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for key, value in next, a do
    if not are_equal(value, b[key]) then return false end
  end
  for key in next, b do
    if a[key] == nil then return false end
  end
  return true
end

--- Whether an order has another field, other ends or other options than the last one of a walker.
function plan.differs(walker, order)
  local last = walker._order
  return not last or last.field ~= order.field or last.target ~= order.target or last.partial ~= order.partial
    or last.closed_goal ~= order.closed_goal or last.rush ~= order.rush or last.formation ~= order.formation
    or last.variation ~= order.variation or last.seed ~= order.seed or last.node ~= order.node
    or not are_equal(last.ends, order.ends)
end

--- Whether an order is the last one of a walker, which has failed.
function plan.failed(walker, order)
  local last = walker._order
  if not last or not last.failed or plan.differs(walker, order) then return false end
  return order.field or order.ends or order.x == last.x and order.y == last.y
    or check.call(native.aimed, walker._handle, walker._id, order.x, order.y)
end

--- Whether an order that has failed is tried again already, or is not to be tried now.
function plan.waits(walker, order)
  local version = order.version
  return version == true
    or walker._crowd._steps < order.failed and check.call(native.version, walker._handle) == version
end

--- A walker has come as near to its goal as it could, and gets the same order again. If the map or the costs have
-- changed since its search, it plans again; if that leads to the same place, nothing happens.
function plan.look_again(walker)
  local order = walker._order
  if not order or order.short == nil or walker.state == "moving" then return end
  local version = check.call(native.version, walker._handle)
  if order.short == version then return end
  order.short = version
  check.call(native.touch, walker._handle, walker._id)
end

--- What a walker knows of its map or of itself has changed: the order that has failed, or came short, is due again.
-- @return whether it has failed
function plan.is_due(order)
  if order.short then order.short = false end
  if order.failed then order.version = false end
  return order.failed ~= nil
end

--- Whether an order is the last one of a walker, and needs nothing new.
function plan.repeats(walker, order)
  local last, handle = walker._order, walker._handle
  if plan.differs(walker, order) then return false end
  if plan.failed(walker, order) then
    order.failed, order.version = last.failed, true
    return plan.waits(walker, last)
  end
  if last.failed then return false end
  if order.x and not check.call(native.again, handle, walker._id, order.x, order.y) then return false end
  last.x, last.y = order.x, order.y
  plan.look_again(walker)
  return true
end

--- There is no way for a walker: it stops.
function plan.lose(walker, message, code)
  local order, crowd = walker._order, walker._crowd
  if not (order and order.failed) then plan.note(crowd, walker, plan.LOST) end
  if order then order.failed, order.version = crowd._steps + RETRY, check.call(native.version, walker._handle) end
  plan.order(walker, order)
  walker._message, walker._code = message or "there is no path", code or "no_path"
  check.call(native.lose, walker._handle, walker._id)
  if code == "no_path" then plan.forget_closed(walker) end         -- the search has asked functions anew
end

local function results_of(ok, ...)
  if not ok then error((...), 0) end
  return ...
end

--- Calls a function of the core. Its errors name no line: walkers have them as messages.
function plan.bare(fn, ...) return results_of(pcall(fn, ...)) end

--- Calls a function for a walker in a step. It reads what the script may have changed since an order was checked, such
--- as a field: an error is the end of this order only.
function plan.guard(walker, fn, ...)
  local ok, problem = pcall(fn, walker, ...)
  if ok then return end
  if problem == check.NO_MEMORY then error(problem, 0) end
  plan.lose(walker, type(problem) == "string" and problem or check.describe(problem), "error")
end

--- What a walker has of its own, or otherwise the crowd.
local function own_or_shared(walker, name)
  local own = rawget(walker, name)
  if own == nil then return walker._crowd[name] end
  return own
end

--- The map on which a walker plans: an overlay of its own, or that of the crowd.
function plan.map_of(walker) return rawget(walker, "_map") or walker._crowd._map end

--- Where a walker goes on: where it is, or where the link ends that it crosses.
function plan.at(walker)
  local link = walker.crossing
  if link then return link.to_x, link.to_y end
  return native.at(walker._handle, walker._id)
end

function plan.speeds_of(walker) return own_or_shared(walker, "_speeds") end
function plan.squeeze_of(walker) return own_or_shared(walker, "_squeeze") end
function plan.links_of(walker) return own_or_shared(walker, "_links") end
function plan.costs_of(walker) return own_or_shared(walker, "_costs") end
function plan.influence_of(walker) return own_or_shared(walker, "_influence") end

--- Options of a query with the costs that a walker has now.
-- @param more the other options, or nil
function plan.with_costs(walker, more)
  local options = more or {}
  options.costs, options.agent = plan.costs_of(walker), rawget(walker, "_agent")
  options.influence = plan.influence_of(walker)
  return options
end

--- Whether the costs that were noted of a field are those that a walker has now.
function plan.has_costs(walker, made)
  return made.costs == plan.costs_of(walker) and made.agent == rawget(walker, "_agent")
    and made.influence == plan.influence_of(walker)
end

--- Tells the core what the costs of a walker say. Functions of tags run, and may raise.
-- @param what "speeds": how the ground slows it; "closed": which cells are closed for it
local function tell_costs(walker, what)
  local options = { costs = plan.costs_of(walker), agent = rawget(walker, "_agent") }
  plan.bare(native.costs, walker._handle, walker._id, options, what)
end

--- Tells the core how the ground slows a walker. Functions of tags run, and may raise.
function plan.pace(walker)
  local speeds, crowd = plan.speeds_of(walker), walker._crowd
  if speeds == nil and not crowd._paced then return end
  crowd._paced = true
  if speeds == "costs" then
    check.call(tell_costs, walker, "speeds")
  else
    crowd._tags = crowd._tags or native.tags(walker._handle)
    check.call(native.speeds, walker._handle, walker._id, speeds)
  end
end

--- The costs of a walker have changed: before the next step and the next plan it is read anew which cells they close.
function plan.forget_closed(walker)
  walker._knows_closed, walker._crowd._unread = false, true
end

--- Reads which cells are closed for a walker, unless that is known.
function plan.read_closed(walker)
  if walker._knows_closed then return end
  walker._knows_closed = true
  if walker._crowd._closes then plan.guard(walker, tell_costs, "closed") end
end

--- Tells the core which walkers follow paths that edits of profiles have touched, and forgets which cells these close;
-- on graphs also edits of the map.
-- @param since, time the edits of profiles that were noted, or false; those by now
local function note_walkers(crowd, on_grid, since, time, new_tags)
  local changed = {}                            -- by profile: whether the costs of a tag have changed
  for walker in crowd:each() do
    local path, costs = walker._path, plan.costs_of(walker)
    if on_grid and costs ~= nil then
      if changed[costs] ~= false then
        changed[costs] = check.call(native.note_costs, walker._handle, walker._id, costs, since or time)
      end
      if changed[costs] or new_tags then plan.forget_closed(walker) end
    elseif path and not check.call(path.valid, path) then
      native.touch(walker._handle, walker._id)
    end
  end
end

--- Notes the edits of the map and of profiles. A new tag of the map may be closed in all profiles.
function plan.note_edits(crowd)
  local version, time = native.version(crowd._handle)
  if not crowd._kind or version == crowd._edits then return end
  local on_grid, since, tags = crowd._kind == "grid", crowd._time, native.tags(crowd._handle)
  local new_tags = tags ~= crowd._closed_tags
  if not on_grid or time ~= since or new_tags then note_walkers(crowd, on_grid, since, time, new_tags) end
  crowd._edits, crowd._time, crowd._closed_tags = version, time, tags
end

--- Reads which cells are closed for the walkers, before a step.
function plan.read_all_closed(crowd)
  if not crowd._closes or crowd._kind ~= "grid" then return end
  plan.note_edits(crowd)
  if not crowd._unread then return end
  crowd._unread = false
  for walker in crowd:each() do plan.read_closed(walker) end
end

--- Factors are kept by the numbers of tags: finds those of new tags of the map.
function plan.note_tags(crowd)
  local tags = native.tags(crowd._handle)
  if tags == crowd._tags then return end
  crowd._tags = tags
  for walker in crowd:each() do
    if type(plan.speeds_of(walker)) == "table" then plan.pace(walker) end
  end
end

--- The profile, the agent, the layers or the width of a walker have changed: it plans again. One that is lost does at
--- its next order.
function plan.plan_again(walker)
  local order = walker._order
  if not order then return end
  if plan.is_due(order) then return end
  cancel(walker)
  native.replan(walker._handle, walker._id)
  local state = not walker._own_points and walker.state         -- one that has arrived rests
  if state == "moving" or state == "stuck" then native.touch(walker._handle, walker._id) end
end

--- What the plans or the speed of a walker depend on has changed.
-- @param name of the option
function plan.changed(walker, name)
  if name == "squeeze" or name == "links" then
    check.call(native.set, walker._handle, walker._id, name, own_or_shared(walker, "_" .. name))
    return
  end
  if name ~= "influence" then plan.pace(walker) end
  if name == "costs" or name == "agent" then plan.forget_closed(walker) end
  if name ~= "speeds" then plan.plan_again(walker) end
end

--- The cells of a path, as a list.
function plan.cells_of(path)
  local cells = {}
  for i = 1, #path do cells[i] = path[i] end
  return cells
end

--- Notes the way of a walker on the map of its own. found: its path on the map of the crowd; false: it is not known
function plan.note_seen(walker, found)
  local map = rawget(walker, "_map")
  if not map then return end
  walker._seen = found and parts.path(map, plan.cells_of(found), {}, plan.with_costs(walker)) or false
  walker._bumped = nil
end

--- Notes the costs that a field was made with, which its paths have.
function plan.note_field(order, path)
  order.made = { costs = path.costs, agent = path.agent, influence = path.influence }
end

return plan
