-- SPDX-License-Identifier: MIT
-- Overlays: maps that follow another one, their base.
local file_reference = require "spec.support.file_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local raises, all_raise = helper.raises, helper.all_raise

-- Two ways from gate to keep: the bridge (edge 1, 10 long), and the ford (edges 2 and 3, together 20).
local function bridge()
  local g = wend.graph()
  g:add_node(0, 0, { name = "gate" })
  g:add_node(10, 0, { name = "keep" })
  g:add_node(5, 5, { name = "ford" })
  g:add_edge("gate", "keep", { tag = "bridge" })
  g:add_edges({ 1, 3, 3, 2 }, { weights = { 10, 10 } })
  return g
end

local function nodes(path) return path and table.concat(path, " ") end

describe("map:overlay", function()
  it("makes a map that equals its base", function()
    local g, grid = bridge(), wend.grid(3, 2, { cell = 8, origin = { 1, 2 } })
    local o = g:overlay()
    assert.equal("graph", wend.type(o))
    assert.equal("wend.Graph (3 nodes, 3 edges, overlay)", tostring(o))
    assert.equal(10, o:path("gate", "keep").cost)
    o = grid:overlay()
    assert.equal("grid", wend.type(o))
    assert.equal("wend.Grid (3 x 2, overlay)", tostring(o))
    assert.same({ 21, 14 }, { o:position(3, 2) })
  end)

  it("keeps its base alive", function()
    local o = wend.grid(3, 3):overlay():overlay()
    collectgarbage()
    collectgarbage()
    o:close(2, 2)
    assert.equal(true, o:is_closed(2, 2))
  end)

  it("can be made any number of times: the base and the others do not see its edits", function()
    local grid = wend.grid(9, 1)
    local overlays = {}
    for x = 2, 8 do overlays[x] = grid:overlay():close(x, 1) end
    for _ = 1, 2 do
      for x = 2, 8 do assert.equal(x - 1, #overlays[x]:path(1, 1, 9, 1, { partial = true }) / 2) end
    end
    assert.equal(8, grid:path(1, 1, 9, 1).cost)
  end)

  it("can be made of an overlay", function()
    local grid = wend.grid(3, 1)
    local o = grid:overlay()
    local above = o:overlay():set(1, 1, 9)
    grid:set(2, 1, 4)
    o:set(3, 1, 2)
    assert.equal(6, above:path(1, 1, 3, 1).cost)
    assert.equal(11, above:path(2, 1, 1, 1).cost + above:path(2, 1, 3, 1).cost)
    assert.equal(1, grid:get(3, 1))
  end)
end)

describe("overlays on each other", function()
  it("are limited to 100", function()
    local grid = wend.grid(2, 1)
    local top = grid
    for _ = 1, 100 do top = top:overlay() end
    raises("at most 100 overlays can lie on each other", top.overlay, top)
    grid:set(2, 1, 7)
    assert.equal(7, top:path(1, 1, 2, 1).cost)
    assert.equal("tar", select(2, top:set(1, 1, "tar"):get(1, 1)))
  end)
end)

describe("an overlay of a graph", function()
  it("closes and opens nodes and edges", function()
    local g = bridge()
    local o = g:overlay()
    assert.equal(o, o:close_edge(1))
    assert.equal("1 3 2", nodes(o:path(1, 2)))
    o:close "ford"
    helper.fails("no path from 'gate' (1) to 'keep' (2): no open edge leads to the goal", "no_path", o.path, o, 1, 2)
    g:close_edge(1)
    assert.equal("1 3 2", nodes(g:path(1, 2)))
    o:open_edge(1)
    assert.equal("1 2", nodes(o:path(1, 2)))
    g:close "keep"
    o:open "keep"
    assert.equal("1 2", nodes(o:path(1, 2)))
    assert.equal(true, g:is_closed "keep")
    assert.equal(true, g:edge(1).closed)
  end)

  it("sets weights and tags; without a weight it is the length", function()
    local g = bridge()
    local o = g:overlay():set_weight(1, 50):set_tag(2, "mud")
    assert.equal(20, o:path(1, 2).cost)
    assert.equal(30, o:path(1, 2, { costs = wend.costs { mud = 2 } }).cost)
    o:set_weight(2, nil):set_weight(3)
    assert.near(2 * 50 ^ 0.5, o:path(1, 2).cost, 1e-9)
    g:move("ford", 5, 0)
    assert.equal(10, o:path(1, 2).cost)
    assert.equal(10, g:edge(2).weight)
    assert.equal(nil, g:edge(2).tag)
  end)

  it("sees what is added to its base, removed, moved and named", function()
    local g = bridge()
    local o = g:overlay():close_edge(1)
    local tunnel = g:add_edge(1, 2, { weight = 11 })
    assert.equal(11, o:path(1, 2).cost)
    assert.equal(tunnel, o:path(1, 2):edges()[1])
    g:remove_edge(tunnel)
    assert.equal(20, o:path(1, 2).cost)
    local raft = g:add_edge(1, 2, { weight = 12 })
    assert.equal(raft, o:path(1, 2):edges()[1])
    local far = g:add_node(0, 50, { name = "far" })
    g:add_edge(1, far)
    assert.equal(50, o:path("gate", "far").cost)
    g:set_name(far, "farm"):set_radius(far, 3):move(far, 0, 60)
    assert.equal(60, o:path("gate", "farm").cost)
    assert.equal(3, o:radius "farm")
    assert.equal(false, o:has "far")
    assert.same({ 0, 60 }, { o:position "farm" })
  end)

  it("sees names that its base exchanges, and does not count them as edits", function()
    local g = bridge()
    local o = g:overlay():close_edge(1)
    local path, field = o:path(1, 2), o:field(1)
    g:set_name(1):set_name(2, "gate"):set_name(1, "keep")
    assert.same({ 2, 1 }, { (o:node "gate"), (o:node "keep") })
    assert.same({ true, true }, { path:valid(), field:valid() })
  end)

  it("keeps its edits when the base changes, and drops those of what was removed", function()
    local g = bridge()
    local o = g:overlay():close "ford":close_edge(2)
    g:remove_node "ford"
    assert.equal("1 2", nodes(o:path(1, 2)))
    local again = g:add_node(5, 5)
    g:add_edges { 1, again, again, 2 }
    o:close_edge(1)
    assert.equal(3, #o:path(1, 2))
  end)

  it("hides the base where it was edited, until it is reset", function()
    local g = bridge()
    local o = g:overlay():close_edge(1):set_weight(2, 5):close "keep"
    g:set_weight(2, 7):set_weight(1, 3)
    assert.same({ 5, 10 }, { o:edge(2).weight, o:edge(1).weight })
    assert.equal(o, o:reset_edge(2))
    assert.equal(7, o:edge(2).weight)
    assert.equal("1 3 2", nodes(o:open "keep":path(1, 2)))
    assert.equal(true, o:edge(1).closed)
    assert.equal(o, o:reset "keep")
    g:close "keep"
    assert.equal(true, o:is_closed "keep")
    g:open "keep"
    assert.equal(o, o:reset())
    assert.equal(3, o:path(1, 2).cost)
  end)

  it("serves names, routes, nearest edges, checks, route tables", function()
    local g = bridge()
    local o = g:overlay():close_edge(1)
    assert.equal(20, o:path("gate", { "keep" }).cost)
    assert.equal(20, o:route({ 0, 0 }, { 10, 0 }, { enter = "edge" }).cost)
    assert.equal(1, (g:nearest_edge(5, 0, { can_reach = "keep" })))
    assert.equal(2, (o:nearest_edge(5, 1, { can_reach = "keep" })))
    assert.equal(20, o:routes():path("gate", "keep").cost)
    o:close_edge(2):close_edge(3)
    assert.equal(1, (g:nearest(1, 1, { can_reach = "keep" })))
    assert.equal(2, (o:nearest(1, 1, { can_reach = "keep" })))
    assert.equal(true, g:check().connected)
    assert.equal(3, #o:check().components)
    assert.equal(false, o:can_reach(1, 2))
    assert.truthy(o:why_not(1, 2))
  end)
end)

describe("an overlay of a grid", function()
  local function grid_and_overlay()
    local grid = wend.parse_grid [[
      .....
      .###.
      .....
    ]]
    return grid, grid:overlay()
  end

  it("closes and opens cells and rectangles", function()
    local grid, o = grid_and_overlay()
    o:close(3, 1)
    assert.equal(true, o:is_closed(3, 1))
    assert.equal(false, grid:is_closed(3, 1))
    assert.truthy(o:path(1, 1, 5, 1).cost > 4)
    o:close(3, 1, 3, 3)
    assert.equal(nil, (o:path(1, 1, 5, 1)))
    o:open(2, 2, 4, 2)
    assert.equal(false, o:is_closed { x = 3, y = 2 })
    assert.equal(true, grid:is_closed(3, 2))
    assert.truthy(o:path(1, 1, 5, 1))
    assert.equal("..#..\n.....\n..#..", o:text())
  end)

  it("sets values: weights, tags, false", function()
    local grid, o = grid_and_overlay()
    o:set(3, 1, 7):set(3, 3, "mud")
    local path = o:path(1, 1, 5, 1)
    assert.truthy(path.cost > 4 and path.cost < 10)
    o:fill(1, 3, 5, 3, 9)
    assert.equal(10, o:path(1, 1, 5, 1).cost)
    o:set({ x = 3, y = 1 }, 2, "mud")
    assert.equal(5 + 2, o:path(1, 1, 5, 1, { costs = wend.costs { mud = 2 } }).cost)
    o:set(3, 1, false)
    assert.equal(true, o:is_closed(3, 1))
    o:open(3, 1)
    assert.equal(4, o:path(1, 1, 5, 1).cost)
    o:reset():map(function(x) return x == 3 and 2 or nil end)
    assert.equal(5, o:path(1, 1, 5, 1).cost)
    grid:set(3, 1, 7):set(2, 1, 7)
    assert.same({ 2, 7 }, { (o:get(3, 1)), (o:get(2, 1)) })
    o:reset():fill(2)
    assert.equal(8, o:path(1, 1, 5, 1).cost)
    assert.same({}, (grid:tags()))
  end)

  it("hides the base where it was edited, until it is reset", function()
    local grid = wend.grid(3, 1):set(2, 1, 4, "mud")
    local o = grid:overlay():close(2, 1)
    assert.equal(nil, (o:path(1, 1, 3, 1)))
    grid:set(2, 1, 7)
    assert.equal(5, o:open(2, 1):path(1, 1, 3, 1).cost)
    assert.equal("mud", select(2, o:get(2, 1)))
    grid:close(2, 1)
    assert.equal(5, o:path(1, 1, 3, 1).cost)
    assert.equal(nil, (o:reset(2, 1):path(1, 1, 3, 1)))
    grid:open(2, 1)
    assert.equal(8, o:path(1, 1, 3, 1).cost)
  end)

  it("hides the base also where its edit changed nothing", function()
    local grid = wend.grid(5, 2):close(2, 1):wall(4, 1, 5, 1)
    local o = grid:overlay():close(2, 1):close(1, 2, 1, 2):open(3, 1, 3, 2):wall(4, 1, 5, 1):wall(4, 2, 5, 2, false)
    grid:open(2, 1):close(3, 1, 3, 2):wall(4, 1, 5, 1, false):wall(4, 2, 5, 2)
    assert.same({ true, false, false }, { o:is_closed(2, 1), o:is_closed(3, 1), o:is_closed(3, 2) })
    local walls = {}
    for x1, y1, x2, y2 in o:walls() do walls[#walls + 1] = table.concat({ x1, y1, x2, y2 }, " ") end
    assert.same({ "4 1 5 1" }, walls)
  end)

  it("sees the links, cells and walls of its base", function()
    local grid = wend.grid(9, 3)
    local o = grid:overlay():close(5, 1, 5, 3)
    assert.equal(nil, (o:path(1, 1, 9, 1)))
    grid:link(1, 1, 9, 1, { weight = 3, directed = true }):link(9, 1, 1, 1, { weight = 2, directed = true })
    assert.same({ 3, 2 }, { o:path(1, 1, 9, 1).cost, o:path(9, 1, 1, 1).cost })
    grid:unlink(1, 1, 9, 1)
    assert.equal(nil, (o:path(1, 1, 9, 1)))
    grid:link(2, 1, 8, 1, { weight = 0, tag = "portal" }):set(9, 1, 7):wall(8, 1, 9, 1)
    assert.equal(1 + 0 + 1 + 1 + 7, o:path(1, 1, 9, 1).cost)
    for i = 1, 200 do grid:set(1 + i % 9, 2, 1 + i % 3) end
    local copy = grid:copy():close(5, 1, 5, 3)
    assert.equal(copy:text(), o:text())
    assert.equal(copy:path(1, 1, 9, 3).cost, o:path(1, 1, 9, 3).cost)
  end)

  it("gives its tags to the base, which has no cells of them, nor its file", function()
    local grid = wend.grid(5, 1):set(2, 1, "mud")
    local before, bytes = grid:encode(), grid:path(1, 1, 2, 1):encode()
    local costs = wend.costs { lava = 3 }
    local o = grid:overlay():set(3, 1, "lava"):set(4, 1, { weight = 2, tag = "oil" })
    assert.equal(7, o:path(1, 1, 5, 1, { costs = costs }).cost)
    assert.equal(before, grid:encode())
    assert.truthy(wend.decode(bytes, { map = wend.decode(before) }))
    local field = grid:field(1, 1, { costs = costs })
    assert.equal(4, wend.decode(field:encode(), { map = grid, costs = costs }):path(5, 1).cost)
    assert.equal(4, wend.decode(field:encode(), { map = wend.decode(before), costs = costs }):path(5, 1).cost)
    grid:set(5, 1, "oil")
    assert.same({ mud = 1, oil = 1 }, (wend.decode(grid:encode()):tags()))
    assert.same({ mud = 1, oil = 2, lava = 1 }, (o:tags()))
    o:set(3, 1, "brine")
    grid:map(function(x) if x == 1 then return "brine" end end)
    assert.same({ mud = 1, oil = 1, brine = 1 }, (wend.decode(grid:encode()):tags()))
    assert.equal(9, o:path(1, 1, 5, 1, { costs = wend.costs { brine = 5 } }).cost)
    local above = o:overlay():set(1, 1, "tar")
    assert.same({ "tar", "brine" }, { select(2, above:get(1, 1)), select(2, above:get(3, 1)) })
  end)

  it("adds and removes walls", function()
    local grid = wend.grid(2, 2, { diagonals = "never" })
    local o = grid:overlay():wall(1, 1, 2, 1)
    assert.equal(3, o:path(1, 1, 2, 1).cost)
    grid:wall(1, 1, 1, 2)
    assert.equal(nil, (o:path(1, 1, 2, 1)))
    o:wall({ x = 1, y = 2 }, { x = 1, y = 1 }, false)
    assert.equal(3, o:path(1, 1, 2, 1).cost)
    o:reset(1, 1)
    assert.equal(1, o:path(1, 1, 2, 1).cost)
    assert.equal(3, o:path(1, 1, 1, 2).cost)
    o:wall(2, 1, 2, 2)
    assert.equal(nil, (o:path(1, 1, 1, 2)))
    assert.equal(3, o:reset():path(1, 1, 1, 2).cost)
  end)

  it("resets rectangles", function()
    local grid = wend.grid(9, 9)
    local o = grid:overlay():close(2, 2, 8, 8)
    o:reset(2, 2, 8, 4):reset({ x = 2, y = 8 }, { x = 8, y = 8 })
    local copy = grid:copy():close(2, 5, 8, 7)
    assert.equal(copy:text(), o:text())
    assert.equal(grid:text(), o:reset():text())
  end)

  it("serves all queries", function()
    local grid = wend.grid(7, 7)
    local o = grid:overlay():close(4, 1, 4, 6)
    assert.equal(false, o:clear(1, 1, 7, 1))
    assert.equal(true, grid:clear(1, 1, 7, 1))
    assert.equal(false, o:clear_points(1, 1, 6.5, 1))
    assert.same({ 3, 3, 1 }, { o:nearest(3.5, 2.5) })
    assert.equal(nil, (grid:overlay():close(1, 1, 7, 7):random(1)))
    assert.equal(2, #o:close(4, 7):check().components)
    assert.equal(nil, (o:route({ 0.5, 0.5 }, { 6.5, 0.5 })))
    assert.equal(nil, (o:nearest(0.5, 0.5, { can_reach = { 7, 7 }, max_distance = 2 })))
    assert.equal(false, o:can_reach(1, 1, 7, 7))
    assert.equal(nil, o:field(1, 1):cost(7, 7))
    assert.same({ false, 6 }, { o:paths({ 1, 1, 7, 1, 1, 1, 1, 7 })[1], o:paths({ 1, 1, 1, 7 })[1].cost })
  end)

  it("works where a grid has more different cells than a palette", function()
    local grid = wend.grid(300, 300)
    local o = grid:overlay():close(2, 1):set(1, 2, 0.5)
    grid:map(function(x, y) return x * 1000 + y end)
    local copy = grid:copy():close(2, 1):set(1, 2, 0.5)
    for _ = 1, 2 do
      assert.equal(copy:path(1, 1, 30, 30).cost, o:path(1, 1, 30, 30).cost)
      grid:set(3, 3, 7)
      copy:set(3, 3, 7)
    end
  end)

  it("can be copied: the copy is a grid of its own", function()
    local grid = wend.grid(3, 1)
    local o = grid:overlay():set(2, 1, 4, "mud")
    local level = wend.decode(wend.level { grid = o }:encode())
    for _, copy in ipairs { o:copy(), wend.decode(o:copy():encode()), level.grid } do
      assert.equal("wend.Grid (3 x 1)", tostring(copy))
      assert.equal(5, copy:path(1, 1, 3, 1).cost)
      o:reset()
      assert.equal(5, copy:path(1, 1, 3, 1).cost)
      o:set(2, 1, 4, "mud")
    end
  end)
end)

describe("overlay:encode", function()
  local DAMAGED = "an overlay: damaged, or of a version that is not known"

  local function game()
    local grid = wend.grid(60, 40):fill(1, 20, 60, 20, false):open(30, 20):wall(5, 5, 6, 5):wall(7, 7, 8, 8)
    grid:link(1, 1, 60, 40, { weight = 90 })
    return grid, grid:overlay():close(1, 2, 3, 3):set(4, 4, 3, "mud"):wall(9, 9, 9, 10):wall(6, 5, 5, 5, false)
  end

  it("holds the changes only, and decode makes the overlay again", function()
    local grid, o = game()
    local bytes, path = o:encode(), o:path(1, 1, 60, 40)
    assert.truthy(#bytes < 300 and #grid:encode() > 4000, #bytes)
    for _, base in ipairs { grid, wend.decode(grid:encode()) } do
      local again = wend.decode(bytes, { map = base })
      assert.equal("wend.Grid (60 x 40, overlay)", tostring(again))
      assert.equal(o:copy():encode(), again:copy():encode())
      assert.equal(bytes, again:encode { prepared = false })
      assert.equal(true, wend.decode(path:encode(), { map = again }):valid())
      assert.equal(again, wend.decode(o:field(1, 1):encode(), { map = again }):path(60, 40).map)
      assert.equal(base:text(), again:reset():text())
    end
  end)

  it("keeps what hides the base, also where it is equal", function()
    local grid = wend.grid(4, 1):wall(1, 1, 2, 1)
    local again = wend.decode(grid:overlay():set(3, 1, 1):wall(1, 1, 2, 1):encode(), { map = grid })
    grid:close(3, 1, 4, 1):wall(1, 1, 2, 1, false)
    assert.same({ false, true }, { again:is_closed(3, 1), again:is_closed(4, 1) })
    assert.equal("no_path", select(3, again:path(1, 1, 2, 1)))
    assert.equal(1, again:reset():path(1, 1, 2, 1).cost)
  end)

  it("works for graphs: weights, lengths, tags, closed nodes and edges", function()
    local g = bridge()
    local o = g:overlay():close_edge(1):set_weight(2, nil):set_tag(2, "mud"):set_weight(3, 4):close "keep":open "ford"
    local again = wend.decode(o:encode(), { map = wend.decode(g:encode()) })
    assert.equal("wend.Graph (3 nodes, 3 edges, overlay)", tostring(again))
    for edge = 1, 3 do assert.same(o:edge(edge), again:edge(edge)) end
    assert.same({ true, true, false }, { again:is_closed "keep", again:is_measured(2), again:is_measured(3) })
    assert.equal(o:copy():encode(), again:copy():encode())
  end)

  it("of an overlay of an overlay belongs to that", function()
    local grid, units = game()
    local mine = units:overlay():open(1, 2):close(2, 1)
    helper.fails("an overlay: it belongs to another map, or this one has changed since", "stale", wend.decode,
      mine:encode(), { map = grid })
    local below = wend.decode(units:encode(), { map = wend.decode(grid:encode()) })
    local again = wend.decode(mine:encode(), { map = below })
    assert.equal(mine:text(), again:text())
    below:close(9, 9)
    assert.equal(true, again:is_closed(9, 9))
  end)

  it("names tags: the base may have got others from other overlays", function()
    local grid, o = game()
    local bytes, base = o:set(5, 5, "ice"):encode(), wend.decode(grid:encode())
    base:overlay():set(1, 1, "fire"):set(2, 1, "ice")
    local again = wend.decode(bytes, { map = base })
    assert.same({ "mud", "ice" }, { select(2, again:get(4, 4)), (select(2, again:get(5, 5))) })
    assert.same(o:tags(), again:tags())
    assert.equal(grid:encode(), base:encode())
  end)

  it("is refused without its base, for another or a changed one, and damaged", function()
    local grid, o = game()
    local bytes, stale = o:encode(), "an overlay: it belongs to another map, or this one has changed since"
    raises("map must be given: an overlay belongs to one", wend.decode, bytes)
    helper.fails(stale, "stale", wend.decode, bytes, { map = wend.grid(60, 40) })
    helper.fails(stale, "stale", wend.decode, bytes, { map = bridge() })
    for at = 9, #bytes do
      local other = bytes:sub(1, at - 1) .. string.char((bytes:byte(at) + 1) % 256) .. bytes:sub(at + 1)
      helper.fails(DAMAGED, "format", wend.decode, other, { map = grid })
    end
    helper.fails(DAMAGED, "format", wend.decode, bytes:sub(1, 60), { map = grid })
    grid:close(60, 40)
    helper.fails(stale, "stale", wend.decode, bytes, { map = grid })
  end)

  it("leaves the base as it was where it is refused: also without the tags of the file", function()
    local grid, units = game()
    local g, fog = bridge(), grid:overlay { unknown = 1 }:reveal(1, 1, 9, 9)
    local function name(map, tag)
      return wend.type(map) == "grid" and map:set(1, 1, tag) or map:set_node_tag(1, tag)
    end
    for _, base in ipairs { grid, g, fog, units, units:overlay():close(8, 8) } do
      local bytes, contents = name(name(base:copy():overlay(), "evil"), "worse"):encode(), base:copy():encode()
      for _, section in ipairs(file_reference.sections(bytes)) do
        local wrong = file_reference.change(bytes, section[1], function(all) return all .. "x" end)
        helper.fails(DAMAGED, "format", wend.decode, wrong, { map = base })
      end
      assert.equal(contents, base:copy():encode())
      local names = name(base:overlay(), "mine"):encode() -- an overlay names all tags before its own
      assert.same({ nil, nil }, { names:find "evil", names:find "worse" })
      assert.truthy(wend.decode(bytes, { map = base }))
      assert.truthy(name(base:overlay(), "later"):encode():find "mine.*evil.*worse.*later")
    end
  end)

  it("leaves the base as it was where its tags do not fit: #slow", function()
    local grid, tags = wend.grid(2, 2), {}
    local bytes = grid:copy():overlay():set(1, 1, "a"):encode()
    for i = 1, 65535 do tags[i] = file_reference.whole(#tostring(i), 4) .. i end
    bytes = file_reference.change(bytes, "TAGS", function() return table.concat(tags) end)
    grid:set(1, 1, 1, "mine"):set(1, 1, 1, nil)
    for _ = 1, 2 do assert.same({ false, "not enough memory" }, { pcall(wend.decode, bytes, { map = grid }) }) end
    grid:overlay():set(1, 1, "yours")
    assert.equal("yours", select(2, grid:set(1, 1, 1, "yours"):get(1, 1)))
  end)

  it("refuses what no overlay writes, though the checksums are right", function()
    local grid, o = game()
    o:close(60, 40)
    local bytes = o:encode()
    local runs, walls = bytes:find("RUNS", 1, true) + 12, bytes:find("WALL", 1, true) + 12
    local function with(at, text) return file_reference.mend(bytes:sub(1, at - 1) .. text .. bytes:sub(at + #text)) end
    assert.truthy(wend.decode(with(runs, bytes:sub(runs, runs + 17)), { map = grid }))
    for _, other in ipairs {
      with(runs + 4, "\0"), with(runs, "\255"), with(runs + 16, "\9"), with(runs + 8, ("\255"):rep(8)),
      with(#bytes - 4, "\0"), with(#bytes - 4, "\33"), with(walls, ("\255"):rep(4)), with(walls, "\59\0\0\0"),
    } do
      helper.fails(DAMAGED, "format", wend.decode, other, { map = grid })
    end
  end)
end)

describe("core.related", function()
  it("tells whether two maps have the same ids, because one lies on the other or both on a third", function()
    local core = require "wend.core"
    local grid, g = wend.grid(3, 3), wend.graph()
    local o = grid:overlay()
    for _, pair in ipairs { { grid, grid }, { grid, o }, { o, grid }, { o:overlay(), grid:overlay { unknown = 1 } } } do
      assert.is_true(core.related(pair[1], pair[2]))
    end
    for _, pair in ipairs { { grid, grid:copy() }, { o, g }, { grid, 5 }, { {}, {} }, {} } do
      assert.is_false(core.related(pair[1], pair[2]))
    end
  end)
end)

describe("an overlay with unknown cells", function()
  local function world()
    local grid = wend.parse_grid [[
      .#...
      .#...
      .....
    ]]
    return grid:wall(3, 1, 4, 1):link(1, 3, 5, 1, { weight = 0 })
  end

  it("has a weight everywhere, or is closed, and no walls and links", function()
    local grid = world()
    local seen, closed = grid:overlay { unknown = 3 }, grid:overlay { unknown = false }
    assert.same({ 12, false }, { seen:path(1, 1, 5, 1).cost, seen:is_known(1, 1) })
    assert.same({ "no_path", true }, { select(3, closed:path(1, 1, 5, 1)), closed:is_closed(1, 1) })
    assert.is_nil((seen:walls()()))
    assert.is_nil((seen:links()()))
    assert.is_true(wend.grid(3, 3):overlay { unknown = math.huge }:is_closed(1, 1))
    assert.equal("always", wend.grid(3, 3, { diagonals = "always" }):overlay { unknown = 1 }:diagonals())
    assert.equal(1, wend.grid(3, 3, { diagonal_length = 1 }):overlay { unknown = 1 }:path(1, 1, 2, 2).cost)
  end)

  it("has what was revealed, as it was then", function()
    local grid = world()
    local seen = grid:overlay { unknown = 1 }
    assert.equal(seen, seen:reveal(1, 1, 3, 3))
    assert.same({ true, false }, { seen:is_known(3, 2), seen:is_known { x = 4, y = 2 } })
    assert.same({ 3, 1, 4, 1, false }, { seen:walls()() })
    assert.equal(2, seen:path(1, 1, 5, 1).cost) -- over the link, into unknown land
    grid:open(2, 1):wall(3, 1, 4, 1, false):unlink(1, 3, 5, 1):set(1, 2, 9)
    assert.same({ true, 1 }, { seen:is_closed(2, 1), seen:weight(1, 2) })
    assert.equal(2, seen:path(1, 1, 5, 1).cost)
    assert.equal(4, seen:reveal({ x = 3, y = 3 }, { x = 1, y = 1 }):path(1, 1, 5, 1).cost)
    assert.equal(9, seen:weight(1, 2))
    assert.is_nil((seen:walls()()))
    assert.is_nil((seen:links()()))
  end)

  it("counts a known cell with a link to an unknown one as frontier: stairs to a floor that nobody has seen", function()
    local house = wend.parse_grid { "...#...", "...#..." }:link(3, 1, 5, 2, { tag = "stairs" })
    local known = house:overlay { unknown = 1 }:reveal(1, 1, 4, 2)
    assert.same({ 3, 1 }, known:frontier())
    assert.same({ 6, 1, 5, 2 }, known:reveal(5, 2, 5, 2):reveal(6, 1, 6, 1):frontier())
    assert.same({}, known:reveal(1, 1, 7, 2):frontier())
  end)

  it("lists the frontier of what is known, as goals", function()
    local grid = wend.grid(200, 90):close(3, 1)
    local seen = grid:overlay { unknown = 1 }
    assert.same({}, seen:frontier())
    assert.same({ 2, 2, 3, 2 }, seen:reveal(1, 1, 3, 2):reset(1, 2):close(1, 1):frontier())
    assert.same({ 3, 2 }, seen:reveal(1, 1, 3, 2):wall(1, 2, 1, 3):wall(2, 2, 2, 3):frontier())
    local list = { 1, 2, 3, 4, 5 }
    assert.equal(list, seen:frontier { into = list })
    assert.same({ 3, 2 }, list)
    seen:reset():reveal(1, 1, 200, 60)
    list = seen:frontier()
    assert.same({ 400, 1, 60, 200, 60 }, { #list, list[1], list[2], list[399], list[400] })
    assert.same({}, seen:reveal(1, 1, 200, 90):frontier())
    -- exploration, step by step
    local explorer, x, y, looks = wend.parse_grid "..#..\n..#..\n.....", 1, 1, 0
    seen = explorer:overlay { unknown = 1 }
    while true do
      seen:reveal(math.max(1, x - 1), math.max(1, y - 1), math.min(5, x + 1), math.min(3, y + 1))
      local path = seen:path(x, y, seen:frontier())
      if not path then break end
      x, y, looks = path[#path - 1], path[#path], looks + 1
    end
    assert.equal(explorer:text(), seen:text())
    assert.truthy(looks > 1 and looks < 9, looks)
  end)

  it("keeps its own edits until they are revealed or reset", function()
    local seen = world():overlay { unknown = 1 }
    seen:close(4, 2):wall(4, 2, 5, 2):set(5, 3, 7, "mud")
    assert.same({ true, true, 7 }, { seen:is_known(4, 2), seen:is_closed(4, 2), seen:weight(5, 3) })
    assert.is_false(seen:reveal(4, 2):is_closed(4, 2))
    assert.is_nil((seen:walls()()))
    seen:wall(1, 1, 1, 2):reset()
    assert.same({ false, 1 }, { seen:is_known(5, 3), seen:weight(5, 3) })
    assert.is_nil((seen:walls()()))
  end)

  it("forgets what is reset: walls stay beside known cells", function()
    local seen = world():overlay { unknown = 2 }:reveal(1, 1, 5, 3)
    seen:reset(3, 1)
    assert.same({ false, 2, 3 }, { seen:is_known(3, 1), seen:weight(3, 1), (seen:walls()()) })
    seen:reset(4, 1):reset(1, 3)
    assert.is_nil((seen:walls()()))
    assert.same({ 5, 1, 1, 3, 0 }, { seen:links()() })
  end)

  it("is not disturbed by edits of its base, nor by revealing what is as it was", function()
    local grid = world()
    local seen = grid:overlay { unknown = 1 }:reveal(1, 1, 5, 3)
    local path, field = seen:path(1, 1, 5, 3), seen:field(5, 3)
    grid:close(1, 2):set(5, 3, 4)
    assert.same({ true, true }, { path:valid(), field:valid() })
    seen:reveal(3, 1, 4, 2)
    assert.same({ true, true }, { path:valid(), field:valid() })
    seen:reveal(1, 2)
    assert.same({ false, false }, { path:valid(), field:valid() })
  end)

  it("can be the base of overlays, and have an overlay as its base", function()
    local grid = world()
    local units = grid:overlay():close(5, 3)
    local seen = units:overlay { unknown = 1 }
    local believed = seen:overlay():close(1, 2)
    units:close(4, 3)
    seen:reveal(4, 3, 5, 3)
    assert.same({ true, true, true },
      { believed:is_closed(4, 3), believed:is_closed(5, 3), believed:is_closed(1, 2) })
    assert.is_false(seen:is_closed(1, 2))
  end)

  it("is saved, and small where nothing is known", function()
    local grid = wend.grid(200, 200):set(3, 3, 2, "mud")
    local seen = grid:overlay { unknown = false }
    assert.truthy(#seen:encode() < 100)
    seen:reveal(1, 1, 10, 10)
    local loaded = assert(wend.decode(seen:encode(), { map = wend.decode(grid:encode()) }))
    assert.same({ true, false, "mud" },
      { loaded:is_known(10, 10), loaded:is_known(11, 1), select(2, loaded:get(3, 3)) })
    assert.equal(seen:encode(), loaded:encode())
    assert.is_true(loaded:reset():is_closed(3, 3))
    assert.equal("grid", wend.type(seen:copy()))
    helper.raises("self must be an overlay with unknown cells: grid:overlay { unknown = weight }", seen.reveal,
      seen:copy(), 1, 1)
  end)

  it("can have a tag where nothing is known, so that a profile says what fog costs", function()
    local grid = world()
    local seen = grid:overlay { unknown = { weight = 2, tag = "fog" } }
    assert.same({ 8, "fog", false }, { seen:path(1, 1, 5, 1).cost, (select(2, seen:get(3, 3))), seen:is_known(3, 3) })
    local bold, shy = wend.costs { fog = { times = 0.5 } }, wend.costs { fog = false }
    assert.equal(4, seen:path(1, 1, 5, 1, { costs = bold }).cost)
    assert.equal("no_path", (select(3, seen:path(1, 1, 5, 1, { costs = shy }))))
    seen:reveal(1, 3, 5, 3):set(5, 2, 1):set(5, 1, 1)
    assert.is_nil((select(2, seen:get(2, 3))))
    assert.is_true(seen:path(1, 3, 5, 1, { costs = shy }) ~= nil)
    assert.same({ fog = 8 }, (seen:tags()))
    seen:reset()
    assert.same({ fog = 15 }, (seen:tags()))
    assert.same({}, (grid:tags()))
    assert.same({ 1, "fog" }, { grid:overlay { unknown = { tag = "fog" } }:get(1, 1) })
    local shut = grid:overlay { unknown = { weight = false, tag = "fog" } }
    assert.same({ true, "fog" }, { shut:is_closed(1, 1), (select(2, shut:get(1, 1))) })
    assert.equal("fog", (select(2, shut:open(1, 1):get(1, 1)))) -- opening keeps the tag
    assert.equal(9, grid:overlay { unknown = { weight = 9 } }:get(1, 1))
  end)

  it("saves that tag", function()
    for _, unknown in ipairs { { weight = 2, tag = "fog" }, { weight = false, tag = "fog" }, { tag = "mist" } } do
      local grid = world():set(1, 1, 1, "road")
      local seen = grid:overlay { unknown = unknown }:reveal(1, 1, 2, 2):set(4, 1, 3, "camp")
      local bytes = seen:encode()
      local other = world():set(1, 1, 1, "road")
      other:overlay():set(2, 1, 1, "other") -- the base knows tags in another order
      local read = assert(wend.decode(bytes, { map = other }))
      for column, row in ("11 21 41 55 33"):gmatch "(%d)(%d)" do
        local x, y = math.min(5, tonumber(column)), math.min(3, tonumber(row))
        assert.same({ seen:get(x, y) }, { read:get(x, y) })
        assert.equal(seen:is_known(x, y), read:is_known(x, y))
      end
      assert.same((seen:tags()), (read:tags()))
      assert.equal(seen:reset():encode(), assert(wend.decode(bytes, { map = grid })):reset():encode())
      assert.same((seen:tags()), (read:reset():tags()))
    end
  end)

  it("refuses damaged tags of unknown cells", function()
    local grid = world()
    local bytes = grid:overlay { unknown = { tag = "fog" } }:encode()
    local at = bytes:find("FOGT", 1, true) + 12
    local function with(text) return file_reference.mend(bytes:sub(1, at - 1) .. text .. bytes:sub(at + #text)) end
    assert.truthy(wend.decode(with "\1\0", { map = grid }))
    for _, text in ipairs { "\0\0", "\2\0", "\1\1" } do
      helper.fails("an overlay: damaged, or of a version that is not known", "format", wend.decode, with(text),
        { map = grid })
    end
  end)

  it("refuses damaged files, though the checksums are right", function()
    local grid = world()
    local seen = grid:overlay { unknown = 1 }:reveal(1, 1, 5, 3)
    local bytes = seen:encode()
    local function section(name) return bytes:find(name, 1, true) + 12 end
    local fog, walls, links = section "FOGW", section "WALL", section "LINK"
    local function with(at, text) return file_reference.mend(bytes:sub(1, at - 1) .. text .. bytes:sub(at + #text)) end
    assert.truthy(wend.decode(with(fog, bytes:sub(fog, fog + 7)), { map = grid }))
    for _, other in ipairs {
      with(fog, ("\255"):rep(8)), with(fog + 7, "\191"), with(walls + 4, "\1"), with(links, "\15"),
      with(links + 4, "\15"), with(links + 15, "\255"), with(links + 16, "\9"),
    } do
      helper.fails("an overlay: damaged, or of a version that is not known", "format", wend.decode, other,
        { map = grid })
    end
  end)
end)

describe("a result of an overlay", function()
  local function corridor()
    local grid = wend.grid(6, 3)
    local o = grid:overlay():close(3, 1):close(3, 2)
    return grid, o, o:path(1, 1, 6, 1)
  end

  it("is of the overlay", function()
    local _, o, path = corridor()
    assert.equal(o, path.map)
    assert.equal(o, o:straighten(path).map)
    assert.equal(o, o:field(1, 1):path(6, 1).map)
  end)

  it("is a path that is valid as on any map: edits of the overlay and of the base count where they show", function()
    local grid, o, path = corridor()
    assert.equal(true, path:valid())
    o:close(6, 3)
    grid:set(3, 1, 9):close(3, 2):set(1, 3, 2)
    assert.equal(true, path:valid())
    grid:set(6, 1, 2)
    assert.equal(false, path:valid())
    path = o:path(1, 1, 6, 1)
    o:wall(5, 1, 6, 1):wall(6, 2, 6, 1):wall(5, 2, 6, 1)
    assert.equal(false, path:valid())
    path = o:reset():path(1, 1, 6, 1)
    grid:close(path[3], path[4])
    assert.equal(false, path:valid())
  end)

  it("is a path over a graph that stays valid when the base gets nodes and edges elsewhere", function()
    local g = bridge()
    local o = g:overlay():close_edge(1)
    local path, other = o:path(1, 2), o:path(1, 3)
    g:add_edge(1, g:add_node(-5, 0))
    g:set_name(3, "shoal")
    assert.same({ true, true }, { path:valid(), other:valid() })
    g:add_node(9, 9)
    g:set_weight(3, 7)
    assert.same({ false, true }, { path:valid(), other:valid() })
    path = o:path(1, 2)
    g:add_node(7, 7)
    o:close "keep"
    assert.same({ false, true }, { path:valid(), other:valid() })
    g:remove_node "shoal"
    assert.equal(false, other:valid())
  end)

  it("is a field that is stale once the overlay has changed", function()
    local grid = wend.grid(5, 1)
    local o = grid:overlay():set(3, 1, 5)
    local field = o:field(1, 1)
    assert.equal(8, field:cost(5, 1))
    assert.equal(4, grid:field(1, 1):cost(5, 1))
    grid:close(3, 1)
    assert.equal(true, field:valid())
    o:set(3, 1, 6)
    assert.equal(false, field:valid())
    helper.fails("the grid has changed since the field was made", "stale", field.relax, field)
    o:field(1, 1, { into = field })
    assert.equal(9, field:cost(5, 1))
    assert.equal(true, field:valid())
    grid:close(2, 1)
    assert.equal(false, field:valid())
  end)

  it("is outdated when the profile changes a tag that only the overlay has", function()
    local grid = wend.grid(5, 1)
    local o, costs = grid:overlay():set(3, 1, "mud"), wend.costs { mud = 2 }
    local path, field = o:path(1, 1, 5, 1, { costs = costs }), o:field(1, 1, { costs = costs })
    costs:set("dirt", 5)
    assert.same({ true, true }, { path:valid(), field:valid() })
    costs:set("mud", 3)
    assert.same({ false, false }, { path:valid(), field:valid() })
  end)

  it("comes from queues too; equal requests share it", function()
    local grid = wend.grid(20, 20)
    local o, queue = grid:overlay():close(10, 1, 10, 19), wend.queue()
    local costs = {}
    local function done(path) costs[#costs + 1] = path.cost end
    for y = 1, 5 do queue:path(o, 1, y, 20, 1, { share = true, on_done = done }) end
    for y = 1, 5 do queue:path(grid, 1, y, 20, 1, { share = true, on_done = done }) end
    while queue:pending() > 0 do queue:step(50) end
    table.sort(costs)
    assert.equal(10, #costs)
    assert.equal(19, costs[1])
    assert.truthy(costs[6] > 25)
    assert.near(o:path(1, 1, 20, 1).cost, costs[10], 1e-9) -- summed over other steps
  end)
end)

describe("an overlay in callbacks", function()
  it("cannot be changed while it is searched; its base and other overlays can, and are followed afterwards", function()
    local grid = wend.grid(5, 5)
    local o, other = grid:overlay(), grid:overlay()
    local problem, seen
    local function ask(_, cost)
      problem = problem or select(2, pcall(o.close, o, 1, 1))
      grid:close(3, 1, 3, 5)
      other:open(3, 5)
      seen = { o:is_closed(3, 1), (other:path(1, 1, 5, 1)) ~= nil }
      return cost
    end
    assert.equal(4, o:path(1, 1, 5, 1, { cost = ask }).cost)
    assert.equal("the grid is being searched: change it when the search is over", (problem:gsub("^.-:%d+: ", "")))
    assert.same({ false, true }, seen)
    assert.equal(nil, (o:path(1, 1, 5, 1)))
  end)

  it("stays as it is while it is searched, whatever is done with overlays of it", function()
    local grid = wend.grid(5, 5)
    local o = grid:overlay()
    local above, seen = o:overlay(), nil
    local function ask(_, cost)
      grid:close(3, 1, 3, 5)
      seen = seen or { o:is_closed(3, 1), above:is_closed(3, 1), o:overlay():is_closed(3, 1) }
      return cost
    end
    assert.truthy(o:path(1, 1, 5, 5, { cost = ask }))
    assert.same({ false, false, false }, seen)
    assert.same({ true, true }, { o:is_closed(3, 1), above:is_closed(3, 1) })
  end)

  it("stays as it is while grid:map runs", function()
    local grid = wend.grid(3, 1)
    local o = grid:overlay()
    o:map(function(x)
      grid:close(3, 1)
      return x == 1 and (o:is_closed(3, 1) and 8 or 9) or nil
    end)
    assert.same({ 9, true }, { (o:get(1, 1)), o:is_closed(3, 1) })
  end)

  it("that nobody holds is freed while its base is searched", function()
    local g, errors = bridge(), {}
    g:path(1, 2, { cost = function(_, cost)
      for _ = 1, 3 do g:overlay():bytes() end
      for _ = 1, 2 do -- the collector of Lua 5.1 to 5.3 raises what a finalizer raises
        local ok, problem = pcall(collectgarbage)
        if not ok then errors[#errors + 1] = problem end
      end
      return cost
    end })
    assert.same({}, errors)
  end)

  it("whose base is changed by on_error makes the query stale", function()
    local grid = wend.grid(5, 5)
    local o, costs = grid:overlay(), wend.costs()
    costs:edge_rule("broken", function() error "no" end)
    costs.on_error = function() grid:close(3, 3) o:width() end
    helper.fails("the grid or the costs have changed since the search began", "stale", o.path, o, 1, 1, 5, 5,
      { costs = costs })
    costs.on_error = function() end
    assert.truthy(o:path(1, 1, 5, 5, { costs = costs }))
  end)
end)

describe("the memory of overlays", function()
  it("is little more than that of a grid without edits", function()
    local grid = wend.grid(512, 512)
    local o = grid:overlay()
    for i = 1, 20 do o:close(i, 7):close(i, 8):reset(i, 8):set(500, 300, i) end
    local path = o:path(1, 1, 512, 512)
    assert.equal(true, path:valid())
    assert.truthy(o:bytes() < 1.3 * grid:bytes(), o:bytes())
    assert.equal(false, o:close(path[3], path[4]) and path:valid())
  end)

  it("does not grow with units that move", function()
    local grid = wend.grid(50, 50)
    local o = grid:overlay()
    local first
    for round = 1, 400 do
      for i = 0, 9 do o:reset((round + 5 * i - 1) % 50 + 1, i + 1):close((round + 5 * i) % 50 + 1, i + 1) end
      o:path(1, 50, 50, 50)
      first = first or o:bytes()
    end
    assert.equal(first, o:bytes())
  end)

  it("makes no garbage where maps make none", function()
    local o, into = wend.grid(30, 30):overlay():close(15, 1, 15, 28), {}
    local options = { into = into }
    local made = helper.garbage(50, 100, function(times)
      for i = 1, times do
        o:close(20 + i % 3, 5):reset(20 + (i + 1) % 3, 5)
        o:path(1, 1, 30, 1, options)
      end
    end)
    assert.truthy(made <= 0, made)
  end)
end)

describe("Errors of overlays", function()
  local g, grid = bridge(), wend.grid(4, 3)
  local o, p, fog = g:overlay(), grid:overlay(), grid:overlay { unknown = 1 }
  local no_fog = "self must be an overlay with unknown cells: grid:overlay { unknown = weight }"
  local own = "self must be a graph of its own, got an overlay: change its base"

  all_raise(it, {
    "self must be an overlay (map:overlay()), got a graph of its own", function() g:reset() end,
    "self must be an overlay (map:overlay()), got a graph of its own", function() g:reset_edge(1) end,
    "self must be an overlay (map:overlay()), got a grid of its own", function() grid:reset() end,
    own, function() o:add_node(1, 1) end,
    own, function() o:add_nodes { 1, 1 } end,
    own, function() o:add_edge(1, 2) end,
    own, function() o:add_edges { 1, 2 } end,
    own, function() o:remove_node(1) end,
    own, function() o:remove_edge(1) end,
    own, function() o:move(1, 2, 2) end,
    own, function() o:set_name(1, "moat") end,
    own, function() o:set_radius(1, 2) end,
    own, function() o:link { max_distance = 3 } end,
    own, function() o:prepare() end,
    "self must be a grid of its own, got an overlay: change its base", function() p:link(1, 1, 4, 3) end,
    "self must be a grid of its own, got an overlay: change its base", function() p:unlink(1, 1, 4, 3) end,
    "self must be a grid of its own, got an overlay: change its base", function() p:prepare() end,
    "node: there is no node 9", function() o:reset(9) end,
    "node must be a node (its id or name), got nil", function() o:reset(nil) end,
    "edge: there is no edge 9", function() o:reset_edge(9) end,
    "x must be a whole number in 1 .. 4, got nil", function() p:reset(nil) end,
    "y2 must be a whole number in 1 .. 3, got 4", function() p:reset(1, 1, 2, 4) end,
    "unknown must be a number >= 0, false or a table { weight =, tag = }, got -1",
      function() grid:overlay { unknown = -1 } end,
    "unknown must be a number >= 0, false or a table { weight =, tag = }, got nan",
      function() grid:overlay { unknown = 0 / 0 } end,
    "unknown must be a number >= 0, false or a table { weight =, tag = }, got true",
      function() grid:overlay { unknown = true } end,
    "unknown must be a number >= 0, false or a table { weight =, tag = }, got 'fog'",
      function() grid:overlay { unknown = "fog" } end,
    "unknown option 'fog' (expected one of: unknown)", function() grid:overlay { fog = 1 } end,
    "unknown option 'cost' (expected one of: weight, tag)", function() grid:overlay { unknown = { cost = 1 } } end,
    "unknown.weight must be a number >= 0 or false, got -1", function() grid:overlay { unknown = { weight = -1 } } end,
    "unknown.weight must be a number >= 0 or false, got true",
      function() grid:overlay { unknown = { weight = true } } end,
    "unknown.weight must be a number >= 0 or false, got nan",
      function() grid:overlay { unknown = { weight = 0 / 0 } } end,
    "unknown.tag must be a string that is not empty, got 3", function() grid:overlay { unknown = { tag = 3 } } end,
    "unknown.tag must be a string that is not empty, got ''", function() grid:overlay { unknown = { tag = "" } } end,
    "options must be a table, got 2", function() grid:overlay(2) end,
    "unknown is an option of grids: a graph has no cells to reveal", function() g:overlay { unknown = 1 } end,
    no_fog, function() p:reveal(1, 1) end,
    no_fog, function() grid:is_known(1, 1) end,
    no_fog, function() grid:frontier() end,
    no_fog, function() p:frontier() end,
    no_fog .. ", got an overlay of one: ask that", function() fog:overlay():overlay():frontier() end,
    "into must be a table, got 3", function() fog:frontier { into = 3 } end,
    "unknown option 'size' (expected one of: into)", function() fog:frontier { size = 3 } end,
    "y2 must be a whole number in 1 .. 3, got 4", function() fog:reveal(1, 1, 2, 4) end,
    "x must be a whole number in 1 .. 4, got 0", function() fog:reveal(0, 1) end,
    "y must be a whole number in 1 .. 3 (grid:cell_at finds the cell of a position), got 1.5",
    function() fog:is_known(1, 1.5) end,
    "self must be a grid of its own, got an overlay: change its base", function() fog:link(1, 1, 4, 3) end,
  })

  it("of maps that were freed", function()
    local small = wend.grid(2, 2)
    local overlay = small:overlay()
    local path, search = overlay:path(1, 1, 2, 2), overlay:search(1, 1, 2, 2)
    search:step(1)
    debug.getmetatable(small).__gc(small)
    raises("the grid is gone", overlay.close, overlay, 1, 1)
    raises("the grid is gone", tostring, overlay)
    raises("the grid is gone", path.valid, path)
    raises("the grid is gone", search.step, search, 1)
    local seen = wend.grid(2, 2)
    local fog_of_it = seen:overlay { unknown = 1 }
    debug.getmetatable(seen).__gc(seen)
    raises("the grid is gone", fog_of_it.reveal, fog_of_it, 1, 1)
  end)

  it("that were freed", function()
    local small = wend.grid(2, 2)
    local overlay = small:overlay()
    local path = overlay:path(1, 1, 2, 2)
    debug.getmetatable(overlay).__gc(overlay)
    raises("the grid is gone", overlay.close, overlay, 1, 1)
    raises("the grid is gone", path.explain, path)
    assert.equal(2, #small:path(1, 1, 1, 1))
  end)
end)
