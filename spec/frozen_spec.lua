-- SPDX-License-Identifier: MIT
-- What runs in slices reads the map as it was when it began: searches, fields, routes, requests of queues and batches.
-- random/frozen_spec.lua has random maps; search_spec.lua, slices_spec.lua and queue_spec.lua have what does not depend
-- on edits.
local core = require "wend.core"
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local row, show = reference.row, reference.show
local function pack(...) return { n = select("#", ...), ... } end

-- A grid whose weights change from cell to cell: without jump points and long straight walks, which would be too fast.
local function hills(width, height)
  return wend.grid(width, height):map(function(x, y) return 1 + (x * 7 + y * 13) % 5 / 4 end)
end

-- Steps until it is over, with an edit before each step but the first. Returns the last state.
local function finish(search, n, edit)
  local state = search:step(n)
  while state == "running" do
    if edit then edit() end
    state = search:step(n)
  end
  return state
end

local function run(q, n, edit)
  local steps = 0
  while q:pending() > 0 do
    q:step(n)
    steps = steps + 1
    assert.is_true(steps < 10000, "it does not end")
    if edit then edit(steps) end
  end
  return steps
end

-- The starts of slices by core.start.
local function start(...) return (core.start(...)) end

describe("a search in slices", function()
  it("finds the path of the map as it was when it began, whatever is edited", function()
    local grid = hills(30, 12)
    local before = grid:path(1, 6, 30, 6)
    local search, x = grid:search(1, 6, 30, 6), 2
    assert.equal("found", finish(search, 7, function()
      grid:fill(x, 1, x, 12, false)
      x = x % 29 + 1
    end))
    local path = search:result()
    assert.equal(grid_reference.show(before), grid_reference.show(path))
    assert.is_true(before.cost == path.cost)
    assert.is_false(path:valid())
    assert.equal("no_path", select(3, grid:path(1, 6, 30, 6)))
  end)

  it("gives a path that is valid if no edit has touched it", function()
    local grid = hills(30, 12)
    local search = grid:search(1, 6, 30, 6)
    finish(search, 7, function() grid:set(1, 1, 3):set(1, 1, 1) end)
    assert.is_true(search:result():valid())
    grid:fill(15, 1, 15, 12, false)
    assert.is_false(search:result():valid())
  end)

  it("says no_path of the map as it was", function()
    local g = row(50):close(30)
    local search = g:search(1, 50)
    search:step(3)
    g:open(30)
    assert.equal("failed", finish(search, 3))
    helper.fails("no path from 1 to 50", "no_path", search.result, search)
  end)

  it("goes on whatever is edited of a graph", function()
    local edits = {
      function(g) g:close(40) end,
      function(g) g:set_weight(1, 100) end,
      function(g) g:add_edge(1, g:add_node(60, 0), { tag = "a tag that is new" }) end,
      function(g) g:move(30, 1, 1) end,
      function(g) for _ = 1, 300 do g:remove_edge(g:add_edge(3, 40)) end end, -- packs it
      function(g) for i = 1, 5000 do g:add_node(i, 0) end end,
      function(g) g:remove_edge(48) end,
      function(g) g:set_tag(9, "mud"):set_node_tag(9, "mud"):set_width(9, 0.1) end,
    }
    local costs = wend.costs { mud = 9 }
    for _, edit in ipairs(edits) do
      local g = row(50)
      local before = show(g:path(1, 50, { costs = costs }))
      local search = g:search(1, 50, { costs = costs })
      search:step(5)
      edit(g)
      finish(search, 5)
      assert.equal(before, show(search:result()))
    end
  end)

  it("goes on whatever is edited of a grid", function()
    local edits = {
      function(grid) grid:fill(1, 1, 40, 12, false) end,
      function(grid) grid:wall(20, 1, 21, 1):wall(20, 6, 21, 6) end,
      function(grid) grid:link(1, 6, 39, 6, { weight = 0.1, tag = "a tag that is new" }) end,
      function(grid) grid:map(function(x, y) return 1 + x * 40 + y / 7 end) end,
    }
    for _, edit in ipairs(edits) do
      for _, grid in ipairs { hills(40, 12), wend.grid(40, 12):fill(20, 2, 20, 11, false) } do
        local before = grid_reference.show(grid:path(1, 6, 40, 6))
        local search = grid:search(1, 6, 40, 6)
        if search:step(1) == "running" then
          edit(grid)
          finish(search, 3)
        end
        assert.equal(before, grid_reference.show(search:result()))
      end
    end
  end)

  it("goes on while a grid gives up its palette, and while it gets one again #slow", function()
    local function weight(x, y) return y <= 250 and 1 + (x * 7919 + y * 260) % 67 + (y * 260 + x) / 65536 or 1 end
    local full = wend.grid(260, 260):map(weight)
    local function give_up(grid)
      for x = 1, 260 do
        for y = 251, 253 do grid:set(x, y, 200 + x + y * 260) end
      end
    end
    local function get_again(grid)
      grid:map(function(x, y) return 1 + (x * 7 + y * 13) % 50 / 50 end)
    end
    local function form(grid) return grid:encode():find("VALU", 1, true) and "own" or "palette" end
    for _, options in ipairs { {}, { size = 2 }, { costs = wend.costs { mud = 2 } } } do
      local grid = full:copy()
      for _, step in ipairs { { give_up, "own" }, { get_again, "palette" } } do
        local edit, to = step[1], step[2]
        local path, field = grid:path(100, 200, 150, 256, options), grid:field(100, 200, options)
        local search = grid:search(100, 200, 150, 256, options)
        local flood = core.start("field", grid, 100, 200, options)
        assert.equal("running", search:step(20))
        assert.equal("running", flood:step(20))
        edit(grid)
        assert.equal(to, form(grid))
        local copy = grid:copy()
        assert.equal(to, form(copy))
        reference.near(copy:path(100, 200, 150, 256, options).cost, grid:path(100, 200, 150, 256, options).cost)
        finish(search, 1000)
        finish(flood, 1000)
        assert.equal(grid_reference.show(path), grid_reference.show(search:result()))
        assert.equal(field:cost(150, 256), flood:result():cost(150, 256))
        assert.equal(wend.decode(grid:encode()):path(1, 1, 9, 9, options).cost, grid:path(1, 1, 9, 9, options).cost)
      end
    end
  end)

  it("of an overlay reads the overlay and its base as they were", function()
    for which = 1, 2 do
      local grid = hills(40, 12)
      local overlay = grid:overlay()
      local map = which == 1 and grid or overlay
      local before = overlay:path(1, 6, 40, 6)
      local search, x = overlay:search(1, 6, 40, 6), 1
      finish(search, 7, function()
        x = x % 39 + 1
        map:close(x, 1, x, 12)
      end)
      local path = search:result()
      assert.equal(grid_reference.show(before), grid_reference.show(path))
      assert.is_false(path:valid())
      assert.equal(overlay, path.map)
    end
  end)

  it("reads an overlay that is reset and edited again", function()
    local grid = hills(40, 12)
    local overlay = grid:overlay():close(20, 2, 20, 12)
    local before = overlay:path(1, 6, 40, 6)
    local search = overlay:search(1, 6, 40, 6)
    finish(search, 7, function() overlay:reset():close(30, 1, 30, 11) end)
    assert.is_true(before.cost == search:result().cost)
  end)

  it("begins with the call of map:search, and those of queues with their first slice", function()
    local g = row(5)
    local search, later = g:search(1, 5), start("path", g, 1, 5)
    g:set_weight(1, 7)
    finish(search, 9)
    finish(later, 9)
    assert.same({ 4, 10 }, { search:result().cost, later:result().cost })
  end)

  it("begins anew on the map as it is then, after an error in a slice", function()
    local g, broken = row(20), true
    local search = g:search(1, 20, { cost = function(_, cost, _, from)
      if broken and from == 9 then error("bridge out", 0) end
      return cost
    end })
    search:step(3)
    g:set_weight(1, 7)
    helper.raises("option 'cost': bridge out", search.step, search, 100)
    broken = false
    finish(search, 3)
    assert.same({ 25, true }, { search:result().cost, search:result():valid() })
  end)

  it("begins anew also where on_error edits the map", function()
    local g, costs = row(20), wend.costs()
    costs:edge_rule("flood", function() error("no", 0) end)
    function costs.on_error() g:set_weight(1, 7) end
    local search = g:search(1, 20, { costs = costs })
    finish(search, 3)
    assert.same({ 25, true }, { search:result().cost, search:result():valid() })
  end)

  it("ends stale if an edit has removed a node of its path meanwhile, and only then", function()
    local g = row(50)
    g:add_edge(20, g:add_node(20, 5))
    local search = g:search(1, 50)
    search:step(3)
    g:remove_node(51)
    finish(search, 3)
    assert.equal(49, search:result().cost)
    search = g:search(1, 50, { into = { 1, 2, 3 } })
    search:step(3)
    g:remove_node(20)
    assert.equal("failed", finish(search, 3))
    helper.fails("a node of the path was removed since the search began", "stale", search.result, search)
  end)

  it("ends stale if an end was removed", function()
    for node, message in pairs { [1] = "the start was removed", [50] = "the goal was removed" } do
      for later = 0, 1 do
        local g, into = row(50), {}
        local search = later == 1 and start("path", g, 1, 50, { into = into }) or g:search(1, 50, { into = into })
        if later == 0 then search:step(3) end
        g:remove_node(node)
        assert.equal("failed", finish(search, 7))
        helper.fails(message .. " since the search began", "stale", search.result, search)
        assert.same({}, into)
      end
    end
    for _, kind in ipairs { "path", "field" } do
      local g = row(50)
      local search = kind == "path" and start(kind, g, 1, { 2, 3 }) or start(kind, g, { 2, 3 })
      g:remove_node(3)
      assert.equal("failed", finish(search, 100))
      helper.fails("the graph or the costs have changed since the search began", "stale", search.result, search)
    end
  end)

  it("gives a partial path of the map as it was, and is stale if a node of that is gone", function()
    for gone = 0, 1 do
      local g = row(50):close(30)
      local search = g:search(1, 50, { partial = true })
      search:step(3)
      g:open(30)
      if gone == 1 then g:remove_node(29) end
      finish(search, 3)
      if gone == 0 then assert.same({ true, 28 }, { search:result().partial, search:result().cost })
      else assert.equal("stale", select(3, search:result())) end
    end
  end)

  it("with a closed goal gives a path that is valid while only the goal opens and closes", function()
    local grid = hills(40, 12):close(40, 6)
    local search = grid:search(1, 6, 40, 6, { closed_goal = true })
    search:step(7)
    grid:open(40, 6)
    finish(search, 7)
    local path = search:result()
    assert.is_true(path:valid())
    grid:close(40, 6)
    assert.is_true(path:valid())
    grid:set(40, 6, 9)
    assert.is_false(path:valid())
  end)

  it("reads the profile as it was when it began", function()
    local costs = wend.costs { road = 2 }
    local g = row(50):set_tag(40, "road")
    local search = g:search(1, 50, { costs = costs })
    search:step(3)
    costs:set("road", 5):edge_rule("rain", function(_, cost) return cost + 1 end)
    finish(search, 3)
    assert.same({ 50, false }, { search:result().cost, search:result():valid() })
    local later = start("path", g, 1, 50, { costs = costs })
    costs:remove("rain")
    finish(later, 3)
    assert.same({ 53, true }, { later:result().cost, later:result():valid() })
  end)

  it("reads functions and layers as they are now", function()
    local g, factor = row(60), 1
    local costs = wend.costs():edge_rule("rain", function(_, cost) return cost * factor end)
    local search = g:search(1, 60, { costs = costs })
    search:step(30)
    factor = 2
    finish(search, 3)
    local cost = search:result().cost
    assert.is_true(cost > 60 and cost < 2 * 59, cost)

    local grid = hills(40, 3)
    local layer = wend.influence(grid)
    layer:add(1, 1, 0.001)
    search = grid:search(1, 2, 40, 2, { influence = { layer, 1 } })
    local plain = grid:path(1, 2, 40, 2).cost
    search:step(20)
    layer:add(35, 2, 5)
    layer:add(35, 1, 5)
    layer:add(35, 3, 5)
    finish(search, 5)
    assert.near(plain + 5, search:result().cost, 0.5)
  end)

  it("reads names as they are now", function()
    local g = row(50):close(30)
    local search = g:search(1, 50)
    search:step(3)
    g:set_name(50, "keep")
    finish(search, 3)
    helper.fails("no path from 1 to 'keep' (50)", "no_path", search.result, search)
  end)

  it("keeps the tables of a map that is prepared again or not any more", function()
    local grid = hills(60, 60)
    for y = 2, 58, 4 do grid:fill(1, y, 59, y, false):fill(2, y + 2, 60, y + 2, false) end
    local before = grid:path(1, 1, 1, 60).cost
    grid:prepare()
    for i = 1, 3 do
      local search = grid:search(1, 1, 1, 60)
      search:step(50)
      if i == 1 then grid:prepare() elseif i == 2 then grid:unprepare() end
      grid:close(30, 1)
      finish(search, 50)
      assert.near(before, search:result().cost, 1e-9)
      grid:open(30, 1)
    end
  end)

  it("does not depend on the searches and edits of others", function()
    local grid = hills(60, 60):fill(20, 1, 20, 50, false)
    local before = grid_reference.show(grid:path(1, 1, 60, 1))
    local searches = {}
    for i = 1, 20 do
      searches[i] = grid:search(1, 1, 60, 1)
      searches[i]:step(10 * i)
      grid:set(1 + i, 60, 7)
      grid:can_reach(60, 60, 1, 1)
    end
    for _, search in ipairs(searches) do
      finish(search, 100, function() grid:open(20, 60) end)
      assert.equal(before, grid_reference.show(search:result()))
    end
  end)
end)

