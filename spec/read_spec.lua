-- SPDX-License-Identifier: MIT
-- core.unpack, and the readers of examples/foreign_maps.lua.
local file_reference = require "spec.support.file_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local core, foreign = wend.core, dofile "examples/foreign_maps.lua"

local function edges(graph)
  local list = {}
  for e = 1, graph:edge_count() do
    local edge = graph:edge(e)
    list[e] = { edge.from, edge.to, edge.weight, edge.directed }
  end
  return list
end

-- Some of these need gzip itself; the module does not.
local function gzip(text, options)
  local plain, packed = helper.file(text), helper.file ""
  local pipe = io.popen and io.popen(("gzip -c %s <'%s' >'%s'; echo $?"):format(options or "", plain, packed))
  local status = pipe and pipe:read "*l"
  if pipe then pipe:close() end
  return status == "0" and helper.read(packed) or nil
end

-- The same without gzip: as it packs what cannot be made smaller. At most 65,535 bytes.
local function stored(text)
  local whole, size = file_reference.whole, #text
  return "\31\139\8\0\0\0\0\0\0\3\1" .. whole(size, 2) .. whole(65535 - size, 2) .. text
    .. whole(file_reference.crc(text), 4) .. whole(size, 4)
end

-- Asserts that bytes are refused.
local function damaged(packed)
  local data, _, code = core.unpack(packed, math.huge)
  assert.same({ "nil", "format" }, { type(data), code })
end

local TEXT = "a text of some length, a text of some length"

after_each(helper.clean)

