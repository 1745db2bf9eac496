-- SPDX-License-Identifier: MIT
-- graph:check and grid:check against a walk from everywhere to everywhere. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local foreign = dofile "examples/foreign_maps.lua"

local HUGE, NAN = math.huge, 0 / 0
local draw, raises = reference.draw, helper.raises

-- The reference ----------------------------------------------------------------------------------------------------

---What a check should find. listed: the places that are there, in order; ways: a list of { from, to, allowed, entry }
---between them.
local function findings(listed, ways)
  local leaving, rank = {}, {}
  for i, place in ipairs(listed) do leaving[place], rank[place] = {}, i end
  local into, out, into_unmeant, out_unmeant = {}, {}, {}, {}
  for _, way in ipairs(ways) do
    local from, to = way[1], way[2]
    if from ~= to then
      table.insert(leaving[from], to)
      out[from], into[to] = true, true
      if not way[3] then out_unmeant[from], into_unmeant[to] = true, true end
    end
  end

  local reach = {}
  for _, start in ipairs(listed) do
    local reached, queue, at = { [start] = true }, { start }, 1
    while queue[at] do
      for _, to in ipairs(leaving[queue[at]]) do
        if not reached[to] then
          reached[to] = true
          queue[#queue + 1] = to
        end
      end
      at = at + 1
    end
    reach[start] = reached
  end

  local components, of = {}, {}
  for _, place in ipairs(listed) do
    if not of[place] then
      local members = {}
      for _, other in ipairs(listed) do
        if reach[place][other] and reach[other][place] then
          members[#members + 1] = other
          of[other] = members
        end
      end
      components[#components + 1] = members
    end
  end
  table.sort(components, function(a, b) return #a > #b or #a == #b and rank[a[1]] < rank[b[1]] end)

  local found = { connected = #components <= 1, components = components, isolated = {}, sinks = {}, sources = {},
    traps = {} }
  for _, place in ipairs(listed) do
    if not into[place] and not out[place] then
      table.insert(found.isolated, place)
    elseif not out[place] and into_unmeant[place] then
      table.insert(found.sinks, place)
    elseif not into[place] and out_unmeant[place] then
      table.insert(found.sources, place)
    end
  end
  for k, members in ipairs(components) do
    local entries, left = {}, false
    for _, way in ipairs(ways) do
      if of[way[1]] == members and of[way[2]] ~= members then left = true end
      if of[way[1]] ~= members and of[way[2]] == members and not way[3] then entries[#entries + 1] = way[4] end
    end
    if (k > 1 or #members == 1) and not left and #entries > 0 then
      table.sort(entries)
      table.insert(found.traps, { nodes = members, entries = entries })
    end
  end
  return found
end

-- The sentence about a trap, by what the trap itself says. name(place): how it is written; kind: "nodes" or "cells".
local function sentence(members, kind, name, first_entry, more)
  local names, shown = {}, #members <= 4 and #members or 3
  for i = 1, shown do names[i] = name(members[i]) end
  return ("%d %s can be entered but not left: %s%s; one gets in %s%s"):format(#members,
    #members > 1 and kind or kind:sub(1, -2), table.concat(names, ", "),
    shown < #members and (" and %d more"):format(#members - shown) or "", first_entry,
    more == 0 and "" or (", and by %d more way%s"):format(more, more > 1 and "s" or ""))
end

local KEYS = { "components", "connected", "isolated", "sinks", "sources", "traps" }
local TRAP_KEYS = { "entries", "message", "nodes" }

local function keys(t)
  local list = {}
  for key in pairs(t) do list[#list + 1] = key end
  table.sort(list)
  return list
end

local function node_name(g, n)
  local name = g:name(n)
  return name and ("'%s' (%d)"):format(name, n) or ("%d"):format(n)
end

---Asserts that a graph's findings are what they should be. expected: of `findings`, entries being edges.
local function compare(g, expected, found)
  assert.same(KEYS, keys(found))
  for _, trap in ipairs(found.traps) do
    assert.same(TRAP_KEYS, keys(trap))
    local edge, inside = g:edge(trap.entries[1]), {}
    for _, n in ipairs(trap.nodes) do inside[n] = true end
    local from, to = edge.from, edge.to
    if not inside[to] or inside[from] then from, to = to, from end
    assert.equal(sentence(trap.nodes, "nodes", function(n) return node_name(g, n) end,
      ("from %s to %s by edge %d"):format(node_name(g, from), node_name(g, to), edge.id or trap.entries[1]),
      #trap.entries - 1), trap.message)
    trap.message = nil
    table.sort(trap.entries)
  end
  assert.same(expected, found)
end

-- The ways of a graph by its model: cost(edge, from, to), allow: a set of tags.
local function ways_of(model, cost, allow)
  local ways = {}
  local function add(edge, from, to)
    if edge.closed or model.closed[from] or model.closed[to] then return end
    if cost and not (cost(edge, from, to) < HUGE) then return end
    ways[#ways + 1] = { from, to, edge.tag ~= nil and allow[edge.tag] or false, edge.id }
  end
  for _, edge in ipairs(model.edges) do
    add(edge, edge.from, edge.to)
    if not edge.directed then add(edge, edge.to, edge.from) end
  end
  return ways
end

local function open_nodes(g, model)
  local listed = {}
  for n in g:nodes() do
    if not model.closed[n] then listed[#listed + 1] = n end
  end
  return listed
end

local function set_of(list)
  local set = {}
  for _, value in ipairs(list or {}) do set[value] = true end
  return set
end

local function random_allow(rng)
  local allow = {}
  for _, tag in ipairs { "road", "swamp", "toll", "lava", "rope", "nobody" } do
    if rng:chance(0.3) then allow[#allow + 1] = tag end
  end
  return rng:chance(0.6) and allow or nil
end

-- Removes a node from a model too.
local function remove_node(g, model, index)
  local id = table.remove(model.nodes, index)
  g:remove_node(id)
  for i = #model.edges, 1, -1 do
    if model.edges[i].from == id or model.edges[i].to == id then table.remove(model.edges, i) end
  end
end

local function empty()
  return { components = {}, connected = true, isolated = {}, sinks = {}, sources = {}, traps = {} }
end

-- Graphs -----------------------------------------------------------------------------------------------------------

describe("graph:check", function()
  it("finds no defects in a graph that is joined both ways, or is empty", function()
    assert.same(empty(), wend.graph():check())
    assert.same(empty(), wend.graph { dimensions = 3 }:check())
    local found = draw({ "A B C", "A-B 1", "B-C 1" }):check()
    assert.same({ true, { { 1, 2, 3 } }, {}, {}, {}, {} },
      { found.connected, found.components, found.isolated, found.sinks, found.sources, found.traps })
    found = draw({ "A B C", "A>B 1", "B>C 1", "C>A 1" }):check()
    assert.same({ true, { { 1, 2, 3 } } }, { found.connected, found.components })
    assert.same({ {}, {}, {}, {} }, { found.isolated, found.sinks, found.sources, found.traps })
  end)

  it("finds isolated nodes, sinks and sources", function()
    local g = draw { "A B C D E F", "B>C 1", "C>D 1", "E-B 1", "F>F 1" }
    local found = g:check()
    assert.equal(false, found.connected)
    assert.same({ { 2, 5 }, { 1 }, { 3 }, { 4 }, { 6 } }, found.components)
    assert.same({ { 1, 6 }, { 4 }, {} }, { found.isolated, found.sinks, found.sources })
    g:add_edge("A", "B", { weight = 1, directed = true })
    found = g:check()
    assert.same({ { 6 }, { 4 }, { 1 } }, { found.isolated, found.sinks, found.sources })
    assert.same({ { nodes = { 4 }, entries = { 2 }, message = "1 node can be entered but not left: 'D' (4); one gets "
      .. "in from 'C' (3) to 'D' (4) by edge 2" } }, found.traps)
  end)

  it("counts a single node as isolated and connected", function()
    local g = draw { "A" }
    assert.same({ true, { 1 }, { { 1 } } }, { g:check().connected, g:check().isolated, g:check().components })
    g:add_edge(1, 1, { weight = 1 })
    assert.same({ 1 }, g:check().isolated)
  end)

  it("finds areas that can be entered but not left, with the ways in", function()
    local g, edges = draw { "A B C dock isle D E", "A-B 1", "B-C 1", "C>dock 1", "dock-isle 1", "A>isle 1", "D-E 1" }
    local found = g:check()
    assert.same({ { 1, 2, 3 }, { 4, 5 }, { 6, 7 } }, found.components)
    assert.equal(1, #found.traps)
    local trap = found.traps[1]
    assert.same({ { 4, 5 }, { edges[5], edges[3] } }, { trap.nodes, trap.entries })
    assert.equal("2 nodes can be entered but not left: 'dock' (4), 'isle' (5); one gets in from 'A' (1) to 'isle' (5) "
      .. "by edge 5, and by 1 more way", trap.message)
    g:add_edge("isle", "D", { weight = 1, directed = true }) -- now the way out leads into another
    found = g:check()
    assert.same({ 6, 7 }, found.traps[1].nodes)
    assert.equal(1, #found.traps)
    assert.equal("2 nodes can be entered but not left: 'D' (6), 'E' (7); one gets in from 'isle' (5) to 'D' (6) "
      .. "by edge 7", found.traps[1].message)
    g:add_edge("E", "A", { weight = 1, directed = true })
    assert.equal(true, g:check().connected)
  end)

  it("names three of a large trap, and counts the rest and the ways in", function()
    local g = reference.row(40)
    local names = {}
    for i = 41, 45 do g:add_node(i, 0) end
    for i, count in ipairs { 2, 3, 4, 5 } do
      if i > 1 then g:add_edge(39 + count, 40 + count) else g:add_edge(41, 42) end
      g:add_edge(i, 40 + count, { directed = true })
      local found = g:check()
      for k = 1, count do names[k] = tostring(40 + k) end
      local more = count <= 4 and table.concat(names, ", ", 1, count) or "41, 42, 43 and 2 more"
      assert.equal(1, #found.traps)
      local edge = found.traps[1].entries[1]
      local others = ({ "", ", and by 1 more way", ", and by 2 more ways", ", and by 3 more ways" })[i]
      assert.equal(("%d nodes can be entered but not left: %s; one gets in from 1 to 42 by edge %d%s"):format(count,
        more, edge, others), found.traps[1].message)
      assert.equal(i, #found.traps[1].entries)
    end
  end)

  it("gives a trap with every parallel edge that leads in", function()
    local g, edges = draw { "A B C D E", "A-B 1", "B-C 1", "C>D 1", "C>D 2", "C>D 2", "D-E 1", "D>D 1" }
    assert.same({ edges[3], edges[4], edges[5] }, g:check().traps[1].entries)
  end)

  it("never takes the largest component for a trap, and of two that are as large not the first", function()
    local found = draw({ "A B C", "A>B 1", "B-C 1" }):check()
    assert.same({ { 2, 3 }, { 1 } }, found.components)
    assert.same({ {}, { 1 } }, { found.traps, found.sources })
    found = draw({ "A B C D", "A-B 1", "B>C 1", "C-D 1" }):check()
    assert.same({ { { 1, 2 }, { 3, 4 } }, { 3, 4 } }, { found.components, found.traps[1].nodes })
    found = draw({ "A B C D", "A-B 1", "C>B 1", "C-D 1" }):check()
    assert.same({ { { 1, 2 }, { 3, 4 } }, {} }, { found.components, found.traps })
  end)

  it("takes every sink for a trap, also where all components have one node", function()
    for _, edges in ipairs { { "A>B 1" }, { "B>A 1" }, { "B>A 1", "C>B 1", "C>D 1" } } do
      table.insert(edges, 1, "A B C D")
      local found = draw(edges):check()
      local pits = {}
      for _, trap in ipairs(found.traps) do pits[#pits + 1] = trap.nodes[1] end
      table.sort(pits)
      assert.same(found.sinks, pits)
      assert.is_true(#pits > 0)
    end
  end)

  it("does not tell of what is meant to lead one way", function()
    local lines = { "A B C D E F G", "A-B 1", "B-C 1", "C>D 1 drop", "D-E 1", "C>F 1 drop", "G>A 1 drop" }
    local found = draw(lines):check()
    assert.same({ { 6 }, { 7 }, { 4, 5 }, { 6 } },
      { found.sinks, found.sources, found.traps[1].nodes, found.traps[2].nodes })
    local g, edges = draw(lines)
    found = g:check { allow = { "drop" } }
    assert.same({ {}, {}, {}, {} }, { found.sinks, found.sources, found.traps, found.isolated })
    assert.equal(false, found.connected)
    assert.same({ { 1, 2, 3 }, { 4, 5 }, { 6 }, { 7 } }, found.components)
    assert.equal(2, #g:check { allow = { "rope", "nobody" } }.traps)
    assert.equal(2, #g:check { allow = {} }.traps)
    assert.equal(0, #g:check { allow = { "rope", "drop" } }.traps)

    -- another way in, that nobody means: it alone is told of
    local other = g:add_edge("A", "E", { weight = 1, directed = true })
    found = g:check { allow = { "drop" } }
    assert.same({ other }, found.traps[1].entries)
    assert.equal("2 nodes can be entered but not left: 'D' (4), 'E' (5); one gets in from 'A' (1) to 'E' (5) by edge 7",
      found.traps[1].message)
    assert.same({ edges[3], other }, (function(list)
      table.sort(list)
      return list
    end)(g:check().traps[1].entries))
    g:add_edge("B", "F", { weight = 1, directed = true })
    g:add_edge("G", "B", { weight = 1, directed = true })
    found = g:check { allow = { "drop" } }
    assert.same({ { 6 }, { 7 } }, { found.sinks, found.sources })
  end)

  it("takes a way that is meant for a way all the same", function()
    local g = draw { "A B C D", "A-B 1", "B>C 1 drop", "C-D 1", "D>A 1 drop" }
    assert.equal(true, g:check { allow = { "drop" } }.connected)
  end)

  it("leaves out closed and removed nodes and edges", function()
    local g, edges = draw { "A B C D", "A-B 1", "B-C 1", "C-D 1" }
    g:close "B"
    local found = g:check()
    assert.same({ { { 3, 4 }, { 1 } }, { 1 }, false }, { found.components, found.isolated, found.connected })
    g:open "B"
    g:close_edge(edges[2])
    assert.same({ { 1, 2 }, { 3, 4 } }, g:check().components)
    g:open_edge(edges[2])
    g:remove_node "D"
    assert.same({ { 1, 2, 3 } }, g:check().components)
    for _, name in ipairs { "A", "B", "C" } do g:close(name) end
    assert.same(empty(), g:check())
  end)

  it("sees it as the agent does", function()
    local g = draw { "camp field isle rock", "camp-field 1", "field-isle 1 swamp", "isle-rock 1" }
    local costs = wend.costs { swamp = function(agent) return agent.boots and 1 end }
    assert.equal(true, g:check().connected)
    assert.equal(true, g:check { costs = costs, agent = { boots = true } }.connected)
    costs = wend.costs { swamp = function(agent) return agent.boots and 1 or false end }
    local found = g:check { costs = costs }
    assert.same({ { 1, 2 }, { 3, 4 } }, found.components)
    assert.equal(true, g:check { costs = costs, agent = { boots = true } }.connected)

    -- an agent who cannot climb: an edge both ways becomes a way down, and what lies below a trap
    local function climb(agent, _, _, from, to)
      if from > to and not agent.rope then return false end
    end
    found = g:check { cost = climb }
    assert.same({ { { 1 }, { 2 }, { 3 }, { 4 } }, { 4 }, { 1 } }, { found.components, found.sinks, found.sources })
    local rules = wend.costs()
    rules:edge_rule("without boots", function(agent, _, _, from)
      if from == 3 and not agent.boots then return false end
    end, { tags = { "swamp" } })
    found = g:check { costs = rules }
    assert.equal("2 nodes can be entered but not left: 'isle' (3), 'rock' (4); one gets in from 'field' (2) to 'isle' "
      .. "(3) by edge 2", found.traps[1].message)
    assert.equal(true, g:check { costs = rules, agent = { boots = true } }.connected)
  end)

  it("takes an edge of any weight, and none that costs too much to be a number", function()
    local g = draw { "A B C", "A-B 0", "B-C 1 far" }
    assert.equal(true, g:check().connected)
    assert.equal(true, g:check { costs = wend.costs { far = 1e300 } }.connected)
    assert.equal(false, g:check { costs = wend.costs { far = HUGE } }.connected)
    assert.equal(false, g:check { cost = function() return HUGE end }.connected)
    assert.equal(true, g:check { cost = function() return 0 end }.connected)
  end)

  it("does not change the graph, and gives tables of its own", function()
    local g = draw { "A B C", "A-B 1", "B>C 1" }
    local path, field = g:path(1, 2), g:field(1)
    local first = g:check()
    assert.same({ true, true }, { path:valid(), field:valid() })
    first.components[1][1], first.sinks[1] = 99, 99
    assert.same({ { { 1, 2 }, { 3 } }, { 3 } }, { g:check().components, g:check().sinks })
  end)

  it("finds the same as a walk from every node", function()
    helper.rounds("check", 200, function(rng)
      local g, model = helper.random_graph(rng, { edges = rng:chance(0.5) and rng(0, 45) or nil })
      for _ = 1, rng:pick { 0, 0, 3 } do
        if #model.nodes > 1 then remove_node(g, model, rng(#model.nodes)) end
      end
      for _, id in ipairs(model.nodes) do
        if rng:chance(0.2) then g:set_name(id, "node " .. id) end
      end
      local opts, cost = reference.random_costs(rng)
      opts.allow = random_allow(rng)
      local expected = findings(open_nodes(g, model), ways_of(model, cost, set_of(opts.allow)))
      compare(g, expected, g:check(opts))
      local again, once = g:check(opts), g:check(opts)
      assert.same(once, again) -- to the order of the entries
    end)
  end)

  it("walks 100,000 nodes in a row, which recursion would not", function()
    local count = 100000
    local g = wend.graph()
    g:add_nodes((function(flat)
      for i = 1, count do flat[2 * i - 1], flat[2 * i] = i, 0 end
      return flat
    end)({}))
    local ends = {}
    for i = 1, count - 1 do ends[2 * i - 1], ends[2 * i] = i, i + 1 end
    g:add_edges(ends, { directed = true })
    local found = g:check()
    assert.equal(count, #found.components)
    assert.same({ { 1 }, { 2 } }, { found.components[1], found.components[2] })
    assert.same({ { count }, { 1 }, {}, 1 }, { found.sinks, found.sources, found.isolated, #found.traps })
    local back = g:add_edge(count, 2, { directed = true })
    found = g:check()
    assert.same({ count - 1, 2 }, { #found.components[1], #found.components })
    assert.same({ {}, { 1 }, {} }, { found.sinks, found.sources, found.traps })
    g:remove_edge(back)
    g:add_edge(50000, 1, { directed = true })
    g:add_edge(count, 50001, { directed = true })
    found = g:check()
    assert.same({ 2, 50000, 50000 }, { #found.components, #found.components[1], #found.components[2] })
    assert.same({ 50000 }, found.traps[1].entries)
    assert.equal("50000 nodes can be entered but not left: 50001, 50002, 50003 and 49997 more; "
      .. "one gets in from 50000 to 50001 by edge 50000", found.traps[1].message)
  end)

  it("gives 20,000 traps, each with its way in", function()
    local g, ends = wend.graph(), {}
    local flat = {}
    for i = 1, 40003 do flat[2 * i - 1], flat[2 * i] = i, 0 end
    g:add_nodes(flat)
    g:add_edges { 1, 2, 2, 3 }
    for i = 4, 40002, 2 do ends[#ends + 1], ends[#ends + 2] = i, i + 1 end
    g:add_edges(ends)
    for i = 4, 40002, 2 do g:add_edge(i % 3 + 1, i, { directed = true }) end
    local found = g:check()
    assert.equal(20000, #found.traps)
    for i, trap in ipairs(found.traps) do
      if trap.nodes[1] ~= 2 * i + 2 or #trap.nodes ~= 2 or #trap.entries ~= 1 or trap.entries[1] ~= 20002 + i then
        assert.same({ 2 * i + 2, 20002 + i }, { trap.nodes[1], trap.entries[1] })
      end
    end
  end)
end)

-- Grids ------------------------------------------------------------------------------------------------------------

-- A list of cells as x, y.
local function flat(model, cells)
  local list = {}
  for _, cell in ipairs(cells) do
    list[#list + 1], list[#list + 2] = model:at(cell)
  end
  return list
end

-- The ways of a grid by its model, word for word.
local function ways_over(model, view, allow)
  local there, ways, listed = {}, {}, {}
  for cell = 1, model.width * model.height do
    local tag = model.tag[cell]
    there[cell] = model.weight[cell] and not (tag and view.tag and view.tag(tag) == HUGE)
    if there[cell] then listed[#listed + 1] = cell end
  end
  local function add(from, to, cost, tag)
    if not there[to] or not (cost < HUGE) then return end
    local x1, y1 = model:at(from)
    local x2, y2 = model:at(to)
    ways[#ways + 1] = { from, to, tag ~= nil and allow[tag] or false, ("%d,%d,%d,%d"):format(x1, y1, x2, y2) }
  end
  for _, from in ipairs(listed) do
    local x, y = model:at(from)
    for dy = -1, 1 do
      for dx = -1, 1 do
        if (dx ~= 0 or dy ~= 0) and model:inside(x + dx, y + dy) then
          local to = model:cell(x + dx, y + dy)
          add(from, to, model:step(view, x, y, x + dx, y + dy), model.tag[to])
        end
      end
    end
    for to, link in pairs(model.links[from]) do
      local times, plus = 1, 0
      if link.tag and view.tag then times, plus = view.tag(link.tag) end
      local cost = times == HUGE and HUGE or link.weight * times + plus
      local x2, y2 = model:at(to)
      if view.edge and cost < HUGE then cost = view.edge(cost, link.tag, x, y, x2, y2) end
      add(from, to, cost, link.tag)
    end
  end
  return listed, ways
end

-- A grid's findings as they should be.
local function grid_findings(model, view, allow)
  local found = findings(ways_over(model, view, allow))
  for _, key in ipairs { "isolated", "sinks", "sources" } do found[key] = flat(model, found[key]) end
  for k, members in ipairs(found.components) do found.components[k] = flat(model, members) end
  for _, trap in ipairs(found.traps) do trap.nodes = flat(model, trap.nodes) end
  return found
end

local function compare_grid(expected, found)
  assert.same(KEYS, keys(found))
  for _, trap in ipairs(found.traps) do
    assert.same(TRAP_KEYS, keys(trap))
    local texts, members = {}, {}
    for i = 1, #trap.entries, 4 do
      texts[#texts + 1] = ("%d,%d,%d,%d"):format(trap.entries[i], trap.entries[i + 1], trap.entries[i + 2],
        trap.entries[i + 3])
    end
    for i = 1, #trap.nodes, 2 do members[#members + 1] = ("(%d,%d)"):format(trap.nodes[i], trap.nodes[i + 1]) end
    assert.equal(sentence(members, "cells", function(name) return name end,
      ("from (%d,%d) to (%d,%d)"):format(trap.entries[1], trap.entries[2], trap.entries[3], trap.entries[4]),
      #texts - 1), trap.message)
    trap.message = nil
    table.sort(texts)
    trap.entries = texts
  end
  assert.same(expected, found)
end

-- An agent of a grid: options, and how it sees the world. What it closes it closes for good.
local function random_agent(rng)
  local values, by_tag, options, view = {}, {}, {}, {}
  if rng:chance(0.6) then
    for _, tag in ipairs(grid_reference.TAGS) do
      by_tag[tag] = rng:pick { 0, 0.5, 1, 3, HUGE, HUGE }
      local value = by_tag[tag] < HUGE and by_tag[tag]
      if rng:chance(0.5) then values[tag] = function(agent) return value and value * agent.factor end
      else values[tag] = value end
    end
    options.costs, options.agent = wend.costs(values), { factor = 1 }
    function view.tag(tag) return by_tag[tag], 0 end
  end
  if rng:chance(0.4) then
    local a, b, c = rng(1, 9), rng(1, 9), rng(3, 7)
    local function is_shut(x1, y1, x2, y2) return (x1 * a + y1 * b + x2 + 2 * y2) % c == 0 end
    options.at_least = 1
    function options.cost(_, _, _, x1, y1, x2, y2)
      if is_shut(x1, y1, x2, y2) then return false end
    end
    function view.edge(cost, _, x1, y1, x2, y2) return is_shut(x1, y1, x2, y2) and HUGE or cost end
  end
  return options, view
end

describe("grid:check", function()
  it("finds nothing wrong with an open grid, or with a closed one", function()
    local found = wend.grid(3, 2):check()
    assert.same({ connected = true, components = { { 1, 1, 2, 1, 3, 1, 1, 2, 2, 2, 3, 2 } }, isolated = {}, sinks = {},
      sources = {}, traps = {} }, found)
    assert.same(empty(), wend.grid(5, 5):fill(false):check())
    found = wend.grid(1, 1):check()
    assert.same({ true, { 1, 1 } }, { found.connected, found.isolated })
  end)

  it("gives the pieces, the largest first, cells in reading order", function()
    local grid = wend.parse_grid [[
      .#..
      .#..
      ##..
      .#..
    ]]
    local found = grid:check()
    assert.same({ { 3, 1, 4, 1, 3, 2, 4, 2, 3, 3, 4, 3, 3, 4, 4, 4 }, { 1, 1, 1, 2 }, { 1, 4 } }, found.components)
    assert.same({ false, { 1, 4 }, {}, {}, {} },
      { found.connected, found.isolated, found.sinks, found.sources, found.traps })
  end)

  it("finds traps behind one-way links, with the steps that lead in", function()
    local grid = wend.parse_grid [[
      ...#..
      ...#..
    ]]
    grid:link(3, 1, 5, 1, { directed = true })
    local found = grid:check()
    assert.equal(1, #found.traps)
    assert.same({ { 5, 1, 6, 1, 5, 2, 6, 2 }, { 3, 1, 5, 1 } }, { found.traps[1].nodes, found.traps[1].entries })
    assert.equal("4 cells can be entered but not left: (5,1), (6,1), (5,2), (6,2); one gets in from (3,1) to (5,1)",
      found.traps[1].message)
    grid:link(1, 2, 6, 2, { directed = true, tag = "drop" })
    found = grid:check { allow = { "drop" } }
    assert.same({ 3, 1, 5, 1 }, found.traps[1].entries)
    assert.equal("4 cells can be entered but not left: (5,1), (6,1), (5,2), (6,2); one gets in from (3,1) to (5,1)",
      found.traps[1].message)
    found = grid:check()
    assert.same({ 3, 1, 5, 1, 1, 2, 6, 2 }, found.traps[1].entries)
    assert.truthy(found.traps[1].message:find("one gets in from (3,1) to (5,1), and by 1 more way", 1, true))
    grid:unlink(3, 1, 5, 1)
    assert.same({}, grid:check { allow = { "drop" } }.traps)
  end)

  it("names three of a large trap", function()
    local grid = wend.grid(20, 3):fill(10, 1, 10, 3, false):fill(17, 1, 20, 3, false)
    grid:link(1, 1, 11, 1, { directed = true })
    grid:link(1, 1, 12, 1, { directed = true })
    grid:link(1, 1, 13, 1, { directed = true })
    assert.equal("18 cells can be entered but not left: (11,1), (12,1), (13,1) and 15 more; one gets in from (1,1) to "
      .. "(11,1), and by 2 more ways", grid:check().traps[1].message)
  end)

  it("knows ledges that one can jump down, by a function", function()
    local grid = wend.grid(4, 6)
    local function ledge(_, _, _, _, from_y, _, to_y)
      if from_y == 5 and to_y == 4 then return false end
    end
    local found = grid:check { cost = ledge }
    assert.same({ 2, 32, 16 }, { #found.components, #found.components[1], #found.traps[1].nodes })
    local entries = found.traps[1].entries
    assert.equal(4 * (4 + 6), #entries) -- straight down, and at a diagonal
    for i = 1, #entries, 4 do assert.same({ 4, 5 }, { entries[i + 1], entries[i + 3] }) end
    grid:fill(1, 5, 4, 5, "ledge")
    assert.same({}, grid:check { cost = ledge, allow = { "ledge" } }.traps)
    assert.equal(1, #grid:check { cost = ledge, allow = { "other" } }.traps)
  end)

  it("goes by walls and by the rule of diagonals", function()
    local pieces = {}
    for _, diagonals in ipairs(grid_reference.POLICIES) do
      local grid = wend.parse_grid({ ".#.", "#..", "..#" }, nil, { diagonals = diagonals })
      pieces[#pieces + 1] = #grid:check().components
    end
    assert.same({ 2, 2, 1, 2 }, pieces)
    local grid = wend.grid(2, 2)
    grid:wall(1, 1, 2, 1)
    assert.equal(true, grid:check().connected)
    grid:wall(1, 2, 2, 2)
    assert.same({ { 1, 1, 1, 2 }, { 2, 1, 2, 2 } }, grid:check().components)
    grid:wall(1, 2, 2, 2, false)
    assert.equal(true, grid:check().connected)
  end)

  it("finds what is fenced in within a large grid, and what is cut out of it", function()
    local grid = wend.grid(60, 50):fill(20, 10, 31, 19, false):fill(21, 11, 30, 18, 1):fill(25, 14, 26, 15, false)
    local found = grid:check()
    assert.same({ 2, 2 * (60 * 50 - 12 * 10), 2 * (10 * 8 - 4) },
      { #found.components, #found.components[1], #found.components[2] })
    grid:set(20, 12, "door")
    assert.equal(true, grid:check().connected)
    found = grid:check { costs = wend.costs { door = false } }
    assert.equal(2, #found.components)
    found = grid:check { costs = wend.costs { door = false }, cost = function() end, at_least = 1 }
    assert.same({ 2, {}, {} }, { #found.components, found.isolated, found.sources })
    found = grid:check { costs = wend.costs { door = false }, cost = function() end }
    assert.same({ 2, {}, {} }, { #found.components, found.isolated, found.sources })
  end)

  it("takes what a function opens for open", function()
    local grid = wend.parse_grid({ ".~." }, { ["~"] = "door" })
    local opts = { costs = wend.costs { door = false }, cost = function(agent, cost, tag)
      if tag == "door" and agent.key then return 1 end
      return cost
    end, agent = { key = true } }
    assert.equal(true, grid:check(opts).connected)
    opts.agent = {}
    assert.same({ { 1, 1 }, { 3, 1 } }, grid:check(opts).components)
  end)

  it("finds the same as a walk from every cell", function()
    helper.rounds("check grid", 120, function(rng)
      local model = grid_reference.random(rng, { width = rng(1, 9), height = rng(1, 7),
        closed = rng:pick { 0.1, 0.3, 0.5 }, links = rng:pick { 0, 2, 6 } })
      local opts, view = random_agent(rng)
      opts.allow = random_allow(rng)
      compare_grid(grid_findings(model, view, set_of(opts.allow)), model.grid:check(opts))
      assert.same(model.grid:check(opts), model.grid:check(opts))
      for _ = 1, 5 do
        model:set(rng(model.width), rng(model.height), grid_reference.random_value(rng, model.value_opts))
        grid_reference.random_wall(rng, model)
      end
      compare_grid(grid_findings(model, view, set_of(opts.allow)), model.grid:check(opts))
    end)
  end)

  it("winds through a grid of 400 x 250 cells", function()
    local grid = wend.grid(400, 250)
    for y = 2, 249, 2 do
      grid:fill(1, y, 400, y, false)
      grid:set(y % 4 == 0 and 1 or 400, y, 1)
    end
    local found = grid:check()
    assert.equal(true, found.connected)
    local function onward(_, _, _, x1, y1, x2, y2)
      if y2 < y1 or y1 == y2 and (x2 < x1) == (y1 % 4 == 1) then return false end
    end
    found = grid:check { cost = onward }
    assert.truthy(#found.components > 40000)
    assert.same({ 1, 1 }, found.sources)
  end)
end)

-- Errors and callbacks ---------------------------------------------------------------------------------------------

for _, kind in ipairs { "graph", "grid" } do
  describe("what " .. kind .. ":check is given", function()
    local function level()
      if kind == "graph" then return (draw { "A B C", "A-B 1 road", "B-C 1", "A>C 1" }) end
      return wend.parse_grid({ ".~.", ".#." }, { ["~"] = "road" })
    end
    local map
    before_each(function() map = level() end)

    it("must be options that it knows", function()
      raises("unknown option 'tags' (expected one of: allow, costs, agent, cost, at_least, size, influence, walls, "
        .. "too_close, too_far)", map.check, map, { tags = {} })
      for _, value in ipairs { 5, "road", true, print } do
        local ok, message = pcall(map.check, map, { allow = value })
        assert.equal(false, ok)
        assert.truthy(message:find("allow must be a list of tags, got ", 1, true), message)
      end
      raises("allow must be a list of tags, got the key 'road'", map.check, map, { allow = { road = true } })
      raises("allow[1] must be a tag, got 5", map.check, map, { allow = { 5 } })
      raises("allow[2] must be a tag, got a table", map.check, map, { allow = { "road", {} } })
      raises("cost must be a function, got 5", map.check, map, { cost = 5 })
      local ok, message = pcall(map.check, map, { cost = print, at_least = -1 })
      assert.equal(false, ok)
      assert.truthy(message:find("at_least must be", 1, true), message)
    end)

    it("goes on without a rule that fails, where somebody wants to know", function()
      local costs, told = wend.costs { road = 2 }, {}
      local count = 0
      costs:edge_rule("broken", function()
        count = count + 1
        if count > 1 then error("boo", 0) end
        return false
      end)
      costs.on_error = function(name, message) told[#told + 1] = name .. ": " .. message end
      assert.same(level():check(), map:check { costs = costs })
      assert.same({ "broken: boo" }, told)
    end)

    it("may check and search in turn", function()
      local wanted = map:check()
      local depth = 0
      local function nested(_, cost)
        if depth < 3 then
          depth = depth + 1
          assert.same(wanted, map:check { cost = nested })
          if kind == "graph" then map:path(1, 3) else map:path(1, 1, 3, 1) end
          depth = depth - 1
        end
        return cost
      end
      assert.same(wanted, map:check { cost = nested })
    end)

    it("is asked about each tag once, and about each way that can be taken", function()
      local tags, steps = 0, {}
      local costs = wend.costs { road = function()
        tags = tags + 1
        return 1
      end }
      map:check { costs = costs, cost = function(agent, cost, _, ...)
        assert.equal("hero", agent)
        assert.truthy(cost >= 0 and cost < HUGE)
        local place = { ... }
        steps[#steps + 1] = table.concat(place, " ", 1, kind == "graph" and 3 or 4)
      end, agent = "hero" }
      assert.equal(1, tags)
      if kind == "graph" then
        table.sort(steps)
        assert.same({ "1 2 1", "1 3 3", "2 1 1", "2 3 2", "3 2 2" }, steps)
      else
        assert.truthy(#steps > 0)
      end
    end)
  end)
end

-- Positions ----------------------------------------------------------------------------------------------------------

describe("graph:check with walls, too_close and too_far", function()
  it("finds edges through walls, nodes that are too close, and what is too far", function()
    local g = wend.graph()
    g:add_node(0, 0, { name = "gate" })
    g:add_node(10, 0)
    g:add_node(10, 1)
    g:add_node(50, 0, { name = "keep" })
    g:add_node()
    g:add_edges { 1, 2, 2, 3, 3, 4 }
    g:add_edge(1, 5, { weight = 1 })
    g:add_edge(1, 3, { tag = "jump" })
    local walls = wend.walls()
    walls:add_segment(5, -1, 5, 9)
    local found = g:check { walls = walls, too_close = 2, too_far = 20 }
    assert.same({
      { edge = 1, from = 1, to = 2, cause = "wall", message = "edge 1 from 'gate' (1) to 2 passes through a wall" },
      { edge = 5, from = 1, to = 3, cause = "wall", message = "edge 5 from 'gate' (1) to 3 passes through a wall" },
    }, found.walls)
    assert.same({ { a = 2, b = 3, distance = 1, message = "nodes 2 and 3 are too close: 1" } }, found.too_close)
    assert.equal(2, #found.too_far)
    local edge, node = found.too_far[1], found.too_far[2]
    assert.same({ 3, 3, 4, "edge 3 from 3 to 'keep' (4) is too long: 40.01249804748" },
      { edge.edge, edge.from, edge.to, (edge.message:gsub("(48)%d*$", "%1")) })
    assert.same({ 4, 2, 40, "node 'keep' (4) is too far from all others: the nearest is 2, at 40" },
      { node.node, node.nearest, node.distance, node.message })
    local jumper = g:check { walls = walls, costs = wend.costs { jump = false } }
    assert.equal(1, #jumper.walls)
    assert.is_nil(jumper.too_close)
    assert.is_nil(jumper.too_far)
    local plain = g:check()
    assert.is_nil(plain.walls)
    found.walls, found.too_close, found.too_far = nil, nil, nil
    assert.same(plain, found)
  end)

  it("examines what is closed too, and does not count equal distances", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0 }
    g:add_edges { 1, 2, 2, 3 }
    g:close(2):close_edge(1)
    local found = g:check { walls = function() return false end, too_close = 10, too_far = 10 }
    assert.same({ 2, 0, 0 }, { #found.walls, #found.too_close, #found.too_far })
    found = g:check { too_close = 10.5, too_far = 9.5 }
    assert.same({ 2, 5 }, { #found.too_close, #found.too_far })
  end)

  it("has nothing to say about a graph without positions, or with one node", function()
    local g = wend.graph()
    local asked = { walls = function() return false end, too_close = 1, too_far = 1 }
    for _ = 1, 3 do
      local found = g:check(asked)
      assert.same({ 0, 0, 0 }, { #found.walls, #found.too_close, #found.too_far })
      g:add_edge(g:add_node(), g:add_node(), { weight = 1 })
    end
    g:add_node(5, 5)
    assert.equal(0, #g:check(asked).too_far)
  end)

  it("finds what a walk over all nodes and edges finds", function()
    helper.rounds("spacing", 60, function(rng)
      local three = rng:chance(0.3)
      local g = wend.graph { dimensions = three and 3 or 2 }
      local count, points = rng(1, 40), {}
      for i = 1, count do
        local point = { rng(0, 20), rng(0, 20), three and rng(0, 5) or nil }
        points[i] = rng:chance(0.9) and point or false
        if points[i] then g:add_node({ x = point[1], y = point[2], z = point[3] }) else g:add_node() end
      end
      local edges = {}
      for i = 1, rng(0, 60) do
        edges[i] = { rng(count), rng(count) }
        g:add_edge(edges[i][1], edges[i][2], { weight = 1 })
      end
      local close, far = rng(1, 8), rng(1, 12)
      local function distance(a, b)
        local sum = 0
        for i = 1, #points[a] do sum = sum + (points[a][i] - points[b][i]) ^ 2 end
        return math.sqrt(sum)
      end
      local function clear(x1, y1, z1, x2) -- in two dimensions z1 is x2
        return (x1 > 10) == ((three and x2 or z1) > 10) and y1 >= 0
      end
      local expected, got = {}, {}
      for a = 1, count do
        local nearest = math.huge
        for b = 1, count do
          if a ~= b and points[a] and points[b] then
            local d = distance(a, b)
            nearest = math.min(nearest, d)
            if a < b and d < close then expected[#expected + 1] = ("close %d %d %.6f"):format(a, b, d) end
          end
        end
        if nearest > far and nearest < math.huge then expected[#expected + 1] = ("node %d %.6f"):format(a, nearest) end
      end
      for i, edge in ipairs(edges) do
        local a, b = points[edge[1]], points[edge[2]]
        if a and b then
          local d = distance(edge[1], edge[2])
          if d > far then expected[#expected + 1] = ("edge %d %.6f"):format(i, d) end
          if (a[1] > 10) ~= (b[1] > 10) then expected[#expected + 1] = ("wall %d"):format(i) end
        end
      end
      local found = g:check { walls = clear, too_close = close, too_far = far }
      for _, one in ipairs(found.walls) do got[#got + 1] = ("wall %d"):format(one.edge) end
      for _, one in ipairs(found.too_close) do
        got[#got + 1] = ("close %d %d %.6f"):format(one.a, one.b, one.distance)
      end
      for _, one in ipairs(found.too_far) do
        got[#got + 1] = one.edge and ("edge %d %.6f"):format(one.edge, one.distance)
          or ("node %d %.6f"):format(one.node, one.distance)
        if one.node then assert.is_true(math.abs(distance(one.node, one.nearest) - one.distance) < 1e-9) end
      end
      table.sort(expected)
      table.sort(got)
      assert.same(expected, got)
    end)
  end)

  it("raises for wrong values, and passes on the errors of a function", function()
    local g, grid = wend.graph(), wend.grid(2, 2)
    g:add_nodes { 0, 0, 1, 1 }
    g:add_edge(1, 2)
    raises("walls must be a function, walls or a grid, got 5", g.check, g, { walls = 5 })
    for text, value in pairs { ["0"] = 0, ["-1"] = -1, ["nan"] = NAN, ["inf"] = HUGE, ["'1'"] = "1" } do
      raises("too_close must be a finite number > 0, got " .. text, g.check, g, { too_close = value })
      raises("too_far must be a finite number > 0, got " .. text, g.check, g, { too_far = value })
    end
    for option, value in pairs { walls = wend.walls(), too_close = 1, too_far = 1 } do
      raises(option .. " is an option of graphs: the cells of a grid have fixed positions", grid.check, grid,
        { [option] = value })
    end
    raises("mist", g.check, g, { walls = function() error("mist", 0) end })
    raises("the graph is being searched: change it when the search is over", g.check, g,
      { walls = function() g:add_node(1, 1) end })
    local gone = wend.grid(2, 2)
    debug.getmetatable(gone).__gc(gone)
    raises("clear: the grid is gone", g.check, g, { walls = gone })
  end)
end)

-- Real maps --------------------------------------------------------------------------------------------------------

-- What the READMEs beside the maps say: components, nodes of the largest, sinks, sources, isolated.
local MAPS = {
  { foreign.waypoints, "waypoints/redeclipse/abuse.wpt", 10, 720, 1, 0, 0 },
  { foreign.waypoints, "waypoints/redeclipse/castle.wpt", 1, 1027, 0, 0, 0 },
  { foreign.waypoints, "waypoints/redeclipse/center.wpt", 31, 7978, 2, 1, 0 },
  { foreign.waypoints, "waypoints/redeclipse/darkness.wpt", 9, 1551, 1, 3, 0 },
  { foreign.waypoints, "waypoints/redeclipse/deathtrap.wpt", 37, 2621, 0, 20, 0 },
  { foreign.waypoints, "waypoints/redeclipse/disco.wpt", 1, 128, 0, 0, 0 },
  { foreign.waypoints, "waypoints/redeclipse/erosion.wpt", 38, 2392, 6, 6, 4 },
  { foreign.waypoints, "waypoints/redeclipse/mist.wpt", 9, 2062, 1, 0, 1 },
  { foreign.waypoints, "waypoints/redeclipse/oneiroi.wpt", 6, 5329, 0, 1, 0 },
  { foreign.waypoints, "waypoints/redeclipse/panic.wpt", 1, 1211, 0, 0, 0 },
  { foreign.waypoints, "waypoints/redeclipse/processing.wpt", 2, 902, 0, 1, 0 },
  { foreign.waypoints, "waypoints/redeclipse/singularity.wpt", 1, 157, 0, 0, 0 },
  { foreign.waypoints, "waypoints/redeclipse/spacetech.wpt", 46, 1156, 3, 4, 9 },
  { foreign.waypoints, "waypoints/redeclipse/vault.wpt", 1, 764, 0, 0, 0 },
  { foreign.waypoints, "waypoints/redeclipse/vorticity.wpt", 225, 2580, 11, 22, 4 },
  { foreign.waypoints, "waypoints/cube2/colos.wpt", 1, 806, 0, 0, 0 },
  { foreign.waypoints, "waypoints/cube2/md2.wpt", 2, 635, 0, 0, 1 },
  { foreign.waypoints, "waypoints/cube2/two_towers.wpt", 18, 1323, 1, 1, 8 },
  { helper.nexuiz, "waypoints/nexuiz/accident.waypoints", 3, 306, 0, 0, 0 },
  { helper.nexuiz, "waypoints/nexuiz/desertfactory.waypoints", 4, 78, 0, 1, 0 },
  { helper.nexuiz, "waypoints/nexuiz/skyway.waypoints", 9, 77, 0, 4, 0 },
  { helper.nexuiz, "waypoints/nexuiz/toxic.waypoints", 30, 73, 0, 3, 10 },
  { helper.nexuiz, "waypoints/nexuiz/warfare.waypoints", 3, 109, 1, 1, 0 },
  { foreign.roads, "graphs/andorra.gr.gz", 48, 16490, 5, 8 },
  { foreign.roads, "graphs/campo-grande.gr.gz", 107, 13927, 8, 9 },
  { foreign.roads, "graphs/porto.gr.gz", 704, 6737, 49, 46 },
}

describe("the check of a real map", function()
  for _, map in ipairs(MAPS) do
    it(map[2] .. " finds what is in its README #slow", function()
      local file = helper.data(map[2])
      if not file then return pending "the folder of real maps is not here" end
      local g = assert(map[1](file))
      local found, all = g:check(), 0
      assert.same({ map[3], map[4], map[5], map[6], map[7] or #found.isolated },
        { #found.components, #found.components[1], #found.sinks, #found.sources, #found.isolated })
      assert.equal(map[3] == 1, found.connected)
      for _, members in ipairs(found.components) do all = all + #members end
      assert.equal(g:node_count(), all)
      for _, trap in ipairs(found.traps) do -- nothing leads out of it, and what leads in comes from elsewhere
        local inside = set_of(trap.nodes)
        for _, n in ipairs(trap.nodes) do
          for _, to in g:edges(n) do assert.equal(true, inside[to]) end
        end
        assert.truthy(#trap.entries > 0)
        for _, id in ipairs(trap.entries) do
          local edge = g:edge(id)
          assert.same({ false, true }, { inside[edge.from] or false, inside[edge.to] or false })
        end
      end
    end)
  end
end)
