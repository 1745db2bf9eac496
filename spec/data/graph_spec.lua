-- SPDX-License-Identifier: MIT
-- Paths on real maps against a plain Dijkstra. The maps are not part of the project: where the folder is not there
-- (WEND_DATA, or beside the project), these specs are pending.
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local foreign = dofile "examples/foreign_maps.lua"

local PAIRS = 40
local STARTS = 10 -- PAIRS / STARTS goals for each

-- Nodes and arcs, as the READMEs beside the maps have them.
local MAPS = {
  { foreign.waypoints, "waypoints/redeclipse/abuse.wpt", 729, 1953 },
  { foreign.waypoints, "waypoints/redeclipse/castle.wpt", 1027, 4106 },
  { foreign.waypoints, "waypoints/redeclipse/center.wpt", 8047, 20913 },
  { foreign.waypoints, "waypoints/redeclipse/darkness.wpt", 1560, 4468 },
  { foreign.waypoints, "waypoints/redeclipse/deathtrap.wpt", 2662, 8527 },
  { foreign.waypoints, "waypoints/redeclipse/disco.wpt", 128, 310 },
  { foreign.waypoints, "waypoints/redeclipse/erosion.wpt", 2437, 6182 },
  { foreign.waypoints, "waypoints/redeclipse/mist.wpt", 2070, 6431 },
  { foreign.waypoints, "waypoints/redeclipse/oneiroi.wpt", 5334, 15881 },
  { foreign.waypoints, "waypoints/redeclipse/panic.wpt", 1211, 3623 },
  { foreign.waypoints, "waypoints/redeclipse/processing.wpt", 903, 3119 },
  { foreign.waypoints, "waypoints/redeclipse/singularity.wpt", 157, 244 },
  { foreign.waypoints, "waypoints/redeclipse/spacetech.wpt", 1206, 3458 },
  { foreign.waypoints, "waypoints/redeclipse/vault.wpt", 764, 2100 },
  { foreign.waypoints, "waypoints/redeclipse/vorticity.wpt", 2911, 10185 },
  { foreign.waypoints, "waypoints/cube2/colos.wpt", 806, 2583 },
  { foreign.waypoints, "waypoints/cube2/md2.wpt", 636, 1825 },
  { foreign.waypoints, "waypoints/cube2/two_towers.wpt", 1340, 2653 },
  { helper.nexuiz, "waypoints/nexuiz/accident.waypoints", 352, 3586 },
  { helper.nexuiz, "waypoints/nexuiz/desertfactory.waypoints", 81, 615 },
  { helper.nexuiz, "waypoints/nexuiz/skyway.waypoints", 97, 1113 },
  { helper.nexuiz, "waypoints/nexuiz/toxic.waypoints", 164, 1321 },
  { helper.nexuiz, "waypoints/nexuiz/warfare.waypoints", 111, 1420 },
  { foreign.roads, "graphs/andorra.gr.gz", 16565, 31759 },
  { foreign.roads, "graphs/campo-grande.gr.gz", 14493, 35055 },
  { foreign.roads, "graphs/porto.gr.gz", 7708, 12084 },
}

local function sliced(g, from, to)
  local search = g:search(from, to)
  while search:step(97) == "running" do end
  return search:result()
end

describe("the real map", function()
  for _, map in ipairs(MAPS) do
    local read, name, nodes, arcs = map[1], map[2], map[3], map[4]

    it(name .. " has the cheapest paths #slow", function()
      local file = helper.data(name)
      if not file then return pending "the folder of real maps is not here" end
      local g = assert(read(file))
      assert.same({ nodes, arcs }, { g:node_count(), g:edge_count() })
      local rng, leaving, found = helper.rng(name), reference.arcs(g), 0
      for _ = 1, STARTS do
        local from = rng(nodes)
        local distance = reference.distances(leaving, from)
        for _ = 1, PAIRS / STARTS do
          local to = rng(nodes)
          for how, path in pairs {
            astar = g:path(from, to) or false,
            dijkstra = g:path(from, to, { algorithm = "dijkstra" }) or false,
            sliced = sliced(g, from, to) or false,
          } do
            local trip = ("%s from %d to %d"):format(how, from, to)
            if distance[to] then
              found = found + 1
              assert.truthy(path, trip)
              reference.near(distance[to], path.cost, trip)
              reference.walk(g, path, from, to)
            else
              assert.equal(false, path, trip)
            end
          end
        end
      end
      assert.truthy(found > 0)
    end)
  end

  it("of Campo Grande has the cheapest paths for one who pays at every second crossing #slow", function()
    local file = helper.data "graphs/campo-grande.gr.gz"
    if not file then return pending "the folder of real maps is not here" end
    local g = assert(foreign.roads(file))
    for e = 2, g:edge_count(), 2 do g:set_tag(e, "toll") end
    local costs = wend.costs { toll = { times = 0.5, plus = 2000 } }
    local leaving = {}
    for n in g:nodes() do
      leaving[n] = {}
      for _, to, weight, tag in g:edges(n) do
        table.insert(leaving[n], to)
        table.insert(leaving[n], tag and weight * 0.5 + 2000 or weight)
      end
    end
    local rng = helper.rng "toll"
    for _ = 1, 5 do
      local from = rng(g:node_count())
      local distance = reference.distances(leaving, from)
      for _ = 1, 4 do
        local to = rng(g:node_count())
        for _, algorithm in ipairs { "astar", "dijkstra" } do
          local path = g:path(from, to, { costs = costs, algorithm = algorithm })
          assert.equal(distance[to], path and path.cost)
        end
      end
    end
  end)
end)
