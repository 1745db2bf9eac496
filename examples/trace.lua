-- Dijkstra's algorithm on a graph, step by step, in plain Lua: for learning and debugging. Copy what you need.
--
--   trace(graph, from, to, options)   a list of steps, with found, path and cost; tostring shows all
--   step:text(form), step:arrays()    a step; tostring shows it as a table
--
-- g:explain gives the cost of each edge, so agents and rules count. Options as there, without closed_goal.
--
-- Each round gives two tables, as in J. Hoxley's article ("Dijkstra's path finding algorithm", 2001): a node is visited
-- and gets its visit number and its distance (his step 4); then its neighbours get temporary values (his step 3).
local step_methods, trace_metatable = {}, {}
local step_metatable = { __index = step_methods }

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

local function number(value)
  return value and ("%.14g"):format(value) or ""
end

--- Rows of texts as lines, with columns that are aligned to the right.
local function columns(rows, separator)
  local function width(text) return select(2, text:gsub("[^\128-\191]", "")) end -- characters of UTF-8
  local widths, lines = {}, {}
  for _, row in ipairs(rows) do
    for i, cell in ipairs(row) do widths[i] = math.max(widths[i] or 0, width(cell)) end
  end
  for r, row in ipairs(rows) do
    local cells = {}
    for i, cell in ipairs(row) do cells[i] = (" "):rep(widths[i] - width(cell)) .. cell end
    lines[r] = table.concat(cells, separator):gsub("%s+$", "")
  end
  return table.concat(lines, "\n")
end

--- Three lists in the order of the table: found, a list of booleans; distance (math.huge: unknown); previous, a list of
--- nodes (the start if it is unknown).
function step_methods:arrays()
  local found, distance, previous = {}, {}, {}
  for i, row in ipairs(self.table) do
    found[i], distance[i], previous[i] = row.visit ~= nil, row.temporary or math.huge, row.previous or self.start
  end
  return found, distance, previous
end

--- The step as text. form: "table" (default) or "arrays".
function step_methods:text(form)
  local names, rows = {}, { { "Vertex", "Visit", "Distance", "Temporary", "Previous" } }
  for _, row in ipairs(self.table) do names[row.node] = row.name end
  if form == "arrays" then
    local found, distance, previous = self:arrays()
    rows = { { "" }, { "found" }, { "distance" }, { "previous" } }
    for i, row in ipairs(self.table) do
      rows[1][i + 1], rows[2][i + 1] = row.name, found[i] and "yes" or "-"
      rows[3][i + 1], rows[4][i + 1] = number(distance[i]), names[previous[i]]
    end
  else
    for i, row in ipairs(self.table) do
      rows[i + 1] = { row.name, number(row.visit), number(row.distance), number(row.temporary),
        names[row.previous] or "" }
    end
  end
  return self.title .. "\n" .. columns(rows, form == "arrays" and "  " or " | ")
end

step_metatable.__tostring = step_methods.text

--- All steps, and the result at the end.
function trace_metatable:__tostring()
  local parts, names = {}, {}
  for i, step in ipairs(self) do parts[i] = step:text() end
  for i, node in ipairs(self.path or {}) do names[i] = self.names[node] end
  parts[#parts + 1] = not self.found and "no path" or
    ("path: %s, cost: %s"):format(table.concat(names, " "), number(self.cost))
  return table.concat(parts, "\n\n")
end

--- Whether row a is visited before row b: the cheaper one; of equal ones the goal, then the one with fewer edges on its
--- path, then the one with the larger id.
local function is_before(a, b, goal)
  if a.temporary ~= b.temporary then return a.temporary < b.temporary end
  if a.node == goal or b.node == goal then return a.node == goal end
  if a.edges ~= b.edges then return a.edges < b.edges end
  return a.node > b.node
end

return function(graph, from, to, options)
  local ends = assert(graph:explain({ from, to }, options)) -- of names, the nodes
  from, to = ends[1].from, ends[1].to
  local trace = setmetatable({ found = false, names = {} }, trace_metatable)
  local rows, place_of = {}, {}
  for node in graph:nodes() do
    trace.names[node] = graph:name(node) or number(node)
    rows[#rows + 1] = { node = node, name = trace.names[node] }
  end
  table.sort(rows, function(a, b) return a.node < b.node end)
  for i, row in ipairs(rows) do place_of[row.node] = i end

  --- Replaces the row of a node. Steps keep the rows that they have.
  local function set(node, row)
    row.node, row.name = node, trace.names[node]
    rows[place_of[node]] = row
  end
  local function add(kind, node, title)
    local copy = {}
    for i, row in ipairs(rows) do copy[i] = row end
    title = title .. trace.names[node]
    trace[#trace + 1] = setmetatable({ kind = kind, node = node, start = from, title = title, table = copy },
      step_metatable)
  end

  set(from, { temporary = 0, edges = 0 })
  for visit = 1, #rows do
    local next_row
    for _, row in ipairs(rows) do
      if row.temporary and not row.visit and (not next_row or is_before(row, next_row, to)) then next_row = row end
    end
    if not next_row then break end
    local node, cost, edges = next_row.node, next_row.temporary, next_row.edges + 1
    set(node, { visit = visit, distance = cost, temporary = cost, previous = next_row.previous, edges = edges - 1 })
    add(visit == 1 and "start" or "visit", node,
      visit == 1 and "Step 0 & 2: the start is " or ("Step 4 (%s): the next is "):format(roman(visit - 1)))
    if node == to then
      trace.found, trace.cost, trace.path = true, cost, {}
      repeat
        table.insert(trace.path, 1, node)
        node = rows[place_of[node]].previous
      until not node
      break
    end
    local is_neighbour = {}
    for _, neighbour in graph:edges(node) do is_neighbour[neighbour] = true end
    for _, row in ipairs(rows) do
      if is_neighbour[row.node] and not row.visit then
        local longer = cost + assert(graph:explain({ node, row.node }, options)).cost
        local before = row.temporary or math.huge
        if longer < before or longer < math.huge and longer == before and edges < row.edges then
          set(row.node, { temporary = longer, previous = node, edges = edges })
        end
      end
    end
    add("update", node, ("Step 3 (%s): what can be reached from "):format(roman(visit)))
  end
  return trace
end
