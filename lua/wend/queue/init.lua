-- SPDX-License-Identifier: MIT
-- wend.queue: requests for paths, routes and fields, which are worked off in small steps.
--
--   lines.lua    the order of the requests
--   shared.lua   the option `share`
--
-- A request runs a search in slices (core.start). Requests of the highest priority come first. Among equals at most
-- STARTED are running, and take turns of TURN expansions; the others wait, and are started in the order in which they
-- came. So a long search does not hold up short ones, and thousands of waiting requests need little memory.
--
-- A turn that a step cuts short continues in the next step. So the order of the results does not depend on the size of
-- the steps.
--
-- Functions of the script (`done`, clocks, and callbacks of searches) may queue and cancel requests. `done` and clocks
-- may edit maps. They cannot call step or run, and cannot yield: they run inside core.call. Each change of the queue is
-- complete before one of them runs.

-- Finalizers of the script may use a queue too. They run where memory is allocated. In compiled code of LuaJIT they
-- also run where a trace ends, between any two operations; so the code of queues is not compiled there.
local jit = rawget(_G, "jit")
if jit then jit.off(true, true) end

local core = require "wend.core"
local check = require "wend.check"
local lines = require "wend.queue.lines"
local shared = require "wend.queue.shared"

local LINE, NEXT, PREVIOUS, RUNS = lines.LINE, lines.NEXT, lines.PREVIOUS, lines.RUNS
local call, huge, rawset = core.call, math.huge, rawset

-- Between two turns of a search lie at most (STARTED - 1) * TURN expansions of others. The fewer frames a search takes,
-- the fewer edits disturb it. Most searches end in their first turn.
local STARTED, TURN = 4, 4096
local CHUNK, CHUNK_MOST = 16, 256 -- q:run: the first and the largest part of a turn between two readings of the clock
local SHARE_OF_TIME = 1 / 40    -- q:run: of the time that one such part should take
local STILL = 20000             -- q:run: the expansions after which a clock that stands still counts as over

-- The places of a request after those of lines.lua. All requests have all of them.
local SEARCH, QUEUE, KIND, DONE, OWNER, LEFT, SIZE, SINCE, GROUP, X, Y, INTO, USED, STALE =
  5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18

-- The places of a queue.
local HEAP, OWNERS, COUNTS, CANCELLED, GROUPS, SCRATCH, BUSY, FAILED, PROBLEM, LIMIT, PENDING, CLOCK, SERVED, CHARGED =
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14

local QUEUE_OPTIONS = { "limit", "clock" }
local OWN = { priority = true, owner = true, done = true, share = true }
local REPLACED, CANCEL = "a newer request of the same owner has replaced the request", "the request was cancelled"

local methods, request_methods = {}, {}
local metatable, request_metatable = core.class "queue", core.class "request"
metatable.__index, request_metatable.__index = methods, request_methods

local function check_queue(self)
  if core.type(self) ~= "queue" then
    check.wrong_self(self, "a queue", "queue")
  end
end

--- Adds to a counter, and shows it in q.stats. A script may write into q.stats: it is never read.
local function count(self, name, more)
  local counts = self[COUNTS]
  local value = counts[name] + more
  counts[name] = value
  rawset(counts.shown, name, value) -- scripts may do anything with this table
end

-- Ends -------------------------------------------------------------------------------------------------------------

--- The message of an error. Errors need not be strings.
local function message_of(problem)
  return type(problem) == "string" and problem or "an error that is " .. check.describe(problem)
end

--- Takes a request out of its line, and forgets what it holds. Its function `done` has not run yet.
local function take_out(self, request)
  if request[LINE] then
    count(self, request[RUNS] and "running" or "waiting", -1)
    lines.remove(self[HEAP], request)
  end
  local owner, group = request[OWNER], request[GROUP]
  if owner ~= nil and self[OWNERS][owner] == request then
    self[OWNERS][owner] = nil
  end
  if group then
    request[GROUP] = false
    shared.leave(self[GROUPS], group)
  end
  local search = request[SEARCH]
  request[SEARCH], request[OWNER], request[INTO] = false, nil, false
  core.close(search)                    -- it does nothing inside callbacks of the search
end

