-- SPDX-License-Identifier: MIT
-- A world of the API fuzzer: a pool of objects, a source of random numbers, the stack of calls under way, and a log.
-- world:call is the only way in which the fuzzer calls wend. It checks what every call must keep to:
--   * an error is a string with a sensible message, or what a script of the fuzzer has raised;
--   * an edit of a map inside a rule, heuristic, clear or progress function of a call on that map raises;
--   * an edit inside on_error makes the call return nil, a message and "stale";
--   * a closed object refuses every method;
--   * a call that raised, and ran no script, has not changed the map.

local World = {}
World.__index = World

local unpack = table.unpack or unpack
local pack = table.pack or function(...) return { n = select("#", ...), ... } end
World.unpack, World.pack = unpack, pack

-- What the fuzzer's own scripts raise, so that it is told from messages of wend.
World.RAISED = "raised by the fuzzer"

local POOL_MAX = 5

-- Kinds ------------------------------------------------------------------------------------------------------------

-- The metatable of each kind, from one object of each: a script may not see them otherwise.
local kinds, methods_of = {}, {}

local function learn(kind, object)
  local metatable = debug.getmetatable(object)
  kinds[metatable] = kind
  methods_of[kind] = rawget(metatable, "__index")
end

function World.learn_kinds(wend)
  local g = wend.graph()
  g:add_nodes { 0, 0, 1, 1 }
  g:add_edge(1, 2)
  local grid = wend.grid(2, 2)
  learn("graph", g)
  learn("grid", grid)
  learn("graph_path", g:path(1, 2))
  learn("graph_search", g:search(1, 2))
  learn("field", g:field(1))
  learn("routes", g:routes())
  learn("walls", wend.walls())
  learn("influence", wend.influence(g))
  learn("watch", wend.watch(g))
  learn("preparation", g:prepare { sliced = true })
  learn("costs", wend.costs())
  learn("mod", wend.costs():mod "bog")
  learn("follower", wend.follow { 0, 0, 1, 1 })
  local queue = wend.queue()
  learn("queue", queue)
  learn("request", queue:path(g, 1, 2))
  local crowd = wend.crowd()
  learn("crowd", crowd)
  learn("walker", crowd:add { x = 0, y = 0 })
end

function World.method(kind, name)
  local methods = methods_of[kind]
  if type(methods) ~= "table" then return nil end
  return rawget(methods, name)
end

-- The map that an object is of, or nil. A path says it itself: requests and calls of scripts fill paths again.
function World:map(object)
  local own = kinds[debug.getmetatable(object) or false] == "graph_path" and not self.tampered[object]
  return own and rawget(object, "map") or self.map_of[object]
end

-- The kind of any value, without asking its metamethods; nil: none of wend's.
function World:kind(value)
  local kind = kinds[debug.getmetatable(value) or false]
  if kind == "graph_path" or kind == "graph_search" or kind == "field" then
    local map = self:map(value)
    if map and kinds[debug.getmetatable(map) or false] == "grid" then
      return kind == "field" and "grid_field" or kind == "graph_path" and "grid_path" or "grid_search"
    end
    return kind == "field" and "graph_field" or kind
  end
  return kind
end

-- Making one -------------------------------------------------------------------------------------------------------

---opts: seed, hostility (the share of arguments that are hostile), gc (how
---the collector runs), log (a function that is told each call), finding (a function that is told what is wrong).
function World.new(wend, opts)
  local state = opts.seed % 2147483646 + 1
  local function draw()
    state = state * 16807 % 2147483647
    return state - 1
  end
  for _ = 1, 5 do draw() end
  return setmetatable({
    wend = wend, opts = opts, seed = opts.seed, hostility = opts.hostility or 0,
    draw = draw, pool = {}, map_of = setmetatable({}, { __mode = "k" }), closed = setmetatable({}, { __mode = "k" }),
    tampered = setmetatable({}, { __mode = "k" }), names = setmetatable({}, { __mode = "k" }), named = 0,
    dimensions = setmetatable({}, { __mode = "k" }), sizes = setmetatable({}, { __mode = "k" }),
    frames = {}, calls = 0, scripts = 0, budget = 0, depth_limit = 3,
  }, World)
end

---rnd() in [0, 1); rnd(n) in 1 .. n; rnd(a, b) in a .. b
function World:rnd(a, b)
  local value = self.draw() / 2147483646
  if not a then return value end
  if not b then a, b = 1, a end
  return a + math.floor(value * (b - a + 1))
end

