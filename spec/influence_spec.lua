-- SPDX-License-Identifier: MIT
-- Influence layers: their numbers, what they add to steps, who takes them, and what happens when they change, are freed
-- or belong to another map. spec/random/influence_spec.lua compares them with a plain solver.
local helper = require "spec.support.helper"
local wend = require "wend"

local raises = helper.raises

-- The numbers of a layer of a grid, row by row.
local function numbers(layer, grid)
  local rows = {}
  for y = 1, grid:height() do
    local row = {}
    for x = 1, grid:width() do row[x] = ("%.2g"):format(layer:get(x, y)) end
    rows[y] = table.concat(row, " ")
  end
  return table.concat(rows, "\n")
end

local function lines(...) return table.concat({ ... }, "\n") end

local function road()
  local g = wend.graph()
  for x = 0, 3 do g:add_node(x * 10, 0) end
  for i = 1, 3 do g:add_edge(i, i + 1, { weight = 1 }) end
  g:add_edge(1, 4, { weight = 5 })
  return g
end

local function finish(q)
  while q:pending() > 0 do q:step(100) end
end

describe("wend.influence", function()
  it("makes a layer of zeros, without memory for numbers", function()
    local grid = wend.grid(300, 300)
    local layer = wend.influence(grid)
    assert.equal(0, layer:get(300, 300))
    assert.equal("influence", wend.type(layer))
    assert.equal("wend.Influence", tostring(layer))
    assert.is_true(layer:bytes() < 1000)
    assert.is_true(layer:set(1, 1, 2):bytes() >= 4 * 300 * 300)
    assert.is_true(layer:reset():bytes() < 1000)
    assert.equal(0, layer:get(1, 1))
  end)

  it("keeps its map alive", function()
    local layer = wend.influence(wend.grid(3, 3))
    collectgarbage()
    collectgarbage()
    assert.equal(2, layer:set(3, 3, 2):get(3, 3))
  end)
end)

