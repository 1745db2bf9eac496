-- SPDX-License-Identifier: MIT
-- Colours of pictures, as "#rrggbb".

local sorted = require "wend.sorted"

local floor, max, min = math.floor, math.max, math.min

local colours = {
  PAPER = "#ffffff", FLOOR = "#f4f2ec", INK = "#2b2f3a", SOLID = "#474c59", GREY = "#a9adb6",
  PLAIN = "#7d828d", -- edges without a tag
  SHADE = "#3c2a14", -- what heavy cells are mixed with
  LEVELS = 32, -- the number of colours of a field
}

-- Colours of tags that colour-blind people can distinguish: by M. Okabe and K. Ito (2002), then some by P. Tol.
local TAGS = { "#e69f00", "#009e73", "#0072b2", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#332288", "#882255",
  "#117733", "#aa8866", "#44aa99" }
local WAYS = { "#d4003c", "#6a00b8", "#004fd6", "#00707a", "#8a4b00", "#1a1a1a" }
-- Colours of a field from low to high costs: ColorBrewer's YlGnBu, without the darkest one, which would look like
-- walls.
local HEAT = { "#ffffd0", "#d5eeb3", "#a0dab8", "#62c3be", "#30a4c2", "#2079b4", "#2351a1" }

local function hex(value)
  return ("%02x"):format(floor(value + 0.5))
end

--- Converts "#rrggbb" to { red, green, blue }, each from 0 to 1.
function colours.rgb(colour)
  local function part(at) return tonumber(colour:sub(at, at + 1), 16) / 255 end
  return { part(2), part(4), part(6) }
end

--- Mixes two colours: a share of 0 gives a, 1 gives b.
function colours.mix(a, b, share)
  local colour = "#"
  for at = 2, 6, 2 do
    local from, to = tonumber(a:sub(at, at + 1), 16), tonumber(b:sub(at, at + 1), 16)
    colour = colour .. hex(from + (to - from) * share)
  end
  return colour
end

--- The colour of tag number i. After the listed colours, hues in steps of the golden ratio, which are far apart.
function colours.of_tag(i)
  if TAGS[i] then return TAGS[i] end
  local hue, colour = i * 0.618033988749895 % 1 * 6, "#"
  for _, shift in ipairs { 0, 4, 2 } do
    local distance = math.abs((hue + shift) % 6 - 3)
    colour = colour .. hex(50 + 140 * min(max(distance - 1, 0), 1))
  end
  return colour
end

--- Chooses a colour for each tag of a set, in alphabetical order.
-- @return the colours by tag; a sorted list of the tags
function colours.of_tags(tags)
  local names, by_name = sorted(pairs(tags)), {}
  for i, name in ipairs(names) do by_name[name] = colours.of_tag(i) end
  return by_name, names
end

--- The colour of path or line number i.
function colours.of_way(i)
  return WAYS[(i - 1) % #WAYS + 1]
end

--- The level of a cost of a field, for `heat`.
-- @param least, most the range of the costs
-- @return a whole number, 1 to LEVELS
function colours.level(cost, least, most)
  local share = most > least and (cost - least) / (most - least) or 0
  return max(1, min(colours.LEVELS, floor(share * colours.LEVELS) + 1))
end

--- The colour of a level of a field, 1 to LEVELS.
function colours.heat(level)
  local at = (level - 1) / (colours.LEVELS - 1) * (#HEAT - 1)
  local below = min(floor(at), #HEAT - 2)
  return colours.mix(HEAT[below + 1], HEAT[below + 2], at - below)
end

return colours
