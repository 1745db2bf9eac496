-- SPDX-License-Identifier: MIT
-- map:prepare, map:prepared, map:unprepare: tables that searches use, in slices, after edits, in files.
-- random/prepared_spec.lua compares prepared maps with equal maps that are not.
local file_reference = require "spec.support.file_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local SIDE = 64

---The weight of a cell: 1 to 5, in patches.
local function weight_at(x, y) return 1 + (math.floor(x / 6) * 7 + math.floor(y / 5) * math.floor(x / 12)) % 5 end

---Hills, and walls with gaps: a straight line tells little of the way.
local function hills()
  local grid = wend.grid(SIDE, SIDE, { diagonals = "one_open" })
  grid:map(weight_at)
  for x = 12, SIDE - 8, 16 do grid:close(x, 1, x, 40):close(x + 8, 20, x + 8, SIDE) end
  return grid
end

---The same as a graph: a node for each open cell.
local function hills_graph(directed)
  local grid, g, ids = hills(), wend.graph(), {}
  for y = 1, SIDE do
    for x = 1, SIDE do
      if not grid:is_closed(x, y) then ids[y * SIDE + x] = g:add_node(x, y) end
    end
  end
  for y = 1, SIDE do
    for x = 1, SIDE do
      local from, right, down = ids[y * SIDE + x], x < SIDE and ids[y * SIDE + x + 1], ids[(y + 1) * SIDE + x]
      local weight = weight_at(x, y)
      if from and right then g:add_edge(from, right, { weight = weight, tag = x % 5 == 0 and "road" or nil }) end
      if from and down then g:add_edge(from, down, { weight = weight + 1, directed = directed and x % 7 == 0 }) end
    end
  end
  return g, ids
end

local function near(a, b) assert.is_true(math.abs(a - b) <= 1e-9 * math.abs(b), ("%.17g, not %.17g"):format(a, b)) end

-- How a path over the hills, and what a search of it says.
local function cross(grid, opts)
  opts = opts or {}
  opts.stats = {}
  return assert(grid:path(2, 2, SIDE - 1, SIDE - 1, opts)).cost, opts.stats
end

