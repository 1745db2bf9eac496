-- SPDX-License-Identifier: MIT
-- Walkers that plan on a map of their own, and obey that of the crowd.
local wend = require "wend"

local STEP = 1 / 30

--- A map with a wall that has a gap at its end, and what one player has seen of it: nothing.
local function make(options)
  local truth = wend.grid(20, 9):fill(10, 1, 10, 7, false)
  options = options or {}
  options.map = truth
  return truth, truth:overlay { unknown = 1 }, wend.crowd(options)
end

--- Lets a crowd go on for so many seconds. each: called after each step, or nil
local function run(crowd, seconds, each)
  for _ = 1, seconds * 30 do
    crowd:update(STEP)
    if each then each() end
  end
end

describe("a walker with a map of its own", function()
  for _, radius in ipairs { 0.1, 0.3, 0.5, 0.9 } do
    it(("finds out what it has not seen, radius %g"):format(radius), function()
      local truth, fog, crowd = make()
      local w, bumps = crowd:add { x = 2.5, y = 2.5, radius = radius, map = fog }, {}
      function crowd.on_bump(walker, x, y)
        assert.equal(w, walker)
        assert.is_true(truth:is_closed(x, y))
        assert.is_false(fog:is_closed(x, y))
        assert.is_nil(bumps[x .. " " .. y])
        bumps[x .. " " .. y] = true
        fog:reveal(x, y)
      end
      w:go(18, 3)
      run(crowd, 25, function()
        assert.is_true(w.x <= 9 - radius + 0.02 or w.x >= 10 or w.y >= 7)
      end)
      assert.equal("arrived", w.state)
      assert.is_true(next(bumps) ~= nil)
      assert.equal(fog, w.map)
    end)
  end

  it("finds out that a diagonal step is closed", function()
    local truth = wend.grid(9, 9):close(5, 4):close(4, 5)
    local fog, crowd = truth:overlay { unknown = 1 }, wend.crowd { map = truth }
    function crowd.on_bump(_, x, y) fog:reveal(x, y) end
    local w = crowd:add({ x = 1.5, y = 1.5, radius = 0.3, map = fog }):go(7.5, 7.5)
    run(crowd, 30)
    assert.equal("arrived", w.state)
  end)

  it("takes any edit of its map as news: it need not be told by the bump", function()
    local _, fog, crowd = make()
    local w = crowd:add({ x = 2.5, y = 2.5, map = fog }):go(18, 3)
    run(crowd, 1)
    fog:reveal(10, 1, 10, 9)
    run(crowd, 1)
    assert.is_true(w.vy > 0.5)
    run(crowd, 16)
    assert.equal("arrived", w.state)
  end)

  it("is stuck without on_bump, or if that does nothing; each cell is told once a plan", function()
    for _, told in ipairs { false, true } do
      local _, fog, crowd = make { on_bump = nil }
      local stuck, seen = 0, {}
      if told then
        function crowd.on_bump(_, x, y) seen[x .. " " .. y] = (seen[x .. " " .. y] or 0) + 1 end
      end
      function crowd.on_stuck() stuck = stuck + 1 end
      local w = crowd:add({ x = 2.5, y = 2.5, map = fog }):go(18, 3)
      run(crowd, 60)
      assert.equal("stuck", w.state)
      assert.equal(1, stuck)
      assert.equal(told, next(seen) ~= nil)
      for _, times in pairs(seen) do assert.is_true(times <= 4) end
    end
  end)

  it("is lost if what it finds out leaves no way", function()
    local _, fog, crowd = make()
    crowd.on_bump = function(_, x, y) fog:close(x, y) end
    fog:close(10, 8, 10, 9)
    local w = crowd:add({ x = 2.5, y = 2.5, map = fog }):go(18, 3)
    run(crowd, 30)
    assert.equal("lost", w.state)
    assert.equal("no_path", w.code)
    assert.is_not_nil(w:why_not())
    fog:reset()
    w:go(18, 3)
    run(crowd, 2)
    assert.equal("moving", w.state)
  end)

  it("plans on the overlay, also where that is closed and the map of the crowd is open", function()
    local truth = wend.grid(20, 9):fill(10, 1, 10, 9, false):open(10, 2):open(10, 8)
    local mine, crowd = truth:overlay():close(10, 2), wend.crowd { map = truth }
    local a = crowd:add({ x = 2.5, y = 3.5, map = mine }):go(18, 3)
    local b = crowd:add({ x = 2.5, y = 2.5 }):go(18, 2)
    local at_a, at_b
    run(crowd, 20, function()
      at_a, at_b = at_a or a.x > 9.5 and a.y, at_b or b.x > 9.5 and b.y
    end)
    assert.equal("arrived", a.state)
    assert.is_true(at_a > 7 and at_b <= 2)
    assert.is_nil(b.map)
  end)

  it("takes another map at once, and none", function()
    local open = wend.grid(20, 9)
    local mine, crowd = open:overlay():fill(10, 1, 10, 9, false), wend.crowd { map = open }
    local w = crowd:add({ x = 2.5, y = 2.5 }):go(18, 3)
    run(crowd, 1)
    w.map = mine
    run(crowd, 1)
    assert.equal("lost", w.state)
    w.map = nil
    w:go(18, 3)
    run(crowd, 15)
    assert.equal("arrived", w.state)
    w.map = open
    assert.is_nil(w.map)
  end)

  it("obeys tags that its costs close, though the overlay shows others", function()
    local truth = wend.grid(20, 9):fill(10, 1, 10, 7, "lava")
    local fog, crowd = truth:overlay { unknown = 1 }, wend.crowd { map = truth, costs = wend.costs { lava = false } }
    local bumps = 0
    function crowd.on_bump(_, x, y)
      bumps = bumps + 1
      fog:reveal(x, y)
    end
    local w = crowd:add({ x = 2.5, y = 2.5, radius = 0.3, map = fog }):go(18, 3)
    run(crowd, 25, function()
      assert.not_equal("lava", select(2, truth:get(truth:cell_at(w.x, w.y))))
    end)
    assert.equal("arrived", w.state)
    assert.is_true(bumps > 0)
  end)

  it("shares a crowd with another player", function()
    local truth, red, crowd = make()
    local blue = truth:overlay { unknown = 1 }
    blue:reveal(1, 1, 20, 9)
    local reds, blues, bumps = {}, {}, 0
    function crowd.on_bump(w, x, y)
      assert.equal(red, w.map)
      bumps = bumps + 1
      red:reveal(x, y)
    end
    for i = 1, 4 do
      reds[i] = crowd:add { x = 1 + i, y = 2, radius = 0.3, map = red }
      blues[i] = crowd:add { x = 1 + i, y = 5, radius = 0.3, map = blue }
    end
    crowd:go(reds, 17, 3)
    crowd:go(blues, 17, 6)
    run(crowd, 40)
    for i = 1, 4 do assert.same({ "arrived", "arrived" }, { reds[i].state, blues[i].state }) end
    assert.is_true(bumps > 0 and red:is_known(10, 3) and not red:is_known(1, 9))
  end)
end)

