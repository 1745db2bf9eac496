-- SPDX-License-Identifier: MIT
-- why_not on random small maps, against all sets of up to three obstacles: each is opened by edits, and a path is
-- searched. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local HUGE = math.huge
local MOST = 3 -- the largest sets that are tried

-- All obstacles count the same.
local EQUAL = { closed = 1, solid = 1, wall = 1, tag = 1, one_way = 1, rule = 1 }

-- Calls try() with all sets of `size` candidates open, from the candidate `first` on.
local function each_set(candidates, size, first, try)
  if size == 0 then return try() end
  for i = first, #candidates - size + 1 do
    local close = candidates[i]()
    each_set(candidates, size - 1, i + 1, try)
    close()
  end
end

-- The size of the smallest sets that make a path, and the least cost of those paths. nil: more than MOST.
local function smallest(candidates, find)
  for size = 0, MOST do
    local least
    each_set(candidates, size, 1, function()
      local path = find()
      if path then least = math.min(least or HUGE, path.cost) end
    end)
    if least then return size, least end
  end
end

-- All causes of an obstacle: a set of strings.
local function causes_of(obstacle)
  local set = { [obstacle.cause] = true }
  for _, more in ipairs(obstacle.also or {}) do set[more.cause] = true end
  return set
end

-- Counts what the rounds have seen, so that no case is missing without notice.
local function counter()
  local seen = {}
  return seen, function(report)
    for _, obstacle in ipairs(report.obstacles) do
      for cause in pairs(causes_of(obstacle)) do seen[cause] = (seen[cause] or 0) + 1 end
    end
  end
end

-- A profile that closes some tags, and a rule that closes some edges or steps but those in `exempt`.
local function closing_costs(rng, exempt, key_of)
  local opts = {}
  if rng:chance(0.7) then
    local closed = rng:chance(0.5) and false or function() return false end
    opts.costs = wend.costs { lava = closed, swamp = { times = 2, plus = 1 } }
    if rng:chance(0.3) then opts.costs:rule("flood", "swamp", function() return false end) end
    local a, b = rng(1, 9), rng(2, 5)
    if rng:chance(0.5) then
      local tags = rng:chance(0.5) and { "swamp", "road" } or nil
      opts.costs:edge_rule("night", function(_, _, _, ...)
        if not exempt[key_of(...)] and key_of(...) * a % b == 0 then return false end
      end, { tags = tags, at_least = rng:pick { 0, 1 } })
    end
  end
  if rng:chance(0.3) then
    local a = rng(2, 6)
    opts.cost = function(_, cost, _, ...)
      if not exempt[key_of(...)] and key_of(...) % a == 0 then return false end
      return cost
    end
    if rng:chance(0.5) then opts.at_least = 1 end
  end
  return opts
end

local function closed_tag(opts, tag)
  return tag and opts.costs and (tag == "lava" or tag == "swamp" and #opts.costs:rules() > 0
    and opts.costs:rules()[1].name == "flood")
end

