-- SPDX-License-Identifier: MIT
-- wend.follow: objects that walk along points at a given speed, equally fast at every frame rate. The core walks
-- (src/move/follow); src/lua/move/follow.c has the methods.

local check = require "wend.check"
local curve = require "wend.move.curve"
local file = require "wend.file"
local parts = require "wend.once"
local sorted = require "wend.sorted"

local native = parts.followers

local OPTIONS = {
  "speed", "curve", "clear", "clearance", "loop", "dimensions", "spacing", "stops", "speeds", "links",
  "on_point",
  kinds = setmetatable({
    speed = check.FACTOR, on_point = check.FUNCTION, links = check.LINKS,
    stops = { be = "a list of tags", holds = check.TABLE.holds },
  }, { __index = curve.KINDS }),
}

local methods = {
  remaining = native.remaining, line = native.line, go = native.go, pause = native.pause, resume = native.resume,
  update = native.update, encode = native.encode, save = file.saver(native.encode),
}
local metatable = parts.follower

--- f:stop(): forgets the rest of its points. It is at the end of its way where it is.
function methods.stop(self)
  return check.call(native.go, self, type(self) == "table" and { self.x, self.y, self.z })
end

--- f:update(dt) of a follower with on_point: calls it at each point. An error of the script passes through; the
--- follower can be used afterwards.
local function announce(self, dt)
  local point = native.step(self, dt)
  while point do
    local ok, problem = pcall(self._on_point, self, point)
    point = native.go_on(self, not ok)
    if not ok then
      error(problem, 0)
    end
  end
  if self.z then
    return self.x, self.y, self.z
  end
  return self.x, self.y
end

--- Makes the table of a follower. The core adds its position. `update` is a field because scripts call it most.
-- `_on_point` is the field on_point, which is assigned by __newindex.
local function bare(on_point)
  return setmetatable({ update = on_point and announce or native.update, _on_point = on_point }, metatable)
end

--- Makes a follower that was read: for wend.decode.
local function make(handle, on_point, speed)
  local self = bare(on_point)
  self.handle, self.speed = handle, speed
  return native.show(self)
end

--- Reads the options stops and speeds.
-- @return a list of tag, factor, whether it is a stop, ...; nil if there are none of these options
local function read_paces(stops, speeds)
  if stops == nil and speeds == nil then return nil end
  if stops ~= nil then check.list(stops, "stops", "a list of tags") end
  local factors, is_stop, paces = speeds ~= nil and check.factors(speeds) or {}, {}, {}
  for i = 1, stops and check.length(stops) or 0 do
    local tag = stops[i]
    check.must(type(tag) == "string", ("stops[%d]"):format(i), "a tag", tag)
    is_stop[tag], factors[tag] = true, factors[tag] or 1
  end
  for i, tag in ipairs(sorted(pairs(factors))) do     -- equal followers give equal files
    paces[3 * i - 2], paces[3 * i - 1], paces[3 * i] = tag, factors[tag], is_stop[tag] or false
  end
  return paces
end

--- wend.follow(points[, opts]): makes a follower. It starts on the first point. doc/api/follower.md describes it.
local function follow(points, options)
  check.found(points, options)
  check.options(options, OPTIONS)
  options = options or {}
  local dimensions, kind, spacing, loop, clear = curve.style(options, "linear")
  local on_point, speed = options.on_point, options.speed or 1
  local paces = read_paces(options.stops, options.speeds)
  local self = bare(on_point)
  self.speed = speed
  local made, problem = check.call(native.make, self, points, dimensions, speed, kind, spacing, loop, clear, paces,
    on_point ~= nil, options.links)
  if not made then
    error(problem, 0)     -- of `clear`
  end
  return made
end

function metatable.__index(self, key)
  local method = methods[key]
  if method ~= nil then
    return method
  elseif key == "on_point" then
    return rawget(self, "_on_point")
  end
  return native.field(self, key)
end

local READ_ONLY = { edge = true, tag = true, node = true, waiting = true, paused = true, points = true }

--- on_point can be assigned; what is calculated cannot.
function metatable.__newindex(self, key, value)
  if key == "on_point" then
    if value ~= nil then check.kind(value, check.FUNCTION, "on_point") end
    check.call(native.announces, self, value ~= nil)
    rawset(self, "_on_point", value)
    rawset(self, "update", value and announce or native.update)
  elseif READ_ONLY[key] or methods[key] then
    check.fail("%s cannot be assigned", check.describe(key))
  else
    rawset(self, key, value)
  end
end

return { follow = follow, make = make }
