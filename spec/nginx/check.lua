-- SPDX-License-Identifier: MIT
-- Starts the server of examples/nginx, asks it and compares its answers with the module's own: luajit check.lua FOLDER
-- The module in this process makes the levels itself, so it shares no file with the server.
-- FOLDER is removed first. If a program or a package is missing, it prints "skipped: ..." and ends with status 0.

package.path = "examples/nginx/?.lua;" .. package.path

local costs = require "costs"
local make = require("level").make

local SIDE = 32 -- server.sh and build.lua make levels of this size
local folder = assert(arg[1], "usage: check.lua FOLDER")
local server = folder .. "/server"

-- Shell --------------------------------------------------------------------------------------------------------------

---Runs a command. Returns its output and its status.
local function try(command)
  local pipe = assert(io.popen("no_proxy=127.0.0.1; export no_proxy; { " .. command .. "\n} 2>&1; echo \"status $?\""))
  local out, status = pipe:read("*a"):match "^(.*)status (%d+)\n$"
  pipe:close()
  return out, tonumber(status)
end

local function shell(command)
  local out, status = try(command)
  if status ~= 0 then error(("%s\nended with status %d:\n%s"):format(command, status, out), 0) end
  return out
end

local function read(file)
  local handle = assert(io.open(file, "rb"))
  local bytes = handle:read "*a"
  handle:close()
  return bytes
end

local function write(file, bytes)
  local handle = assert(io.open(file, "wb"))
  handle:write(bytes)
  handle:close()
end

---Waits until a function returns a value, for 20 seconds at most.
local function await(what, ready)
  for _ = 1, 200 do
    local value = ready()
    if value then return value end
    shell "sleep 0.1"
  end
  error("waited 20 seconds for " .. what, 0)
end

local function equal(expected, got, what)
  if expected ~= got then
    error(("%s: expected\n  %s\ngot\n  %s"):format(what, tostring(expected), tostring(got)), 0)
  end
end

-- Servers ------------------------------------------------------------------------------------------------------------

local running = {}