describe("why_not on random graphs", function()
  -- What opens an edge altogether: it costs its price, or its weight if its tag is closed.
  local function edge_opener(g, edge, opts, exempt)
    return function()
      local reverse
      if edge.closed then g:open_edge(edge.id) end
      if closed_tag(opts, edge.tag) then g:set_tag(edge.id, nil) end
      exempt[edge.id] = true
      if edge.directed then
        reverse = g:add_edge(edge.to, edge.from,
          { weight = edge.weight, directed = true, tag = not closed_tag(opts, edge.tag) and edge.tag or nil })
        exempt[reverse] = true
      end
      return function()
        if reverse then g:remove_edge(reverse) end
        if edge.closed then g:close_edge(edge.id) end
        g:set_tag(edge.id, edge.tag)
        exempt[edge.id] = nil
      end
    end
  end

  it("finds a smallest set, on the cheapest path", function()
    local seen, count = counter()
    local unconnected = 0
    helper.rounds("why, graphs", 300, function(rng)
      local g, model = helper.random_graph(rng, { nodes = rng(2, 7), edges = rng(1, 8), closed_nodes = 0.25,
        closed_edges = 0.3, directed = 0.6, loops = 0.05, tags = { "lava", "swamp", "road" }, dimensions = 0 })
      local exempt = {}
      local opts = closing_costs(rng, exempt, function(_, _, edge) return edge end)
      local from, to = rng:pick(model.nodes), rng:pick(model.nodes)
      if rng:chance(0.2) then to = { to, rng:pick(model.nodes) } end
      local function find() return (g:path(from, to, opts)) end
      local report, message = g:why_not(from, to, grid_reference.with(opts, { obstacles = EQUAL }))
      assert.is_nil(message)
      assert.equal(find() == nil, report ~= nil)
      if not report then return end
      count(report)
      local candidates = {}
      for _, node in ipairs(model.nodes) do
        if model.closed[node] then
          candidates[#candidates + 1] = function()
            g:open(node)
            return function() g:close(node) end
          end
        end
      end
      for _, edge in ipairs(model.edges) do candidates[#candidates + 1] = edge_opener(g, edge, opts, exempt) end
      local size, least = smallest(candidates, find)
      assert.is_nil(find())
      if report.obstacles[1].cause == "no_edge" then
        unconnected = unconnected + 1
        assert.is_nil(size)
        assert.equal(1, #report.obstacles)
        return
      elseif not size then
        assert.is_true(#report.obstacles > MOST)
      else
        assert.equal(size, #report.obstacles)
        assert.is_true(math.abs(least - report.cost) < 1e-9, ("cost %s, not %s"):format(report.cost, least))
      end
      for _, obstacle in ipairs(report.obstacles) do -- open just what the report says
        local causes = causes_of(obstacle)
        if obstacle.node then
          g:open(obstacle.node)
        else
          local edge = g:edge(obstacle.edge)
          if causes.closed then g:open_edge(obstacle.edge) end
          if causes.tag then g:set_tag(obstacle.edge, nil) end
          if causes.rule then exempt[obstacle.edge] = true end
          if causes.one_way then
            local tag = not causes.tag and edge.tag or nil
            local back = g:add_edge(obstacle.from, obstacle.to, { weight = edge.weight, tag = tag, directed = true })
            exempt[back] = exempt[obstacle.edge]
            if causes.closed then assert.is_false(g:edge(back).closed) end
            if not causes.rule then exempt[back] = true end -- its id is another, and so is what the rule says
          end
        end
      end
      assert.is_not_nil(find())
    end)
    if helper.all_rounds() then
      for _, cause in ipairs { "closed", "tag", "rule", "one_way", "no_edge" } do
        assert.is_true((seen[cause] or 0) > 3, cause)
      end
      assert.is_true(unconnected > 3)
    end
  end)

  it("counts what the start reaches, and what reaches the goal", function()
    helper.rounds("why, counts", 200, function(rng)
      local g, model = helper.random_graph(rng, { nodes = rng(2, 12), closed_nodes = 0.3, directed = 0.7 })
      local from, to = rng:pick(model.nodes), rng:pick(model.nodes)
      local report = g:why_not(from, to)
      if not report then return end
      local reached, reaching = 0, 0
      for _, node in ipairs(model.nodes) do
        if g:path(from, node) then reached = reached + 1 end
        if node == to or not model.closed[node] and g:path(node, to) then reaching = reaching + 1 end
      end
      assert.same({ reached, reaching }, { report.reached, report.reaching })
    end)
  end)

  it("finds where the parts of a graph come nearest", function()
    helper.rounds("why, parts", 200, function(rng)
      local g, model = helper.random_graph(rng, { nodes = rng(2, 25), edges = rng(0, 20), dimensions = rng(2, 3) })
      local from, to = rng:pick(model.nodes), rng:pick(model.nodes)
      local report = g:why_not(from, to)
      local gap = report and report.obstacles[1]
      if not gap or gap.cause ~= "no_edge" then return end
      local part = {}
      local function spread(node, number)
        if part[node] then return end
        part[node] = number
        for _, edge in ipairs(model.edges) do
          if edge.from == node then spread(edge.to, number) end
          if edge.to == node then spread(edge.from, number) end
        end
      end
      spread(from, 1)
      spread(to, 2)
      local least = HUGE
      for a in pairs(part) do
        for b in pairs(part) do
          if part[a] == 1 and part[b] == 2 then
            least = math.min(least, helper.length(model.position[a], model.position[b]))
          end
        end
      end
      assert.same({ 1, 2 }, { part[gap.from], part[gap.to] })
      assert.equal(least, helper.length(model.position[gap.from], model.position[gap.to]))
    end)
  end)
end)

describe("why_not on random grids", function()
  it("finds a smallest set", function()
    local seen, count = counter()
    helper.rounds("why, grids", 400, function(rng)
      local model = grid_reference.model(rng(2, 4), rng(2, 3), rng:pick(grid_reference.POLICIES),
        rng:pick(grid_reference.LENGTHS))
      local grid, width, height = model.grid, model.width, model.height
      local exempt = {}
      local function key(x1, y1, x2, y2) return model:cell(x1, y1) * 100 + model:cell(x2, y2) end
      local opts = closing_costs(rng, exempt, key)
      local function any() return rng(width), rng(height) end
      for y = 1, height do
        for x = 1, width do
          local tag = rng:chance(0.4) and rng:pick { "lava", "swamp", "road" } or nil
          model:set(x, y, { weight = rng(1, 3), tag = tag, closed = rng:chance(0.35) })
        end
      end
      local walls = {}
      for _ = 1, rng:pick { 0, 0, 3, 5 } do
        local x, y = any()
        local to_x, to_y = x + rng(-1, 1), y + rng(-1, 1)
        if model:inside(to_x, to_y) and (x ~= to_x or y ~= to_y) then
          if not model:has_wall(x, y, to_x, to_y) and not model:has_wall(to_x, to_y, x, y) then
            walls[#walls + 1] = { x, y, to_x, to_y, { directed = rng:chance(0.3) } }
            model:wall(x, y, to_x, to_y, true, walls[#walls][5].directed)
          end
        end
      end
      local links = {}
      for _ = 1, rng:pick { 0, 2, 8 } do
        local x, y = any()
        local to_x, to_y = any()
        local tag = rng:chance(0.6) and rng:pick { "lava", "road" } or nil
        local a, b = model:cell(x, y), model:cell(to_x, to_y)
        -- Not between neighbours: a rule could not tell the link from the step.
        if not model.links[a][b] and not model.links[b][a] and math.max(math.abs(x - to_x), math.abs(y - to_y)) > 1 then
          model:link(x, y, to_x, to_y, { weight = rng(1, 3), tag = tag, directed = rng:chance(0.8) })
          links[#links + 1] = { x, y, to_x, to_y }
        end
      end
      local x1, y1 = any()
      local x2, y2 = any()
      local function find() return (grid:path(x1, y1, x2, y2, opts)) end
      local report, message = grid:why_not(x1, y1, x2, y2, grid_reference.with(opts, { obstacles = EQUAL }))
      assert.is_nil(message)
      assert.equal(find() == nil, report ~= nil)
      if not report then return end
      count(report)

      local candidates = {}
      local function candidate(open, close) -- all that can be closed
        candidates[#candidates + 1] = function()
          open()
          return close
        end
      end
      local function exempt_step(a, b, on) exempt[a * 100 + b] = on end
      local function exempt_cell(cell, on) -- all steps onto it, but no links
        local x, y = model:at(cell)
        grid_reference.cells(model, function(to_x, to_y, other)
          if math.max(math.abs(x - to_x), math.abs(y - to_y)) == 1 then exempt_step(other, cell, on) end
        end)
      end
      for cell = 1, width * height do
        local x, y = model:at(cell)
        local kept, tag = model.kept[cell], model.tag[cell]
        if not model.weight[cell] or closed_tag(opts, tag) then
          candidate(function()
            grid:set(x, y, { weight = kept, tag = not closed_tag(opts, tag) and tag or nil })
            exempt_cell(cell, true)
          end, function()
            grid:set(x, y, { weight = kept, tag = tag, closed = not model.weight[cell] })
            exempt_cell(cell, nil)
          end)
        elseif opts.cost or opts.costs and #opts.costs:rules() > 0 then
          for dy = -1, 1 do
            for dx = -1, 1 do
              if (dx ~= 0 or dy ~= 0) and model:inside(x + dx, y + dy) then
                local other = model:cell(x + dx, y + dy)
                candidate(function() exempt_step(other, cell, true) end, function() exempt_step(other, cell, nil) end)
              end
            end
          end
        end
      end
      for _, wall in ipairs(walls) do
        local a, b, c, d, how = wall[1], wall[2], wall[3], wall[4], wall[5]
        candidate(function() grid:wall(a, b, c, d, false) end, function() grid:wall(a, b, c, d, true, how) end)
      end
      for _, one in ipairs(links) do
        local a, b, c, d = one[1], one[2], one[3], one[4]
        local from, to = model:cell(a, b), model:cell(c, d)
        local link = model.links[from][to]
        candidate(function()
          grid:link(a, b, c, d, { weight = link.weight })
          exempt_step(from, to, true)
          exempt_step(to, from, true)
        end, function()
          grid:unlink(a, b, c, d)
          grid:link(a, b, c, d, { weight = link.weight, tag = link.tag, directed = not model.links[to][from] })
          exempt_step(from, to, nil)
          exempt_step(to, from, nil)
        end)
      end
      if #candidates <= 40 then
        local size = smallest(candidates, find)
        assert.is_nil(find())
        -- A function may close the steps round a corner, but not the diagonal: opening the corner can need one less.
        local stepwise = grid:diagonals() ~= "never" and (opts.cost or opts.costs and #opts.costs:rules() > 0)
        if not size then assert.is_true(#report.obstacles > MOST)
        elseif stepwise then assert.is_true(size <= #report.obstacles)
        else assert.equal(size, #report.obstacles) end
      end

      for _, obstacle in ipairs(report.obstacles) do
        local causes, x, y, to_x, to_y = causes_of(obstacle), obstacle.x, obstacle.y, obstacle.to_x, obstacle.to_y
        if causes.wall then
          grid:wall(x, y, to_x, to_y, false)
        elseif obstacle.link then
          local a, b = model:cell(x, y), model:cell(to_x, to_y)
          local link = model.links[a][b] or model.links[b][a]
          if causes.rule then exempt[key(x, y, to_x, to_y)] = true end
          grid:link(x, y, to_x, to_y, { weight = link.weight, tag = not causes.tag and link.tag or nil })
        elseif to_x then
          assert.is_true(causes.rule)
          exempt[key(x, y, to_x, to_y)] = true
        else
          local cell = model:cell(x, y)
          local tag = not causes.tag and model.tag[cell] or nil
          grid:set(x, y, { weight = model.kept[cell], tag = tag,
            closed = not causes.closed and not model.weight[cell] })
          if causes.rule then exempt_cell(cell, true) end
        end
      end
      assert.is_not_nil(find())
    end)
    if helper.all_rounds() then
      for _, cause in ipairs { "closed", "tag", "rule", "wall" } do
        assert.is_true((seen[cause] or 0) > 3, cause)
      end
    end
  end)
end)

describe("the option obstacles of why_not", function()
  it("says what each kind of obstacle counts", function()
    helper.rounds("why, counts", 300, function(rng)
      local width, height = rng(2, 7), rng(2, 6)
      local grid = wend.grid(width, height, { diagonals = "never" })
      local counts = { closed = rng(1, 5), solid = rng(1, 100), wall = rng(1, 5), tag = rng:pick { 1, 3 } }
      if rng:chance(0.2) then counts = nil end
      local of = counts or { closed = 1, solid = 2, wall = 2, tag = 1 }
      local costs = wend.costs { lava = false }
      for y = 1, height do
        for x = 1, width do
          local tag = rng:chance(0.4) and rng:pick { "lava", "road" } or nil
          grid:set(x, y, { weight = rng(1, 3), tag = tag, closed = rng:chance(0.35) })
          if x > 1 and rng:chance(0.3) then grid:wall(x, y, x - 1, y, true, { directed = rng:chance(0.3) }) end
          if y > 1 and rng:chance(0.3) then grid:wall(x, y, x, y - 1) end
        end
      end
      local walled = {}
      for x1, y1, x2, y2, directed in grid:walls() do
        walled[x1 .. " " .. y1 .. " " .. x2 .. " " .. y2] = true
        if not directed then walled[x2 .. " " .. y2 .. " " .. x1 .. " " .. y1] = true end
      end
      local function onto(x, y) -- what the cell counts
        local weight, tag = grid:get(x, y)
        local closed = weight and 0 or tag and of.closed or of.solid
        return math.max(closed, tag == "lava" and of.tag or 0)
      end
      local x1, y1, x2, y2 = rng(width), rng(height), rng(width), rng(height)
      local least, changed = { [x1 + 100 * y1] = 0 }, true
      while changed do
        changed = false
        for y = 1, height do
          for x = 1, width do
            for _, d in ipairs { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } do
              local from, to_x, to_y = least[x + 100 * y], x + d[1], y + d[2]
              if from and grid:has(to_x, to_y) then
                local wall = walled[x .. " " .. y .. " " .. to_x .. " " .. to_y] and of.wall or 0
                local sum, to = from + onto(to_x, to_y) + wall, to_x + 100 * to_y
                if sum < (least[to] or HUGE) then least[to], changed = sum, true end
              end
            end
          end
        end
      end
      local report = grid:why_not(x1, y1, x2, y2, { costs = costs, obstacles = counts })
      local sum = 0
      for _, one in ipairs(report and report.obstacles or {}) do
        sum = sum + (one.cause == "wall" and of.wall or onto(one.x, one.y))
      end
      assert.equal(least[x2 + 100 * y2], sum)
      assert.equal(report == nil, sum == 0)
    end)
  end)
end)
