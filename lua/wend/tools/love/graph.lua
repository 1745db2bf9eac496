-- SPDX-License-Identifier: MIT
-- wend.love: draws the visible nodes and edges of graphs, and fields on them.
--
-- First the visible nodes are collected, by the index of graph:nearest, and their edges; then nodes beyond the border,
-- as far as the longest of these edges reaches, for edges that lead into the visible part. If there are too many nodes,
-- some at regular distances stand for all. Only then is anything drawn: functions of the profile, which run where a tag
-- is met for the first time, may edit the graph.

local colours = require "wend.tools.scene.colours"
local kinds = require "wend.tools.love.kinds"
local view = require "wend.tools.love.view"

local abs, ceil, floor, sqrt = math.abs, math.ceil, math.floor, math.sqrt
local huge, max, min = math.huge, math.max, math.min
local ink = view.ink

local graphs = {}

local NODES = 2000 -- the default of the option limit
local LABELS = 300 -- at most so many nodes have names
local FINE = 200   -- at most so many edges are smooth lines
local INK, GREY, SOLID = colours.rgb(colours.INK), colours.rgb(colours.GREY), colours.rgb(colours.SOLID)
local PLAIN = colours.rgb(colours.PLAIN)

-- The lists of the last picture, for the next one; false while they are in use.
local spare = {}

--- Empties a table.
local function clear(list)
  for key in pairs(list) do list[key] = nil end
  return list
end

--- Takes the lists: { count = number of visible nodes; ids; x, y = positions by id; near = for graph:nearest; sparse =
--- whether nodes were left out; done = nodes whose edges were collected; longest = the length of the longest edge;
--- edges = node, x2, y2, look, flags, …; edge_count = the length of edges }.
local function take()
  local nodes = spare or {}
  spare = false
  for _, name in ipairs { "ids", "x", "y", "done" } do nodes[name] = clear(nodes[name] or {}) end
  nodes.near, nodes.edges = nodes.near or { {}, {} }, nodes.edges or {}
  nodes.count, nodes.edge_count, nodes.longest, nodes.sparse = 0, 0, 0, false
  return nodes
end

local function give_back(nodes) spare = nodes end

local function add(nodes, id, x, y)
  if nodes.x[id] then return end
  local count = nodes.count + 1
  nodes.count, nodes.ids[count], nodes.x[id], nodes.y[id] = count, id, x, y
end

--- Adds nodes at regular distances: those nearest to the points of a lattice. It does not move with the visible part.
local function add_sparse(nodes, graph, seen, limit)
  local wide, high = seen.x2 - seen.x1, seen.y2 - seen.y1
  local step = 2 ^ ceil(math.log(sqrt(wide * high / limit)) / math.log(2))
  local query = { max_distance = step * 0.75 }
  for y = ceil(seen.y1 / step), floor(seen.y2 / step) do
    for x = ceil(seen.x1 / step), floor(seen.x2 / step) do
      local id = graph:nearest(x * step, y * step, query)
      if id then add(nodes, id, graph:position(id)) end
    end
  end
  nodes.sparse = true
end

--- The nodes within a distance of the middle of the visible part: a list; at most limit + 1.
-- @param z the height of the middle, in 3 dimensions
local function nodes_around(nodes, graph, seen, radius, limit, z)
  local query = { limit = limit + 1, into = nodes.near, max_distance = radius }
  local x, y = (seen.x1 + seen.x2) / 2, (seen.y1 + seen.y2) / 2
  if z then return (graph:nearest(x, y, z, query)) end
  return (graph:nearest(x, y, query))
end

--- Half of the diagonal of the visible part, and of `long` in the third dimension.
local function radius_of(seen, long)
  local wide, high = seen.x2 - seen.x1, seen.y2 - seen.y1
  return sqrt(wide * wide + high * high + long * long) / 2
end

