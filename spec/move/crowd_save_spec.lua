-- SPDX-License-Identifier: MIT
-- Crowds as bytes. spec/move/random/crowd_save_spec.lua compares random crowds with what is read of them.
local file_reference = require "spec.support.file_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local raises = helper.raises
local DAMAGED = "a crowd: damaged, or of a version that is not known"
local OTHER = "a crowd: it belongs to another map, or this one has changed since"

local function hall() return wend.grid(20, 10):fill(10, 1, 10, 10, false):open(10, 5, 10, 6) end

--- A crowd in the middle of its way, with some of everything.
local function crowd_in(map)
  local walls = wend.walls()
  walls:add_circle(14, 3, 1)
  local crowd, walkers = wend.crowd { map = map, walls = walls, max_steps = 5, budget = 900 }, {}
  for i = 1, 9 do
    walkers[i] = crowd:add { x = 1 + i % 3 * 1.2, y = 2 + i * 0.7, radius = 0.3, group = i % 2 == 0 and "count" or nil,
      data = i }
  end
  crowd:go({ walkers[1], walkers[2], walkers[3] }, 16, 6)
  walkers[4]:go(17, 8)
  walkers[5]:go { 8, 5, 12, 5, 15, 8 }
  walkers[6]:pause()
  walkers[7]:remove()
  walkers[8]:go(99, 99)
  for _ = 1, 60 do crowd:update(1 / 30) end
  walkers[9]:push(3, 1)
  return crowd, walkers
end

--- What wend.decode returns when it refuses, as a list.
local function answer(object, message, code) return { object or false, message, code } end

local function by_data(crowd)
  local list = {}
  for w in crowd:each() do list[w.data] = w end
  return list
end

