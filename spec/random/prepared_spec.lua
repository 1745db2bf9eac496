-- SPDX-License-Identifier: MIT
-- Random maps that are prepared, saved, loaded and edited, against equal maps that are not: paths cost the same. And
-- files whose tables are wrong, with right checksums: they are refused, or paths still cost the same. A failure prints
-- WEND_SEED and WEND_ROUND.
local file_reference = require "spec.support.file_reference"
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local TAGS = { "road", "swamp", "lava" }

local seen = {} -- how many searches there were; with landmarks, without a path, …
local function note(what) seen[what] = (seen[what] or 0) + 1 end

-- Maps: long and narrow, so that trips are long -----------------------------------------------------------------------

local function random_graph(rng)
  local placed, closed, one_way = rng:chance(0.8), rng:pick { 0, 0.1 }, rng:pick { 0, 0, 0.2 }
  local g, count, wide = wend.graph(), rng(60, 300), rng(2, 5)
  for i = 1, count do
    if placed then g:add_node(math.floor(i / wide) + rng() / 3, i % wide + rng() / 3) else g:add_node() end
  end
  local weights = rng:pick { { 1 }, { 1, 2, 5 }, { 0.5, 3, 40 }, { 0, 1, 2 }, { 1e-6, 1, 1e6 } }
  for i = 1, count do
    for _, other in ipairs { i + 1, i + wide, rng:chance(0.05) and rng(count) or nil } do
      if other <= count and rng:chance(0.85) then
        local edge = g:add_edge(i, other, { directed = rng:chance(one_way),
          weight = (not placed or rng:chance(0.5)) and rng:pick(weights) * (1 + rng(3)) or nil,
          tag = rng:chance(0.4) and rng:pick(TAGS) or nil })
        if rng:chance(closed) then g:close_edge(edge) end
      end
    end
    if rng:chance(closed / 4) then g:close(i) end
  end
  return g, count
end

local function random_grid(rng)
  local width, height = rng(40, 120), rng(3, 14)
  local grid = wend.grid(width, height, { diagonals = rng:pick { "both_open", "one_open", "always", "never" },
    diagonal_length = rng:pick(grid_reference.LENGTHS) })
  local weights = rng:pick { { 1 }, { 1, 2, 5 }, { 0, 1, 3 }, { 0.25, 1, 9 } }
  local closed, tagged = rng:pick { 0, 0.1, 0.25 }, rng:pick { 0, 0.3 }
  grid:map(function()
    if rng:chance(closed) then return false end
    return { weight = rng:pick(weights), tag = rng:chance(tagged) and rng:pick(TAGS) or nil }
  end)
  for x = 5, width - 3, rng(6, 20) do grid:fill(x, 1, x, height - 1, false):fill(x + 2, 2, x + 2, height, false) end
  return grid, width, height
end

-- Edits, as functions that are called with each of the maps -----------------------------------------------------------

