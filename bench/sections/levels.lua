-- SPDX-License-Identifier: MIT
-- Making and checking levels: g:link with and without walls, compared with a k-d tree in C; g:check.

local common, graphs, places = require "common", require "graphs", require "places"
local reference = require "wend_bench_reference_nearest"

-- ---- g:link -----------------------------------------------------------------------------------

-- Random walls between nodes that are about 10 apart.
local function random_walls(count, input)
  math.randomseed(graphs.seed)
  local list, side = {}, math.sqrt(100 * input.node_count)
  for _ = 1, count do
    local x, y, angle = side * math.random(), side * math.random(), 2 * math.pi * math.random()
    local long = 10 * (0.5 + math.random())
    table.move({ x, y, x + long * math.cos(angle), y + long * math.sin(angle) }, 1, 4, #list + 1, list)
  end
  local walls = require("wend").walls()
  for i = 1, #list, 4 do walls:add_segment(table.unpack(list, i, i + 3)) end
  return walls, reference.segments(2, list)
end

-- Raises unless the edges of a graph are those that the tree and the scan of walls find. Returns how many there are.
local function check_links(name, input, g, k, segments)
  local dimensions, points = input.dimensions, input.points
  local ids = places.points(input):answers(points, "tree", k + 1)
  local wanted, lines, keys = {}, {}, {}
  for node = 1, input.node_count do
    for i = 1, k + 1 do
      local other = ids[(node - 1) * (k + 1) + i]
      local low, high = math.min(node, other), math.max(node, other)
      local key = low << 32 | high
      if node ~= other and not wanted[key] then
        wanted[key], keys[#keys + 1] = true, key
        if segments then
          for _, each in ipairs { low, high } do
            table.move(points, dimensions * (each - 1) + 1, dimensions * each, #lines + 1, lines)
          end
        end
      end
    end
  end
  local count = #keys
  if segments then
    for i, free in ipairs(segments:clear_list(lines, 0)) do
      if not free then wanted[keys[i]], count = nil, count - 1 end
    end
  end
  local seen = 0
  for node in g:nodes() do
    for _, other in g:edges(node) do
      if other > node then
        if not wanted[node << 32 | other] then
          error(("%s: %d and %d should not be joined"):format(name, node, other), 0)
        end
        wanted[node << 32 | other], seen = nil, seen + 1
      end
    end
  end
  if seen ~= count then error(("%s: %d edges, the reference says %d"):format(name, seen, count), 0) end
  return seen
end

local function link(input, wall_count)
  local k, wend = 4, require "wend"
  local walls, segments
  if wall_count > 0 then walls, segments = random_walls(wall_count, input) end
  local name = input.name .. (walls and (", %d walls"):format(wall_count) or "")
  local options = { limit = k, walls = walls }
  local function ready()
    local g = wend.graph { dimensions = input.dimensions }
    g:add_nodes(input.points)
    return g
  end
  local g = ready()
  g:link(options)
  local count = check_links(name, input, g, k, segments)
  local points = places.points(input)
  local seconds = common.time_once({
    { "link", function(fresh) fresh:link(options) end },
    { "tree", function()
      points:build(1)
      points:run(input.points, "tree", k + 1, 1)
    end },
  }, ready)
  return {
    name, count, common.round(seconds.link * 1e3, 0), common.round(seconds.link / input.node_count * 1e9, 0),
    common.round(seconds.tree / input.node_count * 1e9, 0), common.round(seconds.link / seconds.tree),
  }
end

-- ---- g:check ----------------------------------------------------------------------------------

-- The sizes of the strongly connected components, largest first: the two walks of S. R. Kosaraju (1978), over flat
-- lists.
local function component_sizes(input)
  local n, from, to = input.node_count, input.from, input.to
  local function listed(a, b)
    local first, list = {}, {}
    for i = 1, n + 1 do first[i] = 0 end
    for i = 1, #a do first[a[i] + 1] = first[a[i] + 1] + 1 end
    first[1] = 1
    for i = 2, n + 1 do first[i] = first[i - 1] + first[i] end
    local at = table.move(first, 1, n, 1, {})
    for i = 1, #a do
      list[at[a[i]]] = b[i]
      at[a[i]] = at[a[i]] + 1
    end
    return first, list
  end
  local first, out = listed(from, to)
  local seen, order, stack, at = {}, {}, {}, {}
  for start = 1, n do
    if not seen[start] then
      seen[start], stack[1], at[start] = true, start, first[start]
      local depth = 1
      while depth > 0 do
        local node = stack[depth]
        local i = at[node]
        if i < first[node + 1] then
          at[node] = i + 1
          local next_node = out[i]
          if not seen[next_node] then
            depth = depth + 1
            seen[next_node], stack[depth], at[next_node] = true, next_node, first[next_node]
          end
        else
          order[#order + 1], depth = node, depth - 1
        end
      end
    end
  end
  local first_in, into = listed(to, from)
  local done, sizes = {}, {}
  for o = #order, 1, -1 do
    if not done[order[o]] then
      local size, depth = 0, 1
      stack[1], done[order[o]] = order[o], true
      while depth > 0 do
        local node = stack[depth]
        depth, size = depth - 1, size + 1
        for i = first_in[node], first_in[node + 1] - 1 do
          if not done[into[i]] then
            depth = depth + 1
            stack[depth], done[into[i]] = into[i], true
          end
        end
      end
      sizes[#sizes + 1] = size
    end
  end
  table.sort(sizes, function(a, b) return a > b end)
  return sizes
end

-- The same where all edges are two-way, by union and find.
local function joined_sizes(input)
  local root, size = {}, {}
  for i = 1, input.node_count do root[i], size[i] = i, 1 end
  local function find(i)
    while root[i] ~= i do
      root[i] = root[root[i]]
      i = root[i]
    end
    return i
  end
  for i = 1, #input.from do
    local a, b = find(input.from[i]), find(input.to[i])
    if a ~= b then
      if size[a] < size[b] then a, b = b, a end
      root[b], size[a] = a, size[a] + size[b]
    end
  end
  local sizes = {}
  for i = 1, input.node_count do
    if root[i] == i then sizes[#sizes + 1] = size[i] end
  end
  table.sort(sizes, function(a, b) return a > b end)
  return sizes
end

-- The numbers of nodes with edges in but not out, out but not in, and without edges.
local function lone(input)
  local into, out, sinks, sources, isolated = {}, {}, 0, 0, 0
  for i = 1, #input.from do
    local from, to = input.from[i], input.to[i]
    if from ~= to then
      out[from], into[to] = true, true
      if input.two_way then out[to], into[from] = true, true end
    end
  end
  for i = 1, input.node_count do
    if into[i] and not out[i] then sinks = sinks + 1 end
    if out[i] and not into[i] then sources = sources + 1 end
    if not out[i] and not into[i] then isolated = isolated + 1 end
  end
  return sinks, sources, isolated
end

local function check(input)
  local g, name, nodes, arcs = input:wend(), input.name, input.node_count, input:arc_count()
  local findings = g:check()
  local traps = #findings.traps
  local sizes = input.two_way and joined_sizes(input) or component_sizes(input)
  local sinks, sources, isolated = lone(input)
  local function same(what, found, expected)
    if found ~= expected then error(("%s: %d %s, the reference says %d"):format(name, found, what, expected), 0) end
  end
  same("components", #findings.components, #sizes)
  for i, size in ipairs(sizes) do same("nodes in component " .. i, #findings.components[i], size) end
  same("sinks", #findings.sinks, sinks)
  same("sources", #findings.sources, sources)
  same("isolated nodes", #findings.isolated, isolated)
  input:release()
  local options = { into = g:field(1) }
  local seconds = common.race {
    { "check", function(repeats)
      for _ = 1, repeats do g:check() end
    end },
    { "field", function(repeats)
      for _ = 1, repeats do g:field(1, options) end
    end },
  }
  return {
    name, nodes, arcs, #sizes, sinks, sources, traps, common.round(seconds.check * 1e3, 2),
    common.round(seconds.check / nodes * 1e9, 1), common.round(seconds.check / (nodes + arcs) * 1e9, 1),
    common.round(seconds.check / seconds.field),
  }
end

return {
  name = "levels",
  title = "Generated edges and checks (k-d tree in C: making it, and the nearest of each node)",
  run = function()
    local rows, n = {}, common.quick and 10000 or 100000
    for _, input in ipairs { graphs.cloud(n, 2), graphs.cloud(n, 2, true), graphs.cloud(n, 3) } do
      rows[#rows + 1] = link(input, 0)
      if input.dimensions == 2 then rows[#rows + 1] = link(input, n // 5) end
    end
    common.print_table({ "k = 4", "edges", "link ms", "ns a node", "k-d tree", "link / k-d tree" }, rows)
    print()

    rows = {}
    for _, name in ipairs(graphs.file_names()) do rows[#rows + 1] = check(graphs.from_file(name)) end
    for _, count in ipairs(common.quick and { 10000 } or { 10000, 100000, 1000000 }) do
      rows[#rows + 1] = check(graphs.geometric(count))
    end
    common.print_table({
      "check", "nodes", "arcs", "components", "sinks", "sources", "traps", "ms", "ns a node", "ns a node and arc",
      "check / a field",
    }, rows)
  end,
}
