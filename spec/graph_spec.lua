-- SPDX-License-Identifier: MIT
local helper = require "spec.helper"
local reference = require "spec.reference"
local wend = require "wend"

local edges, nodes = reference.edges, reference.nodes

describe("wend.graph", function()
  it("makes an empty graph of two dimensions", function()
    local g = wend.graph()
    assert.same({ 0, 0, 2 }, { g:node_count(), g:edge_count(), g:dimensions() })
  end)

  it("makes graphs of three dimensions", function()
    local g = wend.graph { dimensions = 3 }
    local n = g:add_node(1, 2, 3)
    assert.same({ 1, 2, 3 }, { g:position(n) })
    assert.equal(3, g:dimensions())
  end)

  it("says what it is", function()
    local g = wend.graph()
    g:add_edge(g:add_node(0, 0), g:add_node(1, 0))
    assert.equal("wend.Graph (2 nodes, 1 edges)", tostring(g))
  end)

  it("makes graphs that know nothing of each other", function()
    local a, b = wend.graph(), wend.graph()
    a:add_node(0, 0, { name = "gate" })
    assert.equal(0, b:node_count())
    assert.equal(nil, b:node "gate")
  end)
end)

describe("graph:add_node", function()
  it("numbers nodes from 1 on", function()
    local g = wend.graph()
    assert.same({ 1, 2, 3 }, { g:add_node(0, 0), g:add_node(5, 0), g:add_node(0, 5) })
  end)

  it("keeps the position, fractions and all", function()
    local g = wend.graph()
    assert.same({ -0.1, 1e150 }, { g:position(g:add_node(-0.1, 1e150)) })
  end)

  it("keeps the name and the radius", function()
    local g = wend.graph()
    local n = g:add_node(1, 1, { name = "keep", radius = 12.5 })
    assert.same({ "keep", 12.5, n }, { g:name(n), g:radius(n), g:node "keep" })
  end)

  it("makes nodes without a position, a name and a radius", function()
    local g = wend.graph()
    local n = g:add_node()
    assert.same({ n = 3 }, { n = 3, g:position(n), g:name(n), g:radius(n) })
  end)

  it("takes options without a position", function()
    local g = wend.graph { dimensions = 3 }
    assert.equal("a", g:name(g:add_node { name = "a" }))
    assert.equal("b", g:name(g:add_node(nil, nil, nil, { name = "b" })))
  end)

  it("gives a position to some nodes and to others none", function()
    local g = wend.graph()
    local bare, placed = g:add_node(), g:add_node(3, 4)
    assert.equal(nil, (g:position(bare)))
    assert.same({ 3, 4 }, { g:position(placed) })
  end)

  it("allows nodes in the same place", function()
    local g = wend.graph()
    local a, b = g:add_node(3, 4), g:add_node(3, 4)
    assert.equal(0, g:edge(g:add_edge(a, b)).weight)
  end)

  it("adds nothing where it raises", function()
    local g = wend.graph()
    g:add_node(0, 0, { name = "gate" })
    for _, call in ipairs {
      function() g:add_node(1, 0 / 0) end,
      function() g:add_node(1, 1, { name = "gate" }) end,
      function() g:add_node(1, 1, { name = "new", radius = -1 }) end,
    } do
      assert.error(call)
      assert.equal(1, g:node_count())
    end
    assert.equal(nil, g:node "new")
    assert.equal(2, g:add_node(1, 1))
  end)
end)

