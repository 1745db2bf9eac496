-- SPDX-License-Identifier: MIT
-- Paths, costs, callbacks and sliced searches while memory runs out: what failed can be asked again, and the answer is
-- what it was.
local wend = require "wend"

local g = wend.graph()
local SIDE = 6
for y = 1, SIDE do
  for x = 1, SIDE do g:add_node(x * 10, y * 10) end
end
local tags = { "road", "swamp", "toll", nil, "lava" }
for y = 1, SIDE do
  for x = 1, SIDE do
    local n = (y - 1) * SIDE + x
    if x < SIDE then g:add_edge(n, n + 1, { tag = tags[(x + y) % 5 + 1] }) end
    if y < SIDE then g:add_edge(n, n + SIDE, { tag = tags[(x * y) % 5 + 1] }) end
  end
end
local first, last = 1, SIDE * SIDE
local hero = { boots = true }

-- Calls f while memory may run out; again when it did. The results as text must be those of `expected`, if given.
local function insist(what, f, expected)
  local ok, result = attempt(f)
  if not ok then result = f() end
  if expected and result ~= expected then
    error(("%s: expected %s, got %s"):format(what, expected, tostring(result)), 0)
  end
  return result
end

local function show(path, message)
  if not path then return message end
  return table.concat(path, "-") .. (" %.17g"):format(path.cost)
end

-- 1. Without costs, and with everything that path can be told.
local plain = show(g:path(first, last))
insist("path", function() return show(g:path(first, last)) end, plain)
insist("dijkstra", function() return show(g:path(first, last, { algorithm = "dijkstra" })) end,
  show(g:path(first, last, { algorithm = "dijkstra" })))
insist("several goals", function() return show(g:path(first, { last, 3, 20 })) end,
  show(g:path(first, { last, 3, 20 })))
insist("a budget", function() return show(g:path(first, last, { max_expanded = 3 })) end,
  show(g:path(first, last, { max_expanded = 3 })))
insist("partial", function() return show(g:path(first, last, { max_expanded = 3, partial = true })) end,
  show(g:path(first, last, { max_expanded = 3, partial = true })))
insist("variation", function() return show(g:path(first, last, { variation = 0.3, seed = 4 })) end,
  show(g:path(first, last, { variation = 0.3, seed = 4 })))

-- 2. Into a table that is there already: a failure leaves it a path or empty, never half of one.
local into = g:path(first, 2)
insist("into", function() return show(g:path(first, last, { into = into, stats = {} })) end, plain)

-- 3. A profile, made and changed.
local walker
local function profile()
  local made = wend.costs { road = 0.5, lava = false, toll = { times = 1, plus = 3 },
    swamp = function(agent) return agent.boots and 1 or 2 end }
  made:rule("mud", "swamp", function(_, factor) return factor * 1.5 end)
  made:edge_rule("slope", function(_, cost, _, from, to) return cost + (to - from) % 3 end, { at_least = 1 })
  made:set("rope", 4)
  return made
end
if not attempt(function() walker = profile() end) then walker = profile() end
local function costly() return show(g:path(first, last, { costs = walker, agent = hero })) end
local dear = show(g:path(first, last, { costs = profile(), agent = hero }))
insist("costs", costly, dear)

local function change()
  walker:rule("mud", "swamp", function(_, factor) return factor * 1.5 end)
  walker:set("rope", 4)
  walker:remove("nobody's")
end
insist("a change of the profile", change)
insist("costs after a change", costly, dear)
local function inherited()
  local heir = wend.costs({}, { base = walker, default = 1 })
  return show(g:path(first, last, { costs = heir, agent = hero }))
end
insist("an heir", inherited, inherited())

-- 4. Callbacks that need memory themselves, search themselves, and raise.
local function callback(_, cost, tag) return #(tostring(tag) .. tostring(cost)) > 0 and cost or cost end
insist("a callback", function() return show(g:path(first, last, { cost = callback })) end, plain)
local function nested(_, cost, _, from)
  if from == 2 then g:path(8, 9) end
  return cost
end
insist("a search in a search", function() return show(g:path(first, last, { cost = nested })) end, plain)

local reported = 0
local function lenient()
  local made = profile()
  made:edge_rule("broken", function() error "as it happens" end)
  made.on_error = function() reported = reported + 1 end
  return show(g:path(first, last, { costs = made, agent = hero }))
end
insist("a rule that raises", lenient, dear)
if reported == 0 then error("the broken rule was not reported", 0) end

-- 5. In slices: a slice that failed for want of memory may be tried again, or the search given up.
local function sliced()
  local search = g:search(first, last, { costs = walker, agent = hero })
  local state
  repeat state = search:step(5) until state ~= "running"
  return show(search:path())
end
insist("slices", sliced, dear)

-- 6. What a path can tell.
local path = g:path(first, last, { costs = walker, agent = hero })
insist("points", function() return table.concat(path:points(), " ") end, table.concat(path:points(), " "))
insist("edges", function() return table.concat(path:edges(), " ") end, table.concat(path:edges(), " "))
insist("explain", function() return #path:explain { costs = walker, agent = hero } end)
if not path:valid() then error("nobody touched the path", 0) end
insist("the end", costly, dear)
