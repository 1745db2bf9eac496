-- SPDX-License-Identifier: MIT
-- Files: what is read is what was written, to the last bit; what is damaged is refused; and saving leaves the old file
-- or the new one.

local collector = require "spec.support.collector"
local wend = require "wend"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local file_reference = require "spec.support.file_reference"
local golden = require "spec.golden"
local grid_reference = require "spec.support.grid_reference"

local graph_text, grid_text = file_reference.graph_text, file_reference.grid_text
local small_graph, small_grid = file_reference.small_graph, file_reference.small_grid

---Asserts that two texts are the same; says in which line they are not.
local function same(expected, text)
  if expected == text then return end
  local lines = {}
  for line in (expected .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line end
  local i = 0
  for line in (text .. "\n"):gmatch "(.-)\n" do
    i = i + 1
    if lines[i] ~= line then error(("line %d: expected %s, got %s"):format(i, tostring(lines[i]), line), 2) end
  end
  error("it ends too early", 2)
end

---Asserts that bytes are the same; says where they are not.
local function same_bytes(expected, bytes, what)
  if expected == bytes then return end
  local at = 1
  while expected:byte(at) == bytes:byte(at) do at = at + 1 end
  error(("%s: %d bytes instead of %d, other from byte %d on"):format(what or "bytes", #bytes, #expected, at), 2)
end

---Asserts that a map that is read is the same; returns it.
local function back(map)
  local bytes = map:encode()
  same_bytes(bytes, map:encode(), "the second time")
  local copy = assert(wend.decode(bytes))
  assert.equal(wend.type(map), wend.type(copy))
  local text = map.width and grid_text or graph_text
  same(text(map), text(copy))
  same_bytes(bytes, copy:encode(), "of what was read")
  return copy
end

---Asserts that bytes are refused. opts: of wend.decode
local function refused(bytes, what, opts)
  local ok, object, message, code = pcall(wend.decode, bytes, opts)
  if not (ok and object == nil and type(message) == "string" and code == "format") then
    error(("%s: %s, %s, %s"):format(what, tostring(ok), tostring(object), tostring(code)))
  end
end

local function damaged(bytes, each, opts)
  for size = 0, #bytes - 1, each or 1 do refused(bytes:sub(1, size), "cut after " .. size, opts) end
  refused(bytes .. "\0", "a byte more", opts)
  refused(bytes .. bytes, "twice", opts)
  for at = 1, #bytes, each or 1 do
    local byte = bytes:byte(at)
    for bit = 0, 7 do
      local other = math.floor(byte / 2 ^ bit) % 2 == 1 and byte - 2 ^ bit or byte + 2 ^ bit
      refused(file_reference.patch(bytes, at, string.char(other)), ("bit %d of byte %d"):format(bit, at), opts)
    end
    refused(file_reference.patch(bytes, at, string.char(255 - byte)), ("all of byte %d"):format(at), opts)
  end
end

---Writes and reads a map while finalizers call edit(left), which is refused while bytes are written. Lua 5.2 and 5.3
---would raise here what a finalizer raises.
local function write_among_finalizers(map, edit)
  local left = 200
  local function arm()
    if left == 0 then return end -- what is still to be collected does nothing
    left = left - 1
    collector.finalized(function()
      if left == 0 then return end
      for i = 1, 50 do pcall(edit, i, left) end
      arm()
    end)
  end
  arm()
  for _ = 1, 100 do assert(wend.decode(map:encode())) end
  left = 0
end

after_each(helper.clean)

describe("a graph in bytes", function()
  it("is the same again", function()
    back(small_graph())
    back(wend.graph())
    back(wend.graph { dimensions = 3 })
    local g = wend.graph { dimensions = 3 }
    g:add_node(1, 2, 3)
    g:add_node()
    back(g)
    g = wend.graph()
    g:add_edge(g:add_node(), g:add_node(), { weight = 0 })
    back(g)
  end)

  it("is the same again, whatever it is", function()
    helper.rounds("files of graphs", 150, function(rng) back(file_reference.random_graph(rng)) end)
  end)

  it("keeps names and tags with any bytes in them", function()
    local g = wend.graph()
    local all = {}
    for i = 0, 255 do all[i + 1] = string.char(i) end
    local name = table.concat(all)
    g:add_node(0, 0, { name = name })
    g:add_node(1, 0, { name = "\0" })
    g:add_node(2, 0, { name = "\0\0" })
    g:add_edge(1, 2, { tag = name })
    g:add_edge(1, 3, { tag = "\0" })
    local copy = back(g)
    assert.equal(name, copy:name(1))
    assert.equal(2, copy:node("\0"))
    assert.equal(3, copy:node("\0\0"))
    assert.equal(name, copy:edge(1).tag)
    assert.equal("\0", copy:edge(2).tag)
  end)

  it("still measures what was measured", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4, 6, 8 }
    g:add_edge(1, 2)
    g:add_edge(2, 3, { weight = 5 })
    local copy = back(g)
    for _, map in ipairs { g, copy } do
      map:move(2, 3, 0)
      assert.equal(3, map:edge(1).weight)
      assert.equal(5, map:edge(2).weight)
    end
    same_bytes(g:encode(), copy:encode())
  end)

  it("never gives out an id again", function()
    local g = wend.graph()
    local a, b, c = g:add_node(0, 0), g:add_node(1, 0), g:add_node(2, 0)
    local ab, bc = g:add_edge(a, b), g:add_edge(b, c)
    g:remove_node(a)
    g:remove_edge(bc)
    g = back(g)
    assert.is_false(g:has(a))
    assert.is_false(g:has_edge(ab))
    assert.is_false(g:has_edge(bc))
    local used = { [a] = true, [b] = true, [c] = true }
    local edges = { [ab] = true, [bc] = true }
    for _ = 1, 20 do
      local n = g:add_node(5, 5)
      local e = g:add_edge(n, b)
      assert.is_nil(used[n])
      assert.is_nil(edges[e])
      used[n], edges[e] = true, true
      g:remove_node(n)
      g = back(g)
    end
  end)

  it("goes on as the one that was written: the same edits give the same ids", function()
    helper.rounds("edits after reading", 60, function(rng, round)
      local g = file_reference.random_graph(rng)
      local copy = back(g)
      local ids = reference.nodes(g)
      for k, map in ipairs { g, copy } do
        local draw = helper.rng("those edits", round)
        local made = {}
        for i = 1, 12 do
          local n = map:add_node()
          made[i] = n
          if #ids > 0 then map:add_edge(n, draw:pick(ids), { weight = draw(9), directed = draw:chance(0.5) }) end
          if draw:chance(0.3) then map:remove_node(n) end
        end
        ids[k == 1 and "first" or "second"] = table.concat(made, " ")
      end
      assert.equal(ids.first, ids.second)
      same(graph_text(g), graph_text(copy))
    end)
  end)

  it("is not changed by edits that undo each other", function()
    local g = small_graph()
    local bytes = g:encode()
    g:close(1):open(1):set_radius(1, 3):set_radius(1, nil):set_name(2, "x")
    g:set_name(2, nil)
    g:close_edge(1):open_edge(1):move(2, 9, 9):move(2, 3, 4)
    g:path(1, 2)
    g:field(1)
    g:routes()
    same_bytes(bytes, g:encode())
  end)

  it("knows the edges that were just made", function()
    local g = reference.row(50)
    g:path(1, 50)
    for i = 1, 40 do g:add_edge(i, i + 10, { tag = "late" }) end
    back(g)
    local first = {}
    for id in g:edges(20) do first[#first + 1] = id end
    local second = {}
    for id in wend.decode(g:encode()):edges(20) do second[#second + 1] = id end
    assert.same(first, second)
  end)

  it("is the same after all of its nodes were removed", function()
    local g = wend.graph()
    g:remove_node(g:add_node(1, 2))
    back(g)
    g:add_node()
    back(g)
    g:add_node(3, 4)
    back(g)
  end)

  it("is written and read while finalizers change it, or are refused", function()
    local g = reference.row(300)
    write_among_finalizers(g, function() g:add_node(1, 2) end)
  end)
end)

describe("a grid in bytes", function()
  it("is the same again", function()
    back(small_grid())
    back(wend.grid(1, 1))
    back(wend.grid(1, 1):set(1, 1, false))
    back(wend.grid(3, 2):fill(false))
    back(wend.grid(3, 2):fill { weight = false, tag = "x" })
    for _, policy in ipairs { "both_open", "one_open", "always", "never" } do
      local copy = back(wend.grid(4, 4, { diagonals = policy }):set(2, 2, false):set(3, 3, false))
      assert.equal(policy, not copy.diagonals and policy or copy:diagonals())
    end
  end)

  it("is the same again, whatever it is", function()
    helper.rounds("files of grids", 150, function(rng) back((file_reference.random_grid(rng))) end)
  end)

  it("lies where it lay", function()
    local copy = back(small_grid())
    assert.same({ 1, 1 }, { copy:cell_at(-8, 0.5) })
    assert.same({ 4, 3 }, { copy:cell_at(-8 + 63.9, 48.4) })
    assert.is_nil((copy:cell_at(-8.1, 1)))
    assert.same(small_grid():path(2, 1, 4, 3):points(), copy:path(2, 1, 4, 3):points())
  end)

  it("is drawn as it was", function() assert.equal(small_grid():text(), back(small_grid()):text()) end)

  it("has the same bytes however it came to be", function()
    local one = wend.grid(6, 5):set(2, 2, 3):set(3, 3, "mud"):wall(1, 1, 2, 1):link(1, 1, 5, 5)
    local other = wend.grid(6, 5):set(3, 3, "mud"):fill(7):fill(1):set(2, 2, 3):set(3, 3, "mud")
    other:link(1, 1, 5, 5):link(2, 2, 3, 3):unlink(2, 2, 3, 3):wall(4, 4, 5, 5):wall(4, 4, 5, 5, false)
    other:wall(2, 1, 1, 1)
    same_bytes(one:encode(), other:encode())
    local bytes = one:encode()
    one:path(1, 1, 6, 5)
    one:field(1, 1)
    one:set(1, 1, 9):set(1, 1, 1)
    same_bytes(bytes, one:encode())
  end)

  it("has the same bytes whatever order its links were made in", function()
    local one, other = wend.grid(5, 5), wend.grid(5, 5)
    for i = 1, 5 do one:link(i, 1, 6 - i, 5, { weight = i, tag = "stairs" }) end
    for i = 5, 1, -1 do other:link(i, 1, 6 - i, 5, { weight = i, tag = "stairs" }) end
    one:path(1, 1, 5, 5)
    same_bytes(one:encode(), other:encode())
  end)

  it("keeps links one way and both, walls and closings", function()
    local grid = wend.grid(9, 1):set(3, 1, false):set(6, 1, false)
    grid:link(2, 1, 4, 1, { directed = true, weight = 7 }):link(5, 1, 7, 1, { tag = "lift" }):wall(8, 1, 9, 1)
    local copy = back(grid)
    assert.equal(1 + 7 + 1 + 1 + 1, copy:path(1, 1, 8, 1).cost)
    assert.is_nil((copy:path(8, 1, 1, 1)))
    assert.equal(3, copy:path(8, 1, 4, 1).cost)
    assert.is_nil((copy:path(8, 1, 9, 1)))
  end)

  it("keeps the weights of closed cells", function()
    local grid = wend.grid(5, 2):fill(2.5, "door"):fill(1, 2, 5, 2, 0, "mud"):close(2, 1, 4, 2):open(3, 2)
    local copy = back(grid)
    assert.same({ false, "door" }, { copy:get(2, 1) })
    assert.same({ 2.5, 0, true }, { copy:weight(2, 1), copy:weight(2, 2), copy:is_closed(2, 2) })
    copy:open(1, 1, 5, 2)
    assert.same({ 2.5, "door" }, { copy:get(2, 1) })
    assert.same({ 0, "mud" }, { copy:get(2, 2) })
    same_bytes(grid:open(1, 1, 5, 2):encode(), copy:encode())
    damaged(wend.grid(2, 1):set(1, 1, 2.5, "door"):close(1, 1):encode())
  end)

  it("has the bytes that it always had where closed cells keep weight 1", function()
    local old = wend.grid(3, 2):set(1, 1, false):set(2, 2, { weight = false, tag = "door" }):encode()
    same_bytes(old, wend.grid(3, 2):set(2, 2, "door"):close(1, 1):close(2, 2):encode())
    assert.truthy(old:find("\0\0\0\0\0\0\240\127\1\0", 1, true)) -- infinity, tag 1
  end)

  it("may have every cell written out, and closed cells that keep weights", function()
    local grid = assert(wend.decode(file_reference.plain_cells()))
    local whole = grid:encode()
    grid:set(2, 1, 2.5, "mud"):close(1, 1, 2, 2):set(1, 3, { weight = 0, closed = true })
    local copy = back(grid)
    assert.truthy(copy:encode():find("VALU", 1, true))
    assert.same({ 2.5, 1, 0, true }, { copy:weight(2, 1), copy:weight(2, 2), copy:weight(1, 3), copy:is_closed(1, 3) })
    damaged(copy:encode())
    same_bytes(whole, copy:open(1, 1, 2, 3):set(2, 1, "mud"):set(1, 3, 1):encode())
  end)

  it("with a weight that the writer does not write is refused", function()
    local keeps, least = "\0\0\0\0\0\0\4\192", "\1\0\0\0\0\0\0\128" -- 2.5 and 5e-324, closed
    local bytes = wend.grid(2, 1):set(1, 1, 2.5, "door"):close(1, 1):encode()
    local plain = assert(wend.decode(file_reference.plain_cells())):encode()
    local link = wend.grid(2, 1):link(1, 1, 2, 1, { weight = 2.5, directed = true }):encode()
    local function with(weight)
      return file_reference.change(bytes, "KIND", function(kinds) return weight .. kinds:sub(9) end)
    end
    local function written_out(weight)
      return file_reference.change(plain, "VALU", function(cells) return weight .. cells:sub(9) end)
    end
    local function linked(weight)
      return file_reference.change(link, "LINK", function(links) return links:sub(1, 8) .. weight .. links:sub(17) end)
    end
    same_bytes(bytes, with(keeps))
    same_bytes(link, linked "\0\0\0\0\0\0\4\64")
    for weight, kept in pairs {
      [keeps] = 2.5, [least] = 5e-324, ["\0\0\0\0\0\0\0\128"] = 0, ["\0\0\0\0\0\0\240\127"] = 1,
    } do
      for _, forged in ipairs { with(weight), written_out(weight) } do
        local grid = assert(wend.decode(forged))
        assert.same({ true, kept }, { grid:is_closed(1, 1), grid:weight(1, 1) })
        same_bytes(forged, grid:encode())
      end
      refused(linked(weight), "a closed link")
    end
    for what, weight in pairs {
      ["minus one"] = "\0\0\0\0\0\0\240\191", ["minus infinity"] = "\0\0\0\0\0\0\240\255",
      ["NaN"] = "\0\0\0\0\0\0\248\127", ["minus NaN"] = "\0\0\0\0\0\0\248\255",
    } do
      refused(with(weight), what)
      refused(written_out(weight), what)
      refused(linked(weight), what)
    end
    local two = wend.grid(2, 1):fill(2.5):close(1, 1, 2, 1):set(2, 1, { weight = 3, closed = true }):encode()
    two = file_reference.change(two, "KIND", function(kinds) return kinds:sub(1, 10) .. kinds:sub(1, 10) end)
    refused(two, "equal kinds")
  end)

  it("with a length of diagonal steps that the writer does not write is refused", function()
    local bytes = back(wend.grid(2, 2, { diagonal_length = 1.5 })):encode()
    local function with(length) return file_reference.change(bytes, "DIAG", function() return length end) end
    assert.equal(2, assert(wend.decode(with "\0\0\0\0\0\0\0\64")):diagonal_length())
    for what, length in pairs {
      ["the default"] = "\205\59\127\102\158\160\246\63", ["0.5"] = "\0\0\0\0\0\0\224\63",
      ["3"] = "\0\0\0\0\0\0\8\64", ["NaN"] = "\0\0\0\0\0\0\248\127", ["half of it"] = "\0\0\0\0",
      ["more"] = "\0\0\0\0\0\0\248\63\0",
    } do
      refused(with(length), what)
    end
    damaged(bytes)
  end)

  it("of hexes with a shape, a diagonal or a wall that the writer does not write is refused", function()
    local bytes = back(wend.grid(3, 3, { shape = "hex" }):wall(1, 1, 2, 2)):encode()
    local function with(id, new) return file_reference.change(bytes, id, function() return new end) end
    for number, shape in ipairs { "odd false", "even false", "odd true", "even true" } do
      local copy = assert(wend.decode(file_reference.change(with("HEXA", string.char(number)), "WALL", function()
        return nil
      end)))
      local _, shift, flat = copy:shape()
      assert.equal(shape, shift .. " " .. tostring(flat))
    end
    for what, shape in pairs { squares = "\0", ["5"] = "\5", ["255"] = "\255", more = "\1\0" } do
      refused(with("HEXA", shape), what)
    end
    refused(file_reference.change(bytes, "GRID", function(head) return head:sub(1, 8) .. "\0" .. head:sub(10) end),
      "another rule for diagonals")
    refused(file_reference.change(bytes, "WALL", function(walls) return "\160" .. walls:sub(2) end),
      "a wall where hexes are no neighbours")
    damaged(bytes)
  end)

  it("may have any number of kinds of cells", function()
    for _, count in ipairs { 60, 63, 64, 65, 66, 67, 80, 200, 1000, 5000, 65533, 65535, 65536, 65537 } do
      local grid = wend.grid(count, 1)
      for x = 1, count do grid:set(x, 1, x + 1) end
      local copy = assert(wend.decode(grid:encode()))
      for x = 1, count, 1 + math.floor(count / 100) do assert.equal(x + 1, (copy:get(x, 1))) end
      same_bytes(grid:encode(), copy:encode())
    end
  end)

  it("may have every cell written out", function()
    local bytes = file_reference.plain_cells()
    local grid = assert(wend.decode(bytes))
    assert.same({ 1, "mud" }, { grid:get(2, 3) })
    assert.equal(2, grid:path(1, 1, 1, 3).cost)
    damaged(bytes)
    bytes = grid:encode()
    assert.truthy(bytes:find("VALU", 1, true))
    back(grid)
    damaged(bytes)
  end)

  it("is written and read while finalizers change it, or are refused", function()
    local grid = wend.grid(60, 60)
    write_among_finalizers(grid, function(i, left) grid:link(i, left % 60 + 1, i + 1, (left + 7) % 60 + 1) end)
  end)
end)

describe("bytes", function()
  it("are the same on every Lua and machine: those of the golden files", function()
    local made = golden.make()
    for _, entry in ipairs(golden.list) do
      same_bytes(helper.read(golden.file(2, entry.name)), made[entry.name].object:encode(), entry.name)
    end
  end)

  it("are read: golden files give what they were made of", function()
    local made, maps = golden.make(), {}
    for _, entry in ipairs(golden.list) do
      local bytes, expected = helper.read(golden.file(2, entry.name)), made[entry.name]
      local object = assert(wend.decode(bytes, { map = maps[entry.map], costs = expected.costs }))
      local kind = wend.type(object)
      if kind == "graph" or kind == "grid" then
        maps[entry.name] = object
        local text = kind == "grid" and grid_text or graph_text
        same(text(expected.object), text(object))
      end
      same_bytes(bytes, object:encode(), entry.name)
    end
  end)

  it("of fields and routes belong to the map as it was", function()
    local made = golden.make()
    for _, entry in ipairs(golden.list) do
      if entry.map then
        local bytes = helper.read(golden.file(2, entry.name))
        local map = assert(wend.decode(helper.read(golden.file(2, entry.map))))
        assert(wend.decode(bytes, { map = map, costs = made[entry.name].costs }))
        if map.width then map:set(1, 1, 7) else map:add_node() end
        local what = entry.name:find "field" and "a field" or entry.name == "crowd" and "a crowd"
          or entry.name:find "overlay" and "an overlay" or entry.name:find "influence" and "an influence layer"
          or entry.name:find "follower" and "a follower" or entry.name:find "path" and "a path" or "a route table"
        helper.fails(what .. ": it belongs to another map, or this one has changed since", "stale", wend.decode, bytes,
          { map = map })
      end
    end
  end)

  it("do not depend on the order of the tables that a map was made of", function()
    local legend, rows = {}, {}
    for i = 0, 25 do legend[string.char(97 + i)] = { weight = i % 4, tag = "tag " .. i * 7 % 13 } end
    for i = 1, 5 do rows[i] = ("zyxwvutsrqponmlkjihgfedcba"):sub(i, i + 9) end
    assert.equal(2682477607, file_reference.crc(file_reference.hex(wend.parse_grid(rows, legend):encode())))
  end)

  it("begin with what they are", function()
    assert.equal("WENDG\2", small_graph():encode():sub(1, 6))
    assert.equal("WENDR\2", small_grid():encode():sub(1, 6))
    for _, bytes in ipairs { small_graph():encode(), small_grid():encode() } do
      assert.equal(file_reference.mend(bytes), bytes) -- size and checksum, as others work them out
    end
  end)

  it("that are cut anywhere, or where any bit is another, are refused", function()
    damaged(small_graph():encode())
    damaged(small_grid():encode())
    damaged(wend.graph():encode())
    damaged(wend.grid(1, 1):encode())
  end)

  it("that are cut, larger maps #slow", function()
    local rng = helper.rng "damage"
    damaged(file_reference.random_graph(rng, { nodes = 40, edges = 80 }):encode(), 7)
    damaged((file_reference.random_grid(rng, { width = 12, height = 12 })):encode(), 7)
  end)

  it("of another version or kind are refused, though their sum is right", function()
    for _, bytes in ipairs { small_graph():encode(), small_grid():encode() } do
      for _, change in ipairs { { 1, "w" }, { 5, "X" }, { 5, "\0" }, { 6, "\1" }, { 6, "\3" }, { 6, "\0" }, { 7, "\1" },
        { 8, "\1" }, { 5, bytes:sub(5, 5) == "G" and "R" or "G" }, { 5, "F" }, { 5, "T" } } do
        local other = file_reference.mend(file_reference.patch(bytes, change[1], change[2]))
        local object, message, code = wend.decode(other, { map = small_graph() })
        assert.same({ nil, "string" }, { object, type(message) })
        assert.truthy(code == "format" or code == "stale" and (change[2] == "F" or change[2] == "T"))
      end
    end
  end)

  -- The section ids of a file, in a row.
  local function ids(bytes)
    local list = {}
    for i, section in ipairs(file_reference.sections(bytes)) do list[i] = section[1] end
    return table.concat(list, " ")
  end

  it("hold a section for each thing that there is, and none that is empty", function()
    assert.equal("GRPH", ids(wend.graph():encode()))
    assert.equal("GRPH TAGS NGEN EGEN NODE NAME RADI EDGE ARCS", ids(small_graph():encode()))
    assert.equal("GRID KIND CELL extr", ids(wend.grid(2, 2):encode()))
    assert.equal("GRID TAGS KIND CELL WALL LINK extr", ids(small_grid():encode()))
    assert.equal("FELD DIST NEXT", ids(small_graph():field(1):encode()))
    assert.equal("FELD DIST WNDW STEP", ids(wend.grid(2, 2):field(1, 1):encode()))
    assert.equal("ROUT FRST MOVE BITS RUNS", ids(reference.row(3):routes():encode()))
    assert.equal("ROUT", ids(wend.graph():routes():encode()))
  end)

  -- Calls fn(bytes, id, put) for every kind of file; put(where, section) is the file with one more section.
  local function each_kind(fn)
    local g, grid = reference.row(5), small_grid()
    for _, pair in ipairs { { g }, { grid }, { g:field(1), g }, { grid:field(1, 1), grid }, { g:routes(), g } } do
      local bytes = pair[1]:encode()
      fn(bytes, { map = pair[2] }, function(where, id, contents)
        local sections = file_reference.sections(bytes)
        table.insert(sections, where, { id, contents })
        return file_reference.pack(bytes:sub(1, 8), sections)
      end, #file_reference.sections(bytes))
    end
  end

  it("may hold unknown sections that a reader skips: their names begin with a small letter", function()
    each_kind(function(bytes, opts, put, count)
      for where = 2, count + 1 do
        for _, id in ipairs { "note", "zZ09", "a\0\255!" } do
          local other = put(where, id, "whatever\0it is")
          assert.equal(file_reference.mend(other), other)
          same_bytes(bytes, assert(wend.decode(other, opts)):encode())
        end
      end
    end)
  end)

  it("are refused for unknown sections that a reader must know", function()
    each_kind(function(_, opts, put, count)
      for where = 1, count + 1 do
        for _, id in ipairs { "NOTE", "LEVL", "\0\0\0\0", "_abc" } do
          assert.equal("format", (select(3, wend.decode(put(where, id, "x"), opts))))
        end
      end
    end)
  end)

  it("are refused when a section is missing, empty, doubled, or out of order", function()
    each_kind(function(bytes, opts)
      local sections = file_reference.sections(bytes)
      local function try(change)
        local list = {}
        for i, section in ipairs(sections) do list[i] = section end
        change(list)
        assert.equal("format", (select(3, wend.decode(file_reference.pack(bytes:sub(1, 8), list), opts))))
      end
      for i, section in ipairs(sections) do
        try(function(list) table.insert(list, i, { section[1], "" }) end)
        try(function(list) table.insert(list, i, section) end)
        try(function(list) list[i] = { section[1], section[2] .. "\0" } end)
        if i > 1 then try(function(list) list[i - 1], list[i] = list[i], list[i - 1] end) end
        if section[1] ~= "TAGS" and section[1] ~= "WALL" and section[1] ~= "LINK" then
          try(function(list) table.remove(list, i) end)
        end
      end
    end)
  end)

  it("are refused when a section says that it is longer than the file", function()
    for _, length in ipairs { ("\255"):rep(8), "\255\255\255\255\0\0\0\0", "\0\0\0\0\1\0\0\0", "\29\0\0\0\0\0\0\0" } do
      refused(file_reference.patch(wend.graph():encode(), 21, length), "a length")
    end
  end)

  it("are the same map for a field when a section that may be skipped is another", function()
    local grid = wend.grid(3, 3)
    local bytes = grid:field(1, 1):encode()
    local elsewhere = wend.grid(3, 3, { origin = { 5, 5 }, cell = 2 }) -- its section "extr" is another
    assert.equal(1, assert(wend.decode(bytes, { map = elsewhere })):cost(2, 1))
  end)

  local function whole(...)
    local list = { ... }
    for i, number in ipairs(list) do list[i] = file_reference.whole(number, 4) end
    return table.concat(list)
  end

  it("of an empty graph say nothing that an empty graph is not", function()
    local bytes = wend.graph():encode()
    for _, head in ipairs { "\2\1\0\0" .. whole(0, 0, 0, 0, 0, 0), "\2\2\0\0" .. whole(0, 0, 0, 0, 0, 0),
      "\2\0\0\0" .. whole(0, 0, 0, 0, 1, 0), "\2\0\0\0" .. whole(1, 0, 0, 0, 0, 0),
      "\2\0\0\0" .. whole(0, 0, 1, 0, 0, 0), "\1\0\0\0" .. whole(0, 0, 0, 0, 0, 0) } do
      refused(file_reference.change(bytes, "GRPH", function() return head end), file_reference.hex(head))
    end
  end)

  it("with a free slot that was never in use are refused", function()
    local g = wend.graph()
    g:add_edge(g:add_node(), g:add_node(), { weight = 1 })
    g:remove_node(g:add_node())
    g:remove_edge(g:add_edge(1, 2, { weight = 2 }))
    local bytes = g:encode()
    for _, id in ipairs { "NGEN", "EGEN" } do
      local function with(generation)
        return file_reference.change(bytes, id, function(all) return all:sub(1, -5) .. whole(generation) end)
      end
      assert.equal(bytes, with(1))
      refused(with(0), id .. " 0")
      refused(with(2 ^ 21 + 1), id .. " too many")
      for _, generation in ipairs { 2, 2 ^ 21 - 1, 2 ^ 21 } do
        same_bytes(with(generation), assert(wend.decode(with(generation))):encode())
      end
    end
  end)

  it("with a position that is not written as it should be are refused", function()
    local g = wend.graph()
    g:add_node(1, 2)
    g:add_node()
    local bytes = g:encode()
    local nan = "\0\0\0\0\0\0\248\127"
    local function with(x, y)
      return file_reference.change(bytes, "NODE", function(nodes) return nodes:sub(1, -17) .. x .. y end)
    end
    assert.equal(bytes, with(nan, nan))
    local zero = ("\0"):rep(8)
    for _, wrong in ipairs { { nan, zero }, { zero, nan }, { "\1" .. nan:sub(2), nan },
      { nan, nan:sub(1, 7) .. "\255" }, { "\0\0\0\0\0\0\240\127", zero } } do
      refused(with(wrong[1], wrong[2]), file_reference.hex(wrong[1] .. wrong[2]))
    end
    same_bytes(with(zero, zero:sub(1, 7) .. "\128"), assert(wend.decode(with(zero, zero:sub(1, 7) .. "\128"))):encode())
    -- No node has a position, and the flag says that one has.
    refused(file_reference.change(with(nan, nan), "NODE", function(nodes)
      return nodes:sub(1, 5) .. nan .. nan .. nodes:sub(-21)
    end), "no position at all")
  end)

  it("are read whatever looks for free slots came before", function()
    for n = 2, 140, 3 do
      for count = 2, 4 do
        local g = wend.graph()
        for _ = 1, n do g:add_node() end
        for i = 1, n, 2 do g:remove_node(i) end -- no two free slots follow each other
        for _ = 1, 5 do
          local points = {}
          for i = 1, count * 2 do points[i] = i end
          g:add_nodes(points)
          back(g)
        end
      end
    end
  end)

  it("with very many links are read in a time that grows with their number #many", function()
    local side = 300
    local grid, links = wend.grid(side, side), {}
    local number = file_reference.whole
    local one = "\0\0\0\0\0\0\240\63\0\0"
    for from = 0, side * side - 1 do -- the last one first, by where they lead
      links[from + 1] = number(from, 4) .. number(side * side - 1 - from, 4) .. one
    end
    local sections = file_reference.sections(grid:encode())
    table.insert(sections, #sections, { "LINK", table.concat(links) })
    local bytes = file_reference.pack(grid:encode():sub(1, 8), sections)
    local start = os.clock()
    local copy = assert(wend.decode(bytes))
    assert.truthy(os.clock() - start < 2) -- wall time on Windows; pairs of links would take longer
    same_bytes(bytes, copy:encode())
    assert.equal(1, copy:path(side, side, 1, 1).cost)
  end)

  it("of a field whose steps go against a one-way edge, or over no link, are refused", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 0 }
    g:add_edge(1, 2, { directed = true })
    local toward, outward = g:field(2):encode(), g:field(1, { outward = true }):encode()
    for _, bytes in ipairs { toward, outward } do
      assert(wend.decode(bytes, { map = g }))
      local other = file_reference.change(bytes, "FELD", function(head)
        return head:sub(1, 8) .. string.char(1 - head:byte(9)) .. head:sub(10)
      end)
      assert.equal("format", (select(3, wend.decode(other, { map = g }))))
    end
    local grid = wend.grid(5, 1):set(3, 1, false):link(2, 1, 4, 1)
    local bytes = grid:field(1, 1):encode()
    local other = file_reference.change(bytes, "HOPS", function(hops)
      assert.equal(8, #hops)
      return hops:sub(1, 4) .. whole(7) -- to the first cell instead
    end)
    assert(wend.decode(bytes, { map = grid }))
    assert.equal("format", (select(3, wend.decode(other, { map = grid }))))
  end)

  it("of routes are refused when moves are not numbered as they would be", function()
    local g = reference.row(4)
    local bytes = g:routes():encode()
    local function with(id, change)
      return select(3, wend.decode(file_reference.change(bytes, id, change), { map = g }))
    end
    local runs
    assert.is_nil(with("RUNS", function(contents)
      runs = contents
      return contents
    end))
    for i = 1, #runs do
      for _, byte in ipairs { 0, 1, 2, 254, 255 } do
        if runs:byte(i) ~= byte then
          local code = with("RUNS", function() return file_reference.patch(runs, i, string.char(byte)) end)
          assert.equal("format", code)
        end
      end
    end
    assert.equal("format", with("ROUT", function(head) return head:sub(1, 16) .. whole(2) end)) -- two bytes a move
  end)

  it("that promise more than they hold take no memory", function()
    local many = file_reference.whole(50000000, 4)
    local bytes, grid = wend.graph():encode(), wend.grid(1, 1):encode()
    local before = reference.peak()
    for at = 29, #bytes - 4, 4 do
      refused(file_reference.mend(file_reference.patch(bytes, at, many)), "a count at " .. at)
      local two = file_reference.patch(bytes, at, many .. many):sub(1, #bytes)
      refused(file_reference.mend(two), "two counts at " .. at)
    end
    for at = 17, #grid - 7, 4 do
      wend.decode(file_reference.mend(file_reference.patch(grid, at, many))) -- some of it may be a weight
    end
    assert.truthy(reference.peak() - before < 50000)
  end)

  it("of nothing are refused", function()
    for _, bytes in ipairs { "", "W", "WEND", "WENDG", ("\0"):rep(20), ("\0"):rep(100), "WENDG\1\0\0" .. ("\0"):rep(20),
      "-- a Lua file\nreturn {}", ("x"):rep(10000) } do
      refused(bytes, bytes:sub(1, 8))
    end
  end)

  it("must be a string, maps must be maps", function()
    helper.raises("string must be a string that encode has made, got nil", wend.decode)
    helper.raises("string must be a string that encode has made, got 5", wend.decode, 5)
    helper.raises("string must be a string that encode has made, got a table", wend.decode, {})
    helper.raises("string must be a string that encode has made, got true", wend.decode, true)
  end)
end)

describe("a file", function()
  local function name()
    local file = helper.file("", ".wend")
    os.remove(file)
    helper.written(file .. ".part")
    return file
  end
  local function is_there(file)
    local handle = io.open(file, "rb")
    if handle then handle:close() end
    return handle ~= nil
  end

  it("holds what encode gives", function()
    for _, map in ipairs { small_graph(), small_grid() } do
      local file = name()
      assert.is_true(map:save(file))
      assert.equal(map:encode(), helper.read(file))
      assert.is_false(is_there(file .. ".part"))
      assert.equal(map:encode(), assert(wend.load(file)):encode())
    end
  end)

  it("takes the place of the one before", function()
    local file = name()
    assert.is_true(small_graph():save(file))
    assert.is_true(small_grid():save(file))
    assert.equal(small_grid():encode(), helper.read(file))
    assert.is_true(wend.graph():save(file)) -- a shorter one
    assert.equal(wend.graph():encode(), helper.read(file))
    assert.is_false(is_there(file .. ".part"))
  end)

  it("may be left of a time before: it is written over", function()
    local file = name()
    local handle = assert(io.open(file .. ".part", "wb"))
    handle:write(("old"):rep(5000))
    handle:close()
    assert.is_true(small_graph():save(file))
    assert.equal(small_graph():encode(), helper.read(file))
    assert.is_false(is_there(file .. ".part"))
  end)

  it("in a folder that is not there is an io failure", function()
    local file = name() .. "/none/level.wend"
    local ok, message, code = small_graph():save(file)
    assert.same({ nil, "io" }, { ok, code })
    assert.equal(file .. " could not be saved: ", message:sub(1, #file + 21))
    ok, message, code = wend.load(file)
    assert.same({ nil, "io" }, { ok, code })
    assert.equal(file .. " cannot be read: ", message:sub(1, #file + 17))
  end)

  it("cannot be a folder", function()
    local folder = helper.file ""
    os.remove(folder)
    assert(os.execute("mkdir '" .. folder .. "'"))
    local ok, _, code = small_graph():save(folder)
    assert.same({ nil, "io" }, { ok, code })
    assert.is_false(is_there(folder .. ".part"))
    ok, _, code = wend.load(folder)
    assert.same({ nil, "io" }, { ok, code })
    os.execute("rmdir '" .. folder .. "'")
    -- what it is written to first is a folder
    assert(os.execute("mkdir '" .. folder .. ".part'"))
    ok, _, code = small_graph():save(folder)
    assert.same({ nil, "io" }, { ok, code })
    assert.is_false(is_there(folder))
    os.execute("rmdir '" .. folder .. ".part'")
  end)

  -- A file that fails in `what`.
  local function failing(what, file)
    local open = io.open
    io.open = function(at, mode) -- luacheck: ignore 122
      local handle, message = open(at, mode)
      if not (handle and mode == "wb") then return handle, message end
      return {
        write = function(self, bytes)
          if what == "write" then
            handle:write(bytes:sub(1, 10))
            return nil, "no space left"
          end
          handle:write(bytes)
          return self
        end,
        close = function()
          handle:close()
          if what == "close" then return nil, "no space left" end
          return true
        end,
      }
    end
    local rename = os.rename
    if what == "rename" then
      os.rename = function() return nil, "no such luck" end -- luacheck: ignore 122
    end
    local ok, message, code = small_grid():save(file)
    io.open, os.rename = open, rename -- luacheck: ignore 122
    return ok, message, code
  end

  for _, what in ipairs { "write", "close", "rename" } do
    it("stays as it was when it fails to " .. what, function()
      local file = name()
      small_graph():save(file)
      local ok, message, code = failing(what, file)
      assert.same({ nil, "io" }, { ok, code })
      assert.truthy(message:find(what == "rename" and "no such luck" or "no space left", 1, true))
      assert.equal(small_graph():encode(), helper.read(file))
      assert.is_false(is_there(file .. ".part"))
    end)
  end

  -- luacheck: push ignore 122
  describe("on Windows", function()
    local config, rename, remove = package.config, os.rename, os.remove
    local renames
    before_each(function()
      package.config, renames = "\\" .. config:sub(2), 0
      os.rename = function(from, to) -- to a name that is taken: no
        renames = renames + 1
        if is_there(to) then return nil, to .. ": File exists", 17 end
        return rename(from, to)
      end
    end)
    after_each(function() package.config, os.rename, os.remove = config, rename, remove end)

    it("takes the place of the old file", function()
      local file = name()
      assert.is_true(small_graph():save(file))
      assert.is_true(small_grid():save(file))
      assert.equal(small_grid():encode(), helper.read(file))
      assert.is_false(is_there(file .. ".part"))
      assert.equal(3, renames)
    end)

    it("is kept beside when it cannot be renamed after the old file is gone", function()
      local file = name()
      assert.is_true(small_graph():save(file))
      os.rename = function() return nil, "no such luck" end
      helper.written(file .. ".part")
      local kept = "no such luck; the old file is gone, the new one is " .. file .. ".part"
      helper.fails(file .. " could not be saved: " .. kept, "io", small_grid().save, small_grid(), file)
      assert.is_false(is_there(file))
      assert.equal(small_grid():encode(), helper.read(file .. ".part"))
      -- The next one does not lose it either: as long as it cannot be renamed, nothing is written over it.
      helper.fails(file .. " could not be saved: no such luck", "io", small_graph().save, small_graph(), file)
      assert.equal(small_grid():encode(), helper.read(file .. ".part"))
      os.rename = rename
      assert.is_true(small_graph():save(file))
      assert.equal(small_graph():encode(), helper.read(file))
      assert.is_false(is_there(file .. ".part"))
    end)

    it("stays as it was when the old file cannot be removed", function()
      local file = name()
      assert.is_true(small_graph():save(file))
      os.remove = function(which)
        if which == file then return nil, "it is in use", 13 end
        return remove(which)
      end
      assert.equal("io", (select(3, small_grid():save(file))))
      assert.equal(small_graph():encode(), helper.read(file))
      assert.is_false(is_there(file .. ".part"))
    end)
  end)
  -- luacheck: pop

  it("does not follow a link at NAME.part", function()
    local file, other = name(), helper.file "not yours"
    for _, target in ipairs { other, name() } do -- a file, and one that is not there
      helper.written(file .. ".part")
      os.execute(("ln -s '%s' '%s.part'"):format(target, file))
      local was_there = is_there(target)
      assert.is_true(small_graph():save(file))
      assert.equal(small_graph():encode(), helper.read(file))
      assert.equal("not yours", helper.read(other))
      assert.equal(was_there, is_there(target))
      assert.is_false(is_there(file .. ".part"))
    end
  end)

  it("is not written when what lies at NAME.part cannot be removed", function()
    local file, remove = name(), os.remove
    assert.is_true(small_graph():save(file))
    os.remove = function(which) return nil, which .. ": Operation not permitted", 1 end -- luacheck: ignore 122
    local ok, message, code = small_grid():save(file)
    os.remove = remove -- luacheck: ignore 122
    assert.same({ nil, "io" }, { ok, code })
    assert.equal(("%s could not be saved: %s.part: Operation not permitted"):format(file, file), message)
    assert.equal(small_graph():encode(), helper.read(file))
  end)

  it("is not looked for when an option is wrong: that raises as it does for wend.decode", function()
    for _, options in ipairs { { x = 1 }, { map = 5 }, 5, "map" } do
      local _, expected = pcall(wend.decode, "", options)
      helper.raises((expected:gsub("^[^\n:]*%.lua:%d+: ", "")), wend.load, "no such file", options)
    end
    helper.raises("unknown option 'x' (expected one of: map, costs, agent, cost, at_least, size, influence, "
      .. "pass_only, clear, clearance, on_point)",
      wend.load, "no such file",
      { x = 1 })
  end)

  it("that is damaged gives its name", function()
    local file = helper.file(small_graph():encode():sub(1, -2))
    local object, message, code = wend.load(file)
    assert.same({ nil, "format" }, { object, code })
    assert.equal(file .. ": ", message:sub(1, #file + 2))
    object, message, code = wend.load(helper.file "")
    assert.same({ nil, "string", "format" }, { object, type(message), code })
  end)

  it("has a name", function()
    local g = small_graph()
    for _, wrong in ipairs { false, {}, 5, "" } do
      local got = wrong == "" and "''" or type(wrong) == "table" and "a table" or tostring(wrong)
      helper.raises("file must be a file's name, got " .. got, wend.load, wrong)
      helper.raises("file must be a file's name, got " .. got, g.save, g, wrong)
    end
    helper.raises("file must be a file's name, got nil", wend.load)
    helper.raises("file must be a file's name, got nil", g.save, g)
  end)
end)

-- Fields and routes: they are read for the map that they are of.

local costs = wend.costs { road = 0.5, swamp = 3, lava = false }

local function each_cost(field, map)
  local list = {}
  for a, b, c in field:each() do
    list[#list + 1] = map.width and ("%d,%d %.17g"):format(a, b, c) or ("%.0f %.17g"):format(a, b)
  end
  return table.concat(list, "\n")
end

---A field that is read for a map; asserts that it is the same.
local function field_back(field, map, from)
  local bytes = field:encode()
  assert.equal("WENDF\2", bytes:sub(1, 6))
  local copy = assert(wend.decode(bytes, { map = map }))
  same_bytes(bytes, copy:encode())
  same(each_cost(field, from), each_cost(copy, map))
  return copy
end

describe("a field in bytes", function()
  it("is the same again, for its map and for one that was read", function()
    helper.rounds("files of fields", 60, function(rng)
      local g = file_reference.random_graph(rng)
      local list = reference.nodes(g)
      if #list == 0 then return end
      local goal = rng:pick(list)
      for _, opts in ipairs { {}, { outward = true } } do
        local field = g:field(goal, opts)
        for _, map in ipairs { g, (wend.decode(g:encode())) } do
          local copy = field_back(field, map, g)
          for _ = 1, 5 do
            local a = rng:pick(list)
            assert.equal(field:cost(a), copy:cost(a))
            local one, other = field:path(a), copy:path(a)
            assert.equal(reference.show(one), reference.show(other))
          end
        end
      end
    end)
  end)

  it("of a grid likewise", function()
    helper.rounds("files of fields of grids", 40, function(rng)
      local grid, model = file_reference.random_grid(rng)
      local x, y = rng(model.width), rng(model.height)
      for _, opts in ipairs { {}, { outward = true } } do
        local field = grid:field(x, y, opts)
        for _, map in ipairs { grid, (wend.decode(grid:encode())) } do
          local copy = field_back(field, map, grid)
          for _ = 1, 5 do
            local x1, y1 = rng(model.width), rng(model.height)
            assert.equal(field:cost(x1, y1), copy:cost(x1, y1))
            assert.equal(grid_reference.show(field:path(x1, y1)), grid_reference.show(copy:path(x1, y1)))
          end
        end
      end
    end)
  end)

  it("of an agent, after arithmetic, within a window", function()
    helper.rounds("files of fields with costs", 40, function(rng)
      local grid, model = file_reference.random_grid(rng)
      local g = file_reference.random_graph(rng)
      local list = reference.nodes(g)
      local opts = { costs = costs, outward = rng:chance(0.3) or nil }
      local of_graph = #list > 0 and g:field(rng:pick(list), opts)
      opts.window = rng:chance(0.5) and rng(1, 4) or nil
      local of_grid = grid:field(rng(model.width), rng(model.height), opts)
      for _, field in pairs { of_grid, of_graph or nil } do
        local map = field == of_grid and grid or g
        local function again()
          local copy = assert(wend.decode(field:encode(), { map = map, costs = costs }))
          same_bytes(field:encode(), copy:encode())
          same(each_cost(field, map), each_cost(copy, map))
          assert.equal(tostring(field), tostring(copy))
          return copy
        end
        again()
        field:scale(-1.2)
        local copy = again()
        local y = map.width and 1 or nil
        assert.equal((pcall(field.path, field, 1, y)), (pcall(copy.path, copy, 1, y)))
        field:relax()
        copy:relax()
        same_bytes(field:encode(), copy:encode())
        copy = again()
        if map.width then
          map:set(1, 1, 4)
        elseif not map:is_closed(list[1]) then
          map:close(list[1])
        end
        for _, of in ipairs { field, copy } do
          local bytes, message, code = of:encode()
          if not of:valid() then assert.same({ nil, "string", "stale" }, { bytes, type(message), code }) end
        end
        assert.equal(field:valid(), copy:valid())
      end
    end)
  end)

  it("is of one map: another is stale", function()
    local g = reference.row(5)
    local bytes = g:field(1):encode()
    for _, other in ipairs { reference.row(6), wend.graph(), wend.grid(5, 1), reference.row(5):close(2),
      reference.row(5):set_weight(1, 3) } do
      local field, message, code = wend.decode(bytes, { map = other })
      assert.same({ nil, "string", "stale" }, { field, type(message), code })
    end
    local grid = wend.grid(5, 5)
    bytes = grid:field(1, 1):encode()
    for _, other in ipairs { wend.grid(5, 6), wend.grid(5, 5):set(2, 2, 3), g } do
      local field, message, code = wend.decode(bytes, { map = other })
      assert.same({ nil, "string", "stale" }, { field, type(message), code })
    end
    helper.raises("map must be a graph or a grid, got 5", function() wend.decode(bytes, { map = 5 }) end)
    helper.raises("map must be a graph or a grid, got a table", function() wend.decode(bytes, { map = {} }) end)
    helper.raises("unknown option 'nonsense' (expected one of: map, costs, agent, cost, at_least, size, influence, "
      .. "pass_only, clear, clearance, on_point)",
      function() wend.decode(bytes, { nonsense = grid }) end)
  end)

  it("that says of a tag that a function is asked, of a field that asked none, is refused", function()
    local grid = wend.grid(5, 1):set(2, 1, "mud")
    local bytes = grid:field(5, 1, { costs = wend.costs { mud = 2 } }):encode()
    for tag = 0, 1 do
      local asks = file_reference.change(bytes, "COST", function(costs_of)
        assert.equal(0, costs_of:byte(tag * 25 + 25))
        return file_reference.patch(costs_of, tag * 25 + 25, "\1")
      end)
      local field, _, code = wend.decode(asks, { map = grid })
      assert.same({ nil, "format" }, { field, code })
    end
  end)

  it("that asked a function has paths, with the function and without", function()
    local grid = wend.grid(5, 1):set(2, 1, "mud")
    local asking = wend.costs { mud = function() return 2 end }
    local bytes = grid:field(5, 1, { costs = asking }):encode()
    for _, opts in ipairs { { map = grid }, { map = grid, costs = asking }, { map = grid, costs = costs } } do
      local field = assert(wend.decode(bytes, opts))
      same_bytes(bytes, field:encode())
      assert.equal(5, field:path(1, 1).cost)
      assert.equal(3, field:cost(2, 1))
    end
  end)

  it("that is damaged is refused", function()
    local g = small_graph()
    damaged(g:field(1):encode(), 1, { map = g })
  end)
end)

describe("routes in bytes", function()
  local function all(routes, nodes)
    local list = {}
    for _, a in ipairs(nodes) do
      for _, b in ipairs(nodes) do
        list[#list + 1] = reference.show(routes:path(a, b))
        list[#list + 1] = ("%s %s"):format(tostring(routes:cost(a, b)), tostring(routes:next(a, b)))
      end
    end
    return table.concat(list, "\n")
  end

  it("are the same again, for their graph and for one that was read", function()
    helper.rounds("files of routes", 40, function(rng)
      local g = file_reference.random_graph(rng, { nodes = rng(1, 15) })
      local nodes = reference.nodes(g)
      for _, opts in ipairs { {}, { costs = costs } } do
        local routes = g:routes(opts)
        local bytes = routes:encode()
        assert.equal("WENDT\2", bytes:sub(1, 6))
        for _, map in ipairs { g, (wend.decode(g:encode())) } do
          local copy = assert(wend.decode(bytes, { map = map, costs = opts.costs }))
          same_bytes(bytes, copy:encode())
          same(all(routes, nodes), all(copy, nodes))
        end
      end
    end)
  end)

  it("are of one graph: another is stale, and so are they after an edit", function()
    local g = reference.row(5)
    local bytes = g:routes():encode()
    for _, other in ipairs { reference.row(6), wend.graph(), wend.grid(5, 1), reference.row(5):close(2) } do
      local routes, message, code = wend.decode(bytes, { map = other })
      assert.same({ nil, "string", "stale" }, { routes, type(message), code })
    end
    local routes = wend.decode(bytes, { map = g })
    assert.equal(4, routes:cost(1, 5))
    g:close(3)
    assert.equal("stale", (select(3, routes:cost(1, 5))))
  end)

  it("are saved and loaded", function()
    local g = reference.row(5)
    local file = helper.file ""
    for _, object in ipairs { g:field(1), g:routes() } do
      assert.is_true(object:save(file))
      assert.equal(object:encode(), assert(wend.load(file, { map = g })):encode())
      assert.equal("stale", (select(3, wend.load(file, { map = reference.row(6) }))))
    end
  end)

  it("are not saved when they are stale", function()
    local g = reference.row(5)
    local costs_of = wend.costs {}
    local list = { g:field(1), g:routes() }
    local file = helper.file "as it was"
    g:close(2):open(2)
    for _, object in ipairs(list) do
      for _, name in ipairs { "encode", "save" } do
        local result, message, code = object[name](object, file)
        assert.same({ nil, "string", "stale" }, { result, type(message), code })
      end
    end
    local routes = g:set_tag(1, "mud"):routes { costs = costs_of }
    costs_of:set("mud", 2)
    assert.equal("stale", (select(3, routes:save(file))))
    assert.equal("as it was", helper.read(file))
  end)

  it("of nothing have no runs", function()
    local g = wend.graph()
    local bytes = g:routes():encode()
    same_bytes(bytes, wend.decode(bytes, { map = g }):encode())
    for at = 9, 20 do
      local other = file_reference.change(bytes, "ROUT", function(head) return file_reference.patch(head, at, "\9") end)
      assert.equal("format", (select(3, wend.decode(other, { map = g }))))
    end
  end)

  it("want their map", function()
    local g = reference.row(5)
    helper.raises("map must be given: a field belongs to one", wend.decode, g:field(1):encode())
    helper.raises("map must be given: a route table belongs to one", wend.decode, g:routes():encode())
    local file = helper.file(g:routes():encode())
    helper.raises("map must be given: a route table belongs to one", function() wend.load(file) end)
    helper.raises("map must be a graph or a grid, got 'g'", function() wend.load(file, { map = "g" }) end)
  end)

  it("that are damaged are refused", function()
    local g = small_graph()
    damaged(g:routes():encode(), 1, { map = g })
  end)
end)
