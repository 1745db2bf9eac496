-- SPDX-License-Identifier: MIT
--- wend.trace: records a search as a list of steps. Each step holds the table that a person would keep when searching
--- by hand.
--
-- The search runs one expansion at a time. After each, the labels of all nodes are read. One expansion gives two
-- tables, as in J. Hoxley's article ("Dijkstra's path finding algorithm", 2001): first a node is chosen and gets its
-- visit number and distance (his step 4); then the temporary values of its neighbours are updated (his step 3).
--
--   start  ->  update  ->  visit  ->  update  ->  ...  ->  visit of the goal
--
-- Two successive steps share the rows that did not change. grid.lua records searches on grids, format.lua makes text of
-- numbers and tables.

local core = require "wend.core"
local check = require "wend.check"
local format = require "wend.trace.format"
local grids = require "wend.trace.grid"

local call = check.call
local roman, number_text, aligned = format.roman, format.number, format.aligned

local OPTIONS = { "costs", "agent", "cost", "at_least", "algorithm", "heuristic" }

--- An iterator over the items of a list, without metamethods: i, value.
local function items(list)
  local count = check.length(list)
  return function(_, i)
    if i < count then
      return i + 1, rawget(list, i + 1)
    end
  end, nil, 0
end

-- Steps ------------------------------------------------------------------------------------------------------------

local step_methods = {}
local step_metatable = core.class "trace_step"

--- The methods of a step, and the table of a step of a grid, which is made when it is read.
function step_metatable.__index(step, key)
  local method = step_methods[key]
  if method == nil and key == "table" and grids.is_step(step) then
    return grids.table_of(step)
  end
  return method
end

--- step:arrays(): the step as three lists in the order of the table.
-- @return found, a list of booleans; distance, a list of numbers (math.huge: unknown); previous, a list of nodes, or a
-- flat list of x and y of cells (the start if it is unknown)
function step_methods:arrays()
  check.self(self, "trace_step", "a step of a trace", "step")
  local found, distance, previous = {}, {}, {}
  local is_grid = grids.is_step(self)
  for i, row in items(self.table) do
    found[i] = row.visit ~= nil
    distance[i] = row.temporary or math.huge
    if is_grid then
      previous[2 * i - 1], previous[2 * i] = row.previous_x or self.start_x, row.previous_y or self.start_y
    else
      previous[i] = row.previous or self.start
    end
  end
  return found, distance, previous
end

local function names_of(step)
  local names = {}
  for _, row in items(step.table) do
    names[row.node] = row.name or number_text(row.node)
  end
  return names
end

local forms = {}

--- The table of a step of a grid, as lines of text.
local function cell_lines(step)
  local lines = { { "Cell", "Visit", "Distance", "Temporary", "Previous" } }
  for i, row in items(step.table) do
    lines[i + 1] = { format.cell(row.x, row.y), number_text(row.visit), number_text(row.distance),
      number_text(row.temporary), format.cell(row.previous_x, row.previous_y) }
  end
  return lines
end

function forms.map(step)
  return grids.map_of(step)
end

function forms.table(step)
  if grids.is_step(step) then
    return aligned(cell_lines(step), " | ")
  end
  local names = names_of(step)
  local lines = { { "Vertex", "Visit", "Distance", "Temporary", "Previous" } }
  for i, row in items(step.table) do
    lines[i + 1] = {
      names[row.node], number_text(row.visit), number_text(row.distance), number_text(row.temporary),
      names[row.previous] or "",
    }
  end
  return aligned(lines, " | ")
end

function forms.arrays(step)
  local is_grid = grids.is_step(step)
  local names = is_grid or names_of(step)
  local found, distance, previous = step:arrays()
  local lines = { { "" }, { "found" }, { "distance" }, { "previous" } }
  for i, row in items(step.table) do
    lines[1][i + 1] = is_grid and format.cell(row.x, row.y) or names[row.node]
    lines[2][i + 1] = found[i] and "yes" or "-"
    lines[3][i + 1] = distance[i] < math.huge and number_text(distance[i]) or "inf"
    lines[4][i + 1] = is_grid and format.cell(previous[2 * i - 1], previous[2 * i]) or names[previous[i]]
  end
  return aligned(lines, "  ")
