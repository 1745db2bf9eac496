-- SPDX-License-Identifier: MIT
-- When results are out of date: what profiles and paths are asked, then all results after all causes: edits of the map,
-- of the base of an overlay, of a profile. doc/rules.md has the rules.

local collector = require "spec.support.collector"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143

-- Where the specs take place -----------------------------------------------------------------------------------------

-- The path from A to C takes a road and edges without a tag. There is mud elsewhere, and no swamp.
local function graph()
  local g = reference.draw { "A B C D E F", "A-B 2 road", "B-E 1", "B-D 1 mud", "D-C 50 mud", "E-F 1", "F-C 1" }
  return g, { "A", "C" }
end

-- The same over cells: the road is 3 cells of the middle row.
local function grid()
  return wend.grid(6, 3):fill(2, 2, 4, 2, "road"):fill(1, 3, 6, 3, "mud"):fill(1, 1, 6, 1, false), { 1, 2, 6, 2 }
end

local function forty() return 40 end

-- A profile that inherits. `other` has nothing to do with it.
local function profiles()
  local base = wend.costs { mud = 2, road = 7, gravel = 2 }
  base:edge_rule("base frost", function(_, cost) return cost end, { tags = { "mud" } })
  local costs = wend.costs({ road = 1, sand = 3 }, { base = base })
  costs:rule("wind", "road", function(_, factor) return factor end)
  costs:edge_rule("frost", function(_, cost) return cost end, { tags = { "mud" } })
  return costs, base, wend.costs { road = 1, mud = 2 }
end

-- { what, edit, whether the path is then out of date, whether results over the whole map are }
local EDITS = {
  { "a new value", function(costs) costs:set("road", 2) end, true, true },
  { "a closed tag", function(costs) costs:set("road", false) end, true, true },
  { "a price", function(costs) costs:set("road", { times = 1, plus = 1 }) end, true, true },
  { "a function", function(costs) costs:set("road", forty) end, true, true },
  { "the value that it has", function(costs) costs:set("road", 1) end, false, false },
  { "the same value, written as a table", function(costs) costs:set("road", { times = 1 }) end, false, false },
  { "a new value and the old one again", function(costs) costs:set("road", 2):set("road", 1) end, false, false },
  { "no value: the base profile then decides", function(costs) costs:set("road", nil) end, true, true },
  { "no value where there was none", function(costs) costs:set("mud", nil) end, false, false },
  { "a value elsewhere", function(costs) costs:set("mud", 3) end, false, true },
  { "a value of a tag that the map does not use", function(costs) costs:set("sand", 9) end, false, false },
  { "a value of a new tag", function(costs) costs:set("swamp", false) end, false, false },
  { "a rule", function(costs) costs:rule("rain", "road", function() end) end, true, true },
  { "a rule elsewhere", function(costs) costs:rule("rain", "mud", function() end) end, false, true },
  { "a rule about a tag that the map does not use", function(costs) costs:rule("rain", "swamp", function() end) end,
    false, false },
  { "a rule that is replaced", function(costs) costs:rule("wind", "road", function() end) end, true, true },
  { "a rule that is gone", function(costs) costs:remove "wind" end, true, true },
  { "no rule that is gone", function(costs) costs:remove "storm" end, false, false },
  { "an edge rule", function(costs) costs:edge_rule("rain", function() end) end, true, true },
  { "an edge rule about a tag", function(costs) costs:edge_rule("rain", function() end, { tags = { "x", "road" } }) end,
    true, true },
  { "an edge rule elsewhere", function(costs) costs:edge_rule("rain", function() end, { tags = { "mud" } }) end,
    false, true },
  { "an edge rule about a tag that the map does not use", function(costs)
    costs:edge_rule("rain", function() end, { tags = { "swamp" } })
  end, false, false },
  { "an edge rule about nothing", function(costs) costs:edge_rule("rain", function() end, { tags = {} }) end,
    false, false },
  { "an edge rule that leaves a tag", function(costs) costs:edge_rule("frost", function() end, { tags = {} }) end,
    false, true },
  { "an edge rule that gets another tag, with the same function", function(costs)
    for _, rule in ipairs(costs:rules()) do
      if rule.name == "frost" then costs:edge_rule("frost", rule.fn, { tags = { "road" } }) end
    end
  end, true, true },
  { "an edge rule that is gone", function(costs) costs:remove "frost" end, false, true },
  { "a value of the base profile", function(_, base) base:set("mud", 3) end, false, true },
  { "a value of the base profile that is hidden", function(_, base) base:set("road", 3) end, false, false },
  { "a rule of the base profile", function(_, base) base:rule("rain", "road", function() end) end, true, true },
  { "an edge rule of the base profile", function(_, base) base:edge_rule("rain", function() end) end, true, true },
  { "an edge rule that the base profile loses", function(_, base) base:remove "base frost" end, false, true },
  { "a value of the base profile about a tag that the map does not use", function(_, base) base:set("gravel", 1) end,
    false, false },
  { "another profile", function(_, _, other) other:set("road", 9):edge_rule("rain", function() end) end, false, false },
  { "on_error", function(costs) costs.on_error = function() end end, false, false },
}

