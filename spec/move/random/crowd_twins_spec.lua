-- SPDX-License-Identifier: MIT
-- Crowds with all kinds of orders, among edits, that are saved while plans are looked for. The loaded crowd goes on
-- like its twin. Plans that were asked for before an edit are looked for anew: it is saved when these are over.
local core = require "wend.core"
local helper = require "spec.support.helper"
local wend = require "wend"

local SECONDS = 20
local SIZE, HIGH = 16, 6                -- of the blocks of a surface

-- A scene has: map; place(), which draws x, y and a height; copy(map), which makes an equal map; edit() and order(n),
-- which draw a function that edits a map, and one that sends walkers of a twin: a table of crowd, map, walkers, fields.
local scenes = {}

--- The walkers of a twin from one on.
local function some(twin, first, more)
  local list = {}
  for i = first, math.min(first + more, #twin.walkers) do list[#list + 1] = twin.walkers[i] end
  return list
end

--- Lets walkers surround another one.
local function surround(twin, list, prey)
  local chasers = {}
  for _, w in ipairs(list) do
    if w ~= prey then chasers[#chasers + 1] = w end
  end
  twin.crowd:surround(chasers, prey)
end

local function copy_of(map) return assert(wend.decode(map:encode())) end

function scenes.grid(rng)
  local width, height, cell = rng(12, 40), rng(10, 30), rng:pick { 1, 1, 4 }
  local map = wend.grid(width, height, { cell = cell, origin = rng:pick { { 0, 0 }, { -50, 7 } } })
  for _ = 1, rng(0, 14) do
    local x, y = rng(width), rng(height)
    map:fill(x, y, math.min(width, x + rng(0, 8)), math.min(height, y + rng(0, 1)), false)
  end
  for _ = 1, rng(0, 12) do map:set(rng(width), rng(height), rng:pick { 2, 5, "mud", "road" }) end
  for _ = 1, rng(0, 5) do map:link(rng(width), rng(height), rng(width), rng(height), { weight = rng(1, 9) }) end
  local scene = { map = map, copy = copy_of, unit = cell }
  function scene.place()
    local x, y = map:position(rng(width), rng(height))
    return x + (rng() - 0.5) * cell, y + (rng() - 0.5) * cell
  end
  function scene.edit()
    local what, x, y, to_x, to_y, tag = rng(5), rng(width), rng(height), rng(width), rng(height), "new" .. rng(3)
    return function(grid)
      if what == 1 then grid:set(x, y, 1)
      elseif what == 2 then grid:fill(x, y, math.min(width, x + 3), y, false)
      elseif what == 3 then grid:set(x, y, tag)
      elseif what == 4 then grid:link(x, y, to_x, to_y, { weight = 3 })
      else grid:set(x, y, false) end
    end
  end
  function scene.order(n)
    local what, who, more, other = rng(16), rng(n), rng(0, 8), rng(n)
    local x, y = scene.place()
    local x2, y2 = scene.place()
    local way = { partial = rng:chance(0.5), closed_goal = rng:chance(0.3), stop = rng:chance(0.8) }
    if rng:chance(0.2) then way.variation, way.seed = 0.5, rng(9) end
    local together, offsets = rng:chance(0.5), {}
    for i = 1, 18 do offsets[i] = (rng() - 0.5) * 4 * cell end
    return function(twin)
      local crowd, w, prey, list = twin.crowd, twin.walkers[who], twin.walkers[other], some(twin, who, more)
      local cx, cy = twin.map:cell_at(x, y)
      local formation = {}
      for i = 1, 2 * #list do formation[i] = offsets[i] end
      if what <= 3 then w:go(x, y, way)
      elseif what <= 5 then crowd:go(list, x, y, { partial = way.partial })
      elseif what == 6 then crowd:go(list, x, y, { formation = "keep", together = together })
      elseif what == 7 then crowd:go(list, x, y, { formation = formation, together = together })
      elseif what == 8 and w ~= prey then w:chase(prey)
      elseif what == 9 then surround(twin, list, prey)
      elseif what == 10 then w:go { x, y, x2, y2 }
      elseif what == 11 then w:go(x, y, { within = 3 * cell })
      elseif what == 12 then w:go(x, y, { beside = true })
      elseif what == 13 and not twin.map:is_closed(cx, cy) then
        local field = twin.map:field(cx, cy, { costs = twin.costs })
        twin.fields[#twin.fields + 1] = field
        crowd:go(list, field)
      elseif what == 14 then w:stop()
      elseif what == 15 then w:place(x, y)
      else w:push(3 * cell, 2 * cell) end
    end
  end
  return scene
end

function scenes.graph(rng)
  local map, count = wend.graph(), rng(20, 300)
  for _ = 1, count do map:add_node(rng() * 30, rng() * 30) end
  for _ = 1, 3 * count do map:add_edge(rng(count), rng(count), { tag = rng:chance(0.2) and "mud" or nil }) end
  local scene, edges = { map = map, copy = copy_of, unit = 1 }, 3 * count
  function scene.place() return rng() * 30, rng() * 30 end
  function scene.edit()
    local what, edge, node, other, x, y = rng(4), rng(edges), rng(count), rng(count), scene.place()
    return function(graph)
      if what == 1 then graph:add_edge(node, other)
      elseif what == 2 then graph:move(node, x, y)
      elseif not graph:has_edge(edge) then return
      elseif what == 3 then graph:set_weight(edge, 200)
      else graph:remove_edge(edge) end
    end
  end
  function scene.order(n)
    local what, who, more, other, chance = rng(10), rng(n), rng(0, 8), rng(n), rng:chance(0.5)
    local x, y = scene.place()
    return function(twin)
      local w, prey, list = twin.walkers[who], twin.walkers[other], some(twin, who, more)
      if what <= 4 then w:go(x, y, { partial = chance })
      elseif what <= 6 then twin.crowd:go(list, x, y)
      elseif what == 7 then twin.crowd:go(list, x, y, { formation = "keep", together = chance })
      elseif what == 8 and w ~= prey then w:chase(prey)
      elseif what == 9 then surround(twin, list, prey)
      else w:place(x, y) end
    end
  end
  return scene
end

function scenes.surface(rng)
  local ids = {}
  for i = 0, SIZE * HIGH * SIZE - 1 do
    local y = math.floor(i / SIZE) % HIGH
    local wall = y == 0 or y < 4 and rng:chance(0.35)
    ids[i + 1] = wall and 1 or y < 4 and rng:chance(0.05) and 2 or 0
  end
  local surface = wend.surface { climb = true, classes = { [0] = "air", "solid", "ladder" } }
  surface:load(0, 0, 0, SIZE, HIGH, SIZE, ids)
  local map, places = surface.graph, {}
  -- The twins have one map, which is edited once.
  local scene = { map = map, unit = 1, up = "y", copy = function() return map end, shared = true }
  function scene.place()
    local x, y, z = map:position(map:random(rng(1e6)))
    return x, z, y
  end
  for i = 1, 3 do places[i] = { scene.place() } end
  function scene.edit()
    local x, y, z, id = rng(0, SIZE - 1), rng(3), rng(0, SIZE - 1), rng(0, 1)
    return function() surface:changed(x, y, z, id) end
  end
  function scene.order(n)
    local what, who, more, other, to = rng(10), rng(n), rng(0, 8), rng(n), places[rng(3)]
    local x, y, height = scene.place()
    local partial = rng:chance(0.5)
    return function(twin)
      local w, prey, list = twin.walkers[who], twin.walkers[other], some(twin, who, more)
      if what <= 4 then w:go(to[1], to[2], { height = to[3], partial = partial })
      elseif what <= 6 then twin.crowd:go(list, to[1], to[2], { height = to[3], partial = partial })
      elseif what == 7 and w ~= prey then w:chase(prey)
      elseif what == 8 then surround(twin, list, prey)
      elseif what == 9 then w:go(x, y, { height = height })
      else w:stop() end
    end
  end
  return scene
end

--- Whether a plan is looked for that was asked for before the last edit.
local function is_behind(crowd)
  for request in pairs(crowd._queue.requests) do
    if request.asked ~= core.reads(request.map) then return true end
  end
  for _, group in ipairs(crowd._queue.groups.kept) do
    if not group.field:valid() then return true end
  end
  return false
end

local function random_crowd(rng, scene)
  local costs = not scene.up and rng:chance(0.3) and wend.costs { mud = 3 } or nil
  local crowd = wend.crowd { map = scene.map, up = scene.up, costs = costs, budget = rng:pick { 10, 40, 200, 4096 } }
  local twin = { crowd = crowd, map = scene.map, costs = costs, walkers = {}, fields = {} }
  for i = 1, rng(2, 40) do
    local x, y, height = scene.place()
    twin.walkers[i] = crowd:add { x = x, y = y, height = height, radius = rng:pick { 0.2, 0.3, 0.45, 0.7 } * scene.unit,
      speed = rng(5) * scene.unit, patience = 5, data = i }
  end
  return twin
end

describe("a saved crowd", function()
  for _, kind in ipairs { "grid", "graph", "surface" } do
    it(("goes on like its twin on a %s that is edited"):format(kind), function()
      local waited = 0
      helper.rounds("twins on a " .. kind, 8, function(rng)
        local scene = scenes[kind](rng)
        local twins, edits, orders = { random_crowd(rng, scene) }, rng:pick { 0, 0.02, 0.2 }, rng:pick { 0.05, 0.3, 1 }
        local first = twins[1]
        local function play(steps)
          for _ = 1, steps do
            local edit = rng:chance(edits) and scene.edit()
            local order = rng:chance(orders) and scene.order(#first.walkers)
            for i, twin in ipairs(twins) do
              if edit and (i == 1 or not scene.shared) then edit(twin.map) end
            end
            for _, twin in ipairs(twins) do
              if order then order(twin) end
              twin.crowd:update(1 / 30)
            end
            assert.equal(first.crowd:hash(), twins[#twins].crowd:hash())
          end
        end
        play(rng(0, 150))
        for _ = 1, 300 do
          if first.crowd._queue:pending() > 0 then break end
          play(1)
        end
        while is_behind(first.crowd) do first.crowd:update(1 / 30) end
        for _, field in ipairs(first.fields) do field:update() end
        waited = waited + first.crowd._queue:pending()
        local map = scene.copy(scene.map)
        local crowd = assert(wend.decode(first.crowd:encode(), { map = map, costs = first.costs }))
        twins[2] = { crowd = crowd, map = map, costs = first.costs, walkers = {}, fields = {} }
        for w in crowd:each() do twins[2].walkers[w.data] = w end
        play(30 * SECONDS)
      end)
      assert.truthy(waited > 0 or not helper.all_rounds())
    end)
  end
end)
