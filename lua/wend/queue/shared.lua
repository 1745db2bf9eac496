-- SPDX-License-Identifier: MIT
-- The option `share` of wend.queue: requests for paths of equal maps, goals and costs read their paths from one field.
--
-- Such requests form a group. The field of a group is made in slices, in the turns of its requests. A request that is
-- alone in its group when its turn begins runs a search of its own, which is cheaper than a field. Once the field is
-- ready, all requests of the group are answered next. The field is kept for later requests until it is out of date,
-- until nothing has used it for KEPT_STEPS steps, or until there are newer ones.

local jit = rawget(_G, "jit")
if jit then jit.off(true, true) end -- see init.lua

local core = require "wend.core"
local check = require "wend.check"

local shared = {}

local KEPT_STEPS, KEPT_MOST = 60, 8     -- for how long, and how many fields are kept that no request waits for
-- The options that share allows.
local ALLOWED = { costs = true, agent = true, cost = true, at_least = true, into = true, labels = true }

--- The names of the groups of a queue.
function shared.new()
  return { by_goal = {}, kept = {} }
end

--- Whether a value is a cell or position given as one value.
local function spread(value)
  local kind = type(value)
  if kind == "table" and rawget(value, "x") == nil and rawget(value, 1) ~= nil then
    check.fail "share needs one goal, got a list"
  elseif kind == "table" or kind == "userdata" or kind == "cdata" then
    return value.x, value.y
  end
  return value
end

--- Checks the options of a request with share.
function shared.check(options)
  for key in next, options do
    if not ALLOWED[key] then
      check.fail("share cannot be combined with the option %s", check.describe(key))
    end
  end
end

--- Replaces cells that are given as one value by numbers. The arguments are those of grid:path.
-- @return x1, y1, x2, y2
function shared.spread_cells(a, b, c, d)
  if type(a) == "number" then
    if type(c) == "number" then
      return a, b, c, d
    end
    return a, b, spread(c)
  end
  local x, y = spread(a)
  if type(b) == "number" then
    return x, y, b, c
  end
  return x, y, spread(b)
end

--- The group of a goal, among those of a queue; makes it if there is none.
-- @param y nil on graphs: x is then a node
function shared.group(groups, map, x, y, options)
  local costs, agent, cost, at_least
  if options then
    costs, agent, cost, at_least = options.costs, options.agent, options.cost, options.at_least
  end
  local key = y and x + y * 2^26 or x
  local group = groups.by_goal[key]
  while group do
    if group.map == map and group.x == x and group.y == y and rawequal(group.costs, costs)
      and rawequal(group.agent, agent) and rawequal(group.cost, cost) and group.at_least == at_least then
      return group
    end
    group = group.after
  end
  group = { map = map, x = x, y = y, costs = costs, agent = agent, cost = cost, at_least = at_least, key = key,
    requests = 0, members = {}, first = 1, last = 0, after = nil, search = nil, field = nil,
    used = 0 }
  group.after = groups.by_goal[key]
  groups.by_goal[key] = group
  return group
end

--- Makes room for one more request in a group. So shared.join needs no memory.
function shared.reserve(group)
  group.members[group.last + 1] = false
end

--- Puts a request into a group.
function shared.join(group, request)
  group.requests = group.requests + 1
  group.last = group.last + 1
  group.members[group.last] = request
end

--- Removes a group without requests.
local function remove(groups, group)
  local one = groups.by_goal[group.key]
  if one == group then
    groups.by_goal[group.key] = group.after
    return
  end
  while one and one.after ~= group do
    one = one.after
  end
  if one then one.after = group.after end
end

--- Removes a group that was made for a request, if nothing else needs it.
function shared.drop(groups, group)
  if group.requests == 0 and not group.field then
    remove(groups, group)
  end
end

local function forget(groups, i)
  local group = groups.kept[i]
  group.field = nil
  if group.requests == 0 then
    remove(groups, group)
  end
  table.remove(groups.kept, i)
end

--- A request of the group is over, or goes its own way. It is in `members` until it is the first there.
function shared.leave(groups, group)
  group.requests = group.requests - 1
  if group.requests == 0 then
    for i = group.first, group.last do group.members[i] = nil end
    group.first, group.last = 1, 0
    if not group.field then
      if group.search then core.close(group.search) end
      group.search = nil
      remove(groups, group)
    end
  end
end

--- The first request of the group that is not over, by its place `key`, which holds its group.
function shared.next_of(group, key)
  local members = group.members
  while group.first <= group.last do
    local request = members[group.first]
    if request[key] == group then
      return request
    end
    members[group.first] = nil
    group.first = group.first + 1
  end
end

--- Whether a group has a field that is up to date. A field can also have been freed by a script.
function shared.is_ready(group)
  if not group.field then
    return false
  end
  local ok, stale = pcall(group.field.stale, group.field)
  return ok and not stale
end

--- Drops fields that are out of date, or that nothing has used for long.
function shared.tidy(groups, step)
  local kept = groups.kept
  for i = #kept, 1, -1 do
    local group = kept[i]
    if group.requests == 0 then
      if not shared.is_ready(group) or step - group.used > KEPT_STEPS then
        forget(groups, i)
      end
    end
  end
end

--- Drops all fields.
function shared.clear(groups)
  for i = #groups.kept, 1, -1 do forget(groups, i) end
end

--- Whether the requests of a group use a field: there are several of them, or the field is made or being made.
function shared.serves(group)
  return group.requests > 1 or group.search ~= nil or shared.is_ready(group)
end

--- Makes the field of a group, or a part of it. The group has none that is ready.
-- @return whether it is over; the number of expansions; if there is no field: a message and a code, which is "error" if
-- something raised
function shared.advance(groups, group, slice, step)
  if group.field then                   -- it is out of date
    for i, one in ipairs(groups.kept) do
      if one == group then
        forget(groups, i)
        break
      end
    end
  end
  local search = group.search
  if not search then
    local options = { costs = group.costs, agent = group.agent, cost = group.cost, at_least = group.at_least }
    local ok, made
    if group.y then
      ok, made = pcall(core.start, "field", group.map, group.x, group.y, options)
    else
      ok, made = pcall(core.start, "field", group.map, group.x, options)
    end
    if not ok then
      return true, 0, made, "error"
    end
    search, group.search = made, made
  end
  local ok, state, used = pcall(search.step, search, slice)
  if not ok then
    group.search = nil                  -- the next request of the group begins again
    return true, 0, state, "error"
  elseif state == "running" then
    return false, used
  end
  group.search = nil
  local read, field, message, code = pcall(search.result, search)
  core.close(search)
  if not read then
    return true, used, field, "error"
  elseif not field then
    return true, used, message, code
  end
  local kept, oldest = groups.kept, 1
  if #kept == KEPT_MOST then
    for i, one in ipairs(kept) do
      if one.used < kept[oldest].used then oldest = i end
    end
    forget(groups, oldest)
  end
  kept[#kept + 1] = group               -- it may need memory: so the field comes afterwards
  group.field, group.used = field, step
  return true, used
end

return shared
