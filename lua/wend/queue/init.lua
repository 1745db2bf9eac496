-- SPDX-License-Identifier: MIT
-- wend.queue: requests for paths, routes, fields and more, which run in small steps.
--
--   scheduler.lua   the order of the requests
--   shared.lua      the option `share`
--   versions.lua    which versions of maps they read
--   state.lua       what a queue works on, as data
--
-- A request runs a search in slices (core.start), or a batch of them (lua/wend/paths.lua). A turn that a step cuts
-- short continues in the next step. So the order of the results does not depend on the size of the steps.
--
-- Functions of the script (`on_done`, clocks, and callbacks of searches) may queue and cancel requests. `on_done` and
-- clocks may edit maps. They cannot call step or run, and cannot yield: they run inside core.call. Each change of the
-- queue is complete before one of them runs.
--
-- An error in the middle of a change (memory has run out, a finalizer has raised, a script has written into the queue)
-- leaves the queue damaged. It is then cleared, by `reset`.

local core = require "wend.core"
local check = require "wend.check"
local once = require "wend.once"
local scheduler = require "wend.queue.scheduler"
local shared = require "wend.queue.shared"
local versions = require "wend.queue.versions"

local call, reads, huge = core.call, core.reads, math.huge

local CHUNK, CHUNK_MOST = 16, 256 -- q:run: the first and the largest part of a turn between two readings of the clock
local SHARE_OF_TIME = 1 / 40    -- q:run: of the time that one such part should take
local STILL = 20000             -- q:run: the expansions after which a clock that stands still counts as over

local QUEUE_OPTIONS = { "limit", "clock", kinds = { limit = check.COUNT, clock = check.FUNCTION } }
local NONE = {}
local REPLACED, CANCEL = "a newer request of the same owner has replaced the request", "the request was cancelled"

local methods, request_methods = {}, {}
local metatable, request_metatable = once.queue, once.request
metatable.__index, request_metatable.__index = methods, request_methods

--- Raises for what earlier versions had.
local function gone(what) check.fail("searches read the map as it was when they began; %s is gone", what) end

local stats_metatable = { __index = function(_, key) if key == "restarts" then gone "q.stats.restarts" end end }

--- Adds to a number of q.stats.
local function count(self, name, more)
  self.stats[name] = self.stats[name] + more
end

--- The message of an error. Errors need not be strings.
local function message_of(problem)
  return type(problem) == "string" and problem or "an error that is " .. check.describe(problem)
end

-- Damage -----------------------------------------------------------------------------------------------------------

--- Makes a queue empty, but for requests that are over and whose functions `on_done` have not run yet.
--
--   lines        the scheduler of the requests that wait or run
--   groups       of the requests with `share`; `served`: the group whose requests come first, as its field is ready
--   owners       by owner, its request
--   ended        a list of the requests whose functions `on_done` run in the next step
--   readers      a list of the requests that have worked, see versions.lua
--   requests     a set: all requests of lines and ended; `unfinished`: their number
--   damage       the message of an error that has left the queue damaged, or false
--   changing     whether a request is being added or cancelled
local function empty(self, ended)
  local stats = setmetatable({ waiting = 0, running = 0, done = 0, failed = 0, cancelled = 0, errors = 0,
    expansions = 0, shared = 0, steps = 0, longest = 0 }, stats_metatable)
  local lines, groups, owners, requests = scheduler.new(stats), shared.new(), {}, {}
  for _, request in ipairs(ended) do requests[request] = true end
  -- No memory is needed from here on.
  self.stats, self.lines, self.groups, self.owners, self.requests = stats, lines, groups, owners, requests
  self.readers = {}
  self.ended, self.unfinished, self.served, self.damage, self.changing = ended, #ended, false, false, false
end

