-- SPDX-License-Identifier: MIT
-- What the specs of grids and fields measure the module against: a model of a grid in plain tables, its steps by the
-- rules word for word, and a solver that sweeps over them until nothing changes. Cells are numbered in reading order.

local assert = require "luassert"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local grid_reference = {}

local HUGE, SQRT2 = math.huge, math.sqrt(2)

-- Lengths of diagonal steps, to pick from.
grid_reference.LENGTHS = { SQRT2, SQRT2, SQRT2, SQRT2, 1, 1, 1.25, 1.5, 1.9, 2 }
grid_reference.POLICIES = { "both_open", "one_open", "always", "never" }
grid_reference.HEURISTICS = { "auto", "zero", "euclidean", "manhattan", "chebyshev", "octile" }

-- The model --------------------------------------------------------------------------------------------------------

---@class grid_reference.Model
---@field grid wend.Grid what is tested: every edit of the model is made there too
---@field width integer
---@field height integer
---@field diagonals string
---@field diagonal_length number
---@field weight table<integer, number|false> by cell; false: closed
---@field kept table<integer, number> by cell: the weight, also that which a closed cell keeps
---@field tag table<integer, string|nil> by cell
---@field walls table<string, boolean> by the two cells, the smaller first
---@field wall_ends table<string, integer[]> the same: their columns and rows
---@field shut table<string, boolean> the steps that directed walls close, by the two cells: "12>13"
---@field links table<integer, table<integer, table>> by the cell before, then the cell after: { weight, tag }
local Model = {}
Model.__index = Model

---A grid with its model, open everywhere.
function grid_reference.model(width, height, diagonals, diagonal_length)
  local grid = wend.grid(width, height, { diagonals = diagonals, diagonal_length = diagonal_length })
  local model = setmetatable({ width = width, height = height, diagonals = diagonals or "both_open",
    diagonal_length = diagonal_length or SQRT2, weight = {}, kept = {}, tag = {}, walls = {}, wall_ends = {}, shut = {},
    links = {}, grid = grid }, Model)
  for cell = 1, width * height do model.weight[cell], model.kept[cell], model.links[cell] = 1, 1, {} end
  return model
end

function Model:cell(x, y) return (y - 1) * self.width + x end

function Model:at(cell)
  return (cell - 1) % self.width + 1, math.floor((cell - 1) / self.width) + 1
end

function Model:inside(x, y) return x >= 1 and y >= 1 and x <= self.width and y <= self.height end

local function keep(self, x, y, value)
  local weight, tag, closed = value, nil, false
  if type(value) == "string" then
    weight, tag = 1, value
  elseif type(value) == "table" then
    weight, tag, closed = value.weight, value.tag, value.closed
    if weight == nil then weight = 1 end
  end
  local cell = self:cell(x, y)
  if not weight or weight == HUGE then weight, closed = 1, true end
  self.weight[cell], self.kept[cell], self.tag[cell] = not closed and weight, weight, tag
end

function Model:set(x, y, value)
  keep(self, x, y, value)
  self.grid:set(x, y, value)
end

function Model:fill(x1, y1, x2, y2, value)
  for y = math.min(y1, y2), math.max(y1, y2) do
    for x = math.min(x1, x2), math.max(x1, x2) do keep(self, x, y, value) end
  end
  self.grid:fill(x1, y1, x2, y2, value)
end

function Model:close(x1, y1, x2, y2)
  for y = math.min(y1, y2 or y1), math.max(y1, y2 or y1) do
    for x = math.min(x1, x2 or x1), math.max(x1, x2 or x1) do self.weight[self:cell(x, y)] = false end
  end
  self.grid:close(x1, y1, x2, y2)
end

function Model:open(x1, y1, x2, y2)
  for y = math.min(y1, y2 or y1), math.max(y1, y2 or y1) do
    for x = math.min(x1, x2 or x1), math.max(x1, x2 or x1) do
      self.weight[self:cell(x, y)] = self.kept[self:cell(x, y)]
    end
  end
  self.grid:open(x1, y1, x2, y2)
end

function Model:map(fn)
  local values = {}
  for y = 1, self.height do
    for x = 1, self.width do
      local cell = self:cell(x, y)
      values[cell] = fn(x, y)
      if values[cell] ~= nil then keep(self, x, y, values[cell]) end
    end
  end
  self.grid:map(function(x, y) return values[self:cell(x, y)] end)