describe("graph:add_nodes", function()
  it("gives consecutive ids: the first and the last", function()
    local g = wend.graph()
    g:add_node(9, 9)
    assert.same({ 2, 4 }, { g:add_nodes { 0, 0, 10, 0, 20, 5 } })
    assert.same({ 20, 5 }, { g:position(4) })
  end)

  it("reads three numbers a node in 3D", function()
    local g = wend.graph { dimensions = 3 }
    assert.same({ 1, 2 }, { g:add_nodes { 0, 1, 2, 3, 4, 5 } })
    assert.same({ 3, 4, 5 }, { g:position(2) })
  end)

  it("gives nothing of an empty list", function()
    assert.equal(0, select("#", wend.graph():add_nodes {}))
  end)

  it("adds all or nothing", function()
    local g = wend.graph()
    assert.error(function() g:add_nodes { 0, 0, 1, 1, 2, "x" } end)
    assert.error(function() g:add_nodes { 0, 0, 1 } end)
    assert.equal(0, g:node_count())
    assert.equal(1, g:add_node(0, 0))
  end)

  it("adds to nodes without a position", function()
    local g = wend.graph()
    g:add_node()
    g:add_nodes { 7, 8 }
    assert.equal(nil, (g:position(1)))
    assert.same({ 7, 8 }, { g:position(2) })
  end)
end)

describe("graph:add_edge", function()
  it("costs the distance between the ends and leads both ways", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4 }
    assert.same({ from = 1, to = 2, weight = 5, length = 5, directed = false, closed = false },
      g:edge(g:add_edge(1, 2)))
    assert.same({ { 1, 2, 5 } }, edges(g, 1))
    assert.same({ { 1, 1, 5 } }, edges(g, 2))
  end)

  it("measures in 3D", function()
    local g = wend.graph { dimensions = 3 }
    g:add_nodes { 0, 0, 0, 2, 3, 6 }
    assert.equal(7, g:edge(g:add_edge(1, 2)).weight)
  end)

  it("takes a weight, a tag and a direction", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4 }
    local e = g:add_edge(1, 2, { weight = 0.5, tag = "swamp", directed = true })
    assert.same({ from = 1, to = 2, weight = 0.5, length = 5, tag = "swamp", directed = true, closed = false },
      g:edge(e))
    assert.same({ { e, 2, 0.5, "swamp" } }, edges(g, 1))
    assert.same({}, edges(g, 2))
  end)

  it("takes names for nodes", function()
    local g = wend.graph()
    g:add_node(0, 0, { name = "gate" })
    g:add_node(0, 2, { name = "keep" })
    local edge = g:edge(g:add_edge("gate", "keep"))
    assert.same({ 1, 2 }, { edge.from, edge.to })
  end)

  it("needs no position where a weight is given; then there is no length", function()
    local g = wend.graph()
    g:add_node()
    g:add_node(1, 1)
    assert.same({ from = 1, to = 2, weight = 3, directed = false, closed = false },
      g:edge(g:add_edge(1, 2, { weight = 3 })))
  end)

  it("allows a weight of zero and weights below the distance", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 100, 0 }
    assert.equal(0, g:edge(g:add_edge(1, 2, { weight = 0 })).weight)
    assert.equal(0.25, g:edge(g:add_edge(1, 2, { weight = 0.25 })).weight)
  end)

  it("keeps parallel edges apart", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4 }
    local a, b = g:add_edge(1, 2), g:add_edge(1, 2, { weight = 2 })
    local c = g:add_edge(2, 1, { weight = 9 })
    assert.equal(3, g:edge_count())
    assert.same({ { a, 2, 5 }, { b, 2, 2 }, { c, 2, 9 } }, edges(g, 1))
  end)

  it("leads a two-way loop out once", function()
    local g = wend.graph()
    g:add_node(0, 0)
    local e = g:add_edge(1, 1, { weight = 3 })
    assert.same({ { e, 1, 3 } }, edges(g, 1))
    g:remove_edge(e)
    assert.same({}, edges(g, 1))
  end)

  it("leads a one-way loop out once", function()
    local g = wend.graph()
    g:add_node(0, 0)
    local e = g:add_edge(1, 1, { directed = true })
    assert.same({ { e, 1, 0 } }, edges(g, 1))
    assert.same({ from = 1, to = 1, weight = 0, length = 0, directed = true, closed = false }, g:edge(e))
    g:remove_edge(e)
    assert.same({}, edges(g, 1))
  end)

  it("gives edges numbers of their own, from 1 on", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4 }
    assert.same({ 1, 2 }, { g:add_edge(1, 2), g:add_edge(1, 2) })
  end)

  it("adds nothing where it raises", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4 }
    for _, opts in ipairs { { weight = -1 }, { tag = 7 }, { directed = 1 }, { length = 3 } } do
      assert.error(function() g:add_edge(1, 2, opts) end)
    end
    assert.error(function() g:add_edge(1, 3) end)
    assert.equal(0, g:edge_count())
    assert.equal(1, g:add_edge(1, 2))
  end)
