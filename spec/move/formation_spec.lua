-- SPDX-License-Identifier: MIT
-- Groups in formation: crowd:go with the options formation, turn and together.

local file_reference = require "spec.support.file_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local COLUMNS, ROWS, SPACING, RADIUS = 4, 3, 1.4, 0.4

--- The offsets of 3 rows of 4, the first walker in front.
local function rows()
  local offsets = {}
  for row = 0, ROWS - 1 do
    for column = 0, COLUMNS - 1 do
      offsets[#offsets + 1] = ((COLUMNS - 1) / 2 - column) * SPACING
      offsets[#offsets + 1] = (row - (ROWS - 1) / 2) * SPACING
    end
  end
  return offsets
end

--- Twelve walkers that stand in such rows around a place, with speeds 1.5, 1.8 and 2.1.
local function troop(crowd, x, y)
  local list, offsets = {}, rows()
  for i = 1, #offsets / 2 do
    list[i] = crowd:add { x = x + offsets[2 * i - 1], y = y + offsets[2 * i], radius = RADIUS,
      speed = 1.5 + (i % 3) * 0.3 }
  end
  return list, offsets
end

local function run(crowd, seconds)
  for _ = 1, seconds * 30 do crowd:update(1 / 30) end
end

--- How far walkers are from their places around the middle of them all, in radii: the mean and the most. The places are
--- those of their goals.
local function off_places(list)
  local x, y, sum, most = 0, 0, 0, 0
  for _, w in ipairs(list) do x, y = x + (w.x - w.goal_x) / #list, y + (w.y - w.goal_y) / #list end
  for _, w in ipairs(list) do
    local off = math.sqrt((w.x - w.goal_x - x) ^ 2 + (w.y - w.goal_y - y) ^ 2) / w.radius
    sum, most = sum + off / #list, math.max(most, off)
  end
  return sum, most
end

--- How far they are from their goals at most, in radii, and whether all have arrived.
local function at_goals(list)
  local most, all = 0, true
  for _, w in ipairs(list) do
    most = math.max(most, math.sqrt((w.x - w.goal_x) ^ 2 + (w.y - w.goal_y) ^ 2) / w.radius)
    all = all and w.state == "arrived"
  end
  return most, all
end

--- All have arrived, each at its place.
local function in_place(list, message)
  local most, all = at_goals(list)
  assert.is_true(all and most < 0.3, message)
end

local function near(expected, actual, within)
  assert.is_true(math.abs(expected - actual) <= within, ("%s is not %s"):format(actual, expected))
end

describe("a group in formation", function()
  it("has its offsets around the goal, turned along the last leg", function()
    for _, case in ipairs { { 10, 40, 60, 40, 1, 0 }, { 10, 10, 10, 60, 0, 1 }, { 60, 40, 10, 40, -1, 0 } } do
      local crowd = wend.crowd { map = wend.grid(80, 80) }
      local list, offsets = troop(crowd, case[1], case[2])
      crowd:go(list, case[3], case[4], { formation = offsets, together = true })
      run(crowd, 60)
      for i, w in ipairs(list) do
        local x, y = offsets[2 * i - 1], offsets[2 * i]
        near(case[3] + x * case[5] - y * case[6], w.goal_x, 1e-9)
        near(case[4] + x * case[6] + y * case[5], w.goal_y, 1e-9)
      end
      in_place(list)
    end
  end)

  it("has them as they are with turn = false, and as it stands with keep", function()
    for _, formation in ipairs { "keep", rows() } do
      local crowd = wend.crowd { map = wend.grid(80, 80) }
      local list, offsets = troop(crowd, 10, 40)
      crowd:go(list, 40, 70, { formation = formation, turn = false, together = true })
      run(crowd, 40)
      for i, w in ipairs(list) do
        near(40 + offsets[2 * i - 1], w.goal_x, 1e-9)
        near(70 + offsets[2 * i], w.goal_y, 1e-9)
      end
      in_place(list)
    end
  end)

  it("has them in units of the world, on cells of any width, and without a map", function()
    for _, map in ipairs { wend.grid(60, 60, { cell = 16, origin = { -100, 50 } }), false } do
      local crowd = wend.crowd { map = map or nil }
      local list = {}
      for i = 1, 3 do list[i] = crowd:add { x = 100, y = 100 + 60 * i, radius = 6, speed = 40 } end
      crowd:go(list, 500, 220, { formation = { 40, 0, 0, 30, 0, -30 } })
      for _, w in ipairs(list) do assert.equal(6, w.radius) end
      run(crowd, 15)
      local goals = { 540, 220, 500, 250, 500, 190 }
      for i, w in ipairs(list) do
        near(goals[2 * i - 1], w.goal_x, 1e-9)
        near(goals[2 * i], w.goal_y, 1e-9)
        assert.equal("arrived", w.state)
      end
    end
  end)

  it("keeps it on open ground with two turns, at the speed of the slowest", function()
    local field = wend.grid(120, 80):fill(30, 1, 34, 50, false):fill(70, 30, 74, 80, false)
    local crowd = wend.crowd { map = field }
    local list, offsets = troop(crowd, 10, 20)
    crowd:go(list, 105, 60, { formation = offsets, together = true })
    run(crowd, 8)
    local sum, n, fastest, seconds = 0, 0, 0, 8
    repeat
      run(crowd, 0.5)
      seconds = seconds + 0.5
      local off = off_places(list)
      sum, n = sum + off, n + 1
      assert.is_true(off < 2.5)
      for _, w in ipairs(list) do fastest = math.max(fastest, math.sqrt(w.vx ^ 2 + w.vy ^ 2)) end
      local _, all = at_goals(list)
    until all or seconds > 150
    in_place(list)
    assert.is_true(sum / n < 0.6, sum / n)
    assert.is_true(fastest < 1.8, fastest)              -- one that makes way may be a little faster than 1.5
    assert.is_true(seconds < 130)
  end)

  it("files through a door and forms again behind it", function()
    local hall = wend.grid(120, 80):fill(50, 1, 50, 80, false):open(50, 40)
    local crowd = wend.crowd { map = hall }
    local list, offsets = troop(crowd, 10, 20)
    crowd:go(list, 105, 60, { formation = offsets, together = true })
    local through, seconds = nil, 0
    repeat
      run(crowd, 0.5)
      seconds = seconds + 0.5
      local behind = 0
      for _, w in ipairs(list) do
        assert.is_not.equal("stuck", w.state)
        if w.x > 50.5 then behind = behind + 1 end
      end
      if behind == #list and not through then through = seconds end
    until through and off_places(list) < 0.7 or seconds > 120
    assert.is_true(seconds - through < 30, seconds - through)
    run(crowd, 60)
    in_place(list)
  end)

  it("moves places on closed ground to open ground, each walker another one", function()
    local yard = wend.grid(60, 30):fill(40, 16, 60, 30, false)
    local crowd = wend.crowd { map = yard }
    local list, offsets = troop(crowd, 10, 10)
    crowd:go(list, 50, 14, { formation = offsets, together = true })
    run(crowd, 60)
    local _, all = at_goals(list)
    assert.is_true(all)
    for i, w in ipairs(list) do
      assert.is_true(w.goal_y <= 15 - RADIUS + 1e-6)
      for k = 1, i - 1 do
        assert.is_true(math.sqrt((list[k].goal_x - w.goal_x) ^ 2 + (list[k].goal_y - w.goal_y) ^ 2) > 2 * RADIUS)
      end
    end
  end)

  it("is turned along the last edge of a graph", function()
    local graph, list = wend.graph(), {}
    graph:add_nodes { 0, 0, 10, 0, 10, 10 }
    graph:add_edges { 1, 2, 2, 3 }
    local crowd = wend.crowd { map = graph }
    for i = 1, 3 do list[i] = crowd:add { x = -i, y = 0, radius = 0.3 } end
    crowd:go(list, 10, 10, { formation = { 0, 0, -1, -1, -1, 1 } })
    for _ = 1, 40 * 30 do crowd:update(1 / 30) end
    for i, at in ipairs { { 10, 10 }, { 11, 9 }, { 9, 9 } } do
      local x, y = list[i].x, list[i].y
      assert.is_true((x - at[1]) ^ 2 + (y - at[2]) ^ 2 < 0.2 ^ 2, ("%d: %g,%g"):format(i, x, y))
    end
  end)

  it("goes along a graph, on isometric cells and over links, with the layout as it is", function()
    local graph = wend.graph()
    graph:add_nodes { 5, 5, 25, 5, 25, 30 }
    graph:add_edges { 1, 2, 2, 3 }
    local diamonds = wend.grid(30, 30, { cell = { 64, 32 }, projection = "isometric" })
    local x, y = diamonds:position(5, 5)
    local to_x, to_y = diamonds:position(20, 20)
    local linked = wend.grid(40, 12):fill(20, 1, 20, 12, false):link(18, 6, 23, 6, { weight = 3 })
    local cases = { { graph, 5, 5, 25, 30, 1 }, { diamonds, x, y, to_x, to_y, 24 }, { linked, 5, 6, 33, 6, 1 } }
    for i, case in ipairs(cases) do
      for _, together in ipairs { true, false } do
        local crowd, list, places = wend.crowd { map = case[1] }, {}, {}
        for k = 0, 5 do
          places[k + 1] = { (k % 3 - 1) * 1.4 * case[6], (math.floor(k / 3) - 0.5) * 1.4 * case[6] }
          list[k + 1] = crowd:add { x = case[2] + places[k + 1][1], y = case[3] + places[k + 1][2],
            radius = 0.4 * case[6], speed = 2 * case[6] }
        end
        crowd:go(list, case[4], case[5], { formation = "keep", together = together })
        run(crowd, 45)
        in_place(list, i)
        for k, w in ipairs(list) do
          near(case[4] + places[k][1], w.goal_x, 1e-9)
          near(case[5] + places[k][2], w.goal_y, 1e-9)
        end
      end
    end
  end)

  it("does not wait for a walker that is paused, removed or sent elsewhere", function()
    for _, change in ipairs { "pause", "remove", "stop", "go" } do
      for _, who in ipairs { 6, 12 } do                  -- 6 leads
        local crowd = wend.crowd { map = wend.grid(120, 40) }
        local list, offsets = troop(crowd, 10, 20)
        crowd:go(list, 100, 20, { formation = offsets, together = true })
        run(crowd, 5)
        local one = table.remove(list, who)
        one[change](one, change == "go" and 10 or nil, change == "go" and 5 or nil)
        run(crowd, 65)
        in_place(list, change)
        if change == "pause" then
          one:resume()
          run(crowd, 65)
          assert.equal("arrived", one.state)
        end
      end
    end
  end)

  it("takes another way after an edit", function()
    local field = wend.grid(80, 60):fill(40, 1, 40, 40, false)
    local crowd = wend.crowd { map = field }
    local list, offsets = troop(crowd, 10, 45)
    crowd:go(list, 70, 45, { formation = offsets, together = true })
    run(crowd, 10)
    field:fill(40, 41, 40, 60, false):open(40, 5, 40, 12)
    run(crowd, 120)
    in_place(list)
  end)

  it("goes on after the same order, and takes another formation for another order", function()
    local crowd = wend.crowd { map = wend.grid(120, 40) }
    local list, offsets = troop(crowd, 10, 20)
    local arrived = 0
    function crowd.on_arrive() arrived = arrived + 1 end
    for _ = 1, 70 * 30 do
      crowd:go(list, 100, 20, { formation = offsets, together = true })
      crowd:update(1 / 30)
    end
    in_place(list)
    assert.equal(12, arrived)
    local before = { list[1].goal_x, list[1].goal_y }
    crowd:go(list, 100, 20, { formation = "keep" })
    near(before[1], list[1].goal_x, 0.3 * RADIUS)
    offsets[1] = offsets[1] + 3
    crowd:go(list, 100, 20, { formation = offsets, turn = false })
    run(crowd, 10)
    near(100 + offsets[1], list[1].goal_x, 1e-9)
  end)

  it("goes on identically when it is saved on the way", function()
    for _, seconds in ipairs { 0, 0.5, 20, 31, 40 } do
      local function map() return wend.grid(80, 40):fill(40, 1, 40, 40, false):open(40, 20) end
      local crowd = wend.crowd { map = map() }
      local list, offsets = troop(crowd, 10, 12)
      crowd:go(list, 70, 20, { formation = offsets, together = true })
      run(crowd, seconds)
      local bytes = crowd:encode()
      local again = assert(wend.decode(bytes, { map = map() }))
      assert.equal(bytes, again:encode())
      for _ = 1, 40 do
        run(crowd, 1)
        run(again, 1)
        assert.equal(crowd:hash(), again:hash())
      end
    end
  end)

  it("can be loaded with plans that wait, and links", function()
    local map = wend.grid(80, 40)
    local crowd = wend.crowd { map = map, links = "jump", budget = 1 }
    local list, offsets = troop(crowd, 10, 12)
    crowd:go(list, 70, 20, { formation = offsets, together = true })
    list[3]:go(70, 38)
    run(crowd, 0.1)
    assert.truthy(crowd:encode():find("PLAN", 1, true))
    assert.equal(crowd:encode(), assert(wend.decode(crowd:encode(), { map = map })):encode())
  end)

  it("is refused in damaged files, or works", function()
    local map = wend.grid(80, 40):fill(40, 1, 40, 30, false)
    local crowd = wend.crowd { map = map }
    local list, offsets = troop(crowd, 10, 12)
    crowd:go(list, 70, 20, { formation = offsets, together = true })
    local bytes = crowd:encode()
    local at = bytes:find("FORM", 1, true) + 12         -- u8 flags and four numbers for each walker
    local function with(place, text)
      return file_reference.mend(file_reference.patch(bytes, at + place, text))
    end
    assert.equal(bytes, with(0, "\7"))
    for _, case in ipairs { { 0, "\2" }, { 0, "\6" }, { 0, "\8" }, { 1, "\0\0\0\0\0\0\248\127" },
      { 9, "\0\0\0\0\0\0\240\127" }, { 17, "\0\0\0\0\0\0\8\64" }, { 33, "\5" } } do
      helper.fails("a crowd: damaged, or of a version that is not known", "format", wend.decode,
        with(case[1], case[2]), { map = map })
    end
  end)

  it("goes together without a layout", function()
    local crowd = wend.crowd { map = wend.grid(120, 40) }
    local list = troop(crowd, 10, 20)
    list[1]:place(3, 20)
    crowd:go(list, 110, 20, { together = true })
    local first
    for second = 1, 100 do
      run(crowd, 1)
      for _, w in ipairs(list) do
        if w.state == "arrived" and not first then first = second end
        assert.is_true(math.sqrt(w.vx ^ 2 + w.vy ^ 2) < 1.8)
      end
    end
    assert.is_true(first > 55, first)
    assert.is_true((select(2, at_goals(list))))
  end)

  it("arrives in its places with any radii, speeds and walls #many", function()
    local rng = helper.rng("formation")
    for _ = 1, 8 do
      local map = wend.grid(60, 60)
      for _ = 1, rng(0, 6) do
        local x, y = rng(16, 40), rng(5, 50)
        map:fill(x, y, math.min(x + rng(0, 4), 44), math.min(y + rng(0, 12), 60), false)
      end
      local crowd, list, offsets = wend.crowd { map = map, seed = rng(1000) }, {}, {}
      local n = rng(2, 14)
      for i = 1, n do
        list[i] = crowd:add { x = 3 + 2 * (i % 4), y = 20 + 2 * math.floor(i / 4), radius = 0.2 + rng(0, 6) / 10,
          speed = 1 + rng(0, 10) / 10 }
        offsets[2 * i - 1], offsets[2 * i] = (i % 3) * 2.1, math.floor(i / 3) * 2.1
      end
      crowd:go(list, 50, 30, { formation = offsets, turn = rng:chance(0.5), together = rng:chance(0.8) })
      run(crowd, 240)
      for i, w in ipairs(list) do
        if w.state ~= "arrived" then error(("walker %d of %d is %s"):format(i, n, w.state)) end
      end
      assert.is_true(at_goals(list) < 0.6)
    end
  end)

  it("is forgotten with the next order: around a target, walkers change places, also after saving", function()
    local changed = 0
    helper.rounds("formation, then a ring", 5, function(rng)
      local crowd = wend.crowd { map = wend.grid(40, 40), seed = rng(100) }
      local list = {}
      for i = 1, 12 do
        list[i] = crowd:add { x = 10 + rng() * 10, y = 10 + rng() * 20, radius = 0.45, speed = 1 + 2 * rng() }
      end
      local target = crowd:add { x = 5, y = 20, speed = 1 }
      crowd:go(list, 25, 25, { formation = "keep" })
      run(crowd, 1)
      crowd:surround(list, target)
      run(crowd, 0.5)
      target:go(35, 20)
      local loaded = wend.decode(crowd:encode(), { map = wend.grid(40, 40) })
      local places = {}
      for i, w in ipairs(list) do places[i] = { w.goal_x - target.x, w.goal_y - target.y } end
      for _ = 1, 300 do
        run(crowd, 1 / 30)
        run(loaded, 1 / 30)
        assert.equal(crowd:hash(), loaded:hash())
      end
      for i, w in ipairs(list) do
        local x, y = w.goal_x - target.x - places[i][1], w.goal_y - target.y - places[i][2]
        if x * x + y * y > 1 then changed = changed + 1 end
      end
    end)
    assert.is_true(changed > 0)
  end)

  it("says what is wrong", function()
    local crowd = wend.crowd { map = wend.grid(40, 20) }
    local list, offsets = troop(crowd, 10, 10)
    local function refuses(message, options)
      helper.raises(message, crowd.go, crowd, list, 30, 10, options)
      for _, w in ipairs(list) do assert.equal("waiting", w.state) end
    end
    refuses("formation must hold 2 numbers for each of 12 walkers, got 3", { formation = { 1, 2, 3 } })
    refuses("formation must be 'keep' or a list of offsets, got 'line'", { formation = "line" })
    refuses("formation must be 'keep' or a list of offsets, got a wend.Walker", { formation = list[1] })
    refuses("turn is for the option formation", { turn = false, together = true })
    refuses("together must be true or false, got 1", { together = 1 })
    for _, case in ipairs { { 0 / 0, "nan" }, { 1 / 0, "inf" }, { "x", "'x'" }, { false, "false" } } do
      offsets[8] = case[1]
      refuses("formation[8] must be a finite number, got " .. case[2], { formation = offsets })
    end
    offsets[8] = -1e10
    refuses("formation[7] and formation[8] are too far from the goal", { formation = offsets })
    helper.raises("unknown option 'together' (expected one of: partial, closed_goal, within, beside, sight, "
      .. "pass_only, variation, seed, stop, height)", list[1].go, list[1], 30, 10,
      { together = true })
  end)
end)
