-- SPDX-License-Identifier: MIT
--- wend.export: writes a map, walls or a level as plain text, for people and for diffs. Nothing reads this text again.
--
-- Each line describes one thing: a node, an edge, a row of cells. The order of the lines depends only on the map. A
-- line contains nothing that depends on other things: no counts, no line numbers, no lengths of edges. So an edit of
-- the map changes only the lines of what was edited. Numbers are exact, and every Lua on every platform writes the same
-- bytes.

local core = require "wend.core"
local check = require "wend.check"
local levels = require "wend.level"

local HEADER = "wend text 1 "
-- Characters for kinds of cells. A grid with more kinds is written as weights and tags.
local CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~=+-*%&@$!^_:;|/<>"

-- Numbers and text -------------------------------------------------------------------------------------------------

--- Formats a number with few digits, so that it reads back as the same double. With more than 15 digits, Luas round
--- differently: a value half-way between two results is rounded up by LuaJIT, and to the even digit by the others. Such
--- a value has only one digit more, so it is written completely.
local function digits(value)
  local text = ("%.15g"):format(value)
  if tonumber(text) == value then
    return text
  end
  text = ("%.18g"):format(value)
  if text == ("%.40g"):format(value) then
    return text
  end
  text = ("%.16g"):format(value)
  return tonumber(text) == value and text or ("%.17g"):format(value)
end

--- Formats a number >= 0 or a coordinate.
local function number(value)
  if value == math.huge then
    return "inf"
  elseif value % 1 == 0 and math.abs(value) < 2 ^ 53 then
    return ("%.0f"):format(value)
  end
  -- A decimal point in every locale. No zeros at the front of an exponent, which some platforms write.
  return (digits(value):gsub(",", "."):gsub("e([+-])0*", "e%1"))
end

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function escaped(character)
  return ESCAPES[character] or ("\\%03d"):format(character:byte())
end

--- Whether a string is valid UTF-8.
local function is_utf8(text)
  local rest = text:gsub("[\194-\223][\128-\191]", " "):gsub("\224[\160-\191][\128-\191]", " ")
    :gsub("\237[\128-\159][\128-\191]", " "):gsub("[\225-\236\238\239][\128-\191][\128-\191]", " ")
    :gsub("\240[\144-\191][\128-\191][\128-\191]", " "):gsub("[\241-\243][\128-\191][\128-\191][\128-\191]", " ")
    :gsub("\244[\128-\143][\128-\191][\128-\191]", " ")
  return not rest:find "[\128-\255]"
end

--- A name or tag in quotes, with the escapes of Lua. If it is not valid UTF-8, all its bytes above 127 are escaped.
local function quoted(text)
  text = text:gsub('[%z\1-\31"\\\127]', escaped)
  if not is_utf8(text) then
    text = text:gsub("[\128-\255]", escaped)
  end
  return '"' .. text .. '"'
end

-- Graphs -----------------------------------------------------------------------------------------------------------

