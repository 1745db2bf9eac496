-- SPDX-License-Identifier: MIT
-- The state of a follower as plain values, and the follower of a state.
--
-- A state holds what cannot be calculated again: the points with their distances, the row of the current leg of a
-- curve, and where the follower is on it. Everything else follows from these: `enter` fills in the items of the chord.
-- So a restored follower has the same numbers as the one that was saved, to the last bit.
--
--   x, y[, z], heading, speed, done     as the fields of the follower
--   dimensions, curve, spacing, loop, clear   the options; clear: whether there was one
--   slots         the slots of the track as one list: `at` and a point each, from slot 2; from slot 1 if `first` is 1
--   first         the first slot of the way
--   edges, nodes  by leg and by point, ids; 0: none
--   links         the legs that are links of a grid, ascending
--   lead          dx, dy, dz, reach and heading at the beginning of the track
--   walked, lost, finish, length   distances; length is missing on loops and while it is not known
--   chord         straight: the slot of the chord; on a curve its number in the row; 0: it is on no chord
--   leg, row, headings, piece   on curves: the slot of the leg, its row, and the largest length of a chord
--   events        active, paused, waiting, slot, begun, stops, speeds, on_point (whether there was one)
--                 slot: only of active ones
--
-- A state may be damaged on purpose. The checks here leave no follower that raises, walks without end or comes to NaN.

local core = require "wend.core"
local check = require "wend.check"
local clear = require "wend.clear"
local plain = require "wend.state.plain"
local tracks = require "wend.track"
local saved_maps = require "wend.state.saved"
local state = require "wend.follow.state"
local rows = require "wend.follow.rows"
local legs = require "wend.follow.legs"

local abs, floor, huge, max, sqrt = math.abs, math.floor, math.huge, math.max, math.sqrt
local CHANGED, COORDINATE_MAX = state.CHANGED, state.COORDINATE_MAX
local WALKED, UPTO, LOST, FROM, X = state.WALKED, state.UPTO, state.LOST, state.FROM, state.X
local Y, Z, HEADING, ROW, CHORD = state.Y, state.Z, state.HEADING, state.ROW, state.CHORD
local FINISH, LENGTH, TRACK, HOW, EVENTS = state.FINISH, state.LENGTH, state.TRACK, state.HOW, state.EVENTS
local put, damaged = plain.put, plain.damaged

local AT_MAX = 1e160            -- distances: sums of up to ten billion legs
local WHOLE_MAX = 2 ^ 53        -- ids
local POINTS_MAX = 1e7          -- points of a curve, as in wend.track
local TOLERANCE = 1e-12         -- of the largest number: by rounding, a distance may differ from that of its points
local SHARE = 4                 -- so many times longer than its points are apart may a short leg be, by rounding

local KINDS = { [0] = "linear", "catmull_rom", "hermite" } -- as in wend.curve
local NUMBERS = { linear = 0, catmull_rom = 1, hermite = 2 }

local save = {}

local function set_of(...)
  local set = {}
  for _, key in ipairs { ... } do
    set[key] = true
  end
  return set
end

local KEYS = set_of("kind", "version", "map", "dimensions", "x", "y", "z", "heading", "speed", "done", "curve",
  "spacing", "loop", "clear", "slots", "first", "edges", "nodes", "links", "lead", "walked", "lost", "finish", "length",
  "chord",
  "leg", "row", "headings", "piece", "events")
local EVENT_KEYS = set_of("active", "paused", "waiting", "slot", "begun", "stops", "speeds", "on_point")

-- Saving -----------------------------------------------------------------------------------------------------------

--- A finite number of the list part, as a state holds it. Raises if a script has put something else there.
local function kept(value)
  if type(value) ~= "number" or not (value > -huge and value < huge) then
    check.fail(CHANGED)
  end
  return put(value)
end

--- Items first .. last of a list of numbers.
local function kept_list(list, first, last)
  if type(list) ~= "table" then
    check.fail(CHANGED)
  end
  local copy = {}
  for i = first, last do
    copy[i - first + 1] = kept(rawget(list, i))
  end
  return copy
