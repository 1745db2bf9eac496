-- SPDX-License-Identifier: MIT
-- Mods of a cost profile: costs:mod, costs:mods, costs:remove_mod, costs:readonly, costs.max_errors, and what on_error
-- is told. spec/random/mods_spec.lua compares random edits with a model.
local collector = require "spec.support.collector"
local helper = require "spec.support.helper"
local wend = require "wend"

-- One edge of weight 10 from A to B for each tag.
local function fan(...)
  local g = wend.graph()
  g:add_node { name = "A" }
  for _, tag in ipairs { ... } do
    g:add_node { name = tag }
    g:add_edge("A", tag, { weight = 10, tag = tag })
  end
  return g
end

-- What a profile makes of a tag's edge of weight 10; false: it is closed.
local function made(costs, tag, agent)
  local path, _, code = fan(tag):path("A", tag, { costs = costs, agent = agent })
  if path then return path.cost end
  assert.equal("no_path", code)
  return false
end

-- "rule of mod, ..." in the order in which they apply.
local function order(costs)
  local list = {}
  for i, rule in ipairs(costs:rules()) do list[i] = rule.name .. (rule.mod and " of " .. rule.mod or "") end
  return table.concat(list, ", ")
end

local function names(list)
  local found = {}
  for i, item in ipairs(list) do found[i] = item.name end
  return table.concat(found, ", ")
end

local function times(factor) return function(_, cost) return cost * factor end end
local function plus(price) return function(_, cost) return cost + price end end
local function broken() error("out of order", 0) end
local function nothing() end

-- All that a search reads of a profile, except the time.
local function compiled(costs)
  local anchor = debug.getuservalue or debug.getfenv
  local lists = require "wend.costs.compile"((anchor(costs)))
  local said = { default = lists.default, owners = lists.owners, edges = {} }
  for tag, entry in pairs(lists.entries) do
    said[tag] = entry
    if type(entry) == "table" then
      said[tag] = { entry[1], entry[2] }
      for i = 3, #entry do said[tag][i] = entry[i].number end
    end
  end
  for i, rule in ipairs(lists.edges) do said.edges[i] = rule.number end
  return said
end

