-- SPDX-License-Identifier: MIT
--- Objects: makes nodes, edges, walls and names of them, and closes cells under objects that block.

local core = require "wend.core"
local check = require "wend.check"
local fields = require "wend.tools.tiled.fields"
local frame = require "wend.frame"
local foreign = require "wend.tools.tiled.foreign"
local format = require "wend.format"
local shapes = require "wend.tools.tiled.shapes"
local tiles = require "wend.tools.tiled.tiles"

local objects = {}

local GIDS = 268435456              -- tile numbers; the four bits above tell how a tile is rotated
local PARTS_MAX = 1000000           -- points of shapes of tiles that are objects: a short file could make them many
local ELLIPSE_CORNERS = 32          -- corners of the polygon around an ellipse that is not round

local number, text_of, flag, list, each, class_of, properties_of, said
  = fields.number, fields.text_of, fields.flag, fields.list, fields.each, fields.class_of,
    fields.properties_of, fields.said
local bad = foreign.bad

-- The position of a tile object within its rectangle, as shares of width and height.
local ALIGNMENTS = {
  topleft = { 0, 0 }, top = { 0.5, 0 }, topright = { 1, 0 },
  left = { 0, 0.5 }, center = { 0.5, 0.5 }, right = { 1, 0.5 },
  bottomleft = { 0, 1 }, bottom = { 0.5, 1 }, bottomright = { 1, 1 },
}

-- By class of a layer: the role of its objects.
objects.LAYER_ROLES = { nodes = "node", edges = "edge", walls = "wall" }

