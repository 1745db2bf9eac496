-- SPDX-License-Identifier: MIT
-- Orders with variation: walkers whose ways depend on a seed.
local helper = require "spec.support.helper"
local wend = require "wend"

local unpack = table.unpack or unpack -- luacheck: ignore 143

local STEP = 1 / 30

-- A wall with a door at each end; the upper one is a little nearer.
local function doors()
  local map = wend.grid(80, 60):fill(40, 1, 40, 60, false)
  return map:open(40, 14):open(40, 45)
end

-- A crowd whose walkers stand in the middle of the left side.
local function troop(map, count)
  local crowd, list = wend.crowd { map = map }, {}
  for i = 1, count do list[i] = crowd:add { x = 5 + (i - 1) % 4, y = 22 + math.floor((i - 1) / 4) } end
  return crowd, list
end

-- Runs a crowd until all are through the wall. By walker: whether it took the upper door.
local function through(crowd, list)
  local upper, count = {}, 0
  for _ = 1, 60 * 30 do
    crowd:update(STEP)
    for i, w in ipairs(list) do
      if upper[i] == nil and w.x > 40 then upper[i], count = w.y < 30, count + 1 end
    end
    if count == #list then return upper end
  end
  error(("%d of %d went through"):format(count, #list))
end

local function count_upper(upper)
  local count = 0
  for _, is_upper in ipairs(upper) do count = count + (is_upper and 1 or 0) end
  return count
end

describe("orders with variation", function()
  it("send walkers by ways that depend on their seeds", function()
    local taken = 0
    for seed = 1, 30 do
      local crowd, list = troop(doors(), 1)
      list[1]:go(75, 29, { variation = 0.3, seed = seed })
      taken = taken + count_upper(through(crowd, list))
    end
    assert.truthy(taken > 10 and taken < 30, taken)
  end)

  it("share a field if goal and seed are the same", function()
    local queue = wend.queue()
    local crowd = wend.crowd { map = doors(), queue = queue }
    for i = 1, 40 do
      crowd:add({ x = 5 + (i - 1) % 8, y = 22 + math.floor((i - 1) / 8) }):go(75, 29, { variation = 0.3, seed = 1 })
    end
    for _ = 1, 40 do
      queue:step(20000)
      crowd:update(STEP)
    end
    assert.truthy(queue.stats.shared >= 30, queue.stats.shared)
  end)

  it("go by the path of the seed, at its cost", function()
    for seed = 1, 10 do
      local map = doors()
      local crowd, list = troop(map, 1)
      list[1]:go(75.5, 28.5, { variation = 0.5, seed = seed })
      local upper
      local from, to = { map:cell_at(5, 22) }, { map:cell_at(75.5, 28.5) }
      for _, x, y in map:path(from[1], from[2], to[1], to[2], { variation = 0.5, seed = seed }):each() do
        if x == 40 then upper = y < 30 end
      end
      list[1]:go(75.5, 28.5, { variation = 0.5, seed = seed })  -- changes nothing
      assert.equal(upper, through(crowd, list)[1])
    end
  end)

  it("give a group at most eight seeds, which stay with its walkers", function()
    local plain, plain_list = troop(doors(), 24)
    plain:go(plain_list, 75, 28)
    assert.is_true(count_upper(through(plain, plain_list)) >= 22)  -- others take the way around a jam
    local crowd, list = troop(doors(), 24)
    crowd:go(list, 75, 28, { variation = 0.5, seed = 3 })
    local all = count_upper(through(crowd, list))
    assert.truthy(all > 0 and all < 22, all)
    -- walkers at one place, each alone in its crowd, of the same number after 8
    local ways = {}
    for number = 1, 16 do
      local one = wend.crowd { map = doors() }
      local members = {}
      for i = 1, number do members[i] = one:add { x = 5 + i % 4 / 2, y = 25 } end
      for i = 1, number - 1 do members[i]:remove() end
      one:go({ members[number] }, 75, 28, { variation = 0.5, seed = 3 })
      ways[number] = through(one, { members[number] })[1]
    end
    for number = 1, 8 do assert.equal(ways[number], ways[number + 8]) end
  end)

  it("are the same orders again if they have the same seed", function()
    local function run(again)
      local crowd, list = troop(doors(), 8)
      for i = 1, 200 do
        if i == 1 or again then crowd:go(list, 75, 28, { variation = 0.5, seed = 3 }) end
        crowd:update(STEP)
      end
      return crowd:hash()
    end
    assert.equal(run(false), run(true))
  end)

  it("go on after loading, also while they wait for their plans", function()
    for _, budget in ipairs { 50, 100000 } do
      for _, kind in ipairs { "each", "group", "ends" } do
        local map = doors()
        local crowd = wend.crowd { map = map, budget = budget }
        local list = {}
        for i = 1, 6 do list[i] = crowd:add { x = 5 + i % 3, y = 27 + i } end
        if kind == "group" then crowd:go(list, 75, 28, { variation = 0.5, seed = 2 }) end
        for i, w in ipairs(list) do
          if kind == "each" then w:go(75, 28, { variation = 0.5, seed = i, partial = true }) end
          if kind == "ends" then
            w:go { goals = { { x = 75, y = 28 }, { x = 70, y = 50 } }, within = 2, variation = 0.5, seed = i }
          end
        end
        for _ = 1, 5 do crowd:update(STEP) end
        local copy = assert(wend.decode(crowd:encode(), { map = map }))
        for frame = 1, 600 do
          crowd:update(STEP)
          copy:update(STEP)
          if frame == 300 then map:close(40, 14):open(40, 20) end
          assert.equal(crowd:hash(), copy:hash(), ("%s, %d, frame %d"):format(kind, budget, frame))
        end
      end
    end
  end)

  it("take routes of graphs, and do nothing where there is no map", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 20, 10, 20, -10, 40, 0 }
    g:add_edges { 1, 2, 2, 4, 1, 3, 3, 4 }
    local taken = {}
    for seed = 1, 20 do
      local crowd = wend.crowd { map = g }
      local w = crowd:add { x = 0, y = 0 }
      w:go(40, 0, { variation = 0.5, seed = seed })
      for _ = 1, 300 do crowd:update(STEP) end
      taken[w.y > 0] = true
    end
    assert.same({ [true] = true, [false] = true }, taken)
    local w = wend.crowd():add { x = 0, y = 0 }
    assert.equal("moving", w:go(9, 0, { variation = 1, seed = 1 }).state)
  end)

  it("raise for wrong options", function()
    local crowd, list = troop(doors(), 1)
    for _, case in ipairs {
      { "variation needs a seed: the path depends on it", 1, 1, { variation = 0.2 } },
      { "variation needs a seed: the path depends on it", { goals = { { x = 1, y = 1 } }, variation = 0 } },
      { "variation must be a finite number >= 0, got -1", 1, 1, { variation = -1, seed = 1 } },
      { "variation must be a finite number >= 0, got inf", 1, 1, { variation = math.huge, seed = 1 } },
      { "variation must be a finite number >= 0, got '1'", 1, 1, { variation = "1", seed = 1 } },
      { "seed must be a finite number, got nan", 1, 1, { variation = 1, seed = 0 / 0 } },
      { "variation is for positions: a list of points has none", { 1, 1, 2, 2, variation = 1 } },
    } do
      local function go(...) list[1]:go(...) end
      helper.raises(case[1], go, unpack(case, 2, 4))
      if type(case[2]) == "number" or not case[2][1] then
        helper.raises(case[1], function(...) crowd:go(list, ...) end, unpack(case, 2, 4))
      end
      assert.equal("waiting", list[1].state)
    end
  end)
end)
