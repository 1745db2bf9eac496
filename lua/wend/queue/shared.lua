-- SPDX-License-Identifier: MIT
-- The option `share` of wend.queue: requests for paths of equal maps, goals and costs read their paths from one field.
--
-- Such requests form a group. The field of a group is made in slices, in the turns of its requests. A request that is
-- alone in its group when its turn begins runs a search of its own, which is cheaper than a field. Once the field is
-- ready, all requests of the group are answered next. The field is kept for later requests until it is out of date,
-- until nothing has used it for KEPT_STEPS steps, or until there are newer ones. Layers change without a trace: a field
-- with the option influence serves only those requests that were there before it was ready. A field that edits have
-- disturbed serves these requests even if it is out of date by then: else edits in each step could make them wait for
-- good.

local core = require "wend.core"
local check = require "wend.check"

local shared = {}

local KEPT_STEPS, KEPT_MOST = 60, 8     -- for how long, and how many fields are kept
-- Requests share a field if these options are equal; and the other options that share allows.
local OF_FIELD = {
  "costs", "agent", "cost", "at_least", "size", "influence", "closed_goal", "within", "beside", "sight",
}
local ALLOWED = {
  corners = true, into = true, labels = true, priority = true, owner = true, on_done = true, share = true,
}
for _, name in ipairs(OF_FIELD) do ALLOWED[name] = true end

--- The groups of a queue: by their goals, and those that have a field.
function shared.new()
  return { by_goal = {}, kept = {} }
end

-- Groups -----------------------------------------------------------------------------------------------------------

--- Checks the options of a request with share.
function shared.check(kind, options)
  if kind ~= "path" then
    check.fail("share is an option of q:path: q:%s cannot share a field", kind)
  end
  for key in next, options do
    if not ALLOWED[key] then
      check.fail("share cannot be combined with the option %s", check.describe(key))
    end
  end
end

--- A group without requests.
-- @param x, y the goal; y is nil on graphs: x is then a node; x is nil if there is a list of goals
function shared.group(map, x, y, options)
  if not x then
    check.fail "share needs one goal, got a list"
  end
  local of_field = {}
  for _, name in ipairs(OF_FIELD) do of_field[name] = rawget(options, name) end
  return { map = map, x = x, y = y, key = y and x + y * 2^26 or x, options = of_field, members = {}, first = 1,
    last = 0, requests = 0, search = nil, field = nil, used = 0, sure = 0 }
end

local function is_equal(a, b)
  for _, name in ipairs(OF_FIELD) do
    if not rawequal(a.options[name], b.options[name]) then return false end
  end
  return a.map == b.map and a.x == b.x and a.y == b.y
end

local function remove_from(list, value)
  for i, one in ipairs(list) do
    if one == value then
      table.remove(list, i)
      break
    end
  end
end

local function remove_group(groups, group)
  local list = groups.by_goal[group.key]
  remove_from(list, group)
  if #list == 0 then groups.by_goal[group.key] = nil end
end

--- Puts a request into the group of the queue that is equal to its own, or its own group into the queue.
function shared.join(groups, request)
  local list = groups.by_goal[request.group.key] or {}
  groups.by_goal[request.group.key] = list
  local group
  for _, one in ipairs(list) do
    if is_equal(one, request.group) and not (one.options.influence and one.field) then group = one end
  end
  if not group then
    group = request.group
    list[#list + 1] = group
  end
  request.group = group
  group.requests, group.last = group.requests + 1, group.last + 1
  group.members[group.last] = request
end

--- Takes a request out of its group: it is over, or searches on its own.
function shared.leave(groups, request)
  local group = request.group
  request.group = false
  group.requests = group.requests - 1
  if group.requests > 0 then
    return
  end
  group.members, group.first, group.last, group.sure = {}, 1, 0, 0
  if not group.field then
    if group.search then core.close(group.search) end
    group.search = nil
    remove_group(groups, group)
  end
end

--- The first request of a group.
function shared.first(group)
  while group.first <= group.last do
    local request = group.members[group.first]
    if request.group == group then
      return request
    end
    group.members[group.first] = nil    -- it has left the group
    group.first = group.first + 1
  end
end

-- Fields -----------------------------------------------------------------------------------------------------------

--- Whether the field of a group is up to date. A script may have freed it.
function shared.is_valid(group)
  local ok, valid = pcall(group.field.valid, group.field)
  return ok and valid
end

--- Whether the next request of a group can be answered from its field.
function shared.is_ready(group)
  if not group.field then
    return false
  end
  return group.sure > 0 and shared.first(group) and group.first <= group.sure or shared.is_valid(group)
end

--- Whether the requests of a group use a field: there are several of them, or the field is made or being made.
function shared.serves(group)
  return group.requests > 1 or group.search ~= nil or shared.is_ready(group)
end

local function drop_field(groups, group)
  remove_from(groups.kept, group)
  group.field = nil
  if group.requests == 0 then remove_group(groups, group) end
end

--- Drops fields without requests that are out of date, or that nothing has used for long.
function shared.tidy(groups, step)
  local kept = groups.kept
  for i = #kept, 1, -1 do
    local group = kept[i]
    local old = group.options.influence or step - group.used > KEPT_STEPS
    if group.requests == 0 and (old or not shared.is_ready(group)) then
      drop_field(groups, group)
    end
  end
end

--- Keeps a new field, in place of the one that was used the longest time ago.
local function keep_field(groups, group, field, step)
  local kept = groups.kept
  if #kept == KEPT_MOST then
    local oldest = kept[1]
    for _, one in ipairs(kept) do
      if one.used < oldest.used then oldest = one end
    end
    drop_field(groups, oldest)
  end
  kept[#kept + 1] = group
  group.field, group.used = field, step
end

--- The search for the field of a group, which has no field that is ready. If it cannot begin: nil and the error.
function shared.search(groups, group)
  if group.field then drop_field(groups, group) end  -- it is out of date
  if not group.search then
    local ok, made = pcall(core.start, "field", group.map, group.x, group.y or group.options, group.options)
    if not ok then return nil, made end
    group.search = made
  end
  return group.search
end

--- Ends the search for the field of a group. If there is no field, the next request of the group begins again.
-- @param disturbed whether edits have made the search begin again
function shared.finish(groups, group, field, step, disturbed)
  core.close(group.search)
  group.search = nil
  group.sure = disturbed and group.last or 0       -- so many of its requests get this field in any case
  if field then keep_field(groups, group, field, step) end
end

return shared
