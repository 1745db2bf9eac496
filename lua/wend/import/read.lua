-- SPDX-License-Identifier: MIT
--- Readers for maps of other programs: bot waypoints (.wpt), DIMACS road networks (.gr, .co), and the grid maps and
--- problems of the Moving AI Lab (.map, .scen).
--
-- A reader reads the whole file, parses it into lists, and then makes the graph or grid. So a damaged file never gives
-- a part of a map. A count in a file never causes a large allocation by itself: the data must be there. Lua 5.1, 5.2
-- and LuaJIT have no string.unpack, so bytes are decoded by arithmetic.

local core = require "wend.core"
local check = require "wend.check"
local disk = require "wend.disk"

local read = {}

local LINKS_MAX = 6                 -- links per waypoint: the games have room for no more
local DIGITS_MAX = 15               -- digits of a number in a text file: with more, a double is not exact
local SPARE_NODES = 1000000         -- vertices without an arc: with more, the count is damaged
local SHOWN_MAX = 40                -- bytes of a file's text in a message
local CELLS_MAX = 2147483647        -- cells of a grid, including the margin around it

local MAX_BYTES = 64 * 1024 * 1024  -- default limit of an unpacked file: a packed megabyte can hold a gigabyte

local OPTIONS = { "max_bytes" }
local MAP_OPTIONS = { "diagonals", "cell", "origin", "projection", "max_bytes" }

-- The letters of Moving AI maps. All other characters are errors.
local TERRAIN = {
  ["."] = "ground", G = "ground", S = "swamp", W = "water", T = false, O = false, ["@"] = false,
}

---Raises unless a value is a string.
---@param value any
local function check_file(value)
  if type(value) == "string" then return end
  local kind = type(value)
  local plain = kind == "nil" or kind == "number" or kind == "boolean"
  error("file must be a file's name, got " .. (plain and tostring(value) or "a " .. kind), 3)
end

-- Both raise a table, so that parsers need not return failures. `guarded` turns it into nil, message, code.
local function io_failure(...) error({ message = string.format(...), code = "io" }, 0) end
local function format_failure(...) error({ message = string.format(...), code = "format" }, 0) end

---Checks the option max_bytes, which all readers have.
---@return number max_bytes
local function check_max_bytes(opts)
  local value = opts and opts.max_bytes
  if value == nil then return MAX_BYTES end
  if type(value) ~= "number" or not (value >= 1) then
    check.fail("max_bytes must be a number >= 1, got %s", check.describe(value))
  end
  return value
end

---Calls a reader. A failure that it raises as a table becomes nil, message, code.
local function guarded(reader, ...)
  local ok, result = pcall(reader, ...)
  if ok then return result end
  if type(result) == "table" and result.code then return nil, result.message, result.code end
  error(result, 0)
end

---Unpacks a gzip stream.
---@return string data
local function gunzip(file, packed, max_bytes)
  local data, size, code = core.unpack(packed, max_bytes)
  if data then return data end
  if code == "budget" then
    format_failure("%s: expected up to %.0f bytes when unpacked, got more (max_bytes allows more)", file, max_bytes)
  end
  format_failure("%s: damaged gzip stream, %.0f bytes could be unpacked", file, size)
end

---Reads a file, and unpacks it if it is packed.
---@return string|nil data nil: there is no such file, and `optional` is set
local function contents(file, max_bytes, optional)
  if file:find("\0", 1, true) then io_failure("cannot read a file with a zero byte in its name") end
  local handle, message, number = disk.open(file, "rb")
  if not handle then
    if optional and number == 2 then return nil end   -- ENOENT: it is missing; other errors are failures
    io_failure("cannot read %s", message)
  end
  local data
  data, message = handle:read "*a"
  handle:close()
  if not data then io_failure("cannot read %s: %s", file, message or "unknown error") end
  if data:sub(1, 2) == "\31\139" then return gunzip(file, data, max_bytes) end
  return data
end

---Decodes four bytes, lowest first, as an IEEE 754 single. nil: it is not finite.
local function float32(b1, b2, b3, b4)
  local exponent = b4 % 128 * 2 + math.floor(b3 / 128)
  local mantissa = (b3 % 128 * 256 + b2) * 256 + b1
  if exponent == 255 then return nil end
  local value
  if exponent == 0 then
    value = mantissa * 2 ^ -149
  else
    value = (1 + mantissa * 2 ^ -23) * 2 ^ (exponent - 127)
  end
  return b4 < 128 and value or -value
end

---Decodes four bytes, lowest first, as a signed integer.
local function int32(b1, b2, b3, b4)
  local value = ((b4 * 256 + b3) * 256 + b2) * 256 + b1
  return b4 < 128 and value or value - 4294967296
end

