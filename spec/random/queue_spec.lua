-- SPDX-License-Identifier: MIT
-- Random requests, priorities, owners, cancellations and edits between steps. The model is a list: each request is
-- answered once, with what the map gives at that moment when it is asked directly.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local TAGS = { "road", "swamp" }

--- A random grid, and functions that draw the arguments of its calls and edit it.
local function random_grid(rng)
  local width, height = rng(3, 25), rng(3, 25)
  local grid = wend.grid(width, height, { diagonals = rng:pick { "both_open", "both_open", "one_open", "never" },
    diagonal_length = rng:pick(grid_reference.LENGTHS) })
  local function cell() return rng(width), rng(height) end
  local function value()
    return rng:pick { false, false, 1, 1, rng(4), "road", { weight = rng(3), tag = rng:pick(TAGS) } }
  end
  for _ = 1, rng(width * height / 2) do
    local x, y = cell()
    grid:set(x, y, value())
  end
  local world = {}
  function world.ends()
    local x1, y1 = cell()
    return { x1, y1, cell() }
  end
  local function point() return { rng() * width, rng() * height } end
  function world.points() return { point(), point() } end
  --- Between the centres of cells, without straight legs, a route costs what the path of the cells costs.
  function world.centres()
    local x1, y1, x2, y2 = unpack(world.ends())
    return { { x1 - 0.5, y1 - 0.5 }, { x2 - 0.5, y2 - 0.5 } }
  end
  function world.place() return { cell() } end
  world.edits = 0
  function world.edit()
    world.edits = world.edits + 1
    local x, y = cell()
    local what = rng(4)
    if what == 1 then grid:close(x, y) elseif what == 2 then grid:open(x, y) else grid:set(x, y, value()) end
  end
  return grid, world
end

local function random_graph(rng)
  local graph, model = helper.random_graph(rng, { dimensions = 2, nodes = rng(2, 60), closed_nodes = 0.1 })
  local world = { edits = 0 }
  local function node() return rng:pick(model.nodes) end
  function world.ends() return { node(), node() } end
  function world.points() return { { rng(100), rng(100) }, { rng(100), rng(100) } } end
  function world.place() return { node() } end
  function world.edit()
    world.edits = world.edits + 1
    local what = rng(4)
    if what == 1 then graph:close(node()) elseif what == 2 then graph:open(node()) end
    if what > 2 and #model.edges > 0 then
      local edge = rng:pick(model.edges).id
      if what == 3 then graph:set_weight(edge, rng(200)) else graph:close_edge(edge) end
    end
  end
  return graph, world
end

local function near(a, b) return a == b or math.abs(a - b) <= 1e-9 * math.max(math.abs(a), math.abs(b)) end

--- The cost that a result tells; of a field, that of a place; of a list of paths, the sum.
local function cost_of(kind, result, place)
  if not result then return nil end
  if kind == "can_reach" then return 1 end
  if kind == "paths" then
    local sum = 0
    for i, path in ipairs(result) do sum = sum + (path and path.cost or 2 ^ i) end
    return sum
  end
  if kind == "field" then return result:cost(unpack(place)) end
  return result.cost
end

