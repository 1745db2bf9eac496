-- SPDX-License-Identifier: MIT
-- wend.type; metatables that no script can reach; and arguments and options of the wrong type.
local helper = require "spec.support.helper"
local wend = require "wend"

local raises = helper.raises
local unpack = table.unpack or unpack -- luacheck: ignore 143

local g = wend.graph()
g:add_nodes { 0, 0, 1, 0 }
g:add_edge(1, 2)
local grid = wend.grid(3, 3)
local queue = wend.queue()

local OBJECTS = {
  { "graph", g }, { "grid", grid }, { "search", g:search(1, 2) }, { "search", grid:search(1, 1, 2, 2) },
  { "path", g:path(1, 2) }, { "path", grid:path(1, 1, 3, 3) }, { "field", g:field(1) }, { "field", grid:field(1, 1) },
  { "walls", wend.walls() }, { "routes", g:routes() }, { "costs", wend.costs() },
  { "costs", wend.costs():readonly() }, { "mod", wend.costs():mod "bog" },
  { "graph", g:overlay() }, { "grid", grid:overlay() }, { "preparation", g:prepare { sliced = true } },
  { "level", wend.level() }, { "influence", wend.influence(grid) },
  { "surface", wend.surface { classes = {} } },
  { "why", grid:why_not(1, 1, 2, 2, { max_cost = 0 }) }, { "queue", queue }, { "request", queue:path(g, 1, 2) },
}
if wend.follow then OBJECTS[#OBJECTS + 1] = { "follower", wend.follow { 0, 0 } } end

local OTHERS = { 7, "graph", true, print, {}, io.stdout, coroutine.create(function() end), wend,
  g:route({ 0, 0 }, { 1, 0 }), wend.curve and wend.curve { 0, 0, 1, 1 } }

describe("wend.type", function()
  it("says what an object is", function()
    for _, pair in ipairs(OBJECTS) do assert.equal(pair[1], wend.type(pair[2])) end
  end)

  it("is nil for anything else", function()
    for _, value in ipairs(OTHERS) do assert.is_nil(wend.type(value)) end
    assert.is_nil(wend.type(nil))
  end)

  it("wants a value", function()
    local ok, message = pcall(wend.type)
    assert.is_false(ok)
    assert.truthy(message:find "value expected")
  end)

  it("goes by identity, not by names or fields", function()
    for _, fake in ipairs {
      { __name = "wend.Graph" }, { __type = "graph", __metatable = "graph" }, { __index = g },
    } do
      local object = setmetatable({}, fake)
      assert.is_nil(wend.type(object))
      raises("self must be a graph (call it with a colon: graph:method()), got "
        .. (fake.__name and "a wend.Graph" or "a table"), g.node_count, object)
    end
  end)

  it("takes no type from a script", function()
    raises("the parts are taken: load wend.core anew as well", wend.core.parts)
    raises("the class of costs is taken: load wend.core anew as well", wend.core.costs_class, print, print, {}, {}, {})
    assert.is_false((pcall(wend.core.costs_class)))
  end)
end)

describe("a metatable", function()
  it("is locked: scripts get the name of the type instead", function()
    for _, pair in ipairs(OBJECTS) do
      assert.equal(pair[1], getmetatable(pair[2]))
      assert.is_false((pcall(setmetatable, pair[2], {})))
    end
  end)

  it("of what is internal is locked too", function()
    local hidden = 0
    for key, value in pairs(debug.getregistry()) do -- the state of the module, by its address
      if type(key) == "userdata" and type(value) == "userdata" and getmetatable(value) == false then
        hidden = hidden + 1
      end
    end
    assert.truthy(hidden >= 1)
    for _, path in ipairs { OBJECTS[5][2], OBJECTS[6][2] } do
      for _, value in pairs(path) do
        if type(value) == "userdata" and not wend.type(value) then assert.is_false(getmetatable(value)) end
      end
    end
  end)

  it("does not hand out finalizers", function()
    for _, pair in ipairs(OBJECTS) do
      assert.is_false((pcall(function() getmetatable(pair[2]).__gc(io.stdout) end)))
    end
    assert.equal("file", io.type(io.stdout))
  end)
end)

-- Wrong types --------------------------------------------------------------------------------------------------------

local NIL, NAN, HUGE = {}, 0 / 0, math.huge

local function show(value)
  if value == NIL then return "nil" end
  if value ~= value then return "nan" end
  if type(value) == "string" then return ("'%s'"):format(value) end
  local class = wend.type(value)
  if class == "walls" or class == "graph" or class == "grid" then
    return "a wend." .. class:gsub("^%l", string.upper)
  end
  if type(value) == "number" then return ("%.14g"):format(value) end
  return type(value) == "boolean" and tostring(value) or "a " .. type(value)
end

-- What a value must be, and values that are something else. A kind with "?" may be missing.
local NO_NODE = { NIL, true, -1, 1.5, NAN, HUGE, print }
local NO_EDGE = { NIL, true, "5", -1, 1.5, NAN, HUGE, {}, print }
local NO_TEXT = { NIL, true, "", 7, print }
local NO_NAME = { NIL, true, 7, "x", {}, print }
local NO_NUMBER = { NIL, true, "5", NAN, HUGE, -HUGE, print }
local NO_COUNT = { NIL, true, "5", -1, 1.5, NAN, 1e151, print }
local NO_TABLE = { NIL, true, "x", 7, print, wend.walls(), g }
local NO_OBJECT = { NIL, true, "x", 7, {}, print, wend.walls(), g }
local function outside(...) return { NIL, true, "5", 0, -1, 1.5, NAN, HUGE, -HUGE, 4294967297, print, ... } end
local NO_FLAG = { NIL, "no", 0, 1, print }
local KINDS = {
  node = { "must be a node (its id or name)", NO_NODE },
  edge = { "must be an edge (its id)", NO_EDGE },
  wall = { "must be a wall (its id)", NO_EDGE },
  column = { "must be a whole number in 1 .. 7", outside(8) },
  row = { "must be a whole number in 1 .. 3", outside(4) },
  tags = { "must be a list of tags", NO_TABLE },
  size = { "must be a whole number in 1 .. 2147483647", outside(2147483648) },
  landmarks = { "must be a whole number in 1 .. 16", outside(17) },
  body = { "must be a whole number in 1 .. 32", outside(33) },
  coordinate = { "must be a finite number (up to 1e150)", { NIL, true, "5", NAN, HUGE, -HUGE, 1e151, print } },
  number = { "must be a finite number", NO_NUMBER },
  rank = { "must be a number", { NIL, true, false, "5", NAN, print } },
  any_number = { "must be a number", { NIL, true, "5", print } },
  first_coordinate = { "must be a finite number (up to 1e150)", { NIL, NAN, HUGE, -HUGE, 1e151 } },
  length = { "must be a finite number >= 0", { NIL, true, "5", -1, NAN, HUGE, print } },
  distance = { "must be a number in 0 .. 1e+150", { NIL, true, "5", -1, NAN, HUGE, print } },
  limit = { "must be a number >= 0", { NIL, true, "5", -1, NAN, -HUGE, print } },
  from_0 = { "must be a whole number >= 0", NO_COUNT },
  from_1 = { "must be a whole number >= 1", { NIL, true, "5", 0, -1, 1.5, NAN, HUGE, print } },
  value = { "must be a number >= 0, false, a tag or { weight =, tag = }", { NIL, true, -1, NAN, -HUGE, print } },
  data = { "must be a string, a Data of LÖVE, or a pointer with the option length",
    { NIL, true, 7, {}, print, wend.walls(), g } },
  numbered = { "must be a table of cell values by number", { NIL, true, "x", 7, print } },
  area = { "must be a rectangle { x1, y1, x2, y2 }", { true, "x", 7, {}, { 1, 2, 3 }, print } },
  bytes = { "must be 1, 2 or 4", { true, "1", 0, 3, 8, 1.5, NAN, HUGE, print } },
  stride = { "must be a whole number in 7 .. 4294967295", { true, "9", 6, -1, 7.5, 4294967296, NAN, HUGE, print } },
  from_0_53 = { "must be a whole number in 0 .. 9007199254740992", { true, "9", -1, 7.5, 1e16, NAN, HUGE, print } },
  text = { "must be a string that is not empty", NO_TEXT },
  string = { "must be a string", { NIL, true, 7, {}, print } },
  flag = { "must be true or false", NO_FLAG },
  fn = { "must be a function", { NIL, true, "x", 7, {} } },
  list = { "must be a list", NO_TABLE },
  table = { "must be a table", NO_TABLE },
  nodes = { "must be a list of nodes", NO_TABLE },
  cells = { "must be a list of cells", NO_TABLE },
  costs = { "must be a profile made by wend.costs", NO_OBJECT },
  clear = { "must be a function, walls or a grid", { NIL, true, false, "x", 7, {}, g } },
  field = { "must be a field", NO_OBJECT },
  path = { "must be a path", NO_TABLE },
  its_path = { "must be a path of this grid", NO_OBJECT },
  position = { "must be a position: { x, y }, or something with fields x and y", { NIL, true, print } },
  dimensions = { "must be 2 or 3", { NIL, 1, 4, 2.5, "2", NAN, false } },
  diagonals = { "must be one of: both_open, one_open, always, never", NO_NAME },
  length_1_to_2 = { "must be a number in 1 .. 2", { NIL, true, "1", 0.5, 2.5, NAN, HUGE, print } },
  projection = { "must be one of: orthogonal, isometric", NO_NAME },
  algorithm = { "must be one of: astar, dijkstra", NO_NAME },
  last_step = { "must be one of: fits, any", NO_NAME },
  enter = { "must be one of: node, edge", NO_NAME },
  curve = { "must be one of: linear, hermite, catmull_rom", NO_NAME },
  promise = { "must be a number in 0 .. 1", { NIL, true, false, "1", 2, -0.5, NAN, HUGE, print } },
  above_0 = { "must be a finite number > 0", { NIL, true, "5", 0, -1, NAN, HUGE, print } },
  slowness = { "must be a number > 0", { NIL, "5", 0, -1, NAN, print } },
  size_of_body = { "must be a number in 0.001 .. 1000000", { NIL, "5", 0, 1000001, NAN, HUGE, print } },
  speed_of_body = { "must be a number in 0 .. 1000000", { NIL, "5", -1, 1000001, NAN, HUGE, print } },
  budget = { "must be a whole number >= 1", { NIL, true, "5", 0, -1, 1.5, NAN, print } },
  steps = { "must be a whole number in 1 .. 1000000", { NIL, true, "5", 0, 1.5, 2000000, NAN, HUGE, print } },
  group = { "must be a string", { NIL, 5, {}, print } },
  groups = { "must be a list of groups", { NIL, 5, "birds", print } },
  map = { "must be a graph or a grid", { NIL, true, 5, "x", {}, wend.walls() } },
  made_walls = { "must be made by wend.walls", { NIL, true, 5, "x", {}, print, g, wend.grid(2, 2) } },
  walls = { "must be walls", { NIL, true, 5, "x", {}, g } },
  queue = { "must be a queue", { NIL, true, 5, "q", {}, g } },
  line = { "must be a list of numbers, a path or a route", { NIL, true, 7, "x", print, g } },
  heuristic = { "must be one of: auto, zero, euclidean, manhattan, chebyshev, octile, or a function",
    { NIL, true, 7, "x", {} } },
}

local field, walls = g:field(1), wend.walls()
walls:add_circle(9, 9, 1)
local wide = wend.grid(7, 3)
local COSTS = "costs: costs"
local PATH = "costs: costs, cost: fn, algorithm: algorithm, heuristic: heuristic, max_expanded: from_0, "
  .. "max_cost: limit, partial: flag, seed: number, into: table, stats: table"
local TURNS = "per_turn: above_0, last_step: last_step, pass_only: tags"

local TRIPS = "partial: flag, costs: costs, cost: fn, heuristic: heuristic, max_cost: limit, stats: table"
local ENDED = "priority: number, on_done: fn"
local profile = wend.costs()
local mod = profile:mod "bog"
local high = wend.graph { dimensions = 3 }
local path, cells, trips = g:path(1, 2), wide:path(1, 1, 2, 2), { 1, 2 }
local asked = wend.queue()

-- Each row: a function or method, the object, arguments that are right, what they must be, and where it takes options,
-- what these must be. Then, for a row of its own, options without which these would not be looked at.
local CALLS = {
  { "wend.graph", nil, {}, "", "dimensions: dimensions" },
  { "wend.grid", nil, { 7, 3 }, "width: size, height: size",
    "diagonals: diagonals, diagonal_length: length_1_to_2, projection: projection, cell: above_0" },
  { "graph:add_node", g, { 1, 2 }, "x: coordinate?, y: coordinate", "name: text, radius: length, tag: text" },
  { "graph:add_nodes", g, { { 1, 2 } }, "points: list", "tag: text" },
  { "graph:add_edge", g, { 1, 2 }, "from: node, to: node",
    "weight: length, tag: text, directed: flag, width: above_0" },
  { "graph:add_edges", g, { { 1, 2 } }, "pairs: list", "weights: list, tag: text, directed: flag, width: above_0" },
  { "graph:set_name", g, { 1, "gate" }, "node: node, name: text?" },
  { "graph:set_node_tag", g, { 1, "gate" }, "node: node, tag: text?" },
  { "graph:set_radius", g, { 1, 2 }, "node: node, radius: length?" },
  { "graph:move", g, { 1, 0, 0 }, "node: node, x: coordinate, y: coordinate" },
  { "graph:set_weight", g, { 1, 5 }, "edge: edge, weight: length?" },
  { "graph:set_width", g, { 1, 2 }, "edge: edge, width: above_0?" },
  { "graph:set_tag", g, { 1, "road" }, "edge: edge, tag: text?" },
  { "graph:node", g, { "gate" }, "name: string" },
  { "graph:edge_between", g, { 1, 2 }, "a: node, b: node" },
  { "graph:path", g, { 1, 2 }, "from: node, to: node", PATH .. ", " .. TURNS },
  { "graph:search", g, { 1, 2 }, "from: node, to: node", PATH .. ", labels: flag, " .. TURNS },
  { "graph:can_reach", g, { 1, 2 }, "from: node, to: node", COSTS },
  { "graph:field", g, { 1 }, "goals: node", "costs: costs, outward: flag, max_cost: limit, into: field, " .. TURNS },
  { "graph:paths", g, { trips }, "trips: list", TRIPS },
  { "graph:paths", g, { {} }, "", TRIPS },
  { "graph:alternatives", g, { 1, 2 }, "from: node, to: node",
    "worse: above_0, seed: number, costs: costs, max_cost: limit" },
  { "graph:nearest", g, { 1, 2 }, "x: first_coordinate, y: coordinate",
    "limit: from_1, max_distance: limit, can_reach: node, clear: clear, into: table" },
  { "graph:nearest", g, { 1, 2 }, "", "costs: costs, cost: fn", { can_reach = 1 } },
  { "graph:nearest", g, { 1, 2 }, "", "at_least: promise", { can_reach = 1, cost = print } },
  { "graph:nearest", high, { 1, 2, 3 }, "x: first_coordinate, y: coordinate, z: coordinate" },
  { "graph:nearest_edge", g, { 1, 2 }, "x: first_coordinate, y: coordinate",
    "max_distance: limit, can_reach: node, clear: clear" },
  { "graph:nearest_edge", g, { 1, 2 }, "", "costs: costs, cost: fn", { can_reach = 1 } },
  { "graph:nearest_edge", g, { 1, 2 }, "", "at_least: promise", { can_reach = 1, cost = print } },
  { "graph:nearest_edge", high, { 1, 2, 3 }, "x: first_coordinate, y: coordinate, z: coordinate" },
  { "graph:random", g, { 1 }, "seed: number", "can_reach: node, costs: costs, cost: fn" },
  { "graph:chokepoints", g, {}, "", "min: from_1, limit: from_1, costs: costs, cost: fn" },
  { "graph:link", wend.graph(), {}, "",
    "limit: from_1, max_distance: limit, walls: made_walls, tag: text, clear: clear, directed: flag, widths: flag" },
  { "graph:check", g, {}, "", COSTS },
  { "graph:route", g, { { 0, 0 }, { 1, 1 } }, "from: position, to: position",
    PATH .. ", clear: clear, enter: enter, max_distance: limit" },
  { "graph:route", g, { { 0, 0 }, { 1, 1 } }, "", "jitter: distance, variation: length", { seed = 1 } },
  { "graph:encode", g, {}, "", "prepared: flag" },
  { "graph:explain", g, { { 1, 2 } }, "nodes: nodes", COSTS },
  { "graph:why_not", g, { 1, 2 }, "from: node, to: node", COSTS },
  { "graph:prepare", g, {}, "", "landmarks: landmarks, sliced: flag, costs: costs, on_progress: fn" },
  { "graph:routes", g, {}, "", COSTS },
  { "grid:set", wide, { 1, 1, 1 }, "x: column, y: row, value: value" },
  { "grid:set", wide, { 1, 1, 1, "mud" }, "x: column, y: row, value: value, tag: text?" },
  { "grid:fill", wide, { 1, 1, 2, 2, 1 }, "x1: column, y1: row, x2: column, y2: row, value: value" },
  { "grid:fill", wide, { 1 }, "value: value" },
  { "grid:close", wide, { 1, 1, 2, 2 }, "x: column, y: row, x2: column?, y2: row" },
  { "grid:open", wide, { 1, 1, 2, 2 }, "x: column, y: row, x2: column?, y2: row" },
  { "grid:map", wide, { function() end }, "fn: fn" },
  { "grid:assign", wide, { ("\0"):rep(21), { [0] = 1 } }, "data: data, values: numbered",
    "area: area, bytes: bytes, stride: stride, length: from_0_53" },
  { "grid:wall", wide, { 1, 1, 2, 1, true }, "x1: column, y1: row, x2: column, y2: row, closed: flag?" },
  { "grid:link", wide, { 1, 1, 2, 2 }, "x1: column, y1: row, x2: column, y2: row",
    "weight: length, tag: text, directed: flag" },
  { "grid:unlink", wide, { 1, 1, 2, 2 }, "x1: column, y1: row, x2: column, y2: row" },
  { "grid:has", wide, { 1, 1 }, "x: any_number, y: any_number" },
  { "grid:path", wide, { 1, 1, 2, 2 }, "x1: column, y1: row, x2: column, y2: row",
    PATH .. ", corners: flag, " .. TURNS },
  { "grid:alternatives", wide, { 1, 1, 2, 2 }, "x1: column, y1: row, x2: column, y2: row",
    "worse: above_0, seed: number, corners: flag, costs: costs, max_cost: limit" },
  { "grid:search", wide, { 1, 1, 2, 2 }, "x1: column, y1: row, x2: column, y2: row",
    PATH .. ", corners: flag, " .. TURNS },
  { "grid:clear", wide, { 1, 1, 2, 2 }, "x1: column, y1: row, x2: column, y2: row", COSTS },
  { "grid:clear_points", wide, { 1, 1, 2, 2 }, "x1: number, y1: number, x2: number, y2: number", COSTS },
  { "grid:straighten", wide, { wide:path(1, 1, 3, 3) }, "path: its_path", "costs: costs, into: table" },
  { "grid:route", wide, { { 1, 1 }, { 2, 2 } }, "from: position, to: position",
    PATH .. ", clear: clear, straighten: flag" },
  { "grid:nearest", wide, { 1, 2 }, "x: first_coordinate, y: coordinate",
    "max_distance: limit, costs: costs, cost: fn" },
  { "grid:random", wide, { 1 }, "seed: number", "costs: costs, cost: fn" },
  { "grid:chokepoints", wide, {}, "", "min: from_1, limit: from_1, costs: costs, cost: fn" },
  { "grid:cell_at", wide, { 1, 1 }, "px: number, py: number" },
  { "grid:prepared", wide, {}, "", COSTS },
  { "grid:field", wide, { 1, 1 }, "x: column, y: row",
    "costs: costs, outward: flag, max_cost: limit, into: field, window: from_1, " .. TURNS },
  { "grid:explain", wide, { { 1, 1, 2, 2 } }, "cells: cells", COSTS },
  { "grid:why_not", wide, { 1, 1, 2, 2 }, "x1: column, y1: row, x2: column, y2: row", COSTS },
  { "grid:prepare", wide, {}, "", "landmarks: landmarks" },
  { "path:points", path, {}, "", "jitter: distance, clear: clear, into: table", { jitter = 1, seed = 1 } },
  { "path:points", path, {}, "", "seed: number", { jitter = 1 } },
  { "path:points", cells, {}, "", "clear: clear", { jitter = 1, seed = 1 } },
  { "path:explain", path, {}, "", "costs: costs, cost: fn" },
  { "path:explain", path, {}, "", "at_least: promise", { cost = print } },
  { "path:edges", path, {}, "", "into: table" },
  { "path:turns", g:path(1, 2, { per_turn = 99 }), {}, "", "into: table" },
  { "wend.decode", nil, { path:encode() }, "", "map: map, costs: costs, cost: fn", { map = g } },
  { "field:add", field, { g:field(2), 1 }, "other: field, factor: number?" },
  { "field:scale", field, { 1 }, "factor: number" },
  { "walls:add_segment", walls, { 1, 1, 2, 2 }, "x1: coordinate, y1: coordinate, x2: coordinate, y2: coordinate" },
  { "walls:add_polygon", walls, { { 1, 1, 2, 2, 3, 1 } }, "points: list" },
  { "walls:add_circle", walls, { 1, 1, 2 }, "x: coordinate, y: coordinate, r: distance" },
  { "walls:remove", walls, { 1 }, "id: wall" },
  { "walls:clear", walls, { 1, 1, 2, 2, 1 },
    "x1: coordinate, y1: coordinate, x2: coordinate, y2: coordinate, radius: distance?" },
  { "watch:add", wend.watch(g), { path }, "path: path" },
  { "watch:affected", wend.watch(g), {}, "", "into: table" },
  { "wend.watch", nil, { g }, "map: map" },
  { "search:step", g:search(1, 2), { 1 }, "n: from_1" },
  { "graph:path", g, { 1, 2 }, "", "variation: length", { seed = 1 } },
  { "graph:path", g, { 1, 2 }, "", "at_least: promise", { cost = print } },
  { "graph:search", g, { 1, 2 }, "", "variation: length", { seed = 1 } },
  { "graph:search", g, { 1, 2 }, "", "at_least: promise", { cost = print } },
  { "grid:path", wide, { 1, 1, 2, 2 }, "", "variation: length", { seed = 1 } },
  { "grid:path", wide, { 1, 1, 2, 2 }, "", "at_least: promise", { cost = print } },
  { "grid:search", wide, { 1, 1, 2, 2 }, "", "at_least: promise", { cost = print } },
  { "graph:nearest", g, { 1, 2 }, "", "clearance: length", { clear = walls } },
  { "graph:route", g, { { 0, 0 }, { 1, 1 } }, "", "clearance: length", { clear = walls } },
  { "grid:route", wide, { { 0, 0 }, { 1, 1 } }, "", "clearance: length", { clear = walls } },
  { "path:points", path, {}, "", "clearance: length", { clear = walls } },
  { "preparation:step", g:prepare { sliced = true }, { 1 }, "n: from_1" },
  { "costs:mod", profile, { "bog" }, "name: text", "priority: rank" },
  { "costs:remove_mod", profile, { "bog" }, "name: text" },
  { "mod:reload", mod, { print }, "fn: fn" },
  { "wend.queue", nil, {}, "", "limit: budget, clock: fn" },
  { "queue:step", asked, { 1 }, "n: budget" },
  { "queue:run", asked, { 1, os.clock }, "seconds: limit, clock: fn?" },
  { "queue:path", asked, { g, 1, 2 }, "map: map", ENDED .. ", share: flag" },
  { "queue:can_reach", asked, { g, 1, 2 }, "map: map", ENDED },
  { "queue:paths", asked, { g, trips }, "map: map, trips: list", ENDED .. ", max_cost: limit, costs: costs" },
}
-- Those of movement.
if wend.crowd then
  local waits, crowd = wend.follow({ 1, 2 }, { clear = wend.walls() }), wend.crowd()
  crowd:add { x = 50, y = 50 }
  for _, row in ipairs {
    { "wend.decode", nil, { wend.follow({ 1, 2 }):encode() }, "", "on_point: fn" },
    { "wend.decode", nil, { waits:encode() }, "", "clear: clear" },
    { "wend.curve", nil, { { 1, 2, 3, 4 } }, "points: line",
      "curve: curve, spacing: above_0, loop: flag, dimensions: dimensions, clear: clear, into: table" },
    { "wend.follow", nil, { { 1, 2, 3, 4 } }, "points: line",
      "speed: length, curve: curve, spacing: above_0, loop: flag, dimensions: dimensions, clear: clear, on_point: fn" },
    { "wend.curve", nil, { { 1, 2, 3, 4 } }, "", "clearance: length", { clear = walls } },
    { "wend.follow", nil, { { 1, 2, 3, 4 } }, "", "clearance: length", { clear = walls } },
    { "follower:update", wend.follow { 1, 2, 3, 4 }, { 1 }, "dt: length" },
    { "follower:go", wend.follow { 1, 2, 3, 4 }, { { 1, 2, 3, 4 } }, "points: line", "join: flag" },
    { "wend.crowd", nil, {}, "", "map: map, walls: walls, costs: costs, seed: number, queue: queue, budget: budget, "
      .. "max_steps: steps, on_arrive: fn, on_stuck: fn, on_lost: fn" },
    { "crowd:add", crowd, {}, "", "x: number, y: number", { x = 1, y = 1 } },
    { "crowd:add", crowd, {}, "", "radius: size_of_body, speed: speed_of_body, patience: slowness, "
      .. "acceleration: slowness, group: group, avoids: groups, costs: costs", { x = 1, y = 1 } },
    { "crowd:update", crowd, { 1 }, "dt: length" },
    { "crowd:near", crowd, { 1, 2, 3 }, "x: number, y: number, r: length",
      "limit: budget, into: table" },
    { "crowd:positions", crowd, {}, "into: table?" },
  } do
    CALLS[#CALLS + 1] = row
  end
end
-- The option size of every call that takes costs.
for name, good in pairs {
  path = { 1, 2 }, search = { 1, 2 }, can_reach = { 1, 2 }, why_not = { 1, 2 }, field = { 1 }, paths = { trips },
  nearest = { 1, 2 }, nearest_edge = { 1, 2 }, random = { 1 }, chokepoints = {}, check = {}, prepared = {}, routes = {},
  route = { { 0, 0 }, { 1, 1 } }, explain = { { 1, 2 } },
} do
  CALLS[#CALLS + 1] = { "graph:" .. name, g, good, "", "size: above_0" }
end
for name, good in pairs {
  path = { 1, 1, 2, 2 }, search = { 1, 1, 2, 2 }, can_reach = { 1, 1, 2, 2 }, why_not = { 1, 1, 2, 2 },
  field = { 1, 1 }, paths = { { 1, 1, 2, 2 } }, nearest = { 1, 2 }, random = { 1 }, chokepoints = {}, check = {},
  prepared = {}, route = { { 1, 1 }, { 2, 2 } }, explain = { { 1, 1, 2, 2 } }, straighten = { wide:path(1, 1, 3, 3) },
  clear = { 1, 1, 2, 2 }, clear_points = { 1, 1, 2, 2 },
} do
  CALLS[#CALLS + 1] = { "grid:" .. name, wide, good, "", "size: body" }
end
for _, row in ipairs {
  { "path:explain", path, {}, "", "size: above_0" }, { "path:explain", cells, {}, "", "size: body" },
  { "queue:path", asked, { g, 1, 2 }, "", "size: above_0" },
  { "queue:path", asked, { wide, 1, 1, 2, 2 }, "", "size: body" },
  { "queue:can_reach", asked, { wide, 1, 1, 2, 2 }, "", "size: body" },
  { "queue:paths", asked, { wide, { 1, 1, 2, 2 } }, "", "size: body" },
  { "wend.decode", nil, { path:encode() }, "", "size: above_0", { map = g } },
  { "wend.decode", nil, { cells:encode() }, "", "size: body", { map = wide } },
} do
  CALLS[#CALLS + 1] = row
end
for name, object in pairs { costs = profile, mod = mod } do
  for _, row in ipairs {
    { ":set", object, { "mud", 1 }, "tag: text" }, { ":get", object, { "mud" }, "tag: text" },
    { ":rule", object, { "rain", "mud", print }, "name: text, tag: text, fn: fn", "priority: rank" },
    { ":edge_rule", object, { "rain", print }, "name: text, fn: fn", "priority: rank, at_least: promise" },
    { ":remove", object, { "rain" }, "name: text" },
  } do
    row[1] = name .. row[1]
    CALLS[#CALLS + 1] = row
  end
end
for _, name in ipairs {
  "remove_node", "is_closed", "close", "open", "name", "radius", "node_tag", "position", "edges",
} do
  CALLS[#CALLS + 1] = { "graph:" .. name, g, { 1 }, "node: node" }
end
for _, name in ipairs { "remove_edge", "is_measured", "close_edge", "open_edge", "edge" } do
  CALLS[#CALLS + 1] = { "graph:" .. name, g, { 1 }, "edge: edge" }
end
for _, name in ipairs { "get", "is_closed", "weight", "position", "close", "open" } do
  CALLS[#CALLS + 1] = { "grid:" .. name, wide, { 1, 1 }, "x: column, y: row" }
end
for _, name in ipairs { "path", "cost", "next" } do
  CALLS[#CALLS + 1] = { "routes:" .. name, g:routes(), { 1, 2 }, "from: node, to: node" }
end

local CELL_AT = " (grid:cell_at finds the cell of a position)"

describe("a call with a wrong type", function()
  for _, row in ipairs(CALLS) do
    local name, object, good, arguments, options, needed = unpack(row, 1, 6)
    local method = object and object[name:match ":(.*)"] or wend[name:match "%.(.*)"]
    local count = #good

    local function call(list, n)
      local copy = { object }
      for i = 1, n do
        if list[i] ~= NIL then copy[i + (object and 1 or 0)] = list[i] end
      end
      return method(unpack(copy, 1, n + (object and 1 or 0)))
    end

    local function refuses(what, kind, list, n, set)
      local message, wrong = unpack(KINDS[kind:match "[%w_]+"])
      for _, value in ipairs(wrong) do
        if value ~= NIL or set == nil and not kind:find "?" then
          list[n] = set and set(value) or value
          local hint = value == 1.5 and (kind:find "^column" or kind:find "^row") and CELL_AT or ""
          raises(("%s %s%s, got %s"):format(what, message, hint, show(value)), call, list, math.max(n, count))
        end
      end
    end

    it("raises, and changes nothing: " .. name, function()
      local before = object and object.encode and object:encode()
      local i = 0
      for argument, kind in arguments:gmatch "([%w_]+): ([%w_?]+)" do
        i = i + 1
        refuses(argument, kind, { unpack(good, 1, count) }, i)
      end
      for option, kind in (options or ""):gmatch "([%w_]+): ([%w_?]+)" do
        refuses(option, kind, { unpack(good, 1, count) }, count + 1, function(value)
          local list = { [option] = value }
          for key, other in pairs(needed or {}) do
            if key ~= option then list[key] = other end
          end
          return list
        end)
      end
      if options then refuses("options", "table?", { unpack(good, 1, count) }, count + 1) end
      if before then assert.equal(before, object:encode()) end
    end)
  end
end)

describe("a removed node or edge", function()
  it("is refused by calls about tags and widths", function()
    local graph = wend.graph()
    local node, other = graph:add_node(0, 0), graph:add_node(1, 0)
    local edge = graph:add_edge(node, other)
    graph:remove_node(node)
    for _, call in ipairs {
      { "set_node_tag", node, "gate" }, { "node_tag", node }, { "add_edge", node, other, { width = 2 } },
      { "set_width", edge, 2 },
    } do
      local ok, message = pcall(graph[call[1]], graph, unpack(call, 2))
      assert.is_false(ok)
      assert.truthy(message:find("removed", 1, true) or message:find("no ", 1, true), message)
    end
  end)
end)
