-- SPDX-License-Identifier: MIT
-- lua spec/fuzz/run.lua INTERPRETER: runs the API fuzzer in child processes, for WEND_SECONDS (default 60). A child
-- that dies, hangs or finds something is reported with its seed and its last calls. WEND_SEED: the first sequence;
-- WEND_SEQUENCES: no more than these. To see one failure again:
--   make fuzz-api WEND_SEED=... WEND_SEQUENCES=1
-- WEND_KEEP_GOING=1 goes on after a failure, and lists each kind of failure once.

local interpreter = arg[1] or "lua5.4"
local seconds = tonumber(os.getenv "WEND_SECONDS") or 60
local seed = tonumber(os.getenv "WEND_SEED") or os.time() % 1000000 * 1000
local sequences = tonumber(os.getenv "WEND_SEQUENCES") or math.huge
local keep_going = os.getenv "WEND_KEEP_GOING"
local build = os.getenv "WEND_BUILD" or "."

-- A child does not run longer than this: what one sequence leaves behind must not slow down all the others.
local CHILD_SECONDS, HANG_SECONDS, LAST_CALLS = 20, 60, 40

local log_name, out_name = build .. "/fuzz-api.log", build .. "/fuzz-api.out"

local function read(name)
  local handle = io.open(name, "rb")
  if not handle then return "" end
  local text = handle:read "*a"
  handle:close()
  return text
end

-- What distinguishes one crash from another: the uppermost lines of the stack that are in wend.
local function signature(out)
  local kind = out:match "runtime error: ([^\n]*)" or out:match "AddressSanitizer: ([%w-]+)"
    or out:match "[^\n]*Assertion[^\n]*"
  local places = {}
  for name, place in out:gmatch "#%d+ %S+ in ([%w_]+) (src/[%w_/.:]+)" do
    places[#places + 1] = name .. " " .. place
    if #places == 3 then break end
  end
  return (kind or "no stack") .. " at " .. (places[1] and table.concat(places, " < ") or "?")
end

local function last_calls()
  local lines = {}
  for line in read(log_name):gmatch "[^\n]+" do lines[#lines + 1] = line end
  local seed_of = tonumber((lines[1] or ""):match "sequence (%d+)")
  return table.concat(lines, "\n  ", math.max(1, #lines - LAST_CALLS + 1)), seed_of
end

local start, first = os.time(), seed
local total_calls, total_sequences, failures = 0, 0, 0
local seen, kinds = {}, {}

local function report(key, text)
  failures = failures + 1
  local entry = seen[key]
  if entry then
    entry.count = entry.count + 1
    return
  end
  entry = { key = key, count = 1 }
  seen[key] = entry
  kinds[#kinds + 1] = entry
  print(text)
end

while os.time() - start < seconds and seed < first + sequences do
  local left = math.max(1, math.min(CHILD_SECONDS, seconds - (os.time() - start)))
  os.remove(log_name)
  local command = ("WEND_SEED=%d WEND_SECONDS=%d WEND_SEQUENCES=%d WEND_LOG='%s' timeout -k 5 %d '%s' %s >'%s' 2>&1")
    :format(seed, left, math.min(first + sequences - seed, 1000000), log_name, left + HANG_SECONDS, interpreter,
      "spec/fuzz/api.lua", out_name)
  os.execute(command)
  local out = read(out_name)
  local calls, count = out:match "(%d+) calls, (%d+) sequences\n"
  for found_seed, text in out:gmatch "FINDING seed (%d+): ([^\n]*)" do
    report(text:gsub("%d+", "#"), ("FINDING WEND_SEED=%s: %s"):format(found_seed, text))
  end
  if calls and not out:find "AddressSanitizer" then
    total_calls, total_sequences = total_calls + tonumber(calls), total_sequences + tonumber(count)
    seed = seed + tonumber(count)
  else
    local text, at = last_calls()
    local ended = out:find "Sanitizer" or out:find "runtime error" or out:find "ssertion"
    local key = ended and signature(out) or #out > 0 and "died: " .. out:sub(-300) or "died or did not end"
    report(key, ("CRASH WEND_SEED=%s: %s\n  %s\n%s"):format(tostring(at), key, text,
      out:sub(1, keep_going and 1500 or 6000)))
    total_sequences = total_sequences + (at or seed) - seed + 1
    seed = (at or seed) + 1
  end
  if failures > 0 and not keep_going then break end
end

if keep_going then
  table.sort(kinds, function(a, b) return a.count > b.count end)
  for _, entry in ipairs(kinds) do print(("%5d x %s"):format(entry.count, entry.key)) end
end
print(("%d calls, %d sequences, %d failures (WEND_SEED=%d, %s)"):format(total_calls, total_sequences, failures, first,
  interpreter))
os.exit(failures == 0)
