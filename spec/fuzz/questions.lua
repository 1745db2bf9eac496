-- SPDX-License-Identifier: MIT
-- What the fuzzers of files ask of everything that was read: it must be usable, and give the same bytes again.

local wend = require "wend"
local file_reference = require "spec.support.file_reference"

local questions = {}

--- The options clear and on_point of followers that are read.
function questions.clear() return true end
function questions.tell() end

local costs = wend.costs { road = 0.5, swamp = { times = 3, plus = 1 }, mud = { times = 3, plus = 0.5 }, lava = false }

-- Where section PATH has its flags. Flag 2 of earlier versions is read, and means nothing.
local PATH_FLAGS = 13

-- The file without what a reader skips: sections, tables in files of grids of earlier versions, and a flag of paths.
local function without_unknown(bytes)
  local sections, tables = {}, bytes:sub(5, 5) == "R" and "plan" or "prep"
  for _, section in ipairs(file_reference.sections(bytes)) do
    local known = section[1] == "extr" or section[1] == tables
    if section[1] == "PATH" and bytes:sub(5, 5) == "H" then
      local data = section[2]
      local flags = data:byte(PATH_FLAGS)
      local kept = flags % 4 < 2 and flags or flags - 2
      section[2] = data:sub(1, PATH_FLAGS - 1) .. string.char(kept) .. data:sub(PATH_FLAGS + 1)
    end
    if known or not section[1]:find "^[a-z]" then sections[#sections + 1] = section end
  end
  return file_reference.pack(bytes:sub(1, 8), sections)
end

--- Raises where an object that was read from bytes does not give them again.
function questions.same_again(bytes, object, map)
  local again = object:encode()
  local renumbered = bytes:sub(5, 5) == "O" -- a base may have other numbers for the tags of a file
  if again ~= bytes and again ~= without_unknown(bytes) and not renumbered then
    error "what was read is written otherwise"
  end
  local second = wend.decode(again, { map = map, clear = questions.clear, on_point = questions.tell })
  if not second or second:encode() ~= again then error "what it has written cannot be read, or is written otherwise" end
end

--- Lets two seconds pass in a crowd, and checks that all positions are numbers.
local function walk(crowd)
  for _ = 1, 60 do crowd:update(1 / 30) end
  for _, number in ipairs(crowd:positions()) do assert(math.abs(number) < math.huge, "a walker is nowhere") end
end

-- Questions that every map answers.
local function ask_graph(g)
  file_reference.graph_text(g)
  local nodes = {}
  for n in g:nodes() do
    nodes[#nodes + 1] = n
    if #nodes == 6 then break end
  end
  for _, a in ipairs(nodes) do
    g:path(nodes[1], a)
    g:path(a, nodes[1], { heuristic = "zero" })
    local from, to = { g:position(nodes[1]) }, { g:position(a) }
    if from[1] and to[1] then g:route(from, to, { costs = costs }) end
    g:path(nodes[1], a, { costs = costs })
  end
  if #nodes > 0 then
    g:field(nodes[1])
    g:routes():path(nodes[1], nodes[#nodes])
  end
  if g:dimensions() == 2 then g:nearest(1, 1) else g:nearest(1, 1, 1) end
  local new = g:add_node()
  if nodes[1] then
    g:add_edge(new, nodes[1], { weight = 1 })
    g:why_not(nodes[#nodes], new)
    g:remove_node(nodes[1])
  end
  g:check()
end

local function ask_grid(grid)
  if grid:width() * grid:height() > 4000 then return end
  file_reference.grid_text(grid)
  local w, h = grid:width(), grid:height()
  grid:path(1, 1, w, h)
  grid:path(w, h, 1, 1)
  grid:path(w, 1, 1, h, { costs = costs })
  local x, y = grid:position(1, 1)
  local last_x, last_y = grid:position(w, h)
  local _, _, hexes = grid:cell_size()
  if not hexes then grid:route({ x, y }, { last_x, last_y }, { costs = costs }) end
  grid:nearest(last_x, y)
  if w * h <= 400 and not hexes then
    local crowd = wend.crowd { map = grid, costs = costs }
    crowd:add({ x = x, y = y }):go(last_x, last_y)
    crowd:go({ crowd:add { x = last_x, y = last_y }, crowd:add { x = last_x, y = last_y } }, x, y)
    walk(crowd)
  end
  grid:clear(1, 1, w, h)
  grid:field(1, 1)
  grid:set(1, 1, { weight = 3, tag = "fuzz" }):set(w, h, false):link(1, 1, w, h)
  if w > 1 then grid:wall(1, 1, 2, 1):wall(1, 1, 2, 1, false) end
  grid:check()
  grid:why_not(1, 1, w, h)
  grid:encode()
end

-- Calls a method of a field that may count turns: such fields refuse some.
local function unless_turns(method, ...)
  local ok, message = pcall(method, ...)
  assert(ok or message:find "per_turn", message)
end

-- Of a field or a table of routes, which are of `map`.
local function ask_other(object, map)
  if object.each then
    unless_turns(object.relax, object) -- after arithmetic nothing leads anywhere
    for a, b in object:each() do
      object:cost(a, map.width and b or nil)
      unless_turns(object.path, object, a, map.width and b or nil)
    end
    object:scale(-0.5)
    unless_turns(object.relax, object)
    object:encode()
    return
  end
  for a in map:nodes() do
    for b in map:nodes() do
      object:cost(a, b)
      object:next(a, b)
      object:path(a, b)
    end
  end
  object:bytes()
end

local function ask_walls(walls)
  local ok, crowd = pcall(wend.crowd, { walls = walls })
  if ok then
    for i = 1, 3 do crowd:add({ x = i, y = 0 }):go(0, 3) end
    walk(crowd)
  else
    assert(tostring(crowd):find("walls must lie within", 1, true), crowd)
  end
  local _, numbers, id = walls:each()()
  if numbers then
    walls:clear(numbers[1], numbers[2], 1, 1)
    walls:remove(id)
  end
  walls:add_segment(0, 0, 1, 1)
  walls:clear(0, 0, 9, 9, 1)
  walls:encode()
end

local function ask_level(level)
  tostring(level)
  for _, grid in pairs(level.grids) do ask_grid(grid) end
  if level.grid then ask_grid(level.grid) end
  if level.graph then ask_graph(level.graph) end
  if level.walls then ask_walls(level.walls) end
  level:encode()
end

--- What is written can be read, and gives the same bytes.
local function saves(crowd, options)
  local bytes = crowd:encode()
  local again = assert(wend.decode(bytes, options), "a crowd that was read cannot be read again")
  assert(again:encode() == bytes, "a crowd is written otherwise")
end

local function ask_crowd(crowd, options)
  saves(crowd, options)
  walk(crowd)
  saves(crowd, options)
  local list = {}
  for w in crowd:each() do
    if #list < 20 then list[#list + 1] = w end
  end
  for i, w in ipairs(list) do
    w:go(list[#list + 1 - i].x, list[1].y)
    if i % 2 == 0 then w:push(1, -1) end
  end
  crowd:near(0, 0, 9)
  walk(crowd)
  crowd:go(list, 1.5, 1.5)
  if list[1] then list[1]:remove() end
  for w in crowd:each() do assert(w.state, w.heading) end
  walk(crowd)
  saves(crowd, options)
end

--- Reads a crowd without a map and with each of some: where it is read, it can move and be saved. What Lua adds to the
--- file may be written otherwise. Returns whether it was read.
function questions.crowd(bytes, maps)
  for i = 0, #maps do
    local options = { map = maps[i] }
    local ok, crowd, message, code = pcall(wend.decode, bytes, options)
    if not ok then
      assert(tostring(crowd):find("map must be", 1, true), crowd)
    elseif crowd then
      ask_crowd(crowd, options)
      return true
    else
      assert(type(message) == "string" and (code == "format" or code == "stale"), code)
      if code == "format" then return false end
    end
  end
  return false
end

--- Lets a follower walk: its position stays a number, and no call raises.
local function ask_follower(f)
  for _, dt in ipairs { 0, 0.1, 3, 1e6 } do
    local x, y, z = f:update(dt)
    assert(x - x == 0 and y - y == 0 and (not z or z - z == 0) and f.heading - f.heading == 0, "it is nowhere")
    local _ = { f.edge, f.tag, f.node, f.waiting, f.points, f:remaining(), f:line(), f:encode() }
    if f.waiting or f.paused then f:resume() end
  end
  local _, problem = pcall(f.go, f, f.z and { 1, 2, 3, 4, 5, 6 } or { 1, 2, 3, 4 }, { join = true })
  assert(type(problem) ~= "string" or problem:find("spacing must be at least", 1, true), problem)
  f:update(9)
end

local function ask_path(path)
  tostring(path)
  path:valid()
  path:encode()
  pcall(path.points, path)
  pcall(path.explain, path)
  pcall(function() wend.follow(path):update(1) end)
end

--- Asks an object of a kind (the letter of its file) all that it answers.
function questions.ask(kind, object, map)
  if kind == "G" then
    ask_graph(object)
  elseif kind == "R" then
    ask_grid(object)
  elseif kind == "W" then
    ask_walls(object)
  elseif kind == "L" then
    ask_level(object)
  elseif kind == "I" then
    object:decay(0.5):invert(3)
  elseif kind == "H" then
    ask_path(object)
  elseif kind == "A" then
    ask_follower(object)
  elseif kind == "O" then
    (wend.type(object) == "grid" and ask_grid or ask_graph)(object:copy())
    object:reset()
  else
    ask_other(object, map)
  end
end

return questions
