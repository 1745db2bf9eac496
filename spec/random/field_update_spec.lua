-- SPDX-License-Identifier: MIT
-- Fields that are updated after random edits equal new ones, to the last bit: costs and steps are compared as bytes.
-- A failure prints WEND_SEED and WEND_ROUND.
local helper = require "spec.support.helper"
local wend = require "wend"

local POLICIES = { "both_open", "one_open", "always", "never" }
local LENGTHS = { 1, 1.25, math.sqrt(2), 2 }
local TAGS = { "mud", "road", "sea" }

describe("random updates of fields", function()
  -- Weights that differ: none, a little, or so much that buckets do not suit them and sums lose bits; 5: some are 0.
  local function weight(rng, kind)
    if kind == 1 then return 1 end
    if kind == 5 and rng:chance(0.1) then return 0 end
    if kind == 2 or kind == 5 then return rng(1, 5) end
    if kind == 4 and rng:chance(0.2) then return rng:pick { 0, 1e-12, 1e6, 1e17 } end
    return 0.01 + 4 * rng()
  end

  local function random_map(rng, kind, sized)
    local width, height = rng(1, 40), rng(1, 40)
    local opts = { diagonals = rng:pick(POLICIES), diagonal_length = rng:pick(LENGTHS) }
    if not sized and rng:chance(0.2) then
      opts = { shape = "hex", shift = rng:pick { "odd", "even" }, flat = rng:chance(0.5) }
    end
    local grid = wend.grid(width, height, opts)
    local share = rng() * (sized and 0.05 or 0.4)
    for y = 1, height do
      for x = 1, width do
        local open = not rng:chance(share)
        grid:set(x, y, open and weight(rng, kind), rng:chance(0.1) and rng:pick(TAGS) or nil)
      end
    end
    return grid, opts.shape ~= nil
  end

  local function random_options(rng, goals, sized)
    local opts = { outward = rng:chance(0.5), closed_goal = rng:chance(0.2) or nil }
    if rng:chance(0.5) then opts.costs = wend.costs { mud = 3, road = { plus = 0.5 }, sea = false } end
    if sized then opts.size = rng(1, 4) end
    if rng:chance(0.1) then opts.window = rng(1, 10) end
    if rng:chance(0.1) then opts.max_cost = rng(1, 30) end
    if rng:chance(0.1) then opts.within = rng(1, 3) end
    if rng:chance(0.1) and not opts.closed_goal and not opts.within then
      opts.values = {}
      for i = 1, goals do opts.values[i] = rng(0, 9) end
    end
    if opts.within then opts.closed_goal = nil end
    return opts
  end

  -- A wall or a link is added or removed.
  local function edit_between(rng, grid, kind, x, y)
    if rng:chance(0.7) then
      local dx, dy = rng(-1, 1), rng(-1, 1)
      local x2, y2 = x + dx, y + dy
      if (dx ~= 0 or dy ~= 0) and x2 >= 1 and y2 >= 1 and x2 <= grid:width() and y2 <= grid:height() then
        -- It raises between hexes that are no neighbours.
        pcall(grid.wall, grid, x, y, x2, y2, rng:chance(0.7), { directed = rng:chance(0.4) })
      end
      return
    end
    local x2, y2 = rng(1, grid:width()), rng(1, grid:height())
    if x2 == x and y2 == y then return end
    if rng:chance(0.3) then
      grid:unlink(x, y, x2, y2)
    else
      grid:link(x, y, x2, y2, {
        weight = weight(rng, kind), tag = rng:chance(0.3) and rng:pick(TAGS) or nil, directed = rng:chance(0.5),
      })
    end
  end

  -- between: also walls and links.
  local function edit(rng, grid, base, kind, between)
    local x, y, what = rng(1, grid:width()), rng(1, grid:height()), rng(1, between and 16 or 10)
    if what <= 3 then
      grid:close(x, y)
    elseif what <= 6 then
      grid:open(x, y)
    elseif what <= 9 then
      grid:set(x, y, weight(rng, kind))
    elseif what == 10 then
      grid:set(x, y, rng:chance(0.8) and weight(rng, kind), rng:pick(TAGS))
    else
      edit_between(rng, base, kind, x, y)
    end
  end

  -- Layers of a map, for the option influence.
  local function random_layers(rng, map)
    local layers = {}
    for i = 1, 2 * rng(1, 2), 2 do layers[i], layers[i + 1] = wend.influence(map), rng:pick { 0.3, 1, 50 } end
    return layers
  end

  -- A number of one of the layers changes, at a node or cell, or many do.
  local function edit_layer(rng, layers, kind, ...)
    local layer, what = layers[2 * rng(1, #layers / 2) - 1], rng(1, 30)
    local at, y = ...
    local function call(method, ...)
      if y then layer[method](layer, at, y, ...) else layer[method](layer, at, ...) end
    end
    if what <= 12 then call("set", rng:chance(0.7) and weight(rng, kind) or 0)
    elseif what <= 20 then call("add", 4 * rng() - 2)
    elseif what <= 28 then call("stamp", 3 * rng() + 0.1, 3 * rng(), rng:pick { "linear", "smooth", "flat" })
    elseif what == 29 then layer:decay(rng())
    else layer:reset() end
  end

  local function each_cell(field)
    local cells = {}
    for x, y in field:each() do cells[#cells + 1] = x .. "," .. y end
    return table.concat(cells, " ")
  end

  local function all_costs(field)
    local costs = {}
    for _, a, b in field:each() do costs[#costs + 1] = b or a end
    return table.concat(costs, " ")
  end

  -- Updates a field directly, or in slices: until these end it answers as before. between: called between slices.
  local function update(rng, field, queue, between)
    if rng:chance(0.6) then return field:update() end
    local request, before = queue:update(field), rng:chance(0.1) and all_costs(field)
    while request.state == "waiting" or request.state == "running" do
      if before then assert.equal(before, all_costs(field)) end
      queue:step(rng:pick { 1, 40, 400 })
      if between and request.state == "running" and rng:chance(0.05) then between() end
    end
    assert.is_nil(request.message)
    if between then field:update() end                    -- layers may have changed meanwhile
    return request.result, request.rebuilt
  end

  it("on grids", function()
    local mended, queue = { all = 0, hexes = 0, size = 0, between = 0, layers = 0, free = 0 }, wend.queue()
    helper.rounds("updates", 200, function(rng)
      local kind, sized = rng(1, 5), rng:chance(0.3)
      local base, hexes = random_map(rng, kind, sized)
      local grid, between = rng:chance(0.2) and base:overlay() or base, rng:chance(0.6)
      for _ = 1, between and rng(0, 40) or 0 do
        edit_between(rng, base, kind, rng(1, base:width()), rng(1, base:height()))
      end
      local goals = {}
      for i = 1, 2 * rng:pick { 1, 1, 2, 4 }, 2 do
        goals[i], goals[i + 1] = rng(1, base:width()), rng(1, base:height())
      end
      local opts = random_options(rng, #goals / 2, sized)
      opts.influence = rng:chance(0.4) and random_layers(rng, base) or nil
      local function edit_layers()
        edit_layer(rng, opts.influence, kind, rng(1, base:width()), rng(1, base:height()))
      end
      local field = grid:field(goals, opts)
      for _ = 1, 12 do
        for _ = 1, rng:pick { 1, 1, 1, 9 } do
          if opts.influence and rng:chance(0.5) then edit_layers()
          else edit(rng, rng:chance(0.5) and base or grid, base, kind, between) end
        end
        local changed, rebuilt = update(rng, field, queue, opts.influence and edit_layers)
        assert.is_true(field:valid())
        local new = grid:field(goals, opts)
        assert.is_true(field:encode() == new:encode())
        assert.equal(each_cell(new), each_cell(field))
        for what in pairs(changed > 0 and not rebuilt and mended or {}) do
          if what == "all" or (what == "hexes" and hexes) or (what == "size" and (opts.size or 1) > 1) or
            (what == "between" and between) or (what == "layers" and opts.influence) or
            (what == "free" and kind == 5) then
            mended[what] = mended[what] + 1
          end
        end
      end
    end)
    for what, count in pairs(helper.all_rounds() and mended or {}) do
      assert.is_true(count > 5, what .. " " .. count)
    end
  end)

  -- Nodes at random, or on the points of a grid with its diagonals, where many paths cost nearly the same.
  -- Some have a few edges that cost nothing.
  local function random_graph(rng, kind)
    local g, on_grid, free = wend.graph(), rng:chance(0.4), rng:pick { 0, 0, 0.02, 0.1 }
    local side = rng(3, 14)
    local count = side * side
    for i = 0, count - 1 do
      if on_grid then g:add_node(i % side, math.floor(i / side))
      else g:add_node(rng(0, 100), rng(0, 100)) end
    end
    local function add(a, b)
      g:add_edge(a, b, {
        directed = rng:chance(0.2), tag = rng:chance(0.1) and rng:pick(TAGS) or nil,
        weight = rng:chance(free) and 0 or not on_grid and weight(rng, kind) or nil,
        width = rng:chance(0.05) and rng(1, 3) or nil,
      })
    end
    for i = 1, count do
      for _, step in ipairs(on_grid and { 1, side - 1, side, side + 1 } or { 1, rng(1, side), rng(1, count) }) do
        if i + step <= count then add(i, i + step) end
      end
    end
    return g, free > 0
  end

  local function pick_of(rng, ...)
    local list = {}
    for one in ... do list[#list + 1] = one end
    return list[1] and rng:pick(list)
  end

  -- Overlays cannot be given all edits.
  local function edit_graph(rng, g, base, kind)
    local node, edge, what = pick_of(rng, g:nodes()), pick_of(rng, g:edges()), rng(1, 13)
    if not node or not edge then return end
    if what == 1 then g:close(node)
    elseif what == 2 then g:open(node)
    elseif what == 3 then g:set_node_tag(node, rng:chance(0.7) and rng:pick(TAGS) or nil)
    elseif what == 4 then base:move(node, rng(0, 100), rng(0, 100))
    elseif what == 5 then base:remove_node(node)
    elseif what == 6 then
      local new = base:add_node(rng(0, 100), rng(0, 100))
      base:add_edge(new, node, { directed = rng:chance(0.3) })
      base:add_edge(new, pick_of(rng, g:nodes()))
    elseif what == 7 then g:close_edge(edge)
    elseif what == 8 then g:open_edge(edge)
    elseif what == 9 then g:set_weight(edge, weight(rng, kind))
    elseif what == 10 then g:set_tag(edge, rng:chance(0.7) and rng:pick(TAGS) or nil)
    elseif what == 11 then g:set_width(edge, rng:chance(0.7) and rng(1, 3) or nil)
    elseif what == 12 then base:remove_edge(edge)
    else base:add_edge(node, pick_of(rng, g:nodes()), { weight = weight(rng, kind) }) end
  end

  it("on graphs", function()
    local mended, given_up, free_mended, queue = 0, 0, 0, wend.queue()
    helper.rounds("updates of graphs", 200, function(rng)
      local kind = rng(1, 4)
      local base, free = random_graph(rng, kind)
      local g = rng:chance(0.2) and base:overlay() or base
      local goals = {}
      for i = 1, rng:pick { 1, 1, 3 } do goals[i] = pick_of(rng, base:nodes()) end
      local opts = { outward = rng:chance(0.5), closed_goal = rng:chance(0.1) or nil, size = rng(0, 2) }
      if opts.size == 0 then opts.size = nil end
      if rng:chance(0.5) then opts.costs = wend.costs { mud = 3, road = { plus = 0.5 }, sea = false } end
      if rng:chance(0.1) then opts.max_cost = rng(1, 30) end
      opts.influence = rng:chance(0.3) and random_layers(rng, base) or nil
      local function edit_layers()
        local node = pick_of(rng, g:nodes())
        if node then edit_layer(rng, opts.influence, kind, node) end
      end
      local field = g:field(goals, opts)
      for _ = 1, 12 do
        for _ = 1, rng:pick { 1, 1, 1, 5 } do
          if opts.influence and rng:chance(0.5) then edit_layers()
          else edit_graph(rng, rng:chance(0.5) and base or g, base, kind) end
        end
        local changed, rebuilt = update(rng, field, queue, opts.influence and edit_layers)
        assert.is_true(field:valid())
        local left = {}
        for _, goal in ipairs(goals) do if g:has(goal) then left[#left + 1] = goal end end
        local new = g:field(left, opts)
        assert.is_true(field:encode() == new:encode())
        assert.equal(each_cell(new), each_cell(field))
        if rebuilt then given_up = given_up + 1 elseif changed > 0 then mended = mended + 1 end
        if free and changed > 0 and not rebuilt then free_mended = free_mended + 1 end
      end
    end)
    assert.is_true(not helper.all_rounds() or (mended > 100 and given_up > 100 and free_mended > 10),
      mended .. " " .. given_up .. " " .. free_mended)
  end)
end)
