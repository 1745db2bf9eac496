-- SPDX-License-Identifier: MIT
-- Counts executed instructions here and in another checkout: lua5.4 bench/instructions.lua [BASE]
-- `make instructions BASE=folder` builds both and runs this. README.md says what it measures.
--
-- With --count CHECKOUT FILE it runs the operations on the module of that checkout instead, under callgrind, and writes
-- their calls and answers to FILE.

local LIMIT = 1.02 -- a larger ratio is marked

local function here() return (arg[0]:match "^(.*)/[^/]*$" or ".") end

local function run_line(command)
  local pipe = assert(io.popen(command))
  local line = pipe:read "l"
  pipe:close()
  return line
end

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

if arg[1] == "--count" then
  local checkout, output = arg[2], arg[3]
  package.path = ("%s/lua/?.lua;%s/lua/?/init.lua;%s/?.lua"):format(checkout, checkout, here())
  package.cpath = checkout .. "/build/5.4/?.so;build/bench/?.so"
  local callgrind = require "wend_bench_callgrind"
  local lines = {}
  local operations = require "instructions.operations"
  if package.searchpath("move.operations", package.path) then -- a checkout may have no movement
    for _, operation in ipairs(require "move.operations") do operations[#operations + 1] = operation end
  end
  for _, operation in ipairs(operations) do
    local name, input, calls, run = table.unpack(operation)
    run()
    collectgarbage()
    callgrind.start()
    local answer = run()
    callgrind.stop(#lines + 1 .. "")
    lines[#lines + 1] = ("%s\t%s\t%d\t%.17g\t%s\n"):format(name, input, calls, answer,
      operation.common and "common" or "")
  end
  local file = assert(io.open(output, "wb"))
  file:write(table.concat(lines))
  file:close()
  return
end

local FOLDER = "build/instructions"

-- A list of { name, input, instructions a call, answer, common }. `label`: "base" or "here". A link with this name
-- leads to the checkout, so that the arguments and the stack of the process have the same size for both.
local function count(checkout, label)
  local log = FOLDER .. "/" .. label
  local command = ([[
    rm -rf $log* && ln -s '$checkout' $log &&
    valgrind -q --tool=callgrind --instr-atstart=no --callgrind-out-file=$log.out --log-file=$log.log \
      --trace-children=yes env LD_PRELOAD=$PWD/build/bench/wend_bench_time.so \
      '$lua' '$script' --count $log $log.tsv]]):gsub("%$(%l+)",
    { log = log, checkout = checkout, script = arg[0], lua = arg[-1] })
  if not os.execute(command) then
    io.stderr:write(("the operations failed in %s: see %s.log\n"):format(checkout, log))
    os.exit(1)
  end
  local totals = {}
  for i = 1, math.maxinteger do -- one dump for each operation; the last dump is for the rest
    local dump = io.open(("%s.out.%d"):format(log, i), "rb")
    if not dump then break end
    local text = dump:read "a"
    dump:close()
    local number = text:match "\ndesc: Trigger: Client Request: (%d+)\n"
    if number then totals[tonumber(number)] = tonumber(text:match "\ntotals: (%d+)") end
  end
  local list = {}
  local line = "([^\t\n]*)\t([^\t\n]*)\t(%d+)\t([^\t\n]*)\t([^\n]*)\n"
  for name, input, calls, answer, mark in read(log .. ".tsv"):gmatch(line) do
    local total = assert(totals[#list + 1], "callgrind wrote no dump for " .. name)
    list[#list + 1] = { name = name, input = input, instructions = total / calls, answer = answer, common = mark ~= "" }
  end
  return list
end

local function grouped(number)
  local text = ("%.0f"):format(number):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

local base = arg[1] and count(arg[1], "base")
local own = count(run_line "pwd", "here")

print(base and "| operation | input | base | here | ratio |\n|---|---|--:|--:|--:|"
  or "| operation | input | instructions a call |\n|---|---|--:|")
local of_base = {}
for _, row in ipairs(base or {}) do of_base[row.name .. ", " .. row.input] = row end
local over, different = 0, 0
local common = { count = 0, ratios = 0, base = 0, here = 0 }
for _, row in ipairs(own) do
  local other = of_base[row.name .. ", " .. row.input]
  if not other then
    print(("| %s | %s |%s %s |"):format(row.name, row.input, base and " |" or "", grouped(row.instructions)))
  else
    local ratio, note = row.instructions / other.instructions, ""
    if ratio > LIMIT then over, note = over + 1, " (more)" end
    if row.answer ~= other.answer then different, note = different + 1, note .. " (other answers)" end
    if row.common then
      common.count, common.ratios, note = common.count + 1, common.ratios + ratio, note .. " (common)"
      common.base, common.here = common.base + other.instructions, common.here + row.instructions
    end
    print(("| %s | %s | %s | %s | %.3f%s |"):format(row.name, row.input, grouped(other.instructions),
      grouped(row.instructions), ratio, note))
  end
end
if base then
  print(("\n%d of %d operations execute over %g %% more; %d give other answers"):format(over, #own,
    100 * LIMIT - 100, different))
  print(("%d common operations: %.3f of their sum, %.3f on average"):format(common.count,
    common.here / common.base, common.ratios / common.count))
  os.exit(different == 0)
end
