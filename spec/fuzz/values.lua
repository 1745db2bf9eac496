-- SPDX-License-Identifier: MIT
-- Values of the API fuzzer: good ones, hostile ones, and scripts that act in the middle of a call: metamethods,
-- callbacks and finalizers that edit, search, fill, free, raise and yield.

local World = require "spec.fuzz.world"
local collector = require "spec.support.collector"

local values = {}

local INF = math.huge
local NAN = 0 / 0
local TAGS = { "road", "swamp", "toll", "lava", "rope" }
values.TAGS = TAGS

local HOSTILE_NUMBERS = {
  NAN, INF, -INF, -1, 0, 0.5, 1.5, -0.0, 1e308, -1e308, 1e150, 1e151, 2 ^ 31 - 1, 2 ^ 31, 2 ^ 32 - 1, 2 ^ 32,
  2 ^ 32 + 1, 2 ^ 53, 2 ^ 53 + 2, 2 ^ 63, 2 ^ 64, 5e-324, 0x3fffffff, 0x7ffffffe, 999999,
  math.maxinteger or 9, math.mininteger or 9, (math.maxinteger or 2 ^ 53) - 1,
}
values.NUMBERS = HOSTILE_NUMBERS

values.finalized = collector.finalized

-- Actions ----------------------------------------------------------------------------------------------------------

local function any_map(W)
  local frame = W:frame()
  if frame and frame.map and W:chance(0.7) then return frame.map end
  return W:get(W:chance(0.6) and "graph" or "grid")
end

local edits = {}

function edits.graph(W, g)
  local what, top = W:rnd(14), (W.sizes[g] or 30) + 3
  local node, other = W:rnd(top), W:rnd(top)
  if what <= 3 then return pcall(g.remove_node, g, node) end
  if what == 4 then return pcall(g.remove_edge, g, W:rnd(60)) end
  if what == 5 then
    local list = {}
    for i = 1, (W.dimensions[g] or 2) * (W:chance(0.1) and 100 or 6) do list[i] = W:rnd(-9, 40) end
    if (W.sizes[g] or 0) < 500 then W.sizes[g] = top + 30 end
    return pcall(g.add_nodes, g, list)
  end
  if what <= 7 then return pcall(g.add_edge, g, node, other, { weight = W:rnd(9), tag = W:pick(TAGS) }) end
  if what == 8 then return pcall(g.set_weight, g, W:rnd(60), W:rnd(0, 9)) end
  if what == 9 then return pcall(g.set_tag, g, W:rnd(60), "new" .. W:rnd(9)) end
  if what == 10 then return pcall(g.move, g, node, W:rnd(40), W:rnd(40), W.dimensions[g] == 3 and 1 or nil) end
  if what == 11 then return pcall(g.close, g, node) end
  if what == 12 then return pcall(g.close_edge, g, W:rnd(60)) end
  if what == 13 then
    for i = 1, top do pcall(g.remove_node, g, i) end
    return true
  end
  return pcall(g.set_name, g, node, "node" .. W:rnd(9))
end

function edits.grid(W, grid)
  local size = W.sizes[grid] or { 3, 3 }
  local x, y = W:rnd(size[1]), W:rnd(size[2])
  local what = W:rnd(8)
  if what <= 2 then return pcall(grid.set, grid, x, y, W:chance(0.5) and false or W:rnd(5)) end
  if what == 3 then return pcall(grid.set, grid, x, y, "new" .. W:rnd(9)) end
  if what == 4 then return pcall(grid.fill, grid, W:chance(0.5) and "swamp" or W:rnd(3)) end
  if what == 5 then return pcall(grid.wall, grid, x, y, math.min(x + 1, size[1]), y) end
  if what == 6 then return pcall(grid.link, grid, x, y, W:rnd(size[1]), W:rnd(size[2]), { weight = 1 }) end
  if what == 7 then
    return pcall(grid.map, grid, function(cx, cy)
      return (cx + cy) % 3 == 0 and { weight = cx, tag = "many" .. cy } or nil
    end)
  end
  return pcall(grid.unlink, grid, x, y, W:rnd(size[1]), W:rnd(size[2]))
end

function values.edit(W, map)
  local edit = edits[W:kind(map) or ""]
  if edit then
    W:log("~ edits " .. W.names[map])
    if W:chance(0.1) then return pcall(map.prepare, map) end
    if W:chance(0.05) then return pcall(map.unprepare, map) end
    return edit(W, map)
  end
end

local OBJECTS = {
  "graph", "grid", "graph_path", "grid_path", "graph_field", "grid_field", "routes", "graph_search", "grid_search",
  "walls", "watch", "preparation", "level", "costs", "follower", "into",
}
values.OBJECTS = OBJECTS

local function collect(W)
  local what = W:rnd(4)
  if what == 1 then return collectgarbage() end
  if what == 2 then return collectgarbage "step" end
  local junk
  for i = 1, 50 do junk = { junk, i } end
end

