-- SPDX-License-Identifier: MIT
--- Readers for the grid maps and problems of the Moving AI Lab (.map, .scen). A reader reads the whole file, parses it
--- into lists, and then makes the grid. So a damaged file never gives a part of a map.

local core = require "wend.core"
local check = require "wend.check"
local foreign = require "wend.import.foreign"

local read = {}

local contents, guarded, integer, format_failure = foreign.contents, foreign.guarded, foreign.integer, foreign.damaged

local SHOWN_MAX = 40                -- bytes of a file's text in a message
local CELLS_MAX = 2147483647        -- cells of a grid, including the margin around it

local KINDS = {
  max_bytes = { be = "a number >= 1", holds = function(value) return type(value) == "number" and value >= 1 end },
}
local OPTIONS = { "max_bytes", kinds = KINDS }
local MAP_OPTIONS = { "diagonals", "diagonal_length", "cell", "origin", "projection", "max_bytes", kinds = KINDS }

-- The letters of Moving AI maps. All other characters are errors.
local TERRAIN = {
  ["."] = "ground", G = "ground", S = "swamp", W = "water", T = false, O = false, ["@"] = false,
}

---Checks the arguments of a reader. Returns the limit of the size of an unpacked file.
local function check_arguments(file, opts, names)
  check.must(type(file) == "string", "file", "a file's name", file)
  check.options(opts, names)
  return opts and opts.max_bytes or foreign.MAX_BYTES
end

---Text of a file for a message: in quotes, on one line, cut if it is long.
local function shown(text)
  local more = #text > SHOWN_MAX
  text = check.cut(text, SHOWN_MAX):gsub("%c", "?")
  return "'" .. text .. (more and "...'" or "'")
end

---The line that begins at a byte, without its end, and the beginning of the next line. nil: the data ends here.
local function line_at(data, at)
  if at > #data then return nil end
  local stop = data:find("\n", at, true) or #data + 1
  local last = stop - 1
  if data:byte(last) == 13 and last >= at then last = last - 1 end
  return data:sub(at, last), stop + 1
end

---Parses the lines before the rows. Returns width, height and the beginning of the rows.
local function parse_map_header(file, data)
  local at, size = 1, {}
  for number, wanted in ipairs { "type octile", "height", "width", "map" } do
    local line, after = line_at(data, at)
    local words = (line or ""):gsub("[ \t]+", " "):gsub(" $", "")
    local sized = number == 2 or number == 3
    if sized then
      size[wanted] = integer(words:match("^" .. wanted .. " (%d+)$"))
    end
    if sized and (size[wanted] or 0) < 1 or not sized and words ~= wanted then
      format_failure("%s: line %d: expected %s, got %s", file, number,
        (sized and "'%s N' with N >= 1" or "'%s'"):format(wanted), line and shown(line) or "the end")
    end
    at = after
  end
  return size.width, size.height, at
end

---Parses a grid map and makes its grid.
local function parse_map(file, max_bytes, opts)
  local data = contents(file, max_bytes)
  local width, height, at = parse_map_header(file, data)
  if width + 1 > (CELLS_MAX - 1) / (height + 2) then
    format_failure("%s: expected up to %d cells, got %.0f x %.0f", file, CELLS_MAX, width, height)
  end

  local rows = {}
  for row = 1, height do
    local line, after = line_at(data, at)
    if not line then format_failure("%s: expected %d rows, got %d", file, height, row - 1) end
    if #line ~= width then
      format_failure("%s: row %d: expected %d characters, got %d", file, row, width, #line)
    end
    rows[row], at = line, after
  end
  local rest = data:find("%S", at)
  if rest then
    format_failure("%s: expected the end after row %d, got %s", file, height, shown((line_at(data, rest))))
  end

  -- parse_grid knows '#', but these maps do not have it. For every other unknown letter parse_grid raises. Only then
  -- are the rows searched for the letter to report.
  local ok, grid = true, nil
  local strange = data:find("#", 1, true)
  if not strange then ok, grid = pcall(core.parse_grid, rows, TERRAIN, opts) end
  if ok and grid then return grid end
  for row, line in ipairs(rows) do
    local column, _, letter = line:find "([^.GSWTO@])"
    if column then
      format_failure("%s: row %d, column %d: expected one of . G S W T O @, got %s", file, row, column,
        letter:find "^[!-~]$" and shown(letter) or "byte " .. letter:byte())
    end
  end
  error(grid, 0)
end

---The nine fields of a problem, separated by blanks or tabs; only by tabs if the name of the map has blanks. nil: there
---are not nine.
local function fields_of(line)
  for _, pattern in ipairs { "%S+", "[^\t]+" } do
    local fields = {}
    for field in line:gmatch(pattern) do fields[#fields + 1] = field end
    if #fields == 9 then return fields end
  end
end

---Parses problems.
local function parse_scen(file, max_bytes)
  local data = contents(file, max_bytes)
  local line, at = line_at(data, 1)
  if not (line or ""):find "^version[ \t]+1%.?0*[ \t]*$" then
    format_failure("%s: line 1: expected 'version 1', got %s", file, line and shown(line) or "the end")
  end
  local problems, number = {}, 1
  line, at = line_at(data, at)
  while line do
    number = number + 1
    if line:find "%S" then
      local fields = fields_of(line)
      local numbers, good = {}, fields ~= nil
      for i = 3, good and 8 or 0 do
        numbers[i] = fields[i]:find "^%d+$" and integer(fields[i])
        good = good and numbers[i]
      end
      local length = good and fields[9]:find "^[%d.eE+-]+$" and tonumber(fields[9])
      if not (length and length >= 0 and length < math.huge) then
        format_failure("%s: line %d: expected 'BUCKET MAP WIDTH HEIGHT X Y X Y LENGTH', got %s", file, number,
          shown(line))
      end
      local width, height = numbers[3], numbers[4]
      for i = 5, 8 do
        local size = i % 2 == 1 and width or height
        if numbers[i] >= size then
          format_failure("%s: line %d: expected %s in 0..%d, got %d", file, number, i % 2 == 1 and "x" or "y", size - 1,
            numbers[i])
        end
      end
      problems[#problems + 1] = {
        numbers[5] + 1, numbers[6] + 1, numbers[7] + 1, numbers[8] + 1,
        length = length, map = fields[2], width = width, height = height,
      }
    end
    line, at = line_at(data, at)
  end
  return problems
end

-- Both readers also read files packed by gzip, which they recognize by the first bytes. `max_bytes` limits the unpacked
-- size, default 64 MiB; a larger file is a "format" failure. They raise if the name is not a string, and for invalid
-- options.

--- wend.read_map(file[, opts]): reads a grid map of the Moving AI Lab. Letters become the tags ground, swamp and water.
--- Trees and cells out of bounds are closed.
-- @return a grid; or nil, a message and "io" or "format"
function read.read_map(file, opts)
  local max_bytes = check_arguments(file, opts, MAP_OPTIONS)
  opts = opts and { diagonals = opts.diagonals, diagonal_length = opts.diagonal_length, cell = opts.cell,
    origin = opts.origin, projection = opts.projection }
  check.call(core.grid, 1, 1, opts)                   -- invalid options raise, whatever the file contains
  return guarded(parse_map, file, max_bytes, opts)
end

--- wend.read_scen(file[, opts]): reads the problems for such a map. Cells are counted from 1.
-- @return a list; or nil, a message and "io" or "format"
function read.read_scen(file, opts)
  return guarded(parse_scen, file, check_arguments(file, opts, OPTIONS))
end

return read
