-- SPDX-License-Identifier: MIT
-- Which versions of a map the requests of a queue read.
--
-- A search reads the map as it was when it began. While the map is edited, each version that searches read takes the
-- memory and the time of a copy. So the requests of a queue read at most two versions of one map:
--
--   version     12        57               now 80
--   requests    A         B  C             D is to begin
--
-- D begins on version 57, if that is at most EDITS edits old, and if D is a single path. Such a path can be compared
-- with the map. If D came later than version 57, and there is no path, or an edit has touched it by then, D is asked
-- once more, on the map as it is then. A request that cannot begin gives its turns to A, until version 12 is free.

local core = require "wend.core"

local reads = core.reads

local versions = {}

local EDITS = 1000

--- The search that works in the turns of a request; nil: it has none yet.
local function search_of(request)
  local group = request.group
  if request.kind == "paths" then
    return request.search.search
  elseif group and (group.search or group.requests > 1) then
    return group.search or nil
  end
  return request.search
end

--- The oldest and the newest version of a map that requests read, and these requests. Forgets those that are over.
local function find(readers, map)
  local low, high, oldest, newest
  for i = #readers, 1, -1 do
    local reader = readers[i]
    if not reader.line then
      table.remove(readers, i)
    elseif reader.map == map then
      local _, version = reads(search_of(reader) or map)
      if version and (not low or version <= low) then low, oldest = version, reader end
      if version and (not high or version > high) then high, newest = version, reader end
    end
  end
  return low, oldest, high, newest
end

--- Decides which request works in the turn of a request, whose search may be about to begin.
-- @param readers a list of the requests that have worked, in the order in which they began
function versions.choose(readers, request)
  local search, map = search_of(request), request.map
  local now, version = reads(search or map)
  if version or not now then return request end                 -- it has begun; or the map is gone
  if request.kind == "update" then
    for _, reader in ipairs(readers) do                         -- one update of a field at a time
      if reader.field == request.field and reader.line then return reader end
    end
  end
  local low, oldest, high, newest = find(readers, map)
  if not low or low == high or high == now then return request end
  if search == request.search and request.kind == "path" and not request.exact and now - high <= EDITS then
    core.follow(search, search_of(newest))
    request.follows = high < request.asked
    return request
  end
  return oldest
end

--- Whether a request that has read an older version than that of its call is asked once more.
function versions.asks_again(request, result, code)
  if not request.follows then return false end
  request.follows, request.exact = false, true
  if not result then return code == "no_path" or code == "stale" end
  local ok, valid = pcall(result.valid, result)
  return result.partial or not ok or not valid
end

return versions
