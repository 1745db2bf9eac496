-- SPDX-License-Identifier: MIT
-- wend.love with a stand-in for LÖVE: it records what is drawn, and computes transformations. `make check-love` draws
-- with LÖVE itself.
local helper = require "spec.support.helper"
local wend = require "wend"

local abs, max, min, huge = math.abs, math.max, math.min, math.huge
local unpack = table.unpack or unpack -- luacheck: ignore 143
local raises = helper.raises

-- The stand-in -----------------------------------------------------------------------------------------------------

---A stand-in for the table love. It has a screen of 800 x 600 pixels.
---calls: { name, argument, … in units of the world; colour = { r, g, b, a }, matrix = { … } }
local function fake_love()
  local calls, stack = {}, {}
  local state = {
    a = 1, b = 0, c = 0, d = 1, x = 0, y = 0, r = 1, g = 1, blue = 1, alpha = 1, width = 1, style = "smooth",
    blend = "add", shader = "one of the game",
  }
  local graphics = {}
  local function set(values)
    for key, value in pairs(values) do state[key] = value end
  end
  local function copy() local it = {} for key, value in pairs(state) do it[key] = value end return it end
  function graphics.push(kind) stack[#stack + 1] = { kind = kind, state = copy() } end
  function graphics.pop() state = table.remove(stack).state end
  function graphics.origin() set { a = 1, b = 0, c = 0, d = 1, x = 0, y = 0 } end
  function graphics.translate(x, y)
    set { x = state.x + state.a * x + state.c * y, y = state.y + state.b * x + state.d * y }
  end
  function graphics.scale(k, l)
    l = l or k
    set { a = state.a * k, b = state.b * k, c = state.c * l, d = state.d * l }
  end
  function graphics.rotate(angle)
    local cos, sin = math.cos(angle), math.sin(angle)
    set { a = state.a * cos + state.c * sin, b = state.b * cos + state.d * sin, c = state.c * cos - state.a * sin,
      d = state.d * cos - state.b * sin }
  end
  function graphics.transformPoint(x, y)
    return state.x + state.a * x + state.c * y, state.y + state.b * x + state.d * y
  end
  function graphics.inverseTransformPoint(x, y)
    local det = state.a * state.d - state.b * state.c
    x, y = x - state.x, y - state.y
    return (x * state.d - y * state.c) / det, (y * state.a - x * state.b) / det
  end
  function graphics.getDimensions() return 800, 600 end
  function graphics.getCanvas() return graphics.canvas end
  function graphics.getScissor() return unpack(graphics.scissor or {}) end
  function graphics.setShader(shader) set { shader = shader or "none" } end
  function graphics.setBlendMode(mode) set { blend = mode } end
  function graphics.setLineStyle(style) set { style = style } end
  function graphics.setLineWidth(width) set { width = width } end
  function graphics.setColor(r, g, b, a)
    for _, part in ipairs { r, g, b, a } do assert(part >= 0 and part <= 1, "a part of a colour is not in 0 .. 1") end
    set { r = r, g = g, blue = b, alpha = a }
  end
  function graphics.getFont()
    return { getHeight = function() return 14 end, getWidth = function(_, text) return 7 * #text end }
  end
  for _, name in ipairs { "rectangle", "polygon", "line", "circle", "ellipse", "print" } do
    graphics[name] = function(...)
      local call = { name, ... }
      call.colour = { state.r, state.g, state.blue, state.alpha }
      call.scale, call.width = state.a, state.width
      for i = 2, select("#", ...) + 1 do
        local value = call[i]
        if type(value) == "number" then assert(value - value == 0, name .. " with " .. tostring(value)) end
      end
      calls[#calls + 1] = call
      if graphics.on_call then graphics.on_call(call) end
    end
  end
  return { graphics = graphics }, calls, copy, stack
end

local love, calls, state, stack = fake_love()
local graphics = love.graphics

---Loads wend.love anew with a table love, or without one.
local function load_with(fake)
  local before = _G.love
  rawset(_G, "love", fake)
  package.loaded["wend.love"], package.loaded["wend.tools.love"] = nil, nil
  local ok, module = pcall(require, "wend.love")
  package.loaded["wend.love"], package.loaded["wend.tools.love"] = nil, nil
  rawset(_G, "love", before)
  return ok, module
end

local draw = select(2, load_with(love))

local function reset()
  for i = #calls, 1, -1 do calls[i] = nil end
  graphics.origin()
  graphics.scissor, graphics.canvas, graphics.on_call = nil, nil, nil
end

---Calls that have a name: "rectangle". With one more word, only those that begin with it: "circle", "fill".
local function called(name, mode)
  local list = {}
  for _, call in ipairs(calls) do
    if call[1] == name and (mode == nil or call[2] == mode) then list[#list + 1] = call end
  end
  return list
end

---The box of the coordinates of a call.
local function box_of(call)
  local first = type(call[2]) == "string" and 3 or 2
  if call[1] == "rectangle" then
    local x, y, w, h = unpack(call, 3)
    return x, y, x + w, y + h
  elseif call[1] == "circle" then
    local x, y, r = unpack(call, 3)
    return x - r, y - r, x + r, y + r
  elseif call[1] == "print" then
    return call[3], call[4], call[3], call[4]
  end
  local list = type(call[first]) == "table" and call[first] or { unpack(call, first) }
  local x1, y1, x2, y2 = huge, huge, -huge, -huge
  for i = 1, #list - 1, 2 do
    x1, y1, x2, y2 = min(x1, list[i]), min(y1, list[i + 1]), max(x2, list[i]), max(y2, list[i + 1])
  end
  return x1, y1, x2, y2
end

---Whether a filled shape of the calls covers a point.
local function filled_at(x, y)
  for i = #calls, 1, -1 do
    local x1, y1, x2, y2 = box_of(calls[i])
    if calls[i][2] == "fill" and calls[i][1] ~= "circle" and x > x1 and x < x2 and y > y1 and y < y2 then
      return calls[i].colour
    end
  end
  return nil
end

local function rgb(hex)
  local list = {}
  for i = 2, 6, 2 do list[#list + 1] = tonumber(hex:sub(i, i + 1), 16) / 255 end
  return list
end

local function same_colour(expected, colour)
  assert.truthy(colour, "nothing is there")
  for i = 1, 3 do assert.is_true(abs(expected[i] - colour[i]) < 1e-9, ("part %d of the colour"):format(i)) end
end

local ORANGE, GREEN = rgb "#e69f00", rgb "#009e73" -- the first colours of wend.svg
local SOLID = rgb "#474c59"

-- Specs ------------------------------------------------------------------------------------------------------------

describe("wend.love", function()
  before_each(reset)

  it("needs LÖVE with its module graphics", function()
    for _, fake in ipairs { false, { {} } } do
      local ok, message = load_with(fake and fake[1] or nil)
      assert.is_false(ok)
      assert.truthy(message:find("wend.love needs love.graphics: use it in a game that LÖVE runs, with the module "
        .. "graphics", 1, true), message)
    end
  end)

  it("restores the state of love.graphics, and the stack", function()
    local grid, graph, walls = wend.grid(5, 5, { cell = 40 }):set(2, 2, "swamp"), wend.graph(), wend.walls()
    graph:add_nodes { 10, 10, 90, 90 }
    graph:add_edge(1, 2, { tag = "road" })
    walls:add_polygon { 0, 0, 20, 0, 20, 20 }
    graphics.scale(2)
    graphics.setColor(0.1, 0.2, 0.3, 0.4)
    graphics.setLineWidth(7)
    local before = state()
    draw.map(grid, { legend = true })
    draw.costs(graph, wend.costs { road = 2 })
    draw.field(grid, grid:field(1, 1))
    draw.field(graph, graph:field(1))
    draw.path(grid:path(1, 1, 5, 5))
    draw.route { 0, 0, 50, 50 }
    draw.follower(wend.follow { 0, 0, 50, 50 })
    draw.walls(walls)
    draw.level { grid = grid, graph = graph, walls = walls, names = { heron = { x = 1, y = 2 } } }
    assert.same(before, state())
    assert.equal(0, #stack)
    assert.is_true(#calls > 30)
  end)

  it("draws nothing under a transformation that shows nothing", function()
    local grid = wend.grid(3, 3)
    for _, scale in ipairs { 0, 0 / 0, huge } do
      reset()
      graphics.scale(scale)
      draw.map(grid)
      draw.route { 0, 0, 1, 1 }
      assert.equal(0, #calls)
    end
    reset()
    graphics.scissor = { 10, 10, 0, 5 }
    draw.map(grid)
    assert.equal(0, #calls)
  end)

  it("takes the canvas, the scissor or the option view for what is visible", function()
    local grid = wend.grid(100, 100, { cell = 20 }):fill(false)
    local function seen(options)
      for i = #calls, 1, -1 do calls[i] = nil end
      draw.map(grid, options)
      local x1, y1, x2, y2 = huge, huge, -huge, -huge
      for _, call in ipairs(called "rectangle") do
        local a, b, c, d = box_of(call)
        x1, y1, x2, y2 = min(x1, a), min(y1, b), max(x2, c), max(y2, d)
      end
      return { x1, y1, x2, y2 }
    end
    local function near(x1, y1, x2, y2, box)
      for i, value in ipairs { x1, y1, x2, y2 } do
        assert.is_true(abs(value - box[i]) <= 21, ("side %d: %g, expected about %g"):format(i, box[i], value))
      end
    end
    near(0, 0, 800, 600, seen())
    near(200, 300, 240, 350, seen { view = { 200, 300, 40, 50 } })
    graphics.scissor = { 100, 100, 50, 60 }
    near(100, 100, 150, 160, seen())
    graphics.scissor = nil
    graphics.canvas = { getDimensions = function() return 64, 48 end }
    near(0, 0, 64, 48, seen())
    graphics.canvas = { { graphics.canvas }, stencil = true }
    near(0, 0, 64, 48, seen())
  end)
end)

describe("draw.map of a grid", function()
  before_each(reset)

  it("colours cells as wend.svg does; open cells without a tag stay free", function()
    local grid = wend.grid(4, 1, { cell = 10, origin = { 100, 50 } })
    grid:set(1, 1, "alder"):set(2, 1, "bog"):set(3, 1, false)
    draw.map(grid)
    same_colour(ORANGE, filled_at(105, 55))
    same_colour(GREEN, filled_at(115, 55))
    same_colour(SOLID, filled_at(125, 55))
    assert.equal(nil, filled_at(135, 55))
    assert.equal(0.6, filled_at(105, 55)[4])
  end)

  it("keeps the colour of a tag when others come", function()
    local grid = wend.grid(4, 1, { cell = 10 }):set(2, 1, "bog")
    draw.map(grid)
    same_colour(ORANGE, filled_at(15, 5))
    grid:set(1, 1, "alder")
    reset()
    draw.map(grid)
    same_colour(ORANGE, filled_at(15, 5))
    same_colour(GREEN, filled_at(5, 5))
  end)

  it("takes colours, also for cells without a tag", function()
    local grid = wend.grid(3, 1, { cell = 10 }):set(1, 1, "alder")
    draw.map(grid, { colours = { alder = "#102030", [""] = { 0, 1, 0.5 } }, alpha = 1 })
    same_colour(rgb "#102030", filled_at(5, 5))
    same_colour({ 0, 1, 0.5 }, filled_at(15, 5))
    assert.equal(1, filled_at(15, 5)[4])
  end)

  it("draws only what is visible, and merges equal cells of a row", function()
    local grid = wend.grid(1000, 1000, { cell = 20 }):fill "swamp"
    graphics.translate(-5000, -5000)
    draw.map(grid)
    assert.is_true(#called "rectangle" <= 32) -- a row each
    for _, call in ipairs(calls) do
      local x1, y1, x2, y2 = box_of(call)
      assert.is_true(x2 >= 4959 and x1 <= 5841 and y2 >= 4959 and y1 <= 5641)
    end
  end)

  it("draws squares of cells where there are too many", function()
    local grid = wend.grid(1000, 1000):map(function(x, y) return (x + y) % 2 == 0 and "a" or "b" end)
    for _, limit in ipairs { 100, 1000, 16384 } do
      reset()
      graphics.scale(0.5)
      draw.map(grid, { limit = limit })
      assert.is_true(#calls > 0 and #calls <= limit, #calls)
      local x1, y1, x2, y2 = huge, huge, -huge, -huge
      for _, call in ipairs(calls) do
        local a, b, c, d = box_of(call)
        x1, y1, x2, y2 = min(x1, a), min(y1, b), max(x2, c), max(y2, d)
      end
      assert.same({ 0, 0, 1000, 1000 }, { x1, y1, x2, y2 })
    end
  end)

  it("draws walls between cells where they are, for random walls", function()
    helper.rounds("love: walls", 40, function(rng)
      reset()
      local grid, expected, found = wend.grid(8, 6, { cell = 30 }), {}, {}
      for _ = 1, rng(1, 12) do grid:set(rng(8), rng(6), false) end
      for _ = 1, rng(1, 12) do
        local x, y, down = rng(7), rng(5), rng:chance(0.5)
        grid:wall(x, y, down and x or x + 1, down and y + 1 or y, true, { directed = rng:chance(0.3) })
      end
      for x1, y1, x2, y2, directed in grid:walls() do
        if grid:get(x1, y1) and grid:get(x2, y2) and (x1 == x2 or y1 == y2) then
          local x, y = max(x1, x2) - 1, max(y1, y2) - 1
          local tooth_x, tooth_y = directed and 9 * (x1 - x2), directed and 9 * (y1 - y2)
          expected[#expected + 1] = directed and (y1 == y2
              and ("%d %d %d %d"):format(x * 30, y * 30 + 15, x * 30 + tooth_x, y * 30 + 15)
              or ("%d %d %d %d"):format(x * 30 + 15, y * 30, x * 30 + 15, y * 30 + tooth_y))
            or y1 == y2 and ("%d %d %d %d"):format(x * 30, y * 30, x * 30, y * 30 + 30)
            or ("%d %d %d %d"):format(x * 30, y * 30, x * 30 + 30, y * 30)
        end
      end
      draw.map(grid)
      for _, call in ipairs(called "line") do
        if call.width > 1 then found[#found + 1] = ("%d %d %d %d"):format(unpack(call, 2, 5)) end
      end
      table.sort(expected)
      table.sort(found)
      assert.same(expected, found)
    end)
  end)

  it("draws links with an arrow, if they can be seen", function()
    local grid = wend.grid(200, 10, { cell = 10 }):link(2, 2, 8, 2, { tag = "stairs", directed = true })
    grid:link(150, 2, 160, 2, { directed = true })
    draw.map(grid)
    assert.equal(1, #called("polygon", "fill"))
    local line
    for _, call in ipairs(called "line") do
      if call.width == 2 then line = call end
    end
    assert.same({ 15, 15, 75, 15 }, { unpack(line, 2, 5) })
  end)

  for what, shape in pairs { isometric = { projection = "isometric" }, hexes = { shape = "hex", shift = "even" },
    ["flat hexes"] = { shape = "hex", flat = true } } do
    it("draws all diamonds and hexes that are visible, for random views: " .. what, function()
      helper.rounds("love: " .. what, 40, function(rng)
        reset()
        local wide, high = rng(1, 40), rng(1, 40)
        shape.cell, shape.origin = { rng(8, 64), rng(8, 64) }, { rng(-300, 300), rng(-300, 300) }
        local grid = wend.grid(wide, high, shape)
        grid:map(function() return rng:pick { "a", "b", false } end)
        graphics.translate(rng(-200, 500), rng(-200, 500))
        draw.map(grid, { alpha = 1, limit = 1e6 })
        local function inside(call, x, y)
          if call[1] ~= "polygon" or call[2] ~= "fill" then return false end
          for i = 3, #call - 1, 2 do
            local j = i == #call - 1 and 3 or i + 2
            local dx, dy = call[j] - call[i], call[j + 1] - call[i + 1]
            if dx * (y - call[i + 1]) - dy * (x - call[i]) < 0 then return false end
          end
          return true
        end
        local COLOURS = { a = ORANGE, b = GREEN }
        if (grid:tags()).a == nil then COLOURS.b = ORANGE end
        for y = 1, high do
          for x = 1, wide do
            local px, py = grid:position(x, y)
            local sx, sy = graphics.transformPoint(px, py)
            if sx >= 0 and sx <= 800 and sy >= 0 and sy <= 600 then
              local found
              for _, call in ipairs(calls) do
                if inside(call, px, py) then
                  assert.equal(nil, found)
                  found = call.colour
                end
              end
              local _, tag = grid:get(x, y)
              same_colour(COLOURS[tag] or SOLID, found)
            end
          end
        end
      end)
    end)
  end

  it("draws the walls between hexes, and squares of hexes where there are too many", function()
    reset()
    local grid = wend.grid(6, 5, { shape = "hex", cell = 40 }):fill "bog"
    grid:wall(2, 4, 3, 4):wall(5, 1, 5, 2):set(5, 1, false):wall(4, 4, 5, 4, true, { directed = true })
    draw.map(grid)
    local lines = {}
    for _, call in ipairs(called "line") do lines[#lines + 1] = { box_of(call) } end
    local x, y = grid:position(2, 4)
    local side = select(3, grid:cell_size())
    assert.equal(2, #lines) -- none beside a closed hex
    for i, value in ipairs { x + 20, y - side / 2, x + 20, y + side / 2 } do
      assert.is_true(abs(lines[1][i] - value) < 1e-9)
    end
    x = grid:position(4, 4)
    assert.is_true(abs(lines[2][1] - (x + 8)) < 1e-9 and abs(lines[2][3] - (x + 20)) < 1e-9) -- steps lead to the left
    reset()
    draw.map(grid, { limit = 8 })
    assert.same({ 0, 3 }, { #called("polygon", "fill"), #called("rectangle", "fill") })
  end)

  it("follows a rotation", function()
    local grid = wend.grid(300, 300, { cell = 20 }):fill "swamp"
    graphics.translate(400, 300)
    graphics.rotate(math.pi / 4)
    graphics.translate(-3000, -3000)
    draw.map(grid, { alpha = 1 })
    for _, corner in ipairs { { 0, 0 }, { 799, 0 }, { 0, 599 }, { 799, 599 } } do
      local x, y = graphics.inverseTransformPoint(corner[1], corner[2])
      same_colour(ORANGE, filled_at(x, y))
    end
  end)
end)

describe("draw.map of a graph", function()
  before_each(reset)

  ---A graph of 100 x 100 nodes, 50 units apart, joined in rows and columns.
  local function large()
    local graph, points, pairs_of = wend.graph(), {}, {}
    for y = 0, 99 do
      for x = 0, 99 do
        local id = y * 100 + x + 1
        points[#points + 1], points[#points + 2] = x * 50, y * 50
        if x < 99 then pairs_of[#pairs_of + 1], pairs_of[#pairs_of + 2] = id, id + 1 end
        if y < 99 then pairs_of[#pairs_of + 1], pairs_of[#pairs_of + 2] = id, id + 100 end
      end
    end
    graph:add_nodes(points)
    graph:add_edges(pairs_of, { tag = "road" })
    return graph
  end

  it("draws each visible edge once, and visible nodes, for random graphs and views", function()
    helper.rounds("love: edges", 60, function(rng)
      reset()
      local graph, expected, found = wend.graph(), {}, {}
      for _ = 1, 40 do graph:add_node(rng(0, 2000), rng(0, 2000)) end
      for _ = 1, 90 do
        local a, b = rng(40), rng(40)
        if a ~= b then graph:add_edge(a, b, { directed = rng:chance(0.4) }) end
      end
      local x, y = rng(0, 1500), rng(0, 1500)
      draw.map(graph, { view = { x, y, 400, 300 }, reach = 4000 })
      local function key(...) return ("%d %d %d %d"):format(...) end
      for _, from, to in graph:edges() do
        local x1, y1 = graph:position(from)
        local x2, y2 = graph:position(to)
        if max(x1, x2) >= x - 8 and min(x1, x2) <= x + 408 and max(y1, y2) >= y - 8 and min(y1, y2) <= y + 308 then
          if x1 > x2 or x1 == x2 and y1 > y2 then x1, y1, x2, y2 = x2, y2, x1, y1 end
          expected[#expected + 1] = key(x1, y1, x2, y2)
        end
      end
      for _, call in ipairs(called "line") do
        local x1, y1, x2, y2 = unpack(call, 2, 5)
        if x1 > x2 or x1 == x2 and y1 > y2 then x1, y1, x2, y2 = x2, y2, x1, y1 end
        found[#found + 1] = key(x1, y1, x2, y2)
      end
      table.sort(expected)
      table.sort(found)
      assert.same(expected, found)
      local nodes = 0
      for node in graph:nodes() do
        local px, py = graph:position(node)
        if px >= x and px <= x + 400 and py >= y and py <= y + 300 then nodes = nodes + 1 end
      end
      assert.is_true(#called "circle" >= nodes)
    end)
  end)

  it("finds edges that lead into the visible part, as far as the visible ones reach", function()
    local graph = large()
    graphics.translate(-2025, -2025)
    draw.map(graph)
    local count = 0
    for _, call in ipairs(called "line") do
      local x1, y1, x2, y2 = box_of(call)
      assert.is_true(x2 >= 2010 and x1 <= 2840 and y2 >= 2010 and y1 <= 2640)
      count = count + 1
    end
    -- 16 columns of 13 edges, 12 rows of 17 edges
    assert.equal(16 * 13 + 12 * 17, count)
    assert.equal(16 * 12, #called "circle")
  end)

  it("draws some nodes for all where there are too many", function()
    local graph = large()
    graphics.scale(0.12)
    for _, limit in ipairs { 50, 500 } do
      for i = #calls, 1, -1 do calls[i] = nil end
      draw.map(graph, { limit = limit })
      local circles = called "circle"
      assert.is_true(#circles > limit / 8 and #circles <= limit * 1.5, #circles)
      local x2, y2 = 0, 0
      for _, call in ipairs(circles) do x2, y2 = max(x2, call[3]), max(y2, call[4]) end
      assert.is_true(x2 > 4000 and y2 > 4000)
    end
  end)

  it("draws closed edges dashed, and arrows on directed ones", function()
    local graph = wend.graph()
    graph:add_nodes { 100, 100, 200, 100, 100, 200, 200, 200 }
    graph:add_edge(1, 2, { directed = true })
    local closed = graph:add_edge(3, 4)
    graph:close_edge(closed)
    draw.map(graph)
    assert.equal(1, #called("polygon", "fill"))
    assert.is_true(#called "line" > 8)
  end)

  it("writes the names of nodes, unless labels is false or there are many", function()
    local graph = wend.graph()
    graph:add_node(100, 100, { name = "mill" })
    graph:add_node(1000, 100, { name = "keep" })
    draw.map(graph)
    assert.equal("mill", called "print"[1][2])
    assert.equal(2, #called "print") -- and its shadow
    reset()
    draw.map(graph, { labels = false })
    assert.equal(0, #called "print")
  end)

  it("draws the storey that z names, seen from above", function()
    local tower = wend.graph { dimensions = 3 }
    tower:add_nodes { 100, 100, 0, 200, 100, 0, 100, 100, 30, 200, 100, 30 }
    tower:add_edges { 1, 2, 3, 4, 1, 3 }
    draw.map(tower)
    assert.equal(4, #called "circle")
    reset()
    draw.map(tower, { z = { 20, 40 } })
    assert.equal(2, #called "circle")
    reset()
    draw.map(tower, { z = { 50, huge } })
    assert.equal(0, #called "circle")
  end)

  it("leaves out nodes without a position", function()
    local graph = wend.graph()
    graph:add_node()
    graph:add_node(50, 50)
    graph:add_edge(1, 2, { weight = 1 })
    draw.map(graph)
    assert.same({ 1, 0 }, { #called "circle", #called "line" })
  end)
end)

describe("draw.costs", function()
  before_each(reset)

  local function labels()
    local list = {}
    for _, call in ipairs(called "print") do list[#list + 1] = call[2] end
    return list
  end

  it("explains what each visible tag costs the agent, and darkens what is closed for it", function()
    local grid = wend.grid(6, 1, { cell = 10, origin = { 200, 200 } })
    grid:set(1, 1, "swamp"):set(2, 1, "lava"):set(3, 1, "toll"):set(4, 1, "road")
    local costs = wend.costs {
      swamp = function(agent) return agent.boots and 1 or 3 end, road = 0.8,
      lava = false, toll = { times = 1, plus = 12 },
    }
    costs:rule("rain", "road", function(_, factor) return factor * 2 end)
    draw.costs(grid, costs, { agent = { boots = true } })
    assert.same({ "lava: closed", "no tag", "road: x 1.6", "swamp", "toll + 12" }, labels())
    reset()
    draw.costs(grid, costs, { agent = {} })
    assert.same({ "lava: closed", "no tag", "road: x 1.6", "swamp: x 3", "toll + 12" }, labels())
    assert.is_true(filled_at(215, 205)[1] < 0.5) -- orange has 0.9
    assert.equal(1, calls[#calls].scale) -- the legend is in units of the screen
  end)

  it("leaves out edge rules", function()
    local graph, ran = wend.graph(), 0
    graph:add_nodes { 10, 10, 90, 90 }
    graph:add_edge(1, 2, { tag = "road" })
    local costs = wend.costs { road = 2 }
    costs:edge_rule("night", function() ran = ran + 1 return false end)
    costs:mod("wolves"):edge_rule("night", function() ran = ran + 1 return false end)
    draw.costs(graph, costs)
    assert.same({ 0, "road: x 2", 2 }, { ran, labels()[1], #costs:rules() })
  end)

  it("places the legend, or leaves it out", function()
    local grid = wend.grid(2, 2, { cell = 100 }):set(1, 1, "swamp")
    draw.costs(grid, wend.costs(), { legend = { 300, 400 } })
    local box = called "rectangle"
    assert.same({ 300, 400 }, { box[#box - 2][3], box[#box - 2][4] })
    reset()
    draw.costs(grid, wend.costs(), { legend = false })
    assert.equal(0, #called "print")
  end)

  it("shows edges as the agent sees them", function()
    local graph = wend.graph()
    graph:add_nodes { 100, 100, 200, 100 }
    graph:add_edge(1, 2, { tag = "ford" })
    draw.costs(graph, wend.costs { ford = false }, { legend = false })
    assert.is_true(#called "line" > 5) -- dashes
  end)
end)

describe("draw.field", function()
  before_each(reset)

  it("colours cells by their costs, and draws arrows along the steps", function()
    local grid = wend.grid(6, 1, { cell = 40 }):set(6, 1, false)
    draw.field(grid, grid:field(1, 1))
    same_colour(rgb "#ffffd0", filled_at(20, 20))
    same_colour(rgb "#2351a1", filled_at(162, 2))
    assert.equal(nil, filled_at(220, 20))
    local arrows = called("polygon", "fill")
    assert.equal(4, #arrows)
    assert.is_true(arrows[1][3] < 60) -- the tip of the arrow of cell 2 is left of its middle
  end)

  it("takes the range of costs, and no arrows", function()
    local grid = wend.grid(5, 1, { cell = 40 })
    draw.field(grid, grid:field(1, 1), { range = { -100, 0 }, arrows = false })
    same_colour(rgb "#2351a1", filled_at(20, 20))
    assert.equal(0, #called "polygon")
  end)

  it("draws what a search has looked at", function()
    local grid = wend.grid(6, 1, { cell = 40 })
    local search = grid:search(1, 1, 6, 1, { visited = true, cost = function(_, cost) return cost end })
    search:step(3)
    draw.search(grid, search)
    same_colour(rgb "#ffffd0", filled_at(20, 20))
    same_colour(rgb "#2351a1", filled_at(100, 20))
    assert.equal(nil, filled_at(140, 20))
    assert.equal(0, #called "polygon")
    local graph = wend.graph()
    graph:add_nodes { 10, 10, 90, 10, 200, 10 }
    graph:add_edges { 1, 2, 2, 3 }
    search = graph:search(1, 3, { visited = true })
    search:step(2)
    reset()
    draw.search(graph, search)
    assert.equal(4, #called "circle")
    raises("search must be one of this map", draw.search, grid, search)
    raises("search must be made by map:search, got a wend.Field", draw.search, grid, grid:field(1, 1))
    raises("unknown option 'arrows' (expected one of: view, alpha, limit, range, reach, z)", draw.search, graph, search,
      { arrows = true })
  end)

  it("draws fewer arrows where cells are small", function()
    local grid = wend.grid(400, 300)
    graphics.scale(2)
    draw.field(grid, grid:field(1, 1), { limit = 1e6 })
    assert.is_true(#called "polygon" > 400 and #called "polygon" <= 800 * 600 / (22 * 22))
  end)

  it("draws fields of windows, of graphs, of changed maps and with infinite costs", function()
    local grid = wend.grid(50, 50, { cell = 10 })
    local field = grid:field(25, 25, { window = 2 })
    draw.field(grid, field)
    assert.equal(nil, filled_at(205, 205))
    assert.truthy(filled_at(245, 245))
    grid:set(25, 24, false)
    field:scale(-1.2)
    draw.field(grid, field)
    local graph = wend.graph()
    graph:add_nodes { 10, 10, 90, 10, 200, 10, 300, 300 }
    graph:add_edges { 1, 2, 2, 3 }
    local far = graph:field(1, { values = { 5 } })
    graph:remove_node(2)
    reset()
    draw.field(graph, far)
    assert.equal(4, #called "circle")
    far:scale(1e308):scale(1e308)
    draw.field(graph, far)
  end)
end)

describe("draw.path, draw.route and draw.follower", function()
  before_each(reset)

  it("draw the visible legs, with a width in pixels", function()
    local points = {}
    for i = 1, 1000 do points[2 * i - 1], points[2 * i] = i * 10, 50 end
    graphics.scale(4)
    draw.route(points, { width = 2, colour = "#ff0000" })
    local lines = called "line"
    assert.is_true(#lines >= 19 and #lines <= 21)
    assert.equal(0.5, lines[1].width)
    assert.same({ 1, 0, 0, 1 }, lines[1].colour)
  end)

  it("draw paths over graphs and grids", function()
    local grid = wend.grid(4, 1, { cell = 10 })
    draw.path(grid:path(1, 1, 4, 1), { colour = { 0, 0, 1, 0.5 } })
    assert.equal(3, #called "line")
    assert.same({ 5, 5, 15, 5 }, { unpack(called "line"[1], 2, 5) })
    assert.same({ 0, 0, 1, 0.5 }, called "line"[1].colour)
    reset()
    local shaft = wend.graph { dimensions = 3 }
    shaft:add_nodes { 0, 0, 0, 30, 40, 5, 60, 0, 9 }
    shaft:add_edges { 1, 2, 2, 3 }
    draw.path(shaft:path(1, 3))
    assert.same({ 30, 40, 60, 0 }, { unpack(called "line"[2], 2, 5) })
    draw.path(grid:path(2, 1, 2, 1))
  end)

  it("draw routes of 3 dimensions, curves, and nothing", function()
    draw.route({ 0, 0, 0, 30, 40, 5 }, { dimensions = 3 })
    assert.same({ 0, 0, 30, 40 }, { unpack(called "line"[1], 2, 5) })
    draw.route(wend.curve({ 0, 0, 30, 40, 60, 0 }, { curve = "catmull_rom" }))
    reset()
    draw.route {}
    assert.equal(0, #calls)
  end)

  it("draw a follower, its heading and its way", function()
    local f = wend.follow({ 100, 100, 200, 100, 200, 200 }, { speed = 50, curve = "catmull_rom" })
    f:update(1)
    draw.follower(f)
    assert.equal(3, #called "line") -- two legs, and the heading
    assert.same({ f.x, f.y }, { unpack(called("circle", "fill")[1], 3, 4) })
    reset()
    draw.follower(f:pause(), { line = true })
    assert.is_true(#called "line" > 5)
    assert.equal(1, #called("circle", "line"))
    reset()
    graphics.translate(5000, 0)
    draw.follower(f)
    assert.equal(0, #calls)
  end)
end)

describe("draw.path and draw.walkers, to scale:", function()
  before_each(reset)

  it("fill each cell that an agent covers once, for random paths", function()
    helper.rounds("bodies in LÖVE", 20, function(rng)
      local grid = wend.grid(20, 15, { cell = { 8, 6 }, projection = rng() < 0.5 and "isometric" or nil,
        origin = { 100, 20 } })
      for _ = 1, 25 do grid:close(rng(20), rng(15)) end
      local size = rng(4)
      local path = grid:path(rng(20), rng(15), rng(20), rng(15), { size = size })
      if not path then return end
      local expected, found, before = {}, {}, math.floor((size - 1) / 2)
      for _, x, y in path:each() do
        for row = y - before, y - before + size - 1 do
          for column = x - before, x - before + size - 1 do
            if row > 0 and column > 0 and row < 16 and column < 21 then expected[row * 100 + column] = true end
          end
        end
      end
      reset()
      draw.path(path, { colour = "#ff0000" })
      for _, call in ipairs(calls) do
        if call[2] == "fill" and call[1] ~= "circle" then
          local x1, y1, x2, y2 = box_of(call)
          local column, row = grid:cell_at((x1 + x2) / 2, (y1 + y2) / 2)
          assert.is_nil(found[row * 100 + column])
          found[row * 100 + column] = true
          assert.same({ 1, 0, 0, 0.25 }, call.colour)
        end
      end
      assert.same(expected, found)
    end)
  end)

  it("draw a band along a path over a graph", function()
    local graph = wend.graph()
    graph:add_nodes { 10, 10, 90, 10 }
    graph:add_edge(1, 2)
    graphics.scale(2)
    draw.path(graph:path(1, 2, { size = 6 }))
    assert.same({ 6, 1.5 }, { called "line"[1].width, called "line"[2].width })
  end)

  it("draw crowds, followers and anything with x and y, if they are visible", function()
    local crowd = wend.crowd()
    crowd:add { x = 10, y = 20, radius = 3 }
    crowd:add { x = 9000, y = 20, radius = 3 }
    draw.walkers(crowd)
    assert.same({ 10, 20, 3, 3 }, { unpack(called("ellipse", "fill")[1], 3, 6) })
    assert.equal(1, #called("ellipse", "line"))
    assert.equal(1, #called "line")
    reset()
    local f = wend.follow { 50, 50, 90, 50 }
    f.size = 2
    draw.walkers({ f, { x = 20, y = 20 } }, { map = wend.grid(20, 20, { cell = 10 }) })
    assert.same({ 40, 40, 60, 40, 60, 60, 40, 60 }, { unpack(called("polygon", "fill")[1], 3) })
    assert.same({ 20, 20, 4, 4 }, { unpack(called("ellipse", "fill")[1], 3, 6) }) -- a dot
    reset()
    draw.walkers(f)
    assert.same({ 50, 50, 1, 1 }, { unpack(called("ellipse", "fill")[1], 3, 6) }) -- a diameter, without cells
    reset()
    draw.walkers({ x = 50, y = 50, radius = 20 },
      { map = wend.grid(9, 9, { projection = "isometric", cell = { 40, 20 } }) })
    local rx, ry = unpack(called("ellipse", "fill")[1], 5, 6)
    assert.near(14.142, rx, 0.001)
    assert.near(7.071, ry, 0.001)
    draw.walkers {}
  end)

  it("draw a ring around a walker that is lost", function()
    local crowd = wend.crowd { map = wend.parse_grid ".#." }
    local walker = crowd:add { x = 0.5, y = 0.5, radius = 0.4 }:go(2.5, 0.5)
    crowd:update(0.1)
    assert.equal("lost", walker.state)
    draw.walkers(walker)
    assert.equal(2, #called("ellipse", "line"))
  end)
end)

describe("draw.walls and draw.level", function()
  before_each(reset)

  it("draw the visible walls", function()
    local walls = wend.walls()
    walls:add_segment(10, 10, 50, 10)
    walls:add_circle(100, 100, 20)
    walls:add_polygon { 200, 200, 240, 200, 240, 240 }
    walls:add_polygon { 300, 300, 340, 300, 310, 310, 300, 340 }
    walls:add_segment(-50, 5000, 50, 5000)
    draw.walls(walls)
    assert.equal(1, #called "line")
    assert.equal(2, #called("polygon", "line"))
    assert.equal(1, #called("polygon", "fill")) -- LÖVE fills no concave polygon
    assert.equal(2, #called "circle")
  end)

  it("draw a level of Tiled", function()
    local level = wend.read_tiled "examples/tiled/ford.lua"
    draw.level(level, { legend = true, costs = wend.costs { road = false } })
    local words = {}
    for _, call in ipairs(called "print") do words[call[2]] = (words[call[2]] or 0) + 1 end
    assert.same({ 2, 2, 1 }, { words.mill, words.heron, words["road: closed"] }) -- names have shadows
    reset()
    draw.level(level, { labels = false, limit = 10 })
    assert.equal(0, #called "print")
    draw.level {}
  end)
end)

describe("draw.level of a grid and a graph", function()
  before_each(reset)

  it("colours edges without a tag as draw.map of the graph does, not as cells", function()
    local graph, level = wend.graph(), { grid = wend.grid(4, 4, { cell = 40 }):fill(false) }
    graph:add_nodes { 10, 10, 90, 90 }
    graph:add_edge(1, 2)
    level.graph = graph
    draw.level(level)
    local found
    for _, call in ipairs(called "line") do
      if call[2] ~= call[4] and call[3] ~= call[5] then found = call.colour end
    end
    same_colour(rgb "#7d828d", found)
  end)
end)

describe("wend.love, memory:", function()
  before_each(reset)

  it("holds no map", function()
    local weak = setmetatable({}, { __mode = "v" })
    local function draw_all()
      local grid, graph = wend.grid(30, 30):set(1, 1, "a"), wend.graph()
      graph:add_nodes { 0, 0, 10, 10 }
      graph:add_edge(1, 2, { tag = "b" })
      local path = graph:path(1, 2)
      for _, map in ipairs { grid, graph } do draw.costs(map, wend.costs { a = 2 }) end
      draw.path(path)
      weak[1], weak[2], weak[3] = grid, graph, path
    end
    draw_all()
    for i = #calls, 1, -1 do calls[i] = nil end
    local jit = rawget(_G, "jit")
    if jit then jit.flush() end -- compiled code holds objects that it has seen
    for _ = 1, 3 do collectgarbage() end
    assert.same({}, weak)
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

describe("wend.love, errors:", function()
  before_each(reset)

  local grid, graph, walls = wend.grid(3, 3, { cell = 20 }):fill "swamp", wend.graph(), wend.walls()
  graph:add_nodes { 10, 10, 90, 90 }
  graph:add_edge(1, 2, { tag = "swamp" })
  local NAMES = "(expected one of: view, alpha, limit, costs, agent, colours, labels, legend, reach, z)"

  it("refuses wrong objects", function()
    for _, name in ipairs { "map", "costs", "field" } do
      raises("map must be a graph or a grid, got a wend.Walls", draw[name], walls)
    end
    raises("costs must be a profile made by wend.costs, got nil", draw.costs, grid)
    raises("costs must be a profile made by wend.costs, got 5", draw.map, grid, { costs = 5 })
    raises("field must be a field of this map, got a wend.Graph", draw.field, grid, graph)
    raises("field must be a field of this map, got a wend.Field", draw.field, grid, graph:field(1))
    raises("field must be a field of this map, got a wend.Field", draw.field, graph, grid:field(1, 1))
    raises("path must be a path, got a table", draw.path, {})
    raises("points must be a flat list of coordinates, got a wend.Path", draw.route, grid:path(1, 1, 3, 3))
    raises("points must hold 2 numbers per item, got 3 numbers", draw.route, { 1, 2, 3 })
    raises("points[2] must be a finite number (up to 1e150), got nan", draw.route, { 1, 0 / 0 })
    raises("points[1] must be a finite number (up to 1e150), got 'a'", draw.route, { "a", 1 })
    raises("dimensions must be 2 or 3, got 4", draw.route, { 1, 2, 3, 4 }, { dimensions = 4 })
    raises("follower must be made by wend.follow, got nil", draw.follower)
    raises("walkers must be a crowd, or walkers: something with fields x and y, or a list of such, got nil",
      draw.walkers)
    raises("walls must be made by wend.walls, got a wend.Grid", draw.walls, grid)
    raises("level must be a level, got nil", draw.level)
    raises("level.grid must be a grid, got a wend.Graph", draw.level, { grid = graph })
    raises("level.names must be a table, got 1", draw.level, { names = 1 })
    assert.equal(0, #calls)
  end)

  it("refuses wrong options", function()
    raises("options must be a table, got 1", draw.map, grid, 1)
    raises("unknown option 'color' " .. NAMES, draw.map, grid, { color = 1 })
    raises("unknown option 'color' (expected one of: view, colour, width)", draw.walls, walls, { color = 1 })
    raises("view must be { x, y, width, height }, got nil", draw.map, grid, { view = { 1, 2, 3 } })
    raises("width of view must be > 0, got 0", draw.map, grid, { view = { 1, 2, 0, 3 } })
    raises("alpha must be a number in 0 .. 1, got 2", draw.map, grid, { alpha = 2 })
    raises("alpha must be a number in 0 .. 1, got nan", draw.map, grid, { alpha = 0 / 0 })
    raises("limit must be a whole number in 1 .. 1000000, got 0", draw.map, grid, { limit = 0 })
    raises("limit must be a whole number in 1 .. 1000000, got 1.5", draw.map, grid, { limit = 1.5 })
    raises("reach must be a number >= 0, got -1", draw.map, grid, { reach = -1 })
    raises("labels must be a boolean, got 1", draw.map, grid, { labels = 1 })
    raises("arrows must be a boolean, got 1", draw.field, grid, grid:field(1, 1), { arrows = 1 })
    raises("line must be a boolean, got 1", draw.follower, wend.follow { 0, 0 }, { line = 1 })
    raises("legend must be a boolean or { x, y }, got 1", draw.map, grid, { legend = 1 })
    raises("map must be a grid, got a wend.Graph", draw.walkers, {}, { map = graph })
    raises("z must be { low, high }, got 1", draw.map, graph, { z = 1 })
    raises("z must be { low, high } with low <= high, got 5", draw.map, graph, { z = { 5, 4 } })
    raises("range must be { least, most }, got nan", draw.field, grid, grid:field(1, 1), { range = { 0, 0 / 0 } })
    raises("colours must be a table of colours by tag, got 1", draw.map, grid, { colours = 1 })
    raises("a key of colours must be a tag, got 1", draw.map, grid, { colours = { "#000000" } })
    local COLOUR = "must be '#rrggbb' or a list of 3 or 4 numbers in 0 .. 1, got "
    raises("a colour of colours " .. COLOUR .. "'red'", draw.map, grid, { colours = { swamp = "red" } })
    raises("colour " .. COLOUR .. "2", draw.walls, walls, { colour = { 0, 0, 2 } })
    raises("colour " .. COLOUR .. "false", draw.walls, walls, { colour = { 0, 0 } })
    raises("width must be a number in 0.1 .. 100, got 0", draw.walls, walls, { width = 0 })
    assert.equal(0, #calls)
  end)

  it("names the line of the script", function()
    local ok, message = pcall(function() draw.map(5) end)
    assert.is_false(ok)
    assert.truthy(message:find "^[^\n]*love_spec%.lua:%d+: map must be", message)
  end)

  it("restores the state when a function of the profile, a metamethod or LÖVE raises", function()
    local before = state()
    for _, map in ipairs { grid, graph } do
      local ok, message = pcall(draw.costs, map, wend.costs { swamp = function() error "too wet" end })
      assert.is_false(ok)
      assert.truthy(message:find("too wet", 1, true), message)
      assert.same(before, state())
      assert.equal(0, #stack)
    end
    graphics.on_call = function() error "the context is lost" end
    assert.is_false((pcall(draw.map, grid)))
    assert.is_false((pcall(draw.path, grid:path(1, 1, 3, 3))))
    graphics.on_call = nil
    assert.same(before, state())
    assert.equal(0, #stack)
    draw.map(graph)
    draw.path(grid:path(1, 1, 3, 3))
    assert.is_true(#calls > 0)
  end)

  it("bears functions of the profile that draw, edit and remove what is drawn", function()
    local map = wend.graph()
    local costs = wend.costs { a = function()
      draw.map(map)
      for node in map:nodes() do
        if node > 1 then map:remove_node(node) end
      end
      return 2
    end }
    map:add_nodes { 10, 10, 90, 10, 90, 90, 10, 90 }
    map:add_edges({ 1, 2, 2, 3, 3, 4, 4, 1, 1, 3 }, { tag = "a" })
    draw.costs(map, costs)
    assert.equal(1, map:node_count())
    local field = wend.grid(2, 2)
    local cells = wend.costs { a = function()
      field:fill(false)
      return 2
    end }
    field:fill "a"
    draw.costs(field, cells)
    assert.equal(0, #stack)
  end)

  it("bears finalizers that remove what is drawn", function()
    local map = wend.graph()
    for i = 1, 100 do map:add_node(i % 20 * 30, i * 5) end
    for i = 1, 99 do map:add_edge(i, i + 1, { tag = "t" .. i % 7 }) end
    if _VERSION == "Lua 5.1" then return pending "tables have no finalizers here" end
    local removed = 1
    local function arm()
      setmetatable({}, { __gc = function()
        removed = removed + 1
        if map:has(removed) and removed < 90 then
          map:remove_node(removed)
          arm()
        end
      end })
    end
    arm()
    for _ = 1, 60 do
      reset()
      collectgarbage "step"
      draw.map(map)
      draw.costs(map, wend.costs())
    end
    assert.is_true(removed > 1)
    assert.equal(0, #stack)
  end)
end)
