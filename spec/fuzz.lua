-- SPDX-License-Identifier: MIT
-- Files that are damaged at random, with their size and checksums mended so that what reads them is reached: none may
-- crash or hang, and whatever is taken must be a map that can be used and gives the same bytes again.
-- `make fuzz` runs it with the sanitizers watching. WEND_ROUNDS: how much of it;
-- WEND_SEED: another seed.

package.path = "./?.lua;" .. package.path

local share = tonumber(os.getenv "WEND_ROUNDS") or 1
local seed = tonumber(os.getenv "WEND_SEED") or 1

local wend = require "wend"
local file_reference = require "spec.file_reference"
local golden = require "spec.golden"
local helper = require "spec.helper"
local questions = require "spec.fuzz.questions"

function helper.seed() return seed end -- the same every time

local ROUNDS, SAMPLES = 40000, 30

local costs = wend.costs { road = 0.5, swamp = { times = 3, plus = 1 }, lava = false }

-- Files to begin with: { bytes, map }, where map is what fields and routes are of.
local function samples(round)
  local list = {
    { file_reference.small_graph():encode() }, { file_reference.small_grid():encode() },
    { file_reference.plain_cells() },
  }
  local maps = {}
  for _, entry in ipairs(golden.list) do
    local bytes = helper.read(golden.file(2, entry.name))
    if not entry.map then maps[entry.name] = assert(wend.decode(bytes)) end
    list[#list + 1] = { bytes, maps[entry.map] }
  end
  for i = 1, SAMPLES do
    local rng = helper.rng("samples", round * 1000 + i)
    local g, grid
    if i % 2 == 1 then
      g = file_reference.random_graph(rng, { nodes = rng(1, 12), edges = rng(0, 20) })
      if rng:chance(0.3) then g:prepare { landmarks = rng(16), costs = rng:chance(0.5) and costs or nil } end
      list[#list + 1] = { g:encode() }
    else
      grid = file_reference.random_grid(rng, { width = rng(1, 7), height = rng(1, 6) })
      if rng:chance(0.3) then grid:prepare { landmarks = rng(16), costs = rng:chance(0.5) and costs or nil } end
      list[#list + 1] = { grid:encode() }
    end
    local function add(object)
      if object and object.encode then list[#list + 1] = { object:encode(), g or grid } end
    end
    if g and g:node_count() > 0 then
      local any
      for n in g:nodes() do any = n end
      if any then
        add(g:field(any))
        add(g:field({ any }, { outward = true }))
        add(g:field(any):scale(-1.5))
      end
      add(g:routes { costs = costs })
    elseif grid then
      add(grid:field(1, 1))
      add(grid:field(grid:width(), grid:height(), { outward = true }))
      add(grid:field(grid:width(), 1, { window = 1, costs = costs }))
      add(grid:field(1, grid:height(), { costs = costs }):scale(-1.5))
    end
  end
  return list
end

local EXTREMES = {
  "\0\0\0\0", "\1\0\0\0", "\0\0\1\0", "\255\255\0\0", "\255\255\255\127", "\0\0\0\128", "\255\255\255\255",
  "\0\0\0\0\0\0\240\127", "\0\0\0\0\0\0\240\255", "\0\0\0\0\0\0\248\127", "\0\0\0\0\0\0\0\128",
  "\255\255\255\255\255\255\239\127",
}

-- One change of some bytes: of a file, or of the contents of a section. Those before `first` stay.
local function change(rng, bytes, other, first)
  local size = #bytes
  if size < first then return bytes .. other:sub(1, rng(0, 16)) end
  local at = rng(first, size)
  local what = rng(9)
  if what <= 2 then
    return file_reference.patch(bytes, at, string.char(rng(0, 255)))
  elseif what == 3 then -- a bit
    local bit = 2 ^ rng(0, 7)
    local byte = bytes:byte(at)
    byte = math.floor(byte / bit) % 2 == 1 and byte - bit or byte + bit
    return file_reference.patch(bytes, at, string.char(byte))
  elseif what == 4 then -- one more or less
    return file_reference.patch(bytes, at, string.char((bytes:byte(at) + rng:pick { 1, 255 }) % 256))
  elseif what == 5 then
    local new = rng:pick(EXTREMES)
    return file_reference.patch(bytes, at, new):sub(1, size)
  elseif what == 6 then -- some are left out
    return bytes:sub(1, at - 1) .. bytes:sub(at + rng(1, 24))
  elseif what == 7 then -- some are there twice
    return bytes:sub(1, math.min(size, at + rng(0, 24))) .. bytes:sub(at)
  elseif what == 8 then -- some from elsewhere
    local from = rng(1, math.max(1, #other))
    return file_reference.patch(bytes, at, other:sub(from, from + rng(0, 16))):sub(1, size)
  end
  local from, length = rng(first, size), rng(1, 16) -- some from elsewhere in the same
  return file_reference.patch(bytes, at, bytes:sub(from, from + length)):sub(1, size)
end

-- Sections that no version knows: one that may be skipped, and one that may not.
local UNKNOWN = { { "note", "skip me" }, { "NOTE", "refuse me" } }

-- One change of a file.
local function mutate(rng, bytes, other)
  if rng:chance(0.02) then return change(rng, bytes, other, rng:chance(0.02) and 1 or 17) end
  local head, sections, others = bytes:sub(1, 8), file_reference.sections(bytes), file_reference.sections(other)
  local at, from = rng(math.max(1, #sections)), #others > 0 and rng:pick(others) or UNKNOWN[1]
  local what = rng(20)
  if #sections == 0 or what == 1 then
    table.insert(sections, at, rng:pick { from, UNKNOWN[1], UNKNOWN[2] })
  elseif what == 2 then
    table.remove(sections, at)
  elseif what == 3 then
    table.insert(sections, rng(#sections), table.remove(sections, at))
  elseif what == 4 then
    sections[at] = { from[1], sections[at][2] }
  else
    sections[at] = { sections[at][1], change(rng, sections[at][2], from[2], 1) }
  end
  return file_reference.pack(head, sections)
end

local taken, refused = {}, 0

local some_map = file_reference.small_graph() -- where a graph or grid has become a field

local function try(bytes, map)
  map = map or some_map
  if bytes:sub(5, 5) == "C" then
    taken.C = (taken.C or 0) + 1
    return questions.crowd(bytes, { map })
  end
  local object, message, code = wend.decode(bytes, { map = map })
  if not object then
    if type(message) ~= "string" or not (code == "format" or code == "stale") then
      error(("refused with %s, %s"):format(tostring(message), tostring(code)))
    end
    refused = refused + 1
    return
  end
  local kind = bytes:sub(5, 5)
  taken[kind] = (taken[kind] or 0) + 1
  questions.same_again(bytes, object, map)
  questions.ask(kind, object, map)
end

local list
for round = 1, math.ceil(ROUNDS * share) do
  if round % 2000 == 1 then list = samples(round) end
  local rng = helper.rng("fuzz", round)
  local sample, other = rng:pick(list), rng:pick(list)
  local bytes = sample[1]
  for _ = 1, rng:pick { 1, 1, 1, 2, 3, 8 } do bytes = mutate(rng, bytes, other[1]) end
  if not rng:chance(0.02) then bytes = file_reference.mend(bytes) end
  local ok, problem = xpcall(function() try(bytes, sample[2]) end, debug.traceback)
  if not ok then
    io.stderr:write(("round %d, seed %d: %s\n%s\n"):format(round, seed, problem, file_reference.hex(bytes)))
    os.exit(1)
  end
end

local kinds = {}
for kind, count in pairs(taken) do kinds[#kinds + 1] = ("%s %d"):format(kind, count) end
table.sort(kinds)
print(("%d refused, taken: %s"):format(refused, table.concat(kinds, ", ")))
