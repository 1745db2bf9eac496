-- SPDX-License-Identifier: MIT
-- Random overlays, some of them overlays of others. A query of an overlay must give what it gives on a copy of the map
-- that was really edited. Between the queries the map and the overlays change. A failure prints WEND_SEED and
-- WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
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
  local nodes, edges = reference.nodes(g), reference.edge_ids(g)
  local kind = rng(6)
  if #edges == 0 or kind <= 2 then return { rng:pick { "close", "open" }, rng:pick(nodes) } end
  if kind <= 4 then return { rng:pick { "close_edge", "close_edge", "open_edge" }, rng:pick(edges) } end
  if kind == 5 then return { "set_tag", rng:pick(edges), rng:pick(TAGS) } end
  local weight = rng(0, 40) / 2
  if model.dimensions > 0 and rng:chance(0.3) then weight = nil end
  return { "set_weight", rng:pick(edges), weight }
end

local function apply(object, edit) return object[edit[1]](object, edit[2], edit[3], edit[4], edit[5], edit[6]) end

-- What is known of an overlay: `own` holds the values that it has itself, by cell ("x,y"), wall ("wall x,y x,y"), node,
-- or edge (minus its id). `base` is what is known of its base; `map` is the map below all of them.
local function value_of(known, key, read)
  while known do
    if known.own[key] ~= nil then return known.own[key] end
    known = known.base
  end
  return read()
end

local function cell_value(known, map, x, y)
  return value_of(known, x .. "," .. y, function()
    return { weight = map:weight(x, y), tag = select(2, map:get(x, y)), closed = map:is_closed(x, y) }
  end)
end

local function edge_value(known, map, edge)
  return value_of(known, -edge, function()
    local found = map:edge(edge)
    return { weight = not map:is_measured(edge) and found.weight or nil, tag = found.tag, closed = found.closed }
  end)
end

local function wall_key(x1, y1, x2, y2)
  if y1 > y2 or y1 == y2 and x1 > x2 then x1, y1, x2, y2 = x2, y2, x1, y1 end
  return ("wall %d,%d %d,%d"):format(x1, y1, x2, y2)
end

-- A value that a cell is set to: a number, false, a tag, or a table.
local function whole_value(value)
  if type(value) == "table" then return value end
  if type(value) == "string" then return { weight = 1, tag = value } end
  return { weight = value or 1, closed = not value }
end

-- Notes an edit of an overlay.
local function note(known, map, edit)
  local name, own = edit[1], known.own
  if name == "wall" then
    own[wall_key(edit[2], edit[3], edit[4], edit[5])] = edit[6]
  elseif wend.type(map) == "graph" then
    if name == "close" or name == "open" then
      own[edit[2]] = name == "close"
      return
    end
    local old = edge_value(known, map, edit[2])
    local new = { weight = old.weight, tag = old.tag, closed = old.closed }
    if name == "set_tag" then new.tag = edit[3]
    elseif name == "set_weight" then new.weight = edit[3]
    else new.closed = name == "close_edge" end
    own[-edit[2]] = new
  else
    local x2, y2, value = edit[4], edit[5], edit[6]
    if name == "set" then x2, y2, value = edit[2], edit[3], edit[4]
    elseif not x2 then x2, y2 = edit[2], edit[3] end
    for y = edit[3], y2 do
      for x = edit[2], x2 do
        local old = cell_value(known, map, x, y)
        if name == "close" or name == "open" then
          own[x .. "," .. y] = { weight = old.weight, tag = old.tag, closed = name == "close" }
        else
          own[x .. "," .. y] = whole_value(value)
        end
      end
    end
  end
end

-- A copy of the map that is edited like an overlay.
local function edited_copy(map, known)
  local copy = known and edited_copy(map, known.base) or map:copy()
  for key, value in pairs(known and known.own or {}) do
    if type(key) == "string" and key:find "wall" then
      local x1, y1, x2, y2 = key:match "(%d+),(%d+) (%d+),(%d+)"
      copy:wall(tonumber(x1), tonumber(y1), tonumber(x2), tonumber(y2), value)
    elseif type(key) == "string" then
      local x, y = key:match "(%d+),(%d+)"
      copy:set(tonumber(x), tonumber(y), value)
    elseif key > 0 then
      if copy:has(key) then copy[value and "close" or "open"](copy, key) end
    elseif copy:has_edge(-key) then
      copy:set_weight(-key, value.weight)
      copy:set_tag(-key, value.tag)
      copy[value.closed and "close_edge" or "open_edge"](copy, -key)
    end
  end
  return copy
end

