-- SPDX-License-Identifier: MIT
--- The command wend: writes maps, walls and levels as text, to compare two versions. Nothing reads this text again.
--
-- Each line describes one thing: a node, an edge, a row of cells. The order of the lines depends only on the map. A
-- line contains nothing that depends on other lines. So an edit changes only the lines of what was edited.

local core = require "wend.core"
local exact = require("wend.format").exact
local levels = require "wend.level"
local sorted = require "wend.sorted"

--- A name or tag in quotes. Control characters are escaped.
local function quoted(text)
  return '"' .. text:gsub('[%z\1-\31"\\\127]', function(character)
    return ("\\%03d"):format(character:byte())
  end) .. '"'
end

local function numbers_text(list)
  local texts = {}
  for i, value in ipairs(list) do texts[i] = exact(value) end
  return table.concat(texts, " ")
end

local add = {}

function add.graph(say, graph)
  say("dimensions %d", graph:dimensions())
  for _, node in ipairs(sorted(graph:nodes())) do
    local name, radius, tag = graph:name(node), graph:radius(node), graph:node_tag(node)
    local position = { graph:position(node) }
    say("node %.0f%s%s%s%s%s", node, position[1] and " at " .. numbers_text(position) or "",
      name and " name " .. quoted(name) or "", radius and " radius " .. exact(radius) or "",
      tag and " tag " .. quoted(tag) or "", graph:is_closed(node) and " closed" or "")
  end
  for _, id in ipairs(sorted(graph:edges())) do
    local edge = graph:edge(id)
    say("edge %.0f from %.0f to %.0f %s%s%s%s%s", id, edge.from, edge.to,
      graph:is_measured(id) and "measured" or "weight " .. exact(edge.weight),
      edge.tag and " tag " .. quoted(edge.tag) or "", edge.width and " width " .. exact(edge.width) or "",
      edge.directed and " directed" or "",
      edge.closed and " closed" or "")
  end
end

--- A cell: "." (open, weight 1), "#" (closed), or its weight and tag, such as 2"swamp". "#" comes before what a closed
--- cell keeps.
local function cell_text(grid, x, y)
  local open, tag = grid:get(x, y)
  local weight = open or grid:weight(x, y)
  local text = (open and "" or "#") .. (weight == 1 and "" or exact(weight)) .. (tag and quoted(tag) or "")
  return text == "" and "." or text
end

function add.grid(say, grid)
  say("size %d %d", grid:width(), grid:height())
  local shape, shift, flat = grid:shape()
  if shape == "hex" then say("hexes %s%s", shift, flat and " flat" or "") end
  if shape == "square" then say("diagonals %s", grid:diagonals()) end
  if shape == "square" and grid:diagonal_length() ~= math.sqrt(2) then
    say("diagonal_length %s", exact(grid:diagonal_length()))
  end
  say("projection %s", grid:projection())
  say("cell %s", numbers_text { grid:cell_size() })
  say("origin %s", numbers_text { grid:origin() })
  for y = 1, grid:height() do
    local cells = {}
    for x = 1, grid:width() do cells[x] = cell_text(grid, x, y) end
    say("row %s", table.concat(cells, " "))
  end
  local lines = {}
  for x1, y1, x2, y2, directed in grid:walls() do
    lines[#lines + 1] = ("wall %d %d %d %d%s"):format(x1, y1, x2, y2, directed and " directed" or "")
  end
  for x1, y1, x2, y2, weight, tag in grid:links() do -- each direction
    lines[#lines + 1] = ("link %d %d %d %d weight %s%s"):format(x1, y1, x2, y2, exact(weight),
      tag and " tag " .. quoted(tag) or "")
  end
  table.sort(lines)
  for _, line in ipairs(lines) do say("%s", line) end
end

function add.walls(say, walls)
  local lines = {}
  for kind, numbers in walls:each() do
    lines[#lines + 1] = ("wall %s %s"):format(kind, numbers_text(numbers))
  end
  table.sort(lines)
  for _, line in ipairs(lines) do say("%s", line) end
end

--- Adds a line for each value of the data of a level that is no table, and for each empty table.
-- @param path the keys that lead to the value, as text
local function add_data(say, value, path)
  if type(value) ~= "table" then
    say("%s %s", path, type(value) == "string" and quoted(value) or type(value) == "number" and exact(value)
      or tostring(value))
    return
  end
  local keys = levels.keys(value)
  for _, key in ipairs(keys) do
    add_data(say, value[key], ("%s[%s]"):format(path, type(key) == "string" and quoted(key) or exact(key)))
  end
  if #keys == 0 then say("%s {}", path) end
end

function add.level(say, level)
  local parts = levels.read(level)
  say("size %s", numbers_text { parts.width or 0, parts.height or 0, parts.cell or 0 })
  for _, item in ipairs(parts.names) do
    say("name %s at %s", quoted(item[1]), numbers_text { item[2], item[3], item[4] or nil })
  end
  if level.data ~= nil then add_data(say, level.data, "data") end
  local shown = {}
  local function add_part(title, kind, part)
    say("%s%s", title, shown[part] and " is " .. shown[part] or "")
    if not shown[part] then add[kind](say, part) end
    shown[part] = shown[part] or title
  end
  for _, item in ipairs(parts.layer_names) do
    add_part("layer " .. quoted(item[1]), "grid", item[2])
  end
  for i, grid in ipairs(parts.layers) do
    add_part("layer " .. i, "grid", grid)
  end
  for _, name in ipairs { "grid", "graph", "walls" } do
    if parts[name] then add_part(name, name, parts[name]) end
  end
end

--- A graph, a grid, walls or a level as text. Equal content gives equal text.
local function dump(object)
  local kind, lines = core.type(object), {}
  lines[1] = "wend text " .. kind
  add[kind](function(...) lines[#lines + 1] = string.format(...) end, object)
  return table.concat(lines, "\n") .. "\n"
end

return dump
