-- SPDX-License-Identifier: MIT
-- Thousands of held paths: the time of asking each, path:valid(), and of watch:affected(), after one edit. `elsewhere`:
-- the edit is where no path is. `busy`: it is where many paths are; these are listed.

local common = require "common"
local graphs = require "graphs"
local wend = require "wend"

local PATHS = 10000

local function over_cells()
  local grid = wend.grid(250, 250)
  local function find() return grid:path(math.random(250), math.random(249), math.random(250), math.random(249)) end
  return grid, find, function(i) grid:set(1, 250, i % 7 + 2) end, function(i) grid:set(120, 130, i % 7 + 2) end
end

local function along_edges()
  local g, side = wend.graph(), 100
  for y = 1, side do
    for x = 1, side do g:add_node(x, y) end
  end
  local list = {}
  for y = 1, side do
    for x = 1, side do
      local n = (y - 1) * side + x
      if x < side then list[#list + 1], list[#list + 2] = n, n + 1 end
      if y < side then list[#list + 1], list[#list + 2] = n, n + side end
    end
  end
  g:add_edges(list)
  local far = g:add_edge(g:add_node(1, -5), g:add_node(2, -5))
  local busy = g:edge_between(side * side / 2 + side / 2, side * side / 2 + side / 2 + 1)
  local function find() return g:path(math.random(side * side), math.random(side * side)) end
  return g, find, function(i) g:set_weight(far, i % 7 + 2) end, function(i) g:set_weight(busy, i % 7 + 2) end
end

local function many(times, edit, ask)
  return function(repeats)
    for i = 1, repeats * times do
      edit(i)
      ask()
    end
  end
end

return {
  name = "watch",
  title = "us for all of " .. PATHS .. " held paths (asking each: path:valid)",
  run = function()
    local rows = {}
    for _, case in ipairs { { "cells", over_cells }, { "edges", along_edges } } do
      math.randomseed(graphs.query_seed)
      local map, find, elsewhere, busy = case[2]()
      local held, watch, asked, steps = {}, wend.watch(map), { into = {} }, 0
      local before = collectgarbage "count"
      while #held < PATHS do
        held[#held + 1] = find()
        steps = steps + #held[#held]
      end
      collectgarbage()
      local paths = (collectgarbage "count" - before) * 1024
      local added = common.time_once { { "add", function()
        watch = wend.watch(map)
        for i = 1, #held do watch:add(held[i]) end
      end } }
      local function ask_each()
        for i = 1, #held do held[i]:valid() end
      end
      -- All calls before have been made, so that the time is that of the calls after the last edit.
      local function least(edit)
        local best = math.huge
        for i = 1, 3 + common.rounds do
          ask_each()
          edit(i)
          local started = os.clock()
          ask_each()
          if i > 3 then best = math.min(best, os.clock() - started) end -- the first calls make the sieves
        end
        return best
      end
      local function nothing() end
      local unchanged, each, listed = least(nothing), least(elsewhere), {}
      local seconds = common.race {
        { "affected", many(100, elsewhere, function() watch:affected(asked) end) },
        { "edit", many(100, elsewhere, nothing) },
        { "busy", many(100, busy, function() listed = watch:affected(asked) end) },
        { "busy_edit", many(100, busy, nothing) },
      }
      local affected = (seconds.affected - seconds.edit) / 100
      rows[#rows + 1] = { case[1], common.round(steps / PATHS / (case[1] == "cells" and 2 or 1)),
        common.round(unchanged * 1e6), common.round(each * 1e6), common.round(affected * 1e6),
        ("%.3f %%"):format(100 * affected / unchanged), ("%.3f %%"):format(100 * affected / each),
        ("%d in %s"):format(#listed, common.round((seconds.busy - seconds.busy_edit) * 1e4)),
        common.round(added.add / PATHS * 1e6), ("%.1f of %.1f"):format(watch:bytes() / 2 ^ 20, paths / 2 ^ 20) }
    end
    common.print_table({ "paths over", "steps of a path", "valid of each, no edit", "after an edit elsewhere",
      "affected", "of the first", "of the second", "affected, busy", "add, each path", "MiB, and of the paths" }, rows)
  end,
}
