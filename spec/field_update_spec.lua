-- SPDX-License-Identifier: MIT
-- field:update: what is mended, what is made again, and what is refused. Random ones: random/field_update_spec.lua.
local wend = require "wend"

local function equal(field, new) assert.is_true(field:encode() == new:encode()) end

describe("field:update", function()
  it("makes a field with variation again, with its seed", function()
    local grid = wend.grid(30, 30)
    local field = grid:field(3, 3, { variation = 0.5, seed = 7 })
    grid:fill(9, 1, 9, 20, false)
    local _, rebuilt = field:update()
    assert.equal(true, rebuilt)
    assert.equal(grid:field(3, 3, { variation = 0.5, seed = 7 }):encode(), field:encode())
    assert.not_equal(grid:field(3, 3, { variation = 0.5, seed = 8 }):encode(), field:encode())
  end)

  it("mends what an edit touched, and says how much that was", function()
    local grid = wend.grid(50, 50)
    for _, opts in ipairs { {}, { outward = true } } do
      local field = grid:field(40, 25, opts)
      assert.same({ 0, false }, { field:update() })
      grid:close(30, 25)
      assert.is_false(field:valid())
      local changed, rebuilt = field:update()
      assert.is_true(changed > 5 and changed < 100, changed)
      assert.is_false(rebuilt)
      assert.is_true(field:valid())
      assert.near(grid:path(5, 25, 40, 25).cost, field:cost(5, 25), 1e-9)
      equal(field, grid:field(40, 25, opts))
      grid:open(30, 25)
      assert.same({ changed, false }, { field:update() })
      equal(field, grid:field(40, 25, opts))
    end
  end)

  it("makes the field again when much changes, or the map forgot the edits", function()
    local grid = wend.grid(60, 60)
    local field = grid:field(1, 30)
    grid:close(5, 1, 5, 60)
    assert.same({ 300, true }, { field:update() }) -- closed cells have a cost, too
    grid:open(5, 30)
    local _, rebuilt = field:update()
    assert.is_true(rebuilt)
    equal(field, grid:field(1, 30))
    for i = 1, 300 do grid:set(60, 60, i % 2 + 1) end
    _, rebuilt = field:update()
    assert.is_true(rebuilt)
    equal(field, grid:field(1, 30))
  end)

  it("makes fields again whose options no repair knows, with these options", function()
    local layer_map = wend.grid(20, 20)
    for _, opts in ipairs {
      { values = { 5 } }, { window = 6 }, { max_cost = 9 }, { per_turn = 4 }, { within = 2 }, { beside = true },
      { cost = function(_, cost) return cost + 1 end },
    } do
      local field = layer_map:field(10, 10, opts)
      layer_map:set(14, 12, 3)
      local _, rebuilt = field:update()
      assert.is_true(rebuilt)
      local new = layer_map:field(10, 10, opts)
      for y = 1, 20 do
        for x = 1, 20 do assert.equal(new:cost(x, y), field:cost(x, y)) end
      end
      layer_map:set(14, 12, 1)
    end
  end)

  it("asks functions of tags again, and reads the profile as it is", function()
    local grid, price = wend.grid(30, 30), 2
    grid:set(10, 10, 1, "mud")
    local costs = wend.costs { mud = function() return price end }
    local field = grid:field(10, 20, { costs = costs })
    assert.same({ 0, false }, { field:update() })
    price = 7
    local _, rebuilt = field:update()
    assert.is_true(rebuilt)
    equal(field, grid:field(10, 20, { costs = costs }))
    grid:set(12, 12, 1, "mire") -- a new tag, and the costs are the same
    _, rebuilt = field:update()
    assert.is_false(rebuilt)
    equal(field, grid:field(10, 20, { costs = costs }))
  end)

  it("mends after edits of walls and links", function()
    local grid = wend.grid(90, 90)
    for _, opts in ipairs { {}, { outward = true }, { size = 2 } } do
      local field = grid:field(10, 20, opts)
      local function updated(rebuilt)
        local _, again = field:update()
        if rebuilt ~= nil then assert.equal(rebuilt, again) end
        equal(field, grid:field(10, 20, opts))
      end
      grid:wall(3, 3, 4, 3)
      updated(false)
      grid:wall(9, 18, 10, 18, true, { directed = true })
      updated(false)
      grid:link(1, 1, 11, 20, { weight = 2 })
      updated(false)
      local near = field:cost(1, 1)
      grid:link(1, 1, 11, 20, { weight = 3 })
      updated(false)
      assert.is_true(opts.outward and near > 20 or near == 3)
      grid:wall(3, 3, 4, 3, false)
      grid:wall(9, 18, 10, 18, false)
      updated(false)
      grid:unlink(1, 1, 11, 20)
      updated(false)
      grid:link(1, 1, 11, 20, { weight = 0 }) -- a step that costs nothing
      updated(false)
      grid:unlink(1, 1, 11, 20)
      updated(false)
      grid:close(80, 80)
      updated(false)
      grid:open(80, 80)
    end
  end)

  it("mends after changes of layers, unless all of a layer may have changed", function()
    local grid = wend.grid(80, 80)
    for _, size in ipairs { 1, 3 } do
      local layer, other = wend.influence(grid), wend.influence(grid)
      local opts = { influence = { layer, 0.5, other, 2 }, size = size }
      local field = grid:field(60, 20, opts)
      local function updated(rebuilt)
        assert.is_true(field:valid())
        local changed, again = field:update()
        assert.equal(rebuilt, again)
        equal(field, grid:field(60, 20, opts))
        return changed
      end
      assert.equal(0, updated(false))
      layer:set(78, 20, 5)
      assert.is_true(updated(false) > 0)
      other:stamp(3, 3, 3, 4)
      layer:add(78, 20, -2)
      assert.is_true(updated(false) > 0)
      other:set(78, 20, 0)                                -- what it was
      assert.equal(0, updated(false))
      layer:decay(0.5)
      updated(true)
      other:reset()
      updated(true)
    end
  end)

  it("leaves out goals of a graph that were removed", function()
    local g = wend.graph()
    for x = 1, 5 do g:add_node(x, 0, { name = "n" .. x }) end
    for x = 1, 4 do g:add_edge(x, x + 1) end
    local field = g:field { "n1", "n5" }
    g:remove_node "n5"
    assert.same({ 4, true }, { field:update() })
    assert.equal(3, field:cost "n4")
    g:remove_node "n1"
    assert.same({ 0, true }, { field:update() })
  end)

  it("mends fields of graphs with edges of weight 0, also near them", function()
    local g = wend.graph()
    for _, name in ipairs { "goal", "a", "exit", "r", "p", "q", "b", "u", "v", "w" } do
      g:add_node(0, 0, { name = name })
    end
    local function add(from, to, weight) return g:add_edge(from, to, { weight = weight }) end
    add("goal", "a", 1); add("a", "exit", 4)
    add("exit", "r", 0); add("exit", "p", 0); add("r", "q", 0); add("p", "q", 0)
    add("goal", "b", 1); add("u", "v", 1); add("v", "p", 2)
    for i = 1, 90 do
      g:add_node(0, i)
      add(i == 1 and "goal" or 9 + i, 10 + i, 1)
    end
    local near, far = add("b", "u", 9), add(99, "w", 1)
    for _, opts in ipairs { {}, { outward = true } } do
      local field = g:field("goal", opts)
      local function updated(edge, weight, rebuilt)
        g:set_weight(edge, weight)
        assert.equal(rebuilt, (select(2, field:update())))
        equal(field, g:field("goal", opts))
      end
      updated(far, 2, false)
      updated(near, 8, false)
      updated(near, 1, false) -- "p" now costs 5 without "exit", too: it comes before "r" for "q"
      updated(near, 9, false)
      updated(far, 1, false)
    end
  end)

  it("mends fields of graphs with many edges of weight 0, also in rows", function()
    local g, leaves = wend.graph(), {}
    for x = 1, 1000 do
      g:add_node(x, 0)
      if x > 1 then g:add_edge(x - 1, x, { weight = x > 900 and 0 or 1 }) end
    end
    for x = 100, 800, 50 do g:add_edge(x, x + 2, { weight = 0 }) end
    for x = 1, 1000 do leaves[x] = g:add_edge(x, g:add_node(x, 1), { weight = 2 }) end
    local field = g:field(1)
    for x = 20, 980, 40 do
      g:set_weight(leaves[x], 3)
      assert.is_false((select(2, field:update())))
      equal(field, g:field(1))
    end
  end)

  it("mends fields of grids with cells and links of weight 0", function()
    local grid = wend.grid(60, 60)
    for x = 10, 50 do grid:set(x, 30, 0) end            -- a road
    for x = 5, 45, 10 do grid:link(x, 5, x + 10, 5, { weight = 0 }) end -- pads
    for _, opts in ipairs { {}, { outward = true } } do
      local field, near = grid:field(55, 10, opts), 0
      for _, cell in ipairs {
        { 30, 30, 5 }, { 30, 31, 2 }, { 20, 29, 0 }, { 25, 5, 3 }, { 5, 6, 0 }, { 4, 4, 9 }, { 15, 6, 2 },
      } do
        local before = grid:weight(cell[1], cell[2])
        for _, weight in ipairs { cell[3], before } do
          grid:set(cell[1], cell[2], weight)
          local changed, rebuilt = field:update()
          equal(field, grid:field(55, 10, opts))
          if changed > 0 and not rebuilt then near = near + 1 end
        end
      end
      assert.is_true(near > 2, near)
      local x, y = 12, 30                                -- along the road by the fewest steps
      grid:set(30, 30, 0)
      field = grid:field(50, 30)
      for _ = 1, 38 do
        assert.equal(0, field:cost(x, y))
        x, y = field:next(x, y)
      end
      assert.same({ 50, 30 }, { x, y })
    end
  end)

  it("can be called again after an error in the middle", function()
    local grid, broken = wend.grid(9, 9), false
    local field = grid:field(1, 1, { cost = function(_, cost)
      if broken then error("broken", 0) end
      return cost
    end })
    grid:close(5, 5)
    broken = true
    assert.has_error(function() field:update() end, "option 'cost': broken")
    assert.is_nil(field:cost(9, 9))
    assert.is_false(field:valid())
    broken = false
    assert.is_true((select(2, field:update())))
    assert.is_true(field:valid())
    assert.near(grid:field(1, 1):cost(9, 9), field:cost(9, 9), 1e-9)
    assert.has_error(function()
      grid:field(1, 1, { into = field, cost = function() error("broken", 0) end })
    end, "option 'cost': broken")
    assert.is_false(field:valid())
  end)

  it("raises after arithmetic, and of fields that were read", function()
    local grid = wend.grid(9, 9)
    local read = wend.decode(grid:field(1, 1):encode(), { map = grid })
    local ok, message = pcall(read.update, read)
    assert.is_false(ok)
    assert.truthy(message:find("a field that was read from bytes does not know its goals", 1, true))
    assert.equal(8, read:cost(9, 1))
    local field = grid:field(1, 1):scale(2)
    for _ = 1, 2 do
      ok, message = pcall(field.update, field)
      assert.is_false(ok)
      assert.truthy(message:find("arithmetic has changed the field", 1, true))
      field:relax()
    end
    grid:field(3, 3, { into = field })
    assert.same({ 0, false }, { field:update() })
  end)
end)