describe("map:prepare", function()
  it("reports what it has made", function()
    local report = hills():prepare()
    assert.same({ "number", 8 }, { type(report.seconds), report.landmarks })
    assert.is_true(report.bytes > 2 * SIDE * SIDE and report.bytes < 5 * SIDE * SIDE)
    local graph = hills_graph():prepare()
    assert.same({ 16, true }, { graph.landmarks, graph.bytes > 20 * SIDE * SIDE })
    assert.is_true(report.seconds >= 0)
    local fields = 0
    for _ in pairs(report) do fields = fields + 1 end
    assert.same({ 4, true }, { fields, report.used })
  end)

  it("makes no tables where all open cells of a grid are alike, unless landmarks are given", function()
    local grid, shares = wend.grid(40, 40):fill(20, 1, 20, 30, false), {}
    local report = grid:prepare { on_progress = function(share) shares[#shares + 1] = share end }
    assert.same({ 0, 0, false, "all open cells are alike, so searches use jump points" },
      { report.landmarks, report.bytes, report.used, report.reason })
    assert.same({ 1 }, shares)
    assert.is_nil(grid:prepared())
    local sliced = grid:prepare { sliced = true }
    assert.equal(1, sliced:progress())
    assert.is_true(sliced:step(1))
    assert.is_false(sliced:report().used)
    for _, opts in ipairs { { diagonals = "one_open" }, { diagonal_length = 2 } } do
      assert.is_true(wend.grid(40, 40, opts):prepare().used)
    end
    assert.is_true(wend.grid(40, 40):set(1, 1, "mud"):prepare().used)
    assert.is_true(wend.grid(40, 40):set(1, 1, 2):prepare().used)
    assert.is_true(wend.grid(40, 40):wall(1, 1, 2, 1):prepare().used)
    report = grid:prepare { landmarks = 8 }
    assert.same({ 8, true }, { report.landmarks, report.used })
    assert.is_nil(report.reason)
    assert.is_false(grid:prepare().used)
    assert.equal(8, grid:prepared().landmarks)
  end)

  it("leaves the costs of paths, and saves expansions", function()
    local grid = hills()
    local cost, before = cross(grid)
    grid:prepare()
    local same, after = cross(grid)
    near(same, cost)
    assert.same({ true }, { after.landmarks, before.landmarks })
    assert.is_true(after.expanded < before.expanded * 0.55, ("%d of %d"):format(after.expanded, before.expanded))
  end)

  it("allows edits at a node of many edges", function()
    local g = wend.graph()
    for _ = 1, 8001 do g:add_node() end
    for i = 2, 8001 do g:add_edge(1, i, { weight = i }) end
    g:prepare()
    assert.equal(5, g:path(2, 3).cost)
    for i = 2, 3001 do g:add_edge(1, i, { weight = 1 }) end
    assert.equal(2, g:path(2, 3).cost)
    g:remove_node(1)
    assert.is_nil((g:path(2, 3)))
  end)

  it("works on graphs, also with one-way edges", function()
    for _, directed in ipairs { false, true } do
      local g, ids = hills_graph(directed)
      local from, to, before, after = ids[2 * SIDE + 2], ids[(SIDE - 1) * SIDE + SIDE - 1], {}, {}
      local path = assert(g:path(from, to, { stats = before }))
      local report = g:prepare()
      near(assert(g:path(from, to, { stats = after })).cost, path.cost)
      assert.same({ true }, { after.landmarks, before.landmarks })
      assert.is_true(after.expanded < before.expanded / 2, ("%d of %d"):format(after.expanded, before.expanded))
      assert.is_true(report.bytes <= (directed and 80 or 45) * g:node_count())
    end
  end)

  it("makes the same tables by several threads", function()
    for _, directed in ipairs { false, true } do
      local g, copies = wend.graph(), {}
      for i = 0, 199 do g:add_node(i % 20, math.floor(i / 20)) end
      for i = 1, 199 do
        if i % 20 > 0 then g:add_edge(i, i + 1, { weight = i * 7 % 5 + 1, directed = directed and i % 3 == 0 }) end
        if i <= 180 then g:add_edge(i, i + 20, { weight = i * 11 % 7 + 1 }) end
      end
      for i = 1, 4 do copies[i] = wend.decode(g:encode()) end
      for landmarks = 1, 16, 5 do
        for i, threads in ipairs { 1, 2, 3, 1000 } do
          local shares = {}
          copies[i]:prepare { landmarks = landmarks, threads = threads,
            on_progress = function(share) shares[#shares + 1] = share end }
          assert.equal(1, shares[#shares])
          assert.equal(copies[1]:encode(), copies[i]:encode())
        end
      end
    end
    for landmarks = 1, 16, 3 do
      local shares, whole, threaded = {}, hills(), hills()
      whole:prepare { landmarks = landmarks }
      for _, threads in ipairs { 2, 3 } do
        threaded:prepare { landmarks = landmarks, threads = threads,
          on_progress = function(share)
            assert.is_true(share >= (shares[#shares] or 0))
            shares[#shares + 1] = share
          end }
        assert.equal(1, table.remove(shares))
        assert.equal(whole:encode(), threaded:encode())
        shares = {}
      end
    end
    local g, calls = wend.graph(), 0
    g:add_nodes { 0, 0, 1, 0, 2, 0, 3, 1 }
    for i = 1, 3 do g:add_edge(i, i + 1) end
    assert.error_matches(function()
      g:prepare { threads = 2, on_progress = function() calls = calls + 1 if calls == 3 then error "enough" end end }
    end, "enough")
    assert.equal(nil, g:prepared())
    assert.equal(1, g:prepare({ threads = 2, landmarks = 1 }).landmarks)
    for _, wrong in ipairs { 0, 1.5, "two" } do
      assert.error_matches(function() g:prepare { threads = wrong } end, "threads must be a whole number >= 1, got")
    end
    assert.error_matches(function() g:prepare { threads = 2, sliced = true } end,
      "threads is not for a preparation in slices")
  end)

  it("takes fewer landmarks, which need less memory", function()
    local grid = hills()
    local all, few = grid:prepare(), grid:prepare { landmarks = 4 }
    assert.same({ 8, 4 }, { all.landmarks, few.landmarks })
    assert.is_true(few.bytes < all.bytes)
    assert.equal(4, grid:prepared().landmarks)
  end)

  it("takes maps without nodes, without steps, and of one cell", function()
    for _, g in ipairs { wend.graph(), wend.graph { dimensions = 3 }, wend.grid(1, 1), wend.grid(3, 3):fill(false) } do
      local report = g:prepare()
      assert.is_true(report.landmarks >= 0 and report.landmarks <= 16)
      g:unprepare()
    end
    local g = wend.graph()
    local a, b = g:add_node(), g:add_node(5, 5)
    g:prepare()
    helper.fails("no path from 1 to 2: no open edge leads to the goal", "no_path", g.path, g, a, b)
    assert.equal(0, g:path(a, a).cost)
  end)

  it("leaves heuristics of the caller, fields, and overlays as they are", function()
    local grid = hills()
    grid:prepare()
    local cost = cross(grid)
    for _, heuristic in ipairs { "zero", "octile", function() return 0 end } do
      local same, stats = cross(grid, { heuristic = heuristic })
      near(same, cost)
      assert.equal(nil, stats.landmarks)
    end
    local overlay = grid:overlay():fill(1, 30, SIDE, 30, 9)
    local dear = cross(overlay)
    near(dear, (cross(grid:copy():fill(1, 30, SIDE, 30, 9))))
    assert.not_equal(cost, dear)
    near(grid:field(SIDE - 1, SIDE - 1):cost(2, 2), cost)
  end)

  it("is for a profile, and calls its functions by tag once", function()
    local g = hills_graph()
    local calls, given = 0, nil
    local costs = wend.costs { road = function(agent)
      calls, given = calls + 1, agent
      return 0.25
    end }
    costs:edge_rule("never", function() error "not called" end, { tags = { "road" } })
    local agent = { boots = true }
    g:prepare { costs = costs, agent = agent }
    assert.same({ 1, true }, { calls, given == agent })
    costs:remove "never"
    assert.equal(1, g:prepared({ costs = costs }).scale)
    assert.equal(1, g:prepared().scale)
  end)
end)

-- A swamp in the middle, which boots make as good as a road, and a way around it.
local function marsh(kind)
  local grid = hills()
  for y = 1, SIDE do
    for x = 1, SIDE do
      local weight = grid:get(x, y)
      local wet = y > 8 and y < 56 and (x * 5 + y) % 11 < 7
      if weight and wet then grid:set(x, y, { weight = weight, tag = "swamp" }) end
    end
  end
  if kind ~= "graph" then return grid end
  local g, ids = wend.graph(), {}
  for y = 1, SIDE do
    for x = 1, SIDE do
      local weight, tag = grid:get(x, y)
      if weight then
        ids[x + y * SIDE] = g:add_node(x, y)
        for _, other in ipairs { x > 1 and ids[x - 1 + y * SIDE] or 0, ids[x + (y - 1) * SIDE] or 0 } do
          if other > 0 then g:add_edge(other, ids[x + y * SIDE], { weight = weight, tag = tag }) end
        end
      end
    end
  end
  return g, ids
end

describe("tables of a map where every cell has a weight of its own", function()
  it("serve agents of any size, also where they do not fit", function()
    local wrong = 0
    for width = 1, 12 do
      local grid = wend.grid(width, 1):map(function(x) return 1 + (x * 7919 + 1) / 3 end)
      grid:prepare()
      for size = 2, 8 do
        for from = 1, width do
          for to = 1, width do
            if grid:can_reach(from, 1, to, 1, { size = size }) ~= (from == to) then wrong = wrong + 1 end
          end
        end
      end
    end
    assert.equal(0, wrong)
  end)
end)

describe("tables for several profiles", function()
  local function profiles() return wend.costs { swamp = 8 }, wend.costs { swamp = 0.5 } end

  -- A trip across the marsh: its cost and its statistics.
  local function trip(map, costs)
    local stats = {}
    if map.node_count then
      return assert(map:path(1, map:node_count(), { costs = costs, stats = stats })).cost, stats
    end
    return cross(map, { costs = costs, stats = stats })
  end

  for _, kind in ipairs { "grid", "graph" } do
    it("are used each by its own profile: " .. kind, function()
      local map = marsh(kind)
      local walkers, boots = profiles()
      local costs, plain, alone = {}, {}, {}
      for i, one in ipairs { walkers, boots } do costs[i], plain[i] = trip(map, one) end
      map:prepare()
      for i, one in ipairs { walkers, boots } do alone[i] = select(2, trip(map, one)) end
      assert.same({ 1, 0.5 }, { map:prepared({ costs = walkers }).scale, map:prepared({ costs = boots }).scale })
      assert.same({ true, false, false },
        { map:prepared().own, map:prepared({ costs = walkers }).own, map:prepared({ costs = boots }).own })
      map:prepare { costs = walkers }
      map:prepare { costs = boots }
      assert.same({ 1, 1, 1 },
        { map:prepared().scale, map:prepared({ costs = walkers }).scale, map:prepared({ costs = boots }).scale })
      for i, one in ipairs { walkers, boots } do
        local same, stats = trip(map, one)
        near(same, costs[i])
        assert.equal(true, stats.landmarks)
        assert.is_true(map:prepared({ costs = one }).own)
        assert.is_true(stats.expanded < plain[i].expanded and stats.expanded < alone[i].expanded,
          ("%d, %d, %d"):format(plain[i].expanded, alone[i].expanded, stats.expanded))
      end
    end)

    it("count edits each for itself, also new and opened ways: " .. kind, function()
      local map = marsh(kind)
      local walkers, boots = profiles()
      local function agree(twin)
        for _, one in ipairs { walkers, boots, wend.costs() } do near((trip(map, one)), (trip(twin, one))) end
      end
      map:prepare { landmarks = 4 }
      map:prepare { costs = walkers, landmarks = 4 }
      map:prepare { costs = boots, landmarks = 4 }
      for round = 1, 6 do
        if kind == "grid" then
          map:open(20 + round, 20, 23 + round, 40):set(30, 8 * round, { weight = 0.5, tag = "swamp" })
          map:link(3, 3 * round, 50, 9 * round, { weight = 20, tag = "swamp" })
        else
          for edge = 100 * round, 100 * round + 20 do map:set_weight(edge, map:edge(edge).weight / 2) end
          local new = map:add_node(5, 5)
          map:add_edge(new, 300 * round, { weight = 2, tag = "swamp" })
          map:add_edge(300 * round + 90, new, { weight = 2 })
          map:remove_node(new)
          map:add_edge(20 * round, 200 * round, { weight = 3, tag = "swamp" })
        end
        agree(map:copy())
      end
      assert.is_true(map:prepared().slack > 0 and map:prepared({ costs = walkers }).slack > 0)
    end)

    it("are saved and loaded: " .. kind, function()
      local map = marsh(kind)
      local walkers, boots = profiles()
      map:prepare { costs = boots, landmarks = 3 }
      map:prepare { landmarks = 4 }
      map:prepare { costs = walkers, landmarks = 5 }
      local copy = assert(wend.decode(map:encode()))
      assert.equal(map:encode(), copy:encode())
      for _, one in ipairs { walkers, boots, wend.costs() } do
        assert.same(map:prepared({ costs = one }), copy:prepared({ costs = one }))
        near((trip(copy, one)), (trip(map, one)))
      end
      assert.same({ 4, 3, 5 }, { copy:prepared().landmarks, copy:prepared({ costs = boots }).landmarks,
        copy:prepared({ costs = walkers }).landmarks })
      assert.equal(nil, assert(wend.decode(map:encode { prepared = false })):prepared())
      assert.equal(nil, map:copy():prepared())
    end)

    it("are made in slices, while others are too: " .. kind, function()
      local map = marsh(kind)
      local walkers, boots = profiles()
      map:prepare()
      local one = map:prepare { sliced = true, costs = walkers }
      local other = map:prepare { sliced = true, costs = boots }
      local before, done = trip(map, boots), { false, false }
      repeat
        done[1], done[2] = done[1] or one:step(1500), done[2] or other:step(2500)
        near((trip(map, boots)), before)
      until done[1] and done[2]
      for _, costs in ipairs { walkers, boots, wend.costs() } do
        assert.same({ true, 1 }, { map:prepared({ costs = costs }).own, map:prepared({ costs = costs }).scale })
      end
      assert.same({ 0, true }, { map:prepared({ costs = boots }).slack, one:report().landmarks > 0 })
    end)
  end

  it("are told apart by prices, not by the profile", function()
    local grid = marsh()
    local walkers = profiles()
    grid:prepare { costs = walkers, landmarks = 2 }
    assert.equal(true, grid:prepared({ costs = wend.costs { swamp = 8 } }).own)
    grid:prepare { costs = wend.costs { swamp = 8 }, landmarks = 3 }
    assert.equal(3, grid:prepared({ costs = walkers }).landmarks)
    walkers:set("swamp", 4)
    assert.same({ false, 0.5 }, { grid:prepared({ costs = walkers }).own, grid:prepared({ costs = walkers }).scale })
    walkers:set("swamp", 8)
    assert.equal(true, grid:prepared({ costs = walkers }).own)
    grid:prepare { costs = wend.costs(), landmarks = 1 }
    assert.same({ 1, true }, { grid:prepared().landmarks, grid:prepared().own })
  end)

  it("are used for other profiles too: the ones that fit best", function()
    local grid = marsh()
    grid:prepare { landmarks = 1 }
    grid:prepare { costs = wend.costs { swamp = 8 }, landmarks = 2 }
    grid:prepare { costs = wend.costs { swamp = 0.25 }, landmarks = 3 }
    grid:prepare { costs = wend.costs { swamp = false }, landmarks = 4 }
    local function chosen(swamp) return grid:prepared({ costs = wend.costs { swamp = swamp } }).landmarks end
    assert.same({ 1, 1, 2, 2, 2, 3, 3, 4 },
      { chosen(1), chosen(1.2), chosen(7), chosen(8), chosen(9), chosen(0.25), chosen(0.2), chosen(false) })
    assert.equal(2, grid:prepared({ costs = wend.costs { default = 3, swamp = 24 } }).landmarks)
    for _, swamp in ipairs { 0.2, 0.3, 0.9, 1, 2, 8, 9, 100 } do
      local costs = wend.costs { swamp = swamp }
      near((trip(grid, costs)), (trip(grid:copy(), costs)))
    end
  end)

  it("are at most four, beside those for the weights", function()
    for _, kind in ipairs { "grid", "graph" } do
      local map = marsh(kind)
      local full = "the map is prepared for 4 profiles already: drop the tables of one with unprepare"
      local late = map:prepare { sliced = true, costs = wend.costs { swamp = 6 }, landmarks = 1 }
      for i = 2, 5 do map:prepare { costs = wend.costs { swamp = i }, landmarks = 1 } end
      for _, sliced in ipairs { false, true } do
        helper.raises(full, map.prepare, map, { costs = wend.costs { swamp = 6 }, sliced = sliced })
      end
      assert.error_matches(function() repeat until late:step(1e6) end, full)
      assert.error_matches(function() late:step(1) end, full)
      assert.same({ "wend.Preparation (no room)", nil, 0 }, { tostring(late), late:report(), late:progress() })
      map:prepare()
      map:prepare { costs = wend.costs { swamp = 3 }, landmarks = 2 }
      assert.equal(2, map:prepared({ costs = wend.costs { swamp = 3 } }).landmarks)
      map:unprepare { costs = wend.costs { swamp = 3 } }
      map:prepare { costs = wend.costs { swamp = 6 } }
      assert.equal(true, map:prepared({ costs = wend.costs { swamp = 6 } }).own)
      local copy = assert(wend.decode(map:encode()))
      assert.equal(map:encode(), copy:encode())
      helper.raises(full, copy.prepare, copy, { costs = wend.costs { swamp = 7 } })
    end
  end)

  it("are dropped one by one, or all", function()
    local grid = marsh()
    local walkers, boots = profiles()
    grid:prepare()
    grid:prepare { costs = walkers }
    grid:prepare { costs = boots }
    assert.equal(grid, grid:unprepare { costs = walkers })
    assert.equal(grid, grid:unprepare { costs = walkers })
    assert.same({ true, false, true },
      { grid:prepared().own, grid:prepared({ costs = walkers }).own, grid:prepared({ costs = boots }).own })
    grid:unprepare { costs = wend.costs() }
    assert.same({ false, 1, true },
      { grid:prepared().own, grid:prepared().scale, grid:prepared({ costs = boots }).own })
    grid:prepare { costs = walkers }
    assert.equal(grid, grid:unprepare {})
    assert.equal(nil, grid:prepared({ costs = boots }))
    grid:prepare { costs = boots }
    grid:unprepare { costs = boots }
    assert.equal(nil, grid:prepared())
    grid:prepare { costs = boots }
    assert.equal(nil, grid:unprepare():prepared())
    helper.raises("unknown option 'landmarks' (expected one of: costs, agent)", grid.unprepare, grid, { landmarks = 1 })
  end)

  it("may have prices that depend on the agent", function()
    local grid = marsh()
    local costs = wend.costs { swamp = function(agent) return agent.boots and 1 or 4 end }
    grid:prepare { costs = costs, agent = {}, landmarks = 2 }
    grid:prepare { costs = costs, agent = { boots = true }, landmarks = 3 }
    assert.same({ 2, 3, 3 }, { grid:prepared({ costs = costs, agent = {} }).landmarks,
      grid:prepared({ costs = costs, agent = { boots = true } }).landmarks, grid:prepared().landmarks })
    grid:unprepare { costs = costs, agent = { boots = true } }
    assert.same({ 2, false }, { grid:prepared().landmarks, grid:prepared().own })
  end)

  it("leave searches of an overlay as they are", function()
    local grid = marsh()
    local walkers = profiles()
    grid:prepare()
    grid:prepare { costs = walkers }
    local overlay = grid:overlay():open(1, 30, SIDE, 30)
    near((trip(overlay, walkers)), (trip(grid:copy():open(1, 30, SIDE, 30), walkers)))
    grid:unprepare { costs = walkers }
    near((trip(overlay, walkers)), (trip(grid:copy():open(1, 30, SIDE, 30), walkers)))
  end)

  it("may change in the middle of a search in slices", function()
    local grid = marsh()
    local walkers, boots = profiles()
    local cost = trip(grid, walkers)
    grid:prepare { costs = walkers }
    for _, change in ipairs {
      function() grid:prepare { costs = boots } end, function() grid:unprepare { costs = walkers } end,
      function() grid:prepare() end, function() grid:unprepare() end,
    } do
      local search = grid:search(2, 2, SIDE - 1, SIDE - 1, { costs = walkers })
      search:step(30)
      change()
      while search:step(50) == "running" do end
      near(assert(search:result()).cost, cost)
    end
  end)
end)

describe("on_progress", function()
  it("gets the share that is done, at last 1", function()
    local grid, shares = hills(), {}
    grid:prepare { on_progress = function(...)
      assert.equal(1, select("#", ...))
      shares[#shares + 1] = (...)
    end }
    assert.equal(1, shares[#shares])
    for i, share in ipairs(shares) do assert.is_true(share >= (shares[i - 1] or 0) and share <= 1) end
  end)

  it("may raise: the map keeps the tables that it had", function()
    local grid = hills()
    helper.raises("enough", grid.prepare, grid, { on_progress = function() error("enough", 0) end })
    assert.equal(nil, grid:prepared())
    local mark = {}
    grid:prepare { landmarks = 2 }
    local ok, problem = pcall(grid.prepare, grid, { on_progress = function() error(mark) end })
    assert.same({ false, true, 2 }, { ok, problem == mark, grid:prepared().landmarks })
  end)

  it("may search and ask, and can neither edit, free nor prepare the map", function()
    local grid = hills()
    local cost, calls = cross(grid), 0
    local locked = "the grid is being searched: change it when the search is over"
    grid:prepare { on_progress = function()
      calls = calls + 1
      near(cross(grid), cost)
      if calls > 3 then return end
      grid:prepared()
      helper.raises(locked, grid.close, grid, 1, 1)
      helper.raises(locked, grid.prepare, grid)
      helper.raises(locked, grid.prepare, grid, { sliced = true })
      helper.raises(locked, grid.unprepare, grid)
      helper.raises(locked, debug.getmetatable(grid).__gc, grid)
    end }
    assert.is_true(calls >= 1)
    assert.is_true(grid:prepared().used)
    grid:close(1, 1)
  end)

  it("cannot yield", function()
    local grid = hills()
    helper.cannot_yield(grid.prepare, grid, { on_progress = coroutine.yield })
  end)
end)

describe("a preparation in slices", function()
  local function run(preparation, n)
    local done, message, code
    repeat done, message, code = preparation:step(n) until done ~= false
    return done, message, code
  end

  it("makes the same tables", function()
    local whole, sliced = hills(), hills()
    whole:prepare()
    local preparation = sliced:prepare { sliced = true }
    assert.same({ "preparation", 0, nil }, { wend.type(preparation), preparation:progress(), preparation:report() })
    assert.equal("wend.Preparation (0 %)", tostring(preparation))
    local steps, before = 0, 0
    while not preparation:step(997) do
      steps = steps + 1
      assert.equal(nil, sliced:prepared())
      assert.is_true(preparation:progress() >= before)
      before = preparation:progress()
    end
    assert.is_true(steps > 10)
    assert.equal(whole:encode(), sliced:encode())
    assert.same({ 1, 8, "wend.Preparation (done)" },
      { preparation:progress(), preparation:report().landmarks, tostring(preparation) })
    assert.equal(true, preparation:step(1))
  end)

  it("of a grid goes on after edits, which count for the new tables", function()
    local grid = hills()
    local preparation, steps = grid:prepare { sliced = true }, 0
    while not preparation:step(500) do
      steps = steps + 1
      grid:set(steps % SIDE + 1, 7, 0.9):close(9, steps % SIDE + 1):open(9, 30)
      if steps == 4 then grid:link(2, 2, 40, 40, { weight = 60 }) end
      if steps == 9 then grid:wall(50, 50, 51, 50):wall(50, 50, 51, 50, false) end
    end
    assert.is_true(steps > 20)
    assert.is_true(grid:prepared().used and grid:prepared().slack > 0)
    near(cross(grid), cross(grid:copy()))
  end)

  it("of a grid is as good as later edits, and edits that were undone are none", function()
    local early, late, same = hills(), hills(), hills()
    local function edit(grid) grid:set(30, 30, 0.5):set(31, 30, 0.5):open(12, 20) end
    late:prepare()
    edit(late)
    for _, grid in ipairs { early, same } do
      local preparation = grid:prepare { sliced = true }
      preparation:step(4000)
      local kept = {}
      for y = 1, SIDE do for x = 1, SIDE do kept[#kept + 1] = grid:get(x, y) end end
      edit(grid)
      preparation:step(4000)
      if grid == same then
        for i, weight in ipairs(kept) do grid:set((i - 1) % SIDE + 1, math.floor((i - 1) / SIDE) + 1, weight) end
      end
      assert.equal(true, run(preparation, 4000))
    end
    assert.is_true(late:prepared().slack > 0)
    assert.equal(late:prepared().slack, early:prepared().slack)
    assert.equal(0, same:prepared().slack)
  end)

  it("of a grid notices walls that are removed", function()
    local grid = hills()
    for y = 1, SIDE - 1 do grid:wall(32, y, 33, y) end
    local preparation = grid:prepare { sliced = true }
    preparation:step(4000)
    for y = 4, 30 do grid:wall(32, y, 33, y, false) end
    assert.equal(true, run(preparation, 4000))
    assert.is_true(grid:prepared().slack > 0)
    for y = 2, SIDE, 4 do
      near(assert(grid:path(20, y, 45, 5)).cost, grid:path(20, y, 45, 5, { algorithm = "dijkstra" }).cost)
    end
  end)

  it("of a grid whose cells side by side are opened keeps its landmarks", function()
    local grid = wend.grid(SIDE, SIDE):map(weight_at):close(14, 14, 50, 50)
    local preparation, stats = grid:prepare { sliced = true }, {}
    preparation:step(4000)
    grid:open(20, 1, 40, 64)
    assert.equal(true, run(preparation, 4000))
    assert.equal(true, grid:prepared().used)
    near(assert(grid:path(2, 2, SIDE - 1, SIDE - 1, { stats = stats })).cost, cross(grid:copy()))
  end)

  it("of a graph goes on after edits, which count for the new tables", function()
    local g, ids = hills_graph()
    local from, to = ids[2 * SIDE + 2], ids[(SIDE - 1) * SIDE + SIDE - 1]
    local preparation, edits = g:prepare { sliced = true, landmarks = 8 }, 0
    while not preparation:report() do
      assert(preparation:step(500) ~= nil)
      edits = edits + 1
      if edits % 3 == 0 then g:set_weight(edits, g:edge(edits).weight * 0.8) end
      if edits % 40 == 0 then g:add_edge(g:add_node(edits, 3), edits, { weight = 1 }) end
    end
    local twin, stats = g:copy(), {}
    assert.is_true(edits > 100 and g:prepared().used and g:prepared().slack > 0)
    near(assert(g:path(from, to, { stats = stats })).cost, twin:path(from, to).cost)
    assert.equal(true, stats.landmarks)
  end)

  it("of a graph begins again when so many edits come that places move", function()
    local g, ids = hills_graph()
    local costs = wend.costs { road = 0.5 }
    local preparation = g:prepare { sliced = true, costs = costs }
    for _ = 1, 20 do preparation:step(500) end
    local before = preparation:progress()
    for i = 1, 4000 do g:add_edge(g:add_node(i / 99, 0), i % 3000 + 1, { weight = 2, tag = "new" .. i % 3 }) end
    preparation:step(1)
    assert.is_true(preparation:progress() < before)
    assert.equal(true, run(preparation, 500))
    assert.same({ 0, 1 }, { g:prepared().slack, g:prepared({ costs = costs }).scale })
    local from, to = ids[2 * SIDE + 2], ids[(SIDE - 1) * SIDE + SIDE - 1]
    near(assert(g:path(from, to)).cost, g:copy():path(from, to).cost)
  end)

  it("of a graph goes on when all nodes are removed", function()
    for steps = 0, 3 do
      local g = hills_graph()
      local preparation = g:prepare { sliced = true }
      for _ = 1, steps * 3 do preparation:step(900) end
      for n = 1, g:node_count() do g:remove_node(n) end
      assert.equal(true, run(preparation, 900))
      local a, b = g:add_node(1, 1), g:add_node(2, 2)
      g:add_edge(a, b, { weight = 3 })
      assert.equal(3, g:path(a, b).cost)
    end
  end)

  it("may be dropped, and outlive its map", function()
    local grid = hills()
    local one, other = grid:prepare { sliced = true }, grid:prepare { sliced = true }
    one:step(100)
    debug.getmetatable(one).__gc(one)
    helper.raises("the preparation is gone", one.step, one, 1)
    helper.raises("the preparation is gone", one.progress, one)
    debug.getmetatable(grid).__gc(grid)
    helper.raises("the grid is gone", other.step, other, 1)
    debug.getmetatable(other).__gc(other)
    collectgarbage()
  end)

  it("is locked out while the map is searched", function()
    local grid = hills()
    local preparation = grid:prepare { sliced = true }
    local asked = false
    grid:path(1, 1, 9, 9, { cost = function(_, cost)
      if not asked then
        helper.raises("the grid is being searched: change it when the search is over", preparation.step, preparation, 9)
      end
      asked = true
      return cost
    end })
    assert.is_true(asked)
    assert.equal(true, run(preparation, 1e6))
  end)
end)

describe("map:prepared", function()
  it("says what there is, and that it is used", function()
    local grid = hills()
    local report = grid:prepare()
    report.seconds, report.own, report.used, report.scale, report.slack = nil, true, true, 1, 0
    assert.same(report, grid:prepared())
  end)

  it("says at which scale for a profile, or why not", function()
    local g = hills_graph()
    g:prepare()
    local function scale(value, opts)
      opts = opts or {}
      opts.costs = wend.costs { road = value }
      local info = g:prepared(opts)
      assert.equal(info.scale > 0, info.used)
      assert.equal(info.used, info.reason == nil)
      return info.scale
    end
    assert.same({ 1, 1, 0.5, 0 }, { scale(2), scale(false), scale(0.5), scale(0) })
    assert.equal(1, scale { times = 1, plus = 3 })
    assert.equal(0.5, scale(function(agent) return agent.speed end, { agent = { speed = 0.5 } }))
    local function rule(_, cost) return cost end
    assert.same({ 0, 0.75 }, { g:prepared({ cost = rule }).scale, g:prepared({ cost = rule, at_least = 0.75 }).scale })
    assert.equal("string", type(g:prepared({ cost = rule }).reason))
  end)

  it("knows what edits did", function()
    local g = hills_graph()
    g:prepare()
    local some = 100
    local edge = g:edge(some)
    g:close_edge(some):set_weight(some, 50):open_edge(some):close(edge.from):open(edge.from)
    assert.equal(0, g:prepared().slack)
    g:set_weight(some, edge.weight / 2)
    local slack = g:prepared().slack
    assert.is_true(slack > 0 and slack <= edge.weight / 2 * 1.01 and g:prepared().used, tostring(slack))
    local half = g:prepared { costs = wend.costs { road = 0.5 } }
    assert.same({ 0.5, slack / 2 }, { half.scale, half.slack })
    g:set_weight(some, edge.weight):set_weight(some, edge.weight / 2) -- the same saving again
    if not rawget(_G, "is_failing") then assert.equal(slack, g:prepared().slack) end -- without memory it counts twice
    g:prepare()
    assert.equal(0, g:prepared().slack)
  end)

  it("may be asked where on_error edits the map: then it is stale", function()
    local g = hills_graph()
    g:prepare()
    local costs = wend.costs():rule("bad", "road", function() error "no" end)
    costs.on_error = function() g:add_node(1, 1) end
    assert.equal("stale", (select(3, g:prepared({ costs = costs }))))
    costs = wend.costs():rule("bad", "road", function() error "no" end)
    costs.on_error = function() g:add_node(1, 1) end
    assert.equal("stale", (select(3, g:prepare({ costs = costs }))))
  end)
end)

describe("edits of a prepared map", function()
  it("give a part that an edge joins to the rest of a graph its numbers", function()
    for _, directed in ipairs { false, true } do
      local g, ids = hills_graph()
      local from, to = ids[2 * SIDE + 2], ids[(SIDE - 1) * SIDE + SIDE - 1]
      local island = {}
      for i = 1, 30 * 20 do island[i] = g:add_node(SIDE + i % 30, i / 30) end
      for i = 1, 30 * 20 do
        local one_way = directed and i % 9 == 0
        if i % 30 > 0 then g:add_edge(island[i], island[i + 1], { weight = i % 7 + 1, directed = one_way }) end
        if i > 30 then g:add_edge(island[i], island[i - 30], { weight = i % 4 + 1 }) end
      end
      g:prepare()
      local before = {}
      g:path(from, to, { stats = before })
      g:add_edge(to, island[1], { weight = 3 })
      assert.same({ true, true }, { g:prepared().used, g:prepared().slack <= (directed and 2 or 0) })
      local twin, after, plain = g:copy(), {}, {}
      local there = assert(g:path(from, island[590], { stats = after }))
      near(there.cost, twin:path(from, island[590], { stats = plain }).cost)
      assert.same({ true }, { after.landmarks, plain.landmarks })
      assert.is_true(after.expanded < plain.expanded / 2)
      near(assert(g:path(island[590], from)).cost, twin:path(island[590], from).cost)
      g:path(from, to, { stats = after })
      assert.equal(before.expanded, after.expanded)
    end
  end)
end)

describe("files of prepared maps", function()
  it("may leave them out", function()
    local grid = hills()
    local bare = grid:encode()
    grid:prepare()
    assert.equal(bare, grid:encode { prepared = false })
    assert.is_true(#grid:encode { prepared = true } > #bare + 2 * SIDE * SIDE)
    assert.equal(grid:encode(), grid:encode {})
    local name = os.tmpname()
    helper.written(name)
    assert(grid:save(name, { prepared = false }))
    assert.equal(nil, assert(wend.load(name)):prepared())
    assert(grid:save(name))
    assert.equal(8, assert(wend.load(name)):prepared().landmarks)
    helper.clean()
  end)

  it("can be read by versions that do not know tables: the section is optional, and does not change the map", function()
    local grid = hills()
    local field = grid:field(3, 3):encode()
    grid:prepare()
    assert.truthy(wend.decode(field, { map = grid }))
    assert.truthy(wend.decode(grid:field(3, 3):encode(), { map = wend.decode(grid:encode { prepared = false }) }))
    local sections = file_reference.sections(grid:encode())
    assert.equal("plan", sections[#sections][1])
    local graph = hills_graph()
    graph:prepare()
    sections = file_reference.sections(graph:encode())
    assert.equal("prep", sections[#sections][1])
  end)

  it("of levels have the tables of their maps", function()
    local grid, graph = hills(), (hills_graph())
    grid:prepare()
    graph:prepare { landmarks = 3 }
    local level = wend.level { grid = grid, graph = graph }
    local copy = assert(wend.decode(level:encode()))
    assert.same({ 8, 3 }, { copy.grid:prepared().landmarks, copy.graph:prepared().landmarks })
    assert.equal(level:encode(), copy:encode())
    local bare = assert(wend.decode(level:encode { prepared = false }))
    assert.same({}, { bare.grid:prepared(), bare.graph:prepared() })
  end)

  it("after edits are verified anew: the tables lie at most", function()
    local grid = hills()
    grid:prepare()
    grid:fill(1, 20, SIDE, 20, 0.5)
    local copy = assert(wend.decode(grid:encode()))
    near((cross(copy)), (cross(grid)))
    assert.is_true(copy:prepared().slack > 0 and copy:prepared().slack <= grid:prepared().slack)
  end)

  it("with a unit above 1e200 are refused: numbers times it would overflow #many", function()
    local graph = hills_graph()
    graph:prepare { landmarks = 2 }
    local bytes = graph:encode()
    local function with(unit)
      return wend.decode(file_reference.change(bytes, "prep", function(old)
        return file_reference.patch(old, 9, unit)
      end))
    end
    assert(with "\0\0\0\0\0\0\240\63")                -- 1
    assert(with "\0\0\0\0\0\0\112\105")               -- 2^664, below 1e200
    for _, unit in ipairs {
      "\0\0\0\0\0\0\144\105",                         -- 2^666, above it
      "\186\217\130\110\81\58\66\127",                 -- 1e305
      "\0\0\0\0\0\0\240\127", "\0\0\0\0\0\0\248\127", "\0\0\0\0\0\0\0\0", "\0\0\0\0\0\0\240\191",
    } do
      local copy, _, code = with(unit)
      assert.same({ nil, "format" }, { copy, code })
    end
  end)

  it("of maps with great weights can be read again", function()
    for _, weights in ipairs { { 1, 1e300 }, { 1e305 }, { 3e200, 5e205 }, { 1e-300, 1e307 } } do
      local grid, g = wend.grid(9, 4), wend.graph()
      grid:map(function(x, y) return weights[(x + y) % #weights + 1] end)
      for i = 1, 30 do
        g:add_node()
        if i > 1 then g:add_edge(i - 1, i, { weight = weights[i % #weights + 1] }) end
      end
      for _, map in ipairs { grid, g } do
        map:prepare { landmarks = 2 }
        local copy = assert(wend.decode(map:encode()))
        assert.equal(map:encode(), copy:encode())
      end
    end
  end)
end)

describe("prepared maps: errors", function()
  local grid, g = wend.grid(3, 3), wend.graph()
  helper.all_raise(it, {
    "unknown option 'stats' (expected one of: landmarks, costs, agent, on_progress, sliced, "
      .. "threads)",
    function() g:prepare { stats = {} } end,
    "unknown option 'landmarks' (expected one of: costs, agent, cost, at_least, size, influence)",
    function() g:prepared { landmarks = 3 } end,
    "on_progress is not called by a preparation in slices: call its method progress",
    function() g:prepare { sliced = true, on_progress = print } end,
    "at_least is the promise of the option 'cost', which is not given", function() g:prepared { at_least = 1 } end,
    "unknown option 'tables' (expected one of: prepared)", function() grid:encode { tables = false } end,
    "unknown option 'tables' (expected one of: prepared)", function()
      wend.level { grid = grid }:encode { tables = false }
    end,
  })
end)
