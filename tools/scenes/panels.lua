-- SPDX-License-Identifier: MIT
-- Puts pictures of wend.svg side by side, in one style. A panel is a table:
--
--   { map, caption = "...", over = function(place), and the options of wend.svg }
--   { caption = "...", body = function(width) }: returns elements and their height
--
-- over returns elements to draw above the map. place(x, y) maps a point of the world to pixels, and returns the pixels
-- of a unit as its third value. The world of a grid begins at (0, 0), and a cell is 1 wide.

local wend = require "wend"

local panels = {}
local WIDE, GAP, LINE = 720, 16, 20 -- the width of a picture, the space between panels, the height of a line of text
local MARGIN, KEPT = 28, 4          -- the margin of wend.svg, and what grids keep of it: graphs have names there

-- Pictures on a dark page: paper, floor, walls and ink change, and lines become lighter.
local DARK = [[
<style>@media (prefers-color-scheme:dark){
[fill="#ffffff"]{fill:#2e303e}[stroke="#ffffff"]{stroke:#2e303e}[fill="#f4f2ec"]{fill:#4a4e5e}
[fill="#474c59"]{fill:#16181f}[fill="#2b2f3a"]:not([opacity]){fill:#e8eaf0}[stroke="#2b2f3a"]{stroke:#e8eaf0}
[stroke="#d4003c"]{stroke:#ff6b8f}[fill="#d4003c"]{fill:#ff6b8f}[stroke="#6a00b8"]{stroke:#c79bff}
[fill="#6a00b8"]{fill:#c79bff}[stroke="#004fd6"]{stroke:#7db0ff}[fill="#004fd6"]{fill:#7db0ff}
[stroke="#00707a"]{stroke:#4ccdd8}[fill="#00707a"]{fill:#4ccdd8}[stroke="#7d828d"]{stroke:#b4b9c4}
[stroke="#c2185b"]{stroke:#ff6b8f}}</style>
]]

---Lets a picture follow the colours of the page.
function panels.with_dark_mode(svg)
  return (svg:gsub("</title>\n", function(found) return found .. DARK end, 1))
end

local function escaped(text) return (text:gsub("[&<>]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" })) end

---Breaks a text into lines of at most so many characters.
local function lines_of(text, most)
  local lines = { "" }
  for word in text:gmatch "%S+" do
    local longer = lines[#lines] == "" and word or lines[#lines] .. " " .. word
    if #longer <= most then lines[#lines] = longer else lines[#lines + 1] = word end
  end
  return lines
end

---The picture of one panel. Returns elements, their height, and how much of the margin is cut off.
local function drawn(panel, wide)
  if panel.body then
    local body, high = panel.body(wide)
    return body, high, 0
  end
  local cut = panel[1] and not panel[1].add_node and MARGIN - KEPT or 0
  local options = { width = wide + 2 * cut, legend = panel.legend or false }
  for name, value in pairs(panel) do
    if type(name) == "string" and name ~= "caption" and name ~= "over" then options[name] = value end
  end
  local svg = wend.svg(panel[1], options)
  local high = tonumber(svg:match '<svg [^>]-height="([%d.]+)"')
  local body = svg:match '<rect width="100%%"[^\n]*\n(.*)</svg>\n$'
  if panel.over then
    local left, top, scale = svg:match 'translate%(([%d.]+) ([%d.]+)%) scale%(([%d.]+)%)'
    body = body .. panel.over(function(x, y)
      return math.floor((left + x * scale) * 100 + 0.5) / 100, math.floor((top + y * scale) * 100 + 0.5) / 100,
        math.floor(scale * 100 + 0.5) / 100
    end)
  end
  return body, high - 2 * cut, cut
end

---A document of panels side by side.
function panels.draw(list)
  local wide = list.wide or WIDE
  local each = (wide - (#list - 1) * GAP) / #list
  local parts, most, rows = {}, 0, 0
  for i, panel in ipairs(list) do
    local body, high, cut = drawn(panel, each)
    -- A pattern of one panel must not have the name of another's.
    body = body:gsub('id="tag', '%0' .. i .. "-"):gsub("url%(#tag", "%0" .. i .. "-")
    parts[i] = { body = body, high = high, cut = cut, lines = lines_of(panel.caption or "", math.floor(each / 7.6)) }
    most, rows = math.max(most, high), math.max(rows, panel.caption and #parts[i].lines or 0)
  end
  local out = {}
  for i, part in ipairs(parts) do
    local left = (i - 1) * (each + GAP)
    out[#out + 1] = ('<svg x="%.6g" y="0" width="%.6g" height="%.6g" viewBox="%d %d %.6g %.6g">'):format(left, each,
      part.high, part.cut, part.cut, each, part.high)
    out[#out + 1] = part.body .. "</svg>"
    for j, line in ipairs(list[i].caption and part.lines or {}) do
      out[#out + 1] = ('<text x="%.6g" y="%.6g" font-size="14" fill="#2b2f3a">%s</text>'):format(left + KEPT,
        most + j * LINE - 3, escaped(line))
    end
  end
  local high = most + rows * LINE + 6
  return table.concat {
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    ('<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%.6g" viewBox="0 0 %g %.6g" '):format(wide, high, wide,
      high),
    'font-family="DejaVu Sans, Verdana, sans-serif">\n<title>', escaped(list.title or "map"), "</title>\n",
    '<rect width="100%" height="100%" fill="#ffffff"/>\n', table.concat(out, "\n"), "\n</svg>\n",
  }
end

---Cells in a colour: shares(x, y) returns how much of the colour covers the cell, from 0 to 1.
function panels.tint(wide, high, colour, shares)
  return function(place)
    local out = {}
    for y = 1, high do
      for x = 1, wide do
        local share = shares(x, y)
        if share > 0 then
          local px, py, unit = place(x - 1, y - 1)
          out[#out + 1] = ('<rect x="%g" y="%g" width="%g" height="%g" fill="%s" fill-opacity="%.2g"/>'):format(px, py,
            unit, unit, colour, share)
        end
      end
    end
    return table.concat(out, "\n") .. "\n"
  end
end

---Discs: each is { x, y, radius, colour }.
function panels.discs(list)
  return function(place)
    local out = {}
    for i, disc in ipairs(list) do
      local px, py, unit = place(disc[1], disc[2])
      out[i] = ('<circle cx="%g" cy="%g" r="%.3g" fill="%s"/>'):format(px, py, disc[3] * unit, disc[4])
    end
    return table.concat(out, "\n") .. "\n"
  end
end

return panels
