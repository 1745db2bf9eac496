-- SPDX-License-Identifier: MIT
-- Orders that say where a plan may end: several goals, places in range of them, tags that can only be passed. Random
-- ones are in random/crowd_ends_spec.lua.
local file_reference = require "spec.support.file_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local STEP = 1 / 30

local wait = helper.wait

--- Sends a walker every so many frames, for 20 seconds.
-- @param order makes the order of a frame
-- @return the walker, and how often it has arrived
local function ordered(every, order)
  local crowd, arrivals = wend.crowd { map = wend.grid(30, 20) }, 0
  local walker = crowd:add { x = 5.5, y = 3.5, speed = 3 }
  crowd.on_arrive = function() arrivals = arrivals + 1 end
  for frame = 1, 20 * 60 do
    if (frame - 1) % every == 0 then walker:go(order(frame)) end
    crowd:update(1 / 60)
  end
  return walker, arrivals
end

describe("orders with goals that change", function()
  local near, middle, far = { x = 8.5, y = 3.5 }, { x = 12.5, y = 3.5 }, { x = 20, y = 15 }

  for _, every in ipairs { 1, 30, 60 } do
    it(("keep a walker at a goal that stays one, every %d frames"):format(every), function()
      for name, order in pairs {
        moves = function(frame) return { goals = { middle, { x = 20 + frame / 400, y = 15 } } } end,
        order = function(frame) return { goals = frame % 60 < 30 and { middle, far } or { far, middle } } end,
        range = function(frame) return { goals = { middle, { x = 20 + frame / 400, y = 15 } }, within = 2 } end,
      } do
        local walker, arrivals = ordered(every, order)
        assert.same({ name, "arrived", 1 }, { name, walker.state, arrivals })
        assert.is_true(math.abs(walker.x - 12.5) < 2.5 and math.abs(walker.y - 3.5) < 0.3)
      end
    end)

    it(("send it on when its goal is gone, or a better one comes, every %d frames"):format(every), function()
      local walker, arrivals = ordered(every, function(frame)
        return { goals = { middle, frame < 120 and near or far } }
      end)
      assert.same({ "arrived", 2 }, { walker.state, arrivals })
      assert.is_true(math.abs(walker.x - 12.5) < 0.3)
      walker, arrivals = ordered(every, function(frame)
        return { goals = { { x = 25.5, y = 3.5 }, frame > 90 and near or far } }
      end)
      assert.same({ "arrived", 1 }, { walker.state, arrivals })
      assert.is_true(math.abs(walker.x - 8.5) < 0.3)
    end)
  end
end)

