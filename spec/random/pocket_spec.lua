-- SPDX-License-Identifier: MIT
-- Goals in pockets, against searches that look for none: those with max_expanded. A failure prints WEND_SEED and
-- WEND_ROUND.
local helper = require "spec.support.helper"
local wend = require "wend"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local MANY = 2 ^ 50 -- expansions, that is, no limit

-- A grid with a room around a cell, whose border is closed in several ways, and often has a leak.
local function random_world(rng)
  local width, height = rng(258, 300), rng(258, 300) -- smaller ones have labels before
  local grid = wend.grid(width, height, rng:chance(0.2) and { shape = "hex", flat = rng:chance(0.5) }
    or { diagonals = rng:pick { "both_open", "one_open", "always", "never" } })
  local function any() return rng(width), rng(height) end
  for _ = 1, rng:pick { 0, 0, 200 } do
    local x, y = any()
    grid:fill(x, y, math.min(width, x + rng(20)), math.min(height, y + rng(20)), rng(3))
  end
  for _ = 1, rng:pick { 0, 1000, 6000 } do grid:close(any()) end
  if rng:chance(0.7) then -- long ways, or searches would be over before they look for pockets
    for column = 20, width - 8, rng(20, 50) do
      grid:fill(column, 1, column, height, false)
      grid:set(column, column % 2 == 0 and rng(1, 3) or height - rng(0, 2), { weight = 1 })
    end
  end
  local x, y, half = rng(1, width), rng(1, height), rng:pick { 0, 0, 1, 1, 3, 6 }
  local border = rng:pick { "closed", "tag", "tag", "walls", "one_way", "way_out" }
  local function outside(cell_x, cell_y) return math.max(math.abs(cell_x - x), math.abs(cell_y - y)) == half + 1 end
  for cell_y = math.max(1, y - half - 1), math.min(height, y + half + 1) do
    for cell_x = math.max(1, x - half - 1), math.min(width, x + half + 1) do
      if outside(cell_x, cell_y) then
        if border == "closed" then grid:close(cell_x, cell_y)
        elseif border == "tag" then grid:set(cell_x, cell_y, { tag = "door" }) end
      end
    end
  end
  if border ~= "closed" and border ~= "tag" then
    for cell_y = math.max(1, y - half), math.min(height, y + half) do
      for cell_x = math.max(1, x - half), math.min(width, x + half) do
        for dy = -1, 1 do
          for dx = -1, 1 do
            local to_x, to_y = cell_x + dx, cell_y + dy
            if grid:has(to_x, to_y) and outside(to_x, to_y) then -- hexes have no step in some directions
              local x1, y1, x2, y2 = to_x, to_y, cell_x, cell_y
              if border == "one_way" then x1, y1, x2, y2 = x2, y2, x1, y1 end
              pcall(grid.wall, grid, x1, y1, x2, y2, true, { directed = border ~= "walls" })
            end
          end
        end
      end
    end
  end
  local function inside()
    return math.min(width, math.max(1, x + rng(-half, half))), math.min(height, math.max(1, y + rng(-half, half)))
  end
  for _ = 1, rng:pick { 0, 1 } do -- a leak, in a border of cells or of walls
    local to_x, to_y, cell_x, cell_y
    if rng:chance(0.5) then cell_x, cell_y = x + rng:pick { -half - 1, half + 1 }, y + rng(-half - 1, half + 1)
    else cell_x, cell_y = x + rng(-half - 1, half + 1), y + rng:pick { -half - 1, half + 1 } end
    if grid:has(cell_x, cell_y) then
      grid:set(cell_x, cell_y, { weight = 1 })
      to_x = math.max(x - half, math.min(x + half, cell_x))
      to_y = math.max(y - half, math.min(y + half, cell_y))
      if grid:has(to_x, to_y) then pcall(grid.wall, grid, cell_x, cell_y, to_x, to_y, false) end
    end
  end
  for _ = 1, rng:pick { 0, 0, 1, 2 } do
    local x1, y1 = any()
    local x2, y2 = inside()
    if rng:chance(0.3) then x1, y1, x2, y2 = x2, y2, x1, y1 end
    if x1 ~= x2 or y1 ~= y2 then
      grid:link(x1, y1, x2, y2, { directed = rng:chance(0.7), tag = rng:chance(0.3) and "door" or nil, weight = 3 })
    end
  end
  if rng:chance(0.2) then grid:close(x, y) end
  local function near() return x + rng(-half - 1, half + 1), y + rng(-half - 1, half + 1) end
  return grid, any, inside, near
end

-- Options of an agent. Functions answer the same for the same step.
local function random_options(rng, grid, any)
  local opts = {}
  if rng:chance(0.7) then opts.costs = wend.costs { door = rng:chance(0.7) and false or 2 } end
  if grid:shape() == "square" and rng:chance(0.2) then opts.size = rng(2, 3) end
  if rng:chance(0.3) then
    local a = rng(1, 3)
    opts.cost = function(tag, cost, _, x1, y1)
      if tag == "door" and x1 * y1 % a == 0 then return 4 end
      return cost
    end
    if rng:chance(0.5) then opts.at_least = 1 end
  end
  if rng:chance(0.2) then opts.closed_goal = true end
  if rng:chance(0.15) then opts.within = rng(1, 3)
  elseif rng:chance(0.1) then opts.beside = true end
  if rng:chance(0.1) then opts.per_turn = rng(3, 9)
  elseif rng:chance(0.1) then opts.variation, opts.seed = 0.2, rng(9) end
  if rng:chance(0.1) then
    local layer = wend.influence(grid)
    local x, y = any()
    layer:set(x, y, 2)
    opts.influence = { [layer] = 1 }
  end
  return opts
