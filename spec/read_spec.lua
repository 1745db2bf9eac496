-- SPDX-License-Identifier: MIT
local file_reference = require "spec.support.file_reference"
local damage = require "spec.support.damage"
local helper = require "spec.support.helper"
local readers = require "wend.command.readers"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local core = wend.core

local unpack = table.unpack or unpack -- luacheck: ignore 143

-- Singles, lowest byte first.
local F = {
  [0] = "\0\0\0\0", [1] = "\0\0\128\63", [-2.5] = "\0\0\32\192", [100] = "\0\0\200\66", [3] = "\0\0\64\64",
  [4] = "\0\0\128\64", tenth = "\205\204\204\61", least = "\1\0\0\0", nan = "\0\0\192\127", infinite = "\0\0\128\255",
}

local function u16(value) return string.char(value % 256, math.floor(value / 256)) end

local function waypoint(x, y, z, ...)
  local links = { ... }
  for i, to in ipairs(links) do links[i] = u16(to) end
  return F[x] .. F[y] .. F[z] .. string.char(#links) .. table.concat(links)
end

-- Three waypoints: 1 to 2 (5 long), 2 to 3 and back (0 long).
local OWPT = "OWPT" .. u16(3) .. waypoint(0, 0, -2.5, 2) .. waypoint(3, 4, -2.5, 3) .. waypoint(3, 4, -2.5, 2)

local function edges(graph)
  local list = {}
  for e = 1, graph:edge_count() do
    local edge = graph:edge(e)
    list[e] = { edge.from, edge.to, edge.weight, edge.directed }
  end
  return list
end

-- Some of these need gzip itself; the module does not.
local function gzip(text, suffix, options)
  local plain = helper.file(text)
  local packed = helper.file("", suffix)
  local pipe = io.popen and io.popen(("gzip -c %s <'%s' >'%s'; echo $?"):format(options or "", plain,
    (packed:gsub("'", "'\\''"))))
  local status = pipe and pipe:read "*l"
  if pipe then pipe:close() end
  if status ~= "0" then return nil end
  return packed
end

-- Asserts that fn(...) answers nil, a message with these words and this code.
local function fails_like(words, code, fn, ...)
  local result, message, got_code = fn(...)
  assert.same({ "nil", code }, { type(result), got_code })
  assert.truthy(message:find(words, 1, true), message)
end

-- The same without gzip: as it packs what cannot be made smaller. At most 65,535 bytes.
local function stored(text)
  local whole, size = file_reference.whole, #text
  return "\31\139\8\0\0\0\0\0\0\3\1" .. whole(size, 2) .. whole(65535 - size, 2) .. text
    .. whole(file_reference.crc(text), 4) .. whole(size, 4)
end

after_each(helper.clean)

describe("the reader of bot waypoints", function()
  it("makes waypoints the nodes of a 3D graph, under their own numbers", function()
    local graph = assert(readers.wpt(helper.file(OWPT)))
    assert.equal(3, graph:node_count())
    assert.same({ 0, 0, -2.5 }, { graph:position(1) })
    assert.same({ 3, 4, -2.5 }, { graph:position(2) })
  end)

  it("makes links directed edges that cost their length, and keeps those of length zero", function()
    local graph = assert(readers.wpt(helper.file(OWPT)))
    assert.same({ { 1, 2, 5, true }, { 2, 3, 0, true }, { 3, 2, 0, true } }, edges(graph))
  end)

  it("reads every single exactly, whatever its size", function()
    local graph = assert(readers.wpt(helper.file("OWPT" .. u16(2)
      .. waypoint("tenth", "least", 100) .. waypoint(-2.5, 1, 0))))
    assert.same({ 0.100000001490116119384765625, 2 ^ -149, 100 }, { graph:position(1) })
    assert.same({ -2.5, 1, 0 }, { graph:position(2) })
  end)

  it("reads the newer files, which start with RWPT, too", function()
    local function newer(x, y, z, to)
      return F[x] .. F[y] .. F[z] .. "\1\2\3\4" .. (to and "\1" .. u16(to) or "\0")
    end
    local graph = assert(readers.wpt(helper.file("RWPT\1\0\0\0" .. u16(2) .. newer(0, 3, 0, 2) .. newer(4, 0, 0))))
    assert.same({ { 1, 2, 5, true } }, edges(graph))
    assert.same({ 4, 0, 0 }, { graph:position(2) })
  end)

  it("passes over links to waypoint 0, the games' word for none", function()
    local graph = assert(readers.wpt(helper.file("OWPT" .. u16(1) .. waypoint(1, 1, 1, 0, 0))))
    assert.equal(0, graph:edge_count())
  end)

  it("keeps links that are given twice, and those from a waypoint to itself", function()
    local text = "OWPT" .. u16(2) .. waypoint(1, 1, 1, 2, 2, 1) .. waypoint(1, 1, 1)
    local graph = assert(readers.wpt(helper.file(text)))
    assert.same({ { 1, 2, 0, true }, { 1, 2, 0, true }, { 1, 1, 0, true } }, edges(graph))
  end)

  it("reads a file without waypoints as an empty graph", function()
    local graph = assert(readers.wpt(helper.file("OWPT" .. u16(0))))
    assert.equal(0, graph:node_count())
  end)

  it("answers nil, a message and 'io' for a file that is not there", function()
    local file = os.tmpname()
    os.remove(file)
    helper.fails(("cannot read %s: No such file or directory"):format(file), "io", readers.wpt, file)
  end)

  it("answers 'io' for what can be opened but not read", function()
    local result, _, code = readers.wpt "."
    assert.same({ "nil", "io" }, { type(result), code })
  end)

  it("answers 'io' for a name with a zero byte, which would name another file", function()
    helper.fails("cannot read a file with a zero byte in its name", "io", readers.wpt, helper.file(OWPT) .. "\0x")
  end)

  local function read(text) return readers.wpt(helper.file(text)) end

  it("answers 'format' and where for a file cut off at any byte", function()
    damage.cut(OWPT, function(text)
      local result, message, code = read(text)
      assert.truthy(message:find "at byte %d+", message)
      return result, message, code
    end)
  end)

  it("never raises, whatever byte is damaged", function() damage.bytes("read_wpt", 300, OWPT, read) end)

  for what, case in pairs {
    ["another kind of file"] = { "PNG\0\0\0", "expected OWPT or RWPT at byte 0, got \"PNG\\0\"" },
    ["an unknown version"] = { "RWPT\2\0\0\0\0\0", "expected version 1 at byte 4, got 2" },
    ["too few waypoints"] = { "OWPT" .. u16(2) .. waypoint(0, 0, 0),
      "expected 13 bytes of waypoint 2 of 2 at byte 19, got 0" },
    ["too few links"] = { "OWPT" .. u16(1) .. waypoint(0, 0, 0, 1, 1):sub(1, -2),
      "expected 4 bytes of links of waypoint 1 at byte 19, got 3" },
    ["a link to nowhere"] = { "OWPT" .. u16(1) .. waypoint(0, 0, 0, 1, 2),
      "expected a waypoint in 0..1 at byte 21, got 2" },
    ["more links than there can be"] = { "OWPT" .. u16(1) .. waypoint(0, 0, 0, 1, 1, 1, 1, 1, 1, 1),
      "expected 0 to 6 links at byte 18, got 7" },
    ["a position that is no number"] = { "OWPT" .. u16(1) .. waypoint(0, "nan", 0),
      "expected a finite number at byte 10" },
    ["an infinite position"] = { "OWPT" .. u16(1) .. waypoint(0, 0, "infinite"),
      "expected a finite number at byte 14" },
    ["bytes after the end"] = { OWPT .. "\0\0", ("expected the end at byte %d, got 2 bytes more"):format(#OWPT) },
  } do
    it("answers 'format' and where: " .. what, function()
      local file = helper.file(case[1])
      local result, message, code = readers.wpt(file)
      -- Lua 5.1 writes a zero as \000
      assert.same({ "nil", file .. ": " .. case[2], "format" }, { type(result), (message:gsub("\\000", "\\0")), code })
    end)
  end

end)

describe("a gzipped file", function()
  it("is known by its first bytes, not by its name", function()
    local file = gzip(OWPT)
    if not file then return pending "no gzip here" end
    assert.equal(3, assert(readers.wpt(file)):node_count())
  end)

  it("may have a name that a shell would make something else of", function()
    local file = gzip(OWPT, " it's $(exit 1) `x` \"q\" & ; -n.wpt")
    if not file then return pending "no gzip here" end
    assert.equal(3, assert(readers.wpt(file)):edge_count())
  end)

  it("gives no half map when it is cut off or damaged", function()
    local file = gzip(OWPT)
    if not file then return pending "no gzip here" end
    local packed = helper.read(file)
    for length = 2, #packed - 1 do
      local cut = helper.file(packed:sub(1, length))
      local result, message, code = readers.wpt(cut)
      assert.same({ "nil", "format" }, { type(result), code })
      assert.truthy(message:find(cut .. ": damaged gzip stream", 1, true), message)
    end
    local middle = math.floor(#packed / 2)
    local wrong = string.char((packed:byte(middle) + 1) % 256)
    local result, _, code = readers.wpt(helper.file(packed:sub(1, middle - 1) .. wrong .. packed:sub(middle + 1)))
    assert.same({ "nil", "format" }, { type(result), code })
  end)

  it("is unpacked without another program", function()
    local popen, execute = io.popen, os.execute
    io.popen, os.execute = nil, nil -- luacheck: ignore 122
    local ok, graph = pcall(readers.wpt, helper.file(stored(OWPT)))
    io.popen, os.execute = popen, execute -- luacheck: ignore 122
    assert.equal(3, ok and graph:node_count())
  end)

  it("may have any name: none reaches a shell", function()
    local gone = os.tmpname()
    for _, suffix in ipairs { "'; rm -f " .. gone:gsub("^.*/", "") .. "; '.wpt", "`touch x`.wpt", "$(exit 1).wpt",
      "\nx.wpt", "\" | false \".wpt", "%PATH%.wpt", "\\.wpt", " -- .wpt", "*?.wpt", "\255\1.wpt" } do
      assert.equal(3, assert(readers.wpt(helper.file(stored(OWPT), suffix))):edge_count())
    end
    for _, name in ipairs { "-n wend.wpt", "--help wend.wpt" } do
      local handle = assert(io.open(name, "wb"))
      handle:write(stored(OWPT))
      handle:close()
      helper.written(name)
      assert.equal(3, assert(readers.wpt(name)):edge_count())
    end
    assert.truthy(os.remove(gone))
  end)

  it("may be made of several members, with a header that has everything", function()
    local full = "\31\139\8\30" .. ("\0"):rep(6) .. "\3\0abc" .. "name\0" .. "comment\0" .. "\0\0"
      .. stored(OWPT):sub(11)
    assert.equal(3, assert(readers.wpt(helper.file(full))):node_count())
    local parts = {}
    for i = 1, #OWPT, 7 do parts[#parts + 1] = stored(OWPT:sub(i, i + 6)) end
    assert.equal(3, assert(readers.wpt(helper.file(table.concat(parts) .. "\0\0\0"))):edge_count())
    for _, rest in ipairs { "x", "\0x", "\31\139" } do
      fails_like("damaged gzip stream", "format", readers.wpt, helper.file(stored(OWPT) .. rest))
    end
  end)

  it("unpacks what gzip packs, whatever it is and however well", function()
    if not gzip "x" then return pending "no gzip here" end
    local rng = helper.rng "gzip"
    for _, options in ipairs { "-1", "-6", "-9" } do
      for _, size in ipairs { 0, 1, 1000, 70000 } do
        local bytes = {}
        local spread = rng:pick { 1, 3, 20, 255 }
        for i = 1, size do bytes[i] = string.char(rng(0, spread)) end
        local text = table.concat(bytes):rep(rng(2))
        local packed = helper.read(gzip(text, nil, options))
        assert.equal(text, core.unpack(packed, #text))
        if #text > 0 then
          local got, count, code = core.unpack(packed, #text - 1)
          assert.same({ "nil", #text - 1, "budget" }, { type(got), count, code })
        end
      end
    end
  end)

  it("is refused when a checksum or a length is wrong", function()
    local packed = stored(OWPT)
    for at = #packed - 7, #packed do
      local other = packed:sub(1, at - 1) .. string.char((packed:byte(at) + 1) % 256) .. packed:sub(at + 1)
      fails_like("damaged gzip stream", "format", readers.wpt, helper.file(other))
    end
  end)

  describe("that holds very much", function()
    -- Many members of zeros. A program packs them 1000 times as well, which needs no more of us.
    local function many(members, size) return stored(("\0"):rep(size)):rep(members) end

    it("is refused above 64 MiB, or above max_bytes", function()
      local file = helper.file(many(1, 1001))
      fails_like("expected OWPT", "format", readers.wpt, helper.file(many(10, 65000)))
      helper.fails(file .. ": expected up to 1000 bytes when unpacked, got more (max_bytes allows more)", "format",
        readers.wpt, file, 1000)
      fails_like("expected up to 10 bytes when unpacked", "format", readers.gr, helper.file(many(1, 11)), 10)
      for _, reader in ipairs { "read_map", "read_scen" } do
        file = helper.file(many(1, 11))
        fails_like("expected up to 10 bytes when unpacked", "format", wend[reader], file, { max_bytes = 10 })
      end
      assert.equal(3, assert(readers.wpt(helper.file(stored(OWPT)), #OWPT)):node_count())
      assert.equal(3, assert(readers.wpt(helper.file(stored(OWPT)), math.huge)):node_count())
    end)

    it("takes no memory that it does not need to be refused", function()
      local packed = gzip(("\0"):rep(1000000))
      if not packed then return pending "no gzip here" end
      local bomb = helper.read(packed):rep(70) -- 70 KB for 70 MB
      local before = reference.peak()
      fails_like("expected up to 67108864 bytes when unpacked", "format", readers.wpt, helper.file(bomb))
      assert.truthy(reference.peak() - before < 10000)
    end)
  end)

  it("has a limit that is a number", function()
    for _, reader in ipairs { "read_map", "read_scen" } do
      for got, wrong in pairs { ["0"] = 0, ["-1"] = -1, ["'5'"] = "5", nan = 0 / 0, ["a table"] = {},
        ["false"] = false } do
        helper.raises("max_bytes must be a number >= 1, got " .. got, wend[reader], "none", { max_bytes = wrong })
      end
    end
    helper.raises("unknown option 'x' (expected one of: max_bytes)", wend.read_scen, "no such file", { x = 1 })
    helper.raises("options must be a table, got 5", wend.read_scen, "no such file", 5)
  end)

  it("is unpacked by a function that checks its arguments", function()
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

describe("the reader of road networks", function()
  local GR = "c a comment\np sp 3 4\na 1 2 5\na 2 1 7\na 2 3 0\n\na 2 3 9\n"
  local CO = "c\np aux sp co 3\nv 1 0 0\nv 3 -30 -40\nv 2 0 -40\n"

  -- The .gr and the .co beside it.
  local function write(gr, co)
    local name = helper.file(gr, ".gr")
    if co then
      local beside = name:gsub("%.gr$", ".co")
      local handle = assert(io.open(beside, "wb"))
      handle:write(co)
      handle:close()
      helper.written(beside)
      return name, beside
    end
    return name
  end

  it("makes arcs directed edges with the given weights, and keeps parallel ones", function()
    local graph = assert(readers.gr((write(GR, CO))))
    assert.same({ { 1, 2, 5, true }, { 2, 1, 7, true }, { 2, 3, 0, true }, { 2, 3, 9, true } }, edges(graph))
  end)

  it("takes the positions from the .co beside it, in any order", function()
    local graph = assert(readers.gr((write(GR, CO))))
    assert.same({ 0, -40 }, { graph:position(2) })
    assert.same({ -30, -40 }, { graph:position(3) })
  end)

  it("makes a graph without positions where there is no .co", function()
    local graph = assert(readers.gr(write(GR)))
    assert.equal(3, graph:node_count())
    assert.equal(4, graph:edge_count())
    assert.equal(nil, (graph:position(1)))
  end)

  it("reads lines that end as on Windows", function()
    local graph = assert(readers.gr((write((GR:gsub("\n", "\r\n")), (CO:gsub("\n", "\r\n"))))))
    assert.equal(4, graph:edge_count())
  end)

  it("reads packed files, in any mixture", function()
    local packed, packed_co = gzip(GR, ".gr.gz"), gzip(CO)
    if not packed then return pending "no gzip here" end
    for suffix, text in pairs { [".co.gz"] = helper.read(packed_co), [".co"] = CO } do
      local beside = packed:gsub("%.gr%.gz$", "") .. suffix
      local handle = assert(io.open(beside, "wb"))
      handle:write(text)
      handle:close()
      assert.same({ -30, -40 }, { assert(readers.gr(packed)):position(3) })
      os.remove(beside)
    end
    assert.equal(nil, (assert(readers.gr(packed)):position(3)))
  end)

  it("answers 'io' for a file that is not there", function()
    helper.fails("cannot read no/such.gr: No such file or directory", "io", readers.gr, "no/such.gr")
  end)

  for what, case in pairs {
    ["no header"] = { "c\n", ": expected a line 'p sp NODES ARCS'" },
    ["an arc before the header"] = { "a 1 2 3\np sp 2 1\n", ": line 1: expected the line with p before those with a" },
    ["another kind of header"] = { "p max 3 4\n", ": line 1: expected 'p sp NODES ARCS', got 'p max 3 4'" },
    ["two headers"] = { "p sp 1 0\np sp 1 0\n", ": line 2: expected one line with p" },
    ["a weight below zero"] = { "p sp 2 1\na 1 2 -3\n",
      ": line 2: expected 'a FROM TO WEIGHT', none below 0, got 'a 1 2 -3'" },
    ["a vertex that is not there"] = { "p sp 2 1\n\na 1 3 3\n", ": line 3: expected a vertex in 1..2, got 3" },
    ["vertex 0"] = { "p sp 2 1\na 0 1 3\n", ": line 2: expected a vertex in 1..2, got 0" },
    ["an unknown line"] = { "p sp 2 1\nq 1 1 3\n", ": line 2: expected c, p or a, got 'q'" },
    ["too few arcs"] = { "p sp 2 2\na 1 2 3\n", ": expected 2 arcs, got 1" },
    ["too many arcs"] = { "p sp 2 0\na 1 2 3\n", ": expected 0 arcs, got 1" },
    ["a count that no memory holds"] = { "p sp 4000000000 0\n",
      ": expected up to 1000000 vertices for 0 arcs, got 4000000000" },
    ["a number with too many digits"] = { "p sp 10000000000000000000 0\n",
      ": line 1: expected 'p sp NODES ARCS', got 'p sp 10000000000000000000 0'" },
  } do
    it("answers 'format' and where: " .. what, function()
      local file = write(case[1])
      helper.fails(file .. case[2], "format", readers.gr, file)
    end)
  end

  for what, case in pairs {
    ["no header"] = { "c\n", ": expected a line 'p aux sp co 3'" },
    ["another number of vertices"] = { "p aux sp co 4\n",
      ": line 1: expected 'p aux sp co 3', got 'p aux sp co 4'" },
    ["a position before the header"] = { "v 1 1 1\n", ": line 1: expected the line with p before those with v" },
    ["a vertex without a position"] = { "p aux sp co 3\nv 1 1 1\nv 3 1 1\n",
      ": expected 3 positions, got 2: vertex 2 has none" },
    ["a vertex with two"] = { "p aux sp co 3\nv 1 1 1\nv 1 1 1\n",
      ": line 3: expected one position for vertex 1, got a second" },
    ["a vertex that is not there"] = { "p aux sp co 3\nv 4 1 1\n", ": line 2: expected a vertex in 1..3, got 4" },
    ["what is no number"] = { "p aux sp co 3\nv 1 nan 1\n", ": line 2: expected 'v NODE X Y', got 'v 1 nan 1'" },
    ["an unknown line"] = { "p aux sp co 3\na 1 2 3\n", ": line 2: expected c, p or v, got 'a'" },
  } do
    it("answers 'format' and where in the .co: " .. what, function()
      local file, beside = write(GR, case[1])
      helper.fails(beside .. case[2], "format", readers.gr, file)
    end)
  end
end)

describe("wend.read_map", function()
  local MAP = "type octile\nheight 3\nwidth 5\nmap\n.GSW@\nTO..S\nWW.GG\n"

  -- What the cells are, row by row: tags, and # for what is closed.
  local function cells(grid)
    local rows = {}
    for y = 1, grid:height() do
      local row = {}
      for x = 1, grid:width() do
        local weight, tag = grid:get(x, y)
        row[x] = weight and weight .. tag or "#"
      end
      rows[y] = table.concat(row, " "):gsub("%.0", "")
    end
    return rows
  end

  it("makes letters tags: ground, swamp and water; trees and what is out of bounds are closed", function()
    local grid = assert(wend.read_map(helper.file(MAP)))
    assert.same({ "1ground 1ground 1swamp 1water #", "# # 1ground 1ground 1swamp",
      "1water 1water 1ground 1ground 1ground" }, cells(grid))
  end)

  it("makes a grid that is searched as any other", function()
    local grid = assert(wend.read_map(helper.file(MAP)))
    local costs = wend.costs { water = false, swamp = 3 }
    assert.same({ 1, 1, 2, 1, 3, 1, 3, 2, 3, 3 }, { unpack(assert(grid:path(1, 1, 3, 3, { costs = costs }))) })
    assert.equal(6, grid:path(1, 1, 3, 3, { costs = costs }).cost)
    assert.same({ "nil", "no_path" }, { type(grid:path(1, 1, 1, 3, { costs = costs })),
      (select(3, grid:path(1, 1, 1, 3, { costs = costs }))) })
  end)

  it("hands its options to the grid", function()
    local file = helper.file(MAP)
    local grid = assert(wend.read_map(file, { diagonals = "never", diagonal_length = 1.5, cell = 10,
      origin = { 100, 200 } }))
    assert.equal(1.5, grid:diagonal_length())
    assert.same({ 2, 3 }, { grid:cell_at(115, 225) })
    assert.equal(2, grid:path(3, 1, 4, 2, { costs = wend.costs { water = false } }).cost)
  end)

  it("reads lines that end as on Windows, and a last one that does not end", function()
    local expected = cells(assert(wend.read_map(helper.file(MAP))))
    local windows = MAP:gsub("\n", "\r\n")
    for _, text in ipairs { windows, MAP:sub(1, -2), windows:sub(1, -3), MAP .. "\n \r\n",
      (MAP:gsub("type octile", "type\toctile "):gsub("height 3", "height  3")) } do
      assert.same(expected, cells(assert(wend.read_map(helper.file(text)))))
    end
  end)

  it("reads packed files", function()
    local file = gzip(MAP)
    if not file then return pending "no gzip here" end
    assert.equal(5, assert(wend.read_map(file)):width())
  end)

  it("answers 'io' for a file that is not there", function()
    helper.fails("cannot read no/such.map: No such file or directory", "io", wend.read_map, "no/such.map")
  end)

  local function rows(...) return "type octile\nheight 2\nwidth 3\nmap\n" .. table.concat({ ... }, "\n") end
  for what, case in pairs {
    ["an empty file"] = { "", ": line 1: expected 'type octile', got the end" },
    ["another kind of file"] = { "\137PNG\r\n\26\n", ": line 1: expected 'type octile', got '\137PNG'" },
    ["another kind of map"] = { "type tile\nheight 1\n", ": line 1: expected 'type octile', got 'type tile'" },
    ["a line without an end"] = { ("type octile "):rep(100),
      ": line 1: expected 'type octile', got '" .. ("type octile "):rep(4):sub(1, 40) .. "...'" },
    ["no height"] = { "type octile\nwidth 3\n", ": line 2: expected 'height N' with N >= 1, got 'width 3'" },
    ["no width"] = { "type octile\nheight 3\n", ": line 3: expected 'width N' with N >= 1, got the end" },
    ["no word that the map begins"] = { "type octile\nheight 1\nwidth 1\n.\n",
      ": line 4: expected 'map', got '.'" },
    ["more behind that word"] = { "type octile\nheight 1\nwidth 1\nmap" .. (" "):rep(60) .. "#\n.\n",
      ": line 4: expected 'map', got 'map" .. (" "):rep(37) .. "...'" },
    ["height 0"] = { "type octile\nheight 0\nwidth 3\nmap\n",
      ": line 2: expected 'height N' with N >= 1, got 'height 0'" },
    ["width 0"] = { "type octile\nheight 1\nwidth 0\nmap\n\n",
      ": line 3: expected 'width N' with N >= 1, got 'width 0'" },
    ["a width below 0"] = { "type octile\nheight 1\nwidth -3\nmap\n\n",
      ": line 3: expected 'width N' with N >= 1, got 'width -3'" },
    ["a width that is no whole number"] = { "type octile\nheight 1\nwidth 3.5\nmap\n...\n",
      ": line 3: expected 'width N' with N >= 1, got 'width 3.5'" },
    ["a width with too many digits"] = { "type octile\nheight 1\nwidth 10000000000000000\nmap\n...\n",
      ": line 3: expected 'width N' with N >= 1, got 'width 10000000000000000'" },
    ["a size that no grid has"] = { "type octile\nheight 4294967296\nwidth 4294967296\nmap\n...\n",
      ": expected up to 2147483647 cells, got 4294967296 x 4294967296" },
    ["a size that the file does not hold"] = { "type octile\nheight 40000\nwidth 50000\nmap\n...\n",
      ": row 1: expected 50000 characters, got 3" },
    ["no rows"] = { rows(""), ": expected 2 rows, got 0" },
    ["too few rows"] = { rows("...", ""), ": expected 2 rows, got 1" },
    ["a short row"] = { rows("...", ".."), ": row 2: expected 3 characters, got 2" },
    ["a long row"] = { rows("....", "..."), ": row 1: expected 3 characters, got 4" },
    ["an empty row"] = { rows("...", "", "..."), ": row 2: expected 3 characters, got 0" },
    ["too many rows"] = { rows("...", "...", ".@."), ": expected the end after row 2, got '.@.'" },
    ["a letter that none is"] = { rows("...", ".x."),
      ": row 2, column 2: expected one of . G S W T O @, got 'x'" },
    ["a letter of text maps"] = { rows("..#", "..."), ": row 1, column 3: expected one of . G S W T O @, got '#'" },
    ["a small letter"] = { rows("g..", "..."), ": row 1, column 1: expected one of . G S W T O @, got 'g'" },
    ["a blank"] = { rows("...", ".. "), ": row 2, column 3: expected one of . G S W T O @, got byte 32" },
    ["a zero byte"] = { rows("...", "..\0"), ": row 2, column 3: expected one of . G S W T O @, got byte 0" },
    ["a byte of no character"] = { rows(".\255.", "..#"),
      ": row 1, column 2: expected one of . G S W T O @, got byte 255" },
  } do
    it("answers 'format' and where: " .. what, function()
      local file = helper.file(case[1])
      helper.fails(file .. case[2], "format", wend.read_map, file)
    end)
  end

  local function read(text) return wend.read_map(helper.file(text)) end

  it("answers 'format' for a file cut off at any byte, save at its last line end", function()
    damage.cut(MAP, read, #MAP - 2)
  end)

  it("never raises, whatever byte is damaged", function() damage.bytes("read_map", 300, MAP, read) end)

  it("raises when it is not given a file's name", function()
    helper.raises("file must be a file's name, got nil", function() wend.read_map() end)
    helper.raises("file must be a file's name, got a table", function() wend.read_map {} end)
  end)

  it("raises for options that no grid takes, before it looks for the file", function()
    helper.raises("unknown option 'diagonal' (expected one of: diagonals, diagonal_length, cell, origin, projection, "
      .. "max_bytes)", function() wend.read_map("no/such.map", { diagonal = "never" }) end)
    local _, of_grid = pcall(wend.grid, 1, 1, { diagonals = "some" })
    helper.raises(of_grid, function() wend.read_map("no/such.map", { diagonals = "some" }) end)
  end)

  it("blames the caller's line", function()
    for _, opts in ipairs { { nonsense = 1 }, { cell = -1 } } do
      local _, message = pcall(function() wend.read_map("no/such.map", opts) end)
      assert.truthy(message:find("read_spec.lua:", 1, true), message)
    end
  end)
end)

describe("wend.read_scen", function()
  local SCEN = "version 1\n0\tmaps/dao/arena.map\t49\t48\t1\t11\t48\t47\t62.1543\n"
    .. "1\tmaps/dao/arena.map\t49\t48\t0\t0\t0\t0\t0\n"

  it("makes a list of problems, their cells counted from 1", function()
    assert.same({
      { 2, 12, 49, 48, length = 62.1543, map = "maps/dao/arena.map", width = 49, height = 48 },
      { 1, 1, 1, 1, length = 0, map = "maps/dao/arena.map", width = 49, height = 48 },
    }, (assert(wend.read_scen(helper.file(SCEN)))))
  end)

  it("reads fields parted by blanks, lines that end as on Windows, and empty lines", function()
    local expected = assert(wend.read_scen(helper.file(SCEN)))
    for _, text in ipairs { (SCEN:gsub("\t", "  ")), (SCEN:gsub("\n", "\r\n")), (SCEN:gsub("\n", "\n\n")),
      SCEN:sub(1, -2), (SCEN:gsub("version 1", "version 1.0")) } do
      assert.same(expected, (assert(wend.read_scen(helper.file(text)))))
    end
  end)

  it("reads names with blanks where tabs part the fields", function()
    local problems = assert(wend.read_scen(helper.file((SCEN:gsub("arena", "the great  arena")))))
    assert.equal("maps/dao/the great  arena.map", problems[1].map)
  end)

  it("reads lengths with an exponent", function()
    assert.equal(1250000, assert(wend.read_scen(helper.file((SCEN:gsub("62.1543", "1.25e+06")))))[1].length)
  end)

  it("reads a file without problems as an empty list", function()
    assert.same({}, (assert(wend.read_scen(helper.file "version 1\n"))))
  end)

  it("reads packed files", function()
    local file = gzip(SCEN)
    if not file then return pending "no gzip here" end
    assert.equal(2, #assert(wend.read_scen(file)))
  end)

  it("answers 'io' for a file that is not there", function()
    helper.fails("cannot read no/such.scen: No such file or directory", "io", wend.read_scen, "no/such.scen")
  end)

  local FIELDS = ": line 2: expected 'BUCKET MAP WIDTH HEIGHT X Y X Y LENGTH', got "
  for what, case in pairs {
    ["an empty file"] = { "", ": line 1: expected 'version 1', got the end" },
    ["no version"] = { "0 a.map 9 9 0 0 1 1 1.41\n", ": line 1: expected 'version 1', got '0 a.map 9 9 0 0 1 1 1.41'" },
    ["another version"] = { "version 2\n", ": line 1: expected 'version 1', got 'version 2'" },
    ["too few fields"] = { "version 1\n0 a.map 9 9 0 0 1 1\n", FIELDS .. "'0 a.map 9 9 0 0 1 1'" },
    ["too many fields"] = { "version 1\n0 a.map 9 9 0 0 1 1 1.41 7\n", FIELDS .. "'0 a.map 9 9 0 0 1 1 1.41 7'" },
    ["a size that is no number"] = { "version 1\n0 a.map x 9 0 0 1 1 1\n", FIELDS .. "'0 a.map x 9 0 0 1 1 1'" },
    ["a cell that is no whole number"] = { "version 1\n0 a.map 9 9 0.5 0 1 1 1\n",
      FIELDS .. "'0 a.map 9 9 0.5 0 1 1 1'" },
    ["a length that is no number"] = { "version 1\n0 a.map 9 9 0 0 1 1 nan\n", FIELDS .. "'0 a.map 9 9 0 0 1 1 nan'" },
    ["an infinite length"] = { "version 1\n0 a.map 9 9 0 0 1 1 1e999\n", FIELDS .. "'0 a.map 9 9 0 0 1 1 1e999'" },
    ["a length below 0"] = { "version 1\n0 a.map 9 9 0 0 1 1 -1\n", FIELDS .. "'0 a.map 9 9 0 0 1 1 -1'" },
    ["a column outside of the map"] = { "version 1\n\n0 a.map 9 8 9 0 1 1 1\n", ": line 3: expected x in 0..8, got 9" },
    ["a row outside of the map"] = { "version 1\n0 a.map 9 8 0 0 8 8 1\n", ": line 2: expected y in 0..7, got 8" },
    ["a map without columns"] = { "version 1\n0 a.map 0 8 0 0 0 0 0\n", ": line 2: expected x in 0..-1, got 0" },
  } do
    it("answers 'format' and where: " .. what, function()
      local file = helper.file(case[1])
      helper.fails(file .. case[2], "format", wend.read_scen, file)
    end)
  end

  it("never raises, whatever byte is damaged", function()
    damage.bytes("read_scen", 300, SCEN, function(text) return wend.read_scen(helper.file(text)) end)
  end)

  it("takes a long line without an end in its stride", function()
    local start = os.clock()
    local _, _, code = wend.read_scen(helper.file("version 1\n" .. (" "):rep(200000) .. ("1 "):rep(200000)))
    assert.equal("format", code)
    assert.is_true(os.clock() - start < 5)
  end)

  it("raises when it is not given a file's name", function()
    helper.raises("file must be a file's name, got 7", function() wend.read_scen(7) end)
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
      local read = name:find "%.wpt$" and readers.wpt or name:find "%.gr%.gz$" and readers.gr or helper.nexuiz
      local graph = assert(read(file))
      assert.same(counts, { graph:node_count(), graph:edge_count() })
    end)
  end

  it("have arcs no shorter than the straight line between their ends", function()
    local file = helper.data "graphs/porto.gr.gz"
    if not file then return pending "the folder of real maps is not here" end
    local graph = assert(readers.gr(file))
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
      local grid, problems = assert(wend.read_map(file)), assert(wend.read_scen(file .. ".scen"))
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