describe("crowd:encode", function()
  it("makes a field anew that is out of date, also by its costs", function()
    local grid = wend.grid(12, 5):fill(1, 3, 9, 3, false):fill(4, 1, 4, 2, 1, "mud"):fill(4, 4, 4, 5, 1, "mud")
    local costs = wend.costs { mud = 2 }
    local crowd = wend.crowd { map = grid, costs = costs }
    local w = crowd:add({ x = 1.5, y = 1.5 }):go(grid:field(12, 2, { costs = costs }))
    for _ = 1, 30 do crowd:update(1 / 30) end
    costs:set("mud", 3)
    local loaded = wend.decode(crowd:encode(), { map = grid, costs = costs })
    local one = loaded:each()()
    w:place(1.5, 4.5)                              -- it does not see its way, and looks at the field again
    one:place(1.5, 4.5)
    for _ = 1, 900 do
      crowd:update(1 / 30)
      loaded:update(1 / 30)
    end
    for _, walker in ipairs { w, one } do
      assert.same({ "arrived", 11, 1 }, { walker.state, math.floor(walker.x), math.floor(walker.y) })
    end
  end)

  it("knows where a walker comes from a link, for such a field and for why_not", function()
    -- The link leads over a room that is shut, and has a goal too.
    local map = wend.grid(30, 3):fill(10, 1, 10, 3, false):fill(20, 1, 20, 3, false)
    map:link(5, 2, 25, 2, { weight = 20 })
    local crowd = wend.crowd { map = map }
    local w = crowd:add { x = 3.5, y = 1.5, radius = 0.3, speed = 2 }
    w:go(map:field { 28, 2, 15, 2 })
    for _ = 1, 150 do
      if not (w.crossing and w.x > 12) then crowd:update(1 / 30) end
    end
    assert.is_true(w.x > 12 and w.x < 18)
    map:set(1, 1, 2)                                     -- the field is out of date
    local loaded = wend.decode(crowd:encode(), { map = map })
    local other = loaded:each()()
    for _ = 1, 30 * 30 do loaded:update(1 / 30) end
    assert.same({ "arrived", "nil", 27.5 }, { other.state, tostring(other.code), other.goal_x })
    w:go(15, 1.5)
    crowd:update(1 / 30)
    assert.same({ "lost", true }, { w.state, w.crossing ~= false })
    assert.same({ x = 25, y = 2 }, w:why_not().from)
  end)

  it("keeps a field that was not read yet, and the game's field", function()
    local grid = wend.grid(9, 5)
    local crowd = wend.crowd { map = grid }
    local w = crowd:add { x = 1.5, y = 1.5 }
    for _ = 1, 40 do crowd:add({ x = 2.5, y = 2.5 }):go(grid:field(9, 3)) end      -- they take the budget of orders
    w:go(grid:field(9, 2))
    local bytes, field = crowd:encode(), grid:field(1, 5)
    local loaded = wend.decode(bytes, { map = grid })
    local other = wend.decode(bytes, { map = grid, walker = function() return { field = field } end })
    for _ = 1, 30 do
      crowd:update(1 / 30)
      loaded:update(1 / 30)
      other:update(1 / 30)
      assert.equal(crowd:hash(), loaded:hash())
    end
    assert.same({ 8.5, 1.5, 0.5, 4.5 }, { w.goal_x, w.goal_y, other:each()().goal_x, other:each()().goal_y })
  end)

  it("gives a crowd that takes the same steps", function()
    local grid = hall()
    local crowd = crowd_in(grid)
    local bytes = crowd:encode()
    local loaded = assert(wend.decode(bytes, { map = wend.decode(grid:encode()) }))
    assert.same({ "crowd", 8, "wend.Crowd (8 walkers)", bytes },
      { wend.type(loaded), loaded:count(), tostring(loaded), loaded:encode() })
    for _ = 1, 300 do
      crowd:update(1 / 30)
      loaded:update(1 / 30)
      assert.equal((crowd:hash()), (loaded:hash()))
      assert.same(crowd:positions(), loaded:positions())
    end
    assert.equal(crowd:encode(), loaded:encode())
  end)

  it("counts the plans on from those before", function()
    local grid = hall()
    local crowd = wend.crowd { map = grid, budget = 1 }
    crowd:add({ x = 2, y = 2 }):go(5, 5)
    for _ = 1, 200 do crowd:update(1 / 30) end                -- no plan is under way
    local loaded = assert(wend.decode(crowd:encode(), { map = grid }))
    for _, one in ipairs { crowd, loaded } do one:each()():go(18, 8) end
    assert.equal(crowd:encode(), loaded:encode())
  end)

  it("keeps states, reasons, plain data and options", function()
    local grid = hall()
    local crowd, walkers = crowd_in(grid)
    walkers[1].data, walkers[2].data, walkers[3].data = "one", {}, 1 / 0
    local loaded = wend.decode(crowd:encode(), { map = grid })
    local list, found = {}, by_data(crowd)
    for w in loaded:each() do list[#list + 1] = w.data == nil and "nil" or w.data end
    assert.same({ "one", "nil", "nil", 4, 5, 6, 8, 9 }, list)
    local lost = by_data(wend.decode(crowd_in(grid):encode(), { map = grid }))[8]
    assert.same({ "lost", "the goal is outside the grid", "no_path" }, { lost.state, lost.message, lost.code })
    assert.equal(found[9].vx, walkers[9].vx)
    assert.same({ 5, 1 }, { (loaded:update(6 * 1 / 30)), 1 })
  end)

  it("begins plans again that were under way", function()
    local grid = hall()
    local crowd = wend.crowd { map = grid, budget = 1 }
    crowd:add({ x = 2, y = 2, data = "a" }):go(18, 8)
    crowd:update(0.05)
    local loaded = wend.decode(crowd:encode(), { map = grid })
    for _ = 1, 60 * 30 do loaded:update(1 / 30) end
    assert.equal("arrived", loaded:each()().state)
  end)

  it("goes on after an edit that no step has seen", function()
    local grid = hall()
    local crowd = wend.crowd { map = grid }
    crowd:add({ x = 2, y = 2 }):go(18, 8)
    for _ = 1, 30 do crowd:update(1 / 30) end
    grid:close(10, 5, 10, 6)
    local loaded = wend.decode(crowd:encode(), { map = grid })
    for _ = 1, 10 do
      crowd:update(1 / 30)
      loaded:update(1 / 30)
      assert.equal((crowd:hash()), (loaded:hash()))
    end
    assert.same({ "lost", "lost" }, { crowd:each()().state, loaded:each()().state })
  end)

  it("tells events that were not told", function()
    local grid = hall()
    local crowd = wend.crowd { map = grid }
    crowd:add({ x = 2, y = 2 }):go(50, 8)
    local loaded, said = wend.decode(crowd:encode(), { map = grid }), nil
    loaded.on_lost = function(_, message, code) said = message .. ": " .. code end
    loaded:update(0)
    assert.equal("the goal is outside the grid: no_path", said)
  end)

  it("works on graphs and without a map", function()
    local graph = wend.graph()
    for i = 1, 3 do graph:add_node(5 * i, 1) end
    graph:add_edge(1, 2)
    graph:add_edge(2, 3)
    local walls = wend.walls()
    walls:add_segment(3, 3, 9, 3)
    for _, map in ipairs { graph, false } do
      local crowd = wend.crowd { map = map or nil, walls = walls }
      crowd:add({ x = 4, y = 1.5, data = true }):go(15, 1.5)
      for _ = 1, 40 do crowd:update(1 / 30) end
      local loaded = assert(wend.decode(crowd:encode(), { map = map or nil, costs = wend.costs() }))
      for _ = 1, 400 do
        crowd:update(1 / 30)
        loaded:update(1 / 30)
      end
      assert.equal((crowd:hash()), (loaded:hash()))
      assert.same({ "arrived", true }, { loaded:each()().state, loaded:each()().data })
    end
  end)

  it("raises in a function of an event, and for wrong options", function()
    local crowd = wend.crowd()
    crowd:add({ x = 0, y = 0 }):go(1, 0)
    crowd.on_arrive = function() crowd:encode() end
    local _, problem = pcall(function() for _ = 1, 99 do crowd:update(0.1) end end)
    assert.truthy(tostring(problem):find("the crowd is updating: its functions cannot call encode", 1, true))
    crowd.on_arrive = nil
    local bytes = crowd:encode()
    raises("unknown option 'agent' (expected one of: map, walls, costs, influence, walker)", wend.decode, bytes,
      { agent = 1 })
    raises("map must be a graph or a grid, got 5", wend.decode, bytes, { map = 5 })
    raises("costs must be a profile made by wend.costs, got 5", wend.decode, bytes, { costs = 5 })
    raises("map must be given: a crowd belongs to one", wend.decode, wend.crowd({ map = hall() }):encode())
    raises("map must be given: a crowd belongs to one", wend.decode, wend.crowd({ map = wend.graph() }):encode())
  end)

  it("is refused with another map", function()
    local grid, graph = hall(), wend.graph()
    local on_grid, on_graph = crowd_in(grid):encode(), wend.crowd({ map = graph }):encode()
    local on_none = wend.crowd():encode()
    local function stale(bytes, map)
      assert.same({ false, OTHER, "stale" }, answer(wend.decode(bytes, { map = map })))
    end
    stale(on_grid, graph)
    stale(on_graph, grid)
    stale(on_none, grid)
    stale(on_none, graph)
    stale(on_grid, hall():close(1, 1))
    stale(on_grid, wend.decode(grid:encode()):close(3, 3))
    graph:add_node(1, 1)
    stale(on_graph, graph)
  end)

  it("is refused if its orders lead nowhere", function()
    for name, values in pairs { x = { 1e308, -1e10, false }, y = { 1e10, false } } do
      for _, value in ipairs(values) do
        for _, map in ipairs { hall(), false } do
          local crowd = wend.crowd { map = map or nil }
          local w = crowd:add({ x = 2, y = 2 }):go(5, 5)
          w._order[name] = value or nil                -- so a file may be forged
          assert.same({ false, DAMAGED, "format" }, answer(wend.decode(crowd:encode(), { map = map or nil })))
        end
      end
    end
  end)

  it("is refused where it is damaged", function()
    local grid = hall()
    local bytes = crowd_in(grid):encode()
    local function refused(damaged)
      assert.same({ false, DAMAGED, "format" }, answer(wend.decode(damaged, { map = grid })))
    end
    for size = 20, #bytes - 1, 7 do refused(bytes:sub(1, size)) end
    for at = 5 + 1, #bytes, 13 do
      refused(file_reference.patch(bytes, at, string.char(255 - bytes:byte(at))))
    end
    --- Changes the walker at the beginning of its section.
    local function lie(id, offset, with)
      refused(file_reference.change(bytes, id, function(old)
        return old:sub(1, offset) .. with .. old:sub(offset + #with + 1)
      end))
    end
    local nan, infinite = "\0\0\0\0\0\0\248\127", "\0\0\0\0\0\0\240\127"
    local second = 372
    local walk
    for _, section in ipairs(file_reference.sections(bytes)) do
      if section[1] == "WALK" then walk = section[2] end
    end
    lie("WALK", second, walk:sub(1, 4))                                -- a slot twice
    lie("WALK", 0, "\255\255\255\255")                                 -- no slot
    lie("WALK", 4, "\255\255\0\0")                                     -- a party that was not sent
    lie("WALK", 20, "\255\255\255\127")                                -- blocked by no slot
    lie("WALK", 24, "\255\255\255\255")                                -- many points
    lie("WALK", 24, "\0\0\0\0")                                        -- no points
    lie("WALK", 28, "\255\255\0\0")                                    -- no next point
    lie("WALK", 36, "\4")                                              -- no state
    lie("WALK", 38, "\13")                                             -- many segments
    lie("WALK", 40, "\255\255\255\255\255\255\255\255")                -- looked in the future
    for i = 0, 27 do lie("WALK", 48 + 8 * i, nan) end
    for _, i in ipairs { 0, 1, 7, 8, 13, 14, 21, 22, 23, 24, 25, 26 } do
      lie("WALK", 48 + 8 * i, "\0\0\0\32\95\160\2\66")              -- a place at 1e10
    end
    for i = 0, 14 do lie("WALK", 48 + 8 * i, infinite) end
    for i = 19, 27 do lie("WALK", 48 + 8 * i, infinite) end
    lie("WALK", 64, "\0\0\0\0\0\0\0\0")                                -- a radius of 0
    lie("WALK", 272, "\255\255\255\255")                              -- many tags
    lie("WALK", 276, "\255\255\255\255")                              -- many links
    lie("WALK", 276, "\1\0\0\0")                                      -- more links than numbers
    lie("WALK", 168, "\0\0\0\0\0\0\0\0")                               -- no patience
    for i = 0, 3 do lie("WALK", 280 + 8 * i, nan) end
    lie("WALK", 280, infinite)                                        -- a place to go to
    for i = 4, 6 do lie("WALK", 280 + 8 * i, "\255\255\0\0\0\0\0\0") end -- steps in the future
    lie("WALK", 336, "\5")                                            -- no aim
    lie("WALK", 336, "\0")                                            -- a plan without an aim
    lie("WALK", 340, "\255\255\255\255")                              -- plans
    lie("WALK", 344, "\255\255\255\255")                              -- ways around
    lie("WALK", 364, "\255\255\255\255")                              -- more cells than numbers
    lie("WALK", 368, "\255\255\255\255")                              -- more factors than numbers
    lie("SQEZ", 0, nan)
    lie("SQEZ", 0, "\0\0\0\0\0\0\0\0")                               -- no time before it passes through others
    lie("SQEZ", 8, "\4")                                              -- no flag
    for i = 0, 2 do lie("SQEZ", 9 + 8 * i, nan) end                   -- where it has stayed, and for how long
    for _, id in ipairs { "PNTS", "SEGS", "CWAL" } do
      lie(id, 8, nan)
      lie(id, 8, infinite)
    end
    lie("CROW", 8, "\2")
    lie("CROW", 12, "\255\255\255\255")
    lie("CROW", 16, "\255\255\255\255\255\255\255\255")
    lie("CROW", 24, nan)
    lie("CROW", 24, "\0\0\0\0\0\0\240\191")                        -- a time of -1, which became 2^32 steps
    lie("CROW", 32, "\255\255\255\255")
    lie("CROW", 36, "\255\255\255\255")
    for _, id in ipairs { "CGEN", "WALK", "PNTS", "SEGS", "extr" } do
      refused(file_reference.change(bytes, id, function() return nil end))
      refused(file_reference.change(bytes, id, function(old) return old:sub(1, -2) end))
      refused(file_reference.change(bytes, id, function(old) return old .. "\0" end))
    end
    refused(file_reference.change(bytes, "extr", function() return "\5\0\0\0\0" end))
    refused(file_reference.change(bytes, "extr", function() return "\1" end))
  end)

  it("is refused with chases that cannot be", function()
    local grid = hall()
    local crowd = wend.crowd { map = grid }
    local prey = crowd:add { x = 9, y = 5 }
    crowd:surround({ crowd:add { x = 2, y = 2 } }, prey)
    local bytes = crowd:encode()
    assert.truthy(wend.decode(bytes, { map = grid }))
    local nan = "\0\0\0\0\0\0\248\127"
    local function refused(change)
      assert.same({ false, DAMAGED, "format" },
        answer(wend.decode(file_reference.change(bytes, "CHAS", change), { map = grid })))
    end
    local function lie(at, with)
      refused(function(old) return old:sub(1, at) .. with .. old:sub(at + #with + 1) end)
    end
    lie(1, "\4")                                  -- no kind
    lie(1, "\1")                                  -- no place around the target, and a ring
    lie(14, "\0\0\0\0")                          -- no ring
    lie(14, "\255\0\0\0")                        -- one that was not made
    lie(21, "\255")                               -- flags
    for i = 0, 5 do lie(22 + 8 * i, nan) end
    refused(function(old) return old:sub(1, -2) end)
    refused(function(old) return old .. "\0" end)
  end)

  it("is read without the places that walkers stay near, which older files do not have", function()
    local crowd = wend.crowd()
    for i = 1, 2 do crowd:add({ x = 3 * i, y = 0, squeeze = i + 0.5 }):go(30, 0) end
    for _ = 1, 60 do crowd:update(1 / 30) end
    local function read(change) return answer(wend.decode(file_reference.change(crowd:encode(), "SQEZ", change))) end
    local loaded = wend.decode(file_reference.change(crowd:encode(), "SQEZ", function(old)
      return old:sub(1, 9) .. old:sub(34, 42)
    end))
    local waits = {}
    for w in loaded:each() do waits[#waits + 1] = w.squeeze end
    assert.same({ 1.5, 2.5 }, waits)
    assert.same({ false, DAMAGED, "format" }, read(function(old) return old:sub(1, 42) end))
    assert.same({ false, DAMAGED, "format" }, read(function(old) return old .. "\0" end))
  end)

  it("is refused with links that no walker crosses", function()
    local grid = wend.grid(20, 3):fill(6, 1, 14, 3, false):link(5, 2, 15, 2, { weight = 20, tag = "ladder" })
    local crowd = wend.crowd { map = grid }
    local w = crowd:add({ x = 3.5, y = 1.5 }):go(18.5, 1.5)
    while not w.crossing do crowd:update(1 / 30) end
    crowd:add { x = 1.5, y = 1.5, links = "jump" }
    local bytes = crowd:encode()
    assert.equal(w.crossing.tag, wend.decode(bytes, { map = grid }):each()().crossing.tag)
    local function refused(change)
      assert.same({ false, DAMAGED, "format" },
        answer(wend.decode(file_reference.change(bytes, "LINK", change), { map = grid })))
    end
    local function lie(at, with)
      refused(function(old) return old:sub(1, at) .. with .. old:sub(at + #with + 1) end)
    end
    local nan = ("\255"):rep(8)
    lie(0, "\3")                                 -- ways of crossing that there are not
    lie(25, "\3")
    for i = 0, 2 do lie(1 + 8 * i, nan) end
    for i = 0, 1 do lie(1 + 8 * i, ("\0"):rep(6) .. "\240\127") end -- infinite
    lie(17, ("\0"):rep(6) .. "\240\191")        -- less than nothing is left
    refused(function(old) return old:sub(1, -2) end)
    refused(function(old) return old .. "\0" end)
  end)

  it("is refused with plans that nobody looks for", function()
    local grid = hall()
    local crowd = wend.crowd { map = grid, budget = 1 }
    crowd:add({ x = 2, y = 2 }):go(18, 8)
    crowd:update(1 / 30)
    local bytes, ones = crowd:encode(), ("\255"):rep(8)
    local function refused(change)
      assert.same({ false, DAMAGED, "format" },
        answer(wend.decode(file_reference.change(bytes, "PLAN", change), { map = grid })))
    end
    for _, at in ipairs { 0, 8, 17, 25, 33, 42 } do -- numbers of plans, and a step
      refused(function(old) return old:sub(1, at) .. ones .. old:sub(at + 9) end)
    end
    for _, at in ipairs { 16, 41, 58 } do -- flags
      refused(function(old) return old:sub(1, at) .. "\255" .. old:sub(at + 2) end)
    end
    refused(function(old) return old:sub(1, 25) .. "\1" .. old:sub(27) end)  -- a way around that is not in the list
    refused(function(old) return old:sub(1, 42) .. "\1" .. old:sub(44) end)  -- one without cells
    refused(function(old) return old:sub(1, -9) .. "\1\0\0\0" .. old:sub(-4) .. ("\0"):rep(8) end) -- cell 0
    refused(function(old) return old:sub(1, -5) .. "\1\0\0\0" .. ones .. ("\0"):rep(24) end) -- a cell outside
    refused(function(old) return old .. "\0" end)
  end)

  it("is read where `walker` removes one that is lost, and of which on_lost was not told yet", function()
    local grid, queue, lost = hall():fill(17, 7, 19, 9, false):open(18, 8), wend.queue(), 0
    local crowd = wend.crowd { map = grid, queue = queue }
    for x = 2, 3 do crowd:add({ x = x, y = 2, data = x }):go(17.5, 7.5) end
    crowd:update(0.1)
    queue:step(1e6)
    local loaded = assert(wend.decode(crowd:encode(), { map = grid, walker = function(w)
      if w.data == 2 then w:remove() end
    end }))
    loaded.on_lost = function(w) lost = lost + w.data end
    loaded:update(0.1)
    assert.same({ 1, 3 }, { loaded:count(), lost })
  end)

  it("asks `walker` only where the whole file is good", function()
    local grid, graph, asked = hall(), wend.graph(), 0
    graph:add_nodes { 0, 0, 9, 0 }
    graph:add_edge(1, 2)
    local function walker() asked = asked + 1 end
    for kind, map in pairs { F = grid, H = graph } do
      local crowd = wend.crowd { map = map }
      local field = kind == "F" and map:field(2, 2)
      for x = 3, 5 do
        local one = crowd:add { x = x, y = kind == "F" and 3 or 0 }
        if field then one:go(field) else one:go(9, 0) end
      end
      for _ = 1, 9 do crowd:update(0.1) end
      local bytes = crowd:encode()
      local function load_with(change)
        asked = 0
        return wend.decode(file_reference.change(bytes, "extr", change), { map = map, walker = walker })
      end
      assert.truthy(load_with(function(data) return data end))
      assert.equal(3, asked)
      local function refused(change)
        assert.same({ false, DAMAGED, "format" }, answer(load_with(change)))
        assert.equal(0, asked)
      end
      refused(function(data)
        local at = data:match("^.*()WEND" .. kind)      -- in the last one that is in the data
        return file_reference.patch(data, at + 16, "?")
      end)
      if field then
        local nine = "\0\0\0\0\0\0\34\64"
        refused(function(data) return file_reference.patch(data, data:match "^.*field\2()", nine) end)
      end
    end
  end)

  it("is refused with prices of tags for no points, which were written outside of a section", function()
    local crowd = wend.crowd()
    crowd:add { x = 1, y = 1 }
    local bytes = file_reference.change(crowd:encode(), "WALK", function(old)
      return old:sub(1, 272) .. "\1\0\0\0" .. old:sub(277)
    end)
    local sections = file_reference.sections(bytes)
    table.insert(sections, 3, { "PNTS", ("\0"):rep(16) })
    bytes = file_reference.pack(bytes:sub(1, 8), sections)
    assert.same({ false, DAMAGED, "format" }, answer(wend.decode(bytes)))
  end)

  it("can be read again after the last number of an order to a group", function()
    local crowd = wend.crowd()
    crowd:add { x = 1, y = 1 }
    local last = file_reference.change(crowd:encode(), "CROW", function(old)
      return old:sub(1, 12) .. "\254\255\255\255" .. old:sub(17)
    end)
    local loaded = assert(wend.decode(last))
    loaded:go({ loaded:each()() }, 5, 5)
    loaded:update(0.1)
    assert.equal(loaded:encode(), assert(wend.decode(loaded:encode())):encode())
  end)

  it("is refused with data of Lua that no crowd has", function()
    local graph = wend.graph()
    for i = 1, 3 do graph:add_node(5 * i, 1) end
    graph:add_edge(1, 2)
    graph:add_edge(2, 3)
    local crowd = wend.crowd { map = graph }
    for i = 1, 2 do crowd:add({ x = 4, y = i }):go(15, 1) end
    crowd:update(1)
    local bytes = crowd:encode()
    --- Puts another text of the same length in the place of one.
    local function lie(text, with)
      local count
      local changed = file_reference.change(bytes, "extr", function(old)
        local first, last = old:find(text, 1, true)
        count = first and 1 or 0
        return first and old:sub(1, first - 1) .. with .. old:sub(last + 1)
      end)
      assert.equal(1, count)
      assert.same({ false, DAMAGED, "format" }, answer(wend.decode(changed, { map = graph })))
    end
    lie("id\2", "ix\2")
    lie("max_steps\2\0\0\0\0\0\0\32\64", "max_steps\2\0\0\0\32\95\160\2\66") -- 1e10
    lie("lost\5\0\0\0\0", "lost\2\0\0\0\0")
    assert.equal("crowd", wend.type(wend.decode(bytes, { map = graph })))
  end)
end)

describe("crowd:save", function()
  it("writes a file that wend.load reads", function()
    local grid = hall()
    local crowd, name = crowd_in(grid), os.tmpname()
    assert.is_true(crowd:save(name))
    local loaded = assert(wend.load(name, { map = grid }))
    os.remove(name)
    assert.equal(crowd:encode(), loaded:encode())
  end)

  it("writes a file that wend.load reads with the options of crowds", function()
    local grid, costs, agent, name = hall(), wend.costs { mud = 2 }, { boots = true }, os.tmpname()
    local crowd = wend.crowd { map = grid, costs = costs }
    crowd:add { x = 2, y = 2, data = "ann", agent = agent }
    assert.is_true(crowd:save(name))
    local function equip(w) return { agent = w.data == "ann" and agent } end
    local loaded = assert(wend.load(name, { map = grid, costs = costs, walker = equip, walls = wend.walls() }))
    os.remove(name)
    for w in loaded:each() do assert.equal(agent, w.agent) end
    assert.equal("io", (select(3, wend.load("no such file", { map = grid, walker = equip }))))
    helper.raises("walker must be a function, got 5", wend.load, "no such file", { walker = 5 })
  end)
end)

describe("a crowd that is loaded", function()
  local BOOTS, SHOES = { boots = true }, { boots = false }
  local costs = wend.costs { mud = function(agent) return agent.boots and 1 or 6 end }

  local function yard()
    return wend.grid(40, 30):fill(15, 1, 15, 22, false):fill(15, 10, 15, 11, 1):fill(18, 5, 24, 25, 1, "mud")
  end

  --- 60 units with agents; some have profiles and speeds of their own, some follow a field.
  local function army(grid)
    local crowd = wend.crowd { map = grid, costs = costs, speeds = { mud = 0.6 }, budget = 300 }
    local own = wend.costs { mud = 2 }
    local field = grid:field(38, 3, { costs = costs, agent = SHOES })
    for i = 1, 60 do
      local w = crowd:add { x = 1 + i % 6 * 1.1, y = 1.5 + math.floor(i / 6) * 2.5, radius = 0.35, data = i,
        agent = i % 3 == 0 and BOOTS or SHOES, costs = i % 7 == 0 and own or nil,
        speeds = i % 5 == 0 and "costs" or nil, priority = i % 2 }
      if i % 4 ~= 0 then w:go(38 - i % 5, 2 + i % 9 * 3, { partial = i % 2 == 0 })
      elseif i % 3 ~= 0 and i % 7 ~= 0 then w:go(field) end
    end
    local function given(w)
      return { agent = w.data % 3 == 0 and BOOTS or SHOES, costs = w.data % 7 == 0 and own or nil }
    end
    return crowd, given
  end

  it("goes on identically on an equal map whose tags were named in another order", function()
    local function moor(names)
      local grid = wend.grid(30, 12)
      for _, name in ipairs(names) do grid:fill(1, 1, 1, 1, 1, name) end     -- none stays there
      grid:fill(1, 1, 1, 1, 1)
      return grid:fill(8, 1, 10, 9, 1, "mud"):fill(14, 4, 17, 12, 1, "sand"):fill(21, 1, 23, 8, 1, "ice")
    end
    local profile = wend.costs { mud = 6, sand = 2, ice = 0.5 }
    for _, speeds in ipairs { "costs", { mud = 0.4, ice = 2 } } do
      local crowd = wend.crowd { map = moor { "mud", "sand", "ice" }, costs = profile, speeds = speeds }
      for i = 1, 8 do crowd:add({ x = 2 + i % 2, y = 2 + i, radius = 0.3, data = i }):go(28, 11 - i) end
      for _ = 1, 20 do
        for _ = 1, 30 do crowd:update(1 / 30) end
        local bytes = crowd:encode()
        local loaded = {}
        for i, names in ipairs { { "mud", "sand", "ice" }, { "ice", "mud" }, { "tar", "sand", "mud" } } do
          loaded[i] = assert(wend.decode(bytes, { map = moor(names), costs = profile }))
        end
        for _ = 1, 60 do
          for _, one in ipairs(loaded) do one:update(1 / 30) end
          assert.equal(loaded[1]:hash(), loaded[2]:hash())
          assert.equal(loaded[1]:hash(), loaded[3]:hash())
        end
      end
    end
  end)

  it("goes on identically, whenever it was saved #many", function()
    local grid = yard()
    local crowd, given = army(grid)
    for frame = 1, 50 do
      for _ = 1, frame % 9 + 1 do crowd:update(1 / 30) end
      if frame % 10 == 3 then
        for w in crowd:each() do
          if w.data % 10 == frame % 7 then w:go(3 + w.data % 30, 26) end
        end
      end
      local loaded = assert(wend.decode(crowd:encode(), { map = grid, costs = costs, walker = given }))
      local saved = assert(wend.decode(crowd:encode(), { map = grid, costs = costs, walker = given }))
      assert.equal(crowd:encode(), loaded:encode())
      for _ = 1, 20 do
        saved:update(1 / 30)
        loaded:update(1 / 30)
        assert.equal(saved:hash(), loaded:hash())
      end
      local copy = assert(wend.decode(crowd:encode(), { map = grid, costs = costs, walker = given }))
      for _ = 1, 20 do
        crowd:update(1 / 30)
        copy:update(1 / 30)
        for w in crowd:each() do
          if w.data % 11 == 0 then w:go(20, 27) end
        end
        for w in copy:each() do
          if w.data % 11 == 0 then w:go(20, 27) end
        end
        assert.equal(crowd:hash(), copy:hash())
      end
    end
  end)

  it("gives its walkers what the script returns, with their data", function()
    local grid, seen = yard(), {}
    local crowd, given = army(grid)
    crowd:update(0.1)
    local loaded = assert(wend.decode(crowd:encode(), { map = grid, costs = costs, walker = function(w)
      seen[#seen + 1] = w.data
      return given(w)
    end }))
    local list = by_data(loaded)
    assert.equal(60, #seen)
    assert.same({ BOOTS, SHOES, "costs", 1, "default" },
      { list[3].agent, list[4].agent, list[5].speeds, list[5].priority, list[6].group })
    assert.equal(loaded.speeds.mud, 0.6)
    assert.is_nil(list[4].speeds)
    list = by_data(assert(wend.decode(crowd:encode(), { map = grid, costs = costs, walker = function(w)
      if w.data == 2 then w:remove() end
      if w.data == 3 then w:stop() end
      local given_back = given(w)
      given_back.speeds = { mud = 0.1 }
      return given_back
    end })))
    assert.same({ 0.1, "removed" }, { list[4].speeds.mud, list[2] and list[2].state or "removed" })
  end)

  it("raises without what a walker had", function()
    local grid = yard()
    local crowd, given = army(grid)
    crowd:update(0.1)
    local bytes = crowd:encode()
    raises("costs must be given: the crowd had a profile", wend.decode, bytes, { map = grid })
    raises("walker 1 had an agent: the option walker must return it", wend.decode, bytes, { map = grid, costs = costs })
    local function with(change)
      return { map = grid, costs = costs, walker = function(w) return change(given(w), w) end }
    end
    raises("walker 7 had costs of its own: the option walker must return it", wend.decode, bytes,
      with(function(given_back)
        given_back.costs = nil
        return given_back
      end))
    raises("walker must return a table or nil, got 5", wend.decode, bytes, with(function() return 5 end))
    raises("unknown option 'boots' (expected one of: agent, costs, influence, speeds, field, map, target)", wend.decode,
      bytes, with(function() return { boots = true } end))
    raises("costs must be a profile made by wend.costs, got 5", wend.decode, bytes,
      with(function() return { agent = 1, costs = 5 } end))
    raises("speeds.mud must be a finite number >= 0, got -1", wend.decode, bytes,
      with(function(given_back)
        given_back.speeds = { mud = -1 }
        return given_back
      end))
    raises("walker must be a function, got 5", wend.decode, bytes, { map = grid, walker = 5 })
    local ok, problem = pcall(wend.decode, bytes, with(function() error("no such unit", 0) end))
    assert.same({ false, "no such unit" }, { ok, problem })
    local own = wend.crowd { map = grid }
    own:add({ x = 2, y = 2 }):go(grid:field(38, 3, { agent = BOOTS, costs = costs }))
    raises("walker 1 had a field with other costs or layers: the option walker must return it", wend.decode,
      own:encode(), { map = grid })
  end)

  it("keeps the goals of walkers that are lost, and of those who wait for a plan", function()
    local grid = wend.grid(20, 10):fill(10, 1, 10, 10, false)
    local crowd = wend.crowd { map = grid, budget = 1 }
    crowd:add({ x = 2, y = 2, data = 1 }):go(18.25, 5.5)
    crowd:update(0.1)
    local loaded = assert(wend.decode(crowd:encode(), { map = grid }))
    for _ = 1, 300 do
      crowd:update(1 / 30)
      loaded:update(1 / 30)
      local a, b = crowd:each()(), loaded:each()()
      assert.same({ a.state, a.goal_x, a.goal_y, a.message or "" }, { b.state, 18.25, 5.5, b.message or "" })
    end
    assert.equal("lost", crowd:each()().state)
    assert.equal(crowd:encode(), loaded:encode())
  end)
end)
