-- SPDX-License-Identifier: MIT
-- Measures the pictures of wend.love: love bench/tools/love CHECKOUT. A window of 960 x 540 shows the middle of a grid
-- of 1000 x 1000 cells, and of a graph of 100,000 nodes, at several scales. The time is the shortest of 40 frames, from
-- the call to the end of drawing; the garbage is the mean.
-- luacheck: globals love
local root = arg[2]
dofile(root .. "/spec/tools/love/checkout.lua")(root)

local wend = require "wend"
local draw = require "wend.love"
local graphics, FRAMES = love.graphics, 40

local seed = 1
local function random(n)
  seed = seed * 16807 % 2147483647
  return seed % n + 1
end

local function measure(what, scale, middle, fn)
  local best, garbage = math.huge, 0
  for frame = 1, FRAMES do
    collectgarbage()
    collectgarbage "stop"
    graphics.clear(1, 1, 1)
    graphics.push()
    graphics.translate(480, 270)
    graphics.scale(scale)
    graphics.translate(-middle, -middle)
    local bytes, time = collectgarbage "count", love.timer.getTime()
    fn()
    graphics.flushBatch()
    best = math.min(best, love.timer.getTime() - time)
    if frame > 10 then garbage = garbage + collectgarbage "count" - bytes end
    collectgarbage "restart"
    graphics.pop()
    graphics.present()
  end
  print(("%-8s scale %-5g %7.2f ms %7.1f KB"):format(what, scale, best * 1000, garbage / (FRAMES - 10)))
end

function love.load()
  local grid = wend.grid(1000, 1000, { cell = 16 })
  for _ = 1, 3000 do
    local x, y = random(980), random(980)
    grid:fill(x, y, x + random(8), y + random(5), ({ false, "swamp", "road" })[random(3)])
  end
  local field, costs = grid:field(500, 500), wend.costs { swamp = 3, road = 0.5 }
  for _, scale in ipairs { 2, 1, 0.25, 0.06 } do
    measure("map", scale, 8000, function() draw.map(grid) end)
    measure("costs", scale, 8000, function() draw.costs(grid, costs) end)
    measure("field", scale, 8000, function() draw.field(grid, field) end)
  end
  local graph, points, ends, side = wend.graph(), {}, {}, 316
  for y = 0, side - 1 do
    for x = 0, side - 1 do
      local id = y * side + x + 1
      points[#points + 1], points[#points + 2] = x * 60 + random(40), y * 60 + random(40)
      if x < side - 1 then ends[#ends + 1], ends[#ends + 2] = id, id + 1 end
      if y < side - 1 then ends[#ends + 1], ends[#ends + 2] = id, id + side end
    end
  end
  graph:add_nodes(points)
  graph:add_edges(ends, { tag = "road" })
  print(graph)
  local flow = graph:field(50000)
  for _, scale in ipairs { 2, 1, 0.25, 0.025 } do
    measure("map", scale, 9480, function() draw.map(graph) end)
    measure("field", scale, 9480, function() draw.field(graph, flow) end)
  end
  io.stdout:flush()
  os.exit(0)
end
