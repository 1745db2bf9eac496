-- SPDX-License-Identifier: MIT
-- The option `share` of wend.queue: requests for paths of equal maps, goals and costs read their paths from one field.
--
-- Such requests form a group. The field of a group is made in slices, in the turns of its requests. Once it is ready,
-- all requests of the group are answered next. It is kept for later requests until it is out of date, until nothing has
-- used it for KEPT_STEPS steps, or until there are newer ones.
--
-- A request whose turn begins runs a search of its own if it is alone in its group. It also does while that is cheaper:
-- until the searches of the group have cost as much as a field, or those that wait would, if each cost as much as the
-- last one. A field covers the part of the map around the goal where the group should be. Its size follows from the
-- farthest request, and from the answers of the searches before. If a request lies beyond it, the next field covers the
-- whole map. An example: 100 requests 200 cells from their goal, on 1024 x 1024 cells. The first one takes 5,000
-- expansions. 99 more would take 495,000, a field within 300 cells about 283,000: so the others get a field.
--
-- Once the map is edited, a field of the whole map is updated. If that made all of it again, the next one must be worth
-- a new field.
--
-- A field reads the map as it was when its search began. So it serves the requests that were there by then, even if the
-- map has changed since. It serves later ones while it is up to date; otherwise they get the next field.
--
-- What a function of the script reads changes without a trace. So for requests that came after the search began, the
-- functions of tags are asked again, and the field serves them if all answers are the same.
-- Functions of edges cannot be asked again, and layers cannot be compared: such a field serves only those that were
-- there before it was ready.

local core = require "wend.core"
local check = require "wend.check"
local once = require "wend.once"

local ALL = 2^31                          -- expansions: more than a map has places

local shared = {}

