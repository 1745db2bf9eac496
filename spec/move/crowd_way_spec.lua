-- SPDX-License-Identifier: MIT
-- One way: in whatever form an order comes, the walker keeps to what the search knew.
local wend = require "wend"
local raises = require("spec.support.helper").raises

local STEP = 1 / 30
local FORMS = { "place", "field", "path", "corners", "route" }

--- Sends a walker to the cell (x, y), by an order of a form.
-- @param options of the search
local function send(map, w, form, x, y, options)
  local at_x, at_y = map:cell_at(w.x, w.y)
  local given = {}
  for name, value in pairs(options or {}) do given[name] = value end
  if form == "place" then return w:go(map:position(x, y))
  elseif form == "field" then return w:go(map:field(x, y, given))
  elseif form == "route" then
    local goal_x, goal_y = map:position(x, y)
    return w:go(assert(map:route(w.x, w.y, goal_x, goal_y, given)))
  end
  given.corners = form == "corners"
  return w:go(assert(map:path(at_x, at_y, x, y, given)))
end

--- Lets a crowd go on until a walker does not move any more.
-- @param look called after each step
local function walk(crowd, w, seconds, look)
  for step = 1, seconds * 30 do
    crowd:update(STEP)
    if look then look() end
    if w.state ~= "moving" then return step * STEP end
  end
  return seconds
end

--- Counts the steps in which a walker is in a cell of a tag.
local function counter(map, w, tag)
  local count = { n = 0 }
  return count, function()
    if select(2, map:get(map:cell_at(w.x, w.y))) == tag then count.n = count.n + 1 end
  end
end

local POOL = { "............", "..~~~~~~~~..", "..~~~~~~~~..", "..~~~~~~~~..", "............" }
local COSTS = { lava = false, swamp = 20 }

local function pool(tag) return wend.parse_grid(POOL, { ["~"] = tag }) end

