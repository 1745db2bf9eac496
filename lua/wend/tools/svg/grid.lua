-- SPDX-License-Identifier: MIT
-- wend.svg: draws grids. Equal cells are merged into rectangles, or are one shape of hexes. The unit of these shapes is
-- a cell, and (0, 0) is the first corner of cell (1, 1). A transformation makes squares, rectangles or diamonds of the
-- cells. Cells are numbered row by row: the number of cell (x, y) is (y - 1) * wide + x.

local core = require "wend.core"
local check = require "wend.check"
local bodies = require "wend.tools.scene.bodies"
local frames = require "wend.frame"
local colours = require "wend.tools.scene.colours"
local format = require "wend.format"
local each_run = require "wend.tools.scene.runs"
local hexes = require "wend.tools.svg.hexes"
local svg_page = require "wend.tools.svg.page"
local text = require "wend.tools.svg.text"

local floor, max, min, huge = math.floor, math.max, math.min, math.huge
local fill, mix = text.fill, colours.mix
local INK, PAPER, FLOOR, SOLID = colours.INK, colours.PAPER, colours.FLOOR, colours.SOLID

local SHADES, SHADE = 8, colours.SHADE -- for weights: the number of shades, and the darkest colour
local CLOSED = 0.72                    -- the share of SOLID in the colour of closed cells with a tag

-- Cells ------------------------------------------------------------------------------------------------------------

--- Finds the position of a grid in the world.
-- @param page the page, whose extent grows to include it
-- @param asked the options as init.lua has read them
-- @return the frame of the grid, for `draw`
local function see(page, asked)
  local grid = asked.grid
  local frame, wide, high = frames.of(grid), grid:width(), grid:height()
  if not frame.corners then
    page:see(frames.to_world(frame, 0, 0))
    page:see(frames.to_world(frame, wide, 0))
    page:see(frames.to_world(frame, 0, high))
    page:see(frames.to_world(frame, wide, high))
    return frame
  end
  for _, y in ipairs { 1, min(2, high), high } do -- of two rows, one is shifted
    for _, x in ipairs { 1, min(2, wide), wide } do
      local u, v = frames.middle(frame, x, y)
      for i = 1, 11, 2 do page:see(frames.to_world(frame, u + frame.corners[i], v + frame.corners[i + 1])) end
    end
  end
  return frame
end

--- Returns a function (x, y, tag) that tells whether the agent can enter a cell that is not closed for everybody.
local function opener(asked, frame)
  local grid, profile = asked.grid, { costs = asked.costs, agent = asked.agent }
  local wide, high = grid:width(), grid:height()
  for _, rule in ipairs(asked.costs:rules()) do
    if rule.tag == nil then -- there is a rule about steps: test whether a step from a neighbour leads there
      return function(x, y)
        for side = 1, frame.corners and 6 or 0 do
          local x2, y2 = frames.side(frame, x, y, side)
          if grid:has(x2, y2) and grid:explain({ x2, y2, x, y }, profile).cost < huge then return true end
        end
        if frame.corners then return wide == 1 and high == 1 end
        return x > 1 and grid:clear(x - 1, y, x, y, profile) or y > 1 and grid:clear(x, y - 1, x, y, profile)
          or x < wide and grid:clear(x + 1, y, x, y, profile) or y < high and grid:clear(x, y + 1, x, y, profile)
          or wide == 1 and high == 1
      end
    end
  end
  local probe, known = core.grid(2, 1), {}
  return function(_, _, tag)
    local key = tag or ""
    if known[key] == nil then
      probe:set(2, 1, { tag = tag })
      known[key] = probe:clear(1, 1, 2, 1, profile)
    end
    return known[key]
  end
end

