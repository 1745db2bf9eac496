-- Reads maps of other programs, in plain Lua: copy what you need. Files may be packed by gzip. Each function returns
-- nil and a message if the file cannot be opened, and raises if it is damaged.
--
--   grid(file)        a grid map of the Moving AI Lab (.map)
--   problems(file)    the problems for such a map (.scen)
--   waypoints(file)   bot waypoints of Cube 2 and Red Eclipse (.wpt)
--   roads(file)       a road network of the 9th DIMACS challenge (.gr, and positions from the .co beside it)
local wend = require "wend"

local foreign = {}

local TERRAIN = { ["."] = "ground", G = "ground", S = "swamp", W = "water", T = false, O = false, ["@"] = false }

--- The contents of a file, unpacked.
local function contents(file)
  local handle, message = io.open(file, "rb")
  if not handle then return nil, "cannot read " .. message end
  local data = handle:read "*a"
  handle:close()
  if data and data:sub(1, 2) == "\31\139" then data = wend.core.unpack(data, math.huge) end
  return assert(data, "cannot read " .. file)
end

--- Letters become tags. Trees and cells out of bounds are closed.
-- @param options as for wend.grid
function foreign.grid(file, options)
  local text, message = contents(file)
  if not text then return nil, message end
  local rows = text:match "^type octile%s+height %d+%s+width %d+%s+map\r?\n(.*)$"
  assert(rows, file .. ": it is no map of the type octile")
  return wend.parse_grid(rows, TERRAIN, options)
end

--- A list of { x1, y1, x2, y2, length =, map =, width =, height = }. Cells are counted from 1.
function foreign.problems(file)
  local text, message = contents(file)
  if not text then return nil, message end
  local list = {}
  for line in text:gmatch "[^\r\n]+" do
    local map, width, height, x1, y1, x2, y2, length =
      line:match "^%d+%s+(.-)%s+(%d+)%s+(%d+)%s+(%d+)%s+(%d+)%s+(%d+)%s+(%d+)%s+([%d.e+-]+)%s*$"
    if map then
      list[#list + 1] = { x1 + 1, y1 + 1, x2 + 1, y2 + 1, length = tonumber(length), map = map,
        width = tonumber(width), height = tonumber(height) }
    end
  end
  return list
end

--- Decodes four bytes, lowest first, as an IEEE 754 single. Lua 5.1, 5.2 and LuaJIT have no string.unpack.
local function single(data, at)
  local b1, b2, b3, b4 = data:byte(at, at + 3)
  local exponent, mantissa = b4 % 128 * 2 + math.floor(b3 / 128), (b3 % 128 * 256 + b2) * 256 + b1
  local value = exponent == 0 and mantissa * 2 ^ -149 or (1 + mantissa * 2 ^ -23) * 2 ^ (exponent - 127)
  return b4 < 128 and value or -value
end

--- A graph of 3 dimensions. Nodes have the numbers of the waypoints. Edges are directed and cost their lengths.
function foreign.waypoints(file)
  local data, message = contents(file)
  if not data then return nil, message end
  local newer = data:sub(1, 4) == "RWPT"
  assert(newer or data:sub(1, 4) == "OWPT", file .. ": they are no waypoints")
  local function whole(at)
    local low, high = data:byte(at, at + 1)
    return low + high * 256
  end
  local at, points, ends = newer and 11 or 7, {}, {}
  for node = 1, whole(at - 2) do
    for axis = 0, 2 do points[#points + 1] = single(data, at + 4 * axis) end
    at = at + (newer and 16 or 12) -- a newer file has flags after the position
    local links = data:byte(at)
    for i = 1, links do
      local to = whole(at + 2 * i - 1)
      if to > 0 then ends[#ends + 1], ends[#ends + 2] = node, to end -- 0 means no link
    end
    at = at + 1 + 2 * links
  end
  local graph = wend.graph { dimensions = 3 }
  if #points > 0 then graph:add_nodes(points) end
  if #ends > 0 then graph:add_edges(ends, { directed = true }) end
  return graph
end

--- A directed graph. Nodes have the numbers of the vertices. Without a .co they have no positions.
function foreign.roads(file)
  local data, message = contents(file)
  if not data then return nil, message end
  local arcs, weights, points, graph = {}, {}, {}, wend.graph()
  for from, to, weight in data:gmatch "\na (%d+) (%d+) (%d+)" do
    arcs[#arcs + 1], arcs[#arcs + 2], weights[#weights + 1] = tonumber(from), tonumber(to), tonumber(weight)
  end
  local base = file:match "^(.*)%.gr"
  local positions = base and (contents(base .. ".co.gz") or contents(base .. ".co"))
  for name, x, y in (positions or ""):gmatch "\nv (%d+) (%-?%d+) (%-?%d+)" do
    local node = tonumber(name)
    points[2 * node - 1], points[2 * node] = tonumber(x), tonumber(y)
  end
  if positions then
    graph:add_nodes(points)
  else
    for _ = 1, tonumber(data:match "p sp (%d+)") do graph:add_node() end
  end
  graph:add_edges(arcs, { weights = weights, directed = true })
  return graph
end

return foreign
