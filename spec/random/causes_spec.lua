-- SPDX-License-Identifier: MIT
-- Single steps of agents with a size, with tags that only a function opens: what explain, why_not and check say of them
-- is what the plain model says, which paths agree with. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local HUGE = math.huge
local near = reference.near
local TAGS = { "road", "lava", "gate", "swamp" }

-- Agents ------------------------------------------------------------------------------------------------------------

-- Options, and how the agent then sees the world: `lava` and perhaps `swamp` are closed. Functions close steps and,
-- without a promise, open closed ones. They leave alone what `exempt` has by number; key_of(...): those of a step.
local function random_agent(rng, exempt, key_of)
  local opts, values, edges = { size = rng(4) }, {}, {}
  if rng:chance(0.85) then
    values = { lava = false, gate = { 2, 1 }, swamp = rng:chance(0.4) and { 0.5, 3 } or nil }
    if rng:chance(0.3) then values.swamp = false end
    opts.costs = wend.costs { lava = false, gate = { times = 2, plus = 1 },
      swamp = values.swamp and { times = 0.5, plus = 3 } or values.swamp }
  end
  local function fn()
    local a, b, promise = rng(1, 9), rng(2, 4), rng:pick { 0, 0, 1 }
    local function ask(_, cost, _, ...)
      local step, place = key_of(...)
      if exempt[step] or exempt[place] then return cost < HUGE and cost or 1 end
      local kind = step * a % 7 % b
      if cost == HUGE then return promise == 0 and kind == 0 and 3 or false end
      return kind ~= 1 and cost
    end
    return ask, promise
  end
  if opts.costs and rng:chance(0.6) then
    local ask, promise = fn()
    local only = rng:chance(0.5) and rng:pick(TAGS)
    opts.costs:edge_rule("night", ask, { tags = only and { only } or nil, at_least = promise })
    edges[1] = { ask, only, promise }
  end
  if rng:chance(0.3) then
    local ask, promise = fn()
    opts.cost, opts.at_least = ask, promise > 0 and promise or nil
    edges[#edges + 1] = { ask, false, promise }
  end
  local view = { size = opts.size }
  function view.tag(tag)
    local value = values[tag]
    if value == false then return HUGE, 0 end
    return value and value[1] or 1, value and value[2] or 0
  end
  if #edges > 0 then
    function view.may_open(tag)
      for _, edge in ipairs(edges) do
        if (not edge[2] or edge[2] == tag) and edge[3] == 0 then return true end
      end
    end
    -- node_tag: of graphs; the rule applies to either tag.
    function view.edge(cost, tag, a, b, c, d)
      local node_tag = nil
      if type(d) == "string" then node_tag = d end
      for _, edge in ipairs(edges) do
        local applies = not edge[2] or edge[2] == tag or edge[2] == node_tag
        if applies and not (cost == HUGE and edge[3] > 0) then cost = edge[1](nil, cost, tag, a, b, c, d) or HUGE end
      end
      return cost
    end
  end
  return opts, view
end

local function causes_of(obstacle)
  local set = { [obstacle.cause] = true }
  for _, more in ipairs(obstacle.also or {}) do set[more.cause] = true end
  return set
end

-- Grids -------------------------------------------------------------------------------------------------------------

local function random_grid(rng)
  local model = grid_reference.model(rng(2, 7), rng(2, 6), rng:pick(grid_reference.POLICIES),
    rng:pick(grid_reference.LENGTHS))
  local closed, tagged = rng:pick { 0, 0.05, 0.2 }, rng:pick { 0.1, 0.3, 0.7 }
  grid_reference.cells(model, function(x, y)
    model:set(x, y, { weight = rng(1, 3), closed = rng:chance(closed),
      tag = rng:chance(tagged) and rng:pick(TAGS) or nil })
  end)
  for _ = 1, rng:pick { 0, 2, 6, 20 } do grid_reference.random_wall(rng, model) end
  for _ = 1, rng:pick { 0, 2, 5 } do
    local x1, y1, a = grid_reference.any(rng, model)
    local x2, y2, b = grid_reference.any(rng, model)
    -- Not between neighbours: a function could not tell the link from the step.
    if math.max(math.abs(x1 - x2), math.abs(y1 - y2)) > 1 and not model.links[a][b] and not model.links[b][a] then
      model:link(x1, y1, x2, y2, { weight = rng(1, 4), tag = rng:chance(0.6) and rng:pick(TAGS) or nil,
        directed = rng:chance(0.7) })
    end
  end
  return model
end

-- Calls fn(x, y) for each cell that the agent covers at a cell, also outside.
local function covered(size, x, y, fn)
  local first = -math.floor((size - 1) / 2)
  for dy = first, first + size - 1 do
    for dx = first, first + size - 1 do fn(x + dx, y + dy) end
  end
end

-- What closes the step of an agent to a neighbour, by cause: true, or a set of the cells that it is true of.
local function facts_of(model, view, x1, y1, x2, y2)
  local facts = { closed = {}, tag = {}, rule = {} }
  local straight, dx, dy = x1 == x2 or y1 == y2, x2 - x1, y2 - y1
  if not straight and model.diagonals == "never" then facts.no_edge = true end
  local inside = {}
  covered(view.size, x2, y2, function(x, y)
    if not model:inside(x, y) then facts.outside = true return end
    local cell = model:cell(x, y)
    inside[cell] = true
    if not model.weight[cell] then facts.closed[cell] = true end
    local times, plus = view.tag(model.tag[cell])
    local weight = (straight and 1 or model.diagonal_length) * model.kept[cell]
    local price = times == HUGE and HUGE or weight * times + plus
    local from_x, from_y = x - dx, y - dy
    if not model:inside(from_x, from_y) then from_x, from_y = x1, y1 end
    local cost = view.edge and view.edge(price, model.tag[cell], from_x, from_y, x, y) or price
    if price == HUGE and cost == HUGE then facts.tag[cell] = true end
    if facts.tag[cell] and not (view.may_open and view.may_open(model.tag[cell])) then facts.hard = true end
    if price < HUGE and cost == HUGE then facts.rule[cell] = true end
  end)
  for cell in pairs(inside) do
    local x, y = model:at(cell)
    for _, d in ipairs { { 1, 0 }, { 0, 1 }, { 1, 1 }, { -1, 1 } } do
      if model:inside(x + d[1], y + d[2]) and inside[model:cell(x + d[1], y + d[2])]
        and model:is_parted(x, y, x + d[1], y + d[2]) then facts.wall = true end
    end
  end
  if view.size == 1 and model:has_wall(x1, y1, x2, y2) then facts.wall = true end
  if view.size > 1 and model:is_shut(view.size, x1, y1, x2, y2) then facts.wall = true end
  if view.size > 1 and not straight and model:crosses(view.size, x1, y1, x2, y2) then facts.wall = true end
  if not straight and not facts.no_edge then
    local function free(x, y)
      if view.size == 1 and model.diagonals == "always" then
        return not model:has_wall(x1, y1, x, y) and not model:has_wall(x, y, x2, y2)
      end
      if view.size == 1 and (model:has_wall(x1, y1, x, y) or model:has_wall(x, y, x2, y2)) then
        facts.beside = true
        return false
      end
      if view.size > 1 and (model:wall_round(view.size, x, y, { x1, y1 }, { x2, y2 })
        or model:is_shut(view.size, x1, y1, x, y) or model:is_shut(view.size, x, y, x2, y2)) then
        facts.beside = true
        return false
      end
      if model.diagonals == "always" then return true end
      return model:step(view, x1, y1, x, y) < HUGE and (next(facts.rule) or model:step(view, x, y, x2, y2) < HUGE)
    end
    local one, other = free(x2, y1), free(x1, y2)
    if not (one and other or model.diagonals ~= "both_open" and (one or other)) then
      facts.corner = true
      facts.beside = facts.beside or model.diagonals == "always" -- a wall on the way round it
    end
  end
  return facts
end

-- The causes in the order in which one of them is named. A tag that a function could open
-- may come later.
local ORDER = { "no_edge", "outside", "closed", "tag", "wall", "corner", "rule" }

local function check_steps(model, opts, view)
  grid_reference.cells(model, function(x1, y1)
    for dy = -1, 1 do
      for dx = -1, 1 do
        local x2, y2 = x1 + dx, y1 + dy
        if (dx ~= 0 or dy ~= 0) and model:inside(x2, y2) then
          local cost = model:step(view, x1, y1, x2, y2)
          local step = model.grid:explain({ x1, y1, x2, y2 }, opts)[1]
          near(cost, step.cost)
          if cost < HUGE then
            assert.is_nil(step.cause)
          else
            local facts = facts_of(model, view, x1, y1, x2, y2)
            local cell = step.covered_x and model:cell(step.covered_x, step.covered_y) or model:cell(x2, y2)
            local fact = facts[step.cause] or step.cause == "wall" and facts.corner and facts.beside
            local text = ("%d,%d to %d,%d size %d: %s"):format(x1, y1, x2, y2, view.size, tostring(step.cause))
            assert.truthy(fact == true or fact and fact[cell], text)
            for _, cause in ipairs(ORDER) do -- the first one that is true
              if cause == step.cause then break end
              local true_too = facts[cause] == true or facts[cause] and next(facts[cause])
              if cause == "tag" then true_too = facts.hard end
              assert.falsy(true_too, text .. ", but also " .. cause)
            end
          end
        end
      end
    end
  end)
  for from, links in pairs(model.links) do
    for to, link in pairs(links) do
      local x1, y1 = model:at(from)
      local x2, y2 = model:at(to)
      local least = HUGE
      local list = model:arcs(view)[from]
      for i = 1, #list, 2 do
        if list[i] == to then least = math.min(least, list[i + 1]) end
      end
      local step = model.grid:explain({ x1, y1, x2, y2 }, opts)[1]
      near(least, step.cost)
      assert.equal(least < HUGE, step.cause == nil, tostring(step.cause) .. " " .. tostring(link.tag))
    end
  end
end

-- The components, as a map from the cell to the first cell of its component; nil: the cell takes no part.
local function components(model, view)
  local arcs, part, queue = model:arcs(view), {}, {}
  local may = {}
  grid_reference.cells(model, function(x, y, cell)
    if not (view.size == 1 and model.weight[cell] or view.size > 1 and model:room(view.size, x, y)) then return end
    local sure = true
    covered(view.size, x, y, function(x1, y1)
      local tag = model.tag[model:cell(x1, y1)]
      if view.tag(tag) == HUGE then sure = false end
    end)
    may[cell] = true
    if sure then
      part[cell] = true
      queue[#queue + 1] = cell
    end
  end)
  while #queue > 0 do
    local list = arcs[table.remove(queue)]
    for i = 1, #list, 2 do
      if may[list[i]] and not part[list[i]] then
        part[list[i]] = true
        queue[#queue + 1] = list[i]
      end
    end
  end
  for from, list in pairs(arcs) do
    local kept = {}
    for i = 1, #list, 2 do
      if part[from] and part[list[i]] then kept[#kept + 1], kept[#kept + 2] = list[i], list[i + 1] end
    end
    arcs[from] = kept
  end
  local reach, first = {}, {}
  for cell in pairs(part) do reach[cell] = grid_reference.spread(arcs, { [cell] = 0 }) end
  for cell in pairs(part) do
    first[cell] = cell
    for other in pairs(part) do
      if other < first[cell] and reach[cell][other] and reach[other][cell] then first[cell] = other end
    end
  end
  return first
end

local function check_components(model, opts, view)
  local wanted, got = components(model, view), {}
  for _, nodes in ipairs(model.grid:check(opts).components) do
    local least
    for i = 1, #nodes, 2 do least = math.min(least or HUGE, model:cell(nodes[i], nodes[i + 1])) end
    for i = 1, #nodes, 2 do got[model:cell(nodes[i], nodes[i + 1])] = least end
  end
  assert.same(wanted, got)
end

-- Opens all obstacles of a report. False: one cannot be opened.
local function open_all(model, report, exempt)
  for _, obstacle in ipairs(report.obstacles) do
    local causes, x, y, to_x, to_y = causes_of(obstacle), obstacle.x, obstacle.y, obstacle.to_x, obstacle.to_y
    if causes.outside or causes.no_edge then return false end
    if causes.wall then
      assert.is_true(model:has_wall(x, y, to_x, to_y))
      model:wall(x, y, to_x, to_y, false)
    elseif obstacle.link then
      local a, b = model:cell(x, y), model:cell(to_x, to_y)
      local link = model.links[a][b] or model.links[b][a]
      exempt[a * 1000 + b] = true
      model:link(x, y, to_x, to_y, { weight = link.weight })
    elseif to_x then
      assert.is_true(causes.rule)
      exempt[model:cell(x, y) * 1000 + model:cell(to_x, to_y)] = true
    else
      local cell = model:cell(x, y)
      if causes.closed then assert.is_false(model.weight[cell]) end
      if causes.tag then assert.truthy(model.tag[cell]) end
      exempt[-cell] = true
      model:set(x, y, { weight = model.kept[cell], tag = not causes.tag and model.tag[cell] or nil })
    end
  end
  return true
end

describe("steps of agents with a size on random grids", function()
  it("cost what explain says, which names a true cause, the first one, and check agrees", function()
    helper.rounds("causes of steps", 40, function(rng)
      local model = random_grid(rng)
      local opts, view = random_agent(rng, {}, function(x1, y1, x2, y2)
        return model:cell(x1, y1) * 1000 + model:cell(x2, y2), -model:cell(x2, y2)
      end)
      check_steps(model, opts, view)
      check_components(model, opts, view)
    end)
  end)

  it("are open when the obstacles that why_not names are", function()
    local seen = {}
    helper.rounds("obstacles of steps", 300, function(rng)
      local model, exempt = random_grid(rng), {}
      local opts, view = random_agent(rng, exempt, function(x1, y1, x2, y2)
        return model:cell(x1, y1) * 1000 + model:cell(x2, y2), -model:cell(x2, y2)
      end)
      local x1, y1, from = grid_reference.any(rng, model)
      local x2, y2, to = grid_reference.any(rng, model)
      local wanted = grid_reference.spread(model:arcs(view), { [from] = 0 })[to]
      local report, message = model.grid:why_not(x1, y1, x2, y2, opts)
      assert.is_nil(message)
      assert.equal(wanted ~= nil, report == nil)
      if not report then return end
      for _, obstacle in ipairs(report.obstacles) do
        for cause in pairs(causes_of(obstacle)) do seen[cause] = (seen[cause] or 0) + 1 end
      end
      if open_all(model, report, exempt) then assert(model.grid:path(x1, y1, x2, y2, opts), tostring(report)) end
    end)
    if helper.all_rounds() then
      for _, cause in ipairs { "closed", "tag", "rule", "wall", "outside" } do
        assert.is_true((seen[cause] or 0) > 3, cause)
      end
    end
  end)
end)

-- Graphs ------------------------------------------------------------------------------------------------------------

local function random_graph(rng)
  local graph = wend.graph()
  local model = { graph = graph, count = rng(2, 6), tag = {}, closed = {}, edges = {} }
  for node = 1, model.count do
    model.tag[node] = rng:chance(0.5) and rng:pick(TAGS) or nil
    graph:add_node { tag = model.tag[node] }
  end
  for id = 1, rng(model.count * 2) do
    local edge = { from = rng(model.count), to = rng(model.count), weight = rng(4), directed = rng:chance(0.4),
      tag = rng:chance(0.5) and rng:pick(TAGS) or nil, width = rng:chance(0.4) and rng(3) or nil,
      closed = rng:chance(0.15) }
    local opts = { weight = edge.weight, tag = edge.tag, directed = edge.directed, width = edge.width }
    assert.equal(id, graph:add_edge(edge.from, edge.to, opts))
    if edge.closed then graph:close_edge(id) end
    model.edges[id] = edge
  end
  for node = 1, model.count do
    model.closed[node] = rng:chance(0.15)
    if model.closed[node] then graph:close(node) end
  end
  return model
end

-- The cost of an edge, and what closes it, by cause.
local function along(model, view, id, from, to)
  local edge, facts = model.edges[id], {}
  local price = edge.weight
  for _, tag in ipairs { edge.tag or false, model.tag[to] or false } do
    local times, plus = view.tag(tag)
    price = (times == HUGE or price == HUGE) and HUGE or price * times + plus
  end
  local cost = view.edge and view.edge(price, edge.tag, from, to, id, model.tag[to]) or price
  facts.closed = edge.closed or model.closed[to]
  facts.one_way = edge.from ~= from or edge.directed and edge.to ~= to
  if edge.from == to and edge.to == from and not edge.directed then facts.one_way = false end
  facts.width = edge.width and edge.width < view.size
  facts.tag = price == HUGE and cost == HUGE
  facts.rule = price < HUGE and cost == HUGE
  if facts.closed or facts.one_way or facts.width then cost = HUGE end
  return cost, facts
end

local function graph_arcs(model, view)
  local arcs = {}
  for node = 1, model.count do arcs[node] = {} end
  for id, edge in ipairs(model.edges) do
    for _, ends in ipairs { { edge.from, edge.to }, { edge.to, edge.from } } do
      local cost = along(model, view, id, ends[1], ends[2])
      local list = arcs[ends[1]]
      if cost < HUGE then list[#list + 1], list[#list + 2] = ends[2], cost end
    end
  end
  return arcs
end

local function graph_agent(rng, exempt)
  return random_agent(rng, exempt, function(from, to, edge) return from * 1000 + 20 * to + edge, -to end)
end

describe("steps of agents with a size on random graphs", function()
  it("cost what explain says, which names a true cause, and check agrees", function()
    helper.rounds("causes of edges", 200, function(rng)
      local model = random_graph(rng)
      local opts, view = graph_agent(rng, {})
      for from = 1, model.count do
        for to = 1, model.count do
          local least, any, causes = HUGE, false, {}
          for id, edge in ipairs(model.edges) do
            local joins = edge.from == from and edge.to == to or edge.to == from and edge.from == to
            if joins then
              local cost, facts = along(model, view, id, from, to)
              least, any = math.min(least, cost), true
              for cause, holds in pairs(facts) do causes[cause] = causes[cause] or holds end
            end
          end
          local step = model.graph:explain({ from, to }, opts)[1]
          near(least, step.cost)
          if least < HUGE then assert.is_nil(step.cause)
          elseif not any then assert.equal("no_edge", step.cause)
          else
            assert.truthy(causes[step.cause], step.cause)
            local _, facts = along(model, view, step.edge, from, to)
            assert.truthy(facts[step.cause], step.cause)
          end
        end
      end
      -- Components: nodes that are open, or that a function opens for a step from one of these.
      local arcs, part, queue = graph_arcs(model, view), {}, {}
      for node = 1, model.count do
        if not model.closed[node] and view.tag(model.tag[node]) < HUGE then
          part[node] = true
          queue[#queue + 1] = node
        end
      end
      while #queue > 0 do
        local list = arcs[table.remove(queue)]
        for i = 1, #list, 2 do
          if not part[list[i]] then
            part[list[i]] = true
            queue[#queue + 1] = list[i]
          end
        end
      end
      for node = 1, model.count do
        if not part[node] then arcs[node] = {} end
      end
      local got = {}
      for number, nodes in ipairs(model.graph:check(opts).components) do
        for _, node in ipairs(nodes) do got[node] = number end
      end
      for a = 1, model.count do
        assert.equal(part[a] ~= nil, got[a] ~= nil)
        for b = 1, model.count do
          if part[a] and part[b] then
            local both = grid_reference.spread(arcs, { [a] = 0 })[b] and grid_reference.spread(arcs, { [b] = 0 })[a]
            assert.equal(both ~= nil, got[a] == got[b])
          end
        end
      end
    end)
  end)

  it("are open when the obstacles that why_not names are", function()
    helper.rounds("obstacles of edges", 300, function(rng)
      local model, exempt = random_graph(rng), {}
      local opts, view = graph_agent(rng, exempt)
      local from, to, graph = rng(model.count), rng(model.count), model.graph
      local wanted = grid_reference.spread(graph_arcs(model, view), { [from] = 0 })[to]
      local report, message = graph:why_not(from, to, opts)
      assert.is_nil(message)
      assert.equal(wanted ~= nil, report == nil)
      if not report or report.obstacles[1].cause == "no_edge" then return end
      for _, obstacle in ipairs(report.obstacles) do
        local causes, node, id = causes_of(obstacle), obstacle.node, obstacle.edge
        if node then
          if causes.closed then assert.is_true(model.closed[node]) end
          if causes.tag then assert.equal(HUGE, (view.tag(model.tag[node]))) end
          graph:open(node)
          if causes.tag then graph:set_node_tag(node, nil) end
          if causes.rule then exempt[-node] = true end
        else
          local edge = model.edges[id]
          if causes.closed then assert.is_true(edge.closed) end
          if causes.tag then assert.equal(HUGE, (view.tag(edge.tag))) end
          graph:open_edge(id)
          graph:set_width(id, nil)
          if causes.tag then graph:set_tag(id, nil) end
          exempt[obstacle.from * 1000 + 20 * obstacle.to + id] = true
          if causes.one_way then
            assert.is_true(edge.directed)
            exempt[obstacle.from * 1000 + 20 * obstacle.to + #model.edges + 1] = true
            local back = graph:add_edge(edge.to, edge.from,
              { weight = edge.weight, tag = not causes.tag and edge.tag or nil })
            exempt[obstacle.from * 1000 + 20 * obstacle.to + back] = true
          end
        end
      end
      assert(graph:path(from, to, opts), tostring(report))
    end)
  end)
end)