describe("costs:mod", function()
  it("is everything one mod does to a profile", function()
    local costs = wend.costs { mud = 2, road = 1 }
    local mine = costs:mod "bog"
    assert.equal("bog", mine.name)
    assert.equal(0, mine.priority)
    assert.equal("mod", wend.type(mine))
    assert.equal(mine, mine:set("mud", 3):rule("rain", "mud", times(2)):edge_rule("toll", plus(1)))
    assert.same({ 61, 11 }, { made(costs, "mud"), made(costs, "road") })
    assert.equal("wend.Mod ('bog', 1 tags, 2 rules)", tostring(mine))
    assert.equal("wend.Costs (2 tags, 0 rules, 1 mods)", tostring(costs))
  end)

  it("is the same mod each time", function()
    local costs = wend.costs()
    assert.equal(costs:mod "bog", costs:mod "bog")
    assert.not_equal(costs:mod "bog", costs:mod "fog")
    assert.not_equal(costs:mod "bog", wend.costs():mod "bog")
  end)

  it("keeps names private: two mods that both have a rule 'night' both run", function()
    local costs = wend.costs()
    local bats, wolves = costs:mod "bats", costs:mod "wolves"
    costs:rule("night", "mud", plus(1))
    bats:rule("night", "mud", plus(2)):edge_rule("night", plus(5))
    wolves:rule("night", "mud", plus(4)):edge_rule("night", plus(7))
    assert.equal(10 * 8 + 12, made(costs, "mud"))
    wolves:remove "night"
    assert.equal(10 * 4 + 5, made(costs, "mud"))
    costs:remove "night"
    assert.equal(10 * 3 + 5, made(costs, "mud"))
    bats:rule("night", "mud", plus(0))
    assert.equal(10 + 5, made(costs, "mud"))
    assert.equal("night of bats, night of bats", order(costs))
  end)

  it("has values over those of the game, and of mods before it", function()
    local costs = wend.costs { mud = 2, road = 5, sand = 7 }
    costs:mod("late", { priority = 1 }):set("mud", 4)
    costs:mod("soon"):set("mud", 3):set("road", false)
    costs:mod("same"):set("road", { plus = 9 })
    assert.same({ 40, 19, 70 }, { made(costs, "mud"), made(costs, "road"), made(costs, "sand") })
    costs:set("mud", 1):set("road", 1)
    assert.same({ 40, 19 }, { made(costs, "mud"), made(costs, "road") })
  end)

  it("has functions that get the factor of the game and of mods before it", function()
    local costs = wend.costs { mud = { times = 2, plus = 3 } }
    costs:mod("one"):set("mud", times(5))
    costs:mod("two"):set("mud", plus(1))
    assert.equal(10 * (2 * 5 + 1) + 3, made(costs, "mud"))
    costs:mod("one"):set("mud", 4)
    assert.equal(10 * (4 + 1), made(costs, "mud"))
  end)

  it("leaves costs:get alone; mine:get is the mod's own value", function()
    local costs = wend.costs { mud = 2 }
    local toll = { plus = 9 }
    local mine = costs:mod("bog"):set("mud", toll):set("lava", false)
    assert.same({ 2, nil }, { costs:get "mud", costs:get "lava" })
    assert.equal(toll, mine:get "mud")
    assert.is_false(mine:get "lava")
    assert.is_nil(mine:get "road")
    assert.is_nil(costs:mod("fog"):get "mud")
  end)

  it("restores what it had overridden, when a value is removed", function()
    local costs = wend.costs({ mud = 2 }, { default = 3 })
    local mine = costs:mod("bog"):set("mud", 5):set("sand", 7)
    assert.same({ 50, 70 }, { made(costs, "mud"), made(costs, "sand") })
    mine:set("mud", nil):set("sand", nil)
    assert.same({ 20, 30 }, { made(costs, "mud"), made(costs, "sand") })
    costs:set("mud", 4)
    assert.equal(40, made(costs, "mud"))
  end)

  it("moves where a priority is given", function()
    local costs = wend.costs()
    local one = costs:mod("one"):set("mud", 2)
    costs:mod("two"):set("mud", 3)
    assert.equal(30, made(costs, "mud"))
    assert.equal(one, costs:mod("one", { priority = 1 }))
    assert.same({ 20, 1, "two, one" }, { made(costs, "mud"), one.priority, names(costs:mods()) })
    assert.equal(1, costs:mod("one").priority)
    costs:mod("one", { priority = 0 })
    assert.same({ 30, "one, two" }, { made(costs, "mud"), names(costs:mods()) })
  end)

  it("makes only results out of date whose tags it has set or has rules for, when it moves", function()
    local g = fan("mud", "sand", "road")
    local costs = wend.costs()
    costs:mod("one"):set("mud", 2):rule("rain", "sand", times(2))
    costs:mod("two"):set("mud", 3):rule("rain", "sand", plus(1)):set("road", 3)
    local paths = {}
    for _, tag in ipairs { "mud", "sand", "road" } do paths[tag] = g:path("A", tag, { costs = costs }) end
    costs:mod("one", { priority = 0 })
    assert.same({ true, true, true }, { paths.mud:valid(), paths.sand:valid(), paths.road:valid() })
    costs:mod("one", { priority = 1 })
    assert.same({ false, false, true }, { paths.mud:valid(), paths.sand:valid(), paths.road:valid() })
    assert.same({ 20, 40, 30 }, { made(costs, "mud"), made(costs, "sand"), made(costs, "road") })
  end)

  it("is inherited, and comes before what the heir has set itself", function()
    local base = wend.costs { mud = 2, road = 2, sand = 2 }
    local heir = wend.costs({ road = 4 }, { base = base })
    base:mod("bog"):set("mud", 3):set("road", 3):set("sand", 3)
    heir:mod("fog"):set("sand", 5)
    assert.same({ 30, 40, 50 }, { made(heir, "mud"), made(heir, "road"), made(heir, "sand") })
    assert.same({ 30, 30, 30 }, { made(base, "mud"), made(base, "road"), made(base, "sand") })
  end)

  it("hides inherited rules of the same mod, name and tag, and no others", function()
    local base = wend.costs()
    local heir = wend.costs({}, { base = base })
    base:rule("rain", "mud", plus(1))
    base:mod("bog"):rule("rain", "mud", plus(2))
    heir:mod("fog"):rule("rain", "mud", plus(4))
    heir:mod("bog"):rule("rain", "mud", plus(8))
    assert.same({ 10 * (1 + 1 + 4 + 8), 10 * (1 + 1 + 2) }, { made(heir, "mud"), made(base, "mud") })
    heir:remove_mod "bog"
    assert.equal(10 * (1 + 1 + 2 + 4), made(heir, "mud"))
  end)

  it("is named in errors, also for values", function()
    local costs = wend.costs()
    local mine = costs:mod("wolves"):rule("night", "mud", broken)
    helper.raises("rule 'night' of mod 'wolves': out of order", made, costs, "mud")
    mine:reset():edge_rule("night", function() return -1 end)
    helper.raises("rule 'night' of mod 'wolves': wanted a number >= 0, false or nil, got -1", made, costs, "mud")
    mine:reset():set("swamp", broken)
    helper.raises("tag 'swamp' of mod 'wolves': out of order", made, costs, "swamp")
  end)

  it("is named in explanations", function()
    local costs = wend.costs { mud = 2 }
    local function rules(profile)
      return fan("mud"):path("A", "mud", { costs = profile or costs }):explain()[1].rules
    end
    costs:mod("bog"):set("mud", plus(1)):edge_rule("toll", plus(5))
    costs:rule("rain", "mud", times(2))
    assert.same({
      { name = "tag 'mud'", cost = 20 }, { name = "tag 'mud'", mod = "bog", cost = 30 },
      { name = "rule 'rain'", cost = 60 }, { name = "rule 'toll'", mod = "bog", cost = 65 },
    }, rules())
    costs:mod("fog"):set("mud", 1)
    assert.same({ name = "tag 'mud'", mod = "fog", cost = 10 }, rules()[1])
    assert.same({ name = "tag 'mud'", cost = 40 }, rules(wend.costs({ mud = 4 }, { base = costs }))[1])
    costs:remove_mod "fog"
    assert.same({ name = "tag 'mud'", cost = 20 }, rules()[1])
  end)

  it("has rules that costs:unknown looks at", function()
    local costs = wend.costs()
    costs:mod("bog"):set("mdu", 2):rule("rain", "rain", nothing):edge_rule("toll", nothing, { tags = { "tool" } })
    assert.same({ { tag = "mdu", nearest = "mud" }, { tag = "rain" }, { tag = "tool" } }, costs:unknown(fan "mud"))
  end)

  it("may be edited by its own rules; the running search ignores this", function()
    local costs = wend.costs()
    local mine = costs:mod "bog"
    mine:rule("self", "mud", function(_, factor)
      mine:remove("self"):set("mud", 7)
      return factor * 2
    end)
    assert.equal(20, made(costs, "mud"))
    assert.equal(70, made(costs, "mud"))
    mine:edge_rule("gone", function(_, cost)
      costs:remove_mod "bog"
      return cost + 1
    end)
    assert.equal(71, made(costs, "mud"))
    assert.equal(10, made(costs, "mud"))
  end)

  it("does not lead to the profile, and cannot be changed from outside", function()
    local costs = wend.costs { mud = 2 }
    local mine = costs:mod "bog"
    assert.equal("mod", getmetatable(mine))
    assert.is_false((pcall(setmetatable, mine, {})))
    assert.is_false((pcall(rawset, mine, "set", nothing)))
    assert.is_false((pcall(next, mine)))
    for _, key in ipairs { "costs", "base", "on_error", "profile", "state", "layer", "content", 1, 2, "__index" } do
      assert.is_nil(mine[key])
    end
    for _, key in ipairs { "name", "priority", "set", "mud" } do
      helper.raises(("a mod has no field '%s' that can be set: use mine:set(tag, value)"):format(key),
        function() mine[key] = 1 end)
    end
    for _, call in ipairs { "set", "get", "rule", "edge_rule", "remove", "reset" } do
      local arguments = { set = { "a", 1 }, get = { "a" }, rule = { "r", "a", nothing }, edge_rule = { "r", nothing },
        remove = { "r" }, reset = {} }
      local result = mine[call](mine, (table.unpack or unpack)(arguments[call]))
      assert.equal(call == "get" and 1 or mine, result)
    end
  end)

  it("is collected with its profile, cycles and all", function()
    local seen = setmetatable({}, { __mode = "k" })
    for _ = 1, 10 do
      local costs = wend.costs()
      local mine = costs:mod "bog"
      mine:set("mud", function() return costs and mine and 1 end)
      costs:readonly()
      made(costs, "mud")
      seen[costs], seen[mine] = true, true
    end
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(seen))
  end)