--- Runs the function `done` of a request that is over.
local function tell(self, request)
  local done = request[DONE]
  request[DONE], request[QUEUE] = false, false
  self[PENDING] = self[PENDING] - 1
  if done then
    local ok, problem = call(done, request.result, request.message, request.code, request)
    if not ok then
      count(self, "errors", 1)
      if not self[FAILED] then
        self[FAILED], self[PROBLEM] = true, problem
      end
    end
  end
end

--- Ends a request with a result.
local function finish(self, request, result, message, code)
  lines.reserve()
  take_out(self, request)
  count(self, result ~= nil and "done" or "failed", 1)
  local wait = self[COUNTS].steps - request[SINCE]
  if wait > self[COUNTS].longest then
    count(self, "longest", wait - self[COUNTS].longest)
  end
  request.state = result ~= nil and "done" or "failed"
  request.result, request.message, request.code = result, message, code
  tell(self, request)
end

--- Ends a request without a result. Its function `done` runs in the next step. The caller has called lines.reserve.
local function cancel(self, request, message)
  take_out(self, request)
  count(self, "cancelled", 1)
  request.state, request.message, request.code = "cancelled", message, "cancelled"
  if request[DONE] then
    lines.append(self[CANCELLED], request)
  else
    request[QUEUE] = false
    self[PENDING] = self[PENDING] - 1
  end
end

--- Runs the functions `done` of the requests that were cancelled before this step.
local function tell_cancelled(self)
  local ring = self[CANCELLED]
  local last = ring[PREVIOUS]
  while ring[NEXT] ~= ring do
    local request = ring[NEXT]
    lines.reserve()
    lines.unlink(request)
    tell(self, request)
    if request == last then break end
  end
end

-- Turns ------------------------------------------------------------------------------------------------------------

--- The results of `advance` for an error of a search, or of a function of the script inside it.
local function failed(problem)
  return true, 1, nil, message_of(problem), "error"
end

--- The path of a request to which its group has a field.
local function read_field(self, request, group)
  local field, x, y = group.field, request[X], request[Y]
  group.used = self[COUNTS].steps
  local options = request[INTO] and { into = request[INTO] } or nil
  local ok, path, message, code
  if y then
    ok, path, message, code = pcall(field.path, field, x, y, options)
  else
    ok, path, message, code = pcall(field.path, field, x, options)
  end
  if not ok then
    return failed(path)
  end
  count(self, "shared", 1)
  return true, 0, path, message, code
end

--- Expands a part of a search. Its methods are called by pcall directly: so errors of the core name no line.
-- @return whether it is over, the number of expansions, the result, a message, a code
local function advance(self, request, slice)
  local group = request[GROUP]
  if group then
    if shared.is_ready(group) then
      return read_field(self, request, group)
    elseif shared.serves(group) then
      local over, used, message, code = shared.advance(self[GROUPS], group, slice, self[COUNTS].steps)
      if code == "error" then
        return failed(message)
      elseif code then
        return true, used, nil, message, code
      elseif over then
        self[SERVED] = group            -- its requests are answered next, in the order in which they came
      end
      return false, used
    end
    lines.reserve()
    request[GROUP] = false              -- it is alone
    shared.leave(self[GROUPS], group)
  end
  local search = request[SEARCH]
  local ok, state, used = pcall(search.step, search, slice)
  if not ok then
    return failed(state)
  elseif state == "running" or not request[LINE] then
    return false, used
  end
  local read, restarts = pcall(search.restarts, search)
  if read then count(self, "restarts", restarts) end
  local result, message, code, stale
  ok, stale = pcall(search.stale, search)
  if not ok then
    return failed(stale)
  end
  ok, result, message, code = pcall(search.result, search)
  if not ok then
    return failed(result)
  end
  request[STALE] = stale
  return true, used, result, message, code
end

--- The request whose turn it is; nil: there is none.
local function next_request(self)
  local group = self[SERVED]
  if group then                         -- its field is ready
    local request = shared.next_of(group, GROUP)
    if request and shared.is_ready(group) then
      return request
    end
    self[SERVED] = false
  end
  lines.reserve()
  local line = lines.first(self[HEAP])
  if not line then
    return nil
  end
  local started = line.started
  lines.start(line, STARTED)
  if line.started > started then
    count(self, "waiting", started - line.started)
    count(self, "running", line.started - started)
  end
  local request = line.running[NEXT]
  while request[LEFT] < 1 do
    request[LEFT] = TURN
    lines.pass(request)
    request = line.running[NEXT]
  end
  return request