end)

describe("graph:add_edges", function()
  it("gives consecutive ids: the first and the last", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4, 6, 8 }
    g:add_edge(1, 2)
    assert.same({ 2, 4 }, { g:add_edges { 1, 2, 2, 3, 3, 1 } })
    assert.equal(10, g:edge(4).weight)
  end)

  it("takes a list of weights, and one tag and one direction for all", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4, 6, 8 }
    g:add_edges({ 1, 2, 2, 3 }, { weights = { 0, 7 }, tag = "road", directed = true })
    assert.same({ { 1, 2, 0, "road" } }, edges(g, 1))
    assert.same({ { 2, 3, 7, "road" } }, edges(g, 2))
    assert.same({}, edges(g, 3))
  end)

  it("takes names for nodes", function()
    local g = wend.graph()
    g:add_node(0, 0, { name = "gate" })
    g:add_node(0, 2, { name = "keep" })
    g:add_edges { "gate", "keep", 2, "gate" }
    assert.equal(2, g:edge_count())
  end)

  it("gives nothing of an empty list", function()
    assert.equal(0, select("#", wend.graph():add_edges {}))
  end)

  it("adds all or nothing", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4 }
    assert.error(function() g:add_edges { 1, 2, 2, 3 } end)
    assert.error(function() g:add_edges({ 1, 2, 2, 1 }, { weights = { 1, -1 } }) end)
    assert.error(function() g:add_edges({ 1, 2, 2, 1 }, { weights = { 1, 1 }, tag = 5 }) end)
    assert.equal(0, g:edge_count())
    assert.same({}, edges(g, 1))
    assert.equal(1, g:add_edge(1, 2))
  end)

  it("makes what add_edge makes one by one", function()
    local one, bulk = wend.graph(), wend.graph()
    local rng, list = helper.rng "add_edges", {}
    for i = 1, 100 do
      local x, y = rng(1000), rng(1000)
      one:add_node(x, y)
      bulk:add_node(x, y)
      for _ = 1, 4 do
        list[#list + 1] = i
        list[#list + 1] = rng(i)
      end
    end
    for i = 1, #list, 2 do one:add_edge(list[i], list[i + 1]) end
    bulk:add_edges(list)
    for n = 1, 100 do assert.same(edges(one, n), edges(bulk, n)) end
  end)
end)

describe("graph:remove_edge", function()
  it("takes the edge away at both ends", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4 }
    local e, stays = g:add_edge(1, 2), g:add_edge(1, 2, { weight = 9 })
    assert.equal(g, g:remove_edge(e))
    assert.same({ false, true, 1 }, { g:has_edge(e), g:has_edge(stays), g:edge_count() })
    assert.same({ { stays, 2, 9 } }, edges(g, 1))
    assert.same({ { stays, 1, 9 } }, edges(g, 2))
  end)

  it("never gives the id out again, and using it raises", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4 }
    local e = g:add_edge(1, 2)
    g:remove_edge(e)
    assert.not_equal(e, g:add_edge(1, 2))
    helper.raises("edge: there is no edge 1", g.edge, g, e)
    helper.raises("edge: there is no edge 1", g.remove_edge, g, e)
  end)
end)