-- Resets a part of an overlay, or all of it.
local function reset(rng, overlay, known, map)
  if rng:chance(0.4) then
    overlay:reset()
    known.own = {}
  elseif wend.type(map) == "grid" then
    local x, y = rng(map:width()), rng(map:height())
    overlay:reset(x, y)
    known.own[x .. "," .. y] = nil
    for dy = -1, 1 do
      for dx = -1, 1 do known.own[wall_key(x, y, x + dx, y + dy)] = nil end
    end
  else
    local nodes, edges = reference.nodes(map), reference.edge_ids(map)
    local node, edge = rng:pick(nodes), #edges > 0 and rng:pick(edges)
    overlay:reset(node)
    known.own[node] = nil
    if edge then
      overlay:reset_edge(edge)
      known.own[-edge] = nil
    end
  end
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

local function random_costs(rng)
  local kind = rng(4)
  if kind == 1 then return {} end
  local costs = wend.costs { road = 0.5, swamp = rng(1, 4), lava = rng:chance(0.5) and false or 6 }
  local function slow(_, cost) return cost * 1.5 end
  if kind == 2 then costs:edge_rule("slow", slow, { at_least = 1, tags = { "swamp" } }) end
  return { costs = costs }
end

-- Compares all queries of a grid with those of a copy.
local function compare_grids(rng, grid, copy)
  local width, height = grid:width(), grid:height()
  local function cell() return rng(width), rng(height) end
  local options = random_costs(rng)
  local x1, y1 = cell()
  local x2, y2 = cell()
  local expected, expected_code = result(copy:path(x1, y1, x2, y2, options))
  local path, code = result(grid:path(x1, y1, x2, y2, options))
  compare_paths(expected, expected_code, path, code, true, "path")
  if path then
    assert.equal(grid, path.map)
    assert.equal(true, path:valid())
    local sum = 0
    for _, step in ipairs(path:explain()) do sum = sum + step.cost end
    near(path.cost, sum)
    local straight, line = copy:straighten(expected), grid:straighten(path)
    compare_paths(straight, nil, line, nil, true, "straighten")
  end
  assert.equal(copy:clear(x1, y1, x2, y2, options), (grid:clear(x1, y1, x2, y2, options)))
  assert.equal(copy:clear_points(x1 + 0.3, y1, x2, y2 + 0.2, options),
    (grid:clear_points(x1 + 0.3, y1, x2, y2 + 0.2, options)))
  local fields = { copy:field(x1, y1, options), grid:field(x1, y1, options) }
  assert.equal(true, fields[2]:valid())
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
    text_of { grid:nearest(x1 - 0.2, y1, options) })
  local reach = { x = x2, y = y2 }
  local seed = rng(1000)
  options.reachable_from = reach
  assert.equal(text_of { copy:random(seed, options) }, text_of { grid:random(seed, options) })
  options.reachable_from = nil
  assert.same(copy:check(options), grid:check(options))
  local from, to = { x1 - 0.4, y1 - 0.6 }, { x2 - 0.5, y2 - 0.3 }
  local route, _, route_code = copy:route(from, to, options)
  local found, _, found_code = grid:route(from, to, options)
  assert.equal(route_code, found_code)
  if route then assert.equal(text_of(route), text_of(found)) end
end

local function compare_graphs(rng, g, model, copy)
  local nodes = reference.nodes(g)
  local options = random_costs(rng)
  local from, to = rng:pick(nodes), rng:pick(nodes)
  local expected, expected_code = result(copy:path(from, to, options))
  local path, code = result(g:path(from, to, options))
  compare_paths(expected, expected_code, path, code, false, "path")
  if path then
    assert.equal(true, path:valid())
    local sum = 0
    for _, step in ipairs(path:explain()) do sum = sum + step.cost end
    near(path.cost, sum)
  end
  local fields = { copy:field(to, options), g:field(to, options) }
  for _, node in ipairs(nodes) do
    local a, b = fields[1]:cost(node), fields[2]:cost(node)
    assert.equal(a == nil, b == nil)
    if a then near(a, b) end
  end
  path, code = result(fields[2]:path(from))
  compare_paths(expected, expected_code, path, code, false, "field:path")
  local seed = rng(1000)
  assert.equal(copy:random(seed, options), (g:random(seed, options)))
  assert.same(copy:check(options), g:check(options))
  if model.dimensions == 2 then
    local x, y = rng() * 100, rng() * 100
    assert.same({ copy:nearest(x, y, options) }, { g:nearest(x, y, options) })
    options.can_reach = to
    assert.same({ copy:nearest(x, y, options) }, { g:nearest(x, y, options) })
    assert.same({ copy:nearest_edge(x, y, options) }, { g:nearest_edge(x, y, options) })
    options.can_reach = nil
    local route = { from = { x, y }, to = { rng() * 100, rng() * 100 } }
    local a, _, a_code = copy:route(route.from, route.to, options)
    local b, _, b_code = g:route(route.from, route.to, options)
    assert.equal(a_code, b_code)
    if a then near(a.cost, b.cost) end
  end
end

-- Rounds -------------------------------------------------------------------------------------------------------------