local KEPT_STEPS, KEPT_MOST = 60, 8     -- for how long, and how many fields are kept
local CHEAP = 4096      -- a field over so many places is made for any two requests: it fits into one turn
local AROUND = 1.5      -- a part of the map reaches so much farther than the farthest request
-- Requests share a field if these options are equal, of lists of layers what they hold; and the other options that
-- share allows.
local OF_FIELD = {
  "costs", "agent", "cost", "at_least", "size", "influence", "closed_goal", "within", "beside", "sight",
  "variation", "seed",
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

--- What a group without requests knows of searches.
--
--   alone      the expansions of its requests that search on their own
--   each       those of the last one that was answered; 0: none was yet
--   farthest   the greatest straight distance of a request from the goal, in cells
--   dearest    the greatest cost of a path, for each cell of straight distance; 0: unknown
--   whole      whether the next field must cover the whole map
local function forget_searches(group)
  group.alone, group.each, group.farthest, group.dearest, group.whole = 0, 0, 0, 0, false
end

--- A copy of a list, which the script may change.
local function copy_list(list)
  local made = {}
  for i, value in next, list do made[i] = value end
  return made
end

--- A group without requests.
-- @param x, y the goal; y is nil on graphs: x is then a node; x is nil if there is a list of goals
function shared.group(map, x, y, options)
  if not x then
    check.fail "share needs one goal, got a list"
  end
  local of_field = {}
  for _, name in ipairs(OF_FIELD) do of_field[name] = rawget(options, name) end
  if type(of_field.influence) == "table" then of_field.influence = copy_list(of_field.influence) end
  local group = { map = map, x = x, y = y, key = y and x + y * 2^26 or x, options = of_field, members = {}, first = 1,
    last = 0, requests = 0, search = nil, worked = 0, field = nil, old = nil, rebuilt = false, used = 0, asked = 0,
    ready = 0, begun = 0, places = y and map:width() * map:height() or map:node_count() }
  forget_searches(group)
  return group
end

--- The straight distance of a request from the goal of its group, in cells; on graphs 0.
local function distance(group, request)
  return group.y and math.sqrt((request.x - group.x)^2 + (request.y - group.y)^2) or 0
end

--- Whether two values of the option influence name the same layers and factors.
local function has_layers(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for i = 1, math.max(#a, #b) do
    if a[i] ~= b[i] then return false end
  end
  return true
end

local function is_equal(a, b)
  for _, name in ipairs(OF_FIELD) do
    local equal = name == "influence" and has_layers or rawequal
    if not equal(a.options[name], b.options[name]) then return false end
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
    if is_equal(one, request.group) then group = one end
  end
  if not group then
    group = request.group
    list[#list + 1] = group
  end
  group.requests, group.last = group.requests + 1, group.last + 1
  request.group, request.number = group, group.last
  group.members[group.last] = request
  group.farthest = math.max(group.farthest, distance(group, request))
end

--- Takes a request out of its group: it is over, or searches on its own.
function shared.leave(groups, request)
  local group = request.group
  request.group = false
  group.requests = group.requests - 1
  if group.requests > 0 then
    return
  end
  group.members, group.first, group.last = {}, 1, 0
  group.asked, group.ready, group.begun = 0, 0, 0
  forget_searches(group)
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

--- Whether a request of a group can be answered from its field.
function shared.is_ready(group, request)
  if not group.field or request.number > group.asked or request.beyond == group.field then
    return false
  end
  return request.number <= group.begun or shared.is_valid(group)
end

--- The path from a place, by the field of a group.
-- @return the path; or nil, message, code
function shared.path(group, x, y, options)
  if not y and not group.map:has(x) then
    return nil, "the start was removed since the search began", "stale"
  end
  return group.field:path(x, y or options, options)
end

--- A request has no path by the field of its group.
-- @return whether it may have one: the field covers only a part of the map
function shared.misses(group, request)
  if not group.options.max_cost then return false end
  request.beyond, group.whole = group.field, true
  return true
end

--- How many places the next field of a group covers, and up to which cost; nil: all.
local function extent(group)
  local farthest = AROUND * group.farthest
  local part = math.pi * farthest^2
  if group.whole or group.dearest == 0 or part >= group.places then return group.places end
  return part, group.dearest * farthest * (1 + (group.options.variation or 0))
end

--- Whether the requests of a group wait for a field: it is being made, or it is cheaper than searches of their own.
function shared.serves(group)
  if group.search then return true end
  if group.requests == 1 then return false end
  if group.field and not group.options.max_cost and not group.rebuilt then return true end
  local places = extent(group)
  return places <= CHEAP or math.max(group.alone, group.requests * group.each) >= places
end

--- Lets a request search on its own.
function shared.detach(groups, request)
  request.former, request.spent = request.group, 0
  shared.leave(groups, request)
end

--- Counts the work of a request that searches on its own.
-- @param over whether its search is over; path: what it has found
function shared.count(request, used, over, path)
  local group = request.former
  request.spent, group.alone = request.spent + used, group.alone + used
  if not over then return end
  local straight = distance(group, request)
  group.each = request.spent
  if path and straight > 0 then group.dearest = math.max(group.dearest, path.cost / straight) end
end

local function drop_field(groups, group)
  remove_from(groups.kept, group)
  group.field = nil
  if group.requests == 0 then remove_group(groups, group) end
end

--- Makes sure that the field of a group, if it has one, has the answers that functions of tags give now: otherwise
--- drops it. These functions may cancel the request.
function shared.ask_again(groups, group, request)
  if not group.field or request.number <= group.asked then return end
  local last, ok, same, by_edges = group.last, pcall(once.ask_again, group.field)
  if not request.group then return end
  if by_edges then last = math.min(last, group.ready) end
  if ok and same and request.number <= last then
    group.asked = last
  else
    drop_field(groups, group)
  end
end

--- Drops fields without requests that are out of date, or that nothing has used for long.
function shared.tidy(groups, step)
  local kept = groups.kept
  for i = #kept, 1, -1 do
    local group = kept[i]
    local old = group.options.influence or step - group.used > KEPT_STEPS
    if group.requests == 0 and (old or not shared.is_valid(group)) then
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

--- Begins the search for the field of a group. Returns whether it began, and the error.
-- @param old a field that is out of date, or nil: it is updated if it covers the whole map
local function begin_search(group, max_cost, old)
  local ok, made = old and not group.options.max_cost
  if ok then ok, made = pcall(core.start, "update", old) end
  group.old = ok and old or nil
  if not ok then
    group.options.max_cost = max_cost
    ok, made = pcall(core.start, "field", group.map, group.x, group.y or group.options, group.options)
  end
  if ok then group.search, group.worked = made, 0 end
  return ok, made
end

--- The search for the field of a group, which has no field that is ready. If it cannot begin: nil and the error.
function shared.search(groups, group)
  local old = group.field
  if old then drop_field(groups, group) end           -- it is out of date
  if not group.search then
    local ok, problem = begin_search(group, select(2, extent(group)), old)
    if not ok then return nil, problem end
    group.begun, group.asked = group.last, group.last
  end
  return group.search
end

--- Ends the search for the field of a group. If there is no field, the next request of the group begins again.
-- @param result, rebuilt those of the search
function shared.finish(groups, group, result, step, rebuilt)
  core.close(group.search)
  group.search = nil
  group.ready = group.last
  if group.old then group.rebuilt = rebuilt or false end
  if result then keep_field(groups, group, group.old or result, step) end
  group.old = nil
end

--- Puts a group without requests into the groups of a queue: it gets a field that was kept.
function shared.add(groups, group)
  local list = groups.by_goal[group.key] or {}
  groups.by_goal[group.key] = list
  list[#list + 1] = group
end

--- Gives a group what it had when its queue was packed: see state.lua.
-- @param given its data; members: its requests, in the order of their numbers
function shared.restore(queue, group, given, members)
  group.members, group.first, group.last = members, 1, #members
  for number, request in ipairs(members) do request.number = number end
  group.alone, group.each, group.farthest, group.dearest = given.alone, given.each, given.farthest, given.dearest
  group.whole, group.rebuilt = given.whole or false, given.rebuilt or false
  if (given.ready or given.worked) and begin_search(group, given.max_cost) then
    local work = given.ready and ALL or given.worked
    local ok = work == 0 or pcall(group.search.step, group.search, work)
    group.worked = given.worked or 0
    if ok and given.ready then
      local read, field = pcall(group.search.result, group.search)
      shared.finish(queue.groups, group, read and field or nil, queue.stats.steps - given.age)
    end
  end
  group.asked, group.ready, group.begun = given.asked, given.answered, given.begun
end

return shared
