-- SPDX-License-Identifier: MIT
-- Random small graphs and random costs against the plainest solver there is. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local show, with = reference.show, grid_reference.with

local HEURISTICS = grid_reference.HEURISTICS

local function sliced(g, from, to, opts)
  local search = g:search(from, to, opts)
  while search:step(1) == "running" do end
  return search:result()
end

-- Every way of asking for one path. Calls check(path or nil) for each.
local function each_way(g, from, to, opts, check)
  for _, heuristic in ipairs(HEURISTICS) do
    check(g:path(from, to, with(opts, { heuristic = heuristic })), heuristic)
  end
  check(g:path(from, to, with(opts, { algorithm = "dijkstra" })), "dijkstra")
  check(sliced(g, from, to, opts), "sliced")
  check(sliced(g, from, to, with(opts, { algorithm = "dijkstra" })), "sliced, dijkstra")
end

local function compare(g, model, rng, opts, cost)
  local from = rng:pick(model.nodes)
  local distance = helper.solve(model, from, cost)
  for _ = 1, 3 do
    local to = rng:chance(0.7) and rng:pick(model.nodes) or { rng:pick(model.nodes), rng:pick(model.nodes) }
    local expected = helper.least(distance, to)
    each_way(g, from, to, opts, function(path, how)
      if expected then
        assert.truthy(path, how)
        reference.near(expected, path.cost, how)
        reference.walk(g, path, from, to)
      else
        assert.equal(nil, path, how)
      end
    end)
  end
end