local function graph_edit(rng, g)
  local nodes, edges = {}, {}
  for n in g:nodes() do nodes[#nodes + 1] = n end
  for e in g:edges() do edges[#edges + 1] = e end
  local what = rng(10)
  local node, other = rng:pick(nodes), rng:pick(nodes)
  local edge = #edges > 0 and rng:pick(edges)
  local number = rng:pick { 0, 0.1, 1, 2, 30 }
  local directed = rng:chance(0.3)
  if what == 1 then return function(m) m:close(node) end end
  if what == 2 then return function(m) m:open(node) end end
  if what == 3 then return function(m) m:add_edge(node, other, { weight = number, directed = directed }) end end
  if what == 4 and #nodes > 10 then return function(m) m:remove_node(node) end end
  if what == 5 then
    return function(m)
      local new = m:add_node(3, 3)
      m:add_edge(node, new, { weight = number, directed = directed })
      m:add_edge(new, other, { weight = number })
    end
  end
  if what == 6 then return function(m) m:move(node, number, directed and 5 or 0) end end
  if not edge then return function() end end
  if what == 7 then return function(m) m:close_edge(edge) end end
  if what == 8 then return function(m) m:open_edge(edge) end end
  if what == 9 then return function(m) m:remove_edge(edge) end end
  local tag, weight = rng:pick(TAGS), g:edge(edge).weight * rng:pick { 0.5, 0.9, 2 }
  if rng:chance(0.3) then return function(m) m:set_tag(edge, tag) end end
  return function(m) m:set_weight(edge, weight) end
end

local function grid_edit(rng, width, height)
  local what = rng(9)
  local x, y, x2, y2 = rng(width), rng(height), rng(width), rng(height)
  local weight, tag, flag = rng:pick { 0, 0.5, 1, 2, 7 }, rng:pick(TAGS), rng:chance(0.5)
  if what == 1 then return function(m) m:close(x, y) end end
  if what == 2 then return function(m) m:open(x, y) end end
  if what == 3 then return function(m) m:set(x, y, { weight = weight, tag = flag and tag or nil }) end end
  if what == 4 then return function(m) m:fill(x, y, math.min(x + 2, width), y, weight) end end
  if what == 5 then return function(m) m:set(x, y, false) end end
  if what == 6 and (x ~= x2 or y ~= y2) then
    return function(m) m:link(x, y, x2, y2, { weight = weight, directed = flag }) end
  end
  if what == 9 and rng:chance(0.3) then
    local shift = rng(50)
    return function(m)
      m:map(function(a, b) return (a * 7 + b * 3 + shift) % 11 == 0 and { weight = weight, tag = tag } or nil end)
    end
  end
  if what == 7 and x < width then return function(m) m:wall(x, y, x + 1, y, flag) end end
  return function(m) m:open(x, y, math.min(x + 1, width), y) end
end

-- Comparisons --------------------------------------------------------------------------------------------------------

local function random_options(rng, kind)
  local opts = {}
  if rng:chance(0.4) then
    local values = {}
    for _, tag in ipairs(TAGS) do
      values[tag] = rng:pick { 0.5, 1, 2, false, { times = 1, plus = 2 }, { times = 0.7, plus = 1 } }
    end
    opts.costs = wend.costs(values)
  end
  if rng:chance(0.2) then
    local shift = rng(5)
    function opts.cost(_, cost, _, a, b)
      return (a * 3 + (kind == "grid" and b or a) + shift) % 4 == 0 and cost * 1.5 or nil
    end
    opts.at_least = rng:pick { 1, 0.5, 0 }
  end
  return opts
end

-- The two paths cost the same, or there is none.
local function same(one, code, other, other_code)
  assert.equal(other_code, code)
  if not one then return note "none" end
  if math.abs(one.cost - other.cost) > 1e-9 * math.abs(other.cost) then
    error(("%.17g, not %.17g"):format(one.cost, other.cost))
  end
end

local function compare(rng, kind, map, twin, opts, ends)
  opts.stats = {}
  local one, _, code = map:path(ends())
  note "searches"
  if opts.stats.landmarks then note "landmarks" end
  local other, _, other_code = twin:path(ends())
  same(one, code, other, other_code)
  if rng:chance(0.2) then -- in slices, prepared or unprepared or edited in between
    local search = map:search(ends())
    while search:step(rng(30)) == "running" do end
    one, _, code = search:result()
    same(one, code, other, other_code)
  end
  if kind == "graph" and rng:chance(0.2) and one and opts.costs == nil and opts.cost == nil then
    assert.equal(true, one:valid())
  end
end

-- The arguments of a random trip, as a function that returns them.
local function random_trip(rng, kind, map, width, height, opts)
  if kind == "grid" then
    local x1, y1, x2, y2 = rng(width), rng(height), rng(width), rng(height)
    if rng:chance(0.5) then x1, x2 = rng(5), width - rng(0, 5) end
    if rng:chance(0.2) then
      local goals = { x2, y2, rng(width), rng(height), rng(width), rng(height) }
      return function() return x1, y1, goals, opts end
    end
    return function() return x1, y1, x2, y2, opts end
  end
  local nodes = {}
  for n in map:nodes() do nodes[#nodes + 1] = n end
  local from, to = rng:pick(nodes), rng:pick(nodes)
  if rng:chance(0.5) then
    local few = math.min(10, #nodes)
    from, to = nodes[rng(few)], nodes[#nodes + 1 - rng(few)]
  end
  if rng:chance(0.2) then to = { to, rng:pick(nodes), rng:pick(nodes) } end
  return function() return from, to, opts end
end

local function play(rng, kind)
  local map, width, height = (kind == "grid" and random_grid or random_graph)(rng)
  local twin = map:copy()
  local asked = rng:chance(0.3) and random_options(rng, kind) or {}
  asked.cost, asked.at_least = nil, nil
  asked.landmarks = rng:pick { 16, 16, 5, 9, 1 }
  assert(map:prepare(asked))
  for _ = 1, 6 do
    if rng:chance(0.3) then
      local bytes = map:encode()
      map = assert(wend.decode(bytes))
      assert.is_true(bytes == map:encode(), "other bytes")
      if kind == "grid" then assert.is_true(twin:encode() == map:encode { prepared = false }, "another map") end
      note "loaded"
    elseif rng:chance(0.1) then
      assert(map:prepare(asked))
    end
    for _ = 1, 6 do
      local opts = random_options(rng, kind)
      compare(rng, kind, map, twin, opts, random_trip(rng, kind, map, width, height, opts))
    end
    for _ = 1, rng(0, 8) do
      local edit
      if kind == "grid" then edit = grid_edit(rng, width, height) else edit = graph_edit(rng, map) end
      edit(map)
      edit(twin)
    end
  end
end

-- A copy of a prepared file in which some bytes of the tables are others.
local function damage(rng, kind, bytes)
  return file_reference.change(bytes, kind == "grid" and "plan" or "prep", function(contents)
    local list = { contents }
    for _ = 1, rng:pick { 1, 3, 50 } do
      local at = rng:chance(0.1) and rng(24) or rng(#contents)
      local new = rng:pick { "\0", "\255", string.char(rng(0, 255)), "\0\0\0\0", "\255\255", "\0\0\0\0\0\0\240\127" }
      if at + #new <= #contents then contents = file_reference.patch(contents, at, new) end
    end
    if rng:chance(0.1) then contents = ("\255"):rep(#list[1]) end
    return contents
  end)
end

describe("prepared maps", function()
  for _, kind in ipairs { "graph", "grid" } do
    it("give paths of the same cost, saved and loaded and edited: " .. kind, function()
      helper.rounds("prepared " .. kind, 60, function(rng) play(rng, kind) end)
    end)

    it("from files with wrong tables give paths of the same cost: " .. kind, function()
      helper.rounds("wrong tables of a " .. kind, 40, function(rng)
        local map, width, height = (kind == "grid" and random_grid or random_graph)(rng)
        local twin = map:copy()
        map:prepare()
        local bytes = map:encode()
        for _ = 1, 6 do
          local wrong = damage(rng, kind, bytes)
          local copy, _, code = wend.decode(wrong)
          if copy then
            assert.is_true(wrong == copy:encode(), "other bytes")
            for _ = 1, 4 do
              local opts = random_options(rng, kind)
              compare(rng, kind, copy, twin, opts, random_trip(rng, kind, copy, width, height, opts))
            end
            note "wrong and read"
          else
            assert.equal("format", code)
            note "refused"
          end
        end
      end)
    end)
  end

  it("were used by many of these searches", function()
    if not helper.all_rounds() then return pending "all rounds are needed" end
    assert.is_true(seen.landmarks > seen.searches / 20, ("%d of %d"):format(seen.landmarks or 0, seen.searches))
    for _, what in ipairs { "none", "loaded", "refused", "wrong and read" } do assert.is_true(seen[what] > 10, what) end
  end)
end)
