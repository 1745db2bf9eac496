-- SPDX-License-Identifier: MIT
-- What the specs of files and the fuzzer share: maps with everything that a map can have, all that there is to a map in
-- text, and bytes that are changed and made to look whole again.

local wend = require "wend"
local helper = require "spec.support.helper"
local grid_reference = require "spec.support.grid_reference"

local file_reference = {}

-- Bytes ------------------------------------------------------------------------------------------------------------

-- The checksum, a byte at a time, with whatever bits this Lua has.
local xor, crc_of
do
  -- The version decides: LuaJIT may parse `>>` and `~`, on 32 bits.
  local fast = _VERSION >= "Lua 5.3" and load [[
    local t = ...
    return function(bytes, from, to)
      local crc = 0xffffffff
      for i = from, to do crc = crc >> 8 ~ t[(crc ~ bytes:byte(i)) & 255] end
      return ~crc & 0xffffffff
    end, function(a, b) return a ~ b end]]
  local has_bit, bit = pcall(require, "bit")
  if not has_bit then bit = rawget(_G, "bit32") end
  local table_of = {}
  if fast then
    crc_of, xor = fast(table_of)
  elseif bit then
    local band, bxor, shift = bit.band, bit.bxor, bit.rshift
    function xor(a, b) return bxor(a, b) % 4294967296 end
    function crc_of(bytes, from, to)
      local crc = 4294967295
      for i = from, to do crc = bxor(shift(crc, 8), table_of[band(bxor(crc, bytes:byte(i)), 255)]) end
      return bxor(crc, 4294967295) % 4294967296
    end
  else
    local small = { [0] = 0 } -- of two bytes
    for i = 1, 65535 do
      local a, b = math.floor(i / 256), i % 256
      small[i] = small[math.floor(a / 2) * 256 + math.floor(b / 2)] * 2 + (a + b) % 2
    end
    function xor(a, b)
      local sum, unit = 0, 1
      while a > 0 or b > 0 do
        sum = sum + unit * small[a % 256 * 256 + b % 256]
        a, b, unit = math.floor(a / 256), math.floor(b / 256), unit * 256
      end
      return sum
    end
    function crc_of(bytes, from, to)
      local a, b, c, d = 255, 255, 255, 255 -- the bytes of the sum, the lowest first
      for i = from, to do
        local row = table_of[small[a * 256 + bytes:byte(i)]]
        local w = row % 256
        local x = (row - w) / 256 % 256
        local z = math.floor(row / 16777216)
        a, b, c, d = small[b * 256 + w], small[c * 256 + x], small[d * 256 + math.floor(row / 65536) % 256], z
      end
      return 4294967295 - (a + b * 256 + c * 65536 + d * 16777216)
    end
  end
  for i = 0, 255 do
    local crc = i
    for _ = 1, 8 do
      local odd = crc % 2 == 1
      crc = math.floor(crc / 2)
      if odd then crc = xor(crc, 0xedb88320) end
    end
    table_of[i] = crc
  end
end

---A whole number as so many bytes, the lowest first.
function file_reference.whole(number, count)
  local list = {}
  for i = 1, count do
    list[i] = string.char(number % 256)
    number = math.floor(number / 256)
  end
  return table.concat(list)
end