end)

describe("the order of rules", function()
  it("is that of priorities, then the game before the mods, then the order of mods, then of adding", function()
    local costs = wend.costs()
    local late, soon = costs:mod("late", { priority = 1 }), costs:mod "soon"
    late:rule("a", "mud", nothing):rule("first", "mud", nothing, { priority = -1 })
    soon:edge_rule("edge", nothing):rule("c", "mud", nothing):rule("b", "mud", nothing)
    soon:rule("last", "mud", nothing, { priority = 2 })
    costs:rule("game", "mud", nothing):edge_rule("wall", nothing)
    assert.equal("first of late, game, c of soon, b of soon, a of late, last of soon, wall, edge of soon", order(costs))
    costs:mod("late", { priority = -5 })
    assert.equal("first of late, game, a of late, c of soon, b of soon, last of soon, wall, edge of soon", order(costs))
  end)

  it("has the rules of all base profiles' games first, then their mods, then the heir's mods", function()
    local base = wend.costs()
    local heir = wend.costs({}, { base = base })
    heir:mod("fog"):rule("4", "mud", nothing)
    heir:rule("1", "mud", nothing)
    base:mod("bog", { priority = 9 }):rule("3", "mud", nothing)
    base:rule("2", "mud", nothing)
    assert.equal("1, 2, 3 of bog, 4 of fog", order(heir))
    assert.equal("2, 3 of bog", order(base))
  end)
end)

