-- SPDX-License-Identifier: MIT
-- What the specs share: random maps with a plain-table model of each, the slowest possible solver, files, errors.

local assert = require "luassert"     -- a required file does not see busted's own
local wend = require "wend"

local helper = {}

-- What messages say of the options of calls whose paths end at their goals, of path, and of search.
helper.WAY_OPTIONS = "(expected one of: costs, agent, cost, at_least, size, influence, algorithm, heuristic, "
  .. "max_expanded, max_cost, partial, variation, seed, corners, into, stats, closed_goal)"
helper.PATH_OPTIONS = helper.WAY_OPTIONS:gsub("influence, ", "influence, pass_only, per_turn, rest, last_step, ")
  :gsub("%)$", ", within, beside, sight)")
helper.SEARCH_OPTIONS = helper.PATH_OPTIONS:gsub("corners, ", "corners, labels, visited, ")

-- Random numbers ---------------------------------------------------------------------------------------------------

local seed

---The seed of this run: WEND_SEED, or the time. Printed once, so that a failure can be run again.
function helper.seed()
  if not seed then
    seed = tonumber(os.getenv "WEND_SEED") or os.time() % 1000000
    io.stderr:write(("WEND_SEED=%d\n"):format(seed))
  end
  return seed
end

---A generator of its own for each label and round, so that one spec alone draws what it drew among all. Park and
---Miller's: the products stay below 2^53, so that every Lua draws the same.
---rng() in [0, 1); rng(n) in 1..n; rng(a, b) in a..b; rng:chance(share); rng:pick(list); rng:shuffle(list)
---@param label string
---@param round integer|nil
function helper.rng(label, round)
  local state = helper.seed() % 2147483646 + 1
  local function draw()
    state = state * 16807 % 2147483647
    return state - 1
  end
  local function mix(value)
    state = (state + value) % 2147483646 + 1
    draw()
  end
  for i = 1, #label do mix(label:byte(i) * 7919) end
  mix((round or 0) * 104729)
  for _ = 1, 3 do draw() end

  local rng = {}
  function rng.chance(_, share) return rng() < share end
  function rng.pick(_, list) return list[rng(#list)] end
  function rng.shuffle(_, list)
    for i = #list, 2, -1 do
      local j = rng(i)
      list[i], list[j] = list[j], list[i]
    end
  end
  return setmetatable(rng, {
    __call = function(_, a, b)
      local value = draw() / 2147483646
      if not a then return value end
      if not b then a, b = 1, a end
      return a + math.floor(value * (b - a + 1))
    end,
  })
end

---Whether all rounds are run: neither the one of WEND_ROUND alone, nor the share of WEND_ROUNDS (0.1: a tenth).
function helper.all_rounds()
  return not (os.getenv "WEND_ROUND" or os.getenv "WEND_ROUNDS")
end

---Calls fn(rng, round) for each round; when one fails, says which.
function helper.rounds(label, rounds, fn)
  local only, share = tonumber(os.getenv "WEND_ROUND"), tonumber(os.getenv "WEND_ROUNDS") or 1
  local first, last = 1, math.ceil(rounds * share)
  if only then first, last = only, only end
  for round = first, last do
    local ok, problem = pcall(fn, helper.rng(label, round), round)
    if not ok then
      io.stderr:write(("failed: WEND_SEED=%d WEND_ROUND=%d (%s)\n"):format(helper.seed(), round, label))
      error(problem, 0)
    end
  end
end

-- Random graphs ----------------------------------------------------------------------------------------------------

---@class helper.Edge
---@field id integer
---@field from integer
---@field to integer
---@field weight number
---@field length number|nil without positions: none
---@field tag string|nil
---@field directed boolean
---@field closed boolean
---@field measured boolean whether the weight is the length

---@class helper.Model
---@field dimensions integer 2, 3, or 0: weights only
---@field nodes integer[]
---@field position table<integer, number[]>
---@field closed table<integer, boolean>
---@field edges helper.Edge[]

local TAGS = { "road", "swamp", "toll", "lava", "rope" }

local function length(a, b)
  local sum = 0
  for axis = 1, #a do sum = sum + (a[axis] - b[axis]) * (a[axis] - b[axis]) end
  return math.sqrt(sum)
end
helper.length = length

---A random graph and its model. opts, each with a default that draws: nodes, edges, dimensions (2, 3, 0: weights only);
---and shares of 0 to 1: directed, zero (weights), given (weights that are not the length), parallel, loops, coincident,
---closed_nodes, closed_edges, tagged; tags, a list. `whole = true`: coordinates and weights are integers.
---@return wend.Graph graph
---@return helper.Model model
function helper.random_graph(rng, opts)
  opts = opts or {}
  local count = opts.nodes or rng(1, 40)
  local dimensions = opts.dimensions or rng:pick { 2, 2, 3, 0 }
  local tags = opts.tags or TAGS
  local function share(name, default)
    local value = opts[name]
    if value == nil then value = rng:pick { 0, default, default } end
    return value
  end
  local directed, zero, given = share("directed", 0.4), share("zero", 0.15), share("given", 0.5)
  local parallel, loops, coincident = share("parallel", 0.1), share("loops", 0.05), share("coincident", 0.1)
  local closed_nodes, closed_edges = share("closed_nodes", 0.1), share("closed_edges", 0.1)
  local tagged = share("tagged", 0.5)
  local function number(limit)
    if opts.whole then return rng(0, limit) end
    return rng(0, limit * 8) / 8 + (rng:chance(0.5) and rng() or 0)
  end

  local graph = wend.graph { dimensions = dimensions == 3 and 3 or 2 }
  local model = { dimensions = dimensions, nodes = {}, position = {}, closed = {}, edges = {} }

  for i = 1, count do
    local at = {}
    if i > 1 and rng:chance(coincident) then
      at = model.position[rng:pick(model.nodes)]
    else
      for axis = 1, dimensions do at[axis] = number(100) end
    end
    local id = graph:add_node(at[1], at[2], at[3])
    model.nodes[i] = id
    model.position[id] = at
    model.closed[id] = false
  end

  for _ = 1, opts.edges or rng(0, count * 4) do
    local from, to = rng:pick(model.nodes), rng:pick(model.nodes)
    local before = #model.edges > 0 and rng:chance(parallel) and rng:pick(model.edges)
    if before then from, to = before.from, before.to end
    if rng:chance(loops) then to = from end
    local edge = { from = from, to = to, directed = rng:chance(directed), closed = false, measured = false }
    if dimensions > 0 then edge.length = length(model.position[from], model.position[to]) end
    if rng:chance(zero) then
      edge.weight = 0
    elseif dimensions == 0 or rng:chance(given) then
      edge.weight = number(60)
    else
      edge.weight, edge.measured = edge.length, true
    end
    if rng:chance(tagged) then edge.tag = rng:pick(tags) end
    edge.id = graph:add_edge(from, to, {
      weight = not edge.measured and edge.weight or nil, tag = edge.tag, directed = edge.directed,
    })
    model.edges[#model.edges + 1] = edge
  end

  for _, id in ipairs(model.nodes) do
    if rng:chance(closed_nodes) then
      graph:close(id)
      model.closed[id] = true
    end
  end
  for _, edge in ipairs(model.edges) do
    if rng:chance(closed_edges) then
      graph:close_edge(edge.id)
      edge.closed = true
    end
  end
  return graph, model
end

-- The reference solver ---------------------------------------------------------------------------------------------

---Dijkstra as plain as can be, O(n²): the least cost of every node that can be reached, and the fewest edges among the
---paths of that cost. Closed edges are never taken and closed nodes never entered; the start is not asked.
---@param model helper.Model
---@param from integer
---@param cost (fun(edge: helper.Edge, from: integer, to: integer): number|false|nil)|nil default: the weight;
---false, nil and math.huge: closed
---@return table<integer, number> distance
---@return table<integer, integer> hops
function helper.solve(model, from, cost)
  cost = cost or function(edge) return edge.weight end
  local leaving = {}
  for _, id in ipairs(model.nodes) do leaving[id] = {} end
  for _, edge in ipairs(model.edges) do
    if not edge.closed then
      table.insert(leaving[edge.from], { edge, edge.to })
      if not edge.directed and edge.from ~= edge.to then table.insert(leaving[edge.to], { edge, edge.from }) end
    end
  end

  local distance, hops, settled = { [from] = 0 }, { [from] = 0 }, {}
  while true do
    local best
    for _, id in ipairs(model.nodes) do
      if distance[id] and not settled[id] then
        if not best or distance[id] < distance[best] or distance[id] == distance[best] and hops[id] < hops[best] then
          best = id
        end
      end
    end
    if not best then return distance, hops end
    settled[best] = true
    for _, way in ipairs(leaving[best]) do
      local edge, to = way[1], way[2]
      if not settled[to] and not model.closed[to] then
        local price = cost(edge, best, to)
        if price and price < math.huge then
          local total, steps = distance[best] + price, hops[best] + 1
          if not distance[to] or total < distance[to] or total == distance[to] and steps < hops[to] then
            distance[to], hops[to] = total, steps
          end
        end
      end
    end
  end
end

---The least distance of a node, or of a list of nodes; nil when none of them can be reached.
---@param distance table<integer, number> what helper.solve gave
function helper.least(distance, goals)
  local least
  for _, goal in ipairs(type(goals) == "table" and goals or { goals }) do
    local cost = distance[goal]
    if cost and (not least or cost < least) then least = cost end
  end
  return least
end

---A flat list of random points.
function helper.random_points(rng, count, dimensions)
  local points = {}
  for i = 1, count * dimensions do points[i] = rng() * 100 end
  return points
end

-- Files ------------------------------------------------------------------------------------------------------------

---A file of the folder of real maps, WEND_DATA or else beside the project; nil when there is no such folder.
---@param path string
---@return string|nil
function helper.data(path)
  local root = os.getenv "WEND_DATA" or "../shared/data"
  local handle = io.open(root .. "/README.md")
  if not handle then return nil end
  handle:close()
  return root .. "/" .. path
end

local written = {}

--- The whole of a file, byte for byte.
function helper.read(file)
  local handle = assert(io.open(file, "rb"))
  local text = handle:read "*a"
  handle:close()
  return text
end

---The files that a pattern of the shell names, in its order.
function helper.files(pattern)
  local pipe, list = io.popen("ls " .. pattern), {}
  for file in pipe:lines() do list[#list + 1] = file end
  pipe:close()
  return list
end

---Writes a file of its own; returns its name. helper.clean removes it.
---@param text string
---@param suffix string|nil what its name ends with
function helper.file(text, suffix)
  local plain = os.tmpname()
  local name = plain .. (suffix or "")
  if name ~= plain then os.remove(plain) end
  local handle = assert(io.open(name, "wb"))
  assert(handle:write(text))
  handle:close()
  written[#written + 1] = name
  return name
end

---Has helper.clean remove a file that a spec made by itself.
function helper.written(name) written[#written + 1] = name end

---Removes what was written.
function helper.clean()
  for _, name in ipairs(written) do os.remove(name) end
  written = {}
end

---A map of Nexuiz: X.waypoints, with X.waypoints.cache and X.waypoints.hardwired where they are there.
---@param file string the name of X.waypoints
---@return wend.Graph
function helper.nexuiz(file)
  local LINKS_MAX = 32
  local points = {}
  local function point(text)
    local x, y, z = text:match "^'%s*([%d.-]+)%s+([%d.-]+)%s+([%d.-]+)%s*'$"
    if not x then error(file .. ": no point: " .. text) end
    return { tonumber(x), tonumber(y), tonumber(z) }
  end

  local lines = {}
  for line in io.lines(file) do lines[#lines + 1] = (line:gsub("%s+$", "")) end
  for i = 1, #lines - 2, 3 do
    local low, high = point(lines[i]), point(lines[i + 1])
    points[#points + 1] = { (low[1] + high[1]) / 2, (low[2] + high[2]) / 2, (low[3] + high[3]) / 2 }
  end

  local function waypoint(text)
    local at = point(text)
    local best, nearest = nil, 1
    for i, other in ipairs(points) do
      local distance = length(at, other)
      if distance < nearest then best, nearest = i, distance end
    end
    if not best then
      points[#points + 1] = at
      best = #points
    end
    return best
  end

  local ends, known, links = {}, {}, {}
  for _, suffix in ipairs { ".cache", ".hardwired" } do
    local handle = io.open(file .. suffix)
    for line in handle and handle:lines() or function() end do
      local from, to = line:match "^%s*('[^']*')%*('[^']*')%s*$"
      if from then
        local a, b = waypoint(from), waypoint(to)
        local key = a .. " " .. b
        if a ~= b and not known[key] and (links[a] or 0) < LINKS_MAX then
          known[key] = true
          links[a] = (links[a] or 0) + 1
          ends[#ends + 1] = a
          ends[#ends + 1] = b
        end
      end
    end
    if handle then handle:close() end
  end

  local graph = wend.graph { dimensions = 3 }
  local flat = {}
  for _, at in ipairs(points) do
    for axis = 1, 3 do flat[#flat + 1] = at[axis] end
  end
  graph:add_nodes(flat)
  graph:add_edges(ends, { directed = true })
  return graph
end

-- Errors -----------------------------------------------------------------------------------------------------------

---Asserts that fn(...) raises exactly this message; the position in front of it is left out of account.
---@param expected string
function helper.raises(expected, fn, ...)
  local ok, message = pcall(fn, ...)
  if ok then error(("expected an error: %s"):format(expected), 2) end
  if type(message) == "string" then
    message = message:gsub("^[^\n:]*%.lua:%d+: ", ""):gsub("^%[string [^\n]-%]:%d+: ", "")
  end
  assert.equal(expected, message)
end

---A spec for each case, in the block in which it is called. cases: a message and a call that raises it, in turns. A
---message that ends with "..." is only the beginning of what is raised.
---@param it function busted's: a required file does not see it
function helper.all_raise(it, cases)
  for i = 1, #cases, 2 do
    it(("raises: %s (%d)"):format(cases[i], i), function()
      local start = cases[i]:match "^(.*)%.%.%.$"
      if not start then return helper.raises(cases[i], cases[i + 1]) end
      local ok, message = pcall(cases[i + 1])
      assert.equal(false, ok)
      message = tostring(message):gsub("^[^\n:]*%.lua:%d+: ", "")
      assert.equal(start, message:sub(1, #start))
    end)
  end
end

---Asserts that fn(...) answers nil, exactly this message and this code.
function helper.fails(message, code, fn, ...)
  local result, got_message, got_code = fn(...)
  assert.same({ "nil", message, code }, { type(result), got_message, got_code })
end

---Asserts that fn(...), in which a function of the script yields, raises, and does not suspend its coroutine.
---@return string message
function helper.cannot_yield(fn, ...)
  local thread = coroutine.create(function(...) return pcall(...) end) -- Lua 5.1 takes no function in C
  local resumed, raised, message = coroutine.resume(thread, fn, ...)
  assert.same({ true, false, "dead" }, { resumed, raised, coroutine.status(thread) })
  message = tostring(message)
  assert.truthy(message:find("yield", 1, true), message)
  return message
end

---How many bytes of garbage fn(times) makes, after `warm` runs of it. Interpreted: LuaJIT's compiler takes memory
---whenever it finds something to compile. The least of three measurements: a step of the collector may give back
---room on Lua's stack just before one begins, and that room is then taken again.
function helper.garbage(warm, times, fn)
  local jit = rawget(_G, "jit")
  local least = math.huge
  if jit then jit.off() jit.flush() end
  fn(warm)
  collectgarbage()
  collectgarbage "stop"
  fn(1) -- what a collection gave back, such as room on Lua's stack
  for _ = 1, 3 do
    local before = collectgarbage "count"
    fn(times)
    least = math.min(least, collectgarbage "count" - before)
    if least <= 0 then break end
  end
  collectgarbage "restart"
  if jit then jit.on() end
  return math.max(least, 0) * 1024
end

---Updates a crowd for so many seconds, in steps.
function helper.wait(crowd, seconds)
  for _ = 1, seconds * 30 do crowd:update(1 / 30) end
end

---Calls fn(...) as pcall does; raises where it does not end within some millions of instructions.
function helper.ends(fn, ...)
  local jit = rawget(_G, "jit")
  local unpack = table.unpack or unpack -- luacheck: ignore 113 143
  local steps, hook, mask, count = 0, debug.gethook()
  if jit then jit.off() jit.flush() end                 -- compiled loops look at no hook
  debug.sethook(function()
    steps = steps + 1
    if steps > 500 then error("it does not end", 0) end
  end, "", 100000)
  local results = { pcall(fn, ...) }
  debug.sethook(hook, mask, count)
  if jit then jit.on() end
  if results[2] == "it does not end" then error(results[2], 2) end
  return unpack(results)
end

-- Programs ---------------------------------------------------------------------------------------------------------

---The Lua that runs this; busted has moved the arguments.
function helper.interpreter()
  local at = 0
  while arg[at - 1] do at = at - 1 end
  return arg[at]
end

---Runs a command of the shell; returns its status, and what it wrote to both of its outputs.
---@return integer status
---@return string text
function helper.shell(command)
  local pipe = io.popen(command .. " 2>&1; echo $?")
  local output = pipe:read "*a"
  pipe:close()
  local text, status = output:match "^(.-)(%d+)\n$"
  return tonumber(status), text
end

-- Objects ----------------------------------------------------------------------------------------------------------

---The methods of one of the module's objects, by name. Their metatables are locked: only `debug` reaches them.
function helper.methods(object)
  local index = debug.getmetatable(object).__index
  if type(index) == "table" then return index end
  if not debug.getupvalue(index, 1) then return {} end  -- Lua 5.1 does not show those of C functions
  for i = 1, math.huge do                               -- a function: its methods are a table among its upvalues
    local name, value = debug.getupvalue(index, i)
    if type(value) == "table" then return value end
    assert(name, "no methods")
  end
end

return helper