-- map:path or map:search between the ends; map:field of the goal; the path of a field from the start.
local function ask(method, map, ends, opts)
  if #ends == 2 then return map[method](map, ends[1], ends[2], opts) end
  return map[method](map, ends[1], ends[2], ends[3], ends[4], opts)
end

local function field_of(map, ends, opts)
  if #ends == 2 then return map:field(ends[2], opts) end
  return map:field(ends[3], ends[4], opts)
end

local function routes_good(routes)
  return function()
    local stale = not routes:valid()
    local _, _, code = routes:path(1, 3)
    assert.equal(stale and "stale" or nil, code)
    assert.equal(stale and "stale" or nil, (select(3, routes:cost(1, 3))))
    assert.equal(stale and "stale" or nil, (select(3, routes:next(1, 3))))
    assert.equal(stale and "stale" or nil, (select(3, routes:encode())))
    return not stale
  end
end

local function path_of_routes(map, _, opts)
  local path = map:routes(opts):path(1, 3)
  return function() return path:valid() end
end

local function straightened(map, ends, opts)
  local path = map:straighten(ask("path", map, ends, opts), opts)
  return function() return path:valid() end
end

-- Specs --------------------------------------------------------------------------------------------------------------

describe("a result without a profile", function()
  it("is not concerned by edits of profiles", function()
    local g = graph()
    local path, field, routes = g:path("A", "C"), g:field "C", g:routes()
    local search = g:search("A", "C")
    search:step(1)
    local costs = wend.costs { road = 2 }
    costs:set("road", 3):edge_rule("rain", function() end)
    path.costs = costs -- a script may do so: wend does not ask it
    assert.same({ true, true, true }, { path:valid(), field:valid(), routes:valid() })
    assert.equal("found", search:step(9))
  end)
end)

describe("the tags of a path", function()
  local function is_concerned(map, ends, tag, how)
    local costs = wend.costs { a = 1, b = 1, c = 1 }
    local path = assert(map:path(ends[1], ends[2], ends[3], ends[4], { costs = costs }))
    if how then path = how(path, costs) end
    assert.equal(true, path:valid())
    costs:set(tag, 2)
    return not path:valid()
  end

  it("are those of the cells that it enters, not of its start", function()
    local map = wend.grid(3, 1):set(1, 1, "a"):set(2, 1, "b"):set(3, 1, "c")
    local concerned = {}
    for i, tag in ipairs { "a", "b", "c" } do concerned[i] = is_concerned(map, { 1, 1, 3, 1 }, tag) end
    assert.same({ false, true, true }, concerned)
  end)

  it("are also those of the cells beside its diagonals", function()
    local map = wend.grid(2, 2):set(2, 1, "a"):set(1, 2, "b"):set(2, 2, "c")
    local concerned = {}
    for i, tag in ipairs { "a", "b", "c" } do concerned[i] = is_concerned(map, { 1, 1, 2, 2 }, tag) end
    assert.same({ true, true, true }, concerned)
    assert.equal(false, is_concerned(wend.grid(2, 3):set(2, 3, "a"), { 1, 1, 2, 2 }, "a"))
  end)

  it("are also those of its links and of their ends, not of other links", function()
    local map = wend.grid(9, 3):fill(4, 1, 4, 3, false)
    map:set(9, 2, "b"):link(1, 2, 9, 2, { tag = "a", directed = true }):link(2, 1, 2, 3, { tag = "c" })
    local concerned = {}
    for i, tag in ipairs { "a", "b", "c" } do concerned[i] = is_concerned(map, { 1, 2, 9, 2 }, tag) end
    assert.same({ true, true, false }, concerned)
  end)

  it("are not those of a link that was removed earlier", function()
    local map, costs = wend.grid(3, 1), wend.costs { a = 1 }
    map:link(1, 1, 2, 1, { tag = "a", weight = 5 }):unlink(1, 1, 2, 1)
    local path = map:path(1, 1, 3, 1, { costs = costs })
    costs:set("a", 9)
    assert.equal(true, path:valid())
  end)

  it("of straight legs are those of the cells that the legs cross", function()
    local map = wend.grid(9, 4):set(4, 2, "a"):set(5, 4, "b")
    local function straighten(path, costs) return map:straighten(path, { costs = costs }) end
    assert.equal(true, is_concerned(map, { 1, 2, 9, 2 }, "a", straighten))
    assert.equal(false, is_concerned(map, { 1, 2, 9, 2 }, "b", straighten))
  end)

  it("are found on long paths too", function()
    for _, at in ipairs { 2, 63, 64, 65, 66, 127, 128, 129, 200 } do
      assert.equal(true, is_concerned(wend.grid(200, 1):set(at, 1, "a"), { 1, 1, 200, 1 }, "a"), at)
    end
  end)

  it("are none where it has no step", function()
    assert.equal(false, is_concerned(wend.grid(2, 1):fill(1, 1, 2, 1, "a"), { 1, 1, 1, 1 }, "a"))
  end)

  it("are found in a grid with a weight and a tag for each cell", function()
    local map = wend.grid(300, 300):map(function(x, y) return x + y * 300 end)
    map:fill(1, 1, 9, 1, "a"):set(1, 9, "b")
    assert.equal(true, is_concerned(map, { 1, 1, 9, 1 }, "a"))
    assert.equal(false, is_concerned(map, { 1, 1, 9, 1 }, "b"))
    local costs = wend.costs { a = 1, b = 1, c = 1 }
    local field = map:field(1, 1, { costs = costs, window = 20 })
    costs:set("c", 2)
    assert.equal(true, field:valid())
    costs:set("b", 2)
    assert.equal(false, field:valid())
  end)

  it("may be a thousand", function()
    local g, costs = wend.graph(), wend.costs()
    for i = 1, 1001 do g:add_node(i, 0) end
    for i = 1, 1000 do g:add_edge(i, i + 1, { tag = "t" .. i }) end
    local path, field = g:path(1, 500, { costs = costs }), g:field(1, { costs = costs })
    costs:set("t700", 2)
    assert.same({ true, false }, { path:valid(), field:valid() })
    costs:set("t499", 2)
    assert.equal(false, path:valid())
  end)
end)