describe("orders with ends", function()
  it("of groups are searched for each walker", function()
    local map = wend.grid(30, 10):fill(15, 1, 15, 8, false)
    local crowd = wend.crowd { map = map }
    local left, right = crowd:add { x = 2.5, y = 2.5, radius = 0.3 }, crowd:add { x = 28.5, y = 2.5, radius = 0.3 }
    crowd:go({ left, right }, { goals = { { x = 5.5, y = 8.5 }, { x = 25.5, y = 8.5 } } })
    wait(crowd, 12)
    assert.same({ "arrived", "arrived" }, { left.state, right.state })
    assert.is_true(math.abs(left.x - 5.5) < 0.3 and math.abs(right.x - 25.5) < 0.3)
    assert.same({ 5.5, 25.5 }, { left.goal_x, right.goal_x })
    crowd:go({ left, right }, 5.5, 2.5, { within = 3 })
    wait(crowd, 30)
    assert.same({ "arrived", "arrived" }, { left.state, right.state })
    for w in crowd:each() do
      local x, y = map:cell_at(w.x, w.y)
      assert.is_true((x - 6) ^ 2 + (y - 3) ^ 2 <= 9, w.x .. " " .. w.y)
    end
  end)

  it("that name one position are ordinary orders", function()
    local crowd = wend.crowd { map = wend.grid(20, 10) }
    local a, b = crowd:add { x = 2.5, y = 2.5 }, crowd:add { x = 2.5, y = 6.5 }
    a:go { goals = { { x = 15.2, y = 2.7 } } }
    wait(crowd, 12)
    assert.is_true(a.state == "arrived" and math.abs(a.x - 15.2) < 0.16 and math.abs(a.y - 2.7) < 0.16)
    crowd:go({ a, b }, { goals = { { x = 5, y = 5 } }, partial = true })
    wait(crowd, 12)
    assert.is_true(a.state == "arrived" and b.state == "arrived" and a.goal_x ~= b.goal_x)
    local free = wend.crowd()
    assert.equal("moving", free:add({ x = 0, y = 0 }):go({ goals = { { x = 9, y = 0 } } }).state)
  end)

  it("follow edits and costs with the same options", function()
    local map = wend.grid(30, 9):fill(20, 1, 20, 9, false):open(20, 2)
    local crowd = wend.crowd { map = map, costs = wend.costs {} }
    local w = crowd:add { x = 2.5, y = 5.5, radius = 0.3 }
    w:go { goals = { { x = 28.5, y = 5.5 }, { x = 1.5, y = 8.5 } }, within = 4, sight = true }
    wait(crowd, 1)
    assert.same({ "arrived", 2.5 }, { w.state, w.goal_x })
    w:go { goals = { { x = 28.5, y = 5.5 }, { x = 15.5, y = 8.5 } }, within = 1 }
    wait(crowd, 2)
    map:fill(13, 7, 17, 9, false)
    wait(crowd, 30)
    assert.same({ "arrived", 27.5, 5.5 }, { w.state, w.goal_x, w.goal_y })
    w:go { goals = { { x = 2.5, y = 5.5 } }, within = 1 }
    wait(crowd, 1)
    map:fill(1, 1, 5, 9, "lava")
    w.costs = wend.costs { lava = false }
    wait(crowd, 30)
    assert.same({ "lost", "no_path" }, { w.state, w.code })
    assert.is_truthy(w.message:find("a place in range", 1, true))
  end)

  it("that come again change nothing", function()
    local crowd = wend.crowd { map = wend.grid(40, 10) }
    local events = 0
    function crowd.on_arrive() events = events + 1 end
    local w = crowd:add { x = 2.5, y = 5.5 }
    for _ = 1, 20 * 30 do
      w:go { goals = { { x = 20.5, y = 5.5 }, { x = 39.5, y = 5.5 } }, within = 2, pass_only = { "road" } }
      crowd:update(STEP)
    end
    assert.same({ "arrived", 1 }, { w.state, events })
    w:go { goals = { { x = 20.5, y = 5.5 }, { x = 39.5, y = 5.5 } }, within = 2 }
    assert.equal("moving", w.state)
    wait(crowd, 1)
    assert.same({ "arrived", 2 }, { w.state, events })
  end)

  it("lose a walker that no plan can lead there", function()
    local function code_of(order, radius)
      local map = wend.grid(12, 5):fill(6, 1, 6, 5, false):open(6, 3)
      local crowd = wend.crowd { map = map }
      local w = crowd:add({ x = 2.5, y = 2.5, radius = radius or 0.3 }):go(order)
      wait(crowd, 12)
      return w.code or w.state, w.message
    end
    assert.same({ "no_path", "no path from (3,3) to any of the goals: the list of goals is empty" },
      { code_of { goals = {} } })
    assert.same({ "no_path", "the goal is outside the grid" },
      { code_of { goals = { { x = -1, y = 2 }, { x = 1e300, y = 2 } } } })
    assert.equal("arrived", (code_of { goals = { { x = -1, y = 2 }, { x = 4.5, y = 2.5 } } }))
    assert.equal("no_path", (code_of({ goals = { { x = 9.5, y = 2.5 } }, within = 1 }, 0.9)))
    assert.equal("arrived", (code_of({ goals = { { x = 9.5, y = 2.5 } }, within = 1, partial = true }, 0.9)))
    assert.equal("arrived", (code_of { goals = { { x = 5.5, y = 0.5 } }, beside = true }))
  end)

  it("lose a walker on a field without goals", function()
    local map = wend.grid(9, 9)
    local crowd = wend.crowd { map = map }
    local list = { crowd:add { x = 1, y = 1 }, crowd:add { x = 1, y = 1 } }
    list[1]:go(map:field {})
    crowd:go({ list[2] }, map:field {})
    wait(crowd, 1)
    for _, w in ipairs(list) do
      assert.same({ "lost", "no_path", "no path from (2,2) to any of the goals" }, { w.state, w.code, w.message })
    end
  end)

  it("raise if they are wrong", function()
    local crowd = wend.crowd { map = wend.grid(9, 9) }
    local w = crowd:add { x = 1, y = 1 }
    local at = { { x = 1, y = 1 }, { x = 2, y = 2 } }
    local function raises(message, ...)
      local ok, problem = pcall(w.go, w, ...)
      assert.same({ false, message }, { ok, tostring(problem):gsub("^[^ ]+:%d+: ", "") .. "" })
      ok, problem = pcall(crowd.go, crowd, { w }, ...)
      assert.same({ false, message }, { ok, tostring(problem):gsub("^[^ ]+:%d+: ", "") .. "" })
      assert.equal("waiting", w.state)
    end
    raises("goals must be a list of positions, got nil", { within = 3 })
    raises("goals must be a list of positions, got 1", { goals = 1 })
    raises("goals must be a list of positions, got the key 'x'", { goals = { x = 1 } })
    raises("goals[2] must be a position { x = , y = }, got a table", { goals = { at[1], {} } })
    raises("goals[1] must be a position { x = , y = }, got 5", { goals = { 5, 7 } })
    raises("goals[1] must be a position { x = , y = }, got a table", { goals = { { 5, 7 } } })
    raises("goals[1].y must be a finite number, got nan", { goals = { { x = 1, y = 0 / 0 } } })
    raises("within must be a finite number >= 0, got -1", { goals = at, within = -1 })
    raises("within must be a finite number >= 0, got inf", 1, 1, { within = math.huge })
    raises("sight must be true or false, got 'far'", { goals = at, sight = "far" })
    raises("stop must be true or false, got 0", 1, 1, { stop = 0 })
    raises("beside must be true or false, got 1", 1, 1, { beside = 1 })
    raises("pass_only must be a list of tags, got 'road'", { goals = at, pass_only = "road" })
    raises("pass_only must be a list of tags, got the key 'road'", { goals = at, pass_only = { road = true } })
    raises("pass_only[2] must be a tag, got 7", 1, 1, { pass_only = { "road", 7 } })
    raises("the order has its options in its table, got a table too", { goals = at }, {})
    local ok, problem = pcall(w.go, w, { 1, 1, 2, 2, within = 3 })
    assert.is_truthy(not ok and problem:find("within is for positions: a list of points has none", 1, true))
    ok, problem = pcall(w.go, w, { goals = at, near = 3 })
    assert.is_truthy(not ok and problem:find("unknown option 'near' (expected one of: goals, partial", 1, true))
    for _, map in ipairs { false, wend.graph() } do
      local other = wend.crowd { map = map or nil }:add { x = 1, y = 1 }
      ok, problem = pcall(other.go, other, { goals = at })
      assert.is_truthy(not ok and problem:find("the map of the crowd must be a grid", 1, true))
    end
  end)
end)

