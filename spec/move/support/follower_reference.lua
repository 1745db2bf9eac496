-- SPDX-License-Identifier: MIT
-- For specs of saved followers: random followers, and what happens to them.

local helper = require "spec.support.helper"
local wend = require "wend"

local ZERO = 0.0 -- a variable: Lua 5.1 takes the constants 0 and -0 for the same

local followers = {}

-- Random followers -------------------------------------------------------------------------------------------------

local TAGS = { "road", "swamp", "toll", "lava", "rope" }

local function random_grid(rng)
  local cell = rng:pick { 1, 0.5, 16 }
  local grid = wend.grid(rng(2, 12), rng(2, 12), { cell = cell, origin = { rng(-5, 5), rng() * 10 } })
  local w, h = grid:width(), grid:height()
  for _ = 1, rng(0, 20) do grid:set(rng(w), rng(h), rng(1, 3), rng:pick(TAGS)) end
  for _ = 1, rng(0, 6) do grid:close(rng(w), rng(h)) end
  for _ = 1, rng(0, 3) do
    grid:link(rng(w), rng(h), rng(w), rng(h), { weight = rng() * 2, tag = rng:pick(TAGS) })
  end
  return grid
end

--- A function that makes random points: of this map, or of no map. They are lists, paths or routes.
local function points_of(map, dimensions)
  if wend.type(map) == "grid" then
    local w, h = map:width(), map:height()
    return function(rng)
      for _ = 1, 20 do
        if rng:chance(0.6) then
          local path = map:path(rng(w), rng(h), rng(w), rng(h))
          if path and rng:chance(0.3) then path = map:straighten(path) end
          if path then return path end
        else
          local left, top = map:origin()
          local size = map:cell_size()
          local route = map:route({ left + rng() * w * size, top + rng() * h * size },
            { left + rng() * w * size, top + rng() * h * size })
          if route then return route end
        end
      end
      return { 1, 1, 2, 3 }
    end
  elseif map then
    return function(rng)
      local function place()
        return { rng() * 100, rng() * 100, dimensions == 3 and rng() * 100 or nil }
      end
      for _ = 1, 20 do
        local found
        if rng:chance(0.6) then
          local ok, path = pcall(map.path, map, rng(map:node_count()), rng(map:node_count()))
          found = ok and path
        else
          found = map:route(place(), place(), { enter = rng:pick { "node", "edge" } })
        end
        if found then return found end
      end
      local list = place()
      list.dimensions = dimensions
      return list
    end
  end
  return function(rng)
    local list = { dimensions = dimensions }
    for i = 1, rng(1, 12) * dimensions do
      list[i] = rng:chance(0.3) and rng(-3, 3) or rng:chance(0.1) and list[i - dimensions] or rng() * 40 - 20
      if list[i] == 0 and rng:chance(0.5) then list[i] = -ZERO end
    end
    if rng:chance(0.3) then
      list.links = {}
      for leg = 1, #list / dimensions - 1 do list.links[leg] = rng:chance(0.2) end
    end
    return list
  end
end

--- A line is free by a rule that both followers ask in the same way.
local function is_free(x1, y1, x2, y2)
  return math.floor((x1 + y1 + 2 * x2 + 3 * y2) * 7) % 5 ~= 0
end

local function random_stops(rng)
  local list = {}
  for _, tag in ipairs(TAGS) do
    if rng:chance(0.3) then list[#list + 1] = tag end
  end
  return list
end

--- A random follower. Returns a table: follower, map or nil, options for wend.decode, points = a function.
function followers.random(rng)
  local dimensions, map = rng:pick { 2, 2, 3 }, nil
  local kind = rng(3)
  if kind == 1 then
    map, dimensions = random_grid(rng), 2
  elseif kind == 2 then
    map = helper.random_graph(rng, { nodes = rng(2, 30), edges = rng(2, 80), dimensions = dimensions })
  end
  local points = points_of(map, dimensions)
  local options = { curve = rng:pick { "linear", "catmull_rom", "hermite" }, dimensions = dimensions }
  options.speed = rng:pick { 1, 3, rng() * 20, 0 }
  if rng:chance(0.2) then options.spacing = 0.5 + rng() * 5 end
  if rng:chance(0.3) then options.loop = true end
  if rng:chance(0.3) then options.clear = rng:chance(0.5) and is_free or function() return true end end
  if rng:chance(0.3) then options.stops = random_stops(rng) end
  if rng:chance(0.3) then options.speeds = { road = 2, swamp = 0.5, toll = rng:pick { 0.25, 1e-3 }, lava = 3 } end
  local script = rng(4)
  local ways = {}
  for i = 1, 5 do ways[i] = points(rng) end
  if rng:chance(0.4) then
    function options.on_point(follower, i)
      if script == 2 and i % 3 == 0 then follower.speed = 1 + i % 5 end
      if script == 3 and i % 4 == 0 then follower:pause() end
      if script == 4 and i % 5 == 2 then follower:go(ways[i % #ways + 1]) end
    end
  end
  return {
    follower = wend.follow(points(rng), options), map = map, points = points, dimensions = dimensions,
    options = { map = map, clear = options.clear, on_point = options.on_point },
  }
end

--- A random thing that happens to a follower: a function (follower) that may raise.
function followers.random_act(rng, world)
  local kind = rng(20)
  local dt = rng:pick { 0, 0.016, 0.1, 0.5, rng() * 2, 7 }
  if kind == 1 then
    local points, join = world.points(rng), rng:chance(0.5) or nil
    if world.options.map ~= world.map then join = nil end    -- the points are of the map before, whose bends count
    return function(f) f:go(points, { join = join }) end
  elseif kind == 2 then
    return function(f) f:pause() end
  elseif kind == 3 or kind == 4 then
    return function(f) f:resume() end
  elseif kind == 5 then
    local place = { x = rng() * 20, y = rng() * 20, z = world.dimensions == 3 and rng() * 20 or nil }
    return function(f) f:resume(place) end
  elseif kind == 6 then
    local speed = rng:pick { 0, 1, rng() * 30 }
    return function(f) f.speed = speed end
  end
  return function(f) f:update(dt) end
end

--- Everything that a script can read of a follower.
function followers.look(follower)
  return {
    follower.x, follower.y, follower.z or "", follower.heading, follower.leg, follower.done, follower.speed,
    follower.edge or "", follower.tag or "", follower.node or "", follower.waiting or "", follower.paused,
    math.type and math.type(follower.leg) or "",
  }
end

return followers
