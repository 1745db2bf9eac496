-- SPDX-License-Identifier: MIT
local export = require "wend.export".export
local helper = require "spec.helper"
local wend = require "wend"

--- How often a text has which lines, and how many lines there are.
local function lines_of(text)
  local amounts, count = {}, 0
  for line in text:gmatch "([^\n]*)\n" do
    amounts[line] = (amounts[line] or 0) + 1
    count = count + 1
  end
  return amounts, count
end

--- How many lines of a text another one has not.
local function lost(before, after)
  local kept, count = lines_of(after), 0
  for line, amount in pairs((lines_of(before))) do
    count = count + math.max(amount - (kept[line] or 0), 0)
  end
  return count
end

--- A value in quotes, as it was.
local function unquoted(text)
  return (text:gsub("\\(%d%d%d)", function(code) return string.char(tonumber(code)) end)
    :gsub("\\(.)", { n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\" }))
end

--- Reads the text of a graph whose ids were given out one after the other.
local function read_graph(text)
  local graph = wend.graph { dimensions = tonumber(text:match "\ndimensions (%d)\n") }
  for line in text:gmatch "[^\n]+" do
    local tag = line:match ' tag "(.*)"'
    local plain = line:gsub('"[^"]*"', '""')
    local from, to = plain:match "^edge %d+ from (%d+) to (%d+)"
    if plain:find "^node" then
      local x, y, z = (plain:match " at ([%deE.+ -]+)" or ""):match "^(%S+) (%S+) ?(%S*)"
      local opts = { name = line:match ' name "(.*)"', radius = tonumber(plain:match " radius (%S+)") }
      opts.name = opts.name and unquoted(opts.name)
      local id = graph:add_node(tonumber(x), tonumber(y), tonumber(z), opts)
      if plain:find " closed" then graph:close(id) end
    elseif from then
      local id = graph:add_edge(tonumber(from), tonumber(to), {
        weight = tonumber(plain:match " weight (%S+)"), directed = plain:find " directed" ~= nil,
        tag = tag and unquoted(tag),
      })
      if plain:find " closed" then graph:close_edge(id) end
    end
  end
  return graph
end

describe("wend.export of graphs", function()
  it("writes one thing a line, and what a line does not say is as nobody said it", function()
    local graph = wend.graph()
    graph:add_node(0, 0, { name = "gate" })
    graph:add_node(60, -0.5, { name = "keep", radius = 12 })
    graph:add_node()
    graph:add_edge(1, 2, { tag = "road" })
    graph:add_edge(2, 3, { weight = 7, directed = true })
    graph:add_edge(3, 1, { weight = 0, tag = "rope" })
    graph:close(3):close_edge(2)
    assert.equal([[
wend text 1 graph
dimensions 2
node 1 at 0 0 name "gate"
node 2 at 60 -0.5 name "keep" radius 12
node 3 closed
edge 1 from 1 to 2 measured tag "road"
edge 2 from 2 to 3 weight 7 directed closed
edge 3 from 3 to 1 weight 0 tag "rope"
]], export(graph))
  end)

  it("writes an empty graph, and one of three dimensions", function()
    assert.equal("wend text 1 graph\ndimensions 2\n", export(wend.graph()))
    local graph = wend.graph { dimensions = 3 }
    graph:add_node(1, 2, 3)
    assert.equal("wend text 1 graph\ndimensions 3\nnode 1 at 1 2 3\n", export(graph))
  end)

  it("keeps ids, and leaves out what was removed", function()
    local graph = wend.graph()
    graph:add_nodes { 0, 0, 1, 0, 2, 0 }
    graph:add_edges { 1, 2, 2, 3, 1, 3 }
    graph:remove_node(1)
    assert.equal("wend text 1 graph\ndimensions 2\nnode 2 at 1 0\nnode 3 at 2 0\nedge 2 from 2 to 3 measured\n",
      export(graph))
  end)

  it("writes numbers in few digits that read back as they were", function()
    for text, value in pairs {
      ["0.1"] = 0.1, ["-2.5"] = -2.5, ["0.30000000000000004"] = 0.1 + 0.2, ["0.3333333333333333"] = 1 / 3,
      ["1e+100"] = 1e100, ["1e-7"] = 1e-7, ["9007199254740991"] = 2 ^ 53 - 1, ["9007199254740992"] = 2 ^ 53,
      ["-0"] = -0.0, ["4.94065645841247e-324"] = 2 ^ -1074,
      -- Half-way between two roundings, to 15 and to 16 digits:
      ["2.384185791015625e-7"] = 2 ^ -22, ["12345678901234.0625"] = 12345678901234.0625,
    } do
      local graph = wend.graph()
      graph:add_node(value, 1)
      local written = export(graph):match " at (%S+) 1\n"
      assert.equal(text, written)
      assert.equal(value, tonumber(written))
    end
  end)

  it("writes any number so that it reads back", function()
    helper.rounds("export numbers", 20, function(rng)
      local graph, values = wend.graph(), {}
      for i = 1, 100 do
        values[i] = (rng() - 0.5) * 2 ^ rng(-60, 60) + (rng:chance(0.3) and rng(1000) / 8 or 0)
        graph:add_node(values[i], 1)
      end
      local i = 0
      for written in export(graph):gmatch " at (%S+) 1\n" do
        i = i + 1
        assert.equal(values[i], tonumber(written), written)
      end
      assert.equal(100, i)
    end)
  end)

  it("writes names and tags as text where they are text, else byte by byte", function()
    for name, text in pairs {
      ["H\195\182hle"] = '"H\195\182hle"', ['a "b" \\'] = [["a \"b\" \\"]], ["a\nb\tc\r"] = [["a\nb\tc\r"]],
      ["\0\1\127"] = [["\000\001\127"]], ["\255\195\182"] = [["\255\195\182"]], ["\226\130\172"] = '"\226\130\172"',
      ["\237\160\128"] = [["\237\160\128"]], ["\240\159\152\128"] = '"\240\159\152\128"', ["\192\128"] = [["\192\128"]],
    } do
      local graph = wend.graph()
      graph:add_node(0, 0, { name = name })
      graph:add_edge(1, 1, { tag = name })
      local written = export(graph)
      assert.equal(text, written:match "name (.-)\nedge")
      assert.equal(text, written:match "tag (.-)\n$")
      assert.equal(name, unquoted(text:sub(2, -2)))
      assert.equal(name, read_graph(written):edge(1).tag)
    end
  end)

  it("changes only the lines that an edit is about", function()
    local graph = helper.random_graph(helper.rng "export edits", { nodes = 30, edges = 60, dimensions = 2 })
    local before = export(graph)
    local lines = select(2, lines_of(before))
    local tag = graph:edge(7).tag
    graph:move(5, 1234, 5678)
    assert.equal(1, lost(before, export(graph)))
    graph:set_tag(7, "new"):set_name(9, "nine")
    assert.equal(3, lost(before, export(graph)))
    graph:add_node(3, 3)
    graph:add_edge(31, 2)
    local after = export(graph)
    assert.equal(lines + 2, select(2, lines_of(after)))
    assert.equal(3, lost(before, after))
    assert.not_equal("new", tag)
  end)

  it("says all that there is: a graph made from it has the same text and the same paths", function()
    helper.rounds("export graphs", 30, function(rng)
      local graph, model = helper.random_graph(rng)
      local text = export(graph)
      local copy = read_graph(text)
      assert.equal(text, export(copy))
      for _ = 1, 5 do
        local a, b = rng:pick(model.nodes), rng:pick(model.nodes)
        local one, other = graph:path(a, b), copy:path(a, b)
        assert.equal(one and one.cost, other and other.cost)
      end
    end)
  end)
end)

--- Reads the cells of a text of a grid.
local function read_grid(text)
  local legend, rows = {}, {}
  local function value(weight, tag)
    local kept = weight and weight:match "^#(%d.*)$" -- of a closed cell
    return { weight = tonumber(kept or weight) or false, tag = tag and unquoted(tag), closed = kept ~= nil }
  end
  for line in text:gmatch "[^\n]+" do
    local character, what = line:match "^legend (%S) (.*)$"
    local row = line:match "^row (.*)$"
    if character then
      local weight = what:match "^weight (%S+)"
      if weight and what:find " closed$" then weight = "#" .. weight end
      legend[character] = value(weight, what:match ' tag "(.*)"')
    elseif row then
      rows[#rows + 1] = row
    end
  end
  if next(legend) then return wend.parse_grid(rows, legend) end
  local width, height = text:match "\nsize (%d+) (%d+)\n"
  local grid = wend.grid(tonumber(width), tonumber(height))
  for y, row in ipairs(rows) do
    local x = 0
    for weight, tag in row:gmatch '([^%s"]+)("?[^%s]*)' do
      x = x + 1
      grid:set(x, y, value(weight, tag ~= "" and tag:sub(2, -2) or nil))
    end
    assert(x == tonumber(width))
  end
  return grid
end

local function same_cells(one, other)
  for y = 1, one:height() do
    for x = 1, one:width() do
      local weight, tag = one:get(x, y)
      local other_weight, other_tag = other:get(x, y)
      if weight ~= other_weight or tag ~= other_tag or one:weight(x, y) ~= other:weight(x, y) then return false end
    end
  end
  return one:width() == other:width() and one:height() == other:height()
end

--- The lines of a grid's text about cells.
local function cells(text)
  local list = {}
  for line in text:gmatch "([^\n]*\n)" do
    if line:find "^legend" or line:find "^row" then list[#list + 1] = line end
  end
  return table.concat(list)
end

describe("wend.export of grids", function()
  it("draws the cells as tostring does, under a legend of all of their kinds", function()
    local grid = wend.parse_grid({ "..#~s", "5~.S~" }, {
      ["~"] = { weight = 2, tag = "swamp" }, ["5"] = 5, s = "swamp", S = { weight = false, tag = "snow" },
    })
    local text = export(grid)
    assert.equal([[
legend . weight 1
legend 5 weight 5
legend # closed
legend s closed tag "snow"
legend w weight 1 tag "swamp"
legend a weight 2 tag "swamp"
row ..#aw
row 5a.sa
]], cells(text))
  end)

  it("says how the cells lie, which walls there are, and which links", function()
    local function make(turned)
      local grid = wend.grid(3, 2, { diagonals = "never", cell = 32, origin = { -16, 0.1 } })
      local edits = {
        function() grid:wall(2, 1, 3, 1) end,
        function() grid:wall(1, 2, 1, 1) end,
        function() grid:wall(1, 2, 2, 1) end,
        function() grid:link(1, 2, 3, 2, { weight = 2.5, tag = "stairs" }) end,
        function() grid:link(3, 1, 1, 2, { directed = true }) end,
        function() grid:link(3, 1, 1, 1, { weight = 0, directed = true }) end,
      }
      for i = 1, #edits do edits[turned and #edits + 1 - i or i]() end
      return grid
    end
    local text = export(make())
    assert.equal([[
wend text 1 grid
size 3 2
diagonals never
cell 32
origin -16 0.1
legend . weight 1
row ...
row ...
wall 1 1 1 2
wall 2 1 3 1
wall 2 1 1 2
link 3 1 1 1 weight 0 directed
link 3 1 1 2 weight 1 directed
link 1 2 3 2 weight 2.5 tag "stairs"
]], text)
    assert.equal(text, export(make(true)))
  end)

  it("leaves out walls and links that were taken away", function()
    local grid = wend.grid(3, 2):wall(2, 1, 3, 1):link(1, 1, 3, 2)
    grid:wall(2, 1, 3, 1, false):unlink(1, 1, 3, 2)
    assert.equal(export(wend.grid(3, 2)), export(grid))
  end)

  it("has nothing in it of the way in which the grid was made", function()
    local one = wend.grid(3, 1):set(1, 1, "mud"):set(2, 1, "moss"):set(3, 1, 7)
    local other = wend.grid(3, 1):set(3, 1, "ice"):set(3, 1, 7):set(2, 1, "moss"):set(1, 1, "mud")
    local parsed = wend.parse_grid("xyz", { x = "mud", y = "moss", z = 7 })
    assert.equal(cells(export(one)), cells(export(other)))
    assert.equal(cells(export(one)), cells(export(parsed)))
  end)

  it("gives up to 80 kinds of cells a character each", function()
    local grid = wend.grid(80, 2):map(function(x, y) return y == 1 and { weight = x / 7, tag = "mud" } or nil end)
    grid:set(80, 1, 1)
    local text = export(grid)
    local seen = {}
    for character in text:gmatch "\nlegend (%S) " do
      assert.is_nil(seen[character])
      seen[character] = true
    end
    assert.is_true(same_cells(grid, read_grid(text)))
  end)

  it("writes weights and tags themselves where there are more kinds of cells", function()
    local grid = wend.grid(81, 2):map(function(x) return x / 8 end):set(2, 2, "mud"):set(3, 2, false)
      :set(4, 2, { weight = false, tag = "mud" })
    local text = export(grid)
    assert.truthy(text:find('\nrow 0.125 1"mud" # #"mud" 0.625 0.75 0.875 1 1.125 ', 1, true))
    assert.is_nil(text:find "legend")
    assert.is_true(same_cells(grid, read_grid(text)))
  end)

  it("says which weights closed cells keep, if not 1", function()
    local grid = wend.grid(6, 1):fill(1, 1, 3, 1, 2, "door"):close(2, 1)
    grid:set(3, 1, { weight = 1.5, tag = "door", closed = true }):set(4, 1, { tag = "door", closed = true })
    grid:set(5, 1, { weight = 3, closed = true }):set(6, 1, { weight = 0, closed = true })
    local text = export(grid)
    assert.equal([[
legend a weight 0 closed
legend b weight 3 closed
legend d weight 2 tag "door"
legend o closed tag "door"
legend r weight 1.5 tag "door" closed
legend c weight 2 tag "door" closed
row dcroba
]], cells(text))
    assert.is_true(same_cells(grid, read_grid(text)))
    grid = wend.grid(90, 2):map(function(x, y) return { weight = x / 8, tag = y == 1 and "mud" or nil } end)
    grid:close(3, 1, 9, 2)
    text = export(grid)
    assert.truthy(text:find('\nrow 0.125 0.25 #0.375 #0.5 #0.625 #0.75 #0.875 # #1.125 1.25 ', 1, true))
    assert.truthy(text:find('\nrow 0.125"mud" 0.25"mud" #0.375"mud" #0.5"mud" ', 1, true))
    assert.truthy(text:find(' #0.875"mud" #"mud" #1.125"mud" 1.25"mud" ', 1, true))
    assert.is_true(same_cells(grid, read_grid(text)))
  end)

  it("changes one row where a cell of a known kind changes, however many kinds there are", function()
    for _, kinds in ipairs { 5, 200 } do
      local grid = wend.grid(20, 20):map(function(x, y) return (y * 20 + x) % kinds + 1 end)
      local before = export(grid)
      grid:set(3, 7, 2)
      assert.equal(1, lost(before, export(grid)))
    end
  end)

  it("draws grids that are too large for tostring too", function()
    local grid = wend.grid(300, 300):set(300, 300, "gold"):set(1, 300, false)
    assert.is_true(same_cells(grid, read_grid(export(grid))))
  end)

  it("says all that there is about cells", function()
    helper.rounds("export grids", 20, function(rng)
      local values = { false, 1, 2, 0.5, "swamp", "sand", "stone", { weight = 3, tag = "swamp" }, 0,
        { weight = false, tag = "sand" }, "x\"y\\", "\195\182", 1 / 3 }
      local grid = wend.grid(rng(12), rng(12)):map(function() return rng:pick(values) end)
      local text = export(grid)
      assert.is_true(same_cells(grid, read_grid(text)))
      assert.equal(cells(text), cells(export(read_grid(text))))
    end)
  end)
end)

describe("wend.export", function()
  it("gives the same text of what was loaded as of what was saved", function()
    local graph = helper.random_graph(helper.rng "export files")
    assert.equal(export(graph), export(assert(wend.decode(graph:encode()))))
    local grid = wend.grid(5, 4, { diagonals = "always", cell = 3, origin = { 1, 2 } }):set(2, 2, "mud")
      :wall(1, 1, 2, 1):link(5, 4, 1, 1, { tag = "rope" })
    assert.equal(export(grid), export(assert(wend.decode(grid:encode()))))
  end)

  it("raises for what is none of these", function()
    helper.raises("x must be a graph, a grid, walls or a level, got nil", export)
    helper.raises("x must be a graph, a grid, walls or a level, got a table", export, {})
    helper.raises("x must be a graph, a grid, walls or a level, got a wend.Field", export, wend.grid(1, 1):field(1, 1))
  end)
end)
