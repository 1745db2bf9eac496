-- SPDX-License-Identifier: MIT
-- Positions and cells as one value: every call that takes coordinates as numbers also takes { x =, y =[, z =] }.
-- The calls are listed once. Each is made with numbers and with one value in each place, and must give the same.
local helper = require "spec.support.helper"
local wend = require "wend"

local raises, all = helper.raises, function(cases) helper.all_raise(it, cases) end
local unpack = table.unpack or unpack -- luacheck: ignore 113 143
local NAN, HUGE = 0 / 0, math.huge
local COORDINATE = "must be a finite number (up to 1e150)"

-- Values with fields x, y and z ---------------------------------------------------------------------------------------

local opened = {}

local new_proxy = rawget(_G, "newproxy") -- of Lua 5.1 and LuaJIT

-- A userdata whose fields are those of a table: a file with another metatable, which after_each gives back. The
-- compiler of LuaJIT takes the metatables of files for constant: there it is a proxy.
local function new_userdata(fields)
  if new_proxy then
    local proxy = new_proxy(true)
    getmetatable(proxy).__index = function(_, key) return fields[key] end
    return proxy
  end
  local file = assert(io.open "spec/move/position_spec.lua")
  opened[#opened + 1] = { file, debug.getmetatable(file) }
  debug.setmetatable(file, { __index = function(_, key) return fields[key] end })
  return file
end

local function close_all()
  for _, pair in ipairs(opened) do
    debug.setmetatable(pair[1], pair[2])
    pair[1]:close()
  end
  opened = {}
end

local Vector = { length = function(v) return (v.x * v.x + v.y * v.y) ^ 0.5 end }
Vector.__index = Vector

local ORDER = { x = 1, y = 2, z = 3 }

-- The forms that a position can have: each makes one value from { x =, y =, z = }.
local FORMS = {
  ["a table"] = function(p) return { x = p.x, y = p.y, z = p.z } end,
  ["a game object"] = function(p) return { x = p.x, y = p.y, z = p.z, hp = 3, name = "ogre", 7, 8 } end,
  ["an object of a class"] = function(p) return setmetatable({ x = p.x, y = p.y, z = p.z }, Vector) end,
  ["a vector that stores a list"] = function(p)
    return setmetatable({ p.x, p.y, p.z }, { __index = function(v, key) return rawget(v, ORDER[key]) end })
  end,
  ["a proxy"] = function(p) return setmetatable({}, { __index = function(_, key) return p[key] end }) end,
  ["an object with inherited fields"] = function(p) return setmetatable({}, { __index = p }) end,
  ["a userdata"] = new_userdata,
  -- Where a cell is meant, they stand somewhere in it. Both have items of the script too, as an inventory.
  ["a walker"] = function(p)
    if p.z then return nil end
    if p.cell then p = { x = p.px + 3, y = p.py - 4.5 } end
    local walker = wend.crowd():add { x = p.x, y = p.y }
    walker[1], walker[2] = 7, 8
    return walker
  end,
  ["a follower"] = function(p)
    if p.cell then p = { x = p.px + 3, y = p.py - 4.5 } end
    local follower = wend.follow({ p.x, p.y, p.z }, { dimensions = p.z and 3 or 2 })
    follower[1], follower[2] = 7, 8
    return follower
  end,
}

local has_ffi, ffi = pcall(require, "ffi")
if has_ffi then
  local point = ffi.typeof "struct { double x, y, z; }"
  FORMS["a cdata"] = function(p) return point(p.x, p.y, p.z or 0) end
end

local FORM_NAMES = {}
for name in pairs(FORMS) do FORM_NAMES[#FORM_NAMES + 1] = name end
table.sort(FORM_NAMES)

-- The calls -----------------------------------------------------------------------------------------------------------

-- A position among the arguments of a case.
local POSITION = {}
local function P(x, y, z) return { [POSITION] = true, x = x, y = y, z = z } end
-- One where numbers would be nodes: a list of them in their place.
local function L(x, y) return { [POSITION] = true, listed = true, x = x, y = y } end
-- A cell of the grid of new_world, with its centre in a framed one.
local function C(x, y) return { [POSITION] = true, cell = true, x = x, y = y, px = 10 * x - 10, py = 10 * y - 10 } end
-- An argument that is an object of the world.
local function the(name) return function(w) return w[name] end end

local FRAME = { cell = 10, origin = { -5, -5 } }
local MOVES = { ["a walker"] = true, ["a follower"] = true }

-- New objects for each call: calls change them. frame: options of the grid. With one, only what moves is a cell of it.
local function new_world(frame)
  local w = { graph = wend.graph(), space = wend.graph { dimensions = 3 } }
  w.graph:add_nodes { 0, 0, 10, 0, 10, 10 }
  w.graph:add_edges { 1, 2, 2, 3 }
  w.space:add_nodes { 0, 0, 0, 10, 0, 0 }
  w.space:add_edge(1, 2)
  w.surface = wend.surface { classes = { [0] = "air", "solid" } }
  w.surface:load(3, 0, 5, 1, 3, 1, { 1, 0, 0 })
  w.grid = wend.grid(9, 8, frame):fill(4, 1, 4, 7, false):set(7, 7, "swamp")
  w.grid:link(1, 8, 9, 1, { tag = "stairs" })
  w.field = w.grid:field(9, 1, { outward = false })
  w.overlay = w.grid:overlay():close(7, 7)
  w.fog = w.grid:overlay { unknown = 2 }
  w.influence = wend.influence(w.grid):set(2, 3, 1)
  w.walls = wend.walls()
  w.walls:add_segment(0, 5, 5, 5)
  w.queue = wend.queue()
  w.crowd = wend.crowd { map = w.grid }
  w.walker = w.crowd:add { x = 3, y = 4, radius = 2 }
  w.list = { w.walker, w.crowd:add { x = 9, y = 9, radius = 2 } }
  local tower = wend.graph()
  tower:add_nodes { 0, 0, 10, 0, 10, 9 }
  tower:add_edge(1, 2)
  tower:add_edge(2, 3, { tag = "ladder" })
  w.follower = wend.follow(tower:path(1, 3), { stops = { "ladder" }, speed = 10 })
  w.follower:update(2)
  return w
end

-- { object, method, arguments... }
local CASES = {
  { "graph", "add_node", P(3, 4) },
  { "graph", "add_node", P(3, 4), { name = "mill", radius = 2 } },
  { "space", "add_node", P(3, 4, 5) },
  { "space", "add_node", P(3, 4, 5), { name = "mill" } },
  { "graph", "move", 2, P(3, 4) },
  { "space", "move", 2, P(3, 4, 5) },
  { "graph", "nearest", P(7, 1) },
  { "graph", "nearest", P(7, 1), { limit = 2 } },
  { "space", "nearest", P(7, 1, 2) },
  { "graph", "nearest_edge", P(7, 1) },
  { "graph", "nearest_edge", P(7, 1), { max_distance = 0.5 } },
  { "space", "nearest_edge", P(7, 1, 2), { max_distance = 50 } },
  { "surface", "at", P(3.5, 1, 5.5) },
  { "grid", "get", C(7, 7) },
  { "grid", "set", C(2, 3), "road" },
  { "grid", "set", C(2, 3), false },
  { "grid", "set", C(2, 3), 2, "road" },
  { "grid", "fill", C(2, 3), C(5, 1), 2, "road" },
  { "grid", "close", C(2, 3) },
  { "grid", "close", C(2, 3), C(5, 1) },
  { "grid", "open", C(2, 3) },
  { "grid", "open", C(2, 3), C(5, 1) },
  { "grid", "is_closed", C(2, 3) },
  { "grid", "weight", C(2, 3) },
  { "grid", "has", C(2, 3) },
  { "grid", "has", C(0, 99) },
  { "grid", "position", C(2, 3) },
  { "grid", "fill", C(2, 3), C(5, 1), { weight = 2, tag = "road" } },
  { "grid", "open", C(4, 3) },
  { "grid", "open", C(3, 3), C(5, 1) },
  { "grid", "is_closed", C(4, 3) },
  { "grid", "weight", C(4, 3) },
  { "grid", "has", C(10, 3) },
  { "grid", "position", C(4, 3) },
  { "influence", "get", C(2, 3) },
  { "influence", "set", C(2, 3), 2 },
  { "influence", "add", C(2, 3), 2 },
  { "influence", "stamp", C(2, 3), 2, 3, "flat" },
  { "overlay", "set", C(2, 3), 2, "road" },
  { "overlay", "fill", C(2, 3), C(5, 1), 2, "road" },
  { "overlay", "close", C(2, 3) },
  { "overlay", "close", C(2, 3), C(5, 1) },
  { "overlay", "open", C(4, 1), C(4, 2) },
  { "overlay", "reset", C(7, 7) },
  { "overlay", "reset", C(7, 7), C(9, 8) },
  { "overlay", "is_closed", C(7, 7) },
  { "fog", "reveal", C(2, 3), C(5, 4) },
  { "fog", "is_known", C(2, 3) },
  { "overlay", "wall", C(1, 1), C(1, 2) },
  { "grid", "wall", C(1, 1), C(1, 2) },
  { "grid", "wall", C(1, 1), C(1, 2), false },
  { "grid", "link", C(1, 1), C(9, 8) },
  { "grid", "link", C(1, 1), C(9, 8), { weight = 3, tag = "ladder", directed = true } },
  { "grid", "unlink", C(9, 1), C(1, 8) },
  { "grid", "nearest", P(31, 34) },
  { "grid", "nearest", P(-60, 0), { max_distance = 100 } },
  { "grid", "cell_at", P(12.5, 34) },
  { "grid", "cell_at", P(-6, 0) },
  { "grid", "path", C(1, 1), C(9, 1) },
  { "grid", "path", C(1, 1), C(9, 1), { heuristic = "zero" } },
  { "grid", "path", C(1, 1), { 9, 1, 3, 3 } },
  { "grid", "path", C(1, 1), { 9, 1, 3, 3 }, { max_cost = 2 } },
  { "grid", "alternatives", C(1, 1), C(9, 1) },
  { "grid", "alternatives", C(1, 1), { 9, 1, 3, 3 }, { count = 2 } },
  { "grid", "sees", C(1, 1), C(3, 8) },
  { "grid", "visible", C(1, 1), 3 },
  { "grid", "can_reach", C(1, 1), C(9, 1) },
  { "grid", "can_reach", C(1, 1), C(4, 2), { costs = wend.costs { swamp = false } } },
  { "grid", "can_reach", C(1, 1), { 4, 1, 4, 3 } },
  { "grid", "why_not", C(1, 1), C(4, 1) },
  { "grid", "why_not", C(1, 1), C(4, 2), { max_cost = 3 } },
  { "grid", "why_not", C(1, 1), { 4, 1, 4, 3 } },
  { "grid", "search", C(1, 1), C(9, 1), { algorithm = "dijkstra" } },
  { "grid", "search", C(1, 1), { 9, 1, 3, 3 } },
  { "grid", "clear", C(1, 1), C(3, 8) },
  { "grid", "clear", C(1, 1), C(6, 1), { costs = wend.costs { swamp = false } } },
  { "grid", "clear_points", P(0.5, 0.5), P(11.5, 70) },
  { "grid", "clear_points", P(0.5, 0.5), P(60, 0), {} },
  { "grid", "field", C(2, 2) },
  { "grid", "field", C(2, 2), { outward = true, max_cost = 3 } },
  { "field", "cost", C(1, 1) },
  { "field", "cost", C(0, 99) },
  { "field", "next", C(1, 1) },
  { "field", "path", C(1, 1) },
  { "field", "goal", C(1, 1) },
  { "grid", "route", P(1.5, 2), P(61, 71) },
  { "grid", "route", P(1.5, 2), P(61, 71), { straighten = false } },
  { "graph", "route", L(1, 0.5), L(9, 9) },
  { "queue", "path", the "grid", C(1, 1), C(9, 1) },
  { "queue", "field", the "grid", C(1, 1) },
  { "queue", "route", the "grid", P(1.5, 2), P(61, 71) },
  { "queue", "route", the "graph", L(1, 0.5), L(9, 9) },
  { "crowd", "go", the "list", P(33, 44) },
  { "crowd", "go", the "list", P(33, 44), { partial = true } },
  { "crowd", "near", P(8, 8), 3 },
  { "walker", "place", P(33, 44) },
  { "follower", "resume", P(7, 1) },
  { "walls", "add_segment", P(1, 2), P(3, 4) },
  { "walls", "add_circle", P(1, 2), 3 },
  { "walls", "clear", P(0, 0), P(4, 4) },
  { "walls", "clear", P(0, 0), P(4, 4), 2 },
  { "walker", "go", P(33, 44) },
  { "walker", "go", P(33, 44), { partial = true } },
}

-- The name of the method of a case, the number of its positions, and whether they are cells.
local function name_of(case)
  local positions, cells = 0, false
  for i = 3, #case do
    local position = type(case[i]) == "table" and case[i][POSITION]
    positions, cells = positions + (position and 1 or 0), cells or position and case[i].cell or false
  end
  return case[1] .. ":" .. case[2], positions, cells
end

-- The arguments of a case. form(position, number of the position) returns one value, or nil: numbers.
local function arguments(case, form, w)
  local args, n, position = {}, 0, 0
  local function add(value) n = n + 1 args[n] = value end
  for i = 3, #case do
    local value = case[i]
    if type(value) == "table" and value[POSITION] then
      position = position + 1
      local one = form(value, position)
      if one ~= nil then
        add(one)
      elseif value.listed then
        add { value.x, value.y }
      else
        add(value.x)
        add(value.y)
        if value.z then add(value.z) end
      end
    else
      add(type(value) == "function" and value(w) or value)
    end
  end
  return args, n
end

-- What a result is, as plain values that can be compared.
local function plain(value)
  local kind = wend.type(value)
  if kind == "graph" or kind == "grid" or kind == "field" or kind == "influence" then return value:encode() end
  if kind == "search" then
    while value:step(1) == "running" do end
    return plain(value:result())
  end
  if type(value) == "table" and value.dimensions then value.map = nil end -- a route
  local listed = type(value) == "table" and kind ~= "path" and wend.type(value[1])
  if listed == "walker" or listed == "path" then return { #value, plain(value[1]) } end
  if kind == "request" then
    local q = value.queue
    q:step(math.huge)
    return { value.state, plain(value.result) }
  end
  if kind == "surface" then return plain(value.graph) end
  if kind == "crowd" or kind == "queue" then return tostring(value) .. (value.hash and value:hash() or "") end
  if kind == "walker" then return { value.x, value.y, value.goal_x, value.goal_y, value.state } end
  if kind == "follower" then return { value.x, value.y, value.waiting } end
  if kind == "path" then return { "path", value.cost, unpack(value) } end
  if kind == "walls" then
    local list = {}
    for wall, numbers in value:each() do list[#list + 1] = wall .. " " .. table.concat(numbers, " ") end
    return list
  end
  return value
end

-- The results of a case on a new world, and the objects afterwards.
local function results_of(case, form, frame)
  local w = new_world(frame)
  local object = w[case[1]]
  local args, n = arguments(case, form, w)
  local results = { object[case[2]](object, unpack(args, 1, n)) }
  for i = 1, #results do results[i] = plain(results[i]) end
  results.object, results.grid = plain(object), plain(w.grid)
  return results
end

local function numbers() end

-- What a case gives with numbers: the same for all forms.
local known = {}
local function results_of_numbers(case, frame)
  local of_frame = known[frame or numbers] or {}
  known[frame or numbers] = of_frame
  of_frame[case] = of_frame[case] or results_of(case, numbers, frame)
  return of_frame[case]
end

describe("a position as one value", function()
  after_each(close_all)

  for _, name in ipairs(FORM_NAMES) do
    it(("gives what numbers give: %s"):format(name), function()
      for i, case in ipairs(CASES) do
        local called, positions, cells = name_of(case)
        local frame = (MOVES[name] or not cells) and FRAME or nil
        if name == "a vector that stores a list" and called == "walker:go" then break end -- points to walk along
        if name == "a game object" and called:find "add_node" then -- alone it would be read as options too
          case = { case[1], case[2], case[3], case[4] or {} }
        end
        local expected = results_of_numbers(case, frame)
        assert.same(expected, results_of(case, FORMS[name], frame), called .. " " .. i)
        for which = 1, positions > 1 and positions or 0 do -- one of two: mixed with numbers
          local mixed = results_of(case, function(p, at) return at == which and FORMS[name](p) or nil end, frame)
          assert.same(expected, mixed, ("%s %d, position %d"):format(called, i, which))
        end
        close_all()
      end
    end)
  end

  it("is a cell only on grids with cell 1 and origin 0,0, unless it moves #many", function()
    local refused = " must be given in numbers: fields x and y are a cell only on grids with cell 1 and origin 0,0 "
      .. "(grid:cell_at finds the cell of a position)"
    local count = 0
    for _, frame in ipairs { FRAME, { cell = { 1, 2 } }, { origin = { 0, 1 } }, { projection = "isometric" } } do
      for i, case in ipairs(CASES) do
        local called, positions, cells = name_of(case)
        for which = 1, cells and positions or 0 do
          for _, name in ipairs(FORM_NAMES) do
            local w = new_world(frame)
            local args, n = arguments(case, function(p, at) return at == which and FORMS[name](p) or nil end, w)
            local before = plain(w.grid)
            local ok, problem = pcall(w[case[1]][case[2]], w[case[1]], unpack(args, 1, n))
            local listed = name == "a vector that stores a list" -- a goal may be a list of cells
            if not MOVES[name] and not (listed and ok) then
              local what = ("%s %d: %s"):format(called, i, tostring(problem))
              assert.is_true(not ok and tostring(problem):find(refused, 1, true) ~= nil, what)
              assert.equal(before, plain(w.grid))
              count = count + 1
            end
          end
          close_all()
        end
      end
      for _, key in ipairs { "reachable_from", "can_reach" } do
        raises("a cell" .. refused, wend.grid(9, 8, frame).nearest, wend.grid(9, 8, frame), 1, 1,
          { [key] = { x = 5, y = 2 } })
      end
    end
    assert.is_true(count > 1500)
  end)

  it("is tested for every method whose parameters are x and y", function()
    -- Options of crowd:add, lists of cells, text, and numbers of blocks.
    local others = { ["crowd:add"] = true, ["grid:text"] = true, ["grid:random"] = true, ["surface:load"] = true,
      ["surface:changed"] = true, ["surface:unload"] = true }
    local tested, count, above = {}, 0, ""
    for _, case in ipairs(CASES) do tested[name_of(case):gsub("^overlay:", "grid:"):gsub("^fog:", "grid:")] = true end
    for line in helper.read("lua/wend/meta.lua"):gmatch "[^\n]*" do
      local class, method, parameters = line:match "^function (%w+):([%w_]+)%(([^)]*)%)"
      local takes = class and ((", " .. parameters):find ", x1?," or above:find "%f[%w]XY%f[%W]"
        or above:find "%f[%w]Point%f[%W]")
      if takes then
        count = count + 1
        local name = class:lower() .. ":" .. method
        assert.is_true(tested[name] or others[name] or false, name .. " takes coordinates and is not in CASES")
      end
      above = line:find "^%-%-%-@[po]" and above .. line or line:find "^%-%-%-" and above or ""
    end
    assert.is_true(count >= 30)
  end)

  it("may come from a follower, a named place of Tiled, a cdata or a vector library: anything with fields", function()
    local w = new_world(FRAME)
    local f = wend.follow({ 0, 0, 10, 0 }, { speed = 4 })
    f:update(1)
    assert.same({ 1, 1 }, { w.grid:cell_at(f) })
    assert.equal(1, (w.graph:nearest(f)))
    assert.same({ 4, 0 }, { w.graph:position(w.graph:add_node(f)) })
    assert.is_true(w.walls:clear(f, f))
  end)

  it("may come from a walker: where a cell is meant, it is that in which the walker stands", function()
    local w = new_world(FRAME)
    local walker = w.crowd:add { x = 12, y = 63 } -- whole numbers too
    assert.same({ 2, 7 }, { w.grid:cell_at(walker) })
    assert.equal(w.grid:path(2, 7, 9, 1).cost, w.grid:path(walker, w.crowd:add { x = 77, y = -4 }).cost)
    assert.same({ w.grid:position(2, 7) }, { w.grid:position(walker) })
    w.grid:close(walker)
    assert.is_true(w.grid:is_closed(2, 7))
    local near = { can_reach = { 2, 7 }, closed_goal = true }
    local expected = { w.grid:nearest(25, 60, near) }
    near.can_reach = walker
    assert.same(expected, { w.grid:nearest(25, 60, near) })
    local diamonds = wend.grid(6, 6, { cell = { 64, 32 }, projection = "isometric" })
    local px, py = diamonds:position(3, 5)
    assert.same({ 1, nil }, { diamonds:get(wend.follow { px + 9, py - 3 }) })
    assert.equal("3 5", table.concat({ diamonds:cell_at(wend.follow { px + 9, py - 3 }) }, " "))
    diamonds:close(wend.follow { px + 9, py - 3 })
    assert.is_true(diamonds:is_closed(3, 5))
  end)

  it("may come from a walker outside of the grid: its cell is outside too", function()
    local w = new_world(FRAME)
    local far, removed = wend.crowd():add { x = 96, y = -500 }, wend.crowd():add { x = 1, y = 1 }
    removed:remove()
    assert.is_false(w.grid:has(far))
    assert.is_nil((w.field:cost(far)))
    raises("x1 must be a whole number in 1 .. 9, got 11", w.grid.path, w.grid, far, 1, 1)
    raises("x1 must be a whole number in 1 .. 9, got a wend.Walker", w.grid.path, w.grid, removed, 1, 1)
    raises("from.x must be a finite number (up to 1e150), got nil", w.grid.route, w.grid, removed, far)
  end)

  it("may hold whole numbers as floats for cells, and -0", function()
    local w = new_world()
    assert.same({ w.grid:get(7, 7) }, { w.grid:get { x = 7.0, y = 7.0 } })
    assert.same({ -0.0, 0 }, { w.graph:position(w.graph:add_node { x = -0.0, y = 0 }) })
  end)

  it("ignores z on graphs of 2 dimensions, grids, fields and walls", function()
    for _, z in ipairs { 5, NAN, HUGE, "deep", false } do
      local w = new_world()
      assert.same({ 3, 4 }, { w.graph:position(w.graph:add_node { x = 3, y = 4, z = z }) })
      assert.same({ 3, 4 }, { w.graph:position(w.graph:add_node({ x = 3, y = 4, z = z }, {})) })
      assert.same({ 5, 6 }, { w.graph:move(1, { x = 5, y = 6, z = z }):position(1) })
      assert.equal(2, (w.graph:nearest { x = 9, y = 1, z = z }))
      assert.equal(w.field:cost(1, 1), w.field:cost { x = 1, y = 1, z = z })
      assert.equal(w.grid:path(1, 1, 9, 1).cost, w.grid:path({ x = 1, y = 1, z = z }, { x = 9, y = 1, z = z }).cost)
      assert.is_true(w.walls:clear({ x = 0, y = 0, z = z }, { x = 9, y = 0, z = z }))
    end
  end)

  it("is the origin of a grid", function()
    for _, name in ipairs(FORM_NAMES) do
      local grid = wend.grid(2, 2, { origin = FORMS[name] { x = -160, y = 20.5 } })
      assert.same({ -160, 20.5 }, { grid:origin() }, name)
    end
  end)

  it("is the place of an option, and a target", function()
    for _, name in ipairs(FORM_NAMES) do
      local frame = MOVES[name] and FRAME or nil
      local w, cell = new_world(frame), FORMS[name](C(5, 2))
      assert.same({ w.grid:nearest(31, 34, { reachable_from = { 5, 2 } }) },
        { w.grid:nearest(31, 34, { reachable_from = cell }) }, name)
      assert.same({ w.grid:nearest(31, 34, { can_reach = { 5, 2 } }) },
        { w.grid:nearest(31, 34, { can_reach = cell }) }, name)
      assert.same({ w.grid:random(3, { reachable_from = { 5, 2 } }) }, { w.grid:random(3, { reachable_from = cell }) })
      local goal = { w.walker:go(33, 44).goal_x, w.walker.goal_y }
      local target = FORMS[name] { x = 33, y = 44 }
      w = new_world(frame)
      w.crowd:surround(w.list, target)
      w.crowd:update(0.1)
      assert.truthy(w.walker.state == "moving" or w.walker.state == "waiting", name)
      w.walker:chase(target)
      assert.same(goal, { w.walker.goal_x, w.walker.goal_y }, name)
    end
  end)

  it("is an end of a route", function()
    for _, name in ipairs(FORM_NAMES) do
      local w = new_world()
      local route = w.graph:route(FORMS[name] { x = 1, y = 1 }, FORMS[name] { x = 9, y = 9 })
      assert.same({ 1, 1, 0, 0, 10, 0, 10, 10, 9, 9 }, { unpack(route) }, name)
    end
  end)

  it("makes no garbage", function()
    local w = new_world()
    local hero, sprite = { x = 1, y = 1 }, setmetatable({ x = 1, y = 2 }, Vector)
    local opts = { into = {} }
    local bytes = helper.garbage(10, 200, function(times)
      for _ = 1, times do
        w.grid:get(hero)
        w.grid:set(sprite, 2)
        w.field:cost(hero)
        w.field:next(sprite)
        w.grid:cell_at(sprite)
        w.walls:clear(hero, sprite)
        w.graph:move(1, hero)
        w.grid:path(hero, sprite, opts)
      end
    end)
    assert.is_true(bytes < 200, bytes .. " bytes") -- less than one byte for each round
  end)
end)

describe("a list", function()
  it("stays a list of goals for path, search and field", function()
    local grid = new_world().grid
    local path = grid:path({ x = 1, y = 1 }, { 3, 4, 1, 3 })
    assert.same({ 1, 3 }, { path[#path - 1], path[#path] })
    assert.same({ 3, 4 }, { grid:field({ 3, 4, 1, 3 }):goal { x = 3, y = 5 } })
    assert.same({ 3, 4 }, { grid:field({ 3, 4 }):goal(1, 1) })
    assert.equal(grid:path(1, 1, 2, 3).cost, grid:path(1, 1, { 2, 3 }).cost)
  end)

  it("is a cell if it also has a field x", function()
    local grid = new_world().grid
    local path = grid:path(1, 1, { 3, 4, x = 2, y = 6 })
    assert.same({ 2, 6 }, { path[#path - 1], path[#path] })
    assert.same({ 2, 6 }, { grid:field({ 3, 4, x = 2, y = 6 }):goal(1, 1) })
  end)

  it("of goals is read without metamethods", function()
    local grid = new_world().grid
    local goals = setmetatable({ 3, 4 }, { __index = function(_, key) error("no field " .. tostring(key)) end })
    assert.equal(grid:path(1, 1, 3, 4).cost, grid:path(1, 1, goals).cost)
    assert.equal(grid:field(3, 4):cost(1, 1), grid:field(goals):cost(1, 1))
  end)

  it("may be a path: its cells are the goals", function()
    local grid = new_world().grid
    local path = grid:path(3, 1, 3, 6)
    assert.equal(2, grid:path({ x = 1, y = 2 }, path).cost)
    assert.same({ 3, 3 }, { grid:field(path):goal { x = 1, y = 3 } })
  end)

  it("is a position for nearest, nearest_edge, route and origin only", function()
    local w = new_world()
    assert.equal(2, (w.graph:nearest { 9, 1 }))
    local LIST = " must be a number, got a list: use x, y or { x = , y = }"
    raises("x" .. LIST, w.grid.get, w.grid, { 1, 2 })
    raises("x1" .. LIST, w.grid.path, w.grid, { 1, 2 }, { 3, 4 })
    raises("px" .. LIST, w.grid.cell_at, w.grid, { 1, 2 })
    raises("x" .. LIST, w.graph.move, w.graph, 1, { 1, 2 })
    raises("x" .. LIST, w.graph.add_node, w.graph, { 1, 2 })
    raises("x1" .. LIST, w.walls.clear, w.walls, { 1, 2 }, { 3, 4 })
    raises("x must be a number, got a list: use x, y, z or { x = , y = , z = }", w.space.move, w.space, 1, { 1, 2, 3 })
    raises("x" .. LIST, w.crowd.near, w.crowd, { 1, 2 }, 3)
    raises("x" .. LIST, w.crowd.go, w.crowd, w.list, { 1, 2 })
    raises("x" .. LIST, w.walker.place, w.walker, { 1, 2 })
  end)
end)

describe("graph:add_node", function()
  local g
  before_each(function() g = new_world().graph end)

  it("takes position and options as one table", function()
    local node = g:add_node { x = 3, y = 4, name = "mill", radius = 2 }
    assert.same({ 3, 4 }, { g:position(node) })
    assert.same({ 4, "mill", 2 }, { node, g:name(node), g:radius(node) })
    assert.equal("well", g:name(g:add_node { name = "well" }))
    assert.is_nil((g:position "well"))
  end)

  it("takes z in 3 dimensions", function()
    local space = wend.graph { dimensions = 3 }
    assert.same({ 3, 4, 5 }, { space:position(space:add_node { x = 3, y = 4, z = 5, name = "mill" }) })
  end)

  it("reads only the position if options follow", function()
    local ogre = { x = 3, y = 4, hp = 7, name = "ogre", radius = "large" }
    local node = g:add_node(ogre, { name = "lair" })
    assert.same({ 3, 4 }, { g:position(node) })
    assert.equal("lair", g:name(node))
    assert.is_nil(g:radius(node))
    assert.is_nil(g:name(g:add_node(ogre, {})))
  end)

  it("reads only the position of an object with a metatable", function()
    local ogre = setmetatable({ x = 3, y = 4, hp = 7, name = "ogre" }, Vector)
    local node = g:add_node(ogre)
    assert.same({ 3, 4 }, { g:position(node) })
    assert.is_nil(g:name(node))
  end)

  it("adds nothing when it raises", function()
    for _, bad in ipairs {
      { x = 1 }, { y = 1 }, { x = 1, y = 2, nme = "a" }, { x = NAN, y = 1 }, { x = 1, y = 2, radius = -1 },
    } do
      assert.is_false((pcall(g.add_node, g, bad)))
    end
    assert.equal(3, g:node_count())
  end)
end)

-- Errors --------------------------------------------------------------------------------------------------------------

describe("errors of positions", function()
  local w
  before_each(function() w = new_world() end)

  local WHOLE = "must be a whole number in 1 .. 9, got "
  local FRACTION = "must be a whole number in 1 .. 9 (grid:cell_at finds the cell of a position), got "

  all {
    -- A position in the world where a cell is meant.
    "x " .. FRACTION .. "12.5", function() w.grid:get { x = 12.5, y = 3 } end,
    "y must be a whole number in 1 .. 8 (grid:cell_at finds the cell of a position), got 3.25",
    function() w.grid:set({ x = 1, y = 3.25 }, 1) end,
    "x1 " .. WHOLE .. "0", function() w.grid:path({ x = 0, y = 1 }, { x = 1, y = 1 }) end,
    "x2 " .. WHOLE .. "10", function() w.grid:path({ x = 1, y = 1 }, { x = 10, y = 1 }) end,
    "y2 must be a whole number in 1 .. 8, got 9", function() w.grid:search(1, 1, { x = 1, y = 9 }) end,
    "y2 must be a whole number in 1 .. 8, got nan", function() w.grid:clear({ x = 1, y = 1 }, { x = 1, y = NAN }) end,
    "x " .. FRACTION .. "1.5", function() w.field:cost { x = 1.5, y = 1 } end,
    "x " .. FRACTION .. "1.5", function() w.field:next { x = 1.5, y = 1 } end,
    "x " .. FRACTION .. "1.5", function() w.field:goal { x = 1.5, y = 1 } end,
    "x " .. WHOLE .. "10", function() w.field:path { x = 10, y = 1 } end,
    "x " .. WHOLE .. "10", function() w.grid:field { x = 10, y = 1 } end,
    -- Missing and wrong fields.
    "y must be a whole number in 1 .. 8, got nil", function() w.grid:get { x = 1 } end,
    "x " .. WHOLE .. "a table", function() w.grid:get { y = 1 } end,
    "x " .. WHOLE .. "a table", function() w.grid:get { X = 1, Y = 1 } end,
    "x " .. WHOLE .. "'1'", function() w.grid:get { x = "1", y = 1 } end,
    "x " .. WHOLE .. "false", function() w.grid:get { x = false, y = 1 } end,
    "x " .. WHOLE .. "a table", function() w.grid:get { x = { x = 1, y = 1 }, y = 1 } end,
    "x2 " .. WHOLE .. "a table", function() w.grid:path(1, 1, { x = { 1, 1 }, y = 1 }) end,
    "x " .. WHOLE .. "a table", function() w.grid:field { x = { 1, 1 }, y = 1 } end,
    "x " .. WHOLE .. "a table", function() w.field:cost { x = { x = 1, y = 1 }, y = 1 } end,
    "y must be a whole number in 1 .. 8, got nil", function() w.field:cost { x = 1 } end,
    "x1 " .. WHOLE .. "a table", function() w.grid:fill({ y = 1 }, { x = 1, y = 1 }, 1) end,
    "x2 " .. WHOLE .. "nil", function() w.grid:path { x = 1, y = 1 } end,
    "x2 " .. WHOLE .. "nil", function() w.grid:link { x = 1, y = 1 } end,
    "x2 " .. WHOLE .. "a table", function() w.grid:clear({ x = 1, y = 1 }, {}) end,
    "goals must be a list of cells, got the key 'y'", function() w.grid:path({ x = 1, y = 1 }, { y = 1 }) end,
    "goals must be a list of cells, got the key 'y'", function() w.grid:field { y = 1 } end,
    "px must be a finite number, got inf", function() w.grid:cell_at { x = HUGE, y = 1 } end,
    "py must be a finite number, got nil", function() w.grid:cell_at { x = 1 } end,
    "px must be a finite number, got a table", function() w.grid:cell_at { y = 1 } end,
    "y2 must be a finite number, got 'a'", function() w.grid:clear_points({ x = 1, y = 1 }, { x = 1, y = "a" }) end,
    "x " .. COORDINATE .. ", got nan", function() w.graph:add_node { x = NAN, y = 1 } end,
    "y " .. COORDINATE .. ", got nil", function() w.graph:add_node { x = 1 } end,
    "x " .. COORDINATE .. ", got nil", function() w.graph:add_node { y = 1, name = "a" } end,
    "x " .. COORDINATE .. ", got nil", function() w.graph:add_node { z = 1 } end,
    "y " .. COORDINATE .. ", got nil", function() w.graph:add_node({ x = 1 }, {}) end,
    "x " .. COORDINATE .. ", got a table", function() w.graph:add_node({ x = { name = "a" }, y = 1 }, {}) end,
    "x " .. COORDINATE .. ", got nil", function() w.graph:add_node({ y = 1 }, {}) end,
    "z " .. COORDINATE .. ", got nil", function() w.space:add_node { x = 1, y = 2 } end,
    "z " .. COORDINATE .. ", got nil", function() w.space:add_node({ x = 1, y = 2 }, {}) end,
    "z " .. COORDINATE .. ", got nil", function() w.space:move(1, { x = 1, y = 2 }) end,
    "position.z " .. COORDINATE .. ", got nil", function() w.space:nearest { x = 1, y = 2 } end,
    "unknown option 'hp' (expected one of: name, radius, tag, x, y, z)",
    function() w.graph:add_node { x = 1, y = 2, hp = 3 } end,
    "unknown option 'nme' (expected one of: name, radius, tag, x, y, z)", function() w.graph:add_node { nme = "a" } end,
    "unknown option 'nme' (expected one of: name, radius, tag)",
    function() w.graph:add_node({ x = 1, y = 2 }, { nme = "a" }) end,
    "options must be a table, got 3", function() w.graph:add_node({ x = 1, y = 2 }, 3) end,
    "name must be a string that is not empty, got 7", function() w.graph:add_node { x = 1, y = 2, name = 7 } end,
    "radius must be a finite number >= 0, got -1", function() w.graph:add_node { x = 1, y = 2, radius = -1 } end,
    "x " .. COORDINATE .. ", got 1e+151", function() w.graph:move(1, { x = 1e151, y = 2 }) end,
    "node: there is no node 9", function() w.graph:move(9, { x = 1, y = 2 }) end,
    "y2 " .. COORDINATE .. ", got -inf", function() w.walls:add_segment({ x = 1, y = 2 }, { x = 1, y = -HUGE }) end,
    "r must be a number in 0 .. 1e+150, got nil", function() w.walls:add_circle { x = 1, y = 2, r = 3 } end,
    "radius must be a number in 0 .. 1e+150, got -1",
    function() w.walls:clear({ x = 1, y = 2 }, { x = 1, y = 2 }, -1) end,
    -- A node is an id or a name, never a position.
    "node must be a node (its id or name), got a table", function() w.graph:close { x = 1, y = 2 } end,
    "from must be a node (its id or name), got a table", function() w.graph:path({ x = 1, y = 2 }, 2) end,
    "node must be a node (its id or name), got a table", function() w.graph:field(1):cost { x = 1, y = 2 } end,
    -- Objects without a field x, and other values.
    "x " .. WHOLE .. "a wend.Grid", function() w.grid:get(w.grid) end,
    "x " .. WHOLE .. "a function", function() w.grid:get(print) end,
    "x " .. WHOLE .. "'1'", function() w.grid:get("1", 1) end,
    "x " .. WHOLE .. "nil", function() w.grid:get() end,
    "x " .. WHOLE .. "a thread", function() w.grid:get(coroutine.create(function() end)) end,
  }
end)

if has_ffi then
  describe("errors of positions that are cdata", function()
    local grid = wend.grid(9, 8)
    all {
      "'int64_t' has no member named 'x'", function() grid:get(ffi.new("int64_t", 1), 2) end,
      "x must be a whole number in 1 .. 9 (grid:cell_at finds the cell of a position), got 1.5",
      function() grid:get(ffi.new("struct { float x, y; }", 1.5, 1)) end,
      "x must be a whole number in 1 .. 9, got a cdata",
      function() grid:get(ffi.new("struct { int64_t x, y; }", 1, 1)) end,
    }
  end)
end

-- Scripts -------------------------------------------------------------------------------------------------------------

-- Each form runs `act` when x is read.
local function acting(act)
  local function index(p)
    return function(_, key)
      if key == "x" then act() end
      return p[key]
    end
  end
  return {
    function(p) return setmetatable({}, { __index = index(p) }) end,
    function(p) return new_userdata(setmetatable({}, { __index = index(p) })) end,
  }
end

describe("a script that runs when a position is read", function()
  after_each(close_all)

  it("may raise: its error is that of the call, and nothing has changed", function()
    local raised = { "its own" }
    for _, form in ipairs(acting(function() error(raised, 0) end)) do
      for i, case in ipairs(CASES) do
        local w = new_world()
        local object, before = w[case[1]], plain(w[case[1]])
        local args, n = arguments(case, form, w)
        local ok, problem = pcall(object[case[2]], object, unpack(args, 1, n))
        assert.is_false(ok, name_of(case) .. " " .. i)
        assert.equal(raised, problem)
        assert.same(before, plain(object))
      end
      close_all()
    end
  end)

  it("cannot yield", function()
    local form = acting(coroutine.yield)[1]
    for i, case in ipairs(CASES) do
      local w = new_world()
      local object = w[case[1]]
      local args, n = arguments(case, form, w)
      local co = coroutine.create(function() return object[case[2]](object, unpack(args, 1, n)) end)
      local ok, problem = coroutine.resume(co)
      assert.is_false(ok, name_of(case) .. " " .. i)
      assert.truthy(tostring(problem):find("yield", 1, true))
    end
  end)

  it("may free the object: the call raises", function()
    for i, case in ipairs(CASES) do
      local w, object
      local form = acting(function() pcall(debug.getmetatable(object).__gc, object) end)
      for _, make in ipairs(form) do
        w = new_world()
        object = w[case[1]]
        if type(object) == "table" then break end -- it has no finalizer
        local args, n = arguments(case, make, w)
        local ok, problem = pcall(object[case[2]], object, unpack(args, 1, n))
        assert.is_false(ok, name_of(case) .. " " .. i)
        assert.truthy(problem:find("gone", 1, true) or problem:find("never made", 1, true)
          or problem:find("self must be walls", 1, true), problem)
      end
      close_all()
    end
  end)

  -- Of a world: what a script may do to the objects that are asked, so that what they hold moves or goes.
  local CHANGES = {
    ["free the map of the field"] = function(w) pcall(debug.getmetatable(w.grid).__gc, w.grid) end,
    ["edit everything"] = function(w)
      pcall(w.graph.remove_node, w.graph, 2)
      for i = 1, 300 do
        w.graph:add_node(i, 1)
        w.space:add_node(i, 1, 1)
        w.walls:add_segment(i, 0, i, 9)
      end
      for i = 1, 8 do w.grid:set(i, i, { weight = i, tag = "tag" .. i }):link(i, 2, 9, i) end
      w.grid:wall(1, 1, 2, 1)
      w.overlay:set(1, 1, 2, "road")
    end,
    ["make the field anew for a small map"] = function(w) wend.grid(1, 1):field(1, 1, { into = w.field }) end,
    ["make it one of a graph"] = function(w) w.graph:field(1, { into = w.field }) end,
    ["scale it"] = function(w) w.field:scale(-1) end,
    ["ask it again"] = function(w) w.field:cost { x = 1, y = 1 } end,
  }
  for what, change in pairs(CHANGES) do
    it("may " .. what .. ": each call ends, with a result or a message", function()
      for i, case in ipairs(CASES) do
        local w = new_world()
        local object, form = w[case[1]], acting(function() change(w) end)[1]
        local args, n = arguments(case, form, w)
        local ok, problem = pcall(object[case[2]], object, unpack(args, 1, n))
        if not ok then
          assert.equal("string", type(problem), name_of(case) .. " " .. i)
          assert.is_nil(problem:find "attempt to", problem)
        end
        pcall(function() return object:encode() end)
      end
    end)
  end

  it("may edit the map: the call sees the edit", function()
    local w = new_world()
    local form = acting(function() w.grid:set(2, 1, false):set(2, 2, false):set(1, 2, false) end)[1]
    helper.fails("no path from (1,1) to (9,1): no open step leads out of the start", "no_path", w.grid.path, w.grid,
      form { x = 1, y = 1 }, { x = 9, y = 1 })
    form = acting(function() if w.graph:has(2) then w.graph:remove_node(2) end end)[1]
    raises("node: there is no node 2", w.graph.move, w.graph, 2, form { x = 1, y = 1 })
    w.graph:add_node()
    form = acting(function() if not w.graph:node "mill" then w.graph:add_node { name = "mill" } end end)[1]
    raises("name: 'mill' is the name of node 4 already", w.graph.add_node, w.graph, form { x = 1, y = 1 },
      { name = "mill" })
  end)

  it("may make the field anew, on another map: the call reads the new field", function()
    local w = new_world()
    local small = wend.grid(2, 2)
    local form = acting(function() small:field(1, 1, { into = w.field }) end)[1]
    assert.equal(1, w.field:cost(form { x = 2, y = 1 }))
    w = new_world()
    assert.is_nil(w.field:cost(form { x = 9, y = 8 })) -- outside the new map
    w = new_world()
    raises("x must be a whole number in 1 .. 2, got 9", w.field.path, w.field, form { x = 9, y = 8 })
    w = new_world()
    form = acting(function() w.graph:field(1, { into = w.field }) end)[1]
    assert.equal(10, w.field:cost(form { x = 2, y = 1 }))
    w = new_world()
    form = acting(function() w.field:scale(-1) end)[1]
    raises("the field was changed by arithmetic: call relax first", w.field.goal, w.field, form { x = 1, y = 1 })
  end)

  it("cannot edit a map that is being searched", function()
    local w = new_world()
    local position = acting(function() w.grid:set(1, 1, 1) end)[1] { x = 1, y = 1 }
    local costs = wend.costs { swamp = function() return (w.grid:get(position)) end }
    local ok, problem = pcall(w.grid.path, w.grid, 1, 1, 9, 8, { costs = costs })
    assert.is_false(ok)
    assert.truthy(problem:find("is being searched", 1, true), problem)
  end)

  it("cannot recurse without end", function()
    local w = new_world()
    local position
    position = acting(function() w.grid:get(position) end)[1] { x = 1, y = 1 }
    local ok, problem = pcall(w.grid.get, w.grid, position)
    assert.is_false(ok)
    assert.truthy(problem:find("inside each other", 1, true) or problem:find("overflow", 1, true), problem)
    assert.equal(1, (w.grid:get(1, 1)))
  end)
end)
