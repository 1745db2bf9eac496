-- SPDX-License-Identifier: MIT
-- Mods and resolved costs while memory runs out: an edit that failed has changed nothing or is whole, and is made when
-- it is called again.
local wend = require "wend"

local g = wend.graph()
g:add_nodes { 0, 0, 10, 0, 20, 0, 30, 0 }
for i, tag in ipairs { "road", "swamp", "lava" } do g:add_edge(i, i + 1, { tag = tag }) end
local hero = { boots = true }

-- What searches and lists say about a profile.
local function show(costs)
  local list = {}
  for from = 1, 3 do
    local path = g:path(from, from + 1, { costs = costs, agent = hero })
    list[#list + 1] = path and ("%.17g"):format(path.cost) or "closed"
  end
  for _, mod in ipairs(costs:mods()) do
    list[#list + 1] = ("%s %d %d %d"):format(mod.name, mod.priority, mod.values, mod.rules)
  end
  for _, rule in ipairs(costs:rules()) do list[#list + 1] = rule.name .. " of " .. tostring(rule.mod) end
  return table.concat(list, ", ")
end

local function compare(what, expected, got)
  if got ~= expected then error(("%s: expected %s\ngot %s"):format(what, expected, got), 0) end
end

local function profile()
  local costs = wend.costs { road = 0.5, lava = false, swamp = function(agent) return agent.boots and 1 or 2 end }
  costs:mod("fen"):set("swamp", 3):rule("night", "swamp", function(_, factor) return factor * 2 end)
  costs:mod("wolves", { priority = 1 }):edge_rule("night", function(_, cost) return cost + 1 end, { at_least = 1 })
  return costs
end

-- edit(costs) changes a profile: not at all, or whole.
local function insist(what, edit)
  if is_over() then return end
  local costs, twin = profile(), profile()
  local before = show(twin)
  edit(twin)
  local after = show(twin)
  local done = attempt(edit, costs)
  local now = show(costs)
  if done or now ~= before then
    compare(what .. (done and "" or ", which failed"), after, now)
  end
  if not done then
    edit(costs)
    compare(what .. ", again", after, show(costs))
  end
end

insist("a new mod", function(costs) costs:mod "boats" end)
insist("a value", function(costs) costs:mod("fen"):set("lava", 2) end)
insist("a value of a new tag", function(costs) costs:mod("fen"):set("rope", { times = 2, plus = 1 }) end)
insist("a function", function(costs)
  costs:mod("fen"):set("road", function(_, factor) return factor * 3 end)
end)
insist("no value", function(costs) costs:mod("fen"):set("swamp", nil) end)
insist("a rule", function(costs)
  costs:mod("wolves"):rule("howl", "road", function(_, factor) return factor * 4 end)
end)
insist("a rule again", function(costs) costs:mod("fen"):rule("night", "road", function() return 9 end) end)
insist("an edge rule", function(costs)
  costs:mod("fen"):edge_rule("dusk", function(_, cost) return cost + 2 end, { at_least = 1, tags = { "road" } })
end)
insist("a rule less", function(costs) costs:mod("fen"):remove "night" end)
insist("another priority", function(costs) costs:mod("fen", { priority = 2 }) end)
insist("a reset", function(costs) costs:mod("fen"):reset() end)
insist("a mod less", function(costs) costs:remove_mod "fen" end)
insist("a reload", function(costs)
  costs:mod("fen"):reload(function(mine)
    mine:set("road", 7):rule("day", "swamp", function(_, factor) return factor * 5 end)
    mine:edge_rule("noon", function(_, cost) return cost + 3 end, { at_least = 1 })
  end)
end)

-- An edit that failed leaves mods that can be edited and removed.
for i, edit in ipairs {
  function(costs) costs:mod("fen"):set("rope", 2) end,
  function(costs) costs:mod("fen"):set("rope", function() return 2 end) end,
  function(costs) costs:mod("wolves"):rule("howl", "rope", function() return 4 end) end,
  function(costs) costs:mod("wolves"):edge_rule("dusk", function(_, cost) return cost + 2 end, { at_least = 1 }) end,
  function(costs) costs:mod("fen"):reload(function(mine) mine:set("road", 7):set("rope", 2) end) end,
} do
  if not is_over() then
    local costs, twin = profile(), profile()
    attempt(edit, costs)
    for _, one in ipairs { costs, twin } do
      one:mod("fen"):set("rope", 5):set("sand", 6):set("rope", nil):remove "night"
      one:mod("wolves"):remove "howl":remove "dusk"
      one:remove_mod "fen"
      one:remove_mod "wolves"
    end
    compare(("mods that are removed after edit %d"):format(i), show(twin), show(costs))
  end
end

-- A path that counts as good costs what a new search says, also after an edit that failed.
for i, edit in ipairs {
  function(costs) costs:set("road", 3) end,
  function(costs) costs:mod("fen"):set("road", 3) end,
  function(costs) costs:mod("fen"):rule("howl", "road", function(_, factor) return factor * 2 end) end,
  function(costs) costs:mod("fen"):edge_rule("dusk", function(_, cost) return cost * 2 end, { tags = { "road" } }) end,
  function(costs) costs:mod("fen"):reload(function(mine) mine:set("road", 4) end) end,
  function(costs) costs:remove_mod "old" end,
  function(costs) costs:mod("old"):reset() end,
  function(costs) costs:mod("old"):set("road", nil) end,
  function(costs) costs:mod("low", { priority = 5 }) end,
} do
  if not is_over() then
    local costs = profile()
    costs:mod("low"):set("road", 6)
    if i >= 6 then costs:mod("old"):set("road", 5) end
    local path = g:path(1, 2, { costs = costs })
    attempt(edit, costs)
    local cost = g:path(1, 2, { costs = costs }).cost
    if path:valid() and path.cost ~= cost then
      error(("edit %d: the path is valid and costs %g, a new one costs %g"):format(i, path.cost, cost), 0)
    end
  end
end

-- Searches with views and with resolved costs, of a profile that inherits from another one.
for _, case in ipairs {
  { "a view", function(costs) return show(costs:readonly()) end },
  { "a derived profile", function(costs)
    return show(wend.costs({ rope = 4 }, { base = costs }))
  end },
  { "resolved costs", function(costs)
    local resolved = costs:resolve(hero)
    local cost = g:path(1, 3, { costs = resolved }).cost
    return ("%g %g %s %d"):format(cost, resolved:get "swamp", tostring(resolved:stale()), #resolved:rules())
  end },
  { "functions that are measured", function(costs)
    costs.timing, costs.max_instructions = true, 100000
    local stats = {}
    local path = g:path(1, 3, { costs = costs, agent = hero, stats = stats })
    return ("%g %d"):format(path.cost, #stats.rules)
  end },
  { "functions that fail", function(costs)
    costs.max_errors = 2
    function costs.on_error() end
    costs:mod("wolves"):rule("howl", "road", function() error("no moon", 0) end)
    for _ = 1, 3 do g:path(1, 3, { costs = costs, agent = hero }) end
    local wolves = costs:mods()[2]
    costs:mod("wolves"):remove "howl"
    return ("%s %d"):format(wolves.name, #wolves.asleep)
  end },
} do
  if not is_over() then
    local what, ask = case[1], case[2]
    local expected, costs = ask(profile()), profile()
    local ok, got = attempt(ask, costs)
    if ok then compare(what, expected, got) end
    compare(what .. ", again", expected, ask(costs))
  end
end

-- Costs that are resolved again: as before, or new.
if not is_over() then
  local costs = profile()
  local resolved = costs:resolve(hero)
  local function price() return g:path(2, 3, { costs = resolved }).cost end
  local before = price()
  costs:mod("fen"):set("swamp", 30):set("rope", 2)
  local done = attempt(resolved.refresh, resolved)
  if not done then
    compare("costs that could not be resolved again", before, price())
    if not resolved:stale() then error("costs that could not be resolved again are not stale", 0) end
    resolved:refresh()
  end
  compare("costs that were resolved again", g:path(2, 3, { costs = costs, agent = hero }).cost, price())
end
