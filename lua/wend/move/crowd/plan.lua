-- SPDX-License-Identifier: MIT
-- Searches for the plans that walkers want. The core says who wants one, and takes the answers: see plan.c and jam.c in
-- src/move/crowd.
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
--
-- A plan to a place goes through the queue of the crowd, on grids with the option share: so walkers with one goal may
-- read their paths from one field. If a walker gets another order meanwhile, its search goes on: it sets out along that
-- answer, and then plans again. So a walker that is sent on in each frame gets on, however long its searches take.
--
-- A way around a jam is searched on an overlay, where the cells of the jam are dearer; the walker then gets the same
-- cells as a path of the map. A walker whose path an edit has touched plans again after the next step. On grids the
-- core finds it. Searches read the map as it was when they began: so an answer is compared with the edits since then.

local core = require "wend.core"
local parts = require "wend.once"
local check = require "wend.check"
local queue = require "wend.queue"
local heights = require "wend.move.crowd.heights"

local native = parts.crowds

local POINTS = 4            -- numbers of a new route that take about as long as an expansion
local RETRY = 30            -- steps after which a lost walker plans again
local ASK = 64              -- expansions that take about as long as beginning a search
local SOON = 1 / 8          -- of the budget: for plans that orders ask for at once
local WAITING_MOST = 256    -- so many plans wait in the crowd's own queue: each takes 4 kB. The core keeps the others
local VIEWS_MOST = 8        -- radii of wide walkers whose views of the map a crowd keeps
local WORTH = 0.75          -- a way around costs at most this part of the way through the jam, without the last step

-- native: the functions of the core for crowds. The rest are kinds of events: those of the core, and one more.
local plan = { native = native, ARRIVED = 0, STUCK = 1, CROSSES = 4, GONE = 5, TOO_FAR = 6, LOST = 7 }
plan.BUDGET = 4096          -- expansions in a step
plan.STALE_FIELD = {}       -- in place of a field that was out of date when its crowd was saved

--- Counts work that is not a search of the queue, in expansions that take as long.
local function spend(crowd, n)
  crowd._spent = crowd._spent + n
end

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
local function cancel_around(walker)
  local request = rawget(walker, "_around")
  if not request then return end
  walker._around = nil
  request:cancel()
end

--- The core has got another place for a walker. A search for an earlier one goes on.
local function redirect(walker)
  cancel_around(walker)
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
local function bare(fn, ...) return results_of(pcall(fn, ...)) end

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
  bare(native.costs, walker._handle, walker._id, options, what)
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
local function note_tags(crowd)
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

