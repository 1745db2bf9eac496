-- SPDX-License-Identifier: MIT
-- Equal inputs give equal paths, bit for bit, under every Lua, compiler and level of optimisation.
local reference = require "spec.reference"
local wend = require "wend"

-- A generator that never changes: not that of the other specs, whose seed does.
local function generator(state)
  return function(a, b)
    state = state * 16807 % 2147483647
    local value = (state - 1) / 2147483646
    if not a then return value end
    return a + math.floor(value * (b - a + 1))
  end
end

-- A hash of texts: 31 bits, exact in doubles.
local function hash_of(list)
  local hash = 7
  for _, text in ipairs(list) do
    for i = 1, #text do hash = (hash * 131 + text:byte(i)) % 2147483647 end
  end
  return hash
end

-- The bits of a double in text. Not by %.17g, which rounds as each platform likes, nor by math.frexp, which not every
-- Lua has.
local function bits(number)
  local exponent = 0
  while number >= 2 ^ 53 do number, exponent = number / 2, exponent + 1 end
  while number > 0 and number < 2 ^ 52 do number, exponent = number * 2, exponent - 1 end
  return ("%.0f e%d"):format(number, exponent)
end

local function level(random, dimensions)
  local g = wend.graph { dimensions = dimensions }
  local count = 600
  for _ = 1, count do
    if random() < 0.5 then -- on a lattice: ties
      g:add_node(10 * random(0, 9), 10 * random(0, 9), dimensions == 3 and 10 * random(0, 2) or nil)
    else
      g:add_node(random() * 100, random() * 100, dimensions == 3 and random() * 30 or nil)
    end
  end
  for n = 1, count do
    for _ = 1, 3 do
      local to = 1 + (n + random(-12, 12)) % count
      local kind = random(1, 10)
      g:add_edge(n, to, {
        weight = kind == 1 and random(0, 30) or kind == 2 and random() * 50 or nil,
        tag = kind <= 6 and "tag" .. random(1, 4) or nil, directed = random() < 0.3,
      })
    end
  end
  for _ = 1, 60 do
    local e = random(1, 3 * count)
    if g:has_edge(e) then g:remove_edge(e) end
  end
  for _ = 1, 10 do
    local n = random(1, count)
    if g:has(n) then g:remove_node(n) end
  end
  for _ = 1, 20 do g:add_edge(g:add_node(random() * 100, random() * 100, dimensions == 3 and 0 or nil), 1) end
  return g
end

local function trips(random, g)
  local nodes = reference.nodes(g)
  local costs = wend.costs { tag1 = 0.3, tag2 = { times = 1.7, plus = 0.9 }, tag3 = function() return 0.77, 0.1 end }
  costs:edge_rule("slope", function(_, cost, _, from, to) return from < to and cost * 1.1 or nil end, { at_least = 1 })
  local kinds = {
    {}, { algorithm = "dijkstra" }, { costs = costs }, { heuristic = "manhattan" }, { heuristic = "octile" },
    { cost = function(_, cost) return cost / 3 end }, { max_cost = 30, partial = true }, { max_cost = 90 },
  }
  local list = {}
  for i = 1, 400 do
    local opts = kinds[i % #kinds + 1]
    local from, to = nodes[random(1, #nodes)], nodes[random(1, #nodes)]
    local path, _, code = g:path(from, to, opts)
    local edges = path and path:edges() or {}
    for k, e in ipairs(edges) do edges[k] = ("%.0f"):format(e) end
    local ids = {}
    for k, n in ipairs(path or {}) do ids[k] = ("%.0f"):format(n) end
    list[i] = path and bits(path.cost) .. ":" .. table.concat(ids, "-") .. ":" .. table.concat(edges, "-") or code
  end
  return list
end

describe("four hundred searches of every kind", function()
  it("give in 2D what they have always given", function()
    local random = generator(20240229)
    assert.equal(1108600639, hash_of(trips(random, level(random, 2))))
  end)

  it("give in 3D what they have always given", function()
    local random = generator(19590611)
    assert.equal(1991318774, hash_of(trips(random, level(random, 3))))
  end)

  it("give the same again, in one run", function()
    local one, other = generator(7), generator(7)
    local list = trips(one, level(one, 2))
    collectgarbage()
    assert.same(list, trips(other, level(other, 2)))
  end)

  it("find paths of some length, all in all", function()
    local random, found = generator(20240229), 0
    local g = level(random, 2)
    for _ = 1, 100 do
      local nodes = reference.nodes(g)
      local path = g:path(nodes[random(1, #nodes)], nodes[random(1, #nodes)])
      found = found + (path and #path or 0)
    end
    assert.truthy(found > 500)
  end)
end)
