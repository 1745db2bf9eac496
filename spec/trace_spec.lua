-- SPDX-License-Identifier: MIT
local grid_reference = require "spec.grid_reference"
local helper = require "spec.helper"
local reference = require "spec.reference"
local wend = require "wend"

-- The ten vertices of J. Hoxley, "Dijkstra's path finding algorithm" (2001). He never needs the length of 5-6.
local function hoxley()
  local g = wend.graph()
  for _ = 1, 10 do g:add_node() end
  g:add_edges({ 1, 2, 1, 8, 1, 9, 2, 3, 2, 9, 3, 4, 4, 5, 4, 10, 5, 6, 6, 7, 7, 8, 7, 10, 9, 10 },
    { weights = { 2, 3, 3, 3, 1, 4, 1, 1, 2, 1, 5, 1, 4 } })
  return g
end

-- His tables as he prints them, a line a table: for each vertex its visit number, distance and temporary value.
-- The last two differ from print at vertex 6: there its temporary value, 9 since step 3 (vii), was left out by mistake.
local HOXLEY = {
  { "Step 0 & 2", "1 0 0 | . | . | . | . | . | . | . | . | ." },
  { "Step 3 (i)", "1 0 0 | . . 2 | . | . | . | . | . | . . 3 | . . 3 | ." },
  { "Step 4 (i)", "1 0 0 | 2 2 2 | . | . | . | . | . | . . 3 | . . 3 | ." },
  { "Step 3 (ii)", "1 0 0 | 2 2 2 | . . 5 | . | . | . | . | . . 3 | . . 3 | ." },
  { "Step 4 (ii)", "1 0 0 | 2 2 2 | . . 5 | . | . | . | . | . . 3 | 3 3 3 | ." },
  { "Step 3 (iii)", "1 0 0 | 2 2 2 | . . 5 | . | . | . | . | . . 3 | 3 3 3 | . . 7" },
  { "Step 4 (iii)", "1 0 0 | 2 2 2 | . . 5 | . | . | . | . | 4 3 3 | 3 3 3 | . . 7" },
  { "Step 3 (iv)", "1 0 0 | 2 2 2 | . . 5 | . | . | . | . . 8 | 4 3 3 | 3 3 3 | . . 7" },
  { "Step 4 (iv)", "1 0 0 | 2 2 2 | 5 5 5 | . | . | . | . . 8 | 4 3 3 | 3 3 3 | . . 7" },
  { "Step 3 (v)", "1 0 0 | 2 2 2 | 5 5 5 | . . 9 | . | . | . . 8 | 4 3 3 | 3 3 3 | . . 7" },
  { "Step 4 (v)", "1 0 0 | 2 2 2 | 5 5 5 | . . 9 | . | . | . . 8 | 4 3 3 | 3 3 3 | 6 7 7" },
  { "Step 3 (vi)", "1 0 0 | 2 2 2 | 5 5 5 | . . 8 | . | . | . . 8 | 4 3 3 | 3 3 3 | 6 7 7" },
  { "Step 4 (vi)", "1 0 0 | 2 2 2 | 5 5 5 | . . 8 | . | . | 7 8 8 | 4 3 3 | 3 3 3 | 6 7 7" },
  { "Step 3 (vii)", "1 0 0 | 2 2 2 | 5 5 5 | . . 8 | . | . . 9 | 7 8 8 | 4 3 3 | 3 3 3 | 6 7 7" },
  { "Step 4 (vii)", "1 0 0 | 2 2 2 | 5 5 5 | 8 8 8 | . | . . 9 | 7 8 8 | 4 3 3 | 3 3 3 | 6 7 7" },
  { "Step 3 (viii)", "1 0 0 | 2 2 2 | 5 5 5 | 8 8 8 | . . 9 | . . 9 | 7 8 8 | 4 3 3 | 3 3 3 | 6 7 7" },
  { "Step 4 (viii)", "1 0 0 | 2 2 2 | 5 5 5 | 8 8 8 | 9 9 9 | . . 9 | 7 8 8 | 4 3 3 | 3 3 3 | 6 7 7" },
}

local function short(value) return value and ("%d"):format(value) or "." end