describe("orders with stop = false", function()
  --- The least speed of a walker around its way point at 20, and how far it gets beyond its goal at 50.5.
  local function walk(map, speed, acceleration, stop, copies)
    local crowd = wend.crowd { map = map and wend.grid(60, 10) or nil }
    local w = crowd:add { x = 2.5, y = 5.5, radius = 0.5, speed = speed, acceleration = acceleration }
    local least, beyond = math.huge, 0
    local function on_arrive(one)
      if one.goal_x < 30 then one:go(50.5, 5.5, { stop = stop }) end
    end
    crowd.on_arrive = on_arrive
    w:go(20.5, 5.5, { stop = stop })
    for i = 1, 60 * 30 do
      if copies and i % copies == 0 then
        crowd = wend.decode(crowd:encode(), { map = map and wend.grid(60, 10) or nil })
        crowd.on_arrive = on_arrive
        w = crowd:each()()
      end
      crowd:update(STEP)
      if w.x > 18 and w.x < 24 then least = math.min(least, w.vx) end
      beyond = math.max(beyond, w.x - 50.5)
    end
    return least / speed, beyond, w.state, crowd:hash()
  end

  it("keep the speed of a walker at way points", function()
    for _, map in ipairs { false, true } do
      for _, speed in ipairs { 1.5, 6, 12 } do
        local stopped = walk(map, speed, nil, true)
        local least, beyond, state, hash = walk(map, speed, nil, false)
        local about = ("%s %g: %g %g %g"):format(tostring(map), speed, stopped, least, beyond)
        assert.is_true(stopped < 0.7 and least > 0.7, about)
        assert.is_true(state == "arrived" and beyond < speed / 3, about)
        assert.equal(hash, select(4, walk(map, speed, nil, false, 7)))
      end
      assert.is_true(walk(map, 6, 2, true) < 0.2 and walk(map, 6, 2, false) > 0.9)
    end
  end)

  it("hold for one order only", function()
    local crowd = wend.crowd()
    local w = crowd:add({ x = 0, y = 0, speed = 6 }):go(10, 0, { stop = false })
    w:go(10, 0)
    local most = 0
    for _ = 1, 200 do
      crowd:update(STEP)
      most = math.max(most, w.x)
    end
    assert.is_true(w.state == "arrived" and most < 10.1)
  end)
end)