-- Saves an overlay, and loads it for its base, and for a base that was saved too.
-- @return the overlay that is loaded
local function saved(overlay, base)
  local bytes, grid = overlay:encode(), wend.type(overlay) == "grid"
  local loaded = assert(wend.decode(bytes, { map = base }))
  local contents = overlay:copy():encode()
  assert.equal(bytes, loaded:encode())
  assert.equal(contents, loaded:copy():encode())
  local fresh = assert(wend.decode(base:copy():encode()))
  local again = assert(wend.decode(bytes, { map = fresh }))
  assert.equal(bytes, again:encode())
  assert.equal(contents, again:copy():encode())
  local ends = { 1, 1, grid and overlay:width(), grid and overlay:height() }
  if not grid then
    local first
    for node in overlay:nodes() do
      first = first or node
      ends = { first, node }
    end
  end
  local path = overlay:path((table.unpack or unpack)(ends)) -- luacheck: ignore 143
  if path then assert.equal(true, wend.decode(path:encode(), { map = again }):valid()) end
  again:reset()
  if grid then assert.equal(fresh:text(), again:text()) end
  return loaded
end

-- A map with `count` overlays. edit() makes a random edit for a map or an overlay; change() edits the map otherwise;
-- compare(overlay, copy) compares all queries.
local function play(rng, map, count, steps, edit, change, compare)
  local overlays, known, bases, is_base = {}, {}, {}, {}
  for i = 1, count do
    local below = i > 1 and rng:chance(0.3) and rng(i - 1)
    bases[i] = below and overlays[below] or map
    overlays[i] = bases[i]:overlay()
    is_base[below or 0] = true
    known[i] = { own = {}, base = below and known[below] or nil }
  end
  for _ = 1, steps do
    local i = rng(count)
    for _ = 1, rng(0, 6) do
      local one = edit()
      note(known[i], map, one)
      apply(overlays[i], one)
    end
    if rng:chance(0.2) then reset(rng, overlays[i], known[i], map) end
    for _ = 1, rng:chance(0.1) and 80 or rng(0, 2) do apply(map, edit()) end
    if rng:chance(0.15) then change() end
    i = rng(count)
    if rng:chance(0.2) then
      local loaded = saved(overlays[i], bases[i])
      if not is_base[i] then overlays[i] = loaded end
    end
    compare(overlays[i], edited_copy(map, known[i]))
  end
end

describe("overlays", function()
  it("of grids are like copies that were really edited", function()
    helper.rounds("overlay grids", 60, function(rng)
      local width, height = rng(1, 14), rng(1, 14)
      local grid = wend.grid(width, height, { diagonals = rng:pick { "both_open", "one_open", "always", "never" },
        diagonal_length = rng:pick(grid_reference.LENGTHS) })
      for _ = 1, rng(0, width * height / 4) do
        grid:set(rng(width), rng(height), rng:pick { false, 2, "road", "swamp" })
      end
      play(rng, grid, rng(1, 6), 12, function() return random_cell_edit(rng, width, height) end, function()
        local kind = rng(4)
        if kind == 1 then
          local options = { weight = rng(0, 3), directed = rng:chance(0.5) }
          grid:link(rng(width), rng(height), rng(width), rng(height), options)
        elseif kind == 2 then grid:unlink(rng(width), rng(height), rng(width), rng(height))
        elseif kind == 3 then grid:map(function(x, y) if (x + y) % 5 == 0 then return rng(1, 2) end end)
        else grid:set(rng(width), rng(height), "tag " .. rng(9)) end
      end, function(overlay, copy)
        compare_grids(rng, overlay, copy)
      end)
    end)
  end)

  it("of graphs are like copies that were really edited", function()
    helper.rounds("overlay graphs", 60, function(rng)
      local g, model = helper.random_graph(rng, { dimensions = rng:pick { 2, 2, 3, 0 }, nodes = rng(2, 40) })
      play(rng, g, rng(1, 6), 12, function() return random_graph_edit(rng, g, model) end, function()
        local nodes, edges = reference.nodes(g), reference.edge_ids(g)
        local kind = rng(6)
        if kind == 1 and #edges > 0 then g:remove_edge(rng:pick(edges))
        elseif kind == 2 and #nodes > 3 then g:remove_node(rng:pick(nodes))
        elseif kind == 3 then
          g:add_edge(rng:pick(nodes), rng:pick(nodes), { weight = rng(1, 9), directed = rng:chance(0.5) })
        elseif kind == 4 and model.dimensions == 2 then g:move(rng:pick(nodes), rng() * 100, rng() * 100)
        elseif kind == 5 and #edges > 0 then g:set_tag(rng:pick(edges), rng:pick(TAGS))
        elseif model.dimensions == 2 then g:add_edge(rng:pick(nodes), g:add_node(rng() * 100, rng() * 100))
        else g:set_name(rng:pick(nodes), "name " .. rng(3) .. " " .. rng()) end
      end, function(overlay, copy)
        for node in g:nodes() do assert.equal(g:name(node), overlay:name(node)) end
        compare_graphs(rng, overlay, model, copy)
      end)
    end)
  end)
end)
