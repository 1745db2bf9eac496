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
-- Two successive steps share the rows that did not change.

local core = require "wend.core"
local check = require "wend.check"

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

-- Text -------------------------------------------------------------------------------------------------------------

--- A number in Roman numerals, as in the titles of the article.
local function roman(n)
  local text = ""
  for _, sign in ipairs { { 1000, "m" }, { 900, "cm" }, { 500, "d" }, { 400, "cd" }, { 100, "c" }, { 90, "xc" },
    { 50, "l" }, { 40, "xl" }, { 10, "x" }, { 9, "ix" }, { 5, "v" }, { 4, "iv" }, { 1, "i" } } do
    text = text .. sign[2]:rep(math.floor(n / sign[1]))
    n = n % sign[1]
  end
  return text
end

--- A number as text, without ".0" in every Lua; an empty string for nil.
local function number_text(value)
  return value and ("%.14g"):format(value) or ""
end

--- Formats lines of cells in columns, aligned to the right. Widths are counted in characters of UTF-8.
local function aligned(lines, separator)
  local widths = {}
  local function width(cell)
    return select(2, cell:gsub("[^\128-\191]", ""))
  end
  for _, cells in ipairs(lines) do
    for i, cell in ipairs(cells) do
      widths[i] = math.max(widths[i] or 0, width(cell))
    end
  end
  local out = {}
  for l, cells in ipairs(lines) do
    local padded = {}
    for i, cell in ipairs(cells) do
      padded[i] = (" "):rep(widths[i] - width(cell)) .. cell
    end
    out[l] = table.concat(padded, separator):gsub("%s+$", "")
  end
  return table.concat(out, "\n")
end

-- Steps ------------------------------------------------------------------------------------------------------------

local step_methods = {}
local step_metatable = core.class "trace_step"
step_metatable.__index = step_methods

--- step:arrays(): the step as three lists in the order of the table.
-- @return found, a list of booleans; distance, a list of numbers (math.huge: unknown); previous, a list of nodes (the
-- start if it is unknown)
function step_methods:arrays()
  check.self(self, "trace_step", "a step of a trace", "step")
  local found, distance, previous = {}, {}, {}
  for i, row in items(self.table) do
    found[i] = row.visit ~= nil
    distance[i] = row.temporary or math.huge
    previous[i] = row.previous or self.start
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

function forms.table(step)
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
  local names = names_of(step)
  local found, distance, previous = step:arrays()
  local lines = { { "" }, { "found" }, { "distance" }, { "previous" } }
  for i, row in items(step.table) do
    lines[1][i + 1] = names[row.node]
    lines[2][i + 1] = found[i] and "yes" or "-"
    lines[3][i + 1] = distance[i] < math.huge and number_text(distance[i]) or "inf"
    lines[4][i + 1] = names[previous[i]]
  end
  return aligned(lines, "  ")
end

local function check_form(form)
  if form ~= nil and form ~= "table" and form ~= "arrays" then
    check.fail("form must be one of: table, arrays, got %s", check.describe(form))
  end
  return form or "table"
end

--- step:text([form]): the step as text.
-- @param form "table" (default) or "arrays"
-- @return a string
function step_methods:text(form)
  check.self(self, "trace_step", "a step of a trace", "step")
  return self.title .. "\n" .. forms[check_form(form)](self)
end

function step_metatable.__tostring(self)
  return self:text()
end

local trace_methods = {}
local trace_metatable = core.class "trace"
trace_metatable.__index = trace_methods

--- trace:text([form]): all steps as text, and the result at the end.
-- @param form "table" (default) or "arrays"
-- @return a string
function trace_methods:text(form)
  check.self(self, "trace", "a trace", "trace")
  form = check_form(form)
  local parts = {}
  for i, step in ipairs(self) do
    check.self(step, "trace_step", "a step of a trace", "step") -- a trace inside itself would recurse without end
    parts[i] = step:text(form)
  end
  local result = self.message
  if self.found then
    check.self(self[1], "trace_step", "a step of a trace", "step")
    local names, list = names_of(self[1]), {}
    for i, node in items(self.path) do
      list[i] = names[node]
    end
    result = ("path: %s, cost: %s"):format(table.concat(list, " "), number_text(self.cost))
  end
  parts[#parts + 1] = result
  return table.concat(parts, "\n\n")
end

function trace_metatable.__tostring(self)
  return self:text()
end

-- Watching ---------------------------------------------------------------------------------------------------------

--- Calls a function of the core. Errors name the line of the script.
local function call(fn, ...)
  local ok, a, b, c = pcall(fn, ...)
  if ok then
    return a, b, c
  elseif type(a) == "string" then
    check.fail("%s", a)
  end
  error(a, 0) -- an error that is not a string is raised again unchanged
end

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

--- wend.trace(g, from, to[, opts]): records a search as a list of steps.
--- @param g wend.Graph
--- @param from wend.Node
--- @param to wend.Node|wend.Node[]
--- @param options wend.TraceOptions?
--- @return wend.Trace|nil trace
--- @return string|nil message
--- @return "stale"|nil code
local function new(g, from, to, options)
  if core.type(g) ~= "graph" then
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
    trace[#trace + 1] = setmetatable({ kind = kind, node = node, start = from, title = title, table = rows },
      step_metatable)
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