end

--- Continues the request whose turn it is.
-- @param most the largest number of expansions; nil: request[SIZE]
-- @return the number of expansions, and the request; nil: there is none
local function turn(self, most)
  local request = next_request(self)
  if not request then
    return nil
  end
  local left = request[LEFT]
  local slice = math.max(1, math.min(most or request[SIZE], left))
  request[LEFT] = left - slice          -- one that replaces it meanwhile has the rest of its turn
  local over, used, result, message, code = advance(self, request, slice)
  if used < 1 and not (over and request[USED]) then
    used = 1                            -- so each request uses something
  end
  request[USED] = true
  count(self, "expansions", used)
  if request[LINE] then                 -- otherwise a function of its search has cancelled it
    if over then
      finish(self, request, result, message, code)
    else
      request[LEFT] = left - used
    end
  end
  return used, request
end

local function step(self, most)
  self[BUSY] = true                     -- not before: there may be no memory for the call
  count(self, "steps", 1)
  shared.tidy(self[GROUPS], self[COUNTS].steps)
  tell_cancelled(self)
  local used = 0
  self[CHARGED] = 0
  while used + self[CHARGED] < most do
    local more = turn(self, most - used - self[CHARGED])
    if not more then break end
    used = used + more
  end
  return used
end

--- Makes the current step end earlier, by n expansions: a function `done` has worked as long as these take.
local function charge(self, n)
  self[CHARGED] = self[CHARGED] + n
end

local function read(clock)
  local now = clock()
  if type(now) ~= "number" or not (now > -huge and now < huge) then
    check.fail("clock must return a finite number, got %s", check.describe(now))
  end
  return now
end

local function run(self, seconds, clock)
  self[BUSY] = true
  count(self, "steps", 1)
  local before = read(clock)
  local stop, target = before + seconds, seconds * SHARE_OF_TIME
  shared.tidy(self[GROUPS], self[COUNTS].steps)
  tell_cancelled(self)
  local total, still = 0, 0
  repeat
    local used, request = turn(self)
    if not used then break end
    total = total + used
    local now = read(clock)
    local time = now - before
    if time > target then
      request[SIZE] = math.max(1, math.floor(used * (target / time)))
    elseif time * 2 < target then
      request[SIZE] = math.min(CHUNK_MOST, request[SIZE] * 2)
    end
    still = time > 0 and 0 or still + used
    before = now
  until time < 0 or now >= stop or still >= STILL
  return total
end

--- Runs `step` or `run`, and raises the first error of a function `done`.
local function protected(self, fn, ...)
  if self[BUSY] then
    check.fail "the queue is running: its functions cannot call step or run"
  end
  local ok, used = call(fn, self, ...)
  local raised, problem = self[FAILED], self[PROBLEM]
  self[BUSY], self[FAILED], self[PROBLEM] = false, false, nil
  if raised then
    error(problem, 0)
  elseif not ok then
    error(used, 0)
  end
  return used, self[PENDING]
end

--- q:step(n): works for n expansions.
-- @param n a whole number >= 1, or math.huge
-- @return the number of expansions, and q:pending()
function methods:step(n)
  check_queue(self)
  if type(n) ~= "number" or not (n >= 1) or n % 1 ~= 0 and n ~= huge then
    check.fail("n must be a whole number >= 1, got %s", check.describe(n))
  end
  return protected(self, step, n)
end

--- q:run(seconds[, clock]): works until a clock has advanced by so many seconds, or nothing waits.
-- @param seconds a number >= 0; math.huge: until nothing waits
-- @param clock a function that returns seconds; default: that of the queue, which is os.clock by default
-- @return the number of expansions, and q:pending()
function methods:run(seconds, clock)
  check_queue(self)
  if type(seconds) ~= "number" or not (seconds >= 0) then
    check.fail("seconds must be a number >= 0, got %s", check.describe(seconds))
  elseif clock ~= nil and not check.is_callable(clock) then
    check.fail("clock must be a function, got %s", check.describe(clock))
  end
  return protected(self, run, seconds, clock or self[CLOCK])
end

-- Requests ---------------------------------------------------------------------------------------------------------

