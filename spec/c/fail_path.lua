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

-- Calls f while memory may run out, then again: the first call has to build what later ones find. Both must answer
-- the same, namely `expected` where it is given.
local function insist(what, f, expected)
  local ok, tried = attempt(f)
  local result = f()
  if expected == nil then expected = result end
  if result ~= expected or ok and tried ~= expected then
    error(("%s: expected %s, got %s and %s"):format(what, expected, tostring(tried), tostring(result)), 0)
  end
  return result
end

local function show(path, message)
  if not path then return message end
  return table.concat(path, "-") .. (" %.17g"):format(path.cost)
end

local function ask(what, goal, opts, expected)
  return insist(what, function() return show(g:path(first, goal, opts)) end, expected)
end

-- 1. Without costs, and with everything that path can be told.
local plain = ask("path", last)
ask("dijkstra", last, { algorithm = "dijkstra" })
ask("several goals", { last, 3, 20 })
ask("a budget", last, { max_expanded = 3 })
ask("partial", last, { max_expanded = 3, partial = true })

-- 2. Into a table that is there already.
ask("into", last, { into = g:path(first, 2), stats = {} }, plain)

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
local dear = ask("costs", last, { costs = walker, agent = hero })

local function change()
  walker:rule("mud", "swamp", function(_, factor) return factor * 1.5 end)
  walker:set("rope", 4)
  walker:remove("nobody's")
end
insist("a change of the profile", change)
ask("costs after a change", last, { costs = walker, agent = hero }, dear)
local function inherited()
  local heir = wend.costs({}, { base = walker, default = 1 })
  return show(g:path(first, last, { costs = heir, agent = hero }))
end
insist("an heir", inherited)

-- 4. Callbacks that need memory themselves, search themselves, and raise.
local function callback(_, cost, tag) return #(tostring(tag) .. tostring(cost)) > 0 and cost or cost end
local called = ask("a callback", last, { cost = callback })
local function nested(_, cost, _, from)
  if from == 2 then g:path(8, 9) end
  return cost
end
ask("a search in a search", last, { cost = nested }, called)

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

-- 6. The same while the graph changes: the search goes on, begins again, and ends on a copy.
local function disturbed()
  local search = g:search(first, last, { costs = walker, agent = hero })
  local frame, state = 0
  repeat
    frame = frame + 1
    g:move(last - 1, (SIDE - 1) * 10 - frame % 2, SIDE * 10)
    if frame % 2 == 0 then g:move(2, 20 + frame % 4, 10) end
    state = search:step(3)
  until state ~= "running"
  g:move(2, 20, 10):move(last - 1, (SIDE - 1) * 10, SIDE * 10)
  return show(search:result()) .. (search:result().stale and " stale" or "")
end
local disturbed_path = disturbed()
insist("slices of a graph that changes", disturbed, disturbed_path)
local tried = g:search(first, last, { costs = walker, agent = hero }) -- one search, whose steps fail
for i = 1, 40 do
  g:move(2, 20 + i % 2, 10)
  attempt(function() tried:step(1) end)
end
g:move(2, 20, 10)
while tried:step(9) == "running" do end
assert(tried:result())

-- 7. What a path can tell.
local path = g:path(first, last, { costs = walker, agent = hero })
insist("points", function() return table.concat(path:points(), " ") end)
insist("edges", function() return table.concat(path:edges(), " ") end)
insist("explain", function() return #path:explain { costs = walker, agent = hero } end)
if not path:valid() then error("nobody touched the path", 0) end
ask("the end", last, { costs = walker, agent = hero }, dear)

-- 8. Watches: a path that could not be added is not held, and what was touched is told by a later call.
local function watched()
  local list = {}
  local watch = wend.watch(g)
  for i = 1, 20 do
    list[i] = g:path(first, last - i, { costs = walker, agent = hero })
    watch:add(list[i])
  end
  g:set_weight(1, 10):set_weight(2, 10)
  local affected = #watch:affected()
  for i = 1, 20, 2 do watch:remove(list[i]) end
  for i = 1, 9, 2 do watch:add(list[i]) end
  g:path(first, last, { into = list[2] })
  return ("%d %d %d %d"):format(affected, watch:count(), #watch:affected(), #watch:affected())
end
insist("a watch", watched)
local kept, held = wend.watch(g), {}
for i = 1, 60 do
  local one = g:path(first, last - i % 9)
  local done = attempt(function() kept:add(one) end)
  if not done and kept:count() > #held then error("a path is held although the call failed", 0) end
  if done then held[#held + 1] = one end
end
assert(#held == kept:count())
for _ = 1, 20 do
  g:set_weight(1, 11):set_weight(1, 10)
  attempt(function() kept:affected() end)
end
kept:affected() -- of the edits before a call that failed
assert(#kept:affected() == 0)
for _, one in ipairs(held) do kept:remove(one) end
assert(kept:count() == 0)
for _ = 1, 8 do -- the sieve of a path
  g:set_weight(60, 10)
  insist("validity", function() return path:valid() end)
end
