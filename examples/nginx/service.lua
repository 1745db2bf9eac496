-- SPDX-License-Identifier: MIT
-- Answers requests about one level. nginx.conf calls these functions. Each worker process has its own copy of the
-- level. Successful answers are JSON. Other answers are plain text: the module's message.
-- luacheck: read globals ngx
-- luacheck: globals ngx.status ngx.header

local wend = require "wend"
local costs = require "costs"

local service = {}

-- A search that expands more nodes than this ends with status 422.
local MAX_EXPANDED = 100000
-- A search of /path runs in slices of this many nodes. Between two slices it pauses for this many seconds, and the
-- worker answers other requests.
local SLICE, PAUSE = 2000, 0.001

local STATUS = { no_path = 404, budget = 422 } -- other failures: 500

local level -- { name, graph, routes }, or nil if loading failed

-- Loading ------------------------------------------------------------------------------------------------------------

local function read(folder)
  local file = assert(io.open(folder .. "/level.wend", "rb"))
  local bytes = file:read "*a"
  file:close()
  local graph = assert(wend.decode(bytes))
  local routes = assert(wend.load(folder .. "/routes.wend", { map = graph, costs = costs }))
  return { name = ngx.md5(bytes):sub(1, 8), graph = graph, routes = routes }
end

---Raises an error if the files of a folder are missing, damaged, or do not belong together.
function service.check(folder)
  read(folder)
  collectgarbage() -- the master process keeps no level
end

---Loads the files of a folder.
function service.load(folder)
  level = read(folder)
  ngx.log(ngx.NOTICE, "level ", level.name, " loaded")
end

-- Answers ------------------------------------------------------------------------------------------------------------

local function number(value) return ("%.17g"):format(value) end

local function text(value)
  return '"' .. value:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

---Sends an object: text has the members after "level".
local function answer(members)
  ngx.header["Content-Type"] = "application/json"
  ngx.print('{"level":"', level.name, '",', members, "}\n")
end

local function refuse(status, message)
  ngx.status = status
  ngx.header["Content-Type"] = "text/plain; charset=utf-8"
  ngx.say(message)
  return ngx.exit(status)
end

---Calls a function of the module with arguments from outside. Mistakes in them raise: the answer is 400 with the
---message. Called by pcall itself, the function puts no file and line before the message.
local function ask(method, ...)
  local fine, result, second, code = pcall(method, ...)
  if fine then return result, second, code end
  if result == "not enough memory" then error(result, 0) end
  refuse(400, result)
end

local function answer_path(path, message, code)
  if not path then return refuse(STATUS[code] or 500, message) end
  answer('"cost":' .. number(path.cost) .. ',"nodes":[' .. table.concat(path, ",") .. "]")
end

-- Requests -----------------------------------------------------------------------------------------------------------

local function arguments()
  if not level then refuse(503, "no level is loaded") end
  return ngx.req.get_uri_args()
end

-- A node: an id or a name.
local function node(argument) return tonumber(argument) or argument end

---/route?from=NODE&to=NODE: a path from the route table.
function service.route()
  local args = arguments()
  answer_path(ask(level.routes.path, level.routes, node(args.from), node(args.to)))
end

---/path?from=NODE&to=NODE[&boots=yes]: a path by a search, for an agent with or without boots.
function service.path()
  local args = arguments()
  local search = ask(level.graph.search, level.graph, node(args.from), node(args.to),
    { costs = costs, agent = { boots = args.boots == "yes" }, max_expanded = MAX_EXPANDED })
  while search:step(SLICE) == "running" do ngx.sleep(PAUSE) end
  answer_path(search:result())
end

---/nearest?x=X&y=Y[&max_distance=D]: the node nearest to a position.
function service.nearest()
  local args = arguments()
  local options = { max_distance = args.max_distance and node(args.max_distance) }
  local found, distance = ask(level.graph.nearest, level.graph, node(args.x), node(args.y), options)
  if not found then return refuse(404, "no node is that near") end
  local x, y = level.graph:position(found)
  local name = level.graph:name(found)
  answer(('"node":%d,"name":%s,"x":%s,"y":%s,"distance":%s'):format(found, name and text(name) or "null", number(x),
    number(y), number(distance)))
end

---/health: which level this worker has, and its memory in bytes.
function service.health()
  arguments()
  local nodes, edges = level.graph:bytes()
  answer(('"worker":%d,"nodes":%d,"level_bytes":%d,"routes_bytes":%d'):format(ngx.worker.pid(),
    level.graph:node_count(), nodes + edges, level.routes:bytes()))
end

return service
