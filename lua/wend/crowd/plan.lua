-- SPDX-License-Identifier: MIT
-- Where walkers are sent, and the plans of their routes. The core moves walkers along points and plans nothing.
--
-- The aim of a walker is one of
--
--   { x =, y =, costs =, agent = }                 a place
--   { goal_x =, goal_y =, costs =, agent = }       a spot near the goal of its group; the core has the spot
--   { field = }                                    the nearest goal of a field
--   { x =, y =, costs =, agent =, given = true }   the end of points that the script gave
--
-- A plan to a place goes through the queue of the crowd, on grids with the option share: so walkers with one goal read
-- their paths from one field. The points of a path are the centres of its cells, which leaves room on both sides; the
-- core goes straight to the farthest of the next points that it sees. It gets the path as well: for its links, and for
-- what the ground costs, so that it cuts no corners over dearer ground.
--
-- A walker gets a new plan
--
--   when it is slow, and there is a faster way around the jam: see jam.lua
--   when an edit has touched its path, as a watch tells
--   when the core asks for it, because the walker sees no point of its route; at the earliest a second after the last
--   one. A walker that stays where it is gets no more than TRIES_MOST: then it waits, and in the end it is stuck

local check = require "wend.check"
local places = require "wend.crowd.places"
local queue = require "wend.queue"
local saved = require "wend.state.saved"

local raw = places.raw
local HANDLE, ID, CROWD, REASON, CODE = places.HANDLE, places.ID, places.CROWD, places.REASON, places.CODE
local AIM, REQUEST, PLANNED, TRIES = places.AIM, places.REQUEST, places.PLANNED, places.TRIES
local PLAN_X, PLAN_Y = places.PLAN_X, places.PLAN_Y
local MAP, KIND, QUEUE, EVENTS, COUNT, LATER = places.MAP, places.KIND, places.QUEUE, places.EVENTS, places.COUNT,
  places.LATER
local STEPS, WALLS, PATH, WATCH, OWNERS = places.STEPS, places.WALLS, places.PATH, places.WATCH, places.OWNERS
local EDITED, KEPT, LISTED = places.EDITED, places.KEPT, places.LISTED

local TRIES_MOST = 3        -- plans of a walker that stays where it is
local NEAR = 4              -- in radii: it stays where it is; so it does within a cell
local POINTS = 4            -- numbers of a new route that take about as long as an expansion

local plan = {}

plan.WAIT = 30              -- steps from a plan to the next one

--- Notes an event, which is told after the update.
function plan.note(crowd, walker, kind)
  local events, n = crowd[EVENTS], crowd[COUNT]
  events[n + 1], events[n + 2] = walker, kind
  crowd[COUNT] = n + 2
end

--- Forgets the path of a walker.
function plan.let_go(walker)
  local path, crowd = walker[PATH], walker[CROWD]
  if path then
    walker[PATH], crowd[OWNERS][path] = false, nil
    check.call(crowd[WATCH].remove, crowd[WATCH], path)
  end
end

--- Notes the path of a walker, whose points it has got.
function plan.keep(walker, path)
  local crowd = walker[CROWD]
  plan.let_go(walker)
  check.call(crowd[WATCH].add, crowd[WATCH], path)
  crowd[OWNERS][path] = walker
  walker[PATH] = path
  crowd[KEPT] = crowd[KEPT] + 1
  walker[places.ORDER] = crowd[KEPT]
end

--- Forgets the plan of a walker, and why it is lost.
function plan.forget(walker)
  local request = walker[REQUEST]
  plan.let_go(walker)
  walker[REQUEST], walker[AIM], walker[REASON], walker[CODE], walker[TRIES] = false, false, false, false, 0
  if request then request:cancel() end
end

--- Whether what the core says of a walker, that it has arrived or is stuck, is not about its aim: it still goes to its
-- last goal, or it gets a new plan. But one of a group goes to its spot at once, and may be there before its plan.
function plan.is_early(walker, arrived)
  local aim = walker[AIM]
  if not walker[REQUEST] and not (aim and aim.unplanned) then return false end
  return not (arrived and aim and aim.goal_x and walker.state == "arrived")
end

--- A walker has arrived: it needs neither its path nor a plan.
function plan.finish(walker)
  local request, aim = walker[REQUEST], walker[AIM]
  plan.let_go(walker)
  walker[REQUEST] = false
  if aim then aim.unplanned = nil end
  if request then request:cancel() end
end

--- There is no way for a walker: it stops.
local function lose(walker, message, code)
  plan.note(walker[CROWD], walker, places.LOST)          -- it may run out of memory: so it comes first
  walker[AIM], walker[REQUEST] = false, false
  walker[REASON], walker[CODE] = message or "there is no path", code or "no_path"
  check.call(raw.stop, walker[HANDLE], walker[ID])
  plan.let_go(walker)
