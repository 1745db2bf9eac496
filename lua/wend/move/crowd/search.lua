-- SPDX-License-Identifier: MIT
-- Searches for the plans that walkers want. The core says who wants one, and takes the answers: see plan.c and jam.c in
-- src/move/crowd.
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
local plan = require "wend.move.crowd.plan"

local native, bare = plan.native, plan.bare

local POINTS = 4            -- numbers of a new route that take about as long as an expansion
local ASK = 64              -- expansions that take about as long as beginning a search
local SOON = 1 / 8          -- of the budget: for plans that orders ask for at once
local WAITING_MOST = 256    -- so many plans wait in the crowd's own queue: each takes 4 kB. The core keeps the others
local VIEWS_MOST = 8        -- radii of wide walkers whose views of the map a crowd keeps
local WORTH = 0.75          -- a way around costs at most this part of the way through the jam, without the last step

local search = { BUDGET = 4096 }        -- expansions in a step

--- Counts work that is not a search of the queue, in expansions that take as long.
local function spend(crowd, n)
  crowd._spent = crowd._spent + n
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
function search.owns(walker, given)
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
function search.follow(walker, given, points, order, levels)
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
function search.sees(walker, map)
  local view = walker._crowd._views[view_key(walker)]
  return map == (view and view.map)
end

--- What the disc of a walker sees of the map. Walkers of one radius share it, if the same tags are closed for them.
-- @return a table: radius; base, the map or the walker's own; map, a grid on which it plans: for a point the base, else
-- an overlay of it with the steps of the disc; overlay and round: see overlay_of
function search.view(walker)
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
-- @param job see search.begin; round: the number of the jams; most: what the way may cost
-- @return the request; nil: there is none
function search.around(job)
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
  if not (job.most and search.around(job)) then
    native.answer(walker._handle, walker._id, job.number, nil)
  end
end

--- The cell where a plan of a walker ends that is sent to a cell of a grid. A wide one may not fit there: then it is
-- the nearest cell where it does.
-- @return x, y; nil: there is none
function search.goal_cell(walker, view, x, y, order)
  if not view.radius or view.radius <= 0.5 or not order.closed_goal and view.map:is_closed(x, y) then return x, y end
  if order.x then return native.room(walker._handle, walker._id, order.x, order.y) end
  return native.room(walker._handle, walker._id, view.map:position(x, y))   -- it was to follow points
end

--- The options of searches about the end of a path.
search.ENDS = { "within", "beside", "sight", "pass_only" }

--- Where a plan of a walker may end whose order has `ends`.
-- @return its options for the search; goals: a flat list of cells. nil: no goal is inside the grid; false: the walker
-- is too wide for all that are
function search.ends_of(walker, view, order)
  local crowd, ends, inside = walker._crowd, order.ends, false
  local _, _, unit = native.places(walker._handle)
  local cells, range = {}, ends.within or ends.beside or ends.sight
  for i = 1, #ends.goals, 2 do
    local at = { x = ends.goals[i], y = ends.goals[i + 1], closed_goal = order.closed_goal }
    local x, y = crowd._map:cell_at(at.x, at.y)
    inside = inside or x
    if x and not range then x, y = search.goal_cell(walker, view, x, y, at) end
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
    search.begin(job)
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
function search.begin(job)
  local walker = job.walker
  local crowd = walker._crowd
  local options = plan.with_costs(walker, { partial = job.partial, closed_goal = job.closed_goal, labels = false,
    variation = job.variation, seed = job.seed, owner = job, on_done = function(...) return done(job, ...) end })
  local request, _
  job.began, job.time = native.version(walker._handle)
  if job.ends then
    for _, name in ipairs(search.ENDS) do options[name] = job.ends[name] end
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
function search.ask(walker)
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
  if not round then plan.cancel_around(walker) end
  walker._number = number
  if order.field then
    plan.read_closed(walker)
    to_x, to_y = read_field(walker, number, x, y, to_x, to_y, order)
    if not to_x then return end
  end
  if walker._request and not round then return end      -- the search for an earlier order answers first
  local job = { walker = walker, order = walker._order, number = number, x = x, y = y, to_x = to_x, to_y = to_y,
    view = crowd._high and search.view(walker) or nil, closed_goal = order.closed_goal, variation = order.variation,
    seed = order.seed }
  if crowd._kind == "grid" then
    bare(native.owns, handle, plan.map_of(walker))      -- its own map may have been freed
    local view, at_x = search.view(walker), nil
    job.view = view
    if order.ends and not round then
      job.ends, job.to_x, job.to_y = search.ends_of(walker, view, order), nil, nil
      to_x, at_x = job.ends ~= nil, job.ends
    elseif x and to_x then
      local at_y
      at_x, at_y = search.goal_cell(walker, view, to_x, to_y, order)
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
  search.begin(job)
end

--- Whether the queue of a crowd takes no more plans now.
local function is_full(crowd) return crowd._budget and crowd._queue:pending() >= WAITING_MOST end

--- Asks for the plan of an order at once, unless there were many orders since the last step: then after the next one.
function search.ask_soon(walker)
  local crowd = walker._crowd
  if crowd._spent >= SOON * (crowd._budget or search.BUDGET) or is_full(crowd) then return end
  local ok, err = pcall(search.ask, walker)
  if not ok then                                -- nobody looks for that plan: memory ran out, or the field is unfit
    native.replan(walker._handle, walker._id)
    check.call(error, err, 0)
  end
end

--- Asks for those who want plans after a step, one after another, while that takes less than half of the budget and the
-- queue takes them; the next step goes on with the others. Then works off the queue.
function search.work(crowd)
  local q, handle, budget = crowd._queue, crowd._handle, crowd._budget
  local most = (budget or search.BUDGET) / 2
  plan.note_edits(crowd)
  if crowd._tags then plan.note_tags(crowd) end
  local walker, id = native.wants(handle, crowd._asked or nil)
  if not walker and crowd._asked then walker, id = native.wants(handle) end
  crowd._spent = 0
  while walker and crowd._spent < most and not is_full(crowd) do
    plan.guard(walker, search.ask)
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

return search