describe("layer", function()
  it("set, add and decay keep numbers between 0 and 1e30", function()
    local layer = wend.influence(wend.grid(2, 1))
    assert.equal(1.5, layer:set(1, 1, 1.5):get(1, 1))
    assert.equal(2, layer:add(1, 1, 0.5):get(1, 1))
    assert.equal(0, layer:add(1, 1, -5):get(1, 1))
    layer:set(2, 1, 1e30):add(2, 1, 1e30)
    assert.near(1, layer:get(2, 1) / 1e30, 1e-6)
    assert.near(0.25, layer:decay(0.25):get(2, 1) / 1e30, 1e-6)
    layer:set(1, 1, 1e-19)
    assert.equal(0, layer:decay(0.01):get(1, 1))
    assert.equal(0, layer:decay(0):get(2, 1))
  end)

  it("stamp falls off to its radius", function()
    local grid = wend.grid(5, 3)
    local layer = wend.influence(grid)
    assert.equal(lines("0 0.59 1 0.59 0", "0 1 2 1 0", "0 0.59 1 0.59 0"), numbers(layer:stamp(3, 2, 2, 2), grid))
    assert.near(0, layer:stamp(3, 2, 2, -2):get(2, 1), 1e-6)
    assert.equal(0, layer:get(3, 2))
    layer:reset()
    assert.equal(lines("0 0 0.5 1.1 0.5", "0 0 1.1 2 1.1", "0 0 0.5 1.1 0.5"),
      numbers(layer:stamp(4, 2, 2, 2, "smooth"), grid))
    assert.equal(lines("1 1 0 0 0", "1 0 0 0 0", "0 0 0 0 0"), numbers(layer:reset():stamp(1, 1, 1.2, 1, "flat"), grid))
    assert.equal(lines("3 3 3 3 3", "3 3 3 3 3", "3 3 3 3 3"),
      numbers(layer:reset():stamp(1, 1, 1e300, 3, "flat"), grid))
    assert.equal(lines("3 0 0 0 0", "0 0 0 0 0", "0 0 0 0 0"), numbers(layer:reset():stamp(1, 1, 1e-300, 3), grid))
  end)

  it("stamp on a graph goes by positions", function()
    local g = road()
    local alone = g:add_node()
    local layer = wend.influence(g):stamp(2, 20, 4)
    assert.equal("2 4 2 0 0", ("%d %d %d %d %d"):format(layer:get(1), layer:get(2), layer:get(3), layer:get(4),
      layer:get(alone)))
    assert.equal(1, layer:stamp(alone, 5, 1):get(alone))
    assert.equal(4, layer:get(2))
  end)

  it("obstacle_distance counts closed cells, the outside and walls", function()
    local grid = wend.parse_grid(".....\n.....\n..#..\n.....\n.....")
    local layer = wend.influence(grid)
    assert.equal(lines("1 1 1 1 1", "1 1.4 1 1.4 1", "1 1 0 1 1", "1 1.4 1 1.4 1", "1 1 1 1 1"),
      numbers(layer:obstacle_distance(), grid))
    grid:open(3, 3):wall(2, 3, 3, 3)
    assert.equal(lines("1 1 1 1 1", "1 2 2 2 1", "1 1 1 2 1", "1 2 2 2 1", "1 1 1 1 1"),
      numbers(layer:obstacle_distance(), grid))
    assert.equal(lines("1 1 1 1 1", "1 0 0 0 1", "1 1 1 0 1", "1 0 0 0 1", "1 1 1 1 1"), numbers(layer:invert(2), grid))
  end)

  it("from_field takes costs, and another number for what is not reached", function()
    local grid = wend.parse_grid("..#.")
    local layer, field = wend.influence(grid), grid:field(1, 1)
    assert.equal("0 1 2 0", numbers(layer:from_field(field), grid)) -- a path may start on a closed cell
    assert.equal("0 1 2 7", numbers(layer:from_field(field, 7), grid))
    assert.equal("5 4 3 0", numbers(layer:invert(5), grid))
    local g = road()
    local on_graph = wend.influence(g):from_field(g:field(1))
    assert.equal(3, on_graph:get(4))
  end)

  it("invert also raises numbers that were never set", function()
    local g = road()
    assert.equal(2, wend.influence(g):invert(2):get(3))
  end)

  it("nodes that are added later have 0, also in the place of removed ones", function()
    local g = road()
    local layer = wend.influence(g):set(4, 9)
    g:remove_node(4)
    local new, last = g:add_node(30, 0), g:add_node(40, 0)
    g:add_edge(3, new, { weight = 1 })
    g:add_edge(new, last, { weight = 1 })
    assert.equal("0 0", ("%d %d"):format(layer:get(new), layer:get(last)))
    assert.equal(2, g:path(3, last, { influence = { layer, 1 } }).cost)
    layer:set(new, 5)
    assert.equal(7, g:path(3, last, { influence = { layer, 1 } }).cost)
  end)
end)

