-- SPDX-License-Identifier: MIT
local collector = require "spec.support.collector"
local helper = require "spec.support.helper"
local wend = require "wend"
local xml = require "wend.tools.tiled.xml"
local svg = wend.svg

-- The elements of a document in their order, the outermost first: { tag =, attributes =, text =, title = what its child
-- <title> says, or nil }. Raises where it is not well-formed XML.
local function elements(document)
  assert(document:find '^<%?xml version="1%.0" encoding="UTF%-8"%?>\n', "no XML declaration")
  assert(not document:find "[%z\1-\8\11-\31]", "a control character")
  assert(not document:find '="[^"<]*<', "a bare < in an attribute")
  local list = {}
  local function add(element)
    list[#list + 1] = element
    for _, child in ipairs(element) do
      if child.tag == "title" then element.title = child.text end
      add(child)
    end
  end
  add(xml.parse(document, ""))
  assert(list[1].tag == "svg")
  return list
end

local function texts(document)
  local found = {}
  for _, element in ipairs(elements(document)) do
    if element.tag == "text" then found[element.text] = true end
  end
  return found
end

local function find(document, pattern)
  local count = 0
  for _, element in ipairs(elements(document)) do
    local all = { element.tag }
    for key, value in pairs(element.attributes) do all[#all + 1] = key .. "=" .. value end
    for _, text in ipairs(all) do
      if text:find(pattern) then
        count = count + 1
        break
      end
    end
  end
  return count
end

-- How many arrows there are: triangles "M x y L x y L x y z".
local function arrows(document)
  local count = 0
  for _, element in ipairs(elements(document)) do
    if element.attributes.fill and element.attributes.d then
      local _, here = element.attributes.d:gsub("M[^MLz]+L[^MLz]+L[^MLz]+z", "")
      count = count + here
    end
  end
  return count
end

local fen = dofile "examples/fen.lua"

describe("a picture", function()
  it("is a document, of the width that was asked for", function()
    local root = elements(svg(fen.build(wend), { width = 500, title = "A fen" }))[1]
    assert.equal("500", root.attributes.width)
    assert.equal("0 0 500 " .. root.attributes.height, root.attributes.viewBox)
    assert.equal("http://www.w3.org/2000/svg", root.attributes.xmlns)
  end)

  it("is the same every time", function()
    local function one()
      local g = fen.build(wend)
      return svg(g, { path = g:path("gate", "keep"), field = g:field "keep", costs = wend.costs { swamp = false } })
    end
    assert.equal(one(), one())
  end)

  it("rounds alike under every Lua", function()
    local g = wend.graph()
    g:add_node(0, 0)
    g:add_node(1.03125, 0)
    g:add_edge(1, 2)
    local found = texts(svg(g, { path = g:path(1, 2), field = g:field(2), width = 158.25 }))
    assert.truthy(found["path, cost 1.0313"] and found["1.031"])
    assert.truthy(svg(g, { width = 156.125 }):find('width="156.13"', 1, true))
  end)

  it("has no numbers but plain ones", function()
    local g = wend.graph():add_node(1e-9, 1e9) and wend.graph()
    g:add_nodes { 0.1, 1e9, 1 / 3, -1e9, 7, 0 }
    g:add_edges { 1, 2, 2, 3 }
    local document = svg(g, { path = g:path(1, 3) })
    for _, element in ipairs(elements(document)) do
      for key, value in pairs(element.attributes) do
        if key == "d" or key:find "^[cxyr][xy]?$" then
          assert.falsy(value:find "e" or value:find "nan" or value:find "inf" or value:find "%-0[^.]", value)
          assert.falsy(value:find "%.%d%d%d", value)
        end
      end
    end
  end)

  it("holds any name", function()
    local g = wend.graph()
    local names = { "<b>", "a & b", "\"quoted\" 'twice'", "]]>", "&amp;", "Ünter é 你 😀", "bell\7, \0",
      "\255\254 \237\160\128", "\239\191\191", "\192\128", "\240\128\128\128", "\244\144\128\128", "cut \226\130" }
    for i, name in ipairs(names) do
      g:add_node(i % 4 * 100, i * 70, { name = name })
    end
    g:add_edge(1, 2, { tag = "<&>" })
    local found = texts(svg(g, { title = "<title> & more", width = 1500 }))
    for i = 1, 6 do
      assert.truthy(found[names[i]], names[i])
    end
    local odd = "\239\191\189"
    assert.truthy(found["bell" .. odd .. ", " .. odd] and found[odd .. odd .. " " .. odd:rep(3)] and found[odd:rep(3)])
    assert.truthy(found[odd:rep(2)] and found[odd:rep(4)] and found["cut " .. odd:rep(2)])
    assert.truthy(found["<&>"] and found["<title> & more"])
  end)

  it("of nothing is a document too", function()
    for _, x in ipairs { wend.graph(), wend.graph { dimensions = 3 } } do
      elements(svg(x))
      elements(svg(x, { points = {}, path = {} }))
    end
    elements(svg(nil))
    elements(svg(nil, { points = { 1, 2 }, route = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } } }))
  end)

  it("fits the largest and the smallest worlds", function()
    for _, size in ipairs { 1e150, 1e-300, 0 } do
      local g = wend.graph()
      g:add_nodes { -size, -size, size, size, size, -size }
      if size == 0 then g:set_radius(1, 1e308) end
      g:add_edges { 1, 2, 2, 3 }
      for _, element in ipairs(elements(svg(g, { path = g:path(1, 3) }))) do
        for key, value in pairs(element.attributes) do
          assert.falsy(value:find "nan" or value:find "inf", key)
        end
      end
    end
  end)
end)

