-- SPDX-License-Identifier: MIT
-- Files that are damaged at random, with their size and checksums mended so that what reads them is reached: none may
-- crash or hang, and whatever is taken must be an object that can be used and gives the same bytes again. `make fuzz`
-- runs it with the sanitizers watching. From the environment:
--   WEND_ROUNDS   how many, as a share of 5,000 files of each kind; 20: 100,000
--   WEND_SEED     another seed
--   WEND_KIND     only this kind: a letter of doc/FORMAT.md, or P: prepared maps, damaged mostly in their tables
--   WEND_ROUND    only this round
-- A failure, a crash, and a file that takes longer than SECONDS print the last three, which repeat it.

package.path = "./?.lua;" .. package.path

local share = tonumber(os.getenv "WEND_ROUNDS") or 1
local seed = tonumber(os.getenv "WEND_SEED") or 1

local wend = require "wend"
local crowd_reference = require "spec.support.crowd_reference"
local follower_reference = require "spec.support.follower_reference"
local file_reference = require "spec.support.file_reference"
local golden = require "spec.golden"
local helper = require "spec.support.helper"
local questions = require "spec.fuzz.questions"

function helper.seed() return seed end -- the same every time

local ROUNDS, SAMPLES, SAME = 5000, 30, 250 -- SAME: rounds with the same samples
local SECONDS = 30 -- of processor time, with the sanitizers
local KINDS = { "A", "C", "F", "G", "H", "L", "P", "R", "T", "W" }

-- The function of spec/c/lua.c; other interpreters have none.
local watch = rawget(_G, "watch") or function() end

local costs = wend.costs { road = 0.5, swamp = { times = 3, plus = 1 }, lava = false }

