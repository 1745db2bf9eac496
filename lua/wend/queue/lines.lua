-- SPDX-License-Identifier: MIT
-- The order of the requests of a queue.
--
-- Requests of equal priority form a line. A line has two rings: the requests that wait, in the order in which they
-- came, and those that run, in the order of their next turns. Both are circular, doubly linked lists. The ring itself
-- is a node of its list, so linking has no special cases. The lines of a queue form a binary heap: the one with the
-- highest priority is at 1.
--
--   heap   { line of priority 5, line of priority 0, ... }      heap.by = { [5] = line, [0] = line }
--   line   waiting: ring <-> request <-> request <-> ring
--          running: ring <-> request <-> ring
--
-- An empty line leaves the heap. Its table is used again.
--
-- Finalizers may run at any allocation, and may queue and cancel requests. Assignments to fields run no finalizer.
-- Therefore each function here first makes the tables that it needs, and then changes lists without making any.
--
-- Memory may run out as well, also where a function is called that is nested deeper than any before. So `reserve` comes
-- before a series of changes that belong together.

local jit = rawget(_G, "jit")
if jit then jit.off(true, true) end -- see init.lua

local lines = {}

-- The first places of a request, which these functions use.
local LINE, NEXT, PREVIOUS, RUNS = 1, 2, 3, 4      -- LINE: false once the request is over. RUNS: it has been started
lines.LINE, lines.NEXT, lines.PREVIOUS, lines.RUNS = LINE, NEXT, PREVIOUS, RUNS

local CALLS_MOST = 9       -- how deep the calls of a series of changes are nested, and one more
local SPARE_MOST = 16      -- empty lines that are kept for use

--- Calls itself, so that Lua has memory for calls that are nested so deep, with some variables each.
local function deepen(n)
  local a, b, c, d, e, f, g = n, n, n, n, n, n, n
  if n > 0 then
    a = deepen(n - 1)
  end
  return a, b, c, d, e, f, g
end

--- Makes sure that the functions called next need no memory for their calls.
local function reserve()
  deepen(CALLS_MOST)
end
lines.reserve = reserve

local function new_ring()
  local ring = { false, false, false }
  ring[NEXT], ring[PREVIOUS] = ring, ring
  return ring
end

--- Puts a request at the end of a ring.
local function append(ring, request)
  local last = ring[PREVIOUS]
  request[PREVIOUS], request[NEXT] = last, ring
  last[NEXT], ring[PREVIOUS] = request, request
end

local function unlink(request)
  local before, after = request[PREVIOUS], request[NEXT]
  before[NEXT], after[PREVIOUS] = after, before
  request[NEXT], request[PREVIOUS] = false, false
end

lines.new_ring, lines.append, lines.unlink = new_ring, append, unlink

-- The heap ---------------------------------------------------------------------------------------------------------

local function put(heap, i, line)
  heap[i] = line
  line.at = i
end

--- Moves a line toward the top until the one above it has a higher priority.
local function rise(heap, line)
  local i, priority = line.at, line.priority
  while i > 1 do
    local up = (i - i % 2) / 2
    if heap[up].priority >= priority then break end
    put(heap, i, heap[up])
    i = up
  end
  put(heap, i, line)
end

--- Moves a line away from the top until those below it have lower priorities.
local function sink(heap, line)
  local i, priority, count = line.at, line.priority, heap.count
  while true do
    local down = 2 * i
    if down < count and heap[down + 1].priority > heap[down].priority then
      down = down + 1
    end
    if down > count or heap[down].priority <= priority then break end
    put(heap, i, heap[down])
    i = down
  end
  put(heap, i, line)
end

function lines.new()
  return { by = {}, count = 0, spare = false, spares = 0 }
end

--- The line with the highest priority; nil: there is none. A line is empty if the call that made it has failed.
function lines.first(heap)
  local line = heap[1]
  while line and line.requests == 0 do
    reserve()
    lines.leave(heap, line)
    line = heap[1]
  end
  return line or nil
end

--- The line of a priority; makes it if there is none. The caller fills an empty line or leaves it at once.
function lines.of(heap, priority)
  local line = heap.by[priority]
  if line then
    return line
  end
  local spares = heap.spares
  if spares > 0 then
    line = heap.spare
    heap.spare, heap.spares = line.after, spares - 1
  else
    line = { priority = priority, at = 0, requests = 0, started = 0, waiting = new_ring(), running = new_ring(),
      after = false }
    local made = heap.by[priority]      -- by a finalizer, meanwhile
    if made then
      return made
    end
  end
  line.priority, line.after = priority, false
  local last = heap.count + 1
  reserve()
  heap[last] = false                    -- room for it
  heap.by[priority] = line
  heap.count, line.at = last, last
  rise(heap, line)
  return line
end

--- Takes an empty line out of the heap. A line that is not empty stays.
function lines.leave(heap, line)
  if line.requests > 0 then
    return
  end
  local i, count = line.at, heap.count
  local last = heap[count]
  heap[count], heap.count = nil, count - 1
  if last ~= line then
    put(heap, i, last)
    sink(heap, last)
    rise(heap, last)
  end
  heap.by[line.priority] = nil
  if heap.spares < SPARE_MOST then
    line.after = heap.spare
    heap.spare, heap.spares = line, heap.spares + 1
  end
end

-- Requests ---------------------------------------------------------------------------------------------------------

--- Puts a new request at the end of those that wait in its line.
function lines.join(line, request)
  request[LINE] = line
  line.requests = line.requests + 1
  append(line.waiting, request)
end

--- Takes a request out of its line.
function lines.remove(heap, request)
  local line = request[LINE]
  request[LINE] = false
  unlink(request)
  line.requests = line.requests - 1
  if request[RUNS] then
    line.started = line.started - 1
  end
  lines.leave(heap, line)
end

--- Puts a request in the place of another one of the same line, which is out of the line then.
function lines.substitute(request, old)
  local before, after = old[PREVIOUS], old[NEXT]
  request[LINE], old[LINE] = old[LINE], false
  request[RUNS] = old[RUNS]
  request[PREVIOUS], request[NEXT] = before, after
  before[NEXT], after[PREVIOUS] = request, request
  old[NEXT], old[PREVIOUS] = false, false
end

--- Starts requests that wait, until `most` of the line are running.
function lines.start(line, most)
  local waiting = line.waiting
  while line.started < most and waiting[NEXT] ~= waiting do
    local request = waiting[NEXT]
    unlink(request)
    append(line.running, request)
    line.started = line.started + 1
    request[RUNS], request.state = true, "running"
  end
end

--- Ends the turn of a running request: the others come first.
function lines.pass(request)
  local running = request[LINE].running
  unlink(request)
  append(running, request)
end

return lines