end

local function between(a, b) return math.min(a, b) .. " " .. math.max(a, b) end

function Model:wall(x1, y1, x2, y2, closed, directed)
  local a, b = self:cell(x1, y1), self:cell(x2, y2)
  local key, out, back = between(a, b), a .. ">" .. b, b .. ">" .. a
  local away, home = closed ~= false, closed ~= false
  if directed then home = self.walls[key] or self.shut[back] or false end
  self.walls[key], self.wall_ends[key] = away and home, { x1, y1, x2, y2 }
  self.shut[out], self.shut[back] = away and not home or nil, home and not away or nil
  self.grid:wall(x1, y1, x2, y2, closed, { directed = directed })
end

function Model:link(x1, y1, x2, y2, opts)
  local a, b = self:cell(x1, y1), self:cell(x2, y2)
  local link = { weight = opts and opts.weight or 1, tag = opts and opts.tag }
  self.links[a][b] = link
  if not (opts and opts.directed) then self.links[b][a] = link end
  self.grid:link(x1, y1, x2, y2, opts)
end

function Model:unlink(x1, y1, x2, y2)
  local a, b = self:cell(x1, y1), self:cell(x2, y2)
  self.links[a][b], self.links[b][a] = nil, nil
  self.grid:unlink(x1, y1, x2, y2)
end

---Whether a wall that is not directed is between two neighbours.
function Model:is_parted(x1, y1, x2, y2)
  return self.walls[between(self:cell(x1, y1), self:cell(x2, y2))] or false
end

---Whether a wall, or a directed one, closes the step between two neighbours.
function Model:has_wall(x1, y1, x2, y2)
  local a, b = self:cell(x1, y1), self:cell(x2, y2)
  return self.walls[between(a, b)] or self.shut[a .. ">" .. b] or false
end

-- The rules --------------------------------------------------------------------------------------------------------

-- How an agent sees the world: `tag(tag)` gives times and plus (times math.huge: closed); `edge(cost, tag, from_x,
-- from_y, to_x, to_y)` what functions about edges make of a cost, math.huge: closed; `size` is its size; `added(x, y)`
-- what layers add to a step of length 1 onto a cell, by all that the agent covers there. All may be left out.

local function seen(view, tag)
  if tag and view and view.tag then return view.tag(tag) end
  return 1, 0
end

-- What it costs to go from one cell to another by something of this weight and tag; math.huge: closed.
local function price(self, view, from, to, weight, tag, added)
  local times, plus = seen(view, tag)
  local cost = times == HUGE and HUGE or weight * times + plus + (added or 0)
  if view and view.edge then
    local x1, y1 = self:at(from)
    local x2, y2 = self:at(to)
    cost = view.edge(cost, tag, x1, y1, x2, y2)
  end
  return cost
end

-- What layers add to a step of this length onto a cell.
local function layers_onto(view, x, y, length) return view and view.added and view.added(x, y) * length or 0 end

-- A step onto a cell: length x weight of the cell x times + plus, and what layers add. added: given for a body.
local function onto(self, view, from, to, length, added)
  if not self.weight[to] then return HUGE end
  if not added then
    local x, y = self:at(to)
    added = layers_onto(view, x, y, length)
  end
  return price(self, view, from, to, length * self.weight[to], self.tag[to], added)
end

---What a part of a line, this long, costs inside the cell x2, y2 that it enters from x1, y1. The step itself is free.
function Model:price_onto(view, x1, y1, x2, y2, length)
  return onto(self, view, self:cell(x1, y1), self:cell(x2, y2), length)
end

local function walled(self, a, b) return self.walls[between(a, b)] or self.shut[a .. ">" .. b] end

-- A way round a diagonal's corner: two straight steps without a wall, both open for the agent.
local function way_round(self, view, policy, from, over, to)
  if walled(self, from, over) or walled(self, over, to) then return false end
  return policy == "always" or onto(self, view, from, over, 1) < HUGE and onto(self, view, over, to, 1) < HUGE
end

-- Calls fn(x, y) for each cell that an agent of that size covers.
local function covered(x, y, size, fn)
  local first = -math.floor((size - 1) / 2)
  for dy = first, first + size - 1 do
    for dx = first, first + size - 1 do fn(x + dx, y + dy) end
  end
end

