-- SPDX-License-Identifier: MIT
--- The command wend: readers of graphs of other programs: bot waypoints (.wpt) and DIMACS road networks (.gr, .co).
--
-- A reader reads the whole file, parses it into lists, and then makes the graph. So a damaged file never gives a part
-- of a graph. A count in a file never causes a large allocation by itself: the data must be there. Lua 5.1, 5.2 and
-- LuaJIT have no string.unpack, so bytes are decoded by arithmetic.

local core = require "wend.core"
local foreign = require "wend.import.foreign"

local contents, format_failure, integer = foreign.contents, foreign.damaged, foreign.integer

local LINKS_MAX = 6                 -- links per waypoint: the games have room for no more
local SPARE_NODES = 1000000         -- vertices without an arc: with more, the count is damaged

---Decodes four bytes, lowest first, as an IEEE 754 single. nil: it is not finite.
local function float32(b1, b2, b3, b4)
  local exponent = b4 % 128 * 2 + math.floor(b3 / 128)
  local mantissa = (b3 % 128 * 256 + b2) * 256 + b1
  if exponent == 255 then return nil end
  local value
  if exponent == 0 then
    value = mantissa * 2 ^ -149
  else
    value = (1 + mantissa * 2 ^ -23) * 2 ^ (exponent - 127)
  end
  return b4 < 128 and value or -value
end

---Decodes four bytes, lowest first, as a signed integer.
local function int32(b1, b2, b3, b4)
  local value = ((b4 * 256 + b3) * 256 + b2) * 256 + b1
  return b4 < 128 and value or value - 4294967296
end