describe("a field and a route in slices", function()
  it("are those of the map as it was when they began", function()
    local grid, g = hills(30, 20), wend.graph()
    for i = 1, 60 do g:add_node(i, i % 3) end
    for i = 1, 59 do g:add_edge(i, i + 1) end
    local field, route, row_field = grid:field(3, 3), grid:route({ 1, 1 }, { 28, 17 }), g:field(5)
    local graph_route = g:route({ 1, 1 }, { 60, 1 })
    local searches = { start("field", grid, 3, 3), start("route", grid, { 1, 1 }, { 28, 17 }), start("field", g, 5),
      start("route", g, { 1, 1 }, { 60, 1 }) }
    local turns = 0
    for _, search in ipairs(searches) do search:step(1) end
    for _, search in ipairs(searches) do
      finish(search, 9, function()
        turns = turns + 1
        grid:close(1 + turns % 30, 1 + turns % 20)
        g:set_weight(1 + turns % 59, 100)
        g:move(1 + turns % 60, turns % 60, 7)
      end)
    end
    assert.is_true(turns > 20)
    local found = searches[1]:result()
    assert.is_false(found:valid())
    for x, y, cost in field:each() do assert.is_true(cost == found:cost(x, y)) end
    assert.same(route, (searches[2]:result()))
    found = searches[3]:result()
    for node, cost in row_field:each() do assert.is_true(cost == found:cost(node)) end
    assert.same(graph_route, (searches[4]:result()))
  end)

  it("end stale if a node of the route was removed meanwhile; a field does not", function()
    local g = row(60)
    for i = 1, 60 do g:move(i, i, 0) end
    local route, field = start("route", g, 1, 60), start("field", g, 60)
    route:step(3)
    field:step(3)
    g:remove_node(30)
    finish(route, 3)
    finish(field, 3)
    helper.fails("a node of the path was removed since the search began", "stale", route.result, route)
    field = field:result()
    assert.same({ 59, 29 }, { field:cost(1), field:cost(31) })
    assert.equal(29, field:path(31).cost)
    helper.fails("a node of the path was removed since the search began", "stale", field.path, field, 1)
  end)
end)