describe("a way that a walker is given", function()
  for _, tag in ipairs { "lava", "swamp" } do
    for _, form in ipairs(FORMS) do
      it(("keeps off %s that its search knew, as a %s"):format(tag, form), function()
        local map, costs = pool(tag), wend.costs(COSTS)
        local crowd = wend.crowd { map = map, costs = costs }
        local w = crowd:add { x = 0.5, y = 2.5, radius = 0.25 }
        local count, look = counter(map, w, tag)
        send(map, w, form, 12, 3, { costs = costs })
        assert.is_true(walk(crowd, w, 30, look) < 12)
        assert.same({ "arrived", 0 }, { w.state, count.n })
      end)
    end
  end

  for _, form in ipairs(FORMS) do
    it(("is planned anew if the costs of the walker close it, as a %s"):format(form), function()
      local map = pool "lava"
      local crowd = wend.crowd { map = map }
      local w = crowd:add { x = 0.5, y = 2.5, radius = 0.25, costs = wend.costs(COSTS) }
      local other = crowd:add { x = 0.5, y = 3.5, radius = 0.25 }
      local count, look = counter(map, w, "lava")
      local hot, look_there = counter(map, other, "lava")
      send(map, w, form, 12, 3)
      send(map, other, form, 12, 4)
      walk(crowd, w, 30, function() look() look_there() end)
      assert.same({ "arrived", 0, "arrived" }, { w.state, count.n, other.state })
      assert.is_true(hot.n > 60)                             -- nothing is closed for that one
    end)

    it(("notices edits and changes of costs, as a %s"):format(form), function()
      for _, change in ipairs { "edit", "costs", "profile" } do
        local map = pool "mud"
        local costs = wend.costs { mud = 1 }
        local crowd = wend.crowd { map = map, costs = costs }
        local w = crowd:add { x = 0.5, y = 2.5, radius = 0.25 }
        send(map, w, form, 12, 3, { costs = costs })
        for _ = 1, 15 do crowd:update(STEP) end
        assert.is_true(w.x > 1 and w.x < 2)
        if change == "edit" then map:fill(8, 2, 8, 4, false)
        elseif change == "costs" then w.costs = wend.costs { mud = false }
        else costs:set("mud", 40) end
        local count, look = counter(map, w, "mud")
        walk(crowd, w, 30, look)
        assert.same({ "arrived", change == "edit" and count.n or 0 }, { w.state, count.n }, form .. ", " .. change)
      end
    end)
  end

  it("knows which cells lie under long legs", function()
    local map, plans = wend.grid(40, 20), 0
    map:set(1, 20, 1, "x")
    local costs = wend.costs { x = function() plans = plans + 1 return 1 end }
    local crowd = wend.crowd { map = map, costs = costs }
    for _, form in ipairs { "corners", "route" } do
      local w = crowd:add { x = 0.5, y = 0.5, radius = 0.3 }
      send(map, w, form, 40, 14)
      for _ = 1, 30 do crowd:update(STEP) end
      plans = 0
      map:close(20, 1):close(3, 14)                         -- beside the way
      for _ = 1, 30 do crowd:update(STEP) end
      assert.equal(0, plans, form)
      map:close(form == "corners" and 12 or 21, form == "corners" and 12 or 7)
      map:open(20, 1):open(3, 14)
      for _ = 1, 30 do crowd:update(STEP) end
      assert.is_true(plans > 0, form)
      map:fill(1, 1, 40, 19, 1)
      w:remove()
    end
  end)

  it("may be one of an overlay of the map, but not of another map", function()
    local map = pool "lava"
    local crowd = wend.crowd { map = map, costs = wend.costs(COSTS) }
    local over = map:overlay():overlay():fill(3, 2, 10, 4, 1)
    local w = crowd:add { x = 0.5, y = 2.5, radius = 0.25 }
    local count, look = counter(map, w, "lava")
    w:go(assert(over:path(1, 3, 12, 3)))
    assert.is_false(w.own_points)
    walk(crowd, w, 30, look)
    assert.same({ "arrived", 0 }, { w.state, count.n })
    for _, foreign in ipairs { wend.grid(12, 5), wend.grid(12, 5):overlay() } do
      w:place(0.5, 2.5):go(assert(foreign:path(1, 3, 12, 3)))
      assert.is_true(w.own_points)
      walk(crowd, w, 30, look)
      assert.same({ "stuck", 0 }, { w.state, count.n })     -- it goes to the lava, as it was told
    end
  end)

  it("takes its links, and plans around one that is gone", function()
    local map = wend.grid(40, 5):fill(20, 1, 22, 5, false)
    map:link(3, 3, 38, 3, { weight = 1, tag = "teleporter" })
    for _, form in ipairs(FORMS) do
      local crowd = wend.crowd { map = map }
      local w, crossed = crowd:add { x = 0.5, y = 2.5, speed = 4 }, false
      send(map, w, form, 40, 3)
      walk(crowd, w, 30, function() crossed = crossed or w.crossing end)
      assert.equal("arrived", w.state)
      assert.truthy(crossed)
    end
    local crowd = wend.crowd { map = map, costs = wend.costs { teleporter = false } }
    local w = crowd:add { x = 0.5, y = 2.5, speed = 4 }
    for _, form in ipairs { "field", "path", "corners", "route" } do
      send(map, w:place(0.5, 2.5), form, 40, 3)
      walk(crowd, w, 5)
      assert.same({ "lost", "no_path" }, { w.state, w.code }, form)
    end
    local old = map:path(1, 3, 40, 3)
    map:unlink(3, 3, 38, 3):open(21, 1):set(20, 1, 1):set(21, 1, 1):set(22, 1, 1)
    w:go(old)
    walk(crowd, w, 30)
    assert.equal("arrived", w.state)
  end)

  it("may end in a cell that is closed", function()
    local map = wend.grid(20, 5):close(15, 3)
    for _, form in ipairs { "path", "corners", "route" } do
      local crowd = wend.crowd { map = map }
      local w = crowd:add { x = 0.5, y = 2.5, radius = 0.3 }
      send(map, w, form, 15, 3, { closed_goal = true })
      walk(crowd, w, 11)
      assert.is_true(w.state ~= "lost" and w.x > 13.5, form .. " " .. w.state)
    end
  end)

  it("of a size leads through the middle of its body", function()
    local map = wend.grid(20, 6)
    local crowd = wend.crowd { map = map }
    local w = crowd:add { x = 1, y = 1, radius = 0.4 }
    w:go(assert(map:path(1, 1, 15, 1, { size = 2 })))
    assert.same({ 15.0, 1.0 }, { w.goal_x, w.goal_y })
    walk(crowd, w, 20)
    assert.equal("arrived", w.state)
  end)

  it("is told once, and goes on with its patience when it comes again", function()
    local map = wend.grid(20, 1)
    local crowd = wend.crowd { map = map }
    local w, told = crowd:add { x = 1.5, y = 0.5, radius = 0.45, patience = 5, squeeze = false }, 0
    crowd:add({ x = 10, y = 0.5, radius = 0.45 }):pause()
    function crowd.on_stuck() told = told + 1 end
    for _ = 1, 30 * 30 do
      w:go(assert(map:path(math.floor(w.x) + 1, 1, 18, 1)))
      crowd:update(STEP)
    end
    assert.same({ "stuck", 1 }, { w.state, told })
  end)

  it("makes the walker lost if a function of a tag raises", function()
    local map = pool "lava"
    local bad = wend.costs { lava = function() error("no idea", 0) end }
    local crowd, lost = wend.crowd { map = map }, 0
    function crowd.on_lost() lost = lost + 1 end
    local w = crowd:add { x = 0.5, y = 2.5 }
    local path = map:path(1, 3, 12, 3)
    w.costs = bad
    for _ = 1, 10 do
      w:go(path)
      crowd:update(STEP)
    end
    assert.same({ "lost", "error", 1 }, { w.state, w.code, lost })
    assert.truthy(w.message:find("no idea", 1, true))
    w.costs = nil
    w:go(path)
    assert.equal("moving", w.state)
  end)

  it("may be a list that a script has changed", function()
    local map = wend.grid(12, 5)
    local crowd = wend.crowd { map = map }
    local w = crowd:add { x = 0.5, y = 2.5 }
    local route = map:route(0.5, 2.5, 11.5, 2.5)
    route[3] = 0 / 0
    raises("points[3] must be a number in -1000000000 .. 1000000000, got nan", w.go, w, route)
    route[3], route[4] = 500, 500                            -- outside the grid: it plans
    w:go(route)
    assert.same({ "lost", "no_path" }, { w.state, w.code })
    local links = map:route(0.5, 2.5, 11.5, 2.5)
    links.links = { true }
    w:go(links)                                              -- there is no such link: it plans
    walk(crowd, w, 20)
    assert.equal("arrived", w.state)
    for _, wrong in ipairs { 7, "map", false } do
      local other = map:route(0.5, 2.5, 11.5, 2.5)
      other.links, other.map = wrong, wrong
      w:place(0.5, 2.5):go(other)
      walk(crowd, w, 20)
      assert.equal("arrived", w.state)
    end
  end)

  it("goes on the same in a loaded game", function()
    local costs = wend.costs(COSTS)
    for _, form in ipairs(FORMS) do
      local map = pool "swamp"
      map:link(2, 1, 11, 1, { weight = 9 })
      local crowd = wend.crowd { map = map, costs = costs }
      local w = crowd:add { x = 0.5, y = 2.5, radius = 0.25 }
      local own = crowd:add({ x = 0.5, y = 4.5, radius = 0.25 }):go { 3, 4.5, 11, 4.5 }
      send(map, w, form, 12, 3, { costs = costs })
      for _ = 1, 20 do crowd:update(STEP) end
      local copy = map:copy()
      local loaded = assert(wend.decode(crowd:encode(), { map = copy, costs = costs }))
      local twin, twin_own
      for one in loaded:each() do
        if one.y > 4 then twin_own = one else twin = one end
      end
      assert.same({ false, true, false, true },
        { w.own_points, own.own_points, twin.own_points, twin_own.own_points })
      for step = 1, 300 do
        if step == 30 then
          map:close(6, 1):close(6, 5)
          copy:close(6, 1):close(6, 5)
        end
        crowd:update(STEP)
        loaded:update(STEP)
        assert.equal(crowd:hash(), loaded:hash())
      end
    end
  end)
end)