local function node_line(graph, node)
  local line = { "node " .. number(node) }
  local position = { graph:position(node) }
  if position[1] then
    for axis = 1, #position do
      position[axis] = number(position[axis])
    end
    line[2] = "at " .. table.concat(position, " ")
  end
  local name, radius = graph:name(node), graph:radius(node)
  if name then
    line[#line + 1] = "name " .. quoted(name)
  end
  if radius then
    line[#line + 1] = "radius " .. number(radius)
  end
  if graph:is_closed(node) then
    line[#line + 1] = "closed"
  end
  return table.concat(line, " ")
end

local function edge_line(graph, id)
  local edge = graph:edge(id)
  return table.concat {
    "edge ", number(id), " from ", number(edge.from), " to ", number(edge.to),
    graph:is_measured(id) and " measured" or " weight " .. number(edge.weight),
    edge.tag and " tag " .. quoted(edge.tag) or "",
    edge.directed and " directed" or "",
    edge.closed and " closed" or "",
  }
end

local function export_graph(graph)
  local lines = { "dimensions " .. number(graph:dimensions()) }
  local edges = {}
  for node in graph:nodes() do
    lines[#lines + 1] = node_line(graph, node)
  end
  for edge in graph:edges() do
    edges[#edges + 1] = edge
  end
  table.sort(edges)
  for _, edge in ipairs(edges) do
    lines[#lines + 1] = edge_line(graph, edge)
  end
  return lines
end

-- Grids ------------------------------------------------------------------------------------------------------------

--- All kinds of cells, sorted, and a function (x, y) that returns the kind of a cell. A kind is
--- { weight, tag, closed }. The weight of a closed kind is the one that it keeps.
local function kinds_of(grid)
  local kinds, open, shut = {}, {}, {}
  local function kind_at(x, y)
    local weight, tag = grid:get(x, y)
    local closed = not weight
    local by_tag = closed and shut or open
    local by_weight = by_tag[tag or false]
    if not by_weight then
      by_weight = {}
      by_tag[tag or false] = by_weight
    end
    if closed then
      weight = grid:weight(x, y)
    end
    local kind = by_weight[weight]
    if not kind then
      kind = { weight = weight, tag = tag, closed = closed }
      by_weight[weight] = kind
      kinds[#kinds + 1] = kind
    end
    return kind
  end
  for y = 1, grid:height() do
    for x = 1, grid:width() do
      kind_at(x, y)
    end
  end
  table.sort(kinds, function(a, b)
    if a.tag ~= b.tag then
      return not a.tag or b.tag and a.tag < b.tag or false
    elseif a.closed ~= b.closed then
      return b.closed
    end
    return a.weight < b.weight
  end)
  return kinds, kind_at
end

--- Gives each kind a character, `text`: the one that grid:text would use if it is free and ASCII,
--- otherwise another one.
local function choose_characters(kinds)
  local taken = { ["#"] = true, ["."] = true }
  local function choose(kind, from)
    for character in from:gmatch '[^%c "\\\127-\255]' do
      if not taken[character] then
        kind.text = character
        taken[character] = true
        return
      end
    end
  end
  for _, kind in ipairs(kinds) do
    if kind.tag then
      choose(kind, kind.tag)
    elseif kind.weight == 1 then
      kind.text = kind.closed and "#" or "."
    elseif not kind.closed and kind.weight >= 2 and kind.weight <= 9 and kind.weight % 1 == 0 then
      choose(kind, number(kind.weight))
    end
  end
  for _, kind in ipairs(kinds) do
    if not kind.text then
      choose(kind, CHARACTERS)
    end
  end
end

local function value_text(weight, tag)
  return "weight " .. number(weight) .. (tag and " tag " .. quoted(tag) or "")
end

--- The value of a kind. A closed cell that keeps weight 1 is written as "closed" alone.
local function kind_text(kind)
  if kind.closed and kind.weight == 1 then
    return "closed" .. (kind.tag and " tag " .. quoted(kind.tag) or "")
  end
  return value_text(kind.weight, kind.tag) .. (kind.closed and " closed" or "")
end

local function add_cells(lines, grid)
  local kinds, kind_at = kinds_of(grid)
  local narrow = #kinds <= #CHARACTERS
  if narrow then
    choose_characters(kinds)
  end
  for _, kind in ipairs(kinds) do
    if narrow then
      lines[#lines + 1] = "legend " .. kind.text .. " " .. kind_text(kind)
    else -- numbers of kinds would be shorter, but then a new kind would change every line
      kind.text = (kind.closed and "#" or "") .. (kind.closed and kind.weight == 1 and "" or number(kind.weight))
        .. (kind.tag and quoted(kind.tag) or "")
    end
  end
  local row = {}
  for y = 1, grid:height() do
    for x = 1, grid:width() do
      row[x] = kind_at(x, y).text or check.fail "the grid was changed while it was exported" -- a finalizer may do that
    end
    lines[#lines + 1] = "row " .. table.concat(row, narrow and "" or " ")
  end
end

--- Compares two pairs of cells, row by row.
local function by_cells(a, b)
  for _, i in ipairs { 2, 1, 4, 3 } do
    if a[i] ~= b[i] then
      return a[i] < b[i]
    end
  end
  return false
end

--- A pair of cells in the opposite direction.
local function turned(a)
  return { a[3], a[4], a[1], a[2] }
end

local function cells_text(a)
  return ("%d %d %d %d"):format(a[1], a[2], a[3], a[4])
end

local function add_walls(lines, grid)
  local walls = {}
  for x1, y1, x2, y2 in grid:walls() do
    local wall = { x1, y1, x2, y2 }
    walls[#walls + 1] = by_cells(wall, turned(wall)) and wall or turned(wall)
  end
  table.sort(walls, by_cells)
  for _, wall in ipairs(walls) do
    lines[#lines + 1] = "wall " .. cells_text(wall)
  end
end

--- grid:links() returns each direction of a link. Two equal links in opposite directions are written as one line:
--- nothing tells whether they were added together.
local function add_links(lines, grid)
  local links, value_of = {}, {}
  for x1, y1, x2, y2, weight, tag in grid:links() do
    local link = { x1, y1, x2, y2 }
    links[#links + 1] = link
    value_of[cells_text(link)] = value_text(weight, tag)
  end
  table.sort(links, by_cells)
  for _, link in ipairs(links) do
    local back, value = turned(link), value_of[cells_text(link)]
    local both = value == value_of[cells_text(back)]
    if not both or not by_cells(back, link) then
      lines[#lines + 1] = ("link %s %s%s"):format(cells_text(link), value, both and "" or " directed")
    end
  end
end

local function export_grid(grid)
  local left, top = grid:origin()
  local wide, high = grid:cell_size()
  local projection = grid:projection()
  local lines = {
    ("size %d %d"):format(grid:width(), grid:height()),
    "diagonals " .. grid:diagonals(),
    "cell " .. number(wide) .. (high ~= wide and " " .. number(high) or ""),
    ("origin %s %s"):format(number(left), number(top)),
    projection ~= "orthogonal" and "projection " .. projection or nil,
  }
  add_cells(lines, grid)
  add_walls(lines, grid)
  add_links(lines, grid)
  return lines
end

-- Walls and levels -------------------------------------------------------------------------------------------------

local function export_walls(walls)
  local ids, line_of = {}, {}
  for kind, numbers, id in walls:each() do
    for i = 1, #numbers do numbers[i] = number(numbers[i]) end
    ids[#ids + 1] = id
    line_of[id] = ("wall %s %s %s"):format(number(id), kind, table.concat(numbers, " "))
  end
  table.sort(ids)
  for i, id in ipairs(ids) do ids[i] = line_of[id] end
  return ids
end

--- Adds a line for each value of the data of a level that is no table, and for each empty table.
-- @param path the keys that lead to the value, as text
local function add_data(lines, value, path)
  if type(value) ~= "table" then
    lines[#lines + 1] = ("%s %s"):format(path, type(value) == "string" and quoted(value)
      or type(value) == "number" and number(value) or tostring(value))
    return
  end
  local keys = levels.keys(value)
  for _, key in ipairs(keys) do
    add_data(lines, rawget(value, key),
      ("%s[%s]"):format(path, type(key) == "string" and quoted(key) or number(key)))
  end
  if #keys == 0 then lines[#lines + 1] = path .. " {}" end
end

--- The names of a grid of a level, in quotes.
local function layer_names(parts, grid)
  local names = {}
  for _, item in ipairs(parts.layer_names) do
    if item[2] == grid then names[#names + 1] = " " .. quoted(item[1]) end
  end
  return table.concat(names)
end

local function export_level(level)
  local parts, lines = levels.read(level), {}
  for _, name in ipairs { "width", "height", "cell" } do
    if parts[name] then lines[#lines + 1] = name .. " " .. number(parts[name]) end
  end
  for _, item in ipairs(parts.names) do
    lines[#lines + 1] = ("name %s at %s %s%s"):format(quoted(item[1]), number(item[2]), number(item[3]),
      item[4] and " " .. number(item[4]) or "")
  end
  local function add_part(title, part)
    lines[#lines + 1] = title
    for _, line in ipairs(part) do lines[#lines + 1] = line end
  end
  local data = rawget(level, "data")
  if data ~= nil then add_data(lines, data, "data") end
  local layer_of = {}
  for i, grid in ipairs(parts.layers) do
    local title = "layer " .. i .. layer_names(parts, grid)
    add_part(title, layer_of[grid] and { "as layer " .. layer_of[grid] } or export_grid(grid))
    layer_of[grid] = layer_of[grid] or i
  end
  local merged = parts.grid
  if merged then add_part("grid", layer_of[merged] and { "as layer " .. layer_of[merged] } or export_grid(merged)) end
  if parts.graph then add_part("graph", export_graph(parts.graph)) end
  if parts.walls then add_part("walls", export_walls(parts.walls)) end
  return lines
end

local EXPORTS = { graph = export_graph, grid = export_grid, walls = export_walls, level = export_level }

-- The interface ----------------------------------------------------------------------------------------------------

local export = {}

--- wend.export(x): writes a graph, a grid, walls or a level as text. Equal content gives the same bytes.
---@param x wend.Graph|wend.Grid|wend.Walls|wend.Level raises for anything else
---@return string
function export.export(x)
  local kind = core.type(x)
  if not EXPORTS[kind] then
    check.fail("x must be a graph, a grid, walls or a level, got %s", check.describe(x))
  end
  local lines = EXPORTS[kind](x)
  table.insert(lines, 1, HEADER .. kind)
  lines[#lines + 1] = ""
  return table.concat(lines, "\n")
end

return export
