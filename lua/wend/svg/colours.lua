-- SPDX-License-Identifier: MIT
-- wend.svg: colours, as "#rrggbb".

local floor, max, min = math.floor, math.max, math.min

local colours = {
  PAPER = "#ffffff", FLOOR = "#f4f2ec", INK = "#2b2f3a", SOLID = "#474c59", GREY = "#a9adb6",
  LEVELS = 32, -- of `heat`
}

-- Colours that colour-blind people can tell apart: M. Okabe and K. Ito (2002), then some of P. Tol's.
local TAGS = { "#e69f00", "#009e73", "#0072b2", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#332288", "#882255",
  "#117733", "#aa8866", "#44aa99" }
local WAYS = { "#d4003c", "#6a00b8", "#004fd6", "#00707a", "#8a4b00", "#1a1a1a" }
-- From near to far: ColorBrewer's YlGnBu, without the darkest one, which would look like walls.
local HEAT = { "#ffffd0", "#d5eeb3", "#a0dab8", "#62c3be", "#30a4c2", "#2079b4", "#2351a1" }

local function hex(value)
  return ("%02x"):format(floor(value + 0.5))
end

--- A colour between two.
-- @param a, b colours
-- @param share 0: a; 1: b
-- @return a colour
function colours.mix(a, b, share)
  local colour = "#"
  for at = 2, 6, 2 do
    local from, to = tonumber(a:sub(at, at + 1), 16), tonumber(b:sub(at, at + 1), 16)
    colour = colour .. hex(from + (to - from) * share)
  end
  return colour
end

--- The colour of the i-th tag. After the listed ones, hues as far apart as possible.
local function of_tag(i)
  if TAGS[i] then return TAGS[i] end
  local hue, colour = i * 0.618033988749895 % 1 * 6, "#"
  for _, shift in ipairs { 0, 4, 2 } do
    local distance = math.abs((hue + shift) % 6 - 3)
    colour = colour .. hex(50 + 140 * min(max(distance - 1, 0), 1))
  end
  return colour
end

--- A colour for each tag. It does not depend on the order of the set.
-- @param tags a set
-- @return a table of colours by tag; the tags, sorted
function colours.of_tags(tags)
  local names, by_name = {}, {}
  for name in pairs(tags) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do by_name[name] = of_tag(i) end
  return by_name, names
end

--- The colour of a path or a line.
-- @param i its number
-- @return a colour
function colours.of_way(i)
  return WAYS[(i - 1) % #WAYS + 1]
end

--- The level of a distance, for `heat`.
-- @param share 0: nearest, to 1: farthest
-- @return a whole number, 1 to LEVELS
function colours.level(share)
  return max(1, min(colours.LEVELS, floor(share * colours.LEVELS) + 1))
end

--- The colour of a level of a field.
-- @param level 1 to LEVELS
-- @return a colour
function colours.heat(level)
  local at = (level - 1) / (colours.LEVELS - 1) * (#HEAT - 1)
  local below = min(floor(at), #HEAT - 2)
  return colours.mix(HEAT[below + 1], HEAT[below + 2], at - below)
end

return colours