local function line_of(step)
  local cells = {}
  for i, row in ipairs(step.table) do
    assert.equal(i, row.node)
    cells[i] = row.temporary and ("%s %s %s"):format(short(row.visit), short(row.distance), short(row.temporary)) or "."
  end
  return table.concat(cells, " | ")
end

-- Article D ("Path-Finding, part 2"): its picture is not in its text, whose every statement holds for these lengths.
local function lettered()
  local g = wend.graph()
  for letter in ("ABCDEFG"):gmatch "." do g:add_node { name = letter } end
  for edge, weight in pairs { AB = 7, AC = 5, CD = 2, BD = 4, CF = 12, BF = 8, DF = 6, BE = 5, EG = 7, FG = 3 } do
    g:add_edge(edge:sub(1, 1), edge:sub(2, 2), { weight = weight })
  end
  return g
end

local function names(g, list)
  local text = {}
  for i, node in ipairs(list) do text[i] = g:name(node) end
  return table.concat(text, " ")
end

local function arrays(g, step)
  local found, distance, previous = step:arrays()
  local marks, numbers = {}, {}
  for i = 1, #found do
    marks[i] = found[i] and "yes" or "-"
    numbers[i] = distance[i] < math.huge and ("%d"):format(distance[i]) or "inf"
  end
  return { table.concat(marks, " "), table.concat(numbers, " "), names(g, previous) }
end