function World:chance(share) return self.draw() < share * 2147483646 end
function World:pick(list) return list[self:rnd(#list)] end

-- The pool ---------------------------------------------------------------------------------------------------------

function World:add(kind, object)
  local list = self.pool[kind]
  if not list then
    list = {}
    self.pool[kind] = list
  end
  if not self.names[object] then
    self.named = self.named + 1
    self.names[object] = kind .. self.named
  end
  if #list < POOL_MAX then list[#list + 1] = object else list[self:rnd(POOL_MAX)] = object end
end

function World:get(kind)
  local list = self.pool[kind]
  return list and #list > 0 and list[self:rnd(#list)] or nil
end

-- Any object of a list of kinds.
function World:any(list)
  for _ = 1, 4 do
    local object = self:get(self:pick(list))
    if object then return object end
  end
end

-- Takes into the pool what a call returned.
function World:keep(value, map)
  local t = type(value)
  if t == "userdata" or t == "table" then
    if self.names[value] then
      if self.map_of[value] and map then self.map_of[value] = map end -- made again, of another map perhaps
      return
    end
    local kind = kinds[debug.getmetatable(value) or false]
    if not kind then
      if t == "table" and self:chance(0.1) then self:add("into", value) end
      return
    end
    if kind ~= "graph" and kind ~= "grid" and kind ~= "walls" and kind ~= "costs" then self.map_of[value] = map end
    self:add(self:kind(value), value)
  elseif t == "string" and #value > 16 and value:sub(1, 4) == "wend" then
    self:add("bytes", { value, map })
  end
end

-- The log ----------------------------------------------------------------------------------------------------------

local function show(self, value, deep)
  local t = type(value)
  if t == "number" then return ("%.17g"):format(value) end
  if t == "string" then return #value > 40 and ("<%d bytes>"):format(#value) or ("%q"):format(value) end
  if t == "nil" or t == "boolean" then return tostring(value) end
  if self.names[value] then return self.names[value] end
  if t ~= "table" then return t end
  local list, count = {}, 0
  for key, item in next, value do
    count = count + 1
    if count > 8 or deep > 1 then
      list[#list + 1] = "..."
      break
    end
    list[#list + 1] = (type(key) == "number" and "" or show(self, key, 2) .. "=") .. show(self, item, deep + 1)
  end
  return (debug.getmetatable(value) and "meta{" or "{") .. table.concat(list, ",") .. "}"
end

function World:log(text)
  self.opts.log((" "):rep(#self.frames) .. text .. "\n")
end

function World:describe(name, ...)
  local list = {}
  for i = 1, select("#", ...) do list[i] = show(self, (select(i, ...)), 0) end
  return name .. "(" .. table.concat(list, ", ") .. ")"
end

function World:finding(text)
  self:log("FINDING " .. text)
  self.opts.finding(text)
end

-- Errors -----------------------------------------------------------------------------------------------------------

local INTERNAL = {
  "attempt to index", "attempt to call", "attempt to compare", "attempt to perform", "attempt to concatenate",
  "attempt to get length", "attempt to modify", "bad argument #%d+ to .* %([^v]", "invalid value %(", "table index is",
  "invalid key to 'next'", "no integer representation", "'for' ", "number expected", "string expected",
  "table expected", "assertion failed",
  "invalid option", "attempt to do", "malformed", "no value", "corrupt",
}

-- What is wrong with an error; nil: nothing.
function World:wrong_error(problem)
  if type(problem) ~= "string" then
    if self.raised_other then return nil end
    return "an error that is no string but a " .. type(problem)
  end
  if problem:find(World.RAISED, 1, true) or problem:find "stack overflow" or problem:find "error in error handling" or
    problem:find "not enough memory" then
    return nil
  end
  for _, pattern in ipairs(INTERNAL) do
    if problem:find(pattern) then return "an internal error: " .. problem end
  end
  if problem == "" then return "an empty message" end
end

-- Calling ----------------------------------------------------------------------------------------------------------

local function digest(map)
  local ok, bytes = pcall(map.encode, map)
  return ok and bytes or nil
end

local REFUSED_ALWAYS = { tostring = true, __gc = true, each = true }

-- Plain tables of Lua: who overwrites their contents gets Lua's own messages.
local PLAIN = { follower = true }

local function in_coroutine(self, fn, ...)
  local thread = coroutine.create(fn)
  local results = pack(coroutine.resume(thread, ...))
  for _ = 1, 3 do
    if coroutine.status(thread) ~= "suspended" then return results end
    results = pack(coroutine.resume(thread, self:chance(0.5) and 1 or nil))
  end
  if coroutine.status(thread) == "suspended" then return { n = 2, false, World.RAISED .. ": left suspended" } end
  return results
end

---Calls fn(...), which messages call `name`; `map` is the map that the call is about, or nil, `object` the receiver.
---Returns pcall's results, packed.
function World:call(name, map, object, fn, ...)
  self.calls = self.calls + 1
  local depth = #self.frames
  self:log(self:describe(name, ...))
  local before
  if depth == 0 and map and self:chance(0.05) and not self.closed[map] then before = digest(map) end
  local scripts = self.scripts
  if depth == 0 then self.raised_other = false end
  local frame = { name = name, map = map, object = object, locks = self.next_locks,
    clean = not (object and self.tampered[object]) }
  self.next_locks = false
  local closed = object and self.closed[object] and not REFUSED_ALWAYS[name:match "[%w_]+$"]
  self.frames[depth + 1] = frame
  local results
  if self:chance(0.05) then
    results = in_coroutine(self, fn, ...)
  else
    results = pack(pcall(fn, ...))
  end
  for i = #self.frames, depth + 1, -1 do self.frames[i] = nil end

  if not results[1] then
    local problem = results[2]
    self:log(" -> raised " .. (type(problem) == "string" and problem:sub(1, 200) or type(problem)))
    local wrong = not (object and self.tampered[object] and PLAIN[self:kind(object)]) and self:wrong_error(problem)
    if wrong then self:finding(("%s raised %s"):format(name, wrong)) end
    if before and scripts == self.scripts and digest(map) ~= before then
      self:finding(("%s raised %q and changed the map"):format(name, tostring(problem)))
    end
    return results
  end
  if closed then self:finding(("%s works on a closed object"):format(name)) end
  if frame.on_error_edits and frame.clean and results[2] ~= nil and
    (name:find ":path$" or name:find ":field$" or name:find ":route$") and not name:find "search" then
    self:finding(("%s gives a result although on_error has edited the map"):format(name))
  end
  for i = 2, results.n do
    local value = results[i]
    if value ~= nil then self:keep(value, map) end
  end
  return results
end

-- Told by a callback of this kind before it acts: the frame of the call that asks it.
function World:frame() return self.frames[#self.frames] end

return World