-- Files to begin with: { bytes, map }, where map is what fields, routes and crowds are of.
local function samples(block)
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
    local rng = helper.rng("samples", block * 1000 + i)
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
    do
      local map, walkers = crowd_reference.random_map(rng), {}
      local crowd = wend.crowd { map = map, seed = rng:chance(0.3) and rng(99) or nil }
      for _ = 1, rng(1, 5) do crowd_reference.random_order(rng, map, 0)(crowd, map, walkers) end
      crowd_reference.play(rng, { { crowd, map, walkers } }, rng(0, 40))
      list[#list + 1] = { crowd:encode(), map }
    end
    do
      local world = follower_reference.random(rng)
      for _ = 1, rng(0, 12) do pcall(follower_reference.random_act(rng, world), world.follower) end
      list[#list + 1] = { world.follower:encode(), world.map }
    end
    local function add(object)
      if object and object.encode then list[#list + 1] = { object:encode(), g or grid } end
    end
    if g and g:node_count() > 0 then
      local any, first
      for n in g:nodes() do first, any = first or n, n end
      if any then
        add(g:field(any))
        add(g:field({ any }, { outward = true }))
        add(g:field(any):scale(-1.5))
        add((g:path(first, any)))
      end
      add(g:routes { costs = costs })
      local walls = wend.walls()
      for _ = 1, rng(0, 3) do
        walls:add_circle(rng(-9, 9), rng(-9, 9), rng())
        walls:remove(walls:add_segment(rng(9), rng(9), rng(9), rng(9)))
        walls:add_polygon { rng(9), rng(9), rng(9), rng(9), rng(9), rng(9), rng(9), rng(9) }
      end
      add(walls)
      add(wend.level { graph = g, walls = walls, names = { a = { x = rng(9), y = 0.5 } },
        data = { a = rng(9), b = { "c" } } })
    elseif grid then
      add(wend.level { grids = { grid }, data = { day = rng(9) } })
      add(grid:field(1, 1))
      add(grid:path(1, 1, grid:width(), grid:height(), { partial = true }))
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
  "\1\0\0\0\0\0\0\0", "\0\0\0\0\0\0\240\191", -- the least number above 0; -1
  "\252\169\241\210\77\98\80\63", "\0\0\0\0\128\132\46\65", "\0\0\0\0\101\205\205\65", -- 0.001, 1e6, 1e9
  "\0\0\0\162\148\26\109\66", "\208\74\204\146\57\0\102\22", "\156\117\0\136\60\228\55\126", -- 1e12, 1e-200, 1e300
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
    if rng:chance(0.7) then at = math.max(first, at - (at - 1) % 4) end -- most numbers are there
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
local function mutate(rng, kind, bytes, other)
  if rng:chance(0.02) then return change(rng, bytes, other, rng:chance(0.02) and 1 or 17) end
  local head, sections, others = bytes:sub(1, 8), file_reference.sections(bytes), file_reference.sections(other)
  local at, from = rng(math.max(1, #sections)), #others > 0 and rng:pick(others) or UNKNOWN[1]
  local what = rng(20)
  local last = #sections > 0 and sections[#sections][1]
  if kind == "P" and rng:chance(0.7) and (last == "prep" or last == "plan") then at = #sections end
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

local some_map = file_reference.small_graph() -- where a graph or grid has become a field

-- Returns whether the file was taken.
local function try(bytes, map)
  map = map or some_map
  local kind = bytes:sub(5, 5)
  if kind == "C" then return questions.crowd(bytes, { map }) end
  local object, message, code = wend.decode(bytes, { map = map, clear = questions.clear, on_point = questions.tell })
  if not object then
    if type(message) ~= "string" or not (code == "format" or code == "stale") then
      error(("refused with %s, %s"):format(tostring(message), tostring(code)))
    end
    return false
  end
  questions.same_again(bytes, object, map)
  questions.ask(kind, object, map)
  return true
end

-- The samples of a block of rounds, by kind, and all of them.
local function samples_by_kind(block)
  local by_kind, all = {}, samples(block)
  for _, sample in ipairs(all) do
    local kind = sample[1]:find("prep", 1, true) and "P" or sample[1]:sub(5, 5)
    by_kind[kind] = by_kind[kind] or {}
    table.insert(by_kind[kind], sample)
  end
  return by_kind, all
end

local only, only_kind = tonumber(os.getenv "WEND_ROUND"), os.getenv "WEND_KIND"
local taken, by_kind, all, block = {}, nil, nil, nil
for round = only or 1, only or math.ceil(ROUNDS * share) do
  if block ~= math.floor((round - 1) / SAME) then
    watch(0, "making samples")
    block = math.floor((round - 1) / SAME)
    by_kind, all = samples_by_kind(block)
  end
  for _, kind in ipairs(only_kind and { only_kind } or KINDS) do
    local rng = helper.rng("fuzz" .. kind, round)
    local name = ("WEND_SEED=%d WEND_KIND=%s WEND_ROUND=%d make fuzz"):format(seed, kind, round)
    local sample, other = rng:pick(by_kind[kind]), rng:pick(rng:chance(0.5) and by_kind[kind] or all)
    local bytes = sample[1]
    for _ = 1, rng:pick { 1, 1, 1, 2, 3, 8 } do bytes = mutate(rng, kind, bytes, other[1]) end
    if not rng:chance(0.02) then bytes = file_reference.mend(bytes) end
    watch(SECONDS, name)
    local ok, result = xpcall(function() return try(bytes, sample[2]) end, debug.traceback)
    if not ok then
      watch(0, name)
      io.stderr:write(("%s\n%s\n%s\n"):format(result, file_reference.hex(bytes), name))
      os.exit(1)
    end
    taken[kind] = (taken[kind] or 0) + (result and 1 or 0)
  end
end
watch(0, "the end")

local kinds = {}
for kind, count in pairs(taken) do kinds[#kinds + 1] = ("%s %d"):format(kind, count) end
table.sort(kinds)
print(("%d of each kind, taken: %s"):format(only and 1 or math.ceil(ROUNDS * share), table.concat(kinds, ", ")))