describe("a map whose versions are read", function()
  it("counts the memory of what edits have copied, which is used again", function()
    local grid = hills(200, 200)
    local before = grid:bytes()
    local searches = {}
    for i = 1, 2 do
      searches[i] = grid:search(1, 1, 200, 200)
      searches[i]:step(10)
      grid:set(1, 1, i + 1)
    end
    local with = grid:bytes()
    assert.is_true(with > before + 200 * 200, with - before)
    for _ = 1, 20 do
      for i = 1, 2 do
        finish(searches[i], 1e6)
        searches[i] = grid:search(1, 1, 200, 200)
        searches[i]:step(10)
        grid:set(1, 1, i + 1)
      end
      assert.is_true(grid:bytes() <= with * 1.02, grid:bytes() - with)
    end
  end)

  it("may be freed: the searches end with an error, and nothing leaks", function()
    for _, edit in ipairs { true, false } do
      local grid = hills(40, 40)
      local search, later = grid:search(1, 1, 40, 40), start("field", grid, 1, 1)
      search:step(9)
      later:step(9)
      if edit then grid:close(3, 3) end
      debug.getmetatable(grid).__gc(grid)
      helper.raises("the grid is gone", search.step, search, 9)
      helper.raises("the grid is gone", later.step, later, 9)
      core.close(search)
      core.close(later)
      collectgarbage()
    end
  end)
end)