describe("graph:remove_node", function()
  it("takes the edges at it away: in, out, both ways and loops", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4, 6, 8 }
    local away = {
      g:add_edge(1, 2), g:add_edge(1, 2, { directed = true }), g:add_edge(2, 1, { directed = true }),
      g:add_edge(1, 1), g:add_edge(1, 1, { directed = true }),
    }
    local stays = g:add_edge(2, 3)
    assert.equal(g, g:remove_node(1))
    for _, e in ipairs(away) do assert.equal(false, g:has_edge(e)) end
    assert.same({ { stays, 3, 5 } }, edges(g, 2))
    assert.same({ 2, 1 }, { g:node_count(), g:edge_count() })
  end)

  it("never gives the id out again, and using it raises", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4 }
    g:remove_node(1)
    assert.equal(false, g:has(1))
    assert.not_equal(1, g:add_node(0, 0))
    helper.raises("node: there is no node 1", g.position, g, 1)
    helper.raises("from: there is no node 1", g.path, g, 1, 2)
  end)

  it("frees the name", function()
    local g = wend.graph()
    local old = g:add_node(0, 0, { name = "gate" })
    g:remove_node "gate"
    assert.same({ nil, false }, { g:node "gate", g:has "gate" })
    local new = g:add_node(1, 1, { name = "gate" })
    assert.equal(new, g:node "gate")
    assert.not_equal(old, new)
  end)

  it("leaves no trace in the node that uses its memory again", function()
    local g = wend.graph()
    local old = g:add_node(1, 2, { name = "gate", radius = 5 })
    g:add_edge(old, old)
    g:close(old)
    g:remove_node(old)
    local new = g:add_node()
    assert.same({ n = 4, nil, nil, nil, false },
      { n = 4, g:name(new), (g:position(new)), g:radius(new), g:is_closed(new) })
    assert.same({}, edges(g, new))
  end)
end)

describe("graph:has", function()
  it("knows ids and names", function()
    local g = wend.graph()
    g:add_node(0, 0, { name = "gate" })
    assert.same({ true, true, false, false, false, false },
      { g:has(1), g:has "gate", g:has(2), g:has "keep", g:has(0), g:has(1.5) })
  end)

  it("is false for numbers that can be no id", function()
    local g = wend.graph()
    g:add_node(0, 0)
    for _, n in ipairs { -1, 0.5, 2 ^ 32, 2 ^ 53, 2 ^ 60, math.huge, -math.huge, 0 / 0 } do
      assert.equal(false, g:has(n))
      assert.equal(false, g:has_edge(n))
    end
  end)
end)

describe("graph:close and graph:open", function()
  it("close a node for everybody until it is opened", function()
    local g = reference.draw { "A B C", "A-B 1", "B-C 1" }
    assert.equal(g, g:close "B")
    assert.equal(true, g:is_closed "B")
    helper.fails("no path from 'A' (1) to 'C' (3)", "no_path", g.path, g, "A", "C")
    assert.equal(g, g:open "B")
    assert.equal(false, g:is_closed "B")
    assert.equal(2, assert(g:path("A", "C")).cost)
  end)

  it("do not count: twice closed is opened once", function()
    local g = reference.draw { "A B", "A-B 1" }
    g:close "B":close "B":open "B"
    assert.equal(false, g:is_closed "B")
    assert.truthy(g:path("A", "B"))
  end)

  it("know of edges that are made while the node is closed", function()
    local g = reference.draw { "A B C", "A-B 1" }
    g:close "C"
    g:add_edge("B", "C", { weight = 1 })
    assert.equal(nil, (g:path("A", "C")))
    g:open "C"
    assert.equal(2, assert(g:path("A", "C")).cost)
  end)

  it("leave the edges of a node open", function()
    local g, e = reference.draw { "A B", "A-B 1" }
    g:close "B"
    assert.equal(false, g:edge(e[1]).closed)
  end)
end)

describe("graph:close_edge and graph:open_edge", function()
  it("close an edge for everybody until it is opened", function()
    local g, e = reference.draw { "A B", "A-B 1", "A-B 5" }
    assert.equal(g, g:close_edge(e[1]))
    assert.equal(true, g:edge(e[1]).closed)
    assert.equal(5, g:path("A", "B").cost)
    assert.equal(5, g:path("B", "A").cost)
    assert.equal(g, g:open_edge(e[1]))
    assert.equal(false, g:edge(e[1]).closed)
    assert.equal(1, g:path("A", "B").cost)
  end)

  it("keep the edge closed whatever becomes of its nodes, weight and tag", function()
    local g, e = reference.draw({ "A B", "A-B" }, { A = { 0, 0 }, B = { 3, 4 } })
    g:close_edge(e[1]):close "A":open "A":set_weight(e[1], 2):set_tag(e[1], "mud"):move("A", 1, 1)
    assert.equal(true, g:edge(e[1]).closed)
    assert.equal(nil, (g:path("A", "B")))
  end)
end)

