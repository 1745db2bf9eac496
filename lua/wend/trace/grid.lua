-- SPDX-License-Identifier: MIT
-- wend.trace on grids: records a search from cell to cell.
--
-- A search of a grid has many steps, so a step does not keep its table: the trace keeps the rows that each step has
-- changed, and the table of a step is put together when it is read.
--
--   step       start (1,1)   update (1,1)      visit (2,1)   update (2,1)    ...
--   changes    row of (1,1)  rows of (2,1) ..  row of (2,1)  rows of (3,1) ..
--
-- An expansion changes only the cells beside the expanded cell, and those that links lead to. The expanded cell is
-- looked for among the cells that were reached and not visited.

local core = require "wend.core"
local check = require "wend.check"
local format = require "wend.trace.format"

local call = check.call
local grids = {}

local recorded = setmetatable({}, { __mode = "k" }) -- by step: { record, number of the step }

-- Reading ----------------------------------------------------------------------------------------------------------

--- Whether a step is one of a grid.
function grids.is_step(step)
  return recorded[step] ~= nil
end

--- The rows of all cells that were reached, in reading order.
-- @param step a step of a grid
function grids.table_of(step)
  local record, number = recorded[step][1], recorded[step][2]
  local rows, cells = {}, {}
  for i = 1, number do
    for _, row in ipairs(record.changes[i]) do
      local cell = (row.y - 1) * record.wide + row.x
      if not rows[cell] then
        cells[#cells + 1] = cell
      end
      rows[cell] = row
    end
  end
  table.sort(cells)
  for i, cell in ipairs(cells) do
    cells[i] = rows[cell]
  end
  return cells
end

--- The characters of each row of a drawing. A character is a code point in UTF-8, or a byte.
local function characters_of(drawing)
  local lines = {}
  for line in (drawing .. "\n"):gmatch "(.-)\n" do
    local characters = {}
    for character in line:gmatch "[^\128-\191][\128-\191]*" do
      characters[#characters + 1] = character
    end
    lines[#lines + 1] = characters
  end
  return lines
end

--- The drawing of the grid when it was searched. @: the cell of the step; o: visited; +: reached, not visited.
-- @param step a step of a grid
function grids.map_of(step)
  local lines = characters_of(recorded[step][1].drawing)
  local function mark(x, y, character)
    local line = lines[y]
    if line and line[x] then
      line[x] = character
    end
  end
  for _, row in ipairs(grids.table_of(step)) do
    mark(row.x, row.y, row.visit and "o" or "+")
  end
  mark(step.x, step.y, "@")
  for i, characters in ipairs(lines) do
    lines[i] = table.concat(characters)
  end
  return table.concat(lines, "\n")
end

-- Watching ---------------------------------------------------------------------------------------------------------

--- The cells that links lead to, by the cell where they begin.
local function links_of(grid, wide)
  local links = {}
  for x1, y1, x2, y2 in grid:links() do
    local from = (y1 - 1) * wide + x1
    links[from] = links[from] or {}
    table.insert(links[from], (y2 - 1) * wide + x2)
  end
  return links
end

--- What a search has found so far.
local function new_state()
  return { labels = {}, frontier = {}, expansions = {} }
end

--- Reads the label of a cell again, and appends the cell to a list if it has changed.
local function look_at(state, search, cell, wide, changed)
  local x, y = (cell - 1) % wide + 1, math.floor((cell - 1) / wide) + 1
  local visit, cost, before_x, before_y = core.label(search, x, y)
  local label = state.labels[cell]
  if not visit then
    return
  elseif not label then
    state.frontier[cell] = true
  elseif label.cost == cost and label.before_x == before_x and label.before_y == before_y then
    return
  end
  state.labels[cell] = { x = x, y = y, cost = cost, before_x = before_x, before_y = before_y }
  changed[#changed + 1] = cell
end

--- The cells beside a cell, and those that its links lead to.
local function around(cell, wide, high, links)
  local cells, x, y = {}, (cell - 1) % wide + 1, math.floor((cell - 1) / wide) + 1
  for to_y = math.max(1, y - 1), math.min(high, y + 1) do
    for to_x = math.max(1, x - 1), math.min(wide, x + 1) do
      cells[#cells + 1] = (to_y - 1) * wide + to_x
    end
  end
  for _, to in ipairs(links[cell] or {}) do
    cells[#cells + 1] = to
  end
  return cells
end

--- The cell that was expanded for the first time just now; nil: there is none.
local function newest(state, search, wide)
  local first, found = math.huge, nil
  for cell in pairs(state.frontier) do
    local visit = core.label(search, (cell - 1) % wide + 1, math.floor((cell - 1) / wide) + 1)
    if visit and visit > 0 and visit < first then
      first, found = visit, cell
    end
  end
  return found
end

--- Notes one expansion: { cell = the cell, again = whether it was expanded before, labels = those that have changed }.
local function note(state, search, size)
  local cell, cells, changed = newest(state, search, size.wide), {}, {}
  if cell then
    state.frontier[cell] = nil
    cells = around(cell, size.wide, size.high, size.links)
  else -- it was expanded before: any cell may have changed
    for i = 1, size.wide * size.high do
      cells[i] = i
    end
  end
  for _, to in ipairs(cells) do
    look_at(state, search, to, size.wide, changed)
  end
  local expansion = { cell = cell, again = not cell, labels = {} }
  for i, to in ipairs(changed) do
    expansion.labels[i] = state.labels[to]
  end
  if not cell and changed[1] then
    local label = state.labels[changed[1]]
    expansion.cell = (label.before_y - 1) * size.wide + label.before_x
  end
  state.expansions[#state.expansions + 1] = expansion
end

--- Runs the search.
-- @return the expansions; the path, or nil; a message; a code. Stale: nil, nil, message, code
local function watch(search, stats, size)
  local state = new_state()
  local path, message, code
  repeat
    local status = call(search.step, search, 1)
    if status ~= "running" then
      path, message, code = call(search.path, search)
      if code == "stale" then
        return nil, nil, message, code
      end
    end
    local count = #state.expansions
    if stats.expanded <= count and status == "running" or stats.expanded < count then
      state = new_state() -- a rule has failed; the search has begun again without it
    end
    if stats.expanded > #state.expansions then
      if #state.expansions == 0 then
        local start = (size.y - 1) * size.wide + size.x
        state.frontier[start], state.labels[start] = true, { x = size.x, y = size.y, cost = 0 }
      end
      note(state, search, size)
    end
  until status ~= "running"
  return state.expansions, path, message, code
end

-- Recording --------------------------------------------------------------------------------------------------------

--- Whether a script can read fields of a value.
local function has_fields(value)
  local kind = type(value)
  return kind == "table" or kind == "userdata" and getmetatable(value) ~= nil or kind == "cdata"
end

--- Splits the arguments of grid:path: x1, y1, x2, y2, options; each cell may be one value, and x2, y2 a list of cells.
-- @return the arguments before the options, the start as numbers; their number; the options
local function split(...)
  local list, count = { ... }, select("#", ...)
  if has_fields(list[1]) then
    local x = list[1].x
    if x ~= nil then -- otherwise the core raises
      local y = list[1].y
      for i = count, 2, -1 do
        list[i + 1] = list[i]
      end
      list[1], list[2], count = x, y, count + 1
    end
  end
  local at = type(list[1]) == "number" and 3 or 2
  at = at + (type(list[at]) == "number" and 2 or 1)
  local options = list[at]
  for i = at, math.max(at, count) do
    list[i] = nil
  end
  return list, at - 1, options
end

--- Records a search on a grid.
-- @param names the options that a trace has
-- @param make function (fields) that makes a step
-- @return a list of steps with the fields of a trace; or nil, message, code
function grids.record(names, make, grid, ...)
  local unpack = table.unpack or unpack -- luacheck: ignore 113 143
  local given, count, options = split(...)
  check.options(options, names)
  local stats = { expanded = 0 }
  local settings = { stats = stats }
  for _, name in ipairs(names) do
    settings[name] = options and options[name]
  end
  given[count + 1] = settings
  local search = call(core.watch, grid, unpack(given, 1, count + 1))
  local wide, high = grid:width(), grid:height()
  local size = { wide = wide, high = high, x = given[1], y = given[2], links = links_of(grid, wide) }
  local record = { wide = wide, changes = {}, drawing = core.draw(grid, 1, 1, wide, high, {}) }
  local expansions, path, message, code = watch(search, stats, size)
  if not expansions then
    return nil, message, code
  end

  local trace = { found = path ~= nil, path = path, cost = path and path.cost, message = message }
  local rows, visits, rounds = {}, 0, 0
  local goal = path and (path[#path] - 1) * wide + path[#path - 1]

  --- Adds a step about a cell, with new rows for these cells.
  local function add(kind, x, y, title, labels)
    local changes = {}
    for i, label in ipairs(labels) do
      local cell = (label.y - 1) * wide + label.x
      local old = rows[cell] or {}
      local row = { x = label.x, y = label.y, visit = label.visit or old.visit, temporary = label.cost,
        previous_x = label.before_x, previous_y = label.before_y }
      row.distance = row.visit and label.cost
      rows[cell], changes[i] = row, row
    end
    record.changes[#record.changes + 1] = changes
    local step = make { kind = kind, x = x, y = y, start_x = size.x, start_y = size.y, title = title }
    recorded[step] = { record, #record.changes }
    trace[#trace + 1] = step
  end
  local function visit(x, y)
    local row = rows[(y - 1) * wide + x] or { temporary = 0 }
    visits = visits + 1
    local label = { x = x, y = y, visit = visits, cost = row.temporary, before_x = row.previous_x,
      before_y = row.previous_y }
    if visits == 1 then
      add("start", x, y, "Step 0 & 2: the start is " .. format.cell(x, y), { label })
    else
      add("visit", x, y, ("Step 4 (%s): the next is %s"):format(format.roman(rounds), format.cell(x, y)), { label })
    end
  end

  for _, expansion in ipairs(expansions) do
    local cell = expansion.cell
    if cell and cell ~= goal then
      local x, y = (cell - 1) % wide + 1, math.floor((cell - 1) / wide) + 1
      if not expansion.again then
        visit(x, y)
      end
      rounds = rounds + 1
      add("update", x, y, ("Step 3 (%s): what can be reached from %s"):format(format.roman(rounds), format.cell(x, y)),
        expansion.labels)
    end
  end
  if path then
    visit(path[#path - 1], path[#path])
  end
  return trace
end

return grids
