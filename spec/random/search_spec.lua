-- SPDX-License-Identifier: MIT
-- Searches in slices keep what they know in a table at first; whole searches keep it in arrays over the whole map. Both
-- give the same paths and statistics, however the search is sliced. The maps are large enough for tables.
-- luacheck: std max+busted

local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local function numbers(stats) return ("%d %d %.17g"):format(stats.expanded, stats.pushed, stats.bound) end

-- The answer as text: cells or nodes, cost and statistics, or the failure.
local function text_of(stats, path, message, code)
  -- What a failed search has learned spares the next one its expansions.
  if not path then return message .. " " .. code end
  return ("%s %.17g %s %s"):format(table.concat(path, " "), path.cost, path.partial and "partial" or "", numbers(stats))
end

-- opts without its table of statistics; from and to: one or two values each.
local function compare(map, rng, ends, opts)
  local function with_stats()
    local copy = { stats = {} }
    for name, value in pairs(opts) do copy[name] = value end
    return copy, copy.stats
  end
  local options, whole_stats = with_stats()
  local arguments = { unpack(ends) }
  arguments[#ends + 1] = options
  local whole = text_of(whole_stats, map:path(unpack(arguments)))
  local searches = {}
  for i, slice in ipairs { 1, rng(2, 99), rng(100, 2000) } do
    local sliced, stats = with_stats()
    arguments[#ends + 1] = sliced
    searches[i] = { search = map:search(unpack(arguments)), stats = stats, slice = slice }
  end
  local running = #searches
  while running > 0 do -- in turn, so that they disturb each other if they can
    for _, each in ipairs(searches) do
      if not each.over then
        each.over = each.search:step(each.slice) ~= "running"
        if each.over then running = running - 1 end
      end
    end
  end
  for _, each in ipairs(searches) do assert.equal(whole, text_of(each.stats, each.search:result())) end
end

local function random_options(rng)
  return {
    algorithm = rng:chance(0.2) and "dijkstra" or nil,
    partial = rng:chance(0.2) or nil,
    max_expanded = rng:chance(0.2) and rng(1, 3000) or nil,
  }
end

local RULES = {
  function() return nil end,
  function() return wend.costs { mud = 3, water = false } end,
  function()
    return wend.costs({ mud = 0.5 }):edge_rule("deep", function(_, cost, tag)
      return tag == "mud" and cost * 2 or nil
    end)
  end,
}

local function random_grid(rng)
  local width, height = rng(55, 150), rng(55, 150)
  local grid = wend.grid(width, height, { diagonals = rng:pick { "both_open", "one_open", "always", "never" },
    diagonal_length = rng:pick(grid_reference.LENGTHS) })
  local sort, share = rng:pick { "uniform", "uniform", "weights", "tags", "walls" }, rng:pick { 0, 0.1, 0.3 }
  grid:map(function()
    if rng:chance(share) then return false end
    if sort == "weights" then return rng(1, 5) + rng(0, 3) / 4 end
    if sort == "tags" and rng:chance(0.4) then return { weight = rng(1, 3), tag = rng:pick { "mud", "water" } } end
  end)
  if sort == "walls" then
    for _ = 1, 200 do
      local x, y = rng(width - 1), rng(height - 1)
      grid:wall(x, y, x + 1, y)
      grid:wall(x, y, x, y + 1)
    end
    for _ = 1, 20 do grid:link(rng(width), rng(height), rng(width), rng(height), { weight = rng(0, 30) }) end
  end
  return grid
end

describe("a search in slices", function()
  it("gives the path and the statistics of a whole search on grids", function()
    helper.rounds("sliced on grids", 40, function(rng)
      local grid = random_grid(rng)
      local width, height = grid:width(), grid:height()
      for _ = 1, 3 do
        local opts = random_options(rng)
        opts.costs = rng:pick(RULES)()
        if rng:chance(0.3) then
          opts.variation, opts.seed, opts.partial = rng() / 2, rng(1000), nil
        elseif rng:chance(0.2) then
          opts.max_cost = rng(1, 200)
        elseif rng:chance(0.1) and not opts.algorithm then
          opts.heuristic = function(x, y, gx, gy) return math.abs(x - gx) > math.abs(y - gy) and 0.5 or 0 end
        end
        local ends = { rng(width), rng(height), rng(width), rng(height) }
        if rng:chance(0.2) then ends = { ends[1], ends[2], { ends[3], ends[4], rng(width), rng(height) } } end
        compare(grid, rng, ends, opts)
      end
    end)
  end)

  it("gives the path and the statistics of a whole search on graphs", function()
    helper.rounds("sliced on graphs", 12, function(rng)
      local count = rng(1800, 5000)
      local graph = reference.geometric(rng, count, { tags = { "mud", "water" } })
      for _ = 1, 3 do
        local opts = random_options(rng)
        opts.costs = rng:pick(RULES)()
        if rng:chance(0.3) then opts.variation, opts.seed, opts.partial = rng() / 2, rng(1000), nil end
        compare(graph, rng, { rng(count), rng:chance(0.3) and { rng(count), rng(count) } or rng(count) }, opts)
      end
    end)
  end)

  it("shares what it computes of a grid with searches for other agents", function()
    helper.rounds("many agents", 4, function(rng)
      local grid = wend.grid(90, 90)
      grid:map(function() return not rng:chance(0.2) and { weight = 1, tag = rng:pick { "mud", "water" } } or false end)
      grid:set(1, 1, 1):set(90, 90, 1)
      local searches = {}
      for i = 1, 70 do -- more than the views that are kept for whole searches
        local weight = 1 + i % 45 / 8
        local opts = { costs = wend.costs { mud = weight, water = i % 2 == 0 and weight or 2 } }
        searches[i] = { opts = opts, search = grid:search(1, 1, 90, 90, opts) }
      end
      for _ = 1, rng(1, 30) do
        for _, each in ipairs(searches) do each.search:step(rng(1, 40)) end
        grid:path(1, 1, 90, 90, { costs = wend.costs { mud = rng(1, 9) } })
      end
      for i = #searches, 1, -1 do
        if rng:chance(0.3) then table.remove(searches, i) end
      end
      collectgarbage()
      for _, each in ipairs(searches) do
        while each.search:step(1000) == "running" do end
        local whole, path = grid:path(1, 1, 90, 90, each.opts), each.search:result()
        assert.equal(whole and table.concat(whole, " "), path and table.concat(path, " "))
      end
    end)
  end)
end)
