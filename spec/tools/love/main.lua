-- SPDX-License-Identifier: MIT
-- wend.love in LÖVE itself: draws pictures and looks at pixels. love spec/tools/love CHECKOUT FOLDER; pictures go into
-- the folder. A failure gives exit status 1. spec/tools/love_spec.lua has the rest, with a stand-in for LÖVE.
-- luacheck: globals love
local root, folder = arg[2], arg[3]
dofile(root .. "/spec/tools/love/checkout.lua")(root)

local wend = require "wend"
local draw = require "wend.love"
local graphics = love.graphics

local image, name
local pixels = 0

--- Draws a picture on a white canvas of 320 x 240 pixels.
local function picture(of, fn)
  local canvas = graphics.newCanvas(320, 240)
  graphics.setCanvas(canvas)
  graphics.clear(1, 1, 1)
  graphics.push()
  fn()
  graphics.pop()
  graphics.setCanvas()
  name, image = of, canvas:newImageData()
  local file = assert(io.open(folder .. "/" .. of .. ".png", "wb"))
  file:write(image:encode("png"):getString())
  file:close()
end

--- Checks the colour of a pixel: "#rrggbb", drawn over white with an alpha.
local function at(x, y, hex, alpha)
  local found = { image:getPixel(x, y) }
  for part = 1, 3 do
    local expected = tonumber(hex:sub(2 * part, 2 * part + 1), 16) / 255 * (alpha or 1) + 1 - (alpha or 1)
    if math.abs(found[part] - expected) > 0.02 then
      error(("%s: pixel %d, %d has %.2f %.2f %.2f, expected %s"):format(name, x, y, found[1], found[2], found[3], hex))
    end
  end
  pixels = pixels + 1
end

--- grid:assign from Data of LÖVE itself.
local function check_assign()
  local map = love.image.newImageData(4, 3)
  local colours = { [0xffffffff] = 1, [0xff000000] = false, [0x800000ff] = "lava" }
  map:mapPixel(function(x, y)
    if y == 1 and x < 3 then return 0, 0, 0, 1 end
    if x == 3 and y == 2 then return 1, 0, 0, 128 / 255 end
    return 1, 1, 1, 1
  end)
  local grid = wend.grid(4, 3):assign(map, colours, { bytes = 4 })
  assert(grid:is_closed(1, 2) and grid:is_closed(3, 2) and not grid:is_closed(4, 2) and grid:tags().lava == 1)
  assert(select(2, grid:get(4, 3)) == "lava" and grid:get(1, 1) == 1)
  local data = love.data.newByteData "\0\1\0\0\1\0"
  grid:assign(data, { [0] = 2, [1] = false }, { area = { 1, 1, 3, 2 } })
  assert(grid:is_closed(2, 1) and grid:is_closed(2, 2) and grid:get(1, 2) == 2 and grid:get(4, 1) == 1)
  grid:assign(data:getFFIPointer(), { [0] = 3, [1] = false }, { area = { 1, 1, 3, 2 }, length = data:getSize() })
  assert(grid:get(1, 2) == 3)
  local view = love.data.newDataView(data, 1, 2)
  grid:assign(view, { [0] = 4, [1] = 5 }, { area = { 1, 3, 2, 3 } })
  assert(grid:get(1, 3) == 5 and grid:get(2, 3) == 4)
  local ok, message = pcall(grid.assign, grid, data, { [0] = 1, [1] = 1 })
  assert(not ok and message:find("data must have 12 bytes, got 6", 1, true), message)
  data:release()
  assert(not pcall(grid.assign, grid, data, { [0] = 1, [1] = 1 }, { area = { 1, 1, 3, 2 } }))
end

local function check()
  check_assign()

  -- Cells, 20 pixels large. The first tags are orange and green.
  local grid = wend.grid(10, 8, { cell = 10, origin = { 40, 20 } })
  grid:fill(1, 1, 3, 3, "alder"):fill(4, 1, 5, 3, "bog"):fill(1, 6, 3, 8, false):wall(8, 4, 8, 5)
  local function zoom()
    graphics.translate(-80, -40)
    graphics.scale(2)
  end
  picture("cells", function()
    zoom()
    draw.map(grid, { alpha = 1 })
  end)
  at(30, 30, "#e69f00")
  at(90, 30, "#009e73")
  at(30, 130, "#474c59")
  at(130, 30, "#ffffff")
  at(150, 80, "#2b2f3a") -- the wall
  at(270, 30, "#ffffff") -- beyond the grid

  picture("turned", function()
    graphics.translate(160, 120)
    graphics.rotate(math.pi / 2)
    graphics.translate(-160, -120)
    zoom()
    draw.map(grid)
  end)
  at(160 - (30 - 120), 120 + (90 - 160), "#009e73", 0.6)

  picture("costs", function()
    zoom()
    draw.costs(grid, wend.costs { alder = false, bog = 4 }, { alpha = 1, legend = { 220, 100 } })
  end)
  at(23, 27, "#77653e", 1) -- closed for the agent, beside the hatching
  at(90, 30, "#009e73")
  at(222, 104, "#ffffff")

  picture("field", function()
    zoom()
    draw.field(grid, grid:field(1, 1), { alpha = 1 })
  end)
  at(10, 10, "#ffffd0")
  at(198, 158, "#2351a1")
