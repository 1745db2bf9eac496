-- SPDX-License-Identifier: MIT
-- What functions of profiles take: costs.timing, costs.max_instructions.
-- luacheck: std max+busted

local collector = require "spec.support.collector"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local draw = reference.draw
local unpack = table.unpack or unpack -- luacheck: ignore 143
local jit = rawget(_G, "jit")

-- A to B over the swamp costs 10, over the road 15.
local function crossing()
  return draw { "A B M", "A-B 10 swamp", "A-M 8 road", "M-B 7 road" }
end

local function cost(g, opts)
  local path = g:path("A", "B", opts)
  return path and path.cost
end

-- Calls fn(...), and fails if it runs for longer than some seconds: a spec about endless functions must end.
local function ends(fn, ...)
  local began = os.clock()
  local results = { pcall(fn, ...) }
  assert.truthy(os.clock() - began < 60)
  return unpack(results)
end

describe("costs.timing", function()
  local function busy(times)
    local sum = 0
    for i = 1, times do sum = sum + i % 7 end
    return sum
  end

  it("lists the rules of one call in stats.rules: mod, name, calls and seconds", function()
    local g, stats = crossing(), {}
    local costs = wend.costs { swamp = function() busy(1000) return 1 end, road = 1 }
    costs:mod("wolves"):rule("howl", "swamp", function() busy(20000) end)
    costs:edge_rule("night", function() end, { at_least = 1 })
    costs.timing = true
    g:path("A", "B", { costs = costs, stats = stats })
    local names = {}
    for i, rule in ipairs(stats.rules) do
      names[i] = ("%s %s %s"):format(rule.mod or "-", rule.name, rule.name == "night" and "n" or rule.calls)
      assert.truthy(rule.seconds >= 0 and rule.seconds < 10)
    end
    assert.same({ "- tag 'swamp' 1", "wolves howl 1", "- night n" }, names)
    assert.equal(stats.callbacks, stats.rules[3].calls)
    assert.truthy(stats.rules[2].seconds > stats.rules[3].seconds / stats.rules[3].calls)
    assert.truthy(stats.rules[2].seconds > 0)
  end)

  it("sums over calls, in costs:mods and costs:rules", function()
    local g, costs = crossing(), wend.costs { swamp = 1 }
    local wolves = costs:mod "wolves"
    wolves:rule("howl", "swamp", function() busy(1000) end):set("road", function() end)
    costs:rule("rain", "swamp", function() end)
    g:path("A", "B", { costs = costs })
    assert.is_nil(costs:rules()[1].calls)
    costs.timing = true
    for _ = 1, 3 do g:path("A", "B", { costs = costs }) end
    g:field("A", { costs = costs })
    local calls = {}
    for _, rule in ipairs(costs:rules()) do
      calls[rule.name] = rule.calls
      assert.truthy(rule.seconds >= 0)
    end
    assert.same({ howl = 4, rain = 4 }, calls)
    assert.equal("8", tostring(costs:mods()[1].calls))
    assert.truthy(costs:mods()[1].seconds > 0)
    costs.timing = nil
    g:path("A", "B", { costs = costs })
    assert.equal("8", tostring(costs:mods()[1].calls))
    costs.timing = true -- begins at 0
    g:path("A", "B", { costs = costs })
    assert.equal(2, costs:mods()[1].calls)
  end)

  it("is inherited", function()
    local g, base = crossing(), wend.costs { swamp = function() end }
    local costs, stats = wend.costs({}, { base = base }), {}
    base.timing = true
    g:path("A", "B", { costs = costs, stats = stats })
    assert.equal(1, stats.rules[1].calls)
    costs.timing = false
    g:path("A", "B", { costs = costs, stats = stats })
    assert.is_nil(stats.rules) -- and the list of the call before is gone
    assert.same({ true, false }, { base.timing, costs.timing })
  end)

  it("is also in the statistics of why_not", function()
    local costs, stats = wend.costs { swamp = function() end }, {}
    costs.timing = true
    assert.is_nil(crossing():why_not("A", "B", { costs = costs, stats = stats }))
    assert.equal(1, stats.rules[1].calls)
  end)

  it("counts over all slices of a search", function()
    local g = reference.geometric(helper.rng "timing", 400, { near = 4, tags = { "mud", "road" } })
    local costs, stats = wend.costs { mud = 2 }, {}
    costs:edge_rule("night", function() end, { at_least = 1 })
    costs.timing = true
    local search = g:search(3, 300, { costs = costs, stats = stats })
    while search:step(7) == "running" do end
    assert.same({ "night", stats.callbacks }, { stats.rules[1].name, stats.rules[1].calls })
    assert.equal(stats.callbacks, costs:rules()[1].calls)
  end)

  it("counts a function that raises, with the time until then", function()
    local g = crossing()
    local costs = wend.costs()
    costs:rule("bad", "swamp", function()
      busy(10000)
      error "bad"
    end)
    costs.timing = true
    assert.equal(false, (pcall(g.path, g, "A", "B", { costs = costs })))
    costs.on_error = function() end
    g:path("A", "B", { costs = costs })
    assert.equal(2, costs:rules()[1].calls)
    assert.truthy(costs:rules()[1].seconds > 0)
  end)

  it("includes searches inside of a function", function()
    local g, inner, outer = crossing(), wend.costs(), wend.costs()
    inner:rule("inside", "swamp", function() busy(20000) end)
    outer:rule("around", "swamp", function(agent) g:path("A", "B", { costs = inner, agent = agent }) end)
    inner.timing, outer.timing = true, true
    g:path("A", "B", { costs = outer })
    assert.equal(1, inner:rules()[1].calls)
    assert.truthy(outer:rules()[1].seconds >= inner:rules()[1].seconds)
  end)

  it("changes no result", function()
    local g = reference.geometric(helper.rng "timing too", 300, { near = 4, tags = { "mud", "road" } })
    local costs = wend.costs { mud = function() return 2 end }
    costs:edge_rule("odd", function(_, price, _, from) return from % 2 == 0 and price * 2 or nil end, { at_least = 1 })
    local plain = reference.show(g:path(1, 250, { costs = costs }))
    costs.timing = true
    assert.equal(plain, reference.show(g:path(1, 250, { costs = costs })))
    costs.max_instructions = 1e7
    assert.equal(plain, reference.show(g:path(1, 250, { costs = costs })))
  end)
end)