describe("what a map uses", function()
  it("ends with its last edge, cell or link of a tag", function()
    local g, edges = reference.draw { "A B C", "A-B 1 a", "B-C 1 b", "A-C 9 c" }
    g:set_tag(edges[1], "b"):remove_edge(edges[3])
    local map = wend.grid(3, 1):set(1, 1, "a"):set(2, 1, "c"):link(1, 1, 3, 1, { tag = "b" })
    map:set(1, 1, 1):set(2, 1, false):link(1, 1, 2, 1, { tag = "c" }):unlink(1, 1, 2, 1)
    for tag, valid in pairs { a = true, b = false, c = true, d = true } do
      local costs = wend.costs { a = 1, b = 1, c = 1 }
      local field, cells = g:field(1, { costs = costs }), map:field(1, 1, { costs = costs })
      costs:set(tag, 2)
      assert.same({ tag, valid, valid }, { tag, field:valid(), cells:valid() })
    end
  end)

  it("includes what has no tag, where an edge rule is for all", function()
    local g, costs = reference.row(3), wend.costs {}
    local path, field = g:path(1, 3, { costs = costs }), g:field(3, { costs = costs })
    costs:edge_rule("rain", function() end)
    assert.same({ false, false }, { path:valid(), field:valid() })
  end)

  it("includes tags that were named after the result was made", function()
    local g, costs = graph(), wend.costs { road = 2 }
    local field = g:field("C", { costs = costs })
    g:set_tag(1, "swamp")
    assert.equal(false, field:valid())
    assert.equal(true, g:field("C", { costs = costs, into = field }) == field)
    costs:set("road", 3)
    assert.equal(true, field:valid())
    costs:set("swamp", 3)
    assert.equal(false, field:valid())
  end)
end)

describe("a result that is out of date", function()
  it("stays so until it is made again", function()
    local g, costs = graph(), wend.costs { road = 2 }
    local opts = { costs = costs }
    local path, field = g:path("A", "C", opts), g:field("C", opts)
    costs:set("road", 3)
    assert.same({ false, false }, { path:valid(), field:valid() })
    costs:set("road", 2)
    assert.same({ false, false }, { path:valid(), field:valid() })
    assert.equal(false, field:path("A"):valid())
    opts.into = path
    g:path("A", "C", opts)
    opts.into = field
    g:field("C", opts)
    assert.same({ true, true, true }, { path:valid(), field:valid(), field:path("A"):valid() })
  end)

  it("can still be read, relaxed and saved if it is a field", function()
    local g, costs = graph(), wend.costs { road = 2 }
    local field = g:field("C", { costs = costs })
    costs:set("road", 3)
    assert.same({ 7, 2 }, { field:cost "A", field:next "A" })
    assert.equal("string", type(field:encode()))
    assert.equal(field, field:relax())
    assert.equal(false, field:valid())
  end)
end)

describe("what is not seen", function()
  it("is the state of the agent, and what functions return now", function()
    local agent, factor = { boots = true }, 2
    local costs = wend.costs { road = function(who) return who.boots and factor or 9 end }
    local g = graph()
    local opts = { costs = costs, agent = agent, cost = function(_, cost) return cost * factor end }
    local path, field, routes = g:path("A", "C", opts), g:field("C", opts), g:routes { costs = costs, agent = agent }
    agent.boots, factor = false, 5
    assert.same({ true, true, true }, { path:valid(), field:valid(), routes:valid() })
  end)
end)

