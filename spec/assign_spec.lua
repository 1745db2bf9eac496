-- SPDX-License-Identifier: MIT
-- grid:assign: cells from the numbers of a host.
local helper = require "spec.support.helper"
local wend = require "wend"

local all_raise, raises = helper.all_raise, helper.raises
local has_ffi, ffi = pcall(require, "ffi")

local values = { [0] = 1, [1] = false, [2] = "mud", [7] = { weight = 4, tag = "hill" }, [200] = 2.5 }
local text_of = { ["."] = "\0", ["#"] = "\1", ["~"] = "\2", ["^"] = "\7", [","] = "\200" }

-- The bytes of a drawing, row by row.
local function bytes(drawing) return (drawing:gsub("%s", ""):gsub(".", text_of)) end

-- A number in so many bytes, as the machine has it: these specs run where the least byte comes first.
local function number(n, size)
  if size == 1 then return string.char(n) end
  if size == 2 then return string.char(n % 256, math.floor(n / 256)) end
  return string.char(n % 256, math.floor(n / 256) % 256, math.floor(n / 65536) % 256, math.floor(n / 16777216))
end

local function numbers(list, size)
  local parts = {}
  for i, n in ipairs(list) do parts[i] = number(n, size) end
  return table.concat(parts)
end

local little = string.dump(function() end):byte(7) == 1 or not string.pack or string.pack("=I2", 1) == "\1\0"