describe("mine:reset", function()
  it("removes all of the mod and keeps its place", function()
    local costs = wend.costs { mud = 2 }
    local mine = costs:mod("bog"):set("mud", 5):rule("rain", "mud", times(2)):edge_rule("toll", plus(1))
    costs:mod("fog"):set("sand", 2)
    assert.equal(mine, mine:reset())
    assert.same({ 20, 0, "bog, fog" }, { made(costs, "mud"), #costs:rules(), names(costs:mods()) })
    mine:set("sand", 9)
    assert.equal(20, made(costs, "sand"))
  end)
end)

describe("mine:reload", function()
  it("removes what the function does not repeat, and keeps the order", function()
    local costs = wend.costs { mud = 2 }
    local one = costs:mod("one"):rule("rain", "mud", times(2)):rule("old", "mud", times(9)):set("sand", 5)
    costs:mod("two"):rule("snow", "mud", plus(1)):set("sand", function(_, factor) return factor + 1 end)
    assert.equal(one, one:reload(function(mine)
      assert.equal(one, mine)
      assert.is_nil(mine:get "sand")
      mine:rule("rain", "mud", times(3)):set("sand", 4)
      assert.equal(4, mine:get "sand")
      assert.same({ 10 * (2 * 2 * 9 + 1), 60 }, { made(costs, "mud"), made(costs, "sand") }) -- until the function ends
    end))
    assert.equal("rain of one, snow of two", order(costs))
    assert.same({ 10 * (2 * 3 + 1), 50 }, { made(costs, "mud"), made(costs, "sand") })
  end)

  it("changes nothing if the function raises, and names the mod", function()
    local costs = wend.costs()
    local mine = costs:mod("bog"):set("mud", 5):rule("rain", "mud", times(2))
    local path = fan("mud"):path("A", "mud", { costs = costs })
    local before = compiled(costs)
    local ok, message = pcall(mine.reload, mine, function()
      mine:reset():set("mud", 9):remove "rain"
      mine:rule("other", "mud", nothing)
      error("no such file", 0)
    end)
    assert.same({ false, "mod 'bog': no such file" }, { ok, message })
    assert.same(before, compiled(costs))
    assert.is_true(path:valid())
    local problem = {}
    ok, message = pcall(mine.reload, mine, function() error(problem) end)
    assert.is_false(ok)
    assert.equal(problem, message)
    assert.same(before, compiled(costs))
  end)

  it("names the line of the mod", function()
    local mine = wend.costs():mod "bog"
    local ok, message = pcall(mine.reload, mine, function() mine:set("mud", -1) end)
    assert.is_false(ok)
    assert.truthy(message:find "^mod 'bog': .*mods_spec%.lua:%d+: the cost of tag 'mud' must be")
  end)

  it("cannot be nested, and cannot yield; the mod works on afterwards", function()
    local costs = wend.costs()
    local mine = costs:mod("bog"):set("mud", 3)
    local ok, message = pcall(mine.reload, mine, function()
      mine:set("mud", 9)
      mine:reload(nothing)
    end)
    assert.is_false(ok)
    assert.truthy(message:find "^mod 'bog': .*mods_spec%.lua:%d+: mod 'bog' is being reloaded already$")
    local thread = coroutine.create(function() mine:reload(function() coroutine.yield() end) end)
    ok, message = coroutine.resume(thread)
    assert.is_false(ok)
    assert.truthy(message:find "^mod 'bog': .*attempt to yield")
    assert.equal(30, made(costs, "mud"))
    mine:reload(function() mine:set("mud", 4) end)
    assert.equal(40, made(costs, "mud"))
  end)

  it("may reload other mods, and add and remove them", function()
    local costs = wend.costs()
    local one, two = costs:mod "one", costs:mod "two"
    one:reload(function()
      two:reload(function() two:set("mud", 3) end)
      costs:mod("three"):set("sand", 4)
      costs:remove_mod "four"
      one:set("mud", 2)
    end)
    assert.same({ 30, 40, "one, two, three" }, { made(costs, "mud"), made(costs, "sand"), names(costs:mods()) })
  end)

  it("does not bring back a mod that it removes", function()
    local costs = wend.costs()
    local mine = costs:mod "bog"
    helper.raises("mod 'bog' was removed while it was reloaded", mine.reload, mine, function()
      mine:set("mud", 3)
      costs:remove_mod "bog"
    end)
    assert.same({ 10, "" }, { made(costs, "mud"), names(costs:mods()) })
  end)

  it("may run in a rule of the mod: the running search ignores it", function()
    local costs = wend.costs()
    local mine, runs = costs:mod "bog", 0
    local function load_it()
      mine:rule("self", "mud", function(_, factor)
        runs = runs + 1
        mine:reload(load_it)
        return factor * 2
      end)
      mine:edge_rule("edge", plus(runs))
    end
    mine:reload(load_it)
    assert.same({ 20, 21, 22 }, { made(costs, "mud"), made(costs, "mud"), made(costs, "mud") })
    assert.equal("self of bog, edge of bog", order(costs))
  end)

  it("makes only results out of date whose tags it changes", function()
    local g = fan("mud", "sand", "road", "ice")
    local costs = wend.costs { road = 2 }
    local mine, rain = costs:mod "bog", times(2)
    local function load_it(sand)
      mine:set("mud", 3):set("sand", sand):rule("rain", "mud", rain):rule("ice", "ice", times(sand))
    end
    mine:reload(function() load_it(2) end)
    local paths = {}
    for _, tag in ipairs { "mud", "sand", "road", "ice" } do paths[tag] = g:path("A", tag, { costs = costs }) end
    mine:reload(function() load_it(3) end)
    assert.same({ true, false, true, false },
      { paths.mud:valid(), paths.sand:valid(), paths.road:valid(), paths.ice:valid() })
    costs:remove_mod "bog"
    assert.same({ false, true }, { paths.mud:valid(), paths.road:valid() })
  end)

  it("does not disturb a search in slices, which keeps the rules of its beginning", function()
    local g = wend.graph()
    for i = 1, 30 do g:add_node(i, 0) end
    for i = 2, 30 do g:add_edge(i - 1, i, { tag = "road" }) end
    local costs = wend.costs()
    local mine = costs:mod("bog"):set("road", 2)
    local search = g:search(1, 30, { costs = costs })
    search:step(5)
    mine:reload(function() mine:set("road", 3) end)
    while search:step(5) == "running" do end
    assert.same({ 58, false }, { search:result().cost, search:result():valid() })
  end)
end)

describe("costs:remove_mod", function()
  it("removes a mod with everything it did, and restores what it had overridden", function()
    local base = wend.costs({ sand = 4 }, { default = 3 })
    local costs = wend.costs({ mud = 2, road = times(2) }, { base = base })
    base:edge_rule("wind", plus(1), { tags = { "sand" } })
    costs:rule("rain", "mud", times(3))
    costs:mod("keep"):set("road", 5):rule("rain", "sand", plus(1))
    local before, listed = compiled(costs), costs:rules()
    local mine = costs:mod("bog", { priority = -1 }):set("mud", false):set("road", 9):set("sand", { plus = 4 })
    mine:rule("rain", "mud", plus(1)):edge_rule("wind", plus(7)):edge_rule("toll", plus(2), { tags = { "sand" } })
    assert.not_same(before, compiled(costs))
    assert.equal(costs, costs:remove_mod "bog")
    assert.same(before, compiled(costs))
    assert.same(listed, costs:rules())
    assert.same({ 60, 50, 51 }, { made(costs, "mud"), made(costs, "road"), made(costs, "sand") })
  end)

  it("does nothing without such a mod, and leaves inherited ones", function()
    local base = wend.costs()
    base:mod("bog"):set("mud", 3)
    local costs = wend.costs({}, { base = base })
    assert.equal(costs, costs:remove_mod("bog"):remove_mod "fog")
    assert.equal(30, made(costs, "mud"))
  end)

  it("leaves a mod that cannot be used any more; a new one of the same name is loaded last", function()
    local costs = wend.costs()
    local mine = costs:mod "bog"
    costs:mod "fog"
    costs:remove_mod "bog"
    for _, call in ipairs {
      function() mine:set("mud", 2) end, function() mine:get "mud" end, function() mine:rule("r", "mud", nothing) end,
      function() mine:edge_rule("r", nothing) end, function() mine:remove "r" end, function() mine:reset() end,
      function() mine:reload(nothing) end,
    } do
      helper.raises("mod 'bog' was removed", call)
    end
    assert.same({ "bog", "wend.Mod ('bog', removed)" }, { mine.name, tostring(mine) })
    assert.not_equal(mine, costs:mod "bog")
    assert.equal("fog, bog", names(costs:mods()))
  end)
end)

describe("costs:mods", function()
  it("lists mods in the order in which their values apply", function()
    local base = wend.costs()
    local costs = wend.costs({}, { base = base })
    base:mod("old", { priority = 7 }):set("mud", 2)
    costs:mod("late", { priority = 1 }):edge_rule("toll", nothing):rule("rain", "mud", nothing)
    costs:mod "soon"
    assert.same({
      { name = "old", priority = 7, values = 1, rules = 0, errors = 0, asleep = {}, inherited = true },
      { name = "soon", priority = 0, values = 0, rules = 0, errors = 0, asleep = {} },
      { name = "late", priority = 1, values = 0, rules = 2, errors = 0, asleep = {} },
    }, costs:mods())
    costs:mods()[2].name = "other"
    assert.equal("old, soon, late", names(costs:mods()))
    assert.same({}, wend.costs():mods())
  end)
end)

describe("costs.on_error", function()
  it("gets the mod of the rule", function()
    local said = {}
    local costs = wend.costs()
    costs.on_error = function(...) said[#said + 1] = { n = select("#", ...), ... } end
    costs:mod("wolves"):rule("night", "mud", broken):set("mud", broken)
    costs:rule("night", "mud", broken)
    assert.equal(10, made(costs, "mud"))
    assert.same({
      { n = 3, "tag 'mud'", "out of order", "wolves" }, { n = 2, "night", "out of order" },
      { n = 3, "night", "out of order", "wolves" },
    }, said)
  end)

  it("may remove the mod: the search goes on without the rule, the next one without the mod", function()
    local costs = wend.costs()
    costs:mod("wolves"):rule("night", "mud", broken):edge_rule("howl", plus(5))
    costs.on_error = function(_, _, mod) costs:remove_mod(mod) end
    assert.same({ 15, 10 }, { made(costs, "mud"), made(costs, "mud") })
  end)
end)

describe("costs.max_errors", function()
  -- A profile whose on_error counts; said[1] is their number.
  local function counting(max_errors, base)
    local costs, said = wend.costs({}, { base = base }), { 0 }
    costs.on_error = function() said[1] = said[1] + 1 end
    costs.max_errors = max_errors
    return costs, said
  end

  it("lets a rule sleep that has failed so many times, until its mod is reloaded", function()
    local costs, said = counting(2)
    assert.equal(2, costs.max_errors)
    local mine = costs:mod "wolves"
    local function load_it() mine:rule("night", "mud", broken):rule("howl", "mud", times(2)):set("sand", broken) end
    mine:reload(load_it)
    for _ = 1, 4 do assert.equal(20, made(costs, "mud")) end
    assert.equal(2, said[1])
    assert.same({ 2, { "night" } }, { costs:mods()[1].errors, costs:mods()[1].asleep })
    assert.same({ true, nil }, { costs:rules()[1].asleep, costs:rules()[2].asleep })
    for _ = 1, 4 do assert.equal(10, made(costs, "sand")) end
    assert.same({ 4, 4, { "night", "tag 'sand'" } }, { said[1], costs:mods()[1].errors, costs:mods()[1].asleep })
    mine:reload(load_it)
    assert.same({ 0, {} }, { costs:mods()[1].errors, costs:mods()[1].asleep })
    made(costs, "mud")
    assert.equal(5, said[1])
  end)

  it("wakes a rule that is added again, and a value that is set again", function()
    local costs, said = counting(1)
    costs:rule("rain", "mud", broken):set("sand", broken)
    for _ = 1, 3 do
      made(costs, "mud")
      made(costs, "sand")
    end
    assert.equal(2, said[1])
    costs:rule("rain", "mud", broken)
    made(costs, "mud")
    made(costs, "sand")
    assert.equal(3, said[1])
    costs:set("sand", broken)
    made(costs, "sand")
    made(costs, "sand")
    assert.equal(4, said[1])
  end)

  it("counts for a function that is set again while it is awake from the start", function()
    local costs, said = counting(2)
    costs:set("sand", broken)
    made(costs, "sand")
    costs:set("sand", broken)
    for _ = 1, 4 do made(costs, "sand") end
    assert.equal(1 + 2, said[1])
  end)

  it("lets edge rules sleep, and functions of default for good", function()
    local said = 0
    local costs = wend.costs({}, { default = broken })
    costs.on_error = function() said = said + 1 end
    costs.max_errors = 1
    costs:edge_rule("wind", broken)
    assert.same({ 10, 10, 2 }, { made(costs, "mud"), made(costs, "mud"), said })
  end)

  it("does not wake a rule where it is raised", function()
    local costs, said = counting(1)
    costs:rule("rain", "mud", broken)
    made(costs, "mud")
    costs.max_errors = 5
    made(costs, "mud")
    costs.max_errors = nil
    made(costs, "mud")
    assert.equal(1, said[1])
  end)

  it("lets no result be out of date when a rule falls asleep, and makes it so when the rule wakes", function()
    local g, costs = fan "mud", counting(1)
    local fails = false
    local function moody(_, factor)
      if fails then broken() end
      return factor * 2
    end
    costs:rule("moody", "mud", moody)
    local before = g:path("A", "mud", { costs = costs })
    local search = g:search("A", "mud", { costs = costs })
    fails = true
    local after = g:path("A", "mud", { costs = costs })
    assert.same({ 10, true, true }, { after.cost, before:valid(), after:valid() })
    while search:step(1) == "running" do assert.truthy(search) end
    assert.equal(20, search:result().cost)
    costs:rule("moody", "mud", moody)
    assert.same({ false, false }, { before:valid(), after:valid() })
  end)

  it("counts for rules of the profile and of its heirs, not of its base", function()
    local base, said = counting(nil)
    local costs = wend.costs({}, { base = base })
    local heir = wend.costs({}, { base = costs })
    costs.max_errors = 1
    base:rule("base", "mud", broken)
    heir:rule("heir", "mud", broken)
    costs:mod("bog"):rule("mid", "mud", broken)
    for _ = 1, 3 do made(heir, "mud") end
    assert.equal(3 + 1 + 1, said[1])
  end)

  it("counts nothing without on_error, nor in searches with a view", function()
    local costs, said = counting(2)
    costs:mod("bog"):rule("rain", "mud", function(agent) return agent.boots.size end)
    local view = costs:readonly()
    local heir = wend.costs({}, { base = view })
    for _ = 1, 3 do
      assert.equal(10, made(view, "mud", {}))
      assert.equal(10, made(heir, "mud", {}))
    end
    assert.same({ 6, 0 }, { said[1], costs:mods()[1].errors })
    costs.on_error = nil
    for _ = 1, 3 do assert.is_false((pcall(made, costs, "mud", {}))) end
    assert.equal(0, costs:mods()[1].errors)
    assert.equal(20, made(costs, "mud", { boots = { size = 2 } }))
  end)
end)

describe("costs:readonly", function()
  local function profiles()
    local base = wend.costs { sand = { times = 2, plus = 1 } }
    local costs = wend.costs({ mud = 2, road = times(2), lava = false }, { base = base })
    costs.on_error = nothing
    costs.max_errors = 3
    costs:edge_rule("toll", plus(1), { tags = { "mud" } })
    costs:mod("bog"):rule("rain", "mud", times(2))
    return costs, base
  end

  it("is a view to search with: it costs the same, and sees later edits", function()
    local costs = profiles()
    local view = costs:readonly()
    assert.equal("costs", wend.type(view))
    assert.equal(view, costs:readonly())
    assert.equal(view, view:readonly())
    assert.same({ 41, 20, false, 21 },
      { made(view, "mud"), made(view, "road"), made(view, "lava"), made(view, "sand") })
    costs:set("mud", 3)
    assert.equal(61, made(view, "mud"))
    assert.equal("wend.Costs (3 tags, 1 rules, 1 mods, read-only)", tostring(view))
  end)

  it("is a view of paths that are out of date as those of the profile", function()
    local costs = profiles()
    local path = fan("mud"):path("A", "mud", { costs = costs:readonly() })
    assert.equal(costs:readonly(), path.costs)
    costs:set("road", 9)
    assert.is_true(path:valid())
    costs:set("mud", 9)
    assert.is_false(path:valid())
    assert.equal("tag 'mud'", path:explain()[1].rules[1].name)
  end)

  it("reads get, rules, mods, unknown and max_errors, without functions and without tables of the game", function()
    local costs, base = profiles()
    local view = costs:readonly()
    assert.same({ 2, "function", false, 3 }, { view:get "mud", view:get "road", view:get "lava", view.max_errors })
    assert.same({ times = 2, plus = 1 }, view:get "sand")
    view:get("sand").times = 100
    assert.same({ times = 2, plus = 1 }, base:get "sand")
    assert.same({
      { name = "rain", mod = "bog", tag = "mud", priority = 0 },
      { name = "toll", tags = { "mud" }, priority = 0, at_least = 0 },
    }, view:rules())
    view:rules()[2].tags[1] = "sand"
    assert.equal(41, made(costs, "mud"))
    assert.same(costs:mods(), view:mods())
    assert.same(costs:unknown(fan "mud"), view:unknown(fan "mud"))
    assert.is_nil(view.on_error)
  end)

  it("cannot be changed: not by methods, fields, base or metatables", function()
    local costs, base = profiles()
    local view = costs:readonly()
    local before = { compiled(costs), compiled(base) }
    assert.not_equal(base, view.base)
    assert.equal(base:readonly(), view.base)
    assert.is_nil(view.base.base)
    for _, one in ipairs { view, view.base } do
      for _, call in ipairs {
        function() one:set("mud", 1) end, function() one:rule("r", "mud", nothing) end,
        function() one:edge_rule("r", nothing) end, function() one:remove "toll" end, function() one:mod "bog" end,
        function() one:remove_mod "bog" end, function() costs.set(one, "mud", 1) end,
        function() one.on_error = nothing end, function() one.max_errors = 1 end, function() one.base = nil end,
        function() one[1] = 2 end,
      } do
        helper.raises("a read-only view of a cost profile cannot be changed", call)
      end
      assert.equal("costs", getmetatable(one))
      assert.is_false((pcall(setmetatable, one, {})))
      assert.is_false((pcall(rawset, one, "set", nothing)))
      assert.is_false((pcall(next, one)))
    end
    assert.same(before, { compiled(costs), compiled(base) })
    assert.same({ nothing, 3 }, { costs.on_error, costs.max_errors })
  end)

  it("may be a base: the heir can be edited, the view cannot", function()
    local costs = profiles()
    local view = costs:readonly()
    local heir = wend.costs({ road = 1 }, { base = view })
    assert.equal(view, heir.base)
    assert.equal(view, heir:readonly().base)
    heir:set("mud", 1):mod("bog"):rule("rain", "mud", nothing)
    assert.same({ 11, 41 }, { made(heir, "mud"), made(costs, "mud") })
    costs:set("sand", 5)
    assert.equal(50, made(heir, "sand"))
  end)

  it("gives errors to the game's on_error", function()
    local costs, said = wend.costs(), nil
    costs.on_error = function(name, _, mod) said = name .. " of " .. mod end
    costs:mod("bog"):rule("rain", "mud", broken)
    assert.equal(10, made(costs:readonly(), "mud"))
    assert.equal("rain of bog", said)
  end)
end)

describe("a rule of a mod", function()
  -- A profile with a rule of a mod, and what its on_error was told.
  local function with(fn)
    local costs, said = wend.costs(), {}
    costs:mod("wolves"):rule("night", "mud", fn)
    return costs, said, function(name, message, mod) said[#said + 1] = name .. " of " .. mod .. ": " .. message end
  end

  it("may raise anything: on_error is told what it is, and without on_error it arrives unchanged", function()
    local rude = setmetatable({}, { __tostring = function() error "never" end })
    for _, case in ipairs { { rude, "a table" }, { {}, "a table" }, { true, "true" }, { print, "a function" } } do
      local costs, said, listen = with(function() error(case[1]) end)
      local ok, problem = pcall(made, costs, "mud")
      assert.is_false(ok)
      assert.is_true(rawequal(case[1], problem))
      costs.on_error = listen
      assert.equal(10, made(costs, "mud"))
      assert.same({ "night of wolves: " .. case[2] }, said)
    end
    local costs, said, listen = with(function() error() end)
    assert.is_false((pcall(made, costs, "mud")))
    costs.on_error = listen
    assert.equal(10, made(costs, "mud"))
    -- Lua 5.5 raises a string instead.
    assert.same({ "night of wolves: " .. (_VERSION >= "Lua 5.5" and "<no error object>" or "nil") }, said)
  end)

  it("may keep its arguments, and change the agent: the search goes on", function()
    local kept = {}
    local costs = with(function(agent, factor, tag)
      kept[#kept + 1] = { agent, factor, tag }
      agent.boots = nil
      setmetatable(agent, { __index = function() error "never" end })
      return factor * 2
    end)
    local agent = { boots = true }
    assert.same({ 20, 20 }, { made(costs, "mud", agent), made(costs, "mud", agent) })
    assert.same({ 2, 1, "mud" }, { #kept, kept[1][2], kept[1][3] })
    assert.equal(agent, kept[2][1])
  end)

  it("may search the same map; the limit of depth names it", function()
    local g, costs, depth = fan "mud", nil, 0
    costs = with(function()
      depth = depth + 1
      return g:path("A", "mud", { costs = costs }).cost
    end)
    local ok, message = pcall(g.path, g, "A", "mud", { costs = costs })
    assert.is_false(ok)
    assert.truthy(depth > 50)
    assert.truthy(message:find("rule 'night' of mod 'wolves': ", 1, true))
    assert.truthy(message:find "too many searches inside each other's callbacks$" or message:find "stack overflow")
  end)

  it("cannot yield, nor change the map that is searched", function()
    local g = fan "mud"
    local costs = with(function() g:close "A" end)
    local ok, message = pcall(g.path, g, "A", "mud", { costs = costs })
    assert.is_false(ok)
    assert.truthy(message:find "^rule 'night' of mod 'wolves': .*the graph is being searched: change it when")
    costs = with(coroutine.yield)
    ok, message = coroutine.resume(coroutine.create(function() made(costs, "mud") end))
    assert.is_false(ok)
    assert.truthy(message:find("rule 'night' of mod 'wolves': attempt to yield", 1, true))
  end)
end)

describe("mods and finalizers", function()
  it("survive finalizers that edit mods while a profile is compiled or edited", function()
    local costs, count, on = wend.costs { mud = 2 }, 0, true
    local function edit()
      if not on then return end
      count = count + 1
      local name = "mod " .. count % 4
      local mine = costs:mod(name, { priority = count % 3 })
      for i = 1, 20 do mine:set("tag " .. (count * 31 + i * 7) % 50, i % 2 == 0 and i or nil) end
      mine:rule("rule " .. count % 5, "mud", nothing)
      if count % 2 == 0 then
        pcall(mine.reload, mine, function() mine:set("tag 1", 1):edge_rule("edge", nothing) end)
      end
      if count % 3 == 0 then costs:remove_mod("mod " .. (count + 1) % 4) end
      collector.finalized(edit)
    end
    collector.finalized(edit)
    local pause, step = collector.tune(1, 10000)
    for i = 1, 3000 do
      if count >= 15 then break end
      local own = costs:mod "own"
      own:reload(function()
        for k = 1, 100 do own:set("tag " .. k, function() end) end
      end)
      assert.equal(20, made(costs, "mud"), i)
      costs:mods()
      costs:rules()
    end
    on = false
    collector.tune(pause, step)
    assert.truthy(count > 0)
    for i = 0, 3 do costs:remove_mod("mod " .. i) end
    assert.same({ { name = "own", priority = 0, values = 100, rules = 0, errors = 0, asleep = {} } }, costs:mods())
  end)
end)

describe("mods on grids", function()
  it("work as on graphs, and are named in explanations and errors", function()
    local grid = wend.parse_grid("..~..", { ["~"] = "mud" })
    local costs = wend.costs { mud = 2 }
    local mine = costs:mod("bog"):set("mud", 4):edge_rule("toll", plus(1), { tags = { "mud" }, at_least = 1 })
    local path = grid:path(1, 1, 5, 1, { costs = costs })
    assert.equal(3 + 5, path.cost)
    assert.same({ { name = "tag 'mud'", mod = "bog", cost = 4 }, { name = "rule 'toll'", mod = "bog", cost = 5 } },
      path:explain()[2].rules)
    mine:edge_rule("toll", broken)
    helper.raises("rule 'toll' of mod 'bog': out of order", grid.path, grid, 1, 1, 5, 1, { costs = costs })
    costs:remove_mod "bog"
    assert.is_false(path:valid())
    assert.equal(5, grid:path(1, 1, 5, 1, { costs = costs }).cost)
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local NAN = 0 / 0
local costs, mine

describe("mistakes with mods", function()
  before_each(function()
    costs = wend.costs { road = 0.5 }
    mine = costs:mod "bog"
  end)

  helper.all_raise(it, {
    "unknown option 'prio' (expected one of: priority)", function() costs:mod("bog", { prio = 1 }) end,
    "the cost of tag 'mud' must be a number >= 0, false, { times =, plus = } or a function, got nan",
    function() mine:set("mud", NAN) end,
    "max_errors must be a whole number >= 1 or nil, got 0", function() costs.max_errors = 0 end,
    "max_errors must be a whole number >= 1 or nil, got 1.5", function() costs.max_errors = 1.5 end,
    "max_errors must be a whole number >= 1 or nil, got nan", function() costs.max_errors = NAN end,
    "max_errors must be a whole number >= 1 or nil, got '3'", function() costs.max_errors = "3" end,
    "costs must be a profile made by wend.costs, got a wend.Mod",
    function() fan("a"):path(1, 2, { costs = mine }) end,
    "base must be a cost profile, got a wend.Mod", function() wend.costs({}, { base = mine }) end,
  })

  it("change nothing", function()
    mine:set("mud", 2):rule("rain", "mud", nothing)
    helper.raises("the cost of tag 'mud' must be a number >= 0, false, { times =, plus = } or a function, got -1",
      function() mine:set("mud", -1) end)
    for _, call in ipairs {
      function() mine:rule("rain", "mud", print, { priority = NAN }) end,
      function() costs:mod("bog", { priority = NAN }) end, function() costs:mod("fog", { priority = NAN }) end,
    } do
      helper.raises("priority must be a number, got nan", call)
    end
    helper.raises("max_errors must be a whole number >= 1 or nil, got 0", function() costs.max_errors = 0 end)
    assert.same({ 2, 1, "bog", nil }, { mine:get "mud", #costs:rules(), names(costs:mods()), costs.max_errors })
    assert.equal(nothing, costs:rules()[1].fn)
  end)
end)