describe("a profile that is changed by its own callback", function()
  it("makes the result out of date at once, if it uses the tag", function()
    for _, tag in ipairs { "road", "mud", "swamp" } do
      local g, costs, value = graph(), wend.costs(), 1
      costs:set("road", function()
        value = value + 1
        costs:set(tag == "road" and "other" or tag, value)
        local now = value -- an upvalue of its own: Lua 5.2 and 5.3 would use the same function again
        if tag == "road" then costs:rule("rain", "road", function() return now and nil end) end
      end)
      local path, field = g:path("A", "C", { costs = costs }), g:field("C", { costs = costs })
      assert.same({ tag, tag ~= "road", tag == "swamp" }, { tag, path:valid(), field:valid() })
    end
  end)
end)

describe("the field costs of a path", function()
  it("cannot be replaced: the path is out of date after the next edit of any profile", function()
    for _, put in ipairs { false, 7, "road", {}, wend.costs { road = 1 }, wend.grid(1, 1) } do
      local g, costs = graph(), wend.costs { road = 1 }
      local path = g:path("A", "C", { costs = costs })
      path.costs = put
      wend.costs()
      assert.equal(false, path:valid())
      path.costs = costs
      assert.equal(true, path:valid())
    end
  end)

  it("may be the last reference to the profile, or be removed", function()
    local g = graph()
    local path = g:path("A", "C", { costs = wend.costs { road = 1 } })
    collectgarbage()
    wend.costs()
    assert.equal(true, path:valid())
    path.costs:set("road", 2)
    assert.equal(false, path:valid())
    path = g:path("A", "C", { costs = wend.costs { road = 1 } })
    path.costs = nil
    collectgarbage()
    wend.costs()
    assert.equal(false, path:valid())
  end)
end)

describe("a profile with values that come and go", function()
  it("may report changes too early after a thousand tags, never too late", function()
    local g, costs = graph(), wend.costs { road = 1, mud = 1 }
    g:set_tag(3, "gone")
    costs:set("gone", 2)
    local path, field = g:path("A", "C", { costs = costs }), g:field("C", { costs = costs })
    local over = g:path("B", "D", { costs = costs })
    costs:set("gone", nil)
    for i = 1, 1200 do
      costs:set("t" .. i, 2)
      if i == 500 then assert.same({ true, false, false }, { path:valid(), over:valid(), field:valid() }) end
      over:valid()
      costs:set("t" .. i, nil)
      over:valid()
    end
    assert.same({ false, false }, { over:valid(), field:valid() })
    local ruled = g:path("A", "C", { costs = costs })
    costs:rule("rain", "road", function() end)
    for i = 1, 1200 do
      assert.equal(false, ruled:valid())
      costs:remove("rain"):rule("rain", "t" .. i, function() end)
    end
    assert.equal(false, ruled:valid())
  end)

  it("does not report changes too early after a thousand tags that keep their values", function()
    for n = 985, 1010 do
      local g, costs = graph(), wend.costs { road = 1, mud = 1 }
      for i = 1, n do costs:set("t" .. i, 2) end
      local path = g:path("A", "C", { costs = costs })
      costs:rule("rain", "t1", function() end):set("more", 2)
      assert.equal(true, path:valid(), n)
    end
  end)
end)