---Parses bot waypoints. In messages, bytes are counted from 0.
local function parse_wpt(file, max_bytes)
  local data = contents(file, max_bytes)
  local at = 1                                        -- the position in data, from 1

  local function need(bytes, what)
    if at + bytes - 1 > #data then
      format_failure("%s: expected %d bytes of %s at byte %d, got %d", file, bytes, what, at - 1, #data - at + 1)
    end
  end

  need(6, "header")
  local magic = data:sub(1, 4)
  local newer = magic == "RWPT"
  if not newer and magic ~= "OWPT" then
    format_failure("%s: expected OWPT or RWPT at byte 0, got %q", file, magic)
  end
  at = 5
  if newer then
    need(6, "header")
    local version = int32(data:byte(at, at + 3))
    if version ~= 1 then format_failure("%s: expected version 1 at byte %d, got %d", file, at - 1, version) end
    at = at + 4
  end
  local low, high = data:byte(at, at + 1)
  local count = high * 256 + low
  at = at + 2

  local fixed = newer and 17 or 13                    -- position, (flags), number of links
  local points, ends = {}, {}
  for node = 1, count do
    need(fixed, ("waypoint %d of %d"):format(node, count))
    for axis = 0, 2 do
      local value = float32(data:byte(at + axis * 4, at + axis * 4 + 3))
      if not value then
        format_failure("%s: expected a finite number at byte %d", file, at + axis * 4 - 1)
      end
      points[#points + 1] = value
    end
    local links = data:byte(at + fixed - 1)
    if links > LINKS_MAX then
      format_failure("%s: expected 0 to %d links at byte %d, got %d", file, LINKS_MAX, at + fixed - 2, links)
    end
    at = at + fixed
    need(links * 2, ("links of waypoint %d"):format(node))
    for _ = 1, links do
      low, high = data:byte(at, at + 1)
      local to = high * 256 + low
      if to > count then
        format_failure("%s: expected a waypoint in 0..%d at byte %d, got %d", file, count, at - 1, to)
      elseif to > 0 then                              -- 0 means no link
        ends[#ends + 1] = node
        ends[#ends + 1] = to
      end
      at = at + 2
    end
  end
  if at <= #data then
    format_failure("%s: expected the end at byte %d, got %d bytes more", file, at - 1, #data - at + 1)
  end

  local graph = core.graph { dimensions = 3 }
  if count > 0 then graph:add_nodes(points) end
  if #ends > 0 then graph:add_edges(ends, { directed = true }) end
  return graph
end

---Calls handle(kind, rest, fail) for each line that is neither blank nor a comment. `kind` is its first word. `fail`
---raises a failure with the number of the line.
local function each_line(file, data, handle)
  local number = 0
  local function fail(...)
    format_failure("%s: line %d: %s", file, number, string.format(...))
  end
  for line in data:gmatch "([^\n]*)\n?" do
    number = number + 1
    local kind, rest = line:match "^%s*(%S+)%s*(.-)%s*$"
    if kind and kind:sub(1, 1) ~= "c" then handle(kind, rest, fail) end
  end
end

---Converts digits to a number.
---@return integer|nil number nil: `digits` is nil or too long for a double
local function integer(digits)
  return digits and #digits <= DIGITS_MAX and tonumber(digits) or nil
end

---Parses the positions of `count` vertices. Returns a flat list.
local function parse_co(file, data, count)
  local points, announced, seen = {}, nil, 0
  each_line(file, data, function(kind, rest, fail)
    if kind == "p" then
      if announced then fail "expected one line with p" end
      announced = integer(rest:match "^aux%s+sp%s+co%s+(%d+)$")
      if announced ~= count then fail("expected 'p aux sp co %d', got 'p %s'", count, rest) end
    elseif kind == "v" then
      if not announced then fail "expected the line with p before those with v" end
      local node, x, y = rest:match "^(%d+)%s+(%-?%d+)%s+(%-?%d+)$"
      node, x, y = integer(node), integer(x), integer(y)
      if not (node and x and y) then fail("expected 'v NODE X Y', got 'v %s'", rest) end
      if node < 1 or node > count then fail("expected a vertex in 1..%d, got %d", count, node) end
      if points[node * 2] then fail("expected one position for vertex %d, got a second", node) end
      points[node * 2 - 1], points[node * 2] = x, y
      seen = seen + 1
    else
      fail("expected c, p or v, got '%s'", kind)
    end
  end)
  if not announced then format_failure("%s: expected a line 'p aux sp co %d'", file, count) end
  if seen < count then
    local node = 1
    while points[node * 2] do node = node + 1 end
    format_failure("%s: expected %d positions, got %d: vertex %d has none", file, count, seen, node)
  end
  return points
end

---The positions from the .co beside a .gr. A packed .gr prefers a packed .co, and a plain one a plain one.
---@return number[]|nil points nil: there is no .co
local function coordinates(file, count, max_bytes)
  local base, packed = file:match "^(.*)%.gr(.*)$"
  if not base or packed ~= "" and packed ~= ".gz" then return nil end
  for _, suffix in ipairs(packed == "" and { ".co", ".co.gz" } or { ".co.gz", ".co" }) do
    local data = contents(base .. suffix, max_bytes, true)
    if data then return parse_co(base .. suffix, data, count) end
  end
end

---Parses a road network and makes its graph.
local function parse_gr(file, max_bytes)
  local data = contents(file, max_bytes)
  local count, announced
  local arcs, weights = {}, {}
  each_line(file, data, function(kind, rest, fail)
    if kind == "p" then
      if count then fail "expected one line with p" end
      local nodes, listed = rest:match "^sp%s+(%d+)%s+(%d+)$"
      count, announced = integer(nodes), integer(listed)
      if not (count and announced) then fail("expected 'p sp NODES ARCS', got 'p %s'", rest) end
    elseif kind == "a" then
      if not count then fail "expected the line with p before those with a" end
      local from, to, weight = rest:match "^(%d+)%s+(%d+)%s+(%d+)$"
      from, to, weight = integer(from), integer(to), integer(weight)
      if not (from and to and weight) then fail("expected 'a FROM TO WEIGHT', none below 0, got 'a %s'", rest) end
      if from < 1 or from > count then fail("expected a vertex in 1..%d, got %d", count, from) end
      if to < 1 or to > count then fail("expected a vertex in 1..%d, got %d", count, to) end
      arcs[#arcs + 1] = from
      arcs[#arcs + 1] = to
      weights[#weights + 1] = weight
    else
      fail("expected c, p or a, got '%s'", kind)
    end
  end)
  if not count then format_failure("%s: expected a line 'p sp NODES ARCS'", file) end
  if #weights ~= announced then format_failure("%s: expected %d arcs, got %d", file, announced, #weights) end

  local points = coordinates(file, count, max_bytes)
  local graph = core.graph()
  if not points then
    if count > #arcs + SPARE_NODES then
      format_failure("%s: expected up to %d vertices for %d arcs, got %d", file, #arcs + SPARE_NODES, #weights, count)
    end
    for _ = 1, count do graph:add_node() end
  elseif count > 0 then
    graph:add_nodes(points)
  end
  if #weights > 0 then graph:add_edges(arcs, { weights = weights, directed = true }) end
  return graph
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

-- All readers also read files packed by gzip, which they recognize by the first bytes. `max_bytes` limits the unpacked
-- size, default 64 MiB; a larger file is a "format" failure. A .gr and its .co have this limit each. All readers raise
-- if the name is not a string, and for invalid options.

---wend.read_wpt(file[, opts]): reads bot waypoints of Red Eclipse and Cube 2.
---Nodes have the numbers of the waypoints. An edge costs its length.
---@param file string the name of the file
---@param opts wend.ReadOptions|nil
---@return wend.Graph|nil graph 3D, directed
---@return string|nil message
---@return "io"|"format"|nil code
function read.read_wpt(file, opts)
  check_file(file)
  check.options(opts, OPTIONS)
  return guarded(parse_wpt, file, check_max_bytes(opts))
end

---wend.read_gr(file[, opts]): reads a road network of the 9th DIMACS challenge: arcs from X.gr, and positions from X.co
---in the same folder. Nodes have the numbers of the vertices. Without a .co they have no positions.
---@param file string the name of the .gr file
---@param opts wend.ReadOptions|nil
---@return wend.Graph|nil graph 2D, directed
---@return string|nil message
---@return "io"|"format"|nil code
function read.read_gr(file, opts)
  check_file(file)
  check.options(opts, OPTIONS)
  return guarded(parse_gr, file, check_max_bytes(opts))
end

---wend.read_map(file[, opts]): reads a grid map of the Moving AI Lab. Letters become the tags ground, swamp and water.
---Trees and cells out of bounds are closed.
---@param file string the name of the file
---@param opts wend.MapOptions|nil
---@return wend.Grid|nil grid
---@return string|nil message
---@return "io"|"format"|nil code
function read.read_map(file, opts)
  check_file(file)
  check.options(opts, MAP_OPTIONS)
  local max_bytes = check_max_bytes(opts)
  opts = opts and { diagonals = opts.diagonals, cell = opts.cell, origin = opts.origin,
    projection = opts.projection }
  local ok, message = pcall(core.grid, 1, 1, opts)    -- invalid options raise, whatever the file contains
  if not ok then check.fail("%s", message) end
  return guarded(parse_map, file, max_bytes, opts)
end

---wend.read_scen(file[, opts]): reads the problems for such a map.
---@param file string the name of the file
---@param opts wend.ReadOptions|nil
---@return wend.Problem[]|nil problems cells are counted from 1
---@return string|nil message
---@return "io"|"format"|nil code
function read.read_scen(file, opts)
  check_file(file)
  check.options(opts, OPTIONS)
  return guarded(parse_scen, file, check_max_bytes(opts))
end

return read