--- Collects the visible nodes; or some of them, if they are too many. In 3 dimensions those whose height is within
--- options.z; without z, it looks at all nodes.
local function collect(graph, seen, options)
  local nodes, limit = take(), options.limit or NODES
  local low, high, room, near = options.low or -huge, options.high or huge, options.reach or 0, nil
  if graph:dimensions() == 2 then
    room = 8 * seen.pixel -- for the discs of nodes just beyond the border
    near = nodes_around(nodes, graph, seen, radius_of(seen, 0), limit)
    if #near > limit then
      add_sparse(nodes, graph, seen, limit)
      return nodes
    end
  elseif high - low < huge then
    near = nodes_around(nodes, graph, seen, radius_of(seen, high - low) + room, limit, (low + high) / 2)
    nodes.sparse = #near > limit
  end
  local function add_if_seen(id)
    if not graph:has(id) then return end
    local x, y, z = graph:position(id)
    if x and (z or low) >= low and (z or low) <= high and view.shows(seen, x, y, x, y, room) then
      if nodes.count < limit then add(nodes, id, x, y) else nodes.sparse = true end
    end
  end
  for i = 1, near and #near or 0 do add_if_seen(near[i]) end
  if not near then
    for id in graph:nodes() do add_if_seen(id) end
  end
  return nodes
end

-- Edges ------------------------------------------------------------------------------------------------------------

local CLOSED, ONE_WAY, FIELDS = 1, 2, 6

--- Collects the visible edges that leave a node. An edge that leads both ways comes from both ends, and is taken once.
local function add_edges(nodes, graph, seen, node, x1, y1, looks)
  local edges, count, longest, room = nodes.edges, nodes.edge_count, nodes.longest, 8 * seen.pixel
  local is_there, each, edges_of, none = pcall(graph.edges, graph, node)
  if not is_there then return end -- a finalizer has removed it
  for _, other, _, tag, directed, closed in each, edges_of, none do
    if (directed or not nodes.done[other]) and graph:has(other) then
      local x2, y2 = nodes.x[other], nodes.y[other]
      if not x2 then x2, y2 = graph:position(other) end
      if x2 then
        local long = max(abs(x2 - x1), abs(y2 - y1))
        longest = max(longest, long)
        -- Where some nodes stand for all, an edge of two pixels is only a blot.
        if not (nodes.sparse and long * seen.scale < 2) and view.shows(seen, x1, y1, x2, y2, room) then
          local look = kinds.look_of(looks, tag, PLAIN)
          look.seen = look.seen or (tag ~= nil or looks.probe ~= nil)
          edges[count + 1], edges[count + 2], edges[count + 3], edges[count + 4] = x1, y1, x2, y2
          edges[count + 5], edges[count + 6] = look, (closed and CLOSED or 0) + (directed and ONE_WAY or 0)
          count = count + FIELDS
        end
      end
    end
  end
  nodes.done[node], nodes.edge_count, nodes.longest = true, count, longest
end

local function collect_edges(graph, seen, nodes, looks, options)
  for i = 1, nodes.count do
    local id = nodes.ids[i]
    if graph:has(id) then add_edges(nodes, graph, seen, id, nodes.x[id], nodes.y[id], looks) end
  end
  if nodes.sparse or graph:dimensions() == 3 then return end
  local radius = radius_of(seen, 0)
  local reach = options.reach or min(nodes.longest, radius)
  local limit = options.limit or NODES
  local near = reach > 0 and nodes_around(nodes, graph, seen, radius + 1.5 * reach, limit)
  for i = 1, near and #near <= limit and #near or 0 do
    local id = near[i]
    if not nodes.done[id] and graph:has(id) then
      local x, y = graph:position(id)
      if view.shows(seen, x, y, x, y, reach) then add_edges(nodes, graph, seen, id, x, y, looks) end
    end
  end
end

