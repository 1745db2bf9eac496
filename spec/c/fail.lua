-- SPDX-License-Identifier: MIT
-- Runs a spec while memory runs out; spec/c/fail.c calls it with the name of the file.
--
-- Every function and method of wend that the spec calls is called again and again: first the first request for memory
-- fails, then a later one, until the call succeeds. Then the spec goes on, and must pass. So a call that failed has
-- changed nothing that the spec can see, and works when it is called again. Moreover a map is the same after a failure
-- as before. Where a call that failed has called functions of the spec, or was a part of some work (search:step,
-- queue:run), a spec that does not pass is undecided.
--
-- WEND_EVERY=k: every k-th request fails. WEND_FILTER=pattern: only these specs.
local SPEC = ...
require "spec.support.stand_ins"
local wend = require "wend.all" -- loading is not what is to fail
local dump = require "wend.tools.command.dump"
local type_of = wend.type

local every, filter = tonumber(os.getenv "WEND_EVERY") or 1, os.getenv "WEND_FILTER" or ""
local pack = table.pack or function(...) return { n = select("#", ...), ... } end
local unpack = table.unpack or unpack
local is_failing, fail_at, running, bytes_in_use = is_failing, fail_at, running, bytes_in_use

local current = "the file"
local faults, good, undecided, calls, failures = 0, 0, 0, 0, 0

-- A whole number in 0 .. n - 1, equal on every machine.
local state = 1
local function draw(n)
  state = state * 16807 % 2147483647
  return state % n
end

local function fault(format, ...)
  faults = faults + 1
  if faults <= 20 then io.stderr:write(("%s: %s: %s\n"):format(SPEC, current, format:format(...))) end
end

-- Calls that fail -----------------------------------------------------------------------------------------------------

-- In one spec: calls of one method, and failures of all. More would say the same.
local CALLS_MAX, FAILURES_MAX = 5, 200
local methods_called, failures_before = {}, 0

-- What must be the same after a failure. Of an overlay: what a map of its own would be.
local encode, copy, decode = {}, {}, wend.decode
local function bytes_of(object)
  local kind = type_of(object)
  if not encode[kind] then return nil end
  local ok, bytes = pcall(encode[kind], object)
  if ok and bytes:byte(5) == 79 then bytes = encode[kind](copy[kind](object)) end -- 79: "O", an overlay
  return ok and bytes
end

-- Whether two maps differ in more than the tags that they know.
local function differ(before, after)
  return before ~= after and dump(decode(before)) ~= dump(decode(after))
end

-- Whether a call that failed has called functions of the spec, or is one that works on from where it was. Such a call
-- cannot be made again without a trace.
local was_called
local WORKERS = { step = true, run = true, update = true }
local function works_on(name) return WORKERS[name:match "%w+$"] or name:find "^queue:" end -- a queue may be cleared
local function note_call()
  if not was_called then was_called = debug.getinfo(2, "S").source == "@" .. SPEC end
end

-- Sometimes in a thread of its own, whose small stack has to grow as well.
local function attempt(n, try, fn, ...)
  local mode = try % 2 == 0 and "twice" or "rest"
  if try % 9 == 5 then fn = coroutine.create(fn) end
  if type(fn) == "thread" then
    debug.sethook(fn, note_call, "c")
  else
    debug.sethook(note_call, "c")
  end
  return fail_at(n, mode, fn, ...)
end

-- A message that blames a line of this file, without that.
local function without_place(problem)
  return type(problem) == "string" and problem:gsub("^spec/c/fail%.lua:%d+: ", "") or problem
end

local function call(name, fn, ...)
  local count = (methods_called[name] or 0) + 1
  if count > CALLS_MAX or failures - failures_before > FAILURES_MAX or is_failing() then return fn(...) end
  methods_called[name] = count
  calls = calls + 1
  local n, try = 1 + draw(every), 0
  local bytes = select("#", ...) > 0 and bytes_of((...))
  while true do
    try = try + 1
    local called = was_called
    local result = pack(attempt(n, try, fn, ...))
    debug.sethook()
    local failed, ending = result[1], result[2]
    if not failed then was_called = called end
    if failed and works_on(name) then was_called = true end
    if ending == "returned" then return unpack(result, 3, result.n) end
    if ending == "raised" then
      if failed and not was_called and pcall(fn, ...) then
        fault("%s raised only when memory ran out: %s", name, tostring(result[3]))
      end
      error(without_place(result[3]), 0)
    end
    failures = failures + 1
    if bytes and not was_called and differ(bytes, bytes_of((...))) then
      fault("%s failed at request %d, and yet changed the map", name, n)
      bytes = nil
    end
    -- Not always later: what the call has made already it need not ask for again. And of many requests ever fewer.
    if draw(3) > 0 then n = n + math.max(every, math.floor(n / 4)) end
  end