describe("graph:edge_between", function()
  it("gives the edge that leads from one node to another", function()
    local g, e = reference.draw { "A B C", "A-B 1", "B>C 1" }
    assert.same({ e[1], e[1], e[2] }, { g:edge_between("A", "B"), g:edge_between("B", "A"), g:edge_between("B", "C") })
  end)

  it("is nil against the direction and where there is none", function()
    local g = reference.draw { "A B C", "A-B 1", "B>C 1" }
    assert.same({ n = 3 }, { n = 3, g:edge_between("C", "B"), g:edge_between("A", "C"), g:edge_between("A", "A") })
  end)

  it("gives the one that costs least of several, of equal ones the first", function()
    local g, e = reference.draw { "A B", "A-B 5", "A-B 3", "A-B 3" }
    assert.equal(e[2], g:edge_between("A", "B"))
    assert.equal(e[2], g:edge_between("B", "A"))
  end)

  it("gives the first of equal ones, whether they lead one way or both", function()
    local g, e = reference.draw { "A B", "A-B 3", "A>B 3" }
    assert.equal(e[1], g:edge_between("A", "B"))
  end)

  it("finds loops", function()
    local g, e = reference.draw { "A", "A-A 5" }
    assert.equal(e[1], g:edge_between("A", "A"))
  end)
end)

describe("graph:node, graph:name and graph:set_name", function()
  it("find a node by its name and the name by the node", function()
    local g = wend.graph()
    local n = g:add_node(0, 0, { name = "the gate, left" })
    assert.same({ n, "the gate, left" }, { g:node "the gate, left", g:name(n) })
    assert.equal(nil, g:node "gate")
  end)

  it("rename, and free the old name", function()
    local g = wend.graph()
    local n = g:add_node(0, 0, { name = "gate" })
    assert.equal(g, g:set_name(n, "keep"))
    assert.same({ n = 3, nil, n, "keep" }, { n = 3, g:node "gate", g:node "keep", g:name(n) })
    g:add_node(0, 0, { name = "gate" })
  end)

  it("take the name away with nil", function()
    local g = wend.graph()
    local n = g:add_node(0, 0, { name = "gate" })
    g:set_name("gate", nil)
    assert.same({ n = 2 }, { n = 2, g:name(n), g:node "gate" })
  end)

  it("let a node keep the name that it has", function()
    local g = wend.graph()
    local n = g:add_node(0, 0, { name = "gate" })
    assert.equal("gate", g:set_name(n, "gate"):name(n))
  end)

  it("know names of any bytes and of digits", function()
    local g = wend.graph()
    local zero, digits = g:add_node(0, 0, { name = "a\0b" }), g:add_node(0, 0, { name = "1" })
    assert.same({ zero, digits, "a\0b" }, { g:node "a\0b", g:node "1", g:name(zero) })
    assert.equal(nil, g:node "a")
  end)

  it("keep thousands of names apart", function()
    local g = wend.graph()
    for i = 1, 5000 do g:add_node(0, 0, { name = "n" .. i }) end
    for i = 1, 5000, 2 do g:remove_node("n" .. i) end
    for i = 1, 5000 do assert.equal(i % 2 == 0 and i or nil, g:node("n" .. i)) end
  end)
end)

describe("graph:radius and graph:set_radius", function()
  it("keep a radius a node", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 1, 2, 2 }
    assert.equal(g, g:set_radius(2, 7.5))
    assert.same({ n = 3, nil, 7.5, nil }, { n = 3, g:radius(1), g:radius(2), g:radius(3) })
    assert.equal(0, g:set_radius(2, 0):radius(2))
    assert.equal(nil, g:set_radius(2, nil):radius(2))
    assert.equal(0, g:radius(g:add_node(3, 3, { radius = 0 })))
  end)

  it("give a node that takes the place of another no limit", function()
    local g = wend.graph()
    g:remove_node(g:add_node(0, 0, { radius = 0 }))
    assert.equal(nil, g:radius(g:add_node(0, 0)))
    g:add_nodes { 1, 1, 2, 2 }
    assert.equal(nil, g:radius(g:node_count()))
  end)