--- Frees an object, as wend.clear does with what a state has.
local function free(object) debug.getmetatable(object).__gc(object) end

describe("orders with things that were freed", function()
  --- A crowd, its map, and a walker.
  local function make()
    local map = wend.grid(20, 9)
    local crowd = wend.crowd { map = map }
    return map, crowd, crowd:add { x = 2, y = 2 }
  end

  it("raise, and change nothing", function()
    local map, crowd, w = make()
    local field, fog = map:field { 9, 9, 10, 9 }, map:overlay()
    local path = fog:path(3, 3, 9, 9)
    free(field)
    free(fog)
    helper.raises("the field is gone, or was never made", w.go, w, field)
    helper.raises("the field is gone, or was never made", crowd.go, crowd, { w }, field)
    helper.raises("the grid is gone", w.go, w, path)
    helper.raises("the grid is gone", crowd.add, crowd, { x = 1, y = 1, map = fog })
    helper.raises("the grid is gone", function() w.map = fog end)
    assert.same({ "waiting", 1 }, { w.state, crowd:count() })
    assert.is_nil(w.map)
    local prey = crowd:add { x = 9, y = 3 }
    prey:remove()
    helper.raises("the target was removed", w.chase, w, prey)
    helper.raises("the target was removed", crowd.surround, crowd, { w }, prey)
  end)

  it("end with an error where they are freed later", function()
    local map, crowd, w = make()
    local field = map:field { 18, 9, 18, 8 }
    w:go(field)
    wait(crowd, 1)
    free(field)
    wait(crowd, 1)
    assert.equal("moving", w.state)               -- it has its way
    map:close(6, 1, 6, 8)
    wait(crowd, 1)
    assert.same({ "lost", "error", "the field is gone, or was never made" }, { w.state, w.code, w.message })
    local other, fog = crowd:add { x = 2, y = 5 }, map:overlay()
    other.map = fog
    local bytes = crowd:encode()
    free(fog)
    helper.raises("the grid is gone", wend.decode, bytes, { map = map, walker = function(one)
      return one.y > 4 and { map = fog } or nil
    end })
    helper.raises("the grid is gone", other.go, other, 9, 3)
    other.map = nil
    other:go(9, 8.5)
    wait(crowd, 15)
    assert.equal("arrived", other.state)
  end)
end)

