-- SPDX-License-Identifier: MIT
-- grid:nearest and map:random. A failure prints WEND_SEED and WEND_ROUND.
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local HUGE, NAN = math.huge, 0 / 0
local function pack(...) return { n = select("#", ...), ... } end
local unpack = table.unpack or unpack -- luacheck: ignore 113 143
local near = reference.near

describe("grid:nearest", function()
  it("is the open cell whose centre is nearest", function()
    local grid = wend.parse_grid [[
      ..#..
      .###.
      #####
      .....
    ]]
    assert.same({ 1, 1, 0 }, { grid:nearest(0.5, 0.5) })
    assert.same({ 3, 4, 1 }, { grid:nearest(2.5, 2.5) })
    assert.same({ 2, 1, 1 }, { grid:nearest(2.5, 0.5) })
    local x, y, distance = grid:nearest(2.6, 1.5)
    assert.same({ 4, 1 }, { x, y })
    near(math.sqrt(0.9 * 0.9 + 1), distance)
  end)

  it("is the cell of the position if that is open", function()
    local grid = wend.grid(9, 9, { cell = 10, origin = { -5, -5 } })
    for _, at in ipairs { { -5, -5 }, { 5, 5 }, { 4.999, 5 }, { 15, 14.999 }, { 84.999, 84.999 } } do
      local x, y = grid:cell_at(at[1], at[2])
      assert.same({ x, y }, { unpack({ grid:nearest(at[1], at[2]) }, 1, 2) })
    end
  end)

  it("takes the first cell in reading order among equally near ones", function()
    assert.same({ 2, 1, 1 }, { wend.grid(3, 3):set(2, 2, false):nearest(1.5, 1.5) })
    assert.same({ 1, 2, 1 }, { wend.grid(3, 3):set(2, 2, false):set(2, 1, false):nearest(1.5, 1.5) })
    assert.same({ 3, 2, 1 }, { wend.grid(3, 3):fill(1, 1, 2, 2, false):nearest(1.5, 1.5) })
    local corner = wend.grid(2, 2):set(2, 2, false)
    assert.same({ 1, 1 }, { unpack({ corner:nearest(1, 1) }, 1, 2) }) -- the corner belongs to (2,2), which is closed
  end)

  it("works for positions outside the grid", function()
    local grid = wend.grid(4, 3, { cell = 2 }):set(4, 3, false)
    assert.same({ 1, 1 }, { unpack({ grid:nearest(-9, -9) }, 1, 2) })
    assert.same({ 4, 2 }, { unpack({ grid:nearest(1000, 5) }, 1, 2) })
    assert.same({ 4, 1, 1e6 - 7 }, { grid:nearest(1e6, 1) })
    assert.same({ 1, 1, 1e150 }, { grid:nearest(1e150, 0) }) -- so far away, all cells are equally near
    assert.same({ 2, 1, 11 }, { grid:nearest(3, -10) })
  end)

  it("takes a position as one value, as graph:nearest does", function()
    local grid = wend.grid(5, 5)
    local vector = setmetatable({}, { __index = function(_, key) return key == "x" and 2.5 or 3.5 end })
    for _, at in ipairs { { 2.5, 3.5 }, { x = 2.5, y = 3.5 }, vector } do
      assert.same({ 3, 4, 0 }, { grid:nearest(at) })
      assert.same({ 3, 4, 0 }, { grid:nearest(at, { max_distance = 1 }) })
    end
  end)

  it("is nil where there is no open cell", function()
    local grid = wend.grid(7, 5):fill(false)
    assert.same({ n = 1 }, pack(grid:nearest(3, 3)))
    assert.same({ 7, 5 }, { unpack({ grid:set(7, 5, 1):nearest(-50, 0) }, 1, 2) })
  end)

  it("keeps max_distance, which the distance itself may reach", function()
    local grid = wend.grid(9, 1, { cell = 4 }):fill(1, 1, 8, 1, false)
    assert.same({ 9, 1, 32 }, { grid:nearest(2, 2, { max_distance = 32 }) })
    assert.equal(nil, (grid:nearest(2, 2, { max_distance = 31.9 })))
    assert.equal(nil, (grid:nearest(34.1, 2, { max_distance = 0 })))
    assert.equal(9, (grid:nearest(34, 2, { max_distance = 0 })))
    assert.equal(9, (grid:nearest(2, 2, { max_distance = HUGE })))
  end)

  it("leaves out cells whose tag is closed for the agent", function()
    local grid = wend.parse_grid("@~~~.", { ["@"] = "lava", ["~"] = "water" })
    local walker = wend.costs { lava = false, water = function(agent) return agent.boat and 1 or false end }
    assert.equal(1, (grid:nearest(0.5, 0.5)))
    assert.equal(5, (grid:nearest(0.5, 0.5, { costs = walker })))
    assert.equal(2, (grid:nearest(0.5, 0.5, { costs = walker, agent = { boat = true } })))
    assert.equal(nil, (grid:nearest(0.5, 0.5, { costs = walker, max_distance = 3 })))
    assert.equal(nil, (wend.grid(2, 2):fill("lava"):nearest(1, 1, { costs = walker })))
  end)

  it("calls no edge rule and no cost function", function()
    local grid = wend.parse_grid("~~.", { ["~"] = "water" })
    local function never() error "called" end
    local costs = wend.costs({ water = false }):edge_rule("never", never)
    assert.equal(3, (grid:nearest(0.5, 0.5, { costs = costs, cost = never })))
    assert.equal(1, (grid:nearest(0.5, 0.5, { cost = never })))
  end)

  it("takes only cells that can be reached, or from which one can go somewhere", function()
    local grid = wend.parse_grid [[
      .#...
      .#.#.
      .#...
    ]]
    assert.equal(3, (grid:nearest(0.5, 1.5, { reachable_from = { x = 5, y = 1 } })))
    assert.equal(3, (grid:nearest(0.5, 1.5, { can_reach = { 5, 1 } })))
    assert.equal(1, (grid:nearest(4.5, 0.5, { can_reach = { 1, 1, 1, 3 } })))
    assert.same({ 4, 1 }, { unpack({ grid:nearest(3.5, 1.5, { can_reach = { 1, 1, 5, 3 } }) }, 1, 2) })
    local outward = grid:field(3, 3, { outward = true, max_cost = 2 })
    assert.same({ 3, 1 }, { unpack({ grid:nearest(2.5, -9, { reachable_from = outward }) }, 1, 2) })
    assert.same({ 5, 3 }, { unpack({ grid:nearest(9.5, -1, { reachable_from = outward }) }, 1, 2) })
    grid:link(1, 1, 3, 1, { directed = true })
    assert.equal(1, (grid:nearest(0.5, 1.5, { can_reach = { 5, 1 } })))
    assert.equal(3, (grid:nearest(0.5, 1.5, { reachable_from = { 5, 1 } })))
    assert.equal(nil, (grid:nearest(0.5, 1.5, { reachable_from = { 5, 1 }, can_reach = { 1, 1 } })))
  end)

  it("uses the agent's costs for reaching too", function()
    local grid = wend.parse_grid(".~.", { ["~"] = "water" })
    local dry = wend.costs { water = false }
    assert.equal(1, (grid:nearest(0.5, 0.5, { can_reach = { 3, 1 } })))
    assert.equal(3, (grid:nearest(0.5, 0.5, { can_reach = { 3, 1 }, costs = dry })))
    local function wet(_, _, tag) if tag == "water" then return false end end
    assert.equal(2, (grid:nearest(0.5, 0.5, { can_reach = { 3, 1 }, cost = wet }))) -- the agent may stand in the water
  end)

  it("leaves out a closed cell from which a path may start", function()
    local grid = wend.grid(5, 1):set(1, 1, false)
    local field = grid:field(5, 1)
    assert.equal(4, field:cost(1, 1))
    assert.equal(2, (grid:nearest(0, 0.5, { can_reach = field })))
    local lava = wend.grid(5, 1):set(1, 1, "lava")
    assert.equal(2, (lava:nearest(0, 0.5, { can_reach = lava:field(5, 1, { costs = wend.costs { lava = false } }) })))
  end)

  it("knows the difference of distances that are nearly equal", function()
    local grid = wend.grid(3, 1):set(2, 1, false)
    assert.equal(1, (grid:nearest(1.5 - 2 ^ -50, 0.5)))
    assert.equal(3, (grid:nearest(1.5 + 2 ^ -50, 0.5)))
    assert.equal(1, (grid:nearest(1.5, 0.5)))
  end)

  -- The simplest solver: all cells, in reading order.
  local function brute(grid, at, opts, walkable)
    local size, left, top = grid:cell_size(), grid:origin()
    local px, py = (at[1] - left) / size, (at[2] - top) / size
    local own_x, own_y = grid:cell_at(at[1], at[2])
    local best, best_x, best_y = HUGE, nil, nil
    for y = 1, grid:height() do
      for x = 1, grid:width() do
        local dx, dy = x - 0.5 - px, y - 0.5 - py
        local square = dx * dx + dy * dy
        if walkable(x, y) and math.sqrt(square) * size <= (opts.max_distance or HUGE)
          and (square < best or not best_x or (square == best and x == own_x and y == own_y)) then
          best, best_x, best_y = square, x, y
        end
      end
    end
    return best_x, best_y, best_x and math.sqrt(best) * size
  end

  it("agrees with a look at every cell, on random grids", function()
    helper.rounds("grid:nearest", 200, function(rng)
      local grid = wend.grid(rng(1, 24), rng(1, 24), {
        cell = rng:pick { 1, 0.5, 7, 32, 1 / 3, 0.1 }, origin = { rng(-50, 50) / rng(1, 7), rng(-50, 50) / rng(1, 7) },
      })
      local width, height, size, left, top = grid:width(), grid:height(), grid:cell_size(), grid:origin()
      local closed = rng:pick { 0, 0.3, 0.8, 0.97, 1 }
      for y = 1, height do
        for x = 1, width do
          if rng:chance(closed) then grid:set(x, y, false)
          elseif rng:chance(0.3) then grid:set(x, y, rng:pick { "lava", "road" }) end
        end
      end
      for _ = 1, 12 do
        local at = { left + (rng() * 2 - 0.5) * width * size, top + (rng() * 2 - 0.5) * height * size }
        if rng:chance(0.4) then -- centres, borders and corners
          at = { left + rng(-3, 2 * width + 3) * size / 2, top + rng(-3, 2 * height + 3) * size / 2 }
        end
        local opts = { max_distance = rng:chance(0.4) and rng() * width * size or nil }
        local costs, reach
        if rng:chance(0.4) then costs = wend.costs { lava = false } end
        local fx, fy = rng(1, width), rng(1, height)
        if rng:chance(0.4) then
          reach = grid:field(fx, fy, { costs = costs, outward = true })
          if rng:chance(0.5) then opts.reachable_from = reach else opts.reachable_from = { fx, fy } end
        end
        opts.costs = costs
        local function walkable(x, y)
          local weight, tag = grid:get(x, y)
          return weight and not (costs and tag == "lava") and (not reach or reach:cost(x, y) ~= nil)
        end
        local x, y, distance = grid:nearest(at[1], at[2], opts)
        local expected_x, expected_y, expected = brute(grid, at, opts, walkable)
        if x ~= expected_x or y ~= expected_y or distance ~= expected then
          assert.same({ expected_x, expected_y, expected }, { x, y, distance },
            ("%.17g %.17g, max %s\n%s"):format(at[1], at[2], tostring(opts.max_distance), tostring(grid)))
        end
      end
    end)
  end)
end)

