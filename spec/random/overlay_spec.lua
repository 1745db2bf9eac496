-- SPDX-License-Identifier: MIT
-- Random overlays. A query with an overlay must give what the query gives on a copy of the map that was really edited.
-- Between the queries the map and the overlays change. A failure prints WEND_SEED and WEND_ROUND.
local helper = require "spec.helper"
local reference = require "spec.reference"
local wend = require "wend"

local near = reference.near
local TAGS = { "road", "swamp", "lava" }

-- Changes that a map and its overlay can have -------------------------------------------------------------------------

-- An edit is a list: the name of a method, and its arguments. Overlays have the same methods as maps.
local function random_cell_edit(rng, width, height)
  local x, y = rng(width), rng(height)
  local kind = rng(8)
  if kind <= 3 then return { "close", x, y } end
  if kind == 4 then return { "open", x, y } end
  if kind == 5 then return { "close", x, y, math.min(width, x + rng(0, 2)), math.min(height, y + rng(0, 2)) } end
  if kind == 6 then
    local whole = { weight = rng(1, 3), tag = rng:pick(TAGS), closed = rng:chance(0.2) }
    return { "set", x, y, rng:pick { rng(1, 4), false, rng:pick(TAGS), whole } }
  end
  if kind == 7 then return { "fill", x, y, math.min(width, x + 1), y, rng:pick { rng(1, 3), "swamp" } } end
  local dx, dy = rng(0, 1), rng(0, 1)
  if dx == 0 and dy == 0 or x + dx > width or y + dy > height then return { "close", x, y } end
  return { "wall", x, y, x + dx, y + dy, rng:chance(0.6) }
end