local function change_profile(W)
  local costs = W:get "costs"
  if not costs then return end
  W:log("~ changes " .. W.names[costs])
  local what = W:rnd(6)
  if what == 1 then return pcall(costs.set, costs, W:pick(TAGS), W:rnd(0, 4) / 2) end
  if what == 2 then return pcall(costs.rule, costs, "rule" .. W:rnd(3), W:pick(TAGS), values.callback(W, "rule")) end
  if what == 3 then return pcall(costs.edge_rule, costs, "rule" .. W:rnd(3), values.callback(W, "edge")) end
  if what == 4 then return pcall(costs.remove, costs, "rule" .. W:rnd(3)) end
  if what == 5 then costs.on_error = values.callback(W, "on_error") else costs.on_error = nil end
end

local FIELDS = { "trail", "map", "costs", "agent", "callback", "cost", "partial", "nodes", "dimensions", 1, 2, 3, 1000 }

-- Overwrites what a script can reach of an object in a table.
function values.tamper(W, object)
  if type(object) ~= "table" then return end
  local field = W:pick(FIELDS)
  W.tampered[object] = true
  W:log("~ tampers " .. (W.names[object] or "a table") .. "." .. field)
  local value
  if W:chance(0.3) then value = W:any(OBJECTS) elseif W:chance(0.4) then value = values.hostile(W) end
  if value ~= value then value = nil end
  if W:chance(0.2) then
    pcall(function() object[field] = value end)
  else
    rawset(object, field, value)
  end
end

local KEEPS_WORKING = { costs = true, follower = true, into = true }

-- Calls the finalizer of an object, as a script with the debug library, or an unlocked metatable, can.
function values.free(W)
  local object = W:any(OBJECTS)
  local metatable = object and debug.getmetatable(object)
  local gc = metatable and rawget(metatable, "__gc")
  if not gc then return end
  local top = #W.frames == 0
  W:log("~ frees " .. W.names[object])
  local victim = W:chance(0.2) and values.hostile(W) or object
  local ok = pcall(gc, victim)
  if ok and top and victim == object and not KEEPS_WORKING[W:kind(object) or "into"] then W.closed[object] = true end
end