local function start(where, settings)
  local out, status = try(("%s sh examples/nginx/server.sh %s 0 2"):format(settings or "", where))
  if status == 3 then return nil, out:match "missing: (.-)\n" or out end
  if status ~= 0 then error("server.sh: " .. out, 0) end
  running[#running + 1] = where
  return tonumber(read(where .. "/port"))
end

---Stops a server and waits until its master process has ended.
local function stop(where)
  local pid = read(where .. "/nginx.pid"):match "%d+"
  shell("kill -QUIT " .. pid)
  await("the end of " .. where, function() return select(2, try("kill -0 " .. pid)) ~= 0 end)
  for i = #running, 1, -1 do
    if running[i] == where then table.remove(running, i) end
  end
end

---Raises unless the lines of the error log are all notices, or contain one of the given texts; and if a worker ended
---in another way than by an order.
local function check_log(where, ...)
  for line in read(where .. "/error.log"):gmatch "[^\n]+" do
    local fine = line:find "%[notice%]" and not line:find "exited on signal"
      and not line:find "exited with code [^0]" and not line:find "exited with fatal"
    for _, allowed in ipairs { ... } do fine = fine or line:find(allowed, 1, true) end
    if not fine then error(where .. "/error.log: " .. line, 0) end
  end
end

-- Requests -----------------------------------------------------------------------------------------------------------

local function encode(value)
  return (tostring(value):gsub("[^%w._-]", function(c) return ("%%%02X"):format(c:byte()) end))
end

local function url(port, request, arguments)
  local list = {}
  for i = 1, #(arguments or {}), 2 do list[#list + 1] = arguments[i] .. "=" .. encode(arguments[i + 1]) end
  return ("http://127.0.0.1:%d/%s?%s"):format(port, request, table.concat(list, "&"))
end

---The answers that curl printed: { body, status }.
local function parse(out)
  local list = {}
  for body, status in out:gmatch "(.-)\n?#(%d%d%d)#\n" do
    list[#list + 1] = { body = body, status = tonumber(status) }
  end
  return list
end

local CURL = "curl -sS --globoff --max-time 20 -w '#%{http_code}#\\n' "

---Asks all URLs on one connection.
local function ask_all(urls)
  local lines = {}
  for i, each in ipairs(urls) do lines[i] = ('url = "%s"'):format(each) end
  write(folder .. "/urls", table.concat(lines, "\n") .. "\n")
  local answers = parse(shell(CURL .. "-K " .. folder .. "/urls"))
  equal(#urls, #answers, "number of answers")
  return answers
end

local function ask(...)
  return ask_all({ url(...) })[1]
end

local function level_of(port) return ask(port, "health").body:match '"level":"(%x+)"' end

-- Expected answers ---------------------------------------------------------------------------------------------------

---A level made in this process, and the beginning of all answers about it.
local function level(number)
  local graph = make(number, SIDE)
  return { graph = graph, routes = assert(graph:routes { costs = costs }) }
end

local function body_of(name, path)
  return ('{"level":"%s","cost":%.17g,"nodes":[%s]}'):format(name, path.cost, table.concat(path, ","))
end

---Adds a request and the answer that it has to get.
local function expect(list, status, body, ...)
  list[#list + 1] = { url = url(...), status = status, body = body }
end

local function compare(list)
  local urls = {}
  for i, each in ipairs(list) do urls[i] = each.url end
  for i, got in ipairs(ask_all(urls)) do
    equal(list[i].status .. " " .. list[i].body, got.status .. " " .. got.body, list[i].url)
  end
end

local function failure(status, call, ...)
  local fine, result, message = pcall(call, ...)
  assert(not (fine and result), "this call should fail")
  return status, fine and message or result
end

---Hundreds of requests about a level. Returns their number.
local function compare_answers(port, name, here)
  local random, list = math.random, {}
  local graph, routes, count = here.graph, here.routes, here.graph:node_count()
  math.randomseed(1)
  local function node() return random(count - 1) end -- the last one is the island

  for i = 1, 200 do
    local from, to = node(), node()
    if i % 10 == 0 then from, to = "gate", "old mill" end
    local path = routes:path(from, to)
    if path then
      expect(list, 200, body_of(name, path), port, "route", { "from", from, "to", to })
    else
      local status, message = failure(404, routes.path, routes, from, to)
      expect(list, status, message, port, "route", { "from", from, "to", to })
    end
    for _, boots in ipairs { "yes", "no" } do
      local searched = graph:path(from, to, { costs = costs, agent = { boots = boots == "yes" } })
      assert(not searched == not path)
      if searched then
        expect(list, 200, body_of(name, searched), port, "path", { "from", from, "to", to, "boots", boots })
        if boots == "no" then assert(math.abs(searched.cost - path.cost) <= 1e-9 * path.cost) end
      end
    end
  end
  for i = 1, 100 do
    local x, y = random(-500, 4000) / 10, random(-500, 4000) / 10
    local found, distance = graph:nearest(x, y)
    local px, py = graph:position(found)
    local title = graph:name(found)
    expect(list, 200, ('{"level":"%s","node":%d,"name":%s,"x":%.17g,"y":%.17g,"distance":%.17g}'):format(name, found,
      title and '"' .. title .. '"' or "null", px, py, distance), port, "nearest", { "x", x, "y", y })
    if i == 1 then
      expect(list, 404, "no node is that near", port, "nearest", { "x", 1e6, "y", y, "max_distance", 5 })
    end
  end
  compare(list)
  return #list
end

local function compare_errors(port, here)
  local list, graph, routes = {}, here.graph, here.routes
  local function both(status, from, to)
    local code, message = failure(status, routes.path, routes, from, to)
    expect(list, code, message, port, "route", { "from", from, "to", to })
    code, message = failure(status, graph.path, graph, from, to)
    expect(list, code, message, port, "path", { "from", from, "to", to })
  end
  both(404, "gate", "island")
  both(400, "moat", "keep")
  both(400, "gate", 0)
  both(400, "gate", -1)
  both(400, 1e9, "keep")
  both(400, 1.5, "keep")
  both(400, "gate", "line\nbreak")
  both(400, "gate", "'; drop table nodes; \0")
  expect(list, 400, "from must be a node (its id or name), got nil", port, "route", { "to", 1 })
  expect(list, 400, "from must be a node (its id or name), got a table", port, "route",
    { "from", 1, "from", 2, "to", 1 })
  expect(list, 400, "x must be a finite number (up to 1e150), got nan", port, "nearest", { "x", "nan", "y", 1 })
  expect(list, 400, "max_distance must be a number >= 0, got -1", port, "nearest",
    { "x", 1, "y", 1, "max_distance", -1 })
  expect(list, 404, "no such request", port, "other")
  compare(list)
  return #list
end

---Asks on new connections until a number of workers have answered. Returns the set of their process ids.
local function workers(port, wanted)
  local seen, count = {}, 0
  for _ = 1, 300 do
    local pid = assert(ask(port, "health").body:match '"worker":(%d+)')
    if not seen[pid] then seen[pid], count = true, count + 1 end
    if count == wanted then return seen end
  end
  error(("only %d workers answer, not %d"):format(count, wanted), 0)
end

-- Levels -------------------------------------------------------------------------------------------------------------

local function build(number)
  local name = "level-" .. number
  local where = server .. "/" .. name
  shell(("mkdir -p %s && luajit examples/nginx/build.lua %s %d %d"):format(where, where, number, SIDE))
end

local function switch_to(name)
  shell(("cd %s && ln -s %s next && mv -T next level && kill -HUP $(cat nginx.pid)"):format(server, name))
end

---Reloads while clients ask. No request may fail, each answer is that of the old or of the new level, and both occur.
local function reload(port, name, here, other)
  local pairs_of, expected, lines = { { "gate", "keep" }, { 1, 500 }, { 77, 801 }, { "old mill", "gate" } }, {}, {}
  for i, pair in ipairs(pairs_of) do
    lines[i] = ('url = "%s"'):format(url(port, i % 2 == 0 and "path" or "route", { "from", pair[1], "to", pair[2] }))
  end
  write(folder .. "/client-urls", (table.concat(lines, "\n") .. "\n"):rep(25))
  for client = 1, 4 do
    write(folder .. "/client-" .. client, "")
    -- On a kept connection that the server has closed, curl asks again. On new connections nothing is asked twice.
    local curl = CURL .. (client % 2 == 0 and "-H 'Connection: close' " or "")
    shell(("(while [ ! -e %s/stop ]; do %s -K %s/client-urls; done; : >%s/ended-%d) >%s/client-%d 2>&1 </dev/null &")
      :format(folder, curl, folder, folder, client, folder, client))
  end
  for client = 1, 4 do
    await("a first answer", function() return #read(folder .. "/client-" .. client) > 0 end)
  end
  switch_to "level-2"
  local new = await("the new level", function()
    local now = level_of(port)
    return now ~= name and now
  end)
  shell(("sleep 0.3; : >%s/stop"):format(folder))
  for client = 1, 4 do
    await("the end of a client", function()
      local file = io.open(folder .. "/ended-" .. client)
      return file and file:close()
    end)
  end
  for i, pair in ipairs(pairs_of) do
    expected[i] = {}
    for title, version in pairs { [name] = here, [new] = other } do
      local path = i % 2 == 0 and version.graph:path(pair[1], pair[2], { costs = costs })
        or version.routes:path(pair[1], pair[2])
      expected[i][body_of(title, assert(path))] = title
    end
  end
  local total, seen = 0, { [name] = 0, [new] = 0 }
  for client = 1, 4 do
    local out = read(folder .. "/client-" .. client)
    local answers = parse(out)
    equal(select(2, out:gsub("\n", "")), 2 * #answers, "lines of client " .. client)
    equal(0, #answers % #pairs_of, "requests without an answer")
    for i, got in ipairs(answers) do
      local title = expected[(i - 1) % #pairs_of + 1][got.body]
      if got.status ~= 200 or not title then error("during the reload: " .. got.status .. " " .. got.body, 0) end
      seen[title] = seen[title] + 1
      total = total + 1
    end
  end
  assert(seen[name] > 0 and seen[new] > 0, "the clients have not seen both levels")
  return new, total
end

---A reload with a damaged file keeps the level.
local function damaged(port, name)
  shell(("cp -r %s/level-2 %s/level-3"):format(server, server))
  local bytes = read(server .. "/level-3/routes.wend")
  write(server .. "/level-3/routes.wend", bytes:sub(1, -9))
  switch_to "level-3"
  await("the refusal", function() return read(server .. "/error.log"):find("init_by_lua error", 1, true) end)
  for _ = 1, 20 do equal(name, level_of(port), "the level after a refused reload") end
  shell(("ln -sfn level-2 %s/level"):format(server))
end

-- The page -----------------------------------------------------------------------------------------------------------

---The fenced blocks of a page: { language, text }.
local function blocks(page)
  local list = {}
  for language, text in read(page):gmatch "\n```(%w+)\n(.-)\n```\n" do
    list[#list + 1] = { language = language, text = text .. "\n" }
  end
  return list
end

---Runs the shell blocks of the page in order, in a folder of their own, and compares the text blocks below them.
local function check_page(page)
  local where, port, count = folder .. "/page", nil, 0
  local list = blocks(page)
  local files = read "examples/nginx/nginx.conf" .. read "examples/nginx/front.conf"
  local function unindented(text) return (("\n" .. text):gsub("\n +", "\n")) end
  for i, block in ipairs(list) do
    if block.language == "nginx" then
      local found = unindented(files):find(unindented(block.text), 1, true)
      assert(found, page .. ": no such lines in the files:\n" .. block.text)
      count = count + 1
    elseif block.language == "sh" then
      local text = block.text:gsub("build/nginx/server", where):gsub("(server%.sh %S+) 8080", "%1 0")
      if text:find("server.sh", 1, true) then running[#running + 1] = where end
      if port then text = text:gsub(":8080", ":" .. port) end
      local out = shell("set -e\n" .. text)
      port = port or read(where .. "/port"):match "%d+"
      local shown = list[i + 1]
      if shown and shown.language == "text" then
        equal(shown.text, (out:gsub(":" .. port, ":8080"):gsub(where:gsub("%p", "%%%0"), "build/nginx/server")), page)
      end
      count = count + 1
    end
  end
  assert(count > 0, page .. " has no blocks")
  local pid = where .. "/nginx.pid"
  await("the end of the page's server", function() return select(2, try("test -e " .. pid)) ~= 0 end)
  table.remove(running)
  return count
end

-- Several machines ---------------------------------------------------------------------------------------------------

---A front server and two others. One of them stops while clients ask.
local function front(port)
  local second, where = folder .. "/second", folder .. "/front"
  shell(("mkdir -p %s %s/temp && cp -r %s/level-2 %s/level"):format(second, where, server, second))
  local other = assert(start(second))
  equal(level_of(port), level_of(other), "two machines with the same file")
  local mine = other % 9000 + 10000 -- below the ports of server.sh, and below those of the clients
  local text = read("examples/nginx/front.conf"):gsub("192%.0%.2%.1:8080", "127.0.0.1:" .. port)
    :gsub("192%.0%.2%.2:8080", "127.0.0.1:" .. other):gsub("127%.0%.0%.1:8000", "127.0.0.1:" .. mine)
  write(where .. "/nginx.conf", text)
  shell("PATH=$PATH:/usr/sbin; user=; [ $(id -u) != 0 ] || user='user root;'; "
    .. ("nginx -p $PWD/%s/ -c nginx.conf -e error.log -g \"$user\""):format(where))
  running[#running + 1] = where
  local here, there, from_here, from_there = workers(port, 2), workers(other, 2), 0, 0
  for _ = 1, 20 do
    local pid = ask(mine, "health").body:match '"worker":(%d+)'
    if here[pid] then from_here = from_here + 1 end
    if there[pid] then from_there = from_there + 1 end
  end
  equal(20, from_here + from_there, "answers by the two machines")
  assert(from_here > 0 and from_there > 0, "one machine gets no requests")
  stop(second)
  local urls = {}
  for i = 1, 100 do urls[i] = url(mine, "route", { "from", i, "to", "keep" }) end
  local wanted = {}
  for i = 1, 100 do wanted[i] = url(port, "route", { "from", i, "to", "keep" }) end
  local got, direct = ask_all(urls), ask_all(wanted)
  for i = 1, 100 do equal(direct[i].status .. direct[i].body, got[i].status .. got[i].body, urls[i]) end
  stop(where)
  check_log(second)
end

-- All of it ----------------------------------------------------------------------------------------------------------

local function main()
  shell(("rm -rf %s && mkdir -p %s"):format(folder, folder))
  if select(2, try "command -v curl") ~= 0 then return "skipped: nginx: no program curl here" end
  local port, problem = start(server)
  if not port then return "skipped: nginx: " .. problem end

  local one, two = level(1), level(2)
  build(2)
  equal(true, one.graph:encode() == read(server .. "/level-1/level.wend"), "the file of level 1")
  equal(true, one.routes:encode() == read(server .. "/level-1/routes.wend"), "the file of the routes of level 1")
  local name = assert(level_of(port))
  workers(port, 2)
  print(("%d answers agree"):format(compare_answers(port, name, one)))
  print(("%d refusals agree"):format(compare_errors(port, one)))
  local new, count = reload(port, name, one, two)
  print(("%d requests during a reload, none failed"):format(count))
  print(("%d answers about the new level agree"):format(compare_answers(port, new, two)))
  check_log(server)
  damaged(port, new)
  print "a damaged level is refused"
  front(port)
  print "two machines behind a front server: one stopped, no request failed"
  stop(server)
  check_log(server, "init_by_lua error", "stack traceback", "[C]:", "level-3", "\t")

  -- The same with the level loaded by the master process before the workers are forked.
  local shared = folder .. "/shared"
  port = assert(start(shared, "LOAD_IN=master"))
  assert(not read(shared .. "/nginx.conf"):find("init_worker_by_lua_block {", 1, true))
  workers(port, 2)
  print(("%d answers of workers that share a level agree"):format(compare_answers(port, level_of(port), one)))
  stop(shared)
  check_log(shared)

  print(("%d blocks of doc/servers.md run"):format(check_page "doc/servers.md"))
  return "all agree"
end

local fine, result = pcall(main)
write(folder .. "/stop", "")
for i = #running, 1, -1 do pcall(stop, running[i]) end
if not fine then
  io.stderr:write("check-nginx: ", tostring(result), "\n")
  os.exit(1)
end
print(result)