describe("the option size", function()
  it("of grid:nearest and grid:random needs no costs", function()
    local grid = wend.parse_grid [[
      ...#..
      ...#..
      #.....
    ]]
    assert.same({ 2, 1, 1 }, { grid:nearest(3, 1, { size = 2 }) })
    assert.is_nil((grid:nearest(1, 1, { size = 4 })))
    for seed = 1, 20 do
      local x, y = grid:random(seed, { size = 2 })
      assert.truthy(grid:path(x, y, x, y) and not grid:is_closed(x + 1, y) and not grid:is_closed(x, y + 1), x .. y)
      assert.is_nil((grid:random(seed, { size = 4 })))
    end
  end)
end)

describe("map:random", function()
  it("is an open cell of a grid, or an open node of a graph", function()
    local grid = wend.parse_grid [[
      #.#
      .##
    ]]
    local g, nodes, cells = reference.row(4):close(2), {}, {}
    g:remove_node(3)
    for seed = 1, 200 do
      nodes[g:random(seed)] = true
      local x, y = grid:random(seed)
      cells[x .. "," .. y] = true
    end
    assert.same({ [1] = true, [4] = true }, nodes)
    assert.same({ ["2,1"] = true, ["1,2"] = true }, cells)
  end)

  it("is nil where there is none", function()
    assert.same({ n = 1 }, pack(wend.grid(3, 3):fill(false):random(1)))
    assert.same({ n = 1 }, pack(wend.graph():random(1)))
    assert.same({ n = 1 }, pack(reference.row(1):close(1):random(1)))
    local g = reference.row(2)
    g:remove_node(1):remove_node(2)
    assert.equal(nil, (g:random(1)))
  end)

  it("depends on the seed, the map and the options only", function()
    local grid, again = wend.grid(50, 40):fill(10, 10, 20, 30, false), wend.grid(50, 40)
    again:fill(10, 10, 20, 30, false)
    local different = 0
    for seed = -5, 20 do
      local x, y = grid:random(seed / 2)
      assert.same({ x, y }, { again:random(seed / 2) })
      assert.same({ x, y }, { wend.decode(grid:encode()):random(seed / 2) })
      local next_x, next_y = grid:random(seed / 2 + 0.5)
      if x ~= next_x or y ~= next_y then different = different + 1 end
    end
    assert.truthy(different > 20)
    assert.same({ grid:random(0) }, { grid:random(-0.0) })
  end)

  it("gives the same results on every machine", function()
    local grid, list = wend.grid(1000, 1000), {}
    for _, seed in ipairs { 1, 2, 3, 0.1, -7, 1e300 } do
      local x, y = grid:random(seed)
      list[#list + 1] = x .. "," .. y
    end
    assert.equal("727,553 870,746 773,566 883,464 890,395 3,509", table.concat(list, " "))
    local sparse = wend.grid(1000, 100):fill(false):set(7, 50, 1):set(900, 3, 1):set(5, 100, 1)
    list = {}
    for seed = 1, 8 do list[seed] = sparse:random(seed) end
    assert.equal("7 900 900 7 5 5 7 7", table.concat(list, " "))
    local g = wend.graph()
    for i = 1, 500 do g:add_node(i, 0) end
    for i = 1, 500, 3 do g:remove_node(i) end
    list = {}
    for seed = 1, 8 do list[seed] = g:random(seed) end
    assert.equal("242 365 488 201 81 125 219 474", table.concat(list, " "))
  end)

  -- The chi-square statistic of draws that should be uniform, and the value that chance exceeds once in 10,000 times
  -- (E. B. Wilson, M. M. Hilferty, "The distribution of chi-square", 1931).
  local function check_uniform(kinds, draws, draw)
    local counts, square = {}, 0
    for seed = 1, draws do
      local drawn = draw(seed)
      counts[drawn] = (counts[drawn] or 0) + 1
    end
    for _, kind in ipairs(kinds) do
      local expected = draws / #kinds
      square = square + ((counts[kind] or 0) - expected) ^ 2 / expected
      counts[kind] = nil
    end
    assert.equal(nil, (next(counts)))
    local freedom = #kinds - 1
    local most = freedom * (1 - 2 / (9 * freedom) + 3.719 * math.sqrt(2 / (9 * freedom))) ^ 3
    assert.truthy(square < most, ("chi-square %.1f for %d kinds, at most %.1f"):format(square, #kinds, most))
  end

  it("is uniform where most cells are open", function()
    local grid, kinds = wend.grid(12, 10):fill(3, 2, 9, 5, false), {}
    for y = 1, 10 do
      for x = 1, 12 do
        if grid:get(x, y) then kinds[#kinds + 1] = 100 * y + x end
      end
    end
    check_uniform(kinds, 20000, function(seed)
      local x, y = grid:random(seed)
      return 100 * y + x
    end)
  end)

  it("is uniform where few cells are open: some seeds find them by chance, some by counting", function()
    local grid, kinds = wend.grid(100, 10):fill(false), {}
    for i = 1, 10 do
      grid:set(i * 9, 11 - i, 1)
      kinds[i] = i * 9
    end
    check_uniform(kinds, 5000, function(seed) return (grid:random(seed)) end)
  end)

  it("is uniform over nodes, whatever was removed", function()
    local g, kinds = wend.graph(), {}
    for i = 1, 90 do g:add_node(i, 0) end
    for i = 1, 90 do
      if i % 3 == 0 then g:remove_node(i) elseif i % 3 == 1 then g:close(i) else kinds[#kinds + 1] = i end
    end
    for i = 1, 5 do kinds[#kinds + 1] = g:add_node(i, 1) end
    check_uniform(kinds, 10000, function(seed) return g:random(seed) end)
  end)

  it("is uniform over what a field reaches #many", function()
    local grid = wend.grid(60, 60)
    local field, kinds = grid:field(30, 30, { outward = true, max_cost = 4 }), {}
    for x, y in field:each() do kinds[#kinds + 1] = 100 * y + x end
    check_uniform(kinds, 10000, function(seed)
      local x, y = grid:random(seed / 7, { reachable_from = field })
      return 100 * y + x
    end)
  end)

  it("takes nodes without a position", function()
    local g = wend.graph()
    g:add_node()
    assert.equal(1, g:random(1))
  end)

  it("takes only what the agent can enter and reach", function()
    local grid = wend.parse_grid(".~~#..", { ["~"] = "water" })
    local dry = wend.costs { water = false }
    local g = reference.row(5):close(3)
    local seen, nodes = {}, {}
    for seed = 1, 100 do
      seen[grid:random(seed, { costs = dry })] = true
      assert.truthy(grid:random(seed, { reachable_from = { 5, 1 } }) >= 5)
      assert.equal(1, (grid:random(seed, { can_reach = { x = 1, y = 1 }, costs = dry })))
      nodes[g:random(seed, { reachable_from = 5 })] = true
      assert.truthy(g:random(seed, { can_reach = { 1, 3 } }) <= 4)
    end
    assert.same({ [1] = true, [5] = true, [6] = true }, seen)
    assert.same({ [4] = true, [5] = true }, nodes)
  end)

  it("makes no garbage with a field, and grid:nearest makes none", function()
    local grid = wend.grid(30, 30):fill(5, 5, 9, 9, false)
    local opts = { reachable_from = grid:field(1, 1, { outward = true }), costs = wend.costs { lava = false } }
    local at = { x = 7.5, y = 7.5 }
    assert.equal(0, helper.garbage(3, 100, function(times)
      for i = 1, times do
        grid:random(i, opts)
        grid:nearest(at, opts)
        grid:nearest(7, 7)
      end
    end))
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local g, grid

local function fixture()
  g = reference.row(3)
  grid = wend.grid(7, 3)
  grid:set(1, 1, "water")
end

-- Each line: what is raised, and the call.
local function all(cases) helper.all_raise(it, cases) end

for _, name in ipairs { "nearest", "random" } do
  describe("grid:" .. name, function()
    before_each(fixture)

    local function ask(opts)
      if name == "nearest" then return grid:nearest(1, 2, opts) end
      return grid:random(1, opts)
    end
    all {
      "unknown option 'clear' (expected one of: ...", function() ask { clear = wend.walls() } end,
      "unknown option 'limit' (expected one of: ...", function() ask { limit = 2 } end,
      "can_reach must be a cell, a list of cells or a field, got 5", function() ask { can_reach = 5 } end,
      "can_reach must be a list of cells, got the key 'y'", function() ask { can_reach = { y = 1 } } end,
      "can_reach must hold 2 numbers per item, such as { 1, 2, 3, 4 } for two, got 3 numbers: { 1, 2, 3 }",
        function() ask { can_reach = { 1, 2, 3 } } end,
      "can_reach[3] must be a whole number in 1 .. 7, got 8", function() ask { can_reach = { 1, 1, 8, 1 } } end,
      "reachable_from.x must be a whole number in 1 .. 7, got 0",
        function() ask { reachable_from = { x = 0, y = 1 } } end,
      "reachable_from.y must be a whole number in 1 .. 3, got nil", function() ask { reachable_from = { x = 1 } } end,
      "reachable_from.y must be a whole number in 1 .. 3, got nan",
        function() ask { reachable_from = { x = 1, y = NAN } } end,
      "reachable_from must be a cell, a list of cells or a field, got 'x'", function() ask { reachable_from = "x" } end,
      "reachable_from must be a cell, a list of cells or a field, got a wend.Grid",
        function() ask { reachable_from = grid } end,
      "can_reach must be a field of this grid made without `outward`, got another one",
        function() ask { can_reach = grid:field(1, 1, { outward = true }) } end,
      "reachable_from must be a field of this grid made with `outward`, got another one",
        function() ask { reachable_from = grid:field(1, 1) } end,
      "can_reach must be a field of this grid made without `outward`, got another one",
        function() ask { can_reach = g:field(1) } end,
      "can_reach must be a field of this grid made without `outward`, got another one",
        function() ask { can_reach = wend.grid(7, 3):field(1, 1) } end,
      "at_least is the promise of the option 'cost', which is not given", function() ask { at_least = 1 } end,
      "tag 'water': ouch", function() ask { costs = wend.costs { water = function() error("ouch", 0) end } } end,
    }

    it("runs scripts while it reads a cell: they may edit the grid", function()
      local cell = setmetatable({}, { __index = function()
        grid:fill(false):set(1, 1, 1)
        return 1
      end })
      assert.same({ 1, 1 }, { unpack({ ask { reachable_from = cell } }, 1, 2) })
    end)

    it("lets callbacks ask the same grid", function()
      local inner
      local costs = wend.costs { water = function() inner = { ask() } return 1 end }
      local outer = { ask { costs = costs } }
      assert.same(outer, inner)
    end)

    it("keeps callbacks from changing the fields that it reads", function()
      local field = grid:field(1, 1, { outward = true })
      local costs = wend.costs { water = function() field:scale(2) end }
      local ok, message = pcall(ask, { costs = costs, reachable_from = field })
      assert.equal(false, ok)
      assert.truthy(message:find("the field is in use: change it when the call that reads it is over", 1, true))
      assert.equal(field, field:scale(2))
    end)
  end)
end

describe("grid:nearest", function()
  before_each(fixture)

  local COORDINATE = "must be a finite number (up to 1e150)"
  all {
    "position must be a position: { x, y }, or something with fields x and y, got 'here'",
      function() grid:nearest("here") end,
    "position.y " .. COORDINATE .. ", got nil", function() grid:nearest { x = 1 } end,
    "position[2] " .. COORDINATE .. ", got nil", function() grid:nearest { 1 } end,
  }
end)

describe("map:random", function()
  before_each(fixture)

  for _, map in ipairs { "graph", "grid" } do
    local function ask(...)
      if map == "graph" then return g:random(...) end
      return grid:random(...)
    end
    all {
      "seed must be a finite number, got a table", function() ask {} end,
      "unknown option 'max_distance' (expected one of: can_reach, reachable_from, costs, agent, cost, at_least, "
        .. "size, influence, closed_goal)",
        function() ask(1, { max_distance = 5 }) end,
    }
  end

  all {
    "can_reach: there is no node 9", function() g:random(1, { can_reach = 9 }) end,
    "can_reach must be a list of nodes, got the key 'gate'",
      function() g:random(1, { can_reach = { gate = true } }) end,
    "reachable_from must be a field of this graph made with `outward`, got another one",
      function() g:random(1, { reachable_from = g:field(1) }) end,
  }
end)