describe("the map of a walker", function()
  it("must lie on that of the crowd, which is a grid", function()
    local truth, fog, crowd = make()
    local other = wend.grid(20, 9)
    local w = crowd:add { x = 2, y = 2 }
    for _, wrong in ipairs { other, other:overlay() } do
      assert.has_error(function() w.map = wrong end,
        "map must be an overlay of the map of the crowd, got a grid that is none")
      assert.has_error(function() crowd:add { x = 1, y = 1, map = wrong } end)
    end
    for _, wrong in ipairs { false, 3, "map", {}, crowd, w, wend.graph() } do
      assert.has_error(function() w.map = wrong end)
      assert.has_error(function() crowd:add { x = 1, y = 1, map = wrong } end)
    end
    assert.is_nil(w.map)
    assert.equal(1, crowd:count())
    assert.has_error(function() wend.crowd():add { x = 1, y = 1, map = fog } end,
      "map: the map of the crowd must be a grid")
    w.map = fog:overlay()                      -- an overlay of an overlay
    assert.has_error(function() wend.crowd { map = truth, on_bump = 3 } end)
    assert.has_error(function() crowd.on_bump = "x" end)
  end)
end)

describe("on_bump", function()
  --- A crowd where a walker is about to bump.
  local function about(fn)
    local truth, fog, crowd = make()
    local w = crowd:add({ x = 7.5, y = 2.5, radius = 0.3, map = fog }):go(18, 3)
    crowd.on_bump = fn
    return truth, fog, crowd, w
  end

  it("may raise: the others are told, and update raises the first error", function()
    local times = 0
    local _, _, crowd, w = about(function()
      times = times + 1
      error("bump " .. times, 0)
    end)
    assert.has_error(function() run(crowd, 10) end, "bump 1")
    assert.is_true(times > 1)
    crowd.on_bump = nil
    run(crowd, 15)
    assert.equal("stuck", w.state)
  end)

  it("may remove the walker, edit the maps, send it elsewhere and add others", function()
    local _, _, crowd, w = about(function(walker) walker:remove() end)
    run(crowd, 5)
    assert.equal("removed", w.state)
    local truth
    truth, _, crowd, w = about(function(_, x, y) truth:open(x, y) end)
    run(crowd, 15)
    assert.equal("arrived", w.state)
    _, _, crowd, w = about(function(walker)
      walker:go(2, 2)
      crowd:add { x = 4, y = 7 }
    end)
    run(crowd, 15)
    assert.equal("arrived", w.state)
    assert.is_true(crowd:count() > 1)
    _, _, crowd, w = about(function(walker) walker.map = nil end)
    run(crowd, 20)
    assert.equal("arrived", w.state)
  end)

  it("cannot update or encode the crowd", function()
    local _, _, crowd = about(nil)
    function crowd.on_bump() crowd:update(1) end
    assert.has_error(function() run(crowd, 10) end, "the crowd is updating: its functions cannot call update")
  end)
end)

