-- SPDX-License-Identifier: MIT
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
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
    helper.raises("name: 'gate' is the name of node 1 already", g.add_node, g, 1, 1, { name = "gate" })
    assert.same({ 1, 2 }, { g:node_count(), g:add_node(1, 1) })
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
    helper.raises("points[6] must be a finite number (up to 1e150), got 'x'",
      function() g:add_nodes { 0, 0, 1, 1, 2, "x" } end)
    helper.raises("points must hold 2 numbers per item, such as { 1, 2, 3, 4 } for two, got 3 numbers: { 0, 0, 1 }",
      function() g:add_nodes { 0, 0, 1 } end)
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

  for what, directed in pairs { ["two-way"] = false, ["one-way"] = true } do
    it(("leads a %s loop out once"):format(what), function()
      local g = wend.graph()
      g:add_node(0, 0)
      local e = g:add_edge(1, 1, { directed = directed })
      assert.same({ { e, 1, 0 } }, edges(g, 1))
      assert.same({ from = 1, to = 1, weight = 0, length = 0, directed = directed, closed = false }, g:edge(e))
      g:remove_edge(e)
      assert.same({}, edges(g, 1))
    end)
  end

  it("gives edges numbers of their own, from 1 on", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4 }
    assert.same({ 1, 2 }, { g:add_edge(1, 2), g:add_edge(1, 2) })
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
    helper.raises("pairs[4]: there is no node 3", function() g:add_edges { 1, 2, 2, 3 } end)
    helper.raises("weights[2] must be a finite number >= 0, got -1",
      function() g:add_edges({ 1, 2, 2, 1 }, { weights = { 1, -1 } }) end)
    helper.raises("tag must be a string that is not empty, got 5",
      function() g:add_edges({ 1, 2, 2, 1 }, { weights = { 1, 1 }, tag = 5 }) end)
    assert.equal(0, g:edge_count())
    assert.same({}, edges(g, 1))
    assert.equal(1, g:add_edge(1, 2))
  end)

  it("makes the same edges as repeated calls of add_edge", function()
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
  it("removes the edge at both ends", function()
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
  it("removes the edges of the node: in, out, both ways and loops", function()
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
    helper.fails("no path from 'A' (1) to 'C' (3): no open edge leads to the goal", "no_path", g.path, g, "A", "C")
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

  it("is nil against the direction and where there is no edge", function()
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

  it("remove the name with nil", function()
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

  it("keep thousands of names apart #many", function()
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

describe("graph:node_tag and graph:set_node_tag", function()
  local function road()
    local g, e = reference.draw({ "A B C", "A-B 10 road", "B-C 10 road", "A-C 60" })
    return g:set_node_tag("B", "gate"), e
  end

  it("keep a tag a node", function()
    local g = wend.graph()
    g:add_node(0, 0, { tag = "gate" })
    g:add_node { x = 1, y = 1, tag = "ford" }
    g:add_nodes({ 2, 2, 3, 3 }, { tag = "gate" })
    g:add_node(4, 4)
    assert.same({ n = 5, "gate", "ford", "gate", "gate", nil },
      { n = 5, g:node_tag(1), g:node_tag(2), g:node_tag(3), g:node_tag(4), g:node_tag(5) })
    assert.equal(g, g:set_node_tag(1, nil))
    assert.equal(nil, g:node_tag(1))
    assert.same({ gate = 2, ford = 1 }, g:tags())
    g:remove_node(3)
    assert.same({ gate = 1, ford = 1 }, g:tags())
    assert.equal(nil, g:node_tag(g:add_node(0, 0)))
  end)

  it("keep it through packing", function()
    local g = wend.graph()
    for i = 1, 1000 do g:add_node((i * 7) % 100, i % 10, { tag = i % 3 == 0 and "t" .. i % 5 or nil }) end
    for i = 1, 999 do g:add_edge(i, i + 1) end
    assert(g:path(1, 1000))
    for i = 1, 1000 do assert.equal(i % 3 == 0 and "t" .. i % 5 or nil, g:node_tag(i)) end
  end)

  it("multiply the price of the edge, then add to it", function()
    local g = road()
    local costs = wend.costs { road = { times = 0.5, plus = 1 }, gate = { times = 2, plus = 3 } }
    assert.equal((10 * 0.5 + 1) * 2 + 3 + 10 * 0.5 + 1, g:path("A", "C", { costs = costs }).cost)
    assert.equal(6, g:path("B", "C", { costs = costs }).cost, "a start costs nothing")
    assert.equal(20, g:path("A", "C").cost, "without a profile")
  end)

  it("close the node for the agent", function()
    local g = road()
    local costs = wend.costs { gate = false }
    assert.equal(60, g:path("A", "C", { costs = costs }).cost)
    assert.equal(10, g:path("B", "C", { costs = costs }).cost, "leaving is free")
    helper.fails("no path from 'A' (1) to 'B' (2): the goal is closed for this agent (tag 'gate')", "no_path",
      g.path, g, "A", "B", { costs = costs })
    assert.same({ cause = "tag", tag = "gate", node = 2 }, g:why_not("A", "B", { costs = costs }).obstacles[1])
    assert.is_false((g:can_reach("A", "B", { costs = costs })))
    assert.is_nil(g:field("C", { costs = costs, outward = true }):cost "B")
    assert.equal(2, #g:check({ costs = costs }).components[1])
  end)

  it("ask edge rules that name either tag, with the tag of the node last", function()
    local g, e = road()
    local calls = {}
    local costs = wend.costs { gate = 2 }
    costs:edge_rule("toll", function(...)
      calls[#calls + 1] = { select(2, ...) }
      return select(2, ...) + 1
    end, { tags = { "gate" }, at_least = 1 })
    local path = g:path("A", "C", { costs = costs, heuristic = "zero" })
    assert.equal(31, path.cost)
    assert.same({ 20, "road", 1, 2, e[1], "gate" }, calls[1])
    local step = path:explain()[1]
    assert.same({ "road", "gate", 21 }, { step.tag, step.node_tag, step.cost })
    assert.same({ "tag 'gate'", "rule 'toll'" }, { step.rules[1].name, step.rules[2].name })
    assert.is_nil(path:explain()[2].node_tag)
  end)

  it("let a rule without a promise open a node, or the edge to it", function()
    local g = road()
    local costs = wend.costs { gate = false, road = 1 }
    costs:edge_rule("key", function(_, cost) return math.min(cost, 5) end, { tags = { "gate" } })
    assert.equal(15, g:path("A", "C", { costs = costs }).cost)
    costs:set("gate", nil):set("road", false)
    assert.equal(5, g:path("A", "B", { costs = costs }).cost)
    for _ = 1, 9 do assert.is_true((g:can_reach("A", "B", { costs = costs }))) end
  end)

  it("make paths out of date when their costs change", function()
    local g = road()
    local costs = wend.costs { gate = 2 }
    local path, elsewhere = g:path("A", "C", { costs = costs }), g:path("B", "C", { costs = costs })
    costs:set("ford", 3)
    assert.same({ true, true }, { path:valid(), elsewhere:valid() })
    costs:set("gate", 3)
    assert.is_false(path:valid())
  end)

  it("are in the text of maps #tools", function()
    assert.matches('node 2 name "B" tag "gate"', require "wend.tools.command.dump"(road()))
  end)
end)

describe("graph:set_width and the option size", function()
  local function alleys()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 10, 10, 20, 10 }
    return g, { g:add_edge(1, 2, { width = 1 }), g:add_edge(2, 3, { width = 2 }), g:add_edge(3, 4),
      g:add_edge(1, 3, { weight = 90, width = 5 }) }
  end

  it("have widths where an id of a removed edge leaves room for the first edge with a width", function()
    local g = wend.graph()
    for _ = 1, 40 do g:add_node() end
    for i = 1, 39 do g:add_edge(i, i + 1, { weight = 1 }) end
    g:remove_edge(1)
    local edge = g:add_edge(1, 3, { weight = 1, width = 2 })
    for other in g:edges() do assert.equal(other == edge and 2 or nil, g:edge(other).width) end
    assert.equal(2, wend.decode(g:encode()):edge(edge).width)
  end)

  it("keep a width an edge #tools", function()
    local g, e = alleys()
    assert.same({ n = 3, 1, 2, nil }, { n = 3, g:edge(e[1]).width, g:edge(e[2]).width, g:edge(e[3]).width })
    assert.equal(g, g:set_width(e[1], 0.25))
    assert.equal(0.25, g:edge(e[1]).width)
    assert.is_nil(g:set_width(e[1], nil):edge(e[1]).width)
    local first, last = g:add_edges({ 1, 4, 2, 4 }, { width = 3, weights = { 1, 1 } })
    assert.same({ 3, 3 }, { g:edge(first).width, g:edge(last).width })
    g:remove_edge(e[2])
    assert.is_nil(g:edge(g:add_edge(1, 2)).width)
    assert.matches("weight 90 width 5", require "wend.tools.command.dump"(g))
  end)

  it("close narrower edges, and no others", function()
    local g = alleys()
    for _, case in ipairs { { nil, 30 }, { 1, 30 }, { 1.5, 100 }, { 5, 100 }, { 5.5 } } do
      local opts = { size = case[1] }
      assert.equal(case[2], (g:path(1, 4, opts) or {}).cost)
      assert.equal(case[2], g:field(4, opts):cost(1))
      assert.equal(case[2] ~= nil, (g:can_reach(1, 4, opts)))
      assert.equal(case[2], (g:paths({ 1, 4 }, opts)[1] or {}).cost)
    end
  end)

  it("do not share what is known of reachability", function()
    local g = wend.graph()
    for i = 1, 300 do g:add_node(i, 0) end
    for i = 1, 299 do g:add_edge(i, i + 1, { width = i == 150 and 2 or nil }) end
    for _ = 1, 20 do
      for _, size in ipairs { 1, 3, 2, 4 } do
        local opts = { size = size }
        assert.equal(size <= 2, (g:can_reach(1, 300, opts)))
        assert.equal(size <= 2, g:path(1, 300, opts) ~= nil)
      end
    end
  end)

  it("are named by why_not, explain and check", function()
    local g, e = alleys()
    local big = { size = 9 }
    assert.same({ cause = "width", edge = e[4], from = 1, to = 3 }, g:why_not(1, 4, big).obstacles[1])
    local step = g:explain({ 1, 2 }, big)[1]
    assert.same({ "width", math.huge, 0 }, { step.cause, step.cost, #step.rules })
    local path = g:path(1, 4, { size = 1 })
    g:set_width(e[1], 0.5)
    assert.same({ false, "width", math.huge }, { path:valid(), path:explain()[1].cause, path:explain()[1].cost })
    local narrow = g:check(big).narrow
    assert.equal(3, #narrow)
    assert.same({ edge = e[2], from = 2, to = 3, cause = "width", width = 2,
      message = "edge 2 from 2 to 3 is too narrow: its width is 2" }, narrow[2])
    assert.same({ 0, 1, nil }, { #g:check({ size = 1 }).narrow, #g:check({ size = 6 }).narrow - 2, g:check().narrow })
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

  it("change the tag, and remove it with nil", function()
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
  it("gives each edge that leaves a node: edge, neighbour, weight and tag", function()
    local g, e = reference.draw { "A B C", "A>B 1 road", "C>A 2", "A-C 3", "B-A 4" }
    assert.same({ { e[1], 2, 1, "road" }, { e[3], 3, 3 }, { e[4], 2, 4 } }, edges(g, "A"))
  end)

  it("also tells whether an edge is directed, and whether it is closed", function()
    local g, e = reference.draw { "A B", "A>B 1 road", "A-B 2", "A-B 3" }
    g:close_edge(e[3])
    local list = {}
    for edge, _, _, _, directed, closed in g:edges "A" do list[#list + 1] = { edge, directed, closed } end
    for edge, _, _, _, _, directed, closed in g:edges() do list[#list + 1] = { edge, directed, closed } end
    local expected = { { e[1], true, false }, { e[2], false, false }, { e[3], false, true } }
    for i = 1, 3 do expected[3 + i] = expected[i] end
    assert.same(expected, list)
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

  it("ends when the node is removed, and skips edges that are added meanwhile", function()
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

describe("graph:edges without a node", function()
  local function all(g)
    local list = {}
    for edge, from, to, weight, tag in g:edges() do list[#list + 1] = { edge, from, to, weight, tag } end
    return list
  end

  it("gives every edge once, in the order of ids: edge, from, to, weight and tag", function()
    local g, e = reference.draw { "A B C", "A>B 1 road", "C>A 2", "A-C 3", "B-B 4" }
    assert.same({ { e[1], 1, 2, 1, "road" }, { e[2], 3, 1, 2 }, { e[3], 1, 3, 3 }, { e[4], 2, 2, 4 } }, all(g))
    assert.same({}, all(wend.graph()))
  end)

  it("gives closed edges, and edges of closed nodes, too", function()
    local g, e = reference.draw { "A B", "A-B 1" }
    g:close_edge(e[1]):close "B"
    assert.same({ { e[1], 1, 2, 1 } }, all(g))
  end)

  it("bears the removal of edges and nodes", function()
    local g = reference.draw { "A B C", "A-B 1", "A-B 2", "B-C 3", "A>C 4" }
    local seen = 0
    for edge in g:edges() do
      g:remove_edge(edge)
      seen = seen + 1
    end
    assert.same({ 4, 0 }, { seen, g:edge_count() })
    local e
    g, e = reference.draw { "A B C", "A-B 1", "A-B 2", "B-C 3", "A>C 4" }
    local ids = {}
    for edge in g:edges() do
      ids[#ids + 1] = edge
      if edge == e[1] then g:remove_node "B" end
    end
    assert.same({ e[1], e[4] }, ids)
  end)
end)

describe("graph:tags", function()
  it("counts the edges of each tag, and those without a tag", function()
    local g, e = reference.draw { "A B", "A-B 1 road", "A>B 2 road", "B-B 3 mud", "A-A 4", "B>A 5 rope" }
    assert.same({ { road = 2, mud = 1, rope = 1 }, 1 }, { g:tags() })
    g:close_edge(e[1]):remove_edge(e[5]):set_tag(e[3], "road")
    assert.same({ { road = 3 }, 1 }, { g:tags() })
    assert.same({ {}, 0 }, { wend.graph():tags() })
  end)

  it("makes a new table each time", function()
    local g = reference.draw { "A B", "A-B 1 road" }
    g:tags().road = 7
    assert.same({ road = 1 }, (g:tags()))
  end)

  it("bears finalizers that add tags or free the graph", function()
    for i = 1, 40 do
      local g = reference.draw { "A B", "A-B 1 road" }
      require("spec.support.collector").finalized(function()
        if i % 2 == 0 then
          for k = 1, 500 do pcall(g.set_tag, g, 1, "t" .. k) end
        else
          pcall(debug.getmetatable(g).__gc, g)
        end
      end)
      local ok, tags = pcall(g.tags, g)
      assert.truthy(ok and type(tags) == "table" or not ok and tags:find "gone")
    end
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

describe("the tags of a graph", function()
  it("are at most 65535: one more raises and changes nothing #slow", function()
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

-- Ids and memory ---------------------------------------------------------------------------------------------------

local function bytes(g)
  local of_nodes, of_edges = g:bytes()
  return of_nodes + of_edges
end

describe("ids", function()
  it("are integers below 2^53, whatever came and went", function()
    local g = wend.graph()
    for _ = 1, 1000 do
      local n = g:add_node(0, 0)
      assert.truthy(n > 0 and n < 2 ^ 53 and n % 1 == 0)
      g:remove_node(n)
    end
  end)

  it("are never given out twice: edges, one by one and in bulk #many", function()
    local g, seen, alive = wend.graph(), {}, {}
    local rng = helper.rng "edge ids"
    g:add_nodes { 0, 0, 1, 0 }
    local function note(first, last)
      for e = first, last do
        assert.equal(nil, seen[e])
        assert.equal(true, g:has_edge(e))
        seen[e] = true
        alive[#alive + 1] = e
      end
    end
    for _ = 1, 5000 do
      if rng:chance(0.5) then
        local pairs = {}
        for i = 1, 2 * rng(6) do pairs[i] = rng(2) end
        note(g:add_edges(pairs))
      else
        local e = g:add_edge(1, 2)
        note(e, e)
      end
      while #alive > 40 do
        g:remove_edge(table.remove(alive, rng(#alive)))
      end
    end
    assert.equal(#alive, g:edge_count())
  end)

  it("are found for every count and every layout of the removed ones", function()
    helper.rounds("vacant", 100, function(rng)
      local g, points, seen = wend.graph(), {}, {}
      local function note(first, last)
        for n = first, last do
          assert.equal(nil, seen[n])
          seen[n] = true
        end
      end
      for i = 1, 2 * rng(200) do points[i] = 0 end
      note(g:add_nodes(#points % 2 == 0 and points or { 0, 0 }))
      for _ = 1, 6 do
        local share = rng()
        for n in g:nodes() do
          if rng:chance(share) then g:remove_node(n) end
        end
        local count, more = rng(60), {}
        for i = 1, 2 * count do more[i] = i end
        local first, last = g:add_nodes(more)
        assert.equal(count, last - first + 1)
        note(first, last)
      end
    end)
  end)

  it("of removed nodes and edges stay unknown when their memory is used again", function()
    local g = wend.graph()
    local old = g:add_node(0, 0)
    local loop = g:add_edge(old, old)
    g:remove_node(old)
    local new = g:add_node(0, 0)
    g:add_edge(new, new)
    assert.same({ false, false }, { g:has(old), g:has_edge(loop) })
    helper.raises("node: there is no node 1", g.remove_node, g, old)
    helper.raises("edge: there is no edge 1", g.remove_edge, g, loop)
  end)
end)

describe("memory", function()
  local function flat(g, step)
    for _ = 1, 2000 do step() end
    local before = bytes(g)
    for _ = 1, 198000 do step() end
    local after = bytes(g)
    assert.truthy(after <= before * 1.5 + 4096, ("%d bytes became %d"):format(before, after))
  end

  it("stays flat over 200,000 nodes that come and go one by one #slow", function()
    local g, alive, at = wend.graph(), {}, 0
    g:add_nodes { 0, 0, 10, 10 }
    flat(g, function()
      at = at % 100 + 1
      if alive[at] then g:remove_node(alive[at]) end
      local n = g:add_node(at, at, { name = "n" .. at, radius = at })
      g:add_edge(n, 1)
      alive[at] = n
    end)
    assert.equal(102, g:node_count())
  end)

  it("stays flat over 200,000 nodes and edges that come and go in bulk #slow", function()
    local g, alive, at = wend.graph(), {}, 0
    flat(g, function()
      at = at % 20 + 1
      if alive[at] then
        for n = alive[at][1], alive[at][2] do g:remove_node(n) end
      end
      local first, last = g:add_nodes { 0, 0, at, 1, at, 2, at, 3 }
      g:add_edges { first, last, last, first, first + 1, first + 2 }
      alive[at] = { first, last }
    end)
    assert.same({ 80, 60 }, { g:node_count(), g:edge_count() })
  end)

  it("stays flat over 200,000 additions of changing sizes #slow", function()
    local g, alive = wend.graph(), {}
    local rng = helper.rng "sizes"
    g:add_nodes { 0, 0, 1, 1 }
    flat(g, function()
      local pairs = {}
      for i = 1, 2 * rng(8) do pairs[i] = rng(2) end
      local first, last = g:add_edges(pairs)
      for e = first, last do alive[#alive + 1] = e end
      while #alive > 300 do
        local i = rng(#alive)
        g:remove_edge(alive[i])
        alive[i] = alive[#alive]
        alive[#alive] = nil
      end
    end)
  end)

  it("stays flat while edges change their weights, tags and doors, and nodes their places #slow", function()
    local g = wend.graph()
    local rng = helper.rng "changes"
    for i = 1, 20 do g:add_node(i, i * i) end
    for _ = 1, 60 do g:add_edge(rng(20), rng(20)) end
    flat(g, function()
      local e = rng(60)
      g:set_weight(e, rng:chance(0.7) and rng() * 1e6 or nil)
      g:set_tag(e, rng:pick { "a", "b", "c" })
      if rng:chance(0.5) then g:close_edge(e) else g:open_edge(e) end
      if rng:chance(0.1) then g:move(rng(20), rng() * 1e3, rng() * 1e3) end
    end)
  end)

  it("goes back to about nothing when everything is removed #memory", function()
    local g = wend.graph()
    for _ = 1, 3 do
      for i = 1, 3000 do g:add_node(i, i) end
      for i = 1, 3000 do
        local n = g:add_node(i, 0)
        g:add_edge(n, n)
      end
      for n in g:nodes() do g:remove_node(n) end
    end
    g:add_node(0, 0)
    g:path(g:add_node(1, 1), g:nodes()(g))
    -- the generations of 6,000 nodes and 3,000 edges stay: no id may come twice (an index of places, which
    -- g:nearest makes, keeps its room too)
    assert.truthy(bytes(g) < 16 * 9000, bytes(g) .. " bytes")
  end)

  it("of a graph is given back with the graph #slow", function()
    local function peak()
      local most = 0
      for _ = 1, 200 do
        local g = wend.graph()
        local points = {}
        for i = 1, 4000 do points[i] = i end
        g:add_nodes(points)
        most = math.max(most, collectgarbage "count")
      end
      return most
    end
    peak()
    local resident = reference.resident
    if not resident() then return pending "no /proc here" end
    local before = resident()
    for _ = 1, 5 do peak() end -- 1,000 graphs of 100 kB
    assert.truthy(resident() - before < 40000, ("%d kB more"):format(resident() - before))
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local raises = helper.raises
local NAN, HUGE = 0 / 0, math.huge
local LONG = ("x"):rep(50)
local NODE = "must be a node (its id or name)"
local EDGE = "must be an edge (its id)"
local COORDINATE = "must be a finite number (up to 1e150)"
local FINITE = "must be a finite number >= 0"

local g, flat

local function fixture()
  g = wend.graph()
  g:add_node(0, 0, { name = "gate" })
  g:add_node(3, 4, { name = "keep" })
  g:add_node() -- 3: nowhere
  g:add_edge(1, 2)
  g:add_edge(1, 3, { weight = 2 })
  flat = wend.graph { dimensions = 3 }
  flat:add_node(0, 0, 0)
end

describe("a call of a graph", function()
  before_each(fixture)

  helper.all_raise(it, {
    "unknown option 'dimension' (expected one of: dimensions)", function() wend.graph { dimension = 3 } end,
    "unknown option 1 (expected one of: dimensions)", function() wend.graph { 3 } end,
    "unknown option true (expected one of: dimensions)", function() wend.graph { [true] = 3 } end,
    "z " .. COORDINATE .. ", got nil", function() flat:add_node(1, 2) end,
    "z " .. COORDINATE .. ", got a table", function() flat:add_node(1, 2, {}) end,
    "name: 'gate' is the name of node 1 already", function() g:add_node(1, 2, { name = "gate" }) end,
    "points must hold 2 numbers per item, such as { 1, 2, 3, 4 } for two, got 3 numbers: { 1, 2, 3 }",
    function() g:add_nodes { 1, 2, 3 } end,
    "points must hold 3 numbers per item, got 4 numbers: { 1, 2, 3, 4 }", function() flat:add_nodes { 1, 2, 3, 4 } end,
    "points[2] " .. COORDINATE .. ", got 'a'", function() g:add_nodes { 1, "a" } end,
    "points[1] " .. COORDINATE .. ", got a table", function() g:add_nodes { { 1, 2 }, { 3, 4 } } end,
    "points[3] " .. COORDINATE .. ", got nan", function() g:add_nodes { 1, 2, NAN, 4 } end,
    "points[4] " .. COORDINATE .. ", got inf", function() g:add_nodes { 1, 2, 3, HUGE } end,
    "to: there is no node 0", function() g:add_edge(1, 0) end,
    "to: there is no node 9", function() g:add_edge(1, 9) end,
    "from: there is no node named 'moat'", function() g:add_edge("moat", 2) end,
    "from: there is no node named '1'", function() g:add_edge("1", 2) end,
    "to: there is no node named ''", function() g:add_edge(1, "") end,
    ("to: there is no node named '%s...'"):format(LONG:sub(1, 40)), function() g:add_edge(1, LONG) end,
    "unknown option 'cost' (expected one of: weight, tag, directed, width)",
    function() g:add_edge(1, 2, { cost = 7 }) end,
    "weight must be given: node 3 has no position", function() g:add_edge(1, 3) end,
    "weight must be given: node 3 has no position", function() g:add_edge(3, 1, { tag = "mud" }) end,
    "weight must be given: node 'moat' (3) has no position", function() g:set_name(3, "moat"):add_edge(3, 3) end,
    "pairs must hold 2 nodes per item, such as { 1, 2, 3, 4 } for two, got 3 nodes: { 1, 2, 1 }",
    function() g:add_edges { 1, 2, 1 } end,
    "pairs must be a flat list, such as { 1, 2 } for two nodes, got { { 1, 2 }, { 2, 1 } }",
      function() g:add_edges { { 1, 2 }, { 2, 1 } } end,
    "pairs[2] " .. NODE .. ", got 1.5", function() g:add_edges { 1, 1.5 } end,
    "pairs[4]: there is no node 9", function() g:add_edges { 1, 2, 1, 9 } end,
    "pairs[3]: there is no node named 'moat'", function() g:add_edges { 1, 2, "moat", 2 } end,
    "weight must be given: node 3 has no position", function() g:add_edges { 1, 2, 1, 3 } end,
    "unknown option 'weight' (expected one of: weights, tag, directed, width)",
      function() g:add_edges({ 1, 2 }, { weight = 1 }) end,
    "weights must hold a number for each of the 1 edges, got 2",
      function() g:add_edges({ 1, 2 }, { weights = { 1, 2 } }) end,
    "weights must hold a number for each of the 2 edges, got 1",
      function() g:add_edges({ 1, 2, 2, 1 }, { weights = { 1 } }) end,
    "weights[2] " .. FINITE .. ", got -1", function() g:add_edges({ 1, 2, 2, 1 }, { weights = { 1, -1 } }) end,
    "weights[1] " .. FINITE .. ", got nan", function() g:add_edges({ 1, 2 }, { weights = { NAN } }) end,
    "weights[1] " .. FINITE .. ", got inf", function() g:add_edges({ 1, 2 }, { weights = { HUGE } }) end,
    "weights[1] " .. FINITE .. ", got '1'", function() g:add_edges({ 1, 2 }, { weights = { "1" } }) end,
    "name: 'keep' is the name of node 2 already", function() g:set_name(1, "keep") end,
    "z " .. COORDINATE .. ", got nil", function() flat:move(1, 2, 3) end,
    "weight must be given: node 3 has no position", function() g:set_weight(2, nil) end,
  })
end)

describe("a method that takes a node", function()
  before_each(fixture)

  for _, name in ipairs { "remove_node", "is_closed", "close", "open", "name", "set_name", "radius", "set_radius",
    "position", "move", "edges" } do
    it("raises: graph:" .. name, function()
      local method = g[name]
      raises("node: there is no node 0", method, g, 0, 1, 1)
      raises("node: there is no node 4", method, g, 4, 1, 1)
      raises("node: there is no node 4294967297", method, g, 4294967297, 1, 1) -- a later tenant of slot 1
      raises("node: there is no node named 'moat'", method, g, "moat", 1, 1)
      g:remove_node(2)
      raises("node: there is no node 2", method, g, 2, 1, 1)
      raises("node: there is no node named 'keep'", method, g, "keep", 1, 1)
    end)
  end

  it("raises: graph:has", function()
    raises("node " .. NODE .. ", got nil", g.has, g)
    raises("node " .. NODE .. ", got a table", g.has, g, {})
  end)

end)

describe("a method that takes two nodes", function()
  before_each(fixture)

  for name, args in pairs {
    edge_between = { "a", "b" }, path = { "from", "to" }, search = { "from", "to" }, add_edge = { "from", "to" },
  } do
    it("raises: graph:" .. name, function()
      local method, from, to = g[name], args[1], args[2]
      raises(from .. ": there is no node 9", method, g, 9, 1)
      raises(to .. ": there is no node 9", method, g, 1, 9)
      raises(from .. ": there is no node named 'moat'", method, g, "moat", 1)
      raises(to .. ": there is no node named 'moat'", method, g, 1, "moat")
      g:remove_node(2)
      raises(from .. ": there is no node 2", method, g, 2, 1)
      raises(to .. ": there is no node 2", method, g, 1, 2)
    end)
  end
end)

describe("a method that takes an edge", function()
  before_each(fixture)

  for _, name in ipairs { "remove_edge", "close_edge", "open_edge", "edge", "set_weight", "set_tag" } do
    it("raises: graph:" .. name, function()
      local method, last = g[name], name == "set_tag" and "mud" or name == "set_weight" and 1 or nil
      raises("edge: there is no edge 0", method, g, 0, last)
      raises("edge: there is no edge 3", method, g, 3, last)
      g:remove_edge(1)
      raises("edge: there is no edge 1", method, g, 1, last)
      g:remove_node(3)
      raises("edge: there is no edge 2", method, g, 2, last)
    end)
  end

  it("raises: graph:has_edge", function()
    raises("edge " .. EDGE .. ", got nil", g.has_edge, g)
    raises("edge " .. EDGE .. ", got 'gate'", g.has_edge, g, "gate")
  end)
end)