---Whether an agent with a size has room at a cell: all cells lie inside and are open, without a wall between two.
function Model:room(size, x, y)
  local free, rooms = true, self.rooms
  if rooms and rooms[self:cell(x, y)] ~= nil then return rooms[self:cell(x, y)] end
  covered(x, y, size, function(x1, y1)
    free = free and self:inside(x1, y1) and self.weight[self:cell(x1, y1)] ~= false
    for dx = -1, 1 do -- the neighbours below and to the right, of which the body covers those up to x + size / 2
      local x2, y2, last = x1 + dx, y1 + 1, math.floor(size / 2)
      if free and x2 >= x - last + 1 - size % 2 and x2 <= x + last and y2 <= y + last and self:inside(x2, y2) then
        free = not self.walls[between(self:cell(x1, y1), self:cell(x2, y2))]
      end
    end
    if free and x1 + 1 <= x + math.floor(size / 2) and self:inside(x1 + 1, y1) then
      free = not self.walls[between(self:cell(x1, y1), self:cell(x1 + 1, y1))]
    end
  end)
  if rooms then rooms[self:cell(x, y)] = free end
  return free
end

-- Whether an agent of that size at a cell covers another one.
local function covers(size, x, y, x1, y1)
  local first = -math.floor((size - 1) / 2)
  return x1 - x >= first and y1 - y >= first and x1 - x < first + size and y1 - y < first + size
end

---Whether a wall lies between two cells that an agent covers at a cell, but not at both of two other cells.
function Model:wall_round(size, x, y, before, after)
  for key, ends in pairs(self.wall_ends) do
    local x1, y1, x2, y2 = ends[1], ends[2], ends[3], ends[4]
    if self.walls[key] and covers(size, x, y, x1, y1) and covers(size, x, y, x2, y2)
      and not (covers(size, before[1], before[2], x1, y1) and covers(size, before[1], before[2], x2, y2))
      and not (covers(size, after[1], after[2], x1, y1) and covers(size, after[1], after[2], x2, y2)) then
      return true
    end
  end
  return false
end

---Whether a cell of an agent crosses a wall by a diagonal step. Walls between cells that it covers do not count.
function Model:crosses(size, x1, y1, x2, y2)
  local function cross(x, y, to_x, to_y) -- a part goes from one cell to the other
    return to_x - x == x2 - x1 and to_y - y == y2 - y1 and covers(size, x1, y1, x, y)
      and not covers(size, x1, y1, to_x, to_y) and not covers(size, x2, y2, x, y)
  end
  for key, ends in pairs(self.wall_ends) do
    local a, b, c, d = ends[1], ends[2], ends[3], ends[4]
    if self.walls[key] and (cross(a, b, c, d) or cross(c, d, a, b)) then return true end
  end
  return false
end

---Whether a directed wall closes the step of a cell that an agent covers.
function Model:is_shut(size, x1, y1, x2, y2)
  local shut = false
  if not next(self.shut) then return false end
  covered(x1, y1, size, function(x, y)
    local to_x, to_y = x + x2 - x1, y + y2 - y1
    if self:inside(x, y) and self:inside(to_x, to_y) and self.shut[self:cell(x, y) .. ">" .. self:cell(to_x, to_y)] then
      shut = true
    end
  end)
  return shut
end

-- The same as Model:step for an agent with a size.
local function body_step(self, view, x1, y1, x2, y2, policy)
  if not self:room(view.size, x2, y2) or self:is_shut(view.size, x1, y1, x2, y2) then return HUGE end
  local straight, cost = x1 == x2 or y1 == y2, 0
  if not straight then
    if policy == "never" then return HUGE end
    if next(self.walls) and self:crosses(view.size, x1, y1, x2, y2) then return HUGE end
    local function way(x, y)
      if policy == "always" then
        return not (next(self.walls) and self:wall_round(view.size, x, y, { x1, y1 }, { x2, y2 }))
          and not self:is_shut(view.size, x1, y1, x, y) and not self:is_shut(view.size, x, y, x2, y2)
      end
      return body_step(self, view, x1, y1, x, y, policy) < HUGE and body_step(self, view, x, y, x2, y2, policy) < HUGE
    end
    local one, other = way(x2, y1), way(x1, y2)
    if not (one and other or policy ~= "both_open" and (one or other)) then return HUGE end
  end
  local length = straight and 1 or self.diagonal_length
  local added = layers_onto(view, x2, y2, length)
  covered(x2, y2, view.size, function(x, y)
    local from = self:inside(x + x1 - x2, y + y1 - y2) and self:cell(x + x1 - x2, y + y1 - y2) or self:cell(x1, y1)
    cost = math.max(cost, onto(self, view, from, self:cell(x, y), length, added))
  end)
  return cost
