-- SPDX-License-Identifier: MIT
-- Walkers with a map of their own: an overlay of the map of the crowd, such as what one player has seen. Their plans
-- read it; bodies obey the map of the crowd. So a plan may lead into ground that is closed, and a walker finds that out
-- when it touches it: a bump.
--
--   walker._map      the overlay; nil: it plans on the map of the crowd
--   walker._seen     its plan as a path of the overlay, which tells whether edits of this touch it; false: it has none
--   walker._noted    the version of the overlay up to which edits are noted
--   walker._bumped   the cells that it has bumped into since it got its plan: x and y, flat

local core = require "wend.core"
local check = require "wend.check"
local plan = require "wend.move.crowd.plan"

local native = plan.native

local fog = {}

local OLD = { valid = function() return false end }        -- in place of a path that is out of date

--- Checks the map of a walker: an overlay of that of the crowd. Returns it; nil: the walker has none of its own.
function fog.read(crowd, map)
  if map == nil then return nil end
  check.must(core.type(map) == "grid", "map", "an overlay of the map of the crowd", map)
  if crowd._kind ~= "grid" then check.fail "map: the map of the crowd must be a grid" end
  if not check.call(native.owns, crowd._handle, map) then
    check.fail "map must be an overlay of the map of the crowd, got a grid that is none"
  end
  if map == crowd._map then return nil end
  crowd._fogged = true
  return map
end

--- Notes the cells that the body of a walker touches, which are closed for it and open on its map.
local function note_bumps(walker)
  local cells = native.bumps(walker._handle, walker._id, walker._map)
  if not cells then return end
  local bumped = walker._bumped or {}
  for i = 1, #cells, 2 do
    local known = false
    for k = 1, #bumped, 2 do known = known or bumped[k] == cells[i] and bumped[k + 1] == cells[i + 1] end
    if not known then
      bumped[#bumped + 1], bumped[#bumped + 2] = cells[i], cells[i + 1]
      plan.note(walker._crowd, walker, { bump = true, x = cells[i], y = cells[i + 1] })
    end
  end
  walker._bumped = bumped
end

--- A walker whose plan an edit of its map has touched plans again. Orders that have failed or came short are due again.
local function note_edits(walker, version)
  local order, seen = walker._order, walker._seen
  if walker._noted == version then return end
  walker._noted = version
  if order then plan.is_due(order) end
  if seen and not seen:valid() then native.touch(walker._handle, walker._id) end
end

--- Notes the edits of the maps of walkers, and what these touch, after a step.
function fog.note(crowd)
  if not crowd._fogged then return end
  local versions, tells = {}, rawget(crowd, "_on_bump") ~= nil
  for walker in crowd:each() do
    local map = rawget(walker, "_map")
    local order = map and walker._order
    if order then
      versions[map] = versions[map] or core.reads(map) or 0
      plan.guard(walker, note_edits, versions[map])
      if tells and not order.failed then plan.guard(walker, note_bumps) end
    end
  end
end

--- What is saved of the map of a walker: seen, its path over it, encoded, or "" if that is out of date; noted: whether
-- all edits are noted; bumped. nil: it has no map of its own
function fog.pack(walker)
  local map, seen = rawget(walker, "_map"), walker._seen
  if not map then return nil end
  local bytes = seen and (seen ~= OLD and seen:valid() and seen:encode() or "") or nil
  local bumped = {}
  for i, number in ipairs(walker._bumped or {}) do bumped[i] = number end
  return { seen = bytes, noted = walker._noted == core.reads(map) or nil, bumped = bumped }
end

--- Gives a loaded walker what the file has. If its map has changed since, it plans again.
function fog.restore(walker, given)
  local map = walker._map
  local path = given.seen and given.seen ~= "" and core.decode(given.seen, plan.with_costs(walker, { map = map }))
  walker._seen = given.seen ~= nil and (core.type(path) == "path" and path or OLD)
  walker._noted = given.noted and walker._seen ~= OLD and core.reads(map) or false
  walker._bumped = given.bumped
end

return fog