---Parses bot waypoints. In messages, bytes are counted from 0.
local function parse_wpt(file, max_bytes)
  local data = contents(file, max_bytes)
  local at = 1                                        -- the position in data, from 1

  local function need(bytes, what)
    if at + bytes - 1 > #data then
      format_failure("%s: expected %d bytes of %s at byte %d, got %d", file, bytes, what, at - 1, #data - at + 1)
    end
  end

  need(6, "header")
  local magic = data:sub(1, 4)
  local newer = magic == "RWPT"
  if not newer and magic ~= "OWPT" then
    format_failure("%s: expected OWPT or RWPT at byte 0, got %q", file, magic)
  end
  at = 5
  if newer then
    need(6, "header")
    local version = int32(data:byte(at, at + 3))
    if version ~= 1 then format_failure("%s: expected version 1 at byte %d, got %d", file, at - 1, version) end
    at = at + 4
  end
  local low, high = data:byte(at, at + 1)
  local count = high * 256 + low
  at = at + 2

  local fixed = newer and 17 or 13                    -- position, (flags), number of links
  local points, ends = {}, {}
  for node = 1, count do
    need(fixed, ("waypoint %d of %d"):format(node, count))
    for axis = 0, 2 do
      local value = float32(data:byte(at + axis * 4, at + axis * 4 + 3))
      if not value then
        format_failure("%s: expected a finite number at byte %d", file, at + axis * 4 - 1)
      end
      points[#points + 1] = value
    end
    local links = data:byte(at + fixed - 1)
    if links > LINKS_MAX then
      format_failure("%s: expected 0 to %d links at byte %d, got %d", file, LINKS_MAX, at + fixed - 2, links)
    end
    at = at + fixed
    need(links * 2, ("links of waypoint %d"):format(node))
    for _ = 1, links do
      low, high = data:byte(at, at + 1)
      local to = high * 256 + low
      if to > count then
        format_failure("%s: expected a waypoint in 0..%d at byte %d, got %d", file, count, at - 1, to)
      elseif to > 0 then                              -- 0 means no link
        ends[#ends + 1] = node
        ends[#ends + 1] = to
      end
      at = at + 2
    end
  end
  if at <= #data then
    format_failure("%s: expected the end at byte %d, got %d bytes more", file, at - 1, #data - at + 1)
  end

  local graph = core.graph { dimensions = 3 }
  if count > 0 then graph:add_nodes(points) end
  if #ends > 0 then graph:add_edges(ends, { directed = true }) end
  return graph
end

---Calls handle(kind, rest, fail) for each line that is neither blank nor a comment. `kind` is its first word. `fail`
---raises a failure with the number of the line.
local function each_line(file, data, handle)
  local number = 0
  local function fail(...)
    format_failure("%s: line %d: %s", file, number, string.format(...))
  end
  for line in data:gmatch "([^\n]*)\n?" do
    number = number + 1
    local kind, rest = line:match "^%s*(%S+)%s*(.-)%s*$"
    if kind and kind:sub(1, 1) ~= "c" then handle(kind, rest, fail) end
  end
end

---Parses the positions of `count` vertices. Returns a flat list.
local function parse_co(file, data, count)
  local points, announced, seen = {}, nil, 0
  each_line(file, data, function(kind, rest, fail)
    if kind == "p" then
      if announced then fail "expected one line with p" end
      announced = integer(rest:match "^aux%s+sp%s+co%s+(%d+)$")
      if announced ~= count then fail("expected 'p aux sp co %d', got 'p %s'", count, rest) end
    elseif kind == "v" then
      if not announced then fail "expected the line with p before those with v" end
      local node, x, y = rest:match "^(%d+)%s+(%-?%d+)%s+(%-?%d+)$"
      node, x, y = integer(node), integer(x), integer(y)
      if not (node and x and y) then fail("expected 'v NODE X Y', got 'v %s'", rest) end
      if node < 1 or node > count then fail("expected a vertex in 1..%d, got %d", count, node) end
      if points[node * 2] then fail("expected one position for vertex %d, got a second", node) end
      points[node * 2 - 1], points[node * 2] = x, y
      seen = seen + 1
    else
      fail("expected c, p or v, got '%s'", kind)
    end
  end)
  if not announced then format_failure("%s: expected a line 'p aux sp co %d'", file, count) end
  if seen < count then
    local node = 1
    while points[node * 2] do node = node + 1 end
    format_failure("%s: expected %d positions, got %d: vertex %d has none", file, count, seen, node)
  end
  return points
end

---The positions from the .co beside a .gr. A packed .gr prefers a packed .co, and a plain one a plain one.
---@return number[]|nil points nil: there is no .co
local function coordinates(file, count, max_bytes)
  local base, packed = file:match "^(.*)%.gr(.*)$"
  if not base or packed ~= "" and packed ~= ".gz" then return nil end
  for _, suffix in ipairs(packed == "" and { ".co", ".co.gz" } or { ".co.gz", ".co" }) do
    local data = contents(base .. suffix, max_bytes, true)
    if data then return parse_co(base .. suffix, data, count) end
  end
end

---Parses a road network and makes its graph.
local function parse_gr(file, max_bytes)
  local data = contents(file, max_bytes)
  local count, announced
  local arcs, weights = {}, {}
  each_line(file, data, function(kind, rest, fail)
    if kind == "p" then
      if count then fail "expected one line with p" end
      local nodes, listed = rest:match "^sp%s+(%d+)%s+(%d+)$"
      count, announced = integer(nodes), integer(listed)
      if not (count and announced) then fail("expected 'p sp NODES ARCS', got 'p %s'", rest) end
    elseif kind == "a" then
      if not count then fail "expected the line with p before those with a" end
      local from, to, weight = rest:match "^(%d+)%s+(%d+)%s+(%d+)$"
      from, to, weight = integer(from), integer(to), integer(weight)
      if not (from and to and weight) then fail("expected 'a FROM TO WEIGHT', none below 0, got 'a %s'", rest) end
      for _, vertex in ipairs { from, to } do
        if vertex < 1 or vertex > count then fail("expected a vertex in 1..%d, got %d", count, vertex) end
        arcs[#arcs + 1] = vertex
      end
      weights[#weights + 1] = weight
    else
      fail("expected c, p or a, got '%s'", kind)
    end
  end)
  if not count then format_failure("%s: expected a line 'p sp NODES ARCS'", file) end
  if #weights ~= announced then format_failure("%s: expected %d arcs, got %d", file, announced, #weights) end

  local points = coordinates(file, count, max_bytes)
  local graph = core.graph()
  if not points then
    if count > #arcs + SPARE_NODES then
      format_failure("%s: expected up to %d vertices for %d arcs, got %d", file, #arcs + SPARE_NODES, #weights, count)
    end
    for _ = 1, count do graph:add_node() end
  elseif count > 0 then
    graph:add_nodes(points)
  end
  if #weights > 0 then graph:add_edges(arcs, { weights = weights, directed = true }) end
  return graph
end

local readers = {}

---Reads bot waypoints of Red Eclipse and Cube 2. Nodes have the numbers of the waypoints. An edge costs its length.
---@return wend.Graph|nil graph 3D, directed; or nil, a message and "io" or "format"
function readers.wpt(file, max_bytes)
  return foreign.guarded(parse_wpt, file, max_bytes or foreign.MAX_BYTES)
end

---Reads a road network of the 9th DIMACS challenge: arcs from X.gr, and positions from X.co in the same folder. Nodes
---have the numbers of the vertices. Without a .co they have no positions.
---@return wend.Graph|nil graph 2D, directed; or nil, a message and "io" or "format"
function readers.gr(file, max_bytes)
  return foreign.guarded(parse_gr, file, max_bytes or foreign.MAX_BYTES)
end

return readers
