-- SPDX-License-Identifier: MIT
-- The scheduler of a queue: it decides which request works next.
--
-- Requests of the highest priority come first. Those of equal priority form a line. At most STARTED of a line run, and
-- take turns of TURN expansions. The others wait, and start in the order in which they came. So a long search does not
-- hold up short ones, and thousands of waiting requests need little memory.
--
--   scheduler   a binary heap: [1] is the line of the highest priority
--   line        waiting: list <-> request <-> request <-> list       in the order in which they came
--               running: list <-> request <-> request <-> list       in the order of their next turns
--
-- A list is circular and doubly linked. The list itself is one of its nodes, so linking has no special cases.

local scheduler = {}

-- Between two turns of a search lie at most (STARTED - 1) * TURN expansions of others. The fewer frames a search takes,
-- the fewer edits disturb it. Most searches end in their first turn.
local STARTED, TURN = 4, 4096

local function new_list()
  local list = {}
  list.next, list.previous = list, list
  return list
end

--- Puts a request into a list, before a node: before the list itself, it is the last one.
local function link(request, node)
  local before = node.previous
  request.previous, request.next = before, node
  before.next, node.previous = request, request
end

local function unlink(request)
  local before, after = request.previous, request.next
  before.next, after.previous = after, before
  request.next, request.previous = false, false
end

-- The heap ---------------------------------------------------------------------------------------------------------

local function put(self, i, line)
  self[i], line.at = line, i
end

--- Moves a line toward the top until the one above it has a higher priority.
local function rise(self, line)
  local i = line.at
  while i > 1 do
    local up = (i - i % 2) / 2
    if self[up].priority >= line.priority then break end
    put(self, i, self[up])
    i = up
  end
  put(self, i, line)
end

--- Moves a line away from the top until those below it have lower priorities.
local function sink(self, line)
  local i, count = line.at, self.count
  while 2 * i <= count do
    local down = 2 * i
    if down < count and self[down + 1].priority > self[down].priority then
      down = down + 1
    end
    if self[down].priority <= line.priority then break end
    put(self, i, self[down])
    i = down
  end
  put(self, i, line)
end

--- Makes a scheduler.
-- @param stats a table, in which it counts the requests that are `waiting` and `running`
function scheduler.new(stats)
  return { count = 0, by_priority = {}, stats = stats }
end

local function add_line(self, priority)
  local line = { priority = priority, at = 0, requests = 0, started = 0, waiting = new_list(), running = new_list() }
  line.at = self.count + 1
  self.by_priority[priority], self.count = line, line.at
  rise(self, line)
  return line
end

local function remove_line(self, line)
  local last = self[self.count]
  self[self.count] = nil
  self.count = self.count - 1
  if last ~= line then
    put(self, line.at, last)
    sink(self, last)
    rise(self, last)
  end
  self.by_priority[line.priority] = nil
end

-- Requests ---------------------------------------------------------------------------------------------------------

--- Adds a new request.
-- @param old a request that the new one is about to replace, or nil: if the priority is the same, the new one comes
-- right before it, and has the rest of its turn
function scheduler.add(self, request, priority, old)
  local line = self.by_priority[priority] or add_line(self, priority)
  line.requests = line.requests + 1
  request.line = line
  if old and old.line == line then
    link(request, old)
    request.state, request.left = old.state, old.left
  else
    link(request, line.waiting)
    request.state, request.left = "waiting", TURN
  end
  if request.state == "running" then line.started = line.started + 1 end
  self.stats[request.state] = self.stats[request.state] + 1
end

--- Removes a request that is over. Its line is false from now on.
function scheduler.remove(self, request)
  local line = request.line
  unlink(request)
  request.line = false
  self.stats[request.state] = self.stats[request.state] - 1
  if request.state == "running" then line.started = line.started - 1 end
  line.requests = line.requests - 1
  if line.requests == 0 then remove_line(self, line) end
end

--- The request whose turn it is; nil: there is none. Its field `left` is what is left of its turn, at least 1.
function scheduler.next(self)
  local line, stats = self[1], self.stats
  if not line then
    return nil
  end
  local waiting, running = line.waiting, line.running
  while line.started < STARTED and waiting.next ~= waiting do
    local request = waiting.next
    unlink(request)
    link(request, running)
    request.state, line.started = "running", line.started + 1
    stats.waiting, stats.running = stats.waiting - 1, stats.running + 1
  end
  local request = running.next
  while request.left < 1 do                -- its turn is over: the others come first
    request.left = TURN
    unlink(request)
    link(request, running)
    request = running.next
  end
  return request
end

return scheduler