describe("asking", function()
  it("makes no garbage, but once after an edit", function()
    if jit then return pending "the collector of LuaJIT does not count in bytes" end
    local g, cells = graph(), grid()
    local costs = wend.costs { road = 1, mud = 2, sand = 3 }
    local opts = { costs = costs }
    local path, steps, field = g:path("A", "C", opts), cells:path(1, 2, 6, 2, opts), g:field("C", opts)
    local routes, value = g:routes(opts), 1
    local function round()
      value = 3 - value
      costs:set("sand", value)
      assert(path:valid() and steps:valid() and field:valid() and routes:valid())
      assert(path:valid() and steps:valid() and field:valid() and routes:valid())
    end
    local function count(asks)
      collectgarbage()
      collectgarbage "stop"
      local before = collectgarbage "count"
      for _ = 1, 100 do asks() end
      local made = collectgarbage "count" - before
      collectgarbage "restart"
      return made
    end
    round()
    local made = {} -- both calls begin at the same place of the stack, which a collection may shrink
    made.edits = count(function() -- the first one compiles the profile
      value = 3 - value
      costs:set("sand", value)
      assert(path:valid())
    end)
    made.rounds = count(round)
    assert.equal(made.edits, made.rounds)
  end)

  it("can be interrupted by finalizers that edit the profile and the map", function()
    local g, costs = graph(), wend.costs { road = 1 }
    local opts, value = { costs = costs }, 1
    local path, field, routes = g:path("A", "C", opts), g:field("C", opts), g:routes(opts)
    for _ = 1, 50 do
      collector.finalized(function()
        value = value + 1
        costs:set("road", value)
        pcall(g.set_weight, g, 1, value)
        path.costs = nil
      end)
      collectgarbage()
      for _ = 1, 20 do assert.equal(3, #{ path:valid(), field:valid(), routes:valid() }) end
    end
    assert.same({ false, false, false }, { path:valid(), field:valid(), routes:valid() })
  end)
end)

-- All results x all causes --------------------------------------------------------------------------------------------
--
-- The rules of doc/rules.md, as two tables. A cause is "on" the path between the ends, "elsewhere" on the map, or no
-- change at all ("none"). One that is "undone" at once is as one on the path, and "prepared" counts for searches that
-- run; an overlay sees neither of its base. A result that uses the places of a path is out of date after causes on it,
-- one that uses the map also after those elsewhere. What follows the map ends like a new call. Points stay.
-- Nothing is said about pairs.

-- { what, where it counts, edit of the map, whether an overlay refuses it }
local GRAPH_CAUSES = {
  { "a weight", "on", function(g) g:set_weight(1, 9) end },
  { "a tag", "on", function(g) g:set_tag(1, "mud") end },
  { "a new tag", "on", function(g) g:set_tag(1, "ice") end },
  { "a tag of a node", "on", function(g) g:set_node_tag("B", "mud") end },
  { "a width", "on", function(g) g:set_width(1, 2) end },
  { "a closed edge", "on", function(g) g:close_edge(2) end },
  { "a closed node", "on", function(g) g:close "B" end },
  { "a closed goal", "on", function(g) g:close "C" end },
  { "an edge that is closed and opened again", "undone", function(g) g:close_edge(1) g:open_edge(1) end },
  { "a node that is closed and opened again", "undone", function(g) g:close "B":open "B" end },
  { "a weight that is set and taken back", "undone", function(g) g:set_weight(1, 9) g:set_weight(1, 2) end },
  { "a node that moves", "on", function(g) g:move("B", 77, 5) end, true },
  { "an edge that is removed", "on", function(g) g:remove_edge(2) end, true },
  { "a node that is removed", "on", function(g) g:remove_node "B" end, true },
  { "an edge that is removed and made again", "on", function(g) g:remove_edge(2):add_edge("B", "E", { weight = 1 }) end,
    true },
  { "a node that is removed and made again", "on", function(g)
    g:remove_node "E"
    g:add_edges({ g:node "B", g:add_node(4, 4, { name = "E" }), g:node "E", g:node "F" }, { weights = { 1, 1 } })
  end, true },
  { "a weight elsewhere", "elsewhere", function(g) g:set_weight(4, 51) end },
  { "a tag elsewhere", "elsewhere", function(g) g:set_tag(3, "ice") end },
  { "a width elsewhere", "elsewhere", function(g) g:set_width(3, 2) end },
  { "a tag of a node elsewhere", "elsewhere", function(g) g:set_node_tag("D", "ice") end },
  { "a tag of the start", "elsewhere", function(g) g:set_node_tag("A", "mud") end },
  { "a closed edge elsewhere", "elsewhere", function(g) g:close_edge(4) end },
  { "a closed start", "elsewhere", function(g) g:close "A" end },
  { "a closed node elsewhere", "elsewhere", function(g) g:close "D" end },
  { "a node that moves elsewhere", "elsewhere", function(g) g:move("D", 7, 7) end, true },
  { "a new edge", "elsewhere", function(g) g:add_edge("A", "C", { weight = 50 }) end, true },
  { "a thousand new nodes and edges", "elsewhere", function(g)
    for i = 1, 1000 do g:add_edge(g:add_node(i, i), "A", { weight = i }) end
    g:path("A", "C")
  end, true },
  { "a new node", "elsewhere", function(g) g:add_node(5, 5) end, true },
  { "an edge that is removed elsewhere", "elsewhere", function(g) g:remove_edge(4) end, true },
  { "a node that is removed elsewhere", "elsewhere", function(g) g:remove_node "D" end, true },
  { "the weight that it has", "none", function(g) g:set_weight(1, 2) end },
  { "no width of an edge that has none", "none", function(g) g:set_width(1, nil) end },
  { "no tag of a node that has none", "none", function(g) g:set_node_tag("B", nil) end },
  { "the tag that it has", "none", function(g) g:set_tag(1, "road") end },
  { "a node and an edge that are opened, but were open", "none", function(g) g:open "B":open_edge(1) end },
  { "a name", "none", function(g) g:set_name("B", "bridge") end, true },
  { "a radius", "none", function(g) g:set_radius("B", 3) end, true },
  { "prepare and unprepare", "prepared", function(g) g:prepare() g:unprepare() end, true },
  { "a call that raises", "none", function(g) pcall(g.set_weight, g, 1, -1) end },
}

local GRID_CAUSES = {
  { "a weight", "on", function(m) m:set(3, 2, 7, "road") end },
  { "a tag", "on", function(m) m:set(3, 2, "mud") end },
  { "a new tag", "on", function(m) m:set(3, 2, "ice") end },
  { "a closed cell", "on", function(m) m:close(3, 2) end },
  { "a closed goal", "on", function(m) m:close(6, 2) end },
  { "a lower weight", "on", function(m) m:set(3, 2, 0.5) end },
  { "a rectangle", "on", function(m) m:fill(2, 2, 5, 3, 2) end },
  { "a closed rectangle", "on", function(m) m:close(5, 1, 5, 3) end },
  { "one of all cells", "on", function(m) m:map(function(x, y) if x == 5 and y == 2 then return "mud" end end) end },
  { "assigned cells", "on", function(m) m:assign("\1\9", { "road", [9] = 9 }, { area = { 4, 2, 5, 2 } }) end },
  { "a wall", "on", function(m) m:wall(3, 2, 4, 2) end },
  { "a cell that is closed and opened again", "undone", function(m) m:close(3, 2):open(3, 2) end },
  { "a link between its cells", "on", function(m) -- the ends too: of a straightened path
    m:link(2, 2, 3, 2, { weight = 0.5 }):link(1, 2, 6, 2, { weight = 9 })
  end, true },
  { "all cells", "on", function(m) m:map(function() return 2 end) end },
  { "a weight elsewhere", "elsewhere", function(m) m:set(6, 3, 7, "mud") end },
  { "a tag elsewhere", "elsewhere", function(m) m:set(6, 3, "ice") end },
  { "a closed cell elsewhere", "elsewhere", function(m) m:close(3, 3) end },
  { "an open cell elsewhere", "elsewhere", function(m) m:set(1, 1, 1) end },
  { "a rectangle elsewhere", "elsewhere", function(m) m:fill(4, 3, 6, 3, false) end },
  { "some of all cells, elsewhere", "elsewhere", function(m)
    m:map(function(_, y) if y == 3 then return false end end)
  end },
  { "assigned cells, elsewhere", "elsewhere", function(m)
    m:assign("\1\9", { "road", [9] = 9 }, { area = { 3, 2, 3, 3 } })
  end },
  { "a closed start", "elsewhere", function(m) m:close(1, 2) end },
  { "a wall elsewhere", "elsewhere", function(m) m:wall(3, 3, 4, 3) end },
  { "a link elsewhere", "elsewhere", function(m) m:link(1, 3, 6, 3, { weight = 9 }) end, true },
  { "the value that it has", "none", function(m) m:set(3, 2, "road"):fill(5, 2, 6, 2, 1) end },
  { "assigned values that cells have", "none", function(m)
    m:assign("\0\0", { [0] = 1 }, { area = { 5, 2, 6, 2 } })
  end },
  { "a cell that is opened, but was open", "none", function(m) m:open(3, 2) end },
  { "a wall that is removed, but was none", "none", function(m) m:wall(3, 2, 4, 2, false) end },
  { "prepare and unprepare", "prepared", function(m) m:prepare() m:unprepare() end, true },
  { "a call that raises", "none", function(m) pcall(m.set, m, 3, 2, -1) end },
}

local function mod_hides_road(w) w.mod:set("road", 3) end

-- What is no edit of the map: the profile, from the table above, and what nobody looks into. { what, where, edit, the
-- only layer, what is done before the result is made }
local OTHER_CAUSES = {
  { "a value of a mod", "on", mod_hides_road },
  { "a mod that is reloaded unchanged", "none", function(w)
    w.mod:reload(function(mine) mine:set("lava", 2) end)
  end },
  { "a mod that is removed", "none", function(w) w.costs:remove_mod "bog" end },
  { "a mod that is removed, with a value for the path", "on", function(w) w.costs:remove_mod "bog" end, nil,
    mod_hides_road },
  { "a value that a mod hides", "none", function(w) w.costs:set("road", 5) end, nil, mod_hides_road },
  { "a value that is taken back after it was used", "on", function(w)
    w.costs:set("road", 2)
    ask("path", w.map, w.ends, { costs = w.costs })
    w.costs:set("road", 1)
  end },
  { "the agent", "none", function(w) w.opts.agent.boots = false end },
  { "the options of the call", "none", function(w) w.opts.costs = nil end },
  { "a query", "none", function(w) ask("path", w.map, w.ends, { costs = w.costs }) end },
  { "an overlay, edited", "none", function(w) ask("path", w.close(w.map:overlay()), w.ends) end },
  { "a copy, edited", "none", function(w) w.close(w.map:copy()) end },
  { "the base, where the overlay hides it", "none", function(w) w.close(w.base) end, "hidden" },
  { "reset of an overlay that hides nothing", "none", function(w) w.map:reset() end, "overlay" },
  { "reset of an overlay that hides something", "on", function(w) w.map:reset() end, "hidden" },
}
for _, edit in ipairs(EDITS) do
  OTHER_CAUSES[#OTHER_CAUSES + 1] = { edit[1], edit[3] and "on" or edit[4] and "elsewhere" or "none",
    function(w) edit[2](w.costs, w.base_costs, w.other_costs) end }
end

-- Of what edits count: the map itself; an overlay of the edited map; an overlay that is edited.
local LAYERS = { "the map", "the base", "the overlay" }

local function new_world(make_map, layer)
  local map, ends = make_map()
  local w = { base = map, ends = ends, opts = { agent = { boots = true } } }
  w.costs, w.base_costs, w.other_costs = profiles()
  w.mod = w.costs:mod "bog"
  w.mod:set("lava", 2)
  w.opts.costs = w.costs
  w.map = layer == "the map" and map or map:overlay()
  w.edited = layer == "the base" and map or w.map
  function w.close(one) return #ends == 2 and one:close "B" or #ends == 4 and one:close(3, 2) end
  function w.hide(one) return #ends == 2 and one:set_weight(1, 3) and one:close "B":open "B" or one:set(3, 2, 1.5) end
  return w
end

local function copied(opts, more)
  local result = {}
  for key, value in pairs(opts) do result[key] = value end
  for key, value in pairs(more or {}) do result[key] = value end
  return result
end

local function queued(w, method, more)
  local q, opts = wend.queue(), copied(w.opts, more)
  local request
  if method == "field" then
    request = #w.ends == 2 and q:field(w.map, w.ends[2], opts) or q:field(w.map, w.ends[3], w.ends[4], opts)
  elseif #w.ends == 2 then
    request = q[method](q, w.map, w.ends[1], w.ends[2], opts)
  else
    request = q[method](q, w.map, w.ends[1], w.ends[2], w.ends[3], w.ends[4], opts)
  end
  return q, request
end

-- The result of a new call, as what can be compared.
local function cost_of(path, _, code) return path and path.cost or code end

-- { what, what it uses: "places" or "map"; nil: it follows the map. make(w) returns whether it is still good }
local RESULTS = {
  { "a path", "places", function(w)
    local path = ask("path", w.map, w.ends, w.opts)
    return function() return path:valid() end
  end },
  { "a path of a search in slices", "places", function(w)
    local search = ask("search", w.map, w.ends, w.opts)
    while search:step(1) == "running" do end
    return function() return search:result():valid() end
  end },
  { "a path in a table that had another", "places", function(w)
    local path = ask("path", w.map, w.ends)
    ask("path", w.map, w.ends, copied(w.opts, { into = path }))
    return function() return path:valid() end
  end },
  { "a path of a queue", "places", function(w)
    local q, request = queued(w, "path")
    q:step(math.huge)
    return function() return request.result:valid() end
  end },
  { "a path of a shared field", "places", function(w)
    local q, request = queued(w, "path", { share = true })
    q:step(math.huge)
    return function() return request.result:valid() end
  end },
  { "a path of a batch", "places", function(w)
    local path = w.map:paths({ unpack(w.ends) }, w.opts)[1]
    return function() return path:valid() end
  end },
  { "a decoded path", "places", function(w)
    local bytes = ask("path", w.map, w.ends, w.opts):encode()
    local path = assert(wend.decode(bytes, { map = w.map, costs = w.costs }))
    return function() return path:valid() end
  end },
  { "a path of a field", "places", function(w)
    local path = field_of(w.map, w.ends, w.opts):path(w.ends[1], #w.ends == 4 and w.ends[2] or nil)
    return function() return path:valid() end
  end },
  { "a path in a watch", "places", function(w)
    local path = ask("path", w.map, w.ends, w.opts)
    local watch, touched = wend.watch(w.map):add(path), false
    return function()
      touched = touched or #watch:affected() > 0
      assert.equal(path:valid(), not touched)
      return not touched
    end
  end },
  { "a path of a route table", "places", function(w) return path_of_routes(w.map, w.ends, w.opts) end, "graph" },
  { "a straightened path", "places", function(w) return straightened(w.map, w.ends, w.opts) end, "grid" },
  { "a field", "map", function(w)
    local field = field_of(w.map, w.ends, w.opts)
    return function() return field:valid() end
  end },
  { "a field of a queue", "map", function(w)
    local q, request = queued(w, "field")
    q:step(math.huge)
    return function() return request.result:valid() end
  end },
  { "a decoded field", "map", function(w)
    local bytes = field_of(w.map, w.ends, w.opts):encode()
    local field = assert(wend.decode(bytes, { map = w.map, costs = w.costs, agent = w.opts.agent }))
    return function() return field:valid() end
  end },
  { "a route table", "map", function(w) return routes_good(w.map:routes(w.opts)) end, "graph" },
  { "a decoded route table", "map", function(w)
    return routes_good(assert(wend.decode(w.map:routes(w.opts):encode(), copied(w.opts, { map = w.map }))))
  end, "graph" },
  { "a path from slices", "places", function(w)
    local search = ask("search", w.map, w.ends, w.opts)
    search:step(1)
    return function()
      while search:step(1) == "running" do end
      local path, _, code = search:result()
      assert.equal(not path and "stale" or nil, code)
      return path ~= nil and path:valid()
    end
  end },
  { "a path of a queue that is edited", "places", function(w)
    local q, request = queued(w, "path")
    q:step(1)
    return function()
      q:step(math.huge)
      assert.equal(not request.result and "stale" or nil, request.code)
      return request.result ~= nil and request.result:valid()
    end
  end },
  { "a watch of a path found again", nil, function(w)
    local path = ask("path", w.map, w.ends, w.opts)
    local watch = wend.watch(w.map):add(path)
    return function()
      if #watch:affected() == 0 then return path.cost end
      return cost_of(ask("path", w.map, w.ends, copied(w.opts, { into = path })))
    end
  end },
}

local OF_MOVEMENT = {
  { "a walker of a crowd", nil, function(w)
    local crowd = wend.crowd { map = w.map }
    local x, y = w.map:position(w.ends[1], #w.ends == 4 and w.ends[2] or nil)
    local gx, gy
    if #w.ends == 4 then gx, gy = w.map:position(w.ends[3], w.ends[4]) else gx, gy = w.map:position(w.ends[2]) end
    local walker = crowd:add { x = x, y = y, radius = 0.1, speed = 5, costs = w.costs, agent = w.opts.agent }
    walker:go(gx, gy)
    crowd:update(0.1)
    return function()
      for _ = 1, 400 do crowd:update(0.1) end
      local path, _, code = ask("path", w.map, w.ends, w.opts)
      if walker.state == "lost" then return code or "lost" end
      return walker.state == "arrived" and path and path.cost or walker.state
    end
  end, "grid" },
  { "a follower", "points", function(w)
    local path = ask("path", w.map, w.ends, w.opts)
    local one, two = wend.follow(path, { speed = 1 }), wend.follow(path:points(), { speed = 1 })
    return function()
      for _ = 1, 5 do
        one:update(1)
        two:update(1)
      end
      return one.x == two.x and one.y == two.y
    end
  end, "grid" },
}
for _, row in ipairs(wend.crowd and OF_MOVEMENT or {}) do RESULTS[#RESULTS + 1] = row end

local EXPECTED = { -- by what a result uses, and where a cause counts: is it still good?
  places = { on = false, elsewhere = true, prepared = true, none = true },
  map = { on = false, elsewhere = false, prepared = true, none = true },
  search = { on = false, elsewhere = false, prepared = false, none = true }, -- it runs, with the tables of the map
  points = { on = true, elsewhere = true, prepared = true, none = true },
}

-- Results that can be asked any number of times: before an edit, and again after other queries.
local ASKABLE = { places = true, map = true }

-- Calls act(what, where, cause, hides, before) for each cause of a layer. hides: the overlay has edits of its own on
-- the path. before(w): what is done before the result is made.
local function each_cause(kind, layer, act)
  for _, cause in ipairs(kind == "graph" and GRAPH_CAUSES or GRID_CAUSES) do
    if not (cause[4] and layer == "the overlay") then
      local where = cause[2]
      if layer == "the base" and (where == "undone" or where == "prepared") then where = "none" end
      if where == "undone" then where = "on" end
      act(cause[1], where, function(w) cause[3](w.edited) end)
    end
  end
  for _, cause in ipairs(OTHER_CAUSES) do
    if not cause[4] or layer == "the overlay" then
      act(cause[1], cause[2], cause[3], cause[4] == "hidden", cause[5])
    end
  end
end

describe("all results after all causes:", function()
  for kind, make_map in pairs { graph = graph, grid = grid } do
    for _, result in ipairs(RESULTS) do
      local what, uses, make, only = result[1], result[2], result[3], result[4]
      for _, layer in ipairs(only and only ~= kind and {} or LAYERS) do
        it(("%s of a %s, edits of %s"):format(what, kind, layer), function()
          each_cause(kind, layer, function(cause, where, act, hides, before)
            for _, asked in ipairs(ASKABLE[uses] and { false, true } or { false }) do
              local w = new_world(make_map, layer)
              if hides then w.hide(w.map) end
              if before then before(w) end
              local good = make(w)
              if asked then assert.equal(true, good(), cause) end
              act(w)
              w.opts = { costs = w.costs, agent = { boots = true } }
              local expected
              if uses then
                expected = EXPECTED[uses][where]
              else
                expected = cost_of(ask("path", w.map, w.ends, w.opts))
              end
              assert.equal(expected, good(), cause)
              if ASKABLE[uses] then
                pcall(ask, "path", w.map, w.ends, w.opts)
                assert.equal(expected, good(), cause)
              end
            end
          end)
        end)
      end
    end
  end
end)
