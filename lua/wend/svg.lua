-- SPDX-License-Identifier: MIT
--- wend.svg: a picture of a map as an SVG document.
--
-- Everything is placed in the world first, then on the picture: `view` does the one to the other. What looks the same
-- goes into one <path> element: a graph of 10,000 nodes is a few dozen elements, and a designer can pick up all of a
-- tag at once. Numbers are formatted by hand, so that every Lua writes the same bytes.

local core = require "wend.core"
local check = require "wend.check"
local costs = require "wend.costs"

local graph_metatable = getmetatable(core.graph())
local grid_metatable = getmetatable(core.grid(1, 1))
local costs_metatable = getmetatable(costs.new())

local OPTIONS = { "path", "route", "points", "field", "walls", "costs", "agent", "width", "labels", "legend", "title" }

local MARGIN, TALLEST = 28, 1.5 -- around the map in pixels; how high it may be, in widths
local PAPER, FLOOR, INK, SOLID, GREY = "#ffffff", "#f4f2ec", "#2b2f3a", "#474c59", "#a9adb6"
-- Colours that people with any kind of colour blindness tell apart: M. Okabe and K. Ito (2002), then some of P. Tol's.
local TAGS = { "#e69f00", "#009e73", "#0072b2", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#332288", "#882255",
  "#117733", "#aa8866", "#44aa99" }
local PATHS = { "#d4003c", "#6a00b8", "#004fd6", "#00707a", "#8a4b00", "#1a1a1a" }
-- From near to far: ColorBrewer's YlGnBu, without its darkest, which would look like walls.
local HEAT = { "#ffffd0", "#d5eeb3", "#a0dab8", "#62c3be", "#30a4c2", "#2079b4", "#2351a1" }
local LEVELS = 32
local FONT = 11

-- Text and numbers -------------------------------------------------------------------------------------------------

--- A decimal point whatever the locale. And nothing that lies half-way, like 0.125 with two decimals: LuaJIT rounds it
--- up, the others to the even digit.
local function formatted(format, value)
  return (format:format(value * (1 + 1e-13)):gsub(",", "."))
end

--- Two decimals at most.
local function number(value)
  local text = formatted("%.2f", value):gsub("%.?0+$", "")
  return text == "-0" and "0" or text
end

--- A scale, which may be small.
local function factor(value)
  return formatted("%.9g", value)
end

--- A cost, short.
local function amount(value, digits)
  return formatted("%." .. (digits or 5) .. "g", value)
end

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&apos;" }
local UNKNOWN = "\239\191\189" -- U+FFFD

--- The length of the character that begins there, nil where XML or UTF-8 know of none.
local function character(text, at)
  local first, second, third, fourth = text:byte(at, at + 3)
  local function follows(byte)
    return byte and byte >= 0x80 and byte < 0xC0
  end
  if first < 0x80 then
    return (first >= 0x20 and first ~= 0x7F or first == 9 or first == 10) and 1 or nil
  elseif first < 0xC2 or not follows(second) then
    return nil
  elseif first < 0xE0 then
    return 2
  elseif not follows(third) then
    return nil
  elseif first < 0xF0 then
    local overlong, surrogate = first == 0xE0 and second < 0xA0, first == 0xED and second >= 0xA0
    local no_character = first == 0xEF and second == 0xBF and third >= 0xBE
    return not (overlong or surrogate or no_character) and 3 or nil
  end
  local overlong, beyond = first == 0xF0 and second < 0x90, first == 0xF4 and second >= 0x90
  return first < 0xF5 and follows(fourth) and not (overlong or beyond) and 4 or nil
end