---The checksum of a string.
function file_reference.crc(bytes) return crc_of(bytes, 1, #bytes) end

---A whole number of so many bytes, from the byte `at` on.
function file_reference.number(bytes, at, count)
  local number = 0.0 -- a float, which does not wrap around
  for i = count - 1, 0, -1 do number = number * 256 + (bytes:byte(at + i) or 0) end
  return math.floor(number)
end

---The sections of a file: { { id, contents }, ... }. What is left behind the last whole one is lost.
function file_reference.sections(bytes)
  local list, at = {}, 17
  while at + 16 <= #bytes do
    local length = file_reference.number(bytes, at + 4, 8)
    if length > #bytes - at - 15 then break end
    list[#list + 1] = { bytes:sub(at, at + 3), bytes:sub(at + 12, at + 11 + length) }
    at = at + 16 + length
  end
  return list
end

---A file made of sections. head: its first 8 bytes.
function file_reference.pack(head, sections)
  local parts, size = { head, "" }, 16
  for i, section in ipairs(sections) do
    local body = section[1] .. file_reference.whole(#section[2], 8) .. section[2]
    parts[i + 2] = body .. file_reference.whole(crc_of(body, 1, #body), 4)
    size = size + #parts[i + 2]
  end
  parts[2] = file_reference.whole(size, 8)
  return table.concat(parts)
end

---The same bytes with the size and the checksums that such bytes should have, so that what is inside is looked at.
function file_reference.mend(bytes)
  if #bytes < 20 then return bytes end
  local whole = file_reference.pack(bytes:sub(1, 8), file_reference.sections(bytes))
  local rest = bytes:sub(#whole + 1)
  return rest == "" and whole or whole:sub(1, 8) .. file_reference.whole(#bytes, 8) .. whole:sub(17) .. rest
end

---A file with other contents in one section: change(contents) -> contents; nil leaves the section out.
function file_reference.change(bytes, id, change)
  local sections = {}
  for _, section in ipairs(file_reference.sections(bytes)) do
    local contents = section[2]
    if section[1] == id then contents = change(contents) end
    if contents then sections[#sections + 1] = { section[1], contents } end
  end
  return file_reference.pack(bytes:sub(1, 8), sections)
end

---A small grid with a weight and a tag for each cell, as grids of more than 65,535 different cells have them: its
---file has the section VALU in place of KIND and CELL.
function file_reference.without_palette(grid)
  local bytes, kinds = grid:encode(), {}
  for _, section in ipairs(file_reference.sections(bytes)) do
    if section[1] == "KIND" then
      for at = 1, #section[2], 10 do kinds[#kinds + 1] = section[2]:sub(at, at + 9) end
    end
  end
  bytes = file_reference.change(bytes, "KIND", function() return nil end)
  local sections = file_reference.sections(bytes)
  for _, section in ipairs(sections) do
    if section[1] == "CELL" then
      local cells = {}
      for at = 1, #section[2], 2 do cells[#cells + 1] = kinds[file_reference.number(section[2], at, 2) + 1] end
      section[1], section[2] = "VALU", table.concat(cells)
    end
  end
  return assert(wend.decode(file_reference.pack(bytes:sub(1, 8), sections)))
end

---The same bytes with others in place of those from `at` on (from 1).
function file_reference.patch(bytes, at, new) return bytes:sub(1, at - 1) .. new .. bytes:sub(at + #new) end

---Bytes as digits.
function file_reference.hex(bytes)
  return (bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

-- All that there is to a map ------------------------------------------------------------------------------------------

local function text(...)
  local list = { ... }
  for i = 1, select("#", ...) do
    local value = list[i]
    list[i] = type(value) == "number" and ("%.17g"):format(value) or type(value) == "string" and ("%q"):format(value)
      or tostring(value)
  end
  return table.concat(list, " ")
end

---A graph in lines: nodes in their order, with all that they have and the edges that leave them, in that order.
function file_reference.graph_text(g)
  local lines = { text(g:dimensions(), g:node_count(), g:edge_count()) }
  for n in g:nodes() do
    lines[#lines + 1] = text("node", n, g:name(n), g:radius(n), g:is_closed(n), g:position(n))
    for id, to, weight, tag in g:edges(n) do
      local e = g:edge(id)
      lines[#lines + 1] = text("  edge", id, to, weight, tag, e.from, e.to, e.weight, e.tag, e.directed, e.closed,
        e.length, g.is_measured and g:is_measured(id))
    end
  end
  return table.concat(lines, "\n")
end

---A grid in lines: its cells, and which way one can walk from each.
function file_reference.grid_text(grid)
  local lines, hexes = { text(grid:width(), grid:height()), grid:text() }, grid.shape and grid:shape() == "hex"
  local goes = hexes and grid.can_reach or grid.clear
  for y = 1, grid:height() do
    for x = 1, grid:width() do
      lines[#lines + 1] = text(x, y, grid:get(x, y))
      if grid.weight and grid:is_closed(x, y) and grid:weight(x, y) ~= 1 then
        lines[#lines] = lines[#lines] .. " keeps " .. text(grid:weight(x, y))
      end
      for dy = -1, 1 do
        for dx = -1, 1 do
          if x + dx >= 1 and x + dx <= grid:width() and y + dy >= 1 and y + dy <= grid:height() then
            lines[#lines] = lines[#lines] .. (goes(grid, x, y, x + dx, y + dy) and " 1" or " 0")
          end
        end
      end
    end
  end
  for _, name in ipairs { "walls", "links" } do
    if grid[name] then
      for a, b, c, d, e, f, h in grid[name](grid) do lines[#lines + 1] = text(name, a, b, c, d, e, f, h) end
    end
  end
  for _, name in ipairs { "shape", "diagonals", "diagonal_length", "cell_size", "origin", "projection" } do
    if grid[name] and not (hexes and name:find "^diagonal") then lines[#lines + 1] = text(name, grid[name](grid)) end
  end
  return table.concat(lines, "\n")
end

-- Maps with everything ------------------------------------------------------------------------------------------------

---A random graph after random edits: names, radii, moves, closings, removals. Its model is not kept.
---@param opts table|nil as of helper.random_graph; calm: nothing is removed
function file_reference.random_graph(rng, opts)
  local g = helper.random_graph(rng, opts)
  local function nodes()
    local list = {}
    for n in g:nodes() do list[#list + 1] = n end
    return list
  end
  for _ = 1, rng(0, 60) do
    local list = nodes()
    local n = #list > 0 and rng:pick(list)
    local what = n and rng(9) or 1
    if what == 1 then
      local at = rng:chance(0.7) and { rng(0, 100), rng(0, 100), g:dimensions() == 3 and rng(9) or nil } or {}
      g:add_node(at[1], at[2], at[3])
    elseif what == 2 then
      g:add_edge(n, rng:pick(list), { weight = rng(0, 9), tag = rng:pick { "road", "new\0tag\255", "swamp" },
        directed = rng:chance(0.5) })
    elseif what == 3 and not (opts and opts.calm) then
      g:remove_node(n)
    elseif what == 4 and not (opts and opts.calm) then
      local some
      for id in g:edges(n) do some = id end
      if some then g:remove_edge(some) end
    elseif what == 5 then
      local name = rng:pick { "home", "a\0b", "\255\n'", "name " .. rng(50), ("x"):rep(rng(40)) }
      if not g:node(name) then g:set_name(n, name) end
    elseif what == 6 then
      g:set_radius(n, rng(0, 3) / 4)
    elseif what == 7 then
      if g:dimensions() == 3 then g:move(n, rng() * 9, rng(9), -rng(9)) else g:move(n, rng() * 9, -rng(9)) end
    elseif what == 8 then
      for id in g:edges(n) do
        if rng:chance(0.3) then g:set_weight(id, rng() * 7) end
        if rng:chance(0.3) then g:set_tag(id, rng:pick { "rope", "lift" }) end
        if rng:chance(0.2) then g:close_edge(id) end
      end
    else
      g[rng:pick { "close", "open" }](g, n)
    end
  end
  return g
end

---A grid with all that a grid can have.
function file_reference.random_grid(rng, opts)
  local model = grid_reference.random(rng, opts)
  return model.grid, model
end

---A graph of five nodes with one of everything.
function file_reference.small_graph()
  local g = wend.graph()
  local a = g:add_node(0, 0, { name = "gate" })
  local b = g:add_node(3, 4, { radius = 0.5 })
  local c = g:add_node({ name = "\0void\255" })
  local d = g:add_node(-1.5, 0.1)
  g:remove_node(d)
  local e = g:add_node(6, 8)
  g:add_edge(a, b)
  g:add_edge(b, e, { tag = "road", directed = true })
  local gone = g:add_edge(a, e)
  g:add_edge(b, c, { weight = 2.5, tag = "swamp" })
  g:add_edge(e, e, { weight = 0 })
  g:remove_edge(gone)
  g:close_edge(g:add_edge(e, a, { weight = 0.1, directed = true }))
  g:close(e)
  return g
end

---A grid of four by three with one of everything.
function file_reference.small_grid()
  local grid = wend.parse_grid("ab.#\n.Ab.\n....", {
    a = "swamp", b = { weight = 2.5, tag = "road" }, A = { weight = false, tag = "swamp" },
  }, { diagonals = "one_open", cell = 16, origin = { -8, 0.5 } })
  grid:wall(1, 2, 1, 3):wall(3, 1, 4, 2)
  return grid:link(1, 1, 4, 3, { weight = 0.5, tag = "stairs" }):link(2, 3, 1, 3, { directed = true })
end

---The file of a grid of two by three that writes every cell out, as large files do that have too many
---kinds of cells.
function file_reference.plain_cells()
  local whole, one = file_reference.whole, "\0\0\0\0\0\0\240\63"
  return file_reference.pack("WENDR\2\0\0", { { "GRID", whole(2, 4) .. whole(3, 4) .. "\0\0\0\0" },
    { "TAGS", whole(3, 4) .. "mud" }, { "VALU", (one .. "\0\0" .. one .. "\1\0"):rep(3) },
    { "extr", one .. ("\0"):rep(20) } })
end

return file_reference