-- The values of all cells.
local function cells(grid)
  local list = {}
  for y = 1, grid:height() do
    for x = 1, grid:width() do
      local weight, tag = grid:get(x, y)
      list[#list + 1] = ("%s %s %s"):format(tostring(weight), tostring(tag), tostring(grid:weight(x, y)))
    end
  end
  return table.concat(list, "\n")
end

describe("grid:assign", function()
  it("gives cells the values of the bytes of a string", function()
    local grid = wend.grid(4, 2)
    assert.equal(grid, grid:assign(bytes ".#~^ ,..#", values))
    local like = wend.grid(4, 2):set(2, 1, false):set(3, 1, "mud"):set(4, 1, 4, "hill"):set(1, 2, 2.5):set(4, 2, false)
    assert.equal(cells(like), cells(grid))
    assert.same({ mud = 1, hill = 1 }, (grid:tags()))
  end)

  it("reads numbers of 2 and 4 bytes", function()
    if not little then return pending "the greatest byte of a number comes first" end
    local grid = wend.grid(3, 1)
    grid:assign(numbers({ 300, 65535, 0 }, 2), { [300] = 3, [65535] = false, [0] = 1 }, { bytes = 2 })
    assert.same({ 3, false, 1 }, { grid:get(1, 1), (grid:get(2, 1)), (grid:get(3, 1)) })
    grid:assign(numbers({ 4294967295, 65536, 5 }, 4), { [4294967295] = 5, [65536] = "mud", [5] = 7 }, { bytes = 4 })
    assert.same({ 5, 1, 7 }, { (grid:get(1, 1)), (grid:get(2, 1)), (grid:get(3, 1)) })
    raises("values has nothing for 4294967294, the number of cell (2,1)", grid.assign, grid,
      numbers({ 65536, 4294967294, 5 }, 4), { [65536] = 1, [5] = 1, [4294967295] = 1 }, { bytes = 4 })
  end)

  it("fills a rectangle between two opposite corners", function()
    for _, area in ipairs { { 2, 2, 3, 3 }, { 3, 3, 2, 2 }, { 3, 2, 2, 3 } } do
      local grid = wend.grid(4, 4):assign(bytes "#~ ^#", values, { area = area })
      local like = wend.grid(4, 4):set(2, 2, false):set(3, 2, "mud"):set(2, 3, 4, "hill"):set(3, 3, false)
      assert.equal(cells(like), cells(grid))
    end
  end)

  it("reads the rows of a wider map by stride and length", function()
    local host = bytes "....# .#~.# ..^## ....."
    local grid = wend.grid(3, 2):assign(host:sub(6), values, { stride = 5 })
    assert.equal(cells(wend.grid(3, 2):assign(bytes ".#~ ..^", values)), cells(grid))
    grid:assign(host, values, { stride = 5, length = 8 })
    assert.equal(cells(wend.grid(3, 2):assign(bytes "... .#~", values)), cells(grid))
    raises("data must have at least 8 bytes, got 7", grid.assign, grid, host, values, { stride = 5, length = 7 })
  end)

  it("changes only cells that differ", function()
    local grid = wend.grid(9, 3)
    local data = bytes "......... .#...~... ........."
    grid:assign(data, values)
    local path, near = grid:path(1, 1, 9, 1), grid:path(1, 3, 3, 3)
    local field, before = grid:field(1, 1), grid:encode()
    grid:assign(data, values)
    assert.equal(true, path:valid() and field:valid())
    assert.equal(before, grid:encode())
    grid:assign(bytes "........# .#...~... .........", values)
    assert.equal(false, path:valid())
    assert.equal(true, near:valid())
    assert.equal(false, field:valid())
  end)

  it("is seen by fields that are mended, watches, prepared maps and searches in slices", function()
    local grid = wend.grid(40, 40)
    local open, wall = ("\0"):rep(1600), ("\0"):rep(19) .. "\1" .. ("\0"):rep(20)
    local data = wall:rep(39) .. ("\0"):rep(40)
    grid:prepare()
    local field, watched = grid:field(1, 1), grid:path(1, 1, 40, 1)
    local search = grid:search(1, 1, 40, 1)
    search:step(5)
    grid:assign(data, values)
    field:update()
    local like = wend.grid(40, 40):fill(20, 1, 20, 39, false)
    local expected = like:path(1, 1, 40, 1).cost
    assert.near(expected, grid:path(1, 1, 40, 1).cost, 1e-9)
    assert.near(expected, field:cost(40, 1), 1e-9)
    assert.equal(false, watched:valid())
    while search:step(1000) == "running" do end
    assert.equal(39, search:result().cost)
    grid:assign(open, values)
    assert.equal(39, grid:path(1, 1, 40, 1).cost)
    field:update()
    assert.equal(39, field:cost(40, 1))
  end)

  it("works on hexes and overlays, and overlays of the map follow it", function()
    local shapes = { { shape = "hex" }, { shape = "hex", flat = true, shift = "even" }, { diagonals = "never" } }
    for _, opts in ipairs(shapes) do
      local grid = wend.grid(5, 3, opts)
      local overlay = grid:overlay():set(2, 2, 9)
      grid:assign(bytes "..#.. .#~.. .^#..", values)
      assert.equal(9, (overlay:get(2, 2)))
      assert.equal(false, (overlay:get(3, 1)))
      overlay:assign(bytes "..#.. .#~.. .^#.#", values)
      assert.equal(false, (overlay:get(2, 2)))
      assert.equal(1, (grid:get(5, 3)))
      grid:assign(bytes "....# ..... .....", values)
      assert.same({ 1, false }, { (overlay:get(3, 1)), (overlay:get(5, 1)) })
      assert.same({ false, false }, { (overlay:get(5, 3)), (overlay:get(2, 2)) })
    end
  end)

  it("leaves the grid as it is when a number has no value", function()
    local grid = wend.grid(3, 2):set(1, 1, 3)
    local before = cells(grid)
    raises("values has nothing for 9, the number of cell (2,2)", grid.assign, grid, "\0\1\2\0\9\0", values)
    assert.equal(before, cells(grid))
    raises("values has nothing for 0, the number of cell (2,2)", grid.assign, grid, "\0", {}, { area = { 2, 2, 2, 2 } })
    local path = grid:path(1, 1, 3, 1)
    raises("values has nothing for 9, the number of cell (3,2)", grid.assign, grid, "\1\1\1\1\1\9", values)
    assert.equal(true, path:valid())
  end)

  it("can give every cell a value of its own #many", function()
    if not little then return pending "the greatest byte of a number comes first" end
    local list, many = {}, {}
    for i = 1, 280 * 250 do list[i], many[i] = i, i / 8 end
    local grid = wend.grid(280, 250)
    grid:assign(numbers(list, 4), many, { bytes = 4 })
    assert.same({ 1 / 8, 70000 / 8 }, { grid:get(1, 1), (grid:get(280, 250)) })
    list[5], list[70000] = 70000, 1
    grid:assign(numbers(list, 4), many, { bytes = 4 })
    assert.same({ 70000 / 8, 6 / 8, 1 / 8 }, { (grid:get(5, 1)), (grid:get(6, 1)), (grid:get(280, 250)) })
    raises("values has nothing for 70001, the number of cell (1,1)", grid.assign, grid, number(70001, 4), many,
      { bytes = 4, area = { 1, 1, 1, 1 } })
  end)

  it("makes no garbage with up to 64 values #memory", function()
    local grid, a, b = wend.grid(64, 64), ("\0\1"):rep(2048), ("\2\7"):rep(2048)
    local opts = { bytes = 1 }
    assert.equal(0, helper.garbage(2, 20, function(times)
      for _ = 1, times do grid:assign(a, values, opts):assign(b, values, opts) end
    end))
  end)

  it("reads a cdata of LuaJIT", function()
    if not has_ffi then return pending "no ffi" end
    local list = ffi.new("uint16_t[6]", { 0, 1, 0, 2, 0, 7 })
    local like = wend.grid(3, 2):assign(bytes ".#. ~.^", values)
    local function made(data) return cells(wend.grid(3, 2):assign(data, values, { bytes = 2, length = 12 })) end
    assert.equal(cells(like), made(list))
    assert.equal(cells(like), made(ffi.cast("uint16_t *", list)))
    local grid = wend.grid(3, 2)
    raises("a pointer needs the option 'length', in bytes", grid.assign, grid, list, values, { bytes = 2 })
    raises("data must have at least 12 bytes, got 11", grid.assign, grid, list, values, { bytes = 2, length = 11 })
    raises("data must be a string, a Data of LÖVE, or a pointer with the option length, got a cdata", grid.assign, grid,
      ffi.cast("void *", 0), values, { length = 6 })
  end)

  it("equals a loop of grid:set", function()
    helper.rounds("assign", 30, function(rng)
      local shapes = { nil, { diagonals = "never" }, { shape = "hex", flat = rng:chance(0.5) } }
      local opts = shapes[rng(3)]
      local grid, known = wend.grid(rng(70), rng(9), opts), {}
      local chosen = { 1, 2, false, "mud", "hill", { weight = 3, tag = "mud" }, { weight = false, tag = "ice" },
        { weight = 2, closed = true }, math.huge, 0, 0.1 }
      local size, list = rng:pick { 1, 1, little and 2 or 1, little and 4 or 1 }, {}
      for i = 1, rng(12) do
        list[i] = rng(0, rng:pick { 3, 255, 256 ^ size - 1 })
        known[list[i]] = rng:pick(chosen)
      end
      for i = 1, #chosen do grid:set(1, 1, chosen[i]) end -- so that both maps number tags alike
      grid:set(1, 1, 1)
      if rng:chance(0.3) then grid:prepare() end
      local like = grid:copy()
      if rng:chance(0.3) then grid, like = grid:overlay(), like:overlay() end
      for _ = 1, 6 do
        local x1, x2, y1, y2 = rng(grid:width()), rng(grid:width()), rng(grid:height()), rng(grid:height())
        if x1 > x2 then x1, x2 = x2, x1 end
        if y1 > y2 then y1, y2 = y2, y1 end
        local columns, gap, parts = x2 - x1 + 1, rng(0, 3), {}
        local field = like:field(x1, y1)
        local mended = grid:field(x1, y1)
        local changed, path, other = 0, grid:path(x1, y1, x2, y2), like:path(x1, y1, x2, y2)
        local few = rng:chance(0.5) and list[1]
        for y = y1, y2 do
          for x = x1, x2 do
            local n = few and rng:chance(0.9) and few or rng:pick(list)
            parts[#parts + 1] = number(n, size)
            local weight, tag = like:get(x, y)
            local single = wend.grid(1, 1):set(1, 1, known[n])
            local new_weight, new_tag = single:get(1, 1)
            if weight ~= new_weight or tag ~= new_tag or like:weight(x, y) ~= single:weight(1, 1) then
              like:set(x, y, known[n])
              changed = changed + 1
            end
          end
          parts[#parts + 1] = ("\255"):rep(gap)
        end
        grid:assign(table.concat(parts), known,
          { area = { x1, y1, x2, y2 }, bytes = size, stride = columns * size + gap })
        assert.equal(cells(like), cells(grid))
        assert.equal(like:encode { prepared = false }, grid:encode { prepared = false })
        if path then assert.equal(other:valid(), path:valid()) end
        assert.equal(changed == 0, mended:valid())
        field:update()
        mended:update()
        for x = 1, grid:width(), 3 do assert.equal(field:cost(x, y2), mended:cost(x, y2)) end
        local a, b = grid:path(1, 1, grid:width(), grid:height()), like:path(1, 1, grid:width(), grid:height())
        assert.near(b and b.cost or 0, a and a.cost or 0, 1e-9)
      end
    end)
  end)

  describe("Errors", function()
    local grid = wend.grid(3, 2)
    local six = ("\0"):rep(6)
    local WANTED = "data must be a string, a Data of LÖVE, or a pointer with the option length, got "
    local nan = 0 / 0
    local KEY = "a key of values must be a whole number in 0 .. 4294967295, got "
    local VALUE = " must be a number >= 0, false, a tag or { weight =, tag = }, got "
    local function try(...)
      local data, known, opts = ...
      return function() grid:assign(data, known, opts) end
    end
    local function with(opts) return try(six, values, opts) end
    all_raise(it, {
      "data must have 6 bytes, got 5", try("\0\0\0\0\0", values),
      "data must have 6 bytes, got 7", try(six .. "\0", values),
      "data must have 12 bytes, got 6", with({ bytes = 2 }),
      "data must have 24 bytes, got 6", with({ bytes = 4 }),
      "data must have 2 bytes, got 6", with({ area = { 1, 1, 2, 1 } }),
      "data must have at least 8 bytes, got 6", with({ stride = 5 }),
      "data must have at least 6 bytes, got 5", with({ length = 5 }),
      "length must be at most 6, the bytes of the data, got 7", with({ length = 7 }),
      WANTED .. "nil", try(nil, values),
      WANTED .. "7", try(7, values),
      WANTED .. "a table", try({}, values),
      WANTED .. "a function", try(print, values),
      WANTED .. "a ...", try(io.stdout, values),
      WANTED .. "a wend.Grid", try(grid, values),
      "values must be a table of cell values by number, got nil", try(six),
      "values must be a table of cell values by number, got 'x'", try(six, "x"),
      KEY .. "'a'", try(six, { a = 1 }),
      KEY .. "-1", try(six, { [-1] = 1 }),
      KEY .. "4294967296", try(six, { [4294967296] = 1 }),
      KEY .. "0.5", try(six, { [0.5] = 1 }),
      "values[0]" .. VALUE .. "-1", try(six, { [0] = -1 }),
      "values[0]" .. VALUE .. "nan", try(six, { [0] = nan }),
      "values[3]" .. VALUE .. "true", try(six, { [0] = 1, [3] = true }),
      "area must be a rectangle { x1, y1, x2, y2 }, got 5", with({ area = 5 }),
      "area must be a rectangle { x1, y1, x2, y2 }, got a table", with({ area = { 1, 1 } }),
      "area[1] must be a whole number in 1 .. 3, got 0", with({ area = { 0, 1, 3, 2 } }),
      "area[3] must be a whole number in 1 .. 3, got 4", with({ area = { 1, 1, 4, 2 } }),
      "area[4] must be a whole number in 1 .. 2, got 3", with({ area = { 1, 1, 3, 3 } }),
      "area[2] must be a whole number in 1 .. 2, got nan", with({ area = { 1, nan, 3, 2 } }),
      "area[2] must be a whole number in 1 .. 2, got 1.5", with({ area = { 1, 1.5, 3, 2 } }),
      "bytes must be 1, 2 or 4, got 3", with({ bytes = 3 }),
      "bytes must be 1, 2 or 4, got nan", with({ bytes = nan }),
      "bytes must be 1, 2 or 4, got '1'", with({ bytes = "1" }),
      "stride must be a whole number in 3 .. 4294967295, got 2", with({ stride = 2 }),
      "stride must be a whole number in 6 .. 4294967295, got 5", with({ stride = 5, bytes = 2 }),
      "stride must be a whole number in 3 .. 4294967295, got inf", with({ stride = math.huge }),
      "length must be a whole number in 0 .. 9007199254740992, got -1", with({ length = -1 }),
      "unknown option 'width' (expected one of: area, bytes, stride, length)", with({ width = 3 }),
    })

    it("raises while the grid is searched, and when a method of the data has freed it", function()
      local map = wend.grid(3, 1)
      local message
      map:set(2, 1, "mud")
      map:path(1, 1, 3, 1, { costs = wend.costs { mud = function()
        message = select(2, pcall(map.assign, map, "\0\0\0", values))
        return 1
      end } })
      assert.matches("is being searched", message)
      if not has_ffi then return end
      local data, memory = newproxy(true), ffi.new "uint8_t[3]" -- luacheck: ignore 113
      getmetatable(data).__index = { getSize = function()
        debug.getmetatable(map).__gc(map)
        return 3
      end, getFFIPointer = function() return memory end }
      raises("the grid is gone", map.assign, map, data, values)
    end)

    it("runs no script but methods of the data, also where values have metatables", function()
      local map = wend.grid(3, 1)
      local trap = { __index = function() error "a script ran" end, __pairs = function() error "a script ran" end }
      local value = setmetatable({ weight = 2 }, trap)
      map:assign("\0\0\1", setmetatable({ [0] = value, [1] = 7 }, trap), setmetatable({ bytes = 1 }, trap))
      assert.same({ 2, 2, 7 }, { (map:get(1, 1)), (map:get(2, 1)), (map:get(3, 1)) })
    end)
  end)
end)