--- The position of the options among the arguments after the map.
local function options_at(kind, is_grid, a, b, c)
  if kind == "route" or not is_grid then
    return kind == "field" and 2 or 3
  end
  local i = type(a) == "number" and 3 or 2
  if kind == "field" then
    return i
  end
  local second = b
  if i == 3 then second = c end
  return type(second) == "number" and i + 2 or i + 1
end

local function check_own(priority, done, share, kind)
  if priority ~= nil and (type(priority) ~= "number" or not (priority > -huge and priority < huge)) then
    check.fail("priority must be a finite number, got %s", check.describe(priority))
  elseif done ~= nil and not check.is_callable(done) then
    check.fail("done must be a function, got %s", check.describe(done))
  elseif share ~= nil and type(share) ~= "boolean" then
    check.fail("share must be true or false, got %s", check.describe(share))
  elseif share and kind ~= "path" then
    check.fail("share is an option of paths: a %s cannot share a field", kind)
  end
end

--- Starts a search. Errors name the line of the script; the list of valid options has those of the queue too.
local function start(kind, map, a, b, c, d, e)
  local ok, search = pcall(core.start, kind, map, a, b, c, d, e)
  if ok then
    return search
  elseif type(search) ~= "string" then
    error(search, 0)
  end
  if search:find("^unknown option") then
    search = search:gsub("%)$", ", priority, owner, done, share)")
  end
  check.fail("%s", search)
end

local function add(self, kind, map, a, b, c, d, e)
  check_queue(self)
  local type_of_map = core.type(map)
  if type_of_map ~= "graph" and type_of_map ~= "grid" then
    check.fail("map must be a graph or a grid, got %s", check.describe(map))
  end
  -- Read.
  local is_grid = type_of_map == "grid"
  local at = options_at(kind, is_grid, a, b, c)
  local options = at == 2 and b or at == 3 and c or at == 4 and d or at == 5 and e or nil
  local plain, priority, owner, done, share = options, nil, nil, nil, nil
  if type(options) == "table" then
    priority, owner = rawget(options, "priority"), rawget(options, "owner")
    done, share = rawget(options, "done"), rawget(options, "share")
    check_own(priority, done, share, kind)
    if owner ~= owner then
      check.fail "owner must not be nan"
    end
    plain = self[SCRATCH] or {}
    self[SCRATCH] = false
    for key, value in next, options do
      if not OWN[key] then plain[key] = value end
    end
  end
  local goal_x, goal_y
  if share then
    shared.check(plain)
    if is_grid then
      a, b, c, d = shared.spread_cells(a, b, c, d)
      at, goal_x, goal_y = 5, c, d
    elseif type(b) == "table" then
      check.fail "share needs one goal, got a list"
    end
  end
  if at == 2 then b = plain elseif at == 3 then c = plain elseif at == 4 then d = plain else e = plain end
  local search = start(kind, map, a, b, c, d, e)
  local group
  if share then
    if not is_grid then
      goal_x = type(b) == "string" and map:node(b) or b
    end
    group = shared.group(self[GROUPS], map, goal_x, goal_y, plain)
  end
  local into = share and plain and plain.into or false
  if plain ~= options then
    for key in next, plain do plain[key] = nil end
    self[SCRATCH] = plain
  end
  local request = {
    false, false, false, false, search, self, kind, done or false, owner, TURN, CHUNK, 0, group or false, a,
    is_grid and b or false, into, false, false, state = "waiting", result = nil, message = nil, code = nil,
  }
  setmetatable(request, request_metatable)
  -- Act. lines.of may run finalizers; what comes after it does not. Memory may run out until `join`: so far the queue
  -- is as it was. What comes after lines.reserve needs none.
  local counts = self[COUNTS]
  local line = lines.of(self[HEAP], priority or 0)
  local old = owner ~= nil and self[OWNERS][owner] or nil
  if not old and counts.waiting + counts.running >= self[LIMIT] then
    lines.leave(self[HEAP], line)
    if group then shared.drop(self[GROUPS], group) end
    return nil, ("the queue is full: %d requests wait"):format(counts.waiting + counts.running), "full"
  end
  if owner ~= nil then self[OWNERS][owner] = old or false end
  if group then shared.reserve(group) end
  lines.reserve()
  if group then shared.join(group, request) end
  request[SINCE] = counts.steps
  self[PENDING] = self[PENDING] + 1
  if old and old[LINE] == line then
    request[LEFT], request[SINCE] = old[LEFT], old[SINCE]
    lines.substitute(request, old)
    request.state = request[RUNS] and "running" or "waiting"
  else
    lines.join(line, request)
    count(self, "waiting", 1)
  end
  if owner ~= nil then
    self[OWNERS][owner] = request
  end
  if old then
    cancel(self, old, REPLACED)
  end
  return request