-- One hostile action. May raise, and may yield.
function values.act(W)
  if W.budget <= 0 then return end
  W.budget = W.budget - 1
  W.scripts = W.scripts + 1
  local what = W:rnd(100)
  if what <= 30 then
    local map = any_map(W)
    if map then values.edit(W, map) end
  elseif what <= 60 then
    if #W.frames < W.depth_limit then W.random_call(W) end
  elseif what <= 66 then
    collect(W)
  elseif what <= 74 then
    change_profile(W)
  elseif what <= 80 then
    values.tamper(W, W:any { "graph_path", "grid_path", "into", "follower", "costs" })
  elseif what <= 83 then
    if W:chance(0.3) then values.free(W) end
  elseif what <= 88 then
    error(World.RAISED, 0)
  elseif what == 89 then
    W.raised_other = true
    error(W:pick { {}, false, 42 }, 0)
  elseif what <= 92 then
    local list = W.reading -- the list that the call is about
    if list then
      for i = 1, W:rnd(40) do list[W:chance(0.5) and i or #list + 1] = W:chance(0.5) and W:rnd(20) or nil end
    end
  elseif what <= 95 then
    local legend = W.legend
    if legend then
      for c = 33, 255 do legend[string.char(c)] = W:chance(0.5) and c or nil end
    end
  elseif what <= 97 then
    if coroutine.running() then coroutine.yield() end
  end
end

-- Metamethods ------------------------------------------------------------------------------------------------------

local GIANT = { 2 ^ 31, 1e15, -1, NAN, 2 ^ 40, 3, 1e5, "x" }

local function metatable(W, inner)
  local asked = 0
  local function act()
    asked = asked + 1
    if asked > 300 then error(World.RAISED, 0) end
    if W:chance(0.5) then values.act(W) end
  end
  return {
    __index = function(_, key)
      act()
      if inner then return inner[key] end
      return W:chance(0.5) and W:rnd(9) or values.hostile(W, true)
    end,
    __newindex = function(t, key, value)
      act()
      rawset(t, key, value)
    end,
    __len = function()
      act()
      return inner and #inner or W:pick(GIANT)
    end,
    __call = function()
      act()
      return W:chance(0.5) and W:rnd(9) or nil
    end,
    __tostring = function()
      act()
      return W:chance(0.5) and "proxy" or "a\0b"
    end,
    __pairs = function(t)
      act()
      return next, inner or t
    end,
    __eq = function() act() return W:chance(0.5) end,
    __lt = function() act() return W:chance(0.5) end,
    __le = function() act() return W:chance(0.5) end,
    __add = function() act() return 1 end,
    __sub = function() act() return 1 end,
    __mul = function() act() return 1 end,
    __div = function() act() return 1 end,
    __unm = function() act() return 1 end,
    __concat = function() act() return "proxy" end,
    __gc = function() if W.active and #W.frames > 0 then pcall(act) end end,
    __name = W:chance(0.3) and W:pick { "wend.Graph", "wend.Field", "FILE*" } or nil,
  }
end

---A table that asks a script for each of its fields, and then gives those of `inner`.
function values.proxy(W, inner)
  return setmetatable({}, metatable(W, inner))
end

---A position or a cell as one value: a table, an object of a class, or a proxy.
function values.position(W, x, y, z)
  local what = W:rnd(5)
  local p = { x = x, y = y, z = z }
  if what == 1 then return p end
  if what == 2 then return setmetatable(p, { __index = { length = 1 } }) end
  if what == 3 then return setmetatable({ hp = 3 }, { __index = p }) end
  W.reading = p
  return values.proxy(W, p)
end

-- Hostile values ---------------------------------------------------------------------------------------------------

---Something that hardly any argument is meant to be. `plain`: none that runs a script.
function values.hostile(W, plain)
  local what = W:rnd(plain and 14 or 20)
  if what <= 2 then return nil end
  if what <= 7 then return W:pick(HOSTILE_NUMBERS) end
  if what == 8 then return W:chance(0.5) end
  if what == 9 then return W:pick { "", "nobody", "a\0b", ("long"):rep(500), "1", "road", "%s%n", "\255" } end
  if what == 10 then return {} end
  if what == 11 then return W:pick { io.stdout, coroutine.create(print), print, string } end
  if what <= 14 then return W:any(OBJECTS) end
  if what <= 17 then return values.proxy(W) end
  if what == 18 then return values.callback(W, "any") end
  if what == 19 then return { n = 3, NAN, "x", {} } end
  return setmetatable({}, { __index = W:any(OBJECTS), __metatable = "locked" })
end

-- Callbacks --------------------------------------------------------------------------------------------------------

local LOCKED = { rule = true, edge = true, heuristic = true, clear = true, progress = true }

local answers = {
  rule = function(W, factor)
    local what = W:rnd(8)
    if what <= 3 then return nil end
    if what <= 5 then return W:rnd(0, 6) / 2, W:chance(0.3) and W:rnd(5) or nil end
    if what == 6 then return false end
    return factor
  end,
  edge = function(W, cost)
    local what = W:rnd(8)
    if what <= 3 then return nil end
    if what <= 5 and type(cost) == "number" then return cost * 1.5 end
    if what == 6 then return false end
    return cost
  end,
  heuristic = function(W) return W:chance(0.8) and 0 or W:rnd(5) end,
  clear = function(W) return W:chance(0.6) end,
  map = function(W)
    return W:pick { false, 1, 2, "swamp", "road", "lava" }
  end,
  progress = function() end,
  done = function() end,
  on_error = function() end,
  any = function(W) return W:rnd(5) end,
}

---A function for a role: "rule", "edge", "heuristic", "clear", "progress", "done", "map", "on_error" or "any".
function values.callback(W, role)
  local share = W:pick { 0, 0.02, 0.1, 0.3 }
  local garbage = W:pick { 0, 0, 0.05 }
  if role == "on_error" then share = W:pick { 0, 0.5 } end
  local callback
  callback = function(_, value)
    local frame = W:frame()
    if share > 0 and W:chance(share) and W.active then
      local map = frame and frame.map
      if map and W.budget > 0 and W:chance(0.3) then
        W.budget, W.scripts = W.budget - 1, W.scripts + 1
        local edited = false
        if W:kind(map) == "graph" then
          edited = pcall(map.add_node, map)
        elseif W:kind(map) == "grid" then
          -- another value, or it would be no edit
          edited = pcall(function() map:set(1, 1, ((map:get(1, 1)) or 0) % 100 + 1) end)
        end
        if edited and frame == W:frame() then
          if role == "on_error" then
            frame.on_error_edits = true
          elseif LOCKED[role] and frame.clean and frame.locks and (W:map(frame.object) or map) == map then
            W:finding(("an edit inside a %s function of %s does not raise"):format(role, frame.name))
          end
        end
      else
        values.act(W)
      end
    end
    if garbage > 0 and W:chance(garbage) then return values.hostile(W, true) end
    return answers[role](W, value)
  end
  W.named = W.named + 1
  W.names[callback] = role .. "_fn" .. W.named
  return callback
end

-- Finalizers -------------------------------------------------------------------------------------------------------

---A finalizer that comes back in every cycle, and acts while a call is under way. Under LuaJIT a finalizer that
---collects runs others inside it: those only have themselves renewed by the outermost one, or they would multiply.
function values.arm(W)
  W.rearm = 0
  local function finalizer()
    if not W.active then return end
    W.rearm = W.rearm + 1
    if W.finalizing then return end
    W.finalizing = true
    local ok, problem = true, nil
    if #W.frames > 0 and W:chance(0.3) then ok, problem = pcall(values.act, W) end
    local count = W.rearm
    W.rearm = 0
    for _ = 1, count do values.finalized(finalizer) end
    W.finalizing = false
    if not ok and W.raising_finalizers then error(problem, 0) end
  end
  values.finalized(finalizer)
end

return values
