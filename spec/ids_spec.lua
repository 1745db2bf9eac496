-- SPDX-License-Identifier: MIT
-- Ids that are never given out again, and memory that stays flat while nodes and edges come and go.
local helper = require "spec.helper"
local reference = require "spec.reference"
local wend = require "wend"

local function bytes(g)
  local nodes, edges = g:bytes()
  return nodes + edges
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

  it("are never given out twice: nodes, one by one", function()
    local g, seen, alive = wend.graph(), {}, {}
    local rng = helper.rng "node ids"
    for _ = 1, 20000 do
      if #alive > 50 or #alive > 0 and rng:chance(0.4) then
        local i = rng(#alive)
        g:remove_node(alive[i])
        alive[i] = alive[#alive]
        alive[#alive] = nil
      else
        local n = g:add_node(0, 0)
        assert.equal(nil, seen[n])
        seen[n] = true
        alive[#alive + 1] = n
      end
    end
    for n in g:nodes() do seen[n] = nil end
    for n in pairs(seen) do assert.equal(false, g:has(n)) end
  end)

  it("are never given out twice: edges, one by one and in bulk", function()
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

  it("are consecutive in bulk, also where removed ones left gaps of every size", function()
    local g, alive, seen = wend.graph(), {}, {}
    local rng = helper.rng "bulk ids"
    for _ = 1, 2000 do
      local count, points = rng(9), {}
      for i = 1, 2 * count do points[i] = rng(100) end
      local first, last = g:add_nodes(points)
      assert.equal(count, last - first + 1)
      for i = 1, count do
        local n = first + i - 1
        assert.equal(nil, seen[n])
        assert.same({ points[2 * i - 1], points[2 * i] }, { g:position(n) })
        seen[n], alive[#alive + 1] = true, n
      end
      while #alive > 30 do g:remove_node(table.remove(alive, rng(#alive))) end
    end
  end)

  it("are found for every count, however the removed ones lie", function()
    helper.rounds("vacant", 200, function(rng)
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

  it("stays flat over 200,000 edges that come and go one by one #slow", function()
    local g, alive, at = wend.graph(), {}, 0
    for i = 1, 20 do g:add_node(i, i * i) end
    local rng = helper.rng "edge churn"
    flat(g, function()
      at = at % 100 + 1
      if alive[at] then g:remove_edge(alive[at]) end
      alive[at] = g:add_edge(rng(20), rng(20),
        { weight = rng() * 100, tag = rng:pick { "a", "b" }, directed = rng:chance(0.5) })
    end)
    assert.equal(100, g:edge_count())
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

  it("goes back to about nothing when everything is removed", function()
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
    -- the generations of 6,000 nodes and 3,000 edges stay: no id may come twice
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
