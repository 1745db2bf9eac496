-- SPDX-License-Identifier: MIT
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
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
    assert.equal("no path from 1 to 'island' (11)", trace.message)
    assert.equal(20, #trace)
    for _, row in ipairs(trace[#trace].table) do assert.equal(row.name ~= "island", row.visit ~= nil) end
    assert.equal("\n\n" .. trace.message, tostring(trace):sub(-#trace.message - 2))
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

  it("leaves out a rule that fails", function()
    local g, costs, said = hoxley(), wend.costs(), nil
    costs:edge_rule("cursed", function() error "no luck" end)
    costs.on_error = function(name) said = name end
    local trace = wend.trace(g, 1, 5, { costs = costs })
    assert.equal("cursed", said)
    assert.equal(9, trace.cost)
    assert.equal(HOXLEY[17][2], line_of(trace[#trace]))
  end)

  it("answers nil, a sentence and a code where a callback changes the graph", function()
    local g, costs, calls = hoxley(), wend.costs(), 0
    costs:edge_rule("cursed", function()
      calls = calls + 1
      if calls > 6 then error "no luck" end
    end)
    costs.on_error = function() g:close(3) end
    helper.fails("the graph or the costs have changed since the search began", "stale", wend.trace, g, 1, 5,
      { costs = costs })
    assert.truthy(calls > 6)
  end)

  it("finds paths of the cost that a search finds, on random graphs", function()
    helper.rounds("traces", 30, function(rng)
      local g, model = helper.random_graph(rng)
      local costs = wend.costs { road = 0.5, swamp = 3, lava = false }
      for _ = 1, 5 do
        local from, to = rng:pick(model.nodes), rng:pick(model.nodes)
        local trace, path = wend.trace(g, from, to, { costs = costs }), g:path(from, to, { costs = costs })
        assert.equal(path ~= nil, trace.found)
        if path then reference.near(path.cost, trace.cost) end
      end
    end)
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
    helper.raises("graph must be a graph, got a wend.Grid", wend.trace, wend.grid(1, 1), 1, 1)
    helper.raises("from must be a node (its id or name), got nil", wend.trace, g, nil, 5)
    helper.raises("to must be a node (its id or name), got nil", wend.trace, g, 1)
    helper.raises("from: there is no node 11", wend.trace, g, 11, 5)
    helper.raises("to: there is no node named 'keep'", wend.trace, g, 1, "keep")
    helper.raises("unknown option 'into' (expected one of: costs, agent, cost, at_least, size, influence, closed_goal)",
      wend.trace, g, 1, 5, { into = {} })
    helper.raises("options must be a table, got 5", wend.trace, g, 1, 5, 5)
    local _, problem = pcall(function() wend.trace(g, 1, 99) end)
    assert.truthy(problem:find("trace_spec.lua:%d+: to: there is no node 99"), problem)
  end)
end)
