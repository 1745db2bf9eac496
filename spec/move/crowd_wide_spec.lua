-- SPDX-License-Identifier: MIT
-- Walkers of a crowd that are too wide for some gaps of their grid.
local wend = require "wend"

local function run(crowd, seconds)
  for _ = 1, seconds * 30 do crowd:update(1 / 30) end
end

-- A hall with a wall, which has a door two cells wide in the north and one three cells wide in the south.
local function hall() return wend.grid(20, 16):fill(10, 1, 10, 16, false):open(10, 3, 10, 4):open(10, 12, 10, 14) end

-- How far north and south a walker comes while it goes to the other side.
local function cross(crowd, w)
  local least, most = math.huge, 0
  w:go(17.5, 3.5)
  for _ = 1, 30 * 30 do
    crowd:update(1 / 30)
    least, most = math.min(least, w.y), math.max(most, w.y)
  end
  return least, most
end

describe("a walker no wider than a cell", function()
  for _, rule in ipairs { "one_open", "always" } do
    it("goes round corners that " .. rule .. " lets points cut", function()
      for _, radius in ipairs { 0.05, 0.2, 0.3, 0.5 } do
        local grid = wend.grid(4, 3, { diagonals = rule }):close(1, 1, 2, 1):close(3, 2)
        local crowd = wend.crowd { map = grid }
        local w = crowd:add { x = 0.5, y = 1.5, radius = radius, speed = 3 }
        w:go(3.5, 1.5)
        run(crowd, 10)
        assert.equal("arrived", w.state, ("radius %g"):format(radius))
      end
    end)
  end

  it("is lost where a way leads between two closed cells that touch", function()
    local crowd = wend.crowd { map = wend.grid(4, 2, { diagonals = "always" }):close(2, 1):close(3, 2) }
    local w = crowd:add({ x = 0.5, y = 1.5, radius = 0.3 }):go(3.5, 0.5)
    run(crowd, 2)
    assert.same({ "lost", "no path from (1,2) to (4,1) for the radius 0.3" }, { w.state, w.message })
    assert.equal("The way is too narrow for the radius 0.3 at (3,1).", tostring(w:why_not()))
  end)
end)

