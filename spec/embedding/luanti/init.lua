-- SPDX-License-Identifier: MIT
-- The scene of make check-luanti: a mod that builds lanes in the sky, sends walkers of examples/luanti, edits blocks in
-- front of them, and writes report.txt into the world. Each line: "ok" or "FAILED", and what.
local lines, failed = {}, 0

local function say(format, ...) lines[#lines + 1] = format:format(...) end
local function check(good, format, ...)
  if not good then failed = failed + 1 end
  say((good and "ok      " or "FAILED  ") .. format, ...)
end
local function finish()
  say("%d failed", failed)
  core.safe_file_write(core.get_worldpath() .. "/report.txt", table.concat(lines, "\n") .. "\n")
  core.request_shutdown()
end
local function guarded(fn)
  return function(...)
    local ok, message = pcall(fn, ...)
    if not ok then
      check(false, "%s", tostring(message))
      finish()
    end
  end
end

local Y = 100 -- the floor of the lanes
local NAMES = { ["#"] = "default:stone", ["~"] = "default:water_source", H = "default:ladder_wood",
  D = "doors:door_wood_a", h = "doors:hidden", m = "toll:mud", t = "toll:plank", d = "default:dirt" }

local function set(x, y, z, name) core.set_node(vector.new(x, y, z), { name = name }) end

-- A lane from west to east, one block wide, seen from the side. below: how many rows are below its floor. Glass holds
-- water.
local function lane(z, below, ...)
  local rows = { ... }
  for i, row in ipairs(rows) do
    for x = 0, #row - 1 do
      local letter, y = row:sub(x + 1, x + 1), Y + #rows - 1 - below - i
      if letter ~= "." then set(x, y, z, NAMES[letter]) end
      for dy = 0, letter == "~" and 3 or -1 do
        set(x, y + dy, z - 1, "default:glass")
        set(x, y + dy, z + 1, "default:glass")
      end
    end
  end
end

-- Two ways: a direct one, with another floor in its middle, and a detour.
local function ring(z, letter, from, to)
  for x = from, to do
    local middle = x >= from + 8 and x <= to - 8
    set(x, Y - 1, z, NAMES[middle and letter or "#"])
    if x >= from + 4 and x <= to - 4 then set(x, Y - 1, z + 5, NAMES["#"]) end
  end
  for dz = 1, 4 do
    set(from + 4, Y - 1, z + dz, NAMES["#"])
    set(to - 4, Y - 1, z + dz, NAMES["#"])
  end
end

local function build()
  lane(1, 0, "#######..#######..#######")
  lane(6, 2, "#####~~~~~~~###", "#####~~~~~~~###", "###############")
  lane(10, 0, ".........######", "........H######", "........H######", "........H######", "........H######",
    "###############")
  lane(14, 0, ".......#.......", ".......#.......", ".......#.......", ".......h.......", ".......D.......",
    "###############")
  lane(18, 0, ".......d.......", ".......d.......", ".......d.......", ".......d.......", ".......d.......",
    "###############")
  ring(23, "m", 0, 22)
  ring(47, "#", -6, 24)
  ring(56, "#", 0, 22)
  ring(66, "t", 0, 22)
end

local walking = {}
-- Sends a walker. without: the tag of steps without which there is no way.
local function send(name, from, to, without)
  local feet = vector.new(from.x, from.y - 0.5, from.z)
  local entity = core.add_entity(feet, "walkers:walker", core.serialize(to)):get_luaentity()
  local one = { name = name, entity = entity, to = to, way = {}, north = -math.huge, low = math.huge, high = 0 }
  walking[#walking + 1], walking[name] = one, one
  if without then
    local surface = walkers.surface
    local path = surface.graph:path(surface:at(from), surface:at(to), { costs = wend.costs { [without] = false } })
    check(not path, "%s: there is no way without %s", name, without)
  end
  return entity
end
local function across(name, z, from, to, without, rise)
  return send(name, vector.new(from, Y, z), vector.new(to, Y + (rise or 0), z), without)
end

-- Edits in front of walkers: when the walker is at x, once.
local edits = {
  { "builder", 7, function()
    for y = Y, Y + 2 do core.place_node(vector.new(14, y, 56), { name = "default:dirt" }) end
  end },
  { "digger", 0, function()
    core.after(3, function() for y = Y, Y + 1 do core.dig_node(vector.new(7, y, 18)) end end)
  end },
  { "unloader", -5, function() walkers.surface:unload(0, 96, 32, 16, 16, 16) end },
  { "swimmer", 13, function() core.remove_node(vector.new(8, Y - 1, 7)) end }, -- the pool runs out
}

local clock = 0
local finish_walks
local function watch(dtime)
  clock = clock + dtime
  local left = 0
  for _, one in ipairs(walking) do
    local pos = one.entity.object:get_pos()
    if pos then
      if not one.arrived then
        one.north, one.low, one.high = math.max(one.north, pos.z), math.min(one.low, pos.y), math.max(one.high, pos.y)
        if #one.way <= clock then one.way[#one.way + 1] = ("%.0f %.1f %.0f"):format(pos.x, pos.y, pos.z) end
      end
      for _, edit in ipairs(edits) do
        if edit[1] == one.name and not edit.done and pos.x >= edit[2] then
          edit.done = true
          say("at %.1f s: the edit for the %s, at %.1f %.1f %.1f", clock, one.name, pos.x, pos.y, pos.z)
          edit[3]()
        end
      end
      if not one.entity.goal and not one.arrived then
        one.arrived, one.at = clock, pos
      end
    end
    if not one.arrived then left = left + 1 end
  end
  -- Two seconds more: water flows.
  if left > 0 and clock < 40 then
    finish_walks = clock + 2
  elseif clock >= finish_walks then
    return true
  end
end

local function judge()
  for _, one in ipairs(walking) do
    local near = one.arrived and vector.distance(one.at, vector.new(one.to.x, one.to.y - 0.5, one.to.z)) < 0.1
    check(near, "%s: arrived after %.1f s, by %s", one.name, one.arrived or -1, table.concat(one.way, ", "))
  end
  local function extent(name, field, low, high)
    local value = walking[name][field]
    check(value >= low and value <= high, "%s: %s is %.1f", name, field, value)
  end
  extent("jumper", "low", Y - 0.6, Y)
  extent("swimmer", "low", Y - 3, Y - 1)
  extent("climber", "high", Y + 4, Y + 5)
  extent("frugal", "north", 28, 28)
  extent("unloader", "north", 52, 52)
  extent("builder", "north", 61, 61)
  extent("rich", "north", 66, 66)
  extent("poor", "north", 71, 71)
  for _, edit in ipairs(edits) do check(edit.done, "the edit for the %s", edit[1]) end
  local door = doors.get(vector.new(7, Y, 14))
  check(door and not door:state(), "the door is closed again")
  local surface = walkers.surface
  local out = surface:at(8, Y - 4, 8)
  check(out and surface.graph:node_tag(out) == "water", "the water that runs out of the pool: %s",
    core.get_node(vector.new(8, Y - 4, 8)).name)
end

local SKY, ABOVE = vector.new(-16, 96, 0), vector.new(31, 111, 79)
local GROUND, TOP = vector.new(-48, -16, -48), vector.new(47, 63, 47)

-- What surface:load takes: the blocks as they are now.
local function blocks(p1, p2)
  local vm = core.get_voxel_manip()
  local from, to = vm:read_from_map(p1, p2)
  return from.x, from.y, from.z, to.x - from.x + 1, to.y - from.y + 1, to.z - from.z + 1, vm:get_data()
end

-- Trips over the terrain, by wend and by core.find_path. plain: a surface with the steps that find_path has.
local function trips(pairs_of)
  local plain = wend.surface { classes = walkers.classes, diagonals = "never", swim = true, centred = true }
  local began = core.get_us_time()
  plain:load(blocks(GROUND, TOP))
  say("terrain: %s, read and loaded in %.1f ms", tostring(plain), (core.get_us_time() - began) / 1000)
  local rows = {}
  local function row(name, fn)
    local one = { name = name, times = {}, lengths = {}, found = 0, reasons = {} }
    for i, pair in ipairs(pairs_of) do
      local start = core.get_us_time()
      local length, reason = fn(pair[1], pair[2])
      one.times[i] = core.get_us_time() - start
      one.lengths[i] = length
      if length then one.found = one.found + 1 else one.reasons[reason] = (one.reasons[reason] or 0) + 1 end
    end
    local sorted, reasons = { unpack(one.times) }, {}
    table.sort(sorted)
    for reason, count in pairs(one.reasons) do reasons[#reasons + 1] = count .. " " .. reason end
    say("%s: %d found, median %.2f ms, p99 %.2f ms, the slowest %.2f ms, reasons: %s", name, one.found,
      sorted[math.ceil(#sorted / 2)] / 1000, sorted[math.ceil(#sorted * 0.99)] / 1000, sorted[#sorted] / 1000,
      table.concat(reasons, ", "))
    rows[#rows + 1] = one
    return one
  end
  local function by(surface, costs)
    return function(a, b)
      local path, _, reason = surface.graph:path(surface:at(a), surface:at(b), { costs = costs })
      return path and path.cost, reason
    end
  end
  local whole, narrow = row("wend", by(walkers.surface, walkers.costs)), row("wend, plain", by(plain))
  local low, wet = 0, 0
  local path_of = row("find_path", function(a, b)
    local way = core.find_path(a, b, 48, 1, 3, "A*")
    if not way then return nil, "nil" end
    local length, hits, wades = 0, false, false
    for _, pos in ipairs(way) do
      local head = core.registered_nodes[core.get_node(vector.new(pos.x, pos.y + 1, pos.z)).name]
      local feet = core.registered_nodes[core.get_node(pos).name]
      hits, wades = hits or head.walkable, wades or feet.liquidtype ~= "none"
    end
    low, wet = low + (hits and 1 or 0), wet + (wades and 1 or 0)
    for i = 2, #way do length = length + vector.distance(way[i - 1], way[i]) end
    return length
  end)
  say("find_path: %d of its ways pass where a head does not, %d lead through water", low, wet)
  for name, to in pairs { climber = vector.new(14, Y + 5, 10), doorkeeper = vector.new(14, Y, 14) } do
    local way = core.find_path(vector.new(0, Y, to.z), to, 48, 1, 3, "A*")
    say("find_path: the way of the %s: %s", name, way and #way or "nil")
  end
  local sums, both = { 0, 0, 0 }, 0
  for i in ipairs(pairs_of) do
    if whole.lengths[i] and narrow.lengths[i] and path_of.lengths[i] then
      both = both + 1
      for k, one in ipairs(rows) do sums[k] = sums[k] + one.lengths[i] end
    end
  end
  say("%d found by all: mean length wend %.1f, plain %.1f, find_path %.1f", both, sums[1] / both, sums[2] / both,
    sums[3] / both)
  check(whole.found >= narrow.found and whole.found > 150, "wend finds %d trips of %d", whole.found, #pairs_of)
end

local function places(count)
  local random, list = PcgRandom(7), {}
  local surface = walkers.surface
  local function place()
    local x, z = random:next(-44, 43), random:next(-44, 43)
    local node = surface:at(x, 63, z)
    if not node or surface.graph:node_tag(node) then return end
    local _, y = surface.graph:position(node)
    local floor = core.get_node(vector.new(x, y - 0.5, z)).name
    if core.get_item_group(floor, "leaves") == 0 then return vector.new(x, y + 0.5, z) end -- nobody gets into the trees
  end
  for _ = 1, 10000 do
    local a, b = place(), place()
    if #list < count and a and b and vector.distance(a, b) > 20 then list[#list + 1] = { a, b } end
  end
  return list
end

local function begin()
  local pairs_of = places(200)
  check(#pairs_of == 200, "%d trips", #pairs_of)
  across("jumper", 1, 0, 24, "jump")
  across("swimmer", 6, 0, 14, "water")
  across("climber", 10, 0, 14, "ladder", 5)
  across("doorkeeper", 14, 0, 14, "door")
  across("digger", 18, 0, 14)
  across("frugal", 23, 0, 22)
  across("unloader", 47, -6, 24)
  across("builder", 56, 0, 22)
  across("rich", 66, 0, 22).purse = true
  across("poor", 66, 0, 22)
  local sent, surface = 0, walkers.surface
  for _, pair in ipairs(pairs_of) do
    local path = surface.graph:path(surface:at(pair[1]), surface:at(pair[2]), { costs = walkers.costs })
    if sent < 4 and path and path.cost < 45 then
      sent = sent + 1
      send("wanderer " .. sent, pair[1], pair[2])
    end
  end
  local over
  core.register_globalstep(guarded(function(dtime)
    if over or not watch(dtime) then return end
    over = true
    judge()
    -- No edit was missed: only the box that was unloaded is new.
    local before = tonumber(tostring(surface):match "%d+")
    surface:load(blocks(SKY, ABOVE)):load(blocks(GROUND, TOP))
    local after = tonumber(tostring(surface):match "%d+")
    check(after == before + 16, "%d places, and %d when all is loaded again", before, after)
    trips(pairs_of)
    finish()
  end))
end

local function forceload(from, to)
  for z = from.z, to.z, 16 do for y = from.y, to.y, 16 do for x = from.x, to.x, 16 do
    core.forceload_block(vector.new(x, y, z), true)
  end end end
end

core.after(0, guarded(function()
  forceload(SKY, ABOVE)
  forceload(GROUND, TOP)
  walkers.load(SKY, ABOVE, guarded(function()
    build()
    walkers.load(GROUND, TOP, guarded(begin))
  end))
end))