--- The shapes of a tile that is an object, as objects: turned and scaled as the tile is.
local function parts_of(state, object, gid, set, tile)
  local function size(own, other, whole_size)
    own = own or other
    return type(own) == "number" and own > 0 and own or whole_size
  end
  local wide, high = size(tile.width, set.width, object.width), size(tile.height, set.height, object.height)
  local mirrored, upside_down = gid >= 8 * GIDS, math.floor(gid / (4 * GIDS)) % 2 == 1
  local swapped = math.floor(gid / (2 * GIDS)) % 2 == 1
  local function within(x, y)
    x, y = wide > 0 and x / wide or 0, high > 0 and y / high or 0
    if swapped then x, y = y, x end
    if mirrored then x = 1 - x end
    if upside_down then y = 1 - y end
    return shapes.placed(object, object.left + x * object.width, object.top + y * object.height)
  end
  local parts = {}
  for i, one in ipairs(tile.shapes) do
    parts[i] = shapes.read_shape(one.place, one.source, within)
    state.parts = state.parts + 1 + (parts[i].points and #parts[i].points or 0)
    if state.parts > PARTS_MAX then bad("", "objects have more than %d points from shapes of tiles", PARTS_MAX) end
  end
  return parts
end

---@return "node"|"edge"|"wall"|nil role nil: the object is only a name
---@return boolean? explicit whether the object itself tells; otherwise its layer
local function role_of(layer, place, object)
  if shapes.ROLES[object.class] then return object.class, true end
  for _, role in ipairs { "node", "edge", "wall" } do
    if flag(place .. ": properties", object.properties, role) then return role, true end
  end
  local role = objects.LAYER_ROLES[layer.class]
  if role and shapes.ROLES[role][object.shape] then return role end
end

--- Reads an object of any shape.
local function read_object(state, layer, source, place)
  local space = state.space
  local x, y = shapes.project(space, number(place, source, "x"), number(place, source, "y"))
  if space.orientation == "isometric" then x, y = x + space.x, y + space.y end
  local object = {
    name = text_of(place, source, "name"), class = class_of(place, source),
    shape = text_of(place, source, "shape"), x = layer.x + x, y = layer.y + y,
    width = number(place, source, "width", 0, 0), height = number(place, source, "height", 0, 0),
    rotation = number(place, source, "rotation", 0) % 360, left = 0, top = 0, place = place,
  }
  local own, set, tile = list(place, source, "properties", true), nil, tiles.EMPTY
  if source.gid ~= nil then
    local _
    set, _, tile = tiles.find(state, place, source.gid)
    tile = tile or tiles.EMPTY
    object.class, own = object.class or tile.class, state.project:merged(own, tile.own)
    local default = space.orientation == "isometric" and ALIGNMENTS.bottom or ALIGNMENTS.bottomleft
    local at = set and ALIGNMENTS[set.align] or default
    object.left, object.top = -at[1] * object.width, -at[2] * object.height
  elseif object.shape ~= "text" and space.orientation == "isometric" then
    object.space = space                              -- tiles and texts stand upright: only their position is projected
  end
  if object.shape == "polygon" then
    shapes.read_points(place, source, object, 3)
  elseif object.shape == "polyline" then
    shapes.read_points(place, source, object, 2)
  end
  object.properties = properties_of(state, place, { properties = own }, object.class)
  local explicit
  object.role, explicit = role_of(layer, place, object)
  if explicit and not shapes.ROLES[object.role][object.shape] then
    bad(place, "a %s cannot be %s %s", object.shape or "thing without a shape", object.role == "edge" and "an" or "a",
      object.role)
  end
  local open = flag(place .. ": properties", object.properties, "closed") == false
  local blocks = state.words:block(place, { class = object.class, properties = object.properties },
    object.role ~= nil or open) or layer.said.by_word
  if shapes.ROLES.wall[object.shape] and not open and (object.role or "wall") == "wall" then
    if blocks then
      object.parts = { object }
    elseif tile.shapes[1] and state.words.common and not object.role then
      object.parts = parts_of(state, object, source.gid, set, tile)
    end
  end
  return object
end

local function add_node(state, result, object)
  local place, properties = object.place .. ": properties", object.properties
  local radius
  if properties.radius ~= nil then
    radius = number(place, properties, "radius", nil, 0)
  elseif object.shape == "ellipse" then
    radius = math.min(object.width, object.height) / 2
    local space = object.space                        -- the largest circle in the ellipse as it is drawn
    if space then radius = radius * math.min(space.wide / space.high, 1) / math.sqrt(2) end
  end
  local name = object.name
  if name and state.nodes[name] then
    name = nil                                        -- the first has it
  elseif name then
    state.nodes[name] = true
  end
  result.graph = result.graph or core.graph()
  local x, y = shapes.middle(object)
  result.graph:add_node(x, y, { name = name, radius = radius })
end

--- Finds the nodes nearest to the ends of an edge: object.from, object.to.
local function find_ends(graph, object)
  local place, points = object.place, object.points
  if not graph then bad(place, "there are no nodes for this edge") end
  local from, to = graph:nearest(points[1], points[2]), graph:nearest(points[#points - 1], points[#points])
  if from == to then
    local name = graph:name(from)
    bad(place, "both its ends are nearest to the same node, %s", name and check.describe(name) or tostring(from))
  end
  object.from, object.to = from, to
end

local function add_edge(state, graph, layer, object)
  local place, points, from, to = object.place, object.points, object.from, object.to
  local class = object.class ~= "edge" and object.class or nil
  local own = said(state, place, object.properties, class)
  local directed = flag(place .. ": properties", object.properties, "directed")
  if directed == nil then directed = flag(layer.place .. ": properties", layer.properties, "directed") end

  local weight = own.weight or layer.said.weight
  if not weight and #points > 4 then                  -- the length of the polyline, from node to node
    local x, y = graph:position(from)
    local last_x, last_y = graph:position(to)
    weight = 0
    for i = 3, #points - 1, 2 do
      local next_x, next_y = points[i], points[i + 1]
      if i == #points - 1 then next_x, next_y = last_x, last_y end
      weight = weight + math.sqrt((next_x - x) * (next_x - x) + (next_y - y) * (next_y - y))
      x, y = next_x, next_y
    end
  end
  local edge = graph:add_edge(from, to, { weight = weight, tag = own.tag or layer.said.tag, directed = directed })
  local closed = own.closed
  if closed == nil then closed = layer.said.closed end
  if closed then graph:close_edge(edge) end
end

--- A polygon that encloses an ellipse.
local function around(object)
  local points = {}
  local rx, ry = object.width / 2, object.height / 2
  local wider = 1 / math.cos(math.pi / ELLIPSE_CORNERS)
  for i = 1, ELLIPSE_CORNERS do
    local angle = (i - 0.5) * 2 * math.pi / ELLIPSE_CORNERS
    local x, y = shapes.placed(object, rx + rx * wider * math.cos(angle), ry + ry * wider * math.sin(angle))
    points[2 * i - 1] = math.floor(x * 65536 + 0.5) / 65536
    points[2 * i] = math.floor(y * 65536 + 0.5) / 65536
  end
  return points
end

local function add_wall(walls, object)
  local points = object.points
  if object.shape == "polygon" then
    walls:add_polygon(points)
  elseif object.shape == "polyline" then
    for i = 1, #points - 3, 2 do walls:add_segment(points[i], points[i + 1], points[i + 2], points[i + 3]) end
  else
    local left, top, width, height = object.left, object.top, object.width, object.height
    local x1, y1 = shapes.placed(object, left, top)
    local x2, y2 = shapes.placed(object, left + width, top + height)
    if object.shape == "ellipse" and width == height and not object.space and not object.within then
      local x, y = shapes.middle(object)
      walls:add_circle(x, y, width / 2)
    elseif width == 0 or height == 0 then
      walls:add_segment(x1, y1, x2, y2)
    elseif object.shape == "ellipse" then
      walls:add_polygon(around(object))
    else
      local x3, y3 = shapes.placed(object, left + width, top)
      local x4, y4 = shapes.placed(object, left, top + height)
      walls:add_polygon { x1, y1, x3, y3, x2, y2, x4, y4 }
    end
  end
end

--- Closes the cells of a grid whose centre is in a wall, and puts walls between cells that a wall divides.
---@param line? number[] the ends of the only wall, if it is directed: it closes no cells, but steps from its right to
---its left
local function close_cells(grid, walls, line)
  local place, width, height = frame.of(grid), grid:width(), grid:height()
  local boxes, area, room = {}, 0, place.corners and 1 or 0.5 -- room for the way to the next cell
  for kind, points in walls:each() do
    if kind == "circle" then
      local x, y, r = points[1], points[2], points[3]
      points = { x - r, y - r, x + r, y - r, x + r, y + r, x - r, y + r }
    end
    local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
    for i = 1, #points, 2 do
      local u, v = frame.to_cells(place, points[i], points[i + 1])
      left, right, top, bottom = math.min(left, u), math.max(right, u), math.min(top, v), math.max(bottom, v)
    end
    local box = { math.max(math.ceil(left - room), 1), math.max(math.ceil(top - room), 1),
      math.min(math.floor(right + room), width), math.min(math.floor(bottom + room), height) }
    boxes[#boxes + 1] = box
    area = area + math.max(box[3] - box[1] + 1, 0) * math.max(box[4] - box[2] + 1, 0)
  end
  if area > width * height then boxes = { { 1, 1, width, height } } end -- each cell once, however they overlap

  local function each_cell(act)
    for _, box in ipairs(boxes) do
      for y = box[2], box[4] do
        for x = box[1], box[3] do act(x, y) end
      end
    end
  end
  local function divide(x1, y1, x2, y2)
    if not (grid:has(x2, y2) and grid:has(x1, y1)) or grid:is_closed(x1, y1) or grid:is_closed(x2, y2) then return end
    local px, py = grid:position(x1, y1)
    local qx, qy = grid:position(x2, y2)
    if walls:clear(px, py, qx, qy) then return end
    local to_right = line and (line[3] - line[1]) * (qy - py) - (line[4] - line[2]) * (qx - px) > 0
    if to_right then x1, y1, x2, y2 = x2, y2, x1, y1 end
    grid:wall(x1, y1, x2, y2, true, { directed = line ~= nil })
  end
  if not line then
    each_cell(function(x, y)
      local px, py = grid:position(x, y)
      if not walls:clear(px, py, px, py) then grid:close(x, y) end
    end)
  end
  each_cell(function(x, y)
    if place.corners then
      for side = 2, 4 do divide(x, y, frame.side(place, x, y, side)) end
      return
    end
    divide(x, y, x + 1, y)
    divide(x, y, x, y + 1)
    -- The corner of a closed cell is no wall: `diagonals` tells whether steps pass it.
    if grid:has(x + 1, y + 1) and not grid:is_closed(x + 1, y) and not grid:is_closed(x, y + 1)
      and not grid:is_closed(x, y) and not grid:is_closed(x + 1, y + 1) then
      divide(x, y, x + 1, y + 1)
      divide(x + 1, y, x, y + 1)
    end
  end)
end

--- Whether an object is a directed wall.
local function is_directed(object)
  if not (object.role == "wall" or object.parts) then return false end
  if not flag(object.place .. ": properties", object.properties, "directed") then return false end
  if object.shape ~= "polyline" then bad(object.place, "a directed wall must be a polyline") end
  return true
end

--- Makes the graph, the walls and the names, and closes cells under objects that block.
function objects.make(state, layers, result)
  local edges, lines, blocking = {}, {}, core.walls()
  for _, layer in ipairs(layers) do
    for i, source in each(layer.place, list(layer.place, layer.source, "objects", true), "objects") do
      local id = type(source.id) == "number" and source.id or i
      local object = read_object(state, layer, source, layer.place .. ", object " .. format.number(id))
      if object.name and not result.names[object.name] then
        local x, y = shapes.middle(object)
        result.names[object.name] = { x = x, y = y }
      end
      if object.role == "node" then
        add_node(state, result, object)
      elseif object.role == "edge" then
        edges[#edges + 1] = { layer, object }         -- added when all nodes exist
      elseif is_directed(object) then
        local points = object.points
        for k = 1, #points - 3, 2 do lines[#lines + 1] = { points[k], points[k + 1], points[k + 2], points[k + 3] } end
      elseif object.role == "wall" or object.parts then
        result.walls = result.walls or core.walls()
        for _, part in ipairs(object.parts or { object }) do
          add_wall(result.walls, part)
          if object.parts then add_wall(blocking, part) end
        end
      end
    end
  end
  if result.grid and blocking:count() > 0 then close_cells(result.grid, blocking) end
  for _, line in ipairs(result.grid and lines or {}) do
    local wall = core.walls()
    wall:add_segment(line[1], line[2], line[3], line[4])
    close_cells(result.grid, wall, line)
  end
  -- Find all ends first: `nearest` is slower after each change of the graph.
  for _, pair in ipairs(edges) do find_ends(result.graph, pair[2]) end
  for _, pair in ipairs(edges) do add_edge(state, result.graph, pair[1], pair[2]) end
end

return objects