describe("core.reads, core.follow and core.again", function()
  it("tell which version a search reads, and let it begin on that of another one, or anew", function()
    local g = row(50)
    local first, second, other = start("path", g, 1, 50), start("path", g, 1, 50), start("path", row(9), 1, 9)
    local before = core.reads(g)
    assert.same({ n = 1, before }, pack(core.reads(first)))
    first:step(3)
    g:set_weight(1, 7)
    local now = core.reads(g)
    assert.is_true(now > before)
    assert.same({ n = 3, now, before, before }, pack(core.reads(first)))
    core.follow(other, first)                   -- of another map: nothing happens
    core.follow(second, other)                  -- it reads nothing
    core.follow(second, first)
    second:step(3)
    core.follow(second, first)                  -- it has begun
    assert.same({ n = 3, now, before, before }, pack(core.reads(second)))
    finish(first, 9)
    finish(second, 9)
    finish(other, 9)
    assert.same({ 49, 49, 8 }, { first:result().cost, second:result().cost, other:result().cost })
    assert.same({ n = 3, now, nil, before }, pack(core.reads(second)))
    core.again(second)
    assert.equal("wend.Search (running)", tostring(second))
    finish(second, 9)
    assert.equal(55, second:result().cost)
    core.close(second)
    assert.is_nil(core.reads(second))
    assert.is_nil(core.reads(3))
    helper.raises("the search is gone", core.again, second)
    core.follow(first, second)
    helper.raises("other must be a search, got 3", core.follow, first, 3)
  end)
end)

