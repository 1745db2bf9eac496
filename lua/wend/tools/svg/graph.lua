-- SPDX-License-Identifier: MIT
-- wend.svg: draws graphs. Nodes are discs. Edges are lines in the colours of their tags.
--
-- A group is a list of all edges between two nodes, `a` and `b`, which are drawn side by side. Each is a result of
-- graph:edge(). The fields `there` and `back` tell whether it leads from `from` to `to`, and back. An edge that leads
-- only one way has an arrow.

local check = require "wend.check"
local colours = require "wend.tools.scene.colours"
local labels = require "wend.tools.svg.labels"
local svg_page = require "wend.tools.svg.page"
local text = require "wend.tools.svg.text"

local max, min, sqrt = math.max, math.min, math.sqrt
local fill, mix, arrow = text.fill, colours.mix, svg_page.arrow
local INK, GREY, PLAIN = colours.INK, colours.GREY, colours.PLAIN

-- Nodes and edges --------------------------------------------------------------------------------------------------

--- Places nodes without a position on a circle around the others.
local function place_lost(page, lost, count)
  local middle_x, middle_y, radius = 0, 0, 1
  if #lost < count then
    local wide, high = page.most_x - page.least_x, page.most_y - page.least_y
    middle_x, middle_y = page.least_x + wide / 2, page.least_y + high / 2
    radius = max(wide, high) * 0.75
    radius = radius > 0 and radius or 1
  elseif count == 1 then
    radius = 0
  end
  for i, node in ipairs(lost) do
    local angle = ((i - 1) / #lost - 0.25) * 2 * math.pi -- the first on top, then clockwise
    node.x, node.y = middle_x + radius * math.cos(angle), middle_y + radius * math.sin(angle)
  end
end

--- Reads the nodes of a graph.
-- @param page the page, whose extent grows to include them
-- @param asked the options as init.lua has read them
-- @return a list of nodes, for `draw`
local function see(page, asked)
  local graph, nodes, lost = asked.graph, { by_id = {} }, {}
  for id in graph:nodes() do
    local x, y, z = graph:position(id)
    local node = {
      id = id, x = x, y = y, z = z, name = graph:name(id), closed = graph:is_closed(id), radius = graph:radius(id),
      number = #nodes + 1,
    }
    nodes[#nodes + 1], nodes.by_id[id] = node, node
    if x then page:see(x, y) else lost[#lost + 1] = node end
  end
  place_lost(page, lost, #nodes)
  for _, node in ipairs(nodes) do page:see(node.x, node.y, node.radius) end
  for _, path in ipairs(asked.paths) do
    for _, id in ipairs(path.size and path.path.map == graph and path.path or {}) do
      local node = nodes.by_id[id]
      if node then page:see(node.x, node.y, path.size / 2) end
    end
  end
  return nodes
end

--- Marks the edges that are closed for the agent. A search that starts at all nodes calls `ask` for every edge.
local function close_for(graph, nodes, edges, asked)
  local ids, open = {}, {}
  for i, node in ipairs(nodes) do ids[i] = node.id end
  local function ask(_, cost, _, from, to, id)
    local edge = edges[id] -- nil: a finalizer has added it meanwhile
    if edge and cost < math.huge then
      open[edge] = open[edge] or { there = false, back = false }
      open[edge][edge.from == from and edge.to == to and "there" or "back"] = true
    end
  end
  assert(graph:field(ids, { outward = true, costs = asked.costs, agent = asked.agent, cost = ask }))
  for _, edge in pairs(edges) do
    if not (edge.closed or nodes.by_id[edge.from].closed or nodes.by_id[edge.to].closed) then -- for all
      local ways = open[edge] or edge
      edge.there, edge.back, edge.closed = ways.there, ways.back, not open[edge]
    end
  end
end

--- The edge of a group that leads in the opposite direction and otherwise looks the same.
local function twin_of(edge, group)
  for _, other in ipairs(edge.directed and edge.from ~= edge.to and group or {}) do
    if other.directed and not other.back and other.from == edge.to and other.tag == edge.tag
      and other.closed == edge.closed then
      return other
    end
  end
end

--- Reads all edges: a table by id, and a list of groups. Two equal one-way edges in opposite directions are drawn as
--- one two-way edge; the second one refers to it by `drawn_as`.
local function read_edges(nodes, asked)
  local graph, edges, ids = asked.graph, {}, {}
  for _, node in ipairs(nodes) do
    for id in graph:edges(node.id) do
      if not edges[id] then
        local edge = graph:edge(id)
        if nodes.by_id[edge.from] and nodes.by_id[edge.to] then -- otherwise a finalizer has added the node meanwhile
          edge.there, edge.back = true, not edge.directed
          edges[id], ids[#ids + 1] = edge, id
        end
      end
    end
  end
  table.sort(ids)
  if asked.costs and #nodes > 0 then close_for(graph, nodes, edges, asked) end
  local groups, by_key = {}, {}
  for _, id in ipairs(ids) do
    local edge = edges[id]
    local a, b = nodes.by_id[edge.from], nodes.by_id[edge.to]
    if a.number > b.number then a, b = b, a end
    local key = a.number * (#nodes + 1) + b.number
    local group = by_key[key]
    if not group then
      group = { a = a, b = b, key = key, height = max(a.z or 0, b.z or 0) }
      by_key[key], groups[#groups + 1] = group, group
    end
    local twin = twin_of(edge, group)
    if twin then twin.back, edge.drawn_as = true, twin else group[#group + 1] = edge end
  end
  if graph:dimensions() == 3 then -- seen from above: higher edges are drawn later
    table.sort(groups, function(one, other)
      if one.height ~= other.height then return one.height < other.height end
      return one.key < other.key
    end)
  end
  return edges, groups
end

-- Shapes -----------------------------------------------------------------------------------------------------------

--- The sizes of shapes in pixels, from the space that each node has on the picture.
local function scale_of(page, count)
  local each = max(count, 1)
  local room = count <= 1 and 100 or max(sqrt(page.width * page.height / each), max(page.width, page.height) / each)
  local function within(value, least, most) return max(least, min(most, value)) end
  return {
    node = within(room * 0.07, 0.7, 5.5), edge = within(room * 0.03, 0.3, 2.2), way = within(room * 0.08, 1.6, 7),
    arrow = within(room * 0.075, 0.9, 6), bow = within(room * 0.16, 2, 14),
  }
end

--- Sets the shape of each edge of a group: `d`, the control point `cx`, `cy` of a curved edge, and `arrow`. Between
--- nodes at the same place an edge has no shape.
local function shape_edges(group, scale)
  local a, b = group.a, group.b
  local ax, ay, bx, by = a.px, a.py, b.px, b.py
  local dx, dy = bx - ax, by - ay
  local length = sqrt(dx * dx + dy * dy)
  dx, dy = dx / length, dy / length
  for i, edge in ipairs(group) do
    local one_way, turn = edge.there ~= edge.back, (edge.from == a.id) == edge.there and 1 or -1
    if a == b then
      local r = scale.node + scale.bow * 0.5 * i
      edge.d = fill("M%s %sa%s %s 0 1 1 0.01 0z", ax, ay, r, r)
      edge.arrow = one_way and arrow(ax, ay - 2 * r, turn, 0, scale.arrow) or nil
    elseif length > 0 then
      local off = (i - (#group + 1) / 2) * min(scale.bow, length * 0.35)
      local x, y = (ax + bx) / 2, (ay + by) / 2
      if off == 0 then
        edge.d = fill("M%s %sL%s %s", ax, ay, bx, by)
      else
        edge.cx, edge.cy = x - dy * off * 2, y + dx * off * 2
        edge.d = fill("M%s %sQ%s %s %s %s", ax, ay, edge.cx, edge.cy, bx, by)
      end
      edge.arrow = one_way
        and arrow(x - dy * off, y + dx * off, dx * turn, dy * turn, min(scale.arrow, length * 0.25)) or nil
    end
  end
end

--- A path as a way (see page.way). It follows the curves of its edges.
local function path_way(page, path, nodes, edges, scale)
  local parts, taken, node = {}, path.path:edges(), nil
  for i, id in ipairs(path.path) do
    local edge = edges[taken[i - 1]]
    edge = edge and edge.drawn_as or edge
    node = nodes.by_id[id]
    if not node then
      check.fail("path must lead over nodes that are there, node %s is gone", check.describe(id))
    elseif edge and edge.cx then
      parts[i] = fill("Q%s %s %s %s", edge.cx, edge.cy, node.px, node.py)
    else
      parts[i] = fill(i == 1 and "M%s %s" or "L%s %s", node.px, node.py)
    end
  end
  if not node then return { label = path.label } end
  local first = nodes.by_id[path.path[1]]
  for _, at in ipairs { first, node } do at.outer = max(at.r, scale.node + min(scale.way, 4) * 1.2) end
  local d = table.concat(parts)
  local body = path.size and fill('<path d="%s" fill="none" stroke="%%s" stroke-opacity="0.18" stroke-width="%s" '
    .. 'stroke-linejoin="round" stroke-linecap="round"/>', d, page:length(path.size))
  return { label = path.label, d = d, x1 = first.px, y1 = first.py, x2 = node.px, y2 = node.py, body = body }
end

-- Drawing ----------------------------------------------------------------------------------------------------------

--- Draws the radius of each node that has one.
local function draw_rooms(page, nodes)
  local rooms = {}
  for _, node in ipairs(nodes) do
    if node.radius and node.radius > 0 then
      rooms[#rooms + 1] = fill('<circle cx="%s" cy="%s" r="%s"/>', node.px, node.py, page:length(node.radius))
    end
  end
  if #rooms > 0 then page:add('<g fill="#dfe3ea" opacity="0.6">%s</g>', table.concat(rooms)) end
end

local function draw_edges(page, groups, scale)
  local tags, looks, any_arrow = {}, { open = {}, closed = {} }, false -- what looks the same, by tag, "": none
  for _, group in ipairs(groups) do
    for _, edge in ipairs(group) do
      local tag, by_tag = edge.tag or "", edge.closed and looks.closed or looks.open
      local look = by_tag[tag] or { lines = {}, arrows = {} }
      by_tag[tag] = look
      if edge.tag then tags[tag] = true end
      look.lines[#look.lines + 1], look.arrows[#look.arrows + 1] = edge.d, edge.arrow
      any_arrow = any_arrow or edge.arrow ~= nil
    end
  end

  local function draw(look, colour, attributes, title)
    if look and #look.lines > 0 then
      page:add('<path d="%s" stroke="%s" stroke-width="%s"%s>%s</path>', table.concat(look.lines), colour, scale.edge,
        attributes, title and "<title>" .. text.escaped(title) .. "</title>" or "")
    end
    if look and #look.arrows > 0 then page:add('<path d="%s" fill="%s"/>', table.concat(look.arrows), colour) end
  end
  local by_tag, names = colours.of_tags(tags)
  local dashes = fill(' stroke-dasharray="%s %s"', scale.edge * 2.2, scale.edge * 2.2)
  page:add '<g fill="none">'
  draw(looks.closed[""], GREY, dashes, "closed")
  for _, name in ipairs(names) do
    draw(looks.closed[name], mix(by_tag[name], GREY, 0.6), dashes, name .. ", closed")
  end
  draw(looks.open[""], PLAIN, "")
  for _, name in ipairs(names) do draw(looks.open[name], by_tag[name], "", name) end
  page:add "</g>"

  for _, name in ipairs(names) do
    page:explain_stroke(name, 'stroke="%s" stroke-width="4"', by_tag[name])
  end
  if looks.open[""] and #names > 0 then
    page:explain_stroke("no tag", 'stroke="%s" stroke-width="3"', PLAIN)
  end
  if any_arrow then
    page:explain("one way", function(x, y)
      return fill('<path d="M%s %sh26" stroke="%s" stroke-width="2"/><path d="%s" fill="%s"/>', x, y, INK,
        arrow(x + 13, y, 1, 0, 5), INK)
    end)
  end
  if next(looks.closed) then
    page:explain_stroke("closed", 'stroke="%s" stroke-width="3" stroke-dasharray="5 4"', GREY)
  end
end

local function draw_nodes(page, nodes, scale, levels)
  local discs = {} -- shapes by look: "plain", "named", "closed", or a level of the field
  for _, node in ipairs(nodes) do
    local look = node.closed and "closed" or levels[node.id] or node.name and "named" or "plain"
    discs[look] = discs[look] or {}
    local r = node.r -- two half circles
    table.insert(discs[look], fill("M%s %sa%s %s 0 1 1 %s 0a%s %s 0 1 1 %s 0z", node.px - r, node.py, r, r, 2 * r, r, r,
      -2 * r))
  end
  local thin = min(1.4, scale.node * 0.35)
  local function draw(look, attributes, ...)
    if discs[look] then page:add('<path d="%s" %s/>', table.concat(discs[look]), fill(attributes, ...)) end
  end
  local outlined = 'fill="%s" stroke="%s" stroke-width="%s"'
  draw("plain", 'fill="%s"', colours.SOLID)
  draw("named", outlined, colours.PAPER, INK, thin)
  for level = 1, colours.LEVELS do
    draw(level, outlined, colours.heat(level), mix(colours.heat(level), INK, 0.6), thin)
  end
  local dashed = 'fill="#e4e5e9" stroke="#858a95" stroke-width="%s" stroke-dasharray="%s %s"'
  draw("closed", dashed, thin, scale.node * 0.7, scale.node * 0.5)
  if discs.closed then
    page:explain("closed node", function(x, y)
      return fill('<circle cx="%s" cy="%s" r="5" %s/>', x + 13, y, fill(dashed, 1.4, 3, 2))
    end)
  end
end

--- Draws a graph, and the paths, lines and fields on it.
-- @param page the page, already fitted
-- @param asked the options as init.lua has read them
-- @param nodes the result of `see`
local function draw(page, asked, nodes)
  local scale = scale_of(page, #nodes)
  local field = svg_page.read_field(asked.field, function(id, _, third)
    return third == nil and nodes.by_id[id] and id
  end)
  for _, node in ipairs(nodes) do
    node.px, node.py = page:place(node.x, node.y)
    node.r = scale.node * (field.levels[node.id] and (scale.node < 2 and 1.8 or 1.3) or 1)
    node.outer = node.r
  end
  draw_rooms(page, nodes)
  local edges, groups = read_edges(nodes, asked)
  for _, group in ipairs(groups) do shape_edges(group, scale) end
  if asked.walls then page:draw_walls(asked.walls) end
  -- Paths are bands below the edges, so that the edges stay visible.
  local ways = {}
  for i, path in ipairs(asked.paths) do ways[i] = path_way(page, path, nodes, edges, scale) end
  page:draw_ways(ways, asked.lines, scale.way)
  draw_edges(page, groups, scale)
  page:explain_field(field, asked.search and "search" or "field")
  page:draw_ends(ways, scale.way, scale.node)
  draw_nodes(page, nodes, scale, field.levels)
  page:draw_chokepoints(asked.chokepoints, function(one)
    local a, b = nodes.by_id[one.node or one.from], nodes.by_id[one.to]
    if a and (b or one.node) then return a.px, a.py, b and b.px, b and b.py end
  end, scale.node * 1.8)
  if asked.labels then labels.draw(page, nodes, groups, field.costs) end
end

return { see = see, draw = draw }