describe("w.own_points", function()
  it("says whether the walker goes along points of which wend knows nothing", function()
    local map = pool "lava"
    local crowd = wend.crowd { map = map }
    local w, prey = crowd:add { x = 0.5, y = 2.5 }, crowd:add { x = 5, y = 0.5 }
    assert.is_false(w.own_points)
    w:go { 1, 2, 3, 4 }
    assert.is_true(w.own_points)
    w:go(map:path(1, 3, 12, 3):points())
    assert.is_true(w.own_points)
    for _, form in ipairs(FORMS) do
      send(map, w, form, 12, 3)
      assert.is_false(w.own_points, form)
      w:go { 1, 2, 3, 4 }
    end
    w:chase(prey)
    assert.is_false(w.own_points)
    w:go { 1, 2 }:stop()
    assert.is_false(w.own_points)
    raises("'own_points' cannot be assigned", function() w.own_points = true end)
    w:remove()
    assert.is_nil(w.own_points)
    local flat = wend.crowd():add({ x = 0, y = 0 })
    assert.is_false(flat:go(5, 5).own_points)
    assert.is_true(flat:go({ 5, 5 }).own_points)
  end)

  it("becomes false when the walker has lost sight of its points, and has planned", function()
    local map = wend.grid(20, 9):fill(10, 1, 10, 8, false)
    local crowd = wend.crowd { map = map }
    local w = crowd:add({ x = 2.5, y = 2.5, radius = 0.3 }):go { 5, 2.5, 8, 2.5 }
    crowd:update(STEP)
    assert.is_true(w.own_points)
    w:place(15.5, 2.5)
    for _ = 1, 60 do crowd:update(STEP) end
    assert.same({ false, "moving" }, { w.own_points, w.state })
    walk(crowd, w, 30)
    assert.same({ "arrived", 8.0, 2.5 }, { w.state, w.goal_x, w.goal_y })
  end)
end)