end)

describe("graph:move", function()
  it("remeasures the edges whose weight is their length", function()
    local g, e = reference.draw({ "A B C", "A-B", "B>C", "C>A", "A-C 2" },
      { A = { 0, 0 }, B = { 3, 4 }, C = { 3, 0 } })
    assert.same({ true, false }, { g:is_measured(e[1]), g:is_measured(e[4]) })
    assert.equal(g, g:move("A", 3, 8))
    assert.same({ 3, 8 }, { g:position "A" })
    assert.same({ 4, 4, 8, 2 }, { g:edge(e[1]).weight, g:edge(e[2]).weight, g:edge(e[3]).weight, g:edge(e[4]).weight })
    assert.equal(8, g:edge(e[4]).length)
    assert.equal(4, g:path("B", "A").cost)
  end)

  it("moves a node with loops", function()
    local g, e = reference.draw({ "A B", "A-A", "A>A", "A-A 3", "A-B" }, { A = { 0, 0 }, B = { 3, 4 } })
    g:move("A", 3, 0)
    assert.same({ 0, 0, 3, 4 },
      { g:edge(e[1]).weight, g:edge(e[2]).weight, g:edge(e[3]).weight, g:edge(e[4]).weight })
  end)

  it("gives a position to a node that had none", function()
    local g = reference.draw { "A B", "A-B 7" }
    g:move("A", 0, 0):move("B", 3, 4)
    assert.same({ 7, 5 }, { g:edge(1).weight, g:edge(1).length })
    assert.equal(5, g:edge(g:add_edge("A", "B")).weight)
  end)

  it("moves in 3D", function()
    local g = wend.graph { dimensions = 3 }
    g:add_nodes { 0, 0, 0, 0, 0, 1 }
    local e = g:add_edge(1, 2)
    g:move(1, 2, 3, 7)
    assert.equal(7, g:edge(e).weight)
  end)
end)

describe("graph:set_weight and graph:set_tag", function()
  it("change the weight, which then is no more the length", function()
    local g, e = reference.draw({ "A B", "A-B" }, { A = { 0, 0 }, B = { 3, 4 } })
    assert.equal(g, g:set_weight(e[1], 2))
    g:move("A", 0, 4)
    assert.same({ 2, 3 }, { g:edge(e[1]).weight, g:edge(e[1]).length })
    assert.equal(2, g:path("B", "A").cost)
  end)

  it("make the weight the length again with nil", function()
    local g, e = reference.draw({ "A B", "A-B 9" }, { A = { 0, 0 }, B = { 3, 4 } })
    g:set_weight(e[1], nil)
    assert.equal(5, g:edge(e[1]).weight)
    g:move("A", 0, 4)
    assert.equal(3, g:edge(e[1]).weight)
  end)

  it("change the tag, and take it away with nil", function()
    local g, e = reference.draw { "A B", "A-B 9 swamp" }
    assert.equal(g, g:set_tag(e[1], "road"))
    assert.same({ { e[1], 1, 9, "road" } }, edges(g, g:node "B"))
    g:set_tag(e[1], nil)
    assert.equal(nil, g:edge(e[1]).tag)
  end)

  it("keep the direction", function()
    local g, e = reference.draw { "A B", "A>B 9" }
    g:set_weight(e[1], 2):set_tag(e[1], "road")
    assert.same({}, edges(g, "B"))
    assert.same({ { e[1], 2, 2, "road" } }, edges(g, "A"))
  end)

  it("know hundreds of tags", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 0 }
    local list = {}
    for i = 1, 700 do list[i] = g:add_edge(1, 2, { tag = "tag " .. i }) end
    for i = 1, 700 do assert.equal("tag " .. i, g:edge(list[i]).tag) end
  end)
