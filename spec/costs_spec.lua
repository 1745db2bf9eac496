-- SPDX-License-Identifier: MIT
local collector = require "spec.support.collector"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local draw = reference.draw

-- One edge of weight 10 from A to B for each tag, and one without a tag.
local function fan(...)
  local g = wend.graph()
  g:add_node { name = "A" }
  g:add_node { name = "plain" }
  g:add_edge("A", "plain", { weight = 10 })
  for _, tag in ipairs { ... } do
    g:add_node { name = tag }
    g:add_edge("A", tag, { weight = 10, tag = tag })
  end
  return g
end

-- What it costs to go over the edge of a tag; false: it is closed.
local function price(g, tag, opts)
  local path, _, code = g:path("A", tag, opts)
  if path then return path.cost end
  assert.equal("no_path", code)
  return false
end

-- What a profile makes of a tag's edge of weight 10.
local function made(costs, tag, agent)
  return price(fan(tag), tag, { costs = costs, agent = agent })
end

local function names(costs)
  local list = {}
  for i, rule in ipairs(costs:rules()) do list[i] = rule.name end
  return list
end

describe("a value of a tag", function()
  it("is a multiplier", function()
    local costs = wend.costs { road = 0.5, swamp = 2, ice = 0, ground = 1 }
    assert.same({ 5, 20, 0, 10 },
      { made(costs, "road"), made(costs, "swamp"), made(costs, "ice"), made(costs, "ground") })
  end)

  it("closes with false, and with math.huge", function()
    local costs = wend.costs { lava = false, sea = math.huge, gate = { plus = math.huge }, sky = { times = math.huge } }
    assert.same({ false, false, false, false },
      { made(costs, "lava"), made(costs, "sea"), made(costs, "gate"), made(costs, "sky") })
  end)

  it("is a multiplier and a price a passage", function()
    local costs = wend.costs { toll = { times = 2, plus = 3 }, fee = { plus = 7 }, slope = { times = 4 }, as_is = {} }
    assert.same({ 23, 17, 40, 10 },
      { made(costs, "toll"), made(costs, "fee"), made(costs, "slope"), made(costs, "as_is") })
  end)

  it("is paid once an edge", function()
    local g = draw { "A B C", "A-B 1 toll", "B-C 1 toll" }
    assert.equal(22, g:path("A", "C", { costs = wend.costs { toll = { plus = 10 } } }).cost)
  end)

  it("may be a function, which is handed the agent, the factor and the tag", function()
    local got
    local agent = { boots = true }
    local costs = wend.costs { swamp = function(...)
      got = { n = select("#", ...), ... }
      return 3
    end }
    assert.equal(30, made(costs, "swamp", agent))
    assert.same({ n = 3, agent, 1, "swamp" }, got)
    assert.equal(agent, got[1])
  end)

  it("may be anything that can be called", function()
    local callable = setmetatable({}, { __call = function(_, _, factor) return factor * 4 end })
    assert.equal(40, made(wend.costs { swamp = callable }, "swamp"))
    assert.equal(40, made(wend.costs():rule("x", "swamp", callable), "swamp"))
  end)

  it("does not touch edges of other tags, nor those without", function()
    local costs = wend.costs { road = 0.5 }
    assert.same({ 10, 10 }, { made(costs, "roads"), price(fan(), "plain", { costs = costs }) })
  end)

  it("may mean another way for another agent", function()
    local g = draw { "A B C", "A-B 5 swamp", "B-C 5 swamp", "A-C 15 road" }
    local costs = wend.costs { swamp = function(agent) return agent.boots and 1 or 2 end }
    local path = g:path("A", "C", { costs = costs, agent = { boots = true } })
    assert.same({ 1, 2, 3 }, { (table.unpack or unpack)(path) })
    assert.same({ 1, 3 }, { (table.unpack or unpack)(g:path("A", "C", { costs = costs })) })
  end)
end)

describe("an answer of a function", function()
  local function answers(...)
    local results, count = { ... }, select("#", ...)
    return function() return (table.unpack or unpack)(results, 1, count) end
  end

  it("is the factor, and as a second result a price a passage", function()
    assert.equal(35, made(wend.costs { toll = answers(3, 5) }, "toll"))
  end)

  it("changes nothing with nil, or with no value", function()
    assert.equal(10, made(wend.costs { toll = answers(nil) }, "toll"))
    assert.equal(10, made(wend.costs { toll = answers() }, "toll"))
    local costs = wend.costs { toll = { times = 2, plus = 3 } }
    costs:rule("none", "toll", answers())
    assert.equal(23, made(costs, "toll"))
  end)

  it("may change the price alone", function()
    local costs = wend.costs { toll = { times = 2, plus = 3 } }
    costs:rule("strike", "toll", answers(nil, 0))
    assert.equal(20, made(costs, "toll"))
  end)

  it("keeps the price where only a factor comes back", function()
    local costs = wend.costs { toll = { times = 2, plus = 3 } }
    costs:rule("half", "toll", answers(1))
    assert.equal(13, made(costs, "toll"))
  end)

  it("closes with false, and with math.huge", function()
    assert.equal(false, made(wend.costs { toll = answers(false) }, "toll"))
    assert.equal(false, made(wend.costs { toll = answers(math.huge) }, "toll"))
    assert.equal(false, made(wend.costs { toll = answers(1, math.huge) }, "toll"))
  end)

  it("may be zero", function()
    assert.equal(0, made(wend.costs { toll = answers(0) }, "toll"))
  end)
end)