describe("a field that a walker follows", function()
  local function two_doors() return wend.grid(20, 9):fill(10, 1, 10, 9, false):open(10, 2):open(10, 8) end

  it("is planned to its goal when it is out of date", function()
    local map = wend.grid(20, 9):fill(10, 1, 10, 1, false):fill(10, 3, 10, 7, false):fill(10, 9, 10, 9, false)
    local crowd, lost = wend.crowd { map = map }, 0
    function crowd.on_lost() lost = lost + 1 end
    local w = crowd:add({ x = 5, y = 1.5 }):go(map:field { 18, 2, 2, 9 })
    local other = crowd:add({ x = 4, y = 1.5 }):go(map:field(18, 2))
    for _ = 1, 30 do crowd:update(STEP) end
    map:close(10, 2)
    walk(crowd, other, 40)
    for _ = 1, 300 do crowd:update(STEP) end
    assert.same({ "arrived", "arrived", 0 }, { w.state, other.state, lost })
    assert.is_true(other.x > 16)
  end)

  it("is out of date for good after arithmetic", function()
    local map = two_doors()
    map:set(10, 2, 1):set(10, 8, 1)
    local field = map:field(18, 2)
    field:scale(2):relax()
    local crowd = wend.crowd { map = map }
    local w = crowd:add({ x = 5, y = 1.5 }):go(field)
    for _ = 1, 30 do crowd:update(STEP) end
    assert.equal("moving", w.state)
    local loaded = assert(wend.decode(crowd:encode(), { map = map }))
    local late = assert(wend.decode(crowd:encode(), { map = map }))
    map:close(10, 2)
    local stale = {}
    for _, one in ipairs { crowd, loaded, late } do
      for _ = 1, 30 do one:update(STEP) end
      for walker in one:each() do stale[#stale + 1] = walker.state .. " " .. walker.code end
    end
    assert.same({ "lost stale", "lost stale", "lost stale" }, stale)
    local later = wend.crowd { map = map }
    local again = later:add({ x = 5, y = 1.5 }):go(map:field(18, 2))
    for _ = 1, 10 do later:update(STEP) end
    assert.equal("moving", again.state)
  end)
end)

describe("a way on a graph", function()
  local function town()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0, 10, 10 }
    g:add_edges({ 1, 2, 2, 3 }, { tag = "ford" })
    g:add_edges { 1, 4, 4, 3 }
    return g
  end

  it("is planned anew if it is closed, and after edits", function()
    for _, form in ipairs { "path", "route" } do
      for _, change in ipairs { "before", "later", "costs", "none" } do
        local g = town()
        local crowd = wend.crowd { map = g }
        local w = crowd:add { x = 0, y = 0 }
        local given = form == "path" and g:path(1, 3) or g:route(w, { 20, 0 })
        if change == "before" then g:close_edge(2) end
        if change == "costs" then w.costs = wend.costs { ford = false } end
        w:go(given)
        assert.same({ "moving", false }, { w.state, w.own_points })
        local top = 0
        for step = 1, 30 * 30 do
          if step == 60 and change == "later" then g:close_edge(2) end
          crowd:update(STEP)
          top = math.max(top, w.y)
        end
        assert.same({ "arrived", 20.0, change ~= "none" }, { w.state, w.goal_x, top > 4 }, form .. " " .. change)
      end
    end
  end)
end)