end

-- Replaces the functions of a table.
local wrapped = {}
local function wrap(what, functions)
  if type(functions) ~= "table" or wrapped[functions] then return end
  wrapped[functions] = true
  for name, fn in pairs(functions) do
    if type(fn) == "function" then
      functions[name] = function(...) return call(what .. name, fn, ...) end
    end
  end
end

local g, grid = wend.graph(), wend.grid(3, 3)
g:add_nodes { 0, 0, 1, 0 }
g:add_edge(1, 2)
local queue = wend.queue()
for _, map in ipairs { g, grid } do encode[type_of(map)], copy[type_of(map)] = map.encode, map.copy end
for _, object in ipairs {
  g, grid, g:search(1, 2), g:path(1, 2), g:field(1), wend.walls(), g:routes(), wend.costs(), wend.costs():readonly(),
  wend.costs():mod "bog", g:prepare { sliced = true }, wend.follow { 0, 0 }, wend.level(), queue, queue:path(g, 1, 2),
  grid:why_not(1, 1, 2, 2, { max_cost = 0 }), wend.crowd { map = grid }, wend.watch(g),
} do
  wrap(type_of(object) .. ":", debug.getmetatable(object).__index)
end
wrap("wend.", wend)

-- The specs ----------------------------------------------------------------------------------------------------------

local blocks = { {} } -- from the outermost to the innermost: before, after
local specs
local function block() return blocks[#blocks] end

function describe(name, body)
  blocks[#blocks + 1] = { name = name }
  body()
  blocks[#blocks] = nil
end
function before_each(fn) block().before = fn end
function after_each(fn) block().after = fn end
function pending() end

function it(name, body)
  local spec, names = { body = body }, {}
  for i, outer in ipairs(blocks) do
    spec[i] = outer
    names[i] = outer.name
  end
  names[#names + 1] = name
  spec.name = table.concat(names, " ")
  specs[#specs + 1] = spec
end

assert = require "luassert"

-- Specs that measure what calls leave behind, what they have done, or how long they take: a call that failed has left,
-- done and taken something too. Specs whose finalizers edit in the middle of a call that fails. Specs of the line that
-- a message blames: here it is one of this file. The spec of a list that is filled while it is read: it stays half
-- written. And the spec of a queue that fills itself: each step that fails and is taken again doubles its requests.
local NOT_HERE = {
  "finalizer", "#slow", "#memory", "#many", "makes? no garbage", "how many nodes it has expanded",
  "together hold no more",
  "takes about as long", "names? the line", "caller's line",
  "may be the path itself", "takes the place of the old file", "always queues another one",
}

local function is_asked(name)
  for _, pattern in ipairs(NOT_HERE) do
    if name:find(pattern) then return false end
  end
  return name:find(filter)
end

local function run(spec)
  for _, outer in ipairs(spec) do
    if outer.before then outer.before() end
  end
  spec.body()
  for i = #spec, 1, -1 do
    if spec[i].after then spec[i].after() end
  end
end

local function explain(problem)
  return debug.traceback(type(problem) == "table" and tostring(problem.message or problem) or tostring(problem), 2)
end

local function run_all()
  specs = {}
  dofile(SPEC)
  for _, spec in ipairs(specs) do
    if is_asked(spec.name) then
      current, methods_called, was_called, failures_before = spec.name, {}, false, failures
      running(("%s: %s"):format(SPEC, current))
      local before = faults
      local ok, problem = xpcall(run, explain, spec)
      if not ok and was_called then
        undecided = undecided + 1
      elseif not ok then
        fault("%s", problem)
      end
      if ok and faults == before then good = good + 1 end
    end
  end
  specs, current = nil, "the file"
end

-- Each time other requests fail. And when the first runs have made what is kept, later ones must not leave anything.
-- What is kept grows for up to three runs, until the same calls have failed at other requests.
local RUNS, SLACK = 6, 1024
local bytes, grown = {}, 0
for i = 1, RUNS do
  run_all()
  for _ = 1, 3 do collectgarbage() end
  bytes[i] = bytes_in_use()
  if i > 1 and bytes[i] - bytes[i - 1] > SLACK then grown = grown + 1 end
end
if grown == RUNS - 1 then fault("each run leaves memory behind: %s bytes", table.concat(bytes, ", ")) end

print(("%s: %d specs, %d undecided, %d calls, %d failures, %d faults")
  :format(SPEC, good, undecided, calls, failures, faults))
if faults > 0 then error(faults .. " faults", 0) end