-- Functions that do not end, in every way that we know. Each is a rule about the swamp.
local ENDLESS = {
  loop = function() while true do end end,
  ["loop with pcall"] = function()
    while true do pcall(function() while true do end end) end
  end,
  ["loop with pcall of pcall"] = function()
    local function f() while true do pcall(pcall, function() while true do end end) end end
    while true do pcall(f) end
  end,
  recursion = function()
    local function f() while true do pcall(f) end end
    f()
  end,
  coroutine = function()
    while true do
      coroutine.wrap(function() while true do end end)()
    end
  end,
  ["coroutine with pcall"] = function()
    while true do pcall(coroutine.wrap(function() while true do end end)) end
  end,
  ["many coroutines"] = function()
    while true do coroutine.resume(coroutine.create(function() for _ = 1, 500 do end end)) end
  end,
  ["coroutine that yields"] = function()
    local co = coroutine.wrap(function() while true do coroutine.yield() end end)
    while true do co() end
  end,
  ["xpcall with a handler that returns"] = function()
    while true do xpcall(function() while true do end end, function(message) return message end) end
  end,
  sort = function()
    local list = {}
    for i = 1, 2000 do list[i] = i * 7919 % 2003 end
    while true do table.sort(list, function(a, b) return a > b end) end
  end,
  ["error in a loop"] = function()
    while true do pcall(error, "again") end
  end,
  metamethod = function()
    local endless = setmetatable({}, { __index = function() while true do end end })
    while true do pcall(function() return endless.x end) end
  end,
}

