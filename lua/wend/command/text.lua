-- SPDX-License-Identifier: MIT
--- The command wend: values as people read them.

local core = require "wend.core"

local SHOWN_MAX = 8     -- nodes or cells in a sentence

local function number(value, digits)
  return (("%." .. (digits or 14) .. "g"):format(value))
end

--- 1 node, 2 nodes.
local function count(amount, noun)
  return ("%.0f %s%s"):format(amount, noun, amount == 1 and "" or "s")
end

--- Text out of a file, fit for a terminal.
local function printable(text)
  return (text:gsub("%c", "?"))
end

local function node_text(graph, node)
  local name = graph:name(node)
  return name and ("'%s' (%.0f)"):format(printable(name), node) or ("%.0f"):format(node)
end

local function cell_text(x, y)
  return ("(%d,%d)"):format(x, y)
end

--- A list of places as the module gives them (of grids flat), as texts: the first few, and how many there are.
local function places(map, list)
  local step = core.type(map) == "grid" and 2 or 1
  local texts, amount = {}, #list / step
  local shown = amount <= SHOWN_MAX + 1 and amount or SHOWN_MAX
  for i = 1, shown do
    texts[i] = step == 2 and cell_text(list[i * 2 - 1], list[i * 2]) or node_text(map, list[i])
  end
  local text = table.concat(texts, ", ")
  return shown < amount and ("%s and %d more"):format(text, amount - shown) or text, amount
end

return { number = number, count = count, printable = printable, node = node_text, cell = cell_text, places = places }
