-- SPDX-License-Identifier: MIT
--- wend.trace: Dijkstra's algorithm on a graph, step by step, with the tables that a person would keep by hand.
--
-- Each round gives two tables, as in J. Hoxley's article ("Dijkstra's path finding algorithm", 2001): a node is visited
-- and gets its visit number and its distance (his step 4); then its neighbours get temporary values (his step 3).
-- g:explain gives the cost of a step, so agents and rules count.

local check = require "wend.check"
local format = require "wend.format"
local sorted = require "wend.sorted"

local step_methods, trace_methods = {}, {}
local step_metatable, trace_metatable = { __index = step_methods }, { __index = trace_methods }

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

--- A number as text; an empty string for nil.
local function number(value)
  return value and format.number(value) or ""
end

local function names_of(step)
  local names = {}
  for _, row in ipairs(step.table) do
    names[row.node] = row.name or number(row.node)
  end
  return names
end

local forms = {}

function forms.table(step)
  local names = names_of(step)
  local lines = { { "Vertex", "Visit", "Distance", "Temporary", "Previous" } }
  for i, row in ipairs(step.table) do
    lines[i + 1] = { names[row.node], number(row.visit), number(row.distance), number(row.temporary),
      names[row.previous] or "" }
  end
  return format.columns(lines, " | ", true)
end

function forms.arrays(step)
  local names = names_of(step)
  local found, distance, previous = step:arrays()
  local lines = { { "" }, { "found" }, { "distance" }, { "previous" } }
  for i, row in ipairs(step.table) do
    lines[1][i + 1] = names[row.node]
    lines[2][i + 1] = found[i] and "yes" or "-"
    lines[3][i + 1] = distance[i] < math.huge and number(distance[i]) or "inf"
    lines[4][i + 1] = names[previous[i]]
  end
  return format.columns(lines, "  ", true)
end

--- step:text([form]): the step as text. form: "table" (default) or "arrays".
function step_methods:text(form)
  local lines_of = forms[form or "table"]
  check.must(lines_of, "form", "one of: table, arrays", form)
  return self.title .. "\n" .. table.concat(lines_of(self), "\n")
end

--- step:arrays(): the step as three lists in the order of the table.
-- @return found, a list of booleans; distance, a list of numbers (math.huge: unknown); previous, a list of nodes (the
-- start if it is unknown)
function step_methods:arrays()
  local found, distance, previous = {}, {}, {}
  for i, row in ipairs(self.table) do
    found[i], distance[i], previous[i] = row.visit ~= nil, row.temporary or math.huge, row.previous or self.start
  end
  return found, distance, previous
end

--- trace:text([form]): all steps as text, and the result at the end.
function trace_methods:text(form)
  local parts, result = {}, self.message
  for i, step in ipairs(self) do
    parts[i] = step:text(form)
  end
  if self.path then
    local names, list = names_of(self[1]), {}
    for i, node in ipairs(self.path) do
      list[i] = names[node]
    end
    result = ("path: %s, cost: %s"):format(table.concat(list, " "), number(self.cost))
  end
  parts[#parts + 1] = result
  return table.concat(parts, "\n\n")
end

step_metatable.__tostring, trace_metatable.__tostring = step_methods.text, trace_methods.text

-- The algorithm ----------------------------------------------------------------------------------------------------

--- wend.trace(g, from, to[, opts]): finds the cheapest path, and records each step.
-- @return a trace; or nil, a message and "stale"
local function new(g, from, to, options)
  check.object(g, "graph", "graph")
  if from == nil or to == nil then -- the list of explain would end before it
    check.fail("%s must be a node (its id or name), got nil", from == nil and "from" or "to")
  end
  for i, node in ipairs { from, to } do
    local ok, problem = pcall(g.is_closed, g, node)
    if not ok then check.fail("%s", (tostring(problem):gsub("^node", i == 1 and "from" or "to", 1))) end
  end
  local ends, message, code = check.call(g.explain, g, { from, to }, options) -- raises for wrong arguments
  if not ends then
    return nil, message, code
  end
  local passing -- the options for steps to other nodes: only the goal may be closed
  for key, value in pairs(options or {}) do
    if key ~= "closed_goal" then
      passing = passing or {}
      passing[key] = value
    end
  end
  from, to = ends[1].from, ends[1].to

  local rows, place_of, names = {}, {}, {}
  for i, node in ipairs(sorted(g:nodes())) do
    rows[i] = { node = node, name = g:name(node) }
    place_of[node], names[node] = i, rows[i].name or number(node)
  end
  if not (place_of[from] and place_of[to]) then -- a finalizer has removed it
    return nil, "the graph has changed", "stale"
  end
  local edges = { [from] = 0 } -- by node: how many edges the path to it has
  local trace = setmetatable({ found = false }, trace_metatable)

  --- Replaces the row of a node. Steps keep the rows that they have.
  local function set(node, visit, distance, temporary, previous)
    local old = rows[place_of[node]]
    rows[place_of[node]] = { node = node, name = old.name, visit = visit, distance = distance, temporary = temporary,
      previous = previous }
  end
  local function add(kind, node, title)
    local copy = {}
    for i, row in ipairs(rows) do
      copy[i] = row
    end
    title = title .. names[node]
    trace[#trace + 1] = setmetatable({ kind = kind, node = node, start = from, title = title, table = copy },
      step_metatable)
  end
  --- Whether row a is visited before row b: the cheaper one; of equal ones the goal, then the one with fewer edges on
  --- its path, then the one with the larger id.
  local function is_before(a, b)
    if a.temporary ~= b.temporary then
      return a.temporary < b.temporary
    elseif a.node == to or b.node == to then
      return a.node == to
    elseif edges[a.node] ~= edges[b.node] then
      return edges[a.node] < edges[b.node]
    end
    return a.node > b.node
  end

  set(from, nil, nil, 0)
  for visit = 1, #rows do
    local row
    for _, other in ipairs(rows) do
      if other.temporary and not other.visit and (not row or is_before(other, row)) then
        row = other
      end
    end
    if not row then
      break
    end
    local node, count = row.node, edges[row.node] + 1
    set(node, visit, row.temporary, row.temporary, row.previous)
    add(visit == 1 and "start" or "visit", node,
      visit == 1 and "Step 0 & 2: the start is " or ("Step 4 (%s): the next is "):format(roman(visit - 1)))
    if node == to then
      trace.found = true
      break
    end
    local is_neighbour = {}
    for _, neighbour in g:edges(node) do
      is_neighbour[neighbour] = true
    end
    for _, other in ipairs(rows) do
      if is_neighbour[other.node] and not other.visit then
        ends, message, code = check.call(g.explain, g, { node, other.node }, other.node == to and options or passing)
        if not ends then
          return nil, message, code
        end
        local before, cost = other.temporary or math.huge, row.temporary + ends.cost
        if cost < before or cost < math.huge and cost == before and count < edges[other.node] then
          edges[other.node] = count
          set(other.node, nil, nil, cost, node)
        end
      end
    end
    add("update", node, ("Step 3 (%s): what can be reached from "):format(roman(visit)))
  end

  if trace.found then
    trace.path, trace.cost = {}, rows[place_of[to]].distance
    local node = to
    repeat
      table.insert(trace.path, 1, node)
      node = rows[place_of[node]].previous
    until not node
  else
    trace.message = ("no path from %s to %s"):format(format.node(from, g:name(from)), format.node(to, g:name(to)))
  end
  return trace
end

return { new = new }
