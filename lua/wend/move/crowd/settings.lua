-- SPDX-License-Identifier: MIT
-- What scripts set of walkers: when they add them, and later by assigning fields.

local check = require "wend.check"
local fog = require "wend.move.crowd.fog"
local plan = require "wend.move.crowd.plan"

local native = plan.native

local settings = { GROUPS_MOST = 32, WALLS = check.of("walls", "walls") }

-- The options that a walker may have of its own, and otherwise has of its crowd, in the fields _costs and so on. A
-- function checks each: the value that was given, and is not nil. It returns what is kept of it.
settings.PROFILE = {}

function settings.PROFILE.costs(_, costs)
  return check.kind(costs, check.COSTS, "costs")
end

--- Factors by tag, or "costs".
function settings.PROFILE.speeds(crowd, speeds)
  if speeds ~= "costs" then speeds = check.factors(speeds, " or 'costs'") end
  if crowd._kind ~= "grid" then check.fail "speeds: the map of the crowd must be a grid" end
  return speeds
end

--- Layers of the map of the crowd.
function settings.PROFILE.influence(crowd, layers)
  return (check.call(native.influence, crowd._handle, layers))
end

--- Seconds, or false.
function settings.PROFILE.squeeze(_, squeeze)
  if squeeze ~= false and not (type(squeeze) == "number" and squeeze > 0) then
    check.fail("squeeze must be a number > 0 or false, got %s", check.describe(squeeze))
  end
  return squeeze
end

function settings.PROFILE.links(_, links) return check.kind(links, check.LINKS, "links") end

--- Checks such an option; nil: it is not given.
function settings.read(crowd, name, value)
  if value == nil then return nil end
  return settings.PROFILE[name](crowd, value)
end

--- Gives these options to a crowd or a walker that is made.
-- @param made its table
function settings.take(made, crowd, options)
  for _, name in ipairs { "costs", "speeds", "influence", "squeeze", "links" } do    -- the first error counts
    rawset(made, "_" .. name, settings.read(crowd, name, options[name]))
  end
  if made._costs ~= nil then crowd._closes = true end
end

-- Groups -----------------------------------------------------------------------------------------------------------

--- The bit of a group, by its name.
local function bit_of(crowd, name, what)
  check.kind(name, check.STRING, what)
  local groups = crowd._groups
  local number = groups[name]
  if not number then
    number = groups[0]
    if number == settings.GROUPS_MOST then
      check.fail("%s: a crowd has at most %d groups", what, settings.GROUPS_MOST)
    end
    groups[name] = number -- first: it may need memory
    groups[0] = number + 1
  end
  return 2 ^ number
end

--- The group of a name; nil: the default. Returns it and its bit.
function settings.read_group(crowd, name)
  if name == nil then name = "default" end
  return name, bit_of(crowd, name, "group")
end

--- A list of groups; nil: all. Returns a copy, and the bits.
function settings.read_avoids(crowd, list)
  if list == nil then return nil, 2 ^ 32 - 1 end
  check.list(list, "avoids", "a list of groups")
  local bits, seen, names = 0, {}, {}
  for i = 1, check.length(list) do
    local bit = bit_of(crowd, list[i], ("avoids[%d]"):format(i))
    if not seen[bit] then bits, seen[bit] = bits + bit, true end
    names[i] = list[i]
  end
  return names, bits
end

--- Notes the names of the groups of a walker, which the core has as bits.
function settings.name_groups(walker)
  local names, group, avoids = {}, native.bits(walker._handle, walker._id)
  for name, number in next, walker._crowd._groups do
    if name ~= 0 then names[number] = name end
  end
  walker._avoids = avoids and {} or nil
  for number = 0, walker._crowd._groups[0] - 1 do
    if math.floor(group / 2 ^ number) % 2 == 1 then walker._group = names[number] end
    if avoids and math.floor(avoids / 2 ^ number) % 2 == 1 then
      walker._avoids[#walker._avoids + 1] = names[number]
    end
  end
end

--- Checks the height of a walker.
function settings.read_height(crowd, height)
  check.kind(height, check.FINITE, "height")
  if not crowd._up then check.fail "height: the crowd needs the option up" end
  return height
end

-- Fields -----------------------------------------------------------------------------------------------------------

--- The fields that scripts may assign, and what does it.
settings.assign = {}

for _, name in ipairs { "radius", "speed", "acceleration", "patience", "priority" } do
  settings.assign[name] = function(self, value)
    check.must(type(value) == "number", name, "a number", value)
    local width = native.width(self._handle, self._id)
    check.call(native.set, self._handle, self._id, name, value)
    if native.width(self._handle, self._id) ~= width then plan.plan_again(self) end
  end
end

function settings.assign.height(self, value)
  check.call(native.rise, self._handle, self._id, settings.read_height(self._crowd, value))
end

function settings.assign.group(self, value)
  local name, bit = settings.read_group(self._crowd, value)
  check.call(native.set, self._handle, self._id, "group", bit)
  rawset(self, "_group", name)
end

function settings.assign.avoids(self, value)
  local names, bits = settings.read_avoids(self._crowd, value)
  check.call(native.set, self._handle, self._id, "avoids", bits)
  rawset(self, "_avoids", names)
end

--- The same map again changes nothing: so a game may assign it in each frame.
function settings.assign.map(self, value)
  local map = fog.read(self._crowd, value)
  if map == rawget(self, "_map") then return end
  rawset(self, "_map", map)
  plan.note_seen(self, false)
  plan.plan_again(self)
end

--- Assigns an option, or puts the old value back: a function of a tag may raise.
for _, name in ipairs { "costs", "speeds", "influence", "squeeze", "links", "agent" } do
  local field = "_" .. name
  settings.assign[name] = function(self, value)
    if settings.PROFILE[name] then value = settings.read(self._crowd, name, value) end
    local before = rawget(self, field)
    rawset(self, field, value)
    if name == "costs" and value ~= nil then self._crowd._closes = true end
    local ok, problem = pcall(plan.changed, self, name)
    if ok then return end
    rawset(self, field, before)
    error(problem, 0)
  end
end

return settings