end

---What the step from a cell to its neighbour costs; math.huge: it cannot be taken.
function Model:step(view, x1, y1, x2, y2, policy)
  if view and (view.size or 1) > 1 then return body_step(self, view, x1, y1, x2, y2, policy or self.diagonals) end
  local from, to = self:cell(x1, y1), self:cell(x2, y2)
  policy = policy or self.diagonals
  if walled(self, from, to) then return HUGE end
  if x1 == x2 or y1 == y2 then return onto(self, view, from, to, 1) end
  if policy == "never" then return HUGE end
  local one = way_round(self, view, policy, from, self:cell(x2, y1), to)
  local other = way_round(self, view, policy, from, self:cell(x1, y2), to)
  if not (one and other or policy ~= "both_open" and (one or other)) then return HUGE end
  return onto(self, view, from, to, self.diagonal_length)
end

---All steps: by cell a list { to, cost, to, cost, ... }.
function Model:arcs(view)
  local arcs = {}
  self.rooms = {} -- known meanwhile
  for from = 1, self.width * self.height do
    local list, x, y = {}, self:at(from)
    local function add(to, cost)
      if cost < HUGE then
        list[#list + 1] = to
        list[#list + 1] = cost
      end
    end
    for dy = -1, 1 do
      for dx = -1, 1 do
        if (dx ~= 0 or dy ~= 0) and self:inside(x + dx, y + dy) then
          add(self:cell(x + dx, y + dy), self:step(view, x, y, x + dx, y + dy))
        end
      end
    end
    for to, link in pairs(self.links[from]) do
      local to_x, to_y = self:at(to)
      local open = self.weight[to] and seen(view, self.tag[to]) < HUGE
      if open and view and view.size then
        open = self:room(view.size, to_x, to_y)
        if open then
          covered(to_x, to_y, view.size, function(x1, y1)
            open = open and seen(view, self.tag[self:cell(x1, y1)]) < HUGE
          end)
        end
      end
      if open then
        add(to, price(self, view, from, to, link.weight, link.tag, layers_onto(view, to_x, to_y, 1)))
      end
    end
    arcs[from] = list
  end
  self.rooms = nil
  return arcs
end

---The line between the middles of two cells: a list of cells { x, y, middle }, where `middle` is the middle of the
---line's stretch in the cell, 0 to 1; at the ends the middle of the cell. Where the line passes exactly through a
---corner it goes from cell to cell at a diagonal.
function grid_reference.line(x1, y1, x2, y2)
  local across, down = math.abs(x2 - x1), math.abs(y2 - y1)
  local right, below = x2 > x1 and 1 or -1, y2 > y1 and 1 or -1
  local list, x, y, i, k = { { x1, y1, 0 } }, x1, y1, 1, 1
  local entered
  while i <= across or k <= down do
    -- it leaves the column at (2i - 1) / (2 across) of its length, the row at (2k - 1) / (2 down)
    local column = i <= across and (2 * i - 1) * down or HUGE
    local row = k <= down and (2 * k - 1) * across or HUGE
    local at = column <= row and (2 * i - 1) / (2 * across) or (2 * k - 1) / (2 * down)
    if column <= row then x, i = x + right, i + 1 end
    if row <= column then y, k = y + below, k + 1 end
    if entered then list[#list][3] = (entered + at) / 2 end
    entered = at
    list[#list + 1] = { x, y, 1 }
  end
  return list
end

---The length of a line so many cells wide and high: what the steps between its ends would need, compared with a grid
---whose diagonal steps are as long as they look.
function Model:line_length(width, height)
  local longer, shorter = math.max(math.abs(width), math.abs(height)), math.min(math.abs(width), math.abs(height))
  if shorter == 0 then return longer end
  local here, there = longer + (self.diagonal_length - 1) * shorter, longer + (SQRT2 - 1) * shorter
  return math.sqrt(width ^ 2 + height ^ 2) * here / there
end

---What a straight leg costs: each piece from the middle of the line's stretch in one cell to that in the next costs
---its length x weight x times + plus of the next; math.huge: it is not clear.
function Model:leg(view, x1, y1, x2, y2)
  local policy = self.diagonals == "never" and "both_open" or self.diagonals
  local line, total = grid_reference.line(x1, y1, x2, y2), 0
  local length = self:line_length(x2 - x1, y2 - y1)
  for i = 2, #line do
    local a, b = line[i - 1], line[i]
    if self:step(view, a[1], a[2], b[1], b[2], policy) == HUGE then return HUGE end
    local from, to = self:cell(a[1], a[2]), self:cell(b[1], b[2])
    total = total + onto(self, view, from, to, length * (b[3] - a[3]))
  end
  return total
end

-- The solver -------------------------------------------------------------------------------------------------------

---The same steps the other way round.
function grid_reference.reversed(arcs)
  local back = {}
  for from in pairs(arcs) do back[from] = {} end
  for from, list in pairs(arcs) do
    for i = 1, #list, 2 do
      local leads = back[list[i]]
      leads[#leads + 1] = from
      leads[#leads + 1] = list[i + 1]
    end
  end
  return back
end

---The least value of every place that steps from the given values lead to: every value becomes the least of itself and
---what the place before has, plus the step. Sweeps until nothing changes.
---@param arcs table<integer, number[]> by place, from 1 on without holes
---@param values table<integer, number>
---@param within (fun(place: integer): boolean)|nil places that may have a value
function grid_reference.spread(arcs, values, within)
  local value, count = {}, #arcs
  for place, start in pairs(values) do
    if not within or within(place) then value[place] = start end
  end
  local changed
  local function pass(place)
    local here, list = value[place], arcs[place]
    if not here then return end
    for i = 1, #list, 2 do
      local to, total = list[i], here + list[i + 1]
      if (not value[to] or total < value[to]) and (not within or within(to)) then
        value[to], changed = total, true
      end
    end
  end
  repeat
    changed = false
    for place = 1, count do pass(place) end
    for place = count, 1, -1 do pass(place) end
  until not changed
  return value
end

-- Pictures ---------------------------------------------------------------------------------------------------------

---The cells of a path: "1,1 2,2 3,2".
function grid_reference.text(path)
  local list = {}
  for i = 1, #path, 2 do list[#list + 1] = ("%d,%d"):format(path[i], path[i + 1]) end
  return table.concat(list, " ")
end

---All that there is to a path, to the last bit; or the code of the failure.
function grid_reference.show(path, _, code)
  if not path then return code end
  return ("%.17g: %s%s"):format(path.cost, grid_reference.text(path), path.partial and ", partial" or "")
end

---A drawing without the indentation that its rows share and without blank lines at its ends.
function grid_reference.drawing(text)
  local rows, indent = {}, HUGE
  for row in text:gmatch "[^\n]+" do
    if row:find "%S" then
      rows[#rows + 1] = row
      indent = math.min(indent, #row:match "^ *")
    end
  end
  for i, row in ipairs(rows) do rows[i] = row:sub(indent + 1):gsub("%s+$", "") end
  return table.concat(rows, "\n")
end

---The map of a path with the path in it, a star a cell.
function grid_reference.picture(path)
  local rows = {}
  for row in path.map:text():gmatch "[^\n]+" do
    local letters = {}
    for i = 1, #row do letters[i] = row:sub(i, i) end
    rows[#rows + 1] = letters
  end
  for i = 1, #path, 2 do rows[path[i + 1]][path[i]] = "*" end
  for i, letters in ipairs(rows) do rows[i] = table.concat(letters) end
  return table.concat(rows, "\n")
end

---Asserts that a path looks like this.
function grid_reference.looks(expected, path)
  assert.equal("\n" .. grid_reference.drawing(expected), "\n" .. grid_reference.picture(path))
end

-- Checks -----------------------------------------------------------------------------------------------------------

---Asserts that a path begins and ends where it should, that every step is one that the arcs have, and that it costs
---what its steps cost: nearly by the arcs; by path:explain to the last bit, or nearly too where `rounded` is set.
function grid_reference.walk(model, arcs, path, from, goals, rounded)
  local cells = {}
  for i, x, y in path:each() do cells[i] = model:cell(x, y) end
  assert.equal(#path, 2 * #cells)
  assert.equal(from, cells[1])
  local arrives = false
  for _, goal in ipairs(goals) do arrives = arrives or goal == cells[#cells] end
  assert.truthy(arrives, "the path does not end at a goal")
  local explained, sum, total = path:explain(), 0, 0
  assert.equal(#cells - 1, #explained)
  for i = 2, #cells do
    local list, cost = arcs[cells[i - 1]], HUGE
    for k = 1, #list, 2 do
      if list[k] == cells[i] then cost = math.min(cost, list[k + 1]) end
    end
    local step = explained[i - 1]
    local x1, y1 = model:at(cells[i - 1])
    local x2, y2 = model:at(cells[i])
    assert.same({ x1, y1, x2, y2 }, { step.from_x, step.from_y, step.to_x, step.to_y })
    assert.truthy(cost < HUGE, ("there is no step from (%d,%d) to (%d,%d)"):format(x1, y1, x2, y2))
    reference.near(cost, step.cost)
    sum, total = sum + step.cost, total + cost
  end
  if not rounded then assert.equal(path.cost, sum) end
  reference.near(sum, path.cost)
  reference.near(total, path.cost)
end

-- Random grids -----------------------------------------------------------------------------------------------------

local TAGS = reference.TAGS
grid_reference.TAGS = TAGS

---A random value of a cell. opts: closed (a share), weights (a list), tagged (a share).
function grid_reference.random_value(rng, opts)
  local weight, keeps = rng:pick(opts.weights), nil
  if rng:chance(opts.closed) then
    keeps, weight = weight, rng:pick { false, "keep", HUGE }
  end
  local tagged = rng:chance(opts.tagged)
  if weight == "keep" then return { weight = keeps, tag = tagged and rng:pick(TAGS) or nil, closed = true } end
  if not tagged then return weight end
  local tag = rng:pick(TAGS)
  if weight == 1 and rng:chance(0.5) then return tag end
  return { weight = weight, tag = tag }
end

---A random grid with its model. opts, each with a default that draws: width, height, diagonals, diagonal_length,
---closed, tagged, walls, links (shares and numbers), weights; palette: the grid has one, otherwise it may have none.
function grid_reference.random(rng, opts)
  opts = opts or {}
  local model = grid_reference.model(opts.width or rng(1, 14), opts.height or rng(1, 12),
    opts.diagonals or rng:pick(grid_reference.POLICIES),
    opts.diagonal_length or rng:pick(grid_reference.LENGTHS))
  local value_opts = {
    closed = opts.closed or rng:pick { 0, 0.1, 0.25, 0.4 },
    tagged = opts.tagged or rng:pick { 0, 0.3, 0.8 },
    weights = opts.weights
      or rng:pick { { 1 }, { 1, 2, 3 }, { 0, 1, 5 }, { 0.25, 0.5, 1, 9 }, { 1, rng(), rng() * 9 } },
  }
  model.value_opts = value_opts
  model:map(function() return grid_reference.random_value(rng, value_opts) end)
  for _ = 1, (opts.walls or rng:pick { 0, 0, 0.1, 0.3 }) * model.width * model.height do
    grid_reference.random_wall(rng, model)
  end
  for _ = 1, opts.links or rng:pick { 0, 0, 1, 4 } do grid_reference.random_link(rng, model) end
  if not opts.palette and rng:chance(0.15) then
    model.grid = require("spec.support.file_reference").without_palette(model.grid)
  end
  return model
end

---A wall between two neighbours, perhaps a directed one, or one taken away.
function grid_reference.random_wall(rng, model)
  local x1, y1 = rng(model.width), rng(model.height)
  local x2, y2 = x1 + rng(-1, 1), y1 + rng(-1, 1)
  if (x1 ~= x2 or y1 ~= y2) and model:inside(x2, y2) then
    model:wall(x1, y1, x2, y2, rng:pick { true, true, false }, rng:chance(0.3))
  end
end

---A link between two cells that are not the same.
function grid_reference.random_link(rng, model)
  local x1, y1, x2, y2 = rng(model.width), rng(model.height), rng(model.width), rng(model.height)
  if x1 == x2 and y1 == y2 then return end
  model:link(x1, y1, x2, y2, {
    weight = rng:pick { 0, 0.5, 1, 4 }, tag = rng:chance(0.4) and rng:pick(TAGS) or nil, directed = rng:chance(0.5),
  })
end

---Random costs: the options for a search, and how the agent then sees the world. opts: plain: no functions about edges.
grid_reference.random_costs = reference.random_agent

---A random model and what is searched: its grid, perhaps prepared; or an overlay of it that closes some cells, as the
---model then has them.
function grid_reference.random_ground(rng)
  local model = grid_reference.random(rng)
  local grid = model.grid
  if rng:chance(0.5) then
    grid = grid:overlay()
    for _ = 1, rng(0, 20) do
      local x, y = rng(model.width), rng(model.height)
      model.weight[model:cell(x, y)] = false
      grid:close(x, y)
    end
  end
  if grid == model.grid and rng:chance(0.3) then grid:prepare() end
  return model, grid
end

---Values of cells of every kind.
grid_reference.VALUES = { 1, 1, 2, 3, "mud", "road", { weight = 2, tag = "mud" }, "lava", false, 0.5 }

---A random grid without a model, with walls and links in some cases.
---@param lists the lists of which one has the values of the cells; `cells`: the sizes of a cell
---@return grid, width, height
function grid_reference.random_grid(rng, lists, cells)
  local width, height = rng(2, 30), rng(2, 24)
  local grid = wend.grid(width, height, { diagonals = rng:pick { "both_open", "one_open", "always", "never" },
    diagonal_length = rng:pick(grid_reference.LENGTHS), cell = rng:pick(cells) })
  local values = rng:pick(lists)
  grid:map(function() return rng:pick(values) end)
  for _ = 1, rng:pick { 0, 0, rng(20) } do
    local x, y = rng(width - 1), rng(height)
    grid:wall(x, y, x + 1, y, true, { directed = rng:chance(0.3) })
  end
  for _ = 1, rng:pick { 0, 0, rng(4) } do
    local x, y, x2, y2 = rng(width), rng(height), rng(width), rng(height)
    if x ~= x2 or y ~= y2 then grid:link(x, y, x2, y2, { weight = rng(1, 20), tag = rng:pick { "lift", nil } }) end
  end
  return grid, width, height
end

---Opens a cell of such a ground, if it is closed.
function grid_reference.open_any(rng, model, grid)
  local x, y = rng(model.width), rng(model.height)
  model.weight[model:cell(x, y)] = model.kept[model:cell(x, y)]
  grid:open(x, y)
end

---One table of options out of two.
function grid_reference.with(opts, more)
  local both = {}
  for key, value in pairs(opts or {}) do both[key] = value end
  for key, value in pairs(more or {}) do both[key] = value end
  return both
end

---The same search in slices.
function grid_reference.sliced(grid, slice, ...)
  local search = grid:search(...)
  while search:step(type(slice) == "function" and slice() or slice) == "running" do end
  return search:result()
end

---Calls fn(x, y, cell) for every cell, in reading order.
function grid_reference.cells(model, fn)
  for y = 1, model.height do
    for x = 1, model.width do fn(x, y, model:cell(x, y)) end
  end
end

---A random cell of a model, by column, row and number.
function grid_reference.any(rng, model)
  local x, y = rng(model.width), rng(model.height)
  return x, y, model:cell(x, y)
end

---Compares a field of a random goal, perhaps outward or in a window, and some of its paths, with the model's.
function grid_reference.check_field(rng, model, view, options)
  local x, y, goal = grid_reference.any(rng, model)
  local outward, arcs = rng:chance(0.4), model:arcs(view)
  local window = rng:chance(0.3) and rng(1, 8) or nil
  local field = model.grid:field(x, y, grid_reference.with(options, { outward = outward, window = window }))
  local values = grid_reference.spread(outward and arcs or grid_reference.reversed(arcs), { [goal] = 0 },
    window and function(cell)
      local x1, y1 = model:at(cell)
      return math.max(math.abs(x1 - x), math.abs(y1 - y)) <= window
    end)
  grid_reference.cells(model, function(x1, y1, cell)
    local cost = field:cost(x1, y1)
    if values[cell] then reference.near(values[cell], cost) else assert.is_nil(cost) end
    if cost and not outward and not window and rng:chance(0.05) then
      local path = field:path(x1, y1)
      reference.near(cost, path.cost)
      grid_reference.walk(model, arcs, path, cell, { goal }, true)
    end
  end)
end

return grid_reference
