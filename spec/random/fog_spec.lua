-- SPDX-License-Identifier: MIT
-- Random overlays with unknown cells, against a plain model: for each cell what was last seen, with walls and links.
-- Every query gives what it gives on a plain grid made of the model. Between the queries the base is edited, cells are
-- revealed, set, forgotten, saved and loaded, and searches in slices go on. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local function near(expected, value)
  if not expected or not value then return assert.equal(not expected, not value) end
  reference.near(expected, value)
end

-- The values that grid:set takes.
local function value_of(grid, x, y)
  return { weight = grid:weight(x, y), tag = select(2, grid:get(x, y)), closed = grid:is_closed(x, y) }
end

-- Walls by the steps that they close.
local function wall_key(a, b) return a .. " " .. b end

-- What is known: cells, walls and links, each with the base's values when they were seen.
local function new_model(base, unknown)
  return { width = base:width(), height = base:height(), unknown = unknown, cells = {}, walls = {}, links = {} }
end

local function each(model, x1, y1, x2, y2, fn)
  for y = y1, y2 do
    for x = x1, x2 do fn(x, y, (y - 1) * model.width + x) end
  end
end

-- Calls fn(x, y, cell) for the neighbours of a cell.
local function around(model, x, y, fn)
  each(model, math.max(1, x - 1), math.max(1, y - 1), math.min(model.width, x + 1), math.min(model.height, y + 1),
    function(x2, y2, cell)
      if x ~= x2 or y ~= y2 then fn(x2, y2, cell) end
    end)
end

local function reveal(model, base, x1, y1, x2, y2)
  local walls, links = {}, {}
  for a, b, c, d, directed in base:walls() do
    local from, to = (b - 1) * model.width + a, (d - 1) * model.width + c
    walls[wall_key(from, to)] = true
    if not directed then walls[wall_key(to, from)] = true end
  end
  for a, b, c, d, weight, tag in base:links() do
    local from = (b - 1) * model.width + a
    links[from] = links[from] or {}
    table.insert(links[from], { c, d, weight, tag })
  end
  each(model, x1, y1, x2, y2, function(x, y, cell)
    model.cells[cell] = value_of(base, x, y)
    model.links[cell] = links[cell]
    around(model, x, y, function(_, _, other)
      local out, back = wall_key(cell, other), wall_key(other, cell)
      model.walls[out], model.walls[back] = walls[out], walls[back]
    end)
  end)
end

local function forget(model, x1, y1, x2, y2)
  each(model, x1, y1, x2, y2, function(_, _, cell) model.cells[cell], model.links[cell] = nil, nil end)
  each(model, x1, y1, x2, y2, function(x, y, cell)
    around(model, x, y, function(_, _, other)
      if model.cells[other] then return end
      model.walls[wall_key(cell, other)], model.walls[wall_key(other, cell)] = nil, nil
    end)
  end)
end

-- A plain grid with what is known.
local function plain(model, base)
  local grid = wend.grid(model.width, model.height, { diagonals = base:diagonals(),
    diagonal_length = base:diagonal_length() })
  local function at(cell) return (cell - 1) % model.width + 1, math.floor((cell - 1) / model.width) + 1 end
  each(model, 1, 1, model.width, model.height, function(x, y, cell)
    grid:set(x, y, model.cells[cell] or model.unknown)
  end)
  for key in pairs(model.walls) do
    local a, b = key:match "(%d+) (%d+)"
    local x1, y1 = at(tonumber(a))
    local x2, y2 = at(tonumber(b))
    grid:wall(x1, y1, x2, y2, true, { directed = true })
  end
  for cell, links in pairs(model.links) do
    local x, y = at(cell)
    for _, link in ipairs(links) do
      grid:link(x, y, link[1], link[2], { weight = link[3], tag = link[4], directed = true })
    end
  end
  return grid
end