end)

describe("graph:edges", function()
  it("gives what leaves a node: edge, neighbour, weight and tag", function()
    local g, e = reference.draw { "A B C", "A>B 1 road", "C>A 2", "A-C 3", "B-A 4" }
    assert.same({ { e[1], 2, 1, "road" }, { e[3], 3, 3 }, { e[4], 2, 4 } }, edges(g, "A"))
  end)

  it("gives closed edges too", function()
    local g, e = reference.draw { "A B", "A-B 1" }
    g:close_edge(e[1]):close "B"
    assert.same({ { e[1], 2, 1 } }, edges(g, "A"))
  end)

  it("bears the removal of the edge at hand, and of all others", function()
    local g = reference.draw { "A B", "A-B 1", "A-B 2", "A>B 3" }
    local seen = 0
    for e in g:edges "A" do
      g:remove_edge(e)
      seen = seen + 1
    end
    assert.same({ 3, 0 }, { seen, g:edge_count() })
  end)

  it("passes over edges that were removed before it came to them", function()
    local g, e = reference.draw { "A B", "A-B 1", "A-B 2", "A-B 3" }
    local seen = {}
    for id in g:edges "A" do
      seen[#seen + 1] = id
      if id == e[1] then g:remove_edge(e[2]) end
    end
    assert.same({ e[1], e[3] }, seen)
  end)

  it("ends when the node is removed, and overlooks what is added meanwhile", function()
    local g = reference.draw { "A B", "A-B 1", "A-B 2" }
    local seen = 0
    for _ in g:edges "A" do
      seen = seen + 1
      g:remove_node "A"
      g:add_edge(g:add_node(0, 0, { name = "A" }), "B", { weight = 1 })
    end
    assert.equal(1, seen)
    for _ in g:edges "B" do
      seen = seen + 1
      if seen < 100 then g:add_edge("B", "A", { weight = 1 }) end
    end
    assert.equal(2, seen)
  end)

  it("outlives the last reference to the graph", function()
    local g = reference.draw { "A B", "A-B 1", "A-B 2" }
    local iterate = g:edges "A"
    g = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.equal(1, (iterate()))
    assert.equal(2, (iterate()))
    assert.equal(nil, (iterate()))
  end)
end)

describe("graph:nodes", function()
  it("gives every node once", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 1, 2, 2, 3, 3 }
    g:remove_node(2)
    local new = g:add_node(5, 5)
    local list = nodes(g)
    table.sort(list)
    assert.same({ 1, 3, 4, new }, list)
  end)

  it("bears the removal of nodes", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 1, 2, 2, 3, 3 }
    local seen = {}
    for n in g:nodes() do
      seen[#seen + 1] = n
      g:remove_node(n)
      if n == 1 then g:remove_node(3) end
    end
    assert.same({ 1, 2, 4 }, seen)
    assert.same({}, nodes(g))
  end)
end)

