-- SPDX-License-Identifier: MIT
--- The command wend: formats values for people.

local core = require "wend.core"
local format = require "wend.format"
local projection = require "wend.tools.tiled.projection"

local SHOWN_MAX = 8     -- nodes or cells named in one line

--- Text from a file, without control characters, which could confuse a terminal.
local function printable(text)
  return (text:gsub("%c", "?"))
end

--- A node: "'gate' (1)", or "1".
local function node_text(graph, node)
  local name = graph:name(node)
  return format.node(node, name and printable(name))
end

--- The tile of a cell as Tiled counts it, from 0: " (Tiled 2,3)". "": the level does not come from Tiled.
-- @param level a wend.Level, or nil
local function tile_text(level, x, y)
  local ok, column, row = pcall(projection.tile_of_cell, level, x, y)
  return ok and column and (" (Tiled %d,%d)"):format(column, row) or ""
end

--- A text with the tile behind each cell "(3,4)" in it. Names in the text must not look like cells.
local function with_tiles(level, text)
  return level and (text:gsub("%((%d+),(%d+)%)", function(x, y)
    return ("(%s,%s)%s"):format(x, y, tile_text(level, tonumber(x), tonumber(y)))
  end)) or text
end

--- The first few of a list of texts.
-- @param amount how many there are; default: as many as in the list
local function some(list, amount)
  amount = amount or #list
  local shown = amount <= SHOWN_MAX + 1 and amount or SHOWN_MAX
  local text = table.concat(list, ", ", 1, shown)
  return shown < amount and ("%s and %d more"):format(text, amount - shown) or text
end

--- A list of nodes, or a flat list of cells, as text: the first few of them. Also returns their number.
local function places(map, list)
  local step = core.type(map) == "grid" and 2 or 1
  local texts, amount = {}, #list / step
  for i = 1, math.min(amount, SHOWN_MAX + 1) do
    texts[i] = step == 2 and format.cell(list[i * 2 - 1], list[i * 2]) or node_text(map, list[i])
  end
  return some(texts, amount), amount
end

--- The number of keys of a table, and the first few in the order of their texts: "2: mill, tower".
local function keys(values)
  local list = {}
  for key in pairs(values) do list[#list + 1] = printable(tostring(key)) end
  table.sort(list)
  return ("%d%s"):format(#list, #list > 0 and ": " .. some(list) or "")
end

return {
  keys = keys, printable = printable, node = node_text, tile = tile_text,
  with_tiles = with_tiles, places = places,
}