end

--- A list of `count` ids, with 0 where there is none, or where a graph has it no more.
-- @param has the method of the graph that tells whether an id exists, or nil
local function ids(list, count, map, has)
  local copy = {}
  for i = 1, count do
    local id = rawget(list, i)
    copy[i] = id and (not has or has(map, id)) and id or 0
  end
  return copy
end

--- The number of the chord for the state: 0 if the follower is on none.
local function chord_of(self, track, stride)
  local c = self[CHORD]
  if type(c) ~= "number" or c ~= c then
    check.fail(CHANGED)
  end
  local number = floor((c - 1) / stride) + 1
  if track.straight then
    local from = track[(track.first - 1) * stride + 1]
    if self.done and not (self[FINISH] > 0 or self[FINISH] > from) then
      return 0              -- it has never been on a chord of this track
    end
    return number >= track.first and number < track.last and number or 0
  elseif not track.row_made or number < 1 or number > track.points or self[FROM] == self[FINISH] then
    return 0
  end
  return number
end

local function saved_events(events)
  local saved = {
    active = events.active, paused = events.paused, waiting = events.waiting,
    slot = events.active and events.slot or nil,
    begun = events.begun, on_point = events.on_point ~= nil,
  }
  if events.stops then
    saved.stops = {}
    for tag in pairs(events.stops) do
      saved.stops[#saved.stops + 1] = tag
    end
    table.sort(saved.stops)
  end
  if events.speeds then
    saved.speeds = {}
    for tag, factor in pairs(events.speeds) do
      saved.speeds[tag] = put(factor)
    end
  end
  return saved
end

--- f:state(): the follower as a table of plain values: strings, finite numbers, booleans, and tables of them.
-- @return the table
-- Raises while the follower asks `clear`; if a script has set the speed or the position to a wrong value; and if
-- the map of the follower was freed.
function save.state(self)
  state.check_self(self)
  state.check_idle(self)
  state.check_place(self)
  state.check_speed(self.speed)
  local track, how, events = self[TRACK], self[HOW], self[EVENTS]
  if type(track) ~= "table" then
    check.fail(CHANGED)
  end
  local dimensions, map, straight = track.dimensions, track.map, track.straight
  local stride = dimensions + 1
  local graph = core.type(map) == "graph"
  local length = self[LENGTH]
  local saved = {
    kind = "follower", version = 1, map = map and saved_maps.text(map) or nil,
    dimensions = dimensions, curve = KINDS[how.kind], spacing = how.spacing, loop = how.loop, clear = how.clear ~= nil,
    x = put(self.x), y = put(self.y), z = self[Z] and put(self.z) or nil, heading = put(self.heading),
    speed = put(self.speed), done = self.done == true,
    slots = kept_list(track, track.first > 1 and stride + 1 or 1, track.last * stride), first = track.first,
    walked = kept(self[WALKED]), lost = kept(self[LOST]), finish = kept(self[FINISH]),
    length = length and length ~= huge and kept(length) or nil,
    chord = chord_of(self, track, stride),
    edges = track.edges and ids(track.edges, track.count - 1, map, graph and map.has_edge or nil) or nil,
    nodes = track.nodes and ids(track.nodes, track.count, map, graph and map.has or nil) or nil,
  }
  if track.jumps then
    saved.links = {}
    for leg = 1, track.count - 1 do
      if track.jumps[leg] then
        saved.links[#saved.links + 1] = leg
      end
    end
  end
  if track.dx then
    saved.lead = { kept(track.dx), kept(track.dy), kept(track.dz), kept(track.reach), kept(track.heading) }
  end
  if not straight and track.row_made then
    saved.leg, saved.piece = track.slot, track.spacing
    saved.row = kept_list(track.row, 1, (track.points + 1) * stride)
    saved.headings = kept_list(track.headings, 1, track.points + 1)
  end
  if events then
    saved.events = saved_events(events)
  end
  return saved
end

-- Restoring --------------------------------------------------------------------------------------------------------

--- Checks the points of a list of slots: the distances rise as much as the points are apart.
-- @param list slots as one list; stride: numbers in a slot
-- @param first, count the first slot that counts, and the number of slots
local function check_slots(list, stride, first, count, where)
  local most = 0
  for i = 1, count * stride do
    most = max(most, abs(list[i]))
    if (i - 1) % stride ~= 0 and abs(list[i]) > COORDINATE_MAX then
      damaged(where)
    end
  end
  for c = (first - 1) * stride + 1, (count - 2) * stride + 1, stride do
    local way = list[c + stride] - list[c]
    local dx, dy = list[c + stride + 1] - list[c + 1], list[c + stride + 2] - list[c + 2]
    local dz = stride == 4 and list[c + 7] - list[c + 3] or 0
    local distance = sqrt(dx * dx + dy * dy + dz * dz)
    if way < 0 or way > SHARE * distance + TOLERANCE * most
      or way > 0 and distance > SHARE * way + TOLERANCE * most then
      damaged(where)
    end
  end
end

--- Reads ids: a list of `count` numbers; 0 becomes false. Raises if a graph has one of them not.
local function read_ids(saved, key, count, map, has)
  local list = plain.wholes(saved, key, 0, WHOLE_MAX)
  if list then
    if #list ~= count then
      damaged(key)
    end
    for i = 1, count do
      if list[i] == 0 then
        list[i] = false
      elseif has and not has(map, list[i]) then
        damaged(key)
      end
    end
  end
  return list
end

--- Makes the track of a state.
local function read_track(saved, dimensions, loop, map)
  local stride = dimensions + 1
  local slots = plain.numbers(saved, "slots", AT_MAX) or damaged "slots"
  local amount = #slots / stride
  local first = plain.whole(saved, "first", 1, WHOLE_MAX)
  local start = first == 1 and 1 or 2         -- the slot with which the list begins
  local last = start + amount - 1
  if amount % 1 ~= 0 or amount < 1 or last < 2 or first > last or loop and first > 2 then
    damaged "slots"
  end
  last = floor(last)
  check_slots(slots, stride, first - start + 1, floor(amount), "slots")
  local count, points = last - 1, { dimensions = dimensions }
  for slot = 2, last do
    for axis = 1, dimensions do points[#points + 1] = slots[(slot - start) * stride + 1 + axis] end
  end
  local links = plain.wholes(saved, "links", 1, max(count - 1, 0))
  if links then
    points.links = {}
    for i, leg in ipairs(links) do
      if i > 1 and leg <= links[i - 1] then
        damaged "links"
      end
      points.links[leg] = true
    end
  end
  local track = tracks.read(points, dimensions, false)
  for slot = 1, last do
    for i = 1, stride do
      track[(slot - 1) * stride + i] = slot >= start and slots[(slot - start) * stride + i] or 0.0
    end
  end
  local graph = core.type(map) == "graph"
  track.map = map
  track.edges = read_ids(saved, "edges", count - 1, map, graph and map.has_edge or nil)
  track.nodes = read_ids(saved, "nodes", count, map, graph and map.has or nil)
  track.edge_pool, track.node_pool = track.edges, track.nodes
  track.first, track.last = first, last
  track.length = track[(last - 1) * stride + 1]
  track.start = loop and track.length > track[stride + 1] and 2 or nil
  track.row_made, track.base = false, 0.0
  local lead = plain.numbers(saved, "lead", COORDINATE_MAX)
  if lead then
    if #lead ~= 5 or lead[4] < 0 or abs(lead[1]) > 2 or abs(lead[2]) > 2 or abs(lead[3]) > 2 then
      damaged "lead"
    end
    track.dx, track.dy, track.dz, track.reach, track.heading = lead[1], lead[2], lead[3], lead[4], lead[5]
  end
  return track
end

--- Reads the row of the current leg of a curve into the track.
local function read_row(saved, track)
  local stride = track.dimensions + 1
  local row = plain.numbers(saved, "row", AT_MAX)
  if not row then
    return
  end
  local headings = plain.numbers(saved, "headings", COORDINATE_MAX) or damaged "headings"
  local points = #row / stride
  if points % 1 ~= 0 or points < 2 or #headings ~= points then
    damaged "row"
  end
  points = floor(points)
  check_slots(row, stride, 1, points, "row")
  track.slot = plain.whole(saved, "leg", track.first, track.last - 1)
  track.spacing = plain.number(saved, "piece", COORDINATE_MAX)
  local from = (track.first - 1) * stride + 1
  local way = track.length - track[from]
  if not (track.spacing > 0) or way / track.spacing > POINTS_MAX + 16 * track.count then
    damaged "piece"
  end
  track.chords = max(rows.most_chords(track, from, (track.last - 1) * stride + 1), points - 1)
  rows.reserve(track, row, headings)        -- makes these lists long enough, so that they need not grow later
  track.row, track.headings, track.points, track.row_made = row, headings, points - 1, true
  rows.reserve(track)
end

--- Reads the state of stops, speeds, on_point and pauses.
local function read_events(saved, track, on_point)
  local from = rawget(saved, "events")
  if from == nil then
    return false
  end
  plain.check_keys(from, "events", EVENT_KEYS)
  local events = {
    active = plain.flag(from, "active"), paused = plain.flag(from, "paused"), waiting = plain.text(from, "waiting"),
    begun = plain.flag(from, "begun"), slot = track.first, grid = legs.is_on_grid(track),
  }
  if events.active then
    events.slot = plain.whole(from, "slot", track.first, track.last)
  end
  if rawget(from, "stops") ~= nil then
    events.stops = {}
    for _, tag in ipairs(plain.names(from, "stops")) do
      if type(tag) ~= "string" then
        damaged "stops"
      end
      events.stops[tag] = true
    end
  end
  local speeds = rawget(from, "speeds")
  if speeds ~= nil then
    events.speeds = {}
    if type(speeds) ~= "table" then
      damaged "speeds"
    end
    for tag, factor in next, speeds do
      if type(tag) ~= "string" or factor ~= "-0"
        and (type(factor) ~= "number" or not (factor >= 0 and factor < huge)) then
        damaged "speeds"
      end
      events.speeds[tag] = plain.number(speeds, tag, huge)
    end
  end
  if events.waiting and not (events.stops and events.stops[events.waiting] and events.slot < track.last) then
    damaged "waiting"
  end
  if plain.flag(from, "on_point") then
    if on_point == nil then
      check.fail "on_point must be given: the follower had one"
    end
    events.on_point = on_point
  end
  return events
end

--- Checks `finish`: the end of the row, or a little less at the end of the way. On a leg of length 0 of a curve, the
--- row is that of a leg before or after.
-- @param from, upto where the row begins and ends
local function check_finish(finish, from, upto, track, chord)
  local slack = track.start and 0 or TOLERANCE * (abs(from) + abs(upto))
  if (finish > upto or finish < upto - slack)
    and not (chord == 0 and not track.straight and (finish == 0 or finish == from)) then
    damaged "finish"
  end
end

--- Puts the follower where it was on its track.
local function place(self, saved, track)
  local stride = track.dimensions + 1
  local straight = track.straight
  local row = straight and track or track.row or track
  local chord = plain.whole(saved, "chord", 0, WHOLE_MAX)
  local walked, finish = plain.number(saved, "walked", AT_MAX), plain.number(saved, "finish", AT_MAX)
  local lost = plain.number(saved, "lost", AT_MAX)
  local done, on_row = self.done, straight or track.row_made
  local from = track[(track.first - 1) * stride + 1]
  local moves = finish > 0 or finish > from
  self[ROW], self[WALKED], self[LOST], self[FINISH] = row, walked, lost, finish
  if not on_row and not (done and chord == 0) then
    damaged "row"
  elseif moves and not on_row then
    damaged "finish"
  elseif moves or chord > 0 then
    local upto = ((straight and track.last or track.points + 1) - 1) * stride + 1
    check_finish(finish, straight and from or row[1], row[upto], track, chord)
  end
  if abs(lost) > 1e-9 * max(1, abs(walked), abs(finish)) then
    damaged "lost"
  end
  if chord > 0 then
    if straight and not (chord >= track.first and chord < track.last) or not straight and chord > track.points then
      damaged "chord"
    end
    rows.enter(self, row, (chord - 1) * stride + 1)
    if not done and walked >= finish then
      self[UPTO] = finish         -- f:resume with a position has moved it over the rest of the leg
    end
  elseif straight and (moves or not done) or not done and walked ~= finish then
    damaged "chord"
  else
    local c = ((track.slot or track.first) - 1) * stride + 1
    self[FROM], self[UPTO], self[X], self[Y] = finish, finish, track[c + 1], track[c + 2]
    if stride == 4 then
      self[Z] = track[c + 3]
    end
  end
  -- A leg of length 0 at the end of the way begins a little behind `finish`.
  if not done and not (self[FROM] <= walked and (walked <= self[UPTO] or walked == self[FROM])) then
    damaged "walked"
  end
  self.leg = done and track.last - 2 or (straight and chord or track.slot) - 1
  if track.start then
    self[LENGTH] = huge
  elseif rawget(saved, "length") ~= nil then
    self[LENGTH] = plain.number(saved, "length", AT_MAX)
  elseif straight or done then
    damaged "length"
  else
    self[LENGTH] = false          -- not measured yet
  end
end

--- Makes a follower from a state.
-- @param make a function (list): makes an object of the class of a table
-- @param given the option clear, and the option on_point
-- @return the follower. A damaged value raises plain.damaged.
function save.restore(saved, map, given, make)
  plain.check_keys(saved, "state", KEYS)
  local dimensions = plain.whole(saved, "dimensions", 2, 3)
  local kind = NUMBERS[plain.text(saved, "curve") or ""] or damaged "curve"
  local loop = plain.flag(saved, "loop")
  local spacing = rawget(saved, "spacing") ~= nil and plain.number(saved, "spacing", COORDINATE_MAX) or nil
  if spacing and not (spacing > 0) then
    damaged "spacing"
  end
  local asks = plain.flag(saved, "clear")
  if asks and given.clear == nil then
    check.fail "clear must be given: the follower had one"
  end
  local how = {
    dimensions = dimensions, kind = kind, clear = asks and clear.of(given.clear, dimensions) or nil, spacing = spacing,
    loop = loop,
  }
  local track = read_track(saved, dimensions, loop, map)
  track.straight = kind == 0
  if not track.straight then
    read_row(saved, track)
  elseif rawget(saved, "row") ~= nil then
    damaged "row"
  end
  local z = dimensions == 3 and plain.number(saved, "z", COORDINATE_MAX) or nil
  if dimensions == 2 and rawget(saved, "z") ~= nil then
    damaged "z"
  end
  local speed = rawget(saved, "speed")
  if speed == "-0" or type(speed) ~= "number" or not (speed >= 0 and speed < huge) then
    speed = plain.number(saved, "speed", 0)       -- -0
  end
  local self = {
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, false, 0.0, z or false, 0.0, 0.0, false, 1, 0.0, 0.0, track, how,
    read_events(saved, track, given.on_point), false,
    x = 0.0, y = 0.0, heading = 0.0, leg = 0, done = plain.flag(saved, "done"), speed = speed, update = make.update,
    z = z,
  }
  place(self, saved, track)
  local heading = plain.number(saved, "heading", COORDINATE_MAX)
  if self[HEADING] ~= self[HEADING] then
    damaged "row"
  end
  self.x, self.y, self.heading =
    plain.number(saved, "x", COORDINATE_MAX), plain.number(saved, "y", COORDINATE_MAX), heading
  return setmetatable(self, make.metatable)
end

return save