end

local function check_diamonds()
  local grid = wend.grid(6, 6, { projection = "isometric", cell = { 48, 24 }, origin = { 160, 20 } })
  grid:fill(2, 1, 6, 1, "alder"):fill(1, 3, 1, 6, "bog")
  picture("diamonds", function() draw.map(grid, { alpha = 1 }) end)
  local x, y = grid:position(4, 1)
  at(x, y + 3, "#e69f00")
  at(x + 24, y - 9, "#ffffff") -- beyond the corner
  x, y = grid:position(1, 5)
  at(x, y + 3, "#009e73")
end

local function check_hexes()
  for _, flat in ipairs { false, true } do
    local grid = wend.grid(6, 5, { shape = "hex", flat = flat, cell = 40, origin = { 20, 10 } })
    grid:set(2, 2, "alder"):set(4, 3, { tag = "bog", closed = true }):wall(2, 4, 3, 4)
    grid:wall(4, 4, 5, 4, true, { directed = true })
    picture(flat and "flat hexes" or "hexes", function()
      draw.map(grid, { alpha = 1 })
      draw.path(grid:path(1, 1, 6, 2))
    end)
    local x, y = grid:position(2, 2)
    at(x + 12, y - 6, "#e69f00")
    at(x + 17, y + (flat and 0 or 18), flat and "#e69f00" or "#ffffff") -- beyond its corner lies another one
    local x2, y2 = grid:position(3, 4)
    x, y = grid:position(2, 4)
    at((x + x2) / 2, (y + y2) / 2, "#2b2f3a") -- the wall
    picture(flat and "field of flat hexes" or "field of hexes", function()
      draw.field(grid, grid:field(1, 1), { alpha = 1 })
    end)
    x, y = grid:position(1, 1)
    at(x, y, "#ffffd0")
  end
end

local function check_lines()
  local graph = wend.graph()
  graph:add_nodes { 20, 100, 100, 100, 300, 100 }
  graph:add_edge(1, 2, { tag = "alley" })
  graph:close_edge(graph:add_edge(2, 3))
  picture("graph", function() draw.map(graph) end)
  at(60, 100, "#e69f00")
  at(20, 100, "#474c59")
  at(60, 110, "#ffffff")

  local walls = wend.walls()
  walls:add_polygon { 200, 20, 300, 20, 300, 60, 200, 60 }
  walls:add_circle(50, 50, 30)
  local walker = wend.follow({ 20, 200, 300, 200 }, { speed = 100 })
  walker:update(1)
  picture("lines", function()
    draw.walls(walls)
    draw.route({ 20, 100, 300, 100 }, { colour = "#ff0000", width = 4 })
    draw.path(graph:path(1, 2), { colour = "#0000ff", width = 6 })
    draw.follower(walker, { colour = "#008000" })
  end)
  at(250, 40, "#474c59", 0.5)
  at(50, 50, "#474c59", 0.5)
  at(200, 99, "#ff0000")
  at(60, 100, "#0000ff")
  at(120, 200, "#008000")
  at(250, 210, "#ffffff")
end

local function check_bodies()
  local grid = wend.grid(16, 12, { cell = 20 })
  local crowd = wend.crowd { map = grid }
  crowd:add { x = 60, y = 200, radius = 20 }
  picture("bodies", function()
    draw.path(grid:path(4, 4, 12, 4, { size = 3 }), { colour = "#ff0000" })
    draw.walkers(crowd, { colour = "#0000ff", map = grid })
    draw.walkers({ x = 200, y = 180, size = 2 }, { colour = "#008000", map = grid })
  end)
  at(45, 45, "#ff0000", 0.25) -- the corner of the body
  at(255, 95, "#ff0000", 0.25)
  at(255, 105, "#ffffff")
  at(50, 205, "#0000ff", 0.35)
  at(75, 215, "#ffffff") -- beyond the disc
  at(215, 195, "#008000", 0.35)
  at(225, 195, "#ffffff")
end

function love.load()
  check()
  check_diamonds()
  check_hexes()
  check_lines()
  check_bodies()
  print(("ok: wend.love, %d pixels"):format(pixels))
  io.stdout:flush()
  os.exit(0)
end
