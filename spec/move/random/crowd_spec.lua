-- SPDX-License-Identifier: MIT
-- Crowds in random levels: they overlap by at most 1 %, stay out of walls, and do the same at every frame rate and in
-- every frame of the grid.
local frame = require "wend.frame"
local helper = require "spec.support.helper"
local native = require("wend.move.crowd.plan").native
local wend = require "wend"

local OVERLAP = 0.01        -- of the sum of the radii
local EDGE = 0.01           -- of the radius: so deep in a wall

--- A level with closed cells, and the centres of its open cells that have open neighbours.
local function random_level(rng)
  local width, height = rng(8, 24), rng(6, 16)
  local grid = wend.grid(width, height, { cell = rng:pick { 1, 1, 16 }, origin = rng:pick { { 0, 0 }, { -50, 7 } } })
  for _ = 1, rng(0, math.floor(width * height / 12)) do grid:set(rng(width), rng(height), false) end
  return grid
end

--- The orders of a scene: a list of functions by half second. Each gets the crowd and the list of its walkers.
local function random_orders(rng, grid)
  local cell = grid:cell_size()
  local width, height = grid:width(), grid:height()
  local left, top = grid:origin()
  local function point() return left + rng() * width * cell, top + rng() * height * cell end
  local orders = {}
  local function order(fn) orders[#orders + 1] = fn end
  local function halves(n) for _ = 1, n do order(false) end end

  local places, radius = {}, rng:pick { 0.25, 0.4, 0.45 }
  for y = 1, height do
    for x = 1, width do
      if not grid:is_closed(x, y) then places[#places + 1] = { x, y } end
    end
  end
  rng:shuffle(places)
  local count = math.min(rng(1, 40), math.floor(#places / 3))
  for i = 1, count do
    local x, y = grid:position(places[i][1], places[i][2])
    local opts = { x = x, y = y, radius = rng:chance(0.8) and radius * cell or rng(1, 4) * 0.1 * cell,
      priority = rng:chance(0.2) and rng(3) or nil, speed = rng:chance(0.2) and rng(1, 6) * cell or nil,
      patience = rng:chance(0.3) and 3 or nil }
    order(function(crowd, walkers) walkers[i] = crowd:add(opts) end)
  end
  for _ = 1, rng(2, 8) do
    local what, x, y = rng(7), point()
    local a, b, vx, vy, held = rng(count), rng(count), rng(-2, 2) * cell, rng(-2, 2) * cell, rng:chance(0.5)
    order(function(crowd, walkers)
      local list = {}
      for i = math.min(a, b), math.max(a, b) do
        if walkers[i].state ~= "removed" then list[#list + 1] = walkers[i] end
      end
      local w = walkers[a]
      if w.state == "removed" or what <= 2 then crowd:go(list, x, y)
      elseif what == 3 then for _, one in ipairs(list) do one:go(x, y) end
      elseif what == 4 then w:push(vx, vy)
      elseif what == 5 then w[held and "pause" or "resume"](w)
      elseif what == 6 then w:stop()
      else w:remove() end
    end)
    halves(rng(1, 8))
  end
  return orders
end

--- Plays a scene. updates: in half a second. look(crowd, walkers) is called after each update.
local function play(grid, orders, updates, look, squeeze)
  local crowd, walkers, hashes = wend.crowd { map = grid, budget = 300, squeeze = squeeze }, {}, {}
  for _, order in ipairs(orders) do
    if order then
      order(crowd, walkers)
    else
      for _ = 1, updates do
        crowd:update(0.5 / updates)
        if look then look(crowd, walkers) end
      end
      hashes[#hashes + 1] = crowd:hash()
    end
  end
  return hashes, crowd, walkers
end

--- Raises if two walkers overlap, or one is in a closed cell.
local function look_at(grid)
  local cell = grid:cell_size()
  local left, top = grid:origin()
  return function(_, walkers)
    local xs, ys, rs = {}, {}, {}
    for _, w in ipairs(walkers) do
      if w.state ~= "removed" then
        xs[#xs + 1], ys[#ys + 1], rs[#rs + 1] = (w.x - left) / cell, (w.y - top) / cell, w.radius / cell
      end
    end
    for i = 1, #xs do
      local x, y, r = xs[i], ys[i], rs[i]
      for j = i + 1, #xs do
        local least = (1 - OVERLAP) * (r + rs[j]) - 1e-9
        local dx, dy = xs[j] - x, ys[j] - y
        assert(dx * dx + dy * dy >= least * least,
          ("an overlap of %.2f %%"):format(100 * (1 - math.sqrt(dx * dx + dy * dy) / (r + rs[j]))))
      end
      local least = (1 - EDGE) * r - 1e-9
      for cy = math.floor(y - r), math.floor(y + r) do
        for cx = math.floor(x - r), math.floor(x + r) do
          if not grid:has(cx + 1, cy + 1) or grid:is_closed(cx + 1, cy + 1) then
            local dx, dy = math.max(cx - x, 0, x - cx - 1), math.max(cy - y, 0, y - cy - 1)
            assert(dx * dx + dy * dy >= least * least,
              ("a walker in a wall: %.4f"):format(math.sqrt(dx * dx + dy * dy) / r))
          end
        end
      end
    end
  end
end

-- ---- Hostile use ---------------------------------------------------------------------------------------

local RADII = { 0.05, 0.1, 0.3, 0.45, 0.8, 1.5, 3 }
local SPEEDS = { 0.01, 0.5, 1.5, 2, 10, 100 }
local OPEN = wend.costs {}  -- opens all tags

--- A crowd on a grid of cells of size 1 at the origin, with walls, and with lava, which is closed for most walkers.
local function hostile_scene(rng)
  local width, height = rng(8, 30), rng(6, 20)
  local grid, walls, segments = wend.grid(width, height), wend.walls(), {}
  for _ = 1, rng(0, math.floor(width * height / 8)) do grid:set(rng(width), rng(height), false) end
  for _ = 1, rng(0, 6) do grid:set(rng(width), rng(height), 1, "lava") end
  for i = 1, rng(0, 5) do
    local x, y = rng() * width, rng() * height
    segments[i] = { x, y, x + rng() * 8 - 4, y + rng() * 8 - 4 }
    walls:add_segment(x, y, segments[i][3], segments[i][4])
  end
  return { grid = grid, segments = segments, width = width, height = height, list = {},
    crowd = wend.crowd { map = grid, walls = walls, budget = rng(50, 2000), costs = wend.costs { lava = false },
      squeeze = false },
    wide = rng:chance(0.3), fast = rng:chance(0.4), most = rng:pick { 3, 10, 30, 60 } }
end

local function hostile_walker(rng, scene)
  local one = { radius = scene.wide and rng:pick(RADII) or 0.15 + 0.3 * rng(), ghost = rng:chance(0.05),
    open = rng:chance(0.2) }
  one.w = scene.crowd:add { x = rng() * scene.width, y = rng() * scene.height, radius = one.radius,
    speed = scene.fast and rng:pick(SPEEDS) or 0.5 + 2 * rng(), priority = rng:chance(0.2) and rng(-3, 3) or nil,
    patience = rng:chance(0.3) and 3 or nil, acceleration = rng:chance(0.1) and 0.2 + 3 * rng() or nil,
    avoids = one.ghost and {} or nil, costs = one.open and OPEN or nil }
  scene.list[#scene.list + 1] = one
end

--- Does something at random.
local function hostile_order(rng, scene)
  local list, what, x, y = scene.list, rng(10), rng() * scene.width, rng() * scene.height
  local at = rng(#list)
  local w = list[at].w
  if what == 1 then
    local most = rng:pick { 20, 1e6 }
    w:push((rng() - 0.5) * most, (rng() - 0.5) * most)
  elseif what == 2 then w[rng:chance(0.5) and "pause" or "resume"](w)
  elseif what == 3 then w:stop()
  elseif what == 4 then w:place(x, y)
  elseif what == 5 and #list > 3 then
    w:remove()
    list[at] = list[#list]
    list[#list] = nil
  elseif what == 6 and #list < scene.most then hostile_walker(rng, scene)
  elseif what == 7 then
    local some = {}
    for _, one in ipairs(list) do
      if rng:chance(0.4) then some[#some + 1] = one.w end
    end
    scene.crowd:go(some, x, y)
  else
    for _ = 1, rng(5) do list[rng(#list)].w:go(rng() * scene.width, rng() * scene.height) end
  end
end

--- Whether a cell is solid for a walker.
local function is_solid(grid, x, y, open)
  return not grid:has(x, y) or grid:is_closed(x, y) or not open and select(2, grid:get(x, y)) == "lava"
end

--- The distance from a point to what is solid for a walker, as far as `most`; and whether the point lies in a closed
-- cell.
-- @param open whether lava is open for it
local function solid_distance(scene, x, y, most, open)
  local least, grid = most * most, scene.grid
  for cy = math.floor(y - most), math.floor(y + most) do
    for cx = math.floor(x - most), math.floor(x + most) do
      if is_solid(grid, cx + 1, cy + 1, open) then
        local dx, dy = math.max(cx - x, 0, x - cx - 1), math.max(cy - y, 0, y - cy - 1)
        least = math.min(least, dx * dx + dy * dy)
      end
    end
  end
  local inside = least == 0
  for _, s in ipairs(scene.segments) do
    local ex, ey, px, py = s[3] - s[1], s[4] - s[2], x - s[1], y - s[2]
    local t = math.max(0, math.min(1, (px * ex + py * ey) / (ex * ex + ey * ey)))
    least = math.min(least, (px - t * ex) ^ 2 + (py - t * ey) ^ 2)
  end
  return math.sqrt(least), inside
end

--- Measures how deep walkers are in each other, and how far they are from walls. Walkers that were put into each other
-- may push others while they come apart: of a pair that gets deeper, one must have been in another one before.
-- @param checked whether to raise if that got worse in the last step
local function hostile_look(scene, checked)
  local list, depths, piled = scene.list, {}, {}
  for i, a in ipairs(list) do
    a.x, a.y = native.at(a.w._handle, a.w._id) -- after the last step; a.w.x is where it is now, between the last two
    assert(math.abs(a.x) < 1e6 and math.abs(a.y) < 1e6, "a walker is nowhere")
    local distance, inside = solid_distance(scene, a.x, a.y, a.radius, a.open)
    assert(not checked or distance >= a.radius * (1 - 2e-5) or a.distance < a.radius * (1 - 1e-5),
      ("a walker got into a wall: %.5f"):format(distance / a.radius))
    a.distance = inside and 0 or distance
    for k = 1, i - 1 do
      local b = list[k]
      local sum = a.radius + b.radius
      local square = (a.x - b.x) ^ 2 + (a.y - b.y) ^ 2
      if square < 0.98 * sum * sum and not a.ghost and not b.ghost then
        local depth = 1 - math.sqrt(square) / sum
        local key = a.w._id < b.w._id and a.w._id .. " " .. b.w._id or b.w._id .. " " .. a.w._id
        depths[key] = depth
        local pushed = checked and (scene.piled[a.w._id] or scene.piled[b.w._id])
        assert(not checked or depth <= 2 * OVERLAP or pushed or depth <= (scene.depths[key] or 0) + 1e-9,
          ("two walkers got into each other: %.2f %%"):format(100 * depth))
        if depth > OVERLAP then piled[a.w._id], piled[b.w._id] = true, true end
      end
    end
  end
  scene.depths, scene.piled = depths, piled
end

-- ---- Frames --------------------------------------------------------------------------------------------

--- A number of cells. Its conversion to a frame of random_frame, and back, is exact.
local function exact(rng, least, most) return least + rng(0, (most - least) * 1024) / 1024 end

--- Options of a grid whose cells are not squares, or are larger.
local function random_frame(rng)
  return { cell = { 2 ^ rng(-3, 7), 2 ^ rng(-3, 7) }, origin = { rng(-99, 99), rng(-99, 99) },
    projection = rng:pick { "isometric", "isometric", "orthogonal" } }
end

--- A function that makes an equal scene in each frame: a grid, its frame, a crowd and no walkers yet.
local function random_frames(rng)
  local width, height = rng(6, 20), rng(6, 14)
  local diagonals = rng:pick { "both_open", "both_open", "one_open", "always", "never" }
  local edits, segments = {}, {}
  local function edit(name, ...) edits[#edits + 1] = { name, ... } end
  for _ = 1, rng(0, math.floor(width * height / 10)) do edit("set", rng(width), rng(height), false) end
  for _ = 1, rng(0, 12) do edit("set", rng(width), rng(height), rng(1, 4), "mud") end
  for _ = 1, rng(0, 5) do
    local x, y = rng(width - 1), rng(height)
    edit("wall", x, y, x + 1, y)
  end
  for _ = 1, rng(0, 2) do edit("link", rng(width), rng(height), rng(width), rng(height), rng(1, 9)) end
  for i = 1, rng(0, 3) do
    local x, y = exact(rng, 0, width), exact(rng, 0, height)
    segments[i] = { x, y, x + exact(rng, -3, 3), y + exact(rng, -3, 3) }
  end
  local budget = rng:pick { 50, 400, 4096 }
  return function(options)
    options.diagonals = diagonals
    local grid, walls = wend.grid(width, height, options), wend.walls()
    local one = { grid = grid, frame = frame.of(grid), walkers = {} }
    for _, list in ipairs(edits) do
      pcall(grid[list[1]], grid, list[2], list[3], list[4], list[5], list[6]) -- a link from a cell to itself raises
    end
    function one.at(x, y) return frame.to_world(one.frame, x, y) end
    for _, segment in ipairs(segments) do
      local x, y = one.at(segment[1], segment[2])
      walls:add_segment(x, y, one.at(segment[3], segment[4]))
    end
    one.crowd = wend.crowd { map = grid, walls = walls, budget = budget }
    return one
  end, width, height
end

--- An order, as a function for an equal scene in any frame.
local function framed_order(rng, width, height, n)
  local what, index, last = rng(14), rng(math.max(n, 1)), rng(math.max(n, 1))
  local x, y, x2, y2 = exact(rng, 0, width), exact(rng, 0, height), exact(rng, 0, width), exact(rng, 0, height)
  local vx, vy, held, r = exact(rng, -9, 9), exact(rng, -9, 9), rng:chance(0.5), exact(rng, 0, 8)
  local radius, speed = rng(2, 6) * 0.1, rng(1, 9) * 0.5
  local acceleration = rng:chance(0.2) and rng(1, 40) * 0.1 or nil
  local cx, cy, closed = rng(width), rng(height), rng:chance(0.5)
  return function(one)
    local w, side = one.walkers[index], one.frame.wide
    local px, py = one.at(x, y)
    local px2, py2 = one.at(x2, y2)
    local list = {}
    for i = math.min(index, last), math.min(math.max(index, last), #one.walkers) do
      if one.walkers[i].state ~= "removed" then list[#list + 1] = one.walkers[i] end
    end
    if what <= 3 or not w then
      one.walkers[#one.walkers + 1] = one.crowd:add { x = px, y = py, radius = radius * side, speed = speed * side,
        acceleration = acceleration and acceleration * side, patience = 3, data = #one.walkers + 1 }
    elseif what == 4 then one.grid:set(cx, cy, not closed and 1)
    elseif what == 5 or w.state == "removed" then one.crowd:go(list, px, py)
    elseif what == 6 then
      local dx, dy = one.at(vx, vy)
      w:push(dx - one.frame.left, dy - one.frame.top)
    elseif what == 7 then w[held and "pause" or "resume"](w)
    elseif what == 8 then w:stop()
    elseif what == 9 then w:remove()
    elseif what == 10 then w:place(px2, py2)
    elseif what == 11 then w:go { px, py, px2, py2 }
    elseif what == 12 and not one.grid:is_closed(cx, cy) then w:go(one.grid:field(cx, cy))
    elseif what == 13 then
      local found = {}
      for i, other in ipairs(one.crowd:near(px, py, r * side)) do found[i] = other.data end
      return table.concat(found, " ")
    else w:go(px, py)
    end
  end
end

--- Saves the crowd of a scene, and loads it.
local function load_framed(one)
  local crowd, by_data = assert(wend.decode(one.crowd:encode(), { map = one.grid })), {}
  for w in crowd:each() do by_data[w.data] = w end
  for i, w in ipairs(one.walkers) do one.walkers[i] = by_data[i] or w end
  one.crowd = crowd
end

--- Changes a cell.
local function edit(rng, scene)
  local x, y, what = rng(scene.width), rng(scene.height), rng(3)
  if what == 1 then scene.grid:set(x, y, false) else scene.grid:set(x, y, 1, what == 2 and "lava" or nil) end
end

describe("a crowd", function()
  it("does the same in every frame of its grid", function()
    helper.rounds("crowd frames", 8, function(rng)
      local make, width, height = random_frames(rng)
      local all = { make {}, make(random_frame(rng)), make(random_frame(rng)) }
      local square = all[1]
      for step = 1, 300 do
        if #square.walkers < 12 or rng:chance(0.2) then
          local order, answer = framed_order(rng, width, height, #square.walkers), nil
          for i, one in ipairs(all) do
            local own = order(one)
            if i == 1 then answer = own else assert.equal(answer, own) end
          end
        end
        if rng:chance(0.01) then
          for _, one in ipairs(all) do load_framed(one) end
        end
        for i, one in ipairs(all) do
          one.crowd:update(1 / 30)
          assert.equal(square.crowd:hash(), (one.crowd:hash()))
          for k, w in ipairs(i > 1 and step % 5 == 0 and one.walkers or {}) do
            local a = square.walkers[k]
            assert.equal(a.state, w.state)
            if a.state ~= "removed" then
              local x, y = frame.to_cells(one.frame, w.x, w.y)
              assert.is_true(math.abs(x - a.x) < 1e-9 and math.abs(y - a.y) < 1e-9)
            end
          end
        end
      end
    end)
  end)

  it("keeps apart and out of walls, whatever a script does", function()
    helper.rounds("hostile crowd", 7, function(rng)
      local scene = hostile_scene(rng)
      for _ = 1, scene.most do hostile_walker(rng, scene) end
      for _ = 1, 200 do
        if rng:chance(0.05) then edit(rng, scene) end
        if rng:chance(0.1) then hostile_order(rng, scene) end
        hostile_look(scene)
        scene.crowd:update(1 / 30)
        hostile_look(scene, true)
      end
      for w in scene.crowd:each() do w:remove() end
      assert.equal(0, scene.crowd:count())
    end)
  end)

  it("keeps apart and out of walls, at every frame rate", function()
    helper.rounds("crowd", 8, function(rng)
      local grid = random_level(rng)
      local orders = random_orders(rng, grid)
      local hashes = play(grid, orders, 15, look_at(grid), false)
      assert.same(hashes, (play(grid, orders, rng:pick { 5, 30, 35, 7, 15 }, nil, false)))
    end)
  end)

  -- Doors and passages so narrow that two do not fit side by side, from one side or from both. Before the door others
  -- stand in the way, so this takes a while; but nobody stays there. Where all come from one side, nobody passes
  -- through others.
  it("brings everybody through a narrow door", function()
    helper.rounds("crowd door", 6, function(rng)
      local first, width = 30, rng:pick { 1, 1, 2 }
      local last, top, both = first + rng:pick { 0, 0, 3 }, rng(3, 16), rng:chance(0.5)
      local grid = wend.grid(60, 20):fill(first, 1, last, 20, false):open(first, top, last, top + width - 1)
      local crowd = wend.crowd { map = grid, seed = rng(99), squeeze = both and 3 }
      local count, radius, group, walkers = rng(8, 60), rng(30, 50) / 100, {}, {}
      local places = {}
      for i = 0, 16 * 18 - 1 do
        places[i + 1] = { 9.5 + i % 16 * 1.1 + rng() * 0.1, 0.6 + math.floor(i / 16) * 1.05 }
      end
      for i = 1, count do
        local j = rng(i, #places)
        places[i], places[j] = places[j], places[i]
        local x, y = places[i][1], places[i][2]
        local back = both and i % 2 == 0
        local w = crowd:add { x = back and 64 - x or x, y = y, radius = radius * rng:pick { 1, 1, 1, 0.8 } }
        walkers[i] = w
        if both then w:go(back and rng(4, 20) or rng(44, 58), rng(2, 18)) else group[#group + 1] = w end
      end
      if not both then crowd:go(group, 48, 10) end
      local arrived, look = 0, look_at(grid)
      for step = 1, 30 * (60 + 8 * count) do
        crowd:update(1 / 30)
        if step % 30 == 0 then
          if not both then look(crowd, walkers) end
          arrived = 0
          for _, w in ipairs(walkers) do arrived = arrived + (w.state == "arrived" and 1 or 0) end
          if arrived == count then break end
        end
      end
      assert.equal(count, arrived)
    end)
  end)

  it("brings wide walkers through gaps that they fit through", function()
    helper.rounds("wide walkers", 6, function(rng)
      local width, height = 40, 30
      local grid = wend.grid(width, height, { cell = rng:pick { 1, 16 } })
      local cell = grid:cell_size()
      grid:fill(14, 1, 14, height, false):fill(27, 1, 27, height, false):fill(1, 15, width, 15, false)
      for _, x in ipairs { 14, 27 } do
        for _, y in ipairs { rng(2, 10), rng(18, 26) } do grid:open(x, y, x, y + 2) end
      end
      for _, x in ipairs { rng(2, 9), rng(17, 22), rng(30, 36) } do grid:open(x, 15, x + 2, 15) end
      local function is_free(x, y, around)
        for dy = -around, around do
          for dx = -around, around do
            if not grid:has(x + dx, y + dy) or grid:is_closed(x + dx, y + dy) then return false end
          end
        end
        return true
      end
      for _ = 1, 10 do
        local x, y = rng(width), rng(height)
        if is_free(x, y, 4) then grid:close(x, y) end
      end
      local function place()
        while true do
          local x, y = rng(width), rng(height)
          if is_free(x, y, 2) then return grid:position(x, y) end
        end
      end
      for _ = 1, 5 do
        local crowd = wend.crowd { map = grid }
        local x, y = place()
        local w = crowd:add { x = x, y = y, radius = rng(50, 145) / 100 * cell, speed = 2 * cell }
        w:go(place())
        for _ = 1, 60 * 30 do
          crowd:update(1 / 30)
          if w.state == "arrived" then break end
        end
        assert.equal("arrived", w.state)
      end
    end)
  end)

  it("notices edits of a grid, like a crowd that has read all of it anew", function()
    helper.rounds("crowd edits", 8, function(rng)
      local width, height = rng(20, 120), rng(20, 120)
      local grid = wend.grid(width, height)
      local crowd, walkers = wend.crowd { map = grid }, {}
      for _ = 1, rng(0, math.floor(width * height / 40)) do grid:set(rng(width), rng(height), false) end
      for y = 5, height - 5, 9 do
        for x = 5, width - 5, 9 do
          walkers[#walkers + 1] = crowd:add { x = x, y = y, radius = rng:pick { 0.3, 0.5, 1, 2.5, 4 }, speed = rng(6) }
        end
      end
      for step = 1, 60 do
        local x, y = rng(width - 1), rng(height - 1)
        local what = rng(40)
        if what < 20 then grid:set(x, y, what % 2 == 0 and 1)
        elseif what == 20 then grid:wall(x, y, x + 1, y)
        elseif what == 21 then grid:wall(x, y, x, y + 1)
        elseif what == 22 then grid:map(function(cx, cy) return cx * cy % 97 > 0 and 1 end) end
        for _ = 1, 3 do rng:pick(walkers):push(rng(-40, 40), rng(-40, 40)) end   -- no plans: they are not saved
        local twin = assert(wend.decode(crowd:encode(), { map = grid }))
        crowd:update(1 / 30)
        twin:update(1 / 30)
        assert.equal((twin:hash()), (crowd:hash()), step)
      end
    end)
  end)

  it("brings everybody to the goal, or reports why not", function()
    helper.rounds("crowd ends", 8, function(rng)
      local grid = random_level(rng)
      local orders = random_orders(rng, grid)
      local _, crowd, walkers = play(grid, orders, 15)
      local said = {}
      crowd.on_arrive = function(w) said[w] = "arrived" end
      crowd.on_stuck = function(w) said[w] = "stuck" end
      crowd.on_lost = function(w) said[w] = "lost" end
      local cell = grid:cell_size()
      local left, top = grid:origin()
      local x, y = left + rng(grid:width()) * cell - cell / 2, top + rng(grid:height()) * cell - cell / 2
      local list = {}
      for _, w in ipairs(walkers) do
        if w.state ~= "removed" then list[#list + 1] = w:resume() end
      end
      crowd:go(list, x, y)
      local left_over = #list
      for _ = 1, 30 * 120 do
        crowd:update(1 / 30)
        left_over = 0
        for _, w in ipairs(list) do
          local rests = w.state == "arrived"         -- the order may repeat one that it has carried out
          if not said[w] and not rests then left_over = left_over + 1 end
        end
        if left_over == 0 then break end
      end
      assert.equal(0, left_over)
    end)
  end)
end)