describe("a wide walker", function()
  it("takes the door that is wide enough, on the map of all", function()
    local crowd = wend.crowd { map = hall() }
    for _, radius in ipairs { 0.4, 0.5, 0.8, 1, 1.1, 1.5 } do
      local w = crowd:add { x = 3, y = 3.5, radius = radius }
      local _, south = cross(crowd, w)
      assert.equal("arrived", w.state)
      assert.equal(radius > 1, south > 11)
      w:remove()
    end
  end)

  it("passes diagonally where a square would not", function()
    local grid = wend.parse_grid([[
      .....#####
      .....#####
      .....#####
      ..........
      ..........
      ###.......
      ###.......
      ###.......
    ]])                                                 -- 2.83 from corner to corner
    for radius, state in pairs { [1.41] = "arrived", [1.42] = "lost" } do
      local crowd = wend.crowd { map = grid }
      local w = crowd:add({ x = 2, y = 2, radius = radius }):go(7.5, 5.5)
      run(crowd, 10)
      assert.equal(state, w.state)
    end
  end)

  it("is lost where no way is wide enough, and says so", function()
    local grid, told = hall():close(10, 12, 10, 14), nil
    local crowd = wend.crowd { map = grid, on_lost = function(_, message, code) told = message .. ": " .. code end }
    local w = crowd:add({ x = 3, y = 3.5, radius = 1.25 }):go(17.5, 3.5)
    run(crowd, 1)
    assert.equal("lost", w.state)
    assert.equal("no path from (4,4) to (18,4) for the radius 1.25: no_path", told)
    local report = w:why_not()
    assert.equal("The way is too narrow for the radius 1.25 at (10,4).", tostring(report))
    assert.same({ x = 10, y = 4 }, report.narrow)
    assert.same({}, report.obstacles)
    w.radius = 1                                        -- the same order again: it gets through now
    w:go(17.5, 3.5)
    assert.equal(nil, w:why_not())
    run(crowd, 20)
    assert.equal("arrived", w.state)
  end)

  it("goes as near to its goal as it fits, also if it is ordered in every frame", function()
    local crowd = wend.crowd { map = wend.grid(20, 12) }
    local w = crowd:add { x = 15, y = 6, radius = 1.4 }
    for _ = 1, 300 do
      w:go(19.5, 11.5)
      crowd:update(1 / 30)
    end
    assert.equal("arrived", w.state)
    assert.is_true((w.x - 18.6) ^ 2 + (w.y - 10.6) ^ 2 < 0.5 ^ 2)
    assert.same({ 19.5, 11.5 }, { w.goal_x, w.goal_y })
  end)

  it("says that it does not fit where it stands", function()
    local crowd = wend.crowd { map = wend.grid(20, 9):close(17, 4, 19, 4) }
    local w = crowd:add({ x = 19.5, y = 3.5, radius = 0.75 }):go(5, 5)
    run(crowd, 12)
    assert.same({ "stuck", "The radius 0.75 does not fit where it stands.", { x = 20, y = 4 } },
      { w.state, w:why_not().text, w:why_not().narrow })
  end)

  it("does not go where it fits nowhere near", function()
    local grid = wend.grid(20, 12):fill(10, 1, 20, 12, false):open(10, 6, 19, 6)
    local crowd = wend.crowd { map = grid }
    local w = crowd:add({ x = 3, y = 3, radius = 0.75 }):go(18.5, 5.5)
    run(crowd, 1)
    assert.equal("the radius 0.75 is too wide for the goal", w.message)
    assert.equal("The way is too narrow for the radius 0.75 at (10,6).", tostring(w:why_not()))
    w:go(18.5, 5.5, { partial = true })
    run(crowd, 10)
    assert.equal("arrived", w.state)
  end)

  it("stops beside a closed goal", function()
    local grid = wend.grid(12, 12):close(6, 6)
    local crowd = wend.crowd { map = grid }
    for _, radius in ipairs { 0.7, 1.4 } do
      local w = crowd:add { x = 2, y = 2, radius = radius }
      w:go(5.5, 5.5)
      run(crowd, 1)
      assert.equal("lost", w.state)
      w:go(5.5, 5.5, { closed_goal = true })
      run(crowd, 10)
      assert.equal("arrived", w.state)
      w:remove()
    end
  end)

  it("plans again when an edit makes its way too narrow, and when it may be wide enough again", function()
    local grid = hall()
    local crowd = wend.crowd { map = grid }
    local wide, narrow = crowd:add { x = 3, y = 12, radius = 1.25 }, crowd:add { x = 3, y = 14, radius = 0.5 }
    wide:go(17.5, 12.5)
    narrow:go(17.5, 13.5)
    run(crowd, 1)
    grid:close(10, 14)
    run(crowd, 20)
    assert.equal("lost", wide.state)
    assert.equal("arrived", narrow.state)
    grid:open(10, 11, 10, 11)
    wide:go(17.5, 12.5)
    run(crowd, 20)
    assert.equal("arrived", wide.state)
  end)

  it("knows walls between cells, and links that end where it fits", function()
    local grid = wend.grid(20, 5)
    for y = 1, 5 do if y ~= 3 then grid:wall(10, y, 11, y) end end
    local crowd = wend.crowd { map = grid }
    local w = crowd:add({ x = 3, y = 2.5, radius = 0.6 }):go(17, 2.5)
    run(crowd, 2)
    assert.equal("lost", w.state)
    grid:link(5, 2, 15, 2)
    w:go(17, 2.5)
    run(crowd, 20)
    assert.equal("arrived", w.state)
  end)

  it("takes the time of links, and tells their tags, where it stands on a border of their cells", function()
    for _, given in ipairs { false, true } do
      local grid = wend.grid(40, 8):link(1, 1, 39, 7, { tag = "stairs", weight = 4 })
      local costs = wend.costs { stairs = 1.5 }
      local crowd, told, steps = wend.crowd { map = grid, costs = costs }, {}, 0
      local w = crowd:add { x = 2.5, y = 2.5, radius = 0.8, speed = 3 }
      function crowd.on_link(_, tag) told[#told + 1] = tag end
      if given then w:go(grid:path(2, 2, 37, 5, { size = 2, costs = costs })) else w:go(36, 4) end
      for _ = 1, 240 do
        crowd:update(1 / 30)
        if w.crossing then steps = steps + 1 end
      end
      assert.same({ "stairs" }, told)
      assert.near(6 / 3, steps / 30, 1 / 15)
      w:go(3, 3)
      for _ = 1, 240 do if not w.crossing then crowd:update(1 / 30) end end
      local loaded = wend.decode(crowd:encode(), { map = grid, costs = costs }):each()()
      assert.same({ "stairs", "stairs" }, { w.crossing.tag, loaded.crossing.tag })
    end
  end)

  it("takes a way around a jam only if it is wide enough", function()
    local grid = hall():open(10, 8, 10, 9)
    local crowd = wend.crowd { map = grid }
    crowd:add({ x = 9.5, y = 13, radius = 1 }):pause()
    local wide, narrow = crowd:add { x = 5, y = 14, radius = 1.25 }, crowd:add { x = 5, y = 11, radius = 0.5 }
    wide:go(17.5, 13)
    narrow:go(17.5, 13)
    run(crowd, 60)
    assert.equal("stuck", wide.state)
    assert.equal("arrived", narrow.state)
  end)

  it("follows fields and points like a narrow one", function()
    local grid = hall():close(10, 12, 10, 14)
    local crowd = wend.crowd { map = grid }
    local w = crowd:add({ x = 3, y = 3.5, radius = 1.25, patience = 2 }):go(grid:field(18, 4))
    run(crowd, 20)
    assert.equal("stuck", w.state)
  end)

  it("is saved and loaded on its way", function()
    local grid = hall()
    local crowd = wend.crowd { map = grid }
    for i, radius in ipairs { 0.4, 0.8, 1.1, 1.25, 1.5 } do
      crowd:add({ x = 2, y = 2.5 * i, radius = radius }):go(17, 3 * i)
    end
    run(crowd, 2)
    local copy = grid:copy()
    local restored = assert(wend.decode(crowd:encode(), { map = copy }))
    for _, one in ipairs { { crowd, grid }, { restored, copy } } do
      run(one[1], 3)
      one[2]:close(10, 12)
      run(one[1], 10)
    end
    assert.equal(crowd:hash(), (restored:hash()))
  end)

  it("keeps views of a few radii", function()
    local crowd = wend.crowd { map = hall() }
    for i = 1, 20 do
      local w = crowd:add({ x = 3, y = 8, radius = 0.6 + i / 100 }):go(17.5, 3.5)
      run(crowd, 12)
      assert.equal("arrived", w.state)
      w:remove()
    end
  end)
end)