describe("the option influence", function()
  local grid = wend.grid(5, 1)
  local layer = wend.influence(grid):set(3, 1, 2):set(1, 1, 100)

  it("adds factor x number to each step, but not to the start", function()
    assert.equal(8, grid:path(1, 1, 5, 1, { influence = { layer, 2 } }).cost)
    assert.equal(4, grid:path(1, 1, 5, 1, { influence = { layer, 0 } }).cost)
    assert.equal(4, grid:path(1, 1, 5, 1, { influence = {} }).cost)
    assert.equal(9, grid:path(1, 1, 5, 1, { influence = { layer, 2, layer, 0.5 } }).cost)
  end)

  it("counts the length of diagonal steps, and comes after plus and before rules", function()
    local yard = wend.parse_grid(".#\n#m", { m = "mud" }, { diagonals = "always" })
    local fear = wend.influence(yard):set(2, 2, 3)
    local costs = wend.costs { mud = { times = 2, plus = 1 } }
    local given
    local path = yard:path(1, 1, 2, 2, { costs = costs, influence = { fear, 1 }, algorithm = "dijkstra",
      cost = function(_, cost, tag)
        if tag == "mud" then given = cost end
        return cost
      end })
    assert.near(2 * math.sqrt(2) + 1 + 3 * math.sqrt(2), given, 1e-9)
    assert.near(given, path.cost, 1e-9)
  end)

  it("is named by explain, which takes it from the path", function()
    local path = grid:path(1, 1, 5, 1, { influence = { layer, 2 } })
    local steps = path:explain()
    assert.equal("influence", steps[2].rules[1].name)
    assert.equal(5, steps[2].cost)
    assert.equal(0, #steps[1].rules)
    assert.equal("5 1", ("%d %d"):format(path:explain({ influence = { layer, 2 } })[2].cost,
      path:explain({ influence = {} })[2].cost))
    assert.equal(8, grid:explain(path, { influence = path.influence }).cost)
    local wide = wend.grid(4, 2)
    local low = wend.influence(wide):set(2, 2, 3)
    local body = wide:path(1, 1, 3, 1, { size = 2, influence = { low, 1 } })
    assert.equal(5, body.cost)
    assert.equal(4, body:explain()[1].cost)
    assert.equal("2 1", ("%d %d"):format(body:explain()[1].covered_x, body:explain()[1].covered_y))
  end)

  it("adds the greatest number under an agent with a size to the price of its dearest cell", function()
    local wide = wend.grid(5, 2):set(3, 1, 2)
    local low, high = wend.influence(wide):set(2, 2, 3):set(3, 2, 1), wend.influence(wide):set(3, 2, 10)
    local options = { size = 2, influence = { low, 1, high, 0.5 } }
    local path = wide:path(1, 1, 4, 1, options)
    assert.equal("10 8 1", ("%g %g %g"):format(path:explain()[1].cost, path:explain()[2].cost, path:explain()[3].cost))
    assert.equal(19, path.cost)
    assert.equal("3 1", ("%d %d"):format(path:explain()[1].covered_x, path:explain()[1].covered_y))
    assert.equal(19, wide:field(4, 1, options):cost(1, 1))
    assert.equal(19, wide:route(1, 1, 4, 1, options).cost)
    local given = {}
    high:set(3, 2, 0) -- layers are read when a step is taken
    assert.equal(9, wide:path(1, 1, 4, 1, options).cost)
    low:set(4, 1, 20)
    assert.equal(5 + 22 + 21, wide:path(1, 1, 4, 1, { size = 2, influence = { low, 1 } }).cost)
    local tagged = wend.grid(4, 2):set(3, 1, 2, "mud")
    local fear = wend.influence(tagged):set(2, 2, 3)
    tagged:path(1, 1, 2, 1, { size = 2, influence = { fear, 1 }, costs = wend.costs { mud = 1 },
      cost = function(_, cost, tag)
        if tag == "mud" then given[#given + 1] = cost end
        return cost
      end })
    assert.same({ 5 }, given)
  end)

  it("closes nothing", function()
    local fear = wend.influence(grid):stamp(3, 1, 9, 1e30, "flat")
    local options = { influence = { fear, 1e30 } }
    assert.is_true(grid:can_reach(1, 1, 5, 1, options))
    assert.truthy(grid:path(1, 1, 5, 1, options))
    assert.is_nil((grid:why_not(1, 1, 5, 1, options)))
    assert.equal(#grid:chokepoints(), #grid:chokepoints(options))
  end)

  it("is taken by all queries that use costs", function()
    local options = { influence = { layer, 2 } }
    local search = grid:search(1, 1, 5, 1, options)
    while search:step(1) == "running" do end
    assert.equal(8, search:result().cost)
    assert.equal(8, grid:field(5, 1, options):cost(1, 1))
    assert.equal(8, grid:route(0.5, 0.5, 4.5, 0.5, options).cost)
    assert.equal(8, grid:paths({ 1, 1, 5, 1, 5, 1, 1, 1 }, options)[1].cost)
    assert.truthy(grid:nearest(2, 0.5, { can_reach = { 5, 1 }, influence = options.influence }))
    local q = wend.queue()
    local request = q:path(grid, 1, 1, 5, 1, options)
    local field = q:field(grid, 5, 1, options)
    finish(q)
    assert.equal(8, request.result.cost)
    assert.equal(8, field.result:cost(1, 1))
    local g = road()
    local fear = wend.influence(g):set(2, 1)
    assert.equal(4, g:routes({ influence = { fear, 1 } }):cost(1, 4))
  end)

  it("of a base is one of its overlays, and not the other way round", function()
    local overlay = grid:overlay()
    local options = { influence = { layer, 1 } }
    assert.equal(6, overlay:path(1, 1, 5, 1, options).cost)
    assert.equal(6, overlay:overlay():path(1, 1, 5, 1, options).cost)
    local own = wend.influence(overlay)
    assert.truthy(overlay:path(1, 1, 5, 1, { influence = { own, 1 } }))
    raises("influence[1]: the layer belongs to another map", grid.path, grid, 1, 1, 5, 1, { influence = { own, 1 } })
    local path = overlay:path(1, 1, 5, 1, { influence = { own, 1 } })
    raises("influence[1]: the layer belongs to another map", grid.path, grid, 1, 1, 5, 1,
      { influence = path.influence })
  end)

  it("does not make paths and fields stale", function()
    local fear = wend.influence(grid)
    local path = grid:path(1, 1, 5, 1, { influence = { fear, 1 } })
    local field = grid:field(5, 1, { influence = { fear, 1 } })
    fear:set(2, 1, 5)
    assert.is_true(path:valid())
    assert.is_true(field:valid())
    assert.equal(4, field:path(1, 1).cost)
  end)

  it("reads numbers as they are, also between slices and in functions", function()
    local yard = wend.grid(20, 20)
    local fear = wend.influence(yard)
    local search = yard:search(1, 1, 20, 20, { influence = { fear, 1 } })
    search:step(5)
    fear:stamp(10, 10, 30, 7)
    while search:step(5) == "running" do end
    local path = assert(search:result())
    assert.is_true(path:valid())
    local again = yard:path(1, 1, 20, 20, { influence = { fear, 1 }, cost = function(_, cost)
      fear:add(5, 5, 1)
      return cost
    end })
    assert.truthy(again)
  end)

  it("counts a layer that is freed meanwhile as 0", function()
    local yard = wend.grid(20, 1)
    local fear = wend.influence(yard):stamp(10, 1, 50, 7, "flat")
    local search = yard:search(1, 1, 20, 1, { influence = { fear, 1 } })
    fear:free()
    while search:step(5) == "running" do end
    assert.equal(19, search:result().cost)
  end)

  it("cannot be freed by functions of the search", function()
    local yard = wend.grid(20, 1)
    local other = wend.influence(yard):set(2, 1, 3)
    local message
    local field = yard:field(20, 1, { influence = { other, 1, other, 1 }, cost = function(_, cost)
      message = select(2, pcall(other.free, other))
      return cost
    end })
    assert.equal(25, field:cost(1, 1))
    assert.truthy(message:find("the layer is being read: functions of the search cannot free it", 1, true))
    assert.is_false((pcall(yard.path, yard, 1, 1, 3, 1, { influence = { other, 1 },
      cost = function() error "no" end })))
    other:free()
  end)

  it("keeps layers of waiting requests alive", function()
    local q = wend.queue()
    local request = q:path(grid, 1, 1, 5, 1, { influence = { wend.influence(grid):set(3, 1, 2), 1 } })
    collectgarbage()
    collectgarbage()
    finish(q)
    assert.equal(6, request.result.cost)
  end)

  it("is shared by requests that wait together, and not by later ones", function()
    local q = wend.queue()
    local fear = wend.influence(grid):set(3, 1, 2)
    local list = { fear, 1 }
    local function ask(influence)
      return q:path(grid, 1, 1, 5, 1, { share = true, influence = influence })
    end
    local a, b, other = ask(list), ask(list), ask { fear, 2 }
    finish(q)
    assert.equal("6 6 8", ("%d %d %d"):format(a.result.cost, b.result.cost, other.result.cost))
    fear:reset()
    a, b = ask(list), ask(list)
    finish(q)
    assert.equal("4 4", ("%d %d"):format(a.result.cost, b.result.cost))
  end)
end)

describe("layers in files", function()
  it("are read for their map", function()
    local grid = wend.grid(3, 2)
    local layer = wend.influence(grid):set(3, 2, 0.1)
    local file = helper.file("")
    finally(helper.clean)
    assert.is_true(layer:save(file))
    local loaded = assert(wend.load(file, { map = grid }))
    assert.equal(layer:get(3, 2), loaded:get(3, 2))
    helper.fails("an influence layer: it belongs to another map, or this one has changed since", "stale", wend.decode,
      layer:encode(), { map = wend.grid(2, 3) })
    raises("map must be given: an influence layer belongs to one", wend.decode, layer:encode())
    assert.equal(wend.influence(grid):encode(), layer:reset():encode())
  end)

  it("are refused if they are damaged", function()
    local g = road()
    g:remove_node(2)
    local bytes = wend.influence(g):set(1, 1):encode()
    for i = 1, #bytes do
      local damaged = bytes:sub(1, i - 1) .. string.char((bytes:byte(i) + 1) % 256) .. bytes:sub(i + 1)
      assert.is_nil((wend.decode(damaged, { map = g })))
      assert.is_nil((wend.decode(bytes:sub(1, i - 1), { map = g })))
    end
  end)
end)

describe("influence layers: Errors", function()
  local grid, g = wend.grid(4, 3), road()
  local layer, on_graph = wend.influence(grid), wend.influence(g)

  helper.all_raise(it, {
    "map must be a graph or a grid, got nil", function() return wend.influence() end,
    "x must be a whole number in 1 .. 4, got 5", function() return layer:get(5, 1) end,
    "node: there is no node 9", function() return on_graph:get(9) end,
    "value must be a number in 0 .. 1e+30, got -1", function() return layer:set(1, 1, -1) end,
    "value must be a number in 0 .. 1e+30, got nan", function() return layer:set(1, 1, 0 / 0) end,
    "value must be a number in -1e+30 .. 1e+30, got inf", function() return layer:add(1, 1, math.huge) end,
    "radius must be a finite number > 0, got 0", function() return layer:stamp(1, 1, 0, 1) end,
    "value must be a number in -1e+30 .. 1e+30, got nil", function() return on_graph:stamp(1, 1) end,
    "factor must be a number in 0 .. 1, got 2", function() return layer:decay(2) end,
    "most must be a number in 0 .. 1e+30, got nil", function() return layer:invert() end,
    "obstacle_distance needs a grid, the layer is of a graph", function() return on_graph:obstacle_distance() end,
    "field must be a field of this grid, got nil", function() return layer:from_field() end,
    "field must be a field of this graph, got another one", function() return on_graph:from_field(grid:field(1, 1)) end,
    "influence must be a list, got 1", function() return grid:path(1, 1, 2, 1, { influence = 1 }) end,
    "influence must hold 2 values per item, got 1 values: { a wend.Influence }",
    function() return grid:path(1, 1, 2, 1, { influence = { layer } }) end,
    "influence[1] must be an influence layer, got 2",
    function() return grid:path(1, 1, 2, 1, { influence = { 2, layer } }) end,
    "influence[2] must be a number in 0 .. 1e+30, got -1",
    function() return grid:path(1, 1, 2, 1, { influence = { layer, -1 } }) end,
    "influence[1]: the layer belongs to another map",
    function() return grid:path(1, 1, 2, 1, { influence = { on_graph, 1 } }) end,
    "influence[3]: the layer belongs to another map",
    function() return grid:nearest(1, 1, { can_reach = { 1, 1 }, influence = { layer, 1, on_graph, 1 } }) end,
  })

  it("refuse freed layers and freed fields of maps", function()
    local gone = wend.influence(grid)
    local path = grid:path(1, 1, 2, 1, { influence = { gone, 1 } })
    gone:free()
    gone:free()
    raises("the layer is gone", gone.get, gone, 1, 1)
    raises("influence[1]: the layer is gone", grid.path, grid, 1, 1, 2, 1, { influence = { gone, 1 } })
    assert.equal(1, grid:path(1, 1, 2, 1, { influence = path.influence }).cost)
  end)
end)
