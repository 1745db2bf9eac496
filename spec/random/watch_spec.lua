-- SPDX-License-Identifier: MIT
-- Watches on random maps with random edits, compared with two plain solvers. A failure prints WEND_SEED and WEND_ROUND.
--
-- A path that was valid at the last call is affected exactly if path:valid() is false now. A path that was not is
-- affected exactly if an edit has touched one of its parts since, or if it has become valid. A model keeps what the
-- edits touched.

local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local TAGS = { "road", "mud", "sand" }
local unpack = table.unpack or unpack -- luacheck: ignore 113 143

-- Maps: { map, find(rng, options) -> path, edit(rng) -> list of keys of touched parts, parts(path) -> list of keys }
-- A key stands for a part of the map until it is removed.

local function random_graph(rng)
  local g = wend.graph()
  local nodes, edges, steps = {}, {}, 0
  local function add_node()
    nodes[#nodes + 1] = g:add_node(rng(0, 30), rng(0, 30))
  end
  local function add_edge()
    edges[#edges + 1] = g:add_edge(rng:pick(nodes), rng:pick(nodes),
      { weight = rng:chance(0.7) and rng(1, 9) or nil, tag = rng:chance(0.7) and rng:pick(TAGS) or nil,
        directed = rng:chance(0.3) })
  end
  for _ = 1, rng(3, 25) do add_node() end
  for _ = 1, #nodes * 2 do add_edge() end
  local world = { map = g }
  function world.find(options)
    return g:path(rng:pick(nodes), rng:pick(nodes), options)
  end
  function world.parts(path)
    local parts = {}
    for i, node in path:each() do -- the first node may be closed
      if i > 1 then parts[#parts + 1] = "node" .. node end
    end
    for _, edge in ipairs(path:edges()) do parts[#parts + 1] = "edge" .. edge end
    return parts
  end
  local function touch_edge(edge) return { "edge" .. edge } end
  local function drop(list, value)
    for i = #list, 1, -1 do
      if list[i] == value then table.remove(list, i) end
    end
  end
  function world.edit()
    steps = steps + 1
    local kind, node, edge = rng(14), rng:pick(nodes), rng:pick(edges)
    if kind == 1 then
      add_node()
    elseif kind == 2 then
      add_edge()
    elseif kind <= 4 and edge then
      g:set_weight(edge, steps + 10)
      return touch_edge(edge)
    elseif kind == 5 and edge then
      local tag = "tag" .. steps % 5
      local same = g:edge(edge).tag == tag
      g:set_tag(edge, tag)
      return same and {} or touch_edge(edge)
    elseif kind <= 8 and edge then
      local closed = g:edge(edge).closed
      g[closed and "open_edge" or "close_edge"](g, edge)
      return touch_edge(edge)
    elseif kind <= 10 then
      g[g:is_closed(node) and "open" or "close"](g, node)
      return { "node" .. node }
    elseif kind == 11 then
      local touched = { "node" .. node }
      for id in g:edges(node) do
        local one = g:edge(id)
        if g:is_measured(id) and one.from ~= one.to then touched[#touched + 1] = "edge" .. id end
      end
      g:move(node, rng(0, 30), rng(0, 30))
      return touched
    elseif kind == 12 and edge then
      g:remove_edge(edge)
      drop(edges, edge)
      return { "edge" .. edge }, true
    elseif kind == 13 and #nodes > 3 and rng:chance(0.3) then
      local touched = { "node" .. node }
      for i = #edges, 1, -1 do
        local one = g:edge(edges[i])
        if one.from == node or one.to == node then
          touched[#touched + 1] = "edge" .. edges[i]
          table.remove(edges, i)
        end
      end
      g:remove_node(node)
      drop(nodes, node)
      return touched, true
    elseif kind == 14 and rng:chance(0.1) then -- more than the journal lists, or a graph that is packed
      local first = g:add_nodes { 1, 1, 2, 2, 3, 3 }
      local pairs_of = {}
      for _ = 1, 40 do
        pairs_of[#pairs_of + 1], pairs_of[#pairs_of + 2] = first, first + 1
      end
      g:add_edges(pairs_of)
    end
    return {}
  end
  return world
end

local function random_grid(rng)
  local width, height = rng(2, 14), rng(2, 14)
  local grid = wend.grid(width, height,
    { diagonals = rng:pick { "both_open", "both_open", "never", "one_open", "always" },
      diagonal_length = rng:pick(grid_reference.LENGTHS) })
  for _ = 1, rng(0, width * height / 3) do grid:set(rng(width), rng(height), rng:pick { false, "mud", "road", 2 }) end
  local links, steps = {}, 0
  local world = { map = grid, grid = true }
  local function cell() return rng(width), rng(height) end
  local function link()
    local x1, y1 = cell()
    local x2, y2 = cell()
    if rng:chance(0.3) then x2, y2 = math.min(x1 + rng(0, 1), width), math.min(y1 + rng(0, 1), height) end
    if x1 == x2 and y1 == y2 then return end
    grid:link(x1, y1, x2, y2, { weight = rng(0, 4), tag = rng:pick(TAGS), directed = rng:chance(0.5) })
    links[#links + 1] = { x1, y1, x2, y2 }
  end
  for _ = 1, rng(0, 3) do link() end
  function world.find(options)
    local x, y = cell()
    local path = grid:path(x, y, rng(width), rng(height), options)
    if path and #path > 4 and rng:chance(0.3) then path = grid:straighten(path) or path end
    return path
  end
  -- Walls and links are left to path:valid: only cells are in the model.
  function world.edit()
    steps = steps + 1
    local kind, x, y = rng(12), cell()
    if kind <= 3 then
      if grid:is_closed(x, y) then grid:open(x, y) else grid:close(x, y) end
      return { "cell" .. x .. "," .. y }
    elseif kind <= 6 then
      grid:set(x, y, { weight = steps + 3, tag = rng:pick(TAGS) })
      return { "cell" .. x .. "," .. y }
    elseif kind == 7 then
      local x2, y2 = rng(x, width), rng(y, height)
      local touched = {}
      grid:fill(x, y, x2, y2, steps + 3)
      for cx = x, x2 do
        for cy = y, y2 do touched[#touched + 1] = "cell" .. cx .. "," .. cy end
      end
      return touched
    elseif kind <= 10 then
      local dx, dy = rng(-1, 1), rng(-1, 1)
      if (dx ~= 0 or dy ~= 0) and grid:has(x + dx, y + dy) then
        grid:wall(x, y, x + dx, y + dy, rng:chance(0.5), { directed = rng:chance(0.4) })
      end
      return {}, false, true
    elseif kind == 11 then
      link()
      return {}, false, true
    elseif #links > 0 then
      grid:unlink(unpack(rng:pick(links)))
      return {}, false, true
    end
    return {}
  end
  return world
end

-- The comparison -----------------------------------------------------------------------------------------------------

local function compare(rng, world, rounds)
  local watch = wend.watch(world.map)
  local profiles = { false, wend.costs { road = 2, mud = 3 }, wend.costs { sand = 2 } }
  if world.grid then -- it walks through closed cells, but not through walls
    profiles[4] = wend.costs():edge_rule("ghost", function(_, cost) return cost == math.huge and 3 or cost end)
  end
  local held, removed_parts = {}, {}
  local function options()
    local costs = rng:pick(profiles)
    local size = world.grid and rng:chance(0.3) and rng(2, 3) or nil
    return { costs = costs or nil, corners = world.grid and rng:chance(0.4) or nil, size = size }
  end
  local function hold(one, path)
    one.path, one.valid, one.dead = path, true, false
    one.parts = not world.grid and world.parts(path) or nil
    one.fresh = true
  end
  for _ = 1, rounds do
    -- Paths come and go.
    for _ = 1, rng(0, 3) do
      local path = world.find(options())
      if path then
        local one = {}
        hold(one, path)
        held[#held + 1] = one
        watch:add(path)
      end
    end
    if #held > 0 and rng:chance(0.3) then
      local one = table.remove(held, rng(#held))
      watch:remove(one.path)
    end
    if #held > 0 and rng:chance(0.2) then
      local one = rng:pick(held)
      local asked = options()
      asked.into = one.path
      local path = world.find(asked)
      if path == one.path then
        hold(one, path)
      else -- it was emptied, or straightened into another table
        watch:remove(one.path)
        for i = #held, 1, -1 do
          if held[i] == one then table.remove(held, i) end
        end
      end
    end
    -- Edits.
    local touched, loose, priced = {}, false, false
    for _ = 1, rng:chance(0.05) and 200 or rng(0, 3) do
      local keys, gone, unknown = world.edit()
      loose = loose or unknown
      for _, key in ipairs(keys) do
        touched[key] = true
        if gone then removed_parts[key] = true end
      end
    end
    if rng:chance(0.15) then
      priced = true
      profiles[rng(2, 3)]:set(rng:pick(TAGS), rng(1, 5))
    end
    if rng:chance(0.4) then -- what path:valid remembers must not matter
      for _, one in ipairs(held) do
        if rng:chance(0.5) then one.path:valid() end
      end
    end
    -- Compare.
    local got, list = {}, watch:affected()
    for i, path in ipairs(list) do
      assert.is_nil(got[path], "a path is listed twice")
      got[path] = i
    end
    local last = 0
    for _, one in ipairs(held) do
      local valid, said = one.path:valid(), got[one.path] ~= nil
      if one.valid then
        assert.equal(not valid, said, "a path that was valid")
      elseif valid then
        assert.equal(true, said, "a path that has become valid")
      elseif one.parts and not priced then
        local expected = false
        for _, part in ipairs(one.parts) do expected = expected or touched[part] or false end
        assert.equal(expected and not one.dead, said, "a path that was out of date")
      elseif not (loose or priced) and next(touched) == nil then
        assert.equal(false, said, "a path that was out of date, without an edit")
      end
      if one.parts then
        for _, part in ipairs(one.parts) do one.dead = one.dead or removed_parts[part] or false end
      end
      one.valid = valid
      if said then
        assert.is_true(got[one.path] > last, "the order of adding")
        last = got[one.path]
      end
    end
    assert.equal(#held, watch:count())
    for path in pairs(got) do
      local known = false
      for _, one in ipairs(held) do known = known or one.path == path end
      assert.is_true(known)
    end
  end
end

describe("a watch on random maps", function()
  it("lists the paths of a graph that edits have touched", function()
    helper.rounds("watches on graphs", 60, function(rng) compare(rng, random_graph(rng), 40) end)
  end)

  it("lists the paths of a grid that edits have touched", function()
    helper.rounds("watches on grids", 60, function(rng) compare(rng, random_grid(rng), 40) end)
  end)
end)
