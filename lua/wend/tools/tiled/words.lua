-- SPDX-License-Identifier: MIT
-- wend.read_tiled: the words by which maps of other games say what blocks: names of layers, classes and properties. The
-- option `closed` lists them. Words that look alike and are not in the list give hints.

local check = require "wend.check"
local sorted = require "wend.sorted"
local spelling = require "wend.spelling"

local words = {}
words.__index = words

local COMMON = "common"             -- the entry for the words below and for shapes of tiles

-- Without capital letters, "_", "-", blanks, and "is" at the beginning.
local KNOWN = {}
for word in ("collision collisions collide collides collider colliders collidable collideable solid solids blocked "
  .. "blocking blocker blockers obstacle obstacles impassable unwalkable wall walls"):gmatch "%a+" do
  KNOWN[word] = true
end

local LIKE = {
  "collision", "collid", "solid", "blocked", "blocking", "blocker", "obstacle", "impassable", "unwalkable",
}
local REVERSED = { walkable = true, passable = true } -- these block if they are false

local function plain(word) return (word:lower():gsub("[_%s-]", ""):gsub("^is%f[%a]", "")) end

local function looks_so(word)
  word = plain(word)
  if KNOWN[word] then return true end
  for _, like in ipairs(LIKE) do
    if word:find(like, 1, true) then return true end
  end
  return false
end

--- Whether a property is set: its value is not false, 0 or an empty text, nor the text "false" or "0".
local function is_set(value)
  if type(value) == "string" then return value ~= "" and value ~= "0" and value:lower() ~= "false" end
  return value ~= false and value ~= 0
end

--- Makes the words of the option `closed`. Raises if it is wrong.
function words.new(closed)
  local self = setmetatable({ patterns = {}, known = {}, hints = {} }, words)
  if closed == nil then return self end
  check.list(closed, "closed", "a list of names")
  for i = 1, check.length(closed) do
    local name = closed[i]
    check.must(type(name) == "string" and name ~= "", ("closed[%d]"):format(i), "a name", name)
    if name == COMMON then
      self.common = true
    else
      local pattern = name:lower():gsub("%W", "%%%0"):gsub("%%%*", ".*")
      self.patterns[#self.patterns + 1] = { name = name, text = "^" .. pattern .. "$" }
    end
  end
  return self
end

--- Whether a word is in the list.
function words:has(word)
  if self.known[word] == nil then
    local found = self.common and KNOWN[plain(word)] or false
    for _, pattern in ipairs(self.patterns) do
      if word:lower():find(pattern.text) then found, pattern.used = true, true end
    end
    self.known[word] = found
  end
  return self.known[word]
end

function words:hint(what, word, place, remedy)
  local key = what .. (word and " " .. check.describe(word) or "")
  self.hints[key] = self.hints[key] or ("%s looks as if it tells what blocks, and was not used%s: %s"):format(key,
    place == key and "" or " (" .. place .. ")", remedy or ("add %s to closed"):format(check.describe(word)))
end

--- Whether the words of a layer, a tile or an object say that it blocks. If none does, notes words that look so.
-- @param place where it is, for hints
-- @param thing { name = of a layer, class =, properties =, shapes = whether a tile has some }
-- @param quiet no hints: something else tells whether it blocks
function words:block(place, thing, quiet)
  local blocks, seen, like = false, {}, {}
  local function ask(what, word, holds)
    if self:has(word) then
      blocks = blocks or holds
    elseif holds and looks_so(word) then
      like[#like + 1] = { what, word }
    elseif not holds and what == "property" and REVERSED[plain(word)] then
      like[#like + 1] = { what, word, "read it in a function tile" }
    end
  end
  local function ask_all(properties)
    if seen[properties] then return end
    seen[properties] = true
    for key, value in pairs(properties) do
      if type(key) == "string" then ask("property", key, is_set(value)) end
      if type(value) == "table" then ask_all(value) end
    end
  end
  if thing.name then ask("layer", thing.name, true) end
  if thing.class then ask("class", thing.class, true) end
  ask_all(thing.properties)
  if thing.shapes and self.common then
    blocks = true
  elseif thing.shapes then
    like[#like + 1] = { "the shape of a tile", nil, "add 'common' to closed" }
  end
  if blocks or quiet then return blocks end
  for _, one in ipairs(like) do self:hint(one[1], one[2], place, one[3]) end
  return false
end

--- A list of the hints.
function words:sentences()
  local list = {}
  for i, key in ipairs(sorted(pairs(self.hints))) do list[i] = self.hints[key] end
  return list
end

--- Raises if the map has none of the words of an entry. Not for "common": no map has all of its words.
function words:finish()
  for _, pattern in ipairs(self.patterns) do
    if not pattern.used then
      local near = spelling.nearest(pattern.name, spelling.index(sorted(pairs(self.known))))
      check.fail("closed names %s, but no layer, class or property of the map has this name%s",
        check.describe(pattern.name), near and ("; did you mean %s?"):format(check.describe(near)) or "")
    end
  end
end

return words
