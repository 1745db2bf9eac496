-- SPDX-License-Identifier: MIT
-- Random graphs with tags of nodes, widths of edges, one-way edges, closed nodes and edges, and rules, edited between
-- questions, under overlays, prepared, saved and loaded: every answer is that of the plainest Dijkstra over a model. A
-- failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local with, huge = grid_reference.with, math.huge

local function near(expected, value)
  if expected == nil or value == nil then return assert.equal(expected, value) end
  reference.near(expected, value)
end
local TAGS = { "road", "mud", "lava", "gate", "fog" }

local function keys(t)
  local list = {}
  for key in pairs(t) do list[#list + 1] = key end
  table.sort(list)
  return list
end

-- The model ---------------------------------------------------------------------------------------------------------

-- The cost of a step along an edge of the model, onto a node.
local function step_cost(model, agent, edge, from, to)
  if edge.closed or model.closed[to] or edge.width and agent.size and edge.width < agent.size then return huge end
  local cost = edge.weight
  for _, tag in ipairs { edge.tag or false, model.tags[to] or false } do
    local value = agent.values[tag]
    if value == false then cost = huge end
    if value and cost < huge then cost = cost * value.times + value.plus end
  end
  for _, rule in ipairs(agent.rules) do
    local applies = not rule.tags or rule.tags[edge.tag or 0] or rule.tags[model.tags[to] or 0]
    if applies and not (cost == huge and rule.at_least > 0) then
      cost = rule.fn(nil, cost, edge.tag, from, to, edge.id, model.tags[to]) or huge
    end
  end
  return cost
end

-- The arcs of a model by node, or with `back` those that lead there: { { to, cost }, ... }.
local function arcs_of(model, agent, back)
  local arcs = {}
  for node in pairs(model.nodes) do arcs[node] = {} end
  local function add(edge, from, to)
    local cost = step_cost(model, agent, edge, from, to)
    if cost == huge then return end
    if back then from, to = to, from end
    table.insert(arcs[from], { to, cost })
  end
  for _, edge in pairs(model.edges) do
    add(edge, edge.from, edge.to)
    if not edge.directed then add(edge, edge.to, edge.from) end
  end
  return arcs
end

local function solve(model, agent, from, back)
  local arcs, costs, done = arcs_of(model, agent, back), { [from] = 0 }, {}
  while true do
    local best
    for node, cost in pairs(costs) do
      if not done[node] and (not best or cost < costs[best]) then best = node end
    end
    if not best then return costs end
    done[best] = true
    for _, arc in ipairs(arcs[best]) do
      local cost = costs[best] + arc[2]
      if cost < (costs[arc[1]] or huge) then costs[arc[1]] = cost end
    end
  end
end

-- Maps, agents and edits --------------------------------------------------------------------------------------------

local function maybe(rng, share, value) return rng:chance(share) and value or nil end

local function add_edge(rng, map, model)
  local edge = {
    from = rng(model.count), to = rng(model.count), weight = rng:pick { 0, 1, 2.5, rng() * 20 },
    tag = maybe(rng, 0.4, rng:pick(TAGS)), directed = rng:chance(0.3), width = maybe(rng, model.widths, rng(4)),
  }
  if not (model.nodes[edge.from] and model.nodes[edge.to]) then return end
  local measured = model.placed and rng:chance(0.6)
  edge.id = map:add_edge(edge.from, edge.to, {
    weight = not measured and edge.weight or nil, tag = edge.tag, directed = edge.directed,
    width = edge.width,
  })
  edge.weight = map:edge(edge.id).weight
  model.edges[edge.id] = edge
end

local function random_map(rng)
  local map = wend.graph()
  local model = { nodes = {}, tags = {}, closed = {}, edges = {}, count = rng(2, 30), placed = rng:chance(0.8) }
  local share = rng:pick { 0, 0.1, 0.6, 1 }
  model.widths = rng:pick { 0, 0.2, 0.7 }
  for id = 1, model.count do
    local tag = maybe(rng, share, rng:pick(TAGS))
    model.nodes[id], model.tags[id] = true, tag
    if rng:chance(0.3) and model.placed then
      assert.equal(id, (map:add_nodes({ rng() * 40, rng() * 40 }, { tag = tag })))
    elseif model.placed then
      map:add_node(rng() * 40, rng() * 40, { tag = tag })
    else
      map:add_node { tag = tag }
    end
  end
  for _ = 1, rng(model.count * 3) do add_edge(rng, map, model) end
  return map, model
end

local function random_agent(rng)
  local agent = { values = {}, rules = {}, size = maybe(rng, 0.5, rng:pick { 0.5, 1, 2, 2.5, 3 }) }
  agent.opts = { size = agent.size }
  if rng:chance(0.15) then return agent end
  local costs = wend.costs()
  for _, tag in ipairs(TAGS) do
    local value = rng:pick { "none", false, { times = rng:pick { 0, 0.25, 0.5, 2, 3 }, plus = rng:pick { 0, 0, 4 } } }
    if value ~= "none" then
      agent.values[tag] = value
      costs:set(tag, value and rng:chance(0.3) and function() return value.times, value.plus end or value)
    end
  end
  for i = 1, rng:pick { 0, 0, 0, 1, 2 } do
    local rule = { at_least = rng:pick { 0, 0.5, 1 }, tags = maybe(rng, 0.7, { [rng:pick(TAGS)] = true }) }
    local salt = rng(5)
    function rule.fn(_, cost, tag, from, to, edge, node_tag)
      local kind = (from + 2 * to + edge + salt + (node_tag and #node_tag or 0) + (tag and #tag or 0)) % 7
      if kind == 0 then return nil end
      if cost == huge then return rule.at_least == 0 and kind < 3 and kind or huge end
      return kind == 1 and cost * math.max(rule.at_least, 0.25) or kind == 2 and cost * 2 or cost
    end
    local tags
    if rule.tags then tags = { (next(rule.tags)) } end
    costs:edge_rule("rule " .. i, function(...)
      local cost = rule.fn(...)
      if cost == nil then return false end
      return cost
    end, { at_least = rule.at_least, tags = tags })
    agent.rules[i] = rule
  end
  agent.opts.costs = costs
  return agent
end

-- Makes an edit of the map and of its model. in_overlay: one that overlays allow. Returns what an overlay has hidden.
local function edit(rng, map, model, in_overlay)
  local node, kind = rng(model.count), rng(in_overlay and 7 or 10)
  local edge = next(model.edges) and rng:pick(keys(model.edges))
  if kind <= 2 and model.nodes[node] then
    model.tags[node] = maybe(rng, 0.7, rng:pick(TAGS))
    map:set_node_tag(node, model.tags[node])
    assert.equal(model.tags[node], map:node_tag(node))
    return "nodes", node
  elseif kind == 3 and model.nodes[node] then
    model.closed[node] = rng:chance(0.5) or nil
    map[model.closed[node] and "close" or "open"](map, node)
    return "nodes", node
  elseif kind <= 4 and edge then
    model.edges[edge].closed = rng:chance(0.5)
    map[model.edges[edge].closed and "close_edge" or "open_edge"](map, edge)
    return "edges", edge
  elseif kind == 5 and edge then
    model.edges[edge].tag = maybe(rng, 0.7, rng:pick(TAGS))
    map:set_tag(edge, model.edges[edge].tag)
    return "edges", edge
  elseif kind == 6 and edge then
    model.edges[edge].weight = rng() * 20
    map:set_weight(edge, model.edges[edge].weight)
    return "edges", edge
  elseif kind == 7 and edge then
    model.edges[edge].width = maybe(rng, 0.7, rng(4))
    map:set_width(edge, model.edges[edge].width)
    assert.equal(model.edges[edge].width, map:edge(edge).width)
    return "edges", edge
  elseif kind == 8 then
    add_edge(rng, map, model)
  elseif kind == 9 and edge then
    map:remove_edge(edge)
    model.edges[edge] = nil
  elseif kind == 10 and model.nodes[node] and rng:chance(0.3) then
    map:remove_node(node)
    model.nodes[node], model.tags[node], model.closed[node] = nil, nil, nil
    for id, one in pairs(model.edges) do
      if one.from == node or one.to == node then model.edges[id] = nil end
    end
  end
end

-- Questions ---------------------------------------------------------------------------------------------------------

local function ends_of(rng, model)
  local nodes = keys(model.nodes)
  return rng:pick(nodes), rng:pick(nodes)
end

-- What a path costs now.
local function sum_of(model, agent, path)
  local sum = 0
  for i, id in ipairs(path:edges()) do
    sum = sum + step_cost(model, agent, model.edges[id], path[i], path[i + 1])
  end
  return sum
end

-- A path that is as cheap as it should be, and whose steps cost what they should.
local function check_path(model, agent, path, from, to, wanted)
  if not path then return assert.is_nil(wanted) end
  near(wanted, path.cost)
  assert.same({ from, to }, { path[1], path[#path] })
  near(path.cost, sum_of(model, agent, path))
  local steps, edges = path:explain(), path:edges()
  for i, step in ipairs(steps) do
    near(step_cost(model, agent, model.edges[edges[i]], path[i], path[i + 1]), step.cost)
    assert.equal(model.tags[path[i + 1]], step.node_tag)
  end
  assert.is_true(path:valid())
end

local function ask(rng, map, model, agent)
  local from, to = ends_of(rng, model)
  if not from then return end
  local wanted = solve(model, agent, from)
  local path = map:path(from, to, agent.opts)
  check_path(model, agent, path, from, to, wanted[to])
  assert.equal(wanted[to] ~= nil, (map:can_reach(from, to, agent.opts)))
  local out = map:field(from, with(agent.opts, { outward = true }))
  local back, behind = map:field(to, agent.opts), solve(model, agent, to, true)
  for node in pairs(model.nodes) do
    near(wanted[node], out:cost(node))
    near(behind[node], back:cost(node))
  end
  if behind[from] then near(behind[from], back:path(from).cost) end
  near(wanted[to], map:routes(agent.opts):cost(from, to))
  local report = map:why_not(from, to, agent.opts)
  assert.equal(wanted[to] == nil, report ~= nil)
  return path
end

-- A search in slices, with edits between them, ends with a path of the map as it was when it began.
local function ask_in_slices(rng, map, model, agent)
  local from, to = ends_of(rng, model)
  if not from then return end
  local wanted, search = solve(model, agent, from)[to], map:search(from, to, agent.opts)
  while search:step(rng(8)) == "running" do edit(rng, map, model, true) end
  near(wanted, (search:result() or {}).cost)
end

-- What an overlay is: the base, and what the overlay has changed itself.
local function overlaid(base, changes)
  local model = { nodes = base.nodes, tags = {}, closed = {}, edges = {}, count = base.count }
  for node in pairs(base.nodes) do
    local like = changes.nodes[node] or { base.tags[node], base.closed[node] }
    model.tags[node], model.closed[node] = like[1], like[2]
  end
  for id, edge in pairs(base.edges) do model.edges[id] = with(changes.edges[id] or edge, {}) end
  return model
end

describe("tags of nodes and widths of edges", function()
  it("cost what the plainest Dijkstra says", function()
    helper.rounds("bodies", 40, function(rng)
      local map, model = random_map(rng)
      local agents = { random_agent(rng), random_agent(rng) }
      if rng:chance(0.3) then map:prepare { costs = maybe(rng, 0.5, agents[1].opts.costs) } end
      for _ = 1, rng(12) do
        local agent = rng:pick(agents)
        local path = ask(rng, map, model, agent)
        if rng:chance(0.3) then ask_in_slices(rng, map, model, agent) end
        for _ = 1, rng(0, 3) do edit(rng, map, model) end
        if path and path:valid() then near(path.cost, sum_of(model, agent, path)) end
        if rng:chance(0.15) then
          local bytes = map:encode()
          map = wend.decode(bytes)
          assert.is_true(bytes == map:encode())
        elseif rng:chance(0.1) then
          map = map:copy()
        end
        for node in pairs(model.nodes) do assert.equal(model.tags[node], map:node_tag(node)) end
        for id, edge in pairs(model.edges) do assert.equal(edge.width, map:edge(id).width) end
      end
    end)
  end)

  it("follow the base of an overlay, but for what the overlay has changed", function()
    helper.rounds("overlays of bodies", 40, function(rng)
      local map, model = random_map(rng)
      local overlay, changes = map:overlay(), { nodes = {}, edges = {} }
      local agents = { random_agent(rng), random_agent(rng) }
      for _ = 1, rng(10) do
        local own
        for _ = 1, rng(0, 3) do edit(rng, map, model) end
        own = overlaid(model, changes)
        for _ = 1, rng(0, 2) do
          local what, id = edit(rng, overlay, own, true)
          if what == "nodes" then changes.nodes[id] = { own.tags[id], own.closed[id] } end
          if what == "edges" then changes.edges[id] = own.edges[id] end
        end
        if rng:chance(0.2) then
          local bytes = overlay:encode()
          overlay = assert(wend.decode(bytes, { map = map }))
          assert.is_true(bytes == overlay:encode())
        elseif rng:chance(0.2) then
          local node = rng(model.count)
          if model.nodes[node] then overlay:reset(node) changes.nodes[node] = nil end
          own = overlaid(model, changes)
        end
        ask(rng, overlay, own, rng:pick(agents))
        ask(rng, map, model, rng:pick(agents))
      end
    end)
  end)
end)
