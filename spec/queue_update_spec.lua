-- SPDX-License-Identifier: MIT
-- q:update: what field:update does, in slices. Random ones: random/field_update_spec.lua.
local wend = require "wend"

local function equal(field, new) assert.is_true(field:encode() == new:encode()) end

-- A queue, and a list of what its requests have told.
local function listen()
  local told = {}
  return wend.queue(), told, function(...) told[#told + 1] = { ... } end
end

-- A grid of 100 x 100 cells and a field of it that no repair knows: it is always made again.
local function hall(opts)
  local grid = wend.grid(100, 100)
  opts = opts or { max_cost = 90 }
  return grid, grid:field(50, 50, opts), opts
end

local function free(object) debug.getmetatable(object).__gc(object) end

describe("q:update", function()
  it("mends a field in one step, and tells what field:update returns", function()
    local grid, twin = wend.grid(60, 60), wend.grid(60, 60)
    local field, direct = grid:field(40, 25), twin:field(40, 25)
    local q, told, tell = listen()
    for _, map in ipairs { grid, twin } do map:close(30, 25) end
    local request = q:update(field, { on_done = tell })
    local changed, rebuilt = direct:update()
    assert.equal("waiting", request.state)
    assert.is_false(field:valid())
    q:step(1000)
    assert.same({ changed, rebuilt }, { request.result, request.rebuilt })
    assert.same({ { changed, false, nil, request } }, told)
    assert.equal("done", request.state)
    assert.is_nil(request.message)
    assert.is_true(changed > 5 and field:valid())
    equal(field, direct)
    assert.equal("wend.Request (update, done)", tostring(request))
  end)

  it("counts at most as many expansions as it was given", function()
    local grid, q = wend.grid(60, 60), wend.queue()
    local field = grid:field(40, 25)
    for n = 7, 8 do
      grid:set(30, 25, n == 8 and 1)
      q:update(field)
      assert.equal(n, (q:step(n)))
      assert.is_true(field:valid())
    end
    q:update(field)                                       -- there is nothing to do
    assert.same({ 1, 0 }, { q:step(100) })
  end)

  it("makes a field again in slices, and the field answers as before until the end", function()
    local grid, field, opts = hall()
    local before = field:encode()
    local q, told, tell = listen()
    grid:fill(40, 10, 40, 90, false)
    q:update(field, { on_done = tell })
    local steps, cost = 0, field:cost(30, 50)
    while q:pending() > 0 do
      assert.equal(cost, field:cost(30, 50))
      assert.is_false(field:valid())
      assert.equal(cost, field:path(30, 50).cost)
      q:step(500)
      steps = steps + 1
    end
    assert.is_true(steps > 10, steps)
    assert.same({ true, nil }, { told[1][2], told[1][3] })
    assert.is_true(field:valid() and field:encode() ~= before)
    equal(field, grid:field(50, 50, opts))
    local count = 0
    for y = 1, 100 do
      for x = 1, 100 do count = count + (field:cost(x, y) and 1 or 0) end
    end
    assert.equal(count, told[1][1])
  end)

  it("keeps all options of the field", function()
    local grid = wend.grid(40, 40)
    local layer = wend.influence(grid)
    layer:set(9, 9, 1)
    local costs = wend.costs { mud = 4 }
    for _, opts in ipairs {
      { values = { 5 } }, { window = 6 }, { max_cost = 9 }, { per_turn = 4 }, { within = 2 }, { beside = true },
      { size = 2 }, { cost = function(_, cost) return cost + 1 end }, { influence = { layer, 1 } },
      { variation = 0.5, seed = 3 },
      { outward = true, costs = costs, closed_goal = true }, { outward = true, pass_only = { "mud" } },
    } do
      local field, q = grid:field(10, 10, opts), wend.queue()
      grid:set(14, 12, 3, "mud")
      q:update(field)
      while q:pending() > 0 do q:step(100) end
      local new = grid:field(10, 10, opts)
      for y = 1, 40 do
        for x = 1, 40 do assert.equal(new:cost(x, y), field:cost(x, y)) end
      end
      assert.is_true(field:valid())
      grid:set(14, 12, 1)
    end
  end)

  it("reads the map as it is when the request begins", function()
    local grid, field, opts = hall()
    local q = wend.queue()
    grid:close(45, 50)
    q:update(field)
    grid:fill(40, 1, 40, 99, false)                       -- it waits: this counts
    q:step(100)
    local new = grid:field(50, 50, opts)
    grid:open(40, 50)                                     -- it runs: this does not
    q:step(math.huge)
    assert.is_false(field:valid())
    assert.equal(new:cost(30, 50), field:cost(30, 50))
    q:update(field)
    q:step(math.huge)
    equal(field, grid:field(50, 50, opts))
    assert.is_true(field:valid())
  end)

  it("mends what was edited while the field was made again", function()
    local grid = wend.grid(100, 100)
    local field, q = grid:field(50, 50), wend.queue()
    for i = 1, 9999 do grid:set(1, 1, i % 3 + 1) end      -- more than the map remembers
    local again = q:update(field)
    q:step(100)
    grid:close(45, 50)
    q:step(math.huge)
    assert.is_true(again.rebuilt)
    local mended = q:update(field)
    q:step(math.huge)
    assert.is_false(mended.rebuilt)
    equal(field, grid:field(50, 50))
  end)

  it("leaves the field as it is when it is cancelled or replaced", function()
    local grid, field = hall()
    local q, told, tell = listen()
    grid:close(45, 50)
    local cost = field:cost(40, 50)
    local request = q:update(field, { on_done = tell })
    q:step(100)
    assert.is_true(request:cancel())
    q:update(field, { owner = field, on_done = tell })
    q:step(100)
    local last = q:update(field, { owner = field })
    assert.equal(cost, field:cost(40, 50))
    q:step(math.huge)
    assert.same({ "cancelled", "cancelled" }, { told[1][3], told[2][3] })
    assert.same({ "done", true }, { last.state, last.rebuilt })
    assert.is_true(field:cost(40, 50) > cost)
    q:update(field)
    q:clear()
    assert.equal(0, q:pending())
  end)

  it("knows the edits still that a request forgot when it was cancelled", function()
    local grid = wend.grid(60, 60)
    local field, q = grid:field(1, 30), wend.queue()
    grid:fill(5, 1, 5, 60, false)
    for i = 1, 300 do grid:set(60, 60, i % 2 + 1) end     -- more than the map remembers
    local request = q:update(field)
    q:step(100)
    assert.is_true(request:cancel())
    assert.is_true((select(2, field:update())))
    equal(field, grid:field(1, 30))
  end)

  it("works on one update of a field at a time", function()
    local grid, field, opts = hall()
    local q, told, tell = listen()
    grid:close(45, 50)
    q:update(field, { on_done = tell })
    q:step(100)
    q:update(field, { priority = 5, on_done = tell })
    local used = q:step(math.huge)
    assert.is_true(used < 1.6 * 10000, used)
    assert.same({ true, false }, { told[1][2], told[2][2] })
    equal(field, grid:field(50, 50, opts))
  end)

  it("begins again if the field is updated while it runs", function()
    local grid, field, opts = hall()
    local q = wend.queue()
    grid:close(45, 50)
    local request = q:update(field)
    q:step(100)
    grid:close(45, 51)
    field:update()
    q:step(math.huge)
    assert.same({ "done", 0, false }, { request.state, request.result, request.rebuilt })
    equal(field, grid:field(50, 50, opts))
    assert.is_true(field:valid())
  end)

  it("fails with stale if the field is made anew before it ends", function()
    for _, steps in ipairs { 0, 100 } do
      local grid, field = hall()
      local q, told, tell = listen()
      grid:close(45, 50)
      q:update(field, { on_done = tell })
      if steps > 0 then q:step(steps) end
      local other = wend.grid(9, 9)
      other:field(3, 3, { into = field })
      q:step(math.huge)
      assert.same({ nil, "the field was made anew meanwhile", "stale" }, { told[1][1], told[1][2], told[1][3] })
      equal(field, other:field(3, 3))
    end
  end)

  it("raises after arithmetic, and ends with an error if it comes later", function()
    local grid, field = hall()
    local q, told, tell = listen()
    for _, steps in ipairs { 0, 100 } do
      grid:set(45, 50, 2 + steps)
      q:update(field, { on_done = tell })
      if steps > 0 then q:step(steps) end
      field:scale(2)
      q:step(math.huge)
      assert.equal("error", told[#told][3])
      assert.truthy(told[#told][2]:find("arithmetic has changed the field", 1, true))
      local ok, message = pcall(q.update, q, field)
      assert.is_false(ok)
      assert.truthy(message:find("arithmetic has changed the field", 1, true))
      grid:field(50, 50, { max_cost = 90, into = field })
    end
  end)

  it("ends with an error if the field or the map is freed", function()
    for _, what in ipairs { "field", "map" } do
      for _, steps in ipairs { 0, 100 } do
        local grid, field = hall()
        local q, told, tell = listen()
        grid:close(45, 50)
        q:update(field, { on_done = tell })
        if steps > 0 then q:step(steps) end
        free(what == "field" and field or grid)
        q:step(math.huge)
        assert.equal("error", told[1][3])
        local gone = what == "field" and "the field is gone" or "the grid is gone"
        assert.truthy(told[1][2]:find(gone, 1, true), told[1][2])
        assert.equal(0, q:pending())
      end
    end
  end)

  it("keeps the field when a function raises, and functions can read it meanwhile", function()
    local grid, broken, read = wend.grid(30, 30), false, 0
    local field
    field = grid:field(1, 1, { cost = function(_, cost)
      if broken then error("broken", 0) end
      if field then read = read + field:cost(20, 20) end
      return cost
    end })
    local q, told, tell = listen()
    grid:close(5, 5)
    broken = true
    local cost = field:cost(9, 9)
    q:update(field, { on_done = tell })
    q:step(math.huge)
    assert.same({ "option 'cost': broken", "error" }, { told[1][2], told[1][3] })
    assert.equal(cost, field:cost(9, 9))
    broken = false
    q:update(field, { on_done = tell })
    q:step(math.huge)
    assert.is_true(told[2][2] and read > 0)
    assert.near(grid:field(1, 1):cost(9, 9), field:cost(9, 9), 1e-9)
  end)

  it("can be asked, and can cancel itself, in functions", function()
    local grid = wend.grid(30, 30)
    local q, request = wend.queue(), nil
    local field = grid:field(1, 1, { cost = function(_, cost)
      if request then request:cancel() end
      return cost
    end })
    grid:close(5, 5)
    request = q:update(field)
    q:step(math.huge)
    assert.equal("cancelled", request.state)
    assert.is_false(field:valid())
    request = nil
    q:update(field, { on_done = function() q:update(field) end })
    q:step(math.huge)
    assert.equal(0, q:pending())
    assert.is_true(field:valid())
  end)

  it("leaves out goals of graphs that were removed", function()
    local g = wend.graph()
    for x = 1, 50 do g:add_node(x, 0) end
    for x = 1, 49 do g:add_edge(x, x + 1) end
    local field, q = g:field { 1, 50 }, wend.queue()
    g:remove_node(50)
    local request = q:update(field)
    q:step(math.huge)
    assert.same({ 49, true }, { request.result, request.rebuilt })      -- half of the costs change
    equal(field, g:field { 1 })
    g:close_edge(g:edge_between(48, 49))
    request = q:update(field)
    q:step(math.huge)
    assert.same({ 1, false }, { request.result, request.rebuilt })
    equal(field, g:field { 1 })
  end)

  it("reads the profile as it is when it begins", function()
    local grid = wend.grid(30, 30):fill(10, 1, 10, 30, { tag = "mud" })
    local costs = wend.costs { mud = 2 }
    local field, q = grid:field(20, 20, { costs = costs }), wend.queue()
    local request = q:update(field)
    costs:set("mud", 9)
    q:step(math.huge)
    assert.is_true(request.rebuilt and field:valid())
    equal(field, grid:field(20, 20, { costs = costs }))
  end)

  it("is refused for what is no field, and for fields that were read", function()
    local grid, q = wend.grid(9, 9), wend.queue { limit = 1 }
    local field = grid:field(1, 1)
    local function message(...) return (select(2, pcall(q.update, q, ...))):gsub("^.-:%d+: ", "") end
    assert.equal("field must be a field, got a wend.Grid", message(grid))
    assert.equal("field must be a field, got nil", message())
    assert.truthy(message(field, { into = field }):find("unknown option 'into'", 1, true))
    assert.equal("share is an option of q:path: q:update cannot share a field", message(field, { share = true }))
    q:update(field)
    assert.same({ nil, "the queue is full: 1 requests wait", "full" }, { q:update(field) })
    q:step(math.huge)
    local request = q:update(wend.decode(field:encode(), { map = grid }))
    q:step(math.huge)
    assert.equal("error", request.code)
    assert.truthy(request.message:find("a field that was read from bytes does not know its goals", 1, true))
  end)
end)
