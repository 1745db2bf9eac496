-- SPDX-License-Identifier: MIT
-- wend.love: the colours of tags, what a tag costs an agent, and the legend.

local core = require "wend.core"
local format = require "wend.format"
local colours = require "wend.tools.scene.colours"
local new_costs = require("wend.costs").new
local view = require "wend.tools.love.view"

local max, min = math.max, math.min
local ink, rgb = view.ink, colours.rgb

local kinds = { HEAT = {} } -- HEAT: the colours of a field by level, each { red, green, blue }
for level = 1, colours.LEVELS do kinds.HEAT[level] = rgb(colours.heat(level)) end

local INK, PAPER, SOLID = rgb(colours.INK), rgb(colours.PAPER), rgb(colours.SOLID)

-- Colours of tags --------------------------------------------------------------------------------------------------

-- By map: { by_tag = colours by tag, count = how many }. Maps are weak keys, and the values do not refer to them.
local known = setmetatable({}, { __mode = "k" })

--- The colours of the tags of a map, by tag. They are those of wend.svg when the map is drawn for the first time. A tag
--- that comes later gets the next colour, so that no colour changes while the game runs.
-- @param map a graph or a grid
-- @param tag a tag that is needed; nil: none
local function of_map(map, tag)
  local entry = known[map]
  if not entry then
    local by_tag, names = colours.of_tags((map:tags()))
    entry = { by_tag = by_tag, count = #names }
    known[map] = entry
  end
  if tag and not entry.by_tag[tag] then
    entry.count = entry.count + 1
    entry.by_tag[tag] = colours.of_tag(entry.count)
  end
  return entry.by_tag
end

-- Costs ------------------------------------------------------------------------------------------------------------

--- A profile without the edge rules of another one. A rule that changes nothing hides each of them.
local function without_edge_rules(costs)
  local plain
  for _, rule in ipairs(costs:rules()) do
    if rule.tag == nil then
      plain = plain or new_costs({}, { base = costs })
      local owner = rule.mod and plain:mod(rule.mod) or plain
      owner:edge_rule(rule.name, function() return nil end, { at_least = 1, tags = rule.tags })
    end
  end
  if plain then plain.on_error = costs.on_error end
  return plain or costs
end

--- Finds what a tag costs: a step into a cell of weight w costs times x w + plus.
-- @param probe a grid of 3 x 1 cells; the first one gets weight 1, the last one weight 2
-- @return times, plus; or nil: closed
local function price_of(probe, tag, options)
  probe:set(1, 1, { weight = 1, tag = tag })
  probe:set(3, 1, { weight = 2, tag = tag })
  local field = assert(probe:field(2, 1, options))
  local one, two = field:cost(1, 1), field:cost(3, 1)
  if not (one and two) then return nil end
  return two - one, 2 * one - two
end

--- "swamp: x 3 + 10"
local function label_of(look)
  local times, plus = look.times, look.plus
  local label = look.tag or "no tag"
  if look.closed then return label .. ": closed" end
  if times ~= 1 then label = label .. ": x " .. format.number(times, 4) end
  return plus ~= 0 and label .. " + " .. format.number(plus, 4) or label
end

--- Makes a table of looks for one picture of a map; look_of fills it. A look is { tag, or nil; colour and dark: { red,
--- green, blue } of open and closed places; closed: whether the agent cannot enter; times, plus: what it costs; own:
--- whether the script has chosen the colour; seen: whether it belongs to the legend }.
-- @param options { colours =, costs =, agent = }
function kinds.looks(map, options)
  local looks = { map = map, colours = options.colours, by_tag = {} }
  if options.costs then
    looks.probe = core.grid(3, 1, { diagonals = "never" })
    looks.field = { outward = true, costs = without_edge_rules(options.costs), agent = options.agent }
  end
  return looks
end

--- The look of a tag. It may run functions of the profile.
-- @param tag a tag, or nil
-- @param plain the colour of places without a tag, as a list: the table itself is the key of their look, so that cells
--   and edges without a tag differ in a picture of both
function kinds.look_of(looks, tag, plain)
  local key = tag or plain
  local look = looks.by_tag[key]
  if look then return look end
  local own = looks.colours and looks.colours[tag or ""]
  local times, plus = 1, 0
  if looks.probe then times, plus = price_of(looks.probe, tag, looks.field) end
  local colour, dark = own or tag and rgb(of_map(looks.map, tag)[tag]) or plain, {}
  for i = 1, 3 do dark[i] = SOLID[i] + (colour[i] - SOLID[i]) * 0.3 end
  look = {
    tag = tag, closed = not times, times = times, plus = plus, colour = colour, dark = dark, own = own ~= nil,
  }
  looks.by_tag[key] = look
  return look
end

-- The legend -------------------------------------------------------------------------------------------------------

local function by_label(a, b) return a.label < b.label end

--- Draws the legend of the looks that were seen, in units of the screen.
-- @param corner { x, y }: its upper left corner
function kinds.legend(graphics, looks, corner)
  local x, y, list = corner[1], corner[2], {}
  for _, look in pairs(looks.by_tag) do
    if look.seen then list[#list + 1], look.label = look, label_of(look) end
  end
  if #list == 0 then return end
  table.sort(list, by_label)
  local font = graphics.getFont()
  local line, wide = max(font:getHeight(), 12) + 4, 0
  for _, look in ipairs(list) do wide = max(wide, font:getWidth(look.label)) end
  graphics.origin()
  ink(graphics, PAPER, 0.85)
  graphics.rectangle("fill", x, y, wide + line + 16, #list * line + 8)
  for i, look in ipairs(list) do
    local top, size = y + 4 + (i - 1) * line, min(line - 4, 12)
    ink(graphics, look.closed and look.dark or look.colour, 1)
    graphics.rectangle("fill", x + 6, top + (line - size) / 2, size, size)
    ink(graphics, INK, 1)
    graphics.setLineWidth(1)
    if look.closed then graphics.line(x + 6, top + (line - size) / 2, x + 6 + size, top + (line + size) / 2) end
    graphics.print(look.label, x + line + 6, top + (line - font:getHeight()) / 2)
  end
end

return kinds
