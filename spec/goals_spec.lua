-- SPDX-License-Identifier: MIT
-- Lists of goals that are empty: every call that takes a list of goals. There is no goal, so there is no path.
local helper = require "spec.support.helper"
local wend = require "wend"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143

-- A graph and a grid, each with the arguments of a start and of another place.
local function maps()
  local g, grid = wend.graph(), wend.grid(5, 5)
  g:add_nodes { 0, 0, 10, 0, 20, 0 }
  g:add_edges { 1, 2, 2, 3 }
  return { graph = { g, { 1 }, { 3 }, "1" }, grid = { grid, { 1, 1 }, { 3, 3 }, "(1,1)" } }
end

-- Arguments: a start, an empty list and options.
local function none(start, opts)
  return start[1], start[2] or {}, start[2] and {} or opts, start[2] and opts or nil
end

for name, one in pairs(maps()) do
  local map, start, place, text = unpack(one)

  describe(name .. " with an empty list of goals", function()
    local message = "no path from " .. text .. " to any of the goals: the list of goals is empty"

    it("has no path, with all options", function()
      local list = {
        {}, { partial = true }, { closed_goal = true }, { size = 2 }, { per_turn = 3, rest = 2 }, { max_expanded = 1 },
        { max_cost = 2 }, { variation = 0.3, seed = 1 }, { algorithm = "dijkstra" }, { into = { 1, 2, 3 } },
        { heuristic = function() return 0 end }, { cost = function(_, cost) return cost end },
      }
      for _, opts in ipairs(list) do helper.fails(message, "no_path", map.path, map, none(start, opts)) end
      helper.fails("no path from " .. text .. " to a place in range of any of the goals: the list of goals is empty",
        "no_path", map.path, map, none(start, { within = 3 }))
    end)

    it("has no path in slices, also after edits and after the list was changed", function()
      local search = map:search(none(start))
      assert.equal("failed", (search:step(1)))
      helper.fails(message, "no_path", search.result, search)
      local q, list = wend.queue(), {}
      local request = start[2] and q:path(map, start[1], start[2], list) or q:path(map, start[1], list)
      local reached = q:can_reach(map, none(start))
      local field = q:field(map, {})
      list[1], list[2] = place[1], place[2]
      map:close(unpack(place))
      map:open(unpack(place))
      q:step(1000)
      assert.same({ "failed", message, "no_path" }, { request.state, request.message, request.code })
      assert.is_false(reached.result)
      assert.equal("wend.Field (0 reached)", tostring(field.result))
    end)

    it("cannot reach any", function()
      assert.is_false(map:can_reach(none(start)))
      map:can_reach(none(start)) -- so that labels are made
      assert.is_false(map:can_reach(none(start, { size = 1 })))
    end)

    it("finds no place that leads to any, or is reached from any", function()
      assert.is_nil(map:nearest(1, 1, { can_reach = {} }))
      assert.is_nil(map:nearest(1, 1, { reachable_from = {} }))
      assert.is_nil(map:random(1, { can_reach = {} }))
      assert.is_nil(map:random(1, { reachable_from = {} }))
      if map.nearest_edge then
        assert.is_nil(map:nearest_edge(1, 1, { can_reach = {} }))
        assert.is_nil(map:nearest_edge(1, 1, { reachable_from = {} }))
      end
    end)

    it("says why there is no path", function()
      for _, opts in ipairs { {}, { max_cost = 3 }, { closed_goal = true } } do
        local report = map:why_not(none(start, opts))
        assert.equal("No path from " .. text .. " to any of the goals. The list of goals is empty.", tostring(report))
        assert.same({ 0, 0 }, { #report.obstacles, report.reaching })
        assert.is_nil(report.cost)
      end
    end)

    it("makes an empty field", function()
      local list = { {}, { outward = true }, { values = {} }, { closed_goal = true }, { within = 2 }, { size = 1 } }
      if name == "grid" then list[#list + 1] = { window = 1 } end
      for _, opts in ipairs(list) do
        local field = map:field({}, opts)
        assert.equal("wend.Field (0 reached)", tostring(field))
        assert.is_true(field:valid())
        for _ = 1, 3 do -- as it was made, after arithmetic, after relax
          assert.is_nil(field:cost(unpack(place)))
          assert.is_nil((field:next(unpack(place))))
          assert.is_nil(field:each()())
          assert.equal(field, field:add(map:field(unpack(place))):scale(2))
          assert.equal(field, field:relax())
        end
        local path, _, code = field:path(unpack(place))
        assert.same({ n = 2, nil, "no_path" }, { n = 2, path, code })
        assert.is_nil(field:goal(unpack(place)))
        assert.equal("wend.Field (0 reached)", tostring(wend.decode(field:encode(), { map = map })))
      end
      assert.equal("wend.Field (0 reached)", tostring(map:field({}, { per_turn = 3 })))
    end)

    it("takes away a field that is added to another one", function()
      local field = map:field(unpack(place)):add(map:field {})
      assert.is_nil(field:relax():cost(unpack(place)))
    end)

    it("makes a field again, in place of another one", function()
      local field = map:field(unpack(place))
      assert.equal(field, map:field({}, { into = field }))
      assert.is_nil(field:cost(unpack(place)))
      assert.equal(field, map:field({ unpack(place) }, { into = field }))
      assert.equal(0, field:cost(unpack(place)))
    end)
  end)
end

describe("a graph without nodes", function()
  it("has empty fields over an empty list of goals", function()
    local same = function(_, cost) return cost end
    local turns = { per_turn = 3, outward = true }
    for _, opts in ipairs { {}, { cost = same }, { outward = true }, { max_cost = 2 }, turns } do
      local g, queue = wend.graph(), wend.queue()
      local request = queue:field(g, {}, opts)
      queue:step(10)
      assert.equal("done", request.state)
      for _, field in ipairs { g:field({}, opts), request.result, g:field({}):relax() } do
        assert.equal("wend.Field (0 reached)", tostring(field))
        assert.equal(field:encode(), wend.decode(field:encode(), { map = g }):encode())
      end
    end
  end)
end)

describe("a list of goals", function()
  it("must not name places that are gone", function()
    local g = maps().graph[1]
    g:remove_node(3)
    helper.raises("to[1]: there is no node 3", g.path, g, 1, { 3 })
    helper.raises("goals[1]: there is no node 3", g.field, g, { 3 })
  end)

  it("must not be a set", function()
    local g, grid = maps().graph[1], maps().grid[1]
    helper.raises("to must be a list of nodes, got the key 'gate'", g.path, g, 1, { gate = true })
    helper.raises("goals must be a list of cells, got the key 'gate'", grid.path, grid, 1, 1, { gate = true })
    helper.raises("reachable_from must be a list of nodes, got the key 'gate'", g.nearest, g, 1, 1,
      { reachable_from = { gate = true } })
  end)
end)
