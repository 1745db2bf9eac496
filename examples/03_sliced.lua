-- A search that runs over several frames, with a budget for each frame, while the map changes.
local wend = require "wend"

local SIZE, PER_FRAME = 40, 300

-- A square of SIZE x SIZE nodes, each joined to its right and lower neighbours.
local g = wend.graph()
local points, pairs_of_nodes = {}, {}
for y = 1, SIZE do
  for x = 1, SIZE do
    local node = (y - 1) * SIZE + x
    points[#points + 1] = x
    points[#points + 1] = y
    for _, neighbour in ipairs { x < SIZE and node + 1 or false, y < SIZE and node + SIZE or false } do
      if neighbour then
        pairs_of_nodes[#pairs_of_nodes + 1] = node
        pairs_of_nodes[#pairs_of_nodes + 1] = neighbour
      end
    end
  end
end
local first, last = g:add_nodes(points)
g:add_edges(pairs_of_nodes)

local function frames(search, each_frame)
  local frame = 0
  repeat
    frame = frame + 1
    local status, used = search:step(PER_FRAME)
    print(("  frame %d: %s, %d nodes"):format(frame, status, used))
    if each_frame then
      each_frame(frame)
    end
  until status ~= "running"
  return search:result()
end

print "one search over several frames"
local path = assert(frames(g:search(first, last, { algorithm = "dijkstra" })))
print(("  cost %g, %d nodes; without slices the cost is %g"):format(path.cost, #path, g:path(first, last).cost))

print "a door closes during the search, which reads the map as it was when it began"
local door = path[10]
path = assert(frames(g:search(first, last, { algorithm = "dijkstra" }), function(frame)
  if frame == 2 then
    g:close(door)
  end
end))
print(("  cost %g; does it still hold? %s"):format(path.cost, tostring(path:valid())))

print "in a coroutine, resumed once per frame"
local thread = coroutine.wrap(function()
  local search = g:search(first, last)
  while search:step(PER_FRAME) == "running" do
    coroutine.yield()
  end
  return search:result()
end)
local frame = 0
repeat
  frame = frame + 1
  local found = thread()
until found
print(("  found after %d frames"):format(frame))

--[[ prints
one search over several frames
  frame 1: running, 300 nodes
  frame 2: running, 300 nodes
  frame 3: running, 300 nodes
  frame 4: running, 300 nodes
  frame 5: running, 300 nodes
  frame 6: found, 99 nodes
  cost 78, 79 nodes; without slices the cost is 78
a door closes during the search, which reads the map as it was when it began
  frame 1: running, 300 nodes
  frame 2: running, 300 nodes
  frame 3: running, 300 nodes
  frame 4: running, 300 nodes
  frame 5: running, 300 nodes
  frame 6: found, 99 nodes
  cost 78; does it still hold? false
in a coroutine, resumed once per frame
  found after 6 frames
]]