end

local function answer(path, message, code)
  return path and ("cost %.9f"):format(path.cost) or ("%s: %s"):format(code, message)
end

-- A mesh of nodes with a room in it, whose border is closed in several ways, and often has a leak.
local function random_mesh(rng)
  local border = rng:pick { "none", "closed", "tag", "node_tag", "one_way" }
  local side, half = rng(70, 80), rng:pick { 0, 1, 2 }
  local g, at_x, at_y = wend.graph(), rng(70), rng(70)
  for y = 1, side do
    for x = 1, side do g:add_node(x, y) end
  end
  local function id(x, y) return (y - 1) * side + x end
  local function is_inside(x, y) return math.max(math.abs(x - at_x), math.abs(y - at_y)) <= half end
  local function join(a, b, a_inside, b_inside)
    if a_inside == b_inside then
      return g:add_edge(a, b, { directed = rng:chance(0.1), width = rng:chance(0.05) and 1 or nil })
    end
    if border == "none" then return end
    if border == "node_tag" then g:set_node_tag(a_inside and b or a, "door") end
    if border == "one_way" and b_inside then a, b = b, a end
    local edge = g:add_edge(a, b, { directed = border == "one_way", tag = border == "tag" and "door" or nil })
    if border == "closed" then g:close_edge(edge) end
  end
  for y = 1, side do
    for x = 1, side do
      if x < side then join(id(x, y), id(x + 1, y), is_inside(x, y), is_inside(x + 1, y)) end
      if y < side then join(id(x, y), id(x, y + 1), is_inside(x, y), is_inside(x, y + 1)) end
    end
  end
  local function any() return rng(side * side) end
  local function inside()
    local x, y = at_x + rng(-half, half), at_y + rng(-half, half)
    return id(math.min(side, math.max(1, x)), math.min(side, math.max(1, y)))
  end
  for _ = 1, rng:pick { 0, 300 } do g:close(any()) end
  for _ = 1, rng:pick { 0, 0, 1 } do
    local a, b = any(), inside()
    if a ~= b then g:add_edge(a, b, { directed = true, tag = rng:chance(0.3) and "door" or nil, weight = 200 }) end
  end
  return g, any, inside
end

-- Asks for a path with pockets and without them. Returns the answer, and how many places each search has expanded.
local function compare(rng, opts, map, ...)
  local ends, sliced = { ... }, rng:chance(0.3)
  ends[#ends + 1] = opts
  local function ask(limit)
    local stats = {}
    opts.max_expanded, opts.stats = limit, stats
    if not sliced or limit then return answer(map:path(unpack(ends))), stats.expanded end
    local q = wend.queue()
    local request = q:path(map, unpack(ends))
    while q:pending() > 0 do assert.is_true(q:step(20) <= 20) end
    return answer(request.result, request.message, request.code), stats.expanded
  end
  local quick, expanded = ask(nil)
  local plain, plain_expanded = ask(MANY)
  assert.equal(plain, quick)
  return plain, plain_expanded, expanded
end

describe("a goal in a pocket", function()
  it("is found out when a plain search finds no path", function()
    local early, late = 0, 0
    helper.rounds("pockets", 60, function(rng)
      local grid, any, inside, near = random_world(rng)
      local opts = random_options(rng, grid, any)
      local x1, y1 = any()
      if rng:chance(0.2) then x1, y1 = near() end
      if not grid:has(x1, y1) then x1, y1 = inside() end
      if rng:chance(0.2) then grid:close(x1, y1) end
      local goals = { inside() }
      for _ = 2, rng:pick { 1, 1, 1, 3 } do goals[#goals + 1], goals[#goals + 2] = inside() end
      if #goals > 2 and rng:chance(0.2) then goals[1], goals[2] = any() end
      local plain, plain_expanded, expanded = compare(rng, opts, grid, x1, y1, goals)
      if plain:find "^no_path" and plain_expanded > 0 then
        if expanded == 0 then early = early + 1
        elseif expanded < plain_expanded then late = late + 1 end
      end
    end)
    if helper.all_rounds() then assert.is_true(early + late > 3, early .. " " .. late) end
  end)

  it("is found out on graphs, too", function()
    local fewer = 0
    helper.rounds("pockets of graphs", 30, function(rng)
      local g, any, inside = random_mesh(rng)
      local opts = { costs = wend.costs { door = rng:chance(0.8) and false or 2 } }
      if rng:chance(0.3) then opts.heuristic = "zero" end
      if rng:chance(0.2) then opts.size = 2 end
      if rng:chance(0.2) then
        local function doors(_, cost, _, from) return from % 3 == 0 and 4 or cost end
        opts.costs:edge_rule("doors", doors, { tags = { "door" } })
      end
      if rng:chance(0.2) then opts.closed_goal = true end
      if rng:chance(0.2) then opts.beside = true end
      local goals = { inside() }
      for _ = 2, rng(3) do goals[#goals + 1] = inside() end
      local start = rng:chance(0.1) and inside() or any()
      if rng:chance(0.2) then g:close(start) end
      local plain, plain_expanded, expanded = compare(rng, opts, g, start, goals)
      if plain:find "^no_path" and expanded > 0 and expanded < plain_expanded then fewer = fewer + 1 end
    end)
    if helper.all_rounds() then assert.is_true(fewer > 3, fewer) end
  end)
end)
