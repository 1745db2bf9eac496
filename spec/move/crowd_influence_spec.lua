-- SPDX-License-Identifier: MIT
-- Layers of crowds: walkers plan around what is dangerous, and do not cut across it.
local wend = require "wend"
local helper = require "spec.support.helper"

local raises = helper.raises
local STEP = 1 / 30

--- An open grid with a danger in its middle, which lies on the straight way from 3.5, 15.5 to 27.5, 15.5.
local function field_of_danger()
  local grid = wend.grid(30, 30)
  return grid, wend.influence(grid):stamp(15, 15, 8, 9)
end

--- Lets a walker go to the other side.
-- @return the greatest danger of its cells, and its state
local function cross(grid, layer, crowd, walker)
  local most = 0
  for _ = 1, 30 * 30 do
    crowd:update(STEP)
    most = math.max(most, layer:get(grid:cell_at(walker.x, walker.y)))
    if walker.state == "arrived" then break end
  end
  return most, walker.state
end

local function add(crowd, options)
  local made = { x = 3.5, y = 15.5, speed = 3 }
  for key, value in pairs(options or {}) do made[key] = value end
  return crowd:add(made)
end

--- Checks that two crowds take the same steps for 10 seconds.
local function go_on_equally(crowd, loaded)
  for _ = 1, 10 * 30 do
    crowd:update(STEP)
    loaded:update(STEP)
    assert.equal(crowd:hash(), loaded:hash())
  end
end