describe("core.unpack", function()
  it("refuses a stream that is cut off or damaged", function()
    local packed = gzip(TEXT)
    if not packed then return pending "no gzip here" end
    assert.equal(TEXT, core.unpack(packed, #TEXT))
    for length = 0, #packed - 1 do damaged(packed:sub(1, length)) end
    local middle = math.floor(#packed / 2)
    damaged(packed:sub(1, middle - 1) .. string.char((packed:byte(middle) + 1) % 256) .. packed:sub(middle + 1))
  end)

  it("takes several members, and a header that has everything", function()
    local full = "\31\139\8\30" .. ("\0"):rep(6) .. "\3\0abc" .. "name\0" .. "comment\0" .. "\0\0"
      .. stored(TEXT):sub(11)
    assert.equal(TEXT, core.unpack(full, #TEXT))
    local parts = {}
    for i = 1, #TEXT, 7 do parts[#parts + 1] = stored(TEXT:sub(i, i + 6)) end
    assert.equal(TEXT, core.unpack(table.concat(parts) .. "\0\0\0", #TEXT))
    for _, rest in ipairs { "x", "\0x", "\31\139" } do damaged(stored(TEXT) .. rest) end
  end)

  it("unpacks what gzip packs, whatever it is and however well", function()
    if not gzip(TEXT) then return pending "no gzip here" end
    local rng = helper.rng "gzip"
    for _, options in ipairs { "-1", "-6", "-9" } do
      for _, size in ipairs { 0, 1, 1000, 70000 } do
        local bytes = {}
        local spread = rng:pick { 1, 3, 20, 255 }
        for i = 1, size do bytes[i] = string.char(rng(0, spread)) end
        local text = table.concat(bytes):rep(rng(2))
        local packed = gzip(text, options)
        assert.equal(text, core.unpack(packed, #text))
        if #text > 0 then
          local got, count, code = core.unpack(packed, #text - 1)
          assert.same({ "nil", #text - 1, "budget" }, { type(got), count, code })
        end
      end
    end
  end)

  it("refuses a wrong checksum or length", function()
    local packed = stored(TEXT)
    for at = #packed - 7, #packed do
      damaged(packed:sub(1, at - 1) .. string.char((packed:byte(at) + 1) % 256) .. packed:sub(at + 1))
    end
  end)

  it("takes no memory that it does not need to refuse what is too large", function()
    local packed = gzip(("\0"):rep(1000000))
    if not packed then return pending "no gzip here" end
    local bomb, before = packed:rep(70), reference.peak() -- 70 KB for 70 MB
    local data, _, code = core.unpack(bomb, 67108864)
    assert.same({ "nil", "budget" }, { type(data), code })
    assert.truthy(reference.peak() - before < 10000)
  end)

  it("checks its arguments", function()
    for _, case in ipairs {
      { "string expected, got nil" }, { "string expected, got number", 5, 5 }, { "string expected, got table", {}, 1 },
      { "number expected, got nil", "x" }, { "number expected, got string", "x", "5" },
      { "max_bytes must be a number >= 0", "x", -1 }, { "max_bytes must be a number >= 0", "x", 0 / 0 },
    } do
      local ok, message = pcall(core.unpack, case[2], case[3])
      assert.same({ false, case[1] }, { ok, message:match "%((.*)%)$" })
    end
    assert.same({ "nil", 0, "format" }, { type((core.unpack("", 5))), select(2, core.unpack("", 5)) })
  end)
end)

describe("examples/foreign_maps.lua", function()
  local function u16(value) return string.char(value % 256, math.floor(value / 256)) end

  -- Singles, lowest byte first.
  local F = { [0] = "\0\0\0\0", [-2.5] = "\0\0\32\192", [3] = "\0\0\64\64", [4] = "\0\0\128\64",
    least = "\1\0\0\0" }

  it("reads bot waypoints, packed or not", function()
    local function waypoint(x, y, z, ...)
      local links = { ... }
      for i, to in ipairs(links) do links[i] = u16(to) end
      return F[x] .. F[y] .. F[z] .. string.char(#links) .. table.concat(links)
    end
    local text = "OWPT" .. u16(3) .. waypoint(0, 0, -2.5, 2, 0) .. waypoint(3, 4, -2.5, 3) .. waypoint(3, 4, "least", 2)
    for _, bytes in ipairs { text, stored(text) } do
      local graph = assert(foreign.waypoints(helper.file(bytes)))
      assert.same({ { 3, 4, -2.5 }, { 3, 4, 2 ^ -149 } }, { { graph:position(2) }, { graph:position(3) } })
      assert.same({ { 1, 2, 5, true }, { 2, 3, 2.5, true }, { 3, 2, 2.5, true } }, edges(graph))
    end
    local newer = F[0] .. F[3] .. F[0] .. "\1\2\3\4\1" .. u16(2) .. F[4] .. F[0] .. F[0] .. "\1\2\3\4\0"
    assert.same({ { 1, 2, 5, true } }, edges(foreign.waypoints(helper.file("RWPT\1\0\0\0" .. u16(2) .. newer))))
  end)

  it("reads road networks, with positions where they are there", function()
    local file = helper.file("c a 1 2 3\np sp 3 3\na 1 2 5\na 2 1 7\n\na 2 3 0\n", ".gr")
    local graph = assert(foreign.roads(file))
    assert.same({ { 1, 2, 5, true }, { 2, 1, 7, true }, { 2, 3, 0, true } }, edges(graph))
    assert.equal(nil, (graph:position(1)))
    local beside = file:gsub("gr$", "co")
    local handle = assert(io.open(beside, "wb"))
    handle:write "c\np aux sp co 3\nv 1 0 0\nv 3 -30 -40\nv 2 0 -40\n"
    handle:close()
    helper.written(beside)
    assert.same({ -30, -40 }, { assert(foreign.roads(file)):position(3) })
  end)

  it("reads grid maps and their problems", function()
    local map = "type octile\nheight 2\nwidth 5\nmap\n.GSW@\nTO..S\n"
    local grid = assert(foreign.grid(helper.file(map), { cell = 10 }))
    assert.same({ 5, 2, 10 }, { grid:width(), grid:height(), (grid:cell_size()) })
    assert.same({ 1, "swamp" }, { grid:get(3, 1) })
    assert.is_true(grid:is_closed(5, 1) and grid:is_closed(1, 2) and grid:is_closed(2, 2))
    local problems = foreign.problems(helper.file("version 1\n0\tmaps/the arena.map\t49\t48\t1\t11\t48\t47\t6.1e+01\n"))
    assert.same({ { 2, 12, 49, 48, length = 61, map = "maps/the arena.map", width = 49, height = 48 } }, problems)
  end)

  it("answers nil and a message for a file that is not there", function()
    for _, name in ipairs { "grid", "problems", "waypoints", "roads" } do
      assert.same({ nil, "cannot read no/such: No such file or directory" }, { foreign[name] "no/such" })
    end
  end)
end)

describe("the real maps", function()
  -- Nodes and edges as counted by another program.
  local maps = {
    ["waypoints/redeclipse/abuse.wpt"] = { 729, 1953 }, ["waypoints/redeclipse/castle.wpt"] = { 1027, 4106 },
    ["waypoints/redeclipse/center.wpt"] = { 8047, 20913 }, ["waypoints/redeclipse/darkness.wpt"] = { 1560, 4468 },
    ["waypoints/redeclipse/deathtrap.wpt"] = { 2662, 8527 }, ["waypoints/redeclipse/disco.wpt"] = { 128, 310 },
    ["waypoints/redeclipse/erosion.wpt"] = { 2437, 6182 }, ["waypoints/redeclipse/mist.wpt"] = { 2070, 6431 },
    ["waypoints/redeclipse/oneiroi.wpt"] = { 5334, 15881 }, ["waypoints/redeclipse/panic.wpt"] = { 1211, 3623 },
    ["waypoints/redeclipse/processing.wpt"] = { 903, 3119 }, ["waypoints/redeclipse/singularity.wpt"] = { 157, 244 },
    ["waypoints/redeclipse/spacetech.wpt"] = { 1206, 3458 }, ["waypoints/redeclipse/vault.wpt"] = { 764, 2100 },
    ["waypoints/redeclipse/vorticity.wpt"] = { 2911, 10185 }, ["waypoints/cube2/colos.wpt"] = { 806, 2583 },
    ["waypoints/cube2/md2.wpt"] = { 636, 1825 }, ["waypoints/cube2/two_towers.wpt"] = { 1340, 2653 },
    ["waypoints/nexuiz/accident.waypoints"] = { 352, 3586 }, ["waypoints/nexuiz/desertfactory.waypoints"] = { 81, 615 },
    ["waypoints/nexuiz/skyway.waypoints"] = { 97, 1113 }, ["waypoints/nexuiz/toxic.waypoints"] = { 164, 1321 },
    ["waypoints/nexuiz/warfare.waypoints"] = { 111, 1420 },
    ["graphs/andorra.gr.gz"] = { 16565, 31759 }, ["graphs/campo-grande.gr.gz"] = { 14493, 35055 },
    ["graphs/porto.gr.gz"] = { 7708, 12084 },
  }
  for name, counts in pairs(maps) do
    it("have the nodes and edges that are known of them: " .. name, function()
      local file = helper.data(name)
      if not file then return pending "the folder of real maps is not here" end
      local read = name:find "%.wpt$" and foreign.waypoints or name:find "%.gr%.gz$" and foreign.roads or helper.nexuiz
      local graph = assert(read(file))
      assert.same(counts, { graph:node_count(), graph:edge_count() })
    end)
  end

  it("have arcs no shorter than the straight line between their ends", function()
    local file = helper.data "graphs/porto.gr.gz"
    if not file then return pending "the folder of real maps is not here" end
    local graph = assert(foreign.roads(file))
    for e = 1, graph:edge_count() do
      local edge = graph:edge(e)
      if edge.weight < edge.length or edge.weight > edge.length + 1 then
        assert.equal(edge.length, edge.weight)
      end
    end
  end)

  -- Sizes, cells that are not closed, and problems, as counted by another program.
  local grids = {
    ["bg512/AR0300SR"] = { 512, 512, 68964, 0, 0, 1280 },
    ["da2/ht_chantry"] = { 162, 141, 7461, 0, 0, 470 },
    ["dao/arena"] = { 49, 49, 2054, 0, 0, 160 },
    ["dao/brc202d"] = { 530, 481, 43151, 0, 0, 2519 },
    ["dao/lak303d"] = { 194, 194, 14784, 0, 0, 1060 },
    ["mazes/maze512-8-0"] = { 512, 512, 232931, 0, 0, 6090 },
    ["random/random512-20-0"] = { 512, 512, 209281, 0, 0, 1780 },
    ["rooms/32room_000"] = { 512, 512, 240671, 0, 0, 1900 },
    ["sc1/Aftershock"] = { 512, 512, 166076, 0, 0, 1810 },
    ["street/Berlin_0_512"] = { 512, 512, 196667, 0, 0, 1870 },
    ["street/NewYork_0_1024"] = { 1024, 1024, 792676, 0, 0, 3670 },
    ["wc3maps512/bloodvenomfalls"] = { 512, 512, 152832, 24944, 36776, 1280 },
    ["wc3maps512/icecrown"] = { 512, 512, 195526, 94175, 18960, 1280 },
  }
  for name, counts in pairs(grids) do
    it("have the cells and problems that are known of them: " .. name .. " #slow", function()
      local file = helper.data("movingai/" .. name .. ".map")
      if not file then return pending "the folder of real maps is not here" end
      local grid, problems = assert(foreign.grid(file)), assert(foreign.problems(file .. ".scen"))
      local open, swamp, water = 0, 0, 0
      for y = 1, grid:height() do
        for x = 1, grid:width() do
          local weight, tag = grid:get(x, y)
          if weight then open = open + 1 end
          if tag == "swamp" then swamp = swamp + 1 end
          if tag == "water" then water = water + 1 end
        end
      end
      assert.same(counts, { grid:width(), grid:height(), open, swamp, water, #problems })
    end)
  end
end)
