-- SPDX-License-Identifier: MIT
-- Overlays while memory runs out: a change that failed is not seen by any query, and a query that failed gives the
-- right answer when it is called again.
local wend = require "wend"

local function compare(what, expected, got)
  if got ~= expected then error(("%s: expected %s\ngot %s"):format(what, expected, got), 0) end
end

local function show(path, message)
  if not path then return message end
  return table.concat(path, " ") .. (" %.17g"):format(path.cost)
end

local costs = wend.costs { mud = 3, gate = false }

local function graph()
  local g = wend.graph()
  for y = 0, 3 do
    for x = 0, 3 do g:add_node(x * 10, y * 10) end
  end
  for n = 1, 16 do
    if n % 4 ~= 0 then g:add_edge(n, n + 1, { tag = n % 3 == 0 and "mud" or nil }) end
    if n <= 12 then g:add_edge(n, n + 4) end
  end
  return g, g:overlay():close(6), function(o, except)
    return show(g:path(1, 16, { costs = costs, overlay = o, except = except })) .. " " .. tostring(o)
  end
end

local function grid()
  local cells = wend.grid(7, 5):fill(4, 1, 4, 4, false):set(2, 2, 2, "mud")
  return cells, cells:overlay():close(4, 5, 5, 5), function(o, except)
    return show(cells:path(1, 1, 7, 1, { costs = costs, overlay = o, except = except })) .. " " .. tostring(o)
  end
end

-- change(o) changes an overlay. It fails and changes nothing, or it does the whole.
local function insist(what, make, change)
  if is_over() then return end
  local _, twin, ask = make()
  local before = ask(twin)
  change(twin)
  local after = ask(twin)
  local _, o, look = make()
  look(o)
  local done = attempt(change, o)
  compare(what .. (done and "" or ", which failed"), done and after or before, look(o))
  if not done then
    change(o)
    compare(what .. ", again", after, look(o))
  end
end

insist("a closed node", graph, function(o) o:close(11) end)
insist("an open node", graph, function(o) o:open(6) end)
insist("a closed edge", graph, function(o) o:close_edge(1) end)
insist("a weight", graph, function(o) o:set_weight(2, 0.5) end)
insist("a reset", graph, function(o) o:reset() end)
insist("a node that is reset", graph, function(o) o:reset(6) end)
insist("a cell", grid, function(o) o:set(4, 1, 2, "mud") end)
insist("a cell with a new tag", grid, function(o) o:set(4, 1, 2, "bridge") end)
insist("open cells", grid, function(o) o:open(4, 5, 5, 5) end)
insist("a rectangle", grid, function(o) o:fill(3, 1, 6, 3, 1) end)
insist("a wall", grid, function(o) o:open(4, 5, 5, 5):wall(3, 5, 4, 5) end)
insist("cells that are reset", grid, function(o) o:reset(4, 5, 5, 5) end)

-- Queries, the first of which copies the map. Asked again, on the same map, each gives the same answer.
for _, case in ipairs {
  { "a path over a graph", graph, function(_, o, ask) return ask(o) .. ask(o, 6) end },
  { "a path over a grid", grid, function(_, o, ask) return ask(o) .. ask(o, { 4, 5, 5, 5 }) end },
  { "a changed map", grid, function(cells, o, ask)
    cells:set(4, 3, false)
    o:reset():close(4, 5, 5, 5)
    local first = ask(o)
    o:reset()
    cells:set(4, 3, 1)
    return first .. ask(o)
  end },
  { "five overlays", grid, function(cells, o)
    local list = { tostring(o) }
    for x = 1, 5 do list[x + 1] = show(cells:path(1, 1, 7, 1, { overlay = cells:overlay():close(x, 5):open(4, x) })) end
    return table.concat(list, ", ")
  end },
  { "slices", grid, function(cells, o)
    o:reset()
    local search = cells:search(1, 1, 7, 1, { overlay = o, except = { x = 4, y = 5 } })
    local turn, state = 0
    repeat
      turn = turn + 1
      if turn == 3 then o:close(4, 5) end
      if turn == 5 then o:close(1, 3) end
      state = search:step(2)
    until state ~= "running"
    return show(search:path())
  end },
  { "a field", graph, function(g, o)
    local field = g:field(16, { overlay = o, costs = costs })
    return ("%.17g %s"):format(field:cost(1), tostring(field:stale()))
  end },
  { "an explanation", grid, function(cells, o)
    return cells:explain({ 3, 5, 4, 5 }, { overlay = o, costs = costs })[1].cause
  end },
} do
  if not is_over() then
    local what, make, ask = case[1], case[2], case[3]
    local expected = ask(make())
    local map, o, look = make()
    local ok, got = attempt(ask, map, o, look)
    if ok then compare(what, expected, got) end
    compare(what .. ", again", expected, ask(map, o, look))
  end
end
