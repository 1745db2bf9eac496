-- SPDX-License-Identifier: MIT
-- The option corners on random grids: what it lists, with the cells between, is the path without it. A failure prints
-- WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local any, near, with = grid_reference.any, reference.near, grid_reference.with

local function sign(number) return number > 0 and 1 or number < 0 and -1 or 0 end

--- The cells of a path of corners. A link is a step between two of them.
local function filled(model, path)
  local cells = { path[1], path[2] }
  for i = 3, #path, 2 do
    local x, y, x2, y2 = path[i - 2], path[i - 1], path[i], path[i + 1]
    local dx, dy = x2 - x, y2 - y
    if not model.links[model:cell(x, y)][model:cell(x2, y2)] then
      assert.truthy(dx == 0 or dy == 0 or math.abs(dx) == math.abs(dy), "a leg in no direction of steps")
      while x + sign(dx) ~= x2 or y + sign(dy) ~= y2 do
        x, y = x + sign(dx), y + sign(dy)
        cells[#cells + 1], cells[#cells + 2] = x, y
      end
    end
    cells[#cells + 1], cells[#cells + 2] = x2, y2
  end
  return cells
end

--- Whether no corner is needless: the path turns there, or a link begins or ends, or leads past it.
local function turns(model, path)
  for i = 3, #path - 2, 2 do
    local function direction(at)
      local from, to = model:cell(path[at - 2], path[at - 1]), model:cell(path[at], path[at + 1])
      if model.links[from][to] then return "link" .. at end
      return sign(path[at] - path[at - 2]) .. " " .. sign(path[at + 1] - path[at - 1])
    end
    local linked = next(model.links[model:cell(path[i - 2], path[i - 1])]) ~= nil
    if direction(i) == direction(i + 2) and not linked then return false end
  end
  return true
end

--- Compares a path with its corners. Returns whether there is a path.
local function compare(model, full, path, how)
  if not full then
    assert.equal(nil, path, how)
    return false
  end
  assert.equal(table.concat(full, " "), table.concat(filled(model, path), " "), how)
  assert.equal(full.cost, path.cost, how)
  assert.equal(full.partial, path.partial, how)
  assert.equal(full.goal, path.goal, how)
  assert.truthy(turns(model, path), how)
  return true
end

describe("corners on random grids", function()
  it("are the path without the cells between, in every query", function()
    local corners, cells = 0, 0
    helper.rounds("corners", 150, function(rng)
      local plain = rng:chance(0.4) and { weights = { 1 }, tagged = 0, walls = 0, links = 0 } or nil
      local model = grid_reference.random(rng, plain)
      local grid, opts = model.grid, grid_reference.random_costs(rng)
      for _ = 1, 4 do
        local x1, y1 = any(rng, model)
        local list, trips = {}, {}
        for i = 1, rng:pick { 1, 1, 2, 5 } do list[2 * i - 1], list[2 * i] = any(rng, model) end
        local more = with(opts, rng:pick {
          {}, {}, { algorithm = "dijkstra" }, { heuristic = "octile" }, { closed_goal = true },
          { max_cost = rng() * 30 }, { partial = true }, { partial = true, max_expanded = rng(20) },
          { variation = 0.5, seed = rng(99) },
        })
        local function ask(find, extra)
          local both = with(more, extra)
          if #list == 2 then return find(x1, y1, list[1], list[2], both) end
          return find(x1, y1, list, both)
        end
        local function whole(...) return (grid:path(...)) end
        local function sliced(...) return (grid_reference.sliced(grid, rng(1, 9), ...)) end
        local full, path = ask(whole), ask(whole, { corners = true })
        if compare(model, full, path, "path") then
          corners, cells = corners + #path, cells + #full
          assert.equal(true, path:valid())
          assert.same(grid:explain(full, opts), grid:explain(path, opts))
          assert.same(full:explain(), path:explain())
          local decoded = wend.decode(path:encode(), with(opts, { map = grid }))
          assert.same({ table.concat(path, " "), path.cost, true },
            { table.concat(decoded, " "), decoded.cost, decoded:valid() })
          assert.same(path:explain(), decoded:explain())
          local into = { 1, 2, 3, cost = 9 }
          assert.equal(into, ask(whole, { corners = true, into = into }))
          assert.same({ table.concat(path, " "), path.cost }, { table.concat(into, " "), into.cost })
        end
        compare(model, ask(sliced), ask(sliced, { corners = true }), "slices")
        local q = wend.queue()
        local function queued(...) return q:path(grid, ...) end
        local a, b = ask(queued), ask(queued, { corners = true })
        q:run(math.huge)
        compare(model, a.result, b.result, "queue")
        for i = 1, #list, 2 do
          for _, number in ipairs { x1, y1, list[i], list[i + 1] } do trips[#trips + 1] = number end
        end
        local batch = with(more, { partial = rng:chance(0.5) and more.partial or nil })
        local all, found = grid:paths(trips, batch), grid:paths(trips, with(batch, { corners = true }))
        for i = 1, #all do -- a field may answer one of the two, and of equally cheap paths take another one
          if batch.variation or batch.partial then
            compare(model, all[i] or nil, found[i] or nil, "paths")
          elseif all[i] then
            near(all[i].cost, found[i].cost, "paths")
            local steps = grid:explain(filled(model, found[i]), with(opts, { closed_goal = more.closed_goal }))
            near(all[i].cost, steps.cost)
          else
            assert.equal(false, found[i])
          end
        end
      end
      local x, y = any(rng, model)
      local field = grid:field(x, y, opts)
      for _ = 1, 3 do
        local x1, y1 = any(rng, model)
        compare(model, (field:path(x1, y1)), (field:path(x1, y1, { corners = true })), "field:path")
      end
    end)
    assert.truthy(not helper.all_rounds() or corners < cells)
  end)
end)