--- The path of a route of a graph: without the legs to the graph and from it.
-- @param version, time of the map when its search began; of the profiles then, or earlier
-- @return a path; nil: it passes no node; false: an edit has removed a part of it
local function path_of(route, walker, version, time)
  local nodes, edges = route.nodes, {}
  for i = 1, #route.edges do
    if route.edges[i] then edges[#edges + 1] = route.edges[i] end
  end
  if #nodes ~= #edges + 1 then return nil end
  local path = check.call(parts.path, route.map, nodes, edges, plan.with_costs(walker), version, time)
  if path then rawset(path, "cost", route.cost) end
  return path or false
end

--- Notes the way of a walker on the map of its own. found: its path on the map of the crowd; false: it is not known
function plan.note_seen(walker, found)
  local map = rawget(walker, "_map")
  if not map then return end
  walker._seen = found and parts.path(map, plan.cells_of(found), {}, plan.with_costs(walker)) or false
  walker._bumped = nil
end

--- Answers a plan with a path of the grid, or with a route of the graph. Functions of tags may raise, and a node may be
--- too far away for a crowd. If edits have touched the answer since its search began, the walker plans again.
-- @param origin of a grid: the path that the search has found, or nil: no edit can have touched it; of a graph: a table
-- with version and time, see path_of
-- @param elsewhere whether it leads to the place of an earlier order
local function answer(walker, number, found, order, origin, elsewhere)
  local handle, id = walker._handle, walker._id
  local goes, path, holds
  if walker._crowd._kind == "grid" then
    holds = not origin or bare(origin.valid, origin)
    local partial = elsewhere or found.partial
      or order.x and order.partial and not walker._crowd._map:cell_at(order.x, order.y)
    goes = bare(native.answer, handle, id, number, found, plan.speeds_of(walker) == "costs", partial,
      origin ~= nil or not order.field)
  elseif walker._crowd._high then
    local partial = elsewhere or found.partial
    local points, levels = heights.way(walker._crowd._up, found, partial)
    goes = bare(native.answer_points, handle, id, number, points, partial, levels)
    holds = bare(found.valid, found)
    if goes then walker._path = found end
  else
    local points = {}
    for i = 1, #found do points[i] = found[i] end
    goes = bare(native.answer_points, handle, id, number, points, elsewhere or found.partial)
    path = goes and path_of(found, walker, origin.version, origin.time)
    holds = path == nil or path and bare(path.valid, path)
    if goes then walker._path = path or false end
  end
  if goes == nil then return false end
  if goes then plan.note_seen(walker, found) end
  order.failed, walker._message, walker._code = nil, false, false
  if goes and walker._own_points then           -- it was to follow points, and lost sight of them
    order.x, order.y = walker.goal_x, walker.goal_y
    plan.note_points(walker)
  end
  if goes and not holds then native.touch(handle, id) end
  return true
end

--- The same; an error ends the order.
-- @return false: it is a path of a field, and closed for the walker
local function give(walker, number, found, order, origin, elsewhere)
  local taken = true
  plan.guard(walker, function() taken = answer(walker, number, found, order, origin, elsewhere) end)
  return taken
end

--- Whether a path or a route is one of the map of the crowd, or of an overlay of it.
function plan.owns(walker, given)
  local map = rawget(given, "map")
  return map ~= nil and walker._crowd._map and check.call(native.owns, walker._handle, map)
end

--- A path or a route of the graph of a crowd as a path. Returns nil if it passes no node, and false if it is not open
-- for the walker.
local function path_along(walker, given)
  local map, nodes, edges = walker._crowd._map, given.nodes, given.edges
  if core.type(given) == "path" then
    if not given:valid() then return false end
    nodes, edges = plan.cells_of(given), given:edges()
  end
  local path = path_of({ map = map, nodes = nodes, edges = edges, cost = given.cost }, walker)
  if not path then return path end
  local ok, steps = core.call(map.explain, map, path, plan.with_costs(walker))
  return ok and steps and steps.cost < math.huge and path
end

--- Sends a walker along a path or a route of the map of the crowd, as if that was its plan to the end of it.
-- @param points of the path or the route, as a flat list
-- @param levels their heights, or nil
-- @return false: it is not open for the walker, which was not sent anywhere
function plan.follow(walker, given, points, order, levels)
  local handle, id, path, goes = walker._handle, walker._id, false, nil
  local ok, problem = pcall(function()
    if walker._crowd._kind == "grid" then
      local paced = plan.speeds_of(walker) == "costs"
      goes = native.go_along(handle, id, given, plan.with_costs(walker), paced)
    else
      path = path_along(walker, given)
      if path ~= false then goes = native.go(handle, id, points) end
      if goes and levels then native.rise(handle, id, nil, levels) end
    end
  end)
  if not ok and problem == check.NO_MEMORY then error(problem, 0) end
  if ok and goes == nil then return false end
  if plan.failed(walker, order) and not ok then order.failed = walker._order.failed end
  plan.finish(walker)
  plan.order(walker, order)
  walker._path = path or false
  if not ok then plan.lose(walker, type(problem) == "string" and problem or check.describe(problem), "error") end
  return true
end

--- Notes the costs that a field was made with, which its paths have.
function plan.note_field(order, path)
  order.made = { costs = path.costs, agent = path.agent, influence = path.influence }
end

--- Tells the core on which cells a walker arrives that follows a field. leads: the field has goals
local function note_area(walker, field, leads)
  local areas, known = walker._crowd._areas, nil
  if leads then
    known = areas[field] or {}
    local made, cells = bare(native.goals, walker._handle, field, known.made)
    if made then known.made, known.cells = made, cells end
    areas[field] = known
  end
  bare(native.area, walker._handle, walker._id, known and known.cells)
end

--- Answers with the way to the nearest goal of a field.
-- @param to_x, to_y the goal of its last way, or nil
-- @return the goal, if the walker has to look for a way to it by itself: the field is out of date, or its way is closed
-- for the walker
local function read_field(walker, number, x, y, to_x, to_y, order)
  local field, message, code = order.field, "the field is out of date", "stale"
  if not x then return plan.lose(walker, "the walker is outside the grid", "no_path") end
  if field ~= plan.STALE_FIELD then
    local leads = bare(native.takes, walker._handle, field)   -- the script may have made another field of it
    order.aimless = order.aimless or not leads                -- a decoded field does not know that
    local path, why, its_code = bare(field.path, field, x, y)
    local stale = path and not bare(path.valid, path)
    if path and not (stale and order.aimless) then
      spend(walker._crowd, #path)
      if not stale then
        plan.note_field(order, path)
        note_area(walker, field, leads)
        if give(walker, number, path, order) then return end
      end
      if not (stale and to_x and order.made) then to_x, to_y = path[#path - 1], path[#path] end
      return to_x, to_y
    elseif not path then
      message, code = why, its_code
    end
  elseif not order.aimless and to_x then
    return to_x, to_y
  end
  plan.lose(walker, message, code)
end

--- The key of the view of a walker, and its radius; 0: it sees the map itself.
local function view_key(walker)
  local handle, id, map = walker._handle, walker._id, rawget(walker, "_map")
  local radius, numbers = native.width(handle, id), walker._crowd._map_numbers
  if map and not numbers[map] then numbers.n, numbers[map] = numbers.n + 1, numbers.n + 1 end
  if not (radius or map) then return 0 end
  return ("%.17g %.17g %d"):format(radius or 0, radius and native.closed(handle, id) or 0, map and numbers[map] or 0),
    radius
end

--- Whether a walker plans on this map, as far as it has planned yet.
function plan.sees(walker, map)
  local view = walker._crowd._views[view_key(walker)]
  return map == (view and view.map)
end

--- What the disc of a walker sees of the map. Walkers of one radius share it, if the same tags are closed for them.
-- @return a table: radius; base, the map or the walker's own; map, a grid on which it plans: for a point the base, else
-- an overlay of it with the steps of the disc; overlay and round: see overlay_of
function plan.view(walker)
  local crowd, handle, id = walker._crowd, walker._handle, walker._id
  local views, key, radius = crowd._views, view_key(walker)
  local view = views[key]
  if view then return view end
  local base = plan.map_of(walker)
  view = { base = base, map = base, radius = radius, overlay = false, round = 0 }
  if key ~= 0 then
    if views.n == VIEWS_MOST then crowd._views = { [0] = views[0], n = 0 } end
    views = crowd._views
    views.n = views.n + 1
  end
  if radius then
    view.map = check.call(base.overlay, base)
    check.call(native.fit, handle, id, view.map, radius)
  end
  views[key] = view
  return view
end

--- The overlay with the jams of a round: their cells are dearer.
local function overlay_of(walker, view, round)
  local crowd = walker._crowd
  local map, overlay = view.base, view.overlay
  if view.round == round then return overlay end
  if not overlay then
    overlay = map:overlay()
    if view.radius then native.fit(walker._handle, walker._id, overlay, view.radius) end
  end
  overlay:reset()
  local jams = native.jams(crowd._handle)
  spend(crowd, #jams)
  for i = 1, #jams, 3 do
    local x, y, times = jams[i], jams[i + 1], jams[i + 2]
    local weight, tag = map:get(x, y)
    if weight and tag ~= nil then overlay:set(x, y, weight * times, tag)
    elseif weight then overlay:set(x, y, weight * times) end      -- false: it was closed after the round began
  end
  view.overlay, view.round = overlay, round
  return overlay
end

--- What a way around may cost for a walker. Its own way through the jam costs more, but for the last step: all ways
-- end in the cell of the goal. first: so many cells of its way lead to its path; if something is between, only the path
-- counts.
-- @return nil: it is not known
local function most_around(overlay, way, first, walker)
  local options = plan.with_costs(walker)
  local ok, steps = core.call(overlay.explain, overlay, way, options)
  local cost = ok and steps and steps.cost
  if first > 0 and not (cost and cost < math.huge) then
    local path = {}
    for i = 2 * first + 1, #way do path[#path + 1] = way[i] end
    ok, steps = core.call(overlay.explain, overlay, path, options)
    cost = ok and steps and steps.cost
  end
  if not (cost and cost > 0 and cost < math.huge) then return nil end
  return WORTH * cost + (1 - WORTH) * steps[#steps].cost
end

--- The cells of a path, as a list.
function plan.cells_of(path)
  local cells = {}
  for i = 1, #path do cells[i] = path[i] end
  return cells
end

--- The path of the map with the cells of one of an overlay.
local function path_on_map(walker, found)
  local path = parts.path(walker._crowd._map, plan.cells_of(found), {}, plan.with_costs(walker))
  if path then rawset(path, "partial", found.partial) end
  return path
end

--- Ends the search for a way around a jam.
local function end_around(job, found)
  local walker, map = job.walker, job.view.base
  if rawget(walker, "_around") == job.request then walker._around = nil end
  local path = found and path_on_map(walker, found)
  if path and core.reads(map) ~= job.version then           -- is it still open?
    local ok, steps = core.call(map.explain, map, path, plan.with_costs(walker))
    if not (ok and steps and steps.cost < math.huge) then path = nil end
  end
  if not path then return native.answer(walker._handle, walker._id, job.number, nil) end
  give(walker, job.number, path, walker._order or {})
end

--- Begins the search for a way around a jam.
-- @param job see plan.search; round: the number of the jams; most: what the way may cost
-- @return the request; nil: there is none
function plan.search_around(job)
  local walker = job.walker
  local crowd = walker._crowd
  job.version = core.reads(job.view.base)
  local function done(found) return end_around(job, found) end
  job.request = crowd._queue:path(overlay_of(walker, job.view, job.round), job.x, job.y, job.to_x, job.to_y,
    plan.with_costs(walker, { labels = false, max_cost = job.most, owner = job, on_done = done })) or nil
  walker._around = job.request
  return job.request
end

--- Searches for a way around a jam, if there may be one that is worth it.
-- @param first, way see most_around
local function ask_around(job, first, way)
  local walker = job.walker
  spend(walker._crowd, #way)
  job.most = most_around(overlay_of(walker, job.view, job.round), way, first, walker)
  if not (job.most and plan.search_around(job)) then
    native.answer(walker._handle, walker._id, job.number, nil)
  end
end

--- The cell where a plan of a walker ends that is sent to a cell of a grid. A wide one may not fit there: then it is
-- the nearest cell where it does.
-- @return x, y; nil: there is none
function plan.goal_cell(walker, view, x, y, order)
  if not view.radius or view.radius <= 0.5 or not order.closed_goal and view.map:is_closed(x, y) then return x, y end
  if order.x then return native.room(walker._handle, walker._id, order.x, order.y) end
  return native.room(walker._handle, walker._id, view.map:position(x, y))   -- it was to follow points
end

--- The options of searches about the end of a path.
plan.ENDS = { "within", "beside", "sight", "pass_only" }

--- Where a plan of a walker may end whose order has `ends`.
-- @return its options for the search; goals: a flat list of cells. nil: no goal is inside the grid; false: the walker
-- is too wide for all that are
function plan.ends_of(walker, view, order)
  local crowd, ends, inside = walker._crowd, order.ends, false
  local _, _, unit = native.places(walker._handle)
  local cells, range = {}, ends.within or ends.beside or ends.sight
  for i = 1, #ends.goals, 2 do
    local at = { x = ends.goals[i], y = ends.goals[i + 1], closed_goal = order.closed_goal }
    local x, y = crowd._map:cell_at(at.x, at.y)
    inside = inside or x
    if x and not range then x, y = plan.goal_cell(walker, view, x, y, at) end
    if x then cells[#cells + 1], cells[#cells + 2] = x, y end
  end
  spend(crowd, #cells)
  if #cells == 0 and #ends.goals > 0 then return inside and false or nil end
  return { goals = cells, within = ends.within and ends.within / unit, beside = ends.beside, sight = ends.sight,
    pass_only = ends.pass_only }
end

--- Takes the answer to an earlier order of a walker: it sets out along this, and plans again.
-- @param path nil: there is none
local function set_out(walker, path, origin)
  local handle, id, order = walker._handle, walker._id, walker._order or {}
  local number = not order.target and walker._number or native.ask(handle, id, order.partial) or walker._number
  if not number then return end
  if path then give(walker, number, path, order, origin, true) end
  native.replan(handle, id)                     -- if it has not taken the path
  native.touch(handle, id)
end

--- Takes the answer to the search for a plan.
local function done(job, found, message, code, request)
  local walker = job.walker
  local handle, id, order, view = walker._handle, walker._id, job.order or {}, job.view
  if walker._request ~= request then return end
  walker._request = false
  local path = found
  if found and view and view.map ~= walker._crowd._map then path = path_on_map(walker, found) end
  local origin = view and found or { version = request.version, time = job.time }
  if path then queue.charge(walker._crowd._queue, math.floor(#path / POINTS)) end
  local chased_on = order.target and not native.aimed(handle, id, order.x, order.y)
  if walker._order ~= job.order or chased_on or order.target and walker._number ~= job.number then
    set_out(walker, path, origin)
  elseif path then
    order.short = found.partial and job.began
    give(walker, job.number, path, order, origin)
  elseif found then
    native.defer(handle, id, job.number)
  elseif code == "stale" and walker._crowd._high then      -- a place of the path has gone meanwhile
    native.replan(handle, id)
  elseif order.partial and not job.partial and code == "no_path" then
    job.partial = true                          -- the nearest place takes a search of its own: no field tells it
    plan.search(job)
  else
    if code == "no_path" and view and view.radius then
      message = ("%s for the radius %g"):format(message, walker.radius)
    end
    plan.lose(walker, message, code)
  end
end

--- Begins the search for a plan.
-- @param job a table:
--   walker, order, number   whose plan it is; its order, or false; the number by which the core knows the plan
--   view                    on grids: what the walker sees of the map
--   x, y, to_x, to_y        where it begins and ends; with heights x and to_x are nodes, y and to_y are 0
--   ends                    instead of to_x and to_y: see ends_of
--   closed_goal, partial, variation, seed    as in the order; partial: the search for the place nearest to the goal
function plan.search(job)
  local walker = job.walker
  local crowd = walker._crowd
  local options = plan.with_costs(walker, { partial = job.partial, closed_goal = job.closed_goal, labels = false,
    variation = job.variation, seed = job.seed, owner = job, on_done = function(...) return done(job, ...) end })
  local request, _
  job.began, job.time = native.version(walker._handle)
  if job.ends then
    for _, name in ipairs(plan.ENDS) do options[name] = job.ends[name] end
    request, _ = crowd._queue:path(job.view.map, job.x, job.y, job.ends.goals, options)
  elseif crowd._kind == "grid" then
    options.share = not job.partial or nil
    request, _ = crowd._queue:path(job.view.map, job.x, job.y, job.to_x, job.to_y, options)
  elseif crowd._high then
    options.share = not job.partial or nil
    request, _ = crowd._queue:path(crowd._map, job.x, job.to_x, options)
  else
    options.clear = crowd._walls
    request, _ = crowd._queue:route(crowd._map, { job.x, job.y }, { job.to_x, job.to_y }, options)
  end
  walker._request = request or false
  if not request then native.defer(walker._handle, walker._id, job.number) end        -- the queue is full
  return request
end

--- Searches for the plan that a walker wants.
function plan.ask(walker)
  local crowd, handle, id = walker._crowd, walker._handle, walker._id
  if native.width(handle, id) then plan.read_closed(walker) end        -- its view depends on it
  local order = walker._order or {}
  local number, x, y, to_x, to_y, height, round, first, way = native.ask(handle, id, order.partial)
  if not number then return end
  if order.target then order.x, order.y = walker.goal_x, walker.goal_y end     -- the core has sent it on
  if crowd._high then
    local to_height = order.target and heights.of(order.target) or order.height or height
    order.node = heights.node(crowd._map, crowd._up, to_x, to_y, to_height)
    x, y, to_x, to_y = heights.node(crowd._map, crowd._up, x, y, height), 0, order.node, 0
    if not x then return plan.lose(walker, "the map has no nodes", "no_path") end
  end
  spend(crowd, ASK)
  if not round then cancel_around(walker) end
  walker._number = number
  if order.field then
    plan.read_closed(walker)
    to_x, to_y = read_field(walker, number, x, y, to_x, to_y, order)
    if not to_x then return end
  end
  if walker._request and not round then return end      -- the search for an earlier order answers first
  local job = { walker = walker, order = walker._order, number = number, x = x, y = y, to_x = to_x, to_y = to_y,
    view = crowd._high and plan.view(walker) or nil, closed_goal = order.closed_goal, variation = order.variation,
    seed = order.seed }
  if crowd._kind == "grid" then
    bare(native.owns, handle, plan.map_of(walker))      -- its own map may have been freed
    local view, at_x = plan.view(walker), nil
    job.view = view
    if order.ends and not round then
      job.ends, job.to_x, job.to_y = plan.ends_of(walker, view, order), nil, nil
      to_x, at_x = job.ends ~= nil, job.ends
    elseif x and to_x then
      local at_y
      at_x, at_y = plan.goal_cell(walker, view, to_x, to_y, order)
      job.to_x, job.to_y = at_x or to_x, at_y or to_y
    end
    if round then
      job.round = round
      return ask_around(job, first, way)
    end
    if not x then return plan.lose(walker, "the walker is outside the grid", "no_path") end
    if not to_x then return plan.lose(walker, "the goal is outside the grid", "no_path") end
    if not at_x and (order.ends or not order.partial) then
      return plan.lose(walker, ("the radius %g is too wide for the goal"):format(walker.radius), "no_path")
    end
  end
  plan.search(job)
end

--- Whether the queue of a crowd takes no more plans now.
local function is_full(crowd) return crowd._budget and crowd._queue:pending() >= WAITING_MOST end

--- Asks for the plan of an order at once, unless there were many orders since the last step: then after the next one.
function plan.ask_soon(walker)
  local crowd = walker._crowd
  if crowd._spent >= SOON * (crowd._budget or plan.BUDGET) or is_full(crowd) then return end
  local ok, err = pcall(plan.ask, walker)
  if not ok then                                -- nobody looks for that plan: memory ran out, or the field is unfit
    native.replan(walker._handle, walker._id)
    check.call(error, err, 0)
  end
end

--- Asks for those who want plans after a step, one after another, while that takes less than half of the budget and the
-- queue takes them; the next step goes on with the others. Then works off the queue.
function plan.work(crowd)
  local q, handle, budget = crowd._queue, crowd._handle, crowd._budget
  local most = (budget or plan.BUDGET) / 2
  plan.note_edits(crowd)
  if crowd._tags then note_tags(crowd) end
  local walker, id = native.wants(handle, crowd._asked or nil)
  if not walker and crowd._asked then walker, id = native.wants(handle) end
  crowd._spent = 0
  while walker and crowd._spent < most and not is_full(crowd) do
    plan.guard(walker, plan.ask)
    crowd._asked = id
    walker, id = native.wants(handle, id)
  end
  if not walker then crowd._asked = false end
  if budget then
    if q:pending() > 0 then q:step(math.max(1, budget - math.floor(crowd._spent))) end
    queue.drop_fields(q)                        -- if no plan waits
  end
  crowd._spent = 0
end

return plan
