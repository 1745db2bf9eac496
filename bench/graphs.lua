-- SPDX-License-Identifier: MIT
-- The graphs that sections search, and the trips on them.
--
-- An input: name, node_count, dimensions, points (flat), from, to, weights (nil: lengths), two_way
-- (each pair of from and to is two arcs). Its methods make the graph of each contestant. Trips are
-- flat lists: start, goal, start, goal, ….

local reference, nearest = require "wend_bench_reference", require "wend_bench_reference_nearest"
local has_boost, boost = pcall(require, "wend_bench_boost")
local plain = require "plain"

local graphs = {
  seed = 1, -- for the random graphs
  query_seed = 2,
  data = os.getenv "WEND_DATA" or "../shared/data",
}

local input = {}
input.__index = input

local function new(fields)
  fields.node_count = #fields.points // fields.dimensions
  return setmetatable(fields, input)
end

-- The number of arcs: a two-way edge has two.
function input:arc_count() return #self.from * (self.two_way and 2 or 1) end

function input:reference()
  self.reference_graph = self.reference_graph
    or reference.graph(self.dimensions, self.points, self.from, self.to, self.weights, self.two_way)
  return self.reference_graph
end

-- The graph of Boost; nil if its module was not built.
function input:boost()
  return has_boost
      and boost.graph(self.dimensions, self.points, self.from, self.to, self.weights, self.two_way)
    or nil
end

function input:plain() return plain.nodes(self) end

-- The ends of all edges in a flat list, as g:add_edges takes them.
function input:edge_ends()
  local ends = {}
  for i = 1, #self.from do
    ends[2 * i - 1], ends[2 * i] = self.from[i], self.to[i]
  end
  return ends
end