describe("a function of a tag", function()
  it("is called once a search, for any number of edges", function()
    local g = wend.graph()
    for i = 1, 100 do g:add_node(i, 0) end
    for i = 2, 100 do g:add_edge(i - 1, i, { tag = "swamp" }) end
    local calls = 0
    local costs = wend.costs { swamp = function()
      calls = calls + 1
      return 2
    end }
    assert.equal(198, g:path(1, 100, { costs = costs }).cost)
    assert.equal(1, calls)
    g:path(1, 100, { costs = costs })
    assert.equal(2, calls)
  end)

  it("is not asked about tags that the graph does not have", function()
    local costs = wend.costs { swamp = function() error "asked" end }
    assert.equal(10, made(costs, "road"))
  end)

  it("gets an empty table without an agent, the same for all functions of a search", function()
    local seen = {}
    local costs = wend.costs { a = function(agent)
      seen[#seen + 1] = agent
      assert.equal(nil, next(agent))
    end }
    costs:edge_rule("b", function(agent) seen[#seen + 1] = agent end)
    price(fan "a", "a", { costs = costs, cost = function(agent) seen[#seen + 1] = agent end })
    assert.equal("table", type(seen[1]))
    for i = 2, #seen do assert.equal(seen[1], seen[i]) end
  end)

  it("gets the agent, whatever that is", function()
    local seen
    local costs = wend.costs { a = function(agent)
      seen = agent
      return 1
    end }
    for _, agent in ipairs { "hero", 7, false, print } do
      made(costs, "a", agent)
      assert.equal(agent, seen)
    end
  end)
end)

describe("costs:set and costs:get", function()
  it("keep the base value of a tag as it was given", function()
    local fn, toll = function() end, { times = 1, plus = 2 }
    local costs = wend.costs { road = 0.5 }
    assert.equal(costs, costs:set("lava", false):set("swamp", fn):set("toll", toll))
    assert.same({ 0.5, false, fn, toll }, { costs:get "road", costs:get "lava", costs:get "swamp", costs:get "toll" })
    assert.equal(nil, costs:get "sand")
  end)

  it("change what the next search finds", function()
    local g, costs = fan "road", wend.costs()
    assert.equal(10, price(g, "road", { costs = costs }))
    costs:set("road", 0.5)
    assert.equal(5, price(g, "road", { costs = costs }))
    costs:set("road", false)
    assert.equal(false, price(g, "road", { costs = costs }))
    costs:set("road", nil)
    assert.equal(10, price(g, "road", { costs = costs }))
  end)
end)

describe("costs:rule", function()
  it("stands on top of the base value and is handed it", function()
    local costs = wend.costs { swamp = 2 }
    assert.equal(costs, costs:rule("rain", "swamp", function(_, factor) return factor * 3 end))
    assert.equal(60, made(costs, "swamp"))
  end)

  it("stands on top of a function too", function()
    local costs = wend.costs { swamp = function() return 2, 1 end }
    costs:rule("rain", "swamp", function(_, factor) return factor * 3 end)
    assert.equal(61, made(costs, "swamp"))
  end)

  it("gets math.huge for a closed tag, and may open it", function()
    local got
    local costs = wend.costs { lava = false }
    costs:rule("look", "lava", function(_, factor) got = factor end)
    assert.equal(false, made(costs, "lava"))
    assert.equal(math.huge, got)
    costs:rule("ring", "lava", function(agent) return agent.ring and 3 or nil end)
    assert.same({ 30, false }, { made(costs, "lava", { ring = true }), made(costs, "lava", {}) })
  end)

  it("applies in order of priority, then of arrival", function()
    local log
    local function rule(name, change)
      return function(_, factor)
        log[#log + 1] = name
        return change(factor)
      end
    end
    local costs = wend.costs { mud = 1 }
    costs:rule("last", "mud", rule("last", function(f) return f * 10 end), { priority = 5 })
    costs:rule("b", "mud", rule("b", function(f) return f + 1 end))
    costs:rule("c", "mud", rule("c", function(f) return f * 2 end))
    costs:rule("first", "mud", rule("first", function(f) return f + 3 end), { priority = -0.5 })
    log = {}
    assert.equal(((1 + 3 + 1) * 2 * 10) * 10, made(costs, "mud"))
    assert.same({ "first", "b", "c", "last" }, log)
    assert.same({ "first", "b", "c", "last" }, names(costs))
  end)

  it("applies before all edge rules, whatever their priority", function()
    local costs = wend.costs()
    costs:edge_rule("edge", function(_, cost) return cost + 1 end, { priority = -100 })
    costs:rule("tag", "mud", function(_, factor) return factor * 2 end, { priority = 100 })
    assert.equal(21, made(costs, "mud"))
    assert.same({ "tag", "edge" }, names(costs))
  end)

  it("replaces one of the same name and tag", function()
    local costs = wend.costs()
    costs:rule("mod", "mud", function() return 2 end)
    costs:rule("mod", "mud", function(_, factor) return factor * 3 end)
    assert.equal(30, made(costs, "mud"))
    assert.equal(1, #costs:rules())
  end)

  it("leaves rules of the same name and another tag, and those about edges", function()
    local costs = wend.costs()
    costs:rule("mod", "mud", function() return 2 end)
    costs:rule("mod", "sand", function() return 3 end)
    costs:edge_rule("mod", function(_, cost) return cost + 1 end)
    assert.same({ 21, 31 }, { made(costs, "mud"), made(costs, "sand") })
    costs:edge_rule("mod", function(_, cost) return cost + 2 end)
    assert.same({ 22, 32, 3 }, { made(costs, "mud"), made(costs, "sand"), #costs:rules() })
  end)

  it("applies to tags without a value", function()
    local costs = wend.costs({}, { default = 3 })
    costs:rule("rain", "mud", function(_, factor) return factor * 2 end)
    assert.equal(60, made(costs, "mud"))
  end)
end)

describe("costs:edge_rule", function()
  it("is handed the agent, the cost, the tag, the ends in the direction of travel and the edge", function()
    local g, e = draw { "A B C", "A-B 2 mud", "C-B 3" }
    local agent, got = {}, {}
    local costs = wend.costs { mud = 5 }
    assert.equal(costs, costs:edge_rule("look", function(...) got[#got + 1] = { n = select("#", ...), ... } end))
    g:path("A", "C", { costs = costs, agent = agent, algorithm = "dijkstra" })
    assert.same({ n = 6, agent, 10, "mud", 1, 2, e[1] }, got[1])
    assert.equal(agent, got[1][1])
    local last = got[#got]
    assert.same({ n = 6, agent, 3, nil, 2, 3, e[2] }, last)
  end)

  it("returns a cost, false or math.huge to close the edge, or nil to leave the cost", function()
    local function with(answer)
      return made(wend.costs():edge_rule("x", function() return answer end), "mud")
    end
    assert.same({ 3, 0, false, false, 10 }, { with(3), with(0), with(false), with(math.huge), with(nil) })
  end)

  it("gets the result of the rule before it, in order of priority, then of registration", function()
    local costs = wend.costs()
    costs:edge_rule("last", function(_, cost) return cost * 10 end, { priority = 1 })
    costs:edge_rule("b", function(_, cost) return cost + 1 end)
    costs:edge_rule("c", function(_, cost) return cost * 2 end)
    costs:edge_rule("first", function(_, cost) return cost + 3 end, { priority = -1 })
    assert.equal((10 + 3 + 1) * 2 * 10, made(costs, "mud"))
    assert.same({ "first", "b", "c", "last" }, names(costs))
  end)

  it("is limited to some tags by the option tags", function()
    local asked = {}
    local costs = wend.costs()
    costs:edge_rule("x", function(_, cost, tag)
      asked[tag or "none"] = true
      return cost + 1
    end, { tags = { "mud", "sand", "nowhere" } })
    assert.same({ 11, 11, 10, 10 },
      { made(costs, "mud"), made(costs, "sand"), made(costs, "road"), price(fan "mud", "plain", { costs = costs }) })
    assert.same({ mud = true, sand = true }, asked)
    costs:edge_rule("x", function(_, cost) return cost + 1 end, { tags = {} })
    assert.equal(10, made(costs, "mud"))
  end)

  it("gets math.huge for a closed edge, and may open it", function()
    local got = {}
    local costs = wend.costs { lava = false }
    costs:edge_rule("look", function(_, cost) got[#got + 1] = cost end)
    assert.equal(false, made(costs, "lava"))
    costs:edge_rule("bridge", function(_, cost, _, from)
      got[#got + 1] = cost
      return from == 1 and cost == math.huge and 5 or nil
    end)
    assert.equal(5, made(costs, "lava"))
    for _, cost in ipairs(got) do assert.truthy(cost == math.huge or cost == 10) end
  end)

  it("is not asked about edges that are closed for everybody", function()
    local g, e = draw { "A B C", "A-B 1", "A-B 2", "B-C 1" }
    g:close_edge(e[1]):close "C"
    g:path("A", "C", { cost = function(_, _, _, _, to, edge)
      assert.not_equal(e[1], edge)
      assert.not_equal(3, to)
    end })
  end)

  it("sees edges of both directions apart", function()
    local g = draw { "A B", "A-B 10" }
    local costs = wend.costs():edge_rule("uphill", function(_, cost, _, from, to)
      return from < to and cost * 2 or cost
    end)
    assert.same({ 20, 10 }, { g:path("A", "B", { costs = costs }).cost, g:path("B", "A", { costs = costs }).cost })
  end)
end)

describe("option cost", function()
  it("is a callback for this one call, and comes after all rules", function()
    local costs = wend.costs { mud = 2 }
    costs:edge_rule("one", function(_, cost) return cost + 1 end, { priority = 1e9 })
    local g = fan "mud"
    assert.equal(210, price(g, "mud", { costs = costs, cost = function(_, cost) return cost * 10 end }))
    assert.equal(21, price(g, "mud", { costs = costs }))
  end)

  it("gets the arguments of an edge rule", function()
    local g, e = draw { "A B", "A-B 2 mud" }
    local agent, got = {}, nil
    g:path("A", "B", { agent = agent, cost = function(...) got = { n = select("#", ...), ... } end })
    assert.same({ n = 6, agent, 2, "mud", 1, 2, e[1] }, got)
  end)

  it("may be anything that can be called", function()
    local callable = setmetatable({}, { __call = function(_, _, cost) return cost * 4 end })
    assert.equal(40, price(fan(), "plain", { cost = callable }))
  end)
end)

describe("costs:remove", function()
  it("removes all rules of a name: a mod that unloads", function()
    local costs = wend.costs { mud = 2 }
    costs:rule("mod", "mud", function() return 5 end)
    costs:rule("mod", "sand", function() return 5 end)
    costs:edge_rule("mod", function(_, cost) return cost + 1 end)
    costs:rule("other", "mud", function(_, factor) return factor * 2 end)
    assert.equal(101, made(costs, "mud"))
    assert.equal(costs, costs:remove "mod")
    assert.same({ 40, 10 }, { made(costs, "mud"), made(costs, "sand") })
    assert.same({ "other" }, names(costs))
  end)

  it("does nothing without such a rule, and removes no values", function()
    local costs = wend.costs { mud = 2 }
    costs:remove "mud"
    assert.equal(20, made(costs, "mud"))
  end)
end)

describe("costs:rules", function()
  it("lists what applies, with all that was said", function()
    local fn, other = function() end, function() end
    local costs = wend.costs()
    costs:edge_rule("wind", fn, { tags = { "sea", "air" }, at_least = 0.5, priority = 2 })
    costs:rule("rain", "mud", other)
    assert.same({
      { name = "rain", tag = "mud", priority = 0, fn = other },
      { name = "wind", tags = { "air", "sea" }, priority = 2, at_least = 0.5, fn = fn },
    }, costs:rules())
  end)

  it("is a copy", function()
    local costs = wend.costs():rule("rain", "mud", function() return 2 end)
    costs:rules()[1].name = "snow"
    table.remove(costs:rules())
    assert.same({ "rain" }, names(costs))
  end)

  it("is empty at first", function()
    assert.same({}, wend.costs():rules())
  end)
end)

describe("costs:unknown", function()
  local function marsh()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4, 6, 0 }
    g:add_edge(1, 2, { tag = "swamp" })
    g:add_edge(2, 3, { tag = "road" })
    return g
  end

  it("lists the tags that the profile names and nothing in the map has, with the nearest spelling", function()
    local costs = wend.costs { swmap = false, road = 2, Swamp = 3, lava = 1, roads = 1, raod = function() end }
    assert.same({
      { tag = "Swamp", nearest = "swamp" }, { tag = "lava" }, { tag = "raod", nearest = "road" },
      { tag = "roads", nearest = "road" }, { tag = "swmap", nearest = "swamp" },
    }, costs:unknown(marsh()))
    assert.same({}, wend.costs({ swamp = 2 }):unknown(marsh()))
    assert.same({ { tag = "swamp" } }, wend.costs({ swamp = 2 }):unknown(wend.graph()))
  end)

  it("looks at rules, and at base profiles", function()
    local base = wend.costs { mud = 2 }
    base:edge_rule("wind", function() end, { tags = { "road", "sea" } })
    local costs = wend.costs({ sky = 1 }, { base = base })
    costs:rule("rain", "swmp", function() end)
    costs:edge_rule("all", function() end)
    assert.same({ { tag = "mud" }, { tag = "sea" }, { tag = "sky" }, { tag = "swmp", nearest = "swamp" } },
      costs:unknown(marsh()))
  end)

  it("looks at cells and links of a grid, at what is closed, and at all maps of a level", function()
    local grid = wend.grid(3, 3):set(1, 1, { tag = "lava", closed = true }):link(1, 1, 3, 3, { tag = "stairs" })
    local costs = wend.costs { lava = 2, stairs = 1, road = 2, mud = 2 }
    assert.same({ { tag = "mud" }, { tag = "road" } }, costs:unknown(grid))
    assert.same({ { tag = "mud" } }, costs:unknown(wend.level { grid = grid, graph = marsh() }))
    assert.same({ { tag = "mud" } }, costs:unknown { grids = { grid }, graph = marsh() })
    grid:set(1, 1, 1)
    assert.same({ { tag = "lava" }, { tag = "mud" }, { tag = "road" } }, costs:unknown(grid))
  end)

  it("finds the nearest spelling as the plainest method does", function()
    local spelling = require "wend.spelling"
    local function plain(a, b)          -- the definition, by recursion
      if a == "" or b == "" then return #a + #b end
      local best = math.min(plain(a:sub(2), b) + 1, plain(a, b:sub(2)) + 1,
        plain(a:sub(2), b:sub(2)) + (a:sub(1, 1) == b:sub(1, 1) and 0 or 1))
      if #a > 1 and #b > 1 and a:sub(1, 1) == b:sub(2, 2) and a:sub(2, 2) == b:sub(1, 1) then
        best = math.min(best, plain(a:sub(3), b:sub(3)) + 1)
      end
      return best
    end
    helper.rounds("spelling", 200, function(rng)
      local function word()
        local letters = {}
        for i = 1, rng(0, 5) do letters[i] = rng:pick { "a", "b", "c" } end
        return table.concat(letters)
      end
      local a, b, most = word(), word(), rng(0, 4)
      local wanted = plain(a, b)
      assert.equal(wanted <= most and wanted or math.huge, spelling.distance(a, b, most))
    end)
  end)

  it("finds the same tag as a comparison with each", function()
    local spelling = require "wend.spelling"
    helper.rounds("spelling index", 100, function(rng)
      local function word()
        local letters = {}
        for i = 1, rng(1, 9) do letters[i] = rng:pick { "a", "b", "c", "D", "E" } end
        return table.concat(letters)
      end
      local words, known = {}, {}
      for _ = 1, rng(0, 14) do known[word()] = true end       -- an index lists up to 16 under one key
      for one in pairs(known) do words[#words + 1] = one end
      table.sort(words)
      local index = spelling.index(words)
      for _ = 1, 5 do
        local asked, best, least = word(), nil, math.huge
        for _, other in ipairs(words) do
          local distance = spelling.distance(asked:lower(), other:lower(), #asked < 6 and 1 or 2)
          if distance < least then best, least = other, distance end
        end
        assert.equal(best, spelling.nearest(asked, index))
      end
    end)
    local long = ("x"):rep(40)
    assert.equal(long, spelling.nearest(long:upper(), spelling.index { long }))
    assert.equal(nil, spelling.nearest(long .. "y", spelling.index { long }))
  end)

  helper.all_raise(it, {
    "map must be a graph, a grid or a level, got nil", function() wend.costs():unknown() end,
    "map must be a graph, a grid or a level, got a wend.Walls", function() wend.costs():unknown(wend.walls()) end,
    "map must be a graph, a grid or a level, got a table", function() wend.costs():unknown {} end,
  })
end)

describe("option default of wend.costs", function()
  it("is the cost of tags without a value", function()
    assert.same({ 30, 5 }, {
      made(wend.costs({ road = 0.5 }, { default = 3 }), "mud"),
      made(wend.costs({ road = 0.5 }, { default = 3 }), "road"),
    })
    assert.equal(false, made(wend.costs({}, { default = false }), "mud"))
    assert.equal(23, made(wend.costs({}, { default = { times = 2, plus = 3 } }), "mud"))
  end)

  it("may be a function, which gets the tag", function()
    local costs = wend.costs({}, { default = function(agent, factor, tag)
      assert.equal(1, factor)
      return tag == "mud" and agent.mud or 1
    end })
    assert.same({ 40, 10 }, { made(costs, "mud", { mud = 4 }), made(costs, "road", { mud = 4 }) })
  end)

  it("is not for edges without a tag", function()
    assert.equal(10, price(fan(), "plain", { costs = wend.costs({}, { default = false }) }))
  end)

  it("applies again to a tag whose value was removed", function()
    local costs = wend.costs({ mud = 2 }, { default = 3 })
    costs:set("mud", nil)
    assert.equal(30, made(costs, "mud"))
  end)
end)

describe("option base of wend.costs", function()
  it("is a profile to inherit values from", function()
    local base = wend.costs { road = 0.5, mud = 3 }
    local costs = wend.costs({ mud = 4 }, { base = base })
    assert.same({ 5, 40, 30 }, { made(costs, "road"), made(costs, "mud"), made(base, "mud") })
    assert.same({ 0.5, 4 }, { costs:get "road", costs:get "mud" })
  end)

  it("is seen live: values, rules, removals", function()
    local base = wend.costs()
    local middle = wend.costs({}, { base = base })
    local costs = wend.costs({}, { base = middle })
    assert.equal(10, made(costs, "mud"))
    base:set("mud", 2)
    assert.equal(20, made(costs, "mud"))
    base:rule("rain", "mud", function(_, factor) return factor + 1 end)
    assert.equal(30, made(costs, "mud"))
    middle:edge_rule("wind", function(_, cost) return cost + 1 end)
    assert.equal(31, made(costs, "mud"))
    base:remove "rain"
    assert.equal(21, made(costs, "mud"))
  end)

  it("has its rules sorted in with those of the heir", function()
    local base, log = wend.costs(), {}
    local costs = wend.costs({}, { base = base })
    local function rule(name) return function() log[#log + 1] = name end end
    costs:rule("heir, 1", "mud", rule "heir, 1", { priority = 1 })
    base:rule("base, 0", "mud", rule "base, 0")
    costs:rule("heir, 0", "mud", rule "heir, 0")
    base:rule("base, 2", "mud", rule "base, 2", { priority = 2 })
    made(costs, "mud")
    assert.same({ "base, 0", "heir, 0", "heir, 1", "base, 2" }, log)
    assert.same(log, names(costs))
    assert.same({ "base, 0", "base, 2" }, names(base))
  end)

  it("has rules that the heir replaces by name and tag, for itself alone", function()
    local base = wend.costs():rule("rain", "mud", function() return 2 end)
    local costs = wend.costs({}, { base = base }):rule("rain", "mud", function() return 5 end)
    assert.same({ 50, 20, 1 }, { made(costs, "mud"), made(base, "mud"), #costs:rules() })
    costs:remove "rain"
    assert.same({ 20, 20 }, { made(costs, "mud"), made(base, "mud") })
  end)

  it("hands its value on to a function of the heir", function()
    local base = wend.costs { mud = { times = 2, plus = 3 } }
    local costs = wend.costs({ mud = function(_, factor) return factor * 2 end }, { base = base })
    assert.equal(43, made(costs, "mud"))
  end)

  it("gives its default, where the heir has none", function()
    local base = wend.costs({}, { default = 3 })
    assert.equal(30, made(wend.costs({}, { base = base }), "mud"))
    assert.equal(40, made(wend.costs({}, { base = base, default = 4 }), "mud"))
    assert.equal(30, made(base, "mud"))
  end)

  it("gives its on_error, where the heir has none", function()
    local base, said = wend.costs(), {}
    local costs = wend.costs({}, { base = base }):rule("bad", "mud", function() error "no" end)
    base.on_error = function(name) said[#said + 1] = "base: " .. name end
    made(costs, "mud")
    costs.on_error = function(name) said[#said + 1] = "heir: " .. name end
    made(costs, "mud")
    assert.same({ "base: bad", "heir: bad" }, said)
  end)

  it("does not keep its heirs alive", function()
    local base = wend.costs()
    local heirs = setmetatable({}, { __mode = "k" })
    for _ = 1, 10 do heirs[wend.costs({}, { base = base })] = true end
    collectgarbage()
    collectgarbage()
    base:set("mud", 2)
    assert.equal(nil, next(heirs))
  end)
end)

describe("costs.on_error", function()
  local function broken() error("out of order", 0) end

  it("gets the name of the rule and the message; the search goes on without that rule", function()
    local said = {}
    local costs = wend.costs { mud = 2 }
    costs:rule("bad", "mud", broken)
    costs:rule("good", "mud", function(_, factor) return factor * 3 end)
    costs.on_error = function(...) said[#said + 1] = { n = select("#", ...), ... } end
    assert.equal(60, made(costs, "mud"))
    assert.same({ { n = 2, "bad", "out of order" } }, said)
  end)

  it("is called for edge rules, wherever in the search they fail", function()
    local g = wend.graph()
    for i = 1, 50 do g:add_node(i, 0) end
    for i = 2, 50 do g:add_edge(i - 1, i) end
    local said, calls = {}, 0
    local costs = wend.costs()
    costs:edge_rule("bad", function(_, cost, _, from)
      calls = calls + 1
      if from == 40 then broken() end
      return cost * 100
    end)
    costs:edge_rule("good", function(_, cost) return cost * 2 end)
    costs.on_error = function(name, message) said[#said + 1] = name .. ": " .. message end
    local path = assert(g:path(1, 50, { costs = costs }))
    assert.same({ "bad: out of order" }, said)
    assert.equal(98, path.cost)
    assert.truthy(calls >= 39)
  end)

  it("is not called when memory runs out in a rule: the call raises that, as Lua does", function()
    local said = 0
    local function hungry() error("not enough memory", 0) end -- the error of Lua
    for _, costs in ipairs { wend.costs { mud = hungry }, wend.costs():edge_rule("hungry", hungry) } do
      costs.on_error = function() said = said + 1 end
      assert.same({ false, "not enough memory" }, { pcall(made, costs, "mud") })
    end
    assert.equal(0, said)
    local fen = wend.costs():mod "fen"
    assert.same({ false, "not enough memory" }, { pcall(fen.reload, fen, hungry) })
  end)

  it("is called for each rule once a search, and again in the next", function()
    local said = {}
    local costs = wend.costs { mud = broken }
    costs:rule("one", "mud", broken):edge_rule("two", broken)
    costs.on_error = function(name) said[#said + 1] = name end
    assert.equal(10, made(costs, "mud"))
    assert.same({ "tag 'mud'", "one", "two" }, said)
    assert.equal(10, made(costs, "mud"))
    assert.equal(6, #said)
  end)

  it("is called for any number of rules, in every kind of call", function()
    local COUNT = 150
    local g = wend.grid(9, 9):fill(4, 1, 4, 9, 1, "mud")
    local costs, said, times = wend.costs { mud = broken }, {}, 0
    for i = 1, COUNT do
      costs:mod("mod" .. i):rule("r", "mud", broken)
      costs:edge_rule("e" .. i, broken)
    end
    costs.on_error = function(name, message, mod)
      local rule = name .. (mod or "")
      assert.same({ "out of order" }, { message })
      said[rule], times = (said[rule] or 0) + 1, times + 1
    end
    local queue = wend.queue()
    local function in_slices(search)
      while search:step(7) == "running" do end
      return search:result()
    end
    for _, ask in ipairs {
      function(opts) return g:path(1, 5, 9, 5, opts).cost == 8 end,
      function(opts) return g:field(9, 5, opts):cost(1, 5) == 8 end,
      function(opts) return in_slices(g:search(1, 5, 9, 5, opts)).cost == 8 end,
      function(opts)
        local request = queue:path(g, 1, 5, 9, 5, opts)
        repeat queue:step(5) until request.state ~= "waiting" and request.state ~= "running"
        return request.result.cost == 8
      end,
      function(opts) return g:route(0.5, 4.5, 8.5, 4.5, opts).cost == 8 end,
      function(opts) return g:why_not(1, 5, 9, 5, opts) == nil end,
      function(opts) return g:can_reach(1, 5, 9, 5, opts) end,
      function(opts) return #g:chokepoints(opts) == 0 end,
      function() return g:path(1, 5, 9, 5, { costs = wend.costs({}, { base = costs }) }).cost == 8 end,
    } do
      said, times = {}, 0
      assert.is_true(ask { costs = costs })
      assert.equal(2 * COUNT + 1, times)
      for _, count in pairs(said) do assert.equal(1, count) end
    end
  end)

  it("is called for invalid answers and broken promises", function()
    local said = {}
    local costs = wend.costs()
    costs.on_error = function(name, message) said[#said + 1] = name .. ": " .. message end
    costs:rule("a", "mud", function() return "much" end)
    costs:rule("b", "mud", function() return -1 end)
    costs:rule("c", "mud", function() return 1, true end)
    costs:edge_rule("d", function() return 0 / 0 end)
    costs:edge_rule("e", function(_, cost) return cost / 4 end, { at_least = 0.5 })
    assert.equal(10, made(costs, "mud"))
    assert.same({
      "a: wanted a number >= 0, false or nil, got 'much'", "b: wanted a number >= 0, false or nil, got -1",
      "c: wanted a price >= 0, got true", "d: wanted a number >= 0, false or nil, got nan",
      ("e: returned %s, below its promise of at_least 0.5 times %s"):format(2.5, 10 / 1),
    }, said)
  end)

  it("is told of error values that are no strings by what they are", function()
    local said = {}
    local costs = wend.costs():rule("bad", "mud", function() error {} end)
    costs.on_error = function(_, message) said[#said + 1] = message end
    made(costs, "mud")
    assert.same({ "a table" }, said)
  end)

  it("serves searches in slices", function()
    local g = wend.graph()
    for i = 1, 50 do g:add_node(i, 0) end
    for i = 2, 50 do g:add_edge(i - 1, i, { tag = "road" }) end
    local said = {}
    local costs = wend.costs()
    costs:rule("tag", "road", broken)
    costs:edge_rule("edge", function(_, _, _, from)
      if from == 30 then broken() end
      return 7
    end)
    costs.on_error = function(name) said[#said + 1] = name end
    local search = g:search(1, 50, { costs = costs })
    assert.same({ "tag" }, said)
    while search:step(4) == "running" do assert.truthy(#said <= 2) end
    assert.same({ "tag", "edge" }, said)
    assert.equal(49, search:result().cost)
  end)

  it("does not change the profile", function()
    local fails = true
    local costs = wend.costs():rule("moody", "mud", function()
      if fails then broken() end
      return 3
    end)
    costs.on_error = function() end
    assert.equal(10, made(costs, "mud"))
    fails = false
    assert.equal(30, made(costs, "mud"))
    assert.equal(1, #costs:rules())
  end)

  it("lets its own errors through", function()
    local costs = wend.costs():rule("bad", "mud", broken)
    costs.on_error = function(name) error(name .. "!", 0) end
    helper.raises("bad!", made, costs, "mud")
  end)

  it("may remove the rule for good", function()
    local calls = 0
    local costs = wend.costs():rule("bad", "mud", function()
      calls = calls + 1
      broken()
    end)
    costs.on_error = function(name) costs:remove(name) end
    assert.equal(10, made(costs, "mud"))
    assert.equal(10, made(costs, "mud"))
    assert.equal(1, calls)
  end)

  it("may be unset: then the search raises", function()
    local costs = wend.costs():rule("bad", "mud", broken)
    costs.on_error = function() end
    made(costs, "mud")
    costs.on_error = nil
    helper.raises("rule 'bad': out of order", made, costs, "mud")
  end)

  it("is not asked about the option cost: that is the caller's own", function()
    local costs = wend.costs()
    costs.on_error = function() error "asked" end
    helper.raises("option 'cost': out of order", price, fan(), "plain", { costs = costs, cost = broken })
  end)
end)

describe("at_least", function()
  -- A level with three tags.
  local function level()
    return reference.geometric(helper.rng "at_least", 600, { near = 6, tags = { "road", "mud" } })
  end

  local function both(opts)
    local g = level()
    for goal = 7, 600, 31 do
      opts.algorithm, opts.heuristic = "dijkstra", nil
      local cheapest = g:path(3, goal, opts)
      opts.algorithm, opts.heuristic = nil, nil
      local path = g:path(3, goal, opts)
      if cheapest then reference.near(cheapest.cost, assert(path).cost) else assert.equal(nil, path) end
    end
  end

  it("keeps the heuristic useful", function()
    local g, with, without = level(), {}, {}
    local expanded_with, expanded_without = 0, 0
    local function fn(_, cost) return cost * 1.5 end
    for goal = 7, 600, 31 do
      g:path(3, goal, { cost = fn, stats = without })
      g:path(3, goal, { cost = fn, at_least = 1, stats = with })
      assert.same({ 0, 1 }, { without.bound, with.bound })
      expanded_without = expanded_without + without.expanded
      expanded_with = expanded_with + with.expanded
    end
    assert.truthy(expanded_with < expanded_without)
  end)

  it("multiplies over rules and the option cost", function()
    local g, stats = level(), {}
    local costs = wend.costs { mud = 0.5, road = 2 }
    costs:edge_rule("a", function() end, { at_least = 0.5 })
    costs:edge_rule("b", function() end, { at_least = 0.25 })
    g:path(3, 300, { costs = costs, stats = stats })
    assert.equal(0.0625, stats.bound)
    g:path(3, 300, { costs = costs, stats = stats, cost = function() end, at_least = 0.5 })
    assert.equal(0.03125, stats.bound)
    g:path(3, 300, { costs = costs, stats = stats, cost = function() end })
    assert.equal(0, stats.bound)
  end)

  it("counts only where a rule is asked: by its tags", function()
    local g, stats = level(), {}
    local costs = wend.costs { mud = 4 }
    costs:edge_rule("mud only", function() end, { at_least = 0.5, tags = { "mud" } })
    g:path(3, 300, { costs = costs, stats = stats })
    assert.equal(1, stats.bound)
    costs:edge_rule("nowhere", function() end, { tags = { "sea" } })
    g:path(3, 300, { costs = costs, stats = stats })
    assert.equal(1, stats.bound)
    costs:edge_rule("road only", function() end, { tags = { "road" } })
    g:path(3, 300, { costs = costs, stats = stats })
    assert.equal(0, stats.bound)
  end)

  it("of 0 is no promise", function()
    assert.equal(0, price(fan(), "plain", { cost = function() return 0 end, at_least = 0 }))
  end)

  it("does not change the result", function()
    both { cost = function(_, cost, tag, from, to) return cost * (tag == "mud" and 1.9 or 1) + (from + to) % 3 end,
      at_least = 1 }
    both { cost = function(_, cost, _, from, to) return cost * (0.3 + (from * 7 + to) % 5 / 5) end, at_least = 0.3 }
    local costs = wend.costs { mud = 2, road = { times = 0.5, plus = 1 } }
    costs:edge_rule("half", function(_, cost, _, from) return from % 2 == 0 and cost / 2 or nil end, { at_least = 0.5 })
    costs:edge_rule("walls", function(_, _, _, from, to)
      if (from + to) % 11 == 0 then return false end
    end, { at_least = 1 })
    both { costs = costs }
  end)

  it("that is broken raises, and names the rule", function()
    local message = ("returned %s, below its promise of at_least 0.5 times %s"):format(4 / 1, 10 / 1)
    local costs = wend.costs():edge_rule("cheat", function() return 4 end, { at_least = 0.5 })
    helper.raises("rule 'cheat': " .. message, made, costs, "mud")
    local opts = { cost = function() return 4 end, at_least = 0.5 }
    helper.raises("option 'cost': " .. message, price, fan(), "plain", opts)
  end)

  it("may be met exactly, up to rounding", function()
    assert.equal(5, price(fan(), "plain", { cost = function() return 5 end, at_least = 0.5 }))
    assert.equal(10 * 0.1, price(fan(), "plain", { cost = function() return 1 - 1e-15 end, at_least = 0.1 }) + 1e-15)
  end)

  it("with nil keeps any promise, and closing too", function()
    assert.equal(10, price(fan(), "plain", { cost = function() end, at_least = 1 }))
    assert.equal(false, price(fan(), "plain", { cost = function() return false end, at_least = 1 }))
  end)

  it("of 1 has the callback asked at most twice a settled node #slow", function()
    local rng = helper.rng "twice"
    local g = reference.geometric(rng, 10000, { near = 6 })
    local expanded, callbacks, stats = 0, 0, {}
    for _ = 1, 100 do
      g:path(rng(10000), rng(10000), { cost = function(_, cost) return cost end, at_least = 1, stats = stats })
      expanded, callbacks = expanded + stats.expanded, callbacks + stats.callbacks
    end
    assert.truthy(callbacks <= 2 * expanded, ("%d calls for %d nodes"):format(callbacks, expanded))
  end)
end)

describe("a cost profile", function()
  it("says what it is", function()
    local costs = wend.costs { mud = 2, road = 1 }:rule("rain", "mud", function() end)
    assert.equal("wend.Costs (2 tags, 1 rules)", tostring(costs))
  end)

  it("may serve many graphs and searches at once", function()
    local costs = wend.costs { mud = 3 }
    local one, other = fan "mud", fan("road", "mud")
    local a, b = one:search("A", "mud", { costs = costs }), other:search("A", "mud", { costs = costs })
    a:step(1)
    b:step(1)
    assert.equal(30, price(one, "mud", { costs = costs }))
    while a:step(1) == "running" or b:step(1) == "running" do end
    assert.same({ 30, 30 }, { a:result().cost, b:result().cost })
  end)

  it("knows tags that a graph gets later", function()
    local g, costs = fan "road", wend.costs { mud = 3 }
    price(g, "road", { costs = costs })
    g:set_tag(g:edge_between("A", "plain"), "mud")
    assert.equal(30, price(g, "plain", { costs = costs }))
  end)
end)

describe("the state of a cost profile", function()
  it("is out of reach", function()
    local costs = wend.costs({ mud = 2 }, { base = wend.costs { road = 0.5 }, default = 3 })
    costs:rule("rain", "mud", function(_, factor) return factor * 2 end)
    assert.equal(40, made(costs, "mud"))
    for _, key in ipairs {
      "compiled", "base", "values", "own", "heirs", "default", "compile", "set", "__index", 1, 2, 3, 4, 5,
    } do
      local text = type(key) == "string" and ("'%s'"):format(key) or key
      helper.raises(("a cost profile has no field %s: use costs:set(tag, value)"):format(text),
        function() costs[key] = {} end)
    end
    for _, key in ipairs { "compiled", "values", "own", "heirs", "default", "compile", 1, 2, 3 } do
      assert.is_nil(costs[key])
    end
    assert.is_false((pcall(rawset, costs, "compiled", {})))
    assert.is_false((pcall(next, costs)))
    assert.equal(40, made(costs, "mud"))
    assert.equal("wend.Costs (1 tags, 1 rules)", tostring(costs))
  end)

  it("says what it inherits from, and what on_error is", function()
    local base = wend.costs()
    local costs = wend.costs({}, { base = base })
    assert.equal(base, costs.base)
    assert.is_nil(base.base)
    assert.is_nil(base.on_error)
    base.on_error = print
    assert.equal(print, base.on_error)
    assert.is_nil(costs.on_error)
  end)

  it("takes on_error only where it can be called, the second time too", function()
    local costs = wend.costs()
    costs.on_error = print
    helper.raises("on_error must be a function or nil, got 5", function() costs.on_error = 5 end)
    assert.equal(print, costs.on_error)
    costs.on_error = nil
    assert.is_nil(costs.on_error)
  end)

  it("keeps values as they were given, whatever becomes of the tables", function()
    local value, tags = { times = 2, plus = 3 }, { "mud" }
    local callable = setmetatable({}, { __call = function(_, _, cost) return cost * 2 end })
    local costs = wend.costs { mud = value }
    costs:edge_rule("slow", callable, { tags = tags })
    assert.equal(46, made(costs, "mud"))
    value.times, value.plus, tags[1] = -5, 0 / 0, 7
    assert.equal(46, made(costs, "mud"))
    costs:set("road", 2)
    assert.equal(46, made(costs, "mud"))
  end)

  it("may be edited by every function that a search calls; the next search goes by the edit", function()
    local costs = wend.costs { mud = 1 }
    local function edit()
      costs:set("mud", 7):set("new", 3):remove "more"
      for i = 1, 20 do costs:edge_rule("rule " .. i, function() end) end
    end
    costs:rule("tag", "mud", function() edit() end)
    costs:edge_rule("edge", function() edit() end)
    costs:edge_rule("more", function() end)
    assert.equal(10, made(costs, "mud"))
    assert.equal(70, made(costs, "mud"))
    assert.equal(22, #costs:rules())
  end)

  it("survives finalizers that edit it while it is compiled", function()
    local costs, count, on = wend.costs(), 0, true
    local function edit()
      count = count + 1
      for i = 1, 50 do costs:set("tag " .. (count * 31 + i * 7) % 100, i % 2 == 0 and i or nil) end
      costs:rule("rule " .. count % 5, "mud", function() end):remove("rule " .. (count + 2) % 5)
      if on then collector.finalized(edit) end
    end
    collector.finalized(edit)
    local pause, step = collector.tune(1, 10000)
    for i = 1, 5000 do
      if count >= 15 then break end
      for k = 1, 300 do costs:set("tag " .. k, function() end) end
      costs:set("mud", 2)
      assert.equal(20, made(costs, "mud"), i)
    end
    on = false
    collector.tune(pause, step)
    assert.truthy(count > 0)
  end)

  it("may inherit through any number of profiles #many", function()
    local base = wend.costs { mud = 2 }
    local costs = base
    for _ = 1, 20000 do costs = wend.costs({}, { base = costs }) end
    assert.equal(20, made(costs, "mud"))
    assert.equal(2, costs:get "mud")
    base:set("mud", 3)
    assert.equal(30, made(costs, "mud"))
    base.on_error = function(name) base:remove(name) end
    costs:rule("bad", "mud", function() error "no" end)
    assert.equal(30, made(costs, "mud"))
  end)

  it("is collected, cycles and all", function()
    local seen = setmetatable({}, { __mode = "k" })
    for _ = 1, 10 do
      local costs = wend.costs { mud = 2 }
      costs.on_error = function() return costs end
      costs:rule("self", "mud", function() return costs and 1 end)
      made(costs, "mud")
      seen[costs] = true
    end
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(seen))
  end)
end)

-- Closed tags and promises -----------------------------------------------------------------------------------------

local HUGE = math.huge
local with = require "spec.support.grid_reference".with
local lava = wend.costs { lava = false }

-- A function that opens everything, and what it was handed.
local function opener(at_least)
  local asked = {}
  return {
    costs = lava, at_least = at_least,
    cost = function(_, cost, tag)
      if tag == "lava" then asked[#asked + 1] = cost end
      return cost < HUGE and cost or 5
    end,
  }, asked
end

-- A promise that is kept exactly, and one that is next to none.
local PROMISES = { 1, 0.5, 1e-300 }

describe("a tag that is closed, with a function that would open it", function()
  local function road()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0 }
    g:add_edge(1, 2)
    return g, g:add_edge(2, 3, { tag = "lava" })
  end

  local function each(check)
    for _, promise in ipairs(PROMISES) do
      local opts, asked = opener(promise)
      check(opts, false)
      assert.same({}, asked)
    end
    local opts, asked = opener(nil)
    check(opts, true)
    assert.truthy(#asked > 0)
    for _, cost in ipairs(asked) do assert.equal(HUGE, cost) end
  end

  it("is closed to paths with a promise, and opened without one", function()
    each(function(opts, open)
      local g, edge = road()
      for _, more in ipairs { {}, { algorithm = "dijkstra" }, { heuristic = "zero" }, { variation = 0.1, seed = 3 },
        { partial = true } } do
        local path = g:path(1, 3, with(opts, more))
        if open then
          assert.same({ 15, edge }, { path.cost, path:edges()[2] })
        elseif more.partial then
          assert.same({ 2, true }, { path[#path], path.partial })
        else
          assert.equal(nil, path)
        end
      end
      local search = g:search(1, 3, opts)
      while search:step(1) == "running" do assert.truthy(true) end
      assert.equal(open, search:result() ~= nil)
    end)
  end)

  it("is closed on grids: paths, fields, checks, straight lines", function()
    local function yard()
      return wend.parse_grid("..~..", { ["~"] = "lava" })
    end
    each(function(opts, open)
      local grid = yard()
      local path = grid:path(1, 1, 5, 1, opts)
      assert.equal(open and 8 or nil, path and path.cost)
      assert.equal(open and 8 or nil, grid:field(5, 1, opts):cost(1, 1))
      assert.equal(open and 8 or nil, grid:field(1, 1, with(opts, { outward = true })):cost(5, 1))
      assert.equal(open and 1 or 2, #grid:check(opts).components)
      assert.equal(open, grid:clear(1, 1, 5, 1, opts))
      if open then assert.equal(8, grid:straighten(path, opts).cost) end
    end)
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local NAN = 0 / 0
local STRING = "must be a string that is not empty"

local g, costs

local function fixture()
  g = wend.graph()
  costs = wend.costs { road = 0.5 }
end

-- Each line: what is raised, and the call.
local function all(cases) helper.all_raise(it, cases) end

describe("wend.costs", function()
  before_each(fixture)

  local VALUE = "must be a number >= 0, false, { times =, plus = } or a function"
  all {
    "rules must be a table, got 7", function() wend.costs(7) end,
    "rules must be a table, got a wend.Graph", function() wend.costs(g) end,
    "rules must be a plain table, got a cost profile: to inherit from it, give it as the option 'base'",
      function() wend.costs(costs) end,
    "each key of rules " .. STRING .. ", got 1", function() wend.costs { 0.5 } end,
    "each key of rules " .. STRING .. ", got ''", function() wend.costs { [""] = 1 } end,
    "the cost of tag 'mud' " .. VALUE .. ", got -1", function() wend.costs { mud = -1 } end,
    "the cost of tag 'mud' " .. VALUE .. ", got nan", function() wend.costs { mud = NAN } end,
    "the cost of tag 'mud' " .. VALUE .. ", got true", function() wend.costs { mud = true } end,
    "the cost of tag 'mud' " .. VALUE .. ", got '2'", function() wend.costs { mud = "2" } end,
    "the cost of tag 'mud' " .. VALUE .. ", got a wend.Graph", function() wend.costs { mud = g } end,
    "the cost of tag 'mud': times must be a number >= 0, got -1", function() wend.costs { mud = { times = -1 } } end,
    "the cost of tag 'mud': times must be a number >= 0, got false",
    function() wend.costs { mud = { times = false } } end,
    "the cost of tag 'mud': plus must be a number >= 0, got nan", function() wend.costs { mud = { plus = NAN } } end,
    "the cost of tag 'mud': plus must be a number >= 0, got '3'", function() wend.costs { mud = { plus = "3" } } end,
    "unknown option 'price' (expected one of: times, plus, ends_turn)",
    function() wend.costs { mud = { price = 3 } } end,
    "unknown option 1 (expected one of: times, plus, ends_turn)", function() wend.costs { mud = { 2, 3 } } end,
    "options must be a table, got 3", function() wend.costs({}, 3) end,
    "unknown option 'defualt' (expected one of: default, base)", function() wend.costs({}, { defualt = 1 }) end,
    "default " .. VALUE .. ", got -1", function() wend.costs({}, { default = -1 }) end,
    "default: plus must be a number >= 0, got -1", function() wend.costs({}, { default = { plus = -1 } }) end,
    "base must be a cost profile, got a table", function() wend.costs({}, { base = {} }) end,
    "base must be a cost profile, got 1", function() wend.costs({}, { base = 1 }) end,
    "base must be a cost profile, got false", function() wend.costs({}, { base = false }) end,

    "the cost of tag 'mud' " .. VALUE .. ", got -1", function() costs:set("mud", -1) end,
    "the cost of tag 'mud' " .. VALUE .. ", got nan", function() costs:set("mud", NAN) end,

    "tag " .. STRING .. ", got a function", function() costs:rule("rain", print) end,
    "unknown option 'tags' (expected one of: priority)", function() costs:rule("rain", "mud", print, { tags = {} }) end,

    "unknown option 'tag' (expected one of: priority, tags, at_least)",
      function() costs:edge_rule("rain", print, { tag = "mud" }) end,
    "tags must be a list of tags, got 'mud'", function() costs:edge_rule("rain", print, { tags = "mud" }) end,
    "tags must be a list of tags, got the key 'mud'",
    function() costs:edge_rule("rain", print, { tags = { mud = true } }) end,
    "tags[2] " .. STRING .. ", got 7", function() costs:edge_rule("rain", print, { tags = { "mud", 7 } }) end,

    "on_error must be a function or nil, got 7", function() costs.on_error = 7 end,
    "on_error must be a function or nil, got a table", function() costs.on_error = {} end,
    "a cost profile has no field 'swamp': use costs:set(tag, value)", function() costs.swamp = 2 end,
    "a cost profile has no field 1: use costs:set(tag, value)", function() costs[1] = 2 end,
  }

  it("changes nothing where it raises", function()
    costs:rule("rain", "mud", function() return 2 end)
    helper.raises("the cost of tag 'road' must be a number >= 0, false, { times =, plus = } or a function, got -1",
      function() costs:set("road", -1) end)
    helper.raises("priority must be a number, got nan",
      function() costs:rule("rain", "mud", print, { priority = NAN }) end)
    helper.raises("at_least must be a number in 0 .. 1, got 7",
      function() costs:edge_rule("wind", print, { at_least = 7 }) end)
    helper.raises("on_error must be a function or nil, got 7", function() costs.on_error = 7 end)
    assert.same({ 0.5, 1, nil }, { costs:get "road", #costs:rules(), costs.on_error })
  end)
end)