describe("random graphs", function()
  it("have paths that cost the same as the plain solver's, for every algorithm, heuristic and agent #slow", function()
    helper.rounds("costs", 500, function(rng)
      local g, model = helper.random_graph(rng)
      compare(g, model, rng, reference.random_costs(rng))
    end)
  end)

  it("have paths of the fewest edges among the cheapest, by Dijkstra's algorithm #slow", function()
    helper.rounds("edges", 400, function(rng)
      local g, model = helper.random_graph(rng, {
        dimensions = rng:pick { 0, 2 }, whole = true, given = 1, zero = rng:pick { 0, 0.2, 0.6 }, nodes = rng(2, 30),
        edges = rng(10, 90),
      })
      for _, edge in ipairs(model.edges) do -- more ties
        if rng:chance(0.8) and edge.weight > 0 then
          edge.weight = rng(1, 3)
          g:set_weight(edge.id, edge.weight)
        end
      end
      local opts, cost = {}, nil
      if rng:chance(0.5) then opts, cost = reference.random_costs(rng, { whole = true }) end
      local halves = opts.costs or opts.cost -- quarters and halves are exact too
      local from = rng:pick(model.nodes)
      local distance, hops = helper.solve(model, from, cost)
      for _, to in ipairs(model.nodes) do
        for how, path in pairs {
          whole = g:path(from, to, with(opts, { algorithm = "dijkstra" })) or false,
          sliced = sliced(g, from, to, with(opts, { algorithm = "dijkstra" })) or false,
        } do
          if distance[to] then
            assert.equal(distance[to], path.cost, how .. (halves and ", costs" or ""))
            assert.equal(hops[to], #path - 1, how)
          else
            assert.equal(false, path, how)
          end
        end
      end
    end)
  end)
end)

describe("weights of every size", function()
  it("give paths that cost the same as the plain solver's #slow", function()
    local SIZES = {
      { 0, 1e-300, 1 }, { 1e-20, 1, 1e15 }, { 0, 1e-9, 1e9, 1 }, { 5e-324, 1e-310, 1e-300 },
      { 1e290, 1e300, 1e-300, 0 },
      { 1, 1 + 2 ^ -52, 2 }, { 0 }, { 1, 100, 1e4, 1e6 }, { 1e-200, 3e-200, 1e200 }, { 0.1, 0.2, 0.3, 0.6 },
    }
    helper.rounds("sizes", 300, function(rng)
      local g, model = helper.random_graph(rng, {
        nodes = rng(2, 40), edges = rng(20, 150), dimensions = rng:pick { 0, 2, 3 },
      })
      local sizes = rng:pick(SIZES)
      for _, edge in ipairs(model.edges) do
        edge.weight = rng:pick(sizes) * (rng:chance(0.5) and rng(1, 3) or 1)
        g:set_weight(edge.id, edge.weight)
      end
      if model.dimensions > 0 and rng:chance(0.3) then -- and places of every size
        local scale = rng:pick { 1e-150, 1e-5, 1e140 }
        for _, n in ipairs(model.nodes) do
          local at = model.position[n]
          g:move(n, at[1] * scale, at[2] * scale, at[3] and at[3] * scale)
        end
      end
      compare(g, model, rng, {})
    end)
  end)
end)

describe("searches that have to correct themselves again and again", function()
  local function compare_all(g, from, opts)
    local distance = reference.distances(reference.arcs(g), from)
    for to = 1, g:node_count(), 97 do
      opts.algorithm = nil
      local path = g:path(from, to, opts)
      assert.equal(distance[to] == nil, path == nil)
      if path then
        reference.near(distance[to], path.cost)
        reference.walk(g, path, from, to)
        assert.equal(show(path), show(sliced(g, from, to, opts)))
        if not opts.heuristic then
          reference.near(distance[to], g:path(from, to, { algorithm = "dijkstra", cost = opts.cost }).cost)
        end
      end
    end
  end

  it("find the cheapest among edges that cost next to nothing #slow", function()
    helper.rounds("tiny", 20, function(rng)
      local g, count = wend.graph(), 800
      for _ = 1, count do g:add_node(rng() * 100, rng() * 100) end
      local tiny = rng:pick { 0, 1e-12, 1e-4, 0.05 }
      for _ = 1, 5 * count do
        g:add_edge(rng(count), rng(count), { directed = rng:chance(0.5),
          weight = rng:chance(0.45) and rng() * tiny or 1 + rng() })
      end
      compare_all(g, rng(count), {})
      compare_all(g, rng(count), { cost = function() end })
    end)
  end)
end)

describe("the history of a graph", function()
  -- The same edits on two graphs, with searches in between on one of them only.
  local function build(rng, searching)
    local g = wend.graph { dimensions = rng(2, 3) }
    local three = g:dimensions() == 3
    local alive, edges = {}, {}
    local function add()
      alive[#alive + 1] = g:add_node(rng(30), rng(30), three and rng(30) or nil)
    end
    for _ = 1, rng(2, 30) do add() end
    for _ = 1, rng(50, 300) do
      local what = rng(20)
      if what <= 3 then
        add()
      elseif what <= 11 then
        local e = g:add_edge(rng:pick(alive), rng:pick(alive), { directed = rng:chance(0.4),
          weight = rng:chance(0.6) and rng(0, 5) or nil, tag = rng:chance(0.3) and rng:pick { "road", "mud" } or nil })
        edges[#edges + 1] = e
      elseif what == 12 then
        local pairs = {}
        for i = 1, 2 * rng(90) do pairs[i] = rng:pick(alive) end
        local first, last = g:add_edges(pairs)
        for e = first, last do edges[#edges + 1] = e end
      elseif what == 13 and #alive > 2 then
        g:remove_node(table.remove(alive, rng(#alive)))
      elseif what <= 16 and #edges > 0 then
        local e = table.remove(edges, rng(#edges))
        if g:has_edge(e) then g:remove_edge(e) end
      elseif #edges > 0 then
        local e = rng:pick(edges)
        local n, weight, closed = rng:pick(alive), rng(0, 5), rng:chance(0.5)
        if g:has_edge(e) then
          if what == 17 then g:set_weight(e, weight) end
          if what == 18 then g:set_tag(e, closed and "road" or nil) end
        end
        if what == 19 then g:move(n, weight * 6, weight, three and 0 or nil) end
        if what == 20 then
          if closed then g:close(n) else g:open(n) end
        end
      end
      -- numbers are drawn in both
      local from, to, go = rng:pick(alive), rng:pick(alive), rng:chance(0.5)
      if searching and go then
        g:path(from, to)
        g:path(from, to, { algorithm = "dijkstra", costs = wend.costs { road = 0.5 } })
        g:edge_between(from, to)
      end
    end
    return g, alive
  end

  it("leaves no trace: searches between the edits change no path #slow", function()
    helper.rounds("history", 120, function(_, round)
      local quiet, alive = build(helper.rng("history", round), false)
      local busy, same = build(helper.rng("history", round), true)
      assert.same(alive, same)
      local rng = helper.rng("history pairs", round)
      local costs = wend.costs { road = 0.25, mud = { plus = 1 } }
      for _ = 1, 20 do
        local from, to = rng:pick(alive), rng:pick(alive)
        for _, opts in ipairs { {}, { algorithm = "dijkstra" }, { costs = costs }, { heuristic = "manhattan" } } do
          assert.equal(show(quiet:path(from, to, opts)), show(busy:path(from, to, opts)))
        end
        assert.same(reference.edges(quiet, from), reference.edges(busy, from))
      end
    end)
  end)

  it("leaves a graph that equals a new one, except for the ids", function()
    helper.rounds("again", 60, function(rng)
      local g, model = helper.random_graph(rng, { nodes = rng(3, 25), edges = rng(5, 90) })
      -- Some nodes are removed and come back, with their edges.
      local new, gone = {}, {}
      for _, n in ipairs(model.nodes) do
        new[n] = n
        if rng:chance(0.3) then
          gone[n] = true
          g:remove_node(n)
        end
      end
      if rng:chance(0.5) then g:path(g:nodes()(g) or g:add_node(), g:nodes()(g)) end
      for _, n in ipairs(model.nodes) do
        local at = model.position[n]
        if gone[n] then
          new[n] = g:add_node(at[1], at[2], at[3])
          if model.closed[n] then g:close(new[n]) end
        end
      end
      for _, edge in ipairs(model.edges) do
        if gone[edge.from] or gone[edge.to] then
          assert.equal(false, g:has_edge(edge.id))
          edge.id = g:add_edge(new[edge.from], new[edge.to], {
            weight = not edge.measured and edge.weight or nil, tag = edge.tag, directed = edge.directed,
          })
          if edge.closed then g:close_edge(edge.id) end
        end
        edge.from, edge.to = new[edge.from], new[edge.to]
      end
      local again = { dimensions = model.dimensions, nodes = {}, position = {}, closed = {}, edges = model.edges }
      for i, n in ipairs(model.nodes) do
        again.nodes[i] = new[n]
        again.position[new[n]], again.closed[new[n]] = model.position[n], model.closed[n]
      end
      local known = g:node_count()
      assert.truthy(known == #model.nodes or known == #model.nodes + 1)
      compare(g, again, rng, reference.random_costs(rng))
    end)
  end)
end)

describe("a graph under random edits", function()
  it("matches a plain table of nodes and edges", function()
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
        local list = reference.edges(g, n)
        table.sort(list, function(a, b) return a[1] < b[1] end)
        table.sort(leaving[n], function(a, b) return a[1] < b[1] end)
        assert.same(leaving[n], list)
      end
    end)
  end)
end)

-- Searches depend on this: a callback may ask its graph while the marks of a search refer to places in it. Removed
-- nodes leave about as many unused arcs as a graph may have before it is packed.
describe("two questions without an edit between them", function()
  it("find the same arrays", function()
    helper.rounds("arrays", 300, function(rng)
      local g, removed = wend.graph(), rng(12, 18)
      for _ = 1, removed + 6 do g:add_node(rng(100), rng(100)) end
      for i = 1, removed do g:add_edge(i, i % removed + 1) end
      for i = 1, removed do g:remove_node(i) end
      for _ = 1, 10 do
        for _ = 1, rng(3) do g:add_edge(removed + rng(6), removed + rng(6)) end
        g:path(removed + 1, removed + 2)
        local bytes = { g:bytes() }
        g:path(removed + 1, removed + 2)
        assert.same(bytes, { g:bytes() })
      end
    end)
  end)
end)
