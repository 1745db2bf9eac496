-- SPDX-License-Identifier: MIT
-- Scripts that once crashed the process that ran them, or could have. spec/hostile/scripts_spec.lua runs each in its
-- own process; `lua spec/hostile/scripts.lua NAME` runs one, and without a name lists them all.

local collector = require "spec.support.collector"
local wend = require "wend"
local core = wend.core

local scripts, order = {}, {}

-- opts: deep: it recurses, and is also run with a small C stack.
local function script(name, fn, opts)
  assert(not scripts[name], name)
  scripts[name] = { fn = fn, deep = opts and opts.deep }
  order[#order + 1] = name
end

-- What the scripts share ---------------------------------------------------------------------------------------------

local TAGGED = { tag = "a" }
local maxinteger = math.maxinteger or 2 ^ 53

-- Nodes 1 apart, joined by edges with the tag "a".
local function row(count)
  local g = wend.graph()
  for i = 1, count do g:add_node(i, 0) end
  for i = 1, count - 1 do g:add_edge(i, i + 1, TAGGED) end
  return g
end

-- Frees an object as a script that gets at its metatable can. It may refuse.
local function free(object) return pcall(debug.getmetatable(object).__gc, object) end

-- Asserts that a call raises, and with a message.
local function refused(fn, ...)
  local ok, message = pcall(fn, ...)
  assert(not ok, "it does not raise")
  assert(type(message) == "string" and message ~= "" and not message:find "attempt to", tostring(message))
end

-- Removes most nodes, and adds many, so that what was allocated for them moves.
local function turn_over(g)
  for i = 2, 99 do
    if g:has(i) then g:remove_node(i) end
  end
  for i = 1, 300 do g:add_node(i, 1) end
end

-- A table whose fields are asked for by a script: act() runs, then the field of `inner` is given.
local function proxy(inner, act)
  return setmetatable({}, {
    __index = function(_, key)
      act(key)
      return inner[key]
    end,
  })
end

-- Profiles that change while results are asked ------------------------------------------------------------------------

script("finalizers that edit the profile and the map of a result", function()
  for kind = 1, 3 do
    local g, costs, count = row(40), wend.costs { a = 1 }, 0
    local opts = { costs = costs, into = {} }
    local path, field, routes = g:path(1, 40, opts), g:field(40, { costs = costs }), g:routes { costs = costs }
    local search = g:search(1, 40, opts)
    local function act()
      count = count + 1
      local tag = "tag" .. count % 300
      costs:set("a", count % 7):set(tag, 1):edge_rule("r", print, { tags = { tag } })
      path.costs = count % 3 > 0 and costs or count
      if kind == 2 then
        pcall(g.path, g, 1, 2, { into = path })
        pcall(g.field, g, 1, { into = field, costs = costs })
        pcall(g.set_tag, g, 39, tag)
      elseif kind == 3 and count == 20 then
        free(field)
        free(routes)
        free(search)
        free(g)
      end
    end
    local left = 0 -- how often it may still run: each run makes garbage
    local function finalizer()
      left = left - 1
      if left > 0 then collector.finalized(finalizer) end
      pcall(act)
    end
    -- Collections follow each other. With a pause of 0, Lua 5.1 and LuaJIT would make a whole one at each allocation.
    local old = rawget(_G, "newproxy")
    local pause, step = collector.tune(old and 20 or 0, old and 400 or 10000)
    if _VERSION == "Lua 5.4" then collectgarbage("incremental", 4, 100, 6) end
    if _VERSION == "Lua 5.5" then
      collectgarbage "incremental"
      collectgarbage("param", "stepsize", 64)
    end
    collectgarbage()
    for _ = 1, 12 do
      for self, calls in pairs {
        [path] = { path.valid }, [field] = { field.valid }, [search] = { search.step },
        [routes] = { routes.valid, routes.cost, routes.path },
      } do
        for _, call in ipairs(calls) do
          left = 6
          collector.finalized(finalizer)
          local ok, message = pcall(call, self, 1, 2)
          assert(ok or not tostring(message):find "attempt to", message)
        end
      end
    end
    left = 0
    collector.tune(pause, step)
    assert(count > 10, count)
  end
end)

-- Finalizers called by hand ------------------------------------------------------------------------------------------

script("a freed field as the option can_reach, and in arithmetic", function()
  local g = row(5)
  local f, other = g:field(1), g:field(2)
  free(f)
  pcall(g.nearest, g, 1, 0, { can_reach = f })
  pcall(g.nearest_edge, g, 1, 0, { can_reach = f })
  pcall(other.add, other, f)
  pcall(f.add, f, other)
  pcall(f.relax, f)
  pcall(f.scale, f, 2)
end)

script("walls that are freed, and given as clear", function()
  local walls, g = wend.walls(), row(5)
  walls:add_circle(1, 1, 1)
  free(walls)
  pcall(g.nearest, g, 1, 0, { clear = walls })
  pcall(g.link, g, { walls = walls })
  pcall(g.route, g, { 1, 1 }, { 4, 1 }, { clear = walls })
end)

script("walls that are freed while they are listed", function()
  local walls = wend.walls()
  walls:add_circle(1, 1, 1)
  walls:add_segment(0, 0, 1, 1)
  local iterator, state, control = walls:each()
  iterator(state, control)
  free(walls)
  pcall(iterator, state, control)
end)

script("walls that are removed while they are listed", function()
  local walls = wend.walls()
  for i = 1, 200 do walls:add_polygon { i, 0, i + 1, 0, i, 1 } end
  local listed = 0
  for _, _, id in walls:each() do
    listed = listed + 1
    for other = id, id + 5 do
      if walls:has(other) then walls:remove(other) end
    end
    if listed % 2 == 0 then walls:add_circle(id, id, 1) end
  end
  for id = 1, 200 do pcall(walls.remove, walls, id) end
  for _, id in ipairs { -1, 0, 2.5, 2 ^ 32, 2 ^ 53, 2 ^ 63, 0 / 0, math.huge, "1" } do
    refused(walls.remove, walls, id)
    pcall(walls.has, walls, id)
  end
  free(walls)
  refused(walls.remove, walls, 1)
  refused(walls.has, walls, 1)
end)

script("the finalizer of the module's own state", function()
  for _, value in pairs(debug.getregistry()) do
    local metatable = type(value) == "userdata" and debug.getmetatable(value)
    local finalizer = type(metatable) == "table" and rawget(metatable, "__gc")
    if finalizer and io.type(value) == nil then pcall(finalizer, io.stdout) end
  end
  assert(io.type(io.stdout) == "file")
end)

script("a search that on_error frees, steps and reads", function()
  for _, first in ipairs { "free", "step" } do
    local g, costs = row(9), wend.costs()
    local s
    costs:edge_rule("broken", function() error "broken" end)
    costs.on_error = function()
      if first == "free" then free(s) end
      pcall(s.step, s, 3)
      pcall(s.result, s)
      free(s)
    end
    s = g:search(1, 9, { costs = costs })
    pcall(s.step, s, 9)
    pcall(s.step, s, 9)
    pcall(s.result, s)
  end
end)

script("a field that is freed while it is made again, and while it relaxes", function()
  local g = row(50)
  local f = g:field(1)
  pcall(g.field, g, 1, { into = f, cost = function(_, cost)
    free(f)
    return cost
  end })
  pcall(f.cost, f, 1)
  local grid, on = wend.grid(9, 9), false
  local second
  second = grid:field(1, 1, { cost = function(_, cost)
    if on then free(second) end
    return cost
  end })
  second:scale(-1.2)
  on = true
  pcall(second.relax, second)
  pcall(second.next, second, 5, 5)
end)

-- State within a script's reach --------------------------------------------------------------------------------------

script("a profile whose compiled form is emptied or replaced", function()
  local g = row(2)
  for _, compiled in ipairs {
    {}, { { a = "x" }, 1, { 1, 2, 3, 4, 5, 6 } }, { { a = 0 / 0 }, 1, {} }, { { a = -5 }, 1, {} },
    { { a = 1 }, 1, { 1, 2, 3, 4, 5, 6 } }, { 1, 2, 3 }, 5, "x",
  } do
    local costs = wend.costs { a = 2 }
    costs.on_error = function() end
    pcall(function() costs.compiled = compiled end)
    pcall(g.path, g, 1, 2, { costs = costs })
    local second = wend.costs { a = 2 }
    pcall(g.path, g, 1, 2, { costs = second })
    pcall(function() second.compiled = compiled end)
    pcall(g.path, g, 1, 2, { costs = second })
    pcall(g.field, g, 1, { costs = second })
  end
end)

script("a profile whose every field is replaced by garbage", function()
  local g = row(3)
  for _, garbage in ipairs { 1, "x", true, print, {}, { {}, {}, {} } } do
    local costs = wend.costs({ a = 2 }, { base = wend.costs { b = 1 } })
    g:path(1, 3, { costs = costs })
    local keys = { "compiled", "base", "on_error", "values", "default", "version", 1 }
    if type(costs) == "table" then
      for key in next, costs do keys[#keys + 1] = key end
    end
    for _, key in ipairs(keys) do
      pcall(function() costs[key] = garbage end)
      pcall(rawset, costs, key, garbage)
    end
    pcall(g.path, g, 1, 3, { costs = costs })
    pcall(costs.set, costs, "a", 3)
    pcall(costs.rule, costs, "r", "a", print)
    pcall(costs.rules, costs)
    pcall(tostring, costs)
  end
end)

local function each_path(fn)
  local grid = wend.grid(5, 5)
  fn(row(5):path(1, 5), "graph")
  fn(grid:path(1, 1, 5, 5), "grid")
end

local function use_path(path)
  pcall(path.explain, path)
  pcall(path.valid, path)
  pcall(path.points, path)
  pcall(path.edges, path)
  pcall(path.each, path)
  pcall(wend.curve, path)
  pcall(wend.follow, path)
end

script("paths without a trail", function()
  each_path(function(path)
    path.trail = nil
    use_path(path)
  end)
end)

script("paths with a trail that is something else", function()
  for _, trail in ipairs { 1, "x", {}, io.stdout, wend.graph(), wend.walls(), row(2):search(1, 2), row(2):field(1) } do
    each_path(function(path)
      path.trail = trail
      use_path(path)
    end)
  end
end)

script("paths with the trail of a path that is longer, or shorter, or of another map", function()
  local long, short, cells = row(500):path(1, 500), row(2):path(1, 2), wend.grid(50, 2):path(1, 1, 50, 2)
  for _, other in ipairs { long, short, cells } do
    each_path(function(path)
      path.trail = other.trail
      use_path(path)
      path.map = other.map
      use_path(path)
    end)
  end
end)

script("paths whose map is another", function()
  for _, map in ipairs { wend.graph(), row(2), wend.grid(1, 1), wend.grid(100, 1), 1, {}, io.stdout } do
    each_path(function(path)
      path.map = map
      use_path(path)
    end)
  end
end)

script("a path of 5,000 nodes in a graph of two", function()
  local path = row(5000):path(1, 5000)
  path.map = row(2)
  use_path(path)
end)

script("paths with places that are no places", function()
  for _, place in ipairs { 0, -1, 1.5, 2 ^ 31, 2 ^ 32, 2 ^ 53, maxinteger, 0 / 0, math.huge, "x", {}, print } do
    each_path(function(path)
      path[1] = place
      use_path(path)
      path[2], path[3] = place, place
      use_path(path)
    end)
  end
end)

script("paths that are cut short, and that are made longer", function()
  each_path(function(path)
    path[#path] = nil
    use_path(path)
    for i = 1, 1000 do path[i] = 1 end
    use_path(path)
    for i = 1000, 1, -1 do path[i] = nil end
    use_path(path)
  end)
end)

script("a path that loses its trail in the middle of explain", function()
  local grid = wend.grid(5, 5):set(2, 2, "a")
  local path
  local costs = wend.costs { a = function()
    if path then path.trail, path.map = nil, nil end
    return 1
  end }
  path = grid:path(1, 1, 5, 5, { costs = costs })
  pcall(path.explain, path)
  use_path(path)
end)

script("a path that is shortened in the middle of explain, points and straighten", function()
  local grid = wend.grid(9, 9):fill("a")
  local function cut(path)
    for i = #path, 3, -1 do path[i] = nil end
  end
  local path = grid:path(1, 1, 9, 9)
  pcall(path.explain, path, { cost = function(_, cost)
    cut(path)
    return cost
  end })
  local second = grid:path(1, 1, 9, 9)
  pcall(grid.straighten, grid, second, { costs = wend.costs { a = function() cut(second) end } })
  local third = row(9):path(1, 9)
  pcall(third.points, third, { jitter = 1, seed = 1, clear = function()
    cut(third)
    return true
  end })
end)

script("an object whose user value is taken away", function()
  local set = debug.setuservalue or debug.setfenv
  local g, grid = row(5), wend.grid(3, 3)
  for _, object in ipairs { g, grid } do pcall(set, object, {}) end
  pcall(g.path, g, 1, 5, { costs = wend.costs { a = 2 } })
  pcall(g.edge, g, 1)
  pcall(g.add_edge, g, 1, 2, { tag = "new" })
  pcall(grid.set, grid, 1, 1, "new")
  pcall(tostring, grid)
end)

-- Iterators ----------------------------------------------------------------------------------------------------------

script("the iterator of a path that is emptied meanwhile", function()
  each_path(function(path, kind)
    local iterator, state, control = path:each()
    control = iterator(state, control)
    if kind == "grid" then path.map:path(1, 1, 1, 1, { into = path }) else path.map:path(1, 1, { into = path }) end
    pcall(iterator, state, control)
    pcall(iterator, state, 4)
  end)
end)

script("iterators of maps, asked with what they did not give", function()
  local g, grid, walls = row(5), wend.grid(3, 3):wall(1, 1, 2, 1):link(1, 1, 3, 3), wend.walls()
  walls:add_circle(1, 1, 1)
  for _, make in ipairs {
    function() return g:edges(1) end, function() return g:nodes() end, function() return grid:walls() end,
    function() return grid:links() end, function() return g:field(1):each() end,
    function() return grid:field(1, 1):each() end, function() return walls:each() end,
  } do
    local iterator, state = make()
    for _, control in ipairs { -1, 0, 2.5, 2 ^ 31, 2 ^ 32 - 1, 2 ^ 32, 2 ^ 53, 0 / 0, math.huge, "x", {} } do
      pcall(iterator, state, control)
      pcall(iterator, control, state)
      pcall(iterator, g, control)
      pcall(iterator, grid, control)
    end
    pcall(iterator)
    pcall(iterator, nil, nil)
  end
end)

script("iterators of a map that is turned over meanwhile", function()
  local g, grid = row(100), wend.grid(50, 50):wall(1, 1, 2, 1):wall(50, 50, 49, 50):link(1, 1, 50, 50)
  local edges, nodes, reached = g:edges(50), { g:nodes() }, g:field(1):each()
  local walls, links, cells = { grid:walls() }, { grid:links() }, grid:field(1, 1):each()
  edges()
  reached()
  walls[1](walls[2], walls[3])
  links[1](links[2], links[3])
  cells()
  turn_over(g)
  grid:fill(false):wall(1, 1, 2, 1, false):unlink(1, 1, 50, 50)
  for _ = 1, 10 do
    pcall(edges)
    pcall(reached)
    pcall(nodes[1], nodes[2], 50)
    pcall(walls[1], walls[2])
    pcall(links[1], links[2])
    pcall(cells)
  end
end)

script("the iterator of a field that is made again for a smaller map", function()
  local big, small = wend.grid(100, 100), wend.grid(1, 1)
  local f = big:field(1, 1)
  local each = f:each()
  for _ = 1, 5000 do each() end
  small:field(1, 1, { into = f })
  for _ = 1, 10 do pcall(each) end
  row(3):field(1, { into = f })
  for _ = 1, 10 do pcall(each) end
end)

-- Functions of the core ----------------------------------------------------------------------------------------------

script("functions of the module called with every kind of value", function()
  local some = {
    1, -1, 0 / 0, "x", true, {}, print, io.stdout, wend.graph(), wend.grid(1, 1), wend.costs(), wend.walls(),
  }
  local skip = { load = true }
  for _, module in ipairs { wend, core } do
    local names = {}
    for name, fn in pairs(module) do
      if type(fn) == "function" and not skip[name] then names[#names + 1] = name end
    end
    for _, name in ipairs(names) do
      pcall(module[name])
      for i = 1, #some do
        pcall(module[name], some[i])
        pcall(module[name], some[i], some[i % #some + 1], some[(i + 4) % #some + 1], some[(i + 7) % #some + 1])
      end
    end
  end
end)

script("methods called on every kind of value", function()
  local g, grid = row(3), wend.grid(3, 3)
  local objects = { g, grid, g:field(1), grid:field(1, 1), g:routes(), g:search(1, 2), grid:search(1, 1, 2, 2),
    g:path(1, 3), grid:path(1, 1, 2, 2), wend.walls(), wend.costs(), wend.follow and wend.follow { 0, 0, 1, 1 } }
  local others = { 1, "x", {}, print, io.stdout, true }
  for _, object in ipairs(objects) do others[#others + 1] = object end
  for _, object in ipairs(objects) do
    local methods = debug.getmetatable(object).__index
    if type(methods) == "function" then
      methods = {}
      for name in ("set get rule edge_rule remove rules"):gmatch "%S+" do methods[name] = object[name] end
    end
    for name, method in pairs(methods) do
      if type(method) == "function" and name ~= "save" then
        pcall(method)
        for _, other in ipairs(others) do
          if debug.getmetatable(other) ~= debug.getmetatable(object) then
            pcall(method, other)
            pcall(method, other, 1, 2, 3, 4)
          end
        end
      end
    end
  end
end)

-- Arguments that run scripts -----------------------------------------------------------------------------------------

script("a legend that grows while its own values are read", function()
  local legend = {}
  local function grow()
    for c = 33, 255 do legend[string.char(c)] = c end
    return 1
  end
  legend.a = setmetatable({}, { __index = grow })
  legend.b = setmetatable({}, { __index = grow })
  pcall(wend.parse_grid, "ab", legend)
  legend = { a = 1 }
  pcall(wend.parse_grid, "a", legend, setmetatable({}, { __index = function()
    grow()
    return nil
  end }))
end)

script("rows of a drawing that are replaced while the options are read", function()
  local rows = { ("a"):rep(50) }
  for i = 2, 50 do rows[i] = ("a"):rep(50) end
  local options = setmetatable({}, { __index = function()
    for i = 1, 50 do rows[i] = nil end
    collectgarbage()
    return nil
  end })
  pcall(wend.parse_grid, rows, { a = 1 }, options)
  for i = 1, 50 do rows[i] = ("a"):rep(50) end
  pcall(wend.parse_grid, rows, { a = setmetatable({}, { __index = function(_, key)
    for i = 1, 50 do rows[i] = "x" .. i end
    collectgarbage()
    return key == "tag" and "t" or 1
  end }) })
end)

script("options that remove the node that was checked", function()
  for _, make in ipairs {
    function(g, options) return g.add_edge, g, 1, 50, options end,
    function(g, options) return g.add_edges, g, { 1, 50, 50, 99 }, options end,
    function(g, options) return g.path, g, 50, 60, options end,
    function(g, options) return g.path, g, 1, { 50, 60 }, options end,
    function(g, options) return g.search, g, 50, 60, options end,
    function(g, options) return g.field, g, 50, options end,
    function(g, options) return g.field, g, { 50, 60 }, options end,
    function(g, options) return g.route, g, 50, 60, options end,
    function(g, options) return g.nearest, g, 50, 0, options end,
    function(g, options) return g.nearest_edge, g, 50, 0, options end,
    function(g, options) return wend.trace, g, 50, 60, options end,
    function(g, options) return g.check, g, options end,
    function(g, options) return g.link, g, options end,
    function(g, options) return g.routes, g, options end,
    function(g, options) return g.add_node, g, 1, 2, options end,
  } do
    local g = row(100)
    local first = true
    pcall(make(g, proxy({}, function()
      if first then turn_over(g) end
      first = false
    end)))
    g:encode()
  end
end)

script("options of a grid's calls that change the grid", function()
  for _, make in ipairs {
    function(grid, options) return grid.path, grid, 1, 1, 9, 9, options end,
    function(grid, options) return grid.path, grid, 1, 1, { 9, 9, 5, 5 }, options end,
    function(grid, options) return grid.search, grid, 1, 1, 9, 9, options end,
    function(grid, options) return grid.field, grid, 1, 1, options end,
    function(grid, options) return grid.link, grid, 1, 1, 9, 9, options end,
    function(grid, options) return grid.set, grid, 1, 1, options end,
    function(grid, options) return grid.fill, grid, 1, 1, 9, 9, options end,
    function(grid, options) return grid.clear, grid, 1, 1, 9, 9, options end,
    function(grid, options) return grid.assign, grid, ("\0"):rep(81), { [0] = 1 }, options end,
    function(grid, options) return grid.assign, grid, ("\0"):rep(81), options end,
    function(grid, options) return grid.assign, grid, ("\0"):rep(81), { [0] = options } end,
    function(grid, options) return grid.assign, grid, options, { [0] = 1 }, { length = 81 } end,
    function(grid, options) return grid.straighten, grid, grid:path(1, 1, 9, 9), options end,
  } do
    local grid = wend.grid(9, 9)
    pcall(make(grid, proxy({}, function()
      for i = 1, 9 do grid:set(i, i, { weight = i, tag = "tag" .. i }):link(i, 1, 1, i) end
      grid:wall(1, 1, 2, 1)
    end)))
    grid:encode()
  end
end)

script("an option that frees the object it is an option of", function()
  for _, make in ipairs {
    function(g, options) return g.path, g, 1, 9, options end,
    function(g, options) return g.field, g, 1, options end,
    function(g, options) return g.add_edge, g, 1, 2, options end,
    function(g, options) return g.nearest, g, 1, 0, options end,
    function(g, options) return g.routes, g, options end,
    function(g, options) return g.check, g, options end,
    function(g, options) return g.link, g, options end,
    function(g, options) return g.route, g, { 1, 1 }, { 5, 1 }, options end,
  } do
    local g = row(9)
    pcall(make(g, proxy({}, function() free(g) end)))
  end
end)

script("options with an into that a script reads, fills and replaces", function()
  local g, grid = row(9), wend.grid(9, 9)
  local f, into = g:field(1), {}
  pcall(g.path, g, 1, 9, proxy({ into = into, stats = into }, function() g:path(9, 1, { into = into }) end))
  pcall(g.field, g, 1, proxy({ into = f }, function() grid:field(1, 1, { into = f }) end))
  pcall(g.field, g, 1, proxy({ into = f }, function() free(f) end))
end)

script("tables of results that refuse what is written, or answer with scripts", function()
  local g = row(9)
  local function act() for i = 1, 5 do pcall(g.add_node, g, i, i) end end
  local into = setmetatable({}, {
    __index = function(t) act() return t end,
    __newindex = function() act() error { "no" } end,
    __len = function() return 2 ^ 40 end,
  })
  pcall(g.path, g, 1, 9, { into = into, stats = into })
  pcall(g.route, g, { 1, 1 }, { 5, 1 }, { into = into, stats = into })
  pcall(g.field, g, 1, { stats = into })
end)

script("lists that say they are longer than they are", function()
  local g, grid = row(9), wend.grid(9, 9)
  for _, length in ipairs { 2 ^ 31, 2 ^ 40, maxinteger, -1, 0 / 0, "x" } do
    local list = setmetatable({ 1, 2 }, { __len = function() return length end })
    pcall(g.add_nodes, g, list)
    pcall(g.add_edges, g, list)
    pcall(g.path, g, 1, list)
    pcall(g.field, g, list)
    pcall(grid.field, grid, list)
    pcall(grid.path, grid, 1, 1, list)
    pcall(wend.curve, list)
    pcall(wend.follow, list)
    pcall(wend.parse_grid, list)
    pcall(wend.walls().add_polygon, wend.walls(), list)
    pcall(g.check, g, { allow = list })
  end
end)

script("values of goals that change while the rest is read", function()
  local g, list = row(9), { 1, 2, 3 }
  pcall(g.field, g, { 1, 2, 3 }, proxy({ values = list }, function(key)
    if key ~= "values" then list[3], list[2] = nil, nil end
  end))
  local goals = { 1, 2, 3 }
  pcall(g.field, g, goals, proxy({}, function() for i = 1, 5000 do goals[i] = 1 end end))
  goals = { 1, 2, 3 }
  pcall(g.path, g, 9, goals, proxy({}, function() goals[1], goals[2], goals[3] = nil, nil, "x" end))
end)

-- Callbacks that edit ------------------------------------------------------------------------------------------------

script("profiles that are changed inside their own functions", function()
  local g = row(20)
  local costs = wend.costs { a = 2 }
  local count = 0
  costs:edge_rule("first", function(_, cost)
    count = count + 1
    costs:edge_rule("new" .. count, function(_, c) return c end)
    costs:remove("new" .. count - 1)
    costs:set("a", count % 3)
    costs.on_error = count % 2 == 0 and function() costs:remove "first" end or nil
    if count % 5 == 0 then error "x" end
    return cost
  end)
  for _ = 1, 5 do
    pcall(g.path, g, 1, 20, { costs = costs })
    pcall(g.field, g, 1, { costs = costs })
    pcall(g.check, g, { costs = costs })
  end
end)

script("results that are written while the search that fills them runs", function()
  local g, into, stats = row(50), {}, {}
  pcall(g.path, g, 1, 50, { into = into, stats = stats, cost = function(_, cost)
    g:path(50, 1, { into = into, stats = stats })
    setmetatable(into, { __newindex = error })
    return cost
  end })
  local route = {}
  pcall(g.route, g, { 1, 1 }, { 40, 1 }, { into = route, stats = route, jitter = 3, seed = 1, clear = function()
    route.nodes = route
    return true
  end })
  local same = { 1, 1 }
  pcall(g.route, g, same, same, { into = same, stats = same })
end)

-- Fields of graphs that changed --------------------------------------------------------------------------------------

script("a field asked about nodes that are gone, and that are new", function()
  local g = row(10)
  local f = g:field(1)
  g:remove_node(5)
  for n = 1, 10 do
    pcall(f.path, f, n)
    pcall(f.next, f, n)
    pcall(f.goal, f, n)
  end
  for i = 1, 100 do g:add_node(i, i) end
  pcall(f.path, f, 90)
  pcall(f.cost, f, 90)
  f:scale(-1)
  pcall(f.next, f, 90)
  pcall(f.next, f, 3)
  pcall(f.relax, f)
end)

script("fields of two maps in arithmetic", function()
  local g, other, grid = row(10), row(500), wend.grid(30, 30)
  local fields = { g:field(1), other:field(1), grid:field(1, 1), grid:field(1, 1, { window = 3 }) }
  for _, a in ipairs(fields) do
    for _, b in ipairs(fields) do
      pcall(a.add, a, b, 2)
      pcall(a.add, a, b, 0 / 0)
      pcall(a.add, a, b, math.huge)
      pcall(a.relax, a)
    end
  end
end)

script("a route table and a search of a graph that has been turned over", function()
  local g = row(100)
  local routes, search = g:routes(), g:search(1, 100)
  search:step(5)
  turn_over(g)
  for n = 1, 400, 13 do
    pcall(routes.path, routes, 1, n)
    pcall(routes.next, routes, n, 1)
    pcall(routes.cost, routes, n, n)
  end
  pcall(routes.encode, routes)
  pcall(search.step, search, 500)
  pcall(search.result, search)
end)

-- Recursion ----------------------------------------------------------------------------------------------------------

script("tables of options that are each other's index", function()
  local g = row(5)
  local options = {}
  for _ = 1, 300 do options = setmetatable({}, { __index = options }) end
  pcall(g.path, g, 1, 5, options)
  local base = wend.costs {}
  for _ = 1, 20000 do base = wend.costs({}, { base = base }) end
  pcall(g.path, g, 1, 5, { costs = base })
  pcall(base.rules, base)
  pcall(base.get, base, "a")
end, { deep = true })

-- Running ------------------------------------------------------------------------------------------------------------

if ... == "spec.hostile.scripts" then
  return { scripts = scripts, order = order }
end
local name = ...
if not name then
  for _, known in ipairs(order) do print(known) end
else
  local found = assert(scripts[name], "no such script")
  found.fn()
  collectgarbage()
  collectgarbage()
  print "ended"
end