--- A name as XML may hold it. Names are bytes: what is no text becomes a question mark.
local function escaped(text)
  if text:find "[%z\1-\31\127-\255]" then
    local parts, at = {}, 1
    while at <= #text do
      local length = character(text, at)
      parts[#parts + 1] = length and text:sub(at, at + length - 1) or UNKNOWN
      at = at + (length or 1)
    end
    text = table.concat(parts)
  end
  return (text:gsub("[&<>\"']", ESCAPES))
end

--- About how wide it is, in pixels.
local function text_width(text, size)
  local _, continued = text:gsub("[\128-\191]", "")
  return (#text - continued) * size * 0.58
end

-- Colours ----------------------------------------------------------------------------------------------------------

local function mix(a, b, share)
  local text = "#"
  for at = 2, 6, 2 do
    local from, to = tonumber(a:sub(at, at + 1), 16), tonumber(b:sub(at, at + 1), 16)
    text = text .. ("%02x"):format(math.floor(from + (to - from) * share + 0.5))
  end
  return text
end

--- The colour of the i-th tag. After the good ones, hues as far apart from each other as can be.
local function tag_colour(i)
  if TAGS[i] then
    return TAGS[i]
  end
  local hue, text = i * 0.618033988749895 % 1 * 6, "#"
  for _, shift in ipairs { 0, 4, 2 } do
    local distance = math.abs((hue + shift) % 6 - 3)
    text = text .. ("%02x"):format(math.floor(50 + 140 * math.min(math.max(distance - 1, 0), 1) + 0.5))
  end
  return text
end

--- Of a share of 0 to 1: one of LEVELS.
local function heat_level(share)
  return math.max(1, math.min(LEVELS, math.floor(share * LEVELS) + 1))
end

local function heat(level)
  local at = (level - 1) / (LEVELS - 1) * (#HEAT - 1)
  local below = math.min(math.floor(at), #HEAT - 2)
  return mix(HEAT[below + 1], HEAT[below + 2], at - below)
end

-- What was asked for -----------------------------------------------------------------------------------------------

local function has_methods(value, ...)
  local kind = type(value)
  if kind ~= "table" and kind ~= "userdata" then
    return false
  end
  for _, name in ipairs { ... } do
    local ok, method = pcall(function() return value[name] end)
    if not ok or type(method) ~= "function" then
      return false
    end
  end
  return true
end

local function wanted(what, must, got)
  check.fail("%s must be %s, got %s", what, must, check.describe(got))
end

local function boolean(options, name, default)
  local value = options[name]
  if value == nil then
    return default
  elseif type(value) ~= "boolean" then
    wanted(name, "a boolean", value)
  end
  return value
end

--- One thing or a list of things: a list. is_one says whether it is one.
local function listed(value, is_one)
  if value == nil then
    return {}
  end
  return is_one(value) and { value } or value
end

--- Lines of points, each { x, y, x, y, … } with a cost where it was a route.
local function lines_of(value, what, dimensions)
  if value ~= nil and type(value) ~= "table" then
    wanted(what, "a flat list of coordinates, or a list of such lists", value)
  end
  local lines = {}
  for _, points in ipairs(listed(value, function(v) return type(v[1]) ~= "table" end)) do
    if type(points) ~= "table" then
      wanted(what, "a flat list of coordinates, or a list of such lists", value)
    end
    local step = points.dimensions or dimensions
    if step ~= 2 and step ~= 3 then
      wanted("dimensions of " .. what, "2 or 3", step)
    end
    if #points % step ~= 0 then
      check.fail("%s must have %d numbers a point, got %d numbers", what, step, #points)
    end
    local line = { cost = type(points.cost) == "number" and points.cost or nil, what = what }
    for i = 1, #points, step do
      for axis = 0, 1 do
        local v = points[i + axis]
        if type(v) ~= "number" or not (math.abs(v) <= 1e150) then
          wanted(("%s[%d]"):format(what, i + axis), "a coordinate within 1e150", v)
        end
        line[#line + 1] = v
      end
    end
    lines[#lines + 1] = line
  end
  return lines
end

local function paths_of(value, map)
  local function is_path(v) return type(v) == "table" and (v.map ~= nil or has_methods(v, "each", "points")) end
  if value ~= nil and type(value) ~= "table" then
    wanted("path", "a path, or a list of paths", value)
  end
  local paths = listed(value, is_path)
  for _, path in ipairs(paths) do
    if not is_path(path) then
      wanted("path", "a path, or a list of paths", path)
    elseif path.map ~= map or map == nil then
      check.fail "path must be one of this map"
    end
  end
  return paths
end

local function read_options(x, options)
  check.options(options, OPTIONS)
  options = options or {}
  local meta = getmetatable(x)
  local asked = { title = options.title, costs = options.costs, agent = options.agent }
  if meta == graph_metatable then
    asked.graph = x
  elseif meta == grid_metatable then
    asked.grid = x
  elseif x ~= nil and has_methods(x, "each", "clear", "count") then
    asked.walls = x
  elseif x ~= nil then
    wanted("x", "a graph, a grid or walls", x)
  end
  if options.walls ~= nil then
    if not has_methods(options.walls, "each", "clear", "count") then
      wanted("walls", "made by wend.walls", options.walls)
    end
    asked.walls = options.walls
  end
  if asked.title ~= nil and type(asked.title) ~= "string" then
    wanted("title", "a string", asked.title)
  end
  if asked.costs ~= nil and getmetatable(asked.costs) ~= costs_metatable then
    wanted("costs", "a profile made by wend.costs", asked.costs)
  end
  asked.width = options.width == nil and 800 or options.width
  if type(asked.width) ~= "number" or not (asked.width >= 100 and asked.width <= 1e5) then
    wanted("width", "a number in 100 .. 100000", asked.width)
  end
  asked.labels, asked.legend = boolean(options, "labels", true), boolean(options, "legend", true)
  asked.paths = paths_of(options.path, asked.graph or asked.grid)
  asked.lines = lines_of(options.route, "route", x and asked.graph and x:dimensions() or 2)
  for _, line in ipairs(lines_of(options.points, "points", x and asked.graph and x:dimensions() or 2)) do
    asked.lines[#asked.lines + 1] = line
  end
  asked.field = options.field
  if asked.field ~= nil and not (has_methods(asked.field, "each", "stale") and (asked.graph or asked.grid)) then
    wanted("field", "a field of this map", asked.field)
  end
  return asked
end

-- From the world to the picture ------------------------------------------------------------------------------------

local view_methods = {}
view_methods.__index = view_methods

local function new_view()
  return setmetatable({ least_x = math.huge, least_y = math.huge, most_x = -math.huge, most_y = -math.huge },
    view_methods)
end

function view_methods:see(x, y, around)
  around = math.min(around or 0, 1e150) -- whatever is wider fills the picture anyway
  self.least_x, self.most_x = math.min(self.least_x, x - around), math.max(self.most_x, x + around)
  self.least_y, self.most_y = math.min(self.least_y, y - around), math.max(self.most_y, y + around)
end

--- After all was seen: how large the map becomes on a picture of that width.
function view_methods:fit(width, top)
  if self.least_x > self.most_x then
    self:see(0, 0)
  end
  local wide, high = self.most_x - self.least_x, self.most_y - self.least_y
  self.room = width - 2 * MARGIN
  self.span = math.max(wide, high / TALLEST)
  if self.span == 0 then
    self.span = 1
  end
  self.left = MARGIN + (self.room - wide / self.span * self.room) / 2
  self.top = top
  self.width, self.height = wide / self.span * self.room, high / self.span * self.room
end

function view_methods:length(length)
  return length / self.span * self.room
end

function view_methods:place(x, y)
  return self.left + (x - self.least_x) / self.span * self.room,
    self.top + (y - self.least_y) / self.span * self.room
end

-- The document ------------------------------------------------------------------------------------------------------

local function add(page, text, ...)
  page[#page + 1] = select("#", ...) > 0 and text:format(...) or text
end

--- A line in the legend; sample(x, y) draws into 26 x 12 pixels with the middle of its left side there.
local function explain(page, text, sample)
  page.legend[#page.legend + 1] = { text = text, sample = sample }
end

local function line_sample(attributes)
  return function(x, y)
    return ('<path d="M%s %sh26" fill="none" %s/>'):format(number(x), number(y), attributes)
  end
end

local function box_sample(attributes)
  return function(x, y)
    return ('<rect x="%s" y="%s" width="26" height="12" %s/>'):format(number(x), number(y - 6), attributes)
  end
end

local function arrow(x, y, dx, dy, size)
  return ("M%s %sL%s %sL%s %sz"):format(number(x + dx * size), number(y + dy * size),
    number(x - dx * size - dy * size * 0.8), number(y - dy * size + dx * size * 0.8),
    number(x - dx * size + dy * size * 0.8), number(y - dy * size - dx * size * 0.8))
end

-- Walls, paths, lines ----------------------------------------------------------------------------------------------

local function polyline(view, points)
  local parts = {}
  for i = 1, #points, 2 do
    local x, y = view:place(points[i], points[i + 1])
    parts[#parts + 1] = (i == 1 and "M" or "L") .. number(x) .. " " .. number(y)
  end
  return table.concat(parts)
end

--- Calls fn with each wall's kind and its points, or x, y, r.
local function each_wall(walls, fn)
  for kind, numbers in walls:each() do
    fn(kind, numbers)
  end
end

local function see_walls(view, walls)
  each_wall(walls, function(kind, numbers)
    if kind == "circle" then
      view:see(numbers[1], numbers[2], numbers[3])
    else
      for i = 1, #numbers, 2 do
        view:see(numbers[i], numbers[i + 1])
      end
    end
  end)
end

local function draw_walls(page, view, walls)
  local segments, any = {}, false
  add(page, '<g stroke="%s" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" fill="%s">', INK, SOLID)
  each_wall(walls, function(kind, numbers)
    any = true
    if kind == "segment" then
      segments[#segments + 1] = polyline(view, numbers)
    elseif kind == "polygon" then
      add(page, '<path fill-rule="evenodd" d="%sz"/>', polyline(view, numbers))
    elseif kind == "circle" then
      local x, y = view:place(numbers[1], numbers[2])
      add(page, '<circle cx="%s" cy="%s" r="%s"/>', number(x), number(y), number(view:length(numbers[3])))
    end
  end)
  if #segments > 0 then
    add(page, '<path d="%s"/>', table.concat(segments))
  end
  add(page, "</g>")
  if any then
    explain(page, "wall", line_sample(('stroke="%s" stroke-width="4" stroke-linecap="round"'):format(INK)))
  end
end

--- Ways to draw: { d =, x1 =, y1 =, x2 =, y2 =, text = }. Where several share a stretch, the earlier ones show beside
--- the later ones, because they are wider.
local function draw_ways(page, ways, width)
  local function wide(i)
    return width + math.min(#ways - i, 5) * math.max(1.2, width * 0.6)
  end
  add(page, '<g fill="none" stroke-linejoin="round" stroke-linecap="round">')
  for i, way in ipairs(ways) do
    if way.d then
      add(page, '<path d="%s" stroke="%s" stroke-opacity="0.85" stroke-width="%s"/>', way.d, PAPER,
        number(wide(i) + math.max(1.5, width * 0.7)))
    end
  end
  for i, way in ipairs(ways) do
    way.colour = PATHS[(i - 1) % #PATHS + 1]
    if way.d then
      add(page, '<path d="%s" stroke="%s" stroke-width="%s"><title>%s</title></path>', way.d, way.colour,
        number(wide(i)), escaped(way.text))
    end
    if i <= 12 then
      explain(page, way.text, line_sample(('stroke="%s" stroke-width="4"'):format(way.colour)))
    end
  end
  add(page, "</g>")
end

--- Where they begin (a ring) and end (a disc); inner: what will be drawn inside of that.
local function draw_ends(page, ways, width, inner)
  width = math.min(width, 4)
  for _, way in ipairs(ways) do
    if way.d then
      add(page, '<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-width="%s"/>', number(way.x1),
        number(way.y1), number(inner + width * 0.8), PAPER, way.colour, number(width * 0.7))
      add(page, '<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-width="%s"/>', number(way.x2),
        number(way.y2), number(inner + width * 0.9), way.colour, PAPER, number(width * 0.5))
    end
  end
end

--- What to call the i-th of several.
local function way_text(what, i, count, cost)
  return what .. (count > 1 and " " .. i or "") .. (cost and ", cost " .. amount(cost) or "")
end

local function draw_lines(view, lines, ways)
  local counts, numbers = {}, {}
  for _, line in ipairs(lines) do
    counts[line.what] = (counts[line.what] or 0) + 1
  end
  for _, line in ipairs(lines) do
    numbers[line.what] = (numbers[line.what] or 0) + 1
    local way = { text = way_text(line.what, numbers[line.what], counts[line.what], line.cost) }
    if #line >= 2 then
      way.d = polyline(view, line)
      way.x1, way.y1 = view:place(line[1], line[2])
      way.x2, way.y2 = view:place(line[#line - 1], line[#line])
    end
    ways[#ways + 1] = way
  end
end

-- Fields -----------------------------------------------------------------------------------------------------------

local function field_range(field, fits)
  local least, most = math.huge, -math.huge
  for a, b, c in field:each() do
    if not fits(a, b, c) then
      check.fail "field must be one of this map"
    end
    local cost = c or b
    least, most = math.min(least, cost), math.max(most, cost)
  end
  return least, most
end

local function explain_field(page, least, most)
  if least > most then
    return
  end
  local text = least == most and "field: " .. amount(least) or ("field: %s to %s"):format(amount(least), amount(most))
  explain(page, text, function(x, y)
    local boxes = {}
    for i = 0, 12 do
      boxes[#boxes + 1] = ('<rect x="%s" y="%s" width="2" height="12" fill="%s"/>'):format(number(x + i * 2),
        number(y - 6), heat(heat_level(i / 12)))
    end
    return table.concat(boxes)
  end)
end

-- Tags -------------------------------------------------------------------------------------------------------------

--- tags: a set; a table of their colours, and their names sorted.
local function colours_of(tags)
  local names, colours = {}, {}
  for name in pairs(tags) do
    names[#names + 1] = name
  end
  table.sort(names)
  for i, name in ipairs(names) do
    colours[name] = tag_colour(i)
  end
  return colours, names
end

-- Graphs -----------------------------------------------------------------------------------------------------------

--- Where each node is. Those without a position stand on a circle around the others.
local function place_nodes(graph)
  local nodes, lost, view = {}, {}, new_view()
  for id in graph:nodes() do
    local x, y, z = graph:position(id)
    local node = { id = id, x = x, y = y, z = z, name = graph:name(id), closed = graph:is_closed(id) }
    node.radius = graph:radius(id)
    nodes[#nodes + 1] = node
    if x then
      view:see(x, y)
    else
      lost[#lost + 1] = node
    end
  end
  local middle_x, middle_y, radius = 0, 0, 1
  if #lost < #nodes then
    local wide, high = view.most_x - view.least_x, view.most_y - view.least_y
    middle_x, middle_y = view.least_x + wide / 2, view.least_y + high / 2
    radius = math.max(wide, high) * 0.75
    radius = radius > 0 and radius or 1
  end
  for i, node in ipairs(lost) do
    local angle = ((i - 1) / #lost - 0.25) * 2 * math.pi -- the first on top, then clockwise
    node.x, node.y = middle_x + radius * math.cos(angle), middle_y + radius * math.sin(angle)
    if #lost == 1 and #nodes == 1 then
      node.x, node.y = 0, 0
    end
  end
  return nodes
end

--- For each edge whether the agent may take it: a search that begins at every node asks about every edge.
local function open_for(graph, nodes, asked)
  local forward, backward, ids = {}, {}, {}
  for i, node in ipairs(nodes) do
    ids[i] = node.id
  end
  if #ids > 0 then
    local function ask(_, cost, _, from, to, edge)
      if cost < math.huge then
        local ends = graph:edge(edge)
        if ends.from == from and ends.to == to then
          forward[edge] = true
        else
          backward[edge] = true
        end
      end
    end
    assert(graph:field(ids, { outward = true, costs = asked.costs, agent = asked.agent, cost = ask }))
  end
  return forward, backward
end

--- All edges by id. Two of a tag that lead one way each, there and back, are drawn as one that leads both.
local function collect_edges(graph, nodes, by_id, asked)
  local edges = {}
  for _, node in ipairs(nodes) do
    for id in graph:edges(node.id) do
      local edge = not edges[id] and graph:edge(id)
      if edge and edge.from == node.id then
        edge.id = id
        edges[id] = edge
      end
    end
  end
  local ids = {}
  for id in pairs(edges) do
    ids[#ids + 1] = id
  end
  table.sort(ids)
  local forward, backward
  if asked.costs ~= nil then
    forward, backward = open_for(graph, nodes, asked)
  end
  local pairs_of, order = {}, {}
  for i, id in ipairs(ids) do
    local edge = edges[id]
    local a, b = by_id[edge.from], by_id[edge.to]
    edge.there, edge.back = true, not edge.directed
    if forward and not edge.closed and not (a.closed or b.closed) then
      edge.there, edge.back = forward[id] or false, edge.back and backward[id] or false
      if a == b then
        edge.there = edge.there or backward[id] or false
      end
      if not edge.there and not edge.back then
        edge.there, edge.back, edge.closed = true, not edge.directed, true
      end
    end
    local low, high = math.min(a.number, b.number), math.max(a.number, b.number)
    local key = low * (#nodes + 1) + high
    local group = pairs_of[key]
    if not group then
      group = { a = a.number == low and a or b, b = a.number == low and b or a }
      pairs_of[key] = group
      order[#order + 1] = group
    end
    local twin
    for _, other in ipairs(edge.directed and a ~= b and group or {}) do
      if other.directed and not other.twinned and other.from == edge.to and other.tag == edge.tag
        and other.closed == edge.closed and not other.back and not edge.back then
        twin = other
        break
      end
    end
    if twin then
      twin.back, twin.twinned, edge.drawn_as = true, true, twin
    else
      group[#group + 1] = edge
    end
    ids[i] = edge
  end
  return edges, order
end

--- How long and thick things are drawn, by how much room a node has.
local function scale_of(view, count)
  local room = math.max(math.sqrt(view.width * view.height / math.max(count, 1)),
    math.max(view.width, view.height) / math.max(count, 1))
  if count <= 1 then
    room = 100
  end
  local function within(value, least, most) return math.max(least, math.min(most, value)) end
  return {
    node = within(room * 0.07, 0.7, 5.5), edge = within(room * 0.03, 0.3, 2.2), way = within(room * 0.08, 1.6, 7),
    arrow = within(room * 0.075, 0.9, 6), bow = within(room * 0.16, 2, 14),
  }
end

--- Gives each edge of a group its shape: `d`, the control point `cx`, `cy` of a bow, a point `mx`, `my` for the arrow
--- and the direction `dx`, `dy` there, from `from` to `to`.
local function shape_edges(group, scale)
  local a, b = group.a, group.b
  local dx, dy = b.px - a.px, b.py - a.py
  local length = math.sqrt(dx * dx + dy * dy)
  for i, edge in ipairs(group) do
    local turn = edge.from == a.id and 1 or -1
    if a == b then
      local r = scale.node + scale.bow * 0.5 * i
      edge.d = ("M%s %sa%s %s 0 1 1 0.01 0z"):format(number(a.px), number(a.py), number(r), number(r))
      edge.mx, edge.my, edge.dx, edge.dy = a.px, a.py - 2 * r, 1, 0
    elseif length > 0 then
      dx, dy = (b.px - a.px) / length, (b.py - a.py) / length
      local off = (i - (#group + 1) / 2) * math.min(scale.bow, length * 0.35)
      local ax, ay, bx, by = a.px, a.py, b.px, b.py
      edge.mx, edge.my = (ax + bx) / 2 - dy * off, (ay + by) / 2 + dx * off
      edge.dx, edge.dy = dx * turn, dy * turn
      if off == 0 then
        edge.d = ("M%s %sL%s %s"):format(number(ax), number(ay), number(bx), number(by))
      else
        edge.cx, edge.cy = (ax + bx) / 2 - dy * off * 2, (ay + by) / 2 + dx * off * 2
        edge.d = ("M%s %sQ%s %s %s %s"):format(number(ax), number(ay), number(edge.cx), number(edge.cy), number(bx),
          number(by))
      end
      edge.size = math.min(scale.arrow, length * 0.25)
    end
  end
end

local function draw_edges(page, groups, scale)
  local tags, lines, arrows = {}, {}, {}
  local plain, closed_any, arrow_any = false, false, false
  for _, group in ipairs(groups) do
    for _, edge in ipairs(group) do
      if edge.tag then
        tags[edge.tag] = true
      end
      local key = (edge.closed and "closed" or "open") .. (edge.tag and " " .. edge.tag or "")
      plain = plain or not (edge.tag or edge.closed)
      closed_any = closed_any or edge.closed
      if edge.d then
        lines[key] = lines[key] or {}
        table.insert(lines[key], edge.d)
        if edge.there ~= edge.back then
          local turn = edge.there and 1 or -1
          arrows[key] = arrows[key] or {}
          table.insert(arrows[key], arrow(edge.mx, edge.my, edge.dx * turn, edge.dy * turn, edge.size or scale.arrow))
          arrow_any = true
        end
      end
    end
  end
  local colours, names = colours_of(tags)
  local stroke = 'stroke="%s" stroke-width="%s"'
  local dashes = ('stroke-dasharray="%s %s"'):format(number(scale.edge * 2.2), number(scale.edge * 2.2))

  local function draw(key, colour, dashed, title)
    if lines[key] then
      add(page, '<path d="%s" %s%s>%s</path>', table.concat(lines[key]), stroke:format(colour, number(scale.edge)),
        dashed and " " .. dashes or "", title and "<title>" .. escaped(title) .. "</title>" or "")
    end
    if arrows[key] then
      add(page, '<path d="%s" fill="%s"/>', table.concat(arrows[key]), colour)
    end
  end
  add(page, '<g fill="none">')
  draw("closed", GREY, true, "closed")
  for _, name in ipairs(names) do
    draw("closed " .. name, mix(colours[name], GREY, 0.6), true, name .. ", closed")
  end
  draw("open", "#7d828d", false)
  for _, name in ipairs(names) do
    draw("open " .. name, colours[name], false, name)
  end
  add(page, "</g>")

  for _, name in ipairs(names) do
    explain(page, name, line_sample(('stroke="%s" stroke-width="4"'):format(colours[name])))
  end
  if plain and #names > 0 then
    explain(page, "no tag", line_sample 'stroke="#7d828d" stroke-width="3"')
  end
  if arrow_any then
    explain(page, "one way", function(x, y)
      return ('<path d="M%s %sh26" stroke="%s" stroke-width="2"/><path d="%s" fill="%s"/>'):format(number(x), number(y),
        INK, arrow(x + 13, y, 1, 0, 5), INK)
    end)
  end
  if closed_any then
    explain(page, "closed", line_sample(('stroke="%s" stroke-width="3" stroke-dasharray="5 4"'):format(GREY)))
  end
end

-- Labels -----------------------------------------------------------------------------------------------------------

local CROWD = 32 -- pixels: what is near is looked up in squares of that size

--- Things in the way of labels: boxes that weigh something.
local function block(crowd, x1, y1, x2, y2, weight)
  local box = { x1, y1, x2, y2, weight }
  for column = math.floor(x1 / CROWD), math.floor(x2 / CROWD) do
    for row = math.floor(y1 / CROWD), math.floor(y2 / CROWD) do
      local key = column * 65536 + row
      crowd[key] = crowd[key] or {}
      table.insert(crowd[key], box)
    end
  end
end

local function blocked(crowd, x1, y1, x2, y2)
  local sum, seen = 0, {}
  for column = math.floor(x1 / CROWD), math.floor(x2 / CROWD) do
    for row = math.floor(y1 / CROWD), math.floor(y2 / CROWD) do
      for _, box in ipairs(crowd[column * 65536 + row] or {}) do
        if not seen[box] and box[1] < x2 and box[3] > x1 and box[2] < y2 and box[4] > y1 then
          seen[box] = true
          sum = sum + box[5]
        end
      end
    end
  end
  return sum
end

local SIDES = { { 1, 0 }, { -1, 0 }, { 0, -1 }, { 0, 1 }, { 0.8, -0.8 }, { 0.8, 0.8 }, { -0.8, -0.8 }, { -0.8, 0.8 } }

--- Names of nodes, each on the side where there is room; one that would lie on another is left out.
local function draw_labels(page, view, nodes, groups, values)
  local texts, crowd = {}, {}
  for _, node in ipairs(nodes) do
    local text = node.name
    if values[node.id] and (node.name or #nodes <= 200) then
      text = (text and text .. " " or "") .. amount(values[node.id], 4)
    end
    if text then
      texts[#texts + 1] = { node = node, text = text }
    end
    local r = math.max(node.r, node.around or 0)
    block(crowd, node.px - r, node.py - r, node.px + r, node.py + r, 6)
  end
  if #texts == 0 then
    return
  end
  if #nodes <= 2000 then
    for _, group in ipairs(groups) do
      local dx, dy = group.b.px - group.a.px, group.b.py - group.a.py
      local steps = math.floor(math.sqrt(dx * dx + dy * dy) / 6)
      for i = 1, steps - 1 do
        local x, y = group.a.px + dx * i / steps, group.a.py + dy * i / steps
        block(crowd, x - 1, y - 1, x + 1, y + 1, 1)
      end
    end
  end
  add(page, '<g font-size="%d" fill="%s" stroke="%s" stroke-width="3" stroke-linejoin="round" paint-order="stroke">',
    FONT, INK, PAPER)
  for _, label in ipairs(texts) do
    local node, wide = label.node, text_width(label.text, FONT)
    local best, best_x, best_y, best_side = math.huge, 0, 0, 0
    for _, side in ipairs(SIDES) do
      local gap = math.max(node.r, node.around or 0) + 4
      local x = node.px + side[1] * gap + (side[1] > 0 and 0 or side[1] < 0 and -wide or -wide / 2)
      local y = node.py + side[2] * (gap + FONT * 0.45)
      local score = blocked(crowd, x - 1, y - FONT * 0.55, x + wide + 1, y + FONT * 0.55)
      if x < 2 or x + wide > view.room + 2 * MARGIN - 2 or y < view.top - MARGIN + FONT then
        score = score + 50
      end
      if score < best then
        best, best_x, best_y, best_side = score, x, y, side[1]
      end
    end
    if best < 100 then
      block(crowd, best_x - 2, best_y - FONT * 0.6, best_x + wide + 2, best_y + FONT * 0.6, 100)
      -- Widths are guesses: the side at the node is the one that has to be right.
      local anchor, shift = "", 0
      if best_side < 0 then
        anchor, shift = ' text-anchor="end"', wide
      elseif best_side == 0 then
        anchor, shift = ' text-anchor="middle"', wide / 2
      end
      add(page, '<text x="%s" y="%s"%s>%s</text>', number(best_x + shift), number(best_y + FONT * 0.36), anchor,
        escaped(label.text))
    end
  end
  add(page, "</g>")
end

-- A graph ----------------------------------------------------------------------------------------------------------

local function path_way(path, by_id, edges, scale)
  local way, parts = {}, {}
  local taken = path:edges()
  for i, id in ipairs(path) do
    local node, edge = by_id[id], edges[taken[i - 1]]
    if not node then
      check.fail("path must lead over nodes that are there, node %s is gone", number(id))
    end
    edge = edge and edge.drawn_as or edge
    if i == 1 then
      parts[i] = ("M%s %s"):format(number(node.px), number(node.py))
      way.x1, way.y1 = node.px, node.py
    elseif edge and edge.cx then
      parts[i] = ("Q%s %s %s %s"):format(number(edge.cx), number(edge.cy), number(node.px), number(node.py))
    else
      parts[i] = ("L%s %s"):format(number(node.px), number(node.py))
    end
    way.x2, way.y2 = node.px, node.py
  end
  if #parts > 0 then
    way.d = table.concat(parts)
    local around = scale.node + math.min(scale.way, 4) * 1.2
    by_id[path[1]].around, by_id[path[#path]].around = around, around
  end
  return way
end

local function draw_nodes(page, nodes, scale, values, least, most)
  local discs, closed_any = {}, false
  local function disc(key, node)
    discs[key] = discs[key] or {}
    local r = number(node.r)
    -- two half circles
    table.insert(discs[key], ("M%s %sa%s %s 0 1 1 %s 0a%s %s 0 1 1 %s 0z"):format(number(node.px - node.r),
      number(node.py), r, r, number(2 * node.r), r, r, number(-2 * node.r)))
  end
  for _, node in ipairs(nodes) do
    local value = values[node.id]
    closed_any = closed_any or node.closed
    if node.closed then
      disc("closed", node)
    elseif value then
      disc(heat_level(most > least and (value - least) / (most - least) or 0), node)
    else
      disc(node.name and "named" or "plain", node)
    end
  end
  local thin = number(math.min(1.4, scale.node * 0.35))
  local function draw(key, attributes)
    if discs[key] then
      add(page, '<path d="%s" %s/>', table.concat(discs[key]), attributes)
    end
  end
  draw("plain", ('fill="%s"'):format(SOLID))
  draw("named", ('fill="%s" stroke="%s" stroke-width="%s"'):format(PAPER, INK, thin))
  for level = 1, LEVELS do
    draw(level, ('fill="%s" stroke="%s" stroke-width="%s"'):format(heat(level), mix(heat(level), INK, 0.6), thin))
  end
  local look = 'fill="#e4e5e9" stroke="#858a95" stroke-width="%s" stroke-dasharray="%s %s"'
  draw("closed", look:format(thin, number(scale.node * 0.7), number(scale.node * 0.5)))
  if closed_any then
    explain(page, "closed node", function(x, y)
      return ('<circle cx="%s" cy="%s" r="5" %s/>'):format(number(x + 13), number(y), look:format("1.4", "3", "2"))
    end)
  end
end

local function see_graph(asked, view)
  local graph = asked.graph
  local nodes, by_id = place_nodes(graph), {}
  for i, node in ipairs(nodes) do
    node.number = i
    by_id[node.id] = node
    view:see(node.x, node.y, node.radius)
  end
  return nodes, by_id
end

local function draw_graph(page, view, asked, nodes, by_id)
  local graph, scale = asked.graph, scale_of(view, #nodes)
  local values, least, most = {}, math.huge, -math.huge
  if asked.field then
    least, most = field_range(asked.field, function(node, _, third) return third == nil and by_id[node] end)
    for node, cost in asked.field:each() do
      values[node] = cost
    end
  end
  local rooms = {}
  for _, node in ipairs(nodes) do
    node.px, node.py = view:place(node.x, node.y)
    node.r = scale.node * (values[node.id] and (scale.node < 2 and 1.8 or 1.3) or 1)
    if node.radius > 0 then
      rooms[#rooms + 1] = ('<circle cx="%s" cy="%s" r="%s"/>'):format(number(node.px), number(node.py),
        number(view:length(node.radius)))
    end
  end
  if #rooms > 0 then
    add(page, '<g fill="#dfe3ea" opacity="0.6">%s</g>', table.concat(rooms))
  end
  local edges, groups = collect_edges(graph, nodes, by_id, asked)
  if graph:dimensions() == 3 then
    -- Seen from above: what is higher is drawn later.
    local function height(group) return math.max(group.a.z or 0, group.b.z or 0) end
    table.sort(groups, function(one, other)
      local a, b = height(one), height(other)
      if a ~= b then
        return a < b
      elseif one.a ~= other.a then
        return one.a.number < other.a.number
      end
      return one.b.number < other.b.number
    end)
  end
  for _, group in ipairs(groups) do
    shape_edges(group, scale)
  end
  if asked.walls then
    draw_walls(page, view, asked.walls)
  end
  -- Paths are bands below the edges, so that one sees what they lead over.
  local ways = {}
  for i, path in ipairs(asked.paths) do
    ways[i] = path_way(path, by_id, edges, scale)
    ways[i].text = way_text("path", i, #asked.paths, path.cost)
  end
  draw_lines(view, asked.lines, ways)
  draw_ways(page, ways, scale.way)
  draw_edges(page, groups, scale)
  explain_field(page, least, most)
  draw_ends(page, ways, scale.way, scale.node)
  draw_nodes(page, nodes, scale, values, least, most)
  if asked.labels then
    draw_labels(page, view, nodes, groups, values)
  end
end

-- Grids ------------------------------------------------------------------------------------------------------------

--- Where the upper left corner of cell (1,1) lies in the world, and how wide a cell is there.
local function frame_of(grid)
  local wide, high = grid:width(), grid:height()
  local function middle(x, y)
    local points = grid:path(x, y, x, y):points()
    return points[1], points[2]
  end
  local x, y = middle(1, 1)
  local cell
  if wide > 1 or high > 1 then
    local x2, y2 = middle(wide, high)
    cell = wide > 1 and (x2 - x) / (wide - 1) or (y2 - y) / (high - 1)
  else
    -- The only cell: as far as it reaches to the left.
    local inside, outside = 0, 1
    while grid:cell_at(x - outside, y) do
      inside, outside = outside, outside * 2
    end
    for _ = 1, 60 do
      local half = (inside + outside) / 2
      if grid:cell_at(x - half, y) then
        inside = half
      else
        outside = half
      end
    end
    cell = 2 * outside
  end
  return x - cell / 2, y - cell / 2, cell
end

--- A function that says whether the agent may step onto a cell that is open for others.
local function opener(grid, asked)
  local wide, high = grid:width(), grid:height()
  local profile = { costs = asked.costs, agent = asked.agent }
  local by_cell = false
  for _, rule in ipairs(asked.costs:rules()) do
    by_cell = by_cell or rule.tag == nil
  end
  if by_cell then -- a rule about steps: whether any step leads there
    return function(x, y)
      return x > 1 and grid:clear(x - 1, y, x, y, profile) or y > 1 and grid:clear(x, y - 1, x, y, profile)
        or x < wide and grid:clear(x + 1, y, x, y, profile) or y < high and grid:clear(x, y + 1, x, y, profile)
        or wide == 1 and high == 1
    end
  end
  local probe, known, none = core.grid(2, 1), {}, {}
  return function(_, _, _, tag)
    local key = tag or none
    if known[key] == nil then
      probe:set(2, 1, { tag = tag })
      known[key] = probe:clear(1, 1, 2, 1, profile)
    end
    return known[key]
  end
end

--- Merges equal cells, first along rows, then downward. key(x, y): what the cell looks like, nil for nothing. Calls
--- emit(key, x, y, wide, high), in cells counted from 0.
local function merge(wide, high, key, emit)
  local before = {} -- by x: { key, wide, y } of runs that the row above ended with
  for y = 0, high do
    local now, x = {}, 0
    while y < high and x < wide do
      local what, first = key(x + 1, y + 1), x
      x = x + 1
      if what ~= nil then
        while x < wide and key(x + 1, y + 1) == what do
          x = x + 1
        end
        now[first] = { what, x - first, y }
      end
    end
    for first = 0, wide - 1 do
      local old, new = before[first], now[first]
      if old and new and old[1] == new[1] and old[2] == new[2] then
        new[3] = old[3]
      elseif old then
        emit(old[1], first, old[3], old[2], y - old[3])
      end
    end
    before = now
  end
end

local SHADES = 8 -- for weights

local function see_grid(asked, view)
  local x, y, cell = frame_of(asked.grid)
  view:see(x, y)
  view:see(x + cell * asked.grid:width(), y + cell * asked.grid:height())
  return { x = x, y = y, cell = cell }
end

--- Reads all cells: their kinds, 0 for none that is worth a mark, and by kind what it is.
local function read_cells(asked)
  local grid = asked.grid
  local wide, high = grid:width(), grid:height()
  local open = asked.costs ~= nil and opener(grid, asked)
  local cells, kinds, of_kind, tags = {}, {}, {}, {}
  local least, most = math.huge, -math.huge
  for y = 1, high do
    for x = 1, wide do
      local weight, tag = grid:get(x, y)
      if weight and open and not open(x, y, weight, tag) then
        weight = false
      end
      local of_tag = of_kind[tag or 0] -- a tag is a string
      if not of_tag then
        of_tag = {}
        of_kind[tag or 0] = of_tag
      end
      local kind = of_tag[weight]
      if not kind then
        kind = { weight = weight, tag = tag }
        kinds[#kinds + 1] = kind
        kind.number = #kinds
        of_tag[weight] = kind
        if tag then
          tags[tag] = true
        end
        if weight then
          least, most = math.min(least, weight), math.max(most, weight)
        end
      end
      cells[(y - 1) * wide + x] = kind
    end
  end
  return cells, kinds, tags, least, most
end

--- The darker, the heavier: a share of 0 to 1, by orders of magnitude.
local function shade_of(weight, least, most)
  if least == most then
    return 0
  end
  least = math.max(least, most * 1e-3, 1e-300)
  if most <= least then
    return 0
  end
  local share = math.log(math.max(weight, least) / least) / math.log(most / least)
  return math.floor(share * SHADES + 0.5) / SHADES
end

--- Fills cells: d by colour, in the order of `order`.
local function draw_cells(page, order, shapes)
  for _, colour in ipairs(order) do
    if shapes[colour] then
      add(page, '<path fill="%s" d="%s"/>', colour, table.concat(shapes[colour]))
    end
  end
end

local function emitter(shapes, order)
  return function(colour, x, y, wide, high)
    local list = shapes[colour]
    if not list then
      list = {}
      shapes[colour] = list
      order[#order + 1] = colour
    end
    list[#list + 1] = ("M%d %dh%dv%dh-%dz"):format(x, y, wide, high, wide)
  end
end

--- Walls between cells: where no step leads from one open cell to the next.
local function cell_walls(grid, cells)
  local wide, high, parts = grid:width(), grid:height(), {}
  local function walled(x, y, x2, y2)
    return cells[(y - 1) * wide + x].stands and cells[(y2 - 1) * wide + x2].stands and not grid:clear(x, y, x2, y2)
  end
  for y = 1, high - 1 do
    local x = 1
    while x <= wide do
      local first = x
      while x <= wide and walled(x, y, x, y + 1) do
        x = x + 1
      end
      if x > first then
        parts[#parts + 1] = ("M%d %dh%d"):format(first - 1, y, x - first)
      else
        x = x + 1
      end
    end
  end
  for x = 1, wide - 1 do
    local y = 1
    while y <= high do
      local first = y
      while y <= high and walled(x, y, x + 1, y) do
        y = y + 1
      end
      if y > first then
        parts[#parts + 1] = ("M%d %dv%d"):format(x, first - 1, y - first)
      else
        y = y + 1
      end
    end
  end
  return parts
end

--- An arrow in each cell, along the step that the field takes.
local function draw_flow(page, field, is_open, at, size)
  local arrows = {}
  for x, y in field:each() do
    local x2, y2 = field:next(x, y)
    if x2 and is_open(x, y) then
      local px, py = at(x, y)
      local dx, dy = x2 - x, y2 - y
      local length = math.sqrt(dx * dx + dy * dy)
      arrows[#arrows + 1] = arrow(px, py, dx / length, dy / length, math.min(size * 0.16, 7))
    end
  end
  if #arrows > 0 then
    add(page, '<path d="%s" fill="%s" opacity="0.45"/>', table.concat(arrows), INK)
  end
end

--- The tag that most of the cells below a field have, nil: none.
local function common_tag(cells, levels)
  local counts, common, most = {}, nil, 0
  for at in pairs(levels) do
    local tag = cells[at].tag or 0
    counts[tag] = (counts[tag] or 0) + 1
  end
  for tag, count in pairs(counts) do
    if count > most or count == most and tag ~= 0 and (common == 0 or tag < common) then
      common, most = tag, count
    end
  end
  return common ~= 0 and common or nil
end

--- Hatches the tags below a field, in their colours; the one that is nearly everywhere needs none.
local function draw_hatches(page, colours, size, skipped, find)
  local order, shapes = {}, {}
  find(emitter(shapes, order), skipped)
  table.sort(order)
  local step = size < 14 and math.ceil(7 / size) or 1 / math.floor(size / 7) -- in cells, so that it does not dance
  local s, half, quarter = number(step), number(step / 2), number(step / 4)
  for i, tag in ipairs(order) do
    add(page, '<pattern id="tag%d" patternUnits="userSpaceOnUse" width="%s" height="%s">', i, s, s)
    add(page, '<path d="M0 %sL%s 0M-%s %sl%s -%sM%s %sl%s -%s" stroke="%s" stroke-width="%s"/></pattern>',
      s, s, quarter, quarter, half, half, number(step * 0.75), number(step * 1.25), half, half,
      mix(colours[tag], INK, 0.2), number(step * 0.16))
    add(page, '<path fill="url(#tag%d)" d="%s"><title>%s</title></path>', i, table.concat(shapes[tag]), escaped(tag))
  end
end

local function draw_grid(page, view, asked, frame)
  local grid, field = asked.grid, asked.field
  local wide, high = grid:width(), grid:height()
  local left, top = view:place(frame.x, frame.y)
  local size = view:length(frame.cell)
  local cells, kinds, tags, lightest, heaviest = read_cells(asked)
  local colours, names = colours_of(tags)
  local shaded, closed_any = lightest < heaviest, false
  local tint = field and 0.65 or 0.35 -- the field is what is to be seen

  for _, kind in ipairs(kinds) do
    local colour = kind.tag and colours[kind.tag]
    -- A cell that is closed for this agent alone can have walls as well; grid:clear tells of the others.
    kind.stands = kind.weight ~= false
    if not kind.weight then
      kind.colour = colour and mix(colour, SOLID, 0.72) or SOLID
      closed_any = closed_any or not colour
    else
      local base = colour and mix(colour, PAPER, tint) or FLOOR
      kind.colour = mix(base, "#3c2a14", 0.5 * shade_of(kind.weight, lightest, heaviest))
    end
  end

  local function plain(x, y)
    local kind = cells[(y - 1) * wide + x]
    return kind.colour ~= FLOOR and kind.colour or nil
  end
  add(page, '<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>', number(left), number(top), number(size * wide),
    number(size * high), FLOOR)
  local transform = ('transform="translate(%s %s) scale(%s)"'):format(number(left), number(top), factor(size))
  add(page, '<g %s shape-rendering="crispEdges">', transform)
  local order, shapes = {}, {}
  merge(wide, high, plain, emitter(shapes, order))
  table.sort(order)
  draw_cells(page, order, shapes)

  local least, most = math.huge, -math.huge
  if field then
    least, most = field_range(field, function(x, y, cost)
      return cost and x <= wide and y <= high
    end)
    local levels = {}
    for x, y, cost in field:each() do
      local kind = cells[(y - 1) * wide + x]
      if kind.weight then -- closed cells beside reached ones have costs too
        levels[(y - 1) * wide + x] = heat_level(most > least and (cost - least) / (most - least) or 0)
      end
    end
    local heat_order, heat_shapes = {}, {}
    merge(wide, high, function(x, y) return levels[(y - 1) * wide + x] end, emitter(heat_shapes, heat_order))
    table.sort(heat_order)
    for _, level in ipairs(heat_order) do
      add(page, '<path fill="%s" d="%s"/>', heat(level), table.concat(heat_shapes[level]))
    end
    draw_hatches(page, colours, size, common_tag(cells, levels), function(emit, skipped)
      merge(wide, high, function(x, y)
        local at = (y - 1) * wide + x
        local tag = levels[at] and cells[at].tag
        return tag ~= skipped and tag or nil
      end, emit)
    end)
  end

  if size >= 9 then
    local lines = {}
    for x = 1, wide - 1 do
      lines[#lines + 1] = ("M%d 0v%d"):format(x, high)
    end
    for y = 1, high - 1 do
      lines[#lines + 1] = ("M0 %dh%d"):format(y, wide)
    end
    add(page, '<path d="%s" fill="none" stroke="%s" stroke-opacity="0.12" stroke-width="%s"/>', table.concat(lines),
      INK, factor(1 / size))
  end
  add(page, "</g>")
  local walls = cell_walls(grid, cells)
  if #walls > 0 then
    add(page, '<path %s d="%s" fill="none" stroke="%s" stroke-width="%s" stroke-linecap="round"/>', transform,
      table.concat(walls), INK, factor(math.max(0.16, 1 / size)))
    explain(page, "wall between cells", line_sample(('stroke="%s" stroke-width="4"'):format(INK)))
  end

  local function at(x, y)
    return left + (x - 0.5) * size, top + (y - 0.5) * size
  end
  if field and size >= 11 then
    draw_flow(page, field, function(x, y) return cells[(y - 1) * wide + x].weight end, at, size)
  end
  if asked.walls then
    draw_walls(page, view, asked.walls)
  end

  local open_tags, closed_tags = {}, {}
  for _, kind in ipairs(kinds) do
    local list = kind.weight and open_tags or closed_tags
    list[kind.tag or 0] = true
  end
  for _, name in ipairs(names) do
    local outline = (' stroke="%s" stroke-opacity="0.3"'):format(INK)
    if open_tags[name] then
      explain(page, name, box_sample(('fill="%s"'):format(mix(colours[name], PAPER, tint)) .. outline))
    end
    if closed_tags[name] then
      explain(page, name .. ", closed", box_sample(('fill="%s"'):format(mix(colours[name], SOLID, 0.72)) .. outline))
    end
  end
  if closed_any then
    explain(page, "closed", box_sample(('fill="%s"'):format(SOLID)))
  end
  if shaded then
    explain(page, ("weight %s to %s"):format(amount(lightest), amount(heaviest)), function(x, y)
      local boxes = {}
      for i = 0, 4 do
        boxes[#boxes + 1] = ('<rect x="%s" y="%s" width="5.2" height="12" fill="%s"/>'):format(number(x + i * 5.2),
          number(y - 6), mix(FLOOR, "#3c2a14", i / 8))
      end
      return table.concat(boxes)
    end)
  end
  explain_field(page, least, most)

  local ways = {}
  for i, path in ipairs(asked.paths) do
    local way, parts = { text = way_text("path", i, #asked.paths, path.cost) }, {}
    for k = 1, #path, 2 do
      local px, py = at(path[k], path[k + 1])
      parts[#parts + 1] = (k == 1 and "M" or "L") .. number(px) .. " " .. number(py)
      way.x1, way.y1 = way.x1 or px, way.y1 or py
      way.x2, way.y2 = px, py
    end
    way.d = #parts > 0 and table.concat(parts) or nil
    ways[i] = way
  end
  draw_lines(view, asked.lines, ways)
  local width = math.max(1.6, math.min(5, size * 0.22))
  draw_ways(page, ways, width)
  draw_ends(page, ways, width, width * 0.6)
end

-- All of it --------------------------------------------------------------------------------------------------------

--- Draws the legend; returns the height it takes.
local function draw_legend(page, width, top)
  local x, y, any = MARGIN, top + 14, false
  for _, entry in ipairs(page.legend) do
    local wide = 26 + 7 + text_width(entry.text, FONT) + 18
    if any and x + wide - 18 > width - MARGIN then
      x, y = MARGIN, y + 20
    end
    add(page, entry.sample(x, y))
    add(page, '<text x="%s" y="%s" font-size="%d" fill="%s">%s</text>', number(x + 33), number(y + FONT * 0.36), FONT,
      INK, escaped(entry.text))
    x, any = x + wide, true
  end
  return any and y + 20 - top or 0
end

---A picture of a map as an SVG document.
---@param x any a graph, a grid, walls, or nil
---@param options table|nil
---@return string
local function draw(x, options)
  local asked = read_options(x, options)
  local page, view = { legend = {} }, new_view()
  local nodes, by_id, frame
  if asked.graph then
    nodes, by_id = see_graph(asked, view)
  elseif asked.grid then
    frame = see_grid(asked, view)
  end
  if asked.walls then
    see_walls(view, asked.walls)
  end
  for _, line in ipairs(asked.lines) do
    for i = 1, #line, 2 do
      view:see(line[i], line[i + 1])
    end
  end
  view:fit(asked.width, MARGIN + (asked.title and 28 or 0))
  if asked.title then
    add(page, '<text x="%d" y="%d" font-size="16" font-weight="bold" fill="%s">%s</text>', MARGIN, MARGIN + 2, INK,
      escaped(asked.title))
  end
  if asked.graph then
    draw_graph(page, view, asked, nodes, by_id)
  elseif asked.grid then
    draw_grid(page, view, asked, frame)
  else
    if asked.walls then
      draw_walls(page, view, asked.walls)
    end
    local ways = {}
    draw_lines(view, asked.lines, ways)
    draw_ways(page, ways, 3)
    draw_ends(page, ways, 3, 2)
  end
  local height = view.top + view.height + MARGIN
  if asked.legend then
    height = height + draw_legend(page, asked.width, height - 10)
  end
  local size = ('width="%s" height="%s" viewBox="0 0 %s %s"'):format(number(asked.width), number(height),
    number(asked.width), number(height))
  return table.concat({
    '<?xml version="1.0" encoding="UTF-8"?>',
    ('<svg xmlns="http://www.w3.org/2000/svg" %s font-family="DejaVu Sans, Verdana, sans-serif">'):format(size),
    ("<title>%s</title>"):format(escaped(asked.title or "map")),
    ('<rect width="100%%" height="100%%" fill="%s"/>'):format(PAPER),
    table.concat(page, "\n"),
    "</svg>\n",
  }, "\n")
end

return { draw = draw }
