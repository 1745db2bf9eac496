-- SPDX-License-Identifier: MIT
-- The published lengths of paths over real maps. The maps are not part of the project: where the folder is not there
-- (WEND_DATA, or beside the project), these specs are pending.
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local foreign = dofile "examples/foreign_maps.lua"

-- Name, width, height, problems, how the lengths were printed: "six" digits, or so many places after the point; and
-- how many problems lead from tree to tree, which nobody can walk.
local MAPS = {
  { "dao/arena", 49, 49, 160, "six", 0 },
  { "dao/brc202d", 530, 481, 2519, "six", 0 },
  { "dao/lak303d", 194, 194, 1060, "six", 0 },
  { "da2/ht_chantry", 162, 141, 470, "six", 0 },
  { "sc1/Aftershock", 512, 512, 1810, "six", 0 },
  { "mazes/maze512-8-0", 512, 512, 6090, "six", 0 },
  { "random/random512-20-0", 512, 512, 1780, "six", 0 },
  { "rooms/32room_000", 512, 512, 1900, "six", 0 },
  { "bg512/AR0300SR", 512, 512, 1280, 2, 0 },
  { "wc3maps512/bloodvenomfalls", 512, 512, 1280, 2, 4 },
  { "wc3maps512/icecrown", 512, 512, 1280, 2, 1 },
  { "street/Berlin_0_512", 512, 512, 1870, 8, 0 },
  { "street/NewYork_0_1024", 1024, 1024, 3670, 8, 0 },
}
-- The slow searches take all problems, or one of four where not all rounds are run.
local SPARSE = helper.all_rounds() and 1 or 4
local ABSENT = "the folder of real maps is not here"

-- Who walks keeps to the ground, who swims to the water.
local WALKER = wend.costs { water = false }
local SWIMMER = wend.costs { ground = false, swamp = false }

-- How far a length may be from the one that was printed.
local function tolerance(length, printed)
  local half = printed == 2 and 0.005 or 1e-6
  if printed == "six" then half = 0.5 * 10 ^ (#("%d"):format(math.floor(length)) - 6) end
  return half + 1e-7 * length
end

-- Calls fn(problem, opts, wanted, within) for every problem, or for every so many-th.
local function each(problems, grid, printed, every, fn)
  local skipped, asked = 0, 0
  for i, problem in ipairs(problems) do
    local weight, tag = grid:get(problem[1], problem[2])
    if not weight then
      skipped = skipped + 1
    elseif i % every == 0 then
      asked = asked + 1
      fn(problem, { costs = tag == "water" and SWIMMER or WALKER }, tolerance(problem.length, printed))
    end
  end
  return skipped, asked
end

local function check(problem, within, cost, how)
  if not (cost and math.abs(cost - problem.length) <= within) then
    assert.equal(problem.length, cost, ("%s, from (%d,%d) to (%d,%d)"):format(how, problem[1], problem[2], problem[3],
      problem[4]))
  end
end

for _, map in ipairs(MAPS) do
  local name, width, height, count, printed, from_trees = map[1], map[2], map[3], map[4], map[5], map[6]
  local slow = count * width * height > 1e6 and " #slow" or ""

  describe("the map " .. name, function()
    local grid, problems

    -- Reads the map once, when the first of these specs is run; false: it is not here.
    local function here()
      local file = helper.data("movingai/" .. name .. ".map")
      if file and not grid then
        grid, problems = assert(foreign.grid(file)), assert(foreign.problems(file .. ".scen"))
      end
      return file
    end

    it("is read, and its problems", function()
      if not here() then return pending(ABSENT) end
      assert.same({ width, height, count }, { grid:width(), grid:height(), #problems })
      for _, problem in ipairs(problems) do
        assert.same({ width, height }, { problem.width, problem.height })
        assert.truthy(problem[1] >= 1 and problem[1] <= width and problem[2] >= 1 and problem[2] <= height)
        assert.truthy(problem[3] >= 1 and problem[3] <= width and problem[4] >= 1 and problem[4] <= height)
      end
    end)

    it("has the published lengths by the search that is the default, which jumps" .. slow, function()
      if not here() then return pending(ABSENT) end
      local skipped, asked = each(problems, grid, printed, 1, function(problem, opts, within)
        local path = grid:path(problem[1], problem[2], problem[3], problem[4], opts)
        check(problem, within, path and path.cost, "default")
      end)
      assert.same({ from_trees, count - from_trees }, { skipped, asked })
    end)

    it("has the published lengths by the search that is the default, of a sample", function()
      if not here() then return pending(ABSENT) end
      local skipped, asked = each(problems, grid, printed, 20, function(problem, opts, within)
        local path = grid:path(problem[1], problem[2], problem[3], problem[4], opts)
        check(problem, within, path and path.cost, "default")
      end)
      assert.equal(from_trees, skipped)
      assert.truthy(asked >= math.floor(count / 20) - from_trees)
    end)

    it("has the published lengths by A*, cell by cell" .. slow, function()
      if not here() then return pending(ABSENT) end
      each(problems, grid, printed, SPARSE, function(problem, opts, within)
        opts.heuristic = "octile"
        local path = grid:path(problem[1], problem[2], problem[3], problem[4], opts)
        check(problem, within, path and path.cost, "A*")
      end)
    end)

    it("has the published lengths by Dijkstra's algorithm, of a sample" .. slow, function()
      if not here() then return pending(ABSENT) end
      local _, asked = each(problems, grid, printed, 20 * SPARSE, function(problem, opts, within)
        opts.algorithm = "dijkstra"
        local path = grid:path(problem[1], problem[2], problem[3], problem[4], opts)
        check(problem, within, path and path.cost, "Dijkstra")
      end)
      assert.truthy(asked >= math.floor(count / 20 / SPARSE) - from_trees)
    end)

    it("has the published lengths by fields, of a sample" .. slow, function()
      if not here() then return pending(ABSENT) end
      local field
      each(problems, grid, printed, 20 * SPARSE, function(problem, opts, within)
        opts.into = field
        field = grid:field(problem[3], problem[4], opts)
        opts.into = field
        check(problem, within, field:cost(problem[1], problem[2]), "field")
        local path = field:path(problem[1], problem[2])
        reference.near(field:cost(problem[1], problem[2]), path.cost)
        opts.outward = true
        grid:field(problem[1], problem[2], opts)
        check(problem, within, field:cost(problem[3], problem[4]), "field, outward")
      end)
    end)

    it("has straightened paths that are clear and not longer" .. slow, function()
      if not here() then return pending(ABSENT) end
      each(problems, grid, printed, 20, function(problem, opts)
        local path = grid:path(problem[1], problem[2], problem[3], problem[4], opts)
        local straight, total = grid:straighten(path, opts), 0
        assert.truthy(straight.cost <= path.cost * (1 + 1e-12))
        for i = 3, #straight, 2 do
          local x1, y1, x2, y2 = straight[i - 2], straight[i - 1], straight[i], straight[i + 1]
          assert.equal(true, grid:clear(x1, y1, x2, y2, opts))
          total = total + math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
        end
        reference.near(total, straight.cost)
      end)
    end)
  end)
end