end

--- Checks the name of a form, or returns the default.
-- @param step a step of a graph or a grid; nil: of a graph
local function check_form(form, step)
  local is_grid = grids.is_step(step)
  if form == nil then
    return is_grid and "map" or "table"
  elseif form ~= "table" and form ~= "arrays" and not (form == "map" and is_grid) then
    check.fail("form must be one of: %stable, arrays, got %s", is_grid and "map, " or "", check.describe(form))
  end
  return form
end

--- step:text([form]): the step as text.
-- @param form "table" or "arrays"; of a grid also "map". Default: "table", of a grid "map"
-- @return a string
function step_methods:text(form)
  check.self(self, "trace_step", "a step of a trace", "step")
  return self.title .. "\n" .. forms[check_form(form, self)](self)
end

function step_metatable.__tostring(self)
  return self:text()
end

local trace_methods = {}
local trace_metatable = core.class "trace"
trace_metatable.__index = trace_methods

--- The cells of a path of a grid as text.
local function cells_text(path)
  local list = {}
  for i = 2, check.length(path), 2 do
    list[i / 2] = format.cell(rawget(path, i - 1), rawget(path, i))
  end
  return table.concat(list, " ")
end

--- The nodes of a path of a graph as text.
local function nodes_text(path, names)
  local list = {}
  for i, node in items(path) do
    list[i] = names[node]
  end
  return table.concat(list, " ")
end

