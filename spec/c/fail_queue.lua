-- SPDX-License-Identifier: MIT
-- Queues while memory runs out: a call that failed has queued nothing or has cleared the queue, which goes on. In the
-- end every request is over, its function `on_done` has run at most once, and nothing is pending. A request may end
-- with the code "error" and the message "not enough memory"; otherwise its result is that of the map.
local wend = require "wend"

local function cells()
  return wend.grid(12, 8):fill(5, 1, 5, 6, false):fill(7, 3, 8, 5, { weight = 2.5, tag = "mud" })
end

local function roads()
  local g = wend.graph()
  for i = 1, 16 do g:add_node(i % 6 * 10, i * 3) end
  for i = 1, 15 do g:add_edge(i, i + 1, { tag = i % 3 == 0 and "mud" or nil }) end
  return g
end

local walker = wend.costs { mud = { times = 2, plus = 0.25 } }

local function show(result, message)
  if result == nil then return message end
  if type(result) == "boolean" then return tostring(result) end
  if type(result) == "table" and not result.cost then -- paths
    local list = {}
    for i, path in ipairs(result) do list[i] = path and show(path) or "-" end
    return table.concat(list, "; ")
  end
  if type(result) == "userdata" then return result:encode() end
  return ("%.17g: "):format(result.cost) .. table.concat(result, " ")
end

-- What is asked of a queue, and the same of the maps.
local grid, g = cells(), roads()
local questions = {
  { "path", grid, 1, 1, 12, 1, { costs = walker, priority = 2 } },
  { "path", g, 1, 16, { owner = "a" } },
  { "path", g, 2, 16, { owner = "a", costs = walker } }, -- replaces the one before
  { "route", g, { 5, 1 }, { 40, 40 }, {} },
  { "field", grid, 3, 3, { owner = "b" } },
  { "path", grid, 1, 1, 9, 2, { share = true, priority = -1 } },
  { "path", grid, 2, 5, 9, 2, { share = true, priority = -1 } },
  { "path", g, 1, 7, { priority = 2 ^ 40 } },
  { "can_reach", grid, 1, 1, 12, 1, { costs = walker } },
  { "paths", g, { 1, 16, 2, 16, 3, 16, 4, 16, 5, 16 }, {} },
}
local function arguments(question, opts)
  local list = {}
  for i = 3, #question - 1 do list[#list + 1] = question[i] end
  list[#list + 1] = opts
  return (table.unpack or unpack)(list) -- luacheck: ignore 143
end

local expected, alone = {}, {}
for i, question in ipairs(questions) do
  local map = question[2]
  expected[i] = show(map[question[1]](map, arguments(question, { costs = question[#question].costs })))
  if question[#question].share then -- the path of a field: of equal ones it may be another than that of a search
    expected[i], alone[i] = show(map:field(question[5], question[6]):path(question[3], question[4])), expected[i]
  end
end

-- Calls a function in a thread of its own, whose small stack has to grow.
local function fresh(fn, ...)
  local ok, result = coroutine.resume(coroutine.create(fn), ...)
  if not ok then error(result, 0) end
  return result
end

local function ask(q, i, runs)
  local question, opts = questions[i], {}
  for key, value in pairs(question[#question]) do opts[key] = value end
  function opts.on_done() runs[i] = (runs[i] or 0) + 1 end
  return q[question[1]], q, question[2], arguments(question, opts)
end

local function run(order)
  local q = wend.queue()
  local requests, runs, failed = {}, {}, false
  for _, i in ipairs(order) do
    local ok, request = attempt(fresh, ask(q, i, runs))
    if not ok then
      failed = true
      request = fresh(ask(q, i, runs))
    end
    requests[i] = request
  end
  for _ = 1, 1000 do
    if failed then -- so is this one: the queue is whole again
      q:step(40)
    elseif not attempt(fresh, q.step, q, 40) then
      failed = true
    end
    if q:pending() == 0 then break end
  end
  if q:pending() ~= 0 then error(("%d requests are pending after 1000 steps"):format(q:pending()), 0) end
  if q.stats.waiting ~= 0 or q.stats.running ~= 0 then error("the counters are wrong: " .. tostring(q), 0) end
  for i, request in pairs(requests) do
    if request.state ~= "done" and request.state ~= "failed" and request.state ~= "cancelled" then
      error(("request %d is %s"):format(i, request.state), 0)
    end
    if (runs[i] or 0) > 1 or not runs[i] and not failed then
      error(("on_done of request %d has run %s times"):format(i, tostring(runs[i])), 0)
    end
    local text = show(request.result, request.code)
    if text == alone[i] then text = expected[i] end -- the other of its group has failed
    if text ~= expected[i] and text ~= "cancelled" and (text ~= "error" or request.message ~= "not enough memory") then
      error(("request %d: expected %s, got %s"):format(i, expected[i], request.message or text), 0)
    end
  end
end

for _, order in ipairs { { 1, 8, 4 }, { 2, 3, 1 }, { 6, 7, 5 }, { 9, 10 } } do
  if not is_over() then run(order) end
end