end

--- q:path(map, …), q:route(map, …), q:field(map, …): queues a request with the arguments of map:path, map:route and
--- map:field. More options: priority, owner, done, share (paths only).
-- @return a request; or nil, message, "full"
-- Raises at once if an argument is invalid.
function methods:path(map, a, b, c, d, e) return add(self, "path", map, a, b, c, d, e) end
function methods:route(map, a, b, c, d, e) return add(self, "route", map, a, b, c, d, e) end
function methods:field(map, a, b, c, d, e) return add(self, "field", map, a, b, c, d, e) end

--- request:cancel(): ends the request with the code "cancelled". Its `done` runs in the next step.
-- @return whether it was not over yet
function request_methods:cancel()
  check.self(self, "request", "a request", "request")
  if not self[LINE] then
    return false
  end
  lines.reserve()
  cancel(self[QUEUE], self, CANCEL)
  return true
end

--- request:stale(): whether its search has ended on a snapshot of the map, with a path or without.
function request_methods:stale()
  check.self(self, "request", "a request", "request")
  return self[STALE]
end

--- q:cancel(owner): cancels the request of an owner.
-- @return whether there was one
function methods:cancel(owner)
  check_queue(self)
  local request = owner ~= nil and self[OWNERS][owner] or nil
  if not request then
    return false
  end
  lines.reserve()
  cancel(self, request, CANCEL)
  return true
end

--- q:clear(): cancels all requests, and drops shared fields.
-- @return the queue
function methods:clear()
  check_queue(self)
  local heap = self[HEAP]
  while lines.first(heap) do
    local line = heap[1]
    local ring = line.running[NEXT] ~= line.running and line.running or line.waiting
    lines.reserve()
    cancel(self, ring[NEXT], CANCEL)
  end
  shared.clear(self[GROUPS])
  return self
end

--- q:pending(): the number of requests that wait or run, and of those that were cancelled since the last step and have
--- a function `done`.
function methods:pending()
  check_queue(self)
  return self[PENDING]
end

function metatable.__tostring(self)
  check_queue(self)
  local counts = self[COUNTS]
  return ("wend.Queue (%d waiting, %d running)"):format(counts.waiting, counts.running)
end

function request_metatable.__tostring(self)
  check.self(self, "request", "a request", "request")
  return ("wend.Request (%s, %s)"):format(tostring(self[KIND]), tostring(self.state))
end

--- wend.queue([opts]): makes a queue of requests.
-- @param options a table or nil:
--   limit   how many requests may wait or run, a whole number >= 1; more give nil, message, "full". Default: no limit
--   clock   the clock of q:run, a function that returns seconds; default os.clock
local function new(options)
  check.options(options, QUEUE_OPTIONS)
  local limit, clock
  if options then limit, clock = rawget(options, "limit"), rawget(options, "clock") end
  if limit ~= nil and (type(limit) ~= "number" or not (limit >= 1) or limit % 1 ~= 0 and limit ~= huge) then
    check.fail("limit must be a whole number >= 1, got %s", check.describe(limit))
  elseif clock ~= nil and not check.is_callable(clock) then
    check.fail("clock must be a function, got %s", check.describe(clock))
  end
  local shown = {}
  local counts = { waiting = 0, running = 0, done = 0, failed = 0, cancelled = 0, errors = 0, expansions = 0,
    restarts = 0, shared = 0, steps = 0, longest = 0 }
  for name, value in pairs(counts) do shown[name] = value end
  counts.shown = shown
  return setmetatable({
    lines.new(), {}, counts, lines.new_ring(), shared.new(), {}, false, false, nil, limit or huge, 0,
    clock or os.clock, false, 0, stats = shown,
  }, metatable)
end

return { new = new, charge = charge }
