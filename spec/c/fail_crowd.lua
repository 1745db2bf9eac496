-- SPDX-License-Identifier: MIT
-- Crowds while memory runs out: a walker that was not added is not there, an update that failed can be followed by
-- others, and in the end the walkers have arrived or report why not.
local wend = require "wend"

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

-- Calls a function in a thread of its own, whose small stack has to grow.
local function fresh(fn, ...)
  local ok, result = coroutine.resume(coroutine.create(fn), ...)
  if not ok then error(result, 0) end
  return result
end

-- An update that failed has raised that already: the next one raises nothing.
local function update(crowd, failed)
  if not failed then return (attempt(fresh, crowd.update, crowd, 0.1)) end
  crowd:update(0.1)
  return true
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
    check(crowd, walkers)
  end
  if share then
    if not attempt(crowd.go, crowd, walkers, 9, 3.5) then crowd:go(walkers, 9, 3.5) end
  else
    for i, w in ipairs(walkers) do
      if not attempt(w.go, w, 8 + i % 3, i) then w:go(8 + i % 3, i) end
    end
  end
  local failed, since = false, 0
  for step = 1, 400 do
    failed = not update(crowd, failed) or failed
    if failed then since = since + 1 end
    if since > 20 then break end -- all of the rest would take long
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
    if ended[walkers[1]] and ended[walkers[2]] and ended[walkers[3]] then break end
  end
  check(crowd, walkers)
  if not is_over() then
    local saved, bytes = attempt(crowd.encode, crowd)
    if not saved then bytes = crowd:encode() end
    local read, loaded = attempt(wend.decode, bytes, { map = grid })
    if not read then loaded = wend.decode(bytes, { map = grid }) end
    if not loaded then error("a saved crowd cannot be read", 0) end
    local again = loaded:encode()
    -- A plan that was under way ("asked") waits in the loaded crowd: it is written in another way.
    if again ~= bytes and not bytes:find("asked", 1, true) then error("a saved crowd is another one", 0) end
    if not attempt(loaded.update, loaded, 0.1) then attempt(loaded.update, loaded, 0.1) end
  end
  for i, w in ipairs(walkers) do
    if not ended[w] and not failed then error(("walker %d is %s"):format(i, w.state), 0) end
    w:go(2, 2):stop()
  end
  if not crowd:update(0.5) then error("no steps", 0) end
end

for _, share in ipairs { true, false } do
  if not is_over() then run(share) end
end
