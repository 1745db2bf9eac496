-- SPDX-License-Identifier: MIT
-- Crowds with heights: walkers go along paths of 3 dimensions, and those at other heights do not meet.
local file_reference = require "spec.support.file_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local raises = helper.raises

-- A stair up, a ladder of 3 up, a floor, and a drop of 2.
local STEPS = { 0, 0, 0, 1, 1, 0, 2, 2, 0, 2, 5, 0, 3, 5, 0, 6, 5, 0, 7, 3, 0, dimensions = 3 }

-- up: an axis, or a map of a crowd along y.
local function new(up, tall)
  local map = up and wend.type(up) and up
  return wend.crowd { up = not map and up or "y", map = map or nil, tall = tall }
end

-- The heights of a walker after each step until it arrives, and where it was.
local function watch(crowd, w, seconds)
  local seen = {}
  for i = 1, seconds * 30 do
    crowd:update(1 / 30)
    seen[i] = { x = w.x, height = w.height, crossing = w.crossing ~= false }
    if w.state == "arrived" then return seen end
  end
  return seen
end

describe("walkers with heights", function()
  it("are at the height of their leg, and take the time that ladders are high", function()
    local crowd = new()
    local w = crowd:add { x = 0, y = 0, radius = 0.3, speed = 2 }
    w:go(STEPS)
    local climbing = 0
    for _, at in ipairs(watch(crowd, w, 20)) do
      if at.crossing then climbing = climbing + 1 end
      if at.x < 1.8 then assert.near(at.x, at.height, 0.08) end
      if at.x > 3.2 and at.x < 5.8 then assert.equal(5, at.height) end
    end
    assert.equal("arrived", w.state)
    assert.same({ 7, 3 }, { math.floor(w.x + 0.5), w.height })
    -- 3 up and the root of 5 down at 2 a second are 2.6 seconds; each is told of until the walker is shown at the end.
    assert.is_true(climbing >= 75 and climbing <= 84, climbing)
  end)

  it("are along z with up = 'z', and equal at any frame rate", function()
    local turned = { dimensions = 3 }
    for i = 1, #STEPS, 3 do turned[i], turned[i + 1], turned[i + 2] = STEPS[i], STEPS[i + 2], STEPS[i + 1] end
    local hashes = {}
    for i, rate in ipairs { 30, 7, 144 } do
      local crowd = new(i == 1 and "y" or "z")
      crowd:add({ x = 0, y = 0, radius = 0.3, speed = 2 }):go(i == 1 and STEPS or turned)
      for _ = 1, 3 * rate do crowd:update(1 / rate) end
      hashes[i] = crowd:hash()
    end
    assert.equal(hashes[1], hashes[2])
    assert.equal(hashes[1], hashes[3])
  end)

  it("meet only walkers whose heights differ by less than tall", function()
    local function deviation(height, tall)
      local crowd = new("y", tall)
      local one = crowd:add({ x = 0, y = 0.1, radius = 0.4 }):go { 0, 0, 0.1, 10, 0, 0.1, dimensions = 3 }
      local other = crowd:add { x = 10, y = 0, radius = 0.4, height = height }
      other:go { 10, height, 0, 0, height, 0, dimensions = 3 }
      local most = 0
      for _ = 1, 10 * 30 do
        crowd:update(1 / 30)
        most = math.max(most, math.abs(one.y - 0.1), math.abs(other.y))
      end
      assert.same({ "arrived", "arrived" }, { one.state, other.state })
      return most
    end
    assert.is_true(deviation(1.9) > 0.1)
    assert.equal(0, deviation(2))
    assert.equal(0, deviation(-2))
    assert.equal(0, deviation(1.9, 1.8))
  end)

  it("stay at their height without points of 3 dimensions, and can be put elsewhere", function()
    local crowd = new()
    local w = crowd:add { x = 0, y = 0, height = 7, speed = 3 }
    assert.equal(7, w.height)
    w:go { 0, 0, 4, 0 }
    helper.wait(crowd, 5)
    assert.same({ "arrived", 7 }, { w.state, w.height })
    w.height = 3
    assert.equal(3, w.height)
    w:place(2, 0):go { 2, 2, 0, 2, 5, 0, 3, 5, 0, dimensions = 3 }
    helper.wait(crowd, 0.5)
    w:go(9, 0) -- it climbs up the ladder first
    helper.wait(crowd, 5)
    assert.same({ "arrived", 5 }, { w.state, w.height })
  end)

  it("go along paths of surfaces", function()
    helper.rounds("heights", 20, function(rng)
      local surface = wend.surface { climb = true, jump = 2, classes = { [0] = "air", "solid", "ladder" } }
      local ids = {}
      for z = 1, 12 do
        for y = 1, 8 do
          for x = 1, 12 do
            local wall = y <= 1 or y < 4 and rng:chance(0.4)
            ids[((z - 1) * 8 + y - 1) * 12 + x] = wall and 1 or y < 5 and rng:chance(0.05) and 2 or 0
          end
        end
      end
      surface:load(0, 0, 0, 12, 8, 12, ids)
      local graph, crowd, walkers, taken = surface.graph, new(), {}, {}
      for _ = 1, 8 do
        local path = graph:path(rng(graph:node_count()), rng(graph:node_count()))
        if path and not taken[path[#path]] then -- those with one goal arrive beside each other, also on a ladder
          taken[path[#path]] = true
          local points = path:points()
          local w = crowd:add { x = points[1], y = points[3], height = points[2], radius = 0.3, speed = 4 }
          w:go(path)
          walkers[w] = points
        end
      end
      helper.wait(crowd, 60)
      for w, points in pairs(walkers) do
        assert.is_true(w.state == "arrived" or w.state == "moving", w.state)
        if w.state == "arrived" then assert.near(points[#points - 1], w.height, 1) end
      end
    end)
  end)

  it("go on bit by bit after saving, also on ladders", function()
    local crossed = 0
    helper.rounds("heights saved", 20, function(rng)
      local up = rng:pick { "y", "z" }
      local crowd, walkers = new(up, rng:pick { 0.5, 2 }), {}
      local function points_from(w)
        local points, at = { dimensions = 3 }, { w.x, w.height, w.y }
        for _ = 1, rng(1, 8) do
          points[#points + 1], points[#points + 2] = at[1], up == "y" and at[2] or at[3]
          points[#points + 1] = up == "y" and at[3] or at[2]
          local axis = rng(3)
          at[axis] = at[axis] + rng(-3, 3)
        end
        return points
      end
      for i = 1, rng(2, 12) do
        walkers[i] = crowd:add { x = rng(9), y = rng(9), height = rng(0, 5), radius = 0.3, speed = 3, data = i }
        if rng:chance(0.8) then walkers[i]:go(points_from(walkers[i])) end
      end
      helper.wait(crowd, rng() * 2)
      for _, w in ipairs(walkers) do crossed = crossed + (w.crossing and 1 or 0) end
      if rng:chance(0.3) then walkers[1]:stop() end
      local bytes = crowd:encode()
      local loaded = wend.decode(bytes)
      assert.equal(bytes, loaded:encode())
      local twins = {}
      for w in loaded:each() do twins[w.data] = w end
      for i = 1, 90 do
        crowd:update(1 / 30)
        loaded:update(1 / 30)
        assert.equal(crowd:hash(), loaded:hash())
        for k, w in ipairs(walkers) do assert.equal(w.height, twins[k].height) end
        if i == 45 then
          local points = rng:chance(0.5) and points_from(walkers[1]) or { rng(9), rng(9) }
          walkers[1]:go(points)
          twins[1]:go(points)
        end
      end
    end)
    assert.truthy(crossed > 0 or not helper.all_rounds())
  end)

  it("are refused in damaged files", function()
    local crowd = new()
    local w = crowd:add { x = 0, y = 0, radius = 0.3, speed = 2, height = 4 }
    w:go(STEPS)
    crowd:update(0.5)
    local bytes = crowd:encode()
    local function lie(change)
      local found, message, code = wend.decode(file_reference.change(bytes, "TALL", change))
      assert.same({ false, "a crowd: damaged, or of a version that is not known", "format" },
        { found or false, message, code })
    end
    local numbers = { nan = "\0\0\0\0\0\0\248\127", infinite = "\0\0\0\0\0\0\240\127",
      far = "\0\0\0\32\95\160\2\66" }
    local function put(offset, with)
      lie(function(old) return old:sub(1, offset) .. with .. old:sub(offset + #with + 1) end)
    end
    put(0, numbers.nan)                                  -- tall
    put(0, ("\0"):rep(8))
    for i = 1, 3 do
      for _, number in pairs(numbers) do put(8 * i, number) end
    end
    for _, number in pairs(numbers) do put(8 * 4 + 4, number) end
    put(32, "\0\0\0\0")                                 -- fewer heights than points
    put(32, "\255\255\255\255")
    lie(function(old) return old:sub(1, -2) end)
    lie(function(old) return old .. "\0" end)
    for size = 20, #bytes - 1, 3 do assert.is_nil((wend.decode(bytes:sub(1, size)))) end
  end)

  it("raise before anything has changed", function()
    local crowd, flat = new(), wend.crowd()
    local w = crowd:add { x = 0, y = 0 }
    local other = flat:add { x = 0, y = 0 }
    raises("up must be 'y' or 'z', got 'x'", wend.crowd, { up = "x" })
    raises("tall needs the option up", wend.crowd, { tall = 2 })
    raises("tall must be a number in 0.001 .. 1000000, got 0", wend.crowd, { up = "y", tall = 0 })
    raises("map must be a graph of 3 dimensions", wend.crowd, { up = "y", map = wend.grid(2, 2) })
    raises("map must be a graph of 3 dimensions", wend.crowd, { up = "y", map = wend.graph() })
    raises("height: the crowd needs the options up and map", w.go, w, 1, 1, { height = 2 })
    raises("height: the crowd needs the option up", flat.add, flat, { x = 0, y = 0, height = 1 })
    raises("height must be a finite number, got nan", crowd.add, crowd, { x = 0, y = 0, height = 0 / 0 })
    raises("height: the crowd needs the option up", function() other.height = 1 end)
    raises("points must have 2 dimensions, got 3", other.go, other, STEPS)
    raises("points[5] must be a height, got 'x'", w.go, w, { 0, 0, 0, 1, "x", 0, dimensions = 3 })
    raises("points[5] must be a height, got nil", w.go, w, { 0, 0, 0, 1, dimensions = 3 })
    assert.same({ "waiting", 0 }, { w.state, w.height })
    assert.equal(1, crowd:count())
  end)
end)

-- A random world of 12 x 8 x 12 blocks, with ladders: the blocks as a list, and a surface with the same blocks.
local SIZE, HIGH = 12, 8
local function world(rng)
  local ids = {}
  for z = 1, SIZE do
    for y = 1, HIGH do
      for x = 1, SIZE do
        local wall = y <= 1 or y < 5 and rng:chance(0.35)
        ids[((z - 1) * HIGH + y - 1) * SIZE + x] = wall and 1 or y < 5 and rng:chance(0.05) and 2 or 0
      end
    end
  end
  return ids
end
local function surface_of(ids)
  local surface = wend.surface { climb = true, classes = { [0] = "air", "solid", "ladder" } }
  return surface:load(0, 0, 0, SIZE, HIGH, SIZE, ids)
end
local function change(surface, ids, rng)
  local x, y, z, id = rng(0, SIZE - 1), rng(1, 3), rng(0, SIZE - 1), rng(0, 1)
  ids[(z * HIGH + y) * SIZE + x + 1] = id
  surface:changed(x, y, z, id)
end
-- A place of a surface, as x and y along the ground, and a height.
local function place(surface, rng)
  local x, y, z = surface.graph:position(surface.graph:random(rng(1e6)))
  return x, z, y
end
local function order(w, x, y, height) return w:go(x, y, { height = height }) end
local function node_at(surface, x, y, height) return (surface.graph:nearest(x, height, y)) end

describe("crowds over surfaces", function()
  it("plan: walkers arrive where there is a path, and are lost where there is none", function()
    local lost = 0
    helper.rounds("surface plans", 20, function(rng)
      local surface = surface_of(world(rng))
      local crowd, goals = new(surface.graph), {}
      for i = 1, rng(1, 6) do
        local x, y, height = place(surface, rng)
        local w = crowd:add { x = x, y = y, height = height, radius = 0.2, speed = 5, group = "g" .. i, avoids = {} }
        local to_x, to_y, level = place(surface, rng)
        to_x, to_y = to_x + rng() * 0.8 - 0.4, to_y + rng() * 0.8 - 0.4
        goals[w] = { to_x, to_y, level,
          surface.graph:path(node_at(surface, x, y, height), node_at(surface, to_x, to_y, level)) ~= nil }
        order(w, to_x, to_y, level)
      end
      for _ = 1, 30 * 30 do
        for w, goal in pairs(goals) do order(w, goal[1], goal[2], goal[3]) end
        crowd:update(1 / 30)
      end
      for w, goal in pairs(goals) do
        assert.equal(goal[4] and "arrived" or "lost", w.state)
        if goal[4] then
          assert.near(goal[3], w.height, 1e-6)
          assert.near(0, helper.length({ w.x, w.y }, goal), 0.2)
        else
          lost = lost + 1
          assert.same({ "no_path", 2 }, { w.code, #tostring(w:why_not()) > 0 and 2 })
        end
      end
    end)
    assert.truthy(lost > 0 or not helper.all_rounds())
  end)

  it("plan again when blocks change, and go on bit by bit after saving", function()
    local replanned = 0
    helper.rounds("surface edits", 15, function(rng)
      local ids = world(rng)
      local surface = surface_of(ids)
      local crowd = wend.crowd { map = surface.graph, up = "y", budget = rng:pick { 20, 300, 4096 } }
      local all, places = { crowd }, {}
      for i = 1, 3 do places[i] = { place(surface, rng) } end
      for i = 1, rng(1, 20) do
        local x, y, height = place(surface, rng)
        crowd:add { x = x, y = y, height = height, radius = 0.3, speed = 4, data = i }
      end
      -- Sends some walkers, by orders and chases, to a few places: so they share searches.
      local function play(steps, edits)
        for _ = 1, steps do
          local who, kind, to, dice = rng(20), rng(12), places[rng(3)], rng()
          if edits and rng:chance(0.05) then change(surface, ids, rng) end
          for _, one in ipairs(all) do
            local list, walkers = {}, {}
            for w in one:each() do walkers[w.data], list[#list + 1] = w, w end
            local w = walkers[who]
            local prey = list[1 + math.floor(dice * #list)]
            if w and kind == 1 and w ~= prey then w:chase(prey)
            elseif w and kind < 6 then order(w, to[1], to[2], to[3])
            elseif kind == 7 then one:go(list, to[1], to[2], { height = to[3], partial = true }) end
            local before = one._queue.stats.shared
            one:update(1 / 30)
            replanned = replanned + one._queue.stats.shared - before
          end
          assert.equal(all[1]:hash(), all[#all]:hash())
        end
      end
      play(rng(150), true)
      while crowd._queue:pending() > 0 do crowd:update(1 / 30) end      -- searches know the map as it was
      play(rng(20))
      all[2] = wend.decode(crowd:encode(), { map = surface.graph })
      assert.equal(crowd:encode(), all[2]:encode())
      play(150, true)
    end)
    assert.truthy(replanned > 0 or not helper.all_rounds())
  end)

  it("go on over blocks that were loaded again, or have changed since", function()
    helper.rounds("surface again", 15, function(rng)
      local ids = world(rng)
      local surface = surface_of(ids)
      local crowd = new(surface.graph)
      local x, y, height = place(surface, rng)
      local to_x, to_y, level = place(surface, rng)
      local w = order(crowd:add { x = x, y = y, height = height, radius = 0.2, speed = 4 }, to_x, to_y, level)
      for _ = 1, rng(90) do
        crowd:update(1 / 30)
        if rng:chance(0.05) then change(surface, ids, rng) end
      end
      local bytes, known = crowd:encode(), w.state
      if rng:chance(0.5) then change(surface, ids, rng) end
      local again = surface_of(ids)
      local loaded = assert(wend.decode(bytes, { map = again.graph }))
      local one = loaded:each()()
      if known ~= "lost" then order(one, to_x, to_y, level) end
      helper.wait(loaded, 30)
      if known ~= "moving" then return end
      assert.is_true(one.state == "arrived" or one.state == "lost", one.state)
      if one.state == "arrived" then assert.near(level, one.height, 3) end
    end)
  end)

  it("follow a given path of the surface like a plan", function()
    local ids = {}
    for z = 0, 2 do
      for y = 0, 5 do
        for x = 0, 9 do ids[(z * 6 + y) * 10 + x + 1] = y < 1 and 1 or 0 end
      end
    end
    local surface = wend.surface { classes = { [0] = "air", "solid" } }:load(0, 0, 0, 10, 6, 3, ids)
    local crowd = new(surface.graph)
    local w = crowd:add { x = 0.5, y = 0.5, height = 1, radius = 0.2, speed = 2 }
    w:go(surface.graph:path(surface:at(0.5, 1, 0.5), surface:at(9.5, 1, 0.5)))
    assert.is_false(w.own_points)
    helper.wait(crowd, 1)
    surface:changed(5, 1, 0, 1):changed(5, 2, 0, 1)                  -- a pillar on its path
    local most = 0
    for _ = 1, 300 do
      crowd:update(1 / 30)
      if w.x > 5 and w.x < 6 then most = math.max(most, w.y) end
    end
    assert.same({ "arrived", 1 }, { w.state, w.height })
    assert.is_true(most > 1, most)
  end)

  it("raise before anything has changed, and refuse other maps", function()
    local surface = surface_of(world(helper.rng "raise"))
    local crowd = new(surface.graph)
    local w = crowd:add { x = 1, y = 1, height = 1 }
    raises("height must be a finite number, got nil", w.go, w, 1, 1)
    raises("formation and together: the map must have 2 dimensions", crowd.go, crowd, { w }, 1, 1,
      { height = 1, together = true })
    raises("goals, within, beside, sight and pass_only: the map of the crowd must be a grid", w.go, w, 1, 1,
      { height = 1, within = 2 })
    raises("speeds: the map of the crowd must be a grid", function() w.speeds = "costs" end)
    raises("map must be given: a crowd belongs to one", wend.decode, crowd:encode())
    for _, map in ipairs { wend.graph(), wend.grid(2, 2) } do
      local found, _, code = wend.decode(crowd:encode(), { map = map })
      assert.same({ false, "stale" }, { found or false, code })
    end
    assert.is_nil((wend.decode(wend.crowd({ map = wend.graph() }):encode(), { map = surface.graph })))
    local empty = wend.crowd { map = wend.graph { dimensions = 3 }, up = "z" }
    local lost = order(empty:add { x = 1, y = 1 }, 2, 2, 2)
    helper.wait(empty, 0.1)
    assert.same({ "lost", "the map has no nodes" }, { lost.state, lost.message })
  end)
end)