describe("a saved crowd with maps of walkers", function()
  it("goes on alike, and asks for the map", function()
    for _, seconds in ipairs { 0, 0.5, 3.5, 6, 12 } do
      local truth, fog, crowd = make()
      local function reveal(map) return function(_, x, y) map:reveal(x, y) end end
      crowd.on_bump = reveal(fog)
      crowd:add({ x = 2.5, y = 2.5, radius = 0.3, map = fog }):go(18, 3)
      crowd:add({ x = 2.5, y = 5.5, radius = 0.7, map = fog }):go(18, 5)
      crowd:add({ x = 3.5, y = 3.5, radius = 0.3 }):go(17, 4)
      run(crowd, seconds)
      local bytes, copy = crowd:encode(), wend.decode(fog:encode(), { map = truth })
      assert.equal(bytes, crowd:encode())
      assert.has_error(function() wend.decode(bytes, { map = truth }) end,
        "walker 1 had a map of its own: the option walker must return it")
      assert.has_error(function()
        wend.decode(bytes, { map = truth, walker = function() return { map = wend.grid(20, 9) } end })
      end)
      local n = 0
      local loaded = wend.decode(bytes, { map = truth, walker = function()
        n = n + 1
        return n < 3 and { map = copy } or nil
      end })
      loaded.on_bump = reveal(copy)
      for _ = 1, 20 * 30 do
        crowd:update(STEP)
        loaded:update(STEP)
        assert.equal(crowd:hash(), loaded:hash())
      end
      assert.equal(fog:encode(), copy:encode())
    end
  end)

  --- Bytes of a crowd with one walker, whose fields were forged, and what it needs to be read.
  local function forged(fields)
    local truth, fog, crowd = make()
    local w = crowd:add({ x = 2.5, y = 2.5, radius = 0.3, map = fog }):go(18, 3)
    run(crowd, 1)
    for name, value in pairs(fields) do w[name] = value end
    return crowd:encode(), { map = truth, walker = function() return { map = fog } end }
  end

  it("is refused where what it has bumped into, or its path, cannot be", function()
    local refused = { false, "a crowd: damaged, or of a version that is not known", "format" }
    local lists = { { -1, 2 }, { 0.5, 2 }, { "a", 2 }, { {}, 2 }, { 2 ^ 60, 2 }, { 3, true } }
    for i, bumped in ipairs(lists) do
      local loaded, message, code = wend.decode(forged { _bumped = bumped })
      assert.same(refused, { loaded or false, message, code }, i)
    end
    for _, bytes in ipairs { true, 5, { "a" } } do
      local path = { valid = function() return true end, encode = function() return bytes end }
      local loaded, message, code = wend.decode(forged { _seen = path })
      assert.same(refused, { loaded or false, message, code })
    end
  end)

  it("plans again if the path over its map is damaged, or something else", function()
    local other = wend.grid(30, 30)
    local lies = { "", "nonsense", ("\255"):rep(400), other:encode(), other:field(2, 2):encode(),
      other:path(1, 1, 30, 30):encode(), wend.walls():encode() }
    for i, bytes in ipairs(lies) do
      local path = { valid = function() return true end, encode = function() return bytes end }
      local loaded = assert(wend.decode(forged { _seen = path, _bumped = { 0, 2 ^ 50, 1 } }))
      run(loaded, 1)
      assert.equal("moving", loaded:each()().state, i)
      assert.equal(loaded:encode(), loaded:encode())
    end
  end)
end)