describe("costs.max_instructions", function()
  for name, fn in pairs(ENDLESS) do
    it("ends a function that does not end: " .. name, function()
      local g, costs = crossing(), wend.costs()
      costs:rule("endless", "swamp", fn)
      costs.max_instructions = 50000
      local ok, message = ends(g.path, g, "A", "B", { costs = costs })
      assert.equal(false, ok)
      assert.truthy(message:find "^[^\n]*rule 'endless': [^\n]*more than 50000 instructions %(max_instructions%)$",
        message)
      assert.is_nil((debug.gethook()))
    end)
  end

  it("leaves out the rule, where on_error handles it, and names its mod", function()
    local g, costs, said = crossing(), wend.costs { swamp = 1 }, {}
    costs:mod("slow"):rule("endless", "swamp", function() while true do end end)
    costs:mod("good"):rule("double", "swamp", function(_, factor) return factor * 2 end)
    costs.max_instructions = 20000
    costs.on_error = function(rule, message, mod) said[#said + 1] = { rule, message:match "more than .*", mod } end
    assert.equal(15, cost(g, { costs = costs }))
    assert.same({ { "endless", "more than 20000 instructions (max_instructions)", "slow" } }, said)
    costs.max_errors = 2
    assert.equal(15, cost(g, { costs = costs }))
    assert.equal(2, #said)
    assert.equal(15, cost(g, { costs = costs })) -- it sleeps now
    assert.equal(2, #said)
  end)

  it("is for all functions of one search together", function()
    local g, costs = crossing(), wend.costs()
    local function work()
      for _ = 1, 2000 do end
    end
    for i = 1, 40 do costs:rule("work" .. i, "swamp", work) end
    if jit then jit.off(work) end
    costs.max_instructions = 10000
    local ok, message = pcall(g.path, g, "A", "B", { costs = costs })
    assert.equal(false, ok)
    assert.truthy(message:find("rule 'work%d+': .*more than 10000 instructions"), message)
    costs.max_instructions = 1000000
    assert.equal(10, cost(g, { costs = costs }))
    for _ = 1, 50 do cost(g, { costs = costs }) end -- each search has its own
  end)

  it("covers edge rules, and the option cost", function()
    local g, costs = crossing(), wend.costs()
    local function endless() while true do end end
    if jit then jit.off(endless) end
    costs.max_instructions = 10000
    local ok, message = ends(g.path, g, "A", "B", { costs = costs, cost = endless })
    assert.equal(false, ok)
    assert.truthy(message:find("option 'cost': .*more than 10000 instructions"), message)
    costs:edge_rule("stuck", endless)
    ok, message = ends(g.path, g, "A", "B", { costs = costs })
    assert.equal(false, ok)
    assert.truthy(message:find("rule 'stuck': .*more than 10000 instructions"), message)
  end)

  it("covers fields, routes tables and searches in slices", function()
    local g, costs = crossing(), wend.costs()
    costs:rule("endless", "swamp", function() while true do end end)
    costs.max_instructions = 10000
    for _, call in ipairs {
      function() g:field("A", { costs = costs }) end,
      function() g:routes { costs = costs } end,
      function() g:search("A", "B", { costs = costs }):step(9) end,
      function() g:check { costs = costs } end,
    } do
      local ok, message = ends(call)
      assert.equal(false, ok)
      assert.truthy(message:find("rule 'endless': .*more than 10000 instructions"), message)
    end
  end)

  it("sees through functions in C that catch the error", function()
    local g, costs = crossing(), wend.costs()
    local agent = setmetatable({}, { __call = function() while true do end end })
    if jit then jit.off(getmetatable(agent).__call) end
    costs:rule("pcall", "swamp", pcall) -- pcall(agent, factor, tag) returns false: closed
    costs.max_instructions = 10000
    local ok, message = ends(g.path, g, "A", "B", { costs = costs, agent = agent })
    assert.equal(false, ok)
    assert.truthy(message:find "^rule 'pcall': more than 10000 instructions %(max_instructions%)$", message)
  end)

  it("counts searches inside of functions, also those without a limit of their own", function()
    local g, inner, outer = crossing(), wend.costs(), wend.costs()
    inner:rule("inside", "swamp", function() while true do end end)
    if jit then inner.max_instructions = 2 ^ 50 end -- so that its functions are interpreted
    outer:rule("around", "swamp", function() g:path("A", "B", { costs = inner }) end)
    outer.max_instructions = 20000
    local handled = {}
    inner.on_error = function(name) handled[#handled + 1] = name end -- cannot: it runs in the function of the outer one
    local ok, message = ends(g.path, g, "A", "B", { costs = outer })
    assert.equal(false, ok)
    assert.truthy(message:find("rule 'around': .*more than 20000 instructions"), message)
    assert.same({}, handled)
    assert.is_nil((debug.gethook()))
  end)

  it("of an inner search is an error of that search", function()
    local g, inner, outer = crossing(), wend.costs(), wend.costs()
    inner:rule("inside", "swamp", function() while true do end end)
    inner.max_instructions = 5000
    local got
    outer:rule("around", "swamp", function()
      local _, message = pcall(g.path, g, "A", "B", { costs = inner })
      got = message
      return 2
    end)
    outer.max_instructions = 100000
    assert.equal(15, cost(g, { costs = outer }))
    assert.truthy(got:find("rule 'inside': .*more than 5000 instructions"), got)
  end)

  it("restores the hook of the host, which still receives its events", function()
    local g, costs, lines = crossing(), wend.costs(), 0
    local function rule()
      local a = 1
      return a
    end
    if jit then jit.off(rule) end
    costs:rule("rule", "swamp", rule)
    costs.max_instructions = 10000
    local function hook() lines = lines + 1 end
    debug.sethook(hook, "l")
    local before = lines
    g:path("A", "B", { costs = costs })
    local during, now, mask = lines - before, debug.gethook()
    debug.sethook()
    assert.equal(hook, now)
    assert.equal("l", mask)
    assert.truthy(during >= 4, during) -- two lines of the rule, and lines here
  end)

  it("lets the host's own limit end a function first", function()
    local g, costs, rung = crossing(), wend.costs(), 0
    costs:rule("endless", "swamp", function() while true do end end)
    costs.max_instructions = 1000000
    debug.sethook(function()
      rung = rung + 1
      error("the host's limit", 0)
    end, "", 5000)
    local ok, message = ends(g.path, g, "A", "B", { costs = costs })
    local _, _, count = debug.gethook()
    debug.sethook()
    assert.equal(false, ok)
    assert.truthy(message:find "rule 'endless': the host's limit", message)
    assert.same({ 1, 5000 }, { rung, count })
  end)

  it("keeps a hook that a function has set", function()
    local g, costs = crossing(), wend.costs()
    local function hook() end
    costs:rule("sets", "swamp", function() debug.sethook(hook, "", 1000000) end)
    costs.max_instructions = 10000
    g:path("A", "B", { costs = costs })
    local now = debug.gethook()
    debug.sethook()
    assert.equal(hook, now)
  end)

  it("does not hinder a coroutine that goes on after the search", function()
    local g, costs, co = crossing(), wend.costs(), nil
    costs:rule("makes", "swamp", function()
      co = coroutine.wrap(function()
        while true do
          local sum = 0
          for i = 1, 5000 do sum = sum + i end
          coroutine.yield(sum)
        end
      end)
      co()
    end)
    costs.max_instructions = 40000
    g:path("A", "B", { costs = costs })
    for _ = 1, 20 do assert.equal(12502500, co()) end
  end)

  it("works for a search in a coroutine, and in one that a rule has made", function()
    local g, costs = crossing(), wend.costs()
    costs:rule("endless", "swamp", function() while true do end end)
    costs.max_instructions = 10000
    local co = coroutine.create(function() return g:path("A", "B", { costs = costs }) end)
    local ok, message = ends(coroutine.resume, co)
    assert.equal(true, ok)
    assert.equal(false, message)
  end)

  it("waits until functions of wend have left their objects whole", function()
    local g, costs, other = crossing(), wend.costs(), wend.costs()
    local function edits()
      while true do
        for i = 1, 50 do other:set("tag" .. i, i % 7) end
        for i = 1, 50 do other:set("tag" .. i, nil) end
      end
    end
    costs:rule("edits", "swamp", edits)
    for most = 1000, 6000, 397 do
      costs.max_instructions = most
      local ok, message = ends(g.path, g, "A", "B", { costs = costs })
      assert.equal(false, ok)
      assert.truthy(message:find("rule 'edits': .*more than " .. most), message)
      for i = 1, 50 do other:set("tag" .. i, 3) end
      for i = 1, 50 do
        local tagged = wend.graph()
        tagged:add_nodes { 0, 0, 1, 0 }
        tagged:add_edge(1, 2, { tag = "tag" .. i })
        assert.same({ 3, 3 }, { other:get("tag" .. i), tagged:path(1, 2, { costs = other }).cost })
        other:set("tag" .. i, nil)
      end
      assert.equal("wend.Costs (0 tags, 0 rules)", tostring(other))
    end
  end)

  it("is inherited, and can be read", function()
    local g, base = crossing(), wend.costs()
    base:rule("endless", "swamp", function() while true do end end)
    local costs = wend.costs({}, { base = base })
    base.max_instructions = 10000
    assert.same({ 10000 }, { base.max_instructions, costs.max_instructions })
    assert.equal(false, (ends(g.path, g, "A", "B", { costs = costs })))
    costs.max_instructions = 3000
    local ok, message = ends(g.path, g, "A", "B", { costs = costs })
    assert.equal(false, ok)
    assert.truthy(message:find "more than 3000", message)
  end)

  it("lets finalizers run, which it does not count", function()
    local g, costs, ran = crossing(), wend.costs(), 0
    costs:rule("garbage", "swamp", function()
      for _ = 1, 50 do collector.finalized(function() ran = ran + 1 end) end
      collectgarbage()
      return 2
    end)
    costs.max_instructions = 100000
    assert.equal(15, cost(g, { costs = costs }))
    collectgarbage()
    assert.truthy(ran > 0)
  end)

  -- What doc/modding.md tells hosts to do.
  describe("with a mod in its own environment", function()
    local load_mod = function(source, env)
      local chunk
      if rawget(_G, "setfenv") then
        chunk = assert(loadstring(source, "=mod")) -- luacheck: ignore 113
        setfenv(chunk, env) -- luacheck: ignore 113
      else
        chunk = assert(load(source, "=mod", "t", env))
      end
      if jit then jit.off(chunk, true) end
      return chunk
    end

    local function environment(mine)
      return {
        mine = mine, pairs = pairs, ipairs = ipairs, pcall = pcall, error = error, type = type,
        math = { floor = math.floor, max = math.max, min = math.min },
      }
    end

    it("ends loops in functions that its rules call, on LuaJIT if the chunk is not compiled", function()
      local g, costs = crossing(), wend.costs()
      load_mod([[
        local function helper(n)
          local sum = 0
          while true do sum = sum + n end
        end
        local function hidden(agent) return pcall(helper, 1) end
        mine:rule("slow", "swamp", function(agent) while true do hidden(agent) end end)
      ]], environment(costs:mod "slow"))()
      costs.max_instructions = 50000
      local ok, message = ends(g.path, g, "A", "B", { costs = costs })
      assert.equal(false, ok)
      assert.truthy(message:find "rule 'slow' of mod 'slow': mod:%d+: more than 50000 instructions", message)
    end)

    it("does not hang in handlers of xpcall, if xpcall calls them after the error", function()
      local function safe_xpcall(fn, handler, ...)
        local results = { n = select("#", ...), ... }
        results = { pcall(fn, unpack(results, 1, results.n)) }
        if results[1] then return unpack(results) end
        return false, handler(results[2])
      end
      if jit then jit.off(safe_xpcall) end
      local g, costs = crossing(), wend.costs()
      local env = environment(costs:mod "slow")
      env.xpcall = safe_xpcall
      load_mod([[
        local function endless() while true do end end
        mine:rule("slow", "swamp", function() while true do xpcall(endless, endless) end end)
      ]], env)()
      costs.max_instructions = 50000
      local ok, message = ends(g.path, g, "A", "B", { costs = costs })
      assert.equal(false, ok)
      assert.truthy(message:find "rule 'slow' of mod 'slow': [^:]+:%d+: more than 50000 instructions", message)
    end)
  end)
end)

describe("Errors of budgets:", function()
  helper.all_raise(it, {
    "timing must be true, false or nil, got 1", function() wend.costs().timing = 1 end,
    "max_instructions must be a whole number >= 1 or nil, got 0", function() wend.costs().max_instructions = 0 end,
    "max_instructions must be a whole number >= 1 or nil, got 1.5", function() wend.costs().max_instructions = 1.5 end,
    "max_instructions must be a whole number >= 1 or nil, got nan",
    function() wend.costs().max_instructions = 0 / 0 end,
    "max_instructions must be a whole number >= 1 or nil, got inf",
    function() wend.costs().max_instructions = math.huge end,
    "max_instructions must be a whole number >= 1 or nil, got '9'", function() wend.costs().max_instructions = "9" end,
    "a read-only view of a cost profile cannot be changed", function() wend.costs():readonly().timing = true end,
  })
end)