end

--- Sends a walker along points, and notes when and where that was.
-- @param path of a grid: the path that has these points. The walker takes its links, and keeps to its ground
-- @param lead whether the last point leads to a goal that it has already
-- @return whether it goes
function plan.obey(walker, points, path, lead)
  local handle, id = walker[HANDLE], walker[ID]
  local x, y = raw.at(handle, id)
  if not x then return false end
  local goes
  if path then
    local ok
    ok, goes = pcall(raw.follow, handle, id, points, path, lead)
    if not ok then                              -- a function of a tag has raised, as it may do in a search
      lose(walker, type(goes) == "string" and goes or check.describe(goes), "error")
      return false
    end
  else
    goes = check.call(lead and raw.lead or raw.go, handle, id, points)
  end
  if not goes then return false end
  local _, _, cell = raw.places(handle)
  local dx, dy = raw.ground(handle, x - walker[PLAN_X], y - walker[PLAN_Y])
  local near = math.max(NEAR * walker.radius, cell)
  walker[TRIES] = dx * dx + dy * dy < near * near and walker[TRIES] + 1 or 0
  walker[PLANNED], walker[PLAN_X], walker[PLAN_Y] = walker[CROWD][STEPS], x, y
  return true
end

--- Plans once more in a second, or when it was to be done already.
local function later(walker)
  if walker[LISTED] then return end
  local crowd = walker[CROWD]
  local list = crowd[LATER]
  local last = list.last
  list[last + 1], list[last + 2] = walker, crowd[STEPS] + plan.WAIT
  list.last, walker[LISTED] = last + 2, true
end

