-- SPDX-License-Identifier: MIT
-- Queues of requests.
local collector = require "spec.support.collector"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local raises = helper.raises
local row = reference.row

--- A function for `on_done` that puts a name, or what it is given, into a list.
local function into(list, name)
  return function(result, message, code)
    list[#list + 1] = name or { result or false, message or false, code or false }
  end
end

--- Steps until nothing is pending. Returns the number of steps.
local function finish(q, n)
  local steps = 0
  while q:pending() > 0 do
    q:step(n or 1000)
    steps = steps + 1
    assert(steps < 1000000, "it does not end")
  end
  return steps
end

--- A grid that a search without a heuristic has to look at as a whole.
local function large() return wend.grid(60, 60), { algorithm = "dijkstra" } end
-- The same for some 14,000 expansions, which take several turns.
local function larger() return wend.grid(120, 120), { algorithm = "dijkstra" } end

local function with(options, more)
  local all = {}
  for key, value in pairs(options or {}) do all[key] = value end
  for key, value in pairs(more) do all[key] = value end
  return all
end

describe("q:path", function()
  it("gives the path of map:path", function()
    local g, grid, q, found = row(9), wend.grid(9, 9):fill(4, 1, 4, 8, false), wend.queue(), {}
    q:path(g, 2, 7, { on_done = into(found) })
    q:path(g, 1, { 4, 3 }, { on_done = into(found) })
    q:path(grid, 1, 1, 9, 1, { on_done = into(found) })
    q:path(grid, { x = 1, y = 1 }, 9, 1, { on_done = into(found) })
    q:path(grid, 1, 1, { x = 9, y = 1 }, { on_done = into(found) })
    q:path(grid, { x = 1, y = 1 }, { 9, 1, 1, 2 }, { on_done = into(found) })
    finish(q)
    local costs = {}
    for i, one in ipairs(found) do costs[i] = one[1].cost end
    local far = grid:path(1, 1, 9, 1).cost
    assert.same({ 5, 2, far, far, far, 1 }, costs)
    assert.same({ 2, 2 }, { found[2][1].goal, found[6][1].goal })
  end)

  it("gives what map:path gives where there is no path", function()
    local g, q, found = row(9):close(5), wend.queue(), {}
    q:path(g, 1, 9, { on_done = into(found) })
    q:path(g, 1, 9, { max_expanded = 1, on_done = into(found) })
    finish(q)
    assert.same({ { false, "no path from 1 to 9", "no_path" },
      { false, "no path from 1 to 9 within the budget", "budget" } }, found)
  end)

  it("returns a request, for those who ask it instead of giving on_done", function()
    local q = wend.queue()
    local request = q:path(row(300), 1, 300)
    assert.same({ "request", "waiting", "wend.Request (path, waiting)" },
      { wend.type(request), request.state, tostring(request) })
    q:step(10)
    assert.equal("running", request.state)
    assert.is_nil(request.result)
    finish(q)
    assert.same({ "done", 299 }, { request.state, request.result.cost })
    local failed = q:path(row(3):close(2), 1, 3)
    finish(q)
    assert.same({ "failed", "no path from 1 to 3: no open edge leads to the goal", "no_path" }, { failed.state,
      failed.message, failed.code })
    assert.is_nil(failed.result)
  end)

  it("calls on_done of the request: it may be assigned until it is over", function()
    local q, got = wend.queue(), nil
    local request = q:path(row(9), 1, 9)
    assert.is_false(request.on_done)
    request.on_done = function(path) got = path end
    q:step(100)
    assert.equal(request.result, got)
  end)

  it("gives on_done the request as well", function()
    local q, given = wend.queue(), nil
    local request = q:path(row(3), 1, 3, { on_done = function(_, _, _, one) given = one end })
    finish(q)
    assert.equal(request, given)
  end)

  it("runs on_done once, and only inside step and run", function()
    local q, times = wend.queue(), 0
    local request = q:path(row(3), 1, 3, { owner = "a", on_done = function() times = times + 1 end })
    q:path(row(3), 1, 3, { owner = "a" })
    request:cancel()
    assert.equal(0, times)
    finish(q)
    q:step(9)
    assert.equal(1, times)
  end)

  it("takes its lists and options as they are now", function()
    local q, found, goals = wend.queue(), {}, { 4, 3 }
    local options = { on_done = into(found), costs = wend.costs(), priority = 1 }
    q:path(row(9), 1, goals, options)
    goals[1], goals[2] = 9, 9
    options.on_done, options.costs = nil, 7
    finish(q)
    assert.equal(2, found[1][1].cost)
    assert.same({ costs = 7, priority = 1 }, options)
  end)

  it("keeps its map alive", function()
    local q, found = wend.queue(), {}
    q:path(row(50), 1, 50, { on_done = into(found) })
    collectgarbage() collectgarbage()
    q:step(5)
    collectgarbage() collectgarbage()
    finish(q)
    assert.equal(49, found[1][1].cost)
  end)
end)

describe("q:route and q:field", function()
  it("give the routes and fields of the map", function()
    local g, grid, q, found = row(9), wend.grid(9, 9):fill(4, 1, 4, 8, false), wend.queue(), {}
    q:route(grid, { 0.5, 0.5 }, { x = 8.5, y = 0.5 }, { on_done = into(found) })
    q:route(g, { 0, 1 }, { 5, 1 }, { on_done = into(found) })
    q:field(grid, 9, 1, { on_done = into(found) })
    q:field(grid, { 9, 1, 1, 1 }, { values = { 0, 2 }, on_done = into(found) })
    q:field(g, 1, { on_done = into(found) })
    q:field(g, { 1, 9 }, { outward = true, on_done = into(found), priority = -1 })
    finish(q)
    assert.equal(grid:route({ 0.5, 0.5 }, { 8.5, 0.5 }).cost, found[1][1].cost)
    assert.equal(g:route({ 0, 1 }, { 5, 1 }).cost, found[2][1].cost)
    assert.equal(grid:field(9, 1):cost(1, 1), found[3][1]:cost(1, 1))
    assert.same({ 2, 0 }, { found[4][1]:cost(1, 1), found[4][1]:cost(9, 1) })
    assert.same({ 8, 4 }, { found[5][1]:cost(9), found[6][1]:cost(5) })
  end)
end)

describe("the order", function()
  it("is by priority, the highest first, and among equals first come, first served", function()
    local g, q, order = row(5), wend.queue(), {}
    for i, priority in ipairs { 0, 5, -1, 5, 0, 2.5, 7 } do
      q:path(g, 1, 5, { priority = priority, on_done = into(order, i) })
    end
    finish(q, 3)
    assert.same({ 7, 2, 4, 6, 1, 5, 3 }, order)
  end)

  it("is the same with many priorities", function()
    helper.rounds("priorities", 20, function(rng)
      local g, q, order, expected, requests = row(3), wend.queue(), {}, {}, {}
      for i = 1, 60 do
        local priority = rng(20)
        expected[i] = { priority, i }
        requests[i] = q:path(g, 1, 3, { priority = priority, on_done = function(path)
          if path then order[#order + 1] = i end
        end })
      end
      for i = 60, 1, -1 do
        if rng:chance(0.3) then
          requests[i]:cancel()
          table.remove(expected, i)
        end
      end
      table.sort(expected, function(a, b) return a[1] > b[1] or a[1] == b[1] and a[2] < b[2] end)
      for i, pair in ipairs(expected) do expected[i] = pair[2] end
      finish(q, 5)
      assert.same(expected, order)
    end)
  end)

  it("does not let a long search hold up short ones", function()
    local q, order = wend.queue(), {}
    q:path(wend.grid(200, 200), 1, 1, 200, 200, { algorithm = "dijkstra", on_done = into(order, "long") })
    for i = 1, 20 do q:path(row(3), 1, 2, { on_done = into(order, i) }) end
    finish(q, 300)
    assert.equal("long", order[21])
  end)

  it("does not let short searches hold up a long one", function()
    local grid, options = larger()
    local q, order = wend.queue(), {}
    q:path(grid, 1, 1, 120, 120, with(options, { on_done = into(order, "long") }))
    for frame = 1, 400 do
      for _ = 1, 300 do q:path(grid, 1, 1, 2, 2) end
      q:step(200)
      if order[1] then
        return assert.truthy(frame >= 72, frame)
      end
    end
    error "it starves"
  end)

  it("runs at most four of a priority at the same time", function()
    local grid, options = larger()
    local q, requests = wend.queue(), {}
    for i = 1, 30 do requests[i] = q:path(grid, 1, 1, 120, 120, options) end
    local high = q:path(grid, 1, 1, 120, 120, with(options, { priority = 1 }))
    local function running()
      local count = 0
      for _, request in ipairs(requests) do count = count + (request.state == "running" and 1 or 0) end
      return count
    end
    q:step(100)
    assert.same({ 0, "running", 1, 30 }, { running(), high.state, q.stats.running, q.stats.waiting })
    high:cancel()
    q:step(10000)
    assert.same({ 4, 4, 26 }, { running(), q.stats.running, q.stats.waiting })
  end)

  it("does not depend on the size of the steps", function()
    local grid, options = larger()
    grid:fill(30, 1, 30, 50, false)
    local function order_with(n)
      local q, order, rng = wend.queue(), {}, helper.rng "steps"
      for i = 1, 40 do
        q:path(grid, rng(120), rng(120), rng(120), rng(120), with(rng:chance(0.2) and options,
          { priority = rng(2), on_done = into(order, i) }))
      end
      finish(q, n)
      return { order, q.stats.expansions }
    end
    local expected = order_with(math.huge)
    for _, n in ipairs { 1, 7, 100, 256, 1000, 4096 } do assert.same(expected, order_with(n)) end
  end)

  it("and the results are the same on every machine", function()
    local q, lines = wend.queue(), {}
    local grid = wend.grid(40, 40)
    for i = 1, 60 do grid:fill(i * 7 % 40 + 1, i * 11 % 40 + 1, i * 7 % 40 + 1, (i * 11 + 4) % 40 + 1, false) end
    local sum = 0
    for frame = 1, 60 do
      for i = 1, 6 do
        local a = frame * 6 + i
        q:path(grid, a * 13 % 40 + 1, a * 17 % 40 + 1, a * 19 % 40 + 1, a * 23 % 40 + 1, {
          heuristic = "octile", priority = a % 3, owner = a % 5 == 0 and a % 10 or nil,
          on_done = function(path)
            lines[#lines + 1] = a
            sum = sum + #lines * a + (path and math.floor(path.cost * 1000) or 0)
          end,
        })
      end
      q:step(150)
    end
    finish(q, 150)
    local stats = q.stats
    assert.same({ 360, 23089740, 254, 38, 68, 52600, 292 },
      { #lines, sum, stats.done, stats.failed, stats.cancelled, stats.expansions, stats.longest })
  end)
end)

describe("q:step", function()
  it("uses at most n expansions, and returns their number and that of the requests that are pending", function()
    local grid, options = large()
    local q, total = wend.queue(), 0
    q:path(grid, 1, 1, 60, 60, options)
    q:path(grid, 60, 1, 1, 60, options)
    repeat
      local used, left = q:step(97)
      total = total + used
      assert.truthy(used <= 97)
      assert.truthy(used == 97 or left == 0)
    until left == 0
    local one, other = {}, {}
    grid:path(1, 1, 60, 60, with(options, { stats = one }))
    grid:path(60, 1, 1, 60, with(options, { stats = other }))
    assert.equal(one.expanded + other.expanded, total)
    assert.equal(total, q.stats.expansions)
  end)

  it("counts one for a request that needs no expansion", function()
    local q = wend.queue()
    for _ = 1, 5 do q:path(row(3), 2, 2) end
    assert.same({ 2, 3 }, { q:step(2) })
    assert.same({ 3, 0 }, { q:step(9) })
    assert.same({ 0, 0 }, { q:step(9) })
  end)

  it("uses nothing for requests that were cancelled", function()
    local q, codes, g = wend.queue(), {}, row(3)
    for i = 1, 9 do
      local request = q:path(g, 2, 2, { on_done = function(_, _, code) codes[i] = code or "found" end })
      if i ~= 9 then request:cancel() end
    end
    assert.same({ 1, 0 }, { q:step(1) })
    assert.same({ "cancelled", "found" }, { codes[8], codes[9] })
  end)
end)

describe("the option owner", function()
  it("lets a new request replace the old one", function()
    local q, found, unit, g = wend.queue(), {}, {}, row(9)
    local old = q:path(g, 1, 9, { owner = unit, on_done = into(found) })
    local new = q:path(g, 1, 5, { owner = unit, on_done = into(found) })
    assert.same({ "cancelled", "cancelled", "waiting" }, { old.state, old.code, new.state })
    finish(q)
    assert.same({ { false, "a newer request of the same owner has replaced the request", "cancelled" } }, { found[1] })
    assert.same({ 2, 4 }, { #found, found[2][1].cost })
  end)

  it("does not matter once the request is over", function()
    local q, g = wend.queue(), row(9)
    local old = q:path(g, 1, 9, { owner = "unit" })
    finish(q)
    local new = q:field(g, 1, { owner = "unit" })
    finish(q)
    assert.same({ "done", "done" }, { old.state, new.state })
  end)

  it("does not hold its owner once the request is over", function()
    local q, weak = wend.queue(), setmetatable({}, { __mode = "k" })
    local requests = {}
    for i = 1, 3 do
      local owner = {}
      weak[owner] = true
      requests[i] = q:path(row(3), 1, 3, { owner = owner })
    end
    requests[1]:cancel()
    finish(q)
    collectgarbage() collectgarbage()
    assert.is_nil(next(weak))
  end)

  it("keeps the place of the old request, also of one that runs", function()
    local grid, options = large()
    local q, order = wend.queue(), {}
    local function ask(i) return q:path(grid, 1, 1, i, 2, { owner = i, on_done = function(path)
      if path then order[#order + 1] = i end
    end }) end
    for i = 1, 5 do ask(i) end
    ask(3) ask(1)
    finish(q)
    assert.same({ 1, 2, 3, 4, 5 }, order)
    local old = q:path(grid, 1, 1, 60, 60, with(options, { owner = "a" }))
    q:path(grid, 1, 1, 60, 60, options)
    q:step(10)
    local new = q:path(grid, 1, 1, 2, 2, { owner = "a" })
    assert.same({ "cancelled", "running" }, { old.state, new.state })
    q:step(10)
    assert.equal("done", new.state)
  end)

  it("goes to the end of the line of another priority", function()
    local q, order, g = wend.queue(), {}, row(3)
    q:path(g, 1, 3, { owner = "a", on_done = into(order, "old") })
    q:path(g, 1, 3, { priority = 1, on_done = into(order, "b") })
    q:path(g, 1, 3, { owner = "a", priority = 1, on_done = into(order, "new") })
    finish(q)
    assert.same({ "old", "b", "new" }, order)
  end)

  it("lets every unit have its turn, where all ask again in each frame", function()
    local q, answered, g = wend.queue(), {}, row(11)
    for _ = 1, 20 do
      for unit = 1, 100 do
        if not answered[unit] then
          q:path(g, 1, 11, { owner = unit,
            on_done = function(path) answered[unit] = answered[unit] or path ~= nil end })
        else
          q:path(g, 1, 11, { owner = unit })
        end
      end
      q:step(100)
    end
    for unit = 1, 100 do assert.truthy(answered[unit], unit) end
  end)

  it("does not let a unit that asks again in each frame hold up the others", function()
    local grid, options = large()
    local q, done = wend.queue(), false
    q:path(grid, 1, 1, 60, 60, with(options, { owner = "restless" }))
    q:path(grid, 1, 1, 60, 60, with(options, { on_done = function() done = true end }))
    for _ = 1, 100 do
      q:step(200)
      q:path(grid, 1, 1, 60, 60, with(options, { owner = "restless" }))
    end
    assert.is_true(done)
  end)
end)

describe("request:cancel", function()
  it("ends a request that waits or runs; its on_done runs in the next step", function()
    local grid, options = large()
    local q, found = wend.queue(), {}
    local running = q:path(grid, 1, 1, 60, 60, with(options, { on_done = into(found) }))
    local waiting = q:path(grid, 1, 1, 60, 60, with(options, { priority = -1, on_done = into(found) }))
    q:step(10)
    assert.same({ true, true, false, 2 }, { running:cancel(), waiting:cancel(), waiting:cancel(), q:pending() })
    assert.same({ "cancelled", "cancelled", 0 }, { running.state, waiting.code, #found })
    q:step(1)
    local expected = { false, "the request was cancelled", "cancelled" }
    assert.same({ expected, expected }, found)
    assert.equal(0, q:pending())
  end)

  it("does nothing to one that is over", function()
    local q = wend.queue()
    local request = q:path(row(3), 1, 3)
    finish(q)
    assert.is_false(request:cancel())
    assert.same({ "done", 2 }, { request.state, request.result.cost })
  end)

  it("is the end at once where there is no on_done", function()
    local q = wend.queue()
    q:path(row(3), 1, 3):cancel()
    assert.equal(0, q:pending())
  end)
end)

describe("q:cancel and q:clear", function()
  it("cancel the request of an owner, and all requests", function()
    local grid, options = large()
    local q, codes = wend.queue(), {}
    local function done(_, _, code) codes[#codes + 1] = code end
    for i = 1, 30 do q:path(grid, 1, 1, 60, 60, with(options, { owner = i, priority = i % 3, on_done = done })) end
    q:step(2000)
    assert.same({ true, false, false }, { q:cancel(7), q:cancel(7), q:cancel "nobody" })
    assert.equal(q, q:clear())
    assert.same({ 0, 0 }, { q.stats.waiting, q.stats.running })
    assert.same({ 0, 0 }, { q:step(9) })
    assert.same({ 30, "cancelled" }, { #codes, codes[30] })
    q:path(grid, 1, 1, 60, 60, { on_done = done })
    finish(q)
    assert.equal(31, #codes + 1)
  end)
end)

describe("the option limit", function()
  it("makes requests fail, with a code, and never silently", function()
    local q, g = wend.queue { limit = 2 }, row(9)
    q:path(g, 1, 9, { owner = "a" })
    q:path(g, 1, 9)
    helper.fails("the queue is full: 2 requests wait", "full", q.path, q, g, 1, 9)
    helper.fails("the queue is full: 2 requests wait", "full", q.field, q, g, 1, { priority = 9, share = false })
    assert.truthy(q:path(g, 1, 9, { owner = "a" })) -- it takes the place of the old one
    q:step(1000)
    assert.truthy(q:path(g, 1, 9))
    assert.same({ 1, 1 }, { q:pending(), q.stats.waiting })
  end)
end)

describe("q.stats", function()
  it("counts", function()
    local q, g = wend.queue(), row(9)
    q:path(g, 1, 9)
    q:path(row(3):close(2), 1, 3)
    q:path(g, 1, 9):cancel()
    q:step(2)
    q:step(100)
    local stats = q.stats
    assert.same({ waiting = 0, running = 0, done = 1, failed = 1, cancelled = 1, errors = 0, shared = 0,
      steps = 2, longest = 2, expansions = stats.expansions }, stats)
    assert.truthy(stats.expansions >= 9)
  end)
end)

-- A clock that advances by `tick` seconds with each reading.
local function clock(tick)
  local now, readings = 100, 0
  return function()
    readings = readings + 1
    now = now + tick
    return now
  end, function() return readings end
end

describe("q:can_reach", function()
  it("tells what map:can_reach tells", function()
    local g, grid, q, found = row(9):close(5), wend.grid(9, 9):fill(4, 1, 4, 9, false), wend.queue(), {}
    q:can_reach(g, 2, 4, { on_done = into(found) })
    q:can_reach(g, 2, 7, { on_done = into(found) })
    q:can_reach(g, 2, { 7, 3 }, { on_done = into(found) })
    q:can_reach(g, 4, 5, { on_done = into(found) })
    q:can_reach(g, 4, 5, { closed_goal = true, on_done = into(found) })
    q:can_reach(grid, 1, 1, 3, 9, { on_done = into(found) })
    q:can_reach(grid, { x = 1, y = 1 }, { x = 9, y = 9 }, { on_done = into(found) })
    q:can_reach(grid, 1, 1, { 9, 9, 2, 2 }, { on_done = into(found) })
    finish(q)
    local answers = {}
    for i, one in ipairs(found) do
      answers[i] = one[1]
      assert.same({ false, false }, { one[2], one[3] })
    end
    assert.same({ true, false, true, false, true, true, false, true }, answers)
    assert.same({ 8, 0 }, { q.stats.done, q.stats.failed })
  end)

  it("asks for the costs of the agent, and calls its functions", function()
    local g, q, calls = row(9), wend.queue(), 0
    g:set_tag(4, "gate")
    local shut = q:can_reach(g, 1, 9, { costs = wend.costs { gate = false } })
    local asked = q:can_reach(g, 1, 9, { cost = function(_, cost)
      calls = calls + 1
      return cost
    end })
    local failing = q:can_reach(g, 1, 9, { cost = function() error "no cost" end })
    finish(q)
    assert.same({ false, true, "failed", "error" }, { shut.result, asked.result, failing.state, failing.code })
    assert.truthy(calls >= 8)
    assert.truthy(failing.message:find "no cost")
  end)

  it("works in slices, also on labels", function()
    local grid = wend.grid(60, 60):fill(30, 1, 30, 60, false)
    local q, steps = wend.queue(), {}
    for i = 1, 3 do -- the second finds labels that the first has made
      local request = q:can_reach(grid, 1, 1, 60, 60)
      local ticks = clock(0.001)
      steps[i] = 0
      while q:pending() > 0 do
        q:run(0.001, ticks)
        steps[i] = steps[i] + 1
      end
      assert.equal(i == 3, request.result)
      if i == 2 then grid:open(30, 7) end
    end
    assert.truthy(steps[1] > 10 and steps[2] == 1, table.concat(steps, " "))
  end)
end)

describe("q:paths", function()
  local function costs_of(list)
    local costs = {}
    for i, path in ipairs(list) do costs[i] = path and path.cost end
    return costs
  end

  it("gives the list of map:paths", function()
    local g, grid, q = row(9):close(8), wend.grid(9, 9):fill(4, 1, 4, 8, false), wend.queue()
    local stats, found = {}, {}
    local first = q:paths(g, { 1, 5, 3, 3, 1, 9 }, { stats = stats, on_done = into(found) })
    local second = q:paths(grid, { 1, 1, 9, 1, 1, 1, 4, 4 })
    local none = q:paths(g, {})
    assert.equal("wend.Request (paths, waiting)", tostring(first))
    finish(q)
    assert.same({ 4, 0, false }, costs_of(first.result))
    assert.same({ first.result, false, false }, found[1])
    assert.equal("path", wend.type(first.result[1]))
    assert.same({ grid:path(1, 1, 9, 1).cost, false }, costs_of(second.result))
    assert.same({}, none.result)
    local direct = {}
    g:paths({ 1, 5, 3, 3, 1, 9 }, { stats = direct })
    assert.same(direct.fields, stats.fields)
    assert.truthy(stats.expanded > 0)
  end)

  it("works in slices of searches and fields, one path of a field at a time", function()
    local grid, list, stats = wend.grid(40, 40), {}, {}
    for i = 1, 40 do
      for _, number in ipairs { i, i, 40, 1 } do list[#list + 1] = number end
    end
    local expected = costs_of(grid:paths(list, { stats = stats, cost = function(_, cost) return cost end }))
    assert.equal(1, stats.fields)
    for _, n in ipairs { 1, 7, 1000, math.huge } do
      local q, sliced = wend.queue(), {}
      local request = q:paths(grid, list, { stats = sliced, cost = function(_, cost) return cost end })
      local steps = finish(q, n)
      assert.same(expected, costs_of(request.result))
      assert.same(stats, sliced)
      assert.same({ n < 1000 and steps > 1600 / n, 1 }, { n < 1000 and true, q.stats.done })
    end
  end)

  it("takes turns with other requests, and is cancelled in the middle", function()
    local grid, options = larger()
    local q, found = wend.queue(), {}
    local request = q:paths(grid, { 1, 1, 120, 120, 1, 2, 120, 120 },
      with(options, { owner = "ai", on_done = into(found) }))
    local short = q:path(grid, 1, 1, 2, 1)
    q:step(6000)
    assert.same({ "running", "done" }, { request.state, short.state })
    assert.equal(true, q:cancel("ai"))
    finish(q)
    assert.same({ { { false, "the request was cancelled", "cancelled" } }, "cancelled" }, { found, request.code })
    local one
    one = q:paths(grid, { 1, 1, 120, 120 }, { cost = function(_, cost)
      one:cancel()
      return cost
    end })
    finish(q)
    assert.equal("cancelled", one.code)
  end)

  it("reads its lists and options when it is queued", function()
    local g, q, trips, options = row(9), wend.queue(), { 1, 5 }, { max_cost = 9 }
    local request = q:paths(g, trips, options)
    trips[2], options.max_cost = 7, 1
    finish(q)
    assert.same({ 4 }, costs_of(request.result))
  end)

  it("ends with the error of a function", function()
    local q, g = wend.queue(), row(9)
    local request = q:paths(g, { 1, 5, 2, 5 }, { cost = function() error "no cost" end })
    local yielding = q:paths(g, { 1, 5, 2, 5 }, { cost = function() coroutine.yield() end })
    finish(q)
    assert.same({ "failed", "error" }, { request.state, request.code })
    assert.same({ "failed", "error" }, { yielding.state, yielding.code })
    assert.truthy(request.message:find "no cost")
    local freed = q:paths(g, { 1, 5 })
    debug.getmetatable(g).__gc(g)
    finish(q)
    assert.same({ "failed", "error" }, { freed.state, freed.code })
  end)

end)

describe("q:run", function()
  it("works until the clock has advanced by so many seconds", function()
    local grid, options = large()
    local q = wend.queue()
    q:path(grid, 1, 1, 60, 60, options)
    local ticks, readings = clock(0.0001)
    local used, left = q:run(0.002, ticks)
    assert.truthy(used > 0 and used < 3600 and left == 1, used)
    assert.truthy(math.abs(readings() - 21) <= 1, readings())
    while q:run(0.002, ticks) > 0 do end
    assert.equal(0, q:pending())
  end)

  it("takes os.clock, or the clock of the queue", function()
    local ticks, readings = clock(1)
    local q = wend.queue { clock = ticks }
    q:path(row(3), 1, 3)
    q:run(0.5)
    assert.equal(2, readings())
    local other = wend.queue()
    local request = other:path(row(3), 1, 3)
    for _ = 1, 100 do other:run(0.01) end
    assert.equal("done", request.state)
  end)

  it("stops when nothing waits", function()
    local q = wend.queue()
    assert.same({ 0, 0 }, { q:run(math.huge) })
    for _ = 1, 20 do q:path(row(3), 1, 3) end
    q:run(math.huge)
    assert.same({ 20, 0 }, { q.stats.done, q:pending() })
  end)

  it("works a little in each call, also without time", function()
    local q = wend.queue()
    q:path(row(300), 1, 300)
    for _ = 1, 600 do q:run(0) end -- 300 expansions, and 300 nodes of the path
    assert.equal(0, q:pending())
  end)

  it("keeps the time where steps are slow", function()
    local grid, options = large()
    local now, longest, before = 0, 0, nil
    local q = wend.queue { clock = function()
      if before then longest = math.max(longest, now - before) end
      before = now
      return now
    end }
    q:path(grid, 1, 1, 60, 60, with(options, { cost = function(_, cost) -- a function that takes 5 microseconds
      now = now + 5e-6
      return cost
    end }))
    for frame = 1, 20 do
      local started = now
      before = nil
      q:run(0.002)
      assert.truthy(now - started < 0.0028 and (frame == 1 or now - started < 0.0023), frame)
    end
  end)

  it("reads the clock seldom where steps are fast", function()
    local grid, options = large()
    local ticks, readings = clock(1e-7)
    local q = wend.queue()
    for _ = 1, 20 do q:path(grid, 1, 1, 60, 60, options) end
    local used = q:run(1, ticks)
    assert.truthy(readings() < used / 150, readings())
  end)

  for what, broken in pairs {
    ["goes backwards"] = function() return clock(-1) end,
    ["stands still"] = function() return clock(0) end,
  } do
    it("ends where the clock " .. what, function()
      local grid, options = large()
      local q, order = wend.queue(), {}
      for i = 1, 20 do q:path(grid, 1, 1, 60, 60, with(options, { on_done = into(order, i) })) end
      local runs = 0
      repeat
        local used, left = q:run(0.002, broken())
        assert.truthy(used >= 1 and used <= 20000 + 256)
        runs = runs + 1
      until left == 0
      assert.truthy(runs > 1)
      assert.equal(20, #order)
    end)
  end

  it("raises where the clock gives no number; the queue goes on", function()
    local grid, options = large()
    local q = wend.queue()
    local request = q:path(grid, 1, 1, 60, 60, options)
    for text, value in pairs { ["nan"] = 0 / 0, ["inf"] = math.huge, ["nil"] = false, ["'7'"] = "7" } do
      raises("clock must return a finite number, got " .. (value and text or "nil"), q.run, q, 1,
        function() return value or nil end)
      local times = 0
      raises("clock must return a finite number, got " .. (value and text or "nil"), q.run, q, 1, function()
        times = times + 1
        if times == 1 then return 0 end
        return value or nil
      end)
    end
    raises("no time", q.run, q, 1, function() error("no time", 0) end)
    raises("the queue is running: its functions cannot call step or run", q.run, q, 1, function() return q:step(1) end)
    finish(q)
    assert.equal("done", request.state)
  end)
end)

describe("a function on_done", function()
  it("that raises: the other requests are answered, then step raises the first error unchanged", function()
    local q, order, problem, g = wend.queue(), {}, { "a table" }, row(3)
    q:path(g, 1, 3, { on_done = into(order, 1) })
    q:path(g, 1, 3, { on_done = function() error(problem) end })
    q:path(g, 1, 3, { on_done = function() error "second" end })
    q:path(g, 1, 3, { on_done = into(order, 4) })
    local ok, raised = pcall(q.step, q, 100)
    assert.same({ false, problem, { 1, 4 }, 2, 0 }, { ok, raised, order, q.stats.errors, q:pending() })
    assert.equal(problem, raised)
    assert.same({ 0, 0 }, { q:step(100) })
  end)

  it("that raises in run, and for a cancelled request", function()
    local q, g = wend.queue(), row(3)
    local request = q:path(g, 1, 3, { on_done = function(_, _, code) error(code or "found", 0) end })
    raises("found", q.run, q, 1)
    assert.equal("done", request.state)
    q:path(g, 1, 3, { on_done = function(_, _, code) error(code, 0) end }):cancel()
    local last = q:path(g, 1, 3)
    raises("cancelled", q.step, q, 5)
    assert.equal("done", last.state)
    raises("found", function()
      q:path(g, 1, 3, { on_done = function() error("found", 0) end })
      q:step(5)
    end)
    q:path(g, 1, 3, { on_done = function() error(nil) end }) -- luacheck: ignore
    assert.is_false((pcall(q.step, q, 5)))
    assert.same({ 0, 0 }, { q:step(5) })
  end)

  it("may edit maps", function()
    local grid, options = large()
    local q, costs = wend.queue(), {}
    q:path(grid, 1, 1, 2, 2, { on_done = function() grid:fill(30, 1, 30, 59, false) end })
    for _ = 1, 3 do
      q:path(grid, 1, 1, 60, 1, with(options, { on_done = function(path) costs[#costs + 1] = path.cost end }))
    end
    finish(q, 100)
    local expected = grid:path(1, 1, 60, 1, options).cost
    assert.same({ expected, expected, expected }, costs)
  end)

  it("may queue requests, also for its owner, and cancel any", function()
    local q, order, g = wend.queue(), {}, row(5)
    local last, own
    own = q:path(g, 1, 5, { owner = "unit", on_done = function(path)
      order[#order + 1] = path.cost
      assert.is_false(own:cancel())
      last:cancel()
      q:path(g, 1, 4, { owner = "unit", on_done = into(order, "next") })
    end })
    last = q:path(g, 1, 5, { on_done = function(_, _, code) order[#order + 1] = code end })
    finish(q)
    assert.same({ 4, "next", "cancelled" }, order)
    assert.equal(0, q:pending())
  end)

  it("that always queues another one does not keep a step from ending", function()
    local q, times, g = wend.queue(), 0, row(3)
    local function again()
      times = times + 1
      q:path(g, 2, 2, { on_done = again })
      q:path(g, 2, 2, { priority = 9, on_done = again }):cancel()
    end
    again()
    q:step(50)
    q:step(50)
    assert.truthy(times > 90 and times < 200, times)
    q:clear()
  end)

  it("cannot call step or run, nor yield", function()
    local q, messages, g = wend.queue(), {}, row(3)
    local function try(fn)
      q:path(g, 1, 3, { on_done = function()
        local _, message = pcall(fn)
        messages[#messages + 1] = tostring(message):gsub("^[^:]*:%d+: ", "")
      end })
    end
    try(function() q:step(1) end)
    try(function() q:run(1) end)
    finish(q)
    local running = "the queue is running: its functions cannot call step or run"
    assert.same({ running, running }, messages)
    q:path(g, 1, 3, { on_done = function() coroutine.yield() end })
    local thread = coroutine.create(function() q:step(9) end)
    local ok, message = coroutine.resume(thread)
    assert.is_false(ok)
    assert.truthy(message:find "yield", message)
    local other = wend.queue()
    local request = other:path(g, 1, 3)
    q:path(g, 1, 3, { on_done = function() other:step(9) end })
    finish(q)
    assert.equal("done", request.state)
  end)

  it("may be anything that can be called", function()
    local q, found = wend.queue(), nil
    q:path(row(3), 1, 3, { on_done = setmetatable({}, { __call = function(_, path) found = path end }) })
    finish(q)
    assert.equal(2, found.cost)
  end)
end)

describe("a callback of a search", function()
  it("that raises ends its request with the code error", function()
    local q, found, g = wend.queue(), {}, row(9)
    q:path(g, 1, 9, { cost = function() error("bridge out", 0) end, on_done = into(found) })
    q:path(g, 1, 9, { cost = function() error {} end, on_done = into(found) })
    q:path(g, 1, 9, { on_done = into(found) })
    finish(q)
    assert.same({ false, "option 'cost': bridge out", "error" }, found[1])
    assert.same({ false, "an error that is a table", "error" }, found[2])
    assert.same({ 8, 2 }, { found[3][1].cost, q.stats.failed })
  end)

  it("may cancel its own request, and replace it", function()
    local q, found, g = wend.queue(), {}, row(9)
    local request, replaced
    request = q:path(g, 1, 9, { on_done = into(found), cost = function() request:cancel() end })
    q:path(g, 1, 9, { owner = "unit", on_done = into(found), cost = function()
      replaced = replaced or q:path(g, 1, 3, { owner = "unit", on_done = into(found) })
    end })
    finish(q)
    assert.same({ 2, "cancelled", "cancelled" }, { #found[1][1] - 1, found[2][3], found[3][3] })
    assert.same({ 1, 2, 0 }, { q.stats.done, q.stats.cancelled, q.stats.running })
  end)

  it("may queue other requests, but not step the queue", function()
    local q, message, other, g = wend.queue(), nil, nil, row(9)
    q:path(g, 1, 9, { cost = function()
      other = other or q:path(g, 1, 2)
      message = select(2, pcall(q.step, q, 1))
    end })
    finish(q)
    assert.truthy(message:find("the queue is running: its functions cannot call step or run", 1, true))
    assert.equal("done", other.state)
  end)
end)

describe("share with variation", function()
  it("answers the requests of a seed from its field", function()
    local q, grid, found = wend.queue(), wend.grid(41, 31):fill(21, 1, 21, 31, false):open(21, 6):open(21, 26), {}
    for y = 1, 30 do
      q:path(grid, 1, y, 41, 16, { share = true, variation = 0.5, seed = y % 3, on_done = into(found) })
    end
    finish(q)
    assert.equal(30, q.stats.shared)
    assert.truthy(q.stats.expansions < 3 * 41 * 31 * 2)
    for i = 1, 30 do
      local path = found[i][1]
      local field = grid:field(41, 16, { variation = 0.5, seed = path[2] % 3 })
      assert.equal(table.concat(field:path(1, path[2]), " "), table.concat(path, " "))
    end
  end)
end)

describe("a map that is freed while requests wait", function()
  it("ends them with the code error", function()
    local q, found = wend.queue(), {}
    local grid, options = large()
    local g = row(9)
    q:path(grid, 1, 1, 60, 60, with(options, { on_done = into(found) }))
    q:field(grid, 1, 1, { on_done = into(found) })
    q:path(grid, 1, 1, 60, 60, { share = true, on_done = into(found) })
    q:path(grid, 1, 1, 60, 60, { share = true, on_done = into(found) })
    q:path(g, 1, 9, { on_done = into(found) })
    q:step(100)
    debug.getmetatable(grid).__gc(grid)
    finish(q)
    for i = 1, 4 do assert.same({ false, "the grid is gone", "error" }, found[i]) end
    assert.equal(8, found[5][1].cost)
  end)
end)

describe("a damaged queue", function()
  local damages = {
    { "its numbers", function(q) q.stats = nil end },
    { "its lines", function(q) q.lines = nil end },
    { "its owners", function(q) q.owners = 7 end },
    { "its requests", function(q) q.requests = nil end, true },
    { "a request", function(_, request) request.next = nil end },
  }
  for _, damage in ipairs(damages) do
    local what, break_it, lost = damage[1], damage[2], damage[3]
    it("raises once, and is then empty and usable: " .. what, function()
      local q, found, g = wend.queue(), {}, row(9)
      local requests = {}
      for i = 1, 3 do requests[i] = q:path(g, 1, 9, { owner = i, on_done = into(found) }) end
      break_it(q, requests[2])
      local raised = {}
      for _, method in ipairs { "path", "cancel", "step" } do
        local ok, message = pcall(q[method], q, method == "path" and g or method == "cancel" and 2 or 100, 1, 9)
        if not ok then raised[#raised + 1] = message end
      end
      assert.equal(1, #raised)
      assert.truthy(raised[1]:find "^[^\n]-the queue was damaged, and was cleared: ", raised[1])
      finish(q)
      for i, request in ipairs(lost and {} or requests) do
        assert.same({ "failed", "error", "error" }, { request.state, request.code, found[i][3] })
        assert.truthy(request.message:find "^the queue was damaged", request.message)
      end
      local request = q:path(g, 1, 9, { owner = 1, share = true })
      finish(q)
      assert.same({ "done", 8, 0, 0 }, { request.state, request.result.cost, q.stats.waiting, q.stats.running })
    end)
  end

  it("can be damaged and cleared while it runs", function()
    local q, found, g = wend.queue(), {}, row(9)
    q:path(g, 1, 9, { on_done = function()
      q.lines = nil
      assert.is_false((pcall(q.path, q, g, 1, 9)))
      q:path(g, 1, 5, { on_done = into(found) })
      raises("the queue is running: its functions cannot call step or run", q.step, q, 1)
    end })
    q:path(g, 1, 9, { on_done = into(found) })
    finish(q)
    assert.same({ 4, "error" }, { found[1][1].cost, found[2][3] })
  end)
end)

describe("the option share", function()
  local function maze()
    local grid = wend.grid(30, 30):fill(10, 1, 10, 25, false):fill(20, 5, 20, 30, false)
    return grid:fill(3, 3, 8, 8, { weight = 3, tag = "swamp" })
  end

  it("is not damaged by finalizers that cancel or run requests while one is added", function()
    local pause, step = collector.tune(0, 10000)
    if _VERSION == "Lua 5.4" then collectgarbage("incremental", 4, 100, 6) end -- a finalizer at almost any allocation
    local grid, q, left, problems = wend.grid(9, 9), wend.queue(), 0, {}
    local function act()
      if left == 0 then return end
      left = left - 1
      local ok, problem
      if left % 3 == 0 then ok, problem = pcall(q.clear, q)
      else ok, problem = pcall(q.step, q, left % 2 == 0 and 50 or math.huge) end
      -- On Lua 5.1 a finalizer may run inside another one: its step is then a step inside a step.
      local refused = not ok and (problem:find "finalizer cannot" or problem:find "the queue is running")
      if not ok and not refused then problems[#problems + 1] = problem end
      collector.finalized(act)
    end
    local ok, problem = pcall(function()
      for round = 1, 40 do
        left = 60
        collector.finalized(act)
        for i = 1, 12 do
          for _ = 1, (i * 7 + round) % 31 do local _ = {} end
          q:path(grid, i % 9 + 1, 1, i % 3 + 1, 9, { share = true, owner = i % 5, priority = (i + round) % 4 })
        end
        left = 0
        q:step(math.huge)
      end
    end)
    collector.tune(pause, step)
    if _VERSION == "Lua 5.4" then collectgarbage("incremental", 200, 100, 13) end
    assert(ok, problem)
    assert.same({}, problems)
    assert.same({ 0, 0 }, { q.stats.errors, q:pending() })
  end)

  it("forgets a field whose search cancels the requests that it is made for", function()
    for slice = 1, 40 do
      local grid, q, requests = wend.grid(3, 1), wend.queue(), {}
      local function cancel_both()
        for i = 1, 2 do requests[i]:cancel() end
      end
      for i = 1, 2 do requests[i] = q:path(grid, i, 1, 3, 1, { cost = cancel_both, at_least = 0, share = true }) end
      q:step(slice)
      grid:set(1, 1, 2)                 -- fields are out of date
      q:step(slice)
      assert.same({ 2, 0, 0 }, { q.stats.cancelled, q.stats.errors, q:pending() })
    end
  end)

  it("shares fields of equal lists of layers, which the script may change", function()
    local grid = wend.grid(60, 60)
    local danger, noise = wend.influence(grid):stamp(30, 30, 20, 5), wend.influence(grid):stamp(10, 50, 30, 7)
    local q, list, found = wend.queue(), {}, {}
    for x = 1, 40 do q:path(grid, x, 1, 60, 60, { share = true, influence = { danger, 2 } }) end
    q:step(math.huge)
    assert.equal(40, q.stats.shared)
    for x = 1, 40 do
      list[1], list[2] = x % 2 == 0 and noise or danger, 2
      found[x] = q:path(grid, x, 1, 60, 60, { share = true, influence = list })
    end
    q:step(math.huge)
    assert.equal(80, q.stats.shared)
    for x = 1, 40 do
      local alone = grid:path(x, 1, 60, 60, { influence = { x % 2 == 0 and noise or danger, 2 } })
      assert.near(alone.cost, found[x].result.cost, 1e-9)
    end
  end)

  it("lets requests to one goal read their paths from one field, of the same costs", function()
    local grid, q, costs = maze(), wend.queue(), wend.costs { swamp = 2 }
    local found = {}
    for i = 1, 30 do
      q:path(grid, i, i, { x = 30, y = 1 }, { share = true, costs = costs, on_done = into(found) })
    end
    q:path(grid, { x = 1, y = 30 }, 30, 1, { share = true, costs = costs, on_done = into(found) })
    local used = q:step(1e6)
    assert.same({ 31, 31, 31 }, { #found, q.stats.done + q.stats.failed, q.stats.shared })
    assert.truthy(used < 1000, used) -- the field has 900 cells
    local alone = wend.queue()
    for i = 1, 30 do
      local path = grid:path(i, i, 30, 1, { costs = costs })
      assert.same(path ~= nil, found[i][1] ~= false)
      if path then
        assert.truthy(math.abs(path.cost - found[i][1].cost) < 1e-9)
        local cells = found[i][1]
        assert.same({ i, i, 30, 1 }, { cells[1], cells[2], cells[#cells - 1], cells[#cells] })
      end
    end
    assert.equal(0, alone:pending())
  end)

  it("works on graphs, with names", function()
    local g, q, found = row(30), wend.queue(), {}
    g:set_name(30, "end")
    q:path(g, 1, "end", { share = true, on_done = into(found) })
    q:path(g, 7, 30, { share = true, on_done = into(found) })
    q:path(g, 30, 30, { share = true, on_done = into(found) })
    finish(q, 5)
    assert.same({ 29, 23, 0, 3 }, { found[1][1].cost, found[2][1].cost, found[3][1].cost, q.stats.shared })
  end)

  it("searches for one request that is alone", function()
    local grid, q = maze(), wend.queue()
    local one = q:path(grid, 1, 1, 2, 2, { share = true })
    local other = q:path(grid, 1, 1, 3, 2, { share = true })
    q:step(100)
    assert.same({ "done", "done", 0 }, { one.state, other.state, q.stats.shared })
  end)

  it("separates agents, profiles and maps", function()
    local grid, q = maze(), wend.queue()
    local dear, boots = wend.costs { swamp = 9 }, { boots = true }
    local walker = wend.costs { swamp = function(agent) return agent.boots and 0.1 or 5 end }
    local requests = {}
    for i, opts in ipairs { {}, { costs = dear }, { costs = walker, agent = boots }, { costs = walker, agent = {} } } do
      opts.share = true
      requests[i] = { q:path(grid, 1, 5, 9, 5, opts), q:path(grid, 2, 5, 9, 5, opts), opts }
    end
    finish(q)
    assert.equal(8, q.stats.shared)
    for _, pair in ipairs(requests) do
      pair[3].share = nil
      assert.truthy(math.abs(grid:path(1, 5, 9, 5, pair[3]).cost - pair[1].result.cost) < 1e-9)
      assert.truthy(math.abs(grid:path(2, 5, 9, 5, pair[3]).cost - pair[2].result.cost) < 1e-9)
    end
  end)

  it("fails as a search does", function()
    local q, found = wend.queue(), {}
    local grid = wend.parse_grid { "..#.", "..#.", "..##" }
    for _ = 1, 2 do
      q:path(grid, 1, 1, 4, 1, { share = true, on_done = into(found) })
      q:path(grid, 1, 1, 3, 1, { share = true, on_done = into(found) })  -- a closed goal
      q:path(grid, 3, 2, 1, 1, { share = true, on_done = into(found) })  -- a closed start
    end
    finish(q)
    local codes = {}
    for i, one in ipairs(found) do codes[i] = one[3] or one[1].cost end
    table.sort(codes, function(a, b) return tostring(a) < tostring(b) end)
    local cost = grid:path(3, 2, 1, 1).cost
    assert.same({ cost, cost, "no_path", "no_path", "no_path", "no_path" }, codes)
  end)

  it("keeps the field for later requests, for a while", function()
    local grid, q = maze(), wend.queue()
    local function ask(count)
      for i = 1, count do q:path(grid, i, 1, 30, 1, { share = true }) end
      return (q:step(1e6))
    end
    assert.truthy(ask(2) > 500)
    assert.equal(1, ask(1))
    for _ = 1, 59 do q:step(1) end
    assert.equal(1, ask(1))
    for _ = 1, 61 do q:step(1) end
    assert.truthy(ask(1) > 1)
    ask(2)
    q:clear()
    assert.truthy(ask(2) > 500)
  end)

  it("updates the field after edits, as long as that does not make it again", function()
    local grid, q = wend.grid(70, 70), wend.queue()
    for y = 1, 70 do
      for x = 1, 70 do grid:set(x, y, (x * 7 + y * 3) % 5 + 1) end
    end
    grid:fill(20, 1, 20, 60, false):fill(40, 10, 40, 70, false)
    -- Queues requests with one goal. Returns the work, and how many were answered from a field.
    local function ask(count)
      local before, requests = q.stats.shared, {}
      for i = 1, count do requests[i] = q:path(grid, 1, i, 70, 35, { share = true }) end
      local used = q:step(1e6)
      for i, one in ipairs(requests) do
        assert.is_true(math.abs(grid:path(1, i, 70, 35).cost - one.result.cost) < 1e-9)
      end
      return used, q.stats.shared - before
    end
    assert.truthy(select(2, ask(70)) > 60)
    for x = 50, 53 do
      grid:set(x, 20, 2)
      local used, from_field = ask(3)
      assert.equal(3, from_field)
      assert.truthy(used < 500, used)
    end
    grid:fill(45, 1, 70, 70, 3)                 -- nearly all costs change
    local used, from_field = ask(3)
    assert.same({ true, 3 }, { used > 4000, from_field })
    grid:fill(45, 1, 70, 70, 4)
    assert.same({ 0 }, { select(2, ask(3)) })   -- so it is not tried again for a few
    assert.truthy(select(2, ask(70)) > 60)
  end)

  describe("and an agent that changes", function()
    local house = wend.parse_grid({ "...+..." }, { ["+"] = "door" })

    --- Queues requests of one agent. Returns them.
    local function ask(q, count, options)
      local requests, opts = {}, { share = true }
      for name, value in pairs(options) do opts[name] = value end
      for i = 1, count do requests[i] = q:path(house, i, 1, 7, 1, opts) end
      return requests
    end

    --- The costs or codes of requests, as one text.
    local function answers(requests)
      local list = {}
      for i, one in ipairs(requests) do list[i] = tostring(one.code or one.result.cost) end
      return (table.concat(list, " "):gsub("%.0", ""))
    end

    it("makes another field as soon as a tag function answers something else, for paths and for no_path", function()
      local q, agent, calls = wend.queue(), { key = false }, 0
      local costs = wend.costs { door = function(one) calls = calls + 1 return one.key and 1 or false end }
      local options = { costs = costs, agent = agent }
      local function now(wanted)
        local requests = ask(q, 3, options)
        q:step(math.huge)
        assert.equal(wanted, answers(requests))
      end
      for _ = 1, 3 do now "no_path no_path no_path" end
      assert.equal(3, calls)                   -- 1 for the field, and 1 for each later group of requests
      agent.key = true
      for _ = 1, 3 do now "6 5 4" end
      assert.equal(7, calls)
      assert.equal(18, q.stats.shared)
      agent.key = false
      local one = ask(q, 1, options)
      q:step(math.huge)
      assert.same({ "no_path", 18 }, { answers(one), q.stats.shared })    -- alone, it needs no field
    end)

    it("asks for those too that come while the field is made", function()
      local q, agent = wend.queue(), { key = false }
      local options = { agent = agent, costs = wend.costs { door = function(one) return one.key and 1 or false end } }
      local early = ask(q, 2, options)
      q:step(1)
      agent.key = true
      local late = ask(q, 2, options)
      q:step(math.huge)
      assert.same({ "no_path no_path", "6 5" }, { answers(early), answers(late) })
    end)

    it("serves no later requests if edge functions run", function()
      for _, options in ipairs { {}, { agent = 1 } } do
        local q, dear = wend.queue(), 1
        local function edge(_, cost) return cost * dear end
        if options.agent then
          options.costs = wend.costs {}
          options.costs:edge_rule("dear", edge, { at_least = 1 })
        else
          options.cost = edge
        end
        for i = 1, 3 do
          local weight = i * 6
          dear = i
          local requests = ask(q, 2, options)
          q:step(1)
          requests[3] = ask(q, 1, options)[1]
          q:step(math.huge)
          assert.equal(("%d %d %d"):format(weight, weight - i, weight), answers(requests))
          assert.equal(3 * i, q.stats.shared)
        end
      end
    end)

    it("goes on whatever the tag functions do", function()
      local q, acts, made = wend.queue(), {}, {}
      local costs = wend.costs { door = function()
        local act = table.remove(acts)
        if act then act() end
        return 1
      end }
      local options = { costs = costs, agent = {} }
      local function round(act)
        acts = { act }
        made = ask(q, 3, options)
        acts = { act }
        q:step(math.huge)
        for _, one in ipairs(made) do assert.truthy(one.state ~= "waiting" and one.state ~= "running") end
        assert.equal(0, q:pending())
      end
      round()
      round(function() made[1]:cancel() end)
      round(function() q:clear() end)
      round(function() for _, one in ipairs(made) do one:cancel() end end)
      round(function() error "no" end)
      round(function() house:close(1, 1) end)
      house:open(1, 1)
      round(function() ask(q, 2, options) end)
      round(function() assert.is_false(pcall(q.step, q, 1)) end)
      round()
      assert.equal("6 5 4", answers(made))
    end)

    it("is right at any time: a random one", function()
      helper.rounds("share and agents", 60, function(rng)
        local map = wend.grid(rng(3, 9), rng(2, 6)):fill("mud")
        for _ = 1, rng(0, 12) do
          map:set(rng(map:width()), rng(map:height()), rng:pick { "mud", "door", "lava", false })
        end
        local agent = { door = 1, lava = 1, mud = 1 }
        local function of(tag) return function(one) return one[tag] end end
        local costs = wend.costs { door = of "door", lava = of "lava", mud = of "mud" }
        local q, x, y = wend.queue(), rng(map:width()), rng(map:height())
        for _ = 1, rng(5, 40) do
          if rng:chance(0.4) then agent[rng:pick { "door", "lava", "mud" }] = rng:pick { 1, 2, 3, false } end
          local trips = {}
          for i = 1, rng(0, 3) do
            local sx, sy = rng(map:width()), rng(map:height())
            local known = map:path(sx, sy, x, y, { costs = costs, agent = agent })
            trips[i] = { q:path(map, sx, sy, x, y, { costs = costs, agent = agent, share = true }),
              known and known.cost or "no_path" }
          end
          q:step(math.huge)
          for _, trip in ipairs(trips) do
            local got, wanted = trip[1].code or trip[1].result.cost, trip[2]
            assert.truthy(got == wanted or math.abs(got - wanted) < 1e-9, tostring(got) .. " " .. tostring(wanted))
          end
        end
      end)
    end)
  end)

  describe("on a large map", function()
    --- 512 x 512 cells with a wall that has a gap.
    local function plain() return wend.grid(512, 512):fill(60, 1, 60, 200, false) end

    --- Queues requests from the cells of a column. Steps until they are answered, and compares their costs.
    local function ask(grid, q, x, count, to_x, to_y)
      local list = {}
      for i = 1, count do list[i] = q:path(grid, x, i, to_x, to_y, { share = true }) end
      finish(q)
      for i, one in ipairs(list) do
        assert.truthy(math.abs(grid:path(x, i, to_x, to_y).cost - one.result.cost) < 1e-6, i)
      end
    end

    it("looks at little of the map if the requests are near their goal", function()
      local q = wend.queue()
      ask(plain(), q, 5, 3, 25, 4)
      assert.truthy(q.stats.expansions < 4096, q.stats.expansions)
    end)

    it("makes a field of a part of the map for many requests", function()
      local grid, q = plain(), wend.queue()
      for i = 1, 40000 do grid:set(i * 37 % 509 + 1, i * 101 % 499 + 1, 1 + i % 3) end
      ask(grid, q, 1, 200, 100, 100)
      assert.truthy(q.stats.shared > 150, q.stats.shared)
      assert.truthy(q.stats.expansions < 200000, q.stats.expansions)
    end)

    it("makes a field of the whole map if a request lies beyond the part", function()
      local grid, q, codes = plain(), wend.queue(), {}
      for i = 1, 40000 do grid:set(i * 37 % 509 + 1, i * 101 % 499 + 1, 1 + i % 3) end
      grid:fill(60, 1, 60, 200, false):fill(70, 30, 72, 33, false)
      for y = 1, 200 do q:path(grid, 1, y, 55, 20, { share = true, on_done = into(codes) }) end
      for y = 20, 50 do           -- behind the wall, and two in a closed place
        local x = (y == 31 or y == 32) and 71 or 80
        q:path(grid, x, y, 55, 20, { share = true, on_done = into(codes) })
      end
      grid:open(71, 31, 71, 32)
      finish(q)
      local count = { no_path = 0 }
      for _, one in ipairs(codes) do
        if one[3] then count[one[3]] = count[one[3]] + 1 end
      end
      assert.same({ 231, 2 }, { #codes, count.no_path })
      assert.truthy(q.stats.shared > 0)
    end)

    it("searches for each of some requests where that is cheaper", function()
      local q = wend.queue()
      ask(plain(), q, 1, 12, 55, 400)
      assert.same({ 12, 0 }, { q.stats.done, q.stats.shared })
      assert.truthy(q.stats.expansions < 262144 / 2, q.stats.expansions)
    end)

    it("makes a field for a graph once searches have cost as much", function()
      local g, q = wend.graph(), wend.queue()
      local side = 80
      for i = 0, side * side - 1 do g:add_node(i % side, math.floor(i / side)) end
      for id = 1, side * side do
        if id % side > 0 then g:add_edge(id, id + 1, { weight = 1 + id % 5 }) end
        if id <= side * (side - 1) then g:add_edge(id, id + side, { weight = 1 + id % 3 }) end
      end
      local list = {}
      for i = 1, 60 do list[i] = q:path(g, i, side * side, { share = true }) end
      finish(q)
      assert.truthy(q.stats.shared > 40, q.stats.shared)
      assert.truthy(q.stats.expansions < 4 * side * side, q.stats.expansions)
      for i, one in ipairs(list) do
        assert.truthy(math.abs(g:path(i, side * side).cost - one.result.cost) < 1e-6)
      end
    end)

    it("gives the costs of map:path: a random one", function()
      helper.rounds("share on large maps", 20, function(rng)
        local map = wend.grid(rng(80, 160), rng(80, 160))
        for _ = 1, rng(0, 60) do
          local x, y = rng(map:width() - 9), rng(map:height() - 9)
          map:fill(x, y, x + rng(0, 9), y + rng(0, 9), rng:pick { false, 1, 2, 5, 0.5 })
        end
        local q, x, y, trips = wend.queue(), rng(map:width()), rng(map:height()), {}
        for i = 1, rng(2, 60) do
          local from = { rng(map:width()), rng(map:height()) }
          trips[i] = { from, q:path(map, from[1], from[2], x, y, { share = true }) }
          if rng:chance(0.1) then q:step(rng(1, 20000)) end
        end
        finish(q, rng(100, 20000))
        for _, trip in ipairs(trips) do
          local known = map:path(trip[1][1], trip[1][2], x, y)
          local got, wanted = trip[2].code or trip[2].result.cost, known and known.cost or "no_path"
          assert.truthy(got == wanted or math.abs(got - wanted) < 1e-6, tostring(got) .. " " .. tostring(wanted))
        end
      end)
    end)
  end)

  it("can be cancelled and replaced at any time", function()
    local grid, q, codes = maze(), wend.queue(), {}
    local requests = {}
    for i = 1, 12 do
      requests[i] = q:path(grid, i, 1, 30, 1, { share = true, owner = i, on_done = function(path, _, code)
        codes[i] = code or path.cost
      end })
    end
    q:step(100)
    for i = 1, 11, 2 do requests[i]:cancel() end
    q:path(grid, 1, 30, 30, 1, { share = true, owner = 2 })
    finish(q, 100)
    for i = 1, 12 do
      assert.equal((i % 2 == 1 or i == 2) and "string" or "number", type(codes[i]), i)
    end
    assert.equal(6, q.stats.shared)
  end)

  it("does not build a field again and again for many goals at once", function()
    local grid, q = wend.grid(30, 30), wend.queue()
    for round = 1, 10 do
      for goal = 1, 20 do q:path(grid, round, 1, goal, 30, { share = true }) end
    end
    finish(q, 100)
    assert.truthy(q.stats.expansions < 20 * 1000, q.stats.expansions)
    assert.equal(200, q.stats.shared)
  end)

  it("fills the table of the option into", function()
    local grid, q, filled = maze(), wend.queue(), {}
    q:path(grid, 1, 1, 30, 1, { share = true })
    local request = q:path(grid, 2, 1, 30, 1, { share = true, into = filled })
    finish(q)
    assert.equal(filled, request.result)
    assert.same({ 2, 1 }, { filled[1], filled[2] })
  end)
end)

describe("core.close", function()
  it("frees a search, which nothing can use after that", function()
    local grid = wend.grid(9, 9)
    for _ = 1, 20 do
      local search = wend.core.start("path", grid, 1, 1, 9, 9)
      search:step(2)
      wend.core.close(search)
      wend.core.close(search)
      raises("the search is gone", search.step, search, 1)
    end
    local search = wend.core.start("path", grid, 1, 1, { 9, 9, 5, 5 })
    search:step(100)
    assert.equal(2, search:result().goal)
    raises("search must be a search, got nil", wend.core.close)
  end)

  it("does nothing while the search is running", function()
    local search
    search = wend.core.start("path", row(5), 1, 5, { cost = function() wend.core.close(search) end })
    assert.equal("found", (search:step(100)))
    assert.equal(4, search:result().cost)
  end)

  it("keeps at most 2 MB for others, and frees the rest bit by bit", function()
    local grid = wend.grid(300, 300)
    local options = { algorithm = "dijkstra" }
    local function run()
      local search = wend.core.start("path", grid, 1, 1, 300, 300, options)
      search:step(100000)
      return search
    end
    local searches = { run(), run(), run() }
    assert.truthy(searches[1]:bytes() > 1000000)
    for _, search in ipairs(searches) do wend.core.close(search) end
    local other = wend.core.start("path", grid, 1, 1, 300, 300, options)
    for _ = 1, 1000 do other:step(1) end
    local kept = 0
    for i = 1, 3 do
      searches[i] = wend.core.start("path", grid, 1, 1, 2, 2)
      assert.equal(0, searches[i]:bytes())
      searches[i]:step(1)
      if searches[i]:bytes() > 1000000 then kept = kept + 1 end
    end
    assert.truthy(kept <= 1)
    for _, search in ipairs(searches) do wend.core.close(search) end
  end)

  it("leaves memory to others, also after its map was freed", function()
    local q = wend.queue()
    for _ = 1, 5 do
      local grid = wend.grid(20, 20):fill(5, 5, 9, 9, 3)
      for i = 1, 20 do q:path(grid, 1, 1, 20, i) end
      finish(q)
      debug.getmetatable(grid).__gc(grid)
      debug.getmetatable(grid).__gc(grid)
    end
    assert.equal(100, q.stats.done)
  end)
end)

describe("a full queue", function()
  it("holds nothing of the requests with share that it refuses", function()
    local q, weak = wend.queue { limit = 1 }, setmetatable({}, { __mode = "v" })
    q:path(row(9), 1, 9)
    for i = 1, 5 do
      weak[i] = row(9)
      assert.is_nil(q:path(weak[i], 1, 9, { share = true }))
    end
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(weak))
  end)
end)

describe("core.values", function()
  it("lists the values of a table", function()
    local list = wend.core.values { x = "b", [false] = "c", "a" }
    table.sort(list)
    assert.same({ "a", "b", "c" }, list)
    assert.same({}, wend.core.values {})
    assert.has_error(function() wend.core.values() end, "values must be a table, got nil")
    assert.has_error(function() wend.core.values(1) end, "values must be a table, got 1")
  end)
end)

describe("core.call", function()
  it("is pcall for functions that must not yield", function()
    assert.same({ true, 1, 2 }, { wend.core.call(function(...) return ... end, 1, 2) })
    assert.same({ false, "no" }, { wend.core.call(error, "no", 0) })
    local thread = coroutine.wrap(function() return wend.core.call(coroutine.yield) end)
    assert.is_false((thread()))
  end)

  it("raises nothing where searches are nested too deep", function()
    local g, q, results = row(2), wend.queue(), {}
    local function nest()
      local ok, problem = pcall(g.path, g, 1, 2, { cost = function(_, cost) nest() return cost end })
      if not ok and not results[1] then
        results[1], results[2] = problem, { wend.core.call(type, 1) }
        pcall(q.step, q, 1)
      end
    end
    nest()
    -- Most Luas limit nested calls of C functions, and come to that first.
    assert.truthy(results[1]:find "too many searches" or results[1]:find "overflow")
    assert.equal("boolean", type(results[2][1]))
    assert.same({ 0, 0 }, { q:step(1) })    -- the queue is not busy
  end)
end)

describe("the memory of a queue", function()
  it("is small while thousands wait", function()
    local grid, q = wend.grid(200, 200), wend.queue()
    collectgarbage() collectgarbage()
    local before = reference.resident()
    if not before then return pending "no /proc here" end
    for i = 1, 3000 do q:path(grid, 1, 1, 200, i % 200 + 1, { heuristic = "octile" }) end
    for i = 1, 500 do q:field(grid, i % 200 + 1, 1) end
    q:step(3000)
    assert.truthy(reference.resident() - before < 40000, reference.resident() - before)
    q:clear()
  end)

  it("does not grow with the requests that are over", function()
    local g, q = row(20), wend.queue()
    local function ask(times)
      for i = 1, times do
        q:path(g, 1, 20, { owner = i % 10, priority = i % 17, on_done = function() end })
        if i % 3 == 0 then q:step(30) end
      end
      q:clear():step(1)
    end
    ask(300)
    collectgarbage() collectgarbage()
    local before = collectgarbage "count"
    ask(6000)
    collectgarbage() collectgarbage()
    assert.truthy(collectgarbage "count" - before < 100, collectgarbage "count" - before) -- LuaJIT compiles
  end)
end)

describe("Errors:", function()
  local q, g, grid = wend.queue(), row(3), wend.grid(3, 3)
  helper.all_raise(it, {
    "unknown option 'limits' (expected one of: limit, clock)", function() wend.queue { limits = 7 } end,
    "map must be a graph or a grid, got a wend.Queue", function() q:field(q, 1) end,
    "x2 must be a whole number in 1 .. 3, got 4", function() q:path(grid, 1, 1, 4, 1) end,
    "x2 must be a whole number in 1 .. 3, got 4", function() q:path(grid, 1, 1, 4, 1, { on_done = print }) end,
    "to: there is no node 9", function() q:path(g, 1, 9, { priority = 1 }) end,
    "unknown option 'prio' (expected one of: costs, agent, ...", function() q:path(g, 1, 2, { prio = 1 }) end,
    "owner must not be nan", function() q:path(g, 1, 2, { owner = 0 / 0 }) end,
    "share is an option of q:path: q:route cannot share a field", function()
      q:route(grid, { 1, 1 }, { 2, 2 }, { share = true })
    end,
    "share is an option of q:path: q:field cannot share a field", function() q:field(g, 1, { share = true }) end,
    "share is an option of q:path: q:can_reach cannot share a field", function()
      q:can_reach(g, 1, 2, { share = true })
    end,
    "unknown option 'share' (expected one of: costs, agent, ...", function() q:paths(g, { 1, 2 }, { share = true }) end,
    "unknown option 'into' (expected one of: costs, agent, ...", function() q:paths(g, { 1, 2 }, { into = {} }) end,
    "unknown option 'max_cost' (expected one of: costs, agent, ...", function()
      q:can_reach(g, 1, 2, { max_cost = 3 })
    end,
    "self must be a queue (call it with a colon: queue:method()), got a wend.Graph", function() q.paths(g, {}) end,
    "trips[2]: there is no node 9", function() q:paths(g, { 1, 9 }) end,
    "trips[3] must be a whole number in 1 .. 3, got 4", function() q:paths(grid, { 1, 1, 4, 1 }) end,
    "share cannot be combined with the option 'partial'", function()
      q:path(g, 1, 2, { share = true, partial = true })
    end,
    "share needs one goal, got a list", function() q:path(g, 1, { 2 }, { share = true }) end,
    "share needs one goal, got a list", function() q:path(grid, 1, 1, { 2, 2 }, { share = true }) end,
    "share needs one goal, got a list", function() q:path(grid, { x = 1, y = 1 }, { 2, 2 }, { share = true }) end,
  })

  it("name the valid options of the queue, and the line of the script", function()
    local ok, message = pcall(function() q:path(g, 1, 2, { prio = 1 }) end)
    assert.is_false(ok)
    assert.truthy(message:find(", sight, priority, owner, on_done, share)", 1, true), message)
    assert.truthy(message:find "^[^\n]*queue_spec%.lua:%d+: ", message)
  end)

  it("leave the queue as it was", function()
    assert.equal(0, q:pending())
  end)
end)
