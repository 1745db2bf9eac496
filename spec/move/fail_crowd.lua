-- SPDX-License-Identifier: MIT
-- Crowds while memory runs out: a walker that was not added is not there. An update that fails raises once; then the
-- crowd is as before, if the update has not begun, or empty, and can be used. Without a failure the walkers arrive or
-- report why not.
local wend = require "wend"
require "wend.move.crowd" -- loading it is not what is to fail

local function hall() return wend.grid(12, 6):fill(6, 1, 6, 6, false):open(6, 3, 6, 4) end

--- Checks that the crowd has the walkers that the script knows, and that they have positions.
local function check(crowd, walkers)
  local known, count = {}, 0
  for _, w in ipairs(walkers) do known[w] = true end
  for w in crowd:each() do
    if not known[w] then error("an unknown walker", 0) end
    if not (w.x > 0 and w.x < 12 and w.y > 0 and w.y < 6) then error("a walker is nowhere", 0) end
    count = count + 1
  end
  if count ~= #walkers or crowd:count() ~= count then
    error(("%d walkers, %d are listed, %d are known"):format(crowd:count(), count, #walkers), 0)
  end
end

-- A function that runs in a thread of its own, whose small stack has to grow.
local function fresh(fn)
  local thread = coroutine.create(fn)
  return function(...)
    local ok, result = coroutine.resume(thread, ...)
    if not ok then error(result, 0) end
    return result
  end
end

--- The bytes of a crowd, and the crowd that they give.
local function copy(crowd, grid)
  local saved, bytes = attempt(crowd.encode, crowd)
  if not saved then bytes = crowd:encode() end
  local read, loaded = attempt(wend.decode, bytes, { map = grid })
  if not read then loaded = wend.decode(bytes, { map = grid }) end
  if not loaded then error("a saved crowd cannot be read", 0) end
  return bytes, loaded
end

local function run(share)
  local grid, walls = hall(), wend.walls()
  walls:add_circle(9, 1, 0.3)
  local ok, crowd = attempt(wend.crowd, { map = grid, walls = walls })
  if not ok then crowd = wend.crowd { map = grid, walls = walls } end
  local walkers, ended = {}, {}
  local function over(w) ended[w] = true end
  crowd.on_arrive, crowd.on_stuck, crowd.on_lost = over, over, over
  for i = 1, 4 do
    local opts = { x = 0.5 + i % 2, y = 0.5 + i, radius = 0.3, group = share and "g" .. i or nil, patience = 3 }
    local added, w = attempt(crowd.add, crowd, opts)
    if not added then check(crowd, walkers) end
    walkers[i] = added and w or crowd:add(opts)
    ended[walkers[i]] = false -- so that `over` needs no memory
    check(crowd, walkers)
  end
  if share then
    if not attempt(crowd.go, crowd, walkers, 9, 3.5) then crowd:go(walkers, 9, 3.5) end
  else
    for i, w in ipairs(walkers) do
      if not attempt(w.go, w, 8 + i % 3, i) then w:go(8 + i % 3, i) end
    end
  end
  for step = 1, 400 do
    local before = crowd:hash()
    if not attempt(fresh(crowd.update), crowd, 0.1) and (crowd:count() == 0 or crowd:hash() ~= before) then
      for i, w in ipairs(walkers) do
        if crowd:count() > 0 or w.state ~= "removed" then error(("walker %d is %s"):format(i, w.state), 0) end
      end
      ended, walkers = {}, { crowd:add({ x = 1, y = 1, radius = 0.3 }):go(1.5, 2) }
      for _ = 1, 20 do crowd:update(0.1) end
      if not ended[walkers[1]] then error("the walker after the failure is " .. walkers[1].state, 0) end
      break
    end
    if step == 5 then
      attempt(walkers[4].push, walkers[4], 1, 1)
      attempt(crowd.near, crowd, 3, 3, 5)
      attempt(crowd.positions, crowd)
      attempt(walkers[4].place, walkers[4], 1.5, 5.5)
      if not attempt(grid.close, grid, 6, 3) then grid:close(6, 3) end
      check(crowd, walkers)
    end
    if #walkers == 4 and step == 10 then
      local w = walkers[4]
      if not attempt(w.remove, w) and w.state ~= "removed" then w:remove() end
      walkers[4] = nil
      check(crowd, walkers)
    end
    if step > 10 and #walkers > 2 and ended[walkers[1]] and ended[walkers[2]] and ended[walkers[3]] then break end
  end
  check(crowd, walkers)
  if not is_over() then
    local bytes, loaded = copy(crowd, grid)
    local again = loaded:encode()
    -- A plan that was under way ("asked") waits in the loaded crowd: it is written in another way.
    if again ~= bytes and not bytes:find("asked", 1, true) then error("a saved crowd is another one", 0) end
    if not attempt(loaded.update, loaded, 0.1) then attempt(loaded.update, loaded, 0.1) end
  end
  for i, w in ipairs(walkers) do
    if not ended[w] then error(("walker %d is %s"):format(i, w.state), 0) end
    w:go(2, 2):stop()
  end
  if not crowd:update(0.5) then error("no steps", 0) end
end

local function has_arrived(w) return w.state == "arrived" end
local function is_crossing(w) return w.crossing end

--- Updates a crowd until something is so for all these walkers. Returns whether it is: not if a search without memory
-- has lost one, or an update without memory has removed all.
local function play(crowd, walkers, is_so)
  for _ = 1, 200 do
    local before, count = crowd:hash(), 0
    if not attempt(fresh(crowd.update), crowd, 0.1) and (crowd:count() == 0 or crowd:hash() ~= before) then
      if crowd:count() > 0 or walkers[1].state ~= "removed" then
        error("the first walker is " .. walkers[1].state, 0)
      end
      return false
    end
    for _, w in ipairs(walkers) do
      if w.state == "lost" then return false end
      if is_so(w) then count = count + 1 end
    end
    if count == #walkers then return true end
  end
  error("after 20 seconds the first walker is " .. walkers[1].state, 0)
end

--- Sends a walker. Without memory it is sent again.
local function send(w, ...)
  if not attempt(w.go, w, ...) then w:go(...) end
end

--- Two meet in a corridor: they pass through each other.
local function meet()
  local grid = wend.grid(8, 2):fill(1, 2, 8, 2, false):open(4, 2)
  local crowd = wend.crowd { map = grid }
  local a, b = crowd:add { x = 1.5, y = 0.5, radius = 0.45 }, crowd:add { x = 6.5, y = 0.5, radius = 0.45 }
  a:go(6.5, 0.5)
  b:go(1.5, 0.5)
  play(crowd, { a, b }, has_arrived)
end

--- A wide walker goes around a gap: its plan needs a view of the map.
local function squeeze()
  local grid = wend.grid(8, 8):fill(4, 1, 4, 8, false):open(4, 2):open(4, 5, 4, 7)
  local crowd = wend.crowd { map = grid }
  local w = crowd:add { x = 2, y = 2, radius = 0.8 }
  send(w, 6, 2)
  if play(crowd, { w }, has_arrived) or w.state == "lost" then attempt(w.why_not, w) end
end

--- Two get their places on a field with several goals.
local function fill()
  local grid = hall()
  local crowd, field = wend.crowd { map = grid }, grid:field { 9, 2, 9, 3, 10, 3 }
  local a, b = crowd:add { x = 1, y = 1, radius = 0.3 }, crowd:add { x = 1, y = 3, radius = 0.3 }
  for _, w in ipairs { a, b } do send(w, field) end
  if play(crowd, { a, b }, has_arrived) then copy(crowd, grid) end
end

--- A crowd is saved while one walker waits for its plan, and one crosses a link.
local function wait()
  local grid = wend.grid(12, 6):fill(6, 1, 6, 6, false):link(5, 1, 7, 1, { weight = 9 })
  local crowd = wend.crowd { map = grid, budget = 1 }
  local a, b = crowd:add { x = 4, y = 0.5, radius = 0.3 }, crowd:add { x = 1, y = 5, radius = 0.3 }
  send(a, 9, 0.5)
  if not play(crowd, { a }, is_crossing) then return end
  send(b, 10, 5)
  if not attempt(fresh(crowd.update), crowd, 0.1) and crowd:count() == 0 then return end
  local bytes, loaded = copy(crowd, grid)
  if b.state == "lost" then return end
  if not bytes:find("PLAN", 1, true) or not bytes:find("LINK", 1, true) then error("no plan, or no link", 0) end
  attempt(fresh(loaded.update), loaded, 0.1)
  for _ = 1, 300 do loaded:update(0.1) end
  for w in loaded:each() do
    if w.state ~= "arrived" and w.state ~= "lost" then error("a loaded walker is " .. w.state, 0) end
  end
end

--- A walker climbs a ladder.
local function climb()
  local made, crowd = attempt(wend.crowd, { up = "y" })
  if not made then crowd = wend.crowd { up = "y" } end
  local added, w = attempt(crowd.add, crowd, { x = 0, y = 0, height = 1 })
  if not added then w = crowd:add { x = 0, y = 0, height = 1 } end
  send(w, { 0, 1, 0, 1, 1, 0, 1, 4, 0, 2, 4, 0, dimensions = 3 })
  if play(crowd, { w }, has_arrived) and w.height ~= 4 then error("it is at the height " .. w.height, 0) end
end

--- Two plan over a graph of 3 dimensions, which changes. They are saved on their way, and read on two graphs.
local function plan_high()
  local nodes = { 0, 0, 0, 2, 0, 0, 2, 3, 0, 4, 3, 0, 2, 0, 2, 4, 0, 2 }
  local graph = wend.graph { dimensions = 3 }
  graph:add_nodes(nodes)
  graph:add_edges { 1, 2, 2, 3, 3, 4, 2, 5, 5, 6, 6, 4 }
  local crowd = wend.crowd { map = graph, up = "y" }
  local a, b = crowd:add { x = 0, y = 0, radius = 0.3 }, crowd:add { x = 0, y = 0.2, radius = 0.3 }
  for _, w in ipairs { a, b } do send(w, 4, 0, { height = 3 }) end
  for _ = 1, 8 do
    if not attempt(fresh(crowd.update), crowd, 0.1) and crowd:count() == 0 then return end
  end
  graph:close(3)
  local _, loaded = copy(crowd, graph)
  graph:add_node(9, 9, 9)
  local _, other = copy(crowd, graph)
  if other:count() == 2 then graph:open(3) end
  for _, one in ipairs { loaded, other } do
    attempt(fresh(one.update), one, 0.1)
    for _ = 1, 100 do one:update(0.1) end
    for w in one:each() do
      if w.state ~= "arrived" and w.state ~= "lost" then error("a loaded walker is " .. w.state, 0) end
      if w.state == "arrived" and w.height ~= 3 then error("it is at the height " .. w.height, 0) end
    end
  end
end

for _, share in ipairs { true, false } do
  if not is_over() then run(share) end
end
if not is_over() then meet() end
if not is_over() then squeeze() end
if not is_over() then fill() end
if not is_over() then climb() end
if not is_over() then plan_high() end
if not is_over() then wait() end