local function listed(iterate, ...)
  local list = {}
  for a, b, c, d, weight, tag in iterate(...) do
    local text = type(weight) == "number" and ("%.14g"):format(weight) or tostring(weight) -- of a wall: directed
    list[#list + 1] = ("%d %d %d %d %s %s"):format(a, b, c, d, text, tag or "")
  end
  return table.concat(list, "\n")
end

-- The known open cells with an unknown cell at a side, without a wall between, or at the end of a link.
local function frontier_of(model)
  local list, linked = {}, {}
  for cell, links in pairs(model.links) do
    for _, link in ipairs(links) do
      linked[cell] = linked[cell] or not model.cells[(link[2] - 1) * model.width + link[1]]
    end
  end
  each(model, 1, 1, model.width, model.height, function(x, y, cell)
    local found = linked[cell] or false
    around(model, x, y, function(x2, y2, other)
      local beside = (x == x2 or y == y2) and not model.cells[other] and not model.walls[wall_key(cell, other)]
      found = found or beside
    end)
    local value = model.cells[cell]
    if found and value and not value.closed then list[#list + 1], list[#list + 2] = x, y end
  end)
  return list
end

local function compare(rng, fog, model, base)
  local grid = plain(model, base)
  each(model, 1, 1, model.width, model.height, function(x, y, cell)
    assert.same(value_of(grid, x, y), value_of(fog, x, y))
    assert.equal(model.cells[cell] ~= nil, fog:is_known(x, y))
  end)
  assert.same(frontier_of(model), fog:frontier { into = { 7, 7, 7 } })
  assert.equal(listed(grid.walls, grid), listed(fog.walls, fog))
  assert.equal(listed(grid.links, grid), listed(fog.links, fog))
  local opts = grid_reference.random_costs(rng)
  opts.size = rng:chance(0.2) and 2 or nil
  for _ = 1, 3 do
    local x1, y1, x2, y2 = rng(model.width), rng(model.height), rng(model.width), rng(model.height)
    local wanted, path = grid:path(x1, y1, x2, y2, opts), fog:path(x1, y1, x2, y2, opts)
    near(wanted and wanted.cost, path and path.cost)
    local size = { size = opts.size }
    assert.equal(grid:can_reach(x1, y1, x2, y2, size), fog:can_reach(x1, y1, x2, y2, size))
    near(grid:field(x1, y1, opts):cost(x2, y2), fog:field(x1, y1, opts):cost(x2, y2))
  end
end

local function random_rectangle(rng, model)
  local x, y = rng(model.width), rng(model.height)
  local side = rng:pick { 0, 0, 2, 5 }
  return x, y, math.min(model.width, x + rng(0, side)), math.min(model.height, y + rng(0, side))
end

local function edit_base(rng, source)
  local kind, x, y = rng(5), rng(source.width), rng(source.height)
  if kind == 1 then grid_reference.random_wall(rng, source)
  elseif kind == 2 then grid_reference.random_link(rng, source)
  elseif kind == 3 then
    local links = {}
    for a, b, c, d in source.grid:links() do links[#links + 1] = { a, b, c, d } end
    if #links > 0 then source:unlink((table.unpack or unpack)(rng:pick(links))) end -- luacheck: ignore 143
  else source:set(x, y, grid_reference.random_value(rng, source.value_opts)) end
end

-- An edit of the overlay itself.
local function edit_fog(rng, fog, model)
  local x1, y1, x2, y2 = random_rectangle(rng, model)
  local kind = rng(4)
  if kind == 1 and x1 < model.width then
    local closed = rng:chance(0.6)
    local directed = rng:chance(0.4)
    fog:wall(x1, y1, x1 + 1, y1, closed, { directed = directed })
    local cell = (y1 - 1) * model.width + x1
    model.walls[wall_key(cell, cell + 1)] = closed or nil
    if not directed then model.walls[wall_key(cell + 1, cell)] = closed or nil end
    return
  end
  local name = rng:pick { "close", "open", "fill" }
  local value = rng:pick { 3, "mud", false }
  if name == "fill" then fog:fill(x1, y1, x2, y2, value) else fog[name](fog, x1, y1, x2, y2) end
  each(model, x1, y1, x2, y2, function(_, _, cell)
    local old = model.cells[cell] or { weight = model.unknown or 1, closed = not model.unknown }
    if name ~= "fill" then model.cells[cell] = { weight = old.weight, tag = old.tag, closed = name == "close" }
    elseif value == "mud" then model.cells[cell] = { weight = 1, tag = "mud" }
    else model.cells[cell] = { weight = value or 1, closed = not value } end
  end)
end

-- Saves the base and the overlay, and goes on with what is loaded: both, or the overlay alone.
local function reload(rng, fog, source, base)
  local bytes = fog:encode()
  if rng:chance(0.5) and base == source.grid then
    source.grid = assert(wend.decode(base:encode()))
    base = source.grid
  end
  local loaded = assert(wend.decode(bytes, { map = base }))
  assert.equal(bytes, loaded:encode())
  return loaded, base
end

describe("an overlay with unknown cells", function()
  it("has what was last seen, on random grids", function()
    helper.rounds("fog", 40, function(rng)
      local source = grid_reference.random(rng)
      local base = rng:chance(0.2) and source.grid:overlay() or source.grid
      local unknown = rng:pick { 1, 2, 0.5, false }
      local fog, model = base:overlay { unknown = unknown }, new_model(base, unknown)
      local search, wanted, x2, y2 = nil, nil, rng(model.width), rng(model.height)
      for _ = 1, 12 do
        for _ = 1, rng(0, 4) do edit_base(rng, source) end
        local x1, y1, a, b = random_rectangle(rng, model)
        if rng:chance(0.8) then
          fog:reveal(x1, y1, a, b)
          reveal(model, base, x1, y1, a, b)
        end
        if rng:chance(0.4) then edit_fog(rng, fog, model) end
        if rng:chance(0.2) then
          fog:reset(x1, y1, a, b)
          forget(model, x1, y1, a, b)
        elseif rng:chance(0.05) then
          fog:reset()
          forget(model, 1, 1, model.width, model.height)
        end
        if rng:chance(0.2) then
          fog, base = reload(rng, fog, source, base)
          search = nil
        end
        if not search then
          wanted = plain(model, base):path(1, 1, x2, y2)
          search = fog:search(1, 1, x2, y2)
        end
        if search:step(rng(8)) ~= "running" then
          local path = search:result()
          near(wanted and wanted.cost, path and path.cost)
          search = nil
        end
        if rng:chance(0.6) then compare(rng, fog, model, base) end
      end
      compare(rng, fog, model, base)
    end)
  end)
end)