--- The points of a path or route to an aim: they end exactly there, or at the goal of the group.
function plan.points_to(aim, result, kind)
  local points
  if kind == "grid" then
    points = check.call(result.points, result) -- a new list
  else
    points = {}
    for i = 1, #result do points[i] = result[i] end
  end
  local n = math.max(#points, 2)
  points[n - 1], points[n] = aim.goal_x or aim.x, aim.goal_y or aim.y
  return points
end

--- The path of a route of a graph, for the watch: without the legs to the graph and from it. nil: it passes no node.
local function path_of(route, aim)
  local nodes, edges = route.nodes, {}
  for i = 1, #route.edges do
    if route.edges[i] then edges[#edges + 1] = route.edges[i] end
  end
  if #nodes ~= #edges + 1 then return nil end
  local path = check.call(saved.path, route.map, nodes, edges, false, false, aim.costs, aim.agent)
  if path then rawset(path, "cost", route.cost) end
  return path
end

--- The function `done` of the request of a walker.
local function done_of(walker, aim, kind)
  return function(result, message, code, request)
    if walker[REQUEST] ~= request or walker[AIM] ~= aim then return end
    walker[REQUEST], aim.unplanned = false, nil
    if result then
      local path = kind == "grid" and result or nil
      local points = plan.points_to(aim, result, kind)
      local goes = plan.obey(walker, points, path, aim.goal_x ~= nil)
      queue.charge(walker[CROWD][QUEUE], math.floor(#points / POINTS))
      if goes then
        path = path or path_of(result, aim)
        if path then plan.keep(walker, path) end
      end
    elseif request:stale() then                 -- there may be a way by now
      aim.unplanned = true
      later(walker)
    else
      lose(walker, message, code)
    end
  end
end

--- Asks for a plan to a place.
local function ask(walker, aim)
  local crowd = walker[CROWD]
  local map, kind, q = crowd[MAP], crowd[KIND], crowd[QUEUE]
  local x, y = raw.at(walker[HANDLE], walker[ID])
  if not x then return end
  local goal_x, goal_y = aim.goal_x or aim.x, aim.goal_y or aim.y
  local done = done_of(walker, aim, kind)
  local request, _
  if kind == "grid" then
    local from_x, from_y = map:cell_at(x, y)
    local to_x, to_y = map:cell_at(goal_x, goal_y)
    if not from_x then return lose(walker, "the walker is outside the grid", "no_path") end
    if not to_x then return lose(walker, "the goal is outside the grid", "no_path") end
    request, _ = q:path(map, from_x, from_y, to_x, to_y,
      { share = true, labels = false, costs = aim.costs, agent = aim.agent, done = done })
  else
    request, _ = q:route(map, { x, y }, { goal_x, goal_y },
      { clear = crowd[WALLS], labels = false, costs = aim.costs, agent = aim.agent, done = done })
  end
  if walker[AIM] ~= aim then                    -- a finalizer has sent it elsewhere
    if request then request:cancel() end
  elseif request then
    walker[REQUEST] = request
  else
    aim.unplanned = true
    later(walker)                               -- the queue is full
  end
end

--- Goes to the nearest goal of a field.
local function read_field(walker, aim)
  local x, y = raw.at(walker[HANDLE], walker[ID])
  if not x then return end
  local from_x, from_y = walker[CROWD][MAP]:cell_at(x, y)
  if not from_x then return lose(walker, "the walker is outside the grid", "no_path") end
  local path, message, code = check.call(aim.field.path, aim.field, from_x, from_y)
  if path and not check.call(path.valid, path) then
    path, message, code = nil, "the field is out of date", "stale"
  end
  if path then
    if plan.obey(walker, check.call(path.points, path), path, false) then plan.keep(walker, path) end
  else
    lose(walker, message, code)
  end
end

--- Plans the way of a walker to its aim. Does nothing without a map: then it goes on as it does.
local function replan(walker)
  local aim = walker[AIM]
  if not aim or walker[REQUEST] then return end
  if aim.field then
    read_field(walker, aim)
  elseif walker[CROWD][MAP] then
    ask(walker, aim)
  end
end

--- Sends a walker to an aim. points: where it goes if there is no map, or what the script gave; nil: only the aim.
function plan.go(walker, aim, points)
  if points then
    if not check.call(raw.go, walker[HANDLE], walker[ID], points) then return end
    plan.forget(walker)
    walker[AIM] = aim
    walker[PLANNED] = walker[CROWD][STEPS]
    return
  end
  plan.forget(walker)
  walker[AIM] = aim
  walker[PLAN_X], walker[PLAN_Y] = math.huge, math.huge
  replan(walker)
end

--- The core asks for a new route of a walker.
function plan.needed(walker)
  local crowd = walker[CROWD]
  if not walker[AIM] or walker[TRIES] >= TRIES_MOST then return end
  if crowd[STEPS] - walker[PLANNED] < plan.WAIT then
    later(walker)
  else
    replan(walker)
  end
end

--- Notes that an edit has touched a path. There may be no memory for the second line: then it is noted twice.
local function note_path(edited, path)
  edited[#edited + 1] = path
  edited[path] = true
end

--- Finds the walkers that need a plan and were forgotten: notes their paths, or has them wait for a plan.
local function recover(crowd)
  local edited, handle, waiting, list = crowd[EDITED], crowd[HANDLE], {}, crowd[LATER]
  for i = list.first, list.last, 2 do waiting[list[i]] = true end
  local walker, id = raw.next(handle)
  while walker do
    local path, aim, request = walker[PATH], walker[AIM], walker[REQUEST]
    if request and request.state ~= "waiting" and request.state ~= "running" then
      walker[REQUEST], request = false, false   -- its function `done` could not be called
    end
    if path then
      if not edited[path] and not check.call(path.valid, path) then
        note_path(edited, path)
      end
    elseif aim and not aim.given and not aim.field and not request and not waiting[walker]
      and walker.state ~= "arrived" then
      aim.unplanned = true
      later(walker)
    end
    walker, id = raw.next(handle, id)
  end
end

--- Notes the paths of the crowd that edits have touched since the last time.
function plan.note_edits(crowd)
  local watch, edited, list = crowd[WATCH], crowd[EDITED], crowd[LATER]
  if not watch then return end
  if list.interrupted then                      -- there was no memory. The watch tells of a path only once
    recover(crowd)
    list.interrupted = false
  end
  if next(crowd[OWNERS]) == nil then return end
  list.interrupted = true
  local touched = watch:affected(crowd[places.TOUCHED])
  for i = 1, #touched do
    local path = touched[i]
    if crowd[OWNERS][path] and not edited[path] then
      note_path(edited, path)
    end
  end
  list.interrupted = false
end

--- Plans for the walkers whose paths were touched, and for those whose time has come. Then works off the queue.
function plan.work(crowd)
  plan.note_edits(crowd)
  local edited, list, steps = crowd[EDITED], crowd[LATER], crowd[STEPS]
  if #edited > 0 then
    list.interrupted = true
    crowd[EDITED] = {}
    for i = 1, #edited do
      local walker = crowd[OWNERS][edited[i]]
      if walker then
        walker[TRIES] = 0
        replan(walker)
      end
    end
    list.interrupted = false
  end
  while list.first < list.last and list[list.first + 1] <= steps do
    local first = list.first
    local walker = list[first]
    list[first], list[first + 1], list.first = nil, nil, first + 2
    walker[LISTED] = false
    local aim, state = walker[AIM], walker.state
    if aim and (aim.unplanned or state == "moving" or state == "stuck") then replan(walker) end
  end
  local q, budget = crowd[QUEUE], crowd[places.BUDGET]
  if budget and q and q:pending() > 0 then
    list.interrupted = true
    q:step(budget)
    list.interrupted = false
  end
end

return plan