-- The graph in wend, with one of the tags at random for each edge.
function input:tagged(tags)
  local ends = {}
  for _, tag in ipairs(tags) do ends[tag] = {} end
  math.randomseed(graphs.seed)
  for i = 1, #self.from do
    local list = ends[tags[math.random(#tags)]]
    list[#list + 1], list[#list + 2] = self.from[i], self.to[i]
  end
  local g = require("wend").graph()
  g:add_nodes(self.points)
  for _, tag in ipairs(tags) do g:add_edges(ends[tag], { tag = tag }) end
  return g
end

function input:wend()
  if self.wend_graph then return self.wend_graph end -- the input was read from a file
  local g = require("wend").graph { dimensions = self.dimensions }
  g:add_nodes(self.points)
  g:add_edges(self:edge_ends(), { weights = self.weights, directed = not self.two_way })
  return g
end

-- Drops the lists, so that the collector does not traverse them while contestants are timed.
function input:release()
  self.points, self.from, self.to, self.weights = nil, nil, nil, nil
  collectgarbage()
end

-- Random numbers that are the same on every machine (splitmix64).
local function splitmix(state)
  return function()
    state = state + 0x9E3779B97F4A7C15
    local z = (state ~ state >> 30) * 0xBF58476D1CE4E5B9
    z = (z ~ z >> 27) * 0x94D049BB133111EB
    return z ~ z >> 31
  end
end

-- The position of a place along a Hilbert curve over 2^16 by 2^16 places.
local function curve_position(x, y)
  local position, side = 0, 1 << 15
  while side > 0 do
    local right, up = x & side > 0 and 1 or 0, y & side > 0 and 1 or 0
    position = position + side * side * (3 * right ~ up)
    if up == 0 then -- turn the quarter, so that the curve continues where the last quarter ended
      if right == 1 then x, y = (1 << 16) - 1 - x, (1 << 16) - 1 - y end
      x, y = y, x
    end
    side = side // 2
  end
  return position
end

-- `n` random points, with 100 units of area for each, in a flat list; ids[i]: the id of the i-th along the curve.
local function scatter(n, seed, shuffled)
  local random, side = splitmix(seed), math.sqrt(100 * n)
  local xs, ys, positions, order, points, ids = {}, {}, {}, {}, {}, {}
  for i = 1, n do
    xs[i] = (random() >> 11) * 0x1p-53 * side
    ys[i] = (random() >> 11) * 0x1p-53 * side
    positions[i] = curve_position(math.floor(xs[i] * (65536 / side)), math.floor(ys[i] * (65536 / side)))
    order[i], ids[i] = i, i
  end
  table.sort(order, function(a, b) return positions[a] < positions[b] end)
  for i = n, shuffled and 2 or n + 1, -1 do
    local other = (random() >> 1) % i + 1
    ids[i], ids[other] = ids[other], ids[i]
  end
  for i = 1, 2 * n do points[i] = 0 end
  for i, at in ipairs(order) do points[2 * ids[i] - 1], points[2 * ids[i]] = xs[at], ys[at] end
  return points, ids
end

-- The pairs of the points and their 6 nearest: each pair once, from < to, sorted.
local function joined(points)
  local near, higher, from, to = nearest.points(2, points):answers(points, "tree", 7), {}, {}, {}
  for i = 1, #points // 2 do higher[i] = {} end
  for at, other in ipairs(near) do -- the nearest to a point is the point itself
    local i = (at - 1) // 7 + 1
    if i ~= other then table.insert(higher[math.min(i, other)], math.max(i, other)) end
  end
  for i, list in ipairs(higher) do
    table.sort(list)
    for k, other in ipairs(list) do
      if other ~= list[k - 1] then from[#from + 1], to[#to + 1] = i, other end
    end
  end
  return from, to
end

local function geometric(name, n, seed, shuffled)
  local points, ids = scatter(n, seed, shuffled)
  local from, to = joined(points)
  return new { name = name, dimensions = 2, points = points, from = from, to = to, ids = ids, two_way = true }
end

-- A random geometric graph: each node is joined to its 6 nearest. Ids are along a Hilbert curve, or shuffled.
function graphs.geometric(n, shuffled)
  local name = n >= 1000000 and ("rgg%dm"):format(n // 1000000)
    or n >= 1000 and ("rgg%dk"):format(n // 1000)
    or ("rgg%d"):format(n)
  return geometric(name .. (shuffled and " shuffled" or ""), n, graphs.seed, shuffled)
end

-- A connected random geometric graph, and its seed: the first one that gives a connected graph.
function graphs.connected(n)
  for seed = graphs.seed, graphs.seed + 999 do
    local made = geometric("rgg" .. n, n, seed)
    local trips = {}
    for i = 1, n do
      trips[2 * i - 1], trips[2 * i] = 1, i
    end
    local farthest = math.max(table.unpack(made:reference():costs(trips)))
    if farthest < math.huge then return made, seed end
  end
  error "no seed gives a connected graph"
end

-- Points without edges, in random order: spread over a square or a cube, or in 200 heaps of different sizes.
function graphs.cloud(n, dimensions, clustered)
  math.randomseed(graphs.seed)
  local points, heaps, side = {}, {}, (100 * n) ^ (1 / dimensions)
  local function normal()
    return math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
  end
  for i = 1, 200 do
    local heap = { size = side / 200 * math.exp(normal()) }
    for d = 1, dimensions do heap[d] = side * math.random() end
    heaps[i] = heap
  end
  for i = 0, n - 1 do
    local heap = heaps[math.random(#heaps)]
    for d = 1, dimensions do
      points[dimensions * i + d] = clustered and heap[d] + heap.size * normal() or side * math.random()
    end
  end
  return new {
    name = ("%s%dk%s"):format(clustered and "heaps" or "points", n // 1000, dimensions == 3 and " 3D" or ""),
    dimensions = dimensions, points = points, from = {}, to = {}, two_way = true,
  }
end

-- The length of the i-th edge.
function input:length(i)
  local sum = 0
  for d = 1, self.dimensions do
    local a = self.points[self.dimensions * (self.from[i] - 1) + d]
    local b = self.points[self.dimensions * (self.to[i] - 1) + d]
    sum = sum + (a - b) ^ 2
  end
  return math.sqrt(sum)
end

-- The same graph with weights of function(length), which may call math.random.
function input:reweighted(name, weight)
  math.randomseed(graphs.seed)
  local weights = {}
  for i = 1, #self.from do weights[i] = weight(self:length(i)) end
  return new {
    name = name, dimensions = self.dimensions, points = self.points,
    from = self.from, to = self.to, two_way = self.two_way, weights = weights,
  }
end

-- The same graph with one more edge. Its ends are about `lengths` mean edges apart: the best pair of 100,000 random
-- ones. Its weight is `factor` times its length.
function input:with_teleporter(name, lengths, factor)
  math.randomseed(graphs.seed)
  local mean = 0
  for i = 1, #self.from do mean = mean + self:length(i) / #self.from end
  local made = self:reweighted(name, function(length) return length end)
  made.from, made.to = table.move(self.from, 1, #self.from, 1, {}), table.move(self.to, 1, #self.to, 1, {})
  local last, best, best_error = #made.from + 1, nil, math.huge
  for _ = 1, 100000 do
    made.from[last], made.to[last] = math.random(self.node_count), math.random(self.node_count)
    local off = math.abs(made:length(last) - lengths * mean)
    if off < best_error then best, best_error = { made.from[last], made.to[last] }, off end
  end
  made.from[last], made.to[last] = best[1], best[2]
  made.weights[last] = made:length(last) * factor
  return made
end

-- An input from a graph of wend, read through its public interface.
local function from_wend(name, g, dimensions)
  local points, from, to, weights = {}, {}, {}, {}
  local count = 0
  for node in g:nodes() do
    count = count + 1
    assert(node == count, "ids of a graph just read are consecutive")
    local x, y, z = g:position(node)
    points[#points + 1], points[#points + 2] = x, y
    if dimensions == 3 then points[#points + 1] = z end
    for _, neighbour, weight in g:edges(node) do
      from[#from + 1], to[#to + 1], weights[#weights + 1] = node, neighbour, weight
    end
  end
  return new {
    name = name, dimensions = dimensions, points = points, from = from, to = to,
    weights = weights, two_way = false, wend_graph = g,
  }
end

-- The files of the data folder: { name, file, reader, dimensions }.
local files = {
  { "center", "waypoints/redeclipse/center.wpt", "waypoints", 3 },
  { "oneiroi", "waypoints/redeclipse/oneiroi.wpt", "waypoints", 3 },
  { "andorra", "graphs/andorra.gr.gz", "roads", 2 },
  { "campo-grande", "graphs/campo-grande.gr.gz", "roads", 2 },
  { "porto", "graphs/porto.gr.gz", "roads", 2 },
}

-- Bot waypoints of about 2,000 nodes, for measurements that make one search for each node.
local bots = {
  { "mist", "waypoints/redeclipse/mist.wpt", "waypoints", 3 },
  { "erosion", "waypoints/redeclipse/erosion.wpt", "waypoints", 3 },
  { "deathtrap", "waypoints/redeclipse/deathtrap.wpt", "waypoints", 3 },
}

local function names_of(list)
  local names = {}
  for _, file in ipairs(list) do
    local handle = io.open(graphs.data .. "/" .. file[2], "rb")
    if handle then
      handle:close()
      names[#names + 1] = file[1]
    end
  end
  return names
end

-- The names of the inputs from files. Without the data folder there are none.
function graphs.file_names() return names_of(files) end
function graphs.bot_names() return names_of(bots) end

function graphs.from_file(name)
  for _, list in ipairs { files, bots } do
    for _, file in ipairs(list) do
      if file[1] == name then
        local g = assert(dofile("examples/foreign_maps.lua")[file[3]](graphs.data .. "/" .. file[2]))
        return from_wend(name, g, file[4])
      end
    end
  end
  error("no input is called " .. name)
end

-- Random trips between nodes that a path joins.
function input:mix(count)
  math.randomseed(graphs.query_seed)
  local g, trips = self:reference(), {}
  for _ = 1, 1000 do
    local drawn = {}
    for i = 1, 2 * count do drawn[i] = math.random(self.node_count) end
    for i, cost in ipairs(g:costs(drawn)) do
      if cost < math.huge and #trips < 2 * count then
        trips[#trips + 1], trips[#trips + 2] = drawn[2 * i - 1], drawn[2 * i]
      end
    end
    if #trips == 2 * count then return trips end
  end
  error(self.name .. ": hardly any two nodes are joined")
end

-- Trips of 8 random steps.
function input:short(count) return self:reference():walks(count, 8, graphs.query_seed) end

return graphs
