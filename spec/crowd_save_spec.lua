-- SPDX-License-Identifier: MIT
-- Crowds as bytes. spec/random/crowd_save_spec.lua compares random crowds with what is read of them.
local file_reference = require "spec.file_reference"
local helper = require "spec.helper"
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
  walkers[6]:hold()
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

  it("keeps states, reasons, plain data and options", function()
    local grid = hall()
    local crowd, walkers = crowd_in(grid)
    walkers[1].data, walkers[2].data, walkers[3].data = "one", {}, 1 / 0
    local loaded = wend.decode(crowd:encode(), { map = grid })
    local list, found = {}, by_data(crowd)
    for w in loaded:each() do list[#list + 1] = w.data == nil and "nil" or w.data end
    assert.same({ "one", "nil", "nil", 4, 5, 6, 8, 9 }, list)
    local lost = by_data(wend.decode(crowd_in(grid):encode(), { map = grid }))[8]
    assert.same({ "lost", "the goal is outside the grid", "no_path" }, { lost.state, lost.reason, lost.code })
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
    raises("unknown option 'agent' (expected one of: map, costs)", wend.decode, bytes, { agent = 1 })
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
    local second = 264
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
    lie("WALK", 39, "\2")                                              -- no flag
    lie("WALK", 40, "\255\255\255\255\255\255\255\255")                -- looked in the future
    for i = 0, 25 do lie("WALK", 48 + 8 * i, nan) end
    for _, i in ipairs { 0, 1, 7, 8, 13, 14, 21, 22, 23, 24 } do
      lie("WALK", 48 + 8 * i, "\0\0\0\32\95\160\2\66")              -- a place at 1e10
    end
    for i = 0, 14 do lie("WALK", 48 + 8 * i, infinite) end
    for i = 19, 25 do lie("WALK", 48 + 8 * i, infinite) end
    lie("WALK", 64, "\0\0\0\0\0\0\0\0")                                -- a radius of 0
    lie("WALK", 256, "\255\255\255\255")                              -- many tags
    lie("WALK", 260, "\255\255\255\255")                              -- many links
    lie("WALK", 260, "\1\0\0\0")                                      -- more links than numbers
    lie("WALK", 168, "\0\0\0\0\0\0\0\0")                               -- no patience
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

  it("is refused with prices of tags for no points, which were written outside of a section", function()
    local crowd = wend.crowd()
    crowd:add { x = 1, y = 1 }
    local bytes = file_reference.change(crowd:encode(), "WALK", function(old)
      return old:sub(1, 256) .. "\1\0\0\0" .. old:sub(261)
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

  it("is refused with numbers of Lua that no crowd has", function()
    local graph = wend.graph()
    for i = 1, 3 do graph:add_node(5 * i, 1) end
    graph:add_edge(1, 2)
    graph:add_edge(2, 3)
    local q = wend.queue { limit = 1 }
    local crowd = wend.crowd { map = graph, queue = q }
    for i = 1, 2 do crowd:add({ x = 4, y = i }):go(15, 1) end
    q:step(1000)
    crowd:update(1)
    local bytes = crowd:encode()
    --- Puts 1e10 in the place of a number, by its key or by what comes before it.
    local function lie(before, number)
      local changed, count = bytes, 0
      changed = file_reference.change(changed, "extr", function(old)
        local _, last = old:find(before, 1, true)
        count = last and 1 or 0
        return last and old:sub(1, last) .. number .. old:sub(last + 9)
      end)
      assert.equal(1, count)
      return answer(wend.decode(changed, { map = graph }))
    end
    local far = "\0\0\0\32\95\160\2\66"                             -- 1e10
    local id = "\2\0\0\0\0\0\0\0\64"                                -- the number 2: a walker
    for _, before in ipairs { "aim\5\2\0\0\0\1\0\0\0x\2", "later\4\2\0\0\0" .. id .. "\2", "planned\2" } do
      assert.same({ false, DAMAGED, "format" }, lie(before, far))
    end
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
end)