describe("a picture of a graph", function()
  it("has a colour a tag, in the order of their names, whatever came first", function()
    local function colours(order)
      local g = wend.graph()
      g:add_nodes { 0, 0, 10, 0, 10, 10, 0, 10 }
      for i, tag in ipairs(order) do g:add_edge(i, i + 1, { tag = tag }) end
      local found = {}
      for _, element in ipairs(elements(svg(g))) do
        if element.title then found[element.title] = element.attributes.stroke end
      end
      return found
    end
    local one, other = colours { "swamp", "road", "toll" }, colours { "toll", "swamp", "road" }
    assert.same(one, other)
    assert.truthy(one.swamp and one.road and one.toll)
    assert.truthy(one.swamp ~= one.road and one.road ~= one.toll and one.swamp ~= one.toll)
  end)

  it("has a colour for each of many tags", function()
    local g, seen, count = wend.graph(), {}, 0
    g:add_nodes { 0, 0, 10, 0 }
    for i = 1, 60 do g:add_edge(1, 2, { tag = ("tag %02d"):format(i) }) end
    for _, element in ipairs(elements(svg(g, { legend = false }))) do
      local colour = element.attributes.stroke
      if element.title and colour then
        assert.truthy(colour:find "^#%x%x%x%x%x%x$")
        assert.falsy(seen[colour], element.title)
        seen[colour], count = true, count + 1
      end
    end
    assert.equal(60, count)
  end)

  it("names the places, and explains itself", function()
    local g = fen.build(wend)
    local found = texts(svg(g, { path = g:path("gate", "keep") }))
    for _, text in ipairs { "gate", "lily pool", "keep", "swamp", "road", "toll", "drop", "no tag", "one way" } do
      assert.truthy(found[text], text)
    end
    assert.truthy(found["path, cost " .. ("%.5g"):format(g:path("gate", "keep").cost)])
    local bare = texts(svg(g, { labels = false, legend = false, title = "bare" }))
    assert.same({ bare = true }, bare)
  end)

  it("shows where a way leads only one way", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 100, 0, 100, 100 }
    g:add_edge(1, 2)
    assert.equal(0, arrows(svg(g, { legend = false })))
    g:add_edge(2, 3, { directed = true })
    assert.equal(1, arrows(svg(g, { legend = false })))
    g:add_edge(3, 2, { directed = true }) -- there and back again: both ways
    assert.equal(0, arrows(svg(g, { legend = false })))
    g:add_edge(3, 2, { directed = true, tag = "jump" })
    assert.equal(1, arrows(svg(g, { legend = false })))
    assert.equal(2, arrows(svg(g))) -- the legend's
  end)

  it("draws parallel edges beside each other, and loops", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 100, 0 }
    for _ = 1, 3 do g:add_edge(1, 2) end
    local _, bows = svg(g):gsub("Q", "")
    assert.equal(2, bows)
    g:add_edge(1, 1, { weight = 1 })
    assert.equal(1, find(svg(g), "^d=M.*a[%d. ]+0 1 1 0%.01 0z"))
  end)

  it("leads a path along the edge that it takes", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 100, 0 }
    g:add_edge(1, 2, { weight = 5 })
    g:add_edge(1, 2, { weight = 1 })
    local document = svg(g, { path = { g:path(1, 2), g:path(2, 1) }, legend = false })
    local shapes = {}
    for _, element in ipairs(elements(document)) do
      if (element.title or ""):find "^path" then
        shapes[#shapes + 1] = element.attributes.d:match "Q(%S+ %S+)"
      end
    end
    assert.equal(2, #shapes)
    assert.equal(shapes[1], shapes[2])
  end)

  it("shows what is closed, and what is closed for an agent", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 100, 0, 100, 100 }
    local lava, plain = g:add_edge(1, 2, { tag = "lava" }), g:add_edge(2, 3)
    assert.falsy(svg(g):find "dasharray")
    g:close_edge(plain)
    assert.truthy(texts(svg(g)).closed)
    g:open_edge(plain):close(3)
    assert.truthy(texts(svg(g))["closed node"])
    g:open(3)
    local function asks(agent) return agent.fireproof and 1 or false end
    local costs = wend.costs { lava = asks }
    assert.truthy(texts(svg(g, { costs = costs })).closed)
    assert.falsy(texts(svg(g, { costs = costs, agent = { fireproof = true } })).closed)
    -- An edge rule sees both directions: closed in one, it is a way that leads one way.
    local uphill = wend.costs():edge_rule("uphill", function(_, cost, _, from) return from ~= 2 and cost end)
    assert.equal(0, arrows(svg(g, { legend = false })))
    assert.equal(2, arrows(svg(g, { costs = uphill, legend = false })))
    assert.equal(g:edge(lava).tag, "lava")
  end)

  it("works from above, without positions, and with some of them", function()
    local deep = wend.graph { dimensions = 3 }
    deep:add_nodes { 0, 0, 9, 10, 0, 0, 10, 10, 5, 10, 0, 7 }
    deep:add_edges { 1, 2, 2, 3, 2, 4 }
    local document = svg(deep, { path = deep:path(1, 3), points = deep:path(1, 3):points() })
    elements(document)
    assert.truthy(texts(document).points)
    local lost = wend.graph()
    for _ = 1, 10 do lost:add_node() end
    lost:add_edges({ 1, 2, 2, 3, 10, 1 }, { weights = { 1, 1, 1 } })
    elements(svg(lost, { path = lost:path(10, 3) }))
    lost:move(1, 5, 5)
    elements(svg(lost))
  end)

  it("shows a field by colour and value", function()
    local g = fen.build(wend)
    local field = g:field "keep"
    local found = texts(svg(g, { field = field }))
    assert.truthy(found["keep 0"] and found["door 4"])
    local legend
    for text in pairs(found) do legend = legend or text:find "^field: 0 to " end
    assert.truthy(legend)
    field:scale(-1.2):relax()
    elements(svg(g, { field = field }))
    g:close "keep"
    elements(svg(g, { field = g:field "keep" }))
  end)

  it("shows several paths in different colours", function()
    local g = fen.build(wend)
    local strokes = {}
    local paths = { g:path("gate", "keep"), g:path("keep", "gate") }
    for _, e in ipairs(elements(svg(g, { path = paths, route = { 1, 2, 30, 10 } }))) do
      if e.title and (e.title:find "^path" or e.title:find "^route") then
        strokes[e.title] = e.attributes.stroke
      end
    end
    local seen, count = {}, 0
    for _, colour in pairs(strokes) do
      assert.falsy(seen[colour])
      seen[colour], count = true, count + 1
    end
    assert.equal(3, count)
  end)

  it("of any kind is well-formed", function()
    helper.rounds("svg of graphs", 60, function(rng)
      local g, model = helper.random_graph(rng)
      local options = { costs = wend.costs { swamp = 2, lava = false }, labels = rng:chance(0.5) }
      local a, b = rng:pick(model.nodes), rng:pick(model.nodes)
      options.path = { g:path(a, b), g:path(b, a) }
      options.field = g:field(a)
      elements(svg(g, options))
    end)
  end)

  it("of ten thousand nodes is small #slow", function()
    local rng, g, ends = helper.rng "svg of a large graph", wend.graph(), {}
    for i = 1, 10000 do g:add_node(i % 100 * 10 + rng() * 9, math.floor(i / 100) * 10 + rng() * 9) end
    for i = 1, 9900 do
      for _, j in ipairs { i + 100, i % 100 > 0 and i + 1 or nil } do
        ends[#ends + 1] = i
        ends[#ends + 1] = j
      end
    end
    g:add_edges(ends)
    local document = svg(g, { path = g:path(1, 10000) })
    assert.truthy(#document < 1.5e6)
    assert.truthy(find(document, ".") < 60)
  end)
end)

describe("a picture of a grid", function()
  local function small()
    return wend.parse_grid([[
      ...~~~...
      .#.~~~.#.
      .#.....#.
    ]], { ["~"] = "swamp" })
  end

  it("merges equal cells", function()
    local shapes = {}
    for _, element in ipairs(elements(svg(small(), { legend = false }))) do
      if element.tag == "path" and (element.attributes.fill or ""):find "^#" then
        shapes[#shapes + 1] = element.attributes.d
      end
    end
    table.sort(shapes)
    assert.equal("M1 1h1v2h-1zM7 1h1v2h-1z", shapes[1])
    assert.equal("M3 0h3v2h-3z", shapes[2])
  end)

  it("covers each cell that is not plain once", function()
    helper.rounds("svg of grids", 40, function(rng)
      local wide, high = rng(1, 12), rng(1, 12)
      local cells = {}
      local grid = wend.grid(wide, high):map(function(x, y)
        local what = rng:pick { false, 1, 1, "swamp", "lava" }
        cells[y * 100 + x] = what
        return what
      end)
      local seen = {}
      for _, element in ipairs(elements(svg(grid, { legend = false }))) do
        local colour = element.attributes.fill
        for x, y, w, h in (element.attributes.d or ""):gmatch "M(%d+) (%d+)h(%d+)v(%d+)h%-%d+z" do
          for column = x + 1, x + w do
            for row = y + 1, y + h do
              assert.falsy(seen[row * 100 + column])
              seen[row * 100 + column] = colour
            end
          end
        end
      end
      local colours = {}
      for key, what in pairs(cells) do
        local name = tostring(what)
        if what == 1 then
          assert.falsy(seen[key])
        else
          colours[name] = colours[name] or seen[key]
          assert.truthy(seen[key] and seen[key] == colours[name])
        end
      end
    end)
  end)

  it("explains tags, weights, what is closed", function()
    local found = texts(svg(small():set(1, 1, { weight = 4 })))
    assert.truthy(found.swamp and found.closed and found["weight 1 to 4"])
    found = texts(svg(small(), { costs = wend.costs { swamp = false } }))
    assert.truthy(found["swamp, closed"] and not found.swamp)
    local agent = { boots = true }
    local asks = wend.costs { swamp = function(a) return a.boots and 1 or false end }
    assert.truthy(texts(svg(small(), { costs = asks, agent = agent })).swamp)
    local stepped = wend.costs():edge_rule("no swamp", function(_, cost, tag) return tag ~= "swamp" and cost end)
    assert.truthy(texts(svg(small(), { costs = stepped }))["swamp, closed"])
  end)

  it("shows walls between cells", function()
    local grid = wend.grid(4, 3)
    assert.falsy(texts(svg(grid))["wall between cells"])
    grid:wall(1, 1, 2, 1):wall(1, 2, 2, 2):wall(3, 2, 3, 3):wall(4, 2, 4, 3)
    local document = svg(grid)
    assert.truthy(texts(document)["wall between cells"])
    assert.equal(1, find(document, "^d=M2 2h2M1 0v2$"))
  end)

  it("shows what a search has looked at by colour", function()
    local grid = wend.grid(10, 5):fill(5, 1, 5, 4, false)
    local search = grid:search(1, 1, 10, 1, { visited = true, cost = function(_, cost) return cost end })
    search:step(1)
    assert.truthy(texts(svg(grid, { search = search }))["search: 0"])
    search:step(1000)
    local last
    for _, _, cost in search:each() do last = math.max(last or 0, cost) end
    local document = svg(grid, { search = search })
    assert.truthy(texts(document)[("search: 0 to %.5g"):format(last)])
    assert.equal(0, arrows(document))
    local graph = wend.graph()
    graph:add_nodes { 0, 0, 1, 0, 2, 0 }
    graph:add_edges { 1, 2, 2, 3 }
    search = graph:search(1, 3, { visited = true })
    search:step(10)
    assert.truthy(texts(svg(graph, { search = search }))["search: 0 to 1"])
  end)

  it("shows fields, paths and lines where they are in the world", function()
    local grid = wend.grid(10, 5, { cell = 32, origin = { -100, 50 } })
    local path = grid:path(1, 1, 10, 5)
    local function shape(document)
      local d
      for _, element in ipairs(elements(document)) do
        if (element.title or ""):find "^p[ao]" then d = element.attributes.d end
      end
      return d
    end
    assert.equal(shape(svg(grid, { path = path })), shape(svg(grid, { points = path:points() })))
    local one = wend.grid(1, 1, { cell = 5, origin = { 1000, 3 } })
    assert.equal(shape(svg(one, { path = one:path(1, 1, 1, 1) })), shape(svg(one, { points = { 1002.5, 5.5 } })))
    local document = svg(grid, { field = grid:field(3, 3) })
    assert.truthy(texts(document)["field: 0 to 7.8284"])
    assert.truthy(arrows(document) >= 49)
    elements(svg(grid, { field = grid:field(3, 3):scale(-1.2) }))
    elements(svg(small(), { field = small():field(1, 1), costs = wend.costs { swamp = 3 } }))
  end)

  it("of 512 x 512 is small #slow", function()
    local rng = helper.rng "svg of a large grid"
    local grid = wend.grid(512, 512)
    for _ = 1, 400 do
      local x, y = rng(1, 480), rng(1, 480)
      grid:fill(x, y, x + rng(0, 30), y + rng(0, 30), rng:pick { false, "swamp", "road", 3 })
    end
    assert.truthy(#svg(grid) < 2e5)
    assert.truthy(#svg(grid, { field = grid:field(1, 1) }) < 1e6)
  end)
end)

describe("a picture of hexes", function()
  -- The hexes of a picture by colour: their middles as "x,y" in units of cells, sorted.
  local function hexes_of(document)
    local by_colour = {}
    for _, element in ipairs(elements(document)) do
      local colour, d = element.attributes.fill, element.attributes.d
      for shape in (d or ""):gmatch "M[^Mz]+z" do
        local numbers = {}
        for number in shape:gmatch "%-?[%d.]+" do numbers[#numbers + 1] = tonumber(number) end
        if #numbers == 12 then
          local x, y, sum_x, sum_y = 0, 0, 0, 0
          for i = 1, 11, 2 do
            x, y = x + numbers[i], y + numbers[i + 1] -- the first corner, then ways to the next
            sum_x, sum_y = sum_x + x, sum_y + y
          end
          by_colour[colour] = by_colour[colour] or {}
          table.insert(by_colour[colour], ("%.2f,%.2f"):format(sum_x / 6, sum_y / 6))
        end
      end
    end
    for _, list in pairs(by_colour) do table.sort(list) end
    return by_colour
  end

  local function board(options)
    options.shape, options.cell = "hex", 40
    return wend.grid(2, 3, options):set(2, 2, false)
  end

  it("draws each as a hex, in the rows or columns that are shifted", function()
    for _, case in ipairs {
      { {}, { "0.50,1.50", "1.00,0.50", "1.00,2.50", "2.00,0.50", "2.00,2.50" }, "1.50,1.50" },
      { { shift = "even" }, { "0.50,0.50", "0.50,2.50", "1.00,1.50", "1.50,0.50", "1.50,2.50" }, "2.00,1.50" },
      { { flat = true }, { "0.50,1.00", "0.50,2.00", "0.50,3.00", "1.50,0.50", "1.50,2.50" }, "1.50,1.50" },
    } do
      local found = hexes_of(svg(board(case[1])))
      assert.same({ ["#f4f2ec"] = case[2], ["#474c59"] = { case[3] } }, found)
    end
  end)

  it("is as large as all hexes, and puts paths and the arrows of fields into their middles", function()
    local grid = board {}
    local document = svg(grid, { path = grid:path(1, 1, 2, 3), field = grid:field(1, 1), width = 100 + 56 })
    -- The middles of (1,1), (1,2) or (2,1), and (2,3) in pixels: each hex is 40 wide.
    assert.truthy(document:find('d="M68 51.09L48 85.74L68 120.38L108 120.38"', 1, true))
    assert.equal(4, arrows(document))
  end)

  it("shows walls between open hexes, and teeth of directed ones", function()
    local grid = board {}:wall(1, 1, 2, 1):wall(1, 2, 2, 2):wall(1, 3, 2, 3, true, { directed = true })
    local document = svg(grid)
    assert.equal(1, find(document, "^d=M1.5 0.16667L1.5 0.83333$"))
    assert.equal(1, find(document, "^d=M1.5 2.16667L1.5 2.83333M1.5 2.5l%-0.25 0$"))
    assert.truthy(texts(document)["directed wall"])
  end)

  it("asks the costs, also rules about steps, and draws what a search has looked at", function()
    local grid = board {}:set(1, 3, "swamp")
    local stepped = wend.costs():edge_rule("no swamp", function(_, cost, tag) return tag ~= "swamp" and cost end)
    assert.truthy(texts(svg(grid, { costs = stepped }))["swamp, closed"])
    assert.truthy(texts(svg(wend.grid(1, 1, { shape = "hex" }):fill "swamp", { costs = stepped })).swamp)
    local search = grid:search(1, 1, 2, 3, { visited = true })
    repeat until search:step(1) ~= "running"
    assert.truthy(svg(grid, { search = search }):find("search: 0 to", 1, true))
  end)
end)

describe("walls in a picture", function()
  it("are drawn, alone and with maps", function()
    local walls = wend.walls()
    walls:add_segment(0, 0, 100, 50)
    walls:add_polygon { 20, 20, 60, 20, 40, 70 }
    walls:add_circle(150, 40, 20)
    local document = svg(walls)
    assert.equal(document, svg(nil, { walls = walls }))
    assert.equal(1, find(document, "^fill%-rule=evenodd$"))
    assert.truthy(find(document, "^circle$") >= 1)
    assert.truthy(texts(document).wall)
    elements(svg(wend.grid(5, 5, { cell = 40 }), { walls = walls }))
    local g = wend.graph()
    g:add_nodes { 0, 0, 100, 100 }
    elements(svg(g, { walls = walls }))
    elements(svg(wend.walls()))
  end)
end)

describe("svg with chokepoints", function()
  it("draws rings around nodes and cells, and bands along edges and links", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 100, 0, 200, 0 }
    g:add_edges { 1, 2, 2, 3 }
    local document = svg(g, { chokepoints = g:chokepoints() })
    assert.truthy(texts(document).chokepoint)
    assert.equal(3, select(2, document:gsub("<title>cuts off 1</title>", "")))
    local grid = wend.parse_grid("..#..", nil, { cell = 20 }):link(2, 1, 4, 1)
    document = svg(grid, { chokepoints = grid:chokepoints() })
    elements(document)
    assert.equal(1, select(2, document:gsub("<title>cuts off 2</title>", "")))
    assert.equal(svg(grid), svg(grid, { chokepoints = {} }))
    elements(svg(wend.level { grid = grid, graph = g }, { chokepoints = grid:chokepoints() }))
  end)

  it("leaves out what the map does not have", function()
    local grid, g = wend.grid(3, 1), wend.graph()
    g:add_node(0, 0)
    elements(svg(grid, { chokepoints = { { x = 9, y = 1, cuts = 1 }, { x = 0 / 0, y = 1, cuts = 2 },
      { node = 1, cuts = 1 } } }))
    elements(svg(g, { chokepoints = { { node = 7, cuts = 1 }, { from = 1, to = 9, cuts = 1 }, { cuts = 3 } } }))
  end)

  it("refuses what is no such list", function()
    local grid = wend.grid(3, 1)
    helper.raises("chokepoints must be a list that map:chokepoints has returned, got 5", svg, grid, { chokepoints = 5 })
    helper.raises("chokepoints[1] must be a chokepoint, got 3", svg, grid, { chokepoints = { 3 } })
    helper.raises("chokepoints[1].cuts must be a number >= 1, got nil", svg, grid, { chokepoints = { {} } })
    helper.raises("chokepoints[1].x must be a number, got 'a'", svg, grid, { chokepoints = { { x = "a", cuts = 1 } } })
  end)
end)

describe("svg, to scale:", function()
  local grid = wend.parse_grid([[
    .....#...
    .....#...
    .........
    .........
  ]], nil, { cell = 10 })

  it("draws the cells that an agent covers along its path, and leads the path through its centre", function()
    for size = 1, 2 do
      local path = grid:path(2, 1, 8, 3, { size = size })
      local document, covered = svg(grid, { path = path, width = 100 + 56, legend = true }), {}
      assert.truthy(texts(document)[("path, size %d, cost %s"):format(size, ("%.5g"):format(path.cost))])
      local shape = document:match('d="([^"]*)" fill="#d4003c" fill%-opacity="0.18"')
      for x, y, wide in shape:gmatch "M(%d+) (%d+)h(%d+)v%d+h%-%d+z" do
        covered[#covered + 1] = ("%d,%d"):format(x + 1, y + 1)
        assert.equal(size, tonumber(wide))
      end
      local own = {}
      for _, x, y in path:each() do own[#own + 1] = ("%d,%d"):format(x, y) end
      assert.same(own, covered)
      local points = path:points()
      local first_x, first_y = document:match 'd="M([%d.]+) ([%d.]+)L[^"]*" stroke="#d4003c"'
      local k = 100 / 90 -- pixels in a unit of the world
      assert.near(28 + points[1] * k, tonumber(first_x), 0.01)
      assert.near(28 + points[2] * k, tonumber(first_y), 0.01)
    end
    assert.falsy(svg(grid, { path = grid:path(2, 1, 8, 3) }):find ", size")
  end)

  it("draws a band along a path over a graph, inside the picture", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 80, 0 }
    g:add_edge(1, 2)
    local document = svg(g, { path = g:path(1, 2, { size = 20 }), width = 156 })
    assert.equal(1, find(document, "^stroke%-width=20$"))
    assert.equal(1, find(document, "^stroke%-opacity=0.18$"))
    -- The world is 100 wide, with half of the size at each side.
    assert.truthy(document:find('d="M38 38L118 38" fill="none"', 1, true))
  end)

  it("draws walkers: crowds, followers and anything with x and y", function()
    local crowd = wend.crowd { map = grid }
    for i = 1, 3 do crowd:add { x = 20 * i, y = 35, radius = i } end
    local document = svg(grid, { walkers = crowd, width = 146 })
    assert.truthy(texts(document).walker)
    for i = 1, 3 do assert.equal(1, find(document, ("^rx=%d$"):format(i))) end
    local f = wend.follow({ 20, 20, 50, 20 }, { speed = 10 })
    f.size = 2
    document = svg(grid, { walkers = { f, crowd:each()() }, width = 146 })
    assert.equal(1, find(document, "^d=M38 38L58 38L58 58L38 58z$"))
    assert.equal(1, find(document, "^d=M48 48l10 0$")) -- its heading
    assert.equal(1, find(document, "^rx=1$"))
    assert.equal(1, find(svg(nil, { walkers = { x = 3, y = 4, size = 10 }, width = 156 }), "^rx=50$")) -- without cells
    assert.equal(1, find(svg(nil, { walkers = { x = 3, y = 4 } }), "^r=3$"))
    assert.equal(svg(grid), svg(grid, { walkers = {} }))
  end)

  it("draws round discs on hexes", function()
    local hexes = wend.grid(4, 4, { shape = "hex", cell = 40 })
    local document = svg(hexes, { walkers = { { x = 80, y = 40, radius = 20 }, { x = 90, y = 50, size = 1 } },
      width = 180 + 56 })
    assert.equal(2, find(document, "^rx=20$"))
    assert.equal(2, find(document, "^ry=20$"))
  end)

  it("draws discs on the ground of an isometric grid", function()
    local iso = wend.grid(4, 4, { projection = "isometric", cell = { 40, 20 }, origin = { 80, 0 } })
    local document = svg(iso, { walkers = { { x = 80, y = 40, radius = 20 }, { x = 80, y = 40, size = 2 } },
      width = 160 + 56 })
    assert.equal(1, find(document, "^rx=14.14$"))
    assert.equal(1, find(document, "^ry=7.07$"))
    assert.equal(1, find(document, "^d=M108 48L148 68L108 88L68 68z$"))
  end)

  it("refuses what is no walker", function()
    local be = "a crowd, or walkers: something with fields x and y, or a list of such"
    helper.raises("walkers must be " .. be .. ", got 5", svg, grid, { walkers = 5 })
    helper.raises("walkers must be " .. be .. ", got a wend.Grid", svg, grid, { walkers = grid })
    helper.raises("walkers must be " .. be .. ", got 'a'", svg, grid, { walkers = { "a" } })
    helper.raises("walkers must be " .. be .. ", got a table", svg, grid, { walkers = { { x = 0 / 0, y = 1 } } })
    helper.raises("radius of a walker must be a number in 0 .. 1e+150, got -1", svg, grid,
      { walkers = { x = 1, y = 1, radius = -1 } })
    helper.raises("size of a walker must be a number in 0 .. 1e+150, got nan", svg, grid,
      { walkers = { x = 1, y = 1, size = 0 / 0 } })
    helper.raises("heading of a walker must be a finite number, got 'up'", svg, grid,
      { walkers = { x = 1, y = 1, heading = "up" } })
    local path = grid:path(2, 1, 8, 3, { size = 2 })
    path.size = 33
    helper.raises("size of path must be a whole number in 1 .. 32, got 33", svg, grid, { path = path })
  end)
end)

describe("svg refuses", function()
  local g, grid = fen.build(wend), wend.grid(3, 3)
  local other = fen.build(wend)

  it("what is no map", function()
    helper.raises("map must be a graph, a grid, walls or a level, got 'fen'", svg, "fen")
    helper.raises("map must be a graph, a grid, walls or a level, got a table", svg, {})
    helper.raises("options must be a table, got 5", svg, g, 5)
    helper.raises("unknown option 'colour' (expected one of: path, route, points, field, search, walls, costs, agent, "
      .. "width, labels, legend, title, chokepoints, walkers)", svg, g, { colour = 1 })
  end)

  it("options of the wrong kind", function()
    helper.raises("width must be a number in 100 .. 100000, got '5'", svg, g, { width = "5" })
    helper.raises("width must be a number in 100 .. 100000, got nan", svg, g, { width = 0 / 0 })
    helper.raises("labels must be a boolean, got 'no'", svg, g, { labels = "no" })
    helper.raises("legend must be a boolean, got a table", svg, g, { legend = {} })
    helper.raises("title must be a string, got true", svg, g, { title = true })
    helper.raises("costs must be a profile made by wend.costs, got a table", svg, g, { costs = {} })
    helper.raises("walls must be made by wend.walls, got a table", svg, g, { walls = {} })
    helper.raises("field must be a field of this map, got a table", svg, g, { field = {} })
    helper.raises("search must be made by map:search, got a table", svg, g, { search = {} })
    local search = g:search("gate", "keep", { visited = true })
    helper.raises("field must be nil: the picture has the option search, got a wend.Field", svg, g,
      { search = search, field = g:field "keep" })
    helper.raises("search must be nil: there is no map, got a wend.Search", svg, nil, { search = search })
    search:step(1)
    helper.raises("search must be one of this map", svg, grid, { search = search })
  end)

  it("paths and fields of other maps", function()
    helper.raises("path must be one of this map", svg, g, { path = other:path("gate", "keep") })
    helper.raises("path must be one of this map", svg, nil, { path = g:path("gate", "keep") })
    helper.raises("path must be a path, or a list of paths, got 'gate'", svg, g, { path = "gate" })
    helper.raises("path must be a path, or a list of paths, got 7", svg, g, { path = { 7 } })
    helper.raises("field must be one of this map", svg, grid, { field = g:field "gate" })
    helper.raises("field must be one of this map", svg, grid, { field = wend.grid(9, 9):field(1, 1) })
    helper.raises("field must be one of this map", svg, g, { field = grid:field(1, 1) })
    local path = other:path("gate", "keep")
    other:remove_node(path[2])
    helper.raises(("path must lead over nodes that are there, node %d is gone"):format(path[2]), svg, other,
      { path = path })
  end)

  it("lines that are none", function()
    helper.raises("points must be a flat list of coordinates, or a list of such lists, got 3", svg, g, { points = 3 })
    helper.raises("points must hold 2 numbers per item, got 3 numbers", svg, g, { points = { 1, 2, 3 } })
    helper.raises("route must hold 3 numbers per item, got 4 numbers", svg, g,
      { route = { 1, 2, 3, 4, dimensions = 3 } })
    helper.raises("route[2] must be a finite number (up to 1e150), got nan", svg, g, { route = { 1, 0 / 0 } })
    helper.raises("points[1] must be a finite number (up to 1e150), got 'x'", svg, g, { points = { { "x", 1 } } })
    helper.raises("dimensions of route must be 2 or 3, got 4", svg, g, { route = { 1, dimensions = 4 } })
  end)

  it("nothing that functions of the profile raise", function()
    local costs = wend.costs { swamp = function() error "leeches" end }
    assert.truthy(select(2, pcall(svg, g, { costs = costs })):find "leeches")
    local moor = wend.parse_grid("..\n.~", { ["~"] = "swamp" })
    assert.truthy(select(2, pcall(svg, moor, { costs = costs })):find "leeches")
  end)
end)

describe("a picture of what a script has damaged", function()
  local endless = setmetatable({}, { __index = function() return { 0, 0 } end })

  it("ends", function()
    for _, key in ipairs { "path", "route", "points" } do
      helper.ends(wend.svg, wend.grid(3, 3), { [key] = endless })
    end
  end)

  it("says which cell is none", function()
    local grid = wend.grid(3, 3)
    local path = grid:path(1, 1, 3, 3)
    path[3] = "x"
    helper.raises("path must lead over cells of the grid, got 'x', 2", wend.svg, grid, { path = path })
    path[3] = math.huge
    helper.raises("path must lead over cells of the grid, got inf, 2", wend.svg, grid, { path = path })
  end)
end)

describe("wend.svg of a graph that changes meanwhile", function()
  it("leaves out nodes and edges that a finalizer adds", function()
    local pause, step = collector.tune(0, 10000)
    local started = os.clock()
    for round = 1, 1000 do
      -- A full collection at each step is slow, above all where the program holds much memory.
      if round > 15 and os.clock() > started + 1 then break end
      local g = wend.graph()
      g:add_nodes { 0, 0, 10, 0, 10, 10 }
      g:add_edge(1, 2, { tag = "road" })
      local left = 40
      local function add()
        if left == 0 then return end
        left = left - 1
        pcall(function() g:add_edge(2, left % 2 == 0 and 3 or g:add_node(5, 5)) end)
        collector.finalized(add)
      end
      collector.finalized(add)
      local ok, result = pcall(wend.svg, g, { costs = wend.costs { road = 2 } })
      left = 0
      if not ok then
        collector.tune(pause, step)
        error(result, 0)
      end
    end
    collector.tune(pause, step)
  end)
end)