local function random_graph_edit(rng, g, model)
  local edges, nodes = {}, {}
  for edge in g:edges() do edges[#edges + 1] = edge end
  for node in g:nodes() do nodes[#nodes + 1] = node end
  local kind = rng(5)
  if #edges == 0 or kind <= 2 then return { rng:pick { "close", "open" }, rng:pick(nodes) } end
  if kind <= 4 then return { rng:pick { "close_edge", "close_edge", "open_edge" }, rng:pick(edges) } end
  local weight = rng(0, 40) / 2
  if model.dimensions > 0 and rng:chance(0.3) then weight = nil end
  return { "set_weight", rng:pick(edges), weight }
end

local function apply(object, edit) return object[edit[1]](object, edit[2], edit[3], edit[4], edit[5], edit[6]) end

-- The same edits on a copy of the map. Those of nodes and edges that were removed since have no effect. left_out: cells
-- ("x,y") or nodes where closing, opening and setting are left out.
local function edited_copy(map, edits, left_out)
  local copy = map:copy()
  local grid = wend.type(map) == "grid"
  for _, edit in ipairs(edits) do
    local name = edit[1]
    if not grid then
      local known
      if name == "close" or name == "open" then known = map:has(edit[2]) and not left_out[edit[2]]
      else known = map:has_edge(edit[2]) end
      if known then apply(copy, edit) end
    elseif name == "wall" then
      apply(copy, edit)
    else
      local x2, y2 = edit[4], edit[5]
      if name == "set" or not x2 then x2, y2 = edit[2], edit[3] end
      for y = edit[3], y2 do
        for x = edit[2], x2 do
          local applies = not left_out[x .. "," .. y]
          if applies and name == "set" then copy:set(x, y, edit[4])
          elseif applies and name == "fill" then copy:set(x, y, edit[6])
          elseif applies then copy[name](copy, x, y) end
        end
      end
    end
  end
  return copy
end

-- Comparisons --------------------------------------------------------------------------------------------------------

local function text_of(list)
  local texts = {}
  for i, value in ipairs(list or {}) do texts[i] = ("%.14g"):format(value) end
  return table.concat(texts, " ")
end

-- The result of a search: the cost, or the code. exact: also the nodes or cells.
local function compare_paths(expected, expected_code, path, code, exact, what)
  assert.equal(expected_code, code, what)
  if not expected then return end
  near(expected.cost, path.cost, what)
  if exact then assert.equal(text_of(expected), text_of(path), what) end
end

local function result(path, _, code) return path, code end

local function with(options, overlay, except)
  local all = { overlay = overlay, except = except }
  for key, value in pairs(options or {}) do all[key] = value end
  return all
end

local function random_costs(rng)
  local kind = rng(4)
  if kind == 1 then return {} end
  local costs = wend.costs { road = 0.5, swamp = rng(1, 4), lava = rng:chance(0.5) and false or 6 }
  local function slow(_, cost) return cost * 1.5 end
  if kind == 2 then costs:edge_rule("slow", slow, { at_least = 1, tags = { "swamp" } }) end
  return { costs = costs }
end

-- Compares all queries of a grid with those of a copy.
local function compare_grids(rng, grid, overlay, except, copy)
  local width, height = grid:width(), grid:height()
  local function cell() return rng(width), rng(height) end
  local options = random_costs(rng)
  local x1, y1 = cell()
  local x2, y2 = cell()
  local expected, expected_code = result(copy:path(x1, y1, x2, y2, options))
  local path, code = result(grid:path(x1, y1, x2, y2, with(options, overlay, except)))
  compare_paths(expected, expected_code, path, code, true, "path")
  if path then
    assert.equal(grid, path.map)
    assert.equal(overlay, path.overlay)
    assert.equal(true, path:valid())
    local sum = 0
    for _, step in ipairs(path:explain()) do sum = sum + step.cost end
    near(path.cost, sum)
    local straight, line = copy:straighten(expected), grid:straighten(path)
    compare_paths(straight, nil, line, nil, true, "straighten")
    assert.equal(overlay, line.overlay)
  end
  assert.equal(copy:clear(x1, y1, x2, y2, options), (grid:clear(x1, y1, x2, y2, with(options, overlay, except))))
  assert.equal(copy:clear_points(x1 + 0.3, y1, x2, y2 + 0.2, options),
    (grid:clear_points(x1 + 0.3, y1, x2, y2 + 0.2, with(options, overlay, except))))
  local fields = { copy:field(x1, y1, options), grid:field(x1, y1, with(options, overlay, except)) }
  assert.equal(false, fields[2]:stale())
  for y = 1, height do
    for x = 1, width do
      assert.equal(fields[1]:cost(x, y), fields[2]:cost(x, y))
      assert.equal(text_of { fields[1]:next(x, y) }, text_of { fields[2]:next(x, y) })
    end
  end
  expected, expected_code = result(fields[1]:path(x2, y2))
  path, code = result(fields[2]:path(x2, y2))
  compare_paths(expected, expected_code, path, code, true, "field:path")
  if path then assert.equal(expected.cost, path.cost) end
  fields[1]:scale(-1.2):relax()
  fields[2]:scale(-1.2):relax()
  assert.equal(fields[1]:cost(x2, y2), fields[2]:cost(x2, y2))
  assert.equal(text_of { fields[1]:next(x2, y2) }, text_of { fields[2]:next(x2, y2) })
  assert.equal(text_of { copy:nearest(x1 - 0.2, y1, options) },
    text_of { grid:nearest(x1 - 0.2, y1, with(options, overlay, except)) })
  local reach = { x = x2, y = y2 }
  local seed = rng(1000)
  options.reachable_from = reach
  assert.equal(text_of { copy:random(seed, options) }, text_of { grid:random(seed, with(options, overlay, except)) })
  options.reachable_from = nil
  assert.same(copy:check(options), grid:check(with(options, overlay, except)))
  local from, to = { x1 - 0.4, y1 - 0.6 }, { x2 - 0.5, y2 - 0.3 }
  local route, _, route_code = copy:route(from, to, options)
  local found, _, found_code = grid:route(from, to, with(options, overlay, except))
  assert.equal(route_code, found_code)
  if route then assert.equal(text_of(route), text_of(found)) end
end

local function compare_graphs(rng, g, model, overlay, except, copy)
  local nodes = {}
  for node in g:nodes() do nodes[#nodes + 1] = node end
  local options = random_costs(rng)
  local from, to = rng:pick(nodes), rng:pick(nodes)
  local expected, expected_code = result(copy:path(from, to, options))
  local path, code = result(g:path(from, to, with(options, overlay, except)))
  compare_paths(expected, expected_code, path, code, false, "path")
  if path then
    assert.equal(true, path:valid())
    local sum = 0
    for _, step in ipairs(path:explain()) do sum = sum + step.cost end
    near(path.cost, sum)
  end
  local fields = { copy:field(to, options), g:field(to, with(options, overlay, except)) }
  for _, node in ipairs(nodes) do
    local a, b = fields[1]:cost(node), fields[2]:cost(node)
    assert.equal(a == nil, b == nil)
    if a then near(a, b) end
  end
  path, code = result(fields[2]:path(from))
  compare_paths(expected, expected_code, path, code, false, "field:path")
  local seed = rng(1000)
  assert.equal(copy:random(seed, options), (g:random(seed, with(options, overlay, except))))
  assert.same(copy:check(options), g:check(with(options, overlay, except)))
  if model.dimensions == 2 then
    local x, y = rng() * 100, rng() * 100
    assert.same({ copy:nearest(x, y, with(options)) }, { g:nearest(x, y, with(options, overlay, except)) })
    options.can_reach = to
    assert.same({ copy:nearest(x, y, options) }, { g:nearest(x, y, with(options, overlay, except)) })
    assert.same({ copy:nearest_edge(x, y, options) }, { g:nearest_edge(x, y, with(options, overlay, except)) })
    options.can_reach = nil
    local route = { from = { x, y }, to = { rng() * 100, rng() * 100 } }
    local a, _, a_code = copy:route(route.from, route.to, options)
    local b, _, b_code = g:route(route.from, route.to, with(options, overlay, except))
    assert.equal(a_code, b_code)
    if a then near(a.cost, b.cost) end
  end
end

-- Rounds -------------------------------------------------------------------------------------------------------------

-- A map with `count` overlays. edit() makes a random edit for a map or an overlay; change() edits the map otherwise;
-- compare(overlay, except, copy) compares all queries; exceptions() draws the option except, and the set of them.
local function play(rng, map, count, steps, edit, change, compare, exceptions)
  local overlays, edits = {}, {}
  for i = 1, count do overlays[i], edits[i] = map:overlay(), {} end
  for _ = 1, steps do
    local i = rng(count)
    for _ = 1, rng(0, 6) do
      local one = edit()
      apply(overlays[i], one)
      edits[i][#edits[i] + 1] = one
    end
    if rng:chance(0.15) then
      overlays[i]:reset()
      edits[i] = {}
    end
    for _ = 1, rng(0, 2) do apply(map, edit()) end
    if rng:chance(0.15) then change() end
    local except, left_out = nil, {}
    if rng:chance(0.4) then except, left_out = exceptions() end
    compare(overlays[i], except, edited_copy(map, edits[i], left_out))
  end
end

describe("overlays", function()
  it("of grids are like copies that were really edited", function()
    helper.rounds("overlay grids", 60, function(rng)
      local width, height = rng(1, 14), rng(1, 14)
      local grid = wend.grid(width, height, { diagonals = rng:pick { "both_open", "one_open", "always", "never" } })
      for _ = 1, rng(0, width * height / 4) do
        grid:set(rng(width), rng(height), rng:pick { false, 2, "road", "swamp" })
      end
      play(rng, grid, rng(1, 6), 12, function() return random_cell_edit(rng, width, height) end, function()
        local kind = rng(4)
        if kind == 1 then grid:link(rng(width), rng(height), rng(width), rng(height), { weight = rng(0, 3) })
        elseif kind == 2 then grid:unlink(rng(width), rng(height), rng(width), rng(height))
        elseif kind == 3 then grid:map(function(x, y) if (x + y) % 5 == 0 then return rng(1, 2) end end)
        else grid:set(rng(width), rng(height), "tag " .. rng(9)) end
      end, function(overlay, except, copy)
        compare_grids(rng, grid, overlay, except, copy)
      end, function()
        local list, set = {}, {}
        for _ = 1, rng(3) do
          local x, y = rng(width), rng(height)
          list[#list + 1], list[#list + 2], set[x .. "," .. y] = x, y, true
        end
        if #list == 2 and rng:chance(0.5) then list = { x = list[1], y = list[2] } end
        return list, set
      end)
    end)
  end)

  it("of graphs are like copies that were really edited", function()
    helper.rounds("overlay graphs", 60, function(rng)
      local g, model = helper.random_graph(rng, { dimensions = rng:pick { 2, 2, 3, 0 }, nodes = rng(2, 40) })
      play(rng, g, rng(1, 6), 12, function() return random_graph_edit(rng, g, model) end, function()
        local nodes, edges = {}, {}
        for node in g:nodes() do nodes[#nodes + 1] = node end
        for edge in g:edges() do edges[#edges + 1] = edge end
        local kind = rng(6)
        if kind == 1 and #edges > 0 then g:remove_edge(rng:pick(edges))
        elseif kind == 2 and #nodes > 3 then g:remove_node(rng:pick(nodes))
        elseif kind == 3 then
          g:add_edge(rng:pick(nodes), rng:pick(nodes), { weight = rng(1, 9), directed = rng:chance(0.5) })
        elseif kind == 4 and model.dimensions == 2 then g:move(rng:pick(nodes), rng() * 100, rng() * 100)
        elseif kind == 5 and #edges > 0 then g:set_tag(rng:pick(edges), rng:pick(TAGS))
        elseif model.dimensions == 2 then g:add_edge(rng:pick(nodes), g:add_node(rng() * 100, rng() * 100))
        else g:set_name(rng:pick(nodes), "name " .. rng(3) .. " " .. rng()) end
      end, function(overlay, except, copy)
        compare_graphs(rng, g, model, overlay, except, copy)
      end, function()
        local nodes, list, set = {}, {}, {}
        for node in g:nodes() do nodes[#nodes + 1] = node end
        for i = 1, rng(3) do
          list[i] = rng:pick(nodes)
          set[list[i]] = true
        end
        if #list == 1 and rng:chance(0.5) then return list[1], set end
        return list, set
      end)
    end)
  end)

  -- A path is valid exactly if the overlay closes none of the cells that it enters, and none beside its diagonals.
  it("make paths valid or not, as their cells are free", function()
    helper.rounds("overlay validity", 60, function(rng)
      local size = rng(4, 12)
      local grid = wend.grid(size, size)
      local overlay = grid:overlay()
      local path, free
      for _ = 1, 60 do
        if not path or not path:valid() then
          path = grid:path(1, 1, size, size, { overlay = overlay })
        end
        local x, y = rng(size), rng(size)
        if rng:chance(0.6) then overlay:close(x, y) else overlay:reset(x, y) end
        if path then
          free = true
          local last_x, last_y
          for i, cx, cy in path:each() do
            if i > 1 then
              free = free and not overlay:is_closed(cx, cy)
                and (cx == last_x or cy == last_y
                  or not overlay:is_closed(last_x, cy) and not overlay:is_closed(cx, last_y))
            end
            last_x, last_y = cx, cy
          end
          assert.equal(free, path:valid())
        end
      end
    end)
  end)

  it("change between the slices of a search", function()
    helper.rounds("overlay slices", 60, function(rng)
      local width, height = rng(8, 20), rng(8, 20)
      local grid = wend.grid(width, height)
      for _ = 1, rng(0, width * height / 5) do grid:close(rng(width), rng(height)) end
      if rng:chance(0.4) then grid:fill(1, 1, width, rng(height), 2) end
      local overlay, other = grid:overlay(), grid:overlay()
      local edits = {}
      local x1, y1, x2, y2 = rng(width), rng(height), rng(width), rng(height)
      local search = grid:search(x1, y1, x2, y2, { overlay = overlay })
      local copy
      repeat
        if rng:chance(0.3) then
          local edit = { rng:pick { "close", "open" }, rng(width), rng(height) }
          apply(overlay, edit)
          edits[#edits + 1] = edit
          if search:restarts() == 3 then copy = edited_copy(grid, edits, {}) end
        elseif rng:chance(0.2) then
          grid[rng:pick { "close", "open" }](grid, rng(width), rng(height))
          if search:restarts() == 3 then copy = edited_copy(grid, edits, {}) end
        end
        if rng:chance(0.3) then
          other:close(rng(width), rng(height))
          grid:path(rng(width), rng(height), rng(width), rng(height), { overlay = other })
          grid:path(1, 1, width, height, { overlay = overlay, except = { x1, y1 } })
        end
        local restarts = search:restarts()
        local state = search:step(rng(12))
        if search:restarts() == 4 and restarts == 3 then copy = copy or edited_copy(grid, edits, {}) end
      until state ~= "running"
      local path, code = result(search:result())
      local on = search:restarts() == 4 and copy or edited_copy(grid, edits, {})
      local expected, expected_code = result(on:path(x1, y1, x2, y2))
      compare_paths(expected, expected_code, path, code, false, search:restarts() .. " restarts")
      if path and search:restarts() < 4 then
        assert.equal(nil, path.stale)
        assert.equal(true, path:valid())
      elseif path then
        assert.equal(true, path.stale)
      end
    end)
  end)
end)