describe("a crowd with layers", function()
  local grid, layer

  before_each(function() grid, layer = field_of_danger() end)

  local function go(walker) walker:go(27.5, 15.5) end
  local ORDERS = {
    { "an order", go },
    { "an order of a group", function(walker, crowd) crowd:go({ walker }, 27.5, 15.5) end },
    { "a chase", function(walker) walker:chase { x = 27.5, y = 15.5 } end },
  }
  for _, order in ipairs(ORDERS) do
    it("keeps out of danger with " .. order[1], function()
      local crowd = wend.crowd { map = grid }
      local walker = add(crowd)
      order[2](walker, crowd)
      local without, state = cross(grid, layer, crowd, walker)
      assert.same({ true, "arrived" }, { without > 7, state })
      crowd = wend.crowd { map = grid, influence = { layer, 2 } }
      walker = add(crowd)
      order[2](walker, crowd)
      assert.same({ 0, "arrived" }, { cross(grid, layer, crowd, walker) })
    end)
  end

  it("keeps wide walkers out of danger", function()
    local crowd = wend.crowd { map = grid, influence = { layer, 2 } }
    local walker = add(crowd, { radius = 1.2 })
    go(walker)
    assert.same({ 0, "arrived" }, { cross(grid, layer, crowd, walker) })
  end)

  it("follows a field made with layers, although the crowd has none", function()
    local crowd = wend.crowd { map = grid }
    local walker = add(crowd)
    walker:go(grid:field({ 27, 15 }, { influence = { layer, 2 } }))
    assert.same({ 0, "arrived" }, { cross(grid, layer, crowd, walker) })
    walker = add(crowd)
    walker:go(grid:field { 27, 15 })
    assert.is_true(cross(grid, layer, crowd, walker) > 7)
  end)

  it("has layers that a walker replaces by its own", function()
    local crowd = wend.crowd { map = grid, influence = { layer, 2 } }
    local brave, careful = add(crowd, { influence = {} }), add(crowd, { y = 16.5, group = "other", avoids = {} })
    go(brave)
    go(careful)
    assert.same({ true, true }, { brave.influence ~= nil, crowd.influence ~= nil })
    assert.is_nil(careful.influence)
    assert.is_true(cross(grid, layer, crowd, brave) > 7)
    cross(grid, layer, crowd, careful)
    careful.influence = {}
    careful:go(3.5, 15.5)
    assert.is_true(cross(grid, layer, crowd, careful) > 7)
    careful.influence = nil
    go(careful)
    assert.equal(0, (cross(grid, layer, crowd, careful)))
  end)

  it("plans again when layers are assigned", function()
    local crowd = wend.crowd { map = grid }
    local walker = add(crowd)
    go(walker)
    for _ = 1, 20 do crowd:update(STEP) end
    crowd.influence = { layer, 2 }
    assert.same({ 0, "arrived" }, { cross(grid, layer, crowd, walker) })
    crowd.influence = nil
    walker:go(3.5, 15.5)
    assert.is_true(cross(grid, layer, crowd, walker) > 7)
  end)

  it("reads the numbers as they are when a plan is made", function()
    local crowd = wend.crowd { map = grid, influence = { layer, 2 } }
    local walker = add(crowd)
    layer:reset()
    go(walker)
    local lowest, state = 15.5, nil
    for _ = 1, 30 * 30 do
      crowd:update(STEP)
      lowest, state = math.min(lowest, walker.y), walker.state
    end
    assert.same({ 15.5, "arrived" }, { lowest, state })
  end)

  it("plans on graphs with layers", function()
    local graph = wend.graph()
    graph:add_nodes { 0, 0, 5, 0, 10, 0, 5, 5 }
    for _, edge in ipairs { { 1, 2 }, { 2, 3 }, { 1, 4 }, { 4, 3 } } do graph:add_edge(edge[1], edge[2]) end
    local crowd = wend.crowd { map = graph, influence = { wend.influence(graph):set(2, 50), 1 } }
    local walker, highest = crowd:add { x = 0, y = 0 }, 0
    walker:go(10, 0)
    for _ = 1, 20 * 30 do
      crowd:update(STEP)
      highest = math.max(highest, walker.y)
    end
    assert.same({ "arrived", true }, { walker.state, highest > 4 })
  end)

  it("goes on when a layer is freed", function()
    local crowd = wend.crowd { map = grid, influence = { layer, 2 } }
    local walker = add(crowd)
    go(walker)
    for _ = 1, 30 do crowd:update(STEP) end
    layer:free()
    collectgarbage()
    for _ = 1, 30 * 30 do crowd:update(STEP) end
    assert.equal("arrived", walker.state)
    raises("influence[1]: the layer is gone", function() crowd.influence = { layer, 2 } end)
  end)

  it("is the same after it was saved and loaded on the way", function()
    for _, by_field in ipairs { false, true } do
      local crowd = wend.crowd { map = grid, influence = { layer, 2 } }
      local given = crowd.influence
      for i = 1, 5 do
        local walker = add(crowd, { y = 11.5 + i })
        if by_field then walker:go(grid:field({ 27, 15 }, { influence = given })) else go(walker) end
      end
      for _ = 1, 45 do crowd:update(STEP) end
      local bytes = crowd:encode()
      raises("influence must be given: the crowd had layers", wend.decode, bytes, { map = grid })
      local loaded = assert(wend.decode(bytes, { map = grid, influence = given }))
      go_on_equally(crowd, loaded)
    end
  end)

  it("is saved with layers of walkers, and with fields that have others", function()
    local crowd = wend.crowd { map = grid }
    local own, led = add(crowd, { influence = { layer, 2 }, data = "own" }), add(crowd, { y = 20.5, data = "led" })
    local field = grid:field({ 27, 15 }, { influence = { layer, 3 } })
    go(own)
    led:go(field)
    for _ = 1, 45 do crowd:update(STEP) end
    local bytes = crowd:encode()
    local function give(walker)
      return walker.data == "own" and { influence = { layer, 2 } } or { field = field }
    end
    raises("walker 1 had layers of its own: the option walker must return it", wend.decode, bytes, { map = grid })
    raises("walker 2 had a field with other costs or layers: the option walker must return it", wend.decode, bytes,
      { map = grid, walker = function(walker) return walker.data == "own" and give(walker) or nil end })
    local loaded = assert(wend.decode(bytes, { map = grid, walker = give }))
    go_on_equally(crowd, loaded)
  end)

  it("is saved with a field of layers that are the same", function()
    local crowd = wend.crowd { map = grid, influence = { layer, 2 } }
    add(crowd):go(grid:field({ 27, 15 }, { influence = { layer, 2 } }))
    for _ = 1, 45 do crowd:update(STEP) end
    go_on_equally(crowd, assert(wend.decode(crowd:encode(), { map = grid, influence = { layer, 2 } })))
    local path = grid:path(1, 1, 9, 9, { influence = { layer, 2 } })
    local function is_same(...) return path.influence == grid:path(1, 1, 9, 9, { influence = { ... } }).influence end
    assert.same({ true, false, false, false }, { is_same(layer, 2), is_same(layer, 3), is_same(layer, 2, layer, 1),
      is_same() })
  end)

  it("raises for layers that it cannot use", function()
    local other = wend.influence(wend.grid(3, 3))
    raises("influence: the crowd has no map", wend.crowd, { influence = { layer, 2 } })
    raises("influence[1]: the layer belongs to another map", wend.crowd, { map = grid, influence = { other, 2 } })
    raises("influence must be a list, got 3", wend.crowd, { map = grid, influence = 3 })
    local crowd = wend.crowd { map = grid }
    raises("influence[2] must be a number in 0 .. 1e+30, got -1", crowd.add, crowd,
      { x = 3, y = 3, influence = { layer, -1 } })
    local walker = add(crowd)
    raises("influence[1] must be an influence layer, got 5", function() walker.influence = { 5, 1 } end)
    assert.is_nil(walker.influence)
  end)
end)
