-- SPDX-License-Identifier: MIT
-- The API fuzzer: random sequences of calls, with hostile arguments and callbacks. `make fuzz-api` runs it with the
-- sanitizers watching, in processes that spec/fuzz/run.lua starts. From the environment:
--   WEND_SEED       the first sequence (default 1); WEND_SEQUENCES how many (default: as many as the time allows)
--   WEND_SECONDS    how long (default 10)
--   WEND_LOG        the file that the calls of the sequence under way are written to

package.path = "./?.lua;" .. package.path

require "spec.support.stand_ins"
local wend = require "wend"
local tune = require("spec.support.collector").tune
local calls = require "spec.fuzz.calls"
local values = require "spec.fuzz.values"
local World = require "spec.fuzz.world"

local first = tonumber(os.getenv "WEND_SEED") or 1
local sequences = tonumber(os.getenv "WEND_SEQUENCES") or math.huge
local seconds = tonumber(os.getenv "WEND_SECONDS") or 10
local log_name = os.getenv "WEND_LOG"

World.learn_kinds(wend)

local log_file
local function open_log(seed)
  if not log_name then return end
  if log_file then log_file:close() end
  log_file = assert(io.open(log_name, "w"))
  log_file:setvbuf "no" -- a crash must not lose the last call
  log_file:write(("sequence %d\n"):format(seed))
end

-- How the collector runs: as usual, in small steps at every allocation, or through a whole cycle at every allocation.
local jit = rawget(_G, "jit")

local function set_collector(mode)
  if jit then -- compiled code and a collector that never rests do not go together: LuaJIT may hang
    jit.flush()
    if mode == "usual" then jit.on() else jit.off() end
  end
  if _VERSION == "Lua 5.4" then
    if mode == "usual" then
      collectgarbage("incremental", 200, 100, 13)
    elseif mode == "generational" then
      collectgarbage "generational"
    elseif mode == "steps" then
      collectgarbage("incremental", 10, 400, 4)
    else
      collectgarbage("incremental", 4, 1000, 63)
    end
  else
    if _VERSION >= "Lua 5.5" then collectgarbage(mode == "generational" and "generational" or "incremental") end
    local pause, step = 200, 200
    if mode == "generational" or mode == "steps" then pause, step = 10, 400 end
    if mode == "cycles" then pause, step = 0, 0 end
    tune(pause, step)
  end
end

local findings, found = {}, 0

local function sequence(seed)
  open_log(seed)
  local W = World.new(wend, {
    seed = seed,
    log = function(text) if log_file then log_file:write(text) end end,
    finding = function(text)
      local key = text:gsub("%d+", "#"):sub(1, 120)
      if not findings[key] then
        findings[key] = true
        found = found + 1
        print(("FINDING seed %d: %s"):format(seed, text))
      end
    end,
  })
  -- What kind of sequence it is.
  local kind = W:rnd(14)
  W.random_call = calls.random
  W.hostility = W:pick { 0, 0.02, 0.02, 0.1, 0.3 }
  local collector = kind <= 8 and "usual" or kind == 9 and "generational" or kind <= 12 and "steps" or "cycles"
  calls.start(W)
  W.active = true
  W.depth_limit = W:chance(0.02) and 150 or 4
  if collector ~= "usual" then
    W.raising_finalizers = W:chance(0.2)
    for _ = 1, W:rnd(1, 4) do values.arm(W) end
  end
  set_collector(collector)
  local length = collector == "cycles" and W:rnd(10, 60) or W:rnd(20, 250)
  for _ = 1, length do
    W.budget = W.depth_limit > 100 and 300 or 40
    W.reading, W.legend = nil, nil
    local ok, problem = pcall(calls.random, W)
    for i = #W.frames, 1, -1 do W.frames[i] = nil end
    if not ok and W:wrong_error(problem) then
      W:finding("the fuzzer itself raised " .. tostring(problem))
    end
    if W:chance(0.05) then pcall(values.act, W) end
  end
  W.active = false
  set_collector "usual"
  -- What has survived can be written, read and written again.
  for _, map_kind in ipairs { "graph", "grid" } do
    for _, map in ipairs(W.pool[map_kind] or {}) do
      if not W.closed[map] then
        local ok, bytes = pcall(map.encode, map)
        if ok and bytes:sub(5, 5) ~= "O" then -- an overlay is read for its base: see decode.lua
          local again, message = wend.decode(bytes)
          if not again then
            W:finding("what a map has written cannot be read: " .. tostring(message))
          elseif again:encode() ~= bytes then
            W:finding "what a map has written is written otherwise when read"
          end
        end
      end
    end
  end
  return W.calls, W
end

local start = os.time()
local total, count = 0, 0
local seed = first
while count < sequences and os.time() - start < seconds do
  -- The module is set up anew; a finalizer of an earlier sequence finds nothing to do.
  collectgarbage()
  local ok, made, W = pcall(sequence, seed)
  set_collector "usual"
  if not ok then
    found = found + 1
    print(("FINDING seed %d: the sequence raised %s"):format(seed, tostring(made)))
  else
    total = total + made
    W.active = false
  end
  count = count + 1
  seed = seed + 1
end
collectgarbage()
print(("%d calls, %d sequences"):format(total, count))
os.exit(found > 0 and 3 or 0, found == 0)