describe("a queue", function()
  it("answers each request once, with what the map itself has answered at a time since the request", function()
    helper.rounds("queue", 60, function(rng)
      local map, world = (rng:chance(0.5) and random_grid or random_graph)(rng)
      local costs = wend.costs { road = 0.5, swamp = function() return 2 end }
      local q, requests = wend.queue(), {}
      local stepping = false

      -- Notes what the map answers now.
      local function look(one)
        local result, _, code = map[one.kind](map, unpack(one.arguments, 1, one.count))
        local cost = cost_of(one.kind, result, one.place)
        for _, known in ipairs(one.known) do
          if known.code == code and known.cost == cost then return end
        end
        one.known[#one.known + 1] = { code = code, cost = cost }
      end

      local function edit()
        world.edit()
        for _, one in ipairs(requests) do
          if one.answers == 0 and not one.cancelled and one.kind ~= "paths" then look(one) end
        end
      end

      local function ask()
        local kind = rng:pick { "path", "path", "path", "route", "field", "can_reach", "paths" }
        local arguments = kind == "path" and world.ends() or kind == "can_reach" and world.ends()
          or kind == "route" and world.points() or kind == "field" and world.place() or { {} }
        for _ = 1, kind == "paths" and rng(0, 20) or 0 do
          for _, item in ipairs(world.ends()) do table.insert(arguments[1], item) end
        end
        local one = { kind = kind, place = world.place(), priority = rng(-1, 1), answers = 0 }
        local plain = { costs = rng:chance(0.5) and costs or nil }
        if kind == "route" and world.centres and rng:chance(0.5) then
          arguments, plain.straighten = world.centres(), false
        end
        local edits = world.edits
        local takes_algorithm = kind ~= "field" and kind ~= "can_reach"
        if rng:chance(0.3) then plain.algorithm = takes_algorithm and "dijkstra" or nil end
        local count = #arguments + 1
        local options = { priority = one.priority, share = kind == "path" and rng:chance(0.3) or nil }
        if options.share then plain.algorithm = nil end
        if rng:chance(0.4) then options.owner = rng(6) end
        for key, value in pairs(plain) do options[key] = value end
        function options.on_done(result, message, code, request)
          one.answers = one.answers + 1
          assert.is_true(stepping, "on_done runs outside of step")
          assert.equal(one.request, request)
          assert.equal(request.state, result ~= nil and "done" or code == "cancelled" and "cancelled" or "failed")
          if code == "cancelled" then
            assert.is_true(one.cancelled or false, message)
            return
          end
          assert.is_nil(one.cancelled)
          for _, other in ipairs(requests) do
            if other.answers == 0 and not other.cancelled and other.priority > one.priority and not options.share
              and edits == world.edits then -- otherwise it may wait for a version of the map
              error "a higher priority waits"
            end
          end
          local cost = cost_of(kind, result, one.place)
          local fits = kind == "paths" and edits ~= world.edits
          for _, known in ipairs(one.known) do
            fits = fits or known.code == code and (known.cost == cost or known.cost and cost and near(known.cost, cost))
          end
          -- A path of an older version than that of the request need not be the cheapest, but holds.
          if kind == "path" and result then fits = fits or result:valid() end
          assert.is_true(fits, ("%s %s"):format(tostring(cost), tostring(code)))
          if rng:chance(0.05) then edit() end
        end
        one.count, one.known, one.arguments = count, {}, { unpack(arguments, 1, count - 1) }
        one.arguments[count] = plain
        look(one)
        arguments[count] = options
        if options.owner then
          for _, other in ipairs(requests) do
            if other.owner == options.owner and other.answers == 0 then other.cancelled = true end
          end
        end
        one.owner = options.owner
        one.request = assert(q[kind](q, map, unpack(arguments, 1, count)))
        requests[#requests + 1] = one
      end

      local now = 0
      local function clock()
        now = now + 0.001
        return now
      end

      local function step(n)
        local by_clock = rng:chance(0.3)
        local used, left
        stepping = true
        if by_clock then used, left = q:run(n / 16000, clock) else used, left = q:step(n) end
        stepping = false
        assert.is_true(by_clock or used <= n)
        assert.equal(left, q:pending())
      end

      for _ = 1, 30 do
        for _ = 1, rng(0, 6) do ask() end
        for _ = 1, rng:chance(0.6) and rng(0, 2) or 0 do edit() end
        if rng:chance(0.3) and #requests > 0 then
          local one = rng:pick(requests)
          local over = one.answers > 0 or one.cancelled
          assert.equal(not over, one.request:cancel())
          if not over then one.cancelled = true end
        end
        step(rng:pick { 1, 5, 30, 200, 600 })
      end
      local steps = 0
      while q:pending() > 0 do
        step(50)
        if rng:chance(0.3) then edit() end
        steps = steps + 1
        assert.is_true(steps < 20000, "it does not end")
      end
      local cancelled = 0
      for _, one in ipairs(requests) do
        assert.equal(1, one.answers)
        cancelled = cancelled + (one.cancelled and 1 or 0)
      end
      local stats = q.stats
      assert.same({ #requests, cancelled, 0, 0, 0 },
        { stats.done + stats.failed + stats.cancelled, stats.cancelled, stats.waiting, stats.running, stats.errors })
    end)
  end)
end)
