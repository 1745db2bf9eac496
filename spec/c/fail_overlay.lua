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
  return g, g:overlay():close(6), function(o)
    return show(o:path(1, 16, { costs = costs })) .. " " .. tostring(o)
  end
end

local function grid()
  local cells = wend.grid(7, 5):fill(4, 1, 4, 4, false):set(2, 2, 2, "mud")
  return cells, cells:overlay():close(4, 5, 5, 5), function(o)
    return show(o:path(1, 1, 7, 1, { costs = costs })) .. " " .. tostring(o)
  end
end

-- The same with an overlay that has changed nothing: there is a way along the last row.
local function passage()
  local cells, o, ask = grid()
  return cells, o:reset(), ask
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
insist("a wall", passage, function(o) o:wall(3, 5, 4, 5) end)
insist("cells that are reset", grid, function(o) o:reset(4, 5, 5, 5) end)

-- Queries while the base changes. Asked again, on the same maps, each gives the same answer.
for _, case in ipairs {
  { "an overlay", grid, function(cells) return show(cells:overlay():open(4, 2):path(1, 1, 7, 1)) end },
  { "an overlay of an overlay", graph, function(_, o, ask) return ask(o:overlay():close(11)) end },
  { "a changed grid", grid, function(cells, o, ask)
    cells:set(4, 3, 1)
    o:reset():close(4, 5, 5, 5)
    local first = ask(o)
    o:reset()
    cells:set(4, 3, false)
    for i = 1, 100 do cells:set(1, 1 + i % 5, 1 + i % 2) end
    return first .. ask(o)
  end },
  { "a grid with a link", grid, function(cells, o, ask)
    cells:link(1, 2, 7, 2, { weight = 2, tag = "portal" })
    local first = ask(o)
    cells:unlink(1, 2, 7, 2)
    return first .. ask(o)
  end },
  { "a changed graph", graph, function(g, o, ask)
    g:open(11):set_weight(2, 10)
    local first = ask(o:set_weight(1, 5))
    g:close(11):set_weight(2, 50)
    local second = ask(o)
    g:open(11):set_weight(2, 10)
    return first .. second .. ask(o:reset_edge(1))
  end },
  { "a graph with a new node", graph, function(g, o)
    local node = g:add_node(40, 40)
    g:add_edge(16, node)
    local first = o:path(1, node).cost
    g:remove_node(node)
    return ("%.17g "):format(first) .. show(o:path(1, 16))
  end },
  { "slices", grid, function(cells, o)
    cells:fill(4, 1, 4, 4, false)
    o:reset()
    local search = o:search(1, 1, 7, 1)
    local turn, state = 0
    repeat
      turn = turn + 1
      if turn == 3 then o:close(4, 5):open(4, 5) end
      if turn == 5 then cells:close(1, 3):open(1, 3) end
      state = search:step(2)
    until state ~= "running"
    return ("%.17g"):format(search:result().cost)
  end },
  { "a saved grid", grid, function(cells, o, ask)
    return ask(wend.decode(o:wall(6, 1, 7, 1):set(1, 1, "bridge"):encode(), { map = cells }))
  end },
  { "a saved graph", graph, function(g, o, ask)
    return ask(wend.decode(o:close_edge(1):set_tag(2, "bridge"):encode(), { map = g }))
  end },
  { "a field", graph, function(_, o)
    local field = o:field(16, { costs = costs })
    return ("%.17g %s"):format(field:cost(1), tostring(field:valid()))
  end },
  { "an explanation", grid, function(_, o)
    return o:explain({ 3, 5, 4, 5 }, { costs = costs })[1].cause
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
