-- SPDX-License-Identifier: MIT
-- How work grows with the number of things: it is counted in instructions of the interpreter, and no clock is read.
local wend = require "wend"
local collector = require "spec.support.collector"

local jit = rawget(_G, "jit")

--- The instructions of Lua that a call executes, in hundreds.
local function work_of(call)
  local count = 0
  if jit then jit.off() end                     -- compiled code does not count
  debug.sethook(function() count = count + 1 end, "", 100)
  call()
  debug.sethook()
  if jit then jit.on() end
  return count
end

local function profile() return wend.costs() end
local function nothing(_, factor) return factor end

local function fan(tags)
  local g = wend.graph()
  g:add_nodes { 0, 0, 1, 0 }
  for i = 1, tags do g:add_edge(1, 2, { tag = "road" .. i }) end
  return g
end

--- A profile of so many mods, each with a value of one tag; or each of a tag of its own.
local function of_mods(n, own_tags)
  local costs = wend.costs()
  for i = 1, n do costs:mod("mod" .. i):set(own_tags and "road" .. i or "road1", i) end
  return costs
end

-- By name: what is made before the work is counted, and the work. The number of things is n.
local CASES = {
  ["rules that are added for one tag"] = { profile, function(costs, n)
    for i = 1, n do costs:rule("rule" .. i, "road1", nothing) end
  end },
  ["edge rules that are added"] = { profile, function(costs, n)
    for i = 1, n do costs:edge_rule("rule" .. i, nothing) end
  end },
  ["a path with many rules for one tag"] = { function(n)
    local costs = wend.costs()
    for i = 1, n do costs:rule("rule" .. i, "road1", nothing) end
    return costs
  end, function(costs) fan(1):path(1, 2, { costs = costs }) end },
  ["rules that are removed one by one"] = { function(n)
    local costs = wend.costs()
    for i = 1, n do costs:rule("rule" .. i, "road1", nothing) end
    return costs
  end, function(costs, n) for i = 1, n do costs:remove("rule" .. i) end end },
  ["mods with a value of one tag"] = { profile, function(costs, n)
    for i = 1, n do costs:mod("mod" .. i):set("road1", i) end
  end },
  ["mods with a function for one tag, and a path"] = { profile, function(costs, n)
    for i = 1, n do costs:mod("mod" .. i):set("road1", nothing) end
    fan(1):path(1, 2, { costs = costs })
  end },
  ["mods with a tag of their own"] = { profile, function(costs, n)
    for i = 1, n do costs:mod("mod" .. i):set("road" .. i, i) end
  end },
  ["mods that move"] = { function(n) return of_mods(n, true) end, function(costs, n)
    for i = 1, n do costs:mod("mod" .. i, { priority = -i }) end
  end },
  ["mods that are removed, the first first"] = { of_mods, function(costs, n)
    for i = 1, n do costs:remove_mod("mod" .. i) end
  end },
  ["mods that are removed, the last first"] = { of_mods, function(costs, n)
    for i = n, 1, -1 do costs:remove_mod("mod" .. i) end
  end },
  ["mods with tags of their own that are removed"] = { function(n) return of_mods(n, true) end, function(costs, n)
    for i = 1, n do costs:remove_mod("mod" .. i) end
  end },
  ["unknown tags that are spelt like tags of the map"] = { function(n)
    local costs = wend.costs()
    for i = 1, n do costs:set("raod" .. i, 2) end
    return costs
  end, function(costs, n) costs:unknown(fan(n)) end },
  ["unknown tags that are spelt like none"] = { function(n)
    local costs = wend.costs()
    for i = 1, n do costs:set("something" .. i, 2) end
    return costs
  end, function(costs, n) costs:unknown(fan(n)) end },
}

describe("the work of a cost profile is at most proportional to n log n:", function()
  for name, case in pairs(CASES) do
    it(name, function()
      local made, work, n = case[1], case[2], 200
      local few, many = made(n), made(4 * n)
      local a, b = work_of(function() work(few, n) end), work_of(function() work(many, 4 * n) end)
      -- 4 x log(4 n) / log n is 5.05; quadratic growth is 16.
      assert.is_true(b < 7 * math.max(a, 10), ("%d and %d hundreds of instructions"):format(a, b))
    end)
  end
end)

describe("a collector that the script has stopped", function()
  it("stays stopped, however much memory maps take", function()
    if _VERSION == "Lua 5.1" and not jit then return end -- it cannot be asked there
    local garbage = setmetatable({}, { __mode = "v" })
    collectgarbage "stop"
    garbage[1] = {}
    for _ = 1, 20 do wend.grid(400, 400):set(1, 1, 2) end
    local kept = garbage[1] ~= nil
    collectgarbage "restart"
    assert.is_true(kept)
  end)
end)

describe("a generational collector", function()
  it("frees maps that were in use for a while, also if the memory of Lua itself hardly grows", function()
    if _VERSION < "Lua 5.4" then return end
    local mode = collectgarbage "generational"
    collectgarbage()
    local held, most = 0, 0
    for _ = 1, 1000 do
      local grid = wend.grid(300, 300) -- 180 KB
      held, most = held + 1, math.max(most, held + 1)
      local in_use = { grid, collector.finalized(function() held = held - 1 end) }
      for _ = 1, 2 do collectgarbage "step" end -- they are old now
      in_use[1]:set(1, 1, 2)
    end
    collectgarbage(mode)
    assert.is_true(most * 180 < 20000 + 1.5 * collectgarbage "count", most .. " maps at the same time")
  end)
end)
