-- SPDX-License-Identifier: MIT
--- The command wend: draws maps as text, in colour where standard output is a terminal.

local format = require "wend.format"
local maps = require "wend.tools.command.maps"
local output = require "wend.tools.command.output"
local printable = require("wend.tools.command.text").printable

local COLUMNS, ROWS = 79, 60 -- the most that the drawing of a graph takes
local CHARACTER = "[\1-\127\194-\244][\128-\191]*" -- in UTF-8

-- Colours of a terminal, for SGR of ECMA-48. Other characters of grids stand for tags: each has one of the palette.
local STYLES = { ["*"] = "1;31", ["#"] = "90", ["."] = "", ["\n"] = "" }
local PALETTE = { "32", "33", "34", "35", "36" }

--- The text with a colour for each kind of character.
local function coloured(text, is_grid)
  local parts, last = {}, ""
  for character in text:gmatch(CHARACTER) do
    local style = STYLES[character] or is_grid and PALETTE[character:byte(-1) % #PALETTE + 1] or ""
    if style ~= last then parts[#parts + 1] = ("\27[0%sm"):format(style == "" and "" or ";" .. style) end
    parts[#parts + 1], last = character, style
  end
  return table.concat(parts) .. (last ~= "" and "\27[0m" or "")
end

-- Graphs --------------------------------------------------------------------------------------------------------------

--- The nodes that have a position, as columns and rows of a canvas; and the size of the canvas.
local function place_nodes(graph)
  local places, least_x, least_y, most_x, most_y = {}, math.huge, math.huge, -math.huge, -math.huge
  for node in graph:nodes() do
    local x, y = graph:position(node)
    if x then
      places[node] = { x = x, y = y }
      least_x, least_y = math.min(least_x, x), math.min(least_y, y)
      most_x, most_y = math.max(most_x, x), math.max(most_y, y)
    end
  end
  if not next(places) then
    output.fail "no node of the graph has a position: there is nothing to draw"
  end
  local wide, high = most_x - least_x, (most_y - least_y) / 2 -- characters are about twice as high as wide
  local unit = math.max(wide / (COLUMNS - 1), high / (ROWS - 1))
  unit = unit > 0 and unit or 1
  for _, place in pairs(places) do
    place.column = math.floor((place.x - least_x) / unit + 0.5) + 1
    place.row = math.floor((place.y - least_y) / 2 / unit + 0.5) + 1
  end
  return places, math.floor(wide / unit + 0.5) + 1, math.floor(high / unit + 0.5) + 1
end

--- Draws a line of characters between two places.
local function draw_line(canvas, a, b, character)
  local steps = math.max(math.abs(b.column - a.column), math.abs(b.row - a.row), 1)
  for i = 0, steps do
    local row = canvas[math.floor(a.row + (b.row - a.row) * i / steps + 0.5)]
    row[math.floor(a.column + (b.column - a.column) * i / steps + 0.5)] = character
  end
end

--- Writes the names of nodes to the right of them, where there is space.
local function draw_names(graph, places, canvas)
  for node in graph:nodes() do
    local place, name = places[node], graph:name(node)
    local row = place and canvas[place.row]
    local at, characters, is_free = place and place.column + 1, {}, name ~= nil
    for character in printable(name or ""):gmatch(CHARACTER) do characters[#characters + 1] = character end
    for i = 1, place and #characters + 1 or 0 do is_free = is_free and (row[at + i - 1] or " ") == " " end
    for i, character in ipairs(place and is_free and characters or {}) do row[at + i] = character end
  end
end

local function draw_graph(graph, path)
  local places, columns, rows = place_nodes(graph)
  local canvas = {}
  for i = 1, rows do canvas[i] = {} end
  for node in graph:nodes() do
    for edge in graph:edges(node) do
      local ends = graph:edge(edge)
      local a, b = places[ends.from], places[ends.to]
      if ends.from == node and a and b then draw_line(canvas, a, b, ".") end
    end
  end
  for i = 2, path and #path or 0 do
    local a, b = places[path[i - 1]], places[path[i]]
    if a and b then draw_line(canvas, a, b, "*") end
  end
  for _, place in pairs(places) do
    local row = canvas[place.row]
    if row[place.column] ~= "*" then row[place.column] = "o" end
  end
  for _, node in ipairs(path or {}) do
    if places[node] then canvas[places[node].row][places[node].column] = "*" end
  end
  draw_names(graph, places, canvas)
  for i, row in ipairs(canvas) do
    local last = columns
    for column in pairs(row) do last = math.max(last, column) end
    for column = 1, last do row[column] = row[column] or " " end
    canvas[i] = table.concat(row):gsub(" +$", "")
  end
  return table.concat(canvas, "\n")
end

-- All maps -----------------------------------------------------------------------------------------------------------

local picture = {}

--- Writes the drawing of a map to standard output: in colour if that is a terminal, unless NO_COLOR asks for none.
-- @param path a path of the map, or nil
-- @param area a list { x1, y1, x2, y2 } of a grid, or nil
function picture.show(context, map, path, area)
  local is_grid = maps.is_grid(map)
  if area and not is_grid then
    output.fail "--area is for grids"
  end
  local ok, text
  if is_grid then
    ok, text = pcall(map.text, map, { path = path, area = area })
    if not ok then output.fail("%s", (text:gsub("^[^\n]-:%d+: ", ""))) end
  else
    text = draw_graph(map, path)
  end
  local asked = os.getenv "NO_COLOR"
  if (asked == nil or asked == "") and os.getenv "TERM" ~= "dumb" and output.is_terminal(context, "stdout") then
    text = coloured(text, is_grid)
  end
  output.say(context, "%s", text)
  if not is_grid then
    local lost = 0
    for node in map:nodes() do lost = lost + (map:position(node) and 0 or 1) end
    if lost > 0 then
      context.stderr:write("wend: without a position, not drawn: ", format.count(lost, "node"), "\n")
    end
  end
end

return picture