describe("a graph under random edits", function()
  it("is what a table of nodes and edges says it is", function()
    helper.rounds("edits", 30, function(rng)
      local g = wend.graph { dimensions = rng(2, 3) }
      local dimensions = g:dimensions()
      local at, node_ids, edge, edge_ids, known = {}, {}, {}, {}, {}
      local function take(list, i)
        list[i], list[#list] = list[#list], list[i]
        return table.remove(list)
      end
      local function place() return { rng(50), rng(50), dimensions == 3 and rng(50) or nil } end
      local function measured(e) return helper.length(at[e.from], at[e.to]) end
      local steps = {
        function()
          local here = place()
          local n = g:add_node((table.unpack or unpack)(here))
          assert.equal(nil, known[n])
          known[n], at[n], node_ids[#node_ids + 1] = true, here, n
        end,
        function()
          if #node_ids == 0 then return end
          local e = { from = rng:pick(node_ids), to = rng:pick(node_ids), directed = rng:chance(0.5), closed = false }
          if rng:chance(0.5) then e.weight = rng(0, 9) end
          if rng:chance(0.5) then e.tag = rng:pick { "a", "b", "c" } end
          local id = g:add_edge(e.from, e.to, { weight = e.weight, tag = e.tag, directed = e.directed })
          edge[id], edge_ids[#edge_ids + 1] = e, id
        end,
        function()
          if #edge_ids == 0 then return end
          local id = take(edge_ids, rng(#edge_ids))
          edge[id] = nil
          g:remove_edge(id)
        end,
        function()
          if #node_ids == 0 or not rng:chance(0.3) then return end
          local n = take(node_ids, rng(#node_ids))
          at[n] = nil
          g:remove_node(n)
          for i = #edge_ids, 1, -1 do
            local e = edge[edge_ids[i]]
            if e.from == n or e.to == n then edge[take(edge_ids, i)] = nil end
          end
        end,
        function()
          if #edge_ids == 0 then return end
          local id = rng:pick(edge_ids)
          local e = edge[id]
          local change = rng(4)
          if change == 1 then
            e.weight = rng:chance(0.5) and rng(0, 9) or nil
            g:set_weight(id, e.weight)
          elseif change == 2 then
            e.tag = rng:chance(0.7) and rng:pick { "a", "b", "c" } or nil
            g:set_tag(id, e.tag)
          elseif change == 3 then
            e.closed = not e.closed
            if e.closed then g:close_edge(id) else g:open_edge(id) end
          else
            local n = e.from
            at[n] = place()
            g:move(n, (table.unpack or unpack)(at[n]))
          end
        end,
        function() -- a search files what is waiting
          if #node_ids > 0 then g:path(rng:pick(node_ids), rng:pick(node_ids)) end
        end,
      }
      for _ = 1, 400 do
        steps[rng:pick { 1, 2, 2, 2, 3, 4, 5, 6 }]()
      end
      assert.same({ #node_ids, #edge_ids }, { g:node_count(), g:edge_count() })
      local leaving = {}
      for _, n in ipairs(node_ids) do
        assert.same(at[n], { g:position(n) })
        leaving[n] = {}
      end
      for _, id in ipairs(edge_ids) do
        local e = edge[id]
        local weight = e.weight or measured(e)
        assert.same({ from = e.from, to = e.to, weight = weight, length = measured(e), tag = e.tag,
          directed = e.directed, closed = e.closed }, g:edge(id))
        table.insert(leaving[e.from], { id, e.to, weight, e.tag })
        if not e.directed and e.to ~= e.from then table.insert(leaving[e.to], { id, e.from, weight, e.tag }) end
      end
      for _, n in ipairs(node_ids) do
        local list = edges(g, n)
        table.sort(list, function(a, b) return a[1] < b[1] end)
        table.sort(leaving[n], function(a, b) return a[1] < b[1] end)
        assert.same(leaving[n], list)
      end
    end)
  end)
end)

describe("the tags of a graph", function()
  it("are 65535 at most, and one more raises and changes nothing", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 0 }
    local edge = g:add_edge(1, 2)
    for i = 1, 65535 do g:set_tag(edge, "tag " .. i) end
    helper.raises("tag: a graph has at most 65535 tags", g.set_tag, g, edge, "one more")
    assert.equal("tag 65535", g:edge(edge).tag)
    assert.equal("tag 7", g:set_tag(edge, "tag 7"):edge(edge).tag)
    assert.equal(1, g:path(1, 2).cost)
  end)
end)

describe("a weight of -0", function()
  it("is 0", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4 }
    local zero = -(0.0)
    local edge, other = g:add_edge(1, 2, { weight = zero, tag = "a" }), g:add_edge(1, 2, { tag = "a" })
    g:set_weight(other, zero)
    for _, id in ipairs { edge, other } do assert.equal(math.huge, 1 / g:edge(id).weight) end
    g:set_weight(edge, 2):set_weight(other, 3):set_weight(edge, zero):set_tag(edge, "b")
    assert.equal(0, g:path(1, 2).cost)
    g:remove_edge(edge):remove_edge(other)
    assert.equal(0, g:edge_count())
  end)
end)