describe("wend.trace", function()
  it("goes through the tables of the article's ten vertices, one by one", function()
    local trace = wend.trace(hoxley(), 1, 5)
    for i, expected in ipairs(HOXLEY) do
      assert.equal(expected[1], trace[i].title:match "^[^:]+")
      assert.equal(expected[2], line_of(trace[i]))
    end
    assert.equal(#HOXLEY, #trace)
  end)

  it("finds 1-9-10-4-5 there, and not the equal route by 2, which has an edge more", function()
    local trace = wend.trace(hoxley(), 1, 5)
    assert.is_true(trace.found)
    assert.equal(9, trace.cost)
    assert.same({ 1, 9, 10, 4, 5 }, { (table.unpack or unpack)(trace.path) })
  end)

  it("says in each step what it is and which node it is about", function()
    local trace, text = wend.trace(hoxley(), 1, 5), {}
    for i, step in ipairs(trace) do text[i] = step.kind .. " " .. step.node end
    assert.equal("start 1, update 1, visit 2, update 2, visit 9, update 9, visit 8, update 8, visit 3, update 3, " ..
      "visit 10, update 10, visit 7, update 7, visit 4, update 4, visit 5", table.concat(text, ", "))
  end)

  it("keeps the three arrays of article D", function()
    local g = lettered()
    local trace = wend.trace(g, "A", "G")
    assert.equal("A C D F G", names(g, trace.path))
    assert.equal(16, trace.cost)
    -- "filled with the known distance between the starting node and the others"
    assert.same({ "yes - - - - - -", "0 7 5 inf inf inf inf", "A A A A A A A" }, arrays(g, trace[2]))
    -- "node C has the shortest distance"
    assert.same({ "yes - yes - - - -", "0 7 5 inf inf inf inf", "A A A A A A A" }, arrays(g, trace[3]))
    -- "the distance array is updated with seven, and the previous node array is updated to node C"
    assert.same({ "yes - yes - - - -", "0 7 5 7 inf 17 inf", "A A A C A C A" }, arrays(g, trace[4]))
    -- "nodes B and D have equal distances (seven) ... the algorithm will process node B"
    assert.same({ "yes yes yes - - - -", "0 7 5 7 inf 17 inf", "A A A C A C A" }, arrays(g, trace[5]))
    -- "the previous node for D won't be changed"; F's distance "can be changed for a better one"
    assert.same({ "yes yes yes - - - -", "0 7 5 7 12 15 inf", "A A A C B B A" }, arrays(g, trace[6]))
    -- "the previous node for G is the node F. Then, the previous node for F is the node D"
    assert.same({ "yes yes yes yes yes yes yes", "0 7 5 7 12 13 16", "A A A C B D F" }, arrays(g, trace[#trace]))
  end)

  it("prints a step as a table", function()
    assert.equal([[
Step 3 (i): what can be reached from A
Vertex | Visit | Distance | Temporary | Previous
     A |     1 |        0 |         0 |
     B |       |          |         7 |        A
     C |       |          |         5 |        A
     D |       |          |           |
     E |       |          |           |
     F |       |          |           |
     G |       |          |           |]], tostring(wend.trace(lettered(), "A", "G")[2]))
  end)

  it("prints a step as arrays", function()
    assert.equal([[
Step 3 (ii): what can be reached from C
            A  B    C  D    E   F    G
   found  yes  -  yes  -    -   -    -
distance    0  7    5  7  inf  17  inf
previous    A  A    A  C    A   C    A]], wend.trace(lettered(), "A", "G")[4]:text "arrays")
  end)

  it("prints all tables and the result", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4 }
    g:set_name(2, "hût")
    g:add_edge(1, 2)
    local trace = wend.trace(g, 1, 2)
    assert.equal([[
Step 0 & 2: the start is 1
Vertex | Visit | Distance | Temporary | Previous
     1 |     1 |        0 |         0 |
   hût |       |          |           |

Step 3 (i): what can be reached from 1
Vertex | Visit | Distance | Temporary | Previous
     1 |     1 |        0 |         0 |
   hût |       |          |         5 |        1

Step 4 (i): the next is hût
Vertex | Visit | Distance | Temporary | Previous
     1 |     1 |        0 |         0 |
   hût |     2 |        5 |         5 |        1

path: 1 hût, cost: 5]], tostring(trace))
    assert.equal(tostring(trace), trace:text "table")
    helper.raises("form must be one of: table, arrays, got 'html'", trace.text, trace, "html")
  end)

  it("is one table where start and goal are the same", function()
    local trace = wend.trace(hoxley(), 3, 3)
    assert.equal(1, #trace)
    assert.equal("start", trace[1].kind)
    assert.equal(0, trace.cost)
    assert.equal(1, #trace.path)
  end)

  it("goes through all that can be reached where there is no path", function()
    local g = hoxley()
    g:add_node { name = "island" }
    local trace = wend.trace(g, 1, "island")
    assert.is_false(trace.found)
    assert.is_nil(trace.path)
    assert.is_nil(trace.cost)
    assert.equal("no path from 1 to 'island' (11): no open edge leads to the goal", trace.message)
    assert.equal(20, #trace)
    for _, row in ipairs(trace[#trace].table) do assert.equal(row.name ~= "island", row.visit ~= nil) end
    assert.equal("\n\n" .. trace.message, tostring(trace):sub(-#trace.message - 2))
  end)

  it("stops at the goal that is cheapest to reach", function()
    local trace = wend.trace(hoxley(), 1, { 6, 8, 10 })
    assert.equal(8, trace[#trace].node)
    assert.equal(3, trace.cost)
  end)

  it("shows what an agent's costs make of the graph", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 10, 10 }
    g:add_edge(1, 2, { tag = "swamp" })
    g:add_edge(2, 3, { tag = "lava" })
    g:add_edge(1, 3, { weight = 100 })
    local costs = wend.costs { swamp = function(agent) return agent.boots and 1 or 3 end, lava = false }
    local trace = wend.trace(g, 1, 3, { costs = costs, agent = { boots = false } })
    assert.equal(100, trace.cost)
    assert.equal("1 0 0 | . . 30 | . . 100", line_of(trace[2]))
    trace = wend.trace(g, 1, 2, { cost = function(_, cost) return cost + 1 end, at_least = 1 })
    assert.equal(11, trace.cost)
  end)

  it("shows the order of A* where there is a heuristic", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0, -5, 0 }
    g:add_edges { 1, 2, 2, 3, 1, 4 }
    local function visited(options)
      local trace = wend.trace(g, 1, 3, options)
      local count = 0
      for _, row in ipairs(trace[#trace].table) do count = count + (row.visit and 1 or 0) end
      return count
    end
    assert.equal(3, visited())
    assert.equal(4, visited { algorithm = "dijkstra" })
    assert.equal(4, visited { heuristic = "zero" })
    assert.equal(3, visited { heuristic = function(node) return 20 - (g:position(node)) end })
  end)

  it("corrects a distance where a bad heuristic chose a node too early", function()
    local g = wend.graph()
    for _ = 1, 4 do g:add_node() end
    g:add_edges({ 1, 2, 1, 3, 3, 2, 2, 4 }, { weights = { 4, 1, 1, 9 } })
    local guess = { 0, 0, 8, 0 }                      -- of 3: at most the 11 that it is, but not consistent
    local trace = wend.trace(g, 1, 4, { heuristic = function(node) return guess[node] end })
    assert.equal(11, trace.cost)
    local text = {}
    for i, step in ipairs(trace) do text[i] = step.kind .. " " .. step.node end
    assert.equal("start 1, update 1, visit 2, update 2, visit 3, update 3, update 2, visit 4", table.concat(text, ", "))
    assert.equal("1 0 0 | 2 2 2 | 3 1 1 | 4 11 11", line_of(trace[#trace]))
  end)

  it("lists nodes in the order of their ids, whatever was removed", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 0, 2, 0 }
    g:remove_node(1)
    local late = g:add_node(3, 0)
    g:add_edges { 2, 3, 3, late }
    local trace = wend.trace(g, 2, late)
    local ids = {}
    for i, row in ipairs(trace[1].table) do ids[i] = row.node end
    assert.same({ 2, 3, late }, ids)
    assert.equal(2, trace.cost)
  end)

  it("begins anew, and shows only that, where a rule has failed and was left out", function()
    local g, said, calls = hoxley(), nil, 0
    local costs = wend.costs()
    costs:edge_rule("cursed", function()
      calls = calls + 1
      if calls == 6 then error "no luck" end
      return 1
    end)
    costs.on_error = function(name) said = name end
    local trace = wend.trace(g, 1, 5, { costs = costs })
    assert.equal("cursed", said)
    assert.equal(9, trace.cost)
    assert.equal(HOXLEY[17][2], line_of(trace[#trace]))
    assert.equal(17, #trace)
  end)

  it("answers nil, a sentence and a code where a callback changes the costs", function()
    local g, costs = hoxley(), wend.costs()
    costs:edge_rule("restless", function() costs:edge_rule("new", function() end) end)
    helper.fails("the graph or the costs have changed since the search began", "stale",
      wend.trace, g, 1, 5, { costs = costs })
  end)

  it("lets errors of callbacks through, with their names", function()
    helper.raises("option 'cost': wanted a number >= 0, false or nil, got -1",
      wend.trace, hoxley(), 1, 5, { cost = function() return -1 end })
    local mine = {}
    local ok, problem = pcall(wend.trace, hoxley(), 1, 5, { cost = function() error(mine) end })
    assert.is_false(ok)
    assert.equal(mine, problem)
  end)

  it("raises on bad arguments, at the caller's line", function()
    local g = hoxley()
    helper.raises("graph must be a graph, got nil", wend.trace, nil, 1, 5)
    helper.raises("from: there is no node 11", wend.trace, g, 11, 5)
    helper.raises("to: there is no node named 'keep'", wend.trace, g, 1, "keep")
    helper.raises("unknown option 'into' (expected one of: costs, agent, cost, at_least, algorithm, heuristic)",
      wend.trace, g, 1, 5, { into = {} })
    helper.raises("options must be a table, got 5", wend.trace, g, 1, 5, 5)
    helper.raises("algorithm must be one of: astar, dijkstra, got 'fast'", wend.trace, g, 1, 5, { algorithm = "fast" })
    local _, problem = pcall(function() wend.trace(g, 1, 99) end)
    assert.truthy(problem:find("trace_spec.lua:%d+: to: there is no node 99"))
    local step = wend.trace(g, 1, 5)[1]
    helper.raises("self must be a step of a trace (call it with a colon: step:method()), got a table", step.arrays, {})
  end)
end)

-- Grids ------------------------------------------------------------------------------------------------------------

---Dijkstra's algorithm on a model of a grid, as plain as can be: the cost of each cell that can be reached.
local function distances(model, from, view)
  return grid_reference.spread(model:arcs(view), { [from] = 0 })
end

describe("wend.trace of a grid", function()
  it("records each expansion, from cell to cell", function()
    local grid = wend.parse_grid "..."
    local trace = wend.trace(grid, 1, 1, 3, 1)
    local list = {}
    for i, step in ipairs(trace) do list[i] = ("%s %d,%d: %s"):format(step.kind, step.x, step.y, step.title) end
    assert.same({
      "start 1,1: Step 0 & 2: the start is (1,1)",
      "update 1,1: Step 3 (i): what can be reached from (1,1)",
      "visit 2,1: Step 4 (i): the next is (2,1)",
      "update 2,1: Step 3 (ii): what can be reached from (2,1)",
      "visit 3,1: Step 4 (ii): the next is (3,1)",
    }, list)
    assert.same({ true, 2, 1, 1 }, { trace.found, trace.cost, trace[1].start_x, trace[1].start_y })
    assert.same({ { x = 1, y = 1, visit = 1, distance = 0, temporary = 0 },
      { x = 2, y = 1, temporary = 1, previous_x = 1, previous_y = 1 } }, trace[2].table)
    assert.same({ x = 3, y = 1, visit = 3, distance = 2, temporary = 2, previous_x = 2, previous_y = 1 },
      trace[#trace].table[3])
  end)

  it("shows maps, tables and arrays as text", function()
    local grid = wend.parse_grid "...\n.#.\n..."
    local trace = wend.trace(grid, 1, 1, 3, 1)
    assert.equal("Step 3 (i): what can be reached from (1,1)\n@+.\n+#.\n...", tostring(trace[2]))
    assert.equal(trace[2]:text "map", tostring(trace[2]))
    assert.equal("Step 3 (i): what can be reached from (1,1)\n"
      .. " Cell | Visit | Distance | Temporary | Previous\n"
      .. "(1,1) |     1 |        0 |         0 |\n"
      .. "(2,1) |       |          |         1 |    (1,1)\n"
      .. "(1,2) |       |          |         1 |    (1,1)", trace[2]:text "table")
    assert.equal("Step 3 (i): what can be reached from (1,1)\n"
      .. "          (1,1)  (2,1)  (1,2)\n"
      .. "   found    yes      -      -\n"
      .. "distance      0      1      1\n"
      .. "previous  (1,1)  (1,1)  (1,1)", trace[2]:text "arrays")
    local found, distance, previous = trace[2]:arrays()
    assert.same({ { true, false, false }, { 0, 1, 1 }, { 1, 1, 1, 1, 1, 1 } }, { found, distance, previous })
    local text = tostring(trace)
    assert.equal("path: (1,1) (2,1) (3,1), cost: 2", text:match "[^\n]+$")
    assert.equal(text, trace:text "map")
    grid:close(1, 3) -- a trace is of the grid as it was
    assert.equal("@+.\n+#.\n...", trace[2]:text():match "\n(.*)")
  end)

  it("takes cells as one value, lists of cells and options", function()
    local grid = wend.grid(6, 4)
    local expected = tostring(wend.trace(grid, 1, 1, 4, 2))
    assert.equal(expected, tostring(wend.trace(grid, { x = 1, y = 1 }, 4, 2)))
    assert.equal(expected, tostring(wend.trace(grid, { x = 1, y = 1 }, { x = 4, y = 2 })))
    assert.equal(expected, tostring(wend.trace(grid, 1, 1, { x = 4, y = 2 }, {})))
    assert.equal(expected, tostring(wend.trace(grid, 1, 1, { 4, 2 })))
    assert.equal(expected, tostring(wend.trace(grid, { x = 1, y = 1 }, { 6, 4, 4, 2 }, { heuristic = "octile" })))
    assert.truthy(#wend.trace(grid, 1, 1, 4, 2, { algorithm = "dijkstra" }) > #wend.trace(grid, 1, 1, 4, 2))
  end)

  it("is as long as needed where start and goal are one cell, and where there is no path", function()
    local grid = wend.parse_grid "..#."
    local trace = wend.trace(grid, 1, 1, 1, 1)
    assert.same({ 1, true, 0, "start" }, { #trace, trace.found, trace.cost, trace[1].kind })
    trace = wend.trace(grid, 1, 1, 4, 1)
    assert.is_false(trace.found)
    assert.equal("no path from (1,1) to (4,1)", trace.message:match "no path from %S+ to [^)]+%)")
    assert.equal(4, #trace)
    assert.truthy(tostring(trace):find("no path from (1,1) to (4,1)", 1, true))
  end)

  it("visits every cell that a path could use, at its true distance, on random grids", function()
    helper.rounds("traces of grids", 60, function(rng)
      local model = grid_reference.random(rng, { width = rng(1, 8), height = rng(1, 7) })
      local opts, view = grid_reference.random_costs(rng)
      local x1, y1, x2, y2 = rng(model.width), rng(model.height), rng(model.width), rng(model.height)
      opts.algorithm = rng:pick { "astar", "dijkstra" }
      local trace = wend.trace(model.grid, x1, y1, x2, y2, opts)
      local path = model.grid:path(x1, y1, x2, y2, opts)
      assert.equal(path ~= nil, trace.found)
      if path then reference.near(path.cost, trace.cost) end
      local true_costs = distances(model, model:cell(x1, y1), view)
      local last, visits = trace[#trace].table, 0
      for _, row in ipairs(last) do
        local cost = true_costs[model:cell(row.x, row.y)]
        assert.truthy(row.temporary > cost - 1e-6)
        if row.visit and opts.algorithm == "dijkstra" then reference.near(cost, row.distance) end
        if row.visit then visits = visits + 1 end
      end
      local seen, numbers = {}, 0
      for _, step in ipairs(trace) do
        if step.kind ~= "update" then
          numbers = numbers + 1
          seen[model:cell(step.x, step.y)] = true
        end
      end
      assert.equal(visits, numbers)
      if not path then -- all that can be reached was visited
        for cell, cost in pairs(true_costs) do assert.equal(cost < math.huge, seen[cell] or false) end
      end
    end)
  end)

  it("begins anew where a rule has failed and was left out", function()
    local grid, calls = wend.grid(5, 1), 0
    local costs = wend.costs()
    costs:edge_rule("cursed", function()
      calls = calls + 1
      if calls == 3 then error "no luck" end
      return 9
    end)
    costs.on_error = function() end
    local trace = wend.trace(grid, 1, 1, 5, 1, { costs = costs })
    assert.same({ 4, 9 }, { trace.cost, #trace })
    assert.equal("start", trace[1].kind)
  end)

  it("answers nil, a sentence and a code where a callback changes the costs", function()
    local grid, costs = wend.grid(5, 1), wend.costs()
    costs:edge_rule("restless", function() costs:edge_rule("new", function() end) end)
    helper.fails("the grid or the costs have changed since the search began", "stale",
      wend.trace, grid, 1, 1, 5, 1, { costs = costs })
    costs = wend.costs()
    costs:rule("bad", "mud", function() error "no" end)
    costs.on_error = function() grid:close(3, 1) end
    grid:set(2, 1, "mud")
    helper.fails("the grid or the costs have changed since the search began", "stale",
      wend.trace, grid, 1, 1, 5, 1, { costs = costs })
  end)

  it("follows links", function()
    local grid = wend.parse_grid("..#.."):link(2, 1, 4, 1, { weight = 7 })
    local trace = wend.trace(grid, 1, 1, 5, 1)
    assert.same({ 9, 7 }, { trace.cost, #trace })
    assert.same({ 2, 1 }, { trace[4].table[3].previous_x, trace[4].table[3].previous_y })
  end)

  it("raises on bad arguments, at the caller's line", function()
    local grid = wend.grid(3, 3)
    helper.raises("x1 must be a whole number in 1 .. 3, got nil", wend.trace, grid)
    helper.raises("x1 must be a whole number in 1 .. 3, got 4", wend.trace, grid, 4, 1, 1, 1)
    helper.raises("y2 must be a whole number in 1 .. 3, got nan", wend.trace, grid, 1, 1, 1, 0 / 0)
    helper.raises("unknown option 'into' (expected one of: costs, agent, cost, at_least, algorithm, heuristic)",
      wend.trace, grid, 1, 1, 2, 2, { into = {} })
    helper.raises("options must be a table, got 5", wend.trace, grid, 1, 1, 2, 2, 5)
    helper.raises("form must be one of: map, table, arrays, got 'html'", function()
      wend.trace(grid, 1, 1, 2, 2):text "html"
    end)
    helper.raises("form must be one of: table, arrays, got 'map'", function()
      wend.trace(hoxley(), 1, 2):text "map"
    end)
    local _, problem = pcall(function() wend.trace(grid, 1, 1, 9, 9) end)
    assert.truthy(problem:find("trace_spec.lua:%d+: x2 must be"))
  end)

  it("that a script has damaged ends all its methods", function()
    local endless = setmetatable({}, { __index = function() return 1 end })
    for _, key in ipairs { "kind", "x", "y", "start_x", "title", "table" } do
      local trace = wend.trace(wend.grid(3, 1), 1, 1, 3, 1)
      trace[1][key] = endless
      for _, form in ipairs { "table", "arrays", "map" } do helper.ends(trace.text, trace, form) end
      helper.ends(trace[1].arrays, trace[1])
    end
    for _, key in ipairs { "found", "path", "cost", "message" } do
      local trace = wend.trace(wend.grid(3, 1), 1, 1, 3, 1)
      trace[key] = endless
      helper.ends(trace.text, trace)
    end
  end)
end)

describe("core.watch and core.label", function()
  it("tell of cells too, as numbers", function()
    local search = wend.core.watch(wend.grid(3, 1), 1, 1, 3, 1)
    assert.same({ 0, 0 }, { wend.core.label(search, 1, 1) })
    search:step(1)
    assert.same({ 0, 1, 1, 1 }, { wend.core.label(search, 2, 1) })
    helper.raises("x must be a whole number in 1 .. 3, got 4", wend.core.label, search, 4, 1)
  end)

  it("tell of each node how far the search has come with it", function()
    local g = hoxley()
    local search = wend.core.watch(g, 1, 5)
    local function label(node) return { wend.core.label(search, node) } end
    assert.same({ 0, 0 }, label(1))
    assert.same({}, label(2))
    assert.equal("running", search:step(1))
    assert.same({ 1, 0 }, label(1))
    assert.same({ 0, 2, 1 }, label(2))
    while search:step(1) == "running" do end
    assert.same({ 3, 3, 1 }, label(9))
    assert.equal(9, search:path().cost)
  end)

  it("know of no node after the costs have changed, or a callback has raised", function()
    local g, costs = hoxley(), wend.costs()
    local search = wend.core.watch(g, 1, 5, { costs = costs })
    costs:edge_rule("rule", function() end)
    assert.equal("failed", search:step(1))
    assert.same({}, { wend.core.label(search, 1) })
    search = wend.core.watch(g, 1, 5, { cost = function() error "no" end })
    assert.is_false(pcall(search.step, search, 1))
    assert.same({}, { wend.core.label(search, 1) })
  end)

  it("raise on what is no search, and where the graph has changed", function()
    local g = hoxley()
    local search = wend.core.watch(g, 1, 5)
    helper.raises("node: there is no node 11", wend.core.label, search, 11)
    helper.raises("self must be a search (call it with a colon: search:method()), got nil", wend.core.label, nil, 1)
    g:close(3)
    helper.raises("the graph has changed", wend.core.label, search, 1)
  end)
end)

describe("a trace", function()
  local endless = setmetatable({}, { __index = function() return 1 end })

  it("reads goals as the core does, without metamethods", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 0 }
    g:add_edge(1, 2)
    local ok, message = helper.ends(wend.trace, g, 1, endless)
    assert.is_false(ok)
    assert.truthy(message:find("got an empty list", 1, true))
    assert.is_false((helper.ends(wend.trace, g, 1, 0 / 0)))
  end)

  it("that a script has damaged ends all its methods", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 0 }
    g:add_edge(1, 2)
    for _, key in ipairs { "found", "path", "cost", "message" } do
      local trace = wend.trace(g, 1, 2)
      trace[key] = endless
      helper.ends(trace.text, trace)
    end
    for _, key in ipairs { "kind", "node", "start", "title", "table" } do
      local trace = wend.trace(g, 1, 2)
      trace[1][key] = endless
      for _, form in ipairs { "table", "arrays" } do helper.ends(trace.text, trace, form) end
      helper.ends(trace[1].arrays, trace[1])
    end
  end)

  it("ends where a script has put it into its own list", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 1 }
    g:add_edge(1, 2)
    local trace = wend.trace(g, 1, 2)
    trace[2] = trace
    local ok, message = pcall(trace.text, trace)
    assert.equal(false, ok)
    assert.truthy(message:find("self must be a step of a trace", 1, true), message)
  end)
end)