local function draw_edges(graphics, seen, nodes)
  graphics.setLineWidth((nodes.sparse and 1 or 1.6) * seen.pixel)
  if nodes.edge_count <= FINE * FIELDS then graphics.setLineStyle "smooth" end
  local edges = nodes.edges
  for i = 1, nodes.edge_count, FIELDS do
    local x1, y1, x2, y2, look, flags = edges[i], edges[i + 1], edges[i + 2], edges[i + 3], edges[i + 4], edges[i + 5]
    edges[i + 4] = false -- the lists are kept, but no look
    local closed = flags % 2 == CLOSED
    ink(graphics, closed and GREY or look.closed and look.dark or look.colour, 1)
    if closed or look.closed then
      view.dashes(graphics, seen, x1, y1, x2, y2)
    else
      graphics.line(x1, y1, x2, y2)
    end
    if flags >= ONE_WAY and not nodes.sparse then
      local dx, dy = x2 - x1, y2 - y1
      local length = sqrt(dx * dx + dy * dy)
      if length * seen.scale > 8 then
        view.arrow(graphics, (x1 + x2) / 2, (y1 + y2) / 2, dx, dy, min(5 * seen.pixel, length / 4))
      end
    end
  end
  graphics.setLineStyle "rough"
end

-- Nodes ------------------------------------------------------------------------------------------------------------

--- The radius of nodes in pixels: smaller where there are many.
local function disc_of(seen, count)
  local room = sqrt((seen.x2 - seen.x1) * (seen.y2 - seen.y1) / max(count, 1)) * seen.scale
  return max(1, min(4, room * 0.07))
end

local function draw_nodes(graphics, seen, graph, nodes, options)
  local r = disc_of(seen, nodes.count)
  for i = 1, nodes.count do
    local id = nodes.ids[i]
    if graph:has(id) then
      ink(graphics, graph:is_closed(id) and GREY or SOLID, 1)
      view.disc(graphics, seen, nodes.x[id], nodes.y[id], r)
    end
  end
  if not options.labels or nodes.count > LABELS then return end
  for i = 1, nodes.count do
    local id = nodes.ids[i]
    local name = graph:has(id) and graph:name(id)
    if name then view.label(graphics, seen, name, nodes.x[id], nodes.y[id], r + 2) end
  end
end

--- Draws a graph.
-- @param options as init.lua has read them
-- @param looks the result of kinds.looks
function graphs.draw(graphics, seen, graph, options, looks)
  local nodes = collect(graph, seen, options)
  collect_edges(graph, seen, nodes, looks, options)
  draw_edges(graphics, seen, nodes)
  draw_nodes(graphics, seen, graph, nodes, options)
  give_back(nodes)
end

--- Draws a field of a graph: the cost of each node as a colour, and an arrow for its next step.
function graphs.draw_field(graphics, seen, graph, field, options)
  local nodes = collect(graph, seen, options)
  local least, most = options.least, options.most
  if not least then
    least, most = huge, -huge
    for i = 1, nodes.count do
      local cost = graph:has(nodes.ids[i]) and field:cost(nodes.ids[i])
      if cost and abs(cost) < huge then least, most = min(least, cost), max(most, cost) end
    end
  end
  local r = max(2, disc_of(seen, nodes.count) * 1.6)
  for i = 1, nodes.count do
    local id = nodes.ids[i]
    local cost = graph:has(id) and field:cost(id)
    if cost and abs(cost) < huge and not graph:is_closed(id) then
      local x, y = nodes.x[id], nodes.y[id]
      local other = options.arrows and not nodes.sparse and field:next(id)
      if other and graph:has(other) then
        local x2, y2 = graph:position(other)
        local dx, dy = (x2 or x) - x, (y2 or y) - y
        local length = sqrt(dx * dx + dy * dy)
        if length > 0 and view.shows(seen, x, y, x2, y2, 0) then
          local tip = min(length, (r + 12) * seen.pixel)
          local tip_x, tip_y = x + dx / length * tip, y + dy / length * tip
          ink(graphics, INK, 0.8)
          graphics.setLineWidth(1.5 * seen.pixel)
          graphics.line(x, y, tip_x, tip_y)
          view.arrow(graphics, tip_x, tip_y, dx, dy, min(4 * seen.pixel, tip / 2))
        end
      end
      ink(graphics, INK, options.alpha)
      view.disc(graphics, seen, x, y, r + 1)
      ink(graphics, kinds.HEAT[colours.level(cost, least, most)], 1)
      view.disc(graphics, seen, x, y, r)
    end
  end
  give_back(nodes)
end

return graphs