--- The cells of a rectangle, as a flat list.
local function rectangle(left, top, right, bottom)
  local cells = {}
  for y = top, bottom do
    for x = left, right do cells[#cells + 1], cells[#cells + 2] = x, y end
  end
  return cells
end

--- How many walkers have arrived in cells of a list, and how many cells they are in.
local function count_on(crowd, map, cells)
  local is_goal, taken, walkers, different = {}, {}, 0, 0
  for i = 1, #cells, 2 do is_goal[cells[i] .. " " .. cells[i + 1]] = true end
  for w in crowd:each() do
    local x, y = map:cell_at(w.x, w.y)
    local cell = x .. " " .. y
    if w.state == "arrived" and is_goal[cell] then
      walkers, different = walkers + 1, different + (taken[cell] and 0 or 1)
      taken[cell] = true
    end
  end
  return walkers, different
end

--- A crowd that goes through a door into a room, of which each cell is a goal.
local function make_room(count, radius)
  local map = wend.grid(30, 14):fill(15, 1, 15, 14, false):open(15, 7, 15, 8)
  local crowd, list, cells = wend.crowd { map = map }, {}, rectangle(16, 1, 30, 14)
  for i = 1, count do
    list[i] = crowd:add { x = 1 + i % 6 * 2, y = 1 + math.floor(i / 6) * 2, radius = radius }
  end
  crowd:go(list, map:field(cells))
  return map, crowd, list, cells
end

describe("a field with several goals", function()
  for _, radius in ipairs { 0.2, 0.4, 0.9 } do
    it(("is an area: walkers fill it behind its door, radius %g"):format(radius), function()
      local map, crowd, list, cells = make_room(30, radius)
      local goes, again = {}, 0
      function crowd.on_arrive(w)
        if goes[w] then again = again + 1 end
        local x, y = map:cell_at(w.x, w.y)
        goes[w] = x > 15 and { x, y }
      end
      wait(crowd, radius > 0.5 and 120 or 60)
      local walkers, different = count_on(crowd, map, cells)
      assert.equal(#list, walkers)
      assert.is_true(again <= (radius > 0.5 and 1 or 0))  -- a wide one may be pushed out of the door again
      if radius == 0.4 then assert.equal(#list, different) end
      for _, w in ipairs(list) do
        assert.is_truthy(goes[w])                 -- it was told in the area
        assert.is_true(math.abs(w.vx) < 0.05)
      end
    end)
  end

  it("lets walkers arrive that stand on it, or are pushed onto it", function()
    local map = wend.grid(20, 20)
    local crowd, field = wend.crowd { map = map }, map:field(rectangle(10, 1, 12, 20))
    local here = crowd:add({ x = 11.1, y = 3.1, speed = 0.1 }):go(field)     -- its place is the middle of the cell
    local pushed = crowd:add({ x = 8.2, y = 10.5, speed = 0 }):go(field)
    pushed:push(6, 0)
    wait(crowd, 0.1)
    assert.equal("arrived", here.state)
    wait(crowd, 4)
    assert.same({ "arrived", "arrived" }, { here.state, pushed.state })
    assert.is_true(pushed.x > 9)
  end)

  it("spreads those who come one after another to a line, and into a dead end", function()
    local line, lane = wend.grid(40, 20), wend.grid(30, 1)
    for map, cells in pairs { [line] = rectangle(38, 1, 38, 20), [lane] = rectangle(25, 1, 30, 1) } do
      local crowd, list = wend.crowd { map = map }, {}
      local count = #cells / 2
      for i = 1, count do list[i] = crowd:add { x = 1.5 * i, y = map == line and 10.5 or 0.5, radius = 0.4 } end
      assert.equal(crowd, crowd:go(list, map:field(cells)))
      wait(crowd, 60)
      assert.same({ count, count }, { count_on(crowd, map, cells) })
    end
  end)

  it("takes more walkers than it has places: the others arrive beside it", function()
    local map, cells = wend.grid(30, 30), rectangle(14, 14, 16, 16)
    local crowd, list = wend.crowd { map = map }, {}
    for i = 1, 30 do list[i] = crowd:add { x = 1 + i % 8 * 2, y = 1 + math.floor(i / 8) * 2, radius = 0.4 } end
    crowd:go(list, map:field(cells))
    wait(crowd, 60)
    assert.is_true(count_on(crowd, map, cells) >= 9)
    for _, w in ipairs(list) do assert.equal("arrived", w.state) end
  end)

  it("is no area where its ground is closed for a walker", function()
    local map = wend.grid(20, 7):fill(12, 1, 20, 7, "lava"):fill(18, 3, 20, 5, 1)
    local crowd = wend.crowd { map = map, costs = wend.costs { lava = false } }
    local field = map:field(rectangle(12, 1, 20, 7))              -- with other costs than those of the walker
    local w = crowd:add({ x = 2.5, y = 3.5 }):go(field)
    local brave = crowd:add({ x = 2.5, y = 5.5, costs = wend.costs { lava = 1 } }):go(field)
    wait(crowd, 20)
    assert.equal("arrived", brave.state)
    assert.is_true(brave.x > 11)
    assert.is_true(w.state ~= "arrived" and w.x < 11)
  end)

  it("is forgotten with the next order", function()
    local map, crowd, list = make_room(3, 0.4)
    list[1]:go(25, 3)
    list[2]:go { goals = { { x = 28, y = 12 } }, within = 1 }
    list[3]:go { 10, 2, 20, 7.5, 27, 10 }
    wait(crowd, 30)
    for i, place in ipairs { { 25, 3, 0.3 }, { 28, 12, 1.6 }, { 27, 10, 0.3 } } do
      local far = math.sqrt((list[i].x - place[1]) ^ 2 + (list[i].y - place[2]) ^ 2)
      assert.is_true(list[i].state == "arrived" and far < place[3], ("%d: %g"):format(i, far))
    end
    list[1]:go(map:field { 2, 2, 3, 3 })
    list[1]:go(map:field { 29, 1, 30, 1 })
    wait(crowd, 30)
    assert.is_true(list[1].x > 28 and list[1].y < 1)
  end)

  it("has its goals after it was made again", function()
    local map = wend.grid(20, 5)
    local crowd, field = wend.crowd { map = map }, map:field { 10, 3, 11, 3 }
    local first = crowd:add({ x = 1.5, y = 2.5 }):go(field)
    wait(crowd, 15)
    map:field({ 17, 3, 18, 3 }, { into = field })
    local second = crowd:add({ x = 1.5, y = 0.5 }):go(field)
    wait(crowd, 15)
    assert.same({ "arrived", "arrived" }, { first.state, second.state })
    assert.is_true(first.x < 11 and second.x > 16)
  end)

  it("raises for options, and with lists that are none", function()
    local map, crowd, list = make_room(2, 0.4)
    local field = map:field { 1, 1, 2, 2 }
    helper.raises("options are for positions: a wend.Field has none", crowd.go, crowd, list, field, { partial = true })
    helper.raises("walkers must be a list of walkers, got nil", crowd.go, crowd, nil, field)
    helper.raises("field must be a field of this grid made without `outward`, got another one", crowd.go, crowd, list,
      wend.grid(3, 3):field { 1, 1, 2, 2 })
  end)

  it("is saved: a loaded crowd goes on identically", function()
    local map, crowd = make_room(24, 0.4)
    for _ = 1, 8 do
      wait(crowd, 4)
      local bytes = crowd:encode()
      local loaded = assert(wend.decode(bytes, { map = map }))
      if not bytes:find("asked", 1, true) then assert.equal(bytes, loaded:encode()) end
      for _ = 1, 4 * 30 do
        crowd:update(STEP)
        loaded:update(STEP)
        assert.equal(crowd:hash(), loaded:hash())
      end
    end
  end)

  it("is refused in damaged files", function()
    local map, crowd = make_room(3, 0.4)
    wait(crowd, 1)
    local bytes = crowd:encode()
    local at = bytes:find("AREA", 1, true) + 12        -- u32 count; u32 party, u32 count, the cells; the walkers
    local function with(place, text) return file_reference.mend(file_reference.patch(bytes, at + place, text)) end
    assert.equal(bytes, with(0, "\1"))
    local walkers = 12 + 4 * 15 * 14
    for _, case in ipairs { { 0, "\2" }, { 0, "\255\255\255\255" }, { 4, "\9" }, { 8, "\0\1" }, { 12, "\0" },
      { 12, "\255\255\255" }, { 12, "\30\0\0\0" }, { walkers, "\2" } } do
      helper.fails("a crowd: damaged, or of a version that is not known", "format", wend.decode,
        with(case[1], case[2]), { map = map })
    end
  end)
end)

describe("w:why_not of orders with ends", function()
  it("reports the obstacles on the way to the goals", function()
    local map = wend.parse_grid([[
      .......#....
      .......#....
      .......#...X
    ]], { X = { tag = "tower", closed = true } }, { cell = 10 })
    local costs = wend.costs { tower = 1 }
    local tower, field = { x = 115, y = 25 }, { x = 95, y = 15 }
    for _, case in ipairs { { { goals = { tower }, within = 30 }, 1 }, { { goals = { tower }, sight = true }, 1 },
      { { goals = { tower, field }, beside = true }, 1 }, { { goals = { field } }, 1 }, { { goals = { tower } }, 2 },
      { { goals = { tower }, closed_goal = true }, 1 } } do
      local crowd, told = wend.crowd { map = map, costs = costs }, nil
      local w = crowd:add { x = 15, y = 15 }
      function crowd.on_lost() told = w:why_not().obstacles end
      wait(crowd:go({ w }, case[1]) or crowd, 1)
      assert.equal("lost", w.state)
      assert.same({ case[2], 8, "closed" }, { #told, told[1].x, told[1].cause })
      map:open(8, 2)
      wait(crowd, 1)
      if case[2] == 1 then
        assert.same({}, (w:why_not() or { obstacles = {} }).obstacles)             -- there is a way by now
        wait(crowd:go({ w }, case[1]), 15)
        assert.equal(case[1].closed_goal and "moving" or "arrived", w.state)
      end
      map:close(8, 2)
    end
  end)

  it("tells where the way is too narrow to come in range, for one goal and for several", function()
    local map = wend.parse_grid [[
      ........
      ####..##
      ........
      ........
    ]]
    for _, goals in ipairs { { { x = 3.5, y = 3.5 } }, { { x = 2.5, y = 3.5 }, { x = 3.5, y = 3.5 } } } do
      local crowd = wend.crowd { map = map:close(3, 4, 5, 4) }
      local w = crowd:add({ x = 7, y = 0.5, radius = 0.75 }):go { goals = goals, beside = true }
      wait(crowd, 1)
      assert.equal("no path from (8,1) to a place in range of any of the goals for the radius 0.75", w.message)
      local cell = w:why_not().narrow
      assert.same({ true, 3 }, { cell.x >= 4 and cell.x <= 6, cell.y })
      assert.equal(("The way is too narrow for the radius 0.75 at (%d,%d)."):format(cell.x, cell.y), w:why_not().text)
    end
  end)

  it("is nil on the way to a place in range of a goal that is closed for the walker", function()
    local map = wend.grid(12, 3):set(11, 2, 1, "tower")
    local crowd = wend.crowd { map = map, costs = wend.costs { tower = false } }
    local w = crowd:add({ x = 1, y = 1 }):go(10.5, 1.5, { within = 2 })
    for _ = 1, 3 do
      assert.same({ "moving" }, { w.state, w:why_not() })
      wait(crowd, 1)
    end
  end)

  it("tell that no goal is inside the map", function()
    local crowd = wend.crowd { map = wend.grid(9, 9) }
    local w = crowd:add({ x = 2, y = 2 }):go { goals = { { x = 20, y = 2 } }, within = 2 }
    wait(crowd, 1)
    assert.same({ w.message, {} }, { tostring(w:why_not()), w:why_not().obstacles })
  end)
end)
