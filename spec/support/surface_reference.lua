-- SPDX-License-Identifier: MIT
-- Surfaces by the plain rules of doc/surface.md, block by block. It is slow, and knows nothing of chunks, of edits and
-- of the graph.
local M = {}

local function key(a, b, h) return a .. "," .. b .. "," .. h end
M.key = key

local World = {}
World.__index = World

-- opts: as those of wend.surface. Blocks are given by a, b and h: two along the ground, then the height.
function M.world(opts)
  local world = { classes = {}, blocks = {}, height = opts.height or 2, step = opts.step or 1, drop = opts.drop or 3,
    jump = opts.jump or 0, swim = opts.swim, climb = opts.climb, diagonals = opts.diagonals or "both_open" }
  for id, class in pairs(opts.classes) do
    if type(class) == "string" then class = { kind = class } end
    local kind, plain = class.kind, class.kind == "solid" or class.kind == "air"
    world.classes[id] = { kind = kind, tag = class.tag or not plain and kind or nil, cost = class.cost or 1 }
  end
  return setmetatable(world, World)
end

function World:set(a, b, h, id) self.blocks[key(a, b, h)] = id and { a, b, h, self.classes[id] } end
function World:class(a, b, h) return (self.blocks[key(a, b, h)] or {})[4] end
function World:kind(a, b, h) return (self:class(a, b, h) or {}).kind end

-- Whether a part of the body can be in a block; whether the blocks from h to top are such.
function World:open(a, b, h)
  local kind = self:kind(a, b, h)
  return kind == "air" or kind == "ladder" or kind == "door" or kind == "water" and self.swim
end
function World:room(a, b, h, top)
  for i = h, top do
    if not self:open(a, b, i) then return false end
  end
  return true
end

function World:place(a, b, h)
  if not self:room(a, b, h, h + self.height - 1) then return false end
  local feet, below = self:kind(a, b, h), self:kind(a, b, h - 1)
  if below == "solid" or feet == "water" then return true end
  return self.climb and (feet == "ladder" or below == "ladder") or false
end

-- What counts at a place: its tag and its cost.
function World:ground(a, b, h)
  local feet = self:class(a, b, h)
  if feet.kind ~= "air" or feet.tag or feet.cost ~= 1 then return feet end
  return self:class(a, b, h - 1)
end

-- The height of the first place below, at most `most` lower, if the walker falls there; otherwise nil.
function World:fall(a, b, h, most)
  for low = h - 1, h - most, -1 do
    if self:place(a, b, low) then return self:room(a, b, low, h + self.height - 1) and low or nil end
  end
end

-- All steps from a place: a list of { a, b, h, tag }.
function World:steps(a, b, h)
  local list = {}
  local function add(x, y, z, tag) list[#list + 1] = { x, y, z, tag } end
  local function corner(da, db, level)
    if da == 0 or db == 0 then return true end
    local top = level + self.height - 1
    local one, other = self:room(a + da, b, level, top), self:room(a, b + db, level, top)
    if self.diagonals == "both_open" then return one and other end
    if self.diagonals == "one_open" then return one or other end
    return self.diagonals == "always"
  end
  for da = -1, 1 do
    for db = -1, 1 do
      local x, y = a + da, b + db
      if da ~= 0 or db ~= 0 then
        local level = self:place(x, y, h)
        local down = not level and self:fall(x, y, h, self.drop)
        if level and corner(da, db, h) then add(x, y, h) end
        if down and corner(da, db, h) then add(x, y, down, h - down > self.step and "drop" or nil) end
        for up = h + 1, h + self.step do
          if self:place(x, y, up) then
            if self:room(a, b, h, up + self.height - 1) and corner(da, db, up)
              and not (level and self:open(x, y, up - 1)) then add(x, y, up) end
            break
          end
        end
      end
    end
  end
  if self:place(a, b, h + 1) then add(a, b, h + 1) end
  if self:place(a, b, h - 1) then add(a, b, h - 1) end
  if self.jump > 0 and self:room(a, b, h, h + self.height) then
    for _, d in ipairs { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } do
      local best = -math.huge
      for i = 1, self.jump + 1 do
        local x, y = a + i * d[1], b + i * d[2]
        if not self:room(x, y, h, h + self.height) then break end
        local at = self:place(x, y, h) and h or self:fall(x, y, h, math.max(self.step, self.drop))
        if at then
          if i > 1 and h - at <= self.drop and at > best then add(x, y, at, "jump") end
          if h - at <= self.step then break end
          best = math.max(best, at)
        end
      end
    end
  end
  return list
end

-- All places and steps as texts, as keys of a table: "a,b,h tag" and "a,b,h to a,b,h tag weight".
function World:facts()
  local facts = {}
  for name, block in pairs(self.blocks) do
    local a, b, h = block[1], block[2], block[3]
    if self:place(a, b, h) then
      facts[name .. " " .. tostring(self:ground(a, b, h).tag)] = true
      for _, s in ipairs(self:steps(a, b, h)) do
        local length = math.sqrt((s[1] - a) ^ 2 + (s[2] - b) ^ 2 + (s[3] - h) ^ 2)
        facts[("%s to %s %s %.12g"):format(name, key(s[1], s[2], s[3]), tostring(s[4]),
          length * self:ground(s[1], s[2], s[3]).cost)] = true
      end
    end
  end
  return facts
end

-- The same of a graph. up: "y" or "z"; shift: a and b of a node's position less those of its block; low: the same of h.
function M.facts_of(graph, up, shift, low)
  local facts, name = {}, {}
  for node in graph:nodes() do
    local x, y, z = graph:position(node)
    if up ~= "z" then y, z = z, y end
    name[node] = ("%d,%d,%d"):format(x - shift, y - shift, z - low)
    facts[name[node] .. " " .. tostring(graph:node_tag(node))] = true
  end
  for _, from, to, weight, tag, directed in graph:edges() do
    local function add(p, q)
      local fact = ("%s to %s %s %.12g"):format(name[p], name[q], tostring(tag), weight)
      facts[facts[fact] and "twice: " .. fact or fact] = true
    end
    add(from, to)
    if not directed then add(to, from) end
  end
  return facts
end

-- The first difference of two tables of facts, by name; nil: they are equal.
function M.difference(wanted, got)
  local list = {}
  for fact in pairs(wanted) do if not got[fact] then list[#list + 1] = "missing: " .. fact end end
  for fact in pairs(got) do if not wanted[fact] then list[#list + 1] = "too much: " .. fact end end
  table.sort(list)
  return list[1]
end

return M
