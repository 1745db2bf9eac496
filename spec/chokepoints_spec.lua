-- SPDX-License-Identifier: MIT
-- graph:chokepoints and grid:chokepoints: what the loss of a node, an edge or a cell cuts off.
-- random/chokepoints_spec.lua compares them with removing each.
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local draw = reference.draw

---The chokepoints of a graph in one string: "B 2, A-B 1".
local function text(g, opts)
  local list = {}
  for i, one in ipairs(assert(g:chokepoints(opts))) do
    if one.node then
      list[i] = ("%s %d"):format(g:name(one.node), one.cuts)
    else
      list[i] = ("%s-%s %d"):format(g:name(one.from), g:name(one.to), one.cuts)
      local edge = g:edge(one.edge)
      assert.same({ edge.from, edge.to }, { one.from, one.to })
    end
  end
  return table.concat(list, ", ")
end

---The same for a grid: "3,2 4, 1,1-5,1 2".
local function cells(grid, opts)
  local list = {}
  for i, one in ipairs(assert(grid:chokepoints(opts))) do
    list[i] = ("%d,%d%s %d"):format(one.x, one.y, one.to_x and ("-%d,%d"):format(one.to_x, one.to_y) or "", one.cuts)
  end
  return table.concat(list, ", ")
end

describe("graph:chokepoints", function()
  it("finds nodes and edges that join pieces, those that cut off most first", function()
    local g = draw { "A B C D E", "A-B 1", "B-C 1", "C-D 1", "D-E 1", "E-C 1" }
    assert.equal("C 2, B-C 2, B 1, A-B 1", text(g))
    assert.same({ { node = 3, cuts = 2 }, { edge = 2, from = 2, to = 3, cuts = 2 } }, g:chokepoints { limit = 2 })
  end)

  it("finds none on a circle, and on an empty graph", function()
    assert.equal("", text((draw { "A B C", "A-B 1", "B-C 1", "C-A 1" })))
    assert.same({}, wend.graph():chokepoints())
    assert.equal("", text((draw { "A B" })))
  end)

  it("takes an edge that leads one way as a joint of both ends", function()
    local g = draw { "A B C", "A>B 1", "C>B 1" }
    assert.equal("B 1, A-B 1, C-B 1", text(g))
    g = draw { "A B C", "A>B 1", "B>A 1", "B-C 1" }
    assert.equal("B 1, B-C 1", text(g))
  end)

  it("looks with the eyes of an agent", function()
    local g = draw { "A B C", "A-B 1", "B-C 1", "C-A 1 rope" }
    local costs = wend.costs { rope = function(agent) return agent.climbs and 1 end }
    assert.equal("", text(g, { costs = costs, agent = { climbs = true } }))
    costs = wend.costs { rope = function(agent) return agent.climbs or false end }
    assert.equal("B 1, A-B 1, B-C 1", text(g, { costs = costs }))
    assert.equal("B 1, A-B 1, B-C 1", text(g, { cost = function(_, _, tag) return tag ~= "rope" and 1 end }))
  end)

  it("leaves out what cuts off less than `min`", function()
    local g = draw { "A B C D E", "A-B 1", "B-C 1", "C-D 1", "D-E 1", "E-C 1" }
    assert.equal("C 2, B-C 2", text(g, { min = 2 }))
    assert.equal("", text(g, { min = 3 }))
    assert.equal("C 2", text(g, { min = 2, limit = 1 }))
  end)

  it("does not recurse: a chain of 200,000 nodes #slow", function()
    local g, list = wend.graph(), {}
    for i = 1, 200000 do g:add_node(i, 0) if i > 1 then list[#list + 1], list[#list + 2] = i - 1, i end end
    g:add_edges(list)
    local found = g:chokepoints { limit = 3 }
    assert.same({ edge = 100000, from = 100000, to = 100001, cuts = 100000 }, found[1])
    assert.same({ { node = 100000, cuts = 99999 }, { node = 100001, cuts = 99999 } }, { found[2], found[3] })
  end)

  it("does not slow down at a hub of 100,000 edges #slow", function()
    local g, list = wend.graph(), {}
    for i = 1, 100001 do g:add_node(i, 0) if i > 1 then list[#list + 1], list[#list + 2] = i, 1 end end
    g:add_edges(list, { directed = true })
    local found = g:chokepoints { limit = 1 }
    assert.same({ { node = 1, cuts = 99999 } }, found)
  end)
end)

describe("grid:chokepoints", function()
  it("finds a door", function()
    local grid = wend.parse_grid [[
      ...#...
      .......
      ...#...
    ]]
    assert.equal("4,2 9, 3,2 8, 5,2 8", cells(grid))
    assert.same({ x = 4, y = 2, cuts = 9 }, grid:chokepoints()[1])
  end)

  it("lists links that alone join two parts", function()
    local grid = wend.parse_grid("..#..."):link(2, 1, 4, 1, { weight = 3 })
    assert.equal("4,1 2, 2,1-4,1 2, 2,1 1, 5,1 1", cells(grid))
    grid:link(1, 1, 6, 1)
    assert.equal("", cells(grid))
    grid = wend.parse_grid("..#..."):link(4, 1, 2, 1, { directed = true })
    assert.equal("4,1 2, 4,1-2,1 2, 2,1 1, 5,1 1", cells(grid))
    grid = wend.grid(2, 1):link(1, 1, 2, 1)
    assert.equal("", cells(grid))
  end)

  it("takes a step that leads one way as a joint", function()
    local grid = wend.parse_grid(".~.", { ["~"] = "ledge" })
    local function down(_, cost, _, from_x, _, to_x) return from_x < to_x and cost end
    assert.equal("2,1 1", cells(grid, { cost = down }))
  end)

  it("works without a palette", function()
    local grid = wend.grid(300, 300):map(function(x, y) return x * 1000 + y end)
    grid:fill(150, 1, 150, 300, false):set(150, 7, 5)
    assert.equal("151,7 44701, 150,7 44700, 149,7 44699", cells(grid, { limit = 3 }))
  end)
end)

describe("Errors", function()
  local g = draw { "A B", "A-B 1" }
  local names = "(expected one of: min, limit, costs, agent, cost, at_least, size, influence)"
  helper.all_raise(it, {
    "unknown option 'max' " .. names, function() g:chokepoints { max = 1 } end,
    "option 'cost': wanted a number >= 0, false or nil, got -1", function()
      g:chokepoints { cost = function() return -1 end }
    end,
  })

  it("take huge numbers for no limit", function()
    assert.equal(1, #g:chokepoints { limit = 2 ^ 52 })
    assert.equal(0, #g:chokepoints { min = 2 ^ 52 })
  end)
end)
