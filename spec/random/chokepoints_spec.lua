-- SPDX-License-Identifier: MIT
-- graph:chokepoints and grid:chokepoints on random maps, compared with the simplest way: remove each node, edge or cell
-- in turn, and count what is left in one piece. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"

local HUGE = math.huge

---The sizes of the pieces that places fall into, summed up without the largest, among those of the part of `start`.
---places: a list; joints: a list of { a, b, key }; without: a place or a key that is left out.
local function pieces(places, joints, without)
  local of, sizes = {}, {}
  local near = {}
  for _, place in ipairs(places) do near[place] = {} end
  for _, joint in ipairs(joints) do
    if joint[1] ~= without and joint[2] ~= without and joint[3] ~= without then
      table.insert(near[joint[1]], joint[2])
      table.insert(near[joint[2]], joint[1])
    end
  end
  for _, place in ipairs(places) do
    if not of[place] and place ~= without then
      local queue, at = { place }, 1
      of[place] = place
      while queue[at] do
        for _, to in ipairs(near[queue[at]]) do
          if not of[to] then
            of[to] = place
            queue[#queue + 1] = to
          end
        end
        at = at + 1
      end
      sizes[place] = #queue
    end
  end
  return of, sizes
end

---How much the loss of a place, or of a joint's key, cuts off: everything in its part but the largest piece.
local function cuts(places, joints, whole, without, member)
  local of, sizes = pieces(places, joints, without)
  local sum, most = 0, 0
  local seen = {}
  for _, place in ipairs(places) do
    if place ~= without and whole[place] == whole[member] and not seen[of[place]] then
      seen[of[place]] = true
      sum = sum + sizes[of[place]]
      most = math.max(most, sizes[of[place]])
    end
  end
  return sum - most
end

local function sorted(list)
  table.sort(list)
  return list
end

describe("graph:chokepoints", function()
  it("finds what removing each node and edge finds, on random graphs", function()
    helper.rounds("chokepoints of graphs", 150, function(rng)
      local g, model = helper.random_graph(rng, { nodes = rng(1, 18), edges = rng(0, 26) })
      local closed = rng:chance(0.5) and rng:pick { "road", "swamp", "rope" } or nil
      local one_way = rng:chance(0.3)
      local options = { cost = function(_, cost, tag, from, to)
        if closed and tag == closed then return false end
        if one_way and (from + to) % 3 == 0 and from > to then return false end
        return cost
      end }
      if not one_way and rng:chance(0.5) then
        options = closed and { costs = require("wend").costs { [closed] = false } } or nil
      end
      local places, joints = {}, {}
      for _, node in ipairs(model.nodes) do
        if not model.closed[node] then places[#places + 1] = node end
      end
      for _, edge in ipairs(model.edges) do
        local lost = edge.closed or model.closed[edge.from] or model.closed[edge.to] or edge.from == edge.to
          or closed and edge.tag == closed
        if options and one_way and not lost and edge.directed and (edge.from + edge.to) % 3 == 0 then
          lost = edge.from > edge.to
        end
        if not lost then joints[#joints + 1] = { edge.from, edge.to, "edge " .. edge.id } end
      end
      local whole = pieces(places, joints)
      local expected = {}
      for _, node in ipairs(places) do
        local cut = cuts(places, joints, whole, node, node)
        if cut > 0 then expected[#expected + 1] = ("node %d: %d"):format(node, cut) end
      end
      for _, joint in ipairs(joints) do
        local cut = cuts(places, joints, whole, joint[3], joint[1])
        if cut > 0 then expected[#expected + 1] = ("%s: %d"):format(joint[3], cut) end
      end
      local found, before = {}, HUGE
      for i, one in ipairs(g:chokepoints(options)) do
        found[i] = one.node and ("node %d: %d"):format(one.node, one.cuts) or ("edge %d: %d"):format(one.edge, one.cuts)
        assert.truthy(one.cuts <= before)
        before = one.cuts
      end
      assert.same(sorted(expected), sorted(found))
    end)
  end)
end)

describe("grid:chokepoints", function()
  it("finds what removing each cell and link finds, on random grids", function()
    helper.rounds("chokepoints of grids", 150, function(rng)
      local model = grid_reference.random(rng, { width = rng(1, 7), height = rng(1, 6),
        closed = rng:pick { 0.1, 0.3, 0.5 }, walls = rng:pick { 0, 0.3 }, links = rng:pick { 0, 1, 3 } })
      local opts, view = grid_reference.random_costs(rng, { plain = true })
      local arcs = model:arcs(view)
      local places, joints, there = {}, {}, {}
      grid_reference.cells(model, function(_, _, cell)
        local times = 1
        if model.tag[cell] and view.tag then times = view.tag(model.tag[cell]) end
        if model.weight[cell] and times < HUGE then
          places[#places + 1] = cell
          there[cell] = true
        end
      end)
      local by_link = {}
      for from, links in ipairs(model.links) do
        for to in pairs(links) do by_link[from .. " " .. to] = true end
      end
      for _, from in ipairs(places) do
        local x1, y1 = model:at(from)
        for k = 1, #arcs[from], 2 do
          local to = arcs[from][k]
          if there[to] and to ~= from then
            local x2, y2 = model:at(to)
            local beside = math.abs(x1 - x2) <= 1 and math.abs(y1 - y2) <= 1
            local steps = beside and model:step(view, x1, y1, x2, y2) < HUGE
            -- a step and a link between the same two cells are two arcs: which of them this is makes no difference
            if steps then joints[#joints + 1] = { from, to, "step" } end
            if by_link[from .. " " .. to] then
              local tag, times = model.links[from][to].tag, 1
              if tag and view.tag then times = view.tag(tag) end
              if times < HUGE then
                joints[#joints + 1] = { from, to, ("link %d %d"):format(math.min(from, to), math.max(from, to)) }
              end
            end
          end
        end
      end
      local whole, expected, tried = pieces(places, joints), {}, {}
      for _, cell in ipairs(places) do
        local cut = cuts(places, joints, whole, cell, cell)
        if cut > 0 then expected[#expected + 1] = ("cell %d: %d"):format(cell, cut) end
      end
      for _, joint in ipairs(joints) do
        if joint[3] ~= "step" and not tried[joint[3]] then
          tried[joint[3]] = true
          local cut = cuts(places, joints, whole, joint[3], joint[1])
          if cut > 0 then expected[#expected + 1] = ("%s: %d"):format(joint[3], cut) end
        end
      end
      local found = {}
      for i, one in ipairs(model.grid:chokepoints(opts)) do
        local cell = model:cell(one.x, one.y)
        if one.to_x then
          local to = model:cell(one.to_x, one.to_y)
          found[i] = ("link %d %d: %d"):format(math.min(cell, to), math.max(cell, to), one.cuts)
        else
          found[i] = ("cell %d: %d"):format(cell, one.cuts)
        end
      end
      assert.same(sorted(expected), sorted(found))
    end)
  end)
end)