--- trace:text([form]): all steps as text, and the result at the end.
-- @param form as for step:text
-- @return a string
function trace_methods:text(form)
  check.self(self, "trace", "a trace", "trace")
  form = check_form(form, self[1])
  local parts = {}
  for i, step in ipairs(self) do
    check.self(step, "trace_step", "a step of a trace", "step") -- a trace inside itself would recurse without end
    parts[i] = step:text(form)
  end
  local result = self.message
  if self.found then
    check.self(self[1], "trace_step", "a step of a trace", "step")
    local places = grids.is_step(self[1]) and cells_text(self.path) or nodes_text(self.path, names_of(self[1]))
    result = ("path: %s, cost: %s"):format(places, number_text(self.cost))
  end
  parts[#parts + 1] = result
  return table.concat(parts, "\n\n")
end

function trace_metatable.__tostring(self)
  return self:text()
end

-- Watching ---------------------------------------------------------------------------------------------------------

--- Runs the search.
-- @param nodes the ids of all nodes, sorted
-- @param goals the set of goals
-- @return a list of states, one per expansion: { labels = by node { cost, previous }, node = the node that was expanded
-- (nil: one that was expanded before) }; the path, or nil; a message; a code; the statistics. Stale: nil, nil, message,
-- code
local function watch(g, nodes, goals, from, to, options)
  local stats, states, visited = { expanded = 0 }, {}, {}
  local settings = { stats = stats }
  for _, name in ipairs(OPTIONS) do
    settings[name] = options and options[name]
  end
  local search = call(core.watch, g, from, to, settings)
  local path, message, code
  repeat
    local status = call(search.step, search, 1)
    if status ~= "running" then
      path, message, code = call(search.path, search)
      if code == "stale" then
        return nil, nil, message, code
      end
    end
    if stats.expanded <= #states and status == "running" or stats.expanded < #states then
      states, visited = {}, {} -- a rule has failed; the search has begun again without it
    end
    if stats.expanded > #states then
      local state = { labels = {} }
      local first = math.huge
      for _, node in ipairs(nodes) do
        local visit, cost, previous = core.label(search, node)
        if visit then
          state.labels[node] = { cost = cost, previous = previous }
          if visit > 0 and visit < first and not visited[node] and not goals[node] then
            first, state.node = visit, node
          end
        end
      end
      if state.node then
        visited[state.node] = true
      end
      states[#states + 1] = state
    end
  until status ~= "running"
  return states, path, message, code, stats
end

--- Whether the search could have stopped at a state: it has the path, and no open node is cheaper than the goal. The
--- search itself continues through equal costs; the algorithm of the article does not.
local function is_settled(labels, path, visited)
  for i = #path, 1, -1 do
    local label = labels[path[i]]
    if not label or label.previous ~= path[i - 1] then
      return false
    end
  end
  local cost = labels[path[#path]].cost
  if cost > path.cost then
    return false
  end
  for node, label in pairs(labels) do
    if not visited[node] and label.cost < cost then
      return false
    end
  end
  return true
end

--- The node that was expanded again: the one from which labels have changed. nil: no label has changed.
local function expanded_again(labels, before)
  for node, label in pairs(labels) do
    local old = before[node]
    if not old or old.cost ~= label.cost or old.previous ~= label.previous then
      return label.previous
    end
  end
end

--- The ids of all nodes, sorted, and their names by id.
local function sorted_nodes(g)
  local nodes, names = {}, {}
  for node in g:nodes() do
    nodes[#nodes + 1] = node
    names[node] = g:name(node)
  end
  table.sort(nodes)
  return nodes, names
end

--- The id of a node given by id or name. Anything else is returned unchanged: the core then raises.
local function id_of(g, node)
  if type(node) == "string" then
    return g:node(node) or node
  end
  return node
end

--- Makes a step.
local function make_step(fields)
  return setmetatable(fields, step_metatable)
end

--- wend.trace(g, from, to[, opts]), wend.trace(grid, x1, y1, x2, y2[, opts]): records a search as a list of steps.
--- @param g wend.Graph
--- @param from wend.Node
--- @param to wend.Node|wend.Node[]
--- @param options wend.TraceOptions?
--- @return wend.Trace|nil trace
--- @return string|nil message
--- @return "stale"|nil code
local function new(g, from, to, options, ...)
  if core.type(g) == "grid" then
    local steps, message, code = grids.record(OPTIONS, make_step, g, from, to, options, ...)
    if not steps then
      return nil, message, code
    end
    return setmetatable(steps, trace_metatable)
  elseif core.type(g) ~= "graph" then
    check.fail("graph must be a graph, got %s", check.describe(g))
  end
  check.options(options, OPTIONS)
  local nodes, names = sorted_nodes(g)
  local goals, given = {}, type(to) == "table" and to or { to }
  for i = 1, check.length(given) do
    local goal = id_of(g, rawget(given, i))
    if goal ~= nil and goal == goal then -- nil and NaN cannot be keys: the core raises for them
      goals[goal] = true
    end
  end
  local states, path, message, code, stats = watch(g, nodes, goals, from, to, options)
  if not states then
    return nil, message, code
  end
  from = id_of(g, from)

  local trace = setmetatable({ found = path ~= nil, path = path, cost = path and path.cost, message = message },
    trace_metatable)
  local count, rounds = 0, 0 -- visit numbers given; updates made
  local visits, table_before = {}, {}

  local function add(kind, node, title, labels)
    local rows = {}
    for i, id in ipairs(nodes) do
      local label, old = labels[id] or {}, table_before[i]
      if old and old.visit == visits[id] and old.temporary == label.cost and old.previous == label.previous then
        rows[i] = old
      else
        rows[i] = { node = id, name = names[id], visit = visits[id], distance = visits[id] and label.cost,
          temporary = label.cost, previous = label.previous }
      end
    end
    table_before = rows
    trace[#trace + 1] = make_step { kind = kind, node = node, start = from, title = title, table = rows }
  end
  local function name(node)
    return names[node] or number_text(node)
  end
  local function visit(node, labels)
    count = count + 1
    visits[node] = count
    if count == 1 then
      add("start", node, "Step 0 & 2: the start is " .. name(node), labels)
    else
      add("visit", node, ("Step 4 (%s): the next is %s"):format(roman(rounds), name(node)), labels)
    end
  end

  local labels = { [from] = { cost = 0 } }
  local dijkstra = stats.bound == 0 and type(options and options.heuristic) ~= "function"
  for _, state in ipairs(states) do
    local node = state.node
    if node then
      visit(node, labels)
    else
      node = expanded_again(state.labels, labels)
    end
    if node then
      rounds = rounds + 1
      labels = state.labels
      add("update", node, ("Step 3 (%s): what can be reached from %s"):format(roman(rounds), name(node)), labels)
    end
    if path and dijkstra and is_settled(labels, path, visits) then
      break
    end
  end
  if path then
    visit(path[#path], labels)
  end
  return trace
end

return { new = new }