--- Reads all cells. A kind is { weight = a number or false, tag = a string or nil }.
-- @return the kind of each cell, by number; a list of all kinds
local function read_cells(asked, frame)
  local grid = asked.grid
  local wide, high = grid:width(), grid:height()
  local is_open = asked.costs and opener(asked, frame)
  local cells, kinds, by_tag = {}, {}, {}
  for y = 1, high do
    for x = 1, wide do
      local weight, tag = grid:get(x, y)
      weight = weight and (not is_open or is_open(x, y, tag)) and weight
      local by_weight = by_tag[tag or ""] or {}
      by_tag[tag or ""] = by_weight
      local kind = by_weight[weight]
      if not kind then
        kind = { weight = weight, tag = tag }
        by_weight[weight], kinds[#kinds + 1] = kind, kind
      end
      cells[#cells + 1] = kind
    end
  end
  return cells, kinds
end

-- Shapes -----------------------------------------------------------------------------------------------------------

--- Merges equal cells into rectangles: first along rows, then downward.
-- @param look_of function (number of a cell): its look, such as a colour; nil: it is not drawn
-- @param draw function (look, shape, i), called for each look, in sorted order
local function draw_merged(frame, wide, high, look_of, draw)
  if frame.corners then return hexes.draw_merged(frame, wide, high, look_of, draw) end
  local looks, parts = {}, {}
  local function finish(run, x, y)
    if not parts[run.look] then looks[#looks + 1], parts[run.look] = run.look, {} end
    table.insert(parts[run.look], ("M%d %dh%dv%dh-%dz"):format(x, run.y, run.wide, y - run.y, run.wide))
  end
  local above = {} -- the runs of the row above, by their first column
  for y = 0, high do
    local runs = {}
    if y < high then
      each_run(y, 0, wide - 1, function(x) return look_of(y * wide + x + 1) end, function(first, last, _, look)
        runs[first] = { look = look, wide = last - first + 1, y = y }
      end)
    end
    for first = 0, wide - 1 do
      local old, new = above[first], runs[first]
      if old and new and old.look == new.look and old.wide == new.wide then
        new.y = old.y
      elseif old then
        finish(old, first, y)
      end
    end
    above = runs
  end
  table.sort(looks)
  for i, look in ipairs(looks) do draw(look, table.concat(parts[look]), i) end
end

--- The shape of the walls between cells: where no step leads from one open cell to the next. First horizontal walls,
--- then vertical ones. And that of directed walls: a thin line, and a tooth on the side to which steps lead.
local function wall_shape(frame, grid, cells)
  local wide, high, parts, directed = grid:width(), grid:height(), {}, {}
  local function is_open(x, y) return cells[(y - 1) * wide + x].weight end
  if frame.corners then return hexes.wall_shape(frame, grid, is_open) end
  local function is_walled(x, y, x2, y2)
    if not (is_open(x, y) and is_open(x2, y2)) then return nil end
    local away, home = grid:clear(x, y, x2, y2), grid:clear(x2, y2, x, y)
    if away ~= home then
      local tooth = away and 0.25 or -0.25
      directed[#directed + 1] = x == x2 and ("M%d %dh1m-0.5 0v%g"):format(x - 1, y, tooth)
        or ("M%d %dv1m0 -0.5h%g"):format(x, y - 1, tooth)
    end
    return not (away or home) or nil
  end
  for y = 1, high - 1 do
    each_run(y, 1, wide, function(x) return is_walled(x, y, x, y + 1) end, function(first, last)
      parts[#parts + 1] = ("M%d %dh%d"):format(first - 1, y, last - first + 1)
    end)
  end
  for x = 1, wide - 1 do
    each_run(x, 1, high, function(y) return is_walled(x, y, x + 1, y) end, function(first, last)
      parts[#parts + 1] = ("M%d %dv%d"):format(x, first - 1, last - first + 1)
    end)
  end
  return table.concat(parts), table.concat(directed)
end

-- Colours ----------------------------------------------------------------------------------------------------------

--- The darkness of a weight, from 0 to 1, on a logarithmic scale.
local function shade_of(weight, least, most)
  least = max(least, most * 1e-3, 1e-300)
  if most <= least then return 0 end
  return floor(math.log(max(weight, least) / least) / math.log(most / least) * SHADES + 0.5) / SHADES
end

--- Gives each kind its `colour`.
-- @return the plain colours by tag; the tags, sorted; a function (page) that explains all colours
local function colour_kinds(kinds, has_field)
  local tint = has_field and 0.65 or 0.35 -- paler below a field, which is more important
  local tags, open, closed, least, most = {}, {}, {}, huge, -huge
  for _, kind in ipairs(kinds) do
    (kind.weight and open or closed)[kind.tag or ""] = true
    if kind.tag then tags[kind.tag] = true end
    if kind.weight then least, most = min(least, kind.weight), max(most, kind.weight) end
  end
  local by_tag, names = colours.of_tags(tags)
  local function colour_of(tag, is_open)
    if is_open then return tag and mix(by_tag[tag], PAPER, tint) or FLOOR end
    return tag and mix(by_tag[tag], SOLID, CLOSED) or SOLID
  end
  for _, kind in ipairs(kinds) do
    kind.colour = colour_of(kind.tag, kind.weight)
    if kind.weight then kind.colour = mix(kind.colour, SHADE, 0.5 * shade_of(kind.weight, least, most)) end
  end

  local function explain(page)
    local function box(label, tag, is_open, outline)
      local attributes = fill('fill="%s"%s', colour_of(tag, is_open), outline)
      page:explain_boxes(label, 1, function() return attributes end)
    end
    local outline = fill(' stroke="%s" stroke-opacity="0.3"', INK)
    for _, name in ipairs(names) do
      if open[name] then box(name, name, true, outline) end
      if closed[name] then box(name .. ", closed", name, false, outline) end
    end
    if closed[""] then box("closed", nil, false, "") end
    if least < most then
      page:explain_boxes(("weight %s to %s"):format(format.number(least, 5), format.number(most, 5)), 5, function(i)
        return fill('fill="%s"', mix(FLOOR, SHADE, i / 8))
      end)
    end
  end
  return by_tag, names, explain
end

-- Drawing ----------------------------------------------------------------------------------------------------------

--- The tag that most cells below a field have; nil: most have none.
local function common_tag(cells, levels, names)
  local counts, common = { [""] = 0 }, nil
  for at in pairs(levels) do
    local tag = cells[at].tag or ""
    counts[tag] = (counts[tag] or 0) + 1
  end
  local most = counts[""]
  for _, name in ipairs(names) do
    local count = counts[name] or 0
    if count > most or count == most and not common then common, most = name, count end
  end
  return common
end

--- Draws a field: a colour for each cell that it reaches. Tags below it are hatched in their colours, except one that
--- nearly all cells have.
local function draw_field(page, frame, wide, high, size, cells, levels, by_tag, names)
  draw_merged(frame, wide, high, function(at) return levels[at] end, function(level, shape)
    page:add('<path fill="%s" d="%s"/>', colours.heat(level), shape)
  end)
  local common = common_tag(cells, levels, names)
  local step = size < 14 and math.ceil(7 / size) or 1 / floor(size / 7) -- fits the cells, so that all look the same
  local half, quarter = step / 2, step / 4
  draw_merged(frame, wide, high, function(at)
    local tag = levels[at] and cells[at].tag
    return tag ~= common and tag or nil
  end, function(tag, shape, i)
    page:add('<pattern id="tag%s" patternUnits="userSpaceOnUse" width="%s" height="%s">', i, step, step)
    page:add('<path d="M0 %sL%s 0M-%s %sl%s -%sM%s %sl%s -%s" stroke="%s" stroke-width="%s"/></pattern>',
      step, step, quarter, quarter, half, half, step * 0.75, step * 1.25, half, half, mix(by_tag[tag], INK, 0.2),
      step * 0.16)
    page:add('<path fill="url(#tag%s)" d="%s"><title>%s</title></path>', i, shape, text.escaped(tag))
  end)
end

--- The lines between cells.
local function draw_lattice(page, frame, wide, high, size)
  local lines = frame.corners and { hexes.lattice(frame, wide, high) } or {}
  for x = 1, frame.corners and 0 or wide - 1 do lines[#lines + 1] = ("M%d 0v%d"):format(x, high) end
  for y = 1, frame.corners and 0 or high - 1 do lines[#lines + 1] = ("M0 %dh%d"):format(y, wide) end
  page:add('<path d="%s" fill="none" stroke="%s" stroke-opacity="0.12" stroke-width="%s"/>', table.concat(lines), INK,
    format.number(1 / size, 9))
end

--- An arrow in each cell, along the step that the field takes.
-- @param middle function (x, y): the middle of a cell, in pixels
local function draw_flow(page, field, levels, wide, size, middle)
  local arrows = {}
  for x, y in field:each() do
    local x2, y2 = field:next(x, y)
    if x2 and levels[(y - 1) * wide + x] then
      local px, py = middle(x, y)
      local qx, qy = middle(x2, y2)
      local dx, dy = qx - px, qy - py
      local length = math.sqrt(dx * dx + dy * dy)
      arrows[#arrows + 1] = svg_page.arrow(px, py, dx / length, dy / length, min(size * 0.16, 7))
    end
  end
  if #arrows > 0 then page:add('<path d="%s" fill="%s" opacity="0.45"/>', table.concat(arrows), INK) end
end

--- Draws a grid, and the paths, lines and fields on it.
-- @param page the page, already fitted
-- @param asked the options as init.lua has read them
-- @param frame of the grid
local function draw(page, asked, frame)
  local grid = asked.grid
  local wide, high = grid:width(), grid:height()
  local left, top = page:place(frame.left, frame.top)
  local pixels = { left = left, top = top, wide = page:length(frame.wide), high = page:length(frame.high),
    isometric = frame.isometric }
  local size = min(pixels.wide, pixels.high)
  --- The middle of a cell; nil: there is no such cell.
  local function middle(x, y)
    if check.is_within(x, 1, wide) and check.is_within(y, 1, high) then
      return frames.to_world(pixels, frames.middle(frame, x, y))
    end
  end
  local cells, kinds = read_cells(asked, frame)
  local by_tag, names, explain = colour_kinds(kinds, asked.field)

  local transform
  if frame.isometric then
    local x, y = format.number(pixels.wide / 2, 9), format.number(pixels.high / 2, 9)
    transform = fill('transform="matrix(%s %s -%s %s %s %s)"', x, y, x, y, left, top)
  elseif frame.wide ~= frame.high then
    transform = fill('transform="matrix(%s 0 0 %s %s %s)"', format.number(pixels.wide, 9),
      format.number(pixels.high, 9), left, top)
  else
    transform = fill('transform="translate(%s %s) scale(%s)"', left, top, format.number(size, 9))
  end
  if frame.isometric then
    page:add('<path %s d="M0 0h%sv%sh-%sz" fill="%s"/>', transform, wide, high, wide, FLOOR)
  elseif not frame.corners then
    page:add('<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>', left, top, pixels.wide * wide,
      pixels.high * high, FLOOR)
  end
  page:add((frame.isometric or frame.corners) and "<g %s>" or '<g %s shape-rendering="crispEdges">', transform)
  local ground = not frame.corners and FLOOR -- it is drawn already, but not that of hexes
  draw_merged(frame, wide, high, function(at) return cells[at].colour ~= ground and cells[at].colour or nil end,
    function(colour, shape) page:add('<path fill="%s" d="%s"/>', colour, shape) end)
  local field = svg_page.read_field(asked.field, function(x, y, cost)
    return cost and x <= wide and y <= high and (y - 1) * wide + x
  end)
  for at in pairs(field.levels) do -- closed cells beside reached ones have costs too, but are not drawn
    if not cells[at].weight then field.levels[at] = nil end
  end
  if asked.field then draw_field(page, frame, wide, high, size, cells, field.levels, by_tag, names) end
  if size >= 9 then draw_lattice(page, frame, wide, high, size) end
  page:add "</g>"
  local walls, directed = wall_shape(frame, grid, cells)
  if walls ~= "" then
    page:add('<path %s d="%s" fill="none" stroke="%s" stroke-width="%s" stroke-linecap="round"/>', transform, walls,
      INK, format.number(max(0.16, 1 / size), 9))
    page:explain_stroke("wall between cells", 'stroke="%s" stroke-width="4"', INK)
  end
  if directed ~= "" then
    page:add('<path %s d="%s" fill="none" stroke="%s" stroke-width="%s"/>', transform, directed, INK,
      format.number(max(0.08, 0.5 / size), 9))
    page:explain_stroke("directed wall", 'stroke="%s" stroke-width="2"', INK)
  end
  if asked.field and not asked.search and size >= 11 then
    draw_flow(page, asked.field, field.levels, wide, size, middle)
  end
  if asked.walls then page:draw_walls(asked.walls) end
  explain(page)
  page:explain_field(field, asked.search and "search" or "field")

  local ways = {}
  for i, path in ipairs(asked.paths) do
    local points, cells_of, side, body = {}, path.path, path.size or 1, {}
    for k = 1, #cells_of, 2 do
      local x, y = cells_of[k], cells_of[k + 1]
      if not middle(x, y) then
        check.fail("path must lead over cells of the grid, got %s, %s", check.describe(x), check.describe(y))
      end
      if side == 1 then
        points[k], points[k + 1] = middle(x, y)
      else
        points[k], points[k + 1] = frames.to_world(pixels, bodies.centre(x, side), bodies.centre(y, side))
      end
      body[#body + 1] = fill("M%s %sh%sv%sh-%sz", bodies.first(x, side) - 1, bodies.first(y, side) - 1, side, side,
        side)
    end
    ways[i] = svg_page.way(path.label, points)
    if path.size then
      ways[i].body = fill('<path %s d="%s" fill="%%s" fill-opacity="0.18"/>', transform, table.concat(body))
    end
  end
  page:draw_chokepoints(asked.chokepoints, function(one)
    local x1, y1 = middle(one.x, one.y)
    return x1, y1, middle(one.to_x, one.to_y)
  end, size * 0.35)
  local width = max(1.6, min(5, size * 0.22))
  page:draw_ways(ways, asked.lines, width)
  page:draw_ends(ways, width, width * 0.6)
end

return { see = see, draw = draw }