-- Queues -----------------------------------------------------------------------------------------------------------

describe("a request of a queue", function()
  it("reads the map as it is when its search begins", function()
    local g, q = row(50), wend.queue()
    local first, second = q:path(g, 1, 50), q:path(g, 1, 50)
    g:set_weight(1, 2)
    q:step(5)
    g:set_weight(2, 3)
    run(q, 5000)
    assert.same({ 50, 50, false }, { first.result.cost, second.result.cost - 2, first.result:valid() })
  end)

  it("gives the same results whatever the size of the steps, if the edits come after the same expansions", function()
    local results = {}
    for i, size in ipairs { 1, 5, 40, 120 } do
      local grid, q, list, done = hills(40, 40), wend.queue(), {}, 0
      for k = 1, 6 do
        q:path(grid, 1, k, 40, 41 - k, { on_done = function(path, _, code)
          list[#list + 1] = k .. " " .. (path and ("%.17g"):format(path.cost) or code)
        end })
      end
      local edits = 0
      while q:pending() > 0 do
        done = done + q:step(size)
        if done % 120 == 0 then
          edits = edits + 1
          grid:close(1 + edits % 40, 1 + edits * 7 % 40)
        end
      end
      results[i] = table.concat(list, "\n")
      assert.equal(results[1], results[i])
    end
  end)

  it("reads at most two versions of a map, of which it tells the memory", function()
    local grid = hills(150, 150)
    local q, most, edits = wend.queue(), 0, 0
    for i = 1, 40 do q:path(grid, 1, i, 150, 150, { priority = i % 5 }) end
    local function bytes_of_versions(count)
      local other, searches = hills(150, 150), {}
      for i = 1, count do
        searches[i] = other:search(1, 1, 150, 150)
        searches[i]:step(5)
        other:set(1, 1, i + 1)
      end
      return other:bytes()
    end
    run(q, 400, function()
      edits = edits + 1
      grid:set(1 + edits % 150, 150, 3)
      most = math.max(most, grid:bytes())
    end)
    assert.is_true(edits > 20)
    assert.is_true(most <= bytes_of_versions(2) * 1.02)
    assert.is_true(bytes_of_versions(3) > bytes_of_versions(2) * 1.1)
  end)

  --- A queue with two long requests of two versions of a map, which is edited `more` times after that.
  local function busy(more)
    local grid, q = hills(150, 150):fill(1, 60, 150, 60, false), wend.queue()
    local long = { q:path(grid, 1, 1, 150, 50, { algorithm = "dijkstra" }) }
    q:step(10)
    grid:set(150, 1, 2)
    long[2] = q:path(grid, 1, 50, 150, 1, { algorithm = "dijkstra", priority = 1 })
    q:step(10)
    for i = 1, more do grid:set(149, 1, 1 + i % 2) end
    return grid, q, long
  end

  it("begins on the newest of two versions that are read, if that is at most 1000 edits old", function()
    for more, early in pairs { [1000] = true, [1001] = false } do
      local grid, q, long = busy(more)
      local short = q:path(grid, 1, 150, 3, 150, { priority = 2 })
      q:step(10)
      assert.equal(early and "done" or "running", short.state)
      assert.same({ "running", "running" }, { long[1].state, long[2].state })
      run(q, 1e5)
      assert.same({ "done", "done", "done" }, { short.state, long[1].state, long[2].state })
    end
  end)

  it("that cannot begin gives its turns to the request with the oldest version", function()
    local grid, q, long = busy(2000)
    local short = q:path(grid, 1, 150, 3, 150, { priority = 2 })
    local field = q:field(grid, 1, 150, { priority = 2, max_cost = 3 })
    local steps = 0
    q:step(1)
    while long[1].state ~= "done" do
      assert.same({ "running", "running", "running" }, { long[2].state, short.state, field.state })
      q:step(100)
      steps = steps + 1
    end
    assert.is_true(steps > 20, steps)
    q:step(20)
    assert.same({ "done", "done", "running" }, { short.state, field.state, long[2].state })
  end)

  it("is asked once more, if an older version than that of the request has no path", function()
    local grid, q = busy(5)
    grid:close(1, 140, 150, 140)
    grid:open(70, 140) -- after both versions began
    local request = q:path(grid, 1, 150, 3, 130, { priority = 2 })
    q:step(10)
    grid:close(2, 150)
    run(q, 500)
    assert.equal("done", request.state)
    assert.is_true(request.result:valid())
  end)

  it("is asked once more, if an edit has touched the path that an older version has", function()
    local grid, q = busy(5)
    grid:close(2, 149, 2, 150)
    local request = q:path(grid, 1, 150, 3, 150, { priority = 2 })
    run(q, 500)
    assert.same({ true, "done" }, { request.result:valid(), request.state })
    assert.is_true(request.result.cost > 2.9)
  end)

  it("fails stale if an edit removes a node of its path, and with an error if the map is freed", function()
    local g, q = row(50), wend.queue()
    local request, route = q:path(g, 1, 50), q:can_reach(g, 1, 50, { cost = function(_, cost) return cost end })
    q:step(5)
    g:remove_node(20)
    run(q, 5)
    assert.same({ "failed", "stale", false }, { request.state, request.code, route.result })
    local freed = q:path(row(50), 1, 50)
    local map = freed.map
    q:step(5)
    map:close(30)
    debug.getmetatable(map).__gc(map)
    run(q, 5)
    assert.same({ "failed", "error", "the graph is gone" }, { freed.state, freed.code, freed.message })
  end)

  it("of a batch reads the map as it is when each of its searches begins", function()
    local g, q, trips = row(60), wend.queue(), {}
    for i = 1, 30 do trips[2 * i - 1], trips[2 * i] = i, 60 end
    local stats, edits = {}, 0
    local request = q:paths(g, trips, { stats = stats })
    run(q, 20, function()
      edits = edits + 1
      g:set_weight(59, 1 + edits)
    end)
    assert.is_true(edits > 3 and stats.fields == 1)
    local last = 0
    for i, path in ipairs(request.result) do
      local weight = path.cost - (59 - i)
      assert.is_true(weight >= last and weight <= 1 + edits)
      last = weight
    end
  end)

  it("of a batch fails stale if an edit removes a node of a trip, or of a path", function()
    for _, gone in ipairs { 3, 40 } do
      local g, q, trips = row(60), wend.queue(), {}
      for i = 1, 30 do trips[2 * i - 1], trips[2 * i] = i, 60 end
      local request = q:paths(g, trips)
      q:step(20)
      g:remove_node(gone)
      run(q, 20)
      assert.same({ "failed", "stale" }, { request.state, request.code })
    end
  end)
end)

describe("the option share on a map that is edited", function()
  it("gives requests that were there when the field began its paths, and later ones those of the next", function()
    local grid, q, costs = hills(40, 40), wend.queue(), {}
    local function ask(count)
      for _ = 1, count do
        local i = #costs + 1
        costs[i] = false
        q:path(grid, 1, 1, 40, 40, { share = true, on_done = function(path) costs[i] = path.cost end })
      end
    end
    local before = grid:path(1, 1, 40, 40).cost
    ask(3)
    q:step(100)
    grid:fill(20, 1, 20, 39, false)
    local after = grid:path(1, 1, 40, 40).cost
    ask(3)
    run(q, 100)
    for i = 1, 6 do assert.near(i <= 3 and before or after, costs[i], 1e-9) end
    assert.equal(6, q.stats.shared)
  end)

  it("ends though the map is edited after each step", function()
    local grid, q, done = hills(40, 40), wend.queue(), 0
    local edits = 0
    for i = 1, 30 do
      q:path(grid, 1, i, 40, 40, { share = true, on_done = function(path)
        assert(path)
        done = done + 1
      end })
      q:step(50)
      edits = edits + 1
      grid:set(1 + edits % 38, 39, 1 + edits % 2)
    end
    run(q, 50, function() grid:set(3, 39, 1) grid:set(3, 39, 2) end)
    assert.equal(30, done)
  end)

  it("fails the requests whose start or way was removed", function()
    local g, q, codes = row(40), wend.queue(), {}
    for i = 1, 30 do
      q:path(g, i, 40, { share = true, on_done = function(path, message) codes[i] = message or path.cost end })
    end
    q:step(10)
    g:remove_node(5)
    run(q, 10)
    assert.equal("a node of the path was removed since the search began", codes[1])
    assert.equal("the start was removed since the search began", codes[5])
    assert.same({ 34, 10 }, { codes[6], codes[30] })
  end)
end)

-- Watches and crowds -----------------------------------------------------------------------------------------------

describe("a path from slices", function()
  it("is told by a watch if an edit has touched it since its search began", function()
    local grid = hills(40, 12):fill(1, 6, 40, 6, false)
    local search, other = grid:search(1, 9, 40, 9), grid:search(1, 3, 40, 3)
    search:step(7)
    other:step(7)
    grid:fill(20, 7, 20, 12, 9)
    finish(search, 7)
    finish(other, 7)
    local touched, far = search:result(), other:result()
    assert.same({ false, true }, { touched:valid(), far:valid() })
    local watch = wend.watch(grid):add(touched):add(far)
    assert.same({ touched }, watch:affected())
    assert.same({}, watch:affected())
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

describe("what is gone", function()
  local grid, q = wend.grid(9, 9), wend.queue()
  local search, request = grid:search(1, 1, 9, 9), q:path(grid, 1, 1, 9, 9)
  local function gone(what) return "searches read the map as it was when they began; " .. what .. " is gone" end

  helper.all_raise(it, {
    gone "the option restart", function() grid:search(1, 1, 9, 9, { restart = true }) end,
    gone "the option restart", function() grid:search(1, 1, 9, 9, { restart = false }) end,
    gone "the option restart", function() row(3):search(1, 3, { restart = 1 }) end,
    gone "the option restart", function() q:path(grid, 1, 1, 9, 9, { restart = true }) end,
    gone "the option restart", function() q:field(grid, 1, 1, { restart = true }) end,
    gone "the option restart", function() q:route(grid, { 1, 1 }, { 9, 9 }, { restart = true }) end,
    gone "the option restart", function() q:can_reach(grid, 1, 1, 9, 9, { restart = true }) end,
    gone "search:restarts", function() search:restarts() end,
    gone "search:stale", function() search:stale() end,
    gone "request:stale", function() request:stale() end,
    gone "q.stats.restarts", function() return q.stats.restarts + 1 end,
    "unknown option 'restart' (expected one of: costs, agent, cost, at_least, size, influence, algorithm, heuristic, "
      .. "max_expanded, max_cost, partial, variation, seed, corners, stats, closed_goal, priority, owner, on_done)",
    function() q:paths(grid, {}, { restart = true }) end,
  })

  it("is nil where it was a field of paths", function()
    finish(search, 9)
    assert.is_nil(search:result().stale)
  end)
end)