describe("links of a grid", function()
  --- A hall with a wall of rock, and a link through it whose cost is 6 x 2.
  local function rock(frame)
    local map = wend.grid(40, 5, frame):fill(20, 1, 22, 5, false)
    return map:link(3, 3, 38, 3, { weight = 6, tag = "stairs" })
  end
  local costs = wend.costs { stairs = 2 }

  --- Sends a walker through the hall.
  -- @return the time on the link, the path of x on it, and what on_link was told
  local function cross(options, form, map)
    map = map or rock()
    local crowd = wend.crowd { map = map, costs = costs, links = options.crowd }
    local w = crowd:add { x = 0.5, y = 2.5, speed = 3, links = options.walker }
    local steps, told, last, xs = 0, {}, nil, {}
    function crowd.on_link(...) told[#told + 1] = { ... } end
    send(map, w, form or "place", 40, 3, { costs = costs })
    walk(crowd, w, 30, function()
      if w.crossing then
        steps, last, xs[#xs + 1] = steps + 1, w.crossing, w.x
      end
    end)
    assert.equal("arrived", w.state)
    return steps * STEP, last, told, w, xs
  end

  for _, form in ipairs(FORMS) do
    it(("take the time that they cost, as a %s"):format(form), function()
      local time, link, told, w, xs = cross({}, form)
      assert.is_true(math.abs(time - 6 * 2 / 3) <= STEP, time)
      assert.same({ x = 2.5, y = 2.5, to_x = 37.5, to_y = 2.5, tag = "stairs" }, link)
      assert.same({ { w, "stairs", 2.5, 2.5, 37.5, 2.5 } }, told)
      for i = 2, #xs do assert.is_true(xs[i] > xs[i - 1]) end
      assert.is_false(w.crossing)
    end)
  end

  it("are jumped over, or walked", function()
    local time, link, told = cross { crowd = "jump" }
    assert.same({ 0, nil, 1, "stairs" }, { time, link, #told, told[1][2] })
    time = cross { crowd = "walk" }
    assert.is_true(math.abs(time - 35 / 3) <= 2 * STEP, time)
    time = cross { crowd = "walk", walker = "jump" }
    assert.equal(0, time)
    time = cross { crowd = "jump", walker = "cost" }
    assert.is_true(math.abs(time - 4) <= STEP, time)
  end)

  it("are left where walkers are shown at the end, also in a loaded game", function()
    for _, dt in ipairs { 1 / 30, 1 / 47, 1 / 60, 1 / 144 } do
      local map, told = rock(), 0
      local crowd = wend.crowd { map = map, costs = costs }
      local w = crowd:add({ x = 0.5, y = 2.5, speed = 3 }):go(39.5, 2.5)
      while w.state ~= "arrived" do
        crowd:update(dt)
        local loaded = told < 5 and w.x > 36 and wend.decode(crowd:encode(), { map = map, costs = costs }):each()()
        if w.crossing then
          assert.same({ 37.5, 2.5 }, { w.crossing.to_x, w.crossing.to_y })
        else
          assert.is_true(w.x < 3 or w.x >= 37.5 - 1e-9, w.x)
        end
        if loaded then
          told = told + 1
          assert.same({ w.x, w.crossing and w.crossing.to_x }, { loaded.x, loaded.crossing and loaded.crossing.to_x })
        end
      end
      assert.is_true(told > 1)
    end
  end)

  it("are of the length of cells, and of your world", function()
    local map = rock { cell = 10, origin = { 100, 50 } }
    local crowd = wend.crowd { map = map, costs = costs }
    local w, time = crowd:add { x = 105, y = 75, speed = 30 }:go(495, 75), 0
    local link
    walk(crowd, w, 30, function() if w.crossing then time, link = time + STEP, w.crossing end end)
    assert.is_true(math.abs(time - 4) <= STEP, time)
    assert.same({ 125.0, 75.0, 475.0, 75.0 }, { link.x, link.y, link.to_x, link.to_y })
  end)

  it("do not cost the time of prices", function()
    local map = wend.grid(40, 5):fill(20, 1, 22, 5, false):link(3, 3, 38, 3, { weight = 1, tag = "toll" })
    local toll = wend.costs { toll = { plus = 100 } }
    local crowd = wend.crowd { map = map, costs = toll }
    local w, time = crowd:add({ x = 0.5, y = 2.5, speed = 2 }):go(39.5, 2.5), 0
    walk(crowd, w, 30, function() if w.crossing then time = time + STEP end end)
    assert.is_true(w.state == "arrived" and math.abs(time - 0.5) <= STEP, time)
  end)

  it("lead past everybody, with no patience spent", function()
    local map = wend.grid(12, 1):link(2, 1, 11, 1, { weight = 40 }):close(6, 1)
    for _, mode in ipairs { "cost", "walk", "jump" } do
      local crowd, stuck = wend.crowd { map = map, links = mode, squeeze = false }, 0
      local other = crowd:add { x = 4, y = 0.5, radius = 0.45 }:pause()
      local w = crowd:add { x = 0.5, y = 0.5, radius = 0.45, patience = 4 }:go(11.5, 0.5)
      function crowd.on_stuck() stuck = stuck + 1 end
      walk(crowd, w, 60)
      assert.same({ "arrived", 0, 4.0 }, { w.state, stuck, other.x }, mode)
    end
  end)

  it("stand still with a walker that is paused, and follow its speed", function()
    local crowd = wend.crowd { map = rock(), costs = costs }
    local w = crowd:add({ x = 0.5, y = 2.5, speed = 3 }):go(39.5, 2.5)
    walk(crowd, w, 2)
    assert.truthy(w.crossing)
    w:pause()
    walk(crowd, w, 0.1)
    local x = w.x
    walk(crowd, w, 1)
    assert.equal(x, w.x)
    w:resume().speed = 30
    walk(crowd, w, 0.5)
    assert.is_false(w.crossing)
  end)

  it("are crossed to the end, also when they are gone and in a loaded game", function()
    for _, mode in ipairs { "cost", "walk" } do
      local map = rock()
      local crowd = wend.crowd { map = map, costs = costs, links = mode }
      local w = crowd:add({ x = 0.5, y = 2.5, speed = 3 }):go(39.5, 2.5)
      crowd:add { x = 9, y = 1, links = "jump" }
      walk(crowd, w, 2)
      local loaded = assert(wend.decode(crowd:encode(), { map = map:copy(), costs = costs }))
      local twin, jumper
      for one in loaded:each() do
        if one.links then jumper = one else twin = one end
      end
      assert.same(w.crossing, twin.crossing)
      assert.same({ mode, "jump" }, { loaded.links, jumper.links })
      for _ = 1, 400 do
        crowd:update(STEP)
        loaded:update(STEP)
        assert.equal(crowd:hash(), loaded:hash())
      end
      assert.equal("arrived", w.state)
      w:place(0.5, 2.5):go(39.5, 2.5)
      walk(crowd, w, 2)
      map:unlink(3, 3, 38, 3)
      w:stop()
      for _ = 1, 600 do crowd:update(STEP) end
      assert.same({ "waiting", false, 37.5 }, { w.state, w.crossing, w.x })
    end
  end)

  it("are not crossed once they are removed or closed, also while another plan is looked for", function()
    for _, form in ipairs(FORMS) do
      for at = 50, 75 do
        local map = wend.grid(60, 40):fill(20, 1, 22, 39, false):link(3, 3, 50, 5, { tag = "stairs" })
        local profile = wend.costs()
        local crowd, crossed = wend.crowd { map = map, costs = profile, budget = 1 }, false
        local w = crowd:add { x = 6.5, y = 3.5, radius = 0.3, speed = 2 }
        crowd.on_link = function() crossed = true end
        send(map, w, form, 56, 6, { costs = profile })
        for _ = 1, at do crowd:update(STEP) end
        local before = crossed
        if at % 2 == 0 then map:unlink(3, 3, 50, 5) else profile:set("stairs", false) end
        for _ = 1, 10 do crowd:update(STEP) end
        assert.equal(before, crossed)
      end
    end
  end)

  it("call on_link once a crossing, and wrong modes raise", function()
    local map = wend.grid(20, 1):close(5, 1):close(11, 1)
    map:link(2, 1, 8, 1, { weight = 1 }):link(8, 1, 14, 1, { weight = 1 })
    for _, mode in ipairs { "cost", "jump" } do
      local told = {}
      local crowd = wend.crowd { map = map, links = mode,
        on_link = function(_, tag, x, _, to_x) told[#told + 1] = ("%s %g %g"):format(tostring(tag), x, to_x) end }
      local w = crowd:add { x = 0.5, y = 0.5, radius = 0.3 }:go(18.5, 0.5)
      walk(crowd, w, 30)
      assert.same({ "arrived", { "nil 1.5 7.5", "nil 7.5 13.5" } }, { w.state, told })
      crowd.on_link = function() error("oh", 0) end
      w:place(0.5, 0.5):go(18.5, 0.5)
      local ok, problem
      for _ = 1, 60 do
        ok, problem = pcall(crowd.update, crowd, STEP)
        if not ok then break end
      end
      assert.same({ false, "oh" }, { ok, problem })
    end
    local wrong = "links must be 'cost', 'jump' or 'walk', got 'fly'"
    raises(wrong, wend.crowd, { links = "fly" })
    local crowd = wend.crowd { map = map }
    raises(wrong, crowd.add, crowd, { x = 1, y = 1, links = "fly" })
    raises(wrong, function() crowd.links = "fly" end)
    local w = crowd:add { x = 1, y = 0.5 }
    raises(wrong, function() w.links = "fly" end)
    w.links = "jump"
    assert.equal("jump", w.links)
    w.links = nil
    crowd.links = "walk"
    assert.same({ "nil", "walk" }, { tostring(w.links), crowd.links })
  end)
end)

describe("a directed wall", function()
  it("is no obstacle from one side, and walkers go round it from the other: by plans and by fields", function()
    local grid = wend.grid(12, 9)
    for x = 1, 11 do grid:wall(x, 5, x, 4, true, { directed = true }) end -- not up
    local crowd = wend.crowd { map = grid }
    local w = crowd:add { x = 2.5, y = 7.5, radius = 0.3, speed = 3 }
    local function crossing() -- where it crosses the line
      local at
      for _ = 1, 400 do
        local before = w.y
        crowd:update(0.05)
        if (before > 4) ~= (w.y > 4) then at = w.x end
        if w.state == "arrived" then return at end
      end
    end
    w:go(2.5, 1.5)
    assert.truthy(crossing() > 11)
    w:go(2.5, 7.5)
    assert.truthy(crossing() < 3)
    w:go(grid:field(3, 2))
    assert.truthy(crossing() > 11)
  end)
end)
