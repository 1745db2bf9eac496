-- SPDX-License-Identifier: MIT
-- What the specs of moving measure the module against: the nearest by looking at all of them, lines against walls by
-- formulas that are exact in whole numbers, lines over grids crossing by crossing, routes by trying every way on and
-- off.

local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local moving = {}

local HUGE = math.huge

-- What never changes -----------------------------------------------------------------------------------------------

---A generator that never changes: not that of the other specs, whose seed does. random() in [0, 1); random(a, b)
function moving.generator(state)
  return function(a, b)
    state = state * 16807 % 2147483647
    local value = (state - 1) / 2147483646
    if not a then return value end
    return a + math.floor(value * (b - a + 1))
  end
end

-- The bits of a double in text. Not by %.17g, which rounds as each platform likes, nor by math.frexp, which not every
-- Lua has.
local function bits(number)
  local sign, exponent = number < 0 and "-" or "", 0
  number = math.abs(number)
  while number >= 2 ^ 53 do number, exponent = number / 2, exponent + 1 end
  while number > 0 and number < 2 ^ 52 do number, exponent = number * 2, exponent - 1 end
  return ("%s%.0f e%d"):format(sign, number, exponent)
end
moving.bits = bits

---A sum over numbers to the last bit, and over text: hash(value) adds one, or all of a list; hash() gives the sum.
function moving.hash()
  local sum = 7
  local function add(value)
    if type(value) == "table" then
      for i = 1, #value do add(value[i]) end
      return
    end
    local text = type(value) == "number" and bits(value) or tostring(value)
    for i = 1, #text do sum = (sum * 131 + text:byte(i)) % 2147483647 end
  end
  return function(...)
    if select("#", ...) == 0 then return sum end
    for i = 1, select("#", ...) do add((select(i, ...))) end
  end
end

---A graph that is always the same: nodes at random, joined to a few that were made shortly before, some one way, some
---tagged tag1 to tag3, with a radius here and there.
function moving.level(random, count, dimensions)
  local g = wend.graph { dimensions = dimensions }
  for i = 1, count do
    local z = dimensions == 3 and random() * 200 or nil
    g:add_node(i % 20 * 50 + random() * 60, math.floor(i / 20) * 50 + random() * 60, z)
    if random() < 0.5 then g:set_radius(i, random() * 20) end
  end
  for i = 2, count do
    for _, back in ipairs { 1, 19, 20, 21 } do
      if i > back and random() < 0.8 then
        g:add_edge(i, i - back, { directed = random() < 0.1, tag = random() < 0.4 and "tag" .. random(1, 3) or nil })
      end
    end
  end
  return g
end

-- Distances --------------------------------------------------------------------------------------------------------

---The distance of two points of any size; of whole numbers the root of an exact sum.
function moving.distance(a, b)
  local largest = 0
  for axis = 1, #a do largest = math.max(largest, math.abs(a[axis] - b[axis])) end
  local scale = (largest > 1e100 or largest < 1e-100 and largest > 0) and largest or 1
  local sum = 0
  for axis = 1, #a do
    local side = (a[axis] - b[axis]) / scale
    sum = sum + side * side
  end
  return math.sqrt(sum) * scale
end

---The distance of a point from a segment: where the angle at an end is not acute that end is the nearest, else it is
---the height of the triangle, twice its area over its base.
function moving.to_segment(p, a, b)
  local pa, pb, ab = moving.distance(p, a), moving.distance(p, b), moving.distance(a, b)
  if ab == 0 then return pa end
  local at_a, at_b = 0, 0
  for axis = 1, #p do
    at_a = at_a + (p[axis] - a[axis]) / ab * ((b[axis] - a[axis]) / ab)
    at_b = at_b + (p[axis] - b[axis]) / ab * ((a[axis] - b[axis]) / ab)
  end
  if at_a <= 0 then return pa end
  if at_b <= 0 then return pb end
  local u, v = {}, {}
  for axis = 1, 3 do
    u[axis] = ((p[axis] or 0) - (a[axis] or 0)) / ab
    v[axis] = ((b[axis] or 0) - (a[axis] or 0)) / ab
  end
  local x, y, z = u[2] * v[3] - u[3] * v[2], u[3] * v[1] - u[1] * v[3], u[1] * v[2] - u[2] * v[1]
  return math.sqrt(x * x + y * y + z * z) * ab
