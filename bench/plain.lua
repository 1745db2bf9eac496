-- SPDX-License-Identifier: MIT
-- A* in plain Lua, the way a game programmer writes it. On graphs: a table for each node with a list
-- of its neighbours, a binary heap of entries, and tables of costs and parents by node. On grids: flat
-- lists by cell, and the same heap.

local plain = {}

-- The nodes of an input of graphs.lua.
function plain.nodes(input)
  local nodes, dimensions = {}, input.dimensions
  for i = 1, input.node_count do
    local at = dimensions * (i - 1)
    nodes[i] = {
      x = input.points[at + 1],
      y = input.points[at + 2],
      z = dimensions == 3 and input.points[at + 3] or 0,
      neighbours = {},
    }
  end
  local function distance(a, b)
    return math.sqrt((a.x - b.x) ^ 2 + (a.y - b.y) ^ 2 + (a.z - b.z) ^ 2)
  end
  for i = 1, #input.from do
    local a, b = nodes[input.from[i]], nodes[input.to[i]]
    local cost = input.weights and input.weights[i] or distance(a, b)
    table.insert(a.neighbours, { node = b, cost = cost })
    if input.two_way then table.insert(b.neighbours, { node = a, cost = cost }) end
  end
  return nodes
end

local function push(heap, entry)
  local i = #heap + 1
  while i > 1 do
    local above = i // 2
    if heap[above].f <= entry.f then break end
    heap[i] = heap[above]
    i = above
  end
  heap[i] = entry
end

local function pop(heap)
  local top, count = heap[1], #heap
  local last = heap[count]
  heap[count] = nil
  count = count - 1
  if count == 0 then return top end
  local i = 1
  while true do
    local child = 2 * i
    if child > count then break end
    if child < count and heap[child + 1].f < heap[child].f then child = child + 1 end
    if last.f <= heap[child].f then break end
    heap[i] = heap[child]
    i = child
  end
  heap[i] = last
  return top
end

-- The path as a list of nodes, and its cost; nil if there is none. `scale`: the least cost of a unit of distance.
function plain.path(start, goal, scale)
  local function rest(node)
    local x, y, z = node.x - goal.x, node.y - goal.y, node.z - goal.z
    return scale * math.sqrt(x * x + y * y + z * z)
  end
  local open, closed = {}, {}
  local cost, came_from = { [start] = 0 }, {}
  push(open, { node = start, f = rest(start) })
  while #open > 0 do
    local node = pop(open).node
    if node == goal then
      local path = {}
      while node do
        table.insert(path, node)
        node = came_from[node]
      end
      for i = 1, #path // 2 do
        path[i], path[#path + 1 - i] = path[#path + 1 - i], path[i]
      end
      return path, cost[goal]
    end
    if not closed[node] then
      closed[node] = true
      for _, edge in ipairs(node.neighbours) do
        local to, new_cost = edge.node, cost[node] + edge.cost
        if not closed[to] and (not cost[to] or new_cost < cost[to]) then
          cost[to] = new_cost
          came_from[to] = node
          push(open, { node = to, f = new_cost + rest(to) })
        end
      end
    end
  end
  return nil
end

local DIAGONAL = math.sqrt(2)

-- The path as a flat list of x and y, and its cost; nil if there is none. `map`: width, height, weights row by row,
-- math.huge where a cell is closed. `scale`: the least cost of a straight step.
function plain.grid_path(map, x1, y1, x2, y2, scale)
  local width, height, weights = map.width, map.height, map.weights
  local function rest(x, y)
    local dx, dy = math.abs(x - x2), math.abs(y - y2)
    return scale * (dx + dy - (2 - DIAGONAL) * math.min(dx, dy))
  end
  local function is_open(x, y)
    return x >= 1 and x <= width and y >= 1 and y <= height and weights[(y - 1) * width + x] < math.huge
  end
  local start, goal = (y1 - 1) * width + x1, (y2 - 1) * width + x2
  local open, closed = {}, {}
  local cost, came_from = { [start] = 0 }, {}
  push(open, { node = start, f = rest(x1, y1) })
  while #open > 0 do
    local cell = pop(open).node
    if cell == goal then
      local path = {}
      while cell do
        table.insert(path, (cell - 1) // width + 1)
        table.insert(path, (cell - 1) % width + 1)
        cell = came_from[cell]
      end
      for i = 1, #path // 2 do
        path[i], path[#path + 1 - i] = path[#path + 1 - i], path[i]
      end
      return path, cost[goal]
    end
    if not closed[cell] then
      closed[cell] = true
      local x, y = (cell - 1) % width + 1, (cell - 1) // width + 1
      for dy = -1, 1 do
        for dx = -1, 1 do
          local nx, ny = x + dx, y + dy
          local to = (ny - 1) * width + nx
          local diagonal = dx ~= 0 and dy ~= 0
          if not closed[to] and is_open(nx, ny) and (not diagonal or is_open(nx, y) and is_open(x, ny)) then
            local new_cost = cost[cell] + (diagonal and DIAGONAL or 1) * weights[to]
            if not cost[to] or new_cost < cost[to] then
              cost[to] = new_cost
              came_from[to] = cell
              push(open, { node = to, f = new_cost + rest(nx, ny) })
            end
          end
        end
      end
    end
  end
  return nil
end

return plain
