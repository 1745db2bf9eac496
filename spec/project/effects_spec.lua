-- SPDX-License-Identifier: MIT
-- What doc/rules.md says about all kinds of results and all kinds of causes: "Out-of-date results", and "What slows a
-- search".
local wend = require "wend"

local function nothing() end

-- A row of five nodes joined by swamps, and a long road from the first to the last.
local function causeway()
  local g = wend.graph()
  g:add_nodes { 0, 0, 10, 0, 20, 0, 30, 0, 40, 0 }
  g:add_edges({ 1, 2, 2, 3, 3, 4, 4, 5 }, { tag = "swamp" })
  g:add_edge(1, 5, { weight = 200, tag = "road" })
  return g
end

local function bound_of(map, ...)
  local arguments, stats = { ... }, {}
  arguments[#arguments].stats = stats
  assert(map:path((table.unpack or unpack)(arguments))) -- luacheck: ignore 143
  return stats.bound
end

-- Whether a search over a grid jumps.
local function jumps(grid, options)
  local stats = {}
  options.stats = stats
  assert(grid:path(1, 1, 60, 1, options))
  return stats.expanded < 30
end

local function field_of_grass() return wend.grid(60, 60):fill(1, 1, 60, 60, 1, "grass"):fill(30, 1, 30, 50, false) end

-- A search in slices, with an edit after two expansions. Returns its end, restarts, and the path.
local function slice(g, options, edit)
  options.algorithm = "dijkstra"
  local search = g:search(1, 5, options)
  search:step(2)
  edit()
  local state = search:step(1000)
  return { state, search:restarts() }, state == "found" and search:result()
end

-- Maps: a cheap way through swamps from `from` to `to`, and a road far from it. `base`: the map below an overlay.
local function a_graph()
  local g = causeway()
  local more = 0
  local function weigh(edge, weight)
    return function(map)
      more = more + 0.5
      map:set_weight(edge, weight + more)
    end
  end
  return {
    map = g, from = { 1 }, to = { 5 }, near = weigh(1, 10), far = weigh(5, 200),
    close = function(map) map:close_edge(1) end, open = function(map) map:open_edge(1) end,
    same = function(map) map:open_edge(1) end, name = function(map) map:set_name(2, "two") end,
    reset = function(map) map:reset_edge(1) end,
  }
end

local function a_grid()
  local grid = wend.grid(9, 5):fill(1, 1, 9, 1, 1, "swamp"):fill(1, 2, 9, 4, 9):fill(1, 5, 9, 5, 1, "road")
  local function weigh(y, tag) return function(map) map:set(5, y, map:weight(5, y) + 0.5, tag) end end
  return {
    map = grid, from = { 1, 1 }, to = { 9, 1 }, near = weigh(1, "swamp"), far = weigh(5, "road"),
    close = function(map) map:close(5, 1) end, open = function(map) map:open(5, 1) end,
    same = function(map) map:set(5, 1, 1, "swamp") end, name = function() end,
    reset = function(map) map:reset(5, 1) end,
  }
end

local function an_overlay_of(make)
  return function()
    local world = make()
    world.base, world.map = world.map, world.map:overlay()
    return world
  end
end

local MAPS = {
  graph = a_graph, grid = a_grid, ["overlay of a graph"] = an_overlay_of(a_graph),
  ["overlay of a grid"] = an_overlay_of(a_grid),
}

local point = wend.graph()
point:add_node(0, 0)

-- Causes: what each does, and what it touches: the places and tags of the path ("near"), others of the map ("far"), or
-- nothing. A cause with `base` needs a map with a base.
local CAUSES = {
  { "a new weight on the way", "near", function(w) w.near(w.map) end },
  { "a new weight elsewhere", "far", function(w) w.far(w.map) end },
  { "a closing on the way", "near", function(w) w.close(w.map) end },
  { "a closing that is undone", "near", function(w) w.close(w.map) w.open(w.map) end },
  { "an edit that changes nothing", "nothing", function(w) w.same(w.map) end },
  { "a name", "nothing", function(w) w.name(w.base or w.map) end },
  { "an edit of the base on the way", "near", function(w) w.near(w.base) end, base = true },
  { "an edit of the base elsewhere", "far", function(w) w.far(w.base) end, base = true },
  { "an edit of the base that is hidden", "nothing", function(w) w.near(w.base) end, base = true,
    before = function(w) w.near(w.map) end },
  { "an edit of an overlay", "nothing", function(w) w.near(w.above) end,
    before = function(w) w.above = w.map:overlay() end },
  { "a reset on the way", "near", function(w) w.reset(w.map) end, base = true,
    before = function(w) w.near(w.map) end },
  { "a value of a tag on the way", "near", function(w) w.costs:set("swamp", 3) end },
  { "a value of a tag elsewhere", "far", function(w) w.costs:set("road", 3) end },
  { "a value of a tag that the map lacks", "nothing", function(w) w.costs:set("lava", 3) end },
  { "a value that is undone before a use", "nothing", function(w) w.costs:set("swamp", 3):set("swamp", 2) end },
  { "a value that is undone after a use", "near", function(w)
    w.costs:set("swamp", 3)
    point:path(1, 1, { costs = w.costs })
    w.costs:set("swamp", 2)
  end },
  { "the value that is there", "nothing", function(w) w.costs:set("swamp", 2) end },
  { "a value of the base profile", "far", function(w) w.ground:set("road", 4) end },
  { "a value of the base profile that is hidden", "nothing", function(w) w.ground:set("swamp", 4) end },
  { "a rule for a tag on the way", "near", function(w) w.costs:rule("wet", "swamp", nothing) end },
  { "a rule for a tag elsewhere", "far", function(w) w.costs:rule("wet", "road", nothing) end },
  { "an edge rule for a tag elsewhere", "far",
    function(w) w.costs:edge_rule("toll", nothing, { tags = { "road" }, at_least = 1 }) end },
  { "an edge rule for everything", "near", function(w) w.costs:edge_rule("toll", nothing, { at_least = 1 }) end },
  { "a value of a mod", "near", function(w) w.mod:set("swamp", 3) end },
  { "a mod that is reloaded unchanged", "nothing",
    function(w) w.mod:reload(function(mine) mine:set("sand", 2) end) end },
  { "a mod that is removed", "nothing", function(w) w.costs:remove_mod "bog" end },
  { "a mod that is removed with a tag on the way", "near", function(w) w.costs:remove_mod "bog" end,
    before = function(w) w.mod:set("swamp", 3) end },
  { "a value that a mod hides", "nothing", function(w) w.costs:set("swamp", 5) end,
    before = function(w) w.mod:set("swamp", 3) end },
  { "an agent that changes", "nothing", function(w) w.agent.boots = true end },
}

local function options_of(w) return { costs = w.costs, agent = w.agent } end

-- Calls a function with positions, each a list of numbers, and options.
local function call(fn, first, places, options)
  local list = { first }
  for _, place in ipairs(places) do
    for _, value in ipairs(place) do list[#list + 1] = value end
  end
  list[#list + 1] = options
  return assert(fn((table.unpack or unpack)(list))) -- luacheck: ignore 143
end

local function path_of(w) return call(w.map.path, w.map, { w.from, w.to }, options_of(w)) end
local function field_of(w) return call(w.map.field, w.map, { w.to }, options_of(w)) end

-- Results: each is made, and later says whether it is out of date. `own`: it uses only its own places and tags.
local RESULTS = {
  { "path", own = true, function(w)
    local path = path_of(w)
    return function() return not path:valid() end
  end },
  { "path of a queue", own = true, function(w)
    local queue = wend.queue()
    local request = call(function(...) return queue:path(...) end, w.map, { w.from, w.to }, options_of(w))
    queue:step(1000)
    return function() return not request.result:valid() end
  end },
  { "watched path", own = true, function(w)
    local watch = wend.watch(w.map):add(path_of(w))
    return function() return #watch:affected() > 0 end
  end },
  { "field", function(w)
    local field = field_of(w)
    return function() return not field:valid() end
  end },
  { "path of a field", own = true, function(w)
    local field = field_of(w)
    local path = call(field.path, field, { w.from })
    return function() return not path:valid() end
  end },
  { "route table", graphs = true, function(w)
    local routes = w.map:routes(options_of(w))
    return function() return not routes:valid() end
  end },
  { "search in slices", function(w)
    local options = options_of(w)
    options.restart = false
    local search = call(w.map.search, w.map, { w.from, w.to }, options)
    search:step(1)
    return function() return search:step(100000) == "failed" and select(3, search:result()) == "stale" end
  end },
}

describe("the rules about results that are out of date", function()
  for name, make in pairs(MAPS) do
    for _, cause in ipairs(CAUSES) do
      local title, touches, act = cause[1], cause[2], cause[3]
      for _, result in ipairs(RESULTS) do
        local graphs_only = result.graphs and not name:find "graph"
        if not graphs_only and not (cause.base and not name:find "overlay") then
          local a = name:find "^o" and "an" or "a"
          it(("hold for a %s on %s %s, after %s"):format(result[1], a, name, title), function()
            local w = make()
            w.ground = wend.costs { swamp = 7, road = 2 }
            w.costs = wend.costs({ swamp = 2 }, { base = w.ground })
            w.mod = w.costs:mod "bog"
            w.mod:set("sand", 2)
            w.agent = {}
            if cause.before then cause.before(w) end
            local is_out = result[2](w)
            assert.is_false(is_out())
            is_out = result[2](w)
            act(w)
            assert.equal(touches == "near" or touches == "far" and not result.own, is_out())
          end)
        end
      end
    end
  end
end)

describe("what slows a search, in doc/rules.md,", function()
  it("include those on the bound of graphs", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0 }
    g:add_edges { 1, 2, 2, 3 }
    local fast = g:add_edge(1, 2, { weight = 9, tag = "fast" })
    g:set_weight(fast, 8)
    g:close_edge(fast)
    assert.equal(0.8, bound_of(g, 1, 3, {}))
    g:open_edge(fast)
    local slow = wend.costs { fast = { times = 20, plus = 5 } }
    for expected, options in pairs {
      [1] = { costs = slow },
      [0.5] = { costs = wend.costs { fast = 20 }:edge_rule("half", nothing, { at_least = 0.5 }) },
      [0] = { costs = wend.costs():edge_rule("any", nothing, { tags = { "fast" } }) },
      [0.9] = { costs = slow, cost = nothing, at_least = 0.9 },
    } do
      assert.equal(expected, bound_of(g, 1, 3, options))
    end
    assert.equal(0.8, bound_of(g:overlay():close_edge(fast), 1, 3, {}))
    assert.equal(1, bound_of(g, 1, 3, { costs = wend.costs { fast = false } }))
    assert.equal(0, bound_of(g, 1, 3, { costs = slow, cost = nothing }))
    assert.equal(1, bound_of(g:overlay():set_weight(fast, 50), 1, 3, {}))
  end)

  it("do not include those of a shortcut", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0 }
    g:add_edges { 1, 2, 2, 3 }
    local fast = g:add_edge(1, 3, { weight = 1, tag = "fast" })
    for _, options in ipairs {
      {}, { costs = wend.costs { fast = 0.5 } },
      { costs = wend.costs():edge_rule("any", nothing, { tags = { "fast" } }) },
      { costs = wend.costs { fast = false } },
    } do
      assert.equal(1, bound_of(g, 1, 3, options))
    end
    assert.equal(1, bound_of(g:overlay():close_edge(fast), 1, 3, {}))
    assert.equal(1, bound_of(g:overlay():set_weight(fast, 0), 1, 3, {}))
    assert.equal(0.5, bound_of(g, 1, 3, { cost = nothing, at_least = 0.5 }))
    assert.equal(0, bound_of(g, 1, 3, { cost = nothing }))
  end)

  it("include those on the bound of grids", function()
    local grid = wend.grid(9, 3):set(5, 3, 0.5)
    assert.equal(0.5, bound_of(grid, 1, 1, 9, 1, {}))
    assert.equal(1, bound_of(grid:overlay():close(5, 3), 1, 1, 9, 1, {}))
    grid:close(5, 3)
    assert.equal(1, bound_of(grid, 1, 1, 9, 1, {}))
    grid:fill(1, 1, 9, 3, 1, "toll")
    assert.is_true(bound_of(grid, 1, 1, 9, 1, { costs = wend.costs { toll = { plus = 1 } } }) > 1.7)
  end)

  it("include those on jump points", function()
    local grid = field_of_grass()
    local twice = wend.costs { grass = function() return 2 end }
    assert.is_true(jumps(grid, {}))
    assert.is_true(jumps(grid, { costs = twice }))
    assert.is_true(jumps(grid, { costs = wend.costs():edge_rule("far", nothing, { tags = { "lava" } }) }))
    assert.is_false(jumps(grid, { costs = wend.costs():edge_rule("all", nothing, { at_least = 1 }) }))
    assert.is_false(jumps(grid, { cost = nothing, at_least = 1 }))
    assert.is_false(jumps(grid, { costs = wend.costs { grass = { plus = 1 } } }))
    grid:set(5, 5, 1, "lava")
    assert.is_true(jumps(grid, { costs = wend.costs { lava = false } }))
    assert.is_false(jumps(grid, { costs = wend.costs { lava = 2 } }))
    local overlay = grid:overlay():close(10, 1, 10, 20)
    assert.is_true(jumps(overlay, {}))
    overlay:wall(1, 1, 1, 2)
    assert.is_false(jumps(overlay, {}))
    overlay:reset()
    assert.is_true(jumps(overlay, {}))
    grid:wall(1, 1, 1, 2)
    assert.is_false(jumps(grid, {}))
    grid:wall(1, 1, 1, 2, false)
    assert.is_true(jumps(grid, {}))
  end)

  it("include those on searches in slices", function()
    local g, costs = causeway(), wend.costs { swamp = 2 }
    local overlay = g:overlay()
    local function edit_costs() costs:set("swamp", costs:get "swamp" == 2 and 3 or 2) end
    for _, case in ipairs {
      { 1, {}, function() g:close_edge(1) end },
      { 0, {}, function() g:close_edge(4) end },
      { 0, { costs = costs }, function() costs:set("lava", 2) end },
      { 1, { costs = costs }, edit_costs },
      { 1, { on = overlay }, function() overlay:close_edge(1) end },
      { 0, { on = overlay }, function() overlay:close_edge(4) end },
      { 1, { on = overlay }, function() g:close_edge(1) end },
      { 0, { on = overlay }, function() g:close_edge(4) end },
    } do
      g:open_edge(1)
      g:open_edge(4)
      overlay:reset()
      costs:set("swamp", 2)
      local on = case[2].on or g
      case[2].on = nil
      assert.same({ "found", case[1] }, (slice(on, case[2], case[3])))
    end
    overlay:reset()
    assert.same({ "failed", 0 }, (slice(overlay, { restart = false }, function() overlay:close(4) end)))
  end)

  it("include the copy on which a search in slices ends", function()
    for _, layered in ipairs { true, false } do
      local g = wend.graph()
      for i = 0, 40 do g:add_node(i * 10, 0) end
      for i = 1, 40 do g:add_edge(i, i + 1) end
      local edited = layered and g:overlay() or g
      local search = edited:search(1, 41, { algorithm = "dijkstra" })
      for i = 1, 12 do
        search:step(3)
        edited:set_weight(1, 10 + i)
      end
      assert.equal("found", (search:step(1000)))
      assert.same({ 4, true, false }, { search:restarts(), search:result().stale, search:result():valid() })
    end
  end)
end)