end

---Everything that `accept` takes, the nearest first, then by id: a list of { id, distance }.
---@param measure table<integer, number> by id: how far it is
function moving.sorted(measure, max_distance, accept)
  local list = {}
  for id, distance in pairs(measure) do
    if distance <= (max_distance or HUGE) and (not accept or accept(id)) then list[#list + 1] = { id, distance } end
  end
  table.sort(list, function(a, b) return a[2] < b[2] or a[2] == b[2] and a[1] < b[1] end)
  return list
end

---By id: how far the nodes that have a position are.
---@param position table<integer, number[]>
function moving.from_nodes(position, at)
  local measure = {}
  for id, where in pairs(position) do
    if #where > 0 then measure[id] = moving.distance(where, at) end
  end
  return measure
end

---By id: how far the edges are whose ends have positions. edges: list of { id =, from =, to = }
function moving.from_edges(position, edges, at)
  local measure = {}
  for _, edge in ipairs(edges) do
    local a, b = position[edge.from], position[edge.to]
    if #a > 0 and #b > 0 then measure[edge.id] = moving.to_segment(at, a, b) end
  end
  return measure
end

---Whether two numbers are the same but for rounding, relative to their size.
function moving.close(a, b)
  return a == b or math.abs(a - b) <= 1e-9 * math.max(math.abs(a), math.abs(b))
end

-- Walls ------------------------------------------------------------------------------------------------------------

-- Walls are lists of { kind, numbers }, as walls:each gives them.

local function cross(ax, ay, bx, by) return ax * by - ay * bx end

---Whether two segments have a point in common. Exact in whole numbers (up to 2^25).
function moving.touch(ax, ay, bx, by, cx, cy, dx, dy)
  local rx, ry, sx, sy = bx - ax, by - ay, dx - cx, dy - cy
  local whole, t, u = cross(rx, ry, sx, sy), cross(cx - ax, cy - ay, sx, sy), cross(cx - ax, cy - ay, rx, ry)
  if whole ~= 0 then -- a + t/whole * r == c + u/whole * s
    if whole < 0 then whole, t, u = -whole, -t, -u end
    return t >= 0 and t <= whole and u >= 0 and u <= whole
  end
  if t ~= 0 or u ~= 0 then return false end -- parallel, or a point beside a segment
  return math.max(ax, bx) >= math.min(cx, dx) and math.max(cx, dx) >= math.min(ax, bx)
    and math.max(ay, by) >= math.min(cy, dy) and math.max(cy, dy) >= math.min(ay, by)
end

---Whether a point is within `reach` of a segment, this distance included. Exact in whole numbers (up to 2^12).
function moving.within(px, py, ax, ay, bx, by, reach)
  local sx, sy, x, y = bx - ax, by - ay, px - ax, py - ay
  local along, whole = sx * x + sy * y, sx * sx + sy * sy
  if along <= 0 then return x * x + y * y <= reach * reach end
  if along >= whole then return (px - bx) * (px - bx) + (py - by) * (py - by) <= reach * reach end
  local height = cross(sx, sy, x, y)
  return height * height <= reach * reach * whole
end

local function sides(points)
  local list, last = {}, #points
  local x, y = points[last - 1], points[last]
  for i = 1, last, 2 do
    list[#list + 1] = { x, y, points[i], points[i + 1] }
    x, y = points[i], points[i + 1]
  end
  return list
end

-- Whether a point that is not on its border lies in a polygon: how often a ray to the right crosses the border.
local function inside(points, px, py)
  local odd = false
  for _, side in ipairs(sides(points)) do
    local ax, ay, bx, by = side[1], side[2], side[3], side[4]
    if (ay > py) ~= (by > py) then
      local turn = cross(bx - ax, by - ay, px - ax, py - ay)
      if (turn > 0) == (by > ay) and turn ~= 0 then odd = not odd end
    end
  end
  return odd
end
moving.inside = inside

local function segment_blocks(wall, x1, y1, x2, y2, radius)
  local ax, ay, bx, by = wall[1], wall[2], wall[3], wall[4]
  return moving.touch(ax, ay, bx, by, x1, y1, x2, y2)
    or moving.within(x1, y1, ax, ay, bx, by, radius) or moving.within(x2, y2, ax, ay, bx, by, radius)
    or moving.within(ax, ay, x1, y1, x2, y2, radius) or moving.within(bx, by, x1, y1, x2, y2, radius)
end

---Whether a line is blocked. Exact where all are whole numbers (up to 2^12).
function moving.blocked(walls, x1, y1, x2, y2, radius)
  radius = radius or 0
  for _, wall in ipairs(walls) do
    local kind, numbers = wall[1], wall[2]
    if kind == "segment" then
      if segment_blocks(numbers, x1, y1, x2, y2, radius) then return true end
    elseif kind == "circle" then
      if moving.within(numbers[1], numbers[2], x1, y1, x2, y2, numbers[3] + radius) then return true end
    else
      for _, side in ipairs(sides(numbers)) do
        if segment_blocks(side, x1, y1, x2, y2, radius) then return true end
      end
      if inside(numbers, x1, y1) then return true end
    end
  end
  return false
end

local function segment_gap(wall, x1, y1, x2, y2)
  local ax, ay, bx, by = wall[1], wall[2], wall[3], wall[4]
  if moving.touch(ax, ay, bx, by, x1, y1, x2, y2) then return 0 end
  local a, b, p, q = { ax, ay }, { bx, by }, { x1, y1 }, { x2, y2 }
  return math.min(moving.to_segment(a, p, q), moving.to_segment(b, p, q), moving.to_segment(p, a, b),
    moving.to_segment(q, a, b))
end

---How far a line is from the nearest wall, 0 where it touches one, and from the border that decides it: where that is
---next to nothing, rounding decides.
function moving.gap(walls, x1, y1, x2, y2)
  local least = HUGE
  for _, wall in ipairs(walls) do
    local kind, numbers = wall[1], wall[2]
    local gap = HUGE
    if kind == "segment" then
      gap = segment_gap(numbers, x1, y1, x2, y2)
    elseif kind == "circle" then
      gap = math.max(0, moving.to_segment({ numbers[1], numbers[2] }, { x1, y1 }, { x2, y2 }) - numbers[3])
    else
      for _, side in ipairs(sides(numbers)) do gap = math.min(gap, segment_gap(side, x1, y1, x2, y2)) end
      if inside(numbers, x1, y1) then gap = 0 end
    end
    least = math.min(least, gap)
  end
  return least
end

---A polygon around a point, convex or not, without sides that cross: its corners at random distances, in order of
---their angle. whole: in whole numbers, or nil where it would cross itself then.
function moving.random_polygon(rng, x, y, size, whole)
  local corners, points = rng(3, 9), {}
  local turn, way = rng() * 7, rng:pick { 1, -1 }
  for i = 0, corners - 1 do
    local angle = turn + way * (i + 0.8 * rng()) / corners * 2 * math.pi
    local far = size * (0.2 + 0.8 * rng())
    local px, py = x + far * math.cos(angle), y + far * math.sin(angle)
    if whole then px, py = math.floor(px + 0.5), math.floor(py + 0.5) end
    points[#points + 1], points[#points + 2] = px, py
  end
  if whole then -- corners that were rounded onto others, or to the other side
    local list = sides(points)
    for i = 1, #list do
      for k = i + 1, #list do
        local a, b = list[i], list[k]
        if (k == i + 1 or i == 1 and k == #list) then
          local first, second = a, b
          if i == 1 and k == #list then first, second = b, a end
          if cross(first[3] - first[1], first[4] - first[2], second[3] - second[1], second[4] - second[2]) == 0 then
            return nil
          end
        elseif moving.touch(a[1], a[2], a[3], a[4], b[1], b[2], b[3], b[4]) then
          return nil
        end
      end
    end
  end
  return points
end

---Random walls, with the list of them. opts: count, size (of the area), whole (numbers), kinds.
function moving.random_walls(rng, opts)
  local walls, list = wend.walls(), {}
  local size = opts.size or 100
  local function number()
    return opts.whole and rng(0, size) or rng() * size
  end
  for _ = 1, opts.count do
    local kind = rng:pick(opts.kinds or { "segment", "segment", "polygon", "circle" })
    local x, y = number(), number()
    local numbers
    if kind == "segment" then
      numbers = { x, y, x + (number() - size / 2) / 3, y + (number() - size / 2) / 3 }
      if rng:chance(0.2) then numbers[3] = x end
      if rng:chance(0.2) then numbers[4] = y end
      if opts.whole then numbers[3], numbers[4] = math.floor(numbers[3]), math.floor(numbers[4]) end
      walls:add_segment(numbers[1], numbers[2], numbers[3], numbers[4])
    elseif kind == "circle" then
      numbers = { x, y, opts.whole and rng(0, 8) or rng() * 8 }
      walls:add_circle(numbers[1], numbers[2], numbers[3])
    else
      numbers = moving.random_polygon(rng, x, y, size / 6, opts.whole)
      if numbers then walls:add_polygon(numbers) end
    end
    if numbers then list[#list + 1] = { kind, numbers } end
  end
  return walls, list
end

-- Lines over grids -------------------------------------------------------------------------------------------------

---The cells that a line between two points goes through, cell by cell, { x, y } each; the points in cells of size 1 of
---which (1,1) begins at 0,0. Where it crosses a column and a row at once it goes by a diagonal. Exact for numbers that
---are whole eighths or the like.
function moving.cells_of(x1, y1, x2, y2)
  local x, y, last_x, last_y = math.floor(x1), math.floor(y1), math.floor(x2), math.floor(y2)
  local list, dx, dy = { { x + 1, y + 1 } }, x2 - x1, y2 - y1
  while x ~= last_x or y ~= last_y do
    -- it leaves the column at so much of dx, the row at so much of dy
    local across = x ~= last_x and (dx > 0 and x + 1 - x1 or x1 - x) or nil
    local down = y ~= last_y and (dy > 0 and y + 1 - y1 or y1 - y) or nil
    local order -- of across / |dx| and down / |dy|
    if not across then
      order = 1
    elseif not down then
      order = -1
    else
      order = across * math.abs(dy) - down * math.abs(dx)
    end
    if order <= 0 then x = x + (dx > 0 and 1 or -1) end
    if order >= 0 then y = y + (dy > 0 and 1 or -1) end
    list[#list + 1] = { x + 1, y + 1 }
  end
  return list
end

---Whether grid:clear_points should say that the line is free. model: of spec/support/grid_reference.lua
function moving.free_over(model, view, x1, y1, x2, y2)
  local policy = model.diagonals == "never" and "both_open" or model.diagonals
  local cells = moving.cells_of(x1, y1, x2, y2)
  local first, last = cells[1], cells[#cells]
  if not (model:inside(first[1], first[2]) and model:inside(last[1], last[2])) then return false end
  for i = 2, #cells do
    local a, b = cells[i - 1], cells[i]
    if model:step(view, a[1], a[2], b[1], b[2], policy) == HUGE then return false end
  end
  return true
end

-- Who can get there ------------------------------------------------------------------------------------------------

---The costs from everywhere to everywhere: table[from][to].
---@param model helper.Model
function moving.all_costs(model, cost)
  local all = {}
  for _, id in ipairs(model.nodes) do all[id] = helper.solve(model, id, cost) end
  return all
end

---One table of options out of two.
moving.with = grid_reference.with

-- Routes -----------------------------------------------------------------------------------------------------------

-- Two points as numbers one after the other.
local function numbers(a, b)
  if #a == 3 then return a[1], a[2], a[3], b[1], b[2], b[3] end
  return a[1], a[2], b[1], b[2]
end

---The route by nodes: { cost =, on =, off = } or nil. opts: max_distance, clear (a function of numbers, or nil), all
---(what moving.all_costs gave).
function moving.route_by_node(model, from, to, opts)
  local clear = opts.clear
  local offs = moving.sorted(moving.from_nodes(model.position, to), opts.max_distance, function(id)
    return not model.closed[id] and (not clear or clear(numbers(model.position[id], to)))
  end)
  local ons = moving.sorted(moving.from_nodes(model.position, from), opts.max_distance, function(id)
    return not model.closed[id] and (not clear or clear(numbers(from, model.position[id])))
  end)
  for _, off in ipairs(offs) do
    for _, on in ipairs(ons) do
      local along = opts.all[on[1]][off[1]]
      if along then return { cost = on[2] + along + off[2], on = on[1], off = off[1] } end
    end
  end
  return nil
end

-- The nearest point of a segment, and how far along it lies, 0 to 1.
local function onto(p, a, b)
  local along, whole, point = 0, 0, {}
  for axis = 1, #p do
    along = along + (p[axis] - a[axis]) * (b[axis] - a[axis])
    whole = whole + (b[axis] - a[axis]) ^ 2
  end
  local share = whole > 0 and math.max(0, math.min(1, along / whole)) or 0
  for axis = 1, #p do
    point[axis] = share == 1 and b[axis] or a[axis] + share * (b[axis] - a[axis])
  end
  return point, share
end
moving.onto = onto

---The route by edges: { cost =, on =, off = } (edges) or nil; and whether rounding may decide which edge is nearer. Who
---stands exactly at an end of an edge is at that node.
function moving.route_by_edge(model, from, to, opts, cost)
  cost = cost or function(edge) return edge.weight end
  local clear, by_id = opts.clear, {}
  for _, edge in ipairs(model.edges) do by_id[edge.id] = edge end
  local function price(edge, a, b)
    if edge.closed or edge.directed and a ~= edge.from then return HUGE end
    return cost(edge, a, b)
  end

  local unsure = false
  local function places(at, way)
    local found = {}
    local list = moving.sorted(moving.from_edges(model.position, model.edges, at))
    for i, item in ipairs(list) do
      local before = i > 1 and list[i - 1][2]
      if before and before ~= item[2] and moving.close(before, item[2]) then unsure = true end
      if item[2] > (opts.max_distance or HUGE) then break end
      local edge = by_id[item[1]]
      local point, share = onto(at, model.position[edge.from], model.position[edge.to])
      local forth, back = price(edge, edge.from, edge.to), price(edge, edge.to, edge.from)
      local usable = forth < HUGE or back < HUGE
      if usable and clear then
        if way == "on" then usable = clear(numbers(at, point)) else usable = clear(numbers(point, at)) end
      end
      if usable then
        local ends = {} -- by node: what it costs to get from the point to it, or from it to the point
        local function lead(node, value)
          if value < HUGE and not model.closed[node] and value < (ends[node] or HUGE) then ends[node] = value end
        end
        if way == "on" then
          lead(edge.to, (1 - share) * forth)
          lead(edge.from, share * back)
        else
          lead(edge.from, share * forth)
          lead(edge.to, (1 - share) * back)
        end
        if share == 0 then lead(edge.from, 0) end
        if share == 1 then lead(edge.to, 0) end
        found[#found + 1] = { edge = edge, share = share, ends = ends, distance = item[2], forth = forth, back = back }
      end
    end
    return found
  end

  local offs, ons = places(to, "off"), places(from, "on")
  for _, off in ipairs(offs) do
    for _, on in ipairs(ons) do
      local least = HUGE
      for node, first in pairs(on.ends) do
        for other, last in pairs(off.ends) do
          local along = opts.all[node][other]
          if along then least = math.min(least, first + along + last) end
        end
      end
      if on.edge == off.edge then
        local part = off.share - on.share
        if part >= 0 and on.forth < HUGE then least = math.min(least, part * on.forth) end
        if part <= 0 and on.back < HUGE then least = math.min(least, -part * on.back) end
      end
      if least < HUGE then
        return { cost = on.distance + least + off.distance, on = on.edge.id, off = off.edge.id }, unsure
      end
    end
  end
  return nil, unsure
end

return moving
