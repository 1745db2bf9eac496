-- SPDX-License-Identifier: MIT
-- What a queue works on, as plain data, for crowds that are saved. Searches are not saved: each is begun again, and
-- takes as many expansions as it had taken. On an equal map it is then where it was.
--
-- The requests of such a queue have one priority. Who saves them keeps the arguments of each, and queues it again.

local shared = require "wend.queue.shared"

local state = {}

--- The numbers of a group, as data. Those of its requests that are left are counted anew.
-- @param numbers by request, its number: filled here
local function pack_group(group, steps, numbers)
  local made = { x = group.x, y = group.y, closed_goal = group.options.closed_goal,
    variation = group.options.variation, seed = group.options.seed, alone = group.alone, each = group.each,
    farthest = group.farthest, dearest = group.dearest, whole = group.whole or nil,
    rebuilt = group.rebuilt or group.old ~= nil or nil,      -- an update that takes more than one slice
    max_cost = group.options.max_cost, ready = group.field ~= nil or nil, age = group.field and steps - group.used or 0,
    worked = group.search and group.worked or nil, count = 0, asked = 0, answered = 0, begun = 0 }
  for i = group.first, group.last do
    local request = group.members[i]
    if request and request.group == group then
      made.count = made.count + 1
      numbers[request] = made.count
      if i <= group.asked then made.asked = made.count end
      if i <= group.ready then made.answered = made.count end
      if i <= group.begun then made.begun = made.count end
    end
  end
  return made
end

--- Packs what a queue works on.
-- @return a list of data, one for each request, in the order in which they work; these requests; a list of data of
-- groups; these groups; the index of the group that is served, or nil
function state.pack(queue)
  local made, requests, groups, objects, index, numbers = {}, {}, {}, {}, {}, {}
  local function add(group)
    if not group or group.requests == 0 and not group.field then return nil end
    if not index[group] then
      objects[#objects + 1], index[group] = group, #objects + 1
      groups[#objects] = pack_group(group, queue.stats.steps, numbers)
    end
    return index[group]
  end
  for _, group in ipairs(queue.groups.kept) do add(group) end
  local line = queue.lines[1] or { running = {}, waiting = {} }
  for _, list in ipairs { line.running, line.waiting } do
    local request = list.next
    while request and request ~= list do
      made[#made + 1] = { left = request.left, worked = request.worked, spent = request.spent or 0,
        group = add(request.group), former = add(request.former), has_worked = request.has_worked or nil,
        beyond = request.group and request.beyond and request.beyond == request.group.field or nil,
        number = numbers[request], slices = request.slices or nil }
      requests[#requests + 1] = request
      request = request.next
    end
  end
  return made, requests, groups, objects, queue.served and index[queue.served] or nil
end

--- Gives the requests of a queue, which were queued again in the same order, what they had.
-- @param given, requests as `pack` returns them; false for a request that could not be queued
-- @param groups, objects the same; objects: only those without requests
function state.restore(queue, given, requests, groups, objects, served)
  local members = {}
  for i, request in ipairs(requests) do
    local group = request and request.group
    if group and not given[i].group then shared.detach(queue.groups, request) end
    local index = group and given[i].group
    if index and (objects[index] or group) == group then
      objects[index] = group
      members[index] = members[index] or {}
      members[index][given[i].number] = request
    end
  end
  for i, one in ipairs(groups) do
    local group, list = objects[i], members[i] or {}
    if group and #list == one.count and one.count == group.requests then shared.restore(queue, group, one, list) end
  end
  queue.served = objects[served] or false
  for i, request in ipairs(requests) do
    local one = given[i]
    if request then
      request.left, request.spent, request.worked = one.left, one.spent, one.worked
      request.former = objects[one.former] or false
      request.has_worked = one.has_worked or false
      if request.group then request.beyond = one.beyond and request.group.field or false end
      request.slices = request.slices and (one.slices or {})
      for _, slice in ipairs(one.slices or { one.worked > 0 and one.worked or nil }) do
        pcall(request.search.step, request.search, slice)
      end
      if request.has_worked then table.insert(queue.readers, request) end
    end
  end
end

--- Puts a group without requests into a queue.
function state.group(queue, map, x, y, options)
  local group = shared.group(map, x, y, options)
  shared.add(queue.groups, group)
  return group
end

return state