--- Clears a damaged queue. Its requests end with the code "error"; their functions `on_done` run in the next step. If
--- memory runs out meanwhile, the next call of the queue does it again.
local function reset(self)
  local ended = {}
  for request in next, type(self.requests) == "table" and self.requests or {} do
    if core.type(request) == "request" then
      if request.on_done then ended[#ended + 1] = request end
      if request.state == "waiting" or request.state == "running" then
        request.state, request.result, request.message, request.code = "failed", nil, self.damage, "error"
      end
      request.line, request.group, request.search = false, false, false
    end
  end
  empty(self, ended)
end

--- Calls a function that works on the queue. If it raises, the queue is damaged, and is cleared.
local function guard(self, fn, ...)
  local ok, a, b, c = call(fn, self, ...)
  if ok then
    return a, b, c
  end
  self.damage = check.NO_MEMORY         -- until there is a message
  local message = a == check.NO_MEMORY and a or "the queue was damaged, and was cleared: " .. message_of(a)
  self.damage = message
  pcall(reset, self)
  check.fail("%s", message)
end

--- Calls a function that adds or cancels requests. It runs no function of the script; only a finalizer can find the
--- queue half changed. The queue is marked meanwhile; if the function raises, until the queue is cleared.
local function change(self, fn, ...)
  if self.changing then
    check.fail "a finalizer cannot use the queue while a request is added or cancelled"
  end
  self.changing = true
  local a, b, c = guard(self, fn, ...)
  self.changing = false
  return a, b, c
end

local function check_queue(self)
  if core.type(self) ~= "queue" then
    check.wrong_self(self, "a queue", "queue")
  end
  if self.damage then reset(self) end
end

-- Ends -------------------------------------------------------------------------------------------------------------

--- Keeps the first error of a function of the script. The step raises it at its end.
local function keep_problem(self, problem)
  self.problem = self.problem or { problem }
end

--- Forgets a request that is over.
local function forget(self, request)
  request.on_done, request.queue = false, false
  self.requests[request] = nil
  self.unfinished = self.unfinished - 1
end

--- Runs the function `on_done` of a request that is over, and forgets the request.
local function tell(self, request)
  local fn, second = request.on_done, request.message
  if second == nil then second = request.rebuilt end
  forget(self, request)
  if fn then
    local ok, problem = call(fn, request.result, second, request.code, request)
    if not ok then
      count(self, "errors", 1)
      keep_problem(self, problem)
    end
  end
end

--- Takes a request out of the queue. Its function `on_done` has not run yet.
local function take_out(self, request)
  local owner = request.owner
  if owner ~= nil and self.owners[owner] == request then
    self.owners[owner] = nil
  end
  scheduler.remove(self.lines, request)
  if request.group then shared.leave(self.groups, request) end
  -- It does nothing inside callbacks of the search.
  if request.kind == "paths" then request.search:close() else core.close(request.search) end
  request.search, request.map = false, nil
  if owner ~= nil then request.owner = nil end
  if request.into then request.into = nil end
  if request.field then request.field = nil end
end

--- Ends a request, with a result or without.
local function finish(self, request, result, message, code)
  local state = result ~= nil and "done" or "failed"
  take_out(self, request)
  local stats = self.stats
  local waited = stats.steps - request.since
  stats[state] = stats[state] + 1
  if waited > stats.longest then stats.longest = waited end
  if request.kind == "update" and result ~= nil then request.rebuilt, message = message, nil end
  if code ~= nil then request.message, request.code = message, code end -- they need memory
  request.state, request.result = state, result
  tell(self, request)
end

--- Ends a request without a result. Its function `on_done` runs in the next step.
local function cancel(self, request, message)
  take_out(self, request)
  count(self, "cancelled", 1)
  request.state, request.message, request.code = "cancelled", message, "cancelled"
  if request.on_done then
    self.ended[#self.ended + 1] = request
  else
    forget(self, request)
  end
end

-- Turns ------------------------------------------------------------------------------------------------------------

--- The results of `expand` for an error of a search, or of a function of the script inside it.
local function failed(problem)
  return true, 1, nil, message_of(problem), "error"
end

--- Expands a part of a search. Errors of search.step name no line, because pcall calls it directly.
-- @param run core.run, or search.step, whose expansions do not depend on what other searches have done
-- @param work core.run, for the searches of a batch; or nil
-- @param request whose search it is; nil: that of others. Its result is left alone if a function has cancelled it
-- @return whether it is over, its expansions; the result, a message, a code
local function expand(search, run, slice, work, request)
  local ok, state, used = pcall(run, search, slice, work)
  if not ok then
    return failed(state)
  elseif state == "running" or (request and not request.line) then
    return false, used
  end
  local read, result, message, code = pcall(search.result, search)
  if not read then
    return failed(result)
  end
  return true, used, result, message, code
end

--- The path of a request whose group has a field.
local function read_field(self, request, group)
  local options = { into = request.into, corners = request.corners }
  group.used = self.stats.steps
  local ok, path, message, code = pcall(shared.path, group, request.x, request.y, options)
  if not ok then
    return failed(path)
  elseif code == "no_path" and shared.misses(group, request) then
    return false, 1
  end
  count(self, "shared", 1)
  return true, 0, path, message, code
end

--- Expands a part of the field of a group.
local function advance_group(self, group, work, slice)
  local search, problem = shared.search(self.groups, group)
  if not search then
    return failed(problem)
  end
  local over, used, field, message, code = expand(search, work or search.step, slice)
  group.worked = group.worked + used
  if group.search ~= search then        -- a function of the search has cancelled all requests of the group
    core.close(search)
    return false, used
  elseif over then
    shared.finish(self.groups, group, field, self.stats.steps, message)
  end
  if field then
    self.served = group                 -- its requests are answered next, in the order in which they came
    return false, used
  end
  return over, used, nil, message, code
end

--- Expands a part of a request.
-- @param work core.run; nil: search.step
-- @return the same as `expand`
local function advance(self, request, work, slice)
  local group = request.group
  if group then shared.ask_again(self.groups, group, request) end
  if not request.line then
    return false, 1                     -- a function of a tag has cancelled it
  elseif group and shared.is_ready(group, request) then
    return read_field(self, request, group)
  elseif group and shared.serves(group) then
    return advance_group(self, group, work, slice)
  elseif group then
    shared.detach(self.groups, request)
  end
  local search = request.search
  if request.kind == "paths" then
    return expand(search, search.step, slice, work)
  end
  local over, used, result, message, code = expand(search, work or search.step, slice, nil, request)
  request.worked = request.worked + used
  if request.slices then request.slices[#request.slices + 1] = slice end
  if request.former then shared.count(request, used, over, result) end
  return over, used, result, message, code
end

local function next_request(self)
  local group = self.served             -- its field was ready
  local request = group and shared.first(group)
  if not request or not shared.is_ready(group, request) then
    self.served = false
    request = scheduler.next(self.lines)
  end
  return request
end

--- Continues the request whose turn it is, or one that it must wait for.
-- @param most the largest number of expansions; nil: that of the request
-- @return the number of expansions, and the request; nil: there is none
local function turn(self, most)
  local request = next_request(self)
  if not request then
    return nil
  end
  local left, slice = request.left, most or request.chunk or CHUNK
  if slice > left then slice = left end
  if slice < 1 then slice = 1 end
  request.left = left - slice           -- one that replaces it meanwhile has the rest of its turn
  local group = request.group
  local worker, readers = request, self.readers
  if readers[1] and not (group and shared.is_ready(group, request)) then worker = versions.choose(readers, request) end
  local over, used, result, message, code = advance(self, worker, not most and core.run, slice)
  local first = not worker.has_worked
  if used < 1 and (first or not over) then
    used = 1                            -- so each request uses something
  end
  worker.has_worked = true
  local stats = self.stats
  stats.expansions = stats.expansions + used
  if request.line then request.left = left - used end
  if not over or not worker.line then   -- a function of its search has cancelled it
    if first then readers[#readers + 1] = worker end
    return used, request
  end
  local _, _, read = reads(worker.search)
  worker.version = read
  if worker.follows and versions.asks_again(worker, result, code) and pcall(core.again, worker.search) then
    worker.worked, worker.slices = 0, worker.slices and {}
    if first then readers[#readers + 1] = worker end
  else
    finish(self, worker, result, message, code)
  end
  return used, request
end

--- Begins a step: runs the functions `on_done` of the requests that ended outside of steps.
local function begin(self)
  count(self, "steps", 1)
  shared.tidy(self.groups, self.stats.steps)
  local ended = self.ended
  if ended[1] then
    self.ended = {}
    for _, request in ipairs(ended) do tell(self, request) end
  end
end

local function step(self, most)
  begin(self)
  local used = 0
  self.charged = 0
  while used + self.charged < most do
    local more = turn(self, most - used - self.charged)
    if not more then break end
    used = used + more
  end
  return used
end

--- Makes the current step end earlier, by n expansions: a function `on_done` has worked as long as these take.
local function charge(self, n)
  self.charged = self.charged + n
end

--- Drops the fields that are kept for later requests, if none waits.
local function drop_fields(self)
  if self.unfinished == 0 and self.groups.kept[1] then self.groups = shared.new() end
end

local function time_of(clock)
  local now = clock()
  if not check.FINITE.holds(now) then check.fail("clock must return a finite number, got %s", check.describe(now)) end
  return now
end

--- The time; nil if the clock fails.
local function read(self, clock)
  local ok, now = call(time_of, clock)
  if ok then
    return now
  end
  keep_problem(self, now)
end

local function run(self, seconds, clock)
  local before = read(self, clock)
  if not before then
    return 0
  end
  local stop, target = before + seconds, seconds * SHARE_OF_TIME
  local total, still = 0, 0
  begin(self)
  repeat
    local used, request = turn(self)
    if not used then break end
    total = total + used
    local now = read(self, clock)
    if not now then break end
    local time = now - before
    if time > target then
      request.chunk = math.max(1, math.floor(used * (target / time)))
    elseif time * 2 < target then
      request.chunk = math.min(CHUNK_MOST, (request.chunk or CHUNK) * 2)
    end
    still = time > 0 and 0 or still + used
    before = now
  until time < 0 or now >= stop or still >= STILL
  return total
end

--- Marks the queue as running, and calls a function that works on it. `work` takes the mark away.
local function guard_running(self, fn, ...)
  self.busy = true
  return guard(self, fn, ...)
end

--- Runs `step` or `run`, and raises the first error of a function of the script.
local function work(self, fn, ...)
  if self.busy then
    check.fail "the queue is running: its functions cannot call step or run"
  elseif self.changing then
    check.fail "a finalizer cannot run the queue while a request is added or cancelled"
  end
  local ok, used = pcall(guard_running, self, fn, ...)
  local problem = self.problem
  self.busy, self.problem = false, false
  if not ok then
    error(used, 0)
  elseif problem then
    error(problem[1], 0)
  end
  return used, self.unfinished
end

--- q:step(n): works for n expansions.
-- @param n a whole number >= 1, or math.huge
-- @return the number of expansions, and q:pending()
function methods:step(n)
  check_queue(self)
  return work(self, step, check.kind(n, check.COUNT, "n"))
end

--- q:run(seconds[, clock]): works until a clock has advanced by so many seconds, or nothing waits.
-- @param seconds a number >= 0; math.huge: until nothing waits
-- @param clock a function that returns seconds; default: that of the queue, which is os.clock by default
-- @return the number of expansions, and q:pending()
function methods:run(seconds, clock)
  check_queue(self)
  check.must(check.is_within(seconds, 0, huge), "seconds", "a number >= 0", seconds)
  if clock ~= nil then check.kind(clock, check.FUNCTION, "clock") end
  clock = clock or self.clock
  if not clock then check.fail "clock must be given: there is no os.clock" end
  return work(self, run, seconds, clock)
end

-- Requests ---------------------------------------------------------------------------------------------------------

--- Puts a new request into the queue.
-- @return the request; or nil, message, "full"
local function insert(self, request, priority)
  local owner, stats = request.owner, self.stats
  local old = owner ~= nil and self.owners[owner] or nil
  if not old and stats.waiting + stats.running >= self.limit then
    return nil, ("the queue is full: %d requests wait"):format(stats.waiting + stats.running), "full"
  end
  scheduler.add(self.lines, request, priority, old)
  if request.group then shared.join(self.groups, request) end
  request.since = old and old.line == request.line and old.since or stats.steps
  if owner ~= nil then self.owners[owner] = request end
  if old then cancel(self, old, REPLACED) end
  self.requests[request], self.unfinished = true, self.unfinished + 1
  return request
end

local function check_map(self, map)
  check_queue(self)
  check.kind(map, check.MAP, "map")
end

--- Whether a search tests where it may end: tests are work, too, and a slice may do more of it than it should.
local function is_ranged(options) return options.within or options.beside or options.sight end

--- The options without what a metatable adds.
local function raw(options)
  if options == nil then return NONE end
  if getmetatable(options) == nil then return options end
  local own = {}
  for key, value in next, options do own[key] = value end
  return own
end

--- The table has room for just these fields. Other fields are nil until they are needed:
---   owner, message, code, rebuilt, chunk
---   follows, exact       see versions.lua
---   group, former, beyond, spent, x, y, number, into, corners   of the option share
---   slices               of a search that tests where it may end: the sizes of its slices, see state.lua
local function new_request(self, kind, map, search, options)
  local request = setmetatable({
    state = "waiting", kind = kind, map = map, search = search, queue = self, result = nil,
    asked = reads(map), version = false,              -- versions of the map: now, and what it has read
    on_done = options.on_done or false,
    line = false, next = false, previous = false,     -- of the scheduler
    left = 0, since = 0, has_worked = false,
    worked = 0,                                       -- the expansions of its own search: see state.lua
  }, request_metatable)
  if options.owner ~= nil then request.owner = options.owner end
  if is_ranged(options) then request.slices = {} end
  return request
end

local function add(self, kind, map, ...)
  check_map(self, map)
  local search, options, a, b, c, d = check.call(core.start, kind, map, ...)
  options = raw(options)
  local request = new_request(self, kind, map, search, options)
  if options.share then
    shared.check(kind, options)
    request.into, request.corners = options.into, options.corners
    if core.type(map) == "grid" then
      request.x, request.y, request.group = a, b, shared.group(map, c, d, options)
    else
      request.x, request.group = a, shared.group(map, b, nil, options)
    end
  end
  return change(self, insert, request, options.priority or 0)
end

--- q:path(map, …), q:route(map, …), q:field(map, …), q:can_reach(map, …): queues a request with the arguments of
--- map:path, map:route, map:field and map:can_reach. More options: priority, owner, on_done, share (paths only).
-- @return a request; or nil, message, "full"
-- Raises at once if an argument is invalid.
function methods:path(map, ...) return add(self, "path", map, ...) end
function methods:route(map, ...) return add(self, "route", map, ...) end
function methods:field(map, ...) return add(self, "field", map, ...) end
function methods:can_reach(map, ...) return add(self, "can_reach", map, ...) end

--- q:paths(map, trips[, opts]): the same for map:paths.
function methods:paths(map, trips, options)
  check_map(self, map)
  local batch = require "wend.paths".start(map, trips, options)
  options = raw(options)
  return change(self, insert, new_request(self, "paths", map, batch, options), options.priority or 0)
end

--- q:update(field[, opts]): the same for field:update. The field answers as before until the request is over.
function methods:update(field, options)
  check_queue(self)
  local search, map
  search, options, map = check.call(core.start, "update", field, options)
  options = raw(options)
  if options.share then shared.check("update", options) end
  local request = new_request(self, "update", map, search, options)
  request.field = field
  return change(self, insert, request, options.priority or 0)
end

--- request:cancel(): ends the request with the code "cancelled". Its `on_done` runs in the next step.
-- @return whether it was not over yet
function request_methods:cancel()
  check.self(self, "request", "a request", "request")
  if not self.line then
    return false
  end
  change(self.queue, cancel, self, CANCEL)
  return true
end

--- request:stale() of earlier versions.
function request_methods.stale() gone "request:stale" end

local function cancel_of(self, owner)
  local request = owner ~= nil and self.owners[owner] or nil
  if request then cancel(self, request, CANCEL) end
  return request ~= nil
end

local function cancel_all(self)
  local request = scheduler.next(self.lines)
  while request do
    cancel(self, request, CANCEL)
    request = scheduler.next(self.lines)
  end
  self.groups = shared.new()
end

--- q:cancel(owner): cancels the request of an owner.
-- @return whether there was one
function methods:cancel(owner)
  check_queue(self)
  return change(self, cancel_of, owner)
end

--- q:clear(): cancels all requests, and drops shared fields.
-- @return the queue
function methods:clear()
  check_queue(self)
  change(self, cancel_all)
  return self
end

--- q:pending(): the number of requests that wait or run, and of those that were cancelled since the last step and have
--- a function `on_done`.
function methods:pending()
  check_queue(self)
  return self.unfinished
end

function metatable.__tostring(self)
  check_queue(self)
  return ("wend.Queue (%d waiting, %d running)"):format(self.stats.waiting, self.stats.running)
end

function request_metatable.__tostring(self)
  check.self(self, "request", "a request", "request")
  return ("wend.Request (%s, %s)"):format(tostring(self.kind), tostring(self.state))
end

--- wend.queue([opts]): makes a queue of requests.
-- @param options a table or nil:
--   limit   how many requests may wait or run, a whole number >= 1; more give nil, message, "full". Default: no limit
--   clock   the clock of q:run, a function that returns seconds; default os.clock
local function new(options)
  check.options(options, QUEUE_OPTIONS)
  options = options or NONE
  local os = rawget(_G, "os")
  local self = { limit = options.limit or huge, clock = options.clock or os and os.clock,
    busy = false, problem = false, charged = 0 }
  empty(self, {})
  return setmetatable(self, metatable)
end

return { new = new, charge = charge, drop_fields = drop_fields }
