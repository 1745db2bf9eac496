-- SPDX-License-Identifier: MIT
-- What the specs of graphs and paths measure the module against: lists made of iterators, a path walked edge by edge,
-- and a Dijkstra with a heap for maps that helper.solve is too slow for.

local assert = require "luassert"
local wend = require "wend"

local reference = {}

---The edges that leave a node: a list of { edge, neighbour, weight, tag }.
function reference.edges(g, n)
  local list = {}
  for edge, to, weight, tag in g:edges(n) do list[#list + 1] = { edge, to, weight, tag } end
  return list
end

---The nodes of a graph.
function reference.nodes(g)
  local list = {}
  for n in g:nodes() do list[#list + 1] = n end
  return list
end

---The edges of a graph.
function reference.edge_ids(g)
  local list = {}
  for e in g:edges() do list[#list + 1] = e end
  return list
end

---The nodes of a path in one string.
function reference.text(path) return table.concat(path, "-") end

---All that there is to a path, to the last bit: cost, nodes, edges; or the code of the failure.
function reference.show(path, _, code)
  if not path then return code end
  return ("%.17g: %s by %s%s"):format(path.cost, reference.text(path), reference.text(path:edges()),
    path.partial and ", partial" or "")
end

---Nodes named by the letters or words of the text, and edges "A-B 7" (both ways) or "A>B 7" (one way), in that order:
---  reference.draw { "A B C", "A-B 7", "B>C 2 swamp" }
---Without a weight an edge costs its length; positions: a table by name, or none.
function reference.draw(lines, positions)
  local g = wend.graph()
  for name in lines[1]:gmatch "%S+" do
    local at = positions and positions[name] or {}
    g:add_node(at[1], at[2], { name = name })
  end
  local edges = {}
  for i = 2, #lines do
    local from, way, to, rest = lines[i]:match "^(%w+)([->])(%w+)%s*(.*)$"
    local weight, tag = rest:match "^(%d*%.?%d*)%s*(%a*)$"
    edges[i - 1] = g:add_edge(from, to, {
      weight = tonumber(weight), tag = tag ~= "" and tag or nil, directed = way == ">",
    })
  end
  return g, edges
end

---A graph of `count` nodes at random in a square of side 1000, each joined to its nearest (opts.near, default 3):
---like a level. opts.tags: a list to draw from.
function reference.geometric(rng, count, opts)
  local g = wend.graph()
  local points, cells, size = {}, {}, 1000 / math.max(1, math.floor(math.sqrt(count / 2)))
  for i = 1, count do
    local x, y = rng() * 1000, rng() * 1000
    points[i] = { x, y, g:add_node(x, y) }
    local key = math.floor(x / size) .. " " .. math.floor(y / size)
    cells[key] = cells[key] or {}
    table.insert(cells[key], i)
  end
  local edges = {}
  for i, at in ipairs(points) do
    local near = {}
    for dx = -1, 1 do
      for dy = -1, 1 do
        for _, k in ipairs(cells[math.floor(at[1] / size) + dx .. " " .. math.floor(at[2] / size) + dy] or {}) do
          local other = points[k]
          if k ~= i then near[#near + 1] = { (other[1] - at[1]) ^ 2 + (other[2] - at[2]) ^ 2, k } end
        end
      end
    end
    table.sort(near, function(a, b) return a[1] < b[1] end)
    for k = 1, math.min(opts and opts.near or 3, #near) do
      local other = near[k][2]
      if not (edges[i .. " " .. other] or edges[other .. " " .. i]) then
        local tag = opts and opts.tags and rng:pick(opts.tags) or nil
        edges[i .. " " .. other] = g:add_edge(at[3], points[other][3], { tag = tag })
      end
    end
  end
  return g, points
end

---Asserts that a path can be walked edge by edge, from `from` to one of `goals`, and costs what its edges cost.
---`costs`: the options of explain, where they are not the path's own.
function reference.walk(g, path, from, goals, opts)
  assert.equal(from, path[1])
  local arrives = type(goals) ~= "table" and path[#path] == goals
  for _, goal in ipairs(type(goals) == "table" and goals or {}) do arrives = arrives or path[#path] == goal end
  assert.truthy(arrives, "the path does not end at a goal")
  local edges, explained, sum = path:edges(), path:explain(opts), 0
  assert.equal(#path - 1, #edges)
  assert.equal(#edges, #explained)
  for i, id in ipairs(edges) do
    local edge, step = g:edge(id), explained[i]
    local forth = edge.from == path[i] and edge.to == path[i + 1]
    local back = not edge.directed and edge.to == path[i] and edge.from == path[i + 1]
    assert.truthy(forth or back, "an edge that does not lead from one node to the next")
    assert.falsy(edge.closed, "a closed edge")
    assert.falsy(g:is_closed(path[i + 1]), "a closed node")
    assert.same({ id, path[i], path[i + 1], edge.weight }, { step.edge, step.from, step.to, step.weight })
    sum = sum + step.cost
  end
  assert.equal(path.cost, sum)
end

---Asserts that a number is what it should be but for rounding.
function reference.near(expected, value, message)
  if value ~= expected and not (math.abs(value - expected) <= 1e-9 * math.max(1, math.abs(expected))) then
    assert.equal(expected, value, message)
  end
end

---The open arcs of a graph by node, for reference.distances: { to, weight, to, weight, ... }.
function reference.arcs(g)
  local arcs = {}
  for n in g:nodes() do
    local list = {}
    for _, to, weight, _, _, closed in g:edges(n) do
      if not closed and not g:is_closed(to) then
        list[#list + 1] = to
        list[#list + 1] = weight
      end
    end
    arcs[n] = list
  end
  return arcs
end

---Dijkstra with a binary heap: the least cost of every node that can be reached.
function reference.distances(arcs, from)
  local best, keys, nodes, count = { [from] = 0 }, { 0 }, { from }, 1
  while count > 0 do
    local key, node = keys[1], nodes[1]
    local last_key, last_node = keys[count], nodes[count]
    count = count - 1
    local at = 1
    while 2 * at <= count do
      local child = 2 * at
      if child < count and keys[child + 1] < keys[child] then child = child + 1 end
      if keys[child] >= last_key then break end
      keys[at], nodes[at] = keys[child], nodes[child]
      at = child
    end
    keys[at], nodes[at] = last_key, last_node
    if key <= best[node] then
      local list = arcs[node]
      for i = 1, #list, 2 do
        local to, total = list[i], key + list[i + 1]
        if not best[to] or total < best[to] then
          best[to] = total
          count = count + 1
          local place = count
          while place > 1 do
            local parent = math.floor(place / 2)
            if keys[parent] <= total then break end
            keys[place], nodes[place] = keys[parent], nodes[parent]
            place = parent
          end
          keys[place], nodes[place] = total, to
        end
      end
    end
  end
  return best
end

--- A row of nodes one apart, with two-way edges: 1 - 2 - 3 - ...
function reference.row(count)
  local g = wend.graph()
  for i = 1, count do g:add_node(i, 0) end
  for i = 2, count do g:add_edge(i - 1, i) end
  return g
end

---The numbers of a route, without its fields.
function reference.flat(route)
  local list = {}
  for i = 1, #route do list[i] = route[i] end
  return list
end

-- Random costs -----------------------------------------------------------------------------------------------------

local HUGE = math.huge
local TAGS = { "road", "swamp", "toll", "lava", "rope" }
reference.TAGS = TAGS

-- What an agent pays for tags: the options, and view.tag(tag), which gives times and plus (times math.huge: closed).
local function random_values(rng, whole)
  local function share(list) return whole and rng(0, 3) or rng:pick(list) end
  local values, by_tag, agent = {}, {}, { boots = rng:chance(0.5) }
  for _, tag in ipairs(TAGS) do
    local kind, times, plus, price = rng(7), share { 0.1, 0.5, 1, 2, 7.3 }, 0, whole and rng(0, 9) or rng() * 10
    if kind == 1 then
      values[tag] = times
    elseif kind == 2 then
      values[tag], times = false, HUGE
    elseif kind == 3 then
      plus = price
      values[tag] = { times = times, plus = plus }
    elseif kind == 4 then
      local with = times
      values[tag] = function(who) return who.boots and with or nil end
      times = agent.boots and with or 1
    elseif kind == 5 then
      plus, times = price, 1
      values[tag] = function() return nil, price end
    elseif kind == 6 then
      values[tag] = function(who) return not who.boots and 3 end
      times = agent.boots and HUGE or 3
    else
      times = 1
    end
    by_tag[tag] = { times, plus }
  end
  local costs = wend.costs(values)
  if rng:chance(0.4) then
    local tag, factor = rng:pick(TAGS), share { 0, 0.3, 1.5 }
    costs:rule("more", tag, function(_, given) return given < HUGE and given * factor or nil end)
    if by_tag[tag][1] < HUGE then by_tag[tag][1] = by_tag[tag][1] * factor end
  end
  return { costs = costs, agent = agent }, { tag = function(tag) return by_tag[tag][1], by_tag[tag][2] end }
end

-- A function about edges, the same as a plain one, and what it promises. After the tag come two nodes and the edge, or
-- the four numbers of two cells. Without a promise it may open what the profile has closed.
local function edge_function(rng)
  local a, b, c = rng(1, 9), rng(1, 9), rng(3, 6)
  local least = rng:pick { 0, 0.25, 1 }
  local function pure(cost, tag, p, q, r, s)
    local kind = (p * a + q * b + (r or 0) + 2 * (s or 0)) % c
    if cost == HUGE then return least == 0 and kind == 0 and 3 or HUGE end
    if kind == 0 then return cost * (least > 0 and least or 0.5) end
    if kind == 1 then return cost + 2 end
    if kind == 2 and tag ~= "road" then return HUGE end
    return cost
  end
  local function asked(_, cost, tag, ...)
    local answer = pure(cost, tag, ...)
    if answer == HUGE then return false end
    if answer ~= cost then return answer end -- else nil: as it was
  end
  return asked, pure, least
end

---A random agent: the options of a search, and how the agent sees the world, as view.tag(tag), which gives times and
---plus, and view.edge(cost, tag, ...), what functions about edges make of a cost; math.huge: closed. Either may be
---missing. opts: plain: no functions about edges; whole: factors and prices are whole numbers.
function reference.random_agent(rng, opts)
  local options, view, edges = {}, {}, {}
  if rng:chance(0.6) then options, view = random_values(rng, opts and opts.whole) end
  if opts and opts.plain then return options, view end
  if options.costs and rng:chance(0.4) then
    local asked, pure, least = edge_function(rng)
    local only = rng:chance(0.5) and rng:pick(TAGS)
    options.costs:edge_rule("edges", asked, { at_least = least, tags = only and { only } or nil })
    edges[1] = function(cost, tag, ...)
      if only and tag ~= only then return cost end
      return pure(cost, tag, ...)
    end
  end
  if rng:chance(0.3) then
    local asked, pure, least = edge_function(rng)
    options.cost, options.at_least = asked, (least > 0 or rng:chance(0.5)) and least or nil
    edges[#edges + 1] = pure
  end
  if #edges > 0 then
    function view.edge(cost, tag, ...)
      for _, edge in ipairs(edges) do cost = edge(cost, tag, ...) end
      return cost
    end
  end
  return options, view
end

---The same for a graph: the options, and the costs as a function for helper.solve.
function reference.random_costs(rng, opts)
  local options, view = reference.random_agent(rng, opts)
  return options, function(edge, from, to)
    local cost, times, plus = edge.weight, 1, 0
    if edge.tag and view.tag then times, plus = view.tag(edge.tag) end
    cost = times == HUGE and HUGE or cost * times + plus
    return view.edge and view.edge(cost, edge.tag, from, to, edge.id) or cost
  end
end

-- Memory -----------------------------------------------------------------------------------------------------------

-- A number of kB that the system tells of this process; nil where it tells none.
local function status(name)
  local handle = io.open "/proc/self/status"
  if not handle then return nil end
  local kilobytes = tonumber(handle:read("*a"):match(name .. ":%s*(%d+)"))
  handle:close()
  return kilobytes
end

--- The memory of this process in kB; nil where the system does not tell.
function reference.resident() return status "VmRSS" end

--- The most memory that the process has had, in kB; 0 where the system does not tell.
function reference.peak() return status "VmHWM" or 0 end

return reference
