-- SPDX-License-Identifier: MIT
-- Plans that a crowd waits for, as data: the requests of its own queue, and the fields that they share. In the loaded
-- crowd each search begins again, and takes the expansions that it had taken (lua/wend/queue/state.lua).

local plan = require "wend.move.crowd.plan"
local search = require "wend.move.crowd.search"
local state = require "wend.queue.state"

local waiting = {}

--- What a field that no request waits for needs to be made again: a walker with the same costs and the same view.
local function find_like(crowd, group)
  local options = group.options
  for member in crowd:each() do
    if plan.has_costs(member, options) and search.sees(member, group.map) then return member._id end
  end
end

--- A copy of plain data. No table can be in the data of a crowd twice.
function waiting.copy(value)
  if type(value) ~= "table" then return value end
  local made = {}
  for key, item in next, value do made[key] = waiting.copy(item) end
  return made
end

--- Adds the plans to the data of a crowd.
function waiting.pack(crowd, made)
  local requests, jobs, groups, objects, served = state.pack(crowd._queue)
  for i, request in ipairs(jobs) do
    local one, job = requests[i], request.owner
    one.walker, one.plan, one.partial, one.closed_goal = job.walker._id, job.number, job.partial, job.closed_goal
    one.x, one.y, one.to_x, one.to_y, one.most, one.round = job.x, job.y, job.to_x, job.to_y, job.most, job.round
    one.ends, one.variation, one.seed = waiting.copy(job.ends), job.variation, job.seed
    one.mine = job.walker._order == job.order or nil
  end
  for i, group in ipairs(groups) do
    if group.count == 0 then group.like = find_like(crowd, objects[i]) end
  end
  made.requests, made.searches, made.served = requests, groups, served
  made.spent, made.asked = crowd._spent, crowd._asked or nil
end

--- Begins the search of a walker again. Returns the request; false: it cannot begin.
local function begin(crowd, given)
  local member = crowd._walkers[given.walker]
  local job = { walker = member, order = given.mine and member._order or not given.mine and {}, number = given.plan,
    x = given.x, y = given.y, to_x = given.to_x, to_y = given.to_y, closed_goal = given.closed_goal,
    ends = given.ends, partial = given.partial, most = given.most, round = given.round,
    variation = given.variation, seed = given.seed,
    view = (crowd._kind == "grid" or crowd._high) and search.view(member) or nil }
  local ok, request = pcall(given.round and search.around or search.begin, job)
  return ok and request or false
end

--- Makes the group of a field that no request waits for. nil: there is none
local function group_of(crowd, given)
  local member = crowd._walkers[given.like]
  if not member then return nil end
  return state.group(crowd._queue, search.view(member).map, given.x, given.y,
    plan.with_costs(member, { closed_goal = given.closed_goal, variation = given.variation, seed = given.seed }))
end

--- Begins the plans of a crowd again.
-- @param keeps by id: whether the walker has the order of the file
function waiting.restore(crowd, given, keeps)
  local native, handle = plan.native, crowd._handle
  if not given.requests or not crowd._budget then return native.replan(handle) end
  local requests, groups = {}, {}
  for i, one in ipairs(given.requests) do requests[i] = keeps[one.walker] and begin(crowd, one) or false end
  for i, group in ipairs(given.searches or {}) do groups[i] = group.count == 0 and group_of(crowd, group) or nil end
  state.restore(crowd._queue, given.requests, requests, given.searches or {}, groups, given.served)
  for i, one in ipairs(given.requests) do
    if not requests[i] and keeps[one.walker] then native.replan(handle, one.walker) end
  end
  crowd._spent, crowd._asked = given.spent or 0, given.asked or false
end

return waiting
