-- SPDX-License-Identifier: MIT
-- Formations: the options of crowd:go that a group has, and a single walker has not. The core lays the group out, and
-- keeps it together: spots.c and follow.c in src/move/crowd.

local core = require "wend.core"
local check = require "wend.check"

local formation = {}

formation.KIND = { be = "'keep' or a list of offsets", holds = function(value)
  return value == "keep" or type(value) == "table" and core.type(value) == nil
end }

--- Reads the formation of a group.
-- @param options those of the order, or nil
-- @param count the number of walkers
-- @return a table: offsets, a list of two numbers for each walker, true for "keep", or nil; turn; together
function formation.read(options, count)
  local given, turn = options and options.formation, options and options.turn
  local together = options and options.together or false
  if turn ~= nil and given == nil then check.fail "turn is for the option formation" end
  if type(given) ~= "table" then return { offsets = given == "keep" or nil, together = together } end
  check.kind(given, formation.KIND, "formation")
  local length, offsets = check.length(given), {}
  if length ~= 2 * count then
    check.fail("formation must hold 2 numbers for each of %d walkers, got %d", count, length)
  end
  for i = 1, length do
    offsets[i] = check.kind(given[i], check.FINITE, ("formation[%d]"):format(i))
  end
  return { offsets = offsets, turn = turn ~= false, together = together }
end

--- The formation of the i-th walker as text: orders with equal texts are equal. nil: it has none.
function formation.text(made, i)
  local place = made.offsets == true and "keep" or made.together and "" or nil
  if type(made.offsets) == "table" then
    place = ("%.17g %.17g %s"):format(made.offsets[2 * i - 1], made.offsets[2 * i],
      made.turn and "turned" or "as given")
  end
  return made.together and place .. " together" or place
end

return formation
